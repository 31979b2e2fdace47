//! `/reader/<id>`: an article, its versions, and its pictures.

use super::archived::{ArchivedPage, StoredParts, under_policy};
use super::entries::name_of;
use super::export::{FORMATS, version_of};
use super::marks::buttons;
use super::shown_html::shown_html;
use super::{asked, when, with_marks};
use crate::api::{NoDocument, read};
use crate::error::Result;
use crate::state::LibraryApp;
use axum::body::Body;
use axum::extract::Path;
use axum::http::header::{self, HeaderValue};
use axum::http::{Response, StatusCode, Uri};
use forest_archive::diff::{CONTEXT_WORDS, Diff, html as diff_html};
use forest_archive::export::names_at;
use forest_archive::{ArchiveReader, ArticleMarks, ArticleVersion, ListedArticle, MarkupRenderer};
use forest_core::extract::Options;
use forest_core::render::{item_html, name_pictures, paragraphs};
use forest_harvest::picture_type;
use forest_html::error::counted;
use forest_web::answers::plain;
use forest_web::served_state::ServedState;
use forest_web::shell;
use maud::{Markup, PreEscaped, html};
use std::sync::Arc;
use url::Url;

/// Where pictures are served, from the page of an article.
const PICTURES_AT: &str = "../archive/resource/";

/// A version of an article, to be shown.
struct ShownVersion {
    article: ListedArticle,
    marks: Arc<ArticleMarks>,
    versions: Vec<ArticleVersion>,
    /// The place of the shown one.
    at: usize,
    html: Option<String>,
    /// The text of its feed, if that says more.
    of_feed: Option<String>,
    has_page: bool,
    /// Of its page as archived, if that stands beside it.
    beside: Option<StoredParts>,
}

pub(super) async fn show(
    state: ServedState<LibraryApp>,
    Path(id): Path<String>,
    uri: Uri,
) -> Response<Body> {
    let asked = asked(&uri);
    let number: Option<u32> = asked.get("version").parse().ok();
    let beside = asked.get("beside") == "page";
    let found = with_marks(&state, move |archive, marks| {
        let Ok(id) = id.parse() else { return Ok(None) };
        let Some(article) = archive.listed(id)? else {
            return Ok(None);
        };
        shown(archive, article, marks, (number, beside))
    });
    match found
        .await
        .and_then(|found| found.ok_or(NoDocument::Unknown))
    {
        Ok(version) => {
            let main = whole(&state, &version);
            shell::page_below("../", StatusCode::OK, name_of(&version.article), &main)
        }
        Err(why) => why.page("../", "Reader"),
    }
}

fn shown(
    archive: &ArchiveReader,
    article: ListedArticle,
    marks: Arc<ArticleMarks>,
    (number, beside): (Option<u32>, bool),
) -> Result<Option<ShownVersion>> {
    let versions = archive.versions(article.article.id)?;
    let Some(at) = version_of(&versions, number) else {
        return Ok(None);
    };
    let names = names_at(&archive.pictures(versions[at].id)?, PICTURES_AT);
    let options = Options::default()
        .with_html(true)
        .with_picture_names(names.clone());
    // A version whose markup cannot be made again is shown as text.
    let made = MarkupRenderer::default().read(archive, &versions[at], &options);
    let html = made.ok().flatten().and_then(|record| record.html);
    let is_latest = at + 1 == versions.len();
    let text = &versions[at].record.text;
    let fuller = if is_latest {
        archive.fuller_item(article.article.id, text)?
    } else {
        None
    };
    let of_feed = fuller.map(|item| name_pictures(&item_html(&item), names));
    let raw = archive.raw_of(&versions[at]).ok().flatten();
    let beside = raw.as_ref().filter(|_| beside);
    let beside = beside.map(|raw| ArchivedPage::of(archive, &raw.first));
    Ok(Some(ShownVersion {
        article,
        marks,
        versions,
        at,
        html,
        of_feed,
        has_page: raw.is_some(),
        beside: beside.transpose()?.map(|page| page.parts()),
    }))
}

fn whole(state: &LibraryApp, version: &ShownVersion) -> Markup {
    let (id, number) = (
        version.article.article.id,
        version.versions[version.at].number,
    );
    let back = format!("reader/{id}");
    html! {
        @if let Some(parts) = &version.beside {
            .sides {
                div { (text(version)) }
                figure {
                    figcaption { "The page as archived, without scripts; " (parts.to_string()) ". " a href={ (id) "?version=" (number) } { "Close" } }
                    iframe sandbox title="The page as archived" src={ (id) "/page?version=" (number) } {}
                }
            }
        } @else { .measure {
            (text(version))
            .bar {
                (buttons(state, &version.marks, &version.article, ("../", &back)))
                @if version.has_page { a href={ (id) "?version=" (number) "&beside=page" } { "The page as archived" } }
                span { "Save as " @for (name, ending, _) in FORMATS {
                    a href={ (id) "/export?format=" (ending) "&version=" (number) } download { (name) } " "
                } }
                a href={ "../sites/" (version.article.article.site) } { "About " (version.article.article.site) }
            }
            (versions(version))
        } }
    }
}

fn text(version: &ShownVersion) -> Markup {
    let shown = &version.versions[version.at];
    let record = &shown.record;
    let title = record.title.as_deref();
    let title = title.unwrap_or(name_of(&version.article));
    let html = version.of_feed.clone().or_else(|| version.html.clone());
    let html = html.unwrap_or_else(|| paragraphs(&record.text));
    let html = shown_html(&record.head(title).cut_html(&html), PICTURES_AT);
    let original = Url::parse(&version.article.article.url).ok();
    let original = original.filter(|url| matches!(url.scheme(), "http" | "https"));
    html! {
        article lang=[record.language.as_deref()] {
            h1 dir="auto" { (title) }
            .meta {
                @if !record.authors.is_empty() { (record.authors.join(", ")) " · " }
                @if let Some(date) = &record.date_published { (date.get(..10).unwrap_or(date)) " · " }
                @match &original {
                    Some(url) => a href=(url) rel="noreferrer" { (version.article.article.site) },
                    None => (version.article.article.site),
                }
            }
            @if version.of_feed.is_some() { p.meta { "The page shows less than its feed: this is the feed's text." } }
            div dir="auto" { (PreEscaped(html)) }
        }
    }
}

/// The versions, and the changes of the shown one.
fn versions(version: &ShownVersion) -> Markup {
    let (all, at) = (&version.versions, version.at);
    let before = at.checked_sub(1).map(|before| &all[before]);
    html! { @if all.len() > 1 {
        h2 #versions { (counted(all.len(), "version", "versions")) }
        ol { @for (place, one) in all.iter().enumerate() { li {
            a href={ (version.article.article.id) "?version=" (one.number) "#versions" } aria-current=[(place == at).then_some("true")] { (when(one.at)) }
        } } }
        @if let Some(before) = before {
            h2 { "What was edited in version " (all[at].number) }
            div dir="auto" { (PreEscaped(diff_html(&Diff::of(&before.record.text, &all[at].record.text).hunks(CONTEXT_WORDS)))) }
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
