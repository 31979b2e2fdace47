//! What out-of-fold confidence is worth, as Markdown.

use crate::logistic::{fit, predict};
use crate::others::OTHERS;
use crate::rows::{Case, Row};
use crate::training::FOLDS;
use forest::eval::plot::BarChart;
use forest::extract::confidence::{DOUBTFUL, TEXT_FEATURES, TextSource};
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

/// A text with the confidence of a model that has not seen its brand.
struct Told<'a> {
    row: &'a Row,
    confidence: f64,
}

/// Out of fold, with the model of each row's finder. A fold without a model (a finder
/// of one fold only) is left out.
fn told<'a>(rows: &'a [Row], signs: &dyn Fn(&Row) -> Vec<f64>) -> Vec<Told<'a>> {
    let mut out = Vec::new();
    for finder in TextSource::ALL {
        // The fall-back is fitted to all pages taken alone, the others to their own.
        let teaches = |row: &&Row| {
            row.finder == finder && (finder != TextSource::Page || row.case == Case::Single)
        };
        for fold in 0..FOLDS {
            let seen = rows.iter().filter(teaches).filter(|row| row.fold != fold);
            let seen: Vec<(Vec<f64>, bool)> =
                seen.map(|row| (signs(row), row.is_right())).collect();
            if seen.is_empty() {
                continue;
            }
            let seen: Vec<(&[f64], bool)> = seen.iter().map(|(x, y)| (&**x, *y)).collect();
            let weights = fit(&seen, DECAY);
            let unseen = rows
                .iter()
                .filter(|row| row.finder == finder && row.fold == fold);
            out.extend(unseen.map(|row| Told {
                row,
                confidence: predict(&weights, &signs(row)),
            }));
        }
    }
    out
}

