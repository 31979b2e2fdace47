//! Pages of web archives.

use super::*;
use forest_sources::warc;

/// A login in the place of an article.
fn login(n: usize) -> warc::ArchivedRecord {
    let body = b"<title>Log in</title><h1>Log in</h1><form><input name=user>\
                 <input type=password></form><p>Forgot your password?</p>";
    let at = "2026-01-02T03:04:05Z".parse().expect("a date");
    let head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
    let url = format!("http://a.example/story/{n}");
    let member = warc::Record::response(&url, at, head, body).member();
    let mut records = warc::RecordReader::new(member.as_slice()).expect("a WARC");
    records.next().expect("a record").expect("whole")
}

#[test]
fn a_verdict_that_imported_pages_change_is_an_event() {
    let dir = tempfile::tempdir().expect("a folder");
    let options = crate::archive_options();
    let mut archive = Archive::open(dir.path(), options).expect("it opens");
    let mut importer = Importer::new(&mut archive, HarvestOptions::default());
    for n in 0..5 {
        importer.add(login(n)).expect("taken");
    }
    let imported = importer.finish().expect("written");
    assert_eq!((imported.pages, imported.nothing), (5, 5));
    let verdict = archive.last_verdict("a.example").expect("readable");
    assert_eq!(verdict.as_deref(), Some("blocked"));
}
