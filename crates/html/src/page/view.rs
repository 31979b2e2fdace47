//! A page for an extractor: all of it, or the part that another extractor kept.

use super::{Kind, Mask, NodeId, Page};

/// A page, or the rest of it after texts were dropped: the other texts, and the elements
/// except those that lost all their text. An element that had none to
/// lose (a picture, a rule, an empty cell) stays where it stands.
#[derive(Debug)]
pub struct View<'a> {
    page: &'a Page,
    left: Option<Left>,
}

#[derive(Debug)]
struct Left {
    texts: Mask,
    gone: Mask,
}

impl<'a> View<'a> {
    /// All of a page.
    pub fn whole(page: &'a Page) -> View<'a> {
        View { page, left: None }
    }

    /// The rest of a page of whose texts only those in `texts` stay. Two
    /// passes over the page.
    pub fn left(page: &'a Page, texts: &Mask) -> View<'a> {
        // Texts before a node: all of them, and those that stay.
        let mut before: Vec<[u32; 2]> = Vec::with_capacity(page.len() + 1);
        let (mut all, mut stay) = (0, 0);
        for n in page.nodes() {
            before.push([all, stay]);
            if is_text(page, n) {
                all += 1;
                stay += u32::from(texts.contains(n));
            }
        }
        before.push([all, stay]);
        let mut gone = Mask::none(page);
        for n in page.nodes().filter(|&n| page.kind(n) == Kind::Element) {
            let ([all, stay], end) = (before[n.index()], before[page.end(n).index()]);
            if end[0] > all && end[1] == stay {
                gone.keep(n);
            }
        }
        let texts = texts.clone();
        let left = Some(Left { texts, gone });
        View { page, left }
    }

    /// The page.
    #[inline]
    pub fn page(&self) -> &'a Page {
        self.page
    }

    /// True if an element was dropped.
    #[inline]
    pub fn is_gone(&self, n: NodeId) -> bool {
        self.left.as_ref().is_some_and(|left| left.gone.contains(n))
    }

    /// True if a text stays. White space alone always does.
    #[inline]
    pub fn has_text(&self, n: NodeId) -> bool {
        match &self.left {
            None => true,
            Some(left) => left.texts.contains(n) || is_blank(self.page.text(n)),
        }
    }
}

/// True if a node is a text of the page's content, and more than white space.
#[inline]
pub fn is_text(page: &Page, n: NodeId) -> bool {
    page.kind(n) == Kind::Text && page.is_content(n) && !is_blank(page.text(n))
}

/// True if a text is white space alone.
#[inline]
pub fn is_blank(text: &str) -> bool {
    text.trim_start().is_empty()
}
