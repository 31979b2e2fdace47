//! A pipeline's file to its tree.
//!
//! The YAML reader knows where it is only while it reads, so everything is checked
//! there and then: an error that a visitor gives gets the line and the path of keys
//! of the value that the visitor was given. Aliases are read as if they were
//! written out, and count as that.

use super::node::Node;
use super::{Extractor, Parameter, Preset};
use crate::error::{ErrorKind, Result, yaml_place};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::cell::Cell;
use std::fmt;

/// The version of the format.
const FORMAT: u64 = 1;

/// Bytes of a file at the most: all nodes that there may be, with long comments. The
/// YAML reader is quadratic in open brackets: 16,000 take a fifth of a second, 50,000
/// take two.
pub const MAX_BYTES: usize = 16_000;

/// Nodes of a pipeline at the most, inner nodes included: bounds what a page costs.
pub const MAX_NODES: usize = 64;

/// Levels of nodes at the most.
pub const MAX_DEPTH: usize = 8;

/// Names of inner nodes.
const COMBINATIONS: [&str; 4] = ["serial", "union", "intersection", "vote"];

/// The tree in a file.
pub(super) fn root(text: &str) -> Result<Node> {
    let refused = |line, reason| Err(ErrorKind::PipelineFile { line, reason }.into());
    if text.len() > MAX_BYTES {
        let bytes = text.len();
        return refused(None, format!("it has {bytes} bytes, more than {MAX_BYTES}"));
    }
    let nodes = Cell::new(0);
    let mut documents = serde_yaml::Deserializer::from_str(text);
    let first = documents
        .next()
        .unwrap_or(serde_yaml::Deserializer::from_str(""));
    let read = first.deserialize_any(File(&nodes));
    let read = read.and_then(|root| match documents.next() {
        None => Ok(root),
        Some(second) => second.deserialize_any(OneDocument),
    });
    match read {
        Ok(root) => Ok(root),
        Err(error) => {
            let (line, reason) = yaml_place(&error);
            refused(line, reason)
        }
    }
}

/// Reads whatever comes with a visitor, which says what is right.
struct Read<V>(V);

impl<'de, V: Visitor<'de>> DeserializeSeed<'de> for Read<V> {
    type Value = V::Value;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<V::Value, D::Error> {
        from.deserialize_any(self.0)
    }
}

/// The whole file. Each part of the reader counts the nodes so far.
struct File<'a>(&'a Cell<usize>);

impl<'de> Visitor<'de> for File<'_> {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("`format: 1` and `pipeline: ...`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node, A::Error> {
        let mut keys = Keys::new("a pipeline's file", &["format", "pipeline"]);
        let mut root = None;
        while let Some(key) = map.next_key_seed(Read(&mut keys))? {
            match key {
                "format" => map.next_value_seed(Read(Format))?,
                // What another version means by a key is not known here.
                _ if !keys.given.contains(&"format") => {
                    return Err(Error::custom("`format: 1` must be the first key"));
                }
                _ => {
                    let node = AnyNode {
                        count: self.0,
                        depth: 1,
                    };
                    root = Some(map.next_value_seed(Read(node))?);
                }
            }
        }
        match root {
            Some(root) => Ok(root),
            None if keys.given.is_empty() => Err(missing("format")),
            None => Err(missing("pipeline")),
        }
    }
}

fn missing<E: Error>(key: &str) -> E {
    E::custom(format_args!("the key `{key}` is missing"))
}

/// `a, b, c`, or `nothing`.
fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    match names[..] {
        [] => "nothing".to_owned(),
        _ => names.join(", "),
    }
}

/// The version.
struct Format;

impl Visitor<'_> for Format {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the number {FORMAT}")
    }

    fn visit_u64<E: Error>(self, format: u64) -> Result<(), E> {
        match format {
            FORMAT => Ok(()),
            other => Err(E::custom(format_args!(
                "format {other} is not known to this program, which knows {FORMAT}"
            ))),
        }
    }
}

/// What comes behind the pipeline, which is always wrong.
struct OneDocument;

impl Visitor<'_> for OneDocument {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("nothing more: a file has one document")
    }
}

