//! The inside of a stage: names, comments, circles, public items.

use super::paths::Graph;
use super::source::{Kind, Source};
use super::{finds, none, over_src, over_src_and_lab, read, rust_files, stage_of};
use std::collections::BTreeMap;

/// Names that several stages may define: idiom of the language, not ideas of this project.
const IDIOM: [&str; 8] = [
    "Error", "Result", "Kind", "Iter", "Options", "Builder", "Visitor", "Warning",
];

/// Words that no documentation comment begins with: the value comes first.
const BEGINNINGS: [&str; 3] = ["What", "Whether", "One that"];

/// Parameters of an SQL statement that may go by position.
const MAX_POSITIONAL: usize = 6;

/// Public items of each stage: it rises only in a commit that says why.
const PUBLIC: &str = "tests/tidy/public.txt";

/// Declarations of items.
const ITEMS: [&str; 9] = [
    "struct", "enum", "trait", "type", "union", "fn", "const", "static", "mod",
];

/// The types that a file defines at its top or in an inline module, tests left out: name and line.
fn types(path: &str, text: &str) -> Vec<(String, usize)> {
    let source = Source::of(path, text);
    let mut found = Vec::new();
    let mut depth = 0_usize;
    for (i, token) in source.tokens.iter().enumerate() {
        if source.is(i, "{") {
            depth += 1;
        } else if source.is(i, "}") {
            depth -= 1;
        }
        let declares = match &token.kind {
            Kind::Word(word) => match &**word {
                "struct" | "enum" | "trait" | "union" => true,
                // `type` in an `impl` or a `trait` is theirs.
                "type" => depth == token.inline,
                _ => false,
            },
            _ => false,
        };
        if let Some(Kind::Word(name)) = source.tokens.get(i + 1).map(|next| &next.kind)
            && declares
            && !token.test
            && name.starts_with(char::is_uppercase)
        {
            found.push((name.clone(), token.line));
        }
    }
    found
}

/// Type names that are defined more than once.
fn twice(files: &[(String, String)]) -> Vec<String> {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (path, text) in files {
        for (name, line) in types(path, text) {
            places
                .entry(name)
                .or_default()
                .push(format!("{path}:{line}"));
        }
    }
    places.retain(|name, places| places.len() > 1 && !IDIOM.contains(&&**name));
    { places.iter() }
        .map(|(name, places)| format!("{name} is defined in {}", places.join(", ")))
        .collect()
}

/// Documentation comments that begin with a word of [`BEGINNINGS`].
fn beginning_faults(path: &str, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let mut begins = true;
    for (n, line) in text.lines().enumerate() {
        let line = line.trim_start();
        let Some(said) = line.strip_prefix("///").or(line.strip_prefix("//!")) else {
            begins = true;
            continue;
        };
        let said = said.trim_start();
        let word = |begin: &&&str| {
            let rest = said.strip_prefix(**begin);
            rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
        };
        if let Some(word) = BEGINNINGS.iter().find(word).filter(|_| begins) {
            faults.push(format!("{path}:{}: begins with {word}", n + 1));
        }
        begins = said.is_empty();
    }
    faults
}

/// `match` on a bool: `if` says the same.
fn bool_match_faults(path: &str, text: &str) -> Vec<String> {
    let source = Source::of(path, text);
    let mut faults = Vec::new();
    for (i, token) in source.tokens.iter().enumerate().skip(1) {
        let is_bool = source.is(i, "true") || source.is(i, "false");
        let is_arm = source.is(i + 1, "=") && source.is(i + 2, ">");
        let begins = ["{", "}", ","].iter().any(|mark| source.is(i - 1, mark));
        if is_bool && is_arm && begins && !token.test {
            faults.push(format!("{path}:{}: match on a bool", token.line));
        }
    }
    faults
}

/// SQL statements with more parameters by position than can be counted.
fn positional_faults(path: &str, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    for token in &Source::of(path, text).tokens {
        let Kind::Text(text) = &token.kind else {
            continue;
        };
        let is_sql = ["INSERT ", "UPDATE ", "SELECT ", "DELETE "]
            .iter()
            .any(|verb| text.contains(verb));
        let numbered = text.contains(&format!("?{}", MAX_POSITIONAL + 1));
        let plain = text.matches('?').count() > MAX_POSITIONAL && !text.contains("?1");
        if is_sql && (numbered || plain) && !token.test {
            faults.push(format!(
                "{path}:{}: name the parameters of this statement",
                token.line
            ));
        }
    }
    faults
}

/// Items declared `pub` (not `pub(crate)`), outside of tests.
fn public_items(path: &str, text: &str) -> usize {
    let source = Source::of(path, text);
    let declared = |i: usize| {
        let is_item = |i: usize| ITEMS.iter().any(|item| source.is(i, item));
        is_item(i) || (source.is(i, "async") && is_item(i + 1))
    };
    let tokens = 0..source.tokens.len();
    tokens
        .filter(|&i| source.is(i, "pub") && declared(i + 1) && !source.tokens[i].test)
        .count()
}

/// Paths and texts of the files of a package, whose folder is `""` or ends with `/`.
fn files_of(package: &str) -> Vec<(String, String)> {
    let files = rust_files(&format!("{package}src")).into_iter();
    files
        .map(|path| (path[package.len()..].to_owned(), read(&path)))
        .collect()
}

#[test]
fn a_type_name_has_one_meaning() {
    none(twice(&files_of("")));
}

