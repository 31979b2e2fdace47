//! A survey of all pages of sources without a feed: their sites, their clusters, and a sample of
//! each cluster.
//!
//! The pages are read once. Of each its [traits](PageTraits) are kept; whole pages are kept,
//! compressed, by a seeded [reservoir](HostReservoir) of those with which they are likely to
//! share a cluster, so that memory does not grow with what the pages hold. The sample of a
//! cluster is drawn evenly from all its pages.

use super::site::{SiteSample, parsed};
use crate::error::{Error, Result};
use crate::sources::{FoundPage, LoadedPage, PageContent, PageList, PageLocation, Sources, load};
use forest_core::cluster::{Clustering, PageTraits, cluster};
use forest_core::explain::sample_line;
use forest_core::kind::PageKind;
use forest_core::learn::{
    ClusterSample, HostReservoir, ReservoirBounds, SamplePage, SampledPage, keep_good,
};
use forest_core::onepage::ScoredPage;
use forest_html::address::{AddressShape, site_of};
use forest_html::error::counted;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Sites that are learned at once from pages without a feed.
const MAX_SITES: usize = 100;

/// Whole pages that are kept of each group for a page of the sample: some are copies, or say
/// nothing.
const KEPT_A_PAGE: usize = 4;

/// Pages on the Web that are fetched of a host's addresses of one shape for a page of the sample.
const FETCHED_A_PAGE: usize = 2;

/// Bytes of whole pages that are kept, compressed.
const MAX_KEPT_BYTES: usize = 500_000_000;

/// Groups of pages, those of all sites together.
const MAX_GROUPS: usize = 100_000;

/// The seed of the draws: the same pages give the same sample.
const SEED: u64 = 1;

/// A page that was read, without what it holds.
struct SurveyedPage {
    name: String,
    folder: Option<String>,
    /// The site that its address is of, else that of the address it says is its own.
    site: Option<String>,
    has_address: bool,
    traits: PageTraits,
}

impl SurveyedPage {
    fn of(loaded: &LoadedPage) -> SurveyedPage {
        let page = ScoredPage::from(loaded.parse());
        let canonical = page.metadata().canonical.clone();
        let address = page.url().or(canonical.as_deref());
        let traits = PageTraits::of(&page, address);
        SurveyedPage {
            name: loaded
                .content
                .url
                .clone()
                .unwrap_or_else(|| loaded.id.clone()),
            folder: loaded.folder.clone(),
            site: site_of(page.url()).or_else(|| site_of(canonical.as_deref())),
            has_address: loaded.content.url.is_some(),
            traits,
        }
    }

    /// Pages that may share a cluster: those of a site and kind whose patterns have the same
    /// least hash, as most pages of a template do.
    fn group(&self) -> String {
        let site = self.site.as_ref().or(self.folder.as_ref());
        let site = site.map_or("", String::as_str);
        let is_list = self.traits.kind().is_list();
        format!("{site} {is_list} {}", self.traits.draw_group())
    }
}

/// Surveys the pages of sources without a feed.
pub(super) struct Surveyor<'a> {
    pub sources: &'a Sources,
    pub want: usize,
    pub warn: &'a dyn Fn(String),
    pub on_page: &'a dyn Fn(),
}

/// The pages that were read.
struct Survey {
    pages: Vec<SurveyedPage>,
    kept: HostReservoir,
}

