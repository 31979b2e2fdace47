//! Wrappers of lists: `forest learn --list` and `forest apply` with one.

use crate::cli::User;

/// A list's wrapper as a person writes it.
const HAND_WRITTEN: &str = "format: 1\nkind: list\nsite: a.example\nitem: //li\ntitle: [.//b]\n";

#[test]
fn a_hand_written_list_gives_a_line_an_item() {
    let user = User::new();
    user.put("a.list.yaml", HAND_WRITTEN);
    let html = "<ul><li><a href=https://a.example/2024/05/06/x><b>First</b> so</a><li><a href=https://a.example/y>\
                <b>Second</b></a></ul>";
    user.put("page.html", html);
    let applied = user.run(&["apply", "--wrapper", "a.list.yaml", "page.html"]);
    applied.ends(0, &["2 items on 1 page"]);
    let mut lines = applied.records();
    // A page without an address is named by its file, with the folder where it may be a site's.
    let list = lines[0]["list"].take();
    assert!(
        list.as_str().is_some_and(|list| list.ends_with("page")),
        "{list}"
    );
    assert_eq!(
        lines[0],
        serde_json::json!({
            "list": null, "position": 1, "url": "https://a.example/2024/05/06/x", "title": "First",
            "date": "2024-05-06T00:00:00Z", "summary": null, "image": null, "author": null, "status": "ok"
        })
    );
    assert_eq!(lines[1]["title"], "Second");
    user.put("empty.html", "<p>Nothing here");
    let empty = user.run(&["apply", "--wrapper", "a.list.yaml", "empty.html"]);
    empty.ends(1, &["selects no item"]);
    assert_eq!(empty.records()[0]["status"], "empty");
}

#[test]
fn a_list_is_no_wrapper_of_articles() {
    let user = User::new();
    user.put("sites/a.example.yaml", HAND_WRITTEN);
    user.put("a.example/1.html", "<p>Words");
    let applied = user.run(&["apply", "a.example"]);
    assert!(
        applied.out.contains("kind: list"),
        "{}{}",
        applied.out,
        applied.err
    );
}

#[test]
fn lists_are_exported_and_imported_and_a_second_one_of_a_site_is_named() {
    let user = User::new();
    let list = HAND_WRITTEN.replace("item:", "pages: [https://a.example/news/]\nitem:");
    user.put("a.list.yaml", &list);
    let export = ["site", "export", "--to", "freshrss", "--out", "feeds.opml"];
    user.run(&[&export[..], &["a.list.yaml"]].concat())
        .ends(0, &[]);
    let import = ["site", "import", "feeds.opml", "--sites", "sites"];
    user.run(&import)
        .ends(0, &["imported to sites/a.example.list.yaml"]);
    user.run(&import).ends(2, &["--force replaces it"]);
    let twice = ["a.list.yaml", "a.list.yaml"];
    user.run(&[&export[..], &twice].concat()).ends(0, &[]);
    let forced = user.run(&[&import[..], &["--force"]].concat());
    forced.ends(3, &["a site has one list, and this is another"]);
    let html2rss = ["site", "export", "--to", "html2rss", "a.list.yaml"];
    let config = user.run(&html2rss);
    assert!(
        config.ends(0, &[]).out.contains("selector: li"),
        "{}",
        config.out
    );
    user.run(&["site", "export", "--to", "ftr", "a.list.yaml"])
        .ends(2, &["freshrss, html2rss or rss-bridge"]);
    // An address stands for a file, and is not asked.
    let bridge = ["site", "export", "--to", "rss-bridge", "a.list.yaml"];
    let query = user.run(&bridge).ends(0, &[]).out.clone();
    let address = format!("https://bridge.example/{}", query.trim_end());
    let from_address = ["site", "import", &address, "--sites", "other"];
    user.run(&from_address)
        .ends(0, &["imported to other/a.example.list.yaml"]);
}

#[test]
fn what_is_not_the_list_is_explained_and_stands_in_a_report() {
    let user = User::new();
    let story = |n: usize| {
        format!(
            "<li><h2><a href=/2024/05/{n}-storm-at-sea>Storm number {n} at sea &lt;b&gt;</a></h2> 2024-05-0{n}"
        )
    };
    let stories: String = (1..=5).map(story).collect();
    let part = |name: &str| format!("<li><a href=/{name}>{name}</a>");
    let menu: String = ["sport", "weather", "politics"].map(part).concat();
    user.put(
        "a.example/page.html",
        format!("<nav><ul class=menu>{menu}</ul></nav><ul class=news>{stories}</ul>"),
    );
    let learn = [
        "learn",
        "--list",
        "a.example/page.html",
        "--site",
        "a.example",
    ];
    let learned = user.run(&[&learn[..], &["--explain", "--report", "reports"]].concat());
    learned.ends(0, &[]);
    let why = "not chosen: ";
    let (chosen, rest) = learned.out.split_once(why).expect("another candidate");
    assert!(chosen.contains("news"), "{}", learned.out);
    assert!(
        rest.contains("it is in navigation or beside the text"),
        "{rest}"
    );
    let report = user.read("reports/a.example.list.html");
    for part in [
        "Snapshot 1: 5 items",
        "2024-05-05",
        "Storm number 5 at sea &lt;b&gt;",
        "it is in navigation or beside the text",
    ] {
        assert!(report.contains(part), "{part}: {report}");
    }
    assert!(!report.contains("<script") && report.contains("default-src 'none'"));
}
