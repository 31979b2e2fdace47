//! Article DOM to text that a parser can read: Kitten (Falco, Moriceau & Vilnat 2012).
//!
//! Takes a [`Page`] and the [`Mask`] of what is kept of it; gives text in which
//! every sentence is a sentence: tables become clauses that carry their headers,
//! lists join their introductory clause, lines that layout broke are mended.
//!
//! - [`input`]: bytes of any kind to a page (section 2.1).
//! - [`xhtml`](mod@xhtml): a page as well-formed XHTML (sections 2.2 and 2.3).
//! - [`options`]: every rule as a setting, the paper's value its default.
//! - [`run`](mod@run): text as one run (section 2, and 3.3 for abbreviations).
//! - `block`: the page as its blocks, in one pass.
//! - [`table`]: leaf tables, their cells' classes and their clauses (section 3.1).
//! - `list`: hyperlink lists, bullets, flattening (section 3.2).
//! - `segment`: full stops, and lines that a `br` cuts (section 3.3).
//! - `render`: blocks to text.
//! - [`sentence`]: the sentences of a text.

mod block;
pub mod input;
mod list;
pub mod options;
mod render;
pub mod run;
mod segment;
pub mod sentence;
pub mod table;
#[cfg(test)]
mod tests;
pub mod xhtml;

pub use options::{TableStyle, TextOptions};

use crate::page::{Mask, Page};
use std::ops::Range;

/// Normalised text, and what was left out of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Prose {
    /// The text, a line a block.
    pub text: String,
    /// The items that were removed from lists of links, in document order
    /// (section 3.2.1).
    pub removed: Vec<String>,
    /// Where in the text lines stand that tables made: each is one sentence, whatever
    /// marks are in it. In order, without the line breaks.
    pub fixed: Vec<Range<usize>>,
}

/// The normalised text of what is kept of a page.
///
/// ```
/// use forest::page::{Mask, Page};
/// use forest::prose::{TextOptions, prose};
///
/// let page = Page::from_html("<h1>Rain</h1><p>It rained<br>all day<ul><li><a href=/>Home</a></ul>");
/// let prose = prose(&page, &Mask::all(&page), &TextOptions::default());
/// assert_eq!(prose.text, "Rain.\nIt rained all day.");
/// assert_eq!(prose.removed, ["Home"]);
/// ```
pub fn prose(page: &Page, body: &Mask, options: &TextOptions) -> Prose {
    let mut blocks = block::blocks(page, body, options);
    let removed = list::clean(&mut blocks, options);
    render::render(page, &blocks, removed, options)
}
