//! The pages in real browsers, end to end: a site of the project's own gold is added, read,
//! searched, its wrapper changed in the workshop, saved, and harvested again: in Chromium by
//! the mouse and by the keys alone, in Firefox by the mouse.

use super::{Running, options};
use crate::harvest_cli::site::{Site, User};
use crate::loopback::Loopback;
use crate::needed::{needed, program};
use crate::started::Started;
use axum::Router;
use axum::extract::Path as UrlPath;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use fantoccini::actions::{InputSource, KeyAction, KeyActions};
use fantoccini::elements::Element;
use fantoccini::error::CmdError;
use fantoccini::key::Key;
use fantoccini::{Client, ClientBuilder, Locator};
use forest_serve::FilterPages;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;
use tokio::sync::Semaphore;

const GOLD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/gold/harbour-gazette.example");

/// Words of the box that stands in each article of the site.
pub const BOX: &str = "Elsewhere in this paper";

/// The gold's site on loopback, whose articles each have a box with another article's words.
pub struct GoldSite {
    pub server: Loopback,
    /// The items of its feed.
    pub items: Arc<AtomicUsize>,
    /// Its feed is answered when this is closed.
    pub gate: Arc<Semaphore>,
}

impl GoldSite {
    pub fn new() -> GoldSite {
        let items = Arc::new(AtomicUsize::new(9));
        let gate = Arc::new(Semaphore::new(0));
        let (shown, waits) = (Arc::clone(&items), Arc::clone(&gate));
        let server = Loopback::of(|address| {
            let feed = async move || {
                // An error says that it is closed.
                let _ = waits.acquire().await;
                feed(address.port(), shown.load(Ordering::SeqCst))
            };
            Router::new()
                .route("/feed.xml", get(feed))
                .route("/{year}/{month}/{name}/", get(page))
        });
        GoldSite {
            server,
            items,
            gate,
        }
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

/// A browser, with its driver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Browser {
    Chromium,
    Firefox,
}

/// Times that a driver is started: it ends if another program takes the port that it has chosen.
const DRIVER_TRIES: usize = 5;

/// Starts a driver, which says behind `listening` at which port it can be reached.
fn started(driver: &Path, listening: &str) -> Option<(Started, u16)> {
    Started::saying(Command::new(driver).arg("--port=0"), |line| {
        let (_, port) = line.split_once(listening)?;
        port.trim_end_matches('.').parse().ok()
    })
}

/// The driver of a browser, which ends with its windows.
pub struct Driver {
    _started: Started,
    port: u16,
    kind: Browser,
    program: PathBuf,
}

impl Driver {
    pub fn new(kind: Browser) -> Option<Driver> {
        let (browser, driver, listening) = match kind {
            Browser::Chromium => (
                program(&["chromium", "google-chrome"], "apt-get install chromium")?,
                program(&["chromedriver"], "apt-get install chromium-driver")?,
                "successfully on port ",
            ),
            Browser::Firefox => (
                program(&["firefox-esr", "firefox"], "apt-get install firefox-esr")?,
                program(&["geckodriver"], "cargo install geckodriver")?,
                "Listening on 127.0.0.1:",
            ),
        };
        let (started, port) = (0..DRIVER_TRIES)
            .find_map(|_| started(&driver, listening))
            .expect("a port");
        Some(Driver {
            _started: started,
            port,
            kind,
            program: browser,
        })
    }

    /// Opens a window of 1280 by 1000 pixels.
    pub async fn open(&self, is_dark: bool) -> Client {
        self.connect(self.options(is_dark)).await
    }

    /// Opens a window as a phone has it: 390 by 844 pixels, touched.
    pub async fn open_phone(&self) -> Client {
        assert_eq!(self.kind, Browser::Chromium);
        let (name, mut options) = self.options(false);
        let screen =
            serde_json::json!({"width": 390, "height": 844, "pixelRatio": 3.0, "touch": true});
        options["mobileEmulation"] = serde_json::json!({"deviceMetrics": screen});
        self.connect((name, options)).await
    }

