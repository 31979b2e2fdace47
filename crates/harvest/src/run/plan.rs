//! The decisions of a harvest, without a network, an archive or a clock: events come in,
//! actions go out.
//!
//! It holds the requests that were sent and not answered, the pages that are read, the
//! back-offs of hosts and the batch that is to be written. Feeds and pages stay due in the
//! archive until they are written, so that a harvest that is killed loses none of them.

use super::back_off::{HostBackOffs, HostHealth};
use super::further::{FurtherResponse, ReadingStep, Unfinished};
use super::lists::ListGap;
use super::page_result::ReadPage;
use super::sitemaps::resource_of;
use crate::requisites::RequisiteRequest;
use chrono::{DateTime, Utc};
use forest_archive::{ArchiveChange, DuePage, FeedRow, KnownAddress};
use forest_core::extract::Status;
use forest_fetch::{Resource, VisitRequest, Visited, reason};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::{Duration, Instant};
use url::Url;

#[cfg(test)]
mod tests;

/// Maximum number of addresses that are handed to the fetcher at once.
pub(super) const SUBMITTED: usize = 20_000;

/// The number of requests under way up to which a look for due feeds and pages costs little.
/// Requested feeds and pages are still due, and are read at each look.
const FEW: usize = 64;

/// Time between two looks for due feeds and pages while more requests are under way.
const LOOK_AFTER: Duration = Duration::from_secs(1);

/// Age at which a batch that is not full is written.
const MAX_BATCH_AGE: Duration = Duration::from_secs(2);

/// Bytes of requisites at which a batch is written.
const MAX_REQUISITE_BYTES: usize = 64_000_000;

/// A page that is requested.
#[derive(Debug)]
pub(super) struct PageTarget {
    /// The page's number in the archive.
    pub page: i64,
    pub url: String,
    pub known: KnownAddress,
}

/// A request that was handed to the fetcher.
#[derive(Debug)]
enum PendingRequest {
    Feed(Box<FeedRow>),
    Page(Box<PageTarget>),
    FurtherPage(Box<Unfinished>, Box<KnownAddress>),
    FurtherList(Box<ListGap>),
    Requisite(String),
}

impl PendingRequest {
    fn address(&self) -> &str {
        match self {
            PendingRequest::Feed(row) => &row.url,
            PendingRequest::Page(target) => &target.url,
            PendingRequest::FurtherPage(unfinished, _) => unfinished.wanted(),
            PendingRequest::FurtherList(gap) => gap.url.as_str(),
            PendingRequest::Requisite(url) => url,
        }
    }
}

/// An event that the plan reacts to.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "one event is held at a time")]
pub(super) enum HarvestEvent {
    /// Feeds are due.
    FeedsDue(Vec<FeedRow>),
    /// A page is due that [`HarvestPlan::accepts`] took.
    PageDue(Box<PageTarget>),
    /// The archive's state of an article's next page.
    FurtherPageDue(Box<Unfinished>, Box<KnownAddress>),
    /// A list has more new items than its first page.
    ListGoesOn(Box<ListGap>),
    /// Requisites of articles are wanted.
    RequisitesDue(Vec<RequisiteRequest>),
    /// A request was answered, or failed.
    Response(u64, forest_fetch::Result<Visited>),
    /// These requests were taken back from the fetcher unsent.
    Withdrawn(Vec<u64>),
    /// A page was read.
    PageRead(ReadingStep),
    /// Pages are in the archive.
    PagesWritten(Vec<i64>),
    /// A feed's response is in the archive.
    FeedWritten(String),
    /// A wrapper was learned, or somebody wrote to the inbox: something may be due.
    Woken,
    /// The harvest is to end.
    Stopped,
}

/// A response, or the reason why there is none.
type VisitResult = std::result::Result<Visited, String>;

