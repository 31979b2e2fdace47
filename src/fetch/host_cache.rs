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
    asked: u64,
}

#[derive(Debug)]
struct CachedHost<T> {
    thing: T,
    /// [`CacheTable::asked`] when it was asked for last.
    asked: u64,
}

impl<T: Clone> HostCache<T> {
    pub(super) fn new(most: usize) -> Self {
        HostCache {
            most,
            map: Mutex::new(CacheTable {
                hosts: HashMap::new(),
                asked: 0,
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
        map.asked += 1;
        let asked = map.asked;
        if let Some(one) = map.hosts.get_mut(&origin).filter(|one| fit(&one.thing)) {
            one.asked = asked;
            return Ok(one.thing.clone());
        }
        let thing = make()?;
        let one = CachedHost {
            thing: thing.clone(),
            asked,
        };
        map.hosts.insert(origin, one);
        if map.hosts.len() > self.most {
            let oldest = map.hosts.iter().min_by_key(|(_, one)| one.asked);
            if let Some(oldest) = oldest.map(|(origin, _)| origin.clone()) {
                map.hosts.remove(&oldest);
            }
        }
        Ok(thing)
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
    fn what_was_not_asked_for_the_longest_goes() {
        let kept = HostCache::new(3);
        let made = |origin: &str, fit: bool| {
            let mut made = false;
            let make = || {
                made = true;
                Ok::<_, ()>(())
            };
            assert_eq!(kept.get(origin.to_owned(), |()| fit, make), Ok(()));
            made
        };
        for origin in ["a", "b", "c"] {
            assert!(made(origin, true));
        }
        assert!(!made("a", true));
        assert!(made("d", true), "a fourth");
        assert!(!made("a", true), "it was asked for since");
        assert!(!made("c", true));
        assert!(made("b", true), "it went for the fourth");
        assert!(!made("c", true), "one goes, not all");
        kept.close("c");
        assert!(made("c", true));
        assert!(made("c", false), "it does not fit any more");
    }
}
