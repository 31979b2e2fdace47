//! All methods by name: those for the pages of a site, and the one-page methods.

use super::{Pipeline, Preset};
use forest_core::learn::{Method, UnknownMethod};
use forest_html::page::{Mask, Page};
use std::fmt;
use std::str::FromStr;

/// A way to extract articles.
#[derive(Debug, Clone, PartialEq)]
pub enum AnyMethod {
    /// By the pages of a site together, or by its feed.
    OfSite(Method),
    /// A one-page extractor, page by page.
    OnePage(Preset),
    /// A pipeline of one-page extractors, page by page.
    Pipeline(Pipeline),
}

impl AnyMethod {
    /// All methods that have a name of their own, those of this project first;
    /// pipelines in files have not.
    pub fn all() -> impl Iterator<Item = AnyMethod> {
        let pipelines = Pipeline::SHIPPED.iter();
        let pipelines = pipelines.filter_map(|(name, _)| Pipeline::shipped(name));
        Method::ALL
            .into_iter()
            .map(AnyMethod::OfSite)
            .chain(Preset::ALL.map(AnyMethod::OnePage))
            .chain(pipelines.map(AnyMethod::Pipeline))
    }

    /// True if the method learns a wrapper from several pages.
    pub fn learns(&self) -> bool {
        self.of_site().is_some_and(Method::learns)
    }

    /// The method for the pages of a site, if it is one.
    pub fn of_site(&self) -> Option<Method> {
        match self {
            AnyMethod::OfSite(method) => Some(*method),
            AnyMethod::OnePage(_) | AnyMethod::Pipeline(_) => None,
        }
    }

    /// The nodes that the method keeps by the shape of this page alone; `None` for
    /// a method that needs other pages or a feed.
    ///
    /// ```
    /// use forest_core::learn::Method;
    /// use forest_html::page::Page;
    /// use forest_text::pipeline::{AnyMethod, Preset};
    /// let page = Page::from_html("<p>Words.");
    /// assert!(!AnyMethod::OnePage(Preset::Bte).of_one_page(&page).unwrap().is_empty());
    /// assert!(AnyMethod::OfSite(Method::Sigfeed).of_one_page(&page).is_none());
    /// ```
    pub fn of_one_page(&self, page: &Page) -> Option<Mask> {
        match self {
            AnyMethod::OfSite(_) => None,
            AnyMethod::OnePage(preset) => Some(preset.method().article(page)),
            AnyMethod::Pipeline(pipeline) => Some(pipeline.article(page)),
        }
    }
}

impl From<Method> for AnyMethod {
    fn from(method: Method) -> AnyMethod {
        AnyMethod::OfSite(method)
    }
}

impl From<Preset> for AnyMethod {
    fn from(preset: Preset) -> AnyMethod {
        AnyMethod::OnePage(preset)
    }
}

/// The name.
impl fmt::Display for AnyMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AnyMethod::OfSite(method) => method.fmt(f),
            AnyMethod::OnePage(preset) => preset.fmt(f),
            AnyMethod::Pipeline(pipeline) => pipeline.fmt(f),
        }
    }
}

/// The method of a name; of pipelines those that come with the program.
impl FromStr for AnyMethod {
    type Err = UnknownMethod;

    fn from_str(name: &str) -> Result<Self, UnknownMethod> {
        if let Some(preset) = Preset::by_name(name) {
            return Ok(AnyMethod::OnePage(preset));
        }
        AnyMethod::all()
            .find(|m| m.to_string() == name)
            .ok_or_else(|| UnknownMethod::new(name, AnyMethod::all()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        let error = "magic".parse::<AnyMethod>().expect_err("no such method");
        let error = error.to_string();
        assert!(error.contains("magic"));
        for method in AnyMethod::all() {
            let name = method.to_string();
            assert!(error.contains(&name), "{name}");
            assert_eq!(name.parse(), Ok(method));
        }
        assert_eq!("lqf-new".parse(), Ok(AnyMethod::OnePage(Preset::Lqf)));
        assert!("pipeline:mine.yaml".parse::<AnyMethod>().is_err());
    }

    #[test]
    fn no_method_is_forgotten() {
        // A name each, and one for each variant.
        let names: Vec<String> = AnyMethod::all().map(|m| m.to_string()).collect();
        let mut once = names.clone();
        once.sort();
        once.dedup();
        assert_eq!(once.len(), names.len());
        let shipped = Pipeline::SHIPPED.len();
        assert_eq!(names.len(), Method::ALL.len() + Preset::ALL.len() + shipped);
    }
}
