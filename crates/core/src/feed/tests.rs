//! Kinds of faults that users of other readers reported, each with its relatives.

use super::{Feed, FeedItem, parse, plain_text};
use url::Url;

fn read(text: &str) -> Feed {
    let base = Url::parse("https://bay.example/feed.xml").expect("a URL");
    parse(text.as_bytes(), Some(&base), None).expect("a feed")
}

fn rss(items: &str) -> Feed {
    read(&format!(
        "<rss version='2.0' xmlns:dc='http://purl.org/dc/elements/1.1/' \
         xmlns:dcterms='http://purl.org/dc/terms/' xmlns:media='http://search.yahoo.com/mrss/' \
         xmlns:content='http://purl.org/rss/1.0/modules/content/' \
         xmlns:itunes='http://www.itunes.com/dtds/podcast-1.0.dtd'>\
         <channel><title>Bay</title>{items}</channel></rss>"
    ))
}

fn item(fields: &str) -> FeedItem {
    let mut feed = rss(&format!("<item>{fields}</item>"));
    feed.items.remove(0)
}

fn entry(fields: &str) -> FeedItem {
    let text = format!(
        "<feed xmlns='http://www.w3.org/2005/Atom' xmlns:media='http://search.yahoo.com/mrss/'>\
         <entry>{fields}</entry></feed>"
    );
    read(&text).items.remove(0)
}

#[test]
fn media_titles_and_descriptions_stand_in() {
    let check = |item: FeedItem, title: &str, summary: &str| {
        assert_eq!((&*item.title, &*item.summary), (title, summary));
    };
    check(
        entry(
            "<media:group><media:title>Crane</media:title>\
               <media:description>We climb.\n\nPart two follows.</media:description></media:group>",
        ),
        "Crane",
        "We climb.\nPart two follows.",
    );
    check(
        item(
            "<media:title type='plain'>A &lt;b&gt; tag</media:title><media:description type='html'>&lt;p&gt;Climb&lt;/p&gt;</media:description>",
        ),
        "A <b> tag",
        "Climb",
    );
    check(
        item(
            "<media:content url='a.mp4'><media:description>Inside</media:description></media:content>",
        ),
        "",
        "Inside",
    );
    check(
        entry(
            "<media:group><media:title type='html'>&lt;b&gt;Bold&lt;/b&gt;</media:title><media:description type='html'>&lt;p&gt;Climb&lt;/p&gt;</media:description></media:group>",
        ),
        "Bold",
        "Climb",
    );
    // The item's own elements come first, wherever they stand.
    check(
        item(
            "<media:title>Second</media:title><media:description>Second</media:description><title>First</title><description>One</description>",
        ),
        "First",
        "One",
    );
    check(
        item(
            "<title>T</title><content:encoded>&lt;p&gt;Text&lt;/p&gt;</content:encoded><media:description>A caption</media:description>",
        ),
        "T",
        "",
    );
    check(
        item("<itunes:title>Part 1</itunes:title><itunes:subtitle>Of the lamp</itunes:subtitle>"),
        "Part 1",
        "Of the lamp",
    );
}

#[test]
fn dublin_core_stands_in() {
    let feed = read(
        "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' \
         xmlns='http://purl.org/rss/1.0/' xmlns:dc='http://purl.org/dc/elements/1.1/'>\
         <channel><dc:title>Bay in Dublin Core</dc:title><dc:description>Of the bay</dc:description></channel>\
         <item><dc:title>Choir</dc:title><dc:description>Two voices.</dc:description></item></rdf:RDF>",
    );
    assert_eq!(feed.title, "Bay in Dublin Core");
    assert_eq!(feed.description.as_deref(), Some("Of the bay"));
    assert_eq!(feed.items[0].title, "Choir");
    assert_eq!(feed.items[0].summary, "Two voices.");
    let abstracted = item("<title>A</title><dcterms:abstract>In short</dcterms:abstract>");
    assert_eq!(abstracted.summary, "In short");
    let both = item("<dc:description>Second</dc:description><description>First</description>");
    assert_eq!(both.summary, "First");
}

