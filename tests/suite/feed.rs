//! The feed stage on whole documents: each folder of `tests/data/feed` has an input, its
//! settings (`settings.json`, optional) and the expected feed or error.
//!
//! `BLESS=1 cargo test --test suite feed` writes the expectations anew; read the
//! difference before it is committed.

use std::fs;
use std::path::Path;

use forest_core::feed::{MAX_FEED_BYTES, parse, parse_opml, plain_text, sniff};
use proptest::prelude::*;
use serde_json::{Value, json};
use url::Url;

fn run(case: &Path) -> Value {
    let mut input = None;
    for entry in fs::read_dir(case).expect("a folder a case") {
        let path = entry.expect("a readable entry").path();
        if path.file_stem().is_some_and(|stem| stem == "input") {
            input = Some(path);
        }
    }
    let bytes = fs::read(input.expect("an input file")).expect("a readable input");
    let settings: Value = match fs::read(case.join("settings.json")) {
        Ok(settings) => serde_json::from_slice(&settings).expect("settings in JSON"),
        Err(_) => json!({}),
    };
    let base = settings["base"]
        .as_str()
        .map(|base| Url::parse(base).expect("a URL"));
    match parse(&bytes, base.as_ref(), settings["content_type"].as_str()) {
        Ok(feed) => serde_json::to_value(feed).expect("a feed serialises"),
        Err(error) => json!({ "error": error.to_string() }),
    }
}

