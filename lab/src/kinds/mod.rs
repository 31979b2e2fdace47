//! `forest-lab train-kinds`: learns what a page is, and the main text of pages that are no
//! articles.
//!
//! A page is an article unless its gold names another `page_type`. Lists of real sites and the
//! written pages of `tests/data/no_article` teach what a list is; they have no text. Five folds
//! over publishers. The trees for blocks learn with the kinds that trees give which have not
//! seen the page, as they will see them.
//!
//! - `examples`: pages with their kind.
//! - `models`: the learners, and for each fold the models that have not seen its publishers.
//! - `report`: what such models get right.

mod examples;
mod models;
mod report;

use crate::collections::GoldArgs;
use crate::training::{self, Publishers};
use anyhow::Context;
use examples::KindExamples;
use models::KindFolds;
use std::fs;
use std::path::PathBuf;

/// Train the models of kinds of pages
#[derive(Debug, clap::Args)]
pub struct KindsArgs {
    #[command(flatten)]
    gold: GoldArgs,
    /// Lists of other pages: <site>/<snapshot>/<page>.html.gz.
    #[arg(long, value_name = "FOLDER")]
    lists: Option<PathBuf>,
    /// Pages <kind>-<language>-<number>.html.
    #[arg(long, value_name = "FOLDER", default_value = "tests/data/no_article")]
    written: PathBuf,
    /// Measure models that have not seen a page's publisher.
    #[arg(long)]
    folds: bool,
    /// Write the models there: kinds.txt and blocks.txt.
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: &KindsArgs) -> anyhow::Result<()> {
    let collections = args.gold.open()?;
    let pages = training::examples(&collections, &Publishers::of(&collections))?;
    let mut examples = KindExamples::of(pages)?;
    examples.add_written(&args.written)?;
    if let Some(folder) = &args.lists {
        examples.add_lists(folder)?;
    }
    let folds = KindFolds::train(&examples);
    if args.folds {
        report::print(&examples, &folds);
    }
    if let Some(folder) = &args.out {
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        let models = folds.all(&examples);
        fs::write(folder.join("kinds.txt"), models.kinds)?;
        fs::write(folder.join("blocks.txt"), models.blocks)?;
    }
    Ok(())
}
