//! The elements that many expressions select, in one pass over a page.

use super::selector::{FieldSelector, FieldStep, StepName, names};
use foldhash::{HashMap, HashMapExt};
use forest_html::page::{NodeId, Page};
use html5ever::LocalName;

/// Expressions, found by what they are made of.
#[derive(Debug)]
pub(in crate::learn) struct SelectorSet<'p> {
    pub keys: Vec<FieldSelector<'p>>,
    /// The step that each expression has before its last.
    outer: Vec<Option<usize>>,
    /// Steps of all expressions, each once, by their tags and names.
    steps: HashMap<LocalName, HashMap<StepName<'p>, usize>>,
    /// The expressions that end in each step.
    ending: Vec<Vec<usize>>,
}

impl<'p> SelectorSet<'p> {
    pub fn new(keys: Vec<FieldSelector<'p>>) -> SelectorSet<'p> {
        let mut steps: HashMap<LocalName, HashMap<StepName<'p>, usize>> = HashMap::new();
        let mut ending: Vec<Vec<usize>> = Vec::new();
        let mut id = |step: FieldStep<'p>| {
            let of_tag = steps.entry(LocalName::from(step.tag)).or_default();
            *of_tag.entry(step.name).or_insert_with(|| {
                ending.push(Vec::new());
                ending.len() - 1
            })
        };
        let ids = keys
            .iter()
            .map(|key| (id(key.inner), key.outer.map(&mut id)));
        let (inner, outer): (Vec<usize>, Vec<Option<usize>>) = ids.unzip();
        for (at, step) in inner.into_iter().enumerate() {
            ending[step].push(at);
        }
        SelectorSet {
            keys,
            outer,
            steps,
            ending,
        }
    }

    /// Calls `found` with the index of an expression and an element that it selects,
    /// in document order.
    pub fn on(&self, page: &'p Page, mut found: impl FnMut(usize, NodeId)) {
        if self.keys.is_empty() {
            return;
        }
        // One past the last node below an element that a step names.
        let mut open = vec![NodeId(0); self.ending.len()];
        let mut steps: Vec<usize> = Vec::new();
        for n in page.elements() {
            let Some(of_tag) = page.tag(n).and_then(|tag| self.steps.get(tag)) else {
                continue;
            };
            steps.clear();
            steps.extend(of_tag.get(&StepName::Tag));
            steps.extend(names(page, n).filter_map(|name| of_tag.get(&name)));
            for &at in steps.iter().flat_map(|&step| &self.ending[step]) {
                if self.outer[at].is_none_or(|outer| n < open[outer]) {
                    found(at, n);
                }
            }
            for &step in &steps {
                open[step] = open[step].max(page.end(n));
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
            for inner in FieldStep::all(&page, n) {
                let key = |outer| FieldSelector {
                    outer,
                    inner,
                    attr: None,
                };
                keys.push(key(None));
                let above = page.ancestors(n).skip(1);
                keys.extend(
                    above
                        .flat_map(|up| FieldStep::all(&page, up))
                        .map(|outer| key(Some(outer))),
                );
            }
        }
        let selection = SelectorSet::new(keys);
        let mut found = vec![Vec::new(); selection.keys.len()];
        selection.on(&page, |at, n| found[at].push(n));
        for (key, mut found) in selection.keys.iter().zip(found) {
            let xpath = XPath::parse(&key.xpath()).expect("an expression");
            found.dedup();
            assert_eq!(found, xpath.nodes(&page), "{}", key.xpath());
        }
    }
}
