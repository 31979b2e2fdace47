//! Which nodes of a page are kept: the one result of filters, one-page extractors,
//! wrappers and strip rules.

use super::{NodeId, Page};

/// A set of nodes of one page. What is extracted is the text of the kept text
/// nodes, in document order; a page is never copied or edited.
///
/// ```
/// use forest_html::page::{Mask, Page};
///
/// let page = Page::from_html("<p>a</p><p>b</p>");
/// let p: Vec<_> = page.children(page.body().unwrap()).collect();
/// let mut mask = Mask::none(&page);
/// mask.keep_subtree(&page, p[1]);
/// let kept: String = mask.texts(&page).map(|n| page.text(n)).collect();
/// assert_eq!(kept, "b");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Mask {
    words: Vec<u64>,
    len: usize,
}

impl Mask {
    /// Nothing is kept.
    pub fn none(page: &Page) -> Mask {
        Mask {
            words: vec![0; page.len().div_ceil(64)],
            len: page.len(),
        }
    }

    /// Everything is kept.
    pub fn all(page: &Page) -> Mask {
        let mut mask = Mask::none(page);
        mask.keep_subtree(page, page.root());
        mask
    }

    /// The subtrees of `tops` are kept.
    pub fn subtrees(page: &Page, tops: &[NodeId]) -> Mask {
        let mut mask = Mask::none(page);
        for &top in tops {
            mask.keep_subtree(page, top);
        }
        mask
    }

    /// Returns true if a node is kept.
    #[inline]
    pub fn contains(&self, n: NodeId) -> bool {
        self.words
            .get(n.index() / 64)
            .is_some_and(|word| word & (1 << (n.index() % 64)) != 0)
    }

    /// Keeps one node.
    #[inline]
    pub fn keep(&mut self, n: NodeId) {
        self.words[n.index() / 64] |= 1 << (n.index() % 64);
    }

    /// Leaves one node out.
    #[inline]
    pub fn drop(&mut self, n: NodeId) {
        self.words[n.index() / 64] &= !(1 << (n.index() % 64));
    }

    /// Keeps a node and all below it.
    #[inline]
    pub fn keep_subtree(&mut self, page: &Page, n: NodeId) {
        self.fill(n.index(), page.end(n).index(), |word, bits| *word |= bits);
    }

    /// Leaves a node and all below it out.
    #[inline]
    pub fn drop_subtree(&mut self, page: &Page, n: NodeId) {
        self.fill(n.index(), page.end(n).index(), |word, bits| *word &= !bits);
    }

    /// Keeps what either keeps.
    #[inline]
    pub fn union(&mut self, other: &Mask) {
        for (word, bits) in self.words.iter_mut().zip(&other.words) {
            *word |= bits;
        }
    }

    /// Keeps what both keep.
    #[inline]
    pub fn intersect(&mut self, other: &Mask) {
        for (word, bits) in self.words.iter_mut().zip(&other.words) {
            *word &= bits;
        }
    }

    /// Leaves out what `other` keeps.
    #[inline]
    pub fn subtract(&mut self, other: &Mask) {
        for (word, bits) in self.words.iter_mut().zip(&other.words) {
            *word &= !bits;
        }
    }

    /// Returns true if nothing is kept.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// The kept nodes in document order.
    #[inline]
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.words.iter().enumerate().flat_map(|(i, &word)| {
            std::iter::successors((word != 0).then_some(word), |&w| {
                let rest = w & (w - 1);
                (rest != 0).then_some(rest)
            })
            .map(move |w| NodeId(i as u32 * 64 + w.trailing_zeros()))
        })
    }

    /// The first and the last kept node.
    pub fn ends(&self) -> Option<(NodeId, NodeId)> {
        let last = self.words.iter().rposition(|&word| word != 0)?;
        let high = 63 - self.words[last].leading_zeros();
        Some((self.nodes().next()?, NodeId(last as u32 * 64 + high)))
    }

    /// The kept text nodes that are content, in document order.
    #[inline]
    pub fn texts<'a>(&'a self, page: &'a Page) -> impl Iterator<Item = NodeId> + 'a {
        self.nodes()
            .filter(|&n| page.kind(n) == super::Kind::Text && page.is_content(n))
    }

    fn fill(&mut self, start: usize, end: usize, apply: impl Fn(&mut u64, u64)) {
        debug_assert!(start <= end && end <= self.len, "a mask of another page");
        let mut at = start;
        while at < end {
            let until = end.min((at / 64 + 1) * 64);
            let bits = (u64::MAX >> (64 - (until - at))) << (at % 64);
            apply(&mut self.words[at / 64], bits);
            at = until;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(mask: &Mask, expected: &[u32]) {
        let nodes: Vec<u32> = mask.nodes().map(|n| n.0).collect();
        assert_eq!(nodes, expected);
        assert_eq!(mask.is_empty(), expected.is_empty());
        let ends = mask.ends().map(|(first, last)| (first.0, last.0));
        assert_eq!(
            ends,
            expected.first().copied().zip(expected.last().copied())
        );
    }

    #[test]
    fn subtrees_over_word_borders() {
        let page = Page::from_html(&"<p>x".repeat(100));
        let all = Mask::all(&page);
        check(&all, &(0..page.len() as u32).collect::<Vec<_>>());
        let tops: Vec<_> = page.children(page.body().expect("body")).collect();
        let mut some = Mask::subtrees(&page, &[tops[29], tops[30], tops[62]]);
        check(&some, &[62, 63, 64, 65, 128, 129]);
        some.drop_subtree(&page, tops[30]);
        check(&some, &[62, 63, 128, 129]);
        assert_eq!(some.texts(&page).count(), 2);
    }

    #[test]
    fn sets() {
        let page = Page::from_html("<p>a<p>b");
        let mut a = Mask::none(&page);
        a.keep(NodeId(1));
        a.keep(NodeId(2));
        let mut b = Mask::none(&page);
        b.keep(NodeId(2));
        b.keep(NodeId(3));
        let with = |f: fn(&mut Mask, &Mask)| {
            let mut m = a.clone();
            f(&mut m, &b);
            m
        };
        check(&with(Mask::union), &[1, 2, 3]);
        check(&with(Mask::intersect), &[2]);
        check(&with(Mask::subtract), &[1]);
        a.drop(NodeId(1));
        check(&a, &[2]);
    }
}
