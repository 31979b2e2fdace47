//! Collections of gold, as the commands take them.

use anyhow::bail;
use forest::gold::Collection;
use forest::learn::Method;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// The collections of a command.
#[derive(Debug, clap::Args)]
pub struct GoldArgs {
    /// The collections: folders with <site>/<page>.html and <site>/<page>.json.
    #[arg(value_name = "GOLD", required = true)]
    gold: Vec<PathBuf>,
}

impl GoldArgs {
    /// Opens the collections.
    ///
    /// # Errors
    ///
    /// If one cannot be opened, or two have one name.
    pub fn open(&self) -> anyhow::Result<Vec<Collection>> {
        let mut names = BTreeSet::new();
        let mut collections = Vec::new();
        for path in &self.gold {
            let collection = Collection::open(path)?;
            if !names.insert(collection.name().to_owned()) {
                let name = collection.name();
                bail!("two collections are named `{name}`: give one at a time");
            }
            collections.push(collection);
        }
        Ok(collections)
    }
}

/// The methods that were asked for, or else `defaults`.
///
/// # Errors
///
/// If one of them does not learn.
pub fn learning_methods(asked: &[Method], defaults: &[Method]) -> anyhow::Result<Vec<Method>> {
    match asked {
        [] => Ok(defaults.to_vec()),
        methods if methods.iter().all(Method::learns) => Ok(methods.to_vec()),
        _ => bail!("--method: this command takes methods that learn"),
    }
}
