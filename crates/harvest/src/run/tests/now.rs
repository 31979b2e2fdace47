//! Pages and feeds that are requested now, whatever their schedule.

use super::*;
use forest_archive::{UrgentRequest, request_now};

impl TestHarvest {
    /// A round after `first`; its counts, and the number of unvisited pages.
    pub(super) fn round_after(
        &self,
        later: Duration,
        first: impl FnOnce(&mut Harvest<'_>),
        on_progress: &mut dyn FnMut(&HarvestProgress<'_>),
    ) -> (HarvestTally, usize) {
        self.clock.advance(later);
        let mut archive = self.open();
        let (clock, options): (Arc<dyn Clock>, _) = (self.clock.clone(), HarvestOptions::default());
        let mut harvest =
            Harvest::new(&mut archive, &self.fetcher, clock, options).expect("it begins");
        first(&mut harvest);
        let tally = harvest.run(Until::Idle, on_progress).expect("harvested");
        let unvisited = harvest.unvisited().count();
        (tally, unvisited)
    }

    /// A round in which all feeds are polled.
    fn round_now(&self, later: Duration) -> HarvestTally {
        let all = |harvest: &mut Harvest<'_>| {
            harvest.poll_now(&[]).expect("made due");
        };
        self.round_after(later, all, &mut |_| {}).0
    }

    /// A round in which these articles are visited, and nothing else.
    pub(super) fn refetch(&self, stories: &[usize]) -> (HarvestTally, usize) {
        let urls: Vec<String> = stories.iter().map(|n| self.story(*n)).collect();
        let these = |harvest: &mut Harvest<'_>| {
            harvest.plan.wanted_only = true;
            let taken = harvest.visit_now(&urls).expect("readable");
            assert!(taken.iter().all(Option::is_some), "{taken:?}");
        };
        self.round_after(MINUTE, these, &mut |_| {})
    }

    fn story(&self, n: usize) -> String {
        format!("http://{}/story/{n}", self.host())
    }
}

const MINUTE: Duration = Duration::from_secs(60);

#[test]
fn a_feed_is_polled_now_though_it_is_not_due() {
    let world = TestHarvest::new(3);
    world.add();
    world.round(Duration::ZERO);
    world.site.set(|show| show.items.insert(0, 4));
    let (tally, _) = world.round(MINUTE);
    assert_eq!((tally.feeds, tally.articles), (0, 0));
    let tally = world.round_now(MINUTE);
    assert_eq!((tally.feeds, tally.items, tally.articles), (1, 1, 1));
    // It keeps its schedule from then on.
    assert_eq!(world.round(MINUTE).0.feeds, 0);
}

#[test]
fn a_feed_that_rests_is_not_polled_even_now() {
    let world = TestHarvest::new(3);
    world.add();
    world.round(Duration::ZERO);
    let (feed, at) = (world.feed.clone(), world.clock.now());
    let paused = |paused| ArchiveChange::Event {
        at,
        event: Event::FeedPaused {
            feed: feed.clone(),
            paused,
        },
    };
    world.open().write(vec![paused(true)]).expect("written");
    assert_eq!(world.round_now(MINUTE).feeds, 0);
    let named = |harvest: &mut Harvest<'_>| {
        let feeds = [world.feed.clone(), "http://nowhere.example/".to_owned()];
        assert_eq!(harvest.poll_now(&feeds).expect("readable"), 0);
    };
    assert_eq!(world.round_after(MINUTE, named, &mut |_| {}).0.feeds, 0);
    world.open().write(vec![paused(false)]).expect("written");
    assert_eq!(world.round_now(MINUTE).feeds, 1);
}

#[test]
fn a_back_off_holds_for_urgent_requests_too() {
    let mut world = TestHarvest::new(3);
    world.add();
    world.round(Duration::ZERO);
    world.site.set(|show| {
        show.pages_down = Some(StatusCode::TOO_MANY_REQUESTS);
        show.retry_after = Some(7200);
        show.items.insert(0, 4);
    });
    world.round_now(MINUTE);
    world.site.set(|show| show.pages_down = None);
    world.fetcher = fetcher();
    world.site.take_requests();
    assert_eq!(world.round_now(MINUTE).feeds, 0);
    let (tally, unvisited) = world.refetch(&[1]);
    assert_eq!((tally.pages, unvisited), (0, 1));
    assert_eq!(world.site.take_requests(), [""; 0]);
    // The requested page is visited when the back-off is over, before its usual time.
    let (tally, _) = world.round(2 * HOUR);
    assert_eq!((tally.feeds, tally.articles), (1, 1));
}

#[test]
fn robots_txt_holds_though_somebody_is_in_a_hurry() {
    let world = TestHarvest::new(3);
    world.add();
    let rules = "User-agent: *\nDisallow: /feed\nDisallow: /story/2\n";
    world.site.set(|show| show.robots = Some(rules));
    let tally = world.round_now(Duration::ZERO);
    assert_eq!((tally.feeds, tally.feeds_failed), (1, 1));
    assert_eq!(world.site.take_requests(), ["robots.txt"]);
}

#[test]
fn a_page_is_visited_again_now_and_nothing_else_is() {
    let world = TestHarvest::new(3);
    world.add();
    world.round(Duration::ZERO);
    world.site.set(|show| {
        show.edited = vec![2];
        show.items.insert(0, 4);
    });
    // The feed is due, too.
    world.clock.advance(25 * HOUR);
    world.site.take_requests();
    let (tally, unvisited) = world.refetch(&[2]);
    assert_eq!(world.site.take_requests(), ["story/2"]);
    let counts = (tally.feeds, tally.pages, tally.versions, unvisited);
    assert_eq!(counts, (0, 1, 1, 0));
    let versions: Vec<u32> = world.articles().iter().map(|(.., n)| *n).collect();
    assert_eq!(versions, [1, 2, 1]);
    // Its current state; also for a page whose feed is not harvested any more.
    assert_eq!(world.refetch(&[2]).0.versions, 0);
    let (feed, at) = (world.feed.clone(), world.clock.now());
    let removed = ArchiveChange::Event {
        at,
        event: Event::FeedRemoved { feed },
    };
    world.open().write(vec![removed]).expect("written");
    world.site.set(|show| show.edited = vec![2, 3]);
    let (tally, _) = world.refetch(&[3, 1]);
    assert_eq!((tally.pages, tally.versions), (2, 1));
    // A page that is not in the archive is not requested.
    let unknown = |harvest: &mut Harvest<'_>| {
        let taken = harvest.visit_now(&[world.story(7), "nothing".to_owned()]);
        assert_eq!(taken.expect("readable"), [None, None]);
    };
    assert_eq!(world.round_after(MINUTE, unknown, &mut |_| {}).0.pages, 0);
}

#[test]
fn a_running_harvest_takes_urgent_requests() {
    let world = TestHarvest::new(3);
    world.add();
    world.round(Duration::ZERO);
    world.site.set(|show| {
        show.edited = vec![2];
        show.items.insert(0, 4);
    });
    let at = world.clock.now();
    let submit = |submit| request_now(world.dir.path(), at, submit).expect("written");
    submit(UrgentRequest::Visit(vec![world.story(2)]));
    let (tally, _) = world.round(MINUTE);
    assert_eq!((tally.feeds, tally.pages, tally.versions), (0, 1, 1));
    submit(UrgentRequest::Poll(vec![world.feed.clone()]));
    let (tally, _) = world.round(MINUTE);
    assert_eq!((tally.feeds, tally.articles), (1, 1));
}
