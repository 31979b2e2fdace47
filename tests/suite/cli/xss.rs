//! No output of HTML has a script:
//! `apply` as HTML, as XHTML and in the record, feeds, and edits.

use super::User;
use chrono::DateTime;
use forest_core::extract::{Options, article};
use forest_core::feed::write::{Channel, FeedEntry, SyndicationFormat, write};
use forest_core::render::sanitise;
use forest_html::page::{MAX_PAGE_BYTES, Mask, Page, Scripting, Source};

/// Ordered by the abused feature, as in OWASP's cheat sheet; the texts are our own. Vectors
/// whose name ends in `~` are harmless unchanged. They harm after they are written and read
/// once more, or in lenient parsers.
const VECTORS: &[(&str, &[&str])] = &[
    (
        "script",
        &[
            "<script>boom(1)</script>",
            "<SCRIPT SRC=//evil.example/x.js></SCRIPT>",
            "<script/x>boom(1)</script>",
            "<script\n>boom(1)</script\n>",
            "<scr<script>ipt>boom(1)</scr</script>ipt>~",
            "<<script>boom(1);//<</script>",
            "<script>boom(1)",
            "<svg><script>boom(1)</script></svg>",
            "<script type=module>boom(1)</script>",
            "<p><script>/*</p>*/boom(1)</script>",
        ],
    ),
    (
        "handler",
        &[
            "<img src=x onerror=boom(1)>",
            "<IMG SRC=x OnErRoR=\"boom(1)\">",
            "<img/src=x/onerror=boom(1)>~",
            "<img src=x\nonerror\n=\nboom(1)>",
            "<img src=\"a\"\"onerror=boom(1) \"b\">~",
            "<p onmouseover=boom(1)>over</p>",
            "<b onclick='boom(1)'>click</b>",
            "<details open ontoggle=boom(1)>more</details>",
            "<a href=/x onfocus=boom(1) autofocus>x</a>",
            "<marquee onstart=boom(1)>x</marquee>",
            "<video><source onerror=boom(1)></video>",
            "<audio src=x onerror=boom(1)></audio>",
            "<table onscroll=boom(1)><tr><td onclick=boom(1)>x</table>",
            "<p style=animation-name:x onanimationstart=boom(1)>x</p>",
        ],
    ),
    (
        "javascript address",
        &[
            "<a href=javascript:boom(1)>x</a>",
            "<a href=\"JaVaScRiPt:boom(1)\">x</a>",
            "<a href=\" \u{1}javascript:boom(1)\">x</a>",
            "<a href=\"java\nscript:boom(1)\">x</a>",
            "<a href=\"java\tscript:boom(1)\">x</a>",
            "<a href=\"&#106;avascript&colon;boom(1)\">x</a>",
            "<a href=\"&#x6A;&#x61;vascript:boom(1)\">x</a>",
            "<a href=\"javascript&#9;:boom(1)\">x</a>",
            "<a href=vbscript:boom(1)>x</a>",
            "<img src=javascript:boom(1)>",
            "<blockquote cite=javascript:boom(1)>x</blockquote>",
            "<p background=javascript:boom(1)>x</p>",
        ],
    ),
    (
        "data address",
        &[
            "<a href=data:text/html,boom>x</a>",
            "<a href='data:text/html;base64,PHNjcmlwdD4='>x</a>",
            "<img src='data:image/svg+xml,<svg onload=boom(1)>'>",
            "<iframe src=data:text/html,boom></iframe>",
            "<object data=data:text/html,boom></object>",
            "<a href='DATA:text/html,boom'>x</a>",
        ],
    ),
    (
        "svg and math",
        &[
            "<svg onload=boom(1)></svg>",
            "<svg/onload=boom(1)>",
            "<svg><a xlink:href=javascript:boom(1)><text>x</text></a></svg>",
            "<svg><animate onbegin=boom(1) attributeName=x></svg>",
            "<svg><use href=data:image/svg+xml,x></svg>",
            "<math><maction actiontype=statusline xlink:href=javascript:boom(1)>x</maction></math>",
            "<svg><foreignObject><p onclick=boom(1)>x</p></foreignObject></svg>",
            "<math href=javascript:boom(1)><mi>x</mi></math>",
            "<math><mi onclick=boom(1) style=background:url(javascript:boom(1))>x</mi></math>",
            "<math><msup><mi xlink:href=javascript:boom(1)>x</mi><mn>2</mn></msup></math>",
            "<math><semantics><mi>x</mi><annotation-xml encoding=text/html><img src=x onerror=boom(1)></annotation-xml></semantics></math>",
            "<math><mtext><img src=x onerror=boom(1)></mtext></math>",
            "<script type=math/tex>x^2<script>boom(1)</script>",
        ],
    ),
    (
        "style",
        &[
            "<style>@import 'javascript:boom(1)';</style>",
            "<p style=\"background:url(javascript:boom(1))\">x</p>",
            "<p style=\"width:expression(boom(1))\">x</p>",
            "<link rel=stylesheet href=//evil.example/x.css>",
        ],
    ),
    (
        "frames, forms and the document",
        &[
            "<iframe srcdoc='<script>boom(1)</script>'></iframe>",
            "<iframe src=//evil.example></iframe>",
            "<frameset><frame src=javascript:boom(1)></frameset>",
            "<embed src=//evil.example/x.swf>",
            "<object data=//evil.example/x></object>",
            "<base href=//evil.example/>",
            "<meta http-equiv=refresh content='0;url=javascript:boom(1)'>",
            "<form action=javascript:boom(1)><button>x</button></form>",
            "<button formaction=javascript:boom(1)>x</button>",
            "<input type=image src=x onerror=boom(1)>",
            "<isindex action=javascript:boom(1) type=image>",
        ],
    ),
    (
        "quotes, NUL and entities",
        &[
            "<a title=\"x\" href=\"/\" \"onclick=boom(1)\">x</a>~",
            "<img alt=\"`\" src=x onerror=boom(1)>",
            "<p title='\"><script>boom(1)</script>'>x</p>~",
            "<img alt='\" onerror=\"boom(1)' src=x>~",
            "<scr\0ipt>boom(1)</scr\0ipt>~",
            "<img src=x on\0error=boom(1)>",
            "&lt;script&gt;boom(1)&lt;/script&gt;~",
            "&amp;lt;script&amp;gt;boom(1)&amp;lt;/script&amp;gt;~",
            "<a href=\"/x&quot; onclick=&quot;boom(1)\">x</a>~",
            "<!--><img src=x onerror=boom(1)>-->",
            "<![CDATA[<img src=x onerror=boom(1)>]]>~",
            "]]><img src=x onerror=boom(1)>",
            "<?xml-stylesheet href='javascript:boom(1)'?>~",
        ],
    ),
    (
        "mutation",
        &[
            "<noscript><p title=\"</noscript><img src=x onerror=boom(1)>\">",
            "<template><img src=x onerror=boom(1)></template>",
            "<textarea><p title=\"</textarea><img src=x onerror=boom(1)>\">",
            "<title><p title=\"</title><img src=x onerror=boom(1)>\">",
            "<xmp><p title=\"</xmp><img src=x onerror=boom(1)>\">",
            "<noembed><p title=\"</noembed><img src=x onerror=boom(1)>\">",
            "<svg></p><style><a title=\"</style><img src=x onerror=boom(1)>\">",
            "<math><mtext><table><mglyph><style><img title=\"--&gt;&lt;/style&gt;&lt;img src onerror=boom(1)&gt;\">",
            "<form><math><mtext></form><form><mglyph><style></math><img src onerror=boom(1)>",
            "<p><svg><desc><title><a id=\"</title><img src=x onerror=boom(1)>\">",
            "<plaintext><img src=x onerror=boom(1)>",
        ],
    ),
];

