//! A filtered page as an HTML document.

use super::REMOVED_LINKS_CLASS;
use super::names::written_name;
use super::tree::{FilteredTree, NodeEdit, RemovedLink};
use forest_html::page::{Kind, MAX_GROWTH, NodeId, Page, tags};
use html5ever::{local_name, ns};

/// Bytes that any page's HTML may have: the elements that every page has.
const FREE_BYTES: usize = 1024;

/// HTML, and whether its end was left out.
pub(super) struct WrittenHtml {
    pub text: String,
    pub cut: bool,
}

/// The side of a page that is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageSide {
    /// The page as it was. The outermost elements that go have the attribute [`GONE`].
    Before,
    /// The page as it is filtered.
    After,
}

/// The attribute of elements that go.
const GONE: &str = " data-forest-gone=\"\"";

/// The document.
pub(super) fn html(tree: &FilteredTree<'_>) -> WrittenHtml {
    side(tree, PageSide::After, "")
}

/// The document of one side, with `head` at the beginning of its head.
pub(super) fn side(tree: &FilteredTree<'_>, side: PageSide, head: &str) -> WrittenHtml {
    let page = tree.page;
    let mut writer = TagWriter {
        tree,
        side,
        head,
        page,
        out: String::with_capacity(page.source_bytes()),
        limit: page.source_bytes() * MAX_GROWTH + FREE_BYTES + head.len() + tree.edits.set_bytes(),
        open: Vec::new(),
        body: page.body(),
        dropped_break: None,
        charset: None,
        cut: false,
    };
    writer.walk();
    writer.name_charset();
    WrittenHtml {
        text: writer.out,
        cut: writer.cut,
    }
}

/// A document of a text alone, a paragraph a line.
pub(super) fn text_only(text: &str) -> String {
    let mut out = String::from("<!DOCTYPE html><html><head></head><body>");
    for line in text.lines() {
        out.push_str("<p>");
        escape(line, &mut out);
        out.push_str("</p>");
    }
    out.push_str("</body></html>");
    out
}

struct TagWriter<'a> {
    tree: &'a FilteredTree<'a>,
    side: PageSide,
    /// Markup for the beginning of the head.
    head: &'a str,
    page: &'a Page,
    out: String,
    limit: usize,
    /// Elements that are open, innermost last.
    open: Vec<WrittenElement<'a>>,
    body: Option<NodeId>,
    /// The length of the output where a parser drops a line break that follows.
    dropped_break: Option<usize>,
    /// The length of the output where a charset may be named, unless an element names it.
    charset: Option<usize>,
    cut: bool,
}

/// An element whose start tag was written.
struct WrittenElement<'a> {
    node: NodeId,
    /// The name in its tags.
    name: &'a str,
    /// A parser reads its text as it stands.
    is_raw: bool,
}

impl<'a> TagWriter<'a> {
    fn walk(&mut self) {
        let page = self.page;
        let mut at = page.root();
        let end = page.end(at);
        while at < end && !self.cut {
            self.close_until(at);
            at = self.node(at);
        }
        self.close_until(NodeId(u32::MAX));
    }

    /// Writes a node without its children; gives the next node.
    fn node(&mut self, n: NodeId) -> NodeId {
        let page = self.page;
        let next = NodeId(n.0 + 1);
        if !self.is_written(n) {
            return page.end(n);
        }
        let edit = self.edit(n);
        if let Some(text) = edit.and_then(|edit| edit.text.as_deref()) {
            self.text(text);
            return page.end(n);
        }
        match page.kind(n) {
            Kind::Text => self.text(page.text(n)),
            Kind::Comment => self.between("<!--", page.note(n), "-->"),
            // Without it a browser reads the document in quirks mode.
            Kind::Doctype if needs_quirks(self.tree) => {}
            Kind::Doctype => self.between("<!DOCTYPE ", page.note(n), ">"),
            Kind::Element if edit.is_some_and(|edit| edit.unwrapped) => {}
            Kind::Element => self.element(n, edit),
            Kind::Document | Kind::Fragment | Kind::Instruction => {}
        }
        next
    }

    fn is_written(&self, n: NodeId) -> bool {
        self.side == PageSide::Before || self.tree.kept.contains(n)
    }

