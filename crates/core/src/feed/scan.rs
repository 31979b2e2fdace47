//! A forgiving scanner for XML as feeds have it in the wild.
//!
//! It never fails: what is no markup is text, a tag that another `<` interrupts
//! ends there, and markup that runs over the end of the document stops the scan
//! with [`XmlScanner::cut`] set. Comments, processing instructions and document
//! types are skipped, internal subset included, so that no entity is ever
//! defined and none can expand. One pass, no look-back.

use forest_html::page::charset::mend_c1;
use html5ever::data::NAMED_ENTITIES;

/// Attributes kept of one tag; further ones are dropped. A feed's tags have
/// five at most, a root with namespaces some twenty.
const MAX_ATTRIBUTES: usize = 64;

/// Longest entity name looked for after `&`, in bytes. The longest of HTML's is
/// `CounterClockwiseContourIntegral;` with 32.
const MAX_ENTITY: usize = 32;

/// One piece of markup or text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Token<'a> {
    /// A start tag.
    Start(Tag<'a>),
    /// An end tag, by its name as written.
    End(&'a str),
    /// Text with its entities not yet replaced.
    Text(&'a str),
    /// The inside of a CDATA section.
    CData(&'a str),
}

/// A start tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tag<'a> {
    /// The name as written, prefix included.
    pub name: &'a str,
    /// All between the name and the end of the tag.
    attributes: &'a str,
    /// True if the tag ends in `/>`.
    pub empty: bool,
}

/// The scanner: an iterator over [`Token`]s.
#[derive(Debug, Clone)]
pub struct XmlScanner<'a> {
    text: &'a str,
    at: usize,
    /// Markup was open at the end of the document.
    pub cut: bool,
}

impl<'a> XmlScanner<'a> {
    pub fn new(text: &'a str) -> Self {
        XmlScanner {
            text,
            at: 0,
            cut: false,
        }
    }

    /// Byte offset of the next token.
    pub(super) fn offset(&self) -> usize {
        self.at
    }

    /// Goes back to the token that starts at `offset`.
    pub(super) fn seek(&mut self, offset: usize) {
        self.at = offset;
    }

    /// Line of a byte offset, counted from 1.
    pub(super) fn line(&self, offset: usize) -> usize {
        let before = &self.text.as_bytes()[..offset.min(self.text.len())];
        1 + before.iter().filter(|&&byte| byte == b'\n').count()
    }

    /// Moves behind the next `end` after `from` and gives what is before it.
    fn until(&mut self, from: usize, end: &str) -> Option<&'a str> {
        match self.text[from..].find(end) {
            Some(found) => {
                self.at = from + found + end.len();
                Some(&self.text[from..from + found])
            }
            None => self.stop(),
        }
    }

    fn stop<T>(&mut self) -> Option<T> {
        self.cut = true;
        self.at = self.text.len();
        None
    }

    /// A document type, with its internal subset if it has one.
    fn doctype(&mut self) -> Option<()> {
        let rest = &self.text[self.at..];
        let subset = rest.find(['[', '>'])?;
        if rest.as_bytes()[subset] == b'>' {
            self.at += subset + 1;
            return Some(());
        }
        let mut from = subset;
        while let Some(bracket) = rest[from..].find(']') {
            from += bracket + 1;
            let tail = rest[from..].trim_start();
            if tail.starts_with('>') {
                self.at += rest.len() - tail.len() + 1;
                return Some(());
            }
        }
        None
    }

    fn tag(&mut self) -> Option<Token<'a>> {
        let bytes = self.text.as_bytes();
        let start = self.at + 1;
        let mut name_end = start;
        while bytes.get(name_end).is_some_and(|&byte| !is_name_end(byte)) {
            name_end += 1;
        }
        let name = &self.text[start..name_end];
        let mut at = name_end;
        let mut value = false;
        loop {
            match bytes.get(at) {
                None => return self.stop(),
                Some(b'>') => {
                    self.at = at + 1;
                    break;
                }
                Some(b'<') => {
                    self.at = at;
                    break;
                }
                Some(quote @ (b'"' | b'\'')) if value => {
                    match bytes[at + 1..].iter().position(|byte| byte == quote) {
                        None => return self.stop(),
                        Some(close) => at += close + 1,
                    }
                    value = false;
                }
                Some(b'=') => value = true,
                Some(byte) if byte.is_ascii_whitespace() => {}
                Some(_) => value = false,
            }
            at += 1;
        }
        let inside = &self.text[name_end..at];
        let (attributes, empty) = match inside.strip_suffix('/') {
            Some(attributes) => (attributes, true),
            None => (inside, false),
        };
        Some(Token::Start(Tag {
            name,
            attributes,
            empty,
        }))
    }
}

