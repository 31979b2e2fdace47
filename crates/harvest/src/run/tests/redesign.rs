//! A redesign in which every name of the site changes: what another method reads on its pages
//! is no edit, a true correction is one, and the site is learned again.

#[cfg(feature = "heavy")]
mod year;

use super::*;
use chrono::DateTime;
use forest_archive::{ArchiveReader, ReextractOptions, UrgentRequest, request_now};

const MINUTE: Duration = Duration::from_secs(60);

impl TestHarvest {
    /// A site with a wrapper of its first design.
    fn learned() -> TestHarvest {
        let world = TestHarvest::new(12);
        world.site.set(|show| show.names = Some("gazette"));
        world.add();
        assert_eq!(world.round(Duration::ZERO).0.wrappers, 1);
        world
    }

    /// All names change.
    fn redesign(&self, names: &'static str) {
        self.site.set(|show| show.names = Some(names));
    }

    /// The versions of each article.
    fn versions(&self) -> Vec<u32> {
        let articles = self.articles();
        articles.iter().map(|(.., versions)| *versions).collect()
    }

    /// The times of an article's versions.
    fn times(&self, n: usize) -> Vec<DateTime<chrono::Utc>> {
        let reader = ArchiveReader::open(self.dir.path()).expect("a reader");
        let url = format!("http://{}/story/{n}", self.host());
        let article = reader.article(&url).expect("readable").expect("there");
        let versions = reader.versions(article.id).expect("readable");
        versions.iter().map(|version| version.at).collect()
    }
}

const ALL: [usize; 12] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];

/// The versions of the articles if only these have a second one.
fn only(edited: &[usize]) -> Vec<u32> {
    let versions = ALL.map(|n| 1 + u32::from(edited.contains(&n)));
    versions.to_vec()
}

#[test]
fn a_redesign_seen_by_a_refetch_is_no_edit() {
    let world = TestHarvest::learned();
    world.redesign("tribune");
    let (tally, unvisited) = world.refetch(&ALL);
    assert_eq!((tally.pages, tally.versions, unvisited), (12, 0, 0));
    assert_eq!((tally.drifted, tally.wrappers), (1, 1));
    assert_eq!(world.versions(), only(&[]));
    let (tally, _) = world.round(26 * HOUR);
    assert_eq!((tally.versions, world.versions()), (0, only(&[])));
}

#[test]
fn a_redesign_without_a_new_item_is_learned_by_the_next_harvest() {
    let world = TestHarvest::learned();
    world.redesign("tribune");
    let no_learning = HarvestOptions::default().with_learning(false);
    let (tally, _) = world.round_with(25 * HOUR, no_learning);
    assert_eq!((tally.pages, tally.drifted, tally.versions), (12, 1, 0));
    let (tally, reported) = world.round(MINUTE);
    assert_eq!((tally.pages, tally.wrappers), (0, 1), "{reported:?}");
    assert_eq!(world.versions(), only(&[]));
}

#[test]
fn a_correction_in_the_week_of_a_redesign_is_the_one_version() {
    let world = TestHarvest::learned();
    world.redesign("tribune");
    world.site.set(|show| show.edited = vec![7]);
    world.clock.advance(HOUR);
    let (tally, _) = world.refetch(&ALL);
    assert_eq!((tally.versions, tally.wrappers), (1, 1));
    assert_eq!(world.versions(), only(&[7]));
}

/// Too few pages for a drift, then the others: the correction has the time of its first reading.
#[test]
fn a_doubtful_reading_keeps_its_time() {
    let world = TestHarvest::learned();
    world.redesign("tribune");
    world.site.set(|show| show.edited = vec![7]);
    let (tally, _) = world.refetch(&[7, 8]);
    assert_eq!((tally.versions, tally.wrappers, tally.drifted), (0, 0, 0));
    let seen = world.clock.now();
    world.clock.advance(3 * 24 * HOUR);
    world.refetch(&ALL);
    assert_eq!(world.versions(), only(&[7]));
    assert_eq!(world.times(7)[1], seen);
    assert_eq!(world.times(8).len(), 1);
}

#[test]
fn corrections_before_and_after_a_redesign_are_versions() {
    let world = TestHarvest::learned();
    world.site.set(|show| show.edited = vec![3]);
    world.round(2 * HOUR);
    assert_eq!(world.versions(), only(&[3]));
    world.redesign("tribune");
    world.refetch(&ALL);
    world.site.set(|show| show.edited = vec![3, 5]);
    world.refetch(&ALL);
    assert_eq!(world.versions(), only(&[3, 5]));
}

#[test]
fn two_redesigns_and_back_are_no_edits() {
    let world = TestHarvest::learned();
    for names in ["tribune", "courier", "gazette"] {
        world.redesign(names);
        world.clock.advance(24 * HOUR);
        let (tally, _) = world.refetch(&ALL);
        assert_eq!((tally.versions, tally.wrappers), (0, 1), "{names}");
    }
    assert_eq!(world.versions(), only(&[]));
}

