//! Sitemaps as sources of `learn`, `apply`, `harvest add` and `harvest backfill`, on a made-up
//! site on loopback.

use crate::harvest_cli::site::{Ran, User};
use crate::loopback::Loopback;
use crate::story::paragraphs;
use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use flate2::{Compression, write::GzEncoder};
use serde_json::Value;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::{Arc, Mutex};

#[derive(Default)]
struct Shown {
    /// The files by path, beside the stories and tags.
    files: HashMap<String, Vec<u8>>,
    /// The requested paths with the statuses.
    requests: Vec<(String, u16)>,
}

struct MappedSite {
    shown: Arc<Mutex<Shown>>,
    base: String,
    _server: Loopback,
}

impl MappedSite {
    fn new() -> MappedSite {
        let shown = Arc::new(Mutex::new(Shown::default()));
        let router = Router::new()
            .fallback(answer)
            .with_state(Arc::clone(&shown));
        let server = Loopback::of(|_| router);
        MappedSite {
            shown,
            base: format!("http://{}", server.address),
            _server: server,
        }
    }

    fn put(&self, path: &str, body: impl AsRef<[u8]>) -> String {
        let mut shown = self.shown.lock().expect("not poisoned");
        shown
            .files
            .insert(path.to_owned(), body.as_ref().to_owned());
        format!("{}{path}", self.base)
    }

    /// A sitemap of pages with their `lastmod`.
    fn urlset(&self, pages: &[(&str, &str)]) -> String {
        let mut xml = String::from("<?xml version=\"1.0\"?><urlset>");
        for (path, changed) in pages {
            let base = &self.base;
            let _ = write!(
                xml,
                "<url><loc>{base}{path}</loc><lastmod>{changed}</lastmod></url>"
            );
        }
        xml + "</urlset>"
    }

    /// An index of files with their `lastmod`.
    fn index(&self, files: &[(&str, &str)]) -> String {
        let urlset = self.urlset(files).replace("urlset>", "sitemapindex>");
        let open = urlset.replace("<url>", "<sitemap>");
        open.replace("</url>", "</sitemap>")
    }

    /// The paths requested since the last call, without robots.txt, with the statuses.
    fn requests(&self) -> Vec<(String, u16)> {
        let mut shown = self.shown.lock().expect("not poisoned");
        let mut requests = std::mem::take(&mut shown.requests);
        requests.retain(|(path, _)| path != "/robots.txt");
        requests
    }

    fn paths(&self) -> Vec<String> {
        let paths = self.requests().into_iter().map(|(path, _)| path);
        paths.collect()
    }
}

async fn answer(State(shown): State<Arc<Mutex<Shown>>>, uri: Uri, headers: HeaderMap) -> Response {
    let mut shown = shown.lock().expect("not poisoned");
    let path = uri.path().to_owned();
    let number = path.rsplit('/').next().and_then(|n| n.parse().ok());
    let (kind, body) = match (shown.files.get(&path), number) {
        (Some(body), _) if path.ends_with("xml") => ("application/xml", Some(body.clone())),
        (Some(body), _) if path.ends_with("gz") => ("application/gzip", Some(body.clone())),
        (Some(body), _) if path.ends_with("txt") => ("text/plain", Some(body.clone())),
        (Some(body), _) => ("text/html", Some(body.clone())),
        (None, Some(n)) => ("text/html", Some(page(n).into_bytes())),
        (None, None) => ("text/html", None),
    };
    let etag = format!("\"{:?}\"", body.as_ref().map(Vec::len));
    let is_known = headers.get(header::IF_NONE_MATCH);
    let is_known = is_known.is_some_and(|known| known == etag.as_str());
    let status = match &body {
        None => StatusCode::NOT_FOUND,
        Some(_) if is_known => StatusCode::NOT_MODIFIED,
        Some(_) => StatusCode::OK,
    };
    shown.requests.push((path, status.as_u16()));
    let body = body.filter(|_| status == StatusCode::OK);
    let head = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (header::ETAG, etag),
    ];
    (status, head, body.unwrap_or_default()).into_response()
}

