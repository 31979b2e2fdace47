//! One-page extractors: which text of a page is the article, by the shape of this
//! page alone. Gottron 5; Kohlschütter, Fankhauser & Nejdl 2010.
//!
//! A method is a function from a [`Page`](crate::page::Page) to the
//! [`Mask`](crate::page::Mask) of the text nodes it keeps. It needs no wrapper, no
//! other page of the site and no network, and never fails: where it finds nothing,
//! the mask is empty. Each is linear in the page.
//!
//! - [`boilerpipe`]: Kohlschütter's ArticleExtractor, rules over the number of
//!   words and the link density of text blocks.
//! - [`lqf`]: the link quota filter, blocks that are not mostly links.
//! - [`blurring`]: content code blurring, CCB, ACCB and TCCB: neighbourhoods with
//!   much text and few tags.
//! - [`sw`]: the stop-word filter, blocks that are sentences.
//! - [`bte`]: body text extraction, the one stretch with most words and fewest
//!   tags.
//! - [`ttr`]: text-to-tag ratio, lines with much text and few tags.
//! - [`onepage`]: the best of this project: all that a page shows of a block, judged
//!   by learned trees.
//!
//! [`Extractor`] is one of them with its parameters, a [`Preset`] one by name: the
//! parameters are the paper's, old and new; only `onepage` was tuned here. A [`Pipeline`]
//! combines them. [`refusal`] says of a page and of what an extractor kept whether
//! there is an article at all.
//!
//! - [`extractor`]: extractors, parameters and presets.
//! - [`pipeline`]: several extractors, serial, parallel and by vote.
//! - `view`: what is left of a page when an extractor comes after another one.
//! - `trees`: decision trees as lines of text, for `onepage` and for `prose`.
//! - `walk`, `block`: a page as tags and texts, and as blocks of text.
//!
//! **Departures** of each method, and what its paper leaves open, are told on its
//! own page. All but `boilerpipe` read the page below `body` without what is not
//! content (scripts, styles, comments).

mod block;
pub mod blurring;
pub mod boilerpipe;
pub mod bte;
pub mod extractor;
#[cfg(test)]
mod hostile;
pub mod lqf;
pub mod onepage;
pub mod pipeline;
pub mod refusal;
pub mod sw;
#[cfg(test)]
mod tests;
pub(crate) mod trees;
pub mod ttr;
mod view;
mod walk;

pub use extractor::{Extractor, Parameter, Preset, Range};
pub use pipeline::Pipeline;

/// Characters of a text, each run of white space as one.
fn folded_chars(text: &str) -> usize {
    let mut after_space = false;
    text.chars()
        .filter(|c| {
            let space = c.is_whitespace();
            let counts = !(space && after_space);
            after_space = space;
            counts
        })
        .count()
}