impl<'a> Iterator for XmlScanner<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            let rest = &self.text[self.at..];
            let mut chars = rest.chars();
            if chars.next()? != '<' {
                let end = rest.find('<').unwrap_or(rest.len());
                self.at += end;
                return Some(Token::Text(&rest[..end]));
            }
            if rest.starts_with("<!--") {
                self.until(self.at + 4, "-->")?;
            } else if rest.starts_with("<![CDATA[") {
                return self.until(self.at + 9, "]]>").map(Token::CData);
            } else if rest.starts_with("<!") {
                if self.doctype().is_none() {
                    return self.stop();
                }
            } else if rest.starts_with("<?") {
                self.until(self.at + 2, ">")?;
            } else if let Some(inside) = rest.strip_prefix("</") {
                let Some(end) = inside.find(['>', '<']) else {
                    return self.stop();
                };
                self.at += 2 + end + usize::from(inside.as_bytes()[end] == b'>');
                return Some(Token::End(inside[..end].trim()));
            } else if chars.next().is_some_and(is_name_start) {
                return self.tag();
            } else {
                self.at += 1;
                return Some(Token::Text(&rest[..1]));
            }
        }
    }
}

impl Tag<'_> {
    /// The attributes as (name as written, value with entities replaced), the
    /// first of each name.
    pub(super) fn attributes(&self) -> Vec<(String, String)> {
        let mut found: Vec<(String, String)> = Vec::new();
        let mut rest = self.attributes.trim_start();
        while !rest.is_empty() && found.len() < MAX_ATTRIBUTES {
            let name_end = rest
                .find(|c: char| c == '=' || c.is_ascii_whitespace())
                .unwrap_or(rest.len());
            let name = &rest[..name_end];
            rest = rest[name_end..].trim_start();
            let mut value = "";
            if let Some(after) = rest.strip_prefix('=') {
                let after = after.trim_start();
                let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''));
                let (inside, end) = match quote {
                    Some(quote) => {
                        let inside = &after[1..];
                        let end = inside.find(quote).unwrap_or(inside.len());
                        (inside, (end, (end + 1).min(inside.len())))
                    }
                    None => {
                        let end = after
                            .find(|c: char| c.is_ascii_whitespace())
                            .unwrap_or(after.len());
                        (after, (end, end))
                    }
                };
                value = &inside[..end.0];
                rest = inside[end.1..].trim_start();
            }
            if !name.is_empty() && found.iter().all(|(known, _)| known != name) {
                found.push((name.to_owned(), unescape(value)));
            }
        }
        found
    }
}

/// The local part of a name.
pub fn local(name: &str) -> &str {
    name.rsplit(':').next().unwrap_or(name)
}

/// Text with its character references replaced: the five of XML, HTML's names
/// and numbers (128 to 159 as HTML reads them, as windows-1252, or with their neighbours as
/// the bytes of UTF-8 that they are). What is no reference stays as it is.
pub fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('&') {
        out.push_str(&rest[..start]);
        rest = &rest[start..];
        let after = &rest.as_bytes()[1..];
        let end = after
            .iter()
            .take(MAX_ENTITY + 1)
            .position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'#');
        match end {
            Some(end) if after[end] == b';' && push_reference(&rest[1..=end + 1], &mut out) => {
                rest = &rest[end + 2..];
            }
            _ => {
                out.push('&');
                rest = &rest[1..];
            }
        }
    }
    out.push_str(rest);
    mend_c1(out.into()).into_owned()
}

