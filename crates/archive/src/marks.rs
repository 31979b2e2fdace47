//! Marks of a reader: articles that were read, and starred ones. They stand in a file of
//! their own, `marks.json` in the archive's folder, since no event gives them: `verify` does
//! not compare them, a backup copies them. They belong to a user, [`OWNER`](super::OWNER).
//!
//! An article is named by the digest of its key, so that a forgotten address cannot be read
//! from the file.

use super::devices::OWNER;
use super::disk::lock_file;
use super::known::key_digest;
use super::paths;
use super::user_file::{KnownFile, UserFile};
use crate::error::Result;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::mem::take;
use std::path::Path;
use std::sync::Arc;

/// Hex digits of a digest that name an article.
const DIGITS: usize = 24;

/// A kind of mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArticleMark {
    /// The article was read.
    Read,
    /// The article is starred.
    Starred,
}

/// The marks of a user.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArticleMarks {
    read: BTreeSet<String>,
    starred: BTreeSet<String>,
}

/// The file: the marks of each user.
#[derive(Debug, Default, Serialize, Deserialize)]
struct MarksFile {
    format: u32,
    #[serde(default)]
    users: BTreeMap<String, ArticleMarks>,
    /// With [`FIRST_FORMAT`], which knew no users: the marks of the owner; and so `starred`.
    #[serde(default, skip_serializing)]
    read: BTreeSet<String>,
    #[serde(default, skip_serializing)]
    starred: BTreeSet<String>,
}

/// The format without users, which is read as the owner's.
const FIRST_FORMAT: u32 = 1;

/// The marks as they were read last: a hundred thousand of them take longer to read than a page
/// of articles does.
#[derive(Debug, Default)]
pub struct KnownMarks(KnownFile<ArticleMarks>);

impl KnownMarks {
    /// The marks in an archive's folder, read again if its file is another one.
    ///
    /// # Errors
    ///
    /// As [`ArticleMarks::of`].
    pub fn of(&self, dir: &Path) -> Result<Arc<ArticleMarks>> {
        self.0.read(&paths::marks(dir), || ArticleMarks::of(dir))
    }
}

fn name(key: &str) -> String {
    let mut digest = key_digest(key);
    digest.truncate(DIGITS);
    digest
}

impl UserFile for MarksFile {
    const FORMAT: u32 = 2;

    fn format(&mut self) -> &mut u32 {
        &mut self.format
    }

    fn upgrade(&mut self) {
        if self.format == FIRST_FORMAT {
            self.format = Self::FORMAT;
            let (read, starred) = (take(&mut self.read), take(&mut self.starred));
            let marks = ArticleMarks { read, starred };
            self.users.insert(OWNER.to_owned(), marks);
        }
    }
}

impl ArticleMarks {
    /// The marks in an archive's folder; none if there is no file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or is of another format.
    pub fn of(dir: &Path) -> Result<ArticleMarks> {
        let mut file = MarksFile::read(&paths::marks(dir))?;
        Ok(file.users.remove(OWNER).unwrap_or_default())
    }

    /// True if the article with a key has a mark.
    pub fn has(&self, mark: ArticleMark, key: &str) -> bool {
        let marked = match mark {
            ArticleMark::Read => &self.read,
            ArticleMark::Starred => &self.starred,
        };
        !marked.is_empty() && marked.contains(&name(key))
    }

    /// How many articles have a mark, forgotten ones included.
    pub fn count(&self, mark: ArticleMark) -> usize {
        match mark {
            ArticleMark::Read => self.read.len(),
            ArticleMark::Starred => self.starred.len(),
        }
    }

    /// Sets or removes the marks of articles with these keys, in the file. Other processes
    /// wait.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or written; the old one stays.
    pub fn change(dir: &Path, mark: ArticleMark, is_set: bool, keys: &[String]) -> Result<()> {
        let _lock = lock_file(&paths::marks_lock(dir))?;
        let path = paths::marks(dir);
        let mut file = MarksFile::read(&path)?;
        let marks = file.users.entry(OWNER.to_owned()).or_default();
        let marked = match mark {
            ArticleMark::Read => &mut marks.read,
            ArticleMark::Starred => &mut marks.starred,
        };
        for key in keys {
            if is_set {
                marked.insert(name(key));
            } else {
                marked.remove(&name(key));
            }
        }
        file.replace(&path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn marks_stay_until_they_are_removed() {
        let dir = tempfile::tempdir().expect("a folder");
        let key = "a.example/1".to_owned();
        let known = KnownMarks::default();
        let marks = || known.of(dir.path()).expect("marks");
        assert_eq!(*marks(), ArticleMarks::default());
        let set = |mark, on| ArticleMarks::change(dir.path(), mark, on, std::slice::from_ref(&key));
        set(ArticleMark::Starred, true).expect("written");
        set(ArticleMark::Read, true).expect("written");
        assert!(marks().has(ArticleMark::Read, &key) && marks().has(ArticleMark::Starred, &key));
        assert!(!marks().has(ArticleMark::Read, "a.example/2"));
        set(ArticleMark::Read, false).expect("written");
        assert!(!marks().has(ArticleMark::Read, &key) && marks().has(ArticleMark::Starred, &key));
        assert!(Arc::ptr_eq(&marks(), &marks()), "it is read once");
        let text = fs::read_to_string(paths::marks(dir.path())).expect("a file");
        assert!(!text.contains("example"), "{text}");
    }

    #[test]
    fn a_file_of_another_format_is_left_alone() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = paths::marks(dir.path());
        for bad in ["{\"format\":3,\"users\":{}}", "{\"users\":{}}", "[]", "\0"] {
            fs::write(&path, bad).expect("written");
            let key = ["k".to_owned()];
            assert!(ArticleMarks::change(dir.path(), ArticleMark::Read, true, &key).is_err());
            assert_eq!(fs::read_to_string(&path).expect("a file"), bad);
        }
    }

    #[test]
    fn marks_of_the_first_format_are_those_of_the_owner() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = paths::marks(dir.path());
        let (one, two) = ("a.example/1".to_owned(), "a.example/2".to_owned());
        let first = format!(
            "{{\"format\":1,\"read\":[\"{}\"],\"starred\":[\"{}\"]}}",
            name(&one),
            name(&two)
        );
        fs::write(&path, first).expect("written");
        let marks = || ArticleMarks::of(dir.path()).expect("marks");
        assert!(marks().has(ArticleMark::Read, &one) && marks().has(ArticleMark::Starred, &two));
        ArticleMarks::change(dir.path(), ArticleMark::Read, true, &[two]).expect("written");
        assert_eq!(
            (
                marks().count(ArticleMark::Read),
                marks().count(ArticleMark::Starred)
            ),
            (2, 1)
        );
        let text = fs::read_to_string(&path).expect("a file");
        assert!(
            text.starts_with("{\"format\":2,\"users\":{\"owner\":{"),
            "{text}"
        );
    }

    #[test]
    fn marks_of_other_users_stay() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = paths::marks(dir.path());
        let other = "\"else\":{\"read\":[\"x\"],\"starred\":[]}";
        fs::write(&path, format!("{{\"format\":2,\"users\":{{{other}}}}}")).expect("written");
        let key = ["k".to_owned()];
        ArticleMarks::change(dir.path(), ArticleMark::Starred, true, &key).expect("written");
        assert_eq!(
            ArticleMarks::of(dir.path())
                .expect("marks")
                .count(ArticleMark::Read),
            0
        );
        let text = fs::read_to_string(&path).expect("a file");
        assert!(text.contains(other), "{text}");
    }
}
