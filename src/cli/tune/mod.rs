//! `forest tune`: values of a method's parameters, found on pages whose right text is known.
//!
//! - `target`: the values of `--method` and `--sample`.
//! - `history`: the file of `--resume`.

mod history;
mod target;

use super::eval::open_all;
use super::output::{make_folder, write};
use super::{Exit, Global};
use anyhow::bail;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use forest_eval::tune::{
    self, Fitness, GENERATIONS, Optimiser, PATIENCE, POPULATION, PagePlace, TuneLog, TunePages,
    TunePlan, TuneTarget, Tuned,
};
use forest_sources::gold::Collection;
use forest_text::pipeline::{Blueprint, Pipeline};
use history::HistoryFile;
use std::path::PathBuf;
use target::SampleArg;

/// Search for better parameters of a one-page method or a pipeline.
///
/// The search of Gottron 2009: settings are tried on a sample of pages, the fittest are
/// recombined and mutated, until nothing improves; the four fittest are verified on all
/// pages beside the values from before. The same seed gives the same output.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  forest tune gold --method tccb --out mine.yaml
  forest eval gold --method tccb --method pipeline:mine.yaml
  forest tune gold --method accb --parameters radius,threshold,links --seed 2
  forest tune gold --method pipeline:balanced --resume history.jsonl --report out
  forest tune gold --method pipeline --fitness 'recall@p>=0.9' --optimiser adaptive")]
pub struct TuneArgs {
    /// The collections, as of `forest eval`.
    #[arg(value_name = "GOLD", required = true)]
    gold: Vec<PathBuf>,
    /// The method: one with parameters, pipeline:NAME or pipeline:FILE with the parameters of
    /// its methods, or `pipeline` to search for the nodes of a pipeline, too.
    #[arg(short, long, value_name = "M", value_parser = target::parse)]
    method: TuneTarget,
    /// The parameters to search, with commas between; the others keep their values [default:
    /// all but the readings of the paper: links, discards, blocks].
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    parameters: Vec<String>,
    /// The seed of the sample and of the search.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The number of pages that fitness is measured on, or a file with a line
    /// <collection>/<site>/<page> each.
    #[arg(long, value_name = "N|FILE", default_value = "120")]
    sample: SampleArg,
    /// The measure: lcs or f1 (mean F1 by words or by 2-grams), recall@p>=X (mean recall where
    /// mean precision is X at least) or precision@r>=X.
    #[arg(long, value_name = "F", default_value_t)]
    fitness: Fitness,
    /// The optimiser: `evolution` is the paper's, `adaptive` the same with its future work;
    /// `grid` tries nothing where the budget is not enough for two values of each number.
    #[arg(long, value_name = "O", default_value = "evolution", value_parser = optimisers())]
    optimiser: Optimiser,
    /// Settings of a generation.
    #[arg(long, value_name = "N", default_value_t = POPULATION as u64, value_parser = clap::value_parser!(u64).range(2..=1000))]
    population: u64,
    /// Generations after the first at the most.
    #[arg(long, value_name = "N", default_value_t = GENERATIONS as u64, value_parser = clap::value_parser!(u64).range(0..=1000))]
    generations: u64,
    /// Generations in a row without improvement that end the search.
    #[arg(long, value_name = "N", default_value_t = PATIENCE as u64, value_parser = clap::value_parser!(u64).range(1..=1000))]
    patience: u64,
    /// Write the fittest as a pipeline, for --method pipeline:FILE of eval and apply.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write a report: Markdown, charts and the history.
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,
    /// Write each generation to FILE, and go on from it if it is there.
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
}

fn optimisers() -> impl TypedValueParser<Value = Optimiser> {
    let names = PossibleValuesParser::new(Optimiser::ALL.map(Optimiser::name));
    names.map(|name: String| {
        let chosen = Optimiser::ALL.into_iter().find(|one| one.name() == name);
        chosen.unwrap_or_default()
    })
}

