//! `forest push`, against stand-ins of two readers that answer as their documents say:
//! Miniflux 2.2 (<https://miniflux.app/docs/api.html>) and FreshRSS 1.24 (its interface of
//! Google Reader, and OPML with its attributes).

use crate::harvest_cli::site::{Ran, Site, User};
use crate::loopback::Loopback;
use axum::Router;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post, put};
use forest_core::feed::parse_opml;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};

const KEY: &str = "secret-key";

/// The feeds and entries of Miniflux, and the bodies of the requests that change them.
#[derive(Default)]
struct Miniflux {
    feeds: Vec<Value>,
    entries: Vec<Value>,
    changes: Vec<Value>,
}

type Shared<T> = Arc<Mutex<T>>;

fn reader<T: Default>(value: T) -> Shared<T> {
    Arc::new(Mutex::new(value))
}

async fn with_token(request: Request, next: Next) -> Response {
    let token = request.headers().get("X-Auth-Token");
    if token.is_none_or(|token| token != KEY) {
        let why = json!({"error_message": "Access Unauthorized"});
        return (StatusCode::UNAUTHORIZED, why.to_string()).into_response();
    }
    next.run(request).await
}

fn miniflux(state: &Shared<Miniflux>) -> Loopback {
    async fn feeds(State(state): State<Shared<Miniflux>>) -> String {
        json!(state.lock().expect("not poisoned").feeds).to_string()
    }
    fn patch(of: &mut [Value], id: u64, body: &Value) -> Response {
        let Some(found) = of.iter_mut().find(|one| one["id"] == id) else {
            let why = json!({"error_message": "Resource Not Found"});
            return (StatusCode::NOT_FOUND, why.to_string()).into_response();
        };
        for (name, value) in body.as_object().expect("an object") {
            found[name] = value.clone();
        }
        (StatusCode::CREATED, found.to_string()).into_response()
    }
    async fn change(
        State(state): State<Shared<Miniflux>>,
        Path((kind, id)): Path<(String, u64)>,
        body: String,
    ) -> Response {
        let body: Value = serde_json::from_str(&body).expect("JSON");
        let mut state = state.lock().expect("not poisoned");
        state.changes.push(body.clone());
        match kind.as_str() {
            "feeds" => patch(&mut state.feeds, id, &body),
            _ => patch(&mut state.entries, id, &body),
        }
    }
    async fn entries(
        State(state): State<Shared<Miniflux>>,
        Path(id): Path<u64>,
        uri: Uri,
    ) -> String {
        let query = uri.query().expect("a query");
        let expected = "status=unread&order=published_at&direction=desc&limit=100";
        assert_eq!(query, expected);
        let state = state.lock().expect("not poisoned");
        let chosen = state.entries.iter();
        let chosen: Vec<_> = chosen
            .filter(|entry| entry["feed_id"] == id && entry["status"] == "unread")
            .collect();
        json!({"total": chosen.len(), "entries": chosen}).to_string()
    }
    let router = Router::new()
        .route("/v1/feeds", get(feeds))
        .route("/v1/{kind}/{id}", put(change))
        .route("/v1/feeds/{id}/entries", get(entries))
        .layer(from_fn(with_token))
        .with_state(Arc::clone(state));
    Loopback::of(|_| router)
}

fn subscribed(id: u64, site: &Site) -> Value {
    json!({
        "id": id, "user_id": 1, "feed_url": site.feed(), "site_url": format!("http://{}/", site.host),
        "title": "The Gazette", "scraper_rules": "", "rewrite_rules": "", "user_agent": "",
        "crawler": false, "disabled": false,
    })
}

fn push(user: &User, reader: &[&str], at: &Loopback, more: &[&str]) -> Ran {
    let url = format!("http://{}{}", at.address, reader[1]);
    let start = ["push", reader[0], "--url", &url, "--token", KEY];
    let rest = ["--allow-private", "--delay", "0", "--json"];
    user.run(&[&start[..], &rest, more].concat())
}

const MINIFLUX: [&str; 2] = ["miniflux", ""];

fn taken(state: &Shared<Miniflux>) -> Vec<Value> {
    std::mem::take(&mut state.lock().expect("not poisoned").changes)
}

#[test]
fn miniflux_gets_the_selectors_once() {
    let (site, user) = (Site::new(3), User::new());
    let state = reader(Miniflux {
        feeds: vec![subscribed(7, &site)],
        ..Miniflux::default()
    });
    let at = miniflux(&state);
    let dry = push(&user, &MINIFLUX, &at, &["--dry-run"]);
    let line = &dry.ends(0, &[]).records()[0];
    assert_eq!(
        (&line["outcome"], &line["dry_run"]),
        (&json!("set"), &json!(true))
    );
    assert_eq!(line["settings"]["scraper_rules"], "div.story");
    assert!(taken(&state).is_empty());
    push(&user, &MINIFLUX, &at, &[]).ends(0, &[]);
    let change = json!({"crawler": true, "scraper_rules": "div.story"});
    assert_eq!(taken(&state), [change]);
    let again = push(&user, &MINIFLUX, &at, &[]);
    assert_eq!(again.ends(0, &[]).records()[0]["outcome"], "same");
    assert!(taken(&state).is_empty());
}

