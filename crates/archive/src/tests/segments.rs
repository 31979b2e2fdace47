//! Segments and batches: records of one write are stored completely or not at all, whatever
//! interrupts the write.

use super::*;

fn prepared(archive: &Archive, url: &str) -> ArchiveChange {
    let text = text_of(url);
    let arrival = arrival(url, start(), &format!("<p>{text}"), Some(&text));
    let known = archive.known(url).expect("readable");
    ArchiveChange::Page(Box::new(arrival.prepare(&known)))
}

/// The tables have the length of each file of a batch: nothing is replayed when the archive
/// is opened next.
#[test]
fn a_batch_over_several_segments_is_in_the_tables_once() {
    let dir = folder();
    let options = || archive_options().with_file_bytes(3000);
    let mut archive = Archive::open(dir.path(), options()).expect("it opens");
    let urls = (0..12).map(|n| format!("http://a.example/{n}"));
    let changes: Vec<ArchiveChange> = urls.map(|url| prepared(&archive, &url)).collect();
    archive.write(changes).expect("written");
    let files = archive.folder.lengths().expect("readable");
    assert!(files.len() > 6, "{files:?}");
    assert_eq!(
        lengths::known_lengths(&archive.db).expect("readable"),
        files
    );
    let expected = all(&archive);
    drop(archive);
    let archive = Archive::open(dir.path(), options()).expect("it opens");
    assert_eq!(all(&archive), expected);
    is_whole(&archive);
}

/// A failed batch leaves nothing, in whichever segment it failed.
#[test]
fn a_batch_over_several_segments_is_taken_back_whole() {
    let mut step = 0;
    loop {
        let dir = folder();
        let options = |disk| archive_options().with_file_bytes(3000).with_disk(disk);
        drop(Archive::open(dir.path(), options(Disk::default())));
        let (disk, faults) = Disk::failing(step, false);
        let mut archive = Archive::open(dir.path(), options(disk)).expect("it opens");
        let urls = (0..6).map(|n| format!("http://a.example/{n}"));
        let changes: Vec<ArchiveChange> = urls.map(|url| prepared(&archive, &url)).collect();
        let written = archive.write(changes);
        let expected = if written.is_ok() { 6 } else { 0 };
        assert_eq!(all(&archive).len(), expected, "step {step}");
        is_whole(&archive);
        drop(archive);
        let archive = open(dir.path());
        assert_eq!(all(&archive).len(), expected, "step {step}");
        is_whole(&archive);
        if step > faults.taken() {
            assert!(step > 20, "only {step} steps were seen");
            return;
        }
        step += 1;
    }
}

/// A killed process leaves the file of the pages, then that of the texts, then that of the
/// events too short.
#[test]
fn what_was_begun_is_cut_off_and_what_was_written_is_done_again() {
    let dir = folder();
    let mut archive = open(dir.path());
    visit(&mut archive, "http://a.example/1", 0, &text_of("one"));
    let first = archive.journal.end().lengths.expect("three files");
    visit(&mut archive, "http://a.example/2", 0, &text_of("two"));
    let second = archive.journal.end().lengths.expect("three files");
    drop(archive);
    let files = FileKind::ALL.map(|kind| Folder::of(dir.path()).file(FileId::new(1, kind)));
    let whole = files.clone().map(|path| fs::read(path).expect("a file"));
    let database = fs::read(paths::database(dir.path())).expect("a database");
    let cut_at = |lengths: [u64; 3]| {
        for nth in 0..3 {
            let bytes = &whole[nth][..lengths[nth] as usize];
            fs::write(&files[nth], bytes).expect("written");
        }
    };
    let mut cuts = vec![second];
    for nth in 0..3 {
        for length in (first[nth]..second[nth]).step_by(61) {
            // Records before the cut are there, those behind it are not.
            let mut lengths = first;
            lengths[..nth].copy_from_slice(&second[..nth]);
            lengths[nth] = length;
            cuts.push(lengths);
        }
    }
    for cut in cuts {
        for with_tables in [false, true] {
            cut_at(cut);
            remove_tables(dir.path());
            if with_tables {
                // The state after the first page.
                cut_at(first);
                drop(open(dir.path()));
                cut_at(cut);
            }
            let mut archive = open(dir.path());
            let expected = 1 + usize::from(cut == second);
            assert_eq!(
                all(&archive).len(),
                expected,
                "cut at {cut:?}, {with_tables}"
            );
            is_whole(&archive);
            visit(&mut archive, "http://a.example/2", 0, &text_of("two"));
            assert_eq!(all(&archive).len(), 2);
            is_whole(&archive);
        }
    }
    // The tables have more than the files: bytes of a file were removed.
    remove_tables(dir.path());
    for nth in 0..3 {
        fs::write(paths::database(dir.path()), &database).expect("written");
        let mut lengths = second;
        lengths[nth] = first[nth];
        cut_at(lengths);
        let opened = Archive::open(dir.path(), archive_options());
        let error = opened.expect_err("a part is missing");
        assert!(error.to_string().contains("damaged"), "{error}");
    }
}

