//! The ends of damaged WARC files: torn records, and the next whole ones.

use super::files::{FileId, Folder};
use crate::error::{Error, Result};
use forest_sources::warc::{BreakCause, BrokenRecord, Members};
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

/// A number of zeros that no record ends with.
const ZEROS: u64 = 512;

/// Returns true if a file ends in an incomplete record.
pub(super) fn is_torn(folder: &Folder, file: FileId, stop: &BrokenRecord) -> Result<bool> {
    let path = folder.file(file);
    let failed = |source| Error::read(&path, source);
    let ends_short = match stop.cause {
        BreakCause::Unreadable => return Err(failed(io::Error::other(stop.reason.clone()))),
        BreakCause::Short => true,
        BreakCause::Damaged => ends_in_zeros(&path, stop.offset).map_err(failed)?,
    };
    Ok(ends_short
        && next_whole(&path, stop.offset + 1)
            .map_err(failed)?
            .is_none())
}

/// Returns true if a record begins at `offset` and turns into zeros up to the file's end:
/// the file's length reached the disk, its bytes did not.
fn ends_in_zeros(path: &Path, offset: u64) -> io::Result<bool> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(offset))?;
    let (mut at, mut end) = (offset, offset);
    let mut buffer = [0; 1 << 16];
    loop {
        let read = file.read(&mut buffer)?;
        if read == 0 {
            break;
        }
        if let Some(last) = buffer[..read].iter().rposition(|byte| *byte != 0) {
            end = at + last as u64 + 1;
        }
        at += read as u64;
    }
    if at - end < ZEROS {
        return Ok(false);
    }
    file.seek(SeekFrom::Start(offset))?;
    let mut begun = Members::new(BufReader::new(file.take(end - offset)), offset);
    Ok(match begun.read() {
        Ok(record) => record.is_none(),
        Err(broken) => broken.cause == BreakCause::Short,
    })
}

/// The first bytes of gzip members: deflate, without a name.
const MEMBER: [u8; 3] = [0x1F, 0x8B, 0x08];

/// The offset of the next whole record at `from` or later.
pub(super) fn next_whole(path: &Path, from: u64) -> io::Result<Option<u64>> {
    let mut at = from;
    while let Some(found) = next_member(path, at)? {
        let mut file = File::open(path)?;
        file.seek(SeekFrom::Start(found))?;
        let read = Members::new(BufReader::new(file), found).read();
        match read {
            Ok(Some(_)) => return Ok(Some(found)),
            Err(broken) if broken.cause == BreakCause::Unreadable => {
                return Err(io::Error::other(broken.reason));
            }
            _ => at = found + 1,
        }
    }
    Ok(None)
}

/// The next offset of the first bytes of a gzip member.
fn next_member(path: &Path, from: u64) -> io::Result<Option<u64>> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(from))?;
    let mut window: Vec<u8> = Vec::new();
    let mut start = from;
    loop {
        let read = Read::by_ref(&mut file)
            .take(1 << 16)
            .read_to_end(&mut window)?;
        if let Some(at) = window.windows(MEMBER.len()).position(|w| w == MEMBER) {
            return Ok(Some(start + at as u64));
        }
        if read == 0 {
            return Ok(None);
        }
        let keep = window.len().min(MEMBER.len() - 1);
        start += (window.len() - keep) as u64;
        window.drain(..window.len() - keep);
    }
}
