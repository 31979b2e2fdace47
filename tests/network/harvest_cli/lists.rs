//! Pages that list articles, polled as feeds, and walked back in time.

use super::site::User;
use crate::loopback::Loopback;
use crate::story::paragraphs;
use axum::Router;
use axum::extract::{Path, State};
use axum::response::Html;
use axum::routing::get;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::{Arc, Mutex};

/// Articles on the list at once.
const LISTED: usize = 8;

/// Designs of a list.
const MAKINGS: usize = 7;

/// The state of a made-up site without a feed: its newest article, and its design.
#[derive(Default)]
struct Gazette {
    newest: usize,
    design: usize,
    older: Older,
}

/// The way to older articles.
#[derive(Clone, Copy, Default, PartialEq)]
enum Older {
    #[default]
    None,
    /// Each page of the list has a link to the next one.
    Pages,
    /// The list links to archives by month.
    Months,
}

type Shared = Arc<Mutex<Gazette>>;

struct ListSite {
    state: Shared,
    server: Loopback,
}

impl ListSite {
    fn new(newest: usize, design: usize) -> ListSite {
        let state: Shared = Arc::new(Mutex::new(Gazette {
            newest,
            design,
            older: Older::None,
        }));
        let router = Router::new()
            .route("/", get(home))
            .route("/page/{number}", get(page))
            .route("/2099/{month}/", get(month))
            .route("/feed.xml", get(feed))
            .route("/story/{name}", get(story))
            .with_state(Arc::clone(&state));
        ListSite {
            state,
            server: Loopback::of(|_| router),
        }
    }

    fn url(&self) -> String {
        format!("http://{}/", self.server.address)
    }

    fn set(&self, change: impl FnOnce(&mut Gazette)) {
        change(&mut self.state.lock().expect("not poisoned"));
    }
}

fn title(n: usize) -> String {
    let word = ["harbour", "ferry", "mill", "lighthouse", "bridge"][n % 5];
    format!("The {word} is open again after storm number {n}")
}

async fn home(State(state): State<Shared>) -> Html<String> {
    let Gazette { newest, older, .. } = *state.lock().expect("not poisoned");
    // Every third day an older article comes back to the foot of the list.
    let comes_back = older == Older::None && newest.is_multiple_of(3) && newest > LISTED + 3;
    let back = comes_back.then(|| newest - LISTED - 3);
    let first = newest.saturating_sub(LISTED) + 1;
    let foot = match older {
        Older::None => String::new(),
        Older::Pages => "<a class=next href=/page/2>Older posts</a>".to_owned(),
        Older::Months => "<a href=/2099/01/>January</a> <a href=/2099/02/>February</a>".to_owned(),
    };
    list(&state, (first..=newest).rev().chain(back), &foot)
}

/// A page of the list; beyond the last one they are empty and go on for ever.
async fn page(State(state): State<Shared>, Path(number): Path<usize>) -> Html<String> {
    let newest = state.lock().expect("not poisoned").newest;
    let last = newest.saturating_sub(LISTED * (number - 1));
    let first = last.saturating_sub(LISTED) + 1;
    let foot = format!("<a class=next href=/page/{}>Older posts</a>", number + 1);
    list(&state, (first..=last).rev(), &foot)
}

async fn month(State(state): State<Shared>, Path(month): Path<usize>) -> Html<String> {
    let newest = state.lock().expect("not poisoned").newest;
    let of_month = |n: &usize| 1 + n / 28 == month;
    list(&state, (1..=newest).rev().filter(of_month), "")
}

/// A feed of the two newest articles.
async fn feed(State(state): State<Shared>) -> ([(&'static str, &'static str); 1], String) {
    let newest = state.lock().expect("not poisoned").newest;
    let items = (newest - 1..=newest).rev().map(|n| {
        let link = format!("/story/{n}-after-the-storm");
        format!(
            "<item><guid>number {n}</guid><title>{}</title><link>{link}</link></item>",
            title(n)
        )
    });
    let items: String = items.collect();
    let rss = format!(
        "<rss version='2.0'><channel><title>The Gazette</title><link>/</link>{items}</channel></rss>"
    );
    ([("content-type", "application/rss+xml")], rss)
}

