//! The hosts that may be connected to, and the headers that each gets.

use forest_fetch::{FetchOptions, Fetcher, Resource, SecretSource, VisitRequest, Why};
use forest_html::error::ErrorClass;
use forest_html::text::Secret;
use std::sync::Arc;

use crate::alone;
use crate::fetch::site::{Site, html, redirect, status, typed, url};
use crate::fetch::{fetcher, get, quick, reason, why};

#[test]
fn private_addresses_need_leave() {
    let site = Site::pages([("/", "page")]);
    let port = site.port();
    let private = |url: &str| Why::PrivateAddress(url.to_owned());
    let check = |text: &str, address: &str| {
        // Not typed, typed without leave, and not typed with leave for another.
        let fetcher = fetcher(FetchOptions::default());
        let result = fetcher.get(&url(text), Resource::Page);
        assert_eq!(reason(result), private(address), "{text}");
        assert_eq!(
            why(FetchOptions::default(), &url(text)),
            private(address),
            "{text}"
        );
        let open = self::fetcher(quick());
        open.allow(&url("http://127.0.0.1:9/"));
        let result = open.get(&url(text), Resource::Page);
        assert_eq!(reason(result), private(address), "{text}");
    };
    check(&format!("http://127.0.0.1:{port}/"), "127.0.0.1");
    check(&format!("http://2130706433:{port}/"), "127.0.0.1");
    check(&format!("http://0x7f.1:{port}/"), "127.0.0.1");
    check(&format!("http://[::1]:{port}/"), "::1");
    check(
        &format!("http://[::ffff:127.0.0.1]:{port}/"),
        "::ffff:127.0.0.1",
    );
    check(
        "http://169.254.169.254/latest/meta-data/",
        "169.254.169.254",
    );
    check("http://0.0.0.0/", "0.0.0.0");
    assert_eq!(site.seen().len(), 0);
    assert!(get(quick(), &site.url("/")).is_ok());
}

#[test]
fn a_name_of_a_private_address_is_refused_and_the_message_says_what_to_do() {
    let test =
        "fetch::addresses::a_name_of_a_private_address_is_refused_and_the_message_says_what_to_do";
    if alone(test, &[]).is_none() {
        let site = Site::pages([("/", "page")]);
        let named = url(&format!("http://localhost:{}/", site.port()));
        let error = get(FetchOptions::default(), &named).expect_err("refused");
        assert_eq!(error.class(), ErrorClass::Network);
        let text = error.to_string();
        assert!(
            text.contains(named.as_str()) && text.contains("--allow-private"),
            "{text}"
        );
        assert!(matches!(reason(Err(error)), Why::PrivateAddress(_)));
        assert_eq!(site.seen().len(), 0);
        assert_eq!(get(quick(), &named).expect("typed").body, b"page");
    }
}

#[test]
fn leave_holds_for_the_typed_host_and_port_only() {
    let test = "fetch::addresses::leave_holds_for_the_typed_host_and_port_only";
    if alone(test, &[]).is_none() {
        let other = Site::pages([("/", "secret")]);
        let port = other.port();
        let site = Site::new(move |seen| match seen.path.as_str() {
            "/self" => redirect("/page"),
            "/page" => html("page"),
            "/port" => redirect(&format!("http://127.0.0.1:{port}/")),
            "/name" => redirect(&format!("http://localhost:{port}/")),
            "/six" => redirect(&format!("http://[::1]:{port}/")),
            "/cloud" => redirect("http://169.254.169.254/latest/"),
            _ => status(404),
        });
        assert_eq!(
            get(quick(), &site.url("/self")).expect("a page").body,
            b"page"
        );
        for path in ["/port", "/name", "/six", "/cloud"] {
            assert!(
                matches!(why(quick(), &site.url(path)), Why::PrivateAddress(_)),
                "{path}"
            );
        }
        assert_eq!(other.seen().len(), 0);
    }
}

