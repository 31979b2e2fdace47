//! Markdown of what is kept.
//!
//! CommonMark with three of GitHub's extensions: pipe tables, strike-through, footnotes.
//! Marks are written late, when something that they mark comes, so that empty
//! elements leave nothing; they are closed before a block ends and opened again
//! in the next one.

pub(super) mod escape;
mod lines;
#[cfg(test)]
mod tests;

use super::code::{self, Listing};
use super::embed::Embed;
use super::footnotes::Footnotes;
use super::images::{PictureNames, is_of_formula};
use super::items::{ItemNumbers, check_box};
use super::quote;
use super::raised;
use super::shown::{Region, is_reading, is_unread, without_hidden};
use super::table::{self, RowSlots};
use forest_html::page::links::Base;
use forest_html::page::tags;
use forest_html::page::{Kind, MAX_GROWTH, Mask, NodeId, Page};
use forest_html::text::fold;
use html5ever::{LocalName, local_name};
use lines::{ItemMark, LineGap, LinePrefix, MarkdownLines, OpenBlock};

/// Nested quotations and list items that are shown; deeper ones are shown at
/// this level. Each indents every line, so that without a bound the output
/// would be quadratic in the depth.
const MAX_NESTED: usize = 8;

/// The kept nodes as Markdown, ending in a line break unless empty.
///
/// Headings, paragraphs, emphasis, links and pictures (absolute addresses where
/// the page's is known), nested lists, quotations, code (with its language, where
/// a class `language-...` names it), rules, footnotes, and tables: as pipe tables where
/// they hold data, spans expanded and blocks in cells parted by `<br>`, else a paragraph a
/// cell. Frames, videos and sounds are links; the terms of a definition list are strong,
/// their definitions items. At most four times as long as the page.
/// True with it if it was cut.
pub fn markdown(page: &Page, body: &Mask, base: &Base, names: &PictureNames) -> (String, bool) {
    let limit = page.source_bytes() * MAX_GROWTH;
    let Some(region) = Region::of(page, body) else {
        return (String::new(), false);
    };
    let body = without_hidden(page, body, region);
    let mut writer = MarkdownWriter {
        page,
        body: &body,
        notes: Footnotes::of(page, &body, region),
        base,
        names,
        lines: MarkdownLines::new(limit),
        lists: vec![OpenMarkdownList::default()],
    };
    writer.walk(region.start, region.end);
    writer.lines.finish()
}

/// The action at the end of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ElementEnd {
    Block,
    LinePrefix,
    Heading,
    Quote,
    OpenMarkdownList,
    /// A list that stands directly in another one.
    ListInList,
    Item,
    Note,
    Term,
    /// With the mark that ends it.
    InlineQuote(&'static str),
}

#[derive(Debug, Clone, Copy, Default)]
struct OpenMarkdownList {
    numbers: ItemNumbers,
    /// The mark of its last item.
    last: Option<ItemMark>,
    /// True if it has an item.
    begun: bool,
}

struct MarkdownWriter<'a> {
    page: &'a Page,
    body: &'a Mask,
    base: &'a Base,
    names: &'a PictureNames,
    notes: Footnotes,
    lines: MarkdownLines,
    /// The open lists, below them one for items without a list.
    lists: Vec<OpenMarkdownList>,
}

impl<'a> MarkdownWriter<'a> {
    /// Writes the nodes from `start` up to `end`.
    fn walk(&mut self, start: NodeId, end: NodeId) {
        let page = self.page;
        let mut nodes = page.walk_nested(start, end);
        while !self.lines.is_full()
            && let Some(n) = nodes.next(|what| self.ended(what))
        {
            match page.kind(n) {
                Kind::Text if self.keeps(n) && page.is_formula(n) => self.lines.raw(page.text(n)),
                Kind::Text if self.keeps(n) => self.lines.words(page.text(n)),
                Kind::Element if self.body.contains(n) && self.embed(n) => nodes.pass_over(n),
                Kind::Element if !page.is_content(n) || is_unread(page, n) => nodes.pass_over(n),
                Kind::Element if is_reading(page, n) || self.notes.is_back_link(n) => {
                    nodes.pass_over(n);
                }
                Kind::Element => {
                    let Some(tag) = page.tag(n) else { continue };
                    match self.started(n, tag) {
                        ElementStep::Into(Some(what)) => nodes.open(n, what),
                        ElementStep::Into(None) => {}
                        ElementStep::Over => nodes.pass_over(n),
                    }
                }
                _ => {}
            }
        }
        nodes.finish(|what| self.ended(what));
    }

    fn keeps(&self, n: NodeId) -> bool {
        self.body.contains(n) && self.page.is_content(n)
    }

