//! The text of an element as one run.

use super::TextOptions;
use crate::extract::is_unread;
use crate::page::plain::breaks_line;
use crate::page::{Kind, Mask, NodeId, Page};
use html5ever::local_name;

/// Adds the text of an element's kept nodes: white space folded to single spaces,
/// a `\n` where a `br` or a block parts it, no `\n` or space at its ends. What the
/// page's apparatus says (form controls, selected options among them) is left out.
pub fn run(page: &Page, top: NodeId, body: &Mask, options: &TextOptions, out: &mut String) {
    let start = out.len();
    let mut gap = None;
    // Blocks and abbreviations that are open, innermost last.
    let mut open: Vec<NodeId> = Vec::new();
    let mut at = top.0;
    while at <= page.end(top).0 {
        let n = NodeId(at);
        at += 1;
        while let Some(&ended) = open.last() {
            if page.end(ended) > n {
                break;
            }
            open.pop();
            match title(page, ended, options) {
                Some(title) => {
                    if out.len() > start {
                        out.push_str(" (");
                        fold_into(title, out);
                        out.push(')');
                    }
                }
                None => gap = Some('\n'),
            }
        }
        if n == page.end(top) {
            break;
        }
        match page.kind(n) {
            Kind::Text if body.contains(n) && page.is_content(n) => {
                let text = page.text(n);
                if text.starts_with(char::is_whitespace) {
                    gap = gap.or(Some(' '));
                }
                for word in text.split_whitespace() {
                    if let Some(gap) = gap.filter(|_| out.len() > start) {
                        out.push(gap);
                    }
                    out.push_str(word);
                    gap = Some(' ');
                }
                if !text.ends_with(char::is_whitespace) && !text.is_empty() {
                    gap = None;
                }
            }
            Kind::Element if !page.is_content(n) || is_unread(page, n) => at = page.end(n).0,
            Kind::Element if n != top => {
                if page.tag(n).is_some_and(breaks_line) {
                    gap = Some('\n');
                    open.push(n);
                } else if title(page, n, options).is_some() {
                    open.push(n);
                }
            }
            _ => {}
        }
    }
}

/// The title of an abbreviation that is to be written.
fn title<'p>(page: &'p Page, n: NodeId, options: &TextOptions) -> Option<&'p str> {
    let tag = page.tag(n)?;
    if !options.expand_abbreviations
        || !matches!(*tag, local_name!("abbr") | local_name!("acronym"))
    {
        return None;
    }
    page.attr(n, "title")
        .map(str::trim)
        .filter(|t| !t.is_empty())
}

fn fold_into(text: &str, out: &mut String) {
    for (i, word) in text.split_whitespace().enumerate() {
        if i > 0 {
            out.push(' ');
        }
        out.push_str(word);
    }
}
