//! The pages in a folder and in all folders below it.

use super::name::{is_hidden, is_page, unpacked};
use std::collections::{BTreeSet, HashSet};
use std::fs::{self, DirEntry};
use std::io;
use std::path::{Path, PathBuf};

/// Levels of folders below the one that was named. Mirrors of sites have ten or so; a
/// tree that somebody made to have no end has an end here.
pub const MAX_DEPTH: usize = 64;

/// What was found.
#[derive(Debug, Default)]
pub struct Walk {
    /// The pages, folder by folder, by their paths.
    pub pages: Vec<PathBuf>,
    /// Folders that could not be read.
    pub unread: Vec<(PathBuf, io::Error)>,
    /// Folders below [`MAX_DEPTH`], which were not looked into.
    pub too_deep: usize,
}

/// What stands behind a name in a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// A regular file, or a link to one: what can be read and has an end.
    File,
    Folder,
    LinkedFolder,
}

impl Walk {
    /// Walks through `dir`. A folder that several paths lead to is read once, by the
    /// shortest of them, rather by its own name than by a link's; a link to a folder
    /// that holds `dir` is not followed.
    ///
    /// # Errors
    ///
    /// If `dir` itself cannot be read.
    pub fn through(dir: &Path) -> io::Result<Walk> {
        let root = dir.canonicalize()?;
        let mut walk = Walk::default();
        let mut seen = HashSet::new();
        // By depth, whether a link leads there, and path.
        let mut ahead = BTreeSet::from([(0, false, dir.to_owned())]);
        while let Some((depth, _, folder)) = ahead.pop_first() {
            let real = match folder.canonicalize() {
                Ok(real) => real,
                Err(error) => {
                    walk.unread.push((folder, error));
                    continue;
                }
            };
            if depth > 0 && root.starts_with(&real) || !seen.insert(real) {
                continue;
            }
            if depth > MAX_DEPTH {
                walk.too_deep += 1;
                continue;
            }
            let inner = match entries(&folder) {
                Ok(inner) => inner,
                Err(error) if depth == 0 => return Err(error),
                Err(error) => {
                    walk.unread.push((folder, error));
                    continue;
                }
            };
            for (path, what) in inner {
                match what {
                    What::Folder => _ = ahead.insert((depth + 1, false, path)),
                    What::LinkedFolder => _ = ahead.insert((depth + 1, true, path)),
                    What::File if is_page(&path) => walk.pages.push(path),
                    What::File => {}
                }
            }
        }
        walk.pages.sort();
        // A page that is there with and without .gz is one page.
        let mut seen = HashSet::new();
        walk.pages.retain(|page| seen.insert(unpacked(page)));
        Ok(walk)
    }
}

/// What is in a folder, by name: files and folders, and no pipes, sockets or devices.
pub fn entries(dir: &Path) -> io::Result<Vec<(PathBuf, What)>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        if is_hidden(&entry.file_name()) {
            continue;
        }
        let path = entry.path();
        if let Some(what) = what(&entry, &path) {
            found.push((path, what));
        }
    }
    found.sort_by(|(a, _), (b, _)| a.cmp(b));
    Ok(found)
}

/// Nothing, if it is neither file nor folder, or has gone.
fn what(entry: &DirEntry, path: &Path) -> Option<What> {
    let own = entry.file_type().ok()?;
    let behind = match own.is_symlink() {
        true => fs::metadata(path).ok()?.file_type(),
        false => own,
    };
    match (behind.is_dir(), behind.is_file()) {
        (true, _) if own.is_symlink() => Some(What::LinkedFolder),
        (true, _) => Some(What::Folder),
        (_, true) => Some(What::File),
        _ => None,
    }
}