    fn started(&mut self, n: NodeId, tag: &LocalName) -> ElementStep {
        let page = self.page;
        let flat = self.lines.flat;
        match *tag {
            local_name!("sup")
                if let Some(power) = raised::power(page, self.body, n, self.lines.written()) =>
            {
                self.lines.raw(&power.to_markdown());
                ElementStep::Over
            }
            local_name!("b") | local_name!("strong") => self.mark(LinePrefix::Strong),
            local_name!("i") | local_name!("em") => self.mark(LinePrefix::Emphasis),
            local_name!("del") | local_name!("s") | local_name!("strike") => {
                self.mark(LinePrefix::Strike)
            }
            _ if let Some(number) = self.notes.marker(n) => {
                self.lines.raw(&format!("[^{number}]"));
                ElementStep::Over
            }
            local_name!("q") => {
                let marks = quote::marks(page, n);
                self.lines.words(marks[0]);
                ElementStep::Into(Some(ElementEnd::InlineQuote(marks[1])))
            }
            local_name!("a") => match page
                .attr(n, "href")
                .and_then(|href| self.base.resolve(href))
            {
                Some(url) => self.mark(LinePrefix::Link(escape::url(&url))),
                None => ElementStep::Into(None),
            },
            local_name!("br") => {
                self.lines.line_break();
                ElementStep::Over
            }
            local_name!("hr") => {
                if self.body.contains(n) && !flat {
                    self.lines.block();
                    self.lines.raw("---");
                    self.lines.block();
                }
                ElementStep::Over
            }
            local_name!("code") | local_name!("kbd") | local_name!("samp") | local_name!("tt") => {
                self.code(n)
            }
            local_name!("pre") => {
                self.preformatted(n);
                ElementStep::Over
            }
            local_name!("table") if !flat => {
                self.lines.block();
                if let Some(listing) = Listing::of(page, n) {
                    let language = code::language(page, n).unwrap_or_default();
                    self.lines.fenced(&listing.text(page, self.body), language);
                    self.lines.block();
                    return ElementStep::Over;
                }
                match table::rows(page, n, self.body) {
                    Some(rows) => {
                        self.table(n, &rows);
                        ElementStep::Over
                    }
                    None => ElementStep::Into(Some(ElementEnd::Block)),
                }
            }
            local_name!("img") => self.image(n),
            _ if **tag == *"amp-img" => self.image(n),
            _ if !page.breaks_line(n) => ElementStep::Into(None),
            _ if tags::has(tag, tags::VERBATIM) => {
                self.preformatted(n);
                ElementStep::Over
            }
            _ => {
                self.lines.block();
                ElementStep::Into(Some(if flat {
                    ElementEnd::Block
                } else {
                    self.block(n, tag)
                }))
            }
        }
    }

    /// A block has begun: what it is in Markdown.
    fn block(&mut self, n: NodeId, tag: &LocalName) -> ElementEnd {
        let page = self.page;
        let nested = self.lines.containers.len();
        match *tag {
            local_name!("h1") => self.heading(1),
            local_name!("h2") => self.heading(2),
            local_name!("h3") => self.heading(3),
            local_name!("h4") => self.heading(4),
            local_name!("h5") => self.heading(5),
            local_name!("h6") => self.heading(6),
            local_name!("blockquote") if nested < MAX_NESTED => {
                self.lines.containers.push(OpenBlock::Quote);
                ElementEnd::Quote
            }
            local_name!("ul")
            | local_name!("ol")
            | local_name!("dl")
            | local_name!("menu")
            | local_name!("dir") => {
                let around = *self.list();
                self.lists.push(OpenMarkdownList {
                    numbers: ItemNumbers::of(page, n),
                    ..OpenMarkdownList::default()
                });
                if self.lines.is_in_item() {
                    self.lines.gap_is(LineGap::Line);
                } else if around.begun && nested < MAX_NESTED && is_list_in_list(page, n) {
                    let mark = around.last.unwrap_or(ItemMark::Bullet);
                    self.lines.reopen_item(mark);
                    return ElementEnd::ListInList;
                }
                ElementEnd::OpenMarkdownList
            }
            local_name!("dt") if self.lines.open_mark(LinePrefix::Strong) => {
                self.list().begun = false;
                ElementEnd::Term
            }
            _ if nested == 0
                && let Some(number) = self.notes.note(n) =>
            {
                self.lines.item(ItemMark::Note(number), true);
                ElementEnd::Note
            }
            local_name!("li") | local_name!("dd") if nested < MAX_NESTED => {
                let list = self.list();
                let mark = list.numbers.take(page, n);
                let mark = mark.map_or(ItemMark::Bullet, ItemMark::Number);
                list.last = Some(mark);
                let begun = list.begun;
                self.lines.item(mark, !begun);
                self.lines.check = check_box(page, n);
                ElementEnd::Item
            }
            _ => ElementEnd::Block,
        }
    }

