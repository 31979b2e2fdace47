//! Trees that a browser makes again of their HTML.
//!
//! Most pages nest their elements as HTML asks. For them a look at the tree shows that their
//! HTML reads as the same tree, so that it need not be parsed to be sure. The rules are those
//! of the HTML standard (13.2.6, tree construction), each taken on the safe side.

use super::names::{has_no_contents, written_name};
use super::tree::{FilteredTree, NodeEdit};
use forest_html::page::{Kind, NodeId, Page};
use html5ever::{local_name, ns};

/// Levels of a tree at the most: a parser has a bound of its own, above.
const MAX_LEVEL: u16 = 200;

/// True if a parser surely reads the HTML of a tree as that tree.
pub(super) fn is_read_as_written(tree: &FilteredTree<'_>) -> bool {
    let mut look = NestingCheck {
        tree,
        page: tree.page,
        open: Vec::new(),
        read: DocumentPart::Start,
    };
    look.all_fits()
}

/// True if only a parser in quirks mode makes this tree: a table stands in a `p`. Documents
/// without a type, and some with a malformed one, are read in that mode.
pub(super) fn needs_quirks(tree: &FilteredTree<'_>) -> bool {
    let page = tree.page;
    let mut tables = page
        .elements()
        .filter(|&n| tree.kept.contains(n) && page.is(n, &local_name!("table")));
    tables.any(|table| {
        let above = page.ancestors(table).skip(1).filter_map(|n| page.tag(n));
        let mut stops = above
            .map(|tag| &**tag)
            .filter(|&tag| tag == "p" || hides_paragraph(tag));
        stops.next() == Some("p")
    })
}

/// The parts of a document that have been read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DocumentPart {
    Start,
    Doctype,
    Html,
    Head,
    Body,
}

/// An open element, and what is open above it, as a parser looks for it.
#[derive(Debug, Clone, Copy)]
struct OpenElement<'a> {
    end: NodeId,
    tag: &'a str,
    is_svg: bool,
    /// A `p` that a block would close.
    paragraph: bool,
    /// An `a` that another would close.
    link: bool,
    nobr: bool,
    button: bool,
    form: bool,
    /// An `li` that another would close.
    item: bool,
    /// A `dt` or `dd` that another would close.
    definition: bool,
}

struct NestingCheck<'a> {
    tree: &'a FilteredTree<'a>,
    page: &'a Page,
    open: Vec<OpenElement<'a>>,
    read: DocumentPart,
}

impl<'a> NestingCheck<'a> {
    fn all_fits(&mut self) -> bool {
        let page = self.page;
        let mut at = page.root();
        let end = page.end(at);
        while at < end {
            let n = at;
            at = NodeId(n.0 + 1);
            while self.open.pop_if(|open| open.end <= n).is_some() {}
            if !self.tree.kept.contains(n) {
                at = page.end(n);
                continue;
            }
            let edit = self.tree.edit(n);
            if let Some(text) = edit.and_then(|edit| edit.text.as_deref()) {
                at = page.end(n);
                if !self.text_fits(text) {
                    return false;
                }
                continue;
            }
            let fits = match page.kind(n) {
                Kind::Document => true,
                Kind::Doctype => self.doctype_fits(n),
                Kind::Text => self.text_fits(page.text(n)),
                Kind::Element if edit.is_some_and(|edit| edit.unwrapped) => true,
                Kind::Element => self.element_fits(n, edit),
                // The contents of a template.
                Kind::Fragment => true,
                Kind::Comment | Kind::Instruction => false,
            };
            if !fits {
                return false;
            }
        }
        self.read == DocumentPart::Body
    }

    fn doctype_fits(&mut self, n: NodeId) -> bool {
        let is_first = self.read == DocumentPart::Start;
        self.read = DocumentPart::Doctype;
        let rest = self.page.note(n).strip_prefix("html");
        is_first && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    }

    fn text_fits(&self, text: &str) -> bool {
        let Some(above) = self.open.last() else {
            return text.is_empty();
        };
        match above.tag {
            _ if above.is_svg => true,
            "html" => self.read == DocumentPart::Head && is_white(text),
            "head" | "table" | "thead" | "tbody" | "tfoot" | "tr" | "colgroup" => is_white(text),
            "style" => !text.contains("</"),
            _ => true,
        }
    }

