//! Text in a form to be shown.

use std::borrow::Cow;

/// The text with pictures for its control characters, except line ends and tabs, so that
/// a page's text cannot control a terminal. Marks that change the direction of writing
/// become U+FFFD.
///
/// ```
/// assert_eq!(forest_html::text::visible("a\u{1b}[2Jb\n"), "a␛[2Jb\n");
/// assert_eq!(forest_html::text::visible("\u{202e}gpj"), "\u{fffd}gpj");
/// ```
pub fn visible(text: &str) -> Cow<'_, str> {
    let turns = |c: char| matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let steers = |c: char| c.is_control() && !matches!(c, '\n' | '\t') || turns(c);
    if !text.contains(steers) {
        return Cow::Borrowed(text);
    }
    let picture = |c: char| match c {
        c if !steers(c) => c,
        c if turns(c) => '\u{fffd}',
        '\0'..='\u{1f}' => char::from_u32(0x2400 + c as u32).unwrap_or(' '),
        _ => '\u{2421}',
    };
    Cow::Owned(text.chars().map(picture).collect())
}

/// White space folded to single spaces, none at the ends.
pub fn fold(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    push_folded(text, &mut out);
    out
}

/// Adds a [folded](fold) text.
#[inline]
pub fn push_folded(text: &str, out: &mut String) {
    let text = text.trim();
    let bytes = text.as_bytes();
    // Most words are parted by single spaces: what stands between other gaps is copied at once.
    let (mut copied, mut at) = (0, 0);
    while at < bytes.len() {
        match bytes[at] {
            b'!'..=b'~' => at += 1,
            b' ' if bytes[at + 1].is_ascii_graphic() => at += 2,
            _ => {
                let rest = text[at..].trim_start();
                if rest.len() == text.len() - at {
                    at += rest.chars().next().map_or(1, char::len_utf8);
                } else {
                    out.push_str(&text[copied..at]);
                    out.push(' ');
                    at = text.len() - rest.len();
                    copied = at;
                }
            }
        }
    }
    out.push_str(&text[copied..]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn folding_joins_the_words(text in "[a \n\t\u{b}\u{1f}\u{7f}é\u{a0}\u{2003}\u{200b}]{0,30}") {
            let words: Vec<&str> = text.split_whitespace().collect();
            prop_assert_eq!(fold(&text), words.join(" "));
        }
    }
}
