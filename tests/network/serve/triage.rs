//! Reading through many entries: parts of lists, taken back; neighbours; counts; entries without an
//! article; settings.

use super::library::{articles, in_folders, server_of};
use super::reader_api::App;
use super::{Answer, Running};
use crate::harvest_cli::site::{Site, User};

/// A feed of twenty stories of as many days, the newest first, and one whose page is gone.
struct Desk {
    site: Site,
    user: User,
    server: Running,
}

impl Desk {
    fn new() -> Desk {
        let (site, user) = (Site::new(0), User::new());
        let gone = "<item><guid>gone</guid><title>Gone</title><link>http://HOST/gone</link>\
                    <description>&lt;p>The story of a page &lt;b>that is gone&lt;/b>.&lt;script>steal()&lt;/script>\
                    </description><pubDate>Tue, 10 Dec 2019 08:00:00 GMT</pubDate></item>";
        let stories = (1..=20).rev().map(|n| {
            format!(
                "<item><guid>{n}</guid><title>Story {n}</title><link>http://HOST/story/{n}</link>\
                 <pubDate>{n:02} Dec 2019 06:00:00 GMT</pubDate></item>"
            )
        });
        let items: String = stories.chain([gone.to_owned()]).collect();
        site.set(|show| show.more = items);
        user.add(&site).ends(0, &[]);
        user.round(3, &[]);
        let server = server_of(&user);
        Desk { site, user, server }
    }

    /// The titles of a list, in its order.
    fn titles(&self, path: &str) -> Vec<String> {
        let page = self.server.own(path).text();
        let (_, list) = page.split_once("<ul class=\"entries\"").expect("a list");
        let (list, _) = list.split_once("</ul>").expect("its end");
        let titles = list.split("data-unread").skip(1).filter_map(|entry| {
            let (_, title) = entry.split_once("</span>")?;
            title.split_once("</a>")
        });
        titles.map(|(title, _)| title.to_owned()).collect()
    }

    /// Sends a form of the reader with its token.
    fn send(&self, fields: &[(&str, &str)]) -> Answer {
        let token = self.server.token();
        let fields = [&[("token", token.as_str())], fields].concat();
        self.server.send_form("/reader/mark", &fields)
    }

    /// Marks the entry at a path.
    fn mark(&self, path: &str, mark: &str) {
        let id = path.trim_start_matches("/reader/");
        let fields = [
            ("back", "reader"),
            ("id", id),
            ("mark", mark),
            ("on", "true"),
        ];
        assert_eq!(self.send(&fields).status, 303, "{path}");
    }

    /// Follows an answer that leads to a list; its address from the root.
    fn followed(answer: &Answer) -> String {
        let to = answer.header("location").expect("it leads on");
        assert_eq!(answer.status, 303);
        format!("/{}", to.trim_start_matches("../"))
    }

    /// The place of the entry with this title in the list of all.
    fn place(&self, title: &str) -> String {
        let page = self.server.own("/reader?show=all").text();
        let (_, entry) = page.split_once(&format!("{title}</a>")).expect("an entry");
        let (_, place) = entry.split_once("name=\"upto\" value=\"").expect("a place");
        place.split('"').next().expect("its end").to_owned()
    }
}

#[test]
fn parts_of_a_list_are_marked_as_read_and_taken_back() {
    let desk = Desk::new();
    let all = desk.titles("/reader");
    assert_eq!(all.len(), 21);
    assert_eq!(all[9..12], ["Story 11", "Gone", "Story 10"]);
    let upto = desk.place("Gone");
    let list = Desk::followed(&desk.send(&[("back", "reader"), ("upto", &upto)]));
    assert_eq!(desk.titles(&list), all[11..]);
    let page = desk.server.own(&list).text();
    assert!(page.contains("11 entries are marked as read."), "{page}");
    assert!(page.contains("Unread 10"), "{page}");
    // What was read before stays so.
    let (_, number) = list.split_once("undo=").expect("it can be taken back");
    let undone = desk.send(&[("back", "reader"), ("undo", number)]);
    assert_eq!(desk.titles(&Desk::followed(&undone)), all);
    assert!(!desk.server.own(&list).text().contains("Undo"));
    desk.send(&[("back", "reader"), ("undo", number)]);
    let one = articles(&desk.server.own("/reader"))[0].clone();
    desk.mark(&one, "read");
    let list = Desk::followed(&desk.send(&[("back", "reader"), ("older", "0")]));
    assert!(desk.titles(&list).is_empty());
    assert!(
        desk.server
            .own(&list)
            .text()
            .contains("20 entries are marked")
    );
    let (_, number) = list.split_once("undo=").expect("it can be taken back");
    desk.send(&[("back", "reader"), ("undo", number)]);
    assert_eq!(desk.titles("/reader"), all[1..]);
    // All are of years ago.
    let old = Desk::followed(&desk.send(&[("back", "reader"), ("older", "30")]));
    assert!(
        desk.server
            .own(&old)
            .text()
            .contains("20 entries are marked")
    );
    assert_eq!(
        Desk::followed(&desk.send(&[("back", "reader"), ("older", "1")])),
        "/reader"
    );
}

