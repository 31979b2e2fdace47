//! Pictures that are not stored, brought by the server.

#[cfg(all(feature = "heavy", feature = "archive", feature = "cli"))]
use super::browser::{Browser, Driver, Hand, Person};
use super::{Answer, Running, options};
use crate::harvest_cli::site::User;
use crate::loopback::Loopback;
use crate::story::paragraphs;
use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use forest_fetch::FetchOptions;
use forest_html::text::sha256_hex;
use forest_serve::{FilterPages, ServeOptions};
use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex};
use std::time::Duration;

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x40\0\0\0\x40\x08\0\0\0\0";

/// Pictures of each article, by their file; the first is at `other`.
const FILES: [&str; 10] = [
    "away.png",
    "ok.png",
    "html.png",
    "text.png",
    "vector.svg",
    "large.png",
    "slow.png",
    "gone.png",
    "packed.png",
    "private.png",
];

/// What the pictures' server knows.
#[derive(Clone)]
struct Pictures {
    other: SocketAddr,
    /// The heads of requests for pictures.
    heads: Arc<Mutex<Vec<HeaderMap>>>,
}

async fn feed() -> impl IntoResponse {
    let items = (1..=3).map(|n| {
        format!("<item><guid>{n}</guid><title>Story {n}</title><link>/story/{n}</link></item>")
    });
    let items: String = items.collect();
    let kind = [(header::CONTENT_TYPE, "application/rss+xml")];
    let rss = "<rss version='2.0'><channel><title>G</title><link>/</link>";
    (kind, format!("{rss}{items}</channel></rss>"))
}

async fn story(State(pictures): State<Pictures>, Path(n): Path<usize>) -> Html<String> {
    let other = pictures.other;
    let of_file = |file: &&str| {
        let host = match *file {
            "away.png" => format!("http://{other}"),
            _ => String::new(),
        };
        format!("<img src='{host}/p/{file}' alt='{file}' width=64 height=48>")
    };
    let texts = paragraphs("", n).into_iter();
    let texts: Vec<String> = texts.map(|text| format!("<p>{text}</p>")).collect();
    let (first, rest) = texts.split_at(1);
    let images: String = FILES.iter().map(of_file).collect();
    Html(format!(
        "<!DOCTYPE html><html lang=en><title>Story {n}</title><body><h1>Story {n}</h1>\
         <div class=story>{}{images}{}</div><div class=foot>All rights reserved.</div>",
        first.concat(),
        rest.concat()
    ))
}

async fn picture(
    State(pictures): State<Pictures>,
    Path(file): Path<String>,
    headers: HeaderMap,
) -> Response {
    pictures.heads.lock().expect("not poisoned").push(headers);
    let of_kind = |kind: &'static str, bytes: Vec<u8>| {
        ([(header::CONTENT_TYPE, kind)], bytes).into_response()
    };
    match &*file {
        "html.png" => of_kind("image/png", b"<html><script>evil()</script>".into()),
        "text.png" => of_kind("text/html", PNG.into()),
        "vector.svg" => of_kind(
            "image/svg+xml",
            b"<svg><script>evil()</script></svg>".into(),
        ),
        "large.png" => of_kind("image/png", [PNG, &vec![0; 8_000_000]].concat()),
        // It never answers.
        "slow.png" => std::future::pending().await,
        "packed.png" => {
            let head = [
                (header::CONTENT_TYPE, "image/png"),
                (header::CONTENT_ENCODING, "gzip"),
            ];
            (head, PNG).into_response()
        }
        "private.png" => {
            let to = format!("http://{}/p/ok.png", pictures.other);
            (StatusCode::FOUND, [(header::LOCATION, to)]).into_response()
        }
        "gone.png" => StatusCode::NOT_FOUND.into_response(),
        _ => of_kind("image/png", PNG.into()),
    }
}

