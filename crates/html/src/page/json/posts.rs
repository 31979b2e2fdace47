//! The posts of a thread, one by one.

use super::super::metadata::Date;
use super::leaf::JsonLeaf;
use super::thread::{AUTHOR_STEPS, beside, is_alike, is_of_author, record_depth};
use super::value::{JsonValue, PageJson};

/// Bytes of an author's name at the most.
const MAX_AUTHOR_BYTES: usize = 100;

/// A post of a thread.
#[derive(Debug, Clone, PartialEq)]
pub struct JsonPost {
    /// The name of its author, if it has one.
    pub author: Option<String>,
    /// Its day, if it can be read.
    pub date: Option<Date>,
    /// Its text, which is HTML or plain text, as it stands in the JSON.
    pub text: String,
}

impl PageJson<'_> {
    /// The posts of a value that is a thread, in order; none of another.
    pub fn posts(&self, value: &JsonValue) -> Vec<JsonPost> {
        let leaves = self.leaves_of(value);
        let Some(depth) = record_depth(&leaves[value.leaves.start].path) else {
            return Vec::new();
        };
        let post = |at: usize| {
            let beside = || beside(leaves, at, depth);
            let dates = beside().filter(|leaf| leaf.path.len() == depth + 1);
            let is_name = |leaf: &&JsonLeaf| {
                let text = leaf.text.trim();
                leaf.path.len() <= depth + AUTHOR_STEPS
                    && is_of_author(&leaf.path[depth..])
                    && text.len() <= MAX_AUTHOR_BYTES
                    && text.chars().any(char::is_alphabetic)
                    && !text.contains("/")
                    && !text.contains(':')
            };
            JsonPost {
                author: beside()
                    .find(is_name)
                    .map(|leaf| leaf.text.trim().to_owned()),
                date: dates
                    .map(|leaf| Date::read(&leaf.text))
                    .find(|date| date.rfc3339.is_some()),
                text: leaves[at].text.clone(),
            }
        };
        let path = &leaves[value.leaves.start].path;
        let texts = value
            .leaves
            .clone()
            .filter(|&at| is_alike(&leaves[at].path, path));
        texts.map(post).collect()
    }
}
