//! Pages kept for conditional requests (RFC 9110, 13): a body and a small JSON
//! file beside it for each URL.
//!
//! A file is written under a temporary name in the folder's `tmp`, synced and
//! renamed, so that an interrupted program leaves the old entry or the new one
//! and, at worst, a temporary file, which a later run removes. The JSON file
//! holds the body's hash: an entry whose halves do not belong together, or that
//! cannot be read, is ignored and written anew.

use crate::whole_file::write_whole;
use forest_html::text::{hex, sha256_hex};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The form of the JSON file; another number is not read.
const VERSION: u32 = 1;

/// Temporary files older than this belong to a program that is no more: no
/// write takes an hour.
const STALE: Duration = Duration::from_secs(3600);

/// A page as it was last answered with 200.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CacheEntry {
    pub(super) about: CacheMetadata,
    pub(super) body: Vec<u8>,
}

/// The entry's JSON file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct CacheMetadata {
    version: u32,
    /// Without credentials; for people.
    pub(super) url: String,
    pub(super) content_type: Option<String>,
    pub(super) etag: Option<String>,
    pub(super) last_modified: Option<String>,
    sha256: String,
}

impl CacheEntry {
    pub(super) fn new(
        url: String,
        content_type: Option<String>,
        etag: Option<String>,
        last_modified: Option<String>,
        body: Vec<u8>,
    ) -> Self {
        let about = CacheMetadata {
            version: VERSION,
            url,
            content_type,
            etag,
            last_modified,
            sha256: sha256_hex(&body),
        };
        CacheEntry { about, body }
    }
}

/// The name of an entry: the hash of the URL and of the user's own headers,
/// since a page seen with a cookie is another page.
#[derive(Debug, Clone)]
pub(super) struct CacheKey(String);

impl CacheKey {
    pub(super) fn new<'a>(url: &str, headers: impl Iterator<Item = (&'a str, &'a [u8])>) -> Self {
        let mut hash = Sha256::new();
        hash.update(url.as_bytes());
        for (name, value) in headers {
            hash.update(b"\n");
            hash.update(name.as_bytes());
            hash.update(b": ");
            hash.update(value);
        }
        CacheKey(hex(&hash.finalize()))
    }
}

/// The folder.
#[derive(Debug, Clone)]
pub(super) struct HttpCache {
    dir: PathBuf,
}

impl HttpCache {
    /// Uses `dir`, which need not exist yet, and clears what a killed program
    /// left in its `tmp`.
    pub(super) fn open(dir: &Path) -> Self {
        let cache = HttpCache {
            dir: dir.to_owned(),
        };
        cache.sweep(SystemTime::now());
        cache
    }

    fn sweep(&self, now: SystemTime) {
        let Ok(files) = fs::read_dir(self.dir.join("tmp")) else {
            return;
        };
        for file in files.flatten() {
            let written = file.metadata().and_then(|about| about.modified());
            let age = written
                .ok()
                .and_then(|written| now.duration_since(written).ok());
            if age.is_some_and(|age| age > STALE) {
                // Another program may have been quicker.
                let _ = fs::remove_file(file.path());
            }
        }
    }

    fn path(&self, key: &CacheKey, extension: &str) -> PathBuf {
        // One folder for each first byte keeps listings short.
        self.dir
            .join(&key.0[..2])
            .join(format!("{}.{extension}", key.0))
    }

    /// The entry, if it is whole and its body is at most `limit` bytes.
    pub(super) fn read(&self, key: &CacheKey, limit: u64) -> Option<CacheEntry> {
        let about = fs::read(self.path(key, "json")).ok()?;
        let about: CacheMetadata = serde_json::from_slice(&about).ok()?;
        let path = self.path(key, "body");
        if about.version != VERSION || fs::metadata(&path).ok()?.len() > limit {
            return None;
        }
        let body = fs::read(path).ok()?;
        if sha256_hex(&body) != about.sha256 {
            tracing::debug!(url = about.url, "the cache entry is broken");
            return None;
        }
        Some(CacheEntry { about, body })
    }

    /// Writes the entry over an older one.
    pub(super) fn write(&self, key: &CacheKey, entry: &CacheEntry) -> io::Result<()> {
        self.replace(&self.path(key, "body"), &entry.body)?;
        let about = serde_json::to_vec_pretty(&entry.about)?;
        self.replace(&self.path(key, "json"), &about)
    }

