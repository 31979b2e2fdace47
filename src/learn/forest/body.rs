//! The expression of the body.

use super::Found;
use super::evidence::{Amount, PageEvidence};
use super::names::{Simple, Test};
use super::select::{Expression, Index, around, is_page, ranges};
use super::strip;
use foldhash::{HashMap, HashSet};

/// Share of the page's article that a holder must have to be a candidate.
const MIN_COVERAGE: f32 = 0.1;

/// Holders around a candidate whose names can tell where it stands.
const AROUND: usize = 4;

/// Candidates that are looked at with their strips.
const FINALISTS: usize = 8;

/// Candidates of which it is counted what they select.
const MAX_CANDIDATES: usize = 3000;

/// By how much a second piece must raise the mean F1 to expect.
const PIECE_GAIN: f32 = 0.01;

/// Pieces of a body at the most.
const MAX_PIECES: usize = 3;

/// What a name is worth in F1 to expect: so much is given up for an expression that
/// lives longer.
fn longevity(expression: &Expression) -> f32 {
    let of = |simple: &Simple| match (&simple.test, simple.is_named()) {
        (Test::Role(..), _) => 0.006,
        (Test::Any, true) => 0.004,
        (Test::Class(_) | Test::Id(_), _) => 0.005,
        (Test::IdStart(_) | Test::ClassStart(_), _) => 0.003,
        (Test::Attribute(..), _) => 0.0,
        (Test::Any, false) => NAMELESS_LAST,
    };
    match &expression.within {
        None if !expression.last.is_named() => NAMELESS,
        None => of(&expression.last),
        Some(within) => of(&expression.last).min(of(within)) - 0.002,
    }
}

/// What is given up for not selecting a tag alone: `//p` fits any layout, and other
/// text of it.
const NAMELESS: f32 = -0.5;

/// The same for a tag alone inside of something with a name.
const NAMELESS_LAST: f32 = -0.02;

/// The best body for the pages `left`; `all` pages tell what is not the article's.
pub(super) fn find(left: &[&PageEvidence<'_>], all: &[PageEvidence<'_>]) -> Option<Found> {
    let noise = strip::noise(all);
    let finalists = candidates(left, &noise).into_iter();
    let mut finalists: Vec<(f32, Found)> = finalists
        .map(|expression| finish(expression, left))
        .map(|found| (worth(&found, left), found))
        .collect();
    finalists.sort_by(|a, b| b.0.total_cmp(&a.0));
    let runner_up = finalists
        .get(1)
        .map(|(_, second)| (second.body[0].to_string(), second.f1));
    let (_, mut best) = finalists.into_iter().next()?;
    best.runner_up = runner_up;
    Some(best)
}

/// F1 to expect that a strip costs, and that a body costs of which all would have to
/// be stripped: what needs little stripping goes wrong less on other pages.
const STRIP_COST: f32 = 0.001;
const STRIPPED_COST: f32 = 0.04;

fn worth(found: &Found, left: &[&PageEvidence<'_>]) -> f32 {
    let names = found.body.iter().map(longevity);
    let names = names.fold(f32::INFINITY, f32::min);
    let words = |strips: &[Expression]| -> f32 {
        let of = |page: &&PageEvidence<'_>| {
            let gone = strip::gone(strips, &found.body, page);
            super::select::amount(&found.body, page, &gone).words
        };
        left.iter().map(of).sum()
    };
    let (kept, whole) = (words(&found.strips), words(&[]));
    let stripped = if whole > 0.0 { 1.0 - kept / whole } else { 0.0 };
    found.f1 + names - STRIP_COST * found.strips.len() as f32 - STRIPPED_COST * stripped
}

