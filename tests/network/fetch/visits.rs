//! Visits on behalf of an archive.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use forest_fetch::Result;
use forest_fetch::{FetchWarning, Hop, Resource, Truncation, VisitRequest, Visited, Why};
use url::Url;

use crate::fetch::site::{End, Raw, Site, answer, html, redirect, status, typed};
use crate::fetch::{fetcher, quick};

fn page(url: &Url) -> VisitRequest {
    VisitRequest::new(url.clone(), Resource::Page)
}

/// Visits a URL that the user typed.
fn visit(visit: &VisitRequest) -> Visited {
    let fetcher = fetcher(quick());
    fetcher.allow(&visit.url);
    fetcher.visit(visit).expect("an answer")
}

fn why(result: Result<Visited>) -> Why {
    let error = result.expect_err("a failure");
    error.fetch_failure().expect("of the fetch").why().clone()
}

#[test]
fn the_time_of_a_visit_is_that_of_its_exchange() {
    let delay = Duration::from_millis(400);
    let site = Site::new(|seen| match seen.path.as_str() {
        "/robots.txt" => status(404),
        _ => html("<p>page"),
    });
    let fetcher = fetcher(quick().with_delay(delay));
    fetcher.allow(&site.url("/"));
    let begun = Instant::now();
    fetcher.visit(&page(&site.url("/a"))).expect("an answer");
    let second = fetcher.visit(&page(&site.url("/b"))).expect("an answer");
    // It began one delay after the first, however slow the machine is.
    assert!(second.took > Duration::ZERO && second.took + delay <= begun.elapsed());
}

#[test]
fn a_visit_gives_what_an_archive_keeps() {
    let site = Site::new(|seen| match seen.path.as_str() {
        "/robots.txt" => status(404),
        _ => answer(
            200,
            &[
                ("content-type", "text/html"),
                ("etag", "W/\"1\""),
                ("last-modified", "Sun, 06 Nov 1994 08:49:37 GMT"),
                ("date", "Sun, 06 Nov 1994 08:49:38 GMT"),
                ("cache-control", "max-age=60"),
                ("set-cookie", "session=secret"),
            ],
            "<p>page</p>",
        ),
    });
    let mut url = site.url("/a?b=1#part");
    url.set_username("user").expect("a host");
    url.set_password(Some("hunter2")).expect("a host");
    let visited = visit(&page(&url));
    assert_eq!(visited.requested, site.url("/a?b=1"));
    assert_eq!(visited.url, visited.requested);
    assert_eq!((visited.status, visited.hops.len()), (200, 0));
    assert_eq!(visited.body, b"<p>page</p>");
    assert_eq!(visited.content_type.as_deref(), Some("text/html"));
    assert_eq!(visited.etag.as_deref(), Some("W/\"1\""));
    let modified = visited.last_modified.as_deref();
    assert_eq!(modified, Some("Sun, 06 Nov 1994 08:49:37 GMT"));
    assert_eq!(visited.max_age, Some(Duration::from_secs(60)));
    assert_eq!(visited.retry_after, None);
    assert_eq!(visited.date.map(|date| date.timestamp()), Some(784_111_778));
    assert_eq!(visited.address, Some([127, 0, 0, 1].into()));
    let request = String::from_utf8(visited.request_head.clone()).expect("ASCII");
    let start = format!("GET /a?b=1 HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n", site.port());
    assert!(request.starts_with(&start), "{request}");
    assert!(request.ends_with("\r\n\r\n"), "{request}");
    let response = String::from_utf8(visited.response_head.clone()).expect("ASCII");
    assert!(response.starts_with("HTTP/1.1 200 OK\r\n"), "{response}");
    assert!(
        response.contains("\r\ncontent-length: 11\r\n"),
        "{response}"
    );
    assert!(response.ends_with("\r\n\r\n"), "{response}");
    let all = format!("{visited:?}{request}{response}");
    for secret in ["hunter2", "dXNlcjpodW50ZXIy", "secret"] {
        assert!(!all.contains(secret), "{secret}: {all}");
    }
}

