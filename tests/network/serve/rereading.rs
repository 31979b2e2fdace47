//! A correction in the workshop reaches the stored articles.

use super::archive::served;
use super::library::{articles, server_of};
use super::workshop::{draft, node, path, step};
use super::{Answer, Running};
use crate::harvest_cli::site::{Site, User};

/// The foot of the pages, which the correction makes a part of the articles.
const FOOT: &str = "All rights reserved";

/// A draft with the foot of the page as the article, and the answer to its saving with re-reading.
fn corrected(server: &Running, path: &str) -> Answer {
    let page = server.own(path).text();
    let foot = node(&page, "div.foot");
    let fields = [("node", &*foot), ("role", "article")];
    let labelled = step(server, path, &page, &fields).text();
    assert!(
        labelled.contains("Save, and read the 3 stored articles again"),
        "{labelled}"
    );
    reread(server, path, &labelled)
}

fn reread(server: &Running, path: &str, page: &str) -> Answer {
    let (token, draft) = (server.token(), draft(page));
    let fields = [("token", &*token), ("draft", &*draft), ("action", "reread")];
    server.send_form(path, &fields)
}

/// The page of the work when it is over.
fn end(server: &Running, path: &str, begun: &Answer) -> String {
    let to = begun.header("location").expect("a place");
    let job = format!("{}{to}", path.trim_end_matches("workshop"));
    let since = std::time::Instant::now();
    loop {
        let page = server.own(&job);
        let text = page.text();
        assert_eq!(page.status, 200, "{text}");
        if !text.contains("data-goes-on") {
            return text;
        }
        assert!(since.elapsed().as_secs() < 60, "{text}");
    }
}

/// Checks that reader and feed show the foot in each article.
fn shows_the_foot(site: &Site, user: &User, server: &Running, page: &str) {
    for article in articles(&server.own("/reader")) {
        assert!(
            page.contains(&format!("href=\"../../../..{article}\"")),
            "{article}: {page}"
        );
        let shown = server.own(&article).text();
        assert!(shown.contains(FOOT), "{shown}");
    }
    let list = server.own("/archive").text();
    let (before, _) = list.split_once(".atom\"").expect("a feed");
    let id = before.rsplit("href=\"").next().expect("an address");
    let feed = server.own(&format!("/{id}.atom")).text();
    assert_eq!(feed.matches(FOOT).count(), 3, "{feed}");
    assert_eq!(
        user.run(&["feed", "--archive", "store", &site.feed()]).out,
        feed
    );
}

#[test]
fn a_correction_reaches_the_stored_articles() {
    let (site, user, server) = served();
    let path = path(&server);
    assert!(
        !server
            .own(&articles(&server.own("/reader"))[0])
            .text()
            .contains(FOOT)
    );
    let page = end(&server, &path, &corrected(&server, &path));
    assert!(
        page.contains("3 versions read again: 3 with another text, 0 unchanged."),
        "{page}"
    );
    shows_the_foot(&site, &user, &server, &page);
    // Nothing is left to be read.
    let saved = server.own(&path).text();
    assert!(
        saved.contains("Read the 3 stored articles again"),
        "{saved}"
    );
    let again = end(&server, &path, &reread(&server, &path, &saved));
    assert!(again.contains("0 versions read again"), "{again}");
}

#[test]
fn a_draft_of_an_older_file_reads_nothing_again() {
    let (_site, _user, server) = served();
    let path = path(&server);
    let page = server.own(&path).text();
    let title = node(&page, "h1");
    let fields = [("node", &*title), ("role", "title")];
    let late = step(&server, &path, &page, &fields).text();
    end(&server, &path, &corrected(&server, &path));
    let refused = reread(&server, &path, &late);
    assert_eq!(refused.status, 409, "{}", refused.text());
    let unknown = format!("{path}/reread/x");
    assert_eq!(server.own(&unknown).status, 404);
}

#[test]
fn a_harvest_that_ends_too_early_is_named() {
    let (_site, user, server) = served();
    let path = path(&server);
    let options = forest_harvest::archive_options();
    let archive = forest_archive::Archive::open(&user.store(), options).expect("it opens");
    let begun = corrected(&server, &path);
    let to = begun.header("location").expect("a place");
    let job = format!("{}{to}", path.trim_end_matches("workshop"));
    let since = std::time::Instant::now();
    while !server.own(&job).text().contains("The harvest that runs") {
        assert!(since.elapsed().as_secs() < 60);
    }
    drop(archive);
    let ended = end(&server, &path, &begun);
    assert!(ended.contains("the harvest ended before"), "{ended}");
}

#[cfg(unix)]
#[test]
fn a_harvest_reads_the_stored_articles_again() {
    use crate::harvest_cli::site::Running as Harvesting;
    let (site, user) = (Site::new(3), User::new());
    user.add(&site).ends(0, &[]);
    let harvest = Harvesting::new(&user, &["-v"]);
    harvest.wait_for("wrapper learned");
    let server = server_of(&user);
    let path = path(&server);
    let page = end(&server, &path, &corrected(&server, &path));
    assert!(
        page.contains("3 versions read again: 3 with another text"),
        "{page}"
    );
    shows_the_foot(&site, &user, &server, &page);
    harvest.ends("");
}
