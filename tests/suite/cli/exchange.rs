//! `forest site import` and `forest site export`.

use super::site::page;
use super::{User, statuses};

const RULES: &str = "# Ours\r\ntitle: //h1\r\nbody: //div[@class='story']\r\nstrip: //h1\r\n\
    test_url: https://small.example/1\r\ntest_contains: Story 1 is about\r\n";

#[test]
fn a_rule_file_becomes_a_wrapper_that_extracts() {
    let user = User::new();
    user.put("small.example.txt", RULES);
    user.run(&["site", "import", "small.example.txt"])
        .ends(0, &["imported to", "small.example.yaml"]);
    let yaml = user.read("sites/small.example.yaml");
    assert!(yaml.contains("//div[@class='story']") && yaml.contains("Story 1 is about"));
    user.put("pages/small.example/1.html", page(1));
    let applied = user.run(&["apply", "pages"]);
    applied.ends(0, &[]);
    let records = applied.records();
    assert_eq!(statuses(&records), ["ok"]);
    let text = records[0]["text"].as_str().expect("text");
    assert!(text.starts_with("Story 1 is about"), "{text}");
    user.run(&["site", "import", "small.example.txt"])
        .ends(0, &["the same as before"]);
    user.put("small.example.txt", RULES.replace("//h1", "//h2"));
    user.run(&["site", "import", "small.example.txt"])
        .ends(2, &["is there already", "--force"]);
    user.run(&["site", "import", "small.example.txt", "--force"])
        .ends(0, &["imported"]);
    assert!(user.read("sites/small.example.yaml").contains("//h2"));
}

#[test]
fn what_cannot_be_used_is_named_and_the_rest_imported() {
    let user = User::new();
    user.put("a.example.txt", "body: //p\nbody: //p[\nodd: x\n");
    user.run(&["site", "import", "a.example.txt"]).ends(
        3,
        &["a.example.txt: line 2, column 11", "//p[", "line 3: `odd`"],
    );
    assert!(user.read("sites/a.example.yaml").contains("- //p"));
    user.put("b.example.txt", "title: //h1\n");
    user.run(&["site", "import", "b.example.txt"])
        .ends(1, &["no `body`"]);
    user.put("c.example.txt", "<html>");
    user.run(&["site", "import", "c.example.txt"])
        .ends(2, &["c.example.txt", "not an ftr-site-config file"]);
    user.run(&["site", "import", "none.txt"])
        .ends(2, &["none.txt"]);
    user.put("no host.txt", "body: //p\n");
    user.run(&["site", "import", "no host.txt"])
        .ends(2, &["--site"]);
    user.run(&["site", "import", "no host.txt", "--site", "d.example"])
        .ends(0, &[]);
    let two = ["site", "import", "a.txt", "b.txt", "--site", "d.example"];
    user.run(&two).ends(2, &["one file"]);
    assert_eq!(
        user.names("sites"),
        ["a.example.yaml", "b.example.yaml", "d.example.yaml"]
    );
}

#[test]
fn a_wildcard_file_is_for_all_hosts_below() {
    let user = User::new();
    user.put(".small.example.txt", RULES);
    user.run(&["site", "import", ".small.example.txt"])
        .ends(0, &[]);
    let line = serde_json::json!({"url": "https://news.small.example/1", "html": page(1)});
    let applied = user.run_with(&["apply", "-"], line.to_string());
    assert_eq!(statuses(&applied.records()), ["ok"]);
    user.run(&["site", "export", "--to", "ftr", "sites", "--out", "rules/"])
        .ends(0, &[]);
    assert_eq!(user.names("rules"), [".small.example.txt"]);
}

#[test]
fn replacements_act_before_the_page_is_read() {
    let user = User::new();
    let rules = "body: //div[@class='story']\nfind_string: <p>\nreplace_string: <p>Look: \n";
    user.put("small.example.txt", rules);
    user.run(&["site", "import", "small.example.txt"])
        .ends(0, &[]);
    user.put("pages/small.example/1.html", page(1));
    let records = user.run(&["apply", "pages"]).records();
    let text = records[0]["text"].as_str().expect("text");
    assert!(text.contains("\nLook:Story 1 is about"), "{text}");
}

