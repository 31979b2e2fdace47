//! The harvest itself: what is due is fetched, read, stored and judged, until nothing
//! is due any more, or for ever.
//!
//! Takes an [`Archive`], a [`Fetcher`] and a [`Clock`]; gives a [`Tally`]. One thread
//! decides and writes; pages are fetched by the fetcher's own threads and read on all
//! cores.
//!
//! - `adding`: a feed that is to be added, looked at.
//! - `feeds`: a feed's answer to what is written of it.
//! - `hosts`: hosts that fail, or ask for it, are left alone for a while.
//! - `now`: what is to be polled or visited whatever its schedule.
//! - `parts`: further pages of articles.
//! - `pictures`: what articles show besides their texts.
//! - `reading`: a page's answer to what is written of it.
//! - `robots`: what robots.txt said, beyond this process.
//! - `told`: what is told of it.
//! - `sites`: wrappers in use, how they are watched, what is learned when.
//! - `state`: what is remembered of a site between two harvests.
//! - `writing`: what came is stored, counted and told of.
//!
//! **Order.** Feeds that are due are polled; their new items become pages that are due;
//! pages are visited, each host's in the order of its feed. A batch of pages is
//! written together; what is not written yet is due still, so that a harvest that is
//! killed goes on where it was.
//!
//! **Learning.** A site's first pages are read without a wrapper. As soon as there are
//! enough for a sample, or no more come, the wrapper is learned from what the archive
//! has, and these pages are read again. When the site's watch says that the wrapper has
//! drifted, the same is done with the newest pages, and the new wrapper comes into
//! force if it does better on them. What is learned first is what `learn` gives of the
//! same pages; it does not come into force where it finds something like an article on
//! none of them (walls, lists, comics), unless the pages together leave no doubt that each
//! of them alone misleads: pop-ups that are the same on all of them, say. Why nothing came
//! into force is remembered ([`SiteState::not_learned`]).

mod adding;
mod feeds;
mod importing;
mod hosts;
mod now;
mod options;
mod parts;
mod pictures;
mod reading;
mod robots;
mod sites;
mod state;
#[cfg(test)]
mod tests;
mod told;
mod writing;

pub use adding::{FoundFeed, NoFeed, add_feed, add_unseen, find_feed, request_feed};
pub use importing::{Imported, Importer};
pub use options::HarvestOptions;
pub use sites::Learning;
pub use state::SiteState;
pub use told::{Progress, Tally, Until};

use super::clock::Clock;
use super::metrics::Metrics;
use super::requisites::Gathering;
use super::schedule::anchored;
use crate::address::site_of;
use crate::archive::paths;
use crate::archive::search::SearchIndex;
use crate::archive::{Archive, ArchiveChange, Event, FeedRow, KnownAddress, RawPages};
use crate::error::Result;
use crate::fetch::{Fetcher, Resource, Visit, Visited, Visits};
use chrono::{DateTime, Utc};
use hosts::{Health, Host};
use parts::{Came, Unfinished};
use reading::{Job, Read, Step};
use robots::Robots;
use sites::Sites;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};
use url::Url;
use writing::is_gone;

/// Bodies that may wait to be read.
const WINDOW: usize = 32;

/// Visits that are handed to the fetcher at once: an address each.
const SUBMITTED: usize = 20_000;

/// Visits under way up to which it costs little to see what is due: what was submitted
/// is due still, and is read each time.
const FEW: usize = 64;

/// With more visits under way, what is due is looked for so often.
const LOOK_AFTER: Duration = Duration::from_secs(1);

/// Pages after which the search index follows, while there is more to do: its writer's
/// memory has its full size after two such times.
const INDEX_AFTER: usize = 64;

/// The longest sleep between two looks at the clock and at the stop sign.
const NAP: Duration = Duration::from_millis(200);

/// Time after which a batch that is not full is written.
const PATIENCE: Duration = Duration::from_secs(2);

