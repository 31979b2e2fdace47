//! `/sites/<site>/secrets`: headers and cookies that only the site itself gets. They are shown by
//! their names; a value is taken and never shown again.

use super::{asked, token};
use crate::api::{NoDocument, in_turn};
use crate::error::Result;
use crate::state::LibraryApp;
use axum::body::{Body, to_bytes};
use axum::extract::Path;
use axum::http::header::HeaderMap;
use axum::http::{Response, StatusCode, Uri};
use chrono::{DateTime, Utc};
use forest_archive::{
    ArchiveReader, CookieFile, MAX_COOKIE_FILE_BYTES, SecretSite, SiteSecrets, UrgentRequest,
    request_now,
};
use forest_harvest::keep_secret_header;
use forest_harvest::report::{SecretRow, rows_of_site, secret_line};
use forest_html::error::counted;
use forest_html::text::Secret;
use forest_web::cores::NoResult;
use forest_web::form_fields::FormFields;
use forest_web::guard::{base_url, is_secure_context};
use forest_web::links::see_other;
use forest_web::served_state::ServedState;
use forest_web::shell;
use maud::{Markup, html};
use std::path::{Path as FolderPath, PathBuf};
use std::time::SystemTime;

/// Bytes of a form: a file of cookies, of which each byte may take three, and some names.
const MAX_SECRETS_BYTES: usize = 3 * MAX_COOKIE_FILE_BYTES + 64_000;

/// The names of a site's secrets; else the reason why their file cannot be read.
pub(super) type ShownSecrets = std::result::Result<Vec<SecretRow>, String>;

/// The secrets of a site in an archive's folder.
pub(super) fn secrets_of(dir: &FolderPath, site: &str) -> ShownSecrets {
    let secrets = SiteSecrets::of(dir).map_err(|error| error.to_string())?;
    let site = SecretSite::read(site);
    let of = site.and_then(|site| Some(rows_of_site(site.name(), secrets.of_site(site.name())?)));
    Ok(of.unwrap_or_default())
}

/// The section of a site's page.
pub(super) fn section(
    state: &LibraryApp,
    site: &str,
    secrets: &ShownSecrets,
    uri: &Uri,
    headers: &HeaderMap,
) -> Markup {
    let action = format!("../sites/{site}/secrets");
    let asked = asked(uri);
    let again = asked.get("again").parse().unwrap_or(0);
    let done = match asked.get("secrets") {
        "kept" if again > 0 => Some(format!(
            "Kept. The harvest asks again for {} that the site refused.",
            counted(again, "page", "pages")
        )),
        "kept" => Some("Kept. A harvest that runs sends it from its next request on.".to_owned()),
        "unsent" => Some(
            "Kept, but not sent: the archive knows this site by http alone. Keep it again with \"Also over http\"."
                .to_owned(),
        ),
        "removed" => Some("Removed.".to_owned()),
        _ => None,
    };
    html! {
        h2 #secrets { "Secrets" }
        @if let Some(done) = done { p .good role="status" { (done) } }
        p .hint {
            "Headers and cookies for sites that want a login. They go to this site alone and stand in a file that only its \
             owner can read. No value is shown again."
        }
        @match secrets {
            Err(why) => p .bad { (why) "." },
            Ok(rows) => {
                @if rows.is_empty() { p { "None." } }
                ul { @for row in rows { li { (shown(state, row, &action)) } } }
            }
        }
        @if !is_secure_context(&base_url(headers, uri)) {
            p .bad { "This page came over http: others on the way can read what you send." }
        }
        form method="post" action=(action) autocomplete="off" {
            (token(state))
            .row {
                label for="secret-name" { "Header" }
                input #secret-name name="name" type="text" placeholder="Authorization";
                label for="secret-value" { "Value" }
                input #secret-value name="value" type="password" autocomplete="off";
            }
            (over_http("header-http"))
            button name="action" value="header" { "Keep header" }
        }
        form method="post" action=(action) autocomplete="off" {
            (token(state))
            label for="secret-cookies" { "Or the text of a cookies.txt, as the browser extension \"Get cookies.txt LOCALLY\" or yt-dlp writes it; it replaces all earlier cookies" }
            textarea #secret-cookies name="cookies" rows="3" autocomplete="off" spellcheck="false" {}
            (over_http("cookies-http"))
            button name="action" value="cookies" { "Keep cookies" }
        }
    }
}

/// The box that lets a secret go over plain http.
fn over_http(id: &str) -> Markup {
    html! {
        .field {
            input #(id) type="checkbox" name="http";
            label for=(id) { "Also over http, where others can read it" }
        }
    }
}

fn shown(state: &LibraryApp, row: &SecretRow, action: &str) -> Markup {
    let now = DateTime::<Utc>::from(SystemTime::now());
    html! {
        code { (secret_line(row, now)) } " "
        form .inline method="post" action=(action) {
            (token(state))
            input type="hidden" name="kind" value=(row.kind);
            input type="hidden" name="name" value=(row.name);
            input type="hidden" name="scope" value=[&row.scope];
            button .small name="action" value="remove" { "Remove" }
        }
    }
}

