//! The pages of the server itself: settings, previews, view, proxy.

use super::{Answer, PAGE, Running, options};
use crate::hostile_server::server::Server as Origin;
use forest_html::page::Page;
use forest_serve::FilterPages;
use forest_text::filter::FilterSettings;
use forest_web::shared_filter::SettingsStore;
use std::sync::{Arc, Mutex};

const HTML: (&str, &str) = ("Content-Type", "text/html; charset=utf-8");

fn page_server() -> Origin {
    Origin::new(|mut peer| async move {
        let page = format!(
            "{PAGE}<a href='/next?a=1&b=2'>Next</a> <a href='#part'>Part</a> <img src=a.png> \
             <link rel=preconnect href=//far.example><form action=/post><input name=q></form><base href='http://{}/deep/'>",
            "127.0.0.1:1"
        );
        peer.answer(200, &[HTML], page.as_bytes()).await;
    })
}

/// The fields of a form as the page shows it, in the place of a browser.
fn fields(page: &Answer) -> Vec<(String, String)> {
    let page = Page::from_html(&page.text());
    let mut fields = Vec::new();
    for n in page.elements() {
        let (tag, name) = (
            page.name(n).map(|name| name.local.to_string()),
            page.attr(n, "name"),
        );
        let (Some(tag), Some(name)) = (tag, name) else {
            continue;
        };
        let value = page.attr(n, "value").unwrap_or_default();
        let is_box = page.attr(n, "type") == Some("checkbox");
        let value = match &*tag {
            "input" if is_box && page.attr(n, "checked").is_none() => continue,
            "input" => value.to_owned(),
            "select" => {
                let options: Vec<_> = page
                    .subtree(n)
                    .filter(|&o| page.attr(o, "value").is_some())
                    .collect();
                let chosen = options
                    .iter()
                    .find(|&&o| page.attr(o, "selected").is_some());
                let chosen = chosen.or(options.first()).expect("an option");
                page.attr(*chosen, "value").expect("a value").to_owned()
            }
            _ => continue,
        };
        fields.push((name.to_owned(), value));
    }
    fields
}

fn send(running: &Running, fields: &[(String, String)], more: &[(&str, &str)]) -> Answer {
    let given = |name: &str| more.iter().any(|(other, _)| *other == name);
    let kept = fields.iter().filter(|(name, _)| !given(name));
    let all: Vec<(&str, &str)> = kept
        .map(|(name, value)| (&**name, &**value))
        .chain(more.iter().copied().filter(|(_, value)| *value != "OFF"))
        .collect();
    running.send_form("/filter", &all)
}

