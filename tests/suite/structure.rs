//! The structure of articles in all formats: tables, media, footnotes, listings. The pages and
//! their expected outputs are in `gold/structure`.

use assert_cmd::Command;
use std::path::PathBuf;

const PAGES: [&str; 4] = ["listings", "media", "notes", "tables"];

/// The file of each output and the arguments that give it.
const OUTPUTS: [(&str, &[&str]); 6] = [
    ("text.txt", &["--format", "text"]),
    (
        "structured.txt",
        &["--format", "text", "--text-style", "structured"],
    ),
    (
        "markdown.md",
        &["--format", "markdown", "--captions", "images"],
    ),
    ("clean.html", &["--format", "html", "--captions", "images"]),
    ("clean.xhtml", &["--format", "xhtml"]),
    ("tei.xml", &["--format", "tei"]),
];

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("gold/structure")
}

fn output(page: &str, arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_forest"));
    command.current_dir(folder());
    let page = format!("pages/{page}.html");
    command.args(["-q", "apply", &page, "--wrapper", "wrapper.yaml"]);
    let ran = command.args(arguments).assert().success();
    String::from_utf8(ran.get_output().stdout.clone()).expect("UTF-8")
}

#[test]
fn every_format_is_as_expected() {
    for page in PAGES {
        for (file, arguments) in OUTPUTS {
            let path = folder().join(page).join(file);
            let expected = std::fs::read_to_string(&path).expect("an expected output");
            let expected = expected.replace("VERSION", env!("CARGO_PKG_VERSION"));
            assert_eq!(output(page, arguments), expected, "{}", path.display());
        }
    }
}

#[test]
fn xml_is_well_formed_and_its_links_lead_somewhere() {
    for page in PAGES {
        for (file, arguments) in &OUTPUTS[4..] {
            let written = output(page, arguments);
            let options = roxmltree::ParsingOptions {
                allow_dtd: true,
                ..roxmltree::ParsingOptions::default()
            };
            let parsed = roxmltree::Document::parse_with_options(&written, options);
            let parsed = parsed.unwrap_or_else(|e| panic!("{page} {file}: {e}"));
            let attributes = || parsed.descendants().flat_map(|n| n.attributes());
            let ids: Vec<&str> = attributes()
                .filter(|a| a.name() == "id")
                .map(|a| a.value())
                .collect();
            for link in attributes().filter_map(|a| a.value().strip_prefix('#')) {
                assert!(ids.contains(&link), "{page} {file}: #{link}");
            }
        }
    }
}

#[test]
fn the_tei_has_a_header_and_a_body_of_its_elements() {
    let written = output("tables", &["--format", "tei", "--out", "-"]);
    let parsed = roxmltree::Document::parse(&written).expect("well-formed");
    let paths: Vec<String> = parsed
        .descendants()
        .filter(|n| n.is_element())
        .map(|n| {
            let names: Vec<&str> = n
                .ancestors()
                .filter(|n| n.is_element())
                .map(|n| n.tag_name().name())
                .collect();
            names.into_iter().rev().collect::<Vec<_>>().join("/")
        })
        .collect();
    let tei = "teiCorpus/TEI";
    for path in [
        "teiHeader/fileDesc/titleStmt/title",
        "teiHeader/fileDesc/titleStmt/author",
        "teiHeader/fileDesc/sourceDesc/bibl/date",
        "teiHeader/profileDesc/langUsage/language",
        "text/body/div/div/head",
        "text/body/div/div/p/del",
        "text/body/div/div/table/row/cell",
        "text/body/div/div/div/list/label",
    ] {
        let path = format!("{tei}/{path}");
        assert!(paths.contains(&path), "{path} is not among {paths:#?}");
    }
}

#[test]
fn frames_of_listed_hosts_stay_where_they_are_asked_for() {
    let hosts = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(hosts.path(), "# players\nplayer.example\n").expect("written");
    let list = hosts.path().to_str().expect("UTF-8");
    let html = output("media", &["--format", "html", "--embeds", list]);
    assert!(
        html.contains("<iframe src=\"https://player.example/embed/417\""),
        "{html}"
    );
    let html = output("media", &["--format", "html", "--embeds", "frames"]);
    assert!(!html.contains("<iframe"), "{html}");
}
