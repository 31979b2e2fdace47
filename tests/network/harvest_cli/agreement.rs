//! `learn` and `harvest` learn the same wrapper from the same pages.

use super::site::{Site, User};
use crate::loopback::Loopback;
use crate::story::paragraphs;
use axum::Router;
use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// Paths and their contents.
type Files = BTreeMap<String, (&'static str, Vec<u8>)>;

/// Serves the files that `files` makes from the server's address.
fn serve(files: impl FnOnce(&str) -> Files) -> (Loopback, String) {
    let server = Loopback::of(|address| {
        let files = files(&address.to_string());
        Router::new().fallback(move |uri: Uri| {
            let found = files.get(uri.path()).cloned();
            async move { answer(found) }
        })
    });
    let feed = format!("http://{}/feed.xml", server.address);
    (server, feed)
}

fn answer(found: Option<(&'static str, Vec<u8>)>) -> Response {
    match found {
        Some((kind, bytes)) => ([(header::CONTENT_TYPE, kind)], bytes).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

/// Bytes with each `from` replaced.
fn replaced(bytes: &[u8], from: &str, to: &str) -> Vec<u8> {
    let (mut out, mut rest) = (Vec::new(), bytes);
    let find = |rest: &[u8]| rest.windows(from.len()).position(|w| w == from.as_bytes());
    while let Some(at) = find(rest) {
        out.extend_from_slice(&rest[..at]);
        out.extend_from_slice(to.as_bytes());
        rest = &rest[at + from.len()..];
    }
    [out, rest.to_vec()].concat()
}

/// A site of the project's gold, with the feed moved to this address.
fn gold_site(folder: &Path, host: &str) -> Files {
    let read = |name: &str| std::fs::read(folder.join(name)).expect("a file");
    let site = folder.file_name().and_then(|name| name.to_str());
    let site = site.expect("a name");
    let mut feed = read("feed.xml");
    for scheme in ["https", "http"] {
        feed = replaced(
            &feed,
            &format!("{scheme}://{site}"),
            &format!("http://{host}"),
        );
    }
    let mut files = Files::from([("/feed.xml".to_owned(), ("application/xml", feed.clone()))]);
    let mut urls: BTreeMap<String, String> = BTreeMap::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let name = entry.expect("an entry").file_name();
        let name = name.to_str().expect("UTF-8");
        if let Some(id) = name.strip_suffix(".json").filter(|id| *id != "feed") {
            let gold: Value = serde_json::from_slice(&read(name)).expect("JSON");
            let url = gold["url"].as_str().expect("an address");
            let path = url.find(site).map_or(url, |at| &url[at + site.len()..]);
            urls.insert(path.to_owned(), id.to_owned());
        }
    }
    let base = url::Url::parse(&format!("http://{host}/feed.xml")).expect("an address");
    let items = forest_core::feed::parse(&feed, Some(&base), None)
        .expect("a feed")
        .items;
    for link in items.iter().filter_map(|item| item.link.as_ref()) {
        // A page without an article has no gold, and is named so.
        let own = link
            .path_segments()
            .and_then(|parts| parts.rev().find(|part| !part.is_empty()));
        let own = own.unwrap_or_default();
        let own = own.strip_suffix(".html").unwrap_or(own).to_owned();
        let id = urls.get(link.path()).unwrap_or(&own);
        if folder.join(format!("{id}.html")).is_file() {
            let page = ("text/html", read(&format!("{id}.html")));
            files.insert(link.path().to_owned(), page);
        }
    }
    files
}

/// A staff member, introduced in a pop-up on every page.
fn introduction(n: usize) -> String {
    let word = |k: usize| ["lamp", "pier", "kiln", "loom", "quay", "barn", "mill"][(n + k * k) % 7];
    format!(
        "<div class=popup id=popup-{n}><h3>Member {n}</h3><p>Member{n} has looked after the {} of our house for {n} \
         years, and came to us from the {} in town, where the {} was built by hand. Before that, member{n} wrote of the \
         {} and of everything that floats.</p><p>In the evening member{n} mends the {} with two friends, and on Sundays \
         all of them walk to the {}. Their book was read in nine countries, and was printed again last year.</p></div>",
        word(1),
        word(2),
        word(3),
        word(4),
        word(5),
        word(6)
    )
}

/// Articles in front of two dozen pop-ups, which a style sheet hides. `marked`: the markup of
/// the article.
fn popups(host: &str, marked: &str) -> Files {
    let shown: String = (1..=24).map(introduction).collect();
    let (mut files, mut items) = (Files::new(), String::new());
    for n in 1..=12 {
        let own = paragraphs("", n);
        let _ = write!(
            items,
            "<item><title>Story {n}</title><link>http://{host}/story/{n}</link><description>{}</description>\
             <category>Tides</category><author>@house</author><dc:creator>Anna Hill</dc:creator></item>",
            own[0]
        );
        let own: String = own.iter().map(|text| format!("<p>{text}</p>")).collect();
        let page = format!(
            "<!DOCTYPE html><html lang=en><title>Story {n}</title><ul class=menu><li><a href=/>Home</a><li>\
             <a href=/sport>Sport</a></ul><{marked}><h1>Story {n}</h1>{own}</{marked}>{shown}\
             <div class=foot>All rights reserved. <a href=/terms>Terms of use</a></div>"
        );
        files.insert(format!("/story/{n}"), ("text/html", page.into_bytes()));
    }
    let feed = format!(
        "<rss version='2.0' xmlns:dc='http://purl.org/dc/elements/1.1/'><channel><title>The House</title><link>http://{host}/</link>{items}</channel></rss>"
    );
    files.insert(
        "/feed.xml".to_owned(),
        ("application/rss+xml", feed.into_bytes()),
    );
    files
}

/// Learns and harvests the feeds. Returns the wrapper files of both, without the time of
/// learning and the digest.
fn both(user: &User, feeds: &[&str]) -> [BTreeMap<String, String>; 2] {
    let net = ["--allow-private", "--delay", "0"];
    let learn = ["learn", "--sites", "learned"];
    for feed in feeds {
        // Some pages of a feed are gone, which is reported.
        let ran = user.run(&[&learn[..], &net, &[feed]].concat());
        assert!(matches!(ran.code, Some(0 | 3)), "{feed}: {}", ran.err);
    }
    let add = ["harvest", "add", "--archive", "store"];
    user.run(&[&add[..], &net, feeds].concat()).ends(0, &[]);
    user.round(3, &[]);
    [user.path("learned"), user.store().join("sites")].map(|folder| {
        let files = std::fs::read_dir(folder).expect("wrappers");
        let files = files.map(|file| {
            let path = file.expect("a file").path();
            let yaml = std::fs::read_to_string(&path).expect("readable");
            let is_own =
                |line: &&str| !line.starts_with("learned:") && !line.starts_with("digest:");
            let name = path.file_name().expect("a name").to_string_lossy();
            let own: Vec<&str> = yaml.lines().filter(is_own).collect();
            (name.into_owned(), own.join("\n"))
        });
        files.collect()
    })
}

#[test]
fn every_site_of_the_gold_gets_the_same_wrapper_from_both() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("gold");
    let mut folders: Vec<_> = std::fs::read_dir(root)
        .expect("gold")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.join("feed.xml").is_file())
        .collect();
    folders.sort();
    assert_eq!(folders.len(), 18);
    let served: Vec<(Loopback, String)> = folders
        .iter()
        .map(|folder| serve(|host| gold_site(folder, host)))
        .collect();
    let feeds: Vec<&str> = served.iter().map(|(_, feed)| feed.as_str()).collect();
    let [learned, harvested] = both(&User::new(), &feeds);
    assert_eq!((learned.len(), harvested.len()), (18, 18));
    for (name, wrapper) in &learned {
        assert_eq!(harvested.get(name), Some(wrapper), "{name}");
    }
}

#[test]
fn pop_ups_on_every_page_do_not_outweigh_ten_pages_that_agree() {
    let (_server, feed) = serve(|host| popups(host, "article"));
    let user = User::new();
    let [learned, harvested] = both(&user, &[&feed]);
    let (_, wrapper) = learned.first_key_value().expect("one");
    assert!(wrapper.contains("\n  - //article\n"), "{wrapper}");
    assert!(wrapper.contains("\n  agreement:\n"), "{wrapper}");
    assert_eq!(learned, harvested);
    let stored = user
        .run(&["archive", "export", "--archive", "store"])
        .records();
    assert_eq!(stored.len(), 12);
    for record in stored {
        let text = record["text"].as_str().expect("a text");
        assert_eq!(
            (record["status"].as_str(), text.contains("Member")),
            (Some("ok"), false)
        );
        // Only the feed has authors and tags.
        let fields = (&record["authors"], &record["tags"]);
        assert_eq!(
            fields,
            (&json!(["Anna Hill"]), &json!(["Tides"])),
            "{record}"
        );
        assert!(
            text.starts_with("Story ") && text.contains("part5 of story"),
            "{text}"
        );
    }
    let applied = user.run(&[
        "apply",
        &feed,
        "--sites",
        "learned",
        "--allow-private",
        "--delay",
        "0",
    ]);
    for record in applied.ends(0, &[]).records() {
        let fields = (&record["authors"], &record["tags"]);
        assert_eq!(
            fields,
            (&json!(["Anna Hill"]), &json!(["Tides"])),
            "{record}"
        );
    }
    // Unchanged pages are not drift.
    let status = user.run(&["harvest", "status", "--archive", "store", "--json"]);
    let status = &status.records()[0]["sites"][0];
    assert_eq!(
        (&status["verdict"], &status["not_learned"]),
        (&"ok".into(), &Value::Null)
    );
    let file = std::fs::read_dir(user.path("learned"))
        .expect("a folder")
        .next();
    let file = file.expect("one").expect("a file").path();
    let file = file.to_string_lossy();
    user.run(&[
        "site",
        "check",
        &file,
        &feed,
        "--allow-private",
        "--delay",
        "0",
    ])
    .ends(0, &[]);
}

#[test]
fn a_site_without_a_wrapper_has_a_reason_and_a_remedy() {
    let (site, user) = (Site::new(1), User::new());
    user.add(&site);
    user.round(3, &[]).ends(0, &[]);
    let stored = user
        .run(&["archive", "export", "--archive", "store"])
        .records();
    assert_eq!(
        (stored.len(), &stored[0]["status"]),
        (1, &"fallback".into())
    );
    assert_eq!(stored[0]["site"], site.host);
    let status = |more: &[&str]| {
        let status = ["harvest", "status", "--archive", "store"];
        user.run(&[&status[..], more].concat())
    };
    let lines = status(&[]).out;
    assert!(
        lines.contains("no wrapper yet") && lines.contains("1 article of the 2 that are needed"),
        "{lines}"
    );
    let json = &status(&["--json"]).records()[0]["sites"][0];
    assert!(
        json["remedy"]
            .as_str()
            .is_some_and(|message| message.contains("more pages")),
        "{json}"
    );
    // Comics: the wrapper of their related links is good for none of the pages.
    let (_server, feed) = serve(comics);
    user.add_all(&[&feed]).ends(0, &[]);
    user.round(9, &[]).ends(0, &["nothing learned"]);
    let all = status(&["--json"]).records();
    let sites = all[0]["sites"].as_array().expect("sites");
    let comics = sites
        .iter()
        .find(|json| feed.contains(json["site"].as_str().unwrap_or("?")));
    let comics = comics.expect("the site");
    let value = |key: &str| comics[key].as_str().unwrap_or_default().to_owned();
    assert!(value("not_learned").contains("like an article"), "{comics}");
    assert!(
        value("remedy").contains(&format!("forest learn {feed} --sites store/sites")),
        "{comics}"
    );
    let lines = status(&[]).out;
    assert!(
        lines.contains(&value("not_learned")) && lines.contains(&value("remedy")),
        "{lines}"
    );
}

/// Pages with a picture, and links to others.
fn comics(host: &str) -> Files {
    let (mut files, mut items) = (Files::new(), String::new());
    for n in 1..=12 {
        let _ = write!(
            items,
            "<item><title>Number {n}</title><link>http://{host}/{n}</link></item>"
        );
        let link = |k: usize| {
            format!(
                "<li><a href=/{k}>{}</a>",
                &paragraphs("", n * k % 7)[0][..40]
            )
        };
        let page = format!(
            "<!DOCTYPE html><html lang=en><title>Number {n}</title><ul class=menu><li><a href=/>Home</a></ul>\
             <h1>Number {n}</h1><div class=comic><img src=/{n}.png alt='Number {n}'></div><div class=also><h3>More</h3>\
             <ul>{}{}{}</ul></div><div class=foot>All rights reserved. <a href=/terms>Terms of use</a></div>",
            link(1),
            link(2),
            link(3)
        );
        files.insert(format!("/{n}"), ("text/html", page.into_bytes()));
    }
    let feed = format!("<rss version='2.0'><channel><title>Comics</title>{items}</channel></rss>");
    files.insert(
        "/feed.xml".to_owned(),
        ("application/rss+xml", feed.into_bytes()),
    );
    files
}
