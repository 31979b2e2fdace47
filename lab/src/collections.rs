//! The options that the commands share: collections of gold, methods, the form of a report.

use anyhow::bail;
use forest_core::learn::Method;
use forest_sources::gold::Collection;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::Display;
use std::path::PathBuf;

/// The collections of a command.
#[derive(Debug, clap::Args)]
pub struct GoldArgs {
    /// The collections: folders with `site/page.html` and `site/page.json`.
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
        methods if methods.iter().all(|method| method.learns()) => Ok(methods.to_vec()),
        _ => bail!("--method: this command takes methods that learn"),
    }
}

/// The form of a report.
#[derive(Debug, clap::Args)]
pub struct ReportArgs {
    /// A line a site or case, too.
    #[arg(long)]
    by_site: bool,
    /// JSON on stdout.
    #[arg(long)]
    json: bool,
}

impl ReportArgs {
    /// Prints a table: as JSON under the name `key`, or as text, with the lines of
    /// `by_site` if they are asked for.
    ///
    /// # Errors
    ///
    /// If the JSON cannot be written.
    pub fn print(
        &self,
        key: &str,
        json: impl Fn() -> Value,
        table: &impl Display,
        by_site: impl Fn() -> String,
    ) -> anyhow::Result<()> {
        if self.json {
            let json = serde_json::json!({ key: json() });
            println!("{}", serde_json::to_string_pretty(&json)?);
            return Ok(());
        }
        print!("{table}");
        if self.by_site {
            print!("\n{}", by_site());
        }
        Ok(())
    }
}
