//! Names of elements, as expressions.

use super::field::ArticleField;
use crate::wrapper::expression::literal;
use forest_html::page::{NodeId, Page};
use html5ever::{local_name, ns};

/// Bytes of a class token, an id and the like that may stand in an expression.
const MAX_TOKEN_BYTES: usize = 60;

/// Tokens of one attribute that are looked at.
const MAX_TOKENS: usize = 8;

/// A name of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(in crate::learn) enum StepName<'p> {
    /// By its tag alone.
    Tag,
    /// By a token of an attribute that lists them: `class`, `rel`, `itemprop`.
    Token(&'static str, &'p str),
    /// By an attribute's value: `id`, and of a `meta` its `property` or `name`.
    Value(&'static str, &'p str),
}

/// A tag and a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(in crate::learn) struct FieldStep<'p> {
    pub tag: &'p str,
    pub name: StepName<'p>,
}

/// An expression: elements, perhaps below others, and what of them is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(in crate::learn) struct FieldSelector<'p> {
    pub outer: Option<FieldStep<'p>>,
    pub inner: FieldStep<'p>,
    /// The attribute that holds the value; `None`: the text.
    pub attr: Option<&'static str>,
}

impl<'p> FieldStep<'p> {
    /// The element by its tag, then by each of its names that is likely to last.
    pub fn all(page: &'p Page, n: NodeId) -> Vec<FieldStep<'p>> {
        let Some(tag) = page.tag(n).map(|tag| &**tag) else {
            return Vec::new();
        };
        if !tag.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-') {
            return Vec::new();
        }
        let lasting = names(page, n).filter(|name| match name {
            StepName::Tag => true,
            StepName::Token(_, name) | StepName::Value(_, name) => is_lasting(name),
        });
        let names = [StepName::Tag].into_iter().chain(lasting);
        names.map(|name| FieldStep { tag, name }).collect()
    }

    /// True if it is more than a tag of no meaning.
    pub fn is_name(&self) -> bool {
        self.name != StepName::Tag
            || matches!(self.tag, "article" | "header" | "main" | "time" | "h1")
    }

    fn xpath(&self, out: &mut String) {
        out.push_str("//");
        out.push_str(&self.step());
    }

    /// The tag and its condition, without an axis.
    pub fn step(&self) -> String {
        let condition = match self.name {
            StepName::Tag => return self.tag.to_owned(),
            StepName::Value(attr, value) => format!("@{attr}={}", literal(value)),
            StepName::Token(attr, token) => {
                let token = literal(&format!(" {token} "));
                format!("contains(concat(' ',normalize-space(@{attr}),' '),{token})")
            }
        };
        format!("{}[{condition}]", self.tag)
    }

    /// True if the name of an element says that it is the field.
    pub fn names(&self, field: ArticleField) -> bool {
        self.name != StepName::Tag && self.rank(field) <= 1
    }

    /// The rank as a name of the field, the best 0.
    fn rank(&self, field: ArticleField) -> u8 {
        let roles: &[&str] = match field {
            ArticleField::Title => &["title", "headline", "heading"],
            ArticleField::Author => &["author", "byline", "writer", "fn", "creator", "by"],
            ArticleField::Date => &["date", "time", "published", "posted", "pubdate"],
            ArticleField::Tags => &["tag", "categor", "topic", "keyword", "label"],
        };
        let names_it = |token: &str| {
            let token = token.to_ascii_lowercase();
            roles.iter().any(|role| match role.len() {
                0..=2 => token == *role,
                _ => token.contains(role),
            })
        };
        let tag = match field {
            ArticleField::Title => self.tag == "h1",
            ArticleField::Date => self.tag == "time",
            _ => false,
        };
        match self.name {
            StepName::Token("itemprop" | "rel", token) if names_it(token) => 0,
            StepName::Token(_, token) | StepName::Value(_, token) if names_it(token) => 1,
            _ if tag => 2,
            StepName::Token(..) | StepName::Value(..) => 3,
            StepName::Tag => 4,
        }
    }
}

impl FieldSelector<'_> {
    /// As XPath.
    pub fn xpath(&self) -> String {
        let mut out = String::new();
        if let Some(outer) = &self.outer {
            outer.xpath(&mut out);
        }
        self.inner.xpath(&mut out);
        if let Some(attr) = self.attr {
            out.push_str("/@");
            out.push_str(attr);
        }
        out
    }

    /// The rank as a name of the field: the lower, the longer it is likely to live.
    pub(super) fn rank(&self, field: ArticleField) -> u8 {
        let inner = self.inner.rank(field);
        self.outer.map_or(inner, |outer| {
            inner.min(outer.rank(field)) + u8::from(inner > 2)
        })
    }
}

/// The names of an element beside its tag, lasting or not.
pub(super) fn names(page: &Page, n: NodeId) -> impl Iterator<Item = StepName<'_>> {
    let is_meta = page.is(n, &local_name!("meta"));
    page.attrs(n)
        .filter(|(attr, _)| attr.ns == ns!())
        .flat_map(move |(attr, value)| {
            let (list, one) = match attr.local {
                local_name!("class") => (Some("class"), None),
                local_name!("rel") => (Some("rel"), None),
                local_name!("itemprop") => (Some("itemprop"), None),
                local_name!("property") if is_meta => (None, Some("property")),
                local_name!("name") if is_meta => (None, Some("name")),
                local_name!("id") if !is_meta => (None, Some("id")),
                _ => (None, None),
            };
            let tokens = list.into_iter().flat_map(move |attr| {
                let tokens = value.split_ascii_whitespace().take(MAX_TOKENS);
                tokens.map(move |token| StepName::Token(attr, token))
            });
            tokens.chain(one.map(|attr| StepName::Value(attr, value)))
        })
}

/// True if a name is likely to be there tomorrow and on the next page: no number
/// of an article, no hash, no utility of a style sheet.
fn is_lasting(name: &str) -> bool {
    let bytes = name.as_bytes();
    let digit_run = bytes.chunk_by(|a, b| a.is_ascii_digit() == b.is_ascii_digit());
    let longest = digit_run
        .filter(|run| run[0].is_ascii_digit())
        .map(<[u8]>::len)
        .max();
    let turns = bytes
        .windows(2)
        .filter(|pair| pair[0].is_ascii_digit() != pair[1].is_ascii_digit());
    (2..=MAX_TOKEN_BYTES).contains(&bytes.len())
        && longest.unwrap_or(0) < 3
        && turns.count() < 3
        && !bytes.iter().any(|&b| b"[]/\\%{}'\" \t\n".contains(&b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_last() {
        for name in ["entry-title", "h2", "col-md-8", "articleAuthor", "og:title"] {
            assert!(is_lasting(name), "{name}");
        }
        for name in [
            "post-1234",
            "x",
            "css-1a2b3c",
            "w-[640px]",
            "a b",
            &"long".repeat(20),
        ] {
            assert!(!is_lasting(name), "{name}");
        }
    }

    #[test]
    fn a_role_ranks_before_a_tag_and_a_tag_before_any_name() {
        let step = |tag, name| FieldStep { tag, name };
        let rank = |step: FieldStep<'_>| step.rank(ArticleField::Title);
        let ranks = [
            rank(step("h2", StepName::Token("itemprop", "headline"))),
            rank(step("h2", StepName::Token("class", "post-title"))),
            rank(step("h1", StepName::Tag)),
            rank(step("h2", StepName::Token("class", "big"))),
            rank(step("h2", StepName::Tag)),
        ];
        assert!(ranks.is_sorted_by(|a, b| a < b), "{ranks:?}");
    }
}
