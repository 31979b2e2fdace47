//! `apply -` as a filter: records while the input is still being written.

use crate::cli::site::{packed, page, part, warc_record};
use crate::cli::{Ran, User, statuses};
use flate2::Compression;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

fn line(url: &str, html: &str) -> Vec<u8> {
    format!("{}\n", json!({"url": url, "html": html})).into_bytes()
}

/// A member of gzip.
fn fast(bytes: &[u8]) -> Vec<u8> {
    packed(bytes, Compression::fast())
}

fn address(n: usize) -> String {
    format!("https://small.example/{n}")
}

/// A run whose input and output alternate.
struct Filter {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Filter {
    fn begin(user: &User, args: &[&str]) -> Filter {
        let mut command = user.command();
        let command = command.args(["apply", "-"]).args(args);
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::null()).spawn().expect("it runs");
        let to = child.stdin.take().expect("a pipe");
        let from = BufReader::new(child.stdout.take().expect("a pipe"));
        Filter { child, to, from }
    }

    fn write(&mut self, bytes: &[u8]) {
        self.to.write_all(bytes).expect("written");
        self.to.flush().expect("written");
    }

    /// Waits for the next record.
    fn next(&mut self) -> Value {
        let mut line = String::new();
        self.from.read_line(&mut line).expect("read");
        serde_json::from_str(&line).expect("a record")
    }

    /// Ends the input; checks the exit code, and that there are no more records.
    fn ends(self, code: i32) {
        let Filter {
            mut child,
            to,
            mut from,
        } = self;
        drop(to);
        let mut rest = String::new();
        from.read_line(&mut rest).expect("read");
        assert_eq!(rest, "");
        assert_eq!(child.wait().expect("it ends").code(), Some(code));
    }
}

/// Each record is read before the next page is written.
#[test]
fn a_record_is_written_before_the_next_page_is_read() {
    let user = User::with_wrapper(3);
    for jobs in ["1", "3"] {
        for form in [line, warc_record] {
            for pack in [|bytes: &[u8]| bytes.to_vec(), fast] {
                let mut filter = Filter::begin(&user, &["--jobs", jobs]);
                for n in 0..4 {
                    filter.write(&pack(&form(&address(n), &page(n))));
                    let record = filter.next();
                    assert_eq!(record["fetched_url"], *address(n));
                    assert_eq!(record["status"], "ok");
                }
                filter.ends(0);
            }
        }
    }
}

#[test]
fn a_record_is_written_at_once_if_the_pages_are_stored_too() {
    let user = User::with_wrapper(3);
    let mut filter = Filter::begin(&user, &["--archive", "store", "--sites", "sites"]);
    for n in 0..3 {
        filter.write(&line(&address(n), &page(n)));
        assert_eq!(filter.next()["fetched_url"], *address(n));
    }
    filter.ends(0);
}

#[test]
fn a_line_that_is_no_page_is_one_record_and_holds_up_nothing() {
    let user = User::with_wrapper(3);
    let mut filter = Filter::begin(&user, &[]);
    filter.write(&line(&address(0), &page(0)));
    assert_eq!(filter.next()["status"], "ok");
    filter.write(b"{\"url\": \"https://small.example/x\", \"html\": 1}\n\n");
    assert_eq!(filter.next()["status"], "error");
    filter.write(b"<p>no JSON</p>\n");
    let record = filter.next();
    assert!(
        record["error"]
            .as_str()
            .is_some_and(|e| e.contains("line 4")),
        "{record}"
    );
    filter.write(&line(&address(1), &page(1)));
    assert_eq!(filter.next()["status"], "ok");
    filter.ends(3);
}

#[test]
fn the_output_is_the_same_for_any_number_of_jobs() {
    let user = User::with_wrapper(3);
    let mut input = Vec::new();
    for n in 0..300 {
        input.extend(line(&address(n), &page(n % 20)));
        if n % 50 == 0 {
            input.extend(b"nonsense\n");
        }
    }
    let run = |jobs| user.run_with(&["apply", "-", "--jobs", jobs], input.clone());
    let (one, many) = (run("1"), run("7"));
    one.ends(3, &["306 pages: 6 error, 300 ok"]);
    assert!(one.out == many.out);
    let urls = one.records();
    let urls: Vec<_> = urls
        .iter()
        .filter_map(|r| r["fetched_url"].as_str())
        .collect();
    assert_eq!(urls, (0..300).map(address).collect::<Vec<_>>());
}

fn one_page(ran: &Ran) {
    ran.ends(0, &["1 page: 1 ok"]);
    let records = ran.records();
    assert_eq!(records[0]["id"], "stdin");
    let text = records[0]["text"].to_string();
    assert!(text.contains("Story 1 is about "), "{text}");
}

#[test]
fn html_is_a_page() {
    let user = User::with_wrapper(3);
    let args = ["apply", "-", "--wrapper", "sites/small.example.yaml"];
    one_page(&user.run_with(&args, page(1)));
    one_page(&user.run_with(&args, page(1).replace("><", ">\n<")));
    one_page(&user.run_with(&args, fast(page(1).as_bytes())));
    // A file with the name that the program shows for stdin is another input.
    user.put("stdin", "notes");
    one_page(&user.run_with(&args, page(1)));
    // Without a wrapper a page is read by its shape.
    let fallback = user.run_with(&["apply", "-"], page(1));
    fallback.ends(0, &["1 page: 1 fallback"]);
}

