//! Sources that can be read only once: pipes, named or not.

use crate::cli::site::{feed, packed, page, warc_record};
use crate::cli::{Ran, User};
use flate2::Compression;

const APPLY: [&str; 4] = [
    "apply",
    "/dev/stdin",
    "--wrapper",
    "sites/small.example.yaml",
];

/// Checks that the only record of a run is the article of page `n`.
#[track_caller]
fn is_page(ran: &Ran, n: usize) {
    ran.ends(0, &["1 page: 1 ok"]);
    let text = ran.records()[0]["text"].to_string();
    assert!(text.contains(&format!("Story {n} is about ")), "{text}");
}

#[test]
fn a_whole_page_is_read_from_a_pipe() {
    let user = User::with_wrapper(3);
    let piped = user.run_with(&APPLY, page(1));
    is_page(&piped, 1);
    assert_eq!(piped.records()[0]["id"], "/dev/stdin");
    let small = packed(page(2).as_bytes(), Compression::best());
    is_page(&user.run_with(&APPLY, small), 2);
    // More than the sniffed bytes, and more than a pipe's buffer.
    let long = page(1).replace(
        "<body>",
        &format!("<body><!--{}-->", "long ".repeat(50_000)),
    );
    is_page(&user.run_with(&APPLY, &*long), 1);
    let long = packed(long.as_bytes(), Compression::none());
    is_page(&user.run_with(&APPLY, long), 1);
}

#[test]
fn a_named_pipe_is_read_once() {
    let user = User::with_wrapper(3);
    let pipe = user.path("pipe.html");
    let status = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(status.expect("mkfifo").success());
    let writer = std::thread::spawn(move || std::fs::write(pipe, page(2)).expect("written"));
    let args = ["apply", "pipe.html", "--wrapper", APPLY[3]];
    is_page(&user.run(&args), 2);
    writer.join().expect("written");
}

#[test]
fn a_file_of_many_pages_is_read_from_a_pipe() {
    let user = User::with_wrapper(3);
    let many = |ran: &Ran| {
        ran.ends(0, &["3 pages: 3 ok"]);
        let urls = ran.records();
        let urls = urls
            .iter()
            .map(|r| r["url"].as_str().expect("a URL").to_owned());
        urls.collect::<Vec<_>>()
    };
    let addresses = [0, 1, 2].map(|n| format!("https://small.example/{n}"));
    let mut lines = String::new();
    let mut warc = Vec::new();
    for (n, url) in addresses.iter().enumerate() {
        let line = serde_json::json!({"url": url, "html": page(n)});
        lines.push_str(&format!("{line}\n"));
        let record = warc_record(url, &page(n));
        warc.extend(packed(&record, Compression::fast()));
    }
    let apply = ["apply", "/dev/stdin"];
    assert_eq!(many(&user.run_with(&apply, &*lines)), addresses);
    let gz = packed(lines.as_bytes(), Compression::fast());
    assert_eq!(many(&user.run_with(&apply, gz)), addresses);
    assert_eq!(many(&user.run_with(&apply, &*warc)), addresses);
    user.run_with(&["text", "/dev/stdin"], warc)
        .ends(0, &["3 documents: text in 3"]);
    // The feed's pages are in the folder of --pages.
    let args = ["apply", "/dev/stdin", "--pages", "small.example"];
    let fed = user.run_with(&args, feed(&addresses));
    fed.ends(0, &["3 pages: 3 ok"]);
    assert_eq!(fed.records()[2]["id"], "small.example/2");
    user.run_with(
        &[
            "learn",
            "/dev/stdin",
            "--pages",
            "small.example",
            "--sites",
            "own",
        ],
        feed(&addresses),
    )
    .ends(0, &[]);
    assert!(!user.read("own/small.example.yaml").contains("/dev/"));
}

#[test]
fn a_list_of_addresses_is_read_from_a_pipe() {
    let user = User::new();
    let list = "http://127.0.0.1:1/a\nhttp://127.0.0.1:1/b\n";
    let ran = user.run_with(&["apply", "/dev/stdin", "--no-cache"], list);
    ran.ends(1, &["2 pages: 2 error"]);
    assert_eq!(crate::cli::statuses(&ran.records()), ["error", "error"]);
}

#[test]
fn what_is_no_source_is_named() {
    let user = User::new();
    let check = |input: &[u8], parts: &[&str]| {
        user.run_with(&["apply", "/dev/stdin"], input)
            .ends(2, parts);
    };
    check(b"", &["/dev/stdin", "empty"]);
    check(
        b"Some notes.\n",
        &["/dev/stdin", "plain text", "give a feed"],
    );
    check(b"\x1f\x8b\x08\0broken", &["cannot read /dev/stdin"]);
    let mut cut = packed(page(1).as_bytes(), Compression::fast());
    cut.truncate(cut.len() / 2);
    check(&cut, &["cannot read /dev/stdin"]);
    let large = packed(
        format!("<html>{}", " ".repeat(20_000_001)).as_bytes(),
        Compression::fast(),
    );
    check(&large, &["/dev/stdin is larger than the limit of 20 MB"]);
}