fn page(n: usize) -> String {
    let mut body = String::new();
    for paragraph in paragraphs("", n) {
        let _ = write!(body, "<p>{paragraph}</p>");
    }
    format!(
        "<!DOCTYPE html><html lang=en><title>Story {n}</title><body>\
         <ul class=menu><li><a href=/>Home</a><li><a href=/sport>Sport</a></ul>\
         <h1>Story {n}</h1><div class=story>{body}</div><div class=foot>All rights reserved.</div>"
    )
}

fn packed(text: &str) -> Vec<u8> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(text.as_bytes()).expect("into memory");
    gzip.finish().expect("into memory")
}

const NET: [&str; 4] = ["--allow-private", "--delay", "0", "--no-cache"];

fn run(user: &User, args: &[&str]) -> Ran {
    user.run(&[args, &NET[..]].concat())
}

fn titles(ran: &Ran) -> Vec<String> {
    let records = ran.records();
    let mut titles: Vec<String> = records
        .iter()
        .map(|record| record["title"].as_str().unwrap_or("none").to_owned())
        .collect();
    titles.sort();
    titles
}

/// Days of January 2026, one a page.
fn dated(section: &str, pages: std::ops::RangeInclusive<usize>) -> Vec<(String, String)> {
    pages
        .map(|n| (format!("{section}/{n}"), format!("2026-01-{n:02}")))
        .collect()
}

fn borrowed(pages: &[(String, String)]) -> Vec<(&str, &str)> {
    let pages = pages.iter();
    pages.map(|(path, date)| (&**path, &**date)).collect()
}

#[test]
fn the_newest_pages_of_the_largest_section_are_learned_from() {
    let (site, user) = (MappedSite::new(), User::new());
    let mut pages = dated("/news", 1..=20);
    pages.extend(dated("/tag", 21..=25));
    let map = site.put("/sitemap.xml", site.urlset(&borrowed(&pages)));
    let learned = run(&user, &["learn", &map, "--sample", "5"]);
    learned.ends(0, &["of 25 pages the 20 of the section /news/ are used"]);
    let mut paths = site.paths();
    paths.sort();
    let newest = ["/news/16", "/news/17", "/news/18", "/news/19", "/news/20"];
    assert_eq!(paths, [&newest[..], &["/sitemap.xml"]].concat());
    let learned = run(&user, &["learn", &map, "--sample", "5", "--section", "tag"]);
    learned.ends(0, &[]);
    let tags = site.paths().into_iter().filter(|p| p.starts_with("/tag/"));
    assert_eq!(tags.count(), 5);
    let none = run(&user, &["learn", &map, "--section", "/nope/"]);
    none.ends(1, &["none of its 25 pages is in the section"]);
}

#[test]
fn a_home_page_without_a_feed_leads_to_the_sitemaps_of_robots_txt() {
    let (site, user) = (MappedSite::new(), User::new());
    let home = site.put("/", "<!DOCTYPE html><title>Home</title><p>Hello");
    let map = site.put(
        "/maps/a.xml.gz",
        packed(&site.urlset(&borrowed(&dated("/news", 1..=6)))),
    );
    site.put("/robots.txt", format!("User-agent: *\nSitemap: {map}\n"));
    run(&user, &["learn", &home]).ends(0, &["its feed is", "/robots.txt"]);
    let robots = format!("{}/robots.txt", site.base);
    run(&user, &["learn", &robots]).ends(0, &[]);
    site.put("/robots.txt", "User-agent: *\nDisallow: /x\n");
    run(&user, &["learn", &robots]).ends(2, &["names no sitemap"]);
    run(&user, &["learn", &home]).ends(2, &["names no feed"]);
}

