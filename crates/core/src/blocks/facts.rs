//! The facts of a page that its blocks' features need: sums, containers, the headline.

use super::layout::{BlockId, ContainerId, Layout, LayoutBlock, LayoutContainer, share};
use super::roles::ContainerRole;
use super::topic::Topic;
use foldhash::HashMap;
use forest_html::page::Page;
use forest_html::page::view::View;
use forest_html::text::fnv1a;
use html5ever::local_name;

/// Words from which a block without many links is a paragraph.
const PARAGRAPH_WORDS: f32 = 10.0;

/// Highest share of linked words of a paragraph.
const PARAGRAPH_LINKS: f32 = 0.3;

/// Words from which a paragraph is a long one.
const LONG_WORDS: f32 = 20.0;

/// Blocks to the nearest long paragraph that are counted.
const MAX_DISTANCE: u32 = 99;

/// Shares of the page's paragraphs that the two centres hold.
const CENTRES: [f32; 2] = [0.5, 0.8];

/// Bytes of a class that tell containers apart.
const MAX_CLASS_BYTES: usize = 64;

/// Sums over the blocks before one, or over some blocks.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct BlockSums {
    pub words: f32,
    linked: f32,
    /// Words in paragraphs.
    pub paragraphs: f32,
    /// Words that the title has too.
    title: f32,
}

impl BlockSums {
    pub fn minus(self, other: BlockSums) -> BlockSums {
        BlockSums {
            words: self.words - other.words,
            linked: self.linked - other.linked,
            paragraphs: self.paragraphs - other.paragraphs,
            title: self.title - other.title,
        }
    }

    pub fn plus(self, other: BlockSums) -> BlockSums {
        BlockSums {
            words: self.words + other.words,
            linked: self.linked + other.linked,
            paragraphs: self.paragraphs + other.paragraphs,
            title: self.title + other.title,
        }
    }

    /// Words in links.
    pub fn linked(self) -> f32 {
        self.linked
    }

    pub fn link_share(self) -> f32 {
        share(self.linked, self.words)
    }

    pub fn paragraph_share(self) -> f32 {
        share(self.paragraphs, self.words)
    }

    pub fn title_share(self) -> f32 {
        share(self.title, self.words)
    }
}

/// The facts of a container.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ContainerFacts {
    /// Over its blocks.
    pub sums: BlockSums,
    /// A hash of its tag and of its class without digits.
    key: u64,
    /// Containers with the same key, itself included.
    pub alike: f32,
    /// The words of one of them on average.
    pub alike_words: f32,
    /// Steps from the centres up to the nearest of them that is around this
    /// container: 0 inside of the centre.
    pub centres: [u8; 2],
    /// The number of the `article` around it, 0 if there is none, and its words.
    pub article: (u32, f32),
    /// The code of its tag.
    pub tag: f32,
}

/// A page's blocks with what their features need of the whole page.
#[derive(Debug)]
pub(crate) struct PageFacts {
    pub layout: Layout,
    /// Over the blocks before each block, and over all.
    pub sums: Vec<BlockSums>,
    containers: Vec<ContainerFacts>,
    pub topic: Topic,
    /// Words of each block that the title has too.
    pub title_words: Vec<f32>,
    pub headline: Option<BlockId>,
    pub articles: u32,
    /// `h1` up to each block.
    pub h1s: Vec<u32>,
    pub long_before: Vec<u32>,
    pub long_after: Vec<u32>,
}

impl PageFacts {
    /// The facts of what is left of a page.
    pub fn of(view: &View<'_>) -> PageFacts {
        let page = view.page();
        let layout = Layout::of(view);
        let topic = Topic::of(page);
        let blocks = layout.blocks.iter();
        let title_words: Vec<f32> = blocks.map(|b| topic.title_words(layout.words(b))).collect();
        let sums = sums(&layout.blocks, &title_words);
        let mut containers = container_facts(page, &layout, &sums);
        let articles = number_articles(&layout, &mut containers);
        let mut long_after = distances(layout.blocks.iter().rev());
        long_after.reverse();
        PageFacts {
            headline: topic.headline(&layout, &title_words),
            h1s: h1s(page, &layout),
            long_before: distances(layout.blocks.iter()),
            long_after,
            sums,
            containers,
            topic,
            title_words,
            articles,
            layout,
        }
    }

    pub fn container(&self, id: ContainerId) -> &ContainerFacts {
        &self.containers[id.0]
    }

    /// The sums over all blocks.
    pub fn whole(&self) -> BlockSums {
        self.sums[self.layout.blocks.len()]
    }
}

fn is_paragraph(block: &LayoutBlock) -> bool {
    block.all.words >= PARAGRAPH_WORDS && block.link_share() <= PARAGRAPH_LINKS
}

fn sums(blocks: &[LayoutBlock], title_words: &[f32]) -> Vec<BlockSums> {
    let mut sum = BlockSums::default();
    let mut out = Vec::with_capacity(blocks.len() + 1);
    out.push(sum);
    for (block, title) in blocks.iter().zip(title_words) {
        sum.words += block.all.words;
        sum.linked += block.linked;
        sum.title += title;
        if is_paragraph(block) {
            sum.paragraphs += block.all.words;
        }
        out.push(sum);
    }
    out
}