#[test]
fn anything_else_is_one_error() {
    let user = User::new();
    let check = |input: Vec<u8>, part: &str| {
        let ran = user.run_with(&["apply", "-"], input);
        ran.ends(
            2,
            &[
                "stdin: this is",
                part,
                "give a feed, a sitemap, an HTML page",
            ],
        );
        assert_eq!(
            (ran.out.as_str(), ran.err.lines().count()),
            ("", 1),
            "{}",
            ran.err
        );
    };
    check("Some notes.\n".repeat(606).into_bytes(), "plain text");
    check(b"%PDF-1.7\n1 0 obj\n".to_vec(), "a PDF document");
    check(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec(), "binary data");
    check(
        b"{\n  \"url\": \"x\",\n  \"html\": \"y\"\n}\n".to_vec(),
        "JSON",
    );
    check(b"[1,\n2,\n3]\n".to_vec(), "JSON");
    check(b"{\"a\": 1}\n{\"a\": 2}\n".to_vec(), "JSON");
    check(fast(b"Some notes.\n"), "plain text");
    // An empty input is not an error.
    let nothing = user.run_with(&["apply", "-"], "");
    nothing.ends(1, &["no pages"]);
    assert_eq!(nothing.out, "");
}

/// The article of `story`, whose page `number` of two this is.
fn story(number: usize) -> Vec<u8> {
    let address = match number {
        1 => "https://small.example/story".to_owned(),
        _ => format!("https://small.example/story/{number}"),
    };
    line(&address, &part(7, number, 2, "/story"))
}

const PAGED: &str = "format: 1\nsite: small.example\nnext_page: //div[@class='pages']/a[.='2']\n\
                     templates:\n- body: [\"//div[@class='story']\"]\n";

#[test]
fn an_article_waits_for_its_next_page() {
    let user = User::new();
    user.put("sites/small.example.yaml", PAGED);
    // Later in the input, and before it: the same pages in another order.
    for order in [[1, 2], [2, 1]] {
        let mut input = story(order[0]);
        (0..200).for_each(|n| input.extend(line(&address(n), &page(n % 5))));
        input.extend(story(order[1]));
        let ran = user.run_with(&["apply", "-"], input);
        ran.ends(0, &["202 pages: 202 ok"]);
        let records = ran.records();
        let first = &records[if order[0] == 1 { 0 } else { 201 }];
        assert_eq!(first["pages"].as_array().map(Vec::len), Some(2), "{first}");
        assert_eq!(first["warnings"], json!([]));
    }
    // Its record is written as soon as its next page is read.
    let mut filter = Filter::begin(&user, &[]);
    filter.write(&story(1));
    filter.write(&line(&address(0), &page(0)));
    filter.write(&story(2));
    assert_eq!(filter.next()["pages"].as_array().map(Vec::len), Some(2));
    assert_eq!(filter.next()["fetched_url"], *address(0));
    assert_eq!(filter.next()["status"], "ok");
    filter.ends(0);
}

/// Memory is bounded: a further page that is not read within a number of pages is given up,
/// though the input continues.
#[test]
fn an_article_does_not_wait_for_ever() {
    let user = User::new();
    user.put("sites/small.example.yaml", PAGED);
    let mut filter = Filter::begin(&user, &[]);
    filter.write(&story(1));
    for n in 0..255 {
        filter.write(&line(&address(n), "<p>x"));
    }
    let record = filter.next();
    let warning = record["warnings"][0].as_str().expect("a warning");
    assert!(warning.contains("not among the pages"), "{warning}");
    for n in 0..255 {
        assert_eq!(filter.next()["fetched_url"], *address(n));
    }
    filter.ends(0);
}

#[test]
fn the_limit_of_a_page_is_set() {
    let user = User::with_wrapper(3);
    let long = page(1).replace("<body>", &format!("<body><!--{}-->", "x".repeat(5000)));
    let check = |limit: &str, input: Vec<u8>, code, expected: &[&str]| {
        let ran = user.run_with(&["apply", "-", "--max-page-bytes", limit], input);
        ran.ends(code, &[]);
        assert_eq!(statuses(&ran.records()), expected, "{limit}: {}", ran.err);
    };
    let lines = [line(&address(0), &long), line(&address(1), &page(2))].concat();
    check("2000", lines.clone(), 3, &["error", "ok"]);
    check("9000", lines, 0, &["ok", "ok"]);
    let records = [
        warc_record(&address(0), &long),
        warc_record(&address(1), &page(2)),
    ]
    .concat();
    check("4000", records.clone(), 3, &["error", "ok"]);
    check("9000", records, 0, &["ok", "ok"]);
    user.put("small.example/long.html", &long);
    let folder = ["apply", "small.example", "--max-page-bytes", "4000"];
    user.run(&folder).ends(
        3,
        &["larger than the limit of 4000 bytes", "--max-page-bytes"],
    );
    user.run(&["apply", "small.example"])
        .ends(0, &["4 pages: 4 ok"]);
    user.put("c.yaml", "max_page_bytes: 4000\n");
    user.run(&["apply", "small.example", "--config", "c.yaml"])
        .ends(3, &["limit of 4000 bytes"]);
    // Higher than the default.
    let huge = page(1).replace(
        "<body>",
        &format!("<body><!--{}-->", "x".repeat(20_000_000)),
    );
    user.put("huge/small.example/1.html", huge);
    let apply = ["apply", "huge", "--sites", "sites"];
    user.run(&apply)
        .ends(1, &["larger than the limit of 20 MB"]);
    let more = [&apply[..], &["--max-page-bytes", "30000000"]].concat();
    user.run(&more).ends(0, &["1 page: 1 ok"]);
    for wrong in ["0", "80000001", "20 MB"] {
        let args = ["apply", "-", "--max-page-bytes", wrong];
        user.run(&args).ends(2, &["--max-page-bytes"]);
    }
}
