//! The verdicts on sites, and the handling of their wrappers' files.

use super::*;

impl TestHarvest {
    pub(super) fn host(&self) -> &str {
        let host = self.feed.strip_prefix("http://");
        host.and_then(|host| host.strip_suffix("/feed"))
            .expect("a feed")
    }

    /// The file of the site's wrapper.
    pub(super) fn file(&self) -> std::path::PathBuf {
        let name = forest_core::wrapper::names::file_name(self.host());
        paths::sites(self.dir.path()).join(format!("{name}.yaml"))
    }

    /// The verdict on the site in the archive.
    pub(super) fn verdict(&self) -> Option<String> {
        self.open().last_verdict(self.host()).expect("readable")
    }
}

#[test]
fn the_verdict_is_ok_again_when_the_wrapper_is_another() {
    let world = TestHarvest::new(12);
    world.add();
    world.round(Duration::ZERO);
    assert_eq!(world.verdict().as_deref(), Some("ok"));
    let first = std::fs::read_to_string(world.file()).expect("a wrapper");
    world.site.set(|show| {
        show.redesigned = true;
        show.items = (5..=17).rev().collect();
    });
    let (tally, _) = world.round(2 * HOUR);
    assert_eq!((tally.drifted, world.verdict().as_deref()), (1, Some("ok")));
    // A person restores the first one: it fails, and is edited until it does not.
    let second = std::fs::read_to_string(world.file()).expect("a wrapper");
    std::fs::write(world.file(), format!("{first}# mine\n")).expect("written");
    world.site.set(|show| show.items = (5..=21).rev().collect());
    world.round(2 * HOUR);
    assert_eq!(world.verdict().as_deref(), Some("drift"));
    std::fs::write(world.file(), second).expect("written");
    // It became active by another command, which judges nothing.
    world
        .open()
        .reextract(
            &forest_archive::ReextractOptions::default(),
            world.clock.now(),
            &mut |_| {},
        )
        .expect("read again");
    world.site.set(|show| show.items = (5..=22).rev().collect());
    world.round(2 * HOUR);
    assert_eq!(world.verdict().as_deref(), Some("ok"));
}

/// The number of pages and the kind of fault do not matter.
#[test]
fn a_wrapper_file_that_cannot_be_used_is_never_replaced() {
    let check = |damage: fn(&str) -> String| {
        let world = TestHarvest::new(12);
        world.add();
        world.round(Duration::ZERO);
        let yaml = std::fs::read_to_string(world.file()).expect("a wrapper");
        let damaged = damage(&yaml);
        std::fs::write(world.file(), &damaged).expect("written");
        world.site.set(|show| show.items = (5..=30).rev().collect());
        let (tally, reported) = world.round(2 * HOUR);
        assert_eq!((tally.articles, tally.wrappers), (18, 0), "{reported:?}");
        let read = std::fs::read_to_string(world.file()).expect("still there");
        assert_eq!(read, damaged);
        // Restored, it is active again.
        std::fs::write(world.file(), &yaml).expect("written");
        world.site.set(|show| show.items = (5..=31).rev().collect());
        world.round(2 * HOUR);
        assert_eq!(world.articles()[30], (31, Status::Ok, 1));
    };
    // A half-saved file, a typing error, invalid expressions.
    check(|yaml| yaml[..yaml.len() / 2].to_owned() + "\n- [");
    check(|yaml| yaml.replace("format: 1", "format: one"));
    check(|yaml| format!("{}\n", yaml.replace("//", "//[[")));
}

/// After a harvest was killed before it learned, the next has a site without a wrapper.
#[test]
fn a_wrapper_that_a_person_puts_there_meanwhile_is_not_replaced() {
    let world = TestHarvest::new(12);
    world.add();
    let no_learning = HarvestOptions::default().with_learning(false);
    world.round_with(Duration::ZERO, no_learning);
    let mut archive = world.open();
    let mut sites = sites::Sites::default();
    let now = world.clock.now();
    let none = sites.wrapper(&archive, world.host(), now, &mut Vec::new());
    assert!(none.expect("readable").is_none());
    std::fs::write(world.file(), "not: [finished").expect("written");
    let learned = sites.learn(&mut archive, world.host(), &HarvestOptions::default(), now);
    assert!(
        matches!(&learned, Ok(Some(tried)) if matches!(tried.learning, Learning::Kept(_))),
        "{learned:?}"
    );
    let read = std::fs::read_to_string(world.file()).expect("still there");
    assert_eq!(read, "not: [finished");
}

/// The verdict and the reason of the last failure, as a harvest left them.
fn state(world: &TestHarvest) -> (String, Option<String>) {
    let state = world.open().watch(world.host()).expect("readable");
    let state = SiteState::from_json(&state.expect("watched")).expect("a state");
    (state.watch.verdict().to_string(), state.failure)
}

