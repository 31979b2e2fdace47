//! The JSON values in a page's scripts, each with the name of its script.

use super::super::{Kind, NodeId, Page};
use super::leaf::{JsonLeaf, words};
use super::reader::JsonReader;
use super::said::said_before;
use super::tie::step_aside;
use html5ever::local_name;
use std::cell::OnceCell;

/// Bytes of a value in a script: shorter ones hold no article.
const MIN_LITERAL_BYTES: usize = 200;

/// Bytes of an attribute that may hold a page's JSON.
const MIN_ATTRIBUTE_BYTES: usize = 400;

/// Bytes of a name at the most.
const MAX_NAME_BYTES: usize = 100;

/// A value, and the name of its script: see [`JsonPlace::script`](super::place::JsonPlace).
#[derive(Debug)]
pub(super) struct JsonScript {
    pub name: String,
    pub leaves: Vec<JsonLeaf>,
    words: OnceCell<Vec<usize>>,
    said: OnceCell<Vec<Option<usize>>>,
    aside: OnceCell<Vec<Option<usize>>>,
}

impl JsonScript {
    /// The words of each leaf.
    pub fn words(&self) -> &[usize] {
        let count = || self.leaves.iter().map(|leaf| words(&leaf.text)).collect();
        self.words.get_or_init(count)
    }

    /// For each leaf the step at which its path leads aside: see [`step_aside`].
    pub fn aside(&self) -> &[Option<usize>] {
        let step = || {
            self.leaves
                .iter()
                .map(|leaf| step_aside(&leaf.path))
                .collect()
        };
        self.aside.get_or_init(step)
    }

    /// For each leaf that which says it before: see [`said_before`].
    pub fn said(&self) -> &[Option<usize>] {
        self.said
            .get_or_init(|| said_before(&self.leaves, self.words()))
    }
}

/// The values of a page that hold strings, in document order.
pub(super) fn scripts(page: &Page, reader: &mut JsonReader) -> Vec<JsonScript> {
    let mut out: Vec<JsonScript> = Vec::new();
    let mut add = |name: &str, leaves: Vec<JsonLeaf>| {
        if !leaves.is_empty() {
            let name = name[..name.floor_char_boundary(MAX_NAME_BYTES)].to_owned();
            out.push(JsonScript {
                name,
                leaves,
                words: OnceCell::new(),
                said: OnceCell::new(),
                aside: OnceCell::new(),
            });
        }
    };
    for n in page.nodes().filter(|&n| page.kind(n) == Kind::Element) {
        if !page.is(n, &local_name!("script")) {
            for (name, value) in page.attrs(n) {
                if value.len() >= MIN_ATTRIBUTE_BYTES
                    && value.starts_with(['{', '['])
                    && let Some((leaves, _)) = reader.read(value)
                {
                    add(&format!("@{}", name.local), leaves);
                }
            }
            continue;
        }
        let text = page.text(n);
        let id = page.attr(n, "id").filter(|id| !id.is_empty());
        let id = id.map(|id| format!("#{id}"));
        let kind = page.attr(n, "type").unwrap_or_default().trim();
        let kind = kind.to_ascii_lowercase();
        if kind.ends_with("json") {
            let text = text.split_once("<![CDATA[").map_or(text, |(_, text)| text);
            let begin = text.find(['{', '[', '"']).unwrap_or(text.len());
            if let Some((leaves, _)) = reader.read(&text[begin..]) {
                add(&id.unwrap_or(kind), leaves);
            }
        } else if kind.is_empty() || kind.ends_with("script") || kind == "module" {
            for (name, leaves) in literals(text, reader) {
                let name = if name.is_empty() {
                    id.clone()
                } else {
                    Some(name)
                };
                add(&name.unwrap_or(kind.clone()), leaves);
            }
        }
    }
    out
}

/// True if the scripts of a page may hold a text of more bytes than these.
pub fn may_hold(page: &Page, bytes: usize) -> bool {
    let bytes = bytes.max(MIN_LITERAL_BYTES);
    let holds = |n: NodeId| {
        let script = page.is(n, &local_name!("script"));
        let of_script = script.then(|| page.text(n).len());
        let of_attributes = || page.attrs(n).map(|(_, value)| value.len()).max();
        of_script.or_else(of_attributes).unwrap_or_default() >= bytes
    };
    page.elements().any(holds)
}

