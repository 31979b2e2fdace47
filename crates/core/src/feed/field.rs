//! The fields of feeds and items, and what is in them.

use super::plain;
use super::raw::Attached;
use super::scan::{Tag, Token, XmlScanner, local, unescape};
use super::space::{FeedFamily, FeedNamespace};
use super::text::FeedText;
use base64::prelude::{BASE64_STANDARD, Engine};
use forest_html::page::plain::escape;
use forest_html::page::tags;
use forest_html::text::fold;

/// Bytes of a field for authors that are read: each address in it costs a look at all of it.
const MAX_AUTHOR_BYTES: usize = 2_000;

/// A child element of the feed or of an item.
#[derive(Debug)]
pub(super) struct FeedField {
    pub space: FeedNamespace,
    /// The local name in small letters.
    pub name: String,
    pub attributes: Vec<(String, String)>,
    /// Text with its references replaced; used where no element is inside.
    pub plain: String,
    /// The inside as HTML; used where there is one.
    pub markup: String,
    pub has_markup: bool,
    /// `xml:base` of the element that the inside begins with: RFC 4287 wants a `div` around
    /// XHTML, and some feeds have the base there.
    pub inner_base: Option<String>,
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

    /// The content as text on one line.
    pub(super) fn line(&self) -> String {
        plain::one_line(self.content())
    }

    /// The content as text on one line, if there is any.
    pub(super) fn text(&self) -> Option<String> {
        Some(self.line()).filter(|line| !line.is_empty())
    }

    /// The relation of a link, as it is registered: by name or by its address there.
    pub(super) fn relation(&self) -> String {
        let relation = self.attribute("rel").unwrap_or("alternate");
        let relation = relation.to_ascii_lowercase();
        let registered = relation.rsplit_once("iana.org/assignments/relation/");
        registered.map_or_else(|| relation.clone(), |(_, name)| name.to_owned())
    }

    /// A title, summary or content. RSS leaves open whether it is HTML; Atom says it by
    /// `type`, version 0.3 by `mode`, too, and many writers forget both.
    pub(super) fn to_text(&self, family: FeedFamily) -> FeedText {
        let content = self.content();
        let kind = self.attribute("type").unwrap_or_default();
        let is_of_media = self.space == FeedNamespace::Media;
        if family == FeedFamily::Rss && !is_of_media {
            return FeedText::html(content);
        }
        match kind.to_ascii_lowercase().as_str() {
            "" | "text/plain" if self.is_packed() => FeedText::plain(unpacked(content)),
            _ if self.is_packed() => FeedText::html(unpacked(content)),
            // HTML in references within an element, which should have been one or the other.
            "html" | "text/html" if self.has_markup && plain::looks_like_html(&self.plain) => {
                FeedText::html(self.plain.trim())
            }
            "image/svg+xml" => FeedText::default(),
            _ if self.has_markup => FeedText::html(content),
            "html" | "text/html" | "xhtml" | "application/xhtml+xml" => FeedText::html(content),
            _ if self.attribute("mode") == Some("escaped") => FeedText::html(content),
            "text" | "plain" => FeedText::plain(content),
            // Markdown, for one.
            kind if kind.starts_with("text/") => FeedText::plain(content),
            "" if plain::looks_like_html(content) => FeedText::html(content),
            // Where no type says that it is text, references in it are meant as such.
            "" => FeedText::plain(unescape(content)),
            // RFC 4287, 4.1.3.3: of any other media type it is Base64, and no text but for this.
            "application/octet-stream" => FeedText::html(unpacked(content)),
            _ => FeedText::default(),
        }
    }

    /// True if the content is in Base64, as version 0.3 of Atom says it.
    fn is_packed(&self) -> bool {
        self.attribute("mode") == Some("base64")
    }
}

/// A text that is written in Base64; empty if it is none.
fn unpacked(content: &str) -> String {
    let packed: String = content.split_ascii_whitespace().collect();
    let bytes = BASE64_STANDARD.decode(packed).unwrap_or_default();
    String::from_utf8(bytes).unwrap_or_default()
}

/// The value of an attribute, by its name as written.
pub(super) fn attribute<'a>(attributes: &'a [(String, String)], name: &str) -> Option<&'a str> {
    let (_, value) = attributes.iter().find(|(known, _)| known == name)?;
    Some(value.trim())
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
    out.push('>');
    // HTML takes an empty element for an open one, but for its own void ones.
    if tag.empty && !tags::has(&local(tag.name).to_ascii_lowercase(), tags::VOID) {
        push_end(tag.name, out);
    }
}

