//! Adds feeds: one request finds the feed, and its response counts as the first poll. If
//! another process harvests, it gets the response through the inbox.

use super::feeds::polled;
use super::lists;
use super::sitemaps::{self, resource_of};
use crate::error::Result;
use chrono::{DateTime, Utc};
use forest_archive::{Archive, ArchiveChange, Event, FeedAnswer};
use forest_core::feed::{
    self, Feed, FeedItem, FeedWarning, ROBOTS_PATH, Sitemap, SniffedType, discover, sniff,
};
use forest_core::wrapper::list::ListWrapper;
use forest_fetch::{Fetcher, Hop, Resource, VisitRequest, Visited, Why, reason};
use forest_html::address::site_of;
use forest_html::error::counted;
use std::path::Path;
use std::time::Duration;
use url::Url;

/// Maximum number of feeds of a home page that are tried.
const MAX_TRIES: usize = 5;

/// A feed that was found.
#[derive(Debug, Clone)]
pub struct FoundFeed {
    /// Its address: the one that was typed, or the one in a home page.
    pub url: Url,
    /// Its title.
    pub title: String,
    /// The number of its items.
    pub items: usize,
    /// The number of items without an address.
    pub without_address: usize,
    listed: Vec<FeedItem>,
    visited: Visited,
    /// Where it is a page that lists articles: the wrapper of the list, if it was learned now.
    pub(super) list: Option<ListWrapper>,
    /// It is an index of sitemaps: its items are in their files.
    is_index: bool,
    /// It ends before it is closed.
    pub is_cut: bool,
}

impl FoundFeed {
    /// Its items, in its order.
    pub fn listed(&self) -> &[FeedItem] {
        &self.listed
    }
}

/// The reason why there is no feed.
#[derive(Debug, thiserror::Error)]
#[error("{why}")]
pub struct FeedNotFound {
    /// The reason, for a person.
    pub why: String,
    /// It may be there another time: its server did not respond, or responded with an error of
    /// its own.
    pub is_down: bool,
    /// The page that names no feed: it may list articles, see [`find_list`].
    pub page: Option<Box<Visited>>,
}

impl FeedNotFound {
    fn for_good(why: impl Into<String>) -> FeedNotFound {
        FeedNotFound {
            why: why.into(),
            is_down: false,
            page: None,
        }
    }
}

/// Finds the feed at an address that a person typed. The feeds in a home page are tried, the
/// best first.
///
/// # Errors
///
/// If no feed was found.
pub fn find_feed(fetcher: &Fetcher, url: &Url) -> std::result::Result<FoundFeed, FeedNotFound> {
    fetcher.allow(url);
    let visited = visit(fetcher, url)?;
    match sniff(&visited.body) {
        SniffedType::Html => discovered(fetcher, visited),
        _ => read(url, visited),
    }
}

/// Finds the sitemaps that the robots.txt of a page's site names; `None` if it names none.
pub fn find_sitemaps(fetcher: &Fetcher, page: &Url) -> Option<FoundFeed> {
    let robots = page.join(ROBOTS_PATH).ok()?;
    let visited = visit(fetcher, &robots).ok()?;
    read(&robots, visited).ok().filter(|found| found.is_index)
}

fn visit(fetcher: &Fetcher, url: &Url) -> std::result::Result<Visited, FeedNotFound> {
    let visited = fetcher.visit(&VisitRequest::new(
        url.clone(),
        resource_of(url, Resource::Feed),
    ));
    match visited {
        Ok(visited) if (200..300).contains(&visited.status) => Ok(visited),
        Ok(visited) => Err(FeedNotFound {
            why: format!("status {}", visited.status),
            is_down: visited.status >= 500 || matches!(visited.status, 408 | 425 | 429),
            page: None,
        }),
        Err(error) => Err(match error.fetch_failure() {
            Some(failure) => FeedNotFound {
                why: failure.why().to_string(),
                is_down: is_down(failure.why()),
                page: None,
            },
            None => FeedNotFound::for_good(reason(&error)),
        }),
    }
}

/// Returns true if a request that failed so may succeed another time.
fn is_down(why: &Why) -> bool {
    match why {
        Why::RobotsUnreachable(_)
        | Why::Timeout
        | Why::Tls(_)
        | Why::Dns(_)
        | Why::Connect(_)
        | Why::Body(_)
        | Why::Busy { .. } => true,
        Why::Status(status) => *status >= 500,
        _ => false,
    }
}

fn read(url: &Url, visited: Visited) -> std::result::Result<FoundFeed, FeedNotFound> {
    let mut is_index = false;
    let feed = match sitemaps::sitemap_in(&visited) {
        Some(Sitemap::Index(index)) => {
            is_index = true;
            let feed = sitemaps::feed_of_index(&visited, &index);
            let files = counted(index.files.len(), "sitemap", "sitemaps");
            Feed {
                title: format!("{}, {files}", feed.title),
                ..feed
            }
        }
        Some(Sitemap::Pages(feed)) => *feed,
        None => {
            let content_type = visited.content_type.as_deref();
            let feed = feed::parse(&visited.body, Some(&visited.url), content_type);
            feed.map_err(|error| FeedNotFound::for_good(error.to_string()))?
        }
    };
    Ok(FoundFeed {
        url: url.clone(),
        title: feed.title,
        items: feed.items.len(),
        without_address: feed.items.iter().filter(|item| item.link.is_none()).count(),
        is_cut: feed.warnings.contains(&FeedWarning::Truncated),
        listed: feed.items,
        visited,
        list: None,
        is_index,
    })
}

