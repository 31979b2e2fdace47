//! The text of an HTML fragment, such as a feed's description.

use super::{Kind, NodeId, Page};
use crate::text::fold;

/// The text of a piece of HTML: tags gone, entities decoded, white space folded,
/// a line a block. Never longer than its input plus a line break a tag.
///
/// ```
/// use forest_html::page::plain::text_of_html;
///
/// assert_eq!(text_of_html("<p>A &amp; b<br>c</p>\n<p>d</p>"), "A & b\nc\nd");
/// ```
pub fn text_of_html(html: &str) -> String {
    if !html.contains(['<', '&']) {
        return fold(html);
    }
    let page = Page::from_html(html);
    let mut out = String::with_capacity(html.len().min(1 << 16));
    push_text(&page, page.root(), &|_| false, &mut out);
    out
}

/// The content text of a subtree without the elements that are `left_out`, white space
/// folded, blocks parted by a space.
pub fn text_without(page: &Page, top: NodeId, left_out: &dyn Fn(NodeId) -> bool) -> String {
    let mut out = String::new();
    push_text(page, top, left_out, &mut out);
    out.replace('\n', " ")
}

fn push_text(page: &Page, top: NodeId, left_out: &dyn Fn(NodeId) -> bool, out: &mut String) {
    let mut line = String::new();
    let flush = |line: &mut String, out: &mut String| {
        let folded = fold(line);
        line.clear();
        if !folded.is_empty() {
            if !out.is_empty() {
                out.push('\n');
            }
            out.push_str(&folded);
        }
    };
    let mut nodes = page.walk_nested(top, page.end(top));
    while let Some(n) = nodes.next(|()| flush(&mut line, out)) {
        match page.kind(n) {
            _ if left_out(n) => nodes.pass_over(n),
            Kind::Text if page.is_content(n) => line.push_str(page.text(n)),
            Kind::Element if page.breaks_line(n) => {
                flush(&mut line, out);
                nodes.open(n, ());
            }
            _ => {}
        }
    }
    flush(&mut line, out);
}

/// True if two texts, one behind the other, are shown apart and would run together where they are
/// written: between them an element ends and another begins, neither text has white space there nor
/// is a letter alone, and the second begins as a name or a number does.
pub fn run_together(page: &Page, last: NodeId, n: NodeId) -> bool {
    let (before, behind) = (page.text(last), page.text(n));
    let ends = page
        .parent(last)
        .is_some_and(|parent| page.end(parent) <= n);
    let begins = page.parent(n).is_some_and(|parent| parent > last);
    ends && begins
        && before.chars().nth(1).is_some()
        && before.ends_with(char::is_alphanumeric)
        && behind.starts_with(|c: char| c.is_uppercase() || c.is_numeric())
}

/// Appends `text` with the characters that XML and HTML reserve escaped.
pub fn escape(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
}

/// Characters of a text, each run of white space as one.
#[inline]
pub fn folded_chars(text: &str) -> usize {
    let mut after_space = false;
    text.chars()
        .filter(|c| {
            let space = c.is_whitespace();
            let counts = !(space && after_space);
            after_space = space;
            counts
        })
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(html: &str, expected: &str) {
        assert_eq!(text_of_html(html), expected);
    }

    #[test]
    fn inline_markup_does_not_break_lines() {
        check("a<b>b</b> c<i>d</i>", "ab cd");
    }

    #[test]
    fn blocks_and_breaks_do() {
        check("<div>a<div>b</div>c</div>d<br>e", "a\nb\nc\nd\ne");
    }

    #[test]
    fn text_without_markup_is_folded_only() {
        check("  a\n\t b ", "a b");
    }

    #[test]
    fn scripts_are_no_text() {
        check("a<script>x</script><style>y</style>b", "ab");
    }
}
