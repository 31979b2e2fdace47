//! Folders of pages: all pages in them are found, whatever their names and depth.

use crate::cli::site::page;
use crate::cli::{Ran, User};
use std::collections::BTreeSet;

/// The ids of the records, in their order.
fn ids(ran: &Ran) -> Vec<String> {
    let records = ran.records();
    let ids = records.iter().map(|r| r["id"].as_str().expect("an id"));
    ids.map(str::to_owned).collect()
}

#[test]
fn pages_are_found_at_any_depth_and_told_apart() {
    let user = User::new();
    let deep = (0..70).map(|n| format!("{n}/")).collect::<String>();
    for (n, name) in [
        "top.html",
        "y/1.html",
        "2025/11/story.html",
        "2026/11/story.html",
        &format!("{deep}too.html"),
    ]
    .into_iter()
    .enumerate()
    {
        user.put(&format!("mirror/{name}"), page(n));
    }
    let applied = user.run(&["apply", "mirror"]);
    applied.ends(0, &["4 pages", "1 folder", "64 levels", "give"]);
    assert_eq!(
        ids(&applied),
        ["2025/11/story", "2026/11/story", "mirror/top", "y/1"]
    );
    user.run(&["text", "mirror", "--out", "texts/"])
        .ends(0, &[]);
    assert_eq!(
        user.names("texts"),
        [
            "2025_11_story.txt",
            "2026_11_story.txt",
            "mirror_top.txt",
            "y_1.txt"
        ]
    );
}

#[test]
fn pages_of_a_feed_are_told_apart_as_those_of_its_folder_are() {
    let user = User::new();
    let links = ["2025/11/story", "2026/11/story", "y/1", "top"];
    for (n, link) in links.into_iter().enumerate() {
        user.put(&format!("mirror/{link}.html"), page(n));
    }
    let links = links.map(|link| format!("https://a.example/{link}"));
    user.put("mirror/feed.xml", crate::cli::site::feed(&links));
    let applied = user.run(&["apply", "mirror/feed.xml"]);
    applied.ends(0, &["4 pages"]);
    assert_eq!(
        ids(&applied),
        ["2025/11/story", "2026/11/story", "y/1", "mirror/top"]
    );
}

#[test]
fn the_feed_knows_pages_of_any_name() {
    let user = User::new();
    let paths = ["2026/page.php", "story", "numbered"];
    let links = paths.map(|path| format!("https://a.example/{path}"));
    user.put("a.example/feed.xml", crate::cli::site::feed(&links));
    for (n, name) in ["page.php", "story", "3.asp"].into_iter().enumerate() {
        user.put(&format!("a.example/{name}"), page(n));
    }
    user.put(
        "a.example/3.asp.json",
        r#"{"url": "https://a.example/numbered"}"#,
    );
    // A link to what is no page is still one to the web.
    user.put("a.example/numbered", "<?php echo 1 ?><html>");
    let applied = user.run(&["apply", "a.example/feed.xml"]);
    applied.ends(0, &["3 pages"]);
    assert_eq!(
        ids(&applied),
        ["a.example/page.php", "a.example/story", "a.example/3.asp"]
    );
}

#[test]
fn a_mirror_of_sites_is_learned_site_by_site() {
    let user = User::new();
    for n in 0..8 {
        let site = ["one.example", "two.example"][n / 4];
        user.put(&format!("mirror/{site}/{n}/11/story.html"), page(n));
    }
    user.run(&["learn", "mirror"]).ends(0, &[]);
    assert_eq!(
        user.names("sites"),
        ["one.example.yaml", "two.example.yaml"]
    );
    let applied = user.run(&["apply", "mirror"]);
    applied.ends(0, &["8 pages: 8 ok"]);
    // The mirror of one site: its folder is named for it, those of the years are not.
    user.run(&["learn", "mirror/one.example", "--sites", "own"])
        .ends(0, &[]);
    assert_eq!(user.names("own"), ["one.example.yaml"]);
}

#[test]
fn pages_whose_names_differ_in_their_end_are_pages_of_their_own() {
    let user = User::new();
    let names = [
        "p.htm",
        "p.html",
        "p.xhtml",
        "z.html",
        "x/p.html",
        "x/x/p.html",
    ];
    for (n, name) in names.into_iter().enumerate() {
        user.put(&format!("x/{name}"), page(n));
    }
    // The same page twice.
    user.put("x/z.html.gz", "not even gzip");
    user.put("x/z.html-old.html", page(9));
    let applied = user.run(&["apply", "x"]);
    applied.ends(0, &["7 pages: 7 fallback"]);
    let ids = ids(&applied);
    assert_eq!(
        ids,
        [
            "x/p",
            "x/p.html",
            "x/p.xhtml",
            "x/p.html-2",
            "x/x/p",
            "x/z",
            "x/z.html-old"
        ]
    );
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len());
}

#[cfg(target_os = "linux")]
#[test]
fn a_name_that_is_no_unicode_is_a_name() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let user = User::new();
    user.put("pages/a.html", page(0));
    let put = |name: &[u8], content: &str| {
        let path = user.path("pages").join(OsStr::from_bytes(name));
        std::fs::write(path, content).expect("written");
    };
    put(b"caf\xe8.html", &page(1));
    put(b"caf\xe9.html", &page(2));
    put(b"caf\xe9.json", r#"{"url": "https://a.example/cafe"}"#);
    let applied = user.run(&["apply", "pages"]);
    applied.ends(0, &["3 pages"]);
    assert_eq!(
        ids(&applied),
        ["pages/a", "pages/caf\u{fffd}", "pages/caf\u{fffd}.html"]
    );
    assert_eq!(applied.records()[2]["url"], "https://a.example/cafe");
}

