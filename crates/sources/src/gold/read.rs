//! Files with a limit on their size.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;

use crate::error::{Error, ErrorKind, Result};

/// Bytes that a page or a JSON file may have, decompressed: the project's limit
/// for pages. A larger file is an error, so that a decompression bomb ends here.
pub const MAX_FILE_BYTES: u64 = 20_000_000;

/// The bytes of `path`, decompressed if its name ends in `.gz`.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    let file = File::open(path).map_err(|e| Error::read(path, e))?;
    let mut bytes = Vec::new();
    // One byte more than allowed shows that there is more.
    let read = if path.extension().is_some_and(|e| e == "gz") {
        let plain = MultiGzDecoder::new(file);
        plain.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes)
    } else {
        file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes)
    };
    read.map_err(|e| Error::read(path, e))?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(ErrorKind::TooLarge {
            path: path.to_owned(),
            limit: MAX_FILE_BYTES,
        }
        .into());
    }
    Ok(bytes)
}

/// The bytes of `path`, `None` if there is no such file.
pub(super) fn read_if_there(path: &Path) -> Result<Option<Vec<u8>>> {
    match path.metadata() {
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(Error::read(path, e)),
        Ok(_) => read(path).map(Some),
    }
}
