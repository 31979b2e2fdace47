//! The features of a block: a table of their names and the functions that take them.

use crate::blocks::{
    BlockId, BlockSums, ContainerFacts, ContainerId, ContainerRole, LayoutBlock, LayoutContainer,
    PageFacts, share,
};
use crate::kind::{KindScores, PageKind};
use crate::model::feature_names;

/// The value of a feature about something that the page does not have.
const NONE: f32 = -1.0;

/// The same for distances, which may be below zero.
const NO_HEADLINE: f32 = -10_000.0;

/// Containers that are looked at: the block's own, and those around it.
const AROUND: usize = 4;

/// Number of features of a block.
pub(super) const FEATURE_COUNT: usize = 103;

/// The features of one block.
pub(super) type FeatureRow = [f32; FEATURE_COUNT];

/// A name and the number that it stands for.
type Feature = (&'static str, fn(&BlockContext<'_>) -> f32);

/// The features in the order of a row. The model's file has their names in this order.
///
/// `own-` is of the container around the block, `up1-` to `up3-` of those around it;
/// `to-` counts the steps up to the nearest container of a role; `before-` and
/// `after-` are of the next blocks; `window4-` is of the block with four on each side.
const FEATURES: [Feature; FEATURE_COUNT] = [
    ("words", |b| b.block.all.words),
    ("link-share", |b| b.block.link_share()),
    ("capitals", |b| {
        share(b.block.all.capitals, b.block.all.words)
    }),
    ("stops", |b| share(b.block.all.stops, b.block.all.words)),
    ("ends-sentence", |b| flag(b.block.ends_sentence)),
    ("tag", |b| b.own().tag),
    ("own-words", |b| b.around(0).sums().words),
    ("own-page", |b| b.around(0).page_share()),
    ("own-links", |b| b.around(0).sums().link_share()),
    ("own-blocks", |b| b.around(0).blocks()),
    ("own-density", |b| b.around(0).density()),
    ("own-paragraphs", |b| b.around(0).sums().paragraph_share()),
    ("own-alike", |b| b.around(0).facts.alike),
    ("own-alike-words", |b| b.around(0).facts.alike_words),
    ("up1-words", |b| b.around(1).sums().words),
    ("up1-page", |b| b.around(1).page_share()),
    ("up1-links", |b| b.around(1).sums().link_share()),
    ("up1-blocks", |b| b.around(1).blocks()),
    ("up1-density", |b| b.around(1).density()),
    ("up1-paragraphs", |b| b.around(1).sums().paragraph_share()),
    ("up1-alike", |b| b.around(1).facts.alike),
    ("up1-alike-words", |b| b.around(1).facts.alike_words),
    ("up2-words", |b| b.around(2).sums().words),
    ("up2-page", |b| b.around(2).page_share()),
    ("up2-links", |b| b.around(2).sums().link_share()),
    ("up2-blocks", |b| b.around(2).blocks()),
    ("up2-density", |b| b.around(2).density()),
    ("up2-paragraphs", |b| b.around(2).sums().paragraph_share()),
    ("up2-alike", |b| b.around(2).facts.alike),
    ("up2-alike-words", |b| b.around(2).facts.alike_words),
    ("up3-words", |b| b.around(3).sums().words),
    ("up3-page", |b| b.around(3).page_share()),
    ("up3-links", |b| b.around(3).sums().link_share()),
    ("up3-blocks", |b| b.around(3).blocks()),
    ("up3-density", |b| b.around(3).density()),
    ("up3-paragraphs", |b| b.around(3).sums().paragraph_share()),
    ("up3-alike", |b| b.around(3).facts.alike),
    ("up3-alike-words", |b| b.around(3).facts.alike_words),
    ("up1-title", |b| b.around(1).sums().title_share()),
    ("up2-title", |b| b.around(2).sums().title_share()),
    ("up3-place", |b| b.around(3).place()),
    ("to-comment", |b| b.steps_to_role(ContainerRole::Comment)),
    ("to-menu", |b| b.steps_to_role(ContainerRole::Menu)),
    ("to-foot", |b| b.steps_to_role(ContainerRole::Foot)),
    ("to-side", |b| b.steps_to_role(ContainerRole::Side)),
    ("to-related", |b| b.steps_to_role(ContainerRole::Related)),
    ("to-share", |b| b.steps_to_role(ContainerRole::Share)),
    ("to-advert", |b| b.steps_to_role(ContainerRole::Advert)),
    ("to-subscribe", |b| {
        b.steps_to_role(ContainerRole::Subscribe)
    }),
    ("to-meta", |b| b.steps_to_role(ContainerRole::Meta)),
    ("to-caption", |b| b.steps_to_role(ContainerRole::Caption)),
    ("to-title", |b| b.steps_to_role(ContainerRole::Title)),
    ("to-lead", |b| b.steps_to_role(ContainerRole::Lead)),
    ("to-body", |b| b.steps_to_role(ContainerRole::Body)),
    ("to-content", |b| b.steps_to_role(ContainerRole::Content)),
    ("to-pages", |b| b.steps_to_role(ContainerRole::Pages)),
    ("to-list", |b| b.steps_to_role(ContainerRole::List)),
    ("to-quote", |b| b.steps_to_role(ContainerRole::Quote)),
    ("to-person", |b| b.steps_to_role(ContainerRole::Person)),
    ("to-form", |b| b.steps_to_role(ContainerRole::Form)),
    ("to-hidden", |b| b.steps_to_role(ContainerRole::Hidden)),
    ("to-article", |b| b.steps_to_role(ContainerRole::Article)),
    ("to-main", |b| b.steps_to_role(ContainerRole::Main)),
    ("to-section", |b| b.steps_to_role(ContainerRole::Section)),
    ("to-list-tag", |b| b.steps_to_role(ContainerRole::ListTag)),
    ("to-heading", |b| b.steps_to_role(ContainerRole::Heading)),
    ("depth", |b| b.depth()),
    ("place", |b| share(b.at.0 as f32, b.block_count())),
    ("place-words", |b| share(b.before().words, b.whole().words)),
    ("paragraphs-before", |b| {
        share(b.before().paragraphs, b.whole().paragraphs)
    }),
    ("paragraph-words-before", |b| b.before().paragraphs),
    ("since-headline", |b| b.blocks_since_headline()),
    ("since-headline-words", |b| {
        b.since_headline(|sums| sums.words)
    }),
    ("since-headline-paragraphs", |b| {
        b.since_headline(|sums| sums.paragraphs)
    }),
    ("steps-to-headline", |b| b.steps_to_headline()),
    ("of-title", |b| {
        b.page.topic.of_title(b.page.title_words[b.at.0])
    }),
    ("in-summary", |b| b.page.topic.in_summary(b.words())),
    ("in-body", |b| {
        b.page.topic.in_body(b.words()).unwrap_or(NONE)
    }),
    ("body-words", |b| {
        b.page.topic.body_words().map_or(NONE, |words| words as f32)
    }),
    ("article-at", |b| b.own().article.0 as f32),
    ("article-words", |b| {
        share(b.own().article.1, b.whole().words)
    }),
    ("articles", |b| b.page.articles as f32),
    ("h1s", |b| b.page.h1s[b.at.0] as f32),
    ("before-words", |b| b.of_previous(|other| other.all.words)),
    ("before-links", |b| b.of_previous(LayoutBlock::link_share)),
    ("before-tag", |b| b.of_previous(|other| b.tag(other))),
    ("after-words", |b| b.of_next(1, |other| other.all.words)),
    ("after-links", |b| b.of_next(1, LayoutBlock::link_share)),
    ("after-ends", |b| {
        b.of_next(1, |other| flag(other.ends_sentence))
    }),
    ("after-same", |b| b.of_next(1, |other| b.nearness(other))),
    ("second-after-tag", |b| b.of_next(2, |other| b.tag(other))),
    ("window4-words", |b| b.window(4).words),
    ("window4-links", |b| b.window(4).link_share()),
    ("window4-paragraphs", |b| b.window(4).paragraph_share()),
    ("window10-links", |b| b.window(10).link_share()),
    ("long-before", |b| b.page.long_before[b.at.0] as f32),
    ("long-after", |b| b.page.long_after[b.at.0] as f32),
    ("centre-half", |b| f32::from(b.own().centres[0])),
    ("centre-most", |b| f32::from(b.own().centres[1])),
    ("page-words", |b| b.whole().words),
    ("page-blocks", |b| b.block_count()),
    ("page-links", |b| b.whole().link_share()),
    ("page-paragraphs", |b| b.whole().paragraphs),
];

