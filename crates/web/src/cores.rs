//! Work on a core: what parses, filters, extracts, renders and reads the archive for a request.
//!
//! Such work has a thread of its own, when its client has a [permit](super::permits). It ends
//! with its request: if the client goes away or has waited for too long, work that has not begun
//! is left out, and work under way ends where it looks at its [`StopFlag`], between two steps. A
//! step itself is not interrupted, and its permit is taken until it ends; so a client has half
//! of the permits at the most, and large pages have permits of their own, which leave those of
//! all other work alone however many clients send them.

use super::answers::with_retry_after;
use super::clients::ClientKey;
use super::permits::{ClientPermits, NoPermit};
use axum::body::Body;
use axum::http::{Response, StatusCode};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::time::timeout;

/// Time for the work of one request.
const WORK_WITHIN: Duration = Duration::from_secs(60);

/// Bytes from which on a page is a large one: many times what a usual page has, and little enough
/// to be done within a second.
pub const LARGE_BYTES: usize = 1_000_000;

/// Seconds after which a client may come back that got no permit.
const BACK_AFTER_S: u64 = 10;

/// The permits for work on a core.
#[derive(Debug)]
pub struct Cores {
    permits: ClientPermits,
    /// Permits for large pages.
    of_large: ClientPermits,
    /// The permit for what is done for strangers.
    alone: ClientPermits,
}

/// The reason why work has no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoResult {
    /// Others have all permits.
    Busy,
    /// It takes too long.
    Late,
    /// A fault of ours.
    Crashed,
}

impl fmt::Display for NoResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let within = WORK_WITHIN.as_secs();
        match self {
            NoResult::Busy => f.write_str("the server is busy: try again in a while"),
            NoResult::Late => write!(f, "it takes longer than {within} s"),
            NoResult::Crashed => f.write_str(forest_html::error::CRASHED),
        }
    }
}

impl NoResult {
    pub fn status(self) -> StatusCode {
        match self {
            NoResult::Busy => StatusCode::SERVICE_UNAVAILABLE,
            NoResult::Late => StatusCode::GATEWAY_TIMEOUT,
            NoResult::Crashed => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// Seconds after which the client may ask again.
    pub fn retry_after_s(self) -> Option<u64> {
        (self == NoResult::Busy).then_some(BACK_AFTER_S)
    }

    /// The answer with the reason in some form, with the time to ask again.
    pub fn in_answer(self, mut answer: Response<Body>) -> Response<Body> {
        *answer.status_mut() = self.status();
        match self.retry_after_s() {
            Some(seconds) => with_retry_after(answer, seconds),
            None => answer,
        }
    }
}

impl From<NoPermit> for NoResult {
    fn from(NoPermit: NoPermit) -> NoResult {
        NoResult::Busy
    }
}

/// Says to work that nobody waits for it any more.
#[derive(Debug, Clone, Default)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// True if nobody waits for the work.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Between two steps of some work: `None` if nobody waits for the next one.
    pub fn step(&self) -> Option<()> {
        (!self.is_set()).then_some(())
    }
}

/// Sets a flag when the request ends.
struct StopWhenDropped(StopFlag);

impl Drop for StopWhenDropped {
    fn drop(&mut self) {
        self.0.0.store(true, Ordering::Relaxed);
    }
}

impl Cores {
    /// Permits for so many cores: two a core, of which a client has half, so that one client uses
    /// all cores and another one is served beside it. Large pages, which take most memory, have
    /// one a core, and two at the least.
    pub fn new(cores: usize) -> Cores {
        let large = cores.max(2);
        Cores {
            permits: ClientPermits::new(2 * cores, cores),
            of_large: ClientPermits::new(large, large / 2),
            alone: ClientPermits::new(1, 1),
        }
    }

    /// The result of work on a page with so many bytes, or on less, for a client. `None` of the
    /// work says that it was stopped.
    pub async fn run<T: Send + 'static>(
        &self,
        client: ClientKey,
        bytes: usize,
        work: impl FnOnce(&StopFlag) -> Option<T> + Send + 'static,
    ) -> Result<T, NoResult> {
        let permits = match bytes {
            LARGE_BYTES.. => &self.of_large,
            _ => &self.permits,
        };
        run_with(permits, client, work).await
    }

