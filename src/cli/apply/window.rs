//! The pages in memory, in the order of the input: those that are worked on or wait to be
//! written, and some written ones that may be further pages of later articles.
//!
//! The next page of an article is looked up in a part of the input that depends only on the
//! article's own position. So the result does not depend on the order in which pages are
//! finished.

#![cfg_attr(not(feature = "archive"), allow(dead_code))]

use super::record::{ArticleRecord, RecordDraft};
use crate::cli::source::{FurtherPages, LoadedPage, PageError, PageLocation, PageRef};
use forest_html::address::page_key;
use std::collections::VecDeque;
use std::sync::Arc;

/// Maximum number of pages that wait to be written: their records wait for each other. As
/// many written pages are kept.
const MAX_PAGES: usize = 256;

/// Maximum number of them that are fetched: so output is written at least as often.
const MAX_FETCHED: usize = 32;

/// Minimum number of pages, whatever their size: enough for most machines' cores.
const LEAST_PAGES: usize = 16;

/// Bytes of the pages from which no more are read, as far as they are known. As many bytes of
/// written pages are kept.
const MAX_BYTES: u64 = 16_000_000;

/// A page in memory.
struct HeldPage {
    bytes: u64,
    /// The key of its address, if other pages may lead to it.
    key: Option<String>,
    /// `None` while it is read, if it cannot be read, or if it is not needed.
    page: Option<Arc<LoadedPage>>,
    is_read: bool,
}

/// A page and its state.
struct WindowSlot {
    in_memory: HeldPage,
    /// True if it is fetched from the web.
    is_fetched: bool,
    /// The place of the further pages of its article.
    further: FurtherPages,
    state: SlotState,
}

/// The state of a page.
pub enum SlotState {
    /// It is on the web and not fetched.
    Web(Box<PageRef>),
    /// A thread works on it.
    Working,
    /// Its article continues on another page.
    Waiting(WaitingDraft),
    /// Its record is finished.
    Finished(Box<FinishedRecord>),
}

/// An article that continues on another page.
pub struct WaitingDraft {
    pub draft: Box<RecordDraft>,
    /// The key of the address.
    pub key: String,
}

/// A record, and its bytes in the output's format.
pub struct FinishedRecord {
    pub record: ArticleRecord,
    pub bytes: Option<Vec<u8>>,
    /// The page, if [`Window::new`] keeps it.
    pub page: Option<Arc<LoadedPage>>,
}

/// The result of a search for a page.
pub enum PageLookup {
    Found(Arc<LoadedPage>),
    /// It is being read.
    Coming,
    Nowhere,
}

/// The pages in memory.
pub struct Window {
    /// The place of the first slot in the input.
    first: usize,
    slots: VecDeque<WindowSlot>,
    /// Bytes of the slots' pages.
    bytes: u64,
    /// The number of slots with a fetched page.
    fetched: usize,
    /// Pages that were written, the last one last.
    behind: VecDeque<HeldPage>,
    bytes_behind: u64,
    keeps_all: bool,
}

