//! A list of feeds in the browser, and an address without its scheme.

use super::archive::served;
use super::{Answer, Running};
use crate::harvest_cli::site::{Site, User};
use forest_archive::Archive;

const BOUNDARY: &str = "----of-a-browser";

/// The form with a file and a pasted text, as a browser sends it.
fn form(token: &str, file: &str, pasted: &str) -> String {
    let part = |name: &str, file: &str, value: &str| {
        format!(
            "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\"{file}\r\n\r\n{value}\r\n"
        )
    };
    let name = "; filename=\"feeds.opml\"\r\nContent-Type: text/x-opml";
    let parts = [
        part("token", "", token),
        part("file", name, file),
        part("text", "", pasted),
    ];
    format!("{}--{BOUNDARY}--\r\n", parts.concat())
}

fn send(server: &Running, origin: &str, body: &str) -> Answer {
    let host = format!("Host: {}", server.address);
    let kind = format!("Content-Type: multipart/form-data; boundary={BOUNDARY}");
    server.ask_with("POST /add/import", &[&host, origin, &kind], body.as_bytes())
}

fn import(server: &Running, file: &str, pasted: &str) -> Answer {
    let origin = format!("Origin: http://{}", server.address);
    send(server, &origin, &form(&server.token(), file, pasted))
}

fn outlines(count: usize) -> String {
    let outline = |n| format!("<outline text='Feed {n}' xmlUrl='http://nowhere.example/{n}'/>");
    let outlines: String = (0..count).map(outline).collect();
    format!("<opml version='2.0'><body><outline text='News'>{outlines}</outline></body></opml>")
}

fn feeds(user: &User) -> usize {
    let listed = user.run(&["harvest", "list", "--archive", "store"]);
    listed.ends(0, &[]).out.lines().count()
}

