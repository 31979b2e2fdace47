//! The record of a page for programs.

use super::{Answer, Running, options};
use crate::hostile_server::server::Server as Origin;
use crate::story::paragraphs;
use forest_core::Result;
use forest_core::wrapper::Wrapper;
use forest_fetch::FetchOptions;
use forest_serve::{FilterPages, ServeOptions, WrapperSource};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

/// A page whose article has a note that a wrapper can leave out.
pub fn story(n: usize) -> String {
    let mut body = String::new();
    for paragraph in paragraphs("", n) {
        body.push_str(&format!("<p>{paragraph}</p>"));
    }
    format!(
        "<!DOCTYPE html><html lang=en><meta charset=utf-8><title>Story {n}</title><body>\
         <ul class=menu><li><a href=/>Home</a><li><a href=/sport>Sport</a></ul>\
         <h1>Story {n}</h1><div class=story>{body}<p class=note>The keeper asks for your support \
         of the lighthouse and of its cat, which he has had for seven years now.</p></div>"
    )
}

/// Pages `/story/<n>`, a picture, and an end of a redirect.
pub fn origin() -> Origin {
    Origin::new(|mut peer| async move {
        let number = peer.path.strip_prefix("/story/").map(str::parse::<usize>);
        let html = ("Content-Type", "text/html; charset=utf-8");
        match (number, peer.path.as_str()) {
            (Some(Ok(n)), _) => peer.answer(200, &[html], story(n).as_bytes()).await,
            (_, "/picture") => {
                peer.answer(200, &[("Content-Type", "image/png")], b"x")
                    .await
            }
            (_, "/away") => {
                let away = ("Location", "http://169.254.169.254/latest/");
                peer.answer(302, &[away], b"").await
            }
            _ => peer.answer(404, &[html], b"none").await,
        };
    })
}

