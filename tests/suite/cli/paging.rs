//! Articles over several pages, and the requests of wrappers.

use crate::cli::User;
use crate::cli::site::part;
use serde_json::{Value, json};
use std::io::Write;
use std::process::Stdio;

/// The articles: `n`, and its number of pages.
const ARTICLES: [(usize, usize); 5] = [(0, 3), (1, 1), (2, 3), (3, 2), (4, 1)];

/// The address paths and pages of a site.
fn site() -> Vec<(String, String)> {
    let parts = ARTICLES.iter().flat_map(|&(n, parts)| {
        let path = format!("/story-{n}");
        (1..=parts).map(move |number| {
            let address = match number {
                1 => path.clone(),
                _ => format!("{path}/{number}"),
            };
            (address, part(n, number, parts, &path))
        })
    });
    parts.collect()
}

/// The pages that the paragraphs of a record are from.
fn parts_of(record: &Value) -> Vec<usize> {
    let text = record["text"].as_str().expect("text");
    let numbers = text.lines().filter_map(|line| {
        let (_, rest) = line.split_once(" page ")?;
        rest.split(' ').next()?.parse().ok()
    });
    let mut numbers: Vec<usize> = numbers.collect();
    numbers.dedup();
    numbers
}

pub fn first_pages(records: &[Value]) -> Vec<&Value> {
    let is_first = |record: &&Value| {
        let url = record["fetched_url"].as_str().expect("an address");
        !url.trim_end_matches(|c: char| c.is_ascii_digit())
            .ends_with('/')
    };
    records.iter().filter(is_first).collect()
}

const EXPECTED: [&[usize]; 5] = [&[1, 2, 3], &[1], &[1, 2, 3], &[1, 2], &[1]];

/// A folder of the site's pages, with their addresses.
pub fn folder(user: &User, leave_out: &str) {
    for (at, (path, html)) in site().into_iter().enumerate() {
        if path != leave_out {
            let url = json!({"url": format!("https://small.example{path}")});
            user.put(&format!("small/{at}.html"), html);
            user.put(&format!("small/{at}.json"), url.to_string());
        }
    }
}

#[test]
fn learned_from_a_folder_and_joined_within_it() {
    let user = User::new();
    folder(&user, "");
    user.run(&["learn", "small"]).ends(0, &[]);
    let wrapper = user.read("sites/small.example.yaml");
    assert!(wrapper.contains("next_page: //div[contains"), "{wrapper}");
    let applied = user.run(&["apply", "small"]);
    applied.ends(0, &["10 pages: 10 ok"]);
    let records = applied.records();
    let firsts = first_pages(&records);
    let parts: Vec<_> = firsts.iter().map(|record| parts_of(record)).collect();
    assert_eq!(parts, EXPECTED);
    let story = "https://small.example/story-0";
    let pages = json!([story, format!("{story}/2"), format!("{story}/3")]);
    assert_eq!(
        (&firsts[0]["pages"], &firsts[1]["pages"]),
        (&pages, &json!([]))
    );
    assert_eq!(firsts[0]["fetched_url"], story);
    // The headline is there once, and the menu of pages not at all.
    let title = firsts[0]["title"].as_str().expect("a title");
    let text = firsts[0]["text"].as_str().expect("text");
    assert_eq!(text.matches(title).count(), 1, "{text}");
    let one = user.run(&["apply", "small", "--jobs", "1"]);
    assert_eq!(one.out, applied.out);
}

#[test]
fn a_fast_wrapper_joins_pages_as_well() {
    let user = User::new();
    folder(&user, "");
    user.run(&["learn", "small"]).ends(0, &[]);
    let file = "sites/small.example.yaml";
    let slow = user.read(file).replace("fast: true\n", "");
    let [slow, fast] = [slow.clone(), slow + "fast: true\n"].map(|wrapper| {
        user.put(file, wrapper);
        let records = user.run(&["apply", "small"]).records();
        let articles = records
            .iter()
            .map(|record| json!([record["text"], record["pages"]]));
        articles.collect::<Vec<_>>()
    });
    assert_eq!(slow, fast);
}

#[test]
fn a_page_that_is_not_in_the_folder_is_named() {
    let user = User::new();
    folder(&user, "/story-0/2");
    user.run(&["learn", "small"]).ends(0, &[]);
    let records = user.run(&["apply", "small"]).records();
    let first = first_pages(&records)[0];
    assert_eq!((parts_of(first), &first["status"]), (vec![1], &json!("ok")));
    let warning = first["warnings"][0].as_str().expect("a warning");
    assert!(
        warning.contains("/story-0/2") && warning.contains("no page in the folder"),
        "{warning}"
    );
}