fn check_first(change: fn(&mut SiteContents), verdict: &str, failure: &str) {
    let mut world = TestHarvest::new(12);
    world.site.set(change);
    world.add();
    let (tally, reported) = world.round(Duration::ZERO);
    assert_eq!(
        (tally.wrappers, reported),
        (0, vec![format!("none yet to {verdict}")])
    );
    let (found, why) = state(&world);
    assert_eq!(
        (found.as_str(), world.verdict().as_deref()),
        (verdict, Some(verdict))
    );
    assert!(
        why.as_ref().is_some_and(|why| why.contains(failure)),
        "{why:?}"
    );
    // The failure is over: the pages are read, and learned from.
    world.site.set(|show| {
        (show.walled, show.challenged) = (false, false);
        (show.pages_down, show.robots) = (None, None);
    });
    for _ in 0..60 {
        // robots.txt is kept for a day by the clock of the process.
        world.fetcher = fetcher();
        world.round(HOUR);
    }
    assert_eq!(world.articles().len(), 12);
    assert_eq!(state(&world), ("ok".to_owned(), None));
    assert_eq!(world.verdict().as_deref(), Some("ok"));
}

#[test]
fn a_new_site_is_judged_as_well() {
    check_first(|show| show.walled = true, "blocked", "log in");
    check_first(
        |show| show.pages_down = Some(StatusCode::FORBIDDEN),
        "blocked",
        "status 403",
    );
    check_first(|show| show.challenged = true, "blocked", "status 429");
    check_first(
        |show| show.robots = Some("User-agent: *\nDisallow: /story\n"),
        "blocked",
        "robots.txt",
    );
    check_first(
        |show| show.pages_down = Some(StatusCode::NOT_FOUND),
        "unreachable",
        "status 404",
    );
}

#[test]
fn refused_pages_block_a_site_once_and_teach_nothing() {
    let check = |wall: fn(&mut SiteContents), failure: &str| {
        let world = TestHarvest::new(12);
        world.add();
        world.round(Duration::ZERO);
        world.site.set(|show| {
            wall(show);
            show.items = (9..=20).rev().collect();
        });
        let (tally, reported) = world.round(2 * HOUR);
        assert_eq!((tally.wrappers, tally.drifted), (0, 0));
        assert_eq!(reported, ["ok to blocked"]);
        let (_, why) = state(&world);
        assert!(
            why.as_ref().is_some_and(|why| why.contains(failure)),
            "{why:?}"
        );
        // The removal of a wall is reported once.
        world.site.set(|show| {
            (show.walled, show.pages_down) = (false, None);
            show.items = (9..=24).rev().collect();
        });
        let (tally, reported) = world.round(2 * HOUR);
        assert_eq!((tally.articles, tally.wrappers), (12, 0));
        assert_eq!(reported, ["blocked to ok"]);
        assert_eq!(world.verdict().as_deref(), Some("ok"));
    };
    check(|show| show.walled = true, "log in");
    check(
        |show| show.pages_down = Some(StatusCode::PAYMENT_REQUIRED),
        "status 402",
    );
}

/// The first pages were read without a wrapper, so they are not failures of the wrapper.
#[test]
fn what_is_learned_again_is_learned_from_the_new_layout() {
    let world = TestHarvest::new(12);
    world.add();
    world.round(Duration::ZERO);
    let wrapper = || {
        let archive = world.open();
        let file = archive.wrapper_file(world.host()).expect("readable");
        file.expect("a wrapper").file.wrapper
    };
    let first = wrapper();
    world.site.set(|show| {
        show.redesigned = true;
        show.items = (8..=17).rev().collect();
    });
    let (tally, reported) = world.round(2 * HOUR);
    assert_eq!((tally.drifted, tally.wrappers), (1, 1), "{reported:?}");
    let second = wrapper();
    let of_second: Vec<usize> = second
        .sample
        .iter()
        .map(|page| page.url.split(['/', '?']).nth(4).expect("a number"))
        .map(|n| n.parse().expect("a number"))
        .collect();
    assert!(
        of_second.len() >= 3 && of_second.iter().all(|n| *n > 12),
        "{of_second:?}"
    );
    // The old layout's template is active for the pages of its time.
    let retired = &second.history;
    assert_eq!((second.templates.len(), retired.len()), (1, 1));
    assert_eq!(retired[0].body, first.templates[0].body);
}

#[test]
fn authors_in_a_feed_are_learned_from() {
    let world = TestHarvest::new(10);
    world.site.set(|show| show.bylines = true);
    world.add();
    world.round(Duration::ZERO);
    let reader = world.open().reader().expect("a reader");
    let mut found = 0;
    let all = forest_archive::Filter::default();
    let each = reader.each_latest(&all, &mut |_, version| {
        let record = version.record;
        let n = record.title.unwrap_or_default();
        let n = n.trim_start_matches("Story ").parse().expect("a number");
        assert_eq!(record.authors, [author(n)]);
        found += 1;
        Ok(())
    });
    each.expect("readable");
    assert_eq!(found, 10);
}

#[test]
fn a_wrapper_that_is_good_for_none_of_its_pages_does_not_become_active() {
    let world = TestHarvest::new(12);
    world.site.set(|show| show.comics = true);
    world.add();
    let (tally, reported) = world.round(Duration::ZERO);
    assert_eq!(tally.wrappers, 0, "{reported:?}");
    assert!(
        reported.iter().any(|line| line.contains("like an article")),
        "{reported:?}"
    );
    assert!(!world.file().exists());
}
