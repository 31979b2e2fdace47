//! Floors: figures that must not fall, pinned with the corpus that they were
//! measured on.
//!
//! ```toml
//! version = 1
//!
//! [[collection]]
//! path = "gold"          # from the folder that the command runs in
//! sites = 14
//! pages = 140            # scored
//! corpus = "5f2a..."     # Collection::corpus_hash
//!
//! [collection.floors.paper-tfidf]
//! f1 = 0.975             # mean 2-gram F1
//! p9 = 0.951             # its 9th percentile over pages
//!
//! [[lists]]
//! path = "gold/lists"
//! sites = 13
//! one = { precision = 0.998, recall = 0.998, titles = 0.998, dates = 0.998 }
//! two = { precision = 0.998, recall = 0.998, titles = 0.998, dates = 0.998 }
//! ```

use super::Summary;
use super::lists::ListTable;
use super::table::MethodTable;
use crate::error::{ErrorKind, Result};
use forest_sources::gold::Collection;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

/// The version of the format.
const VERSION: u32 = 1;

/// The distance of a floor below the measured figure: as much as a change of no
/// importance moves it (a page of 500 by a whole point).
pub const MARGIN: f64 = 0.002;

/// The lines that a written file begins with.
const HEAD: &str = "\
# What must not fall: mean 2-gram F1 and its 9th percentile, a method and collection.
# Checked by `forest eval --gate FILE`; raised by `forest eval --gate FILE --write-floors`.
# Lowering one needs a reason in the commit.
";

/// A file of floors.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Floors {
    version: u32,
    /// The collections.
    #[serde(rename = "collection", default)]
    pub collections: Vec<Pinned>,
    /// The collections of list pages.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lists: Vec<PinnedLists>,
}

/// A collection of list pages and its floors, which are means over its sites.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PinnedLists {
    /// Its folder, from the folder that the command runs in.
    pub path: String,
    /// The number of its sites.
    pub sites: usize,
    /// The floors of wrappers learned from one snapshot.
    pub one: ListFloor,
    /// Those of wrappers learned from two.
    pub two: ListFloor,
}

/// The floors of lists, 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListFloor {
    /// Of the precision of items.
    pub precision: f64,
    /// Of their recall.
    pub recall: f64,
    /// Of the share of right titles.
    pub titles: f64,
    /// Of the share of right dates.
    pub dates: f64,
}

impl ListFloor {
    /// A floor a [`MARGIN`] below the shares, to three decimals.
    fn under(shares: [f64; 4]) -> ListFloor {
        let [precision, recall, titles, dates] = shares.map(below);
        ListFloor {
            precision,
            recall,
            titles,
            dates,
        }
    }

    /// The figures by name, in the order of `ListFigures::shares`.
    fn figures(self) -> [(&'static str, f64); 4] {
        [
            ("precision of items", self.precision),
            ("recall of items", self.recall),
            ("share of right titles", self.titles),
            ("share of right dates", self.dates),
        ]
    }
}

/// The figures of `label` that fell: each with its name, as measured, and its floor.
fn fallen(
    label: &str,
    figures: impl IntoIterator<Item = (&'static str, f64, f64)>,
) -> impl Iterator<Item = GateFault> {
    let fell = figures
        .into_iter()
        .filter(|(_, measured, floor)| measured < floor);
    fell.map(move |(figure, measured, floor)| GateFault::Fell {
        label: label.to_owned(),
        figure,
        measured,
        floor,
    })
}

/// A figure less the [`MARGIN`], to three decimals.
fn below(value: f64) -> f64 {
    ((value - MARGIN).max(0.0) * 1e3).floor() / 1e3
}

impl PinnedLists {
    /// The figures of a collection at `path`, pinned.
    pub fn of(path: &str, table: &ListTable) -> PinnedLists {
        PinnedLists {
            path: path.to_owned(),
            sites: table.sites.len(),
            one: ListFloor::under(table.macro_shares(|site| site.one)),
            two: ListFloor::under(table.macro_shares(|site| site.two)),
        }
    }

    /// The faults of its figures.
    pub fn faults(&self, table: &ListTable) -> Vec<GateFault> {
        let mut faults = Vec::new();
        let (there, pinned) = (table.sites.len(), self.sites);
        if there != pinned {
            let of = "sites";
            faults.push(GateFault::Count { of, there, pinned });
        }
        let one = table.macro_shares(|site| site.one);
        let two = table.macro_shares(|site| site.two);
        let one = ("one snapshot", one, self.one);
        for (label, shares, floor) in [one, ("two snapshots", two, self.two)] {
            let figures = shares.into_iter().zip(floor.figures());
            let figures = figures.map(|(measured, (figure, floor))| (figure, measured, floor));
            faults.extend(fallen(label, figures));
        }
        faults
    }
}

/// A collection and its floors.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pinned {
    /// Its folder, from the folder that the command runs in.
    pub path: String,
    /// The number of its sites.
    pub sites: usize,
    /// The number of its scored pages.
    pub pages: usize,
    /// Its [`corpus_hash`](forest_sources::gold::Collection::corpus_hash).
    pub corpus: String,
    /// The floors, by [`Setup::label`](super::Setup::label).
    #[serde(default)]
    pub floors: BTreeMap<String, Floor>,
}

/// The floor of a method.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Floor {
    /// Of the mean 2-gram F1.
    pub f1: f64,
    /// Of the 9th percentile of the 2-gram F1.
    pub p9: f64,
}

