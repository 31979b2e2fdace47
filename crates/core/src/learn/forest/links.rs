//! Items of lists that are nothing but a link: to related articles more often than a part of
//! this one. Of paragraphs and headings it is not so: the same for them loses 0.0003.

use crate::onepage::{BlockScores, ScoredBlock};
use forest_html::page::walk::is_link;
use forest_html::page::{Kind, NodeId, Page};
use html5ever::local_name;

/// Words of an item from which on it is more than a name or a number.
const MIN_WORDS: f32 = 3.0;

/// The share of its probability that an item keeps which is one link.
const OF_LINK: f32 = 0.7;

/// Lowers the probabilities of the items that are nothing but a link, but for those that are
/// text for sure.
pub(super) fn lower(
    page: &Page,
    scores: &BlockScores,
    probabilities: &mut [f32],
    is_text: impl Fn(&ScoredBlock) -> bool,
) {
    for (block, probability) in scores.blocks.iter().zip(probabilities) {
        let is_link = block.words >= MIN_WORDS && is_linked(page, block);
        if is_link && is_in_item(page, block) && !is_text(block) {
            *probability *= OF_LINK;
        }
    }
}

fn is_in_item(page: &Page, block: &ScoredBlock) -> bool {
    let mut around = page.ancestors(block.span.0);
    around.any(|up| page.is(up, &local_name!("li")))
}

/// True if all words of a block stand in links.
fn is_linked(page: &Page, block: &ScoredBlock) -> bool {
    let nodes = (block.span.0.0..=block.span.1.0).map(NodeId);
    let texts = nodes.filter(|&n| page.kind(n) == Kind::Text && page.is_content(n));
    let mut words = texts.filter(|&n| page.text(n).contains(char::is_alphanumeric));
    words.all(|n| page.ancestors(n).any(|up| leads_away(page, up)))
}

/// True for a link to somewhere else than this page.
fn leads_away(page: &Page, n: NodeId) -> bool {
    let target = page.attr(n, "href").unwrap_or_default().trim_start();
    is_link(page, n) && !target.is_empty() && !target.starts_with('#')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::onepage::BlockModel;

    #[test]
    fn an_item_that_is_one_link_is_less_likely_than_its_words_alone() {
        let check = |html: &str, expected: bool| {
            let page = Page::from_html(html);
            let scores = BlockScores::of(&page, BlockModel::shipped());
            let mut lowered = vec![1.0];
            lower(&page, &scores, &mut lowered, |_| false);
            assert_eq!(lowered[0] < 1.0, expected, "{html}");
        };
        let link = "<a href=/b>The harbour is closed</a>";
        check(&format!("<li>{link}"), true);
        check(&format!("<li><p>» <b>{link}</b>"), true);
        check(
            &format!("<li>{link} <a href=/c>until spring comes</a>"),
            true,
        );
        check(&format!("<p>{link}"), false);
        check(&format!("<li>Read on: {link}"), false);
        check("<li><a href=#b>The harbour is closed</a>", false);
        check("<li><a name=b>The harbour is closed</a>", false);
        check("<li><a href=/b>The harbour</a>", false);
        check("<li>The harbour is closed", false);
    }

    #[test]
    fn what_the_feed_has_as_text_stays() {
        let page = Page::from_html("<li><a href=/b>The harbour is closed</a>");
        let scores = BlockScores::of(&page, BlockModel::shipped());
        let mut kept = vec![1.0];
        lower(&page, &scores, &mut kept, |_| true);
        assert_eq!(kept, [1.0]);
    }
}
