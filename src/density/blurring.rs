//! CCB, ACCB and TCCB, content code blurring: Gottron 5.2, which summarises
//! Gottron, *Content Code Blurring: A New Approach to Content Extraction*, 2008.
//!
//! The body is a vector with an entry for each character (`ccb`, `accb`) or token
//! (`tccb`) of its source: 1 for content, that is text, 0 for code, that is tags.
//! The vector is blurred: each entry becomes the weighted average of the entries
//! up to r away, over and over until nothing changes much. Long runs of text with
//! few tags stay near 1, short texts between tags sink.
//!
//! ```text
//! c'(i) = Σ w(d) c(i + d) / Σ w(d)     w(d) = r + 1 - |d|, d from -r to r inside the body
//! a text is kept if the mean of its c is above t
//! ```
//!
//! | variant | entries | links | r; t |
//! | --- | --- | --- | --- |
//! | `ccb` | characters | are tags and text like others | 40; 0.75 |
//! | `accb` | characters | are left out, so that links in running text do not tear it | 40; 0.75 |
//! | `tccb` | a tag is one, a word is one | are tags and text like others | 25; 0.75, new: 18; 0.75 |
//!
//! **What the paper leaves open**, and what was chosen:
//!
//! - The weights: a triangle, which is two sliding sums one after the other. The
//!   cost is that of the vector, whatever r is.
//! - Beyond the ends of the body there is nothing: the weights there do not count.
//! - "Until stable": averages of averages end in one value for the whole page, so
//!   a round that moves no entry by more than 0.05 is the last, and at most 16 are
//!   made. After the first rounds only the borders of long texts still move. Macro
//!   average of 2-gram F1 over eight collections with 0.1, 0.05 and 0.02: `accb`
//!   0.856, 0.853 and 0.842, `tccb` 0.836, 0.836 and 0.835.
//! - What is decided on is the text node, by the mean over its entries.
//! - ACCB leaves links (`a` with `href`) out: their tags *and* their text, which
//!   then shares the fate of the place where it stands. With the tags alone left out
//!   ([`Links::TextOnly`]) lists of links become runs of text: 0.817 instead of 0.853.
//! - `ccb` has no values in the paper and takes those of `accb`.
//! - The source: a parsed page does not have it. Tags are as long as they would be
//!   written plainly, end tags that may be left out included; white space in a text
//!   counts as one character, between tags as none; scripts, styles, comments and
//!   the head are not there, as no content stands next to them but by accident.
//!   Characters in attributes are counted as bytes of UTF-8.
//! - Words of `tccb`: runs of letters and digits, in scripts without spaces pairs
//!   of characters.
//!
//! Linear in the page: a pass, and for each round two over the vector. A run
//! longer than all rounds together reach is cut in its middle, which changes
//! nothing: there c is 0 or 1 for good.

use super::view::View;
use super::walk::{self, Step, WordCounter, is_link};
use crate::page::{Mask, NodeId, Page};

/// Gottron 5.2: neighbourhood of ACCB, in characters on either side.
const CHARACTERS: usize = 40;

/// Gottron table 3: neighbourhood of TCCB with the best macro average, in tokens.
const TOKENS: usize = 18;

/// Gottron 5.2: neighbourhood of TCCB before the search, in tokens.
const EARLIER_TOKENS: usize = 25;

/// Gottron 5.2: share of content above which a text is kept.
const THRESHOLD: f64 = 0.75;

/// The largest change of an entry in a round that is called stable, as a share of
/// content. Ours: see the module's page.
const STABLE: f32 = 0.05;

/// Rounds at the most: bounds the reach of an entry. A border between long runs
/// is stable after four.
const MAX_ROUNDS: usize = 16;

/// The widest neighbourhood: keeps the sums of a window small. Wider than the text
/// of pages.
const MAX_RADIUS: usize = 100_000;

/// What one entry of the vector stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entries {
    /// A character of text or of a tag.
    Characters,
    /// A word or a tag.
    Tokens,
}

/// What becomes of links.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Links {
    /// They are code and content like other elements.
    Counted,
    /// Their text is content, their tags are not in the vector.
    TextOnly,
    /// Neither their tags nor their text are in the vector.
    LeftOut,
}

