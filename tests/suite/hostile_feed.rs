//! Malicious feeds: their declarations are not expanded, not fetched and not followed
//! recursively.

use std::net::TcpListener;
use std::thread;

use forest_core::feed::{Feed, parse, parse_opml};

/// The number of nested levels.
const DEEP: usize = 100_000;

/// Parses on a stack that is too small for a recursion over the levels.
fn parsed(bytes: impl Into<Vec<u8>>) -> forest_core::Result<Feed> {
    let bytes = bytes.into();
    let small = thread::Builder::new().stack_size(256 * 1024);
    let thread = small.spawn(move || parse(&bytes, None, None));
    thread.expect("a thread").join().expect("no panic")
}

fn json(feed: &Feed) -> String {
    serde_json::to_string(feed).expect("JSON")
}

/// Documents whose title, text and attributes are `&x;`, below a declaration.
fn with_entity(declaration: &str) -> Vec<String> {
    let rss = "<rss version='2.0'><channel><title>&x;</title><link>&x;</link>\
        <item><title>one &x;</title><description>&x;</description>\
        <link>http://site.example/1</link><enclosure url='&x;' type='&x;' length='1'/></item>\
        <item><title>two</title><link>http://site.example/2</link></item></channel></rss>";
    let atom = "<feed xmlns='http://www.w3.org/2005/Atom'><title>&x;</title><id>i</id>\
        <entry><id>1</id><title type='html'>one &x;</title><content type='xhtml'><p>&x;</p></content>\
        <link href='http://site.example/1' title='&x;'/></entry>\
        <entry><id>2</id><title>two</title><link href='http://site.example/2'/></entry></feed>";
    let rdf = "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' \
        xmlns='http://purl.org/rss/1.0/'><channel><title>&x;</title></channel>\
        <item rdf:about='&x;'><title>one &x;</title><link>http://site.example/1</link></item>\
        <item><title>two</title><link>http://site.example/2</link></item></rdf:RDF>";
    let of = |(root, body): (&str, &str)| {
        format!("<?xml version='1.0'?><!DOCTYPE {root} [{declaration}]>{body}")
    };
    [("rss", rss), ("feed", atom), ("rdf:RDF", rdf)]
        .map(of)
        .to_vec()
}

/// Checks that the feed has its two items, and not more text than a document of its size.
fn check_entity(declaration: &str, expanded: &str) {
    for document in with_entity(declaration) {
        let feed = parsed(&*document).unwrap_or_else(|e| panic!("{document:.300}: {e}"));
        let links: Vec<_> = feed
            .items
            .iter()
            .filter_map(|item| item.link.as_ref())
            .collect();
        let links: Vec<&str> = links.iter().map(|link| link.as_str()).collect();
        assert_eq!(links, ["http://site.example/1", "http://site.example/2"]);
        assert_eq!(feed.items[1].title, "two");
        let json = json(&feed);
        assert!(!json.contains(expanded), "{json:.500}");
        assert!(json.len() < 10_000, "{} bytes", json.len());
    }
}

#[test]
fn xml_bombs_are_not_expanded() {
    let mut laughs = String::from("<!ENTITY l0 'ha'>");
    for level in 1..=30 {
        let below = format!("&l{};", level - 1).repeat(10);
        laughs.push_str(&format!("<!ENTITY l{level} '{below}'>"));
    }
    check_entity(&format!("{laughs}<!ENTITY x '&l30;'>"), "haha");
    // A long entity used often, one that contains itself, two that contain each other.
    let long = "ha".repeat(500);
    check_entity(
        &format!("<!ENTITY y '{long}'><!ENTITY x '{}'>", "&y;".repeat(1000)),
        "haha",
    );
    check_entity("<!ENTITY x '&x;ha&x;'>", "haha");
    check_entity("<!ENTITY x '&y;ha&y;'><!ENTITY y '&x;ha&x;'>", "haha");
    check_entity("<!ENTITY % p '<!ENTITY x \"haha\">'> %p;", "haha");
    check_entity("<!ENTITY x '<item><title>haha</title></item>'>", "haha");
    // A declaration of a standard entity has no effect.
    check_entity(
        "<!ENTITY amp 'haha'><!ENTITY lt 'haha'><!ENTITY x '&lt;'>",
        "haha",
    );
}

