//! The rules that decide if a mark ends a sentence.

use super::marks::{is_mark, note};
use super::unspaced::{self, UnspacedLine};
use super::words::{self, StopRule};
use crate::text::Language;

/// Characters of the word before a mark that are read; longer words are no abbreviations.
/// The bound keeps the time for a line without spaces linear.
const MAX_WORD_CHARS: usize = 32;

/// Digits of an ordinal; a longer number before a stop is a year.
const MAX_ORDINAL_DIGITS: usize = 3;

/// Units of one letter; behind a number they are words and no initials.
const UNITS: [&str; 8] = ["m", "g", "l", "s", "h", "t", "V", "W"];

/// Words after a quotation that are searched for a verb of saying.
const SPEAKER_WORDS: usize = 3;

/// Adds the sentences of a line.
pub fn split<'t>(line: &'t str, language: Language, out: &mut Vec<&'t str>) {
    let mut scan = LineScan {
        line,
        language,
        start: 0,
        low_quote: false,
        unspaced: UnspacedLine::of(line, language),
    };
    let mut at = 0;
    while let Some(found) = line[at..].find(is_mark) {
        let mark = at + found;
        scan.low_quote |= line[at..mark].contains('„');
        let end = mark + marks_length(&line[mark..]);
        let stop = if unspaced::are_unspaced(line, mark, end) {
            scan.unspaced.end(scan.start, mark, end)
        } else {
            scan.end(mark, end)
        };
        at = end;
        if let Some(stop) = stop {
            push(&line[scan.start..stop], out);
            scan.start = stop;
            scan.low_quote = false;
            at = stop.max(end);
        }
    }
    push(&line[scan.start..], out);
}

fn push<'t>(sentence: &'t str, out: &mut Vec<&'t str>) {
    let sentence = sentence.trim();
    if !sentence.is_empty() {
        out.push(sentence);
    }
}

/// The length of the marks that a text begins with.
fn marks_length(text: &str) -> usize {
    text.find(|c| !is_mark(c)).unwrap_or(text.len())
}

/// A line that is being split.
struct LineScan<'t> {
    line: &'t str,
    language: Language,
    /// The first byte of the sentence.
    start: usize,
    /// `„` is open, so `“` closes.
    low_quote: bool,
    unspaced: UnspacedLine<'t>,
}

impl LineScan<'_> {
    /// The end of the sentence, if marks before a space end it.
    fn end(&self, mark: usize, after: usize) -> Option<usize> {
        let end = after + self.closing(&self.line[after..]);
        let rest = &self.line[end..];
        let next = rest.trim_start();
        if next.is_empty() {
            return Some(self.line.len());
        }
        if next.len() == rest.len() {
            return None;
        }
        let marks = &self.line[mark..after];
        let next = next.trim_start_matches(is_opening);
        let Some(first) = next.chars().next() else {
            return Some(self.line.len());
        };
        // More marks, or marks that continue the sentence.
        let is_fraction = first == '.' && next[1..].starts_with(|c: char| c.is_ascii_digit());
        if (is_mark(first) && !is_fraction) || matches!(first, ',' | ';' | ':' | ')' | ']' | '%') {
            return None;
        }
        let word = word_of(next);
        if first.is_lowercase() && !word.chars().nth(1).is_some_and(char::is_uppercase) {
            return None;
        }
        let ends = match marks {
            "." => self.stop_ends(mark, next),
            _ => !(end > after && self.is_attributed(next)),
        };
        ends.then_some(end)
    }

    /// The length of the quotes, brackets and notes that close at the beginning of
    /// `text`.
    fn closing(&self, text: &str) -> usize {
        let mut length = 0;
        loop {
            let rest = &text[length..];
            let spaces = rest.len() - rest.trim_start().len();
            let mut chars = rest[spaces..].chars();
            let Some(c) = chars.next() else { return length };
            let closes = match c {
                ')' | ']' | '}' | '"' | '\'' | '”' | '’' | '*' => spaces == 0,
                '“' | '‘' => {
                    spaces == 0 && (self.low_quote || self.language == Language::German)
                }
                '«' | '‹' => spaces == 0 && self.language == Language::German,
                '»' | '›' => spaces == 0 || self.language != Language::German,
                '[' if spaces == 0 => match note(rest) {
                    0 => return length,
                    note => {
                        length += note;
                        continue;
                    }
                },
                _ => false,
            };
            // A space may have three bytes, and is one.
            if !closes || spaces > 3 {
                return length;
            }
            length += spaces + c.len_utf8();
        }
    }

    /// Returns true if a full stop ends the sentence. `text` follows it and does not begin
    /// with a small letter.
    fn stop_ends(&self, mark: usize, text: &str) -> bool {
        let next = word_of(text);
        let before = last_chars(&self.line[self.start..mark], MAX_WORD_CHARS);
        // Chinese and Japanese put no space before a name in letters.
        let word = before
            .rsplit(|c: char| c.is_whitespace() || unspaced::is_wide(c))
            .next()
            .unwrap_or_default();
        let is_first = before.len() == word.len() + self.indent(before)
            && before.len() == self.line[self.start..mark].len();
        let word = word.trim_start_matches(|c| is_opening(c) || c == '(');
        let starter = || {
            let is_initial = next.chars().nth(1).is_none() && text.starts_with(&format!("{next}."));
            !is_initial && words::begins_sentences(next, self.language)
        };
        let is_number = next.starts_with(char::is_numeric) || (is_roman(next) && !starter());
        if is_first && is_counter(word) {
            return false;
        }
        if is_ordinal(word) && words::has_dotted_ordinals(self.language) {
            return starter();
        }
        let elided = word.rsplit(['\'', '’']).next().unwrap_or(word);
        let known = self
            .spaced(before, word)
            .and_then(|word| words::rule_of(&word, self.language))
            .or_else(|| words::rule_of(elided, self.language));
        match known {
            Some(StopRule::Inside) => false,
            Some(StopRule::BeforeNumber) => !is_number,
            Some(StopRule::BeforeCapital) => !next.starts_with(char::is_numeric),
            Some(StopRule::BeforeCapitalNoDate) => !words::is_date(next) && !is_number,
            Some(StopRule::BeforeStarter) => starter(),
            None if is_initials(word) => {
                let is_unit = UNITS.contains(&word) && follows_number(before, word);
                is_unit || starter()
            }
            None => true,
        }
    }

    fn indent(&self, text: &str) -> usize {
        text.len() - text.trim_start().len()
    }

    /// An abbreviation of several parts in the form of the lists: `z.b` of `z. B`.
    fn spaced(&self, before: &str, word: &str) -> Option<String> {
        let mut parts = before.rsplit(char::is_whitespace);
        let mut joined = parts.next()?.to_owned();
        let mut count = 1;
        for part in parts {
            let part = part.trim_start_matches(is_opening);
            if !part.ends_with('.') || part.chars().count() > 4 || count == 3 {
                break;
            }
            joined.insert_str(0, part);
            count += 1;
            // `u. a. S`: the shortest known form.
            if words::rule_of(&joined, self.language).is_some() {
                return Some(joined);
            }
        }
        (count > 1 && joined.len() > word.len()).then_some(joined)
    }

    /// Returns true if the text behind a quotation names the speaker.
    fn is_attributed(&self, next: &str) -> bool {
        let mut words = next.split_whitespace().take(SPEAKER_WORDS);
        let first = words.next().unwrap_or_default();
        self.language == Language::English
            && !words::begins_sentences(first, self.language)
            && words.any(|word| words::is_verb_of_saying(word.trim_end_matches([',', '.', ':'])))
    }
}

