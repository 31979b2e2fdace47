//! What is known of a block: the numbers that the trees look at.

use super::layout::{Block, Layout, LayoutContainer, share};
use super::roles::{ROLES, Role};
use super::topic::Topic;
use crate::page::Page;
use foldhash::HashMap;
use html5ever::local_name;

/// Words from which a block without many links is a paragraph.
const PARAGRAPH_WORDS: f32 = 10.0;

/// Share of linked words up to which it is.
const PARAGRAPH_LINKS: f32 = 0.3;

/// Words of a paragraph that is a long one.
const LONG_WORDS: f32 = 20.0;

/// Blocks to the nearest long paragraph that are counted.
const MAX_DISTANCE: u32 = 99;

/// Shares of the page's paragraphs that the two centres hold.
const CENTRES: [f32; 2] = [0.5, 0.8];

/// Containers that are looked at: the block's own, and those around it.
const AROUND: usize = 4;

/// Blocks on each side that the two windows reach.
const WINDOWS: [usize; 2] = [4, 10];

/// Bytes of a class that tell containers apart.
const MAX_CLASS_BYTES: usize = 64;

/// What a feature says where there is nothing to say it of.
const NONE: f32 = -1.0;

/// The same for distances, which may be below zero.
const NO_HEADLINE: f32 = -10_000.0;

/// The names of the features, in their order.
pub(super) const NAMES: [&str; FEATURES] = [
    "words",
    "link-share",
    "capitals",
    "stops",
    "ends-sentence",
    "tag",
    "own-words",
    "own-page",
    "own-links",
    "own-blocks",
    "own-density",
    "own-paragraphs",
    "own-alike",
    "own-alike-words",
    "up1-words",
    "up1-page",
    "up1-links",
    "up1-blocks",
    "up1-density",
    "up1-paragraphs",
    "up1-alike",
    "up1-alike-words",
    "up2-words",
    "up2-page",
    "up2-links",
    "up2-blocks",
    "up2-density",
    "up2-paragraphs",
    "up2-alike",
    "up2-alike-words",
    "up3-words",
    "up3-page",
    "up3-links",
    "up3-blocks",
    "up3-density",
    "up3-paragraphs",
    "up3-alike",
    "up3-alike-words",
    "up1-title",
    "up2-title",
    "up3-place",
    "to-comment",
    "to-menu",
    "to-foot",
    "to-side",
    "to-related",
    "to-share",
    "to-advert",
    "to-subscribe",
    "to-meta",
    "to-caption",
    "to-title",
    "to-lead",
    "to-body",
    "to-content",
    "to-pages",
    "to-list",
    "to-quote",
    "to-person",
    "to-form",
    "to-hidden",
    "to-article",
    "to-main",
    "to-section",
    "to-list-tag",
    "to-heading",
    "depth",
    "place",
    "place-words",
    "paragraphs-before",
    "paragraph-words-before",
    "since-headline",
    "since-headline-words",
    "since-headline-paragraphs",
    "steps-to-headline",
    "of-title",
    "in-summary",
    "in-body",
    "body-words",
    "article-at",
    "article-words",
    "articles",
    "h1s",
    "before-words",
    "before-links",
    "before-tag",
    "after-words",
    "after-links",
    "after-ends",
    "after-same",
    "second-after-tag",
    "window4-words",
    "window4-links",
    "window4-paragraphs",
    "window10-links",
    "long-before",
    "long-after",
    "centre-half",
    "centre-most",
    "page-words",
    "page-blocks",
    "page-links",
    "page-paragraphs",
];

/// Number of features of a block.
pub(super) const FEATURES: usize = 103;

/// The features of one block.
pub(super) type Row = [f32; FEATURES];

/// Sums over the blocks before one.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    words: f32,
    linked: f32,
    /// Words in paragraphs.
    paragraphs: f32,
    /// Words that the title has too.
    title: f32,
}

impl Sums {
    fn minus(self, other: Sums) -> Sums {
        Sums {
            words: self.words - other.words,
            linked: self.linked - other.linked,
            paragraphs: self.paragraphs - other.paragraphs,
            title: self.title - other.title,
        }
    }
}

