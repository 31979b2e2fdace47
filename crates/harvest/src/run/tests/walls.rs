//! Articles that are behind a wall some days after they were shown whole.

use super::*;

/// The verdict and the reason of the last failure, as a harvest left them.
fn state(world: &TestHarvest) -> (String, Option<String>) {
    let state = world.open().watch(world.host()).expect("readable");
    let state = SiteState::from_json(&state.expect("watched")).expect("a state");
    (state.watch.verdict().to_string(), state.failure)
}

fn whole(articles: usize) -> Vec<(usize, Status, u32)> {
    (1..=articles).map(|n| (n, Status::Ok, 1)).collect()
}

/// The status of the last visit to an article's page.
fn last(world: &TestHarvest, n: usize) -> Status {
    let url = format!("http://{}/story/{n}", world.host());
    let known = world.open().known(&url).expect("readable");
    known.raw.expect("it came").status
}

#[test]
fn an_article_that_is_put_behind_a_wall_stays_whole() {
    let world = TestHarvest::new(12);
    world.add();
    world.round(Duration::ZERO);
    world
        .site
        .set(|show| show.cut = (1..=4).map(|n| (n, Cut::Sold)).collect());
    let (tally, reported) = world.round(25 * HOUR);
    assert_eq!((tally.pages, tally.versions, tally.wrappers), (12, 0, 0));
    assert_eq!((tally.pages_failed, reported), (4, Vec::new()));
    assert_eq!(world.articles(), whole(12));
    let of = |n| last(&world, n) == Status::Blocked;
    assert_eq!([of(4), of(5)], [true, false]);
    let (verdict, why) = state(&world);
    assert_eq!(verdict, "ok");
    assert!(why.is_some_and(|why| why.contains("asks for a subscription")));
    // It is requested again, unchanged: that is no new evidence for the site.
    for _ in 0..10 {
        let (tally, reported) = world.round(24 * HOUR);
        assert_eq!((tally.versions, reported), (0, Vec::new()));
    }
    assert_eq!(last(&world, 4), Status::Blocked);
    // Another wrapper reads the pages of the versions, not the last received ones.
    let mut archive = world.open();
    let file = archive.wrapper_file(world.host()).expect("readable");
    let file = file.expect("a wrapper");
    std::fs::write(&file.path, format!("{}# mine\n", file.yaml)).expect("written");
    let options = forest_archive::ReextractOptions::default();
    let report = archive.reextract(&options, world.clock.now(), &mut |_| {});
    let report = report.expect("read again");
    assert_eq!((report.read, report.changed), (12, 0));
    drop(archive);
    assert_eq!(world.articles(), whole(12));
    // The wall is removed; an edit behind it becomes a version.
    world.site.set(|show| {
        show.cut.clear();
        show.edited = vec![2];
    });
    world.round(24 * 30 * HOUR);
    let mut expected = whole(12);
    expected[1].2 = 2;
    assert_eq!(world.articles(), expected);
    assert_eq!(last(&world, 4), Status::Ok);
}

#[test]
fn a_site_whose_articles_all_go_behind_a_wall_is_blocked_once() {
    let world = TestHarvest::new(12);
    world.add();
    world.round(Duration::ZERO);
    world
        .site
        .set(|show| show.cut = (1..=12).map(|n| (n, Cut::Sold)).collect());
    let (tally, reported) = world.round(25 * HOUR);
    assert_eq!((tally.versions, tally.wrappers), (0, 0));
    assert_eq!(reported, ["ok to blocked"]);
    let (_, why) = state(&world);
    assert!(why.is_some_and(|why| why.contains("asks for a subscription")));
    assert_eq!(world.articles(), whole(12));
    // New articles are shown whole meanwhile.
    world.site.set(|show| show.items = (5..=15).rev().collect());
    let (tally, reported) = world.round(24 * HOUR);
    assert_eq!((tally.articles, tally.versions), (3, 0));
    assert_eq!(reported, ["blocked to ok"]);
    for _ in 0..3 {
        let (_, reported) = world.round(24 * HOUR);
        assert_eq!(reported, Vec::<String>::new());
    }
    assert_eq!(world.articles(), whole(15));
}

#[test]
fn an_article_that_its_author_shortens_has_another_version() {
    let world = TestHarvest::new(12);
    world.add();
    world.round(Duration::ZERO);
    world.site.set(|show| show.cut = vec![(3, Cut::Shortened)]);
    let (tally, _) = world.round(25 * HOUR);
    assert_eq!((tally.pages_failed, tally.versions), (0, 1));
}

#[test]
fn a_few_pages_that_are_refused_for_weeks_do_not_block_their_site() {
    let world = TestHarvest::new(12);
    world.site.set(|show| show.shut = vec![2, 5, 8]);
    world.add();
    let (tally, _) = world.round(Duration::ZERO);
    assert_eq!((tally.articles, tally.pages_failed), (9, 3));
    for _ in 0..10 {
        let (_, reported) = world.round(72 * HOUR);
        assert_eq!(reported, Vec::<String>::new());
    }
    assert_eq!(world.verdict().as_deref(), Some("ok"));
}
