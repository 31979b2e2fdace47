//! The tree of a page in the arena and in markup5ever_rcdom, which reads it with html5ever's own
//! tokenizer.

use forest_html::page::{Kind, NodeId, Page, Scripting, Source};
use html5ever::ParseOpts;
use html5ever::tendril::TendrilSink;
use markup5ever_rcdom::{Handle, NodeData, RcDom};

/// The tree of a page, one line for each node, in the format of html5lib.
fn of_page(page: &Page) -> String {
    let mut out = String::new();
    let mut depth: Vec<NodeId> = Vec::new();
    for n in page.nodes().skip(1) {
        while depth.last().is_some_and(|&up| page.end(up) <= n) {
            depth.pop();
        }
        let indent = "  ".repeat(depth.len());
        depth.push(n);
        match page.kind(n) {
            Kind::Element => {
                out += &format!("{indent}<{:?}", page.name(n).unwrap());
                for (name, value) in page.attrs(n) {
                    out += &format!(" {name:?}={value:?}");
                }
                out += ">\n";
            }
            Kind::Text => out += &format!("{indent}{:?}\n", page.text(n)),
            Kind::Comment => out += &format!("{indent}<!-- {:?}\n", page.note(n)),
            Kind::Doctype => out += &format!("{indent}<!doctype {:?}\n", page.note(n)),
            Kind::Fragment => out += &format!("{indent}content\n"),
            Kind::Document | Kind::Instruction => unreachable!("not from HTML"),
        }
    }
    out
}

/// The tree that html5ever makes in markup5ever_rcdom, in the same format.
fn of_rcdom(html: &str) -> String {
    let mut options = ParseOpts::default();
    // It would leave out one after each script, too.
    options.tokenizer.discard_bom = false;
    let dom = html5ever::parse_document(RcDom::default(), options).one(html);
    let mut out = String::new();
    let mut stack: Vec<(Handle, usize)> = Vec::new();
    push_children(&dom.document, 0, &mut stack);
    while let Some((node, depth)) = stack.pop() {
        let indent = "  ".repeat(depth);
        match &node.data {
            NodeData::Element {
                name,
                attrs,
                template_contents,
                ..
            } => {
                out += &format!("{indent}<{name:?}");
                for attr in attrs.borrow().iter() {
                    out += &format!(" {:?}={:?}", attr.name, &*attr.value);
                }
                out += ">\n";
                push_children(&node, depth + 1, &mut stack);
                if let Some(contents) = &*template_contents.borrow() {
                    stack.push((contents.clone(), depth + 1));
                }
            }
            NodeData::Text { contents } => {
                out += &format!("{indent}{:?}\n", &**contents.borrow());
            }
            NodeData::Comment { contents } => out += &format!("{indent}<!-- {:?}\n", &**contents),
            NodeData::Doctype {
                name,
                public_id,
                system_id,
            } => {
                let quoted = |id: &str| {
                    let quote = if id.contains('"') { '\'' } else { '"' };
                    format!(" {quote}{id}{quote}")
                };
                let mut note = name.to_string();
                if !public_id.is_empty() {
                    note += " PUBLIC";
                    note += &quoted(public_id);
                } else if !system_id.is_empty() {
                    note += " SYSTEM";
                }
                if !system_id.is_empty() {
                    note += &quoted(system_id);
                }
                out += &format!("{indent}<!doctype {note:?}\n");
            }
            NodeData::Document => {
                out += &format!("{indent}content\n");
                push_children(&node, depth + 1, &mut stack);
            }
            NodeData::ProcessingInstruction { .. } => unreachable!("not from HTML"),
        }
    }
    out
}

fn push_children(node: &Handle, depth: usize, stack: &mut Vec<(Handle, usize)>) {
    for child in node.children.borrow().iter().rev() {
        stack.push((child.clone(), depth));
    }
}

/// Fails if the trees differ.
pub fn compare(html: &str) {
    let html = html.trim_start_matches('\u{feff}');
    let source = Source {
        content_type: Some("text/html; charset=utf-8"),
        ..Source::default()
    };
    let page = Page::parse_for(Scripting::On, html.as_bytes(), source, usize::MAX);
    let (ours, theirs) = (of_page(&page), of_rcdom(html));
    if let Some((a, b)) = ours.lines().zip(theirs.lines()).find(|(a, b)| a != b) {
        panic!("trees differ:\n{a:.300}\n{b:.300}\nin {html:.300}");
    }
    assert_eq!(ours.len(), theirs.len(), "one tree goes on");
}
