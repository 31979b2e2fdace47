//! The text of what is kept.

use super::code::Listing;
use super::footnotes::{BRACKETS, Footnotes};
use super::items::{ItemNumbers, check_box};
use super::quote;
use super::raised;
use super::shown::{Region, is_deleted, is_reading, is_unread, without_hidden};
use super::table::{RowSlots, rows as table_rows};
use forest_html::page::plain::run_together;
use forest_html::page::tags;
use forest_html::page::{Kind, Mask, NodeId, Page};
use forest_html::text::{fold, push_folded, without_invisible};
use html5ever::local_name;
use std::collections::HashSet;

/// The text of the kept text nodes in document order, a line a block.
///
/// - A block element, a `br`, a row of a table and a list item end a line; cells
///   of a row are parted by a tab, unless there are blocks inside of them. There
///   are no empty lines: what parts paragraphs is one line break, as in a
///   file with a paragraph a line.
/// - Inline elements glue as the source does: `<b>a</b>b` is `ab`.
/// - White space is folded to single spaces, the no-break space too; a `pre`
///   keeps its lines and its spaces.
/// - Of a ruby the reading is left out, of a text with changes what is deleted, and what the
///   page's source hides, unless it is a quarter of the text. Quotations in a line (`q`) have
///   their language's marks; soft hyphens are left out.
/// - A raised number behind a number or a unit is one (`10⁶`); a formula is its TeX.
/// - The marker of a footnote stands in brackets; the link back from its note is left out.
/// - The text of the head, of form controls, of SVG pictures and of what a browser shows only
///   where it cannot play a `video` is left out: it is the page's apparatus, not
///   the article's text. `alt` is no text either. A `button` in a heading is text.
///
/// At most one character (a line break, a tab or a space) stands before each run
/// of characters without white space, so that the text is never longer than
/// twice the page's character data, the marks of quotations and footnotes left out.
///
/// ```
/// use forest_core::render::text;
/// use forest_html::page::{Mask, Page};
///
/// let page = Page::from_html("<p>One <b>two</b>.<br>Three</p>\n<table><tr><td>a<td>b</table>");
/// assert_eq!(text(&page, &Mask::all(&page)), "One two.\nThree\na\tb");
/// ```
pub fn text(page: &Page, body: &Mask) -> String {
    styled_text(page, body, TextStyle::Plain)
}

/// The style of text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum TextStyle {
    /// Lines without marks: see [`text()`].
    #[default]
    Plain,
    /// With marks: `#` before headings, `-` or a number before items, which are indented by
    /// two spaces a level; data tables with a tab between cells, a line a row; listings that
    /// are tables without their line numbers.
    Structured,
}

/// [`text()`] in a style.
pub fn styled_text(page: &Page, body: &Mask, style: TextStyle) -> String {
    let rules = TextRules {
        style,
        ..TextRules::default()
    };
    shown_text(page, body, rules)
}

/// [`text()`] with a space between elements that would run together.
pub(super) fn parted_text(page: &Page, body: &Mask) -> String {
    let rules = TextRules {
        parts_elements: true,
        ..TextRules::default()
    };
    shown_text(page, body, rules)
}

/// How text is written.
#[derive(Debug, Clone, Copy, Default)]
struct TextRules {
    style: TextStyle,
    /// Inline elements that [run together](run_together) are parted by a space.
    parts_elements: bool,
}

fn shown_text(page: &Page, body: &Mask, rules: TextRules) -> String {
    match Region::of(page, body) {
        Some(region) => region_text(page, &without_hidden(page, body, region), region, rules),
        None => String::new(),
    }
}

/// The text of the kept nodes of a region.
fn region_text(page: &Page, body: &Mask, region: Region, rules: TextRules) -> String {
    let mut writer = TextWriter::default();
    let mut lists = OpenLists::default();
    let notes = Footnotes::of(page, body, region);
    let is_structured = rules.style == TextStyle::Structured;
    let mut last: Option<NodeId> = None;
    let mut nodes = page.walk_nested(region.start, region.end);
    for (around, open) in breaks_around(page, region.start) {
        nodes.open(around, open);
    }
    // The cells of line numbers in listings that are tables.
    let mut numbers: HashSet<NodeId> = HashSet::new();
    while let Some(n) = nodes.next(|ended| writer.ended(ended)) {
        match page.kind(n) {
            Kind::Text if body.contains(n) && page.is_content(n) => {
                let last = last.replace(n);
                if rules.parts_elements && last.is_some_and(|last| run_together(page, last, n)) {
                    writer.push(" ");
                }
                writer.push(page.text(n));
            }
            Kind::Element if !page.is_content(n) || is_silent(page, n) => nodes.pass_over(n),
            Kind::Element if page.is(n, &local_name!("table")) => {
                let listing = if is_structured {
                    Listing::of(page, n)
                } else {
                    None
                };
                if let Some(listing) = listing {
                    numbers.extend(listing.numbers);
                } else if is_structured && let Some(rows) = tsv(page, n, body) {
                    rows.iter().for_each(|row| writer.line(row));
                    nodes.pass_over(n);
                    continue;
                }
                writer.started(Break::Block);
                nodes.open(n, Break::Block);
            }
            Kind::Element if numbers.contains(&n) || notes.is_back_link(n) => nodes.pass_over(n),
            Kind::Element if notes.marker(n).is_some() => {
                writer.marker(page.text(n));
                nodes.pass_over(n);
            }
            Kind::Element if let Some(power) = raised::power(page, body, n, writer.written()) => {
                writer.push(&power.to_text());
                nodes.pass_over(n);
            }
            Kind::Element => {
                if let Some(open) = Break::of(page, n) {
                    writer.started(open);
                    nodes.open(n, open);
                }
                if is_structured && let Some(mark) = lists.mark(page, n) {
                    writer.line_mark = mark;
                }
            }
            _ => {}
        }
    }
    writer.finish()
}

