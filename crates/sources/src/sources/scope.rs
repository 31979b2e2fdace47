//! How much of a site is taken from its sitemaps.

use forest_core::feed::Section;

/// How much of a site is taken from its sitemaps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SitemapScope {
    /// The pages that are taken.
    pub section: Section,
    /// Files of an index that are read at the most.
    pub files: usize,
}

impl Default for SitemapScope {
    /// All pages, of 100 files at the most.
    fn default() -> SitemapScope {
        let section = Section::All;
        SitemapScope {
            section,
            files: 100,
        }
    }
}

impl SitemapScope {
    /// A sample of articles: of the largest section, or of the one that is named, the newest
    /// pages, from 10 files at the most.
    pub fn sample(section: Option<Section>) -> SitemapScope {
        let section = section.unwrap_or(Section::Largest);
        SitemapScope { section, files: 10 }
    }
}
