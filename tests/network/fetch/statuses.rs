//! The result for each kind of response.

use std::net::TcpListener;

use forest_fetch::{FetchOptions, Resource, Why};
use forest_html::error::ErrorClass;

use crate::alone;
use crate::fetch::site::{End, Raw, Site, answer, html, redirect, status, url};
use crate::fetch::{fetcher, get, quick, reason, why};

#[test]
fn a_page_has_its_url_type_and_date() {
    let site = Site::pages([("/a?b=1", "<p>page</p>")]);
    let page = get(quick(), &site.url("/a?b=1#part")).expect("a page");
    assert_eq!(page.body, b"<p>page</p>");
    assert_eq!(page.requested, site.url("/a?b=1"));
    assert_eq!(page.url, site.url("/a?b=1"));
    assert_eq!(page.redirects, []);
    assert_eq!(page.status, 200);
    assert_eq!(
        page.content_type.as_deref(),
        Some("text/html; charset=utf-8")
    );
    assert!(page.date.is_some(), "the server sends a Date");
    assert!(!page.from_cache);
    assert_eq!(page.warnings, []);
}

#[test]
fn requests_name_the_program_and_what_they_want() {
    let site = Site::new(|_| html(""));
    let at = site.url("/");
    let fetcher = fetcher(quick());
    fetcher.allow(&at);
    fetcher.get(&at, Resource::Page).expect("a page");
    fetcher.get(&at, Resource::Feed).expect("a feed");
    let seen = site.seen();
    assert_eq!(seen.len(), 3, "robots.txt and two");
    for request in &seen {
        assert_eq!(request.header("user-agent"), Some(FetchOptions::USER_AGENT));
        assert_eq!(request.header("referer"), None);
    }
    assert!(
        seen[1]
            .header("accept")
            .is_some_and(|accept| accept.starts_with("text/html,"))
    );
    assert!(
        seen[2]
            .header("accept")
            .is_some_and(|accept| accept.contains("atom+xml"))
    );
    get(quick().with_user_agent("other/1"), &at).expect("a page");
    assert_eq!(site.seen()[3].header("user-agent"), Some("other/1"));
}

#[test]
fn statuses_can_be_distinguished() {
    let check = |code: u16, expected: Why, requests: usize| {
        let site = Site::new(move |seen| match seen.path.as_str() {
            "/robots.txt" => status(404),
            _ => status(code),
        });
        assert_eq!(why(quick(), &site.url("/x")), expected, "{code}");
        assert_eq!(site.paths().len(), requests, "{code}");
    };
    let busy = |status| Why::Busy {
        status,
        retry_after: None,
    };
    check(404, Why::Gone(404), 1);
    check(410, Why::Gone(410), 1);
    check(401, Why::Status(401), 1);
    check(403, Why::Status(403), 1);
    check(500, Why::Status(500), 1);
    check(304, Why::Status(304), 1);
    check(429, busy(429), 3);
    check(502, busy(502), 3);
    check(503, busy(503), 3);
    check(504, busy(504), 3);
}

#[test]
fn a_busy_server_is_requested_again() {
    let site = Site::new(|seen| match (seen.path.as_str(), seen.nth) {
        ("/robots.txt", _) => status(404),
        (_, 0) => answer(429, &[("retry-after", "0")], ""),
        (_, 1) => answer(503, &[("retry-after", "Sun, 06 Nov 1994 08:49:37 GMT")], ""),
        _ => html("at last"),
    });
    assert_eq!(
        get(quick(), &site.url("/")).expect("a page").body,
        b"at last"
    );
    assert_eq!(
        why(
            quick().with_retries(0),
            &Site::new(|_| status(503)).url("/")
        ),
        Why::RobotsUnreachable(503)
    );
}

#[test]
fn a_long_retry_after_ends_the_fetch_and_is_reported() {
    let site = Site::new(|seen| match seen.path.as_str() {
        "/robots.txt" => status(404),
        _ => answer(503, &[("retry-after", "3600")], ""),
    });
    let fetcher = fetcher(quick());
    fetcher.allow(&site.url("/"));
    let error = fetcher
        .get(&site.url("/x"), Resource::Page)
        .expect_err("busy");
    assert!(
        error
            .to_string()
            .ends_with("it asks to come back in 3600 s"),
        "{error}"
    );
    assert_eq!(error.class(), ErrorClass::Network);
    // Nor are there other requests to the host before.
    let other = fetcher.get(&site.url("/other"), Resource::Page);
    assert!(matches!(reason(other), Why::Busy { status: 503, .. }));
    assert_eq!(site.paths(), ["/x"]);
}

