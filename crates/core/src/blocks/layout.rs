//! A page as blocks of text in containers.

use super::counts::{TextCounts, WordReader, ends_sentence};
use super::roles::{ROLES, RoleReader, RoleSet};
use forest_html::page::view::View;
use forest_html::page::walk::{self, Step, is_block, is_link};
use forest_html::page::{NodeId, Page};
use html5ever::local_name;
use std::ops::Range;

/// The index of a block in a [`Layout`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BlockId(pub usize);

/// The index of a container in a [`Layout`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ContainerId(pub usize);

/// An element of block level that is not empty.
#[derive(Debug, Clone)]
pub(crate) struct LayoutContainer {
    pub element: NodeId,
    /// The container around it; the body is its own.
    pub parent: ContainerId,
    /// The indices of the blocks of its subtree.
    pub blocks: Range<usize>,
    pub roles: RoleSet,
    /// Steps up to the nearest container of each role, 0 for this one;
    /// [`FAR`] if there is none.
    pub steps: [u8; ROLES],
    /// Elements in its subtree.
    pub tags: u32,
    /// Containers around it.
    pub depth: u16,
}

/// Steps to a container that is not there, and the most that are counted.
pub(crate) const FAR: u8 = 40;

/// A run of text between two borders of block elements, or between two line
/// breaks in a row.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LayoutBlock {
    /// The innermost container around it.
    pub container: ContainerId,
    /// The first and the last text node; no other block's text is between them.
    pub first: NodeId,
    pub last: NodeId,
    pub all: TextCounts,
    /// Words in links.
    pub linked: f32,
    /// Its last text ends as a sentence does.
    pub ends_sentence: bool,
    /// Its words, as indices into [`Layout::hashes`].
    words: (u32, u32),
}

impl LayoutBlock {
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
pub(crate) fn share(part: f32, whole: f32) -> f32 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

/// The blocks and containers of a page, both in document order. The first
/// container is the body.
#[derive(Debug, Default)]
pub(crate) struct Layout {
    pub blocks: Vec<LayoutBlock>,
    pub containers: Vec<LayoutContainer>,
    hashes: Vec<u32>,
}

impl Layout {
    pub fn of(view: &View<'_>) -> Layout {
        let page = view.page();
        let mut builder = LayoutBuilder {
            page,
            layout: Layout::default(),
            words: WordReader::default(),
            roles: RoleReader::of(page),
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

    pub fn block(&self, id: BlockId) -> &LayoutBlock {
        &self.blocks[id.0]
    }

    pub fn container(&self, id: ContainerId) -> &LayoutContainer {
        &self.containers[id.0]
    }

    /// The hashes of a block's words.
    pub fn words(&self, block: &LayoutBlock) -> &[u32] {
        &self.hashes[block.words.0 as usize..block.words.1 as usize]
    }
}

struct LayoutBuilder<'a> {
    page: &'a Page,
    layout: Layout,
    words: WordReader,
    roles: RoleReader<'a>,
    /// Containers that are open, innermost last.
    open: Vec<ContainerId>,
    /// The block that is open.
    block: Option<LayoutBlock>,
    /// Links that are open.
    links: u32,
    /// Line breaks since the last text.
    breaks: u32,
    /// Elements so far.
    tags: u32,
}

impl LayoutBuilder<'_> {
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
        let roles = self.roles.read(element);
        let index = ContainerId(self.layout.containers.len());
        let parent = self.open.last().copied();
        let around = parent.map(|parent| self.layout.container(parent));
        let depth = around.map_or(0, |c| c.depth.saturating_add(1));
        let mut steps = around.map_or([FAR; ROLES], |c| c.steps.map(|s| (s + 1).min(FAR)));
        for role in roles.iter() {
            steps[role] = 0;
        }
        let first = self.layout.blocks.len();
        self.layout.containers.push(LayoutContainer {
            element,
            parent: parent.unwrap_or(index),
            blocks: first..first,
            roles,
            steps,
            tags: self.tags,
            depth,
        });
        self.open.push(index);
    }

    fn leave(&mut self) {
        if let Some(index) = self.open.pop() {
            let container = &mut self.layout.containers[index.0];
            container.blocks.end = self.layout.blocks.len();
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
        let from = self.words.hashes.len() as u32;
        let counts = self.words.read(text);
        self.breaks = 0;
        let block = self.block.get_or_insert(LayoutBlock {
            container: self.open.last().copied().unwrap_or(ContainerId(0)),
            first: n,
            last: n,
            all: TextCounts::default(),
            linked: 0.0,
            ends_sentence: false,
            words: (from, from),
        });
        block.last = n;
        block.all.add(&counts);
        if self.links > 0 {
            block.linked += counts.words;
        }
        block.ends_sentence = ends_sentence(text);
        block.words.1 = self.words.hashes.len() as u32;
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
        self.layout.hashes = self.words.hashes;
        self.layout
    }
}
