//! Walks a site's lists back in time: pages that follow by their "next" links, archives by
//! year and month, and the files of its sitemaps.
//!
//! Takes a feed of the archive and the page to begin at; gives the items that the archive has
//! not, as items of that feed. Their pages are visited by a [`Harvest`]. A page of the list is
//! requested as any page: robots.txt and the pause between requests hold.

use super::driver::Harvest;
use super::further_lists::{known_list, unknown_items, write_items};
use super::lists::{feed_of, is_of_site, page_in, received};
use super::sitemaps::{self, resource_of};
use crate::clock::rfc3339;
use crate::error::Result;
use chrono::{DateTime, Utc};
use forest_archive::{Archive, ArchiveReader, FeedRow};
use forest_core::extract::list::ListExtractor;
use forest_core::feed::{ROBOTS_PATH, Sitemap, SitemapIndex, names_sitemap};
use forest_core::learn::list::{ListOptions, learn};
use forest_core::wrapper::list::ListWrapper;
use forest_fetch::{Fetcher, Resource, VisitRequest, Visited, reason};
use forest_html::address::{bare_host, page_key, site_of};
use forest_html::page::Page;
use forest_html::page::links::Base;
use html5ever::local_name;
use std::collections::{BTreeSet, HashSet, VecDeque};
use url::Url;

/// Pages in a row without an item that the walk has not seen, after which it ends: calendars
/// go on for ever.
const MAX_BARREN: usize = 4;

/// Archives by year and month that wait at the most: months of a hundred years.
const MAX_ARCHIVES: usize = 1200;

/// Links of a page that may lead to archives.
const MAX_LINKS: usize = 2000;

/// A page of a list that was read.
#[derive(Debug)]
pub struct WalkedPage {
    pub url: String,
    /// Its items.
    pub items: usize,
    /// Those that the archive has not had.
    pub new: usize,
    /// The reason why it has none.
    pub error: Option<String>,
}

/// The result of a walk.
#[derive(Debug, Default)]
pub struct ListWalk {
    /// Pages that were read.
    pub pages: usize,
    /// The addresses of the items that the archive has not had.
    pub new: Vec<String>,
    /// Pages that are known and were not read, because of the bound.
    pub left: usize,
}

/// The feed at an address, or the first one of a site.
pub fn feed_of_site(site: &str, feeds: Vec<FeedRow>) -> Option<FeedRow> {
    let typed = bare_host(site.trim_end_matches('/'));
    let mut kept = feeds.into_iter().filter(|feed| feed.state != "removed");
    kept.find(|feed| {
        let host = site_of(Some(&feed.url)).unwrap_or_default();
        feed.url == site || bare_host(&host) == typed
    })
}

/// The page at which a walk begins: that which is polled as a list, else the site's home.
/// `None` if neither has an address.
///
/// # Errors
///
/// If the archive cannot be read.
pub fn start_of_walk(
    row: &FeedRow,
    archive: &Archive,
    reader: &ArchiveReader,
) -> Result<Option<Url>> {
    let site = site_of(Some(&row.url)).unwrap_or_default();
    let Ok(url) = Url::parse(&row.url) else {
        return Ok(None);
    };
    if let Some(file) = archive.list_file(&site)? {
        if file.wrapper.pages.contains(&row.url) {
            return Ok(Some(url));
        }
        if let Some(page) = file.wrapper.pages.first() {
            return Ok(Url::parse(page).ok());
        }
    }
    let listed = row
        .listed_home
        .as_deref()
        .and_then(|home| Url::parse(home).ok());
    let profile = reader.feed_profile(&row.url)?;
    let is_sitemap = profile.as_ref().is_some_and(|profile| profile.is_sitemap);
    if is_sitemap || names_sitemap(&url) || url.path() == ROBOTS_PATH {
        return Ok(Some(url));
    }
    let named = profile.and_then(|profile| profile.home);
    Ok(listed.or(named).or_else(|| url.join("/").ok()))
}

