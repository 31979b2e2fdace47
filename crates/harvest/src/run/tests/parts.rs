//! Articles over several pages.

use super::*;

fn world(parts: usize) -> TestHarvest {
    let world = TestHarvest::new(10);
    world.site.set(|show| show.parts = parts);
    world.add();
    world
}

fn whole(versions: u32) -> Vec<(usize, Status, u32)> {
    (1..=10).map(|n| (n, Status::Ok, versions)).collect()
}

/// The number of pages of each article.
fn pages(world: &TestHarvest) -> Vec<usize> {
    let archive = world.open();
    let reader = archive.reader().expect("a reader");
    let mut found = Vec::new();
    let each = reader.each_latest(&Filter::default(), &mut |_, version| {
        let raw = reader.raw_of(&version)?.expect("its pages");
        let pages = version.record.pages.len();
        assert_eq!(pages.max(1), raw.parts.len() + 1);
        found.push(raw.parts.len() + 1);
        Ok(())
    });
    each.expect("readable");
    found
}

/// The first pages are read before there is a wrapper with an expression for the next page.
#[test]
fn all_pages_of_an_article_are_joined() {
    let world = world(3);
    let (tally, reported) = world.round(Duration::ZERO);
    assert_eq!((tally.articles, tally.versions), (10, 0));
    assert_eq!(reported, ["Learned"]);
    assert_eq!(world.articles(), whole(1));
    assert_eq!(pages(&world), [3; 10]);
    // An article that is read with the wrapper is whole at once.
    world.site.set(|show| show.items.insert(0, 11));
    world.site.take_requests();
    let (tally, _) = world.round(25 * HOUR);
    assert_eq!((tally.articles, tally.versions, tally.pages), (1, 0, 11));
    let take_requests: Vec<String> = world.site.take_requests();
    let of_it: Vec<&String> = take_requests
        .iter()
        .filter(|path| path.contains("/11"))
        .collect();
    assert_eq!(of_it, ["story/11", "story/11/2", "story/11/3"]);
    assert_eq!(pages(&world), [3; 11]);
}

#[test]
fn an_edit_of_the_last_page_alone_is_a_version() {
    let world = world(2);
    world.round(Duration::ZERO);
    assert_eq!(world.articles(), whole(1));
    let (tally, _) = world.round(24 * HOUR);
    assert_eq!((tally.pages, tally.versions), (10, 0));
    let first = || page(4, 1, &world.site.show.lock().expect("not poisoned"));
    let before = first();
    world.site.set(|show| show.edited = vec![4]);
    assert_eq!(first(), before);
    let (tally, _) = world.round(7 * 24 * HOUR);
    assert_eq!(tally.versions, 1);
    let mut expected = whole(1);
    expected[3].2 = 2;
    assert_eq!(world.articles(), expected);
    assert_eq!(pages(&world), [2; 10]);
}

#[test]
fn an_article_does_not_end_early_because_its_server_failed() {
    let world = world(2);
    world
        .site
        .set(|show| show.parts_down = Some(StatusCode::BAD_GATEWAY));
    let (tally, _) = world.round(Duration::ZERO);
    assert_eq!(tally.articles, 10);
    assert_eq!(pages(&world), [1; 10]);
    world.site.set(|show| show.parts_down = None);
    let (tally, _) = world.round(HOUR);
    assert_eq!((tally.articles, tally.versions), (0, 0));
    assert_eq!(world.articles(), whole(1));
    // An article that was whole does not become shorter; a back-off begins soon.
    world
        .site
        .set(|show| show.parts_down = Some(StatusCode::BAD_GATEWAY));
    let (tally, _) = world.round(24 * HOUR);
    assert!(tally.pages > 0 && tally.versions == 0, "{tally:?}");
    assert_eq!(world.articles(), whole(1));
    assert_eq!(pages(&world), [2; 10]);
}
