//! The methods that are tuned, and what they are compared with.

use forest_text::pipeline::{Blueprint, Pipeline, Preset};

/// A method with its parameters and those that it is compared with.
type CaseRow = (
    &'static str,
    Preset,
    &'static [&'static str],
    &'static [&'static str],
);

/// The cases by name: the method, the parameters that are open, and the methods to compare
/// with, of which the first is that from before the search.
const CASES: [CaseRow; 7] = [
    ("lqf", Preset::Lqf, &["threshold"], &["lqf-old", "lqf"]),
    (
        "tccb",
        Preset::Tccb,
        &["radius", "threshold"],
        &["tccb-old", "tccb"],
    ),
    ("accb", Preset::Accb, &["radius", "threshold"], &["accb"]),
    (
        "sw",
        Preset::Sw,
        &["english", "german", "italian", "other"],
        &["sw-old", "sw"],
    ),
    ("ttr", Preset::Ttr, &["radius", "deviations"], &["ttr"]),
    (
        "lqf, both readings",
        Preset::Lqf,
        &["threshold", "discards"],
        &["lqf-old", "lqf: {threshold: 0.25, discards: all-text}"],
    ),
    (
        "accb, all readings",
        Preset::Accb,
        &["radius", "threshold", "links"],
        &["accb", "accb: {links: text-only}", "ccb"],
    ),
];

/// A method that is tuned.
pub struct Case {
    pub name: &'static str,
    pub blueprint: Blueprint,
    /// The methods to compare with, and their names.
    pub known: Vec<(String, Pipeline)>,
}

impl Case {
    /// The names of all cases.
    pub fn names() -> Vec<&'static str> {
        let names = CASES.iter().map(|(name, ..)| *name);
        names.chain(["balanced", "structure"]).collect()
    }

    /// All cases.
    pub fn all() -> Vec<Case> {
        let of_preset = |(name, preset, open, known): &CaseRow| {
            let open: Vec<String> = open.iter().map(|name| (*name).to_owned()).collect();
            let blueprint = Blueprint::of_preset(*preset).with_open(&open);
            Case {
                name,
                blueprint: blueprint.expect("parameters of the method"),
                known: known
                    .iter()
                    .map(|root| (format!("`{root}`"), read(root)))
                    .collect(),
            }
        };
        let mut cases: Vec<Case> = CASES.iter().map(of_preset).collect();
        let balanced = shipped("balanced");
        let blueprint = Blueprint::of_pipeline(&balanced);
        let open = blueprint.searched();
        cases.push(Case {
            name: "balanced",
            blueprint: blueprint.with_open(&open).expect("its own parameters"),
            known: vec![("`balanced`".to_owned(), balanced)],
        });
        let known = ["balanced", "thorough", "precise"];
        let known = known.map(|name| (format!("`{name}`"), shipped(name)));
        let boilerpipe = ("`boilerpipe`".to_owned(), read("boilerpipe"));
        cases.push(Case {
            name: "structure",
            blueprint: Blueprint::structure(),
            known: known.into_iter().chain([boilerpipe]).collect(),
        });
        cases
    }
}

fn shipped(name: &str) -> Pipeline {
    Pipeline::shipped(name).expect("it comes with the program")
}

/// A pipeline by the YAML of its root.
fn read(root: &str) -> Pipeline {
    let root = match root.split_once(": ") {
        Some((name, parameters)) => format!("{{{name}: {parameters}}}"),
        None => root.to_owned(),
    };
    let text = format!("format: 1\npipeline: {root}\n");
    Pipeline::parse("known", &text).expect("the cases are pipelines")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_have_open_parameters_and_something_to_compare_with() {
        let cases = Case::all();
        let names: Vec<&str> = cases.iter().map(|case| case.name).collect();
        assert_eq!(names, Case::names());
        for case in cases {
            assert!(!case.blueprint.parameters().is_empty() && !case.known.is_empty());
        }
    }
}
