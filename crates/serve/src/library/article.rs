//! `/reader/<id>`: an article, its versions, and its pictures; or an item of a feed without an article.

use super::archived::{ArchivedPage, StoredParts, under_policy};
use super::entry_filter::{EntryFilter, ShownMarks};
use super::export::FORMATS;
use super::listed::{address_in, anchor};
use super::marks::buttons;
use super::player::{self, PlayedFile};
use super::remote_pictures::PictureAddresses;
use super::search_page::TypedSearch;
use super::settings::{article_class, kept_settings};
use super::shown_html::shown_html;
use super::times::{exact_time, shown_time};
use super::{archive_dir, asked, with_marks};
use crate::api::{NoDocument, read};
use crate::error::Result;
use crate::state::LibraryApp;
use crate::state_words::reason_words;
use axum::body::Body;
use axum::extract::Path;
use axum::http::header::{self, HeaderValue};
use axum::http::{Response, StatusCode, Uri};
use forest_archive::diff::{CONTEXT_WORDS, Diff, html as diff_html};
use forest_archive::export::{ArticleItems, names_at};
use forest_archive::{
    ArchiveReader, ArticleMark, ArticleMarks, ArticleVersion, EntryOrigin, EntryRange, ListPlace,
    ListedEntry, MarkupRenderer, ReadingSettings, VersionTime,
};
use forest_core::extract::Options;
use forest_core::feed::FeedItem;
use forest_core::render::{item_html, name_pictures, paragraphs};
use forest_harvest::picture_type;
use forest_html::error::counted;
use forest_web::answers::plain;
use forest_web::form_fields::FormFields;
use forest_web::links::{see_other, with_field};
use forest_web::served_state::ServedState;
use forest_web::shell;
use maud::{Markup, PreEscaped, html};
use std::sync::Arc;
use url::Url;

/// Where pictures are served, from the page of an article.
const PICTURES_AT: &str = "../archive/resource/";

/// An entry, to be shown, and its neighbours in the list that it was opened from.
struct OpenEntry {
    entry: ListedEntry,
    marks: Arc<ArticleMarks>,
    settings: ReadingSettings,
    /// The address of the list, from the level of `/reader`.
    list: String,
    previous: Option<ListedEntry>,
    next: Option<ListedEntry>,
    /// The next one leads back to this one, which is read by then: the list has unread ones alone.
    leads_back: bool,
    text: EntryText,
    /// The HTML of the text, as it is shown.
    html: String,
}

impl OpenEntry {
    /// Its place in the list, from its own page. One of unread entries does not have it any more once
    /// it is read: the next one stands there.
    fn place_in_list(&self) -> String {
        let is_read = || self.marks.has(ArticleMark::Read, &self.entry.key);
        let is_gone = self.leads_back && (self.settings.opening_marks_read || is_read());
        let next = self.next.as_ref().filter(|_| is_gone);
        let there = next.map_or(self.entry.id, |next| next.id);
        format!("../{}#{}", self.list, anchor(there))
    }
}

/// The text of an entry that is shown.
enum EntryText {
    Version(Box<ShownVersion>),
    /// Its feed's own text, since there is no article.
    Item {
        item: Box<FeedItem>,
        why: Option<String>,
        files: Vec<PlayedFile>,
    },
}

/// A version of an article, to be shown.
struct ShownVersion {
    version: ArticleVersion,
    /// The text of the version before it.
    text_before: Option<String>,
    /// Of all versions.
    times: Vec<VersionTime>,
    html: Option<String>,
    /// The HTML of the stored picture that the page names for itself (`og:image`).
    lead: Option<String>,
    /// The text of its feed, if that says more.
    of_feed: Option<String>,
    /// The recordings and films of its feed.
    files: Vec<PlayedFile>,
    has_page: bool,
    /// Of its page as archived, if that stands beside it.
    beside: Option<StoredParts>,
}