fn list(state: &Shared, numbers: impl Iterator<Item = usize>, foot: &str) -> Html<String> {
    let Gazette { newest, design, .. } = *state.lock().expect("not poisoned");
    let mut items = String::new();
    for (at, n) in numbers.enumerate() {
        let (title, day) = (
            title(n),
            format!("2099-{:02}-{:02}", 1 + n / 28, 1 + n % 28),
        );
        let link = format!("/story/{n}-after-the-storm?session={newest}x&utm_source=list");
        let _ = match design % MAKINGS {
            0 => write!(
                items,
                "<li><a href='{link}'>{title}</a> <span>{day}</span> {newest} comments"
            ),
            1 => write!(
                items,
                "<article><h2><a href='{link}'>{title}</a></h2><time datetime={day}>that day</time><p>It was windy and the sea was high on that day.</p></article>"
            ),
            2 => write!(
                items,
                "<tr><td>{day}</td><td><a href='{link}'>{title}</a></td></tr>"
            ),
            3 => write!(
                items,
                "<div class=card><a href='{link}'><img src=/{n}.jpg alt=''></a><h3 class=head><a href='{link}'>{title}</a></h3><p class=when>{day}</p></div>"
            ),
            4 => write!(items, "<dt>{day}</dt><dd><a href='{link}'>{title}</a></dd>"),
            5 => write!(
                items,
                "{}{{\"headline\":\"{title}\",\"url\":\"{link}\",\"publishedAt\":\"{day}T08:00:00Z\"}}",
                if items.is_empty() { "" } else { "," }
            ),
            // A lead, two tiles, and rows.
            _ => match at {
                0 => write!(
                    items,
                    "<div class=hero><h2><a href='{link}'>{title}</a></h2><span class=stamp>{day}</span></div>"
                ),
                1 | 2 => write!(
                    items,
                    "<a class=tile href='{link}'><h3>{title}</h3><time datetime={day}>that day</time></a>"
                ),
                3 => write!(
                    items,
                    "<ul class=brief><li>{day} <a href='{link}'>{title}</a>"
                ),
                _ => write!(items, "<li>{day} <a href='{link}'>{title}</a>"),
            },
        };
    }
    let items = match design % MAKINGS {
        0 => format!("<ul class=posts>{items}</ul>"),
        2 => format!("<table class=releases>{items}</table>"),
        4 => format!("<dl id=archive>{items}</dl>"),
        5 => format!(
            "<div id=app></div><script id=state type=application/json>{{\"page\":{{\"posts\":[{items}]}}}}</script>"
        ),
        6 => format!("{items}</ul>"),
        _ => format!("<section class=stream>{items}</section>"),
    };
    Html(format!(
        "<!DOCTYPE html><html lang=en><title>The Gazette</title><body><nav><ul><li><a href=/sport>Sport</a>\
         <li><a href=/about-us>About us</a><li><a href=/contact-and-imprint>Contact</a></ul></nav><main><h1>News</h1>\
         {items}{foot}</main><aside><h4>Most read</h4><ul><li><a href=/popular/1-the-old-mill>The old mill of the town</a>\
         <li><a href=/popular/2-the-new-pier>The new pier of the town</a></ul></aside>\
         <footer><a href=/terms>Terms of use</a> <a href=/privacy>Privacy</a></footer>"
    ))
}

async fn story(Path(name): Path<String>) -> Html<String> {
    let n = name
        .split('-')
        .next()
        .and_then(|n| n.parse().ok())
        .unwrap_or(0);
    let mut body = String::new();
    for paragraph in paragraphs("", n) {
        let _ = write!(body, "<p>{paragraph}</p>");
    }
    let title = title(n);
    Html(format!(
        "<!DOCTYPE html><html lang=en><title>{title}</title><body><nav><a href=/>Home</a></nav>\
         <h1>{title}</h1><div class=story>{body}</div><footer>All rights reserved.</footer>"
    ))
}

