//! The worth of out-of-fold confidence, as Markdown.

use super::others::OTHERS;
use super::rows::{ConfidenceRow, Protocol};
use crate::logistic::{fit, predict};
use crate::plot::BarChart;
use crate::training::FOLDS;
use forest_core::extract::confidence::{
    DOUBTFUL, ENOUGH, SAMPLE_FEATURES, TEXT_FEATURES, TextSource,
};
use std::collections::BTreeSet;

/// Confidence from which a text is to be trusted.
const SURE: f64 = 0.9;

/// The share of all texts that is to be sure.
const MOST: f64 = 0.8;

/// Decay of the weights of texts: from 0.1 to 10 the Brier score moves by less than 0.0003.
const DECAY: f64 = 1.0;

/// And of fields, of which few are wrong, and on few sites: with less the Brier scores
/// are worse than those of the mean.
const FIELD_DECAY: f64 = 100.0;

/// The share of sure texts that is to be right.
const TARGET: f64 = 0.98;

/// A text with the confidence of a model that has not seen its publisher.
#[derive(Clone)]
struct JudgedText<'a> {
    row: &'a ConfidenceRow,
    confidence: f64,
}

/// Out of fold, with the model of each row's source. A fold without a model (a source
/// of one fold only) is left out.
fn judged<'a>(
    rows: &'a [ConfidenceRow],
    features: &dyn Fn(&ConfidenceRow) -> Vec<f64>,
) -> Vec<JudgedText<'a>> {
    let mut out = Vec::new();
    for source in TextSource::ALL {
        // The fall-back is fitted to all pages taken alone, the others to their own.
        let teaches = |row: &&ConfidenceRow| {
            row.source == source && (source != TextSource::Page || row.protocol == Protocol::Single)
        };
        for fold in 0..FOLDS {
            let seen = rows.iter().filter(teaches).filter(|row| row.fold != fold);
            let seen: Vec<(Vec<f64>, bool)> =
                seen.map(|row| (features(row), row.is_right())).collect();
            if seen.is_empty() {
                continue;
            }
            let seen: Vec<(&[f64], bool)> = seen.iter().map(|(x, y)| (&**x, *y)).collect();
            let weights = fit(&seen, DECAY);
            let unseen = rows
                .iter()
                .filter(|row| row.source == source && row.fold == fold);
            out.extend(unseen.map(|row| JudgedText {
                row,
                confidence: predict(&weights, &features(row)),
            }));
        }
    }
    out
}

