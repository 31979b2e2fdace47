//! Harvests of a made-up site on loopback, with a clock that the test sets.

mod cut_feeds;
mod forgotten;
mod importing;
mod hosts;
mod addresses;
mod judging;
mod notices;
mod now;
mod parts;
mod pictures;
mod polls;
mod popups;
mod redesign;
#[path = "../../../../tests/shared/story.rs"]
mod story;
mod walls;
mod whole;

use super::*;
use crate::loopback::Loopback;
use crate::{Clock, ManualClock, Metrics};
use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use forest_archive::search::SearchIndex;
use forest_archive::{Archive, ArchiveChange, Damage, Event, Filter, paths};
use forest_core::extract::Status;
use forest_fetch::{FetchOptions, Fetcher};
use forest_html::text::sha256_hex;
use forest_sources::warc::Members;
use std::collections::HashSet;
use std::fmt::Write;
use std::fs::File;
use std::io::BufReader;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The contents of the site now.
#[derive(Debug, Clone)]
struct SiteContents {
    /// Numbers of the articles that its feed lists, the newest first.
    items: Vec<usize>,
    redesigned: bool,
    /// The names of the site's elements begin with this: another one is a redesign in which no
    /// name is left.
    names: Option<&'static str>,
    /// Articles whose text was edited.
    edited: Vec<usize>,
    /// The status of every response.
    down: Option<StatusCode>,
    /// Every page is replaced by a login.
    walled: bool,
    /// Articles whose beginning alone is shown, and the reason.
    cut: Vec<(usize, Cut)>,
    /// The status of the responses for pages, not for the feed.
    pages_down: Option<StatusCode>,
    /// Numbers of the articles that are refused.
    shut: Vec<usize>,
    /// The `Retry-After` in seconds of a status in place of a page.
    retry_after: Option<u32>,
    /// Pages ask for a human reader; a header marks them as a challenge.
    challenged: bool,
    /// The name that the feed gives to all items.
    guid: Option<&'static str>,
    /// Pages have a picture in place of their text.
    comics: bool,
    /// The HTML behind the article on each page.
    beside: fn(usize) -> String,
    /// Pages name their authors in a plain paragraph; so does the feed.
    bylines: bool,
    /// The items' times of publication in the feed.
    date: Option<&'static str>,
    /// The text of robots.txt.
    robots: Option<&'static str>,
    /// Links of items besides the articles.
    links: Vec<String>,
    /// The canonical address of each page.
    canonical: &'static str,
    /// The feed has moved to another address for good.
    moved: bool,
    /// Each page redirects to itself.
    looping: bool,
    /// Pages of each article.
    parts: usize,
    /// The status of the responses for further pages of articles.
    parts_down: Option<StatusCode>,
}

/// The reason why only the beginning of an article is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cut {
    /// The rest is for subscribers.
    Sold,
    /// The rest was removed.
    Shortened,
}

struct TestSite {
    show: Mutex<SiteContents>,
    /// Paths that were asked for.
    requests: Mutex<Vec<String>>,
    /// The number of requests with the header that a wrapper sets.
    wanted: AtomicUsize,
    /// Called while the page of this path is requested.
    meanwhile: Mutex<Option<(String, Meanwhile)>>,
}

/// Returns the notification that the response for the page waits for.
type Meanwhile = Box<dyn FnOnce() -> Arc<tokio::sync::Notify> + Send>;

impl TestSite {
    fn set(&self, change: impl FnOnce(&mut SiteContents)) {
        change(&mut self.show.lock().expect("not poisoned"));
    }

    fn take_requests(&self) -> Vec<String> {
        std::mem::take(&mut self.requests.lock().expect("not poisoned"))
    }
}

/// An article's paragraphs; each number has words of its own.
fn paragraphs(n: usize, edited: bool) -> Vec<String> {
    let mut out = story::paragraphs("", n);
    if edited {
        out.push(format!(
            "Correction: the keeper of story{n} is in fact a well known lighthouse."
        ));
    }
    out
}

