//! From linked nodes to an arena in document order.

use super::budget::ExpressionBudget;
use super::sink::{Data, LinkedTree, NONE};
use super::{
    ArenaNode, Attr, BREAKS_LINE, CONTENT, Characters, Element, FORMULA, MOST_PAGE_BYTES, NodeId,
    Page, PageWarning, Scripting, characters, lines, tags,
};
use foldhash::HashSet;
use html5ever::{Attribute, QualName, local_name, ns};
use std::sync::OnceLock;

/// Puts the nodes of a built tree into document order. Nodes that were taken out
/// of the tree while it was built are left behind.
pub(super) fn in_document_order(
    mut links: LinkedTree,
    scripting: Scripting,
    characters: Characters,
    warnings: Vec<PageWarning>,
) -> Page {
    if characters == Characters::AsShown {
        characters::write_out(&mut links);
    }
    // Growing a buffer copies it.
    let sizes = links.sizes;
    let mut builder = ArenaBuilder {
        page: Page {
            url: None,
            charset: "UTF-8",
            source_bytes: 0,
            warnings,
            nodes: Vec::with_capacity(links.nodes.len()),
            elements: Vec::with_capacity(links.nodes.len() / 2),
            attrs: Vec::with_capacity(sizes.attributes),
            text: String::with_capacity(sizes.text_bytes.min(MOST_PAGE_BYTES)),
            values: String::with_capacity(sizes.value_bytes.min(MOST_PAGE_BYTES)),
            notes: Vec::new(),
            content_elements: Vec::new(),
            before_body: 0,
            metadata: OnceLock::new(),
            json: None,
            binary: None,
            expression_budget: ExpressionBudget::default(),
        },
        open: Vec::new(),
        blocks_by_use: lines::blocks_by_use(&links),
        scripting,
    };
    builder.walk(links);
    let mut page = builder.page;
    let body = page.body().and_then(|body| page.element(body));
    page.before_body = body.map_or(u32::MAX, |body| body.order.saturating_sub(1));
    page
}

struct ArenaBuilder {
    page: Page,
    /// Ancestors of the next node: (its link, its index, level of its children,
    /// whether its children are content).
    open: Vec<OpenNode>,
    /// The links of elements that start a line by their use.
    blocks_by_use: HashSet<u32>,
    scripting: Scripting,
}

#[derive(Clone, Copy)]
struct OpenNode {
    link: u32,
    index: u32,
    level: u16,
    content: bool,
}

impl ArenaBuilder {
    fn walk(&mut self, mut links: LinkedTree) {
        let mut at = 0;
        loop {
            let contents = self.enter(at, &mut links);
            // A template's contents come before its children, which it never has.
            let link = &links.nodes[at as usize];
            let mut next = if contents != NONE {
                contents
            } else {
                link.first
            };
            while next == NONE {
                let Some(done) = self.open.pop() else { return };
                self.page.nodes[done.index as usize].end = self.page.nodes.len() as u32;
                next = links.nodes[done.link as usize].next;
            }
            at = next;
        }
    }

    /// Adds the node `at`; gives the fragment of a template, or `NONE`.
    fn enter(&mut self, at: u32, links: &mut LinkedTree) -> u32 {
        let is_block_by_use = self.blocks_by_use.contains(&at);
        let data = std::mem::replace(&mut links.nodes[at as usize].data, Data::Document);
        let index = self.page.nodes.len() as u32;
        let above = self.open.last().copied().unwrap_or(OpenNode {
            link: NONE,
            index: 0,
            level: 0,
            content: true,
        });
        let kind = data.kind();
        let is_formula = matches!(data, Data::Formula(_));
        let breaks_line = is_block_by_use
            || matches!(&data, Data::Element { name, .. }
                if name.ns == ns!(html) && tags::has(&name.local, tags::BLOCK));
        let text = self.page.text.len() as u32;
        let (mut level, mut content) = (above.level, above.content);
        let mut contents = NONE;
        let payload = match data {
            Data::Document | Data::Fragment => 0,
            Data::Text(text) | Data::Formula(text) => {
                self.page.text.push_str(&text);
                0
            }
            Data::Comment(note) | Data::Doctype(note) | Data::Instruction(note) => {
                content = false;
                self.note(&note)
            }
            Data::Element {
                name,
                attrs,
                contents: fragment,
                ..
            } => {
                contents = fragment;
                content = content && is_shown(&name, &attrs, self.scripting);
                level += 1;
                self.element(name, attrs, index, content)
            }
        };
        self.page.nodes.push(ArenaNode {
            parent: above.index,
            end: index + 1,
            text,
            data: payload,
            level: above.level,
            kind,
            traits: (CONTENT * u8::from(content))
                | (BREAKS_LINE * u8::from(breaks_line))
                | (FORMULA * u8::from(is_formula)),
        });
        self.open.push(OpenNode {
            link: at,
            index,
            level,
            content,
        });
        contents
    }

    fn element(&mut self, name: QualName, attrs: Vec<Attribute>, index: u32, content: bool) -> u32 {
        let page = &mut self.page;
        let order = if content {
            page.content_elements.push(NodeId(index));
            page.content_elements.len() as u32
        } else {
            0
        };
        page.elements.push(Element {
            name,
            attrs: page.attrs.len() as u32,
            order,
        });
        for attr in attrs {
            let start = page.values.len() as u32;
            page.values.push_str(&attr.value);
            page.attrs.push(Attr {
                name: attr.name,
                start,
                end: page.values.len() as u32,
            });
        }
        page.elements.len() as u32 - 1
    }

    fn note(&mut self, note: &str) -> u32 {
        let start = self.page.values.len() as u32;
        self.page.values.push_str(note);
        self.page.notes.push((start, self.page.values.len() as u32));
        self.page.notes.len() as u32 - 1
    }
}

/// Returns true if an element's contents are shown in place: see the stage's page.
fn is_shown(name: &QualName, attrs: &[Attribute], scripting: Scripting) -> bool {
    if name.ns != ns!(html) {
        return !matches!(name.local, local_name!("script") | local_name!("style"));
    }
    match name.local {
        local_name!("noscript") => scripting == Scripting::Off,
        local_name!("template") => attrs
            .iter()
            .any(|a| &*a.name.local == "shadowrootmode" && matches!(&*a.value, "open" | "closed")),
        _ => !tags::has(&name.local, tags::RAW),
    }
}

const _: () = assert!(MOST_PAGE_BYTES < u32::MAX as usize / 8);
