//! Wrappers: learned, saved, checked.

use crate::article::{escaped, loads};
use crate::extractor::with_pool;
use crate::failure::{Abstained, ForestError, error, guarded};
use crate::page::Html;
use forest_core::drift::{observe, report};
use forest_core::explain::SiteReport;
use forest_core::extract::Extractor;
use forest_core::feed::{self, FeedItem};
use forest_core::learn::{LearnOptions, LearnOutcome, SamplePage};
use forest_core::wrapper::names::path_of;
use forest_core::{learn as learning, wrapper};
use forest_html::address::page_key;
use forest_html::page::{Page, Source};
use forest_html::text::sha256_hex;
use forest_sources::warc::{Response, WarcReader};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

/// The wrapper of a site: expressions that select its articles.
#[pyclass(frozen, module = "forest_wrappers")]
pub struct Wrapper {
    wrapper: wrapper::Wrapper,
    /// The report of learning it, as a page of HTML.
    report: Option<String>,
}

impl Wrapper {
    /// The wrapper itself.
    pub fn wrapper(&self) -> &wrapper::Wrapper {
        &self.wrapper
    }

    /// The wrapper in a file.
    pub fn read(path: &Path) -> PyResult<wrapper::Wrapper> {
        let file = wrapper::WrapperFile::read(path, File::open(path)).map_err(error)?;
        let missing = || ForestError::new_err(format!("{}: there is no such file", path.display()));
        Ok(file.ok_or_else(missing)?.0.wrapper)
    }
}

#[pymethods]
impl Wrapper {
    /// The wrapper in a file.
    #[staticmethod]
    fn load(path: PathBuf) -> PyResult<Wrapper> {
        let wrapper = Wrapper::read(&path)?;
        Ok(Wrapper {
            wrapper,
            report: None,
        })
    }

    /// The wrapper of a text, as a file has it.
    #[staticmethod]
    fn from_yaml(yaml: &str) -> PyResult<Wrapper> {
        let file = wrapper::Wrapper::from_yaml(yaml).map_err(error)?;
        Ok(Wrapper {
            wrapper: file.wrapper,
            report: None,
        })
    }

    /// Its text, as a file has it.
    fn to_yaml(&self) -> String {
        self.wrapper.to_yaml()
    }

    /// Writes it to a file, or into a folder as `<site>.yaml`; returns the file's path. The
    /// file is there whole or not at all.
    fn save(&self, path: PathBuf) -> PyResult<PathBuf> {
        let is_file = path.extension().is_some_and(|e| e == "yaml") && !path.is_dir();
        let file = if is_file {
            path
        } else {
            std::fs::create_dir_all(&path)?;
            path_of(&path, &self.wrapper.site)
        };
        let part = file.with_extension("yaml.part");
        let mut out = File::create(&part)?;
        out.write_all(self.wrapper.to_yaml().as_bytes())?;
        out.sync_all()?;
        std::fs::rename(&part, &file)?;
        Ok(file)
    }

    /// The site's name.
    #[getter]
    fn site(&self) -> &str {
        &self.wrapper.site
    }

    /// The expressions of the article's body, those of each layout of the site.
    #[getter]
    fn body(&self) -> Vec<Vec<String>> {
        let templates = self.wrapper.templates.iter();
        templates.map(|template| template.body.clone()).collect()
    }

    /// The expressions of what is left out of it, those of each layout.
    #[getter]
    fn strip(&self) -> Vec<Vec<String>> {
        let templates = self.wrapper.templates.iter();
        let of = |template: &wrapper::Template| {
            let rules = template.strip.iter();
            rules.map(|rule| rule.xpath.clone()).collect()
        };
        templates.map(of).collect()
    }

    /// The F1 to expect of each layout, 0 to 1; None where it is not known.
    #[getter]
    fn expected_f1(&self) -> Vec<Option<f64>> {
        let of = |template: &wrapper::Template| template.evidence.as_ref()?.expected_f1();
        self.wrapper.templates.iter().map(of).collect()
    }

    /// The report of learning it, a page of HTML; None if it was read from a file.
    #[getter]
    fn report(&self) -> Option<&str> {
        self.report.as_deref()
    }

    fn __repr__(&self) -> String {
        let body = self.wrapper.templates.first().and_then(|t| t.body.first());
        let body = body.map_or("", |body| body);
        format!("<Wrapper {} {body}>", self.wrapper.site)
    }

    fn _repr_html_(&self) -> String {
        match &self.report {
            Some(report) => format!(
                "<iframe sandbox srcdoc=\"{}\" style=\"width:100%;height:40em;border:0\"></iframe>",
                escaped(report)
            ),
            None => format!("<pre>{}</pre>", escaped(&self.wrapper.to_yaml())),
        }
    }
}

/// Pages: a list of them, a folder of HTML files, or a WARC file.
#[derive(FromPyObject)]
pub enum Pages {
    Path(PathBuf),
    List(Vec<(Option<String>, Html)>),
}

impl Pages {
    /// Each page parsed, with its address or name.
    fn sample(self, py: Python<'_>) -> PyResult<Vec<SamplePage>> {
        py.detach(|| match self {
            Pages::List(pages) => {
                let numbered = (1..).zip(pages);
                let sample = numbered.map(|(number, (url, html))| {
                    let source = html.source(url.as_deref());
                    sampled(html.bytes(), source, format!("page {number}"))
                });
                Ok(sample.collect())
            }
            Pages::Path(path) if path.is_dir() => folder(&path),
            Pages::Path(path) => warc(&path),
        })
    }
}

