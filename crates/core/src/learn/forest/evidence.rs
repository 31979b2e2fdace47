//! The evidence of a sample: the block scores of each page, lowered for text that
//! stands on other pages as well.

use super::below;
use super::captions;
use super::elements::{self, CandidateElement};
use super::limits::{ForestLimits, LIKELY};
use super::links;
use super::protected::{self, BlockUse};
use super::selectors::{BySelector, SelectorId, SelectorTable};
use crate::learn::SamplePage;
use crate::onepage::{
    BlockScores, MIN_AGREEMENT, MIN_LIKELY_WORDS, Overlap, RaisedScores, ScoredBlock,
};
use crate::wrapper::Trace;
use foldhash::{HashMap, HashSet};
use forest_html::page::tags;
use forest_html::page::{Kind, NodeId, Page};
use forest_html::text::metric_words;
use std::borrow::Cow;
use std::ops::Range;

/// Pages on which a text stands that is the template's, at the least.
const REPEATED_PAGES: u32 = 2;

/// Share of the sample's pages on which a text stands that can select its element.
const LABEL: f32 = 0.25;

/// The share of its probability that a repeated text keeps.
const OF_REPEATED: f32 = 0.02;

/// The share of a page's own F1 to expect that is left if a template selects nothing.
const UNMATCHED: f32 = 0.9;

/// The pages of a sample.
#[derive(Debug)]
pub struct SampleEvidence<'a> {
    pub(super) pages: Vec<PageEvidence<'a>>,
    /// The selectors of their elements.
    pub(super) selectors: SelectorTable,
    pub(super) limits: ForestLimits,
}

/// A page of the sample.
#[derive(Debug)]
pub(super) struct PageEvidence<'a> {
    pub page: &'a Page,
    /// Its index in the sample.
    pub index: usize,
    pub blocks: Vec<BlockEvidence>,
    /// The block scores of the page alone.
    pub scores: Cow<'a, BlockScores>,
    /// The candidate elements in document order; the first is around all others.
    pub elements: Vec<CandidateElement>,
    /// The elements that a selector selects, in document order.
    by_name: BySelector<u32>,
    /// Words of the article that are to be expected.
    pub expected: f32,
    /// The F1 to expect of what is more likely than not.
    pub alone: f32,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct BlockEvidence {
    pub words: f32,
    pub probability: f32,
    /// It is the article's by its kind.
    pub is_protected: bool,
    /// No other page has its text.
    pub is_own: bool,
}

impl BlockEvidence {
    /// Its words.
    pub fn amount(self) -> LikelyWords {
        self.amount_of(self.words)
    }

    /// Some of its words.
    pub fn amount_of(self, words: f32) -> LikelyWords {
        let if_so = |is_so| if is_so { words } else { 0.0 };
        LikelyWords {
            words,
            likely: words * self.probability,
            protected: if_so(self.is_protected),
            own: if_so(self.is_own),
        }
    }
}

/// Words in blocks, and those among them that are likely the article's.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct LikelyWords {
    pub words: f32,
    pub likely: f32,
    /// Those that are the article's by their kind.
    pub protected: f32,
    /// Those in blocks whose text no other page has.
    pub own: f32,
}

impl LikelyWords {
    pub fn add(&mut self, other: LikelyWords) {
        self.words += other.words;
        self.likely += other.likely;
        self.protected += other.protected;
        self.own += other.own;
    }

    /// The share that is likely the article's.
    pub fn share(self) -> f32 {
        if self.words > 0.0 {
            self.likely / self.words
        } else {
            0.0
        }
    }
}

