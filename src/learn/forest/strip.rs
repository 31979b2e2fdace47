//! What inside of the body is not the article's.

use super::evidence::{Amount, PageEvidence};
use super::names::{Simple, Test};
use super::select::{Expression, around};
use foldhash::{HashMap, HashSet};

/// Share of likely words up to which what a name selects is stripped, and what a
/// tag alone selects. Half is what the F1 to expect gains from; lower ones (0.2 and
/// 0.1) cost `big9` 0.007 and `fundus_eval` 0.007.
const NOISE: f32 = 0.45;
const NOISE_OF_TAG: f32 = 0.3;

/// Strips of a template at the most.
const MAX_STRIPS: usize = 16;

/// Share of the body's words that a strip must take away, over the sample.
const MIN_WORDS: f32 = 0.001;

/// Share of the pages on which it must take something away.
const MIN_PAGES: f32 = 0.15;

/// Share of a page's article that all strips together may take from it.
const MAX_LOSS: f32 = 0.2;

/// Selectors of holders that are mostly not the article's, all over the sample.
#[derive(Debug)]
pub(super) struct Noise(HashSet<Simple>);

/// What a site's pages say is noise.
pub(super) fn noise(pages: &[PageEvidence<'_>]) -> Noise {
    let mut amounts: HashMap<Simple, (Amount, u32)> = HashMap::default();
    for page in pages {
        let nothing = vec![false; page.blocks.len()];
        for holder in page.holders.iter().filter(|h| !h.blocks.is_empty()) {
            let amount = page.amount(holder.blocks.clone(), &nothing);
            for simple in Simple::of(page.page, holder.element) {
                let entry = amounts.entry(simple).or_default();
                entry.0.add(amount);
                entry.1 += 1;
            }
        }
    }
    let is_noise = |(simple, (amount, times)): (Simple, (Amount, u32))| {
        let told = simple.is_named() && times > 1 && amount.share() < NOISE;
        told.then_some(simple)
    };
    Noise(amounts.into_iter().filter_map(is_noise).collect())
}

impl Noise {
    /// The blocks of a page that stand in noise.
    pub fn gone(&self, page: &PageEvidence<'_>) -> Vec<bool> {
        let mut gone = vec![false; page.blocks.len()];
        for holder in &page.holders {
            let simples = Simple::of(page.page, holder.element);
            if simples.iter().any(|simple| self.0.contains(simple)) {
                gone[holder.blocks.clone()].fill(true);
            }
        }
        gone
    }
}

/// The strips of a body, the one that takes most away first.
pub(super) fn learn(body: &[Expression], pages: &[&PageEvidence<'_>]) -> Vec<Expression> {
    let mut strips: Vec<Expression> = Vec::new();
    let mut gone: Vec<Vec<bool>> = pages.iter().map(|p| vec![false; p.blocks.len()]).collect();
    let inside: Vec<Vec<(usize, Vec<Simple>)>> = pages
        .iter()
        .map(|page| holders_inside(body, page))
        .collect();
    let whole: f32 = pages
        .iter()
        .zip(&gone)
        .map(|(page, gone)| super::select::amount(body, page, gone).words)
        .sum();
    while strips.len() < MAX_STRIPS {
        let Some(strip) = next(pages, &inside, &gone, whole, &strips) else {
            break;
        };
        for ((page, inside), gone) in pages.iter().zip(&inside).zip(&mut gone) {
            drop_selected(&strip, page, inside, gone);
        }
        strips.push(Expression {
            last: strip,
            within: None,
        });
    }
    strips
}

/// The holders strictly inside of a body, with their selectors.
fn holders_inside(body: &[Expression], page: &PageEvidence<'_>) -> Vec<(usize, Vec<Simple>)> {
    let tops: Vec<usize> = body.iter().flat_map(|e| e.holders(page)).collect();
    let inside = |i: &usize| around(page, *i).any(|outer| tops.contains(&outer));
    (0..page.holders.len())
        .filter(|&i| !page.holders[i].blocks.is_empty())
        .filter(inside)
        .map(|i| (i, Simple::of(page.page, page.holders[i].element)))
        .collect()
}

fn drop_selected(
    strip: &Simple,
    page: &PageEvidence<'_>,
    inside: &[(usize, Vec<Simple>)],
    gone: &mut [bool],
) {
    for (i, simples) in inside {
        if simples.contains(strip) {
            gone[page.holders[*i].blocks.clone()].fill(true);
        }
    }
}

/// The selector that takes most noise away.
fn next(
    pages: &[&PageEvidence<'_>],
    inside: &[Vec<(usize, Vec<Simple>)>],
    gone: &[Vec<bool>],
    whole: f32,
    known: &[Expression],
) -> Option<Simple> {
    struct Taken {
        amount: Amount,
        pages: f32,
        worst: f32,
        last: usize,
        of_last: Amount,
    }
    let mut taken: HashMap<&Simple, Taken> = HashMap::default();
    for (at, page) in pages.iter().enumerate() {
        for (i, simples) in &inside[at] {
            let amount = page.amount(page.holders[*i].blocks.clone(), &gone[at]);
            if amount.words <= 0.0 {
                continue;
            }
            for simple in simples {
                let entry = taken.entry(simple).or_insert(Taken {
                    amount: Amount::default(),
                    pages: 0.0,
                    worst: 0.0,
                    last: usize::MAX,
                    of_last: Amount::default(),
                });
                if entry.last != at {
                    (entry.last, entry.of_last) = (at, Amount::default());
                    entry.pages += 1.0;
                }
                entry.amount.add(amount);
                entry.of_last.add(amount);
                entry.worst = entry
                    .worst
                    .max(entry.of_last.likely / page.expected.max(1.0));
            }
        }
    }
    let least = (pages.len() as f32 * MIN_PAGES).ceil();
    let good = |(simple, taken): &(&Simple, Taken)| {
        let noise = taken.amount.words - taken.amount.likely;
        taken.amount.share() < limit(simple)
            && taken.pages >= least
            && taken.worst < MAX_LOSS
            && noise >= MIN_WORDS * whole
            && known.iter().all(|strip| strip.last != **simple)
    };
    taken
        .into_iter()
        .filter(good)
        .map(|(simple, taken)| {
            (
                simple,
                taken.amount.words - 2.0 * taken.amount.likely + name_bonus(simple),
            )
        })
        .max_by(|a, b| a.1.total_cmp(&b.1).then_with(|| b.0.cmp(a.0)))
        .map(|(simple, _)| simple.clone())
}

fn limit(simple: &Simple) -> f32 {
    if simple.is_named() {
        NOISE
    } else {
        NOISE_OF_TAG
    }
}

/// Words that a name is worth among strips that take away about the same.
fn name_bonus(simple: &Simple) -> f32 {
    match simple.test {
        Test::Any | Test::Attribute(..) => 0.0,
        _ => 1.0,
    }
}

/// The blocks of a page that strips take away.
pub(super) fn gone(
    strips: &[Expression],
    body: &[Expression],
    page: &PageEvidence<'_>,
) -> Vec<bool> {
    let mut gone = vec![false; page.blocks.len()];
    if strips.is_empty() {
        return gone;
    }
    let inside = holders_inside(body, page);
    for strip in strips {
        drop_selected(&strip.last, page, &inside, &mut gone);
    }
    gone
}

/// A strip as XPath: inside of each piece of the body.
pub(super) fn xpath(strip: &Expression, body: &[Expression]) -> String {
    let pieces: Vec<String> = body
        .iter()
        .map(|piece| format!("{piece}//{}", strip.last))
        .collect();
    pieces.join(" | ")
}
