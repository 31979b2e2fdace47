//! A running set of visits: a queue for each host, tasks only for hosts that may be asked
//! now, and no more bodies than the caller takes.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::{JoinError, JoinSet};
use tokio::time::{Instant, sleep_until, timeout_at};
use url::Url;

use super::fetcher::Fetcher;
use super::pace::LONGEST;
use super::queue::HostQueues;
use super::visit::{VisitRequest, Visited};
use crate::FetchFailure;
use crate::error::{ErrorKind, Result};

/// Tasks at once, a few kilobytes each. Most of them wait for a slot or for the
/// caller; some for a host that another redirects to. So many that the last
/// cannot hold up the others.
const TASKS: usize = 1024;

/// A running set of visits, from [`Fetcher::visits`]. Hosts do not wait for each
/// other; each host's visits start in the order in which they were submitted.
///
/// A visit that waits for its host costs what it holds and no task. New ones
/// start while [`submit`](Self::submit) or [`next`](Self::next) run. Dropping it
/// cuts all of them off.
///
/// ```no_run
/// use forest_fetch::{FetchOptions, Fetcher, Resource, VisitRequest};
///
/// # fn main() -> forest_fetch::Result<()> {
/// let fetcher = Fetcher::new(FetchOptions::default())?;
/// let mut visits = fetcher.visits(32);
/// let url = "https://example.org/feed.xml".parse().expect("a URL");
/// visits.submit(7, VisitRequest::new(url, Resource::Feed));
/// while let Some((tag, visited)) = visits.next(None) {
///     println!("{tag}: status {}", visited?.status);
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Visits<'f> {
    fetcher: &'f Fetcher,
    queues: HostQueues<(u64, VisitRequest)>,
    tasks: JoinSet<EndedVisit>,
    window: Arc<Semaphore>,
    /// The number of times that all was cancelled.
    cancelled: u64,
}

/// A visit that is over.
#[derive(Debug)]
struct EndedVisit {
    tag: u64,
    origin: Arc<str>,
    /// [`Visits::cancelled`] when it was started.
    cancelled: u64,
    /// With the body's room in the window.
    result: std::result::Result<(Visited, Option<OwnedSemaphorePermit>), FetchFailure>,
}

impl Fetcher {
    /// A running set of visits. At most `window` bodies (at least 1) are under
    /// way or wait for the caller, so that a slow caller slows the fetching.
    pub fn visits(&self, window: usize) -> Visits<'_> {
        Visits::new(self, window)
    }
}

impl<'f> Visits<'f> {
    fn new(fetcher: &'f Fetcher, window: usize) -> Self {
        let window = window.clamp(1, Semaphore::MAX_PERMITS);
        Visits {
            fetcher,
            queues: HostQueues::new(fetcher.inner.options.per_host),
            tasks: JoinSet::new(),
            window: Arc::new(Semaphore::new(window)),
            cancelled: 0,
        }
    }

    /// Adds a visit; `tag` is returned with its result. Does not block.
    pub fn submit(&mut self, tag: u64, visit: VisitRequest) {
        let url = visit.url.clone();
        self.queues.push(&url, (tag, visit));
        self.start();
    }

    /// Adds a visit that comes before whatever waits for its host.
    pub fn submit_first(&mut self, tag: u64, visit: VisitRequest) {
        let url = visit.url.clone();
        self.queues.push_first(&url, (tag, visit));
        self.start();
    }

    /// The next result, in the order in which the visits end. Waits for it as
    /// long as `patience`, or without end. `None`: nothing is under way, or
    /// patience is over.
    ///
    /// # Panics
    ///
    /// When called from async code, whose thread must not block.
    pub fn next(&mut self, patience: Option<Duration>) -> Option<(u64, Result<Visited>)> {
        let end = patience.map(|patience| Instant::now() + patience.min(LONGEST));
        loop {
            self.start();
            let wake = self.queues.wake();
            if self.tasks.is_empty() && wake.is_none() {
                return None;
            }
            let over = [wake, end].into_iter().flatten().min();
            let tasks = &mut self.tasks;
            let joined = self.fetcher.runtime().block_on(async move {
                match over {
                    None => tasks.join_next().await,
                    Some(at) if tasks.is_empty() => {
                        sleep_until(at).await;
                        None
                    }
                    Some(at) => timeout_at(at, tasks.join_next()).await.ok().flatten(),
                }
            });
            if let Some(ended) = joined.and_then(finished) {
                if ended.cancelled == self.cancelled {
                    if self.queues.finish(Arc::clone(&ended.origin)) {
                        self.fetcher.inner.clients.close(&ended.origin);
                    }
                    self.start();
                }
                let visited = ended.result.map(|(visited, _room)| visited);
                return Some((
                    ended.tag,
                    visited.map_err(|why| ErrorKind::Fetch(why).into()),
                ));
            }
            if end.is_some_and(|end| end <= Instant::now()) {
                return None;
            }
        }
    }

    /// The visits that were submitted and whose results [`next`](Self::next) has
    /// not given yet.
    pub fn under_way(&self) -> usize {
        self.queues.waiting() + self.tasks.len()
    }

    /// Drops what waits for the URL's host and gives the tags: it has shown that it is of
    /// no use to ask. What is under way goes on.
    pub fn give_up(&mut self, url: &Url) -> Vec<u64> {
        let dropped = self.queues.give_up(url);
        dropped.into_iter().map(|(tag, _)| tag).collect()
    }

