//! The places of connections. An address has a bound of its own, and a connection of which no
//! request was let in yet, by a password or for want of one, has a place among strangers: when
//! these are all taken, the one that came first leaves for the next. So strangers keep out
//! nobody, whatever they send or do not send.

use super::clients::ClientKey;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

/// Places for connections of which no request was let in yet.
const STRANGERS: usize = 1_536;

/// Places for the others.
const LET_IN: usize = 2_560;

/// Connections of one client.
const OF_CLIENT: usize = 64;

/// Connections of this machine's own address, from which a reverse proxy makes those of all its
/// clients.
const OF_THIS_MACHINE: usize = 1_024;

/// All places of a server.
#[derive(Clone)]
pub struct ConnectionPlaces {
    table: Arc<Mutex<PlaceTable>>,
    let_in: Arc<Semaphore>,
}

impl fmt::Debug for ConnectionPlaces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ConnectionPlaces")
            .field(&self.let_in)
            .finish()
    }
}

/// Who has a place.
#[derive(Default)]
struct PlaceTable {
    of_client: HashMap<ClientKey, usize>,
    /// By the order in which they came.
    strangers: BTreeMap<u64, Arc<Notify>>,
    came: u64,
}

/// The place of a connection, until it is dropped. It goes with its requests, so that a tunnel
/// has it for as long as it is open.
pub struct ConnectionPlace {
    places: ConnectionPlaces,
    client: ClientKey,
    number: u64,
    leaves: Arc<Notify>,
    let_in: OnceLock<OwnedSemaphorePermit>,
}

impl ConnectionPlaces {
    pub fn new() -> ConnectionPlaces {
        ConnectionPlaces {
            table: Arc::default(),
            let_in: Arc::new(Semaphore::new(LET_IN)),
        }
    }

    /// A place for a connection from an address; `None` if that has as many as it may.
    pub fn take(&self, ip: IpAddr) -> Option<ConnectionPlace> {
        let client = ClientKey::of(ip);
        let mut table = lock(&self.table);
        let count = table.of_client.entry(client).or_default();
        if *count >= bound_of(ip.to_canonical()) {
            return None;
        }
        *count += 1;
        if table.strangers.len() >= STRANGERS
            && let Some((_, first)) = table.strangers.pop_first()
        {
            first.notify_one();
        }
        table.came += 1;
        let (number, leaves) = (table.came, Arc::new(Notify::new()));
        table.strangers.insert(number, Arc::clone(&leaves));
        Some(ConnectionPlace {
            places: self.clone(),
            client,
            number,
            leaves,
            let_in: OnceLock::new(),
        })
    }
}

fn bound_of(ip: IpAddr) -> usize {
    match ip {
        IpAddr::V4(Ipv4Addr::LOCALHOST) | IpAddr::V6(Ipv6Addr::LOCALHOST) => OF_THIS_MACHINE,
        _ => OF_CLIENT,
    }
}

fn lock(table: &Mutex<PlaceTable>) -> MutexGuard<'_, PlaceTable> {
    table.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ConnectionPlace {
    /// A request of the connection was let in: it is no stranger's any more, if there is room.
    pub fn let_in(&self) {
        if self.let_in.get().is_some() {
            return;
        }
        let Ok(permit) = Arc::clone(&self.places.let_in).try_acquire_owned() else {
            return;
        };
        // One that has to leave stays one.
        if lock(&self.places.table)
            .strangers
            .remove(&self.number)
            .is_some()
        {
            let _ = self.let_in.set(permit);
        }
    }

    /// Ends when the connection has to leave for another.
    pub async fn has_to_leave(&self) {
        self.leaves.notified().await;
    }
}

impl Drop for ConnectionPlace {
    fn drop(&mut self) {
        let mut table = lock(&self.places.table);
        table.strangers.remove(&self.number);
        if let Some(count) = table.of_client.get_mut(&self.client) {
            *count -= 1;
            if *count == 0 {
                table.of_client.remove(&self.client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ip(number: usize) -> IpAddr {
        let [.., high, low] = number.to_be_bytes();
        [10, 0, high, low].into()
    }

    fn has_to_leave(place: &ConnectionPlace) -> bool {
        let mut leaves = std::pin::pin!(place.has_to_leave());
        let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
        leaves.as_mut().poll(&mut cx).is_ready()
    }

    #[test]
    fn an_address_has_a_bound_of_its_own() {
        let places = ConnectionPlaces::new();
        let taken: Vec<_> = (0..OF_CLIENT).map(|_| places.take(ip(1))).collect();
        assert!(taken.iter().all(Option::is_some));
        assert!(places.take(ip(1)).is_none());
        assert!(places.take(ip(2)).is_some());
        drop(taken);
        assert!(places.take(ip(1)).is_some());
        assert!(lock(&places.table).of_client.is_empty());
        // One network of IPv6 is one client.
        let of_network = |host: u16| Ipv6Addr::new(0x2001, 0xdb8, 0, 1, 0, 0, 0, host).into();
        let taken: Vec<_> = (0..100).map(|host| places.take(of_network(host))).collect();
        assert_eq!(taken.iter().flatten().count(), OF_CLIENT);
        // A reverse proxy of this machine has the connections of all its clients.
        for own in [Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()] {
            let taken: Vec<_> = (0..OF_THIS_MACHINE).map(|_| places.take(own)).collect();
            assert!(taken.iter().all(Option::is_some));
            assert!(places.take(own).is_none());
        }
    }

    #[test]
    fn the_first_of_the_strangers_leaves_for_the_next() {
        let places = ConnectionPlaces::new();
        let known = places.take(ip(0)).expect("a place");
        known.let_in();
        let strangers: Vec<_> = (1..=STRANGERS)
            .map(|number| places.take(ip(number)).expect("a place"))
            .collect();
        assert!(!strangers.iter().any(has_to_leave));
        let next = places.take(ip(STRANGERS + 1)).expect("a place");
        assert!(has_to_leave(&strangers[0]));
        assert!(!has_to_leave(&strangers[1]) && !has_to_leave(&next) && !has_to_leave(&known));
        strangers[1].let_in();
        let another = places.take(ip(STRANGERS + 2)).expect("a place");
        assert!(!strangers.iter().any(has_to_leave), "there was room");
        drop((strangers, known, next, another));
        assert_eq!(places.let_in.available_permits(), LET_IN);
        assert!(lock(&places.table).strangers.is_empty());
    }
}
