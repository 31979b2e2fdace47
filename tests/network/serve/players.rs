//! Players for the recordings and films of feeds' items.

use super::Running;
use super::library::{articles, server_of};
use crate::harvest_cli::site::{Site, User};

/// Items without a page of their own, with files.
const MORE: &str = "<item><title>Spoken &lt;b&gt;</title><guid isPermaLink='false'>e1</guid>\
    <description>Only a recording.</description>\
    <enclosure url='https://media.example/1.mp3?a=1&amp;b=2' type='audio/mpeg' length='34000000'/></item>\
    <item><title>Shown</title><guid isPermaLink='false'>e2</guid><description>Only a film.</description>\
    <enclosure url='http://media.example/2.mp4' type='video/mp4' length='0'/></item>\
    <item><title>Printed</title><guid isPermaLink='false'>e3</guid><description>Only a paper.</description>\
    <enclosure url='https://media.example/3.pdf' type='application/pdf' length='90000'/></item>\
    <item><title>Story 1</title><link>http://HOST/story/1</link><guid>g1</guid>\
    <enclosure url='https://media.example/story.ogg' type='audio/ogg' length='5'/></item>";

/// The server of an archive with these items.
fn served() -> (Site, User, Running) {
    let (site, user) = (Site::new(0), User::new());
    site.set(|show| show.more = MORE.to_owned());
    user.add(&site).ends(0, &["4 items"]);
    user.round(3, &[]).ends(0, &["1 new article"]);
    let server = server_of(&user);
    (site, user, server)
}

/// The path and the page of the entry with this title.
fn entry(server: &Running, title: &str) -> (String, String) {
    let paths = articles(&server.own("/reader?show=all"));
    let mut pages = paths.into_iter().map(|path| {
        let page = server.own(&path).text();
        (path, page)
    });
    let heading = format!("<h1>{title}</h1>");
    let found = pages.find(|(_, page)| page.contains(&heading));
    found.unwrap_or_else(|| panic!("no entry {title}"))
}

#[test]
fn a_recording_has_a_player_on_a_page_of_its_own() {
    let (_site, _user, server) = served();
    let (path, page) = entry(&server, "Spoken &lt;b&gt;");
    assert!(page.contains(">Listen (mp3, 34 MB)</a>"), "{page}");
    assert!(
        !page.contains("<audio") && !page.contains("media.example"),
        "{page}"
    );
    let policy = |path: &str| {
        let answer = server.own(path);
        let policy = answer.header("content-security-policy").expect("one");
        policy.to_owned()
    };
    assert!(!policy(&path).contains("media-src"));
    let play = format!("{path}/play?n=0&in=reader%3Fshow%3Dall");
    let player = server.own(&play);
    let text = player.text();
    let audio = "<audio controls preload=\"none\" src=\"https://media.example/1.mp3?a=1&amp;b=2\"";
    assert!(text.contains(audio), "{text}");
    assert!(text.contains("Spoken &lt;b&gt;") && text.contains("?in=reader%3Fshow%3Dall"));
    assert!(policy(&play).starts_with("default-src 'none'"));
    assert!(
        policy(&play).ends_with("; media-src https:"),
        "{}",
        policy(&play)
    );
    assert_eq!(player.header("referrer-policy"), Some("no-referrer"));
}

#[test]
fn films_articles_and_other_files() {
    let (_site, _user, server) = served();
    let (path, page) = entry(&server, "Shown");
    assert!(page.contains(">Watch (mp4)</a>"), "{page}");
    let player = server.own(&format!("{path}/play?n=0"));
    let video = "<video controls preload=\"none\" src=\"http://media.example/2.mp4\"";
    assert!(player.text().contains(video), "{}", player.text());
    let policy = player.header("content-security-policy").expect("one");
    assert!(policy.ends_with("; media-src http: https:"), "{policy}");
    // An article with a page has the files of its item.
    let (path, page) = entry(&server, "Story 1");
    assert!(page.contains(">Listen (ogg)</a>"), "{page}");
    assert_eq!(server.own(&format!("{path}/play?n=0")).status, 200);
    // What is no recording has no player, and there is no other file.
    let (path, page) = entry(&server, "Printed");
    assert!(!page.contains("/play?"), "{page}");
    for nothing in ["n=0", "n=1", "n=x", ""] {
        let answer = server.own(&format!("{path}/play?{nothing}"));
        assert_eq!(answer.status, 404, "{nothing}");
    }
    assert_eq!(server.own("/reader/x/play?n=0").status, 404);
}