#[test]
fn a_proxy_is_asked_for_public_hosts() {
    let test = "fetch::addresses::a_proxy_is_asked_for_public_hosts";
    if let Ok(proxy) = std::env::var("HTTP_PROXY").or(std::env::var("http_proxy"))
        && std::env::var_os("FOREST_TEST_ALONE").is_some()
    {
        let fetcher = fetcher(FetchOptions::default());
        let far = url("http://site.example/page");
        let page = fetcher.get(&far, Resource::Page).expect("by the proxy");
        assert_eq!((page.body, page.url), (b"by the proxy".to_vec(), far));
        let itself = fetcher.get(&url(&proxy), Resource::Page);
        assert_eq!(reason(itself), Why::PrivateAddress("localhost".to_owned()));
        let metadata = fetcher.get(&url("http://169.254.169.254/"), Resource::Page);
        assert!(matches!(reason(metadata), Why::PrivateAddress(_)));
        // Credentials are sent to all hosts if none was typed, else to the typed ones.
        let secret = || {
            self::fetcher(
                quick()
                    .with_header("Cookie", "a=b")
                    .with_header("X-Own", "1"),
            )
        };
        let fetcher = secret();
        let _ = fetcher.get(&url("http://any.example/any"), Resource::Page);
        let fetcher = secret();
        fetcher.allow(&url("http://typed.example/"));
        let _ = fetcher.get(&url("http://typed.example/typed"), Resource::Page);
        let _ = fetcher.get(&url("http://other.example/other"), Resource::Page);
        // Requests to this machine do not use the proxy.
        let site = Site::pages([("/", "direct")]);
        assert_eq!(
            get(quick(), &site.url("/")).expect("a page").body,
            b"direct"
        );
        return;
    }
    let proxy = Site::pages([("/page", "by the proxy")]);
    // The proxy has a name with a private address, which would be refused for other hosts.
    let at = format!("http://localhost:{}", proxy.port());
    assert!(alone(test, &[("HTTP_PROXY", &at), ("http_proxy", &at)]).is_some());
    let requests: Vec<_> = proxy
        .seen()
        .into_iter()
        .filter(|seen| seen.path != "/robots.txt")
        .map(|seen| {
            let header = |name| seen.header(name).map(str::to_owned);
            (
                header("host").expect("a host"),
                header("cookie"),
                header("x-own"),
            )
        })
        .collect();
    let expected = [
        ("site.example", None, None),
        ("any.example", Some("a=b"), Some("1")),
        ("typed.example", Some("a=b"), Some("1")),
        ("other.example", None, Some("1")),
    ];
    let own = |text: &str| text.to_owned();
    let expected = expected.map(|(host, cookie, x)| (own(host), cookie.map(own), x.map(own)));
    assert_eq!(requests, expected);
}

/// A site that leads to a page of its own at `/near`, and to another site at `/away`.
fn leading(other: &Site) -> Site {
    let target = other.url("/");
    Site::new(move |seen| match seen.path.as_str() {
        "/away" => redirect(target.as_str()),
        "/near" => redirect("/page"),
        "/page" => html("page"),
        _ => status(404),
    })
}

/// The value of a header that the last request to the site had.
fn last(site: &Site, name: &str) -> Option<String> {
    let seen = site.seen();
    seen.last()?.header(name).map(str::to_owned)
}

#[test]
fn own_headers_are_sent_only_to_the_requested_host() {
    let other = Site::new(|_| html("other"));
    let site = leading(&other);
    let options = quick()
        .with_header("X-Own", "1")
        .with_header("Authorization", "Bearer t")
        .with_header("Accept", "text/plain");
    let fetcher = fetcher(options);
    typed(&fetcher, &[&site.url("/"), &other.url("/")]);
    let get = |site: &Site, path: &str| {
        let page = fetcher.get(&site.url(path), Resource::Page);
        page.expect("a page");
    };

    get(&site, "/near");
    let seen = site.seen();
    assert_eq!(
        seen[0].header("authorization"),
        None,
        "robots.txt needs none"
    );
    assert_eq!(seen[0].header("x-own"), None);
    for request in &seen[1..] {
        assert_eq!(request.header("x-own"), Some("1"));
        assert_eq!(request.header("authorization"), Some("Bearer t"));
        assert_eq!(request.headers.get_all("accept").iter().count(), 1);
        assert_eq!(request.header("accept"), Some("text/plain"));
    }
    get(&site, "/away");
    assert_eq!(
        (last(&other, "x-own"), last(&other, "authorization")),
        (None, None)
    );
    get(&other, "/");
    assert_eq!(last(&other, "authorization").as_deref(), Some("Bearer t"));
}

