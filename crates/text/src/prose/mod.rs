//! Article DOM to text that a parser can read: Kitten (Falco, Moriceau & Vilnat 2012).
//!
//! Takes a [`Page`] and the [`Mask`] of its kept nodes; gives text of whole sentences.
//! Tables become clauses that carry their headers, lists join their introductory clause,
//! and lines that layout broke are joined.
//!
//! - [`input`]: bytes of any kind to a page (section 2.1).
//! - [`xhtml`](mod@xhtml): a page as well-formed XHTML (sections 2.2 and 2.3).
//! - [`options`]: every rule as a setting, the paper's value its default.
//! - `run`: text as one run (section 2, and 3.3 for abbreviations).
//! - `block`: the page as its blocks, in one pass.
//! - [`table`]: leaf tables, their cells' classes and their clauses (section 3.1).
//! - `list`: hyperlink lists, bullets, flattening (section 3.2).
//! - `segment`: full stops, and lines that a `br` cuts (section 3.3).
//! - `record_format`: an article in one of the formats of records.
//! - `document`: a document's bytes to its text, in one of the formats.
//! - `render`: blocks to text; `filtered`: a filtered page in one of its formats.
//! - [`sentence`]: the sentences of a text.
//!
//! One walk without recursion turns the page into blocks. Lists and lines are mended
//! there and written once. Text grows by repeated introductions and terms (together no
//! more bytes than the page has), by tables (ten times their text), and by a mark and an
//! indentation a block.
//!
//! **Departures** of sections 3.2 and 3.3 (those of tables stand in [`table`]). The paper
//! gives its rules in a sentence each and no counts for them; figures here are from
//! the development gold, whole pages.
//!
//! - *Marks that the paper allows at an item's end* include those of other scripts: a
//!   Chinese or Japanese sentence ends in `。`, its enumeration has `、`, and so on.
//! - *Words of a hyperlink item* are counted by [`text_size`](forest_html::text::text_size): in
//!   scripts without spaces two characters are one word. Otherwise every Chinese headline
//!   would be one word and would be removed.
//! - *A hyperlink list* is judged without its nested lists, and marks between links
//!   (`|`) do not matter. Items without text are not listed as removed.
//! - *Bullets that could be text* are removed only if the items of the list agree (see
//!   `list::bullet`); the paper has "a couple of regular expressions".
//! - *An item of several blocks* makes its list a list of long items, since its parts
//!   are sentences already.
//! - *`; and`* at an item's end takes no comma. It is removed if the introduction is
//!   repeated: "You need oil; and." is no sentence.
//! - *Initials* of items behind a repeated introduction keep their case, unlike in
//!   figure 8: behind a preposition, names are as likely as verbs. The option
//!   `lower_initials` writes them as the paper does.
//! - *An introduction* of more than 400 characters is not repeated.
//! - *Nested lists* keep their lines, with two spaces a level; the paper leaves open how
//!   they are extracted. Terms and definitions are `term: definition.`
//! - *A comma at the end of a block* gives way to the full stop; a colon and a semicolon
//!   stay, except at the end of an item.
//! - *`br`*: `segment::lines` has the rules for cut lines and lines that are meant. Two
//!   `br` in a row part paragraphs. The paper joins "incorrect" ones without defining
//!   them.
//! - *An abbreviation's title* is not repeated if it follows in the text.
//! - *`menu`* is found in any case: `mainMenu`.
//! - *Quotations in a line* (`q`) have the marks of their language; deleted text (`del`, `s`)
//!   and the readings of a ruby are left out. The paper mentions none.
//! - *`pre`* keeps its lines; soft hyphens and spaces of no width are removed. The paper
//!   mentions neither.

mod block;
mod document;
mod filtered;
pub mod input;
mod list;
mod options;
mod record_format;
mod render;
mod run;
mod segment;
pub mod table;
pub mod tei;
#[cfg(test)]
mod tests;
pub mod xhtml;

pub use document::{DocumentText, Normaliser, TextFormat};
pub use filtered::filtered_document;
pub use forest_html::text::sentence;
pub use options::{TableStyle, TextOptions};
pub use record_format::RecordFormat;

pub use input::{Document, DocumentOrigin, Excluded, read};

use forest_html::page::{Mask, Page};
use std::ops::Range;

/// Normalised text and the items that were removed from it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Prose {
    /// The text, a line a block.
    pub text: String,
    /// The items that were removed from lists of links, in document order
    /// (section 3.2.1).
    pub removed: Vec<String>,
    /// The byte ranges of the lines that tables made, in order, without the line breaks.
    /// Each line is one sentence, whatever its marks.
    pub fixed: Vec<Range<usize>>,
}

/// The normalised text of a page's kept nodes.
///
/// ```
/// use forest_html::page::{Mask, Page};
/// use forest_text::prose::{TextOptions, prose};
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
