//! Words to articles: a tantivy index of the latest version of each article.
//!
//! Takes the versions that an [`ArchiveReader`](super::ArchiveReader) gives and a [`Query`]; gives
//! [`SearchResults`]: [`SearchHit`]s, the best first, with a [`Snippet`] each. The index is made
//! from the tables. If it is missing, damaged or of another format, it is made again.
//!
//! **The words are those of learning.** A text is analysed by the
//! [`Analyzer`](forest_html::text::Analyzer) of its language: stemmed, without stop words,
//! Chinese, Japanese and Korean as bigrams. A field of tantivy has one analyzer, so the index
//! gets terms instead of text, and each begins with its language (`de:hund`). A query is read
//! in every language of the index, or in the one that it names: a stop word in one language
//! may be a search word in another. A single character of an unspaced script is found if it
//! is a word of its own.
//!
//! **Filters** narrow a search; without words they find all articles that pass them.
//!
//! **Syntax.** All words must be in the title, which counts twice, or in the text;
//! `"words in a row"`; `-not`. There is no other syntax, so no query is an error. A word of
//! the query that is several terms (`well-known`, `東京都`) is searched as words in a row.
//!
//! **Order.** By BM25 over both fields, then the newer first, then the article that was
//! stored first.
//!
//! **No version is lost or indexed twice.** With each batch of documents the index commits
//! its position in the tables. After an interruption the next [`SearchIndex::catch_up`]
//! continues from there. After addresses are forgotten, the whole index is made again.
//!
//! The text is stored in the index, compressed, which takes some half of its bytes once more.
//! So a snippet costs one read of a block, however many versions an article has.

mod damage;
mod fields;
mod index;
mod query;
mod shared;
mod snippet;
#[cfg(test)]
mod tests;

use chrono::{DateTime, Utc};
use forest_core::extract::Status;
use forest_html::text::Language;

pub use damage::index_damage;
pub use fields::{as_time, date as published};
pub use index::{CaughtUp, SearchIndex};
pub use query::TypedWords;
pub use snippet::Snippet;

/// A search: words and filters.
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    /// Words, `"words in a row"`, `-not`.
    pub words: String,
    /// Articles of these sites only.
    pub sites: Option<Vec<String>>,
    /// Articles with these numbers only.
    pub articles: Option<Vec<i64>>,
    /// Published (if unknown, first seen) at this time or later.
    pub since: Option<DateTime<Utc>>,
    /// Before this time.
    pub until: Option<DateTime<Utc>>,
    /// Of one of these statuses; empty: of any.
    pub statuses: Vec<Status>,
    /// The language to read the words in; `None`: each that the index holds.
    pub language: Option<Language>,
    /// Maximum number of hits.
    pub limit: usize,
    /// Number of better hits to skip.
    pub offset: usize,
}

/// Default number of hits: a screen of them.
pub const DEFAULT_LIMIT: usize = 10;

/// Maximum of limit and offset together: the search takes memory for as many hits.
pub const MAX_HITS: usize = 10_000;

impl Default for Query {
    /// No words, no filter, [`DEFAULT_LIMIT`] hits.
    fn default() -> Self {
        Query {
            words: String::new(),
            sites: None,
            articles: None,
            since: None,
            until: None,
            statuses: Vec::new(),
            language: None,
            limit: DEFAULT_LIMIT,
            offset: 0,
        }
    }
}

/// The results of a search.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SearchResults {
    /// The number of hits in all.
    pub total: usize,
    /// The requested hits.
    pub hits: Vec<SearchHit>,
    /// True if the query had a word to look for, or no words and a filter. Stop words and excluded
    /// words do not count.
    pub has_condition: bool,
}

/// An article that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchHit {
    /// The article's number in the archive.
    pub article: i64,
    /// Its address.
    pub url: String,
    /// Its site.
    pub site: String,
    /// Its title, empty if it has none.
    pub title: String,
    /// The time of publication; if unknown, the time at which it was first seen.
    pub date: DateTime<Utc>,
    /// Its status.
    pub status: String,
    /// Its language: ISO 639-1, `und` if it is not known.
    pub language: String,
    /// The BM25 score; comparable within one search only.
    pub score: f32,
    /// The part of the text with the words.
    pub snippet: Snippet,
}
