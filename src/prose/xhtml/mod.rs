//! A page as well-formed XHTML in UTF-8: Kitten 2.2 and 2.3.
//!
//! Takes a [`Page`]; gives text that any XML parser accepts, whatever the page's
//! bytes were. Tags are closed and nested rightly, since they come from the tree
//! that html5ever built; entities are characters, numeric references to the C1
//! range (`&#146;`) included, which html5ever reads as windows-1252 (the paper's
//! last conversion); nothing is indented, so that no line break comes into a text
//! that had none (the paper sets jTidy's indentation to 0).
//!
//! - [`name`](mod@name): names of elements and attributes that XML allows.
//! - [`chars`]: characters that XML allows, escaped; C1 characters mended.
//!
//! What XML forbids and HTML allows is written so:
//!
//! | in the page | in XHTML |
//! | --- | --- |
//! | control characters, U+FFFE, U+FFFF | left out; form feed and vertical tab are a space |
//! | `a"b`, `@click`, `o:p` as names | `_` for what is not allowed; of two attributes that become one name the first stays |
//! | `--` in a comment | `- -` |
//! | content of `script`, `style` and the like | plain text, escaped as any other (as HTMLCleaner does) |
//! | `xmp`, `listing`, `plaintext` | `pre`: escaped text would not be read back in them |
//! | `svg`, `math`, `xlink:href` | with their namespaces |
//! | `lang` | with `xml:lang` beside it, where it is a language tag |
//! | a `meta` that names another charset | it names UTF-8 |
//! | contents of a `template` | below the `template` |
//!
//! **Departures.** HTMLCleaner, jTidy and jChardet are html5ever and the charset
//! rules of [`page::charset`](mod@crate::page::charset). Well-formed, not valid: the
//! document type is HTML's short one, and elements and attributes that no document
//! type knows stay, since their text would be lost with them. The output is at
//! most [`MAX_GROWTH`] times as long as the page; what would be longer (a page of
//! nothing but `&`) is cut, and said to be.

pub mod chars;
pub mod name;

use crate::page::{Kind, NodeId, Page};
use chars::{Within, push_escaped};
use html5ever::{QualName, local_name, ns};
use name::push_name;
use std::collections::BTreeSet;

/// Times the length of the page that its XHTML has at the most (ARCHITECTURE,
/// invariants).
pub const MAX_GROWTH: usize = 4;

/// Bytes that any page's XHTML may have: declaration, namespace and the elements
/// that every page has.
const FREE_BYTES: usize = 1024;

/// What stands before the root element.
const PROLOGUE: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE html>\n";

/// A page as XHTML.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Xhtml {
    /// The document, with an XML declaration, or the fragment.
    pub text: String,
    /// The rest was left out: it was longer than [`MAX_GROWTH`] times the page.
    pub cut: bool,
}

/// The whole page, a document.
///
/// ```
/// use forest::page::Page;
/// use forest::prose::xhtml::xhtml;
///
/// let page = Page::from_html("<title>A</title><p class=x>1 &lt; 2<br>it&#146;s &eacute;");
/// let xhtml = xhtml(&page).text;
/// assert!(xhtml.ends_with("<body><p class=\"x\">1 &lt; 2<br />it’s é</p></body></html>\n"));
/// ```
pub fn xhtml(page: &Page) -> Xhtml {
    let mut writer = Writer::new(page);
    writer.out.push_str(PROLOGUE);
    let root = page
        .children(page.root())
        .find(|&n| page.kind(n) == Kind::Element);
    match root {
        // Comments before and behind the root say nothing.
        Some(root) => writer.subtree(root),
        // The parser makes an `html` element of anything; without it there is none.
        None => writer
            .out
            .push_str("<html xmlns=\"http://www.w3.org/1999/xhtml\"></html>"),
    }
    writer.out.push('\n');
    writer.done()
}

