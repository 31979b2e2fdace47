//! Per-host queues, and fetching many URLs with them.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::task::JoinSet;
use tokio::time::Instant;
use url::Url;

use super::exchange::FetchCore;
use super::pace::origin;
use super::resource::{Fetched, Resource};
use crate::FetchFailure;

/// Number of tasks for each request that may be under way: most tasks wait for their
/// host's delay. It also bounds the pages that wait for a slow caller.
const TASKS_PER_REQUEST: usize = 4;

/// The items that wait for hosts, in the order in which they start: one of each host after
/// the other, each host's in the order given, and no more of a host at once than it
/// allows. A host that has nothing to do takes no room.
#[derive(Debug)]
pub(super) struct HostQueues<T> {
    queues: HashMap<Arc<str>, HostQueue<T>>,
    /// Hosts that may be free now.
    ready: VecDeque<Arc<str>>,
    /// Hosts that are free later.
    parked: BinaryHeap<Reverse<(Instant, Arc<str>)>>,
    per_host: usize,
    waiting: usize,
}

#[derive(Debug)]
struct HostQueue<T> {
    waiting: VecDeque<T>,
    under_way: usize,
    /// It is among the ready or the parked.
    listed: bool,
}

impl<T> HostQueues<T> {
    pub(super) fn new(per_host: usize) -> Self {
        HostQueues {
            queues: HashMap::new(),
            ready: VecDeque::new(),
            parked: BinaryHeap::new(),
            per_host,
            waiting: 0,
        }
    }

    /// Puts `item` behind what waits for the URL's host.
    pub(super) fn push(&mut self, url: &Url, item: T) {
        self.put(url, |waiting| waiting.push_back(item));
    }

    /// Puts `item` before what waits for the URL's host.
    pub(super) fn push_first(&mut self, url: &Url, item: T) {
        self.put(url, |waiting| waiting.push_front(item));
    }

    fn put(&mut self, url: &Url, put: impl FnOnce(&mut VecDeque<T>)) {
        let origin: Arc<str> = origin(url).into();
        let queue = self.queues.entry(Arc::clone(&origin));
        let queue = queue.or_insert_with(|| HostQueue {
            waiting: VecDeque::new(),
            under_way: 0,
            listed: false,
        });
        put(&mut queue.waiting);
        self.waiting += 1;
        if !queue.listed && queue.under_way < self.per_host {
            queue.listed = true;
            self.ready.push_back(origin);
        }
    }

    /// Takes back the items that wait for the URL's host.
    pub(super) fn give_up(&mut self, url: &Url) -> Vec<T> {
        let Some(queue) = self.queues.get_mut(&*origin(url)) else {
            return Vec::new();
        };
        self.waiting -= queue.waiting.len();
        queue.waiting.drain(..).collect()
    }

    /// The number of items that wait.
    pub(super) fn waiting(&self) -> usize {
        self.waiting
    }

    /// When the first of the parked hosts is free.
    pub(super) fn wake(&self) -> Option<Instant> {
        self.parked.peek().map(|Reverse((at, _))| *at)
    }

    /// The next to start with its host, if one is free: `free_in` says how long
    /// a host is not.
    pub(super) fn start(
        &mut self,
        now: Instant,
        free_in: impl Fn(&str) -> Duration,
    ) -> Option<(Arc<str>, T)> {
        while self.wake().is_some_and(|at| at <= now) {
            let parked = self.parked.pop();
            self.ready.extend(parked.map(|Reverse((_, origin))| origin));
        }
        while let Some(origin) = self.ready.pop_front() {
            let Some(queue) = self.queues.get_mut(&origin) else {
                continue;
            };
            if queue.waiting.is_empty() {
                // Its items were given up.
                queue.listed = false;
                if queue.under_way == 0 {
                    self.queues.remove(&origin);
                }
                continue;
            }
            let wait = free_in(&origin);
            if !wait.is_zero() {
                self.parked.push(Reverse((now + wait, origin)));
                continue;
            }
            let item = queue.waiting.pop_front().expect("it is not empty");
            self.waiting -= 1;
            queue.under_way += 1;
            queue.listed = queue.under_way < self.per_host && !queue.waiting.is_empty();
            if queue.listed {
                self.ready.push_back(Arc::clone(&origin));
            }
            return Some((origin, item));
        }
        None
    }

