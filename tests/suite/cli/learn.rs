//! `forest learn` on files.

use crate::cli::site::{feed, page, warc_record};
use crate::cli::{User, gold};
use forest_core::wrapper::{Label, LabelRole, SampleRef, Wrapper};
use std::fmt::Write;
use std::path::Path;

/// The end of the expression that `forest` learns from these pages, and of the paper method's
/// expression without positions.
const STORY: &str = "' story ')]";
const PUBLISHED_STORY: &str = "contains(translate(@class,'0123456789',''),'story')";

#[test]
fn a_feed_file_beside_its_pages() {
    let user = User::new();
    let source = gold("plain-notes.example/feed.xml");
    let learned = user.run(&["learn", &source]);
    learned.ends(0, &["good", "words"]);
    assert!(
        learned.out.contains("learned from 10 pages"),
        "{}",
        learned.out
    );
    assert!(learned.out.contains("Reading a tape from 1993"));
    assert_eq!(user.names("sites"), ["plain-notes.example.yaml"]);
    let file = user.read("sites/plain-notes.example.yaml");
    assert!(file.starts_with("format: 2\ndigest: sha256:"), "{file}");
    assert!(file.contains("site: plain-notes.example"));
    // The time, RFC 3339 in UTC.
    let learned = file.lines().find_map(|l| l.strip_prefix("learned: "));
    let learned = learned.expect("a time").trim_matches('\'');
    assert!(learned.len() == 20 && learned.ends_with('Z'), "{learned}");
}

/// The demo of the README: a fresh clone stays as it is, and nobody is asked for a page that is
/// not there.
#[test]
fn the_gold_teaches_the_wrappers_that_are_there() {
    let user = User::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut sources = Vec::new();
    let names = |dir: &Path| -> Vec<String> {
        let entries = std::fs::read_dir(dir).expect("a folder");
        let names = entries.map(|entry| entry.expect("an entry").file_name());
        names
            .map(|name| name.to_string_lossy().into_owned())
            .collect()
    };
    let sites = names(&root.join("sites"));
    let copy = |path: &str| user.put(path, std::fs::read(root.join(path)).expect(path));
    for file in &sites {
        copy(&format!("sites/{file}"));
        let folder = format!("gold/{}", file.strip_suffix(".yaml").expect("a wrapper"));
        for page in names(&root.join(&folder)) {
            copy(&format!("{folder}/{page}"));
        }
        sources.push(format!("{folder}/feed.xml"));
    }
    let sources: Vec<&str> = sources.iter().map(String::as_str).collect();
    let learned = user.run(&[&["learn"], &sources[..]].concat());
    learned.ends(
        0,
        &["sea-wall-gone/: left out: no page in the folder has this address"],
    );
    assert!(!learned.err.contains("resolve"), "{}", learned.err);
    assert_eq!(user.names("sites").len(), sites.len());
    for file in &sites {
        let path = format!("sites/{file}");
        let before = std::fs::read_to_string(root.join(&path)).expect("a wrapper");
        assert_eq!(
            user.read(&path),
            before,
            "{path}: learn it again, and commit it"
        );
    }
}

#[test]
fn pages_elsewhere_are_named_with_a_flag() {
    let user = User::with_pages(10);
    let links: Vec<_> = (0..10)
        .map(|n| format!("https://small.example/2024/{n}/"))
        .collect();
    user.put("feeds/small.xml", feed(&links));
    let learned = user.run(&["learn", "feeds/small.xml", "--pages", "small.example"]);
    learned.ends(0, &[]);
    // Pages without an address belong to the site with their folder's name.
    assert!(user.read("sites/small.example.yaml").contains(STORY));
    user.run(&["learn", "feeds/small.xml", "--pages", "nowhere"])
        .ends(2, &["--pages", "nowhere"]);
}

#[test]
fn folders_lists_and_archives_of_the_same_pages_teach_the_same() {
    let user = User::with_pages(10);
    let check = |args: &[&str], stdin: &str| {
        let _ = std::fs::remove_dir_all(user.path("sites"));
        user.run_with(args, stdin).ends(0, &[]);
        assert_eq!(user.names("sites"), ["small.example.yaml"]);
        assert!(user.read("sites/small.example.yaml").contains(STORY));
    };
    check(&["learn", "small.example"], "");
    let mut lines = String::new();
    let mut warc = Vec::new();
    for n in 0..10 {
        let url = format!("https://small.example/{n}");
        let line = serde_json::json!({"url": url, "html": page(n)});
        let _ = writeln!(lines, "{line}");
        warc.extend(warc_record(&url, &page(n)));
    }
    user.put("pages.warc", &warc);
    user.put("pages.jsonl", &lines);
    check(&["learn", "-"], &lines);
    check(&["learn", "pages.jsonl"], "");
    check(&["learn", "pages.warc"], "");
}

