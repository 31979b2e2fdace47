//! Complete records of a file of our own, with their places: one gzip member a record.

use super::coding::decode;
use super::date::read_date;
use super::digest::is_digest_of;
use super::header::RecordHeader;
use super::http;
use super::read::MAX_HEADER_BYTES;
use super::write::RecordType;
use chrono::{DateTime, Utc};
use flate2::bufread::GzDecoder;
use forest_html::page::MOST_PAGE_BYTES;
use std::borrow::Cow;
use std::io::{self, BufRead, BufReader, Read};
use std::net::IpAddr;

/// Bytes of a record's block at the most: a page and its header, or the text of one.
pub(super) const MAX_BLOCK_BYTES: u64 = (MOST_PAGE_BYTES + http::MAX_HEADER_BYTES) as u64;

/// A record as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadRecord {
    /// Where its member begins in the file.
    pub offset: u64,
    /// Bytes of the member.
    pub length: u64,
    /// Its type; `None` for a type that is not written here.
    pub kind: Option<RecordType>,
    /// Its id, `urn:uuid:...`.
    pub id: String,
    /// Its `WARC-Date`.
    pub date: String,
    /// Its address, empty where it has none.
    pub url: String,
    /// The block digest that its header states, `<algorithm>:<digits>`.
    pub digest: Option<String>,
    /// The digest of its payload that its header states, in the same form.
    pub payload_digest: Option<String>,
    /// Its `Content-Type`; of an HTTP message that of the record, not of the page.
    pub content_type: Option<String>,
    /// The id of the record that it refers to.
    pub refers_to: Option<String>,
    /// The address of the record that it refers to.
    pub refers_to_url: Option<String>,
    /// Of a revisit true if the server did not send the payload again.
    pub is_not_modified: bool,
    /// The server's address.
    pub address: Option<IpAddr>,
    /// Its content.
    pub block: Vec<u8>,
}

impl ReadRecord {
    /// The address of the page that it is, or that it is about; empty where it names
    /// none.
    pub fn page(&self) -> &str {
        match (self.kind, &self.refers_to_url) {
            (Some(RecordType::Conversion | RecordType::Metadata), Some(page)) => page,
            // Earlier versions of the program gave these the page's own address.
            (Some(RecordType::Conversion | RecordType::Metadata), None)
                if self.url.starts_with("urn:") =>
            {
                ""
            }
            _ => &self.url,
        }
    }

    /// Its time; `None` if its date cannot be read.
    pub fn at(&self) -> Option<DateTime<Utc>> {
        Some(read_date(&self.date)?.to_utc())
    }

    /// The page of a resource or of an HTTP answer, with its codings undone. Our own answers
    /// have none; those of other programs are stored as they came.
    pub fn page_bytes(&self) -> Option<Cow<'_, [u8]>> {
        if self.kind == Some(RecordType::Resource) {
            return Some(Cow::Borrowed(&self.block));
        }
        let (head, body) = http::split(&self.block)?;
        if !head.has_codings() {
            return Some(Cow::Borrowed(body));
        }
        let joined = http::join_chunks(&head, body);
        let decoded = decode(&head, joined, true, MOST_PAGE_BYTES);
        Some(decoded.map_or(Cow::Borrowed(body), Cow::Owned))
    }

    /// Returns true if its block is the one that its header's digest says; also if the header
    /// states none, or one of an unknown algorithm.
    pub fn has_stated_block(&self) -> bool {
        let stated = self.digest.as_deref();
        stated.and_then(|stated| is_digest_of(stated, &self.block)) != Some(false)
    }

    /// Status, `Content-Type` and payload of an HTTP answer.
    pub fn answer(&self) -> Option<(u16, Option<String>, &[u8])> {
        let (head, payload) = http::split(&self.block)?;
        let content_type = head.get("content-type").map(str::to_owned);
        Some((head.status, content_type, payload))
    }
}

/// Why a file cannot be read further.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrokenRecord {
    /// Where the member begins that is cut off or damaged.
    pub offset: u64,
    /// The reason.
    pub reason: String,
    /// The kind of the reason.
    pub cause: BreakCause,
}

