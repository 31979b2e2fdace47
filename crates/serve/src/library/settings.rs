//! `/settings`: how a reader wants to read.

use super::asked;
use super::installed::installation;
use super::{in_folder, sent, token};
use crate::state::LibraryApp;
use axum::body::{Body, Bytes};
use axum::extract::OriginalUri;
use axum::http::{HeaderMap, Response, StatusCode};
use forest_archive::{ReaderFont, ReaderMeasure, ReaderTheme, ReadingSettings, UnstoredPictures};
use forest_web::app::WebApp;
use forest_web::form_fields::FormFields;
use forest_web::links::see_other;
use forest_web::served_state::ServedState;
use forest_web::shell;
use maud::{Markup, html};
use std::path::Path;

const THEMES: [(ReaderTheme, &str, &str); 3] = [
    (ReaderTheme::Browser, "browser", "As the browser prefers"),
    (ReaderTheme::Light, "light", "Light"),
    (ReaderTheme::Dark, "dark", "Dark"),
];

const FONTS: [(ReaderFont, &str, &str); 2] = [
    (ReaderFont::Serif, "serif", "With serifs"),
    (ReaderFont::Sans, "sans", "Without serifs"),
];

const LETTERS: [(ReaderMeasure, &str, &str); 3] = [
    (ReaderMeasure::Small, "small", "Small"),
    (ReaderMeasure::Medium, "medium", "Medium"),
    (ReaderMeasure::Large, "large", "Large"),
];

const LINES: [(ReaderMeasure, &str, &str); 3] = [
    (ReaderMeasure::Small, "small", "Short"),
    (ReaderMeasure::Medium, "medium", "Medium"),
    (ReaderMeasure::Large, "large", "Long"),
];

const UNSTORED: [(UnstoredPictures, &str, &str); 3] = [
    (UnstoredPictures::Links, "links", "Links"),
    (
        UnstoredPictures::KnownHosts,
        "known-hosts",
        "Shown, of known hosts",
    ),
    (UnstoredPictures::AnyHost, "any-host", "Shown, of any host"),
];

/// The settings of the reader of an archive; the usual ones if they cannot be read.
pub(super) fn kept_settings(dir: Option<&Path>) -> ReadingSettings {
    let kept = dir.and_then(|dir| ReadingSettings::of(dir).ok());
    kept.unwrap_or_default()
}

pub(super) async fn show(
    state: ServedState<LibraryApp>,
    OriginalUri(uri): OriginalUri,
    headers: HeaderMap,
) -> Response<Body> {
    match in_folder(&state, |dir| Ok(kept_settings(Some(dir)))).await {
        Ok(settings) => {
            let main = html! { .measure {
                h1 { "Settings" }
                @if asked(&uri).get("done") == "kept" { p .good role="status" { "Saved." } }
                (form(&state, settings))
                (installation(&headers, &uri, state.web.access.is_some()))
                @if state.web.access.is_some() {
                    h2 { "This browser" }
                    form method="post" action="logout" { (token(&state)) button { "Log out" } }
                }
            } };
            shell::page(StatusCode::OK, "Settings", &main)
        }
        Err(why) => why.page("", "Settings"),
    }
}

pub(super) async fn change(state: ServedState<LibraryApp>, body: Bytes) -> Response<Body> {
    let sent = match sent(&state, &body) {
        Ok(sent) => sent,
        Err(refused) => return *refused,
    };
    let settings = read(&sent);
    match in_folder(&state, move |dir| Ok(settings.keep(dir)?)).await {
        Ok(()) => {
            put_theme(&state.web, settings.theme);
            see_other("settings?done=kept")
        }
        Err(why) => why.page("", "Settings"),
    }
}

/// The settings of a form; the usual one for a value that there is not.
fn read(sent: &FormFields) -> ReadingSettings {
    ReadingSettings {
        theme: chosen(&THEMES, sent.get("theme")),
        font: chosen(&FONTS, sent.get("font")),
        letters: chosen(&LETTERS, sent.get("letters")),
        lines: chosen(&LINES, sent.get("lines")),
        unstored_pictures: chosen(&UNSTORED, sent.get("unstored")),
        thumbnails: sent.get("thumbnails") == "on",
        opening_marks_read: sent.get("opening") == "on",
    }
}

fn chosen<T: Copy + Default>(all: &[(T, &str, &str)], name: &str) -> T {
    let found = all.iter().find(|(_, known, _)| *known == name);
    found.map(|(value, ..)| *value).unwrap_or_default()
}

/// Shows all pages in the colours of a theme, from the next one on.
pub fn put_theme(web: &WebApp, theme: ReaderTheme) {
    web.choose_style(match theme {
        ReaderTheme::Browser => "",
        ReaderTheme::Light => ":root { color-scheme: light; }",
        ReaderTheme::Dark => ":root { color-scheme: dark; }",
    });
}

/// The class of an article: a word for each setting that is not the usual one.
pub(super) fn article_class(settings: ReadingSettings) -> String {
    let font = (settings.font == ReaderFont::Sans).then_some("sans");
    let letters = match settings.letters {
        ReaderMeasure::Small => Some("letters-small"),
        ReaderMeasure::Medium => None,
        ReaderMeasure::Large => Some("letters-large"),
    };
    let lines = match settings.lines {
        ReaderMeasure::Small => Some("lines-small"),
        ReaderMeasure::Medium => None,
        ReaderMeasure::Large => Some("lines-large"),
    };
    let words: Vec<&str> = [font, letters, lines].into_iter().flatten().collect();
    words.join(" ")
}

fn form(state: &LibraryApp, settings: ReadingSettings) -> Markup {
    html! {
        form method="post" action="settings" {
            (token(state))
            (choice("theme", "Colours", &THEMES, settings.theme))
            (choice("font", "Typeface of articles", &FONTS, settings.font))
            (choice("letters", "Size of the text", &LETTERS, settings.letters))
            (choice("lines", "Length of lines", &LINES, settings.lines))
            (choice("unstored", "Pictures that are not stored", &UNSTORED, settings.unstored_pictures))
            p .hint { "This server fetches them, so that their hosts learn nothing of you. Known hosts are those from which the archive has pages, feeds or pictures." }
            .field {
                input #thumbnails type="checkbox" name="thumbnails" checked[settings.thumbnails];
                label for="thumbnails" { "Lists show a picture of each article" }
                p .hint { "The first one of it that is stored." }
            }
            .field {
                input #opening type="checkbox" name="opening" checked[settings.opening_marks_read];
                label for="opening" { "An article that is opened is marked as read" }
                p .hint { "Where the browser runs scripts." }
            }
            button .main { "Save" }
        }
    }
}

fn choice<T: Copy + PartialEq>(name: &str, label: &str, all: &[(T, &str, &str)], set: T) -> Markup {
    html! {
        label for=(name) { (label) }
        select id=(name) name=(name) { @for (value, known, shown) in all {
            option value=(known) selected[*value == set] { (shown) }
        } }
    }
}
