//! Edits that a wrapper did not see: a later one finds them on the pages that were kept.

use super::*;
use forest_core::wrapper::Wrapper;

const SITE: &str = "a.example";

fn page_url(n: i64) -> String {
    format!("http://{SITE}/{n}")
}

/// A wrapper that finds articles by these expressions.
fn finds(bodies: &str) -> Extractor {
    let yaml = format!("format: 1\nsite: {SITE}\ntemplates:\n- body: [{bodies}]\n");
    let file = Wrapper::from_yaml(&yaml).expect("YAML");
    Extractor::new(file.wrapper).expect("it compiles")
}

/// Finds the story without the notes below it.
const STORY: &str = "'//div[@class=\"story\"]'";
/// Finds the story with the notes below it.
const MAIN: &str = "'//div[@class=\"main\"]'";

/// A story with these notes below it; each page has another number beside it.
fn page_of(n: i64, notes: &[&str], days: i64) -> String {
    let text = text_of(&n.to_string());
    let notes: String = notes.iter().map(|note| format!("<p>{note}")).collect();
    format!(
        "<title>A title</title><p>{days} readers<div class=main><div class=story><p>{text}</div>\
         <div class=notes>{notes}</div></div>"
    )
}

fn seen(archive: &mut Archive, by: (&Extractor, &str), n: i64, days: i64, html: &str) -> Stored {
    read_visit(archive, by, (&page_url(n), days), html)
}

/// Three articles, visited on three days; the second has a note from the second day on, and
/// another on the third day.
fn noted(archive: &mut Archive) {
    let wrapper = finds(STORY);
    let by = (&wrapper, "w1");
    for n in 1..=3 {
        let stored = seen(archive, by, n, 0, &page_of(n, &[], 0));
        assert_eq!(stored, Stored::New);
        for day in 1..=2 {
            let notes = &["One was wrong.", "Two, too."][..if n == 2 { day } else { 0 }];
            let day = day as i64;
            let stored = seen(archive, by, n, day, &page_of(n, notes, day));
            assert_eq!(stored, Stored::Same);
        }
    }
}

/// Puts a wrapper into the site's file and reads the versions again.
fn read_by(archive: &mut Archive, bodies: &str, options: &ReextractOptions) -> Result<Reextracted> {
    let yaml = finds(bodies).wrapper().to_yaml();
    let file = archive.dir().join("sites").join(format!("{SITE}.yaml"));
    std::fs::write(file, yaml).expect("written");
    archive.reextract(options, start() + TimeDelta::days(9), &mut |_| {})
}

/// The versions of each article: days since the first visit.
fn versions(archive: &Archive) -> Vec<Vec<i64>> {
    let reader = archive.reader().expect("a reader");
    let days = |n| {
        let article = reader.article(&page_url(n)).expect("readable");
        let versions = reader.versions(article.expect("there").id);
        let versions = versions.expect("readable").into_iter();
        versions.map(|version| (version.at - start()).num_days())
    };
    (1..=3).map(|n| days(n).collect()).collect()
}

#[test]
fn a_wrapper_that_sees_more_finds_edits_at_their_times() {
    let dir = folder();
    let mut archive = open(dir.path());
    noted(&mut archive);
    assert_eq!(versions(&archive), [vec![0], vec![0], vec![0]]);
    let dry_run = ReextractOptions {
        dry_run: true,
        ..ReextractOptions::default()
    };
    let report = read_by(&mut archive, MAIN, &dry_run).expect("read");
    assert_eq!((report.read, report.edits.len()), (3, 2), "foretold");
    assert_eq!(versions(&archive), [vec![0], vec![0], vec![0]]);
    let report = read_by(&mut archive, MAIN, &ReextractOptions::default()).expect("read");
    assert_eq!((report.read, report.settled, report.doubtful), (3, 0, 0));
    let edits = report
        .edits
        .iter()
        .map(|edit| (edit.url.as_str(), edit.seen));
    let (url, at) = (page_url(2), |days| start() + TimeDelta::days(days));
    assert!(edits.eq([(url.as_str(), at(1)), (&url, at(2))]));
    let check = |archive: &Archive| {
        assert_eq!(versions(archive), [vec![0], vec![0, 1, 2], vec![0]]);
        let texts = &all(archive)[1].1;
        assert!(texts[1].ends_with("One was wrong."), "{texts:?}");
        assert!(texts[2].ends_with("Two, too."), "{texts:?}");
        assert_eq!(dangling(dir.path()), [""; 0]);
        is_whole(archive);
    };
    check(&archive);
    let report = read_by(&mut archive, MAIN, &ReextractOptions::default()).expect("read");
    assert_eq!((report.versions, report.edits.len()), (0, 0));
    // Back to the one that sees less: the versions stay, nothing is edited.
    let report = read_by(&mut archive, STORY, &ReextractOptions::default()).expect("read");
    assert_eq!((report.read, report.edits.len()), (5, 0));
    let mut archive = archive.rebuild().expect("rebuilt");
    read_by(&mut archive, MAIN, &ReextractOptions::default()).expect("read");
    check(&archive);
    let (archive, _) = archive.forget(&[page_url(2)], start()).expect("forgotten");
    assert_eq!(dangling(dir.path()), [""; 0]);
    is_whole(&archive);
}

