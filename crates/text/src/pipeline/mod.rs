//! One-page methods by name, and pipelines of them: one after the other, beside each
//! other, and by vote.
//! CombinE: Gottron 2008a, as Gottron 3 cites it ("flexible content extraction
//! pipelines with parallel, serial and voting mechanisms").
//!
//! A [`OnePageMethod`] is a method of [`baseline`](forest_core::baseline), or
//! [`onepage`](forest_core::onepage), with its parameters; a [`Preset`] is one by name, with the
//! parameters of its paper.
//!
//! A [`Pipeline`] is a tree of methods, written as a YAML file:
//!
//! ```yaml
//! format: 1
//! pipeline:
//!   union:
//!     - boilerpipe
//!     - serial:
//!         - lqf: {threshold: 0.4}
//!         - tccb-old
//!     - vote:
//!         at_least: 2
//!         of: [bte, ttr, sw: {english: 0.25}]
//! ```
//!
//! | node | keeps |
//! | --- | --- |
//! | a method by [name](Preset), with parameters of its own or without | its texts |
//! | `serial` | the texts of the last one; each sees only what the one before it kept |
//! | `union` | texts that any of them keeps |
//! | `intersection` | texts that all of them keep |
//! | `vote` | texts that `at_least` so many of them keep |
//!
//! - `any_method`: all methods by name, with those that need the pages of a site.
//! - `method`: methods and presets.
//! - `node`: the tree and the texts that it keeps of a page.
//! - `parameter` and `parameters`: the parameters of each method, their values, and those that
//!   a search tries.
//! - `blueprint`: a pipeline whose parameters, or whose nodes, are open.
//! - `read` and `number`: from a file to a tree, or to a mistake and its place; and back.
//!
//! Three pipelines come with the program, in `pipelines/`: [`Pipeline::SHIPPED`].
//!
//! **Serial.** A method runs on what is *left* of the page: the texts that the
//! one before it kept, and all elements but those that lost all their text.
//! Neighbourhoods close up, quotas and languages are those of what is left. This is
//! what CombinE does, which hands a document on; here no document is made, the walk
//! over the page passes over what is gone. The other reading, to run each on the
//! whole page and keep what all keep, is `intersection`. Mean F1 by 2-grams over
//! the eight development collections, `serial` and `intersection`: LQF and TTR 0.890
//! and 0.883, LQF and BTE 0.874 and 0.867, LQF and boilerpipe 0.872 and 0.885, LQF
//! and ACCB 0.850 and 0.850; the `balanced` pipeline 0.910 and, with `intersection`
//! in the place of its `serial`, 0.905.
//!
//! **What the paper leaves open**, and what was chosen:
//!
//! - Nothing stays of an element that lost all its text, neither its tags nor the
//!   pictures in it. Elements without text of their own to lose stay.
//! - Masks are compared by texts. White space between two kept texts is kept.
//!
//! A pipeline costs the sum of its methods, and for each step of a `serial` two
//! passes over the page; their number is bounded.

mod any_method;
mod blueprint;
mod method;
mod node;
mod number;
mod parameter;
mod parameters;
mod read;
#[cfg(test)]
mod tests;

use crate::error::Result;
use forest_html::page::view::{View, is_text};
use forest_html::page::walk;
use forest_html::page::{Mask, NodeId, Page};
use node::PipelineNode;
use std::fmt;
use std::sync::Arc;

pub use any_method::AnyMethod;
pub use method::Preset;
pub use read::{MAX_BYTES, MAX_DEPTH, MAX_NODES};

pub use blueprint::{Blueprint, Setting};
pub use method::OnePageMethod;
pub use parameter::{Parameter, ParameterKind};

/// The prefix of a pipeline among the names of methods.
const PREFIX: &str = "pipeline:";

/// A pipeline of methods and its name. Cheap to clone.
#[derive(Debug, Clone, PartialEq)]
pub struct Pipeline {
    name: Arc<str>,
    root: Arc<PipelineNode>,
}

impl Pipeline {
    /// The pipelines that come with the program, by name, with their files.
    pub const SHIPPED: [(&str, &str); 3] = [
        ("balanced", include_str!("../../pipelines/balanced.yaml")),
        ("precise", include_str!("../../pipelines/precise.yaml")),
        ("thorough", include_str!("../../pipelines/thorough.yaml")),
    ];

    /// The pipeline with this name that comes with the program.
    ///
    /// ```
    /// use forest_text::pipeline::Pipeline;
    /// assert!(Pipeline::shipped("precise").is_some());
    /// assert!(Pipeline::shipped("magic").is_none());
    /// ```
    pub fn shipped(name: &str) -> Option<Pipeline> {
        let (_, text) = Pipeline::SHIPPED.iter().find(|(known, _)| *known == name)?;
        Some(Pipeline::parse(name, text).expect("the pipelines that come with it are right"))
    }

    /// Reads a pipeline's file and gives it a name.
    ///
    /// # Errors
    ///
    /// For every mistake in the text, with its line, the keys that lead to it, and what
    /// would be right.
    ///
    /// ```
    /// use forest_text::pipeline::Pipeline;
    /// let error = Pipeline::parse("mine", "format: 1\npipeline:\n  lqf: {treshold: 0.2}\n").unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "not a pipeline: line 3: pipeline.lqf: unknown field `treshold`, expected `threshold` or `discards`"
    /// );
    /// ```
    pub fn parse(name: &str, text: &str) -> Result<Pipeline> {
        Ok(Pipeline::of(name, read::root(text)?))
    }

    /// A tree with a name.
    fn of(name: &str, root: PipelineNode) -> Pipeline {
        Pipeline {
            name: name.into(),
            root: Arc::new(root),
        }
    }

    /// Its file.
    ///
    /// ```
    /// use forest_text::pipeline::Pipeline;
    /// let text = "format: 1\npipeline:\n  lqf:\n    threshold: 0.3\n";
    /// assert_eq!(Pipeline::parse("mine", text)?.to_yaml(), text);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_yaml(&self) -> String {
        read::yaml(&self.root)
    }

    /// Its tree as JSON on one line.
    pub fn to_json(&self) -> String {
        read::node_json(&self.root).to_string()
    }

    /// The name without `pipeline:`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The name of the pipeline in a method's name, `pipeline:<name>`.
    pub fn name_in(method: &str) -> Option<&str> {
        method.strip_prefix(PREFIX)
    }

    /// The text nodes of a page's article.
    pub fn article(&self, page: &Page) -> Mask {
        let kept = self.root.within(&View::whole(page));
        if matches!(*self.root, PipelineNode::Leaf(_)) {
            return kept;
        }
        let kept: Vec<NodeId> = kept.nodes().filter(|&n| is_text(page, n)).collect();
        walk::mask_of(page, &kept)
    }
}

/// The name with `pipeline:` before it.
impl fmt::Display for Pipeline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PREFIX}{}", self.name)
    }
}