#[test]
fn all_pages_of_an_index_are_applied_once_and_no_sitemap_is_an_article() {
    let (site, user) = (MappedSite::new(), User::new());
    site.put(
        "/one.xml",
        site.urlset(&[("/news/1", "2026-01-01"), ("/news/2", "2026-01-02")]),
    );
    site.put(
        "/two.xml.gz",
        packed(&site.urlset(&[("/news/2", "2026-01-02"), ("/news/3", "2026-01-03")])),
    );
    let years = site.index(&[("/two.xml.gz", "2026-01-01"), ("/index.xml", "2026-01-01")]);
    site.put("/years.xml", years);
    // The index names itself, another one, a file that is gone and a page.
    let index = site.put(
        "/index.xml",
        site.index(&[
            ("/index.xml", "2026-01-01"),
            ("/one.xml", "2026-01-01"),
            ("/years.xml", "2026-01-01"),
            ("/gone.xml", "2026-01-01"),
            ("/news/9", "2026-01-01"),
        ]),
    );
    let applied = run(&user, &["apply", &index, "--method", "onepage"]);
    applied.ends(
        0,
        &["/gone.xml: left out of the sitemap", "/news/9: left out"],
    );
    assert_eq!(titles(&applied), ["Story 1", "Story 2", "Story 3"]);
    let section = [
        "apply",
        &index,
        "--method",
        "onepage",
        "--section",
        "/other/",
    ];
    run(&user, &section).ends(1, &["none of its 4 pages is in the section"]);
    // A list of addresses among the pages to work on is no page.
    let list = site.put("/list.txt", format!("{index}\n"));
    let applied = run(&user, &["apply", &list, "--method", "onepage"]);
    assert_eq!(applied.ends(1, &[]).records()[0]["status"], "error");
    assert!(
        applied.out.contains("a sitemap, not an HTML page"),
        "{}",
        applied.out
    );
}

#[test]
fn sitemaps_in_files_are_read_and_their_index_finds_them_beside_it() {
    let (site, user) = (MappedSite::new(), User::new());
    let map = site.urlset(&[("/news/1", "2026-01-01"), ("/news/2", "2026-01-02")]);
    std::fs::write(user.path("part.xml.gz"), packed(&map)).expect("written");
    let index = site.index(&[("/maps/part.xml.gz", "2026-01-01")]);
    std::fs::write(user.path("index.xml"), index).expect("written");
    std::fs::create_dir(user.path("news")).expect("made");
    for n in 1..=2 {
        std::fs::write(user.path(&format!("news/{n}.html")), page(n)).expect("written");
    }
    for source in ["part.xml.gz", "index.xml"] {
        let applied = run(&user, &["apply", source, "--method", "onepage"]);
        assert_eq!(
            titles(applied.ends(0, &[])),
            ["Story 1", "Story 2"],
            "{source}"
        );
        assert_eq!(site.requests(), [], "{source}");
    }
}

#[test]
fn hostile_sitemaps_are_refused_or_bounded() {
    let (site, user) = (MappedSite::new(), User::new());
    // Other hosts and ports, private addresses, other schemes.
    let foreign = site.put(
        "/foreign.xml",
        "<urlset><url><loc>http://127.0.0.1:1/x</loc></url><url><loc>http://10.0.0.1/</loc></url>\
         <url><loc>http://169.254.169.254/latest</loc></url><url><loc>file:///etc/passwd</loc></url>\
         <url><loc>https://other.example/</loc></url></urlset>",
    );
    let applied = run(&user, &["apply", &foreign, "--method", "onepage"]);
    applied.ends(1, &["left out: 4 entries of the sitemap of other hosts"]);
    assert_eq!(applied.out, "");
    // An index that leads to other hosts.
    let index = site.put(
        "/index.xml",
        "<sitemapindex><sitemap><loc>http://127.0.0.1:1/s.xml</loc></sitemap></sitemapindex>",
    );
    run(&user, &["apply", &index]).ends(1, &["of other hosts"]);
    // Hundreds of megabytes in a small file.
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(b"<urlset>").expect("into memory");
    let zeros = vec![0; 1 << 20];
    for _ in 0..200 {
        gzip.write_all(&zeros).expect("into memory");
    }
    let bomb = site.put("/bomb.xml.gz", gzip.finish().expect("into memory"));
    run(&user, &["apply", &bomb]).ends(2, &["more than the limit"]);
    // More entries than a sitemap may have: the pages behind the limit are not fetched.
    let mut many = String::from("<urlset>");
    for n in 0..=50_000 {
        let _ = write!(many, "<url><loc>{}/x/{n}</loc></url>", site.base);
    }
    let many = site.put("/many.xml", many + "</urlset>");
    run(&user, &["learn", &many, "--sample", "3"]).ends(0, &["more than 50000 entries"]);
    assert_eq!(site.paths().len(), 7);
}

