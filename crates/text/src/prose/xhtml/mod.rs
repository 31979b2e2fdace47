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
//! Things that HTML allows and XML forbids are written so:
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
//! | elements nested deeper than [`MAX_DEPTH`] | dissolved, their text stays; scripts and the like are left out |
//! | text of more than [`MAX_RUN_BYTES`] without markup | parted by an empty comment |
//!
//! **Departures.** HTMLCleaner, jTidy and jChardet are html5ever and the charset
//! rules of [`page::charset`](mod@forest_html::page::charset). Well-formed, not valid: the
//! document type is HTML's short one, and elements and attributes that no document
//! type knows stay, since their text would be lost with them. The output is at
//! most [`MAX_GROWTH`] times as long as the page; a longer one (of a page of nothing but
//! `&`) is cut and marked as [cut](Xhtml::cut).

pub mod chars;
pub mod name;

pub use chars::legal;

use chars::{Within, push_escaped};
use forest_html::page::{Kind, MAX_GROWTH, NodeId, Page, tags};
use html5ever::{QualName, local_name, ns};
use name::push_name;
use std::collections::BTreeSet;

/// Open elements at the most: libxml2 refuses a document of more than 256.
pub const MAX_DEPTH: usize = 250;

/// Bytes of one piece of text, one attribute or one comment at the most: libxml2
/// refuses a document with one of 10 MB. An attribute that is longer is left out, a
/// comment's end, too.
pub const MAX_RUN_BYTES: usize = 8_000_000;

/// Bytes that any page's XHTML may have: declaration, namespace and the elements
/// that every page has.
const FREE_BYTES: usize = 1024;

/// The text before the root element.
const PROLOGUE: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE html>\n";

/// A page as XHTML.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Xhtml {
    /// The document, with an XML declaration, or the fragment.
    pub text: String,
    /// True if something was left out: the end of a text longer than [`MAX_GROWTH`] times
    /// the page, or an attribute or a comment longer than [`MAX_RUN_BYTES`].
    pub cut: bool,
    /// Elements that were nested deeper than [`MAX_DEPTH`].
    pub dissolved: usize,
}

/// The whole page, a document.
///
/// ```
/// use forest_html::page::Page;
/// use forest_text::prose::xhtml::xhtml;
///
/// let page = Page::from_html("<title>A</title><p class=x>1 &lt; 2<br>it&#146;s &eacute;");
/// let xhtml = xhtml(&page).text;
/// assert!(xhtml.ends_with("<body><p class=\"x\">1 &lt; 2<br />it’s é</p></body></html>\n"));
/// ```
pub fn xhtml(page: &Page) -> Xhtml {
    let mut writer = XhtmlWriter::new(page);
    writer.out.push_str(PROLOGUE);
    let root = page
        .children(page.root())
        .find(|&n| page.kind(n) == Kind::Element);
    match root {
        // Comments before and behind the root are left out.
        Some(root) => writer.subtree(root),
        // The parser always makes an `html` element; other pages may lack it.
        None => writer
            .out
            .push_str("<html xmlns=\"http://www.w3.org/1999/xhtml\"></html>"),
    }
    writer.out.push('\n');
    writer.finish()
}

/// The contents of the page's `body`, as a piece of a document whose default namespace is
/// XHTML's.
///
/// ```
/// use forest_html::page::Page;
/// use forest_text::prose::xhtml::fragment;
///
/// assert_eq!(fragment(&Page::from_html("<p>a<p>b")).text, "<p>a</p><p>b</p>");
/// ```
pub fn fragment(page: &Page) -> Xhtml {
    let mut writer = XhtmlWriter::new(page);
    if let Some(body) = page.body() {
        writer.spaces.push(Namespace::Html);
        for child in page.children(body) {
            writer.subtree(child);
        }
    }
    writer.finish()
}

/// True for MathML whose contents stand behind it as a [formula](Page::is_formula).
fn is_written_out(page: &Page, n: NodeId) -> bool {
    let behind = page.end(n);
    page.name(n).is_some_and(|name| name.ns == ns!(mathml))
        && behind.0 == n.0 + 1
        && behind.index() < page.len()
        && page.is_formula(behind)
}

/// The namespaces that an HTML parser gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Namespace {
    Html,
    Svg,
    MathMl,
}

impl Namespace {
    fn of(name: &QualName) -> Namespace {
        match name.ns {
            ns!(svg) => Namespace::Svg,
            ns!(mathml) => Namespace::MathMl,
            _ => Namespace::Html,
        }
    }

    /// Its declaration; foreign elements may have attributes of XLink.
    fn declaration(self) -> &'static str {
        match self {
            Namespace::Html => " xmlns=\"http://www.w3.org/1999/xhtml\"",
            Namespace::Svg => {
                " xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\""
            }
            Namespace::MathMl => {
                " xmlns=\"http://www.w3.org/1998/Math/MathML\" \
                 xmlns:xlink=\"http://www.w3.org/1999/xlink\""
            }
        }
    }
}

struct XhtmlWriter<'p> {
    page: &'p Page,
    out: String,
    limit: usize,
    cut: bool,
    /// True if the limit is reached.
    full: bool,
    dissolved: usize,
    /// Bytes of text since the last markup.
    run: usize,
    /// Elements that are open, with their names as written, innermost last.
    open: Vec<(NodeId, String)>,
    /// Their namespaces; a fragment has one more.
    spaces: Vec<Namespace>,
}