pub(super) async fn show(
    state: ServedState<LibraryApp>,
    Path(id): Path<String>,
    uri: Uri,
) -> Response<Body> {
    let (asked, asked_id) = (asked(&uri), id.clone());
    let dir = archive_dir(&state);
    let key = Arc::clone(&state.picture_key);
    let found = with_marks(&state, move |archive, marks| {
        let settings = kept_settings(dir.as_deref());
        let Ok(id) = id.parse() else { return Ok(None) };
        let Some(entry) = archive.entry(id)? else {
            return Ok(None);
        };
        let Some(text) = text_of(archive, &entry, &asked)? else {
            return Ok(None);
        };
        let filter = EntryFilter::of_address(asked.get("in"));
        let search = TypedSearch::of_address(asked.get("in"));
        let (previous, next) = match search {
            Some(_) => (None, None),
            None => neighbours(archive, &marks, &filter, (&entry, asked.get("from")))?,
        };
        let leads_back = search.is_none() && filter.show == ShownMarks::Unread;
        let pictures = PictureAddresses::new(archive, &key, settings.unstored_pictures);
        let html = html_of(&entry, &text, &pictures);
        Ok(Some(OpenEntry {
            entry,
            marks,
            settings,
            list: search.map_or_else(|| filter.address(), |search| search.address()),
            previous,
            next,
            leads_back,
            html,
            text,
        }))
    });
    match found
        .await
        .and_then(|found| found.ok_or(NoDocument::Unknown))
    {
        // The item that had this number has an article since.
        Ok(open) if open.entry.id.to_string() != asked_id => see_other(&open.entry.id.to_string()),
        Ok(open) => {
            let main = whole(&state, &open);
            let name = open.entry.name();
            shell::page_in("Reader", "../", None, StatusCode::OK, name, &main)
        }
        Err(why) => why.page("../", "Reader"),
    }
}

/// The entries before and behind one in a list. In a list of unread ones, the one before is that
/// which led here, by its number; else it may be read: it mostly was a moment ago.
fn neighbours(
    archive: &ArchiveReader,
    marks: &ArticleMarks,
    filter: &EntryFilter,
    (entry, from): (&ListedEntry, &str),
) -> Result<(Option<ListedEntry>, Option<ListedEntry>)> {
    let place = Some(ListPlace::of(entry));
    let list = EntryRange {
        after: None,
        ..filter.range(&archive.feeds()?)
    };
    let before = EntryRange {
        until: place,
        from_end: true,
        ..list.clone()
    };
    let behind = EntryRange {
        after: place,
        ..list
    };
    let is_shown = |key: &str| filter.show == ShownMarks::Unread || filter.wants(marks, key);
    let previous = archive.entries(&before, 1, |key| key != entry.key && is_shown(key))?;
    let next = archive.entries(&behind, 1, |key| {
        key != entry.key && filter.wants(marks, key)
    })?;
    let from = match from.parse() {
        Ok(from) if filter.show == ShownMarks::Unread && from != entry.id => archive.entry(from)?,
        _ => None,
    };
    Ok((
        from.or(previous.into_iter().next()),
        next.into_iter().next(),
    ))
}

/// The text of an entry; `None` if it has no such version.
fn text_of(
    archive: &ArchiveReader,
    entry: &ListedEntry,
    asked: &FormFields,
) -> Result<Option<EntryText>> {
    match &entry.source {
        EntryOrigin::Article { .. } => {
            let version = shown_version(archive, entry.id, asked)?;
            Ok(version.map(|version| EntryText::Version(Box::new(version))))
        }
        EntryOrigin::Feed { why } => {
            let item = archive.item_of_entry(entry.id)?;
            Ok(item.map(|item| EntryText::Item {
                files: PlayedFile::all_of(&item.enclosures),
                item: Box::new(item),
                why: why.clone(),
            }))
        }
    }
}

fn shown_version(
    archive: &ArchiveReader,
    article: i64,
    asked: &FormFields,
) -> Result<Option<ShownVersion>> {
    let number: Option<u32> = asked.get("version").parse().ok();
    let beside = asked.get("beside") == "page";
    let Some(version) = archive.numbered_version(article, number)? else {
        return Ok(None);
    };
    let times = archive.version_times(article)?;
    let earlier = times.iter().rev().find(|time| time.number < version.number);
    let before = match earlier {
        Some(earlier) => archive.numbered_version(article, Some(earlier.number))?,
        None => None,
    };
    let names = names_at(&archive.pictures(version.id)?, PICTURES_AT);
    let options = Options::default()
        .with_html(true)
        .with_picture_names(names.clone());
    // A version whose markup cannot be made again is shown as text.
    let made = MarkupRenderer::default().read(archive, &version, &options);
    let html = made.ok().flatten().and_then(|record| record.html);
    let latest = times.last().map(|latest| latest.number);
    let is_latest = latest == Some(version.number);
    let text = &version.record.text;
    let items = if is_latest {
        archive.article_items(article, text)?
    } else {
        ArticleItems::default()
    };
    let of_feed = items
        .fuller
        .map(|item| name_pictures(&item_html(&item), names.clone()));
    let lead = version.record.images.first();
    let lead = lead.and_then(|image| names.get(&image.url));
    let lead = lead.map(|name| html! { p .lead { img src=(name) alt=""; } }.into_string());
    let raw = archive.raw_of(&version).ok().flatten();
    let beside = raw.as_ref().filter(|_| beside);
    let beside = beside.map(|raw| ArchivedPage::of(archive, &raw.first));
    Ok(Some(ShownVersion {
        version,
        text_before: before.map(|before| before.record.text),
        times,
        html,
        lead,
        of_feed,
        files: PlayedFile::all_of(&items.files),
        has_page: raw.is_some(),
        beside: beside.transpose()?.map(|page| page.parts()),
    }))
}

