//! Files of a user beside the tables, which no event gives: JSON with the version of its format.

use super::disk::{Disk, write_failed};
use super::watch::file_name;
use crate::error::{Error, ErrorKind as Fault, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Read};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// The content of a file.
pub(super) trait UserFile: Default + Serialize + DeserializeOwned {
    /// The version of the format.
    const FORMAT: u32;

    /// It is written so that only its owner can read it.
    const IS_PRIVATE: bool = false;

    /// It has secrets as they are: it is not read where others may read it, and no error has its content.
    const HAS_SECRETS: bool = false;

    /// Bytes of the file at the most; `None`: any number.
    const MAX_BYTES: Option<u64> = None;

    /// The version that the content states.
    fn format(&mut self) -> &mut u32;

    /// Turns the content of an earlier format that is known into that of this one.
    fn upgrade(&mut self) {}

    /// Reads a file; the default if there is none.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is of another format or too long, or has secrets and others than its
    /// owner can read it.
    fn read(path: &Path) -> Result<Self> {
        let failed = |source| Error::read(path, source);
        let file = match File::open(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Self::default()),
            file => file.map_err(failed)?,
        };
        if Self::HAS_SECRETS && others_may_read(&file.metadata().map_err(failed)?) {
            let path = path.to_owned();
            return Err(Fault::SecretsOpen { path }.into());
        }
        let (mut bytes, limit) = (Vec::new(), Self::MAX_BYTES.unwrap_or(u64::MAX));
        let mut limited = file.take(limit.saturating_add(1));
        limited.read_to_end(&mut bytes).map_err(failed)?;
        if bytes.len() as u64 > limit {
            let why = format!("it has more than {limit} bytes");
            return Err(failed(io::Error::new(ErrorKind::InvalidData, why)));
        }
        Self::parse(&bytes).map_err(|fault| {
            failed(if Self::HAS_SECRETS {
                without_content(fault)
            } else {
                fault.into()
            })
        })
    }

    /// The content of a file's bytes.
    fn parse(bytes: &[u8]) -> serde_json::Result<Self> {
        let mut file: Self = serde_json::from_slice(bytes)?;
        file.upgrade();
        let format = *file.format();
        if format != Self::FORMAT {
            let why = format!("its format is {format}, not {}", Self::FORMAT);
            let why = io::Error::new(ErrorKind::InvalidData, why);
            return Err(serde_json::Error::io(why));
        }
        Ok(file)
    }

    /// Replaces a file.
    ///
    /// # Errors
    ///
    /// If it cannot be written, or has too many bytes; the old one stays.
    fn replace(mut self, path: &Path) -> Result<()> {
        *self.format() = Self::FORMAT;
        let put = |bytes: Vec<u8>| {
            let disk = Disk::default();
            if Self::MAX_BYTES.is_some_and(|limit| bytes.len() as u64 > limit) {
                let why = "it would have too many bytes";
                return Err(io::Error::new(ErrorKind::InvalidData, why));
            }
            if Self::IS_PRIVATE {
                disk.replace_private(path, &bytes)
            } else {
                disk.replace(path, &bytes)
            }
        };
        let put = serde_json::to_vec(&self)
            .map_err(io::Error::from)
            .and_then(put);
        put.map_err(|source| write_failed(path, source))
    }
}

/// A fault of JSON with its place, and without what stands there.
fn without_content(fault: serde_json::Error) -> io::Error {
    if fault.is_io() {
        return fault.into();
    }
    let (line, column) = (fault.line(), fault.column());
    let why = format!("it is not as it was written, at line {line}, column {column}");
    io::Error::new(ErrorKind::InvalidData, why)
}

/// Returns true if others than its owner may read or write a file.
pub fn others_may_read(about: &Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        about.permissions().mode() & 0o077 != 0
    }
    #[cfg(not(unix))]
    {
        let _ = about;
        false
    }
}

/// A file as it was read last.
#[derive(Debug)]
pub(super) struct KnownFile<T>(Mutex<Option<(Metadata, Arc<T>)>>);

impl<T> Default for KnownFile<T> {
    fn default() -> Self {
        KnownFile(Mutex::default())
    }
}

impl<T> KnownFile<T> {
    /// The content of a file, read again if it is another one.
    ///
    /// # Errors
    ///
    /// Those of `read`.
    pub fn read(&self, path: &Path, read: impl FnOnce() -> Result<T>) -> Result<Arc<T>> {
        // A change puts another file in the place of the old one.
        let Ok(now) = fs::metadata(path) else {
            return Ok(Arc::new(read()?));
        };
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((then, content)) = &*known
            && is_same_file(then, &now)
        {
            return Ok(Arc::clone(content));
        }
        let content = Arc::new(read()?);
        *known = Some((now, Arc::clone(&content)));
        Ok(content)
    }
}

fn is_same_file(one: &Metadata, other: &Metadata) -> bool {
    let times = (one.modified().ok(), other.modified().ok());
    let is_like = times.0.is_some() && times.0 == times.1 && one.len() == other.len();
    is_like && one.permissions() == other.permissions() && file_name(one) == file_name(other)
}
