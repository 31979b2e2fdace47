//! The sample of a site.

use crate::sources::LoadedPage;
use forest_core::explain::sample_line;
use forest_core::learn::{ClusterSample, SamplePage, keep_good};
use forest_html::text::sha256_hex;

/// The pages of one site.
#[derive(Debug, Default)]
pub struct SiteSample {
    /// The source, or the host.
    pub name: String,
    /// The feed that they come from.
    pub feed: Option<String>,
    /// The site's name, if it is not the host of the pages.
    pub site: Option<String>,
    /// Good pages, and pages of other hosts.
    pub pages: Vec<SamplePage>,
    /// The clusters of its pages, if they come without a feed: those of most pages first.
    pub clusters: Vec<ClusterSample>,
    /// Pages that are in none of them.
    pub in_none: usize,
    pub(super) good: usize,
}

/// A page of a sample, and the folder that it stands in.
pub(super) struct ParsedPage {
    pub sample: SamplePage,
    folder: Option<String>,
}

impl SiteSample {
    /// Pages without an address are of the site that their folder is named for.
    pub(super) fn folder_as_site(&mut self, page: &ParsedPage) {
        match page.sample.page.url() {
            Some(_) => self.site = None,
            None if self.pages.is_empty() => self.site.clone_from(&page.folder),
            None => {}
        }
    }

    /// Drops pages that are not good, with a warning each, and good pages beyond `want`.
    pub(super) fn judge(&mut self, want: usize, warn: &dyn Fn(String)) {
        self.good = keep_good(&mut self.pages, want, |page, verdict| {
            warn(sample_line(page, verdict));
        });
    }
}

/// A loaded page as one of a sample.
pub(super) fn parsed(loaded: LoadedPage) -> ParsedPage {
    let page = loaded.parse();
    let name = loaded.content.url.clone().unwrap_or(loaded.id);
    let mut sample = SamplePage::new(page, name);
    sample.sha256 = sha256_hex(&loaded.content.bytes);
    if let Some(item) = loaded.item {
        sample = sample.with_item(&item);
    }
    ParsedPage {
        sample,
        folder: loaded.folder,
    }
}
