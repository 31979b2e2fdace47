//! The elements that are wanted of a page.

use std::fmt;

/// A necessary condition of the elements that are wanted, with their contents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WantedElement {
    /// Its name; `None` of any.
    pub tag: Option<Box<str>>,
    /// Attributes that it has, each with a part of its value.
    pub attributes: Vec<(Box<str>, Box<str>)>,
    /// The use of the elements.
    pub role: WantedRole,
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
