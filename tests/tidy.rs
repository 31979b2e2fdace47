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

/// Crates of several stages, which stand in their `lib.rs` in the order of the pipeline: a
/// stage may import `error` and the stages above it. Any other crate is one stage. What a crate
/// may import stands in its manifest.
const OF_STAGES: [&str; 5] = ["html", "core", "text", "sources", "eval"];

/// The command: only it prints.
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
        &["gold", "sources", "fetch", "archive", CLI],
    ),
    (
        "dials",
        &["reqwest", "TcpStream", "UdpSocket", "ToSocketAddrs"],
        &["fetch"],
    ),
    (
        "listens",
        &["TcpListener", "axum"],
        &["web", "proxy", "serve", CLI],
    ),
    (
        "reads the clock",
        &["SystemTime", "Instant", "Local"],
        &["fetch", "archive", "harvest", "web", "proxy", "serve", CLI],
    ),
    (
        "uses anyhow, whose errors have no class",
        &["anyhow"],
        &[CLI],
    ),
];

/// Hosts that are allowed in the source: namespaces and format versions, which are not
/// connected to.
const NAMESPACE_HOSTS: [&str; 12] = [
    // Of the proxy itself; nobody owns `internal`.
    "forest.internal",
    "www.w3.org",
    "www.tei-c.org",
    // Of categories of the Google Reader API.
    "www.google.com",
    "purl.org",
    "www.idpf.org",
    "opds-spec.org",
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

/// The crate of a file, and its path from the crate's folder.
fn crate_of(path: &str) -> (&str, &str) {
    let inside = path
        .strip_prefix("crates/")
        .and_then(|path| path.split_once('/'));
    inside.unwrap_or(("", path))
}

/// `page` for `crates/html/src/page/mod.rs` and `crates/html/src/page.rs`, `archive` for all of
/// `crates/archive/src/`, `cli` for `src/cli/`; `None` for a `lib` of stages and `main`.
fn stage_of(path: &str) -> Option<&str> {
    let (own, path) = crate_of(path);
    let stage = path.strip_prefix("src/")?.split('/').next()?;
    if !own.is_empty() && !OF_STAGES.contains(&own) {
        return Some(own);
    }
    match stage.strip_suffix(".rs") {
        Some("lib" | "main") => None,
        Some(file) => Some(file),
        None => Some(stage),
    }
}

/// The stages of a crate, in the order of its `lib.rs`.
fn stages_of(own: &str) -> Vec<String> {
    let path = format!("crates/{own}/src/lib.rs");
    Source::of(&path, &read(&path)).modules()
}

/// Imports of stages of the same crate that are not above the file's own.
fn import_faults(path: &str, text: &str) -> Vec<String> {
    let (own, _) = crate_of(path);
    let Some(stage) = stage_of(path).filter(|_| OF_STAGES.contains(&own)) else {
        return Vec::new();
    };
    let stages = stages_of(own);
    let position = |stage: &str| stages.iter().position(|s| s == stage);
    let Some(at) = position(stage) else {
        return vec![format!("{path}: {stage} is not in the crate's lib.rs")];
    };
    let imports = Source::of(path, text).imports();
    let faults = imports.into_iter().filter_map(|(line, name)| {
        let fault = |what: &str| Some(format!("{path}:{line}: {stage} imports {name}, {what}"));
        match (&*name, position(&name)) {
            // Re-exports of lib.rs.
            ("Error" | "Result", _) => None,
            (_, Some(theirs)) if theirs <= at || name == "error" => None,
            (_, Some(_)) => fault("which stands below it"),
            (_, None) => fault("which is no stage"),
        }
    });
    faults.collect()
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

/// Dependencies of a workspace without a comment above them that says why.
fn dependency_faults(manifest: &str) -> Vec<String> {
    let lines: Vec<&str> = std::iter::once("").chain(manifest.lines()).collect();
    let mut section = "";
    let mut faults = Vec::new();
    for pair in lines.windows(2) {
        let (above, line) = (pair[0], pair[1]);
        if line.starts_with('[') {
            section = line;
        }
        let is_entry = line.starts_with(char::is_alphabetic) && line.contains('=');
        // The crates of the project have pages of their own.
        let is_own = line.contains("path = ");
        let reason = above.strip_prefix("# ").unwrap_or_default();
        let is_bare = reason.trim().is_empty() && !is_own;
        if section == "[workspace.dependencies]" && is_entry && is_bare {
            faults.push(format!("Cargo.toml: no reason above: {line}"));
        }
    }
    faults
}

/// Dependencies of a crate that have a version of their own.
fn version_faults(path: &str, manifest: &str) -> Vec<String> {
    let entries = entries_of(manifest, "dependencies]").into_iter();
    let own = entries.filter(|(_, value)| !value.contains("workspace = true"));
    own.map(|(name, value)| {
        format!("{path}: its version stands in the workspace: {name} = {value}")
    })
    .collect()
}

/// The entries of the tables of a manifest whose header ends with `ending`: names and values.
fn entries_of<'a>(manifest: &'a str, ending: &str) -> Vec<(&'a str, &'a str)> {
    let mut section = "";
    let mut entries = Vec::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            section = line;
        } else if section.ends_with(ending)
            && line.starts_with(char::is_alphabetic)
            && let Some((name, value)) = line.split_once(" = ")
        {
            entries.push((name, value));
        }
    }
    entries
}