#[test]
fn skipped_pages_are_replaced_by_the_next_ones() {
    let user = User::new();
    for n in 10..24 {
        user.put(&format!("small.example/{n}.html"), page(n));
    }
    user.put("small.example/11.html", "<p>Next to nothing");
    user.put("small.example/15.html", page(14));
    let learned = user.run(&["learn", "small.example", "--sample", "12"]);
    learned.ends(0, &["/11: left out: ", "/15: left out: says the same"]);
    assert!(learned.out.contains("from 12 pages"), "{}", learned.out);
    let learned = user.run(&["learn", "small.example"]);
    assert!(learned.out.contains("from 10 pages"), "{}", learned.out);
    let learned = user.run(&["learn", "small.example", "--sample", "3"]);
    assert!(learned.out.contains("from 3 pages"), "{}", learned.out);
}

#[test]
fn pages_of_two_sites_teach_two_wrappers() {
    let user = User::new();
    for n in 0..6 {
        let host = ["a.example", "b.example"][n % 2];
        user.put(&format!("{host}/{n}.html"), page(n));
    }
    user.put("c.example/6.html", page(6));
    // The third site has only one page, which is too few.
    user.run(&["learn", "."])
        .ends(3, &["c.example: nothing learned: 1 good page"]);
    assert_eq!(user.names("sites"), ["a.example.yaml", "b.example.yaml"]);
}

#[test]
fn a_page_without_an_address_is_of_the_site_of_its_folder() {
    let user = User::new();
    let put = |folder: &str, host: &str, n: usize| {
        user.put(&format!("{folder}/{n}.html"), page(n));
        let address = serde_json::json!({"url": format!("https://{host}/{n}")});
        user.put(&format!("{folder}/{n}.json"), address.to_string());
    };
    for n in 0..4 {
        put("saved/first", "a.example", n);
        put("saved/second", "b.example", n + 4);
    }
    user.put("saved/first/8.html", page(8));
    let learned = user.run(&["learn", "saved"]);
    learned.ends(0, &["first/8: good"]);
    assert!(
        learned.out.contains("a.example: learned from 5 pages"),
        "{}",
        learned.out
    );
    assert_eq!(user.names("sites"), ["a.example.yaml", "b.example.yaml"]);
    // The folder of several sites does not identify a page's site.
    for n in 0..4 {
        put("flat", ["a.example", "b.example"][n % 2], n);
    }
    user.put("flat/8.html", page(8));
    user.run(&["learn", "flat", "--sites", "flat-sites"])
        .ends(0, &["flat/8: left out: it has no address"]);
    assert_eq!(
        user.names("flat-sites"),
        ["a.example.yaml", "b.example.yaml"]
    );
}

#[test]
fn counts_agree_with_what_they_count() {
    let user = User::new();
    for n in 0..3 {
        let share = "</h1><div class=share>Share this story with friends and family</div>";
        user.put(
            &format!("small.example/{n}.html"),
            page(n).replace("</h1>", share),
        );
    }
    user.put("small.example/empty.html", "<p>");
    user.put("small.example/word.html", "<p>Word");
    let learned = user.run(&["learn", "small.example"]);
    learned.ends(0, &["/word: left out: only 1 word: Word\n"]);
    // There is no text behind a colon.
    assert!(
        learned.err.contains("/empty: left out: only 0 words\n"),
        "{}",
        learned.err
    );
    let message = "1 strip rule leaves 21 words of these out";
    assert!(learned.out.contains(message), "{}", learned.out);
    user.run(&["apply", "small.example/0.html"])
        .ends(0, &["1 page: 1 ok"]);
}

