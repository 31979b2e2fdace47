//! Slow hosts, and hosts that ask for a pause.

use super::*;
use tokio::sync::Notify;

/// Two sites. `meanwhile` is called while a page of the first is requested; the page is
/// sent when the feed of the other is requested.
fn other_feed_while_a_page_is_slow(
    world: &TestHarvest,
    meanwhile: impl FnOnce(&str) + Send + 'static,
) {
    let other = TestHarvest::new(3);
    let requested = Arc::new(Notify::new());
    let notify = Arc::clone(&requested);
    *other.site.meanwhile.lock().expect("not poisoned") = Some((
        "feed".to_owned(),
        Box::new(move || {
            notify.notify_one();
            // The feed itself does not wait.
            let ready = Arc::new(Notify::new());
            ready.notify_one();
            ready
        }),
    ));
    let feed = other.feed.clone();
    *world.site.meanwhile.lock().expect("not poisoned") = Some((
        "story/1".to_owned(),
        Box::new(move || {
            meanwhile(&feed);
            requested
        }),
    ));
    let (tally, _) = world.round(Duration::ZERO);
    // The first feed may become due once more.
    assert!(tally.feeds >= 2);
    assert_eq!((tally.articles, tally.pages_failed), (5 + 3, 0));
}

#[test]
fn a_feed_that_becomes_due_does_not_wait_for_the_pages_of_a_slow_host() {
    let world = TestHarvest::new(5);
    world.add();
    let at = world.clock.now();
    let archive = world.dir.path().to_owned();
    // The other feed is known, and due in an hour.
    let clock = Arc::clone(&world.clock);
    other_feed_while_a_page_is_slow(&world, move |feed| {
        let event = Event::FeedAdded {
            feed: feed.to_owned(),
        };
        forest_archive::request(&archive, at, event, vec![], None).expect("asked for");
        clock.advance(HOUR);
    });
}

#[test]
fn a_back_off_that_a_server_asks_for_outlives_a_restart() {
    let mut world = TestHarvest::new(6);
    world.add();
    world.site.set(|show| {
        show.pages_down = Some(StatusCode::TOO_MANY_REQUESTS);
        show.retry_after = Some(7200);
    });
    let (tally, _) = world.round(Duration::ZERO);
    let stories = |world: &TestHarvest| {
        let requests = world.site.take_requests();
        requests
            .iter()
            .filter(|path| path.starts_with("story"))
            .count()
    };
    // One page got the status; the others are not mentioned.
    assert_eq!((stories(&world), tally.pages), (1, 1));
    world.site.set(|show| show.pages_down = None);
    world.fetcher = fetcher();
    let (tally, _) = world.round(HOUR);
    assert_eq!((stories(&world), tally.pages), (0, 0));
    world.fetcher = fetcher();
    let (tally, _) = world.round(2 * HOUR);
    assert_eq!((tally.articles, tally.pages_failed), (6, 0));
    assert_eq!(stories(&world), 6);
}

/// Each process would request three pages before it leaves the host alone.
#[test]
fn a_dead_host_is_left_alone_by_the_next_process() {
    let mut world = TestHarvest::new(40);
    world.add();
    world
        .site
        .set(|show| show.pages_down = Some(StatusCode::BAD_GATEWAY));
    let mut requests = Vec::new();
    for minutes in [0, 5, 5, 10] {
        world.fetcher = fetcher();
        world.round(Duration::from_secs(60 * minutes));
        let paths = world.site.take_requests();
        requests.push(
            paths
                .iter()
                .filter(|path| path.starts_with("story"))
                .count(),
        );
    }
    // After a quarter of an hour the first failure begins the next pause; one more request may
    // be under way then.
    assert!((3..=4).contains(&requests[0]), "{requests:?}");
    assert_eq!(requests[1..3], [0, 0]);
    assert!((1..=2).contains(&requests[3]), "{requests:?}");
    world.site.set(|show| show.pages_down = None);
    for _ in 0..2 {
        world.fetcher = fetcher();
        world.round(HOUR);
    }
    assert_eq!(world.articles().len(), 40);
}

#[test]
fn robots_txt_is_requested_once_a_day_and_not_by_each_process() {
    let mut world = TestHarvest::new(4);
    world
        .site
        .set(|show| show.robots = Some("User-agent: *\nDisallow: /story/2\n"));
    world.add();
    let requests_of = |world: &TestHarvest, name: &str| {
        let requests = world.site.take_requests();
        requests.iter().filter(|path| *path == name).count()
    };
    let (tally, _) = world.round(Duration::ZERO);
    assert_eq!((tally.articles, tally.pages_failed), (3, 1));
    assert_eq!(requests_of(&world, "robots.txt"), 1);
    for hours in [6, 6, 6] {
        world.fetcher = fetcher();
        let (tally, _) = world.round(hours * HOUR);
        assert_eq!((tally.feeds, tally.feeds_failed), (1, 0));
        let paths = world.site.take_requests();
        assert!(
            paths
                .iter()
                .all(|path| path != "robots.txt" && path != "story/2"),
            "{paths:?}"
        );
    }
    world.fetcher = fetcher();
    world.round(6 * HOUR);
    assert_eq!(requests_of(&world, "robots.txt"), 1);
    // The clock goes backwards: a robots.txt with a time in the future is not used.
    world
        .clock
        .set(world.clock.now() - chrono::TimeDelta::days(30));
    world.fetcher = fetcher();
    world.round(Duration::ZERO);
    world.round(25 * HOUR);
    assert_eq!(requests_of(&world, "robots.txt"), 1);
}