fn author(n: usize) -> String {
    let first = ["Anna", "Berta", "Carla", "Dora", "Emma"][n % 5];
    let last = ["Hill", "Lake", "Wood"][n % 3];
    format!("{first} {last}")
}

/// A page of an article, from 1.
fn page(n: usize, part: usize, show: &SiteContents) -> String {
    let mut body = String::new();
    let all = paragraphs(n, show.edited.contains(&n));
    let each = 6 / show.parts;
    let own = if part == show.parts {
        &all[(part - 1) * each..]
    } else {
        &all[(part - 1) * each..part * each]
    };
    if show.bylines && part == 1 {
        let _ = write!(body, "<p class=by>{}</p>", author(n));
    }
    let cut = show
        .cut
        .iter()
        .find(|(of, _)| *of == n)
        .map(|(_, why)| *why);
    let own = if cut.is_some() { &own[..2] } else { own };
    for paragraph in own {
        let _ = write!(body, "<p>{paragraph}</p>");
    }
    if cut == Some(Cut::Sold) {
        body.push_str("<p>Subscribe to continue reading.</p>");
    }
    if show.comics {
        let other = |k: usize| paragraphs((n * k) % 7, false)[0][..40].to_owned();
        body = format!(
            "<img src=/comics/{n}.png alt='Number {n}'></div><div class=also><h3>More</h3><ul>\
             <li><a href=/a>{}</a><li><a href=/b>{}</a><li><a href=/c>{}</a></ul>",
            other(1),
            other(2),
            other(3)
        );
    }
    if show.parts > 1 {
        body.push_str("<div class=pages>");
        for other in 1..=show.parts {
            let _ = match other {
                _ if other == part => write!(body, "<b>{other}</b> "),
                1 => write!(body, "<a href=/story/{n}>1</a> "),
                _ => write!(body, "<a href=/story/{n}/{other}>{other}</a> "),
            };
        }
        body.push_str("</div>");
    }
    let menu = "<ul class=menu><li><a href=/>Home</a><li><a href=/sport>Sport</a><li><a href=/about>About us</a></ul>";
    let foot = "<div class=foot>All rights reserved. <a href=/terms>Terms of use</a> <a href=/privacy>Privacy</a></div>";
    let foot = format!("{}{foot}", (show.beside)(n));
    // A canonical address on another host is ignored.
    let head = format!(
        "<!DOCTYPE html><html lang=en><title>Story {n}</title>\
         <link rel=canonical href={}/story/{n}>",
        show.canonical
    );
    if let Some(name) = show.names {
        // A reading without a wrapper takes the promotion for a part of the article.
        return format!(
            "{head}<body id={name}top><div class={name}bar>{menu}</div><div class={name}main><h1 class={name}head>Story {n}</h1>\
             <div class={name}text>{body}<p class={name}promo>The {name} letter of our newsroom is on its way every evening at six, \
             with pictures of the day, a map of the islands and whatever else we have heard.</p></div></div>\
             <div class={name}end>{foot}</div>"
        );
    }
    if show.redesigned {
        format!(
            "{head}<body><header><nav>{menu}</nav></header><main><article class=piece><h1>Story {n}</h1>\
             <section class=copy>{body}</section></article></main><footer>{foot}</footer>"
        )
    } else {
        format!("{head}<body>{menu}<h1>Story {n}</h1><div class=story>{body}</div>{foot}")
    }
}

fn feed(host: &str, show: &SiteContents) -> String {
    let mut items = String::new();
    for n in &show.items {
        let story = &paragraphs(*n, show.edited.contains(n));
        let summary: String = story
            .concat()
            .chars()
            .take(if show.edited.contains(n) { 250 } else { 240 })
            .collect();
        let guid = show
            .guid
            .map_or_else(|| format!("story-{n}"), str::to_owned);
        let date = show.date.unwrap_or_default();
        let author = if show.bylines {
            format!("<dc:creator>{}</dc:creator>", author(*n))
        } else {
            String::new()
        };
        let _ = write!(
            items,
            "<item><title>Story {n}</title><link>http://{host}/story/{n}?utm_source=rss</link><guid>{guid}</guid>\
             <pubDate>{date}</pubDate>{author}<description>{summary}</description></item>"
        );
    }
    for (n, link) in show.links.iter().enumerate() {
        let _ = write!(
            items,
            "<item><title>Link {n}</title><link>{link}</link></item>"
        );
    }
    format!(
        "<rss version='2.0' xmlns:dc='http://purl.org/dc/elements/1.1/'><channel><title>The Gazette</title><link>http://{host}/</link>{items}</channel></rss>"
    )
}