/// Why a member cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BreakCause {
    /// The file ends within it.
    Short,
    /// Its bytes are not those of a record.
    Damaged,
    /// The disk did not give its bytes: they may be there all the same.
    Unreadable,
}

/// The records of a file, one member each.
#[derive(Debug)]
pub struct Members<R> {
    input: CountedInput<R>,
}

impl<R: BufRead> Members<R> {
    /// Reads from `input`, which stands at `offset` of its file.
    pub fn new(input: R, offset: u64) -> Self {
        Members {
            input: CountedInput {
                input,
                at: offset,
                failed: None,
                at_end: false,
            },
        }
    }

    /// The next record; `None` at the file's end.
    ///
    /// # Errors
    ///
    /// If the next member is not whole, or is no record.
    pub fn read(&mut self) -> Result<Option<ReadRecord>, BrokenRecord> {
        let offset = self.input.at;
        self.member(offset).map_err(|reason| {
            let (reason, cause) = match (self.input.failed.take(), self.input.at_end) {
                (Some(failed), _) => (failed, BreakCause::Unreadable),
                (None, true) => (reason, BreakCause::Short),
                (None, false) => (reason, BreakCause::Damaged),
            };
            BrokenRecord {
                offset,
                reason,
                cause,
            }
        })
    }

    fn member(&mut self, offset: u64) -> Result<Option<ReadRecord>, String> {
        if self
            .input
            .fill_buf()
            .map_err(|error| error.to_string())?
            .is_empty()
        {
            return Ok(None);
        }
        let mut record = BufReader::new(GzDecoder::new(&mut self.input));
        let header = header(&mut record)?;
        let length = header.length.filter(|_| !header.has_odd_lines);
        let length = length.ok_or("a header that is damaged")?;
        if length > MAX_BLOCK_BYTES {
            return Err(format!("a record of {length} bytes"));
        }
        let mut block = Vec::new();
        let mut rest = record.by_ref().take(length);
        let read = rest
            .read_to_end(&mut block)
            .map_err(|error| error.to_string())?;
        if (read as u64) < length {
            return Err(format!("{read} of {length} bytes are there"));
        }
        // To the member's end, where gzip's own sum is checked.
        let mut end = Vec::new();
        let mut rest = record.take(5);
        rest.read_to_end(&mut end)
            .map_err(|error| error.to_string())?;
        if end != b"\r\n\r\n" {
            return Err("a record that does not end".to_owned());
        }
        Ok(Some(whole(&header, offset, self.input.at - offset, block)))
    }
}

/// Reads the header of a record.
fn header(record: &mut impl BufRead) -> Result<RecordHeader, String> {
    let mut lines = Vec::new();
    let mut rest = record.take(MAX_HEADER_BYTES as u64);
    loop {
        let before = lines.len();
        let read = rest.read_until(b'\n', &mut lines);
        read.map_err(|error| error.to_string())?;
        if !lines.starts_with(b"WARC/") || !lines.ends_with(b"\n") {
            return Err("no header of a record".to_owned());
        }
        if lines[before..].trim_ascii().is_empty() {
            return Ok(RecordHeader::parse(&lines));
        }
    }
}

fn whole(header: &RecordHeader, offset: u64, length: u64, block: Vec<u8>) -> ReadRecord {
    let get = |name: &str| header.get(name).unwrap_or_default();
    let id = |name: &str| header.address(name).to_owned();
    ReadRecord {
        offset,
        length,
        kind: RecordType::named(get("warc-type")),
        id: id("warc-record-id"),
        date: get("warc-date").to_owned(),
        url: id("warc-target-uri"),
        digest: header.get("warc-block-digest").map(str::to_owned),
        payload_digest: header.get("warc-payload-digest").map(str::to_owned),
        content_type: header.get("content-type").map(str::to_owned),
        refers_to: header.get("warc-refers-to").map(|_| id("warc-refers-to")),
        is_not_modified: header
            .get("warc-profile")
            .is_some_and(|profile| profile.contains("server-not-modified")),
        address: header
            .get("warc-ip-address")
            .and_then(|address| address.parse().ok()),
        refers_to_url: header
            .get("warc-refers-to-target-uri")
            .map(|_| id("warc-refers-to-target-uri")),
        block,
    }
}

