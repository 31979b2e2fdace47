//! Good pages from sources: what is gone, on another host or no page is replaced
//! by what comes next.

use super::report;
use crate::cli::Global;
use crate::cli::progress::Progress;
use crate::cli::source::{Lead, Loaded, Opened, Sources, Trouble, load};
use forest::address::site_of;
use forest::learn::{SamplePage, TRIES_A_PAGE, keep_good};
use forest::text::sha256_hex;
use rayon::prelude::*;
use std::collections::BTreeSet;

/// Sites that are learned at once from pages without a feed: it bounds the pages
/// that are held.
const MAX_SITES: usize = 100;

/// The pages of one site.
#[derive(Debug, Default)]
pub struct Sample {
    /// The source, or the host.
    pub name: String,
    /// The feed that they come from.
    pub feed: Option<String>,
    /// The site's name, where it is not the host of the pages.
    pub site: Option<String>,
    /// Good pages, and pages of other hosts.
    pub pages: Vec<SamplePage>,
    good: usize,
    /// The folders of the pages that have an address.
    folders: BTreeSet<String>,
}

/// `want` good pages of a feed, or as many as it has.
pub fn of_feed(
    sources: &Sources<'_>,
    opened: Opened,
    want: usize,
    global: &Global,
) -> anyhow::Result<Sample> {
    let mut sample = Sample {
        name: opened.name,
        feed: opened.feed,
        ..Sample::default()
    };
    let progress = global.progress("fetching pages", None);
    let mut leads = opened.leads.take(want.saturating_mul(TRIES_A_PAGE));
    while sample.good < want {
        let batch: Vec<_> = leads.by_ref().take(want - sample.good).collect();
        if batch.is_empty() {
            break;
        }
        for page in pages_of(sources, batch, &progress, global)? {
            sample.folder_as_site(&page);
            sample.pages.push(page.sample);
        }
        sample.judge(want, global);
    }
    Ok(sample)
}

/// Up to `want` good pages of each host; of each folder, where pages have no
/// address. With `one_site` all are of one.
pub fn by_host(
    sources: &Sources<'_>,
    opened: Vec<Opened>,
    want: usize,
    one_site: bool,
    global: &Global,
) -> anyhow::Result<Vec<Sample>> {
    let names: Vec<String> = opened.iter().map(|o| o.name.clone()).collect();
    let feed = match opened.as_slice() {
        [one] => one.feed.clone(),
        _ => None,
    };
    let mut samples: Vec<(String, Sample)> = Vec::new();
    let mut too_many = false;
    let progress = global.progress("reading pages", None);
    let mut leads = opened.into_iter().flat_map(|o| o.leads);
    loop {
        let full = |lead: &Result<Lead, Trouble>| {
            let Ok(lead) = lead else { return false };
            let key = key_of(lead.url().as_deref(), lead.folder.as_deref(), one_site);
            samples
                .iter()
                .any(|(known, sample)| *known == key && sample.good >= want)
        };
        let batch: Vec<_> = leads
            .by_ref()
            .filter(|lead| !full(lead))
            .take(want)
            .collect();
        if batch.is_empty() {
            break;
        }
        for page in pages_of(sources, batch, &progress, global)? {
            let url = page.sample.page.url();
            let key = key_of(url, page.folder.as_deref(), one_site);
            let at = match samples.iter().position(|(known, _)| *known == key) {
                Some(at) => at,
                None if samples.len() == MAX_SITES => {
                    too_many = true;
                    continue;
                }
                None => {
                    let sample = Sample {
                        name: match key.is_empty() {
                            true => names.join(" "),
                            false => key.clone(),
                        },
                        feed: feed.clone(),
                        ..Sample::default()
                    };
                    samples.push((key, sample));
                    samples.len() - 1
                }
            };
            let sample = &mut samples[at].1;
            sample.folder_as_site(&page);
            sample.pages.push(page.sample);
        }
        for (_, sample) in samples.iter_mut().filter(|(_, sample)| sample.good < want) {
            sample.judge(want, global);
        }
    }
    if too_many {
        global.warn(format_args!(
            "{}: more than {MAX_SITES} hosts; the pages of the others are left out: \
             give them in sources of their own",
            names.join(" ")
        ));
    }
    let samples = samples.into_iter().map(|(_, sample)| sample).collect();
    let mut samples = beside_others(samples, want, global);
    if samples.is_empty() {
        samples.push(Sample {
            name: names.join(" "),
            ..Sample::default()
        });
    }
    Ok(samples)
}

