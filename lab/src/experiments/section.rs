//! The figures of an experiment: a table, a chart, JSON.

use super::paper::{Experiment, Trial};
use crate::plot::{BarChart, BoxChart, LineChart};
use forest_core::learn::Method;
use forest_eval::eval::{MeanInterval, MethodFigures, PageScore, Summary, six};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::{self, Write};

/// An experiment and the pages that it is scored on.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The experiment.
    pub experiment: Experiment,
    /// As `Setup::learn_on`.
    pub learn_on: Option<usize>,
    /// The trials.
    pub trials: Vec<Trial>,
}

impl Plan {
    /// The experiment as the paper has it, for a method that learns.
    pub fn new(experiment: Experiment, method: &Method, learn_on: Option<usize>) -> Plan {
        Plan {
            experiment,
            learn_on,
            trials: experiment.trials(method, learn_on),
        }
    }
}

/// The figures of a trial.
#[derive(Debug, Clone, PartialEq)]
pub struct TrialFigures {
    /// The line, bar or box that it belongs to.
    pub series: String,
    /// Its place on the x axis.
    pub x: Option<usize>,
    /// Over the pages of all collections together.
    pub all: Summary,
    /// 95 % interval of the mean 2-gram F1 over the sites of all collections.
    pub interval: MeanInterval,
    /// Over each collection that has pages to score.
    pub collections: Vec<(String, Summary)>,
}

/// The figures of an experiment.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    /// The experiment.
    pub experiment: Experiment,
    /// As `Setup::learn_on`.
    pub learn_on: Option<usize>,
    /// In the order of the trials.
    pub outcomes: Vec<TrialFigures>,
}

impl Section {
    /// The figures of a plan: `scores` has for each of its trials the name of each
    /// collection and the scores of its pages. Trials without a page are left out.
    pub fn of(plan: &Plan, scores: &[Vec<(&str, &[PageScore])>]) -> Section {
        let outcome = |(trial, of_collection): (&Trial, &Vec<(&str, &[PageScore])>)| {
            // Two collections may have a site of the same name.
            let all: Vec<PageScore> = of_collection
                .iter()
                .flat_map(|(name, pages)| {
                    pages.iter().map(move |page| PageScore {
                        id: format!("{name}:{}", page.id),
                        ..page.clone()
                    })
                })
                .collect();
            let row = MethodFigures::of(&*trial.series, &all)?;
            let summaries = of_collection.iter();
            Some(TrialFigures {
                series: row.label,
                x: trial.x,
                all: row.summary,
                interval: row.two_gram,
                collections: summaries
                    .filter_map(|(name, pages)| Some(((*name).to_owned(), Summary::of(*pages)?)))
                    .collect(),
            })
        };
        Section {
            experiment: plan.experiment,
            learn_on: plan.learn_on,
            outcomes: plan.trials.iter().zip(scores).filter_map(outcome).collect(),
        }
    }

    /// `learned`, or `unseen5` where learned from the first five pages.
    pub fn pages(&self) -> String {
        match self.learn_on {
            None => "learned".to_owned(),
            Some(n) => format!("unseen{n}"),
        }
    }

    fn heading(&self) -> String {
        match self.learn_on {
            None => format!("{}, on the pages learned from", self.experiment.title()),
            Some(n) => {
                let title = self.experiment.title();
                format!("{title}, on unseen pages (learned from the first {n})")
            }
        }
    }

    /// Name of the chart's file.
    pub fn chart_name(&self) -> String {
        format!("{}-{}.svg", self.experiment, self.pages())
    }

    /// The chart, as SVG.
    pub fn chart(&self) -> String {
        match self.experiment {
            Experiment::Methods => self.boxes().svg(),
            Experiment::Pages => self.lines("pages learned from, at the most").svg(),
            Experiment::Keywords => self.lines("signifiers, at the most").svg(),
            Experiment::Measures => self.parts().svg(),
            Experiment::Heuristics => self.changes().svg(),
        }
    }

    fn boxes(&self) -> BoxChart {
        BoxChart {
            title: format!("2-gram F1. {}", self.heading()),
            boxes: self
                .outcomes
                .iter()
                .map(|o| {
                    let figures = &o.all.two_gram;
                    (o.series.clone(), figures.f1_percentiles, figures.mean.f1)
                })
                .collect(),
        }
    }

    fn lines(&self, x_label: &str) -> LineChart {
        let mut chart = LineChart {
            title: format!("Mean 2-gram F1. {}", self.heading()),
            x_label: x_label.to_owned(),
            x_max: self.outcomes.iter().filter_map(|o| o.x).max().unwrap_or(1),
            lines: Vec::new(),
            flat: Vec::new(),
        };
        for outcome in &self.outcomes {
            let f1 = outcome.all.two_gram.mean.f1;
            match (outcome.x, chart.lines.last_mut()) {
                (None, _) => chart.flat.push((outcome.series.clone(), f1)),
                (Some(x), Some((name, points))) if *name == outcome.series => points.push((x, f1)),
                (Some(x), _) => chart.lines.push((outcome.series.clone(), vec![(x, f1)])),
            }
        }
        chart
    }

    /// Precision, recall and F1 of each series.
    fn parts(&self) -> BarChart {
        BarChart {
            title: format!("2-grams. {}", self.heading()),
            bars: ["precision", "recall", "F1"].map(str::to_owned).to_vec(),
            groups: self
                .outcomes
                .iter()
                .map(|o| {
                    let mean = o.all.two_gram.mean;
                    (o.series.clone(), vec![mean.precision, mean.recall, mean.f1])
                })
                .collect(),
        }
    }

