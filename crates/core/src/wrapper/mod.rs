//! Wrappers: the expressions that select a site's articles.
//!
//! Pure: text in, text out. Takes and gives the YAML of `sites/<site>.yaml`
//! ([`Wrapper::from_yaml`], [`Wrapper::to_yaml`]); compiled ([`Wrapper::compile`])
//! it takes a page and gives the nodes of the article ([`Matcher::find`]).
//!
//! - [`xpath`]: XPath 1.0 over a [`Page`](forest_html::page::Page), with a virtual
//!   attribute `@dfs`. The one module that knows the XPath engine.
//! - [`expression`]: element types as expressions.
//! - `field`: the fields of a template, each with its expressions.
//! - `list`: wrappers of lists of links, `<site>.list.yaml`.
//! - `audience`: the pages that a template is for.
//! - `format`: the file format, its version and its digest.
//! - [`history`]: a site that is learned again, or has a second feed; earlier wrappers,
//!   and the way back to them.
//! - `label`: the roles that a person gives nodes of pages.
//! - [`changes`]: the differences of two wrappers.
//! - `matching`: wrapper and page to nodes.
//! - [`names`]: what the file of a site's wrapper is called.
//! - `strip_rule`: what a strip rule expects to take.
//! - `trace`: what each of its expressions takes on a page.
//! - `usage`: which of its expressions select something on a page.
//! - `replace`: what is replaced in a page's source.
//!
//! Words: an *expression* is XPath, a *selector* is CSS; a wrapper holds expressions, and
//! selectors are read and written at its borders only (`xpath::css`, the crate `forest-exchange`).
//!
//! A template's body expressions are tried in order: the first that selects
//! non-empty text gives its whole node set in document order, nested nodes dropped.
//! Templates are tried in order in the same way, but one that says which pages it is for only on
//! these; one with a `json` place on the page that has
//! that value of the page's own JSON as its body ([`Matcher::page_of_json`]). A wrapper that selects nothing is
//! a result ([`None`]), never an error and never another page's text. A template without
//! a body expression selects nothing here; for who reads a page by its own shape it says
//! what to strip and what to keep ([`Matcher::corrected`]).

mod audience;
pub mod changes;
pub mod expression;
mod field;
mod format;
pub mod list;
pub mod history;
mod label;
mod matching;
pub mod names;
mod replace;
#[cfg(test)]
mod tests;
mod strip_rule;
mod trace;
mod usage;
pub mod xpath;

pub use audience::TemplateAudience;
pub use field::WrapperField;
pub use forest_html::page::json::place::{JsonKind, JsonPlace};
pub use format::{FORMAT, MAX_FILE_BYTES, WrapperFile};
pub use replace::MAX_REPLACES;
pub use usage::WrapperExpression;

pub use label::{Label, LabelRole, MAX_LABELS};
pub use matching::without_nested;
pub use matching::{Match, Matcher};
pub use strip_rule::{LINK_WORDS, MAX_EXPECTED_TEXT, StripExpect, StripMatch, StripRule};
pub use trace::Trace;

use crate::kind::PageKind;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// Templates that a wrapper is learned with at the most: layouts of a site.
pub const MAX_TEMPLATES: usize = 16;

/// The wrapper of one site.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wrapper {
    /// Host of the site's pages, with the port where it is not the default.
    pub site: String,
    /// The feed that the sample came from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feed: Option<String>,
    /// When it was learned, RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub learned: Option<String>,
    /// Program and version that learned it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// The pages that it was learned from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sample: Vec<SampleRef>,
    /// The site's layouts, tried in order.
    pub templates: Vec<Template>,
    /// The ranges that a normal page falls into.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expect: Option<Expect>,
    /// XPath expression of the link to the article's next page, or of the links to
    /// all of its pages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_page: Option<String>,
    /// XPath expression of the link to the whole article on one page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub single_page: Option<String>,
    /// The replacements in a page's source before it is parsed, one after the
    /// other; [`MAX_REPLACES`] at the most.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replace: Vec<Replace>,
    /// HTTP headers that the site wants, sent to it alone.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub headers: BTreeMap<String, String>,
    /// Pages with text that their articles must contain.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tests: Vec<PageTest>,
    /// The roles that a person gave nodes of pages, which the learner obeys; [`MAX_LABELS`] at
    /// the most.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<Label>,
    /// Lines of a rule file of another program that mean nothing here; an export to
    /// its format writes them again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub foreign: Vec<String>,
    /// Earlier wrappers of the site, the latest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub history: Vec<Retired>,
}

