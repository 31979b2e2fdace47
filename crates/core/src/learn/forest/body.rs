//! The expression of the body.

use super::FoundTemplate;
use super::evidence::{LikelyWords, PageEvidence, RemainingBlocks, SampleEvidence};
use super::ranking::PatternRanking;
use super::select::{self, BodySelector};
use super::selectors::{ElementSelector, SelectorId, SelectorTable, SelectorTest};
use super::strip::{self, Strip};
use foldhash::{HashMap, HashSet};

/// Share of the page's article that an element must have to be a candidate.
const MIN_COVERAGE: f32 = 0.1;

/// Candidates that are looked at with their strips.
const FINALISTS: usize = 4;

/// Candidates of which it is counted what they select.
const MAX_CANDIDATES: usize = 3000;

/// F1 to expect, with what names and strips are worth, by which two bodies may differ for
/// the relevance of their patterns to decide.
const NEAR_TIE: f32 = 0.002;

/// Pieces of a body at the most.
const MAX_PIECES: usize = 3;

/// The worth of a selector in F1 to expect: so much is given up for an expression that
/// lives longer. Of selectors as good as the chosen one, those that still work in a site's
/// next era (`docs/experiments.md`): `article` or `main` 24 of 46, tokens of a class 59
/// of 238, ids 12 of 54, `itemprop` and `role` 2 of 13, beginnings 4 of 27, looks 0 of 6.
fn longevity(expression: BodySelector, sample: &SampleEvidence<'_>) -> f32 {
    let selectors = &sample.selectors;
    sample.limits.longevity * of_names(expression, selectors)
}

pub(super) fn of_names(expression: BodySelector, selectors: &SelectorTable) -> f32 {
    let of = |compound: &ElementSelector| match (&compound.test, compound.is_named()) {
        (SelectorTest::Any, true) => 0.007,
        (SelectorTest::Class(_), _) => 0.005,
        (SelectorTest::Id(_), _) => 0.0045,
        (SelectorTest::Role(..), _) => 0.004,
        (SelectorTest::IdStart(_) | SelectorTest::ClassStart(_), _) => 0.003,
        (
            SelectorTest::Attribute(..)
            | SelectorTest::Looks(_)
            | SelectorTest::Text(_)
            | SelectorTest::Numbers,
            _,
        ) => 0.0,
        (SelectorTest::Any, false) => NAMELESS_LAST,
    };
    let last = &selectors[expression.last];
    match expression.within {
        None if !last.is_named() => NAMELESS,
        None => of(last),
        Some(within) if !last.is_named() && !selectors[within].is_named() => NAMELESS,
        Some(within) => of(last).min(of(&selectors[within])) - 0.002,
    }
}

/// F1 that is given up for not selecting a tag alone: `//p` fits any layout, and other
/// text of it.
const NAMELESS: f32 = -0.5;

/// The same for a tag alone inside of something with a selector.
const NAMELESS_LAST: f32 = -0.05;

/// True if no piece of a body has a name, and the pages show as much by their own shape.
pub(super) fn says_nothing(found: &FoundTemplate, sample: &SampleEvidence<'_>) -> bool {
    let is_nameless = |piece: &BodySelector| of_names(*piece, &sample.selectors) <= NAMELESS;
    found.body.iter().all(is_nameless) && found.f1 <= sample.alone()
}

