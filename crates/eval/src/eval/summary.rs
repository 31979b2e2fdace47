//! Figures over many pages.

use super::metrics::{PageScore, Score};
use super::random::SplitMix64;

/// The percentiles of F1 that a [`Distribution`] has: the median, the
/// quartiles, and the 9th and 91st, which FOREST's box plots use (figure 4).
pub const PERCENTILES: [f64; 5] = [9.0, 25.0, 50.0, 75.0, 91.0];

/// Resamples of the bootstrap: its ends move by about 0.001 between seeds at
/// 2,000, less than the third decimal that is printed means.
pub const RESAMPLES: usize = 2000;

/// One measure over many pages.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Distribution {
    /// The means over pages of precision, of recall and of F1 (not the harmonic
    /// mean of the first two).
    pub mean: Score,
    /// The [`PERCENTILES`] of F1.
    pub f1_percentiles: [f64; 5],
}

/// Both measures over many pages.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// The number of scored pages.
    pub pages: usize,
    /// The number of pages with an empty or blank text, crashes included.
    pub empty: usize,
    /// The ids of the pages that crashed; they count as zero.
    pub crashed: Vec<String>,
    /// By set of word 2-grams.
    pub two_gram: Distribution,
    /// By longest common subsequence of words.
    pub word_lcs: Distribution,
}

/// The two ends of a confidence interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeanInterval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Distribution {
    fn of(scores: &[Score]) -> Option<Distribution> {
        let mut f1: Vec<f64> = scores.iter().map(|s| s.f1).collect();
        f1.sort_unstable_by(f64::total_cmp);
        let mean =
            |part: fn(&Score) -> f64| scores.iter().map(part).sum::<f64>() / scores.len() as f64;
        let mut f1_percentiles = [0.0; 5];
        for (at, q) in f1_percentiles.iter_mut().zip(PERCENTILES) {
            *at = percentile(&f1, q)?;
        }
        Some(Distribution {
            mean: Score {
                precision: mean(|s| s.precision),
                recall: mean(|s| s.recall),
                f1: mean(|s| s.f1),
            },
            f1_percentiles,
        })
    }
}

impl Summary {
    /// The figures over `pages`; `None` if there are no pages.
    pub fn of<'a>(pages: impl IntoIterator<Item = &'a PageScore>) -> Option<Summary> {
        let pages: Vec<_> = pages.into_iter().collect();
        let two_gram: Vec<_> = pages.iter().map(|p| p.two_gram).collect();
        let word_lcs: Vec<_> = pages.iter().map(|p| p.word_lcs).collect();
        Some(Summary {
            pages: pages.len(),
            empty: pages.iter().filter(|p| p.empty).count(),
            crashed: pages
                .iter()
                .filter(|p| p.crash.is_some())
                .map(|p| p.id.clone())
                .collect(),
            two_gram: Distribution::of(&two_gram)?,
            word_lcs: Distribution::of(&word_lcs)?,
        })
    }
}

/// The figures of every site, ordered by its name.
pub fn by_site(pages: &[PageScore]) -> Vec<(&str, Summary)> {
    grouped(pages)
        .into_iter()
        .filter_map(|group| Some((group[0].site(), Summary::of(group.iter().copied())?)))
        .collect()
}

/// The pages of every site, ordered by its name.
fn grouped(pages: &[PageScore]) -> Vec<Vec<&PageScore>> {
    let mut sorted: Vec<_> = pages.iter().collect();
    sorted.sort_by_key(|page| page.site());
    sorted
        .chunk_by(|a, b| a.site() == b.site())
        .map(<[_]>::to_vec)
        .collect()
}

/// The `q`-th percentile (0..=100) of values in ascending order, linear between
/// neighbours; `None` of no values.
///
/// ```
/// use forest_eval::eval::percentile;
/// // Position 0.75 of 0..=3 is between the first two: 0.1 + 0.75 · 0.2.
/// assert_eq!(percentile(&[0.1, 0.3, 0.5, 0.9], 25.0), Some(0.1 + (0.3 - 0.1) * 0.75));
/// assert_eq!(percentile(&[0.7], 91.0), Some(0.7));
/// assert_eq!(percentile(&[], 50.0), None);
/// ```
pub fn percentile(ascending: &[f64], q: f64) -> Option<f64> {
    let last = ascending.len().checked_sub(1)?;
    let position = last as f64 * q.clamp(0.0, 100.0) / 100.0;
    let below = position as usize;
    let above = (below + 1).min(last);
    let (low, high) = (ascending[below], ascending[above]);
    Some(low + (high - low) * (position - below as f64))
}

/// A 95 % percentile bootstrap interval for the mean over pages of `figure`,
/// with sites as the units drawn: pages of one site share a template and rise
/// and fall together, so drawing pages would promise too much.
///
/// Each resample draws as many sites as there are, with replacement, and takes
/// the mean over all their pages. The same pages, `resamples` and `seed` give
/// the same interval. `None` without pages or resamples; one site gives an
/// interval of no width, which means nothing.
///
/// ```
/// use forest_eval::eval::{GoldTexts, bootstrap_over_sites};
/// let page = |id| GoldTexts::new(["a b"]).score(id, if id == "x/1" { "" } else { "a b" });
/// let pages = [page("x/1"), page("y/1")];
/// // Resamples of two sites score 0, 1/2 or 1.
/// let interval = bootstrap_over_sites(&pages, |p| p.two_gram.f1, 1000, 1).unwrap();
/// assert_eq!((interval.low, interval.high), (0.0, 1.0));
/// ```
pub fn bootstrap_over_sites(
    pages: &[PageScore],
    figure: impl Fn(&PageScore) -> f64,
    resamples: usize,
    seed: u64,
) -> Option<MeanInterval> {
    let sites: Vec<(f64, usize)> = grouped(pages)
        .iter()
        .map(|site| (site.iter().map(|page| figure(page)).sum(), site.len()))
        .collect();
    let mut random = SplitMix64::new(seed);
    let mut means: Vec<f64> = (0..resamples)
        .map(|_| {
            let (mut sum, mut count) = (0.0, 0);
            for _ in &sites {
                let (of_site, pages) = sites[random.below(sites.len())];
                sum += of_site;
                count += pages;
            }
            sum / count as f64
        })
        .collect();
    if sites.is_empty() {
        return None;
    }
    means.sort_unstable_by(f64::total_cmp);
    Some(MeanInterval {
        low: percentile(&means, 2.5)?,
        high: percentile(&means, 97.5)?,
    })
}
