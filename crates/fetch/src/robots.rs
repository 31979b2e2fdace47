//! The rules of a robots.txt (RFC 9309).

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use robotxt::Robots;
use tokio::time::Instant;
use url::Url;

use super::kept::Exchange;
use crate::Why;

/// The product token that a robots.txt may name.
pub const TOKEN: &str = "forest";

/// The longest Crawl-delay that is obeyed; longer ones count as this. With five minutes a
/// sample of ten pages takes most of an hour. A site that wants no visits can disallow them.
pub(super) const CRAWL_DELAY_CAP: Duration = Duration::from_secs(300);

/// Keeps robots.txt for longer than a [`Fetcher`](super::Fetcher) does. Called on the fetcher's threads, once for each host that it does not know.
pub trait RobotsMemory: fmt::Debug + Send + Sync {
    /// The text that was kept last for an origin (`https://example.org`), and how long
    /// ago. A text of a day ago or more is not used.
    fn recall(&self, origin: &str) -> Option<(Duration, Vec<u8>)>;

    /// Keeps the text of an origin; an empty one where there is no robots.txt. What
    /// could not be had is not kept.
    fn keep(&self, origin: &str, text: &[u8]);

    /// Takes a request for a robots.txt and its answer, whatever it is. Of a redirect the target
    /// comes next.
    fn received(&self, exchange: Exchange);
}

/// A host's rules, and the end of their use.
#[derive(Debug)]
pub(super) struct RobotsEntry {
    pub(super) until: Instant,
    pub(super) rules: Arc<RobotsRules>,
}

/// The rules of a host's robots.txt.
#[derive(Debug)]
pub(super) enum RobotsRules {
    /// The rules; none at all for a host without a robots.txt.
    Read(Robots),
    /// Nothing may be fetched: the file could not be had.
    Closed(Why),
}

impl RobotsRules {
    /// Returns `Ok` if the rules allow the path and query of the URL.
    pub(super) fn check(&self, url: &Url) -> Result<(), Why> {
        match self {
            RobotsRules::Read(robots) if robots.is_url_allowed(url) => Ok(()),
            RobotsRules::Read(_) => Err(Why::Robots),
            RobotsRules::Closed(why) => Err(why.clone()),
        }
    }

    /// The delay that the rules ask for.
    pub(super) fn crawl_delay(&self) -> Option<Duration> {
        match self {
            RobotsRules::Read(robots) => robots.crawl_delay(),
            RobotsRules::Closed(_) => None,
        }
    }
}
