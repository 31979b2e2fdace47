//! Pieces that are kept whole: programs, data tables and lists in the middle of an
//! article, of whose short blocks the model is unsure.

use forest_html::page::{NodeId, Page};
use html5ever::local_name;
use std::ops::Range;

/// The blocks of each outermost piece of a page whose blocks have these spans. A list or a
/// table that `is_links` is no piece.
pub(super) fn pieces(
    page: &Page,
    spans: &[(NodeId, NodeId)],
    is_links: impl Fn(&Range<usize>) -> bool,
) -> Vec<Range<usize>> {
    let mut pieces = Vec::new();
    let mut end = NodeId(0);
    for &n in page.content_elements() {
        let Some(tag) = page.tag(n).filter(|_| n >= end) else {
            continue;
        };
        let is_program = *tag == local_name!("pre");
        let is_list = matches!(
            *tag,
            local_name!("ul") | local_name!("ol") | local_name!("dl")
        );
        let is_table = *tag == local_name!("table") && is_data(page, n);
        if !is_program && !is_list && !is_table {
            continue;
        }
        let first = spans.partition_point(|span| span.0 < n);
        let behind = first + spans[first..].partition_point(|span| span.1 < page.end(n));
        let piece = first..behind;
        if !piece.is_empty() && (is_program || !is_links(&piece)) {
            pieces.push(piece);
            end = page.end(n);
        }
    }
    pieces
}

/// True for a table that holds no other table and no form, and has two rows with text in two
/// cells or more.
fn is_data(page: &Page, table: NodeId) -> bool {
    let (mut rows, mut filled) = (0, 0);
    for n in page.subtree(table).skip(1) {
        match page.tag(n) {
            Some(&local_name!("table") | &local_name!("form")) => return false,
            Some(&local_name!("tr")) => filled = 0,
            Some(&local_name!("td") | &local_name!("th")) if !page.text(n).trim().is_empty() => {
                filled += 1;
                rows += usize::from(filled == 2);
            }
            _ => {}
        }
    }
    rows > 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::onepage::{BlockModel, BlockScores, ScoredBlock};

    /// The blocks whose probability is raised, by their text, where all others are
    /// those of the article and these are not.
    fn check(html: &str, expected: &[&str]) {
        let page = Page::from_html(html);
        let mut scores = BlockScores::of(&page, BlockModel::shipped());
        let text = |block: &ScoredBlock| page.text(block.span.0).trim().to_owned();
        for block in &mut scores.blocks {
            block.probability = f32::from(u8::from(!text(block).starts_with('-')));
        }
        let raised = scores.raised(&page);
        let raised = scores.blocks.iter().zip(raised);
        let found: Vec<String> = raised
            .filter(|(block, raised)| *raised > block.probability)
            .map(|(block, _)| text(block))
            .collect();
        assert_eq!(found, expected, "{html}");
    }

    #[test]
    fn programs_data_and_lists_between_kept_blocks_are_kept() {
        check("<p>a<pre>-b</pre><p>c", &["-b"]);
        check(
            "<p>a<table><tr><td>-b<td>-c<tr><td>-d<td>-e</table><p>f",
            &["-b", "-c", "-d", "-e"],
        );
        check("<p>a<ul><li>-b<li>-c</ul><p>d", &["-b", "-c"]);
    }

    #[test]
    fn others_are_not() {
        check("<p>a<pre>-b</pre><p>-c", &[]);
        check("<p>a<table><tr><td>-b<td>-c</table><p>f", &[]);
        check(
            "<p>a<ul><li><a href=/>-b</a><li><a href=/>-c</a></ul><p>d",
            &[],
        );
    }
}