/// The whole report, and the chart of what `forest` learns.
pub fn report(rows: &[ConfidenceRow]) -> (String, String) {
    let judged = judged(rows, &|row| row.features.clone());
    let of = |protocols: &[Protocol]| -> Vec<&JudgedText<'_>> {
        judged
            .iter()
            .filter(|t| protocols.contains(&t.row.protocol))
            .collect()
    };
    let forest = of(&[Protocol::Learned, Protocol::Unseen]);
    let mut out = String::from("## Sure pages\n\n");
    out += "| what is applied | pages | mean F1 | right | sure | of these right | Brier | AUC |\n";
    out += "| --- | --- | --- | --- | --- | --- | --- | --- |\n";
    for (name, judged) in [
        ("`forest`, learned and unseen", &forest),
        ("`forest`, learned", &of(&[Protocol::Learned])),
        ("`forest`, unseen", &of(&[Protocol::Unseen])),
        ("`paper-nodfs`, learned", &of(&[Protocol::Paper])),
        ("`onepage`, no wrapper", &of(&[Protocol::Single])),
    ] {
        out += &line(name, judged);
    }
    let collections: BTreeSet<&str> = rows.iter().map(|row| &*row.collection).collect();
    for (name, judged) in [
        ("`forest`", &forest),
        ("`onepage`", &of(&[Protocol::Single])),
    ] {
        out += &format!("\n## By collection, {name}\n\n");
        out += "| collection | pages | mean F1 | right | sure | of these right | Brier | AUC |\n";
        out += "| --- | --- | --- | --- | --- | --- | --- | --- |\n";
        for collection in &collections {
            let of = judged.iter().filter(|t| t.row.collection == *collection);
            let of: Vec<&JudgedText<'_>> = of.copied().collect();
            if !of.is_empty() {
                out += &line(collection, &of);
            }
        }
    }
    out += "\n## Reliability\n\n![Mean confidence and share of right texts](confidence.svg)\n";
    let mut chart = BarChart {
        title: "Confidence and share of right texts, forest, out of fold".to_owned(),
        bars: vec!["mean confidence".to_owned(), "share right".to_owned()],
        groups: Vec::new(),
    };
    for (name, judged) in [
        ("`forest`, learned and unseen", &forest),
        ("`paper-nodfs`", &of(&[Protocol::Paper])),
        ("`onepage`", &of(&[Protocol::Single])),
    ] {
        out += &format!("\n{name}:\n\n| confidence | pages | mean | right | mean F1 |\n");
        out += "| --- | --- | --- | --- | --- |\n";
        for bin in 0..10 {
            let is_in =
                |t: &&&JudgedText<'_>| (t.confidence * 10.0).floor().min(9.0) as usize == bin;
            let of: Vec<&JudgedText<'_>> = judged.iter().filter(is_in).copied().collect();
            let name_of = format!("{:.1}", bin as f64 / 10.0);
            let (mean, right) = (mean(&of, |t| t.confidence), mean(&of, is_right));
            if name.starts_with("`forest`") {
                chart.groups.push((name_of.clone(), vec![mean, right]));
            }
            let f1 = self::mean(&of, |t| t.row.f1);
            out += &format!(
                "| {name_of} | {} | {mean:.3} | {right:.3} | {f1:.3} |\n",
                of.len()
            );
        }
    }
    out += &format!("\n## {TARGET:.2} of them right\n\n");
    for (name, judged) in [
        ("`forest`", &forest),
        ("`onepage`", &of(&[Protocol::Single])),
    ] {
        let (from, share) = enough(judged);
        out += &format!(
            "- {name}: from a confidence of {from:.3} on, {share:.3} of the pages; of the {MOST} \
             with most confidence {:.3} are right\n",
            right_of_most(judged)
        );
    }
    let degraded: Vec<&JudgedText<'_>> = forest
        .iter()
        .filter(|t| t.row.source != TextSource::Page && t.confidence < DOUBTFUL)
        .copied()
        .collect();
    out += &format!(
        "\n`degraded`: {} of {} pages, of these right {:.3}, mean F1 {:.3}\n",
        degraded.len(),
        forest.len(),
        mean(&degraded, is_right),
        mean(&degraded, |t| t.row.f1)
    );
    out += &effects(rows);
    out += &samples(rows);
    out += &fields(rows);
    (out, chart.svg())
}

/// The effect of each feature, and of others.
fn effects(rows: &[ConfidenceRow]) -> String {
    let rows: Vec<ConfidenceRow> = rows
        .iter()
        .filter(|row| row.source == TextSource::Forest)
        .map(ConfidenceRow::clone)
        .collect();
    let score = |features: &dyn Fn(&ConfidenceRow) -> Vec<f64>| {
        let judged = judged(&rows, features);
        let judged: Vec<&JudgedText<'_>> = judged.iter().collect();
        [
            brier(&judged),
            auc(&judged),
            sure(&judged)[0],
            sure(&judged)[1],
        ]
    };
    let whole = score(&|row| row.features.clone());
    let mut out =
        String::from("\n## Features left out and added, texts that `forest`'s wrappers find\n\n");
    out += "| features | Brier | AUC | sure | of these right |\n| --- | --- | --- | --- | --- |\n";
    let mut add = |name: String, [brier, auc, sure, right]: [f64; 4]| {
        out += &format!("| {name} | {brier:.4} | {auc:.3} | {sure:.3} | {right:.3} |\n");
    };
    add("all four".to_owned(), whole);
    for (i, sign) in TEXT_FEATURES.iter().enumerate() {
        let without = score(&|row| {
            let others = row.features.iter().enumerate().filter(|(at, _)| *at != i);
            others.map(|(_, x)| *x).collect()
        });
        add(format!("without `{sign}`"), without);
    }
    for (i, other) in OTHERS.iter().enumerate() {
        let with = score(&|row| [&*row.features, &*row.others[i]].concat());
        add(format!("and {other}"), with);
    }
    out
}

