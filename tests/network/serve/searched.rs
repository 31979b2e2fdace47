//! `/search`: words and filters to articles.

use super::archive::served;
use super::library::articles;

#[test]
fn words_are_searched() {
    let (_site, _user, server) = served();
    let found = server.own("/search?q=keeper").text();
    assert!(
        found.contains("found.") && found.contains("<mark>"),
        "{found}"
    );
    assert!(server.own("/search?q=the").text().contains("Give a word"));
    assert!(
        server
            .own("/search?q=keeper&until=1999-01-01")
            .text()
            .contains("0 articles")
    );
    let far = server.own("/search?q=keeper&offset=99999999999999999999&since=x");
    assert_eq!(far.status, 200);
    // Filters narrow it, and find by themselves.
    let count = |query: &str| {
        let page = server.own(&format!("/search?{query}")).text();
        let (before, _) = page.split_once(" found.").expect("a number of hits");
        let (_, count) = before.rsplit_once("<p>").expect("its beginning");
        count.to_owned()
    };
    let all = count("site=127");
    assert_ne!(all, "0 articles");
    assert_eq!(count("site=0.0.1"), all);
    assert_eq!(count("site=+127.0.0.1%3A"), all);
    assert_eq!(count("site=nowhere"), "0 articles");
    assert_eq!(count("until=1999-01-01"), "0 articles");
    assert_eq!(count("since=1999-01-01"), all);
    assert_eq!(count("starred=1"), "0 articles");
    let path = articles(&server.own("/reader?show=all"))[0].clone();
    let (token, id) = (server.token(), path.trim_start_matches("/reader/"));
    let star = [
        ("token", &*token),
        ("id", id),
        ("back", "reader"),
        ("mark", "starred"),
        ("on", "true"),
    ];
    assert_eq!(server.send_form("/reader/mark", &star).status, 303);
    assert_eq!(count("starred=1"), "1 article");
    assert_eq!(count("starred=1&site=127&since=1999-01-01"), "1 article");
    assert_eq!(count("starred=1&q=wordthatisnotthere"), "0 articles");
    // A hit leads back to its search, and to no entry of another list.
    let page = server.own("/search?q=keeper&site=127").text();
    let (_, hit) = page.split_once("href=\"reader/").expect("a hit");
    let hit = format!("/reader/{}", hit.split('"').next().expect("its end"));
    let article = server.own(&hit).text();
    let (way, _) = article.split_once("To the list").expect("a way back");
    let back = way.rsplit("href=\"../").next().expect("its address");
    assert!(back.starts_with("search?q=keeper&amp;site=127#e"), "{back}");
    assert!(!article.contains("rel=\"next\""), "{article}");
    // A page of filters leads on to the same.
    let page = server.own("/search?starred=1&site=127").text();
    assert!(
        page.contains("export.epub?q=&amp;site=127&amp;starred=1"),
        "{page}"
    );
    assert_eq!(server.own("/export.epub?q=&site=127&starred=1").status, 200);
    assert!(!server.own("/search?q=+&site=").text().contains("found."));
    let quoted = server
        .own("/search?q=%22%3E%3Cscript%3Ealert(1)%3C/script%3E")
        .text();
    assert!(!quoted.contains("<script>alert"), "{quoted}");
}
