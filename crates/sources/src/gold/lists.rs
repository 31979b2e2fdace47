//! Collections of pages that list articles, with the right items.
//!
//! A collection is a folder with `<site>/<snapshot>/<page>.html` or `.html.gz` and beside the
//! pages `truth.json`: `{"<page>.html": {"url", "items": [{"link", "title", "date"}]}}`. The
//! snapshots of a page are in the order of their folders' names.

use super::read::read;
use crate::error::{Error, Result};
use forest_html::page::{Page, Source};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// An item as it should be.
#[derive(Debug, Clone, Deserialize)]
pub struct TrueItem {
    /// The address of its article.
    pub link: String,
    /// Its title.
    pub title: Option<String>,
    /// Its date, RFC 3339 or a day.
    pub date: Option<String>,
}

#[derive(Debug, Deserialize)]
struct TrueList {
    url: String,
    items: Vec<TrueItem>,
}

/// A page that lists articles, on one day.
#[derive(Debug)]
pub struct ListSnapshot {
    /// The folder's name.
    pub day: String,
    /// The items in the order of the page.
    pub items: Vec<TrueItem>,
    url: String,
    bytes: Vec<u8>,
}

impl ListSnapshot {
    /// The page.
    pub fn parse(&self) -> Page {
        let source = Source {
            url: Some(&self.url),
            ..Source::default()
        };
        Page::parse(&self.bytes, source)
    }
}

/// A page that lists articles, with its snapshots, the oldest first.
#[derive(Debug)]
pub struct GoldList {
    /// The name of its files.
    pub page: String,
    /// Its snapshots.
    pub snapshots: Vec<ListSnapshot>,
}

/// A site with list pages.
#[derive(Debug)]
pub struct ListSite(PathBuf);

/// A collection of list pages.
#[derive(Debug)]
pub struct ListCollection {
    name: String,
    sites: Vec<ListSite>,
}

impl ListCollection {
    /// Opens the collection in a folder.
    ///
    /// # Errors
    ///
    /// If the folder cannot be read, or has no site with a `truth.json`.
    pub fn open(dir: &Path) -> Result<ListCollection> {
        let mut sites = Vec::new();
        for site in folders(dir)? {
            let has_truth = |snapshot: &PathBuf| snapshot.join(TRUTH).is_file();
            if folders(&site)?.iter().any(has_truth) {
                sites.push(ListSite(site));
            }
        }
        if sites.is_empty() {
            let why = "no <site>/<snapshot>/truth.json: it is no collection of list pages";
            return Err(Error::read(dir, io::Error::other(why)));
        }
        Ok(ListCollection {
            name: name_of(dir),
            sites,
        })
    }

    /// The folder's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its sites, by name.
    pub fn sites(&self) -> &[ListSite] {
        &self.sites
    }
}

/// The file with the items of a snapshot's pages.
const TRUTH: &str = "truth.json";

impl ListSite {
    /// The folder's name.
    pub fn name(&self) -> String {
        name_of(&self.0)
    }

    /// Its list pages, by name.
    ///
    /// # Errors
    ///
    /// If a file cannot be read.
    pub fn read(&self) -> Result<Vec<GoldList>> {
        let mut pages: BTreeMap<String, Vec<ListSnapshot>> = BTreeMap::new();
        for folder in folders(&self.0)? {
            let path = folder.join(TRUTH);
            if !path.is_file() {
                continue;
            }
            let truth: BTreeMap<String, TrueList> = serde_json::from_slice(&read(&path)?)
                .map_err(|error| Error::read(&path, io::Error::other(error)))?;
            for (page, TrueList { url, items }) in truth {
                let plain = folder.join(&page);
                let packed = folder.join(format!("{page}.gz"));
                let bytes = read(if plain.is_file() { &plain } else { &packed })?;
                let day = name_of(&folder);
                pages.entry(page).or_default().push(ListSnapshot {
                    day,
                    items,
                    url,
                    bytes,
                });
            }
        }
        let lists = pages.into_iter();
        Ok(lists
            .map(|(page, snapshots)| GoldList { page, snapshots })
            .collect())
    }
}

fn name_of(dir: &Path) -> String {
    let name = dir.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// The folders in a folder, by name.
fn folders(dir: &Path) -> Result<Vec<PathBuf>> {
    let failed = |source| Error::read(dir, source);
    let mut out = Vec::new();
    for entry in std::fs::read_dir(dir).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.is_dir() {
            out.push(path);
        }
    }
    out.sort();
    Ok(out)
}