/// A piece of markup and what stands for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Replace {
    /// The text to look for, letter by letter.
    pub find: String,
    /// The text that it becomes.
    pub with: String,
}

/// A page and text that its article must contain. A page may have several.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PageTest {
    /// The page.
    pub url: String,
    /// The text; empty: any.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub contains: String,
}

/// A page of the sample.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SampleRef {
    /// Its address, or its name where it has none.
    pub url: String,
    /// SHA-256 of its bytes, in hex.
    pub sha256: String,
    /// Its signifiers with spaces between them, the weightiest first; absent in files of
    /// versions without them.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub signifiers: String,
}

/// One layout among a site's pages.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Template {
    /// The value of the page's own JSON that the expressions are applied to, in the place of
    /// the page's elements; without a body expression all of it is the article's body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub json: Option<JsonPlace>,
    /// Which pages of the site it is for; absent: any on which it selects text.
    #[serde(rename = "for", default, skip_serializing_if = "Option::is_none")]
    pub audience: Option<TemplateAudience>,
    /// XPath expressions of the article's body, tried in order. A template without any is
    /// for pages that no other fits: it corrects what their own shape shows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub body: Vec<String>,
    /// The rules of what is left out of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub strip: Vec<StripRule>,
    /// XPath expressions of what belongs to the article in any case: it is never stripped,
    /// and is there where the body, or the page's shape, leaves it out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keep: Vec<String>,
    /// XPath expressions of the title, tried in order; metadata if none gives one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub title: Vec<String>,
    /// XPath expressions of the authors, tried in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub author: Vec<String>,
    /// Where the publication date is, tried in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub date: Vec<DateField>,
    /// XPath expressions of the tags, tried in order; metadata if none gives one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// XPath expressions of the article's images outside of the body, or of what
    /// holds them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<String>,
    /// The number of sample pages that this template carries.
    #[serde(default)]
    pub pages: usize,
    /// Where it comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
}

/// Where a date is and how it is written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DateField {
    /// XPath expression of the date's text.
    pub xpath: String,
    /// `rfc3339`, or a format in the manner of `strftime`; without it all forms
    /// are tried that the metadata's dates come in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
}

/// Why a template was chosen.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evidence {
    /// The method that learned it.
    pub method: String,
    /// Source of the signifiers.
    pub signifiers: String,
    /// The mean F1 to expect of the pages, 0..=1, by which `forest` chooses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_f1: Option<f64>,
    /// The place of the pattern of its elements among all patterns by relevance, from 1 on.
    /// This, R, J, U and the level are not there where the elements that `forest` chose
    /// have no pattern.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rank: Option<usize>,
    /// R of the pattern (FOREST, equation 5). In files of versions before `expected_f1` the
    /// F1 to expect, where `forest` is the method.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relevance: Option<f64>,
    /// Mean J over the pages that have the pattern.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub j: Option<f64>,
    /// Mean U over the pages that have it, in nats.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub u: Option<f64>,
    /// Its level.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<u16>,
    /// The pattern that came second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runner_up: Option<RunnerUp>,
    /// Which pages of the wrapper's sample the template carries, from 0; empty where
    /// it carries them all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pages: Vec<usize>,
    /// The words that each strip rule takes away, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub strips: Vec<StripEvidence>,
    /// The number of sample pages on which each field came out right, by its key.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub fields: BTreeMap<String, Support>,
}

impl Evidence {
    /// The mean F1 to expect of the template's pages, 0..=1, if its method gives it.
    pub fn expected_f1(&self) -> Option<f64> {
        let of_older = || self.relevance.filter(|_| self.method == "forest");
        self.expected_f1.or_else(of_older)
    }
}

