//! Bytes to a [`Page`]: an arena of nodes in document order. FOREST 3.1.
//!
//! Takes the bytes of a page and what is known of where they came from
//! ([`Source`]); gives a [`Page`]. Parsing HTML never fails: what had to be left
//! out or mended is told by [`Page::warnings`].
//!
//! - `binary`: bytes that are no text, so that the page is empty.
//! - [`charset`](mod@charset): which encoding the bytes are in.
//! - `xhtml`: empty elements and CDATA of XHTML, as HTML has them.
//! - `tokenize`: the tokenizer, over bytes.
//! - `sink`: html5ever's tree builder on an arena of links.
//! - `feed`: the feeding loop, which bounds depth, nodes and attributes.
//! - `stream`: a page that is parsed while its bytes come.
//! - `characters`: pictures and scripts that are shown as letters and formulas, as text.
//! - `lines`: the elements that start a line of their own.
//! - `build`: links to document order.
//! - [`links`]: addresses in a page, made absolute.
//! - [`metadata`](mod@metadata): what a page says of itself.
//! - `json`: the text that a page has in its own JSON.
//! - `noscript`: a page that has its text for browsers without scripts only.
//! - [`tolerant`]: values of attributes in the form in which pages are compared.
//! - [`style`]: an element's own style.
//! - [`plain`]: the text of an HTML fragment.
//! - [`Mask`]: which nodes are kept.
//!
//! The i-th node of the arena is the i-th node of the document. Each node knows
//! its `parent`, its `level` and `end`, one past its subtree, so that ancestry is
//! an interval test, a subtree is a slice and a count over any subtree is the
//! difference of two prefix sums. All character data stands in one buffer in
//! document order, so that the text of any subtree is a slice of it.
//!
//! **Content.** Scripts, styles, `noscript`, comments and what a browser does not
//! show in place (`template`, `iframe`, `noembed`, `noframes` and their text) stay
//! in the arena, but are not content: they have no [`Dfs`] index and
//! [`Page::is_content`] is false for them. A page that shows hardly a sentence and has its text
//! in `noscript` is read as browsers without scripts read it
//! ([`PageWarning::WithoutScripts`]).
//!
//! **Text.** A picture that is one letter or emoji is a text node here, and behind a formula that
//! is a picture, a script or MathML stands a text node with its TeX.
//!
//! **Departures.** The paper cleans pages with HTMLCleaner; here html5ever parses
//! them as browsers do, XHTML too, whose faults end no page so. Quotes and dashes of windows-1252
//! that a writer made control characters (U+0080 to U+009F), which browsers do not show, are these
//! again: it changes no F1 of `forest-tfidf` and `onepage` by .001. A declarative shadow root stays a `template` element
//! whose contents *are* content, as a browser shows them. Template contents hang
//! below their `template` through a [`Kind::Fragment`] node, which has no level
//! of its own.

pub mod binary;
mod budget;
mod build;
mod characters;
pub mod charset;
mod feed;
pub mod json;
mod lines;
pub mod links;
mod mask;
mod mathml;
pub mod metadata;
mod noscript;
pub mod plain;
mod sink;
pub mod stream;
pub mod style;
pub mod tags;
#[cfg(test)]
mod tests;
mod tokenize;
pub mod tolerant;
pub mod view;
pub mod articles;
pub mod walk;
mod xhtml;

pub use json::place::{JsonKind, JsonPlace};
pub use mask::Mask;
pub use metadata::{Date, Metadata};

pub use charset::decode;
pub use tokenize::{Input, SourceEnd, TextState, Tokenizer};
pub use view::View;

use crate::error::counted;
use binary::BinaryKind;
use budget::ExpressionBudget;
use html5ever::{LocalName, QualName, local_name, ns};
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::sync::OnceLock;

/// Bytes of one page that are read at the most: 20 MB, decompressed (the
/// project's limit for pages), unless another limit is set. What lies behind is cut
/// off, with a warning.
pub const MAX_PAGE_BYTES: usize = 20_000_000;

/// Bytes from which a text is prose: those of menus and labels are shorter.
const PROSE_BYTES: usize = 80;

