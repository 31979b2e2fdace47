//! Archives of earlier versions of the program: one file for each segment, in which texts
//! and events have the addresses of their pages. `tests/data/archive` was written by version
//! 0.1.0 as of acec703: a feed of four pages, a second version of one of them, a page from a
//! file, and texts that were read again.

use super::*;
use forest_sources::warc::ReadRecord;

const FILE: &[u8] = include_bytes!("../../../../tests/data/archive/forest-000001.warc.gz");

/// An archive that has this file and its wrapper, and no tables.
fn earlier() -> tempfile::TempDir {
    let dir = folder();
    let warc = dir.path().join("warc");
    fs::create_dir(&warc).expect("made");
    fs::write(warc.join("forest-000001.warc.gz"), FILE).expect("written");
    let restored = open(dir.path()).restore_wrappers().expect("written");
    assert_eq!(restored.len(), 1);
    remove_tables(dir.path());
    dir
}

fn records(dir: &Path) -> Vec<(FileId, ReadRecord)> {
    let folder = Folder::of(dir);
    let mut found = Vec::new();
    for file in folder.lengths().expect("readable").into_keys() {
        let mut records = folder.records(file, 0).expect("a file");
        while let Some(record) = records.read().expect("whole") {
            found.push((file, record));
        }
    }
    found
}

/// Id, address and content of each page and request, in an order of their own.
fn pages(dir: &Path) -> Vec<(String, String, Vec<u8>)> {
    let is_other = |kind| {
        let others = [
            RecordType::Warcinfo,
            RecordType::Conversion,
            RecordType::Metadata,
        ];
        others.contains(&kind)
    };
    let records = records(dir).into_iter();
    let pages = records.filter(|(_, record)| !record.kind.is_some_and(is_other));
    let mut found: Vec<(String, String, Vec<u8>)> = pages
        .map(|(_, page)| (page.id, page.url, page.block))
        .collect();
    found.sort();
    found
}

fn counts(archive: &Archive) -> (usize, usize) {
    let all = all(archive);
    (all.len(), all.iter().map(|(_, texts)| texts.len()).sum())
}

#[test]
fn an_archive_of_an_earlier_version_is_read_and_goes_on_in_segments_of_three_files() {
    let dir = earlier();
    let mut archive = open(dir.path());
    assert_eq!(counts(&archive), (5, 6));
    let anna = "http://127.0.0.1:18765/anna.html";
    let known = archive.known(anna).expect("readable");
    let raw = known.raw.expect("its page");
    let page = archive.raw_pages().read(&raw).expect("readable");
    assert!(String::from_utf8_lossy(&page.body).contains("rang at midnight"));
    assert_eq!(archive.verify().expect("readable").mixed, 1);
    // Old texts are read from the old segment; new ones are written to a new segment.
    assert_eq!(
        visit(&mut archive, anna, 400, &text_of("new")),
        Stored::Version
    );
    assert_eq!(counts(&archive), (5, 7));
    is_whole(&archive);
    drop(archive);
    assert_eq!(
        fs::read(dir.path().join("warc/forest-000001.warc.gz")).expect("there"),
        FILE
    );
    let mut archive = open(dir.path());
    assert_eq!(
        visit(&mut archive, anna, 401, &text_of("new")),
        Stored::Same
    );
    remove_tables(dir.path());
    drop(archive);
    let archive = open(dir.path());
    assert_eq!(counts(&archive), (5, 7));
    is_whole(&archive);
}

/// The event of a feed did not name its answer.
#[test]
fn the_answers_of_its_feeds_are_found() {
    let dir = earlier();
    let archive = open(dir.path());
    let check = |archive: &Archive| {
        let reader = archive.reader().expect("a reader");
        let feed = reader.feeds().expect("readable").remove(0);
        let content = reader.latest_content(&feed.url).expect("readable");
        let content = content.expect("its answer");
        assert_eq!(
            (content.title.as_str(), content.items.len()),
            ("River News", 4)
        );
        is_whole(archive);
    };
    check(&archive);
    check(&archive.rewrite().expect("written anew").0);
}

#[test]
fn its_torn_end_is_cut_off() {
    let dir = earlier();
    let path = dir.path().join("warc/forest-000001.warc.gz");
    fs::write(&path, &FILE[..FILE.len() - 30]).expect("written");
    let mut archive = open(dir.path());
    visit(&mut archive, "http://a.example/1", 0, &text_of("one"));
    assert_eq!(counts(&archive), (6, 7));
    is_whole(&archive);
    drop(archive);
    remove_tables(dir.path());
    is_whole(&open(dir.path()));
}

#[test]
fn written_anew_it_has_the_same_pages_and_nothing_else_under_their_addresses() {
    let dir = earlier();
    let archive = open(dir.path());
    let (expected, before) = (all(&archive), pages(dir.path()));
    let (archive, written) = archive.rewrite().expect("written anew");
    assert_eq!(written, 1);
    assert_eq!(all(&archive), expected);
    assert_eq!(pages(dir.path()), before);
    let verified = archive.verify().expect("readable");
    assert_eq!(
        (verified.damage, verified.mixed, verified.files),
        (vec![], 0, 3)
    );
    assert!(!dir.path().join("warc/forest-000001.warc.gz").exists());
    let all_records = records(dir.path());
    let ids: HashSet<&str> = all_records.iter().map(|(_, r)| r.id.as_str()).collect();
    for (file, record) in &all_records {
        let is_page = before.iter().any(|(id, _, _)| *id == record.id);
        match record.kind {
            Some(RecordType::Warcinfo) => continue,
            Some(RecordType::Conversion) => assert_eq!(file.kind(), FileKind::Texts),
            Some(RecordType::Metadata) => assert_eq!(file.kind(), FileKind::Events),
            _ => assert!(is_page && file.kind() == FileKind::Pages),
        }
        if !is_page {
            assert_eq!(record.url, record.id, "an address of its own");
        }
        if let Some(about) = &record.refers_to {
            assert!(ids.contains(about.as_str()), "{about}");
        }
    }
    // Once more there is nothing to be done.
    let (archive, written) = archive.rewrite().expect("written anew");
    assert_eq!((written, all(&archive)), (0, expected));
    is_whole(&archive);
}