/// The HTML of a text, as it is shown.
fn html_of(entry: &ListedEntry, text: &EntryText, pictures: &PictureAddresses<'_>) -> String {
    let html = match text {
        EntryText::Version(version) => {
            let record = &version.version.record;
            let html = version.of_feed.as_ref().or(version.html.as_ref());
            let html = html.cloned().unwrap_or_else(|| paragraphs(&record.text));
            let title = record.title.as_deref().unwrap_or(entry.name());
            let html = record.head(title).cut_html(&html);
            match version.lead.as_ref() {
                Some(lead) if !html.contains("<img") => lead.clone() + &html,
                _ => html,
            }
        }
        EntryText::Item { item, .. } => item_html(item),
    };
    shown_html(&html, PICTURES_AT, &|address| pictures.of(address))
}

fn whole(state: &LibraryApp, open: &OpenEntry) -> Markup {
    let id = open.entry.id;
    match &open.text {
        EntryText::Version(version) => match &version.beside {
            Some(parts) => {
                let number = version.version.number;
                html! { .sides {
                    (way(state, open))
                    div { (version_text(open, version)) }
                    figure {
                        figcaption { "The page as archived, without scripts; " (parts.to_string()) ". " a href={ (id) "?version=" (number) } { "Close" } }
                        iframe sandbox title="The page as archived" src={ (id) "/page?version=" (number) } {}
                    }
                } }
            }
            None => html! { .reader {
                (way(state, open))
                .list {
                    (version_text(open, version))
                    (actions(state, open, Some(version)))
                    (versions(id, version))
                    (way_on(open))
                }
            } },
        },
        EntryText::Item { item, why, files } => html! { .reader {
            (way(state, open))
            .list {
                (item_text(open, item, why.as_deref(), files))
                (actions(state, open, None))
                (way_on(open))
            }
        } },
    }
}

/// The way back to the list, to the entries beside this one, and to its own page; its marks.
fn way(state: &LibraryApp, open: &OpenEntry) -> Markup {
    html! {
        nav .bar .way aria-label="Entries" {
            a href=(open.place_in_list()) { "To the list" }
            @if let Some(previous) = &open.previous { (neighbour(open, previous, "prev", "Previous")) }
            @if let Some(next) = &open.next { (neighbour(open, next, "next", "Next")) }
            @if let Some(url) = original(&open.entry) { a data-original href=(url) rel="noreferrer" { "Open the page" } }
            (marks_of(state, open))
        }
    }
}

/// The buttons of the marks.
fn marks_of(state: &LibraryApp, open: &OpenEntry) -> Markup {
    let back = address_in(&open.entry, &open.list);
    html! {
        span .quiet data-opened[open.settings.opening_marks_read] {
            (buttons(state, &open.marks, &open.entry, ("../", &back), None))
        }
    }
}

/// The way on, at the end of an entry, where the other one does not stay in view.
fn way_on(open: &OpenEntry) -> Markup {
    html! {
        nav .bar .way-on aria-label="The next entry" {
            @if let Some(next) = &open.next { (neighbour(open, next, "next", "Next")) }
            a href=(open.place_in_list()) { "To the list" }
        }
    }
}

fn neighbour(open: &OpenEntry, entry: &ListedEntry, to: &str, shown: &str) -> Markup {
    let mut address = address_in(entry, &open.list);
    if to == "next" && open.leads_back {
        address = with_field(&address, &format!("from={}", open.entry.id));
    }
    html! {
        a rel=(to) href={ "../" (address) } {
            (shown) span .hint { " " bdi { (entry.name()) } }
        }
    }
}

