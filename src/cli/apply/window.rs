//! The pages that are in memory at once, in the order of the input: those that are
//! worked on or wait to be written, and some that were written and may be further pages
//! of articles that come.
//!
//! Where an article goes on is looked up in a part of the input that its own place
//! alone decides, so that what is found does not hang on which page is done first.

use super::record::{Done, Draft};
use crate::cli::source::{Beside, Lead, Loaded, Place, Trouble};
use forest::address::page_key;
use std::collections::VecDeque;
use std::sync::Arc;

/// Pages that wait to be written at the most: their records wait for each other. As
/// many that were written are kept.
const MAX_PAGES: usize = 256;

/// Those of them that have to be fetched: output comes at least as often.
const MAX_FETCHED: usize = 32;

/// Pages at the least, however large: enough for most machines' cores.
const LEAST_PAGES: usize = 16;

/// Bytes of the pages from which no more are read, as far as they are known. As many are
/// kept of those that were written.
const MAX_BYTES: u64 = 16_000_000;

/// A page in memory.
struct Held {
    bytes: u64,
    /// What its address is compared by, if others may look for it.
    key: Option<String>,
    /// Nothing while it is read, if it cannot be read, or where nobody needs it.
    page: Option<Arc<Loaded>>,
    is_read: bool,
}

/// A page and what has come of it.
struct Slot {
    held: Held,
    /// It is on the web, or was.
    is_fetched: bool,
    /// Where further pages of its article are.
    beside: Beside,
    state: State,
}

/// What has come of a page.
pub enum State {
    /// It is on the web and not fetched.
    Web(Box<Lead>),
    /// It is worked on.
    Working,
    /// Its article goes on elsewhere.
    Wanting(Wanting),
    /// Its record is made.
    Made(Box<Made>),
}

/// An article that goes on elsewhere.
pub struct Wanting {
    pub draft: Box<Draft>,
    /// What the address is compared by.
    pub key: String,
}

/// A record, what it was made of, and its bytes in the output's format.
pub struct Made {
    pub done: Done,
    pub bytes: Option<Vec<u8>>,
    /// The page, where [`Window::new`] was told to keep it.
    #[cfg(feature = "archive")]
    pub page: Option<Arc<Loaded>>,
}

/// What a search for a page gives.
pub enum Sought {
    Found(Arc<Loaded>),
    /// It is being read.
    Coming,
    Nowhere,
}

/// The pages in memory.
pub struct Window {
    /// The place of the first slot in the input.
    first: usize,
    slots: VecDeque<Slot>,
    /// Bytes of the slots' pages.
    bytes: u64,
    /// How many slots are fetched ones.
    fetched: usize,
    /// Pages that were written, the last one last.
    behind: VecDeque<Held>,
    bytes_behind: u64,
    keeps_all: bool,
}

impl Window {
    /// `keeps_all`: whether a record comes with its page.
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

    /// Whether there is room for another page.
    pub fn has_room(&self) -> bool {
        self.slots.len() < MAX_PAGES
            && self.fetched < MAX_FETCHED
            && (self.bytes < MAX_BYTES || self.slots.len() < LEAST_PAGES)
    }

    /// Adds what was read next. Its place in the input, and itself if it is not to be
    /// fetched.
    pub fn add(&mut self, lead: Result<Lead, Trouble>) -> (usize, Option<Result<Lead, Trouble>>) {
        let at = self.first + self.slots.len();
        let mut slot = Slot {
            held: Held {
                bytes: 0,
                key: None,
                page: None,
                is_read: false,
            },
            is_fetched: false,
            beside: Beside::default(),
            state: State::Working,
        };
        let lead = match lead {
            Ok(lead) if matches!(lead.place, Place::Web(_)) => {
                slot.is_fetched = true;
                slot.state = State::Web(Box::new(lead));
                self.fetched += 1;
                None
            }
            lead => Some(lead),
        };
        self.slots.push_back(slot);
        if let Some(lead) = &lead {
            self.measure(at, lead);
        }
        (at, lead)
    }

    /// Notes how large a page is, and its address.
    pub fn measure(&mut self, at: usize, lead: &Result<Lead, Trouble>) {
        let Ok(lead) = lead else { return };
        let Some(slot) = self.slots.get_mut(at - self.first) else {
            return;
        };
        match &lead.place {
            Place::File(path) => {
                slot.held.bytes = std::fs::metadata(path).map_or(0, |file| file.len());
            }
            Place::Here(here) => {
                slot.held.bytes = here.bytes.len() as u64;
                slot.held.key = here.url.as_deref().map(page_key);
            }
            Place::Web(_) => {}
        }
        self.bytes += slot.held.bytes;
    }