impl<'a> SampleEvidence<'a> {
    /// The evidence of pages with their block scores.
    pub fn of(
        scored: Vec<(&'a SamplePage, Cow<'a, BlockScores>)>,
        limits: ForestLimits,
    ) -> SampleEvidence<'a> {
        let texts = SharedTexts::of(&scored);
        let raised: Vec<RaisedScores> = scored
            .iter()
            .map(|(sample, scores)| scores.raised(&sample.page))
            .collect();
        let below = below::boxes(&scored, &raised, |block| texts.is_shared(block));
        let labels = texts.share(LABEL);
        let mut selectors = SelectorTable::default();
        let each = scored.into_iter().zip(raised).zip(below).enumerate();
        let evidence = each.map(|(index, (((sample, scores), raised), below))| {
            let blocks = texts.blocks_of(sample, &scores, raised, &below, &limits);
            let is_label = |block: usize| texts.pages_of(&scores.blocks[block]) >= labels;
            let elements = elements::of(&sample.page, &scores, is_label, &mut selectors);
            PageEvidence {
                index,
                ..PageEvidence::new(&sample.page, blocks, elements, scores, selectors.len())
            }
        });
        let pages = evidence.collect();
        selectors.mark_running();
        SampleEvidence {
            pages,
            selectors,
            limits,
        }
    }

    /// The least and the highest agreement of a template with the likely blocks of each
    /// page, if on most pages they disagree; of pages with [`MIN_LIKELY_WORDS`].
    pub fn agreement(&self, traces: &[Option<Trace>]) -> Option<[f64; 2]> {
        let traced = self.pages.iter().zip(traces);
        let found = traced.filter_map(|(page, trace)| {
            let overlap = Overlap::from_scores(&page.scores, &trace.as_ref()?.found.kept);
            let counts = overlap.likely_words >= MIN_LIKELY_WORDS as f32;
            Some(counts.then(|| f64::from(overlap.agreement())))
        });
        let found: Vec<Option<f64>> = found.collect();
        let counted = || found.iter().flatten().copied();
        let others = counted().filter(|one| *one < MIN_AGREEMENT).count();
        let round = |share: f64| (share * 1e3).round() / 1e3;
        (2 * others > found.len()).then(|| {
            [
                round(counted().fold(1.0, f64::min)),
                round(counted().fold(0.0, f64::max)),
            ]
        })
    }

    /// The mean F1 to expect of the text that each page shows by its own shape.
    pub fn alone(&self) -> f32 {
        let sum: f32 = self.pages.iter().map(|page| page.alone).sum();
        sum / self.pages.len().max(1) as f32
    }

    /// The words in the blocks of an element; 0 in one that holds no block.
    pub(super) fn words_in(&self, page: usize, element: NodeId) -> LikelyWords {
        let mut words = LikelyWords::default();
        let Some(page) = self.pages.get(page) else {
            return words;
        };
        let found = page.element_at(element).map(|at| &page.elements[at]);
        if let Some(found) = found.filter(|e| e.part.is_none()) {
            let blocks = &page.blocks[found.blocks.clone()];
            blocks.iter().for_each(|block| words.add(block.amount()));
        }
        words
    }
}

/// Lowers the probabilities of blocks that other pages repeat: they are the template's, but
/// for likely prose between likely blocks that are this page's own.
fn lower(probabilities: &mut [f32], repeated: &[bool], is_prose: &[bool]) {
    let is_likely = |at: usize| probabilities[at] >= LIKELY;
    // For each block: is the nearest block of the page's own, before and behind it, likely?
    let nearest = |blocks: &mut dyn Iterator<Item = usize>| {
        let mut out = vec![false; repeated.len()];
        let mut last = false;
        for at in blocks {
            out[at] = last;
            if !repeated[at] {
                last = is_likely(at);
            }
        }
        out
    };
    let before = nearest(&mut (0..repeated.len()));
    let behind = nearest(&mut (0..repeated.len()).rev());
    let is_inside = |at: usize| is_prose[at] && is_likely(at) && before[at] && behind[at];
    let template = (0..repeated.len()).filter(|&at| repeated[at] && !is_inside(at));
    for at in template.collect::<Vec<_>>() {
        probabilities[at] *= OF_REPEATED;
    }
}

/// An element of an article's own flow.
enum FlowElement {
    Heading,
    Text,
}