#[test]
fn joined_within_json_lines_and_archives() {
    let user = User::new();
    folder(&user, "");
    user.run(&["learn", "small"]).ends(0, &[]);
    let pages = site();
    let url = |path: &str| format!("https://small.example{path}");
    let lines: String = pages
        .iter()
        .map(|(path, html)| json!({"url": url(path), "html": html}).to_string() + "\n")
        .collect();
    let warc: String = pages
        .iter()
        .map(|(path, html)| {
            let http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{html}");
            format!(
                "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {}\r\n\
                 Content-Type: application/http;msgtype=response\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n",
                url(path),
                http.len()
            )
        })
        .collect();
    user.put("a.warc", warc);
    let lines_again = lines.clone();
    for ran in [
        user.run_with(&["apply", "-"], lines),
        user.run_with(&["apply", "-", "--jobs", "1"], lines_again),
        user.run(&["apply", "a.warc"]),
    ] {
        ran.ends(0, &["10 pages: 10 ok"]);
        let records = ran.records();
        let parts: Vec<_> = first_pages(&records).into_iter().map(parts_of).collect();
        assert_eq!(parts, EXPECTED);
    }
    // A missing page is not fetched.
    let (path, html) = &pages[0];
    let alone = json!({"url": url(path), "html": html}).to_string();
    let alone = user.run_with(&["apply", "-"], alone).records();
    let warning = alone[0]["warnings"][0].as_str().expect("a warning");
    assert!(warning.contains("not among the pages"), "{warning}");
}

