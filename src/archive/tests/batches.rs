//! What is written together, over the border of two segments.

use super::*;

fn prepared(archive: &Archive, url: &str) -> Change {
    let text = text_of(url);
    let arrival = arrival(url, start(), &format!("<p>{text}"), Some(&text));
    let known = archive.known(url).expect("readable");
    Change::Page(Box::new(arrival.prepare(&known)))
}

/// The tables know of each file of a batch how much of it they have: nothing of it is
/// done again when the archive is opened next.
#[test]
fn a_batch_over_several_segments_is_in_the_tables_once() {
    let dir = folder();
    let options = || ArchiveOptions::default().with_file_bytes(3000);
    let mut archive = Archive::open(dir.path(), options()).expect("it opens");
    let urls = (0..12).map(|n| format!("http://a.example/{n}"));
    let changes: Vec<Change> = urls.map(|url| prepared(&archive, &url)).collect();
    archive.write(changes).expect("written");
    let files = archive.folder.lengths().expect("readable");
    assert!(files.len() > 6, "{files:?}");
    assert_eq!(
        recover::known_lengths(&archive.db).expect("readable"),
        files
    );
    let expected = all(&archive);
    drop(archive);
    let archive = Archive::open(dir.path(), options()).expect("it opens");
    assert_eq!(all(&archive), expected);
    is_whole(&archive);
}

/// A batch that fails leaves nothing, in whichever segment it was.
#[test]
fn a_batch_over_several_segments_is_taken_back_whole() {
    let mut step = 0;
    loop {
        let dir = folder();
        let options = |disk| {
            ArchiveOptions::default()
                .with_file_bytes(3000)
                .with_disk(disk)
        };
        drop(Archive::open(dir.path(), options(Disk::default())));
        let (disk, faults) = Disk::failing(step, false);
        let mut archive = Archive::open(dir.path(), options(disk)).expect("it opens");
        let urls = (0..6).map(|n| format!("http://a.example/{n}"));
        let changes: Vec<Change> = urls.map(|url| prepared(&archive, &url)).collect();
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