async fn answer(
    State(site): State<Arc<TestSite>>,
    Path(path): Path<String>,
    headers: HeaderMap,
) -> Response {
    site.requests
        .lock()
        .expect("not poisoned")
        .push(path.clone());
    if headers.get("x-wanted").is_some_and(|value| value == "yes") {
        site.wanted.fetch_add(1, Ordering::SeqCst);
    }
    let meanwhile = {
        let mut meanwhile = site.meanwhile.lock().expect("not poisoned");
        meanwhile.take_if(|(of, _)| *of == path)
    };
    if let Some((_, meanwhile)) = meanwhile {
        meanwhile().notified().await;
    }
    let show = site.show.lock().expect("not poisoned").clone();
    if path == "robots.txt" {
        return match show.robots {
            Some(rules) => rules.into_response(),
            None => StatusCode::NOT_FOUND.into_response(),
        };
    }
    if let Some(status) = show.down {
        return status.into_response();
    }
    let host = headers
        .get(header::HOST)
        .and_then(|host| host.to_str().ok())
        .unwrap_or_default();
    let story = path.strip_prefix("story/").and_then(|name| {
        let (n, part) = name.split_once('/').unwrap_or((name, "1"));
        Some((n.parse().ok()?, part.parse().ok()?))
    });
    let (kind, body) = match story {
        _ if path == "feed" && show.moved => {
            let to = [(header::LOCATION, "/feed.xml")];
            return (StatusCode::MOVED_PERMANENTLY, to).into_response();
        }
        _ if path == "feed" || path == "feed.xml" => ("application/rss+xml", feed(host, &show)),
        Some((n, _)) if show.shut.contains(&n) => return StatusCode::FORBIDDEN.into_response(),
        Some(_) if show.looping => {
            return (StatusCode::FOUND, [(header::LOCATION, format!("/{path}"))]).into_response();
        }
        Some(_) if show.walled => (
            "text/html",
            "<title>Log in</title><h1>Log in</h1><form><input name=user><input type=password></form>\
             <p>Forgot your password?</p>"
                .to_owned(),
        ),
        Some(_) if show.challenged => {
            let head = [("CF-Mitigated", "challenge")];
            return (StatusCode::TOO_MANY_REQUESTS, head).into_response();
        }
        Some(_) if show.pages_down.is_some() => {
            let status = show.pages_down.unwrap_or_default();
            return match show.retry_after {
                Some(wait) => (status, [(header::RETRY_AFTER, wait.to_string())]).into_response(),
                None => status.into_response(),
            };
        }
        Some((_, 2..)) if show.parts_down.is_some() => {
            return show.parts_down.unwrap_or_default().into_response();
        }
        Some((n, part)) => ("text/html", page(n, part, &show)),
        None => return StatusCode::NOT_FOUND.into_response(),
    };
    let etag = format!("\"{}\"", &sha256_hex(&body)[..16]);
    if headers
        .get(header::IF_NONE_MATCH)
        .is_some_and(|known| known == etag.as_str())
    {
        return (StatusCode::NOT_MODIFIED, [(header::ETAG, etag)]).into_response();
    }
    (
        [
            (header::CONTENT_TYPE, kind.to_owned()),
            (header::ETAG, etag),
        ],
        body,
    )
        .into_response()
}

/// A fetcher without any state of hosts.
fn fetcher() -> Fetcher {
    let options = FetchOptions::default()
        .with_allow_private(true)
        .with_per_host(1)
        .with_retries(0);
    Fetcher::new(options).expect("a fetcher")
}

