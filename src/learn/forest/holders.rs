//! What of a page has text and can be selected.

use super::names::{Name, Names, Simple, Test};
use crate::density::onepage::Opinion;
use crate::page::{Kind, NodeId, Page};
use foldhash::HashSet;
use std::ops::Range;

/// Bytes of a text that can tell its element: longer ones are data.
const MAX_TEXT_BYTES: usize = 80;

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
    opinion: &Opinion,
    is_repeated: impl Fn(usize) -> bool,
    names: &mut Names,
) -> Vec<Holder> {
    let blocks = opinion.holders.iter().map(|holder| Holder {
        element: holder.element,
        parent: 0,
        blocks: holder.blocks.clone(),
        part: None,
        names: Vec::new(),
    });
    let mut all: Vec<Holder> = blocks.chain(inline(page, opinion)).collect();
    let with_text: HashSet<NodeId> = all.iter().map(|holder| holder.element).collect();
    all.extend(empty(page, opinion, &with_text, names));
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
    let is_block: HashSet<NodeId> = opinion.holders.iter().map(|h| h.element).collect();
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

/// The inline elements in which text stands: those that are around whole blocks, and
/// those that are parts of one.
fn inline(page: &Page, opinion: &Opinion) -> Vec<Holder> {
    let mut out: Vec<Holder> = Vec::new();
    let blocks: Vec<NodeId> = opinion.holders.iter().map(|h| h.element).collect();
    let mut open: Vec<usize> = Vec::new();
    for (at, block) in opinion.blocks.iter().enumerate() {
        let (first, last) = block.span;
        let texts = (first.0..=last.0).map(NodeId);
        for text in texts.filter(|&n| page.kind(n) == Kind::Text && page.is_content(n)) {
            let words = page.text(text).split_whitespace().count() as f32;
            if words == 0.0 {
                continue;
            }
            for up in page.ancestors(text) {
                if blocks.binary_search(&up).is_ok() {
                    break;
                }
                open.retain(|&i| page.end(out[i].element) > first);
                let is_around = page.contains(up, first) && page.contains(up, last);
                match open.iter().copied().find(|&i| out[i].element == up) {
                    Some(i) => {
                        let holder = &mut out[i];
                        match &mut holder.part {
                            Some(part) if holder.blocks.start == at => *part += words,
                            Some(_) => {}
                            None => holder.blocks.end = holder.blocks.end.max(at + 1),
                        }
                    }
                    None => {
                        open.push(out.len());
                        out.push(Holder {
                            element: up,
                            parent: 0,
                            blocks: at..at + 1,
                            part: (!is_around).then_some(words),
                            names: Vec::new(),
                        });
                    }
                }
            }
        }
    }
    out
}

/// The elements without text that have names: what follows one can be told by it.
fn empty(
    page: &Page,
    opinion: &Opinion,
    with_text: &HashSet<NodeId>,
    names: &mut Names,
) -> Vec<Holder> {
    let is_named = |n: &NodeId| {
        let own = names.of(page, *n).to_vec();
        own.into_iter().any(|name| names[name].is_named())
    };
    let elements = page.content_elements().iter().copied();
    let elements = elements.filter(|n| !with_text.contains(n)).filter(is_named);
    let of_element = |element| {
        let at = opinion
            .blocks
            .partition_point(|block| block.span.0 < element);
        let is_in_line = at > 0 && opinion.blocks[at - 1].span.1 > element;
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
    let mut text = String::new();
    for part in page.subtree(n).filter(|&n| page.kind(n) == Kind::Text) {
        if text.len() > MAX_TEXT_BYTES * 4 {
            return None;
        }
        text.push_str(page.text(part));
    }
    // As `normalize-space()` does.
    let xml_space = |c| matches!(c, ' ' | '\t' | '\n' | '\r');
    let words: Vec<&str> = text.split(xml_space).filter(|w| !w.is_empty()).collect();
    let text = words.join(" ");
    let tag = page.tag(n)?.clone();
    let is_label = !text.is_empty() && text.len() <= MAX_TEXT_BYTES && !text.contains('\'');
    is_label.then(|| Simple {
        tag,
        test: Test::Text(text.into()),
    })
}