/// The keys of something, each of which may be given once.
struct Keys<'a> {
    of: &'a str,
    known: &'a [&'static str],
    given: Vec<&'static str>,
}

impl<'a> Keys<'a> {
    fn new(of: &'a str, known: &'a [&'static str]) -> Keys<'a> {
        Keys {
            of,
            known,
            given: Vec::new(),
        }
    }
}

impl Visitor<'_> for &mut Keys<'_> {
    type Value = &'static str;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = listed(self.known.iter().copied());
        write!(f, "a key of {}: {known}", self.of)
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<&'static str, E> {
        let Some(key) = self.known.iter().copied().find(|known| *known == key) else {
            let (of, has) = (self.of, listed(self.known.iter().copied()));
            return Err(E::custom(format_args!(
                "unknown key `{key}`; {of} has: {has}"
            )));
        };
        if self.given.contains(&key) {
            return Err(E::custom(format_args!("the key `{key}` is there twice")));
        }
        self.given.push(key);
        Ok(key)
    }
}

/// What a node's name stands for.
#[derive(Clone, Copy)]
enum Named {
    Combination(&'static str),
    Preset(Preset),
}

/// The name of a node.
struct Name;

impl Name {
    fn of<E: Error>(name: &str) -> Result<Named, E> {
        if let Some(preset) = Preset::by_name(name) {
            return Ok(Named::Preset(preset));
        }
        let known = COMBINATIONS.into_iter().find(|known| *known == name);
        known.map(Named::Combination).ok_or_else(|| {
            let presets = Preset::ALL.map(Preset::name);
            E::custom(format_args!(
                "unknown node `{name}`; extractors: {}; combinations: {}",
                listed(presets),
                listed(COMBINATIONS)
            ))
        })
    }
}

impl Visitor<'_> for Name {
    type Value = Named;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a node")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Named, E> {
        Name::of(name)
    }
}

/// A second key in a node, which is always wrong.
struct NoMore;

impl Visitor<'_> for NoMore {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no second key: a node has one name")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<(), E> {
        Err(E::custom(format_args!(
            "`{key}` is a second key, and a node has one: write its parameters further in, \
             other nodes as items of their own"
        )))
    }
}

/// A node: a name, or a name with what belongs to it.
#[derive(Clone, Copy)]
struct AnyNode<'a> {
    count: &'a Cell<usize>,
    depth: usize,
}

impl AnyNode<'_> {
    fn check<E: Error>(self) -> Result<(), E> {
        self.count.set(self.count.get() + 1);
        if self.count.get() > MAX_NODES {
            return Err(E::custom(format_args!("more than {MAX_NODES} nodes")));
        }
        if self.depth > MAX_DEPTH {
            return Err(E::custom(format_args!(
                "nodes are nested deeper than {MAX_DEPTH} levels"
            )));
        }
        Ok(())
    }
}

impl<'de> Visitor<'de> for AnyNode<'_> {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a node: the name of an extractor, or a name with what belongs to it")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Node, E> {
        self.check()?;
        match Name::of(name)? {
            Named::Preset(preset) => Ok(Node::Leaf(preset.extractor())),
            Named::Combination("vote") => Err(E::custom(
                "`vote` needs `at_least` and `of`: `vote: {at_least: 2, of: [lqf, bte, ttr]}`",
            )),
            Named::Combination(name) => Err(E::custom(format_args!(
                "`{name}` needs a list of nodes: `{name}: [lqf, bte]`"
            ))),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node, A::Error> {
        self.check()?;
        let Some(name) = map.next_key_seed(Read(Name))? else {
            return Err(A::Error::custom("a node without a name"));
        };
        let inner = AnyNode {
            depth: self.depth + 1,
            ..self
        };
        let list = List {
            node: inner,
            at_least: 1,
        };
        let node = match name {
            Named::Preset(preset) => Node::Leaf(map.next_value_seed(Read(Parameters(preset)))?),
            Named::Combination("serial") => Node::Serial(map.next_value_seed(Read(list))?),
            Named::Combination("union") => Node::Union(map.next_value_seed(Read(list))?),
            Named::Combination("intersection") => {
                Node::Intersection(map.next_value_seed(Read(list))?)
            }
            Named::Combination(_) => map.next_value_seed(Read(Vote(inner)))?,
        };
        match map.next_key_seed(Read(NoMore))? {
            None => Ok(node),
            Some(()) => Err(A::Error::custom("a node has one name")),
        }
    }
}

