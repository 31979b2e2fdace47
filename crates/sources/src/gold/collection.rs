//! A collection: its sites, its pages, their gold.

use forest_html::text::hex;
use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::read::{read, read_if_there};
use crate::error::{Error, ErrorKind, Result};

/// A folder of sites with their pages and gold.
#[derive(Debug, Clone)]
pub struct Collection {
    name: String,
    sites: Vec<GoldSite>,
    pages: Vec<GoldPage>,
}

/// A site of a collection.
#[derive(Debug, Clone)]
pub struct GoldSite {
    /// The name of its folder.
    pub name: String,
    /// Its `feed.xml`, if it has one.
    pub feed: Option<PathBuf>,
    pages: Range<usize>,
}

/// A page of a collection. Its bytes are on disk until [`GoldPage::read`].
#[derive(Debug, Clone)]
pub struct GoldPage {
    /// `<site>/<page>`.
    pub id: String,
    /// The page's address, from its gold, its sidecar or the site's list; `None`
    /// if it is in none of them.
    pub url: Option<String>,
    /// Its right texts and fields; `None`: not to be scored.
    pub gold: Option<Gold>,
    /// Its file.
    pub path: PathBuf,
}

/// The right texts and fields of a page.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Gold {
    /// The article's text, a block a line. Empty if only `refs` were given.
    pub text: String,
    /// The texts that count as right, at least one: `refs`, else `text` alone.
    pub refs: Vec<String>,
    /// The article's headline.
    pub title: Option<String>,
    /// The language, as the gold's makers wrote it (`?`: unknown).
    pub lang: Option<String>,
    /// When it was published, as written in the source.
    pub published: Option<String>,
    /// Its authors, as written in the source.
    pub authors: Vec<String>,
    /// The paragraphs of the text; those in square brackets are optional.
    pub body: Vec<String>,
    /// Which of its site's designs the page has, where that is known.
    pub layout: Option<String>,
    /// When the page was fetched, where that is known.
    pub crawl_date: Option<String>,
    /// The kind of the page, where it is no article.
    pub page_type: Option<String>,
    /// The origin of the gold (`human`, `feed content` ...).
    pub made_by: Option<String>,
}

/// The fields of a page's JSON. Unknown ones are left alone: collections carry
/// notes of their own.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct GoldFields {
    url: Option<String>,
    text: Option<String>,
    refs: Option<Vec<String>>,
    title: Option<String>,
    lang: Option<String>,
    published: Option<String>,
    author: Option<OneOrMany>,
    body: Option<Vec<String>>,
    layout: Option<String>,
    crawl_date: Option<String>,
    page_type: Option<String>,
    gold: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

impl From<GoldFields> for Gold {
    fn from(fields: GoldFields) -> Gold {
        let text = fields.text.unwrap_or_default();
        let refs = fields.refs.unwrap_or_default();
        let refs = if refs.is_empty() {
            vec![text.clone()]
        } else {
            refs
        };
        Gold {
            text,
            refs,
            title: fields.title,
            lang: fields.lang,
            published: fields.published,
            authors: match fields.author {
                None => Vec::new(),
                Some(OneOrMany::One(author)) => vec![author],
                Some(OneOrMany::Many(authors)) => authors,
            },
            body: fields.body.unwrap_or_default(),
            layout: fields.layout,
            crawl_date: fields.crawl_date,
            page_type: fields.page_type,
            made_by: fields.gold,
        }
    }
}

impl Collection {
    /// Opens the collection in `dir` and reads its gold. Names that begin with a
    /// dot are passed over, as are sites without a page.
    ///
    /// # Errors
    ///
    /// An unreadable folder or file; broken JSON beside a page, or JSON with a
    /// field of the wrong type; gold without its page; one page both plain and
    /// compressed; a folder without any page.
    pub fn open(dir: impl AsRef<Path>) -> Result<Collection> {
        let dir = dir.as_ref();
        let mut sites = Vec::new();
        let mut pages = Vec::new();
        for (name, path) in entries(dir)? {
            if path.is_dir() {
                let first = pages.len();
                pages.extend(open_site(&name, &path)?);
                if pages.len() > first {
                    let feed = path.join("feed.xml");
                    sites.push(GoldSite {
                        name,
                        feed: feed.is_file().then_some(feed),
                        pages: first..pages.len(),
                    });
                }
            }
        }
        if pages.is_empty() {
            return Err(ErrorKind::NoPages {
                path: dir.to_owned(),
            }
            .into());
        }
        let full = dir.canonicalize().map_err(|e| Error::read(dir, e))?;
        let name = full.file_name().unwrap_or(full.as_os_str());
        Ok(Collection {
            name: name.to_string_lossy().into_owned(),
            sites,
            pages,
        })
    }

    /// The name of the collection's folder.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The sites, in the order of their pages' ids.
    pub fn sites(&self) -> &[GoldSite] {
        &self.sites
    }

    /// All pages, in the order of their ids.
    pub fn pages(&self) -> &[GoldPage] {
        &self.pages
    }

    /// The pages of `site`, in the order of their ids.
    ///
    /// # Panics
    ///
    /// If `site` is of a larger collection.
    pub fn pages_of(&self, site: &GoldSite) -> &[GoldPage] {
        &self.pages[site.pages.clone()]
    }

