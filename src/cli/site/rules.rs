//! Wrappers in files: our own, those of ftr-site-config and crawl4ai's schemas.

use crate::cli::{Global, sites};
use anyhow::{Context, bail};
use forest_core::feed::feed_attributes;
use forest_core::wrapper::Wrapper;
use forest_exchange::{
    ImportedList, ImportedWrapper, from_crawl4ai, from_ftr, is_of_rss_bridge, list_from_html2rss,
    list_from_rss_bridge, lists_from_freshrss, site_of_rules,
};
use std::io::Read;
use std::path::{Path, PathBuf};

/// Bytes of a rule file at the most; the longest in use have some 10,000.
const MAX_BYTES: u64 = 1_000_000;

/// Reads a rule file of ftr-site-config, or a schema of crawl4ai (`.json`), for `site`, or
/// for the site of its name. Warns of its notes.
pub fn read_foreign(
    path: &Path,
    site: Option<&str>,
    global: &Global,
) -> anyhow::Result<ImportedWrapper> {
    let shown = || format!("cannot read {}", path.display());
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).with_context(shown)?;
    file.take(MAX_BYTES + 1)
        .read_to_end(&mut bytes)
        .with_context(shown)?;
    if bytes.len() as u64 > MAX_BYTES {
        bail!("{} is too large for a rule file", path.display());
    }
    let name = path.file_name().map(|name| name.to_string_lossy());
    let named = || site_of_rules(name.as_deref()?, &bytes);
    let site = site.map(str::to_owned).or_else(named).with_context(|| {
        format!(
            "{}: the file is not named for a host: give --site",
            path.display()
        )
    })?;
    let read = if ends_in(path, &["json"]) {
        from_crawl4ai(&bytes, &site)
    } else {
        from_ftr(&bytes, &site)
    };
    let read = read.with_context(|| path.display().to_string())?;
    for note in &read.notes {
        global.warn(format_args!("{}: {note}", path.display()));
    }
    Ok(read)
}

fn ends_in(path: &Path, ends: &[&str]) -> bool {
    path.extension()
        .is_some_and(|end| ends.iter().any(|e| end == *e))
}

/// The wrapper in a file: ours, ftr-site-config's or a schema, by the file's ending. A schema
/// need not be named for a host: a single wrapper takes all pages.
pub fn read_any(path: &Path, global: &Global) -> anyhow::Result<Wrapper> {
    if ends_in(path, &["txt"]) {
        return Ok(read_foreign(path, None, global)?.wrapper);
    }
    if ends_in(path, &["json"]) {
        let read = read_foreign(path, None, global).or_else(|_| {
            let stem = path.file_stem().map(|stem| stem.to_string_lossy());
            read_foreign(path, stem.as_deref(), global)
        })?;
        return Ok(read.wrapper);
    }
    let found = sites::read(path)?;
    let found = found.with_context(|| format!("{}: there is no such file", path.display()))?;
    Ok(found.wrapper)
}

/// The wrappers of lists in a file of FreshRSS (`.opml`) or html2rss (`.yml`), or in an address of
/// RSS-Bridge that stands in the place of a file; `None` of others.
pub fn read_lists(path: &Path) -> anyhow::Result<Option<Vec<ImportedList>>> {
    if let Some(address) = path.to_str().filter(|typed| is_of_rss_bridge(typed)) {
        let list = list_from_rss_bridge(address).with_context(|| address.to_owned())?;
        return Ok(Some(vec![list]));
    }
    let read = || forest_sources::sources::read_file(path, MAX_BYTES as usize);
    let shown = || path.display().to_string();
    if ends_in(path, &["opml"]) {
        let lists = lists_from_freshrss(&feed_attributes(&read()?)).with_context(shown)?;
        if lists.is_empty() {
            bail!("{}: no feed of the type HTML+XPath", path.display());
        }
        return Ok(Some(lists));
    }
    if ends_in(path, &["yml"]) {
        let bytes = read()?;
        let text = String::from_utf8_lossy(&bytes);
        return Ok(Some(vec![list_from_html2rss(&text).with_context(shown)?]));
    }
    Ok(None)
}

/// The wrapper files of a typed path: itself, or those in the folder.
pub fn files(typed: &Path) -> anyhow::Result<Vec<PathBuf>> {
    if !typed.is_dir() {
        return Ok(vec![typed.to_owned()]);
    }
    let shown = || format!("cannot read the folder {}", typed.display());
    let mut found = Vec::new();
    for entry in std::fs::read_dir(typed).with_context(shown)? {
        let path = entry.with_context(shown)?.path();
        let is_list = path.to_string_lossy().ends_with(".list.yaml");
        if ends_in(&path, &["yaml", "txt"]) && !is_list && path.is_file() {
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