/// Appends the text of a reference (`amp;`, `#38;`), or returns false if it is not one.
fn push_reference(reference: &str, out: &mut String) -> bool {
    if let Some(number) = reference.strip_prefix('#') {
        let number = number.trim_end_matches(';');
        let code = match number.strip_prefix(['x', 'X']) {
            Some(hex) => u32::from_str_radix(hex, 16),
            None => number.parse(),
        };
        let Ok(code) = code else { return false };
        // A character that XML does not allow is left out.
        out.extend(char::from_u32(code).filter(|&c| is_xml(c)));
        return true;
    }
    if reference == "apos;" {
        out.push('\'');
        return true;
    }
    match NAMED_ENTITIES.get(reference) {
        Some(&(first, second)) if first != 0 => {
            out.extend(char::from_u32(first));
            out.extend(char::from_u32(second).filter(|&c| c != '\0'));
            true
        }
        _ => false,
    }
}

/// Returns true if XML 1.0 allows the character.
pub(super) fn is_xml(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{FFFD}' | '\u{10000}'..)
}

fn is_name_start(c: char) -> bool {
    c.is_alphabetic() || c == '_' || c == ':'
}

fn is_name_end(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>' | b'<' | b'=' | b'"' | b'\'')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let mut scanner = XmlScanner::new(text);
        let mut shown: Vec<String> = scanner
            .by_ref()
            .map(|token| match token {
                Token::Start(tag) => {
                    let attributes: String = tag
                        .attributes()
                        .iter()
                        .map(|(name, value)| format!(" {name}={value}"))
                        .collect();
                    format!(
                        "<{}{attributes}{}>",
                        tag.name,
                        if tag.empty { "/" } else { "" }
                    )
                }
                Token::End(name) => format!("</{name}>"),
                Token::Text(text) => unescape(text),
                Token::CData(text) => format!("[{text}]"),
            })
            .collect();
        if scanner.cut {
            shown.push("cut".to_owned());
        }
        assert_eq!(shown.join("|"), expected);
    }

    #[test]
    fn tags() {
        check("<a x='1' y=2 z>t</a >", "<a x=1 y=2 z=>|t|</a>");
        check("<a x=\"a>b\"/>", "<a x=a>b/>");
        check("<a x='1' x='2'/>", "<a x=1/>");
        check("<a 'b' <c>", "<a 'b'=>|<c>");
        check("it's <b title='x'>", "it's |<b title=x>");
    }

    #[test]
    fn text_that_is_no_markup() {
        check("1 < 2", "1 |<| 2");
        check("<3 & more", "<|3 & more");
    }

    #[test]
    fn references() {
        check("&nbsp;&eacute;&lt;&apos;&#65;&#x42;&#146;", "\u{a0}é<'AB’");
        check("&#146; &acirc;&#128;&#153; &acirc;&#128;&brvbar;", "’ ’ …");
        check("a & b &foo; &#0; &#x110000; &;", "a & b &foo;   &;");
        check("&#99999999999;", "&#99999999999;");
        check("&notit; &amp", "&notit; &amp");
    }

    #[test]
    fn what_is_skipped() {
        check("<?xml version='1.0'?><!-- <a> --><a/>", "<a/>");
        check(
            "<!DOCTYPE r [<!ENTITY a '&b;&b;'>]><r>&a;</r>",
            "<r>|&a;|</r>",
        );
        check(
            "<!DOCTYPE rss PUBLIC '-//N//DTD' 'u.dtd'>\n<rss/>",
            "\n|<rss/>",
        );
    }

    #[test]
    fn what_is_cut() {
        check("<a><![CDATA[x", "<a>|cut");
        check("<a><b x='", "<a>|cut");
        check("<a><!-- ", "<a>|cut");
        check("<a></b", "<a>|cut");
        check("<![CDATA[a<b]]>c", "[a<b]|c");
    }
}
