//! Forgotten pages stay forgotten, even if a feed lists them.

use super::*;
use std::io::Read;

#[test]
fn a_feed_that_changes_does_not_bring_back_what_was_forgotten() {
    let world = TestHarvest::new(4);
    world.add();
    world.round(Duration::ZERO);
    let url = format!("{}/story/2", world.feed.trim_end_matches("/feed"));
    let (archive, report) = world
        .open()
        .forget(&[url], world.clock.now())
        .expect("forgotten");
    assert_eq!(report.articles, 1);
    drop(archive);
    // The feed still lists it; its item has changed, as have others.
    for edited in [2, 3] {
        world.site.set(|show| show.edited.push(edited));
        let (tally, _) = world.round(24 * HOUR);
        assert_eq!(tally.items, u64::from(edited == 3), "{edited}");
    }
    let warc = world.dir.path().join("warc");
    for file in std::fs::read_dir(warc).expect("a folder") {
        let bytes = std::fs::read(file.expect("an entry").path()).expect("readable");
        let mut text = String::new();
        flate2::read::MultiGzDecoder::new(&bytes[..])
            .read_to_string(&mut text)
            .expect("text");
        // Other articles do not mention it.
        assert!(!text.contains("story/2"));
        assert!(!text.contains("story2"));
    }
}
