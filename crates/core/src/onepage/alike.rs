//! The group of siblings that are made alike that a block is in: a post among posts, a product
//! among products.

use crate::blocks::{BlockId, BlockSums, PageFacts, share};
use crate::repeat;

/// Members of a group from which its blocks have features.
const MIN_MEMBERS: usize = 3;

/// The features of a block by its group, in their order.
pub(super) const ALIKE_NAMES: [&str; ALIKE_COUNT] = [
    "group-members",
    "group-page",
    "group-links",
    "group-paragraphs",
    "member-words",
    "member-place",
    "member-links",
];

/// Number of these features.
pub(super) const ALIKE_COUNT: usize = 7;

/// The features of the blocks of a page by the group that most of the page's words are in, of
/// those around each.
#[derive(Debug)]
pub(super) struct AlikeFeatures {
    /// For each container.
    rows: Vec<[f32; ALIKE_COUNT]>,
}

impl AlikeFeatures {
    /// The features of a page's blocks. Linear in its containers.
    pub fn of(facts: &PageFacts) -> AlikeFeatures {
        let containers = &facts.layout.containers;
        let mut own: Vec<Option<[f32; ALIKE_COUNT]>> = vec![None; containers.len()];
        for group in repeat::groups(facts) {
            let members = group.members.len();
            if members < MIN_MEMBERS {
                continue;
            }
            let sums = group.members.iter().map(|&id| facts.container(id).sums);
            let sums = sums.fold(BlockSums::default(), BlockSums::plus);
            for (place, &id) in group.members.iter().enumerate() {
                let member = facts.container(id).sums;
                own[id.0] = Some([
                    members as f32,
                    share(sums.words, facts.whole().words),
                    sums.link_share(),
                    sums.paragraph_share(),
                    member.words,
                    share(place as f32, members as f32),
                    member.link_share(),
                ]);
            }
        }
        let mut rows: Vec<[f32; ALIKE_COUNT]> = Vec::with_capacity(containers.len());
        for (at, container) in containers.iter().enumerate() {
            let around = match container.parent.0 {
                parent if parent < at => rows[parent],
                _ => [0.0; ALIKE_COUNT],
            };
            // The second is the share of the page's words.
            rows.push(own[at].filter(|own| own[1] > around[1]).unwrap_or(around));
        }
        AlikeFeatures { rows }
    }

    /// The features of a block.
    pub fn row(&self, facts: &PageFacts, at: BlockId) -> &[f32; ALIKE_COUNT] {
        &self.rows[facts.layout.block(at).container.0]
    }
}
