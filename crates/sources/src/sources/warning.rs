//! Warnings of sources: they stop nothing.

use super::walk::{MAX_DEPTH, MAX_VAIN};
use crate::error::Error;
use forest_core::feed::ChosenSection;
use forest_html::error::{counted, with_causes};
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use url::Url;

/// A message about a source, with the advice.
#[derive(Debug)]
pub enum SourceWarning {
    /// A typed word that is no file is tried as this address.
    Tried { typed: String, url: Url },
    /// The feed that a home page names.
    FeedFound { home: Url, feed: Url },
    /// A folder without pages.
    NoPages { typed: String },
    /// Folders that are too far down.
    TooDeep { typed: String, folders: usize },
    /// Files of unknown kind that were not tested.
    NotTested { typed: String, files: usize },
    /// A list of feeds without feeds.
    NoFeeds { typed: String },
    /// A feed without items.
    NoItems { name: String },
    /// A fault that the feed's reader mended or passed over.
    OfFeed { name: String, fault: String },
    /// A sitemap that cannot be read.
    SitemapUnread { url: Url, why: String },
    /// Files of an index of sitemaps beyond the bounds.
    SitemapsLeft { name: String, files: usize },
    /// The section of a sitemap that was chosen.
    InSection {
        name: String,
        section: ChosenSection,
    },
    /// A sitemap without a page below the path that is wanted.
    NoneInSection {
        name: String,
        /// The number of its pages.
        of: usize,
    },
    /// A fault of a web archive that was mended.
    OfArchive { name: String, fault: String },
    /// A feed beside pages that cannot be read.
    FeedUnread { path: PathBuf, error: Error },
}

/// Takes the warnings of sources, some of them while their pages are read.
pub type WarningSink = Arc<dyn Fn(&SourceWarning) + Send + Sync>;

impl SourceWarning {
    /// Returns true if nothing is wrong: it says what was done.
    pub fn is_news(&self) -> bool {
        matches!(
            self,
            SourceWarning::Tried { .. }
                | SourceWarning::FeedFound { .. }
                | SourceWarning::InSection { .. }
        )
    }
}

impl fmt::Display for SourceWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SourceWarning::Tried { typed, url } => {
                write!(f, "{typed}: there is no such file: {url} is tried")
            }
            SourceWarning::FeedFound { home, feed } => write!(f, "{home}: its feed is {feed}"),
            SourceWarning::NoPages { typed } => write!(
                f,
                "{typed}: no pages in this folder, nor below: it should hold <page>.html or \
                 <site>/<page>.html, or the same with .gz"
            ),
            SourceWarning::TooDeep { typed, folders } => write!(
                f,
                "{typed}: left out: {}, more than {MAX_DEPTH} levels down: give what is there by \
                 name",
                counted(*folders, "folder", "folders")
            ),
            SourceWarning::NotTested { typed, files } => write!(
                f,
                "{typed}: left out: {} whose names do not end in .html, .htm or .xhtml, as \
                 {MAX_VAIN} others were no pages: give those that are pages by name",
                counted(*files, "file", "files")
            ),
            SourceWarning::NoFeeds { typed } => write!(
                f,
                "{typed}: the OPML lists no feeds: it needs outlines with xmlUrl"
            ),
            SourceWarning::NoItems { name } => write!(
                f,
                "{name}: the feed has no items: give another feed, or a folder or list of pages"
            ),
            SourceWarning::NoneInSection { name, of } => write!(
                f,
                "{name}: none of its {} is in the section: give another path to --section",
                counted(*of, "page", "pages")
            ),
            SourceWarning::OfFeed { name, fault } | SourceWarning::OfArchive { name, fault } => {
                write!(f, "{name}: {fault}")
            }
            SourceWarning::SitemapUnread { url, why } => {
                write!(f, "{url}: left out of the sitemap: {why}")
            }
            SourceWarning::SitemapsLeft { name, files } => write!(
                f,
                "{name}: left out: {} of the index, those that changed last were read: give the \
                 others by name",
                counted(*files, "sitemap", "sitemaps")
            ),
            SourceWarning::InSection { name, section } => write!(f, "{name}: {section}"),
            SourceWarning::FeedUnread { path, error } => write!(
                f,
                "{}: not used for the pages beside it: {}",
                path.display(),
                with_causes(error)
            ),
        }
    }
}
