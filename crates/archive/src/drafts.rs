//! Drafts of wrappers that a person changed and has not saved, so that they outlive the server that
//! shows them. They stand in `drafts.json` in the archive's folder, the newest first; the oldest go if
//! there are too many.

use super::disk::{lock_file, remove};
use super::paths;
use super::user_file::UserFile;
use crate::error::Result;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Drafts that are kept.
const MAX_DRAFTS: usize = 100;

/// Bytes of their wrappers.
const MAX_BYTES: usize = 4_000_000;

/// A wrapper that a person changed and has not saved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredDraft {
    /// Its name.
    pub id: String,
    /// The name of the draft before its last change.
    pub parent: String,
    /// The site of the wrapper.
    pub site: String,
    /// SHA-256 of the wrapper's file that it was made from, in hex; `None`: there was none.
    pub made_from: Option<String>,
    /// The wrapper, as YAML.
    pub wrapper: String,
    /// The person typed some of its expressions.
    pub by_hand: bool,
    /// Its changes, in sentences.
    pub steps: Vec<String>,
    /// Parts of the last change that did not work.
    pub notes: Vec<String>,
}

/// The drafts of an archive, the newest first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredDrafts {
    format: u32,
    drafts: Vec<StoredDraft>,
}

impl UserFile for StoredDrafts {
    const FORMAT: u32 = 1;
    // Each character of a wrapper may be an escape.
    const MAX_BYTES: Option<u64> = Some(10 * MAX_BYTES as u64);

    fn format(&mut self) -> &mut u32 {
        &mut self.format
    }
}

impl StoredDrafts {
    /// The drafts in an archive's folder; none if there is no file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or is of another format.
    pub fn of(dir: &Path) -> Result<StoredDrafts> {
        StoredDrafts::read(&paths::drafts(dir))
    }

    /// Keeps drafts as the newest, the last of them before all; one that is known stays where it is.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or written; the old one stays.
    pub fn keep(dir: &Path, drafts: impl IntoIterator<Item = StoredDraft>) -> Result<()> {
        let _lock = lock_file(&paths::drafts_lock(dir))?;
        let mut file = StoredDrafts::of(dir)?;
        for draft in drafts {
            if file.find(&draft.site, &draft.id).is_none() {
                file.drafts.insert(0, draft);
            }
        }
        let mut bytes = 0;
        let fitting = file.drafts.iter().take(MAX_DRAFTS).take_while(|draft| {
            bytes += draft.wrapper.len();
            bytes <= MAX_BYTES
        });
        file.drafts.truncate(fitting.count());
        file.replace(&paths::drafts(dir))
    }

    /// Removes all drafts: they may name what is forgotten.
    ///
    /// # Errors
    ///
    /// If the file cannot be removed.
    pub fn remove(dir: &Path) -> Result<()> {
        let _lock = lock_file(&paths::drafts_lock(dir))?;
        remove(&paths::drafts(dir))
    }

    /// A site's draft with this name.
    pub fn find(&self, site: &str, id: &str) -> Option<&StoredDraft> {
        let is_it = |draft: &&StoredDraft| draft.site == site && draft.id == id;
        self.drafts.iter().find(is_it)
    }

    /// The newest draft that was made from a file of a site's wrapper.
    pub fn latest(&self, site: &str, made_from: Option<&str>) -> Option<&StoredDraft> {
        self.drafts
            .iter()
            .find(|draft| draft.site == site && draft.made_from.as_deref() == made_from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft(id: &str, site: &str, bytes: usize) -> StoredDraft {
        StoredDraft {
            id: id.to_owned(),
            parent: String::new(),
            site: site.to_owned(),
            made_from: Some("x".to_owned()),
            wrapper: "w".repeat(bytes),
            by_hand: false,
            steps: Vec::new(),
            notes: Vec::new(),
        }
    }

    #[test]
    fn the_oldest_of_too_many_drafts_go() {
        let dir = tempfile::tempdir().expect("a folder");
        for at in 0..=MAX_DRAFTS {
            StoredDrafts::keep(dir.path(), [draft(&at.to_string(), "a", 1)]).expect("kept");
        }
        let kept = StoredDrafts::of(dir.path()).expect("read");
        assert!(kept.find("a", "0").is_none() && kept.find("a", "1").is_some());
        assert!(kept.find("b", "1").is_none(), "it is of another site");
        assert_eq!(kept.latest("a", Some("x")).expect("one").id, "100");
        assert_eq!(kept.latest("a", None), None);
        StoredDrafts::keep(dir.path(), [draft("large", "a", MAX_BYTES)]).expect("kept");
        let kept = StoredDrafts::of(dir.path()).expect("read");
        assert!(kept.find("a", "large").is_some() && kept.find("a", "100").is_none());
    }
}
