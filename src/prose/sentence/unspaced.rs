//! Chinese and Japanese: sentences that no space parts, by punctuation.
//!
//! A stop ends a sentence with the quotes and brackets that close behind it, unless
//!
//! - it stands in round brackets or in those of a title (and, in Japanese, in
//!   quotes) that are still open, or that began within the sentence;
//! - a particle (`と`, `の`) joins a Japanese quotation to what follows;
//! - what follows a Chinese quotation says who said it (`她问。`);
//! - a comma or the like follows.
//!
//! An ellipsis ends none: it stands for a pause within one as often.

use super::scan::{Scan, note};
use crate::text::{Language, WordLists};
use std::sync::LazyLock;

/// Characters of who said it, before and with the verb.
const SAID_CHARS: usize = 8;

static WORDS: LazyLock<WordLists> =
    LazyLock::new(|| WordLists::read(include_str!("words/unspaced.txt")));

/// Returns true if a section of the lists has the word of one character.
fn is_listed(section: &str, c: char) -> bool {
    WORDS.has(section, c.encode_utf8(&mut [0; 4]))
}

/// A full stop of these scripts, or a wide question or exclamation mark.
pub fn is_stop(c: char) -> bool {
    matches!(c, '。' | '．' | '｡' | '！' | '？')
}

/// A character of these scripts, or a mark of theirs.
pub fn is_wide(c: char) -> bool {
    matches!(c as u32, 0x2E80..=0x9FFF | 0xAC00..=0xD7AF | 0xF900..=0xFAFF | 0xFF00..=0xFFEF | 0x20000..=0x3FFFF)
}

/// Whether the marks at `mark..end` are of these scripts: one is, or they stand
/// between characters that are.
pub fn is_mark(line: &str, mark: usize, end: usize) -> bool {
    let marks = &line[mark..end];
    let before = line[..mark].chars().next_back();
    let after = line[end..].chars().next();
    marks.contains(is_stop)
        || (before.is_some_and(is_wide)
            && after.is_some_and(|c| is_wide(c) || matches!(c, '”' | '’')))
}

/// Brackets and quotes that keep a sentence together, from the one that opens to
/// the one that closes, outermost only, in order.
pub struct Brackets(Vec<(usize, usize)>);

impl Brackets {
    /// Finds them in a line.
    pub fn of(line: &str, language: Language) -> Brackets {
        let closes = |c: char| -> Option<char> {
            Some(match c {
                '（' => '）',
                '《' => '》',
                '〈' => '〉',
                '【' => '】',
                '「' if language == Language::Japanese => '」',
                '『' if language == Language::Japanese => '』',
                _ => return None,
            })
        };
        let mut open: Vec<(usize, char)> = Vec::new();
        let mut pairs: Vec<(usize, usize)> = Vec::new();
        for (at, c) in line.char_indices() {
            if let Some(close) = closes(c) {
                open.push((at, close));
            } else if let Some(&(start, close)) = open.last()
                && close == c
            {
                open.pop();
                // What is inside is no pair of its own.
                while pairs.last().is_some_and(|&(inner, _)| inner > start) {
                    pairs.pop();
                }
                pairs.push((start, at));
            }
        }
        pairs.reverse();
        Brackets(pairs)
    }

    /// The pair around `at`, if there is one. Called with growing positions.
    fn around(&mut self, at: usize) -> Option<(usize, usize)> {
        while self.0.last().is_some_and(|&(_, close)| close < at) {
            self.0.pop();
        }
        self.0.last().copied().filter(|&(open, _)| open < at)
    }
}

/// Where the sentence ends, if the marks at `mark..after` end it.
pub fn end(scan: &mut Scan<'_>, mark: usize, after: usize) -> Option<usize> {
    let line = scan.line;
    let marks = &line[mark..after];
    let closers = line[after..]
        .find(|c| !is_closing(c))
        .unwrap_or(line.len() - after);
    let mut end = after + closers;
    while let note @ 1.. = note(&line[end..]) {
        end += note;
    }
    if marks.chars().all(|c| matches!(c, '…' | '.')) && closers == 0 {
        let has_stop = marks == "." && line[after..].starts_with(is_wide);
        if !has_stop || scan.language == Language::Korean {
            return None;
        }
    }
    if let Some((open, close)) = scan.brackets.around(mark) {
        let is_quote = line[open..].starts_with(['「', '『']);
        // A bracket that opened in an earlier sentence begins none.
        let before = line.get(scan.start..open);
        let begins = before.is_some_and(|before| before.trim().is_empty());
        if close >= end || !(is_quote || begins) {
            return None;
        }
    }
    let rest = &line[end..];
    let next = rest.trim_start();
    let Some(first) = next.chars().next() else {
        return Some(line.len());
    };
    if matches!(
        first,
        '，' | '、' | '；' | '：' | '）' | ',' | ';' | ':' | ')' | '》' | '】' | '〉'
    ) {
        return None;
    }
    let is_quoted = line[after..end].contains(['」', '』', '”', '’', '"', '》']);
    let goes_on = is_quoted
        && next.len() == rest.len()
        && match scan.language {
            Language::Japanese => begins_with_particle(next),
            _ => is_listed("goes-on", first) || says_who(next),
        };
    (!goes_on).then_some(end)
}

fn is_closing(c: char) -> bool {
    matches!(
        c,
        '」' | '』' | '”' | '’' | '）' | '】' | '》' | '〉' | '"' | '\'' | ')' | '］' | '〕'
    )
}

fn begins_with_particle(text: &str) -> bool {
    let begins_with = |section| WORDS.words(section).any(|word| text.starts_with(word));
    begins_with("particles") && !begins_with("no-particles")
}

/// Whether a short clause with a verb of saying comes next; before a colon it is the
/// next quotation's.
fn says_who(text: &str) -> bool {
    let mut said = false;
    for c in text.chars().take(SAID_CHARS + 1) {
        match c {
            '，' | '。' | '；' | ',' | '！' | '？' => return said,
            '：' | ':' | '“' | '「' => return false,
            c => said |= is_listed("said", c),
        }
    }
    false
}
