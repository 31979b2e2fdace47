//! Clean HTML of what is kept.

use super::images::PictureNames;
use super::shown::{Region, is_unread};
use crate::page::links::Base;
use crate::page::plain::breaks_line;
use crate::page::{Kind, MAX_GROWTH, Mask, NodeId, Page};
use ammonia::{Builder, UrlRelative};
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// The elements that are written. Other blocks become `div`, other inline
/// elements vanish and leave their contents.
const TAGS: [&str; 57] = [
    "a",
    "abbr",
    "b",
    "bdi",
    "bdo",
    "blockquote",
    "br",
    "caption",
    "cite",
    "code",
    "dd",
    "del",
    "details",
    "dfn",
    "div",
    "dl",
    "dt",
    "em",
    "figcaption",
    "figure",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "i",
    "img",
    "ins",
    "kbd",
    "li",
    "mark",
    "ol",
    "p",
    "pre",
    "q",
    "rp",
    "rt",
    "ruby",
    "s",
    "samp",
    "small",
    "strong",
    "sub",
    "summary",
    "sup",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "time",
    "tr",
    "u",
    "ul",
];

/// The parts of tables, which a parser drops outside of one.
const TABLE_PARTS: [&str; 7] = ["caption", "tbody", "td", "tfoot", "th", "thead", "tr"];

/// Attributes that are written besides `href` and `src`.
const ATTRS: [(&str, &[&str]); 6] = [
    ("img", &["alt", "width", "height"]),
    ("ol", &["start"]),
    ("td", &["colspan", "rowspan"]),
    ("th", &["colspan", "rowspan"]),
    ("time", &["datetime"]),
    ("bdo", &["dir"]),
];

/// Attributes that are written for every element.
const GENERIC_ATTRS: [&str; 2] = ["lang", "title"];

/// Bytes of an attribute that is written; longer ones are no prose.
const MAX_ATTR_BYTES: usize = 8192;

/// ammonia with the lists above: made once, it is the same for every page.
static CLEANER: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let mut builder = Builder::default();
    let mut attrs = ATTRS
        .map(|(tag, names)| (tag, HashSet::from_iter(names.iter().copied())))
        .to_vec();
    attrs.push(("a", HashSet::from(["href"])));
    let mut attrs: std::collections::HashMap<_, HashSet<_>> = attrs.into_iter().collect();
    attrs.entry("img").or_default().insert("src");
    builder
        .tags(HashSet::from(TAGS))
        .tag_attributes(attrs)
        .generic_attributes(HashSet::from(GENERIC_ATTRS))
        .url_schemes(HashSet::from(["http", "https", "mailto", "tel", "ftp"]))
        .url_relative(UrlRelative::PassThrough)
        .link_rel(None);
    builder
});

/// The kept nodes as HTML that is safe to show: no scripts, styles, forms, event
/// attributes, classes or `javascript:`; addresses absolute where the page's is
/// known; pictures with the address of [`images`](super::images()). What is written
/// goes through ammonia, so that safety does not rest on this writer.
///
/// An element is written where something in it is kept. At most four times as
/// long as the page.
///
/// ```
/// use forest::render::html;
/// use forest::page::links::Base;
/// use forest::page::{Mask, Page};
///
/// let page = Page::from_html("<p class=x onclick=y>One <a href='javascript:z'>two</a></p><p></p><script>x</script>");
/// assert_eq!(html(&page, &Mask::all(&page), &Base::of(&page)), "<p>One <a>two</a></p>");
/// ```
pub fn html(page: &Page, body: &Mask, base: &Base) -> String {
    html_within(page, body, base, &PictureNames::default()).0
}

/// As [`html`], and whether it was cut.
pub(crate) fn html_within(
    page: &Page,
    body: &Mask,
    base: &Base,
    names: &PictureNames,
) -> (String, bool) {
    let mut writer = HtmlWriter {
        page,
        base,
        names,
        out: String::new(),
        limit: page.source_bytes() * MAX_GROWTH,
        open: Vec::new(),
        tables: 0,
        owes_break: false,
        cut: false,
    };
    if let Some(region) = Region::of(page, body) {
        writer.walk(body, region);
    }
    let mut html = CLEANER.clean(&writer.out).to_string();
    html.truncate(html.trim_end().len());
    (html, writer.cut)
}

