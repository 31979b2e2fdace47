//! The workshop: a site's wrapper changed by a person, with its effect before it is saved.

use super::archive::served;
use super::library::server_of;
use super::{Answer, Running};
use crate::harvest_cli::site::User;
use forest_archive::StoredDrafts;

/// The workshop's path of the one site of an archive.
pub fn path(server: &Running) -> String {
    let list = server.own("/sites").text();
    let (_, name) = list.split_once("href=\"sites/").expect("a site");
    format!(
        "/sites/{}/workshop",
        name.split('"').next().expect("its end")
    )
}

pub fn between<'t>(text: &'t str, from: &str, to: &str) -> &'t str {
    let (_, rest) = text
        .split_once(from)
        .unwrap_or_else(|| panic!("{from} is not in {text}"));
    rest.split(to).next().expect("its end")
}

/// The draft that a page shows.
pub fn draft(page: &str) -> String {
    between(page, "name=\"draft\" value=\"", "\"").to_owned()
}

/// The number of the first element in the list whose name begins so.
pub fn node(page: &str, name: &str) -> String {
    let list = between(page, "<select", "</select>");
    let mut options = list.split("<option value=\"").skip(1);
    let option = options.find(|option| {
        let shown = between(option, ">", "<").trim_start_matches(['\u{a0}', ' ']);
        shown.starts_with(name)
    });
    let option = option.unwrap_or_else(|| panic!("{name} is not in {list}"));
    option.split('"').next().expect("its end").to_owned()
}

/// Sends a form of a draft; the page that it leads to.
pub fn step(server: &Running, path: &str, page: &str, fields: &[(&str, &str)]) -> Answer {
    let (token, draft) = (server.token(), draft(page));
    let of = between(page, "name=\"of\" value=\"", "\"");
    let known = [
        ("token", &*token),
        ("draft", &*draft),
        ("page", "0"),
        ("of", of),
    ];
    let answer = server.send_form(path, &[&known[..], fields].concat());
    match answer.header("location") {
        Some(to) => {
            let to = to.split('#').next().expect("a path");
            server.own(&format!("{}{}", path.trim_end_matches("workshop"), to))
        }
        None => answer,
    }
}

/// The wrapper's file.
fn file(user: &User) -> String {
    let files = std::fs::read_dir(user.store().join("sites")).expect("a folder");
    let mut files = files.map(|file| file.expect("an entry").path());
    let path = files.next().expect("a wrapper");
    std::fs::read_to_string(path).expect("UTF-8")
}

#[test]
fn a_label_changes_all_pages_and_is_saved_with_the_history() {
    let (site, user, server) = served();
    let path = path(&server);
    let before = file(&user);
    let page = server.own(&path);
    assert_eq!(page.status, 200, "{}", page.text());
    let page = page.text();
    assert!(page.contains("Nothing is changed."), "{page}");
    let foot = node(&page, "div.foot");
    // The foot is no part of the article: as the article it is.
    let fields = [("node", &*foot), ("role", "article")];
    let labelled = step(&server, &path, &page, &fields).text();
    // The element stays chosen, in the list and in the frame.
    assert!(
        labelled.contains(&format!("<option value=\"{foot}\" selected>")),
        "{labelled}"
    );
    let frame = between(&labelled, "src=\"workshop", "\"").replace("&amp;", "&");
    let (frame, place) = frame.split_once('#').expect("a place");
    let frame = server.own(&format!("{path}{frame}")).text();
    let first = between(&frame, &format!("id=\"{place}\""), "</");
    assert!(first.contains("All rights reserved"), "{first}");
    assert!(labelled.contains("1 change, not saved"), "{labelled}");
    assert!(
        labelled.contains("Texts differ on 3 of 3 pages."),
        "{labelled}"
    );
    assert!(
        labelled.contains("<ins>") && labelled.contains("7 words gained"),
        "{labelled}"
    );
    assert!(
        labelled.contains("that select it by names likely to last"),
        "{labelled}"
    );
    assert_eq!(file(&user), before, "a preview saves nothing");
    // Undo is the draft before.
    let undo = between(&labelled, "id=\"undo\" href=\"workshop", "\"").replace("&amp;", "&");
    let undone = server.own(&format!("{path}{undo}")).text();
    assert_eq!(draft(&undone), draft(&page));
    let saved = step(&server, &path, &labelled, &[("action", "save")]).text();
    assert!(saved.contains("Saved."), "{saved}");
    assert!(saved.contains("History: 1 earlier wrapper"), "{saved}");
    let after = file(&user);
    assert!(
        after.contains("role: article") && after.contains("digest:"),
        "{after}"
    );
    // A draft of the file before is not saved over it.
    let late = step(&server, &path, &labelled, &[("action", "save")]);
    assert_eq!(late.status, 409);
    assert!(late.text().contains("changed elsewhere"), "{}", late.text());
    assert_eq!(file(&user), after);
    // The earlier wrapper is back as a draft, and a forgotten label, too.
    for fields in [
        &[("action", "restore"), ("at", "0")],
        &[("action", "forget"), ("at", "0")],
    ] {
        let back = step(&server, &path, &saved, fields).text();
        assert!(back.contains("7 words lost"), "{back}");
    }
    // The harvest reads new pages by the saved wrapper.
    site.set(|show| show.items.insert(0, 4));
    user.round(9, &["--now"]).ends(0, &["1 new article"]);
    let feed = user.run(&["feed", "--archive", "store", &site.feed()]).out;
    assert_eq!(feed.matches("All rights reserved").count(), 1, "{feed}");
}

