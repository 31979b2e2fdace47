//! Records out of a stream, compressed or not.

use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::MultiGzDecoder;

use super::warning::{ReadStop, WarcWarning};
use crate::error::{ErrorKind, Result};

/// Bytes of one record's header at most. Crawlers write some 500.
const MAX_HEADER_BYTES: usize = 64 * 1024;

/// Blank bytes passed over before a record; the format has four.
const MAX_BLANK_BYTES: usize = 4096;

/// Memory reserved for a block before its bytes have come: a header can lie
/// about its length.
const RESERVED_BYTES: usize = 64 * 1024;

/// A stream of records.
#[derive(Debug)]
pub(super) enum RecordStream<R: BufRead> {
    /// Not compressed.
    Plain(R),
    /// One or more gzip members.
    Gzip(Box<BufReader<MultiGzDecoder<R>>>),
}

/// A record's header.
#[derive(Debug)]
pub(super) struct RecordHeader {
    fields: Vec<(String, String)>,
    /// Bytes of the block.
    pub length: u64,
}

impl RecordHeader {
    /// The first field with the (lower case) name.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        let (_, value) = self.fields.iter().find(|(known, _)| known == name)?;
        Some(value)
    }
}

impl<R: BufRead> RecordStream<R> {
    /// Finds out whether the stream is compressed, and that it is a WARC.
    pub(super) fn open(mut input: R) -> Result<Self> {
        let failed = |source| ErrorKind::ReadWarc { source };
        let compressed = input.fill_buf().map_err(failed)?.first() == Some(&0x1F);
        let mut source = if compressed {
            RecordStream::Gzip(Box::new(BufReader::new(MultiGzDecoder::new(input))))
        } else {
            RecordStream::Plain(input)
        };
        let head = match source.reader().fill_buf() {
            Ok(head) => head,
            // What does not unpack is no archive; what cannot be read may be one.
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::InvalidInput
                        | io::ErrorKind::InvalidData
                        | io::ErrorKind::UnexpectedEof
                ) =>
            {
                &[]
            }
            Err(error) => return Err(failed(error).into()),
        };
        let start = &head[..head.len().min(5)];
        if start.is_empty() || !b"WARC/".starts_with(start) {
            return Err(ErrorKind::NotAWarc.into());
        }
        Ok(source)
    }

    fn reader(&mut self) -> &mut dyn BufRead {
        match self {
            RecordStream::Plain(reader) => reader,
            RecordStream::Gzip(reader) => reader,
        }
    }

    /// The next record's header, or `None` at the end of the file.
    pub(super) fn header(&mut self, record: u64) -> Result<Option<RecordHeader>, ReadStop> {
        let cut = |reason: String| ReadStop::Fatal(WarcWarning::Cut { record, reason });
        let bad = || ReadStop::Fatal(WarcWarning::BadHeader { record });
        let ended = || cut("the file ends in a header".to_owned());
        let mut left = MAX_HEADER_BYTES;
        let mut blank = 0;
        let version = loop {
            let line = self.line(left).map_err(|error| cut(error.to_string()))?;
            let Some((line, whole)) = line else {
                return Ok(None);
            };
            let text = line.trim_ascii();
            if !text.is_empty() {
                if !text.starts_with(b"WARC/") {
                    return Err(bad());
                }
                if !whole {
                    return Err(ended());
                }
                break line;
            }
            blank += line.len();
            if blank > MAX_BLANK_BYTES {
                return Err(bad());
            }
        };
        left = left.saturating_sub(version.len());
        let mut fields: Vec<(String, String)> = Vec::new();
        loop {
            let line = self.line(left).map_err(|error| cut(error.to_string()))?;
            let (line, whole) = line.ok_or_else(ended)?;
            if !whole {
                return Err(if line.len() == left { bad() } else { ended() });
            }
            left -= line.len();
            let text = String::from_utf8_lossy(&line);
            if text.trim().is_empty() {
                break;
            }
            if text.starts_with([' ', '\t'])
                && let Some((_, value)) = fields.last_mut()
            {
                if !value.is_empty() {
                    value.push(' ');
                }
                value.push_str(text.trim());
            } else {
                let (name, value) = text.split_once(':').ok_or_else(bad)?;
                fields.push((name.trim().to_ascii_lowercase(), value.trim().to_owned()));
            }
        }
        let mut header = RecordHeader { fields, length: 0 };
        let length = header.get("content-length").ok_or_else(bad)?;
        header.length = length.parse().map_err(|_| bad())?;
        Ok(Some(header))
    }

    /// A line of at most `limit` bytes, and whether its end is there; `None` at
    /// the end of the file.
    fn line(&mut self, limit: usize) -> io::Result<Option<(Vec<u8>, bool)>> {
        let mut line = Vec::new();
        self.reader()
            .take(limit as u64)
            .read_until(b'\n', &mut line)?;
        let whole = line.ends_with(b"\n");
        Ok((!line.is_empty() || limit == 0).then_some((line, whole)))
    }

    /// The bytes of a block.
    pub(super) fn block(&mut self, length: u64) -> io::Result<Vec<u8>> {
        let reserved =
            usize::try_from(length).map_or(RESERVED_BYTES, |all| all.min(RESERVED_BYTES));
        let mut block = Vec::with_capacity(reserved);
        self.reader().take(length).read_to_end(&mut block)?;
        enough(block.len() as u64, length)?;
        Ok(block)
    }

    /// Passes over a block.
    pub(super) fn skip(&mut self, length: u64) -> io::Result<()> {
        let passed = io::copy(&mut self.reader().take(length), &mut io::sink())?;
        enough(passed, length)
    }
}

fn enough(found: u64, length: u64) -> io::Result<()> {
    if found < length {
        return Err(io::Error::new(
            io::ErrorKind::UnexpectedEof,
            format!("{found} of {length} bytes are there"),
        ));
    }
    Ok(())
}
