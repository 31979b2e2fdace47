//! The reader as an app of a phone: its manifest, its worker, and what is shared with it.

use super::access::{PASSWORD, get, locked, log_in, session};
use super::archived::illustrated;
use super::{Running, options};
use forest_serve::FilterPages;

#[test]
fn a_phone_finds_the_app_and_shares_pages_with_it() {
    let (_site, _user, server) = illustrated(&[]);
    let page = server.own("/reader/1");
    let head = "<link rel=\"manifest\" href=\"../manifest.webmanifest\">";
    assert!(page.text().contains(head), "{}", page.text());
    let policy = page.header("content-security-policy").expect("one");
    for own in [
        "manifest-src 'self'",
        "worker-src 'self'",
        "script-src 'self';",
    ] {
        assert!(policy.contains(own), "{policy}");
    }
    let manifest = server.own("/manifest.webmanifest");
    let kind = manifest.header("content-type");
    assert_eq!(kind, Some("application/manifest+json"));
    let manifest: serde_json::Value = serde_json::from_slice(&manifest.body).expect("JSON");
    assert_eq!(manifest["start_url"], "reader");
    assert_eq!(manifest["display"], "standalone");
    let icons = manifest["icons"].as_array().expect("icons");
    assert_eq!(icons.len(), 2);
    for icon in icons {
        let file = server.own(&format!("/{}", icon["src"].as_str().expect("an address")));
        assert_eq!(file.status, 200);
        assert_eq!(file.header("content-type"), icon["type"].as_str());
    }
    // Phones of another maker read no manifest for it.
    let of_head = "<link rel=\"apple-touch-icon\" href=\"../filter/icon-180.png\">";
    assert!(page.text().contains(of_head));
    assert!(
        server
            .own("/filter/icon-180.png")
            .body
            .starts_with(b"\x89PNG")
    );
    let share = &manifest["share_target"];
    assert_eq!(
        (&share["action"], &share["method"]),
        (&"save".into(), &"GET".into())
    );
    // The address within a text is found.
    let shared = server.own("/save?title=The+ferry&text=Read+https://a.example/1.&url=");
    let value = "value=\"https://a.example/1\"";
    assert!(shared.text().contains(value), "{}", shared.text());
    let worker = server.own("/worker.js");
    assert_eq!(
        worker.header("content-type"),
        Some("text/javascript; charset=utf-8")
    );
    // Without an archive nothing can be saved.
    let pages = FilterPages::new(options()).expect("pages");
    let bare = Running::of(&pages, FilterPages::server).own("/manifest.webmanifest");
    let bare: serde_json::Value = serde_json::from_slice(&bare.body).expect("JSON");
    assert_eq!(bare["start_url"], "filter");
    assert!(bare.get("share_target").is_none());
}

#[test]
fn where_there_is_no_https_the_settings_say_what_is_missing() {
    let (_site, _user, server) = illustrated(&[]);
    let said = |host: &str, more: &str| {
        let host = format!("Host: {host}");
        server.ask("GET /settings", &[&host, more]).text()
    };
    let missing = "only where its address begins with https";
    let none = "Accept: text/html";
    assert!(said("192.168.1.7:7878", none).contains(missing));
    for (host, more) in [
        ("127.0.0.1:7878", none),
        ("192.168.1.7", "X-Forwarded-Proto: https"),
    ] {
        let page = said(host, more);
        assert!(
            !page.contains(missing) && page.contains("Add to home screen"),
            "{page}"
        );
    }
}

#[test]
fn who_logs_out_keeps_nothing() {
    let (_user, server) = locked();
    let of_app = ["/manifest.webmanifest", "/worker.js"];
    assert!(
        of_app
            .iter()
            .all(|path| get(&server, path, &[]).status == 200)
    );
    let own = session(&log_in(&server, PASSWORD, ""));
    let cleared = |answer: &super::Answer| answer.header("clear-site-data").map(str::to_owned);
    let all = Some("\"cache\", \"storage\"".to_owned());
    let document = "Sec-Fetch-Dest: document";
    assert_eq!(cleared(&get(&server, "/login", &[document])), all);
    // A page of another site asks for no more than a picture of it.
    assert_eq!(
        cleared(&get(&server, "/login", &["Sec-Fetch-Dest: image"])),
        None
    );
    let page = get(&server, "/login", &[document, &own]);
    assert_eq!(cleared(&page), None, "it has a session");
    let page = page.text();
    let (_, token) = page.split_once("name=\"token\" value=\"").expect("a token");
    let token = token.split('"').next().expect("its end");
    let lines = [
        format!("Host: {}", server.address),
        format!("Origin: http://{}", server.address),
        "Content-Type: application/x-www-form-urlencoded".to_owned(),
        own,
    ];
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let post = |body: &str| server.ask_with("POST /logout", &lines, body.as_bytes());
    assert_eq!(cleared(&post("token=x")), None);
    assert_eq!(cleared(&post(&format!("token={token}"))), all);
}
