//! The arena against markup5ever_rcdom: the same tree on the shapes of tree
//! construction and, with `--features heavy`, on every page of the development
//! gold.

use crate::trees::compare as check;
use forest_html::page::Page;

#[test]
fn an_empty_and_an_ordinary_page() {
    check("");
    check("plain text");
    check(
        "<!DOCTYPE html><title>T</title><p class='a b' id=x>one<p>two<!-- c --></html><!-- after -->",
    );
}

#[test]
fn text_is_merged() {
    check("<p>a&amp;b</p>c<b></b>d");
    check("<table>x<tr>y<td>z</table>");
}

#[test]
fn foster_parenting() {
    check("<table><div>a</div><tr><td>b</td>c<p>d</table>");
    check("<table><a href=1>x<table><a href=2>y</table>z");
    check("<p>one<table>two<td>three<p>four</table>five");
    check("<table><tbody><tr><form><input type=hidden></tr>a</table><svg><tr></svg>");
}

#[test]
fn adoption_agency() {
    check("<a>1<p>2</a>3</p>");
    check("<b>1<i>2</b>3</i>4");
    check("<p><b><div><i>1</b>2</p>3</i>4</div>");
    check("<a href=1><div><a href=2>x</div></a>");
    check("<b><em><p>1</b>2</em></p><font size=1><font size=2><table><tr><td></font>x");
    check("<div><a><b><div><div><div><div><div><div><div><div><div></a>x");
}

#[test]
fn formatting_is_reconstructed() {
    check("<p><b><i>1<p>2<p>3</b>4");
    check("<p><b id=1><b id=1><b id=1><b id=1>x<p>y");
    check("<div><font a=1></div><div><font a=2></div><div>x");
}

#[test]
fn template_contents() {
    check("<template><p>a<template>b</template></template>c");
    check("<table><template><tr><td>x</template><tr><td>y</table>");
    check("<template><col><template><div></template></template>");
}

#[test]
fn shadow_roots() {
    check("<div><template shadowrootmode=open><p>in</p></template>out</div>");
    check("<template shadowrootmode=closed>x</template>");
}

#[test]
fn foreign_content() {
    check(
        "<svg><desc><p>a</desc><foreignObject><div>b</foreignObject><path xlink:href=#x viewbox=1 /></svg>c",
    );
    check(
        "<math><mi>x<annotation-xml encoding='text/html'><p>y</annotation-xml><annotation-xml><p>z</math>",
    );
    check("<svg><![CDATA[a<b]]><title><b>t</svg><svg><p>out");
}

#[test]
fn raw_text_and_frames() {
    check(
        "<script>a<b></script><style>p{}</style><noscript><p>x</noscript><textarea>\n<p></textarea>",
    );
    check("<iframe><p>x</iframe><noembed><p></noembed><xmp><b></xmp><plaintext><p>a</p>");
    check("<frameset><frame><noframes><p>a</noframes></frameset>");
}

#[test]
fn document_types() {
    check("<!DOCTYPE html SYSTEM 'about:legacy-compat'><p>a");
    check("<!doctype HTML PUBLIC \"-//W3C//DTD HTML 4.01//EN\" 'http://a.example/\"x'><p>a");
    check("<!DOCTYPE html PUBLIC '-//W3C//DTD HTML 3.2//EN'><p><table>");
}

#[test]
fn html_and_body_attributes_are_merged() {
    check("<html a=1><body b=2>x<html a=3 c=4><body b=5 d=6>");
}

#[test]
fn selects() {
    check("<select><option>a<option selected>b<optgroup><option>c</select><p>d");
    check("<select><div><option>x<hr><button>y</select>");
}

/// Here the oracle is wrong: it looks for the name `selectedcontent` on the
/// `select` itself (0.40.1, `get_a_selects_enabled_selectedcontent`), so it never
/// copies anything. The standard does.
#[test]
fn selectedcontent_shows_the_selected_option() {
    let page = Page::from_html(
        "<select><button><selectedcontent>old</selectedcontent></button>\
         <option>a<option selected>b <i>c</i><u>d<s>e</s></u>f</option></select>",
    );
    let shown = page
        .elements()
        .find(|&n| &*page.name(n).unwrap().local == "selectedcontent")
        .unwrap();
    assert_eq!(page.text(shown), "b cdef");
    let tags: Vec<_> = page
        .subtree(shown)
        .filter_map(|n| page.name(n).map(|q| q.local.to_string()))
        .collect();
    assert_eq!(tags, ["selectedcontent", "i", "u", "s"]);
    assert_eq!(page.text(page.root()), "b cdefab cdef");
}

#[test]
#[cfg(feature = "heavy")]
fn every_page_of_the_development_gold() {
    use crate::needed::shared;
    use crate::pages::{saved_pages, text_of};
    let (Some(gold), Some(feeds)) = (shared("gold"), shared("feeds")) else {
        return;
    };
    let mut pages = 0;
    for page in saved_pages([gold, feeds]).expect("the shared pages") {
        let text = text_of(&page).expect("a page");
        if text.contains("<selectedcontent") {
            continue;
        }
        println!("{}", page.display());
        check(&text);
        pages += 1;
    }
    assert!(pages > 2000, "only {pages} pages compared");
}