#[test]
fn headers_of_a_site_are_sent_to_it_alone_and_the_user_s_are_first() {
    let other = Site::new(|_| html("other"));
    let site = leading(&other);
    let fetcher = fetcher(quick().with_header("X-Own", "mine"));
    typed(&fetcher, &[&site.url("/"), &other.url("/")]);
    let wanted = [
        ("cookie", "a=b"),
        ("User-Agent", "Reader/1"),
        ("x-own", "theirs"),
        ("Host", "b.example"),
        ("Transfer-Encoding", "chunked"),
        ("Content-Length", "1"),
        ("Connection", "close"),
        ("Bad Name", "x"),
        ("x-bad", "a\r\nEvil: b"),
    ];
    let refused = fetcher.send_to(&site.url("/"), wanted);
    assert_eq!(refused.len(), 6, "{refused:?}");
    let get = |url: &url::Url| fetcher.get(url, Resource::Page).expect("a page");
    get(&site.url("/page"));
    assert_eq!(last(&site, "cookie").as_deref(), Some("a=b"));
    assert_eq!(last(&site, "user-agent").as_deref(), Some("Reader/1"));
    assert_eq!(last(&site, "x-own").as_deref(), Some("mine"));
    assert_eq!(last(&site, "evil"), None);
    get(&site.url("/away"));
    assert_eq!(last(&other, "cookie"), None);
    assert_ne!(last(&other, "user-agent").as_deref(), Some("Reader/1"));
    // There is no header any more.
    fetcher.send_to(&site.url("/"), []);
    get(&site.url("/page"));
    assert_eq!(last(&site, "cookie"), None);
}

#[test]
fn a_host_that_a_page_names_may_be_private_and_gets_no_credentials() {
    let site = Site::new(|_| html("own"));
    let (named, other) = (Site::new(|_| html("named")), Site::new(|_| html("other")));
    let fetcher = fetcher(quick().with_header("Authorization", "Bearer t"));
    let get = |url: &url::Url| fetcher.get(url, Resource::Page);
    fetcher.allow_private(&named.url("/"));
    // It is not taken for what the user typed, also where he typed nothing.
    get(&named.url("/")).expect("a page");
    typed(&fetcher, &[&site.url("/")]);
    get(&site.url("/")).expect("a page");
    get(&named.url("/again")).expect("a page");
    assert_eq!(last(&site, "authorization").as_deref(), Some("Bearer t"));
    for request in named.seen() {
        assert_eq!(request.header("authorization"), None);
    }
    let refused = Why::PrivateAddress("127.0.0.1".to_owned());
    assert_eq!(reason(get(&other.url("/"))), refused);
}

#[test]
fn what_a_page_of_another_site_names_gets_no_secrets() {
    let site = Site::new(|_| html("page"));
    let fetcher = fetcher(quick());
    typed(&fetcher, &[&site.url("/")]);
    let secrets = vec![("x-key", "hunter2")];
    fetcher.keep_secrets(Arc::new(SecretsOf(site.url("/"), secrets)));
    let visit = |is_foreign: bool| {
        let visit = VisitRequest {
            is_foreign,
            ..VisitRequest::new(site.url("/1.png"), Resource::Picture)
        };
        fetcher.visit(&visit).expect("an answer");
        last(&site, "x-key")
    };
    assert_eq!(visit(false).as_deref(), Some("hunter2"));
    assert_eq!(visit(true), None);
}

/// Secrets of one host and port.
#[derive(Debug)]
struct SecretsOf(url::Url, Vec<(&'static str, &'static str)>);

