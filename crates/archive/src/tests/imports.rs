//! Records of other archives: stored as they are, once, and never half.

use super::*;
use forest_sources::warc::{ArchivedRecord, RecordReader, is_digest_of};
use std::collections::BTreeMap;
use std::io::Write;

/// A record of another program, not packed.
fn foreign(kind: &str, fields: &[(&str, &str)], block: &[u8]) -> Vec<u8> {
    let mut head = format!("WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Date: 2026-01-02T03:04:05Z\r\n");
    for (name, value) in fields {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str(&format!("Content-Length: {}\r\n\r\n", block.len()));
    [head.as_bytes(), block, b"\r\n\r\n"].concat()
}

fn id(n: usize) -> String {
    format!("<urn:uuid:00000000-0000-4000-8000-{n:012}>")
}

/// Eleven records of eight types, one without an id.
fn crawl() -> Vec<u8> {
    let ids: Vec<String> = (0..12).map(id).collect();
    let url = "http://a.example/1";
    let page = b"HTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\nContent-Type: image/png\r\n\r\n\x89PNG";
    let gone = b"HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\n<p>Gone";
    let moved = b"HTTP/1.1 301 Moved\r\nLocation: /2\r\n\r\n";
    let of = |n: usize, url| [("WARC-Record-ID", &*ids[n]), ("WARC-Target-URI", url)];
    let about = [
        ("WARC-Record-ID", &*ids[4]),
        ("WARC-Target-URI", "<http://a.example/1>"),
    ];
    [
        foreign(
            "warcinfo",
            &[("WARC-Record-ID", &ids[0])],
            b"software: other\r\n",
        ),
        foreign("request", &of(1, url), b"GET /1 HTTP/1.1\r\n\r\n"),
        foreign("response", &of(2, url), page),
        foreign("Response", &of(3, "http://a.example/gone"), gone),
        foreign("metadata", &about, b"via: http://a.example/\r\n"),
        foreign("response", &of(5, "http://a.example/moved"), moved),
        foreign("revisit", &of(6, url), b"HTTP/1.1 200 OK\r\n\r\n"),
        foreign(
            "response",
            &of(7, "dns:a.example"),
            b"a.example. IN A 192.0.2.1\n",
        ),
        foreign("conversion", &of(8, url), b"A text"),
        foreign("continuation", &of(9, "http://a.example/long"), b"the rest"),
        foreign("screenshot", &of(10, url), b"\x89PNG"),
        foreign(
            "resource",
            &[("WARC-Target-URI", "file:///a.bin")],
            b"\0\x01",
        ),
    ]
    .concat()
}

fn records(warc: &[u8]) -> Vec<ArchivedRecord> {
    let reader = RecordReader::new(warc).expect("a WARC");
    reader.map(|record| record.expect("whole")).collect()
}

/// The outcomes of an import in one write.
fn import(archive: &mut Archive, warc: &[u8]) -> Result<Vec<RecordState>> {
    let (mut states, mut new) = (Vec::new(), Vec::new());
    for mut record in records(warc) {
        let state = archive.find_record(&mut record)?;
        states.push(state);
        if state == RecordState::New {
            new.push(record.encode());
        }
    }
    let at = start();
    archive.write(vec![ArchiveChange::Records { at, records: new }])?;
    Ok(states)
}

/// Type, address, date and block of the records that are no events and no `warcinfo` of ours.
fn stored(dir: &Path) -> BTreeMap<(String, String), Vec<u8>> {
    let folder = Folder::of(dir);
    let mut found = BTreeMap::new();
    for file in folder.lengths().expect("readable").into_keys() {
        let mut records = folder.records(file, 0).expect("a file");
        while let Some(record) = records.read().expect("whole") {
            if file.kind() == FileKind::Events || record.offset == 0 {
                continue;
            }
            assert!(
                record.date.starts_with("2026-01-02T03:04:05"),
                "{}",
                record.date
            );
            let name = record.kind.map_or("other", RecordType::name).to_owned();
            let digest = record.digest.as_deref().expect("a digest");
            assert_eq!(is_digest_of(digest, &record.block), Some(true));
            let twice = found.insert((name, record.url), record.block);
            assert_eq!(twice, None, "stored twice");
        }
    }
    found
}

fn expected() -> BTreeMap<(String, String), Vec<u8>> {
    let names = RecordType::named;
    let crawl = crawl();
    // Read by other means than those of the importer: the parts of the text.
    let text = crawl.split(|byte| *byte == 0xFF).next().expect("a part");
    let mut found = BTreeMap::new();
    let mut rest = text;
    while let Some(at) = rest.windows(4).position(|four| four == b"\r\n\r\n") {
        let head = String::from_utf8_lossy(&rest[..at]).into_owned();
        let field = |name: &str| {
            let mut lines = head.lines().filter_map(|line| line.split_once(": "));
            let value = lines
                .find(|(known, _)| *known == name)
                .map(|(_, value)| value);
            value
                .unwrap_or_default()
                .trim_matches(['<', '>'])
                .to_owned()
        };
        let length: usize = field("Content-Length").parse().expect("a length");
        let block = rest[at + 4..at + 4 + length].to_vec();
        let kind = field("WARC-Type").to_lowercase();
        let kind = names(&kind).map_or("other", RecordType::name).to_owned();
        found.insert((kind, field("WARC-Target-URI")), block);
        rest = &rest[at + 4 + length + 4..];
    }
    found
}

#[test]
fn records_of_all_types_are_stored_as_they_are_and_once() {
    let dir = folder();
    let mut archive = open(dir.path());
    let states = import(&mut archive, &crawl()).expect("written");
    assert_eq!(states, [RecordState::New; 12]);
    assert_eq!(stored(dir.path()), expected());
    is_whole(&archive);
    let states = import(&mut archive, &crawl()).expect("written");
    assert_eq!(states, [RecordState::Held; 12]);
    // Also after the tables were made again from the files.
    let mut archive = archive.rebuild().expect("rebuilt");
    let states = import(&mut archive, &crawl()).expect("written");
    assert_eq!(states, [RecordState::Held; 12]);
    assert_eq!(stored(dir.path()), expected());
    is_whole(&archive);
    // Facts about the file stay with its records.
    let files = Folder::of(dir.path());
    let mut pages = files
        .records(FileId::new(1, FileKind::Pages), 0)
        .expect("a file");
    pages.read().expect("whole");
    let request = pages.read().expect("whole").expect("a record");
    assert_eq!(request.kind, Some(RecordType::Request));
}

/// Another program may give one id twice; another record is another one.
#[test]
fn records_with_the_id_of_another_are_stored() {
    let dir = folder();
    let mut archive = open(dir.path());
    let one_id = id(1);
    let record = |path: &str, block: &[u8]| {
        let url = format!("http://a.example/{path}");
        let fields = [("WARC-Record-ID", &*one_id), ("WARC-Target-URI", &*url)];
        foreign("request", &fields, block)
    };
    let others = [
        record("1", b"GET /1"),
        record("2", b"GET /2"),
        record("1", b"GET /1 "),
    ];
    for again in [RecordState::New, RecordState::Held] {
        for other in &others {
            let states = import(&mut archive, other).expect("written");
            assert_eq!(states, [again], "{}", String::from_utf8_lossy(other));
        }
    }
    is_whole(&archive);
}

#[test]
fn an_import_that_fails_anywhere_leaves_what_was_there_before() {
    let mut steps = 0;
    let mut failures = 0;
    while failures <= steps {
        for lasting in [false, true] {
            let dir = folder();
            let (disk, faults) = Disk::failing(failures, lasting);
            let options = archive_options().with_file_bytes(300).with_disk(disk);
            let mut written = Vec::new();
            if let Ok(mut archive) = Archive::open(dir.path(), options) {
                let halves = [&crawl()[..], &foreign("metadata", &[], b"a: b\r\n")];
                written.extend(halves.map(|half| import(&mut archive, half).is_ok()));
            }
            steps = steps.max(faults.taken());
            let mut archive = open(dir.path());
            is_whole(&archive);
            let found = stored(dir.path()).len();
            let least = written.iter().zip([12, 1]).filter(|(is_ok, _)| **is_ok);
            let least: usize = least.map(|(_, records)| records).sum();
            let may_be = if lasting {
                vec![least, 12, 13]
            } else {
                vec![least]
            };
            assert!(
                may_be.contains(&found),
                "step {failures}: {found} of {least}"
            );
            // The rest is imported then, and nothing twice.
            import(&mut archive, &crawl()).expect("written");
            let mut whole = stored(dir.path());
            whole.remove(&("metadata".to_owned(), String::new()));
            assert_eq!(whole, expected());
            is_whole(&archive);
        }
        failures += 1;
    }
    assert!(failures > 10, "only {failures} steps were seen");
}

#[test]
fn forgotten_addresses_are_taken_out_of_imports_and_not_imported_again() {
    let dir = folder();
    let mut archive = open(dir.path());
    import(&mut archive, &crawl()).expect("written");
    let urls = ["http://a.example/1".to_owned()];
    let (mut archive, report) = archive.forget(&urls, start()).expect("forgotten");
    // Request, response, metadata, revisit, conversion, screenshot.
    assert_eq!(report.records, 6);
    let mut rest = expected();
    rest.retain(|(_, url), _| url != "http://a.example/1");
    assert_eq!(stored(dir.path()), rest);
    is_whole(&archive);
    let states = import(&mut archive, &crawl()).expect("written");
    let counted = |state| states.iter().filter(|one| **one == state).count();
    assert_eq!(
        (counted(RecordState::Forgotten), counted(RecordState::Held)),
        (6, 6)
    );
    assert_eq!(stored(dir.path()), rest);
}

#[test]
fn a_salvage_keeps_the_whole_records_of_an_import() {
    let dir = folder();
    let mut archive = open(dir.path());
    import(&mut archive, &crawl()).expect("written");
    visit(&mut archive, "http://b.example/1", 0, &text_of("one"));
    drop(archive);
    let path = Folder::of(dir.path()).file(FileId::new(1, FileKind::Pages));
    let folder = Folder::of(dir.path());
    let mut members = folder
        .records(FileId::new(1, FileKind::Pages), 0)
        .expect("a file");
    let mut places = Vec::new();
    while let Some(record) = members.read().expect("whole") {
        places.push((record.offset, record.length, record.url));
    }
    // The last record of the import, by which its event names them.
    let nth = places.iter().position(|(_, _, url)| url == "file:///a.bin");
    let (offset, length, url) = places[nth.expect("there")].clone();
    let mut bytes = fs::read(&path).expect("a file");
    bytes[(offset + length / 2) as usize] ^= 0xFF;
    fs::write(&path, bytes).expect("written");
    let salvaged = Archive::salvage(dir.path(), archive_options(), start());
    let (archive, report) = salvaged.expect("salvaged");
    assert_eq!(report.damaged.len(), 1);
    is_whole(&archive);
    let mut rest = expected();
    rest.remove(&("resource".to_owned(), url));
    let mut found = stored(dir.path());
    found.retain(|(_, url), _| !url.contains("b.example") && !url.starts_with("urn:"));
    rest.retain(|(_, url), _| !url.is_empty());
    found.retain(|(_, url), _| !url.is_empty());
    assert_eq!(found, rest);
    assert_eq!(all(&archive).len(), 1);
}

/// A player gives a revisit's head with the bytes of the record that it refers to.
#[test]
fn a_page_that_came_packed_is_no_payload_of_one_that_comes_unpacked() {
    let dir = folder();
    let mut archive = open(dir.path());
    let (url, text) = ("http://a.example/1", text_of("one"));
    let body = format!("<p>{text}");
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(body.as_bytes()).expect("memory");
    let packed = gzip.finish().expect("memory");
    let head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n";
    let warc = foreign(
        "response",
        &[("WARC-Target-URI", url)],
        &[&head[..], &packed].concat(),
    );
    let mut record = records(&warc).remove(0);
    archive.find_record(&mut record).expect("readable");
    let arrived = Arrival {
        imported: Some(record.encode()),
        ..arrival(url, start(), &body, Some(&text))
    };
    assert_eq!(store(&mut archive, arrived), Stored::New);
    // Its page is read from the packed record.
    let known = archive.known(url).expect("readable").raw.expect("bytes");
    let raw = archive.raw_pages().read(&known).expect("readable");
    assert_eq!(raw.body, body.as_bytes());
    for (days, kind) in [(1, RecordType::Response), (2, RecordType::Revisit)] {
        assert_eq!(visit(&mut archive, url, days, &text), Stored::Same);
        let place = archive.journal.end();
        let mut records = Folder::of(dir.path())
            .records(FileId::new(place.segment, FileKind::Pages), 0)
            .expect("a file");
        let mut last = None;
        while let Some(record) = records.read().expect("whole") {
            last = record.kind;
        }
        assert_eq!(last, Some(kind), "day {days}");
    }
    is_whole(&archive);
}

/// Players find the page of a revisit by the digest that its own record states.
#[test]
fn a_revisit_has_the_digest_of_the_record_that_it_refers_to() {
    let dir = folder();
    let mut archive = open(dir.path());
    let (url, text) = ("http://a.example/1", text_of("one"));
    let body = format!("<p>{text}");
    // As earlier versions of the program wrote it.
    let sha256 = format!("sha256:{}", forest_html::text::sha256_hex(&body));
    let head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
    let fields = [("WARC-Target-URI", url), ("WARC-Payload-Digest", &*sha256)];
    let block = [&head[..], body.as_bytes()].concat();
    let record = records(&foreign("response", &fields, &block)).remove(0);
    let arrived = Arrival {
        imported: Some(record.encode()),
        ..arrival(url, start(), &body, Some(&text))
    };
    store(&mut archive, arrived);
    // Also after the tables were made again from the files.
    let mut archive = archive.rebuild().expect("rebuilt");
    assert_eq!(visit(&mut archive, url, 1, &text), Stored::Same);
    let file = FileId::new(1, FileKind::Pages);
    let mut pages = Folder::of(dir.path()).records(file, 0).expect("a file");
    let mut last = None;
    while let Some(record) = pages.read().expect("whole") {
        last = Some((record.kind, record.payload_digest));
    }
    assert_eq!(last, Some((Some(RecordType::Revisit), Some(sha256))));
    is_whole(&archive);
}
