//! Results of requests by their addresses, in memory for a while: of bounded number, size and age.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use url::Url;

/// How much is kept.
#[derive(Debug, Clone, Copy)]
pub(super) struct KeptBounds {
    pub(super) age: Duration,
    pub(super) count: usize,
    pub(super) bytes: usize,
}

/// A value and the time when it came.
#[derive(Debug)]
struct Kept<T> {
    url: String,
    came: Instant,
    bytes: usize,
    value: T,
}

/// Values by their addresses. The oldest go first.
#[derive(Debug)]
pub struct KeptByUrl<T> {
    bounds: KeptBounds,
    kept: Mutex<VecDeque<Kept<T>>>,
}

impl<T: Clone> KeptByUrl<T> {
    pub(super) fn new(bounds: KeptBounds) -> KeptByUrl<T> {
        KeptByUrl {
            bounds,
            kept: Mutex::default(),
        }
    }

    /// The value of an address, if it came a short while ago.
    pub(super) fn get(&self, url: &Url) -> Option<T> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let found = kept.iter().find(|kept| kept.url == url.as_str())?;
        (found.came.elapsed() < self.bounds.age).then(|| found.value.clone())
    }

    /// Keeps a value of so many bytes in the place of an earlier one.
    pub(super) fn keep(&self, url: &Url, value: T, bytes: usize) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|kept| kept.url != url.as_str());
        kept.push_back(Kept {
            url: url.to_string(),
            came: Instant::now(),
            bytes,
            value,
        });
        let mut all: usize = kept.iter().map(|kept| kept.bytes).sum();
        while kept.len() > self.bounds.count || all > self.bounds.bytes {
            let Some(oldest) = kept.pop_front() else {
                break;
            };
            all -= oldest.bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_make_room() {
        let bounds = KeptBounds {
            age: Duration::from_secs(60),
            count: 3,
            bytes: 100,
        };
        let kept = KeptByUrl::new(bounds);
        let url = |n: usize| Url::parse(&format!("https://a.example/{n}")).expect("an address");
        let there = |kept: &KeptByUrl<usize>| -> Vec<usize> {
            (0..9).filter_map(|n| kept.get(&url(n))).collect()
        };
        for n in 0..4 {
            kept.keep(&url(n), n, 1);
        }
        assert_eq!(there(&kept), [1, 2, 3]);
        kept.keep(&url(1), 1, 98);
        assert_eq!(there(&kept), [1, 2, 3]);
        kept.keep(&url(4), 4, 2);
        assert_eq!(there(&kept), [1, 4]);
        kept.keep(&url(5), 5, 101);
        assert_eq!(there(&kept), [0; 0]);
        let age = Duration::ZERO;
        let old = KeptByUrl::new(KeptBounds { age, ..bounds });
        old.keep(&url(0), 0, 1);
        assert_eq!(old.get(&url(0)), None);
    }
}
