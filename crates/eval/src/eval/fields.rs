//! The share of right fields: title, date and authors against the gold's.
//!
//! The gold's dates and authors are as their source wrote them, so both sides are
//! normalised before they are compared:
//!
//! - a **title** is its words ([`metric_words`]): case, white space and
//!   punctuation do not count;
//! - a **date** is right if it is on the day that the gold's date has, in the zone
//!   that either is written in or in UTC. Where the gold's is in UTC, as feeds are
//!   that have lost the site's zone, and the page's has no time, it is right if the
//!   gold's moment falls on the page's day somewhere (UTC-12 to UTC+14);
//! - **authors** are the set of their names, each as its words. A gold that has
//!   several lines or addresses in it (a feed's `author` element with children) is
//!   met by one of its lines, too.

use super::setup::{Setup, Split};
use super::site::EvalSite;
use crate::error::Result;
use chrono::{DateTime, FixedOffset};
use forest_core::extract::{Article, Extractor, Options, article};
use forest_core::learn::{LearnOutcome, SamplePage, learn_from};
use forest_html::error::counted;
use forest_html::page::Mask;
use forest_html::page::metadata::{Date, names, same_day};
use forest_html::text::{metric_words, same_words};
use forest_sources::gold::{Collection, Gold};
use rayon::prelude::*;
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A field over the pages of a collection.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct FieldCount {
    /// Pages whose gold has it.
    pub gold: usize,
    /// Of these, pages for which something was given.
    pub given: usize,
    /// Of these, pages for which it was right.
    pub right: usize,
}

impl FieldCount {
    fn add(&mut self, given: bool, right: bool) {
        self.gold += 1;
        self.given += usize::from(given);
        self.right += usize::from(right);
    }

    fn plus(self, other: FieldCount) -> FieldCount {
        FieldCount {
            gold: self.gold + other.gold,
            given: self.given + other.given,
            right: self.right + other.right,
        }
    }

    /// `right` and `given` of the pages whose gold has the field; `None` where no
    /// page has.
    pub fn shares(&self) -> Option<[f64; 2]> {
        let of_gold = |pages: usize| pages as f64 / self.gold as f64;
        (self.gold > 0).then(|| [of_gold(self.right), of_gold(self.given)])
    }
}

/// The fields over the pages of a collection or of a site.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct FieldCounts {
    /// The title.
    pub title: FieldCount,
    /// The day of publication.
    pub date: FieldCount,
    /// The authors.
    pub author: FieldCount,
}

impl FieldCounts {
    fn plus(self, other: FieldCounts) -> FieldCounts {
        FieldCounts {
            title: self.title.plus(other.title),
            date: self.date.plus(other.date),
            author: self.author.plus(other.author),
        }
    }

    fn add(&mut self, gold: &Gold, article: &Article) {
        let right = RightFields::of(gold, article);
        let counts = [
            (&mut self.title, right.title, article.title.is_some()),
            (&mut self.date, right.date, article.date_published.is_some()),
            (&mut self.author, right.author, !article.authors.is_empty()),
        ];
        for (count, right, given) in counts {
            if let Some(right) = right {
                count.add(given, right);
            }
        }
    }
}

/// True for each field of an article that is the gold's; `None` if the gold has none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RightFields {
    /// The title.
    pub title: Option<bool>,
    /// The day of publication.
    pub date: Option<bool>,
    /// The authors.
    pub author: Option<bool>,
}

impl RightFields {
    /// Compares an article with the gold of its page.
    pub fn of(gold: &Gold, article: &Article) -> RightFields {
        let title = gold.title.as_deref().filter(|t| !t.trim().is_empty());
        let given = article.title.as_deref();
        let date = gold.published.as_deref().and_then(moment);
        let day = article.date_published.as_deref().and_then(moment);
        let is_named = gold.authors.iter().any(|name| !name.trim().is_empty());
        RightFields {
            title: title.map(|title| given.is_some_and(|given| same_words(title, given))),
            date: date.map(|right| day.is_some_and(|given| same_day(right, given))),
            author: is_named.then(|| same_authors(&gold.authors, &article.authors)),
        }
    }
}

/// The fields of one site, from the page's metadata alone and as extracted.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SiteFields {
    /// The site.
    pub site: String,
    /// From each page's own metadata.
    pub metadata: FieldCounts,
    /// With the wrapper that was learned of the site; where none was, metadata.
    pub learned: FieldCounts,
}

