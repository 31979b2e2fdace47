//! The strips: selectors of elements in the body that are not the article's.

use super::evidence::{LikelyWords, PageEvidence, RemainingBlocks, SampleEvidence};
use super::limits::ForestLimits;
use super::refused::{RefusedStrip, StripRefusal};
use super::select::{self, BodySelector};
use super::selectors::{BySelector, ElementSelector, SelectorId, SelectorTable, SelectorTest};
use foldhash::HashSet;
use html5ever::LocalName;
use std::ops::Range;

/// Strips of a template at the most.
const MAX_STRIPS: usize = 16;

/// Share of the body's words that a strip must take away, over the sample.
const MIN_WORDS: f32 = 0.001;

/// Pages that a strip needs.
const SEVERAL: f32 = 2.0;

/// Share of the words of a strip that may be the article's by their kind.
const MAX_PROTECTED: f32 = 0.1;

/// Share of the words that no other page has in what a tag of an article's flow alone strips.
/// Clear noise may be nothing else, but no mixture: what the pages repeat says nothing about
/// what is a page's own.
const MAX_OWN: f32 = 0.1;

/// Siblings are taken with an element on so many of the pages, where more than half of their
/// text is each page's own: a list of sources stands below some articles.
const OWN_SIBLINGS: f32 = 0.3;

/// Strips that were not taken which are shown at the most.
const MAX_REFUSED: usize = 12;

/// Selectors of elements that are mostly not the article's, all over the sample.
#[derive(Debug)]
pub(super) struct NoiseSelectors(HashSet<SelectorId>);

/// The noise of a site's pages.
pub(super) fn noise(sample: &SampleEvidence<'_>) -> NoiseSelectors {
    let mut amounts = vec![(LikelyWords::default(), 0_u32); sample.selectors.len()];
    for page in &sample.pages {
        let rest = RemainingBlocks::whole(page);
        for element in &page.elements {
            let amount = rest.held(element);
            for &selector in element.selectors.iter() {
                let of_name = &mut amounts[selector as usize];
                of_name.0.add(amount);
                of_name.1 += 1;
            }
        }
    }
    let is_noise = |(selector, (amount, times)): (usize, (LikelyWords, u32))| {
        let compound = &sample.selectors[selector as SelectorId];
        let is_noise = compound.is_named() && times > 1 && amount.share() < sample.limits.noise;
        (is_noise && amount.words > 0.0).then_some(selector as SelectorId)
    };
    NoiseSelectors(
        amounts
            .into_iter()
            .enumerate()
            .filter_map(is_noise)
            .collect(),
    )
}

impl NoiseSelectors {
    /// A page without what stands in noise.
    pub fn without<'e>(&self, page: &'e PageEvidence<'e>) -> RemainingBlocks<'e> {
        let mut gone = vec![false; page.blocks.len()];
        for element in page
            .elements
            .iter()
            .filter(|element| element.part.is_none())
        {
            if element
                .selectors
                .iter()
                .any(|selector| self.0.contains(selector))
            {
                gone[element.blocks.clone()].fill(true);
            }
        }
        RemainingBlocks::without(page, gone)
    }
}

/// A rule that leaves something out of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Strip {
    /// The element.
    pub selector: SelectorId,
    /// The siblings that go with it.
    pub reach: StripReach,
}

/// The siblings that a strip takes away beside the element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum StripReach {
    /// Nothing.
    Itself,
    /// All that follows it in the element around it.
    Following,
    /// All that precedes it there.
    Preceding,
}

const REACHES: [StripReach; 3] = [
    StripReach::Itself,
    StripReach::Following,
    StripReach::Preceding,
];

impl Strip {
    /// As XPath, inside of each piece of the body.
    pub fn xpath(&self, body: &[BodySelector], selectors: &SelectorTable) -> String {
        let of_piece = |piece: &BodySelector| {
            let element = format!("{}//{}", piece.xpath(selectors), selectors[self.selector]);
            match self.reach {
                StripReach::Itself => element,
                StripReach::Following => {
                    format!("{element} | {element}/following-sibling::node()")
                }
                StripReach::Preceding => {
                    format!("{element} | {element}/preceding-sibling::node()")
                }
            }
        };
        let pieces: Vec<String> = body.iter().map(of_piece).collect();
        pieces.join(" | ")
    }

