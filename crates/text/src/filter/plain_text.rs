//! The text of a filtered page.

use super::tree::FilteredTree;
use forest_html::page::{Kind, tags};
use forest_html::text::fold;

/// The text, a line a block, then a line for each link that was taken away.
pub(super) fn text(tree: &FilteredTree<'_>) -> String {
    let mut writer = TextLines::default();
    let page = tree.page;
    let root = page.root();
    let mut nodes = page.walk_nested(root, page.end(root));
    while let Some(n) = nodes.next(|()| writer.end_line()) {
        // It stands between words like a word, removed or not.
        let parts = tags::REPLACED | tags::FIELD;
        if page
            .name(n)
            .is_some_and(|name| tags::has(&name.local, parts))
        {
            writer.line.push(' ');
        }
        if !tree.kept.contains(n) {
            nodes.pass_over(n);
            continue;
        }
        if let Some(text) = tree.replacement(n) {
            writer.line.push_str(text);
            writer.line.push(' ');
            nodes.pass_over(n);
            continue;
        }
        match page.kind(n) {
            Kind::Element if !page.is_content(n) => nodes.pass_over(n),
            Kind::Text if page.is_content(n) => writer.line.push_str(page.text(n)),
            Kind::Element if page.breaks_line(n) => {
                writer.end_line();
                nodes.open(n, ());
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
