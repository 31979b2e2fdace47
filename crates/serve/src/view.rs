//! `/view?url=`: a page of the web, filtered, whose links lead to the same view. So pages
//! with https are filtered without an authority of one's own.
//!
//! The page comes without scripts and forms, and its answer says so to the browser (`sandbox`
//! in its policy): it is of no origin, and can read nothing of ours. It loads nothing from elsewhere
//! unless the person asks (`load=on`). A bar above it leads back, to the article alone
//! (`show=article`), and to the page that adds its site.

use super::filter_page::framed;
use super::library::READING_STYLE;
use super::page_request;
use super::state::FilterApp;
use super::web_page::{WebPage, typed_address};
use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Response, StatusCode, Uri};
use axum::routing::get;
use forest_html::page::{NodeId, Page, Source};
use forest_text::filter::{
    AdList, BlockMethod, Descent, FilterEngine, FilterSettings, OutputFormat, PageEdit, PageFilter,
};
use forest_text::prose::filtered_document;
use forest_web::cores::StopFlag;
use forest_web::form_fields::FormFields;
use forest_web::links::coded;
use forest_web::served_state::ServedState;
use forest_web::shell;
use maud::html;
use std::sync::Arc;

const BAR_STYLE: &str = "all: initial; display: block; padding: .6rem 1rem; \
    font: 1rem/1.6 system-ui, sans-serif; color: CanvasText; background: Canvas; \
    border-bottom: 1px solid GrayText";

const VIEWPORT: &str = "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">";

/// The view, as a relative address from itself.
const VIEW: &str = "view?url=";

pub(super) fn router(state: &Arc<FilterApp>) -> Router {
    Router::new()
        .route("/view", get(show))
        .with_state(Arc::clone(state))
}

async fn show(state: ServedState<FilterApp>, uri: Uri, browser: HeaderMap) -> Response<Body> {
    let sent = FormFields::read(uri.query().unwrap_or_default().as_bytes());
    let typed = sent.get("url");
    if typed.is_empty() {
        return question(StatusCode::OK, typed, None);
    }
    if let Err(too_many) = state.rate.take(1) {
        return too_many.answer("/view");
    }
    let fetched = match typed_address(typed) {
        Ok(url) => page_request::fetch(&state, url, &browser).await,
        Err(why) => return question(StatusCode::BAD_REQUEST, typed, Some(why)),
    };
    let page = match fetched {
        Ok(page) => page,
        Err(why) => return question(StatusCode::BAD_GATEWAY, typed, Some(&why)),
    };
    let (engine, ads, bytes) = (
        state.filter.active().engine,
        state.filter.ads(),
        page.bytes.len(),
    );
    let wish = ViewWish::of(&sent);
    let loads = wish.loads;
    let work = move |stop: &StopFlag| viewed(&engine, &ads, (&page, &wish), stop);
    match state.web.cores.run(state.client, bytes, work).await {
        Ok((kind, text)) => framed(kind, text, loads),
        Err(why) => why.in_answer(question(why.status(), typed, Some(&why.to_string()))),
    }
}

/// How a person wants a page.
#[derive(Debug, Clone)]
struct ViewWish {
    /// The address as it was typed.
    typed: String,
    /// Pictures and styles are loaded from elsewhere.
    loads: bool,
    /// The article alone.
    is_article: bool,
}

impl ViewWish {
    fn of(sent: &FormFields) -> ViewWish {
        ViewWish {
            typed: sent.get("url").to_owned(),
            loads: sent.get("load") == "on",
            is_article: sent.get("show") == "article",
        }
    }

    /// The address of the same page in another way.
    fn address(&self, loads: bool, is_article: bool) -> String {
        let load = if loads { "&load=on" } else { "" };
        let show = if is_article { "&show=article" } else { "" };
        format!("{VIEW}{}{load}{show}", coded(&self.typed))
    }

    /// The bar above the page. It has a style of its own, since the page may have any.
    fn bar(&self) -> String {
        let (loads, is_article) = (self.loads, self.is_article);
        let bar = html! {
            nav aria-label="forest" style=(BAR_STYLE) {
                a href="view" { "Back" } " · "
                @if is_article { a href=(self.address(loads, false)) { "The whole page" } }
                @else { a href=(self.address(loads, true)) { "The article alone" } }
                " · " a href={ "add?url=" (coded(&self.typed)) } { "Add this site" } " · "
                @if loads { a href=(self.address(false, is_article)) { "Load nothing from elsewhere" } }
                @else { a href=(self.address(true, is_article)) { "Load pictures and styles from elsewhere" } }
            }
        };
        bar.into_string()
    }
}

