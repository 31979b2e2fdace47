//! A feed that changes its encoding from one visit to the next.

use forest_core::feed::parse;
use forest_fetch::{Resource, VisitRequest};

use crate::hostile_server::server::Server;
use crate::hostile_server::{fetcher, quick};

/// The feed with this name in its declaration.
fn feed(declared: &str) -> String {
    format!(
        "<?xml version='1.0'{declared}?><rss version='2.0'><channel><title>Journal caf\u{e9}</title>\
         <item><title>\u{c9}t\u{e9} \u{e0} N\u{ee}mes</title><link>http://site.example/1</link>\
         <guid>1</guid></item></channel></rss>"
    )
}

fn latin1(text: &str) -> Vec<u8> {
    let bytes = text.chars().map(|c| u8::try_from(u32::from(c)));
    bytes.map(|byte| byte.expect("Latin-1")).collect()
}

fn utf16(text: &str, mark: bool, big: bool) -> Vec<u8> {
    let mark = mark.then_some(0xfeff);
    let units = mark.into_iter().chain(text.encode_utf16());
    let bytes = |unit: u16| match big {
        true => unit.to_be_bytes(),
        false => unit.to_le_bytes(),
    };
    units.flat_map(bytes).collect()
}

/// Content types and bytes, one for each visit.
fn turns() -> Vec<(&'static str, Vec<u8>)> {
    let marked = [b"\xef\xbb\xbf".as_slice(), feed("").as_bytes()].concat();
    vec![
        ("application/rss+xml", feed("").into_bytes()),
        (
            "application/rss+xml",
            feed(" encoding='utf-8'").into_bytes(),
        ),
        ("application/rss+xml", marked),
        (
            "application/rss+xml",
            latin1(&feed(" encoding='iso-8859-1'")),
        ),
        ("text/xml; charset=iso-8859-1", latin1(&feed(""))),
        (
            "text/xml; charset=utf-8",
            latin1(&feed(" encoding='iso-8859-1'")),
        ),
        (
            "text/xml; charset=iso-8859-1",
            feed(" encoding='utf-8'").into_bytes(),
        ),
        (
            "application/rss+xml",
            utf16(&feed(" encoding='utf-16'"), true, false),
        ),
        (
            "application/rss+xml",
            utf16(&feed(" encoding='utf-16'"), true, true),
        ),
        (
            "application/rss+xml",
            utf16(&feed(" encoding='utf-16le'"), false, false),
        ),
    ]
}

#[test]
fn a_feed_that_changes_its_encoding_stays_the_same_feed() {
    let server = Server::new(|mut peer| async move {
        let (content_type, body) = turns().swap_remove(peer.nth);
        // One condition for all: the server reports a change each time.
        let headers = [("Content-Type", content_type), ("ETag", "\"1\"")];
        peer.answer(200, &headers, &body).await;
    });
    let url = server.url("/feed");
    let fetcher = fetcher(quick(), &[&url]);
    for (nth, (content_type, body)) in turns().into_iter().enumerate() {
        let visited = fetcher.visit(&VisitRequest {
            etag: Some("\"1\"".to_owned()),
            ..VisitRequest::new(url.clone(), Resource::Feed)
        });
        let visited = visited.expect("a feed");
        assert!(
            visited.body == body,
            "{nth}: the bytes are kept as they are"
        );
        let feed = parse(
            &visited.body,
            Some(&visited.url),
            visited.content_type.as_deref(),
        );
        let feed = feed.unwrap_or_else(|e| panic!("{nth} {content_type}: {e}"));
        assert_eq!(feed.title, "Journal caf\u{e9}", "{nth} {content_type}");
        let items: Vec<_> = feed
            .items
            .iter()
            .map(|item| (&*item.id, &*item.title))
            .collect();
        assert_eq!(
            items,
            [("1", "\u{c9}t\u{e9} \u{e0} N\u{ee}mes")],
            "{nth} {content_type}"
        );
    }
}
