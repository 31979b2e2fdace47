//! A page as blocks of text in containers.

use super::measure::{Measure, Reader, ends_sentence};
use super::roles::{ROLES, Roles, roles_of};
use crate::page::view::View;
use crate::page::walk::{self, Step, is_block, is_link};
use crate::page::{NodeId, Page};
use html5ever::local_name;

/// An element of block level that is not empty.
#[derive(Debug, Clone)]
pub(super) struct LayoutContainer {
    pub element: NodeId,
    /// Index of the container around it; the body is its own.
    pub parent: usize,
    /// The blocks of its subtree: the first, and one past the last.
    pub first: usize,
    pub end: usize,
    pub roles: Roles,
    /// Steps up to the nearest container of each role, 0 for this one;
    /// [`FAR`] where there is none.
    pub steps: [u8; ROLES],
    /// Elements in its subtree.
    pub tags: u32,
    /// Containers around it.
    pub depth: u16,
}

/// Steps to a container that is not there, and the most that are counted.
pub(super) const FAR: u8 = 40;

/// A run of text between two borders of block elements, or between two line
/// breaks in a row.
#[derive(Debug, Clone, Copy)]
pub(super) struct Block {
    /// The innermost container around it.
    pub container: usize,
    /// The first and the last text node; no other block's text is between them.
    pub first: NodeId,
    pub last: NodeId,
    pub all: Measure,
    /// Words in links.
    pub linked: f32,
    /// Its last text ends as a sentence does.
    pub ends_sentence: bool,
    /// Its words, as indices into [`Layout::hashes`].
    words: (u32, u32),
}

impl Block {
    /// Its first and its last text node.
    pub fn span(&self) -> (NodeId, NodeId) {
        (self.first, self.last)
    }

    /// The share of words in links, 0 without words.
    pub fn link_share(&self) -> f32 {
        share(self.linked, self.all.words)
    }
}

/// `part / whole`, 0 where there is no whole.
pub(super) fn share(part: f32, whole: f32) -> f32 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

/// The blocks and containers of a page, both in document order. The first
/// container is the body.
#[derive(Debug, Default)]
pub(super) struct Layout {
    pub blocks: Vec<Block>,
    pub containers: Vec<LayoutContainer>,
    hashes: Vec<u32>,
}

impl Layout {
    pub fn of(view: &View<'_>) -> Layout {
        let page = view.page();
        let mut builder = Builder {
            page,
            layout: Layout::default(),
            reader: Reader::default(),
            open: Vec::new(),
            block: None,
            links: 0,
            breaks: 0,
            tags: 0,
        };
        if let Some(body) = page.body() {
            builder.enter(body);
        }
        walk::walk(view, |step| builder.step(step));
        builder.finish()
    }

    /// The hashes of a block's words.
    pub fn words(&self, block: &Block) -> &[u32] {
        &self.hashes[block.words.0 as usize..block.words.1 as usize]
    }
}

struct Builder<'a> {
    page: &'a Page,
    layout: Layout,
    reader: Reader,
    /// Containers that are open, innermost last.
    open: Vec<usize>,
    /// The block that is open.
    block: Option<Block>,
    /// Links that are open.
    links: u32,
    /// Line breaks since the last text.
    breaks: u32,
    /// Elements so far.
    tags: u32,
}

impl Builder<'_> {
    fn step(&mut self, step: Step) {
        match step {
            Step::Text(n) => self.text(n),
            Step::Start(n) if self.page.is(n, &local_name!("br")) => self.line_break(),
            Step::Start(n) if is_block(self.page, n) => {
                self.tags += 1;
                self.flush();
                if !self.is_childless(n) {
                    self.enter(n);
                }
            }
            Step::Start(n) => {
                self.tags += 1;
                self.links += u32::from(is_link(self.page, n) && !self.is_childless(n));
            }
            Step::End(n) if self.is_childless(n) => {}
            Step::End(n) if is_block(self.page, n) => {
                self.flush();
                self.leave();
            }
            Step::End(n) => self.links -= u32::from(is_link(self.page, n)),
        }
    }

    fn is_childless(&self, n: NodeId) -> bool {
        self.page.end(n).0 == n.0 + 1
    }

    fn enter(&mut self, element: NodeId) {
        let roles = roles_of(self.page, element);
        let index = self.layout.containers.len();
        let around = self
            .open
            .last()
            .map(|&parent| &self.layout.containers[parent]);
        let (parent, depth) = (
            self.open.last().copied(),
            around.map_or(0, |c| c.depth.saturating_add(1)),
        );
        let mut steps = around.map_or([FAR; ROLES], |c| c.steps.map(|s| (s + 1).min(FAR)));
        for role in roles.iter() {
            steps[role] = 0;
        }
        self.layout.containers.push(LayoutContainer {
            element,
            parent: parent.unwrap_or(index),
            first: self.layout.blocks.len(),
            end: 0,
            roles,
            steps,
            tags: self.tags,
            depth,
        });
        self.open.push(index);
    }

    fn leave(&mut self) {
        if let Some(index) = self.open.pop() {
            let container = &mut self.layout.containers[index];
            container.end = self.layout.blocks.len();
            container.tags = self.tags - container.tags;
        }
    }

    fn line_break(&mut self) {
        self.tags += 1;
        self.breaks += 1;
        if self.breaks == 2 {
            self.flush();
        }
    }

    fn text(&mut self, n: NodeId) {
        let text = self.page.text(n);
        let from = self.reader.hashes.len() as u32;
        let measure = self.reader.read(text);
        self.breaks = 0;
        let block = self.block.get_or_insert(Block {
            container: self.open.last().copied().unwrap_or(0),
            first: n,
            last: n,
            all: Measure::default(),
            linked: 0.0,
            ends_sentence: false,
            words: (from, from),
        });
        block.last = n;
        block.all.add(&measure);
        if self.links > 0 {
            block.linked += measure.words;
        }
        block.ends_sentence = ends_sentence(text);
        block.words.1 = self.reader.hashes.len() as u32;
    }

    fn flush(&mut self) {
        self.breaks = 0;
        self.layout.blocks.extend(self.block.take());
    }

    fn finish(mut self) -> Layout {
        self.flush();
        while !self.open.is_empty() {
            self.leave();
        }
        self.layout.hashes = self.reader.hashes;
        self.layout
    }
}
