//! Permits for which clients wait fairly: no client has more than its share of them, and who had
//! one longest ago is next. So a client that asks without end keeps nobody out.

use super::clients::ClientKey;
use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::time::timeout;

/// Time for which a client waits for a permit. Then it is told to come back.
const PERMIT_WITHIN: Duration = Duration::from_secs(10);

/// A number of permits.
pub struct ClientPermits(Arc<Mutex<PermitQueue>>);

impl fmt::Debug for ClientPermits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ClientPermits")
            .field(&lock(&self.0).free)
            .finish()
    }
}

/// All permits are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoPermit;

/// The right to do one thing, until it is dropped.
pub struct ClientPermit {
    client: ClientKey,
    queue: Arc<Mutex<PermitQueue>>,
}

/// Who has permits, and who waits.
struct PermitQueue {
    free: usize,
    /// Permits that one client has at the most.
    share: usize,
    /// Those who have a permit or wait for one.
    clients: HashMap<ClientKey, ClientTurns>,
    /// Counts what happens, so that it has an order.
    clock: u64,
}

/// The permits of one client.
#[derive(Default)]
struct ClientTurns {
    held: usize,
    /// When it was given a permit last.
    last: u64,
    waiting: VecDeque<(u64, oneshot::Sender<ClientPermit>)>,
}

impl ClientPermits {
    /// So many permits, of which one client has `share` at the most.
    pub fn new(permits: usize, share: usize) -> ClientPermits {
        ClientPermits(Arc::new(Mutex::new(PermitQueue {
            free: permits,
            share,
            clients: HashMap::new(),
            clock: 0,
        })))
    }

    /// A permit for a client, in its turn.
    ///
    /// # Errors
    ///
    /// If there is none for ten seconds.
    pub async fn acquire(&self, client: ClientKey) -> Result<ClientPermit, NoPermit> {
        let (sender, turn) = oneshot::channel();
        lock(&self.0).enqueue(client, sender);
        serve_next(&self.0);
        let turn = timeout(PERMIT_WITHIN, turn).await;
        turn.ok().and_then(Result::ok).ok_or(NoPermit)
    }
}

impl Drop for ClientPermit {
    fn drop(&mut self) {
        lock(&self.queue).release(self.client);
        serve_next(&self.queue);
    }
}

fn lock(queue: &Mutex<PermitQueue>) -> MutexGuard<'_, PermitQueue> {
    queue.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Gives what is free to those who wait.
fn serve_next(queue: &Arc<Mutex<PermitQueue>>) {
    loop {
        let next = lock(queue).next();
        let Some((client, sender)) = next else {
            return;
        };
        let queue = Arc::clone(queue);
        // Who has gone away meanwhile gives it back at once.
        let _ = sender.send(ClientPermit { client, queue });
    }
}

impl PermitQueue {
    fn enqueue(&mut self, client: ClientKey, sender: oneshot::Sender<ClientPermit>) {
        self.clock += 1;
        let turns = self.clients.entry(client).or_default();
        // Those who have gone away take no room.
        turns.waiting.retain(|(_, waiting)| !waiting.is_closed());
        turns.waiting.push_back((self.clock, sender));
    }

    /// Takes a permit for the next in turn: of the clients below their share, the one that had a
    /// permit longest ago.
    fn next(&mut self) -> Option<(ClientKey, oneshot::Sender<ClientPermit>)> {
        if self.free == 0 {
            return None;
        }
        for turns in self.clients.values_mut() {
            turns.waiting.retain(|(_, waiting)| !waiting.is_closed());
        }
        self.clients.retain(|_, turns| turns.is_there());
        let share = self.share;
        let due = self.clients.iter_mut().filter(|(client, turns)| {
            // Clients that are not told apart are many.
            turns.held < share || **client == ClientKey::Unknown
        });
        let due = due.filter_map(|(client, turns)| {
            let (since, _) = turns.waiting.front()?;
            Some(((turns.last, *since), *client, turns))
        });
        let (_, client, turns) = due.min_by_key(|(order, ..)| *order)?;
        let (_, sender) = turns.waiting.pop_front()?;
        self.clock += 1;
        turns.last = self.clock;
        turns.held += 1;
        self.free -= 1;
        Some((client, sender))
    }

    fn release(&mut self, client: ClientKey) {
        self.free += 1;
        if let Some(turns) = self.clients.get_mut(&client) {
            turns.held -= 1;
            if !turns.is_there() {
                self.clients.remove(&client);
            }
        }
    }
}

impl ClientTurns {
    fn is_there(&self) -> bool {
        self.held > 0 || !self.waiting.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use tokio::time::Instant;

    fn client(number: u8) -> ClientKey {
        ClientKey::of([10, 0, 0, number].into())
    }

    /// The permit that is there at once.
    async fn at_once(permits: &ClientPermits, number: u8) -> Option<ClientPermit> {
        let begun = Instant::now();
        let permit = permits.acquire(client(number)).await;
        permit.ok().filter(|_| begun.elapsed().is_zero())
    }

    #[tokio::test(start_paused = true)]
    async fn one_client_leaves_permits_for_another() {
        let permits = ClientPermits::new(4, 2);
        let _held = [at_once(&permits, 1).await, at_once(&permits, 1).await];
        assert!(_held.iter().all(Option::is_some));
        let begun = Instant::now();
        assert!(permits.acquire(client(1)).await.is_err());
        assert_eq!(begun.elapsed(), PERMIT_WITHIN);
        assert!(at_once(&permits, 2).await.is_some());
        // Those who cannot be told apart share nothing.
        let unknown = [
            permits.acquire(ClientKey::Unknown).await,
            permits.acquire(ClientKey::Unknown).await,
        ];
        assert!(unknown.iter().all(Result::is_ok));
        assert!(permits.acquire(client(2)).await.is_err(), "all are taken");
        drop(unknown);
        assert!(at_once(&permits, 2).await.is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn who_had_one_longest_ago_is_next() {
        let permits = Arc::new(ClientPermits::new(1, 1));
        let held = at_once(&permits, 1).await.expect("the only one");
        let order = Arc::new(Mutex::new(Vec::new()));
        let mut waiting = Vec::new();
        for number in [1, 1, 1, 2, 2, 3] {
            let (permits, order) = (Arc::clone(&permits), Arc::clone(&order));
            waiting.push(tokio::spawn(async move {
                let permit = permits.acquire(client(number)).await;
                order.lock().expect("no panic").push(number);
                drop(permit);
            }));
            tokio::task::yield_now().await;
        }
        drop(held);
        for task in waiting {
            task.await.expect("a task");
        }
        assert_eq!(*order.lock().expect("no panic"), [2, 3, 1, 2, 1, 1]);
        assert!(lock(&permits.0).clients.is_empty(), "nobody is remembered");
    }

    #[tokio::test(start_paused = true)]
    async fn who_goes_away_is_not_waited_for() {
        let permits = Arc::new(ClientPermits::new(1, 1));
        let held = at_once(&permits, 1).await.expect("the only one");
        for _ in 0..100 {
            let gone = timeout(Duration::ZERO, permits.acquire(client(2)));
            assert!(gone.await.is_err());
        }
        let waiting = lock(&permits.0).clients[&client(2)].waiting.len();
        assert!(waiting <= 1, "{waiting} are remembered");
        drop(held);
        assert!(at_once(&permits, 3).await.is_some());
    }
}
