//! Pieces that are kept by their kind: programs, data tables and lists in the middle of an
//! article, of whose short blocks the model is unsure.

use super::scores::{KEEP, ScoredBlock};
use crate::page::{NodeId, Page};
use html5ever::local_name;
use std::ops::Range;

/// The probability that a block of such a piece has at the least.
const OF_KIND: f32 = 0.6;

/// The probabilities of a page's blocks, raised in each piece between two blocks that are
/// kept.
pub(super) fn raised(page: &Page, blocks: &[ScoredBlock]) -> Vec<f32> {
    let mut probabilities: Vec<f32> = blocks.iter().map(|block| block.probability).collect();
    let is_kept = |block: Option<&ScoredBlock>| block.is_some_and(|b| b.probability > KEEP);
    for piece in pieces(page, blocks) {
        let before = piece.start.checked_sub(1).map(|at| &blocks[at]);
        if is_kept(before) && is_kept(blocks.get(piece.end)) {
            for probability in &mut probabilities[piece] {
                *probability = probability.max(OF_KIND);
            }
        }
    }
    probabilities
}

/// The blocks of each outermost piece.
fn pieces(page: &Page, blocks: &[ScoredBlock]) -> Vec<Range<usize>> {
    let linked: Vec<[f32; 2]> = std::iter::once([0.0; 2])
        .chain(blocks.iter().scan([0.0; 2], |sum, block| {
            *sum = [sum[0] + block.words, sum[1] + block.linked];
            Some(*sum)
        }))
        .collect();
    let is_links = |range: &Range<usize>| {
        let [words, links] = [0, 1].map(|i| linked[range.end][i] - linked[range.start][i]);
        2.0 * links >= words
    };
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
        let first = blocks.partition_point(|block| block.span.0 < n);
        let behind = first + blocks[first..].partition_point(|block| block.span.1 < page.end(n));
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
    use crate::onepage::{BlockModel, BlockScores};

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
