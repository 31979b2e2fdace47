//! `/reader/<id>/page`: the page of an article as archived, with the pictures and style sheets
//! that the archive has.
//!
//! Nothing in it runs, and it loads nothing: what is stored stands in the page itself, as `data:`
//! addresses. A page in a frame without an origin has no cookies by which it could ask for it.
//! What a style sheet names in its turn (fonts, backgrounds) is not shown.

use super::asked;
use crate::api::read;
use crate::error::Result;
use crate::state::LibraryApp;
use axum::body::Body;
use axum::extract::Path;
use axum::http::header::{self, HeaderValue};
use axum::http::{Response, StatusCode, Uri};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use forest_archive::{ArchiveReader, RawPage};
use forest_core::render::image_url;
use forest_harvest::{is_style_sheet, picture_type};
use forest_html::page::charset::is_html;
use forest_html::page::links::Base;
use forest_html::page::{NodeId, Page, Source};
use forest_text::filter::{FilterEngine, FilterSettings, PageEdit, PageFilter};
use forest_web::answers::plain;
use forest_web::served_state::ServedState;
use html5ever::local_name;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The policy of a page as archived: nothing runs, and nothing is loaded.
const POLICY: &str = "sandbox; default-src 'none'; style-src 'unsafe-inline' data:; \
    img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'";

/// The style of a page without a stored style sheet. The page's own inline styles go before it.
pub const READING_STYLE: &str = "\n<style>:where(body) { max-width: 42rem; margin: 0 auto; padding: 1rem; \
    font: 1.05rem/1.55 Georgia, serif; overflow-wrap: anywhere } :where(img, svg, table) { max-width: 100%; \
    height: auto } :where(h1, h2) { font-size: 1.5rem; line-height: 1.25 }</style>\n";

/// Pictures and style sheets of a page that are looked for.
const MAX_PARTS: usize = 300;

/// Bytes of those that are read, and bytes of their addresses in the page: one that is named often
/// stands there as often.
const MAX_BYTES: usize = 16_000_000;

/// The pictures and style sheets of a page.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct StoredParts {
    pictures: usize,
    sheets: usize,
    /// Of those, the ones that the archive has.
    stored_pictures: usize,
    stored_sheets: usize,
}

impl StoredParts {
    /// Those of a kind, all and stored ones.
    fn of(&mut self, kind: PartKind) -> (&mut usize, &mut usize) {
        match kind {
            PartKind::Picture => (&mut self.pictures, &mut self.stored_pictures),
            PartKind::Sheet => (&mut self.sheets, &mut self.stored_sheets),
        }
    }
}

/// The kind of a part of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PartKind {
    Picture,
    /// A style sheet.
    Sheet,
}

/// A stored part of a page.
struct StoredPart {
    media_type: &'static str,
    bytes: Vec<u8>,
}

impl StoredPart {
    fn data_address(&self) -> String {
        let data = STANDARD.encode(&self.bytes);
        format!("data:{};base64,{data}", self.media_type)
    }
}

/// The part at an address, if the archive has it.
fn part(archive: &ArchiveReader, url: &str, kind: PartKind) -> Result<Option<StoredPart>> {
    let Some(known) = archive.requisite(url)? else {
        return Ok(None);
    };
    let media_type = match kind {
        PartKind::Sheet => (known.extension == "css").then_some("text/css"),
        PartKind::Picture => picture_type(&known.extension),
    };
    let Some(media_type) = media_type else {
        return Ok(None);
    };
    let bytes = archive.requisite_bytes(&known.sha256)?;
    Ok(bytes.map(|bytes| StoredPart { media_type, bytes }))
}

impl fmt::Display for StoredParts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (pictures, stored) = (self.pictures, self.stored_pictures);
        write!(
            f,
            "the archive has {stored} of its {pictures} pictures and "
        )?;
        match self.stored_sheets {
            0 => f.write_str("none of its style sheets, so that it is in a reading style"),
            stored => write!(f, "{stored} of its {} style sheets", self.sheets),
        }
    }
}

