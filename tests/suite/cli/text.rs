//! `forest text`.

use crate::cli::User;

const PAGE: &str = "<!doctype html><title>Ferries</title><h1>Ferries</h1>\
    <p>The ferry leaves at noon.<p>It's&nbsp;&#147;late&#148; &amp; slow";

#[test]
fn a_page_is_text_a_line_a_block() {
    let user = User::new();
    user.put("a.html", PAGE);
    let text = user.run(&["text", "a.html"]);
    text.ends(0, &[]);
    let lines: Vec<&str> = text.out.lines().collect();
    assert!(lines.contains(&"The ferry leaves at noon."), "{}", text.out);
    assert!(text.out.contains("“late” & slow") && text.out.ends_with('\n'));
    assert_eq!(text.err, "");
    assert_eq!(user.run_with(&["text", "-"], PAGE).out, text.out);
}

#[test]
fn a_packed_page_is_unpacked_wherever_it_comes_from() {
    use std::io::Write;
    let user = User::new();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(PAGE.as_bytes()).expect("packed");
    let packed = packed.finish().expect("packed");
    user.put("a.html.gz", &packed);
    user.put("a.html", PAGE);
    let plain = user.run(&["text", "a.html"]).out;
    assert_eq!(user.run(&["text", "a.html.gz"]).out, plain);
    assert_eq!(user.run_with(&["text", "-"], packed).out, plain);
}

#[test]
fn a_page_is_xhtml() {
    let user = User::new();
    user.put("a.html", PAGE);
    let xhtml = user.run(&["text", "a.html", "--format", "xhtml"]);
    xhtml.ends(0, &[]);
    assert!(
        xhtml.out.starts_with(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE html>\n<html xmlns="
        )
    );
    assert!(
        xhtml
            .out
            .ends_with("<p>It's\u{a0}“late” &amp; slow</p></body></html>\n")
    );
    // Two documents in one would be none.
    user.put("b.html", PAGE);
    user.run(&["text", "a.html", "b.html", "--format", "xhtml"])
        .ends(2, &["--out DIR/"]);
    let many = [
        "text", "a.html", "b.html", "--format", "xhtml", "--out", "x/",
    ];
    user.run(&many).ends(0, &["2 documents"]);
    let names = user.names("x");
    assert_eq!(names.len(), 2, "{names:?}");
    assert!(names.iter().all(|name| name.ends_with(".xhtml")));
}

#[test]
fn sitemaps_and_feeds_are_left_out_with_a_reason() {
    let user = User::new();
    user.put("a.html", PAGE);
    user.put(
        "sitemap.xml",
        "<?xml version='1.0'?><urlset><url><loc>https://a.example/</loc></url></urlset>",
    );
    user.put(
        "feed.xml",
        "<rss version='2.0'><channel><title>A</title></channel></rss>",
    );
    let alone = user.run(&["text", "sitemap.xml"]);
    alone.ends(1, &["sitemap.xml", "a sitemap", "left out"]);
    assert_eq!(alone.out, "");
    user.run(&["text", "feed.xml"])
        .ends(1, &["a feed", "forest apply"]);
    user.run(&["text", "a.html", "sitemap.xml", "-q"])
        .ends(3, &["a sitemap"]);
    user.run(&["text", "none.html"]).ends(2, &["none.html"]);
    user.run(&["text", "none.html", "a.html"])
        .ends(3, &["none.html"]);
}

#[test]
fn a_converted_document_gives_its_text() {
    let user = User::new();
    user.put(
        "a.xml",
        "<document><header>Rules</header><page><textfield>No dogs &amp; cats.</textfield></page></document>",
    );
    let text = user.run(&["text", "a.xml"]);
    text.ends(0, &[]);
    assert!(text.out.contains("No dogs & cats."), "{}", text.out);
    assert_eq!(text.err, "");
}

#[test]
fn what_is_no_page_is_dumped_and_stderr_says_so() {
    let user = User::new();
    user.put("a.bin", b"\x7fELF\0\0\x01some words\0\0\0");
    let dumped = user.run(&["text", "a.bin"]);
    dumped.ends(0, &["a.bin", "binary data", "as it stands"]);
    assert_eq!(dumped.out, "some words\n");
    let xhtml = user.run(&["text", "a.bin", "--format", "xhtml"]);
    xhtml.ends(0, &["binary data"]);
    assert!(xhtml.out.contains("<p>some words</p>"));
    user.put("empty.html", "");
    let empty = user.run(&["text", "empty.html"]);
    empty.ends(1, &["empty.html", "an empty document"]);
    assert_eq!(empty.out, "");
    user.put("blank.html", "<p> ");
    user.run(&["text", "blank.html"]).ends(1, &["no text"]);
}

#[test]
fn plain_text_goes_through_the_rules() {
    let user = User::new();
    user.put("a.txt", "The first\nparagraph.\n\nThe second: 1 < 2.");
    let text = user.run(&["text", "a.txt"]);
    text.ends(0, &[]);
    assert!(text.out.contains("The second: 1 < 2."), "{}", text.out);
}

