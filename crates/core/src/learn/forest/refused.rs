//! A strip that was looked at and not taken, and what refused it.

use forest_html::error::counted;
use serde::Serialize;
use std::fmt;

/// A strip rule that was not taken.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RefusedStrip {
    /// Its expression.
    pub xpath: String,
    /// Pages that it would take words from.
    pub pages: usize,
    /// Words that it would take.
    pub words: usize,
    /// The share of them that the block scores expect in the article, 0 to 1.
    pub likely: f32,
    /// The reason for which it was not taken.
    pub why: StripRefusal,
}

/// The reason for which a strip was not taken.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StripRefusal {
    /// The share of likely words is not below this limit.
    Likely {
        /// The limit.
        limit: f32,
    },
    /// It takes words from fewer pages than this.
    FewPages {
        /// The number of pages.
        needed: f32,
    },
    /// On one of the pages the text that follows or precedes the element is likely.
    LikelyOnOnePage,
    /// It would take much of one page's article.
    MuchOfOnePage,
    /// It takes few words.
    FewWords,
    /// It takes tables of data, listings, footnotes or captions that no other page has.
    Protected,
    /// It takes text of the page's own by a tag alone.
    Own,
}

impl fmt::Display for RefusedStrip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RefusedStrip {
            xpath,
            pages,
            words,
            likely,
            why,
        } = self;
        let (words, pages) = (
            counted(*words, "word", "words"),
            counted(*pages, "page", "pages"),
        );
        write!(
            f,
            "{words} on {pages}, {likely:.2} of them likely, {why}: {xpath}"
        )
    }
}

impl fmt::Display for StripRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StripRefusal::Likely { limit } => write!(f, "not below {limit:.2}"),
            StripRefusal::FewPages { needed } => {
                write!(f, "not on {}", counted(*needed as usize, "page", "pages"))
            }
            StripRefusal::LikelyOnOnePage => f.write_str("likely on one of them"),
            StripRefusal::MuchOfOnePage => f.write_str("much of one page's article"),
            StripRefusal::FewWords => f.write_str("few words"),
            StripRefusal::Protected => {
                f.write_str("tables of data, listings, footnotes or captions")
            }
            StripRefusal::Own => f.write_str("text of the page's own, by a tag alone"),
        }
    }
}
