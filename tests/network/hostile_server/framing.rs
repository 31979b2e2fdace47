//! Servers whose responses do not have the declared length, and redirects without end.

use forest_fetch::Why;

use crate::hostile_server::server::Server;
use crate::hostile_server::{fetcher, page, quick, visit, why};

/// A server that sends these bytes and closes the connection.
fn sends(bytes: impl AsRef<[u8]> + Clone + Send + Sync + 'static) -> Server {
    Server::new(move |mut peer| {
        let bytes = bytes.clone();
        async move {
            peer.send(bytes.as_ref()).await;
        }
    })
}

#[test]
fn a_length_that_is_too_long_is_a_broken_body() {
    for answer in [
        "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nless than that",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n64\r\nless",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nless\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nwhat\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n",
    ] {
        let server = sends(answer);
        let result = why(visit(quick(), &server.url("/")));
        assert!(matches!(result, Why::Body(_)), "{answer:?}: {result}");
        assert_eq!(server.requests(), 3, "{answer:?}: two more attempts");
    }
}

/// Bytes behind a body are not the response to the next request.
#[test]
fn a_length_that_is_too_short_cuts_the_body_and_poisons_nothing() {
    let server = Server::new(|mut peer| async move {
        if peer.path == "/second" {
            peer.answer(200, &[], b"second").await;
            return;
        }
        let first = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst";
        let forged = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged";
        peer.send(format!("{first}{forged}{forged}").as_bytes())
            .await;
        peer.stall().await;
    });
    let fetcher = fetcher(quick(), &[&server.url("/")]);
    for _ in 0..5 {
        let body = |path| {
            fetcher
                .visit(&page(&server.url(path)))
                .expect("a page")
                .body
        };
        assert_eq!(body("/first"), b"first");
        assert_eq!(body("/second"), b"second");
    }
}

#[test]
fn lengths_that_contradict_each_other_are_no_answer() {
    for lengths in [
        "Content-Length: 5\r\nContent-Length: 6",
        "Content-Length: 5, 6",
        "Content-Length: -5",
        "Content-Length: 0x5",
        "Content-Length: 99999999999999999999999",
        "Content-Length:",
    ] {
        let server = sends(format!("HTTP/1.1 200 OK\r\n{lengths}\r\n\r\nfirst"));
        let result = why(visit(quick().with_retries(0), &server.url("/")));
        assert!(matches!(result, Why::Connect(_)), "{lengths:?}: {result}");
    }
}

/// RFC 9112, 5.1: a recipient removes the white space from the answer.
#[test]
fn white_space_before_the_colon_of_a_header_is_no_fault() {
    for head in [
        "Content-Length : 5\r\nContent-Type : text/html",
        "Content-Length\t: 5\r\nContent-Type \t: text/html",
        "Transfer-Encoding : chunked\r\nContent-Type: text/html",
    ] {
        let body = if head.contains("chunked") {
            "5\r\nfirst\r\n0\r\n\r\n"
        } else {
            "first"
        };
        let server = sends(format!("HTTP/1.1 200 OK\r\n{head}\r\n\r\n{body}"));
        let read = visit(quick(), &server.url("/")).expect("a page");
        assert_eq!(read.body, b"first", "{head:?}");
        assert_eq!(read.content_type.as_deref(), Some("text/html"), "{head:?}");
    }
}

#[test]
fn an_answer_that_is_not_what_it_says_is_none() {
    for coding in ["gzip, chunked", "gzip", "chunked, chunked"] {
        let head = format!("HTTP/1.1 200 OK\r\nTransfer-Encoding: {coding}\r\n\r\n");
        let server = sends(head + "1\r\na\r\n0\r\n\r\n");
        let result = why(visit(quick(), &server.url("/")));
        assert_eq!(result, Why::TransferCoding(coding.to_owned()));
        assert_eq!(server.requests(), 1, "{coding:?}");
    }
    let switches = sends("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n");
    assert_eq!(why(visit(quick(), &switches.url("/"))), Why::Status(101));
    let both = "HTTP/1.1 200 OK\r\nContent-Length: 99\r\nTransfer-Encoding: chunked\r\n\r\n";
    let both = sends(format!("{both}1\r\na\r\n0\r\n\r\n"));
    let read = visit(quick(), &both.url("/")).expect("a page");
    assert_eq!(read.body, b"a");
}

