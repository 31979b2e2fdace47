//! `/reader/<id>/export?format=`: a version of an article as a file.

use super::{asked, in_folder};
use crate::api::NoDocument;
use crate::error::Result;
use crate::state::LibraryApp;
use axum::body::Body;
use axum::extract::Path;
use axum::http::header::{self, HeaderValue};
use axum::http::{Response, Uri};
use forest_archive::{ArchiveReader, MarkupRenderer};
use forest_core::extract::{Article, Options};
use forest_web::served_state::ServedState;
use maud::{DOCTYPE, PreEscaped, html};

/// The formats: the name, the ending of the file, the media type.
pub(super) const FORMATS: [(&str, &str, &str); 4] = [
    ("Markdown", "md", "text/markdown; charset=utf-8"),
    ("Text", "txt", "text/plain; charset=utf-8"),
    ("HTML", "html", "text/html; charset=utf-8"),
    ("JSON", "json", "application/json"),
];

pub(super) async fn article(
    state: ServedState<LibraryApp>,
    Path(id): Path<String>,
    uri: Uri,
) -> Response<Body> {
    let asked = asked(&uri);
    let format = asked.get("format");
    let format = FORMATS.iter().find(|(_, ending, _)| *ending == format);
    let number: Option<u32> = asked.get("version").parse().ok();
    let name = id.clone();
    let found = in_folder(&state, move |dir| {
        let (Some((_, ending, kind)), Ok(id)) = (format, id.parse()) else {
            return Ok(None);
        };
        let archive = ArchiveReader::open(dir)?;
        let text = written(&archive, id, number, ending)?;
        Ok(text.map(|text| (text, *ending, *kind)))
    });
    match found
        .await
        .and_then(|found| found.ok_or(NoDocument::Unknown))
    {
        Ok((text, ending, kind)) => saved(text, &format!("article-{name}.{ending}"), kind),
        Err(why) => why.page("../../", "Reader"),
    }
}

/// An answer that the browser saves and never shows: the text is of others.
pub(super) fn saved(file: impl Into<Body>, name: &str, kind: &'static str) -> Response<Body> {
    let mut answer = Response::new(file.into());
    let headers = answer.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    let policy = HeaderValue::from_static("sandbox; default-src 'none'");
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    let saved = format!("attachment; filename=\"{name}\"");
    let saved = HeaderValue::try_from(saved);
    let saved = saved.unwrap_or(HeaderValue::from_static("attachment"));
    headers.insert(header::CONTENT_DISPOSITION, saved);
    answer
}

fn written(
    archive: &ArchiveReader,
    id: i64,
    number: Option<u32>,
    ending: &str,
) -> Result<Option<String>> {
    let Some(version) = archive.numbered_version(id, number)? else {
        return Ok(None);
    };
    let options = Options::default().with_html(true).with_markdown(true);
    let made = MarkupRenderer::default().read(archive, &version, &options);
    // A version whose markup cannot be made again is written as text.
    let article = made.ok().flatten();
    let article = article.unwrap_or(version.record);
    Ok(Some(match ending {
        "md" => match &article.markdown {
            Some(markdown) => format!("{}{markdown}", heading(&article, "# ")),
            None => format!("{}{}", heading(&article, "# "), article.text),
        },
        "html" => html_of(&article),
        "json" => serde_json::to_string_pretty(&article).unwrap_or_default() + "\n",
        _ => format!("{}{}\n", heading(&article, ""), article.text.trim_end()),
    }))
}

/// The title and the address, where the text does not begin with the title already.
fn heading(article: &Article, mark: &str) -> String {
    let title = article.title.as_deref().map(str::trim).unwrap_or_default();
    let text = article.markdown.as_deref().filter(|_| !mark.is_empty());
    let begins = text.unwrap_or(&article.text).trim_start_matches(['#', ' ']);
    let url = article.url.as_deref().unwrap_or_default();
    match title {
        "" => format!("{url}\n\n"),
        title if begins.starts_with(title) => String::new(),
        title => format!("{mark}{title}\n\n{url}\n\n"),
    }
}

fn html_of(article: &Article) -> String {
    let page = html! {
        (DOCTYPE)
        html lang=[article.language.as_deref()] {
            head { meta charset="utf-8"; title { (article.title.as_deref().unwrap_or_default()) } }
            body {
                @if let Some(title) = &article.title { h1 { (title) } }
                @if let Some(url) = &article.url { p { (url) } }
                @match &article.html {
                    Some(html) => (PreEscaped(html)),
                    None => @for line in article.text.lines().filter(|line| !line.trim().is_empty()) { p { (line) } },
                }
            }
        }
    };
    page.into_string()
}