/// The parameters of [`article`]; default: [`Blurring::accb`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Blurring {
    entries: Entries,
    links: Links,
    radius: usize,
    threshold: f64,
}

impl Blurring {
    /// CCB with ACCB's values.
    pub fn ccb() -> Blurring {
        Blurring {
            links: Links::Counted,
            ..Blurring::accb()
        }
    }

    /// ACCB with the values from before the paper, which its search found again:
    /// r = 40, t = 0.75.
    pub fn accb() -> Blurring {
        Blurring {
            entries: Entries::Characters,
            links: Links::LeftOut,
            radius: CHARACTERS,
            threshold: THRESHOLD,
        }
    }

    /// TCCB with the paper's new values, r = 18, t = 0.75.
    pub fn tccb() -> Blurring {
        Blurring {
            entries: Entries::Tokens,
            links: Links::Counted,
            radius: TOKENS,
            threshold: THRESHOLD,
        }
    }

    /// TCCB with the values from before the paper, r = 25, t = 0.75.
    pub fn tccb_earlier() -> Blurring {
        Blurring::tccb().with_radius(EARLIER_TOKENS)
    }

    /// What an entry stands for.
    pub fn with_entries(mut self, entries: Entries) -> Blurring {
        self.entries = entries;
        self
    }

    /// What becomes of links.
    pub fn with_links(mut self, links: Links) -> Blurring {
        self.links = links;
        self
    }

    /// r: entries on either side that an entry is averaged with, at most 100,000.
    pub fn with_radius(mut self, entries: usize) -> Blurring {
        self.radius = entries.min(MAX_RADIUS);
        self
    }

    /// t: the share of content, 0 to 1, above which a text is kept.
    pub fn with_threshold(mut self, threshold: f64) -> Blurring {
        self.threshold = threshold;
        self
    }
}

impl Default for Blurring {
    fn default() -> Blurring {
        Blurring::accb()
    }
}

/// The texts in neighbourhoods with much content and little code.
///
/// ```
/// use forest::density::blurring::{self, Blurring};
/// use forest::page::Page;
///
/// let menu = "<li><a href=/news/>News</a></li>".repeat(5);
/// let page = Page::from_html(&format!("<ul>{menu}</ul><p>{}</p><ul>{menu}</ul>",
///     "A long run of text without tags is what an article is made of. ".repeat(5)));
/// for blurring in [Blurring::ccb(), Blurring::accb(), Blurring::tccb()] {
///     let mask = blurring::article(&page, &blurring);
///     let text: String = mask.texts(&page).map(|n| page.text(n)).collect();
///     assert!(text.contains("article") && !text.contains("News"));
/// }
/// ```
pub fn article(page: &Page, blurring: &Blurring) -> Mask {
    within(&View::whole(page), blurring)
}

/// [`article`] of what is there of a page.
pub(super) fn within(view: &View<'_>, blurring: &Blurring) -> Mask {
    let page = view.page();
    let mut vector = Vector::of(view, blurring);
    vector.blur(blurring.radius);
    let kept: Vec<NodeId> = vector
        .texts
        .iter()
        .filter(|text| vector.mean(text) > blurring.threshold)
        .map(|text| text.node)
        .collect();
    walk::mask_of(page, &kept)
}

/// The content code vector of a page.
#[derive(Debug, Default)]
struct Vector {
    entries: Vec<f32>,
    texts: Vec<Text>,
}

/// A text node's part of the vector.
#[derive(Debug)]
struct Text {
    node: NodeId,
    /// The first entry and one past the last; the same where it has none.
    start: usize,
    end: usize,
    /// Entries in its middle that were left out, as they stay 1.
    cut: usize,
}

