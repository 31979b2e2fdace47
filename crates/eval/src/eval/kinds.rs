//! Kinds of pages: which pages are named right, and the text of each kind.
//!
//! The right kind is the gold's `page_type`, `article` where it names none. Texts are scored as
//! WCXB does: by their words ([`Score::of_words`]), means over the pages of a kind, and the mean of
//! these means, so that a rare kind counts as much as a frequent one.

use super::Score;
use super::site::EvalSite;
use crate::error::Result;
use forest_core::extract::{Options, one_page};
use forest_core::kind::{KindModel, PageKind};
use forest_sources::gold::Collection;
use rayon::prelude::*;
use serde::Serialize;
use std::fmt;

/// A page: its kind, the kind that the program names, and its text.
#[derive(Debug, Clone, PartialEq)]
struct KindPage {
    id: String,
    right: PageKind,
    /// `None`: a wall, an error page, an empty shell.
    named: Option<PageKind>,
    score: Score,
    has_text: bool,
    is_trained_on: bool,
}

/// The pages of a kind.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct KindFigures {
    /// The kind; `None` for the means over kinds.
    pub kind: Option<&'static str>,
    /// Its pages.
    pub pages: usize,
    /// Those of them that the program names so.
    pub named_right: usize,
    /// Those of them without text.
    pub without_text: usize,
    /// Mean precision, recall and F1 of the words.
    pub precision: f64,
    /// See `precision`.
    pub recall: f64,
    /// See `precision`.
    pub f1: f64,
}

/// A page that is named wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MisnamedPage {
    /// `<site>/<page>`.
    pub id: String,
    /// Its kind.
    pub right: &'static str,
    /// The kind that the program names; `None`: a wall, an error page, an empty shell.
    pub named: Option<&'static str>,
}

/// The kinds of a collection.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct KindTable {
    /// The collection.
    pub collection: String,
    /// A row a kind, and the means.
    pub rows: Vec<KindFigures>,
    /// Pages that the trees of kinds were trained on.
    pub trained_on: usize,
    /// The pages that are named wrong.
    pub misnamed: Vec<MisnamedPage>,
}

/// The kind and the text of each page of a collection, each read by itself. `done` is called after each site.
///
/// # Errors
///
/// If a file of the collection cannot be read.
pub fn kinds(collection: &Collection, done: &(dyn Fn() + Sync)) -> Result<KindTable> {
    let sites = collection.sites().par_iter().map(|site| {
        let read = EvalSite::read(collection, site)?;
        let of_site = pages_of(&read);
        done();
        Ok(of_site)
    });
    let pages: Vec<Vec<KindPage>> = sites.collect::<Result<_>>()?;
    let pages = pages.concat();
    let mut rows: Vec<KindFigures> = PageKind::ALL
        .into_iter()
        .filter_map(|kind| KindFigures::of(kind, &pages))
        .collect();
    rows.extend(KindFigures::mean(&rows));
    let misnamed = pages.iter().filter(|page| !page.is_named_right());
    Ok(KindTable {
        collection: collection.name().to_owned(),
        rows,
        trained_on: pages.iter().filter(|page| page.is_trained_on).count(),
        misnamed: misnamed.map(KindPage::misnamed).collect(),
    })
}

fn pages_of(site: &EvalSite) -> Vec<KindPage> {
    let corpus = KindModel::shipped().corpus();
    let pages = site
        .samples()
        .iter()
        .enumerate()
        .filter_map(|(at, sample)| {
            let page = site.page(at);
            let gold = page.gold.as_ref()?;
            let right = match &gold.page_type {
                None => PageKind::Article,
                Some(name) => PageKind::named(name)?,
            };
            let read = one_page(&sample.page, &Options::default());
            let scores = gold
                .refs
                .iter()
                .map(|gold| Score::of_words(&read.text, gold));
            Some(KindPage {
                id: page.id.clone(),
                right,
                named: read.kind,
                score: scores
                    .max_by(|a, b| a.f1.total_cmp(&b.f1))
                    .unwrap_or_default(),
                has_text: !read.text.is_empty(),
                is_trained_on: corpus.has(page.digest),
            })
        });
    pages.collect()
}

impl KindPage {
    fn is_named_right(&self) -> bool {
        self.named == Some(self.right)
    }

    fn misnamed(&self) -> MisnamedPage {
        MisnamedPage {
            id: self.id.clone(),
            right: self.right.name(),
            named: self.named.map(PageKind::name),
        }
    }
}