    /// Notes that a page was read, or could not be.
    pub fn was_read(&mut self, at: usize, page: Option<Arc<Loaded>>) {
        let keeps_all = self.keeps_all;
        if let Some(slot) = self.slots.get_mut(at - self.first) {
            slot.held.is_read = true;
            if let Some(page) = &page {
                slot.beside.clone_from(&page.here.beside);
            }
            slot.held.page = page.filter(|_| keeps_all || slot.held.key.is_some());
        }
    }

    pub fn set(&mut self, at: usize, state: State) {
        if let Some(slot) = self.slots.get_mut(at - self.first) {
            slot.state = state;
        }
    }

    /// What has come of a page, which is worked on from now on.
    pub fn take(&mut self, at: usize) -> State {
        match self.slots.get_mut(at - self.first) {
            Some(slot) => std::mem::replace(&mut slot.state, State::Working),
            None => State::Working,
        }
    }

    /// The places of the pages that `is` says yes to.
    pub fn places(&self, is: impl Fn(&State) -> bool) -> Vec<usize> {
        let slots = self.slots.iter().enumerate();
        let found = slots.filter(|(_, slot)| is(&slot.state));
        found.map(|(at, _)| self.first + at).collect()
    }

    /// The places of the articles that go on at the page at `at`.
    pub fn wanting(&self, at: usize) -> Vec<usize> {
        let slot = self.slots.get(at - self.first);
        let Some(key) = slot.and_then(|slot| slot.held.key.as_ref()) else {
            return Vec::new();
        };
        self.places(|state| matches!(state, State::Wanting(wanting) if wanting.key == *key))
    }

    /// Where further pages of an article are.
    pub fn beside(&self, at: usize) -> Beside {
        let slot = self.slots.get(at - self.first);
        slot.map(|slot| slot.beside.clone()).unwrap_or_default()
    }

    /// Whether a page is the first that waits to be written.
    pub fn is_first(&self, at: usize) -> bool {
        at == self.first
    }

    /// Looks for the page that the article at `at` goes on at: the nearest before it,
    /// else the nearest behind it.
    pub fn find(&self, at: usize, key: &str) -> Sought {
        let own = at - self.first;
        let before = self.slots.range(..own).rev().map(|slot| &slot.held);
        let before = before.chain(self.behind.iter().rev());
        let mut bytes = 0;
        let before = before.take(MAX_PAGES).take_while(|held| {
            bytes += held.bytes;
            bytes <= MAX_BYTES
        });
        let after = self.slots.range(own + 1..).map(|slot| &slot.held);
        for held in before.chain(after) {
            if held.key.as_deref() == Some(key) {
                match &held.page {
                    Some(page) => return Sought::Found(Arc::clone(page)),
                    None if !held.is_read => return Sought::Coming,
                    None => {}
                }
            }
        }
        Sought::Nowhere
    }

    /// How many records can be written.
    pub fn ready(&self) -> usize {
        let made = |slot: &&Slot| matches!(slot.state, State::Made(_));
        self.slots.iter().take_while(made).count()
    }

    /// The record that is written next.
    pub fn pop(&mut self) -> Option<Made> {
        let slot = self.slots.pop_front()?;
        let State::Made(made) = slot.state else {
            self.slots.push_front(slot);
            return None;
        };
        let mut held = slot.held;
        self.first += 1;
        self.bytes -= held.bytes;
        self.fetched -= usize::from(slot.is_fetched);
        #[cfg(feature = "archive")]
        let made = Made {
            page: held.page.clone().filter(|_| self.keeps_all),
            ..*made
        };
        #[cfg(not(feature = "archive"))]
        let made = *made;
        held.page.take_if(|_| held.key.is_none());
        self.bytes_behind += held.bytes;
        self.behind.push_back(held);
        while self.behind.len() > MAX_PAGES || self.bytes_behind > MAX_BYTES {
            let Some(gone) = self.behind.pop_front() else {
                break;
            };
            self.bytes_behind -= gone.bytes;
        }
        Some(made)
    }
}
