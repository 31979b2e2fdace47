//! A server with a password: who is let in, and who is not.

use super::{Answer, Client, Running, options};
use crate::harvest_cli::site::{Site, User};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use forest_serve::FilterPages;
use forest_web::access::hash_of;

pub const PASSWORD: &str = "open sesame";

/// The pages of an archive behind a password.
pub fn locked() -> (User, Running) {
    let (site, user) = (Site::new(1), User::new());
    user.add(&site).ends(0, &[]);
    let options = options()
        .with_archive(user.store())
        .with_password_hash(hash_of(PASSWORD).expect("a hash"));
    let pages = FilterPages::new(options).expect("pages");
    (user, Running::of(&pages, FilterPages::server))
}

pub fn get(server: &Running, path: &str, headers: &[&str]) -> Answer {
    let host = format!("Host: {}", server.address);
    let headers = [&[&*host], headers].concat();
    server.ask(&format!("GET {path}"), &headers)
}

/// The token of the form that asks for the password.
fn form_token(server: &Running) -> String {
    let page = get(server, "/login", &[]).text();
    let (_, rest) = page.split_once("name=\"token\" value=\"").expect("a token");
    rest.split('"').next().expect("its end").to_owned()
}

pub fn log_in(server: &Running, password: &str, to: &str) -> Answer {
    let token = form_token(server);
    server.send_form(
        "/login",
        &[("token", &token), ("password", password), ("to", to)],
    )
}

/// The session of an answer, as a browser sends it.
pub fn session(answer: &Answer) -> String {
    let cookie = answer.header("set-cookie").expect("a cookie");
    format!("Cookie: {}", cookie.split(';').next().expect("a pair"))
}

/// A server of the user's archive with this password.
fn server_with(user: &User, hash: &str) -> Running {
    let options = options()
        .with_archive(user.store())
        .with_password_hash(hash.to_owned());
    let pages = FilterPages::new(options).expect("pages");
    Running::of(&pages, FilterPages::server)
}

#[test]
fn sessions_and_forms_outlive_the_server() {
    let (user, _) = locked();
    let hash = hash_of(PASSWORD).expect("a hash");
    let server = server_with(&user, &hash);
    let [one, other] = [(); 2].map(|()| session(&log_in(&server, PASSWORD, "")));
    let page = get(&server, "/settings", &[&one]).text();
    let (_, token) = page.split_once("name=\"token\" value=\"").expect("a token");
    let token = token.split('"').next().expect("its end");
    drop(server);
    let server = server_with(&user, &hash);
    assert_eq!(get(&server, "/reader", &[&one]).status, 200);
    let form = |own: &str, path: &str| {
        let lines = [
            &*format!("Host: {}", server.address),
            &format!("Origin: http://{}", server.address),
            "Content-Type: application/x-www-form-urlencoded",
            own,
        ];
        let body = format!("token={token}");
        server
            .ask_with(&format!("POST {path}"), &lines, body.as_bytes())
            .status
    };
    assert_eq!(form(&one, "/settings"), 303);
    // Who logs out is out, also of the next server.
    assert_eq!(form(&one, "/logout"), 303);
    assert_eq!(get(&server, "/reader", &[&one]).status, 401);
    drop(server);
    let server = server_with(&user, &hash);
    assert_eq!(get(&server, "/reader", &[&one]).status, 401);
    assert_eq!(get(&server, "/reader", &[&other]).status, 200);
    drop(server);
    // Another password ends all sessions. Nothing that lets one in stands in the file.
    let text = std::fs::read_to_string(user.store().join("browsers.json")).expect("a file");
    let (_, secret) = other.split_once('=').expect("a pair");
    assert!(!text.contains(secret), "{text}");
    let server = server_with(&user, &hash_of("another password").expect("a hash"));
    assert_eq!(get(&server, "/reader", &[&other]).status, 401);
}

#[cfg(unix)]
#[test]
fn the_file_of_sessions_is_its_owners_alone_and_may_be_missing() {
    use std::os::unix::fs::PermissionsExt;
    let (user, server) = locked();
    let path = user.store().join("browsers.json");
    let mode = std::fs::metadata(&path)
        .expect("a file")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
    // Where it cannot be written, a session is of this run.
    std::fs::remove_file(&path).expect("removed");
    std::fs::create_dir(&path).expect("a folder");
    let own = session(&log_in(&server, PASSWORD, ""));
    assert_eq!(get(&server, "/reader", &[&own]).status, 200);
    let again = server_with(&user, &hash_of(PASSWORD).expect("a hash"));
    assert_eq!(get(&again, "/reader", &[&own]).status, 401);
}

