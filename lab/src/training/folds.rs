//! For each fold the trees that have not seen its publishers.

use super::blocks::Example;
use super::booster::{file, train};
use super::publisher::{FOLDS, Publishers};
use forest_core::onepage::BlockModel;
use forest_sources::gold::{Collection, GoldPage};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

/// The pages with gold of some collections; a page of a publisher with many weighs less.
///
/// # Errors
///
/// If a page cannot be read.
pub fn examples(
    collections: &[Collection],
    publishers: &Publishers,
) -> forest_eval::Result<Vec<Example>> {
    let mut examples = Vec::new();
    for collection in collections {
        let read = |page: &GoldPage| Example::read(collection.name(), page, publishers).transpose();
        let of_collection: forest_eval::Result<Vec<Example>> =
            collection.pages().par_iter().filter_map(read).collect();
        examples.extend(of_collection?);
    }
    let mut pages_of: BTreeMap<(String, String), f64> = BTreeMap::new();
    for e in &examples {
        let key = (e.collection.clone(), e.publisher.clone());
        *pages_of.entry(key).or_default() += 1.0;
    }
    for e in &mut examples {
        let pages = pages_of[&(e.collection.clone(), e.publisher.clone())];
        e.weights.iter_mut().for_each(|w| *w /= pages.sqrt());
    }
    Ok(examples)
}

/// For each fold the trees that have not seen its publishers.
pub struct FoldTrees {
    publishers: Publishers,
    trees: Vec<Arc<BlockModel>>,
}

impl FoldTrees {
    /// Trains the trees of each fold on these collections.
    ///
    /// # Errors
    ///
    /// If a page cannot be read.
    pub fn train(collections: &[Collection]) -> forest_eval::Result<FoldTrees> {
        let publishers = Publishers::of(collections);
        let examples = examples(collections, &publishers)?;
        Ok(FoldTrees::of(&examples, publishers))
    }

    /// Trains the trees of each fold on these pages.
    pub fn of(examples: &[Example], publishers: Publishers) -> FoldTrees {
        let files = (0..FOLDS).map(|fold| trees_file(examples, fold));
        FoldTrees {
            publishers,
            trees: files.map(|file| read(&file)).collect(),
        }
    }

    /// The trees in the files of a folder; those that are absent are trained on these
    /// collections and written there.
    ///
    /// # Errors
    ///
    /// If a page or file cannot be read, or a file not be written.
    pub fn kept_in(folder: &Path, collections: &[Collection]) -> anyhow::Result<FoldTrees> {
        let publishers = Publishers::of(collections);
        let paths: Vec<PathBuf> = (0..FOLDS)
            .map(|fold| folder.join(format!("fold-{fold}.txt")))
            .collect();
        if !paths.iter().all(|path| path.exists()) {
            let examples = examples(collections, &publishers)?;
            fs::create_dir_all(folder)?;
            for (path, fold) in paths.iter().zip(0..) {
                fs::write(path, trees_file(&examples, fold))?;
            }
        }
        let trees = paths
            .iter()
            .map(|path| Ok(read(&fs::read_to_string(path)?)));
        let trees = trees.collect::<io::Result<_>>()?;
        Ok(FoldTrees { publishers, trees })
    }

    /// The trees that have not seen the publisher of a site.
    pub fn unseen(&self, collection: &str, site: &str) -> Arc<BlockModel> {
        Arc::clone(&self.trees[self.fold(collection, site) as usize])
    }

    /// The fold of a site.
    pub fn fold(&self, collection: &str, site: &str) -> u64 {
        self.publishers.fold(collection, site)
    }
}

/// The file of the trees that have not seen the publishers of a fold.
fn trees_file(examples: &[Example], fold: u64) -> String {
    let seen: Vec<&Example> = examples.iter().filter(|e| e.fold != fold).collect();
    file(&train(&seen), &seen)
}

fn read(file: &str) -> Arc<BlockModel> {
    Arc::new(BlockModel::read(file).expect("a file as it is written"))
}
