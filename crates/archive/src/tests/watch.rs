//! A look at an archive while it is written to.

use super::super::watch::ArchiveWatch;
use super::*;

#[test]
fn a_look_tells_of_each_change_at_once() {
    let folder = folder();
    let mut archive = open(folder.path());
    let watch = ArchiveWatch::of(folder.path());
    let first = watch.look().expect("a look");
    assert_eq!(watch.look().expect("a look"), first);
    feeds::named(&mut archive, &["http://a.example/1"]);
    let second = watch.look().expect("a look");
    assert_ne!(second, first);
    assert_eq!(watch.look().expect("a look"), second);
    // Other tables in its place are another state, though SQLite counts anew.
    let archive = archive.rebuild().expect("made again");
    assert_ne!(watch.look().expect("a look"), second);
    drop(archive);
    let nowhere = ArchiveWatch::of(&folder.path().join("nowhere"));
    assert!(nowhere.look().is_err());
}

#[test]
fn a_digest_changes_with_what_the_feed_is_made_of_alone() {
    let folder = folder();
    let mut archive = open(folder.path());
    let digest = |archive: &Archive| {
        let reader = archive.reader().expect("a reader");
        reader.feed_digest(feeds::FEED).expect("a digest")
    };
    feeds::named(&mut archive, &["http://a.example/1"]);
    let first = digest(&archive);
    let other = |feed: &str| Event::FeedAdded {
        feed: feed.to_owned(),
    };
    feeds::events(&mut archive, [other("http://b.example/feed")]);
    assert_eq!(digest(&archive), first);
    let rules = Event::FeedRules {
        feed: feeds::FEED.to_owned(),
        rules: forest_core::feed::ItemRules {
            least_words: Some(5),
            ..Default::default()
        },
    };
    feeds::events(&mut archive, [rules]);
    let second = digest(&archive);
    assert_ne!(second, first);
    feeds::named(&mut archive, &["http://a.example/2"]);
    assert_ne!(digest(&archive), second);
}
