//! Pages with their kind.

use crate::real_lists;
use crate::training::{Example, FOLDS, hash};
use anyhow::{Context, bail};
use forest_core::kind::{self, PageKind};
use forest_core::onepage::PageDigest;
use forest_html::page::{Page, Source};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// A page with its kind.
pub struct KindExample {
    /// The collection or folder that it is of.
    pub group: String,
    pub kind: PageKind,
    pub fold: u64,
    pub weight: f64,
    pub digest: PageDigest,
    pub features: Vec<f32>,
    /// Its place among the pages with gold.
    pub page: Option<usize>,
}

/// Pages with their kind, and those of them with gold.
pub struct KindExamples {
    pub pages: Vec<Example>,
    pub kinds: Vec<KindExample>,
}

impl KindExamples {
    /// The pages of collections.
    ///
    /// # Errors
    ///
    /// If a page has a type that is no kind.
    pub fn of(pages: Vec<Example>) -> anyhow::Result<KindExamples> {
        let mut of_publisher: BTreeMap<(&str, &str), f64> = BTreeMap::new();
        for page in &pages {
            let key = (&*page.collection, &*page.publisher);
            *of_publisher.entry(key).or_default() += 1.0;
        }
        let mut kinds = Vec::new();
        for (at, page) in pages.iter().enumerate() {
            let kind = match &page.gold.page_type {
                Some(name) => {
                    let kind = PageKind::named(name);
                    kind.with_context(|| format!("{}: no kind `{name}`", page.id))?
                }
                None => PageKind::Article,
            };
            kinds.push(KindExample {
                group: page.collection.clone(),
                kind,
                fold: page.fold,
                weight: 1.0 / of_publisher[&(&*page.collection, &*page.publisher)].sqrt(),
                digest: page.digest,
                features: kind::feature_row(&page.page),
                page: Some(at),
            });
        }
        Ok(KindExamples { pages, kinds })
    }

    /// Adds the articles and lists among written pages.
    ///
    /// # Errors
    ///
    /// If a page cannot be read, or has another name.
    pub fn add_written(&mut self, folder: &Path) -> anyhow::Result<()> {
        for path in real_lists::files(folder)? {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            let parts: Vec<&str> = name.split('-').collect();
            let [kind, _, number] = parts[..] else {
                bail!("not <kind>-<language>-<number>.html: {}", path.display());
            };
            if let Some(kind) = PageKind::named(kind) {
                let fold = number.parse::<u64>()? % FOLDS;
                let bytes = fs::read(&path)?;
                self.add("written pages", kind, fold, 1.0, &bytes, None);
            }
        }
        Ok(())
    }

    /// Adds lists of real sites.
    ///
    /// # Errors
    ///
    /// If a page cannot be read.
    pub fn add_lists(&mut self, folder: &Path) -> anyhow::Result<()> {
        for list in real_lists::read(folder)? {
            let fold = hash(&list.site) / 7 % FOLDS;
            let url = list.url.as_deref();
            let (kind, weight) = (PageKind::Listing, 0.25);
            self.add("lists of real sites", kind, fold, weight, &list.bytes, url);
        }
        Ok(())
    }

    fn add(
        &mut self,
        group: &str,
        kind: PageKind,
        fold: u64,
        weight: f64,
        bytes: &[u8],
        url: Option<&str>,
    ) {
        let source = Source {
            url,
            content_type: None,
        };
        self.kinds.push(KindExample {
            group: group.to_owned(),
            kind,
            fold,
            weight,
            digest: PageDigest::of(bytes),
            features: kind::feature_row(&Page::parse(bytes, source)),
            page: None,
        });
    }
}
