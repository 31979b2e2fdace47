//! Prose, filtered pages, evaluation, the command.

use crate::article::loads;
use crate::extractor::with_pool;
use crate::failure::{ForestError, error, guarded};
use crate::page::Html;
use forest_core::onepage;
use forest_eval::eval::{self, MethodFigures, MethodTable, PageScore, Setup};
use forest_html::page::{MAX_PAGE_BYTES, Mask};
use forest_sources::gold::Collection;
use forest_text::filter::{FilterEngine, FilterSettings, OutputFormat, Profile};
use forest_text::pipeline::AnyMethod;
use forest_text::prose::{self, Document, TextOptions};
use pyo3::prelude::*;
use std::ffi::OsString;
use std::path::PathBuf;

/// The text of a page in which every sentence is a sentence: tables become clauses, lists join
/// the clause before them, broken lines are mended.
///
/// >>> import forest_wrappers as fw
/// >>> fw.text("<p>Take:<ul><li>salt<li>oil</ul>")
/// 'Take: salt, oil.'
///
/// With `article` that of the article alone.
#[pyfunction]
#[pyo3(signature = (html, url=None, *, article=false))]
pub fn text(py: Python<'_>, html: Html, url: Option<&str>, article: bool) -> PyResult<String> {
    py.detach(|| {
        guarded(
            || match prose::read(html.bytes(), html.source(url), MAX_PAGE_BYTES) {
                Document::Excluded(why) => Err(ForestError::new_err(why.to_string())),
                Document::Dump(text, _) => Ok(text),
                Document::Page(page, _) => {
                    let kept = if article {
                        onepage::article(&page).kept
                    } else {
                        Mask::all(&page)
                    };
                    Ok(prose::prose(&page, &kept, &TextOptions::default()).text)
                }
            },
        )
    })
}

/// A page without its clutter, its look kept. `profile` is `paper`, `light`, `reader`, `text`
/// or `speech`; `settings`, the text of a file of settings, goes before it. `format` is `html`
/// or `text`, else that of the profile.
#[pyfunction]
#[pyo3(signature = (html, url=None, *, profile="light", settings=None, format=None))]
pub fn filter(
    py: Python<'_>,
    html: Html,
    url: Option<&str>,
    profile: &str,
    settings: Option<&str>,
    format: Option<&str>,
) -> PyResult<String> {
    let settings = match settings {
        Some(yaml) => FilterSettings::from_yaml(yaml).map_err(error)?,
        None => {
            let named = Profile::ALL.into_iter().find(|p| p.name() == profile);
            let unknown = || ForestError::new_err(format!("there is no profile `{profile}`"));
            named.ok_or_else(unknown)?.settings()
        }
    };
    let is_text = match format {
        None => settings.output == OutputFormat::Text,
        Some("text") => true,
        Some("html") => false,
        Some(other) => {
            return Err(ForestError::new_err(format!(
                "there is no format `{other}`"
            )));
        }
    };
    py.detach(|| {
        guarded(|| {
            let engine = FilterEngine::new(settings);
            let page = engine.parse(html.bytes(), html.source(url));
            let filtered = engine.filter(&page);
            Ok(if is_text {
                filtered.text()
            } else {
                filtered.html().text
            })
        })
    })
}

/// Scores methods on a folder of pages with their right texts, as `forest eval --json` does:
/// a dict with the figures of each (`forest` alone, if none are named).
#[pyfunction]
#[pyo3(name = "eval", signature = (folder, methods=None, learn_on=None))]
pub fn evaluate<'py>(
    py: Python<'py>,
    folder: PathBuf,
    methods: Option<Vec<String>>,
    learn_on: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let mut setups = Vec::new();
    for name in methods.unwrap_or_else(|| vec!["forest".to_owned()]) {
        let method: AnyMethod = name.parse().map_err(error)?;
        let mut setup = Setup::of(method, Default::default());
        setup.learn_on = learn_on;
        setups.push(setup);
    }
    let run = || -> PyResult<String> {
        let collection = Collection::open(&folder).map_err(error)?;
        let scored = eval::run(&collection, &setups, &|| ()).map_err(error)?;
        let rows = setups.iter().zip(scored).filter_map(|(setup, texts)| {
            let scores: Vec<PageScore> = texts.into_iter().map(|text| text.score).collect();
            MethodFigures::of(setup.label(), &scores)
        });
        let table = MethodTable {
            name: collection.name().to_owned(),
            rows: rows.collect(),
        };
        Ok(table.json().to_string())
    };
    let json = py.detach(|| guarded(|| with_pool(run)?))?;
    loads(py, &json)
}

/// Runs the command `forest` with these arguments; returns its exit code.
#[pyfunction]
pub fn main(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| forest::main_with(arguments))
}
