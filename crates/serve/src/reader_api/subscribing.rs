//! Feeds are added, named, moved between folders, and removed. A folder is there as long as a feed is
//! in it.

use super::fault::AppFault;
use super::listed_feeds::{ListedFeeds, stream_of};
use super::request::AppRequest;
use super::stream::EntryStream;
use super::{AppAnswer, json, text};
use crate::api::{folder_names, read};
use crate::error::Result;
use crate::library::{MAX_FOLDERS, in_folder};
use crate::rate::OF_ADDING;
use crate::state::LibraryApp;
use crate::web_page::typed_address;
use chrono::{DateTime, Utc};
use forest_archive::{Event, FeedRow};
use forest_harvest::{FeedStore, FoundFeed};
use forest_web::served_state::ServedState;
use serde_json::json as value;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::SystemTime;
use url::Url;

/// Feeds that are edited at once.
const MAX_EDITED: usize = 1_000;

/// Characters of a title or a folder's name.
const NAME_CHARS: usize = 500;

/// The title and folders of a feed that a person gives it.
#[derive(Debug, Clone, Default)]
struct FeedListing {
    title: Option<String>,
    added: Vec<String>,
    removed: Vec<String>,
}

impl FeedListing {
    /// The event that gives them to a feed; `None` if it has them already. `known`: the paths of
    /// the folders that there are, by name.
    fn event(&self, row: &FeedRow, known: &BTreeMap<String, Vec<String>>) -> Option<Event> {
        let title = self
            .title
            .clone()
            .unwrap_or_else(|| row.listed_title.clone());
        let mut folders = row.folders.clone();
        folders.retain(|path| !self.removed.contains(&path.join("/")));
        for name in &self.added {
            let new = || {
                name.split('/')
                    .filter(|part| !part.is_empty())
                    .map(str::to_owned)
            };
            let path = known.get(name).cloned().unwrap_or_else(|| new().collect());
            if !path.is_empty() && !folders.contains(&path) && folders.len() < MAX_FOLDERS {
                folders.push(path);
            }
        }
        let is_same = title == row.listed_title && folders == row.folders;
        (!is_same).then(|| Event::FeedListed {
            feed: row.url.clone(),
            title,
            home: row.listed_home.clone(),
            folders,
        })
    }
}

/// The paths of all folders, by name.
fn paths_of(feeds: &ListedFeeds) -> BTreeMap<String, Vec<String>> {
    let paths = feeds.rows().flat_map(|row| &row.folders);
    paths.map(|path| (path.join("/"), path.clone())).collect()
}

/// The folders in parameters of this name.
fn folders_in(request: &AppRequest, name: &str) -> std::result::Result<Vec<String>, AppFault> {
    let named = || request.all(name).filter(|label| !label.is_empty());
    if named().count() > MAX_FOLDERS {
        return Err(AppFault::Bad("a feed is in at most 20 folders"));
    }
    let folders = named().map(|label| match EntryStream::of(label) {
        Some(EntryStream::Folder(name))
            if !name.is_empty() && name.chars().count() <= NAME_CHARS =>
        {
            Ok(name)
        }
        _ => Err(AppFault::Bad(
            "a folder is named `user/-/label/` and its name",
        )),
    });
    folders.collect()
}

/// The feeds `s`, by id or address.
fn named_feeds(request: &AppRequest) -> std::result::Result<Vec<String>, AppFault> {
    let names = request
        .all("s")
        .map(|stream| match EntryStream::of(stream) {
            Some(EntryStream::Feed(name)) => Ok(name),
            _ => Err(AppFault::Bad(
                "a feed is named `feed/` and its id or address",
            )),
        });
    let names: Vec<String> = names
        .take(MAX_EDITED)
        .collect::<std::result::Result<_, _>>()?;
    if names.is_empty() {
        return Err(AppFault::Bad("no feed is named: `s` is missing"));
    }
    Ok(names)
}

fn now() -> DateTime<Utc> {
    SystemTime::now().into()
}

/// `subscription/edit`.
pub(super) async fn edit(state: &ServedState<LibraryApp>, request: &AppRequest) -> AppAnswer {
    let names = named_feeds(request)?;
    let title = request.get("t").trim();
    let listing = FeedListing {
        title: (!title.is_empty()).then(|| title.chars().take(NAME_CHARS).collect()),
        added: folders_in(request, "a")?,
        removed: folders_in(request, "r")?,
    };
    let is_done = match request.get("ac") {
        "subscribe" => return subscribe(state, &names[0], listing).await,
        "edit" => change(state, names, move |row, known| listing.event(row, known)).await?,
        "unsubscribe" => {
            let removed = |row: &FeedRow, _: &BTreeMap<String, Vec<String>>| {
                let feed = row.url.clone();
                Some(Event::FeedRemoved { feed })
            };
            change(state, names, removed).await?
        }
        _ => return Err(AppFault::Bad("`ac` is subscribe, edit or unsubscribe")),
    };
    if !is_done {
        return Err(AppFault::Bad("the archive has no such feed"));
    }
    Ok(text("OK"))
}