/// An action that the plan asks for.
#[derive(Debug)]
pub(super) enum HarvestAction {
    /// Hand a visit to the fetcher; `first`: before the others of its host.
    Request {
        tag: u64,
        visit: VisitRequest,
        first: bool,
    },
    /// Take back the unsent requests for a host.
    Withdraw(Url),
    /// Take back all requests.
    Cancel,
    /// Count a request by its result.
    CountRequest(&'static str),
    /// Write the response of a feed.
    TakeFeed(Box<FeedRow>, VisitResult),
    /// Read a page on another core.
    ReadPage(Box<PageTarget>, Visited),
    /// Note that a page was not received.
    MissPage(Box<PageTarget>, String),
    /// Ask the archive for the next page of an article.
    FindFurtherPage(Box<Unfinished>),
    /// Continue reading an article with its next page.
    ReadFurtherPage(Box<Unfinished>, Box<KnownAddress>, FurtherResponse),
    /// Write the items of a list's further page.
    TakeFurtherList(Box<ListGap>, VisitResult),
    /// Take the response of a requisite.
    TakeRequisite(String, VisitResult),
    /// Put off the articles of a requisite.
    PutOffRequisite(String),
}

/// Pages and changes that will be written together.
#[derive(Debug, Default)]
pub(super) struct HarvestBatch {
    pub changes: Vec<ArchiveChange>,
    pub pages: Vec<ReadPage>,
    pub requisite_bytes: usize,
    /// The arrival time of its first page or requisite.
    pub since: Option<Instant>,
}

impl HarvestBatch {
    pub fn add_page(&mut self, page: ReadPage, now: Instant) {
        self.since.get_or_insert(now);
        self.pages.push(page);
    }

    /// Adds the changes for a requisite.
    pub fn add_requisites(&mut self, changes: Vec<ArchiveChange>, now: Instant) {
        if !changes.is_empty() {
            self.since.get_or_insert(now);
            self.changes.extend(changes);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.pages.is_empty() && self.changes.is_empty()
    }
}

/// A time by the harvest's clock, and by the monotonic clock.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moment {
    pub utc: DateTime<Utc>,
    pub instant: Instant,
}

/// The load of a harvest; it decides what to wait for next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Load {
    /// Requests that were not answered yet.
    pub requests: usize,
    /// Pages that are being read.
    pub reading: usize,
    /// Pages that wait to be written.
    pub unwritten: usize,
}

/// The state of a harvest.
#[derive(Debug)]
pub(super) struct HarvestPlan {
    back_offs: HostBackOffs,
    /// Pages that are to be visited though they may not be due: numbers and addresses.
    wanted: BTreeMap<i64, String>,
    /// Only these are visited, and no feed is polled.
    pub wanted_only: bool,
    pending: HashMap<u64, PendingRequest>,
    next_tag: u64,
    /// Feeds that were requested and are not written yet.
    feeds: HashSet<String>,
    /// Pages that were requested and are not written yet.
    pages: HashSet<i64>,
    /// The number of pages that are being read.
    reading: usize,
    pub batch: HarvestBatch,
    stopping: bool,
    /// Something may be due.
    look: bool,
    /// The time of the last question to the archive for all that is due.
    looked: Option<Instant>,
    /// The clock's time of that look.
    seen: DateTime<Utc>,
    /// The time of the last question to the archive if anything came due.
    checked: Instant,
}

impl HarvestPlan {
    pub fn new(now: Moment) -> HarvestPlan {
        HarvestPlan {
            back_offs: HostBackOffs::default(),
            wanted: BTreeMap::new(),
            wanted_only: false,
            pending: HashMap::new(),
            next_tag: 0,
            feeds: HashSet::new(),
            pages: HashSet::new(),
            reading: 0,
            batch: HarvestBatch::default(),
            stopping: false,
            look: true,
            looked: None,
            seen: now.utc,
            checked: now.instant,
        }
    }

    /// Forgets the requests of an earlier run. Back-offs and wanted pages stay.
    pub fn begin(&mut self, now: Moment) {
        *self = HarvestPlan {
            back_offs: std::mem::take(&mut self.back_offs),
            wanted: std::mem::take(&mut self.wanted),
            wanted_only: self.wanted_only,
            ..HarvestPlan::new(now)
        };
    }