/// Each page of the new design has a line that the old one had not.
#[test]
fn a_redesign_with_bylines_is_no_edit() {
    let world = TestHarvest::learned();
    world.redesign("tribune");
    world.site.set(|show| {
        show.bylines = true;
        show.edited = vec![7];
    });
    let (tally, _) = world.refetch(&ALL);
    assert_eq!((tally.versions, tally.wrappers), (1, 1));
    assert_eq!(world.versions(), only(&[7]));
}

/// Two redesigns before anything is learned.
#[test]
fn a_redesign_upon_a_redesign_is_no_edit() {
    let world = TestHarvest::learned();
    world.redesign("tribune");
    world.refetch(&[1, 2]);
    world.redesign("courier");
    world.site.set(|show| show.edited = vec![2]);
    world.clock.advance(24 * HOUR);
    world.refetch(&ALL);
    assert_eq!(world.versions(), only(&[2]));
}

/// A person puts the wrapper there that finds the articles.
#[test]
fn a_wrapper_of_a_person_settles_what_was_doubtful() {
    let world = TestHarvest::learned();
    world.redesign("tribune");
    world.site.set(|show| show.edited = vec![7]);
    world.refetch(&[7, 8]);
    let yaml = std::fs::read_to_string(world.file()).expect("a wrapper");
    std::fs::write(world.file(), yaml.replace("gazette", "tribune")).expect("written");
    world.site.set(|show| show.items.insert(0, 13));
    world.round(2 * HOUR);
    assert_eq!(world.versions()[..12], only(&[7]));
}

/// The archive made again from its files is the same one.
#[test]
fn what_is_doubtful_and_what_was_settled_is_in_the_files() {
    let world = TestHarvest::learned();
    world.redesign("tribune");
    world.site.set(|show| show.edited = vec![7]);
    world.refetch(&[7, 8]);
    world.open().rebuild().expect("made again");
    world.refetch(&ALL);
    let before = (world.versions(), world.times(7));
    assert_eq!(before.0, only(&[7]));
    world.open().rebuild().expect("made again");
    assert_eq!((world.versions(), world.times(7)), before);
}

fn relearn(world: &TestHarvest) -> Relearned {
    let now = world.clock.now();
    relearn_site(world.dir.path(), world.host(), now).expect("learned or not")
}

/// The button on a healthy site learns from its newest pages, on which its wrapper is good.
#[test]
fn a_healthy_site_is_learned_again_if_a_person_asks() {
    let world = TestHarvest::learned();
    let relearned = relearn(&world);
    assert!(matches!(relearned, Relearned::Done(_)), "{relearned}");
    assert_eq!(world.versions(), only(&[]));
    world.site.set(|show| show.items.insert(0, 13));
    let (tally, reported) = world.round(2 * HOUR);
    assert_eq!((tally.articles, reported), (1, Vec::new()));
    assert_eq!(world.articles()[12], (13, Status::Ok, 1));
}

/// A drift that nobody learned of: a person asks, and the correction is the one version.
#[test]
fn a_person_who_asks_settles_what_was_doubtful() {
    let world = TestHarvest::learned();
    world.redesign("tribune");
    world.site.set(|show| show.edited = vec![7]);
    let no_learning = HarvestOptions::default().with_learning(false);
    let (tally, _) = world.round_with(25 * HOUR, no_learning);
    assert_eq!((tally.doubtful, tally.versions), (12, 0));
    let Relearned::Done(report) = relearn(&world) else {
        panic!("no wrapper was learned");
    };
    assert_eq!((report.edits.len(), report.settled), (1, 11));
    assert_eq!(world.versions(), only(&[7]));
    assert_eq!(relearn_again(&world), (0, 0));
}

/// A doubt that was settled is not settled again.
fn relearn_again(world: &TestHarvest) -> (usize, u64) {
    match relearn(world) {
        Relearned::Done(report) => (report.edits.len(), report.settled),
        other => panic!("{other}"),
    }
}

/// While a harvest holds the archive, it does the work; so for versions that are read again.
#[test]
fn a_harvest_that_runs_settles_and_reads_again_for_others() {
    let world = TestHarvest::learned();
    world.redesign("tribune");
    world.site.set(|show| show.edited = vec![7]);
    let no_learning = HarvestOptions::default().with_learning(false);
    world.round_with(25 * HOUR, no_learning.clone());
    let archive = world.open();
    assert_eq!(relearn(&world), Relearned::LeftToHarvest);
    drop(archive);
    let mut settled = Vec::new();
    let (tally, _) = world.round_after(MINUTE, |_| {}, &mut |progress| {
        if let HarvestProgress::Settled { edit, .. } = progress {
            settled.push(edit.url.clone());
        }
    });
    assert_eq!((tally.versions, settled.len()), (1, 1));
    assert_eq!(world.versions(), only(&[7]));
    assert_eq!(world.verdict().as_deref(), Some("ok"));
}

