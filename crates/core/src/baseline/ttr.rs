//! TTR, the text-to-tag ratio: Weninger & Hsu 2008.
//!
//! For each line of the page the ratio of text to tags is computed. The ratios are smoothed,
//! and the lines above a threshold are the article:
//!
//! ```text
//! TTR(k) = characters(k) / max(tags(k), 1)
//! S(k)   = mean of TTR(k - r) ... TTR(k + r)           r = 2, fewer at the ends
//! kept if S(k) > λ · σ                                 σ: standard deviation of S over the lines
//! ```
//!
//! **What the papers leave open**, and what was chosen:
//!
//! - Gottron only names the method; smoothing and threshold are the simplest ones
//!   of Weninger & Hsu (theirs with clusters are not here).
//! - Lines: those of the source are accidental (a minified page is one line), and a parsed
//!   page does not have them. A line here begins at the first tag of block level behind a
//!   text, or at a `br`: each has one run of text and the tags before it.
//! - The tags of a page: start and end tags, void elements one. Scripts, styles and comments
//!   are left out with their tags. White space counts as one character.
//! - If all lines have the same ratio, σ is 0 and all of them are kept.
//!
//! One pass over the page and one over its lines, with sliding sums.

use forest_html::page::tags;
use forest_html::page::view::View;
use forest_html::page::walk::{self, Step};
use forest_html::page::{Mask, NodeId};

/// Lines on either side that a ratio is averaged with (Weninger & Hsu 2008).
const RADIUS: usize = 2;

/// Standard deviations that a kept line's ratio exceeds (Weninger & Hsu 2008).
const DEVIATIONS: f64 = 1.0;

/// The parameters of [`article`]; default: those of Weninger & Hsu.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ttr {
    radius: usize,
    deviations: f64,
}

impl Ttr {
    /// Lines on either side that a line's ratio is averaged with.
    pub fn radius(&self) -> usize {
        self.radius
    }

    /// λ: standard deviations that a kept line's ratio exceeds.
    pub fn deviations(&self) -> f64 {
        self.deviations
    }

    /// Sets the lines on either side.
    pub fn with_radius(mut self, lines: usize) -> Ttr {
        self.radius = lines;
        self
    }

    /// Sets λ.
    pub fn with_deviations(mut self, deviations: f64) -> Ttr {
        self.deviations = deviations;
        self
    }
}

impl Default for Ttr {
    fn default() -> Ttr {
        Ttr {
            radius: RADIUS,
            deviations: DEVIATIONS,
        }
    }
}

/// A line: the number of its first text, and its counts.
#[derive(Debug, Clone, Copy, Default)]
struct TtrLine {
    first: usize,
    chars: u32,
    tags: u32,
}

/// The texts of the lines with much text and few tags.
///
/// ```
/// use forest_core::baseline::ttr::{self, Ttr};
/// use forest_html::page::{Page, View};
///
/// let menu = "<li><a href=/>Home</a></li>".repeat(8);
/// let story = "<p>A line of a story is long and has a tag or two.</p>".repeat(5);
/// let page = Page::from_html(&format!("<ul>{menu}</ul>{story}<ul>{menu}</ul>"));
/// let mask = ttr::article(&View::whole(&page), &Ttr::default());
/// let text: String = mask.texts(&page).map(|n| page.text(n)).collect();
/// assert_eq!(text.matches("story").count(), 5);
/// ```
pub fn article(view: &View<'_>, ttr: &Ttr) -> Mask {
    let page = view.page();
    let (texts, lines) = lines(view);
    let ratios: Vec<f64> = lines
        .iter()
        .map(|line| f64::from(line.chars) / f64::from(line.tags.max(1)))
        .collect();
    let smooth = smoothed(&ratios, ttr.radius);
    let threshold = ttr.deviations * deviation(&smooth);
    let mut kept = Vec::new();
    for (at, ratio) in smooth.iter().enumerate() {
        if *ratio > threshold {
            let end = lines.get(at + 1).map_or(texts.len(), |next| next.first);
            kept.extend_from_slice(&texts[lines[at].first..end]);
        }
    }
    walk::mask_of(page, &kept)
}

/// The texts of a page and its lines.
fn lines(view: &View<'_>) -> (Vec<NodeId>, Vec<TtrLine>) {
    let page = view.page();
    let mut texts = Vec::new();
    let mut lines: Vec<TtrLine> = Vec::new();
    let mut line = TtrLine::default();
    walk::walk(view, |step| match step {
        Step::Start(n) | Step::End(n) => {
            let breaks = page.tag(n).is_some_and(|tag| tags::has(tag, tags::BLOCK));
            if breaks && texts.len() > line.first {
                lines.push(line);
                line = TtrLine {
                    first: texts.len(),
                    ..TtrLine::default()
                };
            }
            line.tags += 1;
        }
        Step::Text(n) => {
            texts.push(n);
            line.chars += forest_html::page::plain::folded_chars(page.text(n)) as u32;
        }
    });
    if texts.len() > line.first {
        lines.push(line);
    }
    (texts, lines)
}

/// The mean of each value and its neighbours up to `radius` away.
fn smoothed(values: &[f64], radius: usize) -> Vec<f64> {
    // Prefix sums: the mean costs the same whatever the radius.
    let mut sums = Vec::with_capacity(values.len() + 1);
    sums.push(0.0);
    let mut sum = 0.0;
    for value in values {
        sum += value;
        sums.push(sum);
    }
    (0..values.len())
        .map(|at| {
            let from = at.saturating_sub(radius);
            let to = at
                .saturating_add(radius)
                .saturating_add(1)
                .min(values.len());
            (sums[to] - sums[from]) / (to - from) as f64
        })
        .collect()
}

/// The standard deviation; 0 for no value.
fn deviation(values: &[f64]) -> f64 {
    let n = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / n;
    variance.sqrt()
}