/// What is in the page's `body`, as a piece of a document whose default namespace
/// is XHTML's.
///
/// ```
/// use forest::page::Page;
/// use forest::prose::xhtml::fragment;
///
/// assert_eq!(fragment(&Page::from_html("<p>a<p>b")).text, "<p>a</p><p>b</p>");
/// ```
pub fn fragment(page: &Page) -> Xhtml {
    let mut writer = Writer::new(page);
    if let Some(body) = page.body() {
        writer.spaces.push(Space::Html);
        for child in page.children(body) {
            writer.subtree(child);
        }
    }
    writer.done()
}

/// The namespaces that an HTML parser gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Space {
    Html,
    Svg,
    MathMl,
}

impl Space {
    fn of(name: &QualName) -> Space {
        match name.ns {
            ns!(svg) => Space::Svg,
            ns!(mathml) => Space::MathMl,
            _ => Space::Html,
        }
    }

    /// Its declaration; foreign elements may have attributes of XLink.
    fn declaration(self) -> &'static str {
        match self {
            Space::Html => " xmlns=\"http://www.w3.org/1999/xhtml\"",
            Space::Svg => {
                " xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\""
            }
            Space::MathMl => {
                " xmlns=\"http://www.w3.org/1998/Math/MathML\" \
                 xmlns:xlink=\"http://www.w3.org/1999/xlink\""
            }
        }
    }
}

struct Writer<'p> {
    page: &'p Page,
    out: String,
    limit: usize,
    cut: bool,
    /// Elements that are open, with their names as written, innermost last.
    open: Vec<(NodeId, String)>,
    /// Their namespaces; a fragment has one more.
    spaces: Vec<Space>,
}

impl<'p> Writer<'p> {
    fn new(page: &'p Page) -> Writer<'p> {
        Writer {
            page,
            out: String::new(),
            limit: page.source_bytes() * MAX_GROWTH + FREE_BYTES,
            cut: false,
            open: Vec::new(),
            spaces: Vec::new(),
        }
    }

    fn done(self) -> Xhtml {
        Xhtml {
            text: self.out,
            cut: self.cut,
        }
    }

    fn subtree(&mut self, top: NodeId) {
        let mut at = top;
        while at < self.page.end(top) && !self.cut {
            self.close_until(at);
            self.node(at);
            at.0 += 1;
        }
        self.close_until(self.page.end(top));
    }

    fn close_until(&mut self, n: NodeId) {
        while let Some((open, name)) = self.open.last() {
            if self.page.end(*open) > n {
                break;
            }
            self.out.push_str("</");
            self.out.push_str(name);
            self.out.push('>');
            self.open.pop();
            self.spaces.pop();
        }
    }

    fn node(&mut self, n: NodeId) {
        let before = self.out.len();
        match self.page.kind(n) {
            Kind::Text => push_escaped(self.page.text(n), Within::Text, &mut self.out),
            Kind::Comment => comment(self.page.note(n), &mut self.out),
            Kind::Element => self.element(n),
            // HTML has no processing instructions; one document type is written.
            Kind::Document | Kind::Fragment | Kind::Doctype | Kind::Instruction => {}
        }
        if self.out.len() > self.limit {
            self.cut = true;
            self.out.truncate(before);
            if self.open.last().is_some_and(|(open, _)| *open == n) {
                self.open.pop();
                self.spaces.pop();
            }
        }
    }

    fn element(&mut self, n: NodeId) {
        let page = self.page;
        let name = page.name(n).expect("an element has a name");
        let space = Space::of(name);
        let start = self.out.len();
        self.out.push('<');
        match page.tag(n) {
            Some(tag) if is_verbatim(tag) => self.out.push_str("pre"),
            _ => push_name(&name.local, &mut self.out),
        }
        let written = self.out[start + 1..].to_owned();
        if self.spaces.last() != Some(&space) {
            self.out.push_str(space.declaration());
        }
        self.attributes(n, space);
        if page.tag(n).is_some_and(is_void) && page.end(n).0 == n.0 + 1 {
            self.out.push_str(" />");
            return;
        }
        self.out.push('>');
        self.open.push((n, written));
        self.spaces.push(space);
    }

    fn attributes(&mut self, n: NodeId, space: Space) {
        let page = self.page;
        let mut names = BTreeSet::new();
        let has_xml_lang = page
            .attrs(n)
            .any(|(name, value)| is_xml_lang(name) && is_language_tag(value));
        for (name, value) in page.attrs(n) {
            let mut written = String::new();
            match &*name.local {
                // Namespaces are declared where they begin.
                "xmlns" => continue,
                _ if name.ns == ns!(xmlns) => continue,
                _ if is_xml_lang(name) => match is_language_tag(value) {
                    true => written.push_str("xml:lang"),
                    false => continue,
                },
                "space" if name.ns == ns!(xml) => match value {
                    "preserve" | "default" => written.push_str("xml:space"),
                    _ => continue,
                },
                local if name.ns == ns!(xlink) && space != Space::Html => {
                    written.push_str("xlink:");
                    push_name(local, &mut written);
                }
                local => push_name(local, &mut written),
            }
            if names.contains(&written) {
                continue;
            }
            let value = match utf8_of(page, n, &name.local, value) {
                true if &*name.local == "content" => "text/html; charset=UTF-8",
                true => "UTF-8",
                false => value,
            };
            self.attribute(&written, value);
            if written == "lang" && !has_xml_lang && is_language_tag(value) {
                self.attribute("xml:lang", value);
            }
            names.insert(written);
        }
    }

    fn attribute(&mut self, name: &str, value: &str) {
        self.out.push(' ');
        self.out.push_str(name);
        self.out.push_str("=\"");
        push_escaped(value, Within::Attribute, &mut self.out);
        self.out.push('"');
    }
}

/// `xml:lang`, in a foreign element or as XHTML served as HTML has it.
fn is_xml_lang(name: &QualName) -> bool {
    match name.ns {
        ns!(xml) => &*name.local == "lang",
        _ => &*name.local == "xml:lang",
    }
}

/// Letters, digits and hyphens: what XML calls a language. libxml2 complains of
/// others.
fn is_language_tag(value: &str) -> bool {
    let mut parts = value.split('-');
    let first = parts.next().unwrap_or_default();
    (2..=3).contains(&first.len())
        && first.bytes().all(|b| b.is_ascii_alphabetic())
        && parts.all(|part| {
            (1..=8).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphanumeric())
        })
}

