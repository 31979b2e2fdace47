//! The inside of a stage: names, comments, circles, public items.

use super::paths::Graph;
use super::source::{Kind, Source};
use super::{finds, none, over_src, over_src_and_lab, read, rust_files};
use std::collections::{BTreeMap, BTreeSet};

/// Names that several stages may define: idiom of the language, not ideas of this project.
const IDIOM: [&str; 8] = [
    "Error", "Result", "Kind", "Iter", "Options", "Builder", "Visitor", "Warning",
];

/// Words that no documentation comment begins with: the value comes first.
const BEGINNINGS: [&str; 3] = ["What", "Whether", "One that"];

/// Parameters of an SQL statement that may go by position.
const MAX_POSITIONAL: usize = 6;

/// Names that each stage promises: a count rises only in a commit that says why.
const PUBLIC: &str = "tests/tidy/public.txt";

/// Types that the library promises at the most.
const MAX_TYPES: usize = 150;

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

/// The names that a module file promises to users of the library, and its public modules:
/// what is for the lab alone is left out.
fn promised(text: &str) -> (Vec<String>, Vec<String>) {
    let (mut names, mut modules) = (Vec::new(), Vec::new());
    let mut lab = false;
    let mut is_gated = false;
    let mut re_export = String::new();
    for line in text.lines() {
        lab = (lab || line == "lab! {") && line != "}";
        let declared = line.strip_prefix("pub ").filter(|_| !lab && !is_gated);
        if !re_export.is_empty() || declared.is_some_and(|rest| rest.starts_with("use ")) {
            re_export.push_str(line);
        } else if let Some(declared) = declared {
            let mut words = declared.split(|c: char| !(c.is_alphanumeric() || c == '_'));
            let item = words.find(|word| !["async", "unsafe"].contains(word));
            let name = words.next().unwrap_or_default().to_owned();
            if item == Some("mod") {
                modules.push(name);
            } else {
                names.push(name);
            }
        }
        if re_export.ends_with(';') {
            let listed = re_export.trim_end_matches([';', '}']);
            let listed = listed
                .rsplit_once(['{', ':'])
                .map_or("", |(_, names)| names);
            let listed = listed
                .split(',')
                .map(str::trim)
                .filter(|name| !name.is_empty());
            names.extend(listed.map(str::to_owned));
            re_export.clear();
        }
        is_gated = line.starts_with("#[cfg(") && line.contains("feature = \"_lab\"");
    }
    (names, modules)
}

/// The names that the library promises, a stage: those of its public modules.
fn promise(files: &BTreeMap<String, String>) -> BTreeMap<String, Vec<String>> {
    let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut waiting: Vec<String> = promised(&files["src/lib.rs"]).1;
    while let Some(module) = waiting.pop() {
        let paths = [format!("src/{module}/mod.rs"), format!("src/{module}.rs")];
        let Some(text) = paths.iter().find_map(|path| files.get(path)) else {
            continue;
        };
        let (names, modules) = promised(text);
        waiting.extend(modules.iter().map(|inner| format!("{module}/{inner}")));
        let stage = module.split('/').next().unwrap_or_default();
        all.entry(stage.to_owned()).or_default().extend(names);
    }
    all
}

/// True for the name of a type; the names of functions and constants have one case.
fn is_type(name: &str) -> bool {
    name.starts_with(char::is_uppercase) && name.contains(char::is_lowercase)
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
fn the_promise_is_counted() {
    let files = files_of("").into_iter().collect();
    let promise = promise(&files);
    let lines: Vec<String> = { promise.iter() }
        .map(|(stage, names)| format!("{stage} {}", names.len()))
        .collect();
    let now = lines.join("\n") + "\n";
    assert_eq!(
        now,
        read(PUBLIC),
        "{PUBLIC}: write what stands on the left, and say why a count rises"
    );
    let types = promise.values().flatten().filter(|name| is_type(name));
    let types: BTreeSet<&String> = types.collect();
    assert!(types.len() <= MAX_TYPES, "{} public types", types.len());
}

#[test]
fn promised_names_are_found() {
    let stage = "pub mod open;\nmod shut;\n#[cfg(feature = \"_lab\")]\npub mod table;\n\
        pub use shut::{A,\n    b};\npub use open::C;\nlab! {\n    pub use shut::D;\n}\n\
        pub struct E;\npub(crate) struct F;\nimpl E {\n    pub fn g() {}\n}\n";
    let files = [
        ("src/lib.rs", "mod own;\npub mod page;\n"),
        ("src/page/mod.rs", stage),
        ("src/page/open.rs", "pub async fn h() {}\n"),
        ("src/own.rs", "pub struct I;\n"),
    ];
    let files = files.map(|(path, text)| (path.to_owned(), text.to_owned()));
    let found = promise(&files.into());
    assert_eq!(found.len(), 1);
    assert_eq!(found["page"], ["A", "b", "C", "E", "h"]);
}
