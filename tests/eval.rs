//! `forest eval` as it is run: tables, dumps, the gate, reports, exit codes.

use assert_cmd::Command;
use std::fs;
use std::path::Path;

fn forest(dir: &Path, args: &str) -> assert_cmd::assert::Assert {
    let mut command = Command::cargo_bin("forest").expect("the program is built");
    command.current_dir(dir).args(args.split(' ')).assert()
}

fn stdout(assert: &assert_cmd::assert::Assert) -> String {
    String::from_utf8(assert.get_output().stdout.clone()).expect("UTF-8")
}

fn stderr(assert: &assert_cmd::assert::Assert) -> String {
    String::from_utf8(assert.get_output().stderr.clone()).expect("UTF-8")
}

/// A collection `small` of two sites with four pages each, in a new folder.
fn small() -> tempfile::TempDir {
    const WORDS: [&str; 40] = [
        "harbour", "storm", "window", "ledger", "copper", "garden", "bridge", "winter", "market",
        "orchard", "signal", "valley", "carpet", "engine", "museum", "lantern", "pepper", "quarry",
        "ribbon", "saddle", "timber", "violin", "walnut", "yellow", "zephyr", "anchor", "basket",
        "candle", "dagger", "ember", "falcon", "gravel", "hammer", "island", "jacket", "kettle",
        "ladder", "marble", "needle", "oyster",
    ];
    let root = tempfile::tempdir().expect("a folder");
    for (s, site) in ["one.example", "two.example"].iter().enumerate() {
        let dir = root.path().join("small").join(site);
        fs::create_dir_all(&dir).expect("a folder");
        for page in 0..4 {
            // Ten words of its own, so that pages differ by words as articles do.
            let word = |i: usize| WORDS[page * 10 + (i * i + i / 7 + s) % 10];
            let text: Vec<&str> = (0..80).map(word).collect();
            let text = text.join(" ");
            let frame = "home news about contact rights ".repeat(12);
            let html = format!(
                "<html><body><div class=menu>{frame}</div><div class=main><div class=story>\
                 <p>{text}</p></div><div class=side>{frame}</div></div></body></html>"
            );
            fs::write(dir.join(format!("{page}.html")), html).expect("a page");
            let gold = serde_json::json!({ "text": text, "title": word(0) });
            fs::write(dir.join(format!("{page}.json")), gold.to_string()).expect("gold");
        }
    }
    root
}

#[test]
fn a_line_a_method_and_a_line_a_site() {
    let root = small();
    let run = forest(
        root.path(),
        "eval small --method paper --method description --by-site",
    );
    let out = stdout(&run.success());
    assert!(out.starts_with("small "), "{out}");
    let line = |name: &str| {
        out.lines()
            .find(|l| l.starts_with(name))
            .expect(name)
            .to_owned()
    };
    assert!(line("paper-tfidf").starts_with("paper-tfidf     8     0       0 | 1.000 1.000 1.000"));
    assert!(line("description").contains("    8     0       0 | "));
    assert!(line("two.example").contains("    4"), "{out}");
}

#[test]
fn an_overview_of_methods_by_collections() {
    let root = small();
    let args = "eval small --method description --method paper --overview";
    let out = stdout(&forest(root.path(), args).success());
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines[0], "| method | small (8) | macro P | R | F1 |");
    assert!(
        lines[2].starts_with("| `paper-tfidf` | 1.000 / 1.000 |"),
        "{out}"
    );
    assert!(lines[3].starts_with("| `description` |"), "{out}");
    forest(root.path(), &format!("{args} --json")).code(2);
}

#[test]
fn the_default_method_is_that_of_learn() {
    let root = small();
    let out = stdout(&forest(root.path(), "eval small --json").success());
    let json: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    let method = &json["collections"][0]["methods"][0];
    let default = forest::learn::Method::default();
    assert_eq!(method["method"], format!("{default}-tfidf"));
    assert_eq!(method["two_gram"]["f1"], 1.0);
    assert_eq!(method["sites"][1]["site"], "two.example");
}

