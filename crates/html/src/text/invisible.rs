//! Characters without a shape or a meaning.

use super::is_south_east_asian;
use std::borrow::Cow;

/// True for a soft hyphen, a space of no width, a word joiner, a byte order mark. Joiners
/// (U+200C, U+200D) and marks of direction belong to the spelling.
#[inline]
pub fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}' | '\u{2060}' | '\u{feff}')
}

/// The text without its invisible characters. In the scripts of South-East Asia, which write
/// no spaces, a space of no width separates words and stays.
///
/// ```
/// use forest_html::text::without_invisible;
///
/// assert_eq!(without_invisible("tele\u{200b}scope"), "telescope");
/// assert_eq!(without_invisible("\u{e01}\u{200b}\u{e02}"), "\u{e01}\u{200b}\u{e02}");
/// ```
#[inline]
pub fn without_invisible(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || !text.contains(is_invisible) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut before = ' ';
    for c in text.chars() {
        let parts_words = c == '\u{200b}' && is_south_east_asian(before);
        if parts_words || !is_invisible(c) {
            out.push(c);
        }
        before = c;
    }
    Cow::Owned(out)
}
