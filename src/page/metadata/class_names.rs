//! The words of an element's class and id.

use super::super::{NodeId, Page};
use html5ever::{local_name, ns};

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

/// The tokens of an element's class and id.
pub(super) fn name_tokens(page: &Page, n: NodeId) -> impl Iterator<Item = &str> {
    let named = page.attrs(n).filter(|(attr, _)| {
        attr.ns == ns!() && matches!(attr.local, local_name!("class") | local_name!("id"))
    });
    named.flat_map(|(_, value)| value.split_ascii_whitespace().take(8))
}

/// True if a token has a word of one of these lists in it.
pub(super) fn has_word(token: &str, lists: &[&[&str]]) -> bool {
    let runs = token.split(|c: char| !c.is_ascii_alphanumeric());
    let mut parts = runs.flat_map(words_of_camel_case);
    parts.any(|part| {
        let mut words = lists.iter().flat_map(|list| list.iter());
        words.any(|word| part.eq_ignore_ascii_case(word))
    })
}

/// True if a token has a word of `words` in it and none of `spoiling`, which are parted by
/// spaces.
pub(super) fn is_named(token: &str, words: &[&str], spoiling: &str) -> bool {
    let spoiling: Vec<&str> = spoiling.split_whitespace().collect();
    has_word(token, &[words]) && !has_word(token, &[&spoiling])
}

/// `postAuthorName` as `post`, `Author`, `Name`.
fn words_of_camel_case(run: &str) -> impl Iterator<Item = &str> {
    let mut rest = run;
    std::iter::from_fn(move || {
        let bytes = rest.as_bytes();
        let turns =
            |at: &usize| bytes[at - 1].is_ascii_lowercase() && bytes[*at].is_ascii_uppercase();
        let end = (1..bytes.len()).find(turns).unwrap_or(bytes.len());
        let (word, behind) = rest.split_at(end);
        rest = behind;
        (!word.is_empty()).then_some(word)
    })
}

/// True if an element's names say that it holds something beside the article.
pub(super) fn is_aside(page: &Page, n: NodeId) -> bool {
    let holds_article = matches!(
        *page.tag(n).unwrap_or(&local_name!("body")),
        local_name!("html") | local_name!("body") | local_name!("main") | local_name!("article")
    );
    !holds_article
        && name_tokens(page, n).any(|token| {
            let token = token.as_bytes();
            let begins = |word: &&str| {
                let start = token.get(..word.len());
                start.is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()))
            };
            ASIDE.iter().any(begins)
        })
}