fn reread(world: &TestHarvest, options: ReextractOptions) -> Vec<(String, u64, u64)> {
    let wish = UrgentRequest::Reextract(options);
    request_now(world.dir.path(), world.clock.now(), wish).expect("written");
    let mut read = Vec::new();
    let _ = world.round_after(MINUTE, |_| {}, &mut |progress| {
        if let HarvestProgress::ReadAgain { site, report } = progress {
            read.push(((*site).to_owned(), report.read, report.changed));
        }
        assert!(!matches!(progress, HarvestProgress::Settled { .. }));
    });
    read
}

#[test]
fn a_site_a_feed_or_all_are_read_again_by_the_harvest_that_runs() {
    for of in ["site", "feed", "all"] {
        let world = TestHarvest::learned();
        // A person's wrapper, which takes the promotion for a part of the article.
        let yaml = std::fs::read_to_string(world.file()).expect("a wrapper");
        let loose = yaml.replace("gazettepromo", "gazettenothing");
        assert_ne!(loose, yaml);
        std::fs::write(world.file(), loose).expect("written");
        let other = ReextractOptions {
            site: Some("elsewhere.example".to_owned()),
            ..ReextractOptions::default()
        };
        assert_eq!(
            reread(&world, other),
            [("elsewhere.example".to_owned(), 0, 0)]
        );
        let options = ReextractOptions {
            site: (of == "site").then(|| world.host().to_owned()),
            feed: (of == "feed").then(|| world.feed.clone()),
            ..ReextractOptions::default()
        };
        let read = reread(&world, options.clone());
        assert_eq!(read, [(world.host().to_owned(), 12, 12)], "{of}");
        assert_eq!(world.versions(), only(&[]), "no edits");
        assert_eq!(
            reread(&world, options),
            [(world.host().to_owned(), 0, 0)],
            "{of}"
        );
    }
}

/// The progress of learning a site again after its versions were read again, and its counts.
fn rejudged(world: &TestHarvest) -> (Vec<String>, (u64, u64)) {
    let (mut archive, now) = (world.open(), world.clock.now());
    let read = archive.reextract(&ReextractOptions::default(), now, &mut |_| {});
    read.expect("read again");
    let sites = vec![world.host().to_owned()];
    let mut told = Vec::new();
    let mut tell = |progress: &HarvestProgress<'_>| {
        told.push(match progress {
            HarvestProgress::Verdict { from, to, .. } => format!("{from} to {to}"),
            HarvestProgress::Learning { learning, .. } => format!("{learning:?}"),
            HarvestProgress::Settled { .. } => "settled".to_owned(),
            other => format!("{other:?}"),
        });
    };
    let options = HarvestOptions::default();
    let counts = relearn_drifted(&mut archive, &sites, &options, now, &mut tell);
    (told, counts.expect("readable and writable"))
}

/// The last command saw the drift and learned nothing.
#[test]
fn versions_that_are_read_again_have_a_drifted_site_learned() {
    let world = TestHarvest::learned();
    world.redesign("tribune");
    world.site.set(|show| show.edited = vec![7]);
    let no_learning = HarvestOptions::default().with_learning(false);
    world.round_with(25 * HOUR, no_learning);
    let (told, counts) = rejudged(&world);
    assert_eq!(
        (told, counts.0),
        (vec!["Relearned".to_owned(), "settled".to_owned()], 1)
    );
    assert_eq!((counts.1, world.versions()), (1, only(&[7])));
    assert_eq!(rejudged(&world), (vec![], (0, 0)));
}

/// A site that was learned again after a redesign, and the file of its first wrapper.
fn learned_twice() -> (TestHarvest, Vec<u8>) {
    let world = TestHarvest::learned();
    let old = std::fs::read(world.file()).expect("a wrapper");
    world.redesign("tribune");
    world.refetch(&ALL);
    (world, old)
}

/// The wrapper of the first design comes back, while all pages are of the second one.
#[test]
fn a_wrapper_that_finds_no_article_on_the_newest_pages_is_learned_again() {
    let (world, old) = learned_twice();
    assert_eq!(rejudged(&world), (vec![], (0, 0)));
    std::fs::write(world.file(), &old).expect("written");
    let (told, counts) = rejudged(&world);
    assert_eq!(told, ["ok to drift", "Relearned"]);
    assert_eq!((counts, world.versions()), ((1, 0), only(&[])));
    assert_eq!(world.verdict().as_deref(), Some("ok"));
}

/// Two pages are no drift yet.
#[test]
fn a_few_new_pages_have_nothing_learned() {
    let world = TestHarvest::learned();
    world.redesign("tribune");
    world.refetch(&[7, 8]);
    assert_eq!(rejudged(&world), (vec![], (0, 0)));
}

/// The harvest that runs does all of it.
#[test]
fn a_harvest_that_reads_versions_again_learns_drifted_sites() {
    let (world, old) = learned_twice();
    std::fs::write(world.file(), &old).expect("written");
    let wish = UrgentRequest::Reextract(ReextractOptions::default());
    request_now(world.dir.path(), world.clock.now(), wish).expect("written");
    let (tally, _) = world.round_after(MINUTE, |_| {}, &mut |_| {});
    assert_eq!((tally.pages, tally.wrappers, tally.versions), (0, 1, 0));
    assert_eq!(world.verdict().as_deref(), Some("ok"));
}