/// The names of the features, in their order.
pub(super) const NAMES: [&str; FEATURE_COUNT] = feature_names(&FEATURES);

/// Number of features of a block on a page of another kind than an article.
pub(super) const OTHER_FEATURE_COUNT: usize = FEATURE_COUNT + PageKind::COUNT;

/// The features of such a block, and the probability of each kind.
pub(super) type OtherFeatureRow = [f32; OTHER_FEATURE_COUNT];

/// The names of these features, in their order.
pub(super) const OTHER_NAMES: [&str; OTHER_FEATURE_COUNT] = {
    let mut names = [""; OTHER_FEATURE_COUNT];
    let mut i = 0;
    while i < OTHER_FEATURE_COUNT {
        names[i] = if i < FEATURE_COUNT {
            NAMES[i]
        } else {
            PageKind::NAMES[i - FEATURE_COUNT]
        };
        i += 1;
    }
    names
};

impl PageFacts {
    /// The features of a block on a page of such a kind.
    pub fn row_of_kind(&self, at: BlockId, kind: &KindScores) -> OtherFeatureRow {
        let mut row = [0.0; OTHER_FEATURE_COUNT];
        row[..FEATURE_COUNT].copy_from_slice(&self.row(at));
        row[FEATURE_COUNT..].copy_from_slice(kind.probabilities());
        row
    }

    /// The features of a block.
    pub fn row(&self, at: BlockId) -> FeatureRow {
        let block = BlockContext::new(self, at);
        FEATURES.map(|(_, of)| of(&block))
    }
}

