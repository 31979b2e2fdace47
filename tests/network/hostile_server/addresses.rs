//! URLs of this machine or its network in every spelling: as requested URL and as target of
//! a redirect, none is connected to.

use forest_fetch::{FetchOptions, Fetcher, Resource, Why};
use url::Url;

use crate::hostile_server::server::Server;
use crate::hostile_server::{fetcher, page, quick, why};

/// Hosts; `:PORT` is the port of a listener.
const HOSTS: [&str; 66] = [
    // Loopback, by all its spellings.
    "127.0.0.1",
    "127.0.0.1.",
    "127.1",
    "127.0.1",
    "127.000.000.001",
    "127.255.255.254",
    "2130706433",
    "2130706433.",
    "017700000001",
    "0177.0.0.1",
    "0177.1",
    "0x7f000001",
    "0X7F000001",
    "0x7f.1",
    "0x7f.0.0.0x1",
    "%31%32%37.0.0.1",
    "１２７.０.０.１",
    "127。0。0。1",
    "①②⑦.0.0.1",
    "localhost",
    "LOCALHOST",
    "LocalHost",
    "localhost.",
    "ｌｏｃａｌｈｏｓｔ",
    "any.localhost",
    "any.localhost.",
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    // Spellings that the system takes for loopback.
    "0.0.0.0",
    "0",
    "[::]",
    // IPv4 in IPv6.
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::FFFF:7F00:1]",
    "[0:0:0:0:0:ffff:127.0.0.1]",
    "[::ffff:8.8.8.8]",
    "[::127.0.0.1]",
    "[::7f00:1]",
    "[64:ff9b::127.0.0.1]",
    "[64:ff9b::10.0.0.1]",
    "[64:ff9b:1::127.0.0.1]",
    "[2002:7f00:1::]",
    "[2002:a00:1::1]",
    "[2001:0:7f00:1::]",
    // Private, shared, link-local and other special addresses.
    "10.0.0.1",
    "012.0.0.1",
    "167772161",
    "172.16.0.1",
    "172.31.255.254",
    "192.168.0.1",
    "192.168.257",
    "100.64.0.1",
    "100.127.255.254",
    "169.254.169.254",
    "0xa9fea9fe",
    "168.63.129.16",
    "192.0.0.192",
    "198.18.0.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "[fc00::1]",
    "[fd00:ec2::254]",
    "[fe80::1]",
    "[ff02::1]",
    "[100::1]",
];

/// The URLs of the table at a port, and the tricks with what stands before a host.
fn urls(port: u16) -> Vec<String> {
    let plain = HOSTS.iter().map(|host| format!("http://{host}:{port}/x"));
    let mut urls: Vec<String> = plain.collect();
    urls.extend([
        format!("http://site.example@127.0.0.1:{port}/"),
        format!("http://site.example:80@127.0.0.1:{port}/"),
        format!("http://site.example%2f@127.0.0.1:{port}/"),
        format!("http://a:b@c:d@127.0.0.1:{port}/"),
        format!("http://127.0.0.1:{port}\\@site.example/"),
        format!("http:\\\\127.0.0.1:{port}/"),
        format!("http:////127.0.0.1:{port}/"),
        format!("http:127.0.0.1:{port}/"),
        format!("\t h\nttp://127.0.\r0.1:{port}/"),
        format!("HTTP://127.0.0.1:{port}/"),
        format!("https://127.0.0.1:{port}/"),
    ]);
    urls
}

/// A listener on every available loopback address, at one port.
fn listen() -> Vec<Server> {
    let script = |mut peer: crate::hostile_server::server::Peer| async move {
        peer.answer(200, &[], b"secret").await;
    };
    let four = Server::at(([0, 0, 0, 0], 0).into(), script).expect("a port");
    let six = Server::at((std::net::Ipv6Addr::LOCALHOST, four.port()).into(), script);
    std::iter::once(four).chain(six).collect()
}

