//! Feeds as they were served last: two hundred readers that poll read the archive once.
//!
//! A feed is served from here as long as nothing was written to the archive. After a commit its
//! digest tells if it is still the same. One request at a time makes a feed; the others wait for
//! it.

use super::conditional::ServedDocument;
use forest_archive::TablesState;
use forest_html::text::sha256_hex;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;
use tokio::sync::{Mutex as Turn, MutexGuard};

/// Bytes of feeds that are kept at the most, packed ones included; those that were asked for
/// longest ago make room.
const MAX_BYTES: usize = 128_000_000;

/// Turns for the making of feeds: feeds that share one wait for each other.
const TURNS: usize = 64;

/// A feed, and what it was made of.
#[derive(Debug)]
struct RenderedFeed {
    /// The feed's own address.
    url: String,
    state: TablesState,
    digest: String,
    used: Instant,
    document: Arc<ServedDocument>,
}

/// See the file's page.
#[derive(Debug)]
pub(super) struct RenderedFeeds {
    kept: Mutex<HashMap<String, RenderedFeed>>,
    turns: [Turn<()>; TURNS],
}

impl Default for RenderedFeeds {
    fn default() -> RenderedFeeds {
        RenderedFeeds {
            kept: Mutex::default(),
            turns: std::array::from_fn(|_| Turn::default()),
        }
    }
}

impl RenderedFeeds {
    /// The feed with this name, if the archive is as it was.
    pub(super) fn get(&self, name: &str, state: TablesState) -> Option<Arc<ServedDocument>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let found = kept.get_mut(name)?;
        found.used = Instant::now();
        (found.state == state).then(|| Arc::clone(&found.document))
    }

    /// The own address of the feed with this name, if it is kept.
    pub(super) fn url(&self, name: &str) -> Option<String> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        Some(kept.get(name)?.url.clone())
    }

    /// Waits for those who make a feed with this name.
    pub(super) async fn turn(&self, name: &str) -> MutexGuard<'_, ()> {
        let place = u8::from_str_radix(&sha256_hex(name)[..2], 16).unwrap_or_default();
        self.turns[usize::from(place) % TURNS].lock().await
    }

    /// The feed with this name, if it was made of the same; it holds for this state, too.
    pub(super) fn renew(
        &self,
        name: &str,
        state: TablesState,
        digest: &str,
    ) -> Option<Arc<ServedDocument>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let found = kept.get_mut(name).filter(|found| found.digest == digest)?;
        found.state = state;
        Some(Arc::clone(&found.document))
    }

    /// Keeps a feed that was made after the state was seen.
    pub(super) fn keep(
        &self,
        name: &str,
        state: TablesState,
        (url, digest): (String, String),
        document: &Arc<ServedDocument>,
    ) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.remove(name);
        let mut bytes: usize = kept.values().map(|feed| feed.document.bytes()).sum();
        while bytes + document.bytes() > MAX_BYTES {
            let oldest = kept.iter().min_by_key(|(_, feed)| feed.used);
            let Some(oldest) = oldest.map(|(name, _)| name.clone()) else {
                break;
            };
            let gone = kept.remove(&oldest);
            bytes -= gone.map_or(0, |gone| gone.document.bytes());
        }
        let feed = RenderedFeed {
            url,
            state,
            digest,
            used: Instant::now(),
            document: Arc::clone(document),
        };
        kept.insert(name.to_owned(), feed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::conditional::ServedTimes;

    fn document(bytes: usize) -> Arc<ServedDocument> {
        let times = ServedTimes::default();
        let now = chrono::DateTime::UNIX_EPOCH;
        let text = "x".repeat(bytes);
        Arc::new(times.document("a", "text/plain", text, now))
    }

    #[test]
    fn a_feed_is_kept_as_long_as_it_is_the_same() {
        let feeds = RenderedFeeds::default();
        let state = TablesState::default;
        let later = TablesState::later(state());
        let made_of = |digest: &str| ("http://a.example/".to_owned(), digest.to_owned());
        feeds.keep("a", state(), made_of("1"), &document(1));
        assert_eq!(feeds.url("a"), Some(made_of("1").0));
        assert!(feeds.get("a", state()).is_some());
        assert!(feeds.get("a", later).is_none() && feeds.get("b", state()).is_none());
        assert!(feeds.renew("a", later, "2").is_none());
        assert!(feeds.renew("a", later, "1").is_some());
        assert!(feeds.get("a", later).is_some() && feeds.get("a", state()).is_none());
        // The one that was asked for longest ago makes room.
        feeds.keep("b", later, made_of("1"), &document(1000));
        assert!(feeds.get("a", later).is_some());
        feeds.keep("c", later, made_of("1"), &document(1000));
        let used: usize = feeds
            .kept
            .lock()
            .expect("no panic")
            .values()
            .map(|feed| feed.document.bytes())
            .sum();
        let large = Arc::new(ServedDocument::of_bytes(MAX_BYTES - used + 1));
        feeds.keep("d", later, made_of("1"), &large);
        let there = ["a", "b", "c", "d"].map(|name| feeds.get(name, later).is_some());
        assert_eq!(there, [true, false, true, true]);
    }
}
