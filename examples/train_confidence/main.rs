//! Fits `extract::confidence` to pages with gold, and says what it is worth.
//!
//! ```text
//! cargo run --release --example train_confidence -- [--write] GOLD...
//! ```
//!
//! Learns each site's wrapper with trees of `onepage` that have not seen its brand (five
//! folds), from all pages and from the first five, and fits how likely a text or a field
//! is right. The report on stdout is of models that have not seen the brand either.
//! `--write` writes the model that is fitted to all pages, and the report and the curve
//! into `docs/confidence.md`, below its mark, and `docs/confidence.svg`.

mod logistic;
mod others;
mod report;
mod rows;
#[path = "../training/mod.rs"]
mod training;

use forest::extract::confidence::{ConfidenceModel, TextSource};
use report::{field_weights, report, text_weights};
use std::fs;
use std::path::Path;

/// Where things are written, in the project.
const MODEL: &str = "src/extract/confidence/model.txt";
const CHART: &str = "docs/confidence.svg";
const DOCS: &str = "docs/confidence.md";

/// The line of the docs below which the report stands.
const MARK: &str = "<!-- written by examples/train_confidence -->\n";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (flags, paths): (Vec<String>, Vec<String>) = std::env::args()
        .skip(1)
        .partition(|arg| arg.starts_with("--"));
    let examples = training::examples(&paths)?;
    let trees = training::read_trees(&training::fold_trees(&examples));
    let rows = rows::rows(&examples, &paths, &trees)?;
    let (text, svg) = report(&rows);
    print!("{text}");
    if flags.iter().any(|flag| flag == "--write") {
        let of = |finder| weights(&text_weights(&rows, finder));
        let of_field = |at| weights(&field_weights(&rows, at, |_| true));
        let model = ConfidenceModel {
            texts: TextSource::ALL.map(of),
            fields: [0, 1, 2].map(of_field),
        };
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        fs::write(root.join(MODEL), model.file())?;
        fs::write(root.join(CHART), svg)?;
        let docs = fs::read_to_string(root.join(DOCS))?;
        let (head, _) = docs.split_once(MARK).ok_or("no mark in the docs")?;
        fs::write(root.join(DOCS), format!("{head}{MARK}\n{text}"))?;
    }
    Ok(())
}

/// As many weights as a model has.
fn weights<const N: usize>(fitted: &[f64]) -> [f64; N] {
    fitted
        .try_into()
        .expect("a constant and a weight for each sign")
}
