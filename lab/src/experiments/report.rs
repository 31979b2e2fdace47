//! Experiments over collections: all figures as Markdown, CSV and charts.

use super::paper::Trial;
use super::scores::scores;
use super::section::{Plan, Section};
use forest_eval::Result;
use forest_eval::eval::{PERCENTILES, PageScore, six};
use forest_sources::gold::Collection;
use std::fmt::Write;

/// Carries out plans over collections. Setups that several trials have in common
/// run once; each page is parsed once.
///
/// # Errors
///
/// If a file of a collection cannot be read.
pub fn conduct(collections: &[Collection], plans: &[Plan]) -> Result<Vec<Section>> {
    let mut trials: Vec<&Trial> = Vec::new();
    for trial in plans.iter().flat_map(|plan| &plan.trials) {
        if !trials.iter().any(|known| known.is_run_as(trial)) {
            trials.push(trial);
        }
    }
    let mut of_collection: Vec<(&str, Vec<Vec<PageScore>>)> = Vec::new();
    for collection in collections {
        of_collection.push((collection.name(), scores(collection, &trials)?));
    }
    let scores_of = |trial: &Trial| {
        let at = trials.iter().position(|known| known.is_run_as(trial));
        let at = at.expect("every trial is among them");
        let scores = of_collection.iter();
        scores.map(|(name, all)| (*name, &all[at][..])).collect()
    };
    let section = |plan: &Plan| {
        let scores: Vec<_> = plan.trials.iter().map(scores_of).collect();
        Section::of(plan, &scores)
    };
    Ok(plans.iter().map(section).collect())
}

/// A report: files by name, `report.md` first.
///
/// `collections` are those that the sections were measured on.
///
/// # Errors
///
/// If a file of a collection cannot be read.
pub fn report(collections: &[Collection], sections: &[Section]) -> Result<Vec<(String, String)>> {
    let mut text = "# Figures\n\nMean over pages of precision, recall and F1 by set of word 2-grams; of several \
        acceptable texts the best counts. 95 %: bootstrap interval over sites. p9 to p91: percentiles of F1. \
        LCS F1: by longest common subsequence of words. mean: of the collections' F1. Columns behind it: F1 of each \
        collection.\n\n| collection | sites | pages | corpus |\n| --- | --- | --- | --- |\n"
        .to_owned();
    for collection in collections {
        let hash = collection.corpus_hash()?;
        let (sites, pages) = (collection.sites().len(), collection.scored());
        let short = &hash[..hash.len().min(12)];
        let _ = writeln!(
            text,
            "| {} | {sites} | {pages} | `{short}` |",
            collection.name()
        );
    }
    let mut charts = Vec::new();
    for section in sections {
        let chart = section.chart_name();
        let _ = write!(
            text,
            "\n{section}\n![{}]({chart})\n",
            section.experiment.title()
        );
        charts.push((chart, section.chart()));
    }
    let mut files = vec![("report.md".to_owned(), text)];
    files.push(("figures.csv".to_owned(), csv(sections)));
    files.extend(charts);
    Ok(files)
}

/// All figures of all sections: a line a trial and collection, `*` for all
/// collections together.
fn csv(sections: &[Section]) -> String {
    let mut out = "experiment,scored,series,x,collection,pages,empty,crashed".to_owned();
    for measure in ["two_gram", "word_lcs"] {
        for part in ["precision", "recall", "f1"] {
            let _ = write!(out, ",{measure}_{part}");
        }
        for q in PERCENTILES {
            let _ = write!(out, ",{measure}_f1_p{q}");
        }
    }
    out.push('\n');
    for section in sections {
        for o in &section.outcomes {
            let collections = o.collections.iter().map(|(name, s)| (name.as_str(), s));
            for (name, s) in [("*", &o.all)].into_iter().chain(collections) {
                let x = o.x.map(|x| x.to_string()).unwrap_or_default();
                let _ = write!(
                    out,
                    "{},{},{},{x},{},{},{},{}",
                    section.experiment,
                    section.pages(),
                    cell(&o.series),
                    cell(name),
                    s.pages,
                    s.empty,
                    s.crashed.len()
                );
                for d in [&s.two_gram, &s.word_lcs] {
                    let mean = [d.mean.precision, d.mean.recall, d.mean.f1];
                    for value in mean.into_iter().chain(d.f1_percentiles) {
                        let _ = write!(out, ",{}", six(value));
                    }
                }
                out.push('\n');
            }
        }
    }
    out
}

/// A name in CSV: quoted where it must be.
fn cell(name: &str) -> String {
    if name.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", name.replace('"', "\"\""))
    } else {
        name.to_owned()
    }
}
