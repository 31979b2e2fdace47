//! The loop of a harvest: events go to the plan, its actions to the fetcher, the readers and
//! the archive.

use super::active::ActiveWrapper;
use super::fetching::{Fetching, MAX_WAIT};
use super::options::HarvestOptions;
use super::page_result::{FetchedPage, unreachable};
use super::plan::{HarvestAction, HarvestEvent, HarvestPlan, Moment, PageTarget};
use super::progress::{HarvestProgress, HarvestTally, Until};
use super::robots::ArchivedRobots;
use super::sites::Sites;
use crate::answers::{answers_before, other_answers};
use crate::clock::Clock;
use crate::error::Result;
use crate::metrics::Metrics;
use crate::requisites::Gathering;
use crate::secrets::ArchiveSecrets;
use chrono::{DateTime, Utc};
use forest_archive::search::SearchIndex;
use forest_archive::{Archive, ArchiveChange, FeedRow, RawPages, ReextractOptions, paths};
use forest_fetch::{Fetcher, Visited};
use forest_html::address::site_of;
use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};
use url::Url;

/// Time between two looks while due feeds and pages wait for a host's back-off.
const BACK_OFF_WAIT: Duration = Duration::from_secs(5);

/// The caller's function that gets the events of a harvest.
pub(super) type ProgressCallback<'l> = dyn FnMut(&HarvestProgress<'_>) + 'l;

/// A harvest.
#[derive(Debug)]
pub struct Harvest<'a> {
    pub(super) archive: &'a mut Archive,
    pub(super) fetcher: &'a Fetcher,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) options: HarvestOptions,
    pub(super) metrics: Arc<Metrics>,
    pub(super) stop: Arc<AtomicBool>,
    pub(super) index: SearchIndex,
    /// The number of pages written since the last update of the index.
    pub(super) unindexed: usize,
    pub(super) sites: Sites,
    pub(super) robots: Arc<ArchivedRobots>,
    pub(super) raw: RawPages,
    /// For each origin the wrapper whose headers are sent to it.
    pub(super) headers_of: HashMap<String, String>,
    /// Articles that wait for their pictures.
    pub(super) gathering: Option<Gathering>,
    /// Versions that are to be read again, site by site.
    pub(super) rereading: VecDeque<ReextractOptions>,
    pub(super) fetching: Fetching<'a>,
    pub(super) plan: HarvestPlan,
    pub(super) tally: HarvestTally,
}

