//! The page of the proxy: what it did, a switch for each site, and how to install it.

use crate::state::{FilteredPageRecord, ProxyApp, ProxyLog};
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header::{self, HeaderMap, HeaderValue};
use axum::http::{Request, Response, StatusCode};
use axum::routing::{get, post};
use forest_web::FILTER_HOST;
use forest_web::answers::{of_earlier_run, plain};
use forest_web::form_fields::FormFields;
use forest_web::guard::is_of_this_machine;
use forest_web::shell;
use maud::{Markup, html};
use std::sync::Arc;

/// Where a browser finds the rule that leads it to the proxy.
const PAC: &str = "/proxy.pac";

pub(crate) fn router(state: &Arc<ProxyApp>) -> Router {
    let router = Router::new()
        .route("/", get(show))
        .route("/site", post(switch))
        .route(PAC, get(pac));
    #[cfg(feature = "ca")]
    let router = router.merge(super::certificate::router());
    router.with_state(Arc::clone(state))
}

async fn show(State(state): State<Arc<ProxyApp>>, request: Request<Body>) -> Response<Body> {
    let log = state.log().clone();
    // What others read is not for everyone who may use the proxy.
    let is_here = is_of_this_machine(request.extensions().get());
    let main = html! {
        h1 { "Filtering proxy" }
        (figures(&log))
        h2 { "Sites that are left alone" }
        (sites_off(&state))
        @if is_here {
            h2 { "Pages that were filtered" }
            (pages(&state, &log))
        }
        h2 { "To install it" }
        p {
            "Give the browser the address of this page, without " code { "http://" }
            " and path, as its proxy for HTTP; or the address of the file "
            a href=(&PAC[1..]) { "proxy.pac" } " as its automatic configuration. This page is then at "
            code { "http://" (FILTER_HOST) "/" } "."
        }
        (https(&state))
    };
    shell::page(StatusCode::OK, "Filtering proxy", &main)
}

/// The way of pages with https.
fn https(state: &ProxyApp) -> Markup {
    #[cfg(feature = "ca")]
    if let Some(authority) = &state.authority {
        return super::certificate::installation(authority);
    }
    let _ = state;
    html! {
        p {
            "Pages with https pass through untouched. " a href="view" { "View a page" }
            " filters them, too."
        }
    }
}

fn figures(log: &ProxyLog) -> Markup {
    let rows = [
        ("Pages filtered", log.filtered),
        ("Answers passed as they came", log.passed),
        ("Requests refused, or without an answer", log.refused),
        ("Tunnels", log.tunnels),
        ("Connections with https that were opened", log.opened),
        ("Bytes of pages before", log.bytes_before),
        ("Bytes of pages after", log.bytes_after),
    ];
    html! {
        .scroll { table {
            caption { "Since the start" }
            tbody { @for (name, number) in rows {
                tr { th scope="row" { (name) } td { (number) } }
            } }
        } }
    }
}

fn sites_off(state: &ProxyApp) -> Markup {
    let sites = state.sites_off();
    html! {
        @if sites.is_empty() { p { "None." } }
        @else { ul { @for site in sites {
            li { (site) " " (site_switch(state, &site, "on", "Filter")) }
        } } }
    }
}

/// A form that switches a site.
fn site_switch(state: &ProxyApp, site: &str, to: &str, verb: &str) -> Markup {
    html! {
        form .inline method="post" action="site" {
            input type="hidden" name="token" value=(state.web.token.text());
            input type="hidden" name="site" value=(site);
            button type="submit" name="to" value=(to) aria-label=(format!("{verb} {site}")) {
                (verb)
            }
        }
    }
}

fn pages(state: &ProxyApp, log: &ProxyLog) -> Markup {
    html! {
        @if log.pages.is_empty() { p { "None yet." } }
        @else { .scroll { table {
            caption { "The newest first" }
            thead { tr {
                th scope="col" { "Page" } th scope="col" { "Words" } th scope="col" { "Links" }
                th scope="col" { "Images" } th scope="col" { "Bytes" } th scope="col" { "Site" }
            } }
            tbody { @for page in &log.pages { (row(state, page)) } }
        } } }
    }
}

fn row(state: &ProxyApp, page: &FilteredPageRecord) -> Markup {
    let of = |after: usize, before: usize| format!("{after} of {before}");
    html! {
        tr {
            td .name {
                (page.url)
                @for warning in &page.warnings { p .hint { (warning) } }
            }
            td { (of(page.after.words, page.before.words)) }
            td { (of(page.after.links, page.before.links)) }
            td { (of(page.after.images, page.before.images)) }
            td { (of(page.bytes_after, page.bytes_before)) }
            td {
                @if state.filters_site(&page.site) {
                    (site_switch(state, &page.site, "off", "Leave alone"))
                } @else { "left alone" }
            }
        }
    }
}

async fn switch(State(state): State<Arc<ProxyApp>>, body: Bytes) -> Response<Body> {
    let sent = FormFields::read(&body);
    if !state.web.token.is(sent.get("token")) {
        return of_earlier_run();
    }
    match (sent.get("site"), sent.get("to")) {
        ("", _) => return plain(StatusCode::BAD_REQUEST, "a site has a name"),
        (site, "on") => state.switch_site(site, true),
        (site, "off") => state.switch_site(site, false),
        _ => return plain(StatusCode::BAD_REQUEST, "a site is on or off"),
    }
    let mut answer = plain(StatusCode::SEE_OTHER, "see the page");
    let back = HeaderValue::from_static("./");
    answer.headers_mut().insert(header::LOCATION, back);
    answer
}

/// The rule that leads a browser to the proxy for plain HTTP, and https if that is opened, but
/// not for hosts of its own network. The proxy's address is the one under which it was asked for.
async fn pac(State(state): State<Arc<ProxyApp>>, request: HeaderMap) -> Response<Body> {
    let host = request
        .get(header::HOST)
        .and_then(|host| host.to_str().ok());
    // The guard lets addresses and names of ours through, which need no escape.
    let Some(host) = host.filter(|host| !host.eq_ignore_ascii_case(FILTER_HOST)) else {
        let why = "ask for this file at the proxy's address and port";
        return plain(StatusCode::NOT_FOUND, why);
    };
    let direct = if state.opens_https() {
        "url.substring(0, 4) !== \"http\""
    } else {
        "url.substring(0, 5) !== \"http:\""
    };
    let rule = format!(
        "function FindProxyForURL(url, host) {{\n  \
           if (host === \"{FILTER_HOST}\") return \"PROXY {host}\";\n  \
           if ({direct} || isPlainHostName(host)) return \"DIRECT\";\n  \
           return \"PROXY {host}; DIRECT\";\n}}\n"
    );
    let mut answer = Response::new(Body::from(rule));
    let kind = HeaderValue::from_static("application/x-ns-proxy-autoconfig");
    answer.headers_mut().insert(header::CONTENT_TYPE, kind);
    answer
}
