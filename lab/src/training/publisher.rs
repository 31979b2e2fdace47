//! The publisher of each site, so that no fold trains on a site and is measured on
//! another site of the same publisher.
//!
//! The publisher is the name in front of the public suffix of a host, guessed. All
//! sites that are eras of one site have one publisher: the most frequent of their
//! pages. So pages of one site are in one fold, whatever their own hosts are.

use crate::eras::order::brand_of;
use forest_sources::gold::{Collection, GoldPage, GoldSite};
use std::collections::BTreeMap;

/// Folds over publishers.
pub const FOLDS: u64 = 5;

/// The publishers of sites, by collection and site.
#[derive(Debug, Default)]
pub struct Publishers(BTreeMap<(String, String), String>);

impl Publishers {
    /// The publishers of all sites of some collections.
    pub fn of(collections: &[Collection]) -> Publishers {
        let mut out = Publishers::default();
        for collection in collections {
            let mut eras: BTreeMap<&str, Vec<&GoldSite>> = BTreeMap::new();
            for site in collection.sites() {
                eras.entry(brand_of(&site.name).0).or_default().push(site);
            }
            for (brand, sites) in eras {
                let pages = sites.iter().flat_map(|site| collection.pages_of(site));
                let publisher = most_frequent(pages.filter_map(publisher_of_page));
                let publisher = publisher.or_else(|| publisher_of_host(brand));
                let publisher = publisher.unwrap_or_else(|| brand.to_owned());
                for site in sites {
                    let key = (collection.name().to_owned(), site.name.clone());
                    out.0.insert(key, publisher.clone());
                }
            }
        }
        out
    }

    /// The publisher of a site.
    pub fn publisher<'a>(&'a self, collection: &str, site: &'a str) -> &'a str {
        let key = (collection.to_owned(), site.to_owned());
        self.0.get(&key).map_or(site, String::as_str)
    }

    /// The fold of a site, below [`FOLDS`].
    pub fn fold(&self, collection: &str, site: &str) -> u64 {
        hash(self.publisher(collection, site)) / 7 % FOLDS
    }
}

/// The most frequent name, of equals the first in the alphabet.
fn most_frequent(names: impl Iterator<Item = String>) -> Option<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for name in names {
        *counts.entry(name).or_default() += 1;
    }
    let most = counts.into_iter().rev().max_by_key(|(_, count)| *count);
    most.map(|(name, _)| name)
}

/// The publisher by the page's address; a copy in a web archive has that of the
/// address behind the archive's own.
fn publisher_of_page(page: &GoldPage) -> Option<String> {
    let address = page.url.as_deref()?;
    let host = address.rsplit("://").next()?.split(['/', ':']).next()?;
    publisher_of_host(host)
}

/// The name in front of the public suffix; `None` without a dot.
fn publisher_of_host(host: &str) -> Option<String> {
    let labels: Vec<&str> = host.split('.').filter(|label| *label != "www").collect();
    let suffix = match labels[..] {
        [.., "co" | "com" | "org" | "net" | "gov" | "ac", last] if last.len() == 2 => 2,
        // Hosts of many sites: the site's own name counts.
        [
            ..,
            "github" | "blogspot" | "wordpress" | "gitlab" | "netlify",
            _,
        ] => 2,
        _ => 1,
    };
    let name = labels.iter().rev().nth(suffix)?;
    Some((*name).to_owned())
}

/// FNV-1a, 64 bits.
pub fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, b| {
        (hash ^ u64::from(b)).wrapping_mul(0x100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// A collection with a page a line: site, address.
    fn collection(pages: &[(&str, &str)]) -> (tempfile::TempDir, Collection) {
        let dir = tempfile::tempdir().expect("a folder");
        for (at, (site, url)) in pages.iter().enumerate() {
            let folder = dir.path().join(site);
            fs::create_dir_all(&folder).expect("made");
            fs::write(folder.join(format!("{at}.html")), "<p>A").expect("a page");
            let gold = serde_json::json!({ "text": "A", "url": url });
            fs::write(folder.join(format!("{at}.json")), gold.to_string()).expect("gold");
        }
        let collection = Collection::open(dir.path()).expect("a collection");
        (dir, collection)
    }

    #[test]
    fn pages_of_a_site_and_its_eras_are_in_one_fold() {
        let (_dir, collection) = collection(&[
            ("herald_2005", "http://www.herald.example/a"),
            ("herald_2005", "http://herald.example/b"),
            ("herald_2009", "http://partner.example/c"),
            (
                "herald_2013",
                "http://web.archive.example/web/2013/http://herald.example:80/d",
            ),
            ("other", "http://news.herald.example/e"),
            ("gazette.co.uk", ""),
            ("me", "https://me.github.io/f"),
        ]);
        let name = collection.name().to_owned();
        let publishers = Publishers::of(&[collection]);
        let of = |site| publishers.publisher(&name, site);
        for site in ["herald_2005", "herald_2009", "herald_2013", "other"] {
            assert_eq!(of(site), "herald", "{site}");
        }
        assert_eq!((of("gazette.co.uk"), of("me")), ("gazette", "me"));
        assert_eq!(
            publishers.fold(&name, "herald_2009"),
            publishers.fold(&name, "other")
        );
    }
}
