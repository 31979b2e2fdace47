//! The choice of a field's expressions.

use super::field::ArticleField;
use super::gather::FieldCandidate;
use super::selector::FieldSelector;
use super::truth::Truth;
use crate::wrapper::expression::literal;
use crate::wrapper::{DateField, Support};
use foldhash::{HashMap, HashMapExt};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// Expressions of a field at the most, tried in order.
const MAX_EXPRESSIONS: usize = 3;

/// Pages that an expression must be right on.
const MIN_RIGHT: usize = 2;

/// Of ten pages that it gives a value on, so many must be right.
const MIN_RIGHT_OF_TEN: usize = 8;

/// Pages that must be one author's, by the feed, for all of a site to be.
const MIN_BY_ONE: usize = 3;

/// The expressions of a field.
#[derive(Debug)]
pub(super) struct ChosenField {
    /// Tried in order, with the format of dates; none where the metadata is as good.
    pub expressions: Vec<DateField>,
    pub support: Support,
}

/// An expression's answers.
#[derive(Debug, Clone)]
struct JudgedSelector<'p> {
    key: FieldSelector<'p>,
    /// Only the first of the values counts: others of the name are other articles'.
    first: bool,
    format: Option<&'static str>,
    /// By page: nothing, or whether it is right (`false` too where nobody knows).
    answers: Vec<Option<bool>>,
    right: usize,
    wrong: usize,
    /// Pages with a value that is no date as it is read: the order of its numbers is open.
    unread: usize,
}

/// `None` where it is known of fewer than two pages what is right.
pub(super) fn choose<'p>(
    field: ArticleField,
    found: &[FieldCandidate<'p>],
    truths: &[Truth],
) -> Option<ChosenField> {
    let known = truths.iter().filter(|truth| truth.knows(field));
    let of = known.clone().count();
    if of < MIN_RIGHT {
        return None;
    }
    let metadata = known.clone().filter(|truth| truth.said(field).1).count();
    let by_feed = known.clone().any(|truth| truth.is_by_feed(field));
    // Most names of one element give the same: the same places of the same pages.
    let mut known_values: HashMap<Vec<(usize, *const str)>, Option<JudgedSelector<'_>>> =
        HashMap::new();
    let mut judged: Vec<JudgedSelector<'_>> = Vec::new();
    for found in found
        .iter()
        .filter(|found| given(field, found, truths) >= MIN_RIGHT)
    {
        let places = found.values.iter().enumerate().flat_map(|(at, values)| {
            let places = values.iter().map(|value| std::ptr::from_ref(*value));
            places.map(move |place| (at, place))
        });
        let same = known_values
            .entry(places.collect())
            .or_insert_with(|| judge(field, found, truths));
        let of_key = same.iter().map(|same| JudgedSelector {
            key: found.key,
            ..same.clone()
        });
        judged.extend(of_key);
    }
    judged.sort_by_cached_key(|j| {
        let xpath = j.key.xpath();
        let score = (j.right as isize) - (j.wrong as isize);
        (
            -score,
            j.key.rank(field),
            j.key.outer.is_some(),
            xpath.len(),
            xpath,
        )
    });
    let chain = chain(&judged);
    let answer = |at: usize| chain.iter().find_map(|j| j.answers[at]);
    let mut right = 0;
    let mut wrong = 0;
    let mut gained = 0;
    for (at, truth) in truths.iter().enumerate() {
        let (said, said_right) = truth.said(field);
        match (answer(at), truth.knows(field)) {
            (Some(answer), true) => {
                right += usize::from(answer);
                wrong += usize::from(!answer);
            }
            (None, true) => right += usize::from(said_right),
            (Some(_), false) => gained += usize::from(!said),
            (None, false) => {}
        }
    }
    let better = right > metadata || (gained > 0 && right == metadata && wrong == 0);
    let only_author =
        only_author(truths).filter(|_| field == ArticleField::Author && metadata == 0);
    let expressions = if better {
        chain
            .iter()
            .map(|j| DateField {
                xpath: j.xpath(),
                format: j.format.map(str::to_owned),
            })
            .collect()
    } else {
        right = metadata;
        let by_name = only_author.map(|name| {
            right = of;
            DateField {
                xpath: literal(name),
                format: None,
            }
        });
        by_name.into_iter().collect()
    };
    Some(ChosenField {
        expressions,
        support: Support {
            pages: of,
            right,
            metadata,
            source: if by_feed { "feed" } else { "metadata" }.to_owned(),
        },
    })
}