#[test]
fn the_source_and_number_of_signifiers_stand_in_the_evidence() {
    let user = User::with_pages(10);
    user.put("words.txt", "harbor story");
    let check = |args: &[&str], source: &str, words: usize| {
        user.run(&[&["learn", "small.example", "--force"], args].concat())
            .ends(0, &[]);
        let file = user.read("sites/small.example.yaml");
        let wrapper = Wrapper::from_yaml(&file).expect("own file").wrapper;
        let evidence = wrapper.templates[0].evidence.as_ref().expect("evidence");
        assert_eq!(evidence.signifiers, source);
        assert_eq!(evidence.method, "forest");
        assert!(
            evidence.rank >= Some(1) && evidence.relevance > Some(0.0),
            "{file}"
        );
        assert!(evidence.j.is_some() && evidence.u.is_some() && evidence.level.is_some());
        let of_page = |page: &SampleRef| page.signifiers.split(' ').count();
        let counts: Vec<usize> = wrapper.sample.iter().map(of_page).collect();
        assert_eq!(counts, [words; 10], "{file}");
    };
    check(&[], "tfidf", 10);
    check(&["--keywords", "5"], "tfidf", 5);
    check(&["--signifiers", "words:words.txt"], "words", 1);
}

#[test]
fn learning_again_keeps_the_old_one_in_the_history() {
    let user = User::with_pages(10);
    let learn = |args: &[&str]| user.run(&[&["learn", "small.example"], args].concat());
    learn(&["--method", "paper"]).ends(0, &[]);
    assert!(!user.read("sites/small.example.yaml").contains("history:"));
    let again = learn(&[]);
    again.ends(0, &[]);
    assert!(again.out.contains("history"), "{}", again.out);
    let file = user.read("sites/small.example.yaml");
    let (now, history) = file.split_once("history:").expect("a history");
    assert!(now.contains(STORY), "{now}");
    assert!(history.contains("'story') and @dfs="), "{history}");
    assert!(history.contains("until:"));
}

#[test]
fn learning_the_same_again_leaves_the_file_as_it_is() {
    let user = User::with_pages(10);
    user.run(&["learn", "small.example"]).ends(0, &[]);
    let path = "sites/small.example.yaml";
    // The wrapper looks as if it was learned long ago and not edited since.
    let wrapper = Wrapper::from_yaml(&user.read(path))
        .expect("own file")
        .wrapper;
    let learned = Some("2001-02-03T04:05:06Z".to_owned());
    let old = Wrapper { learned, ..wrapper }.to_yaml();
    user.put(path, &old);
    let again = user.run(&["learn", "small.example"]);
    again.ends(0, &[]);
    assert!(again.out.contains("the same as before"), "{}", again.out);
    assert_eq!(user.read(path), old);
}

#[test]
fn an_edited_wrapper_is_left_alone() {
    let user = User::with_pages(10);
    user.run(&["learn", "small.example"]).ends(0, &[]);
    let path = "sites/small.example.yaml";
    let edited = user.read(path).replace("pages: 10", "pages: 11");
    user.put(path, &edited);
    user.run(&["learn", "small.example"])
        .ends(2, &["small.example.yaml", "edited by hand", "--force"]);
    assert_eq!(user.read(path), edited);
    user.run(&["learn", "small.example", "--force"])
        .ends(0, &[]);
    assert_ne!(user.read(path), edited);
    // A file that is not a wrapper is not overwritten either.
    user.put(path, "my notes");
    user.run(&["learn", "small.example"])
        .ends(2, &["small.example.yaml", "--force"]);
    assert_eq!(user.read(path), "my notes");
    assert_eq!(user.names("sites"), ["small.example.yaml"]);
}

#[test]
fn labels_and_kept_elements_stay_when_a_site_is_learned_again() {
    let user = User::new();
    let source = gold("plain-notes.example/feed.xml");
    user.run(&["learn", &source]).ends(0, &[]);
    let path = "sites/plain-notes.example.yaml";
    let mut wrapper = Wrapper::from_yaml(&user.read(path))
        .expect("a wrapper")
        .wrapper;
    let label = Label {
        page: "https://plain-notes.example/gone".to_owned(),
        node: "/html[1]/body[1]/p[1]".to_owned(),
        text: "Gone".to_owned(),
        role: LabelRole::NotArticle,
        expression: None,
    };
    wrapper.labels.push(label.clone());
    wrapper.templates[0].keep.push("//h1".to_owned());
    user.put(path, wrapper.to_yaml());
    let again = user.run(&["learn", &source]);
    again.ends(0, &["not_article", "is not found"]);
    let wrapper = Wrapper::from_yaml(&user.read(path))
        .expect("a wrapper")
        .wrapper;
    assert_eq!(wrapper.labels, [label]);
    assert_eq!(wrapper.templates[0].keep, ["//h1"]);
}

