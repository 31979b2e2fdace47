//! Walks over a page: its nodes in document order, with the ends of elements, and its body
//! as the sequence of tags and texts that it was written as.

use super::view::{View, is_blank, is_text};
use super::{Kind, Mask, NodeId, Page, tags};
use crate::text::{Analyzer, Language};
use html5ever::{LocalName, local_name};

/// Nodes in document order. What is below a node can be passed over.
pub struct NodeWalk<'p> {
    page: &'p Page,
    next: NodeId,
    end: NodeId,
}

impl NodeWalk<'_> {
    /// Goes on behind the subtree of a node.
    #[inline]
    pub fn pass_over(&mut self, n: NodeId) {
        self.next = self.page.end(n);
    }
}

impl Iterator for NodeWalk<'_> {
    type Item = NodeId;

    #[inline]
    fn next(&mut self) -> Option<NodeId> {
        let n = self.next;
        (n < self.end).then(|| {
            self.next = NodeId(n.0 + 1);
            n
        })
    }
}

/// Nodes in document order, and the ends of those that were opened.
pub struct NestedWalk<'p, T> {
    nodes: NodeWalk<'p>,
    /// With the end of its subtree, innermost last. At most as many as the page is deep.
    open: Vec<(NodeId, T)>,
}

impl<T> NestedWalk<'_, T> {
    /// Opens a node: behind its subtree comes its end.
    #[inline]
    pub fn open(&mut self, n: NodeId, value: T) {
        self.open.push((self.nodes.page.end(n), value));
    }

    /// Goes on behind the subtree of a node.
    #[inline]
    pub fn pass_over(&mut self, n: NodeId) {
        self.nodes.pass_over(n);
    }

    /// The next node. Before it, or at the end of the walk, `leave` gets the values of those
    /// that end there, innermost first.
    #[inline]
    pub fn next(&mut self, mut leave: impl FnMut(T)) -> Option<NodeId> {
        let next = self.nodes.next();
        let at = next.unwrap_or(NodeId(u32::MAX));
        while let Some((_, value)) = self.open.pop_if(|(end, _)| *end <= at) {
            leave(value);
        }
        next
    }

    /// Ends the walk before its last node.
    pub fn finish(mut self, leave: impl FnMut(T)) {
        self.nodes.next = self.nodes.end;
        self.next(leave);
    }
}

impl Page {
    /// The nodes of a subtree, its top first.
    #[inline]
    pub fn walk(&self, top: NodeId) -> NodeWalk<'_> {
        self.walk_between(top, self.end(top))
    }

    /// The nodes from `start` up to `end`, which is not among them.
    #[inline]
    pub fn walk_between(&self, start: NodeId, end: NodeId) -> NodeWalk<'_> {
        NodeWalk {
            page: self,
            next: start,
            end,
        }
    }

    /// [`walk_between`](Self::walk_between) with the ends of the nodes that are opened.
    pub fn walk_nested<T>(&self, start: NodeId, end: NodeId) -> NestedWalk<'_, T> {
        NestedWalk {
            nodes: self.walk_between(start, end),
            open: Vec::new(),
        }
    }
}

/// One step through the body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The start tag of an element.
    Start(NodeId),
    /// The end tag of an element; void elements have none.
    End(NodeId),
    /// A text node with text: one of white space alone is no step.
    Text(NodeId),
}

/// Calls `each` for every step of what is left below the page's body in document
/// order, `body` itself left out. Scripts, styles and comments are passed over, tags and
/// all. End tags that the author left out are steps too: the tree
/// has every element's end.
#[inline]
pub fn walk(view: &View<'_>, mut each: impl FnMut(Step)) {
    let page = view.page();
    let Some(body) = page.body() else { return };
    let mut nodes = page.walk_nested(NodeId(body.0 + 1), page.end(body));
    while let Some(n) = nodes.next(|ended| each(Step::End(ended))) {
        match page.kind(n) {
            Kind::Element if !page.is_content(n) || view.is_gone(n) => nodes.pass_over(n),
            Kind::Element => {
                each(Step::Start(n));
                if !page.tag(n).is_some_and(|tag| tags::has(tag, tags::VOID)) {
                    nodes.open(n, n);
                }
            }
            Kind::Text if is_text(page, n) && view.has_text(n) => each(Step::Text(n)),
            _ => {}
        }
    }
}