/// Killed while the new files replaced the old one.
#[test]
fn a_rewriting_that_was_interrupted_is_ended_or_undone() {
    let rewritten = earlier();
    let expected = all(&open(rewritten.path()));
    drop(open(rewritten.path()).rewrite().expect("written anew"));
    let new = Folder::of(rewritten.path());
    for renamed in 0..=3 {
        for is_marked in [false, true] {
            if !is_marked && renamed > 0 {
                continue;
            }
            let dir = earlier();
            drop(open(dir.path()));
            let old = Folder::of(dir.path());
            for (nth, kind) in FileKind::SPLIT.into_iter().enumerate() {
                let file = FileId::new(1, kind);
                let to = if nth < renamed {
                    old.file(file)
                } else {
                    old.new_file(file)
                };
                fs::copy(new.file(file), to).expect("copied");
            }
            if is_marked {
                fs::write(paths::stale(dir.path()), rewrite::MARK).expect("written");
            }
            let archive = open(dir.path());
            assert_eq!(all(&archive), expected, "{renamed} renamed, {is_marked}");
            let verified = archive.verify().expect("readable");
            assert_eq!(verified.damage, []);
            assert_eq!(verified.mixed, u64::from(!is_marked));
            assert_eq!(old.unfinished().expect("readable"), []);
        }
    }
}

#[test]
fn an_address_in_it_is_forgotten() {
    let dir = earlier();
    let urls = ["http://127.0.0.1:18765/anna.html".to_owned()];
    let (archive, report) = open(dir.path()).forget(&urls, start()).expect("forgotten");
    assert_eq!((report.articles, report.files), (1, 3));
    assert_eq!(counts(&archive), (4, 4));
    is_whole(&archive);
    for (_, record) in records(dir.path()) {
        let block = String::from_utf8_lossy(&record.block);
        assert!(!block.contains("anna"), "{:?} {}", record.kind, record.id);
    }
    assert_eq!(dangling(dir.path()), Vec::<String>::new());
}

#[test]
fn what_is_whole_of_it_is_salvaged() {
    let whole = earlier();
    let places = records_of(&open(whole.path()));
    for (file, kind, page, offset, length) in places {
        let dir = earlier();
        let path = Folder::of(dir.path()).file(file);
        let mut bytes = FILE.to_vec();
        bytes[(offset + length / 2) as usize] ^= 0xFF;
        fs::write(&path, bytes).expect("written");
        let salvaged = Archive::salvage(dir.path(), archive_options(), start());
        let (archive, report) = salvaged.expect("salvaged");
        let what = format!("{kind:?} of {page} at {offset}");
        assert_eq!(report.damaged.len(), 1, "{what}");
        assert_eq!(report.skipped, length, "{what}");
        let (articles, _) = counts(&archive);
        assert_eq!(articles, 5, "{what}");
        is_whole(&archive);
        assert_eq!(archive.verify().expect("readable").mixed, 0, "{what}");
    }
}

/// The tables of version 4 have the length of the file that is in them.
#[test]
fn a_file_that_is_shorter_than_its_tables_of_then_had_it_is_missed() {
    let dir = earlier();
    let database = paths::database(dir.path());
    let db = rusqlite::Connection::open(&database).expect("opened");
    let sql = "CREATE TABLE files (number INTEGER PRIMARY KEY, length INTEGER NOT NULL);
               PRAGMA user_version = 4;";
    db.execute_batch(sql).expect("SQL");
    let length = FILE.len() as u64;
    db.execute("INSERT INTO files VALUES (1, ?1)", [length])
        .expect("SQL");
    drop(db);
    let path = dir.path().join("warc/forest-000001.warc.gz");
    fs::write(&path, &FILE[..FILE.len() - 30]).expect("written");
    let opened = Archive::open(dir.path(), archive_options());
    let error = opened.expect_err("a part is missing");
    assert!(error.is_archive_broken(), "{error}");
    fs::write(&path, FILE).expect("written");
    is_whole(&open(dir.path()));
}

/// An earlier copy is updated from the archive that was written anew.
#[test]
fn a_backup_of_before_becomes_one_of_after() {
    let (dir, copy) = (earlier(), folder());
    let archive = open(dir.path());
    let sites = paths::sites(dir.path());
    let backup = |archive: &Archive| {
        let reader = archive.reader().expect("a reader");
        reader
            .backup(dir.path(), &sites, copy.path(), &mut |_, _| {})
            .expect("copied")
    };
    backup(&archive);
    let (archive, _) = archive.rewrite().expect("written anew");
    assert_eq!(backup(&archive).copied, 3);
    let restored = open(copy.path());
    assert_eq!(all(&restored), all(&archive));
    is_whole(&restored);
    assert_eq!(restored.verify().expect("readable").mixed, 0);
}
