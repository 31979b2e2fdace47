//! The history of a search as JSON lines: a head, then a line an individual.
//!
//! A search that was interrupted is run again: the optimiser proposes the same settings, and
//! those that the file has keep the fitness that they have there. A line that was cut off by
//! the interruption has no end and does not count.

use super::fitness::Fitness;
use super::individual::Proposal;
use super::pages::TunePages;
use super::plan::TunePlan;
use super::target::TuneTarget;
use forest_text::pipeline::Blueprint;
use serde_json::{Map, Value};

/// The lines of a history: those that an earlier run left, and those of this run.
#[derive(Debug, Clone, Default)]
pub struct TuneLog {
    earlier: Vec<String>,
    next: usize,
}

/// A history that another search wrote.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "line {line} is of another search: its method, parameters, pages, seed or optimiser differ; \
     name another file"
)]
pub struct OtherHistory {
    line: usize,
}

impl TuneLog {
    /// The head of a history: all that decides what follows.
    pub fn head(
        target: &TuneTarget,
        blueprint: &Blueprint,
        plan: &TunePlan,
        fitness: Fitness,
        pages: &TunePages,
    ) -> String {
        let start = blueprint.injected().first();
        let start = start.map(|setting| blueprint.pipeline("start", setting).to_yaml());
        let names: Vec<&str> = blueprint.parameters().iter().map(|p| &*p.name).collect();
        serde_json::json!({
            "format": 1,
            "method": target.to_string(),
            "start": start,
            "parameters": names,
            "optimiser": plan.optimiser.name(),
            "seed": plan.seed,
            "population": plan.population,
            "generations": plan.generations,
            "patience": plan.patience,
            "fitness": fitness.to_string(),
            "pages": pages.count(),
            "digest": pages.digest(),
        })
        .to_string()
    }

    /// The log of a search with this head that goes on from an earlier file's whole lines.
    ///
    /// # Errors
    ///
    /// If the file has another head, or is no history.
    pub fn new(head: &str, earlier: &str) -> Result<TuneLog, OtherHistory> {
        let mut lines = whole_lines(earlier).lines().map(str::to_owned);
        match lines.next() {
            Some(line) if line != *head => Err(OtherHistory { line: 1 }),
            // A head that was cut off.
            None if !head.starts_with(earlier) => Err(OtherHistory { line: 1 }),
            _ => Ok(TuneLog {
                earlier: lines.collect(),
                next: 0,
            }),
        }
    }

    /// The fitness of the next proposal in the earlier file; `None` if it has no more lines.
    ///
    /// # Errors
    ///
    /// If the next line is of another proposal, or has no fitness.
    pub fn known(
        &mut self,
        blueprint: &Blueprint,
        proposal: &Proposal,
    ) -> Result<Option<f64>, OtherHistory> {
        let Some(line) = self.earlier.get(self.next) else {
            return Ok(None);
        };
        self.next += 1;
        // The head is line 1.
        let other = OtherHistory {
            line: self.next + 1,
        };
        let read: Option<Value> = serde_json::from_str(line).ok();
        let fitness = read.and_then(|value| value.get("fitness")?.as_f64());
        match fitness {
            Some(fitness) if *line == TuneLog::line(blueprint, proposal, fitness) => {
                Ok(Some(fitness))
            }
            _ => Err(other),
        }
    }

    /// The line of an individual, without its end.
    pub fn line(blueprint: &Blueprint, proposal: &Proposal, fitness: f64) -> String {
        let mut line = Map::new();
        line.insert("generation".to_owned(), proposal.generation.into());
        let origin = serde_json::to_value(proposal.origin);
        line.insert("origin".to_owned(), origin.unwrap_or_default());
        let values = blueprint.values(&proposal.setting);
        line.insert("values".to_owned(), Value::Object(values));
        line.insert("fitness".to_owned(), fitness.into());
        Value::Object(line).to_string()
    }
}

/// The part of a text that ends with a line's end.
pub fn whole_lines(text: &str) -> &str {
    text.rfind('\n').map_or("", |end| &text[..=end])
}
