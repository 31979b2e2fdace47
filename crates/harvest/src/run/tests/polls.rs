//! Polls of feeds, and their display.

use super::*;

impl TestHarvest {
    /// The lines of a metric.
    fn figures(&self, name: &str) -> Vec<String> {
        let text = self.metrics.text();
        let lines = text.lines().filter(|line| line.starts_with(name));
        lines.map(str::to_owned).collect()
    }

    pub(super) fn happens(&self, event: Event) {
        let at = self.clock.now();
        let change = ArchiveChange::Event { at, event };
        self.open().write(vec![change]).expect("written");
    }
}

#[test]
fn a_feed_that_moved_and_is_the_same_is_no_failure() {
    let world = TestHarvest::new(3);
    world.add();
    world.round(Duration::ZERO);
    world.site.set(|show| show.moved = true);
    world.site.take_requests();
    let (tally, _) = world.round(25 * HOUR);
    assert_eq!((tally.feeds, tally.feeds_failed), (1, 0));
    let poll = || {
        world
            .open()
            .feed(&world.feed)
            .expect("readable")
            .map(|row| row.poll)
    };
    let first = poll().expect("polled");
    assert_eq!((first.failures, first.error), (0, None));
    assert!(first.moved.is_some_and(|moved| moved.contains("/feed.xml")));
    // The conditions are those of the old address: the next response is a whole feed.
    assert_eq!((first.etag, first.last_modified), (None, None));
    assert_eq!(world.figures("forest_feed_last").len(), 1);
    for _ in 0..4 {
        assert_eq!(world.round(25 * HOUR).0.feeds_failed, 0);
    }
    // After five sightings the state of the old address is not shown any more.
    assert!(poll().is_none());
    let shown = world.figures("forest_feed_last");
    assert_eq!(shown.len(), 1);
    assert!(shown[0].contains("/feed.xml"), "{shown:?}");
}

#[test]
fn feeds_that_rest_are_not_shown_as_if_they_were_polled() {
    let world = TestHarvest::new(3);
    world.add();
    world.round(Duration::ZERO);
    assert_eq!(world.figures("forest_feed_last").len(), 1);
    let errors = world.figures("forest_errors_total");
    assert!(
        errors.len() >= 5 && errors.iter().all(|line| line.ends_with(" 0")),
        "{errors:?}"
    );
    let drifts = world.figures("forest_wrapper_drift_total");
    assert!(drifts.len() == 1 && drifts[0].ends_with(" 0"), "{drifts:?}");
    let feed = world.feed.clone();
    world.happens(Event::FeedPaused { feed, paused: true });
    world.round(HOUR);
    assert_eq!(world.figures("forest_feed_last"), [""; 0]);
    let feed = world.feed.clone();
    world.happens(Event::FeedPaused {
        feed,
        paused: false,
    });
    world.round(HOUR);
    assert_eq!(world.figures("forest_feed_last").len(), 1);
    // A feed that ends meanwhile is removed at once.
    world.site.set(|show| show.down = Some(StatusCode::GONE));
    world.round(25 * HOUR);
    assert_eq!(world.figures("forest_feed_last"), [""; 0]);
    let ended = world.figures("forest_feeds{state=\"ended\"}");
    assert!(ended[0].ends_with(" 1"), "{ended:?}");
}

#[test]
fn items_that_share_a_name_are_known_by_their_addresses() {
    let world = TestHarvest::new(4);
    world
        .site
        .set(|show| show.guid = Some("http://gazette.example/"));
    world.add();
    let (tally, _) = world.round(Duration::ZERO);
    assert_eq!((tally.items, tally.articles), (4, 4));
    // Another feed, with one new item.
    world.site.set(|show| show.items.insert(0, 5));
    let (tally, _) = world.round(25 * HOUR);
    assert_eq!((tally.items, tally.articles), (1, 1));
}

#[test]
fn an_article_whose_page_has_no_date_has_that_of_its_feed() {
    let check = |date: &'static str, expected: Option<&str>| {
        let world = TestHarvest::new(1);
        world
            .clock
            .set("2026-01-02T03:04:05Z".parse().expect("a time"));
        world.site.set(|show| show.date = Some(date));
        world.add();
        world.round(Duration::ZERO);
        let dates = |world: &TestHarvest| {
            let mut dates = Vec::new();
            let reader = world.open().reader().expect("a reader");
            let all = forest_archive::Filter::default();
            let each = reader.each_latest(&all, &mut |_, version| {
                dates.push(version.record.date_published);
                Ok(())
            });
            each.expect("readable");
            dates
        };
        assert_eq!(dates(&world), [expected.map(str::to_owned)], "{date}");
        // The summary has changed, and the date is gone.
        world.site.set(|show| {
            show.date = None;
            show.edited.push(1);
        });
        world.round(25 * HOUR);
        assert_eq!(dates(&world), [expected.map(str::to_owned)], "{date}");
    };
    let date = "Thu, 01 Jan 2026 10:00:00 +0100";
    check(date, Some("2026-01-01T10:00:00+01:00"));
    check("the day before yesterday", None);
    // No item is read before it is published.
    check("Thu, 01 Jan 2099 10:00:00 +0100", None);
}
