//! `forest feed` with harvested feeds, lists of feeds, and rules.

use super::site::{Ran, Site, User};
use axum::http::StatusCode;
use forest_core::feed::{Feed, parse, read_opml};
use std::fs;

const ABOUT: &str = "<language>en-gb</language><description>All the news</description>\
    <image><url>http://HOST/logo.png</url><title>x</title><link>http://HOST/</link></image>";

/// Items with a page that is gone, without a page, and on another site.
const MORE: &str = "<item><title>Gone &amp; lost</title><link>http://HOST/gone</link><guid>g</guid>\
    <pubDate>Fri, 01 Jan 2100 10:00:00 GMT</pubDate>\
    <content:encoded>&lt;p onclick='x'>The &lt;a href='/own'>own&lt;/a> text.&lt;/p>&lt;script>x&lt;/script></content:encoded>\
    <enclosure url='http://HOST/gone.mp3' length='17' type='audio/mpeg'/></item>\
    <item><title>Spoken</title><guid isPermaLink='false'>episode-1</guid>\
    <description>Only a recording.</description>\
    <enclosure url='/1.mp3' type='audio/mpeg' length='5000'/></item>";

/// A user with a harvested feed of three stories and two items of other kinds.
fn user() -> (Site, User) {
    let (site, user) = (Site::new(3), User::new());
    site.set(|show| {
        show.about = ABOUT.to_owned();
        show.more = MORE.to_owned();
    });
    user.add(&site).ends(0, &["5 items"]);
    user.round(3, &[])
        .ends(0, &["3 new articles", "status 404"]);
    (site, user)
}

/// A round when every feed is due again.
fn later(user: &User) -> Ran {
    user.run(&user.round_args("2100-02-02T00:00:00Z"))
}

fn feed(user: &User, args: &[&str]) -> (Feed, String) {
    let ran = user.run(&[&["feed", "--archive", "store"], args].concat());
    let text = ran.ends(0, &[]).out.clone();
    (parse(text.as_bytes(), None, None).expect("a feed"), text)
}

fn titles(feed: &Feed) -> Vec<&str> {
    feed.items.iter().map(|item| item.title.as_str()).collect()
}

#[test]
fn a_feed_has_all_of_its_items_in_their_order() {
    let (site, user) = user();
    let expected = ["Gone & lost", "Spoken", "Story 1", "Story 2", "Story 3"];
    for which in [&site.feed(), &site.host] {
        for format in ["atom", "rss", "json"] {
            let args = [
                which,
                "--format",
                format,
                "--base-url",
                "https://me.example/f",
            ];
            let (feed, text) = feed(&user, &args);
            assert_eq!(titles(&feed), expected, "{text}");
            assert_eq!(feed.title, "The Gazette");
            assert_eq!(feed.language.as_deref(), Some("en-gb"));
            assert_eq!(feed.description.as_deref(), Some("All the news"));
            let home = feed.site.as_ref().map(|url| url.to_string());
            assert_eq!(home, Some(format!("http://{}/", site.host)));
            let image = feed.image.as_ref().map(|url| url.to_string());
            assert_eq!(image, Some(format!("http://{}/logo.png", site.host)));
            assert!(text.contains("https://me.example/f/127.0.0.1_"), "{text}");
            let [gone, audio, story, ..] = &feed.items[..] else {
                panic!("{text}");
            };
            let content = gone.content.as_deref().expect("its own");
            let own = format!("<a href=\"http://{}/own\">own</a> text.", site.host);
            assert!(
                content.contains(&own) && !content.contains("script"),
                "{content}"
            );
            assert!(
                content.contains("The page could not be had (status 404"),
                "{content}"
            );
            assert_eq!(gone.enclosures[0].bytes, Some(17));
            let content = audio.content.as_deref().expect("its own");
            assert_eq!(content.trim(), "<p>Only a recording.</p>");
            let file = &audio.enclosures[0];
            assert_eq!(file.url.as_str(), format!("http://{}/1.mp3", site.host));
            assert_eq!(file.media_type.as_deref(), Some("audio/mpeg"));
            // The whole article, without its title.
            let content = story.content.as_deref().expect("whole");
            assert!(content.contains("part5 of story1"), "{content}");
            assert!(!content.contains("Story 1"), "{content}");
            let published = gone.published.as_ref().and_then(|date| date.time);
            assert_eq!(
                published.map(|time| time.to_rfc3339()).as_deref(),
                Some("2100-01-01T10:00:00+00:00")
            );
        }
    }
}