/// Counts what was consumed, and remembers how the input ended.
#[derive(Debug)]
struct CountedInput<R> {
    input: R,
    at: u64,
    /// The input's own error.
    failed: Option<String>,
    /// There was nothing more.
    at_end: bool,
}

impl<R: BufRead> Read for CountedInput<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let given = self.fill_buf()?;
        let read = given.len().min(buf.len());
        buf[..read].copy_from_slice(&given[..read]);
        self.consume(read);
        Ok(read)
    }
}

impl<R: BufRead> BufRead for CountedInput<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        match self.input.fill_buf() {
            Err(error) => {
                if error.kind() != io::ErrorKind::Interrupted {
                    self.failed = Some(error.to_string());
                }
                Err(error)
            }
            Ok(bytes) => {
                self.at_end = bytes.is_empty();
                Ok(bytes)
            }
        }
    }

    fn consume(&mut self, amount: usize) {
        self.input.consume(amount);
        self.at += amount as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::warc::Record;
    use flate2::{Compression, write::GzEncoder};
    use std::io::Write;

    fn records() -> Vec<Record> {
        let at = "2026-01-02T03:04:05.678Z".parse().expect("a date");
        let url = "http://a.example/";
        let head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
        let response = Record::response(url, at, head, b"<p>One");
        let request = Record::request(url, at, b"GET / HTTP/1.1\r\n\r\n", &response);
        let text = Record::conversion(at, "One", Some((response.id(), url)));
        let info = Record::warcinfo("a.warc.gz", at, &[("software", "forest")]);
        vec![info, request, response, text]
    }

    #[test]
    fn records_are_read_back_with_their_places() {
        let records = records();
        let members: Vec<Vec<u8>> = records.iter().map(Record::member).collect();
        let file = members.concat();
        let mut reader = Members::new(file.as_slice(), 0);
        let mut offset = 0;
        use RecordType::{Conversion, Request, Response, Warcinfo};
        let kinds = [Warcinfo, Request, Response, Conversion];
        for ((record, member), kind) in records.iter().zip(&members).zip(kinds) {
            let read = reader.read().expect("whole").expect("a record");
            assert_eq!((read.offset, read.length), (offset, member.len() as u64));
            assert_eq!((read.kind, &*read.id), (Some(kind), record.id()));
            assert_eq!(read.date, "2026-01-02T03:04:05.678Z");
            offset += read.length;
        }
        assert_eq!(reader.read(), Ok(None));
    }

    #[test]
    fn a_record_that_is_cut_anywhere_is_broken_at_its_beginning() {
        let members: Vec<Vec<u8>> = records().iter().map(Record::member).collect();
        let (first, second) = (members[0].len(), members[1].len());
        let file = members.concat();
        for cut in first + 1..first + second {
            let mut reader = Members::new(&file[..cut], 0);
            assert!(reader.read().is_ok_and(|read| read.is_some()));
            let broken = reader.read().expect_err("it is cut");
            assert_eq!(broken.offset, first as u64, "cut at {cut}");
            assert_eq!(broken.cause, BreakCause::Short, "cut at {cut}");
        }
    }

    #[test]
    fn a_damaged_record_is_not_a_short_one_nor_is_one_that_cannot_be_read() {
        let members: Vec<Vec<u8>> = records().iter().map(Record::member).collect();
        let mut file = members.concat();
        let middle = members[0].len() + members[1].len() / 2;
        let mut disk = BufReader::new(FailingDisk(file[..middle].to_vec(), 0));
        let mut reader = Members::new(&mut disk, 0);
        assert!(reader.read().is_ok_and(|read| read.is_some()));
        let broken = reader.read().expect_err("the disk fails");
        assert_eq!(broken.cause, BreakCause::Unreadable);
        assert!(broken.reason.contains("disk"), "{}", broken.reason);
        file[middle] ^= 0xFF;
        let mut reader = Members::new(file.as_slice(), 0);
        assert!(reader.read().is_ok_and(|read| read.is_some()));
        let broken = reader.read().expect_err("it is damaged");
        assert_eq!(broken.cause, BreakCause::Damaged);
    }

    /// Gives its bytes, and then fails.
    struct FailingDisk(Vec<u8>, usize);

    impl Read for FailingDisk {
        fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
            match (&self.0[self.1..]).read(buf)? {
                0 => Err(io::Error::other("a fault of the disk")),
                read => {
                    self.1 += read;
                    Ok(read)
                }
            }
        }
    }

    /// pywb gives what a revisit's head says of itself where that is a status of 3xx.
    #[test]
    fn a_revisit_of_what_has_not_changed_has_no_head() {
        let at = "2026-01-02T03:04:05Z".parse().expect("a date");
        let url = "http://a.example/";
        let earlier = crate::warc::EarlierRecord {
            id: "urn:uuid:1".to_owned(),
            url: url.to_owned(),
            date: "2026-01-01T03:04:05Z".to_owned(),
            digest: "sha256:00".to_owned(),
        };
        let head = b"HTTP/1.1 304 Not Modified\r\n\r\n";
        for (not_modified, expected) in [(true, &b""[..]), (false, &head[..])] {
            let record = Record::revisit(url, at, head, &earlier, not_modified);
            let bytes = record.member();
            let read = Members::new(bytes.as_slice(), 0).read();
            let read = read.expect("whole").expect("a record");
            assert_eq!(read.block, expected);
            assert_eq!(read.content_type.is_some(), !not_modified);
            assert_eq!(read.payload_digest.as_deref(), Some("sha256:00"));
        }
    }

    #[test]
    fn ids_differ_and_depend_on_nothing_else() {
        let (once, again) = (records(), records());
        assert_eq!(once, again);
        let mut ids: Vec<&str> = once.iter().map(Record::id).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), once.len());
        assert_eq!(once[0].member(), again[0].member());
    }

    /// Faults that are mended in archives of others are damage in a file of our own.
    #[test]
    fn what_is_mended_elsewhere_is_damage_here() {
        let gzip = |record: &str| {
            let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
            gzip.write_all(record.as_bytes()).expect("memory");
            gzip.finish().expect("memory")
        };
        let head = "WARC/1.1\r\nWARC-Type: resource\r\nWARC-Date: 2026-01-02T03:04Z\r\n";
        let whole = gzip(&format!("{head}Content-Length: 6\r\n\r\n<p>One\r\n\r\n"));
        let read = Members::new(whole.as_slice(), 0).read();
        let record = read.expect("whole").expect("a record");
        let at = record.at().map(|at| at.to_rfc3339());
        assert_eq!(at.as_deref(), Some("2026-01-02T03:04:00+00:00"));
        for odd in [
            format!("{head}Content-Length: 5\r\n\r\n<p>One\r\n\r\n"),
            format!("{head}Content-Length: 7\r\n\r\n<p>One\r\n\r\n"),
            format!("{head}\r\n<p>One\r\n\r\n"),
            format!("{head}no field\r\nContent-Length: 6\r\n\r\n<p>One\r\n\r\n"),
            format!("{}Content-Length: 6\r\n\r\n", head.replace("WARC/", "ARC/")),
            format!("WARC/1.1\r\n{}\r\n\r\n", "x: y\r\n".repeat(20_000)),
            "WARC/1.1".to_owned(),
            String::new(),
        ] {
            let file = [gzip(&odd), whole.clone()].concat();
            let broken = Members::new(file.as_slice(), 0).read();
            let broken = broken.expect_err("it is damaged");
            assert_eq!(
                (broken.offset, broken.cause),
                (0, BreakCause::Damaged),
                "{odd}"
            );
        }
    }

    #[test]
    fn a_value_with_line_breaks_is_one_line() {
        let at = "2026-01-02T03:04:05Z".parse().expect("a date");
        let record = Record::resource(
            "http://a.example/",
            at,
            Some("text/html\r\nWARC-Type: x"),
            b"",
        );
        let bytes = record.member();
        let read = Members::new(bytes.as_slice(), 0).read();
        let read = read.expect("whole").expect("a record");
        assert_eq!(read.kind, Some(RecordType::Resource));
    }
}