/// A round on a day of January 2100.
fn round_on(user: &User, day: u32) -> Ran {
    let at = format!("2100-01-{day:02}T01:00:00Z");
    user.run(&[&user.round_args(&at)[..], &["--no-learn"]].concat())
}

/// A title for each article in the archive.
fn stored(user: &User) -> Vec<String> {
    titles(
        user.run(&["archive", "export", "--archive", "store"])
            .ends(0, &[]),
    )
}

#[test]
fn a_sitemap_is_polled_as_a_feed() {
    let (site, user) = (MappedSite::new(), User::new());
    let pages = [
        ("/news/1", "2026-01-01"),
        ("/news/2", "2026-01-02"),
        ("/tag/7", "2026-01-02"),
    ];
    let map = site.put("/sitemap.xml", site.urlset(&pages));
    let add = [
        "harvest",
        "add",
        "--archive",
        "store",
        &map,
        "--section",
        "/news",
    ];
    let added = user.run(&[&add[..], &["--allow-private", "--delay", "0"]].concat());
    added.ends(0, &["added", "(3 items)"]);
    user.round(1, &["--no-learn"]).ends(0, &["2 new articles"]);
    site.requests();
    // Nothing new: the server confirms it.
    round_on(&user, 10).ends(0, &[]);
    let map_requests = |site: &MappedSite| -> Vec<(String, u16)> {
        let mut requests = site.requests();
        requests.retain(|(path, _)| path == "/sitemap.xml");
        requests
    };
    assert_eq!(map_requests(&site), [("/sitemap.xml".to_owned(), 304)]);
    // A new address is a new item, a change leads to a visit.
    let pages = [
        ("/news/1", "2026-02-03"),
        ("/news/2", "2026-01-02"),
        ("/news/3", "2026-02-03"),
        ("/tag/7", "2026-01-02"),
    ];
    site.put("/sitemap.xml", site.urlset(&pages));
    round_on(&user, 20).ends(0, &["1 new article"]);
    let paths = site.paths();
    assert!(paths.contains(&"/news/1".to_owned()), "{paths:?}");
    assert!(!paths.contains(&"/tag/7".to_owned()), "{paths:?}");
    assert_eq!(stored(&user), ["Story 1", "Story 2", "Story 3"]);
    // `lastmod` is no date of publication, and the order of a sitemap means nothing.
    let articles = user.run(&["archive", "export", "--archive", "store"]);
    for article in articles.ends(0, &[]).records() {
        assert!(article["date_published"].is_null(), "{article}");
    }
    let feed = ["feed", &map, "--archive", "store", "--format", "json"];
    let feed = user.run(&feed);
    let feed: Value = serde_json::from_str(&feed.ends(0, &[]).out).expect("JSON");
    let entries = feed["items"].as_array().expect("entries").iter();
    let links: Vec<&str> = entries
        .map(|entry| entry["url"].as_str().expect("a link"))
        .collect();
    let ends: Vec<&str> = links.iter().map(|link| &link[link.len() - 1..]).collect();
    assert_eq!(ends, ["1", "3", "2"], "{links:?}");
}