#[test]
fn what_the_user_typed_in_miniflux_stays() {
    let (site, user) = (Site::new(3), User::new());
    let mut feed = subscribed(7, &site);
    feed["scraper_rules"] = json!("article.mine");
    let state = reader(Miniflux {
        feeds: vec![feed],
        ..Miniflux::default()
    });
    let at = miniflux(&state);
    let kept = push(&user, &MINIFLUX, &at, &[]);
    assert_eq!(kept.ends(0, &[]).records()[0]["outcome"], "kept");
    assert!(taken(&state).is_empty());
    push(&user, &MINIFLUX, &at, &["--replace"]).ends(0, &[]);
    assert_eq!(taken(&state)[0]["scraper_rules"], "div.story");
    // Selectors of an earlier wrapper of the site are forest's, and rewrite rules are joined.
    let name = user
        .path("sites")
        .join(format!("{}.yaml", site.host.replace(':', "_")));
    let yaml = std::fs::read_to_string(&name).expect("a wrapper");
    let body = "//div[contains(concat(' ',normalize-space(@class),' '),' story ')]";
    assert!(yaml.contains(body), "{yaml}");
    let strip = format!("  - {body}/p[@class=\"note\"]");
    let new = format!(
        "format: 1\nsite: '{}'\nfeed: {}\ntemplates:\n- body:\n  - //main\n  strip:\n{strip}\n\
         history:\n- until: 2026-01-01T00:00:00Z\n  body:\n  - {body}\n",
        site.host,
        site.feed()
    );
    std::fs::write(&name, new).expect("written");
    state.lock().expect("not poisoned").feeds[0]["rewrite_rules"] = json!("add_image_title");
    push(&user, &MINIFLUX, &at, &[]).ends(0, &[]);
    let change = json!({
        "scraper_rules": "main",
        "rewrite_rules": "add_image_title,remove(\"div.story > p[class='note']\")",
    });
    assert_eq!(taken(&state), [change]);
}

#[test]
fn unread_entries_of_miniflux_get_their_text() {
    let (site, user) = (Site::new(3), User::new());
    let entry = |id: usize, path: &str, status: &str| {
        json!({
            "id": id, "feed_id": 7, "status": status, "title": "Story",
            "url": format!("http://{}/{path}", site.host), "content": "<p>Cut short</p>",
        })
    };
    let state = reader(Miniflux {
        feeds: vec![subscribed(7, &site)],
        entries: vec![
            entry(1, "story/1", "unread"),
            entry(2, "story/2", "read"),
            entry(3, "gone", "unread"),
        ],
        ..Miniflux::default()
    });
    let at = miniflux(&state);
    let filled = push(&user, &MINIFLUX, &at, &["--entries"]);
    let line = &filled.ends(0, &["/gone: "]).records()[0];
    assert_eq!(
        line["entries"],
        json!({"filled": 1, "whole": 0, "failed": 1})
    );
    let changes = taken(&state);
    let html = changes[1]["content"].as_str().expect("a text");
    assert!(html.contains("<p>") && html.len() > 300, "{html}");
    assert_eq!(changes.len(), 2);
    let again = push(&user, &MINIFLUX, &at, &["--entries"]);
    let line = &again.ends(0, &[]).records()[0];
    assert_eq!(
        line["entries"],
        json!({"filled": 0, "whole": 1, "failed": 1})
    );
}

#[test]
fn a_site_that_css_cannot_express_is_offered_as_a_served_feed() {
    let (site, user) = (Site::new(3), User::new());
    let state = reader(Miniflux {
        feeds: vec![subscribed(7, &site)],
        ..Miniflux::default()
    });
    let at = miniflux(&state);
    let name = user
        .path("sites")
        .join(format!("{}.yaml", site.host.replace(':', "_")));
    std::fs::create_dir(user.path("sites")).expect("a folder");
    let yaml = format!(
        "format: 1\nsite: '{}'\nfeed: {}\ntemplates:\n- body:\n  - //div[contains(., 'Story')]/div[2]\n",
        site.host,
        site.feed()
    );
    std::fs::write(&name, yaml).expect("written");
    let refused = push(&user, &MINIFLUX, &at, &["--serve", "http://192.0.2.7:7878"]);
    let line = &refused.ends(1, &[]).records()[0];
    assert_eq!(line["outcome"], "unsupported");
    let served = line["served"].as_str().expect("an address");
    assert!(served.starts_with("http://192.0.2.7:7878/makefulltextfeed?url=http%3A%2F%2F127"));
    assert!(taken(&state).is_empty());
}

