//! What inside of the body is not the article's.

use super::evidence::{Amount, PageEvidence, Rest, Sample};
use super::names::{Name, Names, Simple, Test};
use super::select::{self, Expression};
use foldhash::HashSet;
use std::ops::Range;

/// Share of likely words up to which what a name selects is stripped, and what a
/// tag alone selects. Half is what the F1 to expect gains from. Five folds over brands:
/// 0.4 to 0.5 and 0.2 to 0.4 differ by less than 0.001 in mean F1.
const NOISE: f32 = 0.45;
const NOISE_OF_TAG: f32 = 0.3;

/// Strips of a template at the most.
const MAX_STRIPS: usize = 16;

/// Share of the body's words that a strip must take away, over the sample.
const MIN_WORDS: f32 = 0.001;

/// Share of the pages on which it must take something away.
const MIN_PAGES: f32 = 0.15;

/// Share of likely words up to which one page is enough.
const NOISE_OF_PAGE: f32 = 0.2;

/// Share of a page's article that all strips together may take from it.
const MAX_LOSS: f32 = 0.2;

/// Selectors of holders that are mostly not the article's, all over the sample.
#[derive(Debug)]
pub(super) struct Noise(HashSet<Name>);

/// What a site's pages say is noise.
pub(super) fn noise(sample: &Sample<'_>) -> Noise {
    let mut amounts = vec![(Amount::default(), 0_u32); sample.names.len()];
    for page in &sample.pages {
        let rest = Rest::whole(page);
        for holder in &page.holders {
            let amount = rest.held(holder);
            for &name in &holder.names {
                let of_name = &mut amounts[name as usize];
                of_name.0.add(amount);
                of_name.1 += 1;
            }
        }
    }
    let is_noise = |(name, (amount, times)): (usize, (Amount, u32))| {
        let simple = &sample.names[name as Name];
        let told = simple.is_named() && times > 1 && amount.share() < NOISE;
        (told && amount.words > 0.0).then_some(name as Name)
    };
    Noise(
        amounts
            .into_iter()
            .enumerate()
            .filter_map(is_noise)
            .collect(),
    )
}

impl Noise {
    /// A page without what stands in noise.
    pub fn without<'e>(&self, page: &'e PageEvidence<'e>) -> Rest<'e> {
        let mut gone = vec![false; page.blocks.len()];
        for holder in page.holders.iter().filter(|holder| holder.part.is_none()) {
            if holder.names.iter().any(|name| self.0.contains(name)) {
                gone[holder.blocks.clone()].fill(true);
            }
        }
        Rest::without(page, gone)
    }
}

/// What is left out of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Strip {
    /// The element.
    pub name: Name,
    /// What goes with it.
    pub reach: Reach,
}

/// What a strip takes away beside the element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Reach {
    /// Nothing.
    Itself,
    /// All that follows it in the element around it.
    Following,
    /// All that precedes it there.
    Preceding,
}

const REACHES: [Reach; 3] = [Reach::Itself, Reach::Following, Reach::Preceding];

impl Strip {
    /// As XPath, inside of each piece of the body.
    pub fn xpath(&self, body: &[Expression], names: &Names) -> String {
        let of_piece = |piece: &Expression| {
            let element = format!("{}//{}", piece.xpath(names), names[self.name]);
            match self.reach {
                Reach::Itself => element,
                Reach::Following => {
                    format!("{element} | {element}/following-sibling::node()")
                }
                Reach::Preceding => {
                    format!("{element} | {element}/preceding-sibling::node()")
                }
            }
        };
        let pieces: Vec<String> = body.iter().map(of_piece).collect();
        pieces.join(" | ")
    }

    /// The blocks that it takes away for one of its elements.
    fn reach(self, page: &PageEvidence<'_>, holder: usize) -> Range<usize> {
        let own = &page.holders[holder].blocks;
        let around = &page.holders[page.holders[holder].parent].blocks;
        match self.reach {
            Reach::Itself => own.clone(),
            Reach::Following => own.start..around.end,
            Reach::Preceding => around.start..own.end,
        }
    }
}

/// The holders strictly inside of others, as ranges in their order.
fn inside(tops: &[usize], page: &PageEvidence<'_>) -> Vec<Range<usize>> {
    let below = |&top: &usize| {
        let end = page.page.end(page.holders[top].element);
        let below = page.holders[top + 1..].partition_point(|holder| holder.element < end);
        top + 1..top + 1 + below
    };
    tops.iter().map(below).collect()
}

/// A page of which a body is selected, while its strips are looked for.
struct Stripped<'e> {
    page: &'e PageEvidence<'e>,
    inside: Vec<Range<usize>>,
    rest: Rest<'e>,
}