/// What a lock file of a package beside the workspace has otherwise than the manifest of a
/// crate: cargo, told that it is locked, does not build such a package. `workspace` is the
/// root's manifest, which knows the packages behind renamed dependencies.
fn lock_faults(path: &str, lock: &str, manifest: &str, workspace: &str) -> Vec<String> {
    let package = |entries: &[(&str, &str)], name: &str| {
        let value = entries.iter().find(|entry| entry.0 == name)?.1;
        let renamed = value.split_once("package = \"")?.1;
        renamed
            .split_once('"')
            .map(|(package, _)| package.to_owned())
    };
    let of_workspace = entries_of(workspace, "[workspace.dependencies]");
    let own = entries_of(manifest, "[package]");
    let own = own
        .iter()
        .find(|entry| entry.0 == "name")
        .expect("a name")
        .1;
    let head = format!("name = {own}\n");
    let Some(block) = lock
        .split("[[package]]\n")
        .find(|block| block.starts_with(&head))
    else {
        return Vec::new();
    };
    let locked: BTreeSet<&str> = block
        .lines()
        .filter_map(|line| line.strip_prefix(" \"")?.split(['"', ' ']).next())
        .collect();
    // Optional ones stand there only where their feature is asked for.
    let entries = entries_of(manifest, "[dependencies]");
    let named = |(name, value): &(&str, &str)| {
        let package = package(&of_workspace, name).unwrap_or_else(|| (*name).to_owned());
        (package, value.contains("optional = true"))
    };
    let named: Vec<(String, bool)> = entries.iter().map(named).collect();
    let missing = named
        .iter()
        .filter(|(name, optional)| !optional && !locked.contains(name.as_str()))
        .map(|(name, _)| format!("{path}: {own} needs {name}"));
    let left = locked
        .iter()
        .filter(|locked| !named.iter().any(|(name, _)| name == *locked))
        .map(|name| format!("{path}: {own} needs no {name}"));
    missing.chain(left).collect()
}

/// The folders of the crates, without the lab's.
fn crates() -> Vec<String> {
    let entries = fs::read_dir(root().join("crates")).expect("the crates");
    let names = entries.map(|entry| entry.expect("readable").file_name());
    let mut names: Vec<String> = names
        .map(|name| name.to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert!(names.len() > 5, "only {} crates found", names.len());
    names
}

/// The files of the command and of all crates.
fn sources() -> Vec<String> {
    let of_crates = crates().into_iter().map(|own| format!("crates/{own}/src"));
    let folders = std::iter::once("src".to_owned()).chain(of_crates);
    folders.flat_map(|folder| rust_files(&folder)).collect()
}

/// Runs a check over all files of the command and of the crates.
fn over_src(check: fn(&str, &str) -> Vec<String>) {
    let files = sources();
    assert!(files.len() > 50, "only {} files found", files.len());
    none(files.iter().flat_map(|path| check(path, &read(path))));
}

/// Runs a check over all files of the command, the crates and the lab.
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
    let path = "crates/core/src/rank/mod.rs";
    let check = |count, text| finds(count, import_faults, path, text);
    check(0, "use crate::pattern::Pattern;\nuse crate::error::Result;");
    check(1, "use crate::wrapper::Wrapper;");
    check(1, "fn f() { crate::learn::learn() }");
    check(2, "use crate::{error::Error, learn::{a, b}, drift};");
    check(1, "pub use crate :: learn :: run;");
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
    let inner = "crates/core/src/rank/measure.rs";
    finds(0, import_faults, inner, "use super::explain;");
    finds(1, import_faults, inner, "use super::super::learn;");
    // Tests are not an exception.
    check(1, "#[cfg(test)] mod tests { use crate::drift::run; }");
    finds(
        1,
        import_faults,
        "crates/core/src/error.rs",
        "use crate::feed::a;",
    );
    finds(1, import_faults, "crates/core/src/nonsense/mod.rs", "");
    finds(0, import_faults, "crates/archive/src/a.rs", "use crate::b;");
    finds(0, import_faults, "src/cli/learn.rs", "use crate::cli::a;");
}

#[test]
fn counts_agree_with_what_they_count() {
    // A table of measurements has heads in the plural.
    let files = sources();
    let files = files.iter().filter(|path| stage_of(path) != Some("eval"));
    none(files.flat_map(|path| plural_faults(path, &read(path))));
}