/// Times the length of a page's source that its HTML, Markdown or XHTML has at the most.
pub const MAX_GROWTH: usize = 4;

/// The highest limit that can be set: what a record of an archive may hold.
pub const MOST_PAGE_BYTES: usize = 4 * MAX_PAGE_BYTES;

/// Index of a node in its page's arena; 0 is the document node.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

impl NodeId {
    /// The index as a `usize`, for slices with one entry a node.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Position of an element among the content elements of the body in document order,
/// 1 for `body` (FOREST 3.1 and figure 3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Dfs(pub u32);

/// The kind of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The document itself, node 0.
    Document,
    /// The contents of a `template` element.
    Fragment,
    /// The document type declaration.
    Doctype,
    /// An element; see [`Page::name`] and [`Page::attrs`].
    Element,
    /// Character data; see [`Page::text`].
    Text,
    /// A comment.
    Comment,
    /// A processing instruction (never made by an HTML parser from HTML).
    Instruction,
}

/// The source of a page's bytes, as far as it is known before they are read.
#[derive(Debug, Clone, Copy, Default)]
pub struct Source<'a> {
    /// The page's address.
    pub url: Option<&'a str>,
    /// The HTTP header `Content-Type`, for its charset.
    pub content_type: Option<&'a str>,
}

/// The kind of browser that a page is parsed for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scripting {
    /// Scripts would run: the contents of `noscript` are text that nobody sees.
    On,
    /// Scripts do not run: the contents of `noscript` are elements.
    Off,
}

/// Pictures of letters and formulas: as a reader is shown them, or as a browser gets them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Characters {
    /// Written out.
    AsShown,
    /// As elements.
    AsWritten,
}

/// Something that was left out or mended while a page was parsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageWarning {
    /// The page was longer than what is read of one.
    CutAtBytes {
        /// The page's length.
        bytes: usize,
        /// Bytes that were read.
        limit: usize,
    },
    /// Elements below the deepest level that is kept were dissolved into it.
    TooDeep {
        /// Start tags that were dropped.
        dropped: usize,
        /// The deepest level that is kept.
        depth: usize,
    },
    /// Markup that multiplies nodes: the rest of the page was left out.
    TooManyNodes,
    /// A tag with thousands of attributes, or attributes that are repeated without end: the
    /// later ones were left out.
    TooManyAttributes,
    /// The page shows hardly a sentence: it was read as a browser without scripts does, for the text
    /// in its `noscript` elements.
    WithoutScripts,
    /// Some bytes are not valid in the page's charset.
    Malformed {
        /// The charset's name.
        charset: &'static str,
    },
}

impl fmt::Display for PageWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PageWarning::CutAtBytes { bytes, limit } => {
                write!(f, "page of {bytes} bytes read up to {limit}: is it a page?")
            }
            PageWarning::TooDeep { dropped, depth } => {
                let elements = counted(*dropped, "element", "elements");
                let were = if *dropped == 1 { "was" } else { "were" };
                write!(
                    f,
                    "{elements} nested deeper than {depth} levels {were} dissolved into the parents"
                )
            }
            PageWarning::TooManyNodes => {
                f.write_str("markup multiplies its nodes without end: the rest was left out")
            }
            PageWarning::TooManyAttributes => f.write_str(
                "attributes by the thousand, or repeated without end: later ones were left out",
            ),
            PageWarning::WithoutScripts => f.write_str(
                "the page shows hardly a sentence without its scripts: the text is that of `noscript`",
            ),
            PageWarning::Malformed { charset } => write!(
                f,
                "some bytes are not valid {charset}; they were replaced by U+FFFD"
            ),
        }
    }
}

#[derive(Debug, Clone, Copy)]
struct ArenaNode {
    parent: u32,
    end: u32,
    /// Where the text of this subtree starts in `Page::text`.
    text: u32,
    /// For elements the index into `Page::elements`, for comments and the like
    /// into `Page::notes`.
    data: u32,
    level: u16,
    kind: Kind,
    traits: u8,
}

