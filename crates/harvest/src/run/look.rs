//! Due feeds and pages, and the inbox: they are read from the archive and requested.

use super::adding::inbox_response;
use super::driver::{Harvest, ProgressCallback};
use super::importing::whole;
use super::page_result::FetchedPage;
use super::plan::{HarvestEvent, PageTarget, SUBMITTED};
use crate::error::Result;
use crate::schedule::anchored;
use chrono::{DateTime, TimeDelta, Utc};
use forest_archive::{ArchiveChange, KnownRaw, ShownPage, UrgentRequest, WaitingPage};
use forest_fetch::Visited;
use std::collections::BTreeMap;
use std::time::Instant;
use url::Url;

impl Harvest<'_> {
    /// Finds feeds, pages and requests that become due while others are under way.
    pub(super) fn check_due(&mut self) -> Result<()> {
        if let Some(since) = self.plan.check_since(Instant::now()) {
            let now = self.clock.now();
            let comes_due = self.archive.has_requests() || self.archive.comes_due(since, now)?;
            self.plan.checked(comes_due, now);
        }
        Ok(())
    }

    /// Requests the feeds and pages that are due.
    pub(super) fn look(&mut self, on_progress: &mut ProgressCallback<'_>) -> Result<()> {
        self.take_inbox(on_progress)?;
        let now = self.clock.now();
        self.anchor(now)?;
        if !self.plan.wanted_only {
            let feeds = self.archive.due_feeds(now, SUBMITTED)?;
            self.handle(HarvestEvent::FeedsDue(feeds), on_progress)?;
        }
        let Some(limit) = self.plan.page_limit() else {
            return Ok(());
        };
        let mut pages: Vec<_> = self.plan.wanted().collect();
        if !self.plan.wanted_only {
            pages.extend(self.archive.due_pages(now, limit)?);
        }
        for page in pages {
            let Some(url) = self.plan.accepts(&page, now) else {
                continue;
            };
            self.send_site_headers(&url, now)?;
            let target = PageTarget {
                page: page.id,
                known: self.archive.known(&page.url)?,
                url: page.url,
            };
            self.handle(HarvestEvent::PageDue(Box::new(target)), on_progress)?;
        }
        Ok(())
    }

    /// Takes the requests in the inbox. A feed that was requested when it was added is not
    /// requested again.
    fn take_inbox(&mut self, on_progress: &mut ProgressCallback<'_>) -> Result<()> {
        let taken = self.archive.take_requests()?;
        if taken.count > 0 {
            self.look_at_feeds()?;
        }
        for request in taken.urgent {
            match request {
                UrgentRequest::Poll(feeds) => self.poll_now(&feeds).map(drop)?,
                UrgentRequest::Visit(urls) => self.visit_now(&urls).map(drop)?,
                UrgentRequest::Reextract(options) => self.reread_later(&options)?,
            }
        }
        for (feed, at, answer) in taken.answers {
            let Some(row) = self.archive.feed(&feed)? else {
                continue;
            };
            // A later poll, or one under way, is newer.
            let is_late = row.poll.last.is_some_and(|last| last >= at);
            if is_late || row.state != "active" || self.plan.polls(&feed) {
                continue;
            }
            if let Some(visited) = inbox_response(&feed, answer) {
                self.take_feed(&row, at, Ok(visited), on_progress)?;
            }
        }
        self.take_shown(taken.pages, on_progress)
    }

    /// Reads the pages that a person saved as a browser showed them, and stores them before their
    /// addresses are looked at as due.
    fn take_shown(
        &mut self,
        pages: Vec<WaitingPage>,
        on_progress: &mut ProgressCallback<'_>,
    ) -> Result<()> {
        for waiting in pages {
            if let Some(shown) = waiting.read() {
                self.store_shown(waiting.at, shown, on_progress)?;
            }
            waiting.remove()?;
        }
        Ok(())
    }

    fn store_shown(
        &mut self,
        at: DateTime<Utc>,
        shown: ShownPage,
        on_progress: &mut ProgressCallback<'_>,
    ) -> Result<()> {
        let Some(page) = self.archive.page_of(&shown.url)? else {
            return Ok(());
        };
        let (known, url) = (self.archive.known(&page.url)?, Url::parse(&page.url));
        let Some(url) = url.ok().filter(|_| !known.forgotten) else {
            return Ok(());
        };
        // The page was visited since: what a person kept is the newer version all the same, and
        // versions are in the order of time.
        let visited = known.raw.as_ref().map(KnownRaw::raw_page_at);
        let at = visited.map_or(at, |visited| at.max(visited + TimeDelta::milliseconds(1)));
        let target = PageTarget {
            page: page.id,
            url: page.url,
            known,
        };
        let visited = Visited {
            content_type: Some("text/html; charset=utf-8".to_owned()),
            body: shown.html,
            ..Visited::new(url.clone(), url, 200)
        };
        let page = FetchedPage {
            from_browser: true,
            ..self.fetched_page(target, visited, at)?
        };
        let read = whole(page, "further pages of an article are not asked for");
        self.plan.batch.add_page(read, Instant::now());
        self.write(on_progress)
    }

    /// Counts the feeds by state, and allows the addresses that a person typed.
    pub(super) fn look_at_feeds(&self) -> Result<()> {
        let mut states: BTreeMap<String, usize> = ["active", "paused", "ended"]
            .map(|state| (state.to_owned(), 0))
            .into();
        let reader = self.archive.reader()?;
        let feeds = reader.feeds()?;
        for page in reader.saved_addresses()? {
            if let Ok(url) = Url::parse(&page) {
                self.fetcher.allow_private(&url);
            }
        }
        // A feed that is not polled any more would count as failing for ever.
        let polled = feeds.iter().filter(|feed| feed.state == "active");
        let read = polled.filter_map(|feed| Some((feed.url.as_str(), feed.poll.success?)));
        self.metrics.feed_successes(read);
        for feed in feeds {
            // Its pages may be due while the feed is not.
            if let Some(url) = Url::parse(&feed.url).ok().filter(|_| feed.typed) {
                self.fetcher.allow(&url);
            }
            *states.entry(feed.state).or_default() += 1;
        }
        for (state, count) in states {
            self.metrics.feeds(&state, count);
        }
        Ok(())
    }

    /// Adds the headers of a site's wrapper to the requests to the site.
    fn send_site_headers(&mut self, url: &Url, now: DateTime<Utc>) -> Result<()> {
        let Some(wrapper) = self.wrapper_of(url.as_str(), now)? else {
            return Ok(());
        };
        let origin = url.origin().ascii_serialization();
        let headers = &wrapper.extractor.wrapper().headers;
        let sent = self.headers_of.get(&origin);
        if sent.map_or(headers.is_empty(), |sent| *sent == wrapper.sha256) {
            return Ok(());
        }
        let named = headers
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()));
        for refused in self.fetcher.send_to(url, named) {
            tracing::warn!(site = wrapper.extractor.wrapper().site, %refused, "a header is not sent");
        }
        if headers.is_empty() {
            self.headers_of.remove(&origin);
        } else {
            self.headers_of.insert(origin, wrapper.sha256.clone());
        }
        Ok(())
    }

    /// After a clock that went backwards, the intervals of feeds are counted from now.
    fn anchor(&mut self, now: DateTime<Utc>) -> Result<()> {
        let mut changes = Vec::new();
        for feed in self.archive.feeds_ahead(now)? {
            let next = feed.poll.next.unwrap_or(now);
            if let Some(next) = anchored(now, next, feed.poll.last) {
                let mut poll = feed.poll;
                (poll.last, poll.next) = (Some(now), Some(next));
                changes.push(ArchiveChange::Poll(Box::new(poll)));
            }
        }
        if !changes.is_empty() {
            self.archive.write(changes)?;
        }
        Ok(())
    }
}
