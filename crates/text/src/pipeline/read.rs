//! Reads and writes a pipeline's file.

use super::node::PipelineNode;
use super::parameters::{leaf_json, method};
use super::{Preset, number::NumberRange};
use crate::error::{ErrorKind, Result};
use forest_core::yaml::{YamlKey, read_yaml, yaml_error_at, yaml_place};
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// The version of the format.
const FORMAT: u64 = 1;

/// Bytes of a file at the most: all nodes that there may be, with long comments.
pub const MAX_BYTES: usize = 16_000;

/// Nodes of a pipeline at the most, inner nodes included: bounds what a page costs.
pub const MAX_NODES: usize = 64;

/// Levels of nodes at the most.
pub const MAX_DEPTH: usize = 8;

/// The version of a file, whatever else is in it.
#[derive(Deserialize)]
#[serde(expecting = "`format: 1` and `pipeline: ...`")]
struct FileVersion {
    format: u64,
}

/// A file of the version that is known.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PipelineFile {
    #[serde(rename = "format")]
    _format: IgnoredAny,
    pipeline: PipelineNode,
}

/// The value of `vote`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "`at_least: ...` and `of: [...]`")]
struct VoteFile {
    #[serde(deserialize_with = "votes")]
    at_least: usize,
    of: NodeList,
}

fn votes<'de, D: Deserializer<'de>>(from: D) -> Result<usize, D::Error> {
    let range = NumberRange {
        from: 1.0,
        to: MAX_NODES as f64,
        is_whole: true,
    };
    range.deserialize(from).map(|votes| votes as usize)
}

/// The tree in a file.
pub(super) fn root(text: &str) -> Result<PipelineNode> {
    let refused = |line, reason| Err(ErrorKind::PipelineFile { line, reason }.into());
    if text.len() > MAX_BYTES {
        let bytes = text.len();
        return refused(None, format!("it has {bytes} bytes, more than {MAX_BYTES}"));
    }
    tree(text).or_else(|error| {
        let (line, reason) = yaml_place(&error);
        refused(line, reason)
    })
}

fn tree(text: &str) -> Result<PipelineNode, serde_yaml::Error> {
    let FileVersion { format } = read_yaml(text)?;
    if format != FORMAT {
        let reason = format!("format {format} is not known to this program, which knows {FORMAT}");
        return Err(yaml_error_at(text, &[YamlKey::Name("format")], &reason));
    }
    let file: PipelineFile = read_yaml(text)?;
    let mut keys = vec![YamlKey::Name("pipeline")];
    match check_votes(&file.pipeline, &mut keys) {
        Ok(()) => Ok(file.pipeline),
        Err(reason) => Err(yaml_error_at(text, &keys, &reason)),
    }
}

/// Checks that the votes of a tree can be reached. `keys` lead to the node, and to the
/// value at fault where there is an error.
fn check_votes(node: &PipelineNode, keys: &mut Vec<YamlKey>) -> Result<(), String> {
    let before = keys.len();
    match node {
        PipelineNode::Leaf(_) => return Ok(()),
        PipelineNode::Serial(_) => keys.push(YamlKey::Name("serial")),
        PipelineNode::Union(_) => keys.push(YamlKey::Name("union")),
        PipelineNode::Intersection(_) => keys.push(YamlKey::Name("intersection")),
        PipelineNode::Vote(at_least, nodes) if *at_least > nodes.len() => {
            keys.extend([YamlKey::Name("vote"), YamlKey::Name("at_least")]);
            let nodes = nodes.len();
            return Err(format!(
                "`at_least` is {at_least}, and `of` has {nodes} nodes: nothing would ever be kept"
            ));
        }
        PipelineNode::Vote(..) => keys.extend([YamlKey::Name("vote"), YamlKey::Name("of")]),
    }
    for (at, child) in node.children().iter().enumerate() {
        keys.push(YamlKey::Index(at));
        check_votes(child, keys)?;
        keys.pop();
    }
    keys.truncate(before);
    Ok(())
}

/// The nodes of a combination: one at least, and no more than a pipeline may have.
struct NodeList(Vec<PipelineNode>);

impl<'de> Deserialize<'de> for NodeList {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<NodeList, D::Error> {
        from.deserialize_any(NodeListVisitor)
    }
}

struct NodeListVisitor;

