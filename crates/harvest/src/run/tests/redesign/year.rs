//! A year in fast motion.

use super::*;
use crate::Notice;
use forest_archive::EventKind;
use forest_archive::export::{WhichItems, site_channel};
use std::collections::BTreeMap;

/// The identifiers of the served entries, by the titles of their articles.
fn served(world: &TestHarvest) -> BTreeMap<String, String> {
    let reader = ArchiveReader::open(world.dir.path()).expect("a reader");
    let which = WhichItems {
        limit: Some(100),
        ..WhichItems::default()
    };
    let channel = site_channel(&reader, world.host(), &which);
    let entries = channel.expect("readable").expect("articles").entries;
    let named = entries.into_iter().map(|entry| (entry.title, entry.id));
    named.collect()
}

/// A year: an article each week, two redesigns with a refetch of all pages the day after, and
/// four corrections: one of them on the day of a redesign, one a week after the other.
#[test]
fn a_year_with_two_redesigns_has_the_versions_that_were_written() {
    const CORRECTIONS: [(usize, usize); 4] = [(5, 14), (17, 20), (36, 40), (48, 58)];
    let world = TestHarvest::learned();
    let first_day = served(&world);
    assert_eq!(first_day.len(), 12);
    let mut told = Vec::new();
    let mut tell = |week: usize, world: &TestHarvest, progress: &HarvestProgress<'_>| {
        if let Some(notice) = Notice::of(progress, world.clock.now())
            && notice.kind() != EventKind::New
        {
            told.push((week, notice.kind()));
        }
    };
    let all = |world: &TestHarvest, newest: usize| {
        let urls: Vec<String> = (1..=newest)
            .map(|n| format!("http://{}/story/{n}", world.host()))
            .collect();
        move |harvest: &mut Harvest<'_>| {
            harvest.plan.wanted_only = true;
            harvest.visit_now(&urls).expect("readable");
        }
    };
    for week in 1..=52 {
        let newest = 12 + week;
        world.site.set(|show| {
            show.items = (newest - 11..=newest).rev().collect();
            show.names = match week {
                ..17 => Some("gazette"),
                17..35 => Some("tribune"),
                _ => None,
            };
            show.redesigned = week >= 35;
            show.bylines = week >= 17;
            let corrected = CORRECTIONS.iter().filter(|(of, _)| *of == week);
            show.edited.extend(corrected.map(|(_, n)| *n));
        });
        let rounds = if matches!(week, 17 | 35) { 1 } else { 0 };
        for _ in 0..rounds {
            let visit = all(&world, newest - 1);
            let _ = world.round_after(24 * HOUR, visit, &mut |progress| {
                tell(week, &world, progress);
            });
        }
        let left = (7 - rounds) * 24 * HOUR;
        let _ = world.round_after(left, |_| {}, &mut |progress| tell(week, &world, progress));
    }
    // All pages once more: nothing was edited since.
    let visit = all(&world, 64);
    let _ = world.round_after(24 * HOUR, visit, &mut |progress| tell(53, &world, progress));
    let articles = world.articles();
    assert_eq!(articles.len(), 64);
    let edited: Vec<usize> = articles
        .iter()
        .filter(|of| of.2 > 1)
        .map(|of| of.0)
        .collect();
    assert_eq!(edited, CORRECTIONS.map(|(_, n)| n), "{told:?}");
    assert!(
        articles
            .iter()
            .all(|(_, status, versions)| { *status == Status::Ok && *versions <= 2 })
    );
    let of_kind = |kind| told.iter().filter(move |of| of.1 == kind).map(|of| of.0);
    for kind in [EventKind::Drift, EventKind::Relearned] {
        assert_eq!(of_kind(kind).collect::<Vec<_>>(), [17, 35], "{kind}");
    }
    assert_eq!(of_kind(EventKind::Edited).count(), CORRECTIONS.len());
    assert_eq!(of_kind(EventKind::Blocked).count(), 0);
    let last_day = served(&world);
    for (title, id) in &first_day {
        assert_eq!(last_day.get(title), Some(id), "{title}");
    }
    assert_eq!(world.verdict().as_deref(), Some("ok"));
}