impl Vector {
    fn of(view: &View<'_>, blurring: &Blurring) -> Vector {
        let page = view.page();
        let mut vector = Vector::default();
        let mut words = WordCounter::new();
        // No entry is moved by another one that is farther away.
        let reach = blurring.radius * MAX_ROUNDS;
        let longest = 2 * reach + 1;
        let mut code_run = 0;
        let mut links = 0_usize;
        let skips = |n| blurring.links != Links::Counted && is_link(page, n);
        let texts_too = blurring.links == Links::LeftOut;
        walk::walk(view, |step| match step {
            Step::Start(n) if skips(n) => links += 1,
            Step::End(n) if skips(n) => links -= 1,
            Step::Start(_) | Step::End(_) if links > 0 && texts_too => {}
            Step::Start(n) | Step::End(n) => {
                let is_start = matches!(step, Step::Start(_));
                let code = match blurring.entries {
                    Entries::Characters => tag_chars(page, n, is_start),
                    Entries::Tokens => 1,
                };
                let more = code.min(longest - code_run);
                code_run += more;
                vector.entries.resize(vector.entries.len() + more, 0.0);
            }
            Step::Text(node) => {
                let start = vector.entries.len();
                let text = page.text(node);
                let content = match blurring.entries {
                    _ if links > 0 && texts_too => 0,
                    Entries::Characters => super::folded_chars(text),
                    Entries::Tokens => words.count(text),
                };
                let end = start + content.min(longest);
                vector.entries.resize(end, 1.0);
                if content > 0 {
                    code_run = 0;
                }
                vector.texts.push(Text {
                    node,
                    start,
                    end,
                    cut: content - (end - start),
                });
            }
        });
        vector
    }

    /// Averages until no entry changes by more than [`STABLE`].
    fn blur(&mut self, radius: usize) {
        let mut sums = Vec::new();
        let mut last = self.entries.clone();
        for _ in 0..MAX_ROUNDS {
            averages(&last, radius, &mut sums, &mut self.entries);
            let pairs = self.entries.iter().zip(&last);
            let change = pairs.map(|(new, old)| (new - old).abs());
            if change.fold(0.0, f32::max) <= STABLE {
                return;
            }
            last.copy_from_slice(&self.entries);
        }
    }

    /// The mean of a text's entries; where it has none, of those beside it.
    fn mean(&self, text: &Text) -> f64 {
        let entries = match text.start == text.end {
            true => {
                let end = (text.end + 1).min(self.entries.len());
                &self.entries[text.start.saturating_sub(1)..end]
            }
            false => &self.entries[text.start..text.end],
        };
        let sum: f64 = entries.iter().map(|v| f64::from(*v)).sum();
        let len = (entries.len() + text.cut).max(1);
        (sum + text.cut as f64) / len as f64
    }
}

/// The weighted average of each value's neighbourhood: a triangle of weights, as
/// a sum over r + 1 values of sums over r + 1 values. `sums` is a buffer.
fn averages(values: &[f32], radius: usize, sums: &mut Vec<f64>, out: &mut [f32]) {
    let n = values.len();
    let at = |i: usize| values.get(i).map_or(0.0, |v| f64::from(*v));
    // sums[i] is the sum of values from i - r to i, for i up to n + r.
    sums.clear();
    let mut sum = 0.0;
    for i in 0..n + radius {
        sum += at(i);
        if i > radius {
            sum -= at(i - radius - 1);
        }
        sums.push(sum);
    }
    let width = (radius + 1) as f64;
    // The weights that fall beyond an end that is `inside` entries away.
    let beyond = |inside: usize| {
        let outside = radius.saturating_sub(inside) as f64;
        outside * (outside + 1.0) / 2.0
    };
    let mut sum: f64 = sums.iter().take(radius).sum();
    for (i, out) in out.iter_mut().enumerate() {
        sum += sums[i + radius];
        let weights = width * width - beyond(i) - beyond(n - 1 - i);
        *out = (sum / weights) as f32;
        sum -= sums[i];
    }
}

/// Characters of a tag, as it would be written plainly.
fn tag_chars(page: &Page, element: NodeId, is_start: bool) -> usize {
    let name = page.name(element).map_or(0, |name| name.local.len());
    if !is_start {
        return "</>".len() + name;
    }
    let attrs = page.attrs(element).map(|(name, value)| {
        let value = if value.is_empty() {
            0
        } else {
            "=\"\"".len() + value.len()
        };
        " ".len() + name.local.len() + value
    });
    "<>".len() + name + attrs.sum::<usize>()
}