/// A wrapper that is learned from pages with addresses.
fn learned() -> User {
    let user = User::new();
    let lines: Vec<String> = (1..=5)
        .map(|n| {
            let url = format!("https://small.example/{n}");
            serde_json::json!({"url": url, "html": page(n)}).to_string()
        })
        .collect();
    user.put("pages.jsonl", lines.join("\n"));
    user.run(&["learn", "pages.jsonl"]).ends(0, &[]);
    user
}

#[test]
fn a_learned_wrapper_names_its_tests_and_is_read_back_the_same() {
    let user = learned();
    let wrapper = "sites/small.example.yaml";
    let out = user.run(&["site", "export", "--to", "ftr", wrapper]);
    out.ends(0, &[]);
    assert_eq!(out.err.lines().count(), 1, "{}", out.err);
    assert!(out.err.contains("applied to every page"), "{}", out.err);
    assert!(
        out.out
            .matches("\ntest_url: https://small.example/")
            .count()
            >= 2
    );
    assert!(out.out.contains("\ntest_contains: Story "), "{}", out.out);
    user.put("small.example.txt", &out.out);
    user.run(&["site", "import", "small.example.txt", "--sites", "again"])
        .ends(0, &[]);
    let texts = |sites| {
        let applied = user.run(&["apply", "pages.jsonl", "--sites", sites]);
        let records = applied.ends(0, &[]).records();
        let texts: Vec<_> = records.iter().map(|r| r["text"].clone()).collect();
        assert_eq!(texts.len(), 5);
        texts
    };
    assert_eq!(texts("again"), texts("sites"));
}

#[test]
fn a_wrapper_without_pages_is_reported_and_takes_some() {
    let user = learned();
    let yaml = "format: 1\nsite: small.example\ntemplates:\n- body: [\"//div[@class='story']\"]\n";
    user.put("w.yaml", yaml);
    user.run(&["site", "export", "--to", "ftr", "w.yaml"])
        .ends(0, &["test_url", "test_contains", "--pages"]);
    let with = [
        "site",
        "export",
        "--to",
        "ftr",
        "w.yaml",
        "--pages",
        "pages.jsonl",
    ];
    let out = user.run(&with);
    out.ends(0, &[]);
    assert!(out.err.is_empty() && out.out.contains("\ntest_contains: "));
}

#[test]
fn selectors_for_readers() {
    let user = User::new();
    let yaml = "format: 1\nsite: small.example\nfeed: https://small.example/feed\ntemplates:\n\
        - body: ['//div[@id=\"a\"]']\n  strip: [//nav, //aside]\n";
    user.put("w.yaml", yaml);
    let export = |to| user.run(&["site", "export", "--to", to, "w.yaml"]);
    let css = &export("css").ends(0, &[]).records()[0];
    assert_eq!(css["templates"][0]["body"][0], "div#a");
    let miniflux = &export("miniflux").ends(0, &[]).records()[0];
    assert_eq!(miniflux["scraper_rules"], "div#a");
    assert_eq!(miniflux["rewrite_rules"], "remove(\"nav, aside\")");
    let freshrss = export("freshrss");
    assert!(freshrss.out.contains("frss:cssFullContent=\"div#a\""));
    user.put("x.yaml", yaml.replace("//nav", "//nav/.."));
    for to in ["css", "miniflux", "freshrss"] {
        let refused = user.run(&["site", "export", "--to", to, "x.yaml", "--out", "f"]);
        refused.ends(2, &["small.example", "//nav/..", "upwards"]);
    }
    assert_eq!(user.names("."), ["w.yaml", "x.yaml"]);
    let two = ["site", "export", "--to", "css", "w.yaml", "w.yaml"];
    assert_eq!(user.run(&two).ends(0, &[]).records().len(), 2);
    user.run(&["site", "export", "--to", "ftr", "w.yaml", "w.yaml"])
        .ends(2, &["--out"]);
    user.run(&["site", "export", "--to", "ftr", "none.yaml"])
        .ends(2, &["none.yaml"]);
    user.run(&["site", "export", "--to", "xml", "w.yaml"])
        .ends(2, &["freshrss"]);
}

/// A wrapper that CSS can express only in part.
const UNSAYABLE: &str = "format: 1\nsite: small.example\nfeed: https://small.example/feed\ntemplates:\n\
    - body: [\"//div[@class='story']\"]\n  strip: [//h1, \"//p[normalize-space()='x']\"]\n  title: [//h1]\n";