/// Whether an attribute of a `meta` names the charset, which is now UTF-8.
fn utf8_of(page: &Page, n: NodeId, name: &str, value: &str) -> bool {
    page.is(n, &local_name!("meta"))
        && match name {
            "charset" => true,
            "content" => {
                page.attr(n, "http-equiv")
                    .is_some_and(|kind| kind.trim().eq_ignore_ascii_case("content-type"))
                    && value.to_ascii_lowercase().contains("charset")
            }
            _ => false,
        }
}

/// HTML elements that have no contents.
fn is_void(tag: &html5ever::LocalName) -> bool {
    matches!(
        &**tag,
        "area"
            | "base"
            | "basefont"
            | "bgsound"
            | "br"
            | "col"
            | "embed"
            | "frame"
            | "hr"
            | "img"
            | "input"
            | "keygen"
            | "link"
            | "meta"
            | "param"
            | "source"
            | "track"
            | "wbr"
    )
}

/// Obsolete elements whose text an HTML parser reads as it stands.
fn is_verbatim(tag: &html5ever::LocalName) -> bool {
    matches!(&**tag, "xmp" | "listing" | "plaintext")
}

/// A comment without `--`, and without what would end it for an HTML parser.
fn comment(note: &str, out: &mut String) {
    out.push_str("<!--");
    let mut last = '-';
    for c in note.chars().filter_map(chars::legal) {
        if last == '-' && matches!(c, '-' | '>') {
            out.push(' ');
        }
        out.push(c);
        last = c;
    }
    if last == '-' {
        out.push(' ');
    }
    out.push_str("-->");
}

#[cfg(test)]
mod tests;