/// Times the text of a table that its lines have at the most, where cells stand in several
/// rows.
const MAX_TABLE_GROWTH: usize = 10;

/// The lines of a data table, with a tab between cells, behind its caption.
fn tsv(page: &Page, table: NodeId, body: &Mask) -> Option<Vec<String>> {
    let rows = table_rows(page, table, body)?;
    let slots = rows.iter().flatten().flatten();
    let bytes: usize = slots.map(|&cell| page.text(cell).len()).sum();
    if bytes > MAX_TABLE_GROWTH * page.text(table).len() {
        return None;
    }
    let of_cell = |cell: NodeId| {
        let region = Region {
            start: NodeId(cell.0 + 1),
            end: page.end(cell),
        };
        fold(&region_text(page, body, region, TextRules::default()))
    };
    let of_row = |row: &RowSlots| -> String {
        let cells = row.iter().map(|cell| cell.map(of_cell).unwrap_or_default());
        cells.collect::<Vec<_>>().join("\t")
    };
    let captions = page
        .children(table)
        .filter(|&n| page.is(n, &local_name!("caption")));
    let captions = captions.map(of_cell).filter(|caption| !caption.is_empty());
    Some(captions.chain(rows.iter().map(of_row)).collect())
}

/// Nested lists whose items are indented; deeper ones stand at this level.
const MAX_LEVELS: usize = 8;

/// The lists around a node, outermost first.
#[derive(Debug, Default)]
struct OpenLists(Vec<OpenList>);

#[derive(Debug)]
struct OpenList {
    end: NodeId,
    numbers: ItemNumbers,
}

impl OpenLists {
    /// The mark before the first line of an element: of a heading, an item or a definition.
    fn mark(&mut self, page: &Page, n: NodeId) -> Option<String> {
        while self.0.last().is_some_and(|list| list.end <= n) {
            self.0.pop();
        }
        let indent = "  ".repeat(self.0.len().clamp(1, MAX_LEVELS) - 1);
        let tag = page.tag(n)?;
        match *tag {
            local_name!("ul") | local_name!("ol") | local_name!("dl") => {
                self.0.push(OpenList {
                    end: page.end(n),
                    numbers: ItemNumbers::of(page, n),
                });
                None
            }
            local_name!("li") => {
                let list = self.0.last_mut();
                let number = list.and_then(|list| list.numbers.take(page, n));
                let check = check_box(page, n);
                Some(match number {
                    Some(number) => format!("{indent}{number}. {check}"),
                    None => format!("{indent}- {check}"),
                })
            }
            local_name!("dt") => Some(indent),
            local_name!("dd") => Some(format!("{indent}  ")),
            local_name!("h1") => Some("# ".to_owned()),
            local_name!("h2") => Some("## ".to_owned()),
            local_name!("h3") => Some("### ".to_owned()),
            local_name!("h4") => Some("#### ".to_owned()),
            local_name!("h5") => Some("##### ".to_owned()),
            local_name!("h6") => Some("###### ".to_owned()),
            _ => None,
        }
    }
}

/// True for an element whose contents are no text.
fn is_silent(page: &Page, n: NodeId) -> bool {
    is_unread(page, n) || is_deleted(page, n) || is_reading(page, n)
}

