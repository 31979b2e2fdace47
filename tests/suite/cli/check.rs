//! `forest site check`.

use super::{User, gold};

const WRAPPER: &str =
    "format: 1\nsite: plain-notes.example\ntemplates:\n- body: [\"//div[@id='BODY']\"]\n";

/// A wrapper that was learned from a site of the project's own gold.
fn learned(site: &str) -> User {
    let user = User::new();
    user.run(&["learn", &gold(site)]).ends(0, &[]);
    user
}

#[test]
fn a_wrapper_that_fits_its_pages_is_ok() {
    let site = "harbour-gazette.example";
    let user = learned(site);
    let wrapper = format!("sites/{site}.yaml");
    let out = user.run(&["site", "check", &wrapper, &gold(site), "--json"]);
    let [report] = &out.ends(0, &[]).records()[..] else {
        panic!("one line: {}", out.out);
    };
    assert_eq!(report["site"], site);
    assert_eq!(report["verdict"], "ok", "{report}");
    let pages = report["pages"].as_array().expect("pages");
    assert_eq!(pages.len(), 10);
    for page in pages {
        assert_eq!(page["status"], "ok");
        assert!(
            page["confidence"]
                .as_f64()
                .is_some_and(|c| (0.5..=1.0).contains(&c)),
            "{page}"
        );
        assert!(page["f1"].as_f64().is_some_and(|f1| f1 > 0.8), "{page}");
    }
    let table = user.run(&["site", "check", &wrapper, &gold(site)]);
    table.ends(0, &[]);
    assert!(
        table.out.starts_with("site ") && table.out.contains("F1"),
        "{}",
        table.out
    );
    assert!(table.out.contains(&format!("{site}  ok")), "{}", table.out);
}

#[test]
fn one_that_selects_nothing_has_drifted_and_exits_1() {
    let user = User::new();
    user.put("w.yaml", WRAPPER);
    let pages = gold("plain-notes.example");
    let out = user.run(&["site", "check", "w.yaml", &pages, "--json"]);
    let report = &out.ends(1, &[]).records()[0];
    assert_eq!(report["verdict"], "drift");
    assert!(
        report["why"][0]
            .as_str()
            .is_some_and(|why| why.contains("no template"))
    );
    user.put("plain-notes.example.txt", "body: //div[@id='BODY']\n");
    let out = user.run(&["site", "check", "plain-notes.example.txt", &pages]);
    out.ends(1, &[]);
    assert!(
        out.out.contains("drift") && out.out.contains("no template"),
        "{}",
        out.out
    );
}

#[test]
fn several_wrappers_take_the_pages_of_their_sites() {
    let user = learned("harbour-gazette.example");
    user.put("sites/plain-notes.example.yaml", WRAPPER);
    user.put("sites/other.example.txt", "body: //p\n");
    let out = user.run(&["site", "check", "sites", &gold(""), "--json"]);
    let reports = out
        .ends(
            1,
            &["other.example: none of the pages", "pages are of none"],
        )
        .records();
    let verdicts: Vec<_> = reports
        .iter()
        .map(|r| (&r["site"], &r["verdict"]))
        .collect();
    let expected = [
        ("harbour-gazette.example", "ok"),
        ("plain-notes.example", "drift"),
    ];
    for (found, (site, verdict)) in verdicts.iter().zip(expected) {
        assert_eq!(
            (found.0.as_str(), found.1.as_str()),
            (Some(site), Some(verdict))
        );
    }
    assert_eq!(verdicts.len(), 2);
}

#[test]
fn a_single_wrapper_takes_pages_without_a_site() {
    let user = User::new();
    user.put(
        "a.example.txt",
        "body: //div[@class='story']\ntitle: //h2\n",
    );
    for n in 0..4 {
        user.put(&format!("saved/{n}.html"), super::site::page(n));
    }
    let out = user.run(&["site", "check", "a.example.txt", "saved", "--json"]);
    let report = &out.ends(0, &[]).records()[0];
    assert_eq!(report["pages"].as_array().map(Vec::len), Some(4));
    assert_eq!(report["verdict"], "degraded");
    assert!(
        report["why"].to_string().contains("title gives nothing"),
        "{report}"
    );
}

