//! Texts of strangers, in every page, list, feed and file of the server: they run nothing, and nothing
//! is loaded from elsewhere.

use super::library::{articles, server_of};
use super::reader_api::App;
use super::{Answer, Running};
use crate::harvest_cli::site::User;
use crate::loopback::Loopback;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use forest_html::page::Page;

/// Ways to run a script, in texts and attributes.
const SCRIPTS: &str = "<script>alert(1)</script><img src=x onerror=alert(1)><svg onload=alert(1)>\
    <a href=\"javascript:alert(1)\">x</a><iframe srcdoc=\"<script>alert(1)</script>\"></iframe>\
    <math><mi xlink:href=\"data:x,<script>alert(1)</script>\"></math><form action=//evil.example><button>\
    <meta http-equiv=refresh content=\"0;url=//evil.example\"><base href=//evil.example>\
    <style>@import '//evil.example'</style><link rel=stylesheet href=//evil.example>\
    <video src=//evil.example/v autoplay></video><img srcset=\"//evil.example/p 2x\">\
    <details open ontoggle=alert(1)>";

async fn hostile_page() -> Response {
    let words =
        "The ferry to the islands leaves an hour later from Monday, says the master. ".repeat(8);
    let page = format!(
        "<!DOCTYPE html><title>T &lt;script>alert(1)&lt;/script></title><article><h1>\"'>&lt;img src=x onerror=alert(1)></h1>\
         <p>{words}</p>{SCRIPTS}<p>{words}</p></article>"
    );
    ([(header::CONTENT_TYPE, "text/html")], page).into_response()
}

/// A feed with an article, and with an item that has a text and a recording alone.
async fn hostile_feed(headers: axum::http::HeaderMap) -> Response {
    let host = headers[header::HOST].to_str().expect("ASCII");
    let text = SCRIPTS.replace('&', "&amp;").replace('<', "&lt;");
    let feed = format!(
        "<rss version='2.0'><channel><title>{text}</title><link>http://{host}/</link>\
         <item><title>\"'>{text}</title><link>http://{host}/1?\"'>&lt;script>alert(1)&lt;/script></link>\
         <author>{text}</author><category>{text}</category><description>{text}</description></item>\
         <item><title>\"'>{text}</title><guid isPermaLink='false'>\"'>{text}</guid>\
         <author>{text}</author><description>{text}</description>\
         <enclosure url=\"https://evil.example/1.mp3?'>&lt;script>alert(1)&lt;/script>\" type='audio/mpeg' length='34000000'/>\
         </item></channel></rss>"
    );
    ([(header::CONTENT_TYPE, "application/rss+xml")], feed).into_response()
}

/// A server whose archive has both entries.
struct Hosted {
    server: Running,
    feed: String,
    /// The paths of the article and of the item without one.
    entries: [String; 2],
    _site: Loopback,
    _user: User,
}

impl Hosted {
    fn new() -> Hosted {
        let site = Loopback::of(|_| {
            axum::Router::new()
                .route("/feed", get(hostile_feed))
                .route("/1", get(hostile_page))
        });
        let user = User::new();
        let feed = format!("http://{}/feed", site.address);
        user.add_all(&[&feed]).ends(0, &[]);
        user.round(3, &[]).ends(0, &[]);
        let server = server_of(&user);
        let list = server.own("/reader?show=all");
        let mut entries = articles(&list);
        assert_eq!(entries.len(), 2, "{}", list.text());
        // Files are made of articles alone.
        let is_item = |path: &String| server.own(&format!("{path}/export?format=md")).status != 200;
        entries.sort_by_key(is_item);
        let entries = entries.try_into().expect("two");
        Hosted {
            server,
            feed,
            entries,
            _site: site,
            _user: user,
        }
    }

    /// The address of its feed, coded for a query.
    fn coded(&self) -> String {
        url::form_urlencoded::byte_serialize(self.feed.as_bytes()).collect()
    }

    /// The page of its site.
    fn site(&self) -> String {
        let sites = self.server.own("/sites").text();
        let (_, name) = sites.split_once("href=\"sites/").expect("a site");
        format!("/sites/{}", name.split('"').next().expect("its end"))
    }

    /// The page of a job that looks at its feed, when it is done.
    fn job(&self) -> String {
        let token = self.server.token();
        let fields = [("token", &*token), ("url", &*self.feed)];
        let begun = self.server.send_form("/add", &fields);
        let job = format!("/{}", begun.header("location").expect("one"));
        while self
            .server
            .own(&job)
            .text()
            .contains("http-equiv=\"refresh\"")
        {}
        job
    }

