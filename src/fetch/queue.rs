//! Many URLs at once: a queue for each host, the hosts in turn.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use tokio::runtime::Handle;
use tokio::task::JoinSet;
use url::Url;

use super::exchange::Inner;
use super::pace::origin;
use super::{Fetched, Resource};
use crate::error::FetchFailure;

/// Tasks for each request that may be under way: most of them wait for their
/// host's delay. It also bounds the pages that wait for a slow caller.
const TASKS_PER_REQUEST: usize = 4;

/// URLs in the order in which they are started: from each host in turn, each
/// host's in the order given, and no more of a host at once than it allows.
#[derive(Debug)]
struct Turns {
    queues: Vec<VecDeque<usize>>,
    /// The queue of each URL.
    queue_of: Vec<usize>,
    under_way: Vec<usize>,
    ready: VecDeque<usize>,
    per_host: usize,
}

impl Turns {
    fn new(urls: &[Url], per_host: usize) -> Self {
        let mut numbers: HashMap<String, usize> = HashMap::new();
        let mut queues: Vec<VecDeque<usize>> = Vec::new();
        let mut queue_of = Vec::with_capacity(urls.len());
        for (index, url) in urls.iter().enumerate() {
            let number = *numbers.entry(origin(url)).or_insert(queues.len());
            if number == queues.len() {
                queues.push(VecDeque::new());
            }
            queues[number].push_back(index);
            queue_of.push(number);
        }
        Turns {
            under_way: vec![0; queues.len()],
            ready: (0..queues.len()).collect(),
            queues,
            queue_of,
            per_host,
        }
    }

    /// The next URL to start, if a host is free.
    fn start(&mut self) -> Option<usize> {
        let queue = self.ready.pop_front()?;
        let index = self.queues[queue].pop_front()?;
        self.under_way[queue] += 1;
        if self.under_way[queue] < self.per_host && !self.queues[queue].is_empty() {
            self.ready.push_back(queue);
        }
        Some(index)
    }

    /// The URL is done.
    fn done(&mut self, index: usize) {
        let queue = self.queue_of[index];
        let was_full = self.under_way[queue] == self.per_host;
        self.under_way[queue] -= 1;
        // A queue that was not full is in `ready` already, or empty.
        if was_full && !self.queues[queue].is_empty() {
            self.ready.push_back(queue);
        }
    }
}

/// Fetches all of `urls` and hands each result over as it comes.
pub(super) fn run(
    inner: &Arc<Inner>,
    handle: &Handle,
    urls: &[Url],
    what: Resource,
    mut on_done: impl FnMut(usize, Result<Fetched, FetchFailure>),
) {
    let window = inner.options.concurrency.saturating_mul(TASKS_PER_REQUEST);
    let mut turns = Turns::new(urls, inner.options.per_host);
    let mut tasks = JoinSet::new();
    loop {
        while tasks.len() < window {
            let Some(index) = turns.start() else { break };
            let (inner, url) = (Arc::clone(inner), urls[index].clone());
            let task = async move { (index, inner.get(&url, what).await) };
            tasks.spawn_on(task, handle);
        }
        let (index, result) = match handle.block_on(tasks.join_next()) {
            None => return,
            Some(Ok(done)) => done,
            Some(Err(error)) => match error.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                Err(_) => unreachable!("nothing cancels these tasks"),
            },
        };
        turns.done(index);
        // Outside of the runtime, so that the caller may fetch in between.
        on_done(index, result);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The order of starts when each URL ends before the next is started, or
    /// (`stuck`) when none ends.
    fn check(hosts: &str, per_host: usize, stuck: bool, expected: &[usize]) {
        let urls: Vec<Url> = hosts
            .chars()
            .map(|host| Url::parse(&format!("http://{host}.example/")).expect("a URL"))
            .collect();
        let mut turns = Turns::new(&urls, per_host);
        let mut order = Vec::new();
        while let Some(index) = turns.start() {
            order.push(index);
            if !stuck {
                turns.done(index);
            }
        }
        assert_eq!(order, expected, "{hosts} {per_host} {stuck}");
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
            let urls: Vec<Url> = (0..50)
                .map(|i| Url::parse(&format!("http://h{}.example/", i * i % 7)).expect("a URL"))
                .collect();
            let mut turns = Turns::new(&urls, per_host);
            let mut under_way = VecDeque::new();
            let mut seen = vec![0; urls.len()];
            loop {
                while let Some(index) = turns.start() {
                    seen[index] += 1;
                    under_way.push_back(index);
                    assert!(turns.under_way.iter().all(|n| *n <= per_host));
                }
                match under_way.pop_back() {
                    Some(index) => turns.done(index),
                    None => break,
                }
            }
            assert!(seen.iter().all(|n| *n == 1), "{seen:?}");
        }
    }
}
