//! Secrets of sites: they reach their site, and nothing else has them.

#[cfg(unix)]
use crate::harvest_cli::site::Running;
use crate::harvest_cli::site::{Ran, Site, User};
use crate::loopback::Loopback;
use crate::serve::library::{articles, server_of};
use crate::story::paragraphs;
use axum::Router;
use axum::extract::Path as UrlPath;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{Html, IntoResponse};
use axum::routing::get;
use base64::Engine;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use std::fs;
use std::io::Read;
use std::path::Path;

const KEY: &str = "Bearer hunter2+/=&<k";
const SID: &str = "c00kie+/=%25&<";

/// A site that wants both, and a user whose archive has them.
fn shut() -> (Site, User) {
    let (site, user) = (Site::new(3), User::new());
    let wants = vec![
        ("x-key", KEY.to_owned()),
        ("cookie", format!("sid={SID}; theme=dark")),
    ];
    site.set(|show| show.wants = wants);
    add_key(&site, &user, KEY).ends(0, &["has the header X-Key", "over http"]);
    let cookies = format!(
        "# Netscape HTTP Cookie File\n#HttpOnly_127.0.0.1\tFALSE\t/\tFALSE\t0\tsid\t{SID}\n\
         127.0.0.1\tFALSE\t/\tFALSE\t4102444799\ttheme\tdark\n\
         127.0.0.1\tFALSE\t/\tTRUE\t0\tsecure\tnever-over-http\n\
         127.0.0.1\tFALSE\t/\tFALSE\t1000\told\tv\nb.example\tTRUE\t/\tFALSE\t0\tother\tv\nnothing\n"
    );
    let told = [
        "line 7",
        "other sites: 1 cookie",
        "expired: 1 cookie",
        "has 3 cookies",
    ];
    add_secret(&site, &user, &["--cookies", "-"], &cookies).ends(0, &told);
    (site, user)
}

fn add_secret(site: &Site, user: &User, what: &[&str], input: &str) -> Ran {
    let host = format!("http://{}", site.host);
    let args = ["harvest", "secret", "add", "--archive", "store", &host];
    user.run_with(&[&args[..], what].concat(), input)
}

fn add_key(site: &Site, user: &User, key: &str) -> Ran {
    add_secret(site, user, &["--header", "X-Key: -"], &format!("{key}\n"))
}

/// A value as it may stand somewhere.
fn written(value: &str) -> Vec<Vec<u8>> {
    let percent: String = url::form_urlencoded::byte_serialize(value.as_bytes()).collect();
    let html = value.replace('&', "&amp;").replace('<', "&lt;");
    let json = serde_json::to_string(value).expect("JSON");
    let mut all = vec![
        value.to_owned(),
        percent.replace('+', "%20"),
        percent,
        html,
        json.trim_matches('"').to_owned(),
    ];
    // Base64 of what stands at any place of a group of three bytes, without its ends.
    for before in ["", "a", "ab"] {
        for engine in [STANDARD_NO_PAD, URL_SAFE_NO_PAD] {
            let coded = engine.encode(format!("{before}{value}"));
            all.push(coded[4..coded.len() - 4].to_owned());
        }
    }
    all.into_iter().map(String::into_bytes).collect()
}

fn holds(bytes: &[u8], what: &[u8]) -> bool {
    bytes.windows(what.len()).any(|window| window == what)
}

/// The bytes of a file, and what is packed in them.
fn contents(path: &Path) -> Vec<u8> {
    let mut bytes = fs::read(path).expect("a file");
    let mut unpacked = Vec::new();
    if bytes.starts_with(b"\x1f\x8b") {
        let mut packed = flate2::read::MultiGzDecoder::new(&*bytes);
        packed.read_to_end(&mut unpacked).expect("whole");
    }
    if let Ok(mut archive) = zip::ZipArchive::new(std::io::Cursor::new(&bytes)) {
        for index in 0..archive.len() {
            let mut within = Vec::new();
            let mut file = archive.by_index(index).expect("an entry");
            file.read_to_end(&mut within).expect("whole");
            if within.starts_with(b"\x1f\x8b") {
                let mut packed = flate2::read::MultiGzDecoder::new(&*within);
                packed.read_to_end(&mut unpacked).expect("whole");
            }
            unpacked.extend(within);
        }
    }
    bytes.extend(unpacked);
    bytes
}