/// The later pages have another layout, on which the wrapper finds a wider box.
#[test]
fn another_expression_finds_no_edits() {
    let dir = folder();
    let mut archive = open(dir.path());
    let wrapper = finds("'//div[@class=\"story\" or @class=\"copy\"]'");
    for day in 0..=1 {
        let html = page_of(1, &["Read more."], day);
        let html = html.replace("class=story", ["class=story", "class=copy"][day as usize]);
        seen(&mut archive, (&wrapper, "w1"), 1, day, &html);
    }
    let wider = format!("{STORY}, {MAIN}");
    let report = read_by(&mut archive, &wider, &ReextractOptions::default()).expect("read");
    assert_eq!((report.read, report.edits.len()), (1, 0));
    assert_eq!(all(&archive)[0].1.len(), 1);
    is_whole(&archive);
}

/// The wrapper takes a line of each page for a part of its article, which is another one each day.
#[test]
fn other_words_on_most_pages_are_no_edits() {
    let dir = folder();
    let mut archive = open(dir.path());
    let wrapper = finds(STORY);
    for (n, day) in (1..=4).flat_map(|n| [(n, 0), (n, 1)]) {
        let today = format!("Read on day {day}: number {n}.");
        let html = page_of(n, &[&today], day);
        seen(&mut archive, (&wrapper, "w1"), n, day, &html);
    }
    let report = read_by(&mut archive, MAIN, &ReextractOptions::default()).expect("read");
    assert_eq!((report.read, report.edits.len()), (4, 0));
    assert!(all(&archive).iter().all(|(_, texts)| texts.len() == 1));
}

/// A note that nobody saw, and then a redesign that brought doubt: both in the order of time.
#[test]
fn a_doubt_behind_an_edit_is_settled_after_it() {
    let dir = folder();
    let mut archive = open(dir.path());
    let wrapper = finds(STORY);
    let by = (&wrapper, "w1");
    for (day, notes) in [(0, &[][..]), (1, &["One was wrong."])] {
        seen(&mut archive, by, 1, day, &page_of(1, notes, day));
    }
    let html = page_of(1, &["One was wrong.", "Two, too."], 2);
    let html = html.replace("class=story><p>", "class=copy><p>Corrected today. ");
    assert_eq!(seen(&mut archive, by, 1, 2, &html), Stored::Doubtful);
    let report = read_by(&mut archive, MAIN, &ReextractOptions::default()).expect("read");
    assert_eq!(
        (report.read, report.edits.len(), report.doubtful),
        (1, 2, 0)
    );
    let texts = &all(&archive)[0].1;
    assert!(texts[1].ends_with("One was wrong."), "{texts:?}");
    assert!(texts[2].starts_with("Corrected today."), "{texts:?}");
    assert!(!archive.has_doubts(SITE).expect("readable"));
    is_whole(&archive);
}

/// A full disk, or a killed process, at any step: no edit stands at a wrong time or twice.
#[test]
fn a_reading_that_fails_anywhere_is_whole() {
    let options = |disk| archive_options().with_file_bytes(3000).with_disk(disk);
    let (mut steps, mut failures) = (0, 0);
    while failures <= steps {
        let dir = folder();
        let mut archive = Archive::open(dir.path(), options(Disk::default())).expect("it opens");
        noted(&mut archive);
        drop(archive);
        let (disk, faults) = Disk::failing(failures, false);
        if let Ok(mut archive) = Archive::open(dir.path(), options(disk)) {
            let _ = read_by(&mut archive, MAIN, &ReextractOptions::default());
        }
        steps = steps.max(faults.taken());
        let mut archive = open(dir.path());
        is_whole(&archive);
        read_by(&mut archive, MAIN, &ReextractOptions::default()).expect("read");
        assert_eq!(
            versions(&archive),
            [vec![0], vec![0, 1, 2], vec![0]],
            "step {failures}"
        );
        is_whole(&archive);
        failures += 1;
    }
    assert!(failures > 2, "only {failures} steps were seen");
}

#[test]
fn versions_are_read_one_by_one() {
    let dir = folder();
    let mut archive = open(dir.path());
    let url = "http://a.example/1";
    for (day, words) in ["one", "two", "three"].into_iter().enumerate() {
        visit(&mut archive, url, day as i64, &text_of(words));
    }
    visit(&mut archive, "http://a.example/2", 9, &text_of("other"));
    let reader = archive.reader().expect("a reader");
    let all = reader.versions(1).expect("readable");
    let read = |number| reader.numbered_version(1, number).expect("readable");
    for version in &all {
        assert_eq!(read(Some(version.number)).as_ref(), Some(version));
    }
    assert_eq!(read(None).as_ref(), all.last());
    assert_eq!((read(Some(0)), read(Some(4))), (None, None));
    assert_eq!(reader.numbered_version(9, None).expect("readable"), None);
    let times = reader.version_times(1).expect("readable");
    let times = times.iter().map(|time| (time.number, time.at));
    let expected = all.iter().map(|version| (version.number, version.at));
    assert!(times.eq(expected) && all.len() == 3);
}
