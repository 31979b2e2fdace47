//! Fits `extract::confidence` to pages with gold, and says what it is worth.
//!
//! ```text
//! cargo run --release --example train_confidence -- [--model FILE] [--chart FILE] GOLD...
//! ```
//!
//! Learns each site's wrapper with trees of `onepage` that have not seen its brand (five
//! folds), from all pages and from the first five, and fits how likely a text or a field
//! is right. The report on stdout is of models that have not seen the brand either;
//! `--model` writes the one that is fitted to all pages, `--chart` the curve as SVG.

mod logistic;
mod others;
mod report;
mod rows;
#[path = "../training/mod.rs"]
mod training;

use forest::extract::confidence::{Finder, Model};
use report::{field_weights, report, text_weights};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut model, mut chart, mut paths) = (None, None, Vec::new());
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match &*arg {
            "--model" => model = args.next(),
            "--chart" => chart = args.next(),
            _ => paths.push(arg),
        }
    }
    let examples = training::examples(&paths)?;
    let trees = training::read_trees(&training::fold_trees(&examples));
    let rows = rows::rows(&examples, &paths, &trees)?;
    let (text, svg) = report(&rows);
    print!("{text}");
    if let Some(path) = model {
        let of = |finder| weights(&text_weights(&rows, finder));
        let of_field = |at| weights(&field_weights(&rows, at, |_| true));
        let model = Model {
            texts: Finder::ALL.map(of),
            fields: [0, 1, 2].map(of_field),
        };
        std::fs::write(path, model.file())?;
    }
    if let Some(path) = chart {
        std::fs::write(path, svg)?;
    }
    Ok(())
}

/// As many weights as a model has.
fn weights<const N: usize>(fitted: &[f64]) -> [f64; N] {
    fitted
        .try_into()
        .expect("a constant and a weight for each sign")
}
