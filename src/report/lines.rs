//! A page's text, a line a block, each piece with its mark.

use super::marks::Mark;
use crate::page::plain::breaks_line;
use crate::page::{Kind, NodeId, Page};
use crate::render::is_unread;
use html5ever::local_name;

/// Characters of a piece that are shown.
const MAX_RUN_CHARS: usize = 2000;

/// Characters of a picture's text that are shown.
const MAX_ALT_CHARS: usize = 80;

/// Elements around a text whose tags say what its line is.
const AROUND: usize = 4;

/// What a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
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
pub(super) struct Run {
    pub mark: Mark,
    pub is_picture: bool,
    pub text: String,
}

/// A line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    pub form: Form,
    pub runs: Vec<Run>,
}

impl Line {
    /// The mark of all its pieces, if it is one.
    pub fn mark(&self) -> Option<Mark> {
        let first = self.runs.first()?.mark;
        self.runs
            .iter()
            .all(|run| run.mark == first)
            .then_some(first)
    }
}

/// The lines of a page's body.
pub(super) fn lines(page: &Page, marks: &[Mark]) -> Vec<Line> {
    let mut writer = Writer {
        page,
        lines: Vec::new(),
        open: None,
        gap: false,
    };
    let Some(body) = page.body() else {
        return Vec::new();
    };
    // Ends of the blocks that are open.
    let mut blocks: Vec<NodeId> = Vec::new();
    let mut at = body.0;
    while at < page.end(body).0 {
        let n = NodeId(at);
        at += 1;
        while blocks.last().is_some_and(|&end| end <= n) {
            blocks.pop();
            writer.end_line();
        }
        let mark = marks[n.index()];
        match page.kind(n) {
            Kind::Text if page.is_content(n) => writer.push(n, page.text(n), mark),
            Kind::Element if !page.is_content(n) || is_unread(page, n) => at = page.end(n).0,
            Kind::Element if page.is(n, &local_name!("img")) && mark != Mark::Rest => {
                writer.push_picture(n, page.attr(n, "alt").unwrap_or_default(), mark);
            }
            Kind::Element if page.tag(n).is_some_and(breaks_line) => {
                writer.end_line();
                blocks.push(page.end(n));
            }
            _ => {}
        }
    }
    writer.end_line();
    writer.lines
}

struct Writer<'a> {
    page: &'a Page,
    lines: Vec<Line>,
    open: Option<Line>,
    /// White space is owed before the next word.
    gap: bool,
}

impl Writer<'_> {
    fn end_line(&mut self) {
        self.gap = false;
        let Some(mut line) = self.open.take() else {
            return;
        };
        if line.form == Form::Pre {
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
    fn run(&mut self, n: NodeId, mark: Mark, is_picture: bool) -> &mut Run {
        let line = self.open.get_or_insert_with(|| Line {
            form: form(self.page, n),
            runs: Vec::new(),
        });
        let is_same = |run: &Run| run.mark == mark && !run.is_picture && !is_picture;
        if !line.runs.last().is_some_and(is_same) {
            line.runs.push(Run {
                mark,
                is_picture,
                text: String::new(),
            });
        }
        line.runs.last_mut().expect("a run was added")
    }

    fn push(&mut self, n: NodeId, text: &str, mark: Mark) {
        if form(self.page, n) == Form::Pre {
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
    fn push_pre(&mut self, n: NodeId, text: &str, mark: Mark) {
        let text = match self.open {
            None => text.trim_start_matches('\n'),
            Some(_) => text,
        };
        if !text.is_empty() {
            self.run(n, mark, false).text.push_str(text);
        }
        self.gap = false;
    }

    fn push_picture(&mut self, n: NodeId, alt: &str, mark: Mark) {
        let alt: String = alt.trim().chars().take(MAX_ALT_CHARS).collect();
        self.run(n, mark, true).text = alt;
        self.gap = true;
    }
}

/// What a line is that begins with a node: by the nearest elements around it.
fn form(page: &Page, n: NodeId) -> Form {
    let around = page.ancestors(n).filter_map(|up| Some((up, page.tag(up)?)));
    let blocks = around.filter(|(_, tag)| breaks_line(tag));
    for (i, (up, tag)) in blocks.take(AROUND).enumerate() {
        return match *tag {
            local_name!("h1") => Form::Heading(1),
            local_name!("h2") => Form::Heading(2),
            local_name!("h3") | local_name!("h4") | local_name!("h5") | local_name!("h6") => {
                Form::Heading(3)
            }
            local_name!("li") | local_name!("dd") => Form::Item,
            local_name!("blockquote") => Form::Quote,
            local_name!("figcaption") | local_name!("caption") => Form::Caption,
            local_name!("pre") => Form::Pre,
            local_name!("td") | local_name!("th") if i == 0 => {
                let row = page.ancestors(up).find(|&n| page.is(n, &local_name!("tr")));
                Form::Cell(row.unwrap_or(up))
            }
            _ => continue,
        };
    }
    Form::Plain
}