#[test]
fn cases() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/feed");
    let mut cases: Vec<_> = fs::read_dir(root)
        .expect("the cases")
        .map(|entry| entry.expect("a readable entry").path())
        .collect();
    cases.sort();
    assert!(cases.len() >= 30, "{} cases found", cases.len());
    let mut wrong = Vec::new();
    for case in &cases {
        let found = format!("{:#}\n", run(case));
        let path = case.join("expected.json");
        if std::env::var_os("BLESS").is_some() {
            fs::write(&path, &found).expect("a writable folder");
        }
        let expected = fs::read_to_string(&path).unwrap_or_default();
        if found != expected {
            wrong.push(format!("{}: found {found}", case.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn too_large() {
    let mut bytes = b"<rss version='2.0'><channel>".to_vec();
    bytes.resize(MAX_FEED_BYTES + 1, b' ');
    let error = parse(&bytes, None, None)
        .expect_err("too large")
        .to_string();
    assert!(error.contains("more than the limit"), "{error}");
}

#[test]
fn many_items_are_bounded() {
    let item = "<item><link>http://example.org/a</link></item>";
    let xml = format!(
        "<rss version='2.0'><channel>{}</channel></rss>",
        item.repeat(10_001)
    );
    let feed = parse(xml.as_bytes(), None, None).expect("a feed");
    assert_eq!(feed.items.len(), 10_000);
    assert!(
        feed.warnings[0]
            .to_string()
            .contains("more than 10000 items")
    );
}

#[test]
fn deep_markup_and_open_tags_are_linear() {
    let deep = "<b>".repeat(200_000);
    let xml = format!(
        "<rss version='2.0'><channel><item><title>t</title><description>{deep}</description></item></channel></rss>"
    );
    let feed = parse(xml.as_bytes(), None, None).expect("a feed");
    assert_eq!(feed.items[0].title, "t");
    let noise = format!("<rss><channel><item>{}", "<![CDATA[<a b='&".repeat(200_000));
    assert_eq!(
        parse(noise.as_bytes(), None, None)
            .expect("a feed")
            .items
            .len(),
        0
    );
}

#[test]
fn names_that_html_has_and_xml_has_not_are_read_in_titles() {
    let rss =
        |title: &str| format!("<rss version='2.0'><channel><item>{title}</item></channel></rss>");
    let rdf = |title: &str| {
        format!(
            "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' \
             xmlns='http://purl.org/rss/1.0/'><item>{title}</item></rdf:RDF>"
        )
    };
    let atom = |title: &str| {
        format!("<feed xmlns='http://www.w3.org/2005/Atom'><entry>{title}</entry></feed>")
    };
    let check = |document: String, expected: &str| {
        let feed = parse(document.as_bytes(), None, None).expect(&document);
        assert_eq!(feed.items[0].title, expected, "{document}");
    };
    // Entities: undefined, escaped twice, in CDATA, beside an element.
    let titles = [
        "<title>Caf&eacute; &ndash; &Agrave; la carte</title>",
        "<title>Caf&amp;eacute; &amp;ndash; &amp;Agrave; la carte</title>",
        "<title><![CDATA[Caf&eacute; &ndash; &Agrave; la carte]]></title>",
        "<title><b>Caf&eacute;</b> &ndash; &Agrave; la carte</title>",
    ];
    for title in titles {
        for document in [rss(title), rdf(title), atom(title)] {
            check(document, "Café – À la carte");
        }
        let html = title.replace("<title>", "<title type='html'>");
        check(atom(&html), "Café – À la carte");
    }
    check(
        atom("<title type='xhtml'><div>Caf&eacute;</div></title>"),
        "Café",
    );
    // Atom's type `text` is decoded once.
    check(atom("<title type='text'>Caf&eacute;</title>"), "Café");
    check(
        atom("<title type='text'>What &amp;eacute; means</title>"),
        "What &eacute; means",
    );
    // A document's own definitions are ignored, for these and for other names.
    let own = "<!DOCTYPE rss [<!ENTITY eacute 'haha'><!ENTITY x 'haha'>]>";
    let title = "<title>Caf&eacute; &x;</title>";
    check(format!("{own}{}", rss(title)), "Café &x;");
    check(format!("{own}{}", atom(title)), "Café &x;");
}

fn opml(text: &str) -> String {
    match parse_opml(text.as_bytes()) {
        Ok(outlines) => outlines
            .iter()
            .map(|outline| {
                let home = outline.html_url.as_ref().map_or("", Url::as_str);
                format!("{}|{}|{home}", outline.title, outline.xml_url)
            })
            .collect::<Vec<_>>()
            .join("\n"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn opml_folders() {
    let check = |text: &str, expected: &[(&str, &[&str])]| {
        let feeds = parse_opml(text.as_bytes()).expect("OPML");
        let found: Vec<(String, Vec<String>)> = feeds
            .iter()
            .map(|feed| {
                let paths = feed.folders.iter().map(|path| path.join("/"));
                (feed.title.clone(), paths.collect())
            })
            .collect();
        let expected: Vec<(String, Vec<String>)> = expected
            .iter()
            .map(|(title, paths)| {
                let paths = paths.iter().map(|path| (*path).to_owned());
                ((*title).to_owned(), paths.collect())
            })
            .collect();
        assert_eq!(found, expected);
    };
    check(
        "<opml><body><outline text='A'><outline title='B' text='b'><outline text='one' xmlUrl='http://a.example/1'/>
         </outline><outline text='two' xmlUrl='http://a.example/2'/></outline>
         <outline text='three' xmlUrl='http://a.example/3'/>
         <outline text='C'><outline text='again' xmlUrl='http://a.example/1'/></outline></body></opml>",
        &[("one", &["A/B", "C"]), ("two", &["A"]), ("three", &[])],
    );
    // A feed is not a folder, nor is an outline without a name.
    check(
        "<opml><outline><outline text='one' xmlUrl='http://a.example/1'>
         <outline text='two' xmlUrl='http://a.example/2'/></outline></outline></opml>",
        &[("one", &[]), ("two", &[])],
    );
}

#[test]
fn opml_lists() {
    let check = |text: &str, expected: &str| assert_eq!(opml(text), expected);
    check(
        "<opml version='2.0'><body><outline text='Folder'>
         <outline text='A &amp; B' title='' type='rss' xmlUrl='http://a.example/feed' htmlUrl='http://a.example/'/>
         <outline TEXT='C' XMLURL='http://c.example/feed?x&y' />
         </outline><outline title='A again' xmlUrl='http://a.example/feed'/>
         <outline type='rss' url='http://d.example/feed' text='D'></outline>
         <outline type='link' url='http://e.example/' text='E'/></body></opml>",
        "A & B|http://a.example/feed|http://a.example/\nC|http://c.example/feed?x&y|\nD|http://d.example/feed|",
    );
    check(
        "<?xml version='1.0'?>\n<opml>\n<body>\n<outline text='x' xmlUrl='feed.xml'/></body></opml>\n",
        "OPML line 4: the list has no feed: `outline` elements need an `xmlUrl` with an absolute address",
    );
    check(
        "\n<html>",
        "OPML line 2: the document is no OPML: its root element must be `opml`",
    );
    check(
        "",
        "OPML line 1: the document is no OPML: its root element must be `opml`",
    );
    let deep = format!("<opml>\n{}", "<outline text='x'>\n".repeat(70));
    check(
        &deep,
        "OPML line 66: folders nest deeper than 64 levels: close the `outline` elements",
    );
    check(
        "<opml><outline xmlUrl='http://a.example/f' text='cut'/><outline xm",
        "cut|http://a.example/f|",
    );
}

/// Text that is a feed more often than random text: pieces of feeds in any order.
fn pieces() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop::sample::select(vec![
        "<rss version='2.0'>",
        "<channel>",
        "<item>",
        "</item>",
        "<title>",
        "</title>",
        "<link>http://e.example/",
        "</link>",
        "<feed xmlns='http://www.w3.org/2005/Atom'>",
        "<entry>",
        "</entry>",
        "<link href='x' rel='alternate'/>",
        "<content type='xhtml'>",
        "<content type='9/9'>",
        "</content>",
        "<author>",
        "</author>",
        "（a@b.example）",
        "<name>",
        "ż.a@b.cd",
        "&#0;",
        "&nbsp;",
        "&",
        "<",
        "]]>",
        "<![CDATA[",
        "<pubDate>",
        "</pubDate>",
        "Sun, 99 Jul 2012 25:00:00 CEST",
        "2024-01-01T00:00:00.123+99:99",
        "<itunes:duration>",
        "99999999999999999999:00:00",
        "</itunes:duration>",
        "<media:content url='é' duration='99999999999999999999'/>",
        " xml:base='http://['",
        "<guid isPermaLink='true'>",
        "</guid>",
        "\u{FFFE}",
        "é",
        "{\"version\":\"https://jsonfeed.org/version/1\",\"items\":[",
        "{\"id\":",
        "1",
        "}",
        "]",
        ",",
        "\"\"",
        "</rss>",
        "</feed>",
        "<rdf:RDF xmlns='http://purl.org/rss/1.0/'>",
        "<opml>",
        "<outline xmlUrl='http://e.example'",
        "<!DOCTYPE a [",
        "<!ENTITY",
        "]>",
        "<!--",
        "-->",
    ]);
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat().into_bytes())
}

fn all(bytes: &[u8]) {
    let base = Url::parse("http://example.org/feed").expect("a URL");
    let _ = parse(bytes, None, None);
    let with_root = [b"<rss><channel><item>".as_slice(), bytes].concat();
    for given in [bytes, &with_root] {
        let first = parse(given, Some(&base), Some("text/xml; charset=gbk"));
        let second = parse(given, Some(&base), Some("text/xml; charset=gbk"));
        if let (Ok(first), Ok(second)) = (first, second) {
            assert_eq!(first, second, "the same bytes give the same feed");
        }
    }
    let _ = parse_opml(bytes);
    let _ = sniff(bytes);
    let text = String::from_utf8_lossy(bytes);
    let plain = plain_text(&text);
    assert!(plain.len() <= 4 * text.len() + 4);
}

proptest! {
    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        all(&bytes);
    }

    #[test]
    fn no_pieces_panic(bytes in pieces()) {
        all(&bytes);
    }

    #[test]
    fn a_cut_feed_keeps_its_whole_items(cut in 0usize..2000) {
        let whole = include_bytes!("../data/feed/rss2-weblog/input.xml");
        let feed = parse(whole, None, None).expect("a feed");
        let cut = cut.min(whole.len());
        if let Ok(part) = parse(&whole[..cut], None, None) {
            let closed = String::from_utf8_lossy(&whole[..cut]).matches("</item>").count();
            prop_assert_eq!(part.items.len(), closed);
            prop_assert_eq!(&part.items[..], &feed.items[..closed]);
        }
    }
}
