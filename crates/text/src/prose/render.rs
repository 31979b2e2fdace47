//! Blocks to text.

use super::block::{BlockKind, ItemKind, PageBlock, PageBlocks};
use super::list::{Introduction, flatten, style};
use super::segment::{Ending, LineKind, end, is_ended, is_named_verse, is_unspaced_end, mend};
use super::{Prose, TextOptions};
use forest_core::extract;
use forest_html::page::{Mask, Page};
use forest_html::text::Language;
use std::borrow::Cow;
use std::ops::Range;

/// Levels of nested lists that are indented, by two spaces each. More would make long
/// lines of short items.
const MAX_INDENTED: u32 = 6;

/// The text of a page's blocks.
pub(super) fn render(
    page: &Page,
    kept: &Mask,
    blocks: &PageBlocks,
    removed: Vec<String>,
    options: &TextOptions,
) -> Prose {
    let mut renderer = Renderer {
        page,
        kept,
        blocks,
        options,
        out: String::with_capacity(blocks.text.len() + blocks.blocks.len()),
        fixed: Vec::new(),
        open: Vec::new(),
        budget: page.source_bytes(),
        language: None,
    };
    let mut at = 0;
    while let Some(block) = blocks.blocks.get(at) {
        at = renderer.block(at, block);
    }
    Prose {
        text: renderer.out,
        removed,
        fixed: renderer.fixed,
    }
}

/// A list that is open.
#[derive(Debug, Clone, Copy)]
struct OpenItems {
    depth: u32,
    is_definitions: bool,
    item: Option<ItemKind>,
    /// The first block of the terms that have no definition yet.
    terms: Option<u32>,
    /// The length of the terms in bytes, once a definition was written.
    defined: Option<usize>,
}

struct Renderer<'a> {
    page: &'a Page,
    kept: &'a Mask,
    blocks: &'a PageBlocks,
    options: &'a TextOptions,
    out: String,
    fixed: Vec<Range<usize>>,
    open: Vec<OpenItems>,
    /// Bytes of introductions and terms that may still be repeated; at first the bytes of
    /// the page.
    budget: usize,
    language: Option<Language>,
}

impl<'a> Renderer<'a> {
    /// Writes the block at `at` and the blocks that belong to it. Returns the index of
    /// the next block.
    fn block(&mut self, at: usize, block: &PageBlock) -> usize {
        match block.kind {
            BlockKind::Text | BlockKind::Heading => {
                if let Some(next) = self.flattened(at) {
                    return next;
                }
                self.text(at);
            }
            BlockKind::Pre => self.pre(block),
            BlockKind::TableLine => {
                self.line();
                let start = self.out.len();
                self.out.push_str(self.blocks.text(block));
                self.fixed.push(start..self.out.len());
            }
            BlockKind::ListStart(list) => {
                let list = &self.blocks.lists[list as usize];
                self.open.push(OpenItems {
                    depth: list.depth,
                    is_definitions: list.is_definitions && self.options.join_definitions,
                    item: None,
                    terms: None,
                    defined: None,
                });
            }
            BlockKind::ItemStart(item) => self.item(item, at),
            BlockKind::ListEnd => {
                self.terms_alone();
                self.open.pop();
            }
        }
        at + 1
    }

    /// Begins a line.
    fn line(&mut self) {
        if !self.out.is_empty() {
            self.out.push('\n');
        }
    }

    fn indent(&mut self) {
        let depth = self.open.last().map_or(0, |open| open.depth);
        for _ in 0..depth.min(MAX_INDENTED) {
            self.out.push_str("  ");
        }
    }

    /// A block's text with the line breaks that are meant, and the kind of its lines.
    fn mend(&self, block: &PageBlock) -> (Cow<'a, str>, LineKind) {
        let (blocks, options) = (self.blocks, self.options);
        let text = blocks.text(block);
        let breaks = text.matches('\n').count();
        if breaks > 0 && block.kind == BlockKind::Heading && options.join_lines {
            return (text.replace('\n', " ").into(), LineKind::Blocks);
        }
        // Without breaks there is nothing to mend; with a link a line all are meant.
        if breaks == 0 || block.links as usize > breaks {
            return (text.into(), LineKind::Blocks);
        }
        let is_verse = options.keep_verse && is_named_verse(self.page, block.node);
        if !options.join_lines {
            let kind = if is_verse {
                LineKind::Verse
            } else {
                LineKind::Blocks
            };
            return (text.into(), kind);
        }
        let is_verse = (is_verse || !options.keep_verse).then_some(is_verse);
        let mut mended = String::with_capacity(text.len());
        let kind = mend(text, is_verse, &mut mended);
        (mended.into(), kind)
    }

