//! `forest-lab tune`: the gain of tuned parameters on publishers that were not tuned on.
//!
//! - `case`: the methods and what they are compared with.
//! - `limits`: the same for the limits of `forest`.
//! - `unseen`: the scores of pages of unseen publishers, their macro average and its interval.

mod case;
mod limits;
mod unseen;

use crate::collections::GoldArgs;
use crate::training::{FOLDS, Publishers};
use case::Case;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use forest_eval::tune::{
    Fitness, GENERATIONS, Individual, Optimiser, POPULATION, PagePlace, TunePages, TunePlan,
    fittest, sample, tune,
};
use forest_sources::gold::Collection;
use forest_text::pipeline::Pipeline;
use std::path::PathBuf;
use unseen::{UnseenPages, UnseenScores};

/// Tune one-page methods in five folds by publisher, and measure them on unseen publishers
///
/// For each method, optimiser, fold and seed a search on a sample of the other folds' pages;
/// the fittest is scored on the fold's pages.
#[derive(Debug, clap::Args)]
pub struct TuneLabArgs {
    #[command(flatten)]
    gold: GoldArgs,
    /// A case; several can be given. All, if none is given.
    #[arg(long = "case", value_name = "C", value_parser = PossibleValuesParser::new(Case::names()))]
    cases: Vec<String>,
    /// An optimiser; several can be given.
    #[arg(long = "optimiser", value_name = "O", default_value = "evolution", value_parser = optimisers())]
    optimisers: Vec<Optimiser>,
    /// Seeds of each search: 1 to N.
    #[arg(long, value_name = "N", default_value_t = 3)]
    seeds: u64,
    /// Pages of a sample.
    #[arg(long, value_name = "N", default_value_t = 120)]
    sample: usize,
    /// Generations after the first at the most.
    #[arg(long, value_name = "N", default_value_t = GENERATIONS)]
    generations: usize,
    /// Generations without improvement that end a search.
    #[arg(long, value_name = "N", default_value_t = forest_eval::tune::PATIENCE)]
    patience: usize,
    /// Tune the limits of `forest` on whole sites instead. The trees of the folds are kept in
    /// this folder, and taken from there the next time.
    #[arg(long, value_name = "TREES", conflicts_with = "cases")]
    limits: Option<PathBuf>,
    /// Print the fittest of each fold and seed.
    #[arg(long)]
    settings: bool,
}

fn optimisers() -> impl TypedValueParser<Value = Optimiser> {
    let names = PossibleValuesParser::new(Optimiser::ALL.map(Optimiser::name));
    names.map(|name: String| {
        let chosen = Optimiser::ALL.into_iter().find(|one| one.name() == name);
        chosen.expect("the parser takes no other names")
    })
}

/// The collections with their folds.
struct Folds<'a> {
    collections: &'a [Collection],
    publishers: Publishers,
}

impl Folds<'_> {
    /// A sample of the pages that are not in a fold, kept.
    fn seen(&self, fold: u64, size: usize, seed: u64) -> forest_eval::Result<TunePages> {
        let is_seen = |collection: &Collection, site: &forest_sources::gold::GoldSite| {
            self.publishers.fold(collection.name(), &site.name) != fold
        };
        let places = sample(self.collections, size, seed, is_seen);
        TunePages::read(self.collections, &places, &|| ())
    }

    /// All pages of a fold, kept.
    fn unseen(&self, fold: u64) -> forest_eval::Result<UnseenPages> {
        let mut places = Vec::new();
        let mut publishers = Vec::new();
        for (at, collection) in self.collections.iter().enumerate() {
            for (page, gold) in collection.pages().iter().enumerate() {
                let site = gold.site();
                if gold.gold.is_some() && self.publishers.fold(collection.name(), site) == fold {
                    places.push(PagePlace {
                        collection: at,
                        page,
                    });
                    let publisher = self.publishers.publisher(collection.name(), site);
                    publishers.push((at, publisher.to_owned()));
                }
            }
        }
        let pages = TunePages::read(self.collections, &places, &|| ())?;
        Ok(UnseenPages { pages, publishers })
    }
}

