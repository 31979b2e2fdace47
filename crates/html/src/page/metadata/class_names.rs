//! The words of an element's class and id.

use super::super::{NodeId, Page};
use foldhash::HashMap;
use html5ever::{QualName, local_name, ns};

/// Beginnings of classes and ids of blocks that name authors of something else.
const ASIDE: [&str; 9] = [
    "comment",
    "respond",
    "reply",
    "replies",
    "related",
    "sidebar",
    "widget",
    "recent",
    "recommended",
];

/// Tokens of a class or an id that are read.
const MAX_TOKENS: usize = 8;

/// Values of classes and ids that there is room for at first: a page has some 100.
pub(super) const VALUES: usize = 128;

/// The values of an element's class and id.
pub(super) fn name_values(page: &Page, n: NodeId) -> impl Iterator<Item = &str> {
    let named = page.attr_range(n).iter().filter(|attr| {
        let QualName { ns, local, .. } = &attr.name;
        matches!(*local, local_name!("class") | local_name!("id")) && *ns == ns!()
    });
    named.map(|attr| page.value(attr))
}

/// The tokens of a class or an id.
pub(super) fn tokens(value: &str) -> impl Iterator<Item = &str> {
    value.split_ascii_whitespace().take(MAX_TOKENS)
}

/// The tokens of an element's class and id.
pub(super) fn name_tokens(page: &Page, n: NodeId) -> impl Iterator<Item = &str> {
    name_values(page, n).flat_map(tokens)
}

/// The meaning of an element's class and id.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ClassMeaning {
    /// It begins as those of blocks that name authors of something else.
    pub is_aside: bool,
    /// It has one of the words that the reader looks for.
    pub is_named: bool,
}

/// Reads the classes and ids of a page: many of its elements have the same.
#[derive(Debug)]
pub(super) struct ClassReader<'a> {
    words: &'static [&'static [&'static str]],
    known: HashMap<&'a str, ClassMeaning>,
}

impl<'a> ClassReader<'a> {
    /// A reader that looks for some words.
    pub fn of(words: &'static [&'static [&'static str]]) -> ClassReader<'a> {
        ClassReader {
            words,
            known: HashMap::with_capacity_and_hasher(VALUES, Default::default()),
        }
    }

    pub fn read(&mut self, page: &'a Page, n: NodeId) -> ClassMeaning {
        let mut meaning = ClassMeaning::default();
        for value in name_values(page, n) {
            let of_value = *self.known.entry(value).or_insert_with(|| ClassMeaning {
                is_aside: tokens(value).any(begins_aside),
                is_named: tokens(value).any(|token| has_word(token, self.words)),
            });
            meaning.is_aside |= of_value.is_aside;
            meaning.is_named |= of_value.is_named;
        }
        meaning.is_aside &= !holds_article(page, n);
        meaning
    }
}

/// True if a token has a word of one of these lists in it.
pub(super) fn has_word(token: &str, lists: &[&[&str]]) -> bool {
    let words = lists.iter().copied().flatten();
    words_of(token).any(|part| {
        let mut words = words.clone();
        words.any(|word| part.eq_ignore_ascii_case(word.as_bytes()))
    })
}

/// The runs of letters and digits of a token, and of `postAuthorName` `post`, `Author`, `Name`.
fn words_of(token: &str) -> impl Iterator<Item = &[u8]> {
    let mut rest = token.as_bytes();
    std::iter::from_fn(move || {
        let start = rest.iter().position(u8::is_ascii_alphanumeric)?;
        let run = &rest[start..];
        let mut before = 0_u8;
        let ends = |&byte: &u8| {
            let is_next = before.is_ascii_lowercase() && byte.is_ascii_uppercase();
            before = byte;
            is_next || !byte.is_ascii_alphanumeric()
        };
        let (word, behind) = run.split_at(run.iter().position(ends).unwrap_or(run.len()));
        rest = behind;
        Some(word)
    })
}

/// True if a token has a word of `words` in it and none of `spoiling`, which are parted by
/// spaces.
pub(super) fn is_named(token: &str, words: &[&str], spoiling: &str) -> bool {
    let is_spoilt = || {
        let spoiling: Vec<&str> = spoiling.split_whitespace().collect();
        has_word(token, &[&spoiling])
    };
    has_word(token, &[words]) && !is_spoilt()
}

/// True for elements that hold an article, whatever they are called.
pub(super) fn holds_article(page: &Page, n: NodeId) -> bool {
    matches!(
        *page.tag(n).unwrap_or(&local_name!("body")),
        local_name!("html") | local_name!("body") | local_name!("main") | local_name!("article")
    )
}

/// True for a token that begins as those of blocks that name authors of something else.
pub(super) fn begins_aside(token: &str) -> bool {
    let begins = |word: &&str| {
        let start = token.as_bytes().get(..word.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()))
    };
    ASIDE.iter().any(begins)
}