/// The kind of the innermost element of block level around a block, where it is one of an
/// article's flow, as a `div` may not be.
fn flow_of(page: &Page, block: &ScoredBlock) -> Option<FlowElement> {
    let mut around = page.ancestors(block.span.0).filter_map(|up| page.tag(up));
    match &**around.find(|tag| tags::has(tag, tags::BLOCK))? {
        tag if tags::has(tag, tags::HEADING) => Some(FlowElement::Heading),
        "p" | "li" | "dt" | "dd" => Some(FlowElement::Text),
        _ => None,
    }
}

/// Words of a text from which on it is known by them.
const MIN_ITEM_WORDS: usize = 5;

/// The words of a page's feed item, its title left out: what stands there is the article's,
/// however many pages have it.
struct ItemText(String);

impl ItemText {
    fn of(sample: &SamplePage) -> ItemText {
        let summary = sample.item.as_ref().map_or("", |item| &item.summary);
        ItemText(metric_words(summary))
    }

    /// True if a block stands in the item, or the item in the block.
    fn has(&self, page: &Page, block: &ScoredBlock) -> bool {
        let is_long = |words: &str| words.split(' ').nth(MIN_ITEM_WORDS - 1).is_some();
        if !is_long(&self.0) {
            return false;
        }
        let nodes = (block.span.0.0..=block.span.1.0).map(NodeId);
        let texts = nodes.filter(|&n| page.kind(n) == Kind::Text && page.is_content(n));
        let text: String = texts.map(|n| page.text(n)).collect();
        let words = metric_words(&text);
        is_long(&words) && (self.0.contains(&words) || words.contains(&self.0))
    }
}

/// The texts of a sample: on how many of its pages each stands.
struct SharedTexts {
    /// By hash, with the last page of each.
    counts: HashMap<u64, (u32, usize)>,
    pages: usize,
}

