//! The experiments of FOREST, section 4: the trials of each.

use forest_core::learn::{LearnOptions, Method, SignifierSource};
use forest_core::pattern::PatternOptions;
use forest_core::rank::{LevelFactor, MeasureName};
use forest_eval::eval::{Setup, Split};
use forest_text::pipeline::{AnyMethod, Preset};
use std::fmt;
use std::str::FromStr;

/// Sample pages of figure 5, 1 to this.
const MOST_PAGES: usize = 10;

/// Signifiers of figure 6, 1 to this.
const MOST_KEYWORDS: usize = 20;

/// The two sources of signifiers that the paper compares.
const SOURCES: [SignifierSource; 2] = [SignifierSource::TfIdf, SignifierSource::Feed];

/// An experiment of FOREST, section 4.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Experiment {
    /// Table 1 and figure 4: all methods.
    Methods,
    /// Figure 5: F1 against the number of sample pages, 1 to 10.
    Pages,
    /// Figure 6: F1 against the number of signifiers, 1 to 20.
    Keywords,
    /// Figure 7: J alone, U alone, J·U.
    Measures,
    /// The four small heuristics under "Challenges", each against the method as
    /// published.
    Heuristics,
}

impl Experiment {
    /// All experiments, in the order of the paper.
    pub const ALL: [Experiment; 5] = [
        Experiment::Methods,
        Experiment::Pages,
        Experiment::Keywords,
        Experiment::Measures,
        Experiment::Heuristics,
    ];

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Experiment::Methods => "methods",
            Experiment::Pages => "pages",
            Experiment::Keywords => "keywords",
            Experiment::Measures => "measures",
            Experiment::Heuristics => "heuristics",
        }
    }

    /// Its heading, with its place in the paper.
    pub fn title(self) -> &'static str {
        match self {
            Experiment::Methods => "All methods (table 1, figure 4)",
            Experiment::Pages => "Number of sample pages (figure 5)",
            Experiment::Keywords => "Number of signifiers (figure 6)",
            Experiment::Measures => "Measures (figure 7)",
            Experiment::Heuristics => "Small heuristics (section 4)",
        }
    }

    /// The setups of the experiment, in the order in which they are shown, for a
    /// method that learns (`paper` for the paper's experiments). With `learn_on`
    /// they are scored on the pages behind the first so many.
    pub fn trials(self, method: &Method, learn_on: Option<usize>) -> Vec<Trial> {
        let mut trials = match self {
            Experiment::Methods => methods(),
            Experiment::Pages => pages(method, learn_on),
            Experiment::Keywords => keywords(method),
            Experiment::Measures => measures(method),
            Experiment::Heuristics => heuristics(method),
        };
        for trial in &mut trials {
            trial.setup.learn_on = learn_on;
        }
        trials
    }
}

/// One setup of an experiment.
#[derive(Debug, Clone, PartialEq)]
pub struct Trial {
    /// The line, bar or box that it belongs to.
    pub series: String,
    /// Its place on the x axis; `None` if the series has one value.
    pub x: Option<usize>,
    /// The method and how it learns.
    pub setup: Setup,
    /// Learn from so many pages at the most (figure 5). Where all pages are
    /// scored, a page is learned from the block of so many pages, consecutive by
    /// id, that it stands in; the last block of a site is filled up with the pages
    /// before it. So each page is in its own sample, as in the paper, and a site of
    /// m pages costs m pages of learning for each number, not m times as many.
    pub at_most: Option<usize>,
}

impl Trial {
    /// A setup under its own label.
    pub fn of(setup: Setup) -> Trial {
        Trial {
            series: setup.label(),
            x: None,
            setup,
            at_most: None,
        }
    }

    /// True if both trials run alike, whatever series they belong to.
    pub fn is_run_as(&self, other: &Trial) -> bool {
        (&self.setup, self.at_most) == (&other.setup, other.at_most)
    }

    /// The pages of a site of `pages` pages that are learned from and scored together.
    pub fn splits(&self, pages: usize) -> Vec<Split> {
        let at_most = self.at_most.unwrap_or(pages).max(1);
        if self.setup.learn_on.is_some() {
            let Split { train, test } = self.setup.split(pages);
            let train = train.start..train.end.min(at_most);
            return vec![Split { train, test }];
        }
        let block = |first: usize| {
            let end = (first + at_most).min(pages);
            Split {
                train: end.saturating_sub(at_most)..end,
                test: first..end,
            }
        };
        (0..pages).step_by(at_most).map(block).collect()
    }
}

fn of(method: &Method, source: &SignifierSource) -> Setup {
    Setup::of(*method, source.clone())
}

fn page_by_page(method: impl Into<AnyMethod>) -> Trial {
    Trial::of(Setup::of(method, SignifierSource::Feed))
}

/// The methods of the FOREST paper's table 1; `paper-nodfs` beside `paper`.
const OF_TABLE_1: [AnyMethod; 6] = [
    AnyMethod::OfSite(Method::Paper),
    AnyMethod::OfSite(Method::PaperNoDfs),
    AnyMethod::OfSite(Method::Coverage),
    AnyMethod::OfSite(Method::Sigfeed),
    AnyMethod::OfSite(Method::Description),
    AnyMethod::OnePage(Preset::Boilerpipe),
];

fn methods() -> Vec<Trial> {
    let mut trials = Vec::new();
    for method in OF_TABLE_1 {
        // COVERAGE weighs its signifiers by tf-idf and the paper gives it no others.
        let sources = match &method {
            AnyMethod::OfSite(Method::Coverage) => &SOURCES[..1],
            method if method.learns() => &SOURCES[..],
            _ => &[],
        };
        let setup = |source: &SignifierSource| Setup::of(method.clone(), source.clone());
        trials.extend(sources.iter().map(|source| Trial::of(setup(source))));
        if sources.is_empty() {
            trials.push(page_by_page(method));
        }
    }
    trials
}

