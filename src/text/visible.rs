//! Text in a form to be shown.

use std::borrow::Cow;

/// The text with pictures for its control characters, except line ends and tabs, so that
/// a page's text cannot control a terminal. Marks that change the direction of writing
/// become U+FFFD.
///
/// ```
/// assert_eq!(forest::text::visible("a\u{1b}[2Jb\n"), "a␛[2Jb\n");
/// assert_eq!(forest::text::visible("\u{202e}gpj"), "\u{fffd}gpj");
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
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}