#[test]
fn dumps_have_a_line_a_page_in_the_order_of_ids() {
    let root = small();
    let args = "eval small --method paper-nodfs --method boilerpipe --signifiers feed --dump out";
    forest(root.path(), args).success();
    let out = root.path().join("out/small");
    let other = fs::read_to_string(out.join("boilerpipe-feed.jsonl")).expect("the dump");
    assert!(
        other
            .lines()
            .all(|line| line.ends_with("\"confidence\":null}"))
    );
    let dump = fs::read_to_string(out.join("paper-nodfs-feed.jsonl")).expect("the dump");
    let ids: Vec<String> = dump
        .lines()
        .map(|line| {
            let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
            let keys: Vec<&String> = line.as_object().expect("an object").keys().collect();
            assert_eq!(keys, ["id", "text", "title", "status", "confidence"]);
            let sure = line["confidence"].as_f64();
            assert!(
                sure.is_some_and(|sure| (0.0..=1.0).contains(&sure)),
                "{line}"
            );
            line["id"].as_str().expect("a string").to_owned()
        })
        .collect();
    assert_eq!(ids.len(), 8);
    assert!(ids.is_sorted() && ids[0] == "one.example/0", "{ids:?}");
}

#[test]
fn unseen_pages_are_those_behind_the_first() {
    let root = small();
    forest(
        root.path(),
        "eval small --method paper --learn-on 3 --dump out",
    )
    .success();
    let dump = fs::read_to_string(root.path().join("out/small/paper-tfidf.jsonl")).expect("dump");
    let scored: Vec<&str> = dump
        .lines()
        .map(|l| &l[..l.find(',').unwrap_or(0)])
        .collect();
    assert_eq!(
        scored,
        ["{\"id\":\"one.example/3\"", "{\"id\":\"two.example/3\""]
    );
}

#[test]
fn the_gate_holds_until_something_falls() {
    let root = small();
    let pin = "eval small --method paper --gate floors.toml --write-floors";
    forest(root.path(), pin).success();
    let held = forest(root.path(), "eval --gate floors.toml").success();
    assert!(stderr(&held).contains("no figure below its floor"));

    let path = root.path().join("floors.toml");
    let floors = fs::read_to_string(&path).expect("floors");
    assert!(floors.contains("f1 = 0.998"), "{floors}");
    fs::write(&path, floors.replace("f1 = 0.998", "f1 = 1.5")).expect("floors");
    let fell = forest(root.path(), "eval small --gate floors.toml").code(1);
    let said = stderr(&fell);
    assert!(
        said.contains(
            "small: paper-tfidf: mean 2-gram F1 fell to 1.0000, below its floor of 1.500"
        ),
        "{said}"
    );

    fs::write(&path, floors).expect("floors");
    fs::remove_file(root.path().join("small/one.example/0.json")).expect("gold");
    let changed = forest(root.path(), "eval --gate floors.toml").code(1);
    let said = stderr(&changed);
    assert!(said.contains("7 scored pages, 8 are pinned"), "{said}");
    assert!(said.contains("the corpus has changed"), "{said}");
}

#[test]
fn a_collection_without_floors_fails_the_gate() {
    let root = small();
    fs::write(root.path().join("floors.toml"), "version = 1\n").expect("floors");
    let run = forest(root.path(), "eval small --gate floors.toml").code(1);
    assert!(stderr(&run).contains("no floors for this path"));
}

#[test]
fn presets_and_pipelines_have_labels_dumps_and_floors() {
    let root = small();
    fs::write(
        root.path().join("p.yaml"),
        "format: 1\npipeline:\n  serial: [lqf, bte]\n",
    )
    .expect("a pipeline");
    let methods =
        "--method lqf-old --method lqf-new --method pipeline:precise --method pipeline:p.yaml";
    let args = format!("eval small {methods} --dump out --gate floors.toml --write-floors");
    let out = stdout(&forest(root.path(), &args).success());
    let labels = ["lqf-old", "lqf", "pipeline:precise", "pipeline:p.yaml"];
    for label in labels {
        assert!(
            out.lines()
                .any(|line| line.starts_with(&format!("{label} "))),
            "{label}: {out}"
        );
    }
    let mut dumps: Vec<String> = fs::read_dir(root.path().join("out/small"))
        .expect("the dumps")
        .map(|entry| {
            entry
                .expect("a file")
                .file_name()
                .into_string()
                .expect("UTF-8")
        })
        .collect();
    dumps.sort();
    let names = ["lqf-old", "lqf", "pipeline_p.yaml", "pipeline_precise"];
    assert_eq!(dumps, names.map(|name| format!("{name}-tfidf.jsonl")));
    let floors = fs::read_to_string(root.path().join("floors.toml")).expect("floors");
    assert!(
        floors.contains("[collection.floors.\"pipeline:p.yaml\"]"),
        "{floors}"
    );
    let held = forest(root.path(), "eval --gate floors.toml").success();
    assert!(stderr(&held).contains("no figure below its floor"));
    fs::remove_file(root.path().join("p.yaml")).expect("removed");
    let gone = forest(root.path(), "eval --gate floors.toml").code(2);
    assert!(
        stderr(&gone).contains("no file p.yaml"),
        "{}",
        stderr(&gone)
    );
}

