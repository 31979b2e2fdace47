//! An entry as JSON.

use super::listed_feeds::{ListedFeeds, stream_of};
use super::request::long_id;
use super::stream::{READ, READING_LIST, STARRED};
use forest_archive::{ArticleMark, ArticleMarks, NumberedEntry};
use forest_core::feed::write::FeedEntry;
use serde_json::{Value, json};

/// The streams that an entry is in: all, its folders, read, starred.
pub(super) fn streams_of(
    entry: &NumberedEntry,
    feeds: &ListedFeeds,
    marks: &ArticleMarks,
) -> Vec<String> {
    let mut streams = vec![READING_LIST.to_owned()];
    streams.extend(feeds.labels(&entry.feed));
    for (mark, stream) in [(ArticleMark::Read, READ), (ArticleMark::Starred, STARRED)] {
        if marks.has(mark, &entry.key) {
            streams.push(stream.to_owned());
        }
    }
    streams
}

/// An entry with its content.
pub(super) fn entry_json(
    entry: &NumberedEntry,
    made: &FeedEntry,
    feeds: &ListedFeeds,
    marks: &ArticleMarks,
) -> Value {
    let address = made
        .url
        .as_ref()
        .map(|url| url.as_str())
        .unwrap_or_default();
    let files = made.enclosures.iter().map(|file| {
        let kind = file.media_type.as_deref().unwrap_or_default();
        json!({"href": file.url.as_str(), "type": kind, "length": file.bytes.unwrap_or_default()})
    });
    let files: Vec<Value> = files.collect();
    let changed = made
        .updated
        .map_or(entry.dated.timestamp(), |time| time.timestamp());
    json!({
        "id": long_id(entry.number),
        "crawlTimeMsec": entry.stored.timestamp_millis().to_string(),
        "timestampUsec": entry.stored.timestamp_micros().to_string(),
        "published": entry.dated.timestamp(),
        "updated": changed,
        "title": made.title,
        "author": made.authors.join(", "),
        "canonical": [{"href": address}],
        "alternate": [{"href": address, "type": "text/html"}],
        "categories": streams_of(entry, feeds, marks),
        "origin": {
            "streamId": stream_of(&entry.feed),
            "title": feeds.title(&entry.feed),
            "htmlUrl": feeds.home(&entry.feed),
        },
        "summary": {"direction": "ltr", "content": made.html},
        "enclosure": files,
    })
}
