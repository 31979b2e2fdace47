//! Sites on whose pages another text is larger than the article.

use super::*;
use forest_core::wrapper::WrapperFile;

/// Two dozen staff members, each introduced in a pop-up; the same on every page.
fn popups(_: usize) -> String {
    let member = |n: usize| {
        let word =
            |k: usize| ["lamp", "pier", "kiln", "loom", "quay", "barn", "mill"][(n + k * k) % 7];
        format!(
            "<div class=popup><h3>Member {n}</h3><p>Member{n} has looked after the {} of our house for {n} years, and \
             came to us from the {} in town, where the {} was built by hand.</p><p>In the evening member{n} mends the {} \
             with two friends, and on Sundays all of them walk to the {} and back.</p></div>",
            word(1),
            word(2),
            word(3),
            word(4),
            word(5)
        )
    };
    (1..=24).map(member).collect()
}

fn wrapper(world: &TestHarvest) -> WrapperFile {
    let yaml = std::fs::read_to_string(world.file()).expect("a wrapper");
    forest_core::wrapper::Wrapper::from_yaml(&yaml).expect("YAML")
}

/// The verdict, and the reason why the last attempt learned nothing.
fn state(world: &TestHarvest) -> (String, Option<String>) {
    let state = world.open().watch(world.host()).expect("readable");
    let state = SiteState::from_json(&state.expect("watched")).expect("a state");
    (state.watch.verdict().to_string(), state.not_learned)
}

#[test]
fn pages_that_agree_outweigh_what_each_shows_alone_now_and_after_a_redesign() {
    let world = TestHarvest::new(12);
    world.site.set(|show| show.beside = popups);
    world.add();
    let (tally, reported) = world.round(Duration::ZERO);
    assert_eq!(tally.wrappers, 1, "{reported:?}");
    let first = wrapper(&world).wrapper;
    let agreement = first.expect.expect("learned").agreement;
    assert!(
        agreement.is_some_and(|[_, most]| most < 0.6),
        "{agreement:?}"
    );
    assert_eq!(first.feed.as_ref(), Some(&world.feed));
    assert!(
        first.templates[0].body[0].contains("story"),
        "{:?}",
        first.templates[0].body
    );
    // New pages of the same layout are not drift.
    world.site.set(|show| show.items = (1..=20).rev().collect());
    world.round(Duration::from_secs(7 * 86_400));
    assert_eq!(state(&world), ("ok".to_owned(), None));
    let all = world.articles();
    assert_eq!(all.len(), 20);
    assert!(
        all.iter().all(|(_, status, _)| *status == Status::Ok),
        "{all:?}"
    );
    // A new layout is drift, and is learned.
    world.site.set(|show| {
        show.items = (1..=32).rev().collect();
        show.redesigned = true;
    });
    let (tally, reported) = world.round(Duration::from_secs(7 * 86_400));
    assert_eq!(tally.wrappers, 1, "{reported:?}");
    assert_eq!(state(&world), ("ok".to_owned(), None));
    let body = wrapper(&world).wrapper.templates[0].body.clone();
    assert!(
        body[0].contains("copy") || body[0].contains("article"),
        "{body:?}"
    );
}

#[test]
fn a_wrapper_that_is_good_for_none_of_its_pages_is_reported_until_one_is_learned() {
    let world = TestHarvest::new(12);
    world.site.set(|show| show.comics = true);
    world.add();
    world.round(Duration::ZERO);
    let (verdict, why) = state(&world);
    assert_eq!(verdict, "none yet");
    let why = why.expect("a reason");
    assert!(why.contains(" pages like an article (http"), "{why}");
    world.site.set(|show| {
        show.comics = false;
        show.items = (13..=30).rev().collect();
    });
    let (tally, reported) = world.round(Duration::from_secs(7 * 86_400));
    assert_eq!(tally.wrappers, 1, "{reported:?}");
    assert_eq!(state(&world).1, None);
}
