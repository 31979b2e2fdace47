//! Wrappers that were learned for a GET, in memory for a while and nowhere else.

use forest_core::extract::Extractor;
use forest_core::learn::{LearnOptions, LearnOutcome, SamplePage, learn};
use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Time after which a site is learned again.
const KEPT_FOR: Duration = Duration::from_secs(24 * 3600);

/// Sites that are kept at the most.
const MAX_SITES: usize = 200;

/// A site that was learned; without a wrapper if there is none.
struct LearnedSite {
    name: String,
    at: Instant,
    extractor: Option<Arc<Extractor>>,
}

/// See the file's page. The oldest is first.
#[derive(Default)]
pub(super) struct LearnedSites(Mutex<VecDeque<LearnedSite>>);

impl fmt::Debug for LearnedSites {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LearnedSites")
    }
}

impl LearnedSites {
    /// The wrapper of a site, compiled, if one was learned.
    pub(super) fn get(&self, site: &str) -> Option<Arc<Extractor>> {
        self.known(site).flatten()
    }

    /// True if the site was learned, with a wrapper or without.
    pub(super) fn is_known(&self, site: &str) -> bool {
        self.known(site).is_some()
    }

    fn known(&self, site: &str) -> Option<Option<Arc<Extractor>>> {
        let mut sites = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        sites.retain(|known| known.at.elapsed() < KEPT_FOR);
        let found = sites.iter().find(|known| known.name == site)?;
        Some(found.extractor.clone())
    }

    /// Learns a site from some of its pages, and keeps the result.
    pub(super) fn learn(&self, site: &str, sample: &[SamplePage]) {
        let extractor = match learn(sample, &LearnOptions::default().with_site(site)) {
            LearnOutcome::Learned(learned) => Extractor::new(learned.wrapper).ok(),
            LearnOutcome::Abstained(_) => None,
        };
        self.keep(site, extractor.map(Arc::new));
    }

    fn keep(&self, site: &str, extractor: Option<Arc<Extractor>>) {
        let mut sites = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        sites.retain(|known| known.name != site);
        if sites.len() >= MAX_SITES {
            sites.pop_front();
        }
        sites.push_back(LearnedSite {
            name: site.to_owned(),
            at: Instant::now(),
            extractor,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_sites_make_room() {
        let sites = LearnedSites::default();
        let name = |n: usize| format!("{n}.example");
        assert!(!sites.is_known(&name(0)));
        for n in 0..=MAX_SITES {
            sites.keep(&name(n), None);
        }
        assert!(!sites.is_known(&name(0)) && sites.is_known(&name(1)));
        assert!(sites.get(&name(1)).is_none(), "it has no wrapper");
    }
}
