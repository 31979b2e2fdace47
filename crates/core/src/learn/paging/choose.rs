//! Names for links, as expressions.

use super::links::{LinkRole, PageLinks};
use crate::learn::fields::selector::{FieldSelector, FieldStep, StepName};
use crate::learn::fields::selector_set::SelectorSet;
use foldhash::{HashMap, HashSet};
use forest_html::page::NodeId;
use std::cmp::Reverse;

/// Pages on which an expression must select the next page.
pub const MIN_PAGES: usize = 2;

/// Ancestors of a link whose names are tried.
const MAX_OUTER: usize = 5;

/// Expressions that are tried.
const MAX_CANDIDATES: usize = 400;

/// Expressions that select links of a role.
pub(super) struct LinkSelectors<'p> {
    role: LinkRole,
    selection: SelectorSet<'p>,
}

/// The links that an expression selects.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct LinkScore {
    /// Pages on which it selects the link.
    right: usize,
    /// Of these, pages on which it selects it first.
    first: usize,
    /// True if one of these pages proves it.
    proven: bool,
}

impl<'p> LinkSelectors<'p> {
    /// Names of links to the next page.
    pub fn of_next(pages: &[PageLinks<'p>]) -> LinkSelectors<'p> {
        LinkSelectors::of(LinkRole::Next, pages)
    }

    /// Names of links to the whole article.
    pub fn of_single(pages: &[PageLinks<'p>]) -> LinkSelectors<'p> {
        LinkSelectors::of(LinkRole::Single, pages)
    }

    fn of(role: LinkRole, pages: &[PageLinks<'p>]) -> LinkSelectors<'p> {
        let mut known = HashSet::default();
        let mut keys = Vec::new();
        for page in pages {
            for link in page.links.iter().filter(|link| link.role == role) {
                let own = FieldStep::all(page.page, link.node);
                let key = |outer, inner| FieldSelector {
                    outer,
                    inner,
                    attr: Some("href"),
                };
                let alone = own.iter().filter(|step| step.name != StepName::Tag);
                let mut names: Vec<FieldSelector<'p>> =
                    alone.map(|&inner| key(None, inner)).collect();
                let above = page
                    .page
                    .ancestors(link.node)
                    .skip(1)
                    .map(|up| FieldStep::all(page.page, up));
                let outers = above.take(MAX_OUTER).flatten().filter(|outer| {
                    !matches!(outer.tag, "html" | "body")
                        && (outer.name != StepName::Tag || outer.tag == "nav")
                });
                for outer in outers {
                    names.extend(own.iter().map(|&inner| key(Some(outer), inner)));
                }
                let new = names.into_iter().filter(|key| known.insert(*key));
                keys.extend(new.take(MAX_CANDIDATES - keys.len().min(MAX_CANDIDATES)));
            }
        }
        let selection = SelectorSet::new(keys);
        LinkSelectors { role, selection }
    }

    /// The expression that is right on most pages and wrong on none; `is_proof` says
    /// whether one page is enough.
    pub fn best(
        &self,
        pages: &[PageLinks<'p>],
        is_proof: impl Fn(&PageLinks<'p>) -> bool,
    ) -> Option<String> {
        let keys = &self.selection.keys;
        let mut judged: Vec<Option<LinkScore>> = vec![Some(LinkScore::default()); keys.len()];
        for page in pages {
            self.judge(page, is_proof(page), &mut judged);
        }
        let fits = |judged: &LinkScore| judged.right >= MIN_PAGES || judged.proven;
        let found = keys.iter().zip(judged);
        let found = found.filter_map(|(key, judged)| Some((key, judged.filter(fits)?)));
        let best = found.map(|(key, judged)| {
            let xpath = key.xpath();
            let order = (
                Reverse((judged.right, judged.first)),
                self.rank(key),
                key.outer.is_some(),
                xpath.len(),
            );
            (order, xpath)
        });
        best.min().map(|(_, xpath)| xpath)
    }

    /// Adds what the expressions select of a page; `None` for those that are wrong.
    fn judge(&self, page: &PageLinks<'p>, is_proof: bool, judged: &mut [Option<LinkScore>]) {
        let has_next = page.next().is_some();
        let role_of: HashMap<NodeId, LinkRole> = page
            .links
            .iter()
            .map(|link| (link.node, link.role))
            .collect();
        // Roles of the links that each selects.
        let mut selected: HashMap<usize, Vec<LinkRole>> = HashMap::default();
        self.selection.on(page.page, |at, n| {
            let role = role_of.get(&n);
            selected.entry(at).or_default().extend(role);
        });
        for (at, roles) in selected {
            let is_wrong = |role: &LinkRole| match self.role {
                LinkRole::Single => *role != LinkRole::Single || !has_next,
                _ => *role == LinkRole::Other,
            };
            let Some(of_key) = &mut judged[at] else {
                continue;
            };
            if roles.iter().any(is_wrong) {
                judged[at] = None;
            } else if roles.contains(&self.role) {
                of_key.right += 1;
                let leads_on = |role: &&LinkRole| **role != LinkRole::Part;
                of_key.first += usize::from(roles.iter().find(leads_on) == roles.first());
                of_key.proven |= is_proof;
            }
        }
    }

    /// The rank of a name as a name for such links, the best 0.
    fn rank(&self, key: &FieldSelector<'_>) -> u8 {
        let words: &[&str] = match self.role {
            LinkRole::Single => &["single", "all", "full", "print"],
            _ => &["next"],
        };
        let around = ["pag", "nav", "seite", "strona"];
        let has = |step: &FieldStep<'_>, words: &[&str]| match step.name {
            StepName::Tag => false,
            StepName::Token(_, value) | StepName::Value(_, value) => {
                let value = value.to_ascii_lowercase();
                words.iter().any(|word| value.contains(word))
            }
        };
        let steps = || key.outer.iter().chain([&key.inner]);
        if has(&key.inner, words) {
            0
        } else if steps().any(|step| has(step, words)) {
            1
        } else if steps().any(|step| has(step, &around)) {
            2
        } else {
            3
        }
    }
}
