use super::*;
use crate::onepage::Favor;
use crate::render::{PictureNames, markdown, text};
use forest_html::page::{Mask, NodeId, Page};

mod articles {
    use super::*;
    use forest_html::page::Source;

    const RICH: &str = r#"<!DOCTYPE html>
<html lang="en-GB">
<head>
<title>The slow train north | The Example Post</title>
<meta property="og:site_name" content="The Example Post">
<meta property="og:image" content="/lead.jpg">
<meta name="author" content="Ann Author">
<meta property="article:published_time" content="2024-03-05T06:30:00+01:00">
<meta property="article:modified_time" content="last Tuesday">
<meta property="article:tag" content="trains"><meta property="article:tag" content="travel">
<link rel="canonical" href="/travel/slow-train">
</head>
<body>
<nav><a href="/">Home</a> <a href="/travel">Travel</a></nav>
<article>
<h1>The slow train north</h1>
<figure><img data-src="/img/train.jpg" src="data:image/gif;base64,R0lGOD" alt="A train [1950]">
<figcaption>The train at dusk. <i>Photo: B. Shooter</i></figcaption></figure>
<p>Nobody takes the <b>slow train</b> any more, they&nbsp;say.<br>Nobody but <a href="people?id=1&amp;x=(2)">us</a>.</p>
<h2>What to <em>pack</em></h2>
<ul><li>Water</li><li>Food:<ol start="3"><li>bread</li><li>cheese &amp; *ham*</li></ol></li></ul>
<blockquote><p>Time is what you have.</p><p>So <del>use</del> keep it.</p></blockquote>
<table><caption>Stops</caption><tr><th>Station</th><th>Minutes</th></tr><tr><td>Upper End</td><td>12</td></tr><tr><td>Far|Off</td><td></td></tr></table>
<pre><code class="language-text">DEP  06:30
  ARR  18:45</code></pre>
<div onclick="steal()" style="color:red">Ask for <code>slow`est</code>.<script>alert(1)</script><noscript>no</noscript></div>
<form><button>Share</button><select><option>x</option></select></form>
<hr>
<p>1. It <a href="javascript:go()">ends</a> here.</p>
</article>
<footer>Imprint</footer>
</body></html>"#;

    fn rich() -> Article {
        let source = Source {
            url: Some("https://post.example/travel/slow-train?ref=feed"),
            ..Source::default()
        };
        let page = Page::parse(RICH.as_bytes(), source);
        let body = page
            .elements()
            .find(|&n| page.tag(n).is_some_and(|t| **t == *"article"));
        let mask = Mask::subtrees(&page, &[body.expect("article")]);
        let options = Options::default().with_html(true).with_markdown(true);
        article(&page, &mask, &options)
    }

    #[test]
    fn a_rich_page_as_text() {
        insta::assert_snapshot!(rich().text);
    }

    #[test]
    fn a_rich_page_as_markdown() {
        insta::assert_snapshot!(rich().markdown.expect("asked for"));
    }

    #[test]
    fn a_rich_page_as_html() {
        insta::assert_snapshot!(rich().html.expect("asked for"));
    }

    #[test]
    fn a_rich_page_as_a_record() {
        let mut article = rich();
        article.text = "...".to_owned();
        article.html = None;
        insta::assert_snapshot!(serde_json::to_string_pretty(&article).expect("a record"));
    }

    #[test]
    fn a_record_has_all_its_fields_and_can_be_read_again() {
        let empty = serde_json::to_value(Article::default()).expect("a record");
        let full = serde_json::to_value(rich()).expect("a record");
        let keys = |v: &serde_json::Value| {
            v.as_object()
                .expect("object")
                .keys()
                .cloned()
                .collect::<Vec<_>>()
        };
        assert_eq!(keys(&empty), keys(&full));
        let again: Article = serde_json::from_value(full.clone()).expect("the same record");
        assert_eq!(serde_json::to_value(again).expect("a record"), full);
        let old: Article = serde_json::from_str(r#"{"id":"a","of_later":1}"#).expect("a record");
        assert_eq!((old.id.as_str(), old.status), ("a", Status::Empty));
    }

    #[test]
    fn nothing_kept_is_an_empty_article_with_metadata() {
        let page = Page::from_html(RICH);
        let found = article(&page, &Mask::none(&page), &Options::default());
        assert_eq!((found.status, found.text.as_str()), (Status::Empty, ""));
        assert_eq!(found.title.as_deref(), Some("The slow train north"));
        assert_eq!(found.images, []);
        assert_eq!((found.html, found.markdown), (None, None));
    }

    fn of(html: &str, url: Option<&str>) -> Article {
        let source = Source {
            url,
            ..Source::default()
        };
        let page = Page::parse(html.as_bytes(), source);
        article(&page, &Mask::all(&page), &Options::default())
    }

    #[test]
    fn the_canonical_address_is_the_page_s_unless_it_is_the_home_page() {
        let url = |href: &str| {
            let page = format!("<link rel=canonical href='{href}'>x");
            of(&page, Some("https://a.example/b?c")).url.expect("url")
        };
        assert_eq!(url("/b"), "https://a.example/b");
        assert_eq!(url("/"), "https://a.example/b?c");
        assert_eq!(of("x", None).url, None);
    }

    #[test]
    fn the_language_is_that_of_the_text_else_what_the_page_says() {
        let language = |html: &str| of(html, None).language;
        let german = "Der Hund bellt, und die Katze schläft auf dem warmen Ofen im alten Haus.";
        assert_eq!(
            language(&format!("<html lang=en>{german}")).as_deref(),
            Some("de")
        );
        assert_eq!(language("<html lang=eo-XX>42").as_deref(), Some("eo"));
        assert_eq!(language("<html lang='?!'>42"), None);
    }

    #[test]
    fn warnings_are_strings_with_advice() {
        let found = of("<meta name=date content='last week'>\u{0}x", None);
        assert_eq!(
            found.warnings,
            [
                ArticleWarning::DateUnread {
                    what: "published",
                    raw: "last week".to_owned()
                },
                ArticleWarning::NoTitle,
            ]
        );
        let json = serde_json::to_string(&found.warnings[0]).expect("a string");
        assert!(json.contains("`last week`; a `date` expression"), "{json}");
    }

    #[test]
    fn parts_of_tables_that_are_left_out_are_warned_of() {
        let page = Page::from_html("<title>t</title><p>a<table><tr><td>b<td>c</table><p>d");
        let mut mask = Mask::all(&page);
        let cell = page
            .elements()
            .find(|&n| page.tag(n).is_some_and(|tag| **tag == *"td"));
        mask.drop_subtree(&page, cell.expect("a cell"));
        let found = article(&page, &mask, &Options::default());
        let warned: Vec<String> = found.warnings.iter().map(ToString::to_string).collect();
        assert_eq!(warned.len(), 1, "{warned:?}");
        assert!(
            warned[0].starts_with("part of 1 table within the article"),
            "{warned:?}"
        );
    }

    #[test]
    fn pictures_are_those_of_the_body_else_the_page_s() {
        let images = |html: &str| {
            of(html, None)
                .images
                .into_iter()
                .map(|i| i.url)
                .collect::<Vec<_>>()
        };
        let og = "<meta property=og:image content=/og.jpg>";
        assert_eq!(images(&format!("{og}x<img src=/a.jpg>")), ["/a.jpg"]);
        assert_eq!(images(&format!("{og}x")), ["/og.jpg"]);
    }
}

mod properties {
    use super::*;
    use crate::render::html as html_of;
    use forest_html::page::Source;
    use forest_html::page::links::Base;
    use forest_html::text::fold;
    use proptest::prelude::*;

    /// Everything that is made of a page, and its bounds.
    fn check_bounds(html: &[u8], kept: &[prop::sample::Index], subtrees: &[prop::sample::Index]) {
        let source = Source {
            url: Some("https://a.example/b/"),
            ..Source::default()
        };
        let page = Page::parse(html, source);
        let node = |at: &prop::sample::Index| NodeId(at.index(page.len()) as u32);
        let mut mask = Mask::none(&page);
        kept.iter().for_each(|at| mask.keep(node(at)));
        subtrees
            .iter()
            .for_each(|at| mask.keep_subtree(&page, node(at)));
        let limit = 4 * page.source_bytes();
        let base = Base::of(&page);

        let plain = text(&page, &mask);
        assert!(plain.len() <= 2 * page.text(page.root()).len());
        assert_eq!(plain.trim_end(), plain);
        let words: String = mask.texts(&page).map(|n| page.text(n)).collect();
        let mut rest = words.chars().filter(|c| !c.is_whitespace());
        assert!(
            plain
                .chars()
                .filter(|c| !c.is_whitespace())
                .all(|c| rest.any(|d| d == c)),
            "the text is the kept words in order"
        );
        let has_pre = page
            .elements()
            .any(|n| page.tag(n).is_some_and(|t| **t == *"pre"));
        if !has_pre {
            for line in plain.split(['\n', '\t']) {
                assert_eq!(fold(line), line);
                assert!(!line.is_empty() || plain.is_empty());
            }
        }

        let marked = markdown(&page, &mask, &base, &PictureNames::default()).0;
        assert!(marked.len() <= limit + 1, "{} {limit}", marked.len());

        let clean = html_of(&page, &mask, &base);
        let again = Page::from_html(&clean);
        for n in again.elements() {
            let tag = again.tag(n).expect("html elements only");
            assert!(
                !matches!(
                    &**tag,
                    "script" | "style" | "iframe" | "form" | "input" | "svg"
                ),
                "{clean}"
            );
            for (name, value) in again.attrs(n) {
                assert!(
                    !name.local.starts_with("on") && !value.starts_with("javascript:"),
                    "{clean}"
                );
            }
        }

        let found = article(&page, &mask, &Options::default().with_html(true));
        assert_eq!(found.status == Status::Empty, plain.is_empty());
    }

    proptest! {
        #[test]
        fn any_bytes_and_any_mask(
            bytes in prop::collection::vec(any::<u8>(), 0..300),
            kept in prop::collection::vec(any::<prop::sample::Index>(), 0..5),
            subtrees in prop::collection::vec(any::<prop::sample::Index>(), 0..3),
        ) {
            check_bounds(&[b"<html>", &bytes[..]].concat(), &kept, &subtrees);
        }

        #[test]
        fn any_tags_and_any_mask(
            tags in prop::collection::vec(prop::sample::select(vec![
                "<table>", "</table>", "<tr>", "<td>", "<td colspan=2>", "<p>", "</p>", "<b>", "</b>", "<a href=x>", "</a>",
                "<div>", "</div>", "<pre>", "</pre>", "<code>", "</code>", "<ul>", "</ul>", "<ol start=99>", "</ol>", "<li>",
                "<blockquote>", "</blockquote>", "<h2>", "</h2>", "<br>", "<hr>", "<img src=y>", "<figure>", "<figcaption>",
                "</figure>", "<svg>", "</svg>", "<math>", "<select>", "</select>", "<script>", "</script>", "<template>",
                " x ", "y", "`*_[", "\n 1. ", "&amp;lt;script>", "<a href=javascript:z onclick=z>", "| ", "<caption>", "</tr>",
            ]), 0..60),
            kept in prop::collection::vec(any::<prop::sample::Index>(), 0..8),
            subtrees in prop::collection::vec(any::<prop::sample::Index>(), 0..4),
        ) {
            check_bounds(tags.concat().as_bytes(), &kept, &subtrees);
        }
    }
}

