//! The pages of the sample with their text marked.

use super::lines::{Form, Line, Run, lines};
use super::marks::Mark;
use super::markup::{cut, esc};
use super::{Context, Shown};
use crate::error::counted;
use std::fmt::Write;

/// Pages that are shown.
pub(super) const MAX_PAGES: usize = 20;

/// Lines without a mark that stand together before they are folded.
const FOLDED: usize = 3;

/// Lines of a fold that are shown.
const MAX_FOLDED: usize = 60;

/// Characters of a fold's beginning that stand on it.
const FOLD_CHARS: usize = 70;

const LEGEND: &str = "<ul class=\"legend\" aria-label=\"Legend\"><li><i class=\"b\">article</i></li>\
     <li><i class=\"s\">taken away by a strip rule</i></li><li><i class=\"f\">a field is read here</i></li>\
     <li><i class=\"r\">left out</i></li></ul>\n";

/// The section, in `room` bytes.
pub(super) fn section(context: &Context<'_>, room: usize, out: &mut String) {
    out.push_str(
        "<section id=\"pages\">\n<h2>Pages, marked</h2>\n<p class=\"soft\">The text of each page, a \
         line a block. Pictures are named only, form controls are left out.</p>\n",
    );
    out.push_str(LEGEND);
    let start = out.len();
    let open = opened(context);
    let shown = context.pages.iter().take(MAX_PAGES);
    for (i, page) in shown.enumerate() {
        let left = MAX_PAGES.min(context.pages.len()) - i;
        let room = room.saturating_sub(out.len() - start) / left;
        sheet(context, page, room, open == Some(page.number), out);
    }
    if context.pages.len() > MAX_PAGES {
        let more = counted(context.pages.len() - MAX_PAGES, "page", "pages");
        let _ = writeln!(
            out,
            "<p class=\"soft\">{more} more left out of this report.</p>"
        );
    }
    out.push_str("</section>\n");
}

/// The number of the page that shows most: the first on which most strip rules
/// take something.
fn opened(context: &Context<'_>) -> Option<usize> {
    let rules = |page: &Shown<'_>| {
        let trace = page.trace.as_ref()?;
        Some(
            trace
                .strips
                .iter()
                .filter(|nodes| !nodes.is_empty())
                .count(),
        )
    };
    let of_page = |page| Some((rules(page)?, std::cmp::Reverse(page.number)));
    let best = context
        .pages
        .iter()
        .take(MAX_PAGES)
        .filter_map(of_page)
        .max();
    best.map(|(_, number)| number.0)
}

fn sheet(context: &Context<'_>, page: &Shown<'_>, room: usize, open: bool, out: &mut String) {
    let title = page.article.title.as_deref().unwrap_or(&page.sample.name);
    let _ = writeln!(
        out,
        "<details class=\"page\" id=\"p{}\"{}><summary>Page {}: <span dir=\"auto\">{}</span></summary>",
        page.number,
        if open { " open" } else { "" },
        page.number,
        cut(title, 160)
    );
    let several = context.learned.wrapper.templates.len() > 1;
    match &page.trace {
        None => out.push_str("<p class=\"warn\">No template selects text on this page.</p>\n"),
        Some(trace) if several => {
            let _ = writeln!(
                out,
                "<p class=\"soft small\">Template {}</p>",
                trace.found.template + 1
            );
        }
        Some(_) => {}
    }
    let lines = lines(&page.sample.page, &page.marks);
    let _ = writeln!(
        out,
        "<div class=\"sheet\">\n{}</div></details>",
        written(&lines, room)
    );
}

/// Lines as HTML, of about `room` bytes at the most.
pub(super) fn written(lines: &[Line], room: usize) -> String {
    let mut out = String::new();
    let mut last = Mark::Rest;
    for block in blocks(lines) {
        let written = write(block, &mut last);
        if out.len() + written.len() > room {
            out.push_str(
                "<p class=\"warn small\">The rest of this page is cut: the report is full.</p>\n",
            );
            break;
        }
        out.push_str(&written);
    }
    out
}