impl<'de> Visitor<'de> for NodeListVisitor {
    type Value = NodeList;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of nodes")
    }

    /// Counts while it reads: an alias is read as if it were written out, so that a
    /// short file can stand for a tree of any size.
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<NodeList, A::Error> {
        let mut nodes: Vec<PipelineNode> = Vec::new();
        // The combination itself is a node.
        let mut count = 1;
        while let Some(node) = seq.next_element::<PipelineNode>()? {
            count += node.size();
            if count > MAX_NODES {
                return Err(Error::custom(format_args!("more than {MAX_NODES} nodes")));
            }
            if node.height() >= MAX_DEPTH {
                return Err(Error::custom(format_args!(
                    "nodes are nested deeper than {MAX_DEPTH} levels"
                )));
            }
            nodes.push(node);
        }
        if nodes.is_empty() {
            return Err(Error::custom("an empty list: name one node at least"));
        }
        Ok(NodeList(nodes))
    }
}

/// The name of a node.
#[derive(Clone, Copy)]
enum NodeName {
    Preset(Preset),
    Serial,
    Union,
    Intersection,
    Vote,
}

impl NodeName {
    fn of<E: Error>(name: &str) -> Result<NodeName, E> {
        Ok(match name {
            "serial" => NodeName::Serial,
            "union" => NodeName::Union,
            "intersection" => NodeName::Intersection,
            "vote" => NodeName::Vote,
            _ => NodeName::Preset(Preset::by_name(name).ok_or_else(|| {
                let presets = Preset::ALL.map(Preset::name).join(", ");
                E::custom(format_args!(
                    "unknown node `{name}`; methods: {presets}; combinations: serial, union, \
                     intersection, vote"
                ))
            })?),
        })
    }
}

/// The file of a tree.
pub(super) fn yaml(root: &PipelineNode) -> String {
    let file = serde_json::json!({ "format": FORMAT, "pipeline": node_json(root) });
    serde_yaml::to_string(&file).expect("a pipeline is YAML")
}

/// A tree as it stands in a file.
pub(super) fn node_json(node: &PipelineNode) -> serde_json::Value {
    let nodes: Vec<serde_json::Value> = node.children().iter().map(node_json).collect();
    match node {
        PipelineNode::Leaf(method) => leaf_json(method),
        PipelineNode::Serial(_) => serde_json::json!({ "serial": nodes }),
        PipelineNode::Union(_) => serde_json::json!({ "union": nodes }),
        PipelineNode::Intersection(_) => serde_json::json!({ "intersection": nodes }),
        PipelineNode::Vote(at_least, _) => {
            serde_json::json!({ "vote": { "at_least": at_least, "of": nodes } })
        }
    }
}

impl<'de> Deserialize<'de> for PipelineNode {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<PipelineNode, D::Error> {
        from.deserialize_any(NodeVisitor)
    }
}

/// Reads a name, or a map of one name to its parameters or nodes.
struct NodeVisitor;

impl<'de> Visitor<'de> for NodeVisitor {
    type Value = PipelineNode;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a node: the name of a method, or a name with its parameters or nodes")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<PipelineNode, E> {
        match NodeName::of(name)? {
            NodeName::Preset(preset) => Ok(PipelineNode::Leaf(preset.method())),
            NodeName::Vote => Err(E::custom(
                "`vote` needs `at_least` and `of`: `vote: {at_least: 2, of: [lqf, bte, ttr]}`",
            )),
            _ => Err(E::custom(format_args!(
                "`{name}` needs a list of nodes: `{name}: [lqf, bte]`"
            ))),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<PipelineNode, A::Error> {
        let name = map.next_key::<String>()?;
        let name = name.ok_or_else(|| A::Error::custom("a node without a name"))?;
        let mut nodes = || map.next_value::<NodeList>().map(|list| list.0);
        let node = match NodeName::of(&name)? {
            NodeName::Preset(preset) => PipelineNode::Leaf(method(preset, &mut map)?),
            NodeName::Serial => PipelineNode::Serial(nodes()?),
            NodeName::Union => PipelineNode::Union(nodes()?),
            NodeName::Intersection => PipelineNode::Intersection(nodes()?),
            NodeName::Vote => {
                let VoteFile { at_least, of } = map.next_value()?;
                PipelineNode::Vote(at_least, of.0)
            }
        };
        match map.next_key::<String>()? {
            None => Ok(node),
            Some(key) => Err(A::Error::custom(format_args!(
                "`{key}` is a second key, and a node has one: write its parameters further in, \
                 other nodes as items of their own"
            ))),
        }
    }
}
