//! Article DOM to text that a parser can read: Kitten (Falco, Moriceau & Vilnat 2012).
//!
//! Takes a [`Page`] and the [`Mask`] of what is kept of it; gives text in which
//! every sentence is a sentence: tables become clauses that carry their headers,
//! lists join their introductory clause, lines that layout broke are mended.
//!
//! - [`input`]: bytes of any kind to a page (section 2.1).
//! - [`xhtml`](mod@xhtml): a page as well-formed XHTML (sections 2.2 and 2.3).
//! - [`options`]: every rule as a setting, the paper's value its default.
//! - [`run`]: the text of an element as one run (section 2, and 3.3 for abbreviations).
//! - [`table`]: leaf tables, their cells' classes and their clauses (section 3.1).
//! - [`sentence`]: the sentences of a text.

pub mod input;
pub mod options;
pub mod run;
pub mod sentence;
pub mod table;
pub mod xhtml;

pub use options::{TableStyle, TextOptions};

use crate::page::{Mask, Page};

/// Normalised text, and what was left out of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Prose {
    /// The text, a line a block.
    pub text: String,
    /// The items that were removed from lists of links, in document order
    /// (section 3.2.1).
    pub removed: Vec<String>,
}

/// The normalised text of what is kept of a page.
pub fn prose(page: &Page, body: &Mask, options: &TextOptions) -> Prose {
    let mut text = String::new();
    run::run(page, page.root(), body, options, &mut text);
    Prose {
        text,
        removed: Vec::new(),
    }
}