struct TestHarvest {
    site: Arc<TestSite>,
    feed: String,
    dir: tempfile::TempDir,
    clock: Arc<ManualClock>,
    fetcher: Fetcher,
    metrics: Arc<Metrics>,
    _server: Loopback,
}

impl TestHarvest {
    fn new(items: usize) -> TestHarvest {
        let site = Arc::new(TestSite {
            show: Mutex::new(SiteContents {
                items: (1..=items).rev().collect(),
                redesigned: false,
                names: None,
                edited: Vec::new(),
                down: None,
                walled: false,
                cut: Vec::new(),
                shut: Vec::new(),
                pages_down: None,
                retry_after: None,
                challenged: false,
                guid: None,
                comics: false,
                beside: |_| String::new(),
                bylines: false,
                date: None,
                robots: None,
                links: Vec::new(),
                canonical: "http://elsewhere.example",
                moved: false,
                looping: false,
                parts: 1,
                parts_down: None,
            }),
            requests: Mutex::default(),
            wanted: AtomicUsize::new(0),
            meanwhile: Mutex::default(),
        });
        let state = Arc::clone(&site);
        let router = Router::new()
            .route("/{*path}", get(answer))
            .with_state(state);
        let server = Loopback::of(|_| router);
        TestHarvest {
            site,
            feed: format!("http://{}/feed", server.address),
            dir: tempfile::tempdir().expect("a folder"),
            clock: Arc::new(ManualClock::at(
                "2026-01-02T03:04:05Z".parse().expect("a date"),
            )),
            fetcher: fetcher(),
            metrics: Arc::default(),
            _server: server,
        }
    }

    fn open(&self) -> Archive {
        Archive::open(self.dir.path(), crate::archive_options()).expect("it opens")
    }

    fn add(&self) {
        let (at, feed) = (self.clock.now(), self.feed.clone());
        let change = ArchiveChange::Event {
            at,
            event: Event::FeedAdded { feed },
        };
        self.open().write(vec![change]).expect("written");
    }

    /// One round, some time later; its counts, and the verdicts and wrappers that were reported.
    fn round(&self, later: Duration) -> (HarvestTally, Vec<String>) {
        self.round_with(later, HarvestOptions::default())
    }

    fn round_with(&self, later: Duration, options: HarvestOptions) -> (HarvestTally, Vec<String>) {
        self.clock.advance(later);
        let mut archive = self.open();
        let clock: Arc<dyn Clock> = self.clock.clone();
        let mut harvest = Harvest::new(&mut archive, &self.fetcher, clock, options)
            .expect("it begins")
            .with_metrics(Arc::clone(&self.metrics));
        let mut reported = Vec::new();
        let tally = harvest.run(Until::Idle, &mut |progress| match progress {
            HarvestProgress::Verdict { from, to, .. } => reported.push(format!("{from} to {to}")),
            HarvestProgress::Learning { learning, .. } => reported.push(format!("{learning:?}")),
            _ => {}
        });
        let tally = tally.expect("harvested");
        drop(harvest);
        let mut damage = archive.verify().expect("readable").damage;
        // Some tests damage a wrapper.
        damage.retain(|damage| !matches!(damage, Damage::Wrapper { .. }));
        assert_eq!(damage, []);
        let dangling = dangling(self.dir.path());
        assert_eq!(dangling, Vec::<String>::new());
        (tally, reported)
    }

    /// Number, status and versions of each article, in the order of numbers.
    fn articles(&self) -> Vec<(usize, Status, u32)> {
        let archive = self.open();
        let reader = archive.reader().expect("a reader");
        let mut found = Vec::new();
        let each = reader.each_latest(&Filter::default(), &mut |article, version| {
            let n: usize = article
                .key
                .rsplit('/')
                .next()
                .and_then(|n| n.parse().ok())
                .expect("a number");
            let show = self.site.show.lock().expect("not poisoned").clone();
            let text = &version.record.text;
            assert!(
                self.feed
                    .starts_with(&article.url[..article.url.find("/story").expect("a story")])
            );
            assert_eq!(version.record.url.as_ref(), Some(&article.url));
            let all = paragraphs(n, show.edited.contains(&n) && article.versions > 1);
            assert!(
                all.iter().all(|paragraph| text.contains(paragraph)),
                "{n}: {text}"
            );
            assert!(!text.contains("rights reserved"), "{n}: {text}");
            found.push((n, version.record.status, article.versions));
            Ok(())
        });
        each.expect("readable");
        found.sort_unstable_by_key(|(n, ..)| *n);
        found
    }
}

