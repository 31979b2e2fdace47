//! Learns the trees of `onepage` from pages with gold.
//!
//! ```text
//! cargo run --release --example train_onepage -- GOLD...            writes the trees to stdout
//! cargo run --release --example train_onepage -- --folds GOLD...    measures them on unseen brands
//! cargo run --release --example train_onepage -- --forest GOLD...   measures what `forest` learns with them
//! cargo run --release --example train_onepage -- --drift GOLD...    measures whether drift is noticed with them
//! ```
//!
//! `--forest` learns each site's wrapper with trees that have not seen its brand, from
//! all of its pages and scored on them; `--unseen` learns from the first five.
//! `--drift` is `forest eval --drift` with such trees for learner and witness; with
//! `--json` it says what was seen of each page.
//!
//! A block's label is the share of its words that stand in the gold in runs of
//! three; a block that some acceptable text has and the article's does not (a
//! headline) has a tenth of the weight. A block weighs as much as its share of
//! the article's words, a page as much as the root of its site's pages allows.
//! Of blocks with fewer than five words, which are most, three of ten are used, with
//! the weight of ten.

#[path = "training/mod.rs"]
mod training;

use forest::eval::drift::{self, DriftTable};
use forest::eval::{EvalSite, GoldTexts, PageScore, Setup, Summary};
use forest::gold::{Collection, Site};
use forest::learn::{Method, SignifierSource};
use forest::onepage;
use forest::render;
use forust_ml::Matrix;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use training::{Example, FOLDS, file, fold_trees, folds_of_sites, read_trees, train};

fn main() -> forest::Result<()> {
    let (flags, paths): (Vec<String>, Vec<String>) = std::env::args()
        .skip(1)
        .partition(|arg| arg.starts_with("--"));
    let examples = training::examples(&paths)?;
    let has = |name: &str| flags.iter().any(|flag| flag == name);
    if has("--drift") {
        drift(&examples, &paths, has("--json"))?;
    } else if has("--forest") || has("--unseen") {
        forest(&examples, &paths, has("--unseen").then_some(5))?;
    } else if has("--folds") {
        folds(&examples);
    } else {
        let all: Vec<&Example> = examples.iter().collect();
        print!("{}", file(&train(&all)));
    }
    Ok(())
}

/// The mean F1 of each collection under both measures, and its 9th percentile, by
/// trees that have not seen the page's brand.
fn folds(examples: &[Example]) {
    let mut scores: BTreeMap<&str, Vec<PageScore>> = BTreeMap::new();
    for fold in 0..FOLDS {
        let is_in = |e: &&Example| e.fold() == fold;
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
        tell(collection, &pages);
    }
}

/// The same of the wrappers that `forest` learns with such trees.
fn forest(examples: &[Example], paths: &[String], learn_on: Option<usize>) -> forest::Result<()> {
    let trees = read_trees(&fold_trees(examples));
    let fold_of = folds_of_sites(examples);
    for path in paths {
        let collection = Collection::open(Path::new(path))?;
        let of_site = |site| -> forest::Result<Vec<PageScore>> {
            let id = collection
                .pages_of(site)
                .first()
                .map_or("", |page| &page.id);
            let key = (collection.name(), id.split('/').next().unwrap_or_default());
            // A site without gold is in no fold, and is not scored.
            let fold = fold_of.get(&key).copied().unwrap_or_default();
            let mut setup = Setup::of(Method::Forest, SignifierSource::default());
            setup.options = setup.options.with_model(Arc::clone(&trees[fold as usize]));
            setup.learn_on = learn_on;
            let pages = EvalSite::read(&collection, site)?.run(&setup);
            Ok(pages.into_iter().map(|page| page.score).collect())
        };
        let sites: forest::Result<Vec<Vec<PageScore>>> =
            collection.sites().par_iter().map(of_site).collect();
        tell(collection.name(), &sites?.concat());
    }
    Ok(())
}

/// Whether it is noticed that wrappers no longer fit.
fn drift(examples: &[Example], paths: &[String], json: bool) -> forest::Result<()> {
    let trees = read_trees(&fold_trees(examples));
    let fold_of = folds_of_sites(examples);
    let trees_of = |collection: &Collection, site: &Site| {
        let fold = fold_of.get(&(collection.name(), &*site.name)).copied();
        Some(Arc::clone(&trees[fold.unwrap_or_default() as usize]))
    };
    let mut cases = Vec::new();
    for path in paths {
        let collection = Collection::open(Path::new(path))?;
        cases.extend(drift::drift(
            &collection,
            &Method::Forest,
            &trees_of,
            &|| {},
        )?);
    }
    let table = DriftTable(&cases);
    match json {
        true => println!("{}", serde_json::json!({ "cases": table.json() })),
        false => print!("{table}\n{}", table.by_site()),
    }
    Ok(())
}

/// Prints the figures of a collection.
fn tell(collection: &str, pages: &[PageScore]) {
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