impl KindFigures {
    fn of(kind: PageKind, pages: &[KindPage]) -> Option<KindFigures> {
        let of_kind = pages.iter().filter(|page| page.right == kind);
        let of_kind: Vec<&KindPage> = of_kind.collect();
        let count = |is: fn(&KindPage) -> bool| of_kind.iter().filter(|page| is(page)).count();
        let mean = |of: fn(&Score) -> f64| {
            of_kind.iter().map(|page| of(&page.score)).sum::<f64>() / of_kind.len() as f64
        };
        (!of_kind.is_empty()).then(|| KindFigures {
            kind: Some(kind.name()),
            pages: of_kind.len(),
            named_right: count(KindPage::is_named_right),
            without_text: count(|page| !page.has_text),
            precision: mean(|score| score.precision),
            recall: mean(|score| score.recall),
            f1: mean(|score| score.f1),
        })
    }

    /// The means of rows; `None` without rows.
    fn mean(rows: &[KindFigures]) -> Option<KindFigures> {
        let sum = |of: fn(&KindFigures) -> usize| rows.iter().map(of).sum::<usize>();
        let mean =
            |of: fn(&KindFigures) -> f64| rows.iter().map(of).sum::<f64>() / rows.len() as f64;
        (!rows.is_empty()).then(|| KindFigures {
            kind: None,
            pages: sum(|row| row.pages),
            named_right: sum(|row| row.named_right),
            without_text: sum(|row| row.without_text),
            precision: mean(|row| row.precision),
            recall: mean(|row| row.recall),
            f1: mean(|row| row.f1),
        })
    }
}

impl fmt::Display for KindTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<14} pages named right no text |     P     R    F1  ({})",
            "kind", self.collection
        )?;
        for row in &self.rows {
            writeln!(
                f,
                "{:<14} {:>5} {:>11} {:>7} | {:.3} {:.3} {:.3}",
                row.kind.unwrap_or("mean of kinds"),
                row.pages,
                row.named_right,
                row.without_text,
                row.precision,
                row.recall,
                row.f1
            )?;
        }
        if self.trained_on > 0 {
            let pages = self.rows.last().map_or(0, |row| row.pages);
            writeln!(
                f,
                "note: the trees of kinds were trained on {} of {pages} pages: the figures are too good",
                self.trained_on
            )?;
        }
        Ok(())
    }
}

impl KindTable {
    /// A line a page that is named wrong.
    pub fn by_site(&self) -> impl fmt::Display {
        let lines = self.misnamed.iter().map(|page| {
            let named = page.named.unwrap_or("nothing");
            format!("{}: {}, named {named}\n", page.id, page.right)
        });
        lines.collect::<String>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_has_a_row_and_counts_as_much_as_another() {
        let page = |id: &str, right, named, f1| KindPage {
            id: id.to_owned(),
            right,
            named: Some(named),
            score: Score { f1, ..Score::ZERO },
            has_text: f1 > 0.0,
            is_trained_on: false,
        };
        let pages = [
            page("a/1", PageKind::Forum, PageKind::Forum, 1.0),
            page("a/2", PageKind::Forum, PageKind::Article, 0.0),
            page("a/3", PageKind::Listing, PageKind::Listing, 0.9),
        ];
        let forum = KindFigures::of(PageKind::Forum, &pages).expect("forums");
        assert_eq!(
            (forum.pages, forum.named_right, forum.without_text),
            (2, 1, 1)
        );
        assert_eq!(KindFigures::of(PageKind::Service, &pages), None);
        let listing = KindFigures::of(PageKind::Listing, &pages).expect("a list");
        let mean = KindFigures::mean(&[forum, listing]).expect("rows");
        assert_eq!((mean.pages, mean.named_right), (3, 2));
        assert!((mean.f1 - 0.7).abs() < 1e-12);
    }

    #[test]
    fn the_projects_own_articles_are_articles() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../gold");
        let collection = Collection::open(folder).expect("gold");
        let table = kinds(&collection, &|| {}).expect("readable gold");
        let articles = &table.rows[0];
        assert_eq!(articles.kind, Some("article"));
        assert!(articles.named_right * 10 > articles.pages * 9, "{table}");
        assert_eq!(
            table.by_site().to_string().lines().count(),
            table.misnamed.len()
        );
        assert!(table.to_string().contains("mean of kinds"), "{table}");
    }
}
