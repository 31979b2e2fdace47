//! A site is learned again, and the new wrapper is proved before it is trusted.
//!
//! Takes a [`RelearnTrial`]: the active wrapper, pages that it was good at, and the newest pages,
//! with what the feed says of each; gives a [`Decision`] ([`relearn`]). Pure, and without
//! gold: a wrapper's *worth* on a page is what [`check`](super) makes of it
//! ([`PageSign::worth`]), the F1 to expect by block scores, which know no wrapper, nothing
//! where the text has none of the feed's words.
//!
//! 1. It is learned from the newest pages that are fit: no walls, error pages, lists,
//!    copies ([`sort_out`](crate::learn::sort_out)), and no page that has next to none of
//!    the words that its feed item says of it: such pages teach nothing.
//! 2. The new wrapper is scored on pages that it has not seen: where there are
//!    [`HALVES`], what is learned from one half is scored on the other.
//! 3. It is promoted if it is worth more than the old one on the newest pages by
//!    [`MARGIN`], is worth [`GOOD`] there, and is worse by no more than [`NO_WORSE`] on those
//!    of them that the old one still finds. Where a person asks for it ([`RelearnTrial::is_asked`]),
//!    it need not be better, and is scored on the pages that it was learned from, as the old one.
//! 4. If it is worse there, a part of the site still has the old layout: the templates
//!    are joined, the new ones behind the old or before them, and the joint wrapper must
//!    pass the same test, and be no worse on the stored pages.
//!
//! Stored pages that are of the old layout alone do not keep a new wrapper out: they are
//! old, and old pages keep the wrapper of their time
//! ([`Wrapper::at`](crate::wrapper::Wrapper::at)).
//!
//! This stage does not know whether a wrapper was edited by hand: the keeper of the file
//! does not replace such a wrapper.

#[cfg(test)]
mod tests;

use super::{ItemWords, PageSign, observe};
use crate::extract::Extractor;
use crate::learn::{
    AbstentionReason, LearnOptions, LearnOutcome, Learned, SamplePage, SampleVerdict, learn_from,
};
use crate::wrapper::Wrapper;
use crate::wrapper::history::Side;
use forest_html::error::counted;
use forest_html::page::Mask;
use std::fmt;

/// By so much the new wrapper must be worth more on the newest pages. Two wrappers of two
/// samples of one layout differ by less: `docs/experiments.md`, "Drift",
/// says what became of 346 sites that had not changed.
pub const MARGIN: f64 = 0.05;

/// So much it must be worth there, the least that is no drift.
pub const GOOD: f64 = 0.7;

/// By so much it may be worth less on pages that the old one still finds.
pub const NO_WORSE: f64 = 0.02;

/// Fit pages from which on a wrapper is scored on pages that it was not learned from.
pub const HALVES: usize = 4;

/// The wrappers and pages of a trial.
#[derive(Debug, Clone, Copy)]
pub struct RelearnTrial<'a> {
    /// The active wrapper.
    pub old: &'a Extractor,
    /// Pages that it was good at.
    pub stored: &'a [&'a SamplePage],
    /// The newest pages, whatever they are.
    pub newest: &'a [&'a SamplePage],
    /// A person asks for a new wrapper: it need not be better, if it is no worse.
    pub is_asked: bool,
}

/// The decision of a trial.
#[derive(Debug)]
pub enum Decision {
    /// The new wrapper becomes the active one.
    Promote(Box<Promotion>),
    /// The old one stays.
    Keep(KeepReason),
}

/// A wrapper that has proved itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Promotion {
    /// The wrapper, with the old one in its history.
    pub wrapper: Wrapper,
    /// The fate of the old templates.
    pub old_templates: OldTemplates,
    /// The worth of both wrappers.
    pub worth: Worth,
    /// A sentence for each label that the new wrapper does not obey.
    pub warnings: Vec<String>,
}

/// The fate of the old wrapper's templates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OldTemplates {
    /// They are in the history.
    Replaced,
    /// They are still tried, on the other side of the new ones.
    Joined(Side),
}

/// The worth of the old and of the new wrapper, each 0..=1, and the number of pages on which it is
/// known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Worth {
    /// The old one on the newest pages that are fit.
    pub old: f64,
    /// The new one on them.
    pub new: f64,
    /// Fit pages among the newest.
    pub pages: usize,
    /// The old one on the stored pages, and the new one; `None` where none is stored.
    pub stored: Option<(f64, f64)>,
}

