//! The pages in a real browser, end to end: a site of the project's own gold is added, read,
//! searched, its wrapper changed in the workshop by mouse and by keys, saved, and harvested again.

use super::{Running, options};
use crate::harvest_cli::site::{Site, User};
use crate::loopback::Loopback;
use crate::needed::{needed, program};
use axum::Router;
use axum::extract::Path as UrlPath;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use fantoccini::actions::{InputSource, KeyAction, KeyActions};
use fantoccini::elements::Element;
use fantoccini::key::Key;
use fantoccini::{Client, ClientBuilder, Locator};
use forest::serve::{FilterPages, FilterServer};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::runtime::Runtime;

const GOLD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/gold/harbour-gazette.example");

/// Words of the box that stands in each article of the site.
const BOX: &str = "Elsewhere in this paper";

/// The gold's site on loopback, whose articles each have a box with another article's words.
struct GoldSite {
    server: Loopback,
    /// The items of its feed.
    items: Arc<AtomicUsize>,
}

impl GoldSite {
    fn new() -> GoldSite {
        let items = Arc::new(AtomicUsize::new(9));
        let shown = Arc::clone(&items);
        let server = Loopback::of(|address| {
            let feed = move || async move { feed(address.port(), shown.load(Ordering::SeqCst)) };
            Router::new()
                .route("/feed.xml", get(feed))
                .route("/{year}/{month}/{name}/", get(page))
        });
        GoldSite { server, items }
    }
}

fn feed(port: u16, items: usize) -> Response {
    let feed = std::fs::read_to_string(format!("{GOLD}/feed.xml")).expect("a feed");
    let here = format!("http://127.0.0.1:{port}/");
    let feed = feed.replace("https://harbour-gazette.example/", &here);
    // The newest are the last that come.
    let (head, rest) = feed.split_once("<item>").expect("items");
    let all: Vec<&str> = rest.split("<item>").collect();
    let skipped = all.len() - items.min(all.len());
    let shown: String = all[skipped..]
        .iter()
        .map(|item| format!("<item>{item}"))
        .collect();
    let kind = [(header::CONTENT_TYPE, "application/rss+xml")];
    (kind, format!("{head}{shown}")).into_response()
}

async fn page(UrlPath((_, _, name)): UrlPath<(String, String, String)>) -> Response {
    let mut names: Vec<String> = std::fs::read_dir(GOLD)
        .expect("a folder")
        .filter_map(|file| file.expect("an entry").file_name().into_string().ok())
        .filter_map(|file| file.strip_suffix(".html").map(str::to_owned))
        .collect();
    names.sort();
    let Some(at) = names.iter().position(|known| *known == name) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let other = &names[(at + 1) % names.len()];
    let record = std::fs::read_to_string(format!("{GOLD}/{other}.json")).expect("a record");
    let record: serde_json::Value = serde_json::from_str(&record).expect("JSON");
    let words: String = record["text"]
        .as_str()
        .expect("a text")
        .chars()
        .take(400)
        .collect();
    let html = std::fs::read_to_string(format!("{GOLD}/{name}.html")).expect("a page");
    let content = "<div class=\"entry-content\">";
    assert!(html.contains(content), "{name}");
    let with_box = format!("{content}<p class=\"elsewhere\">{BOX}: {words}</p>");
    let html = html.replacen(content, &with_box, 1);
    ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], html).into_response()
}

/// The driver of the browser.
struct Driver {
    child: Child,
    port: u16,
    browser: PathBuf,
}

impl Driver {
    fn new() -> Option<Driver> {
        let browser = program(&["chromium", "google-chrome"], "apt-get install chromium")?;
        let driver = program(&["chromedriver"], "apt-get install chromium-driver")?;
        let mut child = Command::new(driver)
            .arg("--port=0")
            .stdout(Stdio::piped())
            .spawn()
            .expect("it runs");
        let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines();
        let port = lines.find_map(|line| {
            let line = line.expect("UTF-8");
            let (_, port) = line.split_once("successfully on port ")?;
            port.trim_end_matches('.').parse().ok()
        });
        // It goes on to write.
        std::thread::spawn(move || lines.for_each(drop));
        Some(Driver {
            child,
            port: port.expect("a port"),
            browser,
        })
    }