#[test]
fn an_entry_has_no_less_than_its_item() {
    let (site, user) = (Site::new(2), User::new());
    let long: String = (0..400).map(|n| format!("word{n} ")).collect();
    let whole = format!(
        "<item><title>Behind a wall</title><link>http://HOST/story/9</link>\
         <content:encoded>&lt;p>{long}&lt;/p></content:encoded></item>"
    );
    site.set(|show| show.more = whole.clone());
    user.add(&site).ends(0, &["3 items"]);
    user.round(3, &[]).ends(0, &["3 new articles"]);
    let feed_url = site.feed();
    let args = [&*feed_url, "--format", "rss"];
    let (feed, text) = feed(&user, &args);
    let content = |n: usize| feed.items[n].content.clone().expect("content");
    assert!(content(0).contains("word399"), "{text}");
    assert!(content(0).contains("The page shows less"), "{text}");
    assert!(content(1).contains("part5 of story"), "{text}");
}

#[test]
fn items_that_left_the_feed_stand_behind_it() {
    let (site, user) = user();
    site.set(|show| {
        show.items = vec![4, 3];
        show.more.clear();
    });
    later(&user).ends(0, &["1 new article"]);
    let (feed_now, _) = feed(&user, &[&site.feed()]);
    assert_eq!(feed_now.items[0].title, "Story 4");
    assert_eq!(feed_now.items[1].title, "Story 3");
    let mut older = titles(&feed_now)[2..].to_vec();
    older.sort_unstable();
    assert_eq!(older, ["Gone & lost", "Spoken", "Story 1", "Story 2"]);
    let gone = feed_now
        .items
        .iter()
        .find(|item| item.title == "Gone & lost");
    assert_eq!(gone.map(|item| item.enclosures.len()), Some(1));
    let (feed_now, _) = feed(&user, &[&site.feed(), "--limit", "1"]);
    assert_eq!(titles(&feed_now), ["Story 4"]);
}

#[test]
fn what_was_forgotten_is_in_no_feed() {
    let (site, user) = user();
    let url = format!("http://{}/story/2", site.host);
    user.run(&["archive", "forget", "--archive", "store", &url])
        .ends(0, &[]);
    let (left, text) = feed(&user, &[&site.feed()]);
    assert!(
        !text.contains("Story 2") && !text.contains("story2"),
        "{text}"
    );
    assert_eq!(left.title, "The Gazette");
    let mut titles = titles(&left);
    titles.sort_unstable();
    assert_eq!(titles, ["Gone & lost", "Spoken", "Story 1", "Story 3"]);
}

#[test]
fn all_feeds_are_written_with_a_list() {
    let (site, user) = user();
    let args = ["feed", "--all", "--archive", "store", "--out", "public"];
    user.run(&args).ends(0, &["1 of 1 feeds"]);
    let list = fs::read(user.path("public/feeds.opml")).expect("a list");
    assert!(String::from_utf8_lossy(&list).contains("xmlUrl=\"file:///"));
    user.run(&[&args[..], &["--base-url", "https://me.example/feeds/"]].concat())
        .ends(0, &[]);
    let list = fs::read(user.path("public/feeds.opml")).expect("a list");
    let list = read_opml(&list).expect("OPML").feeds;
    assert_eq!(list[0].title, "The Gazette");
    let home = list[0].html_url.as_ref().map(|url| url.to_string());
    assert_eq!(home, Some(format!("http://{}/", site.host)));
    let name = list[0].xml_url.path().trim_start_matches("/feeds/");
    let text = fs::read_to_string(user.path("public").join(name)).expect("the feed");
    let own = format!("<link rel=\"self\" href=\"{}\"/>", list[0].xml_url);
    assert!(text.contains(&own), "{text}");
    user.run(&["feed", "--all", "--archive", "store"])
        .ends(2, &["--out"]);
    user.run(&["feed", "http://none.example/feed", "--archive", "store"])
        .ends(2, &["no such feed", "forest harvest list"]);
    user.run(&["feed", "--archive", "store"])
        .ends(2, &["WHICH"]);
}

