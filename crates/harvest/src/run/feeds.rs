//! Makes the changes to be written from a feed's response.

use super::lists;
use super::sitemaps;
use crate::answers::{other_answers, take_exchange};
use crate::error::Result;
use crate::moved::{self, PendingMove, RedirectVerdict};
use crate::schedule::{Hints, PollResult, Rhythm, interval, next_poll};
use chrono::{DateTime, Utc};
use forest_archive::{Archive, ArchiveChange, Event, FeedPoll, FeedRow, StoredItem};
use forest_core::feed::{
    self, Feed, FeedItem, FeedVersion, FeedWarning, Sitemap, SitemapFile, SniffedType, sniff,
};
use forest_core::wrapper::list::ListWrapper;
use forest_fetch::Visited;
use forest_html::address::site_of;
use forest_html::page::metadata::MAX_VALUES;
use forest_html::text::hex;
use sha2::{Digest, Sha256};
use std::collections::HashSet;
use url::Url;

/// Maximum number of characters of a summary: enough to recognise the page.
const SUMMARY_CHARS: usize = 1000;

/// Maximum number of characters of a title or a name.
pub(super) const TITLE_CHARS: usize = 500;

/// Maximum number of bytes of an item's address; a longer one is ignored.
const LINK_BYTES: usize = 8192;

/// The warning of a feed that ends before it is closed.
pub(super) const CUT_OFF: &str =
    "the feed is cut off: its whole items are used, and the next poll asks for the others";

/// The result of a poll.
#[derive(Debug)]
pub(super) struct PollReport {
    /// The changes to be written.
    pub changes: Vec<ArchiveChange>,
    /// The number of items that are new or changed, without those that have nothing but another link.
    pub new: usize,
    /// The number of items without an address that can be visited.
    pub without_address: usize,
    /// The result's name in the metrics.
    pub result: &'static str,
    /// The reason of a failure.
    pub error: Option<String>,
    /// The reason why items of the feed may be missing.
    pub warning: Option<&'static str>,
    /// The wrapper of a list that was learned again: to be written before the changes.
    pub list: Option<ListWrapper>,
    /// The next page of a list without a known item.
    pub next: Option<Url>,
    /// The files of an index of sitemaps that are to be read.
    pub files: Vec<SitemapFile>,
}

impl PollReport {
    /// The event that ends the feed at its address: it is gone, or has moved.
    pub(super) fn leaves_its_address(&self) -> Option<Event> {
        self.changes.iter().find_map(|change| match change {
            ArchiveChange::Event { event, .. }
                if matches!(event, Event::FeedMoved { .. } | Event::FeedEnded { .. }) =>
            {
                Some(event.clone())
            }
            _ => None,
        })
    }
}

/// Makes the changes to be written from a feed's response.
pub(super) fn polled(
    archive: &Archive,
    row: &FeedRow,
    now: DateTime<Utc>,
    answer: &std::result::Result<Visited, String>,
) -> Result<PollReport> {
    let rhythm = row.poll.rhythm.as_deref();
    let poll = PollInProgress {
        row,
        now,
        poll: row.poll.clone(),
        rhythm: rhythm
            .and_then(|json| serde_json::from_str(json).ok())
            .unwrap_or_default(),
        hints: Hints::default(),
        changes: Vec::new(),
        without_address: 0,
        warning: None,
        list: None,
        next: None,
        files: Vec::new(),
        is_cut: false,
    };
    let visited = match answer {
        Err(why) => return Ok(poll.failed("unreachable", why.clone())),
        Ok(visited) => visited,
    };
    let mut report = poll.answered(archive, visited)?;
    let is_kept = |change: &ArchiveChange| matches!(change, ArchiveChange::Feed { .. });
    // A poll without news leaves no record, nor do its redirects.
    if report.error.is_some() || report.changes.iter().any(is_kept) {
        report.changes.extend(other_answers(visited, now));
    }
    Ok(report)
}

