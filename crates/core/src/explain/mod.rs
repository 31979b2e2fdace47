//! The report of a site: its wrapper and the reasons for it, as one page of HTML.
//!
//! Takes a [`SiteReport`]: a sample, and the outcome of learning from it. Gives the page
//! ([`html`](fn@html)). It loads nothing and runs nothing: one style whose hash its
//! Content-Security-Policy names, no script, no picture, no address but links to the
//! site's pages. Texts of the site's pages are escaped by their type (`maud`). It is never
//! longer than [`MAX_BYTES`], and counts what it leaves out.
//!
//! - `clusters`: the pages that are made alike, if the site was learned by these.
//! - `templates`: each layout, why this element and not another, its strip rules;
//!   `terminal` says the same as text ([`decision`]), `reasons` has the sentences of both.
//! - `fields`: the values of each field beside those of the feed.
//! - `patterns`: the structural patterns by their relevance.
//! - `sample`: the verdict and the article of each page.
//! - `sheet`: a page's text with the body, stripped text and the fields marked;
//!   `lines` cuts it into lines, `marks` gives each node its mark.
//! - `list`: the same of a list of articles: its candidates and its items ([`list_html`]).
//! - `markup`: cut texts, expressions, tables, the page around them.
//! - `learned`: the wrapper and the ranking of its patterns, for a terminal and for programs.
//! - `page_diff`: the differences of two wrappers; `selection`: the nodes that an expression selects;
//!   `verdicts`: a table of wrappers and their pages.
//! - `context`: the pages with the wrapper's matches, which all sections show.

mod clusters;
mod context;
mod fields;
mod learned;
mod lines;
mod list;
mod markup;
mod marks;
mod page_diff;
mod patterns;
mod reasons;
mod sample;
mod selection;
mod sheet;
mod templates;
mod terminal;
#[cfg(test)]
mod tests;
mod verdicts;

pub use learned::{LearnReport, sample_line};
pub use list::list_html;
pub use marks::{NodeMark, marks};
pub use page_diff::{PageDiff, shown_differences};
pub use selection::{PageSelection, shown_fault};
pub use terminal::decision;
pub use verdicts::verdict_table;

use crate::error::Result;
use crate::learn::{ClusterReport, LearnOutcome, SamplePage};
use context::Context;
use forest_html::error::counted;
use markup::{address, cut, document};
use maud::{Markup, html};

/// Bytes of a report at the most.
pub const MAX_BYTES: usize = 2_000_000;

/// Bytes of the wrapper file that are shown.
const MAX_FILE_CHARS: usize = 60_000;

/// A sample and the outcome of learning from it.
#[derive(Debug, Clone, Copy)]
pub struct SiteReport<'a> {
    /// The site's name.
    pub name: &'a str,
    /// The feed that the sample comes from.
    pub feed: Option<&'a str>,
    /// When it was learned, RFC 3339.
    pub learned: Option<&'a str>,
    /// The method that was asked for.
    pub method: &'a str,
    /// The source of its signifiers.
    pub signifiers: &'a str,
    /// The pages, the ones that were left out too.
    pub sample: &'a [SamplePage],
    /// The outcome of learning from them.
    pub outcome: &'a LearnOutcome,
    /// The clusters of the site's pages, if it was learned by these.
    pub clusters: Option<&'a ClusterReport>,
}

/// The report as a page of HTML.
///
/// # Errors
///
/// If an expression of the wrapper is not valid XPath 1.0; learned ones are.
pub fn html(site: &SiteReport<'_>) -> Result<String> {
    let main = match site.outcome {
        LearnOutcome::Abstained(abstention) => html! {
            (head(site))
            section.card {
                h3 { "Nothing was learned" }
                p.why { (cut(&abstention.reason.to_string(), 1000)) }
            }
            @if let Some(report) = site.clusters { (clusters::section(report)) }
            (sample::section(site.sample, &abstention.verdicts, &[]))
        },
        LearnOutcome::Learned(learned) => {
            let context = Context::of(learned, site.sample)?;
            let before = html! {
                (head(site))
                (facts(&context, site.sample.len()))
                @if let Some(report) = site.clusters { (clusters::section(report)) }
                (templates::section(&context))
                (fields::section(&context))
                (patterns::section(&context))
                (sample::section(site.sample, &learned.verdicts, &context.pages))
            };
            let file = file(&context);
            let taken = before.0.len() + file.0.len() + 2 * markup::STYLE.len();
            let sheets = sheet::section(&context, MAX_BYTES.saturating_sub(taken));
            html! { (before) (sheets) (file) }
        }
    };
    let page = html! { (main) (footer()) };
    Ok(document(&format!("{}: wrapper report", site.name), &page))
}

fn footer() -> Markup {
    let version = env!("CARGO_PKG_VERSION");
    html! { footer { p { "Made by forest " (version) ". This page loads nothing." } } }
}

fn head(site: &SiteReport<'_>) -> Markup {
    html! {
        header {
            h1 { (cut(site.name, 300)) }
            p.soft {
                "Method " code { (site.method) } ", signifiers " code { (cut(site.signifiers, 100)) }
                @if let Some(learned) = site.learned { ", learned " (cut(learned, 40)) }
                @if let Some(feed) = site.feed { br; "Feed " (address(feed)) }
            }
            @if let LearnOutcome::Learned(_) = site.outcome {
                nav {
                    a href="#templates" { "Templates" }
                    a href="#fields" { "Fields" }
                    a href="#patterns" { "Patterns" }
                    a href="#sample" { "Sample" }
                    a href="#pages" { "Pages, marked" }
                    a href="#file" { "Wrapper file" }
                }
            }
        }
    }
}

/// The figures that one looks for first.
fn facts(context: &Context<'_>, sample: usize) -> Markup {
    let wrapper = &context.learned.wrapper;
    let good = context.pages.len();
    let carried = context.pages.iter().filter(|p| p.trace.is_some()).count();
    let strips: usize = wrapper.templates.iter().map(|t| t.strip.len()).sum();
    let left_out = match sample - good {
        0 => "none left out".to_owned(),
        left => format!("{left} left out"),
    };
    let fact = |name: &str, value: String, note: &str| {
        html! { div { dt { (name) } dd { (value) small { (note) } } } }
    };
    html! {
        dl.facts {
            (fact("Good pages", good.to_string(), &left_out))
            (fact("Carried", format!("{carried} of {good}"), "by a template"))
            (fact("Templates", wrapper.templates.len().to_string(), "tried in order"))
            (fact("Strip rules", strips.to_string(), "left out of the body"))
            @if let Some(expect) = &wrapper.expect {
                @let [least, most] = expect.words;
                @let links = format!("{:.1} % in links at most", expect.link_quota[1] * 100.0);
                (fact("Words of an article", format!("{least}–{most}"), &links))
            }
        }
    }
}

/// The wrapper as it is written.
fn file(context: &Context<'_>) -> Markup {
    let yaml = context.learned.wrapper.to_yaml();
    html! {
        section id="file" {
            h2 { "Wrapper file" }
            details {
                summary {
                    (counted(yaml.lines().count(), "line", "lines"))
                    " of YAML, with the expressions as XPath"
                }
                pre { (cut(&yaml, MAX_FILE_CHARS)) }
            }
        }
    }
}
