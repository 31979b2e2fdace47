//! A blueprint: a pipeline whose parameters, or whose nodes, are open (Gottron 4, figure 2: "a
//! blueprint for all individuals").
//!
//! Of a method or a pipeline the parameters of its leaves are open. [`Blueprint::structure`]
//! leaves the nodes themselves open (Gottron 6: "the order and the structure in which the
//! filters are applied"): [`SLOTS`] slots, each with up to two methods one after the other, and
//! the number of slots that must agree on a text. So a structure is a list of numbers, too, and
//! every optimiser can search it.

use super::method::Preset;
use super::node::PipelineNode;
use super::parameter::{Parameter, ParameterKind};
use super::read::yaml;
use super::{OnePageMethod, Pipeline};
use std::borrow::Cow;

/// Slots of a structure: one more than the shipped pipelines need.
pub(super) const SLOTS: usize = 4;

/// The methods of a slot. `onepage` is not among them: its trees were trained on the
/// development pages, so that its scores there are too good.
const NODES: &[&str] = &[
    "none",
    "lqf",
    "accb",
    "tccb",
    "sw",
    "ttr",
    "bte",
    "boilerpipe",
    "crunch",
];

/// The methods of a structure whose parameters are open, too.
const OPEN: [Preset; 5] = [
    Preset::Lqf,
    Preset::Accb,
    Preset::Tccb,
    Preset::Sw,
    Preset::Ttr,
];

/// A value for each parameter of a blueprint, by its place among those that a search tries.
pub type Setting = Vec<usize>;

/// A pipeline with open parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct Blueprint {
    parameters: Vec<Parameter>,
    form: BlueprintForm,
    injected: Vec<Setting>,
}

/// The part of a blueprint that is given.
#[derive(Debug, Clone, PartialEq)]
enum BlueprintForm {
    /// A tree, and for each parameter its leaf and the leaf's parameter.
    Tree(PipelineNode, Vec<(usize, Parameter)>),
    /// Nothing but the slots.
    Structure,
}

/// A name that is no parameter's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown parameter `{name}`; known: {known}")]
pub struct UnknownParameter {
    name: String,
    known: String,
}

impl Blueprint {
    /// The blueprint of a method. The values from before the paper's search are injected.
    pub fn of_preset(preset: Preset) -> Blueprint {
        let mut blueprint = Blueprint::of_tree(PipelineNode::Leaf(preset.method()));
        blueprint.injected = vec![blueprint.setting_of(&preset.earlier().method())];
        blueprint
    }

    /// The blueprint of a pipeline; its own values are injected.
    pub fn of_pipeline(pipeline: &Pipeline) -> Blueprint {
        Blueprint::of_tree((*pipeline.root).clone())
    }

    fn of_tree(root: PipelineNode) -> Blueprint {
        let leaves = root.leaves();
        let mut parameters = Vec::new();
        let mut places = Vec::new();
        let mut own = Setting::new();
        for (at, leaf) in leaves.iter().enumerate() {
            for parameter in leaf.parameters() {
                let mut named = parameter.clone();
                named.group = named.group.map(|group| leaves.len() * group + at);
                if leaves.len() > 1 {
                    named.name = Cow::Owned(format!("{}.{}", leaf_name(&leaves, at), named.name));
                }
                own.push(parameter.place_of(leaf.value(&parameter.name)));
                parameters.push(named);
                places.push((at, parameter));
            }
        }
        Blueprint {
            parameters,
            form: BlueprintForm::Tree(root, places),
            injected: vec![own],
        }
    }

    /// The blueprint of all pipelines of up to [`SLOTS`] slots. The shipped pipelines of this
    /// form and `boilerpipe` are injected.
    pub fn structure() -> Blueprint {
        let votes = (1.0, SLOTS as f64);
        let mut parameters = vec![Parameter::number("at_least", votes, votes, 1.0)];
        for slot in 1..=SLOTS {
            for place in ["first", "then"] {
                let mut parameter = Parameter::new("", ParameterKind::Choice(NODES));
                parameter.name = Cow::Owned(format!("{place}-{slot}"));
                parameters.push(parameter);
            }
        }
        for (at, preset) in OPEN.iter().enumerate() {
            let open = preset.method().parameters().into_iter();
            parameters.extend(open.filter(|p| p.is_searched).map(|mut parameter| {
                parameter.name = Cow::Owned(format!("{preset}.{}", parameter.name));
                parameter.group = parameter.group.map(|_| at);
                parameter
            }));
        }
        let mut blueprint = Blueprint {
            parameters,
            form: BlueprintForm::Structure,
            injected: Vec::new(),
        };
        let balanced = &[("none", "boilerpipe"), ("lqf", "ttr"), ("none", "bte")];
        let mut thorough = blueprint.slots(1, &balanced[..2]);
        blueprint.set(&mut thorough, "ttr.deviations", 0.7);
        blueprint.injected = vec![
            blueprint.slots(2, balanced),
            thorough,
            blueprint.slots(1, &balanced[..1]),
        ];
        blueprint
    }

