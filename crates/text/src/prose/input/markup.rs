//! The text of XML documents.

use forest_core::feed::scan::{Token, XmlScanner, local, unescape};

/// The elements of converted documents (Kitten 2.1).
const CONVERTED: [&str; 4] = ["header", "document", "textfield", "page"];

/// Bytes that are searched for the elements by which XML is known.
const HEAD_BYTES: usize = 64 * 1024;

/// Returns true if XML is a converted document: it has at least two of `header`, `document`,
/// `textfield` and `page`, the first element among them, and no element of HTML.
pub fn is_converted(text: &str) -> bool {
    let head = &text[..text.floor_char_boundary(HEAD_BYTES)];
    let mut seen = [false; CONVERTED.len()];
    let mut first = true;
    for token in XmlScanner::new(head) {
        let Token::Start(tag) = token else { continue };
        let name = local(tag.name).to_ascii_lowercase();
        let at = CONVERTED.iter().position(|known| *known == name);
        if (first && at.is_none()) || matches!(&*name, "html" | "body" | "head") {
            return false;
        }
        if let Some(at) = at {
            seen[at] = true;
        }
        first = false;
    }
    seen.iter().filter(|seen| **seen).count() >= 2
}

/// The text of XML: a paragraph an element, blank lines between them. An element among
/// text is part of its paragraph, except the four elements of converted documents.
///
/// ```
/// use forest_text::prose::input::markup::paragraphs;
///
/// assert_eq!(paragraphs("<a><b>One.</b><b>Two <i>big</i> things.</b></a>").trim(), "One.\n\nTwo big things.");
/// ```
pub fn paragraphs(xml: &str) -> String {
    let mut out = String::new();
    // For each open element, true if it has text of its own so far; innermost last.
    let mut has_text: Vec<bool> = Vec::new();
    for token in XmlScanner::new(xml) {
        match token {
            Token::Start(tag) => {
                break_before(tag.name, &has_text, &mut out);
                if !tag.empty {
                    has_text.push(false);
                }
            }
            Token::End(name) => {
                has_text.pop();
                break_before(name, &has_text, &mut out);
            }
            Token::Text(text) => push(&unescape(text), &mut has_text, &mut out),
            Token::CData(text) => push(text, &mut has_text, &mut out),
        }
    }
    out
}

fn break_before(name: &str, has_text: &[bool], out: &mut String) {
    let inside = has_text.last().copied().unwrap_or(false);
    let name = local(name);
    if (!inside || CONVERTED.iter().any(|c| c.eq_ignore_ascii_case(name))) && !out.ends_with("\n\n")
    {
        out.push_str("\n\n");
    }
}

fn push(text: &str, has_text: &mut [bool], out: &mut String) {
    if let Some(has_text) = has_text.last_mut() {
        *has_text |= text.contains(|c: char| !c.is_whitespace());
    }
    out.push_str(text);
}
