//! Every page: nothing runs, filtering twice is filtering once, and writing
//! what was read gives it again.

use super::*;
use forest_html::page::Scripting;

const HOSTILE: &[&str] = &[
    "<svg><style><img src=x onerror=alert(1)></style></svg>",
    "<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=1 onerror=alert(1)&gt;\">",
    "<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
    "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\"></noscript>",
    "<template><script>a</script><img onerror=b src=c></template>",
    "<div><template shadowrootmode=open><script>a</script><b onclick=c>d</b></template></div>",
    "<a href='java\nscript:alert(1)'>a</a><a href=' &#1;javascript:b'>b</a>",
    "<a xlink:href='javascript:c'>c</a><svg><a xlink:href='JaVaScRiPt:d'><text>d</text></a></svg>",
    "<svg><a><animate attributeName=href values='javascript:alert(1)'/><text>e</text></a></svg>",
    "<svg><script>alert(1)</script><foreignObject><script>f</script></foreignObject></svg>",
    "<iframe srcdoc='<script>a</script>'></iframe><iframe src=javascript:b></iframe>",
    "<object data='data:text/html,<script>a</script>'></object><embed src=javascript:b>",
    "<meta http-equiv=refresh content='0;url=javascript:a'><base href='javascript:b'>",
    "<form action=javascript:a><button formaction=javascript:b>c</button></form>",
    "<body onload=a><p style='width:expression(b)'>c</p><style>x{behavior:url(d)}</style>",
    "<xmp><script>a</script></xmp><plaintext><img onerror=b src=c>",
    "<title><img onerror=a src=b></title><textarea><script>c</script></textarea>",
    "<select><style><img src=x onerror=alert(1)></style></select>",
    "<p><table><p>a<table><tr><td>b<p><form><form>c</form></form><a href=d><a href=e>f</a></a>",
    "<a href=1><table><a href=2>x</a><tr><td><a href=3>y</table>z</a>",
    "<b><i><p>a</b>b</i>c<nobr>d<nobr>e</nobr></nobr><button>f<button>g</button></button>",
    "<pre>\n\na</pre><textarea>\n\nb</textarea><listing>\n\nc</listing>",
    "<frameset><frame src=javascript:a><noframes><script>b</script></noframes></frameset>",
    "<!--><script>a</script>--><!-- --!><script>b</script> --><![CDATA[<script>c</script>]]>",
    "<p title='&quot;<script>' \"onclick=x 'b <c =d>e</p>",
    "<link rel=import href=a><link rel=preload as=script href=b><link rel=modulepreload href=c>",
    "<div><svg><desc><div><math><annotation-xml encoding='text/html'><p><script>a</script>",
    "<svg></p><style><a id=\"</style><img src=1 onerror=alert(1)>\">",
    "<table><tr><td><table><td><a href=x>y</a><input type=hidden onfocus=z></table>t<col>",
    "a\u{0}b&#13;\r\n&#x80;<p \u{0}c=d>é\u{a0}&nbsp;",
    "<!DOCTYPE html PUBLIC \"-//W3C//DTD HTML 3.2//EN\"><p><table><td>a</table>",
];

/// Elements and attributes that run, in a page as browsers with and without scripts read it.
fn running(html: &str) -> Vec<String> {
    let pages = [
        Page::from_html(html),
        Page::parse_for(
            Scripting::Off,
            html.as_bytes(),
            Source::default(),
            html.len(),
        ),
    ];
    pages.iter().flat_map(running_in).collect()
}