/// The words that a strip rule takes away from the pages of its template. Words that two
/// rules take away counts for the first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StripEvidence {
    /// Its expression.
    pub xpath: String,
    /// Pages that it takes words from.
    pub pages: usize,
    /// Words (metric tokens) that it takes from them together.
    pub words: usize,
    /// The kind of these words.
    pub why: StripReason,
}

/// The kind of more than half of the words that a strip rule takes away: the first of
/// these that holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StripReason {
    /// Texts that it takes from several pages, letter by letter.
    Repeats,
    /// Text of links.
    Links,
    /// Text that the one-page extractor takes for no article's.
    Unlikely,
    /// No one of these.
    Mixed,
}

impl fmt::Display for StripReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            StripReason::Repeats => "repeats",
            StripReason::Links => "links",
            StripReason::Unlikely => "unlike the article",
            StripReason::Mixed => "mixed",
        })
    }
}

/// The number of sample pages on which a field came out right.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Support {
    /// Pages of which it is known what is right.
    pub pages: usize,
    /// Of these, pages that it is right on: by the expressions and, where they
    /// give nothing, by the page's metadata.
    pub right: usize,
    /// Of these, pages that the metadata alone is right on.
    pub metadata: usize,
    /// The source of the right values: `feed`, else `metadata`.
    #[serde(rename = "witness")]
    pub source: String,
}

/// The body that came second.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunnerUp {
    /// Its expression.
    pub xpath: String,
    /// The F1 to expect of it, where `forest` chose by that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_f1: Option<f64>,
    /// Its R, where that chose; in older files of `forest` the F1 to expect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relevance: Option<f64>,
}

impl RunnerUp {
    /// The F1 to expect of the second body of `forest`.
    pub fn expected_f1(&self) -> Option<f64> {
        self.expected_f1.or(self.relevance)
    }
}

/// Ranges over the sample that a normal page falls into, both ends included.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expect {
    /// Words (metric tokens) of an article's text.
    pub words: [usize; 2],
    /// Share of an article's characters that stand in links, 0..=1.
    pub link_quota: [f64; 2],
    /// The agreement of the articles with what each page shows by its own shape, 0..=1
    /// ([`Overlap::agreement`](crate::onepage::Overlap::agreement)); only where
    /// most pages show something else, and all of them together that it is not theirs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agreement: Option<[f64; 2]>,
    /// The kind of the pages; `None`: articles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<PageKind>,
    /// Words of the article in the middle of the sample by length: a text of a tenth of it is
    /// none, if the page's own shape shows more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub median: Option<usize>,
    /// Tags that all pages of the sample name: those of a side bar, and no article's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Fields, `date` or `author`, whose value beside the text is the same on all pages of the sample:
    /// the site's, and no article's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shared: Vec<WrapperField>,
}

impl Wrapper {
    /// The kind of the pages that a template is for.
    pub fn kind_of(&self, template: usize) -> PageKind {
        let audience = self
            .templates
            .get(template)
            .and_then(|t| t.audience.as_ref());
        let of_site = || self.expect.as_ref()?.kind;
        let said = audience.and_then(|audience| audience.kind).or_else(of_site);
        said.unwrap_or(PageKind::Article)
    }

    /// Words of an article of a template in the middle of the sample by length, if that is known.
    pub fn median_of(&self, template: usize) -> Option<usize> {
        let audience = self
            .templates
            .get(template)
            .and_then(|t| t.audience.as_ref());
        let of_site = || self.expect.as_ref()?.median;
        audience
            .and_then(|audience| audience.median)
            .or_else(of_site)
    }
}

/// A wrapper that is no longer in use.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Retired {
    /// When it was learned, RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub learned: Option<String>,
    /// When it was replaced, RFC 3339.
    pub until: String,
    /// The body expressions of its templates.
    pub body: Vec<String>,
    /// All that it says, its own history left out; absent in files of versions that kept
    /// the bodies only. [`Retired::restored`] makes a wrapper of either.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wrapper: Option<Box<Wrapper>>,
}
