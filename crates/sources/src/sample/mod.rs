//! Good pages from sources: a page that is gone, on another host or no article is replaced
//! by the next one.

use crate::error::{Error, Result};
use crate::sources::{
    FoundPage, LoadedPage, PageContent, PageList, PageLocation, PageRefs, Sources, load,
};
use forest_core::explain::sample_line;
use forest_core::learn::{HostReservoir, SamplePage, SampledPage, TRIES_A_PAGE, keep_good};
use forest_html::address::site_of;
use forest_html::text::sha256_hex;
use std::collections::BTreeSet;

/// Sites that are learned at once from pages without a feed: it bounds the pages
/// that are held.
const MAX_SITES: usize = 100;

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
    good: usize,
    /// The folders of the pages that have an address.
    folders: BTreeSet<String>,
}

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
            for page in self.pages_of(batch)? {
                sample.folder_as_site(&page);
                sample.pages.push(page.sample);
            }
            sample.judge(want, self.warn);
        }
        Ok(sample)
    }

    /// Good pages of each host; of each folder, where pages have no address. With `one_site` all
    /// are of one.
    ///
    /// # Errors
    ///
    /// If the network cannot be used.
    pub fn by_host(&self, opened: Vec<PageList>, one_site: bool) -> Result<Vec<SiteSample>> {
        let want = self.want;
        let names: Vec<String> = opened.iter().map(|o| o.name.clone()).collect();
        let feed = match opened.as_slice() {
            [one] => one.feed.clone(),
            _ => None,
        };
        let mut samples: Vec<(String, SiteSample)> = Vec::new();
        let mut too_many = false;
        let mut refs = opened.into_iter().flat_map(|list| list.pages);
        loop {
            let full = |page: &FoundPage| {
                let Ok(page) = page else { return false };
                let key = key_of(page.url().as_deref(), page.folder.as_deref(), one_site);
                samples
                    .iter()
                    .any(|(known, sample)| *known == key && sample.good >= want)
            };
            let batch: Vec<_> = refs
                .by_ref()
                .filter(|page| !full(page))
                .take(want)
                .collect();
            if batch.is_empty() {
                break;
            }
            for page in self.pages_of(batch)? {
                let url = page.sample.page.url();
                let key = key_of(url, page.folder.as_deref(), one_site);
                let Some(sample) = sample_of(&mut samples, key, &names, feed.as_deref()) else {
                    too_many = true;
                    continue;
                };
                sample.folder_as_site(&page);
                sample.pages.push(page.sample);
            }
            for (_, sample) in samples.iter_mut().filter(|(_, sample)| sample.good < want) {
                sample.judge(want, self.warn);
            }
        }
        if too_many {
            (self.warn)(format!(
                "{}: more than {MAX_SITES} hosts; the pages of the others are left out: \
             give them in sources of their own",
                names.join(" ")
            ));
        }
        let samples = samples.into_iter().map(|(_, sample)| sample).collect();
        let mut samples = self.beside_others(samples);
        if samples.is_empty() {
            samples.push(SiteSample {
                name: names.join(" "),
                ..SiteSample::default()
            });
        }
        Ok(samples)
    }

    /// Adds pages without an address to the site whose pages are in the same folder. If the
    /// pages there are of several sites, they are left out.
    fn beside_others(&self, samples: Vec<SiteSample>) -> Vec<SiteSample> {
        let is_of_others = |sample: &SiteSample| {
            let folder = sample.site.as_ref();
            folder.is_some_and(|folder| samples.iter().any(|of| of.folders.contains(folder)))
        };
        let is_nameless: Vec<bool> = samples.iter().map(is_of_others).collect();
        let (mut sites, mut nameless) = (Vec::new(), Vec::new());
        for (sample, is_nameless) in samples.into_iter().zip(is_nameless) {
            let group = if is_nameless {
                &mut nameless
            } else {
                &mut sites
            };
            group.push(sample);
        }
        for sample in nameless {
            let folder = sample.site.unwrap_or_default();
            let mut of = sites.iter_mut().filter(|of| of.folders.contains(&folder));
            match (of.next(), of.next()) {
                (Some(site), None) => {
                    site.pages.extend(sample.pages);
                    site.judge(self.want, self.warn);
                }
                _ => {
                    for page in sample.pages {
                        (self.warn)(format!(
                            "{}: left out: it has no address, and the pages in its folder are of \
                         several sites",
                            page.name
                        ));
                    }
                }
            }
        }
        sites
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

/// The sample of the site with this key, a new one if there is none; `None` beyond the bound.
fn sample_of<'a>(
    samples: &'a mut Vec<(String, SiteSample)>,
    key: String,
    names: &[String],
    feed: Option<&str>,
) -> Option<&'a mut SiteSample> {
    let known = samples.iter().position(|(known, _)| *known == key);
    if known.is_none() && samples.len() == MAX_SITES {
        return None;
    }
    let at = known.unwrap_or_else(|| {
        let sample = SiteSample {
            name: match key.as_str() {
                "" => names.join(" "),
                key => key.to_owned(),
            },
            feed: feed.map(str::to_owned),
            ..SiteSample::default()
        };
        samples.push((key, sample));
        samples.len() - 1
    });
    Some(&mut samples[at].1)
}

/// The key of the site of a page.
fn key_of(url: Option<&str>, folder: Option<&str>, one_site: bool) -> String {
    if one_site {
        return String::new();
    }
    site_of(url)
        .or_else(|| folder.map(str::to_owned))
        .unwrap_or_default()
}

struct ParsedPage {
    sample: SamplePage,
    folder: Option<String>,
}

impl SiteSample {
    /// Pages without an address are of the site that their folder is named for.
    fn folder_as_site(&mut self, page: &ParsedPage) {
        match page.sample.page.url() {
            Some(_) => {
                self.site = None;
                self.folders.extend(page.folder.clone());
            }
            None if self.pages.is_empty() => self.site.clone_from(&page.folder),
            None => {}
        }
    }

    /// Drops pages that are not good, with a warning each, and good pages beyond `want`.
    fn judge(&mut self, want: usize, warn: &dyn Fn(String)) {
        self.good = keep_good(&mut self.pages, want, |page, verdict| {
            warn(sample_line(page, verdict));
        });
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

fn parsed(loaded: LoadedPage) -> ParsedPage {
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