/// The fields of a collection's sites. [`fmt::Display`] is a table of two lines.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FieldTable {
    /// The collection.
    pub name: String,
    /// The method of the wrappers.
    pub label: String,
    /// Its sites, those without a scored page left out.
    pub sites: Vec<SiteFields>,
}

/// Learns each site of a collection as `setup` has it and compares the fields of its
/// scored pages with the gold. The learner sees the site's feed alone, no fields of the
/// gold. `done` is called after each site.
///
/// # Errors
///
/// If a file of the collection cannot be read.
pub fn fields(
    collection: &Collection,
    setup: &Setup,
    done: &(dyn Fn() + Sync),
) -> Result<FieldTable> {
    let sites: Result<Vec<SiteFields>> = collection
        .sites()
        .par_iter()
        .map(|site| {
            let pages = EvalSite::read_with_feed(collection, site)?;
            let fields = of_site(&site.name, &pages, setup);
            done();
            Ok(fields)
        })
        .collect();
    let mut sites = sites?;
    sites.retain(|site| site.metadata.title.gold > 0);
    Ok(FieldTable {
        name: collection.name().to_owned(),
        label: setup.label(),
        sites,
    })
}

fn of_site(name: &str, site: &EvalSite, setup: &Setup) -> SiteFields {
    let mut out = SiteFields {
        site: name.to_owned(),
        metadata: FieldCounts::default(),
        learned: FieldCounts::default(),
    };
    let options = Options::default();
    let Split { train, test } = setup.split(site.samples().len());
    let sample: Vec<&SamplePage> = site.samples()[train].iter().collect();
    let learning = setup.options.clone().with_any_host(true);
    // A crash counts as nothing learned, as in the table of texts.
    let learn = || match learn_from(&sample, &learning) {
        LearnOutcome::Learned(learned) => Extractor::new(learned.wrapper).ok(),
        LearnOutcome::Abstained(_) => None,
    };
    let extractor = catch_unwind(AssertUnwindSafe(learn)).ok().flatten();
    for (sample, gold) in site.scored(test) {
        let page = &sample.page;
        let plain = article(page, &Mask::none(page), &options);
        out.metadata.add(gold, &plain);
        let learned = match &extractor {
            Some(extractor) => extractor.extract(page, &options),
            None => plain,
        };
        out.learned.add(gold, &learned);
    }
    out
}

/// The moment of a date.
fn moment(raw: &str) -> Option<DateTime<FixedOffset>> {
    DateTime::parse_from_rfc3339(&Date::read(raw).rfc3339?).ok()
}

fn same_authors(gold: &[String], given: &[String]) -> bool {
    let set = |names: Vec<String>| -> BTreeSet<String> {
        names.iter().map(|n| metric_words(n)).collect()
    };
    let given = set(given.to_vec());
    let all = |text: &str| set(names(text));
    let whole: BTreeSet<String> = gold.iter().flat_map(|text| all(text)).collect();
    if given.is_empty() {
        return false;
    }
    let lines = gold.iter().flat_map(|text| text.lines());
    given == whole || lines.map(all).any(|line| line == given)
}

impl fmt::Display for FieldTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sum = |of: fn(&SiteFields) -> FieldCounts| {
            let counts = self.sites.iter().map(of);
            counts.fold(FieldCounts::default(), FieldCounts::plus)
        };
        let (metadata, learned) = (sum(|s| s.metadata), sum(|s| s.learned));
        let rows = [("metadata", metadata), (&*self.label, learned)];
        let sites = counted(self.sites.len(), "site", "sites");
        writeln!(f, "{}: {sites}", self.name)?;
        write_rows(f, &rows)
    }
}

impl FieldTable {
    /// A table of the sites, with the method's wrappers.
    pub fn by_site(&self) -> impl fmt::Display {
        struct BySite<'a>(&'a FieldTable);
        impl fmt::Display for BySite<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let sites = self.0.sites.iter();
                let rows: Vec<_> = sites.map(|s| (&*s.site, s.learned)).collect();
                write_rows(f, &rows)
            }
        }
        BySite(self)
    }
}

