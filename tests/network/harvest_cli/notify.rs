//! The notifications of a harvest.

use super::site::{Site, User};
use crate::loopback::Loopback;
use axum::Router;
use axum::extract::State;
use axum::routing::post;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};

type Got = Arc<Mutex<Vec<String>>>;

pub fn receiver() -> (Got, Loopback) {
    let got = Got::default();
    let take = |State(got): State<Got>, body: String| async move {
        got.lock().expect("not poisoned").push(body);
    };
    let router = Router::new()
        .route("/hook", post(take))
        .with_state(Arc::clone(&got));
    (got, Loopback::of(|_| router))
}

#[test]
fn a_receiver_is_notified_of_new_articles_if_it_wants() {
    let (site, user) = (Site::new(3), User::new());
    user.add(&site).ends(0, &[]);
    let (got, at) = receiver();
    let url = format!("http://{}/hook", at.address);
    let round = user.round(3, &["--json", "--notify", &url, "--notify-on", "drift,new"]);
    round.ends(0, &["3 new articles"]);
    let expected = json!({
        "to": url, "sent": 3, "failed": 0, "dropped": 0, "left": 0, "error": null,
    });
    assert_eq!(round.records()[0]["notifications"], json!([expected]));
    let got = std::mem::take(&mut *got.lock().expect("not poisoned"));
    let notices: Vec<Value> = got
        .iter()
        .map(|body| serde_json::from_str(body).expect("JSON"))
        .collect();
    assert_eq!(notices.len(), 3);
    for (n, notice) in (1..=3).zip(&notices) {
        assert_eq!(
            (&notice["schema"], &notice["event"]),
            (&json!(1), &json!("new"))
        );
        assert_eq!(notice["feed"], site.feed());
        assert_eq!(notice["site"], site.host);
        assert_eq!(notice["title"], format!("Story {n}"));
        assert_eq!(notice["at"], "2100-01-02T03:00:00Z");
    }
}

#[test]
fn articles_are_reported_only_on_request_and_failures_at_the_end() {
    let (site, user) = (Site::new(3), User::new());
    user.add(&site).ends(0, &[]);
    let (got, at) = receiver();
    let url = format!("http://{}/hook", at.address);
    user.round(3, &["--notify", &url])
        .ends(0, &["3 new articles"]);
    assert!(got.lock().expect("not poisoned").is_empty());
    site.set(|show| show.items = vec![4, 5]);
    let nowhere = format!("http://{}/nowhere", at.address);
    let round = user.round(3, &["--now", "--notify", &nowhere, "--notify-on", "all"]);
    let notice =
        "/nowhere: 2 of 2 notifications did not arrive (2 failed): it is gone (status 404)";
    round.ends(0, &["2 new articles", notice]);
}

#[cfg(unix)]
#[test]
fn a_program_is_notified() {
    let (site, user) = (Site::new(2), User::new());
    user.add(&site).ends(0, &[]);
    let round = user.round(
        3,
        &["--notify", "tee -a 'what it got'", "--notify-on", "new"],
    );
    round.ends(0, &["2 new articles"]);
    let got = std::fs::read_to_string(user.path("what it got")).expect("written");
    assert_eq!(got.lines().count(), 2);
    assert!(
        got.lines()
            .all(|line| line.starts_with("{\"schema\":1,\"id\":\""))
    );
    user.round(4, &["--notify", "no-such-program -x"])
        .ends(2, &["there is no program no-such-program"]);
}

#[test]
fn an_invalid_receiver_or_kind_is_reported() {
    let user = User::new();
    let run = |args: &[&str]| user.run(&[&["harvest", "run", "--once"], args].concat());
    run(&["--notify", "ftp://example.org/"]).ends(2, &["http or https"]);
    run(&["--notify", "ntfy+https://example.org"]).ends(2, &["no topic"]);
    let unknown = run(&["--notify", "http://127.0.0.1:9/", "--notify-on", "new,odd"]);
    unknown.ends(2, &["'odd'", "feed-moved, feed-gone and all"]);
    run(&["--notify-on", "new"]).ends(2, &["--notify"]);
}
