//! The methods by name.

use crate::page::{Mask, Page};
use crate::pipeline::{Pipeline, Preset};
use std::fmt;
use std::str::FromStr;

/// A way to extract the articles of a site.
#[derive(Debug, Clone, PartialEq, Default)]
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
    /// A one-page extractor, page by page.
    OnePage(Preset),
    /// A pipeline of one-page extractors, page by page.
    Pipeline(Pipeline),
}

impl Method {
    /// The methods that are no one-page extractors.
    const OF_SITES: [Method; 6] = [
        Method::Forest,
        Method::Paper,
        Method::PaperNoDfs,
        Method::Coverage,
        Method::Sigfeed,
        Method::Description,
    ];

    /// All methods that have a name of their own, those of this project first;
    /// pipelines in files have not.
    pub fn all() -> impl Iterator<Item = Method> {
        let pipelines = Pipeline::SHIPPED.iter();
        let pipelines = pipelines.filter_map(|(name, _)| Pipeline::shipped(name));
        Method::OF_SITES
            .into_iter()
            .chain(Preset::ALL.map(Method::OnePage))
            .chain(pipelines.map(Method::Pipeline))
    }

    /// True if the method learns a wrapper from several pages.
    pub fn learns(&self) -> bool {
        matches!(
            self,
            Method::Forest | Method::Paper | Method::PaperNoDfs | Method::Coverage
        )
    }

    /// The nodes that the method keeps by the shape of this page alone; `None` for
    /// a method that needs other pages or a feed.
    ///
    /// ```
    /// use forest::{pipeline::Preset, learn::Method, page::Page};
    /// let page = Page::from_html("<p>Words.");
    /// assert!(!Method::OnePage(Preset::Bte).of_one_page(&page).unwrap().is_empty());
    /// assert!(Method::Sigfeed.of_one_page(&page).is_none());
    /// ```
    pub fn of_one_page(&self, page: &Page) -> Option<Mask> {
        match self {
            Method::OnePage(preset) => Some(preset.method().article(page)),
            Method::Pipeline(pipeline) => Some(pipeline.article(page)),
            Method::Forest
            | Method::Paper
            | Method::PaperNoDfs
            | Method::Coverage
            | Method::Sigfeed
            | Method::Description => None,
        }
    }
}

/// The name.
impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Method::Forest => "forest",
            Method::Paper => "paper",
            Method::PaperNoDfs => "paper-nodfs",
            Method::Coverage => "coverage",
            Method::Sigfeed => "sigfeed",
            Method::Description => "description",
            Method::OnePage(preset) => preset.name(),
            Method::Pipeline(pipeline) => return pipeline.fmt(f),
        })
    }
}

/// A name that is no method's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown method `{0}`; known: {known}", known = known())]
pub struct UnknownMethod(String);

fn known() -> String {
    let names: Vec<String> = Method::all().map(|m| m.to_string()).collect();
    names.join(", ")
}

/// The method of a name; of pipelines those that come with the program.
impl FromStr for Method {
    type Err = UnknownMethod;

    fn from_str(name: &str) -> Result<Self, UnknownMethod> {
        if let Some(preset) = Preset::by_name(name) {
            return Ok(Method::OnePage(preset));
        }
        Method::all()
            .find(|m| m.to_string() == name)
            .ok_or_else(|| UnknownMethod(name.to_owned()))
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
    fn names_are_read_back() {
        let error = "magic".parse::<Method>().expect_err("no such method");
        let error = error.to_string();
        assert!(error.contains("magic"));
        for method in Method::all() {
            let name = method.to_string();
            assert!(error.contains(&name), "{name}");
            assert_eq!(name.parse(), Ok(method));
        }
        assert_eq!("lqf-new".parse(), Ok(Method::OnePage(Preset::Lqf)));
        assert!("pipeline:mine.yaml".parse::<Method>().is_err());
    }

    #[test]
    fn no_method_is_forgotten() {
        // A name each, and one for each variant.
        let names: Vec<String> = Method::all().map(|m| m.to_string()).collect();
        let mut once = names.clone();
        once.sort();
        once.dedup();
        assert_eq!(once.len(), names.len());
        assert_eq!(names.len(), 6 + Preset::ALL.len() + Pipeline::SHIPPED.len());
    }
}