impl Floor {
    /// A floor a [`MARGIN`] below the figures, to three decimals.
    pub fn under(summary: &Summary) -> Floor {
        Floor {
            f1: below(summary.two_gram.mean.f1),
            p9: below(summary.two_gram.f1_percentiles[0]),
        }
    }
}

/// A fault that fails the gate.
#[derive(Debug, Clone, PartialEq)]
pub enum GateFault {
    /// A collection that the file does not have.
    Unpinned,
    /// A figure fell.
    Fell {
        /// The method.
        label: String,
        /// `mean 2-gram F1` or `9th percentile of 2-gram F1`.
        figure: &'static str,
        /// The measured figure.
        measured: f64,
        /// The pinned value.
        floor: f64,
    },
    /// The method has no page, or was not run.
    NotMeasured {
        /// The method.
        label: String,
    },
    /// The method crashed.
    Crashed {
        /// The method.
        label: String,
        /// The pages.
        ids: Vec<String>,
    },
    /// Another number of pages or sites.
    Count {
        /// `scored pages` or `sites`.
        of: &'static str,
        /// The value now.
        there: usize,
        /// The pinned value.
        pinned: usize,
    },
    /// Other bytes.
    Corpus {
        /// The hash of what is there.
        there: String,
        /// The pinned hash.
        pinned: String,
    },
}

impl fmt::Display for GateFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GateFault::Fell {
                label,
                figure,
                measured,
                floor,
            } => write!(
                f,
                "{label}: {figure} fell to {measured:.4}, below its floor of {floor:.3}"
            ),
            GateFault::NotMeasured { label } => write!(
                f,
                "{label}: has a floor but no figure: no method of this name, or no page to score"
            ),
            GateFault::Crashed { label, ids } => {
                write!(f, "{label}: crashed on {}", ids.join(", "))
            }
            GateFault::Count { of, there, pinned } => {
                write!(
                    f,
                    "{there} {of}, {pinned} are pinned: restore the collection, "
                )?;
                f.write_str("or pin it anew with --write-floors")
            }
            GateFault::Unpinned => {
                f.write_str("no floors for this path: pin them with --write-floors")
            }
            GateFault::Corpus { there, pinned } => write!(
                f,
                "the corpus has changed (hash {:.12}, pinned {:.12}): restore it, or pin it anew with --write-floors",
                there, pinned
            ),
        }
    }
}

impl Floors {
    /// Reads a file of floors.
    ///
    /// # Errors
    ///
    /// If it is no such file, or of another version.
    pub fn parse(text: &str) -> Result<Floors> {
        let bad = |reason: String| ErrorKind::FloorsFile { reason };
        let floors: Floors = toml::from_str(text).map_err(|error| {
            // One line, without the piece of the file that its `Display` draws.
            let begin = error.span().map_or(0, |span| span.start.min(text.len()));
            let line = text.as_bytes()[..begin].iter().filter(|b| **b == b'\n');
            bad(format!("line {}: {}", line.count() + 1, error.message()))
        })?;
        match floors.version {
            VERSION => Ok(floors),
            other => Err(bad(format!("version {other}, this program knows {VERSION}")).into()),
        }
    }

    /// No floors yet.
    pub fn none() -> Floors {
        Floors {
            version: VERSION,
            collections: Vec::new(),
            lists: Vec::new(),
        }
    }

    /// The faults of a collection at `path` with the figures of `table`.
    ///
    /// # Errors
    ///
    /// If its pages cannot be read.
    pub fn faults_of(
        &self,
        path: &Path,
        collection: &Collection,
        table: &MethodTable,
    ) -> Result<Vec<GateFault>> {
        let Some(pinned) = self.collections.iter().find(|c| Path::new(&c.path) == path) else {
            return Ok(vec![GateFault::Unpinned]);
        };
        let figure = |label: &str| {
            let row = table.rows.iter().find(|row| row.label == label)?;
            Some(&row.summary)
        };
        let (sites, corpus) = (collection.sites().len(), collection.corpus_hash()?);
        Ok(pinned.faults(sites, collection.scored(), &corpus, figure))
    }

