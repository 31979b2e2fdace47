//! `forest-lab write-gold`: writes `gold/`, the project's own gold.

#[cfg(test)]
mod tests;
mod writer;

use anyhow::{Context, anyhow, bail};
use std::fs;
use std::path::{Path, PathBuf};

/// Write the project's own gold
///
/// The same bytes each time, from the words, templates and settings in lab/gold_parts.
#[derive(Debug, clap::Args)]
pub struct WriteGoldArgs {
    /// Write nothing; fail if gold/ is not as it would be written.
    #[arg(long)]
    check: bool,
}

/// The project's folder.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The folder of words, templates and settings.
fn parts() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("gold_parts")
}

/// Runs the command.
pub fn run(args: &WriteGoldArgs) -> anyhow::Result<()> {
    let gold = root().join("gold");
    let mut files = writer::files(&parts()).map_err(|why| anyhow!(why))?;
    files.extend(writer::json_files(&parts()).map_err(|why| anyhow!(why))?);
    files.extend(writer::list_files(&parts()).map_err(|why| anyhow!(why))?);
    let differing = writer::differences(&files, &gold).map_err(|why| anyhow!(why))?;
    if args.check {
        if let Some(name) = differing.first() {
            bail!("gold/{name} is not as it would be written: run `forest-lab write-gold`");
        }
        println!("gold/: {} files are as written", files.len());
        return Ok(());
    }
    for name in &differing {
        let path = gold.join(name);
        let written = match files.get(name) {
            Some(content) => path
                .parent()
                .map_or(Ok(()), fs::create_dir_all)
                .and_then(|()| fs::write(&path, content)),
            None => fs::remove_file(&path),
        };
        written.with_context(|| format!("cannot write {}", path.display()))?;
    }
    let bytes: usize = files.values().map(Vec::len).sum();
    println!(
        "gold/: {} files, {bytes} bytes, {} of them changed",
        files.len(),
        differing.len()
    );
    Ok(())
}
