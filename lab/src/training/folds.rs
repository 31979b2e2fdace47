//! For each fold the trees that have not seen its publishers.

use super::blocks::Example;
use super::booster::{file, train};
use super::publisher::{FOLDS, Publishers};
use forest::gold::{Collection, GoldPage};
use forest::onepage::BlockModel;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The pages with gold of some collections; a page of a publisher with many weighs less.
///
/// # Errors
///
/// If a page cannot be read.
pub fn examples(
    collections: &[Collection],
    publishers: &Publishers,
) -> forest::Result<Vec<Example>> {
    let mut examples = Vec::new();
    for collection in collections {
        let read = |page: &GoldPage| Example::read(collection.name(), page, publishers).transpose();
        let of_collection: forest::Result<Vec<Example>> =
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
    pub fn train(collections: &[Collection]) -> forest::Result<FoldTrees> {
        let publishers = Publishers::of(collections);
        let examples = examples(collections, &publishers)?;
        Ok(FoldTrees::of(&examples, publishers))
    }

    /// Trains the trees of each fold on these pages.
    pub fn of(examples: &[Example], publishers: Publishers) -> FoldTrees {
        let trees_of = |fold| {
            let seen: Vec<&Example> = examples.iter().filter(|e| e.fold != fold).collect();
            let trees = BlockModel::read(&file(&train(&seen), &seen));
            Arc::new(trees.expect("the file that was written"))
        };
        FoldTrees {
            publishers,
            trees: (0..FOLDS).map(trees_of).collect(),
        }
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