/// Writes an event of each of these feeds; false if one of them is unknown, and nothing was written.
async fn change(
    state: &ServedState<LibraryApp>,
    names: Vec<String>,
    event: impl Fn(&FeedRow, &BTreeMap<String, Vec<String>>) -> Option<Event> + Send + 'static,
) -> std::result::Result<bool, AppFault> {
    let feeds = Arc::new(read(state, ListedFeeds::of).await?);
    let changing = in_folder(state, move |dir| {
        let rows: Option<Vec<&FeedRow>> = names.iter().map(|name| feeds.find(name)).collect();
        let Some(rows) = rows else { return Ok(false) };
        let known = paths_of(&feeds);
        let events: Vec<Event> = rows.iter().filter_map(|row| event(row, &known)).collect();
        write(dir, events)?;
        Ok(true)
    });
    Ok(changing.await?)
}

fn write(dir: &std::path::Path, events: Vec<Event>) -> Result<()> {
    if events.is_empty() {
        return Ok(());
    }
    let mut store = FeedStore::open(dir)?;
    for event in events {
        store.write(event, now())?;
    }
    Ok(())
}

/// Looks for the feed at an address; the inner error says why there is none.
async fn find(
    state: &ServedState<LibraryApp>,
    typed: &str,
) -> std::result::Result<std::result::Result<FoundFeed, String>, AppFault> {
    let Ok(url) = typed_address(typed) else {
        return Err(AppFault::Bad("give the address of a feed or of a site"));
    };
    let busy = |why: &dyn std::fmt::Display| AppFault::Busy(why.to_string());
    state.rate.take(OF_ADDING).map_err(|why| busy(&why))?;
    let job = state.jobs.begin();
    let job = job.ok_or_else(|| busy(&"other addresses are being looked at"))?;
    let fetching = Arc::clone(state);
    let looking = move || job.look_for_feed(fetching.reader.fetcher(), url);
    let found = tokio::task::spawn_blocking(looking).await;
    found.map_err(|_| AppFault::Busy("the address cannot be looked at".to_owned()))
}

/// Adds a feed that was found.
async fn add(
    state: &ServedState<LibraryApp>,
    found: FoundFeed,
    listing: FeedListing,
) -> std::result::Result<(), AppFault> {
    let feeds = read(state, ListedFeeds::of).await?;
    let adding = in_folder(state, move |dir| {
        let url: Url = found.url.clone();
        let mut store = FeedStore::open(dir)?;
        let row = store.feed(&url)?.unwrap_or_else(|| FeedRow {
            url: url.to_string(),
            ..FeedRow::default()
        });
        let about = listing.event(&row, &paths_of(&feeds));
        if row.state != "active" {
            let about = about.into_iter().collect();
            return Ok(store.add(&url, Some(found), about, now())?);
        }
        // It is harvested already.
        match about {
            Some(event) => Ok(store.write(event, now())?),
            None => Ok(()),
        }
    });
    Ok(adding.await?)
}

async fn subscribe(
    state: &ServedState<LibraryApp>,
    typed: &str,
    listing: FeedListing,
) -> AppAnswer {
    match find(state, typed).await? {
        Ok(found) => {
            add(state, found, listing).await?;
            Ok(text("OK"))
        }
        Err(_) => Err(AppFault::Bad("there is no feed at this address")),
    }
}

/// `subscription/quickadd`.
pub(super) async fn quick_add(state: &ServedState<LibraryApp>, request: &AppRequest) -> AppAnswer {
    let typed = request.get("quickadd");
    let typed = typed.strip_prefix("feed/").unwrap_or(typed);
    Ok(json(&match find(state, typed).await? {
        Ok(found) => {
            let (url, title) = (found.url.to_string(), found.title.clone());
            add(state, found, FeedListing::default()).await?;
            value!({
                "numResults": 1,
                "query": typed,
                "streamId": stream_of(&url),
                "streamName": title,
            })
        }
        Err(why) => value!({"numResults": 0, "query": typed, "error": why}),
    }))
}

/// `rename-tag`: of a folder.
pub(super) async fn rename_folder(
    state: &ServedState<LibraryApp>,
    request: &AppRequest,
) -> AppAnswer {
    let (removed, added) = (folders_in(request, "s")?, folders_in(request, "dest")?);
    if removed.len() != 1 || added.len() != 1 {
        return Err(AppFault::Bad("a folder and its new name are wanted"));
    }
    move_feeds(state, removed, added).await
}

/// `disable-tag`: its feeds stay.
pub(super) async fn remove_folders(
    state: &ServedState<LibraryApp>,
    request: &AppRequest,
) -> AppAnswer {
    move_feeds(state, folders_in(request, "s")?, Vec::new()).await
}

/// Moves all feeds out of folders, and into others.
async fn move_feeds(
    state: &ServedState<LibraryApp>,
    removed: Vec<String>,
    added: Vec<String>,
) -> AppAnswer {
    let listing = FeedListing {
        title: None,
        added,
        removed,
    };
    let feeds = Arc::new(read(state, ListedFeeds::of).await?);
    let moving = in_folder(state, move |dir| {
        let known = paths_of(&feeds);
        let is_moved =
            |row: &&FeedRow| folder_names(row).any(|name| listing.removed.contains(&name));
        let moved = feeds.rows().filter(is_moved);
        let events: Vec<Event> = moved.filter_map(|row| listing.event(row, &known)).collect();
        let is_known = !events.is_empty();
        write(dir, events)?;
        Ok(is_known)
    });
    if !moving.await? {
        return Err(AppFault::Bad("there is no such folder"));
    }
    Ok(text("OK"))
}
