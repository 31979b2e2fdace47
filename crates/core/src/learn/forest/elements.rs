//! The elements of a page that a selector may select.

use super::selectors::{ElementSelector, SelectorId, SelectorTable, SelectorTest, sayable};
use crate::onepage::{BlockScores, ScoredBlock};
use crate::wrapper::StripMatch;
use foldhash::HashMap;
use forest_html::page::{Kind, Mask, NodeId, Page};
use forest_html::text::text_size;
use std::ops::Range;
use std::sync::Arc;

/// Bytes of a text that can select its element: longer ones are data.
const MAX_TEXT_BYTES: usize = 80;

/// Bytes of the numbers of some thousand lines.
const MAX_NUMBERS_BYTES: usize = 20_000;

/// Inline elements around a text that are looked at, innermost first.
const MAX_INLINE: usize = 8;

/// An element with text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct CandidateElement {
    /// The element.
    pub node: NodeId,
    /// Index of the element around it; the first is its own.
    pub parent: usize,
    /// The blocks of its subtree, as indices.
    pub blocks: Range<usize>,
    /// For an element that is only a part of the one block that it stands in: its
    /// words.
    pub part: Option<f32>,
    /// The selectors that select it.
    pub selectors: Arc<[SelectorId]>,
}

/// The elements of a page: its elements of block level, and the inline elements in
/// its blocks. `is_repeated` is true for blocks whose text stands on other pages, too.
pub(super) fn of(
    page: &Page,
    scores: &BlockScores,
    is_repeated: impl Fn(usize) -> bool,
    selectors: &mut SelectorTable,
) -> Vec<CandidateElement> {
    let mut is_block = Mask::none(page);
    for container in &scores.containers {
        is_block.keep(container.element);
    }
    let blocks = scores.containers.iter().map(|container| CandidateElement {
        node: container.element,
        parent: 0,
        blocks: container.blocks.clone(),
        part: None,
        selectors: selectors.of(page, container.element).all,
    });
    let mut all: Vec<CandidateElement> = blocks.collect();
    let texts = texts(page, scores);
    all.extend(inline(page, scores, &texts, &is_block, selectors));
    all.extend(empty(page, scores, &texts, &is_block, selectors));
    all.sort_by_key(|element| element.node);
    let mut open: Vec<usize> = Vec::new();
    for i in 0..all.len() {
        let element = all[i].node;
        while open
            .last()
            .is_some_and(|&up| !page.contains(all[up].node, element))
        {
            open.pop();
        }
        all[i].parent = open.last().copied().unwrap_or(i);
        open.push(i);
    }
    // An inline element that is around elements of block level is around their blocks.
    for i in (1..all.len()).rev() {
        let (parent, blocks) = (all[i].parent, all[i].blocks.clone());
        if !blocks.is_empty() && all[i].part.is_none() {
            let up = &mut all[parent];
            up.part = None;
            up.blocks = up.blocks.start.min(blocks.start)..up.blocks.end.max(blocks.end);
        }
    }
    for element in &mut all {
        if element.part.is_some() || element.blocks.len() != 1 {
            continue;
        }
        let is_label = is_repeated(element.blocks.start);
        let by_text = || by_text(page, element.node).filter(|_| is_label);
        if let Some(compound) = by_numbers(page, element.node).or_else(by_text) {
            let own = element.selectors.iter().copied();
            element.selectors = own.chain([selectors.id(compound)]).collect();
        }
    }
    all
}

/// A text node with words in it.
struct TextPart {
    node: NodeId,
    /// Its block.
    block: usize,
    words: f32,
}

/// The texts of a page in document order.
fn texts(page: &Page, scores: &BlockScores) -> Vec<TextPart> {
    let of_block = |(block, judged): (usize, &ScoredBlock)| {
        let nodes = (judged.span.0.0..=judged.span.1.0).map(NodeId);
        let texts = nodes.filter(|&n| page.kind(n) == Kind::Text && page.is_content(n));
        texts.map(move |node| TextPart {
            node,
            block,
            words: text_size(page.text(node)),
        })
    };
    let texts = scores.blocks.iter().enumerate().flat_map(of_block);
    texts.filter(|text| text.words > 0.0).collect()
}