fn container_facts(page: &Page, layout: &Layout, sums: &[BlockSums]) -> Vec<ContainerFacts> {
    let containers = &layout.containers;
    let of = |c: &LayoutContainer| ContainerFacts {
        sums: sums[c.blocks.end].minus(sums[c.blocks.start]),
        key: likeness_key(page, c),
        alike: 0.0,
        alike_words: 0.0,
        centres: [0; 2],
        article: (0, 0.0),
        tag: tag_code(page, c),
    };
    let mut out: Vec<ContainerFacts> = containers.iter().map(of).collect();
    let mut totals: HashMap<u64, (f32, f32)> = HashMap::default();
    for facts in &out {
        let (count, words) = totals.entry(facts.key).or_default();
        *count += 1.0;
        *words += facts.sums.words;
    }
    for facts in &mut out {
        let (count, words) = totals[&facts.key];
        (facts.alike, facts.alike_words) = (count, words / count);
    }
    for (at, of_page) in CENTRES.into_iter().enumerate() {
        put_centre(containers, &mut out, at, of_page);
    }
    out
}

/// A hash of a container's tag and of its class without digits.
fn likeness_key(page: &Page, container: &LayoutContainer) -> u64 {
    let tag = page.tag(container.element).map_or("", |tag| tag);
    let class = page.attr(container.element, "class").unwrap_or_default();
    let class = class
        .bytes()
        .take(MAX_CLASS_BYTES)
        .filter(|b| !b.is_ascii_digit());
    fnv1a(tag.bytes().chain([b' ']).chain(class))
}

/// Finds the centre, the smallest container that holds the share `of_page` of the
/// page's words in paragraphs, and sets each container's steps to it.
fn put_centre(
    containers: &[LayoutContainer],
    facts: &mut [ContainerFacts],
    at: usize,
    of_page: f32,
) {
    let Some(body) = facts.first() else { return };
    let enough = body.sums.paragraphs * of_page;
    let mut centre = 0;
    // More than one container can hold enough if that is half or less: the
    // first then, and what is inside of it.
    for (i, container) in containers.iter().enumerate() {
        let (outer, inner) = (&containers[centre].blocks, &container.blocks);
        let inside = outer.start <= inner.start && inner.end <= outer.end;
        if inside && facts[i].sums.paragraphs >= enough {
            centre = i;
        }
    }
    let mut around: HashMap<usize, u8> = HashMap::default();
    let (mut up, mut steps) = (centre, 0_u8);
    while around.insert(up, steps).is_none() {
        steps = steps.saturating_add(1);
        up = containers[up].parent.0;
    }
    for i in 0..containers.len() {
        facts[i].centres[at] = match around.get(&i) {
            Some(&steps) => steps,
            None => facts[containers[i].parent.0].centres[at],
        };
    }
}

/// Numbers the page's `article` elements and returns their count.
fn number_articles(layout: &Layout, facts: &mut [ContainerFacts]) -> u32 {
    let mut articles = 0;
    for (i, container) in layout.containers.iter().enumerate() {
        facts[i].article = if container.roles.has(ContainerRole::Article) {
            articles += 1;
            (articles, facts[i].sums.words)
        } else {
            facts[container.parent.0].article
        };
    }
    articles
}

/// The number of `h1` with text up to each block, its own included.
fn h1s(page: &Page, layout: &Layout) -> Vec<u32> {
    let mut last = None;
    let mut h1s = 0;
    let blocks = layout.blocks.iter().map(|block| {
        let container = Some(block.container);
        let is_h1 = page.is(
            layout.container(block.container).element,
            &local_name!("h1"),
        );
        if is_h1 && container != last {
            h1s += 1;
        }
        last = container;
        h1s
    });
    blocks.collect()
}

/// Blocks back to the last long paragraph, 0 for one.
fn distances<'a>(blocks: impl Iterator<Item = &'a LayoutBlock>) -> Vec<u32> {
    let mut distance = MAX_DISTANCE;
    let each = blocks.map(|block| {
        let is_long = is_paragraph(block) && block.all.words >= LONG_WORDS;
        distance = if is_long {
            0
        } else {
            (distance + 1).min(MAX_DISTANCE)
        };
        distance
    });
    each.collect()
}

/// A number for a container's tag; those that are used alike are neighbours.
fn tag_code(page: &Page, container: &LayoutContainer) -> f32 {
    let Some(tag) = page.tag(container.element) else {
        return 22.0;
    };
    match *tag {
        local_name!("p") => 1.0,
        local_name!("blockquote") => 2.0,
        local_name!("pre") => 3.0,
        local_name!("h1") => 4.0,
        local_name!("h2") => 5.0,
        local_name!("h3") => 6.0,
        local_name!("h4") | local_name!("h5") | local_name!("h6") => 7.0,
        local_name!("li") => 8.0,
        local_name!("dd") => 9.0,
        local_name!("dt") => 10.0,
        local_name!("td") => 11.0,
        local_name!("th") => 12.0,
        local_name!("div") => 13.0,
        local_name!("article") | local_name!("section") | local_name!("main") => 14.0,
        local_name!("figcaption") | local_name!("caption") | local_name!("figure") => 15.0,
        local_name!("body") => 16.0,
        local_name!("center") => 17.0,
        local_name!("form") | local_name!("fieldset") | local_name!("select") => 18.0,
        local_name!("aside")
        | local_name!("nav")
        | local_name!("header")
        | local_name!("footer") => 19.0,
        local_name!("address") => 20.0,
        _ => 21.0,
    }
}
