//! A bound on what clients make the server fetch: a bucket of requests that fills by itself.
//!
//! The fetcher is polite to each host; this bounds how many hosts a client can send it to.

use axum::body::Body;
use axum::http::{Response, StatusCode};
use forest_web::answers::{refusal, with_retry_after};
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use std::fmt;
use std::num::NonZeroU32;
use std::time::Duration;

/// Pages that may be fetched at once, by default: ten feeds of thirty items that are new.
pub(super) const AT_ONCE: NonZeroU32 = NonZeroU32::new(300).expect("it is not 0");

/// Pages that may be fetched in a second from then on.
const PER_SECOND: NonZeroU32 = NonZeroU32::new(5).expect("it is not 0");

/// Pictures that may be brought in a day.
const PICTURES_A_DAY: NonZeroU32 = NonZeroU32::new(3_000).expect("it is not 0");

/// Seconds of a day.
const DAY_S: u64 = 24 * 3600;

/// Pages that `/add` fetches at the most: a home page, robots.txt, a feed and its sample.
pub(super) const OF_ADDING: u32 = 15;

/// The bucket of all clients.
pub(super) struct FetchRate {
    limiter: DefaultDirectRateLimiter,
    at_once: NonZeroU32,
}

impl fmt::Debug for FetchRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("FetchRate").field(&self.at_once).finish()
    }
}

/// The time in whole seconds after which a request may be sent again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TooManyFetches {
    after_s: u64,
}

impl fmt::Display for TooManyFetches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let after = self.after_s;
        write!(f, "too much is fetched: try again in {after} s")
    }
}

impl TooManyFetches {
    /// The time in whole seconds after which a request may be sent again.
    pub(super) fn after_s(self) -> u64 {
        self.after_s
    }

    /// The answer to a request for a path.
    pub(super) fn answer(self, path: &str) -> Response<Body> {
        let status = StatusCode::TOO_MANY_REQUESTS;
        with_retry_after(refusal(path, status, &self.to_string()), self.after_s)
    }
}

impl FetchRate {
    pub(super) fn new(at_once: NonZeroU32) -> FetchRate {
        FetchRate::of(Quota::per_second(PER_SECOND), at_once)
    }

    /// The bucket of pictures: as many as a day has at once, and so many more within a day.
    pub(super) fn of_pictures_of_day() -> FetchRate {
        let pause = Duration::from_secs(DAY_S) / PICTURES_A_DAY.get();
        let quota = Quota::with_period(pause).expect("a day is longer than nothing");
        FetchRate::of(quota, PICTURES_A_DAY)
    }

    fn of(quota: Quota, at_once: NonZeroU32) -> FetchRate {
        FetchRate {
            limiter: RateLimiter::direct(quota.allow_burst(at_once)),
            at_once,
        }
    }

    /// Takes the right to fetch so many pages, or says when to try again.
    pub(super) fn take(&self, pages: u32) -> Result<(), TooManyFetches> {
        // More than the bucket holds is all of it.
        let Some(pages) = NonZeroU32::new(pages.min(self.at_once.get())) else {
            return Ok(());
        };
        let Ok(Err(early)) = self.limiter.check_n(pages) else {
            return Ok(());
        };
        let wait = early.wait_time_from(DefaultClock::default().now());
        Err(TooManyFetches {
            after_s: wait.as_secs() + 1,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_is_empty_after_its_pages() {
        let rate = FetchRate::new(NonZeroU32::new(20).expect("not 0"));
        assert_eq!(rate.take(0), Ok(()));
        assert_eq!(rate.take(15), Ok(()));
        let wait = rate.take(15).expect_err("there are 5");
        assert!((2..=3).contains(&wait.after_s), "{wait:?}");
        assert_eq!(rate.take(4), Ok(()));
        // All of the bucket at the most.
        assert!(FetchRate::new(AT_ONCE).take(u32::MAX).is_ok());
    }

    #[test]
    fn pictures_have_the_bucket_of_a_day() {
        let rate = FetchRate::of_pictures_of_day();
        assert_eq!(rate.take(PICTURES_A_DAY.get()), Ok(()));
        let wait = rate.take(1).expect_err("there is none");
        assert!((28..=29).contains(&wait.after_s), "{wait:?}");
    }
}
