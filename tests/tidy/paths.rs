//! The paths that a file names, resolved to modules of the crate, and circles among them.

use super::source::{Kind, Source, Token};
use std::collections::{BTreeMap, BTreeSet};

/// The files of the crate as a graph: an edge leads to each file whose items are named.
#[derive(Debug, Default)]
pub struct Graph {
    /// Module path, such as `page::metadata`, to the modules that it names.
    edges: BTreeMap<String, BTreeSet<String>>,
}

/// A path in the source: `super::a::B` has three parts.
type Path = Vec<String>;

/// The paths of one file.
#[derive(Debug, Default)]
struct Named {
    /// Paths of `use` and of expressions.
    used: Vec<Path>,
    /// Paths of `pub use`: the item's name is the last part.
    exported: Vec<Path>,
}

impl Graph {
    /// Reads `(path, text)` of the files below `src/`, in a crate that is one stage below
    /// `src/<root>/`. Names in tests are ignored.
    pub fn of(files: &[(String, String)], root: Option<&str>) -> Graph {
        let is_test = |path: &str| path.ends_with("tests.rs") || path.contains("/tests/");
        let named: BTreeMap<String, Named> = { files.iter() }
            .filter(|(path, _)| !is_test(path))
            .map(|(path, text)| (module(path), paths(&Source::of(path, text))))
            .collect();
        let mut graph = Graph::default();
        for (from, paths) in &named {
            let to = paths
                .used
                .iter()
                .filter_map(|path| home(from, path, &named, root));
            let to = to.filter(|to| to != from && stage(to) == stage(from));
            graph.edges.insert(from.clone(), to.collect());
        }
        graph
    }

    /// Sets of files of one stage that import one another, each sorted.
    pub fn circles(&self) -> Vec<Vec<&str>> {
        let reached: BTreeMap<&str, BTreeSet<&str>> = self
            .edges
            .keys()
            .map(|from| (&**from, self.reached(from)))
            .collect();
        let mut circles = BTreeSet::new();
        for (from, to) in &reached {
            if to.contains(from) {
                let both = to.iter().filter(|to| reached[**to].contains(from));
                circles.insert(both.copied().collect::<Vec<&str>>());
            }
        }
        circles.into_iter().collect()
    }

    fn reached<'a>(&'a self, from: &'a str) -> BTreeSet<&'a str> {
        let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
        while let Some(at) = open.pop() {
            for to in &self.edges[at] {
                if seen.insert(&**to) {
                    open.push(to);
                }
            }
        }
        seen
    }
}

/// `page::metadata` for `src/page/metadata/mod.rs`.
fn module(path: &str) -> String {
    let path = path.trim_start_matches("src/").trim_end_matches(".rs");
    path.trim_end_matches("/mod").replace('/', "::")
}

fn stage(module: &str) -> &str {
    module.split("::").next().unwrap_or(module)
}

/// The module that defines the item of a path, re-exports followed; `None` for other crates.
fn home(
    from: &str,
    path: &[String],
    named: &BTreeMap<String, Named>,
    root: Option<&str>,
) -> Option<String> {
    let own: Vec<&str> = from.split("::").collect();
    let parts: Vec<&str> = path.iter().map(String::as_str).collect();
    let ups = parts.iter().take_while(|part| **part == "super").count();
    let first = *parts.first()?;
    let mut full = match first {
        "crate" => root.into_iter().collect(),
        "super" => own[..own.len().checked_sub(ups)?].to_vec(),
        "self" => own,
        child if named.contains_key(&format!("{from}::{child}")) => own,
        _ => return None,
    };
    let skipped = usize::from(matches!(first, "crate" | "self")).max(ups);
    full.extend(&parts[skipped..]);
    let length = (1..=full.len())
        .rev()
        .find(|n| named.contains_key(&full[..*n].join("::")))?;
    let (mut at, rest) = (full[..length].join("::"), &full[length..]);
    // There are only a few steps: each leads deeper into the tree.
    while let Some(item) = rest.first() {
        let exported = named[&at].exported.iter();
        let mut to = exported.filter(|path| path.last().is_some_and(|last| last == item));
        match to
            .next()
            .and_then(|path| home(&at, &path[..path.len() - 1], named, root))
        {
            Some(next) if next != at => at = next,
            _ => break,
        }
    }
    Some(at)
}

/// All paths outside of tests that begin with `crate`, `super`, `self`, or in a `use`.
fn paths(source: &Source) -> Named {
    let mut named = Named::default();
    let mut i = 0;
    while i < source.tokens.len() {
        if source.tokens[i].test {
            i += 1;
        } else if source.is(i, "use") {
            let found = if is_public(source, i) {
                &mut named.exported
            } else {
                &mut named.used
            };
            i = tree(source, i + 1, &[], found);
        } else if ["crate", "super", "self"]
            .iter()
            .any(|first| source.is(i, first))
        {
            let mut path = Vec::new();
            i = simple(source, i, &mut path);
            if path.len() > 1 {
                named.used.push(path);
            }
        } else {
            i += 1;
        }
    }
    named
}

/// True if `pub` or `pub(...)` is before token `i`.
fn is_public(source: &Source, i: usize) -> bool {
    i >= 1 && (source.is(i - 1, "pub") || source.is(i - 1, ")"))
}

fn word(source: &Source, i: usize) -> Option<&str> {
    match source.tokens.get(i) {
        Some(Token {
            kind: Kind::Word(word),
            ..
        }) => Some(word),
        _ => None,
    }
}

/// Reads `a::b::c` at `i` into `path`; returns the index behind it.
fn simple(source: &Source, mut i: usize, path: &mut Path) -> usize {
    while let Some(part) = word(source, i) {
        path.push(part.to_owned());
        i += 1;
        if !(source.is(i, ":") && source.is(i + 1, ":")) {
            break;
        }
        i += 2;
    }
    i
}

/// Reads a `use` tree at `i` behind `before` into `found`; returns the index behind it.
fn tree(source: &Source, start: usize, before: &[String], found: &mut Vec<Path>) -> usize {
    let mut path = before.to_vec();
    let mut i = simple(source, start, &mut path);
    if source.is(i, "{") {
        i += 1;
        while i < source.tokens.len() && !source.is(i, "}") {
            i = if source.is(i, ",") {
                i + 1
            } else {
                tree(source, i, &path, found)
            };
        }
        return i + 1;
    }
    if path.last().is_some_and(|last| last == "self") && path.len() > 1 {
        path.pop();
    }
    // `use a::*` and `use a as b`.
    i += usize::from(source.is(i, "*"));
    i += if source.is(i, "as") { 2 } else { 0 };
    if !path.is_empty() {
        found.push(path);
    }
    i.max(start + 1)
}
