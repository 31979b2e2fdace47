//! A page while it is filtered.

use super::REMOVED_LINKS_CLASS;
use super::contents::Contents;
use super::settings::FilterSettings;
use super::tree::{FilteredTree, NodeEdits, RemovedLink};
use foldhash::HashSet;
use forest_html::address::MAX_URL_BYTES;
use forest_html::page::links::Base;
use forest_html::page::tags;
use forest_html::page::view::View;
use forest_html::page::walk::is_link;
use forest_html::page::{Kind, Mask, NodeId, Page};
use forest_html::text::fold;
use html5ever::{LocalName, local_name, ns};
use url::Url;

/// A page while it is filtered: what is left of it, and what is written otherwise.
#[derive(Debug, Clone)]
pub struct PageEdit<'p> {
    page: &'p Page,
    base: Base,
    substance: HashSet<LocalName>,
    pub(super) kept: Mask,
    pub(super) edits: NodeEdits,
    pub(super) links: Vec<RemovedLink>,
    /// The contents of the nodes before each node and one more, when the walk began.
    before: Vec<Contents>,
    /// One past the end of the link that is open in the walk.
    link_end: NodeId,
    /// One past the end of an element that became a link, or is one no more, in this walk.
    relinked_end: NodeId,
    contents: Contents,
    /// Changes since the engine last looked.
    pub(super) changes: usize,
    /// The links of what the filter deletes are listed.
    pub(super) retains: bool,
}

/// True for an address that is listed: not one that runs. The base of the page plays no
/// part, since the page that is written may be read from elsewhere.
fn is_listed(href: &str) -> bool {
    let href = href.trim_matches(|c: char| c.is_ascii_whitespace() || c.is_control());
    let is_relative = || Url::parse(href) == Err(url::ParseError::RelativeUrlWithoutBase);
    Base::none().resolve(href).is_some()
        || !href.is_empty() && href.len() <= MAX_URL_BYTES && is_relative()
}

impl<'p> PageEdit<'p> {
    pub(super) fn new(view: &View<'p>, settings: &FilterSettings) -> PageEdit<'p> {
        let page = view.page();
        let mut kept = Mask::all(page);
        for n in page.nodes() {
            match page.kind(n) {
                Kind::Element if view.is_gone(n) => kept.drop_subtree(page, n),
                Kind::Text if page.is_content(n) && !view.has_text(n) => kept.drop(n),
                _ => {}
            }
        }
        PageEdit {
            page,
            base: Base::of(page),
            substance: settings
                .substance
                .iter()
                .map(|tag| tag.as_str().into())
                .collect(),
            kept,
            edits: NodeEdits::none(page),
            links: Vec::new(),
            before: Vec::new(),
            link_end: NodeId(0),
            relinked_end: NodeId(0),
            contents: Contents::default(),
            changes: 0,
            retains: false,
        }
    }

    /// The tree that is left.
    pub(super) fn into_tree(mut self) -> FilteredTree<'p> {
        self.links.sort_by_key(|link| link.node);
        FilteredTree {
            page: self.page,
            kept: self.kept,
            edits: self.edits,
            links: self.links,
        }
    }

