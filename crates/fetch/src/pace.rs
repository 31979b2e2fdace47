//! Permits for requests to a host: how many at once, the delay between two, and a pause if
//! the host asks for one.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use governor::clock::Clock;
use governor::middleware::NoOpMiddleware;
use governor::state::{InMemoryState, NotKeyed};
use governor::{Quota, RateLimiter};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, SemaphorePermit};
use tokio::time::Instant;
use url::Url;

use super::robots::{CRAWL_DELAY_CAP, RobotsEntry};
use crate::Why;

/// Hosts kept at once; above it the idle ones are forgotten. A host costs a
/// few hundred bytes and its robots.txt.
const HOSTS: usize = 4096;

/// A host that has had no request for this long may be forgotten: no delay can
/// be longer (it is the cap on Crawl-delay).
const IDLE: Duration = CRAWL_DELAY_CAP;

/// Time between two looks for idle hosts, so that many busy ones are not walked
/// through for each request.
const SWEEP: Duration = Duration::from_secs(10);

/// The hosts that were asked for something. A host is a scheme, a name and a
/// port, as for robots.txt (RFC 9309, 2.3).
#[derive(Debug)]
pub(super) struct HostPaces {
    per_host: usize,
    map: Mutex<HostTable>,
}

#[derive(Debug)]
struct HostTable {
    hosts: HashMap<String, Arc<HostPace>>,
    /// When idle hosts were last looked for.
    swept: Option<Instant>,
}

impl HostPaces {
    pub(super) fn new(per_host: usize) -> Self {
        HostPaces {
            per_host,
            map: Mutex::new(HostTable {
                hosts: HashMap::new(),
                swept: None,
            }),
        }
    }

    pub(super) fn get(&self, url: &Url) -> Arc<HostPace> {
        let mut map = lock(&self.map);
        let swept = map.swept.is_some_and(|swept| swept.elapsed() < SWEEP);
        if map.hosts.len() >= HOSTS && !swept {
            map.hosts
                .retain(|_, host| Arc::strong_count(host) > 1 || host.idle() < IDLE);
            map.swept = Some(Instant::now());
        }
        let host = map
            .hosts
            .entry(origin(url))
            .or_insert_with(|| Arc::new(HostPace::new(self.per_host)));
        Arc::clone(host)
    }

    /// The time that a request to this host would wait for its permit, as
    /// [`HostPace::free_in`]; not at all for a host that was never asked.
    pub(super) fn free_in(&self, origin: &str, patience: Duration) -> Duration {
        let map = lock(&self.map);
        let host = map.hosts.get(origin);
        host.map_or(Duration::ZERO, |host| host.free_in(patience))
    }
}

/// The host's name for queues, robots.txt and headers.
pub(super) fn origin(url: &Url) -> String {
    url.origin().ascii_serialization()
}

/// The limits of requests to all hosts.
#[derive(Debug, Clone, Copy)]
pub(super) struct RequestLimits<'a> {
    /// The room for bodies that the caller has.
    pub(super) window: Option<&'a Arc<Semaphore>>,
    /// The requests that may be under way in all.
    pub(super) under_way: &'a Semaphore,
}

/// A permit within the limits of all hosts.
#[derive(Debug)]
pub(super) struct RequestPermit<'a> {
    /// It outlives the request: a body takes room until the caller has it.
    pub(super) room: Option<OwnedSemaphorePermit>,
    _slot: SemaphorePermit<'a>,
}

const NEVER_CLOSED: &str = "the semaphore is never closed";

impl<'a> RequestLimits<'a> {
    pub(super) async fn acquire(self) -> RequestPermit<'a> {
        let room = match self.window {
            Some(window) => {
                let room = Arc::clone(window).acquire_owned().await;
                Some(room.expect(NEVER_CLOSED))
            }
            None => None,
        };
        RequestPermit {
            room,
            _slot: self.under_way.acquire().await.expect(NEVER_CLOSED),
        }
    }
}

/// The pace of one host.
#[derive(Debug)]
pub(super) struct HostPace {
    slots: Semaphore,
    pace: Mutex<PaceState>,
    pub(super) robots: tokio::sync::Mutex<Option<RobotsEntry>>,
}

type Limiter = RateLimiter<NotKeyed, InMemoryState, TokioClock, NoOpMiddleware<Duration>>;

#[derive(Debug)]
struct PaceState {
    delay: Duration,
    /// `None` for no delay.
    limiter: Option<Limiter>,
    pause: Option<Pause>,
    /// The last start.
    started: Option<Instant>,
    used: Instant,
}

/// The host asked for a pause.
#[derive(Debug, Clone, Copy)]
struct Pause {
    until: Instant,
    /// The status that it said so with.
    status: u16,
}