    /// Every page that shows something of a stranger.
    fn pages(&self) -> Vec<String> {
        let ([article, item], site, feed) = (&self.entries, self.site(), self.coded());
        let query = format!("x\"'>{SCRIPTS}");
        let query: String = url::form_urlencoded::byte_serialize(query.as_bytes()).collect();
        [
            "/reader",
            "/reader?show=all",
            "/reader?show=starred",
            &format!("/reader?feed={feed}"),
            article,
            item,
            &format!("{article}?beside=page"),
            &format!("{article}?version=1"),
            "/search?q=ferry",
            "/search?site=127",
            "/sites",
            &site,
            &format!("{site}/workshop"),
            "/archive",
            &format!("/archive/feed?url={feed}"),
            &format!("/archive/feed/remove?url={feed}"),
            "/add",
            &self.job(),
            "/settings",
            "/apps",
            // What an address brings along.
            &format!("/search?q={query}&site={query}&since={query}&starred={query}"),
            &format!("/reader?folder={query}&feed={query}"),
            &format!("/archive?q={query}"),
            &format!("/sites?q={query}"),
            &format!("/add?url={query}"),
            &format!("/save?url={query}&title={query}"),
            &format!("/save?from=page&url={query}&title={query}&text={query}"),
            &format!("/settings?x={query}"),
        ]
        .map(str::to_owned)
        .to_vec()
    }
}

/// The elements of HTML as a browser sees them: each its name and its attributes, in lower case.
fn elements(html: &str) -> Vec<(String, Vec<(String, String)>)> {
    let page = Page::from_html(html);
    let lower = |text: &str| text.trim().to_ascii_lowercase();
    let elements = page.elements().filter_map(|n| {
        let name = lower(&page.name(n)?.local);
        let attributes = page
            .attrs(n)
            .map(|(name, value)| (lower(&name.local), lower(value)));
        Some((name, attributes.collect()))
    });
    elements.collect()
}

/// True for an address that leads to another server.
fn is_elsewhere(url: &str) -> bool {
    url.starts_with("http") || url.starts_with("//")
}

/// What makes a browser do something by itself; `None` if nothing does.
fn fault((name, attributes): &(String, Vec<(String, String)>)) -> Option<String> {
    let is_loading = name != "a";
    let bad = attributes
        .iter()
        .find(|(attribute, value)| match &**attribute {
            "style" | "srcdoc" | "srcset" | "autoplay" | "ping" | "http-equiv" => true,
            "src" | "poster" | "data" | "background" | "action" | "formaction" => {
                is_elsewhere(value)
            }
            "href" => {
                is_loading && is_elsewhere(value)
                    || value.starts_with("//")
                    || value.starts_with("javascript:")
                    || value.starts_with("data:")
            }
            name => name.starts_with("on") || name.contains("href"),
        });
    let bad = bad.map(|(attribute, value)| format!("<{name} {attribute}={value:?}>"));
    let is_ours = |from: &str| {
        attributes
            .iter()
            .any(|(name, value)| name == "src" && value.ends_with(from))
    };
    let is_bad = match &**name {
        "base" | "style" | "math" | "object" | "embed" | "video" | "source" => true,
        "script" => !is_ours("filter/script.js"),
        "iframe" => {
            !attributes.iter().any(|(name, _)| name == "sandbox") && !is_ours("workshop/frame")
        }
        _ => false,
    };
    bad.or(is_bad.then(|| format!("<{name}> {attributes:?}")))
}

/// Checks a page of ours.
#[track_caller]
fn check_page(path: &str, answer: &Answer) {
    assert_eq!(answer.status, 200, "{path}");
    for element in elements(&answer.text()) {
        // The bookmarklets are our own.
        let is_ours = |(_, value): &(String, String)| {
            value.starts_with("javascript:location")
                || value.starts_with("javascript:(()=>{const w=open('http://127.0.0.1:")
        };
        let is_ours = element.0 == "a" && element.1.iter().any(is_ours);
        assert_eq!(fault(&element).filter(|_| !is_ours), None, "{path}");
    }
    let policy = answer.header("content-security-policy").expect("one");
    assert!(policy.contains("default-src 'none'") && policy.contains("script-src 'self'"));
    assert!(
        !policy.contains("unsafe") && !policy.contains("http"),
        "{path}: {policy}"
    );
}

/// Checks the HTML of an article for other programs, which load its pictures.
#[track_caller]
fn check_content(what: &str, content: &str) {
    let html = format!("<!DOCTYPE html><html><head></head><body>{content}</body></html>");
    for element in elements(&html) {
        if element.0 != "img" {
            assert_eq!(fault(&element), None, "{what}: {content}");
        }
        let is_bad = ["script", "svg", "iframe", "form", "meta", "link"];
        assert!(!is_bad.contains(&&*element.0), "{what}: {element:?}");
        let handler = element.1.iter().find(|(name, _)| name.starts_with("on"));
        assert_eq!(handler, None, "{what}");
    }
}