#[test]
fn a_secret_stands_in_its_file_and_nowhere_else() {
    let (site, user) = shut();
    let mut said: Vec<(String, Vec<u8>)> = Vec::new();
    let mut run = |args: &[&str], code: i32| {
        let ran = user.run(args);
        ran.ends(code, &[]);
        let shown = format!("{}{}", ran.out, ran.err).into_bytes();
        said.push((args.join(" "), shown));
        ran
    };
    let feed = site.feed();
    let story = format!("http://{}/story/1", site.host);
    let net = ["--archive", "store", "--allow-private", "--delay", "0"];
    run(&[&["harvest", "add", "-vv", &feed][..], &net].concat(), 0);
    let at = ["--at", "2026-12-01T00:00:00Z", "--once", "--log", "json"];
    let round = [
        &["harvest", "run", "-vvv", "--with-requisites", "--json"][..],
        &at,
        &net,
    ]
    .concat();
    let round = run(&round, 0);
    assert_eq!(round.records()[0]["articles"], 3, "{}", round.err);
    // Another value is refused, and the answer stored.
    site.set(|show| show.wants[0].1 = "another".to_owned());
    run(
        &[&["harvest", "refetch", "-vv", &story][..], &net].concat(),
        1,
    );
    site.set(|show| show.wants[0].1 = KEY.to_owned());
    run(&[&["apply", "-vv", &story][..], &net].concat(), 0);
    for command in [
        &["harvest", "secret", "list"][..],
        &["harvest", "secret", "list", "--json"],
        &["harvest", "list", "--json"],
        &["harvest", "export"],
        &["harvest", "status"],
        &["harvest", "status", "--json"],
        &["archive", "verify", "-vv"],
        &["archive", "export", "--out", "a.jsonl"],
        &["archive", "export", "--format", "html", "--out", "html"],
        &["archive", "export", "--format", "wacz", "--out", "a.wacz"],
        &["archive", "cdx"],
        &["archive", "backup", "copy"],
        &["feed", &feed],
        &["search", "story1"],
        &["history", &story],
    ] {
        run(&[command, &["--archive", "store"]].concat(), 0);
    }
    // What is refused stands in no message, nor does what is asked for in two ways.
    let (name, value) = (format!("sid={KEY}: v"), format!("X-Key: {KEY}\u{7}"));
    let add = ["harvest", "secret", "add", "--archive", "store", "x"];
    for refused in [
        &["--header", KEY][..],
        &["--header", &name],
        &["--header", &value],
        &["--header", &value, "--cookies", "-"],
    ] {
        run(&[&add, refused].concat(), 2);
    }

    let server = server_of(&user);
    let list = server.own("/reader");
    let article = articles(&list)[0].clone();
    let host = format!("/sites/{}", site.host);
    let pages = [
        "/reader",
        "/sites",
        "/archive",
        "/settings",
        "/search?q=story1",
        "/filter",
        "/opml",
        "/export.epub?feed=",
        &host,
        &format!("{host}/workshop"),
        &article,
        &format!("{article}/page"),
        &format!("{article}/export?format=html"),
    ];
    for page in pages {
        let answer = server.own(page);
        assert_eq!(answer.status, 200, "{page}: {}", answer.text());
        let headers = format!("{:?}", answer.headers);
        said.push((page.to_owned(), [headers.as_bytes(), &answer.body].concat()));
    }
    for path in user.tree() {
        said.push((path.clone(), contents(&user.path(&path))));
    }
    let wanted: Vec<(&str, Vec<Vec<u8>>)> = [KEY, SID, "never-over-http"]
        .map(|v| (v, written(v)))
        .into();
    for (of, bytes) in &said {
        for (value, forms) in &wanted {
            let found = forms.iter().filter(|form| holds(bytes, form)).count();
            assert_eq!(found > 0, of == "store/secrets.json", "{of} has {value}");
        }
    }
    // The walk saw what it is about.
    let has = |path: &str, part: &str| {
        let of = said.iter().find(|(of, _)| of == path);
        let (_, bytes) = of.unwrap_or_else(|| panic!("no {path}"));
        assert!(holds(bytes, part.as_bytes()), "{path} has no {part}");
    };
    has("store/warc/pages-000001.warc.gz", "GET /story/1");
    has("a.wacz", "GET /story/1");
    has("html", "story1");
    has(&host, "Confidence");
    assert!(!user.path("copy/secrets.json").exists());
}

