//! The inside of a stage: names, comments, circles, public items.

use super::paths::Graph;
use super::source::{Kind, Source};
use super::{
    OF_STAGES, crates, finds, none, over_src, over_src_and_lab, read, rust_files, sources,
};
use std::collections::{BTreeMap, BTreeSet};

/// Names that several stages may define: idioms of the language.
const IDIOM: [&str; 9] = [
    "Error",
    "ErrorKind",
    "Result",
    "Kind",
    "Iter",
    "Options",
    "Builder",
    "Visitor",
    "Warning",
];

/// Words that no documentation comment may begin with: the value comes first.
const BEGINNINGS: [&str; 3] = ["What", "Whether", "One that"];

/// Maximum number of parameters of an SQL statement by position.
const MAX_POSITIONAL: usize = 6;

/// Types that the library promises at the most: those that `src/lib.rs` re-exports.
const MAX_TYPES: usize = 120;

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
                // `type` in an `impl` or a `trait` is an associated type.
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
        let Some(comment) = line.strip_prefix("///").or(line.strip_prefix("//!")) else {
            begins = true;
            continue;
        };
        let comment = comment.trim_start();
        let word = |begin: &&&str| {
            let rest = comment.strip_prefix(**begin);
            rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
        };
        if let Some(word) = BEGINNINGS.iter().find(word).filter(|_| begins) {
            faults.push(format!("{path}:{}: begins with {word}", n + 1));
        }
        begins = comment.is_empty();
    }
    faults
}

/// `match` on a bool: `if` is simpler.
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

/// The names that a library re-exports.
fn promised(text: &str) -> BTreeSet<String> {
    let uses = text.split("pub use ").skip(1);
    let lists = uses.filter_map(|rest| rest.split(';').next());
    let words = lists.flat_map(|list| list.split(|c: char| !(c.is_alphanumeric() || c == '_')));
    words.map(str::to_owned).collect()
}

/// True for the name of a type: names of functions and constants have a single case.
fn is_type(name: &str) -> bool {
    name.starts_with(char::is_uppercase) && name.contains(char::is_lowercase)
}

/// Paths, from its `src/`, and texts of the files of the package in a folder. All files of a
/// crate that is one stage stand below `src/<root>/`.
fn files_of(package: &str, root: Option<&str>) -> Vec<(String, String)> {
    let folder = format!("{package}src");
    let files = rust_files(&folder).into_iter();
    let inside = |path: &str| match root {
        None => format!("src{}", &path[folder.len()..]),
        Some(root) => {
            let path = path[folder.len()..].replace("/lib.rs", "/mod.rs");
            format!("src/{root}{path}")
        }
    };
    files.map(|path| (inside(&path), read(&path))).collect()
}

/// The packages: their folders, and the name of one that is one stage.
fn packages() -> Vec<(String, Option<String>)> {
    let mut packages = vec![(String::new(), None), ("lab/".to_owned(), None)];
    for own in crates() {
        let is_one = !OF_STAGES.contains(&&*own);
        packages.push((format!("crates/{own}/"), is_one.then_some(own)));
    }
    packages
}

/// True for `without_<feature>.rs`, which has the names of what it stands for: a program has one of
/// the two.
fn is_stand_in(path: &str) -> bool {
    let file = path.rsplit('/').next().unwrap_or(path);
    file.starts_with("without_")
}

#[test]
fn a_type_name_has_one_meaning() {
    let files: Vec<(String, String)> = { sources().into_iter() }
        .filter(|path| !is_stand_in(path))
        .map(|path| (path.clone(), read(&path)))
        .collect();
    none(twice(&files));
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
    let check = |count, text| finds(count, positional_faults, "crates/archive/src/a.rs", text);
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
    for (package, root) in packages() {
        let graph = Graph::of(&files_of(&package, root.as_deref()), root.as_deref());
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
        assert_eq!(Graph::of(&files, None).circles(), expected, "{files:?}");
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
    // A re-export is not a use; it leads to the file that defines the item.
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
fn circles_in_a_crate_of_one_stage_are_found() {
    let files = [
        ("src/archive/mod.rs", "mod a; mod b; pub use a::A;"),
        ("src/archive/a.rs", "use crate::b::B; struct A;"),
        ("src/archive/b.rs", "use crate::A;"),
    ];
    let files = files.map(|(path, text)| (path.to_owned(), text.to_owned()));
    let circles = [["archive::a", "archive::b"]];
    assert_eq!(Graph::of(&files, Some("archive")).circles(), circles);
}

#[test]
fn the_library_is_a_page_that_a_reader_takes_in() {
    let names = promised(&read("src/lib.rs"));
    let types = names.iter().filter(|name| is_type(name)).count();
    assert!((40..=MAX_TYPES).contains(&types), "{types} public types");
}

#[test]
fn promised_names_are_found() {
    let lib =
        "mod own;\npub mod page {\n    pub use a::page::{A,\n  b};\n}\npub use c::C;\nuse d::D;";
    let types = promised(lib).into_iter().filter(|name| is_type(name));
    assert_eq!(types.collect::<Vec<_>>(), Vec::<String>::new());
    let lib = lib.replace("A,", "Arena,").replace("::C;", "::Cut;");
    let types = promised(&lib).into_iter().filter(|name| is_type(name));
    assert_eq!(types.collect::<Vec<_>>(), ["Arena", "Cut"]);
}