/// Why the old wrapper stays.
#[derive(Debug, Clone, PartialEq)]
pub enum KeepReason {
    /// Nothing was learned from the newest pages.
    Abstained(AbstentionReason),
    /// Most of the newest pages are not those of the feed's items.
    OtherPages {
        /// Their number.
        pages: usize,
        /// Of so many.
        of: usize,
    },
    /// The new one is not better on the newest pages by [`MARGIN`].
    NotBetter(Worth),
    /// It is better, and not [`GOOD`].
    NotGood(Worth),
    /// It is worse where the old one still finds the articles, joined or not.
    Worse(Worth),
}

impl fmt::Display for Worth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "on {} the old wrapper is worth {:.3}, the new one {:.3}",
            counted(self.pages, "new page", "new pages"),
            self.old,
            self.new
        )?;
        match self.stored {
            Some((old, new)) => write!(f, "; on stored pages {old:.3} and {new:.3}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for KeepReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KeepReason::Abstained(reason) => write!(f, "nothing was learned: {reason}"),
            KeepReason::OtherPages { pages, of } => {
                let new = counted(*of, "new page", "new pages");
                let (have, them) = match pages {
                    1 => ("has", "it"),
                    _ => ("have", "them"),
                };
                write!(
                    f,
                    "{pages} of {new} {have} none of the words that the feed says of {them}"
                )
            }
            KeepReason::NotBetter(worth) => write!(f, "the new wrapper is not better: {worth}"),
            KeepReason::NotGood(worth) => write!(f, "the new wrapper is not good enough: {worth}"),
            KeepReason::Worse(worth) => {
                write!(
                    f,
                    "the new wrapper loses articles that the old one finds: {worth}"
                )
            }
        }
    }
}

impl fmt::Display for Promotion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.old_templates {
            OldTemplates::Replaced => write!(f, "replaced: {}", self.worth),
            OldTemplates::Joined(Side::Front) => {
                write!(f, "new templates before the old ones: {}", self.worth)
            }
            OldTemplates::Joined(Side::Behind) => {
                write!(f, "new templates behind the old ones: {}", self.worth)
            }
        }
    }
}

/// Learns a site again from its newest pages and proves the new wrapper on them and on the
/// stored ones. `options` say how to learn, and when it is learned; `until`, RFC 3339, is
/// when the old one goes out of force.
pub fn relearn(trial: &RelearnTrial<'_>, options: &LearnOptions, until: &str) -> Decision {
    let own: Vec<&SamplePage> = trial
        .newest
        .iter()
        .copied()
        .filter(|p| is_of_feed(p))
        .collect();
    let options = &options.clone().with_corrections_of(trial.old.wrapper());
    let others = trial.newest.len() - own.len();
    if others > own.len() {
        let of = trial.newest.len();
        return Decision::Keep(KeepReason::OtherPages { pages: others, of });
    }
    let with_tests = options.clone().with_articles(true);
    let (learned, fit) = match learned_from(&own, &with_tests) {
        Ok(found) => found,
        Err(reason) => return Decision::Keep(KeepReason::Abstained(reason)),
    };
    let warnings = learned.warnings;
    let Ok(new) = Extractor::new(learned.wrapper) else {
        debug_assert!(false, "learned expressions compile");
        return Decision::Keep(KeepReason::Abstained(AbstentionReason::NoSignifiers));
    };
    let old = worths(trial.old, &fit, options);
    let proved = if trial.is_asked {
        // The old one, too, may be of these pages.
        worths(&new, &fit, options)
    } else {
        proved(&new, &fit, options)
    };
    let margin = if trial.is_asked { -NO_WORSE } else { MARGIN };
    let stored = |new: &Extractor| {
        let mean_of = |extractor| mean(&worths(extractor, trial.stored, options));
        (!trial.stored.is_empty()).then(|| (mean_of(trial.old), mean_of(new)))
    };
    let worth = Worth {
        old: mean(&old),
        new: mean(&proved),
        pages: fit.len(),
        stored: stored(&new),
    };
    if worth.new < worth.old + margin {
        return Decision::Keep(KeepReason::NotBetter(worth));
    }
    if worth.new < GOOD {
        return Decision::Keep(KeepReason::NotGood(worth));
    }
    let promote = |new: Wrapper, old_templates, worth| {
        let wrapper = new.succeed(trial.old.wrapper().clone(), until);
        Decision::Promote(Box::new(Promotion {
            wrapper,
            old_templates,
            worth,
            warnings: warnings.clone(),
        }))
    };
    let loses = |new: &[f64]| {
        let both = old.iter().zip(new).filter(|(old, _)| **old >= GOOD);
        let (before, after): (Vec<f64>, Vec<f64>) = both.unzip();
        mean(&after) < mean(&before) - NO_WORSE
    };
    if !loses(&proved) {
        return promote(new.wrapper().clone(), OldTemplates::Replaced, worth);
    }
    for side in [Side::Behind, Side::Front] {
        let joined = new
            .wrapper()
            .clone()
            .join(trial.old.wrapper().clone(), side);
        let Ok(extractor) = Extractor::new(joined) else {
            continue;
        };
        let here = worths(&extractor, &fit, options);
        let joint = Worth {
            new: mean(&here),
            stored: stored(&extractor),
            ..worth
        };
        let keeps_stored = joint.stored.is_none_or(|(old, new)| new >= old - NO_WORSE);
        if keeps_stored && !loses(&here) && joint.new >= worth.old + margin && joint.new >= GOOD {
            return promote(
                extractor.wrapper().clone(),
                OldTemplates::Joined(side),
                joint,
            );
        }
    }
    Decision::Keep(KeepReason::Worse(worth))
}