#[test]
fn dates_in_common_forms_are_read() {
    let published = |raw: &str| {
        let date = item(&format!("<pubDate>{raw}</pubDate>")).published;
        let time = date.and_then(|date| date.time);
        time.map(|time| time.to_utc().format("%FT%TZ").to_string())
    };
    let at = "2026-08-29T19:59:32Z";
    let mut wrong = Vec::new();
    for (raw, expected) in [
        ("2026-08-29T19:59Z", "2026-08-29T19:59:00Z"),
        ("2026-08-29T19:59+02:00", "2026-08-29T17:59:00Z"),
        ("2026-08-29 19:59:32", at),
        ("2026-08-29T19:59:32", at),
        ("2026-08-29 19:59:32 +0200", "2026-08-29T17:59:32Z"),
        ("Sat, 29 Aug 2026", "2026-08-29T00:00:00Z"),
        ("Sat, 29 Aug 2026 19:59:32", at),
        ("Sat, 29 Aug 2026 19:59:32 GMT+2", "2026-08-29T17:59:32Z"),
        ("Sat 29 Aug 2026 19:59:32 GMT", at),
        ("Sat, 29 Aug 2026 19:59:32.672 GMT", at),
        ("Sat, Aug 29 2026 07:59:32 PM", at),
        ("Sat Aug 29 19:59:32 2026", at),
        ("Sat, Aug 29, 2026 19:59:32 GMT", at),
        ("August 29, 2026", "2026-08-29T00:00:00Z"),
        ("2026-08-29 19:59:32 UTC", at),
        ("20260829T195932Z", at),
        // Relatives.
        ("Saturday, 29 August 2026 19:59:32 +0000", at),
        ("Sat, 29 Aug 26 19:59:32 GMT", at),
        ("Thu, 29 Aug 2026 19:59:32 GMT", at),
        ("2026-08-29T19:59:32.123456+00:00", at),
        ("2026-08-29T19:59:32+0000", at),
        ("2026-08-29T19:59:32Z+00:00", at),
        ("Sat, 29 Aug 2026 19:59:32 Z", at),
        ("Sat, 29 Aug 2026 14:59:32 EST", "2026-08-29T19:59:32Z"),
        ("Sat, 29 Aug 2026 12:59:32 PDT", at),
        ("Sat, 29 Sept 2026 19:59:32 GMT", "2026-09-29T19:59:32Z"),
        ("2026/08/29 19:59:32", at),
        ("2026-08", "2026-08-01T00:00:00Z"),
        ("2026", "2026-01-01T00:00:00Z"),
        ("1788033572", at),
        ("Sat, 29 Aug 2026 19:59:32 +02:00", "2026-08-29T17:59:32Z"),
        ("sam., 29 août 2026 19:59:32 +0000", at),
        ("Sa, 29 Mai 2026 19:59:32 +0200", "2026-05-29T17:59:32Z"),
    ] {
        let found = published(raw);
        if found.as_deref() != Some(expected) {
            wrong.push((raw, expected, found));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let british = rss("<language>en-gb</language><item><pubDate>11/3/2026</pubDate></item>");
    let date = british.items[0]
        .published
        .as_ref()
        .and_then(|date| date.time);
    assert_eq!(
        date.map(|time| time.to_rfc3339()).as_deref(),
        Some("2026-03-11T00:00:00+00:00")
    );
    let german = rss("<language>de-de</language><item><pubDate>3.5.2026 10:00</pubDate></item>");
    let date = german.items[0]
        .published
        .as_ref()
        .and_then(|date| date.time);
    assert_eq!(
        date.map(|time| time.to_rfc3339()).as_deref(),
        Some("2026-05-03T10:00:00+00:00")
    );
}

#[test]
fn dates_that_mean_none_are_none() {
    for raw in [
        "0001-01-01T00:00:00Z",
        "1970-01-01T00:00:00Z",
        "Thu, 01 Jan 1970 00:00:00 +0000",
        "Thu, 01 Jan 1970 01:00:00 +0100",
        "1970-01-01T01:00:00Z",
        "1969-12-31T19:00:00-00:00",
        "Mon, 01 Jan 0001 00:00:00 +0000",
        "Wed, 30 Nov -0001 00:00:00 +0000",
        "0000-00-00 00:00:00",
        "9999-12-31T23:59:59Z",
        "0",
    ] {
        let date = item(&format!("<pubDate>{raw}</pubDate>")).published;
        assert_eq!(date.and_then(|date| date.time), None, "{raw}");
    }
    let old = item("<pubDate>1969-07-21T02:56:00Z</pubDate>").published;
    assert!(old.and_then(|date| date.time).is_some());
}

#[test]
fn empty_elements_of_xhtml_end_where_they_stand() {
    let div = |inside: &str| {
        entry(&format!(
            "<content type='xhtml'><div xmlns='http://www.w3.org/1999/xhtml'>{inside}</div></content>"
        ))
    };
    for empty in [
        "<script src='a.js'/>",
        "<iframe src='https://video.example/e/1' />",
        "<textarea/>",
        "<title/>",
        "<b/>",
        "<a id='x'/>",
        "<object data='a'/>",
        "<p><i/></p>",
    ] {
        let content = div(&format!("<p>Before</p>{empty}<p>After<br/>all</p>")).content;
        let text = plain_text(&content.expect("content"));
        assert_eq!(text, "Before\nAfter\nall", "{empty}");
    }
    let body = item(
        "<xhtml:body xmlns:xhtml='http://www.w3.org/1999/xhtml'><xhtml:p>One<xhtml:b/></xhtml:p><xhtml:p>Two</xhtml:p></xhtml:body>",
    );
    assert_eq!(body.content.as_deref(), Some("<p>One<b></b></p><p>Two</p>"));
    let inline = item("<description>One <b/>two<br/>three</description>");
    assert_eq!(inline.summary, "One two\nthree");
}

#[test]
fn a_mail_address_is_no_part_of_a_name() {
    for (written, name) in [
        ("Ada Quill (ada@courier.example)", Some("Ada Quill")),
        ("Ada Quill (mailto:ada@courier.example)", Some("Ada Quill")),
        ("Ada Quill, ada@courier.example", Some("Ada Quill")),
        ("Ada Quill ada@courier.example", Some("Ada Quill")),
        ("ada@courier.example, bob@courier.example", None),
        ("ada@courier.example (Ada Quill)", Some("Ada Quill")),
        ("&lt;ada@courier.example&gt; Ada Quill", Some("Ada Quill")),
        ("Ada Quill [ada@courier.example]", Some("Ada Quill")),
        ("Ada Quill - ada@courier.example", Some("Ada Quill")),
        ("Ada Quill (Editor)", Some("Ada Quill (Editor)")),
        ("ada@courier.example", None),
        ("ada@courier.example (ada@courier.example)", None),
        (
            "Ada Quill-Smith &lt;ada-q@courier.example&gt;",
            Some("Ada Quill-Smith"),
        ),
        ("@ada", Some("@ada")),
    ] {
        for field in ["author", "dc:creator", "itunes:author"] {
            let authors = item(&format!("<{field}>{written}</{field}>")).authors;
            assert_eq!(authors.first().map(String::as_str), name, "{written}");
        }
    }
    let many: String = (0..200_000).map(|n| format!("a{n}@bay.example ")).collect();
    assert!(item(&format!("<author>{many}</author>")).authors.len() < 2);
    let named = |inside: &str| entry(&format!("<author>{inside}</author>")).authors;
    assert_eq!(named("<name>Ada (ada@bay.example)</name>"), ["Ada"]);
    assert!(named("<email>ada@bay.example</email>").is_empty());
    assert!(named("<uri>https://bay.example/</uri>").is_empty());
    for (written, names) in [
        (
            "ann@x.example (Ann Bee), cy@x.example (Cy Dee)",
            ["Ann Bee", "Cy Dee"],
        ),
        (
            "\"Ann Bee\" &lt;a@x.example&gt;, \"Cy Dee\" &lt;c@x.example&gt;",
            ["Ann Bee", "Cy Dee"],
        ),
        (
            "ann@x.example (Ann Bee) and cy@x.example (Cy Dee)",
            ["Ann Bee", "Cy Dee"],
        ),
    ] {
        assert_eq!(item(&format!("<author>{written}</author>")).authors, names);
    }
    let of_source =
        entry("<source><title>Press</title><author><name>Eve Fox</name></author></source>");
    assert_eq!(of_source.authors, ["Eve Fox"]);
    let marked = item("<author><a href='/ada'>Ada Quill</a></author>");
    assert_eq!(marked.authors, ["Ada Quill"]);
}

#[test]
fn contents_of_other_types_are_text_or_none() {
    let of = |kind: &str, content: &str| {
        let content =
            format!("<content type='{kind}'>{content}</content><summary>In short</summary>");
        entry(&content).content
    };
    assert_eq!(
        of("text/markdown", "One *two*").as_deref(),
        Some("<p>One *two*</p>")
    );
    assert_eq!(of("text/csv", "a,b").as_deref(), Some("<p>a,b</p>"));
    for (kind, content) in [
        ("application/pdf", "JVBERi0="),
        ("application/json", "eyJhIjoxfQ=="),
        ("image/svg+xml", "<svg><path/></svg>"),
        ("image/png", "iVBORw0KGgo="),
    ] {
        assert_eq!(of(kind, content), None, "{kind}");
    }
}

#[test]
fn a_summary_in_html_keeps_its_markup() {
    let described =
        item("<description>&lt;p&gt;See &lt;a href='x'&gt;it&lt;/a&gt;&lt;/p&gt;</description>");
    assert_eq!(described.summary, "See it");
    assert_eq!(
        described.summary_html.as_deref(),
        Some("<p>See <a href='x'>it</a></p>")
    );
    assert_eq!(
        item("<description>Plain &amp;amp; short</description>").summary_html,
        None
    );
}

#[test]
fn lines_of_plain_text_stay() {
    let json = read(
        r#"{"version": "https://jsonfeed.org/version/1.1", "items": [
            {"id": "1", "content_text": "First.\n\nSecond: 3 < 4.\n\n- one\n- two"}]}"#,
    );
    let lines = "<p>First.</p><p>Second: 3 &lt; 4.</p><p>- one<br>- two</p>";
    assert_eq!(json.items[0].content.as_deref(), Some(lines));
    let atom = entry("<content type='text'>First.\n\nSecond.</content>");
    assert_eq!(atom.content.as_deref(), Some("<p>First.</p><p>Second.</p>"));
    let encoded = item("<content:encoded>First.\n\nSecond.</content:encoded>");
    assert_eq!(
        encoded.content.as_deref(),
        Some("<p>First.</p><p>Second.</p>")
    );
    let atom = entry("<summary type='text'>First.\n\nSecond.</summary>");
    assert_eq!(atom.summary, "First.\nSecond.");
    let described = item("<description>First,\nas ever.\n\nSecond.</description>");
    assert_eq!(described.summary, "First, as ever.\nSecond.");
}

