//! robots.txt (RFC 9309): read once for each host, kept for a day.

use std::fmt;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use robotxt::{AccessResult, Robots};
use tokio::time::Instant;
use url::Url;

use super::body::Limit;
use super::exchange::{Ask, Inner, Validators, location};
use super::pace::{Host, origin};
use crate::error::Why;

/// The product token that a robots.txt may name.
pub const TOKEN: &str = "forest";

/// The longest Crawl-delay that is kept to; longer ones count as this. With
/// five minutes a sample of ten pages takes most of an hour, and what asks for
/// more means "no" and can say so.
pub(super) const CRAWL_DELAY_CAP: Duration = Duration::from_secs(300);

/// Redirects of a robots.txt that are followed (RFC 9309, 2.3.1.2).
const REDIRECTS: usize = 5;

/// How long the rules are used (RFC 9309, 2.4).
const KEEP: Duration = Duration::from_secs(24 * 3600);

/// How long a robots.txt that could not be had is not asked for again.
const KEEP_CLOSED: Duration = Duration::from_secs(600);

/// Remembers what robots.txt said, for longer than a [`Fetcher`](super::Fetcher) does.
/// Asked on the fetcher's threads, once for each host that it does not know.
pub trait RobotsMemory: fmt::Debug + Send + Sync {
    /// The text that was kept last for an origin (`https://example.org`), and how long
    /// ago. One of a day ago or more is not used.
    fn recall(&self, origin: &str) -> Option<(Duration, Vec<u8>)>;

    /// Keeps the text of an origin; an empty one where there is no robots.txt. What
    /// could not be had is not kept.
    fn keep(&self, origin: &str, text: &[u8]);
}

/// A host's rules and for how long they are used.
#[derive(Debug)]
pub(super) struct Kept {
    until: Instant,
    rules: Arc<Rules>,
}

/// Rules that were fetched, and the text to keep of them.
type Read = (Rules, Option<Vec<u8>>);

/// What a host's robots.txt says.
#[derive(Debug)]
pub(super) enum Rules {
    /// The rules; none at all for a host without a robots.txt.
    Read(Robots),
    /// Nothing may be fetched: the file could not be had.
    Closed(Why),
}

impl Rules {
    /// Whether the path and query of the URL are open.
    pub(super) fn check(&self, url: &Url) -> Result<(), Why> {
        match self {
            Rules::Read(robots) if robots.is_url_allowed(url) => Ok(()),
            Rules::Read(_) => Err(Why::Robots),
            Rules::Closed(why) => Err(why.clone()),
        }
    }

    /// The delay that the rules ask for.
    pub(super) fn crawl_delay(&self) -> Option<Duration> {
        match self {
            Rules::Read(robots) => robots.crawl_delay(),
            Rules::Closed(_) => None,
        }
    }
}

fn read(access: AccessResult<'_>) -> Rules {
    Rules::Read(Robots::from_access(access, TOKEN))
}

impl Inner {
    fn robots_memory(&self) -> Option<Arc<dyn RobotsMemory>> {
        let memory = self.robots_memory.read();
        let memory = memory.unwrap_or_else(PoisonError::into_inner);
        memory.as_ref()?.upgrade()
    }

    /// The rules of the URL's host. Whoever comes first fetches them, the
    /// others wait for it.
    pub(super) async fn rules(&self, host: &Host, url: &Url) -> Arc<Rules> {
        let mut kept = host.robots.lock().await;
        if let Some(kept) = kept.as_ref().filter(|kept| Instant::now() < kept.until) {
            return Arc::clone(&kept.rules);
        }
        let (rules, keep) = match self.recall_rules(url) {
            Some(recalled) => recalled,
            None => {
                let (rules, text) = self.fetch_rules(url).await;
                if let (Some(memory), Some(text)) = (self.robots_memory(), text) {
                    memory.keep(&origin(url), &text);
                }
                let keep = match rules {
                    Rules::Read(_) => KEEP,
                    Rules::Closed(_) => KEEP_CLOSED,
                };
                (rules, keep)
            }
        };
        let rules = Arc::new(rules);
        *kept = Some(Kept {
            until: Instant::now() + keep,
            rules: Arc::clone(&rules),
        });
        rules
    }

    /// The rules that are remembered, and for how long they still count.
    fn recall_rules(&self, url: &Url) -> Option<(Rules, Duration)> {
        let (age, text) = self.robots_memory()?.recall(&origin(url))?;
        let left = KEEP.checked_sub(age).filter(|left| !left.is_zero())?;
        Some((read(AccessResult::Successful(&text)), left))
    }

    async fn fetch_rules(&self, url: &Url) -> Read {
        let Ok(mut at) = robotxt::robots_url(url) else {
            return (Rules::Closed(Why::Scheme(url.scheme().to_owned())), None);
        };
        let mut redirect = None;
        for _ in 0..=REDIRECTS {
            let answer = match self.ask_robots(&at).await {
                Ok(answer) => answer,
                // The host that it was redirected to is not the page's, so its
                // trouble would only mislead.
                Err(why) => {
                    let rules = match (why, redirect) {
                        (Why::Busy { status: 429, .. }, _) => Rules::Read(Robots::allow_all()),
                        (Why::Busy { status, .. }, _) | (_, Some(status)) => {
                            Rules::Closed(Why::RobotsUnreachable(status))
                        }
                        (why, None) => Rules::Closed(why),
                    };
                    return (rules, None);
                }
            };
            return match answer.status {
                200..=299 => {
                    let rules = read(AccessResult::Successful(&answer.body));
                    (rules, Some(answer.body))
                }
                300..=399 => match location(&at, &answer) {
                    Some(Ok(next)) => {
                        redirect = Some(answer.status);
                        at = next;
                        continue;
                    }
                    _ => (read(AccessResult::Unavailable), Some(Vec::new())),
                },
                400..=499 => (read(AccessResult::Unavailable), Some(Vec::new())),
                status => (Rules::Closed(Why::RobotsUnreachable(status)), None),
            };
        }
        (read(AccessResult::TooManyRedirects), None)
    }

    async fn ask_robots(&self, url: &Url) -> Result<super::exchange::Answer, Why> {
        let ask = Ask {
            url,
            reach: self.addresses.reach(url)?,
            accept: "text/plain,*/*;q=0.5",
            limit: Limit::Cut(robotxt::BYTE_LIMIT as u64),
            own: Vec::new(),
            validators: Validators::default(),
            host: None,
            window: None,
        };
        let answer = self.persist(&ask).await;
        answer.map_err(|trouble| trouble.why)
    }
}
