//! The README and the guides: it is short, their fences are closed, their links lead somewhere,
//! and the files that they show are files of the program. `cli::readme` runs their commands.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use forest_core::wrapper::Wrapper;
use forest_core::wrapper::list::ListWrapper;
use forest_text::filter::FilterSettings;
use forest_text::pipeline::Pipeline;
use forest_text::prose::TextOptions;

const README: &str = include_str!("../../README.md");
const WRAPPER_GUIDE: &str = include_str!("../../docs/wrapper.md");

/// Bytes of the README at the most: a newcomer reads it in three minutes.
const README_BYTES: usize = 8_000;

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All pages of the documentation, as paths from the root.
pub fn pages() -> Vec<PathBuf> {
    let mut pages: Vec<PathBuf> = [
        "README.md",
        "ARCHITECTURE.md",
        "python/README.md",
        "gold/README.md",
    ]
    .map(PathBuf::from)
    .into();
    for folder in ["docs", "contrib"] {
        let entries = fs::read_dir(root().join(folder)).expect(folder);
        let names = entries.map(|entry| entry.expect("an entry").file_name());
        let names = names.map(|name| Path::new(folder).join(name));
        pages.extend(names.filter(|path| path.extension().is_some_and(|e| e == "md")));
    }
    pages.sort();
    pages
}

pub fn read(page: &Path) -> String {
    fs::read_to_string(root().join(page)).unwrap_or_else(|e| panic!("{}: {e}", page.display()))
}

/// A block of code between two lines of three backticks.
pub struct Fence {
    pub language: String,
    pub code: String,
}

/// A page taken apart: its text without code, and its blocks of code.
pub struct Parts {
    pub prose: String,
    pub fences: Vec<Fence>,
}

/// The parts of a page, or what is wrong with its fences.
pub fn parts(text: &str) -> Result<Parts, String> {
    let mut prose = String::new();
    let mut fences = Vec::new();
    let mut open: Option<Fence> = None;
    for line in text.lines() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(language), None) => {
                let (language, code) = (language.to_owned(), String::new());
                open = Some(Fence { language, code });
            }
            (Some(""), Some(_)) => fences.extend(open.take()),
            (Some(rest), Some(_)) => return Err(format!("a fence within a fence: {rest}")),
            (None, Some(fence)) => fence.code += &format!("{line}\n"),
            (None, None) => prose += &format!("{line}\n"),
        }
    }
    match open {
        Some(fence) => Err(format!("a fence is not closed: {}", fence.language)),
        None => Ok(Parts { prose, fences }),
    }
}

/// The text between backticks, and the text outside of them.
pub fn inline_code(prose: &str) -> (Vec<&str>, String) {
    let pieces = prose.split('`').enumerate();
    let (code, rest): (Vec<_>, Vec<_>) = pieces.partition(|(at, _)| at % 2 == 1);
    let text = |(_, piece)| piece;
    (
        code.into_iter().map(text).collect(),
        rest.into_iter().map(text).collect(),
    )
}

/// The anchor of a heading, as GitHub makes it.
fn anchor(heading: &str) -> String {
    let kept = |c: char| c.is_alphanumeric() || " -_".contains(c);
    let kept = heading
        .trim()
        .to_lowercase()
        .chars()
        .filter(|&c| kept(c))
        .collect::<String>();
    kept.replace(' ', "-")
}

/// The links of a page that lead nowhere: to no file, or to no heading of a page.
fn dead_links(page: &Path, text: &str) -> Vec<String> {
    let parts = match parts(text) {
        Ok(parts) => parts,
        Err(fault) => return vec![format!("{}: {fault}", page.display())],
    };
    let (_, prose) = inline_code(&parts.prose);
    let links = prose.split("](").skip(1);
    let links = links.filter_map(|rest| rest.split(')').next());
    let dead = links.filter(|link| !link.contains("://") && !leads_somewhere(page, text, link));
    dead.map(|link| format!("{}: {link}", page.display()))
        .collect()
}

fn leads_somewhere(page: &Path, text: &str, link: &str) -> bool {
    let (path, heading) = link.split_once('#').unwrap_or((link, ""));
    let file = root().join(page.parent().expect("a folder")).join(path);
    let target = match path {
        "" => Some(text.to_owned()),
        _ if heading.is_empty() => return file.exists(),
        _ => fs::read_to_string(file).ok(),
    };
    let Some(Ok(parts)) = target.map(|target| parts(&target)) else {
        return false;
    };
    let mut lines = parts.prose.lines().filter(|line| line.starts_with('#'));
    lines.any(|line| anchor(line.trim_start_matches('#')) == heading)
}

