//! A wrapper on the pages of another time: the verdict of the check, and the truth.

use forest_core::drift::relearn::OldTemplates;
use forest_core::drift::{PageObservation, Verdict};
use forest_core::learn::Method;

/// Below this mean F1 on the new pages a wrapper has drifted.
pub const RIGHT: f64 = 0.8;

/// The distance of the pages that were checked from those that were learned from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EraStep {
    /// None: they are halves of one era.
    Half,
    /// Every other of them is of the next era, the others are the other half of their own.
    Mixed,
    /// They are of an era and the next.
    Next,
    /// They are of an era and one after the next.
    Later,
}

impl EraStep {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            EraStep::Half => "half",
            EraStep::Mixed => "mixed",
            EraStep::Next => "next",
            EraStep::Later => "later",
        }
    }
}

/// The verdict of the check on a wrapper, on the pages of another time.
#[derive(Debug, Clone, PartialEq)]
pub struct DriftCase {
    /// The collection.
    pub collection: String,
    /// The method that learned.
    pub method: Method,
    /// The era that was learned from.
    pub from: String,
    /// The era that was checked.
    pub to: String,
    /// The distance between them.
    pub step: EraStep,
    /// Mean F1 on the pages that it was learned from.
    pub own: f64,
    /// F1 of each page that was checked.
    pub f1: Vec<f64>,
    /// The findings on each of them, with the words of its feed item.
    pub seen: Vec<PageObservation>,
    /// The verdict of the check.
    pub verdict: Verdict,
    /// The verdict without the words of the feed.
    pub without_feed: Verdict,
    /// After how many pages a watch that sees one after the other raised an alarm.
    pub alarm_after: Option<usize>,
    /// The result of learning the site again.
    pub relearned: Relearned,
}

/// The result of learning a site again, and of learning it afresh.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Relearned {
    /// The fate of the old templates; `None`: the old wrapper stayed.
    pub how: Option<OldTemplates>,
    /// Mean F1, on the pages that were checked, of the wrapper that is active then.
    pub f1: f64,
    /// The same of a wrapper that is learned from them alone; 0 where
    /// nothing was learned.
    pub afresh: f64,
    /// The same of the extractor without a wrapper, the fall-back.
    pub one_page: f64,
}

impl DriftCase {
    /// Mean F1 on the pages that were checked.
    pub fn mean(&self) -> f64 {
        mean(&self.f1)
    }

    /// True if, by gold, the wrapper no longer fits.
    pub fn drifted(&self) -> bool {
        self.step != EraStep::Half && self.mean() < RIGHT
    }
}

/// The mean; 0 of no numbers.
pub fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len().max(1) as f64
}
