//! `forest tune`: values of a method's parameters, found on pages whose right text is known.
//!
//! - `target`: the values of `--method` and `--sample`.
//! - `history`: the file of `--resume`.
//! - `tables`: the result as Markdown.
//! - `charts`: the result as SVG.
//! - `paper`: Gottron's own figures, to compare.

mod charts;
mod history;
mod paper;
mod tables;
mod target;

use super::eval::open_all;
use super::output::{make_folder, write};
use super::{Exit, Global};
use anyhow::bail;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use forest_core::learn::SignifierSource;
use forest_eval::eval::{self, MethodFigures, MethodTable, PageScore, Setup};
use forest_eval::tune::{
    self, Fitness, GENERATIONS, Individual, Optimiser, PATIENCE, POPULATION, PagePlace, TunePages,
    TunePlan,
};
use forest_sources::gold::Collection;
use forest_text::pipeline::{AnyMethod, Blueprint, Pipeline};
use history::HistoryFile;
use std::path::PathBuf;
use target::{SampleArg, TuneTarget};

/// The fittest settings that are shown and verified, as the paper's table 2.
const SHOWN: usize = 4;

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

/// A search that is done.
struct Tuned<'a> {
    args: &'a TuneArgs,
    blueprint: &'a Blueprint,
    collections: &'a [Collection],
    places: &'a [PagePlace],
    history: &'a [Individual],
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

    /// The head of the history: all that decides what follows.
    fn head(&self, blueprint: &Blueprint, pages: &TunePages) -> String {
        let start = blueprint.injected().first();
        let start = start.map(|setting| blueprint.pipeline("start", setting).to_yaml());
        let names: Vec<&str> = blueprint.parameters().iter().map(|p| &*p.name).collect();
        serde_json::json!({
            "format": 1,
            "method": self.method.to_string(),
            "start": start,
            "parameters": names,
            "optimiser": self.optimiser.name(),
            "seed": self.seed,
            "population": self.population,
            "generations": self.generations,
            "patience": self.patience,
            "fitness": self.fitness.to_string(),
            "pages": pages.count(),
            "digest": pages.digest(),
        })
        .to_string()
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
        args: &args,
        blueprint: &blueprint,
        collections: &collections,
        places: &places,
        history: &individuals,
    };
    let verified = tuned.verify(global)?;
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
    let mut file = HistoryFile::open(args.resume.as_deref(), &args.head(blueprint, &pages))?;
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

impl Tuned<'_> {
    /// The fittest pipelines, each once.
    fn fittest(&self) -> Vec<&Individual> {
        let mut fittest: Vec<(&Individual, Pipeline)> = Vec::new();
        for one in tune::ranked(self.history) {
            let pipeline = self.blueprint.pipeline("tuned", &one.proposal.setting);
            if fittest.iter().all(|(_, other)| *other != pipeline) {
                fittest.push((one, pipeline));
            }
            if fittest.len() == SHOWN {
                break;
            }
        }
        fittest.into_iter().map(|(one, _)| one).collect()
    }

    /// The figures over all pages of the fittest and of what was known before.
    fn verify(&self, global: &Global) -> anyhow::Result<Vec<MethodTable>> {
        let fittest = self.fittest().into_iter().enumerate();
        let fittest =
            fittest.map(|(at, one)| (format!("fittest {}", at + 1), &one.proposal.setting));
        let injected = self.blueprint.injected().iter().enumerate();
        let injected = injected.map(|(at, setting)| (format!("injected {}", at + 1), setting));
        let pipelines = fittest.chain(injected).map(|(label, setting)| {
            let name = match self.values_in_one_line(setting) {
                Some(values) => format!("{label}: {values}"),
                None => label,
            };
            self.blueprint.pipeline(&name, setting)
        });
        let mut methods: Vec<AnyMethod> = pipelines.map(AnyMethod::Pipeline).collect();
        methods.extend(self.args.method.published());
        let setups: Vec<Setup> = methods
            .into_iter()
            .map(|method| Setup::of(method, SignifierSource::default()))
            .collect();
        let sites = self.collections.iter().map(|one| one.sites().len()).sum();
        let progress = global.progress("sites", Some(sites));
        let mut tables = Vec::new();
        for collection in self.collections {
            let texts = eval::run(collection, &setups, &|| progress.step())?;
            let rows = setups.iter().zip(texts).filter_map(|(setup, texts)| {
                let scores: Vec<PageScore> = texts.into_iter().map(|text| text.score).collect();
                let label = setup.label();
                let label = Pipeline::name_in(&label).unwrap_or(&label);
                MethodFigures::of(label, &scores)
            });
            tables.push(MethodTable {
                name: collection.name().to_owned(),
                rows: rows.collect(),
            });
        }
        Ok(tables)
    }

    /// The file of the fittest.
    fn preset(&self) -> String {
        let Some(best) = tune::fittest(self.history) else {
            return String::new();
        };
        let pipeline = self.blueprint.pipeline("tuned", &best.proposal.setting);
        format!("# {}\n{}", self.summary(), pipeline.to_yaml())
    }
}
