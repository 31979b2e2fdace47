//! The pages of the sample with their text marked.

use super::context::{Context, MAX_SHEETS, ReportPage};
use super::lines::{LineForm, MarkedText, SheetLine, lines};
use super::marks::NodeMark;
use super::markup::cut;
use forest_html::error::counted;
use maud::{Markup, PreEscaped, html};

/// Lines without a mark that stand together before they are folded.
const FOLDED: usize = 3;

/// Lines of a fold that are shown.
const MAX_FOLDED: usize = 60;

/// Characters of a fold's beginning that stand on it.
const FOLD_CHARS: usize = 70;

/// The section, in `room` bytes.
pub(super) fn section(context: &Context<'_>, room: usize) -> Markup {
    let legend = [
        ("b", "article"),
        ("s", "taken away by a strip rule"),
        ("f", "a field is read here"),
        ("r", "left out"),
    ];
    let open = opened(context);
    let shown = context.pages.len().min(MAX_SHEETS);
    let mut sheets = String::new();
    for (i, page) in context.pages.iter().take(shown).enumerate() {
        let room = room.saturating_sub(sheets.len()) / (shown - i);
        sheets.push_str(&sheet(context, page, room, open == Some(page.number)).0);
    }
    html! {
        section id="pages" {
            h2 { "Pages, marked" }
            p.soft {
                "The text of each page, a line a block. Pictures are named only, form controls are \
                 left out."
            }
            ul.legend aria-label="Legend" {
                @for (class, meaning) in legend { li { i class=(class) { (meaning) } } }
            }
            (PreEscaped(sheets))
            @if context.pages.len() > shown {
                p.soft {
                    (counted(context.pages.len() - shown, "page", "pages"))
                    " more left out of this report."
                }
            }
        }
    }
}

/// The number of the page that shows most: the first on which most strip rules
/// take something.
fn opened(context: &Context<'_>) -> Option<usize> {
    let rules = |page: &ReportPage<'_>| {
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
        .take(MAX_SHEETS)
        .filter_map(of_page)
        .max();
    best.map(|(_, number)| number.0)
}

fn sheet(context: &Context<'_>, page: &ReportPage<'_>, room: usize, open: bool) -> Markup {
    let title = page.article.title.as_deref().unwrap_or(&page.sample.name);
    let several = context.learned.wrapper.templates.len() > 1;
    let lines = lines(page.page(), &page.marks);
    html! {
        details.page id={ "p" (page.number) } open[open] {
            summary { "Page " (page.number) ": " span dir="auto" { (cut(title, 160)) } }
            @match &page.trace {
                None => p.warn { "No template selects text on this page." },
                Some(trace) if several => {
                    p.small.soft { "Template " (trace.found.template + 1) }
                }
                Some(_) => {},
            }
            div.sheet { (written(&lines, room)) }
        }
    }
}

/// Lines as HTML, of about `room` bytes at the most.
pub(super) fn written(lines: &[SheetLine], room: usize) -> Markup {
    let mut out = String::new();
    let mut last = NodeMark::Rest;
    for block in blocks(lines) {
        let Markup { 0: block } = write_block(block, &mut last);
        if out.len() + block.len() > room {
            let cut = html! {
                p.warn.small { "The rest of this page is cut: the report is full." }
            };
            out.push_str(&cut.0);
            break;
        }
        out.push_str(&block);
    }
    PreEscaped(out)
}

/// Lines that are written together: those of a row, those without any mark.
fn blocks(lines: &[SheetLine]) -> impl Iterator<Item = &[SheetLine]> {
    lines.chunk_by(|a, b| {
        let is_rest = |line: &SheetLine| line.mark() == Some(NodeMark::Rest);
        match (a.form, b.form) {
            _ if is_rest(a) != is_rest(b) => false,
            _ if is_rest(a) => true,
            (LineForm::Cell(a), LineForm::Cell(b)) => a == b,
            _ => false,
        }
    })
}

fn write_block(block: &[SheetLine], last: &mut NodeMark) -> Markup {
    let is_rest = block[0].mark() == Some(NodeMark::Rest);
    if is_rest && block.len() > FOLDED {
        return fold_lines(block, last);
    }
    let lines = html! { @for line in block { (write_line(line, last)) } };
    if block.len() > 1 && !is_rest {
        html! { div.row { (lines) } }
    } else {
        lines
    }
}

/// Lines without a mark, folded under their beginning.
fn fold_lines(lines: &[SheetLine], last: &mut NodeMark) -> Markup {
    *last = NodeMark::Rest;
    let mut beginning = String::new();
    for run in lines.iter().flat_map(|line| &line.runs) {
        if beginning.len() > 4 * FOLD_CHARS {
            break;
        }
        beginning.push_str(&run.text);
        beginning.push(' ');
    }
    html! {
        details.rest {
            summary {
                (counted(lines.len(), "line", "lines")) " left out: "
                span dir="auto" { (cut(beginning.trim(), FOLD_CHARS)) }
            }
            @for line in lines.iter().take(MAX_FOLDED) { (write_line(line, last)) }
            @if lines.len() > MAX_FOLDED { p.small { (lines.len() - MAX_FOLDED) " more." } }
        }
    }
}

fn write_line(line: &SheetLine, last: &mut NodeMark) -> Markup {
    let form = match line.form {
        LineForm::Plain | LineForm::Cell(_) => "",
        LineForm::Heading(1) => " h1",
        LineForm::Heading(2) => " h2",
        LineForm::Heading(_) => " h3",
        LineForm::Item => " li",
        LineForm::Quote => " q",
        LineForm::Caption => " cap",
        LineForm::Pre => " pre",
    };
    let whole = line.mark();
    let of_line = match whole {
        None | Some(NodeMark::Rest) => String::new(),
        Some(mark) => format!(" {}", class(mark)),
    };
    html! {
        p class={ "l" (of_line) (form) } dir="auto" {
            @for run in &line.runs {
                @if run.mark != std::mem::replace(last, run.mark) { (tag(run.mark)) }
                @if whole.is_some() {
                    (write_run(run))
                } @else {
                    i class=(class(run.mark)) { (write_run(run)) }
                }
            }
        }
    }
}

fn write_run(run: &MarkedText) -> Markup {
    html! {
        @match (run.is_picture, &*run.text) {
            (false, text) => (text),
            (true, "") => { span.img { "picture" } " " }
            (true, alt) => { span.img { "picture: " (alt) } " " }
        }
    }
}

fn class(mark: NodeMark) -> &'static str {
    match mark {
        NodeMark::Rest => "r",
        NodeMark::Body => "b",
        NodeMark::Strip(_) => "s",
        NodeMark::Field(_) => "f",
    }
}

/// The name of a mark, where it begins.
fn tag(mark: NodeMark) -> Markup {
    html! {
        @match mark {
            NodeMark::Rest | NodeMark::Body => {},
            NodeMark::Strip(rule) => span.tag { "strip " (rule + 1) },
            NodeMark::Field(field) => span.tag { (field.to_string()) },
        }
    }
}
