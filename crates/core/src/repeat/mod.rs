//! `repeat`: the regions of a page that are made alike: posts, products, teasers.
//!
//! Takes a page and its [`PageFacts`]. Gives its [`AlikeGroup`]s: containers that are siblings
//! of one element type in the paper's tolerant form (FOREST 3.2): the same tag, and the same
//! first token of the class without digits. So posts of two writers are alike whose other
//! classes differ, and rows that are odd and even. [`kind`](crate::kind)
//! asks what varies in them, [`extract`](crate::extract) what each says.
//!
//! Linear in the page.

use crate::blocks::{ContainerId, PageFacts};
use foldhash::HashMap;
use forest_html::page::tolerant::tolerant_chars;
use forest_html::page::{NodeId, Page};
use forest_html::text::fnv1a;

/// Siblings that are made alike.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AlikeGroup {
    /// In document order, at least two.
    pub members: Vec<ContainerId>,
}

/// The groups of a page, in the order of their first members.
pub(crate) fn groups(page: &Page, facts: &PageFacts) -> Vec<AlikeGroup> {
    let containers = &facts.layout.containers;
    let mut places: HashMap<(usize, u64), usize> = HashMap::default();
    let mut groups: Vec<AlikeGroup> = Vec::new();
    for (at, container) in containers.iter().enumerate().skip(1) {
        if container.blocks.is_empty() {
            continue;
        }
        let key = (container.parent.0, tolerant_type(page, container.element));
        let place = *places.entry(key).or_insert_with(|| {
            groups.push(AlikeGroup {
                members: Vec::new(),
            });
            groups.len() - 1
        });
        groups[place].members.push(ContainerId(at));
    }
    groups.retain(|group| group.members.len() > 1);
    groups
}

/// A hash of an element's type in tolerant form.
pub(crate) fn tolerant_type(page: &Page, element: NodeId) -> u64 {
    let tag = page.tag(element).map_or("", |tag| tag);
    let class = page.attr(element, "class").unwrap_or_default();
    fnv1a(tag.chars().chain([' ']).chain(tolerant_chars(class)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use forest_html::page::view::View;

    fn check(html: &str, expected: &[&[&str]]) {
        let page = Page::from_html(html);
        let facts = PageFacts::of(&View::whole(&page));
        let text = |id: &ContainerId| page.text(facts.layout.container(*id).element).trim();
        let groups = groups(&page, &facts);
        let found: Vec<Vec<&str>> = groups
            .iter()
            .map(|group| group.members.iter().map(text).collect())
            .collect();
        assert_eq!(found, expected, "{html}");
    }

    #[test]
    fn siblings_of_one_tag_and_class_are_alike_whatever_their_numbers() {
        check(
            "<div class=post-1>a</div><div class=post-2>b</div><p>c</p><div class=note>d</div>",
            &[&["a", "b"]],
        );
        check(
            "<div class='post row-odd mine'>a</div><div class='post row-even'>b</div>",
            &[&["a", "b"]],
        );
        check("<ul><li>a<li>b</ul><ol><li>c</ol>", &[&["a", "b"]]);
    }

    #[test]
    fn cousins_and_empty_siblings_are_not() {
        check("<div><p>a</div><section><p>b</section>", &[]);
        check("<div class=x></div><div class=x>a</div>", &[]);
    }
}
