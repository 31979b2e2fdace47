//! Plain text as a page, so that the rules of prose apply to it.

use crate::prose::segment::{is_colon, is_ended};
use forest_html::page::Page;
use forest_html::page::plain::escape;
use forest_html::text::begins_item;

/// Lines with a bullet in a list, at the least. A single one may be a dash before
/// speech or a year at the beginning of a sentence.
const MIN_ITEMS: usize = 2;

/// A page of plain text. A paragraph ends at a blank line, at a page break, and at a line
/// that ends a sentence or ends in a colon. Other line breaks are a `br`, so that prose
/// read again is the same. Lines that begin with bullets or numbers are a list; indented
/// lines continue its items.
///
/// ```
/// use forest_text::prose::input::plain::page;
/// use forest_text::prose::xhtml::fragment;
///
/// let page = page("Buy:\n- bread\n- milk,\n  fresh\n\nA line\nand more.");
/// assert_eq!(
///     fragment(&page).text,
///     "<p>Buy:</p><ul><li>- bread</li><li>- milk, fresh</li></ul><p>A line<br />and more.</p>"
/// );
/// ```
pub fn page(text: &str) -> Page {
    let mut html = String::with_capacity(text.len() + text.len() / 8);
    let mut paragraph: Vec<&str> = Vec::new();
    for line in text.split(['\n', '\u{2028}']) {
        for (i, line) in line.split(['\x0C', '\u{2029}']).enumerate() {
            if i > 0 || line.trim().is_empty() {
                write_lines(&paragraph, &mut html);
                paragraph.clear();
            }
            if !line.trim().is_empty() {
                paragraph.push(line.trim_end());
            }
        }
    }
    write_lines(&paragraph, &mut html);
    Page::from_html(&html)
}

/// Writes the lines of a paragraph; lists among them become lists.
fn write_lines(lines: &[&str], html: &mut String) {
    let (mut start, mut at) = (0, 0);
    while at < lines.len() {
        let end = list_end(lines, at);
        if end == at {
            at += 1;
            continue;
        }
        write_paragraph(&lines[start..at], html);
        html.push_str("<ul>");
        for line in &lines[at..end] {
            html.push_str(if begins_item(line) { "<li>" } else { " " });
            escape(line.trim(), html);
        }
        html.push_str("</ul>");
        (start, at) = (end, end);
    }
    write_paragraph(&lines[start..], html);
}

fn write_paragraph(lines: &[&str], html: &mut String) {
    if lines.is_empty() {
        return;
    }
    html.push_str("<p>");
    for (i, line) in lines.iter().enumerate() {
        if i > 0 {
            html.push_str(if ends(lines[i - 1]) {
                "</p><p>"
            } else {
                "<br>"
            });
        }
        escape(line.trim(), html);
    }
    html.push_str("</p>");
}

/// Returns true if the next line begins a block of its own.
fn ends(line: &str) -> bool {
    is_ended(line) || line.trim_end().ends_with(is_colon)
}

/// One past the last line of the list that begins at line `at`; `at` if no list begins.
fn list_end(lines: &[&str], at: usize) -> usize {
    if !begins_item(lines[at]) || (at > 0 && begins_item(lines[at - 1])) {
        return at;
    }
    let mut items = 0;
    let indented = |line: &&str| line.starts_with([' ', '\t']) && indent(line) > indent(lines[at]);
    let rest = lines[at..].iter();
    let length = rest
        .take_while(|line| {
            let begins = begins_item(line);
            items += usize::from(begins);
            begins || indented(line)
        })
        .count();
    if items < MIN_ITEMS { at } else { at + length }
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prose::xhtml::fragment;

    fn check(text: &str, expected: &str) {
        assert_eq!(fragment(&page(text)).text, expected, "{text:?}");
    }

    #[test]
    fn paragraphs_end_at_blank_lines_and_page_breaks() {
        check(
            "a\r\n\r\nb\x0Cc\n\t\nd\n",
            "<p>a</p><p>b</p><p>c</p><p>d</p>",
        );
        check("", "");
    }

    #[test]
    fn a_line_that_ends_a_sentence_ends_a_paragraph() {
        check(
            "It rained\nall day.\nIt snowed.\nAgain:\nIt",
            "<p>It rained<br />all day.</p><p>It snowed.</p><p>Again:</p><p>It</p>",
        );
    }

    #[test]
    fn lists_need_two_items() {
        check("- a", "<p>- a</p>");
        check("1. a\n2. b", "<ul><li>1. a</li><li>2. b</li></ul>");
        check(
            "(a) x\n(b) y\nz",
            "<ul><li>(a) x</li><li>(b) y</li></ul><p>z</p>",
        );
        check("1984 was\n1985 is", "<p>1984 was<br />1985 is</p>");
        check("- a\nb\n- c", "<p>- a<br />b<br />- c</p>");
    }

    #[test]
    fn a_long_text_of_broken_lists_is_linear() {
        let page = page(&"- a\n".repeat(200_000));
        assert_eq!(page.children(page.body().expect("body")).count(), 1);
        self::page(&"- a\nb\n".repeat(200_000));
    }
}
