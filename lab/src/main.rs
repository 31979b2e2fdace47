//! The lab of `forest`: it measures the program and trains its models.
//!
//! A command a report: each table and chart in `docs/experiments.md` and
//! `docs/confidence.md` names the command that makes it. The learned models that come
//! with the program are written here, too; the program only reads them.

mod clusters;
mod collections;
mod confidence;
mod docs;
mod drift;
mod eras;
mod experiments;
mod favor;
mod feeds;
mod kinds;
mod logistic;
mod model_file;
mod mutation;
mod parser;
mod passages;
mod plot;
mod readings;
mod real_lists;
mod refusal;
mod tables;
mod rng;
mod training;
mod tune;
mod write_gold;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Measure forest and train its models
#[derive(Debug, Parser)]
#[command(name = "forest-lab", max_term_width = 100)]
struct Lab {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Experiments(experiments::ExperimentArgs),
    Docs(docs::DocsArgs),
    Eras(eras::EraArgs),
    Drift(drift::DriftArgs),
    Clusters(clusters::ClustersArgs),
    Favor(favor::FavorArgs),
    Feeds(feeds::FeedsArgs),
    Tables(tables::TablesArgs),
    TrainTables(tables::TrainTablesArgs),
    Parser(parser::ParserArgs),
    Passages(passages::PassageArgs),
    Readings(readings::ReadingArgs),
    Tune(tune::TuneLabArgs),
    TrainOnepage(training::OnepageArgs),
    TrainKinds(kinds::KindsArgs),
    TrainConfidence(confidence::ConfidenceArgs),
    TrainRefusal(refusal::RefusalArgs),
    WriteGold(write_gold::WriteGoldArgs),
}

fn main() -> ExitCode {
    let result = match Lab::parse().command {
        Command::Experiments(args) => experiments::run(&args),
        Command::Docs(args) => docs::run(&args),
        Command::Eras(args) => eras::run(&args),
        Command::Drift(args) => drift::run(&args),
        Command::Clusters(args) => clusters::run(&args),
        Command::Favor(args) => favor::run(&args),
        Command::Feeds(args) => feeds::run(&args),
        Command::Tables(args) => tables::run(&args),
        Command::TrainTables(args) => tables::train(&args),
        Command::Parser(args) => parser::run(&args),
        Command::Passages(args) => passages::run(&args),
        Command::Readings(args) => readings::run(&args),
        Command::Tune(args) => tune::run(&args),
        Command::TrainOnepage(args) => training::run(&args),
        Command::TrainKinds(args) => kinds::run(&args),
        Command::TrainConfidence(args) => confidence::run(&args),
        Command::TrainRefusal(args) => refusal::run(&args),
        Command::WriteGold(args) => write_gold::run(&args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("forest-lab: {error:#}");
            ExitCode::from(2)
        }
    }
}
