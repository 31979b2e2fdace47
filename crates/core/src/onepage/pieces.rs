//! Pieces that are kept whole: programs, data tables, lists and other runs of siblings that
//! are made alike, of whose short blocks the model is unsure.

use crate::repeat::tolerant_type;
use aho_corasick::AhoCorasick;
use forest_html::page::style::declares;
use forest_html::page::{NodeId, Page, tags};
use html5ever::{LocalName, local_name};
use std::ops::Range;
use std::sync::LazyLock;

/// A piece of an article.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ArticlePiece {
    /// Its blocks.
    pub blocks: Range<usize>,
    pub kind: PieceKind,
    /// The blocks of the element around it.
    pub around: Range<usize>,
}

/// The kind of a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PieceKind {
    Program,
    List,
    Table,
    /// Siblings that are made alike, and are no list by their names: years with events,
    /// questions with answers.
    Group,
    /// A form to subscribe with the words around it, or the label of an advertisement: no part
    /// of any article.
    Box,
}

/// Words in the names of boxes with a form, and names of boxes around an advertisement. They are
/// fewer than those of the roles in `blocks`, which are numbers for the model: these drop text.
const OF_FORMS: [&str; 6] = [
    "newsletter",
    "signup",
    "sign-up",
    "subscribe",
    "subscription",
    "mailing-list",
];
const OF_ADVERTS: [&str; 7] = [
    "ad-slot",
    "ad-container",
    "ad-wrapper",
    "ad-label",
    "adslot",
    "advertisement",
    "ad-unit",
];

/// The names of both, first those of forms.
static BOX_NAMES: LazyLock<AhoCorasick> = LazyLock::new(|| {
    let names = OF_FORMS.iter().chain(&OF_ADVERTS);
    AhoCorasick::new(names).expect("a dozen names")
});

/// Siblings of a group at the least.
const MIN_MEMBERS: usize = 3;

/// Children of an element that are looked at.
const MAX_MEMBERS: usize = 200;

/// The outermost pieces of a page whose blocks have these spans.
pub(super) fn pieces(page: &Page, spans: &[(NodeId, NodeId)]) -> Vec<ArticlePiece> {
    let blocks_of = |n: NodeId| {
        let first = spans.partition_point(|span| span.0 < n);
        first..first + spans[first..].partition_point(|span| span.1 < page.end(n))
    };
    let mut pieces = Vec::new();
    let mut end = NodeId(0);
    for &n in page.content_elements() {
        let Some(kind) = (n >= end).then(|| kind_of(page, n)).flatten() else {
            continue;
        };
        let blocks = blocks_of(n);
        if blocks.is_empty() {
            continue;
        }
        // A group of long texts is an article, or a thread.
        if kind != PieceKind::Group {
            end = page.end(n);
        }
        let around = page.parent(n).map_or(0..0, blocks_of);
        pieces.push(ArticlePiece {
            blocks,
            kind,
            around,
        });
    }
    pieces
}

fn kind_of(page: &Page, n: NodeId) -> Option<PieceKind> {
    let tag = page.tag(n)?;
    match *tag {
        local_name!("pre") => Some(PieceKind::Program),
        local_name!("ul") | local_name!("ol") | local_name!("dl") => Some(PieceKind::List),
        local_name!("table") => is_data(page, n).then_some(PieceKind::Table),
        _ if is_listing(page, n) => Some(PieceKind::Program),
        local_name!("div") | local_name!("section") | local_name!("aside") if is_box(page, n) => {
            Some(PieceKind::Box)
        }
        local_name!("div") | local_name!("section") => {
            is_group(page, n).then_some(PieceKind::Group)
        }
        _ => None,
    }
}

