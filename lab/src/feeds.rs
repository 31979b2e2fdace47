//! `forest-lab feeds`: feeds as the program reads them, for `lab/peers/feeds.py`, which holds
//! them against feedparser.

use forest_core::feed;
use std::io::Write;
use std::path::PathBuf;
use url::Url;

/// Print feeds as they are read, a line of JSON each
#[derive(Debug, clap::Args)]
pub struct FeedsArgs {
    /// The address that the files' names are relative to.
    #[arg(long, value_name = "URL")]
    base: Url,
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// Prints `{"file", "feed"}` or `{"file", "error"}` for each file.
pub fn run(args: &FeedsArgs) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    for path in &args.files {
        let name = path.to_string_lossy();
        let address = args.base.join(&name)?;
        let line = match feed::parse(&std::fs::read(path)?, Some(&address), None) {
            Ok(feed) => serde_json::json!({ "file": name, "feed": feed }),
            Err(error) => serde_json::json!({ "file": name, "error": error.to_string() }),
        };
        writeln!(out, "{line}")?;
    }
    Ok(())
}
