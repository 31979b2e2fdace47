//! `/reader/<id>`: an article, its versions, its pictures, and its page as archived.

use super::entries::name_of;
use super::export::{FORMATS, version_of};
use super::marks::buttons;
use super::{asked, when, with_marks};
use crate::archive::diff::{CONTEXT_WORDS, Diff, html as diff_html};
use crate::archive::export::names_at;
use crate::archive::{
    ArchiveReader, ArticleMarks, ArticleVersion, ListedArticle, MarkupRenderer, RawPage,
};
use crate::error::{Result, counted};
use crate::extract::Options;
use crate::harvest::picture_type;
use crate::page::charset::is_html;
use crate::serve::answers::plain;
use crate::serve::api::{NoDocument, read};
use crate::serve::filter_page::shell;
use crate::serve::state::FilterState;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::header::{self, HeaderValue};
use axum::http::{Response, StatusCode, Uri};
use maud::{Markup, PreEscaped, html};
use std::sync::Arc;
use url::Url;

/// The policy of a page as archived: nothing runs, and nothing is loaded.
const ARCHIVED_POLICY: &str = "sandbox; default-src 'none'; style-src 'unsafe-inline'; \
    img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'";

/// The style of a page as archived, whose style sheets are not loaded. The page's own inline
/// styles go before it.
const READING_STYLE: &[u8] = b"\n<style>:where(body) { max-width: 42rem; margin: 0 auto; padding: 1rem; \
    font: 1.05rem/1.55 Georgia, serif; overflow-wrap: anywhere } :where(img, svg, table) { max-width: 100%; \
    height: auto } :where(h1, h2) { font-size: 1.5rem; line-height: 1.25 }</style>\n";

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
    has_page: bool,
}

pub(super) async fn show(
    State(state): State<Arc<FilterState>>,
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
        shown(archive, article, marks, number)
    });
    match found
        .await
        .and_then(|found| found.ok_or(NoDocument::Unknown))
    {
        Ok(version) => {
            let main = whole(&state, &version, beside);
            shell::page_below("../", StatusCode::OK, name_of(&version.article), &main)
        }
        Err(why) => why.page("../", "Reader"),
    }
}

fn shown(
    archive: &ArchiveReader,
    article: ListedArticle,
    marks: Arc<ArticleMarks>,
    number: Option<u32>,
) -> Result<Option<ShownVersion>> {
    let versions = archive.versions(article.article.id)?;
    let Some(at) = version_of(&versions, number) else {
        return Ok(None);
    };
    let names = names_at(&archive.pictures(versions[at].id)?, PICTURES_AT);
    let options = Options::default().with_html(true).with_picture_names(names);
    // A version whose markup cannot be made again is shown as text.
    let made = MarkupRenderer::default().read(archive, &versions[at], &options);
    let html = made.ok().flatten().and_then(|record| record.html);
    let has_page = archive.raw_of(&versions[at]).is_ok_and(|raw| raw.is_some());
    Ok(Some(ShownVersion {
        article,
        marks,
        versions,
        at,
        html,
        has_page,
    }))
}

fn whole(state: &FilterState, version: &ShownVersion, beside: bool) -> Markup {
    let (id, number) = (
        version.article.article.id,
        version.versions[version.at].number,
    );
    let back = format!("reader/{id}");
    html! {
        @if beside {
            .sides {
                div { (text(version)) }
                figure {
                    figcaption { "The page as archived, without scripts and remote pictures; without its style sheets, in a reading style. " a href={ (id) "?version=" (number) } { "Close" } }
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
    let original = Url::parse(&version.article.article.url).ok();
    let original = original.filter(|url| matches!(url.scheme(), "http" | "https"));
    html! {
        article lang=[record.language.as_deref()] {
            h1 { (record.title.as_deref().unwrap_or(name_of(&version.article))) }
            .meta {
                @if !record.authors.is_empty() { (record.authors.join(", ")) " · " }
                @if let Some(date) = &record.date_published { (date.get(..10).unwrap_or(date)) " · " }
                @match &original {
                    Some(url) => a href=(url) rel="noreferrer" { (version.article.article.site) },
                    None => (version.article.article.site),
                }
            }
            @match &version.html {
                Some(html) => (PreEscaped(html)),
                None => @for line in record.text.lines().filter(|line| !line.trim().is_empty()) { p { (line) } },
            }
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
            (PreEscaped(diff_html(&Diff::of(&before.record.text, &all[at].record.text).hunks(CONTEXT_WORDS))))
        }
    } }
}

pub(super) async fn page_as_archived(
    State(state): State<Arc<FilterState>>,
    Path(id): Path<String>,
    uri: Uri,
) -> Response<Body> {
    let number: Option<u32> = asked(&uri).get("version").parse().ok();
    let found = read(&state, move |archive| {
        let Ok(id) = id.parse() else { return Ok(None) };
        let versions = archive.versions(id)?;
        let version = versions
            .iter()
            .rev()
            .find(|version| number.is_none_or(|number| version.number == number));
        let raw = version.map(|version| archive.raw_of(version)).transpose()?;
        Ok(raw.flatten().map(|raw| raw.first))
    });
    match found.await {
        Ok(Some(page)) => archived(page),
        Ok(None) => plain(StatusCode::NOT_FOUND, "the archive has no such page"),
        Err(why) => why.page("../../", "Reader"),
    }
}

fn archived(page: RawPage) -> Response<Body> {
    let kind = page.content_type.filter(|kind| is_html(kind));
    let kind = kind.and_then(|kind| HeaderValue::try_from(kind).ok());
    let kind = kind.unwrap_or(HeaderValue::from_static("text/html"));
    let mut body = page.body;
    // At the end, where it is in no way of the page's doctype and charset.
    body.extend_from_slice(READING_STYLE);
    under_policy(body, kind)
}

/// Bytes of others, under the policy that lets nothing run or load.
fn under_policy(bytes: Vec<u8>, kind: HeaderValue) -> Response<Body> {
    let mut answer = Response::new(Body::from(bytes));
    let headers = answer.headers_mut();
    headers.insert(header::CONTENT_TYPE, kind);
    let policy = HeaderValue::from_static(ARCHIVED_POLICY);
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    let none = HeaderValue::from_static("no-referrer");
    headers.insert(header::REFERRER_POLICY, none);
    answer
}

/// A stored picture, by its digest and extension.
pub(super) async fn picture(
    State(state): State<Arc<FilterState>>,
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
    match read(&state, move |archive| archive.requisite_bytes(&digest)).await {
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