#[test]
fn a_request_head_is_what_was_sent() {
    let site = Site::pages([("/", "page")]);
    let fetcher = fetcher(
        quick()
            .with_header("Accept-Language", "el")
            .with_header("X-Api-Key", "secret")
            .with_header("Cookie", "secret=1"),
    );
    fetcher.allow(&site.url("/"));
    let visit = VisitRequest {
        etag: Some("\"1\"".to_owned()),
        last_modified: Some("Sun, 06 Nov 1994 08:49:37 GMT".to_owned()),
        ..page(&site.url("/"))
    };
    let visited = fetcher.visit(&visit).expect("an answer");
    let head = String::from_utf8(visited.request_head).expect("ASCII");
    let mut kept: Vec<&str> = head
        .lines()
        .skip(2)
        .take_while(|line| !line.is_empty())
        .collect();
    kept.sort_unstable();
    let seen = site.seen();
    let sent = &seen.last().expect("a request").headers;
    let hidden = ["host", "cookie", "x-api-key"];
    assert!(
        hidden.iter().all(|name| sent.contains_key(*name)),
        "all are sent"
    );
    let mut lines: Vec<String> = sent
        .iter()
        .filter(|(name, _)| !hidden.contains(&name.as_str()))
        .map(|(name, value)| format!("{name}: {}", value.to_str().expect("ASCII")))
        .collect();
    lines.sort_unstable();
    assert_eq!(kept, lines);
    assert_eq!(sent.get("if-none-match").expect("a condition"), "\"1\"");
    assert!(sent.contains_key("if-modified-since"));
}

#[test]
fn every_status_is_a_result() {
    for code in [
        204, 300, 301, 304, 400, 401, 404, 410, 418, 451, 500, 501, 799,
    ] {
        let site = Site::new(move |seen| match seen.path.as_str() {
            "/robots.txt" => status(404),
            _ => answer(code, &[], if code == 204 { "" } else { "words" }),
        });
        let visited = visit(&page(&site.url("/")));
        let bytes = if matches!(code, 204 | 304) { 0 } else { 5 };
        assert_eq!((visited.status, visited.body.len()), (code, bytes));
        let head = String::from_utf8(visited.response_head).expect("ASCII");
        assert!(head.starts_with(&format!("HTTP/1.1 {code} ")), "{head}");
        let length = format!("\r\ncontent-length: {bytes}\r\n");
        assert!(head.contains(&length), "{head}");
    }
}

#[test]
fn a_304_is_about_the_url_that_gave_the_validators() {
    let site = Site::new(|seen| match seen.path.as_str() {
        "/robots.txt" => status(404),
        "/old" => redirect("/feed"),
        _ if seen.header("if-none-match") == Some("\"1\"") => answer(304, &[("etag", "\"1\"")], ""),
        _ => answer(200, &[("etag", "\"1\"")], "feed"),
    });
    let first = visit(&page(&site.url("/old")));
    assert_eq!((first.status, &*first.body), (200, &b"feed"[..]));
    assert_eq!(first.url, site.url("/feed"));
    let again = VisitRequest {
        etag: first.etag,
        ..page(&site.url("/old"))
    };
    let second = visit(&again);
    assert_eq!((second.status, second.body.len()), (304, 0));
    assert_eq!(second.url, first.url);
}

#[test]
fn redirects_tell_whether_they_stay() {
    let other = Site::pages([("/end", "end")]);
    let end = other.url("/end");
    let site = Site::new(move |seen| match seen.path.as_str() {
        "/1" => answer(301, &[("location", "/2")], ""),
        "/2" => answer(302, &[("location", "/3")], ""),
        "/3" => answer(307, &[("location", "/4")], ""),
        "/4" => answer(308, &[("location", end.as_str())], ""),
        _ => status(404),
    });
    let fetcher = fetcher(quick());
    typed(&fetcher, &[&site.url("/"), &other.url("/")]);
    let visited = fetcher.visit(&page(&site.url("/1"))).expect("an answer");
    let statuses: Vec<u16> = visited.hops.iter().map(|hop| hop.status).collect();
    assert_eq!(statuses, [301, 302, 307, 308]);
    let stay: Vec<bool> = visited.hops.iter().map(Hop::is_permanent).collect();
    assert_eq!(stay, [true, false, false, true]);
    assert_eq!(visited.hops[3].to, other.url("/end"));
    assert_eq!(
        (visited.url, visited.body),
        (other.url("/end"), b"end".to_vec())
    );
    let host = format!("Host: 127.0.0.1:{}\r\n", other.port());
    assert!(String::from_utf8_lossy(&visited.request_head).contains(&host));
}