    /// The number of pages with gold.
    pub fn scored(&self) -> usize {
        self.pages.iter().filter(|page| page.gold.is_some()).count()
    }

    /// A digest of everything that figures depend on: the ids in order, every
    /// page's bytes (decompressed), every page's JSON and every site's feed, each
    /// with its length before it. 64 hexadecimal digits.
    ///
    /// # Errors
    ///
    /// A file that can no longer be read or is too large.
    pub fn corpus_hash(&self) -> Result<String> {
        let mut hash = Sha256::new();
        for site in &self.sites {
            for page in self.pages_of(site) {
                add(&mut hash, page.id.as_bytes());
                add(&mut hash, &page.read()?);
                if let Some(json) = read_if_there(&page.sidecar())? {
                    add(&mut hash, &json);
                }
            }
            if let Some(feed) = &site.feed {
                add(&mut hash, site.name.as_bytes());
                add(&mut hash, &read(feed)?);
            }
        }
        Ok(hex(&hash.finalize()))
    }
}

impl GoldPage {
    /// The page's bytes, decompressed.
    ///
    /// # Errors
    ///
    /// A file that cannot be read, or with more than
    /// [`MAX_FILE_BYTES`](super::MAX_FILE_BYTES).
    pub fn read(&self) -> Result<Vec<u8>> {
        read(&self.path)
    }

    /// The site's name: the id up to the slash.
    pub fn site(&self) -> &str {
        self.id.split_once('/').map_or(&*self.id, |(site, _)| site)
    }

    fn sidecar(&self) -> PathBuf {
        let stem = self.id.split_once('/').map_or(&*self.id, |(_, stem)| stem);
        self.path.with_file_name(format!("{stem}.json"))
    }
}

fn add(hash: &mut Sha256, bytes: &[u8]) {
    hash.update((bytes.len() as u64).to_le_bytes());
    hash.update(bytes);
}

/// The names and paths in a folder, without dotted names, ordered as ids are: `a-b/` comes
/// before `a/`, as `-` comes before `/`.
fn entries(dir: &Path) -> Result<Vec<(String, PathBuf)>> {
    let fail = |e| Error::read(dir, e);
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).map_err(fail)? {
        let entry = entry.map_err(fail)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if !name.starts_with('.') {
            found.push((name, entry.path()));
        }
    }
    found.sort_by(|(a, _), (b, _)| {
        let slashed = |name: &str| name.bytes().chain([b'/']).collect::<Vec<_>>();
        slashed(a).cmp(&slashed(b))
    });
    Ok(found)
}

/// The pages of the site in `dir`.
fn open_site(site: &str, dir: &Path) -> Result<Vec<GoldPage>> {
    let mut files: BTreeMap<String, PathBuf> = BTreeMap::new();
    let mut sidecars: BTreeMap<String, PathBuf> = BTreeMap::new();
    for (name, path) in entries(dir)? {
        if let Some(stem) = name.strip_suffix(".json") {
            sidecars.insert(stem.to_owned(), path);
            continue;
        }
        let page = name.strip_suffix(".gz").unwrap_or(&name);
        if let Some(stem) = page.strip_suffix(".html")
            && files.insert(stem.to_owned(), path).is_some()
        {
            let path = dir.join(page);
            return Err(ErrorKind::PageTwice { path }.into());
        }
    }
    let mut urls = BTreeMap::new();
    let mut gold = BTreeMap::new();
    for (stem, path) in sidecars {
        let json_error = |source| {
            Error::from(ErrorKind::GoldJson {
                path: path.clone(),
                source,
            })
        };
        let value: Value = serde_json::from_slice(&read(&path)?).map_err(json_error)?;
        let is_page = files.contains_key(&stem);
        let is_gold = value.get("text").is_some() || value.get("refs").is_some();
        if is_gold && !is_page {
            return Err(ErrorKind::GoldWithoutPage { path }.into());
        }
        if is_page {
            let mut fields: GoldFields = serde_json::from_value(value).map_err(json_error)?;
            if let Some(url) = fields.url.take() {
                urls.insert(stem.clone(), url);
            }
            if is_gold {
                gold.insert(stem, Gold::from(fields));
            }
        } else if stem == "site" {
            // A site's list of pages has the addresses of those without gold.
            for (stem, url) in listed(&value) {
                urls.entry(stem).or_insert(url);
            }
        }
    }
    Ok(files
        .into_iter()
        .map(|(stem, path)| GoldPage {
            id: format!("{site}/{stem}"),
            url: urls.remove(&stem).filter(|url| !url.is_empty()),
            gold: gold.remove(&stem),
            path,
        })
        .collect())
}

/// The names and addresses in a site's list: `{"pages": [{"n": 1, "url": ..}]}`.
/// The list is a help only, so that anything else in its place gives nothing.
fn listed(site: &Value) -> Vec<(String, String)> {
    let pages = site.get("pages").and_then(Value::as_array);
    let pages = pages.map_or(&[][..], Vec::as_slice);
    pages
        .iter()
        .filter_map(|page| {
            let name = match page.get("n")? {
                Value::String(name) => name.clone(),
                name => name.as_u64()?.to_string(),
            };
            Some((name, page.get("url")?.as_str()?.to_owned()))
        })
        .collect()
}
