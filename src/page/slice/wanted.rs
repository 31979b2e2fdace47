//! The elements that are wanted of a page.

use memchr::{memchr, memmem};
use std::fmt;

/// The elements that are wanted of a page.
#[derive(Debug, Clone, Default)]
pub(crate) struct WantedElements {
    pub elements: Vec<WantedElement>,
    /// A condition asks for siblings, or for the place of an element among them.
    pub ask_siblings: bool,
}

/// Elements that are wanted, with their contents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WantedElement {
    pub condition: ElementCondition,
    /// Conditions each of which an ancestor fits.
    pub within: Vec<ElementCondition>,
    /// The use of the elements.
    pub role: WantedRole,
}

/// A necessary condition of an element.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ElementCondition {
    /// Its name; `None` of any.
    pub tag: Option<Box<str>>,
    /// Attributes that it has.
    pub attributes: Vec<WantedAttribute>,
}

/// A necessary condition of an attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WantedAttribute {
    pub name: Box<str>,
    /// A part of its value.
    pub part: Box<str>,
    /// It is a part once the digits are taken out.
    pub without_digits: bool,
}

impl WantedAttribute {
    /// True if a value as it stands in a source may be such a one.
    pub fn fits(&self, value: &str) -> bool {
        let has = |value: &[u8]| memmem::find(value, self.part.as_bytes()).is_some();
        memchr(b'&', value.as_bytes()).is_some()
            || has(value.as_bytes())
            || self.without_digits
                && has(value.replace(|c: char| c.is_ascii_digit(), "").as_bytes())
    }
}

/// The use of wanted elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WantedRole {
    /// A field.
    Field,
    /// The text: nothing is cut between the first and the last.
    Text,
    /// None; but what holds a text must not be such an element.
    NoAncestor,
}

/// The use of elements that may be bylines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BylineUse {
    /// None: the head names author and day.
    Cut,
    /// The metadata are read from them.
    Kept,
}

/// The reason why nothing is cut from a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Uncut {
    /// The scan cannot be sure of the tree.
    Unsure(&'static str),
    /// Nothing that is wanted as the text is there.
    NoText,
    /// The parser left something out.
    Bounded,
}

impl fmt::Display for Uncut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Uncut::Unsure(why) => write!(f, "its tree is not sure: {why}"),
            Uncut::NoText => f.write_str("no element of the text is there"),
            Uncut::Bounded => f.write_str("the parser left something out"),
        }
    }
}