#[test]
fn a_part_is_of_its_own_list() {
    let desk = Desk::new();
    let starred = articles(&desk.server.own("/reader"))[4].clone();
    desk.mark(&starred, "starred");
    desk.send(&[("back", "reader?show=starred"), ("older", "0")]);
    let unread = desk.titles("/reader");
    assert_eq!(
        (unread.len(), unread.contains(&"Story 16".to_owned())),
        (20, false)
    );
    // Of a feed that there is not.
    desk.send(&[
        ("back", "reader?feed=http%3A%2F%2Fa.example%2F"),
        ("older", "0"),
    ]);
    assert_eq!(desk.titles("/reader").len(), 20);
    // Nothing is marked by a form without sense, and nothing leads elsewhere.
    let id = starred.trim_start_matches("/reader/");
    let odd: [&[(&str, &str)]; 7] = [
        &[("upto", "x")],
        &[("older", "4294967295")],
        &[("older", "-1")],
        &[("undo", "x")],
        &[("id", "x"), ("mark", "read"), ("on", "true")],
        &[("id", id), ("mark", "eaten"), ("on", "true")],
        &[],
    ];
    for fields in odd {
        let answer = desk.send(&[fields, &[("back", "http://evil.example/")]].concat());
        let to = answer.header("location").unwrap_or_default();
        assert!(
            answer.status == 404 || to.starts_with("../"),
            "{fields:?}: {to}"
        );
    }
    let elsewhere = desk.send(&[("older", "0"), ("back", "//evil.example/?feed=x")]);
    assert_eq!(elsewhere.header("location"), Some("../reader?feed=x"));
    assert_eq!(desk.titles("/reader").len(), 20);
}

#[test]
fn an_article_leads_to_its_neighbours_in_its_list() {
    let desk = Desk::new();
    let page = desk.server.own("/reader?show=all").text();
    let links = page.split("<a href=\"reader/").skip(1);
    let links = links.filter_map(|rest| rest.split('"').next());
    let links: Vec<String> = links.map(|link| format!("/reader/{link}")).collect();
    assert!(
        links[1].ends_with("?in=reader%3Fshow%3Dall"),
        "{}",
        links[1]
    );
    let neighbours = |path: &str| {
        let page = desk.server.own(path).text();
        let to = |rel: &str| {
            let (_, rest) = page.split_once(&format!("<a rel=\"{rel}\" href=\"../"))?;
            rest.split('"').next().map(|link| format!("/{link}"))
        };
        (to("prev"), to("next"))
    };
    for (at, link) in links.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| links[before].clone());
        assert_eq!(
            neighbours(link),
            (before, links.get(at + 1).cloned()),
            "{at}"
        );
    }
    // Of unread ones the next is unread, and the one before the last that was read.
    let unread = articles(&desk.server.own("/reader"));
    for path in &unread[1..3] {
        desk.mark(path, "read");
    }
    let (before, behind) = neighbours(&unread[0]);
    let first = unread[0].trim_start_matches("/reader/");
    assert_eq!(before, None);
    // The next one leads back over what was read between.
    assert_eq!(behind, Some(format!("{}?from={first}", unread[3])));
    let there = behind.expect("one");
    assert_eq!(neighbours(&there).0.as_ref(), Some(&unread[0]));
    assert_eq!(neighbours(&unread[3]).0.as_ref(), Some(&unread[2]));
    assert_eq!(neighbours(&unread[1]).0.as_ref(), Some(&unread[0]));
    assert_eq!(neighbours(&unread[2]).0.as_ref(), Some(&unread[1]));
    for odd in [
        "?from=x",
        "?from=-1",
        "?in=x",
        "?in=//evil.example/",
        "?in=reader%3Fafter%3D1",
    ] {
        assert_eq!(
            desk.server.own(&format!("{}{odd}", unread[0])).status,
            200,
            "{odd}"
        );
    }
}