#[test]
fn a_feed_s_own_elements_may_have_any_prefix() {
    let check = |text: &str| {
        let feed = read(text);
        assert_eq!(feed.title, "Prefixed", "{text}");
        let item = feed.items.first().expect("an item");
        assert_eq!((&*item.title, &*item.summary), ("One", "Text"), "{text}");
        assert_eq!(item.link.as_ref().map(Url::path), Some("/1"));
    };
    let rss = |root: &str, prefix: &str| {
        format!(
            "{root}<{prefix}channel><{prefix}title>Prefixed</{prefix}title><{prefix}item>\
             <{prefix}title>One</{prefix}title><{prefix}link>/1</{prefix}link>\
             <{prefix}description>Text</{prefix}description></{prefix}item></{prefix}channel>"
        )
    };
    check(&rss("<r:rss xmlns:r='http://bay.example/any'>", "r:"));
    check(&rss("<rss2:rss version='2.0'>", "rss2:"));
    check(&rss(
        "<rss version='2.0' xmlns='http://backend.userland.com/rss2'>",
        "",
    ));
    check(&rss(
        "<rss version='2.0' xmlns:u='http://blogs.law.harvard.edu/tech/rss'>",
        "u:",
    ));
    check(
        "<a:feed xmlns:a='http://www.w3.org/2005/Atom'><a:title>Prefixed</a:title><a:entry>\
         <a:title>One</a:title><a:link href='/1'/><a:summary>Text</a:summary></a:entry></a:feed>",
    );
}