#[test]
fn another_feed_of_the_site_adds_its_template() {
    let user = User::new();
    for n in 0..10 {
        let html = match n % 2 {
            0 => page(n),
            _ => page(n).replace("class=\"story\"", "class=\"report\""),
        };
        user.put(&format!("small.example/{n}.html"), html);
    }
    let links = |start: usize| -> Vec<_> {
        let pages = (start..10).step_by(2);
        pages
            .map(|n| format!("https://small.example/{n}"))
            .collect()
    };
    user.put("small.example/even.xml", feed(&links(0)));
    user.put("small.example/odd.xml", feed(&links(1)));
    user.run(&["learn", "small.example/even.xml"]).ends(0, &[]);
    let second = user.run(&["learn", "small.example/odd.xml"]);
    second.ends(0, &[]);
    assert!(second.out.contains("another feed"), "{}", second.out);
    let file = user.read("sites/small.example.yaml");
    let (first, second) = (file.find(" story '"), file.find(" report '"));
    assert!(first.expect("kept") < second.expect("added"), "{file}");
    let applied = user.run(&["apply", "small.example"]);
    applied.ends(0, &[]);
    assert_eq!(applied.records().len(), 10);
}

#[test]
fn the_ranking_is_explained() {
    let user = User::with_pages(10);
    let table = user.run(&["learn", "small.example", "--explain"]);
    table.ends(0, &[]);
    for part in [
        "rank",
        " R ",
        "level",
        "dfs {",
        " X ",
        " J ",
        "signifiers",
        PUBLISHED_STORY,
    ] {
        assert!(table.out.contains(part), "{part}: {}", table.out);
    }
    let json = user.run(&["learn", "small.example", "--explain", "--json"]);
    json.ends(0, &[]);
    let records = json.records();
    assert_eq!(records.len(), 1);
    let best = &records[0]["ranking"][0];
    assert_eq!(best["rank"], 1);
    assert_eq!(best["explanation"]["value"], best["relevance"]);
    assert!(best["explanation"]["details"][0]["details"].is_array());
    assert_eq!(records[0]["signifiers"].as_array().map(Vec::len), Some(10));
}

#[test]
fn strips_that_were_not_taken_are_explained() {
    let user = User::new();
    for n in 0..10 {
        // Text like the article's.
        let note = if n == 3 {
            "<div class=note>The ferry leaves an hour later, says the master of the harbour, who waits for the rain.</div>"
        } else {
            ""
        };
        let html = page(n).replace("</h1>", &format!("</h1>{note}"));
        user.put(&format!("small.example/{n}.html"), html);
    }
    let explained = user.run(&["learn", "small.example", "--explain"]).out;
    let (_, refused) = explained
        .split_once("\nnot stripped from template 1\n")
        .expect("refused");
    let note = refused
        .lines()
        .find(|line| line.contains("note"))
        .expect("the note");
    assert!(note.starts_with("  17 words on 1 page, 0."), "{note}");
    assert!(
        note.contains("of them likely, not below 0.45: //"),
        "{note}"
    );
    let json = user.run(&["learn", "small.example", "--explain", "--json", "--force"]);
    let refused = &json.records()[0]["refused_strips"][0];
    let first = refused
        .as_array()
        .expect("refused")
        .iter()
        .find(|strip| strip["words"] == 17);
    assert_eq!(
        first.expect("the note")["why"]["likely"]["limit"]
            .as_f64()
            .map(|limit| limit > 0.4),
        Some(true)
    );
}

/// The deciding method is explained first; the ranking that it did not use has a heading of
/// its own.
#[test]
fn the_method_that_decided_is_explained() {
    let user = User::new();
    for n in 0..10 {
        let share = "</h1><div class=share>Share this story with friends and family</div>";
        let html = page(n).replace("</h1>", share);
        user.put(&format!("small.example/{n}.html"), html);
    }
    let explained = user.run(&["learn", "small.example", "--explain"]);
    explained.ends(0, &[]);
    let out = &explained.out;
    let (why, ranking) = out
        .split_once("the ranking of the patterns, whose elements are candidates:\n")
        .expect("both");
    for part in [
        "template 1: 10 of 10 good pages, chosen by method forest\n",
        "with a mean F1 of 0.",
        "more than the runner-up.",
        "Its 1 strip rule takes 70 of ",
        "winner ",
        "runner-up ",
        "a class: //",
        "   10     70  repeats             //",
        "on page 1: “Share this story with friends and family”",
    ] {
        assert!(why.contains(part), "{part}: {out}");
    }
    assert!(
        ranking.starts_with("rank ") && ranking.contains(PUBLISHED_STORY),
        "{out}"
    );
    // The evidence is that of the file.
    let file = Wrapper::from_yaml(&user.read("sites/small.example.yaml")).expect("own file");
    let evidence = file.wrapper.templates[0]
        .evidence
        .as_ref()
        .expect("evidence");
    assert!(
        why.contains(&format!(
            "mean F1 of {:.3}",
            evidence.expected_f1().expect("forest")
        )),
        "{out}"
    );
    let second = evidence.runner_up.as_ref().expect("a runner-up");
    assert!(
        why.contains(&format!("{:.3}", second.expected_f1().expect("forest"))),
        "{out}"
    );
    let paper = [
        "learn",
        "small.example",
        "--explain",
        "--force",
        "--method",
        "paper",
    ];
    let paper = user.run(&paper).out;
    let (why, _) = paper
        .split_once("the ranking of the patterns by method paper:\n")
        .expect("both");
    assert!(why.contains("chosen by method paper\n"), "{why}");
    assert!(
        why.contains("Its relevance R is ") && !why.contains("F1"),
        "{why}"
    );
}

