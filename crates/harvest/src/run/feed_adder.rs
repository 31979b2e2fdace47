//! Adds the feeds of a person's list, one by one.

use super::adding::{FeedNotFound, FoundFeed, find_feed, find_list, find_sitemaps};
use super::feed_store::{FeedStore, is_known};
use super::feeds::CUT_OFF;
use crate::error::Result;
use crate::inputs::FeedInput;
use crate::report::items_without_address;
use chrono::{DateTime, Utc};
use forest_archive::Event;
use forest_core::feed::ItemRules;
use forest_fetch::{Fetcher, Visited};
use forest_html::error::counted;
use std::path::PathBuf;
use url::Url;

/// A message about a feed.
#[derive(Debug)]
pub enum FeedNote {
    /// It is in the archive now.
    News(String),
    /// It is not, or not as it should be.
    Warning(String),
}

/// Adds feeds to an archive.
#[derive(Debug)]
pub struct FeedAdder {
    pub store: FeedStore,
    /// The folder of the archive's wrappers.
    pub sites: PathBuf,
    /// Pages that list articles are polled.
    pub lists: bool,
    pub fetcher: Fetcher,
    /// The rules of each feed that is added.
    pub rules: ItemRules,
}

impl FeedAdder {
    /// Adds a feed; returns true if it is in the archive now.
    ///
    /// # Errors
    ///
    /// If the archive cannot be read or written. A feed that is not found is a note.
    pub fn add(
        &mut self,
        input: &FeedInput,
        now: DateTime<Utc>,
        tell: &mut dyn FnMut(FeedNote),
    ) -> Result<bool> {
        let url = &input.url;
        if self.is_active(url, input, now, tell)? {
            return Ok(true);
        }
        let found = match find_feed(&self.fetcher, url) {
            Ok(found) => found,
            // The list says that it is a feed.
            Err(why) if why.is_down && input.outline.is_some() => {
                self.store.add(url, None, self.events(url, input), now)?;
                let later = self.store.when_seen();
                tell(FeedNote::Warning(format!(
                    "{url}: added{later}, though it did not answer: {why}; the harvest tries again"
                )));
                return Ok(true);
            }
            Err(FeedNotFound {
                page: Some(page), ..
            }) => match self.found_on(url, *page, now, tell) {
                Some(found) => found,
                None => return Ok(false),
            },
            Err(why) => {
                tell(FeedNote::Warning(format!("{url}: not added: {why}")));
                return Ok(false);
            }
        };
        let named = found.url.clone();
        if named != *url {
            tell(FeedNote::News(format!("{url}: its feed is {named}")));
            if self.is_active(&named, input, now, tell)? {
                return Ok(true);
            }
        }
        let (title, without_address) = (found.title.clone(), found.without_address);
        let is_cut = found.is_cut;
        let items = counted(found.items, "item", "items");
        let events = self.events(&named, input);
        self.store.add(&named, Some(found), events, now)?;
        let later = self.store.when_seen();
        tell(FeedNote::News(format!(
            "{named}: added{later}: {title} ({items})"
        )));
        if without_address > 0 {
            let items = items_without_address(without_address);
            tell(FeedNote::Warning(format!("{named}: {items}")));
        }
        if is_cut {
            tell(FeedNote::Warning(format!("{named}: {CUT_OFF}")));
        }
        Ok(true)
    }

    /// The feed of a page that names none: of a home page the sitemaps of its site, unless lists
    /// are followed; else its list of articles.
    fn found_on(
        &self,
        url: &Url,
        page: Visited,
        now: DateTime<Utc>,
        tell: &mut dyn FnMut(FeedNote),
    ) -> Option<FoundFeed> {
        let is_home = page.url.path() == "/" && !self.lists;
        let sitemaps = is_home.then(|| find_sitemaps(&self.fetcher, &page.url));
        sitemaps
            .flatten()
            .or_else(|| self.list_at(url, page, now, tell))
    }

    /// The list of articles on a page that names no feed, if it has one and is to be followed.
    fn list_at(
        &self,
        url: &Url,
        page: Visited,
        now: DateTime<Utc>,
        tell: &mut dyn FnMut(FeedNote),
    ) -> Option<FoundFeed> {
        match find_list(url, page, &self.sites, now) {
            Ok(found) if self.lists => Some(found),
            Ok(found) => {
                let items = counted(found.items, "article", "articles");
                tell(FeedNote::Warning(format!(
                    "{url}: not added: this is an HTML page that names no feed; it lists {items}: \
                     with --list it is polled as a feed"
                )));
                None
            }
            Err(why) => {
                tell(FeedNote::Warning(format!(
                    "{url}: not added: this is an HTML page that names no feed, and {why}"
                )));
                None
            }
        }
    }

    /// Returns true if the feed is harvested already. New titles and rules of it are stored.
    fn is_active(
        &mut self,
        url: &Url,
        input: &FeedInput,
        now: DateTime<Utc>,
        tell: &mut dyn FnMut(FeedNote),
    ) -> Result<bool> {
        let known = self.store.feed(url)?;
        let Some(known) = known.filter(|feed| feed.state == "active") else {
            return Ok(false);
        };
        for event in self.events(url, input) {
            if !is_known(&event, &known) {
                self.store.write(event, now)?;
            }
        }
        tell(FeedNote::News(format!("{url}: is harvested already")));
        Ok(true)
    }

    /// The title, home page and folders of a feed in its list, and its rules.
    fn events(&self, url: &Url, input: &FeedInput) -> Vec<Event> {
        let listed = input.listed(url);
        let rules = (!self.rules.is_empty()).then(|| Event::FeedRules {
            feed: url.to_string(),
            rules: self.rules.clone(),
        });
        listed.into_iter().chain(rules).collect()
    }
}