/// HTML with what could harm taken out: the elements and attributes of [`html()`] stay.
///
/// ```
/// assert_eq!(forest::render::sanitise("<p onclick=x>a<script>b</script></p>"), "<p>a</p>");
/// ```
pub fn sanitise(html: &str) -> String {
    CLEANER.clean(html).to_string()
}

/// HTML of [`html()`] with names in the place of its pictures' addresses.
///
/// ```
/// use forest::render::name_pictures;
///
/// let names = [("https://a.example/1.png".to_owned(), "pictures/1.png".to_owned())];
/// let html = name_pictures("<p>One<img src=\"https://a.example/1.png\"></p>", names.into());
/// assert_eq!(html, "<p>One<img src=\"pictures/1.png\"></p>");
/// ```
pub fn name_pictures(html: &str, names: HashMap<String, String>) -> String {
    let page = Page::from_html(html);
    let names = PictureNames::new(names);
    html_within(&page, &Mask::all(&page), &Base::of(&page), &names).0
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
    names: &'a PictureNames,
    out: String,
    limit: usize,
    open: Vec<OpenTags>,
    /// The number of open tables.
    tables: usize,
    /// A `br` that is not kept, as a mask of texts keeps none, parts what was written
    /// from the next text.
    owes_break: bool,
    cut: bool,
}