fn pages(method: &Method, learn_on: Option<usize>) -> Vec<Trial> {
    let mut trials = Vec::new();
    for source in &SOURCES {
        for n in 1..=learn_on.map_or(MOST_PAGES, |n| n.min(MOST_PAGES)) {
            trials.push(Trial {
                x: Some(n),
                at_most: Some(n),
                ..Trial::of(of(method, source))
            });
        }
    }
    trials.push(page_by_page(Method::Sigfeed));
    trials.push(page_by_page(Preset::Boilerpipe));
    trials
}

fn keywords(method: &Method) -> Vec<Trial> {
    let mut trials = Vec::new();
    let lines = SOURCES.iter().map(|source| (method, source));
    for (method, source) in lines.chain([(&Method::Sigfeed, &SOURCES[1])]) {
        for k in 1..=MOST_KEYWORDS {
            let mut setup = of(method, source);
            setup.options = setup.options.with_keywords(k);
            trials.push(Trial {
                x: Some(k),
                ..Trial::of(setup)
            });
        }
    }
    trials.push(page_by_page(Preset::Boilerpipe));
    trials
}

/// For each source, one trial a named change of the options.
fn changed<const N: usize>(
    method: &Method,
    changes: [(&str, &dyn Fn(LearnOptions) -> LearnOptions); N],
) -> Vec<Trial> {
    let mut trials = Vec::new();
    for source in &SOURCES {
        for (name, change) in &changes {
            let mut setup = of(method, source);
            let series = format!("{}: {name}", setup.label());
            setup.options = change(setup.options);
            trials.push(Trial {
                series,
                ..Trial::of(setup)
            });
        }
    }
    trials
}

fn measures(method: &Method) -> Vec<Trial> {
    changed(
        method,
        [
            ("J", &|o| o.with_measure(MeasureName::Density)),
            ("U", &|o| o.with_measure(MeasureName::Unexpectedness)),
            ("J·U", &|o| o),
        ],
    )
}

fn heuristics(method: &Method) -> Vec<Trial> {
    let patterns = PatternOptions::default;
    changed(
        method,
        [
            ("as published", &|o| o),
            ("anchor lists out", &|o| o.with_anchor_lists(false)),
            ("comment paths out", &|o| {
                o.with_patterns(patterns().with_comment_paths(false))
            }),
            ("whole attribute values", &|o| {
                o.with_patterns(patterns().with_tolerant(false))
            }),
            ("no level factor", &|o| {
                o.with_level_factor(LevelFactor::None)
            }),
        ],
    )
}

impl fmt::Display for Experiment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is no experiment's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown experiment `{0}`; known: {known}", known = Experiment::ALL.map(Experiment::name).join(", "))]
pub struct UnknownExperiment(String);

impl FromStr for Experiment {
    type Err = UnknownExperiment;

    fn from_str(name: &str) -> Result<Self, UnknownExperiment> {
        Experiment::ALL
            .into_iter()
            .find(|e| e.name() == name)
            .ok_or_else(|| UnknownExperiment(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for experiment in Experiment::ALL {
            assert_eq!(experiment.name().parse(), Ok(experiment));
        }
        let error = "magic".parse::<Experiment>().unwrap_err().to_string();
        for experiment in Experiment::ALL {
            assert!(error.contains(experiment.name()), "{error}");
        }
    }

    #[test]
    fn each_experiment_has_the_papers_points() {
        let count = |e: Experiment, learn_on| e.trials(&Method::Paper, learn_on).len();
        // Two sources and two flat lines; three lines and a flat one.
        assert_eq!(count(Experiment::Pages, None), 2 * 10 + 2);
        assert_eq!(count(Experiment::Pages, Some(5)), 2 * 5 + 2);
        assert_eq!(count(Experiment::Keywords, None), 3 * 20 + 1);
        assert_eq!(count(Experiment::Measures, None), 2 * 3);
        assert_eq!(count(Experiment::Heuristics, None), 2 * 5);
        let methods = Experiment::Methods.trials(&Method::Paper, None);
        assert!(
            OF_TABLE_1
                .iter()
                .all(|m| methods.iter().any(|t| t.setup.method == *m))
        );
    }

    fn check(pages: usize, learn_on: Option<usize>, at_most: usize, expected: &str) {
        let mut setup = Setup::of(Method::Paper, SignifierSource::TfIdf);
        setup.learn_on = learn_on;
        let trial = Trial {
            at_most: Some(at_most),
            ..Trial::of(setup)
        };
        let splits = trial.splits(pages).into_iter();
        let splits: Vec<String> = splits
            .map(|split| format!("{:?}>{:?}", split.train, split.test))
            .collect();
        assert_eq!(splits.join(" "), expected);
    }

    #[test]
    fn blocks_hold_the_page_and_are_full() {
        check(7, None, 3, "0..3>0..3 3..6>3..6 4..7>6..7");
        check(2, None, 3, "0..2>0..2");
        check(2, None, 1, "0..1>0..1 1..2>1..2");
        check(0, None, 3, "");
        check(10, Some(5), 2, "0..2>5..10");
    }

    #[test]
    fn no_two_trials_of_an_experiment_are_the_same() {
        for experiment in Experiment::ALL {
            let trials = experiment.trials(&Method::Paper, Some(5));
            for (at, trial) in trials.iter().enumerate() {
                assert!(
                    trials[..at].iter().all(|t| !t.is_run_as(trial)),
                    "{trial:?}"
                );
            }
        }
    }
}
