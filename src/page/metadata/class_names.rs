//! The words of an element's class and id.

use super::super::{NodeId, Page};
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

/// The tokens of an element's class and id.
pub(super) fn name_tokens(page: &Page, n: NodeId) -> impl Iterator<Item = &str> {
    let named = page.attr_range(n).iter().filter(|attr| {
        let QualName { ns, local, .. } = &attr.name;
        matches!(*local, local_name!("class") | local_name!("id")) && *ns == ns!()
    });
    named.flat_map(|attr| page.value(attr).split_ascii_whitespace().take(8))
}

/// True if a token has a word of one of these lists in it.
pub(super) fn has_word(token: &str, lists: &[&[&str]]) -> bool {
    let runs = token.as_bytes().split(|b| !b.is_ascii_alphanumeric());
    let mut parts = runs.flat_map(words_of_camel_case);
    parts.any(|part| {
        let is_part = |word: &&str| part.eq_ignore_ascii_case(word.as_bytes());
        lists.iter().any(|list| list.iter().any(is_part))
    })
}

/// True if a token has a word of `words` in it and none of `spoiling`, which are parted by
/// spaces.
pub(super) fn is_named(token: &str, words: &[&str], spoiling: &str) -> bool {
    let spoiling: Vec<&str> = spoiling.split_whitespace().collect();
    has_word(token, &[words]) && !has_word(token, &[&spoiling])
}

/// `postAuthorName` as `post`, `Author`, `Name`.
fn words_of_camel_case(run: &[u8]) -> impl Iterator<Item = &[u8]> {
    run.chunk_by(|a, b| !(a.is_ascii_lowercase() && b.is_ascii_uppercase()))
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
