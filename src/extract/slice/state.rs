//! The state of the fast road of an extractor.

use crate::page::slice::{BylineUse, WantedElements};
use crate::wrapper::{Matcher, Wrapper};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Pages of an extractor of which one is read on both roads.
const CHECKED: usize = 1000;

/// The part of a page that a wrapper needs, and the pages that were read of it.
#[derive(Debug, Clone)]
pub(in crate::extract) struct FastRoad {
    /// `None` if pages cannot be cut for the wrapper.
    wanted: Option<Arc<WantedElements>>,
    is_fast: bool,
    /// Shared by the copies of an extractor.
    history: Arc<RoadHistory>,
}

/// The pages on the fast road.
#[derive(Debug, Default)]
struct RoadHistory {
    pages: AtomicUsize,
    has_failed: AtomicBool,
    /// A page's head named no author or no day.
    has_bylines: AtomicBool,
}

impl FastRoad {
    /// The fast road of a wrapper.
    pub fn of(wrapper: &Wrapper, matcher: &Matcher) -> FastRoad {
        let wanted = matcher.wanted().map(Arc::new);
        FastRoad {
            is_fast: wrapper.fast && wanted.is_some(),
            wanted,
            history: Arc::default(),
        }
    }

    /// True while pages are read on the fast road.
    pub fn is_open(&self) -> bool {
        self.is_fast && !self.has_failed()
    }

    /// True once it was [closed](Self::close).
    pub fn has_failed(&self) -> bool {
        self.history.has_failed.load(Ordering::Relaxed)
    }

    /// No page is read on the fast road any more.
    pub fn close(&self) {
        self.history.has_failed.store(true, Ordering::Relaxed);
    }

    /// The elements that a slice has; `None` if pages cannot be cut for the wrapper.
    pub fn wanted(&self) -> Option<&WantedElements> {
        self.wanted.as_deref()
    }

    /// The use of bylines, as far as the pages show that were read.
    pub fn bylines(&self) -> BylineUse {
        if self.history.has_bylines.load(Ordering::Relaxed) {
            BylineUse::Kept
        } else {
            BylineUse::Cut
        }
    }

    /// Bylines are kept from now on.
    pub fn keep_bylines(&self) {
        self.history.has_bylines.store(true, Ordering::Relaxed);
    }

    /// Counts a page; true for one in [`CHECKED`], the first not among them.
    pub fn is_due(&self) -> bool {
        (self.history.pages.fetch_add(1, Ordering::Relaxed) + 1).is_multiple_of(CHECKED)
    }
}
