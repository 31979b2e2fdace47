//! Answers beside pages, feeds and requisites: stored with what they were received for, or not
//! at all.

use super::*;

/// The answer of a path, with its status.
fn answer(path: &str, status: &str) -> (String, HttpExchange) {
    let exchange = HttpExchange {
        request_head: format!("GET {path} HTTP/1.1\r\n\r\n").into_bytes(),
        response_head: format!("HTTP/1.1 {status}\r\n\r\n").into_bytes(),
        ..HttpExchange::default()
    };
    (format!("http://a.example{path}"), exchange)
}

/// The answers on the way to an article.
fn way(article: &str, exchanges: Vec<(String, HttpExchange)>) -> ArchiveChange {
    ArchiveChange::Received(Box::new(ReceivedAnswers {
        at: start(),
        url: exchanges[0].0.clone(),
        final_url: format!("http://a.example{article}"),
        exchanges,
    }))
}

/// The types and paths of the stored pages, in their order.
fn pages(dir: &Path) -> Vec<String> {
    let folder = Folder::of(dir);
    let mut found = Vec::new();
    for file in folder.lengths().expect("readable").into_keys() {
        let mut records = folder.records(file, 0).expect("a file");
        while let Some(record) = records.read().expect("whole") {
            let path = record.url.strip_prefix("http://a.example");
            if let (FileKind::Pages, Some(path)) = (file.kind(), path) {
                found.push(format!(
                    "{} {path}",
                    record.kind.map_or("", RecordType::name)
                ));
            }
        }
    }
    found
}

/// A circle at one moment gives an answer twice: it is stored once, and the records behind it
/// belong to their own events.
#[test]
fn answers_are_stored_with_their_requests_and_once() {
    let dir = folder();
    let mut archive = open(dir.path());
    let circle = ["/go", "/consent", "/go", "/consent"];
    let circle = circle.map(|path| answer(path, "302 Found"));
    let robots = vec![answer("/robots.txt", "404 Not Found")];
    let changes = vec![way("/consent", circle.to_vec()), way("/robots.txt", robots)];
    archive.write(changes).expect("written");
    visit(&mut archive, "http://a.example/1", 0, &text_of("one"));
    let expected = [
        "request /go",
        "response /go",
        "request /consent",
        "response /consent",
        "request /robots.txt",
        "response /robots.txt",
        "request /1",
        "response /1",
    ];
    assert_eq!(pages(dir.path()), expected);
    is_whole(&archive);
    let archive = archive.rebuild().expect("rebuilt");
    assert_eq!(pages(dir.path()), expected);
    is_whole(&archive);
}

#[test]
fn the_way_to_a_forgotten_article_is_forgotten() {
    let dir = folder();
    let mut archive = open(dir.path());
    let to = |article: &str, path: &str| way(article, vec![answer(path, "301 Moved")]);
    let ways = || vec![to("/1", "/go/1"), to("/2", "/go/2"), to("/3", "/2")];
    archive.write(ways()).expect("written");
    let urls = ["http://a.example/2".to_owned()];
    let (mut archive, report) = archive.forget(&urls, start()).expect("forgotten");
    // A request, a response and an event each.
    assert_eq!(report.records, 6);
    let left = ["request /go/1", "response /go/1"];
    assert_eq!(pages(dir.path()), left);
    is_whole(&archive);
    // Nor is it stored again.
    archive.write(ways().split_off(1)).expect("written");
    assert_eq!(pages(dir.path()), left);
}

#[test]
fn a_salvage_keeps_the_whole_answers() {
    let dir = folder();
    let mut archive = open(dir.path());
    let answers = ["/a", "/b", "/c"].map(|path| answer(path, "302 Found"));
    archive
        .write(vec![way("/1", answers.to_vec())])
        .expect("written");
    visit(&mut archive, "http://a.example/1", 0, &text_of("one"));
    drop(archive);
    let file = FileId::new(1, FileKind::Pages);
    let folder = Folder::of(dir.path());
    let mut records = folder.records(file, 0).expect("a file");
    let mut place = None;
    while let Some(record) = records.read().expect("whole") {
        if (record.kind, &*record.url) == (Some(RecordType::Response), "http://a.example/c") {
            place = Some((record.offset, record.length));
        }
    }
    let (offset, length) = place.expect("the last answer");
    let mut bytes = fs::read(folder.file(file)).expect("a file");
    bytes[(offset + length / 2) as usize] ^= 0xFF;
    fs::write(folder.file(file), bytes).expect("written");
    let salvaged = Archive::salvage(dir.path(), archive_options(), start());
    let (archive, report) = salvaged.expect("salvaged");
    assert_eq!(report.damaged.len(), 1);
    is_whole(&archive);
    let left = pages(dir.path());
    for kept in ["response /a", "response /b", "request /c", "response /1"] {
        assert!(left.iter().any(|page| page == kept), "{kept}: {left:?}");
    }
    assert_eq!(all(&archive).len(), 1);
}

#[test]
fn answers_that_cannot_be_written_leave_the_archive_whole() {
    let (mut steps, mut failures) = (0, 0);
    while failures <= steps {
        let dir = folder();
        let (disk, faults) = Disk::failing(failures, false);
        let options = archive_options().with_file_bytes(300).with_disk(disk);
        let mut written = 0;
        if let Ok(mut archive) = Archive::open(dir.path(), options) {
            for path in ["/a", "/b", "/c"] {
                let answers = vec![answer(path, "302 Found"), answer(path, "404 Not Found")];
                written += usize::from(archive.write(vec![way("/1", answers)]).is_ok());
            }
        }
        steps = steps.max(faults.taken());
        is_whole(&open(dir.path()));
        assert_eq!(pages(dir.path()).len(), 4 * written, "step {failures}");
        failures += 1;
    }
    assert!(failures > 10, "only {failures} steps were seen");
}