#[test]
fn a_page_without_a_feed_is_offered_as_a_list() {
    let (site, user) = (ListSite::new(10, 0), User::new());
    let offered = user.add_all(&[&site.url()]);
    offered.ends(
        1,
        &["names no feed; it lists 8 articles: with --list it is polled as a feed"],
    );
    user.add_all(&[&site.url(), "--list"])
        .ends(0, &["added: The Gazette (8 items)"]);
    let name = format!(
        "{}.list.yaml",
        site.server.address.to_string().replace(':', "_")
    );
    let yaml = std::fs::read_to_string(user.store().join("sites").join(name)).expect("a wrapper");
    assert!(
        yaml.contains("kind: list") && yaml.contains("' posts ')]/li"),
        "{yaml}"
    );
    user.add_all(&[&site.url(), "--list"])
        .ends(0, &["is harvested already"]);
}

#[test]
fn a_home_page_is_learned_and_read_as_a_list() {
    let (site, user) = (ListSite::new(10, 3), User::new());
    let url = site.url();
    let net = ["--allow-private", "--delay", "0", "--no-cache"];
    let learn = ["learn", "--list", &url, "--sites", "sites"];
    let learned = user.run(&[&learn[..], &net].concat());
    learned.ends(0, &[]);
    assert!(learned.out.contains("8 items"), "{}", learned.out);
    let name = site.server.address.to_string().replace(':', "_");
    let wrapper = format!("sites/{name}.list.yaml");
    let apply = ["apply", "--wrapper", &wrapper, &url];
    let applied = user.run(&[&apply[..], &net].concat());
    let items = applied.ends(0, &[]).records();
    assert_eq!(items.len(), 8);
    assert_eq!(items[0]["title"], title(10));
    assert_eq!(items[0]["list"], url);
}

#[test]
fn apply_goes_on_with_next_links_to_a_bound() {
    let (site, user) = (ListSite::new(40, 2), User::new());
    site.set(|gazette| gazette.older = Older::Pages);
    let url = site.url();
    let net = ["--allow-private", "--delay", "0", "--no-cache"];
    let learn = ["learn", "--list", &url, "--sites", "sites"];
    user.run(&[&learn[..], &net].concat()).ends(0, &[]);
    let name = site.server.address.to_string().replace(':', "_");
    let wrapper = format!("sites/{name}.list.yaml");
    let read = |pages: &str| {
        let apply = ["apply", "--wrapper", &wrapper, &url, "--list-pages", pages];
        user.run(&[&apply[..], &net].concat())
            .ends(0, &[])
            .records()
    };
    let items = read("3");
    assert_eq!(items.len(), 24);
    assert_eq!(items[23]["title"], title(17));
    assert_eq!(items[23]["list"], format!("{url}page/3"));
    assert_eq!(read("1").len(), 8);
}

/// A month in fast motion of twenty sites: a new article a day, every design for ten days,
/// session ids in the links, articles that come back.
#[test]
fn lists_are_polled_for_a_month_through_two_redesigns() {
    let user = User::new();
    let sites: Vec<ListSite> = (0..20).map(|design| ListSite::new(10, design)).collect();
    for site in &sites {
        user.add_all(&[&site.url(), "--list"]).ends(0, &["8 items"]);
    }
    for day in 1..=30 {
        for site in &sites {
            site.set(|gazette| {
                gazette.newest += 1;
                if day == 11 || day == 21 {
                    gazette.design += 1;
                }
            });
        }
        let at = format!("2100-01-{day:02}T12:00:00Z");
        user.run(&user.round_args(&at)).ends(0, &[]);
    }
    for site in &sites {
        let feed = user.run(&[
            "feed",
            &site.url(),
            "--archive",
            "store",
            "--format",
            "json",
        ]);
        let feed: serde_json::Value = serde_json::from_str(&feed.ends(0, &[]).out).expect("JSON");
        let titles = feed["items"].as_array().expect("items").iter();
        let titles: Vec<&str> = titles.filter_map(|item| item["title"].as_str()).collect();
        // Article 1 came back on the day of article 12; article 2 was never listed.
        let expected: BTreeSet<String> = [1].into_iter().chain(3..=40).map(title).collect();
        let found: BTreeSet<String> = titles.iter().map(|title| (*title).to_owned()).collect();
        assert_eq!(found, expected);
        assert_eq!(titles.len(), expected.len());
        let texts = feed["items"].as_array().expect("items").iter();
        let is_whole = |item: &serde_json::Value| {
            item["content_html"]
                .as_str()
                .is_some_and(|html| html.len() > 300)
        };
        assert!(texts.clone().all(is_whole), "{feed}");
    }
}