#[test]
fn an_article_that_waits_for_its_next_page_does_not_hold_up_the_end() {
    let user = User::new();
    folder(&user, "");
    user.run(&["learn", "small"]).ends(0, &[]);
    let pages = site();
    let line = |at: usize| {
        let (path, html) = &pages[at];
        json!({"url": format!("https://small.example{path}"), "html": html}).to_string() + "\n"
    };
    let mut command = user.command();
    command.args(["apply", "-", "--jobs", "2"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::null()).spawn().expect("it runs");
    // Nobody takes the record of the first article, the second waits for its next page.
    drop(child.stdout.take());
    let mut input = child.stdin.take().expect("a pipe");
    let lines = line(3) + &line(0);
    input.write_all(lines.as_bytes()).expect("it reads");
    input.flush().expect("it reads");
    let status = child.wait().expect("it ends, though its input is open");
    drop(input);
    assert_eq!(status.code(), Some(0));
}

mod live {
    use super::*;
    use crate::cli::live::{HTML, Server, XML, serve};
    use crate::cli::site::feed;

    /// The site with a feed of its articles' first pages, and other files.
    fn live(others: &[(&'static str, &'static str, String)]) -> Server {
        serve(|base| {
            let links: Vec<String> = ARTICLES
                .iter()
                .map(|(n, _)| format!("{base}/story-{n}"))
                .collect();
            let pages = site()
                .into_iter()
                .map(|(path, html)| (&*Box::leak(path.into_boxed_str()), HTML, html.into_bytes()));
            let feed = [("/feed.xml", XML, feed(&links).into_bytes())];
            let others = others
                .iter()
                .map(|(path, kind, text)| (*path, *kind, text.clone().into_bytes()));
            pages.chain(feed).chain(others).collect()
        })
    }

    fn wrapper(server: &Server, keys: &str) -> String {
        let site = server.base.trim_start_matches("http://");
        format!("format: 1\nsite: {site}\n{keys}templates:\n- body: [\"//div[@class='story']\"]\n")
    }

    #[test]
    fn learned_from_a_feed_and_fetched() {
        let (user, server) = (User::new(), live(&[]));
        let url = format!("{}/feed.xml", server.base);
        user.run(&["learn", &url, "--allow-private"]).ends(0, &[]);
        let applied = user.run(&["apply", &url, "--allow-private"]);
        applied.ends(0, &["5 pages: 5 ok"]);
        let records = applied.records();
        let parts: Vec<_> = records.iter().map(parts_of).collect();
        assert_eq!(parts, EXPECTED);
        assert_eq!(server.seen("/story-2/3", "accept").len(), 1);
        // One page, given by its address.
        let one = user.run(&[
            "apply",
            &format!("{}/story-3", server.base),
            "--allow-private",
        ]);
        assert_eq!(parts_of(&one.records()[0]), [1, 2]);
    }

    #[test]
    fn the_next_article_a_circle_and_a_page_that_is_gone() {
        let link = |html: String, link: &str| {
            html.replace(
                "<div class=pages>",
                &format!("<div class=pages><a rel=next href=\"{link}\">Next</a>"),
            )
        };
        let others = [
            ("/to-another", HTML, link(part(5, 1, 1, ""), "/story-1")),
            ("/a", HTML, link(part(6, 1, 1, ""), "/b")),
            ("/b", HTML, link(part(6, 2, 1, ""), "/a")),
            ("/to-gone", HTML, link(part(7, 1, 1, ""), "/to-gone/2")),
            (
                "/to-away",
                HTML,
                link(part(8, 1, 1, ""), "https://b.example/to-away/2"),
            ),
            ("/to-self", HTML, link(part(9, 1, 1, ""), "/to-self#2")),
        ];
        let (user, server) = (User::new(), live(&others));
        user.put(
            "w.yaml",
            wrapper(&server, "next_page: //a[@rel='next']/@href\n"),
        );
        let list: String = others
            .iter()
            .filter(|(path, ..)| *path != "/b")
            .map(|(path, ..)| format!("{}{path}\n", server.base))
            .collect();
        user.put("list.txt", list);
        let applied = user.run(&[
            "apply",
            "list.txt",
            "--wrapper",
            "w.yaml",
            "--allow-private",
        ]);
        applied.ends(0, &["5 pages: 5 ok"]);
        let records = applied.records();
        let pages_and_warning: Vec<(Vec<usize>, &str)> = records
            .iter()
            .map(|r| (parts_of(r), r["warnings"][0].as_str().unwrap_or_default()))
            .collect();
        assert!(
            pages_and_warning[0].0 == [1] && pages_and_warning[0].1.contains("another article's"),
            "{pages_and_warning:?}"
        );
        assert_eq!(pages_and_warning[1], (vec![1, 2], ""));
        assert!(
            pages_and_warning[2].0 == [1] && pages_and_warning[2].1.contains("404"),
            "{pages_and_warning:?}"
        );
        assert_eq!(
            (&pages_and_warning[3], &pages_and_warning[4]),
            (&(vec![1], ""), &(vec![1], ""))
        );
        assert_eq!(server.seen("/a", "accept").len(), 1);
    }

    #[test]
    fn the_whole_article_on_one_page() {
        let whole: String = (1..=3).map(|number| part(0, number, 1, "")).collect();
        let whole = whole.replacen("</div><div class=pages>", "", 2);
        let (user, server) = (User::new(), live(&[("/story-0/all", HTML, whole)]));
        let keys = "next_page: //div[@class='pages']/a\nsingle_page: \"concat(//div[@class='pages']/a[1]/@href, '/../all')\"\n";
        user.put("w.yaml", wrapper(&server, keys));
        let page = format!("{}/story-0", server.base);
        let ran = user.run(&["apply", &page, "--wrapper", "w.yaml", "--allow-private"]);
        let records = ran.records();
        assert_eq!(records[0]["pages"], json!([format!("{page}/all")]));
        assert_eq!(records[0]["fetched_url"], page);
        assert_eq!(server.seen("/story-0/2", "accept").len(), 0);
    }

    #[test]
    fn headers_of_the_wrapper_go_to_its_site_alone() {
        let other = live(&[]);
        let away = format!("{}/story-1", other.base);
        let (user, server) = (User::new(), live(&[("/away", "redirect", away)]));
        let keys = "next_page: //div[@class='pages']/a\n\
                    headers: {user-agent: Reader/1.0, cookie: member=1, host: b.example}\n";
        let site = server.base.trim_start_matches("http://").replace(':', "_");
        user.put(&format!("sites/{site}.yaml"), wrapper(&server, keys));
        let url = |path: &str| format!("{}{path}", server.base);
        let story = url("/story-0");
        let ran = user.run(&["apply", &story, "--allow-private"]);
        ran.ends(0, &["\"host\"", "set by the client"]);
        for path in ["/story-0", "/story-0/2"] {
            let agent = Some("Reader/1.0".to_owned());
            assert_eq!(server.seen(path, "user-agent"), [agent], "{path}");
            assert_eq!(server.seen(path, "cookie"), [Some("member=1".to_owned())]);
        }
        // Lists of addresses; a redirect leads to another host.
        user.put(
            "list.txt",
            format!("{}\n{}\n", url("/story-4"), url("/away")),
        );
        user.put("list2.txt", format!("{}/story-4\n", other.base));
        user.run(&[
            "apply",
            "list2.txt",
            "list.txt",
            "--allow-private",
            "--user-agent",
            "Mine/2",
        ]);
        assert_eq!(
            server.seen("/story-4", "cookie"),
            [Some("member=1".to_owned())]
        );
        assert_eq!(
            server.seen("/story-4", "user-agent"),
            [Some("Mine/2".to_owned())]
        );
        assert_eq!(other.seen("/story-4", "cookie"), [None]);
        assert_eq!(other.seen("/story-1", "cookie"), [None]);
    }

    #[test]
    fn learning_again_keeps_the_settings_of_an_imported_wrapper() {
        let (user, server) = (User::new(), live(&[]));
        let keys = "single_page: //a[@class='all']\nreplace:\n- find: x\n  with: y\nheaders: {cookie: a=b}\n";
        let site = server.base.trim_start_matches("http://").replace(':', "_");
        let path = format!("sites/{site}.yaml");
        user.put(&path, wrapper(&server, keys));
        let url = format!("{}/feed.xml", server.base);
        user.run(&["learn", &url, "--allow-private", "--force"])
            .ends(0, &[]);
        let read = user.read(&path);
        for kept in [
            "single_page: //a[@class='all']",
            "find: x",
            "cookie: a=b",
            "next_page: //div",
        ] {
            assert!(read.contains(kept), "{kept}: {read}");
        }
        // The next run learns the same wrapper.
        user.run(&["learn", &url, "--allow-private"]).ends(0, &[]);
        assert_eq!(user.read(&path), read);
    }
}