/// Runs the command.
pub fn run(args: &TuneLabArgs) -> anyhow::Result<()> {
    let collections = args.gold.open()?;
    let folds = Folds {
        publishers: Publishers::of(&collections),
        collections: &collections,
    };
    if let Some(trees) = &args.limits {
        return limits::report(args, &folds, trees);
    }
    let unseen: forest_eval::Result<Vec<UnseenPages>> =
        (0..FOLDS).map(|fold| folds.unseen(fold)).collect();
    let mut unseen = unseen?;
    let names: Vec<&str> = collections.iter().map(Collection::name).collect();
    for case in Case::all() {
        if args.cases.is_empty() || args.cases.iter().any(|name| name == case.name) {
            println!("## {}\n", case.name);
            report(args, &case, &folds, &mut unseen, &names)?;
        }
    }
    Ok(())
}

/// The table of a case: what was known, and what each optimiser found.
fn report(
    args: &TuneLabArgs,
    case: &Case,
    folds: &Folds<'_>,
    unseen: &mut [UnseenPages],
    names: &[&str],
) -> anyhow::Result<()> {
    println!(
        "| | on the sample | {} | macro | gain over the first | seeds |\n| --- |{}",
        names.join(" | "),
        " --- |".repeat(names.len() + 4)
    );
    let mut first: Option<UnseenScores> = None;
    for (name, pipeline) in &case.known {
        let scores = UnseenScores::of(unseen, |_| pipeline.clone());
        print_row(name, "", std::slice::from_ref(&scores), first.as_ref());
        first.get_or_insert(scores);
    }
    let mut found = String::new();
    for &optimiser in &args.optimisers {
        let mut of_seeds = Vec::new();
        let mut fitness = 0.0;
        for seed in 1..=args.seeds {
            let mut pipelines: Vec<Pipeline> = Vec::new();
            for fold in 0..FOLDS {
                let mut pages = folds.seen(fold, args.sample, seed)?;
                let best = search(args, case, optimiser, seed, &mut pages);
                fitness += best.fitness / (args.seeds * FOLDS) as f64;
                let pipeline = case.blueprint.pipeline("tuned", &best.proposal.setting);
                let line = format!(
                    "- {}, seed {seed}, fold {fold}, {:.4}: `{}`\n",
                    optimiser.name(),
                    best.fitness,
                    pipeline.to_json()
                );
                found.push_str(&line);
                pipelines.push(pipeline);
            }
            of_seeds.push(UnseenScores::of(unseen, |fold| pipelines[fold].clone()));
        }
        let fitness = format!("{fitness:.4}");
        print_row(optimiser.name(), &fitness, &of_seeds, first.as_ref());
    }
    println!();
    if args.settings {
        println!("{found}");
    }
    Ok(())
}

fn search(
    args: &TuneLabArgs,
    case: &Case,
    optimiser: Optimiser,
    seed: u64,
    pages: &mut TunePages,
) -> Individual {
    let plan = TunePlan {
        optimiser,
        seed,
        population: POPULATION,
        generations: args.generations,
        patience: args.patience,
    };
    let blueprint = &case.blueprint;
    let parameters = blueprint.parameters();
    let history = tune(parameters, blueprint.injected(), &plan, |proposals| {
        let pipelines = proposals
            .iter()
            .map(|one| blueprint.pipeline("tuned", &one.setting));
        let pipelines: Vec<Pipeline> = pipelines.collect();
        Ok::<_, std::convert::Infallible>(pages.fitness(&pipelines, Fitness::Lcs))
    });
    let Ok(history) = history;
    fittest(&history).cloned().expect("a first generation")
}

/// A row: F1 by words and by collection, and the gain with its interval.
fn print_row(name: &str, fitness: &str, seeds: &[UnseenScores], first: Option<&UnseenScores>) {
    let mean = UnseenScores::mean(seeds);
    let by_collection: Vec<String> = mean
        .by_collection()
        .iter()
        .map(|[two_gram, words]| format!("{two_gram:.3} / {words:.3}"))
        .collect();
    let [two_gram, words] = mean.macro_average();
    let gain = first.map_or(String::new(), |first| {
        let [low, high] = mean.interval_over(first);
        let gain = words - first.macro_average()[1];
        format!("{gain:+.4} ({low:+.4} to {high:+.4})")
    });
    let of_seeds: Vec<String> = seeds
        .iter()
        .map(|seed| format!("{:.4}", seed.macro_average()[1]))
        .collect();
    println!(
        "| {name} | {fitness} | {} | {two_gram:.4} / **{words:.4}** | {gain} | {} |",
        by_collection.join(" | "),
        of_seeds.join(", ")
    );
}
