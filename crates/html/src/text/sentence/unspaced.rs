//! Chinese and Japanese, without spaces between sentences: the rules for their stops.
//!
//! A stop ends a sentence, together with the quotes and brackets that close behind it,
//! unless
//!
//! - it stands in round brackets or title brackets (in Japanese also in quotes) that are
//!   still open or that began within the sentence;
//! - a particle (`と`, `の`) joins a Japanese quotation to the next words;
//! - the words behind a Chinese quotation name the speaker (`她问。`);
//! - a comma or a similar mark follows.
//!
//! An ellipsis ends no sentence: as often it is a pause within one.

use super::marks::{is_wide_stop, note};
use crate::text::{Language, WordLists};
use std::sync::LazyLock;

/// Characters from a quotation to the end of the verb of saying, at the most.
const SPEAKER_CHARS: usize = 8;

static WORDS: LazyLock<WordLists> =
    LazyLock::new(|| WordLists::read(include_str!("words/unspaced.txt")));

/// Returns true if a section of the lists has the word of one character.
fn is_listed(section: &str, c: char) -> bool {
    WORDS.has(section, c.encode_utf8(&mut [0; 4]))
}

/// Returns true for the characters and marks of these scripts.
pub fn is_wide(c: char) -> bool {
    matches!(c as u32, 0x2E80..=0x9FFF | 0xAC00..=0xD7AF | 0xF900..=0xFAFF | 0xFF00..=0xFFEF | 0x20000..=0x3FFFF)
}

/// Returns true if one of the marks at `mark..end` is of these scripts, or if they stand
/// between characters of these scripts.
pub fn are_unspaced(line: &str, mark: usize, end: usize) -> bool {
    let marks = &line[mark..end];
    let before = line[..mark].chars().next_back();
    let after = line[end..].chars().next();
    marks.contains(is_wide_stop)
        || (before.is_some_and(is_wide)
            && after.is_some_and(|c| is_wide(c) || matches!(c, '”' | '’')))
}

/// A line whose Chinese or Japanese stops are judged.
pub struct UnspacedLine<'t> {
    line: &'t str,
    language: Language,
    /// Brackets and quotes that keep a sentence together: where each opens and closes,
    /// outermost pairs only, the first one last.
    pairs: Vec<(usize, usize)>,
}

impl<'t> UnspacedLine<'t> {
    /// Finds the brackets and quotes of a line.
    pub fn of(line: &'t str, language: Language) -> UnspacedLine<'t> {
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
                // Only the outermost pair is kept.
                while pairs.last().is_some_and(|&(inner, _)| inner > start) {
                    pairs.pop();
                }
                pairs.push((start, at));
            }
        }
        pairs.reverse();
        UnspacedLine {
            line,
            language,
            pairs,
        }
    }

    /// The end of the sentence from `start` on, if the marks at `mark..after` end it.
    pub fn end(&mut self, start: usize, mark: usize, after: usize) -> Option<usize> {
        let line = self.line;
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
            if !has_stop || self.language == Language::Korean {
                return None;
            }
        }
        if let Some((open, close)) = self.pair_around(mark) {
            let is_quote = line[open..].starts_with(['「', '『']);
            // A bracket that opened in an earlier sentence begins no sentence.
            let before = line.get(start..open);
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
            && match self.language {
                Language::Japanese => begins_with_particle(next),
                _ => is_listed("goes-on", first) || names_speaker(next),
            };
        (!goes_on).then_some(end)
    }

    /// The pair around `at`. Positions must grow from call to call.
    fn pair_around(&mut self, at: usize) -> Option<(usize, usize)> {
        while self.pairs.last().is_some_and(|&(_, close)| close < at) {
            self.pairs.pop();
        }
        self.pairs.last().copied().filter(|&(open, _)| open < at)
    }
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

/// Returns true if a text begins with a short clause that has a verb of saying. Before a
/// colon the clause belongs to the next quotation.
fn names_speaker(text: &str) -> bool {
    let mut has_verb = false;
    for c in text.chars().take(SPEAKER_CHARS + 1) {
        match c {
            '，' | '。' | '；' | ',' | '！' | '？' => return has_verb,
            '：' | ':' | '“' | '「' => return false,
            c => has_verb |= is_listed("said", c),
        }
    }
    false
}