#[test]
fn no_page_has_markup_of_a_stranger() {
    let hosted = Hosted::new();
    let server = &hosted.server;
    for path in hosted.pages() {
        check_page(&path, &server.own(&path));
    }
    // Pictures of others come by our own address alone.
    let token = server.token();
    let fields = [("token", &*token), ("unstored", "any-host")];
    assert_eq!(server.send_form("/settings", &fields).status, 303);
    for path in &hosted.entries {
        check_page(path, &server.own(path));
    }
    let frame = server
        .own(&format!("{}/workshop/frame", hosted.site()))
        .text();
    for bad in [
        "<script",
        "alert(1)\"",
        "javascript:",
        "<iframe",
        "<base",
        "<meta",
        "href=",
    ] {
        assert!(!frame.contains(bad), "{bad}: {frame}");
    }
}

#[test]
fn a_player_loads_its_file_alone() {
    let hosted = Hosted::new();
    let path = format!("{}/play?n=0", hosted.entries[1]);
    let answer = hosted.server.own(&path);
    assert_eq!(answer.status, 200, "{}", answer.text());
    let faults = elements(&answer.text());
    let faults: Vec<_> = faults
        .iter()
        .filter(|element| fault(element).is_some())
        .collect();
    let [(name, attributes)] = &faults[..] else {
        panic!("{faults:?}");
    };
    let value = |wanted: &str| {
        let found = attributes.iter().find(|(name, _)| name == wanted);
        found.map(|(_, value)| value.as_str())
    };
    assert_eq!((name.as_str(), value("preload")), ("audio", Some("none")));
    assert!(value("src").is_some_and(|src| src.starts_with("https://evil.example/1.mp3?")));
    let policy = answer.header("content-security-policy").expect("one");
    assert!(
        policy.contains("default-src 'none'") && policy.ends_with("; media-src https:"),
        "{policy}"
    );
}

#[test]
fn feeds_and_files_are_of_no_origin_that_can_do_anything() {
    let hosted = Hosted::new();
    let server = &hosted.server;
    let list = server.own("/archive").text();
    for ending in ["atom", "rss", "json"] {
        let (before, _) = list.split_once(&format!(".{ending}\"")).expect("a feed");
        let id = before.rsplit("href=\"").next().expect("an address");
        let served = server.own(&format!("/{id}.{ending}"));
        let parsed = forest_core::feed::parse(&served.body, None, None).expect("a feed");
        let contents = parsed
            .items
            .iter()
            .filter_map(|item| item.content.as_deref());
        let contents: Vec<&str> = contents.collect();
        assert!(
            contents.iter().any(|text| text.contains("ferry")),
            "{ending}"
        );
        contents
            .iter()
            .for_each(|content| check_content(ending, content));
    }
    for ending in ["html", "md", "txt", "json"] {
        let file = server.own(&format!("{}/export?format={ending}", hosted.entries[0]));
        let policy = file.header("content-security-policy").expect("one");
        assert!(
            policy.starts_with("sandbox; default-src 'none'"),
            "{policy}"
        );
        assert!(
            file.header("content-disposition")
                .is_some_and(|how| how.starts_with("attachment"))
        );
    }
    let archived = server.own(&format!("{}/page", hosted.entries[0]));
    let policy = archived.header("content-security-policy").expect("one");
    assert!(policy.starts_with("sandbox; default-src 'none'; style-src 'unsafe-inline'"));
}

#[test]
fn apps_and_book_lists_get_texts_that_run_nothing() {
    let hosted = Hosted::new();
    let server = &hosted.server;
    let app = App::new(server);
    let all = "user/-/state/com.google/reading-list";
    let answer = app.get(&format!("api/0/stream/contents/{all}?n=20"));
    let found: serde_json::Value = serde_json::from_slice(&answer.body).expect("JSON");
    let items = found["items"].as_array().expect("a list");
    assert!(!items.is_empty(), "{found}");
    for item in items {
        check_content("an app", item["summary"]["content"].as_str().expect("HTML"));
    }
    for path in [
        "/opds".to_owned(),
        format!("/opds/list?feed={}", hosted.coded()),
    ] {
        let answer = server.own(&path);
        assert_eq!(answer.status, 200, "{path}");
        assert!(!answer.text().contains("<script"), "{path}");
        forest_core::feed::parse(&answer.body, None, None).expect("a feed");
    }
}