/// Between two polls more articles came than a page of the list shows.
#[test]
fn a_list_is_read_on_until_it_is_known() {
    let (site, user) = (ListSite::new(10, 1), User::new());
    site.set(|gazette| gazette.older = Older::Pages);
    user.add_all(&[&site.url(), "--list"]).ends(0, &["8 items"]);
    let poll = |at: &str, newest: usize| {
        site.set(|gazette| gazette.newest = newest);
        user.run(&user.round_args(at)).ends(0, &[]);
        titles_of(&user, &site.url())
    };
    has_all(&poll("2100-01-02T12:00:00Z", 35), 3..=35);
    // Five pages behind the first; `forest feed` gives the newest fifty items.
    let titles = poll("2100-01-03T12:00:00Z", 135);
    let listed: BTreeSet<&String> = titles.iter().collect();
    let expected: Vec<String> = (34..=35).chain(88..=135).map(title).collect();
    assert_eq!(listed, expected.iter().collect());
}

/// The titles in the feed at an address, as `forest feed` writes it.
fn titles_of(user: &User, url: &str) -> Vec<String> {
    let feed = user.run(&["feed", url, "--archive", "store", "--format", "json"]);
    let feed: serde_json::Value = serde_json::from_str(&feed.ends(0, &[]).out).expect("JSON");
    let items = feed["items"].as_array().expect("items").iter();
    let titles = items.map(|item| item["title"].as_str().unwrap_or_default().to_owned());
    titles.collect()
}

fn backfill(user: &User, site: &str, pages: &str) -> Vec<serde_json::Value> {
    let run = user.run(&[
        "harvest",
        "backfill",
        site,
        "--pages",
        pages,
        "--json",
        "--archive",
        "store",
        "--allow-private",
        "--delay",
        "0",
    ]);
    run.ends(0, &[]).records()
}

/// All titles up to a number, each once.
fn has_all(titles: &[String], numbers: std::ops::RangeInclusive<usize>) {
    let expected: BTreeSet<String> = numbers.map(title).collect();
    let found: BTreeSet<String> = titles.iter().cloned().collect();
    assert_eq!(found, expected);
    assert_eq!(titles.len(), expected.len());
}

#[test]
fn pages_of_a_list_are_walked_to_a_bound_and_to_their_end() {
    let (site, user) = (ListSite::new(40, 1), User::new());
    site.set(|gazette| gazette.older = Older::Pages);
    user.add_all(&[&site.url(), "--list"]).ends(0, &["8 items"]);
    let walked = backfill(&user, &site.url(), "3");
    let counts: Vec<_> = walked
        .iter()
        .map(|page| (page["items"].as_u64(), page["new"].as_u64()))
        .collect();
    assert_eq!(
        counts,
        [(Some(8), Some(0)), (Some(8), Some(8)), (Some(8), Some(8))]
    );
    has_all(&titles_of(&user, &site.url()), 17..=40);
    let run = user.run(&[
        "harvest",
        "backfill",
        &site.url(),
        "--pages",
        "50",
        "--archive",
        "store",
        "--allow-private",
        "--delay",
        "0",
    ]);
    // A page without an article ends it.
    run.ends(
        3,
        &[
            "/page/6: no list of articles",
            "16 of 16 new articles stored, from 6 pages of lists",
        ],
    );
    has_all(&titles_of(&user, &site.url()), 1..=40);
}

#[test]
fn archives_by_month_complete_a_feed_that_is_short() {
    let (site, user) = (ListSite::new(40, 0), User::new());
    site.set(|gazette| gazette.older = Older::Months);
    let feed = format!("{}feed.xml", site.url());
    user.add_all(&[&feed]).ends(0, &["2 items"]);
    let walked = backfill(&user, &site.server.address.to_string(), "10");
    let new: Vec<_> = walked
        .iter()
        .map(|page| page["new"].as_u64().unwrap_or(99))
        .collect();
    assert_eq!(new, [6, 5, 27]);
    has_all(&titles_of(&user, &feed), 1..=40);
}
