//! Pages that gave no article, told together: by site and reason.

use crate::cli::Global;
use crate::cli::global::TARGET;
use forest::archive::Stored;
use forest::error::counted;
use forest::harvest::HarvestProgress;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Sites with their reasons that are told; `-v` names every page.
const TOLD: usize = 5;

/// So many are counted at the most.
const COUNTED: usize = 1000;

/// What failed in a harvest.
#[derive(Debug, Default)]
pub struct Failures {
    /// By site and reason.
    found: BTreeMap<(String, String), Failed>,
}

#[derive(Debug)]
struct Failed {
    pages: u64,
    /// The first one's address.
    url: String,
}

impl Failures {
    /// Counts a page that failed.
    pub fn see(&mut self, event: &HarvestProgress<'_>) {
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
        let of = (site.to_owned(), why.to_owned());
        if self.found.len() >= COUNTED && !self.found.contains_key(&of) {
            return;
        }
        let new = || Failed {
            pages: 0,
            url: url.to_owned(),
        };
        self.found.entry(of).or_insert_with(new).pages += 1;
    }

    /// Those with the most pages first.
    fn sorted(&self) -> Vec<(&str, &str, &Failed)> {
        let all = self.found.iter();
        let mut all: Vec<_> = all
            .map(|((site, why), failed)| (&**site, &**why, failed))
            .collect();
        all.sort_by_key(|(_, _, failed)| std::cmp::Reverse(failed.pages));
        all
    }

    /// Tells of them.
    pub fn tell(&self, global: &Global) {
        let all = self.sorted();
        for (site, why, Failed { pages, url }) in all.iter().take(TOLD) {
            let line = match pages {
                1 => format!("{site}: a page without an article: {why}: {url}"),
                _ => {
                    let pages = counted(*pages, "page", "pages");
                    format!("{site}: {pages} without an article: {why}, so {url}")
                }
            };
            match global.logs_json() {
                true => tracing::info!(target: TARGET, site, pages, error = why, url, "{line}"),
                false => global.say(line),
            }
        }
        if all.len() > TOLD {
            let more = all.len() - TOLD;
            let more = counted(more, "more site or reason", "more sites or reasons");
            global.say(format_args!("{more}: -v names each page"));
        }
    }

    /// All of them, the most pages first.
    pub fn json(&self) -> Value {
        let one = |(site, why, failed): (&str, &str, &Failed)| json!({"site": site, "error": why, "pages": failed.pages, "url": failed.url});
        self.sorted().into_iter().map(one).collect()
    }
}