/// A list of nodes.
struct List<'a> {
    node: AnyNode<'a>,
    /// So many are needed.
    at_least: usize,
}

impl<'de> Visitor<'de> for List<'_> {
    type Value = Vec<Node>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of nodes")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Vec<Node>, A::Error> {
        let mut nodes = Vec::new();
        while let Some(node) = seq.next_element_seed(Read(self.node))? {
            nodes.push(node);
        }
        match nodes.len() {
            0 => Err(A::Error::custom("an empty list: name one node at least")),
            n if n < self.at_least => Err(more_votes(self.at_least as u64, n)),
            _ => Ok(nodes),
        }
    }
}

fn more_votes<E: Error>(at_least: u64, nodes: usize) -> E {
    E::custom(format_args!(
        "`at_least` is {at_least}, and `of` has {nodes} nodes: nothing would ever be kept"
    ))
}

/// What belongs to `vote`.
struct Vote<'a>(AnyNode<'a>);

impl<'de> Visitor<'de> for Vote<'_> {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("`at_least: ...` and `of: [...]`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node, A::Error> {
        let (mut at_least, mut nodes) = (None, None);
        let mut keys = Keys::new("vote", &["at_least", "of"]);
        while let Some(key) = map.next_key_seed(Read(&mut keys))? {
            match key {
                "at_least" => {
                    let of = nodes.as_ref().map(Vec::len);
                    at_least = Some(map.next_value_seed(Read(AtLeast { of }))?);
                }
                _ => {
                    let list = List {
                        node: self.0,
                        at_least: at_least.unwrap_or(1),
                    };
                    nodes = Some(map.next_value_seed(Read(list))?);
                }
            }
        }
        let at_least = at_least.ok_or_else(|| missing("at_least"))?;
        Ok(Node::Vote(at_least, nodes.ok_or_else(|| missing("of"))?))
    }
}

/// How many votes are needed.
struct AtLeast {
    /// The number of nodes, where it is known.
    of: Option<usize>,
}

impl Visitor<'_> for AtLeast {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number, 1 or more")
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<usize, E> {
        if value == 0 {
            return Err(E::custom("0 votes would keep everything; give 1 or more"));
        }
        match self.of {
            Some(nodes) if value > nodes as u64 => Err(more_votes(value, nodes)),
            // A number that no list reaches is refused when the list is there.
            _ => Ok(usize::try_from(value).unwrap_or(usize::MAX)),
        }
    }
}

/// The parameters of an extractor.
struct Parameters(Preset);

impl<'de> Visitor<'de> for Parameters {
    type Value = Extractor;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parameters = self.0.extractor().parameters();
        let names = listed(parameters.iter().map(|p| p.name()));
        write!(
            f,
            "the parameters of {} ({names}) with their values",
            self.0
        )
    }

    fn visit_unit<E: Error>(self) -> Result<Extractor, E> {
        Ok(self.0.extractor())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Extractor, A::Error> {
        let mut extractor = self.0.extractor();
        let parameters = extractor.parameters();
        let names: Vec<&'static str> = parameters.iter().map(|p| p.name()).collect();
        let mut keys = Keys::new(self.0.name(), &names);
        while let Some(key) = map.next_key_seed(Read(&mut keys))? {
            let of_name = parameters.iter().find(|p| p.name() == key);
            let parameter = *of_name.expect("a key is one of their names");
            let value = map.next_value_seed(Read(Value(parameter)))?;
            extractor = extractor.with(parameter, value);
        }
        Ok(extractor)
    }
}

/// The value of a parameter.
struct Value(Parameter);

impl Visitor<'_> for Value {
    type Value = f64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.range())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<f64, E> {
        let range = self.0.range();
        match range.contains(value) {
            true => Ok(value),
            false => Err(E::custom(format_args!("{value} is not {range}"))),
        }
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<f64, E> {
        self.visit_f64(value as f64)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<f64, E> {
        self.visit_f64(value as f64)
    }
}