const HOUR: Duration = Duration::from_secs(3600);

#[test]
fn a_feed_becomes_articles_and_a_wrapper() {
    let world = TestHarvest::new(12);
    world.add();
    let (tally, reported) = world.round(Duration::ZERO);
    assert_eq!(
        (tally.feeds, tally.items, tally.pages, tally.articles),
        (1, 12, 12, 12)
    );
    assert_eq!(reported, ["Learned"]);
    let expected: Vec<_> = (1..=12).map(|n| (n, Status::Ok, 1)).collect();
    assert_eq!(world.articles(), expected);
    // The search index is up to date.
    let index = SearchIndex::open(&paths::index(world.dir.path())).expect("an index");
    assert_eq!(index.articles(), 12);
}

#[test]
fn a_wrapper_that_a_person_edits_becomes_active_and_is_not_replaced() {
    let world = TestHarvest::new(12);
    world.add();
    world.round(Duration::ZERO);
    let sites = paths::sites(world.dir.path());
    let path = std::fs::read_dir(&sites)
        .expect("a folder")
        .next()
        .expect("a file")
        .expect("readable")
        .path();
    let yaml = std::fs::read_to_string(&path).expect("a wrapper");
    std::fs::write(
        &path,
        format!("{yaml}# mine\n").replace("pages: 10", "pages: 11"),
    )
    .expect("written");
    world.site.set(|show| {
        show.redesigned = true;
        show.items = (5..=20).rev().collect();
    });
    let (tally, reported) = world.round(2 * HOUR);
    assert_eq!((tally.articles, tally.wrappers), (8, 0));
    let kept = reported.iter().any(|line| line.contains("edited by hand"));
    assert!(kept, "{reported:?}");
    let archive = world.open();
    let host = world
        .feed
        .trim_start_matches("http://")
        .trim_end_matches("/feed")
        .to_owned();
    let wrappers = archive
        .reader()
        .expect("a reader")
        .wrappers(&host)
        .expect("readable");
    let why: Vec<&str> = wrappers.iter().map(|row| &*row.why).collect();
    assert_eq!(why, ["found", "learned"]);
}

#[test]
fn a_site_gets_the_headers_that_its_wrapper_wants() {
    let world = TestHarvest::new(3);
    world.add();
    let host = world
        .feed
        .trim_start_matches("http://")
        .trim_end_matches("/feed");
    let yaml = format!(
        "format: 1\nsite: {host}\ntemplates:\n- body: ['//div[@class=\"story\"]']\nheaders:\n  X-Wanted: yes\n"
    );
    let file = forest_core::wrapper::names::file_name(host);
    let path = paths::sites(world.dir.path()).join(format!("{file}.yaml"));
    std::fs::write(path, yaml.replace("X-Wanted: yes", "X-Wanted: 'yes'")).expect("written");
    let (tally, _) = world.round(Duration::ZERO);
    assert_eq!((tally.articles, tally.wrappers), (3, 0));
    assert_eq!(world.site.wanted.load(Ordering::SeqCst), 3);
    assert!(
        world
            .articles()
            .iter()
            .all(|(_, status, _)| *status == Status::Ok)
    );
}