/// The effect of an element on the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Break {
    Block,
    Cell,
    Pre,
    /// A quotation in a line, with its marks.
    Quote([&'static str; 2]),
}

impl Break {
    fn of(page: &Page, n: NodeId) -> Option<Break> {
        let tag = page.tag(n)?;
        match *tag {
            local_name!("td") | local_name!("th") => Some(Break::Cell),
            local_name!("pre") => Some(Break::Pre),
            _ if tags::has(tag, tags::VERBATIM) => Some(Break::Pre),
            local_name!("q") => Some(Break::Quote(quote::marks(page, n))),
            _ => page.breaks_line(n).then_some(Break::Block),
        }
    }
}

/// The elements that break lines and are open where `start` begins, outermost first.
fn breaks_around(page: &Page, start: NodeId) -> Vec<(NodeId, Break)> {
    let around = page.ancestors(start).skip(1);
    let mut open: Vec<_> = around
        .filter_map(|n| Some((n, Break::of(page, n)?)))
        // The opening mark of a quotation is not written inside of it.
        .filter(|(_, open)| !matches!(open, Break::Quote(_)))
        .collect();
    open.reverse();
    open
}

/// The gap before the next word, the stronger last.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum TextGap {
    #[default]
    None,
    Space,
    Tab,
    Line,
}

/// Invariant: outside of `pre`, `out` is empty or ends in no white space.
#[derive(Debug, Default)]
struct TextWriter {
    out: String,
    gap: TextGap,
    /// The number of open `pre`.
    pre: usize,
    /// True if the open `pre` has shown a character.
    pre_began: bool,
    /// The opening marks of quotations that have not begun.
    marks: Vec<&'static str>,
    /// The mark before the next line.
    line_mark: String,
}

impl TextWriter {
    fn started(&mut self, open: Break) {
        if let Break::Quote([mark, _]) = open {
            self.marks.push(mark);
        }
        self.owe(open);
        if open == Break::Pre {
            self.pre += 1;
            self.pre_began = false;
        }
    }

    fn ended(&mut self, ended: Break) {
        if let Break::Quote([_, mark]) = ended
            // A quotation of nothing has no marks.
            && self.marks.pop().is_none()
        {
            self.out.push_str(mark);
        }
        if ended == Break::Block {
            // Of an element without text.
            self.line_mark.clear();
        }
        if ended == Break::Pre {
            self.pre = self.pre.saturating_sub(1);
            if self.pre == 0 {
                self.trim();
            }
        }
        self.owe(ended);
    }

    fn owe(&mut self, what: Break) {
        let gap = match what {
            Break::Quote(_) => return,
            Break::Cell => TextGap::Tab,
            Break::Block | Break::Pre => TextGap::Line,
        };
        self.gap = self.gap.max(gap);
    }

    /// The text that the next word would stand against: none behind a gap.
    fn written(&self) -> &str {
        if self.gap == TextGap::None {
            &self.out
        } else {
            ""
        }
    }

    fn trim(&mut self) {
        self.out.truncate(self.out.trim_end().len());
    }

    fn pay(&mut self) {
        let gap = std::mem::take(&mut self.gap);
        match gap {
            _ if self.out.is_empty() => {}
            TextGap::None => {}
            TextGap::Space => self.out.push(' '),
            TextGap::Tab => self.out.push('\t'),
            TextGap::Line => self.out.push('\n'),
        }
    }

    /// Writes the mark of the line that has begun.
    fn open_line(&mut self) {
        let mark = std::mem::take(&mut self.line_mark);
        self.out.push_str(&mark);
    }

    /// Writes a line as it is.
    fn line(&mut self, line: &str) {
        self.owe(Break::Block);
        self.pay();
        self.open_line();
        self.out.push_str(line);
        self.owe(Break::Block);
    }

    /// Writes the marker of a footnote in brackets, so that it is no part of the word before it.
    fn marker(&mut self, text: &str) {
        let label = text.trim().trim_matches(BRACKETS);
        self.push(&format!("[{label}]"));
    }

    fn push(&mut self, text: &str) {
        if self.pre > 0 {
            return self.push_lines(text);
        }
        self.push_words(&without_invisible(text));
    }

    fn push_words(&mut self, text: &str) {
        if text.trim().is_empty() {
            if !text.is_empty() {
                self.gap = self.gap.max(TextGap::Space);
            }
            return;
        }
        if text.starts_with(char::is_whitespace) {
            self.gap = self.gap.max(TextGap::Space);
        }
        self.pay();
        self.open_line();
        for mark in self.marks.drain(..) {
            self.out.push_str(mark);
        }
        push_folded(text, &mut self.out);
        if text.ends_with(char::is_whitespace) {
            self.gap = TextGap::Space;
        }
    }

    /// Text of a `pre`: as it is, without the empty lines at its beginning.
    fn push_lines(&mut self, text: &str) {
        let mut kept = text;
        if !self.pre_began {
            let Some(first) = text.find(|c: char| !c.is_whitespace()) else {
                return;
            };
            kept = &text[text[..first].rfind('\n').map_or(0, |at| at + 1)..];
            self.pre_began = true;
        }
        if self.gap != TextGap::None {
            self.trim();
            self.pay();
        }
        self.open_line();
        self.out.push_str(kept);
    }

    fn finish(mut self) -> String {
        self.trim();
        self.out
    }
}