/// The page that asks for an address.
fn question(status: StatusCode, typed: &str, fault: Option<&str>) -> Response<Body> {
    let main = html! {
        h1 { "View a page" }
        form method="get" action="view" {
            label for="url" { "Address" }
            .row {
                input #url name="url" type="text" inputmode="url" autocomplete="url"
                    placeholder="https://example.org/" value=(typed)
                    aria-describedby=[fault.map(|_| "fault")]
                    aria-invalid=[fault.map(|_| "true")];
                button .main type="submit" { "View" }
            }
            @if let Some(fault) = fault { p #fault .bad role="alert" { (fault) } }
        }
        p { "The page is filtered by the active settings, without scripts and forms. Its links lead to filtered pages. Nothing is loaded from elsewhere unless you ask for it there." }
    };
    shell::page(status, "View a page", &main)
}

/// The page as it is viewed, and its media type; `None` if it was stopped on the way.
fn viewed(
    engine: &FilterEngine,
    ads: &Arc<AdList>,
    (page, wish): (&WebPage, &ViewWish),
    stop: &StopFlag,
) -> Option<(&'static str, String)> {
    let mut settings = FilterSettings {
        scripts: true,
        forms: true,
        ..engine.settings().clone()
    };
    if wish.is_article {
        settings.blocks = BlockMethod::Onepage;
    }
    // XHTML is shown as HTML: a frame of ours has no page that is not well formed.
    let format = match settings.output {
        OutputFormat::Text => OutputFormat::Text,
        OutputFormat::Html | OutputFormat::Xhtml => OutputFormat::Html,
    };
    let engine = FilterEngine::with_ads(settings, Arc::clone(ads));
    let source = Source {
        url: page.url.as_ref().map(url::Url::as_str),
        content_type: page.content_type.as_deref(),
    };
    let parsed = engine.parse(&page.bytes, source);
    stop.step()?;
    let filtered = engine.filter(&parsed);
    stop.step()?;
    let text = match format {
        OutputFormat::Text => filtered_document(&filtered, format).text,
        // The links of what was removed stand in the list that is written.
        _ => {
            let written = filtered.reparsed();
            stop.step()?;
            with_bar(&linked_to_views(&written, wish.loads), wish)
        }
    };
    Some((format.media_type(), text))
}

/// The HTML of a page whose links lead to the view.
fn linked_to_views(page: &Page, loads: bool) -> String {
    let settings = FilterSettings {
        scripts: true,
        ..FilterSettings::none()
    };
    let engine = FilterEngine::new(settings).with_filter(ViewLinks { loads });
    engine.filter(page).html().text
}

/// A document with the bar at the beginning of its body, readable on a phone.
fn with_bar(document: &str, wish: &ViewWish) -> String {
    let style = if wish.loads { "" } else { READING_STYLE };
    let in_head = [VIEWPORT, style].concat();
    let mut out = String::with_capacity(document.len() + in_head.len() + 1_000);
    let mut rest = document;
    for (tag, more) in [("<head", in_head), ("<body", wish.bar())] {
        let end = end_of_tag(rest, tag).unwrap_or_default();
        out.push_str(&rest[..end]);
        out.push_str(&more);
        rest = &rest[end..];
    }
    out + rest
}

/// The end of the first tag with this beginning in HTML that a filter wrote: its values stand in
/// double quotes.
fn end_of_tag(html: &str, tag: &str) -> Option<usize> {
    let mut at = 0;
    loop {
        at += html[at..].find('<')?;
        let begin = &html[at..];
        let mut is_quoted = false;
        let end = begin.find(|c: char| {
            is_quoted ^= c == '"';
            c == '>' && !is_quoted
        })?;
        if begin.starts_with(tag) {
            return Some(at + end + 1);
        }
        // A style may have anything in it.
        let is_style = begin.starts_with("<style");
        at += if is_style {
            begin.find("</style")?
        } else {
            end + 1
        };
    }
}

/// Leads links to the view, and all else that a page loads to where it is.
#[derive(Debug)]
struct ViewLinks {
    /// Styles are loaded from elsewhere.
    loads: bool,
}

impl PageFilter for ViewLinks {
    fn name(&self) -> &'static str {
        "view links"
    }

    fn edit(&self, element: NodeId, page: &mut PageEdit<'_>) {
        let is_link = page
            .tag(element)
            .is_some_and(|tag| matches!(&**tag, "a" | "area"));
        for name in ["href", "src", "poster", "background"] {
            let Some(value) = page.attr(element, name) else {
                continue;
            };
            if value.starts_with('#') || is_link && value.starts_with(VIEW) {
                continue;
            }
            let absolute = page
                .base()
                .resolve(value)
                .map(|address| address.into_owned());
            let is_web = absolute
                .as_ref()
                .is_some_and(|address| address.starts_with("http"));
            let changed = match absolute {
                Some(address) if is_link && is_web && name == "href" => {
                    let coded = url::form_urlencoded::byte_serialize(address.as_bytes());
                    Some(format!("{VIEW}{}", coded.collect::<String>()))
                }
                other => other,
            };
            if let Some(changed) = changed.filter(|changed| changed != value) {
                page.set_attr(element, name, &changed);
            }
        }
    }

    fn delete(&self, node: NodeId, page: &mut PageEdit<'_>) -> Descent {
        // Its addresses are absolute, and those of the view are relative to the view.
        let is_gone = page.tag(node).is_some_and(|tag| match &**tag {
            "base" => true,
            // A policy does not keep a browser from connecting to where a link of the head says.
            "link" => !self.loads || page.attr(node, "rel") != Some("stylesheet"),
            _ => false,
        });
        if is_gone {
            page.delete(node);
            return Descent::Skip;
        }
        Descent::Children
    }

    fn filters_portals(&self) -> bool {
        true
    }
}
