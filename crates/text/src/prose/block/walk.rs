//! The walk over the page.

use super::{BlockKind, ItemKind, ListFacts, PageBlock, PageBlocks};
use crate::prose::run::{TextRun, is_left_out, is_quotation, title};
use crate::prose::table::{self, Grid, clause};
use crate::prose::{TableStyle, TextOptions};
use forest_core::render::quotation_marks;
use forest_html::page::tags;
use forest_html::page::{Kind, Mask, NodeId, Page};
use html5ever::local_name;

/// The blocks of a page's kept nodes.
///
/// The elements around a kept text count even if the mask does not keep them: a mask of
/// subtrees and a mask of texts give the same blocks.
pub(in crate::prose) fn blocks(page: &Page, body: &Mask, options: &TextOptions) -> PageBlocks {
    let Some((first, last)) = body.ends() else {
        return PageBlocks::default();
    };
    let mut walk = BlockBuilder::new(page, body, options);
    let start = walk.open_around(first);
    walk.over(start, NodeId(last.0 + 1));
    walk.out
}

/// The role of an open element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ElementRole {
    /// Breaks lines.
    Block,
    Heading,
    Pre,
    List,
    Item,
    Link,
    Abbreviation,
    /// A quotation in a line.
    Quotation,
}

/// The role of an element that has one.
fn role(page: &Page, n: NodeId, options: &TextOptions) -> Option<ElementRole> {
    let tag = page.tag(n)?;
    Some(match *tag {
        local_name!("pre") => ElementRole::Pre,
        local_name!("ul") | local_name!("ol") | local_name!("dl") => ElementRole::List,
        local_name!("li") | local_name!("dt") | local_name!("dd") => ElementRole::Item,
        local_name!("a") => ElementRole::Link,
        local_name!("abbr") | local_name!("acronym") => {
            title(page, n, options)?;
            ElementRole::Abbreviation
        }
        local_name!("q") if is_quotation(page, n) => ElementRole::Quotation,
        // The text of options is part of a sentence.
        local_name!("select") | local_name!("optgroup") | local_name!("option") => return None,
        _ if tags::has(tag, tags::HEADING) => ElementRole::Heading,
        _ if tags::has(tag, tags::VERBATIM) => ElementRole::Pre,
        _ => {
            if !page.breaks_line(n) {
                return None;
            }
            ElementRole::Block
        }
    })
}

struct BlockBuilder<'a> {
    page: &'a Page,
    body: &'a Mask,
    options: &'a TextOptions,
    /// Open elements with a role, innermost last.
    open: Vec<(NodeId, ElementRole)>,
    /// Those of them that break lines.
    breaking: Vec<NodeId>,
    /// Open lists, innermost last, as indices.
    lists: Vec<u32>,
    /// The numbers of open headings, `pre` and hyperlinks.
    headings: u32,
    pres: u32,
    links: u32,
    run: TextRun,
    /// The text's length when a hyperlink last began.
    link_start: usize,
    /// The text's length when a hyperlink last ended.
    link_end: usize,
    /// Hyperlinks that began in the current block.
    block_links: u32,
    /// True if the current block has text outside of hyperlinks.
    is_unlinked: bool,
    /// The tables without inner tables, in document order.
    leaf_tables: Vec<NodeId>,
    out: PageBlocks,
}

