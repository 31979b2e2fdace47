//! Files of a user beside the tables, which no event gives: JSON with the version of its format.

use super::disk::{Disk, write_failed};
use crate::error::{Error, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

/// The content of a file.
pub(super) trait UserFile: Default + Serialize + DeserializeOwned {
    /// The version of the format.
    const FORMAT: u32;

    /// Only the owner of the file can read it.
    const IS_PRIVATE: bool = false;

    /// The version that the content states.
    fn format(&mut self) -> &mut u32;

    /// Reads a file; the default if there is none.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or is of another format.
    fn read(path: &Path) -> Result<Self> {
        let read = || {
            let bytes = match fs::read(path) {
                Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Self::default()),
                read => read?,
            };
            let mut file: Self = serde_json::from_slice(&bytes)?;
            let format = *file.format();
            if format != Self::FORMAT {
                let why = format!("its format is {format}, not {}", Self::FORMAT);
                return Err(io::Error::new(ErrorKind::InvalidData, why));
            }
            Ok(file)
        };
        read().map_err(|source| Error::read(path, source))
    }

    /// Replaces a file.
    ///
    /// # Errors
    ///
    /// If it cannot be written; the old one stays.
    fn replace(mut self, path: &Path) -> Result<()> {
        *self.format() = Self::FORMAT;
        let put = |bytes: Vec<u8>| {
            let disk = Disk::default();
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
