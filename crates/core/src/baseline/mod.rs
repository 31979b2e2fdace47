//! Published one-page methods: the article of a page by the shape of this page alone.
//! Gottron 5; Kohlschütter, Fankhauser & Nejdl 2010; Weninger & Hsu 2008.
//!
//! A method is a function from a [`Page`](forest_html::page::Page) to the
//! [`Mask`](forest_html::page::Mask) of the text nodes it keeps. It needs no wrapper, no other page
//! of the site and no network, and never fails: if it finds nothing, the mask is empty. Each
//! is linear in the page.
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
//! - `block`: a page as blocks of text.
//!
//! `pipeline` in `forest-text` gives each of them its parameters and its name.
//!
//! **Departures** of each method, and the points that its paper leaves open, are documented
//! on its own page. All except `boilerpipe` read the page below `body` without scripts,
//! styles and comments.

mod block;
pub mod blurring;
pub mod boilerpipe;
pub mod bte;
pub mod lqf;
pub mod sw;
pub mod ttr;
