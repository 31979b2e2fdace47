//! A part of a source that is left out, and what stands for it.

use crate::page::tokenize::skip_space;
use crate::page::{Kind, NodeId, Page};
use std::fmt::Write as _;

/// The beginning of the comment that stands for what was cut; the number of its nodes follows.
pub(super) const MARK: &str = "forest:cut ";

/// A comment that stands for what was cut from a page before it was parsed.
#[derive(Debug, Clone, Copy)]
pub(in crate::page) struct CutMark {
    pub mark: NodeId,
    /// How many more nodes the page had up to here.
    pub gone: u32,
}

impl CutMark {
    /// The marks of a page, in document order.
    pub fn all(page: &Page) -> Vec<CutMark> {
        let mut gone: u32 = 0;
        let comments = page.nodes().filter(|&n| page.kind(n) == Kind::Comment);
        let marks = comments.filter_map(|mark| {
            let nodes: u32 = page.note(mark).strip_prefix(MARK)?.parse().ok()?;
            gone = gone.saturating_add(nodes.saturating_sub(1));
            Some(CutMark { mark, gone })
        });
        marks.collect()
    }
}

/// A part of a source that is left out.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cut {
    /// The place of its comment, which may be the start of the element.
    pub mark: usize,
    pub start: usize,
    pub end: usize,
    /// The tags of the element are left out, too, and the white space around it.
    pub with_tags: bool,
    /// Nodes that are left out.
    pub nodes: usize,
}

/// A source without what was cut.
pub(super) struct KeptSource<'s> {
    text: &'s str,
    out: String,
    /// Where the rest of the source begins.
    rest: usize,
    /// Nodes of the elements side by side before the rest that went with their tags.
    gone: usize,
}

impl<'s> KeptSource<'s> {
    pub fn new(text: &'s str) -> KeptSource<'s> {
        KeptSource {
            text,
            out: String::with_capacity(text.len() / 2),
            rest: 0,
            gone: 0,
        }
    }

    /// Leaves out the next part. Elements side by side have one mark.
    pub fn leave_out(&mut self, cut: &Cut) {
        let mut before = &self.text[self.rest..cut.mark];
        if cut.with_tags {
            before = before.trim_ascii_end();
        }
        if !before.is_empty() || !cut.with_tags {
            self.mark();
            self.out.push_str(before);
        }
        self.gone += cut.nodes;
        self.rest = cut.end;
        if cut.with_tags {
            self.rest = skip_space(self.text.as_bytes(), cut.end);
            self.gone += usize::from(self.rest > cut.end);
        } else {
            self.mark();
            self.out.push_str(&self.text[cut.mark..cut.start]);
        }
    }

    fn mark(&mut self) {
        let nodes = std::mem::take(&mut self.gone);
        if nodes > 0 {
            let _ = write!(self.out, "<!--{MARK}{nodes}-->");
        }
    }

    /// The source that is left.
    pub fn finish(mut self) -> String {
        self.mark();
        self.out.push_str(&self.text[self.rest..]);
        self.out
    }
}