/// It is shown in place.
const CONTENT: u8 = 1 << 0;
/// It starts and ends a line.
const BREAKS_LINE: u8 = 1 << 1;
/// It is a formula in TeX.
const FORMULA: u8 = 1 << 2;

#[derive(Debug)]
struct Element {
    name: QualName,
    /// First entry in `Page::attrs`; the next element's first is one past the last.
    attrs: u32,
    /// Position among the page's content elements, from 1 on; 0 for one that is none.
    order: u32,
}

#[derive(Debug)]
struct Attr {
    name: QualName,
    start: u32,
    end: u32,
}

/// A parsed page: its nodes in document order. See the stage's page.
///
/// ```
/// use forest_html::page::Page;
///
/// let page = Page::from_html("<body><div id=a>One <b>two</b></div><script>x</script>");
/// let div = page.elements().find(|&n| page.attr(n, "id") == Some("a")).unwrap();
/// assert_eq!(page.text(div), "One two");
/// assert_eq!(page.level(div), 2);
/// assert_eq!(page.dfs(div).unwrap().0, 2); // body, div
/// ```
#[derive(Debug)]
pub struct Page {
    url: Option<String>,
    charset: &'static str,
    source_bytes: usize,
    warnings: Vec<PageWarning>,
    nodes: Vec<ArenaNode>,
    elements: Vec<Element>,
    attrs: Vec<Attr>,
    /// All character data in document order.
    text: String,
    /// Attribute values, comments, document types.
    values: String,
    /// Comments and document types as spans of `values`.
    notes: Vec<(u32, u32)>,
    content_elements: Vec<NodeId>,
    /// Content elements before `body`; more than there are on a page without one.
    before_body: u32,
    metadata: OnceLock<Metadata>,
    json: Option<Box<JsonPlace>>,
    binary: Option<BinaryKind>,
    expression_budget: ExpressionBudget,
}

impl Page {
    /// Parses `bytes`. Never fails: anything is a page, if perhaps an empty one, as that of
    /// [`binary`](Self::binary) bytes.
    pub fn parse(bytes: &[u8], source: Source<'_>) -> Page {
        Self::parse_edited(bytes, source, |text| text)
    }