    /// The result of work that is short, or has no steps.
    pub async fn run_whole<T: Send + 'static>(
        &self,
        client: ClientKey,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, NoResult> {
        self.run(client, 0, |_| Some(work())).await
    }

    /// The result of work that is done for strangers, one after the other: the check of a
    /// password.
    pub async fn run_alone<T: Send + 'static>(
        &self,
        client: ClientKey,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, NoResult> {
        run_with(&self.alone, client, |_| Some(work())).await
    }
}

async fn run_with<T: Send + 'static>(
    permits: &ClientPermits,
    client: ClientKey,
    work: impl FnOnce(&StopFlag) -> Option<T> + Send + 'static,
) -> Result<T, NoResult> {
    let permit = permits.acquire(client).await?;
    let stop = StopFlag::default();
    let _ends_with_request = StopWhenDropped(stop.clone());
    let working = tokio::task::spawn_blocking(move || {
        let _permit = permit;
        stop.step().and_then(|()| work(&stop))
    });
    match timeout(WORK_WITHIN, working).await {
        Ok(Ok(Some(result))) => Ok(result),
        Ok(Ok(None)) | Err(_) => Err(NoResult::Late),
        Ok(Err(_)) => Err(NoResult::Crashed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    fn client(number: u8) -> ClientKey {
        ClientKey::of([10, 0, 0, number].into())
    }

    /// Work that goes on until the test ends it.
    struct HeldWork {
        task: tokio::task::JoinHandle<Result<(), NoResult>>,
        begun: mpsc::Receiver<()>,
        end: mpsc::Sender<()>,
        was_stopped: mpsc::Receiver<bool>,
    }

    fn held(cores: &Arc<Cores>, number: u8, bytes: usize) -> HeldWork {
        let (begins, begun) = mpsc::channel();
        let (end, ends) = mpsc::channel();
        let (told, was_stopped) = mpsc::channel();
        let cores = Arc::clone(cores);
        let task = tokio::spawn(async move {
            let work = move |stop: &StopFlag| {
                let _ = begins.send(());
                let _ = ends.recv();
                let _ = told.send(stop.is_set());
                stop.step()
            };
            cores.run(client(number), bytes, work).await
        });
        HeldWork {
            task,
            begun,
            end,
            was_stopped,
        }
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn work_under_way_ends_with_its_request() {
        let cores = Arc::new(Cores::new(1));
        let held = held(&cores, 1, 0);
        held.begun.recv().expect("it begins");
        held.task.abort();
        assert!(held.task.await.is_err());
        held.end.send(()).expect("it works");
        assert!(held.was_stopped.recv().expect("it ends"));
        // Its permit is there again.
        assert_eq!(cores.run_whole(client(1), || 7).await, Ok(7));
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn however_many_send_large_pages_small_ones_have_their_turn() {
        for cores in [1, 2, 4] {
            let cores = Arc::new(Cores::new(cores));
            let large: Vec<HeldWork> = (1..9)
                .map(|number| held(&cores, number, LARGE_BYTES))
                .collect();
            while !large.iter().any(|held| held.begun.try_recv().is_ok()) {
                tokio::task::yield_now().await;
            }
            for number in [1, 2, 9] {
                assert_eq!(cores.run_whole(client(number), || 7).await, Ok(7));
            }
        }
    }

    #[test]
    fn who_is_to_come_back_is_told_when() {
        let answer = NoResult::Busy.in_answer(Response::default());
        assert_eq!(answer.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(answer.headers()["retry-after"], "10");
        let late = NoResult::Late.in_answer(Response::default());
        assert_eq!(late.status(), StatusCode::GATEWAY_TIMEOUT);
        assert!(!late.headers().contains_key("retry-after"));
    }

    #[tokio::test(start_paused = true)]
    async fn without_a_permit_it_is_busy_after_a_while() {
        let cores = Cores::new(1);
        let _held = cores.permits.acquire(client(1)).await.expect("a permit");
        let late = cores.run_whole(client(1), || 7).await;
        assert_eq!(late, Err(NoResult::Busy));
        assert!(cores.permits.acquire(client(2)).await.is_ok());
    }

    #[tokio::test]
    async fn a_panic_is_a_fault_of_ours() {
        let cores = Cores::new(1);
        let crashed = cores.run_whole(client(1), || -> u8 { panic!("a test") });
        assert_eq!(crashed.await, Err(NoResult::Crashed));
    }
}
