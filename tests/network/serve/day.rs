//! A day with the reader in real browsers, from an empty archive to the log-out: by the mouse, by the
//! keys alone, and at the size of a phone.

use super::access::PASSWORD;
use super::browser::{BOX, Browser, Driver, GoldSite, Hand, Person, axe};
use super::reader_api::newsboat::Newsboat;
use super::{Running, options};
use crate::harvest_cli::site::{Running as Harvesting, Site, User};
use crate::needed::program;
use forest_serve::FilterPages;
use forest_web::access::hash_of;
use std::fs;
use tokio::runtime::Runtime;

/// Sites with plain stories, and their stories.
const SITES: usize = 9;
const STORIES: usize = 3;

/// Articles of the site whose wrapper is corrected; one more of its items leads nowhere.
const GOLD_ARTICLES: usize = 8;

/// Articles that are opened one after the other.
const READ: usize = 20;

/// The sites of the day, the harvest that runs, and the server of its archive.
struct Day {
    sites: Vec<Site>,
    gold: GoldSite,
    user: User,
    harvest: Harvesting,
    server: Running,
    axe: Option<String>,
    runtime: Runtime,
}

impl Day {
    fn new() -> Day {
        let user = User::new();
        let gold = GoldSite::new();
        gold.gate.close();
        let harvest = Harvesting::new(&user, &["--serve", "127.0.0.1:0", "-v"]);
        harvest.wait_for("pages at http://");
        let options = options()
            .with_archive(user.store())
            .with_password_hash(hash_of(PASSWORD).expect("a hash"));
        let pages = FilterPages::new(options).expect("pages");
        Day {
            sites: (0..SITES).map(|_| Site::new(STORIES)).collect(),
            gold,
            user,
            harvest,
            server: Running::of(&pages, FilterPages::server),
            axe: axe(),
            runtime: Runtime::new().expect("a runtime"),
        }
    }

    /// The list of its feeds, as other programs write it.
    fn opml(&self) -> std::path::PathBuf {
        let feeds = self.sites.iter().map(Site::feed).chain([self.gold_feed()]);
        let outline = |feed| format!("<outline type='rss' text='Feed' xmlUrl='{feed}'/>");
        let outlines: String = feeds.map(outline).collect();
        let path = self.user.path("feeds.opml");
        let list = format!(
            "<opml version='2.0'><body><outline text='News'>{outlines}</outline></body></opml>"
        );
        fs::write(&path, list).expect("written");
        path
    }

    fn gold_feed(&self) -> String {
        format!("http://{}/feed.xml", self.gold.server.address)
    }

    /// The page is usable by all, and not wider than its window.
    async fn look(&self, person: &Person) {
        person.is_accessible(self.axe.as_deref()).await;
        person.fits().await;
    }

    async fn begin(&self, person: &Person) {
        person.go("/").await;
        self.look(person).await;
        person.write("input[name=password]", PASSWORD).await;
        person.wait_for("There are no feeds yet").await;
        self.look(person).await;
        person.follow("main p a[href=add]").await;
        let file = person.find("#file").await;
        let path = self.opml();
        file.send_keys(path.to_str().expect("UTF-8"))
            .await
            .expect("chosen");
        self.look(person).await;
        person.follow("form[action='add/import'] button").await;
        let shown = person.wait_for("10 feeds are added").await;
        assert!(
            shown.contains("The harvest that runs reads them now"),
            "{shown}"
        );
        self.look(person).await;
        for _ in 0..SITES * STORIES + GOLD_ARTICLES {
            self.harvest.wait_for(": stored");
        }
    }

    async fn read(&self, person: &Person) {
        person.go("/archive").await;
        person.wait_for("read just now").await;
        self.look(person).await;
        person.go("/reader").await;
        self.look(person).await;
        let all = person.unread().await;
        person.follow(".entries h2 > a").await;
        for at in 1..=READ {
            person.wait_for("Mark as unread").await;
            if at == 1 || at == READ {
                self.look(person).await;
            }
            if at < READ {
                match person.hand {
                    Hand::Mouse => person.follow("a[rel=next]").await,
                    Hand::Keys => person.leaves(async || person.press('n').await).await,
                }
            }
        }
        person.activate("main button[value=starred]").await;
        person.wait_for("Remove the star").await;
        person.go("/reader").await;
        assert_eq!(person.unread().await, all - READ as u64);
        person.go("/reader?show=starred").await;
        let starred = "return document.querySelectorAll('.entries > li').length";
        assert_eq!(person.eval(starred).await, 1);
        self.look(person).await;
        person.wait_for_index("lifeboat").await;
        person.search("lifeboat").await;
        assert!(person.text().await.contains(BOX));
        self.look(person).await;
    }