    /// The blocks that it takes away for one of its elements.
    fn reach(self, page: &PageEvidence<'_>, element: usize) -> Range<usize> {
        let own = &page.elements[element].blocks;
        let around = &page.elements[page.elements[element].parent].blocks;
        match self.reach {
            StripReach::Itself => own.clone(),
            StripReach::Following => own.start..around.end,
            StripReach::Preceding => around.start..own.end,
        }
    }
}

/// The elements strictly inside of others, as ranges in their order.
fn inside(tops: &[usize], page: &PageEvidence<'_>) -> Vec<Range<usize>> {
    let below = |&top: &usize| {
        let end = page.page.end(page.elements[top].node);
        let below = page.elements[top + 1..].partition_point(|element| element.node < end);
        top + 1..top + 1 + below
    };
    tops.iter().map(below).collect()
}

/// A page of which a body is selected, while its strips are looked for.
struct StrippedPage<'e> {
    page: &'e PageEvidence<'e>,
    inside: Vec<Range<usize>>,
    rest: RemainingBlocks<'e>,
}

impl<'e> StrippedPage<'e> {
    fn of(body: &[BodySelector], page: &'e PageEvidence<'e>) -> StrippedPage<'e> {
        let tops = select::tops(body, page);
        StrippedPage {
            page,
            inside: inside(&tops, page),
            rest: RemainingBlocks::whole(page),
        }
    }

    fn all(body: &[BodySelector], pages: &[&'e PageEvidence<'e>]) -> Vec<StrippedPage<'e>> {
        pages
            .iter()
            .map(|page| StrippedPage::of(body, page))
            .collect()
    }

    fn strip(&mut self, strip: Strip) {
        // Ranges that begin and that end before each block.
        let mut turns = vec![0_i32; self.rest.gone.len() + 1];
        for &i in self.page.named(strip.selector) {
            let i = i as usize;
            let at = self.inside.partition_point(|range| range.end <= i);
            let is_inside = self.inside.get(at).is_some_and(|range| range.contains(&i));
            if is_inside && self.page.elements[i].part.is_none() {
                let range = strip.reach(self.page, i);
                turns[range.start] += 1;
                turns[range.end] -= 1;
            }
        }
        let mut open = 0;
        for (gone, turn) in self.rest.gone.iter_mut().zip(turns) {
            open += turn;
            *gone |= open > 0;
        }
        self.rest.sum();
    }
}

/// A page without what strips take away.
pub(super) fn without<'e>(
    strips: &[Strip],
    body: &[BodySelector],
    page: &'e PageEvidence<'e>,
) -> RemainingBlocks<'e> {
    let mut stripped = StrippedPage::of(body, page);
    for &strip in strips {
        stripped.strip(strip);
    }
    stripped.rest
}

