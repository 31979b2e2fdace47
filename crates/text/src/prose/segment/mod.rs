//! Sentence ends at the ends of blocks (section 3.3).
//!
//! [`end`] adds the missing full stop of a block; `lines` joins lines that a `br` cuts.

mod lines;

use forest_html::text::sentence::is_terminal;

pub(super) use lines::{LineKind, is_conjunction, is_named_verse, mend};

/// Characters at the end of a text that are searched for a letter, whose script decides.
const LOOK_BACK: usize = 64;

/// Closing quotation marks and brackets at the end of a sentence, at the most: bounds the
/// time for a text of nothing else.
const MAX_CLOSING: usize = 8;

/// The kind of text that ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// A paragraph or a heading: a colon or a semicolon at its end stays, since the next
    /// block belongs to it.
    Block,
    /// An item, which is a sentence: a full stop replaces any mark that ends no sentence.
    Item,
}

/// Ends the sentence at `start..` in `out`: adds the full stop of its script, or puts it
/// in the place of a comma. A sentence that is ended already and a text without letters
/// and digits stay.
pub(super) fn end(out: &mut String, start: usize, ending: Ending) {
    let text = &out[start..];
    if !text.contains(char::is_alphanumeric) || is_ended(text) {
        return;
    }
    let Some(stop) = stop_of(text) else { return };
    let last = text.chars().next_back().unwrap_or(' ');
    if ending == Ending::Block && is_colon(last) {
        return;
    }
    if is_comma(last) || (ending == Ending::Item && is_weak(last)) {
        let kept = start + text.trim_end_matches(|c| is_weak(c) || c == ' ').len();
        out.truncate(kept);
        if is_ended(&out[start..]) {
            return;
        }
    }
    out.push(stop);
}

/// Returns true if a text ends a sentence. Closing quotation marks behind the last mark,
/// and a bracket around the whole sentence, are passed over.
pub(super) fn is_ended(text: &str) -> bool {
    let mut rest = text;
    for _ in 0..MAX_CLOSING {
        rest = rest.trim_end_matches(|c| is_direction(c) || c == ' ');
        let Some(c) = rest.chars().next_back() else {
            return false;
        };
        if is_terminal(c) {
            return true;
        }
        let inside = &rest[..rest.len() - c.len_utf8()];
        if is_closing_quote(c) {
            rest = inside;
        } else if let Some(opening) = opening_of(c) {
            let Some(at) = inside.rfind(opening) else {
                return false;
            };
            let before = inside[..at].trim_end();
            if !(before.is_empty() || before.ends_with(is_terminal)) {
                return false;
            }
            rest = inside;
        } else {
            return false;
        }
    }
    false
}

/// The full stop of the script that a text ends in; `None` if the script has no full
/// stop.
pub(super) fn stop_of(text: &str) -> Option<char> {
    match last_letter(text).map_or(0, |c| c as u32) {
        0x2e80..=0x30ff
        | 0x31c0..=0x9fff
        | 0xf900..=0xfaff
        | 0xff66..=0xff9f
        | 0x20000..=0x3ffff => Some('。'),
        0x900..=0x9ff => Some('।'),
        0x530..=0x58f => Some('։'),
        0x1200..=0x139f => Some('።'),
        0x1000..=0x109f => Some('။'),
        0x1780..=0x17ff => Some('។'),
        // Thai and Lao end a sentence with a space.
        0xe00..=0xeff => None,
        _ => Some('.'),
    }
}

/// The comma of an enumeration, by the script of one of its items.
pub(super) fn comma_of(text: &str) -> char {
    match last_letter(text).map_or(0, |c| c as u32) {
        0x600..=0x6ff | 0x750..=0x77f | 0xfb50..=0xfdff | 0xfe70..=0xfeff => '،',
        _ if is_unspaced_end(text) => '、',
        _ => ',',
    }
}

/// Returns true if a text ends in a script without spaces between sentences.
pub(super) fn is_unspaced_end(text: &str) -> bool {
    stop_of(text) == Some('。')
}

