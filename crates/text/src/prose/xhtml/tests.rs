//! Tests with pages that XML does not allow.

use super::chars::{Within, push_escaped};
use super::{FREE_BYTES, MAX_DEPTH, MAX_GROWTH, MAX_RUN_BYTES, fragment, xhtml};
use forest_html::page::{Page, Source};
use proptest::prelude::*;

/// The contents of the body.
fn check(html: &str, expected: &str) {
    let page = Page::from_html(&format!("<body>{html}"));
    assert_eq!(fragment(&page).text, expected, "{html}");
    well_formed(&xhtml(&page).text);
}

#[track_caller]
fn well_formed(xhtml: &str) {
    let options = roxmltree::ParsingOptions {
        allow_dtd: true,
        ..Default::default()
    };
    if let Err(error) = roxmltree::Document::parse_with_options(xhtml, options) {
        panic!("{error}: {xhtml}");
    }
}

/// The text of a page with white space folded, and without what XML has not.
fn words(page: &Page) -> Vec<String> {
    let mut text = String::new();
    for n in page.content_texts(page.root()) {
        text.extend(page.text(n).chars().filter_map(super::chars::legal));
    }
    text.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn a_document() {
    let page =
        Page::from_html("<!doctype html><!-- a --><html lang=en-GB><title>A &amp; B</title>");
    assert_eq!(
        xhtml(&page).text,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE html>\n\
         <html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en-GB\" xml:lang=\"en-GB\">\
         <head><title>A &amp; B</title></head><body></body></html>\n"
    );
    for empty in [
        "",
        " ",
        "<!-- -->",
        "</p>",
        "<frameset><frame src=a></frameset>",
    ] {
        well_formed(&xhtml(&Page::from_html(empty)).text);
    }
}

#[test]
fn tags_are_closed_and_nested() {
    check("<i>a<b>b</i>c</b>", "<i>a<b>b</b></i><b>c</b>");
    check(
        "a<br>b<img src=x alt=y>",
        "a<br />b<img src=\"x\" alt=\"y\" />",
    );
    check("<div/>a", "<div>a</div>");
    check("<ul><li>a<li>b</ul>", "<ul><li>a</li><li>b</li></ul>");
}

#[test]
fn entities_are_characters_and_c1_references_are_windows_1252() {
    check("&ocirc;&permil;&apos;&#233;&#xe9;", "ô‰'éé");
    let meant = "€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ";
    let numbers = (128..160).filter(|n| ![129, 141, 143, 144, 157].contains(n));
    let references: String = numbers.map(|n| format!("&#{n};")).collect();
    check(&references, meant);
}

#[test]
fn text_stays_as_it_was_broken() {
    check(
        "a long\nline <b>of</b>\twords",
        "a long\nline <b>of</b>\twords",
    );
    check("a&#13;b", "a&#13;b");
    check("<p title='a\nb&#9;c'>", "<p title=\"a&#10;b&#9;c\"></p>");
}

#[test]
fn characters_that_xml_has_not() {
    check("a&#1;b&#12;c\u{b}d\u{FFFE}e&#xFFFF;f", "ab c def");
    check("<p title='&#2;\u{FFFF}'>", "<p title=\"\"></p>");
    check("1 < 2 ]]> 3 & 4", "1 &lt; 2 ]]&gt; 3 &amp; 4");
}

#[test]
fn names_that_xml_has_not() {
    check(
        "<p a\"b=1 @click=2 1x=3 :y=4 é=5>",
        "<p a_b=\"1\" _click=\"2\" _1x=\"3\" _y=\"4\" é=\"5\"></p>",
    );
    check("<o:p>a</o:p>", "<o_p>a</o_p>");
    check("<a\"b>a</a\"b>", "<a_b>a</a_b>");
    check("<p @x=1 :x=2 _x=3>", "<p _x=\"1\"></p>");
    check(
        "<p xmlns=x xmlns:o=y xml:id=1>",
        "<p xmlns_o=\"y\" xml_id=\"1\"></p>",
    );
}

#[test]
fn languages() {
    check("<p lang=de>", "<p lang=\"de\" xml:lang=\"de\"></p>");
    check("<p lang='x y'>", "<p lang=\"x y\"></p>");
    check(
        "<p xml:lang=fr lang=de>",
        "<p xml:lang=\"fr\" lang=\"de\"></p>",
    );
    check(
        "<p xml:lang='?' lang=de>",
        "<p lang=\"de\" xml:lang=\"de\"></p>",
    );
}

#[test]
fn foreign_elements_have_their_namespaces() {
    const SVG: &str =
        "xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\"";
    check(
        "<svg viewbox='0 0 1 1' xmlns=x xmlns:xlink=y><use xlink:href=#a xml:space=preserve />\
         <foreignObject><p xlink:href=b>c</p></foreignObject></svg>d",
        &format!(
            "<svg {SVG} viewBox=\"0 0 1 1\"><use xlink:href=\"#a\" xml:space=\"preserve\"></use>\
             <foreignObject><p xmlns=\"http://www.w3.org/1999/xhtml\" xlink_href=\"b\">c</p>\
             </foreignObject></svg>d"
        ),
    );
    check(
        "<math><mi>x</mi></math>",
        "<math xmlns=\"http://www.w3.org/1998/Math/MathML\" \
         xmlns:xlink=\"http://www.w3.org/1999/xlink\"><mi>x</mi></math>",
    );
    check(
        "a <math><msup><mi>x</mi><mn>2</mn></msup></math> b",
        "a $x^2$ b",
    );
}

#[test]
fn scripts_and_styles_are_plain_text() {
    check(
        "<script>if (a < b && c) d(']]>')</script><style>a > b {}</style>",
        "<script>if (a &lt; b &amp;&amp; c) d(']]&gt;')</script><style>a &gt; b {}</style>",
    );
    check("<template><p>a</template>", "<template><p>a</p></template>");
    check("<xmp>a <b></xmp>", "<pre>a &lt;b&gt;</pre>");
}

#[test]
fn comments() {
    check("<!-- a -- b --->", "<!-- a - - b - -->");
    check(
        "<!----><!--a---><!--&#1;-->",
        "<!-- --><!--a- --><!--&#1;-->",
    );
    check(
        "<?php x ?><![CDATA[y]]>",
        "<!--?php x ?--><!--[CDATA[y]]-->",
    );
    check("<!--\u{1}>a-->", "<!-- >a-->");
}

#[test]
fn the_charset_named_is_that_of_the_output() {
    let html = "<meta charset=gbk><meta http-equiv=Content-Type content='text/html; charset=gbk'>\
                <meta name=a content=charset>";
    let xhtml = xhtml(&Page::from_html(html)).text;
    assert!(!xhtml.contains("gbk"), "{xhtml}");
    assert!(xhtml.contains("<meta name=\"a\" content=\"charset\" />"));
}

#[test]
fn the_output_is_bounded_and_nesting_needs_no_stack() {
    let check = |html: String, cut: bool| {
        let page = Page::from_html(&html);
        let out = xhtml(&page);
        assert_eq!(out.cut, cut, "{:.40}", html);
        // Closing tags come on top.
        assert!(out.text.len() <= MAX_GROWTH * html.len() + FREE_BYTES + 512 * 20);
        well_formed(&out.text);
    };
    check("&".repeat(100_000), true);
    check("<p title='".to_owned() + &"\"".repeat(100_000) + "'>", true);
    check("<b>".repeat(100_000), false);
    check("<b><p>".repeat(2_000), true);
    check("word ".repeat(100_000), false);
}

#[test]
fn deep_elements_are_dissolved_and_their_text_stays() {
    let html = "<div>a".repeat(300) + "<script>x</script><br>b";
    let page = Page::from_html(&html);
    let out = xhtml(&page);
    let depth = out.text.matches("<div>").count() + 2; // html and body
    assert_eq!((depth, out.dissolved), (MAX_DEPTH, 302 - MAX_DEPTH + 2));
    assert!(!out.text.contains('x') || !out.text.contains("<script"));
    assert_eq!(words(&page), words(&Page::from_html(&out.text)));
}

#[test]
fn what_libxml2_would_find_too_long_is_parted_or_cut() {
    let long = "a".repeat(MAX_RUN_BYTES + 1);
    let check = |html: String, cut: bool| {
        let out = xhtml(&Page::from_html(&html));
        assert_eq!(out.cut, cut);
        let longest = out.text.split(['<', '>']).map(str::len).max();
        assert!(longest <= Some(MAX_RUN_BYTES), "{longest:?}");
        out.text
    };
    let parted = check(format!("<p>{long}"), false);
    assert_eq!(
        parted.matches('a').count(),
        long.len() + "head".matches('a').count() * 2
    );
    check(format!("<p title={long}>b"), true);
    check(format!("<!-- {long} --><p>b"), false);
    check(format!("<p><!-- {long} -->b"), true);
}

#[test]
fn all_that_is_escaped() {
    let escaped = |text: &str, within| {
        let mut out = String::new();
        push_escaped(text, within, &mut out);
        out
    };
    assert_eq!(escaped("é\"\n&", Within::Text), "é\"\n&amp;");
    assert_eq!(escaped("é\"\n&", Within::Attribute), "é&quot;&#10;&amp;");
}

proptest! {
    #[test]
    fn whatever_bytes_come_in(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let out = xhtml(&Page::parse(&bytes, Source::default()));
        well_formed(&out.text);
    }

    #[test]
    fn whatever_markup_comes_in(parts in proptest::collection::vec(prop_oneof![
        "[ -~]{0,6}",
        "\\PC{0,3}",
        Just("<p ".to_owned()), Just("<b>".to_owned()), Just("</b>".to_owned()),
        Just("<table>".to_owned()), Just("<td>".to_owned()), Just("<svg ".to_owned()),
        Just("<math><mi>".to_owned()), Just("</p>".to_owned()), Just("'".to_owned()),
        Just("=\"".to_owned()), Just(">".to_owned()), Just("<!--".to_owned()),
        Just("--".to_owned()), Just("<script>".to_owned()), Just("</script>".to_owned()),
        Just("<template>".to_owned()), Just("<select><option>".to_owned()),
        Just("xlink:href=".to_owned()), Just("xml:lang=".to_owned()), Just(" lang=en ".to_owned()),
        Just("<xmp>".to_owned()), Just("<textarea>".to_owned()), Just("&#x80;&lt;".to_owned()),
        Just("<o:p @a a:b".to_owned()), Just("\0\x0c\u{1}\u{FFFF}".to_owned()),
    ], 0..40)) {
        let page = Page::from_html(&parts.concat());
        let out = xhtml(&page);
        well_formed(&out.text);
        if !out.cut {
            let again = Page::from_html(&out.text);
            prop_assert_eq!(words(&page), words(&again));
        }
    }
}
