//! The error of this crate.

use forest_html::error::ErrorClass;
use std::path::{Path, PathBuf};

/// A result whose error is [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error: what went wrong, where, and what to do about it. Opaque: callers that must
/// tell errors apart ask [`Error::class`].
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct Error(Box<ErrorKind>);

/// The private kinds. What fails in a new way adds its own variant.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ErrorKind {
    /// An error of `forest-core`.
    #[error(transparent)]
    Core(#[from] forest_core::Error),
    /// An error of `forest-sources`.
    #[error(transparent)]
    Sources(#[from] forest_sources::Error),
    /// A file that could not be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        path: PathBuf,
        source: std::io::Error,
    },
    /// A file with secrets that others may read.
    #[error(
        "others may read the secrets in {}, so they are not used: `chmod 600 {}`, and have new ones made if others \
         did read them",
        path.display(), path.display()
    )]
    SecretsOpen { path: PathBuf },
    /// A secret that is not kept.
    #[error(transparent)]
    Secret(#[from] crate::secret_fault::SecretFault),
    /// A file or a folder that could not be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        path: PathBuf,
        source: std::io::Error,
    },
    /// The archive's database failed.
    #[error("the archive's database: {source}")]
    Database { source: rusqlite::Error },
    /// The archive's database cannot be read at all.
    #[error(
        "the archive's database archive.sqlite is damaged ({source}): `forest archive verify --rebuild` makes it again from \
         the WARC files"
    )]
    DatabaseBroken { source: rusqlite::Error },
    /// A file of an archive that is damaged.
    #[error("{} is damaged: {reason}; restore it from a backup, or see `forest archive verify --help`", path.display())]
    ArchiveBroken { path: PathBuf, reason: String },
    /// An archive that would have to be written to.
    #[error(
        "you may not write to {}, and it cannot be read without since its last writer did not end in order: let whoever \
         may write there run `forest archive verify`",
        path.display()
    )]
    ArchiveNotWritable { path: PathBuf },
    /// An export cannot be written.
    #[error("cannot write the export: {source}")]
    Export { source: std::io::Error },
    /// A search index that cannot be read or written.
    #[error(
        "the search index {}: {source}; is there space, and may you write there? It may be deleted: it is made again from the archive",
        path.display()
    )]
    SearchIndex {
        path: PathBuf,
        source: tantivy::TantivyError,
    },
    /// A search index that must be made again.
    #[error(
        "the search index {} is damaged, or of another version of forest: the next harvest makes it again, and so does `forest archive verify --rebuild`",
        path.display()
    )]
    IndexDamaged { path: PathBuf },
    /// A search index that another process writes to.
    #[error("another process writes to the search index {}; try again when it is done", path.display())]
    IndexBusy { path: PathBuf },
    /// Tables of another version of the program.
    #[error("{} is of version {found}, which this version of forest does not know: use a newer one", path.display())]
    ArchiveVersion { path: PathBuf, found: i64 },
    /// Tables of an earlier version of the program, where nothing is written.
    #[error("{} was made by an earlier version of forest: `forest archive verify` brings it up to date", path.display())]
    ArchiveEarlier { path: PathBuf },
    /// WARC files without the tables that are made of them.
    #[error("the database of the archive {} is gone: `forest archive verify` makes it again of the WARC files", path.display())]
    ArchiveWithoutTables { path: PathBuf },
    /// A folder that is not there.
    #[error("no archive in {}: `forest harvest add FEED` or `forest apply --archive` makes one", path.display())]
    NoArchive { path: PathBuf },
    /// A folder with other things.
    #[error("{} is no archive and not empty: name another folder", path.display())]
    NotAnArchive { path: PathBuf },
    /// A folder with an archive that a copy would destroy.
    #[error("{}: {reason}; name another folder for the copy", path.display())]
    NotACopy { path: PathBuf, reason: &'static str },
    /// Another process writes to it.
    #[error("another forest writes to the archive {}: wait for it, or stop it", path.display())]
    ArchiveLocked { path: PathBuf },
}

impl Error {
    /// The broad class of this error.
    pub fn class(&self) -> ErrorClass {
        match &*self.0 {
            ErrorKind::Core(error) => error.class(),
            ErrorKind::Sources(error) => error.class(),
            ErrorKind::Read { .. }
            | ErrorKind::SecretsOpen { .. }
            | ErrorKind::Write { .. }
            | ErrorKind::Database { .. }
            | ErrorKind::DatabaseBroken { .. }
            | ErrorKind::ArchiveBroken { .. }
            | ErrorKind::ArchiveNotWritable { .. }
            | ErrorKind::Export { .. }
            | ErrorKind::SearchIndex { .. }
            | ErrorKind::IndexDamaged { .. }
            | ErrorKind::IndexBusy { .. } => ErrorClass::File,
            ErrorKind::Secret(_)
            | ErrorKind::ArchiveVersion { .. }
            | ErrorKind::ArchiveEarlier { .. }
            | ErrorKind::ArchiveWithoutTables { .. }
            | ErrorKind::NoArchive { .. }
            | ErrorKind::NotAnArchive { .. }
            | ErrorKind::NotACopy { .. }
            | ErrorKind::ArchiveLocked { .. } => ErrorClass::Input,
        }
    }

    /// Returns true if another process writes to the archive.
    pub fn is_archive_locked(&self) -> bool {
        matches!(*self.0, ErrorKind::ArchiveLocked { .. })
    }

    /// Returns true if files of an archive are damaged: see [`Archive::verify`].
    ///
    /// [`Archive::verify`]: crate::Archive::verify
    pub fn is_archive_broken(&self) -> bool {
        matches!(*self.0, ErrorKind::ArchiveBroken { .. })
    }

    /// `path` could not be read.
    pub(crate) fn read(path: &Path, source: std::io::Error) -> Error {
        let path = path.to_owned();
        ErrorKind::Read { path, source }.into()
    }
}

impl<T> From<T> for Error
where
    ErrorKind: From<T>,
{
    fn from(fault: T) -> Self {
        Error(Box::new(fault.into()))
    }
}