#[test]
fn a_text_of_addresses_is_polled_as_a_sitemap() {
    let (site, user) = (MappedSite::new(), User::new());
    let addresses = |pages: &[usize]| -> String {
        let lines = pages.iter().map(|n| format!("{}/news/{n}\n", site.base));
        lines.collect()
    };
    let map = site.put("/urls.txt", addresses(&[1, 2]));
    let add = ["harvest", "add", "--archive", "store", &map];
    user.run(&[&add[..], &["--allow-private", "--delay", "0"]].concat())
        .ends(0, &["(2 items)"]);
    user.round(1, &["--no-learn"]).ends(0, &["2 new articles"]);
    site.put("/urls.txt", addresses(&[1, 2, 3]));
    round_on(&user, 20).ends(0, &["1 new article"]);
}

#[test]
fn of_an_index_the_files_that_changed_are_read_and_the_others_by_backfill() {
    let (site, user) = (MappedSite::new(), User::new());
    let files: Vec<String> = (1..=12).map(|n| format!("/map-{n}.xml")).collect();
    for (n, file) in files.iter().enumerate() {
        let page = format!("/news/{}", n + 1);
        site.put(file, site.urlset(&[(&page, "2026-01-02")]));
    }
    let dates: Vec<String> = (1..=12)
        .map(|n| format!("2025-{n:02}-01T06:30:00Z"))
        .collect();
    let named = || {
        files
            .iter()
            .zip(&dates)
            .map(|(f, d)| (&**f, &**d))
            .collect::<Vec<_>>()
    };
    let index = site.put("/sitemap_index.xml", site.index(&named()));
    user.add_all(&[&index]).ends(0, &["added", "12 sitemaps"]);
    user.round(1, &["--no-learn"]).ends(0, &["10 new articles"]);
    site.requests();
    round_on(&user, 10).ends(0, &[]);
    let requests = site.requests();
    assert!(
        requests.contains(&("/sitemap_index.xml".to_owned(), 304)),
        "{requests:?}"
    );
    assert!(
        !requests.iter().any(|(path, _)| path.starts_with("/map")),
        "{requests:?}"
    );
    // Of the changed index one file is read.
    site.put(
        "/map-3.xml",
        site.urlset(&[("/news/3", "2026-01-02"), ("/news/30", "2100-01-03")]),
    );
    let mut changed = named();
    changed[2].1 = "2100-01-15T07:45:00Z";
    changed.push(("/gone.xml", "2024-01-01T01:01:01Z"));
    site.put("/sitemap_index.xml", site.index(&changed));
    round_on(&user, 20).ends(0, &["1 new article"]);
    let maps = site
        .paths()
        .into_iter()
        .filter(|path| path.starts_with("/map"));
    assert_eq!(maps.collect::<Vec<_>>(), ["/map-3.xml"]);
    // The two oldest files are left.
    let args = [
        "harvest",
        "backfill",
        &index,
        "--archive",
        "store",
        "--pages",
        "20",
    ];
    let walked = user.run(&[&args[..], &["--delay", "0", "--allow-private"]].concat());
    walked.ends(3, &["2 of 2 new articles stored"]);
    assert_eq!(stored(&user).len(), 13);
}

#[test]
fn a_home_page_without_a_feed_is_added_by_its_sitemaps() {
    let (site, user) = (MappedSite::new(), User::new());
    let home = site.put("/", "<!DOCTYPE html><title>Home</title><p>Hello");
    let news = format!(
        "<urlset xmlns:n='http://www.google.com/schemas/sitemap-news/0.9'><url><loc>{}/news/4</loc>\
         <n:news><n:publication_date>2026-01-02T03:04:05Z</n:publication_date>\
         <n:title>The mill</n:title></n:news></url></urlset>",
        site.base
    );
    let map = site.put("/news-sitemap.xml", news);
    site.put("/robots.txt", format!("Sitemap: {map}\n"));
    user.add_all(&[&home])
        .ends(0, &["its feed is", "1 sitemap"]);
    user.round(1, &["--no-learn"]).ends(0, &["1 new article"]);
    let records = user
        .run(&["archive", "export", "--archive", "store"])
        .records();
    let date = records[0]["date_published"].as_str().expect("a date");
    assert!(date.starts_with("2026-01-02"), "{date}");
}
