//! Feeds are added, named, moved and removed by apps.

use super::{App, json_of};
use crate::harvest_cli::site::Site;
use crate::serve::archive::served;
use serde_json::{Value, json};

const EDIT: &str = "api/0/subscription/edit";

fn feeds(app: &App<'_>) -> Vec<Value> {
    let list = app.json("api/0/subscription/list?output=json");
    list["subscriptions"].as_array().expect("a list").clone()
}

fn labels(app: &App<'_>) -> Vec<String> {
    let feeds = feeds(app);
    let folders = feeds
        .iter()
        .flat_map(|feed| feed["categories"].as_array().expect("a list"));
    let labels = folders.map(|folder| folder["label"].as_str().expect("a text").to_owned());
    labels.collect()
}

#[test]
fn a_feed_is_named_moved_and_removed() {
    let (site, user, server) = served();
    let app = App::new(&server);
    let id = feeds(&app)[0]["id"].as_str().expect("a text").to_owned();
    let s = ("s", &*id);
    app.change(
        EDIT,
        &[
            ("ac", "edit"),
            s,
            ("t", "My paper"),
            ("a", "user/-/label/News"),
        ],
    );
    assert_eq!(
        (&feeds(&app)[0]["title"], labels(&app)),
        (&json!("My paper"), vec!["News".into()])
    );
    app.change(
        EDIT,
        &[
            ("ac", "edit"),
            s,
            ("a", "user/owner/label/A/B"),
            ("r", "user/-/label/News"),
        ],
    );
    assert_eq!(
        (&feeds(&app)[0]["title"], labels(&app)),
        (&json!("My paper"), vec!["A/B".into()])
    );
    let renamed = [("s", "user/-/label/A/B"), ("dest", "user/-/label/C")];
    app.change("api/0/rename-tag", &renamed);
    assert_eq!(labels(&app), ["C"]);
    assert_eq!(app.post("api/0/rename-tag", &renamed).status, 400);
    app.change("api/0/disable-tag", &[("s", "user/-/label/C")]);
    assert!(labels(&app).is_empty());
    for wrong in [
        &[("ac", "edit"), ("s", "feed/unknown")][..],
        &[("ac", "edit"), ("s", "user/-/label/C")],
        &[("ac", "edit"), s, ("a", "x")],
        &[("ac", "move"), s],
        &[("ac", "edit")],
        &[s],
    ] {
        assert_eq!(app.post(EDIT, wrong).status, 400, "{wrong:?}");
    }
    app.change(EDIT, &[("ac", "unsubscribe"), s]);
    assert!(feeds(&app).is_empty() && app.unread().is_empty());
    let listed = user.run(&["harvest", "list", "--archive", "store"]);
    assert!(!listed.out.contains(&site.feed()), "{}", listed.out);
}

#[test]
fn a_feed_is_added_by_its_address_or_that_of_its_site() {
    let (_site, user, server) = served();
    let app = App::new(&server);
    let (quick, second) = (Site::new(1), Site::new(2));
    let added = json_of(&app.post(
        "api/0/subscription/quickadd",
        &[("quickadd", &format!("http://{}/", quick.host))],
    ));
    assert_eq!(
        (&added["numResults"], &added["streamName"]),
        (&json!(1), &json!("The Gazette"))
    );
    assert!(
        feeds(&app)
            .iter()
            .any(|feed| feed["id"] == added["streamId"])
    );
    let stream = format!("feed/{}", second.feed());
    app.change(
        EDIT,
        &[
            ("ac", "subscribe"),
            ("s", &stream),
            ("t", "Second"),
            ("a", "user/-/label/New"),
        ],
    );
    // Once more is the same.
    app.change(EDIT, &[("ac", "subscribe"), ("s", &stream)]);
    let titles: Vec<Value> = feeds(&app)
        .iter()
        .map(|feed| feed["title"].clone())
        .collect();
    assert_eq!(titles.len(), 3);
    assert!(titles.contains(&json!("Second")), "{titles:?}");
    assert_eq!(labels(&app), ["New"]);
    let gone = format!("http://{}/nothing", quick.host);
    let none = json_of(&app.post("api/0/subscription/quickadd", &[("quickadd", &gone)]));
    assert_eq!(none["numResults"], 0);
    assert!(
        none["error"]
            .as_str()
            .is_some_and(|why| why.contains("404")),
        "{none}"
    );
    assert_eq!(
        app.post(EDIT, &[("ac", "subscribe"), ("s", &format!("feed/{gone}"))])
            .status,
        400
    );
    for odd in ["", "file:///etc/passwd"] {
        let answer = app.post("api/0/subscription/quickadd", &[("quickadd", odd)]);
        assert_eq!(answer.status, 400, "{odd}");
    }
    user.round(4, &[]).ends(0, &["3 new articles"]);
    assert_eq!(app.unread().len(), 6);
}
