//! `/reader/<id>/play?n=`: a page with one player, for a recording or a film that goes with an item
//! of a feed. Nothing of it is loaded before a person presses "play".
//!
//! The policy of this page alone lets media be loaded, and from any server of the web: those of
//! recordings send their listeners from one host to the next. The page has no other address from
//! elsewhere, and says nothing of itself to these servers.

use super::asked;
use super::entry_filter::EntryFilter;
use super::listed::address_in;
use crate::api::{NoDocument, read, size};
use crate::error::Result;
use crate::state::LibraryApp;
use axum::body::Body;
use axum::extract::Path;
use axum::http::header::{self, HeaderValue};
use axum::http::{Response, StatusCode, Uri};
use forest_archive::{ArchiveReader, EntryOrigin, ListedEntry};
use forest_core::feed::Enclosure;
use forest_html::address::has_credentials;
use forest_web::guard::POLICY;
use forest_web::links::coded;
use forest_web::served_state::ServedState;
use forest_web::shell;
use maud::{Markup, html};
use url::Url;

/// Files of an entry that are offered.
const MAX_FILES: usize = 8;

/// Bytes below which a feed's word on the length of a file is a placeholder.
const MIN_BYTES: u64 = 10_000;

/// Characters of an extension that is shown.
const EXTENSION_CHARS: usize = 5;

/// Extensions of files that browsers play, where the feed names no media type.
const OF_SOUND: [&str; 6] = ["mp3", "m4a", "aac", "ogg", "opus", "wav"];
const OF_FILM: [&str; 3] = ["mp4", "m4v", "webm"];

/// The kind of a file that can be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PlayedKind {
    Sound,
    Film,
}

/// A recording or a film that goes with an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PlayedFile {
    url: Url,
    kind: PlayedKind,
    /// `mp3, 34 MB`, as far as the feed says it.
    about: String,
}

impl PlayedFile {
    /// The files of an item that can be played, the first ones.
    pub(super) fn all_of(files: &[Enclosure]) -> Vec<PlayedFile> {
        let played = files.iter().filter_map(PlayedFile::of);
        played.take(MAX_FILES).collect()
    }

    fn of(file: &Enclosure) -> Option<PlayedFile> {
        let media_type = file.media_type.as_deref().unwrap_or_default();
        let (family, subtype) = media_type.split_once('/').unwrap_or_default();
        let extension = extension(&file.url);
        let named = extension.as_deref().unwrap_or_default();
        let kind = match family.trim().to_ascii_lowercase().as_str() {
            _ if has_credentials(&file.url) => return None,
            "audio" => PlayedKind::Sound,
            "video" => PlayedKind::Film,
            "" if OF_SOUND.contains(&named) => PlayedKind::Sound,
            "" if OF_FILM.contains(&named) => PlayedKind::Film,
            _ => return None,
        };
        let subtype = subtype.split(';').next().unwrap_or_default().trim();
        let format = extension.unwrap_or_else(|| subtype.chars().take(20).collect());
        let bytes = file.bytes.filter(|bytes| *bytes >= MIN_BYTES).map(size);
        let about = [Some(format).filter(|format| !format.is_empty()), bytes];
        let about: Vec<String> = about.into_iter().flatten().collect();
        Some(PlayedFile {
            url: file.url.clone(),
            kind,
            about: about.join(", "),
        })
    }

    /// `Listen (mp3, 34 MB)`.
    fn name(&self) -> String {
        let verb = match self.kind {
            PlayedKind::Sound => "Listen",
            PlayedKind::Film => "Watch",
        };
        match self.about.as_str() {
            "" => verb.to_owned(),
            about => format!("{verb} ({about})"),
        }
    }
}

/// The extension of the file at an address, in lower case.
fn extension(url: &Url) -> Option<String> {
    let (_, extension) = url.path_segments()?.next_back()?.rsplit_once('.')?;
    let is_short = (1..=EXTENSION_CHARS).contains(&extension.len());
    let is_plain = extension.bytes().all(|b| b.is_ascii_alphanumeric());
    (is_short && is_plain).then(|| extension.to_ascii_lowercase())
}

/// The links to the players of an entry, from its page.
pub(super) fn links(entry: i64, files: &[PlayedFile], list: &str) -> Markup {
    html! { @if !files.is_empty() { p .meta { @for (n, file) in files.iter().enumerate() {
        a href={ (entry) "/play?n=" (n) "&in=" (coded(list)) } { (file.name()) } " "
    } } } }
}

