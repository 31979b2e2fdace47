//! `forest-lab train-onepage`: learns the trees of `onepage` from pages with gold.
//!
//! A block's label is the share of its words that stand in the gold in runs of
//! three; a block that some acceptable text has and the article's does not (a
//! headline) has a tenth of the weight. A block weighs as much as its share of
//! the article's words, a page as much as the root of its publisher's pages allows.
//! Of blocks with fewer than five words, which are most, three of ten are used, with
//! the weight of ten.

use super::blocks::Example;
use super::booster::{file, train};
use super::folds::{FoldTrees, examples};
use super::publisher::{FOLDS, Publishers};
use crate::collections::GoldArgs;
use forest_core::learn::{Method, SignifierSource};
use forest_core::onepage;
use forest_core::render;
use forest_eval::eval::{EvalSite, GoldTexts, PageScore, Setup, Summary};
use forest_sources::gold::Collection;
use forust_ml::Matrix;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Train the trees of `onepage` on pages with gold
///
/// Without an option the trees go to stdout. With one of the options trees that have not
/// seen a page's publisher (five folds) are measured.
#[derive(Debug, clap::Args)]
#[group(multiple = true)]
pub struct OnepageArgs {
    #[command(flatten)]
    gold: GoldArgs,
    /// Measure the trees.
    #[arg(long, conflicts_with_all = ["forest", "unseen"])]
    folds: bool,
    /// Measure the wrappers that `forest` learns with such trees from all pages of a
    /// site, on these pages.
    #[arg(long, conflicts_with = "unseen")]
    forest: bool,
    /// The same, learned from the first five pages of a site, on the others.
    #[arg(long)]
    unseen: bool,
    /// With --forest and --unseen: keep the trees of the folds in this folder, and take
    /// them from there the next time.
    #[arg(long, value_name = "DIR")]
    trees: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: &OnepageArgs) -> anyhow::Result<()> {
    let collections = args.gold.open()?;
    if args.forest || args.unseen {
        let trees = match &args.trees {
            Some(folder) => FoldTrees::kept_in(folder, &collections)?,
            None => FoldTrees::train(&collections)?,
        };
        forest(&trees, &collections, args.unseen.then_some(5))?;
        return Ok(());
    }
    let examples = examples(&collections, &Publishers::of(&collections))?;
    if args.folds {
        folds(&examples);
    } else {
        let all: Vec<&Example> = examples.iter().collect();
        print!("{}", file(&train(&all), &all));
    }
    Ok(())
}

/// The mean F1 of each collection under both measures, and its 9th percentile, by
/// trees that have not seen the page's publisher.
fn folds(examples: &[Example]) {
    let mut scores: BTreeMap<&str, Vec<PageScore>> = BTreeMap::new();
    for fold in 0..FOLDS {
        let is_in = |e: &&Example| e.fold == fold;
        let (unseen, seen): (Vec<&Example>, Vec<&Example>) = examples.iter().partition(is_in);
        let booster = train(&seen);
        for e in unseen {
            let blocks = e.blocks.iter();
            let columns: Vec<f64> = (0..onepage::feature_names().len())
                .flat_map(|f| blocks.clone().map(move |b| f64::from(b.features[f])))
                .collect();
            let matrix = Matrix::new(&columns, e.blocks.len(), onepage::feature_names().len());
            let logits = booster.predict(&matrix, false);
            let probabilities = logits.iter().map(|x| (1.0 / (1.0 + (-x).exp())) as f32);
            let probabilities: Vec<f32> = probabilities.collect();
            let kept = onepage::kept(&e.page, blocks.map(|b| b.span), &probabilities);
            let text = render::text(&e.page, &kept);
            let mut gold = GoldTexts::new(e.gold.refs.iter().map(String::as_str));
            let of_collection = scores.entry(&e.collection).or_default();
            of_collection.push(gold.score("", &text));
        }
    }
    for (collection, pages) in scores {
        print_figures(collection, &pages);
    }
}

/// The same of the wrappers that `forest` learns with such trees.
fn forest(
    trees: &FoldTrees,
    collections: &[Collection],
    learn_on: Option<usize>,
) -> forest_eval::Result<()> {
    for collection in collections {
        let of_site =
            |site: &forest_sources::gold::GoldSite| -> forest_eval::Result<Vec<PageScore>> {
                let mut setup = Setup::of(Method::Forest, SignifierSource::default());
                let trees = trees.unseen(collection.name(), &site.name);
                setup.options = setup.options.with_model(trees);
                setup.learn_on = learn_on;
                let pages = EvalSite::read(collection, site)?.run(&setup);
                Ok(pages.into_iter().map(|page| page.score).collect())
            };
        let sites: forest_eval::Result<Vec<Vec<PageScore>>> =
            collection.sites().par_iter().map(of_site).collect();
        print_figures(collection.name(), &sites?.concat());
    }
    Ok(())
}

/// Prints the figures of a collection.
fn print_figures(collection: &str, pages: &[PageScore]) {
    // Of single pages none is left to score where all that a site has was learned from.
    let Some(of) = Summary::of(pages) else {
        println!("{collection}: no pages to score");
        return;
    };
    let (two_gram, word_lcs) = (of.two_gram, of.word_lcs);
    println!(
        "{collection} ({}): {:.3} / {:.3}, 9th percentile {:.2}",
        of.pages, two_gram.mean.f1, word_lcs.mean.f1, two_gram.f1_percentiles[0]
    );
}