impl<'a> BlockBuilder<'a> {
    fn new(page: &'a Page, body: &'a Mask, options: &'a TextOptions) -> BlockBuilder<'a> {
        BlockBuilder {
            page,
            body,
            options,
            open: Vec::new(),
            breaking: Vec::new(),
            lists: Vec::new(),
            headings: 0,
            pres: 0,
            links: 0,
            run: TextRun::at(""),
            link_start: 0,
            link_end: 0,
            block_links: 0,
            is_unlinked: false,
            leaf_tables: table::leaf_tables(page),
            out: PageBlocks::default(),
        }
    }

    /// Opens the elements around the first kept node and returns the node at which the
    /// walk begins. If the first kept node is a text in a table, the walk begins at the
    /// table: a mask of texts does not keep elements.
    fn open_around(&mut self, first: NodeId) -> NodeId {
        let mut ancestors: Vec<NodeId> =
            self.page.ancestors(first).filter(|&n| n != first).collect();
        ancestors.reverse();
        let is_text = self.page.kind(first) == Kind::Text;
        for n in ancestors {
            if is_text && self.leaf_tables.binary_search(&n).is_ok() {
                return n;
            }
            if let Some(role) = role(self.page, n, self.options) {
                self.start(n, role);
            }
        }
        first
    }

    fn over(&mut self, start: NodeId, end: NodeId) {
        let page = self.page;
        let mut nodes = page.walk_between(start, end);
        while let Some(n) = nodes.next() {
            self.end_before(n);
            match page.kind(n) {
                Kind::Text if self.body.contains(n) && page.is_content(n) => {
                    self.push(page.text(n));
                }
                Kind::Element => {
                    if is_left_out(page, n, self.options) {
                        nodes.pass_over(n);
                    } else if page.is(n, &local_name!("br")) {
                        self.br();
                    } else if page.is(n, &local_name!("table")) && self.table(n) {
                        nodes.pass_over(n);
                    } else if let Some(role) = role(page, n, self.options) {
                        self.start(n, role);
                    }
                }
                _ => {}
            }
        }
        self.end_before(NodeId(u32::MAX));
        self.flush();
    }

    fn push(&mut self, text: &str) {
        if self.pres > 0 {
            return self.out.text.push_str(text);
        }
        self.run.push(text, self.options, &mut self.out.text);
        if self.links == 0 && !self.is_unlinked && text.contains(char::is_alphanumeric) {
            self.is_unlinked = true;
            if let Some(&list) = self.lists.last() {
                self.out.lists[list as usize].is_links = false;
            }
        }
    }

    fn br(&mut self) {
        if self.pres > 0 {
            self.out.text.push('\n');
        } else if self.run.is_at_break() {
            // Two in a row part paragraphs.
            self.flush();
        } else if !self.run.is_empty(&self.out.text) {
            self.run.break_line();
        }
    }

    fn start(&mut self, n: NodeId, role: ElementRole) {
        match role {
            ElementRole::Abbreviation => {}
            ElementRole::Quotation => self.push(quotation_marks(self.page, n)[0]),
            ElementRole::Link => {
                // Adjacent links are separate words: a style sets them apart.
                if self.link_end == self.out.text.len() && self.pres == 0 {
                    self.run.part(&self.out.text);
                }
                self.link_start = self.out.text.len();
                self.links += 1;
                self.block_links += 1;
            }
            _ => {
                self.flush();
                self.breaking.push(n);
            }
        }
        match role {
            ElementRole::Heading => self.headings += 1,
            ElementRole::Pre => self.pres += 1,
            ElementRole::List => self.start_list(n),
            ElementRole::Item => self.start_item(n),
            _ => {}
        }
        self.open.push((n, role));
    }

    fn start_list(&mut self, n: NodeId) {
        if let Some(&outer) = self.lists.last() {
            self.out.lists[outer as usize].is_nested = true;
        }
        let index = self.out.lists.len() as u32;
        self.out.lists.push(ListFacts {
            is_definitions: self.page.is(n, &local_name!("dl")),
            depth: self.lists.len() as u32,
            is_nested: false,
            is_fixed: false,
            is_links: true,
            end: 0,
        });
        self.lists.push(index);
        self.mark(BlockKind::ListStart(index));
    }

    /// Marks an item; outside of lists an item is an ordinary block.
    fn start_item(&mut self, n: NodeId) {
        if self.lists.is_empty() {
            return;
        }
        let item = match self.page.tag(n) {
            Some(&local_name!("dt")) => ItemKind::Term,
            Some(&local_name!("dd")) => ItemKind::Definition,
            _ => ItemKind::Plain,
        };
        self.mark(BlockKind::ItemStart(item));
    }

    /// Closes the elements that end before a node.
    fn end_before(&mut self, n: NodeId) {
        while let Some(&(open, role)) = self.open.last() {
            if self.page.end(open) > n {
                return;
            }
            match role {
                ElementRole::Link => {
                    self.links -= 1;
                    self.drop_anchor();
                    self.link_end = self.out.text.len();
                }
                ElementRole::Abbreviation => {
                    if let Some(title) = title(self.page, open, self.options) {
                        self.run.bracket(title, &mut self.out.text);
                    }
                }
                ElementRole::Quotation => self.push(quotation_marks(self.page, open)[1]),
                _ => {
                    self.flush();
                    self.breaking.pop();
                }
            }
            self.open.pop();
            match role {
                ElementRole::Heading => self.headings -= 1,
                ElementRole::Pre => self.pres -= 1,
                ElementRole::List => {
                    if let Some(list) = self.lists.pop() {
                        self.out.lists[list as usize].end = self.out.blocks.len() as u32;
                    }
                    self.mark(BlockKind::ListEnd);
                }
                _ => {}
            }
        }
    }

    /// Removes a hyperlink without letters and digits from a heading: a sign (`¶`, `#`)
    /// that links to the heading.
    fn drop_anchor(&mut self) {
        let (from, start) = (self.link_start, self.run.start());
        if self.options.drop_bullets
            && self.headings > 0
            && from >= start
            && !self.out.text[from..].contains(char::is_alphanumeric)
        {
            let kept = start + self.out.text[start..from].trim_end().len();
            self.out.text.truncate(kept);
        }
    }

    fn mark(&mut self, kind: BlockKind) {
        let end = self.out.text.len();
        self.block(kind, end);
    }

    /// Ends the current block, if it has text.
    fn flush(&mut self) {
        let start = self.run.start();
        let kind = match (self.pres, self.headings) {
            (0, 0) => BlockKind::Text,
            (0, _) => BlockKind::Heading,
            _ => BlockKind::Pre,
        };
        if kind == BlockKind::Pre {
            let kept = start + self.out.text[start..].trim_end().len();
            self.out.text.truncate(kept);
        }
        if self.out.text.len() > start {
            self.block(kind, start);
            if kind == BlockKind::Pre {
                self.fix_list();
            }
        }
    }

    fn block(&mut self, kind: BlockKind, start: usize) {
        self.out.blocks.push(PageBlock {
            kind,
            node: self.breaking.last().copied().unwrap_or(self.page.root()),
            start: start as u32,
            end: self.out.text.len() as u32,
            links: if self.is_unlinked {
                0
            } else {
                self.block_links
            },
        });
        self.run = TextRun::at(&self.out.text);
        self.block_links = 0;
        self.is_unlinked = false;
    }

    /// Marks that the innermost open list cannot be put into a sentence.
    fn fix_list(&mut self) {
        if let Some(&list) = self.lists.last() {
            self.out.lists[list as usize].is_fixed = true;
        }
    }

    /// Writes the lines of a data table; returns false for a layout table, whose cells
    /// are ordinary blocks.
    fn table(&mut self, n: NodeId) -> bool {
        if self.leaf_tables.binary_search(&n).is_err() {
            return false;
        }
        let grid = Grid::of(self.page, n, self.body, self.options);
        let Some(classes) = table::classes_if_data(self.page, n, &grid) else {
            return false;
        };
        self.flush();
        let mut lines = Vec::new();
        let kind = if self.options.tables {
            clause::write(&grid, &classes, self.options, &mut lines);
            BlockKind::TableLine
        } else {
            lines = grid.linear();
            BlockKind::Text
        };
        if kind == BlockKind::TableLine
            && self.options.table_style == TableStyle::Markdown
            && !lines.is_empty()
        {
            // Without a blank line the next block would be a row of the table.
            lines.push(String::new());
        }
        for line in &lines {
            let start = self.out.text.len();
            self.out.text.push_str(line);
            self.block(kind, start);
        }
        self.fix_list();
        true
    }
}