#[test]
fn the_words_of_a_feeds_item_are_looked_for_in_its_article() {
    let user = User::new();
    // Below each story is the same long text, and the wrapper selects that.
    let about: String = (0..8)
        .map(|n| format!("<p>Our reporters have written letter {n} from abroad since the war, and we print them as they come.</p>"))
        .collect();
    let link = |n: usize| format!("https://a.example/{n}");
    for n in 0..4 {
        let page =
            super::site::page(n).replace("</body>", &format!("<div id=about>{about}</div></body>"));
        user.put(&format!("saved/{n}.html"), page);
    }
    user.put("saved/feed.xml", super::site::feed(&[0, 1, 2, 3].map(link)));
    user.put("a.example.txt", "body: //div[@id='about']\n");
    user.put("b.example.txt", "body: //div[@class='story']\n");
    let check = |wrapper: &str, pages: &str, of_feed: bool| {
        let checked = user.run(&["site", "check", wrapper, pages, "--json"]);
        let report = &checked.records()[0];
        assert_eq!(report["pages"].as_array().map(Vec::len), Some(4));
        let why = "of 22 words of the feed on the page 1 stands in the text";
        assert_eq!(report["why"].to_string().contains(why), of_feed, "{report}");
    };
    check("a.example.txt", "saved/feed.xml", true);
    check("b.example.txt", "saved/feed.xml", false);
    // A feed in their folder has the same effect.
    check("a.example.txt", "saved", true);
    std::fs::rename(user.path("saved/feed.xml"), user.path("feed.xml")).expect("moved");
    check("a.example.txt", "saved", false);
}

#[test]
fn blocked_pages_exit_3() {
    let user = User::new();
    user.put("w.yaml", WRAPPER);
    let challenge = "<title>Just a moment...</title><h1>Verify you are human</h1>";
    user.put("saved/1.html", challenge);
    let out = user.run(&["site", "check", "w.yaml", "saved", "--json"]);
    assert_eq!(out.ends(3, &[]).records()[0]["verdict"], "blocked");
}

#[test]
fn what_cannot_be_checked_is_an_error() {
    let user = User::new();
    user.put("w.yaml", WRAPPER);
    user.put("bad.yaml", "format: 9\n");
    user.put("saved/1.html", super::site::page(1));
    user.run(&["site", "check", "w.yaml"]).ends(2, &["PAGES"]);
    user.run(&["site", "check", "none.yaml", "saved"])
        .ends(2, &["none.yaml"]);
    user.run(&["site", "check", "bad.yaml", "saved"])
        .ends(2, &["bad.yaml", "format 9"]);
    user.run(&["site", "check", "w.yaml", "nowhere"])
        .ends(2, &["nowhere"]);
    user.run(&["site", "check", "w.yaml", "bad.yaml", "saved"])
        .ends(1, &["bad.yaml"]);
    user.put("empty/readme.md", "");
    user.run(&["site", "check", "empty", "saved"])
        .ends(2, &["no wrappers"]);
}

#[test]
fn an_expression_that_is_too_much_is_named_at_import_and_on_its_page() {
    let user = User::new();
    let expression = "//p[count(preceding::h2) > 3]";
    user.put(
        "big.example.txt",
        format!("body: {expression}\nstrip: //h3\n"),
    );
    let imported = user.run(&["site", "import", "big.example.txt"]);
    imported.ends(0, &[expression, "may be too much for a large page"]);
    assert!(!imported.err.contains("//h3"), "{}", imported.err);
    let page = "<h2>a</h2><p>word and word</p>".repeat(10_000);
    user.put("big.example/page.html", page);
    let args = [
        "site",
        "check",
        "sites/big.example.yaml",
        "big.example",
        "--json",
    ];
    let checked = user.run(&args);
    let said = format!("`{expression}` is too much for this page");
    assert!(checked.out.contains(&said), "{}", checked.out);
}
