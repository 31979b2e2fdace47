//! Pages of shapes that nobody writes, over every method and pipeline.

use crate::pipeline::{Pipeline, Preset};
use forest_html::page::{Kind, Mask, Page};

/// True for pages of full length: the tests that come with heavy ones take every shape in
/// the size that was asked of it.
const FULL: bool = cfg!(feature = "heavy");

/// The text that is kept of a page of a shape.
#[derive(Clone, Copy, PartialEq)]
enum ExpectedText {
    Nothing,
    Something,
    /// Either.
    Any,
}

/// A function from a page to a mask, with its name.
type NamedMethod = (String, Box<dyn Fn(&Page) -> Mask>);

/// All of them.
fn methods() -> Vec<NamedMethod> {
    let mut all: Vec<NamedMethod> = Vec::new();
    for preset in Preset::ALL {
        let method = preset.method();
        all.push((preset.to_string(), Box::new(move |p| method.article(p))));
    }
    for (name, _) in Pipeline::SHIPPED {
        let pipeline = Pipeline::shipped(name).expect(name);
        all.push((pipeline.to_string(), Box::new(move |p| pipeline.article(p))));
    }
    all
}

#[track_caller]
fn check(html: &str, expected: ExpectedText) {
    let page = Page::from_html(html);
    for (name, method) in methods() {
        let mask = method(&page);
        for n in mask.nodes() {
            assert!(page.kind(n) == Kind::Text && page.is_content(n), "{name}");
        }
        match expected {
            ExpectedText::Nothing => assert!(mask.is_empty(), "{name}"),
            ExpectedText::Something => {
                assert!(mask.texts(&page).any(|n| page.text(n).len() > 1), "{name}")
            }
            ExpectedText::Any => {}
        }
    }
}

/// `full` times, or a hundredth of it.
fn many(part: &str, full: usize) -> String {
    part.repeat(if FULL { full } else { full / 100 })
}

const SENTENCE: &str = "The cat that slept on the organ of the church was fed by the priest. ";

#[test]
fn one_block_of_ten_megabytes() {
    let block = many(SENTENCE, 10_000_000 / SENTENCE.len());
    check(
        &format!("<html lang=en><p>{block}"),
        ExpectedText::Something,
    );
    // The same as many texts of one block.
    let texts = many(&format!("{SENTENCE}<b>.</b>"), 10_000_000 / 80);
    check(&format!("<html lang=en><p>{texts}"), ExpectedText::Any);
}

#[test]
fn a_million_blocks() {
    check(&many("<p>a", 1_000_000), ExpectedText::Any);
    check(&many("<p>a b</p>\n", 1_000_000), ExpectedText::Any);
}

#[test]
fn no_text_at_all() {
    check("", ExpectedText::Nothing);
    check(" \n ", ExpectedText::Nothing);
    check("<!doctype html>", ExpectedText::Nothing);
    check("<frameset><frame src=x></frameset>", ExpectedText::Nothing);
    check(
        "<title>A title</title><script>var x = 'text'</script><!-- text -->",
        ExpectedText::Nothing,
    );
    check(
        &many("<div class=a><img src=b></div> ", 500_000),
        ExpectedText::Nothing,
    );
    check(&many("\u{a0}<p>\n", 500_000), ExpectedText::Nothing);
}

#[test]
fn text_without_tags() {
    check(&many(SENTENCE, 20), ExpectedText::Any);
    check(&SENTENCE.repeat(9), ExpectedText::Something);
    check("a", ExpectedText::Any);
}

#[test]
fn very_deep() {
    let deep = many("<div><a href=/>", 1_000_000);
    check(&format!("{deep}x"), ExpectedText::Any);
    let around = many("<div>x", 1_000_000);
    check(&around, ExpectedText::Any);
    check(&many("<table><tr><td>x", 200_000), ExpectedText::Any);
    check(&many("<b><p>x", 100_000), ExpectedText::Any);
}

#[test]
fn one_giant_word() {
    check(&many("x", 10_000_000), ExpectedText::Any);
    check(&many("文", 3_000_000), ExpectedText::Any);
    check(&many("\u{301}", 3_000_000), ExpectedText::Any);
}

#[test]
fn all_links() {
    check(&many("<a href=/>x</a>", 500_000), ExpectedText::Any);
    check(
        &many("<li><a href=/a/b>Some link</a></li>", 300_000),
        ExpectedText::Any,
    );
    let words = many("link ", 2_000_000);
    check(&format!("<a href=/>{words}</a>"), ExpectedText::Any);
}

#[test]
fn a_tag_of_megabytes() {
    let value = many("x", 9_000_000);
    check(&format!("<p class='{value}'>text</p>"), ExpectedText::Any);
    check(
        &format!("<p {}>text</p>", many("a=b ", 10_000)),
        ExpectedText::Any,
    );
}
