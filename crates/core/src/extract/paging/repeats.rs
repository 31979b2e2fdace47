//! Text that stood on the pages before: the lead at a page's head, the
//! note on the author at its foot, or all of it.

use foldhash::HashSet;
use forest_html::page::{Mask, NodeId, Page};
use forest_html::text::fold;

/// Share of a page's text that must be new for it to be no repetition.
const MIN_NEW: f64 = 0.1;

/// The blocks of the pages so far.
#[derive(Debug, Clone, Default)]
pub(super) struct EarlierBlocks(HashSet<String>);

/// The kept text nodes of one block, which are one line or several.
struct EarlierBlock {
    holder: NodeId,
    texts: Vec<NodeId>,
    line: String,
}

impl EarlierBlocks {
    /// Remembers what is kept of a page.
    pub fn add(&mut self, page: &Page, kept: &Mask) {
        let lines = blocks(page, kept).into_iter().map(|block| block.line);
        self.0.extend(lines);
    }

    /// Share of the text so far, block by block, that is kept of a page.
    pub fn share_in(&self, page: &Page, kept: &Mask) -> f64 {
        let there: HashSet<String> = blocks(page, kept).into_iter().map(|b| b.line).collect();
        let bytes = |line: &String| line.len();
        let all: usize = self.0.iter().map(bytes).sum();
        let found: usize = self.0.intersection(&there).map(bytes).sum();
        found as f64 / all.max(1) as f64
    }

    /// The kept nodes without the earlier text at head and foot; `None` if
    /// it was all there.
    pub fn new_of(&self, page: &Page, kept: &Mask) -> Option<Mask> {
        let blocks = blocks(page, kept);
        let is_known = |block: &&EarlierBlock| self.0.contains(&block.line);
        let bytes = |blocks: &mut dyn Iterator<Item = &EarlierBlock>| -> usize {
            blocks.map(|block| block.line.len()).sum()
        };
        let all = bytes(&mut blocks.iter());
        let new = bytes(&mut blocks.iter().filter(|block| !is_known(block)));
        if all == 0 || (new as f64) < MIN_NEW * all as f64 {
            return None;
        }
        let head = blocks.iter().take_while(is_known);
        let foot = blocks.iter().rev().take_while(is_known);
        let mut out = kept.clone();
        for block in head.chain(foot) {
            drop_block(page, block, &mut out);
        }
        Some(out)
    }
}

/// Leaves a block out, with the element around it where this holds nothing else.
fn drop_block(page: &Page, block: &EarlierBlock, mask: &mut Mask) {
    let first = block.texts[0];
    let last = block.texts[block.texts.len() - 1];
    let others = |n: &NodeId| (*n < first || *n > last) && mask.contains(*n);
    let is_alone = !page.content_texts(block.holder).any(|n| others(&n));
    if is_alone {
        mask.drop_subtree(page, block.holder)
    } else {
        block.texts.iter().for_each(|&n| mask.drop(n))
    }
}

fn blocks(page: &Page, kept: &Mask) -> Vec<EarlierBlock> {
    let mut out: Vec<EarlierBlock> = Vec::new();
    for text in kept.texts(page) {
        let is_block = |&n: &NodeId| page.breaks_line(n);
        let holder = page.ancestors(text).find(is_block);
        let holder = holder.unwrap_or_else(|| page.root());
        match out.last_mut().filter(|block| block.holder == holder) {
            Some(block) => block.texts.push(text),
            None => out.push(EarlierBlock {
                holder,
                texts: vec![text],
                line: String::new(),
            }),
        }
    }
    for block in &mut out {
        let whole: String = block.texts.iter().map(|&n| page.text(n)).collect();
        block.line = fold(&whole);
    }
    out.retain(|block| !block.line.is_empty());
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::text;

    fn check(before: &str, html: &str, expected: Option<&str>) {
        let mut seen = EarlierBlocks::default();
        let page = Page::from_html(before);
        seen.add(&page, &Mask::all(&page));
        let page = Page::from_html(html);
        let new = seen.new_of(&page, &Mask::all(&page));
        let new = new.map(|mask| text(&page, &mask));
        assert_eq!(new.as_deref(), expected, "{html}");
    }

    #[test]
    fn head_and_foot_go_and_what_is_between_stays() {
        let first = "<h1>Title</h1><p>Lead.<p>Yes.<p>By one who knows";
        check(first, "<p>Next.<p>Yes.<p>End.", Some("Next.\nYes.\nEnd."));
        check(
            first,
            "<h1>Title</h1><p>Lead.<p>Next.<p>Yes.<p>End.<p>By <b>one</b> who knows",
            Some("Next.\nYes.\nEnd."),
        );
    }

    #[test]
    fn a_page_that_says_the_same_is_nothing_new() {
        let first = "<p>A sentence that takes up room on the page.<p>Another that does so, too.";
        check(first, first, None);
        let counted = format!("<b>2</b>{first}");
        check(first, &counted, None);
        check(first, "", None);
        check(
            first,
            &format!("{first}<p>New and long enough to count."),
            Some("New and long enough to count."),
        );
    }
}
