//! A feed that is to be added, looked at: one request, whose answer counts as the
//! first poll.

use super::feeds::polled;
use crate::archive::{Archive, Change, Event};
use crate::error::Result;
use crate::feed::{self, Kind, discover, sniff};
use crate::fetch::{Fetcher, Resource, Visit, Visited};
use crate::page::{Page, Source};
use chrono::{DateTime, Utc};
use url::Url;

/// Feeds of a home page that are tried before it counts as having none.
const MAX_TRIES: usize = 5;

/// A feed that answered.
#[derive(Debug)]
pub struct FoundFeed {
    /// Its address: the one that was typed, or the one that a home page named.
    pub url: Url,
    /// Its title.
    pub title: String,
    /// How many items it has.
    pub items: usize,
    visited: Visited,
}

/// Why there is no feed; for a person.
pub type NoFeed = String;

/// Asks an address that a person typed for its feed. A home page is asked for the
/// feeds that it names, the best first.
pub fn find_feed(fetcher: &Fetcher, url: &Url) -> std::result::Result<FoundFeed, NoFeed> {
    fetcher.allow(url);
    let visited = visit(fetcher, url)?;
    match sniff(&visited.body) {
        Kind::Html => discovered(fetcher, &visited),
        _ => read(url, visited),
    }
}

fn visit(fetcher: &Fetcher, url: &Url) -> std::result::Result<Visited, NoFeed> {
    let visited = fetcher.visit(&Visit::new(url.clone(), Resource::Feed));
    match visited {
        Ok(visited) if (200..300).contains(&visited.status) => Ok(visited),
        Ok(visited) => Err(format!("status {}", visited.status)),
        Err(error) => Err(match error.fetch_failure() {
            Some(failure) => failure.why().to_string(),
            None => error.to_string(),
        }),
    }
}

fn read(url: &Url, visited: Visited) -> std::result::Result<FoundFeed, NoFeed> {
    let content_type = visited.content_type.as_deref();
    let feed = feed::parse(&visited.body, Some(&visited.url), content_type);
    let feed = feed.map_err(|error| error.to_string())?;
    Ok(FoundFeed {
        url: url.clone(),
        title: feed.title,
        items: feed.items.len(),
        visited,
    })
}

/// The feed that a home page names. Its address came from the network, so it may not
/// be a private one, unless it is the page's own.
fn discovered(fetcher: &Fetcher, home: &Visited) -> std::result::Result<FoundFeed, NoFeed> {
    let source = Source {
        url: Some(home.url.as_str()),
        content_type: home.content_type.as_deref(),
    };
    let candidates = discover(&Page::parse(&home.body, source));
    let mut last = "this is an HTML page that names no feed".to_owned();
    for candidate in candidates.iter().take(MAX_TRIES) {
        let found = visit(fetcher, &candidate.url);
        match found.and_then(|visited| read(&candidate.url, visited)) {
            Ok(found) => return Ok(found),
            Err(why) => last = format!("the page names the feed {}: {why}", candidate.url),
        }
    }
    Err(last)
}

/// Adds a feed that was found, and stores what it brought as a poll does.
///
/// # Errors
///
/// If the archive cannot be read or written.
pub fn add_feed(archive: &mut Archive, found: FoundFeed, now: DateTime<Utc>) -> Result<()> {
    let feed = found.url.to_string();
    let event = Event::FeedAdded { feed: feed.clone() };
    archive.write(vec![Change::Event { at: now, event }])?;
    // If the next write fails, the feed is polled once more.
    if let Some(row) = archive.feed(&feed)? {
        let polled = polled(archive, &row, now, Ok(found.visited))?;
        archive.write(polled.changes)?;
    }
    Ok(())
}