    fn element_fits(&mut self, n: NodeId, edit: Option<&NodeEdit>) -> bool {
        let page = self.page;
        let name = page.name(n).expect("an element has a name");
        let tag: &'a str = &name.local;
        let is_set = edit.is_some_and(|edit| !edit.set.is_empty());
        if page.level(n) > MAX_LEVEL || is_set || !self.attributes_fit(n, edit) {
            return false;
        }
        let above = self.open.last().copied();
        if name.ns == ns!(svg) {
            return self.svg_fits(n, tag, above);
        }
        if name.ns != ns!(html) || written_name(name) != tag {
            return false;
        }
        let Some(above) = above else {
            let is_first = matches!(self.read, DocumentPart::Start | DocumentPart::Doctype);
            self.read = DocumentPart::Html;
            self.open.push(OpenElement::root(page.end(n)));
            return is_first && tag == "html";
        };
        if above.is_svg || !self.may_stand_in(tag, &above) {
            return false;
        }
        if has_no_contents(&name.local) {
            return page.end(n).0 == n.0 + 1 && !(above.paragraph && closes_paragraph(tag));
        }
        self.open_element(n, tag, above)
    }

    /// Opens an element, unless a parser would close another for it.
    fn open_element(&mut self, n: NodeId, tag: &'a str, above: OpenElement<'a>) -> bool {
        let closes = above.paragraph && closes_paragraph(tag)
            || match tag {
                "a" => above.link,
                "nobr" => above.nobr,
                "button" => above.button,
                "form" => above.form,
                "li" => above.item,
                "dt" | "dd" => above.definition,
                _ => is_heading(tag) && is_heading(above.tag),
            };
        if closes {
            return false;
        }
        let hides_lists = is_special(tag);
        let mut inside = OpenElement {
            end: self.page.end(n),
            tag,
            form: above.form || tag == "form",
            item: tag == "li" || above.item && !hides_lists,
            definition: matches!(tag, "dt" | "dd") || above.definition && !hides_lists,
            ..above
        };
        match tag {
            "p" => inside.paragraph = true,
            "a" => inside.link = true,
            "nobr" => inside.nobr = true,
            "button" => {
                inside.button = true;
                inside.paragraph = false;
            }
            // A parser looks no further up than to these.
            "td" | "th" | "caption" | "object" | "applet" | "marquee" | "template" => {
                inside = OpenElement {
                    tag,
                    form: inside.form,
                    ..OpenElement::root(inside.end)
                };
            }
            _ => {}
        }
        self.open.push(inside);
        true
    }

    fn svg_fits(&mut self, n: NodeId, tag: &'a str, above: Option<OpenElement<'a>>) -> bool {
        let Some(above) = above else { return false };
        let may_stand = if above.is_svg {
            !matches!(above.tag, "title" | "desc")
        } else {
            tag == "svg" && self.may_stand_in(tag, &above)
        };
        self.open.push(OpenElement {
            end: self.page.end(n),
            tag,
            is_svg: true,
            ..above
        });
        may_stand && is_plain_svg(tag)
    }

    /// True if a parser leaves an element where it stands.
    fn may_stand_in(&mut self, tag: &str, above: &OpenElement<'_>) -> bool {
        match above.tag {
            "html" => match (tag, self.read) {
                ("head", DocumentPart::Html) => {
                    self.read = DocumentPart::Head;
                    true
                }
                ("body", DocumentPart::Head) => {
                    self.read = DocumentPart::Body;
                    true
                }
                _ => false,
            },
            "head" => matches!(tag, "base" | "link" | "meta" | "style" | "title"),
            "table" => matches!(tag, "caption" | "colgroup" | "thead" | "tbody" | "tfoot"),
            "thead" | "tbody" | "tfoot" => tag == "tr",
            "tr" => matches!(tag, "td" | "th"),
            "colgroup" => tag == "col",
            "select" => matches!(tag, "option" | "optgroup"),
            "optgroup" | "datalist" => tag == "option",
            "ruby" => matches!(tag, "rt" | "rp") || is_flow(tag),
            "option" | "style" | "title" | "textarea" => false,
            _ => is_flow(tag),
        }
    }

    fn attributes_fit(&self, n: NodeId, edit: Option<&NodeEdit>) -> bool {
        let is_plain = |b: u8| !b.is_ascii_whitespace() && !b"\"'<>=/\0".contains(&b);
        let is_dropped = |at: usize| edit.is_some_and(|edit| edit.dropped.contains(&at));
        let mut written = { self.page.attrs(n).enumerate() }.filter(|(at, _)| !is_dropped(*at));
        written.all(|(_, (name, _))| !name.local.is_empty() && name.local.bytes().all(is_plain))
    }
}