/// A site whose stories have a picture of their own, and one of another site, of which they say that they
/// are.
fn with_pictures_of(other: &str) -> Loopback {
    let items: String = (1..=4)
        .map(|n| format!("<item><title>Story {n}</title><link>/story/{n}</link></item>"))
        .collect();
    let feed = format!(
        "<rss version='2.0'><channel><title>G</title><link>/</link>{items}</channel></rss>"
    );
    let feed = || async { ([(CONTENT_TYPE, "application/rss+xml")], feed) };
    let other = other.to_owned();
    let story = move |UrlPath(n): UrlPath<usize>| async move {
        let text = paragraphs("", n).concat();
        Html(format!(
            "<!DOCTYPE html><html lang=en><title>Story {n}</title>\
             <link rel=canonical href=http://{other}/story/{n}><body><h1>Story {n}</h1><div class=story>\
             <p>{text}</p><img src=/own.png width=64 height=64><img src=http://{other}/theirs.png width=64 \
             height=64></div>"
        ))
    };
    let router = Router::new()
        .route("/feed", get(feed))
        .route("/story/{n}", get(story))
        .merge(keyed());
    Loopback::of(|_| router)
}

/// A feed without items, and pictures that only a request with the key gets.
fn keyed() -> Router {
    let none = async || {
        let feed = "<rss version='2.0'><channel><title>N</title><link>/</link></channel></rss>";
        ([(CONTENT_TYPE, "application/rss+xml")], feed)
    };
    let picture = |headers: HeaderMap| async move {
        if headers.get("x-key").is_none_or(|value| value != KEY) {
            return StatusCode::UNAUTHORIZED.into_response();
        }
        let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x40\0\0\0\x40\x08\0\0\0\0";
        ([(CONTENT_TYPE, "image/png")], &png[..]).into_response()
    };
    Router::new()
        .route("/none", get(none))
        .route("/own.png", get(picture))
        .route("/theirs.png", get(picture))
}

#[test]
fn a_picture_gets_the_secrets_of_its_site_on_pages_of_that_site_only() {
    let user = User::new();
    let other = Loopback::of(|_| keyed());
    let site = with_pictures_of(&other.address.to_string());
    for host in [site.address, other.address] {
        let host = format!("http://{host}");
        let args = ["harvest", "secret", "add", "--archive", "store", &host];
        let args = [&args[..], &["--header", "X-Key: -"]].concat();
        user.run_with(&args, KEY).ends(0, &[]);
    }
    let feeds = [
        format!("http://{}/feed", site.address),
        format!("http://{}/none", other.address),
    ];
    user.add_all(&feeds.each_ref().map(String::as_str));
    let run = ["harvest", "run", "--archive", "store", "--once", "--now"];
    let net = ["--allow-private", "--delay", "0", "--with-images", "-v"];
    let ran = user.run(&[&run[..], &net].concat());
    let told = ran.ends(0, &["4 new articles"]).err.clone();
    assert!(
        told.contains("/theirs.png: ") && told.contains("401"),
        "{told}"
    );
    assert!(told.contains("/own.png: stored"), "{told}");
}

#[test]
fn a_page_that_wants_a_secret_needs_its_archive() {
    let (site, user) = shut();
    let story = format!("http://{}/story/1", site.host);
    let apply = ["apply", &story, "--allow-private", "--delay", "0"];
    user.run(&apply).ends(1, &["401"]);
    user.run(&[&apply[..], &["--archive", "store"]].concat())
        .ends(0, &["1 new article"]);
    // One of the command line goes first.
    let own = ["--archive", "store", "--header", "X-Key: mine"];
    user.run(&[&apply[..], &own].concat()).ends(1, &["401"]);
}

