//! The wrapper file in the README parses, and the files that it names exist.

use std::path::Path;

use forest_core::wrapper::Wrapper;

const README: &str = include_str!("../../README.md");

/// The code blocks of a language.
fn blocks(language: &str) -> Vec<&'static str> {
    let fence = format!("```{language}\n");
    let after = README.split(&*fence).skip(1);
    after.filter_map(|rest| rest.split("```").next()).collect()
}

#[test]
fn the_wrapper_files_are_some() {
    let [yaml, rules, labelled, of_json] = blocks("yaml")[..] else {
        panic!("four wrapper files are shown");
    };
    let of_json = Wrapper::from_yaml(of_json).expect("a wrapper").wrapper;
    assert!(of_json.templates[0].json.is_some());
    let labelled = Wrapper::from_yaml(labelled).expect("a wrapper").wrapper;
    assert_eq!(labelled.labels.len(), 1);
    let rules = Wrapper::from_yaml(rules).expect("a wrapper").wrapper;
    assert!(rules.templates[0].body.is_empty());
    let read = Wrapper::from_yaml(yaml).expect("a wrapper");
    assert!(read.edited, "its digest is shortened");
    assert_eq!(read.wrapper.templates[1].strip.len(), 1);
}

#[test]
fn what_it_names_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let links = README.split("](").skip(1);
    let links = links.filter_map(|rest| rest.split(')').next());
    let links = links.filter(|link| !link.contains("://"));
    let shell = blocks("sh").join("\n");
    let words = shell.split_whitespace();
    let gold = words.filter(|word| word.starts_with("gold/"));
    let named: Vec<&str> = links.chain(gold).collect();
    assert!(named.len() >= 4, "{named:?}");
    for path in named {
        assert!(root.join(path).exists(), "{path}");
    }
}
