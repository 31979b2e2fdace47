//! Good pages from sources: a page that is gone, on another host or no article is replaced
//! by the next one.
//!
//! - `site`: the sample of a site.
//! - `survey`: all pages without a feed, by site and cluster.

mod site;
mod survey;

pub use site::SiteSample;

use crate::error::{Error, Result};
use crate::sources::{
    FoundPage, LoadedPage, PageContent, PageList, PageLocation, PageRefs, Sources, load,
};
use forest_core::learn::{HostReservoir, SampledPage, TRIES_A_PAGE};
use forest_html::address::site_of;
use site::{ParsedPage, parsed};
use survey::Surveyor;

/// Reads samples.
pub struct Sampler<'a> {
    pub sources: &'a Sources,
    /// Good pages of a site.
    pub want: usize,
    /// Gets the reason for each page that is left out.
    pub warn: &'a dyn Fn(String),
    /// Is called for each page that was read.
    pub on_page: &'a dyn Fn(),
}

impl Sampler<'_> {
    /// Good pages of a feed, as many as are wanted or as it has.
    ///
    /// # Errors
    ///
    /// If the network cannot be used.
    pub fn of_feed(&self, opened: PageList) -> Result<SiteSample> {
        let want = self.want;
        let mut sample = SiteSample {
            name: opened.name,
            feed: opened.feed,
            ..SiteSample::default()
        };
        let mut refs = opened.pages.take(want.saturating_mul(TRIES_A_PAGE));
        while sample.good < want {
            let batch: Vec<_> = refs.by_ref().take(want - sample.good).collect();
            if batch.is_empty() {
                break;
            }
            for mut page in self.pages_of(batch)? {
                // The time of a change is no date of publication.
                if let Some(item) = page.sample.item.as_mut().filter(|_| opened.is_sitemap) {
                    item.updated = None;
                }
                sample.folder_as_site(&page);
                sample.pages.push(page.sample);
            }
            sample.judge(want, self.warn);
        }
        Ok(sample)
    }

    /// Samples of the clusters of each site whose pages the sources have: by the host of their
    /// address, else of the one that they say is their own, else by their folder. With `one_site`
    /// all are of one.
    ///
    /// # Errors
    ///
    /// If the network cannot be used.
    pub fn by_site(&self, opened: Vec<PageList>, one_site: bool) -> Result<Vec<SiteSample>> {
        let surveyor = Surveyor {
            sources: self.sources,
            want: self.want,
            warn: self.warn,
            on_page: self.on_page,
        };
        surveyor.samples(opened, one_site)
    }

    fn pages_of(&self, batch: Vec<FoundPage>) -> Result<Vec<ParsedPage>> {
        let mut pages = Vec::with_capacity(batch.len());
        let limit = self.sources.page_limit();
        let parse = |_, page| load(page, limit).map(parsed);
        self.sources
            .for_each_page(Box::new(batch.into_iter()), parse, |page| {
                (self.on_page)();
                match page {
                    Ok(page) => pages.push(page),
                    Err(error) => {
                        let name = error.url.as_ref().unwrap_or(&error.id);
                        (self.warn)(format!("{name}: left out: {}", error.reason));
                    }
                }
                Ok::<_, Error>(())
            })?;
        Ok(pages)
    }
}

/// The sampled pages of a host of a crawl, parsed.
pub fn sample_of_host(host: String, pages: Vec<SampledPage>, limit: usize) -> SiteSample {
    let page = |page: SampledPage| {
        let content = PageContent {
            bytes: page.bytes(),
            url: Some(page.url),
            content_type: page.content_type,
            ..PageContent::default()
        };
        parsed(LoadedPage::of_content(content, limit)).sample
    };
    SiteSample {
        pages: pages.into_iter().map(page).collect(),
        name: host,
        ..SiteSample::default()
    }
}

/// Offers the pages of a crawl's file; those without a host are of no site.
pub fn offer_pages(
    reservoir: &mut HostReservoir,
    pages: PageRefs,
    warn: impl Fn(String),
    on_page: impl Fn(),
) {
    for page in pages {
        on_page();
        let content = match page {
            Ok(page) => match page.location {
                PageLocation::Content(content) => content,
                PageLocation::File(_) | PageLocation::Web(_) => continue,
            },
            Err(error) => {
                let name = error.url.as_ref().unwrap_or(&error.id);
                warn(format!("{name}: left out: {}", error.reason));
                continue;
            }
        };
        let url = content.url.as_deref();
        if let (Some(host), Some(url)) = (site_of(url), url) {
            reservoir.offer(&host, url, content.content_type.as_deref(), &content.bytes);
        }
    }
}
