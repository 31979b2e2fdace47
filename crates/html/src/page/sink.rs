//! html5ever's tree builder on an arena of sibling links.

use super::Kind;
use html5ever::tendril::StrTendril;
use html5ever::tree_builder::{ElemName, ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::{Attribute, LocalName, Namespace, QualName, expanded_name, local_name, ns};
use std::borrow::Cow;
use std::cell::{Cell, Ref, RefCell};

/// "No node" in a link.
pub(super) const NONE: u32 = u32::MAX;

/// Attributes that later tags may add to `html` and `body`. More are left out:
/// each addition looks at the ones that are there.
const MAX_ADDED_ATTRS: usize = 512;

#[derive(Debug)]
pub(super) struct LinkedNode {
    pub parent: u32,
    pub previous: u32,
    pub next: u32,
    pub first: u32,
    pub last: u32,
    pub data: Data,
}

#[derive(Debug)]
pub(super) enum Data {
    Document,
    Fragment,
    Doctype(StrTendril),
    Element {
        name: QualName,
        attrs: Vec<Attribute>,
        /// The fragment that holds a template's contents.
        contents: u32,
        integration_point: bool,
    },
    Text(StrTendril),
    /// A text that is a formula in TeX.
    Formula(StrTendril),
    Comment(StrTendril),
    Instruction(StrTendril),
}

impl Data {
    pub fn kind(&self) -> Kind {
        match self {
            Data::Document => Kind::Document,
            Data::Fragment => Kind::Fragment,
            Data::Doctype(_) => Kind::Doctype,
            Data::Element { .. } => Kind::Element,
            Data::Text(_) | Data::Formula(_) => Kind::Text,
            Data::Comment(_) => Kind::Comment,
            Data::Instruction(_) => Kind::Instruction,
        }
    }
}

/// Attributes with their values' bytes that any page may have, and those a byte of page.
/// Tags have less than one a byte; only formatting elements that are opened again make more.
const FREE_ATTRIBUTE_BYTES: usize = 65_536;
const ATTRIBUTE_BYTES_PER_BYTE: usize = 2;

/// The nodes of a document while it is built: 0 is the document. Nodes that were
/// taken out again stay in the vector without a parent.
#[derive(Debug)]
pub(super) struct LinkedTree {
    pub nodes: Vec<LinkedNode>,
    /// Bytes of attributes that may still be added.
    attribute_room: usize,
    /// Elements were made without their attributes, as there was no room for these.
    pub attributes_cut: bool,
    pub sizes: TreeSizes,
}

/// About how much a tree holds: what was taken out of it is counted, and copies are not.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct TreeSizes {
    pub attributes: usize,
    /// Bytes of texts.
    pub text_bytes: usize,
    /// Bytes of the values of attributes, of comments and the like.
    pub value_bytes: usize,
}

impl LinkedTree {
    pub fn add(&mut self, data: Data) -> u32 {
        match &data {
            Data::Text(text) | Data::Formula(text) => self.sizes.text_bytes += text.len(),
            Data::Comment(note) | Data::Doctype(note) | Data::Instruction(note) => {
                self.sizes.value_bytes += note.len();
            }
            Data::Document | Data::Fragment | Data::Element { .. } => {}
        }
        let id = self.nodes.len() as u32;
        self.nodes.push(LinkedNode {
            parent: NONE,
            previous: NONE,
            next: NONE,
            first: NONE,
            last: NONE,
            data,
        });
        id
    }

    /// The attributes of a new element; none where there is no room for them.
    fn with_room(&mut self, attrs: Vec<Attribute>) -> Vec<Attribute> {
        let bytes: usize = attrs.iter().map(|attr| attr.value.len() + 1).sum();
        match self.attribute_room.checked_sub(bytes) {
            Some(left) => {
                self.attribute_room = left;
                self.sizes.attributes += attrs.len();
                self.sizes.value_bytes += bytes - attrs.len();
                attrs
            }
            None => {
                self.attributes_cut = true;
                Vec::new()
            }
        }
    }

