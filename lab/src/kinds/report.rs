//! The figures of models of kinds on pages of publishers that they have not seen.

use super::examples::KindExamples;
use super::models::KindFolds;
use forest_core::kind::PageKind;
use forest_core::render;
use forest_eval::eval::Score;
use std::collections::BTreeMap;

/// Prints the confusion of kinds, how sure they are, and the F1 of the texts.
pub fn print(examples: &KindExamples, folds: &KindFolds) {
    confusion(examples, folds);
    calibration(examples, folds);
    articles(examples, folds);
    texts(examples, folds);
}

/// Pages of each kind with gold, by what the model calls them.
fn confusion(examples: &KindExamples, folds: &KindFolds) {
    let mut called: BTreeMap<PageKind, [usize; PageKind::COUNT]> = BTreeMap::new();
    let (mut right, mut others) = (0, 0);
    for (at, example) in examples.kinds.iter().enumerate() {
        if example.page.is_none() {
            continue;
        }
        let kind = folds.scores(at).kind();
        called.entry(example.kind).or_default()[kind as usize] += 1;
        if example.kind != PageKind::Article {
            others += 1;
            right += usize::from(kind == example.kind);
        }
    }
    println!("| a page that is | {} |", PageKind::NAMES.join(" | "));
    println!("| --- |{}", " ---: |".repeat(PageKind::COUNT));
    for (kind, counts) in called {
        let counts = counts.map(|count| count.to_string());
        println!("| {kind} | {} |", counts.join(" | "));
    }
    let share = right as f64 / others.max(1) as f64;
    println!(
        "\nOf {others} pages that are no articles {right} are called what they are: {share:.3}.\n"
    );
}

/// Edges of the bins of a calibration.
const BINS: [f32; 4] = [0.4, 0.6, 0.8, 1.01];

/// How often the likeliest kind is right, by its probability.
fn calibration(examples: &KindExamples, folds: &KindFolds) {
    println!("| probability of the kind below | pages | right |\n| ---: | ---: | ---: |");
    let mut low = 0.0;
    for high in BINS {
        let (mut pages, mut right) = (0_usize, 0_usize);
        for (at, example) in examples.kinds.iter().enumerate() {
            let scores = folds.scores(at);
            let of_kind = scores.of(scores.kind());
            if example.page.is_some() && (low..high).contains(&of_kind) {
                pages += 1;
                right += usize::from(scores.kind() == example.kind);
            }
        }
        let share = right as f64 / pages.max(1) as f64;
        println!("| {:.2} | {pages} | {share:.2} |", high.min(1.0));
        low = high;
    }
    println!();
}

/// The share of each group that is read as articles.
fn articles(examples: &KindExamples, folds: &KindFolds) {
    let mut groups: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
    for (at, example) in examples.kinds.iter().enumerate() {
        let group = groups.entry(&example.group).or_default();
        group[0] += 1;
        group[1] += usize::from(folds.scores(at).is_article());
        group[2] += usize::from(folds.nameless(at).is_article());
    }
    println!("| pages of | pages | read as articles | without their addresses |");
    println!("| --- | ---: | ---: | ---: |");
    for (group, [pages, read, nameless]) in groups {
        println!("| {group} | {pages} | {read} | {nameless} |");
    }
    println!();
}

/// The mean F1 of the words of the texts, by kind.
fn texts(examples: &KindExamples, folds: &KindFolds) {
    let mut scores: BTreeMap<PageKind, Vec<f64>> = BTreeMap::new();
    for example in &examples.kinds {
        let Some(page) = example.page.map(|at| &examples.pages[at]) else {
            continue;
        };
        if example.kind != PageKind::Article {
            let scored = folds.unseen(page);
            let text = render::text(&page.page, &scored.article().kept);
            let f1 = Score::of_words(&text, &page.gold.text).f1;
            scores.entry(example.kind).or_default().push(f1);
        }
    }
    println!("| kind | pages | word F1 |\n| --- | ---: | ---: |");
    let mut means = Vec::new();
    for (kind, of_kind) in scores {
        let mean = of_kind.iter().sum::<f64>() / of_kind.len() as f64;
        println!("| {kind} | {} | {mean:.3} |", of_kind.len());
        means.push(mean);
    }
    let mean = means.iter().sum::<f64>() / means.len().max(1) as f64;
    println!("\nMean over kinds: {mean:.3}.");
}