/// True for an element of block level. `br` breaks the line, but is no block.
#[inline]
pub fn is_block(page: &Page, element: NodeId) -> bool {
    page.breaks_line(element) && !page.is(element, &local_name!("br"))
}

/// True for a link: an `a` with an `href`.
#[inline]
pub fn is_link(page: &Page, element: NodeId) -> bool {
    page.is(element, &local_name!("a")) && page.attr(element, "href").is_some()
}

/// True for an element that shows something from elsewhere: a frame, a video, a sound.
#[inline]
pub fn is_embed(tag: &LocalName) -> bool {
    tags::has(tag, tags::EMBED)
}

/// The mask of `kept` texts, given in document order, with the white space
/// between two of them that no other text parts: where it stands alone in a text
/// node, it is what keeps two inline elements' words apart.
pub fn mask_of(page: &Page, kept: &[NodeId]) -> Mask {
    let mut mask = Mask::none(page);
    for &n in kept {
        mask.keep(n);
    }
    for pair in kept.windows(2) {
        let between = (pair[0].0 + 1..pair[1].0).map(NodeId);
        let is_text = |n: &NodeId| page.kind(*n) == Kind::Text && page.is_content(*n);
        if between
            .clone()
            .filter(is_text)
            .all(|n| is_blank(page.text(n)))
        {
            between.filter(is_text).for_each(|n| mask.keep(n));
        }
    }
    mask
}

/// Counts words, whatever the language: a run of letters and digits is one, in
/// scripts without spaces a pair of characters.
pub struct WordCounter(Analyzer);

impl Default for WordCounter {
    fn default() -> WordCounter {
        // Without a language there are no stop words to look for.
        WordCounter(Analyzer::new(Language::Unknown))
    }
}

impl WordCounter {
    pub fn count(&mut self, text: &str) -> usize {
        let mut words = 0;
        self.0.words(text, |_, _| words += 1);
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HTML: &str = "<div><p>a<b>b</b></p><i>c</i></div><u>d</u>";

    /// The walk below the body: names in brackets are ends.
    fn walked(passed_over: &str, nodes_at_most: usize) -> String {
        let page = Page::from_html(HTML);
        let body = page.body().expect("body");
        let name = |n: NodeId| page.tag(n).map_or(page.text(n), |tag| &**tag);
        let mut out = Vec::new();
        let mut nodes = page.walk_nested(NodeId(body.0 + 1), page.end(body));
        let mut left = nodes_at_most;
        while left > 0
            && let Some(n) = nodes.next(|ended| out.push(format!("[{}]", name(ended))))
        {
            left -= 1;
            out.push(name(n).to_owned());
            if name(n) == passed_over {
                nodes.pass_over(n);
            } else if page.kind(n) == Kind::Element {
                nodes.open(n, n);
            }
        }
        nodes.finish(|ended| out.push(format!("[{}]", name(ended))));
        out.join(" ")
    }

    #[test]
    fn ends_come_before_the_next_node_innermost_first() {
        let all = "div p a b b [b] [p] i c [i] [div] u d [u]";
        assert_eq!(walked("", usize::MAX), all);
    }

    #[test]
    fn what_is_passed_over_has_neither_nodes_nor_an_end() {
        assert_eq!(walked("p", usize::MAX), "div p i c [i] [div] u d [u]");
        assert_eq!(
            walked("u", usize::MAX),
            "div p a b b [b] [p] i c [i] [div] u"
        );
    }

    #[test]
    fn a_walk_that_stops_early_ends_what_is_open() {
        assert_eq!(walked("", 4), "div p a b [b] [p] [div]");
    }
}