struct PollInProgress<'a> {
    row: &'a FeedRow,
    now: DateTime<Utc>,
    poll: FeedPoll,
    rhythm: Rhythm,
    hints: Hints,
    changes: Vec<ArchiveChange>,
    without_address: usize,
    warning: Option<&'static str>,
    list: Option<ListWrapper>,
    next: Option<Url>,
    files: Vec<SitemapFile>,
    /// More is at the address than was taken: the next poll asks for all of it.
    is_cut: bool,
}

impl PollInProgress<'_> {
    fn answered(mut self, archive: &Archive, visited: &Visited) -> Result<PollReport> {
        self.hints.retry_after = visited.retry_after;
        self.hints.max_age = visited.max_age;
        match visited.status {
            304 if visited.hops.iter().any(|hop| !hop.is_permanent()) => {
                // The confirmation is about another address than the one that gave the conditions.
                (self.poll.etag, self.poll.last_modified) = (None, None);
                Ok(self.failed("status", "status 304 behind a redirect".to_owned()))
            }
            304 => {
                self.follow(visited);
                if !visited.hops.is_empty() {
                    // The feed has moved to that address, and is read there next time.
                    (self.poll.etag, self.poll.last_modified) = (None, None);
                }
                Ok(self.went_well(PollResult::NotModified, 0, "not_modified"))
            }
            200..=299 => self.read(archive, visited),
            410 if self.follow(visited) => {
                Ok(self.ended("the server says that it is gone for good (410)"))
            }
            status @ (429 | 503) => {
                let why = format!("the server asks for fewer requests (status {status})");
                Ok(self.ended_badly(PollResult::Busy, "busy", why))
            }
            status => Ok(self.failed("status", format!("status {status}"))),
        }
    }

    fn read(mut self, archive: &Archive, visited: &Visited) -> Result<PollReport> {
        let sha256 = hex(&Sha256::digest(&visited.body));
        // Behind a redirect a confirmation has no meaning.
        let direct = visited.hops.is_empty();
        let conditions = |header: &Option<String>| header.clone().filter(|_| direct);
        let (etag, last_modified) = (
            conditions(&visited.etag),
            conditions(&visited.last_modified),
        );
        if self.poll.sha256.as_deref() == Some(&sha256) {
            self.follow(visited);
            (self.poll.etag, self.poll.last_modified) = (etag, last_modified);
            return Ok(self.went_well(PollResult::Nothing, 0, "same"));
        }
        let feed = match self.feed_in(archive, visited)? {
            Ok(feed) => feed,
            Err(why) => return Ok(self.failed("no_feed", why)),
        };
        self.hints.ttl = feed.ttl;
        let mut found = new_items(archive, self.row, &feed)?;
        if feed.format == FeedVersion::Sitemap && found.items.len() > sitemaps::MAX_ITEMS {
            found.items.truncate(sitemaps::MAX_ITEMS);
            self.is_cut = true;
        }
        let changed = self.files.iter().filter_map(|file| file.changed);
        let changed = changed.map(|at| Some(at.to_utc()));
        let published = found.published.iter().copied().chain(changed);
        self.rhythm.note(self.now, published);
        let new = found.items.iter().filter(|item| !item.link.is_empty());
        let new = new.count().saturating_sub(found.relinked);
        self.without_address = found.without_address;
        let is_new = !found.items.is_empty();
        if is_new || feed.title != self.row.title {
            // A feed that lists a forgotten page is not kept.
            if is_new && !found.names_forgotten {
                self.changes.push(ArchiveChange::Feed {
                    at: self.now,
                    url: visited.url.to_string(),
                    exchange: take_exchange(&mut visited.clone()),
                });
            }
            self.event(Event::FeedRead {
                feed: self.row.url.clone(),
                title: cut(&feed.title, TITLE_CHARS),
                items: found.items,
            });
        }
        self.follow(visited);
        if feed.warnings.contains(&FeedWarning::Truncated) {
            // Its server has sent the validators of the whole feed.
            (self.poll.etag, self.poll.last_modified, self.poll.sha256) = (None, None, None);
            self.warning = Some(CUT_OFF);
        } else if self.is_cut {
            (self.poll.etag, self.poll.last_modified, self.poll.sha256) = (None, None, None);
        } else {
            (self.poll.etag, self.poll.last_modified) = (etag, last_modified);
            self.poll.sha256 = Some(sha256);
        }
        let result = match found.published.len() {
            0 => PollResult::Nothing,
            items => PollResult::New { items },
        };
        Ok(self.went_well(result, new, "new"))
    }

    /// The feed in an answer: a feed, a sitemap, or a page with a list of articles; or why it is
    /// none.
    fn feed_in(
        &mut self,
        archive: &Archive,
        visited: &Visited,
    ) -> Result<std::result::Result<Feed, String>> {
        let site = site_of(Some(visited.url.as_str())).unwrap_or_default();
        if sniff(&visited.body) == SniffedType::Html
            && let Some(file) = archive.list_file(&site)?
        {
            let is_first = self.row.poll.success.is_none();
            let is_known = |item: &str| Ok(archive.knows_item(&self.row.url, item)?);
            let page = lists::page_in(visited);
            let polled = lists::polled(&page, file, is_first, is_known, self.now)?;
            return Ok(polled.map(|polled| {
                self.list = polled.learned;
                self.next = polled.next;
                polled.feed
            }));
        }
        match sitemaps::sitemap_in(visited) {
            Some(Sitemap::Index(index)) => {
                self.is_cut = !sitemaps::shows_each_change(&index);
                let feed = sitemaps::feed_of_index(visited, &index);
                self.files = sitemaps::files_to_read(index, self.row.poll.success);
                Ok(Ok(feed))
            }
            Some(Sitemap::Pages(feed)) => Ok(Ok(*feed)),
            None => {
                let content_type = visited.content_type.as_deref();
                let feed = feed::parse(&visited.body, Some(&visited.url), content_type);
                Ok(feed.map_err(|error| error.to_string()))
            }
        }
    }

    /// Judges the redirects; returns true if the feed has ended.
    fn follow(&mut self, visited: &Visited) -> bool {
        let Ok(url) = Url::parse(&self.row.url) else {
            return false;
        };
        let before = self.poll.moved.as_deref();
        let before: Option<PendingMove> = before.and_then(|json| serde_json::from_str(json).ok());
        self.poll.moved = None;
        match moved::judge(&url, before.as_ref(), &visited.hops, visited.status) {
            RedirectVerdict::Stays => {}
            RedirectVerdict::Moving(moved) => self.poll.moved = serde_json::to_string(&moved).ok(),
            RedirectVerdict::Adopt(to) => {
                let (feed, to) = (self.row.url.clone(), to.to_string());
                self.poll.feed.clone_from(&to);
                let named = Some(self.row.named.clone());
                self.event(Event::FeedMoved { feed, to, named });
            }
            RedirectVerdict::Ended => return true,
        }
        false
    }

    fn ended(mut self, why: &str) -> PollReport {
        let (feed, why) = (self.row.url.clone(), why.to_owned());
        self.event(Event::FeedEnded {
            feed,
            why: why.clone(),
        });
        self.ended_badly(PollResult::Failed { failures: 1 }, "gone", why)
    }

    fn failed(self, result: &'static str, why: String) -> PollReport {
        let failures = self.poll.failures + 1;
        self.ended_badly(PollResult::Failed { failures }, result, why)
    }

    fn ended_badly(mut self, result: PollResult, name: &'static str, why: String) -> PollReport {
        self.poll.failures += 1;
        self.poll.error = Some(why.clone());
        self.poll.moved = None;
        PollReport {
            error: Some(why),
            ..self.finish(result, 0, name)
        }
    }

    fn went_well(mut self, result: PollResult, new: usize, name: &'static str) -> PollReport {
        if result == PollResult::NotModified || result == PollResult::Nothing {
            self.rhythm.note(self.now, []);
        }
        self.poll.failures = 0;
        self.poll.error = self.warning.map(str::to_owned);
        self.poll.success = Some(self.now);
        self.finish(result, new, name)
    }

    fn finish(mut self, result: PollResult, new: usize, name: &'static str) -> PollReport {
        let wait = interval(&self.rhythm, &result, &self.hints);
        self.rhythm.keep(wait);
        self.poll.last = Some(self.now);
        self.poll.next = Some(next_poll(self.now, wait, &self.row.url));
        self.poll.rhythm = serde_json::to_string(&self.rhythm).ok();
        self.changes.push(ArchiveChange::Poll(Box::new(self.poll)));
        PollReport {
            changes: self.changes,
            new,
            without_address: self.without_address,
            result: name,
            error: None,
            warning: self.warning,
            list: self.list,
            next: self.next,
            files: self.files,
        }
    }

    fn event(&mut self, event: Event) {
        self.changes.push(ArchiveChange::Event {
            at: self.now,
            event,
        });
    }
}

