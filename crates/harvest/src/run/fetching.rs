//! The work of a harvest on other threads: requests on the fetcher's, reading on all
//! cores.

use super::further::{FurtherResponse, ReadingStep, Unfinished};
use super::page_result::FetchedPage;
use super::plan::{HarvestEvent, Load};
use super::reading::read;
use forest_archive::KnownAddress;
use forest_fetch::{Fetcher, VisitRequest, Visits};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;
use url::Url;

/// Maximum number of bodies that wait to be read.
const WINDOW: usize = 32;

/// The longest wait for an event: between waits the clock and the stop sign are checked.
pub(super) const MAX_WAIT: Duration = Duration::from_millis(200);

/// The wait for a response while pages are read or wait to be written.
const SHORT_WAIT: Duration = Duration::from_millis(5);

/// The requests and readings of a run.
#[derive(Debug)]
pub(super) struct Fetching<'f> {
    visits: Visits<'f>,
    steps: (Sender<ReadingStep>, Receiver<ReadingStep>),
}

impl<'f> Fetching<'f> {
    pub fn new(fetcher: &'f Fetcher) -> Fetching<'f> {
        Fetching {
            visits: fetcher.visits(WINDOW),
            steps: channel(),
        }
    }

    /// Hands a visit to the fetcher; `first`: before the others of its host.
    pub fn request(&mut self, tag: u64, visit: VisitRequest, first: bool) {
        if first {
            self.visits.submit_first(tag, visit);
        } else {
            self.visits.submit(tag, visit);
        }
    }

    /// Takes back the unsent requests for a host; returns their tags.
    pub fn withdraw(&mut self, url: &Url) -> Vec<u64> {
        self.visits.give_up(url)
    }

    pub fn cancel(&mut self) {
        self.visits.cancel();
    }

    pub fn read(&self, page: FetchedPage) {
        self.spawn(move || read(page));
    }

    /// Continues reading an article with the response for its next page.
    pub fn read_further(
        &self,
        unfinished: Box<Unfinished>,
        known: Box<KnownAddress>,
        response: FurtherResponse,
    ) {
        self.spawn(move || unfinished.go_on(&known, response));
    }

    fn spawn(&self, step: impl FnOnce() -> ReadingStep + Send + 'static) {
        let send = self.steps.0.clone();
        rayon::spawn(move || {
            // The receiver is gone if the harvest has failed.
            let _ = send.send(step());
        });
    }

    /// The next event: a page that was read, else a response.
    pub fn next_event(&mut self, load: Load) -> Option<HarvestEvent> {
        if let Ok(step) = self.steps.1.try_recv() {
            return Some(HarvestEvent::PageRead(step));
        }
        let is_busy = load.reading >= rayon::current_num_threads() * 2;
        if is_busy || (load.reading > 0 && load.requests == 0) {
            return self.next_step();
        }
        let wait = match load.reading + load.unwritten {
            0 => MAX_WAIT,
            _ => SHORT_WAIT,
        };
        let (tag, result) = self.visits.next(Some(wait))?;
        Some(HarvestEvent::Response(tag, result))
    }

    /// The next page that was read.
    pub fn next_step(&mut self) -> Option<HarvestEvent> {
        let step = self.steps.1.recv_timeout(MAX_WAIT).ok()?;
        Some(HarvestEvent::PageRead(step))
    }
}