#[test]
fn a_box_is_clicked_out_of_the_article() {
    let (_site, _user, server) = served();
    let path = path(&server);
    let page = server.own(&path).text();
    let list = between(&page, "<select", "</select>");
    assert!(list.contains("div.story"), "{list}");
    // A role for nothing, or for a node that is none, changes nothing.
    for bad in ["", "x", "0", "4294967295", "-1"] {
        let refused = step(
            &server,
            &path,
            &page,
            &[("node", bad), ("role", "not_article")],
        );
        assert_eq!(refused.status, 422, "{bad}");
        assert!(refused.text().contains("choose an element"), "{bad}");
    }
    let foot = node(&page, "div.foot");
    let kept = [("node", &*foot), ("role", "article")];
    let kept = step(&server, &path, &page, &kept).text();
    assert!(kept.contains("7 words gained"), "{kept}");
    let gone = [("node", &*foot), ("role", "not_article")];
    let gone = step(&server, &path, &kept, &gone).text();
    assert!(gone.contains("Texts differ on 0 of 3 pages."), "{gone}");
    assert!(gone.contains("<strong>Not the article</strong>"), "{gone}");
    // A field is read from the element; no name that lasts selects it as a part of the article.
    let title = node(&page, "h1");
    let named = step(
        &server,
        &path,
        &page,
        &[("node", &title), ("role", "title")],
    )
    .text();
    assert!(named.contains("<strong>Title</strong>"), "{named}");
    assert!(named.contains("<code>//h1</code>"), "{named}");
    let odd = step(
        &server,
        &path,
        &page,
        &[("node", &title), ("role", "article")],
    )
    .text();
    assert!(odd.contains("no name that lasts"), "{odd}");
}

#[test]
fn typed_expressions_are_previewed_and_count_as_edited_by_hand() {
    let (_site, user, server) = served();
    let path = path(&server);
    let page = server.own(&path).text();
    let bad = step(
        &server,
        &path,
        &page,
        &[("action", "type"), ("t0-body", "//div[")],
    );
    assert_eq!(bad.status, 422);
    let bad = bad.text();
    assert!(
        bad.contains("aria-invalid=\"true\"") && bad.contains(">//div[</textarea>"),
        "{bad}"
    );
    let fields = [
        ("action", "type"),
        ("t0-body", "//h1"),
        ("t0-title", "//h1"),
    ];
    let typed = step(&server, &path, &page, &fields).text();
    assert!(
        typed.contains("It will count as edited by hand."),
        "{typed}"
    );
    assert!(typed.contains("words lost"), "{typed}");
    assert!(
        typed.contains("pages the text is much worse than before"),
        "{typed}"
    );
    assert!(typed.contains("+ body: //h1"), "{typed}");
    step(&server, &path, &typed, &[("action", "save")]);
    let saved = file(&user);
    assert!(
        !saved.contains("digest:") && saved.contains("//h1"),
        "{saved}"
    );
    let site = path.trim_end_matches("/workshop");
    let token = server.token();
    let kept = server
        .send_form(site, &[("token", &token), ("action", "learn")])
        .text();
    assert!(kept.contains("edited by hand"), "{kept}");
    // The proposal is shown, and waits.
    let proposal = server.own(&format!("{path}?proposal=on")).text();
    assert!(
        proposal.contains("learned again from these pages"),
        "{proposal}"
    );
    assert!(proposal.contains("words gained"), "{proposal}");
    assert_eq!(file(&user), saved);
    step(&server, &path, &proposal, &[("action", "save")]);
    assert!(file(&user).contains("digest:"), "{}", file(&user));
}