#[test]
fn external_entities_are_neither_read_nor_requested() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.set_nonblocking(true).expect("set");
    let at = format!(
        "http://{}/x.dtd",
        listener.local_addr().expect("an address")
    );
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("secret");
    std::fs::write(&path, "the secret").expect("written");
    for target in [
        at.clone(),
        format!("file://{}", path.display()),
        path.display().to_string(),
    ] {
        for declaration in [
            format!("<!ENTITY x SYSTEM '{target}'>"),
            format!("<!ENTITY x PUBLIC 'any' '{target}'>"),
            format!("<!ENTITY % p SYSTEM '{target}'> %p;"),
            format!("<!ENTITY x SYSTEM '{target}' NDATA gif>"),
            format!("<!NOTATION gif SYSTEM '{target}'><!ENTITY x '&y;'>"),
        ] {
            check_entity(&declaration, "the secret");
        }
        // Other ways to name another document.
        let body = format!(
            "<!DOCTYPE rss SYSTEM '{target}'><?xml-stylesheet href='{target}'?>\
             <rss version='2.0' xmlns:xi='http://www.w3.org/2001/XInclude' \
             xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' xsi:schemaLocation='u {target}'>\
             <channel><title>t</title><xi:include href='{target}' parse='text'/>\
             <item><title>one</title><link>http://site.example/1</link>\
             <description><xi:include href='{target}' parse='text'/></description></item>\
             </channel></rss>"
        );
        let feed = parsed(&*body).expect("a feed");
        assert_eq!(feed.items.len(), 1);
        assert!(!json(&feed).contains("the secret"));
    }
    let connection = listener.accept().map(|_| ());
    let none = connection.expect_err("nobody asks");
    assert_eq!(none.kind(), std::io::ErrorKind::WouldBlock);
}

/// A document around so many levels, each opened and closed, or opened only.
fn nested(before: &str, open: &str, close: &str, after: &str) -> Vec<String> {
    vec![
        format!(
            "{before}{}x{}{after}",
            open.repeat(DEEP),
            close.repeat(DEEP)
        ),
        format!("{before}{}x{after}", open.repeat(DEEP)),
        format!("{before}{}", open.repeat(DEEP)),
        format!("{before}{}{after}", close.repeat(DEEP)),
    ]
}

#[test]
fn a_hundred_thousand_levels_are_no_depth() {
    let item = "<item><title>one</title><link>http://site.example/1</link></item>";
    let rss = "<rss version='2.0'><channel><title>t</title>";
    let end = format!("{item}</channel></rss>");
    let atom = "<feed xmlns='http://www.w3.org/2005/Atom'><title>t</title><entry><id>1</id>";
    let atom_end = "</entry></feed>";
    let mut documents = nested("", "<rss>", "</rss>", "");
    documents.extend(nested(rss, "<a>", "</a>", &end));
    documents.extend(nested(rss, "<item>", "</item>", &end));
    documents.extend(nested(rss, "<channel>", "</channel>", &end));
    documents.extend(nested(rss, "<a:b xmlns:a='u'>", "</a:b>", &end));
    documents.extend(nested(rss, "<![CDATA[", "]]>", &end));
    documents.extend(nested(rss, "<!--", "-->", &end));
    documents.extend(nested(
        &format!("{rss}<item><description>"),
        "<b>",
        "</b>",
        &format!("</description></item>{end}"),
    ));
    documents.extend(nested(
        &format!("{rss}<item><description>"),
        "&lt;b&gt;",
        "&lt;/b&gt;",
        &format!("</description></item>{end}"),
    ));
    documents.extend(nested(
        &format!("{rss}<item><title>"),
        "<i>",
        "</i>",
        &format!("</title></item>{end}"),
    ));
    documents.extend(nested(
        &format!("{atom}<content type='xhtml'>"),
        "<div>",
        "</div>",
        &format!("</content>{atom_end}"),
    ));
    documents.extend(nested(atom, "<entry>", "</entry>", atom_end));
    documents.extend(nested(atom, "<source>", "</source>", atom_end));
    documents.extend(nested(
        "<!DOCTYPE rss [",
        "<!ENTITY a [",
        "]>",
        &format!("]>{rss}{end}"),
    ));
    documents.extend(nested(
        "{\"version\":\"https://jsonfeed.org/version/1.1\",\"items\":",
        "[",
        "]",
        "}",
    ));
    documents.extend(nested(
        "{\"version\":\"https://jsonfeed.org/version/1.1\",\"items\":",
        "{\"a\":",
        "}",
        "}",
    ));
    for document in documents {
        // It may be a feed or not; the parser ends, and the result is not larger than the input.
        if let Ok(feed) = parsed(&*document) {
            let json = json(&feed);
            assert!(
                json.len() < 4 * document.len(),
                "{document:.100}: {}",
                json.len()
            );
        }
    }
    // The content beside the levels is still there.
    let beside = format!(
        "{rss}<a>{}x{}</a>{end}",
        "<a>".repeat(1000),
        "</a>".repeat(1000)
    );
    assert_eq!(parsed(beside).expect("a feed").items[0].title, "one");
}