#[test]
fn a_server_that_wants_a_long_pause_gets_it_and_the_visit_reports_it() {
    let site = Site::new(|seen| match seen.path.as_str() {
        "/robots.txt" => status(404),
        _ => answer(503, &[("retry-after", "9999999999")], "later"),
    });
    let fetcher = fetcher(quick());
    fetcher.allow(&site.url("/"));
    let visited = fetcher.visit(&page(&site.url("/x"))).expect("an answer");
    assert_eq!((visited.status, &*visited.body), (503, &b"later"[..]));
    assert_eq!(visited.retry_after, Some(Duration::from_secs(24 * 3600)));
    // There is no request to the host before.
    let other = why(fetcher.visit(&page(&site.url("/other"))));
    assert!(matches!(
        other,
        Why::Busy {
            status: 503,
            retry_after: Some(_)
        }
    ));
    let mut visits = fetcher.visits(1);
    visits.submit(1, page(&site.url("/third")));
    let (_, third) = visits.next(None).expect("a result");
    assert!(matches!(why(third), Why::Busy { status: 503, .. }));
    assert_eq!(site.paths(), ["/x"]);
}

#[test]
fn a_busy_server_is_requested_again_and_its_last_response_counts() {
    let site = Site::new(|seen| match (seen.path.as_str(), seen.nth) {
        ("/robots.txt", _) => status(404),
        ("/soon", 2) => html("at last"),
        _ => answer(429, &[("retry-after", "0")], ""),
    });
    assert_eq!(visit(&page(&site.url("/soon"))).body, b"at last");
    let visited = visit(&page(&site.url("/never")));
    assert_eq!(
        (visited.status, visited.retry_after),
        (429, Some(Duration::ZERO))
    );
    assert_eq!(site.paths().len(), 6);
}

#[test]
fn what_is_no_answer_is_an_error() {
    let site = Site::new(|seen| match seen.path.as_str() {
        "/robots.txt" => answer(200, &[], "User-agent: *\nDisallow: /closed"),
        "/round" => redirect("/round"),
        "/bad" => redirect("http://[/"),
        "/cloud" => redirect("http://169.254.169.254/"),
        _ => answer(200, &[], "x".repeat(1000)),
    });
    let check = |path: &str, expected: Why| {
        let fetcher = fetcher(quick().with_page_limit(999));
        fetcher.allow(&site.url("/"));
        assert_eq!(why(fetcher.visit(&page(&site.url(path)))), expected);
    };
    check("/closed", Why::Robots);
    check("/round", Why::Redirects(10));
    check("/bad", Why::Location("http://[/".to_owned()));
    check("/cloud", Why::PrivateAddress("169.254.169.254".to_owned()));
    check("/large", Why::TooLarge { limit: 999 });
}

#[test]
fn visits_do_not_touch_the_cache() {
    let dir = tempfile::tempdir().expect("a folder");
    let site = Site::new(|seen| match seen.path.as_str() {
        "/robots.txt" => status(404),
        _ => answer(200, &[("etag", "\"1\"")], "page"),
    });
    let fetcher = fetcher(quick().with_cache_dir(dir.path().join("cache")));
    fetcher.allow(&site.url("/"));
    for _ in 0..2 {
        let visited = fetcher.visit(&page(&site.url("/"))).expect("an answer");
        assert_eq!(visited.warnings, [] as [FetchWarning; 0]);
    }
    assert!(
        site.seen()
            .iter()
            .all(|seen| seen.header("if-none-match").is_none())
    );
    assert!(!dir.path().join("cache").exists());
}

