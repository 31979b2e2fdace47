mod hostile;
mod methods;

use super::*;
use super::{OnePageMethod, Preset};
use forest_core::baseline::blurring::Blurring;
use forest_core::baseline::lqf::Lqf;
use forest_core::baseline::sw::Sw;
use forest_core::baseline::ttr::Ttr;
use forest_html::text::Language;
use forest_html::text::fold;
use proptest::prelude::*;

/// A pipeline by the text of its file after `format: 1`.
fn pipeline(text: &str) -> Pipeline {
    let text = format!("format: 1\npipeline:\n{text}");
    Pipeline::parse("test", &text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// The text that a mask keeps, white space folded.
fn text(page: &Page, mask: &Mask) -> String {
    let text: String = mask.texts(page).map(|n| page.text(n)).collect();
    fold(&text)
}

const STORY: &str = "The cat that slept on the organ of the old church was fed by the priest \
    and it was happy there for all of nine days.";

fn page() -> Page {
    let menu = "<ul><li><a href=/>Home</a><li><a href=/news>News</a></ul>";
    Page::from_html(&format!(
        "<html lang=en>{menu}<h1>Cat sleeps</h1><p>{STORY}</p><p>Short.</p><p>{STORY}</p>{menu}<p>Imprint"
    ))
}

#[test]
fn nodes_are_read() {
    let leaf = |preset: Preset| PipelineNode::Leaf(preset.method());
    let check =
        |text: &str, expected: PipelineNode| assert_eq!(*pipeline(text).root, expected, "{text}");
    check("  lqf", leaf(Preset::Lqf));
    check("  lqf-old", leaf(Preset::LqfOld));
    check("  lqf:", leaf(Preset::Lqf));
    check("  tccb-new: {}", leaf(Preset::Tccb));
    let lqf = OnePageMethod::Lqf(Lqf::default().with_threshold(1.0));
    check("  lqf: {threshold: 1}", PipelineNode::Leaf(lqf));
    let [a, b] = [leaf(Preset::Bte), leaf(Preset::Ttr)];
    check(
        "  serial: [bte, ttr]",
        PipelineNode::Serial(vec![a.clone(), b.clone()]),
    );
    check("  union: [bte]", PipelineNode::Union(vec![a.clone()]));
    check(
        "  vote: {of: [bte, ttr], at_least: 2}",
        PipelineNode::Vote(2, vec![a.clone(), b.clone()]),
    );
    check(
        "  vote: {at_least: 1, of: [bte, ttr]}",
        PipelineNode::Vote(1, vec![a.clone(), b]),
    );
    check(
        "  intersection:\n    - union: [bte]\n    - bte",
        PipelineNode::Intersection(vec![PipelineNode::Union(vec![a.clone()]), a.clone()]),
    );
    // An alias is what it stands for.
    check(
        "  union: [&a bte, *a]",
        PipelineNode::Union(vec![a.clone(), a]),
    );
}

#[test]
fn each_parameter_sets_something_of_its_own() {
    for preset in Preset::ALL {
        let of = preset.method();
        let mut changed: Vec<PipelineNode> = vec![PipelineNode::Leaf(of.clone())];
        for parameter in of.parameters() {
            let now = of.value(&parameter.name);
            let other = [0, parameter.steps() - 1].map(|place| parameter.value_at(place));
            let value = other.into_iter().find(|v| *v != now).expect("two values");
            let value = parameter.json(value);
            let read = pipeline(&format!("  {preset}: {{{}: {value}}}", parameter.name)).root;
            assert!(!changed.contains(&read), "{preset}: {}", parameter.name);
            changed.push((*read).clone());
        }
    }
    let sw = Sw::default().with_threshold(Language::Unknown, 1.0);
    let read = pipeline("  sw: {other: 1}");
    assert_eq!(*read.root, PipelineNode::Leaf(OnePageMethod::Sw(sw)));
    let ttr = Ttr::default().with_radius(9).with_deviations(0.5);
    let read = pipeline("  ttr: {deviations: 0.5, radius: 9}");
    assert_eq!(*read.root, PipelineNode::Leaf(OnePageMethod::Ttr(ttr)));
    let tccb = Blurring::tccb_earlier().with_radius(3).with_threshold(0.5);
    let read = pipeline("  tccb-old: {radius: 3, threshold: 0.5}");
    assert_eq!(
        *read.root,
        PipelineNode::Leaf(OnePageMethod::Blurring(tccb))
    );
}

#[test]
fn a_pipeline_is_read_back_from_its_file() {
    let check = |pipeline: &Pipeline| {
        let text = pipeline.to_yaml();
        let read = Pipeline::parse(pipeline.name(), &text);
        assert_eq!(&read.expect("a pipeline"), pipeline, "{text}");
    };
    for (name, _) in Pipeline::SHIPPED {
        check(&Pipeline::shipped(name).expect(name));
    }
    for preset in Preset::ALL {
        check(&pipeline(&format!("  {preset}")));
    }
    check(&pipeline(
        "  crunch: {forms: true, link_ratio: 0.5, substance: [p]}",
    ));
    check(&pipeline(
        "  union: [accb: {links: text-only}, lqf: {discards: all-text}]",
    ));
    let written = pipeline("  tccb: {radius: 25}").to_yaml();
    assert_eq!(written, "format: 1\npipeline: tccb-old\n");
}

/// A file is refused with this line, and a message that has these parts.
#[track_caller]
fn refused(text: &str, line: usize, parts: &[&str]) {
    let error = Pipeline::parse("test", text).expect_err(text).to_string();
    let place = format!("not a pipeline: line {line}: ");
    assert!(error.starts_with(&place), "{error}\n{text}");
    for part in parts {
        assert!(error.contains(part), "{error}: {part}\n{text}");
    }
}

#[test]
fn what_is_no_file_of_a_pipeline() {
    refused("", 1, &["missing field `format`"]);
    refused("# a comment\n", 2, &["missing field `format`"]);
    refused("lqf", 1, &["format: 1"]);
    refused("- lqf", 1, &["sequence", "format: 1"]);
    refused("{}", 1, &["missing field `format`"]);
    refused("format: 1\n", 1, &["missing field `pipeline`"]);
    refused(
        "format: 2\npipes: lqf\n",
        1,
        &["format", "format 2 is not known", "knows 1"],
    );
    refused(
        "format: one\npipeline: lqf\n",
        1,
        &["format", "\"one\"", "u64"],
    );
    refused(
        "format: 1\npipelines: lqf\n",
        2,
        &["`pipelines`", "`format` or `pipeline`"],
    );
    refused(
        "format: 1\nformat: 1\npipeline: lqf\n",
        1,
        &["duplicate field `format`"],
    );
    refused(
        "format: 1\npipeline: lqf\npipeline: bte\n",
        1,
        &["duplicate field `pipeline`"],
    );
    refused("format: 1\n1: lqf\n", 2, &["`1`", "`format` or `pipeline`"]);
    for second in ["format: 1\n", ""] {
        let text = format!("format: 1\npipeline: lqf\n---\n{second}");
        let error = Pipeline::parse("test", &text).expect_err("two documents");
        assert!(
            error.to_string().contains("more than one document"),
            "{error}"
        );
    }
    pipeline("  lqf\n...");
    // A map has no order.
    assert!(Pipeline::parse("test", "pipeline: lqf\nformat: 1\n").is_ok());
}

#[test]
fn broken_yaml() {
    refused(
        "format: 1\npipeline:\n  union: [lqf\n",
        4,
        &["expected ',' or ']'"],
    );
    refused(
        "format: 1\npipeline:\n\tlqf\n",
        3,
        &["cannot start any token"],
    );
    refused("format: 1\npipeline: *a\n", 2, &["unknown anchor"]);
    refused("format: 1\npipeline: \"lqf\n", 3, &["unexpected end"]);
}

/// The pipeline begins on line 2; its first node stands on line 3.
#[track_caller]
fn wrong(text: &str, line: usize, parts: &[&str]) {
    refused(&format!("format: 1\npipeline:\n{text}\n"), line, parts);
}

#[test]
fn nodes_that_there_are_not() {
    wrong(
        "  magic",
        3,
        &["pipeline: unknown node `magic`", "lqf-old", "vote"],
    );
    wrong(
        "  union:\n    - lqf\n    - magic",
        5,
        &["pipeline.union[1]", "`magic`"],
    );
    wrong(
        "  serial:\n    - magic: {a: 1}",
        4,
        &["pipeline.serial[0]", "`magic`"],
    );
    wrong("  3", 3, &["pipeline", "integer `3`", "a node"]);
    wrong("  ~", 3, &["pipeline", "a node"]);
    wrong("  true: {}", 3, &["pipeline", "unknown node `true`"]);
    wrong("  [lqf, bte]", 3, &["pipeline", "sequence", "a node"]);
    wrong("  {}", 3, &["pipeline", "without a name"]);
    wrong("  !lqf {}", 3, &["pipeline", "a node"]);
    wrong("  <<: {lqf: {}}", 3, &["pipeline", "`<<`"]);
}

#[test]
fn combinations_without_what_they_need() {
    wrong(
        "  union",
        3,
        &["pipeline: `union` needs a list", "union: [lqf, bte]"],
    );
    wrong("  vote", 3, &["pipeline: `vote` needs", "at_least"]);
    wrong(
        "  union: lqf",
        3,
        &["pipeline.union", "\"lqf\"", "a list of nodes"],
    );
    wrong("  serial:", 3, &["pipeline.serial", "a list of nodes"]);
    wrong(
        "  intersection:\n    lqf: {}",
        4,
        &["pipeline.intersection", "a list of nodes"],
    );
    wrong("  union: []", 3, &["pipeline.union", "an empty list"]);
    wrong(
        "  vote: {at_least: 1, of: []}",
        3,
        &["pipeline.vote.of", "an empty list"],
    );
    wrong(
        "  vote: [lqf]",
        3,
        &["pipeline.vote", "`at_least: ...` and `of: [...]`"],
    );
    wrong(
        "  vote: {of: [lqf]}",
        3,
        &["pipeline.vote", "missing field `at_least`"],
    );
    wrong(
        "  vote:\n    at_least: 1",
        4,
        &["pipeline.vote", "missing field `of`"],
    );
    wrong(
        "  vote:\n    at_least: 1\n    from: [lqf]",
        5,
        &["pipeline.vote", "`from`", "`at_least` or `of`"],
    );
    wrong(
        "  vote:\n    at_least: 1\n    at_least: 1",
        4,
        &["duplicate field `at_least`"],
    );
    wrong(
        "  vote:\n    of: [lqf]\n    of: [lqf]",
        4,
        &["duplicate field `of`"],
    );
}

#[test]
fn votes_that_cannot_be() {
    wrong(
        "  vote:\n    of: [lqf]\n    at_least: 0",
        5,
        &[
            "pipeline.vote.at_least",
            "0 is not a whole number from 1 to 64",
        ],
    );
    let too_many = "`at_least` is 3, and `of` has 2 nodes";
    wrong(
        "  vote:\n    of: [lqf, bte]\n    at_least: 3",
        5,
        &["pipeline.vote.at_least", too_many],
    );
    wrong(
        "  vote:\n    at_least: 3\n    of: [lqf, bte]",
        4,
        &["pipeline.vote.at_least", too_many],
    );
    wrong(
        "  vote:\n    at_least: 99999999999999999999\n    of: [lqf]",
        4,
        &["pipeline.vote.at_least"],
    );
    wrong(
        "  vote:\n    at_least: -1\n    of: [lqf]",
        4,
        &["pipeline.vote.at_least", "-1 is not"],
    );
    wrong(
        "  vote:\n    at_least: 1.5\n    of: [lqf]",
        4,
        &["pipeline.vote.at_least", "1.5 is not"],
    );
    wrong(
        "  vote:\n    at_least: two\n    of: [lqf]",
        4,
        &["pipeline.vote.at_least", "\"two\""],
    );
}

#[test]
fn a_node_has_one_name() {
    wrong(
        "  lqf: {}\n  bte: {}",
        3,
        &["pipeline", "`bte` is a second key"],
    );
    wrong(
        "  union:\n  - lqf:\n    threshold: 0.2",
        4,
        &["pipeline.union[0]", "`threshold`", "further in"],
    );
    wrong("  lqf: {}\n  1: {}", 3, &["pipeline", "`1`", "second key"]);
}

#[test]
fn parameters_that_are_wrong() {
    wrong(
        "  lqf:\n    treshold: 0.2",
        4,
        &["pipeline.lqf", "`treshold`", "expected `threshold`"],
    );
    wrong(
        "  bte: {threshold: 0.2}",
        3,
        &["pipeline.bte", "`threshold`"],
    );
    wrong(
        "  lqf: 0.2",
        3,
        &["pipeline.lqf", "`0.2`", "parameters (threshold, discards)"],
    );
    wrong("  lqf: [0.2]", 3, &["pipeline.lqf", "sequence"]);
    wrong(
        "  accb:\n    radius: 9\n    radius: 8",
        4,
        &["pipeline.accb", "duplicate field `radius`"],
    );
    wrong(
        "  lqf: {threshold: high}",
        3,
        &["pipeline.lqf.threshold", "\"high\"", "a number from 0 to 1"],
    );
    wrong(
        "  lqf: {threshold: '0.5'}",
        3,
        &["pipeline.lqf.threshold", "\"0.5\"", "a number"],
    );
    wrong(
        "  lqf: {threshold: }",
        3,
        &["pipeline.lqf.threshold", "a number from 0 to 1"],
    );
    for value in [
        "1.01",
        "-0.1",
        "2",
        "-1",
        ".nan",
        ".inf",
        "1e400",
        "99999999999999999999",
    ] {
        wrong(
            &format!("  lqf:\n    threshold: {value}"),
            4,
            &["pipeline.lqf.threshold", "a number from 0 to 1"],
        );
    }
    for value in [
        "0",
        "-1",
        "256",
        "1.5",
        "1e9",
        ".inf",
        "18446744073709551615",
    ] {
        for of in ["ccb", "accb", "tccb-old", "ttr"] {
            let key = format!("pipeline.{of}.radius");
            wrong(
                &format!("  {of}:\n    radius: {value}"),
                4,
                &[&key, "a whole number from 1 to 255"],
            );
        }
    }
    wrong(
        "  ttr: {deviations: 101}",
        3,
        &["pipeline.ttr.deviations", "from 0 to 100"],
    );
    wrong(
        "  sw: {english: 31}",
        3,
        &["pipeline.sw.english", "31 is not a number from 0 to 1"],
    );
    wrong(
        "  sw: {dutch: 0.3}",
        3,
        &["pipeline.sw", "`english`, `german`, `italian`, `other`"],
    );
}

#[test]
fn the_tree_is_bounded() {
    let nested =
        |levels: usize| format!("  {}lqf{}", "union: [".repeat(levels), "]".repeat(levels));
    let flow = |levels: usize| {
        nested(levels)
            .replace("union: [", "{union: [")
            .replace(']', "]}")
    };
    pipeline(&flow(MAX_DEPTH - 1));
    for levels in [MAX_DEPTH, MAX_DEPTH + 1, 30] {
        wrong(
            &flow(levels),
            3,
            &["pipeline.union", "deeper than 8 levels"],
        );
    }
    for levels in [100, 127, 500] {
        wrong(&flow(levels), 3, &["deeper than 64 levels"]);
    }
    let list = |nodes: usize| format!("  union: [{}]", vec!["bte"; nodes].join(", "));
    pipeline(&list(MAX_NODES - 1));
    for nodes in [MAX_NODES, 3000] {
        wrong(&list(nodes), 3, &["pipeline.union", "more than 64 nodes"]);
    }
    let comment = "#".repeat(MAX_BYTES);
    let error = Pipeline::parse("test", &format!("format: 1\npipeline: lqf\n{comment}"));
    let error = error.expect_err("too long").to_string();
    assert!(error.contains("more than 16000"), "{error}");
}

#[test]
fn aliases_cannot_make_a_file_larger_than_it_is() {
    // Each level is ten times the one before: ten to the ninth nodes.
    let mut text = "  union:\n    - union: &a0 [bte]\n".to_owned();
    for level in 1..9 {
        let of = vec![format!("union: *a{}", level - 1); 10].join("}, {");
        text.push_str(&format!("    - union: &a{level} [{{{of}}}]\n"));
    }
    wrong(&text, 6, &["pipeline.union[2].union", "more than 64 nodes"]);
    // One that holds itself.
    let text = "format: 1\npipeline:\n  union: &a\n    - union: *a\n";
    let error = Pipeline::parse("test", text).expect_err("endless");
    let error = error.to_string();
    assert!(error.contains("deeper than 64 levels"), "{error}");
}

#[test]
fn parallel_nodes_are_sets_of_texts() {
    let page = page();
    let of = |preset: Preset| preset.method().article(&page);
    let (lqf, bte, sw) = (of(Preset::Lqf), of(Preset::Bte), of(Preset::Sw));
    let texts: Vec<NodeId> = page.nodes().filter(|&n| is_text(&page, n)).collect();
    let votes = |n: NodeId| {
        [&lqf, &bte, &sw]
            .iter()
            .filter(|mask| mask.contains(n))
            .count()
    };
    let kinds: Vec<usize> = texts.iter().map(|&n| votes(n)).collect();
    for wanted in 0..=3 {
        assert!(
            kinds.contains(&wanted),
            "the page shows all cases: {kinds:?}"
        );
    }
    let check = |node: &str, at_least: usize| {
        let kept = pipeline(node).article(&page);
        for &n in &texts {
            assert_eq!(
                kept.contains(n),
                votes(n) >= at_least,
                "{node}: {}",
                page.text(n)
            );
        }
    };
    check("  union: [lqf, bte, sw]", 1);
    check("  intersection: [lqf, bte, sw]", 3);
    for at_least in 1..=3 {
        check(
            &format!("  vote: {{at_least: {at_least}, of: [lqf, bte, sw]}}"),
            at_least,
        );
    }
}

#[test]
fn an_extractor_alone_is_what_it_is() {
    let page = page();
    for preset in Preset::ALL {
        let alone = preset.method().article(&page);
        assert_eq!(pipeline(&format!("  {preset}")).article(&page), alone);
        for node in ["serial", "union", "intersection"] {
            let kept = pipeline(&format!("  {node}: [{preset}]")).article(&page);
            assert_eq!(text(&page, &kept), text(&page, &alone), "{node}: {preset}");
        }
    }
}

fn check_serial(html: &str, node: &str, expected: &str) {
    let page = Page::from_html(html);
    let kept = pipeline(node).article(&page);
    assert_eq!(text(&page, &kept), expected, "{node}");
}

#[test]
fn each_of_a_series_sees_what_is_left() {
    // Alone, BTE takes the first stretch: the six tags of the menu are more than the
    // four words behind it are worth. Without the menu only two are between.
    let html = "<p>a b c d e</p><ul><li><a href=/>x</a></li></ul><p>f g h i</p>";
    check_serial(html, "  bte", "a b c d e");
    check_serial(html, "  serial: [lqf, bte]", "a b c d ef g h i");
    check_serial(html, "  intersection: [lqf, bte]", "a b c d e");
    // A third sees what two have left.
    check_serial(
        html,
        "  serial: [lqf, bte, {lqf: {threshold: 1}}]",
        "a b c d ef g h i",
    );
    check_serial(
        html,
        "  serial: [lqf, {serial: [lqf, bte]}]",
        "a b c d ef g h i",
    );
    // Branches see what is left, too.
    check_serial(html, "  serial: [lqf, {union: [bte]}]", "a b c d ef g h i");
    // Pictures go with the text around them, others stay: here as tags between.
    let html = "<p>a b c</p><div><a href=/>x</a><img><img><img></div><p>d e f</p>";
    check_serial(html, "  serial: [lqf, bte]", "a b cd e f");
    let html = "<p>a b c</p><div><img><img><img></div><p>d e f</p>";
    check_serial(html, "  serial: [lqf, bte]", "a b c");
}

#[test]
fn boilerpipe_reads_what_is_left() {
    // The link parts the block for boilerpipe; once it is gone, the halves are one
    // block of enough words.
    let half = "one two three four five six seven eight nine ";
    let html = format!("<p>{half}<s><a href=/>x</a></s>{half}</p>");
    let page = Page::from_html(&html);
    let alone = pipeline("  boilerpipe").article(&page);
    assert_eq!(text(&page, &alone), "");
    let mut view_of = Mask::all(&page);
    let link = page
        .elements()
        .find(|&n| page.attr(n, "href").is_some())
        .expect("a link");
    view_of.drop_subtree(&page, link);
    let left = Preset::Boilerpipe
        .method()
        .within(&View::left(&page, &view_of));
    assert_eq!(text(&page, &left), fold(&format!("{half}{half}")));
}

#[test]
fn white_space_between_kept_texts_is_kept() {
    let html = format!("<p><b>{STORY}</b> <i>{STORY}</i></p>");
    let expected = format!("{STORY} {STORY}");
    check_serial(&html, "  union: [bte, boilerpipe]", &expected);
    check_serial(
        &html,
        "  vote: {at_least: 2, of: [bte, boilerpipe, accb]}",
        &expected,
    );
    check_serial(&html, "  serial: [lqf, bte]", &expected);
}

#[test]
fn pipelines_that_come_with_it() {
    let mut files: Vec<String> =
        std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/pipelines"))
            .expect("the folder")
            .map(|entry| {
                entry
                    .expect("an entry")
                    .file_name()
                    .into_string()
                    .expect("a name")
            })
            .collect();
    files.sort();
    let names = Pipeline::SHIPPED.map(|(name, _)| format!("{name}.yaml"));
    assert_eq!(files, names, "all of them, in order");
    let menu = "<li><a href=/news/today>News</a></li>".repeat(9);
    let html = format!("<ul>{menu}</ul><p>{STORY}</p><p>{STORY}</p><ul>{menu}</ul>");
    let page = Page::from_html(&html);
    for (name, text) in Pipeline::SHIPPED {
        let pipeline = Pipeline::shipped(name).expect(name);
        assert_eq!(pipeline.to_string(), format!("pipeline:{name}"));
        assert_eq!(Pipeline::name_in(&pipeline.to_string()), Some(name));
        assert!(text.starts_with("# "), "{name} says what it is for");
        assert!(
            !matches!(*pipeline.root, PipelineNode::Leaf(_)),
            "{name} combines something"
        );
        let kept = self::text(&page, &pipeline.article(&page));
        assert_eq!(kept.matches(STORY).count(), 2, "{name}: {kept}");
        // Boilerpipe keeps the block before the article, whatever it is.
        assert!(kept.matches("News").count() <= 1, "{name}: {kept}");
    }
}

#[test]
fn the_text_of_an_error_has_no_second_place() {
    let error = Pipeline::parse("x", "format: 1\npipeline: magic\n").expect_err("magic");
    assert!(!error.to_string().contains(" at line"), "{error}");
    assert_eq!(error.class(), forest_html::error::ErrorClass::Input);
}

proptest! {
    #[test]
    fn any_text_is_a_pipeline_or_an_error(
        text in "(format: 1\npipeline:\n)?((  ){0,4}(- |)(lqf|bte|ttr|union|vote|serial|of|at_least|radius|&a|\\*a|\\[|\\]|\\{|\\}|<<|!x|[0-9.-]{1,3}|~)(:|,|) ?\n?){0,20}"
    ) {
        if let Ok(pipeline) = Pipeline::parse("any", &text) {
            let page = page();
            let kept = pipeline.article(&page);
            prop_assert!(kept.nodes().all(|n| page.kind(n) == forest_html::page::Kind::Text));
        }
    }
}
