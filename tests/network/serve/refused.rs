//! Requests that the proxy does not send on.

use super::proxy_of;
use super::{Client, Running, options};
use crate::hostile_server::server::Server as Origin;
use forest_proxy::ProxyOptions;
use forest_serve::{FilterPages, ServeOptions};
use std::io::Read;

#[test]
fn private_addresses_are_not_dialled_unless_that_is_allowed() {
    let origin = Origin::echo();
    let strict = Running::proxy(ServeOptions::default());
    let port = origin.port();
    for host in [
        "127.0.0.1",
        "localhost",
        "[::1]",
        "0x7f.1",
        "2130706433",
        "[::ffff:127.0.0.1]",
    ] {
        let answer = strict.ask(&format!("GET http://{host}:{port}/"), &[]);
        assert_eq!(answer.status, 403, "{host}: {}", answer.text());
    }
    let connect = Running::proxy_with(
        ServeOptions::default(),
        ProxyOptions::default().with_tunnel_port(port),
    );
    for host in ["127.0.0.1", "localhost", "[::1]"] {
        let answer = connect.ask(&format!("CONNECT {host}:{port}"), &[]);
        assert_eq!(answer.status, 403, "{host}: {}", answer.text());
    }
    let view = strict.own(&format!("/view?url=http://127.0.0.1:{port}/"));
    assert_eq!(view.status, 502);
    assert_eq!(origin.accepted(), 0);
}

#[test]
fn a_redirect_leads_no_view_to_a_private_address() {
    let other = Origin::echo();
    let there = other.url("/secret").to_string();
    let origin = Origin::new(move |mut peer| {
        let there = there.clone();
        async move {
            let to = match peer.path.as_str() {
                "/away" => there,
                "/home" => "/page".to_owned(),
                _ => {
                    peer.answer(200, &[("Content-Type", "text/html")], b"<p>At home")
                        .await;
                    return;
                }
            };
            peer.answer(302, &[("Location", &to)], b"").await;
        }
    });
    // Private hosts are allowed to the user who types them, not to the servers.
    let open = Running::proxy(options());
    let view = |path: &str| open.own(&format!("/view?url={}", origin.url(path)));
    let home = view("/home");
    assert_eq!(home.status, 200);
    assert!(home.text().contains("At home"), "{}", home.text());
    let away = view("/away");
    assert_eq!(away.status, 502);
    let text = away.text();
    assert!(text.contains("not a public address"), "{text}");
    assert_eq!(other.accepted(), 0);
}

#[test]
fn tunnels_lead_to_the_port_of_https_alone() {
    let origin = Origin::echo();
    let proxy = Running::proxy(options());
    for to in [
        format!("127.0.0.1:{}", origin.port()),
        "127.0.0.1:25".to_owned(),
    ] {
        let answer = proxy.ask(&format!("CONNECT {to}"), &[]);
        assert_eq!(answer.status, 403);
        assert!(answer.text().contains("--tunnel-port"), "{}", answer.text());
    }
    for to in ["127.0.0.1", "u:p@127.0.0.1:443"] {
        assert!(
            matches!(proxy.ask(&format!("CONNECT {to}"), &[]).status, 400 | 403),
            "{to}"
        );
    }
    assert_eq!(origin.accepted(), 0);
}

#[test]
fn other_schemes_and_loops_are_refused() {
    let proxy = Running::proxy(options());
    let status = |line: &str| proxy.ask(line, &[]).status;
    assert_eq!(status("GET https://a.example/"), 400);
    assert_eq!(status("GET ftp://a.example/"), 400);
    assert_eq!(status("GET http://u:p@a.example/"), 400);
    assert_eq!(status("TRACE http://a.example/"), 501);
    // A server that leads the proxy to itself, under another of its names.
    let other = Running::proxy(options());
    let to_itself = format!("GET http://127.0.0.2:{}/", proxy.address.port());
    let answer = other.ask(&to_itself, &[]);
    assert_eq!(
        answer.status,
        502,
        "nobody listens there: {}",
        answer.text()
    );
    // Through another proxy that leads back.
    let via = other.ask("GET http://forest.internal/", &[]);
    assert_eq!(via.status, 200);
}