/// A site whose pages contain their own path.
fn echo() -> Site {
    Site::new(|seen| match seen.path.as_str() {
        "/robots.txt" => status(404),
        path => answer(200, &[], path.to_owned()),
    })
}

#[test]
fn hosts_do_not_wait_for_each_other() {
    // It accepts requests and never responds.
    let slow = Raw::new(vec![(Vec::new(), End::Stall)]);
    let (one, other) = (echo(), echo());
    let fetcher = fetcher(quick().with_per_host(1));
    typed(&fetcher, &[&slow.url("/"), &one.url("/"), &other.url("/")]);
    let mut visits = fetcher.visits(4);
    for tag in 0..20 {
        visits.submit(tag, page(&slow.url("/never")));
    }
    for tag in 20..60 {
        let site = if tag % 2 == 0 { &one } else { &other };
        visits.submit(tag, page(&site.url(&format!("/{tag}"))));
    }
    let mut order = Vec::new();
    for _ in 0..40 {
        let (tag, visited) = visits.next(None).expect("a result");
        assert_eq!(
            visited.expect("an answer").body,
            format!("/{tag}").into_bytes()
        );
        order.push(tag);
    }
    // The requests to each host are in the order of submission.
    let of = |rest| order.iter().copied().filter(move |tag| tag % 2 == rest);
    assert!(
        of(0).eq((20..60).step_by(2)) && of(1).eq((21..60).step_by(2)),
        "{order:?}"
    );
    assert_eq!(visits.under_way(), 20);
    assert!(
        visits.next(Some(Duration::ZERO)).is_none(),
        "patience is over"
    );
    visits.cancel();
    assert!(
        visits.next(None).is_none(),
        "what was cut off has no result"
    );
    assert_eq!(visits.under_way(), 0);
    visits.submit(99, page(&one.url("/again")));
    let (tag, visited) = visits.next(None).expect("a result");
    assert_eq!(
        (tag, visited.expect("an answer").body),
        (99, b"/again".to_vec())
    );
}

#[test]
fn a_slow_caller_slows_the_fetching() {
    const WINDOW: usize = 3;
    let taken = Arc::new(AtomicUsize::new(0));
    let most = Arc::new(AtomicUsize::new(0));
    let (arrived, arrivals) = mpsc::channel();
    let site = {
        let (taken, most, started) = (Arc::clone(&taken), Arc::clone(&most), AtomicUsize::new(0));
        Site::new(move |seen| {
            if seen.path == "/robots.txt" {
                return status(404);
            }
            let started = started.fetch_add(1, Ordering::SeqCst) + 1;
            most.fetch_max(started - taken.load(Ordering::SeqCst), Ordering::SeqCst);
            let _ = arrived.send(());
            html("page")
        })
    };
    let fetcher = fetcher(quick().with_per_host(16));
    fetcher.allow(&site.url("/"));
    let mut visits = fetcher.visits(WINDOW);
    for tag in 0..30 {
        visits.submit(tag, page(&site.url("/")));
    }
    for _ in 0..WINDOW {
        arrivals.recv().expect("a request");
    }
    while let Some((_, visited)) = visits.next(None) {
        assert_eq!(visited.expect("an answer").status, 200);
        taken.fetch_add(1, Ordering::SeqCst);
    }
    assert_eq!(taken.load(Ordering::SeqCst), 30);
    // The next may start after the result is handed over and before it is counted.
    let most = most.load(Ordering::SeqCst);
    assert!((WINDOW..=WINDOW + 1).contains(&most), "{most}");
}

#[test]
fn visits_may_be_dropped_at_any_time() {
    let slow = Raw::new(vec![(Vec::new(), End::Stall)]);
    let fetcher = fetcher(quick());
    fetcher.allow(&slow.url("/"));
    let mut visits = fetcher.visits(4);
    visits.submit(1, page(&slow.url("/")));
    drop(visits);
    assert!(fetcher.visits(0).next(None).is_none());
}