impl TuneArgs {
    fn plan(&self) -> TunePlan {
        TunePlan {
            optimiser: self.optimiser,
            seed: self.seed,
            population: self.population as usize,
            generations: self.generations as usize,
            patience: self.patience as usize,
        }
    }

    fn blueprint(&self) -> anyhow::Result<Blueprint> {
        let blueprint = self.method.blueprint();
        let open = if self.parameters.is_empty() {
            blueprint.searched()
        } else {
            self.parameters.clone()
        };
        if matches!(self.method, TuneTarget::Structure) && !self.parameters.is_empty() {
            bail!("--parameters: --method pipeline searches nodes and all their parameters");
        }
        let blueprint = blueprint.with_open(&open)?;
        if blueprint.parameters().is_empty() {
            bail!(
                "--method {} has no parameters: name lqf, ccb, accb, tccb, sw, ttr, crunch, or a \
                 pipeline with one of them",
                self.method
            );
        }
        Ok(blueprint)
    }
}

pub fn run(args: TuneArgs, global: &Global) -> anyhow::Result<Exit> {
    let blueprint = args.blueprint()?;
    let opened = open_all(args.gold.clone())?;
    let collections: Vec<Collection> = opened.into_iter().map(|o| o.collection).collect();
    let places = args.sample.places(&collections, args.seed)?;
    let mut history = search(&args, &blueprint, &collections, &places, global)?;
    let individuals = std::mem::take(&mut history.individuals);
    let tuned = Tuned {
        target: &args.method,
        plan: args.plan(),
        fitness: args.fitness,
        blueprint: &blueprint,
        collections: &collections,
        places: &places,
        history: &individuals,
    };
    let sites = collections.iter().map(|one| one.sites().len()).sum();
    let progress = global.progress("sites", Some(sites));
    let verified = tuned.verify(&|| progress.step())?;
    drop(progress);
    global.print(tuned.tables(&verified).as_bytes())?;
    if let Some(path) = &args.out {
        write(path, tuned.preset().as_bytes())?;
    }
    if let Some(dir) = &args.report {
        make_folder(dir)?;
        for (name, text) in tuned.report(&verified) {
            write(&dir.join(name), text.as_bytes())?;
        }
        write(&dir.join("history.jsonl"), history.text().as_bytes())?;
    }
    Ok(Exit::Done)
}

/// Reads the pages and searches.
fn search(
    args: &TuneArgs,
    blueprint: &Blueprint,
    collections: &[Collection],
    places: &[PagePlace],
    global: &Global,
) -> anyhow::Result<HistoryFile> {
    let progress = global.progress("pages", Some(places.len()));
    let mut pages = TunePages::read(collections, places, &|| progress.step())?;
    drop(progress);
    let plan = args.plan();
    let head = TuneLog::head(&args.method, blueprint, &plan, args.fitness, &pages);
    let mut file = HistoryFile::open(args.resume.as_deref(), &head)?;
    let progress = global.progress("settings", Some(plan.population * (plan.generations + 1)));
    let mut best = f64::NEG_INFINITY;
    let individuals = tune::tune(
        blueprint.parameters(),
        blueprint.injected(),
        &plan,
        |proposals| -> anyhow::Result<Vec<f64>> {
            let fitness = file.fitness(blueprint, proposals, |new| {
                let pipelines = new
                    .iter()
                    .map(|one| blueprint.pipeline("tuned", &one.setting));
                let pipelines: Vec<Pipeline> = pipelines.collect();
                pages.fitness(&pipelines, args.fitness)
            })?;
            best = fitness.iter().copied().fold(best, f64::max);
            proposals.iter().for_each(|_| progress.step());
            progress.say(format!("settings, the best {best:.4}"));
            Ok(fitness)
        },
    )?;
    file.individuals = individuals;
    Ok(file)
}