    /// The faults of the lists at `path`.
    pub fn list_faults_of(&self, path: &Path, table: &ListTable) -> Vec<GateFault> {
        let pinned = self.lists.iter().find(|c| Path::new(&c.path) == path);
        pinned.map_or(vec![GateFault::Unpinned], |pinned| pinned.faults(table))
    }

    /// Pins the figures of a collection at `path`.
    ///
    /// # Errors
    ///
    /// If its pages cannot be read.
    pub fn pin_figures(
        &mut self,
        path: &str,
        collection: &Collection,
        table: &MethodTable,
    ) -> Result<()> {
        let rows = table.rows.iter();
        self.pin(Pinned {
            path: path.to_owned(),
            sites: collection.sites().len(),
            pages: collection.scored(),
            corpus: collection.corpus_hash()?,
            floors: rows
                .map(|row| (row.label.clone(), Floor::under(&row.summary)))
                .collect(),
        });
        Ok(())
    }

    /// Puts a collection of lists in the place of the one with its path, or behind all.
    pub fn pin_lists(&mut self, pinned: PinnedLists) {
        match self.lists.iter_mut().find(|c| c.path == pinned.path) {
            Some(old) => *old = pinned,
            None => self.lists.push(pinned),
        }
    }

    /// Puts a collection in the place of the one with its path, or behind all.
    pub fn pin(&mut self, pinned: Pinned) {
        match self.collections.iter_mut().find(|c| c.path == pinned.path) {
            Some(old) => *old = pinned,
            None => self.collections.push(pinned),
        }
    }
}

impl fmt::Display for Floors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = toml::to_string(self).map_err(|_| fmt::Error)?;
        write!(f, "{HEAD}{text}")
    }
}