#[test]
fn what_a_format_cannot_express_is_left_out_on_request() {
    let user = User::new();
    user.put("w.yaml", UNSAYABLE);
    let export =
        |to, more: &[&str]| user.run(&[&["site", "export", "--to", to, "w.yaml"], more].concat());
    for to in ["css", "miniflux", "freshrss"] {
        export(to, &[]).ends(2, &["//p[normalize-space()='x']", "--lossy"]);
        let out = export(to, &["--lossy"]);
        out.ends(
            0,
            &[
                "w.yaml: left out: ",
                "strip //p[normalize-space()='x']: it compares",
            ],
        );
        assert!(out.out.contains("h1"), "{}", out.out);
    }
    user.put(
        "w.yaml",
        UNSAYABLE.replace("//div[@class='story']", "//p/.."),
    );
    let out = export("css", &["--lossy"]);
    out.ends(2, &["none of it can be expressed", "--to ftr"]);
    assert!(out.out.is_empty());
}

#[test]
fn a_parser_for_fundus_is_a_module_a_site() {
    let user = User::new();
    user.put("sites/w.yaml", UNSAYABLE);
    user.put("sites/x.yaml", UNSAYABLE.replace("small", "1.other"));
    let all = ["site", "export", "--to", "fundus", "sites"];
    user.run(&all)
        .ends(2, &["--to fundus writes a file a wrapper", "--out"]);
    user.run(&[&all[..], &["--out", "parsers/"]].concat())
        .ends(0, &[]);
    assert_eq!(
        user.names("parsers"),
        ["site_1_other_example.py", "small_example.py"]
    );
    let module = user.read("parsers/small_example.py");
    for part in [
        "class SmallExampleParser(ParserProxy):",
        "        \"strip\": [\"//h1\", \"//p[normalize-space()='x']\"],",
        "FEED: Optional[str] = \"https://small.example/feed\"",
    ] {
        assert!(module.contains(part), "{part}: {module}");
    }
}

#[test]
fn a_schema_of_crawl4ai_is_exported_and_checked() {
    let user = User::new();
    user.put("w.yaml", UNSAYABLE);
    let pages = (1..=3).map(|n| {
        serde_json::json!({"url": format!("https://small.example/{n}"), "html": page(n)})
            .to_string()
    });
    user.put("pages.jsonl", pages.collect::<Vec<_>>().join("\n"));
    let out = user.run(&[
        "site",
        "export",
        "--to",
        "crawl4ai",
        "w.yaml",
        "--out",
        "schema.json",
    ]);
    out.ends(0, &["stripped from within a paragraph"]);
    let checked = user.run(&["site", "check", "schema.json", "pages.jsonl", "--json"]);
    assert_eq!(checked.ends(0, &[]).records()[0]["verdict"], "ok");
    user.run(&["site", "import", "schema.json"])
        .ends(0, &["small.example.yaml"]);
    let text = |sites: &str| {
        let applied = user.run(&["apply", "pages.jsonl", "--sites", sites]);
        applied.ends(0, &[]).records()[0]["text"].clone()
    };
    user.put("own/small.example.yaml", UNSAYABLE);
    assert_eq!(text("sites"), text("own"));
    // A schema in CSS written by hand; it need not name its site.
    let schema = r#"{"name": "Stories", "baseSelector": "div.story", "fields": [
        {"name": "headline", "selector": "h1", "type": "text"},
        {"name": "content", "selector": "p", "type": "html"},
        {"name": "price", "selector": "b", "type": "text"}]}"#;
    user.put("css.json", schema);
    user.run(&["site", "check", "css.json", "pages.jsonl"])
        .ends(0, &["field `price`: left out"]);
    user.run(&["site", "import", "css.json"])
        .ends(2, &["--site"]);
    user.run(&["site", "import", "css.json", "--site", "b.example"])
        .ends(3, &["`price`", "imported"]);
    let drifted = schema.replace("div.story", "div.gone");
    user.put("css.json", drifted);
    user.run(&["site", "check", "css.json", "pages.jsonl"])
        .ends(1, &[]);
    user.put("bad.json", "[1");
    user.run(&["site", "check", "bad.json", "pages.jsonl"])
        .ends(2, &["bad.json", "not a schema of crawl4ai"]);
}