/// The result of learning, and the pages that it is learned from.
fn learned_from<'a>(
    pages: &[&'a SamplePage],
    options: &LearnOptions,
) -> Result<(Box<Learned>, Vec<&'a SamplePage>), AbstentionReason> {
    match learn_from(pages, options) {
        LearnOutcome::Learned(learned) => {
            let judged = pages.iter().zip(&learned.verdicts);
            let fit = judged.filter(|(_, verdict)| **verdict == SampleVerdict::Good);
            let fit = fit.map(|(page, _)| *page).collect();
            Ok((learned, fit))
        }
        LearnOutcome::Abstained(abstention) => Err(abstention.reason),
    }
}

/// The worth of the new wrapper on each of its pages: by wrappers of the half that the
/// page is not in, where there are enough pages for it and both halves teach.
fn proved(new: &Extractor, fit: &[&SamplePage], options: &LearnOptions) -> Vec<f64> {
    if fit.len() >= HALVES {
        // Two and two: a feed's order is that of time, and where two layouts take turns
        // each half needs both.
        let half_of = |at: usize| at / 2 % 2;
        let learned = [0, 1].map(|half| {
            let of_half = fit.iter().enumerate();
            let of_half = of_half.filter(|(at, _)| half_of(*at) == half);
            let pages: Vec<&SamplePage> = of_half.map(|(_, page)| *page).collect();
            let (learned, _) = learned_from(&pages, options).ok()?;
            Extractor::new(learned.wrapper).ok()
        });
        if let [Some(of_first), Some(of_second)] = &learned {
            let by_other = |(at, page): (usize, &&SamplePage)| match half_of(at) {
                0 => worth_on(of_second, page, options),
                _ => worth_on(of_first, page, options),
            };
            return fit.iter().enumerate().map(by_other).collect();
        }
    }
    worths(new, fit, options)
}

/// The worth of a wrapper on a page: 0 if it finds no article.
fn worth_on(extractor: &Extractor, sample: &SamplePage, options: &LearnOptions) -> f64 {
    let item = sample.item_text();
    let observation = options.with_scored(&sample.page, |page| {
        observe(extractor, "", page, item.as_deref(), |_| None)
    });
    let sign = PageSign::of(extractor.wrapper(), &observation);
    sign.worth.unwrap_or_default()
}

fn worths(extractor: &Extractor, pages: &[&SamplePage], options: &LearnOptions) -> Vec<f64> {
    let worth = |page: &&SamplePage| worth_on(extractor, page, options);
    pages.iter().map(worth).collect()
}

/// The page has words that its feed item says, as far as there is one.
fn is_of_feed(sample: &SamplePage) -> bool {
    let Some(item) = sample.item_text() else {
        return true;
    };
    let words = ItemWords::of(&sample.page, &Mask::none(&sample.page), &item);
    !words.is_some_and(|words| words.is_of_other_page())
}

/// The mean; 0 of no numbers.
pub fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len().max(1) as f64
}