/// The author of all pages by the feed, if it has enough of them.
fn only_author(truths: &[Truth]) -> Option<&str> {
    let known = truths
        .iter()
        .filter(|truth| truth.knows(ArticleField::Author));
    let names: Vec<&str> = known.map(Truth::only_author).collect::<Option<_>>()?;
    let (first, others) = names.split_first()?;
    let is_only = names.len() >= MIN_BY_ONE && others.iter().all(|name| name == first);
    is_only.then_some(first)
}

/// The expression with the format under which most is right; `None` where that is
/// too little.
fn judge<'p>(
    field: ArticleField,
    found: &FieldCandidate<'p>,
    truths: &[Truth],
) -> Option<JudgedSelector<'p>> {
    let mut best: Option<JudgedSelector<'p>> = None;
    let are_several = found.values.iter().any(|values| values.len() > 1);
    let firsts: &[bool] = match field {
        ArticleField::Author if are_several => &[false, true],
        _ => &[false],
    };
    let ways = firsts
        .iter()
        .flat_map(|&first| Truth::formats(field).map(move |f| (first, f)));
    for (first, format) in ways {
        let Some(judged) = judge_as(field, found, truths, first, format) else {
            continue;
        };
        let is_perfect = judged.wrong == 0 && judged.unread == 0;
        let rank = |judged: &JudgedSelector<'_>| (judged.right, Reverse(judged.unread));
        if best.as_ref().is_none_or(|best| rank(&judged) > rank(best)) {
            best = Some(judged);
        }
        if is_perfect {
            break;
        }
    }
    let best = best?;
    // What is the same on every page is no title.
    let varies = field != ArticleField::Title || {
        let titles = best.answers.iter().zip(truths);
        let right = titles.filter(|(answer, _)| **answer == Some(true));
        right
            .filter_map(|(_, truth)| truth.title())
            .collect::<BTreeSet<_>>()
            .len()
            >= MIN_RIGHT
    };
    varies.then_some(best)
}

/// Pages on which an expression gives something and it is known what is right.
fn given(field: ArticleField, found: &FieldCandidate<'_>, truths: &[Truth]) -> usize {
    let pages = found.values.iter().zip(truths);
    let given = pages.filter(|(values, truth)| truth.knows(field) && !values.is_empty());
    given.count()
}

/// The answers of an expression, read in one way; `None` if they are right on too few
/// pages. Most expressions are, and are not asked on more pages than it takes to know that.
fn judge_as<'p>(
    field: ArticleField,
    found: &FieldCandidate<'p>,
    truths: &[Truth],
    first: bool,
    format: Option<&'static str>,
) -> Option<JudgedSelector<'p>> {
    let given = given(field, found, truths);
    let enough = (MIN_RIGHT_OF_TEN * given).div_ceil(10).max(MIN_RIGHT);
    let may_be_wrong = given.checked_sub(enough)?;
    let (mut wrong, mut unread) = (0, 0);
    let mut answers: Vec<Option<bool>> = Vec::with_capacity(truths.len());
    for (values, truth) in found.values.iter().zip(truths) {
        let values = &values[..if first { 1 } else { values.len() }.min(values.len())];
        let is_known = truth.knows(field) && !values.is_empty();
        let right = is_known && truth.is_right(field, values, format);
        wrong += usize::from(is_known && !right);
        if wrong > may_be_wrong {
            return None;
        }
        let is_unread = |raw: &&str| !right && truth.moment(raw, format).is_none();
        let is_date = field == ArticleField::Date;
        unread += usize::from(is_date && values.first().is_some_and(is_unread));
        answers.push((!values.is_empty()).then_some(right));
    }
    Some(JudgedSelector {
        key: found.key,
        first,
        format,
        right: given - wrong,
        wrong,
        unread,
        answers,
    })
}

impl JudgedSelector<'_> {
    fn xpath(&self) -> String {
        let xpath = self.key.xpath();
        if self.first {
            format!("({xpath})[1]")
        } else {
            xpath
        }
    }
}

/// The best expression, then those that are right where the ones before say nothing
/// and wrong nowhere there.
fn chain<'a, 'p>(judged: &'a [JudgedSelector<'p>]) -> Vec<&'a JudgedSelector<'p>> {
    let mut chain: Vec<&JudgedSelector<'p>> = judged.first().into_iter().collect();
    for next in judged.iter().skip(1) {
        if chain.len() == MAX_EXPRESSIONS {
            break;
        }
        let open = |at: usize| chain.iter().all(|j| j.answers[at].is_none());
        let new = next.answers.iter().enumerate().filter(|(at, _)| open(*at));
        let new: Vec<bool> = new.filter_map(|(_, answer)| *answer).collect();
        if !new.is_empty() && new.iter().all(|&right| right) {
            chain.push(next);
        }
    }
    chain
}
