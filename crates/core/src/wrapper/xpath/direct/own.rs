//! Conditions that a node's attributes or text answer.

use super::searched::{Normalized, is_normalized, is_space};
use forest_html::page::{Kind, NodeId, Page};

/// A condition that a node's attributes or text answer.
#[derive(Debug, Clone)]
pub(super) enum OwnCondition {
    Has(Box<str>),
    Is(Box<str>, Box<str>),
    IsOther(Box<str>, Box<str>),
    StartsWith(Box<str>, Box<str>),
    Contains(Box<str>, Box<str>),
    /// Digits of the attribute's value do not count.
    ContainsWithoutDigits(Box<str>, Box<str>),
    /// The value stands between two spaces.
    SpacedContains(Box<str>, Box<str>),
    Token(Box<str>, Box<str>),
    TokenStart(Box<str>, Box<str>),
    /// The text, its white space normalized.
    Text(Box<str>),
    /// The text as it is.
    ExactText(Box<str>),
    /// The first text node that is a child.
    FirstTextContains(Box<str>),
    /// A text node that is a child.
    ChildText(Box<str>),
}

/// Bytes of white space and words that take a step, of those of the
/// [budget](Page::expression_budget).
const BYTES_A_STEP: u64 = 16;

/// Bytes of white space and words that are looked at without counting.
const LONG_BYTES: usize = 4096;

impl OwnCondition {
    pub fn is_met(&self, page: &Page, n: NodeId) -> bool {
        let value = |name: &str| page.attr(n, name);
        match self {
            OwnCondition::Has(name) => value(name).is_some(),
            OwnCondition::Is(name, text) => value(name) == Some(text),
            OwnCondition::IsOther(name, text) => value(name).is_some_and(|v| v != &**text),
            OwnCondition::StartsWith(name, start) => {
                value(name).is_some_and(|v| v.starts_with(&**start))
            }
            OwnCondition::Contains(name, part) => value(name).is_some_and(|v| v.contains(&**part)),
            OwnCondition::ContainsWithoutDigits(name, part) => value(name).is_some_and(|v| {
                if v.contains(|c: char| c.is_ascii_digit()) {
                    v.replace(|c: char| c.is_ascii_digit(), "")
                        .contains(&**part)
                } else {
                    v.contains(&**part)
                }
            }),
            OwnCondition::SpacedContains(name, part) => {
                format!(" {} ", value(name).unwrap_or_default()).contains(&**part)
            }
            OwnCondition::Token(name, token) => tokens_of(page, n, name).any(|own| own == &**token),
            OwnCondition::TokenStart(name, start) => {
                tokens_of(page, n, name).any(|own| own.starts_with(&**start))
            }
            OwnCondition::Text(text) => {
                let Normalized { is_met, looked_at } = is_normalized(page.text(n), text);
                if looked_at > LONG_BYTES {
                    page.expression_budget()
                        .spend(looked_at as u64 / BYTES_A_STEP);
                }
                is_met
            }
            OwnCondition::ExactText(text) => page.text(n) == &**text,
            OwnCondition::FirstTextContains(part) => {
                let first = child_texts(page, n).next();
                first.is_some_and(|text| text.contains(&**part))
            }
            OwnCondition::ChildText(text) => child_texts(page, n).any(|own| own == &**text),
        }
    }
}

fn child_texts(page: &Page, n: NodeId) -> impl Iterator<Item = &str> {
    let first = NodeId(n.0 + 1);
    let is_template = first < page.end(n) && page.kind(first) == Kind::Fragment;
    let children = page.children(if is_template { first } else { n });
    let texts = children.filter(|&child| page.kind(child) == Kind::Text);
    texts.map(|text| page.text(text))
}

fn tokens_of<'p>(page: &'p Page, n: NodeId, name: &str) -> impl Iterator<Item = &'p str> {
    let value = page.attr(n, name).unwrap_or_default();
    value.split(is_space).filter(|token| !token.is_empty())
}
