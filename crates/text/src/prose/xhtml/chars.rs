//! Characters that XML allows.

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
