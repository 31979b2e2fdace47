//! Boxes below the text of most pages that some pages have alike: about one of a few authors, with
//! articles of the same subject. A text that only two pages have may be theirs; in such a box it is
//! the site's.

use super::limits::LIKELY;
use crate::learn::SamplePage;
use crate::onepage::{BlockScores, RaisedScores, ScoredBlock};
use foldhash::{HashMap, HashSet};
use forest_html::page::Page;
use html5ever::local_name;
use std::borrow::Cow;
use std::ops::Range;

/// Share of the pages on which such a box stands.
const MOST: f32 = 0.7;

/// The name of a box: its class or id.
type BoxName<'p> = &'p str;

/// The blocks of each page that stand in such boxes; `is_shared` is true for a text that other
/// pages have.
pub(super) fn boxes<'a>(
    scored: &[(&'a SamplePage, Cow<'_, BlockScores>)],
    raised: &[RaisedScores],
    is_shared: impl Fn(&ScoredBlock) -> bool,
) -> Vec<HashSet<usize>> {
    let found: Vec<Vec<(BoxName<'a>, Range<usize>)>> = scored
        .iter()
        .zip(raised)
        .map(|((sample, scores), raised)| of_page(&sample.page, scores, raised, &is_shared))
        .collect();
    let mut pages: HashMap<BoxName<'a>, usize> = HashMap::default();
    for boxes in &found {
        let names: HashSet<BoxName<'a>> = boxes.iter().map(|(name, _)| *name).collect();
        for name in names {
            *pages.entry(name).or_default() += 1;
        }
    }
    let is_on_most = |name: BoxName<'a>| pages[name] as f32 >= MOST * found.len() as f32;
    let blocks = |boxes: &Vec<(BoxName<'a>, Range<usize>)>| {
        let boxes = boxes.iter().filter(|(name, _)| is_on_most(name));
        boxes.flat_map(|(_, blocks)| blocks.clone()).collect()
    };
    found.iter().map(blocks).collect()
}

/// The named boxes below the last likely text of a page's own, of which all text is shared.
fn of_page<'p>(
    page: &'p Page,
    scores: &BlockScores,
    raised: &RaisedScores,
    is_shared: &impl Fn(&ScoredBlock) -> bool,
) -> Vec<(BoxName<'p>, Range<usize>)> {
    let is_own = |&at: &usize| raised.probabilities[at] >= LIKELY && !is_shared(&scores.blocks[at]);
    let Some(text_end) = (0..scores.blocks.len()).rev().find(is_own) else {
        return Vec::new();
    };
    let below = scores.containers.iter();
    let below = below.filter(|container| container.blocks.start > text_end);
    let boxes = below.filter_map(|container| {
        let tag = page.tag(container.element)?;
        let is_box = matches!(
            *tag,
            local_name!("div")
                | local_name!("section")
                | local_name!("aside")
                | local_name!("footer")
        );
        let name = ["class", "id"]
            .into_iter()
            .find_map(|name| page.attr(container.element, name))?;
        let is_whole = || {
            scores.blocks[container.blocks.clone()]
                .iter()
                .all(is_shared)
        };
        (is_box && is_whole()).then(|| (name, container.blocks.clone()))
    });
    boxes.collect()
}