#[test]
fn plurals_made_by_hand_are_found() {
    let check = |count, text| finds(count, plural_faults, "crates/core/src/rank/mod.rs", text);
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
fn files_are_short_and_named() {
    let folders = ["src", "crates", "tests", "examples", "lab"];
    let files = folders.iter().flat_map(|folder| rust_files(folder));
    none(files.flat_map(|path| file_faults(&path, &read(&path))));
}

#[test]
fn long_and_nameless_files_are_found() {
    let lines = |n: usize| "\n".repeat(n);
    finds(
        0,
        file_faults,
        "crates/html/src/page/mod.rs",
        &lines(MAX_LINES),
    );
    finds(
        1,
        file_faults,
        "crates/html/src/page/mod.rs",
        &lines(MAX_LINES + 1),
    );
    finds(1, file_faults, "src/main.rs", &lines(MAX_MAIN_LINES + 1));
    finds(1, file_faults, "crates/html/src/page/utils.rs", "");
    finds(1, file_faults, "crates/html/src/helpers/mod.rs", "");
}

#[test]
fn library_code_does_not_unwrap_print_or_exit() {
    over_src(habit_faults);
}

#[test]
fn unwrap_print_and_exit_are_found() {
    let check = |count, text| finds(count, habit_faults, "crates/html/src/page/mod.rs", text);
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
        "crates/html/src/page/tests.rs",
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
    let check = |count, text| finds(count, reserved_faults, "crates/core/src/learn/mod.rs", text);
    check(1, "use std::fs;");
    check(1, "fn f() { fs::read(p); }");
    check(1, "fn f() { Instant::now() }");
    check(1, "fn f() { reqwest::get(u) }");
    check(1, "fn f() -> anyhow::Result<()> {}");
    check(0, "fn f(fs: u8) -> u8 { fs }");
    check(0, "#[cfg(test)] mod tests { use std::fs; }");
    finds(
        0,
        reserved_faults,
        "crates/sources/src/gold/read.rs",
        "use std::fs;",
    );
    finds(
        1,
        reserved_faults,
        "crates/sources/src/gold/read.rs",
        "use reqwest::get;",
    );
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
fn every_dependency_has_its_reason_and_one_version() {
    none(dependency_faults(&read("Cargo.toml")));
    let manifests = crates()
        .into_iter()
        .map(|own| format!("crates/{own}/Cargo.toml"));
    none(manifests.flat_map(|path| version_faults(&path, &read(&path))));
}

#[test]
fn lock_files_beside_the_workspace_fit_its_crates() {
    let workspace = read("Cargo.toml");
    let locks = ["python/Cargo.lock", "lab/peers/Cargo.lock"];
    none(locks.iter().flat_map(|path| {
        let lock = read(path);
        let faults = crates().into_iter().flat_map(|own| {
            let manifest = read(&format!("crates/{own}/Cargo.toml"));
            lock_faults(path, &lock, &manifest, &workspace)
        });
        faults.collect::<Vec<String>>()
    }));
}

#[test]
fn lock_files_that_do_not_fit_are_found() {
    let workspace = "[workspace.dependencies]\nyaml = { package = \"new_yaml\", version = \"1\" }";
    let manifest = "[package]\nname = \"a\"\n[dependencies]\nyaml = { workspace = true }\n\
                    lists = { workspace = true, optional = true }\n\
                    [dev-dependencies]\nproptest = { workspace = true }";
    let check = |count, own: &str, locked: &str| {
        let lock = format!("[[package]]\nname = \"{own}\"\ndependencies = [\n{locked}]\n");
        let found = lock_faults("Cargo.lock", &lock, manifest, workspace);
        assert_eq!(found.len(), count, "{lock}\n{found:#?}");
    };
    check(0, "a", " \"new_yaml\",\n");
    check(0, "a", " \"lists 0.2.0\",\n \"new_yaml\",\n");
    check(1, "a", "");
    check(2, "a", " \"proptest\",\n");
    check(0, "b", " \"proptest\",\n");
}

#[test]
fn dependencies_without_a_reason_are_found() {
    let check = |count, entries: &str| {
        let found = dependency_faults(&format!("[workspace.dependencies]\n{entries}"));
        assert_eq!(found.len(), count, "{entries}\n{found:#?}");
    };
    check(
        0,
        "# Addresses.\nurl = \"2\"\n# Files.\nserde = { version = \"1\" }",
    );
    check(0, "forest-html = { path = \"crates/html\" }");
    check(2, "url = \"2\"\nserde = \"1\"");
    check(1, "# Addresses.\nurl = \"2\"\nserde = \"1\"");
    check(1, "# Both.\n\nurl = \"2\"");
    check(1, "#\nurl = \"2\"");
    check(0, "\n[profile.release]\nstrip = true");
    let check = |count, entries: &str| {
        let found = version_faults("crates/a/Cargo.toml", entries);
        assert_eq!(found.len(), count, "{entries}\n{found:#?}");
    };
    check(
        0,
        "[package]\nname = \"a\"\n[dependencies]\nurl = { workspace = true }",
    );
    check(1, "[dev-dependencies]\nurl = \"2\"");
}

#[test]
fn the_code_map_names_every_stage() {
    let architecture = read("ARCHITECTURE.md");
    let files = sources();
    let stages: BTreeSet<&str> = files.iter().filter_map(|path| stage_of(path)).collect();
    let missing = stages.into_iter().filter(|stage| {
        let row = format!("| `{stage}` |");
        !architecture.contains(&row)
    });
    none(missing.map(|stage| format!("{stage} is not in the code map")));
}
