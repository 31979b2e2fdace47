//! Interfaces for programs: what is in the archive as feeds, and the articles of pages.
//!
//! - `archive`: the archive that is served; `reading`: how it is read;
//!   `rendered`: feeds that were served.
//! - `feeds`: the feeds of the archive, and their list; `front_page`: the page that shows them.
//! - `conditional`: answers that a client may have already.
//! - `extract`: the article of a page; `reader`: how it is fetched and read; `fault`: why it
//!   is not.
//! - `full_text`: a feed with the articles of its items; `learned_sites`, the wrappers that were
//!   learned for it.
//! - `openapi`: the description of all these.
//!
//! A GET changes nothing. The interfaces are for this machine alone: see
//! [`program_guard`](forest_web::guard::program_guard).

mod archive;
mod conditional;
mod extract;
mod fault;
mod feeds;
mod front_page;
mod full_text;
mod learned_sites;
mod openapi;
mod reader;
mod reading;
mod rendered;

pub(super) use archive::ServedArchive;
pub(super) use feeds::{OPML, feed_id, feed_path, id_of_url, short_title, title_of};
pub(super) use front_page::{addresses, folder_names, picture_room, size};
pub(super) use reader::PageReader;
pub(super) use reading::{NoDocument, in_turn, read};

use super::state::LibraryApp;
use axum::Router;
use axum::http::StatusCode;
use axum::routing::get;
use axum::{
    body::Body,
    extract::State,
    http::{Response, header},
    response::IntoResponse,
};
use fault::json_answer;
use forest_harvest::metrics::CONTENT_TYPE;
use forest_web::answers::plain;
use openapi::{ApiEndpoint, ApiOperation, ApiParameter, ParameterPlace, document};
use std::sync::Arc;

/// The media type of faults that people read.
const PLAIN: &str = "text/plain";

/// The media type of records and of faults that programs read.
const JSON: &str = "application/json";

/// Reasons why an archive gives no document.
const ARCHIVE_FAULTS: &[(u16, &str)] = &[
    (304, "The client has it."),
    (403, "The request is of another machine or site."),
    (404, "No archive is served, or it has no such feed."),
    (503, "The archive cannot be read."),
];

/// Reasons why a page gives no answer.
const PAGE_FAULTS: &[(u16, &str)] = &[
    (400, "The request cannot be understood."),
    (403, "The address may not be fetched."),
    (413, "The page is too large."),
    (415, "The body is of another media type."),
    (429, "Too much is fetched."),
    (500, "The wrapper of the site cannot be used."),
    (502, "The other server gives no page or feed."),
    (504, "It takes too long."),
];

/// The address of a page or feed.
const URL: ApiParameter = ApiParameter {
    name: "url",
    place: ParameterPlace::Query,
    about: "The address of the page or feed.",
};

/// All interfaces: the router serves them, and `/api` describes them.
const ENDPOINTS: &[ApiEndpoint] = &[
    ApiEndpoint {
        path: "/archive",
        route: || get(front_page::show),
        operations: &[ApiOperation {
            method: "get",
            summary: "The page that lists the feeds of the archive",
            parameters: &[],
            body: &[],
            kinds: &["text/html"],
            faults: ARCHIVE_FAULTS,
            fault_kind: PLAIN,
        }],
    },
    ApiEndpoint {
        path: "/feed/{file}",
        route: || get(feeds::feed),
        operations: &[ApiOperation {
            method: "get",
            summary: "A feed of the archive with the whole articles of all its items",
            parameters: &[ApiParameter {
                name: "file",
                place: ParameterPlace::Path,
                about: "The feed's id, and .atom, .rss or .json.",
            }],
            body: &[],
            kinds: &[
                "application/atom+xml",
                "application/rss+xml",
                "application/feed+json",
            ],
            faults: ARCHIVE_FAULTS,
            fault_kind: PLAIN,
        }],
    },
    ApiEndpoint {
        path: "/opml",
        route: || get(feeds::list),
        operations: &[ApiOperation {
            method: "get",
            summary: "The feeds of the archive as OPML",
            parameters: &[ApiParameter {
                name: feeds::ADDRESSES,
                place: ParameterPlace::OptionalQuery,
                about: "own: those of the active feeds themselves; by default those of this server.",
            }],
            body: &[],
            kinds: &["text/x-opml"],
            faults: ARCHIVE_FAULTS,
            fault_kind: PLAIN,
        }],
    },
    ApiEndpoint {
        path: "/extract",
        route: || get(extract::of_address).post(extract::of_body),
        operations: &[
            ApiOperation {
                method: "get",
                summary: "The record of the page at an address",
                parameters: &[URL],
                body: &[],
                kinds: &[JSON],
                faults: PAGE_FAULTS,
                fault_kind: JSON,
            },
            ApiOperation {
                method: "post",
                summary: "The record of a page whose HTML is sent, or of {\"url\", \"html\"} in JSON",
                parameters: &[ApiParameter {
                    place: ParameterPlace::OptionalQuery,
                    ..URL
                }],
                body: &["text/html", JSON],
                kinds: &[JSON],
                faults: PAGE_FAULTS,
                fault_kind: JSON,
            },
        ],
    },
    ApiEndpoint {
        path: "/makefulltextfeed",
        route: || get(full_text::make),
        operations: &[ApiOperation {
            method: "get",
            summary: "A feed with the whole articles of its items",
            parameters: &[
                URL,
                ApiParameter {
                    name: "max",
                    place: ParameterPlace::OptionalQuery,
                    about: "The number of items; 10 by default, 30 at the most.",
                },
                ApiParameter {
                    name: "format",
                    place: ParameterPlace::OptionalQuery,
                    about: "rss, which is the default, or atom.",
                },
            ],
            body: &[],
            kinds: &["application/rss+xml", "application/atom+xml"],
            faults: PAGE_FAULTS,
            fault_kind: JSON,
        }],
    },
    ApiEndpoint {
        path: "/api",
        route: || get(async || json_answer(StatusCode::OK, &document(ENDPOINTS))),
        operations: &[ApiOperation {
            method: "get",
            summary: "This description",
            parameters: &[],
            body: &[],
            kinds: &[JSON],
            faults: &[],
            fault_kind: JSON,
        }],
    },
];

/// The routes of the interfaces.
pub(super) fn router(state: &Arc<LibraryApp>) -> Router {
    let routes = ENDPOINTS.iter().fold(Router::new(), |router, endpoint| {
        router.route(endpoint.path, (endpoint.route)())
    });
    let routes = routes.route("/metrics", get(metrics));
    routes.with_state(Arc::clone(state))
}

/// The figures of the harvest beside which this server runs, for Prometheus.
async fn metrics(State(state): State<Arc<LibraryApp>>) -> Response<Body> {
    match &state.metrics {
        Some(metrics) => ([(header::CONTENT_TYPE, CONTENT_TYPE)], metrics.text()).into_response(),
        None => plain(
            StatusCode::NOT_FOUND,
            "no harvest runs here: `forest harvest run --serve` has metrics",
        ),
    }
}