/// Elements that no article needs; of MathML those that hold HTML, links or pictures.
const BANNED: [&str; 29] = [
    "script",
    "style",
    "iframe",
    "frame",
    "frameset",
    "object",
    "embed",
    "applet",
    "form",
    "input",
    "button",
    "textarea",
    "select",
    "isindex",
    "base",
    "link",
    "svg",
    "annotation-xml",
    "maction",
    "mglyph",
    "malignmark",
    "noscript",
    "template",
    "xmp",
    "noembed",
    "plaintext",
    "marquee",
    "audio",
    "video",
];

/// The parts that may run in a browser.
fn live(html: &str) -> Vec<String> {
    // As a browser does: formulas are elements.
    let source = Source {
        content_type: Some("text/html; charset=utf-8"),
        ..Source::default()
    };
    let page = Page::parse_for(Scripting::On, html.as_bytes(), source, MAX_PAGE_BYTES);
    let mut found = Vec::new();
    for n in page.elements() {
        // SVG and MathML have names, too.
        let Some(name) = page.name(n) else { continue };
        let tag = &name.local;
        if BANNED.contains(&&**tag) {
            found.push(format!("<{tag}>"));
        }
        for (name, value) in page.attrs(n) {
            let name = &*name.local;
            found.extend(live_attribute(tag, name, value));
        }
    }
    found
}

fn live_attribute(tag: &str, name: &str, value: &str) -> Option<String> {
    let bare: String = value
        .chars()
        .filter(|c| !c.is_whitespace() && !c.is_control())
        .collect();
    let bare = bare.to_ascii_lowercase();
    let runs = ["javascript:", "vbscript:", "data:"];
    let is_text = matches!(name, "title" | "alt");
    let is_live = name.starts_with("on")
        || matches!(
            name,
            "style" | "srcdoc" | "formaction" | "action" | "http-equiv" | "srcset"
        )
        || !is_text && runs.iter().any(|scheme| bare.starts_with(scheme));
    is_live.then(|| format!("<{tag} {name}={value:?}>"))
}

#[track_caller]
fn is_dead(html: &str, vector: &str, way: &str) {
    let found = live(html);
    assert!(found.is_empty(), "{vector}\nby {way}: {found:?}\n{html}");
}

/// All vectors; true for those that harm unchanged.
fn vectors() -> Vec<(&'static str, bool)> {
    let each = VECTORS.iter().flat_map(|(_, of)| of.iter().copied());
    each.map(|vector| match vector.strip_suffix('~') {
        Some(vector) => (vector, false),
        None => (vector, true),
    })
    .collect()
}

