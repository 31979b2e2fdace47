//! The notices of a harvest: each kind comes of a harvest, and of what is on
//! the disk.

use super::*;
use crate::archive::ArchiveReader;
use crate::archive::EventKind;
use crate::harvest::Notice;

/// The kinds of a round's notices. Another process sees in the archive what each of them
/// tells of.
fn told(world: &TestHarvest, later: Duration) -> Vec<EventKind> {
    let mut told = Vec::new();
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
        told.push(notice.kind());
    });
    told
}

#[test]
fn each_kind_comes_of_a_harvest() {
    let world = TestHarvest::new(12);
    world.add();
    assert_eq!(told(&world, Duration::ZERO), [EventKind::New; 12]);
    world.site.set(|show| show.edited = vec![12]);
    assert_eq!(told(&world, 25 * HOUR), [EventKind::Edited]);
    world.site.set(|show| {
        show.redesigned = true;
        show.items = (8..=20).rev().collect();
    });
    let mut kinds = told(&world, 25 * HOUR);
    kinds.retain(|kind| *kind != EventKind::New);
    assert_eq!(kinds, [EventKind::Drift, EventKind::Relearned]);
    world.site.set(|show| {
        show.pages_down = Some(StatusCode::FORBIDDEN);
        show.items = (12..=32).rev().collect();
    });
    assert_eq!(told(&world, 25 * HOUR), [EventKind::Blocked]);
    world.site.set(|show| {
        show.pages_down = None;
        show.moved = true;
    });
    let mut moved = Vec::new();
    for _ in 0..6 {
        moved.extend(told(&world, 25 * HOUR));
    }
    moved.retain(|kind| !matches!(kind, EventKind::New | EventKind::Edited));
    assert_eq!(moved, [EventKind::FeedMoved]);
    world.site.set(|show| show.down = Some(StatusCode::GONE));
    assert_eq!(told(&world, 25 * HOUR), [EventKind::FeedGone]);
}
