//! Words to articles: a tantivy index of the latest version of each article.
//!
//! Takes the versions that an [`ArchiveReader`](super::ArchiveReader) gives and a [`Query`]; gives
//! [`SearchResults`]: [`SearchHit`]s, the best first, with a [`Snippet`] each. The index is made of
//! the tables and can be made again from them at any time: one that is missing,
//! damaged or of another format is.
//!
//! **The words are those of learning.** A text is taken apart by the
//! [`Analyzer`](crate::text::Analyzer) of its language: stemmed, without stop words,
//! Chinese, Japanese and Korean as bigrams. A field of tantivy has one analyzer, so
//! the index gets terms instead of text, and each begins with its language (`de:hund`).
//! A query is read in every language of which the index holds texts, or in the one
//! that it names; what is a stop word in one language may be what is looked for in
//! another. A single character of an unspaced script is found where it stands alone.
//!
//! **What a query says.** All words must be there, in the title, which counts twice, or
//! in the text; `"words in a row"`; `-not`. There is no other syntax, so nothing that a
//! person types is an error. What one word of the query is several terms (`well-known`,
//! `東京都`) stands in a row.
//!
//! **Order.** By BM25 over both fields, then the newer first, then the article that
//! came first.
//!
//! **Nothing is lost, nothing is asked for twice.** With each batch of documents the
//! index commits up to where it has followed the tables; whatever is killed when, the
//! next [`SearchIndex::catch_up`] goes on from there. Where addresses are forgotten, the whole
//! index is made again.
//!
//! The text is stored in the index, compressed: some half of its bytes once more, but a
//! snippet costs one look at a block, however many versions an article has.

mod fields;
mod index;
mod query;
mod shared;
mod snippet;
#[cfg(test)]
mod tests;

use crate::extract::Status;
use crate::text::Language;
use chrono::{DateTime, Utc};

pub(crate) use fields::{as_time, date as published};
pub use index::{CaughtUp, SearchIndex};
pub use snippet::Snippet;

/// A search: words and filters.
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    /// Words, `"words in a row"`, `-not`.
    pub words: String,
    /// Articles of this site only.
    pub site: Option<String>,
    /// Published (or, where that is not known, first seen) at this time or later.
    pub since: Option<DateTime<Utc>>,
    /// Before this time.
    pub until: Option<DateTime<Utc>>,
    /// Of one of these statuses; empty: of any.
    pub statuses: Vec<Status>,
    /// The language to read the words in; `None`: each that the index holds.
    pub language: Option<Language>,
    /// So many at the most.
    pub limit: usize,
    /// After so many that are better.
    pub offset: usize,
}

/// Hits where nothing else is said: a screen of them.
pub const DEFAULT_LIMIT: usize = 10;

/// Hits that can be reached by limit and offset together. Finding the best so many
/// takes memory for them.
pub const MAX_HITS: usize = 10_000;

impl Default for Query {
    /// No words, no filter, [`DEFAULT_LIMIT`] hits.
    fn default() -> Self {
        Query {
            words: String::new(),
            site: None,
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
    /// The hits that were asked for.
    pub hits: Vec<SearchHit>,
    /// There was a word to look for. Stop words do not count, and a word that must not be
    /// there finds nothing by itself.
    pub has_terms: bool,
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
    /// When it was published; where that is not known, when it was first seen.
    pub date: DateTime<Utc>,
    /// Its status.
    pub status: String,
    /// Its language: ISO 639-1, `und` if it is not known.
    pub language: String,
    /// The BM25 score; comparable within one search only.
    pub score: f32,
    /// Where the words stand.
    pub snippet: Snippet,
}