/// The confidence of texts by their wrapper's sample, beside that by the block scores.
fn samples(rows: &[ConfidenceRow]) -> String {
    let known: Vec<ConfidenceRow> = rows
        .iter()
        .filter(|row| row.sample.is_some())
        .cloned()
        .collect();
    let numbers = |row: &ConfidenceRow| -> Vec<f64> {
        let features = row.sample.as_ref().expect("known");
        features.numbers().to_vec()
    };
    let mut out = String::from("\n## By the sample\n\n");
    out += "| what is asked | pages | mean F1 | right | sure | of these right | Brier | AUC |\n";
    out += "| --- | --- | --- | --- | --- | --- | --- | --- |\n";
    let mut add = |name: &str, judged: Vec<JudgedText<'_>>| {
        let judged: Vec<&JudgedText<'_>> = judged.iter().collect();
        out += &line(name, &judged);
    };
    let by_sample = judged(&known, &numbers);
    let by_scores = judged(&known, &|row| row.features.clone());
    let in_turn = by_sample.iter().zip(&by_scores).map(|(sample, scores)| {
        let asked = if sample.confidence >= ENOUGH {
            sample
        } else {
            scores
        };
        asked.clone()
    });
    add(
        "the block scores only if the sample is not enough",
        in_turn.collect(),
    );
    add("the block scores", by_scores);
    add("the sample", by_sample);
    add("the mean of all", judged(&known, &|_| Vec::new()));
    for (at, feature) in SAMPLE_FEATURES.iter().enumerate() {
        let others = |row: &ConfidenceRow| {
            let mut others = numbers(row);
            others.remove(at);
            others
        };
        add(
            &format!("the sample, without `{feature}`"),
            judged(&known, &others),
        );
    }
    let judged = judged(&known, &numbers);
    out += "\n| confidence | pages | mean | right | mean F1 |\n| --- | --- | --- | --- | --- |\n";
    for bin in 0..10 {
        let is_in = |t: &&JudgedText<'_>| (t.confidence * 10.0).floor().min(9.0) as usize == bin;
        let of: Vec<&JudgedText<'_>> = judged.iter().filter(is_in).collect();
        out += &format!(
            "| {:.1} | {} | {:.3} | {:.3} | {:.3} |\n",
            bin as f64 / 10.0,
            of.len(),
            mean(&of, |t| t.confidence),
            mean(&of, is_right),
            mean(&of, |t| t.row.f1)
        );
    }
    out
}

/// The weights of texts by their wrapper's sample, from all rows.
pub fn sample_weights(rows: &[ConfidenceRow]) -> Vec<f64> {
    let seen: Vec<([f64; SAMPLE_FEATURES.len()], bool)> = rows
        .iter()
        .filter_map(|row| Some((row.sample.as_ref()?.numbers(), row.is_right())))
        .collect();
    let seen: Vec<(&[f64], bool)> = seen.iter().map(|(x, right)| (&x[..], *right)).collect();
    fit(&seen, DECAY)
}

/// The fields' reliability, out of fold.
fn fields(rows: &[ConfidenceRow]) -> String {
    let mut out = String::from("\n## Fields\n\n");
    out += "| field | pages | right | sure | of these right | Brier | Brier of the mean |\n";
    out += "| --- | --- | --- | --- | --- | --- | --- |\n";
    for (at, name) in ["title", "authors", "date_published"].iter().enumerate() {
        let mut judged: Vec<(f64, bool)> = Vec::new();
        for fold in 0..FOLDS {
            let weights = field_weights(rows, at, |row| row.fold != fold);
            let unseen = rows
                .iter()
                .filter(|row| row.fold == fold && teaches_fields(row));
            judged.extend(unseen.filter_map(|row| {
                let (features, right) = row.fields[at]?;
                Some((predict(&weights, &features.numbers()), right))
            }));
        }
        let n = judged.len().max(1) as f64;
        let right = |judged: &[(f64, bool)]| {
            judged.iter().filter(|(_, right)| *right).count() as f64 / judged.len().max(1) as f64
        };
        let sure: Vec<(f64, bool)> = judged.iter().copied().filter(|(p, _)| *p >= SURE).collect();
        let error = |p: f64, right: bool| (p - f64::from(u8::from(right))).powi(2);
        let all = right(&judged);
        out += &format!(
            "| `{name}` | {} | {all:.3} | {:.3} | {:.3} | {:.4} | {:.4} |\n",
            judged.len(),
            sure.len() as f64 / n,
            right(&sure),
            judged
                .iter()
                .map(|(p, right)| error(*p, *right))
                .sum::<f64>()
                / n,
            judged
                .iter()
                .map(|(_, right)| error(all, *right))
                .sum::<f64>()
                / n,
        );
    }
    out
}

