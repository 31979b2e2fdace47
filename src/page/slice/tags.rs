//! The names of tags: how the tree builder treats a tag of a name, and which conditions it may
//! fit.

use super::attributes::{AttributeCondition, TagAttributes};
use super::kind::ElementKind as E;
use super::wanted::{ElementCondition, WantedElements, WantedRole};
use crate::page::tokenize::NameKey;

/// Slots of the cache: a page has some 50 names.
const SLOTS: usize = 256;

/// An element that is wanted.
#[derive(Debug)]
struct WantedTag<'s> {
    name: Option<&'s str>,
    attributes: AttributeCondition<'s>,
    /// The conditions of ancestors, a bit each.
    within: u64,
    role: WantedRole,
}

/// A condition that ancestors of wanted elements fit.
#[derive(Debug)]
struct AncestorTag<'s> {
    name: Option<&'s str>,
    attributes: AttributeCondition<'s>,
    bit: u64,
}

/// A name as it stands in a source.
#[derive(Debug)]
struct TagName<'s> {
    key: NameKey,
    name: &'s str,
    kind: E,
    /// Indices of the wanted elements that it may be.
    wanted: Vec<u32>,
    /// Indices of the conditions of ancestors that it may fit.
    ancestors: Vec<u32>,
}

/// The names of a page's tags.
#[derive(Debug)]
pub(super) struct TagNames<'s> {
    wanted: Vec<WantedTag<'s>>,
    ancestors: Vec<AncestorTag<'s>>,
    slots: Vec<Option<u32>>,
    known: Vec<TagName<'s>>,
}

/// A name that was looked up; the next may take its place.
#[derive(Debug, Clone, Copy)]
pub(super) struct KnownTag {
    at: u32,
    pub kind: E,
}

impl<'s> TagNames<'s> {
    /// The names of the tags of a page of which these elements are wanted.
    pub fn of(wanted: &'s WantedElements, attributes: &TagAttributes<'s>) -> TagNames<'s> {
        let mut conditions: Vec<&ElementCondition> = Vec::new();
        let mut bit_of = |condition| {
            let known = conditions.iter().position(|one| *one == condition);
            let at = known.unwrap_or_else(|| {
                conditions.push(condition);
                conditions.len() - 1
            });
            1_u64.checked_shl(at as u32).unwrap_or_default()
        };
        let wanted = wanted.elements.iter().map(|one| {
            let within = one.within.iter().filter(|c| is_as_written(c));
            WantedTag {
                name: one.condition.tag.as_deref(),
                attributes: attributes.condition(&one.condition),
                within: within.fold(0, |bits, c| bits | bit_of(c)),
                role: one.role,
            }
        });
        let wanted = wanted.collect();
        let ancestors = conditions.into_iter().take(u64::BITS as usize).enumerate();
        let ancestors = ancestors.map(|(at, condition)| AncestorTag {
            name: condition.tag.as_deref(),
            attributes: attributes.condition(condition),
            bit: 1 << at,
        });
        TagNames {
            wanted,
            ancestors: ancestors.collect(),
            slots: vec![None; SLOTS],
            known: Vec::new(),
        }
    }

    /// Looks a name up.
    pub fn get(&mut self, name: &'s str) -> KnownTag {
        let key = NameKey::of(name);
        let slot = key.slot(SLOTS);
        let is_it = |known: &TagName<'_>| known.key.is_of(&key, || known.name == name);
        let at = match self.slots[slot] {
            Some(at) if is_it(&self.known[at as usize]) => at,
            Some(at) => {
                self.known[at as usize] = self.read(name);
                at
            }
            None => {
                let at = self.known.len() as u32;
                self.known.push(self.read(name));
                *self.slots[slot].insert(at)
            }
        };
        KnownTag {
            at,
            kind: self.known[at as usize].kind,
        }
    }

    fn read(&self, name: &'s str) -> TagName<'s> {
        let is_it = |own: Option<&str>| own.is_none_or(|own| own.eq_ignore_ascii_case(name));
        let indices = |fits: &mut dyn Iterator<Item = bool>| {
            let fitting = fits.enumerate().filter(|(_, fits)| *fits);
            fitting.map(|(at, _)| at as u32).collect()
        };
        TagName {
            key: NameKey::of(name),
            name,
            kind: E::of(&name.to_ascii_lowercase()),
            wanted: indices(&mut self.wanted.iter().map(|one| is_it(one.name))),
            ancestors: indices(&mut self.ancestors.iter().map(|one| is_it(one.name))),
        }
    }

    /// The first role in which a tag is wanted, text before fields; `within` are the conditions
    /// that the elements around it fit.
    pub fn role(
        &self,
        tag: KnownTag,
        attributes: &TagAttributes<'_>,
        within: u64,
    ) -> Option<WantedRole> {
        let mut role = None;
        for &at in &self.known[tag.at as usize].wanted {
            let one = &self.wanted[at as usize];
            if within & one.within != one.within || !one.attributes.fits(attributes) {
                continue;
            }
            match one.role {
                WantedRole::Text => return Some(WantedRole::Text),
                WantedRole::Field => role = Some(WantedRole::Field),
                WantedRole::NoAncestor => role = role.or(Some(WantedRole::NoAncestor)),
            }
        }
        role
    }

    /// The conditions of ancestors that a tag fits, a bit each.
    pub fn conditions(&self, tag: KnownTag, attributes: &TagAttributes<'_>) -> u64 {
        let of_name = self.known[tag.at as usize].ancestors.iter();
        let of_name = of_name.map(|&at| &self.ancestors[at as usize]);
        let fitting = of_name.filter(|one| one.attributes.fits(attributes));
        fitting.fold(0, |bits, one| bits | one.bit)
    }
}

/// True of a condition of an ancestor that the open elements show.
fn is_as_written(condition: &ElementCondition) -> bool {
    let tag = condition.tag.as_deref();
    tag.is_some_and(|tag| E::of(&tag.to_ascii_lowercase()).is_ancestor_as_written())
}
