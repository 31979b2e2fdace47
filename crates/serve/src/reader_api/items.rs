//! Entries: their numbers, and their contents.
//!
//! Numbers come from the tables alone. Contents are made some at a time, each time in the client's
//! turn, so that others are answered meanwhile.

use super::atom::{atom_answer, atom_entry};
use super::entry_json::entry_json;
use super::listed_feeds::{ListedFeeds, stream_of};
use super::request::AppRequest;
use super::stream::{EntryStream, READING_LIST, StreamSelection};
use super::{AppAnswer, json};
use crate::api::{NoDocument, read};
use crate::library::with_marks;
use crate::state::LibraryApp;
use forest_archive::export::EntryRenderer;
use forest_archive::{ArticleMarks, EntryPlace, NumberedEntry};
use forest_core::feed::write::FeedEntry;
use forest_web::served_state::ServedState;
use serde_json::{Map, Value, json as value};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// Entries whose numbers are given at once.
const MAX_IDS: usize = 10_000;

/// Entries whose contents are given at once.
const MAX_CONTENTS: usize = 1_000;

/// Bytes of contents from which no more are given at once.
const CONTENT_BYTES: usize = 32_000_000;

/// Entries that are made in one turn.
const AT_ONCE: usize = 20;

/// Entries of a list, and where it goes on.
struct FoundEntries {
    entries: Vec<NumberedEntry>,
    next: Option<EntryPlace>,
    feeds: ListedFeeds,
    marks: Arc<ArticleMarks>,
}

/// The first entries of a selection, at most so many.
async fn find(
    state: &ServedState<LibraryApp>,
    selection: StreamSelection,
    most: usize,
) -> Result<FoundEntries, NoDocument> {
    with_marks(state, move |archive, marks| {
        let feeds = ListedFeeds::of(archive)?;
        let mut entries = Vec::new();
        let wanted = |key: &str| selection.wants(&marks, key);
        archive.each_numbered_entry(&selection.query(&feeds), wanted, |entry| {
            entries.push(entry);
            // One more shows that the list goes on.
            entries.len() <= most
        })?;
        let has_more = entries.len() > most;
        entries.truncate(most);
        let next = entries.last().filter(|_| has_more).map(EntryPlace::of);
        Ok(FoundEntries {
            entries,
            next,
            feeds,
            marks,
        })
    })
    .await
}

/// `stream/items/ids`.
pub(super) async fn ids(state: &ServedState<LibraryApp>, request: &AppRequest) -> AppAnswer {
    let stream = match request.get("s") {
        "" => READING_LIST,
        stream => stream,
    };
    let selection = StreamSelection::of(stream, request)?;
    let found = find(state, selection, request.count(MAX_IDS)).await?;
    let refs = found.entries.iter().map(|entry| {
        value!({
            "id": entry.number.to_string(),
            "directStreamIds": [stream_of(&entry.feed)],
            "timestampUsec": entry.stored.timestamp_micros().to_string(),
        })
    });
    let refs: Vec<Value> = refs.collect();
    let mut answer = value!({ "itemRefs": refs });
    if let Some(next) = found.next {
        answer["continuation"] = next.to_string().into();
    }
    Ok(json(&answer))
}

/// The contents of entries, until they are too many bytes: each with its place among them.
async fn contents<T: Send + 'static>(
    state: &ServedState<LibraryApp>,
    found: &Arc<FoundEntries>,
    shown: fn(&FoundEntries, &NumberedEntry, FeedEntry) -> T,
) -> Result<(Vec<T>, usize), NoDocument> {
    let (mut made, mut bytes, mut at) = (Vec::new(), 0, 0);
    while at < found.entries.len() && bytes < CONTENT_BYTES {
        let (of, places) = (
            Arc::clone(found),
            at..(at + AT_ONCE).min(found.entries.len()),
        );
        at = places.end;
        let (some, more) = read(state, move |archive| {
            let mut renderer = EntryRenderer::new(archive);
            let (mut some, mut bytes) = (Vec::new(), 0);
            for entry in &of.entries[places] {
                if let Some(content) = renderer.read(entry)? {
                    bytes += content.html.len();
                    some.push(shown(&of, entry, content));
                }
            }
            Ok((some, bytes))
        })
        .await?;
        made.extend(some);
        bytes += more;
    }
    Ok((made, at))
}

/// `stream/contents`.
pub(super) async fn show_stream(
    state: &ServedState<LibraryApp>,
    request: &AppRequest,
    stream: &str,
) -> AppAnswer {
    let streams = [stream, request.get("s"), READING_LIST];
    let stream = streams.into_iter().find(|stream| !stream.is_empty());
    let stream = stream.unwrap_or(READING_LIST);
    let selection = StreamSelection::of(stream, request)?;
    let found = find(state, selection, request.count(MAX_CONTENTS)).await?;
    shown(state, stream, found).await
}

/// `stream/items/contents`: in the order in which they are asked for.
pub(super) async fn show_items(state: &ServedState<LibraryApp>, request: &AppRequest) -> AppAnswer {
    let numbers = request.numbers(MAX_CONTENTS)?;
    let found = with_marks(state, move |archive, marks| {
        let mut entries = Vec::new();
        for number in numbers {
            entries.extend(archive.numbered_entry(number)?);
        }
        Ok(FoundEntries {
            entries,
            next: None,
            feeds: ListedFeeds::of(archive)?,
            marks,
        })
    });
    shown(state, READING_LIST, found.await?).await
}

/// Entries with their contents, as JSON.
async fn shown(state: &ServedState<LibraryApp>, stream: &str, found: FoundEntries) -> AppAnswer {
    let found = Arc::new(found);
    let (items, made) = contents(state, &found, |found, entry, content| {
        entry_json(entry, &content, &found.feeds, &found.marks)
    })
    .await?;
    let is_whole = made == found.entries.len();
    let next = if is_whole {
        found.next
    } else {
        found.entries[..made].last().map(EntryPlace::of)
    };
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    let mut answer = Map::new();
    answer.insert("direction".to_owned(), "ltr".into());
    answer.insert("id".to_owned(), stream.into());
    answer.insert("title".to_owned(), title_of(stream, &found.feeds).into());
    answer.insert("updated".to_owned(), now.as_secs().into());
    answer.insert("items".to_owned(), items.into());
    if let Some(next) = next {
        answer.insert("continuation".to_owned(), next.to_string().into());
    }
    Ok(json(&Value::Object(answer)))
}

/// The title of a stream for people.
fn title_of(stream: &str, feeds: &ListedFeeds) -> String {
    let title = match EntryStream::of(stream) {
        Some(EntryStream::Feed(name)) => {
            let row = feeds.find(&name);
            return row.map_or(name.clone(), |row| feeds.title(&row.url).to_owned());
        }
        Some(EntryStream::Folder(name)) => return name,
        Some(EntryStream::Read) => "Read",
        Some(EntryStream::Unread) => "Unread",
        Some(EntryStream::Starred) => "Starred",
        _ => "Reading list",
    };
    title.to_owned()
}

/// `reader/atom/<stream>`.
pub(super) async fn show_atom(
    state: &ServedState<LibraryApp>,
    request: &AppRequest,
    stream: &str,
) -> AppAnswer {
    let selection = StreamSelection::of(stream, request)?;
    let found = find(state, selection, request.count(MAX_CONTENTS)).await?;
    let found = Arc::new(found);
    let (entries, _) = contents(state, &found, |found, entry, content| {
        atom_entry(entry, content, &found.feeds, &found.marks)
    })
    .await?;
    Ok(atom_answer(
        stream,
        &title_of(stream, &found.feeds),
        entries,
    ))
}