/// Reads at most `most` pages of a site's list, the first at `start`, and stores their items as
/// the feed's. The wrapper of the list is learned if the archive has none.
///
/// # Errors
///
/// If the archive cannot be read or written. A page that cannot be read is reported to
/// `on_page`.
pub fn walk_list(
    archive: &mut Archive,
    fetcher: &Fetcher,
    row: &FeedRow,
    start: &Url,
    most: usize,
    now: DateTime<Utc>,
    on_page: &mut dyn FnMut(&WalkedPage),
) -> Result<ListWalk> {
    let mut walk = ListWalk::default();
    let mut route = Route::new(start);
    let mut seen: HashSet<String> = HashSet::new();
    let mut barren = 0;
    while walk.pages < most && barren < MAX_BARREN {
        let Some(url) = route.next() else { break };
        walk.pages += 1;
        let mut read = WalkedPage {
            url: url.to_string(),
            items: 0,
            new: 0,
            error: None,
        };
        match visited(fetcher, &url) {
            Err(why) => read.error = Some(why),
            Ok(visited) if sitemaps::is_sitemap(&visited) => {
                let before = seen.len();
                match sitemaps::file_in(&visited, start.as_str()) {
                    None => read.error = Some("no sitemap of this site".to_owned()),
                    Some(Sitemap::Index(index)) => route.add_files(index),
                    Some(Sitemap::Pages(feed)) => {
                        read.items = feed.items.len();
                        seen.extend(feed.items.iter().map(|item| item.id.clone()));
                        let items = unknown_items(archive, row, *feed)?;
                        read.new = items.len();
                        walk.new.extend(items.iter().map(|item| item.link.clone()));
                        write_items(archive, row, items, now)?;
                        barren = if seen.len() > before { 0 } else { barren + 1 };
                    }
                }
            }
            Ok(visited) => {
                let page = page_in(&visited);
                match extractor(archive, &page, now)? {
                    None => read.error = Some("no list of articles".to_owned()),
                    Some(extractor) => {
                        let listed = extractor.apply(&page);
                        read.items = listed.items.len();
                        route.add(&page, listed.next.as_deref());
                        let feed = feed_of(&page, listed);
                        let before = seen.len();
                        seen.extend(feed.items.iter().map(|item| item.id.clone()));
                        barren = if seen.len() > before { 0 } else { barren + 1 };
                        let items = unknown_items(archive, row, feed)?;
                        read.new = items.len();
                        walk.new.extend(items.iter().map(|item| item.link.clone()));
                        write_items(archive, row, items, now)?;
                    }
                }
            }
        }
        barren += usize::from(read.error.is_some());
        on_page(&read);
    }
    walk.left = route.len();
    Ok(walk)
}

fn visited(fetcher: &Fetcher, url: &Url) -> std::result::Result<Visited, String> {
    let visit = fetcher.visit(&VisitRequest::new(
        url.clone(),
        resource_of(url, Resource::Page),
    ));
    received(visit.map_err(|error| reason(&error)))
}

/// The wrapper of the site's list, which is learned now and kept if there is none; of a page on
/// which it finds nothing (an archive that is made in another way) one that is learned of it,
/// if most of its items have a date: a page without articles has a menu.
fn extractor(archive: &Archive, page: &Page, now: DateTime<Utc>) -> Result<Option<ListExtractor>> {
    let site = site_of(page.url()).unwrap_or_default();
    let known = known_list(archive, page)?;
    let is_known = known.is_some();
    if let Some(extractor) = known
        && !extractor.apply(page).items.is_empty()
    {
        return Ok(Some(extractor));
    }
    let options = ListOptions {
        learned: Some(rfc3339(now)),
        ..ListOptions::default()
    };
    let Some(wrapper) = learn(&[page], &options).wrapper else {
        return Ok(None);
    };
    let evidence = wrapper.evidence.as_ref();
    let is_dated = evidence.is_some_and(|of| 2 * of.dated >= of.items.iter().sum());
    if is_known && !is_dated {
        return Ok(None);
    }
    if !is_known {
        archive.write_list(&ListWrapper {
            site,
            ..wrapper.clone()
        })?;
    }
    Ok(Some(ListExtractor::new(wrapper)?))
}

/// The pages that are to be read: the next ones of a list first, then the archives, the newest
/// first. Each page once.
#[derive(Debug)]
struct Route {
    site: String,
    next: VecDeque<Url>,
    archives: BTreeSet<(Period, String)>,
    known: HashSet<String>,
}

/// A year, and a month of it; 0 of a whole year.
type Period = (u16, u8);

impl Route {
    fn new(start: &Url) -> Route {
        Route {
            site: site_of(Some(start.as_str())).unwrap_or_default(),
            next: VecDeque::from([start.clone()]),
            archives: BTreeSet::new(),
            known: HashSet::from([page_key(start.as_str())]),
        }
    }

    fn len(&self) -> usize {
        self.next.len() + self.archives.len()
    }

    fn next(&mut self) -> Option<Url> {
        self.next.pop_front().or_else(|| {
            let (_, url) = self.archives.pop_last()?;
            Url::parse(&url).ok()
        })
    }