/// The files of an entry that can be played.
fn files_of(archive: &ArchiveReader, entry: &ListedEntry) -> Result<Vec<PlayedFile>> {
    let files = match entry.source {
        EntryOrigin::Article { .. } => {
            let latest = archive.numbered_version(entry.id, None)?;
            let text = latest.map(|latest| latest.record.text).unwrap_or_default();
            archive.article_items(entry.id, &text)?.files
        }
        EntryOrigin::Feed { .. } => {
            let item = archive.item_of_entry(entry.id)?;
            item.map(|item| item.enclosures).unwrap_or_default()
        }
    };
    Ok(PlayedFile::all_of(&files))
}

/// An entry with one of its files.
struct OpenPlayer {
    entry: ListedEntry,
    file: PlayedFile,
}

pub(super) async fn show(
    state: ServedState<LibraryApp>,
    Path(id): Path<String>,
    uri: Uri,
) -> Response<Body> {
    let asked = asked(&uri);
    let nth: Option<usize> = asked.get("n").parse().ok();
    let list = EntryFilter::of_address(asked.get("in")).address();
    let found = read(&state, move |archive| {
        let (Ok(id), Some(nth)) = (id.parse(), nth) else {
            return Ok(None);
        };
        let Some(entry) = archive.entry(id)? else {
            return Ok(None);
        };
        let file = files_of(archive, &entry)?.into_iter().nth(nth);
        Ok(file.map(|file| OpenPlayer { entry, file }))
    });
    match found
        .await
        .and_then(|found| found.ok_or(NoDocument::Unknown))
    {
        Ok(open) => open.page(&list),
        Err(why) => why.page("../../", "Reader"),
    }
}

impl OpenPlayer {
    fn page(&self, list: &str) -> Response<Body> {
        let (entry, file) = (&self.entry, &self.file);
        let (url, name) = (file.url.as_str(), entry.name());
        let main = html! { .measure {
            nav .bar { a href={ "../../" (address_in(entry, list)) } { "To the article" } }
            h1 dir="auto" { (name) }
            @match file.kind {
                PlayedKind::Sound => audio controls preload="none" src=(url) aria-label=(name) {},
                PlayedKind::Film => video controls preload="none" src=(url) aria-label=(name) {},
            }
            p .hint {
                "It is loaded from " (host(&file.url)) ", and from wherever that leads, when you press play. "
                a href=(url) rel="noreferrer" { "The file" @if !file.about.is_empty() { " (" (file.about) ")" } }
            }
        } };
        let mut page = shell::page_in("Reader", "../../", None, StatusCode::OK, name, &main);
        let sources = match file.url.scheme() {
            "https" => "https:",
            _ => "http: https:",
        };
        let policy = HeaderValue::try_from(format!("{POLICY}; media-src {sources}"));
        let policy = policy.expect("a policy has plain characters");
        let headers = page.headers_mut();
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
        // No form stands on the page, which would need the origin.
        let nothing = HeaderValue::from_static("no-referrer");
        headers.insert(header::REFERRER_POLICY, nothing);
        page
    }
}

/// The host of an address, for people.
fn host(url: &Url) -> &str {
    url.host_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recordings_and_films_are_played() {
        let check = |url: &str, media_type: &str, bytes: u64, expected: Option<&str>| {
            let file = Enclosure {
                url: Url::parse(url).expect("an address"),
                media_type: Some(media_type.to_owned()).filter(|kind| !kind.is_empty()),
                bytes: Some(bytes),
            };
            let played = PlayedFile::of(&file).map(|file| file.name());
            assert_eq!(played.as_deref(), expected, "{url} {media_type}");
        };
        let mp3 = "https://a.example/1.MP3?x=1.pdf";
        check(mp3, "audio/mpeg", 34_000_000, Some("Listen (mp3, 34 MB)"));
        check(mp3, "", 0, Some("Listen (mp3)"));
        check(
            "https://a.example/v",
            "video/mp4; codecs=x",
            1,
            Some("Watch (mp4)"),
        );
        check(
            "https://a.example/v.webm",
            "Video/",
            1,
            Some("Watch (webm)"),
        );
        check("https://a.example/v", "audio/", 1, Some("Listen"));
        check("https://a.example/1.mp3", "application/pdf", 1, None);
        check("https://a.example/1.jpg", "image/jpeg", 1, None);
        check("https://a.example/1", "", 1, None);
        check("https://u:p@a.example/1.mp3", "audio/mpeg", 1, None);
        let many = vec![
            Enclosure {
                url: Url::parse(mp3).expect("an address"),
                media_type: None,
                bytes: None
            };
            20
        ];
        assert_eq!(PlayedFile::all_of(&many).len(), MAX_FILES);
    }
}