/// True for a box by its names: one to subscribe has a field or a button.
fn is_box(page: &Page, n: NodeId) -> bool {
    let names = ["class", "id"].iter().filter_map(|name| page.attr(n, name));
    let mut boxes = names.flat_map(|value| {
        let found = BOX_NAMES.find_iter(value);
        found.map(move |found| (value, found.range(), found.pattern().as_usize()))
    });
    let is_field = |n: NodeId| {
        let tag = page.tag(n);
        tag.is_some_and(|tag| tags::has(tag, tags::FIELD) || *tag == local_name!("form"))
    };
    boxes.any(|(value, range, name)| {
        if name < OF_FORMS.len() {
            page.subtree(n).take(MAX_MEMBERS).any(is_field)
        } else {
            let mut tokens = value.split_ascii_whitespace();
            tokens.any(|token| token == &value[range.clone()])
        }
    })
}

/// Elements between the text of a heading and the heading.
const IN_HEADING: usize = 3;

/// True for a text of a heading below the first level.
pub(super) fn is_heading(page: &Page, text: NodeId) -> bool {
    is_in(page, text, |tag| {
        tags::has(tag, tags::HEADING) && *tag != local_name!("h1")
    })
}

/// True for text in a heading of any level.
pub(super) fn is_in_heading(page: &Page, text: NodeId) -> bool {
    is_in(page, text, |tag| tags::has(tag, tags::HEADING))
}

fn is_in(page: &Page, text: NodeId, is_tag: impl Fn(&LocalName) -> bool) -> bool {
    let mut around = page.ancestors(text).take(IN_HEADING);
    around.any(|up| page.tag(up).is_some_and(&is_tag))
}

/// True for a program that is no `pre`: a style that keeps its lines, or the class of an editor.
fn is_listing(page: &Page, n: NodeId) -> bool {
    let keeps_lines = |style: &str| {
        declares(style, "white-space", |value| {
            value.eq_ignore_ascii_case("pre")
        })
    };
    let of_editor = |classes: &str| {
        let mut classes = classes.split_ascii_whitespace();
        classes.any(|class| {
            matches!(
                class,
                "cm-editor" | "CodeMirror" | "ace_editor" | "monaco-editor"
            )
        })
    };
    page.attr(n, "style").is_some_and(keeps_lines)
        || page.attr(n, "class").is_some_and(of_editor)
        || page.is(n, &local_name!("code")) && page.text(n).trim().contains('\n')
}

/// True for an element whose children are blocks that are made alike, and no paragraphs.
fn is_group(page: &Page, n: NodeId) -> bool {
    let mut first = None;
    let mut members = 0;
    let elements = page.children(n).filter(|&child| page.tag(child).is_some());
    for child in elements.take(MAX_MEMBERS) {
        let own = tolerant_type(page, child);
        let is_block = page.tag(child).is_some_and(|tag| {
            tags::has(tag, tags::BLOCK)
                && !tags::has(tag, tags::HEADING)
                && !matches!(
                    *tag,
                    local_name!("p") | local_name!("br") | local_name!("hr")
                )
        });
        if !is_block || own != *first.get_or_insert(own) {
            return false;
        }
        members += 1;
    }
    members >= MIN_MEMBERS
}

