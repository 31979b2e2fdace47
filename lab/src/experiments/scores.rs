//! The scores of trials over a collection.

use super::paper::Trial;
use forest_eval::Result;
use forest_eval::eval::{EvalSite, GoldTexts, PageScore, Setup, SiteMethod, Split};
use forest_sources::gold::Collection;
use rayon::prelude::*;

/// The scores of each trial, in the order of the pages' ids.
///
/// # Errors
///
/// If a file of the collection cannot be read.
pub fn scores(collection: &Collection, trials: &[&Trial]) -> Result<Vec<Vec<PageScore>>> {
    let of_site = |site| -> Result<Vec<Vec<PageScore>>> {
        let site = EvalSite::read(collection, site)?;
        let pages = (0..site.samples().len()).map(|at| PageScorer::of(&site, at));
        let mut scorers: Vec<Option<PageScorer>> = pages.collect();
        let of_trial = |trial: &&Trial| scores_of_trial(&site, trial, &mut scorers);
        Ok(trials.iter().map(of_trial).collect())
    };
    let by_site: Result<Vec<_>> = collection.sites().par_iter().map(of_site).collect();
    let mut out: Vec<Vec<PageScore>> = trials.iter().map(|_| Vec::new()).collect();
    for site in by_site? {
        for (all, pages) in out.iter_mut().zip(site) {
            all.extend(pages);
        }
    }
    Ok(out)
}

fn scores_of_trial(
    site: &EvalSite,
    trial: &Trial,
    scorers: &mut [Option<PageScorer>],
) -> Vec<PageScore> {
    let setup = &trial.setup;
    let mut out = Vec::new();
    for Split { train, test } in trial.splits(site.samples().len()) {
        let method = site.learn(&train, setup);
        for at in test {
            if let Some(scorer) = &mut scorers[at] {
                let id = &site.samples()[at].name;
                out.push(match scorer.text(site, at, setup, &method) {
                    Ok(text) => scorer.gold.score(id, &text),
                    Err(message) => PageScore::crashed(id, message),
                });
            }
        }
    }
    out
}

/// The right texts of a page, and the texts of the methods that look at this page alone.
struct PageScorer {
    gold: GoldTexts,
    page_by_page: Vec<(Setup, std::result::Result<String, String>)>,
}

impl PageScorer {
    fn of(site: &EvalSite, at: usize) -> Option<PageScorer> {
        Some(PageScorer {
            gold: site.gold_texts(at)?,
            page_by_page: Vec::new(),
        })
    }

    fn text(
        &mut self,
        site: &EvalSite,
        at: usize,
        setup: &Setup,
        method: &SiteMethod,
    ) -> std::result::Result<String, String> {
        if !matches!(method, SiteMethod::PageByPage) {
            return site.text(at, setup, method);
        }
        if let Some((_, text)) = self.page_by_page.iter().find(|(known, _)| known == setup) {
            return text.clone();
        }
        let text = site.text(at, setup, method);
        self.page_by_page.push((setup.clone(), text.clone()));
        text
    }
}
