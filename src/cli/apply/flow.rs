//! Pages to records: several at once, given in the order of the input, each as soon as
//! it and those before it are done.
//!
//! A thread of its own reads the input, a page at a time and only while there is room:
//! while a pipe rests, what is done is given, and memory does not grow with the input. An
//! article that goes on at a page that has not come waits for it until there is no room
//! for more, or no more to come.

use super::Format;
use super::around::Around;
use super::record::{Draft, Maker};
use super::window::{Made, Sought, State, Wanting, Window};
use crate::cli::source::{Beside, Lead, Leads, Loaded, Place, Trouble, load, page_of};
use anyhow::Context;
use forest::address::page_key;
use std::any::Any;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use url::Url;

/// What the threads report.
enum Event {
    /// What the reader was asked for; nothing at the end.
    Lead(Option<Box<Result<Lead, Trouble>>>),
    /// A page was read.
    Read {
        at: usize,
        page: Option<Arc<Loaded>>,
        after: After,
    },
    /// A further page was added, or is missing.
    Added { at: usize, after: After },
    /// A thread panicked.
    Crashed(Box<dyn Any + Send>),
}

/// What comes of an input, so far.
enum After {
    Wanting(Box<Draft>),
    Made(Box<Made>),
}

/// A further page of an article.
enum Part {
    Page(Arc<Loaded>),
    File(PathBuf),
    Fetched(Arc<Result<Loaded, Trouble>>),
    Nowhere(&'static str),
}

/// How records are made.
#[derive(Clone)]
pub struct How {
    pub maker: Arc<Maker>,
    /// The feed that the pages come from.
    pub feed: Option<Arc<str>>,
    pub format: Format,
    /// Bytes of a page at the most.
    pub page_limit: usize,
}

impl How {
    fn read(&self, at: usize, lead: Result<Lead, Trouble>) -> Event {
        let read = lead.and_then(|lead| load(lead, self.page_limit));
        let draft = self.maker.draft(read.as_ref(), self.feed.as_deref());
        Event::Read {
            at,
            page: read.ok().map(Arc::new),
            after: self.after(Box::new(draft)),
        }
    }

    fn add(&self, at: usize, mut draft: Box<Draft>, part: &Part) -> Event {
        match part {
            Part::Page(page) => draft.add(Ok(page)),
            Part::File(path) => draft.add(loaded(&load(page_of(path), self.page_limit))),
            Part::Fetched(read) => draft.add(loaded(read)),
            Part::Nowhere(why) => draft.add(Err(why)),
        }
        let after = self.after(draft);
        Event::Added { at, after }
    }

