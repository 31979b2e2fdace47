use super::*;
use crate::feed;

fn time(text: &str) -> DateTime<FixedOffset> {
    DateTime::parse_from_rfc3339(text).expect("a time")
}

fn entry(title: &str, html: &str) -> FeedEntry {
    FeedEntry {
        id: "https://example.org/a".to_owned(),
        url: Url::parse("https://example.org/a").ok(),
        title: title.to_owned(),
        html: html.to_owned(),
        authors: vec!["Ann Lee".to_owned()],
        published: Some(time("2026-11-20T08:00:00+02:00")),
        updated: Some(time("2026-11-21T20:00:00Z")),
        categories: vec!["harbour & sea".to_owned()],
        language: Some("en".to_owned()),
        ..FeedEntry::default()
    }
}

fn channel(entries: Vec<FeedEntry>) -> Channel {
    Channel {
        id: "https://example.org/".to_owned(),
        title: "News".to_owned(),
        description: Some("All of <it> & more".to_owned()),
        image: Url::parse("https://example.org/logo.png").ok(),
        home: Url::parse("https://example.org/").ok(),
        address: Url::parse("https://example.org/whole.xml").ok(),
        language: Some("en".to_owned()),
        entries,
        at: time("2026-11-22T08:00:00Z"),
    }
}

const FORMATS: [SyndicationFormat; 3] = [
    SyndicationFormat::Atom,
    SyndicationFormat::Rss,
    SyndicationFormat::Json,
];

/// Writes a feed of one entry in every format and reads it again; XML is looked at
/// by a parser that mends nothing, too.
fn check(title: &str, html: &str, title_read: &str, html_read: &str) {
    for format in FORMATS {
        let text = write(&channel(vec![entry(title, html)]), format);
        if format != SyndicationFormat::Json {
            roxmltree::Document::parse(&text).unwrap_or_else(|e| panic!("{format:?} {e}:\n{text}"));
        }
        let read = feed::parse(text.as_bytes(), None, None).expect("a feed");
        assert_eq!(read.warnings, [], "{text}");
        let item = &read.items[0];
        // JSON Feed's titles are plain text; the reader, which takes all titles for
        // HTML, is not asked there.
        let title = match serde_json::from_str::<serde_json::Value>(&text) {
            Ok(json) => json["items"][0]["title"].as_str().map(str::to_owned),
            Err(_) => Some(item.title.clone()),
        };
        assert_eq!(title.as_deref(), Some(title_read), "{text}");
        assert_eq!(item.content.as_deref(), Some(html_read), "{text}");
    }
}

#[test]
fn what_is_written_is_read_again() {
    for format in FORMATS {
        let text = write(&channel(vec![entry("A", "<p>a</p>")]), format);
        let read = feed::parse(text.as_bytes(), None, None).expect("a feed");
        let item = &read.items[0];
        assert_eq!(read.title, "News");
        assert_eq!(read.language.as_deref(), Some("en"));
        assert_eq!(
            read.site.as_ref().map(Url::as_str),
            Some("https://example.org/")
        );
        assert_eq!(item.id, "https://example.org/a");
        assert_eq!(
            item.link.as_ref().map(Url::as_str),
            Some("https://example.org/a")
        );
        assert_eq!(item.authors, ["Ann Lee"]);
        assert_eq!(item.categories, ["harbour & sea"]);
        let published = item.published.as_ref().and_then(|date| date.time);
        assert_eq!(published, Some(time("2026-11-20T08:00:00+02:00")));
    }
}

#[test]
fn titles_are_text() {
    let check = |title: &str, read: &str| check(title, "<p>a</p>", read, "<p>a</p>");
    check("Bridge & tunnel", "Bridge & tunnel");
    check("a < b", "a < b");
    check("AT&T", "AT&T");
    check(
        "<script>alert(1)</script> of old",
        "<script>alert(1)</script> of old",
    );
    check("how &amp; is written", "how &amp; is written");
    check("a ]]> b", "a ]]> b");
    check("two\r\nlines\tand more", "two lines and more");
    check(
        "nul\0 bell\u{7} escape\u{1b}[31m \u{ffff}\u{fffe}",
        "nul bell escape[31m",
    );
}