    /// A box is taken out of the articles, the stored ones too.
    async fn correct(&self, person: &Person) {
        let at = person.client.current_url().await.expect("an address");
        person.follow("main a[href^='../sites/']").await;
        person.find("#secrets").await;
        self.look(person).await;
        person.follow("main a[href$='/workshop']").await;
        person.find("#effect").await;
        self.look(person).await;
        person.choose_box().await;
        person.follow("button[value=not_article]").await;
        person.wait_for("1 change, not saved").await;
        self.look(person).await;
        person.follow("main button[value=reread]").await;
        person.wait_for("8 with another text").await;
        self.look(person).await;
        person.go(at.path()).await;
        assert!(!person.text().await.contains(BOX));
        let feed = self
            .user
            .run(&["feed", "--archive", "store", &self.gold_feed()])
            .out;
        assert_eq!(feed.matches("</entry>").count(), GOLD_ARTICLES + 1);
        assert!(!feed.contains(BOX), "{feed}");
    }

    async fn save(&self, person: &Person) {
        let page = format!("http://{}/story/9", self.sites[0].host);
        person.go(&format!("/save?url={page}")).await;
        self.look(person).await;
        person.follow("main form button").await;
        person.wait_for("Its article will stand in").await;
        self.look(person).await;
        self.harvest.wait_for("story/9: stored");
        person.follow("main p[role=status] a").await;
        person.wait_for("Story 9").await;
        self.look(person).await;
    }

    /// An app has the same unread articles, and marks them.
    async fn sync(&self, person: &Person) {
        let (newsboat, script) = (
            program(&["newsboat"], "apt-get install newsboat"),
            program(&["script"], "apt-get install bsdutils"),
        );
        let (Some(newsboat), Some(script)) = (newsboat, script) else {
            return;
        };
        person.go("/archive").await;
        person.follow("main a[href=apps]").await;
        self.look(person).await;
        person.write("input[name=name]", "newsboat").await;
        let token = person.find("pre.code").await.text().await.expect("a token");
        self.look(person).await;
        person.go("/reader").await;
        let unread = person.unread().await;
        let newsboat = Newsboat::new(newsboat, &self.user, &self.server, &token);
        assert_eq!(newsboat.unread(), format!("{unread} unread articles"));
        // It opens the first article of the first feed.
        newsboat.types(&script, "\r\rqqq");
        person.go("/reader").await;
        assert_eq!(person.unread().await, unread - 1);
    }

    async fn end(&self, person: &Person) {
        person.go("/settings").await;
        self.look(person).await;
        person.follow("form[action=logout] button").await;
        person.find("input[name=password]").await;
        person.go("/reader").await;
        person.find("input[name=password]").await;
        self.look(person).await;
    }

    fn passes(self, person: &Person) {
        self.runtime.block_on(async {
            self.begin(person).await;
            self.read(person).await;
            self.correct(person).await;
            self.save(person).await;
            self.sync(person).await;
            self.end(person).await;
        });
        let closed = self.runtime.block_on(person.client.clone().close());
        closed.expect("closed");
        self.harvest.ends("");
    }
}

impl Person {
    /// The number of unread entries of all feeds.
    async fn unread(&self) -> u64 {
        let count = "return Number(document.querySelector('#feeds .count')?.textContent ?? 0)";
        self.eval(count).await.as_u64().expect("a number")
    }

    fn of(client: fantoccini::Client, day: &Day, hand: Hand) -> Person {
        let server = format!("http://{}", day.server.address);
        Person {
            client,
            server,
            hand,
        }
    }
}

#[test]
fn a_day_by_the_mouse() {
    let Some(driver) = Driver::new(Browser::Chromium) else {
        return;
    };
    let day = Day::new();
    let client = day.runtime.block_on(driver.open(false));
    let person = Person::of(client, &day, Hand::Mouse);
    day.passes(&person);
}

#[test]
fn a_day_by_the_keys_in_firefox() {
    let Some(driver) = Driver::new(Browser::Firefox) else {
        return;
    };
    let day = Day::new();
    let client = day.runtime.block_on(driver.open(false));
    let person = Person::of(client, &day, Hand::Keys);
    day.passes(&person);
}

#[test]
fn a_day_on_a_phone() {
    let Some(driver) = Driver::new(Browser::Chromium) else {
        return;
    };
    let day = Day::new();
    let client = day.runtime.block_on(driver.open_phone());
    let person = Person::of(client, &day, Hand::Mouse);
    day.passes(&person);
}
