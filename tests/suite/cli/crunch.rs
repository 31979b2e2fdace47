//! `forest filter`.

use crate::cli::User;

const PAGE: &str = "<!doctype html><title>Ferries</title>\
    <table><tr><td><a href=/>Home</a> <a href=/n>News</a><td><p>The ferry leaves at noon, says the harbour master.\
    <img src='//ads.example/1.gif'><script>x()</script></table>";

#[test]
fn a_page_is_written_without_its_clutter() {
    let user = User::new();
    user.put("a.html", PAGE);
    let light = user.run(&["filter", "a.html"]);
    light.ends(0, &[]);
    assert!(
        light.out.contains("<p>The ferry leaves at noon"),
        "{}",
        light.out
    );
    assert!(
        !light.out.contains("script") && !light.out.contains("img"),
        "{}",
        light.out
    );
    // What is filtered is filtered.
    assert_eq!(
        user.run_with(&["filter", "-"], light.out.clone()).out,
        light.out
    );
}

#[test]
fn a_page_is_text_or_xhtml() {
    let user = User::new();
    user.put("a.html", PAGE);
    let text = user.run(&["filter", "a.html", "--profile", "text"]).out;
    assert_eq!(
        text,
        "Ferries\nThe ferry leaves at noon, says the harbour master.\n"
    );
    let xhtml = user.run(&["filter", "a.html", "--format", "xhtml"]).out;
    assert!(
        xhtml.starts_with("<?xml") && xhtml.ends_with("</html>\n"),
        "{xhtml}"
    );
}

#[test]
fn settings_are_a_file_and_its_mistakes_have_a_line() {
    let user = User::new();
    user.put("a.html", PAGE);
    let printed = user.run(&["filter", "--print-settings", "--profile", "speech"]);
    printed.ends(0, &[]);
    user.put("speech.yaml", &printed.out);
    let by_file = user
        .run(&["filter", "a.html", "--settings", "speech.yaml"])
        .out;
    assert_eq!(
        by_file,
        user.run(&["filter", "a.html", "--profile", "speech"]).out
    );
    user.put("config/forest/filter/mine.yaml", &printed.out);
    let saved = user.run(&["filter", "a.html", "--profile", "mine"]).out;
    assert_eq!(saved, by_file, "a saved profile has its name");
    let unknown = user.run(&["filter", "a.html", "--profile", "nope"]);
    unknown.ends(2, &["--profile nope", "light, reader", "saved"]);
    user.put("wrong.yaml", "ads: true\nscrips: no\n");
    let wrong = user.run(&["filter", "a.html", "--settings", "wrong.yaml"]);
    wrong.ends(2, &["wrong.yaml", "line 2", "scrips"]);
}

#[test]
fn servers_of_advertisements_come_from_files() {
    let user = User::new();
    user.put("a.html", PAGE);
    user.put("hosts", "0.0.0.0 ads.example\n");
    user.put("s.yaml", "images: false\n");
    let kept = user.run(&["filter", "a.html", "--settings", "s.yaml"]).out;
    assert!(kept.contains("//ads.example/1.gif"), "{kept}");
    let with = ["filter", "a.html", "--settings", "s.yaml", "--ads", "hosts"];
    assert!(!user.run(&with).out.contains("ads.example"));
    user.put("data/forest/ads/mine.txt", "ads.example\n");
    let stored = user.run(&["filter", "a.html", "--settings", "s.yaml"]).out;
    assert!(!stored.contains("ads.example"), "{stored}");
    user.run(&["filter", "a.html", "--ads", "none"])
        .ends(2, &["none"]);
    let unread = "ads.example\n/[a-z]+/\n##a:hover\n";
    user.put("rules", unread);
    let with = ["filter", "a.html", "--settings", "s.yaml", "--ads", "rules"];
    let filtered = user.run(&with);
    assert!(
        filtered.err.contains("rules: 2 lines are not understood"),
        "{}",
        filtered.err
    );
    let remedy = "feature `adblock`";
    assert_eq!(filtered.err.contains(remedy), !cfg!(feature = "adblock"));
}

#[test]
fn two_pages_go_to_a_folder() {
    let user = User::new();
    user.put("a.html", PAGE);
    user.put("b.html", PAGE);
    user.run(&["filter", "a.html", "b.html"])
        .ends(2, &["--out DIR/"]);
    user.run(&["filter", "a.html", "b.html", "--out", "light/"])
        .ends(0, &[]);
    assert_eq!(user.names("light"), ["a.html", "b.html"]);
    user.run(&["filter", "a.html", "c.html"])
        .ends(3, &["c.html"]);
}

#[test]
fn a_list_is_fetched_and_stays_when_its_server_is_gone() {
    let user = User::new();
    user.put("a.html", PAGE);
    user.put("s.yaml", "images: false\n");
    let server = crate::cli::live::serve(|_| {
        vec![("/hosts", "text/plain", b"0.0.0.0 ads.example\n".to_vec())]
    });
    let url = format!("{}/hosts", server.base);
    let update = [
        "filter",
        "--update-ads",
        &url,
        "--allow-private",
        "--no-cache",
    ];
    user.run(&update).ends(0, &["1 host"]);
    drop(server);
    user.run(&update).ends(0, &["minutes ago stays in use"]);
    let filtered = user.run(&["filter", "a.html", "--settings", "s.yaml"]).out;
    assert!(!filtered.contains("ads.example"), "{filtered}");
    let page = crate::cli::live::serve(|_| vec![("/hosts", "text/html", b"<p>No".to_vec())]);
    let other = format!("{}/hosts", page.base);
    let update = [
        "filter",
        "--update-ads",
        &other,
        "--allow-private",
        "--no-cache",
    ];
    user.run(&update).ends(2, &["without a host"]);
}