impl Window {
    /// `keeps_all`: a record has its page.
    pub fn new(keeps_all: bool) -> Window {
        Window {
            first: 0,
            slots: VecDeque::new(),
            bytes: 0,
            fetched: 0,
            behind: VecDeque::new(),
            bytes_behind: 0,
            keeps_all,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Returns true if there is room for another page.
    pub fn has_room(&self) -> bool {
        self.slots.len() < MAX_PAGES
            && self.fetched < MAX_FETCHED
            && (self.bytes < MAX_BYTES || self.slots.len() < LEAST_PAGES)
    }

    /// Adds the next page. Returns its place in the input, and the page if it need not be
    /// fetched.
    pub fn add(
        &mut self,
        page: Result<PageRef, PageError>,
    ) -> (usize, Option<Result<PageRef, PageError>>) {
        let at = self.first + self.slots.len();
        let mut slot = WindowSlot {
            in_memory: HeldPage {
                bytes: 0,
                key: None,
                page: None,
                is_read: false,
            },
            is_fetched: false,
            further: FurtherPages::default(),
            state: SlotState::Working,
        };
        let page = match page {
            Ok(page) if matches!(page.location, PageLocation::Web(_)) => {
                slot.is_fetched = true;
                slot.state = SlotState::Web(Box::new(page));
                self.fetched += 1;
                None
            }
            page => Some(page),
        };
        self.slots.push_back(slot);
        if let Some(page) = &page {
            self.measure(at, page);
        }
        (at, page)
    }

    /// Stores the size of a page, and its address.
    pub fn measure(&mut self, at: usize, page: &Result<PageRef, PageError>) {
        let Ok(page) = page else { return };
        let Some(slot) = self.slots.get_mut(at - self.first) else {
            return;
        };
        match &page.location {
            PageLocation::File(path) => {
                slot.in_memory.bytes = std::fs::metadata(path).map_or(0, |file| file.len());
            }
            PageLocation::Content(content) => {
                slot.in_memory.bytes = content.bytes.len() as u64;
                slot.in_memory.key = content.url.as_deref().map(page_key);
            }
            PageLocation::Web(_) => {}
        }
        self.bytes += slot.in_memory.bytes;
    }

    /// Stores a page that was read; `None` if it could not be read.
    pub fn was_read(&mut self, at: usize, page: Option<Arc<LoadedPage>>) {
        let keeps_all = self.keeps_all;
        if let Some(slot) = self.slots.get_mut(at - self.first) {
            slot.in_memory.is_read = true;
            if let Some(page) = &page {
                slot.further.clone_from(&page.content.further);
            }
            slot.in_memory.page = page.filter(|_| keeps_all || slot.in_memory.key.is_some());
        }
    }

    pub fn set(&mut self, at: usize, state: SlotState) {
        if let Some(slot) = self.slots.get_mut(at - self.first) {
            slot.state = state;
        }
    }

    /// Takes the state of a page; a thread works on it from now on.
    pub fn take(&mut self, at: usize) -> SlotState {
        match self.slots.get_mut(at - self.first) {
            Some(slot) => std::mem::replace(&mut slot.state, SlotState::Working),
            None => SlotState::Working,
        }
    }

    /// The positions of the pages in a state for which `is` returns true.
    pub fn places(&self, is: impl Fn(&SlotState) -> bool) -> Vec<usize> {
        let slots = self.slots.iter().enumerate();
        let found = slots.filter(|(_, slot)| is(&slot.state));
        found.map(|(at, _)| self.first + at).collect()
    }

    /// The positions of the articles whose next page is the one at `at`.
    pub fn wanting(&self, at: usize) -> Vec<usize> {
        let slot = self.slots.get(at - self.first);
        let Some(key) = slot.and_then(|slot| slot.in_memory.key.as_ref()) else {
            return Vec::new();
        };
        self.places(|state| matches!(state, SlotState::Waiting(wanting) if wanting.key == *key))
    }

    /// The place of the further pages of an article.
    pub fn further_of(&self, at: usize) -> FurtherPages {
        let slot = self.slots.get(at - self.first);
        slot.map(|slot| slot.further.clone()).unwrap_or_default()
    }

    /// Returns true if a page is the first that waits to be written.
    pub fn is_first(&self, at: usize) -> bool {
        at == self.first
    }

    /// Looks for the next page of the article at `at`: the nearest before it, else the nearest
    /// behind it.
    pub fn find(&self, at: usize, key: &str) -> PageLookup {
        let own = at - self.first;
        let before = self.slots.range(..own).rev().map(|slot| &slot.in_memory);
        let before = before.chain(self.behind.iter().rev());
        let mut bytes = 0;
        let before = before.take(MAX_PAGES).take_while(|in_memory| {
            bytes += in_memory.bytes;
            bytes <= MAX_BYTES
        });
        let after = self.slots.range(own + 1..).map(|slot| &slot.in_memory);
        for in_memory in before.chain(after) {
            if in_memory.key.as_deref() == Some(key) {
                match &in_memory.page {
                    Some(page) => return PageLookup::Found(Arc::clone(page)),
                    None if !in_memory.is_read => return PageLookup::Coming,
                    None => {}
                }
            }
        }
        PageLookup::Nowhere
    }

    /// The number of records that can be written.
    pub fn ready(&self) -> usize {
        let finished = |slot: &&WindowSlot| matches!(slot.state, SlotState::Finished(_));
        self.slots.iter().take_while(finished).count()
    }

    /// The record that is written next.
    pub fn pop(&mut self) -> Option<FinishedRecord> {
        let slot = self.slots.pop_front()?;
        let SlotState::Finished(finished) = slot.state else {
            self.slots.push_front(slot);
            return None;
        };
        let mut in_memory = slot.in_memory;
        self.first += 1;
        self.bytes -= in_memory.bytes;
        self.fetched -= usize::from(slot.is_fetched);
        let finished = FinishedRecord {
            page: in_memory.page.clone().filter(|_| self.keeps_all),
            ..*finished
        };
        in_memory.page.take_if(|_| in_memory.key.is_none());
        self.bytes_behind += in_memory.bytes;
        self.behind.push_back(in_memory);
        while self.behind.len() > MAX_PAGES || self.bytes_behind > MAX_BYTES {
            let Some(gone) = self.behind.pop_front() else {
                break;
            };
            self.bytes_behind -= gone.bytes;
        }
        Some(finished)
    }
}
