//! Pictures of articles, style sheets and fonts of their pages.

use super::*;
use crate::{PictureBudget, RequisiteOptions};
use forest_archive::{Archive, Picture};
use forest_core::feed::ItemRules;
use forest_html::text::sha256_hex;

#[derive(Default)]
struct PictureServer {
    edited: Vec<usize>,
    requests: Mutex<Vec<String>>,
}

type SharedServer = Arc<Mutex<PictureServer>>;

const ITEMS: usize = 6;

/// The bytes at `/p/<name>.png`; the first two articles show the same.
fn png(name: &str) -> Vec<u8> {
    let name = if name == "2" { "1" } else { name };
    [b"\x89PNG\r\n\x1a\n", name.as_bytes()].concat()
}

fn story(n: usize, edited: bool) -> String {
    let text: String = paragraphs(n, edited)
        .iter()
        .map(|paragraph| format!("<p>{paragraph}</p>"))
        .collect();
    let more = match n {
        3 => "<img src=/p/gone.png><img src=/p/fake.png><img src='data:image/png;base64,AA'>",
        _ => "",
    };
    format!(
        "<html lang=en><head><title>Story {n}</title><link rel=stylesheet href=/css/main.css></head><body>\
         <ul class=menu><li><a href=/>Home</a><li><a href=/all>All</a></ul><h1>Story {n}</h1><article>\
         <figure><img src=/p/{n}.png alt='a picture'></figure>{text}<img src=/p/shared.png>{more}</article>\
         <div class=foot>All rights reserved.</div></body></html>"
    )
}

