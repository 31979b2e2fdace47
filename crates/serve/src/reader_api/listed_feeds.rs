//! The feeds of the archive as apps know them.

use crate::api::{feed_id, folder_names, id_of_url, title_of};
use crate::error::Result;
use forest_archive::{ArchiveReader, FeedRow};
use std::collections::{BTreeSet, HashMap};

/// Before the name of a folder.
pub(super) const LABEL: &str = "user/-/label/";

/// A feed, and the page of its site.
#[derive(Debug)]
struct ListedFeed {
    row: FeedRow,
    home: String,
}

/// The feeds that were not removed, by address.
#[derive(Debug)]
pub(super) struct ListedFeeds {
    feeds: Vec<ListedFeed>,
    places: HashMap<String, usize>,
}

impl ListedFeeds {
    pub(super) fn of(archive: &ArchiveReader) -> Result<ListedFeeds> {
        let mut feeds = Vec::new();
        for row in archive.feeds()? {
            let home = match &row.listed_home {
                Some(home) => home.clone(),
                None => {
                    let profile = archive.feed_profile(&row.url)?;
                    let home = profile.and_then(|profile| profile.home);
                    home.map(String::from).unwrap_or_default()
                }
            };
            feeds.push(ListedFeed { row, home });
        }
        let places = feeds.iter().enumerate();
        let places = places.map(|(place, feed)| (feed.row.url.clone(), place));
        Ok(ListedFeeds {
            places: places.collect(),
            feeds,
        })
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = &FeedRow> {
        self.feeds.iter().map(|feed| &feed.row)
    }

    fn at(&self, url: &str) -> Option<&ListedFeed> {
        self.places.get(url).map(|place| &self.feeds[*place])
    }

    /// The feed with this id here, or this address.
    pub(super) fn find(&self, name: &str) -> Option<&FeedRow> {
        let by_id = || self.rows().find(|row| feed_id(row) == name);
        self.at(name).map(|feed| &feed.row).or_else(by_id)
    }

    pub(super) fn title<'f>(&'f self, url: &'f str) -> &'f str {
        self.at(url).map_or(url, |feed| title_of(&feed.row))
    }

    /// The page of its site; may be empty.
    pub(super) fn home(&self, url: &str) -> &str {
        self.at(url).map_or("", |feed| &feed.home)
    }

    /// The names of its folders as streams.
    pub(super) fn labels(&self, url: &str) -> Vec<String> {
        let feed = self.at(url);
        let names = feed.into_iter().flat_map(|feed| folder_names(&feed.row));
        names.map(|name| format!("{LABEL}{name}")).collect()
    }

    /// All folders with feeds, by name.
    pub(super) fn folders(&self) -> BTreeSet<String> {
        self.rows().flat_map(folder_names).collect()
    }

    /// True if a feed is in a folder. Folders within it are others, as in the lists that apps get.
    pub(super) fn is_in(&self, url: &str, folder: &str) -> bool {
        let feed = self.at(url);
        let mut names = feed.into_iter().flat_map(|feed| folder_names(&feed.row));
        names.any(|name| name == folder)
    }
}

/// The stream of a feed.
pub(super) fn stream_of(url: &str) -> String {
    format!("feed/{}", id_of_url(url))
}