    /// Takes an event; returns the resulting actions, in their order. Changes to
    /// be written are added to the batch.
    pub fn on(&mut self, event: HarvestEvent, now: Moment) -> Vec<HarvestAction> {
        match event {
            HarvestEvent::FeedsDue(feeds) => {
                let requests = feeds
                    .into_iter()
                    .map(|feed| self.request_feed(feed, now.utc));
                requests.flatten().collect()
            }
            HarvestEvent::PageDue(target) => self.request_page(target).into_iter().collect(),
            HarvestEvent::FurtherPageDue(unfinished, known) => {
                vec![self.request_further_page(unfinished, known)]
            }
            HarvestEvent::ListGoesOn(gap) => {
                let visit =
                    VisitRequest::new(gap.url.clone(), resource_of(&gap.url, Resource::Page));
                vec![self.request(PendingRequest::FurtherList(gap), visit, true)]
            }
            HarvestEvent::RequisitesDue(requisites) => {
                let requests = requisites.into_iter().filter_map(|requisite| {
                    let visit = requisite.visit()?;
                    Some(self.request(PendingRequest::Requisite(requisite.url), visit, true))
                });
                requests.collect()
            }
            HarvestEvent::Response(tag, result) => self.respond(tag, result, now.utc),
            HarvestEvent::Withdrawn(tags) => {
                let requests = tags.iter().filter_map(|tag| self.pending.remove(tag));
                let requests: Vec<PendingRequest> = requests.collect();
                let put_off = requests.into_iter().map(|request| self.release(&request));
                put_off.flatten().collect()
            }
            HarvestEvent::PageRead(step) => self.take_step(step, now.instant),
            HarvestEvent::PagesWritten(pages) => {
                for page in &pages {
                    self.pages.remove(page);
                    self.wanted.remove(page);
                }
                Vec::new()
            }
            HarvestEvent::FeedWritten(url) => {
                self.feeds.remove(&url);
                self.look = true;
                Vec::new()
            }
            HarvestEvent::Woken => {
                self.look = true;
                Vec::new()
            }
            HarvestEvent::Stopped => {
                self.stopping = true;
                self.pending.clear();
                vec![HarvestAction::Cancel]
            }
        }
    }

    /// Returns the address of a due page that should be requested: it is not requested yet
    /// and its host is not in back-off.
    pub fn accepts(&mut self, page: &DuePage, now: DateTime<Utc>) -> Option<Url> {
        let url = Url::parse(&page.url).ok()?;
        let is_new = !self.back_offs.holds(&url, now) && self.pages.insert(page.id);
        is_new.then_some(url)
    }

    /// Adds a page that is visited whatever its schedule.
    pub fn want(&mut self, page: i64, url: String) {
        self.wanted.insert(page, url);
    }

    /// The wanted pages that were not visited.
    pub fn wanted(&self) -> impl Iterator<Item = DuePage> {
        let pages = self.wanted.iter();
        pages.map(|(&id, url)| DuePage {
            id,
            url: url.clone(),
        })
    }

    /// Takes a back-off that began in an earlier process.
    pub fn restore_back_off(&mut self, origin: String, until: DateTime<Utc>) {
        self.back_offs.restore(origin, until);
    }

    pub fn back_offs(&self) -> &HostBackOffs {
        &self.back_offs
    }

    /// Returns true if a feed was requested and its response is not written yet.
    pub fn polls(&self, feed: &str) -> bool {
        self.feeds.contains(feed)
    }

    pub fn is_stopping(&self) -> bool {
        self.stopping
    }

    pub fn load(&self) -> Load {
        Load {
            requests: self.pending.len(),
            reading: self.reading,
            unwritten: self.batch.pages.len(),
        }
    }

    /// If it is time to ask the archive if anything came due: the start of the time to ask
    /// about. So a host with a long delay does not delay others.
    pub fn check_since(&mut self, now: Instant) -> Option<DateTime<Utc>> {
        if self.stopping || self.look || now.duration_since(self.checked) < LOOK_AFTER {
            return None;
        }
        self.checked = now;
        Some(self.seen)
    }

    /// Takes the archive's answer to [`check_since`](Self::check_since).
    pub fn checked(&mut self, comes_due: bool, now: DateTime<Utc>) {
        let clock_went_back = now < self.seen;
        self.look = clock_went_back || comes_due || self.back_offs.one_ended(self.seen, now);
    }

