//! Pages that list articles, polled as feeds: HTML at the address of a feed is read by the
//! wrapper of its site's list, which is learned again when the page is made in another way.

use crate::clock::rfc3339;
use chrono::{DateTime, Utc};
use forest_archive::FeedRow;
use forest_core::extract::list::{ListExtractor, ListItem, ListedItems};
use forest_core::feed::{Feed, FeedDate, FeedItem, FeedVersion, SitemapFile};
use forest_core::learn::list::{self, ListOptions};
use forest_core::wrapper::list::{ListWrapper, ListWrapperFile};
use forest_fetch::Visited;
use forest_html::address::{bare_host, bare_site, page_key, site_of};
use forest_html::page::{Page, Source};
use std::collections::HashSet;
use url::Url;

/// The page in an answer.
pub(super) fn page_in(visited: &Visited) -> Page {
    let source = Source {
        url: Some(visited.url.as_str()),
        content_type: visited.content_type.as_deref(),
    };
    // The fetcher has bounded the body already.
    let body = &visited.body;
    Page::parse_within(body, source, body.len(), |text| text)
}

/// A list of articles as a feed. The names of its items are the keys of their pages: an item
/// that moves down, leaves the list or comes back is the same.
pub(super) fn feed_of(page: &Page, listed: ListedItems) -> Feed {
    let metadata = page.metadata();
    Feed {
        format: FeedVersion::List,
        title: metadata.title.clone().unwrap_or_default(),
        description: None,
        language: metadata.language.clone(),
        site: page.url().and_then(|url| Url::parse(url).ok()),
        image: None,
        ttl: None,
        items: items_of(listed.items),
        warnings: Vec::new(),
    }
}

/// Items from which a parameter of all their addresses tells no pages apart.
const MIN_ALIKE: usize = 3;

fn items_of(items: Vec<ListItem>) -> Vec<FeedItem> {
    let urls: Vec<Option<Url>> = items
        .iter()
        .map(|item| Url::parse(&item.url).ok())
        .collect();
    let shared = shared_parameters(&urls);
    let named = items.into_iter().zip(urls);
    named
        .map(|(item, url)| item_of(item, url, &shared))
        .collect()
}

/// Parameters that all addresses have with one value: of a session, of the list itself.
fn shared_parameters(urls: &[Option<Url>]) -> HashSet<(String, String)> {
    let mut all = urls.iter().flatten().map(|url| {
        let pairs = url.query_pairs();
        pairs.into_owned().collect::<HashSet<(String, String)>>()
    });
    let Some(first) = all.next().filter(|_| urls.len() >= MIN_ALIKE) else {
        return HashSet::new();
    };
    all.fold(first, |shared, own| {
        shared.intersection(&own).cloned().collect()
    })
}

/// The name of an item's page: the key of its address without what all addresses share.
fn name_of(url: &Url, shared: &HashSet<(String, String)>) -> String {
    let mut own = url.clone();
    let pairs = url.query_pairs().into_owned();
    let left: Vec<(String, String)> = pairs.filter(|pair| !shared.contains(pair)).collect();
    own.set_query(None);
    if !left.is_empty() {
        own.query_pairs_mut().extend_pairs(left);
    }
    page_key(own.as_str())
}

fn item_of(item: ListItem, url: Option<Url>, shared: &HashSet<(String, String)>) -> FeedItem {
    FeedItem {
        id: url
            .as_ref()
            .map_or_else(|| page_key(&item.url), |url| name_of(url, shared)),
        title: item.title.unwrap_or_default(),
        summary: item.summary.unwrap_or_default(),
        link: url,
        published: item.date.map(FeedDate::of),
        authors: item.author.into_iter().collect(),
        image: item.image.and_then(|url| Url::parse(&url).ok()),
        ..FeedItem::default()
    }
}

/// A list that was polled.
#[derive(Debug)]
pub(super) struct PolledList {
    pub feed: Feed,
    /// Its wrapper, if it was learned now.
    pub learned: Option<ListWrapper>,
    /// The address of the list's next page, if none of its items is known: there may be more
    /// that are new.
    pub next: Option<Url>,
}

/// Pages of a list that are read after its first, at the most, when all items of the ones before
/// are new.
const MAX_FURTHER_PAGES: usize = 5;

/// A list with more new items than its first page has.
#[derive(Debug)]
pub(super) struct ListGap {
    pub feed: FeedRow,
    /// The page that is to be read.
    pub url: Url,
    /// Pages that may be read, that one included.
    left: usize,
}

impl ListGap {
    /// A list that goes on at an address.
    pub fn new(feed: FeedRow, url: Url) -> ListGap {
        let left = MAX_FURTHER_PAGES;
        ListGap { feed, url, left }
    }

