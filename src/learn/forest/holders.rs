//! What of a page has text and can be selected.

use super::names::{Name, Names, Simple, Test, sayable};
use crate::onepage::{BlockScores, ScoredBlock};
use crate::page::{Kind, NodeId, Page};
use foldhash::{HashMap, HashSet};
use std::ops::Range;

/// Bytes of a text that can tell its element: longer ones are data.
const MAX_TEXT_BYTES: usize = 80;

/// Inline elements around a text that are looked at, innermost first.
const MAX_INLINE: usize = 8;

/// An element with text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Holder {
    /// The element.
    pub element: NodeId,
    /// Index of the holder around it; the first is its own.
    pub parent: usize,
    /// The blocks of its subtree, as indices.
    pub blocks: Range<usize>,
    /// For an element that is only a part of the one block that it stands in: its
    /// words.
    pub part: Option<f32>,
    /// The selectors that select it.
    pub names: Vec<Name>,
}

/// The holders of a page: its elements of block level, and the inline elements in
/// its blocks. `is_repeated` tells the blocks whose text stands on other pages, too.
pub(super) fn of(
    page: &Page,
    scores: &BlockScores,
    is_repeated: impl Fn(usize) -> bool,
    names: &mut Names,
) -> Vec<Holder> {
    let blocks = scores.containers.iter().map(|container| Holder {
        element: container.element,
        parent: 0,
        blocks: container.blocks.clone(),
        part: None,
        names: Vec::new(),
    });
    let mut all: Vec<Holder> = blocks.collect();
    let is_block: HashSet<NodeId> = all.iter().map(|holder| holder.element).collect();
    let texts = texts(page, scores);
    all.extend(inline(page, scores, &texts, &is_block));
    all.extend(empty(page, scores, &texts, names));
    all.sort_by_key(|holder| holder.element);
    let mut open: Vec<usize> = Vec::new();
    for i in 0..all.len() {
        let element = all[i].element;
        while open
            .last()
            .is_some_and(|&up| !page.contains(all[up].element, element))
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
    for holder in &mut all {
        holder.names = names.of(page, holder.element).to_vec();
        if !is_block.contains(&holder.element) {
            // The tag alone of an inline element is how a text looks.
            holder.names.retain(|&name| names[name].test != Test::Any);
        }
        let is_label =
            holder.part.is_none() && holder.blocks.len() == 1 && is_repeated(holder.blocks.start);
        if is_label && let Some(simple) = by_text(page, holder.element) {
            holder.names.push(names.id(simple));
        }
    }
    all
}

/// A text node with words in it.
struct Text {
    node: NodeId,
    /// Its block.
    block: usize,
    words: f32,
}

/// The texts of a page in document order.
fn texts(page: &Page, scores: &BlockScores) -> Vec<Text> {
    let of_block = |(block, judged): (usize, &ScoredBlock)| {
        let nodes = (judged.span.0.0..=judged.span.1.0).map(NodeId);
        let texts = nodes.filter(|&n| page.kind(n) == Kind::Text && page.is_content(n));
        texts.map(move |node| Text {
            node,
            block,
            words: page.text(node).split_whitespace().count() as f32,
        })
    };
    let texts = scores.blocks.iter().enumerate().flat_map(of_block);
    texts.filter(|text| text.words > 0.0).collect()
}

/// The inline elements in which text stands: those that are around whole blocks, and
/// those that are parts of one.
fn inline(
    page: &Page,
    scores: &BlockScores,
    texts: &[Text],
    is_block: &HashSet<NodeId>,
) -> Vec<Holder> {
    let mut out: Vec<Holder> = Vec::new();
    let mut known: HashMap<NodeId, usize> = HashMap::default();
    for text in texts {
        let (at, (first, last)) = (text.block, scores.blocks[text.block].span);
        let around = page
            .ancestors(text.node)
            .take_while(|up| !is_block.contains(up));
        for up in around.take(MAX_INLINE) {
            let place = *known.entry(up).or_insert(out.len());
            let Some(holder) = out.get_mut(place) else {
                let is_around = page.contains(up, first) && page.contains(up, last);
                out.push(Holder {
                    element: up,
                    parent: 0,
                    blocks: at..at + 1,
                    part: (!is_around).then_some(text.words),
                    names: Vec::new(),
                });
                continue;
            };
            match &mut holder.part {
                Some(part) if holder.blocks.start == at => *part += text.words,
                Some(_) => {}
                None => holder.blocks.end = holder.blocks.end.max(at + 1),
            }
        }
    }
    out
}

/// The elements without text that have names: what follows one can be told by it.
fn empty(page: &Page, scores: &BlockScores, texts: &[Text], names: &mut Names) -> Vec<Holder> {
    let has_text = |n: NodeId| {
        let next = texts.partition_point(|text| text.node < n);
        texts.get(next).is_some_and(|text| text.node < page.end(n))
    };
    let is_named = |n: &NodeId| {
        let own = names.of(page, *n).to_vec();
        own.into_iter().any(|name| names[name].is_named())
    };
    let elements = page.content_elements().iter().copied();
    let elements = elements.filter(|n| !has_text(*n)).filter(is_named);
    let of_element = |element| {
        let at = scores
            .blocks
            .partition_point(|block| block.span.0 < element);
        let is_in_line = at > 0 && scores.blocks[at - 1].span.1 > element;
        Holder {
            element,
            parent: 0,
            blocks: at..at,
            part: is_in_line.then_some(0.0),
            names: Vec::new(),
        }
    };
    elements.map(of_element).collect()
}

/// The selector of an element by its text.
fn by_text(page: &Page, n: NodeId) -> Option<Simple> {
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
    is_label.then(|| Simple {
        tag,
        test: Test::Text(text.into()),
    })
}
