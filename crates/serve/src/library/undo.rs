//! Marks of many entries that can be taken back: the last ones, until the server ends.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// Changes that can be taken back.
const KEPT: usize = 10;

/// The last changes: the keys of the entries that each marked as read.
#[derive(Debug, Default)]
pub struct UndoableMarks(Mutex<KeptChanges>);

#[derive(Debug, Default)]
struct KeptChanges {
    count: u64,
    changes: VecDeque<(u64, Arc<Vec<String>>)>,
}

impl UndoableMarks {
    /// Keeps a change; its number.
    pub fn keep(&self, keys: Vec<String>) -> u64 {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.count += 1;
        let number = kept.count;
        kept.changes.push_back((number, Arc::new(keys)));
        if kept.changes.len() > KEPT {
            kept.changes.pop_front();
        }
        number
    }

    /// The keys of a change that can be taken back.
    pub fn keys(&self, number: &str) -> Option<Arc<Vec<String>>> {
        let number: u64 = number.parse().ok()?;
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut changes = kept.changes.iter();
        let found = changes.find(|(known, _)| *known == number);
        found.map(|(_, keys)| Arc::clone(keys))
    }

    /// Forgets a change that was taken back.
    pub fn forget(&self, number: &str) {
        let number = number.parse().ok();
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.changes.retain(|(known, _)| Some(*known) != number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_changes_can_be_taken_back() {
        let undo = UndoableMarks::default();
        let keys = |n: usize| vec![format!("a.example/{n}")];
        let numbers: Vec<String> = (0..=KEPT).map(|n| undo.keep(keys(n)).to_string()).collect();
        assert_eq!(undo.keys(&numbers[0]), None, "too long ago");
        assert_eq!(undo.keys(&numbers[1]).as_deref(), Some(&keys(1)));
        assert_eq!(undo.keys("x"), None);
        undo.forget(&numbers[1]);
        assert_eq!(undo.keys(&numbers[1]), None);
        assert!(undo.keys(&numbers[2]).is_some());
    }
}