#[test]
fn a_list_of_440_feeds_is_imported_without_a_request() {
    let (site, user, server) = served();
    site.take_requests();
    let add = server.own("/add").text();
    assert!(
        add.contains("action=\"add/import\" enctype=\"multipart/form-data\""),
        "{add}"
    );
    let pasted = format!("{}\nhttps://a b.example/\n", site.feed());
    let done = import(&server, &outlines(440), &pasted);
    let text = done.text();
    assert_eq!(done.status, 200, "{text}");
    assert!(
        text.contains("440 feeds are added; there already: 1; refused: 1"),
        "{text}"
    );
    for part in [
        "Added: <span dir=\"auto\">Feed 439</span> <code>http://nowhere.example/439</code>",
        &format!("There already: <code>{}</code>", site.feed()),
        "line 2: https://a b.example/: more than an address",
        "forest harvest run --archive",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!(feeds(&user), 441);
    assert!(site.take_requests().is_empty());
    assert!(
        server
            .own("/archive?q=news+feed+439")
            .text()
            .contains("Feed 439")
    );
    let again = import(&server, &outlines(440), "").text();
    assert!(
        again.contains("0 feeds are added; there already: 440; refused: 0"),
        "{again}"
    );
}

#[test]
fn beside_a_harvest_a_list_is_a_request() {
    let (_site, user, server) = served();
    let options = forest_harvest::archive_options();
    let mut harvest = Archive::open(&user.store(), options).expect("it opens");
    let done = import(&server, "", "http://nowhere.example/feed").text();
    assert!(
        done.contains("1 feed is added") && done.contains("The harvest that runs"),
        "{done}"
    );
    assert_eq!(feeds(&user), 1);
    harvest.take_requests().expect("taken");
    assert_eq!(feeds(&user), 2);
}

#[test]
fn a_faulty_list_says_so_and_keeps_the_text() {
    let (_site, user, server) = served();
    let check = |file: &str, pasted: &str, status: u16, why: &str| {
        let answer = import(&server, file, pasted);
        let text = answer.text();
        assert_eq!(answer.status, status, "{text}");
        assert!(
            text.contains("id=\"import-fault\"") && text.contains(why),
            "{text}"
        );
        text
    };
    check("", " \n", 400, "there is no address in it");
    let kept = check(
        "<!DOCTYPE html><p>x",
        "http://nowhere.example/<b>",
        400,
        "an HTML page",
    );
    assert!(
        kept.contains("http://nowhere.example/&lt;b&gt;</textarea>"),
        "{kept}"
    );
    check(&outlines(5_001), "", 400, "at most 5000 at a time");
    check(&" ".repeat(4_000_000), "", 413, "more than 4 MB");
    // Markup of a list is shown as text.
    let list = "<opml><body><outline text='&lt;script&gt;x' xmlUrl='javascript:alert(1)'/>\
        <outline text='&lt;script&gt;y' xmlUrl='http://nowhere.example/y'/></body></opml>";
    let shown = import(&server, list, "").text();
    assert!(
        !shown.contains("<script>x") && !shown.contains("<script>y"),
        "{shown}"
    );
    assert!(shown.contains("only http:// and https://"), "{shown}");
    assert_eq!(feeds(&user), 2);
}

#[test]
fn a_list_from_a_form_of_another_page_is_refused() {
    let (_site, user, server) = served();
    let own = format!("Origin: http://{}", server.address);
    let list = outlines(1);
    for (origin, token) in [
        ("Origin: http://evil.example", server.token()),
        ("X: y", server.token()),
        (own.as_str(), "x".to_owned()),
        (own.as_str(), String::new()),
    ] {
        let answer = send(&server, origin, &form(&token, &list, ""));
        assert_eq!(answer.status, 403, "{origin} {token}");
    }
    assert_eq!(send(&server, &own, "token=x").status, 400);
    // Such a form is not taken where there is none.
    let host = format!("Host: {}", server.address);
    let kind = format!("Content-Type: multipart/form-data; boundary={BOUNDARY}");
    let body = form(&server.token(), "", "");
    for path in ["/reader/mark", "/archive/feed", "/add"] {
        let post = format!("POST {path}");
        let answer = server.ask_with(&post, &[&host, &own, &kind], body.as_bytes());
        assert_eq!(answer.status, 403, "{path}");
    }
    assert_eq!(feeds(&user), 1);
}

#[cfg(unix)]
#[test]
fn a_harvest_that_runs_reads_an_imported_feed_and_refreshes_it() {
    use crate::harvest_cli::site::Running as Harvesting;
    let (site, other, user) = (Site::new(3), Site::new(3), User::new());
    user.add(&site).ends(0, &[]);
    let harvest = Harvesting::new(&user, &["--serve", "127.0.0.1:0", "-v"]);
    let line = harvest.wait_for("pages at http://");
    let (_, at) = line.split_once("http://").expect("an address");
    let at: std::net::SocketAddr = at.trim_end_matches("/reader").parse().expect("an address");
    harvest.wait_for("wrapper learned");
    let (host, origin) = (format!("Host: {at}"), format!("Origin: http://{at}"));
    let ask = |line: &str, kind: &str, body: &str| {
        let kind = format!("Content-Type: {kind}");
        super::Client::to(at).ask(line, &[&host, &origin, &kind], body.as_bytes())
    };
    let filter = ask("GET /filter", "text/plain", "").text();
    let (_, token) = filter
        .split_once("name=\"token\" value=\"")
        .expect("a token");
    let token = token.split('"').next().expect("its end");
    let kind = format!("multipart/form-data; boundary={BOUNDARY}");
    let done = ask("POST /add/import", &kind, &form(token, "", &other.feed()));
    assert!(
        done.text().contains("The harvest that runs reads them now"),
        "{}",
        done.text()
    );
    harvest.wait_for(&format!("http://{}/story/3", other.host));
    other.set(|show| show.items.push(4));
    let mut fields = url::form_urlencoded::Serializer::new(String::new());
    fields.extend_pairs([("token", token), ("url", &other.feed()), ("action", "poll")]);
    let kind = "application/x-www-form-urlencoded";
    let asked = ask("POST /archive/feed", kind, &fields.finish());
    assert!(
        asked.text().contains("reads the feed now"),
        "{}",
        asked.text()
    );
    harvest.wait_for(&format!("http://{}/story/4", other.host));
    harvest.ends("");
}

/// The page of the work for an address, when it is over.
fn looked_at(server: &Running, typed: &str) -> String {
    let begun = server.send_form("/add", &[("token", &server.token()), ("url", typed)]);
    let job = format!("/{}", begun.header("location").expect("one"));
    loop {
        let page = server.own(&job).text();
        if !page.contains("http-equiv=\"refresh\"") {
            return page;
        }
        std::thread::yield_now();
    }
}

#[test]
fn an_address_without_its_scheme_is_tried_with_http() {
    let (site, _user, server) = served();
    // A feed that is there is not offered.
    let page = looked_at(&server, &site.feed());
    assert!(page.contains("You have this feed already: "), "{page}");
    assert!(!page.contains("Add the feed"), "{page}");
    let other = Site::new(1);
    let page = looked_at(&server, &format!("{}/feed", other.host));
    assert!(
        page.contains(&format!("https://{}/feed does not answer", other.host)),
        "{page}"
    );
    assert!(page.contains("Add the feed"), "{page}");
    // What fails keeps what was typed.
    let typed = format!("{}/nothing", other.host);
    let page = looked_at(&server, &typed);
    assert!(page.contains(&format!("value=\"{typed}\"")), "{page}");
    assert!(
        page.contains("id=\"fault\"") && page.contains("status 404"),
        "{page}"
    );
    assert!(page.contains("action=\"../add\""), "{page}");
    // A typed scheme holds.
    let page = looked_at(&server, &format!("https://{}/feed", other.host));
    assert!(!page.contains("Add the feed"), "{page}");
}
