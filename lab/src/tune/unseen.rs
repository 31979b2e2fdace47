//! The scores of pages of unseen publishers, their macro average and its interval.

use forest_eval::eval::{RESAMPLES, SplitMix64, percentile};
use forest_eval::tune::TunePages;
use forest_text::pipeline::Pipeline;
use std::collections::BTreeMap;

/// The pages of a fold, with the collection and the publisher of each.
pub struct UnseenPages {
    pub pages: TunePages,
    pub publishers: Vec<(usize, String)>,
}

/// F1 by 2-grams and by words of all pages of all folds.
#[derive(Debug, Clone)]
pub struct UnseenScores {
    f1: Vec<[f64; 2]>,
    publishers: Vec<(usize, String)>,
}

impl UnseenScores {
    /// The scores of a pipeline for each fold.
    pub fn of(folds: &mut [UnseenPages], pipeline: impl Fn(usize) -> Pipeline) -> UnseenScores {
        let mut out = UnseenScores {
            f1: Vec::new(),
            publishers: Vec::new(),
        };
        for (at, fold) in folds.iter_mut().enumerate() {
            let scores = fold.pages.scores(&[pipeline(at)]).remove(0);
            let f1 = scores
                .iter()
                .map(|(two_gram, words)| [two_gram.f1, words.f1]);
            out.f1.extend(f1);
            out.publishers.extend(fold.publishers.iter().cloned());
        }
        out
    }

    /// The scores of pages with the collection and the publisher of each.
    pub fn of_pages(pages: Vec<([f64; 2], (usize, String))>) -> UnseenScores {
        let (f1, publishers) = pages.into_iter().unzip();
        UnseenScores { f1, publishers }
    }

    /// The mean of each page over several runs.
    pub fn mean(runs: &[UnseenScores]) -> UnseenScores {
        let mean = |page: usize, measure: usize| {
            runs.iter().map(|run| run.f1[page][measure]).sum::<f64>() / runs.len() as f64
        };
        UnseenScores {
            f1: (0..runs[0].f1.len())
                .map(|page| [mean(page, 0), mean(page, 1)])
                .collect(),
            publishers: runs[0].publishers.clone(),
        }
    }

    /// The means of the collections.
    pub fn by_collection(&self) -> Vec<[f64; 2]> {
        let collections = self.publishers.iter().map(|(at, _)| at + 1).max();
        let mean = |collection: usize, measure: usize| {
            let pages = self.f1.iter().zip(&self.publishers);
            let f1: Vec<f64> = pages
                .filter(|(_, (at, _))| *at == collection)
                .map(|(f1, _)| f1[measure])
                .collect();
            f1.iter().sum::<f64>() / f1.len() as f64
        };
        (0..collections.unwrap_or(0))
            .map(|at| [mean(at, 0), mean(at, 1)])
            .collect()
    }

    /// The mean of the means of collections with pages.
    pub fn macro_average(&self) -> [f64; 2] {
        let mut means = self.by_collection();
        means.retain(|[two_gram, _]| !two_gram.is_nan());
        [0, 1].map(|measure| means.iter().map(|m| m[measure]).sum::<f64>() / means.len() as f64)
    }

    /// The 95 % interval of the gain in macro average by words over other scores: a bootstrap
    /// over publishers.
    pub fn interval_over(&self, other: &UnseenScores) -> [f64; 2] {
        let collections = self.by_collection().len();
        // For each publisher the sum of its gains and its pages, by collection.
        let mut gains: BTreeMap<&str, Vec<(f64, f64)>> = BTreeMap::new();
        let pages = self.f1.iter().zip(&other.f1).zip(&self.publishers);
        for ((f1, before), (collection, publisher)) in pages {
            let of_publisher = gains.entry(publisher);
            let sums = of_publisher.or_insert_with(|| vec![(0.0, 0.0); collections]);
            sums[*collection].0 += f1[1] - before[1];
            sums[*collection].1 += 1.0;
        }
        let gains: Vec<Vec<(f64, f64)>> = gains.into_values().collect();
        let mut random = SplitMix64::new(1);
        let mut drawn: Vec<f64> = (0..RESAMPLES)
            .map(|_| {
                let mut sums = vec![(0.0, 0.0); collections];
                for _ in &gains {
                    let publisher = &gains[random.below(gains.len())];
                    for (sum, (gain, pages)) in sums.iter_mut().zip(publisher) {
                        sum.0 += gain;
                        sum.1 += pages;
                    }
                }
                let means: Vec<f64> = sums
                    .iter()
                    .filter(|(_, pages)| *pages > 0.0)
                    .map(|(gain, pages)| gain / pages)
                    .collect();
                means.iter().sum::<f64>() / means.len() as f64
            })
            .collect();
        drawn.sort_unstable_by(f64::total_cmp);
        [2.5, 97.5].map(|q| percentile(&drawn, q).unwrap_or(0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scores(f1: &[f64]) -> UnseenScores {
        let publishers = [(0, "a"), (0, "a"), (0, "b"), (1, "c")];
        UnseenScores {
            f1: f1.iter().map(|f1| [*f1, *f1]).collect(),
            publishers: publishers.map(|(at, name)| (at, name.to_owned())).to_vec(),
        }
    }

    #[test]
    fn collections_weigh_the_same() {
        let low = scores(&[0.0, 0.3, 0.6, 0.5]);
        let high = scores(&[0.1, 0.4, 0.7, 0.6]);
        assert!((low.macro_average()[1] - 0.4).abs() < 1e-12);
        // Every page gains a tenth, whoever is drawn.
        for end in high.interval_over(&low) {
            assert!((end - 0.1).abs() < 1e-12, "{end}");
        }
        let mean = UnseenScores::mean(&[low, high]).macro_average();
        assert!((mean[0] - 0.45).abs() < 1e-12);
    }
}