impl Pinned {
    /// The faults of a collection with so many `sites` and scored `pages`,
    /// the hash `corpus`, and `figure(label)`. Floors are compared only where the
    /// corpus is the pinned one.
    pub fn faults<'a>(
        &self,
        sites: usize,
        pages: usize,
        corpus: &str,
        figure: impl Fn(&str) -> Option<&'a Summary>,
    ) -> Vec<GateFault> {
        let mut faults = Vec::new();
        for (of, there, pinned) in [
            ("sites", sites, self.sites),
            ("scored pages", pages, self.pages),
        ] {
            if there != pinned {
                faults.push(GateFault::Count { of, there, pinned });
            }
        }
        if corpus != self.corpus {
            faults.push(GateFault::Corpus {
                there: corpus.to_owned(),
                pinned: self.corpus.clone(),
            });
        }
        for (label, floor) in &self.floors {
            let label = label.clone();
            let Some(summary) = figure(&label) else {
                faults.push(GateFault::NotMeasured { label });
                continue;
            };
            if !summary.crashed.is_empty() {
                let ids = summary.crashed.clone();
                let label = label.clone();
                faults.push(GateFault::Crashed { label, ids });
            }
            let two_gram = &summary.two_gram;
            let figures = [
                ("mean 2-gram F1", two_gram.mean.f1, floor.f1),
                (
                    "9th percentile of 2-gram F1",
                    two_gram.f1_percentiles[0],
                    floor.p9,
                ),
            ];
            faults.extend(fallen(&label, figures));
        }
        faults
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::lists::{ListFigures, SiteLists};
    use crate::eval::{PageScore, Score};

    const FLOORS: &str = "version = 1\n[[collection]]\npath = \"gold\"\nsites = 1\npages = 2\n\
        corpus = \"abc\"\n[collection.floors.paper-tfidf]\nf1 = 0.5\np9 = 0.045\n";

    fn summary(f1s: [f64; 2]) -> Summary {
        let page = |f1| PageScore {
            id: "s/1".to_owned(),
            two_gram: Score {
                precision: f1,
                recall: f1,
                f1,
            },
            word_lcs: Score::ZERO,
            empty: false,
            crash: None,
        };
        Summary::of(&f1s.map(page)).unwrap()
    }

    /// Checks the faults of two pages with these F1, in a collection of two pages.
    fn check(f1s: [f64; 2], expected: &[&str]) {
        let floors = Floors::parse(FLOORS).unwrap();
        let summary = summary(f1s);
        let faults = floors.collections[0].faults(1, 2, "abc", |_| Some(&summary));
        let shown: Vec<String> = faults.iter().map(GateFault::to_string).collect();
        assert_eq!(shown, expected);
    }

    #[test]
    fn what_fell_is_named() {
        check([0.0, 1.0], &[]);
        check(
            [0.01, 0.981],
            &["paper-tfidf: mean 2-gram F1 fell to 0.4955, below its floor of 0.500"],
        );
        check(
            [0.0, 0.4],
            &[
                "paper-tfidf: mean 2-gram F1 fell to 0.2000, below its floor of 0.500",
                "paper-tfidf: 9th percentile of 2-gram F1 fell to 0.0360, below its floor of 0.045",
            ],
        );
    }

    #[test]
    fn lists_that_fell_are_named() {
        let figures = |found, right_dates| ListFigures {
            pages: 1,
            items: 10,
            found,
            given: 10,
            titles: found,
            right_titles: found,
            dates: 10,
            right_dates,
        };
        let table = |found, right_dates| ListTable {
            collection: "lists".to_owned(),
            sites: vec![SiteLists {
                site: "a.example".to_owned(),
                one: figures(found, right_dates),
                two: figures(10, 10),
                missed: Vec::new(),
            }],
        };
        let pinned = PinnedLists::of("lists", &table(9, 8));
        assert_eq!((pinned.one.precision, pinned.one.dates), (0.898, 0.798));
        assert_eq!(pinned.faults(&table(9, 8)), []);
        let faults = pinned.faults(&table(8, 9));
        let shown: Vec<String> = faults.iter().map(GateFault::to_string).collect();
        let fell = |what| {
            format!("one snapshot: {what} of items fell to 0.8000, below its floor of 0.898")
        };
        assert_eq!(shown, [fell("precision"), fell("recall")]);
        let mut more = table(9, 8);
        more.sites.extend(table(9, 8).sites);
        assert!(
            pinned.faults(&more)[0]
                .to_string()
                .starts_with("2 sites, 1 are pinned")
        );
        let mut floors = Floors::parse(FLOORS).unwrap();
        floors.pin_lists(pinned.clone());
        floors.pin_lists(pinned);
        assert_eq!(Floors::parse(&floors.to_string()).unwrap(), floors);
        assert_eq!(floors.lists.len(), 1);
    }

    #[test]
    fn another_corpus_is_a_fault() {
        let floors = Floors::parse(FLOORS).unwrap();
        let summary = summary([1.0, 1.0]);
        let faults = floors.collections[0].faults(1, 3, "abd", |_| Some(&summary));
        assert_eq!(faults.len(), 2);
        assert!(
            faults[0]
                .to_string()
                .starts_with("3 scored pages, 2 are pinned")
        );
        assert!(faults[1].to_string().contains("hash abd, pinned abc"));
    }

    #[test]
    fn a_crash_and_a_missing_method_are_faults() {
        let floors = Floors::parse(FLOORS).unwrap();
        let crashed = Summary::of(&[PageScore::crashed("s/2", "stack")]).unwrap();
        let faults = floors.collections[0].faults(1, 2, "abc", |_| Some(&crashed));
        assert_eq!(faults[0].to_string(), "paper-tfidf: crashed on s/2");
        let faults = floors.collections[0].faults(1, 2, "abc", |_| None);
        assert!(matches!(&faults[..], [GateFault::NotMeasured { .. }]));
    }

    #[test]
    fn floors_are_a_hair_under_and_read_back() {
        let floor = Floor::under(&summary([0.0, 1.0]));
        assert_eq!(
            floor,
            Floor {
                f1: 0.498,
                p9: 0.088
            }
        );
        assert_eq!(
            Floor::under(&summary([0.0, 0.0])),
            Floor { f1: 0.0, p9: 0.0 }
        );
        let mut floors = Floors::parse(FLOORS).unwrap();
        assert_eq!(Floors::parse(&floors.to_string()).unwrap(), floors);
        let pinned = Pinned {
            pages: 9,
            ..floors.collections[0].clone()
        };
        floors.pin(pinned.clone());
        floors.pin(Pinned {
            path: "other".to_owned(),
            ..pinned
        });
        assert_eq!(
            floors
                .collections
                .iter()
                .map(|c| c.pages)
                .collect::<Vec<_>>(),
            [9, 9]
        );
    }

    #[test]
    fn other_versions_and_other_files_are_refused() {
        let refused = |text: &str| Floors::parse(text).unwrap_err().to_string();
        assert!(refused("version = 2").contains("version 2"));
        assert!(refused("x = 1").contains("floors"));
        let shown = refused("version = 1\nx y\n");
        assert!(
            shown.contains("line 2: ") && !shown.contains('\n'),
            "{shown}"
        );
        assert!(refused(&FLOORS.replace("p9", "p8")).contains("p8"));
    }
}
