//! A value of a page's JSON as a page.

use super::super::metadata::{Date, MAX_VALUES};
use super::super::plain::{escape, text_of_html};
use super::super::{Metadata, Page, links::Base};
use super::leaf::{JsonLeaf, unescaped};
use super::place::JsonKind;
use super::value::{JsonValue, PageJson, is_html};
use crate::text::fold;
use std::fmt::Write as _;
use std::sync::OnceLock;

/// Strings beside the text that are taken over.
const MAX_FIELDS: usize = 100;

/// Bytes of the longest of them.
const MAX_FIELD_BYTES: usize = 300;

/// Steps from the object that holds the text to them: `author/0/name`.
const FIELD_STEPS: usize = 3;

/// Strings of one block that are asked for its kind.
const MAX_HINTS: usize = 40;

impl PageJson<'_> {
    /// The page with a value as its body: of the same address, with the title of the object that holds the value and metadata whose gaps
    /// are filled from it. The strings of that object stand in
    /// its head as `meta` elements, by their paths: `<meta name="author.name" content="...">`.
    pub fn page(&self, value: &JsonValue) -> Page {
        let fields = self.fields(value);
        let mut html = String::from("<!doctype html><html");
        let metadata = self.page.metadata();
        if let Some(language) = &metadata.language {
            attribute("lang", language, &mut html);
        }
        html.push_str("><head>");
        if let Some(base) = Base::of(self.page).url() {
            html.push_str("<base");
            attribute("href", base.as_str(), &mut html);
            html.push('>');
        }
        for (name, text) in &fields {
            html.push_str("<meta");
            attribute("name", name, &mut html);
            attribute("content", text, &mut html);
            html.push('>');
        }
        html.push_str("</head><body><main itemprop=\"articleBody\">");
        match value.place.kind {
            JsonKind::Blocks => self.blocks(value, &mut html),
            JsonKind::Thread => {
                for post in self.posts(value) {
                    html.push_str("<article>");
                    if let Some(author) = &post.author {
                        html.push_str("<meta itemprop=author");
                        attribute("content", author, &mut html);
                        html.push('>');
                    }
                    if let Some(date) = post.date.and_then(|date| date.rfc3339) {
                        html.push_str("<time");
                        attribute("datetime", &date, &mut html);
                        html.push_str("></time>");
                    }
                    markup(&post.text, &mut html);
                    html.push_str("</article>");
                }
            }
            // A page without any markup in its text is no other kind of page.
            JsonKind::Html => self
                .text_leaves(value)
                .for_each(|leaf| markup(&leaf.text, &mut html)),
            JsonKind::Text => self
                .text_leaves(value)
                .for_each(|leaf| paragraphs(&leaf.text, &mut html)),
        }
        let page = Page::from_html(&html);
        let mut warnings = self.page.warnings.clone();
        warnings.extend(&page.warnings);
        Page {
            url: self.page.url.clone(),
            charset: self.page.charset,
            warnings,
            metadata: OnceLock::from(filled(metadata, &fields)),
            json: Some(Box::new(value.place.clone())),
            ..page
        }
    }

    /// The short strings of the object that holds a value, with their paths in it.
    fn fields(&self, value: &JsonValue) -> Vec<(String, &str)> {
        let leaves = self.leaves_of(value);
        let path = &leaves[value.leaves.start].path;
        let (own, holder) = (&path[..value.depth], &path[..value.holder]);
        let beside = leaves.iter().filter(|leaf| {
            let steps = leaf.path.len().saturating_sub(holder.len());
            (1..=FIELD_STEPS).contains(&steps)
                && leaf.text.len() <= MAX_FIELD_BYTES
                && leaf.shared(holder) == holder.len()
                && leaf.shared(own) < own.len()
        });
        let name = |leaf: &JsonLeaf| {
            let steps = leaf.path[holder.len()..].iter();
            steps
                .filter_map(|step| step.name())
                .collect::<Vec<_>>()
                .join(".")
        };
        let beside = beside.take(MAX_FIELDS);
        beside.map(|leaf| (name(leaf), &*leaf.text)).collect()
    }

    /// Appends the strings of an array as paragraphs, headings and so on, as each block says
    /// of itself. Strings of one block between which there is white space are one paragraph.
    fn blocks(&self, value: &JsonValue, html: &mut String) {
        let leaves = &self.leaves_of(value)[value.leaves.clone()];
        let block_of = |leaf: &JsonLeaf| leaf.path.get(value.depth).cloned();
        let texts: Vec<&JsonLeaf> = self.text_leaves(value).collect();
        let mut open: Option<&str> = None;
        let mut last: Option<&JsonLeaf> = None;
        let mut blocks = leaves
            .chunk_by(|a, b| block_of(a) == block_of(b))
            .peekable();
        for leaf in texts {
            while blocks
                .next_if(|block| block_of(&block[0]) != block_of(leaf))
                .is_some()
            {}
            let is_inline = last.is_some_and(|last| {
                block_of(last) == block_of(leaf) && flows(&last.text, &leaf.text)
            });
            if !is_inline {
                close(open.take(), html);
                let hints = blocks
                    .peek()
                    .map_or(&[][..], |block| &block[..block.len().min(MAX_HINTS)]);
                let tag = tag_of(leaf, hints);
                html.push_str(if tag == "li" { "<ul><li>" } else { "<" });
                if tag != "li" {
                    let _ = write!(html, "{tag}>");
                }
                open = Some(tag);
            }
            if is_html(&leaf.text) {
                html.push_str(&unescaped(&leaf.text));
            } else {
                escape(&leaf.text, html);
            }
            last = Some(leaf);
        }
        close(open, html);
    }
}

