//! `forest-lab tables` and `forest-lab train-tables`.

use super::folds::{self, cross_validate, learned};
use super::labelled::LabelledTable;
use super::learn::{FeatureSet, TableLearnOptions};
use super::scores::TableScores;
use anyhow::{Context, anyhow, bail};
use forest_text::prose::table::trees::TableTrees;
use std::path::{Path, PathBuf};

/// Files of labelled tables.
///
/// A file has a labelled table a line, as JSON: "html" (the table), "label" (data or
/// layout), and where they are known "uncertain", "host", "leaf_of_nested" and
/// "cells": for each row a list of letters, H header, D data, N neutral, T thema,
/// F finalImportant, X finalNonImportant.
#[derive(Debug, clap::Args)]
struct LabelledFiles {
    /// The labelled tables.
    #[arg(value_name = "TABLES", required = true)]
    files: Vec<PathBuf>,
}

/// Train the trees of tables and cells on labelled tables and on some that are made up
#[derive(Debug, clap::Args)]
pub struct TrainTablesArgs {
    #[command(flatten)]
    tables: LabelledFiles,
    /// Tables that are made up to learn the classes of cells from.
    #[arg(long, value_name = "N", default_value_t = TableLearnOptions::default().made_up(),
        value_parser = clap::value_parser!(u64).range(..=10_000))]
    made_up: u64,
    /// The file for the trees; stdout without it.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Score trees on labelled tables: the program's, others, or those of folds
#[derive(Debug, clap::Args)]
pub struct TablesArgs {
    #[command(flatten)]
    tables: LabelledFiles,
    /// Trees that `train-tables` wrote, instead of the program's.
    #[arg(long, value_name = "FILE")]
    trees: Option<PathBuf>,
    /// Score each table with trees learned from the tables of other hosts: N times, a
    /// fold of the hosts left out.
    #[arg(long, value_name = "N", conflicts_with = "trees",
        value_parser = clap::value_parser!(u32).range(2..=1000))]
    folds: Option<u32>,
    /// Do it again with other folds; counts are added up.
    #[arg(long, value_name = "N", default_value_t = 1, requires = "folds",
        value_parser = clap::value_parser!(u32).range(1..=1000))]
    repeats: u32,
    /// Score tables that are made up, by kind, with trees that learned from these tables and
    /// from made-up ones of the other kinds.
    #[arg(long, conflicts_with_all = ["trees", "folds", "json"])]
    unseen_kinds: bool,
    /// The features of the trees of tables: those of Wang and Hu, these and the paper's,
    /// or all.
    #[arg(long, value_name = "F", default_value = "all", requires = "folds")]
    features: FeatureSet,
    /// Tables that are made up to learn the classes of cells from.
    #[arg(long, value_name = "N", default_value_t = TableLearnOptions::default().made_up(),
        value_parser = clap::value_parser!(u64).range(..=10_000))]
    made_up: u64,
    /// JSON on stdout.
    #[arg(long)]
    json: bool,
}

/// Runs `train-tables`.
pub fn train(args: &TrainTablesArgs) -> anyhow::Result<()> {
    let tables = args.tables.read()?;
    let options = TableLearnOptions::default().with_made_up(args.made_up);
    let trees = learned(&tables, &options).map_err(|why| anyhow!(why))?;
    match &args.out {
        Some(path) => std::fs::write(path, trees)?,
        None => print!("{trees}"),
    }
    Ok(())
}

/// Runs `tables`.
pub fn run(args: &TablesArgs) -> anyhow::Result<()> {
    let tables = args.tables.read()?;
    if args.unseen_kinds {
        return unseen_kinds(args, &tables);
    }
    let scores = scores(args, &tables)?;
    if args.json {
        println!("{}", scores.json())
    } else {
        print!("{scores}")
    }
    Ok(())
}

/// Prints the share of right cells and the F1 of headers and data of each kind.
fn unseen_kinds(args: &TablesArgs, tables: &[LabelledTable]) -> anyhow::Result<()> {
    let options = TableLearnOptions::default().with_made_up(args.made_up);
    let scores = folds::unseen_kinds(tables, &options).map_err(|why| anyhow!(why))?;
    println!("{:10}  cells  header   data", "");
    for (kind, cells) in scores {
        let [header, data] = [0, 1].map(|class| cells.figures(class)[2]);
        let right = cells.share_right();
        println!(
            "{:10}  {right:.3}   {header:.3}  {data:.3}",
            format!("{kind:?}")
        );
    }
    Ok(())
}

fn scores(args: &TablesArgs, tables: &[LabelledTable]) -> anyhow::Result<TableScores> {
    if let Some(folds) = args.folds {
        let options = TableLearnOptions::default()
            .with_features(args.features)
            .with_made_up(args.made_up);
        let scores = cross_validate(tables, folds as usize, args.repeats, &options);
        return scores.map_err(|why| anyhow!(why));
    }
    let other = match &args.trees {
        Some(path) => Some(trees(path)?),
        None => None,
    };
    let trees = other.as_ref().unwrap_or_else(|| TableTrees::shipped());
    let mut scores = TableScores::default();
    for table in tables {
        scores.add(table, trees);
    }
    Ok(scores)
}

fn trees(path: &Path) -> anyhow::Result<TableTrees> {
    TableTrees::read(&text(path)?).map_err(|why| anyhow!("{}: {why}", path.display()))
}

impl LabelledFiles {
    /// All tables of all files.
    fn read(&self) -> anyhow::Result<Vec<LabelledTable>> {
        let mut tables = Vec::new();
        for path in &self.files {
            let of_file = LabelledTable::read_all(&text(path)?);
            tables.extend(of_file.map_err(|why| anyhow!("{}: {why}", path.display()))?);
        }
        if tables.is_empty() {
            let path = self.files[0].display();
            bail!("no tables in {path}: is it a file of labelled tables?");
        }
        Ok(tables)
    }
}

fn text(path: &Path) -> anyhow::Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}
