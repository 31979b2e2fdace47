//! The contents of siblings that are made alike: where they vary.

use crate::blocks::{BlockSums, PageFacts};
use crate::repeat::{self, AlikeGroup};
use forest_html::page::{NodeId, Page};

/// Siblings from which a group is one.
const MIN_MEMBERS: usize = 3;

/// Sums over a group.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SiblingGroup {
    pub members: u32,
    /// Over all members.
    pub sums: BlockSums,
    /// Members with a paragraph.
    pub with_paragraph: u32,
    /// Members with a link.
    pub with_link: u32,
    /// Pictures in the members.
    pub pictures: u32,
    /// Prices in the members.
    pub prices: u32,
    /// Dates in the members.
    pub times: u32,
    /// Headings in the members.
    pub headings: u32,
}

/// The groups that say most of what a page is.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SiblingGroups {
    /// The group with most words.
    pub wordiest: SiblingGroup,
    /// The group with most words in links.
    pub most_linked: SiblingGroup,
    /// The group with most words in paragraphs.
    pub most_prose: SiblingGroup,
    /// Number of groups.
    pub count: u32,
}

/// Node indices of things that are counted in groups, each ascending.
#[derive(Debug, Default)]
pub(super) struct Landmarks {
    pub pictures: Vec<NodeId>,
    pub prices: Vec<NodeId>,
    pub times: Vec<NodeId>,
    pub headings: Vec<NodeId>,
}

impl SiblingGroup {
    fn of(page: &Page, facts: &PageFacts, marks: &Landmarks, alike: &AlikeGroup) -> SiblingGroup {
        let mut group = SiblingGroup::default();
        for &id in &alike.members {
            let of = facts.container(id);
            let first = facts.layout.container(id).element;
            let behind = page.end(first);
            let inside = |places: &[NodeId]| {
                let before = |n: NodeId| places.partition_point(|&place| place < n);
                (before(behind) - before(first)) as u32
            };
            group.members += 1;
            group.sums = group.sums.plus(of.sums);
            group.with_paragraph += u32::from(of.sums.paragraphs > 0.0);
            group.with_link += u32::from(of.sums.link_share() > 0.0);
            group.pictures += inside(&marks.pictures);
            group.prices += inside(&marks.prices);
            group.times += inside(&marks.times);
            group.headings += inside(&marks.headings);
        }
        group
    }
}

impl SiblingGroups {
    /// The groups of a page.
    pub fn of(page: &Page, facts: &PageFacts, marks: &Landmarks) -> SiblingGroups {
        let groups = repeat::groups(page, facts);
        let groups = groups
            .iter()
            .filter(|group| group.members.len() >= MIN_MEMBERS);
        let groups: Vec<SiblingGroup> = groups
            .map(|group| SiblingGroup::of(page, facts, marks, group))
            .collect();
        // The first of equals.
        let most = |amount: fn(&SiblingGroup) -> f32| {
            let best = groups.iter().rev();
            let best = best.max_by(|a, b| amount(a).total_cmp(&amount(b)));
            best.copied().unwrap_or_default()
        };
        SiblingGroups {
            wordiest: most(|group| group.sums.words),
            most_linked: most(|group| group.sums.linked()),
            most_prose: most(|group| group.sums.paragraphs),
            count: groups.len() as u32,
        }
    }
}