    pub fn at(&mut self, id: u32) -> &mut LinkedNode {
        &mut self.nodes[id as usize]
    }

    pub fn get(&self, id: u32) -> &LinkedNode {
        &self.nodes[id as usize]
    }

    fn append(&mut self, parent: u32, child: u32) {
        self.detach(child);
        let last = self.get(parent).last;
        self.at(child).parent = parent;
        self.at(child).previous = last;
        if last == NONE {
            self.at(parent).first = child;
        } else {
            self.at(last).next = child;
        }
        self.at(parent).last = child;
    }

    /// Makes `child` the next sibling of `sibling`.
    pub fn insert_behind(&mut self, sibling: u32, child: u32) {
        let LinkedNode { parent, next, .. } = *self.get(sibling);
        if next == NONE {
            self.append(parent, child);
        } else {
            self.insert_before(next, child);
        }
    }

    fn insert_before(&mut self, sibling: u32, child: u32) {
        self.detach(child);
        let LinkedNode {
            parent, previous, ..
        } = *self.get(sibling);
        let node = self.at(child);
        node.parent = parent;
        node.previous = previous;
        node.next = sibling;
        self.at(sibling).previous = child;
        if previous == NONE {
            self.at(parent).first = child;
        } else {
            self.at(previous).next = child;
        }
    }

    fn detach(&mut self, id: u32) {
        let LinkedNode {
            parent,
            previous,
            next,
            ..
        } = *self.get(id);
        if parent == NONE {
            return;
        }
        if previous == NONE {
            self.at(parent).first = next;
        } else {
            self.at(previous).next = next;
        }
        if next == NONE {
            self.at(parent).last = previous;
        } else {
            self.at(next).previous = previous;
        }
        let node = self.at(id);
        node.parent = NONE;
        node.previous = NONE;
        node.next = NONE;
    }

    fn extend_text(&mut self, id: u32, text: &str) -> bool {
        if id == NONE {
            return false;
        }
        match &mut self.at(id).data {
            Data::Text(contents) => {
                contents.push_slice(text);
                self.sizes.text_bytes += text.len();
                true
            }
            _ => false,
        }
    }

    fn reparent_children(&mut self, node: u32, new_parent: u32) {
        let mut child = self.get(node).first;
        while child != NONE {
            let next = self.get(child).next;
            self.append(new_parent, child);
            child = next;
        }
    }

    pub fn is_html(&self, id: u32, tag: &LocalName) -> bool {
        matches!(&self.get(id).data, Data::Element { name, .. } if name.ns == ns!(html) && name.local == *tag)
    }

    /// Returns true if `top` is `id` or above it.
    fn is_above(&self, top: u32, id: u32) -> bool {
        let mut at = id;
        while at != NONE && at != top {
            at = self.get(at).parent;
        }
        at == top
    }

    /// The next node of the subtree of `top` after `id` in document order.
    pub fn after(&self, top: u32, id: u32) -> u32 {
        if self.get(id).first != NONE {
            return self.get(id).first;
        }
        let mut at = id;
        while at != top {
            let link = self.get(at);
            if link.next != NONE {
                return link.next;
            }
            at = link.parent;
        }
        NONE
    }

