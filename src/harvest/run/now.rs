//! What is to be polled or visited at once, whatever its schedule: somebody asks for it.
//! Hosts that rest are not asked before their rest is over, and robots.txt holds.
//!
//! A feed that is to be polled is due from then on, in the archive. Pages that are to be
//! visited are remembered by this harvest alone: one that is killed before has forgotten
//! them.

use super::Harvest;
use crate::address::is_web;
use crate::archive::{Change, DuePage, FeedRow};
use crate::error::Result;
use chrono::{DateTime, Utc};
use url::Url;

impl Harvest<'_> {
    /// Nothing is polled, and no page visited but those of [`visit_now`](Self::visit_now).
    #[must_use]
    pub fn with_wanted_only(mut self) -> Self {
        self.wanted_only = true;
        self
    }

    /// Makes feeds due, all that are active where none is named; gives how many. Those
    /// that rest, ended or are not in the archive stay as they are.
    ///
    /// # Errors
    ///
    /// If the archive cannot be read or written.
    pub fn poll_now(&mut self, feeds: &[String]) -> Result<usize> {
        let now = self.clock.now();
        let rows = match feeds {
            [] => self.archive.reader()?.feeds()?,
            feeds => {
                let rows = feeds.iter().map(|feed| self.archive.feed(feed));
                rows.filter_map(Result::transpose)
                    .collect::<Result<Vec<FeedRow>>>()?
            }
        };
        let due = rows.into_iter().filter(|row| row.state == "active");
        let due = due.map(|row| {
            let mut poll = row.poll;
            poll.next = Some(now);
            Change::Poll(Box::new(poll))
        });
        let changes: Vec<Change> = due.collect();
        let count = changes.len();
        if count > 0 {
            self.archive.write(changes)?;
        }
        Ok(count)
    }

    /// Takes up the pages of these addresses, whatever feed names them; gives the
    /// addresses that are visited, in the same order: `None` of one that the archive does
    /// not know or that cannot be fetched.
    ///
    /// # Errors
    ///
    /// If the archive cannot be read.
    pub fn visit_now(&mut self, urls: &[String]) -> Result<Vec<Option<String>>> {
        let mut taken = Vec::with_capacity(urls.len());
        for typed in urls {
            let page = self.archive.page_of(typed)?;
            let page = page.filter(|page| is_fetchable(&page.url));
            // A person typed this one, and no other host that it may lead to.
            if let Some(url) = Url::parse(typed).ok().filter(|_| page.is_some()) {
                self.fetcher.allow(&url);
            }
            taken.push(page.map(|page| {
                self.wanted.insert(page.id, page.url.clone());
                page.url
            }));
        }
        Ok(taken)
    }

    /// Pages of [`visit_now`](Self::visit_now) that were not visited: their hosts rest.
    pub fn unvisited(&self) -> impl Iterator<Item = &str> {
        self.wanted.values().map(String::as_str)
    }

    pub(super) fn feeds_to_poll(&self, now: DateTime<Utc>) -> Result<Vec<FeedRow>> {
        match self.wanted_only {
            true => Ok(Vec::new()),
            false => self.archive.due_feeds(now, super::SUBMITTED),
        }
    }

    /// Pages that somebody asks for, then those that are due.
    pub(super) fn pages_to_visit(&self, now: DateTime<Utc>, most: usize) -> Result<Vec<DuePage>> {
        let wanted = self.wanted.iter();
        let mut pages: Vec<DuePage> = wanted
            .map(|(&id, url)| DuePage {
                id,
                url: url.clone(),
            })
            .collect();
        if !self.wanted_only {
            pages.extend(self.archive.due_pages(now, most)?);
        }
        Ok(pages)
    }
}

/// Whether an address is one of the web: pages may come from files, too.
fn is_fetchable(url: &str) -> bool {
    Url::parse(url).is_ok_and(|url| is_web(&url))
}