/// A site with an archive of its articles, whose pictures are not stored.
struct Gallery {
    /// Requests for pictures of the site, and of another one.
    site: Arc<Mutex<Vec<HeaderMap>>>,
    other: Arc<Mutex<Vec<HeaderMap>>>,
    user: User,
    _servers: [Loopback; 2],
}

impl Gallery {
    fn new() -> Gallery {
        let (of_site, of_other) = (Arc::default(), Arc::default());
        let router = |state: Pictures| {
            Router::new()
                .route("/feed", get(feed))
                .route("/story/{n}", get(story))
                .route("/p/{file}", get(picture))
                .with_state(state)
        };
        let pictures = |other, heads: &Arc<_>| Pictures {
            other,
            heads: Arc::clone(heads),
        };
        let other = Loopback::of(|own| router(pictures(own, &of_other)));
        let site = Loopback::of(|_| router(pictures(other.address, &of_site)));
        let user = User::new();
        user.add_all(&[&format!("http://{}/feed", site.address)])
            .ends(0, &["3 items"]);
        user.round(3, &[]).ends(0, &["3 new articles"]);
        Gallery {
            site: of_site,
            other: of_other,
            user,
            _servers: [site, other],
        }
    }

    fn served(&self, options: ServeOptions) -> Running {
        let pages = FilterPages::new(options.with_archive(self.user.store())).expect("pages");
        Running::of(&pages, FilterPages::server)
    }
}

/// Chooses what stands in the place of pictures that are not stored.
fn choose(server: &Running, unstored: &str) {
    let token = server.token();
    let fields = [("token", token.as_str()), ("unstored", unstored)];
    assert_eq!(server.send_form("/settings", &fields).status, 303);
}

/// The tag of the picture of a file in an article.
fn tag(server: &Running, file: &str) -> Option<String> {
    let page = server.own("/reader/1").text();
    page.split("<img").skip(1).find_map(|rest| {
        let tag = rest.split('>').next()?;
        tag.contains(&format!("alt=\"{file}\""))
            .then(|| tag.to_owned())
    })
}

/// The address of the picture of a file in an article.
fn address(server: &Running, file: &str) -> String {
    let tag = tag(server, file).unwrap_or_else(|| panic!("{file} is no picture"));
    let (_, rest) = tag.split_once("src=\"../").expect("an address");
    let address = rest.split('"').next().expect("its end");
    format!("/{}", address.replace("&amp;", "&"))
}

fn brought(server: &Running, file: &str) -> Answer {
    server.own(&address(server, file))
}

#[test]
fn pictures_are_links_until_a_reader_wants_them() {
    let gallery = Gallery::new();
    let server = gallery.served(options());
    assert_eq!(tag(&server, "ok.png"), None);
    let settings = server.own("/settings").text();
    let usual = "<option value=\"links\" selected>Links</option>";
    assert!(settings.contains(usual), "{settings}");
    choose(&server, "known-hosts");
    let shown = tag(&server, "ok.png").expect("a picture");
    for part in ["loading=lazy", "width=\"64\"", "height=\"48\""] {
        assert!(shown.contains(part), "{shown}");
    }
    // The archive has nothing of the other host.
    assert_eq!(tag(&server, "away.png"), None);
    assert!(
        server
            .own("/reader/1")
            .text()
            .contains(">Picture: away.png</a>")
    );
    let ok = address(&server, "ok.png");
    assert_eq!(server.own(&ok).status, 200);
    // What was allowed once is refused when the settings say so.
    choose(&server, "links");
    assert_eq!(tag(&server, "ok.png"), None);
    assert_eq!(server.own(&ok).status, 403);
    choose(&server, "any-host");
    let away = address(&server, "away.png");
    choose(&server, "known-hosts");
    let refused = server.own(&away);
    assert_eq!(refused.status, 403);
    assert!(
        refused.text().contains("nothing of its host"),
        "{}",
        refused.text()
    );
    assert!(gallery.other.lock().expect("not poisoned").is_empty());
}