#[test]
fn an_experiment_writes_a_report_the_same_every_time() {
    let root = small();
    let mut reports = Vec::new();
    for dir in ["first", "second"] {
        let args = format!(
            "eval small --experiment measures --experiment pages --learn-on 2 --report {dir}"
        );
        let run = forest(root.path(), &args).success();
        assert!(stdout(&run).contains("paper-tfidf: J·U"));
        let mut files: Vec<(String, String)> = fs::read_dir(root.path().join(dir))
            .expect("the report")
            .map(|entry| {
                let entry = entry.expect("a file");
                let name = entry.file_name().into_string().expect("UTF-8");
                (name, fs::read_to_string(entry.path()).expect("text"))
            })
            .collect();
        files.sort();
        reports.push(files);
    }
    assert_eq!(reports[0], reports[1]);
    let names: Vec<&str> = reports[0].iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        names,
        [
            "figures.csv",
            "measures-learned.svg",
            "measures-unseen2.svg",
            "pages-learned.svg",
            "pages-unseen2.svg",
            "report.md"
        ]
    );
    // Ten numbers of pages for two sources, two flat lines; one collection and all.
    let csv = &reports[0][0].1;
    assert_eq!(
        csv.lines()
            .filter(|l| l.starts_with("pages,learned,"))
            .count(),
        22 * 2
    );
    assert!(
        csv.contains("pages,unseen2,paper-tfidf,2,small,4,0,0,1,1,1,"),
        "{csv}"
    );
    assert!(
        csv.contains("pages,learned,paper-tfidf,2,*,8,0,0,1,1,1,"),
        "{csv}"
    );
}

/// What the pages of [`redesigned`] say: the story's sentences, of its own words.
fn story(page: usize) -> String {
    const NOUNS: [&str; 8] = [
        "harbour", "orchard", "museum", "bridge", "market", "valley", "engine", "garden",
    ];
    let noun = |at: usize| NOUNS[(page * 3 + at * at + at / 5) % NOUNS.len()];
    let sentence = |at: usize| {
        let (a, b, c) = (noun(at), noun(at + 1), noun(at + 3));
        format!(
            "<p>On day {at} of week {page} the mayor said that the {a} near the {b} would open \
             again, and many people, who had waited for it, came to see the {c}.</p>"
        )
    };
    (0..9).map(sentence).collect()
}

/// A collection `eras`: a site with four designs in folders, a site with two in one.
fn redesigned() -> tempfile::TempDir {
    let root = tempfile::tempdir().expect("a folder");
    let links: String = (0..12)
        .map(|i| format!("<li><a href=/{i}>More of section {i}</a></li>"))
        .collect();
    let designs: [(&str, &str, &str); 6] = [
        (
            "herald_2005",
            "",
            "<div class=top>N</div><div class=story>S</div>",
        ),
        (
            "herald_2009",
            "",
            "<div class=wrap><div class=top>N</div><div class='wide story'>S</div></div>",
        ),
        (
            "herald_2013",
            "",
            "<div class=story>N</div><section class=text>S</section>",
        ),
        (
            "herald_2017",
            "",
            "<nav class=new>N</nav><article class=piece>S</article>",
        ),
        (
            "gazette",
            "B",
            "<div class=head>N</div><article id=lead>S</article>",
        ),
        (
            "gazette",
            "A",
            "<p>Up<div class=head>N</div><article class=tale>S</article>",
        ),
    ];
    for (at, (site, layout, design)) in designs.iter().enumerate() {
        let dir = root.path().join("eras").join(site);
        fs::create_dir_all(&dir).expect("a folder");
        for page in 0..6 {
            let story = story(page);
            let body = design
                .replace('N', &format!("<ul>{links}</ul>"))
                .replace('S', &story);
            let name = format!("{layout}{page}");
            let html =
                format!("<html><head><title>Week {page}</title></head><body>{body}</body></html>");
            fs::write(dir.join(format!("{name}.html")), html).expect("a page");
            let text = story.replace("<p>", "").replace("</p>", "\n");
            let mut gold = serde_json::json!({ "text": text });
            if !layout.is_empty() {
                gold["layout"] = (*layout).into();
                gold["crawl_date"] = format!("2020-01-0{at}").into();
            }
            fs::write(dir.join(format!("{name}.json")), gold.to_string()).expect("gold");
        }
    }
    root
}