/// What is known of a container.
#[derive(Debug, Clone, Copy)]
struct Known {
    sums: Sums,
    /// How many containers have the same tag and class, and the words of one of
    /// them on average.
    alike: (f32, f32),
    /// Steps from the centres up to the nearest of them that is around this
    /// container: 0 inside of the centre.
    centres: [u8; 2],
    /// The number of the `article` around it, 0 for none, and its words.
    article: (u32, f32),
    tag: f32,
}

/// A page's blocks with what their features need of the whole page.
#[derive(Debug)]
pub(super) struct Features<'a> {
    layout: &'a Layout,
    /// Of the blocks before each block, and of all.
    sums: Vec<Sums>,
    known: Vec<Known>,
    topic: Topic,
    /// Words of each block that the title has too.
    title_words: Vec<f32>,
    headline: Option<usize>,
    articles: u32,
    /// `h1` up to each block.
    h1s: Vec<u32>,
    long_before: Vec<u32>,
    long_after: Vec<u32>,
}

impl<'a> Features<'a> {
    pub fn of(page: &Page, layout: &'a Layout) -> Features<'a> {
        let topic = Topic::of(page);
        let blocks = &layout.blocks;
        let title_words: Vec<f32> = blocks
            .iter()
            .map(|b| topic.title_words(layout.words(b)))
            .collect();
        let sums = sums(blocks, &title_words);
        let mut known = known(page, layout, &sums);
        let articles = number_articles(layout, &mut known);
        Features {
            headline: topic.headline(layout, &title_words),
            h1s: h1s(page, layout),
            long_before: distances(blocks.iter()),
            long_after: {
                let mut out = distances(blocks.iter().rev());
                out.reverse();
                out
            },
            layout,
            sums,
            known,
            topic,
            title_words,
            articles,
        }
    }

    /// The features of block `i`.
    pub fn row(&self, i: usize) -> Row {
        let mut row = Filling::default();
        let block = &self.layout.blocks[i];
        self.put_own(block, &mut row);
        self.put_around(i, block, &mut row);
        self.put_place(i, block, &mut row);
        self.put_topic(i, block, &mut row);
        self.put_near(i, block, &mut row);
        self.put_page(&mut row);
        row.done()
    }

    fn put_own(&self, block: &Block, row: &mut Filling) {
        let all = &block.all;
        row.put(all.words);
        row.put(block.link_share());
        row.put(share(all.capital, all.words));
        row.put(share(all.stops, all.words));
        row.put_if(block.ends_sentence);
        row.put(self.known[block.container].tag);
    }

    fn put_around(&self, i: usize, block: &Block, row: &mut Filling) {
        let page = self.whole();
        let mut at = block.container;
        let mut title = [0.0; AROUND];
        let mut place = 0.0;
        for title in &mut title {
            let container = &self.layout.containers[at];
            let Known { sums, alike, .. } = self.known[at];
            let blocks = (container.end - container.first) as f32;
            row.put(sums.words);
            row.put(share(sums.words, page.words));
            row.put(share(sums.linked, sums.words));
            row.put(blocks);
            row.put(sums.words / (container.tags + 1) as f32);
            row.put(share(sums.paragraphs, sums.words));
            row.put(alike.0);
            row.put(alike.1);
            *title = share(sums.title, sums.words);
            place = share((i - container.first) as f32, blocks);
            at = container.parent;
        }
        row.put(title[1]);
        row.put(title[2]);
        row.put(place);
        let container = &self.layout.containers[block.container];
        for role in 0..ROLES {
            row.put(f32::from(container.steps[role]));
        }
        row.put(f32::from(container.depth));
    }

    fn put_place(&self, i: usize, block: &Block, row: &mut Filling) {
        let (page, before) = (self.whole(), self.sums[i]);
        row.put(share(i as f32, self.layout.blocks.len() as f32));
        row.put(share(before.words, page.words));
        row.put(share(before.paragraphs, page.paragraphs));
        row.put(before.paragraphs);
        let Some(headline) = self.headline else {
            (0..3).for_each(|_| row.put(NO_HEADLINE));
            row.put(NONE);
            return;
        };
        row.put(i as f32 - headline as f32);
        row.put(before.words - self.sums[headline].words);
        row.put(before.paragraphs - self.sums[headline].paragraphs);
        row.put(self.steps_to(headline, block));
    }

    /// Steps up from a block to the container that holds `other` too.
    fn steps_to(&self, other: usize, block: &Block) -> f32 {
        let mut at = block.container;
        let mut steps = 0.0;
        loop {
            let container = &self.layout.containers[at];
            let holds = (container.first..container.end).contains(&other);
            if holds || container.parent == at {
                return steps;
            }
            at = container.parent;
            steps += 1.0;
        }
    }

    fn put_topic(&self, i: usize, block: &Block, row: &mut Filling) {
        let words = self.layout.words(block);
        row.put(self.topic.of_title(self.title_words[i]));
        row.put(self.topic.in_summary(words));
        row.put(self.topic.in_body(words).unwrap_or(NONE));
        row.put(self.topic.body_words().map_or(NONE, |words| words as f32));
        let (article, article_words) = self.known[block.container].article;
        row.put(article as f32);
        row.put(share(article_words, self.whole().words));
        row.put(self.articles as f32);
        row.put(self.h1s[i] as f32);
    }

    fn put_near(&self, i: usize, block: &Block, row: &mut Filling) {
        let blocks = &self.layout.blocks;
        let before = i.checked_sub(1).map(|at| &blocks[at]);
        let (after, second) = (blocks.get(i + 1), blocks.get(i + 2));
        let words = |b: Option<&Block>| b.map_or(NONE, |b| b.all.words);
        let links = |b: Option<&Block>| b.map_or(NONE, Block::link_share);
        let tag = |b: Option<&Block>| b.map_or(NONE, |b| self.known[b.container].tag);
        row.put(words(before));
        row.put(links(before));
        row.put(tag(before));
        row.put(words(after));
        row.put(links(after));
        row.put(after.map_or(NONE, |b| f32::from(u8::from(b.ends_sentence))));
        row.put(after.map_or(NONE, |b| self.nearness(block, b)));
        row.put(tag(second));
        let [near, far] = WINDOWS.map(|reach| {
            let (from, to) = (i.saturating_sub(reach), (i + reach + 1).min(blocks.len()));
            self.sums[to].minus(self.sums[from])
        });
        row.put(near.words);
        row.put(share(near.linked, near.words));
        row.put(share(near.paragraphs, near.words));
        row.put(share(far.linked, far.words));
        row.put(self.long_before[i] as f32);
        row.put(self.long_after[i] as f32);
        for steps in self.known[block.container].centres {
            row.put(f32::from(steps));
        }
    }

    /// 2 for blocks of one container, 1 for those of siblings, 0 for others.
    fn nearness(&self, a: &Block, b: &Block) -> f32 {
        let containers = &self.layout.containers;
        if a.container == b.container {
            2.0
        } else if containers[a.container].parent == containers[b.container].parent {
            1.0
        } else {
            0.0
        }
    }

    fn put_page(&self, row: &mut Filling) {
        let page = self.whole();
        row.put(page.words);
        row.put(self.layout.blocks.len() as f32);
        row.put(share(page.linked, page.words));
        row.put(page.paragraphs);
    }

    fn whole(&self) -> Sums {
        self.sums[self.layout.blocks.len()]
    }
}

/// A row that is being filled.
struct Filling {
    row: Row,
    at: usize,
}

impl Default for Filling {
    fn default() -> Filling {
        Filling {
            row: [0.0; FEATURES],
            at: 0,
        }
    }
}

impl Filling {
    fn put(&mut self, value: f32) {
        self.row[self.at] = value;
        self.at += 1;
    }