#[test]
fn a_change_shows_what_goes_and_a_commit_makes_it_hold() {
    let origin = page_server();
    let proxy = Running::proxy(options());
    let form = fields(&proxy.own("/filter"));
    assert!(
        form.iter()
            .any(|(name, value)| name == "scripts" && value == "on")
    );
    let url = origin.url("/").to_string();
    // Enter in the field presses the first button, which opens a new address.
    let page = proxy.own("/filter").text();
    let (_, button) = page.split_once("<button").expect("a button");
    let (button, _) = button.split_once('>').expect("its end");
    assert!(button.contains("value=\"enter\""), "{button}");
    let opened = send(&proxy, &form, &[("action", "enter"), ("url", &url)]);
    assert_eq!(opened.status, 200, "{}", opened.text());
    let text = opened.text();
    assert!(text.contains("<th scope=\"row\">Words</th>"), "{text}");
    let form = fields(&opened);
    let preview = form
        .iter()
        .find(|(name, _)| name == "preview")
        .expect("a preview");
    let before = proxy.own(&format!("/filter/frame/{}/before", preview.1));
    let policy = before.header("content-security-policy").expect("a policy");
    assert!(
        policy.starts_with("sandbox; default-src 'none'"),
        "{policy}"
    );
    assert!(
        !policy.contains("script-src") && !policy.contains("allow-"),
        "{policy}"
    );
    // Pictures and styles are loaded from elsewhere where a person asks for it.
    assert!(!policy.contains("http"), "{policy}");
    let asked = format!("filter/frame/{}/before?load=on", preview.1);
    assert!(text.contains(&format!("href=\"{asked}\"")), "{text}");
    let loading = proxy.own(&format!("/{asked}"));
    let policy = loading.header("content-security-policy").expect("a policy");
    assert!(
        policy.starts_with("sandbox;") && policy.contains("img-src http:"),
        "{policy}"
    );
    assert!(
        before.text().contains("<script data-forest-gone=\"\">"),
        "{}",
        before.text()
    );
    let after = proxy.own(&format!("/filter/frame/{}/after", preview.1));
    assert!(!after.text().contains("evil()") && !after.text().contains("data-forest-gone"));

    // Scripts stay, but only for the preview, until the commit.
    let changed = send(&proxy, &form, &[("action", "enter"), ("scripts", "OFF")]);
    let shown = fields(&changed);
    let now = &shown
        .iter()
        .find(|(name, _)| name == "preview")
        .expect("a preview")
        .1;
    assert!(
        proxy
            .own(&format!("/filter/frame/{now}/after"))
            .text()
            .contains("evil()")
    );
    let through = || proxy.ask(&format!("GET {url}"), &[]).text();
    assert!(!through().contains("evil()"));
    assert_eq!(
        origin.requests(),
        2,
        "a change does not fetch the page again"
    );
    let held = send(&proxy, &shown, &[("action", "commit")]);
    assert_eq!(held.status, 200);
    assert!(through().contains("evil()"));
    // Cancel shows what holds.
    let cancelled = send(&proxy, &shown, &[("action", "cancel"), ("scripts", "on")]);
    assert!(!fields(&cancelled).iter().any(|(name, _)| name == "scripts"));
}

#[test]
fn a_page_can_be_pasted() {
    let proxy = Running::proxy(options());
    let form = fields(&proxy.own("/filter"));
    let pasted = "<p>Pasted words</p></textarea><script>alert(1)</script>";
    let shown = send(&proxy, &form, &[("action", "open"), ("page", pasted)]);
    assert!(!shown.text().contains("<script>alert"), "{}", shown.text());
    let form = fields(&shown);
    let preview = &form
        .iter()
        .find(|(name, _)| name == "preview")
        .expect("a preview")
        .1;
    let after = proxy.own(&format!("/filter/frame/{preview}/after"));
    assert!(
        after.text().contains("<p>Pasted words</p>"),
        "{}",
        after.text()
    );
}

#[test]
fn a_mistake_stands_beside_its_field_and_changes_nothing() {
    let proxy = Running::proxy(options());
    let form = fields(&proxy.own("/filter"));
    let answer = send(
        &proxy,
        &form,
        &[("action", "commit"), ("link_ratio", "<many>")],
    );
    assert_eq!(answer.status, 422);
    let text = answer.text();
    assert!(
        text.contains("id=\"link_ratio-fault\"") && text.contains("&lt;many&gt;"),
        "{text}"
    );
    assert!(!text.contains("<many>"));
    assert_eq!(fields(&proxy.own("/filter")), form);
    let answer = send(
        &proxy,
        &form,
        &[("action", "open"), ("url", "javascript:alert(1)")],
    );
    assert_eq!(answer.status, 422);
}

#[derive(Debug, Default)]
struct Shelf(
    Mutex<Vec<(String, FilterSettings)>>,
    Mutex<Option<FilterSettings>>,
);

impl SettingsStore for Shelf {
    fn changed(&self) -> Option<Result<FilterSettings, String>> {
        Some(Ok(self.1.lock().expect("a lock").take()?))
    }

    fn save(&self, name: &str, settings: &FilterSettings) -> std::io::Result<String> {
        self.0
            .lock()
            .expect("a lock")
            .push((name.to_owned(), settings.clone()));
        Ok(format!("shelf/{name}"))
    }
}