#[test]
fn templates_and_their_pages_are_named() {
    let user = User::new();
    for n in 0..10 {
        let html = match n % 5 {
            0 => page(n)
                .replace("<div class=\"story\">", "<table><tr><td id=live>")
                .replace(
                    "</div><div class=\"footer\">",
                    "</table><div class=\"footer\">",
                ),
            _ => page(n),
        };
        user.put(&format!("small.example/{n}.html"), html);
    }
    let links = (0..10).map(|n| format!("https://small.example/{n}"));
    user.put("small.example/feed.xml", feed(&links.collect::<Vec<_>>()));
    let learned = user.run(&["learn", "small.example/feed.xml", "--method", "forest"]);
    learned.ends(0, &["/0: good, template ", "/1: good, template "]);
    let file = user.read("sites/small.example.yaml");
    assert!(file.contains("    pages:\n    - 0\n    - 5\n"), "{file}");
    assert!(learned.out.contains("on 8 of them") && learned.out.contains("on 2 of them"));
}

#[test]
fn a_report_is_a_page_beside_the_wrapper() {
    let user = User::with_pages(10);
    let learn = |args: &[&str]| user.run(&[&["learn", "--report", "out/report"], args].concat());
    learn(&["small.example"]).ends(0, &[]);
    assert_eq!(user.names("out/report"), ["small.example.html"]);
    let report = user.read("out/report/small.example.html");
    for part in [
        "<!DOCTYPE html>",
        "<h1>small.example</h1>",
        "Story 0 is about",
    ] {
        assert!(report.contains(part), "{part}: {report}");
    }
    // The failure to learn is explained, too.
    let one = ["small.example/1.html", "--site", "one.example:8080"];
    learn(&one).ends(1, &["nothing learned"]);
    let report = user.read("out/report/one.example_8080.html");
    assert!(report.contains("Nothing was learned"), "{report}");
    // A report that cannot be written is an error, but the wrapper is saved.
    user.put("file", "");
    let failed = user.run(&["learn", "small.example", "--report", "file"]);
    failed.ends(2, &["cannot make the folder file"]);
}

#[test]
fn usage_is_checked_before_anything_is_read() {
    let user = User::with_pages(10);
    for bad in ["../x", "a/b", ".x", ""] {
        let site = format!("--site={bad}");
        user.run(&["learn", "small.example", &site])
            .ends(2, &["--site"]);
    }
    let check = |args: &[&str], parts: &[&str]| {
        user.run(&[&["learn", "small.example"], args].concat())
            .ends(2, parts);
    };
    check(&["--method", "magic"], &["magic", "paper-nodfs"]);
    check(&["--signifiers", "magic"], &["words:FILE"]);
    check(&["--signifiers", "words:none.txt"], &["none.txt"]);
    check(&["--sample", "0"], &["1 to 1000"]);
    check(&["--header", "x"], &["Name: value"]);
    check(&["--delay=-1"], &["--delay", "0 to 86400"]);
    assert!(user.names("sites").is_empty() && user.names("").len() == 1);
    user.put("words.txt", "harbor story");
    user.run(&["learn", "small.example", "--signifiers", "words:words.txt"])
        .ends(0, &[]);
}

#[test]
fn a_method_that_learns_nothing_names_its_command() {
    let user = User::with_pages(10);
    user.run(&["learn", "small.example", "--method", "boilerpipe"])
        .ends(2, &["apply --method boilerpipe"]);
    assert!(user.names("sites").is_empty());
}
