//! Pages without a feed: their sites, and the clusters of a site.

use crate::cli::site::{feed, page, paragraph, warc_record, word};
use crate::cli::{Ran, User};
use forest_core::wrapper::Wrapper;
use std::fmt::Write;

/// An article of another layout than [`page`]'s.
fn dossier(n: usize) -> String {
    let chapters: String = (0..5)
        .map(|number| {
            format!(
                "<section class=chapter><p>Dossier {n}:{}</p></section>",
                paragraph(n, number)
            )
        })
        .collect();
    format!(
        "<!DOCTYPE html><html lang=en><head><title>Dossier {n}</title></head><body>\
         <header class=top><nav class=bar><a href=/>Home</a></nav></header>\
         <main class=dossier><header class=lead><h1 class=big>Dossier {n}</h1></header>\
         <article class=long>{chapters}</article></main><aside class=teaser><p>Subscribe to us</p></aside>"
    )
}

/// A page that lists articles.
fn section(n: usize) -> String {
    let items: String = (0..20)
        .map(|k| {
            let at = 20 * n + k;
            format!(
                "<li class=item><h2 class=head><a href=/story/{at}>{} {}</a></h2><time>2026-05-0{}</time>\
                 <p class=sum>{} {} {}</p></li>",
                word(at), word(at + 1), k % 9 + 1, word(at + 2), word(at + 3), word(at + 4)
            )
        })
        .collect();
    format!(
        "<!DOCTYPE html><html lang=en><head><title>Section {n}</title></head><body>\
         <div id=menu><a href=/>Home</a></div><div class=index><h1>Section {n}</h1>\
         <ul class=items>{items}</ul><div class=pager><a href=/p/2 rel=next>Next</a></div></div>"
    )
}

fn canonical(html: &str, url: &str) -> String {
    html.replace(
        "</head>",
        &format!("<link rel=canonical href=\"{url}\"></head>"),
    )
}

fn wrapper(user: &User, site: &str) -> Wrapper {
    let file = user.read(&format!("sites/{site}.yaml"));
    Wrapper::from_yaml(&file).expect("own file").wrapper
}

fn statuses(ran: &Ran) -> Vec<String> {
    let records = ran.records();
    let said = records
        .iter()
        .map(|r| r["status"].as_str().expect("one").to_owned());
    said.collect()
}

#[test]
fn a_second_layout_behind_the_first_ten_names_gets_its_template() {
    let user = User::new();
    for n in 0..14 {
        user.put(&format!("one.example/a-{n:02}.html"), page(n));
        user.put(&format!("one.example/b-{n:02}.html"), dossier(n));
    }
    let learned = user.run(&["learn", "one.example"]);
    learned.ends(0, &[]);
    let said = "28 pages in 2 clusters\n    14 pages of the kind article, template 1\n    14 pages of the kind article, template 2\n";
    assert!(learned.out.contains(said), "{}", learned.out);
    assert_eq!(wrapper(&user, "one.example").sample.len(), 20);
    let applied = user.run(&["apply", "one.example"]);
    applied.ends(0, &["28 pages: 28 ok"]);
    // A page of a layout that was not seen is none of theirs.
    let other = dossier(3)
        .replace("class=dossier", "class=x")
        .replace("header", "div");
    let other = other
        .replace("section", "blockquote")
        .replace("aside", "p")
        .replace("article", "div");
    user.put("one.example/c.html", other);
    let applied = user.run(&["apply", "one.example/c.html"]);
    assert_eq!(statuses(&applied), ["fallback"]);
}

