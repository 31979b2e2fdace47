//! Clean HTML of what is kept.

mod clean;
mod formula;
mod pieces;
#[cfg(test)]
mod tests;

use super::anchors::Anchors;
use super::code::{self, Listing};
use super::embed::{Embed, EmbedHosts};
use super::images::PictureNames;
use super::shown::{Region, is_unread, without_hidden};
use crate::feed::FeedItem;
use clean::{ATTRS, GENERIC_ATTRS, LANGUAGE, MAX_ATTR_BYTES, cleaned};
use forest_html::page::links::Base;
use forest_html::page::plain::escape;
use forest_html::page::tags;
use forest_html::page::{Kind, MAX_GROWTH, Mask, NodeId, Page};
use formula::mathml_of;
use html5ever::local_name;
use pieces::{BREAK, is_long_work, part_place};
use std::collections::HashMap;

/// Bytes that the formulas of a short page may have.
const MIN_FORMULA_BYTES: usize = 1 << 16;

/// The kept nodes as HTML that is safe to show: no scripts, styles, forms, event
/// attributes, classes or `javascript:`; addresses absolute where the page's is
/// known; pictures with the address of [`images`](super::images()). What is written
/// goes through ammonia, so that safety does not rest on this writer.
///
/// An element is written where something in it is kept, and formulas as MathML. At most four
/// times as long as the page; its formulas may take as much again, or 64 KiB.
///
/// ```
/// use forest_core::render::html;
/// use forest_html::page::links::Base;
/// use forest_html::page::{Mask, Page};
///
/// let page = Page::from_html("<p class=x onclick=y>One <a href='javascript:z'>two</a></p><p></p><script>x</script>");
/// assert_eq!(html(&page, &Mask::all(&page), &Base::of(&page)), "<p>One <a>two</a></p>");
/// ```
pub fn html(page: &Page, body: &Mask, base: &Base) -> String {
    html_within(page, body, base, &Substitutes::default()).0
}

/// The names of pictures and the hosts of frames in HTML.
#[derive(Debug, Clone, Default)]
pub struct Substitutes {
    /// Names for the addresses of pictures.
    pub pictures: PictureNames,
    /// Hosts whose frames stay; all others are links.
    pub frames: EmbedHosts,
}

/// As [`html`], and whether it was cut.
pub fn html_within(page: &Page, body: &Mask, base: &Base, names: &Substitutes) -> (String, bool) {
    let (written, cut) = written(page, body, base, names);
    (trimmed(cleaned(&written, &names.frames)), cut)
}

/// As [`html`], with every text in one piece: what ammonia itself makes of it, in quadratic
/// time. The judge of the pieces.
pub fn html_in_whole_texts(page: &Page, body: &Mask, base: &Base) -> String {
    let names = Substitutes::default();
    let whole = written(page, body, base, &names).0.replace(BREAK, "");
    trimmed(cleaned(&whole, &names.frames))
}

fn trimmed(mut html: String) -> String {
    html.truncate(html.trim_end().len());
    html
}

/// The kept nodes before they are cleaned, their texts in pieces, and whether they were cut.
fn written(page: &Page, body: &Mask, base: &Base, names: &Substitutes) -> (String, bool) {
    let Some(region) = Region::of(page, body) else {
        return (String::new(), false);
    };
    let mut writer = HtmlWriter {
        page,
        base,
        names,
        anchors: Anchors::of(page, region),
        out: String::new(),
        limit: page.source_bytes() * MAX_GROWTH,
        formula_bytes: (page.source_bytes() * MAX_GROWTH).max(MIN_FORMULA_BYTES),
        open: Vec::new(),
        tables: 0,
        owes_break: false,
        owes_space: false,
        piece_bytes: 0,
        cut: false,
    };
    writer.walk(&without_hidden(page, body, region), region);
    (writer.out, writer.cut)
}