/// Looks apart while what is due waits for a host that rests.
const REST_NAP: Duration = Duration::from_secs(5);

/// A harvest.
#[derive(Debug)]
pub struct Harvest<'a> {
    archive: &'a mut Archive,
    fetcher: &'a Fetcher,
    clock: Arc<dyn Clock>,
    options: HarvestOptions,
    metrics: Arc<Metrics>,
    stop: Arc<AtomicBool>,
    index: SearchIndex,
    /// Pages that were written since the index followed.
    unindexed: usize,
    sites: Sites,
    hosts: HashMap<String, Host>,
    robots: Arc<Robots>,
    /// Origins whose headers were told to the fetcher, with the wrapper that has them.
    introduced: HashMap<String, String>,
    /// Pages that are to be visited though they may not be due: numbers and addresses.
    wanted: BTreeMap<i64, String>,
    /// Nothing else is asked for.
    wanted_only: bool,
    tally: Tally,
}

/// What a visit is for.
enum Errand {
    Feed(Box<FeedRow>),
    Page {
        page: i64,
        url: String,
        known: Box<KnownAddress>,
    },
    Part {
        unfinished: Box<Unfinished>,
        known: Box<KnownAddress>,
    },
    Requisite {
        url: String,
    },
}

/// What is under way.
struct Work<'f> {
    visits: Visits<'f>,
    errands: HashMap<u64, Errand>,
    next_tag: u64,
    feeds: HashSet<String>,
    /// Pages that were submitted and are not written yet.
    pages: HashSet<i64>,
    /// Pages that are being read.
    reading: usize,
    read: (Sender<Step>, Receiver<Step>),
    raw: RawPages,
    /// What is to be written.
    changes: Vec<ArchiveChange>,
    /// Bytes of requisites among it.
    heavy: usize,
    /// Articles that wait for their pictures.
    gathering: Option<Gathering>,
    arrived: Vec<Read>,
    since: Option<Instant>,
    /// Something may be due.
    look: bool,
    /// When that was looked for last.
    looked: Option<Instant>,
    /// Until when, by the clock, what came due was looked for.
    seen: DateTime<Utc>,
    /// When something may have come due was asked last.
    noticed: Instant,
}