fn last_letter(text: &str) -> Option<char> {
    text.chars()
        .rev()
        .take(LOOK_BACK)
        .find(|c| c.is_alphabetic())
}

/// Returns true for marks after which the text continues.
pub(super) fn is_colon(c: char) -> bool {
    matches!(c, ':' | '：' | ';' | '；' | '؛')
}

/// Returns true for commas of any script.
pub(super) fn is_comma(c: char) -> bool {
    matches!(c, ',' | '，' | '、' | '،')
}

/// Returns true for marks at an item's end that a full stop replaces. Brackets and dashes
/// stay, as in the paper.
fn is_weak(c: char) -> bool {
    is_colon(c) || is_comma(c) || matches!(c, '/' | '|' | '·' | '•')
}

fn is_closing_quote(c: char) -> bool {
    matches!(
        c,
        '"' | '\'' | '”' | '’' | '“' | '‘' | '»' | '«' | '›' | '‹' | '」' | '』'
    )
}

fn opening_of(c: char) -> Option<char> {
    Some(match c {
        ')' => '(',
        ']' => '[',
        '}' => '{',
        '）' => '（',
        '】' => '【',
        '〉' => '〈',
        '》' => '《',
        _ => return None,
    })
}

/// Returns true for marks of direction, which are invisible.
pub(super) fn is_direction(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(ending: Ending, cases: &[(&str, &str)]) {
        for (text, expected) in cases {
            let mut out = format!("before {text}");
            end(&mut out, "before ".len(), ending);
            assert_eq!(out, format!("before {expected}"), "{text}");
        }
    }

    #[test]
    fn a_block_gets_the_full_stop_that_it_lacks() {
        check(
            Ending::Block,
            &[
                ("Rain", "Rain."),
                ("Rain.", "Rain."),
                ("Rain?", "Rain?"),
                ("Rain…", "Rain…"),
                ("as follows:", "as follows:"),
                ("as follows;", "as follows;"),
                ("Dear Madam,", "Dear Madam."),
                ("Rain (much)", "Rain (much)."),
                ("Rain –", "Rain –."),
                ("in 2020", "in 2020."),
                ("Rain \u{200f}", "Rain \u{200f}."),
            ],
        );
    }

    #[test]
    fn what_is_ended_inside_of_quotation_marks_or_brackets() {
        check(
            Ending::Block,
            &[
                ("“Rain.”", "“Rain.”"),
                ("« Rain. »", "« Rain. »"),
                ("He said \"rain\"", "He said \"rain\"."),
                ("(It rained.)", "(It rained.)"),
                ("It rained. (It did.)", "It rained. (It did.)"),
                ("Rain (etc.)", "Rain (etc.)."),
                ("「雨。」", "「雨。」"),
            ],
        );
    }

    #[test]
    fn symbols_are_no_sentence() {
        check(Ending::Block, &[("***", "***"), ("", ""), ("→ |", "→ |")]);
    }

    #[test]
    fn each_script_has_its_own_full_stop() {
        check(
            Ending::Block,
            &[
                ("今天下雨", "今天下雨。"),
                ("雨が降る", "雨が降る。"),
                ("今天下雨。", "今天下雨。"),
                ("如下：", "如下："),
                ("今天下雨，", "今天下雨。"),
                ("平成 30", "平成 30。"),
                ("비가 온다", "비가 온다."),
                ("वर्षा", "वर्षा।"),
                ("مطر", "مطر."),
                ("مطر؟", "مطر؟"),
                ("גשם", "גשם."),
                ("ฝน", "ฝน"),
            ],
        );
    }

    #[test]
    fn an_item_ends_its_sentence_whatever_mark_it_had() {
        check(
            Ending::Item,
            &[
                ("oil;", "oil."),
                ("oil,", "oil."),
                ("oil:", "oil."),
                ("oil ;", "oil."),
                ("oil (much)", "oil (much)."),
                ("oil!", "oil!"),
                ("oil.;", "oil."),
            ],
        );
    }
}