#[test]
fn a_wrong_key_or_address_is_said() {
    let user = User::new();
    let at = miniflux(&reader(Miniflux::default()));
    let url = format!("http://{}", at.address);
    let wrong = ["push", "miniflux", "--url", &url, "--token", "other"];
    user.run(&wrong).ends(2, &["status 401"]);
    std::fs::write(user.path("key"), format!("{KEY}\n")).expect("written");
    let by_file = ["push", "miniflux", "--url", &url, "--token-file", "key"];
    user.run(&by_file).ends(1, &["the reader has no feeds"]);
    user.run(&[
        "push",
        "miniflux",
        "--url",
        "ftp://a.example",
        "--token",
        KEY,
    ])
    .ends(2, &["http or https"]);
    user.run(&["push", "freshrss", "--url", &url, "--token", KEY])
        .ends(2, &["--user"]);
}

/// FreshRSS: the outlines of its feeds, by address.
#[derive(Default)]
struct FreshRss {
    outlines: Vec<String>,
    imported: Vec<String>,
}

fn freshrss(state: &Shared<FreshRss>) -> Loopback {
    const AUTH: &str = "ann/8e6845e089457af25303abc6f53356eb60bdb5f8";
    async fn log_in(body: String) -> Response {
        if body != format!("Email=ann&Passwd={KEY}") {
            return (StatusCode::UNAUTHORIZED, "Unauthorized!").into_response();
        }
        format!("SID={AUTH}\nLSID=null\nAuth={AUTH}\n").into_response()
    }
    fn is_known(headers: &HeaderMap) -> bool {
        let value = headers.get("Authorization");
        value.is_some_and(|value| value == &format!("GoogleLogin auth={AUTH}"))
    }
    async fn export(State(state): State<Shared<FreshRss>>, headers: HeaderMap) -> Response {
        if !is_known(&headers) {
            return (StatusCode::UNAUTHORIZED, "Unauthorized!").into_response();
        }
        let outlines = state.lock().expect("not poisoned").outlines.concat();
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<opml xmlns:frss=\"https://freshrss.org/opml\" \
             version=\"2.0\"><head><title>FreshRSS</title></head><body><outline text=\"News\">{outlines}\
             </outline></body></opml>"
        )
        .into_response()
    }
    async fn import(
        State(state): State<Shared<FreshRss>>,
        headers: HeaderMap,
        body: String,
    ) -> Response {
        if !is_known(&headers) {
            return (StatusCode::UNAUTHORIZED, "Unauthorized!").into_response();
        }
        if parse_opml(body.as_bytes()).is_err() || body.len() > 1_048_576 {
            return (StatusCode::BAD_REQUEST, "Bad Request!").into_response();
        }
        let start = body.find("<outline").expect("an outline");
        let end = body.rfind("</body>").expect("an end");
        let mut state = state.lock().expect("not poisoned");
        state.outlines = vec![body[start..end].to_owned()];
        state.imported.push(body);
        "OK".into_response()
    }
    let api = Router::new()
        .route("/accounts/ClientLogin", post(log_in))
        .route("/reader/api/0/subscription/export", get(export))
        .route("/reader/api/0/subscription/import", post(import))
        .with_state(Arc::clone(state));
    Loopback::of(|_| Router::new().nest("/api/greader.php", api))
}

#[test]
fn freshrss_gets_the_selectors_by_opml_and_loses_nothing() {
    let (site, user) = (Site::new(3), User::new());
    let outline = format!(
        "<outline text=\"A &amp; B\" type=\"rss\" xmlUrl=\"{}\" htmlUrl=\"http://{}/\" \
         description=\"All the news\" frss:priority=\"important\"/>",
        site.feed(),
        site.host
    );
    let state = reader(FreshRss {
        outlines: vec![outline],
        ..FreshRss::default()
    });
    let at = freshrss(&state);
    let reader = ["freshrss", "/api/greader.php"];
    let user_name = ["--user", "ann"];
    let set = push(&user, &reader, &at, &user_name);
    assert_eq!(set.ends(0, &[]).records()[0]["outcome"], "set");
    let imported = state.lock().expect("not poisoned").imported.concat();
    for part in [
        "xmlns:frss=\"https://freshrss.org/opml\"",
        "text=\"A &amp; B\" type=\"rss\"",
        "description=\"All the news\" frss:priority=\"important\" frss:cssFullContent=\"div.story\"/>",
    ] {
        assert!(imported.contains(part), "{part}: {imported}");
    }
    let again = push(&user, &reader, &at, &user_name);
    assert_eq!(again.ends(0, &[]).records()[0]["outcome"], "same");
    let entries = push(&user, &reader, &at, &["--user", "ann", "--entries"]);
    entries.ends(0, &[]);
    push(&user, &reader, &at, &["--user", "eve"]).ends(2, &["refuses the login", "status 401"]);
}
