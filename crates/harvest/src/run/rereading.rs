//! Versions that other processes ask the harvest to read again: one site after another, between
//! two events, so that feeds are polled in the meantime.

use super::driver::{Harvest, ProgressCallback};
use super::progress::HarvestProgress;
use super::rejudging::report_drift;
use crate::error::Result;
use forest_archive::{ReextractOptions, RereadReceipt};

impl Harvest<'_> {
    /// Takes a request: its sites wait for their turn.
    pub(super) fn reread_later(&mut self, options: &ReextractOptions) -> Result<()> {
        let sites = match &options.site {
            Some(site) => vec![site.clone()],
            None => self.archive.reader()?.sites_of(options.feed.as_deref())?,
        };
        let of_site = |site| ReextractOptions {
            site: Some(site),
            dry_run: false,
            ..options.clone()
        };
        let waiting = sites.into_iter().map(of_site);
        let new: Vec<_> = waiting
            .filter(|site| !self.rereading.contains(site))
            .collect();
        self.rereading.extend(new);
        Ok(())
    }

    /// Reads the versions of the next site again; returns false if no site waits.
    pub(super) fn reread_site(&mut self, on_progress: &mut ProgressCallback<'_>) -> Result<bool> {
        let Some(options) = self.rereading.pop_front() else {
            return Ok(false);
        };
        // Pages that wait to be written were read by the wrapper until now.
        self.write(on_progress)?;
        let now = self.clock.now();
        let mut receipt = RereadReceipt::default();
        let report = self.archive.reextract(&options, now, &mut |text| {
            if let Some(text) = text {
                receipt.note(&text.url);
            }
        })?;
        if let Some(name) = &options.receipt {
            let receipt = receipt.with_counts(&report);
            self.archive.leave_receipt(name, &receipt)?;
        }
        let site = options.site.as_deref().unwrap_or_default();
        for why in &report.failed {
            tracing::warn!(site, "{why}");
        }
        self.unindexed += usize::try_from(report.read).unwrap_or(usize::MAX);
        on_progress(&HarvestProgress::ReadAgain {
            site,
            report: &report,
        });
        self.report_edits(site, &report.edits, on_progress)?;
        if self.options.learns() {
            let drift = self.sites.rejudge(self.archive, site, now)?;
            report_drift(site, drift, on_progress);
            self.learn(on_progress)?;
        }
        Ok(true)
    }
}