#[test]
fn an_item_without_an_article_shows_its_feed_and_why() {
    let desk = Desk::new();
    let list = desk.server.own("/reader").text();
    assert!(list.contains("summary only: "), "{list}");
    let path = articles(&desk.server.own("/reader"))[10].clone();
    let page = desk.server.own(&path).text();
    assert!(page.contains("<h1>Gone</h1>"), "{page}");
    assert!(
        page.contains("the summary from the feed: its page is not there (status 404)."),
        "{page}"
    );
    assert!(page.contains("<b>that is gone</b>"), "{page}");
    assert!(!page.contains("steal"), "{page}");
    assert!(
        page.contains(&format!("href=\"http://{}/gone\"", desk.site.host)),
        "{page}"
    );
    // It is found by its words, beside articles.
    let search = |query: &str| desk.server.own(&format!("/search?q={query}")).text();
    let found = search("gone");
    let (_, items) = found
        .split_once("1 item without an article")
        .unwrap_or_else(|| panic!("{found}"));
    assert!(
        items.contains(&format!("href=\"{}?in=", &path[1..])),
        "{items}"
    );
    for other in [
        "gone+harbourmaster",
        "gone&site=else",
        "gone&until=1999-01-01",
        "gone&starred=1",
    ] {
        assert!(!search(other).contains("without an article"), "{other}");
    }
    // So it does in apps, which have as many entries, and its marks.
    let app = App::new(&desk.server);
    assert_eq!(app.unread().len(), desk.titles("/reader").len());
    let found = app.json("api/0/stream/contents/reading-list?output=json&n=100");
    let items = found["items"].as_array().expect("a list").iter();
    let gone: Vec<_> = items.filter(|item| item["title"] == "Gone").collect();
    let [gone] = gone.as_slice() else {
        panic!("{gone:?}")
    };
    let text = gone["summary"]["content"].as_str().expect("a text");
    assert!(text.contains("<b>that is gone</b>"), "{text}");
    assert!(text.contains("(status 404)"), "{text}");
    desk.mark(&path, "read");
    assert!(!desk.titles("/reader").contains(&"Gone".to_owned()));
    assert_eq!(app.unread().len(), desk.titles("/reader").len());
    assert_eq!(desk.server.own(&format!("{path}/page")).status, 404);
    assert_eq!(
        desk.server.own(&format!("{path}/export?format=md")).status,
        404
    );
    // Its mark stays when its tables are made again.
    std::fs::remove_file(desk.user.store().join("archive.sqlite")).expect("removed");
    desk.user
        .run(&["archive", "verify", "--archive", "store"])
        .ends(0, &[]);
    assert_eq!(desk.titles("/reader").len(), 20);
}

#[test]
fn the_number_of_an_item_leads_to_its_article() {
    let desk = Desk::new();
    let feeds = desk.server.own("/archive").text();
    let (before, _) = feeds.split_once(".json\"").expect("a feed");
    let feed = before.rsplit("href=\"").next().expect("its address");
    let feed = desk.server.own(&format!("/{feed}.json")).text();
    let feed: serde_json::Value = serde_json::from_str(&feed).expect("JSON");
    let items = feed["items"].as_array().expect("items");
    let led = items.iter().map(|item| {
        let number = item["_forest"]["number"].as_str().expect("a number");
        let answer = desk.server.own(&format!("/reader/{number}"));
        (answer.status, answer.header("location").map(str::to_owned))
    });
    let (articles, items): (Vec<_>, Vec<_>) = led.partition(|(status, _)| *status == 303);
    assert_eq!((articles.len(), items.len()), (20, 1));
    for (_, to) in articles {
        let to = to.expect("it leads on");
        assert_eq!(
            desk.server.own(&format!("/reader/{to}")).status,
            200,
            "{to}"
        );
    }
    assert_eq!(items[0], (200, None));
}

