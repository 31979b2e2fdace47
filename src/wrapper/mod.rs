//! What is learned of a site: expressions that select its articles.
//!
//! Pure: text in, text out. Takes and gives the YAML of `sites/<site>.yaml`
//! ([`Wrapper::from_yaml`], [`Wrapper::to_yaml`]); compiled ([`Wrapper::compile`])
//! it takes a page and gives the nodes of the article ([`Matcher::find`]).
//!
//! - [`xpath`]: XPath 1.0 over a [`Page`](crate::page::Page), with a virtual
//!   attribute `@dfs`. The one module that knows the XPath engine.
//! - [`expression`]: element types as expressions.
//! - `format`: the file format, its version and its digest.
//! - `matching`: wrapper and page to nodes.
//!
//! A template's body expressions are tried in order: the first that selects
//! non-empty text gives its whole node set in document order, nested nodes dropped.
//! Templates are tried in order in the same way. A wrapper that selects nothing is
//! a result ([`None`]), never an error and never another page's text.

pub mod expression;
mod format;
mod matching;
#[cfg(test)]
mod tests;
pub mod xpath;

pub use format::{FORMAT, WrapperFile};
pub use matching::{Match, Matcher};

use serde::{Deserialize, Serialize};

/// What was learned of one site.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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
    /// What a normal page looks like.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expect: Option<Expect>,
    /// Earlier wrappers of the site, the latest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub history: Vec<Retired>,
}

/// A page of the sample.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SampleRef {
    /// Its address, or its name where it has none.
    pub url: String,
    /// SHA-256 of its bytes, in hex.
    pub sha256: String,
}

/// One layout among a site's pages.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Template {
    /// XPath expressions of the article's body, tried in order.
    pub body: Vec<String>,
    /// XPath expressions of what is left out of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub strip: Vec<String>,
    /// XPath expressions of the title, tried in order; metadata if none gives one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub title: Vec<String>,
    /// XPath expressions of the authors, tried in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub author: Vec<String>,
    /// XPath expressions of the publication date, tried in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub date: Vec<String>,
    /// How many sample pages this template carries.
    #[serde(default)]
    pub pages: usize,
    /// Where it comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
}

/// Why a template was chosen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evidence {
    /// The method that learned it.
    pub method: String,
    /// Source of the signifiers.
    pub signifiers: String,
    /// R of the pattern.
    pub relevance: f64,
    /// Mean J over the pages that have it.
    pub j: f64,
    /// Mean U over the pages that have it, in nats.
    pub u: f64,
    /// Its level.
    pub level: u16,
    /// The pattern that came second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runner_up: Option<RunnerUp>,
}

/// The pattern that came second.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunnerUp {
    /// Its expression.
    pub xpath: String,
    /// Its R.
    pub relevance: f64,
}

/// Ranges over the sample that a normal page falls into, both ends included.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expect {
    /// Words (metric tokens) of an article's text.
    pub words: [usize; 2],
    /// Share of an article's characters that stand in links, 0..=1.
    pub link_quota: [f64; 2],
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
}