async fn own_answer(Path(path): Path<String>, State(own): State<SharedServer>) -> Response {
    let own = own.lock().expect("not poisoned");
    own.requests
        .lock()
        .expect("not poisoned")
        .push(path.clone());
    let with = |kind: &str, body: Vec<u8>| {
        ([(header::CONTENT_TYPE, kind.to_owned())], body).into_response()
    };
    if path == "feed" {
        let items: String = (1..=ITEMS)
            .map(|n| format!("<item><title>Story {n}</title><link>/story/{n}</link></item>"))
            .collect();
        let feed = format!("<rss version='2.0'><channel><title>Own</title>{items}</channel></rss>");
        return with("application/rss+xml", feed.into_bytes());
    }
    if let Some(n) = path.strip_prefix("story/") {
        let n = n.parse().expect("a number");
        return with("text/html", story(n, own.edited.contains(&n)).into_bytes());
    }
    match path
        .strip_prefix("p/")
        .and_then(|name| name.strip_suffix(".png"))
    {
        Some("gone") => return StatusCode::NOT_FOUND.into_response(),
        Some("fake") => return with("image/png", b"<html>log in".to_vec()),
        Some(name) => return with("image/png", png(name)),
        None => {}
    }
    match &*path {
        "css/main.css" => with(
            "text/css",
            b"@import 'more.css'; @font-face { src: url(/f/x.woff2) } p { background: url(bg.png) }".to_vec(),
        ),
        "css/more.css" => with("text/css; charset=utf-8", b"@import 'deep.css'; @import 'main.css';".to_vec()),
        "f/x.woff2" => with("font/woff2", b"wOF2....".to_vec()),
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}

fn world() -> (TestHarvest, SharedServer) {
    let own = SharedServer::default();
    let router = Router::new()
        .route("/{*path}", get(own_answer))
        .with_state(Arc::clone(&own));
    let server = Loopback::of(|_| router);
    let world = TestHarvest {
        feed: format!("http://{}/feed", server.address),
        _server: server,
        ..TestHarvest::new(0)
    };
    world.add();
    (world, own)
}

fn with_pictures() -> HarvestOptions {
    HarvestOptions::default().with_requisites(Some(RequisiteOptions::default()))
}

/// The paths of requests besides those for pages and the feed, sorted.
fn other_requests(own: &SharedServer) -> Vec<String> {
    let own = own.lock().expect("not poisoned");
    let mut requests = std::mem::take(&mut *own.requests.lock().expect("not poisoned"));
    requests.retain(|path| !path.starts_with("story/") && path != "feed" && path != "robots.txt");
    requests.sort();
    requests
}

/// The pictures that articles have, by the numbers in their addresses.
fn pictures(archive: &Archive) -> Vec<(String, Vec<Picture>)> {
    let reader = archive.reader().expect("a reader");
    let mut found = Vec::new();
    let each = reader.each_latest(&Filter::default(), &mut |article, version| {
        let n = article.key.rsplit('/').next().expect("a number").to_owned();
        found.push((n, reader.pictures(version.id)?));
        Ok(())
    });
    each.expect("readable");
    found.sort_by(|(one, _), (other, _)| one.cmp(other));
    found
}

fn digest(name: &str) -> String {
    sha256_hex(png(name))
}

#[test]
fn pictures_of_articles_are_stored_once() {
    let (world, own) = world();
    let (tally, _) = world.round_with(Duration::ZERO, with_pictures());
    assert_eq!(
        (tally.articles, tally.pictures, tally.pictures_failed),
        (6, 7, 2)
    );
    let names = ["1", "2", "3", "4", "5", "6", "fake", "gone", "shared"];
    let names = names.map(|name| format!("p/{name}.png"));
    // The icon of the site is no picture of an article.
    let icon = ["favicon.ico".to_owned()];
    assert_eq!(other_requests(&own), [&icon[..], &names].concat());
    let archive = world.open();
    for (n, pictures) in pictures(&archive) {
        let digests: Vec<_> = pictures.iter().map(|p| p.sha256.clone()).collect();
        assert_eq!(digests, [Some(digest(&n)), Some(digest("shared"))], "{n}");
        let name = pictures[0].file_name().expect("a name");
        assert_eq!(name, format!("{}.png", digest(&n)));
    }
    let reader = archive.reader().expect("a reader");
    let bytes = reader.requisite_bytes(&digest("2")).expect("readable");
    assert_eq!(bytes, Some(png("2")));
    drop(archive);
    // The tables are made again from the files, without requests.
    let archive = world.open().rebuild().expect("rebuilt");
    assert_eq!(pictures(&archive)[2].1.len(), 2);
    drop(archive);
    let (tally, _) = world.round_with(25 * HOUR, with_pictures());
    assert_eq!((tally.pages, tally.pictures), (6, 0));
    assert_eq!(other_requests(&own), Vec::<String>::new());
    // An edited article may have another picture at the same address.
    own.lock().expect("not poisoned").edited = vec![4];
    let (tally, _) = world.round_with(7 * 24 * HOUR, with_pictures());
    assert_eq!((tally.versions, tally.pictures), (1, 2));
    // There was no icon: another process asks again, once it has an article.
    assert_eq!(
        other_requests(&own),
        ["favicon.ico", "p/4.png", "p/shared.png"]
    );
    assert_eq!(pictures(&world.open())[3].1.len(), 2);
}

#[test]
fn pictures_are_bounded_in_number() {
    let (world, own) = world();
    let options = RequisiteOptions::default().with_pictures(1);
    let options = HarvestOptions::default().with_requisites(Some(options));
    let (tally, _) = world.round_with(Duration::ZERO, options);
    assert_eq!((tally.pictures, tally.pictures_failed), (6, 0));
    assert!(!other_requests(&own).contains(&"p/shared.png".to_owned()));
}

#[test]
fn pictures_have_a_budget() {
    let check = |budget: PictureBudget, came: u64, requests: usize| {
        let (world, own) = world();
        let options = RequisiteOptions::default().with_budget(Some(budget));
        let options = HarvestOptions::default().with_requisites(Some(options));
        let (tally, _) = world.round_with(Duration::ZERO, options.clone());
        assert_eq!((tally.articles, tally.pictures), (6, came));
        assert_eq!(other_requests(&own).len(), requests);
        let reader = world.open().reader().expect("a reader");
        let bytes = reader.pictures_of_feeds().expect("readable");
        assert_eq!(bytes.contains_key(&world.feed), came > 0);
        // What had no room is not asked for again.
        let (tally, _) = world.round_with(25 * HOUR, options);
        assert_eq!((tally.pictures, other_requests(&own).len()), (0, 0));
    };
    let roomy = PictureBudget::default();
    check(roomy.clone(), 7, 10);
    check(roomy.clone().with_feed_bytes(0), 0, 0);
    // Two pictures of one article, and its shared one is that of the others.
    check(roomy.clone().with_feed_bytes(500_000), 2, 2);
    // The shared one counts once: the third article has four more, and two of them fail.
    check(roomy.clone().with_feed_bytes(1_000_000), 4, 6);
    check(roomy.with_disk_part(u64::MAX), 0, 0);
}

/// A feed's own rule goes before the budget of all feeds, if there is one.
#[test]
fn a_feed_has_its_own_room_for_pictures() {
    let check = |own_mb: u64, budget: Option<PictureBudget>, came: u64| {
        let (world, _) = world();
        world.happens(Event::FeedRules {
            feed: world.feed.clone(),
            rules: ItemRules {
                image_budget_mb: Some(own_mb),
                ..ItemRules::default()
            },
        });
        let options = RequisiteOptions::default().with_budget(budget);
        let options = HarvestOptions::default().with_requisites(Some(options));
        let (tally, _) = world.round_with(Duration::ZERO, options);
        assert_eq!((tally.articles, tally.pictures), (6, came), "{own_mb}");
    };
    let none = PictureBudget::default().with_feed_bytes(0);
    check(0, None, 0);
    check(0, Some(PictureBudget::default()), 0);
    check(1, None, 4);
    check(1, Some(none), 4);
    check(50, Some(PictureBudget::default()), 7);
    check(
        50,
        Some(PictureBudget::default().with_disk_part(u64::MAX)),
        0,
    );
}

/// The state as if the process had ended before the pictures were received.
#[test]
fn pictures_of_the_last_week_are_had_later() {
    let (world, own) = world();
    world.round(Duration::ZERO);
    assert_eq!(other_requests(&own), Vec::<String>::new());
    let (tally, _) = world.round_with(24 * HOUR, with_pictures());
    assert_eq!((tally.pictures, tally.pictures_failed), (7, 2));
    let (world, own) = self::world();
    world.round(Duration::ZERO);
    let (tally, _) = world.round_with(8 * 24 * HOUR, with_pictures());
    assert_eq!((tally.pictures, other_requests(&own)), (0, vec![]));
}

#[test]
fn style_sheets_and_fonts_are_stored_on_request() {
    let (world, own) = world();
    let options = RequisiteOptions::default().with_styles(true);
    let options = HarvestOptions::default().with_requisites(Some(options));
    let (tally, _) = world.round_with(Duration::ZERO, options);
    assert_eq!((tally.pictures, tally.pictures_failed), (7, 2));
    let styles: Vec<String> = other_requests(&own)
        .into_iter()
        .filter(|path| !path.starts_with("p/"))
        .collect();
    // Imports of an imported style sheet are not fetched, nor are a style sheet's pictures.
    let expected = ["css/main.css", "css/more.css", "f/x.woff2", "favicon.ico"];
    assert_eq!(styles, expected);
    let archive = world.open();
    let address = |path: &str| world.feed.replace("/feed", path);
    let font = archive.requisite(&address("/f/x.woff2")).expect("readable");
    assert_eq!(font.expect("stored").extension, "woff2");
}

#[test]
fn what_only_forgotten_articles_show_is_forgotten() {
    let (world, _) = world();
    world.round_with(Duration::ZERO, with_pictures());
    let url = |n: usize| world.feed.replace("/feed", &format!("/story/{n}"));
    let forget = |urls: &[String]| {
        let forgot = world.open().forget(urls, world.clock.now());
        let (archive, _) = forgot.expect("forgotten");
        assert_eq!(archive.verify().expect("readable").damage, []);
        archive.reader().expect("a reader")
    };
    let has = |reader: &forest_archive::ArchiveReader, name: &str| {
        let bytes = reader.requisite_bytes(&digest(name)).expect("readable");
        bytes.is_some()
    };
    let reader = forget(&[url(1), url(4)]);
    assert!(!has(&reader, "4") && has(&reader, "5"));
    // The second article shows the first one's picture, and all show the last one.
    assert!(has(&reader, "1") && has(&reader, "shared"));
    let reader = forget(&[url(2)]);
    assert!(!has(&reader, "1") && has(&reader, "shared"));
    assert_eq!(pictures(&world.open()).len(), 3);
}

#[test]
fn a_host_that_rests_puts_off_its_articles() {
    let (world, own) = world();
    world.round(Duration::ZERO);
    let url = url::Url::parse(&world.feed).expect("an address");
    let rest = ArchiveChange::Rest {
        origin: url.origin().ascii_serialization(),
        until: world.clock.now() + chrono::TimeDelta::hours(2),
    };
    world.open().write(vec![rest]).expect("written");
    let (tally, _) = world.round_with(HOUR, with_pictures());
    assert_eq!((tally.pictures, other_requests(&own)), (0, vec![]));
    let (tally, _) = world.round_with(2 * HOUR, with_pictures());
    assert_eq!((tally.pictures, tally.pictures_failed), (7, 2));
}
