//! The fields of feeds and items: what is in them, and how they are written
//! again for feed-rs.

use super::plain;
use super::scan::{Tag, Token, XmlScanner, local, unescape};
use super::space::{FeedFamily, FeedNamespace};
use forest_html::page::plain::escape;
use forest_html::text::fold;

/// A child element of the feed or of an item.
#[derive(Debug)]
pub(super) struct FeedField {
    pub space: FeedNamespace,
    pub name: String,
    pub attributes: Vec<(String, String)>,
    /// Text with its references replaced; used where no element is inside.
    pub plain: String,
    /// The inside as HTML; used where there is one.
    pub markup: String,
    pub has_markup: bool,
}

impl FeedField {
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        attribute(&self.attributes, name)
    }

    /// The content, HTML or text.
    pub(super) fn content(&self) -> &str {
        if self.has_markup {
            self.markup.trim()
        } else {
            self.plain.trim()
        }
    }

    pub(super) fn text(&self) -> Option<String> {
        let text = plain::one_line(self.content());
        (!text.is_empty()).then_some(text)
    }
}

/// The value of an attribute, by its name as written.
pub(super) fn attribute<'a>(attributes: &'a [(String, String)], name: &str) -> Option<&'a str> {
    let (_, value) = attributes.iter().find(|(known, _)| known == name)?;
    Some(value.trim())
}

/// Writes a title, summary or content as feed-rs wants it for the family.
pub(super) fn write_text(out: &mut String, element: &str, field: &FeedField, family: FeedFamily) {
    let content = field.content();
    if content.is_empty() {
        return;
    }
    if family == FeedFamily::Rss {
        return write_element(out, element, "", content);
    }
    let kind = field.attribute("type").unwrap_or_default();
    let html = field.has_markup
        || match kind {
            "html" | "text/html" | "xhtml" | "application/xhtml+xml" => true,
            // Atom 0.3 said it by `mode`, and many writers forget the type.
            _ => {
                field.attribute("mode") == Some("escaped")
                    || (kind.is_empty() && plain::looks_like_html(content))
            }
        };
    let text = matches!(kind, "" | "text" | "text/plain");
    if html {
        write_element(out, element, " type=\"html\"", content);
    } else if text {
        // Where no type says that it is text, references in it are meant as such.
        let content = if kind.is_empty() {
            unescape(content)
        } else {
            content.to_owned()
        };
        write_element(out, element, " type=\"text\"", &content);
    }
}

pub(super) fn write_element(out: &mut String, element: &str, attributes: &str, content: &str) {
    out.push('<');
    out.push_str(element);
    out.push_str(attributes);
    out.push('>');
    escape(content, out);
    out.push_str("</");
    out.push_str(element);
    out.push('>');
}

pub(super) fn push_tag(tag: Tag<'_>, out: &mut String) {
    out.push('<');
    out.push_str(local(tag.name));
    for (name, value) in tag.attributes() {
        if !name.starts_with("xmlns") {
            out.push(' ');
            out.push_str(&name);
            out.push_str("=\"");
            escape(&value, out);
            out.push('"');
        }
    }
    // HTML knows no empty elements but its own void ones.
    out.push_str(if tag.empty { " />" } else { ">" });
}

pub(super) fn push_end(name: &str, out: &mut String) {
    out.push_str("</");
    out.push_str(local(name));
    out.push('>');
}

/// The name in an author field: Atom's `name`, RSS's `mail (Name)` or
/// `Name <mail>`, or the text; a mail address alone is no name.
pub(super) fn author(field: &FeedField) -> Option<String> {
    let inner = if field.has_markup {
        child(&field.markup, "name")?
    } else {
        field.plain.clone()
    };
    author_name(&inner)
}

/// The name in `mail (Name)`, `Name <mail>` or plain text.
pub(super) fn author_name(text: &str) -> Option<String> {
    let text = unescape(text);
    let name = match (text.find('('), text.rfind(')')) {
        (Some(open), Some(close)) if open < close && text[..open].contains('@') => {
            &text[open + 1..close]
        }
        _ => match text.find('<') {
            Some(open) if text[open..].contains('@') => &text[..open],
            _ => &text,
        },
    };
    let name = fold(name);
    let mail = name.contains('@') && !name.contains(' ');
    (!name.is_empty() && !mail).then_some(name)
}

/// The text of the first child element with the local name.
fn child(markup: &str, name: &str) -> Option<String> {
    let mut scanner = XmlScanner::new(markup);
    while let Some(token) = scanner.next() {
        if let Token::Start(tag) = token
            && tag.name == name
        {
            return match scanner.next()? {
                Token::Text(text) => Some(unescape(text)),
                _ => None,
            };
        }
    }
    None
}

/// A file that goes with an item, as the feed has it.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Attached {
    pub url: String,
    pub media_type: Option<String>,
    pub bytes: Option<u64>,
}

/// The file that a field names: RSS's `enclosure`, Atom's link of that kind, and what
/// Media RSS says of a recording or a film.
pub(super) fn attached(field: &FeedField) -> Option<Attached> {
    let kind = field.attribute("type").map(str::trim).unwrap_or_default();
    let (address, length) = match (field.space, field.name.as_str()) {
        (FeedNamespace::Core, "enclosure") => ("url", "length"),
        (FeedNamespace::Core | FeedNamespace::Atom, "link")
            if field.attribute("rel") == Some("enclosure") =>
        {
            ("href", "length")
        }
        (FeedNamespace::Media, "content") => {
            let medium = field.attribute("medium").unwrap_or_default();
            let is_played = ["audio", "video"]
                .iter()
                .any(|played| medium == *played || kind.split('/').next() == Some(*played));
            if !is_played {
                return None;
            }
            ("url", "fileSize")
        }
        _ => return None,
    };
    let url = field.attribute(address)?.trim();
    let bytes = field.attribute(length).and_then(|n| n.trim().parse().ok());
    (!url.is_empty()).then(|| Attached {
        url: url.to_owned(),
        media_type: (!kind.is_empty()).then(|| kind.to_owned()),
        // Writers that do not know it say 0.
        bytes: bytes.filter(|bytes| *bytes > 0),
    })
}

/// The address of a feed's own picture: RSS's `image` with a `url` in it, Atom's `logo`
/// and `icon`, and the podcasts' `image`.
pub(super) fn picture(field: &FeedField) -> Option<String> {
    let address = match field.attribute("href") {
        Some(href) => href.to_owned(),
        None if field.has_markup => child(&field.markup, "url")?,
        None => field.content().to_owned(),
    };
    let address = address.trim();
    (!address.is_empty()).then(|| address.to_owned())
}

/// The address of an image in a media field.
pub(super) fn image(field: &FeedField) -> Option<String> {
    if field.name == "group" {
        return XmlScanner::new(&field.markup).find_map(|token| match token {
            Token::Start(tag) => image_address(tag.name, &tag.attributes()),
            _ => None,
        });
    }
    image_address(&field.name, &field.attributes)
}

fn image_address(name: &str, attributes: &[(String, String)]) -> Option<String> {
    let kind = attribute(attributes, "type").unwrap_or_default();
    let medium = attribute(attributes, "medium").unwrap_or_default();
    let is_image =
        matches!(name, "thumbnail" | "image") || medium == "image" || kind.starts_with("image/");
    let address = attribute(attributes, "url").or(attribute(attributes, "href"))?;
    (is_image && !address.is_empty()).then(|| address.to_owned())
}
