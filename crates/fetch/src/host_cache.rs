//! A value for each of the latest hosts, kept between two requests to a host.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// A value for each host. The least recently used host is dropped if there are too many.
#[derive(Debug)]
pub(super) struct HostCache<T> {
    most: usize,
    map: Mutex<CacheTable<T>>,
}

#[derive(Debug)]
struct CacheTable<T> {
    hosts: HashMap<String, CachedHost<T>>,
    /// The number of look-ups so far.
    look_ups: u64,
}

#[derive(Debug)]
struct CachedHost<T> {
    value: T,
    /// [`CacheTable::look_ups`] at its last look-up.
    last_used: u64,
}

impl<T: Clone> HostCache<T> {
    pub(super) fn new(most: usize) -> Self {
        HostCache {
            most,
            map: Mutex::new(CacheTable {
                hosts: HashMap::new(),
                look_ups: 0,
            }),
        }
    }

    /// The value for a host, if it is `fit`, or a new one.
    pub(super) fn get<E>(
        &self,
        origin: String,
        fit: impl Fn(&T) -> bool,
        make: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        let mut map = self.map.lock().unwrap_or_else(PoisonError::into_inner);
        map.look_ups += 1;
        let last_used = map.look_ups;
        if let Some(one) = map.hosts.get_mut(&origin).filter(|one| fit(&one.value)) {
            one.last_used = last_used;
            return Ok(one.value.clone());
        }
        let value = make()?;
        let one = CachedHost {
            value: value.clone(),
            last_used,
        };
        map.hosts.insert(origin, one);
        if map.hosts.len() > self.most {
            let oldest = map.hosts.iter().min_by_key(|(_, one)| one.last_used);
            if let Some(oldest) = oldest.map(|(origin, _)| origin.clone()) {
                map.hosts.remove(&oldest);
            }
        }
        Ok(value)
    }

    /// Drops the value for a host.
    pub(super) fn close(&self, origin: &str) {
        let mut map = self.map.lock().unwrap_or_else(PoisonError::into_inner);
        map.hosts.remove(origin);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_recently_used_is_dropped() {
        let kept = HostCache::new(3);
        let is_made = |origin: &str, fit: bool| {
            let mut is_made = false;
            let make = || {
                is_made = true;
                Ok::<_, ()>(())
            };
            assert_eq!(kept.get(origin.to_owned(), |()| fit, make), Ok(()));
            is_made
        };
        for origin in ["a", "b", "c"] {
            assert!(is_made(origin, true));
        }
        assert!(!is_made("a", true));
        assert!(is_made("d", true), "a fourth");
        assert!(!is_made("a", true), "it was asked for since");
        assert!(!is_made("c", true));
        assert!(is_made("b", true), "it went for the fourth");
        assert!(!is_made("c", true), "one goes, not all");
        kept.close("c");
        assert!(is_made("c", true));
        assert!(is_made("c", false), "it does not fit any more");
    }
}