    /// Replaces the children of `target` by copies of those of `option`
    /// (the standard's "clone an option into a selectedcontent").
    fn copy_children(&mut self, option: u32, target: u32) {
        while self.get(target).first != NONE {
            let first = self.get(target).first;
            self.detach(first);
        }
        let mut from = self.after(option, option);
        // The copies of the ancestors of `from` inside `option`, outermost first.
        let mut open = vec![(option, target)];
        while from != NONE {
            let parent = self.get(from).parent;
            while open.last().is_some_and(|&(original, _)| original != parent) {
                open.pop();
            }
            let Some(&(_, to)) = open.last() else { break };
            let data = match &self.get(from).data {
                Data::Element {
                    name,
                    attrs,
                    contents,
                    integration_point,
                } => {
                    let (name, attrs) = (name.clone(), attrs.clone());
                    let integration_point = *integration_point;
                    let contents = match *contents {
                        NONE => NONE,
                        _ => self.add(Data::Fragment),
                    };
                    Data::Element {
                        name,
                        attrs,
                        contents,
                        integration_point,
                    }
                }
                Data::Text(text) | Data::Formula(text) => Data::Text(text.clone()),
                Data::Comment(text) => Data::Comment(text.clone()),
                Data::Instruction(text) => Data::Instruction(text.clone()),
                Data::Doctype(text) => Data::Doctype(text.clone()),
                Data::Document | Data::Fragment => break,
            };
            let copy = self.add(data);
            self.append(to, copy);
            open.push((from, copy));
            from = self.after(option, from);
        }
    }
}

/// A [`TreeSink`] whose handles are indices.
#[derive(Debug)]
pub(super) struct ArenaSink {
    links: RefCell<LinkedTree>,
    quirks: Cell<QuirksMode>,
}

impl ArenaSink {
    pub fn new() -> Self {
        let mut links = LinkedTree {
            nodes: Vec::with_capacity(4096),
            attribute_room: FREE_ATTRIBUTE_BYTES,
            attributes_cut: false,
            sizes: TreeSizes::default(),
        };
        links.add(Data::Document);
        ArenaSink {
            links: RefCell::new(links),
            quirks: Cell::new(QuirksMode::NoQuirks),
        }
    }

    /// Nodes made so far, the ones taken out again included.
    pub fn nodes(&self) -> usize {
        self.links.borrow().nodes.len()
    }

    /// More of the source, so many bytes, is there.
    pub fn grow(&self, bytes: usize) {
        self.links.borrow_mut().attribute_room += ATTRIBUTE_BYTES_PER_BYTE * bytes;
    }

    fn child(&self, child: NodeOrText<u32>) -> u32 {
        match child {
            NodeOrText::AppendNode(node) => node,
            NodeOrText::AppendText(text) => self.links.borrow_mut().add(Data::Text(text)),
        }
    }
}

/// The name of an element that the arena lends to the tree builder.
#[derive(Debug)]
pub(super) struct BorrowedName<'a>(Ref<'a, QualName>);

impl ElemName for BorrowedName<'_> {
    fn ns(&self) -> &Namespace {
        &self.0.ns
    }

    fn local_name(&self) -> &LocalName {
        &self.0.local
    }
}

impl TreeSink for ArenaSink {
    type Handle = u32;
    type Output = LinkedTree;
    type ElemName<'a> = BorrowedName<'a>;