impl<'a> Harvest<'a> {
    /// A harvest into `archive`; it ends soon after `stop` is set.
    ///
    /// # Errors
    ///
    /// If the search index cannot be opened nor made anew.
    pub fn new(
        archive: &'a mut Archive,
        fetcher: &'a Fetcher,
        clock: Arc<dyn Clock>,
        options: HarvestOptions,
    ) -> Result<Harvest<'a>> {
        let index = SearchIndex::open(&paths::index(archive.dir()))?;
        let robots = Arc::new(Robots::of(archive, Arc::clone(&clock))?);
        let memory: Weak<Robots> = Arc::downgrade(&robots);
        fetcher.remember(memory);
        Ok(Harvest {
            archive,
            fetcher,
            clock,
            options,
            metrics: Arc::default(),
            stop: Arc::default(),
            index,
            unindexed: 0,
            sites: Sites::default(),
            hosts: HashMap::new(),
            robots,
            introduced: HashMap::new(),
            wanted: BTreeMap::new(),
            wanted_only: false,
            tally: Tally::default(),
        })
    }

    /// Where figures are kept.
    #[must_use]
    pub fn with_metrics(mut self, metrics: Arc<Metrics>) -> Self {
        metrics.begin();
        self.metrics = metrics;
        self
    }

    /// The sign to stop.
    #[must_use]
    pub fn with_stop(mut self, stop: Arc<AtomicBool>) -> Self {
        self.stop = stop;
        self
    }

    /// Harvests, and tells `look_on` what happens.
    ///
    /// # Errors
    ///
    /// If the archive cannot be read or written. What a site or a feed does wrong is no
    /// error.
    pub fn run(&mut self, until: Until, look_on: &mut dyn FnMut(&Progress<'_>)) -> Result<Tally> {
        self.tally = Tally::default();
        self.look_at_feeds()?;
        let mut work = Work {
            visits: self.fetcher.visits(WINDOW),
            errands: HashMap::new(),
            next_tag: 0,
            feeds: HashSet::new(),
            pages: HashSet::new(),
            reading: 0,
            read: channel(),
            raw: self.archive.raw_pages(),
            changes: Vec::new(),
            heavy: 0,
            gathering: self.options.requisites().cloned().map(Gathering::new),
            arrived: Vec::new(),
            since: None,
            look: true,
            looked: None,
            seen: self.clock.now(),
            noticed: Instant::now(),
        };
        // A harvest that was killed may have had all of a site's pages and no wrapper yet.
        let now = self.clock.now();
        self.recall_rests()?;
        for (site, _) in self.archive.reader()?.sites()? {
            if self.archive.active_wrapper(&site)?.is_none() {
                self.sites
                    .stir(self.archive, &site, now, &mut work.changes)?;
            }
        }
        let done = self.go(&mut work, until, look_on);
        if done.is_ok() {
            // Of sites of which no page came.
            let watches = self.sites.watches();
            if !watches.is_empty() {
                self.archive.write(watches)?;
            }
            self.follow_index()?;
        }
        done.map(|()| self.tally)
    }

    fn go(
        &mut self,
        work: &mut Work<'_>,
        until: Until,
        look_on: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<()> {
        let mut cancelled = false;
        loop {
            if self.stop.load(Ordering::SeqCst) && !cancelled {
                work.visits.cancel();
                work.errands.clear();
                cancelled = true;
            }
            if !cancelled {
                self.notice(work)?;
                self.submit(work, look_on)?;
            }
            self.take(work, look_on)?;
            let is_full =
                work.arrived.len() >= self.options.batch() || work.heavy >= pictures::HEAVY;
            let is_old = work.since.is_some_and(|since| since.elapsed() > PATIENCE);
            let is_idle = work.visits.under_way() == 0 && work.reading == 0;
            if is_full || is_old || is_idle {
                self.write(work, look_on)?;
                if !cancelled {
                    self.learn(work, look_on)?;
                    self.gather(work)?;
                }
            }
            let is_idle = is_idle && work.visits.under_way() == 0 && !work.gathers();
            if is_idle && !work.look {
                if cancelled {
                    return Ok(());
                }
                self.follow_index()?;
                if until == Until::Idle {
                    return Ok(());
                }
                self.sleep(work)?;
            } else if is_idle && cancelled {
                return Ok(());
            }
        }
    }

    /// Sees what comes due, and what is asked for, while others are under way: a host
    /// with a long delay holds up nobody else.
    fn notice(&self, work: &mut Work<'_>) -> Result<()> {
        if work.look || work.noticed.elapsed() < LOOK_AFTER {
            return Ok(());
        }
        work.noticed = Instant::now();
        let now = self.clock.now();
        work.look = now < work.seen
            || self.archive.has_requests()
            || self.archive.comes_due(work.seen, now)?
            || self.rest_is_over(work.seen, now);
        Ok(())
    }

    /// Hands what is due to the fetcher.
    fn submit(
        &mut self,
        work: &mut Work<'_>,
        look_on: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<()> {
        let since = work.looked.map(|looked| looked.elapsed());
        if !work.look || !may_look(work.visits.under_way(), since) {
            return Ok(());
        }
        work.look = false;
        work.looked = Some(Instant::now());
        let now = self.clock.now();
        work.seen = now;
        self.take_requests(work, look_on)?;
        self.anchor(now)?;
        for feed in self.feeds_to_poll(now)? {
            let Ok(url) = Url::parse(&feed.url) else {
                continue;
            };
            if self.rests(&url, now) || !work.feeds.insert(feed.url.clone()) {
                continue;
            }
            if feed.typed {
                self.fetcher.allow(&url);
            }
            let visit = Visit {
                etag: feed.poll.etag.clone(),
                last_modified: feed.poll.last_modified.clone(),
                ..Visit::new(url, Resource::Feed)
            };
            work.submit(Errand::Feed(Box::new(feed)), visit);
        }
        if work.visits.under_way() >= SUBMITTED / 2 {
            work.look = true;
            return Ok(());
        }
        for page in self.pages_to_visit(now, work.pages.len() + SUBMITTED)? {
            let Ok(url) = Url::parse(&page.url) else {
                continue;
            };
            if self.rests(&url, now) || !work.pages.insert(page.id) {
                continue;
            }
            self.introduce(work, &url, now)?;
            let known = Box::new(self.archive.known(&page.url)?);
            if known.forgotten {
                self.wanted.remove(&page.id);
                continue;
            }
            let visit = Visit {
                etag: known.etag.clone(),
                last_modified: known.last_modified.clone(),
                ..Visit::new(url, Resource::Page)
            };
            let (page, url) = (page.id, page.url);
            work.submit(Errand::Page { page, url, known }, visit);
        }
        Ok(())
    }

    /// The headers that a site wants, as its wrapper says, before its pages are asked for.
    fn introduce(&mut self, work: &mut Work<'_>, url: &Url, now: DateTime<Utc>) -> Result<()> {
        let host = site_of(Some(url.as_str())).unwrap_or_default();
        let wrapper = self
            .sites
            .wrapper(self.archive, &host, now, &mut work.changes)?;
        let Some(wrapper) = wrapper else {
            return Ok(());
        };
        let origin = url.origin().ascii_serialization();
        let headers = &wrapper.extractor.wrapper().headers;
        let told = self.introduced.get(&origin);
        if told.map_or(headers.is_empty(), |told| *told == wrapper.sha256) {
            return Ok(());
        }
        let named = headers
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()));
        for refused in self.fetcher.send_to(url, named) {
            tracing::warn!(site = wrapper.extractor.wrapper().site, %refused, "a header is not sent");
        }
        match headers.is_empty() {
            true => self.introduced.remove(&origin),
            false => self.introduced.insert(origin, wrapper.sha256.clone()),
        };
        Ok(())
    }

    /// A clock that went backwards: what was to pass passes from now on.
    fn anchor(&mut self, now: DateTime<Utc>) -> Result<()> {
        let mut changes = Vec::new();
        for feed in self.archive.feeds_ahead(now)? {
            let next = feed.poll.next.unwrap_or(now);
            if let Some(next) = anchored(now, next, feed.poll.last) {
                let mut poll = feed.poll;
                (poll.last, poll.next) = (Some(now), Some(next));
                changes.push(ArchiveChange::Poll(Box::new(poll)));
            }
        }
        if !changes.is_empty() {
            self.archive.write(changes)?;
        }
        Ok(())
    }

    /// Takes an answer, or a page that was read.
    fn take(&mut self, work: &mut Work<'_>, look_on: &mut dyn FnMut(&Progress<'_>)) -> Result<()> {
        while let Ok(step) = work.read.1.try_recv() {
            self.took(work, step)?;
        }
        let busy = rayon::current_num_threads() * 2;
        if work.reading >= busy || (work.reading > 0 && work.visits.under_way() == 0) {
            return match work.read.1.recv_timeout(NAP) {
                Ok(step) => self.took(work, step),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => Ok(()),
            };
        }
        // While pages are read or wait to be written, the fetcher is only asked.
        let patience = match work.reading > 0 || !work.arrived.is_empty() {
            true => Duration::from_millis(5),
            false => NAP,
        };
        let Some((tag, visited)) = work.visits.next(Some(patience)) else {
            return Ok(());
        };
        let Some(errand) = work.errands.remove(&tag) else {
            return Ok(());
        };
        let now = self.clock.now();
        let health = Health::of(&visited);
        if let Ok(visited) = &visited {
            self.metrics.answer(visited.took, visited.body.len() as u64);
        }
        let asked = match &errand {
            Errand::Feed(row) => row.url.clone(),
            Errand::Page { url, .. } => url.clone(),
            Errand::Part { unfinished, .. } => unfinished.wanted().to_owned(),
            Errand::Requisite { url } => url.clone(),
        };
        self.judge_host(work, &asked, health, now);
        let is_unasked = matches!(health, Health::Busy { asked: false, .. });
        if is_unasked && !matches!(errand, Errand::Feed(_)) {
            work.is_due_still(&errand);
            return Ok(());
        }
        let visited = visited.map_err(|error| match error.fetch_failure() {
            Some(failure) => failure.why().to_string(),
            None => error.to_string(),
        });
        if !matches!(errand, Errand::Feed(_)) {
            self.metrics.fetch(match &visited {
                Ok(visited) => result_of(visited.status),
                Err(_) => "unreachable",
            });
        }
        match errand {
            Errand::Part { unfinished, known } => {
                let passes = health != Health::Well;
                work.read_on(unfinished, *known, Came { visited, passes });
                Ok(())
            }
            Errand::Feed(row) => self.feed(work, &row, now, visited, look_on),
            Errand::Page { page, url, known } => self.page(work, page, url, known, now, visited),
            Errand::Requisite { url } => self.requisite(work, &url, now, visited, look_on),
        }
    }

    /// Takes a page that was read, or asks for where its article goes on.
    fn took(&self, work: &mut Work<'_>, step: Step) -> Result<()> {
        work.reading -= 1;
        match step {
            Step::Read(read) => work.arrived(*read),
            // It is due still.
            Step::GoesOn(_) if self.stop.load(Ordering::SeqCst) => {}
            Step::GoesOn(unfinished) => self.go_on(work, unfinished)?,
        }
        Ok(())
    }

    fn feed(
        &mut self,
        work: &mut Work<'_>,
        row: &FeedRow,
        now: DateTime<Utc>,
        visited: std::result::Result<Visited, String>,
        look_on: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<()> {
        let is_gone = matches!(&visited, Ok(visited) if is_gone(Some(visited.status)));
        let polled = feeds::polled(self.archive, row, now, visited)?;
        self.tally.feeds += 1;
        self.tally.items += polled.new as u64;
        self.metrics.fetch(polled.result);
        match &polled.error {
            Some(_) => {
                self.tally.feeds_failed += 1;
                self.tally.feeds_gone += u64::from(is_gone);
                self.metrics.error(polled.result);
            }
            None => self.metrics.feed_success(&row.url, now),
        }
        let goes = polled.leaves_its_address();
        let mut changes = polled.changes;
        changes.extend(self.robots.take());
        self.archive.write(changes)?;
        look_on(&Progress::Feed {
            url: &row.url,
            new: polled.new,
            without_address: polled.without_address,
            error: polled.error.as_deref(),
        });
        match &goes {
            Some(Event::FeedMoved { feed: url, to }) => look_on(&Progress::FeedMoved { url, to }),
            Some(Event::FeedEnded { feed: url, why }) => look_on(&Progress::FeedEnded { url, why }),
            _ => {}
        }
        if goes.is_some() {
            self.look_at_feeds()?;
        }
        work.feeds.remove(&row.url);
        work.look = true;
        work.tell_what_waits(look_on);
        Ok(())
    }

    fn page(
        &mut self,
        work: &mut Work<'_>,
        page: i64,
        url: String,
        known: Box<KnownAddress>,
        at: DateTime<Utc>,
        visited: std::result::Result<Visited, String>,
    ) -> Result<()> {
        let visited = match visited {
            Ok(visited) => visited,
            Err(why) => {
                // Its site is known from here on, with the wrapper that it has.
                let host = site_of(Some(&url)).unwrap_or_default();
                self.sites
                    .wrapper(self.archive, &host, at, &mut work.changes)?;
                work.arrived(reading::unreachable(page, at, &url, &known, why));
                return Ok(());
            }
        };
        let host = site_of(Some(visited.url.as_str())).unwrap_or_default();
        let wrapper = self
            .sites
            .wrapper(self.archive, &host, at, &mut work.changes)?;
        let job = Job {
            page,
            at,
            url,
            visited,
            known: *known,
            wrapper,
            said: self.archive.item_metadata(page)?,
            least_words: self.archive.least_words(page)?,
            raw: work.raw.clone(),
        };
        let send = work.read.0.clone();
        work.reading += 1;
        rayon::spawn(move || {
            // Nobody waits for it any more if the harvest has failed.
            let _ = send.send(reading::read(job));
        });
        Ok(())
    }

    /// Learns what can be learned now.
    fn learn(&mut self, work: &mut Work<'_>, look_on: &mut dyn FnMut(&Progress<'_>)) -> Result<()> {
        if !self.options.learns() {
            return Ok(());
        }
        let ready = self.sites.ready(self.archive, &self.options)?;
        if ready.is_empty() {
            return Ok(());
        }
        // A page that is being read knows nothing of the new wrapper: it is written
        // first, and read again with the others.
        while work.reading > 0 {
            if let Ok(step) = work.read.1.recv_timeout(NAP) {
                self.took(work, step)?;
            }
        }
        self.write(work, look_on)?;
        for site in ready {
            let now = self.clock.now();
            let learning = self.sites.learn(self.archive, &site, &self.options, now)?;
            let Some(learning) = learning else { continue };
            if !matches!(learning, Learning::Kept(_)) {
                self.tally.wrappers += 1;
            }
            look_on(&Progress::Learning {
                site: &site,
                learning: &learning,
            });
            work.look = true;
        }
        Ok(())
    }

    /// Brings the search index up to the tables.
    fn follow_index(&mut self) -> Result<()> {
        let reader = self.archive.reader()?;
        self.index.catch_up(&reader)?;
        self.unindexed = 0;
        Ok(())
    }

    /// Until something is due, or the stop sign.
    fn sleep(&mut self, work: &mut Work<'_>) -> Result<()> {
        let next = self.archive.next_due()?;
        // What is due and was not asked for waits for a host that rests.
        let begun = Instant::now();
        loop {
            if self.stop.load(Ordering::SeqCst) {
                return Ok(());
            }
            let now = self.clock.now();
            let is_due = (next.is_some_and(|next| next <= now) || !self.wanted.is_empty())
                && begun.elapsed() >= REST_NAP;
            if is_due || self.archive.has_requests() {
                work.look = true;
                return Ok(());
            }
            std::thread::sleep(NAP);
        }
    }
}

