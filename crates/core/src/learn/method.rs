//! The methods for the pages of a site by name.

use std::fmt;
use std::str::FromStr;

/// A way to extract the articles of a site by its pages together, or by its feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Method {
    /// This project's development of FOREST: the part of the site's pages with the
    /// highest F1 to expect by block scores over the whole sample, with its strips.
    #[default]
    Forest,
    /// FOREST exactly as published: the expression with its `@dfs` alternatives.
    Paper,
    /// The same expression without `@dfs` where an id or class identifies.
    PaperNoDfs,
    /// COVERAGE (FOREST 3.5): patterns by the signifiers that they cover.
    Coverage,
    /// SIGFEED (FOREST 4): the lowest `div` of a page that holds most feed words.
    Sigfeed,
    /// DESCRIPTION (FOREST 4): title and description of the feed item.
    Description,
}

impl Method {
    /// All methods, those of this project first.
    pub const ALL: [Method; 6] = [
        Method::Forest,
        Method::Paper,
        Method::PaperNoDfs,
        Method::Coverage,
        Method::Sigfeed,
        Method::Description,
    ];

    /// True if the method learns a wrapper from several pages.
    pub fn learns(self) -> bool {
        matches!(
            self,
            Method::Forest | Method::Paper | Method::PaperNoDfs | Method::Coverage
        )
    }

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Method::Forest => "forest",
            Method::Paper => "paper",
            Method::PaperNoDfs => "paper-nodfs",
            Method::Coverage => "coverage",
            Method::Sigfeed => "sigfeed",
            Method::Description => "description",
        }
    }
}

impl FromStr for Method {
    type Err = UnknownMethod;

    fn from_str(name: &str) -> Result<Self, UnknownMethod> {
        let named = |method: &Method| method.name() == name;
        let unknown = || UnknownMethod::new(name, Method::ALL);
        Method::ALL.into_iter().find(named).ok_or_else(unknown)
    }
}

/// A name that is no method's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown method `{name}`; known: {}", known.join(", "))]
pub struct UnknownMethod {
    name: String,
    known: Vec<String>,
}

impl UnknownMethod {
    /// `name` is none of the names of the `known` methods.
    pub fn new(name: &str, known: impl IntoIterator<Item: fmt::Display>) -> UnknownMethod {
        UnknownMethod {
            name: name.to_owned(),
            known: known.into_iter().map(|method| method.to_string()).collect(),
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The source of a page's signifiers (FOREST 3.1 and 5).
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
    fn names_are_read_back_and_are_one_methods() {
        for (at, method) in Method::ALL.into_iter().enumerate() {
            assert_eq!(method.name().parse(), Ok(method));
            let others = Method::ALL[..at].iter();
            assert!(others.map(|m| m.name()).all(|name| name != method.name()));
        }
        let error = "magic".parse::<Method>().expect_err("no such method");
        assert!(error.to_string().contains("magic"));
        assert!(error.to_string().contains("paper, paper-nodfs, coverage"));
    }
}
