//! Elements that are alike: candidates for the items of a list.

use super::survey::ListPage;
use crate::learn::fields::selector::{FieldStep, StepName};
use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};
use forest_html::page::{NodeId, Page};
use forest_html::text::fnv1a;

/// Levels between an item and the element that names it.
const MAX_LEVELS: usize = 4;

/// Elements of a page that are looked at.
const MAX_ELEMENTS: usize = 20_000;

/// Tags that say enough without a name.
const TELLING: [&str; 15] = [
    "article", "main", "section", "body", "li", "tr", "dt", "dd", "h1", "h2", "h3", "h4", "table",
    "ul", "ol",
];

/// The name of an item: an element with a name, and the tags that lead down from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct ItemPath<'p> {
    anchor: FieldStep<'p>,
    below: [Option<&'p str>; MAX_LEVELS],
}

impl ItemPath<'_> {
    /// As XPath of the page.
    pub fn xpath(&self) -> String {
        let mut out = format!("//{}", self.anchor.step());
        for tag in self.below.iter().flatten() {
            out.push('/');
            out.push_str(tag);
        }
        out
    }

    /// The rank as a name that lasts: the lower, the better.
    pub fn rank(&self) -> usize {
        let levels = self.below.iter().flatten().count();
        let bare = usize::from(self.anchor.name == StepName::Tag);
        2 * levels + 3 * bare
    }
}

/// Elements with one name on all pages.
#[derive(Debug, Clone)]
pub(super) struct ItemGroup<'p> {
    pub path: ItemPath<'p>,
    /// The elements of each page, none below another.
    pub elements: Vec<Vec<NodeId>>,
}

/// The groups of elements of all pages, those with the same elements once: under their best
/// name. In a fixed order.
pub(super) fn groups<'p>(pages: &[ListPage<'p>]) -> Vec<ItemGroup<'p>> {
    let mut found: HashMap<ItemPath<'p>, Vec<Vec<NodeId>>> = HashMap::new();
    let mut order: Vec<ItemPath<'p>> = Vec::new();
    for (at, listed) in pages.iter().enumerate() {
        for element in with_links(listed) {
            for path in paths(listed.page, element) {
                let elements = found.entry(path).or_insert_with(|| {
                    order.push(path);
                    vec![Vec::new(); pages.len()]
                });
                let elements = &mut elements[at];
                let is_below = elements
                    .last()
                    .is_some_and(|&last| listed.page.contains(last, element));
                if !is_below {
                    elements.push(element);
                }
            }
        }
    }
    let mut best: HashMap<u64, usize> = HashMap::new();
    let mut out: Vec<ItemGroup<'p>> = Vec::new();
    for path in order {
        let elements = found.remove(&path).unwrap_or_default();
        let ids = elements.iter().flat_map(|page| {
            let ids = page.iter().map(|n| n.index() as u64 + 1);
            ids.chain([0])
        });
        let digest = fnv1a(ids);
        match best.get(&digest) {
            Some(&known) => {
                if path.rank() < out[known].path.rank() {
                    out[known].path = path;
                }
            }
            None => {
                best.insert(digest, out.len());
                out.push(ItemGroup { path, elements });
            }
        }
    }
    out
}

/// The elements of a page that hold a link or are one, in document order.
fn with_links(listed: &ListPage<'_>) -> Vec<NodeId> {
    let page = listed.page;
    let mut known = HashSet::new();
    let mut out = Vec::new();
    for link in &listed.links {
        for n in page
            .ancestors(link.node)
            .take_while(|&n| Some(n) != page.body())
        {
            if !known.insert(n) {
                break;
            }
            out.push(n);
        }
        if out.len() > MAX_ELEMENTS {
            break;
        }
    }
    out.sort_unstable();
    out
}

/// The names of an element.
fn paths<'p>(page: &'p Page, element: NodeId) -> Vec<ItemPath<'p>> {
    let mut out = Vec::new();
    let mut tags: Vec<&'p str> = Vec::new();
    let mut at = Some(element);
    while let Some(n) = at {
        let mut below = [None; MAX_LEVELS];
        for (slot, tag) in below.iter_mut().zip(tags.iter().rev()) {
            *slot = Some(*tag);
        }
        for anchor in FieldStep::all(page, n) {
            let tells = match anchor.name {
                StepName::Tag => TELLING.contains(&anchor.tag),
                StepName::Value("id", _) => !tags.is_empty(),
                StepName::Value(..) => false,
                StepName::Token(..) => true,
            };
            if tells {
                out.push(ItemPath { anchor, below });
            }
        }
        if tags.len() == MAX_LEVELS || Some(n) == page.body() {
            break;
        }
        let Some(tag) = page.tag(n) else { break };
        tags.push(tag);
        at = page.parent_element(n);
    }
    out
}
