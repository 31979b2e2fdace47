//! The project's own gold: what is committed is what the program writes, and it
//! is what `gold/README.md` says.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde_json::Value;

use super::{parts, root, writer};

fn written() -> BTreeMap<String, Vec<u8>> {
    writer::files(&parts()).expect("the program writes gold")
}

/// The gold of all pages by `<site>/<page>`.
fn gold() -> BTreeMap<String, Value> {
    written()
        .into_iter()
        .filter_map(|(name, bytes)| {
            let id = name.strip_suffix(".json")?;
            (!id.ends_with("/feed")).then(|| {
                (
                    id.to_owned(),
                    serde_json::from_slice(&bytes).expect("gold is JSON"),
                )
            })
        })
        .collect()
}

fn field<'a>(page: &'a Value, name: &str) -> &'a str {
    page[name].as_str().unwrap_or_default()
}

#[test]
fn what_is_committed_is_what_the_program_writes() {
    let mut all = written();
    all.extend(writer::json_files(&parts()).expect("the program writes gold/json"));
    all.extend(writer::list_files(&parts()).expect("the program writes gold/lists"));
    let differing = writer::differences(&all, &root().join("gold")).expect("gold/ is there");
    assert_eq!(differing, [""; 0], "run `forest-lab write-gold`");
}

#[test]
fn the_program_writes_the_same_bytes_each_time() {
    assert_eq!(written(), written());
}

#[test]
fn eighteen_sites_have_ten_pages_each_and_a_feed() {
    let files = written();
    let mut pages: HashMap<&str, usize> = HashMap::new();
    let gold = gold();
    for id in gold.keys() {
        let (site, _) = id.split_once('/').expect("<site>/<page>");
        *pages.entry(site).or_default() += 1;
        assert!(files.contains_key(&format!("{id}.html")), "{id} has a page");
        assert!(
            files.contains_key(&format!("{site}/feed.xml")),
            "{site} has a feed"
        );
        assert!(site.ends_with(".example"), "{site} is a reserved name");
    }
    assert_eq!(pages.len(), 18);
    assert!(pages.values().all(|&count| count == 10), "{pages:?}");
}

#[test]
fn eleven_languages_are_there() {
    let languages: BTreeSet<String> = gold()
        .values()
        .map(|page| field(page, "lang").to_owned())
        .collect();
    let expected = [
        "ar", "de", "el", "en", "es", "fa", "fr", "hi", "pl", "th", "zh",
    ];
    assert_eq!(
        languages.iter().map(String::as_str).collect::<Vec<_>>(),
        expected
    );
}

#[test]
fn an_article_has_150_words_or_250_chinese_or_700_thai_characters() {
    for (id, page) in gold() {
        let text = field(&page, "text");
        let letters = || text.chars().filter(|c| c.is_alphanumeric()).count();
        let (length, least) = match field(&page, "lang") {
            "zh" => (letters(), 250),
            "th" => (letters(), 700),
            _ => (text.split_whitespace().count(), 150),
        };
        assert!(length >= least, "{id}: {length}");
    }
}

#[test]
fn no_paragraph_and_no_title_occurs_twice() {
    let mut seen: HashMap<String, String> = HashMap::new();
    for (id, page) in gold() {
        for line in field(&page, "text").lines().chain([field(&page, "title")]) {
            assert!(!line.trim().is_empty(), "{id} has an empty block");
            let before = seen.insert(line.to_owned(), id.clone());
            assert_eq!(before, None, "also in {id}: {line}");
        }
    }
}

#[test]
fn no_slot_and_no_tag_is_left_open() {
    for (id, page) in gold() {
        let text = field(&page, "text");
        assert!(!text.contains(['{', '}', '<', '>', '\u{fffd}']), "{id}");
    }
}

#[test]
fn the_refs_are_the_body_alone_and_with_its_headline() {
    for (id, page) in gold() {
        let (text, title) = (field(&page, "text"), field(&page, "title"));
        let refs: Vec<&str> = page["refs"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        assert_eq!(refs, [text, &format!("{title}\n{text}")], "{id}");
    }
}

#[test]
fn a_page_holds_its_gold_and_has_the_size_of_a_real_one() {
    let files = written();
    for (id, page) in gold() {
        let bytes = &files[&format!("{id}.html")];
        assert!(
            (8_000..40_000).contains(&bytes.len()),
            "{id}: {} bytes",
            bytes.len()
        );
        let html = decoded(bytes);
        let plain = without_tags(&html);
        for block in field(&page, "text").lines() {
            assert!(plain.contains(block), "{id} lacks: {block}");
        }
    }
}

/// The page as text, in the charset that its own bytes name.
fn decoded(bytes: &[u8]) -> String {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(1500)]).to_lowercase();
    let label = ["windows-1252", "windows-1250", "gb2312"]
        .into_iter()
        .find(|label| head.contains(&format!("charset={label}")))
        .unwrap_or("utf-8");
    let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).expect("a known label");
    let (text, _, malformed) = encoding.decode(bytes);
    assert!(!malformed, "not {label}");
    text.into_owned()
}

fn without_tags(html: &str) -> String {
    let mut out = String::with_capacity(html.len());
    let mut inside = false;
    for c in html.chars() {
        match c {
            '<' => inside = true,
            '>' => inside = false,
            _ if !inside => out.push(c),
            _ => {}
        }
    }
    out.replace("&quot;", "\"").replace("&amp;", "&")
}

#[test]
fn every_page_with_gold_is_in_its_feed() {
    let gold = gold();
    let mut read: HashMap<String, Vec<String>> = HashMap::new();
    for (id, page) in &gold {
        let (site, _) = id.split_once('/').expect("<site>/<page>");
        let links = read.entry(site.to_owned()).or_insert_with(|| links(site));
        assert!(
            links.iter().any(|link| link == field(page, "url")),
            "{id}: {links:#?}"
        );
    }
}

/// The addresses in a site's feed, as the project's own reader sees them.
fn links(site: &str) -> Vec<String> {
    let bytes = std::fs::read(root().join("gold").join(site).join("feed.xml")).expect("a feed");
    let base = url::Url::parse(&format!("https://{site}/feed.xml")).expect("an address");
    let feed = forest_core::feed::parse(&bytes, Some(&base), None).expect("a feed");
    feed.items
        .iter()
        .filter_map(|item| item.link.as_ref().map(ToString::to_string))
        .collect()
}

#[test]
fn the_gold_stays_small() {
    let bytes: usize = written().values().map(Vec::len).sum();
    assert!(bytes < 4_500_000, "{bytes}");
    assert!(root().join("gold/README.md").exists());
}