#[test]
fn a_newcomer_reads_it_in_three_minutes() {
    assert!(README.len() <= README_BYTES, "{} bytes", README.len());
}

#[test]
fn every_link_leads_somewhere() {
    let pages = pages();
    assert!(pages.len() >= 18, "{pages:?}");
    let dead: Vec<String> = pages
        .iter()
        .flat_map(|page| dead_links(page, &read(page)))
        .collect();
    assert!(dead.is_empty(), "{dead:#?}");
}

#[test]
fn dead_links_are_found() {
    let check = |count, text: &str| {
        let found = dead_links(Path::new("docs/some.md"), text);
        assert_eq!(found.len(), count, "{text}\n{found:?}");
    };
    check(
        0,
        "[a](guide.md) ![b](../README.md) [c](https://www.example.org/none.md)",
    );
    check(1, "[a](no-such-guide.md)");
    check(1, "[a](README.md)");
    check(
        0,
        "# A `b`: c's (d)\n\n[a](#a-b-cs-d) [e](guide.md#learn-and-apply)",
    );
    check(2, "[a](#nowhere) [e](guide.md#nowhere)");
    check(1, "```sh\n# nowhere\n```\n[a](#nowhere)");
    check(0, "`[a](nowhere.md)`\n```\n[a](nowhere.md)\n```\n");
    check(1, "```sh\nls\n");
    check(1, "```sh\nls\n```sh\n");
}

/// The tables of a page that do not show as tables: without a line below their head, or with
/// a row of fewer or more cells.
fn broken_tables(page: &Path, text: &str) -> Vec<String> {
    let prose = parts(text).expect("closed fences").prose;
    let lines: Vec<&str> = prose.lines().collect();
    let tables = lines.chunk_by(|a, b| a.starts_with('|') == b.starts_with('|'));
    let tables = tables.filter(|table| table[0].starts_with('|'));
    let cells = |row: &str| row.replace("\\|", "").matches('|').count();
    let is_rule = |row: &str| row.chars().all(|c| "|-: ".contains(c));
    let is_whole = |table: &&[&str]| {
        let all_alike = table.iter().all(|row| cells(row) == cells(table[0]));
        all_alike && table.get(1).is_some_and(|row| is_rule(row))
    };
    let broken = tables.filter(|table| !is_whole(table));
    let place = |table: &[&str]| format!("{}: {}", page.display(), table[0]);
    broken.map(place).collect()
}

#[test]
fn every_table_is_whole() {
    let pages = pages();
    let broken = pages
        .iter()
        .flat_map(|page| broken_tables(page, &read(page)));
    let broken: Vec<String> = broken.collect();
    assert!(broken.is_empty(), "{broken:#?}");
}

#[test]
fn broken_tables_are_found() {
    let check = |count, text: &str| {
        let found = broken_tables(Path::new("docs/some.md"), text);
        assert_eq!(found.len(), count, "{text}\n{found:?}");
    };
    check(
        0,
        "| a | b |\n| --- | ---: |\n| `x\\|y` | d |\n\nand | so on",
    );
    check(1, "| a | b |\n| --- | --- |\n\n| c | d |\n");
    check(1, "| a | b |\n| --- | --- |\n| c |\n");
    check(0, "```sh\n| a | b |\n```\n");
}

/// What is wrong with a YAML file that a page shows, by its kind.
fn yaml_fault(yaml: &str) -> Option<String> {
    let has = |key: &str| yaml.lines().any(|line| line.starts_with(key));
    let told = |error: &dyn std::error::Error| error.to_string();
    if has("kind: list") {
        ListWrapper::from_yaml(yaml).err().map(|e| told(&e))
    } else if has("pipeline:") {
        Pipeline::parse("shown", yaml).err().map(|e| told(&e))
    } else if has("site:") {
        Wrapper::from_yaml(yaml).err().map(|e| told(&e))
    } else if has("profile:") {
        FilterSettings::from_yaml(yaml).err().map(|e| told(&e))
    } else {
        TextOptions::from_yaml(yaml).err().map(|e| told(&e))
    }
}

#[test]
fn the_files_that_the_pages_show_are_read() {
    let mut shown = 0;
    // The YAML in `contrib` is other programs'.
    for page in pages().iter().filter(|page| !page.starts_with("contrib")) {
        let fences = parts(&read(page)).expect("closed fences").fences;
        for fence in fences.iter().filter(|fence| fence.language == "yaml") {
            shown += 1;
            let fault = yaml_fault(&fence.code);
            assert_eq!(fault, None, "{}:\n{}", page.display(), fence.code);
        }
    }
    assert!(shown >= 8, "{shown}");
}

