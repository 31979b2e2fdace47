//! Clean HTML as the contents of a `div`.

use super::attribute;
use crate::prose::xhtml::chars::{Within, push_escaped};
use forest_html::page::{Kind, NodeId, Page};
use forest_html::text::fold;
use html5ever::local_name;

/// Adds the contents of clean HTML.
pub(super) fn push(html: &str, out: &mut String) {
    let page = Page::from_html(html);
    let mut writer = TeiWriter {
        page: &page,
        out,
        open: Vec::new(),
        sections: Vec::new(),
        paragraph: None,
        is_at_space: true,
    };
    if let Some(body) = page.body() {
        writer.walk(body);
    }
}

/// The contents that an element may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TeiContents {
    /// Text, and everything else.
    Mixed,
    /// Text and elements in a line; blocks are parted by line breaks.
    Line,
    /// Blocks: a text needs an element of its own, with this name.
    Blocks(&'static str),
    /// A program, with its white space.
    Program,
}

/// An HTML element that is open.
struct TeiOpen {
    end: NodeId,
    /// The end tags, as they are written.
    close: &'static str,
    contents: TeiContents,
    /// The state of a glossary: true if a term has no definition yet.
    owes_item: bool,
}

struct TeiWriter<'a> {
    page: &'a Page,
    out: &'a mut String,
    open: Vec<TeiOpen>,
    /// The levels of the open sections.
    sections: Vec<u8>,
    /// The element around a text that had none.
    paragraph: Option<&'static str>,
    /// True where white space has no meaning: at the beginning of a line, and behind a space.
    is_at_space: bool,
}