    /// What the driver is told: its name, and the options.
    fn options(&self, is_dark: bool) -> (&'static str, serde_json::Value) {
        match self.kind {
            Browser::Chromium => {
                let mut args = vec![
                    "--headless=new",
                    "--no-sandbox",
                    "--disable-gpu",
                    "--hide-scrollbars",
                    "--window-size=1280,1000",
                ];
                if is_dark {
                    args.push("--blink-settings=preferredColorScheme=0");
                }
                let options = serde_json::json!({"binary": self.program, "args": args});
                ("goog:chromeOptions", options)
            }
            Browser::Firefox => {
                let scheme = if is_dark { 0 } else { 1 };
                let options = serde_json::json!({
                    "binary": self.program,
                    "args": ["-headless", "-width=1280", "-height=1000"],
                    "prefs": {"layout.css.prefers-color-scheme.content-override": scheme},
                });
                ("moz:firefoxOptions", options)
            }
        }
    }

    async fn connect(&self, (name, options): (&str, serde_json::Value)) -> Client {
        let mut capabilities = serde_json::Map::new();
        capabilities.insert(name.to_owned(), options);
        let mut builder =
            ClientBuilder::new(hyper_util::client::legacy::connect::HttpConnector::new());
        let builder = builder.capabilities(capabilities);
        let at = format!("http://127.0.0.1:{}", self.port);
        builder.connect(&at).await.expect("a session")
    }
}

/// Time for a page to show what is waited for.
const WITHIN: Duration = Duration::from_secs(60);

/// Time after which a key is taken for lost.
const LOST_WITHIN: Duration = Duration::from_secs(20);

/// What a person uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hand {
    Mouse,
    /// The keyboard alone.
    Keys,
}

/// A person at the browser.
pub struct Person {
    pub client: Client,
    pub server: String,
    pub hand: Hand,
}

impl Person {
    pub async fn go(&self, path: &str) {
        let at = format!("{}{path}", self.server);
        self.client.goto(&at).await.expect("a page");
    }

    pub async fn find(&self, css: &str) -> Element {
        let found = self.client.wait().for_element(Locator::Css(css)).await;
        match found {
            Ok(element) => element,
            Err(error) => panic!("{css}: {error}: {:?}", self.client.source().await),
        }
    }

    pub async fn text(&self) -> String {
        self.find("main").await.text().await.expect("a text")
    }

    /// Clicks on an element, or goes to it from where the focus is and presses Enter.
    pub async fn activate(&self, css: &str) {
        let element = self.find(css).await;
        match self.hand {
            Hand::Mouse => {
                // A person scrolls past what is fixed at the edge of the window.
                let scroll = "arguments[0].scrollIntoView({block: 'center'})";
                let it = serde_json::to_value(&element).expect("JSON");
                self.client
                    .execute(scroll, vec![it])
                    .await
                    .expect("scrolled");
                element.click().await.expect("a click");
            }
            Hand::Keys => {
                self.press_until(Key::Tab.into(), &focused(css)).await;
                self.press(Key::Enter.into()).await;
            }
        }
    }

    /// Writes into a field and sends its form.
    pub async fn write(&self, css: &str, text: &str) {
        let field = self.find(css).await;
        match self.hand {
            Hand::Mouse => {
                let typed = format!("{text}{}", char::from(Key::Enter));
                field.send_keys(&typed).await.expect("typed");
            }
            Hand::Keys => {
                self.press_until(Key::Tab.into(), &focused(css)).await;
                for key in text.chars().chain([Key::Enter.into()]) {
                    self.press(key).await;
                }
            }
        }
    }

    /// Waits until the harvest has put an article with a word into its index, which it does a moment
    /// after it stored it.
    pub async fn wait_for_index(&self, word: &str) {
        for _ in 0..1000 {
            self.go(&format!("/search?q={word}")).await;
            if !self.text().await.contains("0 articles found") {
                return;
            }
        }
        panic!("{word} is not found");
    }

    /// Activates what leads to another page, and waits until that page is there.
    pub async fn follow(&self, css: &str) {
        self.leaves(async || self.activate(css).await).await;
    }