    fn edit(&self, n: NodeId) -> Option<&'a NodeEdit> {
        match self.side {
            PageSide::Before => None,
            PageSide::After => self.tree.edit(n),
        }
    }

    /// True for the outermost elements that go.
    fn goes(&self, n: NodeId) -> bool {
        let kept = &self.tree.kept;
        !kept.contains(n) && self.page.parent(n).is_none_or(|above| kept.contains(above))
    }

    fn element(&mut self, n: NodeId, edit: Option<&NodeEdit>) {
        let page = self.page;
        let name = page.name(n).expect("an element has a name");
        let written = written_name(name);
        let before = self.out.len();
        self.out.push('<');
        self.out.push_str(written);
        attributes(page, n, edit, &mut self.out);
        if self.goes(n) {
            self.out.push_str(GONE);
        }
        self.out.push('>');
        if !self.fits(0) {
            self.out.truncate(before);
            return;
        }
        let is_html = name.ns == ns!(html);
        if is_html && tags::has(&name.local, tags::VOID) {
            return;
        }
        if is_html && drops_first_break(written) {
            self.dropped_break = Some(self.out.len());
        }
        // The contents of `noscript` are elements where the page was parsed so.
        let is_text = || name.local != local_name!("noscript") || !page.is_content(n);
        self.open.push(WrittenElement {
            node: n,
            name: written,
            is_raw: is_html && tags::has(&name.local, tags::RAW) && is_text(),
        });
        if page.is(n, &local_name!("head")) {
            self.out.push_str(self.head);
            let mut children = page.children(n).filter(|&child| self.is_written(child));
            let is_named = children.any(|child| names_charset(page, child));
            self.charset = (!is_named).then_some(self.out.len());
        }
    }

    /// Names the charset of a document that has other than ASCII characters.
    fn name_charset(&mut self) {
        if let Some(at) = self.charset.filter(|_| !self.out.is_ascii()) {
            self.out.insert_str(at, "<meta charset=\"utf-8\">");
        }
    }

    fn text(&mut self, text: &str) {
        let is_raw = self.open.last().is_some_and(|open| open.is_raw);
        let before = self.out.len();
        if self.dropped_break == Some(before) && text.starts_with('\n') {
            self.out.push('\n');
        }
        if is_raw {
            self.out.push_str(text);
        } else {
            escape(text, &mut self.out);
        }
        if !self.fits(0) {
            self.out.truncate(before);
        }
    }

    fn between(&mut self, start: &str, text: &str, end: &str) {
        if self.fits(text.len()) {
            self.out.push_str(start);
            self.out.push_str(text);
            self.out.push_str(end);
        }
    }

    /// True if there is room for more bytes; if not, the rest is left out.
    fn fits(&mut self, bytes: usize) -> bool {
        self.cut |= self.out.len() + bytes > self.limit;
        !self.cut
    }

    fn close_until(&mut self, n: NodeId) {
        while let Some(open) = self.open.pop_if(|open| self.page.end(open.node) <= n) {
            if Some(open.node) == self.body && self.side == PageSide::After {
                removed_links(&self.tree.links, &mut self.out);
            }
            self.out.push_str("</");
            self.out.push_str(open.name);
            self.out.push('>');
        }
    }
}

/// Appends the attributes of an element as they are edited.
fn attributes(page: &Page, n: NodeId, edit: Option<&NodeEdit>, out: &mut String) {
    let is_set = |name: &str| edit.is_some_and(|edit| edit.set.contains_key(name));
    for (at, (name, value)) in page.attrs(n).enumerate() {
        if edit.is_some_and(|edit| edit.dropped.contains(&at)) || is_set(&name.local) {
            continue;
        }
        let value = match &*name.local {
            "charset" if names_charset(page, n) => "utf-8",
            "content" if names_charset(page, n) => "text/html; charset=utf-8",
            _ => value,
        };
        out.push(' ');
        if let Some(prefix) = name.prefix.as_ref().filter(|prefix| !prefix.is_empty()) {
            out.push_str(prefix);
            out.push(':');
        }
        attribute(&name.local, value, out);
    }
    for (name, value) in edit.iter().flat_map(|edit| &edit.set) {
        out.push(' ');
        attribute(name, value, out);
    }
}

/// The list of the links that were taken away.
fn removed_links(links: &[RemovedLink], out: &mut String) {
    if links.is_empty() {
        return;
    }
    out.push_str("<nav class=\"");
    out.push_str(REMOVED_LINKS_CLASS);
    out.push_str("\"><ul>");
    for link in links {
        out.push_str("<li><a ");
        attribute("href", &link.href, out);
        out.push('>');
        escape(&link.text, out);
        out.push_str("</a></li>");
    }
    out.push_str("</ul></nav>");
}

/// True if only a parser in quirks mode makes this tree: a table stands in a `p`. Documents
/// without a type, and some with a malformed one, are read in that mode.
fn needs_quirks(tree: &FilteredTree<'_>) -> bool {
    let page = tree.page;
    let mut tables = page
        .elements()
        .filter(|&n| tree.kept.contains(n) && page.is(n, &local_name!("table")));
    tables.any(|table| {
        let above = page.ancestors(table).skip(1).filter_map(|n| page.tag(n));
        let mut stops = above
            .map(|tag| &**tag)
            .filter(|&tag| tag == "p" || tags::has(tag, tags::SCOPE));
        stops.next() == Some("p")
    })
}

/// True for elements after whose start tag a parser drops a line break.
fn drops_first_break(tag: &str) -> bool {
    matches!(tag, "pre" | "textarea")
}

/// True for a `meta` that names the charset.
pub(super) fn names_charset(page: &Page, n: NodeId) -> bool {
    let is_type = |kind: &str| kind.trim().eq_ignore_ascii_case("content-type");
    page.is(n, &local_name!("meta"))
        && (page.attr(n, "charset").is_some() || page.attr(n, "http-equiv").is_some_and(is_type))
}

pub(super) fn attribute(name: &str, value: &str, out: &mut String) {
    out.push_str(name);
    out.push_str("=\"");
    escape(value, out);
    out.push('"');
}

/// Appends a text, escaped. A carriage return stays one.
fn escape(text: &str, out: &mut String) {
    let mut rest = text;
    while let Some(at) = next_escaped(rest.as_bytes()) {
        out.push_str(&rest[..at]);
        out.push_str(match rest.as_bytes()[at] {
            b'&' => "&amp;",
            b'<' => "&lt;",
            b'>' => "&gt;",
            b'"' => "&quot;",
            _ => "&#13;",
        });
        rest = &rest[at + 1..];
    }
    out.push_str(rest);
}

/// The place of the first byte that is escaped.
fn next_escaped(bytes: &[u8]) -> Option<usize> {
    let is_escaped = |b: &u8| matches!(b, b'&' | b'<' | b'>' | b'"' | b'\r');
    // Without a branch a byte the compiler looks at many bytes at once.
    let is_plain = |chunk: &&[u8]| !chunk.iter().fold(false, |any, b| any | is_escaped(b));
    let plain: usize = bytes.chunks(32).take_while(is_plain).map(<[u8]>::len).sum();
    bytes[plain..]
        .iter()
        .position(is_escaped)
        .map(|at| plain + at)
}