impl<'a> OpenElement<'a> {
    /// The first element, with nothing above it.
    fn root(end: NodeId) -> OpenElement<'a> {
        OpenElement {
            end,
            tag: "html",
            is_svg: false,
            paragraph: false,
            link: false,
            nobr: false,
            button: false,
            form: false,
            item: false,
            definition: false,
        }
    }
}

/// White space that a parser leaves in the head and in the rows of tables.
fn is_white(text: &str) -> bool {
    text.bytes()
        .all(|b| matches!(b, b' ' | b'\t' | b'\n' | b'\x0c'))
}

/// True for elements before which a parser closes an open `p`.
fn closes_paragraph(tag: &str) -> bool {
    matches!(
        tag,
        "address"
            | "article"
            | "aside"
            | "blockquote"
            | "center"
            | "details"
            | "dialog"
            | "dir"
            | "div"
            | "dl"
            | "fieldset"
            | "figcaption"
            | "figure"
            | "footer"
            | "header"
            | "hgroup"
            | "main"
            | "menu"
            | "nav"
            | "ol"
            | "p"
            | "search"
            | "section"
            | "summary"
            | "ul"
            | "h1"
            | "h2"
            | "h3"
            | "h4"
            | "h5"
            | "h6"
            | "pre"
            | "form"
            | "li"
            | "dd"
            | "dt"
            | "table"
            | "hr"
    )
}

fn is_heading(tag: &str) -> bool {
    matches!(tag, "h1" | "h2" | "h3" | "h4" | "h5" | "h6")
}

/// True for elements behind which a parser looks for no `p` to close.
fn hides_paragraph(tag: &str) -> bool {
    matches!(
        tag,
        "td" | "th"
            | "caption"
            | "table"
            | "object"
            | "applet"
            | "marquee"
            | "button"
            | "select"
            | "template"
    )
}

/// True for elements behind which a parser looks for no `li`, `dt` or `dd` to close.
fn is_special(tag: &str) -> bool {
    matches!(
        tag,
        "applet"
            | "article"
            | "aside"
            | "blockquote"
            | "button"
            | "caption"
            | "center"
            | "dd"
            | "details"
            | "dir"
            | "dl"
            | "dt"
            | "fieldset"
            | "figcaption"
            | "figure"
            | "footer"
            | "form"
            | "h1"
            | "h2"
            | "h3"
            | "h4"
            | "h5"
            | "h6"
            | "header"
            | "hgroup"
            | "li"
            | "main"
            | "marquee"
            | "menu"
            | "nav"
            | "object"
            | "ol"
            | "pre"
            | "section"
            | "select"
            | "summary"
            | "table"
            | "td"
            | "textarea"
            | "th"
            | "title"
            | "ul"
    )
}

/// True for elements that stand anywhere in a body, with contents of that kind. Elements
/// whose contents a parser reads by rules of their own are left out.
fn is_flow(tag: &str) -> bool {
    !matches!(
        tag,
        "html"
            | "head"
            | "body"
            | "caption"
            | "col"
            | "colgroup"
            | "tbody"
            | "thead"
            | "tfoot"
            | "tr"
            | "td"
            | "th"
            | "frame"
            | "frameset"
            | "option"
            | "optgroup"
            | "noscript"
            | "script"
            | "iframe"
            | "noembed"
            | "noframes"
            | "xmp"
            | "listing"
            | "plaintext"
            | "image"
            | "isindex"
            | "math"
            | "rb"
            | "rt"
            | "rp"
            | "rtc"
            | "selectedcontent"
    )
}

/// True for elements that a parser leaves in SVG, and that hold no HTML.
fn is_plain_svg(tag: &str) -> bool {
    matches!(
        tag,
        "svg"
            | "a"
            | "circle"
            | "clipPath"
            | "defs"
            | "desc"
            | "ellipse"
            | "filter"
            | "g"
            | "line"
            | "linearGradient"
            | "marker"
            | "mask"
            | "path"
            | "pattern"
            | "polygon"
            | "polyline"
            | "radialGradient"
            | "rect"
            | "stop"
            | "style"
            | "symbol"
            | "text"
            | "title"
            | "tspan"
            | "use"
    )
}
