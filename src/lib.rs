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
//! This package is the command, and the part of the library that is promised: its modules
//! lead to the crates that do the work (`ARCHITECTURE.md` has their graph). The features
//! `archive` and `serve`, on by default, can be left out, and so can `cli`, the command.
#![deny(missing_docs)]

#[cfg(feature = "cli")]
#[cfg_attr(
    not(feature = "serve"),
    allow(dead_code, reason = "some code is for commands that are left out")
)]
mod cli;

#[cfg(feature = "cli")]
pub use cli::{main, main_with};
pub use forest_core::{Error, Result};
pub use forest_html::error::ErrorClass;

/// Bytes to a page: an arena of nodes in document order. FOREST 3.1.
pub mod page {
    pub use forest_html::page::{
        Date, Dfs, Kind, MAX_PAGE_BYTES, Mask, Metadata, NodeId, Page, PageWarning, Source,
    };
}

/// Feeds and lists of feeds, read and written.
pub mod feed {
    pub use forest_core::feed::{
        Enclosure, Feed, FeedCandidate, FeedDate, FeedItem, FeedLinkKind, FeedVersion, FeedWarning,
        MAX_FEED_BYTES, Opml, Outline, discover, parse, parse_opml, plain_text, read_opml, write,
    };
}

/// Sample pages to a wrapper. FOREST.
pub mod learn {
    pub use forest_core::learn::{
        Abstention, AbstentionReason, DEFAULT_SAMPLE, LearnOptions, LearnOutcome, Learned,
        MIN_PAGES, Method, SamplePage, SampleVerdict, SignifierSource, UnknownMethod, learn,
        learn_from,
    };
}

/// Wrappers and their files.
pub mod wrapper {
    pub use forest_core::wrapper::xpath::{XPath, XPathFault};
    pub use forest_core::wrapper::{
        DateField, Evidence, Expect, JsonKind, JsonPlace, PageTest, Replace, SampleRef, Template,
        Wrapper, WrapperExpression, WrapperField, WrapperFile,
    };
    /// Wrappers to and from the rule files of other programs.
    #[cfg(feature = "cli")]
    pub mod exchange {
        pub use forest_exchange::{
            Exported, ImportedWrapper, Note, NoteKind, Omission, UnsupportedPolicy, from_crawl4ai,
            from_ftr, fundus_module, to_crawl4ai, to_css, to_freshrss, to_ftr, to_fundus,
            to_miniflux,
        };
    }
}

/// A wrapper and a page to an article.
pub mod extract {
    pub use forest_core::extract::{
        Article, ArticleOrigin, ArticleWarning, CaptionPlace, EmbedHosts, Extractor,
        FieldConfidence, Image, Language, NoArticle, Options, PageKind, PagePart, PagedArticle,
        SCHEMA, Status, TextStyle, article, fallback, language, one_page,
    };
}

/// Wrappers over time: whether one still fits its site.
pub mod drift {
    pub use forest_core::drift::{
        ItemWords, PageObservation, PageProblem, PageReport, PageSign, SiteWatch, Verdict,
        VerdictChange, WrapperReport, extract_and_observe, observe, report, unread,
    };
}

/// An article's nodes to text that parsers can read. Kitten.
pub mod prose {
    pub use forest_html::text::sentence::sentences;
    pub use forest_text::prose::{Prose, TableStyle, TextOptions, prose, tei, xhtml};
}

/// Filters over the DOM, with settings. Crunch.
pub mod filter {
    pub use forest_text::filter::{
        AdList, BlockMethod, Descent, FilterCount, FilterEngine, FilterSettings, FilterWarning,
        Filtered, OutputFormat, PageEdit, PageFilter, Profile, filter,
    };
}

/// One-page methods by name, and pipelines of them. CombinE.
pub mod pipeline {
    pub use forest_text::pipeline::{AnyMethod, Pipeline, Preset};
}

/// URLs to documents, politely.
#[cfg(any(feature = "cli", feature = "archive"))]
pub mod fetch {
    pub use forest_fetch::{
        Error, FetchFailure, FetchOptions, FetchWarning, Fetched, Fetcher, Resource, Why, is_public,
    };
}

/// Every harvested article, every version of it, and the unchanged pages.
#[cfg(feature = "archive")]
pub mod archive {
    pub use forest_archive::{
        Archive, ArchiveOptions, ArchiveReader, ArticleVersion, Error, Filter, StoredArticle,
    };
}

/// Feeds over time.
///
/// ```no_run
/// use forest::archive::Archive;
/// use forest::fetch::{FetchOptions, Fetcher};
/// use forest::harvest::{
///     Clock, Harvest, HarvestOptions, SystemClock, Until, add_feed, archive_options, find_feed,
/// };
/// use std::sync::Arc;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let fetcher = Fetcher::new(FetchOptions::default())?;
/// let mut archive = Archive::open("archive".as_ref(), archive_options())?;
/// let feed = find_feed(&fetcher, &"https://example.org/".parse()?)?;
/// add_feed(&mut archive, feed, Vec::new(), SystemClock.now())?;
///
/// let (clock, options) = (Arc::new(SystemClock), HarvestOptions::default());
/// let mut harvest = Harvest::new(&mut archive, &fetcher, clock, options)?;
/// let tally = harvest.run(Until::Idle, &mut |_| ())?;
/// println!("{tally:?}");
/// # Ok(())
/// # }
/// ```
#[cfg(feature = "archive")]
pub mod harvest {
    pub use forest_harvest::{
        Clock, Error, Harvest, HarvestOptions, HarvestProgress, HarvestTally, SystemClock, Until,
        add_feed, archive_options, find_feed,
    };
}

/// Pages in the browser, and a proxy that filters.
#[cfg(feature = "serve")]
pub mod serve {
    pub use forest_serve::{Error, FilterPages, ServeOptions, WrapperSource};
    pub use forest_web::shared_filter::SettingsStore;
}

/// The README's example is compiled with the documentation's.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
