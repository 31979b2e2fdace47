//! Pages that send their readers on by `<meta http-equiv="refresh">`.

use forest_fetch::{Resource, VisitRequest, Why};

use crate::fetch::site::{Site, answer, html, redirect, status};
use crate::fetch::{fetcher, get, quick, reason};

/// A stub that leads to an address at once.
fn stub(to: &str) -> String {
    format!("<title>Moved</title><meta http-equiv=refresh content='0; url={to}'><p>Moved.</p>")
}

/// A site with one stub at `/a`, and pages at `/b` and `/private`, which robots.txt forbids.
fn site(to: &'static str) -> Site {
    Site::new(move |seen| match seen.path.as_str() {
        "/robots.txt" => answer(200, &[], "User-agent: *\nDisallow: /private"),
        "/a" => answer(200, &[("content-type", "text/html")], stub(to)),
        "/b" | "/private" => html("<p>the article"),
        _ => status(404),
    })
}

#[test]
fn a_stub_is_followed_as_a_redirect_is() {
    let site = site("/b");
    for what in [Resource::Page, Resource::Feed] {
        let fetcher = fetcher(quick());
        fetcher.allow(&site.url("/a"));
        let page = fetcher.get(&site.url("/a"), what).expect("a page");
        assert_eq!(page.body, b"<p>the article");
        assert_eq!(
            (page.url, page.redirects),
            (site.url("/b"), vec![site.url("/b")])
        );
    }
    let fetcher = fetcher(quick());
    fetcher.allow(&site.url("/a"));
    let visited = fetcher.visit(&VisitRequest::new(site.url("/a"), Resource::Page));
    let visited = visited.expect("a page");
    let [hop] = &visited.hops[..] else {
        panic!("{:?}", visited.hops)
    };
    assert_eq!((hop.status, &hop.to), (200, &site.url("/b")));
    // No feed moves by it.
    assert!(!hop.is_permanent());
    let exchange = hop.exchange.as_ref().expect("an archive keeps it");
    assert_eq!(exchange.body, stub("/b").into_bytes());
}

#[test]
fn a_stub_leads_nowhere_where_a_redirect_may_not() {
    let check = |to: &'static str, expected: Why, requests: &[&str]| {
        let site = site(to);
        let result = get(quick(), &site.url("/a"));
        assert_eq!(reason(result), expected, "{to}");
        assert_eq!(site.paths(), requests, "{to}");
    };
    let private = |host: &str| Why::PrivateAddress(host.to_owned());
    check(
        "http://169.254.169.254/latest",
        private("169.254.169.254"),
        &["/a"],
    );
    check("http://[::1]/", private("::1"), &["/a"]);
    check("/private", Why::Robots, &["/a"]);
    check("/gone", Why::Gone(404), &["/a", "/gone"]);
}

#[test]
fn stubs_count_as_redirects() {
    let site = Site::new(|seen| {
        let n: usize = seen.path[1..].parse().unwrap_or(0);
        match seen.path.as_str() {
            "/robots.txt" => status(404),
            _ if n.is_multiple_of(2) => redirect(&format!("/{}", n + 1)),
            _ => answer(
                200,
                &[("content-type", "text/html")],
                stub(&format!("/{}", n + 1)),
            ),
        }
    });
    let result = get(quick(), &site.url("/1"));
    let most = forest_fetch::FetchOptions::REDIRECTS;
    assert_eq!(reason(result), Why::Redirects(most));
    assert_eq!(site.paths().len(), most + 1);
}

#[test]
fn a_page_that_is_no_stub_stays_what_it_is() {
    let text = "<p>The ferry sails again. ".repeat(40);
    let pages = [
        // It reloads itself.
        stub("/a"),
        stub("/a#top"),
        stub("javascript:alert(1)"),
        stub("/b").replace("content='0", "content='30"),
        stub("/b") + &text,
        format!("<noscript>{}</noscript><p>Words", stub("/b")),
    ];
    for page in pages {
        let shown = page.clone();
        let site = Site::new(move |seen| match seen.path.as_str() {
            "/a" => answer(200, &[("content-type", "text/html")], shown.clone()),
            _ => status(404),
        });
        let fetched = get(quick(), &site.url("/a")).expect("a page");
        assert_eq!(fetched.body, page.as_bytes());
        assert_eq!(site.paths(), ["/a"]);
    }
}