#[test]
fn a_folder_and_a_file_for_each_text() {
    let user = User::new();
    user.put("site/1.html", PAGE);
    user.put("site/2.html", PAGE);
    let both = user.run(&["text", "site"]);
    both.ends(0, &["2 documents: text in 2"]);
    assert_eq!(both.out.matches("at noon").count(), 2);
    // An empty line parts the two.
    assert!(both.out.contains("\n\n"));
    user.run(&["text", "site", "--out", "out/"]).ends(0, &[]);
    assert_eq!(user.names("out"), ["site_1.txt", "site_2.txt"]);
    user.run(&["text", "site", "--out", "all.txt"]).ends(0, &[]);
    assert_eq!(user.read("all.txt"), both.out);
}

#[test]
fn the_article_alone() {
    let user = User::new();
    let story = "The ferry to the islands leaves an hour later from Monday on, said the harbour \
        master, who asked for patience. ";
    let links = "<li><a href=/a>News</a><li><a href=/b>Weather for today and for tomorrow</a>";
    user.put(
        "a.html",
        format!("<title>x</title><ul>{links}</ul><article><h1>The ferry</h1><p>{story}<p>{story}{story}<p>{story}{story}</article>"),
    );
    let whole = user.run(&["text", "a.html"]).out;
    let article = user.run(&["text", "a.html", "--article"]);
    article.ends(0, &[]);
    assert!(article.out.contains("harbour") && article.out.len() < whole.len());
    assert!(!article.out.contains("Weather"), "{}", article.out);
    let xhtml = user.run(&["text", "a.html", "--article", "--format", "xhtml"]);
    assert!(xhtml.out.contains("harbour") && !xhtml.out.contains("Weather"));
    user.put("b.html", "<title>404 Not Found</title><h1>Not Found</h1>");
    user.run(&["text", "b.html", "--article"])
        .ends(1, &["no article"]);
}

#[test]
fn settings_come_from_a_file_and_flags_go_before_it() {
    let user = User::new();
    user.put(
        "a.html",
        "<p><abbr title=\"New South Wales\">NSW</abbr> it is.",
    );
    user.put("s.yaml", "expand_abbreviations: false\n");
    assert!(
        user.run(&["text", "a.html"])
            .out
            .contains("New South Wales")
    );
    let set = user.run(&["text", "a.html", "--settings", "s.yaml"]);
    set.ends(0, &[]);
    assert!(!set.out.contains("New South Wales"), "{}", set.out);
    user.put("bad.yaml", "expand: 1\n");
    user.run(&["text", "a.html", "--settings", "bad.yaml"])
        .ends(2, &["bad.yaml", "expand"]);
    user.run(&["text", "a.html", "--settings", "none.yaml"])
        .ends(2, &["none.yaml"]);
    user.run(&["text", "a.html", "--table-style", "tables"])
        .ends(2, &["clause", "sentence", "markdown"]);
    user.run(&["text", "a.html", "--language", "tlh"])
        .ends(2, &["tlh", "en"]);
}

#[test]
fn what_is_removed_is_written_down() {
    let user = User::new();
    user.put("a.html", PAGE);
    user.run(&["text", "a.html", "--removed", "removed.txt"])
        .ends(0, &[]);
    assert!(user.names(".").contains(&"removed.txt".to_owned()));
}

#[test]
fn articles_are_one_xhtml_document() {
    let user = User::new();
    let story = "The ferry to the islands leaves an hour later from Monday on, said the harbour \
        master, who asked for patience. ";
    for n in 0..2 {
        user.put(
            &format!("site/{n}.html"),
            format!("<html lang=en><title>A &amp; B\u{1}</title><article><h1>A &amp; B</h1><p>{story}<br>{story}<p>{story}{story}<img src=a.png alt='<'></article>"),
        );
    }
    let xhtml = user.run(&["apply", "site", "--format", "xhtml"]);
    xhtml.ends(0, &[]);
    well_formed(&xhtml.out);
    assert_eq!(xhtml.out.matches("<article ").count(), 2);
    assert!(xhtml.out.contains("xml:lang=\"en\""));
    user.run(&["apply", "site", "--format", "xhtml", "--out", "x/"])
        .ends(0, &[]);
    assert_eq!(user.names("x"), ["site_0.xhtml", "site_1.xhtml"]);
    well_formed(&user.read("x/site_0.xhtml"));
    // Nothing is a document, too.
    user.put(
        "none.html",
        "<title>404 Not Found</title><h1>Not Found</h1>",
    );
    let none = user.run(&["apply", "none.html", "--format", "xhtml"]);
    none.ends(1, &["empty"]);
    well_formed(&none.out);
}

#[track_caller]
fn well_formed(xhtml: &str) {
    let options = roxmltree::ParsingOptions {
        allow_dtd: true,
        ..Default::default()
    };
    if let Err(error) = roxmltree::Document::parse_with_options(xhtml, options) {
        panic!("{error}: {xhtml}");
    }
}
