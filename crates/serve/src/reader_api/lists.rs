//! Feeds, their folders, and how many of their entries are unread.

use super::listed_feeds::{LABEL, ListedFeeds, stream_of};
use super::stream::{READING_LIST, STARRED};
use super::{AppAnswer, json};
use crate::api::{OPML, folder_names, read};
use crate::library::with_marks;
use crate::state::LibraryApp;
use axum::body::Body;
use axum::http::{Response, StatusCode};
use chrono::{DateTime, Utc};
use forest_archive::{ArticleMark, EntryQuery, OWNER};
use forest_core::feed::write::opml;
use forest_web::served_state::ServedState;
use forest_web::shell::answer;
use serde_json::{Value, json as value};
use std::collections::BTreeMap;

/// `user-info`.
pub(super) fn user_info() -> Response<Body> {
    json(&value!({
        "userId": OWNER,
        "userName": OWNER,
        "userProfileId": OWNER,
        "userEmail": OWNER,
    }))
}

fn folder(name: &str) -> Value {
    value!({"id": format!("{LABEL}{name}"), "label": name, "type": "folder"})
}

/// `tag/list`: the starred entries and the folders.
pub(super) async fn folders(state: &ServedState<LibraryApp>) -> AppAnswer {
    let feeds = read(state, ListedFeeds::of).await?;
    let starred = value!({"id": STARRED});
    let folders = feeds.folders();
    let tags: Vec<Value> = [starred]
        .into_iter()
        .chain(folders.iter().map(|name| folder(name)))
        .collect();
    Ok(json(&value!({ "tags": tags })))
}

/// `subscription/export`: the feeds with their own addresses, for other programs.
pub(super) async fn exported_feeds(state: &ServedState<LibraryApp>) -> AppAnswer {
    let list = read(state, |archive| Ok(opml("Feeds", &archive.outlines()?))).await?;
    Ok(answer(StatusCode::OK, OPML, list))
}

/// `subscription/list`.
pub(super) async fn feeds(state: &ServedState<LibraryApp>) -> AppAnswer {
    let feeds = read(state, ListedFeeds::of).await?;
    let listed = feeds.rows().map(|row| {
        let folders: Vec<Value> = folder_names(row).map(|name| folder(&name)).collect();
        value!({
            "id": stream_of(&row.url),
            "title": feeds.title(&row.url),
            "categories": folders,
            "url": row.url,
            "htmlUrl": feeds.home(&row.url),
            "iconUrl": "",
            "firstitemmsec": row.added.timestamp_millis().to_string(),
        })
    });
    let listed: Vec<Value> = listed.collect();
    Ok(json(&value!({ "subscriptions": listed })))
}

/// Unread entries of a stream.
#[derive(Debug, Default, Clone, Copy)]
struct UnreadCount {
    count: u64,
    newest: DateTime<Utc>,
}

impl UnreadCount {
    fn add(&mut self, other: UnreadCount) {
        self.count += other.count;
        self.newest = self.newest.max(other.newest);
    }

    fn shown(self, stream: &str) -> Value {
        value!({
            "id": stream,
            "count": self.count,
            "newestItemTimestampUsec": self.newest.timestamp_micros().to_string(),
        })
    }
}

/// `unread-count`: of each feed, of each folder and of all.
pub(super) async fn unread_counts(state: &ServedState<LibraryApp>) -> AppAnswer {
    let counted = with_marks(state, |archive, marks| {
        let feeds = ListedFeeds::of(archive)?;
        let mut counts: BTreeMap<String, UnreadCount> = BTreeMap::new();
        let is_unread = |key: &str| !marks.has(ArticleMark::Read, key);
        archive.each_numbered_entry(&EntryQuery::default(), is_unread, |entry| {
            let (count, newest) = (1, entry.stored);
            let of_feed = counts.entry(entry.feed.to_string()).or_default();
            of_feed.add(UnreadCount { count, newest });
            true
        })?;
        Ok((feeds, counts))
    });
    let (feeds, counts) = counted.await?;
    let mut folders: BTreeMap<String, UnreadCount> = BTreeMap::new();
    let (mut all, mut listed) = (UnreadCount::default(), Vec::new());
    for row in feeds.rows() {
        let count = counts.get(&row.url).copied().unwrap_or_default();
        all.add(count);
        for folder in folder_names(row) {
            folders.entry(folder).or_default().add(count);
        }
        listed.push(count.shown(&stream_of(&row.url)));
    }
    let folders = folders.iter();
    listed.extend(folders.map(|(name, count)| count.shown(&format!("{LABEL}{name}"))));
    listed.push(all.shown(READING_LIST));
    Ok(json(&value!({"max": all.count, "unreadcounts": listed})))
}