#[test]
fn rules_of_others_are_shown_before_they_are_saved_and_written() {
    let (_site, user, server) = served();
    let path = path(&server);
    let before = file(&user);
    let page = server.own(&path).text();
    let rules = "body: //h1\nnonsense\nstrip: //b[\n";
    let imported = step(
        &server,
        &path,
        &page,
        &[("action", "import"), ("rules", rules)],
    )
    .text();
    assert!(
        imported.contains("imported from ftr-site-config"),
        "{imported}"
    );
    assert!(
        imported.contains("line 2: no directive") && imported.contains("line 3"),
        "{imported}"
    );
    assert!(imported.contains("words lost"), "{imported}");
    let empty = step(
        &server,
        &path,
        &page,
        &[("action", "import"), ("rules", " ")],
    );
    assert_eq!(empty.status, 422);
    assert_eq!(file(&user), before);
    let links: Vec<String> = between(&page, "<summary>Export</summary>", "</details>")
        .split("href=\"workshop")
        .skip(1)
        .map(|rest| {
            rest.split('"')
                .next()
                .expect("its end")
                .replace("&amp;", "&")
        })
        .collect();
    assert_eq!(links.len(), 8);
    for link in links {
        let file = server.own(&format!("{path}{link}"));
        if link.ends_with("html2rss") || link.ends_with("rss-bridge") {
            assert_eq!(file.status, 409, "{link}");
            continue;
        }
        assert_eq!(file.status, 200, "{link}: {}", file.text());
        let place = file.header("content-disposition").expect("one");
        assert!(
            place.starts_with("attachment; filename=\""),
            "{link}: {place}"
        );
        assert!(file.text().contains("story"), "{link}: {}", file.text());
    }
    assert_eq!(server.own(&format!("{path}/export?to=x")).status, 404);
    // What CSS cannot say is named, and left out where one says so.
    let fields = [
        ("action", "type"),
        ("t0-body", "//div"),
        ("t0-strip", "//p[last()]/.."),
    ];
    let typed = step(&server, &path, &page, &fields).text();
    let css = format!("{path}/export?draft={}&to=css", draft(&typed));
    assert_eq!(server.own(&css).status, 409);
    assert_eq!(server.own(&format!("{css}&lossy=on")).status, 200);
}

#[test]
fn the_frame_runs_and_loads_nothing_and_marks_the_parts() {
    let (_site, _user, server) = served();
    let path = path(&server);
    let frame = server.own(&format!("{path}/frame?page=1"));
    let policy = frame.header("content-security-policy").expect("one");
    assert!(
        policy.starts_with("sandbox allow-same-origin; default-src 'none'"),
        "{policy}"
    );
    assert!(
        !policy.contains("script") && !policy.contains("http"),
        "{policy}"
    );
    let frame = frame.text();
    assert!(frame.contains("data-forest-part=\"body\""), "{frame}");
    assert!(
        !frame.contains("href=") && !frame.contains("<script"),
        "{frame}"
    );
    assert_eq!(server.own(&format!("{path}/frame?page=99")).status, 404);
    let page = server.own(&path).text();
    assert!(page.contains("sandbox=\"allow-same-origin\""), "{page}");
}

#[test]
fn what_is_no_form_of_ours_changes_no_wrapper() {
    let (_site, user, server) = served();
    let path = path(&server);
    let before = file(&user);
    let page = server.own(&path).text();
    let draft = draft(&page);
    let wrong = [("token", "x"), ("draft", &*draft), ("action", "save")];
    assert_eq!(server.send_form(&path, &wrong).status, 403);
    let host = format!("Host: {}", server.address);
    let kind = "Content-Type: application/x-www-form-urlencoded";
    let body = format!("token={}&draft={draft}&action=learn", server.token());
    for origin in ["Origin: http://evil.example", "Origin: null", "X: y"] {
        let post = format!("POST {path}");
        let answer = server.ask_with(&post, &[&host, kind, origin], body.as_bytes());
        assert_eq!(answer.status, 403, "{origin}");
    }
    for get in [
        path.clone(),
        format!("{path}/frame"),
        format!("{path}/export?to=ftr"),
    ] {
        let get = format!("GET {get}");
        let foreign = server.ask(&get, &[&host, "Sec-Fetch-Site: cross-site"]);
        assert_eq!(foreign.status, 403, "{get}");
        assert_eq!(
            server.ask(&get, &["Host: evil.example"]).status,
            421,
            "{get}"
        );
    }
    server.own(&format!("{path}?proposal=on&action=save&role=title&node=3"));
    assert_eq!(file(&user), before);
    assert_eq!(server.own("/sites/nowhere.example/workshop").status, 404);
    let gone = server.own(&format!("{path}?draft=x"));
    assert!(
        gone.text().contains("This draft is gone"),
        "{}",
        gone.text()
    );
    let large = "x".repeat(500_000);
    let token = server.token();
    let fields = [("token", &*token), ("action", "import"), ("rules", &*large)];
    assert_eq!(server.send_form(&path, &fields).status, 413);
}

