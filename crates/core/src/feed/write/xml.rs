//! XML that holds any text.

use forest_html::page::plain::escape;
use forest_html::text::fold;
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};
use std::borrow::Cow;

/// Why writing to memory does not fail.
pub const IN_MEMORY: &str = "a vector takes all bytes";

/// An XML document that is being written.
pub type Xml = Writer<Vec<u8>>;

/// A document whose content `inside` writes.
pub fn document(inside: impl FnOnce(&mut Xml)) -> String {
    let mut xml = Writer::new_with_indent(Vec::new(), b' ', 1);
    let declaration = BytesDecl::new("1.0", Some("utf-8"), None);
    let declared = xml.write_event(Event::Decl(declaration));
    declared.expect(IN_MEMORY);
    inside(&mut xml);
    let mut bytes = xml.into_inner();
    bytes.push(b'\n');
    String::from_utf8(bytes).expect("all that was written is UTF-8")
}

/// An element with attributes, around what `inside` writes.
pub fn nested(
    xml: &mut Xml,
    name: &str,
    attributes: &[(&str, &str)],
    inside: impl FnOnce(&mut Xml),
) {
    let element = xml.create_element(name);
    let written = element
        .with_attributes(attributes.iter().copied())
        .write_inner_content(|xml| {
            inside(xml);
            Ok(())
        });
    written.expect(IN_MEMORY);
}

/// An element with a text.
pub fn text(xml: &mut Xml, name: &str, attributes: &[(&str, &str)], text: &str) {
    let element = xml.create_element(name);
    let written = element
        .with_attributes(attributes.iter().copied())
        .write_text_content(BytesText::new(&valid_chars(text)));
    written.expect(IN_MEMORY);
}

/// An element without content.
pub fn empty(xml: &mut Xml, name: &str, attributes: &[(&str, &str)]) {
    let element = xml.create_element(name);
    let written = element
        .with_attributes(attributes.iter().copied())
        .write_empty();
    written.expect(IN_MEMORY);
}

/// The text without characters that XML 1.0 cannot hold (section 2.2), not even as
/// references; its line ends as `\n`.
pub fn valid_chars(text: &str) -> Cow<'_, str> {
    let is_odd =
        |c: char| matches!(c, '\0'..='\u{8}' | '\u{b}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}');
    if !text.contains(is_odd) {
        return Cow::Borrowed(text);
    }
    let lines = text.replace("\r\n", "\n").replace('\r', "\n");
    Cow::Owned(lines.replace(is_odd, ""))
}

/// The text on one line.
pub fn one_line(text: &str) -> String {
    fold(&valid_chars(text))
}

/// The text, on one line, as HTML, if HTML would take something in it for a tag or an
/// entity.
pub fn as_markup(text: &str) -> Option<String> {
    let text = one_line(text);
    let next = |at: usize| text.as_bytes().get(at + 1).copied().unwrap_or(b' ');
    let mut signs = text.match_indices(['<', '&']);
    let is_markup = signs.any(|(at, sign)| match sign {
        "<" => next(at).is_ascii_alphabetic() || matches!(next(at), b'/' | b'!' | b'?'),
        _ => next(at).is_ascii_alphabetic() || next(at) == b'#',
    });
    is_markup.then(|| {
        let mut out = String::new();
        escape(&text, &mut out);
        out
    })
}
