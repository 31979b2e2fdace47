//! The pages that fitness is measured on.

use crate::eval::SplitMix64;
use forest_sources::gold::{Collection, GoldPage, GoldSite};

/// A page of one of some collections.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PagePlace {
    /// The collection's place.
    pub collection: usize,
    /// The page's place in [`Collection::pages`].
    pub page: usize,
}

/// A random sample of scored pages, stratified by collection and then site: the collections
/// take turns, in each the sites, in a random order. In the order of collections and pages;
/// fewer than `size` if there are no more. Only sites for which `is_in` returns true are drawn
/// from.
pub fn sample(
    collections: &[Collection],
    size: usize,
    seed: u64,
    is_in: impl Fn(&Collection, &GoldSite) -> bool,
) -> Vec<PagePlace> {
    let mut random = SplitMix64::new(seed);
    let mut turns: Vec<std::vec::IntoIter<usize>> = collections
        .iter()
        .map(|collection| in_turns(collection, &is_in, &mut random).into_iter())
        .collect();
    let mut sample = Vec::new();
    loop {
        let before = sample.len();
        for (collection, pages) in turns.iter_mut().enumerate() {
            if sample.len() < size
                && let Some(page) = pages.next()
            {
                sample.push(PagePlace { collection, page });
            }
        }
        if sample.len() == before {
            sample.sort_unstable();
            return sample;
        }
    }
}

/// A line that names no scored page.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: no scored page `{id}`; a line is <collection>/<site>/<page>")]
pub struct UnknownPage {
    line: usize,
    id: String,
}

/// The pages of a list, a line each: `<collection>/<site>/<page>`. Empty lines do not count. In
/// the order of collections and pages.
///
/// # Errors
///
/// If a line names no scored page of the collections.
pub fn listed(collections: &[Collection], list: &str) -> Result<Vec<PagePlace>, UnknownPage> {
    let mut places = Vec::new();
    for (at, id) in list.lines().map(str::trim).enumerate() {
        if id.is_empty() {
            continue;
        }
        let place = place_of(collections, id).ok_or_else(|| UnknownPage {
            line: at + 1,
            id: id.to_owned(),
        })?;
        places.push(place);
    }
    places.sort_unstable();
    places.dedup();
    Ok(places)
}

fn place_of(collections: &[Collection], id: &str) -> Option<PagePlace> {
    let (name, id) = id.split_once('/')?;
    let collection = collections.iter().position(|one| one.name() == name)?;
    let is_it = |page: &GoldPage| page.id == id && page.gold.is_some();
    let page = collections[collection].pages().iter().position(is_it)?;
    Some(PagePlace { collection, page })
}

/// The scored pages of a collection: of each site one, then of each a second one, and so on.
fn in_turns(
    collection: &Collection,
    is_in: impl Fn(&Collection, &GoldSite) -> bool,
    random: &mut SplitMix64,
) -> Vec<usize> {
    let mut sites: Vec<Vec<usize>> = Vec::new();
    let mut page = 0;
    for site in collection.sites() {
        let pages = page..page + collection.pages_of(site).len();
        page = pages.end;
        let mut scored: Vec<usize> = pages
            .filter(|&at| collection.pages()[at].gold.is_some() && is_in(collection, site))
            .collect();
        random.shuffle(&mut scored);
        sites.push(scored);
    }
    random.shuffle(&mut sites);
    let most = sites.iter().map(Vec::len).max().unwrap_or(0);
    let turn = |turn: usize| sites.iter().filter_map(move |site| site.get(turn).copied());
    (0..most).flat_map(turn).collect()
}