    /// The parameters that a search goes over if it names none.
    pub fn searched(&self) -> Vec<String> {
        let searched = self.parameters.iter().filter(|p| p.is_searched);
        searched.map(|p| p.name.to_string()).collect()
    }

    /// The blueprint with these parameters open and all others as they are.
    ///
    /// # Errors
    ///
    /// If one of the names is no parameter's.
    pub fn with_open(mut self, names: &[String]) -> Result<Blueprint, UnknownParameter> {
        let known: Vec<&str> = self.parameters.iter().map(|p| &*p.name).collect();
        if let Some(name) = names.iter().find(|name| !known.contains(&name.as_str())) {
            return Err(UnknownParameter {
                name: name.clone(),
                known: known.join(", "),
            });
        }
        if let BlueprintForm::Tree(_, places) = &mut self.form {
            let is_open: Vec<bool> = known
                .iter()
                .map(|name| names.iter().any(|open| open == name))
                .collect();
            retain(&mut self.parameters, &is_open);
            retain(places, &is_open);
            for setting in &mut self.injected {
                retain(setting, &is_open);
            }
        }
        Ok(self)
    }

    /// The open parameters.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// The settings that a search begins with beside random ones.
    pub fn injected(&self) -> &[Setting] {
        &self.injected
    }

    /// The values of a setting, as they stand in a file, by parameter.
    pub fn values(&self, setting: &Setting) -> serde_json::Map<String, serde_json::Value> {
        let values = self.parameters.iter().zip(setting);
        values
            .map(|(p, place)| (p.name.to_string(), p.json(p.value_at(*place))))
            .collect()
    }

    /// The pipeline of a setting.
    pub fn pipeline(&self, name: &str, setting: &Setting) -> Pipeline {
        let root = match &self.form {
            BlueprintForm::Tree(root, places) => {
                let mut root = root.clone();
                for ((leaf, parameter), place) in places.iter().zip(setting) {
                    root.change_leaf(*leaf, |method| {
                        method.with_value(parameter, parameter.value_at(*place))
                    });
                }
                root
            }
            BlueprintForm::Structure => self.built(setting),
        };
        Pipeline::of(name, root)
    }

    /// The setting with the values of a method; of a blueprint with one leaf.
    fn setting_of(&self, method: &OnePageMethod) -> Setting {
        let place = |parameter: &Parameter| parameter.place_of(method.value(&parameter.name));
        self.parameters.iter().map(place).collect()
    }

    /// The setting of a structure with these slots and the methods' own parameters.
    fn slots(&self, at_least: usize, slots: &[(&str, &str)]) -> Setting {
        let mut setting = vec![0; self.parameters.len()];
        self.set(&mut setting, "at_least", at_least as f64);
        for (at, (first, then)) in slots.iter().enumerate() {
            for (place, name) in [("first", first), ("then", then)] {
                let node = NODES.iter().position(|known| known == name).unwrap_or(0);
                self.set(&mut setting, &format!("{place}-{}", at + 1), node as f64);
            }
        }
        for preset in OPEN {
            for parameter in preset.method().parameters() {
                let value = preset.method().value(&parameter.name);
                self.set(&mut setting, &format!("{preset}.{}", parameter.name), value);
            }
        }
        setting
    }

    fn set(&self, setting: &mut Setting, name: &str, value: f64) {
        if let Some(at) = self.parameters.iter().position(|p| p.name == name) {
            setting[at] = self.parameters[at].place_of(value);
        }
    }

    fn get(&self, setting: &Setting, name: &str) -> f64 {
        let at = self.parameters.iter().position(|p| p.name == name);
        at.map_or(0.0, |at| self.parameters[at].value_at(setting[at]))
    }

    /// The tree of a structure. The order of slots says nothing, so they are sorted by their
    /// file. Without a node in any slot it is LQF.
    fn built(&self, setting: &Setting) -> PipelineNode {
        let node_of = |place: &str, slot: usize| {
            let node = self.get(setting, &format!("{place}-{slot}")) as usize;
            let preset = Preset::by_name(NODES[node])?;
            let mut method = preset.method();
            for parameter in method.parameters() {
                let name = format!("{preset}.{}", parameter.name);
                if self.parameters.iter().any(|p| p.name == name) {
                    method = method.with_value(&parameter, self.get(setting, &name));
                }
            }
            Some(PipelineNode::Leaf(method))
        };
        let slots =
            (1..=SLOTS).filter_map(
                |slot| match (node_of("first", slot), node_of("then", slot)) {
                    (Some(first), Some(then)) => Some(PipelineNode::Serial(vec![first, then])),
                    (first, then) => first.or(then),
                },
            );
        let mut slots: Vec<PipelineNode> = slots.collect();
        slots.sort_by_cached_key(yaml);
        let at_least = self.get(setting, "at_least") as usize;
        match slots.len() {
            0 => PipelineNode::Leaf(Preset::Lqf.method()),
            1 => slots.remove(0),
            _ if at_least == 1 => PipelineNode::Union(slots),
            count if at_least >= count => PipelineNode::Intersection(slots),
            _ => PipelineNode::Vote(at_least, slots),
        }
    }
}

