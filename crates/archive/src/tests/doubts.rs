//! Doubtful readings: kept, settled once, and in the files.

use super::*;
use crate::sql::Sql;
use forest_core::wrapper::Wrapper;

const SITE: &str = "a.example";

fn page_url(n: i64) -> String {
    format!("http://{SITE}/{n}")
}

/// A wrapper that finds the articles of the design with this name.
fn finds(design: &str) -> Extractor {
    let yaml =
        format!("format: 1\nsite: {SITE}\ntemplates:\n- body: ['//div[@class=\"{design}\"]']\n");
    let file = Wrapper::from_yaml(&yaml).expect("YAML");
    Extractor::new(file.wrapper).expect("it compiles")
}

/// A visit of a page of another design that no wrapper finds an article on.
fn redesigned(archive: &mut Archive, n: i64, days: i64, text: &str) -> Stored {
    let (url, at) = (page_url(n), start() + TimeDelta::days(days));
    let html = format!("<title>A title</title><p>Menu and more<div class=new>{text}</div>");
    let mut arrival = arrival(&url, at, &html, Some(text));
    let article = arrival.article.as_mut().expect("an article");
    (article.wrapper, article.status) = (None, Status::Fallback);
    article.text.push_str(" Menu and more");
    store(archive, arrival)
}

/// Three articles whose pages were redesigned; the second was corrected.
fn doubtful(archive: &mut Archive) {
    for n in 1..=3 {
        visit(archive, &page_url(n), 0, &text_of(&n.to_string()));
    }
    for n in 1..=3 {
        let text = text_of(&n.to_string()) + if n == 2 { "Corrected." } else { "" };
        assert_eq!(redesigned(archive, n, n, &text), Stored::Doubtful);
    }
}

fn settle(archive: &mut Archive, design: &str) -> Result<Vec<SettledEdit>> {
    let extractor = finds(design);
    let by = RereadBy {
        site: SITE,
        extractor: &extractor,
        sha256: "w2",
        bad_only: true,
        feed: None,
        is_edited: false,
    };
    archive.settle((by, DoubtsOf::All), start() + TimeDelta::days(9))
}

/// The number of versions of each article.
fn counts(archive: &Archive) -> Vec<usize> {
    all(archive).iter().map(|(_, texts)| texts.len()).collect()
}

fn doubts(archive: &Archive) -> i64 {
    let count = archive.db.value("SELECT count(*) FROM doubts", []);
    count.expect("readable").expect("a number")
}

#[test]
fn a_doubtful_reading_is_no_version_until_its_page_is_read() {
    let dir = folder();
    let mut archive = open(dir.path());
    doubtful(&mut archive);
    assert_eq!((counts(&archive), doubts(&archive)), (vec![1, 1, 1], 3));
    // A wrapper that finds none of the articles settles nothing.
    assert_eq!(settle(&mut archive, "third").expect("settled"), []);
    assert_eq!((counts(&archive), doubts(&archive)), (vec![1, 1, 1], 3));
    let mut archive = archive.rebuild().expect("rebuilt");
    assert_eq!((counts(&archive), doubts(&archive)), (vec![1, 1, 1], 3));
    let edits = settle(&mut archive, "new").expect("settled");
    assert_eq!(edits.len(), 1);
    assert_eq!(edits[0].seen, start() + TimeDelta::days(2));
    let check = |archive: &Archive| {
        assert_eq!((counts(archive), doubts(archive)), (vec![1, 2, 1], 0));
        let reader = archive.reader().expect("a reader");
        let article = reader.article(&page_url(2)).expect("readable");
        let versions = reader.versions(article.expect("there").id);
        let latest = versions.expect("readable").pop().expect("a version");
        assert_eq!(latest.at, start() + TimeDelta::days(2));
        assert!(latest.record.text.ends_with("Corrected."));
        assert_eq!(dangling(dir.path()), [""; 0]);
        is_whole(archive);
    };
    check(&archive);
    assert_eq!(settle(&mut archive, "new").expect("settled"), []);
    check(&archive.rebuild().expect("rebuilt"));
}

/// The wrapper reads the page again as it did: the doubt is over, and nothing was edited.
#[test]
fn a_redesign_that_is_taken_back_leaves_no_doubt() {
    let dir = folder();
    let mut archive = open(dir.path());
    doubtful(&mut archive);
    for n in 1..=3 {
        let text = text_of(&n.to_string());
        assert_eq!(visit(&mut archive, &page_url(n), 5, &text), Stored::Same);
    }
    assert_eq!((counts(&archive), doubts(&archive)), (vec![1, 1, 1], 0));
    let archive = archive.rebuild().expect("rebuilt");
    assert_eq!((counts(&archive), doubts(&archive)), (vec![1, 1, 1], 0));
    is_whole(&archive);
}

/// The wrapper finds no article there, as far as one can tell.
#[test]
fn a_reading_that_speaks_against_its_wrapper_is_doubtful() {
    let dir = folder();
    let mut archive = open(dir.path());
    let (url, one, two) = (page_url(1), text_of("one"), text_of("two"));
    visit(&mut archive, &url, 0, &one);
    let mut other = arrival(&url, start() + TimeDelta::days(1), "<p>x", Some(&two));
    other.is_unfit = true;
    assert_eq!(store(&mut archive, other), Stored::Doubtful);
    assert_eq!(visit(&mut archive, &url, 2, &two), Stored::Version);
    assert_eq!(doubts(&archive), 0);
}

