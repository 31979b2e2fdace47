//! Feeds, folders and counts.

use super::App;
use crate::harvest_cli::site::{Site, User};
use crate::serve::archive::served;
use crate::serve::library::server_of;
use serde_json::json;

#[test]
fn feeds_are_listed_with_their_addresses() {
    let (site, _user, server) = served();
    let app = App::new(&server);
    let list = app.json("api/0/subscription/list?output=json");
    let feeds = list["subscriptions"].as_array().expect("a list");
    assert_eq!(feeds.len(), 1);
    let id = feeds[0]["id"].as_str().expect("a text");
    let short = id.strip_prefix("feed/").expect("a feed");
    assert!(
        server
            .own("/archive")
            .text()
            .contains(&format!("feed/{short}.atom"))
    );
    assert_eq!(feeds[0]["title"], "The Gazette");
    assert_eq!(feeds[0]["url"], *site.feed());
    assert_eq!(feeds[0]["htmlUrl"], format!("http://{}/", site.host));
    assert_eq!(feeds[0]["categories"], json!([]));
}

#[test]
fn feeds_are_exported_with_their_own_addresses() {
    let (site, _user, server) = served();
    let answer = App::new(&server).get("api/0/subscription/export");
    let kind = answer.header("content-type").expect("a type");
    assert!(kind.starts_with("text/x-opml"), "{kind}");
    let mut inputs = forest_harvest::inputs::FeedInputs::default();
    inputs.add_list(&answer.body).expect("a list");
    let urls: Vec<&str> = inputs
        .feeds()
        .iter()
        .map(|feed| feed.url.as_str())
        .collect();
    assert_eq!(urls, [site.feed()]);
}

#[test]
fn folders_are_labels_and_counted() {
    let (site, user) = (Site::new(3), User::new());
    let opml = format!(
        "<opml version='2.0'><body><outline text='News'><outline text='Coast'>\
         <outline type='rss' text='Mine' xmlUrl='{}'/></outline></outline></body></opml>",
        site.feed()
    );
    std::fs::write(user.path("list.opml"), opml).expect("written");
    user.add_all(&["list.opml"]).ends(0, &[]);
    user.round(3, &[]).ends(0, &["3 new articles"]);
    let server = server_of(&user);
    let app = App::new(&server);
    let folder = json!({"id": "user/-/label/News/Coast", "label": "News/Coast", "type": "folder"});
    let tags = app.json("api/0/tag/list?output=json");
    assert_eq!(
        tags["tags"],
        json!([{"id": "user/-/state/com.google/starred"}, folder])
    );
    let feeds = app.json("api/0/subscription/list?output=json");
    assert_eq!(feeds["subscriptions"][0]["title"], "Mine");
    assert_eq!(feeds["subscriptions"][0]["categories"], json!([folder]));
    for (stream, count) in [
        ("News/Coast", 3),
        ("News", 0),
        ("News%2FCoast", 3),
        ("New", 0),
        ("Coast", 0),
    ] {
        let ids = app.ids(&format!("s=user/-/label/{stream}"));
        assert_eq!(ids.len(), count, "{stream}");
    }
    app.change(
        "api/0/edit-tag",
        &[
            ("i", &app.unread()[0]),
            ("a", "user/-/state/com.google/read"),
        ],
    );
    let counts = app.json("api/0/unread-count?output=json");
    assert_eq!(counts["max"], 2);
    let counts = counts["unreadcounts"].as_array().expect("a list");
    let ids: Vec<&str> = counts.iter().filter_map(|one| one["id"].as_str()).collect();
    assert!(ids[0].starts_with("feed/"), "{ids:?}");
    assert_eq!(
        ids[1..],
        [
            "user/-/label/News/Coast",
            "user/-/state/com.google/reading-list"
        ]
    );
    for count in counts {
        assert_eq!(count["count"], 2);
        let newest = count["newestItemTimestampUsec"].as_str().expect("a text");
        assert!(newest.starts_with("41025"), "of the year 2100: {newest}");
    }
}