pub(super) struct NewItems {
    pub items: Vec<StoredItem>,
    /// Those of them that are known, and have nothing but another link.
    relinked: usize,
    /// The times of publication of the unknown items.
    published: Vec<Option<DateTime<Utc>>>,
    /// The feed has items that were forgotten.
    names_forgotten: bool,
    /// Items without an address that can be visited.
    without_address: usize,
}

/// The texts of an item, cut to their bounds.
fn cut_item(item: &FeedItem) -> StoredItem {
    let image = item.image.as_ref().map(ToString::to_string);
    StoredItem {
        title: cut(&item.title, TITLE_CHARS),
        authors: cut_all(&item.authors),
        summary: cut(&item.summary, SUMMARY_CHARS),
        tags: cut_all(&item.categories),
        image: image.filter(|url| url.len() <= LINK_BYTES),
        ..StoredItem::default()
    }
}

/// The items that are new or changed, without those that the feed's rules skip.
pub(super) fn new_items(archive: &Archive, row: &FeedRow, feed: &Feed) -> Result<NewItems> {
    let mut new = NewItems {
        items: Vec::new(),
        relinked: 0,
        published: Vec::new(),
        names_forgotten: false,
        without_address: 0,
    };
    let mut names = HashSet::new();
    let all_named = archive.name_items(&row.url, feed)?;
    for (item, named) in feed.items.iter().zip(all_named) {
        let link = item.link.as_ref().map(Url::as_str);
        let is_long = link.is_some_and(|link| link.len() > LINK_BYTES);
        new.without_address += usize::from(link.is_none() || is_long);
        if is_long {
            continue;
        }
        if let Some(link) = link
            && archive.is_forgotten(link)?
        {
            new.names_forgotten = true;
            continue;
        }
        if row.rules.skip(item) {
            continue;
        }
        // The first item is the newest.
        if !names.insert(named.name.clone()) || named.known_digest.as_ref() == Some(&named.digest) {
            continue;
        }
        let mut time = item.published.as_ref();
        if named.known_digest.is_none() {
            // A later edit is not a publication, and a sitemap knows no other time.
            if feed.format != FeedVersion::Sitemap {
                time = time.or(item.updated.as_ref());
            }
            let published = time.and_then(|date| date.time);
            new.published.push(published.map(|time| time.to_utc()));
        }
        new.relinked += usize::from(named.has_other_link_only && link.is_some());
        new.items.push(StoredItem {
            id: named.name,
            link: link.unwrap_or_default().to_owned(),
            entry: Some(named.entry),
            digest: named.digest,
            published: time.map(|date| cut(&date.to_string(), TITLE_CHARS)),
            ..cut_item(item)
        });
    }
    Ok(new)
}

/// Names of authors or tags, with the limits of a page.
fn cut_all(all: &[String]) -> Vec<String> {
    let first = all.iter().take(MAX_VALUES);
    first.map(|name| cut(name, TITLE_CHARS)).collect()
}

pub(super) fn cut(text: &str, chars: usize) -> String {
    text.chars().take(chars).collect()
}
