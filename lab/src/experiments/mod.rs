//! The experiments of the FOREST paper, section 4.
//!
//! - `paper`: the trials of each experiment.
//! - `scores`: the scores of trials over collections.
//! - `section`: the figures of an experiment, as a table and a chart.
//! - `report`: all figures as files.

mod paper;
mod report;
mod scores;
mod section;

use crate::collections::GoldArgs;
use anyhow::bail;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use forest_core::learn::Method;
use paper::Experiment;
use report::{conduct, report};
use section::{Plan, Section};
use std::path::PathBuf;

/// Repeat the experiments of the FOREST paper, section 4
///
/// Without --learn-on a method learns from all pages of a site and is scored on them,
/// as FOREST was. With it each experiment is done both ways.
#[derive(Debug, clap::Args)]
pub struct ExperimentArgs {
    #[command(flatten)]
    gold: GoldArgs,
    /// An experiment; several can be given. All, if none is given.
    #[arg(long = "experiment", value_name = "E", value_parser = experiments())]
    experiments: Vec<Experiment>,
    /// The method that learns.
    #[arg(short, long, value_name = "M", default_value = "paper")]
    method: Method,
    /// Learn also from the first N pages of a site by id and score the others.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    learn_on: Option<u32>,
    /// JSON on stdout.
    #[arg(long)]
    json: bool,
    /// Write a report: Markdown, CSV and charts.
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,
}

fn experiments() -> impl TypedValueParser<Value = Experiment> {
    let names = PossibleValuesParser::new(Experiment::ALL.map(Experiment::name));
    names.try_map(|name| name.parse::<Experiment>())
}

/// Runs the command.
pub fn run(args: &ExperimentArgs) -> anyhow::Result<()> {
    if !args.method.learns() {
        bail!("an experiment takes a --method that learns");
    }
    let mut wanted = args.experiments.clone();
    if wanted.is_empty() {
        wanted.extend(Experiment::ALL);
    }
    wanted.sort_unstable();
    wanted.dedup();
    let mut plans = Vec::new();
    for experiment in wanted {
        plans.push(Plan::new(experiment, &args.method, None));
        if let Some(n) = args.learn_on {
            plans.push(Plan::new(experiment, &args.method, Some(n as usize)));
        }
    }
    let collections = args.gold.open()?;
    let sections = conduct(&collections, &plans)?;
    if args.json {
        let sections: Vec<_> = sections.iter().map(Section::json).collect();
        let json = serde_json::json!({ "experiments": sections });
        println!("{}", serde_json::to_string_pretty(&json)?);
    } else {
        let shown: Vec<String> = sections.iter().map(Section::to_string).collect();
        print!("{}", shown.join("\n"));
    }
    if let Some(dir) = &args.report {
        std::fs::create_dir_all(dir)?;
        for (name, text) in report(&collections, &sections)? {
            std::fs::write(dir.join(name), text)?;
        }
    }
    Ok(())
}
