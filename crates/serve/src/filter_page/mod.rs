//! The page of settings: three screens, and what they do to a page. Gupta et al. 2003, 4.3.
//!
//! - `fields`: the settings by screen; `form`: what a browser sends.
//! - `preview`: a page before and after.
//! - `markup`: the markup of the page.
//!
//! The page works without its script, which only sends the form after each change.

mod fields;
mod form;
mod markup;
mod preview;

pub(crate) use preview::Previews;

use super::page_request;
use super::state::FilterApp;
use super::web_page::{WebPage, typed_address};
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, Path};
use axum::http::header::{self, HeaderMap, HeaderValue};
use axum::http::{Response, StatusCode, Uri};
use axum::routing::get;
use forest_text::filter::{PageSide, Profile};
use forest_web::answers::{of_earlier_run, plain};
use forest_web::cores::{NoResult, StopFlag};
use forest_web::form_fields::FormFields;
use forest_web::served_state::ServedState;
use forest_web::shell;
use form::{SettingsForm, profile_name};
use markup::{FilterPage, FormNotice};
use preview::Preview;
use std::sync::Arc;

/// Bytes of a form: a page that is pasted, and room for its coding.
const MAX_FORM_BYTES: usize = 3 * forest_html::page::MAX_PAGE_BYTES;

/// The style and the script of the workshop, which stand behind those of all pages.
const WORKSHOP_STYLE: &str = include_str!("../library/workshop/style.css");
const WORKSHOP_SCRIPT: &str = include_str!("../library/workshop/script.js");

/// The policy of a page of others: no script runs, it is of no origin, and nothing is loaded.
const FRAME_POLICY: &str = "sandbox; default-src 'none'; img-src data:; font-src data:; \
    style-src 'unsafe-inline'; frame-ancestors 'self'";

/// The same for a person who asks for pictures and styles from elsewhere.
const LOADING_POLICY: &str = "sandbox; default-src 'none'; \
    img-src http: https: data:; media-src http: https:; font-src http: https: data:; \
    style-src http: https: 'unsafe-inline'; frame-ancestors 'self'";

/// The routes of the page.
pub(super) fn router(state: &Arc<FilterApp>) -> Router {
    let icons = shell::ICON_FILES.into_iter();
    let icons = icons.fold(Router::new(), |router, (name, bytes)| {
        let kind = [(header::CONTENT_TYPE, "image/png")];
        router.route(
            &format!("/filter/{name}"),
            get(move || async move { (kind, bytes) }),
        )
    });
    icons
        .route("/filter", get(show).post(change))
        .route("/filter/frame/{id}/{side}", get(frame))
        .route("/filter/style.css", get(style))
        .route("/filter/icon.svg", get(icon))
        .route("/filter/script.js", get(script))
        .layer(DefaultBodyLimit::max(MAX_FORM_BYTES))
        .with_state(Arc::clone(state))
}

async fn style(state: ServedState<FilterApp>) -> Response<Body> {
    let style = [shell::STYLE, WORKSHOP_STYLE, state.web.chosen_style()].concat();
    shell::answer(StatusCode::OK, "text/css; charset=utf-8", style)
}

async fn icon() -> Response<Body> {
    shell::answer(StatusCode::OK, "image/svg+xml", shell::ICON.to_owned())
}

async fn script() -> Response<Body> {
    let script = [shell::SCRIPT, WORKSHOP_SCRIPT].concat();
    shell::answer(StatusCode::OK, "text/javascript; charset=utf-8", script)
}

async fn show(state: ServedState<FilterApp>) -> Response<Body> {
    let form = SettingsForm::of(state.filter.active().engine.settings().clone());
    FilterPage::new(&state, form).answer()
}

async fn frame(
    state: ServedState<FilterApp>,
    Path((id, side)): Path<(String, String)>,
    uri: Uri,
) -> Response<Body> {
    let side = match side.as_str() {
        "before" => PageSide::Before,
        "after" => PageSide::After,
        _ => return plain(StatusCode::NOT_FOUND, "a page has two sides"),
    };
    let Some(preview) = state.previews.get(&id) else {
        return plain(
            StatusCode::NOT_FOUND,
            "this preview is gone: show the page again",
        );
    };
    let (kind, text) = preview.side(side);
    let asked = FormFields::read(uri.query().unwrap_or_default().as_bytes());
    framed(kind, text, asked.get("load") == "on")
}