impl Surveyor<'_> {
    /// The samples of the sites; with `one_site` all pages are of one.
    pub fn samples(&self, opened: Vec<PageList>, one_site: bool) -> Result<Vec<SiteSample>> {
        let names: Vec<String> = opened.iter().map(|o| o.name.clone()).collect();
        let Survey { pages, kept } = self.read(opened)?;
        if kept.left_out() > 0 {
            let left_out = counted(kept.left_out() as usize, "page", "pages");
            (self.warn)(format!(
                "{left_out} of layouts beyond the first {MAX_GROUPS} cannot be sampled: give the \
                 sites in sources of their own"
            ));
        }
        let mut kept: HashMap<String, (usize, SampledPage)> = kept
            .into_drawn()
            .into_iter()
            .enumerate()
            .map(|(at, page)| (page.url.clone(), (at, page)))
            .collect();
        let mut samples = Vec::new();
        for (key, own) in self.sites(&pages, one_site, &names) {
            let own: Vec<&SurveyedPage> = own.iter().map(|&at| &pages[at]).collect();
            let mut sample = SiteSample {
                name: match key.as_str() {
                    "" => names.join(" "),
                    key => key.to_owned(),
                },
                ..SiteSample::default()
            };
            let is_named = !key.is_empty() && own.iter().all(|page| !page.has_address);
            sample.site = is_named.then_some(key);
            self.add_clusters(&mut sample, &own, &mut kept);
            samples.push(sample);
        }
        if samples.is_empty() {
            samples.push(SiteSample {
                name: names.join(" "),
                ..SiteSample::default()
            });
        }
        Ok(samples)
    }

    /// Reads all pages.
    fn read(&self, opened: Vec<PageList>) -> Result<Survey> {
        let mut survey = Survey {
            pages: Vec::new(),
            kept: HostReservoir::new(
                SEED,
                ReservoirBounds {
                    per_host: self.want.saturating_mul(KEPT_A_PAGE),
                    hosts: MAX_GROUPS,
                    bytes: MAX_KEPT_BYTES,
                },
            ),
        };
        let skipped = Arc::new(AtomicUsize::new(0));
        let refs = opened.into_iter().flat_map(|list| list.pages);
        let refs = few_of_a_shape(refs, self.want.saturating_mul(FETCHED_A_PAGE), &skipped);
        let limit = self.sources.page_limit();
        let look =
            |_, page| load(page, limit).map(|loaded| (SurveyedPage::of(&loaded), loaded.content));
        self.sources.for_each_page(Box::new(refs), look, |page| {
            (self.on_page)();
            match page {
                Ok((page, content)) => survey.add(page, &content),
                Err(error) => {
                    let name = error.url.as_ref().unwrap_or(&error.id);
                    (self.warn)(format!("{name}: left out: {}", error.reason));
                }
            }
            Ok::<_, Error>(())
        })?;
        match skipped.load(Ordering::Relaxed) {
            0 => {}
            n => (self.warn)(format!(
                "{} not fetched: as many pages at addresses like theirs were",
                counted(n, "page was", "pages were")
            )),
        }
        Ok(survey)
    }

    /// The pages of each site, by their places, in the order of their first pages. Pages
    /// without an address are of the site whose pages are in their folder, else of one that is
    /// named for it.
    fn sites(
        &self,
        pages: &[SurveyedPage],
        one_site: bool,
        names: &[String],
    ) -> Vec<(String, Vec<usize>)> {
        let mut of_folder: HashMap<&str, BTreeSet<&str>> = HashMap::new();
        for page in pages {
            if let (Some(folder), Some(site)) = (&page.folder, &page.site) {
                of_folder.entry(folder).or_default().insert(site);
            }
        }
        let mut sites: Vec<(String, Vec<usize>)> = Vec::new();
        let mut places: HashMap<&str, usize> = HashMap::new();
        let mut too_many = false;
        for (at, page) in pages.iter().enumerate() {
            let folder = page.folder.as_deref().unwrap_or_default();
            let beside = of_folder.get(folder);
            let key = match (
                &page.site,
                beside.map(|sites| sites.iter().collect::<Vec<_>>()),
            ) {
                _ if one_site => "",
                (Some(site), _) => site,
                (None, None) => folder,
                (None, Some(sites)) if sites.len() == 1 => sites[0],
                (None, Some(_)) => {
                    (self.warn)(format!(
                        "{}: left out: it has no address, and the pages in its folder are of \
                         several sites",
                        page.name
                    ));
                    continue;
                }
            };
            let place = match places.get(key) {
                Some(&place) => place,
                None if sites.len() == MAX_SITES => {
                    too_many = true;
                    continue;
                }
                None => {
                    sites.push((key.to_owned(), Vec::new()));
                    places.insert(key, sites.len() - 1);
                    sites.len() - 1
                }
            };
            sites[place].1.push(at);
        }
        if too_many {
            (self.warn)(format!(
                "{}: more than {MAX_SITES} hosts; the pages of the others are left out: \
                 give them in sources of their own",
                names.join(" ")
            ));
        }
        sites
    }

    /// Adds the clusters of a site's pages, with a sample of each, to that of the site.
    fn add_clusters(
        &self,
        sample: &mut SiteSample,
        own: &[&SurveyedPage],
        kept: &mut HashMap<String, (usize, SampledPage)>,
    ) {
        let traits: Vec<PageTraits> = own.iter().map(|page| page.traits.clone()).collect();
        let clustering = cluster(&traits);
        let limit = self.sources.page_limit();
        for (at, of) in clustering.clusters.iter().enumerate() {
            let members = own.iter().zip(&clustering.of_page).enumerate();
            let members = members.filter(|(_, (_, cluster))| **cluster == Some(at));
            let drawn = members.filter_map(|(place, (page, _))| {
                let (draw, content) = kept.remove(&page.name)?;
                Some((draw, place, content, *page))
            });
            let mut drawn: Vec<_> = drawn.collect();
            drawn.sort_by_key(|(draw, ..)| *draw);
            let pages = drawn
                .into_iter()
                .map(|(_, place, content, page)| (place, sample_page(content, page, limit)));
            let is_learned = is_learned(&clustering, at);
            let (pages, others) = if is_learned {
                (self.good_of(pages), Vec::new())
            } else {
                let others = pages.take(self.want).map(|(_, page)| page);
                (Vec::new(), others.collect())
            };
            let first = sample.pages.len();
            sample.pages.extend(pages);
            sample.clusters.push(ClusterSample {
                pages: of.pages,
                kind: of.kind,
                learned_from: first..sample.pages.len(),
                others,
            });
        }
        let all = own.iter().zip(&clustering.of_page);
        let in_none = all.filter(|(_, cluster)| cluster.is_none());
        for (page, _) in in_none.clone().take(self.want) {
            let name = &page.name;
            (self.warn)(format!(
                "{name}: left out: no other page of its site is made like it"
            ));
        }
        sample.in_none = in_none.count();
    }

    /// The first good pages of those that were drawn, as many as are wanted, in the order of the
    /// source.
    fn good_of(&self, drawn: impl Iterator<Item = (usize, SamplePage)>) -> Vec<SamplePage> {
        let (mut pages, mut places) = (Vec::<SamplePage>::new(), HashMap::new());
        let (mut good, mut drawn) = (0, drawn.peekable());
        while good < self.want && drawn.peek().is_some() {
            for (place, page) in drawn.by_ref().take(self.want - good) {
                places.insert(page.name.clone(), place);
                pages.push(page);
            }
            pages.sort_by_key(|page| places.get(&page.name).copied());
            good = keep_good(&mut pages, self.want, |page, verdict| {
                (self.warn)(sample_line(page, verdict));
            });
        }
        pages
    }
}

