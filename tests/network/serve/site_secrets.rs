//! The secrets of a site on its page.

use super::archive::served;
use super::{Answer, Running};
use crate::harvest_cli::site::{Site, User};

/// Sends a form of the page about the site's secrets.
fn send(server: &Running, site: &Site, fields: &[(&str, &str)]) -> Answer {
    let token = server.token();
    let path = format!("/sites/{}/secrets", site.host);
    server.send_form(&path, &[&[("token", &*token)], fields].concat())
}

fn listed(user: &User) -> String {
    let list = ["harvest", "secret", "list", "--archive", "store"];
    user.run(&list).ends(0, &[]).out.clone()
}

#[test]
fn a_secret_is_kept_listed_by_name_and_removed() {
    let (site, user, server) = served();
    let page = |query: &str| server.own(&format!("/sites/{}{query}", site.host)).text();
    assert!(page("").contains("None.") && !page("").contains("came over http"));
    let host = ["Host: 192.168.1.7:7878"];
    let far = server.ask(&format!("GET /sites/{}", site.host), &host);
    assert!(far.text().contains("came over http"), "{}", far.text());
    let header = [
        ("action", "header"),
        ("name", "X-Key"),
        ("value", " hunter2 "),
        ("http", "on"),
    ];
    let kept = send(&server, &site, &header);
    let to = format!("../{}?secrets=kept&again=0#secrets", site.host);
    assert_eq!((kept.status, kept.header("location")), (303, Some(&*to)));
    let cookies = "127.0.0.1\tFALSE\t/\tFALSE\t4102444799\tsid\tc00kie\n";
    send(
        &server,
        &site,
        &[("action", "cookies"), ("cookies", cookies)],
    );
    let shown = page("?secrets=kept");
    for part in [
        "Kept.",
        "header  X-Key  over http",
        "cookie  sid  127.0.0.1/  expires 2099",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    assert!(!shown.contains("hunter2") && !shown.contains("c00kie"));
    // The harvest sends it.
    site.set(|show| show.wants = vec![("x-key", "hunter2".to_owned())]);
    user.round(9, &["--now"]).ends(0, &["1 feed polled"]);
    let removed = [("action", "remove"), ("kind", "header"), ("name", "X-Key")];
    assert_eq!(send(&server, &site, &removed).status, 303);
    let expected = format!(
        "{}  cookie  sid  127.0.0.1/  expires 2099-12-31T23:59:59Z\n",
        site.host
    );
    assert_eq!(listed(&user), expected);
}

#[test]
fn pages_that_the_site_refused_are_asked_for_again() {
    let (site, user) = (Site::new(2), User::new());
    user.add(&site).ends(0, &[]);
    let server = super::library::server_of(&user);
    site.set(|show| show.wants = vec![("x-key", "hunter2".to_owned())]);
    user.round(3, &[]).ends(1, &["2 pages without an article"]);
    let key = [
        ("action", "header"),
        ("name", "X-Key"),
        ("value", "hunter2"),
    ];
    let follow = |answer: &Answer| {
        let to = answer.header("location").expect("it leads on");
        server
            .own(&format!("/sites/{}", to.trim_start_matches("../")))
            .text()
    };
    // The site has no https.
    let unsent = follow(&send(&server, &site, &key));
    assert!(unsent.contains("Kept, but not sent"), "{unsent}");
    let kept = follow(&send(
        &server,
        &site,
        &[&key[..], &[("http", "on")]].concat(),
    ));
    assert!(
        kept.contains("asks again for 2 pages that the site refused"),
        "{kept}"
    );
    user.round(4, &[]).ends(0, &["2 new articles"]);
}

#[test]
fn of_cookies_with_one_name_that_which_was_shown_is_removed() {
    let (site, user, server) = served();
    let cookies = "127.0.0.1\tFALSE\t/\tFALSE\t0\tsid\tall\n\
                   127.0.0.1\tFALSE\t/shop\tFALSE\t0\tsid\tshop\n";
    let fields = [("action", "cookies"), ("cookies", cookies)];
    assert_eq!(send(&server, &site, &fields).status, 303);
    let page = server.own(&format!("/sites/{}", site.host)).text();
    for scope in ["127.0.0.1/", "127.0.0.1/shop"] {
        let field = format!("name=\"scope\" value=\"{scope}\"");
        assert!(page.contains(&field), "{page}");
    }
    let removed = [
        ("action", "remove"),
        ("kind", "cookie"),
        ("name", "sid"),
        ("scope", "127.0.0.1/shop"),
    ];
    assert_eq!(send(&server, &site, &removed).status, 303);
    let expected = format!("{}  cookie  sid  127.0.0.1/\n", site.host);
    assert_eq!(listed(&user), expected);
}

#[test]
fn a_secret_that_cannot_be_kept_is_refused_without_it() {
    let (site, user, server) = served();
    let header = |name, value| vec![("action", "header"), ("name", name), ("value", value)];
    let long = "hunter2".repeat(1000);
    let others = "b.example\tTRUE\t/\tFALSE\t0\tother\thunter2\nhunter2\n";
    let large = "hunter2".repeat(500_000);
    let check = |fields: &[(&str, &str)], status: u16, why: &str| {
        let answer = send(&server, &site, fields);
        let text = answer.text();
        assert_eq!(answer.status, status, "{text}");
        assert!(
            text.contains(why) && !text.contains("hunter2"),
            "{why}: {text}"
        );
    };
    check(&header("X Key", "hunter2"), 400, "no HTTP header name");
    check(&header("hunter2;", "v"), 400, "no HTTP header name");
    check(
        &header("X-Key", "hunter2\r\nX: 1"),
        400,
        "control characters",
    );
    check(&header("Host", "hunter2"), 400, "leave it out");
    check(&header("X-Key", &long), 400, "longer than 4096 bytes");
    check(&header("X-Key", ""), 400, "is empty");
    check(
        &[("action", "cookies"), ("cookies", others)],
        400,
        "of other sites: 1",
    );
    check(
        &[("action", "cookies"), ("cookies", &large)],
        413,
        "more than 1 MB",
    );
    check(
        &[("action", "other"), ("value", "hunter2")],
        400,
        "no such button",
    );
    // Without the token of a form, from another page, and of a site that there is not.
    let path = format!("/sites/{}/secrets", site.host);
    let fields = header("X-Key", "hunter2");
    assert_eq!(server.send_form(&path, &fields).status, 403);
    let token = server.token();
    let fields = [&[("token", &*token)], &fields[..]].concat();
    let unknown = server.send_form("/sites/b.example/secrets", &fields);
    assert!(unknown.status == 400 && unknown.text().contains("no such site"));
    assert_eq!(listed(&user), "");
}

#[cfg(unix)]
#[test]
fn a_file_that_others_may_read_is_told() {
    use std::os::unix::fs::PermissionsExt;
    let (site, user, server) = served();
    let header = [("action", "header"), ("name", "X-Key"), ("value", "v")];
    assert_eq!(send(&server, &site, &header).status, 303);
    let path = user.store().join("secrets.json");
    let mode = std::fs::Permissions::from_mode(0o644);
    std::fs::set_permissions(&path, mode).expect("set");
    let page = server.own(&format!("/sites/{}", site.host));
    assert!(
        page.status == 200 && page.text().contains("chmod 600"),
        "{}",
        page.text()
    );
    let refused = send(&server, &site, &header);
    assert!(refused.status == 400 && refused.text().contains("chmod 600"));
}
