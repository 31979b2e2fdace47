//! Files and pipes of limited size, gzip undone, but for web archives.

use super::lines;
use crate::error::{Error, Result, SourceFault};
use crate::warc::is_zstd_archive;
use flate2::bufread::MultiGzDecoder;
use forest_core::feed::{SniffedType, sniff, sniff_archive};
use forest_html::page::binary::BinaryKind;
use forest_html::text::BOM;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, ErrorKind, Read};
use std::path::{Path, PathBuf};

/// Bytes of the beginning by which the kind of a file is recognised.
const HEAD_BYTES: usize = 64 * 1024;

/// Bytes of the beginning that are read at once.
const PIECE_BYTES: usize = 8 * 1024;

/// Returns true if a path names a stream that this process has open. A file may be behind
/// it, but its bytes may not come twice, and a file in its place would reach nobody.
pub fn is_open_already(path: &Path) -> bool {
    let names = ["/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/fd"];
    names.iter().any(|name| path.starts_with(name))
}

/// Returns true if a path leads to a file that can be read again, and not to a pipe, a
/// socket or a device, which gives its bytes once.
fn is_lasting(path: &Path) -> bool {
    path.is_file() && !is_open_already(path)
}

/// A file or pipe, opened once and unpacked if it is no web archive. Its kind is recognised by its beginning.
pub struct InputStream {
    name: String,
    file: Option<PathBuf>,
    head: Vec<u8>,
    rest: Box<dyn Read + Send>,
}

impl InputStream {
    /// Opens a file or pipe.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is gzip and damaged at its beginning.
    pub fn open(path: &Path) -> Result<InputStream> {
        let name = path.display().to_string();
        let file = File::open(path).map_err(cannot_read(&name))?;
        let lasting = is_lasting(path).then(|| path.to_owned());
        InputStream::of(name, lasting, file)
    }

    /// Opens what comes on standard input, under the name `stdin`.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn stdin() -> Result<InputStream> {
        InputStream::of("stdin".to_owned(), None, io::stdin())
    }

    /// Reads no more than its kind needs: the writer of a pipe may wait for an answer to its
    /// first lines.
    fn of(
        name: String,
        file: Option<PathBuf>,
        from: impl Read + Send + 'static,
    ) -> Result<InputStream> {
        let open = || -> io::Result<_> {
            let mut rest = unpacked(from)?;
            let head = head(&mut rest)?;
            Ok((head, rest))
        };
        let (head, rest) = open().map_err(cannot_read(&name))?;
        Ok(InputStream {
            name,
            file,
            head,
            rest,
        })
    }

    /// The file, if it can be read again.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// Its beginning.
    pub fn head(&self) -> &[u8] {
        &self.head
    }

    /// Its kind.
    pub fn kind(&self) -> SniffedType {
        if are_lines(&self.head) {
            return SniffedType::Json;
        }
        match sniff(&self.head) {
            SniffedType::Binary if is_zstd_archive(&self.head) => SniffedType::Warc,
            other => other,
        }
    }

    /// Returns true if it is JSON with a page a line.
    pub fn has_lines(&self) -> bool {
        are_lines(&self.head)
    }

    /// All of it.
    pub fn all(self) -> impl BufRead + Send + 'static {
        BufReader::new(Cursor::new(self.head).chain(self.rest))
    }

    /// All of it, at most `limit` bytes.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is larger.
    pub fn whole(self, limit: usize) -> Result<Vec<u8>> {
        let name = self.name.clone();
        read_to(self.all(), limit, &name)
    }
}

