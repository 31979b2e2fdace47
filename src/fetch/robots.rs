//! robots.txt (RFC 9309): read once for each host, kept for a day.

use std::sync::Arc;
use std::time::Duration;

use robotxt::{AccessResult, Robots};
use tokio::time::Instant;
use url::Url;

use super::body::Limit;
use super::exchange::{Ask, Inner, Validators, location};
use super::pace::Host;
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

/// A host's rules and when they were fetched.
#[derive(Debug)]
pub(super) struct Kept {
    since: Instant,
    rules: Arc<Rules>,
}

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

impl Kept {
    fn is_fresh(&self) -> bool {
        let keep = match *self.rules {
            Rules::Read(_) => KEEP,
            Rules::Closed(_) => KEEP_CLOSED,
        };
        self.since.elapsed() < keep
    }
}

impl Inner {
    /// The rules of the URL's host. Whoever comes first fetches them, the
    /// others wait for it.
    pub(super) async fn rules(&self, host: &Host, url: &Url) -> Arc<Rules> {
        let mut kept = host.robots.lock().await;
        if let Some(kept) = kept.as_ref().filter(|kept| kept.is_fresh()) {
            return Arc::clone(&kept.rules);
        }
        let rules = Arc::new(self.fetch_rules(url).await);
        *kept = Some(Kept {
            since: Instant::now(),
            rules: Arc::clone(&rules),
        });
        rules
    }

    async fn fetch_rules(&self, url: &Url) -> Rules {
        let Ok(mut at) = robotxt::robots_url(url) else {
            return Rules::Closed(Why::Scheme(url.scheme().to_owned()));
        };
        let mut redirect = None;
        for _ in 0..=REDIRECTS {
            let answer = match self.ask_robots(&at).await {
                Ok(answer) => answer,
                // The host that it was redirected to is not the page's, so its
                // trouble would only mislead.
                Err(why) => {
                    return match (why, redirect) {
                        (Why::Busy { status: 429, .. }, _) => Rules::Read(Robots::allow_all()),
                        (Why::Busy { status, .. }, _) | (_, Some(status)) => {
                            Rules::Closed(Why::RobotsUnreachable(status))
                        }
                        (why, None) => Rules::Closed(why),
                    };
                }
            };
            let access = match answer.status {
                200..=299 => AccessResult::Successful(&answer.body),
                300..=399 => match location(&at, &answer) {
                    Some(Ok(next)) => {
                        redirect = Some(answer.status);
                        at = next;
                        continue;
                    }
                    _ => AccessResult::Unavailable,
                },
                400..=499 => AccessResult::Unavailable,
                status => return Rules::Closed(Why::RobotsUnreachable(status)),
            };
            return Rules::Read(Robots::from_access(access, TOKEN));
        }
        Rules::Read(Robots::from_access(AccessResult::TooManyRedirects, TOKEN))
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
