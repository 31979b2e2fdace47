//! Damaged files, and their salvage.

use super::*;

/// A record of [`three`]: its file, kind, page, offset and length.
type At = (FileId, Option<RecordType>, String, u64, u64);

/// Three articles in one segment, and the places of their records.
fn three(dir: &Path) -> Vec<At> {
    let mut archive = open(dir);
    for name in ["1", "2", "3"] {
        let url = format!("http://a.example/{name}");
        visit(&mut archive, &url, 0, &text_of(name));
    }
    records_of(&archive)
}

fn path_of(dir: &Path, kind: FileKind) -> PathBuf {
    Folder::of(dir).file(FileId::new(1, kind))
}

/// A byte in the midst of the member.
fn flip(dir: &Path, (file, _, _, offset, length): &At) {
    let path = Folder::of(dir).file(*file);
    let mut bytes = fs::read(&path).expect("a file");
    bytes[(offset + length / 2) as usize] ^= 0xFF;
    fs::write(path, bytes).expect("written");
}

/// All files, to see that nothing is changed.
fn bytes_of(dir: &Path) -> Vec<Vec<u8>> {
    let folder = Folder::of(dir);
    let files = folder.lengths().expect("readable").into_keys();
    files
        .map(|file| fs::read(folder.file(file)).expect("a file"))
        .collect()
}

fn keys(archive: &Archive) -> Vec<String> {
    all(archive).into_iter().map(|(key, _)| key).collect()
}

/// The files and lengths in the tables.
fn articles(archive: &Archive) -> u64 {
    let count = "SELECT count(*) FROM articles";
    let counted = archive.db.query_row(count, [], |row| row.get(0));
    counted.expect("a number")
}

#[test]
fn damage_in_the_midst_cuts_nothing_off() {
    let dir = folder();
    let places = three(dir.path());
    for at in &places {
        // The last event may be torn.
        let is_last = at == places.last().expect("records");
        let (file, kind, page, offset, _) = at;
        flip(dir.path(), at);
        let damaged = bytes_of(dir.path());
        // The tables are there, and do not change.
        let archive = open(dir.path());
        assert_eq!(articles(&archive), 3);
        let error = archive.rebuild().expect_err("it is damaged");
        assert!(
            error.is_archive_broken(),
            "{kind:?} of {page} at {offset}: {error}"
        );
        let message = error.to_string();
        assert!(message.contains(&file.to_string()), "{message}");
        if !is_last {
            assert!(message.contains(&format!("at byte {offset}")), "{message}");
        }
        assert_eq!(articles(&open(dir.path())), 3);
        // The same without the tables.
        let database = fs::read(paths::database(dir.path())).expect("tables");
        remove_tables(dir.path());
        if !is_last {
            let options = archive_options;
            let error = Archive::open(dir.path(), options()).expect_err("it is damaged");
            assert!(error.is_archive_broken(), "{error}");
            let error = Archive::rebuilt(dir.path(), options()).expect_err("it is damaged");
            assert!(error.is_archive_broken(), "{error}");
            assert_eq!(bytes_of(dir.path()), damaged);
        }
        remove_tables(dir.path());
        fs::write(paths::database(dir.path()), database).expect("written");
        flip(dir.path(), at);
    }
    is_whole(&open(dir.path()));
}

#[test]
fn what_the_tables_had_is_not_cut_off_by_making_them_again() {
    let dir = folder();
    let places = three(dir.path());
    let &(file, _, _, offset, length) = places.last().expect("records");
    let path = Folder::of(dir.path()).file(file);
    let bytes = fs::read(&path).expect("a file");
    fs::write(path, &bytes[..(offset + length / 2) as usize]).expect("written");
    let error = Archive::rebuilt(dir.path(), archive_options()).expect_err("it is short");
    assert!(error.is_archive_broken(), "{error}");
    assert!(Archive::open(dir.path(), archive_options()).is_err());
}

/// The state after a power cut.
#[test]
fn a_tail_of_zeros_is_torn() {
    let dir = folder();
    let places = three(dir.path());
    let &(file, _, _, offset, _) = places.last().expect("records");
    let path = Folder::of(dir.path()).file(file);
    let end = fs::metadata(&path).expect("a file").len();
    let bytes = fs::read(&path).expect("a file");
    for whole in [end, offset + 20] {
        let mut torn = bytes[..whole as usize].to_vec();
        torn.extend([0; 5000]);
        fs::write(&path, torn).expect("written");
        remove_tables(dir.path());
        let archive = open(dir.path());
        assert_eq!(keys(&archive).len(), 2 + usize::from(whole == end));
        is_whole(&archive);
    }
}