#[test]
fn a_request_through_the_proxy_is_not_one_of_this_machine() {
    let pages = FilterPages::new(options()).expect("pages");
    let proxy = Running::of(&pages, proxy_of);
    let shown = Running::of(&pages, FilterPages::server);
    let answer = proxy.ask(&format!("GET http://{}/filter", shown.address), &[]);
    assert_eq!(answer.status, 508, "{}", answer.text());
}

#[test]
fn pages_alone_are_no_proxy() {
    let pages = FilterPages::new(options()).expect("pages");
    let shown = Running::of(&pages, FilterPages::server);
    let origin = Origin::echo();
    assert_eq!(
        shown.ask(&format!("GET {}", origin.url("/")), &[]).status,
        403
    );
    assert_eq!(shown.ask("CONNECT a.example:443", &[]).status, 403);
    assert_eq!(origin.accepted(), 0);
}

/// The status line of the answer to some bytes.
fn raw(proxy: &Running, bytes: &str) -> String {
    let mut client = Client::to(proxy.address);
    client.send(bytes.as_bytes());
    let mut answer = Vec::new();
    let _ = client.stream.get_mut().shutdown(std::net::Shutdown::Write);
    let _ = client.stream.read_to_end(&mut answer);
    let text = String::from_utf8_lossy(&answer).into_owned();
    text.lines().next().unwrap_or_default().to_owned()
}

#[test]
fn requests_of_two_readings_have_one() {
    let origin = Origin::new(|mut peer| async move {
        let head = peer.head.clone();
        peer.answer(200, &[], head.as_bytes()).await;
    });
    let proxy = Running::proxy(options());
    let to = origin.url("/");
    for framing in [
        "Content-Length: 5\r\nContent-Length: 6\r\n",
        "Content-Length: +5\r\n",
        "Content-Length: -1\r\n",
        "Transfer-Encoding: chunked, gzip\r\n",
        "Transfer-Encoding: xchunked\r\n",
        "X: a\0b\r\n",
        "X : a\r\n",
    ] {
        let line = raw(
            &proxy,
            &format!("POST {to} HTTP/1.1\r\nHost: a\r\n{framing}\r\nhello"),
        );
        assert!(line.starts_with("HTTP/1.1 400"), "{framing:?}: {line}");
    }
    assert_eq!(origin.requests(), 0);
}

#[test]
fn transfer_codings_that_are_not_undone_are_refused() {
    let origin = Origin::echo();
    let proxy = Running::proxy(options());
    let site = origin.url("/").to_string();
    for (to, coding) in [
        (&*site, "gzip, chunked"),
        (&*site, "gzip\r\nTransfer-Encoding: chunked"),
        (&*site, "chunked, chunked"),
        ("/filter", "gzip, chunked"),
        ("/view?url=http://a.example/", "deflate, chunked"),
    ] {
        let request = format!(
            "POST {to} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
             Transfer-Encoding: {coding}\r\n\r\n0\r\n\r\n"
        );
        let mut client = Client::to(proxy.address);
        client.send(request.as_bytes());
        assert_eq!(client.read(false).status, 501, "{to} {coding:?}");
    }
    assert_eq!(origin.requests(), 0);
}

#[test]
fn of_two_framings_one_goes_on() {
    let site = axum::Router::new()
        .fallback(|headers: axum::http::HeaderMap| async move { format!("{headers:?}") });
    let site = crate::loopback::Loopback::of(|_| site);
    let proxy = Running::proxy(options());
    let mut client = Client::to(proxy.address);
    let both = format!(
        "POST http://{}/ HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\
         Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        site.address
    );
    client.send(both.as_bytes());
    let head = client.read(false).text();
    let framings =
        head.matches("content-length").count() + head.matches("transfer-encoding").count();
    assert_eq!(framings, 1, "{head}");
}
