//! The topic of a page: the words of its title and summary, and of the article's text
//! in its JSON-LD.

use super::counts::WordReader;
use super::layout::{BlockId, Layout, LayoutBlock, share};
use super::roles::ContainerRole;
use foldhash::HashSet;
use forest_html::page::{Kind, NodeId, Page};
use html5ever::local_name;

/// Bytes of a summary that are read.
const MAX_SUMMARY_BYTES: usize = 2000;

/// Bytes of a title that are read.
const MAX_TITLE_BYTES: usize = 500;

/// Words of a block that can be the page's headline.
const MAX_HEADLINE_WORDS: f32 = 40.0;

/// Words that a headline shares with the title at least.
const MIN_SHARED_WORDS: f32 = 2.0;

/// Likeness from which a block is the headline, see [`Topic::headline`].
const MIN_LIKENESS: f32 = 0.3;

/// Factor of the likeness of a heading.
const HEADING_BONUS: f32 = 1.5;

/// Words as hashes.
#[derive(Debug, Default)]
pub(crate) struct Topic {
    /// Words of the titles in the page's head.
    title: HashSet<u32>,
    /// Pairs of neighbouring words of its descriptions.
    summary: HashSet<u64>,
    /// Pairs of neighbouring words of `articleBody`.
    body: HashSet<u64>,
    /// Words of `articleBody`.
    body_words: usize,
}

impl Topic {
    pub fn of(page: &Page) -> Topic {
        let mut topic = Topic::default();
        let html = page.content_elements().first();
        let head = html.and_then(|&html| {
            page.children(html)
                .find(|&n| page.is(n, &local_name!("head")))
        });
        for n in head.into_iter().flat_map(|head| page.subtree(head)) {
            match page.tag(n) {
                Some(&local_name!("title")) => topic.add_title(page.text(n)),
                Some(&local_name!("meta")) => topic.add_meta(page, n),
                _ => debug_assert!(page.kind(n) != Kind::Document),
            }
        }
        if let Some(body) = &page.metadata().article_body {
            let words = hashes(body);
            topic.body_words = words.len();
            topic.body.extend(pairs(&words));
        }
        topic
    }

    fn add_meta(&mut self, page: &Page, n: NodeId) {
        let name = page.attr(n, "property").or_else(|| page.attr(n, "name"));
        let content = page.attr(n, "content").unwrap_or_default();
        match name {
            Some("og:title" | "twitter:title") => self.add_title(content),
            Some("description" | "og:description" | "twitter:description") => {
                let read = &content[..content.floor_char_boundary(MAX_SUMMARY_BYTES)];
                self.summary.extend(pairs(&hashes(read)));
            }
            _ => {}
        }
    }

    fn add_title(&mut self, text: &str) {
        let read = &text[..text.floor_char_boundary(MAX_TITLE_BYTES)];
        self.title.extend(hashes(read));
    }

    /// The number of the words that are in the title.
    pub fn title_words(&self, words: &[u32]) -> f32 {
        if self.title.is_empty() {
            return 0.0;
        }
        words.iter().filter(|w| self.title.contains(w)).count() as f32
    }

    /// The share of the title's words that `shared` of them are, 1 at most.
    pub fn of_title(&self, shared: f32) -> f32 {
        share(shared, self.title.len() as f32).min(1.0)
    }

    /// The share of the words that follow one another as in the summary.
    pub fn in_summary(&self, words: &[u32]) -> f32 {
        found(&self.summary, words)
    }

    /// The share of the words that follow one another as in `articleBody`;
    /// `None` if the page has no such.
    pub fn in_body(&self, words: &[u32]) -> Option<f32> {
        (self.body_words > 0).then(|| found(&self.body, words))
    }

    /// Words of `articleBody`, if the page has it.
    pub fn body_words(&self) -> Option<usize> {
        (self.body_words > 0).then_some(self.body_words)
    }

    /// The block that is the page's headline: the most like the title, a heading
    /// before another, the first of equals. Likeness is the share of the block's
    /// words that the title has, times the root of the share of the title's words
    /// that the block has. `shared` are the blocks' [`Topic::title_words`].
    pub fn headline(&self, layout: &Layout, shared: &[f32]) -> Option<BlockId> {
        let mut best: Option<(f32, usize)> = None;
        for (i, (block, &shared)) in layout.blocks.iter().zip(shared).enumerate() {
            if shared < MIN_SHARED_WORDS || block.all.words > MAX_HEADLINE_WORDS {
                continue;
            }
            let of_block = shared / layout.words(block).len() as f32;
            let mut likeness = of_block * self.of_title(shared).sqrt();
            if in_heading(layout, block) {
                likeness *= HEADING_BONUS;
            }
            if likeness > MIN_LIKENESS && best.is_none_or(|(known, _)| likeness > known) {
                best = Some((likeness, i));
            }
        }
        best.map(|(_, i)| BlockId(i))
    }
}

fn in_heading(layout: &Layout, block: &LayoutBlock) -> bool {
    layout.container(block.container).steps[ContainerRole::Heading as usize] <= 1
}

fn hashes(text: &str) -> Vec<u32> {
    let mut reader = WordReader::default();
    reader.read(text);
    reader.hashes
}

fn pairs(words: &[u32]) -> impl Iterator<Item = u64> + '_ {
    words
        .windows(2)
        .map(|pair| u64::from(pair[0]) << 32 | u64::from(pair[1]))
}

fn found(known: &HashSet<u64>, words: &[u32]) -> f32 {
    if known.is_empty() {
        return 0.0;
    }
    let found = pairs(words).filter(|pair| known.contains(pair)).count();
    share(found as f32, words.len() as f32)
}
