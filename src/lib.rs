//! `forest` learns one wrapper per web site from the pages that its feed points
//! to, and extracts articles with it. Nobody labels anything, so a wrapper that
//! no longer fits is learned again.
//!
//! The method is FOREST (M. Oita and P. Senellart, "FOREST: Focused Object
//! Retrieval by Exploiting Significant Tag Paths", 2012): a feed item's page is
//! about something, the words that tell it from its neighbours stand in its
//! article, and the element that holds them, dense and large, looks the same from
//! page to page.
//!
//! Learn from pages, keep the wrapper as text, apply it to other pages:
//!
//! ```
//! use forest::extract::{Extractor, Options};
//! use forest::feed::FeedItem;
//! use forest::learn::{LearnOptions, LearnOutcome, SamplePage, learn};
//! use forest::page::Page;
//! use forest::wrapper::Wrapper;
//!
//! # let story = |words: &str| format!(
//! #     "<title>News</title><ul class=menu><li>Home<li>Sport<li>Weather</ul>\
//! #      <div class='story wide'><p>{words}</p></div><div class=foot>All rights reserved</div>");
//! # let stories = [
//! #     "The ferry to the islands leaves an hour later from Monday. The harbour master said \
//! #      that the ferry needs a new engine, and that islands cannot be reached by night.",
//! #     "A cat slept for nine days on the organ of the old church. The organ was silent and \
//! #      the cat was fed by the priest, who says that the organ needed the rest anyway.",
//! #     "Bakers met at dawn to weigh the largest loaf of the valley. The loaf weighed more \
//! #      than the scales could say, so the bakers cut the loaf and weighed the halves."];
//! let mut sample: Vec<SamplePage> = stories // three pages of a site, as HTML
//!     .iter()
//!     .map(|words| SamplePage::new(Page::from_html(&story(words)), "a page"))
//!     .collect();
//! let title = "The ferry leaves later".to_owned();
//! sample[0].item = Some(FeedItem { title, ..FeedItem::default() }); // what the feed says
//!
//! let options = LearnOptions::default().with_site("news.example");
//! let learned = match learn(&sample, &options) {
//!     LearnOutcome::Learned(learned) => learned,
//!     LearnOutcome::Abstained(why) => panic!("nothing learned: {}", why.reason),
//! };
//! let yaml = learned.wrapper.to_yaml(); // `sites/news.example.yaml`
//! assert!(yaml.contains("//div[contains(concat(' ',normalize-space(@class),' '),' story ')]"));
//!
//! let extractor = Extractor::new(Wrapper::from_yaml(&yaml)?.wrapper)?;
//! let article = extractor.extract(&Page::from_html(&story("Snow fell.")), &Options::default());
//! assert_eq!(article.text, "Snow fell.");
//! # Ok::<(), forest::Error>(())
//! ```
//!
//! The modules are the stages of the pipeline, in its order. Each takes what those
//! above it give, and says on its page what it takes, what it gives, which part of
//! which paper it is and where it departs from it. Only `fetch` dials, and only
//! with the feature `net`, which is on by default; without it there is no network
//! code and no runtime.
#![forbid(unsafe_code)]
#![deny(missing_docs)]
#![allow(
    rustdoc::private_intra_doc_links,
    reason = "the pages of the stages are read beside the code, too"
)]
#![cfg_attr(
    not(all(
        feature = "cli",
        feature = "net",
        feature = "archive",
        feature = "serve"
    )),
    allow(
        dead_code,
        unused_imports,
        reason = "some code serves these features alone"
    )
)]

/// Re-exports that are public for the lab and the tests, and the crate's own otherwise.
macro_rules! lab {
    ($(pub use $first:ident $(:: $rest:tt)+;)*) => {$(
        #[cfg(feature = "_lab")]
        #[allow(unused_imports, reason = "the lab's")]
        pub use $first $(:: $rest)+;
        #[cfg(not(feature = "_lab"))]
        #[allow(unused_imports, reason = "the lab's")]
        pub(crate) use $first $(:: $rest)+;
    )*};
}

pub mod error;
mod yaml;
pub use forest_html::{address, page, text};
pub mod feed;
#[cfg(feature = "_lab")]
pub mod warc;
#[cfg(not(feature = "_lab"))]
mod warc;
#[cfg(feature = "_lab")]
pub mod model;
#[cfg(not(feature = "_lab"))]
mod model;
#[cfg(feature = "_lab")]
pub mod baseline;
#[cfg(not(feature = "_lab"))]
mod baseline;
#[cfg(feature = "_lab")]
pub mod refusal;
#[cfg(not(feature = "_lab"))]
mod refusal;
#[cfg(feature = "_lab")]
pub mod onepage;
#[cfg(not(feature = "_lab"))]
mod onepage;
#[cfg(feature = "_lab")]
pub mod signifier;
#[cfg(not(feature = "_lab"))]
mod signifier;
#[cfg(feature = "_lab")]
pub mod pattern;
#[cfg(not(feature = "_lab"))]
mod pattern;
#[cfg(feature = "_lab")]
pub mod rank;
#[cfg(not(feature = "_lab"))]
mod rank;
pub mod wrapper;
#[cfg(feature = "_lab")]
pub mod render;
#[cfg(not(feature = "_lab"))]
mod render;
pub mod extract;
pub mod learn;
pub mod drift;
#[cfg(feature = "_lab")]
pub mod report;
#[cfg(not(feature = "_lab"))]
mod report;
pub mod filter;
pub mod prose;
pub mod pipeline;
#[cfg(feature = "_lab")]
pub mod gold;
#[cfg(not(feature = "_lab"))]
mod gold;
#[cfg(feature = "_lab")]
pub mod eval;
#[cfg(not(feature = "_lab"))]
mod eval;
#[cfg(feature = "_lab")]
pub mod tune;
#[cfg(all(feature = "cli", not(feature = "_lab")))]
mod tune;
#[cfg(feature = "net")]
pub mod fetch;
#[cfg(feature = "archive")]
pub mod archive;
#[cfg(feature = "archive")]
pub mod harvest;
#[cfg(feature = "serve")]
pub mod serve;
#[cfg(feature = "cli")]
mod cli;

#[cfg(feature = "cli")]
pub use cli::{main, main_with};
pub use error::{Error, Result};

/// The README's example is compiled with the documentation's.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