/// The end of a text, of at most `count` characters.
fn last_chars(text: &str, count: usize) -> &str {
    match text.char_indices().rev().nth(count) {
        Some((at, c)) => &text[at + c.len_utf8()..],
        None => text,
    }
}

fn is_opening(c: char) -> bool {
    c.is_whitespace() || "\"'“„‘‚«»‹›([{¿¡—–-*•".contains(c)
}

/// The first word of a text, without apostrophes and hyphens at its end.
fn word_of(text: &str) -> &str {
    let end = text
        .char_indices()
        .take(MAX_WORD_CHARS + 1)
        .find(|&(_, c)| !(c.is_alphanumeric() || matches!(c, '\'' | '’' | '-')))
        .map(|(at, _)| at);
    let word = match end {
        Some(end) => &text[..end],
        None => text
            .char_indices()
            .nth(MAX_WORD_CHARS)
            .map_or(text, |(at, _)| &text[..at]),
    };
    word.trim_end_matches(['\'', '’', '-'])
}

/// A number, a letter or a (small) Roman numeral that counts items: `1`, `2.1`, `a`, `IV`.
fn is_counter(word: &str) -> bool {
    let digits = word.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    !word.is_empty()
        && ((digits && word.len() <= MAX_ORDINAL_DIGITS * 2)
            || (word.len() == 1 && word.bytes().all(|b| b.is_ascii_lowercase()))
            || (word.len() > 1 && is_roman(word)))
}

fn is_ordinal(word: &str) -> bool {
    let digits = word.bytes().all(|b| b.is_ascii_digit());
    !word.is_empty() && ((digits && word.len() <= MAX_ORDINAL_DIGITS) || is_roman(word))
}

fn is_roman(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|b| b"IVXL".contains(&b))
}

/// Single letters between stops and hyphens: `J`, `U.S`, `J.-P`.
fn is_initials(word: &str) -> bool {
    let mut letters = word
        .split(['.', '-'])
        .filter(|part| !part.is_empty())
        .peekable();
    letters.peek().is_some()
        && letters.all(|part| {
            let mut chars = part.chars();
            let first = chars.next().filter(|c| c.is_alphabetic());
            // A plural: `EE. UU.`
            let second = chars
                .next()
                .filter(|c| c.is_lowercase() || Some(*c) != first);
            first.is_some() && second.is_none() && chars.next().is_none()
        })
}

/// Returns true if a number stands before the word: `5 m`.
fn follows_number(before: &str, word: &str) -> bool {
    before
        .strip_suffix(word)
        .and_then(|rest| rest.split_whitespace().next_back())
        .is_some_and(|last| last.ends_with(|c: char| c.is_numeric()))
}