#[test]
fn content_is_html() {
    let same = |html: &str| check("A", html, "A", html);
    same("<p>a &amp; b &lt;i&gt;</p>\n<p>c</p>");
    same("<p title=\"it's &quot;x&quot;\">a ]]&gt; ]]> b</p>");
    same("<p>日本語 \u{1f600} \u{202e}x</p>");
    check("A", "<p>a\0\u{8}\u{c}b\r\nc\rd</p>", "A", "<p>ab\nc\nd</p>");
}

#[test]
fn only_web_addresses_are_links() {
    let mut odd = entry("A", "<p>a</p>");
    odd.id = "urn:x:1".to_owned();
    odd.url = Url::parse("javascript:alert(1)").ok();
    odd.image = Url::parse("data:image/svg+xml,x").ok();
    let mut channel = channel(vec![odd]);
    channel.home = Url::parse("ftp://example.org/").ok();
    for format in FORMATS {
        let text = write(&channel, format);
        for scheme in ["javascript:", "data:", "ftp:"] {
            assert!(!text.contains(scheme), "{scheme} in {text}");
        }
        assert!(text.contains("urn:x:1"), "{text}");
    }
}

#[test]
fn attributes_cannot_be_left() {
    let mut odd = entry("A", "<p>a</p>");
    odd.categories = vec!["\"/><script>x</script>".to_owned()];
    odd.language = Some("en\" onload=\"x".to_owned());
    odd.url = Url::parse("https://example.org/?a=\"&b=<'>").ok();
    let text = write(&channel(vec![odd]), SyndicationFormat::Atom);
    let document = roxmltree::Document::parse(&text).expect("well-formed");
    let named = |name: &str| {
        document
            .descendants()
            .filter(|n| n.has_tag_name(name))
            .count()
    };
    assert_eq!(named("script"), 0);
    let of_atom = |name: &'static str| {
        let name = ("http://www.w3.org/2005/Atom", name);
        document
            .descendants()
            .find(move |n| n.has_tag_name(name))
            .expect("there")
    };
    let term = of_atom("category").attribute("term");
    assert_eq!(term, Some("\"/><script>x</script>"));
    assert_eq!(of_atom("entry").attributes().count(), 0);
}

#[test]
fn the_time_of_a_feed_is_that_of_its_newest_entry() {
    let mut newer = entry("B", "");
    newer.updated = Some(time("2026-11-21T23:30:00+01:00"));
    let text = write(
        &channel(vec![entry("A", ""), newer]),
        SyndicationFormat::Atom,
    );
    let first = text.find("<updated>").expect("a time");
    assert!(
        text[first..].starts_with("<updated>2026-11-21T23:30:00+01:00<"),
        "{text}"
    );
    let none = write(&channel(vec![]), SyndicationFormat::Atom);
    assert!(none.contains("<updated>2026-11-22T08:00:00Z<"), "{none}");
    for format in FORMATS {
        let text = write(&channel(vec![]), format);
        assert_eq!(
            feed::parse(text.as_bytes(), None, None)
                .expect("a feed")
                .items,
            []
        );
    }
}

/// An entry with two files, of one of which nothing is known.
fn entry_with_files() -> FeedEntry {
    let file = |url: &str| Enclosure {
        url: Url::parse(url).expect("a URL"),
        media_type: None,
        bytes: None,
    };
    let known = Enclosure {
        media_type: Some("audio/mpeg".to_owned()),
        bytes: Some(17),
        ..file("https://example.org/a.mp3?x=1&y")
    };
    FeedEntry {
        enclosures: vec![
            known,
            file("https://example.org/b"),
            file("ftp://example.org/c"),
        ],
        ..entry("A", "<p>a</p>")
    }
}

