//! Lists of other pages on real sites: `<site>/<snapshot>/<page>.html.gz` with a `truth.json`.

use anyhow::Context;
use flate2::read::MultiGzDecoder;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A page that lists others.
pub struct RealList {
    pub site: String,
    pub url: Option<String>,
    pub bytes: Vec<u8>,
}

/// Reads all lists in a folder.
///
/// # Errors
///
/// If a file cannot be read.
pub fn read(folder: &Path) -> anyhow::Result<Vec<RealList>> {
    let mut lists = Vec::new();
    for site in files(folder)?.into_iter().filter(|path| path.is_dir()) {
        let name = site.file_name().unwrap_or_default().to_string_lossy();
        for snapshot in files(&site)?.into_iter().filter(|path| path.is_dir()) {
            let truth = std::fs::read(snapshot.join("truth.json"))?;
            let truth: BTreeMap<String, serde_json::Value> = serde_json::from_slice(&truth)?;
            for (page, of_page) in truth {
                let path = snapshot.join(format!("{page}.gz"));
                let file = std::fs::File::open(&path);
                let file = file.with_context(|| path.display().to_string())?;
                let mut bytes = Vec::new();
                MultiGzDecoder::new(file).read_to_end(&mut bytes)?;
                lists.push(RealList {
                    site: name.clone().into_owned(),
                    url: of_page["url"].as_str().map(str::to_owned),
                    bytes,
                });
            }
        }
    }
    Ok(lists)
}

/// The files and folders in a folder, by name.
///
/// # Errors
///
/// If the folder cannot be read.
pub fn files(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder);
    let entries = entries.with_context(|| format!("cannot read {}", folder.display()))?;
    let mut paths = Vec::new();
    for entry in entries {
        paths.push(entry?.path());
    }
    paths.sort();
    Ok(paths)
}