/// The values that a script assigns, calls a function with or returns.
fn literals(script: &str, reader: &mut JsonReader) -> Vec<(String, Vec<JsonLeaf>)> {
    let mut found = Vec::new();
    let mut name = "";
    let mut at = 0;
    while let Some(mark) = script[at..].find(['=', '(', '{']) {
        let mark = at + mark;
        let before = script[..mark].trim_end();
        let opens = script.as_bytes()[mark];
        at = mark + 1;
        let begin = if opens == b'{' {
            // The value of a function: `return {`.
            if !before.ends_with("return") {
                continue;
            }
            mark
        } else {
            if let Some(named) = name_before(before) {
                name = named;
            }
            at + (script[at..].len() - script[at..].trim_start().len())
        };
        let value = &script[begin..];
        if value.len() < MIN_LITERAL_BYTES || !value.starts_with(['{', '[', '"', '\'', '`']) {
            continue;
        }
        if let Some((leaves, length)) = reader.read(value)
            && length >= MIN_LITERAL_BYTES
        {
            found.push((name.to_owned(), leaves));
            at = begin + length;
        }
    }
    found
}

/// The name at the end of `before`, without the global object: of a variable, a property or
/// a function. `JSON.parse` names nothing.
fn name_before(before: &str) -> Option<&str> {
    let before = before.trim_end_matches([']', '"', '\'']);
    let tail = &before[before.ceil_char_boundary(before.len().saturating_sub(MAX_NAME_BYTES))..];
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '.');
    let begin = tail.rfind(|c| !is_name(c));
    let begin = begin.map_or(0, |at| tail.ceil_char_boundary(at + 1));
    let name = tail[begin..].trim_start_matches('.');
    let global = ["window.", "self.", "globalThis."];
    let name = global
        .iter()
        .find_map(|global| name.strip_prefix(global))
        .unwrap_or(name);
    let is_word = matches!(
        name,
        "JSON.parse" | "function" | "return" | "if" | "decodeURIComponent"
    );
    (!name.is_empty() && !is_word).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(html: &str, expected: &[&str]) {
        let filler = "x".repeat(MIN_ATTRIBUTE_BYTES);
        let page = Page::from_html(&html.replace("FILL", &filler));
        let found = scripts(&page, &mut JsonReader::default());
        let names: Vec<&str> = found.iter().map(|script| &*script.name).collect();
        assert_eq!(names, expected, "{html}");
    }

    #[test]
    fn scripts_have_names() {
        check(
            "<script id=a type=application/json>{\"b\":\"FILL\"}</script>",
            &["#a"],
        );
        check(
            "<script type=application/ld+json><!-- [{\"b\":\"c\"}] --></script>",
            &["application/ld+json"],
        );
        check(
            "<script>window.__S__ = {\"b\":\"FILL\"};</script>",
            &["__S__"],
        );
        check(
            "<script>window['__S__']={b:'FILL'}; f()</script>",
            &["__S__"],
        );
        check("<script>a.push([1,\"FILL\"])</script>", &["a.push"]);
        check(
            "<script>var s = JSON.parse('{\"b\":\"FILL\"}')</script>",
            &["s"],
        );
        check(
            "<script>window.__N__=(function(a,b){return {x:a,y:\"FILL\"}}(1,2))</script>",
            &["__N__"],
        );
        check("<div data-page='{\"b\":\"FILL\"}'></div>", &["@data-page"]);
        check(
            "<script>if (a) { b({c:1}); } x = function(){ return {d:'e'} }</script>",
            &[],
        );
        check("<script type=text/template>{\"b\":\"FILL\"}</script>", &[]);
    }

    #[test]
    fn a_script_of_openings_ends() {
        check(&format!("<script>{}</script>", "=[".repeat(200_000)), &[]);
        check(&format!("<script>{}</script>", "({a:".repeat(100_000)), &[]);
    }
}
