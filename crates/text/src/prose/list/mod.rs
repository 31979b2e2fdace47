//! Lists: items and bullets that are removed, items that become sentences (section 3.2).
//!
//! - [`clean`]: removes hyperlink items and hand-written bullets (3.2.1, 3.2.2).
//! - `flatten`: items join the introductory clause (3.2.3).
//! - `trigger`: the words that bind each item to it.

mod bullet;
mod flatten;
mod trigger;

pub(super) use flatten::{Introduction, flatten, style};

use super::TextOptions;
use super::block::{BlockKind, PageBlocks};
use forest_html::text::text_size;
use std::ops::Range;

/// Removes bullets, and items of hyperlink lists that have too few words. Returns the
/// texts of the removed items in document order.
pub(super) fn clean(blocks: &mut PageBlocks, options: &TextOptions) -> Vec<String> {
    let mut removed: Vec<u32> = Vec::new();
    let mut items: Vec<Range<u32>> = Vec::new();
    for i in 0..blocks.blocks.len() {
        let BlockKind::ListStart(list) = blocks.blocks[i].kind else {
            continue;
        };
        items_of(blocks, i, &mut items);
        if blocks.lists[list as usize].is_links && options.link_item_words > 0 {
            items.retain(|item| {
                let texts = own_texts(blocks, item.clone());
                let words: f32 = texts
                    .map(|at| text_size(blocks.text(&blocks.blocks[at])))
                    .sum();
                let is_kept = words.ceil() >= options.link_item_words as f32;
                if !is_kept {
                    removed.extend(own_texts(blocks, item.clone()).map(|at| at as u32));
                }
                is_kept
            });
        }
        if options.drop_bullets {
            let firsts = items.iter().filter_map(|item| {
                let first = own_texts(blocks, item.clone()).next()?;
                Some((first, blocks.text(&blocks.blocks[first])))
            });
            let lens = bullet::bullets(firsts.clone().map(|(_, text)| text));
            let firsts: Vec<usize> = firsts.map(|(first, _)| first).collect();
            for (first, len) in firsts.into_iter().zip(lens) {
                blocks.blocks[first].skip(len);
            }
        }
    }
    removed.sort_unstable();
    removed
        .into_iter()
        .filter_map(|at| {
            let block = blocks.blocks[at as usize];
            let text = blocks.text(&block).replace('\n', " ");
            blocks.blocks[at as usize].empty();
            (!text.is_empty()).then_some(text)
        })
        .collect()
}

/// The items of the list that begins at a block. An item is the blocks from its mark to
/// the next mark of this list or of a nested list.
fn items_of(blocks: &PageBlocks, start: usize, items: &mut Vec<Range<u32>>) {
    items.clear();
    let mut open: Option<u32> = None;
    let mut at = start as u32 + 1;
    loop {
        let kind = blocks.blocks.get(at as usize).map(|block| block.kind);
        let ends = match kind {
            Some(BlockKind::Text | BlockKind::Heading | BlockKind::Pre | BlockKind::TableLine) => {
                false
            }
            Some(BlockKind::ItemStart(_) | BlockKind::ListStart(_) | BlockKind::ListEnd) | None => {
                true
            }
        };
        if ends && let Some(first) = open.take() {
            items.push(first..at);
        }
        match kind {
            Some(BlockKind::ItemStart(_)) => open = Some(at + 1),
            Some(BlockKind::ListStart(nested)) => at = blocks.lists[nested as usize].end,
            Some(BlockKind::ListEnd) | None => return,
            _ => {}
        }
        at += 1;
    }
}

/// The blocks of text among an item's blocks.
fn own_texts(blocks: &PageBlocks, item: Range<u32>) -> impl Iterator<Item = usize> + '_ {
    (item.start as usize..item.end as usize).filter(|&at| blocks.blocks[at].is_text())
}
