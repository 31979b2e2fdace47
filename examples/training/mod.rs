//! What the programs that learn share: pages with gold, the folds over brands, and
//! the trees of `onepage` that a fold has not seen.

mod blocks;
mod brand;
mod booster;

pub use blocks::Example;
pub use booster::{file, train};

use forest::gold::{Collection, GoldPage};
use forest::onepage::BlockModel;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// Folds over brands.
pub const FOLDS: u64 = 5;

/// The pages with gold of the collections at `paths`; a page of a brand with many
/// weighs less.
pub fn examples(paths: &[String]) -> forest::Result<Vec<Example>> {
    let mut examples = Vec::new();
    for path in paths {
        let collection = Collection::open(Path::new(path))?;
        let pages: Vec<GoldPage> = collection
            .sites()
            .iter()
            .flat_map(|site| collection.pages_of(site).to_vec())
            .collect();
        let read = |page: &GoldPage| Example::read(collection.name(), page).transpose();
        let of_collection: forest::Result<Vec<Example>> =
            pages.par_iter().filter_map(read).collect();
        examples.extend(of_collection?);
    }
    let mut pages_of: BTreeMap<(String, String), f64> = BTreeMap::new();
    for e in &examples {
        *pages_of
            .entry((e.collection.clone(), e.brand.clone()))
            .or_default() += 1.0;
    }
    for e in &mut examples {
        let pages = pages_of[&(e.collection.clone(), e.brand.clone())];
        e.weights.iter_mut().for_each(|w| *w /= pages.sqrt());
    }
    Ok(examples)
}

/// For each fold the trees that have not seen its brands, as a file of trees.
pub fn fold_trees(examples: &[Example]) -> Vec<String> {
    let trees_of = |fold| {
        let seen: Vec<&Example> = examples.iter().filter(|e| e.fold() != fold).collect();
        file(&train(&seen))
    };
    (0..FOLDS).map(trees_of).collect()
}

/// The trees of files that [`fold_trees`] wrote.
pub fn read_trees(files: &[String]) -> Vec<Arc<BlockModel>> {
    let read = |file: &String| Arc::new(BlockModel::read(file).expect("the file that was written"));
    files.iter().map(read).collect()
}

/// The fold of each site with gold, by collection and site.
pub fn folds_of_sites(examples: &[Example]) -> BTreeMap<(&str, &str), u64> {
    let sites = examples.iter();
    sites
        .map(|e| ((&*e.collection, e.site()), e.fold()))
        .collect()
}