/// The inline elements in which text stands: those that are around whole blocks, and
/// those that are parts of one. The tag alone of such an element is how a text looks, and no
/// selector.
fn inline(
    page: &Page,
    scores: &BlockScores,
    texts: &[TextPart],
    is_block: &Mask,
    selectors: &mut SelectorTable,
) -> Vec<CandidateElement> {
    let mut out: Vec<CandidateElement> = Vec::new();
    let mut known: HashMap<NodeId, usize> = HashMap::default();
    for text in texts {
        let (at, (first, last)) = (text.block, scores.blocks[text.block].span);
        let around = page
            .ancestors(text.node)
            .take_while(|up| !is_block.contains(*up));
        for up in around.take(MAX_INLINE) {
            let place = *known.entry(up).or_insert(out.len());
            let Some(element) = out.get_mut(place) else {
                let is_around = page.contains(up, first) && page.contains(up, last);
                out.push(CandidateElement {
                    node: up,
                    parent: 0,
                    blocks: at..at + 1,
                    part: (!is_around).then_some(text.words),
                    selectors: selectors.of(page, up).beside_tag,
                });
                continue;
            };
            match &mut element.part {
                Some(part) if element.blocks.start == at => *part += text.words,
                Some(_) => {}
                None => element.blocks.end = element.blocks.end.max(at + 1),
            }
        }
    }
    out
}

/// The elements without text that have selectors: a strip can take what follows one.
fn empty(
    page: &Page,
    scores: &BlockScores,
    texts: &[TextPart],
    is_block: &Mask,
    selectors: &mut SelectorTable,
) -> Vec<CandidateElement> {
    let has_text = |n: NodeId| {
        let next = texts.partition_point(|text| text.node < n);
        texts.get(next).is_some_and(|text| text.node < page.end(n))
    };
    let elements = page.content_elements().iter().copied();
    let elements = elements.filter(|n| !has_text(*n));
    let of_element = |element| {
        let own = selectors.of(page, element);
        if !own.all.iter().any(|&one| selectors[one].is_named()) {
            return None;
        }
        let at = scores
            .blocks
            .partition_point(|block| block.span.0 < element);
        let is_in_line = at > 0 && scores.blocks[at - 1].span.1 > element;
        Some(CandidateElement {
            node: element,
            parent: 0,
            blocks: at..at,
            part: is_in_line.then_some(0.0),
            selectors: if is_block.contains(element) {
                own.all
            } else {
                own.beside_tag
            },
        })
    };
    elements.filter_map(of_element).collect()
}

/// The selector of an element by the shape of its text: the numbers of lines are others on
/// each page, and as many as it has lines.
fn by_numbers(page: &Page, n: NodeId) -> Option<ElementSelector> {
    let tag = sayable(page, n)?.clone();
    let is_short = page.text(n).len() <= MAX_NUMBERS_BYTES;
    let is_one = is_short && StripMatch::of(page, &[n]).digits;
    is_one.then_some(ElementSelector {
        tag,
        test: SelectorTest::Numbers,
    })
}

/// The selector of an element by its text.
fn by_text(page: &Page, n: NodeId) -> Option<ElementSelector> {
    // As `normalize-space()` does.
    let is_space = |c| matches!(c, ' ' | '\t' | '\n' | '\r');
    let text = page.text(n).trim_matches(is_space);
    if text.len() > MAX_TEXT_BYTES * 4 {
        return None;
    }
    let words: Vec<&str> = text.split(is_space).filter(|w| !w.is_empty()).collect();
    let text = words.join(" ");
    let tag = sayable(page, n)?.clone();
    let is_label = !text.is_empty() && text.len() <= MAX_TEXT_BYTES && !text.contains('\'');
    is_label.then(|| ElementSelector {
        tag,
        test: SelectorTest::Text(text.into()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::onepage::BlockModel;

    #[test]
    fn a_part_of_a_line_is_counted_in_the_words_of_blocks() {
        let check = |label: &str, words: f32| {
            let page = Page::from_html(&format!("<p><b class=label>{label}</b> {label} {label}"));
            let scores = BlockScores::of(&page, BlockModel::shipped());
            assert_eq!(scores.blocks[0].words, 3.0 * words);
            let elements = of(&page, &scores, |_| false, &mut SelectorTable::default());
            let parts: Vec<f32> = elements.iter().filter_map(|e| e.part).collect();
            assert_eq!(parts, [words], "{label}");
        };
        check("The editor in charge", 4.0);
        check("本站的所有文章都由编辑部的同事们负责撰写", 10.0);
    }
}