    /// Writes a block of text, its lines as sentences.
    fn text(&mut self, at: usize) {
        let block = self.blocks.blocks[at];
        if self.blocks.text(&block).is_empty() {
            return;
        }
        let open = self.open.last().copied();
        if let Some(open) = open.filter(|open| open.is_definitions) {
            match open.item {
                // The definition writes its terms.
                Some(ItemKind::Term) => return,
                Some(ItemKind::Definition) if open.terms.is_some() => return self.definition(at),
                _ => {}
            }
        }
        let (mended, lines) = self.mend(&block);
        self.line();
        self.indent();
        let from = self.out.len();
        self.lines(&mended, lines, from);
    }

    /// Writes the lines of a block, the first of which began at `from`.
    fn lines(&mut self, mended: &str, lines: LineKind, from: usize) {
        let ending = if self.open.is_empty() {
            Ending::Block
        } else {
            Ending::Item
        };
        let (mut from, block) = (from, from);
        for (i, line) in mended.split('\n').enumerate() {
            if i > 0 {
                self.line();
                self.indent();
                from = self.out.len();
            }
            self.out.push_str(line);
            if lines == LineKind::Blocks {
                self.end(from, ending);
            }
        }
        if lines == LineKind::Verse {
            self.end(block, ending);
        }
    }

    fn end(&mut self, from: usize, ending: Ending) {
        if self.options.end_blocks {
            end(&mut self.out, from, ending);
        }
    }

    /// Writes the lines of a `pre` that have text, unchanged.
    fn pre(&mut self, block: &PageBlock) {
        let lines = self.blocks.text(block).lines().map(str::trim_end);
        for line in lines.filter(|line| !line.is_empty()) {
            self.line();
            self.out.push_str(line);
        }
    }

    /// An item begins behind the block at `at`.
    fn item(&mut self, item: ItemKind, at: usize) {
        let Some(open) = self.open.last().copied() else {
            return;
        };
        let continues = open.item == Some(ItemKind::Term) && open.terms.is_some();
        if item == ItemKind::Term && !continues {
            self.terms_alone();
        }
        if let Some(open) = self.open.last_mut() {
            if item == ItemKind::Term && !continues {
                open.terms = Some(at as u32 + 1);
                open.defined = None;
            }
            open.item = Some(item);
        }
    }

    /// The texts of the terms that begin at a block.
    fn terms(&self, first: u32) -> Vec<&str> {
        let blocks = &self.blocks.blocks[first as usize..];
        let is_term = |block: &&PageBlock| {
            block.is_text() || block.kind == BlockKind::ItemStart(ItemKind::Term)
        };
        blocks
            .iter()
            .take_while(is_term)
            .filter(|block| block.is_text())
            .map(|block| self.blocks.text(block))
            .filter(|text| !text.is_empty())
            .collect()
    }

    /// Writes a definition behind its terms.
    fn definition(&mut self, at: usize) {
        let block = self.blocks.blocks[at];
        let Some(&OpenItems {
            terms: Some(first),
            defined,
            ..
        }) = self.open.last()
        else {
            return;
        };
        let (mended, lines) = self.mend(&block);
        self.line();
        self.indent();
        let from = self.out.len();
        let cost = defined.unwrap_or(0);
        if cost <= self.budget {
            self.budget -= cost;
            let term = self.terms(first).join(", ").replace('\n', " ");
            self.out.push_str(term.trim_end_matches([':', '：', ' ']));
            let is_wide = is_unspaced_end(&self.out[from..]);
            self.out
                .push_str(match (is_ended(&self.out[from..]), is_wide) {
                    _ if self.out.len() == from => "",
                    (true, true) => "",
                    (true, false) => " ",
                    (false, true) => "：",
                    (false, false) => ": ",
                });
            if let Some(open) = self.open.last_mut() {
                open.defined = Some(term.len());
            }
        }
        self.lines(&mended, lines, from);
        if let Some(open) = self.open.last_mut() {
            // Further blocks of the same definition stand alone.
            open.item = None;
        }
    }

