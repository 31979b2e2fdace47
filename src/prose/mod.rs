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
//!
//! The page is walked once, without recursion, into blocks; lists and lines are worked
//! on there, and written once. Text grows only by what is repeated (introductions and
//! terms: together no more bytes than the page has), by tables (ten times their text)
//! and by a mark and an indentation a block.
//!
//! **Departures** of sections 3.2 and 3.3 (those of tables are told there). The paper
//! gives its rules in a sentence each and no counts for them; figures here are from
//! the development gold, whole pages.
//!
//! - *Marks that the paper allows at an item's end* stand for those of other scripts,
//!   too; a Chinese or Japanese sentence ends in `。`, its enumeration has `、`, and so on.
//! - *Words of a hyperlink item*: where a script has no spaces, two Chinese or Japanese
//!   characters are a word; otherwise every Chinese headline would be one word and go.
//! - *A hyperlink list* is judged without its nested lists, and marks between links
//!   (`|`) do not matter. Items without text are not told as removed: nothing was.
//! - *Bullets that could be text* go only where the items of the list agree (see
//!   `list::bullet`); the paper has "a couple of regular expressions".
//! - *An item of several blocks* makes its list one of long items: its parts are
//!   sentences already.
//! - *`; and`* at an item's end takes no comma, and goes where the introduction is
//!   repeated: "You need oil; and." is no sentence.
//! - *Initials* of items behind a repeated introduction keep their case, unlike in
//!   figure 8's print: behind a preposition names are as likely as verbs.
//!   `lower_initials` prints as the paper does.
//! - *An introduction* of more than 400 characters is not repeated.
//! - *Nested lists* keep their lines, with two spaces a level; the paper leaves open how
//!   they are extracted. Terms and definitions are `term: definition.`
//! - *A comma at the end of a block* gives way to the full stop; a colon and a semicolon
//!   stay, except at the end of an item.
//! - *`br`*: when a line was cut and when it is meant is told in `segment::lines`; two
//!   in a row part paragraphs. The paper joins incorrect ones and does not say which
//!   these are.
//! - *An abbreviation's title* is not repeated where the text says it itself.
//! - *`menu`* is looked for in any case: `mainMenu`.
//! - *`pre`* keeps its lines; soft hyphens and spaces of no width go. The paper does not
//!   speak of either.

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
    render::render(page, body, &blocks, removed, options)
}
