//! Who is let in: devices with their tokens, and apps with the password.

use super::{App, json_of, new_token};
use crate::harvest_cli::site::{Site, User};
use crate::serve::archive::served;
use crate::serve::{Answer, Running, options};
use forest_serve::FilterPages;
use forest_web::access::hash_of;

const PASSWORD: &str = "open sesame";

/// The server of a user's archive with a password.
fn locked(user: &User, password: &str) -> Running {
    let options = options()
        .with_archive(user.store())
        .with_password_hash(hash_of(password).expect("a hash"));
    let pages = FilterPages::new(options).expect("pages");
    Running::of(&pages, FilterPages::server)
}

fn log_in(server: &Running, more: &[&str], fields: &[(&str, &str)]) -> Answer {
    let host = format!("Host: {}", server.address);
    let kind = "Content-Type: application/x-www-form-urlencoded";
    let mut form = url::form_urlencoded::Serializer::new(String::new());
    form.extend_pairs(fields);
    let headers = [&[&*host, kind], more].concat();
    let line = "POST /accounts/ClientLogin";
    server.ask_with(line, &headers, form.finish().as_bytes())
}

/// The line `Auth=` of an answer.
fn auth(answer: &Answer) -> String {
    assert_eq!(answer.status, 200, "{}", answer.text());
    let text = answer.text();
    let mut lines = text.lines();
    let auth = lines.find_map(|line| line.strip_prefix("Auth="));
    auth.expect("a token").to_owned()
}

#[test]
fn a_device_logs_in_with_its_token_at_both_addresses() {
    let (_site, _user, server) = served();
    let token = new_token(&server, "Phone");
    let fields = [("Email", "anyone"), ("Passwd", &*token)];
    let answer = log_in(&server, &[], &fields);
    assert_eq!(
        answer.text(),
        format!("SID={token}\nLSID={token}\nAuth={token}\n")
    );
    let query = format!("accounts/ClientLogin?Email=a&Passwd={token}&output=json");
    for base in ["/", "/api/greader.php/"] {
        let answer = json_of(&server.own(&format!("{base}{query}")));
        assert_eq!(answer["Auth"], *token);
    }
    for wrong in ["", "x", &token[1..]] {
        let answer = log_in(&server, &[], &[("Email", "a"), ("Passwd", wrong)]);
        assert_eq!(answer.status, 401, "{wrong}");
        assert!(answer.text().starts_with("Error=BadAuthentication"));
    }
    for base in ["", "/api/greader.php"] {
        let app = App {
            base,
            ..App::new(&server)
        };
        assert_eq!(app.get("api/0/token").text(), app.token);
        let user = app.json("api/0/user-info");
        assert_eq!(
            (&user["userId"], &user["userName"]),
            (&"owner".into(), &"owner".into())
        );
        let gone = app.get("api/0/nothing");
        assert_eq!(gone.status, 404);
        assert!(
            gone.header("content-type")
                .expect("one")
                .starts_with("text/plain")
        );
    }
    assert_eq!(server.own("/api/greader.php").text(), "OK");
    assert_eq!(
        server.own("/api/greader.php/check/compatibility").text(),
        "PASS"
    );
}

#[test]
fn a_request_without_a_right_token_is_refused() {
    let (_site, _user, server) = served();
    let app = App::new(&server);
    for token in ["", "x"] {
        let stranger = App {
            token: token.to_owned(),
            ..App::new(&server)
        };
        for path in [
            "api/0/token",
            "api/0/subscription/list?output=json",
            "atom/feed/1",
        ] {
            let answer = stranger.get(path);
            assert_eq!(answer.status, 401, "{path}");
            assert_eq!(answer.header("x-reader-google-bad-token"), Some("true"));
        }
    }
    let marked = |second: &str| {
        let read = "user/-/state/com.google/read";
        let fields = [("i", &*app.unread()[0]), ("a", read), ("T", second)];
        app.post("api/0/edit-tag", &fields).status
    };
    assert_eq!(marked("another"), 401);
    assert_eq!(app.unread().len(), 3);
    // FeedMe says none, Reeder `x`, others the one that they asked for.
    assert_eq!(
        [marked(""), marked("x"), marked(&format!("{}\n", app.token))],
        [200; 3]
    );
    assert_eq!(app.unread().len(), 0);
    // Miniflux has the token in the form alone.
    let host = format!("Host: {}", server.address);
    let kind = "Content-Type: application/x-www-form-urlencoded";
    let body = format!("T={}&s=user/-/state/com.google/reading-list", app.token);
    let path = "POST /reader/api/0/mark-all-as-read";
    let answer = server.ask_with(path, &[&host, kind], body.as_bytes());
    assert_eq!(answer.status, 200);
}

#[test]
fn a_revoked_device_gets_401_and_the_others_stay() {
    let (_site, user, server) = served();
    let (lost, kept) = (App::new(&server), App::new(&server));
    assert_eq!(lost.get("api/0/token").status, 200);
    let file = std::fs::read_to_string(user.store().join("devices.json")).expect("a file");
    assert!(!file.contains(&lost.token), "{file}");
    let page = server.own("/apps").text();
    let (_, id) = page
        .split_once("name=\"revoke\" value=\"")
        .expect("a button");
    let id = id.split('"').next().expect("its end");
    let form = server.token();
    let revoked = server.send_form("/apps", &[("token", &form), ("revoke", id)]);
    assert!(revoked.text().contains("is revoked"), "{}", revoked.text());
    assert_eq!(lost.get("api/0/token").status, 401);
    let answer = log_in(&server, &[], &[("Email", "a"), ("Passwd", &lost.token)]);
    assert_eq!(answer.status, 401);
    // It goes on asking, and keeps out nobody.
    for _ in 0..30 {
        lost.get("api/0/token");
    }
    let last = lost.get("api/0/token");
    assert_eq!(last.status, 429);
    assert!(last.header("retry-after").is_some());
    assert_eq!(kept.get("api/0/token").status, 200);
}

