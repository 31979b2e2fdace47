//! The method that is tuned.

use forest_text::pipeline::{AnyMethod, Blueprint, Pipeline, Preset};
use std::fmt;

/// A method whose parameters are open.
#[derive(Debug, Clone)]
pub enum TuneTarget {
    /// A method's parameters.
    Preset(Preset),
    /// The parameters of a pipeline's methods.
    Pipeline(Pipeline),
    /// The nodes of a pipeline and their parameters.
    Structure,
}

impl TuneTarget {
    /// The blueprint with all parameters open.
    pub fn blueprint(&self) -> Blueprint {
        match self {
            TuneTarget::Preset(preset) => Blueprint::of_preset(*preset),
            TuneTarget::Pipeline(pipeline) => Blueprint::of_pipeline(pipeline),
            TuneTarget::Structure => Blueprint::structure(),
        }
    }

    /// The method as it comes with the program, to compare.
    pub fn published(&self) -> Option<AnyMethod> {
        match self {
            TuneTarget::Preset(preset) => Some(AnyMethod::OnePage(*preset)),
            TuneTarget::Pipeline(_) | TuneTarget::Structure => None,
        }
    }

    /// The preset, if it is one.
    pub fn preset(&self) -> Option<Preset> {
        match self {
            TuneTarget::Preset(preset) => Some(*preset),
            _ => None,
        }
    }
}

impl fmt::Display for TuneTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TuneTarget::Preset(preset) => preset.fmt(f),
            TuneTarget::Pipeline(pipeline) => pipeline.fmt(f),
            TuneTarget::Structure => f.write_str("pipeline"),
        }
    }
}
