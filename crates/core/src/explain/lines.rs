//! A page's text, a line a block, each piece with its mark.

use super::marks::NodeMark;
use crate::render::is_unread;
use forest_html::page::tags;
use forest_html::page::{Kind, NodeId, Page};
use html5ever::local_name;

/// Characters of a piece that are shown.
const MAX_RUN_CHARS: usize = 2000;

/// Characters of a picture's text that are shown.
const MAX_ALT_CHARS: usize = 80;

/// Elements around a text whose tags give the form of its line.
const AROUND: usize = 4;

/// The form of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineForm {
    Plain,
    /// A heading, 1 to 3; the lower ones are 3.
    Heading(u8),
    Item,
    Quote,
    Caption,
    Pre,
    /// A cell of a row, which is named.
    Cell(NodeId),
}

/// A piece of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct MarkedText {
    pub mark: NodeMark,
    pub is_picture: bool,
    pub text: String,
}

/// A line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SheetLine {
    pub form: LineForm,
    pub runs: Vec<MarkedText>,
}

impl SheetLine {
    /// The mark of all its pieces, if it is one.
    pub fn mark(&self) -> Option<NodeMark> {
        let first = self.runs.first()?.mark;
        self.runs
            .iter()
            .all(|run| run.mark == first)
            .then_some(first)
    }
}

/// The lines of a page's body.
pub(super) fn lines(page: &Page, marks: &[NodeMark]) -> Vec<SheetLine> {
    let mut writer = SheetWriter {
        page,
        lines: Vec::new(),
        open: None,
        gap: false,
    };
    let Some(body) = page.body() else {
        return Vec::new();
    };
    let mut nodes = page.walk_nested(body, page.end(body));
    while let Some(n) = nodes.next(|()| writer.end_line()) {
        let mark = marks[n.index()];
        match page.kind(n) {
            Kind::Text if page.is_content(n) => writer.push(n, page.text(n), mark),
            Kind::Element if !page.is_content(n) || is_unread(page, n) => nodes.pass_over(n),
            Kind::Element if page.is(n, &local_name!("img")) && mark != NodeMark::Rest => {
                writer.push_picture(n, page.attr(n, "alt").unwrap_or_default(), mark);
            }
            Kind::Element if page.breaks_line(n) => {
                writer.end_line();
                nodes.open(n, ());
            }
            _ => {}
        }
    }
    writer.end_line();
    writer.lines
}

struct SheetWriter<'a> {
    page: &'a Page,
    lines: Vec<SheetLine>,
    open: Option<SheetLine>,
    /// White space comes before the next word.
    gap: bool,
}

impl SheetWriter<'_> {
    fn end_line(&mut self) {
        self.gap = false;
        let Some(mut line) = self.open.take() else {
            return;
        };
        if line.form == LineForm::Pre {
            while let Some(run) = line.runs.last_mut().filter(|run| !run.is_picture) {
                run.text.truncate(run.text.trim_end().len());
                if !run.text.is_empty() {
                    break;
                }
                line.runs.pop();
            }
            if line.runs.is_empty() {
                return;
            }
        }
        for run in &mut line.runs {
            if let Some((at, _)) = run.text.char_indices().nth(MAX_RUN_CHARS) {
                run.text.truncate(at);
                run.text.push('…');
            }
        }
        self.lines.push(line);
    }

    /// The run that a node's text goes to.
    fn run(&mut self, n: NodeId, mark: NodeMark, is_picture: bool) -> &mut MarkedText {
        let line = self.open.get_or_insert_with(|| SheetLine {
            form: form(self.page, n),
            runs: Vec::new(),
        });
        let is_same = |run: &MarkedText| run.mark == mark && !run.is_picture && !is_picture;
        if !line.runs.last().is_some_and(is_same) {
            line.runs.push(MarkedText {
                mark,
                is_picture,
                text: String::new(),
            });
        }
        line.runs.last_mut().expect("a run was added")
    }

    fn push(&mut self, n: NodeId, text: &str, mark: NodeMark) {
        if form(self.page, n) == LineForm::Pre {
            return self.push_pre(n, text, mark);
        }
        if text.trim().is_empty() {
            self.gap |= !text.is_empty();
            return;
        }
        let owed = (self.gap || text.starts_with(char::is_whitespace)) && self.open.is_some();
        self.gap = text.ends_with(char::is_whitespace);
        let last = self.open.as_mut().and_then(|line| line.runs.last_mut());
        if let Some(last) = last.filter(|last| owed && !last.is_picture) {
            last.text.push(' ');
        }
        let run = self.run(n, mark, false);
        for (i, word) in text.split_whitespace().enumerate() {
            if i > 0 {
                run.text.push(' ');
            }
            run.text.push_str(word);
        }
    }

    /// Adds text whose white space is its own, but for empty lines at the begin.
    fn push_pre(&mut self, n: NodeId, text: &str, mark: NodeMark) {
        let text = match self.open {
            None => text.trim_start_matches('\n'),
            Some(_) => text,
        };
        if !text.is_empty() {
            self.run(n, mark, false).text.push_str(text);
        }
        self.gap = false;
    }

    fn push_picture(&mut self, n: NodeId, alt: &str, mark: NodeMark) {
        let alt: String = alt.trim().chars().take(MAX_ALT_CHARS).collect();
        self.run(n, mark, true).text = alt;
        self.gap = true;
    }
}

/// The form of a line that begins with a node: by the nearest elements around it.
fn form(page: &Page, n: NodeId) -> LineForm {
    let ancestors = page.ancestors(n).filter_map(|up| Some((up, page.tag(up)?)));
    let blocks = ancestors.filter(|(_, tag)| tags::has(tag, tags::BLOCK));
    for (i, (up, tag)) in blocks.take(AROUND).enumerate() {
        return match *tag {
            local_name!("h1") => LineForm::Heading(1),
            local_name!("h2") => LineForm::Heading(2),
            local_name!("h3") | local_name!("h4") | local_name!("h5") | local_name!("h6") => {
                LineForm::Heading(3)
            }
            local_name!("li") | local_name!("dd") => LineForm::Item,
            local_name!("blockquote") => LineForm::Quote,
            local_name!("figcaption") | local_name!("caption") => LineForm::Caption,
            local_name!("pre") => LineForm::Pre,
            local_name!("td") | local_name!("th") if i == 0 => {
                let row = page.ancestors(up).find(|&n| page.is(n, &local_name!("tr")));
                LineForm::Cell(row.unwrap_or(up))
            }
            _ => continue,
        };
    }
    LineForm::Plain
}