#[test]
fn a_picture_is_brought_once_and_nothing_is_said_of_its_reader() {
    let gallery = Gallery::new();
    let server = gallery.served(options());
    choose(&server, "known-hosts");
    let path = address(&server, "ok.png");
    let host = format!("Host: {}", server.address);
    let of_browser = [
        &*host,
        "Referer: http://127.0.0.1/reader/1",
        "Cookie: forest-session=secret",
        "User-Agent: Mozilla/5.0",
        "Accept-Language: el",
        "Sec-Fetch-Site: same-origin",
        "Sec-Fetch-Dest: image",
    ];
    for _ in 0..2 {
        let picture = server.ask(&format!("GET {path}"), &of_browser);
        assert_eq!((picture.status, &*picture.body), (200, PNG));
        assert_eq!(picture.header("content-type"), Some("image/png"));
        assert_eq!(picture.header("x-content-type-options"), Some("nosniff"));
        let policy = picture.header("content-security-policy").expect("one");
        assert!(
            policy.starts_with("sandbox; default-src 'none'"),
            "{policy}"
        );
        assert_eq!(
            picture.header("cache-control"),
            Some("private, max-age=86400")
        );
        assert_eq!(picture.header("referrer-policy"), Some("no-referrer"));
    }
    let heads = gallery.site.lock().expect("not poisoned");
    let [head] = &heads[..] else {
        panic!("{heads:?}")
    };
    for name in ["referer", "cookie", "accept-language", "via"] {
        assert_eq!(head.get(name), None, "{name}");
    }
    assert_eq!(head["user-agent"], FetchOptions::USER_AGENT);
    // A page of another site shows no picture of ours.
    let foreign = [
        &*host,
        "Sec-Fetch-Site: cross-site",
        "Sec-Fetch-Mode: no-cors",
    ];
    assert_eq!(server.ask(&format!("GET {path}"), &foreign).status, 403);
}

#[test]
fn only_the_address_of_a_shown_picture_is_asked_for() {
    let gallery = Gallery::new();
    let server = gallery.served(options());
    choose(&server, "any-host");
    let (ok, gone) = (address(&server, "ok.png"), address(&server, "gone.png"));
    let (url, key) = ok.split_once("&key=").expect("a key");
    let (other_url, _) = gone.split_once("&key=").expect("a key");
    for wrong in [
        "/picture".to_owned(),
        url.to_owned(),
        format!("{url}&key="),
        format!("{url}&key={}", &key[1..]),
        format!("{url}x&key={key}"),
        format!("{other_url}&key={key}"),
        format!("/picture?url=file%3A%2F%2F%2Fetc%2Fpasswd&key={key}"),
    ] {
        assert_eq!(server.own(&wrong).status, 403, "{wrong}");
    }
    // Nor does a key follow from what stands in each form.
    let forged = {
        let (_, coded) = other_url.split_once("url=").expect("an address");
        let address = url::form_urlencoded::parse(format!("u={coded}").as_bytes())
            .next()
            .expect("a field")
            .1
            .into_owned();
        let digest = sha256_hex(&address);
        sha256_hex(format!("picture {} of {digest}", server.token()))
    };
    assert_eq!(
        server
            .own(&format!("{other_url}&key={}", &forged[..40]))
            .status,
        403
    );
    // Another archive has other keys.
    let other = Gallery::new();
    assert_eq!(other.served(options()).own(&ok).status, 403);
    assert!(gallery.site.lock().expect("not poisoned").is_empty());
    let with_password = {
        let hash = forest_web::access::hash_of("open sesame").expect("a hash");
        gallery.served(options().with_password_hash(hash))
    };
    assert_ne!(with_password.own(&ok).status, 200);
}