#[test]
fn pictures_and_files_are_read_again() {
    for format in FORMATS {
        let text = write(&channel(vec![entry_with_files()]), format);
        let read = feed::parse(text.as_bytes(), None, None).expect("a feed");
        let image = read.image.as_ref().map(Url::as_str);
        assert_eq!(image, Some("https://example.org/logo.png"), "{text}");
        assert_eq!(
            read.description.as_deref(),
            Some("All of <it> & more"),
            "{text}"
        );
        let files = &read.items[0].enclosures;
        let first = &files[0];
        assert_eq!(first.url.as_str(), "https://example.org/a.mp3?x=1&y");
        assert_eq!(first.media_type.as_deref(), Some("audio/mpeg"));
        assert_eq!(first.bytes, Some(17));
        // RSS has one; the others are for readers of Media RSS.
        assert_eq!(
            files.len(),
            if format == SyndicationFormat::Rss {
                1
            } else {
                2
            }
        );
        assert!(text.contains("https://example.org/b") && !text.contains("ftp:"));
    }
}

/// The feed as another reader sees it.
#[test]
fn feed_rs_reads_what_is_written() {
    for format in FORMATS {
        let text = write(
            &channel(vec![entry_with_files(), entry("B", "<p>b</p>")]),
            format,
        );
        let read = feed_rs::parser::parse(text.as_bytes()).expect("a feed");
        assert_eq!(
            read.title.map(|title| title.content).as_deref(),
            Some("News")
        );
        assert_eq!(read.language.as_deref(), Some("en"));
        assert_eq!(read.entries.len(), 2);
        let first = &read.entries[0];
        assert_eq!(first.links[0].href, "https://example.org/a");
        assert_eq!(
            first.published.expect("a time"),
            time("2026-11-20T08:00:00+02:00")
        );
        let body = first
            .content
            .as_ref()
            .and_then(|content| content.body.as_deref());
        assert_eq!(body, Some("<p>a</p>"), "{text}");
    }
}

/// RFC 4287: what a feed and an entry must have once, with the attributes of a link.
#[test]
fn atom_has_what_its_standard_wants() {
    let mut other = entry_with_files();
    other.id = "https://example.org/b".to_owned();
    let text = write(
        &channel(vec![entry("A", "<p>a</p>"), other]),
        SyndicationFormat::Atom,
    );
    let document = roxmltree::Document::parse(&text).expect("well-formed");
    let root = document.root_element();
    let count = |node: roxmltree::Node<'_, '_>, name: &str| {
        node.children()
            .filter(|child| child.tag_name().name() == name)
            .count()
    };
    for name in ["id", "title", "updated", "subtitle", "logo"] {
        assert_eq!(count(root, name), 1, "{name}");
    }
    let mut ids = Vec::new();
    for entry in root
        .children()
        .filter(|node| node.has_tag_name((atom::NAMESPACE, "entry")))
    {
        for name in ["id", "title", "updated", "published", "content"] {
            assert_eq!(count(entry, name), 1, "{name}");
        }
        let text = |name: &str| {
            let found = entry
                .children()
                .find(|child| child.tag_name().name() == name);
            found
                .and_then(|node| node.text())
                .unwrap_or_default()
                .to_owned()
        };
        ids.push(text("id"));
        for name in ["updated", "published"] {
            assert!(DateTime::parse_from_rfc3339(&text(name)).is_ok(), "{name}");
        }
    }
    ids.dedup();
    assert_eq!(ids.len(), 2);
    let links = document
        .descendants()
        .filter(|node| node.tag_name().name() == "link");
    let mut relations: Vec<_> = links
        .map(|link| {
            (
                link.attribute("rel").unwrap_or_default(),
                link.attribute("type"),
            )
        })
        .collect();
    relations.sort_unstable();
    relations.dedup();
    let expected = [
        ("alternate", None),
        ("enclosure", Some("application/octet-stream")),
        ("enclosure", Some("audio/mpeg")),
        ("self", None),
    ];
    assert_eq!(relations, expected);
}

