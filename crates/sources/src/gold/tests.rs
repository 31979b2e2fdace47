use std::fs;
use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::*;
use forest_html::error::ErrorClass;

/// A folder with these files; names that end in `.gz` are compressed.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, content) in files {
        put(dir.path(), name, content.as_bytes());
    }
    dir
}

fn put(dir: &Path, name: &str, content: &[u8]) {
    let path = dir.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let mut bytes = content.to_vec();
    if name.ends_with(".gz") {
        let mut gz = GzEncoder::new(Vec::new(), Compression::fast());
        gz.write_all(content).unwrap();
        bytes = gz.finish().unwrap();
    }
    fs::write(path, bytes).unwrap();
}

/// The collection in `files` has these pages: `id` alone is without gold,
/// `id=text` with it.
#[track_caller]
fn check(files: &[(&str, &str)], expected: &str) {
    let dir = folder(files);
    let collection = Collection::open(dir.path()).unwrap();
    let pages: Vec<String> = collection
        .pages()
        .iter()
        .map(|page| match &page.gold {
            None => page.id.clone(),
            Some(gold) => format!("{}={}", page.id, gold.refs.join("|")),
        })
        .collect();
    assert_eq!(pages.join(" "), expected);
}

/// Opening `files` fails with an input error that contains `expected`.
#[track_caller]
fn check_error(files: &[(&str, &str)], expected: &str) {
    let dir = folder(files);
    let error = Collection::open(dir.path()).unwrap_err();
    assert_eq!(error.class(), ErrorClass::Input);
    assert!(error.to_string().contains(expected), "{error}");
}