/// Reads the beginning, until it determines the kind.
fn head(from: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    let mut piece = [0; PIECE_BYTES];
    // The end of the last line that was tested.
    let mut looked = 0;
    while head.len() < HEAD_BYTES && !is_archive(&head) {
        let room = PIECE_BYTES.min(HEAD_BYTES - head.len());
        let read = match from.read(&mut piece[..room]) {
            Ok(0) => break,
            Ok(read) => read,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        head.extend_from_slice(&piece[..read]);
        if begins_as_json(&head) && has_line(&head, &mut looked) {
            break;
        }
    }
    Ok(head)
}

/// Returns true for the beginning of a web archive. Of what is in gzip only an archive is still
/// packed here.
fn is_archive(head: &[u8]) -> bool {
    sniff_archive(head) || is_gzip(head) || is_zstd_archive(head)
}

fn is_gzip(head: &[u8]) -> bool {
    BinaryKind::of(head) == Some(BinaryKind::Gzip)
}

/// Returns true if a whole line that was not tested before is a page.
fn has_line(head: &[u8], looked: &mut usize) -> bool {
    let Some(end) = head[*looked..].iter().rposition(|&byte| byte == b'\n') else {
        return false;
    };
    let new = &head[*looked..*looked + end];
    *looked += end + 1;
    new.split(|&byte| byte == b'\n').any(lines::is_page)
}

/// Returns true if a beginning is that of JSON with a page a line: a line of it is a page,
/// or its first line is longer and has the key of a page. (A page whose text mentions JSON
/// Feed is no feed.)
fn are_lines(head: &[u8]) -> bool {
    if !begins_as_json(head) {
        return false;
    }
    let mut lines = head.split(|&byte| byte == b'\n');
    let is_cut = head.len() >= HEAD_BYTES && !head.contains(&b'\n');
    lines.any(lines::is_page)
        || is_cut && {
            let at = |what: &[u8]| head.windows(what.len()).position(|found| found == what);
            let feed = at(b"jsonfeed.org/version").unwrap_or(usize::MAX);
            at(b"\"html\"").is_some_and(|html| html < feed)
        }
}

fn begins_as_json(head: &[u8]) -> bool {
    let head = head.strip_prefix(BOM).unwrap_or(head);
    head.trim_ascii_start().starts_with(b"{")
}

fn cannot_read(name: &str) -> impl FnOnce(io::Error) -> Error + use<'_> {
    move |error| Error::read(Path::new(name), error)
}

/// The bytes of a reader, unpacked if they are gzip. Those of a web archive stay packed: its
/// members show where records begin.
fn unpacked<'a>(from: impl Read + Send + 'a) -> io::Result<Box<dyn Read + Send + 'a>> {
    let mut from = BufReader::new(from);
    let start = from.fill_buf()?;
    if is_gzip(start) && sniff(start) != SniffedType::Warc {
        return Ok(Box::new(MultiGzDecoder::new(from)));
    }
    Ok(Box::new(from))
}

/// A whole file, unpacked, of at most `limit` bytes.
pub fn read_file(path: &Path, limit: usize) -> Result<Vec<u8>> {
    let name = path.display().to_string();
    let file = File::open(path).map_err(cannot_read(&name))?;
    read_all(file, limit, &name)
}

/// All bytes of a reader, unpacked, `limit` at the most.
pub fn read_all(from: impl Read + Send, limit: usize, name: &str) -> Result<Vec<u8>> {
    let from = unpacked(from).map_err(cannot_read(name))?;
    read_to(from, limit, name)
}

fn read_to(from: impl Read, limit: usize, name: &str) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // One byte more than allowed shows that there is more.
    let read = from.take(limit as u64 + 1).read_to_end(&mut bytes);
    read.map_err(cannot_read(name))?;
    if bytes.len() > limit {
        let name = name.to_owned();
        return Err(SourceFault::Large { name, limit }.into());
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives its pieces one by one, and fails where more is asked for.
    struct Slow<'a>(&'a [&'a str]);

    impl Read for Slow<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let (first, rest) = self.0.split_first().expect("no more than is needed");
            self.0 = rest;
            into[..first.len()].copy_from_slice(first.as_bytes());
            Ok(first.len())
        }
    }

    #[test]
    fn no_more_is_read_than_the_kind_needs() {
        let check = |pieces: &[&str]| {
            let read = head(&mut Slow(pieces)).expect("reads");
            assert_eq!(read, pieces.concat().as_bytes());
        };
        check(&["{\"html\": \"x\"", "}\n"]);
        check(&["\n", "{\"a\": 1}\nno\n{\"ht", "ml\": \"x\"}\n"]);
        check(&["WA", "RC/1.0\r\n"]);
        // Until the end, where nothing says it before.
        check(&["<html>", "<p>{\"html\": \"x\"}\n", ""]);
        check(&["{\n", "\"html\": \"x\"\n}\n", ""]);
    }

    #[test]
    fn json_with_a_page_a_line() {
        let check = |text: &str, expected| assert_eq!(are_lines(text.as_bytes()), expected);
        let feed = "\"version\": \"https://jsonfeed.org/version/1.1\"";
        check("{\"html\": \"x\"}", true);
        check("\u{feff}{\"html\": \"x\"}", true);
        check("{\"a\": 1}\n{\"html\": \"x\"}\n", true);
        check("{\"a\": 1}", false);
        check("", false);
        check("<p>\n{\"html\": \"x\"}", false);
        check("{\n\"html\": \"x\"\n}\n", false);
        let long = "x".repeat(HEAD_BYTES);
        check(&format!("{{\"html\": \"x {feed} {long}"), true);
        check(&format!("{{{feed}, \"content_html\": \"{long}"), false);
    }
}
