//! The strings of a JSON value with their paths.

use super::super::plain::text_of_html;
use crate::text::word_count;
use std::borrow::Cow;
use std::rc::Rc;

/// Bytes of a key that are kept in a path.
const MAX_KEY_BYTES: usize = 200;

/// Digits of a key from which on it is a number or a hash.
const MANY_DIGITS: usize = 4;

/// Bytes of the shortest string whose words are counted.
const MIN_SENTENCE_BYTES: usize = 12;

/// Brackets, semicolons and equals signs for each word from which on a text is a program. Of 311
/// articles and pages of documentation of the development gold none has more than 0.3; a page
/// that was compiled to a program has 0.55.
const CODE_SIGNS: f64 = 0.5;

/// Bytes of the shortest text that may be a program.
const MIN_CODE_BYTES: usize = 200;

/// Words of a string from which on it is a sentence, and the strings with its key are text.
pub(super) const SENTENCE_WORDS: usize = 5;

/// A step of a path.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum PathStep {
    /// The key of an object's member.
    Key(Rc<str>),
    /// The index of an array's element.
    Index(u32),
}

impl PathStep {
    pub fn key(name: &str) -> PathStep {
        PathStep::Key(name[..name.floor_char_boundary(MAX_KEY_BYTES)].into())
    }

    pub fn name(&self) -> Option<&str> {
        match self {
            PathStep::Key(name) => Some(name),
            PathStep::Index(_) => None,
        }
    }
}

/// A string that stands in a JSON value.
#[derive(Debug)]
pub(super) struct JsonLeaf {
    pub path: Vec<PathStep>,
    pub text: String,
}

impl JsonLeaf {
    /// The innermost key of its path; empty in an array without a key.
    pub fn name(&self) -> &str {
        let mut names = self.path.iter().rev().filter_map(PathStep::name);
        names.next().unwrap_or_default()
    }

    /// The number of steps that its path shares with another, from the root on.
    pub fn shared(&self, path: &[PathStep]) -> usize {
        let pairs = self.path.iter().zip(path);
        pairs.take_while(|(a, b)| a == b).count()
    }
}

/// A path with all indices as `*`, and keys without the part that differs from page to
/// page: `/data/Article:*/body`.
pub(super) fn generalised(path: &[PathStep]) -> String {
    let mut out = String::new();
    for step in path {
        out.push('/');
        match step {
            PathStep::Index(_) => out.push('*'),
            PathStep::Key(name) => push_key(name, &mut out),
        }
    }
    out
}

/// True of a step to a record: an index, or a key that differs from record to record.
pub(super) fn names_record(step: &PathStep) -> bool {
    match step {
        PathStep::Index(_) => true,
        PathStep::Key(_) => generalised(std::slice::from_ref(step)).ends_with('*'),
    }
}

/// Appends a key: as it is, up to the mark behind which it names a record (`Article:12`,
/// `article({"id":12})`, `/2024/05/rain`), or as `*` if it is a number or a hash.
fn push_key(name: &str, out: &mut String) {
    let digits = name.bytes().filter(u8::is_ascii_digit).count();
    let mark = name.find([':', '(', '{', '/', ' ', '?']);
    let (kept, is_cut) = match mark {
        Some(at) => (&name[..=at], true),
        None if digits >= MANY_DIGITS => ("", true),
        None => (name, false),
    };
    for c in kept.chars() {
        match c {
            '~' => out.push_str("~0"),
            '/' => out.push_str("~1"),
            c => out.push(c),
        }
    }
    if is_cut {
        out.push('*');
    }
}

/// The words (metric tokens) of a string without its markup; 0 of an address, a code or a program.
pub(super) fn words(text: &str) -> usize {
    if text.len() < MIN_SENTENCE_BYTES || text.starts_with("http") || text.starts_with("data:") {
        return 0;
    }
    if text.is_ascii() && !text.contains(' ') {
        return 0;
    }
    let text = text_of_html(&unescaped(text));
    if is_code(&text) { 0 } else { word_count(&text) }
}

/// True of a program, such as a page that was compiled to one.
fn is_code(text: &str) -> bool {
    let is_sign = |c: &char| matches!(c, '{' | '}' | '(' | ')' | '[' | ']' | ';' | '=');
    let signs = text.chars().filter(is_sign).count();
    text.len() >= MIN_CODE_BYTES
        && signs as f64 > CODE_SIGNS * text.split_whitespace().count() as f64
}

/// HTML that was escaped once more than needed as it was, all else as it is.
pub(super) fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains('<') && text.contains("&lt;") {
        return text
            .replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&quot;", "\"")
            .replace("&amp;", "&")
            .into();
    }
    text.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_from_page_to_page_is_left_out_of_a_path() {
        let check = |path: &[PathStep], expected: &str| assert_eq!(generalised(path), expected);
        let key = PathStep::key;
        check(
            &[key("posts"), PathStep::Index(7), key("body")],
            "/posts/*/body",
        );
        check(&[key("Article:8812"), key("html_2")], "/Article:*/html_2");
        check(&[key("get({\"id\":1})")], "/get(*");
        check(&[key("/2024/rain"), key("a~b")], "/~1*/a~0b");
        check(&[key("9f3a77c01")], "/*");
        check(&[], "");
    }
}