/// The best body for the pages `left`; all pages of the `sample` show what is not the
/// article's.
pub(super) fn find(
    left: &[&PageEvidence<'_>],
    sample: &SampleEvidence<'_>,
    ranking: &PatternRanking<'_>,
) -> Option<FoundTemplate> {
    let selectors = &sample.selectors;
    let noise = strip::noise(sample);
    let mut all = seen(left, selectors);
    let by_name: HashSet<BodySelector> = all.iter().copied().collect();
    let of_patterns = ranking.candidates.iter().copied();
    all.extend(of_patterns.filter(|expression| !by_name.contains(expression)));
    all.retain(|expression| expression.identifies(sample));
    let finalists = candidates(left, all, &noise, sample).into_iter();
    let mut finalists: Vec<(f32, FoundTemplate)> = finalists
        .map(|expression| finish(expression, left, sample))
        .map(|found| (worth(&found, left, sample), found))
        .collect();
    finalists.sort_by(|a, b| b.0.total_cmp(&a.0));
    let rank = |found: &FoundTemplate| Some(ranking.standing(&found.body, left)?.rank);
    let best = finalists.first()?.0;
    let near = finalists.partition_point(|(worth, _)| *worth >= best - NEAR_TIE);
    finalists[..near].sort_by_cached_key(|(_, found)| rank(found).unwrap_or(usize::MAX));
    let runner_up = finalists
        .get(1)
        .map(|(_, second)| (second.body[0].xpath(selectors), second.f1));
    let (_, mut best) = finalists.into_iter().next()?;
    best.runner_up = runner_up;
    Some(best)
}

fn worth(found: &FoundTemplate, left: &[&PageEvidence<'_>], sample: &SampleEvidence<'_>) -> f32 {
    let of_names = found.body.iter().map(|&piece| longevity(piece, sample));
    let of_names = of_names.fold(f32::INFINITY, f32::min);
    let (mut kept, mut whole) = (0.0, 0.0);
    for page in left {
        kept += found.on(page).words;
        let tops = select::tops(&found.body, page);
        whole += select::amount(&tops, page, &RemainingBlocks::whole(page)).words;
    }
    let stripped = if whole > 0.0 { 1.0 - kept / whole } else { 0.0 };
    let limits = &sample.limits;
    let of_strips = limits.strip_cost * found.strips.len() as f32 + limits.stripped_cost * stripped;
    found.f1 + of_names - of_strips
}

/// Those of the candidates with the highest mean F1 to expect: as they are, and as if all
/// noise inside were stripped.
fn candidates(
    left: &[&PageEvidence<'_>],
    candidates: Vec<BodySelector>,
    noise: &strip::NoiseSelectors,
    sample: &SampleEvidence<'_>,
) -> Vec<BodySelector> {
    let selectors = &sample.selectors;
    let mut sums = vec![[0.0; 2]; candidates.len()];
    for page in left {
        let readings = [noise.without(page), RemainingBlocks::whole(page)];
        for (expression, sums) in candidates.iter().zip(&mut sums) {
            let elements = expression.elements(page);
            for (rest, sum) in readings.iter().zip(sums) {
                *sum += page.f1_or_alone(select::amount(&elements, page, rest));
            }
        }
    }
    let worth = |at: usize, reading: usize| {
        sums[at][reading] / left.len() as f32 + longevity(candidates[at], sample)
    };
    let mut finalists: Vec<usize> = Vec::new();
    for reading in 0..2 {
        let mut ranked: Vec<usize> = (0..candidates.len()).collect();
        ranked.sort_by(|&a, &b| {
            let by_name = || candidates[a].order(&candidates[b], selectors);
            worth(b, reading)
                .total_cmp(&worth(a, reading))
                .then_with(by_name)
        });
        // Other selectors of the same elements have the same sums.
        let mut own: Vec<usize> = Vec::new();
        for at in ranked {
            if own.len() < FINALISTS && own.iter().all(|&known| sums[known] != sums[at]) {
                own.push(at);
            }
        }
        finalists.extend(own);
    }
    finalists.sort_unstable();
    finalists.dedup();
    finalists.into_iter().map(|at| candidates[at]).collect()
}

/// The expressions that select a part of the article of enough pages, those of most
/// pages first.
fn seen(left: &[&PageEvidence<'_>], selectors: &SelectorTable) -> Vec<BodySelector> {
    let mut seen: HashMap<BodySelector, f32> = HashMap::default();
    for page in left {
        let rest = RemainingBlocks::whole(page);
        let mut of_page: HashSet<BodySelector> = HashSet::default();
        for (i, element) in page.elements.iter().enumerate() {
            let amount = rest.held(element);
            if page.expected <= 0.0 || amount.likely < MIN_COVERAGE * page.expected {
                continue;
            }
            select::steps_to(page, i, selectors, &mut of_page);
        }
        for expression in of_page {
            *seen.entry(expression).or_default() += 1.0;
        }
    }
    let enough = (left.len() as f32 * 0.3).ceil();
    let mut seen: Vec<(BodySelector, f32)> = seen.into_iter().filter(|s| s.1 >= enough).collect();
    seen.sort_by(|(a, of_a), (b, of_b)| of_b.total_cmp(of_a).then_with(|| a.order(b, selectors)));
    seen.truncate(MAX_CANDIDATES);
    seen.into_iter().map(|(expression, _)| expression).collect()
}

/// A body with its strips, and with what of the article stands outside of it.
fn finish(
    expression: BodySelector,
    left: &[&PageEvidence<'_>],
    sample: &SampleEvidence<'_>,
) -> FoundTemplate {
    let mut body = vec![expression];
    let mut strips = strip::learn(&body, left, sample);
    let mut f1 = mean_f1(&body, &strips, left);
    while body.len() < MAX_PIECES {
        let Some((piece, gained)) = piece(&body, &strips, f1, left, sample) else {
            break;
        };
        body.push(piece);
        f1 = gained;
        strips = strip::learn(&body, left, sample);
        f1 = f1.max(mean_f1(&body, &strips, left));
    }
    FoundTemplate {
        body,
        f1,
        runner_up: None,
        standing: None,
        strips,
    }
}

fn mean_f1(body: &[BodySelector], strips: &[Strip], left: &[&PageEvidence<'_>]) -> f32 {
    let of = |page: &&PageEvidence<'_>| {
        let rest = strip::without(strips, body, page);
        page.f1_or_alone(select::amount(&select::tops(body, page), page, &rest))
    };
    left.iter().map(of).sum::<f32>() / left.len() as f32
}

/// Another piece of the body, beside those that are known.
fn piece(
    body: &[BodySelector],
    strips: &[Strip],
    f1: f32,
    left: &[&PageEvidence<'_>],
    sample: &SampleEvidence<'_>,
) -> Option<(BodySelector, f32)> {
    let selectors = &sample.selectors;
    let mut outside: HashMap<SelectorId, (LikelyWords, f32)> = HashMap::default();
    for page in left {
        let known = select::ranges(&select::tops(body, page), page);
        if known.is_empty() {
            // A page of another layout.
            continue;
        }
        let rest = RemainingBlocks::whole(page);
        for element in page
            .elements
            .iter()
            .filter(|element| element.part.is_none())
        {
            let blocks = &element.blocks;
            let touches = |range: &std::ops::Range<usize>| {
                range.start < blocks.end && blocks.start < range.end
            };
            let amount = rest.held(element);
            if blocks.is_empty() || amount.share() < 0.5 || known.iter().any(touches) {
                continue;
            }
            for &selector in element
                .selectors
                .iter()
                .filter(|&&selector| selectors[selector].is_named())
            {
                let entry = outside.entry(selector).or_default();
                entry.0.add(amount);
                entry.1 += 1.0;
            }
        }
    }
    let mut likely: Vec<(BodySelector, LikelyWords)> = outside
        .into_iter()
        .filter(|(_, (amount, pages))| *pages >= left.len() as f32 * 0.3 && amount.likely > 0.0)
        .map(|(last, (amount, _))| (BodySelector { last, within: None }, amount))
        .collect();
    likely.sort_by(|a, b| {
        let by_name = || a.0.order(&b.0, selectors);
        b.1.likely.total_cmp(&a.1.likely).then_with(by_name)
    });
    likely
        .into_iter()
        .take(FINALISTS)
        .map(|(expression, _)| {
            let with: Vec<BodySelector> = body.iter().copied().chain([expression]).collect();
            let gained = mean_f1(&with, strips, left);
            (expression, gained)
        })
        .filter(|(_, gained)| *gained > f1 + sample.limits.piece_gain)
        .max_by(|a, b| a.1.total_cmp(&b.1))
}