#[test]
fn the_page_of_apps_makes_and_names_devices() {
    let (_site, _user, server) = served();
    let page = server.own("/apps").text();
    let address = format!("http://{}/api/greader.php", server.address);
    assert!(
        page.contains(&address) && page.contains("No device"),
        "{page}"
    );
    assert!(server.own("/archive").text().contains("href=\"apps\""));
    let form = server.token();
    let unnamed = server.send_form("/apps", &[("token", &form), ("name", " ")]);
    assert_eq!(unnamed.status, 400);
    assert!(
        unnamed.text().contains("role=\"alert\""),
        "{}",
        unnamed.text()
    );
    assert_eq!(server.send_form("/apps", &[("name", "a")]).status, 403);
    let token = new_token(&server, "<b>Phone</b> of A\u{7} B");
    let page = server.own("/apps").text();
    assert!(page.contains("&lt;b&gt;Phone&lt;/b&gt; of A B"), "{page}");
    assert!(!page.contains(&token), "it is shown once");
    assert!(page.contains("never"), "{page}");
}

#[test]
fn the_password_gives_an_app_a_token_until_it_is_another() {
    let (site, user) = (Site::new(1), User::new());
    user.add(&site).ends(0, &[]);
    let server = locked(&user, PASSWORD);
    let login = |server: &Running, password: &str, agent: &str| {
        let fields = [("Email", "a"), ("Passwd", password), ("service", "reader")];
        log_in(server, &[&format!("User-Agent: {agent}")], &fields)
    };
    assert_eq!(login(&server, "open", "One/1").status, 401);
    let first = auth(&login(&server, PASSWORD, "One/1"));
    assert_ne!(first, PASSWORD);
    assert_eq!(
        auth(&login(&server, PASSWORD, "One/2")),
        first,
        "the same app"
    );
    let second = auth(&login(&server, PASSWORD, "Two"));
    assert_ne!(second, first);
    let is_let_in = |server: &Running, token: &str| {
        let host = format!("Host: {}", server.address);
        let token = format!("Authorization: GoogleLogin auth={token}");
        server
            .ask("GET /reader/api/0/token", &[&host, &token])
            .status
    };
    assert_eq!(is_let_in(&server, &first), 200);
    // A cookie and the password itself open nothing here.
    assert_eq!(is_let_in(&server, PASSWORD), 401);
    // The token opens apps' requests alone.
    let host = format!("Host: {}", server.address);
    let token = format!("Authorization: GoogleLogin auth={first}");
    for path in ["/reader", "/archive", "/apps", "/opml"] {
        let answer = server.ask(&format!("GET {path}"), &[&host, &token]);
        assert_eq!(answer.status, 401, "{path}");
    }
    let again = locked(&user, "open sesame again");
    assert_eq!(is_let_in(&again, &first), 401);
    let fresh = auth(&login(&again, "open sesame again", "One/1"));
    assert_eq!(
        (is_let_in(&again, &fresh), is_let_in(&again, &first)),
        (200, 401)
    );
}

#[test]
fn passwords_of_apps_are_not_guessed_without_end() {
    let (site, user) = (Site::new(1), User::new());
    user.add(&site).ends(0, &[]);
    let server = locked(&user, PASSWORD);
    let long = "x".repeat(1001);
    let tries = |password: &str| {
        let fields = [("Email", "a"), ("Passwd", password)];
        log_in(&server, &[], &fields).status
    };
    let statuses: Vec<u16> = (0..22).map(|_| tries(&long)).collect();
    assert_eq!(
        (&statuses[..20], &statuses[20..]),
        (&[401; 20][..], &[429; 2][..])
    );
    assert_eq!(tries(PASSWORD), 429);
    // The page's own limit is the same one.
    let form = server.send_form("/login", &[("token", ""), ("password", PASSWORD)]);
    assert_ne!(form.status, 303);
}

#[test]
fn a_page_of_another_site_cannot_guess_or_ask() {
    let (_site, _user, server) = served();
    let token = new_token(&server, "Phone");
    let fields = [("Email", "a"), ("Passwd", &*token)];
    for evil in ["Origin: https://evil.example", "Origin: null"] {
        assert_eq!(log_in(&server, &[evil], &fields).status, 403, "{evil}");
    }
    // An app on a desktop is a page in a file.
    assert_eq!(log_in(&server, &["Origin: file://"], &fields).status, 200);
    let host = format!("Host: {}", server.address);
    let picture = ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors"];
    let line = format!("GET /accounts/ClientLogin?Email=a&Passwd={token}");
    let answer = server.ask(&line, &[&*host, picture[0], picture[1]]);
    assert_eq!(answer.status, 403);
    let rebound = server.ask(&line, &["Host: evil.example"]);
    assert_eq!(rebound.status, 421);
    let method = server.ask("PUT /reader/api/0/token", &[&host]);
    assert_eq!(method.status, 405);
}