    /// [`parse`](Self::parse) with the source text as `edit` gives it, which should
    /// not make it longer than [`MAX_PAGE_BYTES`].
    pub fn parse_edited(
        bytes: &[u8],
        source: Source<'_>,
        edit: impl FnOnce(Cow<'_, str>) -> Cow<'_, str>,
    ) -> Page {
        Self::parse_within(bytes, source, MAX_PAGE_BYTES, edit)
    }

    /// [`parse_edited`](Self::parse_edited) with at most `limit` bytes read, which are
    /// never more than [`MOST_PAGE_BYTES`].
    pub fn parse_within(
        bytes: &[u8],
        source: Source<'_>,
        limit: usize,
        edit: impl FnOnce(Cow<'_, str>) -> Cow<'_, str>,
    ) -> Page {
        Self::parse_as(bytes, source, limit, None, edit)
    }

    /// Parses at most `limit` of `bytes` as such a browser does, wherever the page has its text;
    /// formulas and pictures of letters are not written out.
    ///
    /// ```
    /// use forest_html::page::{MAX_PAGE_BYTES, Page, Scripting, Source};
    ///
    /// let html = b"<body><noscript><p>Words</noscript>";
    /// let parse = |browser| Page::parse_for(browser, html, Source::default(), MAX_PAGE_BYTES);
    /// assert_eq!(parse(Scripting::On).content_elements().len(), 3);
    /// assert_eq!(parse(Scripting::Off).content_elements().len(), 5); // html, head, body, noscript, p
    /// ```
    pub fn parse_for(browser: Scripting, bytes: &[u8], source: Source<'_>, limit: usize) -> Page {
        Self::parse_as(bytes, source, limit, Some(browser), |text| text)
    }

    fn parse_as(
        bytes: &[u8],
        source: Source<'_>,
        limit: usize,
        browser: Option<Scripting>,
        edit: impl FnOnce(Cow<'_, str>) -> Cow<'_, str>,
    ) -> Page {
        let limit = limit.min(MOST_PAGE_BYTES);
        let mut warnings = Vec::new();
        let kept = &bytes[..bytes.len().min(limit)];
        if kept.len() < bytes.len() {
            let bytes = bytes.len();
            warnings.push(PageWarning::CutAtBytes { bytes, limit });
        }
        let decoded = charset::decode(kept, source.content_type);
        if decoded.malformed {
            warnings.push(PageWarning::Malformed {
                charset: decoded.charset,
            });
        }
        // A filter passes on what it cannot read.
        let passes_on = browser == Some(Scripting::Off);
        let binary = (!passes_on).then(|| BinaryKind::of_no_page(kept)).flatten();
        let mut page = match (binary, browser) {
            (Some(_), _) => Self::from_decoded("", Scripting::On, Characters::AsShown, Vec::new()),
            (None, Some(browser)) => {
                let text = edit(decoded.text);
                Self::from_decoded(&text, browser, Characters::AsWritten, warnings)
            }
            (None, None) => {
                let mut text = charset::mend_c1(decoded.text);
                if source.content_type.is_some_and(xhtml::is_xhtml) {
                    text = xhtml::as_html(text);
                }
                Self::with_its_text(&edit(text), warnings)
            }
        };
        page.binary = binary;
        page.charset = decoded.charset;
        page.url = source.url.map(str::to_owned);
        page
    }

    /// Parses HTML that is a string already.
    pub fn from_html(html: &str) -> Page {
        let html = html.strip_prefix('\u{feff}').unwrap_or(html);
        let kept = match html.len() {
            n if n > MAX_PAGE_BYTES => &html[..html.floor_char_boundary(MAX_PAGE_BYTES)],
            _ => html,
        };
        let mut warnings = Vec::new();
        if kept.len() < html.len() {
            warnings.push(PageWarning::CutAtBytes {
                bytes: html.len(),
                limit: MAX_PAGE_BYTES,
            });
        }
        Self::with_its_text(kept, warnings)
    }

    fn from_decoded(
        html: &str,
        scripting: Scripting,
        characters: Characters,
        mut warnings: Vec<PageWarning>,
    ) -> Page {
        let links = feed::parse(html, scripting, &mut warnings);
        Self::from_links(links, html.len(), scripting, characters, warnings)
    }

    fn from_links(
        links: sink::LinkedTree,
        source_bytes: usize,
        scripting: Scripting,
        characters: Characters,
        warnings: Vec<PageWarning>,
    ) -> Page {
        let mut page = build::in_document_order(links, scripting, characters, warnings);
        page.source_bytes = source_bytes;
        page
    }

    /// The page's address, where it is known.
    #[inline]
    pub fn url(&self) -> Option<&str> {
        self.url.as_deref()
    }

    /// The kind of the bytes, in words, if they hold no text: a PDF document, a gzip or ZIP
    /// file, an image. Then the page is empty.
    ///
    /// ```
    /// use forest_html::page::{Page, Source};
    ///
    /// let page = Page::parse(b"%PDF-1.7", Source::default());
    /// assert_eq!((page.binary(), page.text(page.root())), (Some("a PDF document"), ""));
    /// ```
    pub fn binary(&self) -> Option<&'static str> {
        self.binary.map(BinaryKind::name)
    }

    /// The place in its JSON that the body was made from; `None` of a page as it came.
    pub fn json_place(&self) -> Option<&JsonPlace> {
        self.json.as_deref()
    }

    /// The name of the charset that the bytes were read in.
    pub fn charset(&self) -> &'static str {
        self.charset
    }

    /// The length of the page's source as UTF-8: the measure for the bounds of
    /// what is made of it.
    pub fn source_bytes(&self) -> usize {
        self.source_bytes
    }

    /// The parts that were left out or mended.
    pub fn warnings(&self) -> &[PageWarning] {
        &self.warnings
    }

    /// Number of nodes; never 0.
    #[expect(clippy::len_without_is_empty, reason = "a page has its document node")]
    #[inline]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The document node.
    #[inline]
    pub fn root(&self) -> NodeId {
        NodeId(0)
    }

    /// All nodes in document order.
    #[inline]
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// All elements in document order, content or not.
    #[inline]
    pub fn elements(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.nodes().filter(|&n| self.kind(n) == Kind::Element)
    }

    /// The content elements in document order, those of the head first.
    #[inline]
    pub fn content_elements(&self) -> &[NodeId] {
        &self.content_elements
    }

    /// The element with a dfs index.
    #[inline]
    pub fn at_dfs(&self, dfs: Dfs) -> Option<NodeId> {
        let order = dfs.0.checked_sub(1)?.checked_add(self.before_body)?;
        self.content_elements.get(order as usize).copied()
    }

    /// The `body` element; pages of frames have none.
    #[inline]
    pub fn body(&self) -> Option<NodeId> {
        let html = self
            .children(self.root())
            .find(|&n| self.is(n, &local_name!("html")))?;
        self.children(html)
            .find(|&n| self.is(n, &local_name!("body")))
    }

    /// The kind of a node.
    #[inline]
    pub fn kind(&self, n: NodeId) -> Kind {
        self.nodes[n.index()].kind
    }

    /// The parent; `None` for the document.
    #[inline]
    pub fn parent(&self, n: NodeId) -> Option<NodeId> {
        (n.0 != 0).then(|| NodeId(self.nodes[n.index()].parent))
    }

    /// The parent, if it is an element; contents of a template have the template.
    #[inline]
    pub fn parent_element(&self, n: NodeId) -> Option<NodeId> {
        let mut at = self.parent(n)?;
        while self.kind(at) == Kind::Fragment {
            at = self.parent(at)?;
        }
        (self.kind(at) == Kind::Element).then_some(at)
    }

    /// The node itself if it is an element, and its ancestors, innermost first.
    #[inline]
    pub fn ancestors(&self, n: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let own = (self.kind(n) == Kind::Element).then_some(n);
        std::iter::successors(own.or_else(|| self.parent_element(n)), |&at| {
            self.parent_element(at)
        })
    }

    /// Number of element ancestors: 0 for `html`, 1 for `body` (FOREST figure 3).
    #[inline]
    pub fn level(&self, n: NodeId) -> u16 {
        self.nodes[n.index()].level
    }

    /// One past the last node of the subtree.
    #[inline]
    pub fn end(&self, n: NodeId) -> NodeId {
        NodeId(self.nodes[n.index()].end)
    }

    /// The subtree in document order, the node first.
    #[inline]
    pub fn subtree(&self, n: NodeId) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (n.0..self.end(n).0).map(NodeId)
    }

