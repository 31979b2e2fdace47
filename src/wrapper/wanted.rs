//! The elements of a page that a wrapper can take something from.

use super::Matcher;
use super::field::WrapperField;
use super::xpath::XPath;
use crate::page::slice::{WantedElements, WantedRole};

impl Matcher {
    /// Conditions of the elements that the wrapper's expressions may select, by names and
    /// attributes; `None` if some ask for more, or if it takes more than an article's text,
    /// fields and links to its other pages from a page: a value of its JSON, its shape.
    pub(crate) fn wanted(&self) -> Option<WantedElements> {
        let is_plain = self
            .templates
            .iter()
            .all(|template| template.json.is_none() && !template.of(WrapperField::Body).is_empty());
        if !is_plain {
            return None;
        }
        let mut wanted = WantedElements::default();
        for template in &self.templates {
            for field in WrapperField::ALL {
                for xpath in template.of(field) {
                    add(xpath, Some(field), &mut wanted)?;
                }
            }
        }
        for link in self.next_page().into_iter().chain(self.single_page()) {
            add(link, None, &mut wanted)?;
        }
        Some(wanted)
    }
}

/// `field` is `None` of the links between pages.
fn add(xpath: &XPath, field: Option<WrapperField>, wanted: &mut WantedElements) -> Option<()> {
    for subject in xpath.subjects()? {
        wanted.ask_siblings |= subject.asks_siblings;
        let role = match field {
            // A strip outside of the text takes nothing from it.
            Some(WrapperField::Strip) => match (subject.asks_text, subject.is_beside) {
                (false, false) => continue,
                (true, false) => WantedRole::NoAncestor,
                // The text may be its sibling.
                (_, true) => WantedRole::Field,
            },
            _ if subject.is_beside => return None,
            Some(WrapperField::Body | WrapperField::Keep) => WantedRole::Text,
            _ => WantedRole::Field,
        };
        let one = subject.wanted(role);
        if !wanted.elements.contains(&one) {
            wanted.elements.push(one);
        }
    }
    Some(())
}