/// Fields are fitted to pages that the wrapper has not seen and to those without a
/// wrapper.
fn teaches_fields(row: &ConfidenceRow) -> bool {
    matches!(row.protocol, Protocol::Unseen | Protocol::Single)
}

/// The weights of a field, from some rows.
pub fn field_weights(
    rows: &[ConfidenceRow],
    at: usize,
    is_seen: impl Fn(&ConfidenceRow) -> bool,
) -> Vec<f64> {
    let seen = rows
        .iter()
        .filter(|row| teaches_fields(row) && is_seen(row));
    let seen = seen.filter_map(|row| row.fields[at]);
    let seen: Vec<_> = seen
        .map(|(features, right)| (features.numbers(), right))
        .collect();
    let seen: Vec<(&[f64], bool)> = seen.iter().map(|(x, right)| (&x[..], *right)).collect();
    fit(&seen, FIELD_DECAY)
}

/// The weights of a source's texts, from all rows.
pub fn text_weights(rows: &[ConfidenceRow], source: TextSource) -> Vec<f64> {
    let of = rows.iter().filter(|row| {
        row.source == source && (source != TextSource::Page || row.protocol == Protocol::Single)
    });
    let of: Vec<(&[f64], bool)> = of.map(|row| (&*row.features, row.is_right())).collect();
    fit(&of, DECAY)
}

fn line(name: &str, judged: &[&JudgedText<'_>]) -> String {
    let [sure, right] = sure(judged);
    format!(
        "| {name} | {} | {:.3} | {:.3} | {sure:.3} | {right:.3} | {:.4} | {:.3} |\n",
        judged.len(),
        mean(judged, |t| t.row.f1),
        mean(judged, is_right),
        brier(judged),
        auc(judged)
    )
}

fn mean(judged: &[&JudgedText<'_>], of: impl Fn(&JudgedText<'_>) -> f64) -> f64 {
    judged.iter().map(|t| of(t)).sum::<f64>() / judged.len().max(1) as f64
}

fn is_right(judged: &JudgedText<'_>) -> f64 {
    f64::from(u8::from(judged.row.is_right()))
}

/// The share of sure texts, and of these of right ones.
fn sure(judged: &[&JudgedText<'_>]) -> [f64; 2] {
    let sure: Vec<&JudgedText<'_>> = judged
        .iter()
        .filter(|t| t.confidence >= SURE)
        .copied()
        .collect();
    [
        sure.len() as f64 / judged.len().max(1) as f64,
        mean(&sure, is_right),
    ]
}

fn brier(judged: &[&JudgedText<'_>]) -> f64 {
    mean(judged, |t| (t.confidence - is_right(t)).powi(2))
}

/// The probability that a right text has more confidence than a wrong one.
fn auc(judged: &[&JudgedText<'_>]) -> f64 {
    let (mut better, mut pairs) = (0.0, 0.0);
    let (right, wrong): (Vec<&&JudgedText<'_>>, Vec<_>) =
        judged.iter().partition(|t| t.row.is_right());
    for right in &right {
        for wrong in &wrong {
            pairs += 1.0;
            better += match right.confidence.total_cmp(&wrong.confidence) {
                std::cmp::Ordering::Greater => 1.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Less => 0.0,
            };
        }
    }
    if pairs > 0.0 {
        better / pairs
    } else {
        f64::NAN
    }
}

/// The share of right ones among those with most confidence.
fn right_of_most(judged: &[&JudgedText<'_>]) -> f64 {
    let mut sorted = judged.to_vec();
    sorted.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
    sorted.truncate((MOST * judged.len() as f64) as usize);
    mean(&sorted, is_right)
}

/// The least confidence from which on the target share is right, and the share of the
/// texts that have it.
fn enough(judged: &[&JudgedText<'_>]) -> (f64, f64) {
    let mut sorted = judged.to_vec();
    sorted.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
    let (mut right, mut best) = (0.0, (1.0, 0.0));
    for (i, judged) in sorted.iter().enumerate() {
        right += is_right(judged);
        let n = (i + 1) as f64;
        if right / n >= TARGET {
            best = (judged.confidence, n / sorted.len() as f64);
        }
    }
    best
}