#[test]
fn a_lost_connection_is_tried_again() {
    let whole = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok".to_vec();
    let half = b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\nConnection: close\r\n\r\nha".to_vec();
    let raw = Raw::new(vec![
        (Vec::new(), End::HangUp),
        (half.clone(), End::HangUp),
        (whole, End::HangUp),
    ]);
    assert_eq!(get(quick(), &raw.url("/")).expect("a page").body, b"ok");
    let raw = Raw::new(vec![(half, End::HangUp)]);
    assert!(matches!(why(quick(), &raw.url("/")), Why::Body(_)));
    let raw = Raw::new(vec![(b"SSH-2.0-what\r\n\r\n".to_vec(), End::HangUp)]);
    assert!(matches!(why(quick(), &raw.url("/")), Why::Connect(_)));
}

#[test]
fn a_closed_port_is_no_connection() {
    let port = {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        listener.local_addr().expect("an address").port()
    };
    let closed = url(&format!("http://127.0.0.1:{port}/"));
    assert!(matches!(why(quick(), &closed), Why::Connect(_)));
}

#[test]
fn https_on_a_plain_port_is_a_tls_failure() {
    let site = Site::pages([]);
    let https = url(&format!("https://127.0.0.1:{}/", site.port()));
    let why = why(quick(), &https);
    assert!(matches!(why, Why::Tls(_)), "{why:?}");
}

#[test]
fn a_machine_without_ca_certificates_still_fetches_by_http() {
    let none = [
        ("SSL_CERT_FILE", "/nowhere/file"),
        ("SSL_CERT_DIR", "/nowhere"),
    ];
    let test = "fetch::statuses::a_machine_without_ca_certificates_still_fetches_by_http";
    if alone(test, &none).is_none() {
        let site = Site::pages([("/", "page")]);
        assert_eq!(get(quick(), &site.url("/")).expect("a page").body, b"page");
    }
}

#[test]
fn an_unknown_name_is_a_dns_failure() {
    if alone("fetch::statuses::an_unknown_name_is_a_dns_failure", &[]).is_none() {
        // A label of 64 letters is refused before any name server is asked.
        let unknown = url(&format!("http://{}.example/", "a".repeat(64)));
        assert!(matches!(why(quick(), &unknown), Why::Dns(_)));
        assert!(matches!(
            why(FetchOptions::default(), &unknown),
            Why::Dns(_)
        ));
    }
}

#[test]
fn redirects_are_followed_to_the_end() {
    let site = Site::new(|seen| match seen.path.as_str() {
        "/a/start" => redirect("next?x=1"),
        "/a/next?x=1" => answer(308, &[("location", "/end#part")], ""),
        "/end" => html("end"),
        _ => status(404),
    });
    let page = get(quick(), &site.url("/a/start")).expect("a page");
    assert_eq!(page.body, b"end");
    assert_eq!(page.requested, site.url("/a/start"));
    assert_eq!(page.url, site.url("/end"));
    assert_eq!(page.redirects, [site.url("/a/next?x=1"), site.url("/end")]);
}

#[test]
fn redirects_end_at_the_limit() {
    let site = Site::new(
        |seen| match seen.path.trim_start_matches('/').parse::<usize>() {
            Ok(10) => html("ten"),
            Ok(n) => redirect(&format!("/{}", n + 1)),
            Err(_) => status(404),
        },
    );
    assert_eq!(get(quick(), &site.url("/0")).expect("a page").body, b"ten");
    let round = Site::new(|seen| match seen.path.as_str() {
        "/robots.txt" => status(404),
        _ => redirect("/round"),
    });
    assert_eq!(why(quick(), &round.url("/")), Why::Redirects(10));
    assert_eq!(round.paths().len(), 11);
    assert_eq!(
        why(quick().with_redirects(0), &round.url("/")),
        Why::Redirects(0)
    );
}

#[test]
fn redirects_that_lead_nowhere_are_named() {
    let site = Site::new(|seen| match seen.path.as_str() {
        "/none" => status(302),
        "/bad" => redirect("http://[/"),
        "/ftp" => redirect("ftp://site.example/x"),
        "/file" => redirect("file:///etc/passwd"),
        "/gone" => redirect("/nothing"),
        _ => status(404),
    });
    let check = |path: &str, expected: Why| assert_eq!(why(quick(), &site.url(path)), expected);
    check("/none", Why::Location(String::new()));
    check("/bad", Why::Location("http://[/".to_owned()));
    check("/ftp", Why::Scheme("ftp".to_owned()));
    check("/file", Why::Scheme("file".to_owned()));
    let error = get(quick(), &site.url("/gone")).expect_err("gone");
    let (from, to) = (site.url("/gone"), site.url("/nothing"));
    let start = format!("cannot fetch {from} (redirected to {to}): it is gone (status 404)");
    assert!(error.to_string().starts_with(&start), "{error}");
}
