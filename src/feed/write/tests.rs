use super::*;
use crate::feed;

fn time(text: &str) -> DateTime<FixedOffset> {
    DateTime::parse_from_rfc3339(text).expect("a time")
}

fn entry(title: &str, html: &str) -> Entry {
    Entry {
        id: "https://example.org/a".to_owned(),
        url: Url::parse("https://example.org/a").ok(),
        title: title.to_owned(),
        html: html.to_owned(),
        authors: vec!["Ann Lee".to_owned()],
        published: Some(time("2026-11-20T08:00:00+02:00")),
        updated: time("2026-11-21T20:00:00Z"),
        categories: vec!["harbour & sea".to_owned()],
        language: Some("en".to_owned()),
        image: None,
    }
}

fn channel(entries: Vec<Entry>) -> Channel {
    Channel {
        id: "https://example.org/".to_owned(),
        title: "News".to_owned(),
        home: Url::parse("https://example.org/").ok(),
        address: Url::parse("https://example.org/whole.xml").ok(),
        language: Some("en".to_owned()),
        entries,
    }
}

const FORMATS: [Format; 3] = [Format::Atom, Format::Rss, Format::Json];

/// Writes a feed of one entry in every format and reads it again; XML is looked at
/// by a parser that mends nothing, too.
fn check(title: &str, html: &str, title_read: &str, html_read: &str) {
    for format in FORMATS {
        let text = write(&channel(vec![entry(title, html)]), format);
        if format != Format::Json {
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
    let text = write(&channel(vec![odd]), Format::Atom);
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
    newer.updated = time("2026-11-21T23:30:00+01:00");
    let text = write(&channel(vec![entry("A", ""), newer]), Format::Atom);
    let first = text.find("<updated>").expect("a time");
    assert!(
        text[first..].starts_with("<updated>2026-11-21T23:30:00+01:00<"),
        "{text}"
    );
    let none = write(&channel(vec![]), Format::Atom);
    assert!(none.contains("<updated>1970-01-01T00:00:00Z<"), "{none}");
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
