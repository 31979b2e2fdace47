//! Files of limited size, gzip undone.

use anyhow::{Context, bail};
use flate2::bufread::MultiGzDecoder;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

/// Bytes of a file's beginning that say what it is: as many as are looked at.
const HEAD_BYTES: u64 = 64 * 1024;

/// Opens a file, unpacking it if it is gzip.
pub fn open(path: &Path) -> anyhow::Result<Box<dyn Read>> {
    unpacked(raw(path)?).with_context(|| format!("cannot read {}", path.display()))
}

/// What is read, unpacked if it is gzip.
fn unpacked(from: impl Read + 'static) -> std::io::Result<Box<dyn Read>> {
    let mut from = BufReader::new(from);
    Ok(match from.fill_buf()?.starts_with(&[0x1F, 0x8B]) {
        true => Box::new(MultiGzDecoder::new(from)),
        false => Box::new(from),
    })
}

/// Opens a file as it is.
pub fn raw(path: &Path) -> anyhow::Result<File> {
    File::open(path).with_context(|| format!("cannot read {}", path.display()))
}

/// The beginning of a file, unpacked.
pub fn head(path: &Path) -> anyhow::Result<Vec<u8>> {
    let mut head = Vec::new();
    let read = open(path)?.take(HEAD_BYTES).read_to_end(&mut head);
    read.with_context(|| format!("cannot read {}", path.display()))?;
    Ok(head)
}

/// A whole file, unpacked, of at most `limit` bytes.
pub fn read(path: &Path, limit: usize) -> anyhow::Result<Vec<u8>> {
    read_all(raw(path)?, limit, &path.display().to_string())
}

/// All that can be read, unpacked, of at most `limit` bytes.
pub fn read_all(from: impl Read + 'static, limit: usize, name: &str) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // One byte more than allowed shows that there is more.
    unpacked(from)
        .and_then(|from| from.take(limit as u64 + 1).read_to_end(&mut bytes))
        .with_context(|| format!("cannot read {name}"))?;
    if bytes.len() > limit {
        bail!(
            "{name} is larger than the limit of {} MB: give a smaller copy of it",
            limit / 1_000_000
        );
    }
    Ok(bytes)
}