/// A page whose article has a vector in its title, its text and a picture.
fn page_with(vector: &str) -> String {
    let text = "The ferry to the islands leaves an hour later from Monday, the harbour says. ";
    let text = text.repeat(6);
    format!(
        "<html><head><title>Ferry {}</title></head><body><article><h1>Ferry</h1>\
         <p>{text}</p><p>{text}</p><div>before {vector} behind</div><p>{text}</p><p>{text}</p></article>",
        vector.replace("</title", "&lt;/title")
    )
}

fn channel(title: &str, html: &str) -> Channel {
    let entry = FeedEntry {
        id: "https://example.org/1".to_owned(),
        url: url::Url::parse("https://example.org/1").ok(),
        title: title.to_owned(),
        html: html.to_owned(),
        authors: vec![title.to_owned()],
        published: None,
        updated: Some(DateTime::UNIX_EPOCH.fixed_offset()),
        categories: vec![title.to_owned()],
        language: Some(title.to_owned()),
        enclosures: vec![forest_core::feed::Enclosure {
            url: "https://example.org/1.mp3".parse().expect("a URL"),
            media_type: Some(format!("audio/{title}")),
            bytes: None,
        }],
        ..FeedEntry::default()
    };
    Channel {
        id: "https://example.org/".to_owned(),
        title: title.to_owned(),
        description: Some(title.to_owned()),
        entries: vec![entry],
        ..Channel::default()
    }
}

#[test]
fn xss_list_stays_dead() {
    let vectors = vectors();
    assert!(vectors.len() >= 60, "{}", vectors.len());
    // The check finds the harm of the unchanged vectors.
    let misjudged = vectors
        .iter()
        .filter(|(vector, harms)| live(vector).is_empty() == *harms);
    assert_eq!(misjudged.collect::<Vec<_>>(), Vec::<&(&str, bool)>::new());
    let user = User::new();
    for (at, &(vector, _)) in vectors.iter().enumerate() {
        let html = page_with(vector);
        user.put(&format!("pages/{at:02}.html"), &html);
        let page = Page::from_html(&html);
        let record = article(
            &page,
            &Mask::all(&page),
            &Options::default().with_html(true),
        );
        let clean = record.html.expect("was asked for");
        is_dead(&clean, vector, "the record's html");
        is_dead(&sanitise(vector), vector, "sanitise");
        // The page after a reader parses and writes it again.
        is_dead(&sanitise(&clean), vector, "sanitise twice");
        for format in [
            SyndicationFormat::Atom,
            SyndicationFormat::Rss,
            SyndicationFormat::Json,
        ] {
            let text = write(&channel(vector, &clean), format);
            let feed = forest_core::feed::parse(text.as_bytes(), None, None).expect("a feed");
            let content = feed.items[0].content.as_deref().unwrap_or_default();
            is_dead(content, vector, "a feed's content");
            if format == SyndicationFormat::Json {
                continue;
            }
            let document = roxmltree::Document::parse(&text).expect("well-formed");
            let titles = document
                .descendants()
                .filter(|n| n.tag_name().name() == "title");
            for title in titles {
                // The display by a reader that takes titles for HTML.
                is_dead(title.text().unwrap_or_default(), vector, "a feed's title");
            }
        }
        edits_are_dead(vector);
    }
    for format in ["html", "xhtml", "jsonl"] {
        for method in ["onepage", "bte"] {
            let args = [
                "apply",
                "pages",
                "--method",
                method,
                "--format",
                format,
                "--with-html",
            ];
            let ran = user.run(&args);
            assert!(ran.code == 0 || ran.code == 3, "{}", ran.err);
            match format {
                "jsonl" => {
                    for record in ran.records() {
                        let html = record["html"].as_str().unwrap_or_default();
                        is_dead(html, &record["id"].to_string(), "jsonl");
                    }
                }
                _ => {
                    assert!(
                        ran.out.matches("<article").count() > vectors.len() / 2,
                        "{}",
                        ran.out
                    );
                    is_dead(&ran.out, method, format);
                }
            }
            if format == "xhtml" {
                let options = roxmltree::ParsingOptions {
                    allow_dtd: true,
                    ..Default::default()
                };
                let document = roxmltree::Document::parse_with_options(&ran.out, options);
                for n in document
                    .expect("well-formed")
                    .descendants()
                    .filter(|n| n.is_element())
                {
                    let tag = n.tag_name().name();
                    assert!(!BANNED.contains(&tag), "{tag}");
                    for attribute in n.attributes() {
                        let live = live_attribute(tag, attribute.name(), attribute.value());
                        assert_eq!(live, None);
                    }
                }
            }
        }
    }
}

fn edits_are_dead(vector: &str) {
    use forest_archive::diff::{Diff, html};
    for (old, new) in [("", vector), (vector, ""), (vector, "<b>boom</b>")] {
        let edits = html(&Diff::of(old, new).hunks(3));
        is_dead(&edits, vector, "edits");
    }
}