/// A page to learn from. `name` is for one without an address.
fn sampled(bytes: &[u8], source: Source<'_>, name: String) -> SamplePage {
    let page = Page::parse(bytes, source);
    let mut sample = SamplePage::new(page, source.url.map_or(name, str::to_owned));
    sample.sha256 = sha256_hex(bytes);
    sample
}

/// The pages in the HTML files of a folder, by name. Their addresses are not known.
fn folder(path: &Path) -> PyResult<Vec<SamplePage>> {
    let mut files: Vec<PathBuf> = Vec::new();
    for entry in std::fs::read_dir(path)? {
        let file = entry?.path();
        let is_html = file.extension().is_some_and(|e| e == "html" || e == "htm");
        files.extend(is_html.then_some(file));
    }
    files.sort();
    let read = |file: PathBuf| {
        let name = file.display().to_string();
        Ok(sampled(&std::fs::read(&file)?, Source::default(), name))
    };
    files.into_iter().map(read).collect()
}

/// The pages of a WARC; a record that cannot be read is left out.
fn warc(path: &Path) -> PyResult<Vec<SamplePage>> {
    let sample = |response: Response| {
        let source = Source {
            url: Some(&response.url),
            content_type: response.content_type.as_deref(),
        };
        sampled(&response.payload, source, String::new())
    };
    let responses = responses(BufReader::new(File::open(path)?))?;
    Ok(responses.map(sample).collect())
}

/// The pages of a WARC that were served as such.
fn responses(input: impl BufRead) -> PyResult<impl Iterator<Item = Response>> {
    let pages = WarcReader::new(input).map_err(error)?;
    let is_good = |page: &Response| page.status.is_none_or(|s| (200..300).contains(&s));
    Ok(pages.flatten().filter(is_good))
}

/// The pages in the bytes of a WARC, compressed or not: `(url, html)` each, the html as it was
/// served. What cannot be read is left out.
#[pyfunction]
pub fn warc_pages(py: Python<'_>, warc: PyBackedBytes) -> PyResult<Vec<(String, Py<PyBytes>)>> {
    let pages: Vec<Response> = py.detach(|| guarded(|| Ok(responses(&*warc)?.collect())))?;
    let page = |page: Response| (page.url, PyBytes::new(py, &page.payload).unbind());
    Ok(pages.into_iter().map(page).collect())
}

/// Learns the wrapper of a site from some of its pages, ten or so: a list of `(url, html)`, a
/// folder of HTML files, or a WARC file. `feed` is the site's feed (its text), whose items are
/// evidence; `site` is the wrapper's name, else the pages' host.
///
/// Raises Abstained with the reason if nothing can be learned.
#[pyfunction]
#[pyo3(signature = (pages, feed=None, site=None))]
pub fn learn(
    py: Python<'_>,
    pages: Pages,
    feed: Option<Html>,
    site: Option<String>,
) -> PyResult<Wrapper> {
    let sample = pages.sample(py)?;
    py.detach(|| guarded(|| with_pool(|| learned(sample, feed, site))?))
}

fn learned(
    mut sample: Vec<SamplePage>,
    feed: Option<Html>,
    site: Option<String>,
) -> PyResult<Wrapper> {
    if let Some(text) = &feed {
        let feed = feed::parse(text.bytes(), None, None).map_err(error)?;
        let items = feed.by_page();
        for page in &mut sample {
            page.item = items
                .get(&page_key(&page.name))
                .map(FeedItem::without_content);
        }
    }
    let mut options = LearnOptions::default().with_articles(true);
    if let Some(site) = site {
        options = options.with_site(site).with_any_host(true);
    }
    let outcome = learning::learn(&sample, &options);
    let report = forest_core::explain::html(&SiteReport {
        clusters: None,
        name: match &outcome {
            LearnOutcome::Learned(learned) => &learned.wrapper.site,
            LearnOutcome::Abstained(_) => "",
        },
        feed: None,
        learned: None,
        method: "forest",
        signifiers: &options.signifiers().to_string(),
        sample: &sample,
        outcome: &outcome,
    });
    match outcome {
        LearnOutcome::Learned(learned) => Ok(Wrapper {
            wrapper: learned.wrapper,
            report: report.ok(),
        }),
        LearnOutcome::Abstained(why) => Err(Abstained::new_err(why.reason.to_string())),
    }
}

/// Tells whether a wrapper still finds the articles of pages: a dict with the verdict, `ok`,
/// `degraded`, `drift` or `blocked`, and the pages with their signs.
#[pyfunction]
pub fn check<'py>(
    py: Python<'py>,
    wrapper: Py<Wrapper>,
    pages: Pages,
) -> PyResult<Bound<'py, PyAny>> {
    let sample = pages.sample(py)?;
    let wrapper = wrapper.get().wrapper().clone();
    let json = py.detach(|| guarded(|| with_pool(|| verdict(wrapper, sample))?))?;
    loads(py, &json)
}

fn verdict(wrapper: wrapper::Wrapper, sample: Vec<SamplePage>) -> PyResult<String> {
    let extractor = Extractor::new(wrapper).map_err(error)?;
    let pages = sample.iter();
    let observed = pages.map(|page| observe(&extractor, &page.name, &page.page, None, |_| None));
    let observed: Vec<_> = observed.collect();
    let report = report(extractor.wrapper(), extractor.matcher(), &observed);
    serde_json::to_string(&report).map_err(error)
}