/// Keeps the items whose flag is set.
fn retain<T>(items: &mut Vec<T>, is_kept: &[bool]) {
    let mut flags = is_kept.iter();
    items.retain(|_| flags.next().is_some_and(|kept| *kept));
}

/// The name of a leaf: its preset's, with a number from the second leaf of this name on.
fn leaf_name(leaves: &[&OnePageMethod], at: usize) -> String {
    let name = |leaf: &OnePageMethod| match leaf {
        OnePageMethod::Boilerpipe => "boilerpipe",
        OnePageMethod::Lqf(_) => "lqf",
        OnePageMethod::Blurring(blurring) => blurring.name(),
        OnePageMethod::Sw(_) => "sw",
        OnePageMethod::Bte => "bte",
        OnePageMethod::Ttr(_) => "ttr",
        OnePageMethod::OnePage => "onepage",
        OnePageMethod::Crunch(_) => "crunch",
    };
    let own = name(leaves[at]);
    let same = leaves[..at].iter().filter(|leaf| name(leaf) == own).count();
    match same {
        0 => own.to_owned(),
        same => format!("{own}-{}", same + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(blueprint: &Blueprint, setting: &Setting, expected: &str) {
        let expected = Pipeline::parse("test", expected).expect("a pipeline");
        assert_eq!(blueprint.pipeline("test", setting), expected);
    }

    #[test]
    fn the_values_from_before_the_paper_are_injected() {
        for (preset, values) in [
            (Preset::Lqf, r#"{"threshold":0.25,"discards":"own-text"}"#),
            (
                Preset::Accb,
                r#"{"radius":40,"threshold":0.75,"links":"left-out"}"#,
            ),
            (
                Preset::Tccb,
                r#"{"radius":25,"threshold":0.75,"links":"counted"}"#,
            ),
            (
                Preset::Sw,
                r#"{"english":0.3,"german":0.25,"italian":0.4,"other":0.25}"#,
            ),
        ] {
            let blueprint = Blueprint::of_preset(preset);
            let injected = blueprint.values(&blueprint.injected()[0]);
            assert_eq!(serde_json::to_string(&injected).expect("JSON"), values);
        }
    }

    #[test]
    fn a_setting_is_a_pipeline() {
        let open = ["radius".to_owned(), "threshold".to_owned()];
        let tccb = Blueprint::of_preset(Preset::Tccb)
            .with_open(&open)
            .expect("parameters");
        check(
            &tccb,
            &vec![9, 50],
            "format: 1\npipeline: {tccb: {radius: 10, threshold: 0.5}}\n",
        );
        let unknown = Blueprint::of_preset(Preset::Lqf).with_open(&open);
        assert_eq!(
            unknown.expect_err("no radius").to_string(),
            "unknown parameter `radius`; known: threshold, discards"
        );
    }

    #[test]
    fn leaves_of_one_name_have_numbers() {
        let text = "format: 1\npipeline:\n  union:\n  - lqf\n  - serial:\n    - lqf\n    - bte\n";
        let pipeline = Pipeline::parse("test", text).expect("a pipeline");
        let blueprint = Blueprint::of_pipeline(&pipeline);
        assert_eq!(blueprint.searched(), ["lqf.threshold", "lqf-2.threshold"]);
        let open = Blueprint::searched(&blueprint);
        let blueprint = blueprint.with_open(&open).expect("parameters");
        assert_eq!(
            blueprint.pipeline("test", &blueprint.injected()[0]),
            pipeline
        );
        let other = "format: 1\npipeline: {union: [lqf: {threshold: 0}, \
            serial: [lqf: {threshold: 1}, bte]]}\n";
        check(&blueprint, &vec![0, 100], other);
    }

    #[test]
    fn structures_are_pipelines() {
        let structure = Blueprint::structure();
        for (setting, name) in structure.injected().iter().zip(["balanced", "thorough"]) {
            let shipped = Pipeline::shipped(name).expect(name);
            let leaves = |pipeline: &Pipeline| pipeline.root.leaves().len();
            let built = structure.pipeline(name, setting);
            assert_eq!(leaves(&built), leaves(&shipped), "{}", built.to_yaml());
        }
        let boilerpipe = &structure.injected()[2];
        check(&structure, boilerpipe, "format: 1\npipeline: boilerpipe\n");
        let slots = |at_least, slots: &[(&str, &str)]| structure.slots(at_least, slots);
        check(&structure, &slots(1, &[]), "format: 1\npipeline: lqf\n");
        let both = "format: 1\npipeline: {intersection: [serial: [lqf, sw], bte]}\n";
        check(
            &structure,
            &slots(4, &[("lqf", "sw"), ("bte", "none")]),
            both,
        );
        check(
            &structure,
            &slots(2, &[("bte", "none"), ("lqf", "sw")]),
            both,
        );
    }
}