/// The visit of a refusal that a server sends as these bytes.
fn refusal(bytes: &[u8], end: fn() -> End) -> Visited {
    let head = b"HTTP/1.1 403 Forbidden\r\n".to_vec();
    let raw = Raw::new(vec![([&head, bytes].concat(), end())]);
    let fetcher = fetcher(quick().with_idle_timeout(Duration::from_millis(200)));
    fetcher.allow(&raw.url("/x"));
    fetcher.visit(&page(&raw.url("/x"))).expect("an answer")
}

#[test]
fn the_body_of_a_failure_comes_as_far_as_it_can() {
    let check = |bytes: &[u8], end, body: &str, truncated| {
        let visited = refusal(bytes, end);
        let got = String::from_utf8(visited.body).expect("UTF-8");
        assert_eq!(
            (visited.status, &*got, visited.truncated),
            (403, body, truncated)
        );
        let head = String::from_utf8_lossy(&visited.response_head).into_owned();
        let length = format!("content-length: {}\r\n", body.len());
        assert!(head.contains(&length), "{head}");
    };
    let hang_up = || End::HangUp;
    let stall = || End::Stall;
    check(b"Content-Length: 2\r\n\r\nno", hang_up, "no", None);
    check(
        b"Content-Length: 9\r\n\r\nno",
        hang_up,
        "no",
        Some(Truncation::Disconnect),
    );
    check(
        b"Content-Length: 9\r\n\r\nno",
        stall,
        "no",
        Some(Truncation::Time),
    );
    let long = "no".repeat(40_000);
    let bytes = [b"Content-Length: 80000\r\n\r\n", long.as_bytes()].concat();
    check(&bytes, stall, &long[..1 << 16], Some(Truncation::Length));
}

#[test]
fn redirects_have_their_exchanges() {
    let site = Site::new(|seen| match seen.path.as_str() {
        "/1" => answer(301, &[("location", "/2?a")], "moved"),
        "/2?a" => answer(302, &[("location", "/3")], "found"),
        "/3" => answer(200, &[], "page"),
        _ => status(404),
    });
    let visited = visit(&page(&site.url("/1")));
    let exchanges = visited.hops.iter().map(|hop| hop.exchange.as_deref());
    let exchanges: Vec<_> = exchanges.map(|exchange| exchange.expect("kept")).collect();
    let facts = exchanges
        .iter()
        .map(|exchange| (exchange.url.clone(), &*exchange.body));
    let facts: Vec<_> = facts.collect();
    assert_eq!(
        facts,
        [
            (site.url("/1"), &b"moved"[..]),
            (site.url("/2?a"), b"found")
        ]
    );
    assert!(
        exchanges[1]
            .request_head
            .starts_with(b"GET /2?a HTTP/1.1\r\n")
    );
    assert!(
        exchanges[1]
            .response_head
            .starts_with(b"HTTP/1.1 302 Found\r\n")
    );
    // Nobody keeps those of a fetch.
    let fetcher = fetcher(quick());
    fetcher.allow(&site.url("/1"));
    assert_eq!(
        fetcher
            .get(&site.url("/1"), Resource::Page)
            .expect("a page")
            .redirects
            .len(),
        2
    );
}

#[test]
fn the_body_of_a_failure_is_left_where_nobody_wants_it() {
    let site = Site::new(|seen| match seen.path.as_str() {
        "/robots.txt" => status(404),
        "/empty" => answer(410, &[], ""),
        _ => answer(403, &[], "no"),
    });
    let visited = visit(&VisitRequest {
        with_failure: false,
        ..page(&site.url("/x"))
    });
    assert_eq!((visited.status, visited.body.len()), (403, 0));
    assert_eq!(visited.truncated, Some(Truncation::Unspecified));
    // Nothing is left out where there is nothing.
    let empty = visit(&VisitRequest {
        with_failure: false,
        ..page(&site.url("/empty"))
    });
    assert_eq!((empty.status, empty.truncated), (410, None));
}
