//! robots.txt.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};

use forest_fetch::{Exchange, FetchWarning, Resource, RobotsMemory, Why};

use crate::fetch::site::{Answer, Site, answer, html, redirect, status, typed};
use crate::fetch::{fetcher, get, quick, reason, why};

/// A site with this robots.txt, whose pages are all "page".
fn with_robots(robots: impl Fn() -> Answer + Send + Sync + 'static) -> Site {
    Site::new(move |seen| match seen.path.as_str() {
        "/robots.txt" => robots(),
        _ => html("page"),
    })
}

fn text(robots: &'static str) -> Site {
    with_robots(move || answer(200, &[("content-type", "text/plain")], robots))
}

fn check(site: &Site, path: &str, expected: Option<Why>) {
    let result = get(quick(), &site.url(path));
    match expected {
        None => assert_eq!(result.expect(path).body, b"page"),
        Some(why) => {
            assert_eq!(reason(result), why, "{path}");
            assert_eq!(site.paths(), Vec::<String>::new(), "the page was asked for");
        }
    }
}

#[test]
fn disallowed_paths_are_not_requested() {
    let site = text("User-agent: *\nDisallow: /private\nDisallow: /*?print=\n");
    check(&site, "/private/x", Some(Why::Robots));
    check(&site, "/page?print=1", Some(Why::Robots));
    check(&site, "/page", None);
}

#[test]
fn the_group_named_forest_counts_before_the_one_for_all() {
    let site = text("User-agent: Forest\nAllow: /\n\nUser-agent: *\nDisallow: /\n");
    check(&site, "/x", None);
    let site = text("User-agent: forest\nDisallow: /x\n\nUser-agent: *\nAllow: /\n");
    check(&site, "/x", Some(Why::Robots));
    check(&text("User-agent: forester\nDisallow: /\n"), "/x", None);
}

#[test]
fn no_robots_txt_opens_everything_and_a_failing_one_closes_it() {
    for code in [400, 401, 403, 404, 410, 429] {
        check(&with_robots(move || status(code)), "/x", None);
    }
    for code in [500, 502, 503, 599] {
        check(
            &with_robots(move || status(code)),
            "/x",
            Some(Why::RobotsUnreachable(code)),
        );
    }
    check(&text(""), "/x", None);
    check(
        &with_robots(|| answer(200, &[], vec![0xff; 5000])),
        "/x",
        None,
    );
}

#[test]
fn a_busy_robots_txt_is_requested_again() {
    let site = Site::new(|seen| match (seen.path.as_str(), seen.nth) {
        ("/robots.txt", 0) => status(503),
        ("/robots.txt", _) => answer(200, &[], "User-agent: *\nDisallow: /x"),
        _ => html("page"),
    });
    check(&site, "/x", Some(Why::Robots));
}

#[test]
fn robots_txt_is_followed_through_five_redirects() {
    let chain = |length: usize| {
        Site::new(move |seen| match seen.path.as_str() {
            "/robots.txt" => redirect("/r/1"),
            path => match path
                .strip_prefix("/r/")
                .and_then(|n| n.parse::<usize>().ok())
            {
                Some(n) if n == length => answer(200, &[], "User-agent: *\nDisallow: /x"),
                Some(n) => redirect(&format!("/r/{}", n + 1)),
                None => html("page"),
            },
        })
    };
    assert_eq!(why(quick(), &chain(5).url("/x")), Why::Robots);
    assert!(get(quick(), &chain(6).url("/x")).is_ok());
}

#[test]
fn a_robots_txt_redirected_to_a_private_address_closes_the_site() {
    let site = with_robots(|| redirect("http://169.254.169.254/robots.txt"));
    check(&site, "/x", Some(Why::RobotsUnreachable(302)));
}

#[test]
fn rules_behind_500_kib_are_not_read() {
    let long = |lines: usize| {
        with_robots(move || {
            let mut robots = "User-agent: *\n".to_owned();
            robots.push_str(&"# 0123456789\n".repeat(lines));
            robots.push_str("Disallow: /\n");
            answer(200, &[], robots)
        })
    };
    check(&long(39_000), "/x", Some(Why::Robots));
    check(&long(40_000), "/x", None);
    check(&long(400_000), "/x", None);
}

#[test]
fn robots_txt_is_fetched_once_for_each_host() {
    let (one, other) = (text("User-agent: *\nDisallow: /no"), text(""));
    let fetcher = fetcher(quick());
    typed(&fetcher, &[&one.url("/"), &other.url("/")]);
    for path in ["/a", "/no", "/b"] {
        let _ = fetcher.get(&one.url(path), Resource::Page);
    }
    fetcher
        .get(&other.url("/no"), Resource::Page)
        .expect("other rules");
    let robots_requests = |site: &Site| site.seen().len() - site.paths().len();
    assert_eq!((robots_requests(&one), robots_requests(&other)), (1, 1));
    assert_eq!(one.paths(), ["/a", "/b"]);
}

#[test]
fn redirects_into_closed_paths_are_refused() {
    let site = Site::new(|seen| match seen.path.as_str() {
        "/robots.txt" => answer(200, &[], "User-agent: *\nDisallow: /closed"),
        "/open" => redirect("/closed"),
        _ => html("page"),
    });
    assert_eq!(why(quick(), &site.url("/open")), Why::Robots);
    assert_eq!(site.paths(), ["/open"]);
}

