//! `repeat`: the regions of a page that are made alike: posts, products, teasers.
//!
//! Takes the [`PageFacts`] of a page. Gives its [`AlikeGroup`]s: containers that are siblings
//! and have the same tag, and the same class but for digits, as the entries of a list, the posts
//! of a thread and the rows of a table have them that one template writes. [`kind`](crate::kind)
//! asks what varies in them, [`extract`](crate::extract) what each says.
//!
//! Linear in the page.

use crate::blocks::{ContainerId, PageFacts};
use foldhash::HashMap;

/// Siblings that are made alike.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AlikeGroup {
    /// In document order, at least two.
    pub members: Vec<ContainerId>,
}

/// The groups of a page, in the order of their first members.
pub(crate) fn groups(facts: &PageFacts) -> Vec<AlikeGroup> {
    let containers = &facts.layout.containers;
    let mut places: HashMap<(usize, u64), usize> = HashMap::default();
    let mut groups: Vec<AlikeGroup> = Vec::new();
    for (at, container) in containers.iter().enumerate().skip(1) {
        let id = ContainerId(at);
        let of = facts.container(id);
        // Nothing else on the page looks like it.
        if of.alike < 2.0 || container.blocks.is_empty() {
            continue;
        }
        let place = *places
            .entry((container.parent.0, of.key))
            .or_insert_with(|| {
                groups.push(AlikeGroup {
                    members: Vec::new(),
                });
                groups.len() - 1
            });
        groups[place].members.push(id);
    }
    groups.retain(|group| group.members.len() > 1);
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use forest_html::page::Page;
    use forest_html::page::view::View;

    fn check(html: &str, expected: &[&[&str]]) {
        let page = Page::from_html(html);
        let facts = PageFacts::of(&View::whole(&page));
        let text = |id: &ContainerId| page.text(facts.layout.container(*id).element).trim();
        let groups = groups(&facts);
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
        check("<ul><li>a<li>b</ul><ol><li>c</ol>", &[&["a", "b"]]);
    }

    #[test]
    fn cousins_and_empty_siblings_are_not() {
        check("<div><p>a</div><section><p>b</section>", &[]);
        check("<div class=x></div><div class=x>a</div>", &[]);
    }
}
