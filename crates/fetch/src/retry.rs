//! Retries: which failures are tried again, and after which pause.

use std::time::Duration;

use backon::{ExponentialBuilder, Retryable};

use super::options::FetchOptions;
use super::response::HttpResponse;
use crate::Why;

/// A failed request.
#[derive(Debug)]
pub(super) struct RequestFailure {
    pub(super) why: Why,
    pub(super) again: bool,
    /// The response that asks for a later attempt.
    pub(super) answer: Option<Box<HttpResponse>>,
}

impl RequestFailure {
    /// No further attempt helps.
    pub(super) fn last(why: Why) -> Self {
        RequestFailure {
            why,
            again: false,
            answer: None,
        }
    }

    /// Another attempt may help.
    pub(super) fn passing(why: Why) -> Self {
        RequestFailure {
            why,
            again: true,
            answer: None,
        }
    }

    /// The server asks for a later attempt.
    pub(super) fn busy(answer: HttpResponse, retry_after: Option<Duration>) -> Self {
        let why = Why::Busy {
            status: answer.status,
            retry_after,
        };
        RequestFailure {
            why,
            again: true,
            answer: Some(Box::new(answer)),
        }
    }
}

/// Returns true if a status asks for a later attempt.
pub(super) fn is_busy(status: u16) -> bool {
    matches!(status, 429 | 502..=504)
}

/// Runs `attempt` until it succeeds, cannot succeed, or the retries are used
/// up, with growing pauses; `Retry-After` makes a pause longer, and beyond its
/// cap it ends the fetch.
pub(super) async fn with_retries<T, F, Fut>(
    options: &FetchOptions,
    attempt: F,
) -> Result<T, RequestFailure>
where
    F: FnMut() -> Fut,
    Fut: Future<Output = Result<T, RequestFailure>>,
{
    let backoff = ExponentialBuilder::default()
        .with_min_delay(options.backoff)
        .with_max_delay(options.retry_after_cap.max(options.backoff))
        .with_factor(2.0)
        .with_max_times(options.retries);
    attempt
        .retry(backoff)
        .when(|failure: &RequestFailure| failure.again)
        .adjust(|failure, pause| match &failure.why {
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
        .notify(|failure, pause| tracing::debug!(why = %failure.why, ?pause, "trying again"))
        .await
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use tokio::time::Instant;

    use super::*;

    fn busy(seconds: Option<u64>) -> RequestFailure {
        let retry_after = seconds.map(Duration::from_secs);
        RequestFailure::passing(Why::Busy {
            status: 503,
            retry_after,
        })
    }

    /// Seconds and attempts that it takes to fail for good.
    async fn patience(failure: impl Fn() -> RequestFailure) -> (u64, usize) {
        let begin = Instant::now();
        let attempts = Cell::new(0);
        let result: Result<(), RequestFailure> = with_retries(&FetchOptions::default(), || {
            attempts.set(attempts.get() + 1);
            let failure = failure();
            async { Err(failure) }
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
        assert_eq!(
            patience(|| RequestFailure::last(Why::Timeout)).await,
            (0, 1)
        );
    }

    #[tokio::test(start_paused = true)]
    async fn the_first_success_ends_it() {
        let attempts = Cell::new(0);
        let result = with_retries(&FetchOptions::default(), || {
            attempts.set(attempts.get() + 1);
            let n = attempts.get();
            async move { if n == 2 { Ok(n) } else { Err(busy(None)) } }
        })
        .await;
        assert_eq!(result.ok(), Some(2));
    }
}