mod captions {
    use super::*;

    const HTML: &str = "<p>One.<figure><img src=/a.jpg><figcaption>A tree</figcaption></figure>\
                        <figure><pre>code</pre><figcaption>Listing 1</figcaption></figure>";

    /// The text; the Markdown and the pictures have the captions in any case.
    fn check(captions: CaptionPlace, expected_text: &str) {
        let page = Page::from_html(HTML);
        let options = Options::default()
            .with_markdown(true)
            .with_captions(captions);
        let article = article(&page, &Mask::all(&page), &options);
        assert_eq!(article.text, expected_text);
        let markdown = article.markdown.expect("asked for");
        assert!(markdown.contains("A tree"), "{markdown}");
        assert_eq!(article.images[0].caption.as_deref(), Some("A tree"));
    }

    #[test]
    fn stay_in_the_text_or_only_with_their_pictures() {
        check(CaptionPlace::Learned, "One.\nA tree\ncode\nListing 1");
        check(CaptionPlace::Text, "One.\nA tree\ncode\nListing 1");
        check(CaptionPlace::Images, "One.\ncode\nListing 1");
    }

    #[test]
    fn that_a_wrapper_strips_are_text_if_asked_for() {
        let check = |captions: CaptionPlace, expected: &str| {
            let page = Page::from_html(HTML);
            let caption = page.elements().find(|&n| {
                page.name(n)
                    .is_some_and(|name| &*name.local == "figcaption")
            });
            let mut stripped = Mask::all(&page);
            stripped.drop_subtree(&page, caption.expect("a caption"));
            let options = Options::default().with_captions(captions);
            assert_eq!(article(&page, &stripped, &options).text, expected);
        };
        check(CaptionPlace::Learned, "One.\ncode\nListing 1");
        check(CaptionPlace::Text, "One.\nA tree\ncode\nListing 1");
    }
}

#[test]
fn doubtful_parts_are_kept_or_left_out_as_favored() {
    let line = "<p>The miller said that the river was in the cellar of the mill on the tenth day, and that \
                nobody had seen it rise before the bells rang.</p>";
    let html = format!(
        "<title>The river</title><ul><li><a href=/a>Home</a><li><a href=/b>News</a></ul><div class=story><h1>The river</h1>\
         {}<p>Short note.</p><ul><li>a<li>b</ul></div><div class=box><h3>About us</h3><p>We print on Fridays.</p></div>\
         <div>All rights reserved</div>",
        line.repeat(4)
    );
    let page = Page::from_html(&html);
    let words = |favor| {
        let options = Options::default().with_favor(favor);
        one_page(&page, &options).text.split_whitespace().count()
    };
    let [precise, balanced, complete] =
        [Favor::Precision, Favor::Balance, Favor::Recall].map(words);
    assert!(
        precise < balanced && balanced < complete,
        "{precise} {balanced} {complete}"
    );
}