    /// Ends a request that was started for this host. Returns true if it was the last one:
    /// no other waits for the host or is under way.
    pub(super) fn finish(&mut self, origin: Arc<str>) -> bool {
        let Some(queue) = self.queues.get_mut(&origin) else {
            return true;
        };
        queue.under_way -= 1;
        if queue.waiting.is_empty() {
            let last = queue.under_way == 0;
            if last && !queue.listed {
                self.queues.remove(&origin);
            }
            return last;
        }
        if !queue.listed {
            queue.listed = true;
            self.ready.push_back(origin);
        }
        false
    }
}

/// Fetches all of `urls` and hands each result over as it comes.
pub(super) fn run(
    inner: &Arc<FetchCore>,
    handle: &Handle,
    urls: &[Url],
    what: Resource,
    mut on_done: impl FnMut(usize, Result<Fetched, FetchFailure>),
) {
    let window = inner.options.concurrency.saturating_mul(TASKS_PER_REQUEST);
    let mut queues = HostQueues::new(inner.options.per_host);
    for (index, url) in urls.iter().enumerate() {
        queues.push(url, index);
    }
    let mut tasks = JoinSet::new();
    loop {
        while tasks.len() < window {
            // The tasks themselves wait for their hosts.
            let next = queues.start(Instant::now(), |_| Duration::ZERO);
            let Some((origin, index)) = next else { break };
            let (inner, url) = (Arc::clone(inner), urls[index].clone());
            let task = async move { (origin, index, inner.get(&url, what).await) };
            tasks.spawn_on(task, handle);
        }
        let (origin, index, result) = match handle.block_on(tasks.join_next()) {
            None => return,
            Some(Ok(ended)) => ended,
            Some(Err(error)) => match error.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                Err(_) => unreachable!("nothing cancels these tasks"),
            },
        };
        if queues.finish(Arc::clone(&origin)) {
            inner.clients.close(&origin);
        }
        // Outside of the runtime, so that the caller may fetch in between.
        on_done(index, result);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_waits_for_a_host_is_given_up_and_others_go_on() {
        let url = |host: &str| Url::parse(&format!("http://{host}.example/")).expect("a URL");
        let now = Instant::now();
        let free = |_: &str| Duration::ZERO;
        let mut queues = HostQueues::new(1);
        for (n, host) in ["a", "a", "a", "b"].into_iter().enumerate() {
            queues.push(&url(host), n);
        }
        let (a, first) = queues.start(now, free).expect("one is free");
        assert_eq!(
            (first, queues.give_up(&url("a")), queues.waiting()),
            (0, vec![1, 2], 1)
        );
        assert_eq!(queues.give_up(&url("c")), [0; 0]);
        let (b, second) = queues.start(now, free).expect("one is free");
        assert_eq!(second, 3);
        assert!(queues.start(now, free).is_none());
        queues.finish(a);
        queues.finish(b);
        // A listed host that lost what waited, and gets more, is asked once at a time.
        queues.push(&url("a"), 4);
        assert_eq!(queues.give_up(&url("a")), [4]);
        queues.push(&url("a"), 5);
        queues.push(&url("a"), 6);
        let (a, fifth) = queues.start(now, free).expect("one is free");
        assert_eq!(fifth, 5);
        assert!(queues.start(now, free).is_none());
        queues.finish(a);
        assert_eq!(queues.start(now, free).map(|(_, item)| item), Some(6));
        assert_eq!(queues.waiting(), 0);
    }

    fn url(host: impl std::fmt::Display) -> Url {
        Url::parse(&format!("http://{host}.example/")).expect("a URL")
    }

    fn start(queues: &mut HostQueues<usize>) -> Option<(Arc<str>, usize)> {
        queues.start(Instant::now(), |_| Duration::ZERO)
    }

    /// The order of starts when each URL ends before the next is started, or
    /// (`stuck`) when none ends.
    fn check(hosts: &str, per_host: usize, stuck: bool, expected: &[usize]) {
        let mut queues = HostQueues::new(per_host);
        for (index, host) in hosts.chars().enumerate() {
            queues.push(&url(host), index);
        }
        let mut order = Vec::new();
        while let Some((origin, index)) = start(&mut queues) {
            order.push(index);
            if !stuck {
                queues.finish(origin);
            }
        }
        assert_eq!(order, expected, "{hosts} {per_host} {stuck}");
        assert_eq!(queues.waiting(), hosts.len() - expected.len());
        if !stuck {
            assert!(queues.queues.is_empty(), "an idle host takes no room");
        }
    }

    #[test]
    fn hosts_take_turns() {
        check("", 2, false, &[]);
        check("aaab", 1, false, &[0, 3, 1, 2]);
        check("aabb", 2, false, &[0, 2, 1, 3]);
        check("abcabc", 1, false, &[0, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn a_slow_host_holds_up_only_itself() {
        check("aaabc", 1, true, &[0, 3, 4]);
        check("aaabc", 2, true, &[0, 3, 4, 1]);
    }

    #[test]
    fn every_url_is_started_once() {
        for per_host in 1..4 {
            let mut queues = HostQueues::new(per_host);
            let mut under_way: VecDeque<(Arc<str>, usize)> = VecDeque::new();
            let mut seen = vec![0; 100];
            for round in 0..2 {
                for i in 0..50 {
                    queues.push(&url(i * i % 7), round * 50 + i);
                }
                loop {
                    while let Some((origin, index)) = start(&mut queues) {
                        seen[index] += 1;
                        under_way.push_back((origin, index));
                        assert!(queues.queues.values().all(|q| q.under_way <= per_host));
                    }
                    // The first round leaves some under way.
                    if round == 0 && under_way.len() < 5 {
                        break;
                    }
                    match under_way.pop_back() {
                        Some((origin, _)) => {
                            queues.finish(origin);
                        }
                        None => break,
                    }
                }
            }
            assert!(seen.iter().all(|n| *n == 1), "{seen:?}");
        }
    }

    #[test]
    fn a_host_that_is_not_free_is_parked_until_it_is() {
        let mut queues = HostQueues::new(1);
        for (index, host) in "aabc".chars().enumerate() {
            queues.push(&url(host), index);
        }
        let begin = Instant::now();
        let at = |seconds| begin + Duration::from_secs(seconds);
        let free_in = |origin: &str| match origin {
            "http://a.example" => Duration::from_secs(3),
            "http://b.example" => Duration::from_secs(2),
            _ => Duration::ZERO,
        };
        let next = |queues: &mut HostQueues<usize>, now, free| {
            let started = if free {
                queues.start(now, |_| Duration::ZERO)
            } else {
                queues.start(now, free_in)
            };
            started.map(|(_, index)| index)
        };
        assert_eq!(next(&mut queues, at(0), false), Some(3));
        assert_eq!(next(&mut queues, at(0), false), None);
        assert_eq!(queues.wake(), Some(at(2)));
        assert_eq!(
            next(&mut queues, at(1), true),
            None,
            "nobody is asked before"
        );
        assert_eq!(next(&mut queues, at(2), true), Some(2));
        assert_eq!(queues.wake(), Some(at(3)));
        assert_eq!(next(&mut queues, at(3), true), Some(0));
        assert_eq!(
            (next(&mut queues, at(9), true), queues.wake()),
            (None, None)
        );
        queues.finish("http://a.example".into());
        assert_eq!(next(&mut queues, at(9), true), Some(1));
    }
}