    fn finish(self) -> LinkedTree {
        self.links.into_inner()
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> u32 {
        0
    }

    fn elem_name<'a>(&'a self, target: &'a u32) -> BorrowedName<'a> {
        BorrowedName(Ref::map(self.links.borrow(), |links| {
            match &links.get(*target).data {
                Data::Element { name, .. } => name,
                _ => unreachable!("the tree builder asks only elements for their names"),
            }
        }))
    }

    fn create_element(&self, name: QualName, attrs: Vec<Attribute>, flags: ElementFlags) -> u32 {
        let mut links = self.links.borrow_mut();
        let contents = if flags.template {
            links.add(Data::Fragment)
        } else {
            NONE
        };
        let attrs = links.with_room(attrs);
        links.add(Data::Element {
            name,
            attrs,
            contents,
            integration_point: flags.mathml_annotation_xml_integration_point,
        })
    }

    fn create_comment(&self, text: StrTendril) -> u32 {
        self.links.borrow_mut().add(Data::Comment(text))
    }

    fn create_pi(&self, target: StrTendril, _: StrTendril) -> u32 {
        self.links.borrow_mut().add(Data::Instruction(target))
    }

    fn append(&self, parent: &u32, child: NodeOrText<u32>) {
        if let NodeOrText::AppendText(text) = &child {
            let mut links = self.links.borrow_mut();
            let last = links.get(*parent).last;
            if links.extend_text(last, text) {
                return;
            }
        }
        let child = self.child(child);
        self.links.borrow_mut().append(*parent, child);
    }

    fn append_before_sibling(&self, sibling: &u32, child: NodeOrText<u32>) {
        if let NodeOrText::AppendText(text) = &child {
            let mut links = self.links.borrow_mut();
            let previous = links.get(*sibling).previous;
            if links.extend_text(previous, text) {
                return;
            }
        }
        let child = self.child(child);
        self.links.borrow_mut().insert_before(*sibling, child);
    }

    fn append_based_on_parent_node(
        &self,
        element: &u32,
        prev_element: &u32,
        child: NodeOrText<u32>,
    ) {
        let has_parent = self.links.borrow().get(*element).parent != NONE;
        if has_parent {
            self.append_before_sibling(element, child);
        } else {
            self.append(prev_element, child);
        }
    }

    fn append_doctype_to_document(
        &self,
        mut name: StrTendril,
        public: StrTendril,
        system: StrTendril,
    ) {
        let quote = |id: &str| if id.contains('"') { '\'' } else { '"' };
        let quoted = |id: &str| format!("{0}{id}{0}", quote(id));
        let identifiers = match (public.is_empty(), system.is_empty()) {
            (true, true) => String::new(),
            (true, false) => format!(" SYSTEM {}", quoted(&system)),
            (false, true) => format!(" PUBLIC {}", quoted(&public)),
            (false, false) => format!(" PUBLIC {} {}", quoted(&public), quoted(&system)),
        };
        name.push_slice(&identifiers);
        let mut links = self.links.borrow_mut();
        let doctype = links.add(Data::Doctype(name));
        links.append(0, doctype);
    }

    fn get_template_contents(&self, target: &u32) -> u32 {
        match self.links.borrow().get(*target).data {
            Data::Element { contents, .. } if contents != NONE => contents,
            _ => unreachable!("the tree builder asks only templates for their contents"),
        }
    }

    fn same_node(&self, x: &u32, y: &u32) -> bool {
        x == y
    }

    fn set_quirks_mode(&self, mode: QuirksMode) {
        self.quirks.set(mode);
    }

    fn add_attrs_if_missing(&self, target: &u32, attrs: Vec<Attribute>) {
        if let Data::Element { attrs: there, .. } = &mut self.links.borrow_mut().at(*target).data {
            for attr in attrs {
                if there.len() >= MAX_ADDED_ATTRS {
                    break;
                }
                if !there.iter().any(|a| a.name == attr.name) {
                    there.push(attr);
                }
            }
        }
    }

    fn remove_from_parent(&self, target: &u32) {
        self.links.borrow_mut().detach(*target);
    }

    fn reparent_children(&self, node: &u32, new_parent: &u32) {
        self.links
            .borrow_mut()
            .reparent_children(*node, *new_parent);
    }

    fn is_mathml_annotation_xml_integration_point(&self, handle: &u32) -> bool {
        matches!(
            self.links.borrow().get(*handle).data,
            Data::Element {
                integration_point: true,
                ..
            }
        )
    }

    fn maybe_clone_an_option_into_selectedcontent(&self, option: &u32) {
        let mut links = self.links.borrow_mut();
        let selected = matches!(&links.get(*option).data, Data::Element { attrs, .. }
            if attrs.iter().any(|a| a.name.expanded() == expanded_name!("", "selected")));
        if !selected {
            return;
        }
        let mut select = links.get(*option).parent;
        while select != NONE && !links.is_html(select, &local_name!("select")) {
            select = links.get(select).parent;
        }
        if select == NONE {
            return;
        }
        let mut at = links.after(select, select);
        while at != NONE && !links.is_html(at, &local_name!("selectedcontent")) {
            at = links.after(select, at);
        }
        if at != NONE && !links.is_above(*option, at) {
            links.copy_children(*option, at);
        }
    }
}