impl<'a> Harvest<'a> {
    /// Begins a harvest into `archive`.
    ///
    /// # Errors
    ///
    /// If the search index can be neither opened nor made anew, or if others can read the secrets of
    /// sites.
    pub fn new(
        archive: &'a mut Archive,
        fetcher: &'a Fetcher,
        clock: Arc<dyn Clock>,
        options: HarvestOptions,
    ) -> Result<Harvest<'a>> {
        let index = SearchIndex::open_or_remake(&paths::index(archive.dir()))?;
        let robots = Arc::new(ArchivedRobots::of(archive, Arc::clone(&clock))?);
        let memory: Weak<ArchivedRobots> = Arc::downgrade(&robots);
        fetcher.remember(memory);
        let secrets = ArchiveSecrets::open(archive.dir(), Arc::clone(&clock))?;
        fetcher.keep_secrets(Arc::new(secrets));
        let now = Moment {
            utc: clock.now(),
            instant: Instant::now(),
        };
        Ok(Harvest {
            raw: archive.raw_pages(),
            archive,
            fetcher,
            clock,
            options,
            metrics: Arc::default(),
            stop: Arc::default(),
            index,
            unindexed: 0,
            sites: Sites::default(),
            robots,
            headers_of: HashMap::new(),
            gathering: None,
            rereading: VecDeque::new(),
            fetching: Fetching::new(fetcher),
            plan: HarvestPlan::new(now),
            tally: HarvestTally::default(),
        })
    }

    /// Sets the figures that the harvest updates.
    #[must_use]
    pub fn with_metrics(mut self, metrics: Arc<Metrics>) -> Self {
        metrics.begin();
        self.metrics = metrics;
        self
    }

    /// Sets the stop sign: the harvest ends soon after it is set.
    #[must_use]
    pub fn with_stop(mut self, stop: Arc<AtomicBool>) -> Self {
        self.stop = stop;
        self
    }

    /// Polls no feed and visits only the pages of [`visit_now`](Self::visit_now).
    #[must_use]
    pub fn with_wanted_only(mut self) -> Self {
        self.plan.wanted_only = true;
        self
    }

    /// Makes feeds due, or all active feeds if `feeds` is empty; returns their number. Feeds that
    /// are paused, ended or not in the archive stay as they are. No host is requested before
    /// its back-off is over, and robots.txt is obeyed.
    ///
    /// # Errors
    ///
    /// If the archive cannot be read or written.
    pub fn poll_now(&mut self, feeds: &[String]) -> Result<usize> {
        let rows = match feeds {
            [] => self.archive.reader()?.feeds()?,
            feeds => {
                let rows = feeds.iter().map(|feed| self.archive.feed(feed));
                rows.filter_map(Result::transpose)
                    .collect::<forest_archive::Result<Vec<FeedRow>>>()?
            }
        };
        let now = self.clock.now();
        let due = rows.into_iter().filter(FeedRow::is_polled);
        let due = due.map(|row| {
            let mut poll = row.poll;
            poll.next = Some(now);
            ArchiveChange::Poll(Box::new(poll))
        });
        let changes: Vec<ArchiveChange> = due.collect();
        let count = changes.len();
        if count > 0 {
            self.archive.write(changes)?;
        }
        Ok(count)
    }

    /// Adds the pages of these addresses to those that are visited, whatever feed names
    /// them; gives the addresses that are visited, in the same order. `None`: the archive
    /// does not know the address, or it cannot be fetched. Only this harvest remembers them.
    ///
    /// # Errors
    ///
    /// If the archive cannot be read.
    pub fn visit_now(&mut self, urls: &[String]) -> Result<Vec<Option<String>>> {
        let mut taken = Vec::with_capacity(urls.len());
        for typed in urls {
            let page = self.archive.page_of(typed)?;
            let page = page.filter(|page| is_fetchable(&page.url));
            // A person typed this address. Hosts that it redirects to are not covered.
            if let Some(url) = Url::parse(typed).ok().filter(|_| page.is_some()) {
                self.fetcher.allow(&url);
            }
            taken.push(page.map(|page| {
                self.plan.want(page.id, page.url.clone());
                page.url
            }));
        }
        Ok(taken)
    }

    /// The pages of [`visit_now`](Self::visit_now) that were not visited because their
    /// hosts are in back-off.
    pub fn unvisited(&self) -> impl Iterator<Item = String> {
        self.plan.wanted().map(|page| page.url)
    }

    /// Harvests, and reports its events to `on_progress`.
    ///
    /// # Errors
    ///
    /// If the archive cannot be read or written. A site's or a feed's failure is no error.
    pub fn run(
        &mut self,
        until: Until,
        on_progress: &mut ProgressCallback<'_>,
    ) -> Result<HarvestTally> {
        self.tally = HarvestTally::default();
        self.look_at_feeds()?;
        self.plan.begin(self.now());
        self.fetching = Fetching::new(self.fetcher);
        let (requisites, after) = (self.options.requisites(), self.archive.last_version()?);
        self.gathering = requisites.map(|options| Gathering::new(options.clone(), after));
        for (origin, until) in self.archive.rests()? {
            self.plan.restore_back_off(origin, until);
        }
        // A killed harvest may have stored all pages of a site without learning its wrapper, and
        // another command may have seen its wrapper drift.
        let now = self.clock.now();
        for (site, _) in self.archive.reader()?.sites()? {
            let drifted = || {
                Ok::<_, crate::Error>(self.archive.last_verdict(&site)?.as_deref() == Some("drift"))
            };
            if self.archive.active_wrapper(&site)?.is_none() || drifted()? {
                let changes = &mut self.plan.batch.changes;
                self.sites.stir(self.archive, &site, now, changes)?;
            }
        }
        self.drive(until, on_progress)?;
        // Sites without a page in this harvest.
        let watches = self.sites.watches();
        if !watches.is_empty() {
            self.archive.write(watches)?;
        }
        self.follow_index()?;
        if self.plan.is_stopping() {
            self.index.leave_merges();
        }
        Ok(self.tally)
    }

    /// Handles one event after another, until nothing is left to do.
    fn drive(&mut self, until: Until, on_progress: &mut ProgressCallback<'_>) -> Result<()> {
        loop {
            if self.stop.load(Ordering::SeqCst) && !self.plan.is_stopping() {
                self.handle(HarvestEvent::Stopped, on_progress)?;
            }
            self.check_due()?;
            if self.plan.begins_look(self.now()) {
                self.look(on_progress)?;
            }
            if let Some(event) = self.fetching.next_event(self.plan.load()) {
                self.handle(event, on_progress)?;
            }
            let was_idle = self.plan.is_idle();
            if self.plan.writes(Instant::now(), self.options.batch()) {
                self.write(on_progress)?;
                if !self.plan.is_stopping() {
                    self.learn(on_progress)?;
                    self.gather(on_progress)?;
                }
            }
            if !self.plan.is_stopping() && self.reread_site(on_progress)? {
                continue;
            }
            if was_idle && self.plan.is_done() {
                if self.plan.is_stopping() {
                    return Ok(());
                }
                self.follow_index()?;
                if until == Until::Idle {
                    return Ok(());
                }
                self.sleep(on_progress)?;
            }
        }
    }

    /// Hands an event to the plan, and performs the resulting actions.
    pub(super) fn handle(
        &mut self,
        event: HarvestEvent,
        on_progress: &mut ProgressCallback<'_>,
    ) -> Result<()> {
        if let HarvestEvent::Response(_, Ok(visited)) = &event {
            let bytes = visited.body.len() as u64;
            self.metrics.answer(visited.took, bytes);
        }
        let now = self.now();
        if let HarvestEvent::Response(_, Err(error)) = &event {
            let before = answers_before(error, now.utc);
            self.plan.batch.changes.extend(before);
        }
        for action in self.plan.on(event, now) {
            self.perform(action, now.utc, on_progress)?;
        }
        Ok(())
    }

    fn perform(
        &mut self,
        action: HarvestAction,
        at: DateTime<Utc>,
        on_progress: &mut ProgressCallback<'_>,
    ) -> Result<()> {
        match action {
            HarvestAction::Request { tag, visit, first } => {
                self.fetching.request(tag, visit, first)
            }
            HarvestAction::Cancel => self.fetching.cancel(),
            HarvestAction::Withdraw(url) => {
                let tags = self.fetching.withdraw(&url);
                self.handle(HarvestEvent::Withdrawn(tags), on_progress)?;
            }
            HarvestAction::CountRequest(result) => self.metrics.fetch(result),
            HarvestAction::TakeFeed(row, outcome) => {
                self.take_feed(&row, at, outcome, on_progress)?;
            }
            HarvestAction::ReadPage(target, visited) => {
                self.plan.batch.changes.extend(other_answers(&visited, at));
                let page = self.fetched_page(*target, visited, at)?;
                self.fetching.read(page);
            }
            HarvestAction::MissPage(target, why) => {
                // From here on its site is in memory, with its wrapper.
                self.wrapper_of(&target.url, at)?;
                let page = unreachable(target.page, at, &target.url, &target.known, why);
                self.plan.batch.add_page(page, Instant::now());
            }
            HarvestAction::FindFurtherPage(unfinished) => {
                let known = Box::new(self.archive.known(unfinished.wanted())?);
                let event = HarvestEvent::FurtherPageDue(unfinished, known);
                self.handle(event, on_progress)?;
            }
            HarvestAction::ReadFurtherPage(unfinished, known, response) => {
                let visited = response.visited.as_ref().ok();
                let others = visited.and_then(|visited| other_answers(visited, at));
                self.plan.batch.changes.extend(others);
                self.fetching.read_further(unfinished, known, response);
            }
            HarvestAction::TakeFurtherList(gap, outcome) => {
                let others = outcome.as_ref().ok().and_then(|it| other_answers(it, at));
                self.plan.batch.changes.extend(others);
                self.take_further_list(*gap, at, outcome, on_progress)?;
            }
            HarvestAction::TakeRequisite(url, outcome) => {
                self.take_requisite(&url, at, outcome, on_progress)?;
            }
            HarvestAction::PutOffRequisite(url) => {
                if let Some(gathering) = &mut self.gathering {
                    gathering.put_off(&url);
                }
            }
        }
        Ok(())
    }

    pub(super) fn now(&self) -> Moment {
        Moment {
            utc: self.clock.now(),
            instant: Instant::now(),
        }
    }

    /// The wrapper of an address's site.
    pub(super) fn wrapper_of(
        &mut self,
        url: &str,
        now: DateTime<Utc>,
    ) -> Result<Option<Arc<ActiveWrapper>>> {
        let host = site_of(Some(url)).unwrap_or_default();
        let changes = &mut self.plan.batch.changes;
        self.sites.wrapper(self.archive, &host, now, changes)
    }

    pub(super) fn fetched_page(
        &mut self,
        target: PageTarget,
        visited: Visited,
        at: DateTime<Utc>,
    ) -> Result<FetchedPage> {
        let PageTarget { page, url, known } = target;
        Ok(FetchedPage {
            page,
            at,
            url,
            wrapper: self.wrapper_of(visited.url.as_str(), at)?,
            visited,
            known,
            item_metadata: self.archive.item_metadata(page)?,
            least_words: self.archive.least_words(page)?,
            raw: self.raw.clone(),
            imported: None,
            from_browser: false,
        })
    }

    /// Updates the search index from the tables.
    pub(super) fn follow_index(&mut self) -> Result<()> {
        let reader = self.archive.reader()?;
        self.index.catch_up(&reader)?;
        self.unindexed = 0;
        Ok(())
    }

    /// Sleeps until something is due, or the stop sign is set.
    fn sleep(&mut self, on_progress: &mut ProgressCallback<'_>) -> Result<()> {
        let next = self.archive.next_due()?;
        // Due feeds and pages that were not requested wait for a host's back-off.
        let begun = Instant::now();
        while !self.stop.load(Ordering::SeqCst) {
            let now = self.clock.now();
            let waits = next.is_some_and(|next| next <= now) || self.plan.wanted().next().is_some();
            let is_due = waits && begun.elapsed() >= BACK_OFF_WAIT;
            if is_due || self.archive.has_requests() {
                return self.handle(HarvestEvent::Woken, on_progress);
            }
            std::thread::sleep(MAX_WAIT);
        }
        Ok(())
    }
}

/// Returns true for an address of the web: pages may come from files, too.
fn is_fetchable(url: &str) -> bool {
    Url::parse(url).is_ok_and(|url| matches!(url.scheme(), "http" | "https"))
}