#[test]
fn names_with_two_meanings_are_found() {
    let check = |count: usize, a: &str, b: &str| {
        let files = [("src/page/a.rs", a), ("src/rank/b.rs", b)];
        let files = files.map(|(path, text)| (path.to_owned(), text.to_owned()));
        assert_eq!(twice(&files).len(), count, "{a}\n{b}");
    };
    check(1, "pub struct Line;", "enum Line {}");
    check(0, "pub struct Line;", "enum Row {}");
    check(0, "pub struct Error;", "enum Error {}");
    check(
        0,
        "trait T { type Out; }",
        "impl T for A { type Out = u8; }",
    );
    check(1, "type Out = u8;", "mod m { type Out = u16; }");
    check(0, "struct Line;", "#[cfg(test)] mod tests { struct Line; }");
}

#[test]
fn comments_begin_with_the_value() {
    over_src_and_lab(beginning_faults);
}

#[test]
fn riddles_are_found() {
    let check = |count, text| finds(count, beginning_faults, "src/page/mod.rs", text);
    check(1, "/// What it is.");
    check(1, "    //! Whether it is.");
    check(1, "/// The text.\n///\n/// One that is not.");
    check(0, "/// The text.\n/// What follows is a line of its own.");
    check(0, "/// Whatever.\n// What is no documentation.");
}

#[test]
fn a_bool_is_no_enum() {
    over_src_and_lab(bool_match_faults);
}

#[test]
fn matches_on_a_bool_are_found() {
    let check = |count, text| finds(count, bool_match_faults, "src/page/mod.rs", text);
    check(2, "fn f() { match a { true => 1, false => 2 } }");
    check(0, "fn f() { match a { Some(true) => 1, _ => 2 } }");
    check(0, "fn f() { match a { (true, _) => 1, _ => 2 } }");
    check(
        0,
        "#[cfg(test)] mod tests { fn f() { match a { true => 1, false => 2 } } }",
    );
}

#[test]
fn statements_name_their_parameters() {
    over_src(positional_faults);
}

#[test]
fn many_positional_parameters_are_found() {
    let check = |count, text| finds(count, positional_faults, "src/archive/a.rs", text);
    check(0, "const A: &str = \"SELECT a FROM b WHERE c = ?6\";");
    check(
        1,
        "const A: &str = \"INSERT INTO a VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)\";",
    );
    check(
        1,
        "const A: &str = \"INSERT INTO a VALUES (?, ?, ?, ?, ?, ?, ?)\";",
    );
    check(
        0,
        "const A: &str = \"INSERT INTO a VALUES (:a, :b, :c, :d, :e, :f, :g)\";",
    );
}

#[test]
fn no_files_of_a_stage_import_one_another() {
    for package in ["", "lab/"] {
        let graph = Graph::of(&files_of(package));
        let circles = graph.circles().into_iter();
        none(circles.map(|circle| circle.join(" and ")));
    }
}

#[test]
fn circles_are_found() {
    let check = |expected: &[&[&str]], files: &[(&str, &str)]| {
        let files = files
            .iter()
            .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
        let files: Vec<_> = files.collect();
        assert_eq!(Graph::of(&files).circles(), expected, "{files:?}");
    };
    let (a, b) = ("src/page/a.rs", "src/page/b.rs");
    check(&[], &[(a, "use super::b::B;"), (b, "use std::fmt;")]);
    check(
        &[&["page::a", "page::b"]],
        &[(a, "use super::b::B;"), (b, "use crate::page::a::A;")],
    );
    check(
        &[&["page::a", "page::b"]],
        &[(a, "fn f() { super::b::f() }"), (b, "use super::a;")],
    );
    // A re-export is no use, and leads to the file that defines the item.
    let top = "src/page/mod.rs";
    check(
        &[],
        &[
            (top, "mod a; mod b; pub use a::A;"),
            (a, ""),
            (b, "use super::A;"),
        ],
    );
    check(
        &[&["page::a", "page::b"]],
        &[
            (top, "pub use a::A;"),
            (a, "use super::b::{self, B};"),
            (b, "use super::A;"),
        ],
    );
    check(
        &[&["page", "page::a"]],
        &[(top, "use a::A; struct P;"), (a, "use super::P;")],
    );
    check(
        &[],
        &[
            (a, "use super::b::B;"),
            (b, "#[cfg(test)] mod tests { use crate::page::a::A; }"),
        ],
    );
    // Imports between stages are another check's.
    check(
        &[],
        &[
            (a, "use crate::rank::B;"),
            ("src/rank/mod.rs", "use crate::page::a::A;"),
        ],
    );
}

#[test]
fn public_items_are_counted() {
    let mut counted: BTreeMap<String, usize> = BTreeMap::new();
    for (path, text) in files_of("") {
        if let Some(stage) = stage_of(&path) {
            *counted.entry(stage.to_owned()).or_default() += public_items(&path, &text);
        }
    }
    let lines: Vec<String> = { counted.iter() }
        .map(|(stage, n)| format!("{stage} {n}"))
        .collect();
    let now = lines.join("\n") + "\n";
    assert_eq!(
        now,
        read(PUBLIC),
        "{PUBLIC}: write what stands on the left, and say why a count rises"
    );
    assert_eq!(
        public_items(
            "src/page/a.rs",
            "pub struct A; pub(crate) fn f() {} pub async fn g() {}"
        ),
        2
    );
}
