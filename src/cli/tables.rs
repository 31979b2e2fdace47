//! `forest tables`: learning what tables and their cells are, and how good that is.

#[cfg(feature = "train")]
use super::output::write;
use super::{Exit, Global};
use anyhow::{Context, anyhow, bail};
use clap::Subcommand;
use forest::eval::tables::{LabelledTable, TableScores};
#[cfg(feature = "train")]
use forest::prose::table::learn::{FeatureSet, LearnOptions};
use forest::prose::table::trees::Trees;
use std::path::{Path, PathBuf};

/// Learn which tables hold data and what their cells are, and measure it
///
/// A file has a labelled table a line, as JSON: "html" (the table), "label" (data or
/// layout), and where they are known "uncertain", "host", "leaf_of_nested" and
/// "cells": for each row a list of letters, H header, D data, N neutral, T thema,
/// F finalImportant, X finalNonImportant.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  forest tables eval tables.jsonl
  forest tables eval tables.jsonl --folds 10 --repeats 5
  forest tables train tables.jsonl --out trees.txt
  forest tables eval others.jsonl --trees trees.txt --json")]
pub struct TablesArgs {
    #[command(subcommand)]
    command: TablesCommand,
}

#[derive(Debug, Subcommand)]
enum TablesCommand {
    #[cfg(feature = "train")]
    Train(TrainArgs),
    Eval(EvalArgs),
}

/// Learn the trees from labelled tables and from some that are made up
#[cfg(feature = "train")]
#[derive(Debug, clap::Args)]
struct TrainArgs {
    /// The labelled tables.
    #[arg(value_name = "TABLES", required = true)]
    files: Vec<PathBuf>,
    /// Tables that are made up to learn the classes of cells from.
    #[arg(long, value_name = "N", default_value_t = LearnOptions::default().made_up(),
        value_parser = clap::value_parser!(u64).range(..=10_000))]
    made_up: u64,
    /// Where the trees go; to stdout without it.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Count what the trees of the program, or others, say of labelled tables
#[derive(Debug, clap::Args)]
struct EvalArgs {
    /// The labelled tables.
    #[arg(value_name = "TABLES", required = true)]
    files: Vec<PathBuf>,
    /// Trees that `forest tables train` wrote, instead of the program's.
    #[arg(long, value_name = "FILE")]
    trees: Option<PathBuf>,
    /// Score each table with trees learned from the tables of other hosts: N times, a
    /// fold of the hosts left out.
    #[cfg(feature = "train")]
    #[arg(long, value_name = "N", conflicts_with = "trees",
        value_parser = clap::value_parser!(u32).range(2..=1000))]
    folds: Option<u32>,
    /// Do it again with other folds; counts are added up.
    #[cfg(feature = "train")]
    #[arg(long, value_name = "N", default_value_t = 1, requires = "folds",
        value_parser = clap::value_parser!(u32).range(1..=1000))]
    repeats: u32,
    /// What the trees of tables are told: the features of Wang and Hu, these and the
    /// paper's, or all.
    #[cfg(feature = "train")]
    #[arg(long, value_name = "F", default_value = "all", requires = "folds")]
    features: Features,
    /// Tables that are made up to learn the classes of cells from.
    #[cfg(feature = "train")]
    #[arg(long, value_name = "N", default_value_t = LearnOptions::default().made_up(),
        requires = "folds", value_parser = clap::value_parser!(u64).range(..=10_000))]
    made_up: u64,
    /// JSON on stdout.
    #[arg(long)]
    json: bool,
}

#[cfg(feature = "train")]
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Features {
    WangHu,
    Paper,
    All,
}

pub fn run(args: TablesArgs, global: &Global) -> anyhow::Result<Exit> {
    match args.command {
        #[cfg(feature = "train")]
        TablesCommand::Train(args) => train(&args, global),
        TablesCommand::Eval(args) => eval(&args, global),
    }
}

#[cfg(feature = "train")]
fn train(args: &TrainArgs, global: &Global) -> anyhow::Result<Exit> {
    let tables = read(&args.files)?;
    let options = LearnOptions::default().with_made_up(args.made_up);
    let trees = forest::eval::tables::train(&tables, &options).map_err(|why| anyhow!(why))?;
    match &args.out {
        Some(path) => {
            write(path, trees.as_bytes())?;
            let (count, bytes) = (tables.len(), trees.len());
            global.say(format!(
                "{}: {bytes} bytes, from {count} tables",
                path.display()
            ));
        }
        None => global.print(trees.as_bytes())?,
    }
    Ok(Exit::Done)
}

fn eval(args: &EvalArgs, global: &Global) -> anyhow::Result<Exit> {
    let tables = read(&args.files)?;
    let scores = scores(args, &tables)?;
    let out = if args.json {
        format!("{}\n", scores.json())
    } else {
        format!("{scores}")
    };
    global.print(out.as_bytes())?;
    Ok(Exit::Done)
}

fn scores(args: &EvalArgs, tables: &[LabelledTable]) -> anyhow::Result<TableScores> {
    #[cfg(feature = "train")]
    if let Some(folds) = args.folds {
        let features = match args.features {
            Features::WangHu => FeatureSet::WangHu,
            Features::Paper => FeatureSet::Paper,
            Features::All => FeatureSet::All,
        };
        let options = LearnOptions::default().with_features(features);
        let options = options.with_made_up(args.made_up);
        let (folds, repeats) = (folds as usize, args.repeats);
        let scores = forest::eval::tables::cross_validate(tables, folds, repeats, &options);
        return scores.map_err(|why| anyhow!(why));
    }
    let other = match &args.trees {
        Some(path) => Some(trees(path)?),
        None => None,
    };
    let trees = other.as_ref().unwrap_or_else(|| Trees::shipped());
    let mut scores = TableScores::default();
    for table in tables {
        scores.add(table, trees);
    }
    Ok(scores)
}

fn trees(path: &Path) -> anyhow::Result<Trees> {
    let text = text(path)?;
    Trees::read(&text).map_err(|why| anyhow!("{}: {why}", path.display()))
}

/// All tables of all files.
fn read(files: &[PathBuf]) -> anyhow::Result<Vec<LabelledTable>> {
    let mut tables = Vec::new();
    for path in files {
        let of_file = LabelledTable::read_all(&text(path)?);
        tables.extend(of_file.map_err(|why| anyhow!("{}: {why}", path.display()))?);
    }
    if tables.is_empty() {
        bail!(
            "no tables in {}: is it a file of labelled tables?",
            files[0].display()
        );
    }
    Ok(tables)
}

fn text(path: &Path) -> anyhow::Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}