/// A wrapper for all hosts of loopback.
#[derive(Debug)]
struct OneWrapper(&'static str);

impl WrapperSource for OneWrapper {
    fn wrapper(&self, name: &str) -> Result<Option<Wrapper>> {
        let is_ours = name.starts_with("127.0.0.1");
        let read = || Wrapper::from_yaml(self.0).map(|file| file.wrapper);
        is_ours.then(read).transpose()
    }
}

pub fn serving(options: ServeOptions) -> Running {
    let fetching = FetchOptions::default().with_delay(Duration::ZERO);
    let pages = FilterPages::new(options.with_fetching(fetching.with_retries(0))).expect("pages");
    Running::of(&pages, FilterPages::server)
}

fn json_of(answer: &Answer, status: u16) -> Value {
    assert_eq!(answer.status, status, "{}", answer.text());
    assert_eq!(answer.header("content-type"), Some("application/json"));
    serde_json::from_slice(&answer.body).expect("JSON")
}

fn extract(server: &Running, url: &str, status: u16) -> Value {
    json_of(&server.own(&format!("/extract?url={url}")), status)
}

fn post(server: &Running, path: &str, headers: &[&str], body: &[u8]) -> Answer {
    let host = format!("Host: {}", server.address);
    let headers = [&[host.as_str()], headers].concat();
    server.ask_with(&format!("POST {path}"), &headers, body)
}

const HTML: &str = "Content-Type: text/html; charset=utf-8";
const JSON: &str = "Content-Type: application/json";

#[test]
fn an_address_gives_its_article() {
    let (origin, server) = (origin(), serving(options()));
    let url = origin.url("/story/1").to_string();
    let record = extract(&server, &url, 200);
    assert_eq!(record["title"], "Story 1");
    assert_eq!(record["fetched_url"], url);
    assert_eq!(record["status"], "ok");
    let text = record["text"].as_str().expect("a text");
    assert!(text.contains("part5 of story1") && !text.contains("Sport"));
    let html = record["html"].as_str().expect("HTML");
    assert!(html.contains("<p>"), "{html}");
    assert!(record["wrapper"].is_null());
}

#[test]
fn the_wrapper_of_the_site_is_used_if_there_is_one() {
    const YAML: &str = "format: 1\nsite: 127.0.0.1\nlearned: 2026-01-02T03:04:05Z\ntemplates:\n\
        - body: [\"//div[@class='story']\"]\n  strip: [\"//p[@class='note']\"]\n";
    let origin = origin();
    let url = origin.url("/story/1").to_string();
    let server = serving(options().with_wrappers(Arc::new(OneWrapper(YAML))));
    let record = extract(&server, &url, 200);
    let text = record["text"].as_str().expect("a text");
    assert!(text.contains("part5") && !text.contains("cat"), "{text}");
    assert!(!record["wrapper"].is_null());
    let broken = serving(options().with_wrappers(Arc::new(OneWrapper("nonsense: 1"))));
    let fault = extract(&broken, &url, 500);
    assert!(fault["error"].as_str().expect("why").contains("wrapper"));
}

#[test]
fn html_can_be_sent() {
    let server = serving(options());
    let page = story(2);
    let at = "/extract?url=https://a.example/x";
    let by_body = json_of(&post(&server, at, &[HTML], page.as_bytes()), 200);
    let sent = json!({ "url": "https://a.example/x", "html": page }).to_string();
    let by_json = json_of(&post(&server, "/extract", &[JSON], sent.as_bytes()), 200);
    for record in [&by_body, &by_json] {
        assert_eq!(record["title"], "Story 2");
        assert_eq!(record["site"], "a.example");
    }
    assert_eq!(by_body["text"], by_json["text"]);
    // Without an address, too.
    let nameless = json_of(&post(&server, "/extract", &[HTML], page.as_bytes()), 200);
    assert_eq!(nameless["text"], by_body["text"]);
    // A page without an article has a record that says so.
    let nothing = post(
        &server,
        "/extract",
        &[HTML],
        b"<title>404 Not Found</title>",
    );
    assert_eq!(json_of(&nothing, 200)["status"], "empty");
}

#[test]
fn faults_are_json_with_their_status() {
    let (origin, server) = (origin(), serving(options()));
    let check = |answer: &Answer, status: u16, part: &str| {
        let fault = json_of(answer, status);
        let why = fault["error"].as_str().expect("why");
        assert!(why.contains(part), "{why}");
    };
    let get = |query: &str| server.own(&format!("/extract{query}"));
    check(&get(""), 400, "url is missing");
    check(
        &get("?url=javascript:alert(1)"),
        400,
        "https://example.org/",
    );
    check(&get("?url=file:///etc/passwd"), 400, "https://example.org/");
    check(&get(&format!("?url={}", origin.url("/none"))), 502, "404");
    check(
        &get(&format!("?url={}", origin.url("/picture"))),
        502,
        "image/png",
    );
    check(
        &get(&format!("?url={}", origin.url("/away"))),
        403,
        "169.254.169.254",
    );
    let send = |headers: &[&str], body: &[u8]| post(&server, "/extract", headers, body);
    check(&send(&[JSON], b"{"), 400, "JSON");
    check(&send(&[JSON], b"{}"), 400, "url or html");
    check(&send(&["Content-Type: image/png"], b"x"), 415, "text/html");
    check(&send(&[HTML], &vec![b'x'; 20_000_001]), 413, "20000000");
}

#[test]
fn private_addresses_are_not_fetched_unless_that_is_allowed() {
    let origin = origin();
    let server = serving(options().with_allow_private(false));
    let url = origin.url("/story/1").to_string();
    let fault = extract(&server, &url, 403);
    assert!(fault["error"].as_str().expect("why").contains("127.0.0.1"));
    let sent = json!({ "url": url }).to_string();
    let posted = post(&server, "/extract", &[JSON], sent.as_bytes());
    json_of(&posted, 403);
    assert_eq!(origin.accepted(), 0);
}

#[test]
fn a_page_of_another_site_extracts_nothing() {
    let (origin, server) = (origin(), serving(options()));
    let page = story(1);
    for foreign in [
        "Origin: http://evil.example",
        "Origin: null",
        "Sec-Fetch-Site: cross-site",
    ] {
        let answer = post(&server, "/extract", &[HTML, foreign], page.as_bytes());
        assert_eq!(answer.status, 403, "{foreign}");
    }
    let own = format!("Origin: http://{}", server.address);
    let answer = post(&server, "/extract", &[HTML, &own], page.as_bytes());
    assert_eq!(answer.status, 200);
    let line = format!("GET /extract?url={}", origin.url("/story/1"));
    let host = format!("Host: {}", server.address);
    let foreign = "Sec-Fetch-Site: cross-site";
    let status = |more: &[&str]| server.ask(&line, &[&[host.as_str()], more].concat()).status;
    assert_eq!(status(&[foreign, "Sec-Fetch-Mode: no-cors"]), 403);
    assert_eq!(origin.requests(), 0);
    // A bookmark at a page of another site.
    assert_eq!(status(&[foreign, "Sec-Fetch-Mode: navigate"]), 200);
}

#[test]
fn a_server_that_does_not_answer_is_given_up() {
    let origin = Origin::new(|mut peer| async move { peer.stall().await });
    let fetching = FetchOptions::default().with_timeout(Duration::from_millis(100));
    let options = options().with_fetching(fetching.with_retries(0));
    let pages = FilterPages::new(options).expect("pages");
    let server = Running::of(&pages, FilterPages::server);
    extract(&server, origin.url("/").as_str(), 504);
}
