//! The names of a page's tags and attributes, interned once.

use html5ever::LocalName;

/// Slots of the cache: a page has some 100 names.
const SLOTS: usize = 1024;

/// A cache before the interning of names, which takes a lock that all threads share.
/// Each name has one slot, so that any number of names cost no more than without it.
pub(super) struct Names {
    slots: Vec<Option<(NameKey, LocalName)>>,
}

impl Default for Names {
    fn default() -> Names {
        Names {
            slots: vec![None; SLOTS],
        }
    }
}

impl Names {
    /// The interned form of `name`, which is in lower case.
    pub fn get(&mut self, name: &str) -> LocalName {
        let key = NameKey::of(name);
        let slot = &mut self.slots[key.slot(SLOTS)];
        match slot {
            Some((known, cached)) if known.is_of(&key, || **cached == *name) => cached.clone(),
            _ => slot.insert((key, LocalName::from(name))).1.clone(),
        }
    }
}

/// A name's length, its first four bytes and its last four: all of a name of up to eight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NameKey {
    ends: u64,
    length: usize,
}

impl NameKey {
    /// The key of a name.
    pub fn of(name: &str) -> NameKey {
        let bytes = name.as_bytes();
        let ends = match (bytes.first_chunk(), bytes.last_chunk()) {
            (Some(first), Some(last)) => {
                u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << 32
            }
            _ => bytes
                .iter()
                .fold(0, |ends, &byte| ends << 8 | u64::from(byte)),
        };
        NameKey {
            ends,
            length: bytes.len(),
        }
    }

    /// True if it is the key of the same name as another, whose middle `is_same` compares.
    pub fn is_of(&self, other: &NameKey, is_same: impl FnOnce() -> bool) -> bool {
        self == other && (self.length <= 8 || is_same())
    }

    /// The slot of the name among a power of two of them.
    pub fn slot(&self, slots: usize) -> usize {
        // The multiplier of Fibonacci hashing, 2^64 by the golden ratio.
        let hash = (self.ends ^ (self.length as u64) << 24).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (hash >> (u64::BITS - slots.ilog2())) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn keys_are_of_one_name(a in "[ab]{0,10}", b in "[ab]{0,10}") {
            let keys = [&a, &b].map(|name| NameKey::of(name));
            prop_assert_eq!(keys[0].is_of(&keys[1], || a == b), a == b);
            prop_assert!(keys[0].slot(SLOTS) < SLOTS);
        }
    }
}
