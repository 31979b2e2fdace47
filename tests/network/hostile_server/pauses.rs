//! Servers with absurd `Retry-After`, validators and other headers.

use std::time::Duration;

use forest_fetch::{Resource, VisitRequest};

use crate::hostile_server::server::Server;
use crate::hostile_server::{fetcher, page, quick, visit};

const DAY: u64 = 24 * 3600;

/// The result of each `Retry-After`: seconds, and the requests of one visit.
const KINDS: [(&str, Option<u64>, usize); 24] = [
    // At most a minute is waited; 0 is no pause.
    ("0", Some(0), 3),
    ("00", Some(0), 3),
    ("61", Some(61), 1),
    ("  3600  ", Some(3600), 1),
    ("86400", Some(DAY), 1),
    // Absurd: a day.
    ("86401", Some(DAY), 1),
    ("4294967296", Some(DAY), 1),
    ("18446744073709551616", Some(DAY), 1),
    ("99999999999999999999999999999999999999999999", Some(DAY), 1),
    ("Fri, 31 Dec 9999 23:59:59 GMT", Some(DAY), 1),
    ("Friday, 31-Dec-66 23:59:59 GMT", Some(DAY), 1),
    ("Fri Dec 31 23:59:59 2466", Some(DAY), 1),
    // Past: now.
    ("Sun, 06 Nov 1994 08:49:37 GMT", Some(0), 3),
    ("Sunday, 06-Nov-94 08:49:37 GMT", Some(0), 3),
    ("Sun Nov  6 08:49:37 1994", Some(0), 3),
    ("Thu, 01 Jan 1970 00:00:00 GMT", Some(0), 3),
    // No valid value.
    ("-1", None, 3),
    ("-99999999999999999999", None, 3),
    ("1.5", None, 3),
    ("1e9", None, 3),
    ("soon", None, 3),
    ("", None, 3),
    ("120, 60", None, 3),
    ("Sun, 99 Nov 1994 08:49:37 GMT", None, 3),
];

#[test]
fn every_kind_of_retry_after_is_read_or_left() {
    for status in [429, 503] {
        for (value, seconds, requests) in KINDS {
            let server = Server::new(move |mut peer| async move {
                peer.answer(status, &[("Retry-After", value)], b"later")
                    .await;
            });
            let visited = visit(quick(), &server.url("/")).expect("an answer");
            assert_eq!(
                (visited.status, &*visited.body),
                (status, &b"later"[..]),
                "{value:?}"
            );
            let wait = visited.retry_after.map(|wait| wait.as_secs());
            assert_eq!(wait, seconds, "{status} {value:?}");
            assert_eq!(server.requests(), requests, "{status} {value:?}");
        }
    }
}

#[test]
fn a_retry_after_of_an_hour_is_not_waited_for_and_holds_for_the_host() {
    let server = Server::new(|mut peer| async move {
        peer.answer(429, &[("Retry-After", "3600")], b"").await;
    });
    let other = Server::echo();
    let fetcher = fetcher(quick(), &[&server.url("/"), &other.url("/")]);
    let first = fetcher.visit(&page(&server.url("/"))).expect("an answer");
    assert_eq!(first.retry_after, Some(Duration::from_secs(3600)));
    let mut visits = fetcher.visits(4);
    for tag in 0..100 {
        visits.submit(tag, page(&server.url(&format!("/{tag}"))));
    }
    visits.submit(100, page(&other.url("/other")));
    let mut refused = 0;
    while let Some((tag, result)) = visits.next(None) {
        match tag {
            100 => assert_eq!(result.expect("a page").body, b"/other"),
            _ => refused += usize::from(result.is_err()),
        }
    }
    assert_eq!((refused, server.requests()), (100, 1));
}

#[test]
fn a_retry_after_with_a_success_is_reported_and_pauses_nothing() {
    let server = Server::new(|mut peer| async move {
        peer.answer(200, &[("Retry-After", "3600")], b"page").await;
    });
    let fetcher = fetcher(quick(), &[&server.url("/")]);
    for _ in 0..2 {
        let visited = fetcher.visit(&page(&server.url("/"))).expect("a page");
        assert_eq!(visited.retry_after, Some(Duration::from_secs(3600)));
    }
    assert_eq!(server.requests(), 2);
}

/// Every response has another `ETag`, so no condition is ever true.
#[test]
fn an_etag_that_flaps_costs_the_page_each_time() {
    let server = Server::new(|mut peer| async move {
        let etag = format!("\"{}\"", peer.nth);
        let fits = peer.head.contains(&format!("if-none-match: {etag}\r\n"));
        match fits {
            true => peer.answer(304, &[("ETag", &etag)], b"").await,
            false => peer.answer(200, &[("ETag", &etag)], b"the same page").await,
        };
    });
    let dir = tempfile::tempdir().expect("a folder");
    let fetcher = fetcher(quick().with_cache_dir(dir.path()), &[&server.url("/")]);
    let mut etags = vec![None];
    for nth in 0..5 {
        let visited = fetcher.visit(&VisitRequest {
            etag: etags[nth].clone(),
            ..page(&server.url("/"))
        });
        let visited = visited.expect("a page");
        assert_eq!(
            (visited.status, &*visited.body),
            (200, &b"the same page"[..])
        );
        etags.push(visited.etag);
    }
    let expected = (0..5).map(|nth| Some(format!("\"{nth}\"")));
    assert!(etags[1..].iter().cloned().eq(expected), "{etags:?}");
    for _ in 0..3 {
        let page = fetcher
            .get(&server.url("/"), Resource::Page)
            .expect("a page");
        assert_eq!(
            (&*page.body, page.from_cache),
            (&b"the same page"[..], false)
        );
    }
    // The counterpart: a condition that is true.
    let visited = fetcher.visit(&VisitRequest {
        etag: Some("\"8\"".to_owned()),
        ..page(&server.url("/"))
    });
    assert_eq!(visited.expect("an answer").status, 304);
}

#[test]
fn an_etag_as_long_as_a_head_is_left_and_one_with_odd_bytes_does_no_harm() {
    let server = Server::new(|mut peer| async move {
        let etag = match peer.path.as_str() {
            "/long" => format!("\"{}\"", "e".repeat(50_000)),
            _ => "\"\u{e9}\u{202e}\"".to_owned(),
        };
        peer.answer(200, &[("ETag", &etag)], b"page").await;
    });
    let long = visit(quick(), &server.url("/long")).expect("a page");
    assert_eq!((long.etag, &*long.body), (None, &b"page"[..]));
    let odd = visit(quick(), &server.url("/odd")).expect("a page");
    let again = VisitRequest {
        etag: odd.etag,
        ..page(&server.url("/odd"))
    };
    let again = fetcher(quick(), &[&server.url("/")]).visit(&again);
    assert_eq!(again.expect("a page").status, 200);
}