    fn put_if(&mut self, says: bool) {
        self.put(f32::from(u8::from(says)));
    }

    fn done(self) -> Row {
        debug_assert_eq!(self.at, FEATURES, "every feature is put");
        self.row
    }
}

fn is_paragraph(block: &Block) -> bool {
    block.all.words >= PARAGRAPH_WORDS && block.link_share() <= PARAGRAPH_LINKS
}

fn sums(blocks: &[Block], title_words: &[f32]) -> Vec<Sums> {
    let mut sum = Sums::default();
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

fn known(page: &Page, layout: &Layout, sums: &[Sums]) -> Vec<Known> {
    let containers = &layout.containers;
    let of = |c: &LayoutContainer| sums[c.end].minus(sums[c.first]);
    let mut out: Vec<Known> = containers
        .iter()
        .map(|c| Known {
            sums: of(c),
            alike: (0.0, 0.0),
            centres: [0; 2],
            article: (0, 0.0),
            tag: tag_code(page, c),
        })
        .collect();
    let mut kinds: HashMap<u64, (f32, f32)> = HashMap::default();
    let keys: Vec<u64> = containers.iter().map(|c| kind_of(page, c)).collect();
    for (key, known) in keys.iter().zip(&out) {
        let kind = kinds.entry(*key).or_default();
        kind.0 += 1.0;
        kind.1 += known.sums.words;
    }
    for (key, known) in keys.iter().zip(&mut out) {
        let (count, words) = kinds[key];
        known.alike = (count, words / count);
    }
    for (at, of_page) in CENTRES.into_iter().enumerate() {
        put_centre(containers, &mut out, at, of_page);
    }
    out
}

/// A hash of a container's tag and of its class without digits.
fn kind_of(page: &Page, container: &LayoutContainer) -> u64 {
    let tag = page.tag(container.element).map_or("", |tag| tag);
    let class = page.attr(container.element, "class").unwrap_or_default();
    let class = class
        .bytes()
        .take(MAX_CLASS_BYTES)
        .filter(|b| !b.is_ascii_digit());
    tag.bytes()
        .chain([b' '])
        .chain(class)
        .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3) // FNV-1a, 64 bits
        })
}

