//! Experiments over collections: their figures as Markdown, CSV and charts.

use super::experiment::{Experiment, Trial};
use super::plot::{BarChart, BoxChart, LineChart};
use super::setup::Setup;
use super::table::six;
use super::{Interval, PERCENTILES, PageScore, Row, Summary, run::scores};
use crate::error::Result;
use crate::gold::Collection;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::{self, Write};

/// An experiment and the pages that it is scored on.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The experiment.
    pub experiment: Experiment,
    /// As [`Setup::learn_on`].
    pub learn_on: Option<usize>,
    /// What is run.
    pub trials: Vec<Trial>,
}

impl Plan {
    /// The experiment as the paper has it, for a method that learns.
    pub fn new(
        experiment: Experiment,
        method: &crate::learn::Method,
        learn_on: Option<usize>,
    ) -> Plan {
        Plan {
            experiment,
            learn_on,
            trials: experiment.trials(method, learn_on),
        }
    }
}

/// What came of a trial.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The line, bar or box that it belongs to.
    pub series: String,
    /// Its place on the x axis.
    pub x: Option<usize>,
    /// Over the pages of all collections together.
    pub all: Summary,
    /// 95 % interval of the mean 2-gram F1 over the sites of all collections.
    pub interval: Interval,
    /// Over each collection that has pages to score.
    pub collections: Vec<(String, Summary)>,
}

/// What came of an experiment.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    /// The experiment.
    pub experiment: Experiment,
    /// As [`Setup::learn_on`].
    pub learn_on: Option<usize>,
    /// In the order of the trials.
    pub outcomes: Vec<Outcome>,
}

/// The scores of setups over a collection: for each setup the pages.
pub type Scores = Vec<Vec<PageScore>>;

/// Carries out plans over collections. Setups that several trials have in common
/// run once; each page is parsed once. `done` is called after every site.
///
/// # Errors
///
/// If a file of a collection cannot be read.
pub fn conduct(
    collections: &[Collection],
    plans: &[Plan],
    done: &(dyn Fn() + Sync),
) -> Result<Vec<Section>> {
    let mut setups: Vec<Setup> = Vec::new();
    for trial in plans.iter().flat_map(|plan| &plan.trials) {
        if !setups.contains(&trial.setup) {
            setups.push(trial.setup.clone());
        }
    }
    let mut of_collection: Vec<(&str, Scores)> = Vec::new();
    for collection in collections {
        let pages = scores(collection, &setups, done)?;
        of_collection.push((collection.name(), pages));
    }
    Ok(plans
        .iter()
        .map(|plan| {
            let at = |trial: &Trial| {
                let at = setups.iter().position(|s| *s == trial.setup);
                at.expect("every trial's setup is among them")
            };
            let order: Vec<usize> = plan.trials.iter().map(at).collect();
            let pages = |order: usize| {
                let of = of_collection.iter();
                of.map(move |(name, all)| (*name, &all[order][..]))
                    .collect::<Vec<_>>()
            };
            Section::of(plan, |trial| pages(order[trial]))
        })
        .collect())
}

impl Section {
    /// The figures of a plan whose `trial`-th trial has `pages(trial)`: for each
    /// collection its name and its pages' scores. Trials without a page are left
    /// out.
    pub fn of<'a>(
        plan: &Plan,
        pages: impl Fn(usize) -> Vec<(&'a str, &'a [PageScore])>,
    ) -> Section {
        let outcome = |(at, trial): (usize, &Trial)| {
            let of_collection = pages(at);
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
            let row = Row::of(&*trial.series, &all)?;
            Some(Outcome {
                series: row.label,
                x: trial.x,
                all: row.summary,
                interval: row.two_gram,
                collections: of_collection
                    .into_iter()
                    .filter_map(|(name, pages)| Some((name.to_owned(), Summary::of(pages)?)))
                    .collect(),
            })
        };
        Section {
            experiment: plan.experiment,
            learn_on: plan.learn_on,
            outcomes: plan.trials.iter().enumerate().filter_map(outcome).collect(),
        }
    }

    /// `learned`, or `unseen5` where learned from the first five pages.
    fn pages(&self) -> String {
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
        match self.outcomes.iter().any(|o| o.x.is_some()) {
            true => self.table_by_x(),
            false => self.table_by_series(),
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
        let outcome = |o: &Outcome| {
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

fn summary_json(s: &Summary, interval: Interval) -> Value {
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

/// A report: files by name, `report.md` first.
///
/// `collections` are what the sections were measured on, each with its
/// [`Collection::corpus_hash`].
pub fn report(
    collections: &[(&Collection, String)],
    sections: &[Section],
) -> Vec<(String, String)> {
    let mut text = "# Figures\n\nMean over pages of precision, recall and F1 by set of word 2-grams; of several \
        acceptable texts the best counts. 95 %: bootstrap interval over sites. p9 to p91: percentiles of F1. \
        LCS F1: by longest common subsequence of words. mean: of the collections' F1. Columns behind it: F1 of each \
        collection.\n\n| collection | sites | pages | corpus |\n| --- | --- | --- | --- |\n"
        .to_owned();
    for (collection, hash) in collections {
        let (sites, pages) = (collection.sites().len(), collection.scored());
        let short = &hash[..hash.len().min(12)];
        let _ = writeln!(
            text,
            "| {} | {sites} | {pages} | `{short}` |",
            collection.name()
        );
    }
    let mut charts = Vec::new();
    for section in sections {
        let chart = section.chart_name();
        let _ = write!(
            text,
            "\n{section}\n![{}]({chart})\n",
            section.experiment.title()
        );
        charts.push((chart, section.chart()));
    }
    let mut files = vec![("report.md".to_owned(), text)];
    files.push(("figures.csv".to_owned(), csv(sections)));
    files.extend(charts);
    files
}

/// All figures of all sections: a line a trial and collection, `*` for all
/// collections together.
pub fn csv(sections: &[Section]) -> String {
    let mut out = "experiment,scored,series,x,collection,pages,empty,crashed".to_owned();
    for measure in ["two_gram", "word_lcs"] {
        for part in ["precision", "recall", "f1"] {
            let _ = write!(out, ",{measure}_{part}");
        }
        for q in PERCENTILES {
            let _ = write!(out, ",{measure}_f1_p{q}");
        }
    }
    out.push('\n');
    for section in sections {
        for o in &section.outcomes {
            let collections = o.collections.iter().map(|(name, s)| (name.as_str(), s));
            for (name, s) in [("*", &o.all)].into_iter().chain(collections) {
                let x = o.x.map(|x| x.to_string()).unwrap_or_default();
                let _ = write!(
                    out,
                    "{},{},{},{x},{},{},{},{}",
                    section.experiment,
                    section.pages(),
                    cell(&o.series),
                    cell(name),
                    s.pages,
                    s.empty,
                    s.crashed.len()
                );
                for d in [&s.two_gram, &s.word_lcs] {
                    let mean = [d.mean.precision, d.mean.recall, d.mean.f1];
                    for value in mean.into_iter().chain(d.f1_percentiles) {
                        let _ = write!(out, ",{}", six(value));
                    }
                }
                out.push('\n');
            }
        }
    }
    out
}

/// A name in CSV: quoted where it must be.
fn cell(name: &str) -> String {
    match name.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", name.replace('"', "\"\"")),
        false => name.to_owned(),
    }
}
