//! One-page extractors: which text of a page is the article, by the shape of this
//! page alone. Gottron 5; Kohlschütter, Fankhauser & Nejdl 2010.
//!
//! A method is a function from a [`Page`](crate::page::Page) to the
//! [`Mask`](crate::page::Mask) of the text nodes it keeps. It needs no wrapper, no
//! other page of the site and no network, and never fails: where it finds nothing,
//! the mask is empty.
//!
//! - [`boilerpipe`]: Kohlschütter's ArticleExtractor, rules over the number of
//!   words and the link density of text blocks.
//!
//! **Departures** of each method are told on its own page.

pub mod boilerpipe;