fn running_in(page: &Page) -> Vec<String> {
    let mut found = Vec::new();
    for n in page.elements() {
        let name = page.name(n).expect("an element");
        let holds_pages =
            |tag: &str| matches!(tag, "iframe" | "object" | "embed" | "frame" | "noscript");
        if &*name.local == "script" || page.tag(n).is_some_and(|tag| holds_pages(tag)) {
            found.push(format!("<{}>", name.local));
        }
        for (attr, value) in page.attrs(n) {
            let plain: String = value.chars().filter(|c| *c > ' ').collect();
            let plain = plain.to_ascii_lowercase();
            let is_text = matches!(&*attr.local, "title" | "alt" | "content" | "value");
            let runs = plain.starts_with("javascript:") && !is_text
                || attr.local.starts_with("on")
                || &*attr.local == "srcdoc"
                || plain.starts_with("data:text/html") && !is_text;
            if runs {
                found.push(format!("{}={value}", attr.local));
            }
        }
        let is_refresh = |kind: &str| kind.eq_ignore_ascii_case("refresh");
        if page.attr(n, "http-equiv").is_some_and(is_refresh) {
            found.push("refresh".to_owned());
        }
    }
    found
}

/// All that holds for the output of a page.
fn check_page(html: &str, profile: Profile) {
    let engine = FilterEngine::new(profile.settings());
    let page = engine.parse(html.as_bytes(), Source::default());
    let filtered = engine.filter(&page);
    let written = filtered.html();
    assert!(
        !written.warnings.contains(&FilterWarning::TextOnly),
        "{profile:?}: {html}: {}",
        written.text
    );
    assert_eq!(
        running(&written.text),
        Vec::<String>::new(),
        "{profile:?}: {html}: {}",
        written.text
    );
    let again = engine.parse(written.text.as_bytes(), Source::default());
    let twice = engine.filter(&again);
    assert_eq!(twice.html().text, written.text, "{profile:?}: {html}");
    assert!(
        twice.changes().is_empty(),
        "{profile:?}: {html}: {:?}",
        twice.changes()
    );
}

#[test]
fn nothing_runs_and_twice_is_once() {
    for html in HOSTILE {
        for profile in Profile::ALL {
            check_page(html, profile);
        }
    }
}

#[test]
fn pages_of_no_filter_are_written_as_they_read() {
    for html in HOSTILE {
        let settings = FilterSettings::none();
        let engine = FilterEngine::new(settings);
        let page = engine.parse(html.as_bytes(), Source::default());
        let written = engine.filter(&page).html();
        let again = engine.parse(written.text.as_bytes(), Source::default());
        assert_eq!(engine.filter(&again).html().text, written.text, "{html}");
    }
}

/// The tree that is written is the tree that was filtered.
#[track_caller]
fn check_read_again(html: &str) {
    let settings = Profile::Speech.settings();
    let engine = FilterEngine::new(settings);
    let page = engine.parse(html.as_bytes(), Source::default());
    let filtered = engine.filter(&page);
    let written = filtered.html().text;
    let again = engine.parse(written.as_bytes(), Source::default());
    assert_eq!(engine.filter(&again).html().text, written, "{html}");
    assert_eq!(engine.filter(&again).text(), filtered.text(), "{html}");
}

#[test]
fn a_document_with_other_than_ascii_characters_names_its_charset() {
    check_read_again("<p title='caf\u{e9}'>word</p>");
    check_read_again("<p>word <img src=a alt='caf\u{e9}'></p>");
    check_read_again("<meta charset=iso-8859-1><p>caf\u{e9}</p>");
    let text = body("<p title='caf\u{e9}'>word</p>", &only(|_| ()));
    assert_eq!(text, "<p title=\"caf\u{e9}\">word</p>");
}

#[test]
fn removed_links_are_listed_whatever_the_address_of_the_page() {
    let html = "<p>Enough words that the page is no portal.\
        <table><tr><td><a href='a b'>c</a> <a href=javascript:d>e</a></table>";
    let engine = FilterEngine::new(FilterSettings::default());
    for url in [None, Some("https://a.example/")] {
        let source = Source {
            url,
            ..Source::default()
        };
        let page = engine.parse(html.as_bytes(), source);
        let filtered = engine.filter(&page);
        let hrefs: Vec<&str> = { filtered.removed_links().iter() }
            .map(|link| &*link.href)
            .collect();
        assert_eq!(hrefs, ["a b"], "{url:?}");
    }
}