#[test]
fn nothing_is_requested_again_before_its_time() {
    let world = TestHarvest::new(3);
    world.add();
    world.round(Duration::ZERO);
    world.site.take_requests();
    let (tally, _) = world.round(Duration::from_secs(60));
    assert_eq!(tally, HarvestTally::default());
    assert_eq!(world.site.take_requests(), Vec::<String>::new());
    // A day later the feed and the pages are requested with conditions: nothing is new.
    let (tally, _) = world.round(25 * HOUR);
    assert_eq!((tally.feeds, tally.items, tally.pages), (1, 0, 3));
    assert_eq!((tally.articles, tally.versions), (0, 0));
    let (tally, _) = world.round(Duration::ZERO);
    assert_eq!(tally, HarvestTally::default());
}

#[test]
fn an_edit_is_a_version() {
    let world = TestHarvest::new(4);
    world.add();
    world.round(Duration::ZERO);
    world.site.set(|show| show.edited.push(2));
    let (tally, _) = world.round(2 * HOUR);
    assert_eq!((tally.items, tally.pages, tally.versions), (1, 1, 1));
    let versions: Vec<u32> = world
        .articles()
        .iter()
        .map(|(.., versions)| *versions)
        .collect();
    assert_eq!(versions, [1, 2, 1, 1]);
}

#[test]
fn a_redesign_is_noticed_and_learned() {
    let world = TestHarvest::new(12);
    world.add();
    world.round(Duration::ZERO);
    world.site.set(|show| {
        show.redesigned = true;
        show.items = (5..=17).rev().collect();
    });
    let (tally, reported) = world.round(2 * HOUR);
    assert_eq!(tally.articles, 5);
    assert!(reported.contains(&"Relearned".to_owned()), "{reported:?}");
    assert_eq!((tally.drifted, tally.wrappers), (1, 1));
    let expected: Vec<_> = (1..=17).map(|n| (n, Status::Ok, 1)).collect();
    assert_eq!(world.articles(), expected);
    // The old pages are in the new design now: their texts are the same, so there are no versions.
    let (tally, reported) = world.round(26 * HOUR);
    assert_eq!((tally.versions, reported), (0, Vec::new()));
    assert_eq!(world.articles(), expected);
}

#[test]
fn a_wall_teaches_nothing_and_loses_nothing() {
    let world = TestHarvest::new(12);
    world.add();
    world.round(Duration::ZERO);
    world.site.set(|show| {
        show.walled = true;
        show.items = (5..=17).rev().collect();
    });
    let (tally, reported) = world.round(2 * HOUR);
    assert_eq!(
        (tally.articles, tally.wrappers, tally.pages_failed),
        (0, 0, 5)
    );
    assert!(
        !reported.iter().any(|line| line.contains("earned")),
        "{reported:?}"
    );
    world.site.set(|show| show.walled = false);
    let (tally, _) = world.round(2 * HOUR);
    assert_eq!(tally.articles, 5);
    assert_eq!(world.articles().len(), 17);
}

#[test]
fn a_site_that_cannot_be_reached_after_a_restart_keeps_its_wrapper() {
    let world = TestHarvest::new(12);
    world.add();
    assert_eq!(world.round(Duration::ZERO).0.wrappers, 1);
    world.site.set(|show| {
        show.looping = true;
        show.items = (5..=17).rev().collect();
    });
    let (tally, reported) = world.round(2 * HOUR);
    assert_eq!((tally.pages_failed, tally.wrappers), (5, 0));
    assert_eq!(reported, Vec::<String>::new());
}

#[test]
fn a_server_that_is_down_for_a_day_loses_what_its_feed_has_after_it() {
    let world = TestHarvest::new(4);
    world.add();
    world.round(Duration::ZERO);
    world.site.set(|show| {
        show.down = Some(StatusCode::BAD_GATEWAY);
        show.items = (1..=6).rev().collect();
    });
    for _ in 0..24 {
        let (tally, _) = world.round(HOUR);
        assert_eq!(tally.articles, 0);
    }
    world.site.set(|show| show.down = None);
    world.round(12 * HOUR);
    world.round(12 * HOUR);
    assert_eq!(world.articles().len(), 6);
}

