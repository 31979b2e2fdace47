//! Text from outside on a terminal or in a log: a title may contain a new line and the
//! beginning of another message, an escape code that clears the screen, or a mark that
//! turns the direction of writing.

use std::fmt::{self, Display, Write};

/// Shows a value on one line: new lines and characters that control a terminal or the
/// direction of writing are written out (`\n`, `\u{1b}`, `\u{202e}`).
///
/// A tab and a backslash stay, so an escape looks like the same text in the value. It is for
/// display only.
pub struct OneLine<T>(pub T);

impl<T: Display> Display for OneLine<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(EscapingWriter(f), "{}", self.0)
    }
}

/// Escapes all text that is written to it.
struct EscapingWriter<'a, W>(&'a mut W);

impl<W: Write> Write for EscapingWriter<'_, W> {
    fn write_str(&mut self, mut text: &str) -> fmt::Result {
        while let Some((at, c)) = text.char_indices().find(|&(_, c)| controls(c)) {
            self.0.write_str(&text[..at])?;
            match c {
                '\n' => self.0.write_str("\\n")?,
                '\r' => self.0.write_str("\\r")?,
                c => write!(self.0, "{}", c.escape_unicode())?,
            }
            text = &text[at + c.len_utf8()..];
        }
        self.0.write_str(text)
    }
}

/// Returns true if a character controls the output: control characters but the tab, the
/// ends of lines and paragraphs of Unicode, and its marks, embeddings, overrides and
/// isolates of direction (UAX 9).
pub fn controls(c: char) -> bool {
    match c {
        '\t' => false,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            true
        }
        c => c.is_control(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_controls_is_written_out() {
        let check = |text: &str, expected: &str| {
            assert_eq!(OneLine(text).to_string(), expected);
            // However it comes in pieces.
            let pieces: Vec<String> = text.chars().map(String::from).collect();
            assert_eq!(
                OneLine(format_args!("{}", pieces.concat())).to_string(),
                expected
            );
        };
        check("", "");
        check("Brücken und Tunnel\t→ 橋", "Brücken und Tunnel\t→ 橋");
        check("a\nforest: b\r\n", "a\\nforest: b\\r\\n");
        check(
            "\u{1b}[2J\u{9b}1m\u{7}\u{0}\u{7f}",
            "\\u{1b}[2J\\u{9b}1m\\u{7}\\u{0}\\u{7f}",
        );
        check(
            "\u{202e}gpj.exe\u{2066}\u{200f}\u{61c}",
            "\\u{202e}gpj.exe\\u{2066}\\u{200f}\\u{61c}",
        );
        check("a\u{2028}b\u{2029}c\u{85}", "a\\u{2028}b\\u{2029}c\\u{85}");
        // Joiners, which scripts need.
        check("نمی\u{200c}خواهم", "نمی\u{200c}خواهم");
    }

    proptest::proptest! {
        #[test]
        fn nothing_that_controls_is_left(text in ".{0,50}") {
            let shown = OneLine(&text).to_string();
            proptest::prop_assert!(!shown.contains(controls));
            proptest::prop_assert_eq!(OneLine(&shown).to_string(), shown);
        }
    }
}