    /// Writes an embed as a block of its own: a link with its title, behind its poster.
    fn embed(&mut self, n: NodeId) -> bool {
        let Some(embed) = Embed::of(self.page, n, self.base) else {
            return false;
        };
        self.lines.block();
        if let Some(poster) = &embed.poster {
            self.lines.image("", &escape::url(poster));
            self.lines.words(" ");
        }
        let link = LinePrefix::Link(escape::url(&embed.url));
        let opened = self.lines.open_mark(link);
        self.lines.words(&embed.title);
        if opened {
            self.lines.close_mark();
        }
        self.lines.block();
        true
    }

    fn list(&mut self) -> &mut OpenMarkdownList {
        let list = self.lists.last_mut();
        list.expect("the one for items without a list")
    }

    fn heading(&mut self, level: u8) -> ElementEnd {
        self.lines.heading = level;
        self.lines.flat = true;
        ElementEnd::Heading
    }

    fn ended(&mut self, what: ElementEnd) {
        match what {
            ElementEnd::LinePrefix => return self.lines.close_mark(),
            ElementEnd::InlineQuote(mark) => return self.lines.glued(mark),
            ElementEnd::Term => self.lines.close_mark(),
            ElementEnd::Heading => {
                self.lines.flat = false;
                self.lines.heading = 0;
            }
            ElementEnd::OpenMarkdownList | ElementEnd::ListInList => {
                self.lists.pop();
            }
            ElementEnd::Block | ElementEnd::Quote | ElementEnd::Item | ElementEnd::Note => {}
        }
        self.lines.block();
        if matches!(
            what,
            ElementEnd::Quote | ElementEnd::Item | ElementEnd::Note | ElementEnd::ListInList
        ) {
            let begun = self.lines.pop_container();
            if what == ElementEnd::Item
                && let Some(list) = self.lists.last_mut()
            {
                list.begun |= begun;
            }
        }
    }

    fn mark(&mut self, mark: LinePrefix) -> ElementStep {
        ElementStep::Into(self.lines.open_mark(mark).then_some(ElementEnd::LinePrefix))
    }

    fn image(&mut self, n: NodeId) -> ElementStep {
        if self.keeps(n)
            && !is_of_formula(self.page, n)
            && let Some(url) = self.names.of(self.page, n, self.base)
        {
            let alt = fold(self.page.attr(n, "alt").unwrap_or_default());
            self.lines.image(&alt, &escape::url(&url));
        }
        ElementStep::Over
    }

    /// Code inside of a line; code that holds blocks is no such.
    fn code(&mut self, n: NodeId) -> ElementStep {
        let page = self.page;
        let has_block = |n: &NodeId| page.breaks_line(*n);
        if page.subtree(n).skip(1).any(|n| has_block(&n)) {
            return ElementStep::Into(None);
        }
        let code = self.kept_text(n);
        // Its white space belongs to the text around it.
        if code.starts_with(char::is_whitespace) {
            self.lines.words(" ");
        }
        self.lines.code(&fold(&code));
        if code.ends_with(char::is_whitespace) {
            self.lines.words(" ");
        }
        ElementStep::Over
    }

    fn preformatted(&mut self, n: NodeId) {
        let code = self.kept_text(n);
        if self.lines.flat {
            self.lines.block();
            self.lines.code(&fold(&code));
        } else {
            let language = code::language(self.page, n).unwrap_or_default();
            self.lines.fenced(&code, language);
        }
        self.lines.block();
    }

    /// The kept text of a subtree with its line breaks.
    fn kept_text(&self, n: NodeId) -> String {
        let mut code = String::new();
        code::push_text(self.page, n, self.body, &mut code);
        code
    }

    fn table(&mut self, n: NodeId, rows: &[RowSlots]) {
        let page = self.page;
        let captions = page
            .children(n)
            .filter(|&c| page.is(c, &local_name!("caption")));
        for caption in captions {
            self.walk(caption, page.end(caption));
        }
        for (i, row) in rows.iter().enumerate() {
            self.lines.row(i == 0);
            for &cell in row {
                self.lines.cell();
                if let Some(cell) = cell {
                    self.walk(NodeId(cell.0 + 1), page.end(cell));
                }
                self.lines.cell_end();
            }
            if i == 0 {
                self.lines.ruler(row.len());
            }
        }
        self.lines.table_end();
    }
}

/// True for a list whose parent is a list.
fn is_list_in_list(page: &Page, list: NodeId) -> bool {
    let is_list = |n: NodeId| matches!(page.tag(n), Some(&local_name!("ul") | &local_name!("ol")));
    is_list(list) && page.parent(list).is_some_and(is_list)
}

/// The next step of the walk.
enum ElementStep {
    /// Into the element; this is to be done at its end.
    Into(Option<ElementEnd>),
    /// Over the element.
    Over,
}
