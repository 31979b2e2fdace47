use super::*;
use crate::page::Source;
use proptest::prelude::*;

fn read(html: &str) -> Metadata {
    let source = Source {
        url: Some("https://www.paper.example/news/rain.html"),
        ..Source::default()
    };
    Page::parse(html.as_bytes(), source).metadata().clone()
}

fn check_title(html: &str, expected: &str) {
    assert_eq!(
        read(html).title.as_deref().unwrap_or("-"),
        expected,
        "{html}"
    );
}

fn check_published(html: &str, expected: &str) {
    let date = read(html).date_published;
    let date = date.map_or("-".to_owned(), |d| d.rfc3339.unwrap_or(d.raw));
    assert_eq!(date, expected, "{html}");
}

fn json(json: &str) -> String {
    format!("<script type='application/ld+json'>{json}</script>")
}

#[test]
fn the_headline_comes_before_og_title_and_title() {
    let og = "<meta property=og:title content=og><title>t</title>";
    check_title(
        &(json(r#"{"@type":"NewsArticle","headline":"json"}"#) + og),
        "json",
    );
    check_title(og, "og");
    check_title("<title>t</title>", "t");
    check_title("<p>x", "-");
}

#[test]
fn an_article_comes_before_the_web_page_and_the_site() {
    check_title(
        &json(
            r#"{"@graph":[{"@type":"WebSite","name":"S"},{"@type":"Organization","name":"O"},
                {"@type":"WebPage","name":"w","headline":"page"},
                {"@type":["Article","Thing"],"headline":"article"}]}"#,
        ),
        "article",
    );
    check_title(&json(r#"{"@type":"WebSite","name":"S"}"#), "-");
    check_title(
        &json(r#"[{"@type":"http://schema.org/BlogPosting","headline":"list"}]"#),
        "list",
    );
}

#[test]
fn of_several_articles_the_one_with_the_page_s_address_is_meant() {
    check_title(
        &json(
            r#"[{"@type":"Article","headline":"other","url":"https://www.paper.example/b"},
               {"@type":"Article","headline":"this","mainEntityOfPage":{"@id":"https://www.paper.example/news/rain.html"}}]"#,
        ),
        "this",
    );
}

#[test]
fn comments_control_characters_and_what_follows_are_tolerated() {
    let object = "{\"@type\":\"Article\",\"headline\":\"a\nb\"}";
    for script in [
        format!("<!-- {object} -->"),
        format!("//<![CDATA[\n{object}\n//]]>"),
        format!("/* <![CDATA[ */ {object}; /* ]]> */"),
        format!("{object}{object}"),
    ] {
        check_title(&json(&script), "a b");
    }
    check_title(&json("{\"@type\":\"Article\",\"headline\":"), "-");
    check_title(&json(&"[".repeat(100_000)), "-");
}

#[test]
fn a_site_s_name_is_cut_off_where_the_page_proves_it() {
    let site = "<meta property=og:site_name content='The Paper'>";
    for title in [
        "Rain - fall | The Paper",
        "The Paper: Rain - fall",
        "Rain - fall – the paper",
        "Rain - fall | The Paper | The Paper",
    ] {
        check_title(&format!("{site}<title>{title}</title>"), "Rain - fall");
    }
    check_title("<title>Rain - Some Site</title>", "Rain - Some Site");
    check_title("<title>Rain | paper.example</title>", "Rain");
    check_title("<title>Rain - News - X</title><h1> Rain </h1>", "Rain");
    check_title(
        "<title>X » News » Rain</title><h1>Rain</h1><h1>X</h1>",
        "Rain",
    );
    check_title(
        "<title>Rain in spring | News</title><h2>News</h2>",
        "Rain in spring | News",
    );
    check_title(
        "<title>Rain in spring | News</title><h2>Rain in spring</h2>",
        "Rain in spring",
    );
    check_title(
        &format!("{site}<title>The Paper Rain</title>"),
        "The Paper Rain",
    );
    check_title("<title>雨_新闻_某网</title><h1>雨</h1>", "雨");
}

#[test]
fn a_title_that_is_the_site_s_name_is_none() {
    let site = "<meta property=og:site_name content=Paper><meta property=og:title content=Paper>";
    check_title(&format!("{site}<title>Rain | Paper</title>"), "Rain");
    check_title(&format!("{site}<h1>Paper</h1><h1>Rain</h1>"), "Rain");
    check_title(&format!("{site}<h2>Rain</h2>"), "Rain");
    check_title(site, "Paper");
}

#[test]
fn links_to_the_home_page_and_the_section_name_them() {
    check_title(
        "<title>Rain - My Site</title><h1><a href=/>My Site</a></h1><h2>x</h2>",
        "Rain",
    );
    check_title(
        "<title>Rain - News - My Site</title><a href='https://www.paper.example'>My Site</a><a href=/news/>News</a>",
        "Rain",
    );
    check_title(
        "<title>My Site</title><a href=/><img alt='My Site'></a><h1>Rain</h1>",
        "Rain",
    );
    check_title(
        "<title>Rain - More</title><a href=/more/>More</a><a href='http://b.example/'>More</a>",
        "Rain - More",
    );
}

#[test]
fn entities_that_were_escaped_twice_are_decoded() {
    check_title(
        "<meta property=og:title content='A &amp;amp; B &amp;#8217;s'>",
        "A & B ’s",
    );
    check_title("<title>AT&T; or</title>", "AT&T; or");
    check_title(
        "<title>The &lt;b&gt; tag &amp;amp;</title>",
        "The <b> tag &amp;",
    );
}

#[test]
fn authors_as_string_object_list_and_reference() {
    let check = |author: &str, expected: &[&str]| {
        let html = json(&format!(
            r#"[{{"@type":"Article","author":{author}}},{{"@type":"Person","@id":"p","name":"P"}}]"#
        ));
        assert_eq!(read(&html).authors, expected);
    };
    check(r#""A""#, &["A"]);
    check(r#"{"@type":"Person","name":"A"}"#, &["A"]);
    check(r#"[{"name":"A"},"B",{"name":["A"]}]"#, &["A", "B"]);
    check(r#"{"@id":"p"}"#, &["P"]);
    check("7", &[]);
}

#[test]
fn authors_of_the_markup() {
    let check = |html: &str, expected: &[&str]| assert_eq!(read(html).authors, expected, "{html}");
    check(
        "<meta name=author content=A><meta name=citation_author content=B>",
        &["A", "B"],
    );
    check(
        "<meta property=article:author content='https://x.example/a'><a rel=author>A</a>",
        &["A"],
    );
    check(
        "<p itemprop=author itemscope>By <a href=/><span itemprop=name>A B</span></a></p>",
        &["A B"],
    );
    check("<a rel='nofollow author' href=/> A </a>", &["A"]);
}

#[test]
fn dates_by_rank_and_the_readable_first() {
    let meta = "<meta property=article:published_time content=2024-03-05T10:00:00Z>";
    check_published(
        &(json(r#"{"@type":"Article","datePublished":"2024-01-01"}"#) + meta),
        "2024-01-01T00:00:00Z",
    );
    check_published(
        &(json(r#"{"@type":"Article","datePublished":"soon"}"#) + meta),
        "2024-03-05T10:00:00Z",
    );
    check_published(
        "<meta name=DC.date.issued content=2024-03-05>",
        "2024-03-05T00:00:00Z",
    );
    for name in [
        "pictures:uploaded",
        "bt:pubDate",
        "share:article_published_time",
        "iso-8601-publish-date",
    ] {
        let html = format!("<meta property={name} content=2024-03-05>");
        check_published(&html, "2024-03-05T00:00:00Z");
    }
    check_published(
        "<time datetime=2020-01-01></time><time pubdate datetime=2021-01-01>",
        "2021-01-01T00:00:00Z",
    );
    check_published(
        "<time datetime=2020-01-01></time><span itemprop=datePublished>5 May 2021</span>",
        "2021-05-05T00:00:00Z",
    );
    check_published(
        "<time>x</time><time datetime=2020-01-01>",
        "2020-01-01T00:00:00Z",
    );
    check_published("<meta name=date content=soon>", "soon");
    check_published("<p>2024-01-01", "2024-01-01T00:00:00Z");
    check_published("<p>The council met on 2024-01-01 and waits", "-");
    let html = json(r#"{"@type":"Article","dateModified":"2024-01-02"}"#);
    assert_eq!(read(&html).date_modified.expect("date").raw, "2024-01-02");
}

#[test]
fn the_language() {
    let check = |html: &str, expected: &str| {
        assert_eq!(read(html).language.as_deref().unwrap_or("-"), expected);
    };
    check(
        "<meta property=og:locale content=de_DE><html lang=el>",
        "el",
    );
    check(
        "<html lang=''><meta property=og:locale content=de_DE>",
        "de_DE",
    );
    check("<html xml:lang=pl>", "pl");
    check("<meta http-equiv=Content-Language content=zh-TW>", "zh-TW");
    check("<p lang=en>", "-");
}

#[test]
fn addresses_are_absolute_and_images_come_once() {
    let m = read(
        "<base href=/sub/><link rel='shortlink CANONICAL' href=a><meta property=og:image content=b.jpg>
         <meta name=twitter:image content='https://www.paper.example/sub/b.jpg'><meta property=og:image content='data:,x'>
         <link rel=image_src href='//cdn.example/c.jpg'>",
    );
    assert_eq!(
        m.canonical.as_deref(),
        Some("https://www.paper.example/sub/a")
    );
    assert_eq!(
        m.images,
        [
            "https://www.paper.example/sub/b.jpg",
            "https://cdn.example/c.jpg"
        ]
    );
}

#[test]
fn images_of_json_as_string_object_and_list() {
    for image in [
        r#""/i.png""#,
        r#"{"@type":"ImageObject","url":"/i.png"}"#,
        r#"["/i.png"]"#,
    ] {
        let html = json(&format!(r#"{{"@type":"Article","image":{image}}}"#));
        assert_eq!(read(&html).images, ["https://www.paper.example/i.png"]);
    }
}

#[test]
fn tags_description_and_site_name() {
    let m = read(
        "<meta name=keywords content='x, y,x'><meta name=description content='d  e'>
         <meta name=application-name content=App>",
    );
    assert_eq!(m.tags, ["x", "y"]);
    assert_eq!(m.description.as_deref(), Some("d e"));
    assert_eq!(m.site_name.as_deref(), Some("App"));
    let m = read(
        &(json(r#"{"@type":"Article","keywords":["a","b"],"publisher":{"name":"P"}}"#)
            + "<meta name=keywords content=x>"),
    );
    assert_eq!(m.tags, ["a", "b"]);
    assert_eq!(m.site_name.as_deref(), Some("P"));
    assert_eq!(
        read("<meta name=keywords content=x><meta name=news_keywords content=n>").tags,
        ["n"]
    );
    assert_eq!(read("<a rel=tag>t</a>").tags, ["t"]);
    let cloud = "<aside><a rel=tag>cats</a><a rel=tag>sea</a></aside>";
    let own = "<article>One<footer><a rel=tag>web</a></footer></article>";
    assert_eq!(read(&format!("{cloud}{own}{cloud}")).tags, ["web"]);
    assert_eq!(read(&format!("<main>{cloud}</main>")).tags, ["cats", "sea"]);
    let handle = "<meta name=author content='@jdoe'><a rel=author>Jane Doe</a>";
    assert_eq!(read(handle).authors, ["Jane Doe"]);
}

#[test]
fn lists_are_bounded() {
    let html: String = (0..10_000)
        .map(|i| format!("<meta name=author content=a{i}><a rel=tag>t{i}</a>"))
        .collect();
    let m = read(&html);
    assert_eq!((m.authors.len(), m.tags.len()), (MAX_VALUES, MAX_VALUES));
}

proptest! {
    #[test]
    fn any_markup_has_metadata(parts in prop::collection::vec(prop::sample::select(vec![
        "<title>", "</title>", "a | b", "<meta property=og:title content='a - b'>", "<h1>", "</h1>", "<h2>a</h2>",
        "<meta property=og:site_name content=b>", "<time datetime=x>", "<div itemprop='author name'>", "</div>", "ß-İ",
        "<script type=application/ld+json>", "</script>", "{\"@type\":\"Article\",\"author\":{\"@id\":\"x\"},\"@id\":\"x\"}",
        "<meta name=date content='2:3:4 am'>", "<base href='::'>", "<link rel=canonical href='//'>", "<a rel=author>",
    ]), 0..30)) {
        read(&parts.concat());
    }
}

#[test]
fn the_day_in_the_address_comes_behind_what_stands_beside_the_title() {
    let check = |url: &str, html: &str, expected: Option<&str>| {
        let source = Source {
            url: Some(url),
            ..Source::default()
        };
        let page = Page::parse(html.as_bytes(), source);
        let date = page.metadata().date_published.clone();
        let date = date.and_then(|date| date.rfc3339);
        assert_eq!(date.as_deref().map(|d| &d[..10]), expected, "{url}");
    };
    check("https://a.example/2024/03/05/x", "<p>x", Some("2024-03-05"));
    check(
        "https://a.example/n/2024-03-05-x",
        "<p>x",
        Some("2024-03-05"),
    );
    check("https://a.example/2024/03/x", "<p>x", None);
    check("https://a.example/2024/03/051", "<p>x", None);
    check("https://a.example/2024/13/05/", "<p>x", None);
    check(
        "https://a.example/2024/03/05/x",
        "<time datetime=2024-03-06>",
        Some("2024-03-06"),
    );
    let (url, far) = (
        "https://a.example/2024/03/05/x",
        "<time datetime=2019-01-06>",
    );
    check(url, far, Some("2024-03-05"));
    check(url, &format!("<h1>Rain</h1>{far}"), Some("2019-01-06"));
}

#[test]
fn json_ld_that_is_nearly_json_is_read() {
    let json = r#"{"@type":"NewsArticle","url":"http://a.example/*x*/,]","author":[{"name":"Jo \"J\" Writer",}, ], }"#;
    for (before, after) in [
        ("", ""),
        ("// page data\n", ""),
        ("/* page, data */", "// end"),
        ("\n//<![CDATA[\n", "\n//]]>"),
    ] {
        let html = format!("<script type=application/ld+json>{before}{json}{after}</script>");
        let page = Page::from_html(&html);
        assert_eq!(page.metadata().authors, ["Jo \"J\" Writer"], "{before}");
    }
    for broken in [
        "[,",
        "{\"a\":\"x\\",
        "/*",
        "//",
        "\"",
        ",]",
        "{\"@type\":/*\"NewsArticle\"}",
    ] {
        let html = format!("<script type=application/ld+json>{broken}</script>");
        assert_eq!(
            Page::from_html(&html).metadata().authors,
            [""; 0],
            "{broken}"
        );
    }
}

#[test]
fn the_article_body_of_json_ld_is_text() {
    let check = |script: &str, expected: Option<&str>| {
        assert_eq!(
            read(&json(script)).article_body.as_deref(),
            expected,
            "{script}"
        );
    };
    check(
        r#"{"@type":"NewsArticle","articleBody":"<p>It  rained."}"#,
        Some("It rained."),
    );
    // Another object of the page may hold it.
    check(
        r#"[{"@type":"Article"},{"@type":"BlogPosting","articleBody":"Rain"}]"#,
        Some("Rain"),
    );
    check(r#"{"@type":"Organization","articleBody":"Rain"}"#, None);
    check(r#"{"@type":"Article","articleBody":" "}"#, None);
}

#[test]
fn types_and_price_of_json_ld_objects_however_deep() {
    let metadata = read(&json(
        r#"{"@graph":[{"@type":["NewsArticle","Thing"],"isAccessibleForFree":"False",
            "hasPart":{"@type":"WebPageElement"}},{"@type":"NewsArticle"}]}"#,
    ));
    assert_eq!(metadata.schema_types, ["NewsArticle", "WebPageElement"]);
    assert!(metadata.is_sold);
    assert!(!read(&json(r#"{"isAccessibleForFree":true}"#)).is_sold);
}