    async fn open(&self, more: &[&str]) -> Client {
        let common = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
        ];
        let args: Vec<&str> = common.iter().chain(more).copied().collect();
        let options = serde_json::json!({"binary": self.browser, "args": args});
        let mut capabilities = serde_json::Map::new();
        capabilities.insert("goog:chromeOptions".to_owned(), options);
        let mut builder =
            ClientBuilder::new(hyper_util::client::legacy::connect::HttpConnector::new());
        let builder = builder.capabilities(capabilities);
        let at = format!("http://127.0.0.1:{}", self.port);
        builder.connect(&at).await.expect("a session")
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A person at the browser.
struct Person {
    client: Client,
    server: String,
}

impl Person {
    async fn go(&self, path: &str) {
        let at = format!("{}{path}", self.server);
        self.client.goto(&at).await.expect("a page");
    }

    async fn find(&self, css: &str) -> Element {
        let found = self.client.wait().for_element(Locator::Css(css));
        found.await.unwrap_or_else(|error| panic!("{css}: {error}"))
    }

    async fn text(&self) -> String {
        self.find("main").await.text().await.expect("a text")
    }

    async fn click(&self, css: &str) {
        self.find(css).await.click().await.expect("a click");
    }

    async fn eval(&self, script: &str) -> serde_json::Value {
        self.client
            .execute(script, Vec::new())
            .await
            .expect("a value")
    }

    /// Presses a key wherever the focus is.
    async fn press(&self, key: char) {
        let down_up = KeyActions::new("keys".to_owned())
            .then(KeyAction::Down { value: key })
            .then(KeyAction::Up { value: key });
        self.client.perform_actions(down_up).await.expect("a key");
    }

    /// Presses a key until `script` is true of the page.
    async fn press_until(&self, key: char, script: &str) {
        for _ in 0..200 {
            if self.eval(script).await == true {
                return;
            }
            self.press(key).await;
        }
        panic!("{script} never came true");
    }

    /// Waits for text on the page.
    async fn wait_for(&self, part: &str) -> String {
        let quoted = serde_json::to_string(part).expect("JSON");
        let script = format!("return document.querySelector('main').innerText.includes({quoted})");
        for _ in 0..2000 {
            if self.eval(&script).await == true {
                return self.text().await;
            }
        }
        panic!("{part} never came: {}", self.text().await);
    }

    /// Checks the page with axe, if it is there.
    async fn is_accessible(&self, axe: Option<&str>) {
        let Some(axe) = axe else { return };
        self.client.execute(axe, Vec::new()).await.expect("axe");
        let run = "const done = arguments[arguments.length - 1]; axe.run({iframes: false}).then(r => \
             done(r.violations.filter(v => ['serious', 'critical'].includes(v.impact))\
             .map(v => v.id + ': ' + v.nodes.map(n => n.html).join(' | '))))";
        let found = self
            .client
            .execute_async(run, Vec::new())
            .await
            .expect("its result");
        let at = self.client.current_url().await.expect("an address");
        assert_eq!(found, serde_json::json!([]), "{at}");
    }

    /// Stores a picture of the page, if somebody wants to look at it.
    async fn picture(&self, name: &str) {
        let Some(folder) = std::env::var_os("FOREST_PICTURES") else {
            return;
        };
        let png = self.client.screenshot().await.expect("a picture");
        std::fs::write(Path::new(&folder).join(format!("{name}.png")), png).expect("written");
    }