pub(super) async fn change(
    state: ServedState<LibraryApp>,
    Path(site): Path<String>,
    body: Body,
) -> Response<Body> {
    // A large form takes its size in memory until its answer.
    let Ok(_room) = state.large_bodies.acquire(state.client).await else {
        return NoDocument::Unworked(NoResult::Busy).page("../../", "Sites");
    };
    let Ok(body) = to_bytes(body, MAX_SECRETS_BYTES).await else {
        let why = "the file has more than 1 MB, or it broke off on its way";
        return refused(StatusCode::PAYLOAD_TOO_LARGE, &site, why);
    };
    let sent = match super::sent(&state, &body) {
        Ok(sent) => sent,
        Err(refused) => return *refused,
    };
    let Some(archive) = &state.archive else {
        return NoDocument::NoArchive.page("../../", "Sites");
    };
    let (dir, name) = (archive.dir.clone(), site.clone());
    match in_turn(&state, move || changed(dir, &name, &sent)).await {
        Ok(Ok(done)) => see_other(&format!("../{site}?{}#secrets", done.query())),
        Ok(Err(why)) => refused(StatusCode::BAD_REQUEST, &site, &why),
        Err(NoDocument::Unreadable(why)) => refused(StatusCode::BAD_REQUEST, &site, &why),
        Err(why) => why.page("../../", "Sites"),
    }
}

/// The page about a secret that was not kept, without it.
fn refused(status: StatusCode, site: &str, why: &str) -> Response<Body> {
    let main = html! { .measure {
        h1 { "Secrets of " (site) }
        p .bad role="alert" { "Nothing was changed: " (why) "." }
        p { a href={ "../" (site) "#secrets" } { "Back" } }
    } };
    shell::page_in("Sites", "../../", None, status, site, &main)
}

/// The change that a form made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Change {
    /// A secret is kept, and so many pages are asked for again.
    Kept(usize),
    /// A secret is kept, but goes over https only, and the site has none.
    Unsent,
    Removed,
}

impl Change {
    /// The query of the page that follows.
    fn query(self) -> String {
        match self {
            Change::Kept(pages) => format!("secrets=kept&again={pages}"),
            Change::Unsent => "secrets=unsent".to_owned(),
            Change::Removed => "secrets=removed".to_owned(),
        }
    }
}

/// Has the harvest ask again for the pages that a site refused without its secret.
fn ask_again(dir: &FolderPath, site: &str, of: &SecretSite) -> Result<Change> {
    let archive = ArchiveReader::open(dir)?;
    if !of.over_http() && !archive.has_https(site)? {
        return Ok(Change::Unsent);
    }
    let refused = archive.refused_pages(site)?;
    let count = refused.len();
    if count > 0 {
        request_now(dir, SystemTime::now().into(), UrgentRequest::Visit(refused))?;
    }
    Ok(Change::Kept(count))
}

/// Does what a form says; the error is for people.
fn changed(
    dir: PathBuf,
    site: &str,
    sent: &FormFields,
) -> Result<std::result::Result<Change, String>> {
    let known = ArchiveReader::open(&dir)?.site_status(site)?;
    let of = known.and_then(|_| SecretSite::read(site));
    let Some(of) = of.map(|of| of.with_http(sent.get("http") == "on")) else {
        return Ok(Err("the archive has no such site".to_owned()));
    };
    let name = sent.get("name").trim();
    Ok(match sent.get("action") {
        "header" => {
            let value = Secret::new(sent.get("value").trim());
            keep_secret_header(&dir, &of, name, value)?;
            Ok(ask_again(&dir, site, &of)?)
        }
        "cookies" => {
            let text = sent.get("cookies");
            if text.len() > MAX_COOKIE_FILE_BYTES {
                return Ok(Err("the file has more than 1 MB".to_owned()));
            }
            let file = CookieFile::read(text, &of, SystemTime::now().into());
            if file.cookies.is_empty() {
                return Ok(Err(without_cookies(&file)));
            }
            SiteSecrets::keep_cookies(&dir, &of, file.cookies)?;
            Ok(ask_again(&dir, site, &of)?)
        }
        "remove" => {
            SiteSecrets::remove(&dir, of.name(), |one| {
                let row = SecretRow::of(of.name(), one);
                let known = [
                    row.kind,
                    &row.name,
                    row.scope.as_deref().unwrap_or_default(),
                ];
                known == [sent.get("kind"), name, sent.get("scope")]
            })?;
            Ok(Change::Removed)
        }
        _ => Err("there is no such button".to_owned()),
    })
}

/// The reason why a file has no cookie to keep.
fn without_cookies(file: &CookieFile) -> String {
    format!(
        "the text has no cookie of this site; of other sites: {}, expired: {}, lines that are no cookies: {}",
        file.of_others,
        file.expired,
        file.refused.len()
    )
}