/// The candidates with the highest mean F1 to expect: as they are, and as if all
/// noise inside were stripped.
fn candidates(left: &[&PageEvidence<'_>], noise: &strip::Noise) -> Vec<Expression> {
    // How much of the article each is seen to hold, over the pages.
    let mut seen: HashMap<Expression, f32> = HashMap::default();
    for page in left {
        let nothing = vec![false; page.blocks.len()];
        let mut of_page: HashSet<Expression> = HashSet::default();
        for (i, holder) in page.holders.iter().enumerate() {
            let amount = page.amount(holder.blocks.clone(), &nothing);
            if page.expected <= 0.0 || amount.likely < MIN_COVERAGE * page.expected {
                continue;
            }
            let own = Simple::of(page.page, holder.element);
            for last in &own {
                of_page.insert(Expression {
                    last: last.clone(),
                    within: None,
                });
            }
            for outer in around(page, i).take(AROUND) {
                let element = page.holders[outer].element;
                if is_page(page.page, element) {
                    continue;
                }
                for within in Simple::of(page.page, element) {
                    of_page.extend(own.iter().map(|last| Expression {
                        last: last.clone(),
                        within: Some(within.clone()),
                    }));
                }
            }
        }
        for expression in of_page {
            *seen.entry(expression).or_default() += 1.0;
        }
    }
    let enough = (left.len() as f32 * 0.3).ceil();
    let mut candidates: Vec<(Expression, f32)> = seen
        .into_iter()
        .filter(|(_, pages)| *pages >= enough)
        .collect();
    candidates
        .sort_by(|(a, pages_a), (b, pages_b)| pages_b.total_cmp(pages_a).then_with(|| a.cmp(b)));
    candidates.truncate(MAX_CANDIDATES);
    let asked: HashSet<&Simple> = candidates
        .iter()
        .flat_map(|(e, _)| std::iter::once(&e.last).chain(&e.within))
        .collect();
    let mut sums = vec![[0.0; 2]; candidates.len()];
    for page in left {
        let index = Index::of(page, &asked);
        let readings = [noise.gone(page), vec![false; page.blocks.len()]];
        for ((expression, _), sums) in candidates.iter().zip(&mut sums) {
            let holders = index.holders(expression, page);
            for (gone, sum) in readings.iter().zip(sums) {
                let mut amount = Amount::default();
                for &i in &holders {
                    amount.add(page.amount(page.holders[i].blocks.clone(), gone));
                }
                *sum += page.f1(amount);
            }
        }
    }
    let worth = |at: usize, reading: usize| {
        sums[at][reading] / left.len() as f32 + longevity(&candidates[at].0)
    };
    let mut finalists: Vec<usize> = Vec::new();
    for reading in 0..2 {
        let mut ranked: Vec<usize> = (0..candidates.len()).collect();
        ranked.sort_by(|&a, &b| {
            let by_name = || candidates[a].0.cmp(&candidates[b].0);
            worth(b, reading)
                .total_cmp(&worth(a, reading))
                .then_with(by_name)
        });
        ranked.truncate(FINALISTS);
        finalists.extend(ranked);
    }
    finalists.sort_unstable();
    finalists.dedup();
    finalists
        .into_iter()
        .map(|at| candidates[at].0.clone())
        .collect()
}

/// A body with its strips, and with what of the article stands outside of it.
fn finish(expression: Expression, left: &[&PageEvidence<'_>]) -> Found {
    let mut body = vec![expression];
    let mut strips = strip::learn(&body, left);
    let mut f1 = mean_f1(&body, &strips, left);
    while body.len() < MAX_PIECES {
        let Some((piece, gained)) = piece(&body, &strips, f1, left) else {
            break;
        };
        body.push(piece);
        f1 = gained;
        strips = strip::learn(&body, left);
        f1 = f1.max(mean_f1(&body, &strips, left));
    }
    Found {
        strip: strips.iter().map(|s| strip::xpath(s, &body)).collect(),
        body,
        f1,
        runner_up: None,
        strips,
    }
}

fn mean_f1(body: &[Expression], strips: &[Expression], left: &[&PageEvidence<'_>]) -> f32 {
    let of = |page: &&PageEvidence<'_>| {
        let gone = strip::gone(strips, body, page);
        page.f1(super::select::amount(body, page, &gone))
    };
    left.iter().map(of).sum::<f32>() / left.len() as f32
}

/// Another piece of the body, beside those that are known.
fn piece(
    body: &[Expression],
    strips: &[Expression],
    f1: f32,
    left: &[&PageEvidence<'_>],
) -> Option<(Expression, f32)> {
    let mut outside: HashMap<Expression, (Amount, f32)> = HashMap::default();
    for page in left {
        let known = ranges(body, page);
        if known.is_empty() {
            // A page of another layout.
            continue;
        }
        let nothing = vec![false; page.blocks.len()];
        for holder in &page.holders {
            let blocks = &holder.blocks;
            let touches = |range: &std::ops::Range<usize>| {
                range.start < blocks.end && blocks.start < range.end
            };
            let amount = page.amount(blocks.clone(), &nothing);
            if blocks.is_empty() || amount.share() < 0.5 || known.iter().any(touches) {
                continue;
            }
            for last in Simple::of(page.page, holder.element) {
                if last.is_named() {
                    let entry = outside
                        .entry(Expression { last, within: None })
                        .or_default();
                    entry.0.add(amount);
                    entry.1 += 1.0;
                }
            }
        }
    }
    let mut likely: Vec<(Expression, Amount)> = outside
        .into_iter()
        .filter(|(_, (amount, pages))| *pages >= left.len() as f32 * 0.3 && amount.likely > 0.0)
        .map(|(expression, (amount, _))| (expression, amount))
        .collect();
    likely.sort_by(|a, b| {
        b.1.likely
            .total_cmp(&a.1.likely)
            .then_with(|| a.0.cmp(&b.0))
    });
    likely
        .into_iter()
        .take(FINALISTS)
        .map(|(expression, _)| {
            let with: Vec<Expression> = body.iter().cloned().chain([expression.clone()]).collect();
            let gained = mean_f1(&with, strips, left);
            (expression, gained)
        })
        .filter(|(_, gained)| *gained > f1 + PIECE_GAIN)
        .max_by(|a, b| a.1.total_cmp(&b.1))
}
