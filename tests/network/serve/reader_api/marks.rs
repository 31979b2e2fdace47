//! The marks of apps are those of the reader.

use super::App;
use crate::serve::archive::served;
use crate::serve::library::articles;
use crate::serve::{Answer, Running};

const READ: &str = "user/-/state/com.google/read";
const STARRED: &str = "user/-/state/com.google/starred";
const KEPT: &str = "user/-/state/com.google/kept-unread";
const ALL: &str = "user/-/state/com.google/reading-list";

fn shown(server: &Running, show: &str) -> usize {
    articles(&server.own(&format!("/reader?show={show}"))).len()
}

#[test]
fn marks_of_apps_stand_in_the_reader_and_the_other_way_round() {
    let (_site, _user, server) = served();
    let app = App::new(&server);
    let ids = app.unread();
    let edit = |fields: &[(&str, &str)]| app.change("api/0/edit-tag", fields);
    edit(&[
        ("i", &ids[0]),
        ("i", &ids[1]),
        ("a", READ),
        ("r", KEPT),
        ("ac", "edit"),
    ]);
    edit(&[("i", &ids[0]), ("a", STARRED)]);
    assert_eq!(
        (shown(&server, "unread"), shown(&server, "starred")),
        (1, 1)
    );
    assert_eq!(app.unread(), ids[2..]);
    assert_eq!(app.ids(&format!("s={STARRED}")), ids[..1]);
    assert_eq!(app.ids(&format!("s={ALL}&it={READ}")), ids[..2]);
    assert_eq!(app.ids(&format!("s={READ}&xt={STARRED}")), ids[1..2]);
    // As newsboat keeps one unread.
    let tracked = "user/-/state/com.google/tracking-kept-unread";
    edit(&[
        ("i", &ids[1]),
        ("r", READ),
        ("a", KEPT),
        ("a", tracked),
        ("ac", "edit"),
    ]);
    edit(&[("i", &ids[0]), ("r", STARRED)]);
    assert_eq!(
        (shown(&server, "unread"), shown(&server, "starred")),
        (2, 0)
    );
    edit(&[("i", &ids[1]), ("r", KEPT)]);
    assert_eq!(app.unread(), ids[2..]);
    // Marked in the browser.
    let path = articles(&server.own("/reader?show=unread")).remove(0);
    let id = path.trim_start_matches("/reader/");
    let token = server.token();
    let mark = |mark: &str| -> Answer {
        let fields = [
            ("token", &*token),
            ("id", id),
            ("back", "reader"),
            ("mark", mark),
            ("on", "true"),
        ];
        server.send_form("/reader/mark", &fields)
    };
    assert_eq!((mark("read").status, mark("starred").status), (303, 303));
    assert!(app.unread().is_empty());
    assert_eq!(app.ids(&format!("s={STARRED}")), ids[2..]);
}

#[test]
fn a_request_that_says_both_or_nothing_changes_nothing() {
    let (_site, _user, server) = served();
    let app = App::new(&server);
    let id = &*app.unread()[0];
    let status = |fields: &[(&str, &str)]| app.post("api/0/edit-tag", fields).status;
    for wrong in [
        &[("i", id), ("a", READ), ("r", READ)][..],
        &[("i", id), ("a", READ), ("a", KEPT)],
        &[("i", id), ("a", "user/-/label/Mine")],
        &[("i", id), ("a", "x")],
        &[("a", READ)],
    ] {
        assert_eq!(status(wrong), 400, "{wrong:?}");
    }
    assert_eq!(app.unread().len(), 3);
    for ignored in ["broadcast", "like"] {
        let tag = format!("user/-/state/com.google/{ignored}");
        assert_eq!(status(&[("i", id), ("a", &tag)]), 200);
    }
    assert_eq!(app.unread().len(), 3);
    // A GET changes nothing.
    let path = format!("api/0/edit-tag?i={id}&a={READ}&T={}", app.token);
    assert_eq!(app.get(&path).status, 405);
    assert_eq!(app.unread().len(), 3);
}

#[test]
fn a_stream_is_marked_as_read_until_a_time() {
    let (site, user, server) = served();
    site.set(|show| show.items = (1..=4).collect());
    user.round(20, &["--now"]).ends(0, &["1 new article"]);
    let app = App::new(&server);
    let all = |fields: &[(&str, &str)]| app.post("api/0/mark-all-as-read", fields).status;
    assert_eq!(all(&[("s", "feed/unknown")]), 200);
    assert_eq!(all(&[("s", ALL), ("ts", "x")]), 400);
    assert_eq!(all(&[("ts", "1")]), 400);
    assert_eq!(app.unread().len(), 4);
    let noon = (4_102_531_200_i64 + 12 * 3600) * 1_000_000;
    assert_eq!(all(&[("s", ALL), ("ts", &noon.to_string())]), 200);
    assert_eq!(app.unread().len(), 1);
    assert_eq!(all(&[("s", &format!("feed/{}", site.feed()))]), 200);
    assert_eq!((app.unread().len(), shown(&server, "unread")), (0, 0));
}
