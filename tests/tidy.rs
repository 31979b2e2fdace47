//! Checks that the compiler does not make: imports between stages, forbidden operations of a
//! stage, the lengths and names of files, and the completeness of `ARCHITECTURE.md`. Each
//! check is a function from a source to its faults, with a test that it finds one.

#[path = "tidy/inside.rs"]
mod inside;
#[path = "tidy/paths.rs"]
mod paths;
#[path = "tidy/source.rs"]
mod source;

use source::{Kind, Source};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The stages in the order of the pipeline, including planned ones. A stage may import
/// `error` and the stages above it. Its folder (or file) in `src/` has its name.
const STAGES: [&str; 29] = [
    "error",
    "text",
    "address",
    "page",
    "feed",
    "warc",
    "model",
    "baseline",
    "refusal",
    "onepage",
    "signifier",
    "pattern",
    "rank",
    "wrapper",
    "render",
    "extract",
    "learn",
    "drift",
    "report",
    "filter",
    "prose",
    "pipeline",
    "gold",
    "eval",
    "tune",
    "fetch",
    "archive",
    "harvest",
    "serve",
];

/// Behind all stages: it may import them all, and only it prints.
const CLI: &str = "cli";

/// Maximum number of lines of a file.
const MAX_LINES: usize = 800;

/// Maximum number of lines of `main.rs`.
const MAX_MAIN_LINES: usize = 60;

/// File and folder names without meaning.
const EMPTY_NAMES: [&str; 8] = [
    "utils", "util", "helpers", "helper", "common", "manager", "misc", "v2",
];

/// Operations of some stages only: the words that show them, and the stages.
const RESERVED: [(&str, &[&str], &[&str]); 5] = [
    (
        "touches files",
        &["fs", "tempfile"],
        &["gold", "fetch", "archive", CLI],
    ),
    (
        "dials",
        &["reqwest", "TcpStream", "UdpSocket", "ToSocketAddrs"],
        &["fetch"],
    ),
    ("listens", &["TcpListener", "axum"], &["serve", CLI]),
    (
        "reads the clock",
        &["SystemTime", "Instant", "Local"],
        &["fetch", "archive", "harvest", "serve", CLI],
    ),
    (
        "uses anyhow, whose errors have no class",
        &["anyhow"],
        &[CLI],
    ),
];

/// Hosts that are allowed in the source: namespaces and format versions, which are not
/// connected to.
const NAMESPACE_HOSTS: [&str; 9] = [
    // Of the proxy itself; nobody owns `internal`.
    "forest.internal",
    "www.w3.org",
    "www.tei-c.org",
    "purl.org",
    "schema.org",
    "jsonfeed.org",
    "freshrss.org",
    "netpreserve.org",
    "search.yahoo.com",
];

