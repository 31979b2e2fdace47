//! Pages that list articles, polled as feeds.

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

/// The state of a made-up site without a feed: its newest article, and its design.
#[derive(Default)]
struct Gazette {
    newest: usize,
    design: usize,
}

type Shared = Arc<Mutex<Gazette>>;

struct ListSite {
    state: Shared,
    server: Loopback,
}

impl ListSite {
    fn new(newest: usize, design: usize) -> ListSite {
        let state: Shared = Arc::new(Mutex::new(Gazette { newest, design }));
        let router = Router::new()
            .route("/", get(list))
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

async fn list(State(state): State<Shared>) -> Html<String> {
    let Gazette { newest, design } = *state.lock().expect("not poisoned");
    let mut items = String::new();
    // Every third day an older article comes back to the foot of the list.
    let back = (newest.is_multiple_of(3) && newest > LISTED + 3).then(|| newest - LISTED - 3);
    let first = newest.saturating_sub(LISTED) + 1;
    for n in (first..=newest).rev().chain(back) {
        let (title, day) = (
            title(n),
            format!("2099-{:02}-{:02}", 1 + n / 28, 1 + n % 28),
        );
        let link = format!("/story/{n}-after-the-storm?session={newest}x&utm_source=list");
        let _ = match design % 5 {
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
            _ => write!(items, "<dt>{day}</dt><dd><a href='{link}'>{title}</a></dd>"),
        };
    }
    let items = match design % 5 {
        0 => format!("<ul class=posts>{items}</ul>"),
        2 => format!("<table class=releases>{items}</table>"),
        4 => format!("<dl id=archive>{items}</dl>"),
        _ => format!("<section class=stream>{items}</section>"),
    };
    Html(format!(
        "<!DOCTYPE html><html lang=en><title>The Gazette</title><body><nav><ul><li><a href=/sport>Sport</a>\
         <li><a href=/about-us>About us</a><li><a href=/contact-and-imprint>Contact</a></ul></nav><main><h1>News</h1>\
         {items}</main><aside><h4>Most read</h4><ul><li><a href=/popular/1-the-old-mill>The old mill of the town</a>\
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

/// A month in fast motion: a new article a day, every design for ten days, session ids in the
/// links, articles that come back.
#[test]
fn lists_are_polled_for_a_month_through_two_redesigns() {
    let user = User::new();
    let sites: Vec<ListSite> = (0..5).map(|design| ListSite::new(10, design)).collect();
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
