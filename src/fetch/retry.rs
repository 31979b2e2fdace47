//! When a request is tried again, and after how long.

use std::time::Duration;

use backon::{ExponentialBuilder, Retryable};
use chrono::{DateTime, NaiveDateTime, Utc};

use super::FetchOptions;
use super::exchange::Answer;
use crate::error::Why;

/// A failed request, and whether another attempt may do better.
#[derive(Debug)]
pub(super) struct Trouble {
    pub(super) why: Why,
    pub(super) again: bool,
    /// The answer that says "come back later".
    pub(super) answer: Option<Box<Answer>>,
}

impl Trouble {
    /// No further attempt helps.
    pub(super) fn last(why: Why) -> Self {
        Trouble {
            why,
            again: false,
            answer: None,
        }
    }

    /// Another attempt may help.
    pub(super) fn passing(why: Why) -> Self {
        Trouble {
            why,
            again: true,
            answer: None,
        }
    }

    /// The server asks to come back later.
    pub(super) fn busy(answer: Answer, retry_after: Option<Duration>) -> Self {
        let why = Why::Busy {
            status: answer.status,
            retry_after,
        };
        Trouble {
            why,
            again: true,
            answer: Some(Box::new(answer)),
        }
    }
}

/// Whether a status means "come back later".
pub(super) fn is_busy(status: u16) -> bool {
    matches!(status, 429 | 502..=504)
}

/// Runs `attempt` until it succeeds, cannot succeed, or the retries are used
/// up, with growing pauses; `Retry-After` makes a pause longer, and beyond its
/// cap it ends the fetch.
pub(super) async fn persist<T, F, Fut>(options: &FetchOptions, attempt: F) -> Result<T, Trouble>
where
    F: FnMut() -> Fut,
    Fut: Future<Output = Result<T, Trouble>>,
{
    let backoff = ExponentialBuilder::default()
        .with_min_delay(options.backoff)
        .with_max_delay(options.retry_after_cap.max(options.backoff))
        .with_factor(2.0)
        .with_max_times(options.retries);
    attempt
        .retry(backoff)
        .when(|trouble: &Trouble| trouble.again)
        .adjust(|trouble, pause| match &trouble.why {
            Why::Busy {
                retry_after: Some(wait),
                ..
            } if *wait > options.retry_after_cap => None,
            Why::Busy {
                retry_after: Some(wait),
                ..
            } => pause.map(|pause| pause.max(*wait)),
            _ => pause,
        })
        .notify(|trouble, pause| tracing::debug!(why = %trouble.why, ?pause, "trying again"))
        .await
}

/// Reads `Retry-After` (RFC 9110, 10.2.3): seconds, or a date. A date that is
/// past is 0.
pub(super) fn retry_after(value: &str, now: DateTime<Utc>) -> Option<Duration> {
    let value = value.trim();
    if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        // More digits than fit are a very long time.
        return Some(Duration::from_secs(
            value.parse().unwrap_or(u64::from(u32::MAX)),
        ));
    }
    let wait = http_date(value)? - now;
    Some(wait.to_std().unwrap_or(Duration::ZERO))
}

/// Reads an HTTP date, in the form that RFC 9110, 5.6.7 prescribes or one of the
/// two that it calls obsolete.
pub(super) fn http_date(value: &str) -> Option<DateTime<Utc>> {
    let value = value.trim();
    if let Ok(date) = DateTime::parse_from_rfc2822(value) {
        return Some(date.with_timezone(&Utc));
    }
    let obsolete = ["%A, %d-%b-%y %H:%M:%S GMT", "%a %b %e %H:%M:%S %Y"];
    let mut dates = obsolete
        .iter()
        .filter_map(|form| NaiveDateTime::parse_from_str(value, form).ok());
    dates.next().map(|date| date.and_utc())
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use tokio::time::Instant;

    use super::*;

    fn check(value: &str, seconds: Option<u64>) {
        let now = http_date("Sun, 06 Nov 1994 08:49:37 GMT").expect("a date");
        assert_eq!(
            retry_after(value, now).map(|wait| wait.as_secs()),
            seconds,
            "{value:?}"
        );
    }

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        check("120", Some(120));
        check(" 0 ", Some(0));
        check("Sun, 06 Nov 1994 08:50:37 GMT", Some(60));
        check("Sun, 06 Nov 1994 08:48:37 GMT", Some(0));
        check("Sunday, 06-Nov-94 08:50:37 GMT", Some(60));
        check("Sun Nov  6 08:50:37 1994", Some(60));
        check("Fri, 31 Dec 9999 23:59:59 GMT", Some(252_618_189_022));
        check("99999999999999999999999", Some(u64::from(u32::MAX)));
        check("", None);
        check("-1", None);
        check("soon", None);
        check("1.5", None);
        check("+5", None);
        check("0x10", None);
        check("120, 60", None);
        check("Sun, 06 Nov 1994", None);
    }

    proptest::proptest! {
        #[test]
        fn any_retry_after_is_read_or_left(value in "\\PC{0,40}|[0-9]{1,30}|[A-Z][a-z]{2}, [0-9]{1,3} (Jan|Feb|Dec) [0-9]{1,6} [0-9:]{0,9} GMT|Sunday, [0-9]{1,3}-Nov-[0-9]{1,7} [0-9:]{8} GMT|Sun Nov [ 0-9]{2} [0-9:]{8} [+-]?[0-9]{1,7}") {
            let _ = retry_after(&value, DateTime::<Utc>::MAX_UTC);
            let _ = retry_after(&value, DateTime::<Utc>::MIN_UTC);
        }
    }

    fn busy(seconds: Option<u64>) -> Trouble {
        let retry_after = seconds.map(Duration::from_secs);
        Trouble::passing(Why::Busy {
            status: 503,
            retry_after,
        })
    }

    /// Seconds and attempts that it takes to fail for good.
    async fn patience(trouble: impl Fn() -> Trouble) -> (u64, usize) {
        let begin = Instant::now();
        let attempts = Cell::new(0);
        let result: Result<(), Trouble> = persist(&FetchOptions::default(), || {
            attempts.set(attempts.get() + 1);
            let trouble = trouble();
            async { Err(trouble) }
        })
        .await;
        assert!(result.is_err());
        (begin.elapsed().as_secs(), attempts.get())
    }

    #[tokio::test(start_paused = true)]
    async fn pauses_double_and_retry_after_makes_them_longer() {
        assert_eq!(patience(|| busy(None)).await, (1 + 2, 3));
        assert_eq!(patience(|| busy(Some(30))).await, (30 + 30, 3));
        assert_eq!(patience(|| busy(Some(0))).await, (1 + 2, 3));
    }

    #[tokio::test(start_paused = true)]
    async fn a_long_retry_after_and_a_lasting_failure_end_at_once() {
        assert_eq!(patience(|| busy(Some(61))).await, (0, 1));
        assert_eq!(patience(|| Trouble::last(Why::Timeout)).await, (0, 1));
    }

    #[tokio::test(start_paused = true)]
    async fn the_first_success_ends_it() {
        let attempts = Cell::new(0);
        let result = persist(&FetchOptions::default(), || {
            attempts.set(attempts.get() + 1);
            let n = attempts.get();
            async move { if n == 2 { Ok(n) } else { Err(busy(None)) } }
        })
        .await;
        assert_eq!(result.ok(), Some(2));
    }
}
