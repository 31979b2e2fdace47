//! The attributes of a tag that decide, as they stand in the source.

use super::wanted::{ElementCondition, WantedAttribute};

/// The attributes that are read on any page, by their numbers.
const READ: [&str; 8] = [
    "class", "id", "href", "rel", "itemprop", "type", "datetime", "pubdate",
];

/// The number of an attribute among those that are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct AttributeNumber(u8);

pub(super) const CLASS: AttributeNumber = AttributeNumber(0);
pub(super) const ID: AttributeNumber = AttributeNumber(1);
pub(super) const HREF: AttributeNumber = AttributeNumber(2);
pub(super) const REL: AttributeNumber = AttributeNumber(3);
pub(super) const ITEMPROP: AttributeNumber = AttributeNumber(4);
pub(super) const TYPE: AttributeNumber = AttributeNumber(5);
pub(super) const DATETIME: AttributeNumber = AttributeNumber(6);
pub(super) const PUBDATE: AttributeNumber = AttributeNumber(7);

impl AttributeNumber {
    fn bit(self) -> u64 {
        1 << self.0
    }
}

/// The attributes of a tag that are asked for; of two with one name the first, as in the tree.
#[derive(Debug)]
pub(super) struct TagAttributes<'s> {
    names: Vec<&'s str>,
    values: Vec<&'s str>,
    /// The bits of the numbers that the tag has.
    given: u64,
    /// The [groups](Self::group) of the names.
    groups: u64,
}

impl<'s> TagAttributes<'s> {
    /// Asks for these names as well as for those that are read on any page; for 64 at most.
    pub fn asked(names: impl IntoIterator<Item = &'s str>) -> TagAttributes<'s> {
        let mut attributes = TagAttributes {
            names: READ.to_vec(),
            values: Vec::new(),
            given: 0,
            groups: 0,
        };
        for name in names {
            if attributes.number(name).is_none() && attributes.names.len() < u64::BITS as usize {
                attributes.names.push(name);
            }
        }
        attributes.values = vec![""; attributes.names.len()];
        let groups = attributes.names.iter().map(|name| Self::group(name));
        attributes.groups = groups.fold(0, |groups, group| groups | group);
        attributes
    }

    /// A bit for the names of this length and first letter.
    fn group(name: &str) -> u64 {
        let first = name.bytes().next().unwrap_or_default().to_ascii_lowercase();
        1 << ((usize::from(first) + 7 * name.len()) % u64::BITS as usize)
    }

    fn number(&self, name: &str) -> Option<AttributeNumber> {
        let mut names = self.names.iter();
        let at = names.position(|own| own.eq_ignore_ascii_case(name))?;
        Some(AttributeNumber(at as u8))
    }

    /// The next tag begins.
    pub fn clear(&mut self) {
        self.given = 0;
    }

    pub fn add(&mut self, name: &str, value: &'s str) {
        if self.groups & Self::group(name) != 0
            && let Some(number) = self.number(name)
            && self.given & number.bit() == 0
        {
            self.given |= number.bit();
            self.values[usize::from(number.0)] = value;
        }
    }

    pub fn get(&self, number: AttributeNumber) -> Option<&'s str> {
        (self.given & number.bit() != 0).then(|| self.values[usize::from(number.0)])
    }

    /// The condition of an element's attributes. Those that are not asked for fit always.
    pub fn condition(&self, condition: &'s ElementCondition) -> AttributeCondition<'s> {
        let numbered = condition.attributes.iter();
        let numbered = numbered.filter_map(|one| Some((self.number(&one.name)?, one)));
        let parts: Vec<_> = numbered.collect();
        AttributeCondition {
            needed: parts
                .iter()
                .fold(0, |bits, (number, _)| bits | number.bit()),
            parts: parts
                .into_iter()
                .filter(|(_, one)| !one.part.is_empty())
                .collect(),
        }
    }
}

/// A necessary condition of the attributes of a tag.
#[derive(Debug)]
pub(super) struct AttributeCondition<'s> {
    /// The bits of the attributes that the tag has.
    needed: u64,
    /// Those of which it has a part.
    parts: Vec<(AttributeNumber, &'s WantedAttribute)>,
}

impl AttributeCondition<'_> {
    pub fn fits(&self, tag: &TagAttributes<'_>) -> bool {
        let has = |(number, wanted): &(AttributeNumber, &WantedAttribute)| {
            tag.get(*number).is_some_and(|value| wanted.fits(value))
        };
        tag.given & self.needed == self.needed && self.parts.iter().all(has)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_a_name_counts_in_any_case() {
        let mut tag = TagAttributes::asked(["data-x", "CLASS"]);
        tag.add("CLASS", "a");
        tag.add("class", "b");
        tag.add("Data-X", "c");
        tag.add("data-y", "d");
        assert_eq!(tag.get(CLASS), Some("a"));
        assert_eq!(tag.get(HREF), None);
        let number = tag.number("data-x").expect("it is asked for");
        assert_eq!(tag.get(number), Some("c"));
        tag.clear();
        assert_eq!((tag.get(CLASS), tag.get(number)), (None, None));
    }

    #[test]
    fn conditions_hold_of_what_the_tag_has() {
        let attribute = |name: &str, part: &str| WantedAttribute {
            name: name.into(),
            part: part.into(),
            without_digits: false,
        };
        let wanted = ElementCondition {
            tag: None,
            attributes: vec![attribute("class", "story"), attribute("data-x", "")],
        };
        let mut tag = TagAttributes::asked(["data-x"]);
        let condition = tag.condition(&wanted);
        tag.add("class", "a story");
        assert!(!condition.fits(&tag));
        tag.add("data-x", "");
        assert!(condition.fits(&tag));
        tag.clear();
        tag.add("class", "a");
        tag.add("data-x", "");
        assert!(!condition.fits(&tag));
        // What nobody asks for cannot be missed.
        let none = TagAttributes::asked([]);
        let wanted = ElementCondition {
            tag: None,
            attributes: vec![attribute("data-x", "y")],
        };
        assert!(none.condition(&wanted).fits(&none));
    }
}