/// Right and given in thousandths, and the pages whose gold has the field.
fn write_rows(f: &mut fmt::Formatter<'_>, rows: &[(&str, FieldCounts)]) -> fmt::Result {
    let width = rows.iter().map(|(label, _)| label.chars().count()).max();
    let width = width.unwrap_or(0);
    write!(f, "{:width$}", "")?;
    for field in ["title", "date", "author"] {
        write!(f, "  {field:<6} right given pages")?;
    }
    writeln!(f)?;
    for (label, counts) in rows {
        write!(f, "{label:width$}")?;
        for count in [counts.title, counts.date, counts.author] {
            let [right, given] = match count.shares() {
                Some(shares) => shares.map(|share| format!("{share:.3}")),
                None => ["-", "-"].map(str::to_owned),
            };
            write!(f, "  {:6} {right:>5} {given:>5} {:>5}", "", count.gold)?;
        }
        writeln!(f)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use forest_core::learn::{Method, SignifierSource};

    fn counts(gold: [&str; 3], given: [&str; 3]) -> String {
        let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let gold = Gold {
            title: some(gold[0]),
            published: some(gold[1]),
            authors: some(gold[2]).into_iter().collect(),
            ..Gold::default()
        };
        let article = Article {
            title: some(given[0]),
            date_published: some(given[1]),
            authors: some(given[2]).into_iter().collect(),
            ..Article::default()
        };
        let mut counts = FieldCounts::default();
        counts.add(&gold, &article);
        let all = [counts.title, counts.date, counts.author];
        all.map(|c| format!("{}{}{}", c.gold, c.given, c.right))
            .join(" ")
    }

    #[test]
    fn fields_are_compared_after_normalising() {
        let check = |gold, given, expected| assert_eq!(counts(gold, given), expected);
        let day = "Tue, 05 Mar 2024 10:30:00 +0100";
        check(
            ["A \u{201c}b\u{201d}", day, "Jane Doe"],
            ["a 'B'", "2024-03-05T00:00:00Z", "jane doe"],
            "111 111 111",
        );
        check(
            ["A b", day, "Jane Doe"],
            ["A", "2024-03-06T00:00:00Z", "Jane"],
            "110 110 110",
        );
        check(["A b", day, "Jane Doe"], ["", "", ""], "100 100 100");
        check(
            ["", "", ""],
            ["A", "2024-03-06T00:00:00Z", "Jane"],
            "000 000 000",
        );
        check(["!", "no date", " "], ["?", "", ""], "110 000 000");
    }

    #[test]
    fn a_gold_moment_in_utc_may_fall_on_the_day_that_the_site_shows() {
        let date = |gold, given| counts(["", gold, ""], ["", given, ""]);
        let night = "Wed, 14 Feb 2024 23:00:00 GMT";
        assert_eq!(date(night, "2024-02-15T00:00:00Z"), "000 111 000");
        assert_eq!(date(night, "2024-02-15T00:00:00+01:00"), "000 111 000");
        assert_eq!(date(night, "2024-02-15T09:00:00Z"), "000 110 000");
        assert_eq!(date(night, "2024-02-16T00:00:00Z"), "000 110 000");
    }

    #[test]
    fn one_line_of_an_author_with_many_will_do() {
        let author = |gold, given| counts(["", "", gold], ["", "", given]);
        let lines = "https://a.example/jane.png\n Jane\n Doe\n jdoe\n Jane Doe";
        assert_eq!(author(lines, "Jane Doe"), "000 000 111");
        assert_eq!(author(lines, "John Doe"), "000 000 110");
        assert_eq!(author("Jane Doe and John Roe", "Jane Doe"), "000 000 110");
    }

    #[test]
    fn the_table_of_the_project_s_own_sites() {
        let collection =
            Collection::open(concat!(env!("CARGO_MANIFEST_DIR"), "/../../gold")).expect("gold");
        let setup = Setup::of(Method::PaperNoDfs, SignifierSource::TfIdf).unseen(5);
        let table = fields(&collection, &setup, &|| {}).expect("readable gold");
        assert_eq!(table.sites.len(), collection.sites().len());
        for site in &table.sites {
            assert!(
                site.learned.title.right >= site.metadata.title.right,
                "{site:?}"
            );
            assert!(site.learned.title.gold > 0, "{site:?}");
        }
        let shown = table.to_string();
        let head = format!("gold: {}", counted(table.sites.len(), "site", "sites"));
        assert!(shown.starts_with(&head), "{shown}");
        assert!(
            shown.contains("\nmetadata          ") && shown.contains("\npaper-nodfs-tfidf "),
            "{shown}"
        );
        assert_eq!(
            table.by_site().to_string().lines().count(),
            table.sites.len() + 1
        );
    }
}