impl SharedTexts {
    fn of(scored: &[(&SamplePage, Cow<'_, BlockScores>)]) -> SharedTexts {
        let mut counts: HashMap<u64, (u32, usize)> = HashMap::default();
        for (i, (_, scores)) in scored.iter().enumerate() {
            for block in scores.blocks.iter().filter(|b| b.words >= 1.0) {
                let (count, last) = counts.entry(block.text_hash).or_insert((0, usize::MAX));
                if *last != i {
                    (*count, *last) = (*count + 1, i);
                }
            }
        }
        SharedTexts {
            counts,
            pages: scored.len(),
        }
    }

    fn pages_of(&self, block: &ScoredBlock) -> u32 {
        let known = self.counts.get(&block.text_hash);
        known.map_or(1, |(pages, _)| *pages)
    }

    /// The pages that are a share of all, two at the least.
    fn share(&self, of: f32) -> u32 {
        ((self.pages as f32 * of).ceil() as u32).max(REPEATED_PAGES)
    }

    /// True for a text that another page has.
    fn is_shared(&self, block: &ScoredBlock) -> bool {
        self.pages_of(block) >= REPEATED_PAGES
    }

    /// The evidence of a page's blocks; `below` are those in boxes below its text.
    fn blocks_of(
        &self,
        sample: &SamplePage,
        scores: &BlockScores,
        raised: RaisedScores,
        below: &HashSet<usize>,
        limits: &ForestLimits,
    ) -> Vec<BlockEvidence> {
        let page: &Page = &sample.page;
        let item = ItemText::of(sample);
        let is_on_others = |at: usize| self.is_shared(&scores.blocks[at]);
        let RaisedScores {
            mut probabilities,
            mut groups,
        } = raised;
        groups.retain(|blocks| protected::is_own(scores, blocks, false, is_on_others));
        let is_items = |block: &ScoredBlock| item.has(page, block);
        captions::lower(page, scores, &mut probabilities, is_items);
        links::lower(page, scores, &mut probabilities, is_items);
        let nearly_all = self.share(limits.nearly_all);
        let is_prose = |block: &ScoredBlock| match flow_of(page, block) {
            Some(FlowElement::Heading) => true,
            Some(FlowElement::Text) => self.pages_of(block) < nearly_all,
            None => false,
        };
        let is_prose: Vec<bool> = scores.blocks.iter().map(is_prose).collect();
        let enough = self.share(limits.repeated);
        let is_template = |(at, block): (usize, &ScoredBlock)| {
            (self.pages_of(block) >= enough || below.contains(&at)) && !item.has(page, block)
        };
        let blocks = scores.blocks.iter().enumerate();
        let mut repeated: Vec<bool> = blocks.map(is_template).collect();
        // A list of the page's own is not torn: salt is in most recipes.
        for blocks in &groups {
            repeated[blocks.clone()].fill(false);
        }
        lower(&mut probabilities, &repeated, &is_prose);
        let uses = protected::uses(page, scores, &groups, is_on_others);
        // On one page alone nothing tells its own text from the site's. Its captions go as ever:
        // to keep them costs 0.001 on 351 sites of one page.
        let several = self.pages > 1;
        let blocks = scores.blocks.iter().zip(probabilities).zip(uses);
        let evidence = blocks.map(|((block, probability), of_kind)| BlockEvidence {
            words: match of_kind {
                Some(BlockUse::LineNumber) => 0.0,
                _ => block.words,
            },
            probability: match of_kind {
                Some(BlockUse::Numbers) => probability * OF_REPEATED,
                _ => probability,
            },
            is_protected: several && of_kind == Some(BlockUse::Protected),
            is_own: several && !self.is_shared(block),
        });
        evidence.collect()
    }
}

impl<'a> PageEvidence<'a> {
    fn new(
        page: &'a Page,
        blocks: Vec<BlockEvidence>,
        elements: Vec<CandidateElement>,
        scores: Cow<'a, BlockScores>,
        selectors: usize,
    ) -> Self {
        let names = elements.iter().zip(0_u32..).flat_map(|(element, at)| {
            let selectors = element.selectors.iter();
            selectors.map(move |&selector| (selector, at))
        });
        let by_name = BySelector::of(selectors, names);
        let mut likely = LikelyWords::default();
        for block in blocks.iter().filter(|block| block.probability > 0.5) {
            likely.add(block.amount());
        }
        let mut page = PageEvidence {
            page,
            index: 0,
            expected: blocks.iter().map(|b| b.words * b.probability).sum(),
            alone: 0.0,
            blocks,
            scores,
            elements,
            by_name,
        };
        page.alone = page.f1(likely);
        page
    }

    /// The index of a candidate element.
    pub fn element_at(&self, element: NodeId) -> Option<usize> {
        let at = self.elements.binary_search_by_key(&element, |e| e.node);
        at.ok()
    }

    /// The elements that a selector selects, in document order.
    pub fn named(&self, selector: SelectorId) -> &[u32] {
        self.by_name.get(selector)
    }

    /// The elements around one, innermost first.
    pub fn around(&self, element: usize) -> impl Iterator<Item = usize> {
        let up = |i: usize| Some(self.elements[i].parent).filter(|&parent| parent != i);
        std::iter::successors(up(element), move |&i| up(i))
    }

    /// [`f1`](Self::f1) of what a template selects; what it selects nothing of is for
    /// another one, or for what this page alone shows.
    pub fn f1_or_alone(&self, amount: LikelyWords) -> f32 {
        if amount.words > 0.0 {
            self.f1(amount)
        } else {
            UNMATCHED * self.alone
        }
    }

    /// The F1 to expect of a text of this amount.
    pub fn f1(&self, amount: LikelyWords) -> f32 {
        let both = amount.words + self.expected;
        if both > 0.0 {
            2.0 * amount.likely / both
        } else {
            0.0
        }
    }
}

/// A page of which some blocks are gone, with sums from its beginning on.
#[derive(Debug, Clone)]
pub(super) struct RemainingBlocks<'e> {
    page: &'e PageEvidence<'e>,
    pub gone: Vec<bool>,
    /// The remaining words in the blocks before each.
    before: Vec<LikelyWords>,
}

impl<'e> RemainingBlocks<'e> {
    pub fn whole(page: &'e PageEvidence<'e>) -> RemainingBlocks<'e> {
        RemainingBlocks::without(page, vec![false; page.blocks.len()])
    }