    /// F1 of each change, a bar a setup: series are named `<setup>: <change>`.
    fn changes(&self) -> BarChart {
        let mut chart = BarChart {
            title: format!("Mean 2-gram F1. {}", self.heading()),
            bars: Vec::new(),
            groups: Vec::new(),
        };
        for outcome in &self.outcomes {
            let (setup, change) = outcome
                .series
                .split_once(": ")
                .unwrap_or(("", &outcome.series));
            if !chart.bars.iter().any(|bar| bar == setup) {
                chart.bars.push(setup.to_owned());
            }
            let f1 = outcome.all.two_gram.mean.f1;
            match chart.groups.iter_mut().find(|(name, _)| name == change) {
                Some((_, heights)) => heights.push(f1),
                None => chart.groups.push((change.to_owned(), vec![f1])),
            }
        }
        chart
    }

    /// The figures as a Markdown table.
    pub fn table(&self) -> String {
        if self.outcomes.iter().any(|o| o.x.is_some()) {
            self.table_by_x()
        } else {
            self.table_by_series()
        }
    }

    fn table_by_x(&self) -> String {
        let chart = self.lines("");
        let mut rows: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for (at, (_, points)) in chart.lines.iter().enumerate() {
            for (x, f1) in points {
                let row = rows.entry(*x).or_default();
                row.resize(at, String::new());
                row.push(format!("{f1:.3}"));
            }
        }
        let mut out = "| |".to_owned();
        let names = chart.lines.iter().map(|(name, _)| name);
        for name in names.chain(chart.flat.iter().map(|(name, _)| name)) {
            let _ = write!(out, " {name} |");
        }
        let columns = chart.lines.len() + chart.flat.len();
        let _ = write!(out, "\n| --- |{}\n", " --- |".repeat(columns));
        for (x, row) in rows {
            let _ = write!(out, "| {x} | {} |", row.join(" | "));
            for (_, f1) in &chart.flat {
                let _ = write!(out, " {f1:.3} |");
            }
            out.push('\n');
        }
        out
    }

    fn table_by_series(&self) -> String {
        let names: Vec<&str> = self
            .outcomes
            .first()
            .iter()
            .flat_map(|o| o.collections.iter().map(|(name, _)| name.as_str()))
            .collect();
        let mut out =
            "| | pages | empty | P | R | F1 | 95 % | p9 | p25 | p50 | p75 | p91 | LCS F1 | mean |"
                .to_owned();
        for name in &names {
            let _ = write!(out, " {name} |");
        }
        let _ = write!(out, "\n| --- |{}\n", " --- |".repeat(13 + names.len()));
        for o in &self.outcomes {
            let (two, mean) = (&o.all.two_gram, o.all.two_gram.mean);
            let _ = write!(
                out,
                "| {} | {} | {} | {:.3} | {:.3} | **{:.3}** | {:.3}-{:.3} |",
                o.series,
                o.all.pages,
                o.all.empty,
                mean.precision,
                mean.recall,
                mean.f1,
                o.interval.low,
                o.interval.high
            );
            for p in two.f1_percentiles {
                let _ = write!(out, " {p:.3} |");
            }
            let f1s: Vec<f64> = o
                .collections
                .iter()
                .map(|(_, s)| s.two_gram.mean.f1)
                .collect();
            let mean = f1s.iter().sum::<f64>() / f1s.len().max(1) as f64;
            let _ = write!(out, " {:.3} | {mean:.3} |", o.all.word_lcs.mean.f1);
            for f1 in f1s {
                let _ = write!(out, " {f1:.3} |");
            }
            out.push('\n');
        }
        out
    }

    /// The figures as JSON.
    pub fn json(&self) -> Value {
        let outcome = |o: &TrialFigures| {
            let collections = o.collections.iter();
            json!({
                "series": o.series,
                "x": o.x,
                "all": summary_json(&o.all, o.interval),
                "collections": collections
                    .map(|(name, s)| json!({"name": name, "two_gram_f1": six(s.two_gram.mean.f1)}))
                    .collect::<Vec<_>>(),
            })
        };
        json!({
            "experiment": self.experiment.name(),
            "learn_on": self.learn_on,
            "trials": self.outcomes.iter().map(outcome).collect::<Vec<_>>(),
        })
    }

    fn crashes(&self) -> Vec<String> {
        self.outcomes
            .iter()
            .flat_map(|o| {
                o.all
                    .crashed
                    .iter()
                    .map(|id| format!("{} on {id}", o.series))
            })
            .collect()
    }
}

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "## {}\n\n{}", self.heading(), self.table())?;
        for crash in self.crashes() {
            writeln!(f, "Crashed: {crash}")?;
        }
        Ok(())
    }
}

fn summary_json(s: &Summary, interval: MeanInterval) -> Value {
    let mean = s.two_gram.mean;
    json!({
        "pages": s.pages,
        "empty": s.empty,
        "crashed": s.crashed,
        "precision": six(mean.precision),
        "recall": six(mean.recall),
        "f1": six(mean.f1),
        "f1_interval": [six(interval.low), six(interval.high)],
        "f1_percentiles": s.two_gram.f1_percentiles.map(six),
        "word_lcs_f1": six(s.word_lcs.mean.f1),
    })
}