impl Survey {
    fn add(&mut self, page: SurveyedPage, content: &PageContent) {
        let content_type = content.content_type.as_deref();
        self.kept
            .offer(&page.group(), &page.name, content_type, &content.bytes);
        self.pages.push(page);
    }
}

/// True if a cluster is learned from: one of articles, or of the kind of which the site has most
/// pages that are no lists; the only cluster whatever it is.
fn is_learned(clustering: &Clustering, at: usize) -> bool {
    let pages_of = |kind: PageKind| {
        let of_kind = clustering.clusters.iter().filter(|of| of.kind == kind);
        of_kind.map(|of| of.pages).sum::<usize>()
    };
    let kinds = PageKind::ALL.into_iter().filter(|kind| !kind.is_list());
    let leading = kinds.rev().max_by_key(|&kind| pages_of(kind));
    let kind = clustering.clusters[at].kind;
    clustering.clusters.len() == 1
        || kind == PageKind::Article
        || leading == Some(kind) && !kind.is_list()
}

/// Leaves out pages on the Web if `most` of their host at addresses of the same shape are fetched
/// already, and counts them.
fn few_of_a_shape(
    pages: impl Iterator<Item = FoundPage> + Send + 'static,
    most: usize,
    skipped: &Arc<AtomicUsize>,
) -> impl Iterator<Item = FoundPage> + Send + 'static {
    let mut fetched: HashMap<(Option<String>, Option<AddressShape>), usize> = HashMap::new();
    let skipped = Arc::clone(skipped);
    pages.filter(move |page| {
        let Ok(PageLocation::Web(url)) = page.as_ref().map(|page| &page.location) else {
            return true;
        };
        let shape = AddressShape::of(url.as_str()).map(AddressShape::coarse);
        let count = fetched
            .entry((site_of(Some(url.as_str())), shape))
            .or_default();
        *count += 1;
        if *count > most {
            skipped.fetch_add(1, Ordering::Relaxed);
        }
        *count <= most
    })
}

/// A page of the reservoir, parsed again.
fn sample_page(kept: SampledPage, page: &SurveyedPage, limit: usize) -> SamplePage {
    let content = PageContent {
        bytes: kept.bytes(),
        url: page.has_address.then_some(kept.url),
        content_type: kept.content_type,
        ..PageContent::default()
    };
    let mut loaded = LoadedPage::of_content(content, limit);
    loaded.id.clone_from(&page.name);
    parsed(loaded).sample
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::PageRef;
    use url::Url;

    #[test]
    fn of_a_host_few_pages_of_one_shape_of_address_are_fetched() {
        let web = |host: usize, path: String| {
            let url = format!("https://h{host}.example/{path}");
            Ok(PageRef::web(Url::parse(&url).expect("an address")))
        };
        let pages = (0..1000).map(move |n| match n % 4 {
            0 => web(1, format!("news/2026/05/story-{n}")),
            1 => web(1, format!("sport/2025/11/match-{n}")),
            2 => web(2, format!("news/2026/05/story-{n}")),
            _ => web(1, format!("topics/a-{n}?page={n}")),
        });
        let skipped = Arc::new(AtomicUsize::new(0));
        let fetched = few_of_a_shape(pages, 20, &skipped);
        // The sections of a host have one shape.
        assert_eq!(fetched.count(), 60);
        assert_eq!(skipped.load(Ordering::Relaxed), 940);
        let saved = (0..100).map(|n| Ok(PageRef::of_bytes(&n.to_string(), Vec::new())));
        assert_eq!(few_of_a_shape(saved, 20, &skipped).count(), 100);
    }
}