#[cfg(unix)]
#[test]
fn links_that_lead_back_are_not_followed_for_ever() {
    use std::os::unix::fs::symlink;
    let user = User::new();
    user.put("beside.html", page(0));
    user.put("all/b/c/1.html", page(1));
    user.put("elsewhere/2.html", page(2));
    for (to, name) in [
        ("..", "all/up"),
        (".", "all/self"),
        ("b", "all/a"),
        ("../..", "all/b/again"),
        ("b/c", "all/short"),
        ("../elsewhere", "all/other"),
        ("nowhere", "all/none"),
    ] {
        symlink(to, user.path(name)).expect("linked");
    }
    let applied = user.run(&["apply", "all"]);
    applied.ends(0, &["2 pages"]);
    // A page has the shortest of its names.
    assert_eq!(ids(&applied), ["other/2", "short/1"]);
}

/// A pipe that nobody writes to would block its reader for ever.
#[cfg(unix)]
#[test]
fn only_files_are_opened() {
    let user = User::new();
    user.put("pages/1.html", page(1));
    user.put("pages/sub/2.html", page(2));
    let names = [
        "pages/0.html",
        "pages/sub/0.html",
        "pages/pipe",
        "pages/link.html",
    ];
    for name in &names[..3] {
        let made = std::process::Command::new("mkfifo")
            .arg(user.path(name))
            .status();
        assert!(made.expect("mkfifo").success());
    }
    std::os::unix::fs::symlink("pipe", user.path(names[3])).expect("linked");
    user.put("pages/0.json", r#"{"url": "https://a.example/0"}"#);
    let links = [
        "https://a.example/0".to_owned(),
        "https://a.example/1".to_owned(),
    ];
    user.put("pages/feed.xml", crate::cli::site::feed(&links));
    let applied = user.run(&["apply", "pages"]);
    applied.ends(0, &["2 pages"]);
    assert_eq!(ids(&applied), ["pages/1", "sub/2"]);
}

/// Root reads what it may not: only a path that is longer than the system takes is
/// closed to everybody.
#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_cannot_be_read_is_named_and_the_others_are_read() {
    let user = User::new();
    user.put("pages/1.html", page(1));
    let long = format!("{}/", "long".repeat(50)).repeat(12);
    user.put(&format!("pages/{long}2.html"), page(2));
    user.put(&format!("rest/{long}3.html"), page(3));
    let to = user.path(&format!("pages/{long}rest"));
    std::fs::rename(user.path("rest"), to).expect("moved");
    let applied = user.run(&["apply", "pages"]);
    applied.ends(
        3,
        &[
            "cannot read the folder pages/long",
            "3 pages: 1 error, 2 fallback",
        ],
    );
}

#[test]
fn what_begins_as_a_page_does_is_one_whatever_its_name() {
    let user = User::new();
    let names = [
        "index.html.1",
        "index.html?p=2",
        "noext",
        "page.php",
        "sub/st.-gallen",
        "utf16.asp",
    ];
    for (n, name) in names.into_iter().enumerate() {
        user.put(&format!("mirror/{name}"), page(n));
    }
    let text = page(5);
    let wide = text.encode_utf16().flat_map(u16::to_le_bytes);
    let wide: Vec<u8> = [0xFF, 0xFE].into_iter().chain(wide).collect();
    user.put("mirror/utf16.asp", wide);
    user.put(
        "mirror/page.php.json",
        r#"{"url": "https://a.example/php"}"#,
    );
    // Templates and programs, copies, and what is there beside pages.
    for name in [
        "a.js",
        "b.xsl",
        "c.svg",
        "d.txt",
        "e.html.orig",
        "f~",
        "g.css?v=1.2",
        ".h",
    ] {
        user.put(&format!("mirror/{name}"), page(7));
    }
    let code = page(7);
    user.put("mirror/source.php", format!("<?php echo 1 ?>\n{code}"));
    user.put("mirror/source.asp", format!("<% x %>\n{code}"));
    user.put("mirror/make-page", format!("#!/bin/sh\necho '{code}'"));
    user.put("mirror/notes", "Some notes.\n");
    user.put("mirror/feed", crate::cli::site::feed(&[]));
    let applied = user.run(&["apply", "mirror"]);
    applied.ends(0, &["6 pages: 6 fallback"]);
    assert_eq!(
        ids(&applied),
        [
            "mirror/index.html.1",
            "mirror/index.html?p=2",
            "mirror/noext",
            "mirror/page.php",
            "sub/st.-gallen",
            "mirror/utf16.asp"
        ]
    );
    assert_eq!(applied.records()[3]["url"], "https://a.example/php");
    assert_eq!(applied.err.lines().count(), 1, "{}", applied.err);
}

#[test]
fn of_names_that_are_no_pages_a_thousand_are_looked_at_in_vain() {
    let user = User::new();
    for n in 0..=1000 {
        user.put(&format!("data/a/{n:04}"), "x");
    }
    user.put("data/b", page(0));
    user.put("data/0", page(1));
    user.put("data/c.html", page(2));
    let applied = user.run(&["apply", "data"]);
    applied.ends(
        0,
        &["2 pages", "2 files", "1000 others", ".html", "by name"],
    );
    assert_eq!(ids(&applied), ["data/0", "data/c"]);
}