#[test]
fn settings_are_saved_and_taken_over_by_the_store() {
    let shelf = Arc::new(Shelf::default());
    let proxy = Running::proxy(options().with_store(shelf.clone()));
    let form = fields(&proxy.own("/filter"));
    let saved = send(&proxy, &form, &[("action", "save"), ("name", "my-phone")]);
    assert!(saved.text().contains("shelf/my-phone"), "{}", saved.text());
    assert_eq!(shelf.0.lock().expect("a lock").len(), 1);
    for wrong in ["../evil", "light", ""] {
        let refused = send(&proxy, &form, &[("action", "save"), ("name", wrong)]);
        assert_eq!(refused.status, 422, "{wrong}");
    }
    assert_eq!(shelf.0.lock().expect("a lock").len(), 1);
    // A file that was edited holds from the next page on.
    *shelf.1.lock().expect("a lock") = Some(FilterSettings::none());
    let origin = page_server();
    let through = proxy.ask(&format!("GET {}", origin.url("/")), &[]);
    assert!(through.text().contains("evil()"));
}

#[test]
fn no_other_page_changes_anything() {
    let origin = page_server();
    let proxy = Running::proxy(options());
    let form = fields(&proxy.own("/filter"));
    let body = |token: &str| {
        let mut pairs = url::form_urlencoded::Serializer::new(String::new());
        pairs
            .append_pair("token", token)
            .append_pair("action", "commit");
        for (name, value) in form
            .iter()
            .filter(|(name, _)| name != "token" && name != "scripts")
        {
            pairs.append_pair(name, value);
        }
        pairs.finish().into_bytes()
    };
    let own = proxy.address.to_string();
    let good = body(&proxy.token());
    let host = format!("Host: {own}");
    let origin_line = format!("Origin: http://{own}");
    let kind = "Content-Type: application/x-www-form-urlencoded";
    let check = |line: &str, headers: &[&str], body: &[u8], status: u16| {
        let answer = proxy.ask_with(line, headers, body);
        assert_eq!(
            answer.status,
            status,
            "{line} {headers:?}: {}",
            answer.text()
        );
    };
    check("POST /filter", &[&host, kind], &good, 403);
    check("POST /filter", &[&host, kind, "Origin: null"], &good, 403);
    check(
        "POST /filter",
        &[&host, kind, "Origin: http://evil.example"],
        &good,
        403,
    );
    check(
        "POST /filter",
        &["Host: evil.example", kind, "Origin: http://evil.example"],
        &good,
        421,
    );
    let cross = "Sec-Fetch-Site: cross-site";
    check(
        "POST /filter",
        &[&host, kind, &origin_line, cross],
        &good,
        403,
    );
    check(
        "POST /filter",
        &[&host, &origin_line, "Content-Type: text/plain"],
        &good,
        415,
    );
    check("POST /filter", &[&host, &origin_line, kind], &body(""), 403);
    check(
        "POST /filter",
        &[&host, &origin_line, kind],
        &body("x"),
        403,
    );
    check(
        "POST /filter",
        &[&host, &origin_line, kind, "Cookie: token=x"],
        &body("x"),
        403,
    );
    check(
        "POST /site",
        &[&host, kind, "Origin: http://evil.example"],
        b"site=a&to=off",
        403,
    );
    check("DELETE /filter", &[&host], b"", 405);
    // Through the proxy, at the name that only the proxy knows.
    let internal = "http://forest.internal";
    check(
        &format!("POST {internal}/filter"),
        &[kind, "Origin: http://evil.example"],
        &good,
        403,
    );
    // Nothing above held.
    let through = || proxy.ask(&format!("GET {}", origin.url("/")), &[]).text();
    assert!(!through().contains("evil()"));
    let internal_origin = format!("Origin: {internal}");
    check(
        &format!("POST {internal}/filter"),
        &[kind, &internal_origin],
        &good,
        200,
    );
    assert!(through().contains("evil()"));
}

