//! The settings of a harvest, each with its default.

use crate::RequisiteOptions;
use forest_core::learn::DEFAULT_SAMPLE;

/// The settings of a harvest.
///
/// ```
/// use forest_harvest::HarvestOptions;
///
/// let options = HarvestOptions::default().with_sample(20);
/// assert_eq!(options.sample(), 20);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HarvestOptions {
    sample: usize,
    learn: bool,
    batch: usize,
    requisites: Option<RequisiteOptions>,
}

impl HarvestOptions {
    /// Pages that are written together. Each batch waits for the disk once.
    pub const BATCH: usize = 64;

    /// Sets the pages that a wrapper is learned from ([`DEFAULT_SAMPLE`]).
    #[must_use]
    pub fn with_sample(mut self, pages: usize) -> Self {
        self.sample = pages.max(2);
        self
    }

    /// Sets if wrappers are learned, and learned again (yes). Without, pages are read by the
    /// wrappers that are there, or one by one.
    #[must_use]
    pub fn with_learning(mut self, learn: bool) -> Self {
        self.learn = learn;
        self
    }

    /// Sets the pages that are written together ([`BATCH`](Self::BATCH)).
    #[must_use]
    pub fn with_batch(mut self, pages: usize) -> Self {
        self.batch = pages.max(1);
        self
    }

    /// Sets if pictures of articles, style sheets and fonts are fetched (no).
    #[must_use]
    pub fn with_requisites(mut self, options: Option<RequisiteOptions>) -> Self {
        self.requisites = options;
        self
    }

    /// The settings of pictures, style sheets and fonts, if they are fetched.
    pub fn requisites(&self) -> Option<&RequisiteOptions> {
        self.requisites.as_ref()
    }

    /// Pages that a wrapper is learned from.
    pub fn sample(&self) -> usize {
        self.sample
    }

    /// Returns true if wrappers are learned.
    pub fn learns(&self) -> bool {
        self.learn
    }

    /// Pages that are written together.
    pub fn batch(&self) -> usize {
        self.batch
    }
}

impl Default for HarvestOptions {
    fn default() -> Self {
        HarvestOptions {
            sample: DEFAULT_SAMPLE,
            learn: true,
            batch: Self::BATCH,
            requisites: None,
        }
    }
}