/// The actions on an entry.
fn actions(state: &LibraryApp, open: &OpenEntry, version: Option<&ShownVersion>) -> Markup {
    let (id, site) = (open.entry.id, &open.entry.site);
    html! {
        .bar {
            (marks_of(state, open))
            @if let Some(version) = version {
                @let number = version.version.number;
                @if version.has_page { a href={ (id) "?version=" (number) "&beside=page" } { "The page as archived" } }
                span { "Save as " @for (name, ending, _) in FORMATS {
                    a href={ (id) "/export?format=" (ending) "&version=" (number) } download { (name) } " "
                } }
            }
            @if !site.is_empty() { a href={ "../sites/" (site) } { "About " (site) } }
        }
    }
}

/// The address of an entry, if a browser can open it.
fn original(entry: &ListedEntry) -> Option<Url> {
    let url = Url::parse(&entry.url).ok();
    url.filter(|url| matches!(url.scheme(), "http" | "https"))
}

/// The line below the title of an entry.
fn byline(entry: &ListedEntry, authors: &[String], versions: usize) -> Markup {
    html! {
        .meta {
            @let names = authors.join(", ");
            @if !names.is_empty() && entry.feed.as_ref().is_none_or(|feed| feed.title != names) { bdi { (names) } " · " }
            @if let Some(feed) = &entry.feed {
                a href={ "../" (EntryFilter::of_feed(&feed.url).address()) } { bdi { (feed.title) } } " · "
            }
            (shown_time(entry.dated))
            @match original(entry) {
                Some(url) => { " · " a href=(url) rel="noreferrer" { bdi { (entry.site) } } }
                None => @if !entry.site.is_empty() { " · " bdi { (entry.site) } },
            }
            @if versions > 1 { " · " a href="#versions" { "edited" } }
        }
    }
}

fn version_text(open: &OpenEntry, version: &ShownVersion) -> Markup {
    let entry = &open.entry;
    let record = &version.version.record;
    let title = record.title.as_deref();
    let title = title.unwrap_or(entry.name());
    html! {
        article .(article_class(open.settings)) lang=[record.language.as_deref()] {
            // The title leads the way of both.
            div dir="auto" {
                h1 { (title) }
                (byline(entry, &record.authors, version.times.len()))
            }
            (player::links(entry.id, &version.files, &open.list))
            @if version.of_feed.is_some() { p.meta { "The page shows less than its feed: this is the feed's text." } }
            div dir="auto" { (PreEscaped(&open.html)) }
        }
    }
}

fn item_text(open: &OpenEntry, item: &FeedItem, why: Option<&str>, files: &[PlayedFile]) -> Markup {
    let entry = &open.entry;
    html! {
        article .(article_class(open.settings)) {
            div dir="auto" {
                h1 { (entry.name()) }
                (byline(entry, &item.authors, 1))
            }
            (player::links(entry.id, files, &open.list))
            @if let Some(why) = why { p.meta {
                @if open.html.trim().is_empty() { "There is no article: " } @else { "This is the summary from the feed: " }
                (reason_words(why)) "."
            } }
            div dir="auto" { (PreEscaped(&open.html)) }
            @if let Some(url) = original(entry) { p { a href=(url) rel="noreferrer" { "Open the page" } } }
        }
    }
}

/// The versions, and the changes of the shown one.
fn versions(article: i64, version: &ShownVersion) -> Markup {
    let (all, shown) = (&version.times, &version.version);
    html! { @if all.len() > 1 {
        h2 #versions { (counted(all.len(), "version", "versions")) }
        ol { @for one in all { li {
            a href={ (article) "?version=" (one.number) "#versions" } aria-current=[(one.number == shown.number).then_some("true")] { (exact_time(one.at)) }
        } } }
        @if let Some(before) = &version.text_before {
            h2 { "What was edited in version " (shown.number) }
            div dir="auto" { (PreEscaped(diff_html(&Diff::of(before, &shown.record.text).hunks(CONTEXT_WORDS)))) }
        }
    } }
}

/// A stored picture, by its digest and extension.
pub(super) async fn picture(
    state: ServedState<LibraryApp>,
    Path(file): Path<String>,
) -> Response<Body> {
    let unknown = || plain(StatusCode::NOT_FOUND, "the archive has no such picture");
    let Some((digest, extension)) = file.split_once('.') else {
        return unknown();
    };
    let Some(kind) = picture_type(extension) else {
        return unknown();
    };
    let digest = digest.to_owned();
    match read(&state, move |archive| Ok(archive.requisite_bytes(&digest)?)).await {
        Ok(Some(bytes)) => {
            let mut answer = under_policy(bytes, HeaderValue::from_static(kind));
            // Its name is its digest.
            let forever = HeaderValue::from_static("private, max-age=31536000, immutable");
            answer.headers_mut().insert(header::CACHE_CONTROL, forever);
            answer
        }
        _ => unknown(),
    }
}
