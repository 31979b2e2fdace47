//! The phrases of a short page by their places, and the labels of its buttons.

use super::kind::NoArticle;
use super::phrases::{PhrasePlace, hits, kinds_of};
use super::shape::{Shape, label};
use super::target::LinkTarget;
use foldhash::HashSet;
use forest_html::page::plain::text_of_html;
use forest_html::page::{Mask, Page};
use forest_html::text::metric_tokens;

/// Bytes of kept and of other text that are searched, each. The phrases of walls are at their
/// beginning; the search costs more than parsing these bytes.
const MAX_BYTES: usize = 3000;

/// Headings and buttons that are looked at.
const MAX_LABELS: usize = 12;

/// Bytes of a button's value; longer ones are no labels.
const MAX_VALUE_BYTES: usize = 200;

/// Elements `noscript` that are read, and bytes of markup in each.
const MAX_NOSCRIPTS: usize = 20;
const MAX_NOSCRIPT_BYTES: usize = 4 * MAX_BYTES;

/// Words of a page below which the text of `noscript` counts as shown.
const NOSCRIPT_WORDS: u32 = 60;

/// The vocabulary of consent walls, by stems in lower case: cookies, partners, consent,
/// advertising and tracking.
const VOCABULARY: [&[&str]; 4] = [
    &["cookie", "кук", "ciasteczk", "çerez"],
    &[
        "partner",
        "partenaire",
        "socios",
        "parceiros",
        "партн",
        "合作伙伴",
        "συνεργάτ",
        "ortak",
        "ortağ",
    ],
    &[
        "consent",
        "einwillig",
        "zustimm",
        "consentimiento",
        "consentimento",
        "consenso",
        "toestemming",
        "zgod",
        "соглас",
        "同意",
        "συγκατάθεσ",
        "samtyck",
        "samtykke",
    ],
    &[
        "advertis",
        "tracking",
        "werbung",
        "publicit",
        "publicidad",
        "anúncios",
        "pubblicit",
        "advertent",
        "annonce",
        "annonser",
        "reklam",
        "реклам",
        "广告",
        "διαφήμισ",
        "διαφημίσ",
        "privacy",
        "datenschutz",
    ],
];

/// The phrases of each kind by their places.
#[derive(Debug, Default)]
pub(super) struct PhraseCounts {
    title: [bool; NoArticle::COUNT],
    heads: [bool; NoArticle::COUNT],
    kept: [u32; NoArticle::COUNT],
    other: [u32; NoArticle::COUNT],
    /// A button agrees to something.
    pub agrees: bool,
    /// Groups of [`VOCABULARY`] that the text has words of.
    pub consent_groups: usize,
}

impl PhraseCounts {
    pub fn of(page: &Page, kept: &Mask, shape: &Shape<'_>) -> PhraseCounts {
        let mut counts = PhraseCounts::default();
        for part in parts(shape.title) {
            for kind in kinds_of(part, PhrasePlace::Head) {
                counts.title[kind as usize] = true;
            }
        }
        let own_heads = shape
            .heads
            .iter()
            .filter(|head| head.target != LinkTarget::Elsewhere);
        for head in own_heads.take(MAX_LABELS) {
            for kind in kinds_of(head.text, PhrasePlace::Head) {
                counts.heads[kind as usize] = true;
            }
        }
        for &n in shape.buttons.iter().take(MAX_LABELS) {
            let value = page.attr(n, "value").filter(|v| v.len() < MAX_VALUE_BYTES);
            let labels = [Some(label(page, n)), value];
            counts.agrees |= labels
                .into_iter()
                .flatten()
                .any(|label| !kinds_of(label, PhrasePlace::Button).is_empty());
        }
        counts.texts(page, kept, shape);
        counts
    }

    fn texts(&mut self, page: &Page, kept: &Mask, shape: &Shape<'_>) {
        let (mut inside, mut outside) = (String::new(), String::new());
        let first = page.body().unwrap_or(page.root());
        for n in page.content_texts(first) {
            let text = page.text(n);
            let to = if kept.contains(n) {
                &mut inside
            } else {
                &mut outside
            };
            add(to, text);
            if inside.len() >= MAX_BYTES && outside.len() >= MAX_BYTES {
                break;
            }
        }
        if shape.body.words < NOSCRIPT_WORDS {
            // The markup of pictures that stand in for lazy ones (`loading="lazy"`) says nothing.
            let hidden = shape.noscripts.iter().filter(|&&n| !page.is_content(n));
            for &n in hidden.take(MAX_NOSCRIPTS) {
                let markup = page.text(n);
                let markup = &markup[..markup.floor_char_boundary(MAX_NOSCRIPT_BYTES)];
                add(&mut outside, &text_of_html(markup));
            }
        }
        if shape.has_frames {
            add(&mut outside, page.text(page.root()));
        }
        count(&inside, &mut self.kept);
        count(&outside, &mut self.other);
        let consent = NoArticle::Consent as usize;
        let asks = !shape.buttons.is_empty() || self.kept[consent] + self.other[consent] > 0;
        if asks {
            // The kept text of a wall is its own words, or empty.
            if shape.kept.words < 25 {
                inside.push_str(&outside);
            }
            self.consent_groups = consent_groups(&inside.to_lowercase());
        }
    }

    /// True if a part of the title has a phrase of it.
    pub fn in_title(&self, kind: NoArticle) -> bool {
        self.title[kind as usize]
    }

    /// True if a heading has a phrase of it.
    pub fn in_heads(&self, kind: NoArticle) -> bool {
        self.heads[kind as usize]
    }

    /// Phrases in the kept text.
    pub fn in_kept(&self, kind: NoArticle) -> u32 {
        self.kept[kind as usize]
    }

    /// Phrases in the other text.
    pub fn in_other(&self, kind: NoArticle) -> u32 {
        self.other[kind as usize]
    }
}

/// Adds a text until there is enough.
fn add(to: &mut String, text: &str) {
    if to.len() < MAX_BYTES {
        let room = MAX_BYTES - to.len();
        to.push_str(&text[..text.floor_char_boundary(room)]);
        to.push(' ');
    }
}

fn count(text: &str, counts: &mut [u32; NoArticle::COUNT]) {
    let all = metric_tokens(text);
    let tokens: Vec<&str> = all.iter().collect();
    let mut seen = HashSet::default();
    for hit in hits(&tokens, PhrasePlace::Text) {
        counts[hit.kind as usize] += u32::from(seen.insert(hit.phrase));
    }
}

fn consent_groups(text: &str) -> usize {
    let groups = VOCABULARY
        .iter()
        .filter(|group| group.iter().any(|stem| text.contains(stem)));
    groups.count()
}

/// The parts of a title: the headline, the section, the site.
fn parts(title: &str) -> impl Iterator<Item = &str> {
    title
        .split(['|', '–', '—', '·', '»', '«', '‹', '›', '_', '｜', '•'])
        .flat_map(|part| part.split(" - "))
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .take(6)
}