impl HtmlWriter<'_> {
    fn walk(&mut self, body: &Mask, region: Region) {
        let page = self.page;
        let mut at = region.start.0;
        while at < region.end.0 && !self.cut {
            let n = NodeId(at);
            at += 1;
            self.close_until(n);
            match page.kind(n) {
                Kind::Text if body.contains(n) && page.is_content(n) => {
                    let text = page.text(n);
                    if text.contains(|c: char| !c.is_whitespace()) {
                        if std::mem::take(&mut self.owes_break) {
                            self.out.push_str("<br>");
                        }
                        self.open_all();
                    }
                    // White space alone is kept only where something goes on.
                    if self.open.last().is_none_or(|open| open.written) {
                        self.escaped(text);
                    }
                }
                Kind::Element if !page.is_content(n) || is_unread(page, n) => at = page.end(n).0,
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

    fn element(&mut self, n: NodeId, tag: &'static str, kept: bool) {
        if matches!(tag, "br" | "hr" | "img") {
            if kept {
                self.void(n, tag);
            } else if tag == "br" {
                self.owes_break = self.open.last().is_some_and(|open| open.written);
            }
            return;
        }
        self.owes_break &= !self.page.tag(n).is_some_and(breaks_line);
        let in_filled_row = self.open.last().is_some_and(|open| open.filled_row);
        let is_filled = |row| self.page.text(row).contains(|c: char| !c.is_whitespace());
        self.tables += usize::from(tag == "table");
        self.open.push(OpenTags {
            node: n,
            tag,
            written: false,
            filled_row: tag == "tr" && is_filled(n),
        });
        // An empty cell of a row that is not holds its column's place.
        if matches!(tag, "td" | "th") && kept && in_filled_row {
            self.open_all();
        }
    }

    /// The name under which an element is written.
    fn tag(&self, n: NodeId) -> Option<&'static str> {
        let tag = self.page.tag(n)?;
        if **tag == *"amp-img" {
            return Some("img");
        }
        let listed = TAGS.binary_search(&&**tag).ok().map(|at| TAGS[at]);
        match listed {
            Some(part) if TABLE_PARTS.contains(&part) => {
                Some(if self.tables > 0 { part } else { "div" })
            }
            Some(tag) => Some(tag),
            None if matches!(&**tag, "html" | "head" | "body") => None,
            None => breaks_line(tag).then_some("div"),
        }
    }

    fn void(&mut self, n: NodeId, tag: &'static str) {
        let src = match tag {
            "img" => match self.names.of(self.page, n, self.base) {
                Some(url) => Some(url),
                None => return,
            },
            // A break or a rule at the beginning of nothing is nothing.
            _ if self.open.last().is_some_and(|open| !open.written) => return,
            _ => None,
        };
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
            if tag == "a"
                && let Some(url) = self
                    .page
                    .attr(node, "href")
                    .and_then(|href| self.base.resolve(href))
            {
                self.attr("href", &url);
            }
            self.attrs(node, tag);
            self.out.push('>');
        }
    }

    fn attrs(&mut self, n: NodeId, tag: &str) {
        let page = self.page;
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
            self.owes_break &= !self.page.tag(open.node).is_some_and(breaks_line);
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

#[cfg(test)]
mod tests {
    use super::*;
    use html5ever::local_name;

    fn check(html: &str, expected: &str) {
        let page = Page::from_html(html);
        let clean = super::html(&page, &Mask::all(&page), &Base::of(&page));
        assert_eq!(clean, expected, "{html}");
    }

    #[test]
    fn the_tags_can_be_searched_by_halves() {
        assert!(TAGS.is_sorted());
    }

    #[test]
    fn listed_elements_stay_and_others_leave_their_contents() {
        check("<p>a<font>b</font><b>c</b>", "<p>ab<b>c</b></p>");
        check(
            "<section>a</section><center>b</center>",
            "<div>a</div><div>b</div>",
        );
        check("a<form>b<input><button>c</button></form>", "a<div>b</div>");
        check("<p><b> </b></p><ul><li></li></ul>x", "x");
        check(
            "<p>a<br>b</p><hr>c<svg><text>d</text></svg>",
            "<p>a<br>b</p><hr>c",
        );
    }

    #[test]
    fn lines_of_a_mask_of_texts_stay_apart() {
        let page = Page::from_html("<br><div>a.<br>b<br><b>c</b><p>d</p><br>e<br></div><br>f");
        let mut texts = Mask::none(&page);
        for n in page
            .subtree(page.root())
            .filter(|&n| page.kind(n) == Kind::Text)
        {
            texts.keep(n);
        }
        let clean = super::html(&page, &texts, &Base::of(&page));
        assert_eq!(clean, "<div>a.<br>b<br><b>c</b><p>d</p><br>e</div>f");
    }

    #[test]
    fn what_could_harm_is_gone() {
        check(
            "<p style=x onclick=y id=z class=w lang=en>a&lt;script></p>",
            "<p lang=\"en\">a&lt;script&gt;</p>",
        );
        check(
            "<a href='java\nscript:x'>a</a><img src=x onerror=y>",
            "<a>a</a><img src=\"x\">",
        );
        check("<style>a</style><iframe>b</iframe><object>c</object>", "c");
    }

    #[test]
    fn tables_keep_their_spans_and_parts_without_a_table_are_blocks() {
        check(
            "<table><tr><td colspan=2>a</table>",
            "<table><tbody><tr><td colspan=\"2\">a</td></tr></tbody></table>",
        );
        check(
            "<table><tr><td><td>a<tr><td> </table>",
            "<table><tbody><tr><td></td><td>a</td></tr></tbody></table>",
        );
        let page = Page::from_html("<table><tr><td>a<td>b</table>");
        let row = page
            .elements()
            .find(|&n| page.is(n, &local_name!("tr")))
            .expect("tr");
        let clean = super::html(&page, &Mask::subtrees(&page, &[row]), &Base::of(&page));
        assert_eq!(clean, "<div><div>a</div><div>b</div></div>");
    }

    #[test]
    fn addresses_made_absolute_do_not_multiply_a_page() {
        let base = format!("<base href='http://a.example/{}/'>", "x".repeat(4000));
        let html = base + &"<a href=b>c</a>".repeat(10_000);
        let page = Page::from_html(&html);
        let (clean, cut) = html_within(
            &page,
            &Mask::all(&page),
            &Base::of(&page),
            &PictureNames::default(),
        );
        assert!(
            cut && clean.len() <= MAX_GROWTH * html.len() + 100,
            "{}",
            clean.len()
        );
    }
}
