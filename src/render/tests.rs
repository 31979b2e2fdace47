use super::*;
use crate::page::{Mask, NodeId, Page};

fn check(html: &str, expected: &str) {
    let page = Page::from_html(html);
    assert_eq!(text(&page, &Mask::all(&page)), expected, "{html}");
}

#[test]
fn blocks_and_breaks_end_lines() {
    check("<div>a<div>b</div>c</div>d<p>e", "a\nb\nc\nd\ne");
    check("a<br>b<br><br>c", "a\nb\nc");
    check("<ul><li>a<ul><li>b</ul><li>c</ul>d", "a\nb\nc\nd");
    check("<p> </p><p>a</p><p> \n</p><br>", "a");
}

#[test]
fn inline_elements_glue_as_the_source_does() {
    check("a<b>b</b> <i> c</i>d", "ab cd");
    check("<a>x </a><a> y</a>", "x y");
    check("<span>a</span>\n<span>b</span>", "a b");
    check("a\u{a0} b&nbsp;c", "a b c");
}

#[test]
fn rows_are_lines_and_cells_are_parted() {
    check(
        "<table><tr><th>a</th><th>b<tr><td> c <td><td>d</table>e",
        "a\tb\nc\td\ne",
    );
    check("<table><tr><td><p>a</p><p>b</p></td><td>c", "a\nb\nc");
}

#[test]
fn pre_keeps_lines_and_spaces() {
    check(
        "x<pre>\n\n  a\n\n    b  <b>c</b>\n\n</pre>y",
        "x\n  a\n\n    b  c\ny",
    );
    check("<pre> \n </pre>y", "y");
    check("<pre>a<br>b</pre>", "a\nb");
}

#[test]
fn controls_pictures_and_fallbacks_are_no_text() {
    check(
        "a<button>b</button><select><option>c</select><textarea>d</textarea>e",
        "ae",
    );
    check(
        "a<svg><title>icon</title></svg><video>no video</video>b<img alt=x>",
        "ab",
    );
    check(
        "<math><semantics><mi>x</mi><annotation>\\x</annotation></semantics></math>",
        "x",
    );
    check(
        "<title>t</title>a<script>s</script><noscript>n</noscript>b",
        "ab",
    );
}

#[test]
fn only_what_is_kept_and_words_never_glue_over_what_is_not() {
    let page = Page::from_html("<div>a<p>b</p>c<div>d</div></div><p>e");
    let texts: Vec<NodeId> = page.content_texts(page.root()).collect();
    let mut mask = Mask::none(&page);
    mask.keep(texts[0]);
    mask.keep(texts[2]);
    mask.keep(texts[4]);
    assert_eq!(text(&page, &mask), "a\nc\ne");
    assert_eq!(text(&page, &Mask::none(&page)), "");
}