    /// Returns true if it is time to ask the archive for all that is due, which begins a look.
    pub fn begins_look(&mut self, now: Moment) -> bool {
        let is_late = |looked| now.instant.duration_since(looked) >= LOOK_AFTER;
        let may_look = self.pending.len() <= FEW || self.looked.is_none_or(is_late);
        if self.stopping || !self.look || !may_look {
            return false;
        }
        (self.look, self.looked, self.seen) = (false, Some(now.instant), now.utc);
        true
    }

    /// The number of due pages to ask for, including requested ones. `None` if the fetcher
    /// has enough for now; then another look follows.
    pub fn page_limit(&mut self) -> Option<usize> {
        let has_enough = self.pending.len() >= SUBMITTED / 2;
        self.look |= has_enough;
        (!has_enough).then_some(self.pages.len() + SUBMITTED)
    }

    /// Returns true if requisites that were put off may be tried again.
    pub fn looks(&self) -> bool {
        self.look
    }

    /// Returns true if no request and no reading is under way.
    pub fn is_idle(&self) -> bool {
        self.pending.is_empty() && self.reading == 0
    }

    /// Returns true if the batch must be written.
    pub fn writes(&self, now: Instant, batch_pages: usize) -> bool {
        let batch = &self.batch;
        let is_old = batch
            .since
            .is_some_and(|since| now.duration_since(since) > MAX_BATCH_AGE);
        let is_full =
            batch.pages.len() >= batch_pages || batch.requisite_bytes >= MAX_REQUISITE_BYTES;
        is_full || is_old || self.is_idle()
    }

    /// Returns true if nothing is left to do: all is written and nothing more may be due.
    pub fn is_done(&self) -> bool {
        self.is_idle() && self.batch.is_empty() && (self.stopping || !self.look)
    }

    fn request_feed(&mut self, feed: FeedRow, now: DateTime<Utc>) -> Option<HarvestAction> {
        let url = Url::parse(&feed.url).ok()?;
        if self.back_offs.holds(&url, now) || !self.feeds.insert(feed.url.clone()) {
            return None;
        }
        let what = resource_of(&url, Resource::Feed);
        let visit = VisitRequest {
            etag: feed.poll.etag.clone(),
            last_modified: feed.poll.last_modified.clone(),
            with_failure: feed.poll.failures == 0,
            ..VisitRequest::new(url, what)
        };
        Some(self.request(PendingRequest::Feed(Box::new(feed)), visit, false))
    }

    fn request_page(&mut self, target: Box<PageTarget>) -> Option<HarvestAction> {
        if target.known.forgotten {
            self.wanted.remove(&target.page);
            return None;
        }
        let visit = page_visit(Url::parse(&target.url).ok()?, &target.known);
        Some(self.request(PendingRequest::Page(target), visit, false))
    }

    /// Further pages are the first in their host's queue, so that unfinished articles do not
    /// stay in memory.
    fn request_further_page(
        &mut self,
        unfinished: Box<Unfinished>,
        known: Box<KnownAddress>,
    ) -> HarvestAction {
        match Url::parse(unfinished.wanted()) {
            Ok(url) if !known.forgotten => {
                let visit = page_visit(url, &known);
                self.request(PendingRequest::FurtherPage(unfinished, known), visit, true)
            }
            _ => {
                self.reading += 1;
                let response = FurtherResponse::refused("it is not to be visited");
                HarvestAction::ReadFurtherPage(unfinished, known, response)
            }
        }
    }

    fn request(
        &mut self,
        request: PendingRequest,
        visit: VisitRequest,
        first: bool,
    ) -> HarvestAction {
        let tag = self.next_tag;
        self.next_tag += 1;
        self.pending.insert(tag, request);
        HarvestAction::Request { tag, visit, first }
    }