/// Finds the centre, the smallest container that holds the share `of_page` of the
/// page's words in paragraphs, and tells each container its steps.
fn put_centre(containers: &[LayoutContainer], known: &mut [Known], at: usize, of_page: f32) {
    let Some(body) = known.first() else { return };
    let enough = body.sums.paragraphs * of_page;
    let mut centre = 0;
    // More than one container can hold enough where that is half or less: the
    // first then, and what is inside of it.
    for (i, container) in containers.iter().enumerate() {
        let inside =
            containers[centre].first <= container.first && container.end <= containers[centre].end;
        if inside && known[i].sums.paragraphs >= enough {
            centre = i;
        }
    }
    let mut around: HashMap<usize, u8> = HashMap::default();
    let (mut up, mut steps) = (centre, 0_u8);
    while around.insert(up, steps).is_none() {
        steps = steps.saturating_add(1);
        up = containers[up].parent;
    }
    for i in 0..containers.len() {
        known[i].centres[at] = match around.get(&i) {
            Some(&steps) => steps,
            None => known[containers[i].parent].centres[at],
        };
    }
}

/// Numbers the page's `article` elements, and gives how many there are.
fn number_articles(layout: &Layout, known: &mut [Known]) -> u32 {
    let mut articles = 0;
    for (i, container) in layout.containers.iter().enumerate() {
        known[i].article = if container.roles.has(Role::Article) {
            articles += 1;
            (articles, known[i].sums.words)
        } else {
            known[container.parent].article
        };
    }
    articles
}

/// How many `h1` with text there are up to each block, its own included.
fn h1s(page: &Page, layout: &Layout) -> Vec<u32> {
    let mut last = None;
    let mut h1s = 0;
    let blocks = layout.blocks.iter().map(|block| {
        let container = Some(block.container);
        let is_h1 = page.is(
            layout.containers[block.container].element,
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
fn distances<'a>(blocks: impl Iterator<Item = &'a Block>) -> Vec<u32> {
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
