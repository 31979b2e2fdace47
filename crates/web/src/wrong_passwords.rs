//! Wrong passwords, counted by client: who guesses is not heard for a while, and the others are.

use super::clients::ClientKey;
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// The time in which wrong passwords are counted.
pub const WINDOW: Duration = Duration::from_secs(60);

/// Wrong passwords of a client in this time after which none of its is tried.
pub const OF_CLIENT: u32 = 20;

/// Wrong passwords of all clients after which none is tried: for somebody with many addresses. It
/// bounds the table, too.
const OF_ALL: u32 = 300;

/// The wrong passwords of the last minute, from the first one on.
#[derive(Debug)]
pub struct WrongPasswords {
    begun: Instant,
    of_all: u32,
    of_client: HashMap<ClientKey, u32>,
}

impl WrongPasswords {
    pub fn new(now: Instant) -> WrongPasswords {
        WrongPasswords {
            begun: now,
            of_all: 0,
            of_client: HashMap::new(),
        }
    }

    /// True if no password of a client is tried now.
    pub fn are_too_many(&mut self, client: ClientKey, now: Instant) -> bool {
        if now.duration_since(self.begun) >= WINDOW {
            *self = WrongPasswords::new(now);
        }
        let own = self.of_client.get(&client).copied().unwrap_or_default();
        self.of_all >= OF_ALL || own >= OF_CLIENT
    }

    /// Counts a wrong password of a client.
    pub fn add(&mut self, client: ClientKey, now: Instant) {
        if self.of_all == 0 {
            self.begun = now;
        }
        self.of_all = self.of_all.saturating_add(1);
        // Clients that are not told apart are many.
        if client != ClientKey::Unknown {
            *self.of_client.entry(client).or_default() += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(number: u32) -> ClientKey {
        ClientKey::of(std::net::Ipv4Addr::from_bits(number).into())
    }

    #[test]
    fn who_guesses_keeps_out_itself_alone() {
        let begun = Instant::now();
        let mut wrong = WrongPasswords::new(begun);
        let at = |second| begun + Duration::from_secs(second);
        for _ in 0..OF_CLIENT {
            assert!(!wrong.are_too_many(client(1), at(100)));
            wrong.add(client(1), at(100));
        }
        assert!(wrong.are_too_many(client(1), at(101)));
        assert!(!wrong.are_too_many(client(2), at(101)));
        assert!(wrong.are_too_many(client(1), at(159)));
        assert!(
            !wrong.are_too_many(client(1), at(160)),
            "the minute is over"
        );
    }

    #[test]
    fn guesses_from_many_addresses_have_a_bound_and_a_bounded_table() {
        let now = Instant::now();
        let mut wrong = WrongPasswords::new(now);
        let tried = (0..10_000).filter(|number| {
            let is_tried = !wrong.are_too_many(client(*number), now);
            if is_tried {
                wrong.add(client(*number), now);
            }
            is_tried
        });
        assert_eq!(tried.count(), OF_ALL as usize);
        assert_eq!(wrong.of_client.len(), OF_ALL as usize);
    }
}
