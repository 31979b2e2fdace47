//! Counts of right and wrong answers.

use super::labelled::LabelledTable;
use forest_eval::eval::six;
use forest_html::error::counted;
use forest_text::prose::table::CellClass;
use forest_text::prose::table::classify::{DATA_FROM, classes_by, data_likelihood};
use forest_text::prose::table::trees::TableTrees;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt::{self, Write};

/// The number of answers by right class and answered class: `counts[right][answer]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Confusion {
    names: &'static [&'static str],
    counts: Vec<Vec<u32>>,
}

impl Confusion {
    /// No answers yet, for classes with these names.
    pub fn new(names: &'static [&'static str]) -> Confusion {
        Confusion {
            names,
            counts: vec![vec![0; names.len()]; names.len()],
        }
    }

    /// Counts an answer.
    pub fn add(&mut self, right: usize, answer: usize) {
        self.counts[right][answer] += 1;
    }

    /// Counts the answers for cells; those without a right class are left out.
    pub fn add_cells(&mut self, right: &[Option<CellClass>], answers: &[CellClass]) {
        let place = |class: CellClass| {
            let mut all = CellClass::ALL.into_iter();
            all.position(|other| other == class).unwrap_or_default()
        };
        for (right, answer) in right.iter().zip(answers) {
            if let Some(right) = *right {
                self.add(place(right), place(*answer));
            }
        }
    }

    /// Adds another one's counts.
    pub fn add_all(&mut self, other: &Confusion) {
        for (own, other) in self.counts.iter_mut().zip(&other.counts) {
            for (own, other) in own.iter_mut().zip(other) {
                *own += other;
            }
        }
    }

    /// The share of right answers, from 0 to 1; 0 without answers.
    pub fn share_right(&self) -> f64 {
        let right: u32 = (0..self.counts.len())
            .map(|class| self.counts[class][class])
            .sum();
        let all: u32 = self.counts.iter().flatten().sum();
        f64::from(right) / f64::from(all.max(1))
    }

    /// Precision, recall and F1 of a class. Where nothing was answered with it or
    /// nothing is of it, the figure that has no meaning is 0.
    pub fn figures(&self, class: usize) -> [f64; 3] {
        let right = f64::from(self.counts[class][class]);
        let of_class: u32 = self.counts[class].iter().sum();
        let answered: u32 = self.counts.iter().map(|row| row[class]).sum();
        let share = |of: f64| if of > 0.0 { right / of } else { 0.0 };
        let (of_class, answered) = (f64::from(of_class), f64::from(answered));
        let both = of_class + answered;
        let f1 = if both > 0.0 { 2.0 * right / both } else { 0.0 };
        [share(answered), share(of_class), f1]
    }

    /// The figures as JSON: an object a class.
    pub fn json(&self) -> Value {
        let mut out = Map::new();
        for (class, name) in self.names.iter().enumerate() {
            let [precision, recall, f1] = self.figures(class).map(six);
            let figures = json!({"precision": precision, "recall": recall, "f1": f1});
            out.insert((*name).to_owned(), figures);
        }
        Value::Object(out)
    }
}

impl fmt::Display for Confusion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.names.iter().map(|name| name.len()).max().unwrap_or(0);
        let mut head = format!("{:width$}", "");
        for name in self.names {
            let _ = write!(head, "  {name:>8}");
        }
        writeln!(f, "{head}  precision  recall     f1")?;
        for (class, name) in self.names.iter().enumerate() {
            write!(f, "{name:width$}")?;
            for (count, head) in self.counts[class].iter().zip(self.names) {
                write!(f, "  {count:>width$}", width = head.len().max(8))?;
            }
            let [precision, recall, f1] = self.figures(class);
            writeln!(f, "      {precision:.3}   {recall:.3}  {f1:.3}")?;
        }
        Ok(())
    }
}

/// Names of the classes of tables.
const TABLE_CLASSES: [&str; 2] = ["data", "layout"];

/// Names of the classes of cells, in the order of [`CellClass::ALL`].
pub const CELL_CLASSES: [&str; 6] = [
    "header",
    "data",
    "neutral",
    "finalImportant",
    "finalNonImportant",
    "thema",
];

/// The answers of trees for labelled tables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableScores {
    /// Data or layout.
    pub tables: Confusion,
    /// The same of those about which their reader was sure.
    pub certain: Confusion,
    /// The classes of the cells of data tables with labelled cells.
    pub cells: Confusion,
    /// The same by host.
    pub hosts: BTreeMap<String, Confusion>,
}

impl Default for TableScores {
    fn default() -> Self {
        TableScores {
            tables: Confusion::new(&TABLE_CLASSES),
            certain: Confusion::new(&TABLE_CLASSES),
            cells: Confusion::new(&CELL_CLASSES),
            hosts: BTreeMap::new(),
        }
    }
}

impl TableScores {
    /// Scores a table.
    pub fn add(&mut self, table: &LabelledTable, trees: &TableTrees) {
        let likelihood = data_likelihood(&table.page, table.table, &table.grid, trees);
        let (right, answer) = (
            usize::from(!table.data),
            usize::from(likelihood < DATA_FROM),
        );
        self.tables.add(right, answer);
        if !table.uncertain {
            self.certain.add(right, answer);
        }
        let Some(cells) = &table.cells else {
            return;
        };
        let answers = classes_by(&table.page, &table.grid, trees);
        let host = self.hosts.entry(table.host.clone());
        let host = host.or_insert_with(|| Confusion::new(&CELL_CLASSES));
        host.add_cells(cells, &answers);
        self.cells.add_cells(cells, &answers);
    }

    /// Adds the counts of others.
    pub fn add_all(&mut self, other: &TableScores) {
        self.tables.add_all(&other.tables);
        self.certain.add_all(&other.certain);
        self.cells.add_all(&other.cells);
        for (host, cells) in &other.hosts {
            let own = self.hosts.entry(host.clone());
            let own = own.or_insert_with(|| Confusion::new(&CELL_CLASSES));
            own.add_all(cells);
        }
    }

    /// The mean over hosts of the F1 of headers, from 0 to 1; `None` without hosts.
    pub fn header_f1_of_hosts(&self) -> Option<f64> {
        let sum: f64 = self.hosts.values().map(|cells| cells.figures(0)[2]).sum();
        (!self.hosts.is_empty()).then(|| sum / self.hosts.len() as f64)
    }

    /// The figures of all tables and their cells as JSON.
    pub fn json(&self) -> Value {
        let hosts = self.hosts.iter().map(|(host, cells)| (host, cells.json()));
        json!({
            "tables": self.tables.json(),
            "cells": self.cells.json(),
            "header_f1_of_hosts": self.header_f1_of_hosts().map(six),
            "hosts": hosts.collect::<BTreeMap<_, _>>(),
        })
    }
}

impl fmt::Display for TableScores {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "tables\n{}", self.tables)?;
        writeln!(f, "tables whose label is certain\n{}", self.certain)?;
        write!(f, "cells of data tables\n{}", self.cells)?;
        if let Some(f1) = self.header_f1_of_hosts() {
            let hosts = counted(self.hosts.len(), "host", "hosts");
            write!(f, "\nf1 of headers, mean over {hosts}: {f1:.3}\n")?;
        }
        Ok(())
    }
}