#[test]
fn a_list_of_a_hundred_thousand_levels_is_no_depth() {
    for document in nested(
        "<opml version='2.0'><body>",
        "<outline text='a'>",
        "</outline>",
        "</body></opml>",
    ) {
        let small = thread::Builder::new().stack_size(256 * 1024);
        let thread = small.spawn(move || parse_opml(document.as_bytes()).map(|list| list.len()));
        // No feed is in it.
        assert!(thread.expect("a thread").join().expect("no panic").is_err());
    }
}

/// A feed with these bytes in its title.
fn titled(bytes: &[u8]) -> Vec<u8> {
    let start =
        b"<?xml version='1.0' encoding='utf-8'?><rss version='2.0'><channel><title>".as_slice();
    let end = b"</title><item><title>one</title><link>http://site.example/1</link></item></channel></rss>";
    [start, bytes, end].concat()
}

#[test]
fn bytes_that_are_no_utf_8_cost_no_item() {
    let mut odd: Vec<Vec<u8>> = (0x80..=0xff).map(|byte| vec![b'a', byte, b'b']).collect();
    odd.extend([
        // Overlong, surrogates, beyond Unicode, cut, lone continuation.
        b"\xc0\xaf".to_vec(),
        b"\xe0\x80\xaf".to_vec(),
        b"\xc0\xbcitem\xc0\xbe".to_vec(),
        b"\xed\xa0\x80\xed\xb0\x80".to_vec(),
        b"\xf4\x90\x80\x80".to_vec(),
        b"\xf8\x88\x80\x80\x80".to_vec(),
        b"\xe2\x82".to_vec(),
        b"\x80\x80\x80".to_vec(),
        b"\xff\xfe\xff\xfe".to_vec(),
        b"\xef\xbf\xbe\xef\xbf\xbf".to_vec(),
        vec![0xff; 100_000],
        [0xe2, 0x28].repeat(50_000),
    ]);
    for bytes in odd {
        let feed = parsed(titled(&bytes));
        let name = bytes[..bytes.len().min(8)].escape_ascii().to_string();
        let feed = feed.unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(feed.items.len(), 1, "{name}");
        assert_eq!(feed.items[0].title, "one", "{name}");
        assert!(!feed.title.contains('\0'), "{name}: {:?}", feed.title);
        // An overlong `<` opens nothing.
        assert!(!feed.title.contains("<item>"), "{name}");
    }
}

#[test]
fn what_holds_nul_or_hides_the_feed_is_no_feed() {
    let refused = |bytes: Vec<u8>| parsed(bytes).expect_err("refused").to_string();
    let nul = refused(titled(b"\0\0\0"));
    assert!(nul.contains("binary data"), "{nul}");
    let long = format!("<!ENTITY x '{}'>", "ha".repeat(1_000_000));
    for document in with_entity(&long) {
        let text = refused(document.into_bytes());
        assert!(text.contains("not a feed"), "{text}");
    }
}

#[test]
fn a_wrongly_declared_charset_costs_no_item() {
    for declared in [
        "utf-8",
        "utf-16",
        "utf-16le",
        "utf-32",
        "utf-7",
        "iso-8859-1",
        "x-user-defined",
        "nonsense",
        "replacement",
        "",
    ] {
        let document = format!(
            "<?xml version='1.0' encoding='{declared}'?><rss version='2.0'><channel><title>t</title>\
             <item><title>one</title><link>http://site.example/1</link></item></channel></rss>"
        );
        for content_type in [
            None,
            Some("text/xml; charset=utf-16"),
            Some("text/xml; charset=nonsense"),
            Some("\u{0}"),
        ] {
            let feed = parse(document.as_bytes(), None, content_type);
            let feed = feed.unwrap_or_else(|e| panic!("{declared} {content_type:?}: {e}"));
            assert_eq!(feed.items.len(), 1, "{declared} {content_type:?}");
            assert_eq!(feed.items[0].title, "one", "{declared} {content_type:?}");
        }
    }
}