    fn replace(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let tmp = self.dir.join("tmp");
        fs::create_dir_all(&tmp)?;
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        write_whole(&tmp, path, bytes)
    }

    pub(super) fn dir(&self) -> &Path {
        &self.dir
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(url: &str) -> CacheKey {
        CacheKey::new(url, std::iter::empty())
    }

    fn entry(body: &[u8]) -> CacheEntry {
        let etag = Some("\"1\"".to_owned());
        CacheEntry::new(
            "http://a.example/".to_owned(),
            None,
            etag,
            None,
            body.to_vec(),
        )
    }

    fn cache() -> (tempfile::TempDir, HttpCache) {
        let dir = tempfile::tempdir().expect("a folder");
        let cache = HttpCache::open(&dir.path().join("new/cache"));
        (dir, cache)
    }

    #[test]
    fn an_entry_is_read_as_it_was_written() {
        let (_dir, cache) = cache();
        let key = key("http://a.example/");
        assert_eq!(cache.read(&key, 100), None);
        for body in [&b"first"[..], b"", b"\0\xff"] {
            cache.write(&key, &entry(body)).expect("written");
            assert_eq!(cache.read(&key, 100), Some(entry(body)));
        }
        let tmp = fs::read_dir(cache.dir().join("tmp")).expect("tmp");
        assert_eq!(tmp.count(), 0, "no temporary file stays");
    }

    #[test]
    fn broken_entries_are_ignored_and_written_anew() {
        let (_dir, cache) = cache();
        let key = key("http://a.example/");
        let spoil: [(&str, &[u8]); 5] = [
            ("body", b"other"),
            ("body", b""),
            ("json", b"{"),
            ("json", b""),
            ("json", b"\xff\xfe"),
        ];
        for (extension, bytes) in spoil {
            cache.write(&key, &entry(b"page")).expect("written");
            fs::write(cache.path(&key, extension), bytes).expect("spoiled");
            assert_eq!(cache.read(&key, 100), None, "{extension} {bytes:?}");
        }
        let about = serde_json::to_string(&entry(b"page").about).expect("JSON");
        let later = about.replace("\"version\":1", "\"version\":2");
        assert_ne!(about, later);
        fs::write(cache.path(&key, "json"), later).expect("spoiled");
        assert_eq!(cache.read(&key, 100), None, "another version");
        cache.write(&key, &entry(b"page")).expect("written");
        assert_eq!(cache.read(&key, 100), Some(entry(b"page")));
    }

    #[test]
    fn a_body_above_the_limit_is_not_read() {
        let (_dir, cache) = cache();
        let key = key("http://a.example/");
        cache.write(&key, &entry(b"12345")).expect("written");
        assert_eq!(cache.read(&key, 4), None);
        assert!(cache.read(&key, 5).is_some());
    }

    #[test]
    fn another_url_or_header_is_another_entry() {
        let plain = key("http://a.example/").0;
        assert_ne!(plain, key("http://a.example/b").0);
        let cookie = [("cookie", &b"a=b"[..])];
        assert_ne!(
            plain,
            CacheKey::new("http://a.example/", cookie.into_iter()).0
        );
    }

    #[test]
    fn what_a_killed_program_left_is_removed() {
        let (_dir, cache) = cache();
        cache
            .write(&key("http://a.example/"), &entry(b"x"))
            .expect("written");
        let left = cache.dir().join("tmp/left");
        fs::write(&left, b"half").expect("written");
        cache.sweep(SystemTime::now());
        assert!(left.exists(), "another program may be writing it");
        cache.sweep(SystemTime::now() + STALE + Duration::from_secs(1));
        assert!(!left.exists());
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_are_an_entry_or_none(json: Vec<u8>, body: Vec<u8>) {
            let (_dir, cache) = cache();
            let key = key("http://a.example/");
            cache.write(&key, &entry(b"page")).expect("written");
            fs::write(cache.path(&key, "json"), json).expect("spoiled");
            fs::write(cache.path(&key, "body"), body).expect("spoiled");
            proptest::prop_assert_eq!(cache.read(&key, 100), None);
        }
    }
}