#[test]
fn a_feed_that_ends_is_not_watched_any_more() {
    let world = TestHarvest::new(3);
    world.add();
    let metrics = Arc::new(Metrics::default());
    let figures = |later| {
        world.clock.advance(later);
        let mut archive = world.open();
        let clock: Arc<dyn Clock> = world.clock.clone();
        let options = HarvestOptions::default();
        Harvest::new(&mut archive, &world.fetcher, clock, options)
            .expect("it begins")
            .with_metrics(Arc::clone(&metrics))
            .run(Until::Idle, &mut |_| {})
            .expect("harvested");
        let text = metrics.text();
        let series = format!(
            "forest_feed_last_success_seconds{{feed=\"{}\"}}",
            world.feed
        );
        let ended = text
            .lines()
            .find(|line| line.starts_with("forest_feeds{state=\"ended\"}"));
        (text.contains(&series), ended.map(str::to_owned))
    };
    let ended = |count| Some(format!("forest_feeds{{state=\"ended\"}} {count}"));
    assert_eq!(figures(Duration::ZERO), (true, ended(0)));
    world.site.set(|show| show.down = Some(StatusCode::GONE));
    assert_eq!(figures(24 * HOUR), (false, ended(1)));
}

#[test]
fn a_host_that_fails_again_and_again_is_left_alone_for_a_while() {
    let world = TestHarvest::new(40);
    world
        .site
        .set(|show| show.pages_down = Some(StatusCode::SERVICE_UNAVAILABLE));
    world.add();
    let (tally, _) = world.round(Duration::ZERO);
    assert_eq!((tally.items, tally.articles), (40, 0));
    let stories = world
        .site
        .take_requests()
        .iter()
        .filter(|path| path.starts_with("story"))
        .count();
    assert!((3..=5).contains(&stories), "{stories} pages were asked for");
    // Soon after, the site is requested again, and all is there.
    world.site.set(|show| show.pages_down = None);
    world.round(HOUR);
    world.round(HOUR);
    assert_eq!(world.articles().len(), 40);
}

#[test]
fn a_clock_that_goes_backwards_starts_no_storm_and_loses_nothing() {
    let world = TestHarvest::new(4);
    world.add();
    world.round(Duration::ZERO);
    world.site.take_requests();
    world.site.set(|show| show.items = (1..=6).rev().collect());
    world
        .clock
        .set("2025-01-01T00:00:00Z".parse().expect("a date"));
    let (tally, _) = world.round(Duration::ZERO);
    assert_eq!(
        (tally, world.site.take_requests().len()),
        (HarvestTally::default(), 0)
    );
    let mut polls = 0;
    for _ in 0..26 {
        polls += world.round(HOUR).0.feeds;
    }
    assert!((1..=26).contains(&polls), "{polls}");
    assert_eq!(world.articles().len(), 6);
}

#[test]
fn three_harvests_of_a_frozen_site_give_the_same() {
    let export = || {
        let world = TestHarvest::new(12);
        world.add();
        for _ in 0..3 {
            world.round(30 * HOUR);
        }
        let archive = world.open();
        let mut lines = Vec::new();
        let host = world.feed.replace("/feed", "");
        let each = archive.reader().expect("a reader").each_latest(
            &Filter::default(),
            &mut |article, version| {
                let record = serde_json::to_string(&version.record).expect("JSON");
                lines.push(
                    format!("{} {record}", article.key)
                        .replace(host.trim_start_matches("http://"), "host"),
                );
                Ok(())
            },
        );
        each.expect("readable");
        lines
    };
    let first = export();
    assert_eq!(first.len(), 12);
    assert_eq!((export(), export()), (first.clone(), first));
}

/// The identifiers that records of the archive refer to and no record has.
fn dangling(archive: &std::path::Path) -> Vec<String> {
    let (mut ids, mut referenced) = (HashSet::new(), Vec::new());
    for file in std::fs::read_dir(archive.join("warc")).expect("a folder") {
        let file = File::open(file.expect("readable").path()).expect("a file");
        let mut records = Members::new(BufReader::new(file), 0);
        while let Some(record) = records.read().expect("whole") {
            referenced.extend(record.refers_to);
            ids.insert(record.id);
        }
    }
    referenced.retain(|id| !ids.contains(id));
    referenced
}
