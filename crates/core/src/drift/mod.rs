//! True if a wrapper still finds the articles of its site.
//!
//! Takes an [`Extractor`](crate::extract::Extractor) and pages one by one ([`observe()`]), and from what was
//! [`PageObservation`] of them makes a [`WrapperReport`] ([`report`]): a [`Verdict`], the status of
//! each page, and why. Pure, and each page for itself, so that pages can be looked
//! at in parallel.
//!
//! A page on which no template selects text is evidence against the wrapper, unless the page
//! holds no article ([`refusal`](crate::refusal)). If a template does, the text is compared
//! with known facts:
//!
//! - the right text, where there is gold;
//! - the texts that the wrapper's `tests` ask for;
//! - the lengths and link quotas that the wrapper expects; where it expects
//!   nothing, the lengths on the other pages;
//! - the block scores of [`onepage`](crate::onepage), which do not know the wrapper. They
//!   are wrong now and then, so that they count alone only if they disagree by far, else
//!   together with an odd length. If they were wrong on most pages of the sample, as all of
//!   them together show ([`Expect::agreement`](crate::wrapper::Expect::agreement)), they
//!   count alone only if they disagree more than there;
//! - what the feed says of the page: an [article](ItemWords) with next to none of its
//!   words, which stand on the page, is another;
//! - the confidence itself: a page below [`DOUBTFUL`](crate::extract::confidence::DOUBTFUL) is
//!   degraded, but no number of such pages makes a drift.
//!
//! A wrapper has drifted where most pages speak against it, or where it finds nothing on a
//! quarter of them.
//!
//! A harvest observes page by page: a [`SiteWatch`] takes the [`PageSign`] of each
//! and keeps a verdict that one bad page does not change.
//!
//! The thresholds stand in `verdict` and `watch`.
//!
//! **Measured** on the development gold and the feeds: wrappers of the first five pages
//! of each site, held against all its pages without their gold, by a model that has seen
//! these pages. Of `paper-nodfs`, 108 of 110 pages with an F1 below 0.5 are not `ok`, and
//! 35 of 1,232 with 0.9 or more; of 12 sites with a mean F1 below 0.5 eleven have
//! drifted, of 114 with 0.9 or more none.

mod item;
mod observation;
mod problem;
pub mod relearn;
#[cfg(test)]
mod tests;
mod verdict;
mod watch;

pub use item::ItemWords;
pub use observation::{PageObservation, extract_and_observe, observe, unread};
pub use problem::PageProblem;
pub use verdict::{PageReport, PageSign, Verdict, WrapperReport, report};
pub use watch::{REMEMBERED, RUN, SiteWatch, VerdictChange};

use crate::extract::Status;