/// No delay or pause is longer: it keeps sums of times within what clocks hold.
pub(super) const LONGEST: Duration = Duration::from_secs(24 * 3600);

impl HostPace {
    fn new(per_host: usize) -> Self {
        HostPace {
            slots: Semaphore::new(per_host.min(Semaphore::MAX_PERMITS)),
            pace: Mutex::new(PaceState {
                delay: Duration::ZERO,
                limiter: None,
                pause: None,
                started: None,
                used: Instant::now(),
            }),
            robots: tokio::sync::Mutex::new(None),
        }
    }

    fn idle(&self) -> Duration {
        lock(&self.pace).used.elapsed()
    }

    /// Sets the time between the starts of two requests, at most a day.
    pub(super) fn set_delay(&self, delay: Duration) {
        let delay = delay.min(LONGEST);
        let mut pace = lock(&self.pace);
        if pace.delay != delay {
            pace.delay = delay;
            // `with_period` gives one request a period, without a burst, and
            // `None` for a period of 0.
            pace.limiter = Quota::with_period(delay)
                .map(|quota| RateLimiter::direct_with_clock(quota, TokioClock(Instant::now())));
        }
    }

    /// Nothing starts before `wait` is over, or a day: the host answered with
    /// `status` and asked for it.
    pub(super) fn pause(&self, status: u16, wait: Duration) {
        let until = Instant::now() + wait.min(LONGEST);
        let mut pace = lock(&self.pace);
        if pace.pause.is_none_or(|pause| pause.until < until) {
            pace.pause = Some(Pause { until, status });
        }
    }

    /// Waits for a request's permits, of its host and of all hosts. The request is under way
    /// while both live. A pause of more than `patience` ends the request at once.
    pub(super) async fn permit<'a>(
        &'a self,
        patience: Duration,
        limits: RequestLimits<'a>,
    ) -> Result<(SemaphorePermit<'a>, RequestPermit<'a>), Why> {
        let permit = self.slots.acquire().await;
        let permit = permit.expect(NEVER_CLOSED);
        loop {
            // The start is taken last, or requests that waited for the limits would start
            // together; and a request that waits here leaves its permit to others.
            let limited = limits.acquire().await;
            match self.wait(patience)? {
                None => return Ok((permit, limited)),
                Some(wait) => {
                    drop(limited);
                    tokio::time::sleep(wait).await;
                }
            }
        }
    }

    /// The time that a request would wait for its permit now, as far as it is known.
    /// A request that would wait longer than `patience` ends at once, as in
    /// [`permit`](Self::permit).
    pub(super) fn free_in(&self, patience: Duration) -> Duration {
        let pace = lock(&self.pace);
        let now = Instant::now();
        let left = |until: Instant| until.saturating_duration_since(now);
        let pause = pace.pause.map_or(Duration::ZERO, |pause| left(pause.until));
        let next = pace.started.map(|started| left(started + pace.delay));
        if pause > patience {
            Duration::ZERO
        } else {
            pause.max(next.unwrap_or(Duration::ZERO))
        }
    }

    /// Takes the next start, or says how long to wait before trying again.
    fn wait(&self, patience: Duration) -> Result<Option<Duration>, Why> {
        let mut pace = lock(&self.pace);
        let now = Instant::now();
        pace.used = now;
        if let Some(Pause { until, status }) = pace.pause.filter(|pause| pause.until > now) {
            let wait = until - now;
            return if wait <= patience {
                Ok(Some(wait))
            } else {
                Err(Why::Busy {
                    status,
                    retry_after: Some(wait),
                })
            };
        }
        let early = pace.limiter.as_ref().and_then(|limiter| {
            let early = limiter.check().err()?;
            Some(early.wait_time_from(limiter.clock().now()))
        });
        if early.is_none() {
            pace.started = Some(now);
        }
        // A nap of 0 would spin.
        Ok(early.map(|wait| wait.max(Duration::from_millis(1))))
    }
}

/// Tokio's clock for governor, so that its pauses and the timers agree.
#[derive(Debug, Clone)]
struct TokioClock(Instant);

impl Clock for TokioClock {
    type Instant = Duration;

    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host(per_host: usize, delay_ms: u64) -> HostPace {
        let host = HostPace::new(per_host);
        host.set_delay(Duration::from_millis(delay_ms));
        host
    }