/// Puts pages without an address to those of their site: the one whose pages are in the
/// same folder. Where these are of several sites nobody knows which it is, and they are
/// left out.
fn beside_others(samples: Vec<Sample>, want: usize, global: &Global) -> Vec<Sample> {
    let is_of_others = |sample: &Sample| {
        let folder = sample.site.as_ref();
        folder.is_some_and(|folder| samples.iter().any(|of| of.folders.contains(folder)))
    };
    let is_nameless: Vec<bool> = samples.iter().map(is_of_others).collect();
    let (mut sites, mut nameless) = (Vec::new(), Vec::new());
    for (sample, is_nameless) in samples.into_iter().zip(is_nameless) {
        match is_nameless {
            true => nameless.push(sample),
            false => sites.push(sample),
        }
    }
    for sample in nameless {
        let folder = sample.site.unwrap_or_default();
        let mut of = sites.iter_mut().filter(|of| of.folders.contains(&folder));
        match (of.next(), of.next()) {
            (Some(site), None) => {
                site.pages.extend(sample.pages);
                site.judge(want, global);
            }
            _ => {
                for page in sample.pages {
                    global.warn(format_args!(
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

/// What tells the sites of a pool apart.
fn key_of(url: Option<&str>, folder: Option<&str>, one_site: bool) -> String {
    if one_site {
        return String::new();
    }
    site_of(url)
        .or_else(|| folder.map(str::to_owned))
        .unwrap_or_default()
}

struct Parsed {
    sample: SamplePage,
    folder: Option<String>,
}

impl Sample {
    /// Pages without an address are of the site that their folder is named for.
    fn folder_as_site(&mut self, page: &Parsed) {
        match page.sample.page.url() {
            Some(_) => {
                self.site = None;
                self.folders.extend(page.folder.clone());
            }
            None if self.pages.is_empty() => self.site.clone_from(&page.folder),
            None => {}
        }
    }

    /// Drops what is not good, each with a line, and good pages beyond `want`.
    fn judge(&mut self, want: usize, global: &Global) {
        self.good = keep_good(&mut self.pages, want, |page, verdict| {
            global.warn(report::line(page, verdict));
        });
    }
}

fn pages_of(
    sources: &Sources<'_>,
    batch: Vec<Result<Lead, Trouble>>,
    progress: &Progress,
    global: &Global,
) -> anyhow::Result<Vec<Parsed>> {
    let limit = sources.page_limit();
    let leads = sources.fetch(batch, || progress.step())?;
    let pages: Vec<Result<Parsed, Trouble>> = leads
        .into_par_iter()
        .map(|lead| lead.and_then(|lead| load(lead, limit)).map(parsed))
        .collect();
    let pages = pages.into_iter().filter_map(|page| match page {
        Ok(page) => Some(page),
        Err(trouble) => {
            let name = trouble.url.as_ref().unwrap_or(&trouble.id);
            global.warn(format_args!("{name}: left out: {}", trouble.reason));
            None
        }
    });
    Ok(pages.collect())
}

fn parsed(loaded: Loaded) -> Parsed {
    let page = loaded.parse();
    let name = loaded.here.url.unwrap_or(loaded.id);
    let mut sample = SamplePage::new(page, name);
    sample.sha256 = sha256_hex(&loaded.here.bytes);
    if let Some(item) = loaded.item {
        sample = sample.with_item(&item);
    }
    Parsed {
        sample,
        folder: loaded.folder,
    }
}