#[test]
fn a_file_that_is_gone_is_missed() {
    let dir = folder();
    let options = || archive_options().with_file_bytes(1);
    let mut archive = Archive::open(dir.path(), options()).expect("it opens");
    for name in ["1", "2", "3"] {
        let url = format!("http://a.example/{name}");
        visit(&mut archive, &url, 0, &text_of(name));
    }
    drop(archive);
    let file = |kind| FileId::new(2, kind);
    let folder = Folder::of(dir.path());
    let mut gone = Vec::new();
    for kind in FileKind::ALL {
        fs::remove_file(folder.file(file(kind))).expect("removed");
        gone.push(file(kind).to_string());
        for with_tables in [true, false] {
            if !with_tables {
                remove_tables(dir.path());
            }
            let error = Archive::open(dir.path(), options()).expect_err("one is missing");
            let message = error.to_string();
            assert!(gone.iter().any(|name| message.contains(name)), "{message}");
        }
    }
    let (archive, report) = Archive::salvage(dir.path(), options(), start()).expect("salvaged");
    assert_eq!((report.missing, report.damaged.len()), (3, 0));
    assert_eq!(keys(&archive), ["a.example/1", "a.example/3"]);
    is_whole(&archive);
}

/// Whichever record is damaged: the articles of the others are unchanged, and the damaged
/// file is kept.
#[test]
fn all_that_is_whole_is_salvaged() {
    let dir = folder();
    let places = three(dir.path());
    let mut whole = Vec::new();
    for (nth, at) in places.iter().enumerate() {
        let (file, kind, page, _, length) = at;
        let dir = folder();
        three(dir.path());
        let before = all(&open(dir.path()));
        flip(dir.path(), at);
        let damaged = fs::read(Folder::of(dir.path()).file(*file)).expect("a file");
        let (mut archive, report) =
            Archive::salvage(dir.path(), archive_options(), start()).expect("salvaged");
        let what = format!("record {nth}, {kind:?} of {page}");
        assert_eq!(report.skipped, *length, "{what}");
        assert_eq!(report.damaged.len(), 1, "{what}");
        let kept = fs::read(&report.damaged[0]).expect("kept");
        assert_eq!(kept, damaged, "{what}");
        is_whole(&archive);
        let left = all(&archive);
        let lost: Vec<&(String, Vec<String>)> =
            before.iter().filter(|one| !left.contains(one)).collect();
        // A lost text is read from the page again, without a wrapper.
        let of_page = usize::from(*kind == Some(RecordType::Conversion));
        assert_eq!((lost.len(), left.len()), (of_page, 3), "{what}");
        assert_eq!(
            report.revisited,
            u64::from(*kind == Some(RecordType::Metadata)),
            "{what}"
        );
        assert_eq!(
            report.read_again,
            u64::from(*kind == Some(RecordType::Conversion)),
            "{what}"
        );
        // The page can be fetched once more.
        for (name, text) in ["1", "2", "3"].map(|name| (name, text_of(name))) {
            let url = format!("http://a.example/{name}");
            visit(&mut archive, &url, 1, &text);
            let reader = archive.reader().expect("a reader");
            let article = reader.article(&url).expect("readable").expect("known");
            let latest = reader
                .versions(article.id)
                .expect("readable")
                .pop()
                .expect("one");
            let expected = text.split_whitespace();
            assert!(
                latest.record.text.split_whitespace().eq(expected),
                "{what}: {}",
                latest.record.text
            );
        }
        is_whole(&archive);
        whole.push(all(&archive).len());
    }
    assert!(whole.iter().all(|&articles| articles == 3), "{whole:?}");
}

#[test]
fn what_is_not_damaged_is_not_touched() {
    let dir = folder();
    three(dir.path());
    let path = path_of(dir.path(), FileKind::Events);
    let bytes = fs::read(&path).expect("a file");
    fs::write(path, &bytes[..bytes.len() - 20]).expect("written");
    let (archive, report) =
        Archive::salvage(dir.path(), archive_options(), start()).expect("salvaged");
    // A torn end is not damage.
    assert_eq!(report, SalvageReport::default());
    assert_eq!(keys(&archive).len(), 2);
}

