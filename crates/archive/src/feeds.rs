//! The rows of feeds.

use super::change::FeedPoll;
use super::event::Event;
use super::read::ArchiveReader;
use super::sql::{Sql, time_in};
use super::transient::{POLL_COLUMNS, poll_of};
use crate::error::Result;
use chrono::{DateTime, Utc};
use forest_core::feed::{ItemRules, Outline};
use forest_html::text::controls;
use rusqlite::{Connection, Row};
use url::Url;

/// The address of the feed of pages that a person saved, which nobody polls.
pub const SAVED_PAGES: &str = "forest:saved";

/// A feed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FeedRow {
    /// Its address.
    pub url: String,
    /// `active`, `paused`, `ended` or `removed`.
    pub state: String,
    /// Its title.
    pub title: String,
    /// Why it ended.
    pub why: String,
    /// True if a person typed this address; false if a redirect led to it.
    pub typed: bool,
    /// When it was added.
    pub added: DateTime<Utc>,
    /// Its title in the list that it was imported from; empty if it has none there.
    pub listed_title: String,
    /// The site's home page in that list.
    pub listed_home: Option<String>,
    /// Its folders in that list, each as a path from the outermost.
    pub folders: Vec<Vec<String>>,
    /// Rules for its unwanted items.
    pub rules: ItemRules,
    /// Its name in the names of its entries: its first address.
    pub named: String,
    /// Its last poll.
    pub poll: FeedPoll,
}

impl FeedRow {
    /// True if a harvest polls the feed.
    pub fn is_polled(&self) -> bool {
        self.state == "active" && self.url != SAVED_PAGES
    }

    /// The event that gives it this title, or its own if it is empty, and these folders. Its home
    /// page stays.
    pub fn listed(&self, title: String, folders: Vec<Vec<String>>) -> Event {
        Event::FeedListed {
            feed: self.url.clone(),
            title,
            home: self.listed_home.clone(),
            folders,
        }
    }

    /// The feed as an entry of a list of feeds, with this address.
    pub fn outline(&self, xml_url: Url) -> Outline {
        let titles = [&self.listed_title, &self.title];
        let home = self.listed_home.as_deref();
        let folders = self.folders.iter().map(|path| path.as_slice().into());
        Outline {
            title: titles
                .into_iter()
                .find(|title| !title.is_empty())
                .cloned()
                .unwrap_or_default(),
            html_url: home.and_then(|home| Url::parse(home).ok()),
            folders: folders.collect(),
            ..Outline::of(xml_url)
        }
    }
}

/// The columns that [`feed_of_row`] reads, of a feed `f` and its polls `p`.
pub(super) fn feed_columns() -> String {
    format!(
        "f.id, f.url, f.state, f.title, f.why, f.added, f.typed, f.listed_title, \
         f.listed_home, f.folders, f.rules, f.named, {POLL_COLUMNS}"
    )
}

/// A feed from [`feed_columns`].
pub(super) fn feed_of_row(row: &Row<'_>) -> rusqlite::Result<FeedRow> {
    let url: String = row.get("url")?;
    let (folders, rules): (String, String) = (row.get("folders")?, row.get("rules")?);
    Ok(FeedRow {
        state: row.get("state")?,
        title: row.get("title")?,
        why: row.get("why")?,
        added: time_in(row, "added")?,
        typed: row.get("typed")?,
        listed_title: row.get("listed_title")?,
        listed_home: row.get("listed_home")?,
        folders: serde_json::from_str(&folders).unwrap_or_default(),
        rules: serde_json::from_str(&rules).unwrap_or_default(),
        named: row.get("named")?,
        poll: poll_of(row, url.clone())?,
        url,
    })
}

/// The feed that a condition selects, with its number.
pub(super) fn one_feed(
    db: &Connection,
    condition: &str,
    value: impl rusqlite::ToSql,
) -> Result<Option<(i64, FeedRow)>> {
    let columns = feed_columns();
    let sql = format!(
        "SELECT {columns} FROM feeds f LEFT JOIN polls p ON p.feed = f.id WHERE {condition}"
    );
    db.first(&sql, [value], |row| Ok((row.get("id")?, feed_of_row(row)?)))
}

impl ArchiveReader {
    /// The feeds, by address, without removed ones.
    ///
    /// # Errors
    ///
    /// If the database cannot be read; so all of these.
    pub fn feeds(&self) -> Result<Vec<FeedRow>> {
        let columns = feed_columns();
        let sql = format!(
            "SELECT {columns} FROM feeds f LEFT JOIN polls p ON p.feed = f.id \
             WHERE f.state != 'removed' ORDER BY f.url"
        );
        self.db.all(&sql, [], feed_of_row)
    }

    /// The active feeds as a list for other programs: with their own addresses and home pages.
    /// Feeds that rest or ended are left out, since other programs would request them again.
    pub fn outlines(&self) -> Result<Vec<Outline>> {
        let mut outlines = Vec::new();
        let feeds = self.feeds()?.into_iter();
        for feed in feeds.filter(FeedRow::is_polled) {
            let Ok(url) = Url::parse(&feed.url) else {
                continue;
            };
            let mut outline = feed.outline(url);
            outline.title.retain(|c| !controls(c));
            if outline.html_url.is_none() {
                let profile = self.feed_profile(&feed.url)?;
                outline.html_url = profile.and_then(|profile| profile.home);
            }
            outlines.push(outline);
        }
        Ok(outlines)
    }

    /// The addresses of saved pages that are still to be visited, or to be visited again.
    pub fn saved_addresses(&self) -> Result<Vec<String>> {
        let sql = "SELECT DISTINCT g.url FROM feeds f JOIN items i ON i.feed = f.id JOIN pages g ON g.id = i.page \
                   WHERE f.url = ?1 AND f.state = 'active' AND g.next_visit IS NOT NULL ORDER BY g.url";
        self.db.values(sql, [SAVED_PAGES])
    }

    /// A feed by its address, whatever its state.
    pub fn feed(&self, url: &str) -> Result<Option<FeedRow>> {
        Ok(self.numbered_feed(url)?.map(|(_, row)| row))
    }

    /// A feed by its address, with its number.
    pub(super) fn numbered_feed(&self, url: &str) -> Result<Option<(i64, FeedRow)>> {
        one_feed(&self.db, "f.url = ?1", url)
    }

    /// A feed by its number.
    pub(super) fn feed_of(&self, number: i64) -> Result<Option<FeedRow>> {
        Ok(one_feed(&self.db, "f.id = ?1", number)?.map(|(_, row)| row))
    }
}