const PATHS: [&str; 12] = [
    "/reader",
    "/reader/1",
    "/search?q=a",
    "/sites",
    "/add",
    "/archive",
    "/opml",
    "/api",
    "/filter",
    "/view",
    "/extract?url=http://a.example/",
    "/makefulltextfeed?url=http://a.example/",
];

#[test]
fn nothing_is_shown_without_the_password() {
    let (_user, server) = locked();
    for path in PATHS {
        let answer = get(&server, path, &[]);
        assert_eq!(answer.status, 401, "{path}");
        assert!(
            answer
                .header("www-authenticate")
                .expect("one")
                .starts_with("Basic ")
        );
        assert!(answer.header("content-security-policy").is_some());
        let browser = get(&server, path, &["Accept: text/html"]);
        assert_eq!(browser.status, 303, "{path}");
        let to = browser.header("location").expect("one");
        assert!(
            to.trim_start_matches("../").starts_with("login?to=%2F"),
            "{to}"
        );
        for wrong in [
            "Cookie: forest-session=",
            "Cookie: forest-session=x",
            "Authorization: Basic x",
            "Authorization: Bearer open sesame",
            "Authorization: Basic",
            "X-Forwarded-For: 127.0.0.1",
        ] {
            assert_eq!(get(&server, path, &[wrong]).status, 401, "{path} {wrong}");
        }
    }
    for open in [
        "/login",
        "/filter/style.css",
        "/filter/script.js",
        "/filter/icon.svg",
    ] {
        assert_eq!(get(&server, open, &[]).status, 200, "{open}");
    }
    for change in ["/filter", "/reader/mark", "/add", "/logout"] {
        assert_eq!(server.send_form(change, &[]).status, 401, "{change}");
    }
}