#[test]
fn each_page_of_ours_has_its_policy() {
    let proxy = Running::proxy(options());
    for path in [
        "/",
        "/filter",
        "/view",
        "/filter/style.css",
        "/filter/script.js",
        "/nothing",
    ] {
        let answer = proxy.own(path);
        let policy = answer.header("content-security-policy").expect("a policy");
        assert!(
            policy.contains("default-src 'none'") && !policy.contains("unsafe"),
            "{path}"
        );
        assert!(policy.contains("frame-ancestors 'none'") && policy.contains("base-uri 'none'"));
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(answer.header("set-cookie"), None);
        let page = Page::from_html(&answer.text());
        for (name, _) in page.elements().flat_map(|n| page.attrs(n)) {
            let name = &*name.local;
            assert!(name != "style" && !name.starts_with("on"), "{path}: {name}");
        }
        let inline = |n| page.name(n).is_some_and(|name| *name.local == *"style");
        assert!(!page.elements().any(inline), "{path}");
    }
}

#[test]
fn a_view_leads_to_views() {
    let origin = page_server();
    let proxy = Running::proxy(options());
    let address = format!(
        "/view?url=http%3A%2F%2F127.0.0.1%3A{}%2Fstory",
        origin.port()
    );
    let answer = proxy.own(&address);
    assert_eq!(answer.status, 200);
    let text = answer.text();
    let policy = answer.header("content-security-policy").expect("a policy");
    assert!(
        policy.starts_with("sandbox;") && !policy.contains("script"),
        "{policy}"
    );
    let next = "href=\"view?url=http%3A%2F%2F127.0.0.1%3A";
    assert!(
        text.contains(next) && text.contains("%2Fnext%3Fa%3D1%26b%3D2\""),
        "{text}"
    );
    assert!(text.contains("href=\"#part\""), "{text}");
    for gone in ["script", "<form", "<base", "evil"] {
        assert!(!text.contains(gone), "{gone}: {text}");
    }
    assert_eq!(answer.header("set-cookie"), None);
    // Nothing is loaded from elsewhere, unless a person asks.
    assert!(!policy.contains("http"), "{policy}");
    assert!(!text.contains("<link"), "{text}");
    let bar = |text: &str, name: &str| {
        let (before, _) = text
            .split_once(&format!(">{name}</a>"))
            .unwrap_or_else(|| panic!("{name}: {text}"));
        let href = before.rsplit("href=\"").next().expect("an address");
        format!("/{}", href.trim_end_matches('"').replace("&amp;", "&"))
    };
    assert!(
        text.contains("<body") && text.contains("width=device-width"),
        "{text}"
    );
    assert_eq!(bar(&text, "Back"), "/view");
    let loading = proxy.own(&bar(&text, "Load pictures and styles from elsewhere"));
    let policy = loading.header("content-security-policy").expect("a policy");
    assert!(
        policy.starts_with("sandbox;") && policy.contains("img-src http: https:"),
        "{policy}"
    );
    let back = bar(&loading.text(), "Load nothing from elsewhere");
    assert_eq!(proxy.own(&back).text(), text);
    let article = proxy.own(&bar(&text, "The article alone")).text();
    assert_eq!(
        bar(&article, "The whole page"),
        bar(&loading.text(), "Load nothing from elsewhere")
    );
    let add = bar(&text, "Add this site");
    assert!(add.starts_with("/add?url=http%3A%2F%2F127.0.0.1"), "{add}");
    let wrong = proxy.own("/view?url=%22%3E%3Cscript%3E");
    assert_eq!(wrong.status, 400);
    assert!(!wrong.text().contains("\"><script>"), "{}", wrong.text());
}

