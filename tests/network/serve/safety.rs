//! The rules of safety that hold for all pages at once: see `docs/serve.md`.

use super::archive::served;
use super::extract::serving;
use super::{Answer, Running, options};
use crate::harvest_cli::site::{Site, User};
use crate::hostile_server::server::Server as Origin;
use forest_serve::FilterPages;
use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

/// All files of a folder with their bytes, without those that a reader of the database makes.
fn files(dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![dir.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path
                .file_name()
                .expect("a name")
                .to_string_lossy()
                .into_owned();
            if path.is_dir() {
                folders.push(path);
            } else if !name.contains(".sqlite-") && !name.starts_with(".tantivy") {
                found.insert(path.clone(), std::fs::read(path).expect("a file"));
            }
        }
    }
    found
}

/// The paths of all links and forms on some pages, and of these pages.
fn paths(server: &Running) -> Vec<String> {
    let mut paths: Vec<String> = [
        "/reader",
        "/archive",
        "/sites",
        "/add",
        "/search?q=keeper",
        "/filter",
    ]
    .map(str::to_owned)
    .into();
    let mut at = 0;
    while at < paths.len() && paths.len() < 200 {
        let page = server.own(&paths[at]).text();
        let base = format!("http://{}{}", server.address, paths[at]);
        let base = url::Url::parse(&base).expect("an address");
        for name in ["href=\"", "src=\"", "action=\""] {
            for rest in page.split(name).skip(1) {
                let value = rest
                    .split('"')
                    .next()
                    .expect("its end")
                    .replace("&amp;", "&");
                let Ok(url) = base.join(&value) else { continue };
                let path = url[url::Position::BeforePath..url::Position::AfterQuery].to_owned();
                let is_ours = url.origin() == base.origin();
                if is_ours && !paths.contains(&path) {
                    paths.push(path);
                }
            }
        }
        at += 1;
    }
    paths
}

#[test]
fn no_get_changes_anything() {
    let (site, user, server) = served();
    server.own("/search?q=keeper");
    let before = files(&user.store());
    site.take_requests();
    let found = paths(&server);
    for part in [
        "/reader/mark",
        "/feed/",
        "/sites/",
        "/opml",
        "/page",
        "/filter/style.css",
    ] {
        assert!(
            found.iter().any(|path| path.contains(part)),
            "{part}: {found:?}"
        );
    }
    let token = server.token();
    let changes = [
        "mark=read&id=1&on=true",
        "action=learn",
        "action=pause",
        "action=commit",
        "url=http://a.example/",
        "password=x",
    ];
    for path in &found {
        let path = path.split('?').next().expect("a path");
        for method in ["GET", "HEAD"] {
            for change in changes {
                let line = format!("{method} {path}?token={token}&{change}");
                // The page of a view fetches what it is asked for, as it should.
                if path != "/view" {
                    server.ask(&line, &[&format!("Host: {}", server.address)]);
                }
            }
        }
    }
    assert_eq!(files(&user.store()), before);
    assert_eq!(site.take_requests(), Vec::<String>::new());
}

/// A server that leads each path to the metadata of a cloud, or to a name of this machine.
fn leading() -> Origin {
    Origin::new(|mut peer| async move {
        let to = match peer.path.as_str() {
            "/cloud" => "http://169.254.169.254/latest/",
            "/router" => "http://192.168.0.1/",
            "/zero" => "http://0.0.0.0:1/",
            "/mapped" => "http://[::ffff:10.0.0.1]/",
            "/file" => "file:///etc/passwd",
            _ => "http://10.0.0.1/",
        };
        peer.answer(302, &[("Location", to)], b"").await;
    })
}

