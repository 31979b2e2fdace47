//! Pages to records: several at once, returned in the order of the input. A record is
//! returned as soon as it and those before it are finished.
//!
//! A thread of its own reads the input, a page at a time and only while there is room. So
//! finished records are returned while a pipe is idle, and memory does not grow with the
//! input. An article whose next page has not been read waits for it until there is no room
//! for more pages, or the input ends.

use super::RecordFormat;
use super::fetch::PageFetcher;
use super::record::{RecordDraft, RecordMaker};
use super::window::{FinishedRecord, PageLookup, SlotState, WaitingDraft, Window};
use crate::cli::source::{FurtherPages, LoadedPage, PageError, PageRef, PageRefs, load, page_of};
use anyhow::Context;
use forest_html::address::page_key;
use std::any::Any;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use url::Url;

/// A report of a thread.
enum FlowEvent {
    /// The next page of the input; `None` at the end.
    Next(Option<Box<Result<PageRef, PageError>>>),
    /// A page was read.
    Read {
        at: usize,
        page: Option<Arc<LoadedPage>>,
        after: DraftState,
    },
    /// A further page was added, or is missing.
    Added { at: usize, after: DraftState },
    /// A thread panicked.
    Crashed(Box<dyn Any + Send>),
}

/// The state of a record.
enum DraftState {
    Waiting(Box<RecordDraft>),
    Finished(Box<FinishedRecord>),
}

/// A further page of an article.
enum NextPage {
    Page(Arc<LoadedPage>),
    File(PathBuf),
    Fetched(Arc<Result<LoadedPage, PageError>>),
    Nowhere(&'static str),
}

/// The values that every record is made with.
#[derive(Clone)]
pub struct RecordContext {
    pub maker: Arc<RecordMaker>,
    /// The feed that the pages come from.
    pub feed: Option<Arc<str>>,
    pub format: RecordFormat,
    /// Bytes of a page at the most.
    pub page_limit: usize,
}

impl RecordContext {
    fn read(&self, at: usize, page: Result<PageRef, PageError>) -> FlowEvent {
        let read = load(page, self.page_limit);
        let draft = self.maker.draft(read.as_ref(), self.feed.as_deref());
        FlowEvent::Read {
            at,
            page: read.ok().map(Arc::new),
            after: self.after(Box::new(draft)),
        }
    }

    fn add(&self, at: usize, mut draft: Box<RecordDraft>, part: &NextPage) -> FlowEvent {
        match part {
            NextPage::Page(page) => draft.add(Ok(page)),
            NextPage::File(path) => draft.add(loaded(&load(Ok(page_of(path)), self.page_limit))),
            NextPage::Fetched(read) => draft.add(loaded(read)),
            NextPage::Nowhere(why) => draft.add(Err(why)),
        }
        let after = self.after(draft);
        FlowEvent::Added { at, after }
    }

    fn after(&self, draft: Box<RecordDraft>) -> DraftState {
        if draft.wanted().is_some() {
            return DraftState::Waiting(draft);
        }
        let record = draft.finish();
        DraftState::Finished(Box::new(FinishedRecord {
            bytes: self.format.record(&record.article),
            record,
            page: None,
        }))
    }
}

fn loaded(read: &Result<LoadedPage, PageError>) -> Result<&LoadedPage, &str> {
    read.as_ref().map_err(|error| &*error.reason)
}

/// The records of an input.
pub struct Flow {
    context: RecordContext,
    pool: Arc<rayon::ThreadPool>,
    /// The number of records that are returned together, if there are more pages.
    batch: usize,
    events: Receiver<FlowEvent>,
    report: Sender<FlowEvent>,
    /// Asks the reader for the next page.
    more: Sender<()>,
    is_requested: bool,
    ended: bool,
    window: Window,
    /// Pages that threads work on.
    working: usize,
}

impl Flow {
    /// Begins to read. If `batch` is more than one, the records are stored: each has its
    /// page.
    ///
    /// # Errors
    ///
    /// If no further thread can be started.
    pub fn start(
        mut pages: PageRefs,
        context: RecordContext,
        pool: Arc<rayon::ThreadPool>,
        batch: usize,
    ) -> anyhow::Result<Flow> {
        let (report, events) = channel();
        let (more, asks) = channel::<()>();
        let to = report.clone();
        let read = move || {
            while asks.recv().is_ok() {
                let page = catch_unwind(AssertUnwindSafe(|| pages.next()));
                let is_last = !matches!(page, Ok(Some(_)));
                let event = page.map_or_else(FlowEvent::Crashed, |page| {
                    FlowEvent::Next(page.map(Box::new))
                });
                // The receiver is gone after a failed write of the output.
                if to.send(event).is_err() || is_last {
                    break;
                }
            }
        };
        // It is not joined: it may hang in a read after the work has failed.
        let reader = std::thread::Builder::new().name("reader".to_owned());
        reader.spawn(read).context("cannot start a thread")?;
        Ok(Flow {
            context,
            pool,
            batch,
            events,
            report,
            more,
            is_requested: false,
            ended: false,
            window: Window::new(batch > 1),
            working: 0,
        })
    }

    /// The next records, at least one; nothing at the end.
    ///
    /// # Errors
    ///
    /// If the network cannot be used.
    pub fn next(
        &mut self,
        fetcher: &mut PageFetcher<'_>,
    ) -> anyhow::Result<Option<Vec<FinishedRecord>>> {
        loop {
            let ready = self.window.ready();
            if ready >= self.batch || ready > 0 && self.working == 0 {
                return Ok(Some(std::iter::from_fn(|| self.window.pop()).collect()));
            }
            if self.window.is_empty() && self.ended {
                return Ok(None);
            }
            if !self.is_requested && !self.ended && self.window.has_room() {
                // A reader that ended has reported the reason.
                self.is_requested = self.more.send(()).is_ok();
            }
            if self.working > 0 || self.is_requested {
                let event = self.events.recv().context("no thread reports any more")?;
                self.handle(event, fetcher);
            } else {
                self.go_on(fetcher)?;
            }
        }
    }

