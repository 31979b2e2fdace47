//! How feeds are polled, and what is shown of it.

use super::*;

impl World {
    /// The lines of a metric.
    fn figures(&self, name: &str) -> Vec<String> {
        let text = self.metrics.text();
        let lines = text.lines().filter(|line| line.starts_with(name));
        lines.map(str::to_owned).collect()
    }

    fn happens(&self, event: Event) {
        let at = self.clock.now();
        let change = Change::Event { at, event };
        self.open().write(vec![change]).expect("written");
    }
}

#[test]
fn a_feed_that_moved_and_is_the_same_is_no_failure() {
    let world = World::new(3);
    world.add();
    world.round(Duration::ZERO);
    world.site.set(|show| show.moved = true);
    world.site.asked();
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
    // The conditions were given by the old address: the next answer is a whole feed.
    assert_eq!((first.etag, first.last_modified), (None, None));
    assert_eq!(world.figures("forest_feed_last").len(), 1);
    for _ in 0..4 {
        assert_eq!(world.round(25 * HOUR).0.feeds_failed, 0);
    }
    // That is five sightings; what was known of the old address is shown no longer.
    assert!(poll().is_none());
    let shown = world.figures("forest_feed_last");
    assert_eq!(shown.len(), 1);
    assert!(shown[0].contains("/feed.xml"), "{shown:?}");
}

#[test]
fn feeds_that_rest_are_not_shown_as_if_they_were_polled() {
    let world = World::new(3);
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
    // One that ends meanwhile is gone at once.
    world.site.set(|show| show.down = Some(StatusCode::GONE));
    world.round(25 * HOUR);
    assert_eq!(world.figures("forest_feed_last"), [""; 0]);
    let ended = world.figures("forest_feeds{state=\"ended\"}");
    assert!(ended[0].ends_with(" 1"), "{ended:?}");
}