impl<'e> Stripped<'e> {
    fn of(body: &[Expression], page: &'e PageEvidence<'e>) -> Stripped<'e> {
        let tops = select::tops(body, page);
        Stripped {
            page,
            inside: inside(&tops, page),
            rest: Rest::whole(page),
        }
    }

    fn strip(&mut self, strip: Strip) {
        // Ranges that begin and that end before each block.
        let mut turns = vec![0_i32; self.rest.gone.len() + 1];
        for &i in self.page.named(strip.name) {
            let i = i as usize;
            let at = self.inside.partition_point(|range| range.end <= i);
            let is_inside = self.inside.get(at).is_some_and(|range| range.contains(&i));
            if is_inside && self.page.holders[i].part.is_none() {
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
    body: &[Expression],
    page: &'e PageEvidence<'e>,
) -> Rest<'e> {
    let mut stripped = Stripped::of(body, page);
    for &strip in strips {
        stripped.strip(strip);
    }
    stripped.rest
}

/// The strips of a body, the one that takes most away first.
pub(super) fn learn(body: &[Expression], pages: &[&PageEvidence<'_>], names: &Names) -> Vec<Strip> {
    let mut strips: Vec<Strip> = Vec::new();
    let mut stripped: Vec<Stripped<'_>> =
        pages.iter().map(|page| Stripped::of(body, page)).collect();
    let of_page = |(page, stripped): (&&PageEvidence<'_>, &Stripped<'_>)| {
        select::amount(&select::tops(body, page), page, &stripped.rest).words
    };
    let whole: f32 = pages.iter().zip(&stripped).map(of_page).sum();
    while strips.len() < MAX_STRIPS {
        let Some(strip) = next(&stripped, whole, &strips, names) else {
            break;
        };
        for page in &mut stripped {
            page.strip(strip);
        }
        strips.push(strip);
    }
    strips
}

/// What a strip would take away.
#[derive(Clone, Default)]
struct Taken {
    amount: Amount,
    pages: f32,
    /// The largest share of a page's article.
    worst: f32,
    /// One past the page that was looked at last, what is taken from it, and the last
    /// blocks of that.
    last: usize,
    of_last: f32,
    blocks: Range<usize>,
}

impl Taken {
    /// Adds what a strip takes for one holder of page `at`.
    fn add(&mut self, at: usize, stripped: &Stripped<'_>, strip: Strip, holder: usize) {
        if self.last != at + 1 {
            (self.last, self.of_last, self.blocks) = (at + 1, 0.0, 0..0);
        }
        let held = &stripped.page.holders[holder];
        let amount = match (held.part, strip.reach) {
            (Some(_), Reach::Itself) => stripped.rest.held(held),
            (Some(_), _) => {
                // Within a line nothing is told apart.
                self.worst = 1.0;
                return;
            }
            (None, _) => {
                let range = strip.reach(stripped.page, holder);
                // What begins behind the last beginning is taken up to its end already.
                let new = match range.start < self.blocks.start {
                    true => range.clone(),
                    false => range.start.max(self.blocks.end)..range.end.max(self.blocks.end),
                };
                self.blocks = range.start..new.end;
                stripped.rest.amount(&new)
            }
        };
        if amount.words <= 0.0 {
            return;
        }
        if self.of_last == 0.0 {
            self.pages += 1.0;
        }
        self.amount.add(amount);
        self.of_last += amount.likely.max(f32::MIN_POSITIVE);
        let share = self.of_last / stripped.page.expected.max(1.0);
        self.worst = self.worst.max(share);
    }

    /// Words that the strip gains, if it takes noise away and little else.
    fn gain(&self, simple: &Simple, reach: Reach, least: f32, whole: f32) -> Option<f32> {
        // What only one page has may be that page's own.
        let is_own = matches!(simple.test, Test::Text(_) | Test::Id(_) | Test::IdStart(_));
        let of_one = self.amount.share() < NOISE_OF_PAGE && !is_own;
        let is_seen = self.pages >= least || self.pages > 0.0 && of_one;
        let noise = self.amount.words - self.amount.likely;
        let is_good = is_seen
            && self.amount.share() < limit(simple, reach)
            && self.worst < MAX_LOSS
            && noise >= MIN_WORDS * whole;
        is_good.then(|| noise - self.amount.likely + name_bonus(simple, reach))
    }
}

/// The strip that takes most noise away.
fn next(pages: &[Stripped<'_>], whole: f32, known: &[Strip], names: &Names) -> Option<Strip> {
    let mut taken = vec![Taken::default(); names.len() * REACHES.len()];
    for (at, stripped) in pages.iter().enumerate() {
        for holder in stripped.inside.iter().cloned().flatten() {
            for &name in &stripped.page.holders[holder].names {
                let of_name = &mut taken[name as usize * REACHES.len()..];
                for (taken, reach) in of_name.iter_mut().zip(REACHES) {
                    taken.add(at, stripped, Strip { name, reach }, holder);
                }
            }
        }
    }
    let least = (pages.len() as f32 * MIN_PAGES).ceil();
    let strips = (0..names.len() as Name).flat_map(|name| {
        let strip = |reach| Strip { name, reach };
        REACHES.map(strip)
    });
    let gaining = strips.zip(&taken).filter_map(|(strip, taken)| {
        let gain = taken.gain(&names[strip.name], strip.reach, least, whole)?;
        (!known.contains(&strip)).then_some((gain, strip))
    });
    let by_name = |strip: &Strip| (strip.reach, &names[strip.name]);
    let best = gaining.max_by(|(gain, strip), (other, of_other)| {
        let by_gain = gain.total_cmp(other);
        by_gain.then_with(|| by_name(of_other).cmp(&by_name(strip)))
    });
    best.map(|(_, strip)| strip)
}

fn limit(simple: &Simple, reach: Reach) -> f32 {
    let is_look = matches!(simple.test, Test::Attribute(..) | Test::Looks(_));
    match (simple.is_named(), reach) {
        (true, Reach::Itself) => NOISE,
        (true, _) if is_look => 0.0,
        (true, _) => NOISE_OF_TAG,
        (false, Reach::Itself) => NOISE_OF_TAG,
        (false, _) => 0.0,
    }
}

/// Words that a name is worth among strips that take away about the same.
fn name_bonus(simple: &Simple, reach: Reach) -> f32 {
    let of_reach = match reach {
        Reach::Itself => 1.0,
        _ => 0.0,
    };
    of_reach
        + match simple.test {
            Test::Any | Test::Attribute(..) | Test::Looks(_) | Test::Text(_) => 0.0,
            _ => 1.0,
        }
}