#[test]
fn relations_of_links_are_read_in_every_form() {
    for relation in [
        "alternate",
        "ALTERNATE",
        "http://www.iana.org/assignments/relation/alternate",
        "https://www.iana.org/assignments/relation/Alternate",
        " alternate ",
    ] {
        let entry = entry(&format!("<link rel='{relation}' href='/a'/>"));
        assert_eq!(entry.link.as_ref().map(Url::path), Some("/a"), "{relation}");
    }
    let file = "http://www.iana.org/assignments/relation/enclosure";
    let entry = entry(&format!("<link rel='{file}' href='/a.mp3'/>"));
    assert_eq!((entry.link, entry.enclosures.len()), (None, 1));
}

#[test]
fn control_characters_of_windows_1252_are_quotes_and_dashes() {
    let item = item(
        "<title>The keeper\u{92}s lamp \u{96} lit\u{85}</title><description>caf\u{e9} \u{93}don\u{92}t\u{94}</description>",
    );
    assert_eq!(item.title, "The keeper’s lamp – lit…");
    assert_eq!(item.summary, "café “don’t”");
}

#[test]
fn links_in_xhtml_are_relative_to_the_nearest_base() {
    for (content, inner, expected) in [
        ("", "", None),
        (" xml:base='/c/'", "", Some("https://bay.example/c/")),
        (
            "",
            " xml:base='/deep/er/'",
            Some("https://bay.example/deep/er/"),
        ),
        (
            " xml:base='/c/'",
            " xml:base='d/'",
            Some("https://bay.example/c/d/"),
        ),
        (
            " xml:base='/c/'",
            " xml:base='https://sea.example/'",
            Some("https://sea.example/"),
        ),
    ] {
        for field in ["content", "summary"] {
            let feed = read(&format!(
                "<feed xmlns='http://www.w3.org/2005/Atom'><entry><link href='/a'/>\
                 <{field} type='xhtml'{content}> <div{inner}><p>See <a href='ferry'>the ferry</a>.</p></div>\
                 </{field}></entry></feed>"
            ));
            let base = feed.items[0].content_base.as_ref().map(Url::as_str);
            assert_eq!(base, expected, "{field} {content} {inner}");
        }
    }
}