/// A page as archived.
#[derive(Debug)]
pub(super) struct ArchivedPage<'r> {
    raw: &'r RawPage,
    page: Page,
    /// The addresses of the stored ones, each with their `data:` address.
    stored: HashMap<String, String>,
    parts: StoredParts,
}

impl<'r> ArchivedPage<'r> {
    /// Looks for the parts of a page in the archive.
    pub fn of(archive: &ArchiveReader, raw: &'r RawPage) -> Result<ArchivedPage<'r>> {
        let source = Source {
            url: Some(&raw.url),
            content_type: raw.content_type.as_deref(),
        };
        let page = Page::parse(&raw.body, source);
        let (mut stored, mut parts) = (HashMap::new(), StoredParts::default());
        let (mut bytes_left, base) = (MAX_BYTES, Base::of(&page));
        let named = page.elements().filter_map(|n| named_by(&page, n, &base));
        let mut known = HashSet::new();
        for (url, kind) in named.take(MAX_PARTS) {
            if !known.insert(url.clone()) {
                continue;
            }
            let part = part(archive, &url, kind)?.filter(|part| part.bytes.len() <= bytes_left);
            let (all, shown) = parts.of(kind);
            *all += 1;
            if let Some(part) = part {
                bytes_left -= part.bytes.len();
                *shown += 1;
                stored.insert(url, part.data_address());
            }
        }
        Ok(ArchivedPage {
            raw,
            page,
            stored,
            parts,
        })
    }

    /// The parts that the archive has of it.
    pub fn parts(&self) -> StoredParts {
        self.parts
    }

    /// Its bytes, with the stored parts in them, and their media type.
    fn shown(self) -> (Vec<u8>, HeaderValue) {
        let (mut bytes, kind) = if self.stored.is_empty() {
            let kind = self.raw.content_type.as_deref();
            let kind = kind.filter(|kind| is_html(kind));
            let kind = kind.and_then(|kind| HeaderValue::try_from(kind).ok());
            let html = HeaderValue::from_static("text/html");
            (self.raw.body.clone(), kind.unwrap_or(html))
        } else {
            (
                with_stored(&self.page, self.stored).into(),
                HeaderValue::from_static("text/html; charset=utf-8"),
            )
        };
        if self.parts.stored_sheets == 0 {
            // At the end, where it is in no way of the page's doctype and charset.
            bytes.extend_from_slice(READING_STYLE.as_bytes());
        }
        (bytes, kind)
    }
}

/// The address of the picture or the style sheet of an element.
fn named_by(page: &Page, n: NodeId, base: &Base) -> Option<(String, PartKind)> {
    if page.is(n, &local_name!("link")) {
        let href = page
            .attr(n, "href")
            .filter(|_| is_style_sheet(page.attr(n, "rel")))?;
        return Some((base.resolve(href)?.into_owned(), PartKind::Sheet));
    }
    let url = image_url(page, n, base)?;
    Some((url.into_owned(), PartKind::Picture))
}

/// The HTML of a page with what is stored of it. Its scripts stay: the policy keeps them from
/// running.
fn with_stored(page: &Page, stored: HashMap<String, String>) -> String {
    let engine = FilterEngine::new(FilterSettings::none());
    let engine = engine.with_filter(StoredInPlace::new(stored, MAX_BYTES));
    engine.filter(page).document("")
}

/// Puts what is stored where it is named.
#[derive(Debug)]
struct StoredInPlace {
    stored: HashMap<String, String>,
    /// Bytes of addresses that may still be written.
    room: AtomicUsize,
}

impl StoredInPlace {
    fn new(stored: HashMap<String, String>, room: usize) -> StoredInPlace {
        let room = AtomicUsize::new(room);
        StoredInPlace { stored, room }
    }

    /// The `data:` address of a part, if there is room for it.
    fn take(&self, url: &str) -> Option<&str> {
        let address = self.stored.get(url)?;
        let less = |room: usize| room.checked_sub(address.len());
        let taken = self
            .room
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
        taken.is_ok().then_some(address)
    }
}

impl PageFilter for StoredInPlace {
    fn name(&self) -> &'static str {
        "stored parts"
    }

