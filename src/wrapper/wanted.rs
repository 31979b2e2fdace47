//! The elements of a page that a wrapper can take something from.

use super::field::WrapperField;
use super::xpath::XPath;
use super::{Matcher, Wrapper};
use crate::page::slice::{WantedElements, WantedRole};

impl Matcher {
    /// Conditions of the elements that the expressions of `wrapper` may select, by names and
    /// attributes; `None` if some ask for more, or if it takes more than an article's text and
    /// fields from a page: a value of its JSON, its shape, links to other pages of the article.
    pub(crate) fn wanted(&self, wrapper: &Wrapper) -> Option<WantedElements> {
        let is_plain = self
            .templates
            .iter()
            .all(|template| template.json.is_none() && !template.of(WrapperField::Body).is_empty());
        if !is_plain || wrapper.next_page.is_some() || wrapper.single_page.is_some() {
            return None;
        }
        let mut wanted = WantedElements::default();
        for template in &self.templates {
            for field in WrapperField::ALL {
                for xpath in template.of(field) {
                    add(xpath, field, &mut wanted)?;
                }
            }
        }
        Some(wanted)
    }
}

fn add(xpath: &XPath, field: WrapperField, wanted: &mut WantedElements) -> Option<()> {
    for subject in xpath.subjects()? {
        wanted.ask_siblings |= subject.asks_siblings;
        let role = match field {
            // A strip outside of the text takes nothing from it.
            WrapperField::Strip => match (subject.asks_text, subject.is_beside) {
                (false, false) => continue,
                (true, false) => WantedRole::NoAncestor,
                // The text may be its sibling.
                (_, true) => WantedRole::Field,
            },
            _ if subject.is_beside => return None,
            WrapperField::Body | WrapperField::Keep => WantedRole::Text,
            _ => WantedRole::Field,
        };
        let one = subject.wanted(role);
        if !wanted.elements.contains(&one) {
            wanted.elements.push(one);
        }
    }
    Some(())
}