#[test]
fn crawl_delay_is_obeyed_and_a_very_long_one_is_cut() {
    let site = text("User-agent: *\nCrawl-delay: 0.05\n");
    let fetcher = fetcher(quick().with_delay(Duration::from_millis(1)));
    fetcher.allow(&site.url("/"));
    let start = Instant::now();
    for path in ["/a", "/b", "/c"] {
        let page = fetcher.get(&site.url(path), Resource::Page).expect(path);
        assert_eq!(page.warnings, []);
    }
    assert!(start.elapsed() >= Duration::from_millis(100));

    let page = get(quick(), &text("User-agent: *\nCrawl-delay: 900\n").url("/")).expect("a page");
    let requested = Duration::from_secs(900);
    assert_eq!(page.warnings, [FetchWarning::CrawlDelay { requested }]);
    let text = page.warnings[0].to_string();
    assert!(text.contains("900 s") && text.contains("300 s"), "{text}");
}

/// A memory of robots.txt: texts by origin, their age, and the answers.
#[derive(Debug, Default)]
struct Memory {
    texts: Mutex<HashMap<String, Vec<u8>>>,
    age: Mutex<Duration>,
    /// The paths that were asked for, and the bodies of the answers.
    received: Mutex<Vec<(String, String)>>,
}

impl RobotsMemory for Memory {
    fn recall(&self, origin: &str) -> Option<(Duration, Vec<u8>)> {
        let text = self
            .texts
            .lock()
            .expect("not poisoned")
            .get(origin)
            .cloned()?;
        Some((*self.age.lock().expect("not poisoned"), text))
    }

    fn keep(&self, origin: &str, text: &[u8]) {
        let mut texts = self.texts.lock().expect("not poisoned");
        texts.insert(origin.to_owned(), text.to_vec());
    }

    fn received(&self, exchange: Exchange) {
        let body = String::from_utf8(exchange.body).expect("UTF-8");
        let mut received = self.received.lock().expect("not poisoned");
        received.push((exchange.url.path().to_owned(), body));
    }
}

fn robots_request_count(site: &Site) -> usize {
    let seen = site.seen();
    seen.iter()
        .filter(|seen| seen.path == "/robots.txt")
        .count()
}

/// Fetches pages, each with a new fetcher that has this memory; returns the number of requests
/// for robots.txt.
fn with_memory(site: &Site, memory: &Arc<Memory>, pages: [(&str, bool); 2]) -> usize {
    let before = robots_request_count(site);
    for (path, is_open) in pages {
        let fetcher = fetcher(quick());
        let memory: Weak<Memory> = Arc::downgrade(memory);
        fetcher.remember(memory);
        let url = site.url(path);
        fetcher.allow(&url);
        let got = fetcher.get(&url, Resource::Page);
        match is_open {
            true => assert_eq!(got.expect(path).body, b"page"),
            false => assert_eq!(reason(got), Why::Robots, "{path}"),
        }
    }
    robots_request_count(site) - before
}

#[test]
fn a_stored_robots_txt_is_obeyed_and_requested_after_a_day() {
    let site = text("User-agent: *\nDisallow: /x\n");
    let memory = Arc::new(Memory::default());
    let pages = [("/x", false), ("/y", true)];
    assert_eq!(with_memory(&site, &memory, pages), 1);
    let day = Duration::from_secs(24 * 3600);
    *memory.age.lock().expect("not poisoned") = day - Duration::from_secs(1);
    assert_eq!(with_memory(&site, &memory, pages), 0);
    *memory.age.lock().expect("not poisoned") = day;
    assert_eq!(with_memory(&site, &memory, pages), 2);
}

#[test]
fn that_there_is_no_robots_txt_is_remembered_and_that_it_fails_is_not() {
    let pages = [("/x", true), ("/y", true)];
    let memory = Arc::new(Memory::default());
    let none = with_robots(|| status(404));
    assert_eq!(with_memory(&none, &memory, pages), 1);
    for code in [429, 503] {
        let memory = Arc::new(Memory::default());
        let busy = with_robots(move || status(code));
        let url = busy.url("/x");
        let fetcher = fetcher(quick());
        let weak: Weak<Memory> = Arc::downgrade(&memory);
        fetcher.remember(weak);
        fetcher.allow(&url);
        let _ = fetcher.get(&url, Resource::Page);
        assert!(
            memory.texts.lock().expect("not poisoned").is_empty(),
            "{code}"
        );
    }
}

#[test]
fn each_answer_for_a_robots_txt_is_given_to_the_memory() {
    let site = Site::new(|seen| match seen.path.as_str() {
        "/robots.txt" => redirect("/a"),
        "/a" => redirect("/b"),
        "/b" => answer(503, &[], "busy"),
        _ => html("page"),
    });
    let memory = Arc::new(Memory::default());
    let fetcher = fetcher(quick());
    let weak: Weak<Memory> = Arc::downgrade(&memory);
    fetcher.remember(weak);
    fetcher.allow(&site.url("/x"));
    let got = fetcher.get(&site.url("/x"), Resource::Page);
    assert!(matches!(reason(got), Why::RobotsUnreachable(_)));
    let received = memory.received.lock().expect("not poisoned").clone();
    let paths: Vec<&str> = received.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(paths, ["/robots.txt", "/a", "/b"]);
    assert_eq!(received[2].1, "busy");
}
