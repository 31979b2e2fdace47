//! The problems of a page's article.

use crate::refusal::NoArticle;
use forest_html::error::counted;
use std::fmt;

/// Something that is not as it should be.
#[derive(Debug, Clone, PartialEq)]
pub enum PageProblem {
    /// Its text is not the right one.
    Wrong {
        /// F1 against the right text.
        f1: f64,
    },
    /// A text is missing that one of the wrapper's tests asks for.
    Missing(String),
    /// An expression of the wrapper took more steps than a page is given.
    Expression(String),
    /// Shorter than articles of the site are, and the likely blocks have more.
    TooLittle {
        /// Words of the article.
        words: usize,
    },
    /// Longer than articles of the site are, and the likely blocks have less.
    TooMuch {
        /// Words of the article.
        words: usize,
    },
    /// More of it stands in links than is usual on the site.
    Links {
        /// The share, 0..=1.
        quota: f64,
    },
    /// It is more likely wrong than right, by all signs together.
    Doubtful {
        /// The probability that it is right, 0..=1.
        confidence: f64,
    },
    /// The words that the feed says of it stand elsewhere on the page.
    OtherItem {
        /// Words of the feed in the article.
        in_text: usize,
        /// And on its page.
        on_page: usize,
    },
    /// The page holds no article, and the wrapper selects something.
    NoArticle(NoArticle),
}

impl fmt::Display for PageProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PageProblem::Wrong { f1 } => write!(f, "not the right text: F1 {f1:.3}"),
            PageProblem::Missing(text) if text.is_empty() => f.write_str("no text at all"),
            PageProblem::Missing(text) => write!(f, "the text has no `{text}`"),
            PageProblem::Expression(expression) => {
                write!(f, "`{expression}` is too much for this page")
            }
            PageProblem::TooLittle { words } => {
                write!(f, "too little: {}", counted(*words, "word", "words"))
            }
            PageProblem::TooMuch { words } => {
                write!(f, "too much: {}", counted(*words, "word", "words"))
            }
            PageProblem::Links { quota } => write!(f, "{:.0} % of it are links", quota * 100.0),
            PageProblem::Doubtful { confidence } => {
                write!(f, "likely not the article: confidence {confidence:.2}")
            }
            PageProblem::OtherItem { in_text, on_page } => write!(
                f,
                "of {} of the feed on the page {} in the text",
                counted(*on_page, "word", "words"),
                counted(*in_text, "stands", "stand")
            ),
            PageProblem::NoArticle(kind) => write!(f, "something is selected, but {kind}"),
        }
    }
}