/// True for a table that holds no other table and no form, and has two rows with text in two
/// cells or more.
fn is_data(page: &Page, table: NodeId) -> bool {
    let (mut rows, mut filled) = (0, 0);
    for n in page.subtree(table).skip(1) {
        match page.tag(n) {
            Some(&local_name!("table") | &local_name!("form")) => return false,
            Some(&local_name!("tr")) => filled = 0,
            Some(&local_name!("td") | &local_name!("th")) if !page.text(n).trim().is_empty() => {
                filled += 1;
                rows += usize::from(filled == 2);
            }
            _ => {}
        }
    }
    rows > 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::onepage::{BlockModel, BlockScores, ScoredBlock};

    /// The blocks whose probability is raised, by their text, where all others are
    /// those of the article and these are not.
    fn check(html: &str, expected: &[&str]) {
        check_with(0.0, html, expected);
    }

    /// The same where the model gives the blocks that are none of the article this probability.
    fn check_with(probability: f32, html: &str, expected: &[&str]) {
        let page = Page::from_html(html);
        let mut scores = BlockScores::of(&page, BlockModel::shipped());
        let text = |block: &ScoredBlock| page.text(block.span.0).trim().to_owned();
        for block in &mut scores.blocks {
            let is_of_article = !text(block).starts_with('-');
            block.probability = if is_of_article { 1.0 } else { probability };
        }
        let raised = scores.raised(&page).probabilities;
        let raised = scores.blocks.iter().zip(raised);
        let found: Vec<String> = raised
            .filter(|(block, raised)| *raised > block.probability)
            .map(|(block, _)| text(block))
            .collect();
        assert_eq!(found, expected, "{html}");
    }

    #[test]
    fn programs_data_and_lists_between_kept_blocks_are_kept() {
        check("<p>a<pre>-b</pre><p>c", &["-b"]);
        check(
            "<p>a<div style='white-space: pre'><div>-b</div><div>-c</div></div><p>d",
            &["-b", "-c"],
        );
        check("<p>a<div class=cm-editor><div>-b</div></div><p>d", &["-b"]);
        check(
            "<p>a<table><tr><td>-b<td>-c<tr><td>-d<td>-e</table><p>f",
            &["-b", "-c", "-d", "-e"],
        );
        check("<p>a<ul><li>-b<li>-c</ul><p>d", &["-b", "-c"]);
    }

    #[test]
    fn what_a_program_says_is_kept_with_it() {
        let program = "<div class=box><div><code>-b\n-c</code></div><div>-d</div></div>";
        check(&format!("<p>a</p>{program}<p>e"), &["-b\n-c", "-d"]);
        let caption = "<figure><pre>-b</pre><figcaption>-d</figcaption></figure>";
        check(&format!("<p>a</p>{caption}<p>e"), &["-b", "-d"]);
        // Not another program's text, nor links, nor more than that.
        check(&format!("<p>a</p>{program}"), &[]);
        check("<p>a</p><pre>-b</pre><div><a href=/>-d</a></div><p>e", &[]);
        check(
            "<p>a</p><pre>-b</pre><div>-d</div><div>-e</div><div>-f</div><p>e",
            &[],
        );
    }

    #[test]
    fn data_whose_last_column_is_links_is_data() {
        check(
            "<p>a<table><tr><td>-b<td><a href=/>-c</a><tr><td>-d<td><a href=/>-e</a></table><p>f",
            &["-b", "-c", "-d", "-e"],
        );
        check(
            "<p>a<table><tr><td><a href=/>-b<td><a href=/>-c</a><tr><td><a href=/>-d<td><a href=/>-e</a></table><p>f",
            &[],
        );
    }

    #[test]
    fn data_at_the_end_of_an_article_is_kept() {
        let table = "<table><tr><td>-b<td>-c<tr><td>-d<td>-e</table>";
        let all = ["-b", "-c", "-d", "-e"];
        check(&format!("<main><p>a{table}</main><div>-f</div>"), &all);
        check(&format!("<main><p>a</p></main><div>{table}</div>"), &[]);
        check("<main><p>a<ul><li>-b<li>-c</ul></main>", &[]);
    }

    #[test]
    fn pieces_that_end_an_article_together_are_kept() {
        let table = "<table><tr><td>-b<td>-c<tr><td>-d<td>-e</table>";
        let member = |text: &str| format!("<div class=m>-{text}</div>");
        let group = format!("<div>{}{}{}</div>", member("g"), member("h"), member("i"));
        let all = ["-b", "-c", "-d", "-e", "-g", "-h", "-i"];
        let notes = "<div><ol><li>-n<li>-o</ol></div>";
        check_with(0.2, &format!("<main><p>a</p>{table}{group}</main>"), &all);
        check_with(
            0.2,
            &format!("<main><p>a</p>{table}{group}{notes}</main>"),
            &all,
        );
        let links = "<ul><li><a href=/>-l</a><li><a href=/>-m</a></ul>";
        check_with(0.2, &format!("<main><p>a</p>{table}{links}</main>"), &[]);
        check_with(0.2, &format!("<main><p>a</p>{table}<p>-z</main>"), &[]);
    }

    #[test]
    fn headings_of_lists_without_links_are_kept_with_them() {
        let list = "<ul><li>-c<li>-d</ul>";
        let whole = format!("<p>a<div><h2>-b</h2>{list}</div><div><h2>-e</h2><p>f</div>");
        check_with(0.2, &whole, &["-b", "-c", "-d", "-e"]);
        check_with(
            0.2,
            &format!("<p>a<h3>-b</h3>{list}<p>f"),
            &["-b", "-c", "-d"],
        );
        // A heading that leads to other pages, and a list that the model knows to be none.
        check_with(
            0.2,
            &format!("<p>a<h3><a href=/>-b</a></h3>{list}<p>f"),
            &[],
        );
        check_with(0.01, &format!("<p>a<h3>-b</h3>{list}<p>f"), &[]);
        check_with(0.2, &format!("<p>a<h3>-b</h3>{list}"), &[]);
    }

    #[test]
    fn a_heading_that_is_kept_is_a_block_like_others() {
        let pre = "<pre>-b</pre>";
        check(&format!("<p>-a<h2>c</h2>{pre}<h2>d</h2><p>-e"), &["-b"]);
    }

    #[test]
    fn headings_above_what_is_kept_are_kept() {
        check_with(0.3, "<p>a<h2>-b</h2><p>c", &["-b"]);
        check("<p>a<h2>-b</h2><p>c", &[]);
        check_with(
            0.3,
            "<p>a<h3><b>-b</b></h3><ul><li>-c<li>-d</ul><h2>-e</h2><p>f",
            &["-b", "-c", "-d", "-e"],
        );
        check_with(0.3, "<h2>-b</h2><p>c", &[]);
        check_with(0.3, "<p>a<h2>-b</h2><p>-c", &[]);
    }

    #[test]
    fn groups_the_model_holds_possible_are_kept() {
        let group =
            "<div><div class=e><b>-b</b></div><div class=e>-c</div><div class=e>-d</div></div>";
        let page = Page::from_html(&format!("<p>a</p>{group}<p>e"));
        let mut scores = BlockScores::of(&page, BlockModel::shipped());
        let mut kept = |probability: f32| {
            let last = scores.blocks.len() - 1;
            for (at, block) in scores.blocks.iter_mut().enumerate() {
                block.probability = if at == 0 || at == last {
                    1.0
                } else {
                    probability
                };
            }
            scores
                .raised(&page)
                .probabilities
                .iter()
                .filter(|&&p| p > 0.5)
                .count()
        };
        assert_eq!((kept(0.2), kept(0.01)), (5, 2));
    }

    #[test]
    fn boxes_to_subscribe_and_labels_of_adverts_are_dropped() {
        let dropped = |html: &str| {
            let page = Page::from_html(html);
            let scores = BlockScores::of(&page, BlockModel::shipped());
            scores
                .raised(&page)
                .probabilities
                .iter()
                .filter(|&&p| p == 0.0)
                .count()
        };
        assert_eq!(
            dropped("<p>a<div class=newsletter-box><p>b<form><input></form></div><p>c"),
            1
        );
        assert_eq!(dropped("<p>a<div class=ad-slot><p>b</div><p>c"), 1);
        assert_eq!(dropped("<p>a<div class=newsletter-story><p>b</div><p>c"), 0);
        let words = "word ".repeat(61);
        assert_eq!(
            dropped(&format!("<div class=subscribe><input><p>{words}</div>")),
            0
        );
    }

    #[test]
    fn others_are_not() {
        check("<p>a<pre>-b</pre><p>-c", &[]);
        check("<p>a<table><tr><td>-b<td>-c</table><p>f", &[]);
        check(
            "<p>a<ul><li><a href=/>-b</a><li><a href=/>-c</a></ul><p>d",
            &[],
        );
    }
}
