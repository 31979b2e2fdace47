//! The text of a filtered page.

use super::tree::FilteredTree;
use forest_html::page::plain::breaks_line;
use forest_html::page::{Kind, NodeId, tags};
use forest_html::text::fold;

/// The text, a line a block, then a line for each link that was taken away.
pub(super) fn text(tree: &FilteredTree<'_>) -> String {
    let mut writer = TextLines::default();
    let page = tree.page;
    let mut blocks: Vec<NodeId> = Vec::new();
    let mut at = page.root();
    let end = page.end(at);
    while at < end {
        let n = at;
        while blocks.pop_if(|block| page.end(*block) <= n).is_some() {
            writer.end_line();
        }
        at = NodeId(n.0 + 1);
        // It stands between words like a word, removed or not.
        let parts = tags::REPLACED | tags::FIELD;
        if page
            .name(n)
            .is_some_and(|name| tags::has(&name.local, parts))
        {
            writer.line.push(' ');
        }
        if !tree.kept.contains(n) {
            at = page.end(n);
            continue;
        }
        if let Some(text) = tree.replacement(n) {
            writer.line.push_str(text);
            writer.line.push(' ');
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
    for link in &tree.links {
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