/// Finds the list of articles on a page that names no feed: by the wrapper in `sites`, the
/// folder of the archive's wrappers, or one that is learned now.
///
/// # Errors
///
/// If the page lists no articles.
pub fn find_list(
    url: &Url,
    visited: Visited,
    sites: &Path,
    now: DateTime<Utc>,
) -> std::result::Result<FoundFeed, FeedNotFound> {
    let page = lists::page_in(&visited);
    let site = site_of(Some(visited.url.as_str())).unwrap_or_default();
    let known = forest_archive::list_file(sites, &site);
    let known = known.map_err(|error| FeedNotFound::for_good(error.to_string()))?;
    let found = lists::found(&page, known.map(|file| file.wrapper), now);
    let found = found.map_err(FeedNotFound::for_good)?;
    Ok(FoundFeed {
        url: url.clone(),
        title: found.feed.title,
        items: found.feed.items.len(),
        without_address: 0,
        listed: found.feed.items,
        visited,
        list: found.learned,
        is_index: false,
        is_cut: false,
    })
}

/// The feed in a home page. Its address is from the network, so it must not be private,
/// unless it is the page's own.
fn discovered(fetcher: &Fetcher, home: Visited) -> std::result::Result<FoundFeed, FeedNotFound> {
    let candidates = discover(&lists::page_in(&home));
    if candidates.is_empty() {
        return Err(FeedNotFound {
            page: Some(Box::new(home)),
            ..FeedNotFound::for_good("this is an HTML page that names no feed")
        });
    }
    let mut last = FeedNotFound::for_good("none of the feeds that the page names can be read");
    for candidate in candidates.iter().take(MAX_TRIES) {
        let found = visit(fetcher, &candidate.url);
        match found.and_then(|visited| read(&candidate.url, visited)) {
            Ok(found) => return Ok(found),
            Err(failed) => {
                let why = format!("the page names the feed {}: {failed}", candidate.url);
                last = FeedNotFound { why, ..failed };
            }
        }
    }
    Err(last)
}

/// Adds a feed that was found, and stores its response as a poll does. `about`: further
/// events of the feed, from a list or from its user's rules.
///
/// # Errors
///
/// If the archive cannot be read or written.
pub fn add_feed(
    archive: &mut Archive,
    found: FoundFeed,
    about: Vec<Event>,
    now: DateTime<Utc>,
) -> Result<()> {
    let feed = found.url.to_string();
    add_unseen(archive, &feed, about, now)?;
    if found.is_index {
        // The harvest polls it at once, and reads its files.
        return Ok(());
    }
    // If the next write fails, the feed is polled once more.
    if let Some(row) = archive.feed(&feed)? {
        let polled = polled(archive, &row, now, &Ok(found.visited))?;
        if let Some(list) = &polled.list {
            archive.write_list(list)?;
        }
        archive.write(polled.changes)?;
    }
    Ok(())
}

/// Adds a feed whose server did not respond: the harvest polls it now and later.
///
/// # Errors
///
/// If the archive cannot be written.
pub fn add_unseen(
    archive: &mut Archive,
    feed: &str,
    about: Vec<Event>,
    now: DateTime<Utc>,
) -> Result<()> {
    let feed = feed.to_owned();
    let events = [Event::FeedAdded { feed }].into_iter().chain(about);
    let changes = events.map(|event| ArchiveChange::Event { at: now, event });
    archive.write(changes.collect())?;
    Ok(())
}

/// Asks the harvest that writes to the archive in `dir` to add a feed. If the feed was found,
/// the harvest gets its response.
///
/// # Errors
///
/// If the archive's folder cannot be written.
pub fn request_feed(
    dir: &Path,
    feed: &Url,
    found: Option<FoundFeed>,
    about: Vec<Event>,
    now: DateTime<Utc>,
) -> Result<()> {
    let feed = feed.to_string();
    let answer = found.map(|found| inbox_answer(found.visited));
    Ok(forest_archive::request(
        dir,
        now,
        Event::FeedAdded { feed },
        about,
        answer,
    )?)
}

fn inbox_answer(visited: Visited) -> FeedAnswer {
    let hops = visited.hops.into_iter();
    FeedAnswer {
        url: visited.url.into(),
        hops: hops.map(|hop| (hop.status, hop.to.into())).collect(),
        status: visited.status,
        request_head: visited.request_head,
        response_head: visited.response_head,
        content_type: visited.content_type,
        etag: visited.etag,
        last_modified: visited.last_modified,
        max_age_s: visited.max_age.map(|age| age.as_secs()),
        retry_after_s: visited.retry_after.map(|wait| wait.as_secs()),
        body: visited.body,
    }
}

/// The response in an inbox; `None` if one of its addresses cannot be parsed.
pub(super) fn inbox_response(feed: &str, answer: FeedAnswer) -> Option<Visited> {
    let hops = answer.hops.into_iter().map(|(status, to)| {
        let to = to.parse().ok()?;
        Some(Hop::new(status, to))
    });
    let (requested, url) = (feed.parse().ok()?, answer.url.parse().ok()?);
    Some(Visited {
        hops: hops.collect::<Option<_>>()?,
        request_head: answer.request_head,
        response_head: answer.response_head,
        content_type: answer.content_type,
        etag: answer.etag,
        last_modified: answer.last_modified,
        max_age: answer.max_age_s.map(Duration::from_secs),
        retry_after: answer.retry_after_s.map(Duration::from_secs),
        body: answer.body,
        ..Visited::new(requested, url, answer.status)
    })
}