    /// An open limits.
    static ALL: Semaphore = Semaphore::const_new(Semaphore::MAX_PERMITS);
    const OPEN: RequestLimits<'static> = RequestLimits {
        window: None,
        under_way: &ALL,
    };

    async fn permit(host: &HostPace) -> (SemaphorePermit<'_>, RequestPermit<'_>) {
        let permit = host.permit(LONGEST, OPEN).await;
        permit.expect("no pause is longer")
    }

    /// The starts of `n` requests that end at once, in milliseconds.
    async fn starts(host: &HostPace, n: usize) -> Vec<u128> {
        let begin = Instant::now();
        let mut starts = Vec::new();
        for _ in 0..n {
            let _permit = permit(host).await;
            starts.push(begin.elapsed().as_millis());
        }
        starts
    }

    #[tokio::test(start_paused = true)]
    async fn requests_to_a_host_start_a_delay_apart() {
        let starts = starts(&host(1, 1000), 4).await;
        assert_eq!(starts[0], 0);
        for pair in starts.windows(2) {
            assert!((1000..=1002).contains(&(pair[1] - pair[0])), "{starts:?}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn requests_that_waited_for_the_limits_start_a_delay_apart_too() {
        let host = host(2, 1000);
        let slots = Semaphore::new(2);
        let limits = RequestLimits {
            window: None,
            under_way: &slots,
        };
        let permits = slots.acquire_many(2).await.expect("never closed");
        let begin = Instant::now();
        let start = || async {
            let _permit = host
                .permit(LONGEST, limits)
                .await
                .expect("no pause is longer");
            begin.elapsed().as_millis()
        };
        let release = async {
            tokio::time::sleep(Duration::from_secs(5)).await;
            drop(permits);
        };
        let (first, second, ()) = tokio::join!(start(), start(), release);
        assert_eq!(first, 5000);
        assert!((6000..=6002).contains(&second), "{second}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_host_has_the_time_until_it_is_free() {
        let host = host(2, 1000);
        let second = Duration::from_secs(1);
        assert_eq!(host.free_in(LONGEST), Duration::ZERO);
        drop(permit(&host).await);
        assert_eq!(host.free_in(LONGEST), second);
        host.pause(503, 5 * second);
        assert_eq!(host.free_in(LONGEST), 5 * second);
        // A request would end at once.
        assert_eq!(host.free_in(4 * second), Duration::ZERO);
        tokio::time::advance(5 * second).await;
        assert_eq!(host.free_in(LONGEST), Duration::ZERO);
    }

    #[tokio::test(start_paused = true)]
    async fn no_delay_is_no_wait() {
        assert_eq!(starts(&host(1, 0), 3).await, [0, 0, 0]);
    }

    #[tokio::test(start_paused = true)]
    async fn a_pause_holds_every_request() {
        let host = host(2, 0);
        host.pause(429, Duration::from_secs(5));
        host.pause(503, Duration::from_secs(2));
        assert_eq!(starts(&host, 2).await, [5000, 5000]);
    }

    #[tokio::test(start_paused = true)]
    async fn a_pause_beyond_patience_ends_the_request() {
        let host = host(2, 0);
        host.pause(429, Duration::MAX);
        let begin = Instant::now();
        let refused = host.permit(Duration::from_secs(60), OPEN).await.err();
        let expected = Why::Busy {
            status: 429,
            retry_after: Some(LONGEST),
        };
        assert_eq!((refused, begin.elapsed()), (Some(expected), Duration::ZERO));
        tokio::time::advance(LONGEST).await;
        assert!(host.permit(Duration::ZERO, OPEN).await.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn an_absurd_delay_is_a_day() {
        let host = host(1, u64::MAX);
        assert_eq!(starts(&host, 2).await[1] / 1000, 24 * 3600);
    }

    #[tokio::test(start_paused = true)]
    async fn a_slot_is_free_when_a_request_ends() {
        let host = host(2, 0);
        let first = permit(&host).await;
        let _second = permit(&host).await;
        let third = tokio::time::timeout(Duration::from_secs(1), permit(&host)).await;
        assert!(third.is_err(), "two at once is the limit");
        drop(first);
        drop(permit(&host).await);
    }

    #[tokio::test(start_paused = true)]
    async fn idle_hosts_are_forgotten_when_there_are_too_many() {
        let hosts = HostPaces::new(1);
        for i in 0..HOSTS {
            hosts.get(&Url::parse(&format!("http://h{i}.example/")).expect("a URL"));
        }
        let busy = hosts.get(&Url::parse("http://h7.example/").expect("a URL"));
        tokio::time::advance(IDLE).await;
        hosts.get(&Url::parse("http://new.example/").expect("a URL"));
        assert_eq!(lock(&hosts.map).hosts.len(), 2);
        let again = hosts.get(&Url::parse("http://h7.example/other").expect("a URL"));
        assert!(Arc::ptr_eq(&busy, &again));
    }
}