#[test]
fn what_happened_is_a_feed() {
    let (site, user) = user();
    let (events, _) = feed(&user, &["--events"]);
    assert_eq!(events.items.len(), 3);
    assert!(events.items.iter().all(|item| item.categories == ["new"]));
    assert!(events.items[0].title.starts_with("New article: Story"));
    let (events, _) = feed(&user, &["--events=new", &site.host, "--limit", "1"]);
    assert_eq!(
        (events.items.len(), events.title),
        (1, format!("Events of {}", site.host))
    );
    user.run(&["feed", "--archive", "store", "--events=drift,feed-gone"])
        .ends(1, &["no events"]);
    user.run(&["feed", "--archive", "store", "--events=broken"])
        .ends(2, &["feed-moved"]);
}

#[test]
fn a_list_keeps_its_titles_folders_and_home_pages() {
    let (site, user) = (Site::new(1), User::new());
    let (down, none) = (
        "http://127.0.0.1:9/feed",
        format!("http://{}/none", site.host),
    );
    let list = format!(
        "<opml version='2.0'><body><outline text='News &amp; more'><outline text='Daily'>\
         <outline text='My paper' xmlUrl='{}' htmlUrl='http://home.example/'/></outline>\
         <outline text='Down' xmlUrl='{down}' htmlUrl='http://down.example/'/></outline>\
         <outline title='None' xmlUrl='{none}'/>\
         <outline text='Best'><outline text='My paper' xmlUrl='{}'/></outline></body></opml>",
        site.feed(),
        site.feed()
    );
    fs::write(user.path("list.opml"), list).expect("written");
    let added = user.add_all(&["list.opml"]);
    let (down_said, none_said) = (
        format!("{down}: added, though it did not answer"),
        format!("{none}: not added: "),
    );
    added.ends(3, &["added: The Gazette", &down_said, &none_said]);
    // A typed value may have a typing error.
    user.add_all(&["http://127.0.0.1:9/typed"])
        .ends(1, &["not added"]);
    let exported = || {
        let opml = user.run(&["harvest", "export", "--archive", "store"]);
        read_opml(opml.ends(0, &[]).out.as_bytes())
            .expect("OPML")
            .feeds
    };
    let feeds = exported();
    let shown: Vec<_> = feeds
        .iter()
        .map(|feed| {
            let folders: Vec<_> = feed.folders.iter().map(|path| path.join("/")).collect();
            let home = feed.html_url.as_ref().map(|url| url.to_string());
            (feed.title.as_str(), folders, home.unwrap_or_default())
        })
        .collect();
    let folders = |names: &[&str]| {
        names
            .iter()
            .map(|name| (*name).to_owned())
            .collect::<Vec<_>>()
    };
    let mut expected = vec![
        (
            "My paper",
            folders(&["News & more/Daily", "Best"]),
            "http://home.example/".to_owned(),
        ),
        (
            "Down",
            folders(&["News & more"]),
            "http://down.example/".to_owned(),
        ),
    ];
    expected.sort();
    let mut sorted = shown.clone();
    sorted.sort();
    assert_eq!(sorted, expected);
    // The feed that was down is polled in the next round.
    user.round(3, &[]).ends(3, &["1 failed"]);
    let listed = user.run(&["harvest", "list", "--json", "--archive", "store"]);
    assert_eq!(listed.ends(0, &[]).records().len(), 2);
    // The exported list is added to another archive.
    let opml = user.run(&["harvest", "export", "--archive", "store"]).out;
    fs::write(user.path("again.opml"), &opml).expect("written");
    let other = [
        "harvest",
        "add",
        "--archive",
        "other",
        "--allow-private",
        "--delay",
        "0",
    ];
    user.run(&[&other[..], &["again.opml"]].concat())
        .ends(0, &[]);
    let again = user.run(&["harvest", "export", "--archive", "other"]);
    assert_eq!(again.ends(0, &[]).out, opml);
}