pub(super) fn push_end(name: &str, out: &mut String) {
    out.push_str("</");
    out.push_str(local(name));
    out.push('>');
}

/// The names in an author field: Atom's `name`, or the text without mail addresses.
pub(super) fn authors(field: &FeedField) -> Vec<String> {
    const PARTS: [&str; 4] = ["name", "email", "uri", "url"];
    if !field.has_markup {
        return author_names(&field.plain);
    }
    if PARTS
        .iter()
        .all(|part| child(&field.markup, part).is_none())
    {
        return author_names(&field.line());
    }
    let name = child(&field.markup, "name");
    name.map(|name| author_names(&name)).unwrap_or_default()
}

/// The names in a text: several if there are several mail addresses.
pub(super) fn author_names(text: &str) -> Vec<String> {
    let text = &text[..text.floor_char_boundary(MAX_AUTHOR_BYTES)];
    if text.matches('@').count() < 2 {
        return author_name(text).into_iter().collect();
    }
    let text = unescape(text).replace(" and ", ",");
    text.split([',', ';']).filter_map(author_name).collect()
}

/// The name in `Name`, `mail (Name)`, `Name <mail>`, `Name, mail` and the like; mail addresses
/// alone are no name.
fn author_name(text: &str) -> Option<String> {
    let text = unescape(text);
    let is_between = |c: char| c.is_whitespace() || ",;<>[]\"-".contains(c);
    let is_mail = |word: &str| word.find('@').is_some_and(|at| at > 0);
    let words = text.split(|c: char| c != '-' && (is_between(c) || "()".contains(c)));
    let mut name = text.clone();
    for mail in words.filter(|word| is_mail(word)) {
        name = name.replace(mail, " ");
    }
    if name != text {
        name = name.replace("( )", " ");
        let kept = name.trim_matches(is_between);
        let inner = kept
            .strip_prefix('(')
            .and_then(|kept| kept.strip_suffix(')'));
        name = inner.unwrap_or(kept).to_owned();
    }
    let name = fold(&name);
    (!name.is_empty()).then_some(name)
}

/// The names that a category gives: in its attributes, else as text, and those of
/// categories within it.
pub(super) fn categories(field: &FeedField) -> Vec<String> {
    let named = |attributes: &[(String, String)]| {
        let mut names = ["label", "term", "text"].iter();
        let name = names.find_map(|name| attribute(attributes, name))?;
        Some(plain::one_line(name))
    };
    // An element inside is another's.
    let text = || plain::one_line(field.content().split('<').next().unwrap_or_default());
    let own = named(&field.attributes).unwrap_or_else(text);
    let inner = XmlScanner::new(&field.markup).filter_map(|token| match token {
        Token::Start(tag) if tag.name == "category" => named(&tag.attributes()),
        _ => None,
    });
    std::iter::once(own).chain(inner).collect()
}

/// The text of the first child element with the local name, HTML if its type says so.
pub(super) fn child_text(markup: &str, name: &str) -> FeedText {
    match first_child(markup, name) {
        Some((tag, text)) if attribute(&tag.attributes(), "type") == Some("html") => {
            FeedText::html(text)
        }
        Some((_, text)) => FeedText::plain(text),
        None => FeedText::default(),
    }
}

/// The text of the first child element with the local name.
pub(super) fn child(markup: &str, name: &str) -> Option<String> {
    first_child(markup, name).map(|(_, text)| text)
}

/// The first element with the local name and the text at its beginning; `None` if it has none.
fn first_child<'a>(markup: &'a str, name: &str) -> Option<(Tag<'a>, String)> {
    let mut scanner = XmlScanner::new(markup);
    let tag = scanner.find_map(|token| match token {
        Token::Start(tag) if tag.name == name => Some(tag),
        _ => None,
    })?;
    match scanner.next()? {
        Token::Text(text) => Some((tag, unescape(text))),
        _ => None,
    }
}

/// The file that a field names: RSS's `enclosure`, Atom's link of that kind, and what
/// Media RSS says of a recording or a film.
pub(super) fn attached(field: &FeedField) -> Option<Attached> {
    let kind = field.attribute("type").map(str::trim).unwrap_or_default();
    let (address, length) = match (field.space, field.name.as_str()) {
        (FeedNamespace::Core, "enclosure") => ("url", "length"),
        (FeedNamespace::Core | FeedNamespace::Atom, "link") if field.relation() == "enclosure" => {
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
