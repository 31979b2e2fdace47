//! What expressions select, for many of them in one pass over a page.

use super::key::{Key, Step};
use crate::page::{NodeId, Page};
use foldhash::{HashMap, HashMapExt};

/// Expressions, found by what they are made of.
#[derive(Debug)]
pub(in crate::learn) struct Selection<'p> {
    pub keys: Vec<Key<'p>>,
    by_inner: HashMap<Step<'p>, Vec<usize>>,
}

impl<'p> Selection<'p> {
    pub fn new(keys: Vec<Key<'p>>) -> Selection<'p> {
        let mut by_inner: HashMap<Step<'p>, Vec<usize>> = HashMap::new();
        for (at, key) in keys.iter().enumerate() {
            by_inner.entry(key.inner).or_default().push(at);
        }
        Selection { keys, by_inner }
    }

    /// Calls `found` with the index of an expression and an element that it selects,
    /// in document order.
    pub fn on(&self, page: &'p Page, mut found: impl FnMut(usize, NodeId)) {
        // One past the last node below an element that an outer step names.
        let outers = self.keys.iter().filter_map(|key| key.outer);
        let mut open: HashMap<Step<'p>, NodeId> = outers.map(|outer| (outer, NodeId(0))).collect();
        let mut steps = Vec::new();
        for n in page.elements() {
            Step::write(page, n, &mut steps);
            for &at in steps
                .iter()
                .filter_map(|step| self.by_inner.get(step))
                .flatten()
            {
                if self.keys[at].outer.is_none_or(|outer| n < open[&outer]) {
                    found(at, n);
                }
            }
            for step in &steps {
                if let Some(end) = open.get_mut(step) {
                    *end = page.end(n).max(*end);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wrapper::xpath::XPath;

    #[test]
    fn the_same_as_the_expressions_select() {
        let page = Page::from_html(
            "<div class='a b'><p class=c>1<p>2<div class=a><p class='c d'>3</div></div><p class=c>4<i id=e>5</i>",
        );
        let mut keys = Vec::new();
        for n in page.elements() {
            for inner in Step::all(&page, n) {
                let key = |outer| Key {
                    outer,
                    inner,
                    attr: None,
                };
                keys.push(key(None));
                let above = page.ancestors(n).skip(1);
                keys.extend(
                    above
                        .flat_map(|up| Step::all(&page, up))
                        .map(|outer| key(Some(outer))),
                );
            }
        }
        let selection = Selection::new(keys);
        let mut found = vec![Vec::new(); selection.keys.len()];
        selection.on(&page, |at, n| found[at].push(n));
        for (key, mut found) in selection.keys.iter().zip(found) {
            let xpath = XPath::parse(&key.xpath()).expect("an expression");
            found.dedup();
            assert_eq!(found, xpath.nodes(&page), "{}", key.xpath());
        }
    }
}