/// The HTML of an item of a feed, safe to show, with absolute addresses. `link`: its page.
fn own_html(content: &str, link: Option<&url::Url>) -> String {
    let source = forest_html::page::Source {
        url: link.map(url::Url::as_str),
        content_type: Some("text/html; charset=utf-8"),
    };
    let page = Page::parse(content.as_bytes(), source);
    html(&page, &Mask::all(&page), &Base::of(&page)) + "\n"
}

/// The own text of an item of a feed as HTML: its content, else its summary, of plain text a
/// paragraph a line.
pub fn item_html(item: &FeedItem) -> String {
    if let Some(html) = item.content.as_ref().or(item.summary_html.as_ref()) {
        return own_html(html, item.content_address());
    }
    paragraphs(&item.summary)
}

/// A text as HTML, a paragraph for each line that is not blank.
pub fn paragraphs(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        out.push_str("<p>");
        escape(line, &mut out);
        out.push_str("</p>\n");
    }
    out
}

/// HTML with what could harm taken out: the elements and attributes of [`html()`] stay. What
/// ammonia itself would take long for is read as a page and written by [`html()`].
///
/// ```
/// assert_eq!(forest_core::render::sanitise("<p onclick=x>a<script>b</script></p>"), "<p>a</p>");
/// ```
pub fn sanitise(html: &str) -> String {
    if !is_long_work(html) {
        return cleaned(html, &EmbedHosts::default());
    }
    let page = Page::from_html(html);
    self::html(&page, &Mask::all(&page), &Base::none())
}

/// HTML of [`html()`] with names in the place of its pictures' addresses.
///
/// ```
/// use forest_core::render::name_pictures;
///
/// let names = [("https://a.example/1.png".to_owned(), "pictures/1.png".to_owned())];
/// let html = name_pictures("<p>One<img src=\"https://a.example/1.png\"></p>", names.into());
/// assert_eq!(html, "<p>One<img src=\"pictures/1.png\"></p>");
/// ```
pub fn name_pictures(html: &str, names: HashMap<String, String>) -> String {
    let page = Page::from_html(html);
    let names = Substitutes {
        pictures: PictureNames::new(names),
        ..Substitutes::default()
    };
    html_within(&page, &Mask::all(&page), &Base::of(&page), &names).0
}

/// The place of an embed.
enum EmbedPlace {
    /// Among blocks: it is a paragraph.
    Block,
    /// In a paragraph, a heading, an inline element: it has a line there.
    Line,
    /// In an element of its own already, or in one that has no paragraphs.
    Alone,
}

struct OpenTags {
    node: NodeId,
    tag: &'static str,
    written: bool,
    /// A row of a table with some text.
    filled_row: bool,
}

struct HtmlWriter<'a> {
    page: &'a Page,
    base: &'a Base,
    names: &'a Substitutes,
    anchors: Anchors<'a>,
    out: String,
    limit: usize,
    /// Bytes that formulas may still have.
    formula_bytes: usize,
    open: Vec<OpenTags>,
    /// The number of open tables.
    tables: usize,
    /// A `br` that is not kept, as a mask of texts keeps none, parts what was written
    /// from the next text.
    owes_break: bool,
    /// The same for white space alone in an inline element.
    owes_space: bool,
    /// Bytes of text since the last [`BREAK`], whatever tags stand between: a parser may leave
    /// a tag out, and the texts around it are one then.
    piece_bytes: usize,
    cut: bool,
}

