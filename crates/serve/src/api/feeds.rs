//! The feeds of the archive: `/feed/<id>.atom`, `.rss` and `.json` with every item and its
//! whole article, and `/opml` with all feeds.
//!
//! An id is the beginning of the SHA-256 of the feed's address: it stays the same when the
//! archive's tables are made again. The archive is only read.

use super::archive::ServedArchive;
use super::conditional::ServedDocument;
use super::reading::{NoDocument, read};
use crate::state::LibraryApp;
use axum::body::Body;
use axum::extract::{OriginalUri, Path};
use axum::http::{HeaderMap, Response};
use forest_archive::FeedRow;
use forest_archive::export::{WhichItems, feed_channel};
use forest_core::feed::Outline;
use forest_core::feed::write::{SyndicationFormat, opml, write};
use forest_html::text::sha256_hex;
use forest_web::form_fields::FormFields;
use forest_web::guard::base_url;
use forest_web::served_state::ServedState;
use std::sync::Arc;
use std::time::SystemTime;
use url::Url;

/// Hex digits of an id.
const ID_DIGITS: usize = 16;

/// The formats: the ending of the address, the name.
pub(super) const FORMATS: [(&str, &str, SyndicationFormat); 3] = [
    ("atom", "Atom", SyndicationFormat::Atom),
    ("rss", "RSS", SyndicationFormat::Rss),
    ("json", "JSON Feed", SyndicationFormat::Json),
];

/// The parameter of the list by which its feeds have their own addresses, and its value; without it
/// they have those of this server.
pub(super) const ADDRESSES: &str = "addresses";
pub(super) const OWN: &str = "own";

/// The media type of lists of feeds.
/// The media type of a list of feeds.
pub const OPML: &str = "text/x-opml; charset=utf-8";

pub(super) async fn feed(
    state: ServedState<LibraryApp>,
    Path(file): Path<String>,
    request: HeaderMap,
) -> Response<Body> {
    let format = file.rsplit_once('.').and_then(|(id, ending)| {
        let format = FORMATS.iter().find(|(known, ..)| *known == ending)?;
        Some((id.to_owned(), format.2))
    });
    let Some((id, format)) = format else {
        return NoDocument::Unknown.answer();
    };
    let Some(served) = &state.archive else {
        return NoDocument::NoArchive.answer();
    };
    let kept = served.watch.look();
    let kept = kept.map(|now| served.rendered.get(&file, now));
    let document = match kept {
        Ok(Some(kept)) => Ok(kept),
        Ok(None) => made(&state, served, &file, id, format).await,
        Err(error) => Err(NoDocument::Unreadable(error.to_string())),
    };
    match document {
        Ok(document) => document.answer(&request),
        Err(why) => why.answer(),
    }
}

/// The feed of a file's name, made now unless it was made while this waited for its turn, or is
/// made of the same as the last one.
async fn made(
    state: &ServedState<LibraryApp>,
    served: &ServedArchive,
    file: &str,
    id: String,
    format: SyndicationFormat,
) -> std::result::Result<Arc<ServedDocument>, NoDocument> {
    let _turn = served.rendered.turn(file).await;
    let unreadable = |error: forest_archive::Error| NoDocument::Unreadable(error.to_string());
    // Whatever is written from here on makes another state.
    let now = served.watch.look().map_err(unreadable)?;
    if let Some(kept) = served.rendered.get(file, now) {
        return Ok(kept);
    }
    let (shared, file) = (Arc::clone(state), file.to_owned());
    let made = read(state, move |archive| {
        let Some(served) = &shared.archive else {
            return Ok(None);
        };
        if let Some(url) = served.rendered.url(&file) {
            let digest = archive.feed_digest(&url)?;
            if let Some(kept) = served.rendered.renew(&file, now, &digest) {
                return Ok(Some(kept));
            }
        }
        let feeds = archive.feeds()?;
        let Some(row) = feeds.iter().find(|row| feed_id(row) == id) else {
            return Ok(None);
        };
        let made_of = (row.url.clone(), archive.feed_digest(&row.url)?);
        let channel = feed_channel(archive, &row.url, &WhichItems::default())?;
        Ok(channel.map(|channel| {
            let text = write(&channel, format);
            let at = SystemTime::now().into();
            let document = served.times.document(&file, format.media_type(), text, at);
            let document = Arc::new(document);
            served.rendered.keep(&file, now, made_of, &document);
            document
        }))
    });
    made.await?.ok_or(NoDocument::Unknown)
}

pub(super) async fn list(
    state: ServedState<LibraryApp>,
    OriginalUri(uri): OriginalUri,
    request: HeaderMap,
) -> Response<Body> {
    let base = base_url(&request, &uri);
    let asked = FormFields::read(uri.query().unwrap_or_default().as_bytes());
    let is_own = asked.get(ADDRESSES) == OWN;
    let name = if is_own {
        "opml of their own".to_owned()
    } else {
        format!("opml of {base}")
    };
    let query = state.web.feed_query();
    let text = read(&state, move |archive| {
        if is_own {
            return Ok(opml("Feeds", &archive.outlines()?));
        }
        let rows = archive.feeds()?;
        let outlines = rows.iter().filter_map(|row| outline(row, &base, &query));
        let outlines: Vec<Outline> = outlines.collect();
        Ok(opml("Feeds", &outlines))
    });
    match (text.await, &state.archive) {
        (Ok(text), Some(served)) => {
            let now = SystemTime::now().into();
            served
                .times
                .document(&name, OPML, text, now)
                .answer(&request)
        }
        (Ok(_), None) => NoDocument::NoArchive.answer(),
        (Err(why), _) => why.answer(),
    }
}

/// A feed as this server has it, for a list. `base` is the address of the list.
fn outline(row: &FeedRow, base: &Url, query: &str) -> Option<Outline> {
    let address = base.join(&format!("{}{query}", feed_path(&row.url, "atom")));
    let address = address.ok()?;
    let mut outline = row.outline(address);
    if outline.title.is_empty() {
        outline.title.clone_from(&row.url);
    }
    Some(outline)
}

/// The id of a feed in the addresses of this server.
pub fn feed_id(row: &FeedRow) -> String {
    id_of_url(&row.url)
}

pub fn id_of_url(url: &str) -> String {
    sha256_hex(url)[..ID_DIGITS].to_owned()
}

/// The address at which a feed with this address of its own is served, relative to the pages
/// of the server.
pub fn feed_path(url: &str, ending: &str) -> String {
    format!("feed/{}.{ending}", id_of_url(url))
}

/// The title of a feed for people; its address if it has none.
pub fn title_of(row: &FeedRow) -> &str {
    let titles = [&row.listed_title, &row.title, &row.url];
    let mut named = titles.into_iter().filter(|title| !title.is_empty());
    named.next().map_or("", String::as_str)
}

/// Characters of a title in a list; the feed's own page has all of it.
const TITLE_CHARS: usize = 100;

/// The title of a feed in a list, cut if it is long.
pub fn short_title(row: &FeedRow) -> String {
    let title = title_of(row).trim();
    match title.char_indices().nth(TITLE_CHARS) {
        Some((at, _)) => format!("{}…", &title[..at]),
        None => title.to_owned(),
    }
}