    fn handle(&mut self, event: FlowEvent, fetcher: &mut PageFetcher<'_>) {
        match event {
            FlowEvent::Next(None) => (self.is_requested, self.ended) = (false, true),
            FlowEvent::Next(Some(page)) => {
                let page = *page;
                self.is_requested = false;
                if let (at, Some(page)) = self.window.add(page) {
                    self.read(at, page);
                }
            }
            FlowEvent::Read { at, page, after } => {
                self.working -= 1;
                self.window.was_read(at, page);
                self.set_state(at, after, fetcher);
                for at in self.window.wanting(at) {
                    self.seek(at, fetcher);
                }
            }
            FlowEvent::Added { at, after } => {
                self.working -= 1;
                self.set_state(at, after, fetcher);
            }
            FlowEvent::Crashed(why) => resume_unwind(why),
        }
    }

    /// Stores the state of a page.
    fn set_state(&mut self, at: usize, after: DraftState, fetcher: &mut PageFetcher<'_>) {
        match after {
            DraftState::Finished(finished) => self.window.set(at, SlotState::Finished(finished)),
            DraftState::Waiting(draft) => {
                let key = page_key(draft.wanted().unwrap_or_default());
                let wanting = WaitingDraft { draft, key };
                self.window.set(at, SlotState::Waiting(wanting));
                self.seek(at, fetcher);
            }
        }
    }

    /// Looks for the next page of an article, and adds it if it is there.
    fn seek(&mut self, at: usize, fetcher: &mut PageFetcher<'_>) {
        let SlotState::Waiting(wanting) = self.window.take(at) else {
            return;
        };
        let part = match &self.window.further_of(at) {
            FurtherPages::Folder(dir) => {
                let address = wanting.draft.wanted().unwrap_or_default();
                let file = fetcher.in_folder(dir, address);
                Some(file.map_or_else(NextPage::Nowhere, NextPage::File))
            }
            FurtherPages::Together | FurtherPages::Web => {
                match self.window.find(at, &wanting.key) {
                    PageLookup::Found(page) => Some(NextPage::Page(page)),
                    PageLookup::Coming | PageLookup::Nowhere => None,
                }
            }
        };
        match part {
            Some(part) => self.add(at, wanting.draft, part),
            None => self.window.set(at, SlotState::Waiting(wanting)),
        }
    }

    /// Fetches pages while no thread works, or gives up missing ones.
    fn go_on(&mut self, fetcher: &mut PageFetcher<'_>) -> anyhow::Result<()> {
        let mut pages = Vec::new();
        let places = self
            .window
            .places(|state| matches!(state, SlotState::Web(_)));
        for &at in &places {
            if let SlotState::Web(page) = self.window.take(at) {
                pages.push(*page);
            }
        }
        let mut known = HashMap::new();
        let mut parts = Vec::new();
        for at in self
            .window
            .places(|state| matches!(state, SlotState::Waiting(_)))
        {
            let SlotState::Waiting(wanting) = self.window.take(at) else {
                continue;
            };
            let url = Url::parse(wanting.draft.wanted().unwrap_or_default());
            match (self.window.further_of(at), url) {
                (FurtherPages::Web, Ok(url)) => {
                    let index = *known.entry(wanting.key.clone()).or_insert(pages.len());
                    if index == pages.len() {
                        pages.push(PageRef::web(url));
                    }
                    parts.push((at, wanting.draft, index));
                }
                (FurtherPages::Web, Err(_)) => {
                    let why = "this is no address";
                    self.add(at, wanting.draft, NextPage::Nowhere(why));
                }
                _ if self.ended || self.window.is_first(at) => {
                    let why = "it is not among the pages that were read together";
                    self.add(at, wanting.draft, NextPage::Nowhere(why));
                }
                _ => self.window.set(at, SlotState::Waiting(wanting)),
            }
        }
        let mut fetched = fetcher.fetch(pages)?;
        let further = fetched.split_off(places.len());
        for (at, page) in places.iter().copied().zip(fetched) {
            self.window.measure(at, &page);
            self.read(at, page);
        }
        let limit = self.context.page_limit;
        let further = further.into_iter().map(|page| Arc::new(load(page, limit)));
        let further: Vec<_> = further.collect();
        for (at, draft, index) in parts {
            let part = Arc::clone(&further[index - places.len()]);
            self.add(at, draft, NextPage::Fetched(part));
        }
        Ok(())
    }

    fn read(&mut self, at: usize, page: Result<PageRef, PageError>) {
        self.work(move |context| context.read(at, page));
    }

    fn add(&mut self, at: usize, draft: Box<RecordDraft>, part: NextPage) {
        self.work(move |context| context.add(at, draft, &part));
    }

    /// Runs a job in the pool.
    fn work(&mut self, job: impl FnOnce(&RecordContext) -> FlowEvent + Send + 'static) {
        self.working += 1;
        let (context, report) = (self.context.clone(), self.report.clone());
        self.pool.spawn(move || {
            let result = catch_unwind(AssertUnwindSafe(|| job(&context)));
            let _ = report.send(result.unwrap_or_else(FlowEvent::Crashed));
        });
    }
}