/// A process that is killed while it begins a segment leaves none, some or all of its files,
/// the last of them without its first record.
#[test]
fn a_segment_that_was_begun_is_begun_again() {
    let complete = folder();
    let options = || archive_options().with_file_bytes(1);
    let fill = |dir: &Path, pages: &[&str]| {
        let mut archive = Archive::open(dir, options()).expect("it opens");
        for page in pages {
            visit(
                &mut archive,
                &format!("http://a.example/{page}"),
                0,
                &text_of(page),
            );
        }
        archive
    };
    drop(fill(complete.path(), &["1", "2"]));
    let begun = [FileKind::Events, FileKind::Texts, FileKind::Pages];
    for files in 1..=3 {
        for with_tables in [true, false] {
            let dir = folder();
            drop(fill(dir.path(), &["1"]));
            for (nth, kind) in begun[..files].iter().enumerate() {
                let file = FileId::new(2, *kind);
                let from = Folder::of(complete.path())
                    .records(file, 0)
                    .expect("readable")
                    .read();
                let first = from.expect("whole").expect("a record").length as usize;
                let kept = if nth + 1 == files { first / 2 } else { first };
                let bytes = fs::read(Folder::of(complete.path()).file(file)).expect("a file");
                let to = Folder::of(dir.path()).file(file);
                fs::write(to, &bytes[..kept]).expect("written");
            }
            if !with_tables {
                remove_tables(dir.path());
            }
            let archive = fill(dir.path(), &["2"]);
            assert_eq!(
                all(&archive),
                all(&fill(complete.path(), &[])),
                "{files} files"
            );
            is_whole(&archive);
        }
    }
}

#[test]
fn files_are_cut_at_their_size_between_visits() {
    let dir = folder();
    let options = archive_options().with_file_bytes(2000);
    let mut archive = Archive::open(dir.path(), options).expect("it opens");
    for n in 0..6 {
        visit(
            &mut archive,
            &format!("http://a.example/{n}"),
            0,
            &text_of(&n.to_string()),
        );
    }
    assert!(archive.folder.lengths().expect("readable").len() > 1);
    is_whole(&archive);
    let expected = all(&archive);
    assert_eq!(all(&archive.rebuild().expect("rebuilt")), expected);
}

#[test]
fn a_write_that_fails_anywhere_leaves_what_was_there_before() {
    let options = |disk| archive_options().with_file_bytes(3000).with_disk(disk);
    let mut steps = 0;
    let mut failures = 0;
    while failures <= steps {
        for lasting in [false, true] {
            let dir = folder();
            let (disk, faults) = Disk::failing(failures, lasting);
            let mut stored = 0;
            if let Ok(mut archive) = Archive::open(dir.path(), options(disk)) {
                for n in 0..4 {
                    let url = format!("http://a.example/{n}");
                    let text = text_of(&n.to_string());
                    let arrival = arrival(&url, start(), &text, Some(&text));
                    let prepared = arrival.prepare(&archive.known(&url).expect("readable"));
                    match archive.write(vec![ArchiveChange::Page(Box::new(prepared))]) {
                        Ok(_) => stored += 1,
                        Err(error) => {
                            let message = error.to_string();
                            let known = ["no space left", "an earlier write could not be undone"];
                            assert!(
                                known.iter().any(|known| message.contains(known)),
                                "{message}"
                            );
                        }
                    }
                }
            }
            steps = steps.max(faults.taken());
            let archive = open(dir.path());
            let found = all(&archive).len();
            // A record that could be neither synced nor undone may still be on the disk.
            let most = stored + usize::from(lasting);
            assert!(
                (stored..=most).contains(&found),
                "step {failures}, lasting {lasting}"
            );
            is_whole(&archive);
        }
        failures += 1;
    }
    assert!(failures > 20, "only {failures} steps were seen");
}
