//! The folder of an index, which other users may read.

use super::super::disk;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tantivy::directory::error::{DeleteError, LockError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    Directory, DirectoryLock, FileHandle, Lock, META_LOCK, MmapDirectory, WatchCallback,
    WatchHandle, WritePtr,
};

/// A folder whose files have the permissions of the user's mask. Reading needs no lock if
/// the user cannot create one.
#[derive(Debug, Clone)]
pub(super) struct SharedDirectory(MmapDirectory, PathBuf);

impl SharedDirectory {
    pub(super) fn open(dir: &Path) -> tantivy::Result<SharedDirectory> {
        Ok(SharedDirectory(MmapDirectory::open(dir)?, dir.to_owned()))
    }
}

/// Returns true if a lock failed for lack of write permission.
pub(super) fn may_not_write(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem
    )
}

impl Directory for SharedDirectory {
    fn acquire_lock(&self, lock: &Lock) -> Result<DirectoryLock, LockError> {
        match self.0.acquire_lock(lock) {
            // The lock protects files from being deleted while a reader opens them.
            Err(LockError::IoError(error))
                if lock.filepath == META_LOCK.filepath && may_not_write(&error) =>
            {
                Ok(DirectoryLock::from(Box::new(())))
            }
            locked => locked,
        }
    }

    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        self.0.get_file_handle(path)
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        self.0.delete(path)
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        self.0.exists(path)
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        self.0.open_write(path)
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        self.0.atomic_read(path)
    }

    fn atomic_write(&self, path: &Path, data: &[u8]) -> io::Result<()> {
        let path = self.1.join(path);
        let mut file = disk::new_beside(path.parent().unwrap_or(&self.1))?;
        file.write_all(data)?;
        file.as_file().sync_data()?;
        file.persist(path)?;
        Ok(())
    }

    fn sync_directory(&self) -> io::Result<()> {
        self.0.sync_directory()
    }

    fn watch(&self, callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        self.0.watch(callback)
    }
}