impl HtmlWriter<'_> {
    fn walk(&mut self, body: &Mask, region: Region) {
        let page = self.page;
        let mut nodes = page.walk_between(region.start, region.end);
        while !self.cut
            && let Some(n) = nodes.next()
        {
            self.close_until(n);
            match page.kind(n) {
                Kind::Text if page.is_formula(n) && self.shows_formula(n) => {}
                Kind::Text if body.contains(n) && page.is_content(n) => {
                    let text = page.text(n);
                    if text.contains(|c: char| !c.is_whitespace()) {
                        if std::mem::take(&mut self.owes_break) {
                            self.out.push_str("<br>");
                        }
                        self.owes_space &= !text.starts_with(char::is_whitespace);
                        self.pay_space();
                        self.open_all();
                        if page.is_formula(n) && self.formula(text) {
                            continue;
                        }
                    }
                    // White space alone is kept only where something goes on.
                    if self.open.last().is_none_or(|open| open.written) {
                        self.text(text);
                    } else {
                        self.owes_space |= self.opens_inline();
                    }
                }
                Kind::Element if body.contains(n) && self.embed(n) => nodes.pass_over(n),
                Kind::Element if !page.is_content(n) || is_unread(page, n) => nodes.pass_over(n),
                Kind::Element if page.is(n, &local_name!("table")) && self.listing(n, body) => {
                    nodes.pass_over(n);
                }
                Kind::Element => {
                    if let Some(tag) = self.tag(n) {
                        self.element(n, tag, body.contains(n));
                    }
                }
                _ => {}
            }
        }
        self.close_until(NodeId(u32::MAX));
    }

    /// True for a formula that stands as a picture before its text.
    fn shows_formula(&self, text: NodeId) -> bool {
        let before = NodeId(text.0 - 1);
        self.names
            .pictures
            .of(self.page, before, self.base)
            .is_some()
    }

    /// Writes a formula as MathML; false if it stays text.
    fn formula(&mut self, formula: &str) -> bool {
        let Some(mathml) = mathml_of(formula) else {
            return false;
        };
        let Some(left) = self.formula_bytes.checked_sub(mathml.len()) else {
            return false;
        };
        self.formula_bytes = left;
        self.limit += mathml.len();
        self.out.push_str(&mathml);
        true
    }

    fn element(&mut self, n: NodeId, tag: &'static str, kept: bool) {
        if matches!(tag, "br" | "hr" | "img") {
            if kept {
                self.void(n, tag);
            } else if tag == "br" {
                self.owes_break = self.open.last().is_some_and(|open| open.written);
            }
            return;
        }
        if self.is_block_by_use(n, tag) {
            self.owes_break |= !self.is_at_line_start();
        } else {
            self.owes_break &= !self.page.breaks_line(n);
        }
        let in_filled_row = self.open.last().is_some_and(|open| open.filled_row);
        let is_filled = |row| self.page.text(row).contains(|c: char| !c.is_whitespace());
        self.tables += usize::from(tag == "table");
        self.open.push(OpenTags {
            node: n,
            tag,
            written: false,
            filled_row: tag == "tr" && is_filled(n),
        });
        // An empty cell of a row that is not holds its column's place; an empty anchor that
        // of what links lead to.
        let is_cell = matches!(tag, "td" | "th") && kept && in_filled_row;
        let is_anchor = matches!(tag, "a" | "span") && self.page.text(n).trim().is_empty();
        if is_cell || is_anchor && self.anchors.id(n).is_some() {
            self.open_all();
        }
    }

    /// Writes the space that is owed, unless a line starts here.
    fn pay_space(&mut self) {
        let is_between = std::mem::take(&mut self.owes_space)
            && self.opens_inline()
            && !self.out.ends_with(char::is_whitespace)
            && !self.is_at_line_start();
        if is_between {
            self.out.push(' ');
        }
    }

    /// True if no element starts a line of those that the next text opens.
    fn opens_inline(&self) -> bool {
        let unwritten = self.open.iter().rev().take_while(|open| !open.written);
        let starts_line = tags::BLOCK | tags::TABLE_PART;
        unwritten
            .into_iter()
            .all(|open| !tags::has(open.tag, starts_line))
    }

    /// True for an element that starts a line and is written under a name that starts none.
    fn is_block_by_use(&self, n: NodeId, tag: &str) -> bool {
        self.page.breaks_line(n) && !tags::has(tag, tags::BLOCK)
    }

    /// True if nothing was written, or the border of a block last.
    fn is_at_line_start(&self) -> bool {
        let last = self
            .out
            .strip_suffix('>')
            .and_then(|out| out.rsplit('<').next());
        let name = last.map(|tag| tag.trim_start_matches('/').split(' ').next().unwrap_or(tag));
        self.out.is_empty() || name.is_some_and(|name| tags::has(name, tags::BLOCK))
    }

    /// Writes an embed as a block of its own, or within a paragraph as a line of its own.
    fn embed(&mut self, n: NodeId) -> bool {
        let Some(embed) = Embed::of(self.page, n, self.base) else {
            return false;
        };
        self.open_all();
        match self.embed_place() {
            EmbedPlace::Block => {
                self.out.push_str("<p>");
                self.embed_link(&embed);
                self.out.push_str("</p>");
                self.owes_break = false;
            }
            EmbedPlace::Line => {
                if std::mem::take(&mut self.owes_break) || !self.is_at_line_start() {
                    self.out.push_str("<br>");
                }
                self.embed_link(&embed);
                self.owes_break = true;
            }
            EmbedPlace::Alone => self.embed_link(&embed),
        }
        self.owes_space = false;
        true
    }

    /// The place of an embed in the elements that are open.
    fn embed_place(&self) -> EmbedPlace {
        let holds_paragraphs =
            |tag| matches!(tag, "blockquote" | "dd" | "div" | "li" | "td" | "th");
        let is_around = |tag| {
            let is_list = matches!(tag, "dl" | "figure" | "ol" | "table" | "ul");
            is_list || tag != "caption" && tags::has(tag, tags::TABLE_PART)
        };
        let mut open = self.open.iter().map(|open| open.tag);
        match self.open.last() {
            Some(last) if !holds_paragraphs(last.tag) && is_around(last.tag) => EmbedPlace::Alone,
            _ if open.all(|tag| holds_paragraphs(tag) || is_around(tag)) => EmbedPlace::Block,
            _ => EmbedPlace::Line,
        }
    }

    /// Writes an embed as a link with its title and poster, or as a frame.
    fn embed_link(&mut self, embed: &Embed<'_>) {
        let is_frame = embed.is_frame && self.names.frames.has(&embed.url);
        let (tag, address) = if is_frame {
            ("iframe", "src")
        } else {
            ("a", "href")
        };
        self.out.push('<');
        self.out.push_str(tag);
        self.attr(address, &embed.url);
        if is_frame {
            self.attr("title", &embed.title);
        }
        self.out.push('>');
        if let Some(poster) = &embed.poster {
            self.out.push_str("<img");
            self.attr("src", poster);
            self.attr("alt", "");
            self.out.push('>');
        }
        if !is_frame {
            self.text(&embed.title);
        }
        self.out.push_str("</");
        self.out.push_str(tag);
        self.out.push('>');
    }

    /// Writes a listing that is a table as a `pre`.
    fn listing(&mut self, table: NodeId, body: &Mask) -> bool {
        let Some(listing) = Listing::of(self.page, table) else {
            return false;
        };
        let text = listing.text(self.page, body);
        if !text.trim().is_empty() {
            self.open_all();
            self.out.push_str("<pre><code");
            self.class(code::language(self.page, table));
            self.out.push('>');
            self.text(&text);
            self.out.push_str("</code></pre>");
        }
        true
    }

    fn class(&mut self, language: Option<&str>) {
        if let Some(language) = language {
            self.attr("class", &format!("{LANGUAGE}{language}"));
        }
    }

    /// The name under which an element is written.
    fn tag(&self, n: NodeId) -> Option<&'static str> {
        let tag = self.page.tag(n)?;
        if **tag == *"amp-img" {
            return Some("img");
        }
        match tags::name_with(tag, tags::CLEAN) {
            Some(part) if tags::has(part, tags::TABLE_PART) => {
                Some(if self.tables > 0 { part } else { "div" })
            }
            Some("span") if self.anchors.id(n).is_none() && !self.page.breaks_line(n) => None,
            Some(tag) => Some(tag),
            None if matches!(&**tag, "html" | "head" | "body") => None,
            None => self.page.breaks_line(n).then_some("div"),
        }
    }

    fn void(&mut self, n: NodeId, tag: &'static str) {
        let src = match tag {
            "img" => match self.names.pictures.of(self.page, n, self.base) {
                Some(url) => Some(url),
                None => return,
            },
            // A break or a rule at the beginning of nothing is nothing.
            _ if self.open.last().is_some_and(|open| !open.written) => return,
            _ => None,
        };
        self.pay_space();
        self.open_all();
        self.out.push('<');
        self.out.push_str(tag);
        if let Some(src) = src {
            self.attr("src", &src);
        }
        self.attrs(n, tag);
        self.out.push('>');
    }

    fn open_all(&mut self) {
        // What is around something written is written.
        let first = self.open.partition_point(|open| open.written);
        for at in first..self.open.len() {
            let OpenTags { node, tag, .. } = self.open[at];
            self.open[at].written = true;
            self.out.push('<');
            self.out.push_str(tag);
            match tag {
                "a" => self.href(node),
                "code" | "pre" => self.class(code::own_language(self.page, node)),
                _ => {}
            }
            self.attrs(node, tag);
            self.out.push('>');
        }
    }

    fn href(&mut self, link: NodeId) {
        if let Some(href) = self.anchors.href(self.page, link) {
            return self.attr("href", &href);
        }
        let href = self.page.attr(link, "href");
        if let Some(url) = href.and_then(|href| self.base.resolve(href)) {
            self.attr("href", &url);
        }
    }

    fn attrs(&mut self, n: NodeId, tag: &str) {
        let page = self.page;
        if let Some(id) = self.anchors.id(n) {
            self.attr("id", &id);
        }
        let own = ATTRS
            .iter()
            .find(|(name, _)| *name == tag)
            .map_or(&[][..], |(_, names)| names);
        for (name, value) in page.attrs(n) {
            if name.ns.is_empty()
                && value.len() <= MAX_ATTR_BYTES
                && (GENERIC_ATTRS.contains(&&*name.local) || own.contains(&&*name.local))
            {
                self.attr(&name.local, value);
            }
        }
    }

    fn attr(&mut self, name: &str, value: &str) {
        self.out.push(' ');
        self.out.push_str(name);
        self.out.push_str("=\"");
        self.escaped(value);
        self.out.push('"');
    }

    /// Writes a text, in pieces.
    fn text(&mut self, text: &str) {
        let mut rest = text;
        while !self.cut
            && let Some(at) = part_place(&self.out, rest, self.piece_bytes)
        {
            self.escaped(&rest[..at]);
            self.out.push_str(BREAK);
            self.limit += BREAK.len();
            self.piece_bytes = 0;
            rest = &rest[at..];
        }
        self.piece_bytes += rest.len();
        self.escaped(rest);
    }

    fn escaped(&mut self, text: &str) {
        let mut rest = text;
        while let Some(at) = rest.find(['&', '<', '>', '"']) {
            if self.out.len() > self.limit {
                break;
            }
            self.out.push_str(&rest[..at]);
            self.out.push_str(match rest.as_bytes()[at] {
                b'&' => "&amp;",
                b'<' => "&lt;",
                b'>' => "&gt;",
                _ => "&quot;",
            });
            rest = &rest[at + 1..];
        }
        if self.out.len() + rest.len() > self.limit {
            self.cut = true;
        } else {
            self.out.push_str(rest);
        }
    }

    fn close_until(&mut self, n: NodeId) {
        while let Some(open) = self.open.last() {
            if self.page.end(open.node) > n {
                break;
            }
            let is_block_by_use = self.is_block_by_use(open.node, open.tag);
            self.owes_break &= !self.page.breaks_line(open.node);
            self.owes_break |= is_block_by_use && open.written;
            if open.written {
                self.out.push_str("</");
                self.out.push_str(open.tag);
                self.out.push('>');
            }
            self.tables -= usize::from(open.tag == "table");
            self.open.pop();
        }
    }
}