#[test]
fn a_connection_that_closes_early_is_lost_and_requested_again() {
    for answer in [
        "",
        "H",
        "HTTP/1.1 200 OK",
        "HTTP/1.1 200 OK\r\nDate: now\r\n",
        "\r\n\r\n",
        "\0\0\0",
    ] {
        let server = sends(answer);
        let result = why(visit(quick(), &server.url("/")));
        assert!(matches!(result, Why::Connect(_)), "{answer:?}: {result}");
        assert_eq!(server.requests(), 3, "{answer:?}");
    }
    let server = Server::new(|mut peer| async move {
        if peer.nth == 2 {
            peer.answer(200, &[], b"at last").await;
        }
    });
    let page = visit(quick(), &server.url("/")).expect("a page");
    assert_eq!(page.body, b"at last");
}

#[test]
fn answers_without_a_request_do_not_end_the_fetch() {
    // 100 Continue without end: each is a head of its own.
    let server = Server::new(|mut peer| async move {
        for _ in 0..20 {
            peer.send(b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n")
                .await;
        }
        peer.answer(200, &[], b"page").await;
    });
    assert_eq!(
        visit(quick(), &server.url("/")).expect("a page").body,
        b"page"
    );
}

#[test]
fn redirects_in_a_circle_end_at_the_limit() {
    let itself = Server::new(|mut peer| async move {
        peer.answer(301, &[("Location", "/")], b"").await;
    });
    let anew = Server::new(|mut peer| async move {
        let next = format!("/{}", peer.nth);
        peer.answer(302, &[("Location", &next)], b"").await;
    });
    let fragment = Server::new(|mut peer| async move {
        let next = format!("#{}", peer.nth);
        peer.answer(307, &[("Location", &next)], b"").await;
    });
    let growing = Server::new(|mut peer| async move {
        let next = format!("{}a/{}", peer.path, "a".repeat(peer.path.len()));
        peer.answer(308, &[("Location", &next)], b"").await;
    });
    for (name, server) in [
        ("itself", itself),
        ("anew", anew),
        ("fragment", fragment),
        ("growing", growing),
    ] {
        let result = visit(quick(), &server.url("/"));
        assert_eq!(why(result), Why::Redirects(10), "{name}");
        assert_eq!(server.requests(), 11, "{name}");
    }
}

#[test]
fn redirects_from_host_to_host_and_back_end_at_the_limit() {
    let one = Server::new(|mut peer| async move {
        let to = peer.path.trim_start_matches("/?").to_owned();
        peer.answer(302, &[("Location", &to)], b"").await;
    });
    let back = one.url("/");
    let other = Server::new(move |mut peer| {
        let here = format!("{back}?http://{}/", host(&peer.head));
        async move {
            peer.answer(302, &[("Location", &here)], b"").await;
        }
    });
    let start = one.url(&format!("/?{}", other.url("/")));
    let fetcher = fetcher(quick(), &[&start, &other.url("/")]);
    assert_eq!(why(fetcher.visit(&page(&start))), Why::Redirects(10));
    assert_eq!((one.requests(), other.requests()), (6, 5));
}

/// The `Host` of a request.
fn host(head: &str) -> String {
    let host = head.lines().find_map(|line| line.strip_prefix("host: "));
    host.expect("a host").to_owned()
}

#[test]
fn a_location_as_long_as_a_head_may_be_is_an_end() {
    let server = Server::new(|mut peer| async move {
        let next = format!("/{}", "a".repeat(100_000));
        peer.answer(302, &[("Location", &next)], b"").await;
    });
    let result = why(visit(quick().with_retries(0), &server.url("/")));
    assert!(matches!(result, Why::Connect(_)), "{result:.200}");
    assert_eq!(server.requests(), 1, "no request is that long");
}