    fn edit(&self, element: NodeId, page: &mut PageEdit<'_>) {
        let named = named_by(page.page(), element, page.base());
        let stored = named.and_then(|(url, kind)| Some((self.take(&url)?, kind)));
        match stored {
            Some((address, PartKind::Sheet)) => page.set_attr(element, "href", address),
            Some((address, PartKind::Picture)) => page.set_attr(element, "src", address),
            None => {}
        }
        // Nothing of it is loaded, and it would hide what is stored.
        if page
            .attr(element, "srcset")
            .is_some_and(|set| !set.is_empty())
        {
            page.set_attr(element, "srcset", "");
        }
    }
}

pub(super) async fn show(
    state: ServedState<LibraryApp>,
    Path(id): Path<String>,
    uri: Uri,
) -> Response<Body> {
    let number: Option<u32> = asked(&uri).get("version").parse().ok();
    let found = read(&state, move |archive| {
        let Ok(id) = id.parse() else { return Ok(None) };
        let version = archive.numbered_version(id, number)?;
        let raw = version
            .map(|version| archive.raw_of(&version))
            .transpose()?;
        let page = raw.flatten().map(|raw| raw.first);
        let shown = page.map(|raw| Ok(ArchivedPage::of(archive, &raw)?.shown()));
        shown.transpose()
    });
    match found.await {
        Ok(Some((bytes, kind))) => under_policy(bytes, kind),
        Ok(None) => plain(StatusCode::NOT_FOUND, "the archive has no such page"),
        Err(why) => why.page("../../", "Reader"),
    }
}

/// Bytes of others, under the policy that lets nothing run or load.
pub(super) fn under_policy(bytes: impl Into<Body>, kind: HeaderValue) -> Response<Body> {
    let mut answer = Response::new(bytes.into());
    let headers = answer.headers_mut();
    headers.insert(header::CONTENT_TYPE, kind);
    let policy = HeaderValue::from_static(POLICY);
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    let none = HeaderValue::from_static("no-referrer");
    headers.insert(header::REFERRER_POLICY, none);
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_that_is_named_often_is_bounded() {
        let url = "https://a.example/p.png";
        let html = format!("<p>x{}", format!("<img src={url} alt=x>").repeat(5000));
        let page = Page::from_html(&html);
        let address = format!("data:image/png;base64,{}", "A".repeat(1000));
        let stored = HashMap::from([(url.to_owned(), address.clone())]);
        let room = 3 * address.len() + 1;
        let engine = FilterEngine::new(FilterSettings::none());
        let engine = engine.with_filter(StoredInPlace::new(stored, room));
        let shown = engine.filter(&page).html().text;
        assert_eq!(shown.matches(&address).count(), 3);
    }

    /// The whole of a page of others, with the stored parts in it.
    #[track_caller]
    fn check_whole(html: &str, bytes: usize) {
        let address = format!("data:image/png;base64,{}", "A".repeat(bytes));
        let names = ["p.png", "q.png", "s.css"].map(|name| format!("https://a.example/{name}"));
        let stored: HashMap<String, String> = names.map(|name| (name, address.clone())).into();
        let page = Page::from_html(html);
        let expected = html.matches("https://a.example/").count();
        let shown = with_stored(&page, stored);
        assert_eq!(shown.matches(&address).count(), expected, "{html}");
        assert!(shown.contains("The end."), "{html}");
    }

    #[test]
    fn stored_parts_do_not_cut_the_page() {
        let one = "<p>One<img src=https://a.example/p.png><p>The end.";
        check_whole(one, 10);
        check_whole(one, 150_000);
        check_whole(one, 12_000_000);
        check_whole(
            "<img src=https://a.example/p.png><img src=https://a.example/q.png><p>The end.",
            90_000,
        );
        check_whole(
            "<img src=https://a.example/p.png><p>x<img src=https://a.example/p.png><p>The end.",
            90_000,
        );
        check_whole(
            "<link rel=stylesheet href=https://a.example/s.css><p>x<p>The end.",
            90_000,
        );
        check_whole(
            &format!("{}{one}", "<p>A line of the page. ".repeat(2000)),
            2_000_000,
        );
    }
}