/// The whole report, and the chart of what `forest` learns.
pub fn report(rows: &[Row]) -> (String, String) {
    let told = told(rows, &|row| row.signs.clone());
    let of = |cases: &[Case]| -> Vec<&Told<'_>> {
        told.iter()
            .filter(|t| cases.contains(&t.row.case))
            .collect()
    };
    let forest = of(&[Case::Learned, Case::Unseen]);
    let mut out = String::from("## Sure pages\n\n");
    out += "| what is applied | pages | mean F1 | right | sure | of these right | Brier | AUC |\n";
    out += "| --- | --- | --- | --- | --- | --- | --- | --- |\n";
    for (name, told) in [
        ("`forest`, learned and unseen", &forest),
        ("`forest`, learned", &of(&[Case::Learned])),
        ("`forest`, unseen", &of(&[Case::Unseen])),
        ("`paper-nodfs`, learned", &of(&[Case::Paper])),
        ("`onepage`, no wrapper", &of(&[Case::Single])),
    ] {
        out += &line(name, told);
    }
    let collections: BTreeSet<&str> = rows.iter().map(|row| &*row.collection).collect();
    for (name, told) in [("`forest`", &forest), ("`onepage`", &of(&[Case::Single]))] {
        out += &format!("\n## By collection, {name}\n\n");
        out += "| collection | pages | mean F1 | right | sure | of these right | Brier | AUC |\n";
        out += "| --- | --- | --- | --- | --- | --- | --- | --- |\n";
        for collection in &collections {
            let of = told.iter().filter(|t| t.row.collection == *collection);
            let of: Vec<&Told<'_>> = of.copied().collect();
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
    for (name, told) in [
        ("`forest`, learned and unseen", &forest),
        ("`paper-nodfs`", &of(&[Case::Paper])),
        ("`onepage`", &of(&[Case::Single])),
    ] {
        out += &format!("\n{name}:\n\n| confidence | pages | mean | right | mean F1 |\n");
        out += "| --- | --- | --- | --- | --- |\n";
        for bin in 0..10 {
            let is_in = |t: &&&Told<'_>| (t.confidence * 10.0).floor().min(9.0) as usize == bin;
            let of: Vec<&Told<'_>> = told.iter().filter(is_in).copied().collect();
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
    for (name, told) in [("`forest`", &forest), ("`onepage`", &of(&[Case::Single]))] {
        let (from, share) = enough(told);
        out += &format!(
            "- {name}: from a confidence of {from:.3} on, {share:.3} of the pages; of the {MOST} \
             with most confidence {:.3} are right\n",
            right_of_most(told)
        );
    }
    let degraded: Vec<&Told<'_>> = forest
        .iter()
        .filter(|t| t.row.finder != TextSource::Page && t.confidence < DOUBTFUL)
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
    out += &fields(rows);
    (out, chart.svg())
}

/// What each sign does, and what others would.
fn effects(rows: &[Row]) -> String {
    let rows: Vec<Row> = rows
        .iter()
        .filter(|row| row.finder == TextSource::Forest)
        .map(Row::clone)
        .collect();
    let score = |signs: &dyn Fn(&Row) -> Vec<f64>| {
        let told = told(&rows, signs);
        let told: Vec<&Told<'_>> = told.iter().collect();
        [brier(&told), auc(&told), sure(&told)[0], sure(&told)[1]]
    };
    let whole = score(&|row| row.signs.clone());
    let mut out = String::from(
        "\n## TextFeatures left out and added, texts that `forest`'s wrappers find\n\n",
    );
    out += "| signs | Brier | AUC | sure | of these right |\n| --- | --- | --- | --- | --- |\n";
    let mut tell = |name: String, [brier, auc, sure, right]: [f64; 4]| {
        out += &format!("| {name} | {brier:.4} | {auc:.3} | {sure:.3} | {right:.3} |\n");
    };
    tell("all four".to_owned(), whole);
    for (i, sign) in TEXT_FEATURES.iter().enumerate() {
        let without = score(&|row| {
            let others = row.signs.iter().enumerate().filter(|(at, _)| *at != i);
            others.map(|(_, x)| *x).collect()
        });
        tell(format!("without `{sign}`"), without);
    }
    for (i, other) in OTHERS.iter().enumerate() {
        let with = score(&|row| [&*row.signs, &*row.others[i]].concat());
        tell(format!("and {other}"), with);
    }
    out
}

/// The fields' reliability, out of fold.
fn fields(rows: &[Row]) -> String {
    let mut out = String::from("\n## Fields\n\n");
    out += "| field | pages | right | sure | of these right | Brier | Brier of the mean |\n";
    out += "| --- | --- | --- | --- | --- | --- | --- |\n";
    for (at, name) in ["title", "authors", "date_published"].iter().enumerate() {
        let mut told: Vec<(f64, bool)> = Vec::new();
        for fold in 0..FOLDS {
            let weights = field_weights(rows, at, |row| row.fold != fold);
            let unseen = rows
                .iter()
                .filter(|row| row.fold == fold && teaches_fields(row));
            told.extend(unseen.filter_map(|row| {
                let (signs, right) = row.fields[at]?;
                Some((predict(&weights, &signs.numbers()), right))
            }));
        }
        let n = told.len().max(1) as f64;
        let right = |told: &[(f64, bool)]| {
            told.iter().filter(|(_, right)| *right).count() as f64 / told.len().max(1) as f64
        };
        let sure: Vec<(f64, bool)> = told.iter().copied().filter(|(p, _)| *p >= SURE).collect();
        let error = |p: f64, right: bool| (p - f64::from(u8::from(right))).powi(2);
        let all = right(&told);
        out += &format!(
            "| `{name}` | {} | {all:.3} | {:.3} | {:.3} | {:.4} | {:.4} |\n",
            told.len(),
            sure.len() as f64 / n,
            right(&sure),
            told.iter().map(|(p, right)| error(*p, *right)).sum::<f64>() / n,
            told.iter()
                .map(|(_, right)| error(all, *right))
                .sum::<f64>()
                / n,
        );
    }
    out
}

/// Fields are fitted to pages that the wrapper has not seen and to those without a
/// wrapper.
fn teaches_fields(row: &Row) -> bool {
    matches!(row.case, Case::Unseen | Case::Single)
}

/// The weights of a field, from some rows.
pub fn field_weights(rows: &[Row], at: usize, is_seen: impl Fn(&Row) -> bool) -> Vec<f64> {
    let seen = rows
        .iter()
        .filter(|row| teaches_fields(row) && is_seen(row));
    let seen = seen.filter_map(|row| row.fields[at]);
    let seen: Vec<_> = seen
        .map(|(signs, right)| (signs.numbers(), right))
        .collect();
    let seen: Vec<(&[f64], bool)> = seen.iter().map(|(x, right)| (&x[..], *right)).collect();
    fit(&seen, FIELD_DECAY)
}

/// The weights of a finder's texts, from all rows.
pub fn text_weights(rows: &[Row], finder: TextSource) -> Vec<f64> {
    let of = rows.iter().filter(|row| {
        row.finder == finder && (finder != TextSource::Page || row.case == Case::Single)
    });
    let of: Vec<(&[f64], bool)> = of.map(|row| (&*row.signs, row.is_right())).collect();
    fit(&of, DECAY)
}

fn line(name: &str, told: &[&Told<'_>]) -> String {
    let [sure, right] = sure(told);
    format!(
        "| {name} | {} | {:.3} | {:.3} | {sure:.3} | {right:.3} | {:.4} | {:.3} |\n",
        told.len(),
        mean(told, |t| t.row.f1),
        mean(told, is_right),
        brier(told),
        auc(told)
    )
}

fn mean(told: &[&Told<'_>], of: impl Fn(&Told<'_>) -> f64) -> f64 {
    told.iter().map(|t| of(t)).sum::<f64>() / told.len().max(1) as f64
}

fn is_right(told: &Told<'_>) -> f64 {
    f64::from(u8::from(told.row.is_right()))
}

/// The share of sure texts, and of these of right ones.
fn sure(told: &[&Told<'_>]) -> [f64; 2] {
    let sure: Vec<&Told<'_>> = told
        .iter()
        .filter(|t| t.confidence >= SURE)
        .copied()
        .collect();
    [
        sure.len() as f64 / told.len().max(1) as f64,
        mean(&sure, is_right),
    ]
}

fn brier(told: &[&Told<'_>]) -> f64 {
    mean(told, |t| (t.confidence - is_right(t)).powi(2))
}

/// How likely a right text has more confidence than a wrong one.
fn auc(told: &[&Told<'_>]) -> f64 {
    let (mut better, mut pairs) = (0.0, 0.0);
    let (right, wrong): (Vec<&&Told<'_>>, Vec<_>) = told.iter().partition(|t| t.row.is_right());
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
fn right_of_most(told: &[&Told<'_>]) -> f64 {
    let mut sorted = told.to_vec();
    sorted.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
    sorted.truncate((MOST * told.len() as f64) as usize);
    mean(&sorted, is_right)
}

/// The least confidence from which on the target share is right, and the share of the
/// texts that have it.
fn enough(told: &[&Told<'_>]) -> (f64, f64) {
    let mut sorted = told.to_vec();
    sorted.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
    let (mut right, mut best) = (0.0, (1.0, 0.0));
    for (i, told) in sorted.iter().enumerate() {
        right += is_right(told);
        let n = (i + 1) as f64;
        if right / n >= TARGET {
            best = (told.confidence, n / sorted.len() as f64);
        }
    }
    best
}
