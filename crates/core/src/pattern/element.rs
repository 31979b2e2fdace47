//! Element types: what makes an element of one page the same as one of another.

use forest_html::page::tolerant::tolerant_form;
use forest_html::page::{Dfs, NodeId, Page};
use html5ever::{LocalName, ns};
use std::fmt;

/// Definition 2: the tag, with what identifies the element.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ElementType {
    /// The tag.
    pub tag: LocalName,
    /// Its attributes, or its place.
    pub identity: TypeIdentity,
}

/// The identity of an element beside its tag.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum TypeIdentity {
    /// Attribute names with their values, in tolerant form, by name.
    Attributes(Vec<(LocalName, Box<str>)>),
    /// The dfs index of an element without attributes.
    Dfs(Dfs),
}

impl ElementType {
    /// The type of element `n`; `tolerant` takes attribute values in tolerant form.
    ///
    /// # Panics
    ///
    /// If `n` is no content element.
    pub fn of(page: &Page, n: NodeId, tolerant: bool) -> ElementType {
        let name = page.name(n).expect("only elements have a type");
        let mut attributes: Vec<(LocalName, Box<str>)> = page
            .attrs(n)
            .filter(|(name, _)| name.ns == ns!() && is_plain_name(&name.local))
            .map(|(name, value)| {
                let value = if tolerant {
                    tolerant_form(value).into()
                } else {
                    value.into()
                };
                (name.local.clone(), value)
            })
            .collect();
        attributes.sort();
        let identity = if attributes.is_empty() {
            TypeIdentity::Dfs(page.dfs(n).expect("only content elements have a type"))
        } else {
            TypeIdentity::Attributes(attributes)
        };
        ElementType {
            tag: name.local.clone(),
            identity,
        }
    }

    /// The value of an attribute of the type, in its form.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        match &self.identity {
            TypeIdentity::Attributes(attributes) => attributes
                .iter()
                .find(|(n, _)| **n == *name)
                .map(|(_, value)| &**value),
            TypeIdentity::Dfs(_) => None,
        }
    }
}

/// As figure 3 shows it: `//div[@class='story']`, `//p[@dfs=98]`.
impl fmt::Display for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "//{}[", self.tag)?;
        match &self.identity {
            TypeIdentity::Dfs(dfs) => write!(f, "@dfs={}", dfs.0)?,
            TypeIdentity::Attributes(attributes) => {
                for (i, (name, value)) in attributes.iter().enumerate() {
                    let and = if i > 0 { " and " } else { "" };
                    write!(f, "{and}@{name}='{value}'")?;
                }
            }
        }
        f.write_str("]")
    }
}

/// True if the name of an element or attribute is one that XPath can say without a
/// prefix: `o:p` is none.
pub fn is_plain_name(name: &str) -> bool {
    let mut chars = name.chars();
    let starts = |c: char| c.is_ascii_alphabetic() || c == '_';
    chars.next().is_some_and(starts)
        && chars.all(|c| starts(c) || c.is_ascii_digit() || c == '-' || c == '.')
        && name != "xmlns"
}