    /// Writes the terms that have no definition.
    fn terms_alone(&mut self) {
        let Some(open) = self.open.last_mut() else {
            return;
        };
        let (Some(first), None, true) = (open.terms.take(), open.defined, open.is_definitions)
        else {
            return;
        };
        let terms = self.terms(first).join("\n");
        for term in terms.lines() {
            self.line();
            self.indent();
            let from = self.out.len();
            self.out.push_str(term);
            self.end(from, Ending::Item);
        }
    }

    /// Writes the block at `at` and the list behind it as sentences, if the block
    /// introduces a list that can be flattened. Returns the index of the next block.
    fn flattened(&mut self, at: usize) -> Option<usize> {
        let BlockKind::ListStart(list) = self.blocks.blocks.get(at + 1)?.kind else {
            return None;
        };
        let list = &self.blocks.lists[list as usize];
        let can_be = self.options.flatten_lists
            && list.depth == 0
            && !(list.is_nested || list.is_fixed || list.is_definitions);
        let block = &self.blocks.blocks[at];
        if !can_be || !self.blocks.text(block).trim_end().ends_with([':', '：']) {
            return None;
        }
        let (mended, lines) = self.mend(block);
        let (before, last) = match mended.rsplit_once('\n') {
            Some((before, last)) => (Some(before), last),
            None => (None, &*mended),
        };
        let language = self.language();
        let introduction = Introduction::of(last, language)?;
        let items = self.items(at + 2, list.end as usize);
        if items.ranges.is_empty() {
            return None;
        }
        let mut lengths: Vec<u32> = items.texts().map(|t| t.chars().count() as u32).collect();
        let options = self.options;
        let style = style(
            &introduction,
            &mut lengths,
            items.has_blocks,
            language,
            options,
        );
        self.line();
        if let Some(before) = before {
            let from = self.out.len();
            self.lines(before, lines, from);
            self.line();
        }
        let lowers = options.lower_initials && language != Language::German;
        flatten(
            &introduction,
            style,
            items.texts(),
            lowers,
            &mut self.budget,
            &mut self.out,
        );
        Some(list.end as usize + 1)
    }

    /// The items of a flat list, a line each. Blocks without letters and digits are left
    /// out.
    fn items(&self, start: usize, end: usize) -> ItemTexts {
        let mut items = ItemTexts::default();
        let mut is_open = false;
        for block in &self.blocks.blocks[start..end] {
            let text = self.blocks.text(block);
            if !block.is_text() {
                is_open = false;
            } else if text.contains(char::is_alphanumeric) {
                items.add(text, is_open);
                is_open = true;
            }
        }
        items
    }

    /// The language of the text, detected once.
    fn language(&mut self) -> Language {
        let tag = self.options.language.as_deref();
        if let Some(known) = tag.map(Language::from_tag) {
            return known;
        }
        let (page, kept, text) = (self.page, self.kept, &self.blocks.text);
        *self.language.get_or_insert_with(|| {
            let html = page.elements().next();
            let hint = html.and_then(|html| page.attr(html, "lang"));
            extract::language(page, kept, text, hint)
        })
    }
}

/// The texts of a list's items.
#[derive(Default)]
struct ItemTexts {
    text: String,
    ranges: Vec<Range<usize>>,
    /// The first byte of the last block.
    block: usize,
    has_blocks: bool,
}

impl ItemTexts {
    /// Adds a block to the last item, or as a new item.
    fn add(&mut self, text: &str, to_last: bool) {
        let last = self.ranges.last_mut().filter(|_| to_last);
        let start = match &last {
            Some(last) => {
                self.has_blocks = true;
                end(&mut self.text, self.block, Ending::Block);
                if !is_unspaced_end(&self.text[self.block..]) {
                    self.text.push(' ');
                }
                last.start
            }
            None => self.text.len(),
        };
        self.block = self.text.len();
        for (i, line) in text.split('\n').enumerate() {
            if i > 0 {
                self.text.push(' ');
            }
            self.text.push_str(line);
        }
        let range = start..self.text.len();
        match last {
            Some(last) => *last = range,
            None => self.ranges.push(range),
        }
    }

    fn texts(&self) -> impl Iterator<Item = &str> {
        self.ranges.iter().map(|range| &self.text[range.clone()])
    }
}
