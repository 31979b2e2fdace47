//! Pages without an article, counted by site and reason.

use crate::HarvestProgress;
use forest_archive::Stored;
use forest_html::error::counted;
use serde::Serialize;
use serde_json::{Value, json};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

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

    /// The groups, most pages first.
    fn sorted(&self) -> Vec<FailureGroup<'_>> {
        let groups = self.groups.iter();
        let mut groups: Vec<FailureGroup<'_>> = groups
            .map(|((site, error), (pages, url))| FailureGroup {
                site,
                error,
                pages: *pages,
                url,
            })
            .collect();
        groups.sort_by_key(|group| Reverse(group.pages));
        groups
    }

    /// The first groups, and the number of those behind them.
    pub fn named(&self) -> (Vec<FailureGroup<'_>>, usize) {
        let mut groups = self.sorted();
        let more = groups.len().saturating_sub(NAMED);
        groups.truncate(NAMED);
        (groups, more)
    }

    /// All of them as JSON, most pages first.
    pub fn json(&self) -> Value {
        json!(self.sorted())
    }
}

/// Pages of a site that failed for one reason.
#[derive(Debug, Serialize)]
pub struct FailureGroup<'a> {
    pub site: &'a str,
    pub error: &'a str,
    pub pages: u64,
    /// The address of the first one.
    pub url: &'a str,
}

impl Display for FailureGroup<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let FailureGroup {
            site,
            error,
            pages,
            url,
        } = self;
        if *pages == 1 {
            return write!(f, "{site}: a page without an article: {error}: {url}");
        }
        let pages = counted(*pages, "page", "pages");
        write!(f, "{site}: {pages} without an article: {error}, so {url}")
    }
}