    /// The address as one of this site that is not known yet.
    fn own(&mut self, url: &str) -> Option<Url> {
        let url = Url::parse(url).ok()?;
        (is_of_site(&url, &self.site) && self.known.insert(page_key(url.as_str()))).then_some(url)
    }

    /// Adds the files of an index of sitemaps, those that changed last first.
    fn add_files(&mut self, index: SitemapIndex) {
        for file in index.newest_first() {
            if let Some(url) = self.own(file.url.as_str()) {
                self.next.push_back(url);
            }
        }
    }

    /// Adds the pages that a page leads to.
    fn add(&mut self, page: &Page, next: Option<&str>) {
        if let Some(next) = next.and_then(|next| self.own(next)) {
            self.next.push_back(next);
        }
        let base = Base::of(page);
        let links = page.elements().filter(|&n| page.is(n, &local_name!("a")));
        let hrefs = links.filter_map(|n| base.resolve(page.attr(n, "href")?));
        for url in hrefs.take(MAX_LINKS) {
            if self.archives.len() < MAX_ARCHIVES
                && let Some(period) = period_of(&url)
                && let Some(url) = self.own(&url)
            {
                self.archives.insert((period, url.into()));
            }
        }
    }
}

/// The year or month whose archive an address is: `/2024/05/`, `/archive/2024`, `?m=202405`.
fn period_of(url: &str) -> Option<Period> {
    let url = Url::parse(url).ok()?;
    let number = |text: &str, digits: usize| {
        let is_number = text.len() == digits && text.bytes().all(|b| b.is_ascii_digit());
        is_number.then(|| text.parse::<u16>().ok())?
    };
    let year = |text: &str| number(text, 4).filter(|year| (1990..2200).contains(year));
    let month = |text: &str| {
        let month = number(text, 2).and_then(|month| u8::try_from(month).ok());
        month.filter(|month| (1..=12).contains(month))
    };
    let joined = |text: &str| {
        let (of_year, of_month) = text.split_at_checked(4)?;
        let of_month = of_month.strip_prefix('-').unwrap_or(of_month);
        Some((year(of_year)?, month(of_month)?))
    };
    if let Some((_, value)) = url.query_pairs().find(|(name, _)| name == "m") {
        return joined(&value);
    }
    let segments: Vec<&str> = url.path().split('/').filter(|s| !s.is_empty()).collect();
    let last = segments.last()?;
    let last = last.strip_suffix(".html").unwrap_or(last);
    let above = segments.iter().rev().nth(1);
    if let (Some(of_year), Some(of_month)) = (above.and_then(|above| year(above)), month(last)) {
        return Some((of_year, of_month));
    }
    joined(last).or_else(|| Some((year(last)?, 0)))
}

impl Harvest<'_> {
    /// Adds the pages of items to those that are visited, whatever their schedule. Their
    /// addresses are the network's, so that private ones stay refused.
    ///
    /// # Errors
    ///
    /// If the archive cannot be read.
    pub fn visit_listed(&mut self, urls: &[String]) -> Result<()> {
        for url in urls {
            if let Some(page) = self.archive.page_of(url)? {
                self.plan.want(page.id, page.url);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_archives_have_a_period() {
        let check =
            |url: &str, expected: Option<Period>| assert_eq!(period_of(url), expected, "{url}");
        check("https://a.example/2024/05/", Some((2024, 5)));
        check("https://a.example/archive/2024", Some((2024, 0)));
        check("https://a.example/blog/2024-05.html", Some((2024, 5)));
        check("https://a.example/?m=202405", Some((2024, 5)));
        check("https://a.example/2024/05/06", None);
        check("https://a.example/2024/05/the-mill", None);
        check("https://a.example/2024/13/", None);
        check("https://a.example/", None);
    }

    #[test]
    fn a_route_has_each_page_once_and_the_newest_archive_first() {
        let source = forest_html::page::Source {
            url: Some("https://a.example/"),
            ..Default::default()
        };
        let html = "<a href=/2023/12/>x</a><a href=/2024/01/>x</a><a href=/2024/01>x</a>\
            <a href=https://b.example/2024/02/>x</a><a href=/page/2>x</a>";
        let page = Page::parse(html.as_bytes(), source);
        let mut route = Route::new(&Url::parse("https://a.example/").expect("a URL"));
        route.add(&page, Some("https://a.example/page/2"));
        route.add(&page, Some("https://a.example/page/2"));
        let urls: Vec<String> = std::iter::from_fn(|| route.next())
            .map(String::from)
            .collect();
        let expected = ["", "page/2", "2024/01/", "2023/12/"];
        assert_eq!(
            urls,
            expected.map(|path| format!("https://a.example/{path}"))
        );
    }
}