#[test]
fn a_list_says_what_it_is_of() {
    let desk = Desk::new();
    let unknown = desk
        .server
        .own("/reader?feed=http%3A%2F%2Fa.example%2F")
        .text();
    assert!(!unknown.contains("Unread 21"), "{unknown}");
    let last = desk.server.own("/reader?show=all&after=0_0").text();
    assert!(last.contains("nothing more here"), "{last}");
    assert!(desk.server.own("/reader").text().contains("Save as EPUB"));
    // Only what has an article is saved.
    let upto = desk.place("Story 11");
    desk.send(&[("back", "reader"), ("upto", &upto)]);
    let later = desk.titles("/reader");
    assert_eq!(later[0], "Gone");
    let book = desk.server.own("/export.epub");
    assert_eq!(book.status, 200);
}

#[test]
fn unread_entries_are_counted_by_feed_and_folder() {
    let (one, other) = (Site::new(2), Site::new(3));
    let (_user, server) = in_folders(&[
        (&one, "One", &["News", "Islands"]),
        (&other, "Other", &["News"]),
    ]);
    let counts = || {
        let page = server.own("/reader").text();
        let (_, feeds) = page.split_once("id=\"feeds\"").expect("feeds");
        let lines = feeds.split("<span dir=\"auto\">").skip(1);
        let lines = lines.filter_map(|line| {
            let (name, rest) = line.split_once("</span>")?;
            let (_, count) = rest.split_once("class=\"count\">")?;
            Some(format!("{name} {}", count.split('<').next()?))
        });
        lines.collect::<Vec<String>>()
    };
    let all = [
        "All feeds 5",
        "News 5",
        "Other 3",
        "News/Islands 2",
        "One 2",
    ];
    assert_eq!(counts(), all);
    let token = server.token();
    let fields = [
        ("token", token.as_str()),
        ("back", "reader?folder=News%2FIslands"),
        ("older", "0"),
    ];
    server.send_form("/reader/mark", &fields);
    assert_eq!(counts(), ["All feeds 3", "News 3", "Other 3"]);
    // Beside all entries stand all feeds; the page says what it is of.
    let check = |path: &str, title: &str, feeds: usize| {
        let page = server.own(path).text();
        assert!(
            page.contains(&format!("<title>{title} – forest<")),
            "{page}"
        );
        let (_, beside) = page.split_once("id=\"feeds\"").expect("feeds");
        assert_eq!(
            beside.matches("href=\"reader?feed=").count(),
            feeds,
            "{path}"
        );
    };
    check("/reader", "Reader (3)", 1);
    check("/reader?folder=News", "News (3)", 1);
    check("/reader?show=all", "Reader", 2);
    check("/reader?show=starred&folder=News", "News, starred", 2);
}

#[test]
fn settings_change_how_articles_and_pages_look() {
    let desk = Desk::new();
    let path = articles(&desk.server.own("/reader"))[0].clone();
    let look = || {
        let article = desk.server.own(&path).text();
        let (_, tag) = article.split_once("<article ").expect("an article");
        let tag = tag.split('>').next().expect("its end").to_owned();
        let is_marked = article.contains("data-opened");
        let style = desk.server.own("/filter/style.css").text();
        let theme = style.rsplit('\n').next().unwrap_or_default().to_owned();
        (tag, is_marked, theme)
    };
    let usual = (r#"class="" lang="en""#.to_owned(), true, String::new());
    assert_eq!(look(), usual);
    let token = desk.server.token();
    let set = |fields: &[(&str, &str)]| {
        let fields = [&[("token", token.as_str())], fields].concat();
        desk.server.send_form("/settings", &fields).status
    };
    let fields = [
        ("theme", "dark"),
        ("font", "sans"),
        ("letters", "large"),
        ("lines", "small"),
    ];
    assert_eq!(set(&fields), 303);
    let dark = ":root { color-scheme: dark; }".to_owned();
    let class = r#"class="sans letters-large lines-small" lang="en""#.to_owned();
    assert_eq!(look(), (class, false, dark));
    let page = desk.server.own("/settings").text();
    assert!(page.contains("<option value=\"dark\" selected>"), "{page}");
    // They are there after a new start, and in a backup.
    let again = server_of(&desk.user).own("/filter/style.css").text();
    assert!(again.ends_with("dark; }"));
    desk.user
        .run(&["archive", "backup", "--archive", "store", "copy"])
        .ends(0, &[]);
    assert!(desk.user.path("copy").join("reader.json").exists());
    // Values that there are not are the usual ones.
    assert_eq!(
        set(&[("theme", "</style>"), ("font", "x"), ("opening", "on")]),
        303
    );
    assert_eq!(look(), usual);
    assert_eq!(
        desk.server
            .send_form("/settings", &[("theme", "dark")])
            .status,
        403
    );
}
