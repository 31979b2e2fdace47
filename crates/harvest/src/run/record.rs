//! Writes responses and pages, then counts and reports them; then learns wrappers from them
//! and requests their pictures.

use super::driver::{Harvest, ProgressCallback};
use super::feeds::{new_items, polled};
use super::further_lists::{known_list, unknown_items, write_items};
use super::learning::Learning;
use super::lists::{ListGap, feed_of, next_page, page_in, received};
use super::plan::HarvestEvent;
use super::progress::HarvestProgress;
use super::rejudging::report_edits;
use super::sitemaps;
use super::sites::LearningTry;
use super::write::{WrittenPage, write_pages};
use crate::error::Result;
use crate::requisites::{GatherScope, GatherStep};
use chrono::{DateTime, Utc};
use forest_archive::{Event, FeedRow, SettledEdit, Stored, VisitOutcome};
use forest_core::drift::Verdict;
use forest_core::feed::Sitemap;
use forest_fetch::Visited;
use std::time::Instant;

/// The number of pages after which the search index is updated while there is more to do.
/// Its writer's memory has its full size after two updates.
const INDEX_AFTER: usize = 64;

impl Harvest<'_> {
    /// Writes the response of a feed.
    pub(super) fn take_feed(
        &mut self,
        row: &FeedRow,
        now: DateTime<Utc>,
        outcome: std::result::Result<Visited, String>,
        on_progress: &mut ProgressCallback<'_>,
    ) -> Result<()> {
        let status = outcome.as_ref().ok().map(|visited| visited.status);
        let polled = polled(self.archive, row, now, &outcome)?;
        self.tally.count_poll(&polled, status);
        self.metrics.fetch(polled.result);
        match &polled.error {
            Some(_) => self.metrics.error(polled.result),
            None => self.metrics.feed_success(&row.url, now),
        }
        if let Some(list) = &polled.list {
            tracing::info!(feed = %row.url, "the wrapper of its list was learned again");
            self.archive.write_list(list)?;
        }
        let leaving = polled.leaves_its_address();
        let mut changes = polled.changes;
        changes.extend(self.robots.take());
        self.archive.write(changes)?;
        on_progress(&HarvestProgress::Feed {
            url: &row.url,
            new: polled.new,
            without_address: polled.without_address,
            error: polled.error.as_deref(),
            warning: polled.warning,
        });
        match &leaving {
            Some(Event::FeedMoved { feed: url, to, .. }) => {
                on_progress(&HarvestProgress::FeedMoved { url, to });
            }
            Some(Event::FeedEnded { feed: url, why }) => {
                on_progress(&HarvestProgress::FeedEnded { url, why });
            }
            _ => {}
        }
        if leaving.is_some() {
            self.look_at_feeds()?;
        }
        let written = HarvestEvent::FeedWritten(row.url.clone());
        self.handle(written, on_progress)?;
        if let Some(next) = polled.next {
            let gap = Box::new(ListGap::new(row.clone(), next));
            self.handle(HarvestEvent::ListGoesOn(gap), on_progress)?;
        }
        for file in polled.files {
            let gap = Box::new(ListGap::of_sitemap(row.clone(), file.url));
            self.handle(HarvestEvent::ListGoesOn(gap), on_progress)?;
        }
        self.report_load(on_progress);
        Ok(())
    }

    /// Writes the items of a file of an index of sitemaps, or asks for the files of the index
    /// that it is.
    fn take_sitemap(
        &mut self,
        gap: &ListGap,
        found: Sitemap,
        now: DateTime<Utc>,
        on_progress: &mut ProgressCallback<'_>,
    ) -> Result<()> {
        match found {
            Sitemap::Pages(feed) => {
                let mut items = new_items(self.archive, &gap.feed, &feed)?.items;
                items.truncate(sitemaps::MAX_ITEMS);
                tracing::info!(feed = %gap.feed.url, url = %gap.url, new = items.len(), "a sitemap was read");
                write_items(self.archive, &gap.feed, items, now)?;
                self.handle(HarvestEvent::Woken, on_progress)
            }
            Sitemap::Index(index) => {
                let files = sitemaps::files_to_read(index, gap.feed.poll.success);
                for gap in gap.files(files) {
                    self.handle(HarvestEvent::ListGoesOn(Box::new(gap)), on_progress)?;
                }
                Ok(())
            }
        }
    }

    /// Writes the items of a further page of a list, and asks for the page behind it if all of
    /// them are new.
    pub(super) fn take_further_list(
        &mut self,
        gap: ListGap,
        now: DateTime<Utc>,
        outcome: std::result::Result<Visited, String>,
        on_progress: &mut ProgressCallback<'_>,
    ) -> Result<()> {
        let visited = match received(outcome) {
            Ok(visited) => visited,
            Err(why) => {
                tracing::warn!(url = %gap.url, why, "a further page of a list was not read");
                return Ok(());
            }
        };
        if let Some(found) = sitemaps::file_in(&visited, &gap.feed.url) {
            return self.take_sitemap(&gap, found, now, on_progress);
        }
        let page = page_in(&visited);
        let Some(extractor) = known_list(self.archive, &page)? else {
            return Ok(());
        };
        let listed = extractor.apply(&page);
        let (next, all) = (next_page(&page, &listed), listed.items.len());
        let items = unknown_items(self.archive, &gap.feed, feed_of(&page, listed))?;
        tracing::info!(feed = %gap.feed.url, url = %gap.url, new = items.len(), "a list was read on");
        let goes_on = all > 0 && items.len() == all;
        write_items(self.archive, &gap.feed, items, now)?;
        self.handle(HarvestEvent::Woken, on_progress)?;
        if let Some(gap) = gap.behind(next).filter(|_| goes_on) {
            self.handle(HarvestEvent::ListGoesOn(Box::new(gap)), on_progress)?;
        }
        Ok(())
    }

    /// Writes the batch, and reports its pages.
    pub(super) fn write(&mut self, on_progress: &mut ProgressCallback<'_>) -> Result<()> {
        let mut batch = std::mem::take(&mut self.plan.batch);
        batch.changes.extend(self.robots.take());
        if batch.is_empty() {
            return Ok(());
        }
        // The order is that of pages, not of threads.
        batch.pages.sort_by_key(|read| read.page);
        let written = write_pages(self.archive, &mut self.sites, batch.changes, batch.pages)?;
        if let Some(gathering) = &mut self.gathering {
            gathering.written();
        }
        let pages = written.iter().map(|page| page.page).collect();
        self.handle(HarvestEvent::PagesWritten(pages), on_progress)?;
        for page in &written {
            self.report_page(page, on_progress)?;
        }
        for page in &written {
            if let Some((from, to)) = page.verdict {
                on_progress(&HarvestProgress::Verdict {
                    site: &page.site,
                    from,
                    to,
                    url: &page.visit.url,
                });
            }
        }
        self.unindexed += written.len();
        if self.unindexed >= INDEX_AFTER {
            self.follow_index()?;
        }
        self.report_load(on_progress);
        Ok(())
    }

    fn report_page(
        &mut self,
        page: &WrittenPage,
        on_progress: &mut ProgressCallback<'_>,
    ) -> Result<()> {
        let WrittenPage { site, visit, .. } = page;
        self.tally.count_page(page);
        self.metrics.page(site, visit.status, visit.confidence);
        if matches!(page.verdict, Some((_, Verdict::Drift))) {
            self.metrics.drift(site);
        }
        let feed = match page.stored {
            Stored::New | Stored::Version => self.archive.feed_of(page.page)?,
            _ => None,
        };
        on_progress(&HarvestProgress::Page {
            url: &visit.url,
            site,
            status: visit.status,
            stored: page.stored,
            error: visit.error.as_deref(),
            title: match &visit.outcome {
                VisitOutcome::Version(reading) => reading.record.title.as_deref(),
                _ => None,
            },
            feed: feed.as_deref(),
        });
        Ok(())
    }

    fn report_load(&self, on_progress: &mut ProgressCallback<'_>) {
        on_progress(&HarvestProgress::Waiting {
            visits: self.plan.load().requests,
        });
    }

    /// Learns the wrappers of the sites that have enough pages.
    pub(super) fn learn(&mut self, on_progress: &mut ProgressCallback<'_>) -> Result<()> {
        for (site, edits) in self.sites.settle(self.archive, self.clock.now())? {
            self.report_edits(&site, &edits, on_progress)?;
        }
        if !self.options.learns() {
            return Ok(());
        }
        let ready = self.sites.ready(self.archive, &self.options)?;
        if ready.is_empty() {
            return Ok(());
        }
        // A page that is being read does not have the new wrapper: it is written first, and
        // read again with the others.
        while self.plan.load().reading > 0 {
            if let Some(event) = self.fetching.next_step() {
                self.handle(event, on_progress)?;
            }
        }
        self.write(on_progress)?;
        for site in ready {
            let now = self.clock.now();
            let learning = self.sites.learn(self.archive, &site, &self.options, now)?;
            let Some(LearningTry { learning, edits }) = learning else {
                continue;
            };
            if !matches!(learning, Learning::Kept(_)) {
                self.tally.wrappers += 1;
            }
            on_progress(&HarvestProgress::Learning {
                site: &site,
                learning: &learning,
            });
            self.report_edits(&site, &edits, on_progress)?;
            self.handle(HarvestEvent::Woken, on_progress)?;
        }
        Ok(())
    }

    /// Reports doubtful readings that became versions.
    pub(super) fn report_edits(
        &mut self,
        site: &str,
        edits: &[SettledEdit],
        on_progress: &mut ProgressCallback<'_>,
    ) -> Result<()> {
        self.tally.versions += edits.len() as u64;
        self.unindexed += edits.len();
        report_edits(self.archive, site, edits, on_progress)
    }

    /// Requests the pictures of articles that are in the archive.
    pub(super) fn gather(&mut self, on_progress: &mut ProgressCallback<'_>) -> Result<()> {
        let Some(gathering) = &mut self.gathering else {
            return Ok(());
        };
        let now = self.clock.now();
        if self.plan.looks() {
            gathering.try_again();
        }
        let back_offs = self.plan.back_offs();
        let is_resting = |url: &url::Url| back_offs.holds(url, now);
        let step = gathering.look(self.archive, GatherScope::lately(now), now, &is_resting)?;
        self.go_on_gathering(step, on_progress)
    }

    /// Takes the response of a requisite.
    pub(super) fn take_requisite(
        &mut self,
        url: &str,
        now: DateTime<Utc>,
        outcome: std::result::Result<Visited, String>,
        on_progress: &mut ProgressCallback<'_>,
    ) -> Result<()> {
        let Some(gathering) = &mut self.gathering else {
            return Ok(());
        };
        let bytes = outcome.as_ref().map_or(0, |visited| visited.body.len());
        self.plan.batch.requisite_bytes += bytes;
        let step = gathering.take(self.archive, url, now, outcome)?;
        if let Some(picture) = &step.picture {
            let error = picture.as_ref().err().map(String::as_str);
            self.tally.count_picture(error.is_none());
            on_progress(&HarvestProgress::Picture { url, error });
        }
        self.go_on_gathering(step, on_progress)
    }

    fn go_on_gathering(
        &mut self,
        step: GatherStep,
        on_progress: &mut ProgressCallback<'_>,
    ) -> Result<()> {
        let batch = &mut self.plan.batch;
        batch.add_requisites(step.changes, Instant::now());
        self.handle(HarvestEvent::RequisitesDue(step.requests), on_progress)
    }
}