/// RSS 2.0 and its profile: required elements, dates as RFC 822 has them, one enclosure
/// with all of its attributes.
#[test]
fn rss_has_what_its_profile_wants() {
    let text = write(&channel(vec![entry_with_files()]), SyndicationFormat::Rss);
    let document = roxmltree::Document::parse(&text).expect("well-formed");
    let channel = document
        .descendants()
        .find(|node| node.has_tag_name("channel"));
    let channel = channel.expect("a channel");
    let text_of = |node: roxmltree::Node<'_, '_>, name: &str| {
        let found = node.children().find(|child| child.has_tag_name(name));
        found.and_then(|node| node.text()).map(str::to_owned)
    };
    for name in ["title", "link", "description", "language", "lastBuildDate"] {
        assert!(
            text_of(channel, name).is_some_and(|text| !text.is_empty()),
            "{name}"
        );
    }
    let image = channel
        .children()
        .find(|node| node.has_tag_name("image"))
        .expect("a picture");
    // The same title and link as the channel's.
    for name in ["title", "link"] {
        assert_eq!(text_of(image, name), text_of(channel, name));
    }
    let item = channel
        .children()
        .find(|node| node.has_tag_name("item"))
        .expect("an item");
    let date = text_of(item, "pubDate").expect("a date");
    assert!(DateTime::parse_from_rfc2822(&date).is_ok(), "{date}");
    let files: Vec<_> = item
        .children()
        .filter(|node| node.has_tag_name("enclosure"))
        .collect();
    let [file] = &files[..] else {
        panic!("{text}");
    };
    assert_eq!(
        (file.attribute("length"), file.attribute("type")),
        (Some("17"), Some("audio/mpeg"))
    );
}

/// JSON Feed 1.1: the version, a string as id, a type of each attachment.
#[test]
fn json_has_what_its_version_wants() {
    let text = write(&channel(vec![entry_with_files()]), SyndicationFormat::Json);
    let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(json["version"], "https://jsonfeed.org/version/1.1");
    assert_eq!(json["icon"], "https://example.org/logo.png");
    let item = &json["items"][0];
    assert!(item["id"].is_string() && item["content_html"].is_string());
    let files = item["attachments"].as_array().expect("two");
    assert_eq!(files.len(), 2);
    assert!(files.iter().all(|file| file["mime_type"].is_string()));
    assert_eq!(
        (&files[0]["size_in_bytes"], files[1].get("size_in_bytes")),
        (&17.into(), None)
    );
}

#[test]
fn an_entry_without_a_time_has_that_of_the_answer_in_atom_alone() {
    let undated = FeedEntry {
        updated: None,
        published: None,
        ..entry("A", "")
    };
    let text = |format| write(&channel(vec![undated.clone()]), format);
    let atom = text(SyndicationFormat::Atom);
    let time = "<updated>2026-11-22T08:00:00Z</updated>";
    assert_eq!(atom.matches(time).count(), 2, "{atom}");
    let (rss, json) = (text(SyndicationFormat::Rss), text(SyndicationFormat::Json));
    for name in ["pubDate", "lastBuildDate", "atom:updated>"] {
        assert!(!rss.contains(name), "{rss}");
    }
    assert!(!json.contains("\"date_"), "{json}");
    // A date of publication is enough.
    let published = FeedEntry {
        published: Some(super::tests::time("2026-11-20T08:00:00Z")),
        ..undated
    };
    let rss = write(&channel(vec![published]), SyndicationFormat::Rss);
    assert_eq!(rss.matches("20 Nov 2026 08:00:00").count(), 2, "{rss}");
}
