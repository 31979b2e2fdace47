//! The guard of what apps ask: each of their requests has a token, and the password's page and
//! cookie are of no use to them.
//!
//! So a page of another site can do nothing without a token. What it could do is to give wrong
//! passwords in the name of its reader, who would be kept out with it: its requests are refused.

use super::app::WebApp;
use super::guard::{GuardFault, fault, guarded, is_of_this_machine, is_own_origin, one};
use axum::body::Body;
use axum::extract::State;
use axum::http::header::{self, HeaderMap, HeaderValue};
use axum::http::{Request, Response, StatusCode};
use axum::middleware::Next;
use std::sync::Arc;

/// The address of the interface for apps under its other name.
pub const SECOND_BASE: &str = "/api/greader.php";

/// True for the paths of the interface for apps.
pub fn is_of_apps(path: &str) -> bool {
    let below = path.strip_prefix(SECOND_BASE);
    let is_second = below.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    let starts = ["/accounts/", "/reader/api/0/", "/reader/atom/"];
    is_second || starts.iter().any(|start| path.starts_with(start))
}

/// Lets a request of an app through, or refuses it. Without a password only this machine asks.
pub async fn app_guard(
    State(state): State<Arc<WebApp>>,
    request: Request<Body>,
    next: Next,
) -> Response<Body> {
    let headers = request.headers();
    let host = one(headers, &header::HOST).unwrap_or_default();
    let peer = request.extensions().get();
    let is_let_in = state.access.is_some() || is_of_this_machine(peer);
    let refused = fault(&state, &request, |_, _, _| None)
        .or_else(|| foreign_page_fault(headers, host))
        .or_else(|| {
            let why = "without a password, apps of other machines are not answered";
            (!is_let_in).then_some((StatusCode::FORBIDDEN, why))
        });
    guarded(refused, request, next).await
}

/// The reason why a request of a page of another site is refused. The pages of an app on a
/// desktop are files.
fn foreign_page_fault(headers: &HeaderMap, host: &str) -> Option<GuardFault> {
    let is = |name: &str, value: &str| {
        let said = headers.get(name).map(HeaderValue::as_bytes);
        said == Some(value.as_bytes())
    };
    let is_of_app = is("origin", "file://");
    let has_origin = headers.contains_key(header::ORIGIN);
    let is_foreign = has_origin && !is_of_app && !is_own_origin(headers, host);
    // Pictures and links of a page say no `Origin`.
    let is_elsewhere = is("sec-fetch-site", "cross-site") || is("sec-fetch-site", "same-site");
    let is_embedded = is_elsewhere && !is("sec-fetch-mode", "cors");
    let why = "a page of another site uses no interface of this server";
    (is_foreign || is_embedded).then_some((StatusCode::FORBIDDEN, why))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_paths_of_apps_are_theirs_alone() {
        for path in [
            "/api/greader.php",
            "/api/greader.php/accounts/ClientLogin",
            "/accounts/ClientLogin",
            "/reader/api/0/token",
            "/reader/atom/feed/1",
        ] {
            assert!(is_of_apps(path), "{path}");
        }
        for path in [
            "/api",
            "/api/greader.phpx",
            "/reader",
            "/reader/1",
            "/reader/api",
            "/reader/api/0",
            "/reader/mark",
            "/accounts",
            "/apps",
            "/x/reader/api/0/token",
        ] {
            assert!(!is_of_apps(path), "{path}");
        }
    }

    #[test]
    fn pages_of_other_sites_are_refused_and_apps_are_not() {
        let check = |lines: &[(&'static str, &'static str)], is_let_in| {
            let mut headers = HeaderMap::new();
            for (name, value) in lines {
                headers.append(*name, HeaderValue::from_static(value));
            }
            let fault = foreign_page_fault(&headers, "127.0.0.1:7878");
            assert_eq!(fault.is_none(), is_let_in, "{lines:?}");
        };
        check(&[], true);
        check(&[("origin", "http://127.0.0.1:7878")], true);
        check(
            &[
                ("origin", "file://"),
                ("sec-fetch-site", "cross-site"),
                ("sec-fetch-mode", "cors"),
            ],
            true,
        );
        check(&[("origin", "null")], false);
        check(&[("origin", "https://evil.example")], false);
        check(
            &[
                ("sec-fetch-site", "cross-site"),
                ("sec-fetch-mode", "no-cors"),
            ],
            false,
        );
        check(
            &[
                ("sec-fetch-site", "cross-site"),
                ("sec-fetch-mode", "navigate"),
            ],
            false,
        );
        check(
            &[
                ("sec-fetch-site", "same-origin"),
                ("sec-fetch-mode", "cors"),
            ],
            true,
        );
    }
}
