//! The text of a filtered page.

use super::filtered::Filtered;
use crate::page::plain::breaks_line;
use crate::page::{Kind, NodeId};
use crate::text::fold;

/// The text, a line a block, then a line for each link that was taken away.
pub(super) fn text(filtered: &Filtered<'_>) -> String {
    let mut writer = TextLines::default();
    let page = filtered.page();
    let mut blocks: Vec<NodeId> = Vec::new();
    let mut at = page.root();
    let end = page.end(at);
    while at < end {
        let n = at;
        while blocks.pop_if(|block| page.end(*block) <= n).is_some() {
            writer.end_line();
        }
        at = NodeId(n.0 + 1);
        if !filtered.kept().contains(n) {
            at = page.end(n);
            continue;
        }
        let edit = filtered.edits().get(&n);
        if let Some(text) = edit.and_then(|edit| edit.text.as_deref()) {
            writer.line.push_str(text);
            at = page.end(n);
            continue;
        }
        match page.kind(n) {
            Kind::Element if !page.is_content(n) => at = page.end(n),
            Kind::Text if page.is_content(n) => writer.line.push_str(page.text(n)),
            Kind::Element if page.tag(n).is_some_and(breaks_line) => {
                writer.end_line();
                blocks.push(n);
            }
            _ => {}
        }
    }
    writer.end_line();
    for link in filtered.removed_links() {
        writer.line.push_str(&link.text);
        writer.end_line();
    }
    writer.out
}

#[derive(Default)]
struct TextLines {
    out: String,
    line: String,
}

impl TextLines {
    fn end_line(&mut self) {
        let folded = fold(&self.line);
        self.line.clear();
        if !folded.is_empty() {
            self.out.push_str(&folded);
            self.out.push('\n');
        }
    }
}