#[test]
fn no_spelling_of_a_special_address_is_dialled_as_url() {
    let servers = listen();
    let port = servers[0].port();
    for text in urls(port) {
        let url = Url::parse(&text).unwrap_or_else(|e| panic!("{text}: {e}"));
        // Not typed; typed without leave; not typed with leave for another.
        let plain = fetcher(FetchOptions::default(), &[]);
        let typed = fetcher(FetchOptions::default(), &[&url]);
        let other = "http://127.0.0.1:9/".parse().expect("a URL");
        let leave = fetcher(quick(), &[&other]);
        for (name, fetcher) in [("plain", plain), ("typed", typed), ("leave", leave)] {
            let refused = why(fetcher.visit(&page(&url)));
            assert!(
                matches!(refused, Why::PrivateAddress(_)),
                "{name} {text}: {refused}"
            );
            let got = fetcher.get(&url, Resource::Feed).expect_err("refused");
            let got = got.fetch_failure().expect("of the fetch").why();
            assert!(
                matches!(got, Why::PrivateAddress(_)),
                "{name} {text}: {got}"
            );
        }
    }
    let accepted: usize = servers.iter().map(Server::accepted).sum();
    assert_eq!(accepted, 0, "connections");
    // The listener listens.
    let url = format!("http://127.0.0.1:{port}/").parse().expect("a URL");
    assert!(fetcher(quick(), &[&url]).visit(&page(&url)).is_ok());
    assert_eq!(servers[0].accepted(), 2);
}

#[test]
fn no_spelling_of_a_special_address_is_dialled_as_redirect() {
    let servers = listen();
    let mut targets = urls(servers[0].port());
    // Behind a URL of the same scheme this is a path.
    targets.retain(|target| !target.starts_with("http:127"));
    let listed = targets.clone();
    // A site that the user typed, with leave, redirects to each of them.
    let site = Server::new(move |mut peer| {
        let nth: usize = peer.path.trim_start_matches('/').parse().expect("a number");
        // Characters that a header cannot hold are left out.
        let to: String = listed[nth]
            .chars()
            .filter(|c| !"\r\n".contains(*c))
            .collect();
        async move {
            peer.answer(302, &[("Location", &to)], b"").await;
        }
    });
    let fetcher: Fetcher = fetcher(quick(), &[&site.url("/")]);
    for (nth, target) in targets.iter().enumerate() {
        let refused = why(fetcher.visit(&page(&site.url(&format!("/{nth}")))));
        assert!(
            matches!(refused, Why::PrivateAddress(_)),
            "{target}: {refused}"
        );
    }
    assert_eq!(site.requests(), targets.len());
    let accepted: usize = servers.iter().map(Server::accepted).sum();
    assert_eq!(accepted, 0, "connections");
}

#[test]
fn other_schemes_and_hosts_that_are_none_lead_nowhere() {
    let targets = [
        "file:///etc/passwd",
        "ftp://127.0.0.1/",
        "gopher://127.0.0.1:70/",
        "data:text/html,x",
        "javascript:alert(1)",
        "unix:/run/socket",
        "http://[fe80::1%25eth0]/",
        "http://127.0.0.1.1/",
        "http://256.256.256.256/",
        "http://0x100000000/",
        "http://[::1/",
        "http://",
        "http://a b/",
        "http://127.0.0.1:99999/",
    ];
    let site = Server::new(move |mut peer| async move {
        let nth: usize = peer.path.trim_start_matches('/').parse().expect("a number");
        peer.answer(302, &[("Location", targets[nth])], b"").await;
    });
    let fetcher = fetcher(quick(), &[&site.url("/")]);
    for (nth, target) in targets.iter().enumerate() {
        let refused = why(fetcher.visit(&page(&site.url(&format!("/{nth}")))));
        assert!(
            matches!(refused, Why::Scheme(_) | Why::Location(_)),
            "{target}: {refused}"
        );
    }
    assert_eq!(site.requests(), targets.len());
}