#[test]
fn a_session_begins_with_the_password_and_ends() {
    let (_user, server) = locked();
    let wrong = log_in(&server, "open", "/reader");
    assert_eq!((wrong.status, wrong.header("set-cookie")), (403, None));
    let begun = log_in(&server, PASSWORD, "/reader?show=unread");
    assert_eq!(begun.status, 303);
    assert_eq!(begun.header("location"), Some("reader?show=unread"));
    let cookie = begun.header("set-cookie").expect("one");
    for part in ["; HttpOnly", "; SameSite=Lax", "; Path=/"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    let own = session(&begun);
    for path in ["/reader", "/filter", "/archive", "/sites", "/api"] {
        assert_eq!(get(&server, path, &[&own]).status, 200, "{path}");
    }
    // The session alone changes nothing: a page of another site may send it.
    let host = format!("Host: {}", server.address);
    let kind = "Content-Type: application/x-www-form-urlencoded";
    let evil = [&*host, kind, &own, "Origin: http://evil.example"];
    let token = form_token(&server);
    let body = format!("token={token}&id=1&mark=read&on=true");
    for path in ["/reader/mark", "/logout", "/filter", "/add"] {
        for foreign in [&evil[..], &evil[..3]] {
            let answer = server.ask_with(&format!("POST {path}"), foreign, body.as_bytes());
            assert_eq!(answer.status, 403, "{path} {foreign:?}");
        }
    }
    // A link on another site opens a page.
    let link = [
        &*own,
        "Sec-Fetch-Site: cross-site",
        "Sec-Fetch-Mode: navigate",
        "Sec-Fetch-Dest: document",
    ];
    assert_eq!(get(&server, "/reader", &link).status, 200);
    assert_eq!(
        get(&server, "/reader", &[&own, "Sec-Fetch-Site: cross-site"]).status,
        403
    );
    let rebound = server.ask("GET /reader", &["Host: evil.example", &own]);
    assert_eq!(rebound.status, 421);
    // It ends.
    for page in ["/login", "/settings"] {
        let page = get(&server, page, &[&own]).text();
        assert!(page.contains("action=\"logout\""), "{page}");
        assert!(page.contains(&format!("value=\"{token}\"")), "{page}");
    }
    let origin = format!("Origin: http://{}", server.address);
    let body = format!("token={token}");
    let out = [&*host, kind, &own, &*origin];
    let ended = server.ask_with("POST /logout", &out, body.as_bytes());
    assert_eq!(ended.status, 303);
    assert_eq!(get(&server, "/reader", &[&own]).status, 401);
}

#[test]
fn a_login_leads_to_no_other_server() {
    let (_user, server) = locked();
    for to in [
        "//evil.example",
        "http://evil.example/",
        "/\\evil.example",
        "\r\nX: y",
        "/javascript:x",
    ] {
        let answer = log_in(&server, PASSWORD, to);
        let location = answer.header("location").expect("one");
        assert!(
            ["../filter", "reader"].contains(&location),
            "{to:?}: {location}"
        );
        assert!(answer.header("x").is_none());
    }
}

#[test]
fn feed_readers_have_basic_or_a_secret_in_the_address() {
    let (user, server) = locked();
    let basic = |password: &str| {
        let pair = STANDARD.encode(format!("anyone:{password}"));
        format!("Authorization: Basic {pair}")
    };
    let right = basic(PASSWORD);
    for path in ["/opml", "/archive", "/reader"] {
        assert_eq!(get(&server, path, &[&right]).status, 200, "{path}");
        assert_eq!(get(&server, path, &[&basic("open")]).status, 401, "{path}");
    }
    let list = get(&server, "/archive", &[&right]).text();
    let (_, feed) = list.split_once("href=\"feed/").expect("a feed");
    let feed = format!("/feed/{}", feed.split('"').next().expect("its end"));
    let (bare, key) = feed.split_once('?').expect("a secret");
    assert_eq!(get(&server, &feed, &[]).status, 200);
    assert_eq!(get(&server, bare, &[]).status, 401);
    assert_eq!(get(&server, &feed[..feed.len() - 1], &[]).status, 401);
    let opml = get(&server, &format!("/opml?{key}"), &[]);
    assert!(
        opml.status == 200 && opml.text().contains(key),
        "{}",
        opml.text()
    );
    let own = get(&server, &format!("/opml?addresses=own&{key}"), &[]);
    assert_eq!(own.status, 401, "the feeds' own addresses may be secrets");
    for path in ["/reader", "/archive", "/sites", "/extract"] {
        let answer = get(&server, &format!("{path}?{key}"), &[]);
        assert_eq!(answer.status, 401, "{path}: it is of feeds alone");
    }
    // Another password, or the same one hashed again, revokes it.
    let options = options()
        .with_archive(user.store())
        .with_password_hash(hash_of(PASSWORD).expect("a hash"));
    let pages = FilterPages::new(options).expect("pages");
    let again = Running::of(&pages, FilterPages::server);
    assert_eq!(get(&again, &feed, &[]).status, 401);
}

#[test]
fn passwords_are_not_guessed_without_end() {
    let (_user, server) = locked();
    let long = "x".repeat(1001);
    let guess = STANDARD.encode(format!("a:{long}"));
    let guess = format!("Authorization: Basic {guess}");
    let statuses: Vec<u16> = (0..25)
        .map(|_| get(&server, "/opml", &[&guess]).status)
        .collect();
    assert_eq!(statuses[..20], [401; 20]);
    assert_eq!(statuses[20..], [429; 5]);
    assert_eq!(log_in(&server, PASSWORD, "").status, 429);
    assert!(
        get(&server, "/opml", &[&guess])
            .header("retry-after")
            .is_some()
    );
    // Others are let in: from another address, or by a reverse proxy that names them.
    let right = STANDARD.encode(format!("a:{PASSWORD}"));
    let right = format!("Authorization: Basic {right}");
    let elsewhere = get(&server, "/opml", &[&right, "X-Forwarded-For: 192.0.2.1"]);
    assert_eq!(elsewhere.status, 200);
    let host = format!("Host: {}", server.address);
    let guessed =
        Client::from([127, 0, 0, 2], server.address).ask("GET /opml", &[&host, &guess], b"");
    assert_eq!(guessed.status, 401);
    let large = "x".repeat(100_000);
    let token = form_token(&server);
    let answer = server.send_form("/login", &[("token", &token), ("password", &large)]);
    assert_eq!(answer.status, 413);
}

/// Runs `serve --new-password FILE` with a password from a pipe; true if it ends well.
fn makes_password(user: &User, file: &str, password: &str) -> bool {
    use std::io::Write;
    use std::process::Stdio;
    let mut command = user.command(None);
    let mut child = command
        .args(["serve", "--new-password", file])
        .stdin(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    let sent = stdin.write_all(format!("{password}\n").as_bytes());
    sent.expect("written");
    drop(stdin);
    child.wait().expect("it ends").success()
}

#[test]
fn other_machines_need_the_password_and_its_file() {
    let user = User::new();
    assert!(makes_password(&user, "secret", PASSWORD));
    let hash = std::fs::read_to_string(user.path("secret")).expect("a file");
    assert!(
        hash.starts_with("$argon2id$") && !hash.contains("sesame"),
        "{hash}"
    );
    assert!(!makes_password(&user, "short", "sesame"));
    assert!(!user.path("short").exists());
    std::fs::write(user.path("plain"), "open sesame").expect("written");
    for (file, why) in [("plain", "no Argon2 hash"), ("nowhere", "--new-password")] {
        let ran = user.run(&["serve", "--addr", "0.0.0.0:0", "--password-file", file]);
        ran.ends(2, &[why]);
    }
}

#[test]
fn the_key_of_feeds_is_renewed_without_a_new_password() {
    let user = User::new();
    let lines = || {
        let text = std::fs::read_to_string(user.path("secret")).expect("a file");
        let (hash, key) = text.trim().split_once("\nfeed-key ").expect("two lines");
        (hash.to_owned(), key.to_owned())
    };
    // A file of an earlier version has no key.
    let old = hash_of(PASSWORD).expect("a hash");
    std::fs::write(user.path("secret"), &old).expect("written");
    let renew = || {
        let ran = user.run(&["serve", "--new-feed-key", "secret"]);
        ran.ends(0, &["written"]);
    };
    renew();
    let (hash, first) = lines();
    assert_eq!(hash, old);
    renew();
    let (hash, second) = lines();
    assert_eq!(hash, old);
    assert_ne!(first, second);
    assert!(makes_password(&user, "secret", PASSWORD));
    assert!(lines().0 != old && lines().1 != second);
    user.run(&["serve", "--new-feed-key", "nowhere"])
        .ends(2, &["nowhere"]);
}

#[cfg(unix)]
#[test]
fn the_file_of_the_password_is_its_owners_alone() {
    use std::os::unix::fs::PermissionsExt;
    let user = User::new();
    assert!(makes_password(&user, "secret", PASSWORD));
    let mode = || {
        std::fs::metadata(user.path("secret"))
            .expect("a file")
            .permissions()
            .mode()
    };
    assert_eq!(mode() & 0o777, 0o600);
    std::fs::write(user.path("secret"), "no hash").expect("written");
    let run = || user.run(&["serve", "--addr", "0.0.0.0:0", "--password-file", "secret"]);
    assert!(
        !run()
            .ends(2, &["no Argon2 hash"])
            .err
            .contains("others may read")
    );
    std::fs::set_permissions(user.path("secret"), std::fs::Permissions::from_mode(0o640))
        .expect("set");
    run().ends(2, &["others may read it", "chmod 600"]);
}

#[cfg(unix)]
#[test]
fn a_harvest_asks_for_the_password_of_its_pages() {
    let (site, user) = (Site::new(1), User::new());
    user.add(&site).ends(0, &[]);
    assert!(makes_password(&user, "secret", PASSWORD));
    let serves = [
        "--serve",
        "127.0.0.1:0",
        "--password-file",
        "secret",
        "--host",
        "a.example",
    ];
    let harvest = crate::harvest_cli::site::Running::new(&user, &serves);
    let line = harvest.wait_for("pages at http://");
    let (_, at) = line.split_once("http://").expect("an address");
    let at: std::net::SocketAddr = at.trim_end_matches("/reader").parse().expect("an address");
    let asked = |more: &[&str]| {
        let headers = [&["Host: a.example"], more].concat();
        Client::to(at).ask("GET /reader", &headers, b"").status
    };
    assert_eq!(asked(&[]), 401);
    let basic = format!(
        "Authorization: Basic {}",
        STANDARD.encode(format!("x:{PASSWORD}"))
    );
    assert_eq!(asked(&[&basic]), 200);
    let figures = Client::to(at).ask("GET /metrics", &["Host: a.example"], b"");
    assert_eq!(figures.status, 401);
    harvest.ends("");
}

#[test]
fn the_password_given_at_the_root_opens_the_reader() {
    let (_user, server) = locked();
    let asked = get(&server, "/", &["Accept: text/html"]);
    assert_eq!(asked.header("location"), Some("login?to=%2F"));
    for to in ["/", ""] {
        let opened = log_in(&server, PASSWORD, to);
        assert_eq!(opened.header("location"), Some("reader"), "{to:?}");
    }
}
