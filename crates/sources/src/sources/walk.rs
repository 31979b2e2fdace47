//! The pages in a folder and in all folders below it.

use super::file::InputStream;
use super::name::{is_hidden, is_page, may_be_page, unpacked};
use forest_core::feed::sniff_page;
use std::collections::{BTreeSet, HashSet};
use std::fs::{self, DirEntry};
use std::io;
use std::path::{Path, PathBuf};

/// Levels of folders below the named one. Mirrors of sites have about ten; the limit ends
/// the walk through a hostile tree.
pub const MAX_DEPTH: usize = 64;

/// Files of unknown kind that are tested and turn out to be no pages. After this number no
/// further ones are tested.
pub const MAX_VAIN: usize = 1_000;

/// The files found in a folder and its subfolders.
#[derive(Debug, Default)]
pub struct FolderWalk {
    /// The pages, by their paths: files that are named like pages, and files of unknown
    /// kind that begin as pages do.
    pub pages: Vec<PathBuf>,
    /// Folders that could not be read.
    pub unread: Vec<(PathBuf, io::Error)>,
    /// Folders below [`MAX_DEPTH`], which were not read.
    pub too_deep: usize,
    /// Files of unknown kind that were not tested because of [`MAX_VAIN`].
    pub not_looked_at: usize,
}

/// The kind of an entry of a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryKind {
    /// A regular file, or a link to one.
    File,
    Folder,
    LinkedFolder,
}

impl FolderWalk {
    /// Walks through `dir`. A folder that several paths lead to is read once, by the
    /// shortest of them, rather by its own name than by a link's; a link to a folder
    /// that holds `dir` is not followed.
    ///
    /// # Errors
    ///
    /// If `dir` itself cannot be read.
    pub fn through(dir: &Path) -> io::Result<FolderWalk> {
        let root = dir.canonicalize()?;
        let mut walk = FolderWalk::default();
        let mut seen = HashSet::new();
        let mut open = Vec::new();
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
            for (path, kind) in inner {
                match kind {
                    EntryKind::Folder => _ = ahead.insert((depth + 1, false, path)),
                    EntryKind::LinkedFolder => _ = ahead.insert((depth + 1, true, path)),
                    EntryKind::File if is_page(&path) => walk.pages.push(path),
                    EntryKind::File if may_be_page(&path) => open.push(path),
                    EntryKind::File => {}
                }
            }
        }
        open.sort();
        walk.look_at(open);
        walk.pages.sort();
        // A page that is there with and without .gz is one page.
        let mut seen = HashSet::new();
        walk.pages.retain(|page| seen.insert(unpacked(page)));
        Ok(walk)
    }

    /// Adds those files that begin as pages do.
    fn look_at(&mut self, files: Vec<PathBuf>) {
        let mut vain = 0;
        for file in files {
            if vain == MAX_VAIN {
                self.not_looked_at += 1;
            } else if begins_as_page(&file) {
                self.pages.push(file);
            } else {
                vain += 1;
            }
        }
    }
}

/// Returns true if a file is a page: by its name, else by its beginning.
pub fn holds_page(file: &Path) -> bool {
    is_page(file) || may_be_page(file) && begins_as_page(file)
}

/// Returns true if a file can be read and begins as an HTML page.
fn begins_as_page(path: &Path) -> bool {
    InputStream::open(path).is_ok_and(|input| sniff_page(input.head()))
}

/// The entries of a folder, by name: files and folders, no pipes, sockets or devices.
pub fn entries(dir: &Path) -> io::Result<Vec<(PathBuf, EntryKind)>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        if is_hidden(&entry.file_name()) {
            continue;
        }
        let path = entry.path();
        if let Some(kind) = kind_of(&entry, &path) {
            found.push((path, kind));
        }
    }
    found.sort_by(|(a, _), (b, _)| a.cmp(b));
    Ok(found)
}

/// `None` if it is neither file nor folder, or was deleted.
fn kind_of(entry: &DirEntry, path: &Path) -> Option<EntryKind> {
    let own = entry.file_type().ok()?;
    let behind = if own.is_symlink() {
        fs::metadata(path).ok()?.file_type()
    } else {
        own
    };
    match (behind.is_dir(), behind.is_file()) {
        (true, _) if own.is_symlink() => Some(EntryKind::LinkedFolder),
        (true, _) => Some(EntryKind::Folder),
        (_, true) => Some(EntryKind::File),
        _ => None,
    }
}
