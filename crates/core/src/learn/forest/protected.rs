//! Parts of a page that are its article's by their kind, whatever the block scores make of them:
//! tables of data, listings, footnotes, the captions of figures, and lists and groups of short
//! texts in the midst of the article. No strip takes them, unless
//! other pages have the same text. And the line numbers of listings, which are nobody's: the
//! writers leave them out.

use crate::onepage::BlockScores;
use crate::render::{is_data_table, line_numbers};
use crate::wrapper::StripMatch;
use foldhash::HashSet;
use forest_html::page::{NodeId, Page};
use html5ever::local_name;
use std::ops::Range;

/// Elements around a caption that are looked at for its figure.
const AROUND: usize = 4;

/// Share of the words of such a part that may stand on other pages: the labels of a table of
/// data, but not all of it.
const MAX_REPEATED: f32 = 0.8;

/// Share of its words in links from which on it is a list of links.
const MAX_LINKED: f32 = 0.5;

/// Parts of the names of elements that hold footnotes.
const NAMES: [&str; 2] = ["footnote", "endnote"];

/// The use of a block, where its kind of element says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BlockUse {
    /// The article's.
    Protected,
    /// The number of a line, which the writers leave out.
    LineNumber,
    /// The numbers of the lines of a listing beside it.
    Numbers,
}

/// True if blocks are mostly text that no other page has, and no list of links.
pub(super) fn is_own(
    scores: &BlockScores,
    blocks: &Range<usize>,
    may_be_links: bool,
    is_repeated: impl Fn(usize) -> bool,
) -> bool {
    let (mut words, mut repeated, mut linked) = (0.0, 0.0, 0.0);
    for at in blocks.clone() {
        let block = &scores.blocks[at];
        words += block.words;
        linked += block.linked;
        repeated += if is_repeated(at) { block.words } else { 0.0 };
    }
    repeated <= MAX_REPEATED * words && (may_be_links || linked <= MAX_LINKED * words)
}

/// The use of each block, if its kind says it; `groups` are the blocks of lists and groups of the
/// article's own, `is_repeated` is true for blocks whose text other pages have, too.
pub(super) fn uses(
    page: &Page,
    scores: &BlockScores,
    groups: &[Range<usize>],
    is_repeated: impl Fn(usize) -> bool,
) -> Vec<Option<BlockUse>> {
    let mut uses = vec![None; scores.blocks.len()];
    for blocks in groups {
        uses[blocks.clone()].fill(Some(BlockUse::Protected));
    }
    let mut numbers = HashSet::default();
    for container in &scores.containers {
        let n = container.element;
        let is_table = page.is(n, &local_name!("table"));
        if is_table && let Some(cells) = line_numbers(page, n) {
            numbers.extend(cells);
        }
        if numbers.contains(&n) {
            uses[container.blocks.clone()].fill(Some(BlockUse::LineNumber));
        } else if page.is(n, &local_name!("pre")) && StripMatch::of(page, &[n]).digits {
            let known = &mut uses[container.blocks.clone()];
            known.iter_mut().for_each(|of_block| {
                of_block.get_or_insert(BlockUse::Numbers);
            });
        } else if is_protected(page, n) {
            let is_quoted = page.is(n, &local_name!("blockquote"));
            if is_own(scores, &container.blocks, is_quoted, &is_repeated) {
                uses[container.blocks.clone()].fill(Some(BlockUse::Protected));
            }
        }
    }
    uses
}

/// True for an element of a kind that is the article's.
fn is_protected(page: &Page, n: NodeId) -> bool {
    let Some(tag) = page.tag(n) else { return false };
    let in_figure = || {
        let mut around = page.ancestors(n).skip(1).take(AROUND);
        around.any(|up| page.is(up, &local_name!("figure")))
    };
    match *tag {
        local_name!("table") => !is_laid_out(page, n) && is_data_table(page, n),
        local_name!("pre") => page.text(n).contains(char::is_alphabetic),
        local_name!("figcaption") => in_figure() && is_plain_caption(page, n),
        local_name!("blockquote") => in_figure(),
        local_name!("div") | local_name!("section") | local_name!("ol") | local_name!("aside") => {
            let values = ["class", "id", "role"];
            let mut values = values.into_iter().filter_map(|name| page.attr(n, name));
            values.any(|value| {
                let value = value.to_ascii_lowercase();
                NAMES.iter().any(|name| value.contains(name))
            })
        }
        _ => false,
    }
}

/// True for a table with the attributes of layout and without the elements of data.
fn is_laid_out(page: &Page, table: NodeId) -> bool {
    let marks = ["width", "cellpadding", "cellspacing", "border", "align"];
    let has_marks = marks
        .into_iter()
        .any(|mark| page.attr(table, mark).is_some());
    let is_head = |n: NodeId| {
        let tag = page.tag(n).map_or("", |tag| tag);
        matches!(tag, "th" | "thead" | "caption")
    };
    has_marks && !page.subtree(table).any(is_head)
}

/// True for a caption of one line in the author's words. One of parts, or with something in
/// brackets at its end, is a publisher's, with its credit.
fn is_plain_caption(page: &Page, caption: NodeId) -> bool {
    let has_parts = page.children(caption).any(|n| {
        let tag = page.tag(n).map_or("", |tag| tag);
        matches!(tag, "span" | "div" | "p" | "small" | "cite")
    });
    !has_parts && !page.text(caption).trim_end().ends_with([')', ']', '）'])
}