impl TeiWriter<'_> {
    fn walk(&mut self, body: NodeId) {
        let page = self.page;
        let mut nodes = page.walk_between(NodeId(body.0 + 1), page.end(body));
        while let Some(n) = nodes.next() {
            self.close_until(n);
            match page.kind(n) {
                Kind::Text if page.is_formula(n) => self.formula(page.text(n)),
                Kind::Text => self.text(page.text(n)),
                Kind::Element if page.is_content(n) && !self.element(n) => nodes.pass_over(n),
                _ => {}
            }
        }
        self.close_until(NodeId(u32::MAX));
        self.end_paragraph();
        while self.sections.pop().is_some() {
            self.out.push_str("</div>");
        }
    }

    fn contents(&self) -> TeiContents {
        let innermost = self.open.last();
        innermost.map_or(TeiContents::Blocks("p"), |open| open.contents)
    }

    fn close_until(&mut self, n: NodeId) {
        while let Some(open) = self.open.pop_if(|open| open.end <= n) {
            if matches!(open.contents, TeiContents::Blocks(_)) {
                self.end_paragraph();
            }
            if open.owes_item {
                self.out.push_str("<item/>");
            }
            self.out.push_str(open.close);
        }
    }

    fn end_paragraph(&mut self) {
        if let Some(name) = self.paragraph.take() {
            self.out.truncate(self.out.trim_end().len());
            self.out.push_str("</");
            self.out.push_str(name);
            self.out.push('>');
        }
    }

    /// Opens an element around a text, where it needs one.
    fn begin_line(&mut self) {
        if let TeiContents::Blocks(name) = self.contents()
            && self.paragraph.is_none()
        {
            self.out.push('<');
            self.out.push_str(name);
            self.out.push('>');
            self.paragraph = Some(name);
            self.is_at_space = true;
        }
    }

    fn text(&mut self, text: &str) {
        let contents = self.contents();
        if contents == TeiContents::Program {
            return push_escaped(text, Within::Text, self.out);
        }
        let is_blank = text.trim().is_empty();
        if is_blank && matches!(contents, TeiContents::Blocks(_)) && self.paragraph.is_none() {
            return;
        }
        self.begin_line();
        if text.starts_with(char::is_whitespace) {
            self.space();
        }
        if !is_blank {
            push_escaped(&fold(text), Within::Text, self.out);
            self.is_at_space = false;
            if text.ends_with(char::is_whitespace) {
                self.space();
            }
        }
    }

    fn formula(&mut self, formula: &str) {
        if self.contents() == TeiContents::Program || !formula.starts_with('$') {
            return self.text(formula);
        }
        self.begin_line();
        self.out.push_str("<formula notation=\"TeX\">");
        push_escaped(formula.trim_matches('$'), Within::Text, self.out);
        self.out.push_str("</formula>");
        self.is_at_space = false;
    }

    fn space(&mut self) {
        if !self.is_at_space {
            self.out.push(' ');
            self.is_at_space = true;
        }
    }

    fn start(&mut self, n: NodeId, tag: &str, close: &'static str, contents: TeiContents) {
        self.out.push('<');
        self.out.push_str(tag);
        if let Some(id) = self.page.attr(n, "id") {
            attribute("xml:id", &name_of(id), self.out);
        }
        self.open.push(TeiOpen {
            end: self.page.end(n),
            close,
            contents,
            owes_item: false,
        });
    }

    /// Opens an element without attributes of its own.
    fn plain(&mut self, n: NodeId, tag: &str, close: &'static str, contents: TeiContents) {
        self.start(n, tag, close, contents);
        self.out.push('>');
    }

    /// Writes the start of an element; false if its contents are not to be written.
    fn element(&mut self, n: NodeId) -> bool {
        let page = self.page;
        let Some(tag) = page.tag(n) else { return false };
        let contents = self.contents();
        if contents == TeiContents::Program {
            if *tag == local_name!("br") {
                self.out.push('\n');
            }
            return true;
        }
        if !page.breaks_line(n) || *tag == local_name!("br") {
            return self.inline(n, tag);
        }
        if contents == TeiContents::Line && is_paragraph(tag) {
            if !self.out.ends_with('>') {
                self.out.push_str("<lb/>");
                self.is_at_space = true;
            }
            return true;
        }
        if matches!(contents, TeiContents::Blocks(_)) {
            self.end_paragraph();
        }
        self.is_at_space = true;
        self.block(n, tag);
        true
    }

    fn block(&mut self, n: NodeId, tag: &html5ever::LocalName) {
        use TeiContents::{Blocks, Line, Mixed, Program};
        match *tag {
            local_name!("h1") => self.heading(n, 1, "rend=\"h1\""),
            local_name!("h2") => self.heading(n, 2, "rend=\"h2\""),
            local_name!("h3") => self.heading(n, 3, "rend=\"h3\""),
            local_name!("h4") => self.heading(n, 4, "rend=\"h4\""),
            local_name!("h5") => self.heading(n, 5, "rend=\"h5\""),
            local_name!("h6") => self.heading(n, 6, "rend=\"h6\""),
            local_name!("p") | local_name!("summary") => self.plain(n, "p", "</p>", Line),
            local_name!("ul") => self.plain(n, "list rend=\"bulleted\"", "</list>", Blocks("item")),
            local_name!("ol") => self.plain(n, "list rend=\"numbered\"", "</list>", Blocks("item")),
            local_name!("dl") => self.plain(n, "list type=\"gloss\"", "</list>", Blocks("item")),
            local_name!("li") if self.is_in("</list>") => self.plain(n, "item", "</item>", Mixed),
            local_name!("dt") if self.is_in("</list>") => {
                if self.owe_item(true) {
                    self.out.push_str("<item/>");
                }
                self.plain(n, "label", "</label>", Line);
            }
            local_name!("dd") if self.is_in("</list>") => {
                if !self.owe_item(false) {
                    self.out.push_str("<label/>");
                }
                self.plain(n, "item", "</item>", Mixed);
            }
            local_name!("table") => self.plain(n, "table", "</table>", Blocks("head")),
            local_name!("caption") | local_name!("figcaption") => {
                self.plain(n, "head", "</head>", Line);
            }
            local_name!("tr") if self.has_cells(n) => {
                self.plain(n, "row", "</row>", Blocks("cell"))
            }
            local_name!("td") => self.cell(n, "cell"),
            local_name!("th") => self.cell(n, "cell role=\"label\""),
            local_name!("blockquote") => self.plain(n, "quote", "</quote>", Mixed),
            local_name!("figure") => self.plain(n, "figure", "</figure>", Blocks("p")),
            local_name!("pre") => {
                self.start(n, "p xml:space=\"preserve\"", "</code></p>", Program);
                self.out.push_str("><code");
                self.language(n);
                self.out.push('>');
            }
            local_name!("hr") if self.contents() == Blocks("p") => {
                self.out.push_str("<milestone unit=\"section\"/>");
            }
            // A container: its contents are those of the element around it.
            _ => {}
        }
    }

    fn is_in(&self, close: &str) -> bool {
        self.open.last().is_some_and(|open| open.close == close)
    }

    /// Sets whether the term of a glossary is without a definition; gives whether one was.
    fn owe_item(&mut self, owes: bool) -> bool {
        let list = self.open.last_mut();
        list.is_some_and(|list| std::mem::replace(&mut list.owes_item, owes))
    }

    fn has_cells(&self, row: NodeId) -> bool {
        let is_cell = |n: NodeId| {
            self.page
                .tag(n)
                .is_some_and(|tag| matches!(*tag, local_name!("td") | local_name!("th")))
        };
        self.page.children(row).any(is_cell)
    }

    fn cell(&mut self, n: NodeId, tag: &str) {
        self.start(n, tag, "</cell>", TeiContents::Mixed);
        for (name, html) in [("cols", "colspan"), ("rows", "rowspan")] {
            let span = self.page.attr(n, html).and_then(|s| s.trim().parse().ok());
            if let Some(span) = span.filter(|span: &u16| *span > 1) {
                attribute(name, &span.to_string(), self.out);
            }
        }
        self.out.push('>');
    }

    /// A heading begins a section; one inside of another element is a paragraph.
    fn heading(&mut self, n: NodeId, level: u8, rend: &str) {
        if !self.open.is_empty() {
            return self.plain(n, &format!("p {rend}"), "</p>", TeiContents::Line);
        }
        while self.sections.pop_if(|open| *open >= level).is_some() {
            self.out.push_str("</div>");
        }
        self.sections.push(level);
        self.out.push_str("<div>");
        self.plain(n, &format!("head {rend}"), "</head>", TeiContents::Line);
    }

    fn inline(&mut self, n: NodeId, tag: &html5ever::LocalName) -> bool {
        let page = self.page;
        let rend = match *tag {
            local_name!("b") | local_name!("strong") => "hi rend=\"bold\"",
            local_name!("i") | local_name!("em") => "hi rend=\"italic\"",
            local_name!("u") => "hi rend=\"underline\"",
            local_name!("sub") => "hi rend=\"sub\"",
            local_name!("sup") => "hi rend=\"sup\"",
            local_name!("mark") => "hi rend=\"mark\"",
            local_name!("kbd") | local_name!("samp") | local_name!("code") => "code",
            local_name!("del") | local_name!("s") => "del",
            local_name!("ins") => "add",
            local_name!("q") => "q",
            local_name!("abbr") => "abbr",
            local_name!("a") => "ref",
            local_name!("rt") | local_name!("rp") => return false,
            local_name!("br") => {
                self.begin_line();
                self.out.push_str("<lb/>");
                self.is_at_space = true;
                return false;
            }
            local_name!("img") => {
                self.image(n);
                return false;
            }
            _ => return true,
        };
        self.begin_line();
        let close = match rend.split(' ').next() {
            Some("hi") => "</hi>",
            Some("code") => "</code>",
            Some("del") => "</del>",
            Some("add") => "</add>",
            Some("q") => "</q>",
            Some("abbr") => "</abbr>",
            _ => "</ref>",
        };
        self.start(n, rend, close, TeiContents::Line);
        if let Some(href) = page.attr(n, "href") {
            let target = match href.strip_prefix('#') {
                Some(id) => format!("#{}", name_of(id)),
                None => href.to_owned(),
            };
            attribute("target", &target, self.out);
        }
        if rend == "code" {
            self.language(n);
        }
        self.out.push('>');
        true
    }

    fn language(&mut self, n: NodeId) {
        let class = self
            .page
            .subtree(n)
            .take(2)
            .find_map(|n| self.page.attr(n, "class"));
        if let Some(language) = class.and_then(|class| class.strip_prefix("language-")) {
            attribute("lang", language, self.out);
        }
    }

    fn image(&mut self, n: NodeId) {
        let Some(src) = self.page.attr(n, "src") else {
            return;
        };
        let in_figure = self.is_in("</figure>");
        if !in_figure {
            self.out.push_str("<figure>");
        }
        self.out.push_str("<graphic");
        attribute("url", src, self.out);
        self.out.push_str("/>");
        let alt = fold(self.page.attr(n, "alt").unwrap_or_default());
        if !alt.is_empty() {
            super::tag("figDesc", &alt, self.out);
        }
        if !in_figure {
            self.out.push_str("</figure>");
        }
        self.is_at_space = false;
    }
}

/// True for blocks that hold text in lines only.
fn is_paragraph(tag: &html5ever::LocalName) -> bool {
    matches!(
        &**tag,
        "p" | "div" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "details" | "summary" | "hr"
    )
}

/// An id as XML allows it: letters, digits, `-`, `_` and `.`, a letter or `_` first.
fn name_of(id: &str) -> String {
    let allowed = |c: char| {
        if c.is_alphanumeric() || "-_.".contains(c) {
            c
        } else {
            '_'
        }
    };
    let name: String = id.chars().map(allowed).collect();
    if name.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        name
    } else {
        format!("_{name}")
    }
}