/// Killed at any moment, the archive has its old tables or its new ones, and the state of its
/// polls.
#[test]
fn making_the_tables_again_keeps_how_feeds_were_polled() {
    let dir = folder();
    let mut archive = open(dir.path());
    let feed = "http://a.example/feed".to_owned();
    let poll = FeedPoll {
        feed: feed.clone(),
        last: Some(start()),
        next: Some(start() + TimeDelta::hours(2)),
        etag: Some("\"7\"".to_owned()),
        ..FeedPoll::default()
    };
    let watch = ArchiveChange::Watch {
        site: "a.example".to_owned(),
        state: "{}".to_owned(),
    };
    let added = Event::FeedAdded { feed: feed.clone() };
    let event = ArchiveChange::Event {
        at: start(),
        event: added,
    };
    let rest = ArchiveChange::Rest {
        origin: "http://a.example".to_owned(),
        until: start(),
    };
    let changes = vec![
        event,
        ArchiveChange::Poll(Box::new(poll.clone())),
        watch,
        rest,
    ];
    archive.write(changes).expect("written");
    visit(&mut archive, "http://a.example/1", 0, &text_of("one"));
    drop(archive);
    let check = |archive: &Archive| {
        assert_eq!(
            archive.feed(&feed).expect("readable").map(|row| row.poll),
            Some(poll.clone())
        );
        assert!(archive.watch("a.example").expect("readable").is_some());
        let rests = [("http://a.example".to_owned(), start())];
        assert_eq!(archive.rests().expect("readable"), rests);
        assert_eq!(keys(archive).len(), 1);
        is_whole(archive);
    };
    check(&open(dir.path()).rebuild().expect("rebuilt"));
    check(&Archive::rebuilt(dir.path(), archive_options()).expect("rebuilt"));
    // Killed before the new tables are whole.
    fs::write(paths::new_database(dir.path()), "half").expect("written");
    check(&open(dir.path()));
    // Killed before they replaced the old ones.
    fs::write(paths::stale(dir.path()), "").expect("written");
    check(&open(dir.path()));
    assert!(!paths::stale(dir.path()).exists());
}

/// Tables of earlier versions of the program.
#[test]
fn tables_of_an_earlier_version_are_made_again_and_of_a_later_one_refused() {
    let dir = folder();
    let mut archive = open(dir.path());
    let text = text_of("one");
    visit(&mut archive, "http://a.example/1", 0, &text);
    let feed = "http://a.example/feed".to_owned();
    let event = Event::FeedAdded { feed: feed.clone() };
    let added = ArchiveChange::Event { at: start(), event };
    let next = Some(start() + TimeDelta::hours(7));
    let poll = FeedPoll {
        feed: feed.clone(),
        last: Some(start()),
        next,
        ..FeedPoll::default()
    };
    let polled = ArchiveChange::Poll(Box::new(poll));
    archive.write(vec![added, polled]).expect("written");
    drop(archive);
    let database = paths::database(dir.path());
    let change = |sql: &str| {
        let db = rusqlite::Connection::open(&database).expect("opened");
        db.execute_batch(sql).expect("SQL");
    };
    let refused = |opened: crate::Result<ArchiveReader>| opened.expect_err("refused").to_string();
    for earlier in [
        "DROP TABLE robots; PRAGMA user_version = 3;",
        "DROP TABLE robots; DROP TABLE rests; PRAGMA user_version = 2;",
        "DROP TABLE robots; DROP TABLE rests; DROP TABLE parts; DROP INDEX polls_last; \
         PRAGMA user_version = 1;",
    ] {
        change(earlier);
        // A reader gets an error with the remedy.
        let why = refused(ArchiveReader::open(dir.path()));
        assert!(why.contains("forest archive verify"), "{why}");
        let archive = open(dir.path());
        let expected = vec![("a.example/1".to_owned(), vec![text.clone()])];
        assert_eq!(all(&archive), expected, "{earlier}");
        let row = archive.feed(&feed).expect("readable").expect("there");
        assert_eq!((row.state.as_str(), row.poll.next), ("active", next));
        assert_eq!(archive.rests().expect("readable"), []);
        assert_eq!(archive.feeds_ahead(start()).expect("readable"), []);
        is_whole(&archive);
    }
    change("PRAGMA user_version = 1000;");
    let why = refused(ArchiveReader::open(dir.path()));
    assert!(why.contains("version 1000"), "{why}");
    assert!(Archive::open(dir.path(), archive_options()).is_err());
    // Tables of a later version are not changed.
    let why = refused(ArchiveReader::open(dir.path()));
    assert!(why.contains("version 1000"), "{why}");
}

