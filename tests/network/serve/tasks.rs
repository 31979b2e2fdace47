//! The tasks of a reader in a browser, each within a number of presses: a click, or Enter behind typed
//! words.

use super::browser::{BOX, Browser, Driver, GoldSite, Hand, Person};
use super::{Running, options};
use crate::harvest_cli::site::{Running as Harvesting, User};
use forest_serve::FilterPages;
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;

/// A step of a task.
enum Step<'t> {
    /// Presses what a selector finds.
    Press(&'t str),
    /// Writes into a field, and presses Enter.
    Write(&'t str, &'t str),
    /// Presses the box in the frame of the workshop.
    PressBox,
    /// Waits for words.
    See(&'t str),
}

use Step::{Press, PressBox, See, Write};

/// Does a task from the page that is shown, in at most `most` presses.
async fn does(person: &Person, most: usize, steps: &[Step<'_>]) {
    let pressed = steps.iter().filter(|step| !matches!(step, See(_))).count();
    assert!(pressed <= most, "{pressed} presses");
    for step in steps {
        match step {
            Press(css) => person.activate(css).await,
            Write(css, text) => person.write(css, text).await,
            PressBox => person.choose_box().await,
            See(words) => {
                person.wait_for(words).await;
            }
        }
    }
}

#[test]
fn five_tasks_take_few_presses() {
    let Some(driver) = Driver::new(Browser::Chromium) else {
        return;
    };
    let (user, gold) = (User::new(), GoldSite::new());
    gold.gate.close();
    let harvest = Harvesting::new(&user, &["--serve", "127.0.0.1:0", "-v"]);
    harvest.wait_for("pages at http://");
    let pages = FilterPages::new(options().with_archive(user.store())).expect("pages");
    let server = Running::of(&pages, FilterPages::server);
    let runtime = Runtime::new().expect("a runtime");
    let feed = format!("http://{}/feed.xml", gold.server.address);
    runtime.block_on(async {
        let person = Person {
            client: driver.open(false).await,
            server: format!("http://{}", server.address),
            hand: Hand::Mouse,
        };
        person.go("/").await;
        let begun = Instant::now();
        let first = [
            Press("main p a[href=add]"),
            Write("input[name=url]", &feed),
            See("Add the feed"),
            Press("main form button.main"),
        ];
        does(&person, 3, &first).await;
        harvest.wait_for(": stored");
        let open = [Press(".entries a"), See("To the list")];
        does(&person, 1, &open).await;
        assert!(begun.elapsed() < Duration::from_secs(60));
        person.find("article h1").await;
        for _ in 1..8 {
            harvest.wait_for(": stored");
        }
        let article = person.client.current_url().await.expect("an address");
        person.wait_for_index("lifeboat").await;
        person.go(article.path()).await;
        let find = [
            Press("nav a[href$=search]"),
            Write("input[type=search]", "lifeboat"),
            See("found"),
            Press(".entries a"),
            See(BOX),
        ];
        does(&person, 3, &find).await;
        let correct = [
            Press("main a[href^='../sites/']"),
            Press("main a[href$='/workshop']"),
            PressBox,
            Press("button[value=not_article]"),
            See("1 change, not saved"),
            Press("main button[value=reread]"),
            See("8 with another text"),
        ];
        does(&person, 5, &correct).await;
        person.go(&format!("/save?url={feed}")).await;
        let save = [Press("main form button"), See("Its article will stand in")];
        does(&person, 1, &save).await;
        person.go("/reader").await;
        let undo = [
            Press("button[name=older][value='0']"),
            See("8 entries are marked as read"),
            Press("button[name=undo]"),
            See("Unread 8"),
        ];
        does(&person, 2, &undo).await;
        person.client.close().await.expect("closed");
    });
    harvest.ends("");
}