    fn respond(
        &mut self,
        tag: u64,
        result: forest_fetch::Result<Visited>,
        now: DateTime<Utc>,
    ) -> Vec<HarvestAction> {
        let Some(request) = self.pending.remove(&tag) else {
            return Vec::new();
        };
        let health = HostHealth::of(&result);
        let mut actions: Vec<HarvestAction> = Vec::new();
        actions.extend(self.observe(request.address(), health, now));
        let is_remembered = matches!(
            health,
            HostHealth::Busy {
                is_answer: false,
                ..
            }
        );
        if is_remembered && !matches!(request, PendingRequest::Feed(_)) {
            actions.extend(self.release(&request));
            return actions;
        }
        let outcome = result.map_err(|error| reason(&error));
        if !matches!(request, PendingRequest::Feed(_)) {
            let status = outcome.as_ref().map(|visited| visited.status);
            actions.push(HarvestAction::CountRequest(match status {
                Ok(304) => "not_modified",
                Ok(200..=299) => "ok",
                Ok(_) => "status",
                Err(_) => "unreachable",
            }));
        }
        actions.push(match (request, outcome) {
            (PendingRequest::Feed(row), outcome) => HarvestAction::TakeFeed(row, outcome),
            (PendingRequest::Page(target), Ok(visited)) => {
                self.reading += 1;
                HarvestAction::ReadPage(target, visited)
            }
            (PendingRequest::Page(target), Err(why)) => HarvestAction::MissPage(target, why),
            (PendingRequest::FurtherPage(unfinished, known), visited) => {
                self.reading += 1;
                let is_transient = health != HostHealth::Well;
                let response = FurtherResponse {
                    visited,
                    is_transient,
                };
                HarvestAction::ReadFurtherPage(unfinished, known, response)
            }
            (PendingRequest::FurtherList(gap), outcome) => {
                HarvestAction::TakeFurtherList(gap, outcome)
            }
            (PendingRequest::Requisite(url), outcome) => HarvestAction::TakeRequisite(url, outcome),
        });
        actions
    }

    /// Counts the failures of a host. A host that fails repeatedly gets a back-off, and its
    /// waiting requests are taken back.
    fn observe(
        &mut self,
        address: &str,
        health: HostHealth,
        now: DateTime<Utc>,
    ) -> Option<HarvestAction> {
        let url = Url::parse(address).ok()?;
        let back_off = self.back_offs.observe(&url, health, now)?;
        // The next process leaves the host alone, too.
        self.batch.changes.push(ArchiveChange::Rest {
            origin: back_off.origin,
            until: back_off.until,
        });
        Some(HarvestAction::Withdraw(url))
    }

    /// Forgets a request that was not sent: its feed or page is still due.
    fn release(&mut self, request: &PendingRequest) -> Option<HarvestAction> {
        match request {
            PendingRequest::Feed(feed) => {
                self.feeds.remove(&feed.url);
            }
            PendingRequest::Page(target) => {
                self.pages.remove(&target.page);
            }
            PendingRequest::FurtherPage(unfinished, _) => {
                self.pages.remove(&unfinished.page());
            }
            // What it lists stays unread: only `harvest backfill` asks for it again.
            PendingRequest::FurtherList(_) => {}
            PendingRequest::Requisite(url) => {
                return Some(HarvestAction::PutOffRequisite(url.clone()));
            }
        }
        None
    }

    fn take_step(&mut self, step: ReadingStep, now: Instant) -> Vec<HarvestAction> {
        self.reading -= 1;
        match step {
            ReadingStep::Read(read) => {
                self.batch.add_page(*read, now);
                Vec::new()
            }
            // Its page is still due.
            ReadingStep::GoesOn(_) if self.stopping => Vec::new(),
            ReadingStep::GoesOn(unfinished) => vec![HarvestAction::FindFurtherPage(unfinished)],
        }
    }
}

/// A request for a page, with the conditions from the archive. Of a page that fails again and
/// again the archive has the first failure's body.
fn page_visit(url: Url, known: &KnownAddress) -> VisitRequest {
    let has_failed = matches!(known.status, Some(Status::Error | Status::Blocked));
    VisitRequest {
        etag: known.etag.clone(),
        last_modified: known.last_modified.clone(),
        with_failure: !has_failed,
        ..VisitRequest::new(url, Resource::Page)
    }
}
