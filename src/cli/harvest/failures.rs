//! Pages without an article, counted by site and reason.

use crate::cli::Global;
use crate::cli::log::TARGET;
use forest_archive::Stored;
use forest_harvest::HarvestProgress;
use forest_html::error::counted;
use serde_json::{Value, json};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Sites and reasons that are named at the end; `-v` names every page.
const NAMED: usize = 5;

/// Sites and reasons that are counted at the most.
const COUNTED: usize = 1000;

/// The pages of a harvest that failed.
#[derive(Debug, Default)]
pub struct FailureCounts {
    /// By site and reason: the pages, and the address of the first one.
    groups: BTreeMap<(String, String), (u64, String)>,
}

impl FailureCounts {
    /// Counts a page that failed.
    pub fn add(&mut self, event: &HarvestProgress<'_>) {
        let HarvestProgress::Page {
            url,
            site,
            stored: Stored::Nothing,
            error: Some(why),
            ..
        } = *event
        else {
            return;
        };
        let key = (site.to_owned(), why.to_owned());
        if self.groups.len() < COUNTED || self.groups.contains_key(&key) {
            let first = || (0, url.to_owned());
            self.groups.entry(key).or_insert_with(first).0 += 1;
        }
    }

    /// Site, reason, pages and first address, most pages first.
    fn sorted(&self) -> Vec<(&str, &str, u64, &str)> {
        let groups = self.groups.iter();
        let mut groups: Vec<_> = groups
            .map(|((site, why), (pages, url))| (&**site, &**why, *pages, &**url))
            .collect();
        groups.sort_by_key(|(_, _, pages, _)| Reverse(*pages));
        groups
    }

    /// Logs the first of them.
    pub fn log(&self, global: &Global) {
        let groups = self.sorted();
        for &(site, why, pages, url) in groups.iter().take(NAMED) {
            let line = match pages {
                1 => format!("{site}: a page without an article: {why}: {url}"),
                _ => {
                    let pages = counted(pages, "page", "pages");
                    format!("{site}: {pages} without an article: {why}, so {url}")
                }
            };
            tracing::info!(target: TARGET, site, pages, error = why, url, "{line}");
        }
        if groups.len() > NAMED {
            let more = groups.len() - NAMED;
            let more = counted(more, "more site or reason", "more sites or reasons");
            global.say(format_args!("{more}: -v names each page"));
        }
    }

    /// All of them as JSON, most pages first.
    pub fn json(&self) -> Value {
        let groups = self.sorted().into_iter();
        groups
            .map(|(site, why, pages, url)| {
                json!({"site": site, "error": why, "pages": pages, "url": url})
            })
            .collect()
    }
}