fn close(tag: Option<&str>, html: &mut String) {
    match tag {
        Some("li") => html.push_str("</li></ul>"),
        Some(tag) => {
            let _ = write!(html, "</{tag}>");
        }
        None => {}
    }
}

/// True if a string goes on with the next one within a line.
fn flows(text: &str, next: &str) -> bool {
    text.ends_with(char::is_whitespace)
        || next.starts_with(|c: char| {
            c.is_whitespace() || matches!(c, ',' | '.' | ';' | ':' | ')' | '!' | '?')
        })
}

/// The tag for a string of a block, by what the objects around it say of their kind
/// (`"type": "heading"`, `"style": "h3"`).
fn tag_of(leaf: &JsonLeaf, block: &[JsonLeaf]) -> &'static str {
    let says = |hint: &&JsonLeaf| {
        let name = hint.name().to_ascii_lowercase();
        let of_kind = ["type", "style", "tag", "kind", "layout", "name"];
        let above = hint.path.len().saturating_sub(1);
        of_kind.iter().any(|end| name.ends_with(end)) && leaf.shared(&hint.path[..above]) == above
    };
    let mut kinds = block
        .iter()
        .filter(says)
        .filter_map(|hint| tag_named(&hint.text));
    kinds.next().unwrap_or("p")
}

fn tag_named(kind: &str) -> Option<&'static str> {
    const TAGS: [&str; 8] = ["h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre"];
    const PARTS: [(&str, &str); 5] = [
        ("heading", "h2"),
        ("header", "h2"),
        ("quote", "blockquote"),
        ("code", "pre"),
        ("list", "li"),
    ];
    let kind = kind.to_ascii_lowercase();
    let tag = TAGS.into_iter().find(|tag| *tag == kind);
    tag.or_else(|| {
        let part = PARTS.into_iter().find(|(part, _)| kind.contains(part));
        part.map(|(_, tag)| tag)
    })
}

/// Appends a text as markup, whether it is any or not.
fn markup(text: &str, html: &mut String) {
    if is_html(text) {
        html.push_str(&unescaped(text));
    } else {
        paragraphs(text, html);
    }
}

/// Appends a plain text: an empty line ends a paragraph, or a line break where there is no
/// empty line.
fn paragraphs(text: &str, html: &mut String) {
    let text = text.replace("\r\n", "\n");
    let between = if text.contains("\n\n") { "\n\n" } else { "\n" };
    for paragraph in text.split(between).filter(|p| !p.trim().is_empty()) {
        html.push_str("<p>");
        if paragraph.contains('<') {
            escape(paragraph, html);
        } else {
            // It may have entities.
            html.push_str(paragraph);
        }
        html.push_str("</p>");
    }
}

pub(super) fn attribute(name: &str, value: &str, html: &mut String) {
    let _ = write!(html, " {name}=\"");
    escape(value, html);
    html.push('"');
}

/// The metadata with the title that the object of the text has, and its authors and date
/// where there are none.
fn filled(metadata: &Metadata, fields: &[(String, &str)]) -> Metadata {
    let mut out = metadata.clone();
    let named = |names: &'static [&'static str]| {
        let of_name = move |(name, text): &&(String, &str)| {
            names.contains(&&**name) && !text.trim().is_empty()
        };
        let named = fields.iter().filter(of_name);
        named.map(|(_, text)| fold(&text_of_html(text)))
    };
    // The page of an application is often called like the application.
    let own = named(&["headline", "title", "title.rendered"]).next();
    out.title = own.or(out.title).or_else(|| named(&["name"]).next());
    if out.authors.is_empty() {
        let names = named(&["author", "author.name", "authors", "authors.name", "byline"]);
        out.authors.extend(names.take(MAX_VALUES));
    }
    if out.date_published.is_none() {
        let is_published = |name: &str| {
            let name = name.to_ascii_lowercase();
            name.contains("publish")
                || matches!(&*name, "date" | "created" | "createdat" | "created_at")
        };
        let dates = fields.iter().filter(|(name, _)| is_published(name));
        let mut dates = dates.map(|(_, text)| Date::read(text));
        out.date_published = dates.find(|date| date.rfc3339.is_some());
    }
    out
}