/// Lines that are written together: those of a row, those without any mark.
fn blocks(lines: &[Line]) -> impl Iterator<Item = &[Line]> {
    lines.chunk_by(|a, b| {
        let is_rest = |line: &Line| line.mark() == Some(Mark::Rest);
        match (a.form, b.form) {
            _ if is_rest(a) != is_rest(b) => false,
            _ if is_rest(a) => true,
            (Form::Cell(a), Form::Cell(b)) => a == b,
            _ => false,
        }
    })
}

fn write(block: &[Line], last: &mut Mark) -> String {
    let mut out = String::new();
    let is_rest = block[0].mark() == Some(Mark::Rest);
    if is_rest && block.len() > FOLDED {
        *last = Mark::Rest;
        let words = block.iter().flat_map(|line| &line.runs);
        let mut beginning = String::new();
        for run in words {
            if beginning.len() > 4 * FOLD_CHARS {
                break;
            }
            beginning.push_str(&run.text);
            beginning.push(' ');
        }
        let _ = writeln!(
            out,
            "<details class=\"rest\"><summary>{} left out: <span dir=\"auto\">{}</span></summary>",
            counted(block.len(), "line", "lines"),
            cut(beginning.trim(), FOLD_CHARS)
        );
        for line in block.iter().take(MAX_FOLDED) {
            write_line(line, last, &mut out);
        }
        if block.len() > MAX_FOLDED {
            let more = block.len() - MAX_FOLDED;
            let _ = writeln!(out, "<p class=\"small\">{more} more.</p>");
        }
        out.push_str("</details>\n");
        return out;
    }
    let is_row = block.len() > 1 && !is_rest;
    out.push_str(if is_row { "<div class=\"row\">" } else { "" });
    for line in block {
        write_line(line, last, &mut out);
    }
    out.push_str(if is_row { "</div>\n" } else { "" });
    out
}

fn write_line(line: &Line, last: &mut Mark, out: &mut String) {
    let form = match line.form {
        Form::Plain | Form::Cell(_) => "",
        Form::Heading(1) => " h1",
        Form::Heading(2) => " h2",
        Form::Heading(_) => " h3",
        Form::Item => " li",
        Form::Quote => " q",
        Form::Caption => " cap",
        Form::Pre => " pre",
    };
    let whole = line.mark();
    let of_line = match whole {
        None | Some(Mark::Rest) => "",
        Some(mark) => class(mark),
    };
    let gap = if of_line.is_empty() { "" } else { " " };
    let _ = write!(out, "<p class=\"l{gap}{of_line}{form}\" dir=\"auto\">");
    for run in &line.runs {
        if run.mark != *last {
            tag(run.mark, out);
        }
        *last = run.mark;
        match whole {
            Some(_) => write_run(run, out),
            None => {
                let _ = write!(out, "<i class=\"{}\">", class(run.mark));
                write_run(run, out);
                out.push_str("</i>");
            }
        }
    }
    out.push_str("</p>\n");
}

fn write_run(run: &Run, out: &mut String) {
    let _ = match (run.is_picture, &*run.text) {
        (false, text) => write!(out, "{}", esc(text)),
        (true, "") => write!(out, "<span class=\"img\">picture</span> "),
        (true, alt) => write!(out, "<span class=\"img\">picture: {}</span> ", esc(alt)),
    };
}

fn class(mark: Mark) -> &'static str {
    match mark {
        Mark::Rest => "r",
        Mark::Body => "b",
        Mark::Strip(_) => "s",
        Mark::Field(_) => "f",
    }
}

/// What a mark is for, where it begins.
fn tag(mark: Mark, out: &mut String) {
    let _ = match mark {
        Mark::Rest | Mark::Body => Ok(()),
        Mark::Strip(rule) => write!(out, "<span class=\"tag\">strip {}</span>", rule + 1),
        Mark::Field(field) => write!(out, "<span class=\"tag\">{field}</span>"),
    };
}
