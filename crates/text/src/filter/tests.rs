//! Cases for the filters, the order of the walk, and what holds for every page.

use super::*;
use forest_html::page::Source;

mod hostile;
mod ignore;
mod judged;
mod settings;
mod walk;

/// The body of a page after filtering.
#[track_caller]
fn body(html: &str, settings: &FilterSettings) -> String {
    let engine = FilterEngine::new(settings.clone());
    let page = engine.parse(html.as_bytes(), Source::default());
    let written = engine.filter(&page).html();
    let (_, body) = written.text.split_once("<body>").expect("a body");
    let (body, _) = body.rsplit_once("</body>").expect("its end");
    body.to_owned()
}

/// The body of a page filtered by `settings` is `expected`.
#[track_caller]
fn check(settings: &FilterSettings, html: &str, expected: &str) {
    assert_eq!(body(html, settings), expected, "{html}");
}

/// Nothing but what `set` sets.
fn only(set: impl FnOnce(&mut FilterSettings)) -> FilterSettings {
    let mut settings = FilterSettings::none();
    set(&mut settings);
    settings
}
