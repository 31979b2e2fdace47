//! Warnings about the way an article was made.

use super::confidence::TextFeatures;
use forest_html::error::counted;
use forest_html::page::{self, JsonPlace};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// Something about an article that its reader should know, with advice. In the
/// record it is the string that it displays.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ArticleWarning {
    /// Something was left out or mended while the page was parsed.
    Page(page::PageWarning),
    /// The page has no title.
    NoTitle,
    /// A date that could not be read.
    DateUnread {
        /// The date: `published` or `modified`.
        what: &'static str,
        /// The date as it stood on the page.
        raw: String,
    },
    /// Markdown or HTML was cut at four times the page's size.
    MarkupCut,
    /// Some text of tables or lists within the article was left out.
    PartlyKept {
        /// The number of such tables.
        tables: usize,
        /// The number of such lists.
        lists: usize,
    },
    /// Matches of the wrapper's strip rules were kept, as they are not what the rules expect.
    StripsKept {
        /// Their number.
        matches: usize,
    },
    /// The text is from the page's own JSON, which no browser without scripts would show.
    OwnJson(JsonPlace),
    /// A one-page extractor found the article: the site's wrapper does not fit, or
    /// there is none.
    Fallback {
        /// Why no wrapper found it.
        why: String,
    },
    /// The article goes on at another page, which its text is without.
    EndsBefore {
        /// The address of that page.
        url: String,
        /// Why.
        why: String,
    },
    /// An expression of the wrapper selected nothing, as it wanted more steps than a page has
    /// left for it. It is the first, if there are several.
    TooMuch {
        /// The expression.
        expression: String,
    },
    /// The wrapper found a text that is unlike an article.
    Unlike {
        /// A description of the text.
        what: &'static str,
    },
    /// The text of a page that is no article is more likely wrong than right.
    Doubtful,
    /// A warning that was read from a record.
    Recorded(String),
}

impl ArticleWarning {
    /// The warning about a page whose expressions took all the steps that it is given.
    pub(super) fn too_much(page: &page::Page) -> Option<ArticleWarning> {
        let expression = page.expression_budget().exceeded_by()?.to_owned();
        Some(ArticleWarning::TooMuch { expression })
    }

    /// The warning about a text with these features.
    pub(super) fn unlike(features: &TextFeatures) -> ArticleWarning {
        let overlap = &features.overlap;
        let what = match (
            features.article < 0.5,
            overlap.precision() < overlap.recall(),
        ) {
            (true, _) => "hardly an article: the page seems to hold none",
            (_, true) => "likely more than the article",
            (_, false) => "likely less than the article",
        };
        ArticleWarning::Unlike { what }
    }
}

impl fmt::Display for ArticleWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ArticleWarning::Page(warning) => warning.fmt(f),
            ArticleWarning::NoTitle => f.write_str(
                "the page names no title; a `title` expression in the site's wrapper can find one",
            ),
            ArticleWarning::DateUnread { what, raw } => write!(
                f,
                "date_{what} could not be read from `{raw}`; a `date` expression with a format in the site's wrapper can"
            ),
            ArticleWarning::MarkupCut => f.write_str(
                "Markdown or HTML would be more than four times the page and was cut; the text is whole",
            ),
            ArticleWarning::PartlyKept { tables, lists } => {
                let tables = (*tables > 0).then(|| counted(*tables, "table", "tables"));
                let lists = (*lists > 0).then(|| counted(*lists, "list", "lists"));
                let parts: Vec<String> = tables.into_iter().chain(lists).collect();
                write!(
                    f,
                    "part of {} within the article was left out; a `keep` expression in the site's wrapper can keep it",
                    parts.join(" and ")
                )
            }
            ArticleWarning::StripsKept { matches } => write!(
                f,
                "{} of strip rules kept, unlike what the rules were learned from; an `expect` in the site's wrapper can be widened, or taken away",
                counted(*matches, "match", "matches")
            ),
            ArticleWarning::OwnJson(place) => write!(
                f,
                "the text is from the page's own JSON, {} in `{}`: its elements show none, or much less",
                place.path, place.script
            ),
            ArticleWarning::Fallback { why } => write!(f, "found by this page's own shape: {why}"),
            ArticleWarning::EndsBefore { url, why } => {
                write!(f, "the page leads on to {url}, which the text is without: {why}")
            }
            ArticleWarning::TooMuch { expression } => write!(
                f,
                "`{expression}` is too much for this page, and selected nothing; \
                 look for a step in it that leads to many elements from each of many"
            ),
            ArticleWarning::Unlike { what } => write!(
                f,
                "what the wrapper found is {what}; `forest site check` says whether the site has changed"
            ),
            ArticleWarning::Doubtful => f.write_str(
                "the text is more likely wrong than right: a page of this kind has few signs of where it is",
            ),
            ArticleWarning::Recorded(text) => f.write_str(text),
        }
    }
}

impl Serialize for ArticleWarning {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ArticleWarning {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(ArticleWarning::Recorded)
    }
}
