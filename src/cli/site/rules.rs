//! Wrappers in files: our own, and those of ftr-site-config.

use crate::cli::{Global, sites};
use anyhow::{Context, bail};
use forest::wrapper::Wrapper;
use forest::wrapper::exchange::{Imported, from_ftr, site_of_file};
use std::io::Read;
use std::path::{Path, PathBuf};

/// Bytes of a rule file at the most; the longest that are in use have some 10,000.
const MAX_BYTES: u64 = 1_000_000;

/// Reads a rule file of ftr-site-config for the site that it is named for, or for
/// `site`; what it notes is said.
pub fn read_ftr(path: &Path, site: Option<&str>, global: &Global) -> anyhow::Result<Imported> {
    let shown = || format!("cannot read {}", path.display());
    let site = match site {
        Some(site) => site.to_owned(),
        None => {
            let name = path.file_name().map(|name| name.to_string_lossy());
            let site = name.and_then(|name| site_of_file(&name));
            site.with_context(|| {
                format!(
                    "{}: the file is not named for a host: give --site",
                    path.display()
                )
            })?
        }
    };
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).with_context(shown)?;
    file.take(MAX_BYTES + 1)
        .read_to_end(&mut bytes)
        .with_context(shown)?;
    if bytes.len() as u64 > MAX_BYTES {
        bail!("{} is too large for a rule file", path.display());
    }
    let read = from_ftr(&bytes, &site).with_context(|| path.display().to_string())?;
    for note in &read.notes {
        global.warn(format_args!("{}: {note}", path.display()));
    }
    Ok(read)
}

/// The wrapper in a file, whichever of the two it is by its name.
pub fn read_any(path: &Path, global: &Global) -> anyhow::Result<Wrapper> {
    if path.extension().is_some_and(|e| e == "txt") {
        return Ok(read_ftr(path, None, global)?.wrapper);
    }
    let found = sites::read(path)?;
    let found = found.with_context(|| format!("{}: there is no such file", path.display()))?;
    Ok(found.wrapper)
}

/// The files of wrappers that `typed` stands for: itself, or those in a folder.
pub fn files(typed: &Path) -> anyhow::Result<Vec<PathBuf>> {
    if !typed.is_dir() {
        return Ok(vec![typed.to_owned()]);
    }
    let shown = || format!("cannot read the folder {}", typed.display());
    let mut found = Vec::new();
    for entry in std::fs::read_dir(typed).with_context(shown)? {
        let path = entry.with_context(shown)?.path();
        let ends = path.extension().is_some_and(|e| e == "yaml" || e == "txt");
        if ends && path.is_file() {
            found.push(path);
        }
    }
    found.sort();
    if found.is_empty() {
        bail!(
            "{}: no wrappers (.yaml, .txt) in this folder",
            typed.display()
        );
    }
    Ok(found)
}