/// A page of others, under the policy of frames. `loads`: a person asks for what it loads from
/// elsewhere.
pub(super) fn framed(kind: &'static str, text: String, loads: bool) -> Response<Body> {
    let mut answer = Response::new(Body::from(text));
    let headers = answer.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    let policy = HeaderValue::from_static(if loads { LOADING_POLICY } else { FRAME_POLICY });
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    let none = HeaderValue::from_static("no-referrer");
    headers.insert(header::REFERRER_POLICY, none);
    answer
}

async fn change(state: ServedState<FilterApp>, request: HeaderMap, body: Bytes) -> Response<Body> {
    let sent = FormFields::read(&body);
    if !state.web.token.is(sent.get("token")) {
        return of_earlier_run();
    }
    let form = match sent.get("action") {
        "cancel" => SettingsForm::of(state.filter.active().engine.settings().clone()),
        "profile" => match Profile::by_name(sent.get("profile")) {
            Some(profile) => SettingsForm::of(profile.settings()),
            None => SettingsForm::read(&sent),
        },
        _ => SettingsForm::read(&sent),
    };
    let mut page = FilterPage::new(&state, form);
    page.url = sent.get("url").to_owned();
    page.shown = sent.get("shown").to_owned();
    page.typed = sent.get("page").to_owned();
    page.name = sent.get("name").to_owned();
    page.notice = match (sent.get("action"), &page.form.settings) {
        ("commit", Some(settings)) => {
            state.filter.set(settings.clone());
            Some(FormNotice::good("The settings hold from the next page on."))
        }
        ("save", Some(settings)) => Some(match profile_name(&page.name) {
            Ok(name) => match state.filter.store.save(name, settings) {
                Ok(place) => FormNotice::good(format!("Saved as {place}.")),
                Err(error) => FormNotice::bad("name", format!("It cannot be saved: {error}.")),
            },
            Err(why) => FormNotice::bad("name", format!("{why}.")),
        }),
        ("cancel", _) => Some(FormNotice::good("These are the settings that hold.")),
        _ => None,
    };
    let opens = match sent.get("action") {
        "enter" => !page.url.trim().is_empty() && page.url != page.shown,
        action => action == "open",
    };
    let shown = if opens {
        page.shown.clone_from(&page.url);
        opened(&state, &page, &request).await
    } else {
        let last = state.previews.get(sent.get("preview"));
        Ok(last.map(|last| Arc::clone(&last.page)))
    };
    match shown {
        Ok(Some(shown)) => match preview(&state, &page.form, shown).await {
            Ok(shown) => page.preview = shown,
            Err(why) => {
                page.notice = Some(FormNotice::bad("url", format!("{why}.")));
                return why.in_answer(page.answer());
            }
        },
        Ok(None) => {}
        Err(why) => page.notice = Some(FormNotice::bad("url", why)),
    }
    page.answer()
}

/// The page that was pasted, or whose address was typed.
async fn opened(
    state: &FilterApp,
    page: &FilterPage<'_>,
    request: &HeaderMap,
) -> Result<Option<Arc<WebPage>>, String> {
    if !page.typed.trim().is_empty() {
        return Ok(Some(Arc::new(WebPage {
            url: typed_address(&page.url).ok(),
            bytes: page.typed.clone().into_bytes(),
            content_type: Some("text/html; charset=utf-8".to_owned()),
        })));
    }
    let url = typed_address(&page.url)?;
    state.rate.take(1).map_err(|why| why.to_string())?;
    let fetched = page_request::fetch(state, url, request).await?;
    Ok(Some(Arc::new(fetched)))
}

/// A page before and after the settings of a form; `None` if these are faulty.
async fn preview(
    state: &ServedState<FilterApp>,
    form: &SettingsForm,
    page: Arc<WebPage>,
) -> Result<Option<Arc<Preview>>, NoResult> {
    let Some(settings) = form.settings.clone() else {
        return Ok(None);
    };
    let (ads, bytes) = (state.filter.ads(), page.bytes.len());
    let work = move |stop: &StopFlag| Preview::new(page, settings, ads, stop);
    let filtered = state.web.cores.run(state.client, bytes, work).await?;
    Ok(Some(state.previews.keep(filtered)))
}
