//! What was learned of a site and why, as one page of HTML for a person.
//!
//! Takes a [`Site`]: a sample, and what came of learning from it; gives the page
//! ([`html`]). It loads nothing and runs nothing: one style whose hash its
//! Content-Security-Policy names, no script, no picture, no address but links to the
//! site's pages. What comes from the site's pages is text in it, escaped. It is never
//! longer than [`MAX_BYTES`]; what is left out is said.
//!
//! - `templates`: each layout, why this element and not another, its strip rules;
//!   `terminal` says the same as text ([`decision`]), `reasons` has what both say.
//! - `fields`: what each field's expressions give, beside what the feed says.
//! - `patterns`: the structural patterns by their relevance.
//! - `sample`: what was made of each page.
//! - `sheet`: a page's text with the body, what is stripped and the fields marked;
//!   `lines` cuts it into lines, `marks` says which text is what.
//! - `markup`: escaped text, tables, the page around them.

mod fields;
mod lines;
mod markup;
mod marks;
mod patterns;
mod reasons;
mod sample;
mod sheet;
mod templates;
mod terminal;
#[cfg(test)]
mod tests;

pub use terminal::decision;

use crate::error::{Result, counted};
use crate::extract::{Article, Extractor, Options};
use crate::learn::{Learned, Outcome, SamplePage, Verdict};
use crate::page::NodeId;
use crate::wrapper::{Trace, WrapperField};
use marks::{Mark, marks};
use markup::{address, cut, document, esc};
use std::fmt::Write;

/// Bytes of a report at the most.
pub const MAX_BYTES: usize = 2_000_000;

/// Bytes of the wrapper file that are shown.
const MAX_FILE_CHARS: usize = 60_000;

/// A sample and what came of it.
#[derive(Debug, Clone, Copy)]
pub struct Site<'a> {
    /// The site's name.
    pub name: &'a str,
    /// The feed that the sample comes from.
    pub feed: Option<&'a str>,
    /// When it was learned, RFC 3339.
    pub learned: Option<&'a str>,
    /// The method that was asked for.
    pub method: &'a str,
    /// Where its signifiers come from.
    pub signifiers: &'a str,
    /// The pages, the ones that were left out too.
    pub sample: &'a [SamplePage],
    /// What came of them.
    pub outcome: &'a Outcome,
}

/// A page that was learned from, with what the wrapper makes of it.
struct Shown<'a> {
    /// Its number in the sample, from 1.
    number: usize,
    /// Its place among these pages, from 0.
    place: usize,
    sample: &'a SamplePage,
    trace: Option<Trace>,
    /// Where its fields are read from.
    fields: Vec<(WrapperField, Vec<NodeId>)>,
    /// What each of its nodes is to the wrapper.
    marks: Vec<Mark>,
    article: Article,
}

impl Shown<'_> {
    /// Its number, as a link to its marked text if that is in the report.
    fn link(&self) -> String {
        match self.place < sheet::MAX_PAGES {
            true => format!("<a href=\"#p{0}\">{0}</a>", self.number),
            false => self.number.to_string(),
        }
    }
}

/// What is reported of a wrapper.
struct Context<'a> {
    learned: &'a Learned,
    pages: Vec<Shown<'a>>,
}

impl<'a> Context<'a> {
    fn of(learned: &'a Learned, sample: &'a [SamplePage]) -> Result<Context<'a>> {
        let extractor = Extractor::new(learned.wrapper.clone())?;
        let numbered = sample.iter().zip(&learned.verdicts).zip(1..);
        let good = numbered.filter(|((_, verdict), _)| **verdict == Verdict::Good);
        let pages = good.enumerate().map(|(place, ((sample, _), number))| {
            let page = &sample.page;
            let trace = extractor.matcher().trace(page);
            let found = trace.as_ref().map(|trace| &trace.found);
            let fields = found.map(|found| extractor.matcher().fields(page, found));
            let fields = fields.unwrap_or_default();
            Shown {
                number,
                place,
                sample,
                marks: marks(page, trace.as_ref(), &fields),
                fields,
                trace,
                article: extractor.extract(page, &Options::default()),
            }
        });
        Ok(Context {
            learned,
            pages: pages.collect(),
        })
    }

    /// The pages that a template carries.
    fn carried(&self, template: usize) -> impl Iterator<Item = (&Shown<'a>, &Trace)> {
        self.pages.iter().filter_map(move |page| {
            let trace = page.trace.as_ref()?;
            (trace.found.template == template).then_some((page, trace))
        })
    }
}

