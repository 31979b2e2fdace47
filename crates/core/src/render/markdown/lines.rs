//! Lines of Markdown: the text before them, between them and around words.

use super::escape;
use forest_html::text::without_invisible;

/// The gap before the next word, the stronger last.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum LineGap {
    #[default]
    None,
    Space,
    /// A line break in the cell of a table.
    Cell,
    /// A hard line break.
    Break,
    /// The next line of a tight list.
    Line,
    /// An empty line.
    Paragraph,
}

/// The beginning of every line.
#[derive(Debug, Clone, Copy)]
pub(super) enum OpenBlock {
    Quote,
    Item {
        mark: ItemMark,
        /// True if the mark has been written.
        begun: bool,
    },
}

/// The mark before an item.
#[derive(Debug, Clone, Copy)]
pub(super) enum ItemMark {
    Bullet,
    Number(u32),
    /// The number of a footnote.
    Note(u32),
}

/// The marks around words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum LinePrefix {
    Strong,
    Emphasis,
    Strike,
    /// With its destination.
    Link(String),
}

impl LinePrefix {
    fn opening(&self) -> &'static str {
        match self {
            LinePrefix::Strong => "**",
            LinePrefix::Emphasis => "*",
            LinePrefix::Strike => "~~",
            LinePrefix::Link(_) => "[",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LineState {
    /// Nothing has been marked yet.
    Waiting,
    Open,
    /// A link that has been written: only its first block becomes one.
    Spent,
}

#[derive(Debug)]
pub(super) struct MarkdownLines {
    out: String,
    limit: usize,
    gap: LineGap,
    /// The index of the current line's text, after its prefix.
    line: usize,
    pub containers: Vec<OpenBlock>,
    /// The number of open blocks that are those of the last line written.
    common: usize,
    marks: Vec<(LinePrefix, LineState)>,
    /// The index at which a mark was closed last, and its length: the same mark opened there
    /// goes on.
    closed: Option<(usize, LinePrefix)>,
    /// The level of a heading that is owed; 0 if none is.
    pub heading: u8,
    /// Blocks are spaces: in headings and cells.
    pub flat: bool,
    in_table: bool,
    /// The check box before the next word.
    pub check: &'static str,
}

impl MarkdownLines {
    pub fn new(limit: usize) -> MarkdownLines {
        MarkdownLines {
            out: String::new(),
            limit,
            gap: LineGap::None,
            line: 0,
            containers: Vec::new(),
            common: 0,
            marks: Vec::new(),
            closed: None,
            heading: 0,
            flat: false,
            in_table: false,
            check: "",
        }
    }

    /// The text that the next word would stand against: none behind a gap.
    pub fn written(&self) -> &str {
        if self.gap == LineGap::None {
            &self.out
        } else {
            ""
        }
    }

    pub fn is_full(&self) -> bool {
        self.out.len() > self.limit
    }

    /// The Markdown, and whether it was cut.
    pub fn finish(mut self) -> (String, bool) {
        self.close_all();
        let cut = self.is_full();
        self.out.truncate(self.out.floor_char_boundary(self.limit));
        self.out.truncate(self.out.trim_end().len());
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        (self.out, cut)
    }

    /// A block begins or ends.
    pub fn block(&mut self) {
        if self.flat {
            self.gap = self.gap.max(self.flat_break());
        } else if !self.has_waiting_item() {
            self.close_all();
            self.gap = LineGap::Paragraph;
        }
    }

    /// The end of a line where blocks are spaces.
    fn flat_break(&self) -> LineGap {
        if self.in_table {
            LineGap::Cell
        } else {
            LineGap::Space
        }
    }

    /// True if an item is open that has nothing in it yet: the gap before it stands.
    fn has_waiting_item(&self) -> bool {
        let waits = |c: &OpenBlock| matches!(c, OpenBlock::Item { begun: false, .. });
        self.containers.iter().any(waits)
    }

    pub fn gap_is(&mut self, gap: LineGap) {
        self.gap = gap;
    }

    pub fn line_break(&mut self) {
        self.gap = match self.gap {
            _ if self.flat => self.gap.max(self.flat_break()),
            LineGap::Break => {
                self.close_all();
                LineGap::Paragraph
            }
            gap => gap.max(LineGap::Break),
        };
    }

    /// True if the innermost container is an item with something in it.
    pub fn is_in_item(&self) -> bool {
        matches!(
            self.containers.last(),
            Some(OpenBlock::Item { begun: true, .. })
        )
    }

    /// An item begins: on the next line, if it is not the `first` of a list.
    pub fn item(&mut self, mark: ItemMark, first: bool) {
        if !first || self.is_in_item() {
            self.gap = LineGap::Line;
        }
        self.containers.push(OpenBlock::Item { mark, begun: false });
    }

    /// The item before goes on, with a list that stands beside it.
    pub fn reopen_item(&mut self, mark: ItemMark) {
        self.containers.push(OpenBlock::Item { mark, begun: true });
        self.common = self.common.max(self.containers.len());
        self.gap = LineGap::Line;
    }

    /// Takes the innermost container out; whether something is in it.
    pub fn pop_container(&mut self) -> bool {
        let popped = self.containers.pop();
        self.check = "";
        self.common = self.common.min(self.containers.len());
        !matches!(popped, Some(OpenBlock::Item { begun: false, .. }))
    }

    /// Opens a mark; `false` if it is open already.
    pub fn open_mark(&mut self, mark: LinePrefix) -> bool {
        let same =
            |open: &LinePrefix| std::mem::discriminant(open) == std::mem::discriminant(&mark);
        if self.marks.iter().any(|(open, _)| same(open)) {
            return false;
        }
        self.marks.push((mark, LineState::Waiting));
        true
    }

    /// Closes the innermost mark.
    pub fn close_mark(&mut self) {
        if let Some((mark, LineState::Open)) = self.marks.pop() {
            self.close(mark);
        }
    }

    fn close(&mut self, mark: LinePrefix) {
        match &mark {
            LinePrefix::Link(url) => {
                self.out.push_str("](");
                self.out.push_str(url);
                self.out.push(')');
            }
            mark => self.out.push_str(mark.opening()),
        }
        self.closed = Some((self.out.len(), mark));
    }

    fn close_all(&mut self) {
        let mut marks = std::mem::take(&mut self.marks);
        for (mark, state) in marks.iter_mut().rev() {
            if *state == LineState::Open {
                self.close(mark.clone());
                *state = match mark {
                    LinePrefix::Link(_) => LineState::Spent,
                    _ => LineState::Waiting,
                };
            }
        }
        self.marks = marks;
    }

    /// Words, white space folded.
    pub fn words(&mut self, text: &str) {
        let mut begun = false;
        for word in text.split_whitespace() {
            if begun || text.starts_with(char::is_whitespace) {
                self.gap = self.gap.max(LineGap::Space);
            }
            begun = true;
            self.pay();
            let word = without_invisible(word);
            escape::push(&mut self.out, &word, self.line, self.in_table);
            if self.is_full() {
                return;
            }
        }
        if text.ends_with(char::is_whitespace) {
            self.gap = self.gap.max(LineGap::Space);
        }
    }

    /// A mark behind the last word.
    pub fn glued(&mut self, mark: &str) {
        self.out.push_str(mark);
    }

    /// Markdown as it is.
    pub fn raw(&mut self, markdown: &str) {
        self.pay();
        self.out.push_str(markdown);
    }

    pub fn image(&mut self, alt: &str, url: &str) {
        self.pay();
        self.out.push_str("![");
        escape::push(&mut self.out, alt, usize::MAX, self.in_table);
        self.out.push_str("](");
        self.out.push_str(url);
        self.out.push(')');
    }

    /// Code in a line; empty code is nothing.
    pub fn code(&mut self, code: &str) {
        if code.is_empty() {
            return;
        }
        self.pay();
        let ticks = "`".repeat(escape::backticks(code) + 1);
        let space = if code.starts_with('`') || code.ends_with('`') {
            " "
        } else {
            ""
        };
        let escaped = if self.in_table {
            code.replace('|', "\\|")
        } else {
            code.to_owned()
        };
        for part in [&ticks, space, &escaped, space, &ticks] {
            self.out.push_str(part);
        }
    }

    /// A block of code; blank code is nothing.
    pub fn fenced(&mut self, code: &str, language: &str) {
        let Some(first) = code.find(|c: char| !c.is_whitespace()) else {
            return;
        };
        let code = &code[code[..first].rfind('\n').map_or(0, |at| at + 1)..];
        self.block();
        let fence = "`".repeat((escape::backticks(code) + 1).max(3));
        // Marks have no meaning inside: they wait for the next block.
        let marks = std::mem::take(&mut self.marks);
        self.pay();
        self.out.push_str(&fence);
        self.out.push_str(language);
        for line in code.trim_end().lines() {
            self.newline();
            self.out.push_str(line);
            if self.is_full() {
                break;
            }
        }
        self.newline();
        self.out.push_str(&fence);
        self.marks = marks;
    }

    /// A row of a table begins.
    pub fn row(&mut self, first: bool) {
        if first {
            self.block();
            self.pay();
            self.flat = true;
            self.in_table = true;
        } else {
            self.newline();
        }
        self.out.push('|');
    }

    pub fn cell(&mut self) {
        self.out.push(' ');
        self.gap = LineGap::None;
    }

    pub fn cell_end(&mut self) {
        self.close_all();
        self.gap = LineGap::None;
        if !self.out.ends_with(' ') {
            self.out.push(' ');
        }
        self.out.push('|');
    }

    /// The line below a table's head.
    pub fn ruler(&mut self, columns: usize) {
        self.newline();
        self.out.push('|');
        for _ in 0..columns {
            self.out.push_str(" --- |");
        }
    }

    pub fn table_end(&mut self) {
        self.flat = false;
        self.in_table = false;
        self.block();
    }

    /// Writes the gap, the prefix of a new line and the marks that wait.
    fn pay(&mut self) {
        let gap = std::mem::take(&mut self.gap);
        if self.out.is_empty() {
            self.prefix();
        } else {
            match gap {
                LineGap::None => {}
                LineGap::Space if self.out.ends_with(' ') => {}
                LineGap::Space => self.out.push(' '),
                LineGap::Cell if self.out.ends_with("| ") => {}
                LineGap::Cell => self.out.push_str("<br>"),
                LineGap::Break => {
                    self.out.push('\\');
                    self.newline();
                }
                LineGap::Line => self.newline(),
                LineGap::Paragraph => {
                    self.empty_line();
                    self.newline();
                }
            }
        }
        self.common = self.containers.len();
        for at in 0..self.marks.len() {
            let (mark, state) = &mut self.marks[at];
            if *state != LineState::Waiting {
                continue;
            }
            *state = LineState::Open;
            let goes_on = !matches!(mark, LinePrefix::Link(_))
                && self
                    .closed
                    .as_ref()
                    .is_some_and(|(end, closed)| *end == self.out.len() && closed == mark);
            let opening = mark.opening();
            if goes_on {
                self.out.truncate(self.out.len() - opening.len());
            } else {
                // `!` before a link would make a picture of it.
                if opening == "[" && self.out.ends_with('!') {
                    self.out.pop();
                    self.out.push_str("\\!");
                }
                self.out.push_str(opening);
            }
        }
        self.out.push_str(std::mem::take(&mut self.check));
    }

    fn newline(&mut self) {
        self.out.push('\n');
        self.prefix();
    }

    /// An empty line inside of the containers that go on.
    fn empty_line(&mut self) {
        self.out.push('\n');
        let from = self.out.len();
        for container in &self.containers[..self.common.min(self.containers.len())] {
            match container {
                OpenBlock::Quote => self.out.push_str("> "),
                OpenBlock::Item { mark, .. } => spaces(&mut self.out, *mark),
            }
        }
        let line = self.out[from..].trim_end().len();
        self.out.truncate(from + line);
    }

    fn prefix(&mut self) {
        for container in &mut self.containers {
            match container {
                OpenBlock::Quote => self.out.push_str("> "),
                OpenBlock::Item { mark, begun: true } => spaces(&mut self.out, *mark),
                OpenBlock::Item { mark, begun } => {
                    *begun = true;
                    match mark {
                        ItemMark::Bullet => self.out.push_str("- "),
                        ItemMark::Number(number) => self.out.push_str(&format!("{number}. ")),
                        ItemMark::Note(number) => self.out.push_str(&format!("[^{number}]: ")),
                    }
                }
            }
        }
        if self.heading > 0 {
            for _ in 0..self.heading {
                self.out.push('#');
            }
            self.out.push(' ');
            self.heading = 0;
        }
        self.line = self.out.len();
    }
}

/// As many spaces as lines of an item are indented.
fn spaces(out: &mut String, mark: ItemMark) {
    let width = match mark {
        ItemMark::Bullet => 2,
        ItemMark::Number(number) => number.checked_ilog10().unwrap_or(0) as usize + 3,
        ItemMark::Note(_) => 4,
    };
    for _ in 0..width {
        out.push(' ');
    }
}
