//! `forest-lab` as it is run: the reports of experiments and of eras.

#[path = "../../tests/shared/collection.rs"]
mod collection;

use assert_cmd::Command;
use collection::small;
use std::fs;
use std::path::Path;

fn lab(dir: &Path, args: &str) -> assert_cmd::assert::Assert {
    let mut command = Command::cargo_bin("forest-lab").expect("the program is built");
    command.current_dir(dir).args(args.split(' ')).assert()
}

fn stdout(assert: &assert_cmd::assert::Assert) -> String {
    String::from_utf8(assert.get_output().stdout.clone()).expect("UTF-8")
}

fn stderr(assert: &assert_cmd::assert::Assert) -> String {
    String::from_utf8(assert.get_output().stderr.clone()).expect("UTF-8")
}

#[test]
fn an_experiment_writes_a_report_the_same_every_time() {
    let root = small();
    let mut reports = Vec::new();
    for dir in ["first", "second"] {
        let args = format!(
            "experiments small --experiment measures --experiment pages --learn-on 2 --report {dir}"
        );
        let run = lab(root.path(), &args).success();
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

/// The text of the pages of [`redesigned`]: the story's sentences, of its own words.
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
    let run_eras = || stdout(&lab(root.path(), "eras eras --json").success());
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
    let out = stdout(&lab(root.path(), "eras eras --by-site --method paper").success());
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
        (&small, "eras small", "several eras"),
        (&root, "eras eras --method sigfeed", "methods that learn"),
        (&root, "eras eras --method onepage", "unknown method"),
        (&root, "eras eras --learn-on 2", "--learn-on"),
        (
            &small,
            "eras small small",
            "two collections are named `small`",
        ),
        (
            &small,
            "experiments small --experiment pages --method sigfeed",
            "a --method that learns",
        ),
    ] {
        let run = lab(dir.path(), args).code(2);
        assert!(stderr(&run).contains(said), "{args}: {}", stderr(&run));
    }
}