/// A block in its surroundings.
struct BlockContext<'a> {
    page: &'a PageFacts,
    at: BlockId,
    block: &'a LayoutBlock,
    /// The block's own container, and those around it.
    around: [ContainerId; AROUND],
}

impl<'a> BlockContext<'a> {
    fn new(page: &'a PageFacts, at: BlockId) -> BlockContext<'a> {
        let block = page.layout.block(at);
        let mut around = [block.container; AROUND];
        for i in 1..AROUND {
            around[i] = page.layout.container(around[i - 1]).parent;
        }
        BlockContext {
            page,
            at,
            block,
            around,
        }
    }

    /// The hashes of its words.
    fn words(&self) -> &'a [u32] {
        self.page.layout.words(self.block)
    }

    /// The facts of its own container.
    fn own(&self) -> &'a ContainerFacts {
        self.page.container(self.block.container)
    }

    /// Its own container, so many steps up.
    fn around(&self, steps: usize) -> ContainerAround<'a> {
        let id = self.around[steps];
        ContainerAround {
            at: self.at,
            container: self.page.layout.container(id),
            facts: self.page.container(id),
            whole: self.whole(),
        }
    }

    fn block_count(&self) -> f32 {
        self.page.layout.blocks.len() as f32
    }

    fn depth(&self) -> f32 {
        f32::from(self.page.layout.container(self.block.container).depth)
    }

    fn steps_to_role(&self, role: ContainerRole) -> f32 {
        let own = self.page.layout.container(self.block.container);
        f32::from(own.steps[role as usize])
    }

    /// The sums over the blocks before it.
    fn before(&self) -> BlockSums {
        self.page.sums[self.at.0]
    }

    /// The sums over all blocks of the page.
    fn whole(&self) -> BlockSums {
        self.page.whole()
    }

    /// The sums over the block and so many on each side.
    fn window(&self, reach: usize) -> BlockSums {
        let end = (self.at.0 + reach + 1).min(self.page.layout.blocks.len());
        self.page.sums[end].minus(self.page.sums[self.at.0.saturating_sub(reach)])
    }

    fn of_previous(&self, value: impl Fn(&LayoutBlock) -> f32) -> f32 {
        let previous = self.at.0.checked_sub(1);
        previous.map_or(NONE, |at| value(self.page.layout.block(BlockId(at))))
    }

    fn of_next(&self, steps: usize, value: impl Fn(&LayoutBlock) -> f32) -> f32 {
        let next = self.page.layout.blocks.get(self.at.0 + steps);
        next.map_or(NONE, value)
    }

    /// The code of the tag of another block's container.
    fn tag(&self, other: &LayoutBlock) -> f32 {
        self.page.container(other.container).tag
    }

    /// 2 for another block of the same container, 1 for one of its sibling, 0 for others.
    fn nearness(&self, other: &LayoutBlock) -> f32 {
        let parent = |of: &LayoutBlock| self.page.layout.container(of.container).parent;
        if self.block.container == other.container {
            2.0
        } else if parent(self.block) == parent(other) {
            1.0
        } else {
            0.0
        }
    }

    fn blocks_since_headline(&self) -> f32 {
        let since = |headline: BlockId| self.at.0 as f32 - headline.0 as f32;
        self.page.headline.map_or(NO_HEADLINE, since)
    }

    /// The difference of a sum between the headline and here.
    fn since_headline(&self, sum: impl Fn(BlockSums) -> f32) -> f32 {
        let since = |headline: BlockId| sum(self.before()) - sum(self.page.sums[headline.0]);
        self.page.headline.map_or(NO_HEADLINE, since)
    }

    /// Steps up to the container that holds the headline too.
    fn steps_to_headline(&self) -> f32 {
        let Some(headline) = self.page.headline else {
            return NONE;
        };
        let mut at = self.block.container;
        let mut steps = 0.0;
        loop {
            let container = self.page.layout.container(at);
            if container.blocks.contains(&headline.0) || container.parent == at {
                return steps;
            }
            at = container.parent;
            steps += 1.0;
        }
    }
}

/// A container around a block.
struct ContainerAround<'a> {
    /// The block.
    at: BlockId,
    container: &'a LayoutContainer,
    facts: &'a ContainerFacts,
    /// The sums over the page.
    whole: BlockSums,
}

impl ContainerAround<'_> {
    fn sums(&self) -> BlockSums {
        self.facts.sums
    }

    /// Its share of the page's words.
    fn page_share(&self) -> f32 {
        share(self.facts.sums.words, self.whole.words)
    }

    fn blocks(&self) -> f32 {
        self.container.blocks.len() as f32
    }

    /// Words a tag.
    fn density(&self) -> f32 {
        self.facts.sums.words / (self.container.tags + 1) as f32
    }

    /// The share of its blocks before the block.
    fn place(&self) -> f32 {
        share(
            (self.at.0 - self.container.blocks.start) as f32,
            self.blocks(),
        )
    }
}

/// 1 for true.
fn flag(value: bool) -> f32 {
    f32::from(u8::from(value))
}
