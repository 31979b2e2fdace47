//! Files that are written whole or not at all.

use std::io::{self, Write};
use std::path::Path;

/// Writes a file under a temporary name in `folder`, on the same disk, and renames it.
///
/// # Errors
///
/// If it cannot be written; what was at `path` is there still.
pub(crate) fn write_whole(folder: &Path, path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut builder = tempfile::Builder::new();
    let mut file = builder.prefix(".forest-").tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}
