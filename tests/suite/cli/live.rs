//! Sources on the web: a server on loopback.

use crate::cli::site::{feed, page};
use crate::cli::{User, statuses};
use crate::loopback::Loopback;
use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

type Files = HashMap<String, (&'static str, Vec<u8>)>;

/// The files by path, and what was asked for.
struct Site {
    files: Files,
    seen: Seen,
}

/// The paths with their queries that were asked for, and the headers with them.
type Seen = Arc<Mutex<Vec<(String, HeaderMap)>>>;

/// A server of files by path; anything else is not there.
pub struct Server {
    pub base: String,
    seen: Seen,
    _server: Loopback,
}

async fn answer(State(site): State<Arc<Site>>, uri: Uri, headers: HeaderMap) -> Response {
    let asked = uri.to_string();
    site.seen.lock().expect("no panic").push((asked, headers));
    match site.files.get(uri.path()) {
        Some(("redirect", to)) => {
            let to = String::from_utf8_lossy(to).into_owned();
            (StatusCode::FOUND, [(header::LOCATION, to)]).into_response()
        }
        Some((kind, body)) => ([(header::CONTENT_TYPE, *kind)], body.clone()).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

impl Server {
    /// The value of a header with each request for a path, in their order.
    pub fn seen(&self, path: &str, header: &str) -> Vec<Option<String>> {
        let seen = self.seen.lock().expect("no panic");
        let of_path = seen.iter().filter(|(asked, _)| asked == path);
        let text = |headers: &HeaderMap| Some(headers.get(header)?.to_str().ok()?.to_owned());
        of_path.map(|(_, headers)| text(headers)).collect()
    }
}

/// Serves what `files` makes of the server's own address.
pub fn serve(files: impl FnOnce(&str) -> Vec<(&'static str, &'static str, Vec<u8>)>) -> Server {
    let seen = Seen::default();
    let server = Loopback::of(|address| {
        let files = files(&format!("http://{address}")).into_iter();
        let files = files.map(|(path, kind, body)| (path.to_owned(), (kind, body)));
        let mut all: HashMap<_, _> = files.collect();
        for n in 0..12 {
            all.insert(format!("/{n}"), ("text/html", page(n).into_bytes()));
        }
        let site = Site {
            files: all,
            seen: Arc::clone(&seen),
        };
        Router::new().fallback(answer).with_state(Arc::new(site))
    });
    Server {
        base: format!("http://{}", server.address),
        seen,
        _server: server,
    }
}

pub const HTML: &str = "text/html";
pub const XML: &str = "application/xml";

/// Twelve pages; the feed lists a page that is gone, a PDF and a near-empty page
/// before them.
fn small_site() -> Server {
    serve(|base| {
        let mut links: Vec<String> = ["gone", "pdf", "short"]
            .iter()
            .map(|name| format!("{base}/{name}"))
            .collect();
        links.extend((0..12).map(|n| format!("{base}/{n}")));
        let opml = format!(
            "<opml version='2.0'><body><outline type='rss' text='a' xmlUrl='{base}/feed.xml'/>\
             <outline type='rss' text='b' xmlUrl='{base}/no-feed.xml'/></body></opml>"
        );
        let home = "<html><head><link rel=alternate type=application/rss+xml href=/feed.xml>";
        let gone = [format!("{base}/x"), format!("{base}/y")];
        vec![
            ("/", HTML, home.into()),
            ("/feed.xml", XML, feed(&links).into_bytes()),
            ("/gone.xml", XML, feed(&gone).into_bytes()),
            ("/pdf", "application/pdf", b"%PDF-1.7\n".to_vec()),
            ("/short", HTML, b"<p>Next to nothing.".to_vec()),
            ("/blogs.opml", XML, opml.into_bytes()),
            ("/nothing", HTML, b"<p>A page that names no feed".to_vec()),
            ("/story", HTML, page(3).into_bytes()),
        ]
    })
}

#[test]
fn learn_from_a_feed_and_apply_to_it() {
    let (user, server) = (User::new(), small_site());
    let url = format!("{}/feed.xml", server.base);
    let learned = user.run(&["learn", &url, "--allow-private", "--site", "small"]);
    learned.ends(
        0,
        &[
            "/gone: left out: it is gone (status 404)",
            "/pdf: left out: this is a PDF",
            "/short: left out: only 3 words",
        ],
    );
    // What was left out was replaced: ten good pages.
    assert!(learned.out.contains("from 10 pages"), "{}", learned.out);
    assert!(learned.err.contains("/9: good") && !learned.err.contains("/10: good"));
    assert!(
        user.read("sites/small.yaml")
            .contains(&format!("feed: {url}"))
    );
    // The wrapper is known by the feed that it was learned from.
    let applied = user.run(&["apply", &url, "--allow-private"]);
    applied.ends(
        3,
        &[
            "/gone: error: it is gone",
            "15 pages: 2 error, 1 fallback, 12 ok",
        ],
    );
    let records = applied.records();
    assert_eq!(
        statuses(&records)[..4],
        ["error", "error", "fallback", "ok"]
    );
    assert_eq!(records[3]["id"], format!("{}/0", server.base));
    let fetched = records[3]["date_fetched"].as_str().expect("a date");
    assert!(fetched.ends_with('Z'), "{fetched}");
    let page = format!("{}/0", server.base);
    let wrapper = ["--wrapper", "sites/small.yaml"];
    let one = user.run(&[&["apply", &page, "--allow-private"], &wrapper[..]].concat());
    one.ends(0, &[]);
    assert_eq!(one.records().len(), 1);
    let gone = format!("{}/gone", server.base);
    let gone = user.run(&[&["apply", &gone, "--allow-private"], &wrapper[..]].concat());
    gone.ends(1, &["gone"]);
    assert_eq!(statuses(&gone.records()), ["error"]);
}

#[test]
fn a_private_address_needs_the_flag() {
    let (user, server) = (User::new(), small_site());
    user.run(&["learn", &format!("{}/feed.xml", server.base)])
        .ends(2, &["127.0.0.1", "--allow-private"]);
    assert!(user.names("sites").is_empty());
}

#[test]
fn a_home_page_leads_to_its_feed() {
    let (user, server) = (User::new(), small_site());
    let home = format!("{}/", server.base);
    let learned = user.run(&["learn", &home, "--allow-private"]);
    learned.ends(0, &["its feed is"]);
    let site = server.base.trim_start_matches("http://").replace(':', "_");
    assert_eq!(user.names("sites"), [format!("{site}.yaml")]);
    let applied = user.run(&["apply", &home, "--allow-private"]);
    assert_eq!(applied.records().len(), 15);
    let nothing = format!("{}/nothing", server.base);
    user.run(&["learn", &nothing, "--allow-private"]).ends(
        2,
        &[
            "this is a page with 6 words of text, and it",
            "names no feed",
            "give the feed's address",
        ],
    );
    let story = format!("{}/story", server.base);
    user.run(&["learn", &story, "--allow-private"]).ends(
        2,
        &[
            "this is a page with ",
            "words of text, “Story 3”",
            "names no feed",
        ],
    );
}

/// It is asked for by https; that this one is not public is found without a name server.
#[test]
fn a_bare_host_is_tried() {
    let user = User::new();
    let args = ["a.localhost", "--no-cache"];
    let tried = "https://a.localhost/ is tried";
    for command in ["learn", "apply", "text"] {
        // A page is an input of many, which failed.
        let code = if command == "learn" { 2 } else { 1 };
        user.run(&[&[command], &args[..]].concat())
            .ends(code, &[tried, "not a public address"]);
    }
    user.put("a.localhost/0.html", crate::cli::site::page(0));
    user.run(&["apply", "a.localhost"])
        .ends(0, &["1 page: 1 fallback"]);
}

#[test]
fn pages_that_are_all_gone() {
    let (user, server) = (User::new(), small_site());
    let url = format!("{}/gone.xml", server.base);
    user.run(&["learn", &url, "--allow-private"])
        .ends(1, &["/x: left out", "/y: left out", "0 good pages"]);
    assert!(user.names("sites").is_empty());
}

#[test]
fn lists_of_addresses_and_of_feeds() {
    let (user, server) = (User::new(), small_site());
    let list: Vec<_> = (0..5).map(|n| format!("{}/{n}\n", server.base)).collect();
    user.put("list.txt", list.concat());
    let args = ["--allow-private", "--site", "s", "--sites"];
    user.run(&[&["learn", "list.txt"], &args[..], &["a"]].concat())
        .ends(0, &[]);
    assert_eq!(user.names("a"), ["s.yaml"]);
    let opml = format!("{}/blogs.opml", server.base);
    user.run(&[&["learn", &opml], &args[..], &["b"]].concat())
        .ends(3, &["no-feed.xml"]);
    assert_eq!(user.names("b"), ["s.yaml"]);
    // Several addresses of pages are pages.
    let pages: Vec<_> = (0..3).map(|n| format!("{}/{n}", server.base)).collect();
    let pages: Vec<_> = pages.iter().map(String::as_str).collect();
    user.run(&[&["learn"], &pages[..], &args[..], &["c"]].concat())
        .ends(0, &[]);
    assert_eq!(user.names("c"), ["s.yaml"]);
}