#[test]
fn a_malformed_document_type_stays_in_quirks_mode() {
    let text = "a sentence of more than five and twenty characters";
    let html = format!(
        "<!doctype html public \"-//a-->\n<script src=\"b\"></script><p><table><tr><td>{text}</table>c"
    );
    check_read_again(&html);
    let page = Page::from_html(&html);
    let written = filter(&page, &FilterSettings::default()).html().text;
    assert!(written.starts_with("<html>"), "{written}");
    assert!(written.contains("<p><table>"), "{written}");
}

#[test]
fn a_tree_that_reads_otherwise_is_parsed_again() {
    for html in DOUBTFUL {
        check_read_again(html);
    }
}

/// Markup whose tree reads otherwise, or by rules of its own.
const DOUBTFUL: &[&str] = &[
    "<p><a href=1>a<table><tr><td>b</table></a>",
    "<a href=1>a<svg><foreignObject><a href=2>b</a></foreignObject></svg></a>",
    "<table><form><tr><td>a</table>",
    "<p><table><tr><td>a</table>",
    "<svg><desc><p>a</p></desc></svg>",
    "<math><mi>a</mi></math>",
    "<xmp>a</xmp>",
    "<template>a</template>",
    "<body><p><a href=a>b<template><p>c <a href=d>e</a><ul><li>f</ul></template></a>",
    "<body><div><template><tr><td>a</template></div>",
    "<!-- a -->b",
    "<frameset><frame src=a></frameset>",
    "<p a\"b=c>d",
];

#[test]
fn output_is_bounded() {
    let page = Page::from_html(&"&".repeat(100_000));
    let html = filter(&page, &FilterSettings::default()).html();
    assert!(html.text.len() <= 4 * 100_000 + 1100, "{}", html.text.len());
    assert!(html.warnings.contains(&FilterWarning::Cut));
}

#[test]
fn deep_tables_are_filtered() {
    let open = "<table><tr><td>".repeat(5_000);
    let html = format!("{open}<a href=a>b</a>{}", "word ".repeat(100));
    let page = Page::from_html(&html);
    let filtered = filter(&page, &FilterSettings::default());
    assert_eq!(filtered.after().words, 100);
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(64))]

    #[test]
    fn any_mixture_of_markup(parts in proptest::collection::vec(proptest::sample::select(PARTS.to_vec()), 1..30)) {
        let html = parts.concat();
        for profile in [Profile::Paper, Profile::Reader, Profile::Speech] {
            let engine = FilterEngine::new(profile.settings());
            let page = engine.parse(html.as_bytes(), Source::default());
            let written = engine.filter(&page).html();
            proptest::prop_assert_eq!(running(&written.text), Vec::<String>::new());
            let again = engine.parse(written.text.as_bytes(), Source::default());
            proptest::prop_assert_eq!(engine.filter(&again).html().text, written.text);
        }
    }
}

const PARTS: &[&str] = &[
    "<table>",
    "</table>",
    "<tr>",
    "<td>",
    "<th>",
    "<p>",
    "</p>",
    "<a href=x>",
    "</a>",
    "word word",
    "<b>",
    "</b>",
    "<i onclick=y>",
    "<svg>",
    "</svg>",
    "<math>",
    "<mtext>",
    "<style>",
    "</style>",
    "<script>",
    "</script>",
    "<noscript>",
    "</noscript>",
    "<template>",
    "</template>",
    "<select>",
    "<option>",
    "<form>",
    "</form>",
    "<input onfocus=z>",
    "<img src=a alt='b c'>",
    "<!--",
    "-->",
    "<title>",
    "</title>",
    "<pre>\n",
    "<ul>",
    "<li>",
    "</ul>",
    "<div style=a>",
    "</div>",
    "<foreignObject>",
    "<desc>",
    "<iframe>",
    "</iframe>",
    "<button>",
    "<h1>",
    "</h1>",
    "<frameset>",
    "<textarea>",
    "</textarea>",
    "<caption>",
    "<col>",
    "<object>",
    "</object>",
    "\n",
    "é",
    "&lt;",
    "<a href='javascript:a'>",
    "<nav class=forest-removed-links>",
    "</nav>",
    "<plaintext>",
    "<xmp>",
];