#[test]
fn a_forgotten_article_leaves_no_doubt_and_no_text() {
    let dir = folder();
    let mut archive = open(dir.path());
    doubtful(&mut archive);
    settle(&mut archive, "new").expect("settled");
    redesigned(&mut archive, 3, 11, &text_of("other"));
    let urls = [2, 3].map(page_url);
    let (archive, _) = archive.forget(&urls, start()).expect("forgotten");
    assert_eq!((counts(&archive), doubts(&archive)), (vec![1], 0));
    is_whole(&archive);
    assert_eq!(dangling(dir.path()), [""; 0]);
}

/// A learned wrapper whose second expression is a wider box.
fn finds_wider(design: &str) -> Extractor {
    let yaml = format!(
        "format: 1\nsite: {SITE}\ntemplates:\n- body: ['//div[@class=\"{design}\"]', '//div[@class=\"main\"]']\n"
    );
    let file = Wrapper::from_yaml(&yaml).expect("YAML");
    Extractor::new(file.wrapper).expect("it compiles")
}

/// A visit of a page whose article stands in a box of this name, beside other lines.
fn boxed(
    archive: &mut Archive,
    by: (&Extractor, &str),
    (design, n, days): (&str, i64, i64),
    text: &str,
) -> Stored {
    let html = format!(
        "<title>A title</title><div class=main><p>By Ann Lee<p>More of today<div class={design}><p>{text}</div></div>"
    );
    read_visit(archive, by, (&page_url(n), days), &html)
}

/// Only the name of the article's own box is another one.
#[test]
fn what_a_wider_box_finds_is_no_version() {
    let dir = folder();
    let mut archive = open(dir.path());
    let wrapper = finds_wider("story");
    let by = (&wrapper, "w1");
    let text = |n: i64| text_of(&n.to_string());
    for n in 1..=5 {
        let stored = boxed(&mut archive, by, ("story", n, 0), &text(n));
        assert_eq!(stored, Stored::New);
    }
    for n in 1..=5 {
        let text = text(n) + if n == 2 { "<p>Corrected." } else { "" };
        let stored = boxed(&mut archive, by, ("copy", n, n), &text);
        assert_eq!(stored, Stored::Doubtful);
    }
    assert_eq!((counts(&archive), doubts(&archive)), (vec![1; 5], 5));
    // The wrapper is found to be well by the pages that follow.
    let by = RereadBy {
        site: SITE,
        extractor: &wrapper,
        sha256: "w1",
        bad_only: true,
        feed: None,
        is_edited: false,
    };
    let at = start() + TimeDelta::days(20);
    let edits = archive.settle((by, DoubtsOf::All), at).expect("settled");
    assert_eq!(edits.len(), 1);
    assert_eq!(
        (counts(&archive), doubts(&archive)),
        (vec![1, 2, 1, 1, 1], 0)
    );
    is_whole(&archive);
}

/// The next wrapper has the same wider box, which is all that it finds on the pages of before.
#[test]
fn a_wider_box_takes_no_texts_place() {
    let dir = folder();
    let mut archive = open(dir.path());
    let (old, new) = (finds_wider("story"), finds_wider("copy"));
    for n in 1..=3 {
        let text = text_of(&n.to_string());
        boxed(&mut archive, (&old, "w1"), ("story", n, 0), &text);
    }
    let before = all(&archive);
    // A visit of a page that has the new name, by the new wrapper.
    let stored = boxed(&mut archive, (&new, "w2"), ("copy", 1, 1), &text_of("1"));
    assert_eq!(stored, Stored::Same);
    assert_eq!(all(&archive), before);
    let yaml = new.wrapper().to_yaml();
    std::fs::write(dir.path().join("sites/a.example.yaml"), yaml).expect("written");
    let report = archive.reextract(&ReextractOptions::default(), start(), &mut |_| {});
    let report = report.expect("read again");
    assert_eq!((report.read, report.unmatched), (0, 3), "{report:?}");
    assert_eq!(all(&archive), before);
    is_whole(&archive);
}

/// A full disk, or a killed process, at any step: each doubt is settled or is there.
#[test]
fn settling_that_fails_anywhere_is_done_by_the_next_call() {
    let options = |disk| archive_options().with_file_bytes(3000).with_disk(disk);
    let (mut steps, mut failures) = (0, 0);
    while failures <= steps {
        for lasting in [false, true] {
            let dir = folder();
            let mut archive =
                Archive::open(dir.path(), options(Disk::default())).expect("it opens");
            doubtful(&mut archive);
            drop(archive);
            let (disk, faults) = Disk::failing(failures, lasting);
            if let Ok(mut archive) = Archive::open(dir.path(), options(disk))
                && let Err(error) = settle(&mut archive, "new")
            {
                let message = error.to_string();
                assert!(message.contains("no space left"), "{message}");
            }
            steps = steps.max(faults.taken());
            let mut archive = open(dir.path());
            is_whole(&archive);
            let left = doubts(&archive);
            let edited = counts(&archive) == [1, 2, 1];
            // They are written together; of what could be neither synced nor undone some events
            // may be on the disk.
            let whole = left == if edited { 0 } else { 3 };
            let sql = "SELECT count(*) FROM doubts d JOIN articles a ON a.id = d.article \
                       WHERE a.key = 'a.example/2'";
            let of_edit: i64 = archive.db.value(sql, []).expect("readable").expect("one");
            assert_eq!(of_edit == 0, edited, "step {failures}, lasting {lasting}");
            assert!(whole || lasting, "step {failures}: {left} doubts");
            settle(&mut archive, "new").expect("settled");
            assert_eq!((counts(&archive), doubts(&archive)), (vec![1, 2, 1], 0));
            is_whole(&archive);
        }
        failures += 1;
    }
    assert!(failures > 2, "only {failures} steps were seen");
}