    /// Does what leads to another page, and waits until that page is there. A key that Firefox lost
    /// while other programs kept it waiting is pressed again, as a person does.
    pub async fn leaves(&self, act: impl AsyncFn()) {
        let is_left = "return !window.isLeft && document.readyState === 'complete'";
        for _ in 0..3 {
            self.eval("window.isLeft = true").await;
            act().await;
            let begun = Instant::now();
            while begun.elapsed() < LOST_WITHIN {
                if self.holds(is_left).await {
                    return;
                }
            }
            let about = "return [location.href, document.readyState, document.activeElement?.outerHTML].join(' ')";
            eprintln!("not left: {}", self.eval(about).await);
        }
        panic!("the page stays");
    }

    /// From the reader to the pages that a word is found on, and to the first of them.
    pub async fn search(&self, word: &str) {
        self.go("/reader").await;
        match self.hand {
            Hand::Mouse => self.activate("nav a[href$=search]").await,
            Hand::Keys => self.press('/').await,
        }
        self.write("input[type=search]", word).await;
        let found = self.wait_for("found").await;
        assert!(found.contains(&word[1..]), "{found}");
        match self.hand {
            Hand::Mouse => self.activate(".entries a").await,
            Hand::Keys => {
                self.press('j').await;
                self.press('o').await;
            }
        }
        self.find("article h1").await;
    }

    /// Chooses the box in the workshop: in the page, or in the list of its elements.
    pub async fn choose_box(&self) {
        match self.hand {
            Hand::Mouse => {
                let frame = self.find("#archived").await;
                frame.enter_frame().await.expect("the frame");
                self.activate("p.elsewhere").await;
                self.client.enter_parent_frame().await.expect("the page");
            }
            Hand::Keys => {
                self.press_until(Key::Tab.into(), &focused("#node")).await;
                let chosen = "const o = document.getElementById('node').selectedOptions[0]; \
                              return !!o && o.text.includes('p.elsewhere')";
                self.press_until(Key::Down.into(), chosen).await;
            }
        }
    }

    pub async fn eval(&self, script: &str) -> serde_json::Value {
        self.client
            .execute(script, Vec::new())
            .await
            .expect("a value")
    }

    /// Whether a script is true of the page; of one that is being left, nothing is.
    async fn holds(&self, script: &str) -> bool {
        match self.client.execute(script, Vec::new()).await {
            Ok(value) => value == true,
            Err(CmdError::Standard(_)) => false,
            Err(error) => panic!("{script}: {error}"),
        }
    }

    /// Waits until a script is true of the page.
    pub async fn wait_until(&self, script: &str) {
        let begun = Instant::now();
        while !self.holds(script).await {
            let is_late = begun.elapsed() > WITHIN;
            assert!(!is_late, "{script} never came true: {}", self.text().await);
        }
    }

    /// Presses a key wherever the focus is.
    pub async fn press(&self, key: char) {
        let down_up = KeyActions::new("keys".to_owned())
            .then(KeyAction::Down { value: key })
            .then(KeyAction::Up { value: key });
        match self.client.perform_actions(down_up).await {
            // The page that it leads away from may not be there to say that it was pressed.
            Ok(()) | Err(CmdError::Standard(_)) => {}
            Err(error) => panic!("{key}: {error}"),
        }
    }

    /// Presses a key until `script` is true of the page.
    pub async fn press_until(&self, key: char, script: &str) {
        for _ in 0..200 {
            if self.holds(script).await {
                return;
            }
            self.press(key).await;
        }
        panic!("{script} never came true");
    }

    /// Waits for text on the page.
    pub async fn wait_for(&self, part: &str) -> String {
        let quoted = serde_json::to_string(part).expect("JSON");
        let script =
            format!("return !!document.querySelector('main')?.innerText.includes({quoted})");
        self.wait_until(&script).await;
        self.text().await
    }

