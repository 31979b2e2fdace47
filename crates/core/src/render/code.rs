//! Programs in a text: the language of a listing, and listings that are tables.

use forest_html::page::{Kind, Mask, NodeId, Page};
use html5ever::local_name;
use std::collections::HashSet;

/// Elements around a `pre` whose class may name its language.
const AROUND: usize = 3;

/// Columns of a listing that is a table: its line numbers, a mark, the program.
const MAX_COLUMNS: usize = 3;

/// The language of a `pre` or a `code`: by the class `language-x`, `lang-x` or
/// `highlight-source-x` of itself, of the `code` in it or of an element around it.
pub(super) fn language(page: &Page, n: NodeId) -> Option<&str> {
    let code = page.children(n).find(|&n| page.is(n, &local_name!("code")));
    let around = page.ancestors(n).take(AROUND + 1);
    let mut named = code.into_iter().chain(around);
    named.find_map(|n| named_language(page, n))
}

/// The language that a `pre` or a `code` is to be written with: that of a listing stands at
/// the `code` in it, where there is one.
pub(super) fn own_language(page: &Page, n: NodeId) -> Option<&str> {
    let is_pre = |n: NodeId| page.is(n, &local_name!("pre"));
    if is_pre(n) {
        let has_code = page.children(n).any(|n| page.is(n, &local_name!("code")));
        return language(page, n).filter(|_| !has_code);
    }
    match page.parent(n).filter(|&up| is_pre(up)) {
        Some(pre) => language(page, pre),
        None => named_language(page, n),
    }
}

/// The language that the classes of an element name. A `figure` of the classes `highlight` and
/// a second one is a listing in that language.
fn named_language(page: &Page, n: NodeId) -> Option<&str> {
    let classes = page.attr(n, "class")?;
    if page.is(n, &local_name!("figure"))
        && let Some(name) = classes.strip_prefix("highlight ")
    {
        return Some(name.trim()).filter(|name| is_language(name));
    }
    classes.split_ascii_whitespace().find_map(|class| {
        let starts = ["language-", "lang-", "highlight-source-"];
        let name = starts
            .into_iter()
            .find_map(|start| class.strip_prefix(start));
        name.filter(|name| is_language(name))
    })
}

/// True for a name that a class may carry as a language.
pub(super) fn is_language(name: &str) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'+' | b'#' | b'_');
    (1..=32).contains(&name.len()) && name.bytes().all(plain)
}

/// A listing that is made as a table, with the line numbers in cells of their own.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Listing {
    /// The cells of the program: one, or one a line.
    pub code: Vec<NodeId>,
    /// The cells of line numbers.
    pub numbers: HashSet<NodeId>,
}

impl Listing {
    /// The listing of a `table`; `None` for other tables. Each row has the same number of
    /// cells, two or three; the last holds the program and all others hold numbers that
    /// count up, a line each, or nothing. The program is in a `pre` or `code`, or an
    /// element of the table or around it has a class of highlighters.
    pub fn of(page: &Page, table: NodeId) -> Option<Listing> {
        let mut rows: Vec<Vec<NodeId>> = Vec::new();
        let mut is_code = page
            .ancestors(table)
            .take(AROUND)
            .any(|n| is_highlighted(page, n));
        let mut end = table;
        for n in page.subtree(table).skip(1) {
            let Some(tag) = page.tag(n) else { continue };
            match *tag {
                local_name!("tr") => rows.push(Vec::new()),
                local_name!("td") | local_name!("th") => {
                    if n < end {
                        return None;
                    }
                    let row = rows.last_mut()?;
                    row.push(n);
                    end = page.end(n);
                    if row.len() > MAX_COLUMNS {
                        return None;
                    }
                    is_code |= is_highlighted(page, n);
                }
                local_name!("pre") | local_name!("code") => is_code = true,
                local_name!("table") | local_name!("img") => return None,
                _ => {}
            }
        }
        let columns = rows.first()?.len();
        if !is_code || columns < 2 || rows.iter().any(|row| row.len() != columns) {
            return None;
        }
        let mut counter = LineCounter::default();
        let mut listing = Listing {
            code: Vec::with_capacity(rows.len()),
            numbers: HashSet::new(),
        };
        for row in &rows {
            let (&code, numbers) = row.split_last()?;
            listing.code.push(code);
            for &cell in numbers {
                if !counter.counts(page, cell) {
                    return None;
                }
                listing.numbers.insert(cell);
            }
        }
        let lines = listing.code.iter().map(|&n| page.text(n).trim());
        let has_code = lines.clone().any(|line| line.contains(char::is_alphabetic));
        let is_listed = counter.lines > 1 || rows.len() == 1;
        (has_code && is_listed).then_some(listing)
    }
}

/// The cells of line numbers of a `table` that is a listing; `None` for other tables.
pub fn line_numbers(page: &Page, table: NodeId) -> Option<HashSet<NodeId>> {
    Listing::of(page, table).map(|listing| listing.numbers)
}

impl Listing {
    /// The kept text of the program, a line a cell where it has several.
    pub fn text(&self, page: &Page, body: &Mask) -> String {
        let mut text = String::new();
        for &cell in &self.code {
            if !text.is_empty() && !text.ends_with('\n') {
                text.push('\n');
            }
            push_text(page, cell, body, &mut text);
        }
        text
    }
}