    fn after(&self, draft: Box<Draft>) -> After {
        if draft.wanted().is_some() {
            return After::Wanting(draft);
        }
        let done = draft.finish();
        After::Made(Box::new(Made {
            bytes: self.format.record(&done.article),
            done,
            #[cfg(feature = "archive")]
            page: None,
        }))
    }
}

fn loaded(read: &Result<Loaded, Trouble>) -> Result<&Loaded, &str> {
    read.as_ref().map_err(|trouble| &*trouble.reason)
}

/// Records to come.
pub struct Flow {
    how: How,
    pool: Arc<rayon::ThreadPool>,
    /// Records that are given together, if there are more pages to work on.
    batch: usize,
    events: Receiver<Event>,
    report: Sender<Event>,
    /// Asks the reader for the next page.
    more: Sender<()>,
    asked: bool,
    ended: bool,
    window: Window,
    /// Pages that threads work on.
    working: usize,
}

impl Flow {
    /// Begins to read. Records come with their pages if they are given in batches of
    /// more than one: somebody stores them.
    ///
    /// # Errors
    ///
    /// If there can be no further thread.
    pub fn start(
        mut leads: Leads,
        how: How,
        pool: Arc<rayon::ThreadPool>,
        batch: usize,
    ) -> anyhow::Result<Flow> {
        let (report, events) = channel();
        let (more, asks) = channel::<()>();
        let to = report.clone();
        let read = move || {
            while asks.recv().is_ok() {
                let lead = catch_unwind(AssertUnwindSafe(|| leads.next()));
                let is_last = !matches!(lead, Ok(Some(_)));
                let event =
                    lead.map_or_else(Event::Crashed, |lead| Event::Lead(lead.map(Box::new)));
                // Nobody listens where the output cannot be written.
                if to.send(event).is_err() || is_last {
                    break;
                }
            }
        };
        // It is not waited for: it may hang in a read when the work has failed.
        let reader = std::thread::Builder::new().name("reader".to_owned());
        reader.spawn(read).context("cannot start a thread")?;
        Ok(Flow {
            how,
            pool,
            batch,
            events,
            report,
            more,
            asked: false,
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
    pub fn next(&mut self, around: &mut Around<'_>) -> anyhow::Result<Option<Vec<Made>>> {
        loop {
            let ready = self.window.ready();
            if ready >= self.batch || ready > 0 && self.working == 0 {
                return Ok(Some(std::iter::from_fn(|| self.window.pop()).collect()));
            }
            if self.window.is_empty() && self.ended {
                return Ok(None);
            }
            if !self.asked && !self.ended && self.window.has_room() {
                // A reader that is gone has reported why.
                self.asked = self.more.send(()).is_ok();
            }
            if self.working > 0 || self.asked {
                let event = self.events.recv().context("no thread reports any more")?;
                self.happened(event, around);
            } else {
                self.go_on(around)?;
            }
        }
    }

    fn happened(&mut self, event: Event, around: &mut Around<'_>) {
        match event {
            Event::Lead(None) => (self.asked, self.ended) = (false, true),
            Event::Lead(Some(lead)) => {
                let lead = *lead;
                self.asked = false;
                if let (at, Some(lead)) = self.window.add(lead) {
                    self.read(at, lead);
                }
            }
            Event::Read { at, page, after } => {
                self.working -= 1;
                self.window.was_read(at, page);
                self.came(at, after, around);
                for at in self.window.wanting(at) {
                    self.seek(at, around);
                }
            }
            Event::Added { at, after } => {
                self.working -= 1;
                self.came(at, after, around);
            }
            Event::Crashed(why) => resume_unwind(why),
        }
    }

    /// Notes what has come of a page.
    fn came(&mut self, at: usize, after: After, around: &mut Around<'_>) {
        match after {
            After::Made(made) => self.window.set(at, State::Made(made)),
            After::Wanting(draft) => {
                let key = page_key(draft.wanted().unwrap_or_default());
                let wanting = Wanting { draft, key };
                self.window.set(at, State::Wanting(wanting));
                self.seek(at, around);
            }
        }
    }

    /// Looks for the page that an article goes on at; it is added if it is there.
    fn seek(&mut self, at: usize, around: &mut Around<'_>) {
        let State::Wanting(wanting) = self.window.take(at) else {
            return;
        };
        let part = match &self.window.beside(at) {
            Beside::Folder(dir) => {
                let address = wanting.draft.wanted().unwrap_or_default();
                Some(
                    around
                        .in_folder(dir, address)
                        .map_or_else(Part::Nowhere, Part::File),
                )
            }
            Beside::Read | Beside::Web => match self.window.find(at, &wanting.key) {
                Sought::Found(page) => Some(Part::Page(page)),
                Sought::Coming | Sought::Nowhere => None,
            },
        };
        match part {
            Some(part) => self.add(at, wanting.draft, part),
            None => self.window.set(at, State::Wanting(wanting)),
        }
    }

    /// Goes on where no thread works and no page can be read: fetches, or gives up.
    fn go_on(&mut self, around: &mut Around<'_>) -> anyhow::Result<()> {
        let mut leads = Vec::new();
        let places = self.window.places(|state| matches!(state, State::Web(_)));
        for &at in &places {
            if let State::Web(lead) = self.window.take(at) {
                leads.push(*lead);
            }
        }
        let mut known = HashMap::new();
        let mut parts = Vec::new();
        for at in self
            .window
            .places(|state| matches!(state, State::Wanting(_)))
        {
            let State::Wanting(wanting) = self.window.take(at) else {
                continue;
            };
            let url = Url::parse(wanting.draft.wanted().unwrap_or_default());
            match (self.window.beside(at), url) {
                (Beside::Web, Ok(url)) => {
                    let index = *known.entry(wanting.key.clone()).or_insert(leads.len());
                    if index == leads.len() {
                        leads.push(Lead {
                            id: None,
                            folder: None,
                            item: None,
                            place: Place::Web(url),
                        });
                    }
                    parts.push((at, wanting.draft, index));
                }
                (Beside::Web, Err(_)) => {
                    let why = "this is no address";
                    self.add(at, wanting.draft, Part::Nowhere(why));
                }
                _ if self.ended || self.window.is_first(at) => {
                    let why = "it is not among the pages that were read together";
                    self.add(at, wanting.draft, Part::Nowhere(why));
                }
                _ => self.window.set(at, State::Wanting(wanting)),
            }
        }
        let mut fetched = around.fetch(leads)?;
        let further = fetched.split_off(places.len());
        for (at, lead) in places.iter().copied().zip(fetched) {
            self.window.measure(at, &lead);
            self.read(at, lead);
        }
        let limit = self.how.page_limit;
        let further = further
            .into_iter()
            .map(|lead| lead.and_then(|lead| load(lead, limit)));
        let further: Vec<_> = further.map(Arc::new).collect();
        for (at, draft, index) in parts {
            let part = Arc::clone(&further[index - places.len()]);
            self.add(at, draft, Part::Fetched(part));
        }
        Ok(())
    }

    fn read(&mut self, at: usize, lead: Result<Lead, Trouble>) {
        self.work(move |how| how.read(at, lead));
    }

    fn add(&mut self, at: usize, draft: Box<Draft>, part: Part) {
        self.work(move |how| how.add(at, draft, &part));
    }

    /// Does something in the pool.
    fn work(&mut self, job: impl FnOnce(&How) -> Event + Send + 'static) {
        self.working += 1;
        let (how, report) = (self.how.clone(), self.report.clone());
        self.pool.spawn(move || {
            let done = catch_unwind(AssertUnwindSafe(|| job(&how)));
            let _ = report.send(done.unwrap_or_else(Event::Crashed));
        });
    }
}