/// The report as a page of HTML.
///
/// # Errors
///
/// If an expression of the wrapper is no XPath 1.0; learned ones are.
pub fn html(site: &Site<'_>) -> Result<String> {
    let mut out = String::new();
    head(site, &mut out);
    match site.outcome {
        Outcome::Abstained(abstention) => {
            let _ = writeln!(
                out,
                "<section class=\"card\"><h3>Nothing was learned</h3><p class=\"why\">{}</p></section>",
                cut(&abstention.reason.to_string(), 1000)
            );
            sample::section(site.sample, &abstention.verdicts, &[], &mut out);
        }
        Outcome::Learned(learned) => {
            let context = Context::of(learned, site.sample)?;
            facts(&context, site.sample.len(), &mut out);
            templates::section(&context, &mut out);
            fields::section(&context, &mut out);
            patterns::section(&context, &mut out);
            sample::section(site.sample, &learned.verdicts, &context.pages, &mut out);
            let mut end = String::new();
            file(&context, &mut end);
            let room = MAX_BYTES.saturating_sub(out.len() + end.len() + 2 * markup::STYLE.len());
            sheet::section(&context, room, &mut out);
            out.push_str(&end);
        }
    }
    let _ = writeln!(
        out,
        "<footer><p>Made by forest {}. This page loads nothing.</p></footer>",
        env!("CARGO_PKG_VERSION")
    );
    Ok(document(&format!("{}: wrapper report", site.name), &out))
}

fn head(site: &Site<'_>, out: &mut String) {
    let _ = writeln!(out, "<header>\n<h1>{}</h1>", cut(site.name, 300));
    let _ = write!(
        out,
        "<p class=\"soft\">Method <code>{}</code>, signifiers <code>{}</code>",
        esc(site.method),
        cut(site.signifiers, 100)
    );
    if let Some(learned) = site.learned {
        let _ = write!(out, ", learned {}", cut(learned, 40));
    }
    if let Some(feed) = site.feed {
        let _ = write!(out, "<br>Feed {}", address(feed));
    }
    out.push_str("</p>\n");
    if matches!(site.outcome, Outcome::Learned(_)) {
        out.push_str(
            "<nav><a href=\"#templates\">Templates</a><a href=\"#fields\">Fields</a>\
             <a href=\"#patterns\">Patterns</a><a href=\"#sample\">Sample</a>\
             <a href=\"#pages\">Pages, marked</a><a href=\"#file\">Wrapper file</a></nav>\n",
        );
    }
    out.push_str("</header>\n");
}

/// The figures that one looks for first.
fn facts(context: &Context<'_>, sample: usize, out: &mut String) {
    let wrapper = &context.learned.wrapper;
    let good = context.pages.len();
    let carried = context.pages.iter().filter(|p| p.trace.is_some()).count();
    let strips: usize = wrapper.templates.iter().map(|t| t.strip.len()).sum();
    out.push_str("<dl class=\"facts\">\n");
    let mut fact = |name: &str, value: String, note: String| {
        let _ = writeln!(
            out,
            "<div><dt>{name}</dt><dd>{value}<small>{note}</small></dd></div>"
        );
    };
    fact(
        "Good pages",
        good.to_string(),
        match sample - good {
            0 => "none left out".to_owned(),
            left => format!("{left} left out"),
        },
    );
    fact(
        "Carried",
        format!("{carried} of {good}"),
        "by a template".to_owned(),
    );
    fact(
        "Templates",
        wrapper.templates.len().to_string(),
        "tried in order".to_owned(),
    );
    fact(
        "Strip rules",
        strips.to_string(),
        "left out of the body".to_owned(),
    );
    if let Some(expect) = &wrapper.expect {
        let [least, most] = expect.words;
        fact(
            "Words of an article",
            format!("{least}–{most}"),
            format!("{:.1} % in links at most", expect.link_quota[1] * 100.0),
        );
    }
    out.push_str("</dl>\n");
}

/// The wrapper as it is written.
fn file(context: &Context<'_>, out: &mut String) {
    let yaml = context.learned.wrapper.to_yaml();
    let _ = writeln!(
        out,
        "<section id=\"file\">\n<h2>Wrapper file</h2>\n<details><summary>{} of YAML, with the \
         expressions as XPath</summary>\n<pre>{}</pre></details>\n</section>",
        counted(yaml.lines().count(), "line", "lines"),
        cut(&yaml, MAX_FILE_CHARS)
    );
}

/// A number with the digits that matter.
fn number(value: f64) -> String {
    match value.abs() {
        100.0.. => format!("{value:.0}"),
        1.0.. => format!("{value:.2}"),
        _ => format!("{value:.4}"),
    }
}
