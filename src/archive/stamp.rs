//! A sign that an archive was not written to: the times and lengths of its tables' files.

use super::paths;
use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// Time after a change from which on the next one has another time: file systems count time
/// in steps of up to two seconds.
const SETTLED_AFTER: Duration = Duration::from_secs(3);

/// See the file's page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ArchiveStamp(Vec<(SystemTime, u64)>);

impl ArchiveStamp {
    /// The stamp of the archive in a folder, if its last change is so long ago that a further
    /// one gives another stamp.
    pub fn of(dir: &Path, now: SystemTime) -> Option<ArchiveStamp> {
        let database = paths::database(dir);
        let log = dir.join("archive.sqlite-wal");
        let files = [database, log].into_iter();
        let files = files.filter_map(|path| {
            let about = fs::metadata(path).ok()?;
            // A reader makes an empty log, and removes it.
            (about.len() > 0).then_some((about.modified().ok()?, about.len()))
        });
        let files: Vec<(SystemTime, u64)> = files.collect();
        let is_settled = |(changed, _): &(SystemTime, u64)| {
            now.duration_since(*changed)
                .is_ok_and(|age| age >= SETTLED_AFTER)
        };
        (!files.is_empty() && files.iter().all(is_settled)).then_some(ArchiveStamp(files))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_gives_another_stamp() {
        let dir = tempfile::tempdir().expect("a folder");
        let now = SystemTime::now();
        let later = now + Duration::from_secs(60);
        assert_eq!(ArchiveStamp::of(dir.path(), later), None);
        fs::write(paths::database(dir.path()), "a").expect("written");
        assert_eq!(
            ArchiveStamp::of(dir.path(), now),
            None,
            "it may change unseen"
        );
        let first = ArchiveStamp::of(dir.path(), later).expect("a stamp");
        assert_eq!(ArchiveStamp::of(dir.path(), later), Some(first.clone()));
        let log = dir.path().join("archive.sqlite-wal");
        fs::write(&log, "").expect("written");
        assert_eq!(ArchiveStamp::of(dir.path(), later), Some(first.clone()));
        fs::write(&log, "b").expect("written");
        assert_ne!(ArchiveStamp::of(dir.path(), later), Some(first));
    }
}
