//! Files and pipes of limited size, gzip undone.

use crate::cli::output::is_open_already;
use anyhow::{Context, bail};
use flate2::bufread::MultiGzDecoder;
use forest::feed::{Kind, sniff};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, ErrorKind, Read};
use std::path::Path;

/// Bytes of a file's beginning that say what it is: as many as are looked at.
const HEAD_BYTES: usize = 64 * 1024;

/// Whether a path leads to a file that can be read as often as one likes, and not to
/// what gives its bytes once: a pipe, a socket, a device.
pub fn is_lasting(path: &Path) -> bool {
    path.is_file() && !is_open_already(path)
}

/// A file or pipe, opened once. Its beginning is looked at, and read again with the
/// rest.
pub struct Input {
    name: String,
    head: Vec<u8>,
    rest: Box<dyn Read>,
}

impl Input {
    /// Opens a file or pipe.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn open(path: &Path) -> anyhow::Result<Input> {
        let name = path.display().to_string();
        let open = || -> io::Result<_> {
            let mut file = File::open(path)?;
            let mut head = Vec::new();
            file.by_ref()
                .take(HEAD_BYTES as u64)
                .read_to_end(&mut head)?;
            Ok((head, file))
        };
        let (head, file) = open().with_context(|| cannot_read(&name))?;
        Ok(Input {
            name,
            head,
            rest: Box::new(file),
        })
    }

    /// Its beginning, unpacked.
    ///
    /// # Errors
    ///
    /// If that is gzip and damaged.
    pub fn head(&self) -> anyhow::Result<Vec<u8>> {
        let mut head = Vec::new();
        let unpacked = unpacked(self.head.as_slice())
            .and_then(|from| from.take(HEAD_BYTES as u64).read_to_end(&mut head));
        match unpacked {
            // The rest of it is not in the beginning.
            Err(error)
                if error.kind() == ErrorKind::UnexpectedEof && self.head.len() == HEAD_BYTES => {}
            other => _ = other.with_context(|| cannot_read(&self.name))?,
        }
        Ok(head)
    }

    /// What it is.
    ///
    /// # Errors
    ///
    /// If its beginning is gzip and damaged.
    pub fn kind(&self) -> anyhow::Result<Kind> {
        Ok(sniff(&self.head()?))
    }

    /// All of it as it is.
    pub fn raw(self) -> impl BufRead {
        BufReader::new(Cursor::new(self.head).chain(self.rest))
    }

    /// All of it, unpacked.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn unpacked(self) -> anyhow::Result<impl BufRead> {
        let name = self.name.clone();
        let all = unpacked(self.raw()).with_context(|| cannot_read(&name))?;
        Ok(BufReader::new(all))
    }

    /// All of it, unpacked, at most `limit` bytes.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is larger.
    pub fn whole(self, limit: usize) -> anyhow::Result<Vec<u8>> {
        let name = self.name.clone();
        read_all(self.raw(), limit, &name)
    }
}

fn cannot_read(name: &str) -> String {
    format!("cannot read {name}")
}

/// What is read, unpacked if it is gzip.
fn unpacked<'a>(from: impl Read + 'a) -> io::Result<Box<dyn Read + 'a>> {
    let mut from = BufReader::new(from);
    Ok(match from.fill_buf()?.starts_with(&[0x1F, 0x8B]) {
        true => Box::new(MultiGzDecoder::new(from)),
        false => Box::new(from),
    })
}

/// A whole file, unpacked, of at most `limit` bytes.
pub fn read(path: &Path, limit: usize) -> anyhow::Result<Vec<u8>> {
    let name = path.display().to_string();
    let file = File::open(path).with_context(|| cannot_read(&name))?;
    read_all(file, limit, &name)
}

/// All that can be read, unpacked, of at most `limit` bytes.
pub fn read_all(from: impl Read, limit: usize, name: &str) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // One byte more than allowed shows that there is more.
    unpacked(from)
        .and_then(|from| from.take(limit as u64 + 1).read_to_end(&mut bytes))
        .with_context(|| cannot_read(name))?;
    if bytes.len() > limit {
        bail!(
            "{name} is larger than the limit of {} MB: give a smaller copy of it",
            limit / 1_000_000
        );
    }
    Ok(bytes)
}