#[test]
fn a_feed_that_was_down_is_read_when_it_is_back() {
    let (site, user) = (Site::new(2), User::new());
    let list = format!(
        "<opml><body><outline text='A' xmlUrl='{}'/></body></opml>",
        site.feed()
    );
    fs::write(user.path("list.opml"), list).expect("written");
    site.set(|show| show.down = Some(StatusCode::INTERNAL_SERVER_ERROR));
    user.run(&[
        "harvest",
        "add",
        "--archive",
        "store",
        "--allow-private",
        "--delay",
        "0",
        "list.opml",
    ])
    .ends(0, &["though it did not answer"]);
    site.set(|show| show.down = None);
    user.round(3, &[]).ends(0, &["2 new articles"]);
}

#[test]
fn rules_keep_items_out_of_the_harvest_and_of_feeds() {
    let (site, user) = (Site::new(3), User::new());
    let feed_url = site.feed();
    let run = |args: &[&str]| user.run(&[args, &["--archive", "store"]].concat());
    let add = ["harvest", "add", "--allow-private", "--delay", "0"];
    run(&[&add[..], &["--skip-title", "STORY*2", &feed_url]].concat()).ends(0, &[]);
    site.take_requests();
    user.round(3, &[]).ends(0, &["2 new articles"]);
    assert!(!site.take_requests().contains(&"story/2".to_owned()));
    assert_eq!(titles(&feed(&user, &[&feed_url]).0), ["Story 1", "Story 3"]);
    // Rules for one written feed, in addition to those of the harvest.
    let less = feed(&user, &[&feed_url, "--skip-address", "/story/3"]).0;
    assert_eq!(titles(&less), ["Story 1"]);
    let words = run(&["feed", &feed_url, "--least-words", "5000"]);
    words.ends(1, &["no articles"]);
    // Other rules replace them; an article that is too short is not stored.
    run(&["harvest", "rules", &feed_url, "--least-words", "5000"]).ends(0, &[]);
    let shown = run(&["harvest", "rules", &feed_url]);
    let shown = &shown.ends(0, &[]).records()[0]["rules"];
    assert_eq!(*shown, serde_json::json!({"least_words": 5000}));
    site.set(|show| show.items = vec![4, 1, 2, 3]);
    later(&user).ends(0, &["0 new articles"]);
    assert!(site.take_requests().contains(&"story/4".to_owned()));
    let stored = run(&["archive", "export"]);
    assert_eq!(stored.ends(0, &[]).records().len(), 2);
    run(&["archive", "verify"]).ends(0, &["all is well"]);
    run(&["harvest", "rules", &feed_url, "--none"]).ends(0, &[]);
    assert_eq!(feed(&user, &[&feed_url]).0.items.len(), 4);
    run(&["harvest", "rules", &feed_url, "--none", "--skip-title", "x"]).ends(2, &["--none"]);
    run(&["harvest", "rules", &feed_url, "--skip-title", "*"]).ends(2, &["skip everything"]);
    run(&["harvest", "rules", &feed_url, "--image-budget", "0"]).ends(0, &[]);
    let shown = run(&["harvest", "rules", &feed_url]);
    let shown = &shown.ends(0, &[]).records()[0]["rules"];
    assert_eq!(*shown, serde_json::json!({"image_budget_mb": 0}));
}