#[test]
fn no_way_into_the_server_leads_to_a_private_address() {
    let origin = leading();
    let (site, user) = (Site::new(1), User::new());
    user.add(&site).ends(0, &[]);
    let pages = FilterPages::new(options().with_archive(user.store())).expect("pages");
    let server = Running::of(&pages, FilterPages::server);
    let refused = |answer: &Answer, what: &str| {
        let text = answer.text();
        let is_said = text.contains("not a public address") || text.contains("is not fetched");
        assert!(
            answer.status >= 400 && is_said,
            "{what}: {} {text}",
            answer.status
        );
    };
    for path in ["/cloud", "/router", "/mapped", "/file"] {
        let url = origin.url(path);
        for way in ["/extract?url=", "/makefulltextfeed?url="] {
            refused(&server.own(&format!("{way}{url}")), &format!("{way}{path}"));
        }
        let sent = format!("{{\"url\": \"{url}\"}}");
        let host = format!("Host: {}", server.address);
        let json = "Content-Type: application/json";
        let posted = server.ask_with("POST /extract", &[&host, json], sent.as_bytes());
        refused(&posted, path);
        let token = server.token();
        let begun = server.send_form("/add", &[("token", &token), ("url", url.as_str())]);
        let job = format!("/{}", begun.header("location").expect("a job"));
        let mut page = server.own(&job).text();
        while page.contains("http-equiv=\"refresh\"") {
            page = server.own(&job).text();
        }
        assert!(page.contains("It does not work"), "{page}");
    }
    let leads = origin.requests();
    // Without the option, no private address is dialled in any way.
    let closed = options()
        .with_archive(user.store())
        .with_allow_private(false);
    let pages = FilterPages::new(closed).expect("pages");
    let server = Running::of(&pages, FilterPages::server);
    for url in [
        origin.url("/").as_str(),
        "http://localhost:1/",
        "http://10.0.0.1/",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://0x7f.1/",
        "http://2130706433/",
    ] {
        for way in ["/extract?url=", "/makefulltextfeed?url=", "/view?url="] {
            refused(&server.own(&format!("{way}{url}")), &format!("{way}{url}"));
        }
        let token = server.token();
        let fields = [("token", &*token), ("action", "open"), ("url", url)];
        let filtered = server.send_form("/filter", &fields).text();
        assert!(filtered.contains("not a public address"), "{filtered}");
    }
    assert_eq!(origin.requests(), leads);
}

#[test]
fn refusals_for_programs_are_json() {
    let server = serving(options());
    let host = format!("Host: {}", server.address);
    let check = |line: &str, headers: &[&str], status: u16| {
        let answer = server.ask(line, headers);
        assert_eq!(answer.status, status, "{line}");
        assert_eq!(
            answer.header("content-type"),
            Some("application/json"),
            "{line}"
        );
        let fault: serde_json::Value = serde_json::from_slice(&answer.body).expect("JSON");
        assert!(fault["error"].is_string(), "{line}");
    };
    for path in ["/api", "/extract", "/makefulltextfeed"] {
        check(&format!("GET {path}"), &["Host: evil.example"], 421);
        check(&format!("DELETE {path}"), &[&host], 405);
        let foreign = "Sec-Fetch-Site: cross-site";
        check(&format!("GET {path}"), &[&host, foreign], 403);
    }
    check(
        "POST /extract",
        &[&host, "Origin: http://evil.example", "Content-Length: 0"],
        403,
    );
    // People read the others.
    let plain = server.ask("GET /filter", &["Host: evil.example"]);
    assert_eq!(
        plain.header("content-type"),
        Some("text/plain; charset=utf-8")
    );
}

#[test]
fn the_server_is_no_means_to_flood_others() {
    let origin = super::extract::origin();
    let few = NonZeroU32::new(3).expect("not 0");
    let server = serving(options().with_fetches_at_once(few));
    let path = format!("/extract?url={}", origin.url("/story/1"));
    let statuses: Vec<u16> = (0..10).map(|_| server.own(&path).status).collect();
    assert_eq!(statuses[..3], [200; 3], "{statuses:?}");
    assert!(statuses.contains(&429), "{statuses:?}");
    let ways = ["/extract", "/makefulltextfeed", "/view"];
    for way in ways {
        let ask = || server.own(&format!("{way}?url={}", origin.url("/story/1")));
        let answers: Vec<Answer> = (0..10).map(|_| ask()).collect();
        let refused = answers.iter().find(|answer| answer.status == 429);
        let refused = refused.unwrap_or_else(|| panic!("{way}"));
        let after = refused.header("retry-after").expect("a time");
        assert!(
            after.parse::<u32>().is_ok_and(|s| (1..=10).contains(&s)),
            "{after}"
        );
    }
    let user = User::new();
    user.add(&Site::new(1)).ends(0, &[]);
    let options = options()
        .with_archive(user.store())
        .with_fetches_at_once(few);
    let pages = FilterPages::new(options).expect("pages");
    let server = Running::of(&pages, FilterPages::server);
    let add = || {
        let token = server.token();
        let url = origin.url("/story/1").to_string();
        server.send_form("/add", &[("token", &token), ("url", &url)])
    };
    assert_eq!(add().status, 303);
    let refused = add();
    assert_eq!(refused.status, 429);
    assert!(
        refused.text().contains("too much is fetched"),
        "{}",
        refused.text()
    );
}
