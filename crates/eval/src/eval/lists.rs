//! Lists of articles over collections of list pages.
//!
//! The wrapper of a list is learned from the first snapshot of its page, and from the first two
//! where there are more than one, and is applied to all of them.

use super::table::six;
use crate::error::Result;
use chrono::{DateTime, NaiveDate};
use forest_core::extract::list::{ListExtractor, ListItem};
use forest_core::learn::list::{ListOptions, learn};
use forest_html::address::page_key;
use forest_html::page::Page;
use forest_html::text::same_words;
use forest_sources::gold::lists::{GoldList, ListCollection, ListSite, ListSnapshot, TrueItem};
use rayon::prelude::*;
use serde::Serialize;
use std::collections::HashMap;
use std::fmt;
use std::path::Path;

/// Days by which two dates may differ: those of a feed carry its zone, those of a page do not.
const DAYS: i64 = 1;

/// The figures of a site, or of all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct ListFigures {
    /// Pages that a wrapper was applied to.
    pub pages: usize,
    /// Items that there are.
    pub items: usize,
    /// Items that were found, by their links.
    pub found: usize,
    /// Items that were given.
    pub given: usize,
    /// Titles that there are among the items found.
    pub titles: usize,
    /// Those that were given, word for word.
    pub right_titles: usize,
    /// Dates that there are among the items found.
    pub dates: usize,
    /// Those that were given, give or take a day.
    pub right_dates: usize,
}

/// The figures of a site by one snapshot and by two.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SiteLists {
    /// The site.
    pub site: String,
    /// Learned from the first snapshot of each page.
    pub one: ListFigures,
    /// Learned from the first two, of pages that have as many.
    pub two: ListFigures,
    /// Pages whose items were not all found, or not them alone: snapshot, page, and the
    /// expression of the items.
    pub missed: Vec<String>,
}

/// The lists of a collection.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ListTable {
    /// The collection.
    pub collection: String,
    /// Its sites.
    pub sites: Vec<SiteLists>,
}

/// Learns and applies the wrappers of all lists in a folder.
///
/// # Errors
///
/// If the folder or one of its files cannot be read.
pub fn lists(dir: &Path) -> Result<ListTable> {
    let gold = ListCollection::open(dir)?;
    let of_site =
        |site: &ListSite| -> Result<SiteLists> { Ok(scored(&site.name(), &site.read()?)) };
    let scored: Result<Vec<SiteLists>> = gold.sites().par_iter().map(of_site).collect();
    Ok(ListTable {
        collection: gold.name().to_owned(),
        sites: scored?,
    })
}

fn scored(site: &str, lists: &[GoldList]) -> SiteLists {
    let mut out = SiteLists {
        site: site.to_owned(),
        one: ListFigures::default(),
        two: ListFigures::default(),
        missed: Vec::new(),
    };
    for list in lists {
        let parsed = list
            .snapshots
            .iter()
            .map(|snapshot| (snapshot, snapshot.parse()));
        let snapshots: Vec<(&ListSnapshot, Page)> = parsed.collect();
        for (learned_from, is_one) in [(1, true), (2, false)] {
            if snapshots.len() < learned_from {
                continue;
            }
            let sample: Vec<&Page> = snapshots[..learned_from]
                .iter()
                .map(|(_, page)| page)
                .collect();
            let learned = learn(&sample, &ListOptions::default());
            let extractor = learned
                .wrapper
                .and_then(|wrapper| ListExtractor::new(wrapper).ok());
            for (snapshot, page) in &snapshots {
                let items = extractor.as_ref().map(|e| e.apply(page).items);
                let figures = ListFigures::of(&snapshot.items, &items.unwrap_or_default());
                if is_one && !figures.is_perfect() {
                    let xpath = extractor.as_ref().map_or("", |e| &e.wrapper().item);
                    out.missed.push(format!(
                        "{}/{}: {figures}: {xpath}",
                        snapshot.day, list.page
                    ));
                }
                let sum = if is_one { &mut out.one } else { &mut out.two };
                sum.add(&figures);
            }
        }
    }
    out
}