/// Adds the kept text of a subtree with its line breaks: those of its text, and those that
/// blocks in it make.
pub(super) fn push_text(page: &Page, top: NodeId, body: &Mask, out: &mut String) {
    let mut nodes = page.walk_nested(NodeId(top.0 + 1), page.end(top));
    let start = out.len();
    // A block has ended, and nothing was written since.
    let mut has_ended = false;
    while let Some(n) = nodes.next(|()| has_ended = true) {
        if page.is(n, &local_name!("br")) {
            out.push('\n');
        } else if page.kind(n) == Kind::Element && page.breaks_line(n) {
            has_ended = true;
            nodes.open(n, ());
        } else if page.kind(n) == Kind::Text && body.contains(n) && page.is_content(n) {
            if std::mem::take(&mut has_ended) && out.len() > start && !out.ends_with('\n') {
                out.push('\n');
            }
            out.push_str(page.text(n));
        }
    }
}

/// Bytes of a label beside a listing at the most.
const MAX_LABEL_BYTES: usize = 40;

/// Nodes around a label that are looked at for its listing.
const MAX_NEAR: usize = 64;

/// True for the labels that a page sets over a listing: its language, a button to copy it,
/// and what the button says then.
pub(super) fn is_label(page: &Page, n: NodeId) -> bool {
    let Some(classes) = page.attr(n, "class") else {
        return false;
    };
    let is_button = page.attr(n, "role") == Some("button");
    let is_label = |class: &str| {
        matches!(class, "lang" | "language" | "code-lang" | "code-language")
            || class.contains("clipboard")
            || class.contains("copied")
            || class.contains("copy")
                && (is_button || class.contains("code") || class.contains("btn"))
    };
    let is_short = |text: &str| !text.is_empty() && text.len() <= MAX_LABEL_BYTES;
    if !is_short(page.text(n).trim()) || !classes.split_ascii_whitespace().any(is_label) {
        return false;
    }
    let behind = (page.end(n).0..page.len() as u32)
        .take(MAX_NEAR)
        .map(NodeId);
    let before = (0..n.0).rev().take(MAX_NEAR).map(NodeId);
    behind
        .chain(before)
        .any(|n| page.is(n, &local_name!("pre")))
}

/// The line numbers of a listing so far.
#[derive(Debug, Default)]
struct LineCounter {
    last: Option<u32>,
    lines: usize,
}

impl LineCounter {
    /// True if a cell holds nothing but the next numbers.
    fn counts(&mut self, page: &Page, cell: NodeId) -> bool {
        // Numbers may stand in elements of their own without a space between.
        let texts = page.subtree(cell).filter(|&n| page.kind(n) == Kind::Text);
        for word in texts.flat_map(|n| page.text(n).split_whitespace()) {
            let Ok(number) = word.trim_end_matches(['.', ':', '|']).parse::<u32>() else {
                return false;
            };
            if self.last.is_some_and(|last| number <= last) {
                return false;
            }
            self.last = Some(number);
            self.lines += 1;
        }
        true
    }
}

/// True if a class says that an element is a highlighter's.
fn is_highlighted(page: &Page, n: NodeId) -> bool {
    const NAMES: [&str; 10] = [
        "highlight",
        "highlighttable",
        "syntaxhighlighter",
        "rouge-table",
        "hljs-ln",
        "lineno",
        "linenos",
        "gutter",
        "blob-num",
        "js-line-number",
    ];
    let classes = page.attr(n, "class").unwrap_or_default();
    classes
        .split_ascii_whitespace()
        .any(|class| NAMES.contains(&class))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listing(html: &str) -> Option<(Vec<String>, usize)> {
        let page = Page::from_html(html);
        let table = page.elements().find(|&n| page.is(n, &local_name!("table")));
        let listing = Listing::of(&page, table.expect("a table"))?;
        let texts = listing.code.iter().map(|&n| page.text(n).to_owned());
        Some((texts.collect(), listing.numbers.len()))
    }

    #[test]
    fn a_table_of_line_numbers_and_code_is_a_listing() {
        let of = |code: &[&str], numbers| {
            Some((code.iter().map(|c| (*c).to_owned()).collect(), numbers))
        };
        assert_eq!(
            listing("<table><tr><td><pre>1\n2</pre><td><pre>let a;\nlet b;</pre></table>"),
            of(&["let a;\nlet b;"], 1)
        );
        assert_eq!(
            listing(
                "<div class=highlight><table><tr><td>1<td>let a;<tr><td>2<td>let b;</table></div>"
            ),
            of(&["let a;", "let b;"], 2)
        );
        assert_eq!(
            listing("<table class=x><tr><td class=blob-num><td>let a;</table>"),
            of(&["let a;"], 1)
        );
    }

    #[test]
    fn data_is_no_listing() {
        for table in [
            "<tr><td>1<td>salt<tr><td>2<td>oil",
            "<tr><td>1<td><code>a</code><tr><td>1<td><code>b</code>",
            "<tr><td>name<td><code>a</code>",
            "<tr><td><pre>a</pre>",
            "<tr><td>1<td>2<td>3<td><code>a</code>",
            "",
        ] {
            assert_eq!(listing(&format!("<table>{table}</table>")), None, "{table}");
        }
    }
}