    /// The page as it was.
    pub fn page(&self) -> &'p Page {
        self.page
    }

    /// The base of the page's addresses.
    pub fn base(&self) -> &Base {
        &self.base
    }

    /// True if a node is left.
    pub fn is_kept(&self, n: NodeId) -> bool {
        self.kept.contains(n)
    }

    /// The local name of an HTML element.
    pub fn tag(&self, n: NodeId) -> Option<&'p LocalName> {
        self.page.tag(n)
    }

    /// The attributes of an element that are left, with their places among [`Page::attrs`].
    pub fn attrs(&self, n: NodeId) -> impl Iterator<Item = (usize, &'p str, &'p str)> + '_ {
        let page: &'p Page = self.page;
        let edit = self.edits.of(n);
        let attrs = page.attrs(n).enumerate();
        attrs
            .filter(move |(at, _)| edit.is_none_or(|edit| !edit.dropped.contains(at)))
            .map(|(at, (name, value))| (at, &*name.local, value))
    }

    /// The value of an attribute, by its local name in any namespace.
    pub fn attr<'a>(&'a self, n: NodeId, name: &str) -> Option<&'a str> {
        if let Some(set) = self.edits.of(n).and_then(|edit| edit.set.get(name)) {
            return Some(set);
        }
        self.attrs(n)
            .find(|(_, local, _)| *local == name)
            .map(|(_, _, value)| value)
    }

    /// True for a link that is left: an `a` with an `href`.
    pub fn is_link(&self, n: NodeId) -> bool {
        self.page.is(n, &local_name!("a")) && self.attr(n, "href").is_some()
    }

    /// True if the walk is in a link.
    pub fn is_in_link(&self, n: NodeId) -> bool {
        n < self.link_end
    }

    /// The contents of an element when this walk began.
    pub fn contents_before(&self, n: NodeId) -> Contents {
        self.before[self.page.end(n).index()] - self.before[n.index() + 1]
    }

    /// The contents of the element that the filter is called for.
    pub fn contents(&self) -> Contents {
        self.contents
    }

    /// The text that is left in a subtree and that a browser shows, white space folded.
    pub fn text_of(&self, top: NodeId) -> String {
        let mut text = String::new();
        let mut nodes = self.page.walk(top);
        while let Some(n) = nodes.next() {
            if !self.is_kept(n) {
                nodes.pass_over(n);
            } else if let Some(instead) = self.replacement(n) {
                text.push_str(instead);
                nodes.pass_over(n);
            } else if self.page.kind(n) == Kind::Text && self.page.is_content(n) {
                text.push_str(self.page.text(n));
            } else if self.page.breaks_line(n) {
                text.push(' ');
            }
        }
        fold(&text)
    }

    /// True if text that a browser shows is left in a subtree.
    pub fn has_text(&self, top: NodeId) -> bool {
        let texts = self.page.subtree(top).filter(|&n| self.is_kept(n));
        { texts }.any(|n| match self.page.kind(n) {
            Kind::Text => self.page.is_content(n) && !self.page.text(n).trim().is_empty(),
            _ => self
                .replacement(n)
                .is_some_and(|text| !text.trim().is_empty()),
        })
    }

    /// The text in the place of a node.
    pub(super) fn replacement(&self, n: NodeId) -> Option<&str> {
        self.edits.of(n)?.text.as_deref()
    }

    /// Deletes a node and all in it.
    pub fn delete(&mut self, n: NodeId) {
        if self.is_kept(n) {
            self.retain_links(n);
            self.kept.drop_subtree(self.page, n);
            self.changes += 1;
        }
    }

    /// Deletes all in an element.
    pub fn empty(&mut self, n: NodeId) {
        let children: Vec<NodeId> = { self.page.children(n) }
            .filter(|&child| self.is_kept(child))
            .collect();
        if children.is_empty() {
            return;
        }
        self.retain_links(n);
        for child in children {
            self.kept.drop_subtree(self.page, child);
        }
        self.contents = Contents::default();
        self.changes += 1;
    }

    /// Leaves out the attribute at a place among [`Page::attrs`].
    pub fn drop_attr(&mut self, n: NodeId, place: usize) {
        let dropped = self.edits.change(n).dropped.insert(place);
        self.changes += usize::from(dropped);
    }

    /// Writes an attribute.
    pub fn set_attr(&mut self, n: NodeId, name: &str, value: &str) {
        if self.attr(n, name) != Some(value) {
            let edit = self.edits.change(n);
            edit.set.insert(name.to_owned(), value.to_owned());
            self.changes += 1;
        }
    }

    /// Puts a text in the place of an element.
    pub fn replace(&mut self, n: NodeId, text: &str) {
        let edit = self.edits.change(n);
        if edit.text.as_deref() != Some(text) {
            edit.text = Some(text.to_owned());
            self.changes += 1;
        }
    }

    /// Leaves out an element's tags.
    pub fn unwrap_element(&mut self, n: NodeId) {
        let edit = self.edits.change(n);
        if !edit.unwrapped {
            edit.unwrapped = true;
            self.changes += 1;
        }
    }

    /// Lists the text links that are left in a subtree.
    fn retain_links(&mut self, top: NodeId) {
        if !self.retains {
            return;
        }
        let mut nodes = self.page.walk(top);
        while let Some(n) = nodes.next() {
            if !self.is_kept(n) {
                nodes.pass_over(n);
            } else if self.page.is_content(n) && is_link(self.page, n) {
                self.retain(n);
                nodes.pass_over(n);
            }
        }
    }

    fn retain(&mut self, link: NodeId) {
        let Some(href) = self.attr(link, "href").map(str::to_owned) else {
            return;
        };
        let text = self.text_of(link);
        if !text.is_empty() && is_listed(&href) {
            self.links.push(RemovedLink {
                node: link,
                href,
                text,
            });
        }
    }

    /// Takes out the list that an earlier filtering wrote; its links are listed again. Gives
    /// what the list counted.
    pub(super) fn take_listed_links(&mut self) -> Contents {
        let page = self.page;
        let mut taken = Contents::default();
        let Some(body) = page.body() else {
            return taken;
        };
        let is_list = |n: &NodeId| {
            page.is(*n, &local_name!("nav")) && page.attr(*n, "class") == Some(REMOVED_LINKS_CLASS)
        };
        let lists: Vec<NodeId> = page.children(body).filter(is_list).collect();
        self.retains = true;
        for list in lists {
            taken += self.contents_of(list);
            self.delete(list);
        }
        self.changes = 0;
        taken
    }

    /// Begins a walk: counts what is left, and gives that.
    pub(super) fn begin_walk(&mut self) -> Contents {
        let page = self.page;
        self.link_end = NodeId(0);
        self.relinked_end = NodeId(0);
        self.before.clear();
        self.before.reserve(page.len() + 1);
        let mut sum = Contents::default();
        let mut before = std::mem::take(&mut self.before);
        self.each_left(page.root(), |n, own| {
            before.resize(n.index() + 1, sum);
            sum += own;
        });
        before.resize(page.len() + 1, sum);
        self.before = before;
        sum
    }

    /// Calls `each` for the nodes that are left in a subtree, with what each counts itself.
    fn each_left(&self, top: NodeId, mut each: impl FnMut(NodeId, Contents)) {
        let page = self.page;
        let mut link_end = NodeId(0);
        let mut nodes = page.walk(top);
        while let Some(n) = nodes.next() {
            if !self.is_kept(n) {
                nodes.pass_over(n);
                continue;
            }
            each(n, self.own(n, n < link_end));
            if self.replacement(n).is_some() {
                nodes.pass_over(n);
            } else if n >= link_end && self.is_link(n) {
                link_end = page.end(n);
            }
        }
    }

    /// The contents that are left in a subtree, its top included. A pass over it.
    pub fn contents_of(&self, top: NodeId) -> Contents {
        let mut sum = Contents::default();
        self.each_left(top, |_, own| sum += own);
        sum
    }

    /// Notes the link that the walk enters.
    pub(super) fn enter_link(&mut self, n: NodeId) {
        let is_link = self.is_link(n);
        if n >= self.link_end && is_link {
            self.link_end = self.page.end(n);
        }
        let was_link = self.counted(n).links > 0;
        if was_link != is_link {
            self.relinked_end = self.relinked_end.max(self.page.end(n));
        }
    }

    /// The count of a node that is left, by itself, in this walk. The count of its beginning
    /// holds for a node without edits in links that are still links.
    pub(super) fn own_left(&self, n: NodeId) -> Contents {
        if n < self.relinked_end || self.edits.of(n).is_some() {
            self.own(n, self.is_in_link(n))
        } else {
            self.counted(n)
        }
    }

    /// The count of a node by itself when this walk began.
    fn counted(&self, n: NodeId) -> Contents {
        self.before[n.index() + 1] - self.before[n.index()]
    }

    pub(super) fn set_contents(&mut self, contents: Contents) {
        self.contents = contents;
    }

    /// The count of a node by itself.
    fn own(&self, n: NodeId, linked: bool) -> Contents {
        if let Some(text) = self.replacement(n) {
            return Contents::of_text(text, linked);
        }
        match self.page.kind(n) {
            Kind::Text if self.page.is_content(n) => Contents::of_text(self.page.text(n), linked),
            Kind::Element => self.own_of_element(n),
            _ => Contents::default(),
        }
    }

    fn own_of_element(&self, n: NodeId) -> Contents {
        let name = self.page.name(n).expect("an element has a name");
        let is_html = name.ns == ns!(html);
        Contents {
            links: u32::from(is_html && self.is_link(n)),
            substance: u32::from(self.substance.contains(&name.local)),
            fields: u32::from(is_html && tags::has(&name.local, tags::FIELD)),
            ..Contents::default()
        }
    }
}
