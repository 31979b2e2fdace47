//! Writes to the disk. The archive makes all its own writes here, so that a test can make
//! any one of these steps fail.

use crate::error::{Error, Result};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Seek, SeekFrom, Write};
use std::path::Path;

/// The disk, or one that fails at a step that a test has chosen.
#[derive(Debug, Clone, Default)]
pub struct Disk {
    #[cfg(test)]
    faults: Option<std::sync::Arc<faults::Faults>>,
}

impl Disk {
    fn step(&self) -> io::Result<()> {
        #[cfg(test)]
        if let Some(faults) = &self.faults {
            return faults.step();
        }
        Ok(())
    }

    /// Writes at the end of `file`.
    pub fn append(&self, file: &mut File, bytes: &[u8]) -> io::Result<()> {
        if let Err(error) = self.step() {
            // A full disk takes a part of the bytes.
            file.write_all(&bytes[..bytes.len() / 2])?;
            return Err(error);
        }
        file.write_all(bytes)
    }

    /// Waits until the file's bytes are on the disk.
    pub fn sync(&self, file: &File) -> io::Result<()> {
        self.step()?;
        file.sync_data()
    }

    /// Cuts the file off at `length` and seeks to its end.
    pub fn cut(&self, file: &mut File, length: u64) -> io::Result<()> {
        self.step()?;
        file.set_len(length)?;
        file.seek(SeekFrom::Start(length))?;
        Ok(())
    }

    /// Makes a new file, and syncs its name.
    pub fn create(&self, path: &Path) -> io::Result<File> {
        self.step()?;
        let file = File::options().write(true).create_new(true).open(path)?;
        sync_folder(path)?;
        Ok(file)
    }

    /// Writes a whole file: under a temporary name, synced, then renamed.
    pub fn replace(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.step()?;
        self.put(path, bytes, new_beside(folder_of(path))?)
    }

    /// The same, in a file that only its owner can read.
    pub fn replace_private(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.step()?;
        self.put(
            path,
            bytes,
            tempfile::NamedTempFile::new_in(folder_of(path))?,
        )
    }

    /// Puts a temporary file with these bytes in its place.
    fn put(&self, path: &Path, bytes: &[u8], mut file: tempfile::NamedTempFile) -> io::Result<()> {
        self.append(file.as_file_mut(), bytes)?;
        self.sync(file.as_file())?;
        self.step()?;
        file.persist(path)?;
        sync_folder(path)
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new("."))
}

/// Locks a file, which is made, until it is dropped. Other processes wait.
pub(super) fn lock_file(path: &Path) -> Result<File> {
    let lock = File::create(path).and_then(|lock| lock.lock().map(|()| lock));
    lock.map_err(|source| write_failed(path, source))
}

/// A temporary file with the permissions of the user's mask.
pub fn new_beside(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

/// Makes a folder and its parents.
pub(super) fn make_folder(path: &Path) -> Result<()> {
    fs::create_dir_all(path).map_err(|source| write_failed(path, source))
}

/// Removes a file that may be there.
pub(super) fn remove(path: &Path) -> Result<()> {
    removed(path, fs::remove_file(path))
}

/// Removes a folder that may be there, with its contents.
pub(super) fn remove_folder(path: &Path) -> Result<()> {
    removed(path, fs::remove_dir_all(path))
}

fn removed(path: &Path, result: io::Result<()>) -> Result<()> {
    match result {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(write_failed(path, error)),
        _ => Ok(()),
    }
}

/// Renames a file.
pub(super) fn rename(from: &Path, to: &Path) -> Result<()> {
    fs::rename(from, to).map_err(|source| write_failed(to, source))
}

/// The error of a file that cannot be written.
pub(super) fn write_failed(path: &Path, source: io::Error) -> Error {
    let path = path.to_owned();
    crate::error::ErrorKind::Write { path, source }.into()
}

/// Syncs a folder, so that the names in it are on the disk.
fn sync_folder(path: &Path) -> io::Result<()> {
    match path.parent() {
        #[cfg(unix)]
        Some(folder) => File::open(folder)?.sync_all(),
        _ => Ok(()),
    }
}

#[cfg(test)]
pub mod faults {
    use super::Disk;
    use std::io;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Fails at one step, or at all steps from one on.
    #[derive(Debug)]
    pub struct Faults {
        taken: AtomicUsize,
        first: usize,
        lasting: bool,
    }

    impl Faults {
        pub(super) fn step(&self) -> io::Result<()> {
            let step = self.taken.fetch_add(1, Ordering::SeqCst);
            if step == self.first || self.lasting && step > self.first {
                Err(io::Error::new(io::ErrorKind::StorageFull, "no space left"))
            } else {
                Ok(())
            }
        }

        /// The number of steps so far.
        pub fn taken(&self) -> usize {
            self.taken.load(Ordering::SeqCst)
        }
    }

    impl Disk {
        /// Fails at the step with this number, from 0; `lasting`: at all after it, too.
        pub fn failing(first: usize, lasting: bool) -> (Disk, Arc<Faults>) {
            let faults = Arc::new(Faults {
                taken: AtomicUsize::new(0),
                first,
                lasting,
            });
            let disk = Disk {
                faults: Some(Arc::clone(&faults)),
            };
            (disk, faults)
        }
    }
}
