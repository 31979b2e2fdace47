//! Conditional requests.

use std::fs;
use std::path::{Path, PathBuf};

use forest_fetch::{FetchOptions, FetchWarning};

use crate::fetch::site::{Site, answer, status};
use crate::fetch::{get, quick};

fn cached(dir: &Path) -> FetchOptions {
    quick().with_cache_dir(dir)
}

/// A site whose page has these headers and answers 304 to any condition.
fn conditional(headers: &'static [(&'static str, &'static str)]) -> Site {
    Site::new(move |seen| {
        let condition = seen
            .header("if-none-match")
            .or(seen.header("if-modified-since"));
        match seen.path.as_str() {
            "/robots.txt" => status(404),
            _ if condition.is_some() => status(304),
            _ => answer(200, headers, "page"),
        }
    })
}

/// Fetches the page twice; returns true if the second was read from the cache, and the
/// conditions of the second request.
fn twice(site: &Site) -> (bool, Option<String>, Option<String>) {
    let dir = tempfile::tempdir().expect("a folder");
    let first = get(cached(dir.path()), &site.url("/")).expect("a page");
    assert!(!first.from_cache);
    let second = get(cached(dir.path()), &site.url("/")).expect("a page");
    assert_eq!(second.body, first.body);
    assert_eq!(second.content_type, first.content_type);
    assert_eq!(second.status, 200);
    let seen = site.seen();
    let last = seen.last().expect("a request");
    let condition = |name| last.header(name).map(str::to_owned);
    (
        second.from_cache,
        condition("if-none-match"),
        condition("if-modified-since"),
    )
}

#[test]
fn validators_are_sent_back() {
    const DAY: &str = "Sun, 06 Nov 1994 08:49:37 GMT";
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(
        twice(&conditional(&[
            ("etag", "W/\"1\""),
            ("content-type", "text/html; charset=greek")
        ])),
        (true, some("W/\"1\""), None)
    );
    assert_eq!(
        twice(&conditional(&[("last-modified", DAY)])),
        (true, None, some(DAY))
    );
    assert_eq!(
        twice(&conditional(&[("etag", "\"1\""), ("last-modified", DAY)])),
        (true, some("\"1\""), some(DAY))
    );
}

#[test]
fn pages_without_validator_or_with_no_store_are_not_kept() {
    assert_eq!(twice(&conditional(&[])), (false, None, None));
    let forbidden = conditional(&[("etag", "\"1\""), ("cache-control", "private, No-Store")]);
    assert_eq!(twice(&forbidden), (false, None, None));
}

#[test]
fn a_changed_page_replaces_the_kept_one() {
    let site = Site::new(|seen| match (seen.path.as_str(), seen.nth) {
        ("/robots.txt", _) => status(404),
        (_, 0) => answer(200, &[("etag", "\"1\"")], "old"),
        (_, 1) => answer(200, &[("etag", "\"2\"")], "new"),
        _ => status(if seen.header("if-none-match") == Some("\"2\"") {
            304
        } else {
            500
        }),
    });
    let dir = tempfile::tempdir().expect("a folder");
    let bodies: Vec<_> = (0..3)
        .map(|_| get(cached(dir.path()), &site.url("/")).expect("a page"))
        .map(|page| (page.body, page.from_cache))
        .collect();
    let expected = [(&b"old"[..], false), (b"new", false), (b"new", true)];
    assert_eq!(bodies, expected.map(|(body, kept)| (body.to_vec(), kept)));
}

fn files(dir: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|end| end == extension) {
            found.push(path);
        }
    }
    found
}

#[test]
fn a_broken_entry_is_fetched_and_written_anew() {
    let site = conditional(&[("etag", "\"1\"")]);
    let dir = tempfile::tempdir().expect("a folder");
    for extension in ["body", "json"] {
        get(cached(dir.path()), &site.url("/")).expect("a page");
        let file = files(dir.path(), extension).pop().expect("an entry");
        fs::write(file, "{\"version\": 1, half").expect("spoiled");
        let anew = get(cached(dir.path()), &site.url("/")).expect("a page");
        assert_eq!((anew.body, anew.from_cache), (b"page".to_vec(), false));
        let again = get(cached(dir.path()), &site.url("/")).expect("a page");
        assert_eq!((again.body, again.from_cache), (b"page".to_vec(), true));
    }
}

#[test]
fn a_page_seen_with_a_cookie_is_another_entry() {
    let site = conditional(&[("etag", "\"1\"")]);
    let dir = tempfile::tempdir().expect("a folder");
    let member = || cached(dir.path()).with_header("Cookie", "member=1");
    assert!(!get(member(), &site.url("/")).expect("a page").from_cache);
    assert!(
        !get(cached(dir.path()), &site.url("/"))
            .expect("a page")
            .from_cache
    );
    assert!(get(member(), &site.url("/")).expect("a page").from_cache);
}

#[test]
fn credentials_are_not_written() {
    let site = conditional(&[("etag", "\"1\"")]);
    let dir = tempfile::tempdir().expect("a folder");
    let mut secret = site.url("/");
    secret.set_username("user").expect("a host");
    secret.set_password(Some("hunter2")).expect("a host");
    get(cached(dir.path()), &secret).expect("a page");
    let about = files(dir.path(), "json").pop().expect("an entry");
    let about = fs::read_to_string(about).expect("text");
    assert!(about.contains(site.url("/").as_str()), "{about}");
    assert!(
        !about.contains("user") && !about.contains("hunter2"),
        "{about}"
    );
}

#[test]
fn a_folder_that_cannot_be_written_is_a_warning() {
    let site = conditional(&[("etag", "\"1\"")]);
    let file = tempfile::NamedTempFile::new().expect("a file");
    let page = get(cached(file.path()), &site.url("/")).expect("a page");
    assert_eq!(page.body, b"page");
    assert!(
        matches!(&page.warnings[..], [FetchWarning::Cache { .. }]),
        "{:?}",
        page.warnings
    );
    let text = page.warnings[0].to_string();
    assert!(text.contains(&file.path().display().to_string()), "{text}");
}
