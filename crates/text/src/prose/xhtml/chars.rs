//! Characters that XML allows.

use encoding_rs::WINDOWS_1252;
use std::borrow::Cow;

/// The place of a text in XHTML.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Within {
    /// Between tags.
    Text,
    /// Between double quotes.
    Attribute,
}

/// The character as XML allows it; `None` for control characters and the two
/// noncharacters of the first plane. Form feed and vertical tab become a space.
pub fn legal(c: char) -> Option<char> {
    match c {
        '\t' | '\n' | '\r' => Some(c),
        '\x0B' | '\x0C' => Some(' '),
        '\0'..'\x20' | '\u{FFFE}' | '\u{FFFF}' => None,
        _ => Some(c),
    }
}

/// Appends a text, escaped. A carriage return, which a page has only as `&#13;`, stays
/// one; so do line breaks and tabs in an attribute.
pub fn push_escaped(text: &str, within: Within, out: &mut String) {
    let mut plain = 0;
    for (at, c) in text.char_indices() {
        let escaped = match (c, within) {
            ('&', _) => "&amp;",
            ('<', _) => "&lt;",
            ('>', _) => "&gt;",
            ('"', Within::Attribute) => "&quot;",
            ('\r', _) => "&#13;",
            ('\n', Within::Attribute) => "&#10;",
            ('\t', Within::Attribute) => "&#9;",
            ('\n' | '\t', Within::Text) => continue,
            ('\x0B' | '\x0C', _) => " ",
            ('\0'..'\x20' | '\u{FFFE}' | '\u{FFFF}', _) => "",
            _ => continue,
        };
        out.push_str(&text[plain..at]);
        out.push_str(escaped);
        plain = at + c.len_utf8();
    }
    out.push_str(&text[plain..]);
}

/// Mends raw C1 characters (U+0080 to U+009F) in a text. No page means these control
/// characters: they are bytes that were read in the wrong charset before the page was
/// written.
///
/// A run of characters up to U+00FF that, taken as bytes, is valid UTF-8 is decoded
/// (`â\u{80}\u{99}` is `’`). In other runs each C1 character is decoded as windows-1252,
/// as in a numeric reference. A run without C1 characters stays: `Ã©` may be meant.
///
/// ```
/// use forest_text::prose::xhtml::chars::mend_c1;
///
/// assert_eq!(mend_c1("it\u{92}s".into()), "it’s");
/// assert_eq!(mend_c1("it\u{e2}\u{80}\u{99}s".into()), "it’s");
/// assert_eq!(mend_c1("caf\u{c3}\u{a9}".into()), "caf\u{c3}\u{a9}");
/// ```
pub fn mend_c1(text: Cow<'_, str>) -> Cow<'_, str> {
    let is_c1 = |c: char| ('\u{80}'..='\u{9F}').contains(&c);
    if !text.contains(is_c1) {
        return text;
    }
    let is_high = |c: char| ('\u{80}'..='\u{FF}').contains(&c);
    let mut out = String::with_capacity(text.len());
    let mut rest = &*text;
    while let Some(start) = rest.find(is_high) {
        out.push_str(&rest[..start]);
        rest = &rest[start..];
        let run = &rest[..rest.find(|c| !is_high(c)).unwrap_or(rest.len())];
        rest = &rest[run.len()..];
        if !run.contains(is_c1) {
            out.push_str(run);
            continue;
        }
        let bytes: Vec<u8> = run.chars().map(|c| c as u8).collect();
        match std::str::from_utf8(&bytes) {
            Ok(meant) if !meant.contains(is_c1) => out.push_str(meant),
            _ => out.push_str(&WINDOWS_1252.decode_without_bom_handling(&bytes).0),
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}
