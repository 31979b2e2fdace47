//! The pictures, figures and embeds among the kept text.

use super::shown::Region;
use forest_html::page::view::is_text;
use forest_html::page::walk::{is_embed, is_link};
use forest_html::page::{Kind, Mask, NodeId, Page};
use html5ever::local_name;
use std::cell::LazyCell;

/// Elements around a picture that are looked at for text.
const AROUND: usize = 16;

/// The kept nodes with the pictures, figures and embeds that stand among kept text, for
/// HTML, Markdown and [`images`](super::images()). Captions and quotations of a figure that
/// the text leaves out are part of it.
///
/// A mask that keeps elements keeps those of the figures and embeds that may be written.
/// In a mask of texts alone, as one-page methods give it, all pictures between the first
/// and the last kept text may be, and those of a figure whose whole text is kept. One stands
/// among kept text if the texts before and behind it are kept, or half of the other text of the
/// nearest element around it that has any. A figure whose text is mostly links is a teaser and left out, a quotation apart. At most three
/// passes over the region.
pub fn with_media(page: &Page, body: &Mask) -> Mask {
    let mut out = body.clone();
    let Some(mut region) = Region::of(page, body) else {
        return out;
    };
    let has_elements = body.nodes().any(|n| page.kind(n) == Kind::Element);
    if !has_elements {
        let figure = leading_figure(page, body, region);
        region.start = figure.unwrap_or(region.start);
    }
    let may = |n: NodeId| !has_elements || body.contains(n);
    let texts = LazyCell::new(|| KeptCounts::of(page, body, region));
    let mut at = region.start;
    while at < region.end {
        let n = at;
        at = NodeId(n.0 + 1);
        let is_figure = page.is(n, &local_name!("figure"));
        let is_bare = !is_figure && !page.tag(n).is_some_and(is_embed);
        if !is_figure && !is_picture(page, n) || is_bare && body.contains(n) {
            continue;
        }
        let [all, kept, links] = texts.within(page, n);
        at = page.end(n).min(region.end);
        if all > 0 && kept == all {
            if !has_elements {
                keep_below(page, n, &may, &mut out);
            }
            continue;
        }
        let is_teaser = links * 2 > all && !has_quotation(page, n);
        if may(n) && !is_teaser && texts.is_among_kept(page, n) {
            keep_below(page, n, &may, &mut out);
        } else {
            page.subtree(n)
                .filter(|&below| page.kind(below) == Kind::Element)
                .for_each(|below| out.drop(below));
        }
    }
    out
}

/// The outermost figure that a region begins in, if all of its text is kept: the picture stands
/// above its caption.
fn leading_figure(page: &Page, body: &Mask, region: Region) -> Option<NodeId> {
    let is_whole = |&n: &NodeId| {
        page.is(n, &local_name!("figure")) && page.content_texts(n).all(|text| body.contains(text))
    };
    let around = page.ancestors(region.start).take(AROUND);
    around.filter(is_whole).last()
}

fn has_quotation(page: &Page, figure: NodeId) -> bool {
    page.subtree(figure)
        .any(|n| page.is(n, &local_name!("blockquote")))
}

fn is_picture(page: &Page, n: NodeId) -> bool {
    page.tag(n).is_some_and(|tag| {
        matches!(*tag, local_name!("img") | local_name!("picture"))
            || **tag == *"amp-img"
            || is_embed(tag)
    })
}

/// Keeps an element and all below it that `may` be kept: what stands in an element that
/// may not be is left out.
fn keep_below(page: &Page, top: NodeId, may: &impl Fn(NodeId) -> bool, out: &mut Mask) {
    let mut nodes = page.walk(top);
    while let Some(n) = nodes.next() {
        if page.kind(n) == Kind::Element && !may(n) {
            nodes.pass_over(n);
        } else {
            out.keep(n);
        }
    }
}

/// Tables and lists in a body of which some text is not kept.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PartlyKept {
    /// Tables that hold no other.
    pub tables: usize,
    /// Lists that stand in no other and are not mostly links.
    pub lists: usize,
}

