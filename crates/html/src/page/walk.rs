//! A page's body as the sequence of tags and texts that it was written as.

use super::plain::breaks_line;
use super::view::{View, is_blank, is_text};
use super::{Kind, Mask, NodeId, Page, tags};
use crate::text::{Analyzer, Language};
use html5ever::{LocalName, local_name};

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
pub fn walk(view: &View<'_>, mut each: impl FnMut(Step)) {
    let page = view.page();
    let Some(body) = page.body() else { return };
    // Elements that are open, innermost last. At most as many as the page is deep.
    let mut open: Vec<NodeId> = Vec::new();
    let end = page.end(body);
    let mut at = NodeId(body.0 + 1);
    while at < end {
        while let Some(ended) = open.pop_if(|n| page.end(*n) <= at) {
            each(Step::End(ended));
        }
        match page.kind(at) {
            Kind::Element if !page.is_content(at) || view.is_gone(at) => {
                at = page.end(at);
                continue;
            }
            Kind::Element => {
                each(Step::Start(at));
                if !page.tag(at).is_some_and(|tag| tags::has(tag, tags::VOID)) {
                    open.push(at);
                }
            }
            Kind::Text if is_text(page, at) && view.has_text(at) => each(Step::Text(at)),
            _ => {}
        }
        at = NodeId(at.0 + 1);
    }
    while let Some(ended) = open.pop() {
        each(Step::End(ended));
    }
}

/// True for an element of block level. `br` breaks the line, but is no block.
pub fn is_block(page: &Page, element: NodeId) -> bool {
    page.tag(element)
        .is_some_and(|tag| *tag != local_name!("br") && breaks_line(tag))
}

/// True for a link: an `a` with an `href`.
pub fn is_link(page: &Page, element: NodeId) -> bool {
    page.is(element, &local_name!("a")) && page.attr(element, "href").is_some()
}

/// True for an element that shows something from elsewhere: a frame, a video, a sound.
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
