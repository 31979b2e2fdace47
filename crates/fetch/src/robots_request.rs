//! Requests for robots.txt: once for each host, kept for a day.

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use robotxt::{AccessResult, Robots};
use tokio::time::Instant;
use url::Url;

use super::body::BodyLimit;
use super::exchange::{FetchCore, HttpRequest, Validators};
use super::pace::{HostPace, origin};
use super::response::HttpResponse;
use super::robots::{RobotsEntry, RobotsMemory, RobotsRules, TOKEN};
use crate::Why;

/// Redirects of a robots.txt that are followed (RFC 9309, 2.3.1.2).
const REDIRECTS: usize = 5;

/// Time for which the rules are used (RFC 9309, 2.4).
const KEEP: Duration = Duration::from_secs(24 * 3600);

/// Time after which a robots.txt that failed is requested again.
const KEEP_CLOSED: Duration = Duration::from_secs(600);

fn read(access: AccessResult<'_>) -> RobotsRules {
    RobotsRules::Read(Robots::from_access(access, TOKEN))
}

impl FetchCore {
    fn robots_memory(&self) -> Option<Arc<dyn RobotsMemory>> {
        let memory = self.robots_memory.read();
        let memory = memory.unwrap_or_else(PoisonError::into_inner);
        memory.as_ref()?.upgrade()
    }

    /// The rules of the URL's host. The first request fetches them, and the others wait for
    /// it.
    pub(super) async fn rules(&self, host: &HostPace, url: &Url) -> Arc<RobotsRules> {
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
                    RobotsRules::Read(_) => KEEP,
                    RobotsRules::Closed(_) => KEEP_CLOSED,
                };
                (rules, keep)
            }
        };
        let rules = Arc::new(rules);
        *kept = Some(RobotsEntry {
            until: Instant::now() + keep,
            rules: Arc::clone(&rules),
        });
        rules
    }

    /// The rules that the memory has, and the time for which they still count.
    fn recall_rules(&self, url: &Url) -> Option<(RobotsRules, Duration)> {
        let (age, text) = self.robots_memory()?.recall(&origin(url))?;
        let left = KEEP.checked_sub(age).filter(|left| !left.is_zero())?;
        Some((read(AccessResult::Successful(&text)), left))
    }

    async fn fetch_rules(&self, url: &Url) -> (RobotsRules, Option<Vec<u8>>) {
        let Ok(mut at) = robotxt::robots_url(url) else {
            return (
                RobotsRules::Closed(Why::Scheme(url.scheme().to_owned())),
                None,
            );
        };
        let mut redirect = None;
        for _ in 0..=REDIRECTS {
            let answer = match self.ask_robots(&at).await {
                Ok(answer) => answer,
                // The host that it was redirected to is not the page's, so its
                // failure would only mislead.
                Err(why) => {
                    let rules = match (why, redirect) {
                        (Why::Busy { status: 429, .. }, _) => {
                            RobotsRules::Read(Robots::allow_all())
                        }
                        (Why::Busy { status, .. }, _) | (_, Some(status)) => {
                            RobotsRules::Closed(Why::RobotsUnreachable(status))
                        }
                        (why, None) => RobotsRules::Closed(why),
                    };
                    return (rules, None);
                }
            };
            return match answer.status {
                200..=299 => {
                    let rules = read(AccessResult::Successful(&answer.body));
                    (rules, Some(answer.body))
                }
                300..=399 => match answer.redirect(&at) {
                    Some(Ok(next)) => {
                        redirect = Some(answer.status);
                        at = next;
                        continue;
                    }
                    _ => (read(AccessResult::Unavailable), Some(Vec::new())),
                },
                400..=499 => (read(AccessResult::Unavailable), Some(Vec::new())),
                status => (RobotsRules::Closed(Why::RobotsUnreachable(status)), None),
            };
        }
        (read(AccessResult::TooManyRedirects), None)
    }

    async fn ask_robots(&self, url: &Url) -> Result<HttpResponse, Why> {
        let memory = self.robots_memory();
        let request = HttpRequest {
            url,
            reach: self.addresses.reach(url)?,
            accept: "text/plain,*/*;q=0.5",
            limit: BodyLimit::Cut(robotxt::BYTE_LIMIT as u64),
            own: Vec::new(),
            validators: Validators::default(),
            host: None,
            with_failure: memory.is_some(),
            window: None,
        };
        let sent = self.send_with_retries(&request).await;
        let answer = match &sent {
            Ok(answer) => Some(answer),
            Err(failure) => failure.answer.as_deref(),
        };
        if let (Some(memory), Some(answer)) = (memory, answer) {
            memory.received(answer.exchange(url));
        }
        sent.map_err(|failure| failure.why)
    }
}
