//! Marks of many entries that can be taken back: the last ones, until the server ends.

use forest_web::token::random_name;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Changes that can be taken back.
const KEPT: usize = 10;

/// The last changes by their names: the keys of the entries that each marked as read.
#[derive(Debug, Default)]
pub struct UndoableMarks(Mutex<VecDeque<(String, Arc<Vec<String>>)>>);

impl UndoableMarks {
    /// Keeps a change; its name, which no other run of the server knows.
    pub fn keep(&self, keys: Vec<String>) -> String {
        let name = random_name();
        let mut changes = self.changes();
        changes.push_back((name.clone(), Arc::new(keys)));
        if changes.len() > KEPT {
            changes.pop_front();
        }
        name
    }

    /// The keys of a change that can be taken back.
    pub fn keys(&self, name: &str) -> Option<Arc<Vec<String>>> {
        let changes = self.changes();
        let found = changes.iter().find(|(known, _)| known == name);
        found.map(|(_, keys)| Arc::clone(keys))
    }

    /// Forgets a change that was taken back.
    pub fn forget(&self, name: &str) {
        self.changes().retain(|(known, _)| known != name);
    }

    fn changes(&self) -> MutexGuard<'_, VecDeque<(String, Arc<Vec<String>>)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_changes_can_be_taken_back() {
        let undo = UndoableMarks::default();
        let keys = |n: usize| vec![format!("a.example/{n}")];
        let names: Vec<String> = (0..=KEPT).map(|n| undo.keep(keys(n))).collect();
        assert_eq!(undo.keys(&names[0]), None, "too long ago");
        assert_eq!(undo.keys(&names[1]).as_deref(), Some(&keys(1)));
        assert_eq!(undo.keys("x"), None);
        undo.forget(&names[1]);
        assert_eq!(undo.keys(&names[1]), None);
        assert!(undo.keys(&names[2]).is_some());
    }
}