    /// A file of an index of sitemaps: it may be an index of others.
    pub fn of_sitemap(feed: FeedRow, url: Url) -> ListGap {
        let left = 2;
        ListGap { feed, url, left }
    }

    /// The files of the index that this one is.
    pub fn files(&self, files: Vec<SitemapFile>) -> Vec<ListGap> {
        let left = self.left - 1;
        let files = files.into_iter().filter(|_| left > 0);
        let gap = |file: SitemapFile| ListGap {
            feed: self.feed.clone(),
            url: file.url,
            left,
        };
        files.map(gap).collect()
    }

    /// The same list behind that page; `None` if no more pages are to be read.
    pub fn behind(self, next: Option<Url>) -> Option<ListGap> {
        let left = self.left - 1;
        let url =
            next.filter(|next| left > 0 && page_key(next.as_str()) != page_key(self.url.as_str()))?;
        Some(ListGap { url, left, ..self })
    }
}

/// The next page of a list, if it is of the list's own site.
pub(super) fn next_page(page: &Page, listed: &ListedItems) -> Option<Url> {
    let next = Url::parse(listed.next.as_deref()?).ok()?;
    let site = site_of(page.url())?;
    is_of_site(&next, &site).then_some(next)
}

/// True of an address of a site, with `www.` or without.
pub(super) fn is_of_site(url: &Url, site: &str) -> bool {
    bare_site(url).is_some_and(|own| own == bare_host(site))
}

/// The answer to a visit of a list's page; the reason, if it is no page.
pub(super) fn received(outcome: Result<Visited, String>) -> Result<Visited, String> {
    let visited = outcome?;
    match visited.status {
        200..=299 => Ok(visited),
        status => Err(format!("status {status}")),
    }
}

/// The list of a page, by a known wrapper or one that is learned now; the reason, if there is
/// none.
pub(super) fn found(
    page: &Page,
    known: Option<ListWrapper>,
    now: DateTime<Utc>,
) -> Result<PolledList, String> {
    if let Some(wrapper) = known {
        return read(page, wrapper);
    }
    let wrapper = learned(page, None, now).ok_or("no group of its links is a list of articles")?;
    let read = read(page, wrapper.clone())?;
    Ok(PolledList {
        learned: Some(wrapper),
        ..read
    })
}

/// The list of a page that is polled. Where its wrapper gives no item, none that is known, or
/// far fewer than before, the list is learned again: of the new wrapper more items must be
/// known. `is_known` tells if the archive has an item of this name.
pub(super) fn polled(
    page: &Page,
    file: ListWrapperFile,
    is_first: bool,
    is_known: impl Fn(&str) -> crate::Result<bool>,
    now: DateTime<Utc>,
) -> crate::Result<Result<PolledList, String>> {
    let count = |feed: &Feed| -> crate::Result<usize> {
        let known: crate::Result<Vec<bool>> = feed.items.iter().map(|i| is_known(&i.id)).collect();
        Ok(known?.into_iter().filter(|known| *known).count())
    };
    let least = file
        .wrapper
        .evidence
        .as_ref()
        .and_then(|e| e.items.iter().min().copied());
    let site = file.wrapper.site.clone();
    let old = read(page, file.wrapper);
    let (items, known) = match &old {
        Ok(list) => (list.feed.items.len(), count(&list.feed)?),
        Err(_) => (0, 0),
    };
    let has_shrunk = least.is_some_and(|least| SHRUNK * items < least);
    let fits = items > 0 && !has_shrunk && (known > 0 || is_first);
    if !fits
        && !file.edited
        && let Some(wrapper) = learned(page, Some(site), now)
        && let Ok(read) = read(page, wrapper.clone())
        && count(&read.feed)? > known
    {
        return Ok(Ok(PolledList {
            learned: Some(wrapper),
            next: None,
            ..read
        }));
    }
    let has_gap = known == 0 && !is_first;
    Ok(old.map(|list| PolledList {
        next: list.next.filter(|_| has_gap),
        ..list
    }))
}

/// A list with so many times fewer items than when it was learned may be another.
const SHRUNK: usize = 3;

fn learned(page: &Page, site: Option<String>, now: DateTime<Utc>) -> Option<ListWrapper> {
    let options = ListOptions {
        site,
        learned: Some(rfc3339(now)),
        ..ListOptions::default()
    };
    list::learn(&[page], &options).wrapper
}

/// The list that a page is by its wrapper; the reason, if it has no items.
fn read(page: &Page, wrapper: ListWrapper) -> Result<PolledList, String> {
    let extractor = ListExtractor::new(wrapper).map_err(|error| error.to_string())?;
    let listed = extractor.apply(page);
    if listed.items.is_empty() {
        return Err("the wrapper of its list selects no item".to_owned());
    }
    let next = next_page(page, &listed);
    Ok(PolledList {
        feed: feed_of(page, listed),
        learned: None,
        next,
    })
}
