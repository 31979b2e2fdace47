//! Entries as Atom, for apps that read streams as feeds: each says its marks as categories.

use super::entry_json::streams_of;
use super::listed_feeds::ListedFeeds;
use super::request::long_id;
use axum::body::Body;
use axum::http::{Response, StatusCode};
use forest_archive::{ArticleMarks, NumberedEntry};
use forest_core::feed::write::{Channel, FeedEntry, SchemeTerm, SyndicationFormat, write};
use forest_web::shell::answer;

/// The scheme of the categories that are streams.
const SCHEME: &str = "http://www.google.com/reader/";

/// An entry that says its number and the streams that it is in.
pub(super) fn atom_entry(
    entry: &NumberedEntry,
    made: FeedEntry,
    feeds: &ListedFeeds,
    marks: &ArticleMarks,
) -> FeedEntry {
    let streams = streams_of(entry, feeds, marks).into_iter();
    let terms = streams.map(|term| SchemeTerm {
        scheme: SCHEME.to_owned(),
        label: term.rsplit('/').next().unwrap_or_default().to_owned(),
        term,
    });
    let dated = entry.dated.fixed_offset();
    FeedEntry {
        id: long_id(entry.number),
        published: Some(made.published.unwrap_or(dated)),
        terms: terms.collect(),
        ..made
    }
}

/// The feed of a stream with this name and title.
pub(super) fn atom_answer(stream: &str, title: &str, entries: Vec<FeedEntry>) -> Response<Body> {
    let channel = Channel {
        id: format!("tag:google.com,2005:reader/{stream}"),
        title: title.to_owned(),
        entries,
        ..Channel::default()
    };
    let format = SyndicationFormat::Atom;
    answer(StatusCode::OK, format.media_type(), write(&channel, format))
}
