//! What can be asked for, by name.

use crate::density::{blurring, boilerpipe, bte, lqf, sw, ttr};
use crate::page::{Mask, Page};
use std::fmt;
use std::str::FromStr;

/// A way to extract the articles of a site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Method {
    /// FOREST exactly as published: the expression with its `@dfs` alternatives.
    Paper,
    /// The same expression without `@dfs` where an id or class identifies.
    #[default]
    PaperNoDfs,
    /// COVERAGE (FOREST 3.5): patterns by the signifiers that they cover.
    Coverage,
    /// SIGFEED (FOREST 4): the lowest `div` of a page that holds most feed words.
    Sigfeed,
    /// DESCRIPTION (FOREST 4): title and description of the feed item.
    Description,
    /// Boilerpipe's ArticleExtractor, page by page.
    Boilerpipe,
    /// Link quota filter (Gottron 5.1), page by page.
    Lqf,
    /// Content code blurring (Gottron 5.2), page by page.
    Ccb,
    /// The same without links.
    Accb,
    /// The same over tokens.
    Tccb,
    /// Stop-word filter (Gottron 5.3), page by page.
    Sw,
    /// Body text extraction (Finn et al. 2001), page by page.
    Bte,
    /// Text-to-tag ratio (Weninger & Hsu 2008), page by page.
    Ttr,
}

impl Method {
    /// All methods, those of this project first.
    pub const ALL: [Method; 13] = [
        Method::Paper,
        Method::PaperNoDfs,
        Method::Coverage,
        Method::Sigfeed,
        Method::Description,
        Method::Boilerpipe,
        Method::Lqf,
        Method::Ccb,
        Method::Accb,
        Method::Tccb,
        Method::Sw,
        Method::Bte,
        Method::Ttr,
    ];

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Method::Paper => "paper",
            Method::PaperNoDfs => "paper-nodfs",
            Method::Coverage => "coverage",
            Method::Sigfeed => "sigfeed",
            Method::Description => "description",
            Method::Boilerpipe => "boilerpipe",
            Method::Lqf => "lqf",
            Method::Ccb => "ccb",
            Method::Accb => "accb",
            Method::Tccb => "tccb",
            Method::Sw => "sw",
            Method::Bte => "bte",
            Method::Ttr => "ttr",
        }
    }

    /// Whether the method learns a wrapper from several pages.
    pub fn learns(self) -> bool {
        matches!(self, Method::Paper | Method::PaperNoDfs | Method::Coverage)
    }

    /// What the method keeps of a page by the shape of this page alone, with its
    /// default parameters; `None` for a method that needs other pages or a feed.
    ///
    /// ```
    /// use forest::{learn::Method, page::Page};
    /// let page = Page::from_html("<p>Words.");
    /// assert!(!Method::Bte.of_one_page(&page).unwrap().is_empty());
    /// assert!(Method::Sigfeed.of_one_page(&page).is_none());
    /// ```
    pub fn of_one_page(self, page: &Page) -> Option<Mask> {
        Some(match self {
            Method::Boilerpipe => boilerpipe::article(page),
            Method::Lqf => lqf::article(page, &lqf::Lqf::default()),
            Method::Ccb => blurring::article(page, &blurring::Blurring::ccb()),
            Method::Accb => blurring::article(page, &blurring::Blurring::accb()),
            Method::Tccb => blurring::article(page, &blurring::Blurring::tccb()),
            Method::Sw => sw::article(page, &sw::Sw::default()),
            Method::Bte => bte::article(page),
            Method::Ttr => ttr::article(page, &ttr::Ttr::default()),
            Method::Paper
            | Method::PaperNoDfs
            | Method::Coverage
            | Method::Sigfeed
            | Method::Description => return None,
        })
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is no method's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown method `{0}`; known: paper, paper-nodfs, coverage, sigfeed, description, boilerpipe, \
     lqf, ccb, accb, tccb, sw, bte, ttr"
)]
pub struct UnknownMethod(String);

impl FromStr for Method {
    type Err = UnknownMethod;

    fn from_str(name: &str) -> Result<Self, UnknownMethod> {
        Method::ALL
            .into_iter()
            .find(|m| m.name() == name)
            .ok_or_else(|| UnknownMethod(name.to_owned()))
    }
}

/// Where a page's signifiers come from (FOREST 3.1 and 5).
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub enum SignifierSource {
    /// The page's top terms by tf-idf over the sample.
    #[default]
    TfIdf,
    /// Title and description of the feed item.
    Feed,
    /// The page's own metadata: title, description, keywords.
    Metadata,
    /// Words from elsewhere, the same for all pages.
    Words(String),
}

impl SignifierSource {
    /// The name: `words` for words of any origin.
    pub fn name(&self) -> &'static str {
        match self {
            SignifierSource::TfIdf => "tfidf",
            SignifierSource::Feed => "feed",
            SignifierSource::Metadata => "metadata",
            SignifierSource::Words(_) => "words",
        }
    }
}

impl fmt::Display for SignifierSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for method in Method::ALL {
            assert_eq!(method.name().parse(), Ok(method));
        }
        let error = "magic".parse::<Method>().expect_err("no such method");
        assert!(error.to_string().contains("magic") && error.to_string().contains("paper-nodfs"));
        for method in Method::ALL {
            assert!(error.to_string().contains(method.name()), "{method}");
        }
    }
}