/// The tables and lists between the first and the last kept text that are not kept whole.
pub fn partly_kept(page: &Page, body: &Mask) -> PartlyKept {
    let mut found = PartlyKept::default();
    let Some(region) = Region::of(page, body) else {
        return found;
    };
    let texts = LazyCell::new(|| KeptCounts::of(page, body, region));
    let mut tables: Vec<NodeId> = Vec::new();
    let mut list_end = region.start;
    let is_partial = |n: NodeId| {
        let [all, kept, links] = texts.within(page, n);
        let is_inside = page.end(n) <= region.end;
        kept < all && 2 * links <= all && is_inside && (kept > 0 || texts.is_among_kept(page, n))
    };
    for n in (region.start.0..region.end.0).map(NodeId) {
        match page.tag(n) {
            Some(&local_name!("table")) => {
                tables.pop_if(|last| page.contains(*last, n));
                tables.push(n);
            }
            Some(&local_name!("ul") | &local_name!("ol") | &local_name!("dl")) if n >= list_end => {
                list_end = page.end(n);
                found.lists += usize::from(is_partial(n));
            }
            _ => {}
        }
    }
    found.tables = tables.into_iter().filter(|&n| is_partial(n)).count();
    found
}

/// Bytes of text before each node of a region: of all texts, of the kept ones and of
/// links; and the fate of the texts next to it.
struct KeptCounts {
    start: NodeId,
    before: Vec<[u32; 3]>,
    /// True if the last text before each node, and the first from it on, is kept.
    after_kept: Vec<bool>,
    until_kept: Vec<bool>,
}

impl KeptCounts {
    fn of(page: &Page, body: &Mask, region: Region) -> KeptCounts {
        let nodes = (region.start.0..region.end.0).map(NodeId);
        let mut before = Vec::with_capacity(nodes.len() + 1);
        let mut after_kept = Vec::with_capacity(nodes.len() + 1);
        let mut until_kept = vec![false; nodes.len() + 1];
        let (mut sums, mut is_kept) = ([0_u32; 3], false);
        let mut link_end = NodeId(0);
        for n in nodes.clone() {
            before.push(sums);
            after_kept.push(is_kept);
            if is_link(page, n) {
                link_end = link_end.max(page.end(n));
            }
            if is_text(page, n) {
                is_kept = body.contains(n);
                let bytes = page.text(n).trim().len() as u32;
                for (sum, counts) in sums.iter_mut().zip([true, is_kept, n < link_end]) {
                    *sum += bytes * u32::from(counts);
                }
            }
        }
        before.push(sums);
        after_kept.push(is_kept);
        for (at, n) in nodes.enumerate().rev() {
            until_kept[at] = if is_text(page, n) {
                body.contains(n)
            } else {
                until_kept[at + 1]
            };
        }
        KeptCounts {
            start: region.start,
            before,
            after_kept,
            until_kept,
        }
    }

    fn index(&self, n: NodeId) -> usize {
        (n.0.saturating_sub(self.start.0) as usize).min(self.before.len() - 1)
    }

    /// The bytes in the part of an element that is in the region.
    fn within(&self, page: &Page, n: NodeId) -> [u32; 3] {
        let (from, to) = (self.index(n), self.index(page.end(n)));
        std::array::from_fn(|i| self.before[to][i] - self.before[from][i])
    }

    fn is_among_kept(&self, page: &Page, n: NodeId) -> bool {
        let end = self.index(page.end(n));
        if self.after_kept[self.index(n)] && self.until_kept[end] {
            return true;
        }
        let own = self.within(page, n);
        let mut around = page.ancestors(n).skip(1).take(AROUND);
        let share = around.find_map(|up| {
            let [all, kept, _] = self.within(page, up);
            let (all, kept) = (all - own[0], kept - own[1]);
            (all > 0).then_some(kept * 2 >= all)
        });
        share.unwrap_or(false)
    }
}
