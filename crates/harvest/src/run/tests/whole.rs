//! The articles of a harvest, exported as feeds.

use super::*;
use forest_archive::export::{WhichItems, site_channel};

#[test]
fn the_whole_articles_are_exported_as_a_feed() {
    let world = TestHarvest::new(6);
    world.add();
    world.round(Duration::ZERO);
    let archive = world.open();
    let host = world
        .feed
        .trim_start_matches("http://")
        .trim_end_matches("/feed")
        .to_owned();
    let which = WhichItems {
        limit: Some(3),
        ..WhichItems::default()
    };
    let channel = site_channel(&archive.reader().expect("a reader"), &host, &which);
    let channel = channel.expect("readable").expect("articles");
    assert_eq!(channel.entries.len(), 3);
    let home = channel.home.expect("an address");
    assert_eq!(home.as_str(), format!("http://{host}/"));
    // The text has the page's paragraphs, though the archive holds plain text.
    let expected = |n: usize| format!("<p>{}</p>", paragraphs(n, false)[0]);
    let n = channel.entries[0]
        .title
        .trim_start_matches("Story ")
        .parse()
        .expect("a number");
    assert!(
        channel.entries[0].html.contains(&expected(n)),
        "{}",
        channel.entries[0].html
    );
    assert!(
        channel.entries[0].html.contains("<div>"),
        "{}",
        channel.entries[0].html
    );
}