#[test]
fn pages_with_and_without_gold() {
    let files = [
        ("a/1.html.gz", "<p>x"),
        ("a/1.json", r#"{"text": "one"}"#),
        ("a/2.html", "<p>y"),
        ("b/1.html", ""),
        ("b/1.json", r#"{"text": "x", "refs": ["r", "s"]}"#),
    ];
    check(&files, "a/1=one a/2 b/1=r|s");
}

#[test]
fn json_without_text_or_refs_is_no_gold() {
    let files = [
        ("a/1.html", ""),
        ("a/1.json", r#"{"url": "http://x.example/1"}"#),
        ("a/site.json", r#"{"language": "en", "pages": 7}"#),
        ("a/notes.json", "[1, 2]"),
    ];
    check(&files, "a/1");
}

#[test]
fn empty_and_absent_fields() {
    check(
        &[("a/1.html", ""), ("a/1.json", r#"{"text": null}"#)],
        "a/1=",
    );
    check(
        &[
            ("a/1.html", ""),
            ("a/1.json", r#"{"refs": [], "text": "t"}"#),
        ],
        "a/1=t",
    );
    check(
        &[
            ("a/1.html", ""),
            ("a/1.json", r#"{"text": "t", "author": null, "url": null}"#),
        ],
        "a/1=t",
    );
}

#[test]
fn ids_are_in_byte_order_and_other_files_no_pages() {
    let files = [
        ("a/10.html", ""),
        ("a/2.html", ""),
        ("a/1.html", ""),
        ("a/x.y.html.gz", ""),
        ("a/x.htm", ""),
        ("a/.hidden.html", ""),
        ("a-b/1.html", ""),
        (".git/1.html", ""),
        ("README.html", ""),
        ("empty/feed.xml", ""),
    ];
    check(&files, "a-b/1 a/1 a/10 a/2 a/x.y");
    let dir = folder(&files);
    let collection = Collection::open(dir.path()).unwrap();
    let mut sorted: Vec<_> = collection.pages().iter().map(|p| p.id.clone()).collect();
    sorted.sort();
    assert!(collection.pages().iter().map(|p| &p.id).eq(&sorted));
    let sites: Vec<_> = collection.sites().iter().map(|s| s.name.as_str()).collect();
    assert_eq!(sites, ["a-b", "a"]);
}

#[test]
fn fields_feed_and_addresses() {
    let dir = folder(&[
        ("s/1.html.gz", "<p>\u{e9}"),
        (
            "s/1.json",
            r#"{"url": "http://x.example/1", "text": "t", "title": "T", "lang": "fr",
                "author": ["A", "B"], "published": "2020-01-01", "layout": "V1",
                "body": ["p", "[q]"], "gold": "human", "crawl_date": "2021"}"#,
        ),
        ("s/2.html", ""),
        ("s/3.html", ""),
        ("s/3.json", r#"{"url": ""}"#),
        ("s/feed.xml", "<rss/>"),
        (
            "s/site.json",
            r#"{"pages": [{"n": 1, "url": "http://other.example"}, {"n": 2, "url": "http://x.example/2"}, {"n": null}]}"#,
        ),
    ]);
    let collection = Collection::open(dir.path()).unwrap();
    let site = &collection.sites()[0];
    assert_eq!(site.feed.as_deref(), Some(&*dir.path().join("s/feed.xml")));
    let [one, two, three] = collection.pages_of(site) else {
        panic!("three pages");
    };
    assert_eq!(one.url.as_deref(), Some("http://x.example/1"));
    assert_eq!(two.url.as_deref(), Some("http://x.example/2"));
    assert_eq!(three.url, None);
    assert_eq!(one.read().unwrap(), "<p>\u{e9}".as_bytes());
    assert_eq!((one.site(), collection.scored()), ("s", 1));
    let gold = one.gold.as_ref().unwrap();
    assert_eq!(gold.authors, ["A", "B"]);
    assert_eq!(gold.body, ["p", "[q]"]);
    assert_eq!(gold.title.as_deref(), Some("T"));
    assert_eq!(gold.lang.as_deref(), Some("fr"));
    assert_eq!(gold.layout.as_deref(), Some("V1"));
    assert_eq!(gold.published.as_deref(), Some("2020-01-01"));
    assert_eq!(gold.crawl_date.as_deref(), Some("2021"));
    assert_eq!(gold.made_by.as_deref(), Some("human"));
}

#[test]
fn errors_name_the_file_and_the_remedy() {
    check_error(&[("a/1.html", ""), ("a/1.json", "{")], "1.json");
    check_error(
        &[("a/1.html", ""), ("a/1.json", r#"{"text": 5}"#)],
        "1.json",
    );
    check_error(
        &[("a/1.html", ""), ("a/2.json", r#"{"text": ""}"#)],
        "2.json is gold for a page that is not there",
    );
    check_error(
        &[("a/1.html", ""), ("a/1.html.gz", "")],
        "1.html is there with and without",
    );
    check_error(&[("a/feed.xml", "")], "no pages in");
    let missing = Collection::open("no/such/folder").unwrap_err();
    assert_eq!(missing.class(), ErrorClass::File);
    assert!(missing.to_string().contains("no/such/folder"));
}

#[test]
fn a_page_that_swells_beyond_the_limit_is_refused() {
    let dir = folder(&[]);
    let limit = usize::try_from(MAX_FILE_BYTES).unwrap();
    put(dir.path(), "a/1.html.gz", &vec![b' '; limit]);
    put(dir.path(), "a/2.html.gz", &vec![b' '; limit + 1]);
    let collection = Collection::open(dir.path()).unwrap();
    assert_eq!(collection.pages()[0].read().unwrap().len(), limit);
    let error = collection.pages()[1].read().unwrap_err();
    assert_eq!(error.class(), ErrorClass::Input);
    assert!(error.to_string().contains("2.html.gz"), "{error}");
}

#[test]
fn a_broken_gzip_is_an_error_and_no_panic() {
    let dir = folder(&[("a/1.html.gz", "some text")]);
    let path = dir.path().join("a/1.html.gz");
    let whole = fs::read(&path).unwrap();
    fs::write(&path, &whole[..whole.len() - 9]).unwrap();
    let collection = Collection::open(dir.path()).unwrap();
    let error = collection.pages()[0].read().unwrap_err();
    assert!(error.to_string().contains("1.html.gz"), "{error}");
    assert!(collection.corpus_hash().is_err());
}

#[test]
fn the_hash_sees_every_change_and_no_compression() {
    let base = [
        ("a/1.html", "<p>x"),
        ("a/1.json", r#"{"text": "x"}"#),
        ("a/feed.xml", "<rss/>"),
    ];
    let hash = |files: &[(&str, &str)]| {
        let dir = folder(files);
        Collection::open(dir.path()).unwrap().corpus_hash().unwrap()
    };
    let first = hash(&base);
    assert_eq!(first.len(), 64);
    assert_eq!(first, hash(&base));
    let mut compressed = base;
    compressed[0].0 = "a/1.html.gz";
    assert_eq!(first, hash(&compressed));
    for (at, name, content) in [
        (0, "a/1.html", "<p>y"),
        (1, "a/1.json", r#"{"text": "y"}"#),
        (2, "a/feed.xml", "<rss />"),
    ] {
        let mut changed = base;
        changed[at] = (name, content);
        assert_ne!(first, hash(&changed), "{name}");
    }
    assert_ne!(first, hash(&[base[0], base[1], base[2], ("a/2.html", "")]));
}