    /// Returns true if `inner` is `outer` or below it.
    #[inline]
    pub fn contains(&self, outer: NodeId, inner: NodeId) -> bool {
        outer <= inner && inner < self.end(outer)
    }

    /// The children in document order.
    #[inline]
    pub fn children(&self, n: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let end = self.end(n);
        let first = NodeId(n.0 + 1);
        std::iter::successors((first < end).then_some(first), move |&at| {
            let next = self.end(at);
            (next < end).then_some(next)
        })
    }

    /// The name of an element.
    #[inline]
    pub fn name(&self, n: NodeId) -> Option<&QualName> {
        self.element(n).map(|e| &e.name)
    }

    /// The local name of an HTML element; `None` for foreign elements and other nodes.
    #[inline]
    pub fn tag(&self, n: NodeId) -> Option<&LocalName> {
        self.name(n).filter(|q| q.ns == ns!(html)).map(|q| &q.local)
    }

    /// Returns true if the node is the HTML element `tag`.
    #[inline]
    pub fn is(&self, n: NodeId, tag: &LocalName) -> bool {
        self.tag(n) == Some(tag)
    }

    /// The attributes of an element in source order.
    #[inline]
    pub fn attrs(&self, n: NodeId) -> impl DoubleEndedIterator<Item = (&QualName, &str)> + '_ {
        self.attr_range(n)
            .iter()
            .map(|attr| (&attr.name, self.value(attr)))
    }

    /// The value of the attribute with this local name and no namespace.
    #[inline]
    pub fn attr(&self, n: NodeId, name: &str) -> Option<&str> {
        let mut attrs = self.attr_range(n).iter();
        let found = attrs.find(|attr| attr.name.ns == ns!() && *attr.name.local == *name);
        found.map(|attr| self.value(attr))
    }

    fn value(&self, attr: &Attr) -> &str {
        &self.values[attr.start as usize..attr.end as usize]
    }

    fn element(&self, n: NodeId) -> Option<&Element> {
        let node = &self.nodes[n.index()];
        (node.kind == Kind::Element).then(|| &self.elements[node.data as usize])
    }

    fn attr_range(&self, n: NodeId) -> &[Attr] {
        let node = &self.nodes[n.index()];
        if node.kind != Kind::Element {
            return &[];
        }
        let index = node.data as usize;
        let end = match self.elements.get(index + 1) {
            Some(next) => next.attrs as usize,
            None => self.attrs.len(),
        };
        &self.attrs[self.elements[index].attrs as usize..end]
    }

    /// All character data of the subtree, hidden text included, as it stands in
    /// the document: XPath's string-value.
    #[inline]
    pub fn text(&self, n: NodeId) -> &str {
        &self.text[self.text_span(n)]
    }

    /// The bytes of [`text`](Self::text) in the document's text.
    #[inline]
    pub fn text_span(&self, n: NodeId) -> Range<usize> {
        let start = self.nodes[n.index()].text as usize;
        let end = match self.nodes.get(self.end(n).index()) {
            Some(next) => next.text as usize,
            None => self.text.len(),
        };
        start..end
    }

    /// The work that expressions may still do on this page.
    #[inline]
    pub fn expression_budget(&self) -> &ExpressionBudget {
        &self.expression_budget
    }

    /// A comment's text, or a document type as its tag has it: its name and, if it has
    /// them, its identifiers; empty for other nodes.
    pub fn note(&self, n: NodeId) -> &str {
        let node = &self.nodes[n.index()];
        match node.kind {
            Kind::Comment | Kind::Doctype | Kind::Instruction => {
                let (start, end) = self.notes[node.data as usize];
                &self.values[start as usize..end as usize]
            }
            _ => "",
        }
    }

    /// Returns true if a node is content: see the stage's page.
    #[inline]
    pub fn is_content(&self, n: NodeId) -> bool {
        self.nodes[n.index()].traits & CONTENT != 0
    }

    /// True if an element starts and ends a line of its own, by its name or its use: the
    /// blocks of the standard's style sheet, `br`, and what the page makes one (`lines`).
    #[inline]
    pub fn breaks_line(&self, n: NodeId) -> bool {
        self.nodes[n.index()].traits & BREAKS_LINE != 0
    }

    /// True if a text node is a formula in TeX, which the page shows as a picture or by a
    /// script (`characters`).
    #[inline]
    pub fn is_formula(&self, n: NodeId) -> bool {
        self.nodes[n.index()].traits & FORMULA != 0
    }

    /// The dfs index of a content element of the body.
    #[inline]
    pub fn dfs(&self, n: NodeId) -> Option<Dfs> {
        let order = self.element(n)?.order;
        (order > self.before_body).then(|| Dfs(order - self.before_body))
    }

    /// The share of the page's prose that a text has, 0 to 1; 1 if there is none.
    pub fn share_of_prose(&self, text: &Mask) -> f64 {
        let prose = |n| Some(self.text(n).len()).filter(|&bytes| bytes >= PROSE_BYTES);
        let own: usize = text.texts(self).filter_map(prose).sum();
        let all: usize = self
            .content_texts(self.root())
            .filter_map(prose)
            .sum::<usize>()
            .max(own);
        if all == 0 {
            1.0
        } else {
            own as f64 / all as f64
        }
    }

    /// The text nodes of a subtree that are content, in document order.
    #[inline]
    pub fn content_texts(&self, n: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.subtree(n)
            .filter(|&t| self.kind(t) == Kind::Text && self.is_content(t))
    }
}