impl ListFigures {
    fn of(truth: &[TrueItem], given: &[ListItem]) -> ListFigures {
        let by_key: HashMap<String, &ListItem> = given
            .iter()
            .map(|item| (page_key(&item.url), item))
            .collect();
        let mut out = ListFigures {
            pages: 1,
            items: truth.len(),
            given: given.len(),
            ..ListFigures::default()
        };
        for item in truth {
            let Some(found) = by_key.get(&page_key(&item.link)) else {
                continue;
            };
            out.found += 1;
            if let Some(title) = item.title.as_deref().filter(|title| !title.is_empty()) {
                out.titles += 1;
                let is_right = found
                    .title
                    .as_deref()
                    .is_some_and(|own| same_words(own, title));
                out.right_titles += usize::from(is_right);
            }
            if let Some(day) = item.date.as_deref().and_then(day) {
                out.dates += 1;
                let own = found.date.as_deref().and_then(self::day);
                let is_right = own.is_some_and(|own| (own - day).num_days().abs() <= DAYS);
                out.right_dates += usize::from(is_right);
            }
        }
        out
    }

    fn add(&mut self, other: &ListFigures) {
        self.pages += other.pages;
        self.items += other.items;
        self.found += other.found;
        self.given += other.given;
        self.titles += other.titles;
        self.right_titles += other.right_titles;
        self.dates += other.dates;
        self.right_dates += other.right_dates;
    }

    fn is_perfect(&self) -> bool {
        self.found == self.items
            && self.given == self.items
            && self.right_titles == self.titles
            && self.right_dates == self.dates
    }

    /// Precision and recall of the items; shares of right titles and dates among the items
    /// that were found.
    pub fn shares(&self) -> [f64; 4] {
        let share = |part: usize, of: usize| match of {
            0 => 1.0,
            of => part as f64 / of as f64,
        };
        [
            share(self.found, self.given),
            share(self.found, self.items),
            share(self.right_titles, self.titles),
            share(self.right_dates, self.dates),
        ]
    }
}

fn day(date: &str) -> Option<NaiveDate> {
    let time = DateTime::parse_from_rfc3339(date)
        .ok()
        .map(|time| time.date_naive());
    time.or_else(|| date.get(..10)?.parse().ok())
}

impl fmt::Display for ListFigures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [p, r, t, d] = self.shares();
        write!(f, "P {p:.3} R {r:.3} titles {t:.3} dates {d:.3}")
    }
}

impl ListTable {
    /// The figures of all items together.
    pub fn micro(&self, of: impl Fn(&SiteLists) -> ListFigures) -> ListFigures {
        let mut sum = ListFigures::default();
        self.sites.iter().for_each(|site| sum.add(&of(site)));
        sum
    }

    /// The means of the sites' shares.
    pub fn macro_shares(&self, of: impl Fn(&SiteLists) -> ListFigures) -> [f64; 4] {
        let sites: Vec<[f64; 4]> = self
            .sites
            .iter()
            .map(of)
            .filter(|f| f.pages > 0)
            .map(|f| f.shares())
            .collect();
        let n = sites.len().max(1) as f64;
        std::array::from_fn(|i| sites.iter().map(|shares| shares[i]).sum::<f64>() / n)
    }

    /// The table as JSON.
    pub fn json(&self) -> serde_json::Value {
        let shares = |of: fn(&SiteLists) -> ListFigures| {
            let [p, r, t, d] = self.macro_shares(of).map(six);
            let [mp, mr, mt, md] = self.micro(of).shares().map(six);
            serde_json::json!({
                "precision": p, "recall": r, "titles": t, "dates": d,
                "micro": {"precision": mp, "recall": mr, "titles": mt, "dates": md},
            })
        };
        serde_json::json!({
            "collection": self.collection,
            "one_snapshot": shares(|site| site.one),
            "two_snapshots": shares(|site| site.two),
            "sites": self.sites,
        })
    }

    /// The figures of each site, with the pages that were not right.
    pub fn by_site(&self) -> String {
        let mut out = String::new();
        for site in &self.sites {
            out.push_str(&format!("{}: {}\n", site.site, site.one));
            for missed in &site.missed {
                out.push_str(&format!("  {missed}\n"));
            }
        }
        out
    }
}

impl fmt::Display for ListTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: {} sites", self.collection, self.sites.len())?;
        writeln!(
            f,
            "| learned from | pages | items | | precision | recall | titles | dates |"
        )?;
        writeln!(f, "| --- | --- | --- | --- | --- | --- | --- | --- |")?;
        for (name, of) in [
            (
                "one snapshot",
                (|site| site.one) as fn(&SiteLists) -> ListFigures,
            ),
            ("two snapshots", |site| site.two),
        ] {
            let all = self.micro(of);
            for (mean, [p, r, t, d]) in [("items", all.shares()), ("sites", self.macro_shares(of))]
            {
                writeln!(
                    f,
                    "| {name} | {} | {} | {mean} | {p:.3} | {r:.3} | {t:.3} | {d:.3} |",
                    all.pages, all.items
                )?;
            }
        }
        Ok(())
    }
}
