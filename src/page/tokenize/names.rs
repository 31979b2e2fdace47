//! The names of a page's tags and attributes, interned once.

use html5ever::LocalName;

/// Slots of the cache: a page has some 100 names.
const SLOTS: usize = 1024;

/// A cache before the interning of names, which takes a lock that all threads share.
/// Each name has one slot, so that any number of names cost no more than without it.
pub(super) struct Names {
    slots: Vec<Option<LocalName>>,
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
        let slot = &mut self.slots[name_slot(name.as_bytes(), SLOTS)];
        match slot {
            Some(cached) if **cached == *name => cached.clone(),
            _ => slot.insert(LocalName::from(name)).clone(),
        }
    }
}

/// The slot of a name among a power of two of them.
pub fn name_slot(name: &[u8], slots: usize) -> usize {
    let mut hash = name.len() as u32;
    for &byte in name {
        hash = hash.rotate_left(5) ^ u32::from(byte);
    }
    // The multiplier of Fibonacci hashing, 2^32 by the golden ratio.
    (hash.wrapping_mul(0x9e37_79b9) >> (u32::BITS - slots.ilog2())) as usize
}