#[test]
fn the_links_of_what_was_removed_lead_to_views() {
    let origin = Origin::new(|mut peer| async move {
        let links = "<table><tr><td><a href=/one>One</a> <a href=two>Two</a> \
            <a href='https://far.example/three'>Three</a></table>";
        peer.answer(200, &[HTML], format!("{PAGE}{links}").as_bytes())
            .await;
    });
    let proxy = Running::proxy(options());
    let text = proxy
        .own(&format!("/view?url={}", origin.url("/a/b")))
        .text();
    let (_, list) = text.split_once("forest-removed-links").expect("a list");
    assert_eq!(list.matches("<a ").count(), 3, "{list}");
    assert_eq!(list.matches("<a href=\"view?url=http").count(), 3, "{list}");
    for address in ["%2Fone\"", "%2Fa%2Ftwo\"", "far.example%2Fthree\""] {
        assert!(list.contains(address), "{address}: {list}");
    }
}

#[test]
fn the_page_of_the_proxy_says_what_was_filtered_and_switches_sites() {
    let origin = page_server();
    let proxy = Running::proxy(options());
    let line = format!("GET {}", origin.url("/<b>"));
    assert!(!proxy.ask(&line, &[]).text().contains("evil()"));
    // A page is counted after it was given.
    let begun = std::time::Instant::now();
    loop {
        let page = proxy.ask("GET http://forest.internal/", &[]);
        assert_eq!(page.status, 200);
        if page.text().contains("Leave alone") {
            break;
        }
        assert!(begun.elapsed().as_secs() < 60, "{}", page.text());
    }
    let token = proxy.token();
    let switch = |to: &str| {
        let fields = [("token", &*token), ("site", "127.0.0.1"), ("to", to)];
        assert_eq!(proxy.send_form("/site", &fields).status, 303);
    };
    switch("off");
    assert!(proxy.ask(&line, &[]).text().contains("evil()"));
    assert!(proxy.own("/").text().contains("left alone"));
    switch("on");
    assert!(!proxy.ask(&line, &[]).text().contains("evil()"));
    let pac = proxy.own("/proxy.pac");
    assert_eq!(
        pac.header("content-type"),
        Some("application/x-ns-proxy-autoconfig")
    );
    assert!(
        pac.text().contains(&format!("PROXY {};", proxy.address)),
        "{}",
        pac.text()
    );
}

#[test]
fn the_root_leads_to_the_first_page_and_unknown_paths_to_the_root() {
    let pages = FilterPages::new(options()).expect("pages");
    let server = Running::of(&pages, FilterPages::server);
    let proxy = Running::proxy(options());
    let root = server.own("/");
    assert_eq!(
        (root.status, root.header("location")),
        (303, Some("filter"))
    );
    assert_eq!(proxy.own("/").status, 200, "the page of the proxy");
    let far = "/a".repeat(10_000);
    for running in [&server, &proxy] {
        let host = format!("Host: {}", running.address);
        let ask = |path: &str, more: &str| running.ask(&format!("GET {path}"), &[&host, more]);
        for (path, up) in [
            ("/nowhere", ""),
            ("/a/b/?c=d", "../../"),
            ("/filter/", "../"),
        ] {
            let page = ask(path, "Accept: text/html,*/*;q=0.8");
            let text = page.text();
            assert_eq!(page.status, 404, "{path}");
            assert!(text.contains(&format!("<a href=\"{up}./\"")), "{text}");
            assert!(
                text.contains(&format!("href=\"{up}filter/style.css\"")),
                "{text}"
            );
            let policy = page.header("content-security-policy").expect("one");
            assert!(policy.starts_with("default-src 'none'"), "{policy}");
            let program = ask(path, "Accept: */*");
            assert_eq!(program.status, 404, "{path}");
            assert!(program.text().starts_with("forest: "), "{}", program.text());
        }
        // Of a path without an end, the page is not longer than others.
        let page = ask(&far, "Accept: text/html");
        assert!(page.status == 404 && page.body.len() < 10_000);
        let foreign = running.ask("GET /nowhere", &["Host: evil.example"]);
        assert_eq!(foreign.status, 421);
    }
    let own = proxy.ask("GET http://forest.internal/nowhere", &["Accept: text/html"]);
    assert_eq!(own.status, 404);
    assert!(own.text().contains("href=\"./\""), "{}", own.text());
}