#[test]
fn secrets_are_listed_by_name_and_removed() {
    let (site, user) = shut();
    let secret = |what: &str, more: &[&str]| {
        user.run(&[&["harvest", "secret", what, "--archive", "store"][..], more].concat())
    };
    let host = &site.host;
    let listed = secret("list", &[]);
    let expected = format!(
        "{host}  header  X-Key  over http, too\n\
         {host}  cookie  sid  127.0.0.1/  over http, too\n\
         {host}  cookie  theme  127.0.0.1/  over http, too  expires 2099-12-31T23:59:59Z\n\
         {host}  cookie  secure  127.0.0.1/\n"
    );
    assert_eq!(listed.ends(0, &[]).out, expected);
    let json = &secret("list", &["--json"]).records()[2];
    let fields = ["site", "kind", "name", "expires"].map(|name| json[name].as_str());
    let expected = [host, "cookie", "theme", "2099-12-31T23:59:59Z"].map(Some);
    assert_eq!(fields, expected);
    secret("remove", &[host, "--cookie", "theme"]).ends(0, &["1 secret is removed"]);
    secret("remove", &[host, "--cookie", "theme"]).ends(1, &["no such secret"]);
    secret("remove", &[host, "--header", "x-key"]).ends(0, &["1 secret is removed"]);
    secret("remove", &[host]).ends(0, &["2 secrets are removed"]);
    assert_eq!(secret("list", &[]).ends(0, &[]).out, "");
    // Others of the file are no reason to lose the old ones.
    let others = "b.example\tTRUE\t/\tFALSE\t0\tother\tv\n";
    add_secret(&site, &user, &["--cookies", "-"], others).ends(1, &["nothing was changed"]);
    let long = "x".repeat(1_000_001);
    add_secret(&site, &user, &["--cookies", "-"], &long).ends(2, &["more than 1000000 bytes"]);
    secret("add", &["no host", "--header", "a: b"]).ends(2, &["SITE is no host"]);
}

#[test]
fn a_cookie_that_has_expired_is_not_sent_and_told() {
    let (site, user) = shut();
    user.add(&site).ends(0, &[]);
    site.set(|show| show.wants[1].1 = format!("sid={SID}"));
    let late = user.round(3, &[]);
    late.ends(
        0,
        &[
            "3 new articles",
            "the cookie theme has expired and is not sent",
        ],
    );
    assert_eq!(late.err.matches("has expired").count(), 1, "{}", late.err);
    // The status is of now, where it is valid still.
    let status = || user.run(&["harvest", "status", "--archive", "store"]);
    assert!(!status().ends(0, &[]).err.contains("has expired"));
    let path = user.path("store/secrets.json");
    let text = fs::read_to_string(&path).expect("a file");
    fs::write(&path, text.replace("4102444799", "1000")).expect("written");
    let warned = format!(
        "{}: the cookie theme has expired and is not sent",
        site.host
    );
    status().ends(0, &[&warned]);
}

#[cfg(unix)]
#[test]
fn a_file_that_others_may_read_stops_the_command() {
    use std::os::unix::fs::PermissionsExt;
    let (site, user) = shut();
    user.add(&site).ends(0, &[]);
    let path = user.store().join("secrets.json");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).expect("set");
    site.take_requests();
    user.round(3, &[])
        .ends(2, &["others may read", "chmod 600"]);
    user.add(&site).ends(2, &["chmod 600"]);
    user.run(&["harvest", "status", "--archive", "store"])
        .ends(0, &["chmod 600"]);
    let serve = ["serve", "--addr", "127.0.0.1:0", "--archive", "store"];
    user.run(&serve).ends(2, &["chmod 600"]);
    assert_eq!(site.take_requests(), [""; 0]);
}

#[cfg(unix)]
#[test]
fn a_harvest_that_runs_sends_a_new_secret_from_then_on() {
    let (site, user) = shut();
    user.add(&site).ends(0, &[]);
    let running = Running::new(&user, &["-v"]);
    running.wait_for("wrapper learned");
    site.set(|show| {
        show.wants[0].1 = "renewed".to_owned();
        show.items.push(4);
    });
    add_key(&site, &user, "renewed").ends(0, &[]);
    let now = ["harvest", "run", "--archive", "store", "--now"];
    user.run(&now).ends(0, &["it polls them now"]);
    running.wait_for("/story/4?utm_source=rss: stored");
    running.ends("4 new articles");
}