    /// Nothing is wider than the window.
    async fn fits(&self) {
        let script = "return document.documentElement.scrollWidth - innerWidth";
        let wider = self.eval(script).await;
        assert!(wider.as_i64().is_some_and(|wider| wider <= 0), "{wider}");
    }
}

/// The text of axe, whose path is in the environment.
fn axe() -> Option<String> {
    let path = needed(std::env::var_os("FOREST_AXE"), "axe-core (FOREST_AXE)")?;
    Some(std::fs::read_to_string(path).expect("axe-core"))
}

#[test]
fn a_person_adds_reads_and_corrects_a_site() {
    let Some(driver) = Driver::new() else { return };
    let axe = axe();
    let (site, other, user) = (GoldSite::new(), Site::new(1), User::new());
    user.add(&other).ends(0, &[]);
    let pages = FilterPages::new(options().with_archive(user.store())).expect("pages");
    let server = Running::of(&pages, FilterServer::of_pages);
    let runtime = Runtime::new().expect("a runtime");
    let person = runtime.block_on(async {
        Person {
            client: driver.open(&["--window-size=1280,1000"]).await,
            server: format!("http://{}", server.address),
        }
    });
    let feed = format!("http://{}/feed.xml", site.server.address);
    // Added.
    runtime.block_on(async {
        person.go("/add").await;
        let field = person.find("input[name=url]").await;
        field.send_keys(&format!("{feed}\n")).await.expect("typed");
        let shown = person.wait_for("Add to the harvest").await;
        assert!(shown.contains("A wrapper of"), "{shown}");
        person.is_accessible(axe.as_deref()).await;
        person.click("main form button").await;
        person.wait_for("The feed is added").await;
    });
    user.round(3, &["--now"]);
    let host = site.server.address.to_string();
    let workshop = format!("/sites/{host}/workshop");
    let texts = |when: &str| {
        let out = user.run(&["feed", "--archive", "store", &feed]).out;
        assert!(out.contains("<entry>"), "{when}: {out}");
        (out.matches("</entry>").count(), out.matches(BOX).count())
    };
    // An item of the feed is gone.
    let (items, boxes) = texts("before");
    assert_eq!((items, boxes), (9, 8));
    // Read, searched, and a box clicked out of the article.
    runtime.block_on(async {
        person.go("/search").await;
        let field = person.find("input[type=search]").await;
        field.send_keys("lifeboat\n").await.expect("typed");
        let found = person.wait_for("found").await;
        assert!(found.contains("ifeboat"), "{found}");
        person.click(".entries a").await;
        person.find("article h1").await;
        assert!(person.text().await.contains(BOX));
        person.is_accessible(axe.as_deref()).await;
        person.go(&workshop).await;
        person.is_accessible(axe.as_deref()).await;
        person.fits().await;
        person
            .find("#archived")
            .await
            .enter_frame()
            .await
            .expect("the frame");
        person.click("p.elsewhere").await;
        person.client.enter_parent_frame().await.expect("the page");
        let around = person
            .find("#ancestors")
            .await
            .text()
            .await
            .expect("a text");
        assert!(
            around.contains("p.elsewhere") && around.contains("div.entry-content"),
            "{around}"
        );
        person.picture("workshop").await;
        person.click("button[value=not_article]").await;
        let shown = person.wait_for("1 change, not saved").await;
        assert!(shown.contains("Texts differ on 8 of 8 pages."), "{shown}");
        person.is_accessible(axe.as_deref()).await;
        person.fits().await;
        person.picture("workshop-effect").await;
        // Undone, and done again by the keys alone.
        person.click("#undo").await;
        person.wait_for("Nothing is changed.").await;
        let focused = |css: &str| format!("return document.activeElement.matches('{css}')");
        person.press_until(Key::Tab.into(), &focused("#node")).await;
        let chosen = "const o = document.getElementById('node').selectedOptions[0]; \
                      return !!o && o.text.includes('p.elsewhere')";
        person.press_until(Key::Down.into(), chosen).await;
        person
            .press_until(Key::Tab.into(), &focused("button[value=not_article]"))
            .await;
        person.press(Key::Enter.into()).await;
        let shown = person.wait_for("1 change, not saved").await;
        assert!(shown.contains("Texts differ on 8 of 8 pages."), "{shown}");
        person
            .press_until(Key::Tab.into(), &focused("button[value=save]"))
            .await;
        person.press(Key::Enter.into()).await;
        person.wait_for("Saved.").await;
    });
    // Harvested: two more articles come, without the box.
    site.items.store(11, Ordering::SeqCst);
    user.round(9, &["--now"]);
    assert_eq!(texts("after"), (items + 2, boxes));
    // In the page, the arrow keys go from element to element.
    runtime.block_on(async {
        person.go(&workshop).await;
        let in_frame = "return document.activeElement.id === 'archived'";
        person.press_until(Key::Tab.into(), in_frame).await;
        let chosen = "return document.getElementById('ancestors').children.length";
        person.press(Key::Down.into()).await;
        assert_eq!(person.eval(chosen).await, 1);
        person.press(Key::Down.into()).await;
        assert_eq!(person.eval(chosen).await, 2);
        person.press(Key::Enter.into()).await;
        assert_eq!(
            person.eval("return document.activeElement.id").await,
            "node"
        );
        person
            .client
            .set_window_size(500, 900)
            .await
            .expect("narrow");
        person.go(&workshop).await;
        person.fits().await;
        person.picture("workshop-narrow").await;
        person.client.clone().close().await.expect("closed");
        let dark = driver.open(&[
            "--window-size=1280,1000",
            "--blink-settings=preferredColorScheme=0",
        ]);
        let dark = Person {
            client: dark.await,
            server: person.server.clone(),
        };
        dark.go(&workshop).await;
        dark.is_accessible(axe.as_deref()).await;
        dark.picture("workshop-dark").await;
        dark.client.close().await.expect("closed");
    });
}