#[test]
fn files_that_cannot_be_read_are_found() {
    let wrapper = "format: 1\nsite: a.example\ntemplates:\n- body: [ //p ]\n";
    let list = "format: 1\nkind: list\nsite: a.example\nitem: //li\n";
    let pipeline = "format: 1\npipeline:\n  lqf: {threshold: 0.2}\n";
    for good in [
        wrapper,
        list,
        pipeline,
        "profile: reader\n",
        "drop_menus: true\n",
    ] {
        assert_eq!(yaml_fault(good), None, "{good}");
        let bad = format!("{good}no_such_key: 1\n");
        assert!(yaml_fault(&bad).is_some(), "{bad}");
    }
}

/// The wrappers of articles that a page shows.
fn wrappers(text: &str) -> Vec<Wrapper> {
    let fences = parts(text).expect("closed fences").fences;
    let yaml = fences.iter().filter(|fence| fence.language == "yaml");
    let read = yaml.filter_map(|fence| Wrapper::from_yaml(&fence.code).ok());
    read.map(|file| file.wrapper).collect()
}

#[test]
fn the_readme_shows_the_wrapper_that_was_learned() {
    let [shown] = &wrappers(README)[..] else {
        panic!("one wrapper is shown");
    };
    let learned = read(Path::new("sites/harbour-gazette.example.yaml"));
    let mut learned = Wrapper::from_yaml(&learned).expect("a wrapper").wrapper;
    // What is shown counts as edited by hand.
    learned.forget_lengths();
    assert_eq!((&shown.site, &shown.feed), (&learned.site, &learned.feed));
    assert_eq!(shown.expect, learned.expect);
    let (shown, learned) = (&shown.templates[0], &learned.templates[0]);
    assert_eq!(
        (&shown.body, &shown.author),
        (&learned.body, &learned.author)
    );
    assert_eq!(shown.pages, learned.pages);
    let f1 = |template: &forest_core::wrapper::Template| template.evidence.as_ref()?.expected_f1;
    assert_eq!(f1(shown), f1(learned));
}

#[test]
fn the_guide_shows_what_a_wrapper_can_say() {
    let [learned, rules, labelled, of_json] = &wrappers(WRAPPER_GUIDE)[..] else {
        panic!("four wrappers of articles are shown");
    };
    assert_eq!(learned.templates[1].strip.len(), 1);
    assert!(rules.templates[0].body.is_empty());
    assert_eq!(labelled.labels.len(), 1);
    assert!(of_json.templates[0].json.is_some());
}

/// The keys that a reader of YAML names when it meets one that it does not know.
fn keys_of(error: &str) -> BTreeSet<&str> {
    let expected = error.split_once("expected").map_or("", |(_, keys)| keys);
    expected.split('`').skip(1).step_by(2).collect()
}

#[test]
fn the_guide_has_every_key() {
    let mut keys: BTreeSet<String> = ["format", "digest", "kind"].map(str::to_owned).into();
    let places = [
        "?: 1",
        "sample: [{?: 1}]",
        "templates: [{?: 1}]",
        "templates: [{date: [{?: 1}]}]",
        "templates: [{strip: [{?: 1}]}]",
        "templates: [{strip: [{xpath: //p, expect: {?: 1}}]}]",
        "templates: [{json: {?: 1}}]",
        "templates: [{evidence: {?: 1}}]",
        "templates: [{evidence: {runner_up: {?: 1}}}]",
        "templates: [{evidence: {strips: [{?: 1}]}}]",
        "templates: [{evidence: {fields: {title: {?: 1}}}}]",
        "expect: {?: 1}",
        "replace: [{?: 1}]",
        "tests: [{?: 1}]",
        "labels: [{?: 1}]",
        "history: [{?: 1}]",
    ];
    let of_lists = [
        "?: 1",
        "json: {?: 1}",
        "blocks: [{?: 1}]",
        "evidence: {?: 1}",
        "evidence: {runner_up: {?: 1}}",
    ];
    let lists = of_lists.map(|place| format!("kind: list\n{place}"));
    for place in places.map(str::to_owned).iter().chain(&lists) {
        let yaml = format!("format: 1\n{}\n", place.replace('?', "no_such_key"));
        let error = yaml_fault(&format!("{yaml}site: a.example\n")).expect(place);
        let found = keys_of(&error);
        assert!(found.len() >= 2, "{place}: {error}");
        keys.extend(found.into_iter().map(str::to_owned));
    }
    assert!(keys.len() > 60, "{keys:?}");
    let named = |key: &&String| !WRAPPER_GUIDE.contains(&format!("`{key}`"));
    let missing: Vec<&String> = keys.iter().filter(named).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