#[test]
fn wrappers_of_an_era_are_tried_on_the_next() {
    let root = redesigned();
    let run_eras = || stdout(&forest(root.path(), "eval eras --eras --json").success());
    let out = run_eras();
    let json: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    let passages = json["passages"].as_array().expect("passages");
    let to_next: Vec<String> = passages
        .iter()
        .filter(|passage| !passage["to"].is_null())
        .map(|passage| format!("{} > {}", passage["from"], passage["to"]).replace('"', ""))
        .collect();
    let brands = [
        "gazette B > gazette A",
        "herald_2005 > herald_2009",
        "herald_2009 > herald_2013",
        "herald_2013 > herald_2017",
    ];
    assert_eq!(to_next, brands);
    assert_eq!(passages.len() - to_next.len(), 6, "each era has two halves");
    let check = |from: &str, to: Option<&str>, way: &str, fate: &str, verdict: &str| {
        let of_eras = |p: &&serde_json::Value| p["from"] == from && p["to"].as_str() == to;
        let passage = passages.iter().find(of_eras).expect(from);
        let wrappers = passage["wrappers"].as_array().expect("wrappers");
        let tried = wrappers
            .iter()
            .find(|tried| tried["way"] == way)
            .expect(way);
        let got = [&tried["fate"], &tried["check"]];
        assert_eq!(got, [fate, verdict], "{from} > {to:?}: {way}");
    };
    let [whole, token, by_hand] = [
        "`@class='...'`",
        "a class token of the element",
        "as a person writes it",
    ];
    let (forest, path) = ("`forest`", "position from the root");
    let others = "`forest`, then other names";
    for (from, to, way, fate, verdict) in [
        // The class has another token, and the element stands in another.
        ("herald_2005", "herald_2009", token, "works", "ok"),
        ("herald_2005", "herald_2009", whole, "nothing", "drift"),
        ("herald_2005", "herald_2009", by_hand, "nothing", "drift"),
        ("herald_2005", "herald_2009", path, "nothing", "drift"),
        // Another element has the class.
        ("herald_2009", "herald_2013", token, "wrong", "drift"),
        ("herald_2009", "herald_2013", whole, "nothing", "drift"),
        // Everything has another name.
        ("herald_2013", "herald_2017", forest, "nothing", "drift"),
        ("herald_2013", "herald_2017", path, "nothing", "drift"),
        // The layouts follow the days on which they were fetched. Only the tag stays.
        ("gazette B", "gazette A", by_hand, "nothing", "drift"),
        ("gazette B", "gazette A", others, "works", "ok"),
    ] {
        check(from, Some(to), way, fate, verdict);
    }
    for from in ["gazette B", "gazette A", "herald_2005", "herald_2017"] {
        check(from, None, forest, "works", "ok");
        check(from, None, by_hand, "works", "ok");
    }
    let again = run_eras();
    assert_eq!(out, again);
}

#[test]
fn eras_are_counted_by_collection() {
    let root = redesigned();
    let out = stdout(&forest(root.path(), "eval eras --eras --by-site --method paper").success());
    let line = |start: &str| {
        let mut lines = out.lines().filter(|line| line.starts_with(start));
        lines.next().expect(start).to_owned()
    };
    assert!(line("In the next era").ends_with("(4 passages):"), "{out}");
    assert!(
        line("| `paper` |").starts_with("| `paper` | 0/4 | 4 | **0** (0 %) |"),
        "{out}"
    );
    assert_eq!(
        line("gazette B > gazette A"),
        "gazette B > gazette A: 6 > 6 pages"
    );
    let small = small();
    for (dir, args, said) in [
        (&small, "eval small --eras", "several eras"),
        (
            &root,
            "eval eras --eras --method onepage",
            "methods that learn",
        ),
        (&root, "eval eras --eras --learn-on 2", "--learn-on"),
    ] {
        let run = forest(dir.path(), args).code(2);
        assert!(stderr(&run).contains(said), "{args}: {}", stderr(&run));
    }
}

#[test]
fn what_is_asked_for_wrongly_is_named() {
    let root = small();
    for (args, said) in [
        ("eval nowhere", "nowhere"),
        ("eval small --method magic", "paper-nodfs"),
        ("eval small --signifiers magic", "words:FILE"),
        ("eval small --gate nowhere.toml", "nowhere.toml"),
        (
            "eval small --experiment pages --method sigfeed",
            "one that learns",
        ),
        ("eval small small", "two collections are named `small`"),
        (
            "eval small --gate small/one.example/0.json",
            "not a file of floors",
        ),
        ("eval", "GOLD"),
    ] {
        let run = forest(root.path(), args).code(2);
        assert!(stderr(&run).contains(said), "{args}: {}", stderr(&run));
    }
}