/// The strips of a body, the one that takes most away first.
pub(super) fn learn(
    body: &[BodySelector],
    pages: &[&PageEvidence<'_>],
    sample: &SampleEvidence<'_>,
) -> Vec<Strip> {
    let mut strips: Vec<Strip> = Vec::new();
    let mut stripped = StrippedPage::all(body, pages);
    let whole = words(body, &stripped);
    let mut candidates = StripCandidate::all(&stripped, sample, MIN_WORDS * whole);
    while strips.len() < MAX_STRIPS {
        let Some(strip) = best(&candidates, &stripped, whole, sample) else {
            break;
        };
        for page in &mut stripped {
            page.strip(strip);
        }
        candidates.retain(|candidate| candidate.strip != strip);
        strips.push(strip);
    }
    strips
}

/// The words of a body that are left on these pages.
fn words(body: &[BodySelector], pages: &[StrippedPage<'_>]) -> f32 {
    let of_page = |of: &StrippedPage<'_>| {
        select::amount(&select::tops(body, of.page), of.page, &of.rest).words
    };
    pages.iter().map(of_page).sum()
}

/// The strip that takes most noise away.
fn best(
    candidates: &[StripCandidate],
    pages: &[StrippedPage<'_>],
    whole: f32,
    sample: &SampleEvidence<'_>,
) -> Option<Strip> {
    let selectors = &sample.selectors;
    let of_sample = StripBounds {
        limits: sample.limits,
        pages: pages.len(),
        words: whole,
    };
    let gaining = candidates.iter().filter_map(|candidate| {
        let strip = candidate.strip;
        let gain = StripGain::of(&candidate.takes, pages);
        let gain = gain
            .judged(&selectors[strip.selector], strip.reach, &of_sample)
            .ok()?;
        Some((gain, strip))
    });
    let by_name = |strip: &Strip| (strip.reach, &selectors[strip.selector]);
    let best = gaining.max_by(|(gain, strip), (other, of_other)| {
        let by_gain = gain.total_cmp(other);
        by_gain.then_with(|| by_name(of_other).cmp(&by_name(strip)))
    });
    best.map(|(_, strip)| strip)
}

/// The amounts that a strip is held against.
struct StripBounds {
    limits: ForestLimits,
    /// The number of pages.
    pages: usize,
    /// The words of the body on them.
    words: f32,
}

impl StripBounds {
    /// Pages on which a strip must take something away: clear noise, and other noise. A page
    /// alone is all there is.
    fn least_pages(&self) -> [f32; 2] {
        let pages = self.pages as f32;
        let several = SEVERAL.min(pages);
        let share = pages * self.limits.strip_pages;
        [several, share.ceil().max(several)]
    }
}

/// A strip that may be learned.
struct StripCandidate {
    strip: Strip,
    takes: Vec<StripTake>,
}

/// The words that a strip takes away for one of its elements: none of those that it takes
/// for an earlier one.
#[derive(Debug, Clone)]
struct StripTake {
    page: usize,
    words: TakenWords,
}

#[derive(Debug, Clone)]
enum TakenWords {
    Blocks(Range<usize>),
    /// The words of an element that is a part of a block, by its index.
    Part(usize),
}

impl StripTake {
    fn amount(&self, page: &StrippedPage<'_>) -> LikelyWords {
        match &self.words {
            TakenWords::Blocks(blocks) => page.rest.amount(blocks),
            TakenWords::Part(element) => page.rest.held(&page.page.elements[*element]),
        }
    }
}

impl StripCandidate {
    /// The strips of elements inside of the body of each page. What takes less than half of
    /// `enough` words of noise away is left out, as it never takes more.
    fn all(
        pages: &[StrippedPage<'_>],
        sample: &SampleEvidence<'_>,
        enough: f32,
    ) -> Vec<StripCandidate> {
        let selectors = &sample.selectors;
        let inside = pages.iter().enumerate().flat_map(|(at, stripped)| {
            let elements = stripped.inside.iter().cloned().flatten();
            elements.flat_map(move |element| {
                let selectors = stripped.page.elements[element].selectors.iter();
                selectors.map(move |&selector| (selector, (at, element)))
            })
        });
        let inside = BySelector::of(selectors.len(), inside);
        let mut out = Vec::new();
        let mut takes = Vec::new();
        for selector in 0..selectors.len() as SelectorId {
            if selectors.is_running(selector) {
                continue;
            }
            let elements = inside.get(selector);
            let compound = &selectors[selector];
            let is_part = |&(at, i): &(usize, usize)| pages[at].page.elements[i].part.is_some();
            for reach in REACHES {
                // Within a line siblings have no blocks of their own.
                let is_whole = reach == StripReach::Itself
                    || !elements.iter().any(is_part) && !is_item(&compound.tag);
                if elements.is_empty()
                    || !is_whole
                    || sample.limits.noise_limit(compound, reach) <= 0.0
                {
                    break;
                }
                let strip = Strip { selector, reach };
                takes.clear();
                strip.put_takes(elements, pages, &mut takes);
                if StripGain::of(&takes, pages).noise() >= enough / 2.0 {
                    let takes = takes.clone();
                    out.push(StripCandidate { strip, takes });
                }
            }
        }
        out
    }
}

impl Strip {
    /// Adds what it takes away for its elements, given by their pages and indices.
    fn put_takes(
        self,
        elements: &[(usize, usize)],
        pages: &[StrippedPage<'_>],
        takes: &mut Vec<StripTake>,
    ) {
        for of_page in elements.chunk_by(|(at, _), (next, _)| at == next) {
            // The last blocks that are taken from the page.
            let mut blocks = 0..0;
            for &(page, element) in of_page {
                let of_page = pages[page].page;
                let words = if of_page.elements[element].part.is_some() {
                    TakenWords::Part(element)
                } else {
                    let range = self.reach(of_page, element);
                    // What begins behind the last beginning is taken up to its end already.
                    let new = if range.start < blocks.start {
                        range.clone()
                    } else {
                        range.start.max(blocks.end)..range.end.max(blocks.end)
                    };
                    blocks = range.start..new.end;
                    TakenWords::Blocks(new)
                };
                takes.push(StripTake { page, words });
            }
        }
    }
}

/// The amount that a strip would take away.
#[derive(Debug, Clone, Default)]
struct StripGain {
    amount: LikelyWords,
    pages: f32,
    /// The largest share of a page's article.
    worst: f32,
    /// The highest share of likely words in what is taken from a page.
    highest: f32,
}

impl StripGain {
    fn of(takes: &[StripTake], pages: &[StrippedPage<'_>]) -> StripGain {
        let mut gain = StripGain::default();
        for of_page in takes.chunk_by(|take, next| take.page == next.page) {
            let page = &pages[of_page[0].page];
            let mut of_page_taken = LikelyWords::default();
            let mut likely = 0.0_f32;
            for take in of_page {
                let amount = take.amount(page);
                if amount.words > 0.0 {
                    gain.amount.add(amount);
                    of_page_taken.add(amount);
                    likely += amount.likely.max(f32::MIN_POSITIVE);
                }
            }
            if likely > 0.0 {
                gain.pages += 1.0;
                gain.worst = gain.worst.max(likely / page.page.expected.max(1.0));
                gain.highest = gain.highest.max(of_page_taken.share());
            }
        }
        gain
    }

    fn noise(&self) -> f32 {
        self.amount.words - self.amount.likely
    }

    /// Words that the strip gains, if it takes noise away and little else; else what refuses it.
    fn judged(
        &self,
        compound: &ElementSelector,
        reach: StripReach,
        bounds: &StripBounds,
    ) -> Result<f32, StripRefusal> {
        let limits = bounds.limits;
        // What only one page has may be that page's own.
        let is_clear = self.amount.share() < limits.noise_of_page;
        let [several, least] = bounds.least_pages();
        let own = self.amount.own / self.amount.words.max(1.0);
        let mut needed = if is_clear { several } else { least };
        if reach != StripReach::Itself && own > 0.5 {
            needed = needed.max((bounds.pages as f32 * OWN_SIBLINGS).ceil());
        }
        let limit = limits.noise_limit(compound, reach);
        let is_of_flow = !compound.is_named() && is_of_flow(&compound.tag);
        if self.amount.protected > MAX_PROTECTED * self.amount.words {
            Err(StripRefusal::Protected)
        } else if is_of_flow && own > MAX_OWN && (!is_clear || own < 1.0 - MAX_OWN) {
            Err(StripRefusal::Own)
        } else if self.amount.share() >= limit {
            Err(StripRefusal::Likely { limit })
        } else if self.pages < needed {
            Err(StripRefusal::FewPages { needed })
        } else if reach != StripReach::Itself && self.highest >= limits.noise {
            // What follows an element on one page may be the article on another.
            Err(StripRefusal::LikelyOnOnePage)
        } else if self.worst >= limits.max_loss {
            Err(StripRefusal::MuchOfOnePage)
        } else if self.noise() < MIN_WORDS * bounds.words {
            Err(StripRefusal::FewWords)
        } else {
            Ok(self.noise() - self.amount.likely + name_bonus(compound, reach))
        }
    }
}

/// The strips of named elements that were looked at and not taken from a body, on the pages
/// that are left by those that were; those of most words first.
pub(super) fn refused(
    body: &[BodySelector],
    strips: &[Strip],
    pages: &[&PageEvidence<'_>],
    sample: &SampleEvidence<'_>,
) -> Vec<RefusedStrip> {
    let selectors = &sample.selectors;
    let mut stripped = StrippedPage::all(body, pages);
    let bounds = StripBounds {
        limits: sample.limits,
        pages: pages.len(),
        words: words(body, &stripped),
    };
    for page in &mut stripped {
        strips.iter().for_each(|&strip| page.strip(strip));
    }
    let mut out: Vec<RefusedStrip> = Vec::new();
    for candidate in StripCandidate::all(&stripped, sample, 0.0) {
        let Strip { selector, reach } = candidate.strip;
        let gain = StripGain::of(&candidate.takes, &stripped);
        let judged = gain.judged(&selectors[selector], reach, &bounds);
        let is_named = reach == StripReach::Itself && selectors[selector].is_named();
        let Err(why) = judged else { continue };
        if is_named && gain.amount.words > 0.0 {
            out.push(RefusedStrip {
                xpath: candidate.strip.xpath(body, selectors),
                pages: gain.pages as usize,
                words: gain.amount.words as usize,
                likely: gain.amount.share(),
                why,
            });
        }
    }
    let order = |a: &RefusedStrip, b: &RefusedStrip| {
        let by_amount = b.words.cmp(&a.words).then(a.likely.total_cmp(&b.likely));
        by_amount.then_with(|| a.xpath.cmp(&b.xpath))
    };
    out.sort_by(order);
    // Other selectors of the same elements take the same.
    out.dedup_by(|a, b| (a.words, a.pages, a.likely) == (b.words, b.pages, b.likely));
    out.truncate(MAX_REFUSED);
    out
}

/// True for the tags of an article's flow. Not of its headings and figures: those of teasers
/// are more often no article's.
fn is_of_flow(tag: &LocalName) -> bool {
    matches!(
        &**tag,
        "p" | "li" | "ul" | "ol" | "dl" | "dt" | "dd" | "pre" | "blockquote" | "table"
    )
}

/// True for the items of a list or a table: what stands beside one is more of the same.
fn is_item(tag: &LocalName) -> bool {
    matches!(&**tag, "li" | "dt" | "dd" | "tr" | "td" | "th")
}

impl ForestLimits {
    /// Share of likely words up to which what a strip selects is stripped.
    fn noise_limit(&self, compound: &ElementSelector, reach: StripReach) -> f32 {
        let is_look = matches!(
            compound.test,
            SelectorTest::Attribute(..) | SelectorTest::Looks(_)
        );
        match (compound.is_named(), reach) {
            (true, StripReach::Itself) => self.noise,
            (true, _) if is_look => 0.0,
            (true, _) => self.noise_of_tag,
            (false, StripReach::Itself) => self.noise_of_tag,
            (false, _) => 0.0,
        }
    }
}

/// Words that a selector is worth among strips that take away about the same.
fn name_bonus(compound: &ElementSelector, reach: StripReach) -> f32 {
    let of_reach = match reach {
        StripReach::Itself => 1.0,
        _ => 0.0,
    };
    of_reach
        + match compound.test {
            SelectorTest::Any
            | SelectorTest::Attribute(..)
            | SelectorTest::Looks(_)
            | SelectorTest::Text(_)
            | SelectorTest::Numbers => 0.0,
            _ => 1.0,
        }
}

#[cfg(test)]
mod tests {
    use super::*;
    use html5ever::local_name;

    fn bounds(pages: usize) -> StripBounds {
        StripBounds {
            limits: ForestLimits::default(),
            pages,
            words: 5_000.0,
        }
    }

    /// The gain of a strip by class that takes 50 words of noise from each of these pages,
    /// and from each of them this share of likely words besides.
    fn gain(shares: &[f32], reach: StripReach) -> Result<f32, StripRefusal> {
        let compound = ElementSelector {
            tag: local_name!("div"),
            test: SelectorTest::Class("share".into()),
        };
        let mut gain = StripGain::default();
        for &share in shares {
            gain.amount.add(LikelyWords {
                words: 50.0,
                likely: 50.0 * share,
                ..LikelyWords::default()
            });
            gain.pages += 1.0;
            gain.highest = gain.highest.max(share);
        }
        gain.judged(&compound, reach, &bounds(10))
    }

    #[test]
    fn one_page_teaches_no_strip() {
        let needed = 2.0;
        let refused = Err(StripRefusal::FewPages { needed });
        assert_eq!(gain(&[0.0], StripReach::Itself), refused);
        assert!(gain(&[0.0, 0.0], StripReach::Itself).is_ok());
        assert_eq!(
            [1, 2, 10, 20].map(|pages| bounds(pages).least_pages()),
            [[1.0; 2], [2.0; 2], [2.0; 2], [2.0, 3.0]]
        );
    }

    #[test]
    fn what_follows_an_element_is_boilerplate_on_all_pages_or_stays() {
        let shares = [0.0, 0.0, 0.0, 0.0, 0.9];
        let refused = Err(StripRefusal::LikelyOnOnePage);
        assert!(gain(&shares, StripReach::Itself).is_ok());
        assert_eq!(gain(&shares, StripReach::Following), refused);
        assert_eq!(gain(&shares, StripReach::Preceding), refused);
        assert!(gain(&shares[..4], StripReach::Following).is_ok());
    }
}
