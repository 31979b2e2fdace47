//! The sites of a collection that are eras of one brand, and their order.

use forest_sources::gold::{Collection, GoldPage};
use std::collections::BTreeMap;

/// A design of a site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Era {
    /// Its name: the site's name, with the layout where a site has several.
    pub name: String,
    /// Index of its site in the collection.
    pub site: usize,
    /// Its pages, as indices into those of the site.
    pub pages: Vec<usize>,
}

/// The eras of one brand, the oldest first.
pub type Brand = Vec<Era>;

/// The brands of a collection that are there in several eras, by name.
pub fn brands(collection: &Collection) -> Vec<Brand> {
    let mut eras = all(collection);
    eras.retain(|eras| eras.len() > 1);
    eras
}

/// All brands of a collection, also those of one era.
pub fn all(collection: &Collection) -> Vec<Brand> {
    let mut sites: BTreeMap<&str, Vec<(i32, usize)>> = BTreeMap::new();
    for (at, site) in collection.sites().iter().enumerate() {
        let (brand, year) = brand_of(&site.name);
        sites.entry(brand).or_default().push((year, at));
    }
    let eras = sites.into_values().map(|mut of_brand| {
        of_brand.sort_unstable();
        let layouts = match of_brand[..] {
            [(_, only)] => layouts(collection, only),
            _ => Vec::new(),
        };
        if layouts.len() > 1 {
            layouts
        } else {
            of_brand
                .into_iter()
                .map(|(_, site)| Era {
                    name: collection.sites()[site].name.clone(),
                    site,
                    pages: (0..pages_of(collection, site).len()).collect(),
                })
                .collect()
        }
    });
    eras.collect()
}

fn pages_of(collection: &Collection, site: usize) -> &[GoldPage] {
    collection.pages_of(&collection.sites()[site])
}

/// The brand of a site's folder, and a number that grows with the era: the year of
/// `<brand>_<year>`, -N of `<brand>--old<N>`.
pub fn brand_of(site: &str) -> (&str, i32) {
    if let Some((brand, n)) = site.rsplit_once("--old")
        && let Ok(n) = n.parse::<u16>()
    {
        return (brand, -i32::from(n));
    }
    match site.rsplit_once('_') {
        Some((brand, year)) if year.len() == 4 => match year.parse::<u16>() {
            Ok(year) => (brand, i32::from(year)),
            Err(_) => (site, 0),
        },
        _ => (site, 0),
    }
}

/// The layouts of a site by the first day on which one was fetched.
fn layouts(collection: &Collection, site: usize) -> Brand {
    let mut layouts: BTreeMap<&str, (&str, Vec<usize>)> = BTreeMap::new();
    for (at, page) in pages_of(collection, site).iter().enumerate() {
        let gold = page.gold.as_ref();
        let layout = gold.and_then(|gold| Some((gold.layout.as_deref()?, gold)));
        let Some((layout, gold)) = layout else {
            continue;
        };
        let day = gold.crawl_date.as_deref().unwrap_or_default();
        let (first, pages) = layouts.entry(layout).or_insert((day, Vec::new()));
        *first = day.min(first);
        pages.push(at);
    }
    let mut by_day: Vec<_> = layouts.into_iter().collect();
    by_day.sort_by_key(|(layout, (day, _))| (*day, *layout));
    let name = &collection.sites()[site].name;
    by_day
        .into_iter()
        .map(|(layout, (_, pages))| Era {
            name: format!("{name} {layout}"),
            site,
            pages,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_brand_and_era() {
        for (site, brand, era) in [
            ("herald_2005", "herald", 2005),
            ("herald--old2", "herald", -2),
            ("herald", "herald", 0),
            ("the_herald", "the_herald", 0),
            ("herald_news", "herald_news", 0),
            ("herald--older", "herald--older", 0),
        ] {
            assert_eq!(brand_of(site), (brand, era), "{site}");
        }
    }
}
