//! A search that is done: its fittest settings, and their figures over all pages.

use super::fitness::Fitness;
use super::individual::{Individual, fittest, ranked};
use super::plan::TunePlan;
use super::sample::PagePlace;
use super::target::TuneTarget;
use crate::error::Result;
use crate::eval::{self, MethodFigures, MethodTable, PageScore, Setup};
use forest_core::learn::SignifierSource;
use forest_sources::gold::Collection;
use forest_text::pipeline::{AnyMethod, Blueprint, Pipeline};

/// The fittest settings that are shown and verified, as the paper's table 2.
const SHOWN: usize = 4;

/// A search that is done.
pub struct Tuned<'a> {
    pub target: &'a TuneTarget,
    pub plan: TunePlan,
    pub fitness: Fitness,
    pub blueprint: &'a Blueprint,
    pub collections: &'a [Collection],
    /// The pages that fitness was measured on.
    pub places: &'a [PagePlace],
    /// Every setting that was tried.
    pub history: &'a [Individual],
}

impl Tuned<'_> {
    /// The fittest pipelines, each once.
    pub(super) fn fittest(&self) -> Vec<&Individual> {
        let mut fittest: Vec<(&Individual, Pipeline)> = Vec::new();
        for one in ranked(self.history) {
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
    ///
    /// # Errors
    ///
    /// If a collection cannot be read.
    pub fn verify(&self, on_site: &(dyn Fn() + Sync)) -> Result<Vec<MethodTable>> {
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
        methods.extend(self.target.published());
        let setups: Vec<Setup> = methods
            .into_iter()
            .map(|method| Setup::of(method, SignifierSource::default()))
            .collect();
        let mut tables = Vec::new();
        for collection in self.collections {
            let texts = eval::run(collection, &setups, on_site)?;
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
    pub fn preset(&self) -> String {
        let Some(best) = fittest(self.history) else {
            return String::new();
        };
        let pipeline = self.blueprint.pipeline("tuned", &best.proposal.setting);
        format!("# {}\n{}", self.summary(), pipeline.to_yaml())
    }
}