/// The name of an answer to a page's visit among the figures.
fn result_of(status: u16) -> &'static str {
    match status {
        304 => "not_modified",
        200..=299 => "ok",
        _ => "status",
    }
}

/// Whether to look for what is due, so long after the last look.
fn may_look(under_way: usize, since: Option<Duration>) -> bool {
    under_way <= FEW || since.is_none_or(|since| since >= LOOK_AFTER)
}

impl Work<'_> {
    fn submit(&mut self, errand: Errand, visit: Visit) {
        let tag = self.next_tag;
        self.next_tag += 1;
        self.errands.insert(tag, errand);
        self.visits.submit(tag, visit);
    }

    /// Before whatever else waits for the host, so that what has come of an article does
    /// not wait in memory.
    fn submit_first(&mut self, errand: Errand, visit: Visit) {
        let tag = self.next_tag;
        self.next_tag += 1;
        self.errands.insert(tag, errand);
        self.visits.submit_first(tag, visit);
    }

    fn tell_what_waits(&self, look_on: &mut dyn FnMut(&Progress<'_>)) {
        look_on(&Progress::Waiting {
            visits: self.visits.under_way(),
        });
    }

    fn arrived(&mut self, read: Read) {
        self.since.get_or_insert_with(Instant::now);
        self.arrived.push(read);
    }
}