    /// Drops what waits and cuts off what is under way; of both there is no
    /// result. What is over already still comes.
    pub fn cancel(&mut self) {
        self.cancelled += 1;
        self.queues = HostQueues::new(self.fetcher.inner.options.per_host);
        self.tasks.abort_all();
    }

    fn start(&mut self) {
        let inner = &self.fetcher.inner;
        let patience = inner.options.retry_after_cap;
        while self.tasks.len() < TASKS {
            let now = Instant::now();
            let free_in = |origin: &str| inner.hosts.free_in(origin, patience);
            let Some((origin, (tag, visit))) = self.queues.start(now, free_in) else {
                return;
            };
            let (inner, window) = (Arc::clone(inner), Arc::clone(&self.window));
            let cancelled = self.cancelled;
            let task = async move {
                EndedVisit {
                    tag,
                    origin,
                    cancelled,
                    result: inner.visit(&visit, Some(&window)).await,
                }
            };
            self.tasks.spawn_on(task, self.fetcher.runtime().handle());
        }
    }
}

/// The result of a task; `None` if it was cut off.
fn finished(joined: std::result::Result<EndedVisit, JoinError>) -> Option<EndedVisit> {
    match joined {
        Ok(ended) => Some(ended),
        Err(error) => match error.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            Err(_) => None,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FetchOptions, Resource};

    fn fetcher() -> Fetcher {
        Fetcher::new(FetchOptions::default()).expect("a fetcher")
    }

    /// A host that nothing dials, since it is refused.
    fn refused(host: usize) -> VisitRequest {
        let url = format!("http://127.0.0.{host}/").parse().expect("a URL");
        VisitRequest::new(url, Resource::Page)
    }

    #[test]
    fn what_waits_has_no_task() {
        let fetcher = fetcher();
        let mut visits = fetcher.visits(1);
        for tag in 0..10_000 {
            visits.submit(tag, refused(1));
        }
        assert_eq!(visits.tasks.len(), FetchOptions::PER_HOST);
        assert_eq!(visits.under_way(), 10_000);
        let mut order = Vec::new();
        while let Some((tag, result)) = visits.next(None) {
            assert!(result.is_err() && visits.tasks.len() <= FetchOptions::PER_HOST);
            order.push(tag);
        }
        order.sort_unstable();
        assert_eq!(order, (0..10_000).collect::<Vec<u64>>());
        assert_eq!(visits.under_way(), 0);
    }

    #[test]
    fn a_task_is_small_and_the_tasks_are_bounded() {
        let fetcher = fetcher();
        let visit = refused(1);
        let task = size_of_val(&fetcher.inner.visit(&visit, None));
        assert!(task < 16_384, "{task} bytes");
        let mut visits = fetcher.visits(1);
        for i in 0..2 * TASKS {
            let url = format!("http://10.0.{}.{}/", i / 256, i % 256);
            let url = url.parse().expect("a URL");
            visits.submit(i as u64, VisitRequest::new(url, Resource::Feed));
        }
        assert_eq!(visits.tasks.len(), TASKS);
        assert_eq!(std::iter::from_fn(|| visits.next(None)).count(), 2 * TASKS);
    }

    #[test]
    fn what_is_cancelled_has_no_result() {
        let fetcher = fetcher();
        let mut visits = fetcher.visits(1);
        for tag in 0..100 {
            visits.submit(tag, refused(1));
        }
        visits.cancel();
        // Those that had ended, at most.
        let left = std::iter::from_fn(|| visits.next(None)).count();
        assert!(left <= FetchOptions::PER_HOST, "{left}");
        assert_eq!(visits.under_way(), 0);
        visits.submit(7, refused(1));
        assert_eq!(visits.next(None).map(|(tag, _)| tag), Some(7));
    }

    #[test]
    fn what_is_to_be_first_does_not_wait_for_what_was_there() {
        let fetcher = fetcher();
        let mut visits = fetcher.visits(1);
        for tag in 0..100 {
            visits.submit(tag, refused(1));
        }
        visits.submit_first(1000, refused(1));
        // The first that ends makes room for it: what waits after that is the others.
        let (ended, _) = visits.next(None).expect("the first to end");
        assert!(ended < FetchOptions::PER_HOST as u64, "{ended}");
        let waited = visits.give_up(&refused(1).url);
        let others = FetchOptions::PER_HOST as u64..100;
        assert_eq!(waited, others.collect::<Vec<u64>>());
        let left = std::iter::from_fn(|| visits.next(None)).map(|(tag, _)| tag);
        assert!(left.collect::<Vec<u64>>().contains(&1000));
    }

    #[test]
    fn a_host_with_a_delay_waits_without_a_task() {
        let options = FetchOptions::default().with_delay(LONGEST);
        let fetcher = Fetcher::new(options).expect("a fetcher");
        let url: url::Url = "http://a.example/".parse().expect("a URL");
        let host = fetcher.inner.hosts.get(&url);
        host.set_delay(LONGEST);
        let runtime = fetcher.runtime();
        let limits = crate::pace::RequestLimits {
            window: None,
            under_way: &fetcher.inner.under_way,
        };
        drop(
            runtime
                .block_on(host.permit(LONGEST, limits))
                .expect("the first"),
        );
        let mut visits = fetcher.visits(1);
        visits.submit(1, VisitRequest::new(url, Resource::Page));
        visits.submit(2, refused(1));
        assert_eq!(visits.next(None).map(|(tag, _)| tag), Some(2));
        assert!(visits.next(Some(Duration::ZERO)).is_none());
        assert_eq!((visits.under_way(), visits.tasks.len()), (1, 0));
        assert!(visits.queues.wake().is_some());
    }
}