    pub fn without(page: &'e PageEvidence<'e>, gone: Vec<bool>) -> RemainingBlocks<'e> {
        let mut rest = RemainingBlocks {
            page,
            gone,
            before: Vec::with_capacity(page.blocks.len() + 1),
        };
        rest.sum();
        rest
    }

    /// To be called when `gone` has changed.
    pub fn sum(&mut self) {
        self.before.clear();
        let mut sum = LikelyWords::default();
        self.before.push(sum);
        for (block, gone) in self.page.blocks.iter().zip(&self.gone) {
            if !gone {
                sum.add(block.amount());
            }
            self.before.push(sum);
        }
    }

    /// The remaining words in a range of blocks.
    pub fn amount(&self, range: &Range<usize>) -> LikelyWords {
        if range.is_empty() {
            return LikelyWords::default();
        }
        let (first, end) = (self.before[range.start], self.before[range.end]);
        LikelyWords {
            words: (end.words - first.words).max(0.0),
            likely: (end.likely - first.likely).max(0.0),
            protected: (end.protected - first.protected).max(0.0),
            own: (end.own - first.own).max(0.0),
        }
    }

    /// The remaining words of an element.
    pub fn held(&self, element: &CandidateElement) -> LikelyWords {
        match element.part {
            Some(words) if words > 0.0 && !self.gone[element.blocks.start] => {
                self.page.blocks[element.blocks.start].amount_of(words)
            }
            Some(_) => LikelyWords::default(),
            None => self.amount(&element.blocks),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feed::FeedItem;
    use crate::onepage::BlockModel;

    #[test]
    fn repeated_blocks_are_the_template_s_but_likely_ones_inside_of_the_article() {
        let check = |blocks: &[(f32, bool)], expected: &[bool]| {
            let is_prose = vec![true; blocks.len()];
            let mut lowered: Vec<f32> = blocks.iter().map(|(p, _)| *p).collect();
            let repeated: Vec<bool> = blocks.iter().map(|(_, repeated)| *repeated).collect();
            lower(&mut lowered, &repeated, &is_prose);
            let is_lower = lowered
                .iter()
                .zip(blocks)
                .map(|(p, (before, _))| p < before);
            assert_eq!(is_lower.collect::<Vec<_>>(), expected);
        };
        let (own, menu, heading) = ((0.9, false), (0.1, true), (0.8, true));
        check(&[own, heading, own], &[false, false, false]);
        check(&[own, heading, heading, own], &[false; 4]);
        check(&[own, menu, own], &[false, true, false]);
        check(&[heading, own, heading], &[true, false, true]);
        check(&[own, heading, (0.2, false)], &[false, true, false]);
        check(&[], &[]);
    }

    #[test]
    fn text_of_the_feed_item_is_known_by_five_words() {
        let check = |block: &str, summary: &str, expected: bool| {
            let page = Page::from_html(&format!("<p>{block}"));
            let scores = BlockScores::of(&page, BlockModel::shipped());
            let item = FeedItem {
                title: "All the news of the week".to_owned(),
                summary: summary.to_owned(),
                ..FeedItem::default()
            };
            let text = ItemText::of(&SamplePage::new(Page::from_html(""), "a").with_item(&item));
            assert_eq!(text.has(&page, &scores.blocks[0]), expected, "{block}");
        };
        let lead = "The ferry leaves an hour later, says the master.";
        check(lead, lead, true);
        check(lead, "The ferry leaves an hour later", true);
        check("The ferry leaves <b>an</b> hour later", lead, true);
        check("The ferry leaves", lead, false);
        check(lead, "The ferry", false);
        check("All the news of the week", lead, false);
    }
}
