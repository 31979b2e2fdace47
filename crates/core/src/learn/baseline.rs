//! The paper's baselines that look at one page: SIGFEED and DESCRIPTION.

use super::page::SamplePage;
use crate::signifier::{SampleTerms, Signifiers, TfIdf};
use forest_html::page::{Mask, NodeId, Page};
use html5ever::local_name;
use std::collections::BTreeMap;

/// SIGFEED (FOREST 2 and 4): significant nodes, found by the words of the feed
/// item, are clustered by their lowest `div` ancestor; the `div` with most
/// signifiers is the article, the lower and then the first one on a tie.
///
/// **Departure.** If no `div` holds a significant node, the lowest `td` or the
/// body does: pages of 2005 have no `div`.
pub fn sigfeed(sample: &SamplePage, keywords: usize) -> Mask {
    let page = &sample.page;
    let terms = SampleTerms::of(&[page]);
    let signifiers =
        Signifiers::by_words(&terms, &TfIdf::of(&terms), 0, sample.item_texts(), keywords);
    let mut clusters: BTreeMap<NodeId, usize> = BTreeMap::new();
    for &text in terms.page(0).texts() {
        let held = terms
            .page(0)
            .of(text)
            .iter()
            .filter(|&&term| signifiers.position(term).is_some())
            .count();
        if held > 0
            && let Some(block) = lowest_block(page, text.node)
        {
            *clusters.entry(block).or_default() += held;
        }
    }
    let best = clusters
        .iter()
        .max_by_key(|(n, held)| (**held, page.level(**n), std::cmp::Reverse(**n)));
    match best {
        Some((&block, _)) => Mask::subtrees(page, &[block]),
        None => Mask::none(page),
    }
}

fn lowest_block(page: &Page, n: NodeId) -> Option<NodeId> {
    let up = |tag| page.ancestors(n).find(|&a| page.is(a, &tag));
    up(local_name!("div"))
        .or_else(|| up(local_name!("td")))
        .or_else(|| page.body())
}

/// DESCRIPTION (FOREST 4): title and description of the item, as text.
pub fn description(sample: &SamplePage) -> String {
    sample.item_texts().collect::<Vec<_>>().join("\n")
}