#[test]
fn private_addresses_are_not_asked_unless_a_feed_was_typed_there() {
    let gallery = Gallery::new();
    let server = gallery.served(options());
    choose(&server, "any-host");
    let check = |file: &str| {
        let refused = brought(&server, file);
        assert_eq!(refused.status, 403, "{file}: {}", refused.text());
        assert!(refused.text().contains("127.0.0.1"), "{}", refused.text());
    };
    check("away.png");
    // The same, by a redirect.
    check("private.png");
    assert_eq!(brought(&server, "ok.png").status, 200);
    assert!(gallery.other.lock().expect("not poisoned").is_empty());
    let public_alone = gallery.served(options().with_allow_private(false));
    assert_eq!(brought(&public_alone, "ok.png").status, 403);
    // A redirect to a host that is not known is not followed either.
    choose(&server, "known-hosts");
    assert_eq!(brought(&server, "private.png").status, 403);
    assert!(gallery.other.lock().expect("not poisoned").is_empty());
}

#[test]
fn what_is_no_picture_in_time_and_size_is_refused() {
    let gallery = Gallery::new();
    let in_short = FetchOptions::default().with_timeout(Duration::from_millis(700));
    let server = gallery.served(options().with_fetching(in_short));
    choose(&server, "known-hosts");
    for (file, status, why) in [
        ("html.png", 502, "no picture that is shown"),
        ("text.png", 502, "no picture"),
        ("vector.svg", 502, "no picture that is shown"),
        ("packed.png", 502, "packs it"),
        ("gone.png", 502, "status 404"),
        ("slow.png", 504, "takes longer"),
    ] {
        let refused = brought(&server, file);
        assert_eq!(refused.status, status, "{file}: {}", refused.text());
        assert!(refused.text().contains(why), "{file}: {}", refused.text());
        assert_eq!(refused.header("cache-control"), Some("no-store"));
        // Nobody is asked again at once.
        let asked = || gallery.site.lock().expect("not poisoned").len();
        let before = asked();
        let again = brought(&server, file);
        assert_eq!((again.status, again.text()), (status, refused.text()));
        assert_eq!(asked(), before, "{file}");
    }
    let server = gallery.served(options());
    let refused = brought(&server, "large.png");
    assert_eq!(refused.status, 502);
    assert!(
        refused.text().contains("larger than 8 MB"),
        "{}",
        refused.text()
    );
}

#[cfg(all(feature = "heavy", feature = "archive", feature = "cli"))]
#[test]
fn a_browser_shows_links_for_pictures_that_do_not_come() {
    let Some(driver) = Driver::new(Browser::Chromium) else {
        return;
    };
    let gallery = Gallery::new();
    let in_short = FetchOptions::default().with_timeout(Duration::from_millis(700));
    let server = gallery.served(options().with_fetching(in_short));
    choose(&server, "known-hosts");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let person = Person {
            client: driver.open(false).await,
            server: format!("http://{}", server.address),
            hand: Hand::Mouse,
        };
        person.go("/reader/1").await;
        // Of those that come, the tests have no more than their beginning.
        let all = "const wait = () => { const links = [...document.querySelectorAll('article .absent')]; \
                   if (document.querySelector('article img')) requestAnimationFrame(wait); \
                   else done(links.map(it => `${it.textContent} ${new URL(it.href).pathname}`)); }; wait();";
        let links = person.eval_later(all).await;
        let expected = FILES.map(|file| format!("Picture: {file} /p/{file}"));
        assert_eq!(links, serde_json::json!(expected));
        person.client.close().await.expect("closed");
    });
}

#[test]
fn pictures_come_out_of_the_bucket_of_fetches() {
    let gallery = Gallery::new();
    let one = NonZeroU32::new(1).expect("not 0");
    let server = gallery.served(options().with_fetches_at_once(one));
    choose(&server, "known-hosts");
    assert_eq!(brought(&server, "ok.png").status, 200);
    let asked = ["gone.png", "html.png", "text.png", "packed.png"];
    let asked = asked.map(|file| brought(&server, file));
    let refused = asked.into_iter().find(|answer| answer.status != 502);
    let refused = refused.expect("the bucket is empty at last");
    assert_eq!(refused.status, 429);
    assert!(refused.header("retry-after").is_some());
    // What is kept needs no fetch.
    assert_eq!(brought(&server, "ok.png").status, 200);
}