#[test]
fn a_broken_database_names_the_remedy_and_is_made_again() {
    let dir = folder();
    three(dir.path());
    fs::write(paths::database(dir.path()), [b'x'; 5000]).expect("written");
    let read = ArchiveReader::open(dir.path()).expect_err("refused");
    let written = Archive::open(dir.path(), archive_options()).expect_err("refused");
    for error in [read, written] {
        let message = error.to_string();
        assert!(
            message.contains("forest archive verify --rebuild"),
            "{message}"
        );
    }
    let archive = Archive::rebuilt(dir.path(), archive_options()).expect("made again");
    assert_eq!(keys(&archive).len(), 3);
    is_whole(&archive);
}

/// Killed while the new files replaced the old ones.
#[test]
fn files_take_their_places_once_all_are_whole() {
    let urls = ["1", "2", "3"].map(|name| format!("http://a.example/{name}"));
    let fill = |dir: &Path| {
        let options = archive_options().with_file_bytes(1);
        let mut archive = Archive::open(dir, options).expect("it opens");
        for url in &urls {
            visit(&mut archive, url, 0, &text_of(url));
        }
        archive
    };
    let (dir, forgotten) = (folder(), folder());
    drop(fill(dir.path()));
    let (archive, _) = fill(forgotten.path())
        .forget(&urls[..2], start())
        .expect("forgotten");
    drop(archive);
    let (old, new) = (Folder::of(dir.path()), Folder::of(forgotten.path()));
    let waits = FileId::new(2, FileKind::Texts);
    for file in new.lengths().expect("readable").into_keys() {
        let to = if file == waits {
            // All others are there already.

            old.new_file(file)
        } else {
            old.file(file)
        };
        fs::copy(new.file(file), to).expect("copied");
    }
    fs::write(paths::stale(dir.path()), rewrite::MARK).expect("written");
    let archive = open(dir.path());
    assert_eq!(keys(&archive), ["a.example/3"]);
    is_whole(&archive);
    assert!(!old.new_file(waits).exists());
}

/// Killed before they were marked as whole.
#[test]
fn new_files_without_the_mark_are_removed() {
    let dir = folder();
    three(dir.path());
    let before = bytes_of(dir.path());
    let old = Folder::of(dir.path());
    for file in FileId::of_segment(1) {
        fs::write(old.new_file(file), "half").expect("written");
    }
    is_whole(&open(dir.path()));
    assert_eq!(old.unfinished().expect("readable"), []);
    assert_eq!(bytes_of(dir.path()), before);
}

/// Its pages would be missing from the tables, and nothing would say so.
#[test]
fn a_warc_file_of_another_name_is_refused_and_left_alone() {
    for name in ["forest-000001.warc.gz", "crawl.warc.gz"] {
        let dir = folder();
        three(dir.path());
        let path = Folder::of(dir.path()).path().join(name);
        fs::write(&path, "of somebody else").expect("written");
        let options = archive_options;
        let refused = [
            Archive::open(dir.path(), options()).map(drop),
            Archive::rebuilt(dir.path(), options()).map(drop),
            Archive::salvage(dir.path(), options(), start()).map(drop),
        ];
        for error in refused.map(|opened| opened.expect_err("refused")) {
            let message = error.to_string();
            assert!(message.contains(name), "{message}");
            assert!(message.contains("move it elsewhere"), "{message}");
        }
        assert_eq!(fs::read(&path).expect("there"), b"of somebody else");
        fs::remove_file(&path).expect("removed");
        let archive = open(dir.path());
        assert_eq!(keys(&archive).len(), 3);
        is_whole(&archive);
    }
}

/// Killed before: the addresses are recorded, and no data is removed yet.
#[test]
fn a_forgetting_that_was_interrupted_is_found_and_ended() {
    let dir = folder();
    three(dir.path());
    let mut archive = open(dir.path());
    let digest = known::key_digest("a.example/2");
    feeds::events(&mut archive, [Event::Forgotten { digest }]);
    let damage = archive.verify().expect("readable").damage;
    assert_eq!(damage, [Damage::Remembered { addresses: 1 }]);
    let (archive, report) = archive.forget(&[], start()).expect("forgotten");
    assert_eq!((report.addresses, report.files), (0, 3));
    assert_eq!(keys(&archive), ["a.example/1", "a.example/3"]);
    is_whole(&archive);
}