#[test]
fn drafts_outlive_the_server() {
    let (_site, user, server) = served();
    let path = path(&server);
    let page = server.own(&path).text();
    assert!(!page.contains("id=\"waiting\""), "{page}");
    let foot = node(&page, "div.foot");
    let fields = [("node", &*foot), ("role", "article")];
    drop(server);
    // The form of a page that was opened before.
    let server = server_of(&user);
    let labelled = step(&server, &path, &page, &fields).text();
    assert!(labelled.contains("1 change, not saved"), "{labelled}");
    let title = node(&labelled, "h1");
    let fields = [("node", &*title), ("role", "title")];
    let titled = step(&server, &path, &labelled, &fields).text();
    drop(server);
    // The page, loaded again, with its effect; undone, and found again from the workshop's own address.
    let server = server_of(&user);
    let shown = server
        .own(&format!("{path}?draft={}", draft(&titled)))
        .text();
    assert!(shown.contains("2 changes, not saved"), "{shown}");
    assert!(shown.contains("0 lost, 7 gained"), "{shown}");
    let undo = between(&shown, "id=\"undo\" href=\"workshop", "\"").replace("&amp;", "&");
    let undone = server.own(&format!("{path}{undo}")).text();
    assert_eq!(draft(&undone), draft(&labelled));
    let first = server.own(&path).text();
    let waiting = between(&first, "2 changes waiting here: <a id=\"waiting\"", "</a>");
    assert!(waiting.contains(&draft(&titled)), "{waiting}");
    let saved = step(&server, &path, &shown, &[("action", "save")]).text();
    assert!(saved.contains("Saved."), "{saved}");
    assert!(!saved.contains("id=\"waiting\""), "{saved}");
    let file = file(&user);
    assert!(
        file.contains("role: title") && file.contains("digest:"),
        "{file}"
    );
    drop(server);
    // Of the file before nothing is left to go on with.
    let server = server_of(&user);
    let gone = server.own(&format!("{path}?draft={}", draft(&titled)));
    assert_eq!(gone.status, 410);
    assert!(
        gone.text().contains("This draft is gone"),
        "{}",
        gone.text()
    );
}

#[test]
fn typed_drafts_count_as_edited_by_hand_after_a_restart() {
    let (_site, user, server) = served();
    let path = path(&server);
    let page = server.own(&path).text();
    let fields = [
        ("action", "type"),
        ("t0-body", "//h1"),
        ("t0-title", "//h1"),
    ];
    let typed = step(&server, &path, &page, &fields).text();
    drop(server);
    let server = server_of(&user);
    let saved = step(&server, &path, &typed, &[("action", "save")]).text();
    assert!(saved.contains("Saved."), "{saved}");
    assert!(!file(&user).contains("digest:"), "{}", file(&user));
}

#[test]
fn an_element_is_one_of_the_page_that_was_shown() {
    let (site, user, server) = served();
    let path = path(&server);
    let page = server.own(&path).text();
    let shown = between(&page, "name=\"of\" value=\"", "\"").to_owned();
    let foot = node(&page, "div.foot");
    let fields = [("node", &*foot), ("role", "article")];
    drop(server);
    // A newer article has its place.
    site.set(|show| show.items.insert(0, 4));
    user.round(9, &["--now"]).ends(0, &["1 new article"]);
    let server = server_of(&user);
    let newer = server.own(&path).text();
    assert_ne!(between(&newer, "name=\"of\" value=\"", "\""), shown);
    let labelled = step(&server, &path, &page, &fields).text();
    assert!(labelled.contains("1 change, not saved"), "{labelled}");
    let steps = StoredDrafts::of(&user.store()).expect("read");
    let step_of = steps.find(&site_of(&path), &draft(&labelled)).expect("one");
    assert!(!step_of.steps[0].contains("/story/4"), "{step_of:?}");
    // A page that is not among the newest any more.
    let other = page.replace(&shown, &"0".repeat(64));
    let refused = step(&server, &path, &other, &fields);
    assert_eq!(refused.status, 422);
    assert!(
        refused.text().contains("choose the element again"),
        "{}",
        refused.text()
    );
}

/// The name of the site in the path of its workshop.
fn site_of(path: &str) -> String {
    between(path, "/sites/", "/").to_owned()
}
