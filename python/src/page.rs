//! A page as Python gives it.

use forest_html::page::{Page, Source};
use pyo3::FromPyObject;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};

/// The HTML of a page: bytes as they were served, or decoded text.
#[derive(FromPyObject)]
pub enum Html {
    /// Decoded text, whatever its `meta` says.
    Text(PyBackedStr),
    /// Bytes as they were served.
    Bytes(PyBackedBytes),
}

impl Html {
    /// Its bytes.
    pub fn bytes(&self) -> &[u8] {
        match self {
            Html::Text(text) => text.as_bytes(),
            Html::Bytes(bytes) => bytes,
        }
    }

    /// The source of the page.
    pub fn source<'a>(&self, url: Option<&'a str>) -> Source<'a> {
        let content_type = match self {
            Html::Text(_) => Some("text/html; charset=utf-8"),
            Html::Bytes(_) => None,
        };
        Source { url, content_type }
    }

    /// The page, parsed.
    pub fn parse(&self, url: Option<&str>) -> Page {
        Page::parse(self.bytes(), self.source(url))
    }
}