impl<'p> XhtmlWriter<'p> {
    fn new(page: &'p Page) -> XhtmlWriter<'p> {
        XhtmlWriter {
            page,
            out: String::new(),
            limit: page.source_bytes() * MAX_GROWTH + FREE_BYTES,
            cut: false,
            full: false,
            dissolved: 0,
            run: 0,
            open: Vec::new(),
            spaces: Vec::new(),
        }
    }

    fn finish(self) -> Xhtml {
        Xhtml {
            text: self.out,
            cut: self.cut,
            dissolved: self.dissolved,
        }
    }

    fn subtree(&mut self, top: NodeId) {
        let mut at = top;
        while at < self.page.end(top) && !self.full {
            self.close_until(at);
            at = self.node(at);
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
            self.run = 0;
            self.open.pop();
            self.spaces.pop();
        }
    }

    /// Writes a node without its contents; returns the next node.
    fn node(&mut self, n: NodeId) -> NodeId {
        let page = self.page;
        let before = self.out.len();
        let mut next = NodeId(n.0 + 1);
        match page.kind(n) {
            Kind::Text => self.text(page.text(n)),
            Kind::Comment => self.comment(page.note(n)),
            Kind::Element if is_written_out(page, n) => {}
            Kind::Element if self.open.len() < MAX_DEPTH => self.element(n),
            Kind::Element => {
                self.dissolved += 1;
                if !page.is_content(n) {
                    next = page.end(n);
                }
            }
            // HTML has no processing instructions; one document type is written.
            Kind::Document | Kind::Fragment | Kind::Doctype | Kind::Instruction => {}
        }
        if self.out.len() > self.limit {
            self.cut = true;
            self.full = true;
            self.out.truncate(before);
            if self.open.last().is_some_and(|(open, _)| *open == n) {
                self.open.pop();
                self.spaces.pop();
            }
        }
        next
    }

    fn text(&mut self, mut text: &str) {
        while self.run + text.len() > MAX_RUN_BYTES {
            let (piece, rest) = text.split_at(text.floor_char_boundary(MAX_RUN_BYTES - self.run));
            push_escaped(piece, Within::Text, &mut self.out);
            self.out.push_str("<!-- -->");
            self.run = 0;
            text = rest;
        }
        self.run += text.len();
        push_escaped(text, Within::Text, &mut self.out);
    }

    fn comment(&mut self, note: &str) {
        // Each character may become two.
        let kept = &note[..note.floor_char_boundary(MAX_RUN_BYTES / 2)];
        self.cut |= kept.len() < note.len();
        self.run = 0;
        comment(kept, &mut self.out);
    }

    fn element(&mut self, n: NodeId) {
        let page = self.page;
        let name = page.name(n).expect("an element has a name");
        let space = Namespace::of(name);
        let start = self.out.len();
        self.run = 0;
        self.out.push('<');
        match page.tag(n) {
            Some(tag) if tags::has(tag, tags::VERBATIM) => self.out.push_str("pre"),
            _ => push_name(&name.local, &mut self.out),
        }
        let written = self.out[start + 1..].to_owned();
        if self.spaces.last() != Some(&space) {
            self.out.push_str(space.declaration());
        }
        self.attributes(n, space);
        if page.end(n).0 == n.0 + 1 && page.tag(n).is_some_and(|tag| tags::has(tag, tags::VOID)) {
            self.out.push_str(" />");
            return;
        }
        self.out.push('>');
        self.open.push((n, written));
        self.spaces.push(space);
    }

    fn attributes(&mut self, n: NodeId, space: Namespace) {
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
                _ if is_xml_lang(name) => {
                    if is_language_tag(value) {
                        written.push_str("xml:lang")
                    } else {
                        continue;
                    }
                }
                "space" if name.ns == ns!(xml) => match value {
                    "preserve" | "default" => written.push_str("xml:space"),
                    _ => continue,
                },
                local if name.ns == ns!(xlink) && space != Namespace::Html => {
                    written.push_str("xlink:");
                    push_name(local, &mut written);
                }
                local => push_name(local, &mut written),
            }
            if names.contains(&written) {
                continue;
            }
            let value = if !utf8_of(page, n, &name.local, value) {
                value
            } else if &*name.local == "content" {
                "text/html; charset=UTF-8"
            } else {
                "UTF-8"
            };
            self.attribute(&written, value);
            if written == "lang" && !has_xml_lang && is_language_tag(value) {
                self.attribute("xml:lang", value);
            }
            names.insert(written);
        }
    }

    fn attribute(&mut self, name: &str, value: &str) {
        let before = self.out.len();
        self.out.push(' ');
        self.out.push_str(name);
        self.out.push_str("=\"");
        push_escaped(value, Within::Attribute, &mut self.out);
        self.out.push('"');
        if self.out.len() - before > MAX_RUN_BYTES {
            self.cut = true;
            self.out.truncate(before);
        }
    }
}

/// `xml:lang`, in a foreign element or as XHTML served as HTML has it.
fn is_xml_lang(name: &QualName) -> bool {
    match name.ns {
        ns!(xml) => &*name.local == "lang",
        _ => &*name.local == "xml:lang",
    }
}

/// Returns true for letters, digits and hyphens in the form that XML requires of a
/// language. libxml2 complains of others.
fn is_language_tag(value: &str) -> bool {
    let mut parts = value.split('-');
    let first = parts.next().unwrap_or_default();
    (2..=3).contains(&first.len())
        && first.bytes().all(|b| b.is_ascii_alphabetic())
        && parts.all(|part| {
            (1..=8).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphanumeric())
        })
}

/// Returns true if an attribute of a `meta` names the charset, which is now UTF-8.
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

/// Writes a comment without `--` and without characters that end it for an HTML parser.
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
