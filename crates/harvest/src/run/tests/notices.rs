//! The notices of a harvest: each kind is sent, and the archive on disk agrees with it.

use super::*;
use crate::Notice;
use forest_archive::ArchiveReader;
use forest_archive::EventKind;

/// The kinds of a round's notices. A second reader finds the facts of each notice in the
/// archive.
fn reported_kinds(world: &TestHarvest, later: Duration) -> Vec<EventKind> {
    let mut reported = Vec::new();
    world.round_after(later, |_| {}, &mut |progress| {
        let Some(notice) = Notice::of(progress, world.clock.now()) else {
            return;
        };
        let json: serde_json::Value = serde_json::from_str(&notice.json()).expect("JSON");
        let text = |name: &str| json[name].as_str().unwrap_or_default();
        let reader = ArchiveReader::open(world.dir.path()).expect("a reader");
        let feed = |url: &str| {
            let mut feeds = reader.feeds().expect("readable").into_iter();
            feeds.find(|feed| feed.url == url).map(|feed| feed.state)
        };
        match notice.kind() {
            EventKind::New | EventKind::Edited => {
                let article = reader.article(text("url")).expect("readable");
                let versions = article.expect("it is there").versions;
                assert_eq!(versions, 1 + u32::from(notice.kind() == EventKind::Edited));
                assert_eq!(text("feed"), world.feed);
                assert!(text("title").starts_with("Story "), "{json}");
            }
            EventKind::Drift | EventKind::Blocked => {
                let sql = "SELECT verdict FROM verdicts ORDER BY id DESC LIMIT 1";
                let verdict = reader.db.query_row(sql, [], |row| row.get::<_, String>(0));
                assert_eq!(verdict.expect("judged"), text("event"));
                assert!(text("url").contains("/story/"), "{json}");
            }
            EventKind::Relearned => {
                let wrappers = reader.wrappers(text("site")).expect("readable");
                assert_eq!(wrappers.len(), 2);
            }
            EventKind::FeedMoved => assert_eq!(feed(text("to")).as_deref(), Some("active")),
            EventKind::FeedGone => assert_eq!(feed(text("feed")).as_deref(), Some("ended")),
        }
        reported.push(notice.kind());
    });
    reported
}

#[test]
fn each_kind_is_sent_by_a_harvest() {
    let world = TestHarvest::new(12);
    world.add();
    assert_eq!(reported_kinds(&world, Duration::ZERO), [EventKind::New; 12]);
    world.site.set(|show| show.edited = vec![12]);
    assert_eq!(reported_kinds(&world, 25 * HOUR), [EventKind::Edited]);
    world.site.set(|show| {
        show.redesigned = true;
        show.items = (8..=20).rev().collect();
    });
    let mut kinds = reported_kinds(&world, 25 * HOUR);
    kinds.retain(|kind| *kind != EventKind::New);
    assert_eq!(kinds, [EventKind::Drift, EventKind::Relearned]);
    world.site.set(|show| {
        show.pages_down = Some(StatusCode::FORBIDDEN);
        show.items = (12..=32).rev().collect();
    });
    assert_eq!(reported_kinds(&world, 25 * HOUR), [EventKind::Blocked]);
    world.site.set(|show| {
        show.pages_down = None;
        show.moved = true;
    });
    let mut moved = Vec::new();
    for _ in 0..6 {
        moved.extend(reported_kinds(&world, 25 * HOUR));
    }
    moved.retain(|kind| !matches!(kind, EventKind::New | EventKind::Edited));
    assert_eq!(moved, [EventKind::FeedMoved]);
    world.site.set(|show| show.down = Some(StatusCode::GONE));
    assert_eq!(reported_kinds(&world, 25 * HOUR), [EventKind::FeedGone]);
}