impl SecretSource for SecretsOf {
    fn secrets_for(&self, url: &url::Url) -> Vec<(String, Secret)> {
        if url.origin() != self.0.origin() {
            return Vec::new();
        }
        let all = self.1.iter();
        all.map(|(name, value)| ((*name).to_owned(), Secret::new(*value)))
            .collect()
    }
}

#[test]
fn secrets_are_sent_to_their_site_alone_and_never_shown() {
    let other = Site::new(|_| html("other"));
    let site = leading(&other);
    let back = site.url("/page");
    let third = Site::new(move |_| redirect(back.as_str()));
    let fetcher = fetcher(quick().with_header("X-Mine", "mine"));
    typed(
        &fetcher,
        &[&site.url("/"), &other.url("/"), &third.url("/")],
    );
    fetcher.send_to(&site.url("/"), [("X-Key", "theirs"), ("X-Theirs", "1")]);
    let secrets = vec![
        ("x-key", "hunter2"),
        ("Accept-Language", "hunter2"),
        ("x-mine", "hunter2"),
        ("x-bad", "hunter2\r\nEvil: 1"),
    ];
    fetcher.keep_secrets(Arc::new(SecretsOf(site.url("/"), secrets)));
    let visit = |url: &url::Url| {
        let visited = fetcher.visit(&VisitRequest::new(url.clone(), Resource::Page));
        let visited = visited.expect("an answer");
        let shown = format!("{visited:?}");
        assert!(!shown.contains("hunter2"), "{shown}");
        let head = String::from_utf8_lossy(&visited.request_head).into_owned();
        assert!(!head.contains("hunter2"), "{head}");
    };
    visit(&site.url("/near"));
    let seen = site.seen();
    assert_eq!(seen[0].header("x-key"), None, "robots.txt needs none");
    for request in &seen[1..] {
        assert_eq!(request.header("x-key"), Some("hunter2"));
        assert_eq!(request.headers.get_all("x-key").iter().count(), 1);
        assert_eq!(request.header("accept-language"), Some("hunter2"));
        assert_eq!(request.header("x-theirs"), Some("1"));
        assert_eq!(request.header("x-mine"), Some("mine"));
        assert_eq!(
            (request.header("x-bad"), request.header("evil")),
            (None, None)
        );
    }
    visit(&site.url("/away"));
    visit(&third.url("/"));
    for request in other.seen().iter().chain(&third.seen()) {
        assert!(!format!("{:?}", request.headers).contains("hunter2"));
    }
    // Another host that redirects there does not get the answer of one who may read it.
    assert_eq!(last(&site, "x-key"), None);
}

#[test]
fn credentials_in_a_url_are_sent_and_never_shown() {
    let site = Site::new(|seen| match seen.path.as_str() {
        "/robots.txt" | "/gone" => status(404),
        "/there" => redirect("/page"),
        _ => html("page"),
    });
    let with_password = |path: &str| {
        let mut url = site.url(path);
        url.set_username("user").expect("a host");
        url.set_password(Some("hunter2")).expect("a host");
        url
    };
    let page = get(quick(), &with_password("/page")).expect("a page");
    assert_eq!(
        last(&site, "authorization").as_deref(),
        Some("Basic dXNlcjpodW50ZXIy")
    );
    assert_eq!(
        site.seen()[0].header("authorization"),
        None,
        "robots.txt needs none"
    );
    assert!(!format!("{page:?}").contains("hunter2"));
    let page = get(quick(), &with_password("/there")).expect("a page");
    assert_eq!(last(&site, "authorization"), None);
    assert!(!format!("{page:?}").contains("hunter2"));
    let error = get(quick(), &with_password("/gone")).expect_err("gone");
    let text = format!("{error} {error:?}");
    assert!(
        !text.contains("hunter2") && !text.contains("user@"),
        "{text}"
    );
}

#[test]
fn a_header_that_cannot_be_sent_is_a_usage_error() {
    let error = Fetcher::new(quick().with_header("Bad Name", "x")).expect_err("refused");
    assert_eq!(error.class(), ErrorClass::Input);
    assert!(error.to_string().contains("Bad Name"), "{error}");
    assert!(Fetcher::new(quick().with_user_agent("a\nb")).is_err());
}