#[test]
fn pages_in_one_folder_are_of_the_sites_that_they_name() {
    let user = User::new();
    let hosts = ["a", "b", "c", "d", "e", "f"].map(|name| format!("{name}.example"));
    for n in 0..24 {
        let url = format!("https://{}/story/{n}", hosts[n % 6]);
        let html = match n % 2 {
            0 => canonical(&page(n), &url),
            _ => page(n).replace(
                "</head>",
                &format!("<meta property=og:url content=\"{url}\"></head>"),
            ),
        };
        user.put(&format!("saved/{n:02}.html"), html);
    }
    user.run(&["learn", "saved"]).ends(0, &[]);
    let files = hosts.clone().map(|host| format!("{host}.yaml"));
    assert_eq!(user.names("sites"), files);
    let applied = user.run(&["apply", "saved"]);
    applied.ends(0, &["24 pages: 24 ok"]);
    for (n, record) in applied.records().iter().enumerate() {
        assert_eq!(record["site"], hosts[n % 6]);
    }
    // An address that is known counts for more than the one that a page claims.
    for n in 0..4 {
        user.put(
            &format!("own/{n}.html"),
            canonical(&page(n), "https://a.example/x"),
        );
        user.put(
            &format!("own/{n}.json"),
            format!(r#"{{"url": "https://own.example/{n}"}}"#),
        );
    }
    user.run(&["learn", "own", "--sites", "own-sites"])
        .ends(0, &[]);
    assert_eq!(user.names("own-sites"), ["own.example.yaml"]);
}

#[test]
fn lists_among_articles_are_left_out_and_known() {
    let user = User::new();
    for n in 0..12 {
        user.put(&format!("one.example/{n:02}.html"), page(n));
    }
    for n in 0..6 {
        user.put(&format!("one.example/0-list-{n}.html"), section(n));
    }
    let learned = user.run(&["learn", "one.example", "--json", "--report", "report"]);
    learned.ends(0, &[]);
    let json: serde_json::Value = serde_json::from_str(&learned.out).expect("a line");
    assert_eq!((&json["pages"], &json["unfit"]), (&18.into(), &0.into()));
    let clusters = &json["clusters"];
    assert_eq!(
        clusters[0],
        serde_json::json!({"pages": 12, "kind": "article", "templates": [0]})
    );
    assert_eq!(
        (&clusters[1]["pages"], &clusters[1]["kind"]),
        (&6.into(), &"listing".into())
    );
    assert!(
        clusters[1]["left_out"]
            .as_str()
            .expect("why")
            .contains("list other pages")
    );
    let report = user.read("report/one.example.html");
    assert!(report.contains("<h2>Clusters</h2>") && report.contains("2 div.story"));
    let audience = wrapper(&user, "one.example").templates[0]
        .audience
        .clone()
        .expect("for");
    assert!(
        audience.patterns.contains(&"2 div.story".to_owned()),
        "{audience:?}"
    );
    let applied = user.run(&["apply", "one.example"]);
    let lists = applied
        .records()
        .iter()
        .filter(|r| r["status"] == "fallback" && r["kind"] == "listing")
        .count();
    assert_eq!(lists, 6, "{}", applied.out);
}

#[test]
fn more_than_a_tenth_that_fits_none_is_partial() {
    let user = User::new();
    let odd = |n: usize| {
        let tags = ["table", "dl", "form", "figure"][n];
        format!(
            "<html><body><{tags} class=x{tags}><b class=y{tags}>{}</b></{tags}>",
            word(n)
        )
    };
    let pages: String = (0..20)
        .map(|n| {
            serde_json::json!({"url": format!("https://one.example/s/{n}"), "html": page(n)})
                .to_string()
                + "\n"
        })
        .collect();
    let mut odds = String::new();
    for n in 0..4 {
        let line =
            serde_json::json!({"url": format!("https://one.example/{n}?a{n}=1"), "html": odd(n)});
        let _ = writeln!(odds, "{line}");
    }
    let learned = user.run_with(&["learn", "-"], format!("{pages}{odds}"));
    learned.ends(3, &["no other page of its site is made like it"]);
    assert!(
        learned
            .out
            .contains("24 pages in 1 cluster, 4 pages fit none\n"),
        "{}",
        learned.out
    );
    let first = odds.lines().next().expect("a line");
    let learned = user.run_with(&["learn", "-", "--sites", "b"], format!("{pages}{first}\n"));
    learned.ends(0, &[]);
    assert!(
        learned
            .out
            .contains("21 pages in 1 cluster, 1 page fits none\n"),
        "{}",
        learned.out
    );
}

#[test]
fn archives_lists_and_folders_have_the_same_clusters_in_any_order() {
    let user = User::new();
    let all: Vec<(String, String)> = (0..40)
        .map(|n| match n % 4 {
            0 => (format!("https://one.example/long/{n}"), dossier(n)),
            _ => (format!("https://one.example/news/{n}"), page(n)),
        })
        .collect();
    let learned = |name: &str, pages: &[(String, String)]| {
        let lines = pages
            .iter()
            .map(|(url, html)| serde_json::json!({"url": url, "html": html}).to_string() + "\n");
        user.put(&format!("{name}.jsonl"), lines.collect::<String>());
        let records = pages.iter().flat_map(|(url, html)| warc_record(url, html));
        user.put(&format!("{name}.warc"), records.collect::<Vec<u8>>());
        ["jsonl", "warc"].map(|ending| {
            let _ = std::fs::remove_dir_all(user.path("sites"));
            user.run(&["learn", &format!("{name}.{ending}")])
                .ends(0, &[]);
            let mut urls: Vec<String> = wrapper(&user, "one.example")
                .sample
                .into_iter()
                .map(|p| p.url)
                .collect();
            urls.sort();
            (urls, wrapper(&user, "one.example").templates.len())
        })
    };
    let [a, b] = learned("forth", &all);
    let turned: Vec<_> = all.iter().rev().cloned().collect();
    let [c, d] = learned("back", &turned);
    assert_eq!((a.0.len(), a.1), (20, 2));
    assert!(a == b && a == c && a == d, "{a:?} {b:?} {c:?} {d:?}");
}

#[test]
fn a_feed_among_pages_is_learned_as_ever() {
    let user = User::with_pages(10);
    let links: Vec<String> = (0..10)
        .map(|n| format!("https://small.example/{n}"))
        .collect();
    user.put("small.example/feed.xml", feed(&links));
    user.put("small.example/other.html", dossier(1));
    let learned = user.run(&["learn", "small.example/feed.xml"]);
    learned.ends(0, &[]);
    assert!(!learned.out.contains("cluster"), "{}", learned.out);
    assert!(
        wrapper(&user, "small.example").templates[0]
            .audience
            .is_none()
    );
}