/// Nouns that are counted in messages.
const COUNTED: [&str; 22] = [
    "addresses",
    "articles",
    "archives",
    "candidates",
    "documents",
    "elements",
    "entries",
    "failures",
    "feeds",
    "files",
    "folders",
    "items",
    "lines",
    "pages",
    "records",
    "reasons",
    "rules",
    "sites",
    "templates",
    "versions",
    "words",
    "wrappers",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// The Rust files below `folder`, as paths from the project's root with `/`, sorted.
fn rust_files(folder: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::from(folder)];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(root().join(&folder)) else {
            continue;
        };
        for entry in entries {
            let entry = entry.expect("a readable folder");
            let path = folder.join(entry.file_name());
            if entry.file_type().expect("a file type").is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                found.push(path.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    found.sort();
    found
}

/// `page` for `src/page/mod.rs` and `src/page.rs`; `None` for `lib` and `main`.
fn stage_of(path: &str) -> Option<&str> {
    let rest = path.strip_prefix("src/")?;
    let stage = rest.split('/').next()?;
    match stage.strip_suffix(".rs") {
        Some("lib" | "main") => None,
        Some(file) => Some(file),
        None => Some(stage),
    }
}

fn position(stage: &str) -> Option<usize> {
    let all = STAGES.iter().chain([&CLI]);
    all.into_iter().position(|&s| s == stage)
}

/// Imports of stages that are not above the file's own.
fn import_faults(path: &str, text: &str) -> Vec<String> {
    let Some(stage) = stage_of(path) else {
        return Vec::new();
    };
    let Some(own) = position(stage) else {
        return vec![format!(
            "{path}: {stage} is no stage of the table in tests/tidy.rs"
        )];
    };
    let imports = Source::of(path, text).imports();
    let faults = imports.into_iter().filter_map(|(line, name)| {
        let fault = |what: &str| Some(format!("{path}:{line}: {stage} imports {name}, {what}"));
        match (&*name, position(&name)) {
            // Re-exports of lib.rs.
            ("Error" | "Result", _) => None,
            (_, Some(theirs)) if theirs <= own || name == "error" => None,
            (_, Some(_)) => fault("which stands below it"),
            (_, None) => fault("which is no stage"),
        }
    });
    faults.collect()
}

/// `lib.rs` and `src/` against the table: the same stages, in its order.
fn order_faults(lib: &str, stages: &BTreeSet<String>) -> Vec<String> {
    let mut modules = Source::of("src/lib.rs", lib).modules();
    // A stage of the lab is declared twice: public for it, and private.
    modules.dedup();
    let mut faults = Vec::new();
    for pair in modules.windows(2) {
        if position(&pair[0]) >= position(&pair[1]) {
            faults.push(format!("src/lib.rs: {} stands before {}", pair[0], pair[1]));
        }
    }
    for module in modules.iter().chain(stages) {
        if position(module).is_none() {
            faults.push(format!("{module} is no stage of the table"));
        }
    }
    let listed: BTreeSet<String> = modules.into_iter().collect();
    for odd in listed.symmetric_difference(stages) {
        faults.push(format!("{odd} is in one of lib.rs and src/ only"));
    }
    faults
}

/// Files that are too long or have a name without meaning.
fn file_faults(path: &str, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let limit = match path {
        "src/main.rs" => MAX_MAIN_LINES,
        _ => MAX_LINES,
    };
    let lines = text.lines().count();
    if lines > limit {
        faults.push(format!("{path}: {lines} lines, more than {limit}"));
    }
    for name in path.split('/').map(|part| part.trim_end_matches(".rs")) {
        if EMPTY_NAMES.contains(&name) {
            faults.push(format!("{path}: `{name}` says nothing"));
        }
    }
    faults
}

/// Library code outside tests: `unwrap`, printing, leaving the process.
fn habit_faults(path: &str, text: &str) -> Vec<String> {
    let source = Source::of(path, text);
    let stage = stage_of(path);
    let may_print = matches!(stage, None | Some(CLI));
    let mut faults = Vec::new();
    for (i, token) in source.tokens.iter().enumerate() {
        let Kind::Word(word) = &token.kind else {
            continue;
        };
        if token.test {
            continue;
        }
        let next = |n: usize, text: &str| source.is(i + n, text);
        let fault = match &**word {
            "unwrap" if next(1, "(") && next(2, ")") => "unwrap: say why with expect, or return it",
            "println" | "print" | "eprintln" | "eprint" | "dbg" if next(1, "!") && !may_print => {
                "prints outside cli"
            }
            "exit" | "abort"
                if i >= 3 && !may_print && source.is(i - 3, "process") && next(1, "(") =>
            {
                "ends the process outside cli"
            }
            _ => continue,
        };
        faults.push(format!("{path}:{}: {fault}", token.line));
    }
    faults
}

/// Library code with operations of other stages only.
fn reserved_faults(path: &str, text: &str) -> Vec<String> {
    let Some(stage) = stage_of(path) else {
        return Vec::new();
    };
    let source = Source::of(path, text);
    let mut faults = Vec::new();
    for (what, words, stages) in RESERVED {
        if stages.contains(&stage) {
            continue;
        }
        for (i, token) in source.tokens.iter().enumerate() {
            let Kind::Word(word) = &token.kind else {
                continue;
            };
            // A word of a path: `fs::read`, `use std::fs;`.
            let in_path = source.is(i + 1, ":") && source.is(i + 2, ":")
                || i >= 2 && source.is(i - 1, ":") && source.is(i - 2, ":");
            if in_path && !token.test && words.contains(&&**word) {
                faults.push(format!("{path}:{}: {stage} {what}: {word}", token.line));
            }
        }
    }
    faults
}

/// Plurals made by hand: `{n} pages` is wrong for one page.
fn plural_faults(path: &str, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    for token in &Source::of(path, text).tokens {
        let Kind::Text(text) = &token.kind else {
            continue;
        };
        if token.test {
            continue;
        }
        if text.contains("(s)") {
            faults.push(format!("{path}:{}: (s): use error::counted", token.line));
        }
        for (before, behind) in text.match_indices("} ").map(|(at, _)| text.split_at(at)) {
            let argument = before.rsplit('{').next().unwrap_or_default();
            // A constant is more than one, and so is a share's whole.
            let is_const = argument.contains(char::is_uppercase);
            let begin = before.trim_end_matches(argument);
            let is_whole = ["of {", "more than {"].iter().any(|of| begin.ends_with(of));
            let words = behind[2..].split(|c: char| !c.is_alphanumeric());
            // `{} FROM feeds` is SQL.
            let is_noun = |word: &&str| *word == "WARC" || word.starts_with(char::is_lowercase);
            let words = words.take_while(is_noun).take(2);
            let found = { words }.find(|word| COUNTED.contains(word));
            if let Some(word) = found.filter(|_| !is_const && !is_whole) {
                faults.push(format!("{path}:{}: {word}: use error::counted", token.line));
            }
        }
    }
    faults
}

/// Host names in library code outside tests and docs.
fn host_faults(path: &str, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    for token in &Source::of(path, text).tokens {
        let Kind::Text(text) = &token.kind else {
            continue;
        };
        let lower = text.to_ascii_lowercase();
        let hosts = ["http://", "https://"]
            .iter()
            .flat_map(|scheme| lower.split(scheme).skip(1));
        for host in hosts {
            let host = host
                .split(|c: char| !(c.is_alphanumeric() || matches!(c, '.' | '-')))
                .next()
                .unwrap_or_default();
            if !token.test && !is_reserved_host(host) {
                faults.push(format!("{path}:{}: host {host} in the source", token.line));
            }
        }
    }
    faults
}

/// Reserved names (RFC 2606), loopback, namespaces, and no name.
fn is_reserved_host(host: &str) -> bool {
    let example = ["example", "example.org", "example.com", "example.net"];
    let under = |name: &&str| host == *name || host.ends_with(&format!(".{name}"));
    !host.contains(char::is_alphanumeric)
        || example.iter().any(under)
        || ["localhost", "127.0.0.1"].contains(&host)
        || NAMESPACE_HOSTS.contains(&host)
}

/// Dependencies of `manifest` without a row in `architecture`, and rows of its dependency
/// table without a dependency.
fn dependency_faults(manifest: &str, architecture: &str) -> Vec<String> {
    let manifest: toml::Table = manifest.parse().expect("Cargo.toml is TOML");
    let mut wanted = BTreeSet::new();
    for table in ["dependencies", "dev-dependencies"] {
        let names = manifest.get(table).and_then(toml::Value::as_table);
        wanted.extend(names.into_iter().flat_map(|names| names.keys().cloned()));
    }
    // The tests ask for a feature of the package itself.
    wanted.remove("forest");
    let section = architecture
        .split("\n## ")
        .find(|section| section.starts_with("Dependencies"))
        .unwrap_or_default();
    let mut named = BTreeSet::new();
    let mut faults = Vec::new();
    for row in section.lines().filter(|line| line.starts_with("| `")) {
        let mut cells = row.split('|').skip(1).map(str::trim);
        let (names, reason) = (cells.next().unwrap_or_default(), cells.last());
        named.extend(names.split('`').skip(1).step_by(2).map(str::to_owned));
        // The last cell, behind the row's last bar, is empty.
        if reason != Some("") || row.split('|').any(|cell| cell == " ") {
            faults.push(format!("ARCHITECTURE.md: no reason given: {row}"));
        }
    }
    for name in wanted.symmetric_difference(&named) {
        faults.push(format!(
            "{name} is in one of Cargo.toml and the dependency table of ARCHITECTURE.md only"
        ));
    }
    faults
}

/// Runs a check over all files of `src/`.
fn over_src(check: fn(&str, &str) -> Vec<String>) {
    let files = rust_files("src");
    assert!(files.len() > 50, "only {} files found", files.len());
    none(files.iter().flat_map(|path| check(path, &read(path))));
}

/// Runs a check over all files of `src/` and of the lab.
fn over_src_and_lab(check: fn(&str, &str) -> Vec<String>) {
    over_src(check);
    let files = rust_files("lab");
    assert!(files.len() > 50, "only {} files found", files.len());
    none(files.iter().flat_map(|path| check(path, &read(path))));
}

fn none(faults: impl IntoIterator<Item = String>) {
    let faults: Vec<String> = faults.into_iter().collect();
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// Checks that `check` finds exactly `count` faults in `text`.
fn finds(count: usize, check: fn(&str, &str) -> Vec<String>, path: &str, text: &str) {
    let found = check(path, text);
    assert_eq!(found.len(), count, "{text}\n{found:#?}");
}

#[test]
fn a_stage_imports_only_what_stands_above_it() {
    over_src(import_faults);
}

#[test]
fn imports_of_stages_below_are_found() {
    let check = |count, text| finds(count, import_faults, "src/rank/mod.rs", text);
    check(0, "use crate::pattern::Pattern;\nuse crate::error::Result;");
    check(1, "use crate::wrapper::Wrapper;");
    check(1, "fn f() { crate::learn::learn() }");
    check(2, "use crate::{error::Error, learn::{a, b}, cli};");
    check(1, "pub(crate) use crate :: eval :: run;");
    check(1, "use crate::nonsense;");
    check(1, "use crate::*;");
    check(
        0,
        "// use crate::learn;\n/* crate::learn */ const A: &str = \"crate::learn\";",
    );
    check(0, "const A: &str = r#\"\"crate::learn\"#;");
    // Up and out of the stage.
    check(1, "use super::learn;");
    check(0, "mod tests { use super::*; use super::rank; }");
    check(1, "mod tests { use super::super::learn; }");
    finds(
        0,
        import_faults,
        "src/rank/measure.rs",
        "use super::explain;",
    );
    finds(
        1,
        import_faults,
        "src/rank/measure.rs",
        "use super::super::cli;",
    );
    // Tests are not an exception.
    check(1, "#[cfg(test)] mod tests { use crate::eval::run; }");
    finds(1, import_faults, "src/error.rs", "use crate::text::tokens;");
    finds(1, import_faults, "src/nonsense/mod.rs", "");
    finds(0, import_faults, "src/cli/learn.rs", "use crate::fetch;");
}

#[test]
fn counts_agree_with_what_they_count() {
    // A table of measurements has heads in the plural.
    let files = rust_files("src");
    let files = files.iter().filter(|path| stage_of(path) != Some("eval"));
    none(files.flat_map(|path| plural_faults(path, &read(path))));
}

#[test]
fn plurals_made_by_hand_are_found() {
    let check = |count, text| finds(count, plural_faults, "src/rank/mod.rs", text);
    check(1, "fn f() { format!(\"{n} pages\") }");
    check(1, "fn f() { format!(\"{} more pages: {}\", 1, 2) }");
    check(2, "fn f() { format!(\"{n} items, {m:>3} files\") }");
    check(1, "fn f() { format!(\"{n} page(s)\") }");
    check(
        0,
        "fn f() { format!(\"{n} of {all} pages, more than {n} pages\") }",
    );
    check(0, "fn f() { format!(\"{MAX} pages, {begin} {pages}\") }");
    check(0, "fn f() { format!(\"SELECT {} FROM feeds\") }");
    check(0, "fn f() { format!(\"{pages} left out\") }");
    check(
        0,
        "#[cfg(test)] mod tests { fn f() { format!(\"{n} pages\") } }",
    );
}

#[test]
fn lib_has_the_stages_in_the_order_of_the_pipeline() {
    let files = rust_files("src");
    let stages = files.iter().filter_map(|path| stage_of(path));
    let stages = stages.map(str::to_owned).collect();
    none(order_faults(&read("src/lib.rs"), &stages));
}

#[test]
fn another_order_is_found() {
    let lib = "pub mod error;\npub mod page;\n#[cfg(feature = \"net\")]\npub mod fetch;";
    let check = |count, lib: &str, names: &[&str]| {
        let stages = names.iter().map(|s| (*s).to_owned()).collect();
        let found = order_faults(lib, &stages);
        assert_eq!(found.len(), count, "{lib}\n{found:#?}");
    };
    check(0, lib, &["error", "page", "fetch"]);
    check(0, "pub mod page;\nmod page;", &["page"]);
    check(1, lib, &["error", "page", "fetch", "cli"]);
    check(1, lib, &["error", "page", "fetch", "rank"]);
    check(1, lib, &["error", "page"]);
    check(1, "mod page; mod error;", &["error", "page"]);
    check(2, "mod zeal;", &["zeal"]);
}

#[test]
fn files_are_short_and_named() {
    let folders = ["src", "tests", "examples", "lab"];
    let files = folders.iter().flat_map(|folder| rust_files(folder));
    none(files.flat_map(|path| file_faults(&path, &read(&path))));
}

#[test]
fn long_and_nameless_files_are_found() {
    let lines = |n: usize| "\n".repeat(n);
    finds(0, file_faults, "src/page/mod.rs", &lines(MAX_LINES));
    finds(1, file_faults, "src/page/mod.rs", &lines(MAX_LINES + 1));
    finds(1, file_faults, "src/main.rs", &lines(MAX_MAIN_LINES + 1));
    finds(1, file_faults, "src/page/utils.rs", "");
    finds(1, file_faults, "src/helpers/mod.rs", "");
}

#[test]
fn library_code_does_not_unwrap_print_or_exit() {
    over_src(habit_faults);
}

#[test]
fn unwrap_print_and_exit_are_found() {
    let check = |count, text| finds(count, habit_faults, "src/page/mod.rs", text);
    check(1, "fn f() { g().unwrap(); }");
    check(0, "fn f() { g().unwrap_or(1).expect(\"why\"); }");
    check(0, "/// ```\n/// f().unwrap();\n/// ```\nfn f() {}");
    check(0, "#[cfg(test)]\nmod tests { fn f() { g().unwrap(); } }");
    check(0, "#[test]\nfn f() { g().unwrap(); }");
    check(1, "#[cfg(test)]\nmod tests;\nfn f() { g().unwrap(); }");
    check(1, "#[cfg(not(test))]\nfn f() { g().unwrap(); }");
    check(1, "fn f<'a>(x: &'a str) { let c = '\"'; x.unwrap(); }");
    check(2, "fn f() { println!(\"a\"); eprintln!(\"b\"); }");
    check(1, "fn f() { std::process::exit(1); }");
    finds(
        0,
        habit_faults,
        "src/page/tests.rs",
        "fn f() { g().unwrap(); }",
    );
    finds(
        0,
        habit_faults,
        "src/cli/learn.rs",
        "fn f() { println!(); }",
    );
    finds(
        1,
        habit_faults,
        "src/cli/learn.rs",
        "fn f() { g().unwrap(); }",
    );
}

#[test]
fn only_some_stages_touch_files_the_network_and_the_clock() {
    over_src(reserved_faults);
}

#[test]
fn files_network_and_clock_are_found() {
    let check = |count, text| finds(count, reserved_faults, "src/learn/mod.rs", text);
    check(1, "use std::fs;");
    check(1, "fn f() { fs::read(p); }");
    check(1, "fn f() { Instant::now() }");
    check(1, "fn f() { reqwest::get(u) }");
    check(1, "fn f() -> anyhow::Result<()> {}");
    check(0, "fn f(fs: u8) -> u8 { fs }");
    check(0, "#[cfg(test)] mod tests { use std::fs; }");
    finds(0, reserved_faults, "src/gold/read.rs", "use std::fs;");
    finds(1, reserved_faults, "src/gold/read.rs", "use reqwest::get;");
}

#[test]
fn no_host_stands_in_the_source() {
    over_src(host_faults);
}

#[test]
fn hosts_are_found() {
    let check = |count, text| finds(count, host_faults, "src/cli/learn.rs", text);
    check(1, "const A: &str = \"https://news.site.tld/a\";");
    check(1, "const A: &str = r\"see HTTP://site.tld\";");
    check(2, "const A: &[u8] = b\"http://a.tld http://b.tld\";");
    check(
        0,
        "const A: &str = \"https://www.example.org/feed.xml http://a.example\";",
    );
    check(
        0,
        "const A: &str = \"http://www.w3.org/2005/Atom http:// http://{host} https://...\";",
    );
    check(0, "/// See <https://news.site.tld/>.\nconst A: u8 = 1;");
    check(1, "const A: &str = \"https://notexample.org/\";");
}

#[test]
fn every_dependency_has_its_reason() {
    none(dependency_faults(
        &read("Cargo.toml"),
        &read("ARCHITECTURE.md"),
    ));
}

#[test]
fn dependencies_without_a_reason_are_found() {
    let manifest = "[dependencies]\nurl = \"2\"\nserde = \"1\"\n[dev-dependencies]\ninsta = \"1\"";
    let check = |count, rows: &str| {
        let text = format!("# A\n\n## Dependencies\n\n{rows}\n\n## Else\n\n| `other` | x |\n");
        let found = dependency_faults(manifest, &text);
        assert_eq!(found.len(), count, "{rows}\n{found:#?}");
    };
    check(
        0,
        "| `url` | addresses |\n| `serde` | files |\n| `insta` | tests |",
    );
    check(0, "| `url`, `serde` | both |\n| `insta` | tests |");
    check(1, "| `url` | addresses |\n| `serde` | files |");
    check(
        1,
        "| `url`, `serde` | both |\n| `insta` | tests |\n| `gone` | no more |",
    );
    check(1, "| `url`, `serde` | both |\n| `insta` | |");
}

#[test]
fn the_code_map_names_every_stage() {
    let architecture = read("ARCHITECTURE.md");
    let files = rust_files("src");
    let stages: BTreeSet<&str> = files.iter().filter_map(|path| stage_of(path)).collect();
    let missing = stages.into_iter().filter(|stage| {
        let row = format!("| `{stage}` |");
        !architecture.contains(&row)
    });
    none(missing.map(|stage| format!("{stage} is not in the code map")));
}
