//! `forest-lab clusters`: sites whose layouts are known, mixed into one, and clustered.
//!
//! The truth of a page is its site and whether it is an article or lists others. Two pages are
//! rightly together where both agree; pairwise precision, recall and F1 count pairs of pages.

use crate::real_lists;
use forest_core::cluster::{PageTraits, cluster};
use forest_core::onepage::ScoredPage;
use forest_html::page::{Page, Source};
use forest_sources::gold::Collection;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Measure the clusters of sites that are mixed, pair by pair
///
/// The sites that stand in both folders, alone and so many together.
#[derive(Debug, clap::Args)]
pub struct ClustersArgs {
    /// Articles: a folder with `<site>/<page>.html.gz` and `<site>/<page>.json`.
    #[arg(value_name = "ARTICLES")]
    articles: PathBuf,
    /// Lists of the same sites: a folder with `<site>/<snapshot>/<page>.html.gz` and truth.json.
    #[arg(value_name = "LISTS")]
    lists: PathBuf,
    /// Mix so many sites, besides each alone.
    #[arg(long, default_value_t = 4)]
    mixed: usize,
}

/// A page as it was saved.
struct LayoutExample {
    is_list: bool,
    url: Option<String>,
    bytes: Vec<u8>,
}

/// A page with its truth.
#[derive(Clone)]
struct LabelledPage {
    layout: (String, bool),
    traits: PageTraits,
}

/// Pairs of pages.
#[derive(Default)]
struct PairCounts {
    right: u64,
    together: u64,
    alike: u64,
    unfit: usize,
    pages: usize,
}

impl PairCounts {
    fn of(pages: &[&LabelledPage]) -> PairCounts {
        let traits: Vec<PageTraits> = pages.iter().map(|page| page.traits.clone()).collect();
        let found = cluster(&traits);
        let pairs = |n: &u64| n * n.saturating_sub(1) / 2;
        let mut both: BTreeMap<(usize, &(String, bool)), u64> = BTreeMap::new();
        let mut clusters: BTreeMap<usize, u64> = BTreeMap::new();
        let mut layouts: BTreeMap<&(String, bool), u64> = BTreeMap::new();
        for (page, of) in pages.iter().zip(&found.of_page) {
            *layouts.entry(&page.layout).or_default() += 1;
            if let Some(of) = of {
                *both.entry((*of, &page.layout)).or_default() += 1;
                *clusters.entry(*of).or_default() += 1;
            }
        }
        PairCounts {
            right: both.values().map(pairs).sum(),
            together: clusters.values().map(pairs).sum(),
            alike: layouts.values().map(pairs).sum(),
            unfit: found.of_page.iter().filter(|of| of.is_none()).count(),
            pages: pages.len(),
        }
    }

    /// Precision, recall, F1.
    fn figures(&self) -> [f64; 3] {
        let share = |of: u64| self.right as f64 / of.max(1) as f64;
        let (p, r) = (share(self.together), share(self.alike));
        [
            p,
            r,
            if p + r > 0.0 {
                2.0 * p * r / (p + r)
            } else {
                0.0
            },
        ]
    }
}

/// Runs the command.
pub fn run(args: &ClustersArgs) -> anyhow::Result<()> {
    let mut sites: BTreeMap<String, Vec<LayoutExample>> = BTreeMap::new();
    for list in real_lists::read(&args.lists)? {
        let page = LayoutExample {
            is_list: true,
            url: list.url,
            bytes: list.bytes,
        };
        sites.entry(list.site).or_default().push(page);
    }
    for page in Collection::open(&args.articles)?.pages() {
        if let Some(pages) = sites.get_mut(page.site()) {
            pages.push(LayoutExample {
                is_list: false,
                url: page.url.clone(),
                bytes: page.read()?,
            });
        }
    }
    sites.retain(|_, pages| pages.iter().any(|page| !page.is_list));
    let sites: Vec<Vec<LabelledPage>> = sites
        .into_par_iter()
        .map(|(site, pages)| {
            let known = pages.into_iter().map(|raw| {
                let source = Source {
                    url: raw.url.as_deref(),
                    ..Source::default()
                };
                let page = ScoredPage::from(Page::parse(&raw.bytes, source));
                LabelledPage {
                    layout: (site.clone(), raw.is_list),
                    traits: PageTraits::of(&page, raw.url.as_deref()),
                }
            });
            known.collect()
        })
        .collect();
    println!("| sites together | mixes | pages | precision | recall | F1 | least F1 | fit none |");
    println!("| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    for together in [1, args.mixed.max(1), sites.len()] {
        let mixes = sites.chunks(together);
        let counts: Vec<PairCounts> = mixes
            .map(|mix| PairCounts::of(&mix.iter().flatten().collect::<Vec<_>>()))
            .collect();
        let mean = |at: usize| {
            counts.iter().map(|c| c.figures()[at]).sum::<f64>() / counts.len().max(1) as f64
        };
        let least = counts.iter().map(|c| c.figures()[2]).fold(1.0, f64::min);
        println!(
            "| {together} | {} | {} | {:.3} | {:.3} | {:.3} | {least:.3} | {} |",
            counts.len(),
            counts.iter().map(|c| c.pages).sum::<usize>(),
            mean(0),
            mean(1),
            mean(2),
            counts.iter().map(|c| c.unfit).sum::<usize>()
        );
    }
    Ok(())
}
