//! The pages that speed is measured on: a collection of the development gold, or
//! the project's own gold where `../shared` is not there.

use std::path::{Path, PathBuf};

use forest_core::learn::SamplePage;
use forest_html::page::{Page, Source};
use forest_sources::gold::Collection;

/// The bytes of a site's pages.
pub struct SitePages {
    /// The site's name.
    pub name: String,
    /// The pages in the order of their ids.
    pub pages: Vec<Bytes>,
}

/// A page before it is parsed.
pub struct Bytes {
    id: String,
    url: Option<String>,
    /// The body of the answer.
    pub bytes: Vec<u8>,
}

impl Bytes {
    /// The page.
    pub fn parse(&self) -> Page {
        Page::parse(&self.bytes, self.source())
    }

    /// Its address, as a parser is given it.
    fn source(&self) -> Source<'_> {
        Source {
            url: self.url.as_deref(),
            content_type: None,
        }
    }

    /// The page to learn from.
    #[allow(dead_code, reason = "not every bench learns")]
    pub fn sample(&self) -> SamplePage {
        SamplePage::new(self.parse(), &*self.id)
    }
}

/// The folder of `feeds` or of `pool/<name>`, or of the own gold.
pub fn folder(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let shared = match name {
        "feeds" => root.join("../shared/feeds"),
        _ => root.join("../shared/gold/pool").join(name),
    };
    if shared.is_dir() {
        shared
    } else {
        root.join("gold")
    }
}

/// The sites of `pool/<name>`, or of the own gold, with their first pages.
pub fn sites(name: &str, at_most: usize) -> Vec<SitePages> {
    let collection = Collection::open(folder(name)).unwrap_or_else(|e| panic!("{e}"));
    let of_site = |site| {
        let pages = collection.pages_of(site).iter().take(at_most);
        pages.map(|page| Bytes {
            id: page.id.clone(),
            url: page.url.clone(),
            bytes: page.read().unwrap_or_else(|e| panic!("{e}")),
        })
    };
    let sites = collection.sites().iter();
    sites
        .map(|site| SitePages {
            name: site.name.clone(),
            pages: of_site(site).collect(),
        })
        .collect()
}
