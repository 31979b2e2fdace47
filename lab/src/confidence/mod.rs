//! `forest-lab train-confidence`: fits the confidence of texts and fields.
//!
//! Learns each site's wrapper with trees of `onepage` that have not seen its publisher
//! (five folds), from all pages and from the first five, and fits the probability that a
//! text or a field is right. The report is of models that have not seen the publisher
//! either.
//!
//! - `rows`: texts with their features, and which of them are right.
//! - `others`: features that were tried and are not used.
//! - `report`: the figures, as Markdown.

mod others;
mod report;
mod rows;

use crate::collections::GoldArgs;
use crate::model_file::ModelFile;
use crate::training::{FoldTrees, Publishers, examples};
use forest_core::extract::confidence::{
    FIELD_FEATURES, FIELDS, SAMPLE, SAMPLE_FEATURES, TEXT_FEATURES, TextSource,
};
use report::{field_weights, report, sample_weights, text_weights};
use std::fs;
use std::path::Path;

/// The files that are written, in the project.
const MODEL: &str = "crates/core/src/extract/confidence/model.txt";
const CHART: &str = "docs/confidence.svg";

/// Fit the confidence of texts and fields to pages with gold, and report its worth
///
/// The report on stdout is of models that have not seen a page's publisher.
#[derive(Debug, clap::Args)]
pub struct ConfidenceArgs {
    #[command(flatten)]
    gold: GoldArgs,
    /// Write the model that is fitted to all pages, and the chart of the report.
    #[arg(long)]
    write: bool,
}

/// Runs the command.
pub fn run(args: &ConfidenceArgs) -> anyhow::Result<()> {
    let collections = args.gold.open()?;
    let publishers = Publishers::of(&collections);
    let examples = examples(&collections, &publishers)?;
    let trees = FoldTrees::of(&examples, publishers);
    let rows = rows::rows(&examples, &collections, &trees)?;
    let (text, svg) = report(&rows);
    print!("{text}");
    if args.write {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut file = ModelFile::new(examples.iter().map(|e| e.digest), false);
        file.features(&TEXT_FEATURES);
        for source in TextSource::ALL {
            file.linear(source.name(), &text_weights(&rows, source));
        }
        file.features(&SAMPLE_FEATURES);
        file.linear(SAMPLE, &sample_weights(&rows));
        file.features(&FIELD_FEATURES);
        for (at, field) in FIELDS.iter().enumerate() {
            file.linear(field, &field_weights(&rows, at, |_| true));
        }
        fs::write(root.join(MODEL), file.finish())?;
        fs::write(root.join(CHART), svg)?;
    }
    Ok(())
}