    /// Checks the page with axe, if it is there.
    pub async fn is_accessible(&self, axe: Option<&str>) {
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
    pub async fn picture(&self, name: &str) {
        let Some(folder) = std::env::var_os("FOREST_PICTURES") else {
            return;
        };
        let png = self.client.screenshot().await.expect("a picture");
        std::fs::write(Path::new(&folder).join(format!("{name}.png")), png).expect("written");
    }

    /// Nothing is wider than the window.
    pub async fn fits(&self) {
        let script = "return document.documentElement.scrollWidth - innerWidth";
        let wider = self.eval(script).await;
        assert!(wider.as_i64().is_some_and(|wider| wider <= 0), "{wider}");
    }
}

/// The text of axe, whose path is in the environment.
pub fn axe() -> Option<String> {
    let path = needed(std::env::var_os("FOREST_AXE"), "axe-core (FOREST_AXE)")?;
    Some(std::fs::read_to_string(path).expect("axe-core"))
}

/// A script that is true where an element has the focus.
pub fn focused(css: &str) -> String {
    let quoted = serde_json::to_string(css).expect("JSON");
    format!("return document.activeElement.matches({quoted})")
}

/// A site is added, read and searched; a box is taken out of its articles; it is harvested again.
/// Returns the person, and what still serves the pages.
fn journey(driver: &Driver, hand: Hand) -> (Runtime, Person, Running) {
    let axe = axe();
    let (site, other, user) = (GoldSite::new(), Site::new(1), User::new());
    user.add(&other).ends(0, &[]);
    let pages = FilterPages::new(options().with_archive(user.store())).expect("pages");
    let server = Running::of(&pages, FilterPages::server);
    let runtime = Runtime::new().expect("a runtime");
    let person = runtime.block_on(async {
        Person {
            client: driver.open(false).await,
            server: format!("http://{}", server.address),
            hand,
        }
    });
    let feed = format!("http://{}/feed.xml", site.server.address);
    // Added. Nothing is loaded again while the work goes on.
    runtime.block_on(async {
        person.go("/add").await;
        person.write("input[name=url]", &feed).await;
        person.wait_for("Looking for a feed").await;
        person.eval("window.isSamePage = true").await;
        site.gate.close();
        let shown = person.wait_for("Add the feed").await;
        assert!(shown.contains("is understood."), "{shown}");
        assert_eq!(person.eval("return window.isSamePage").await, true);
        person.is_accessible(axe.as_deref()).await;
        person.activate("main form button").await;
        person.wait_for("The feed is added").await;
    });
    user.round(3, &["--now"]);
    let host = site.server.address.to_string();
    let texts = |when: &str| {
        let out = user.run(&["feed", "--archive", "store", &feed]).out;
        assert!(out.contains("<entry>"), "{when}: {out}");
        (out.matches("</entry>").count(), out.matches(BOX).count())
    };
    // An item of the feed is gone.
    let (items, boxes) = texts("before");
    assert_eq!((items, boxes), (9, 8));
    // Marked in the list, which keeps its place.
    runtime.block_on(async {
        person.go("/reader?show=unread").await;
        person.eval("window.isSamePage = true").await;
        let counts = "window.counts = [...document.querySelectorAll('main .tabs [aria-current], #feeds li:first-child .count')]\
            .map(c => Number(c.textContent.match(/\\d+/)))";
        person.eval(counts).await;
        let second = ".entries > li:nth-child(2)";
        person
            .activate(&format!("{second} button[value=read]"))
            .await;
        person.wait_for("Mark as unread").await;
        // The list and the feeds beside it count one less.
        let counts = "return [...document.querySelectorAll('main .tabs [aria-current], #feeds li:first-child .count')]\
            .map(c => Number(c.textContent.match(/\\d+/)))\
            .every((n, at) => n === window.counts[at] - 1)";
        person.wait_until(counts).await;
        let read = format!("return !document.querySelector('{second}.unread')");
        assert_eq!(person.eval(&read).await, true);
        person
            .activate(&format!("{second} button[value=starred]"))
            .await;
        person.wait_for("★").await;
        assert_eq!(person.eval("return window.isSamePage").await, true);
        person.is_accessible(axe.as_deref()).await;
        person.go("/reader?show=starred").await;
        let starred = "return document.querySelectorAll('.entries > li:not(.unread)').length";
        assert_eq!(person.eval(starred).await, 1);
        // An article that is opened is read; the next one, too, and the list keeps its place.
        person.go("/reader").await;
        person.activate(".entries h2 > a").await;
        person.wait_for("Mark as unread").await;
        person.press('n').await;
        // Only the first one has no neighbour before it.
        person.wait_for("Previous").await;
        person.wait_for("Mark as unread").await;
        person.go("/reader?show=all").await;
        let read = "return document.querySelectorAll('.entries > li:not(.unread)').length";
        assert_eq!(person.eval(read).await, 3);
        person.go("/reader?show=starred").await;
        // In an article, too, also back again.
        person.activate(".entries h2 > a").await;
        person.find("article h1").await;
        person.eval("window.isSamePage = true").await;
        person.activate("main button[value=read]").await;
        person.wait_for("Mark as read").await;
        assert_eq!(person.eval("return window.isSamePage").await, true);
    });
    // Read, searched, and the box taken out of the article, put back, and taken out again.
    runtime.block_on(async {
        person.search("lifeboat").await;
        assert!(person.text().await.contains(BOX));
        person.is_accessible(axe.as_deref()).await;
        person.go(&format!("/sites/{host}/workshop")).await;
        person.is_accessible(axe.as_deref()).await;
        person.fits().await;
        for is_first in [true, false] {
            person.choose_box().await;
            let around = person.find("#ancestors").await.text().await;
            let around = around.expect("a text");
            assert!(
                around.contains("p.elsewhere") && around.contains("div.entry-content"),
                "{around}"
            );
            person.activate("button[value=not_article]").await;
            let shown = person.wait_for("1 change, not saved").await;
            assert!(shown.contains("Texts differ on 8 of 8 pages."), "{shown}");
            // The element stays chosen.
            let around = person.find("#ancestors button[aria-current]").await;
            assert!(around.text().await.expect("a text").contains("p.elsewhere"));
            if is_first {
                person.is_accessible(axe.as_deref()).await;
                person.fits().await;
                person.picture("workshop-effect").await;
                // On a phone, where only the navigation is fixed.
                person
                    .client
                    .set_window_size(500, 900)
                    .await
                    .expect("narrow");
                let table =
                    "return getComputedStyle(document.querySelector('table.pages')).position";
                assert_eq!(person.eval(table).await, "static");
                person.client.maximize_window().await.expect("wide");
                person.activate("#undo").await;
                person.wait_for("Nothing is changed.").await;
            }
        }
        person.activate("main button[value=reread]").await;
        person.wait_for("8 with another text").await;
        person.is_accessible(axe.as_deref()).await;
    });
    // The stored articles lost the box; two more come without it.
    assert_eq!(texts("corrected"), (items, 0));
    site.items.store(11, Ordering::SeqCst);
    user.round(9, &["--now"]);
    assert_eq!(texts("after"), (items + 2, 0));
    runtime.block_on(async {
        person.go(&format!("/sites/{host}/workshop")).await;
    });
    (runtime, person, server)
}

#[test]
fn a_person_adds_reads_and_corrects_a_site() {
    let Some(driver) = Driver::new(Browser::Chromium) else {
        return;
    };
    let (runtime, person, _server) = journey(&driver, Hand::Mouse);
    let axe = axe();
    // In the page, the arrow keys go from element to element.
    runtime.block_on(async {
        let workshop = person.client.current_url().await.expect("an address");
        let workshop = workshop.path();
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
        person.go(workshop).await;
        person.fits().await;
        person.picture("workshop-narrow").await;
        person.client.clone().close().await.expect("closed");
        let dark = Person {
            client: driver.open(true).await,
            server: person.server.clone(),
            hand: Hand::Mouse,
        };
        dark.go(workshop).await;
        dark.is_accessible(axe.as_deref()).await;
        dark.picture("workshop-dark").await;
        dark.client.close().await.expect("closed");
    });
}

#[test]
fn a_person_does_it_by_the_keys_alone() {
    let Some(driver) = Driver::new(Browser::Chromium) else {
        return;
    };
    let (runtime, person, _server) = journey(&driver, Hand::Keys);
    let closed = runtime.block_on(person.client.close());
    closed.expect("closed");
}

#[test]
fn a_person_does_it_in_firefox() {
    let Some(driver) = Driver::new(Browser::Firefox) else {
        return;
    };
    let (runtime, person, _server) = journey(&driver, Hand::Mouse);
    let closed = runtime.block_on(person.client.close());
    closed.expect("closed");
}
