//! Records out: WARC/1.1, one gzip member a record, so that any record can be read
//! at its place alone.
//!
//! The bytes of a record depend on what is in it and on nothing else: no clock, no
//! chance, no time stamp of gzip's. Its id is made of its content, too.

use super::digest::sha1_digest;
use chrono::{DateTime, SecondsFormat, Utc};
use flate2::{Compression, GzBuilder};
use forest_html::text::hex;
use sha2::{Digest, Sha256};
use std::io::Write;

/// The compression level of records, 0..=9: pages shrink to a quarter with 5, to half a
/// percent less with 6, which takes a third longer.
const LEVEL: u32 = 5;

/// The profile of a page that came again, byte for byte (WARC 1.1, 6.7.2).
const IDENTICAL: &str = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest";

/// The profile of a page that the server said has not changed (WARC 1.1, 6.7.3).
const NOT_MODIFIED: &str = "http://netpreserve.org/warc/1.1/revisit/server-not-modified";

/// The field with a record's address.
const TARGET: &str = "WARC-Target-URI";

/// The type of a record (WARC 1.1, 6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RecordType {
    /// About the file.
    Warcinfo,
    /// An HTTP request.
    Request,
    /// An HTTP response with its payload.
    Response,
    /// A page that did not come by HTTP.
    Resource,
    /// A response whose payload an earlier record holds.
    Revisit,
    /// Another form of an earlier record's content.
    Conversion,
    /// Facts about other records.
    Metadata,
    /// A further segment of a record.
    Continuation,
}

impl RecordType {
    /// Its name in `WARC-Type`.
    pub fn name(self) -> &'static str {
        TYPES[self as usize].1
    }

    /// Returns true if a record of this type is a page: what was answered at an address.
    pub fn is_page(self) -> bool {
        matches!(
            self,
            RecordType::Response | RecordType::Resource | RecordType::Revisit
        )
    }

    /// The type with this name.
    pub fn named(name: &str) -> Option<RecordType> {
        let found = TYPES.iter().find(|(_, known)| *known == name);
        found.map(|(kind, _)| *kind)
    }
}

/// All types with their names, in the order in which they are declared.
const TYPES: [(RecordType, &str); 8] = [
    (RecordType::Warcinfo, "warcinfo"),
    (RecordType::Request, "request"),
    (RecordType::Response, "response"),
    (RecordType::Resource, "resource"),
    (RecordType::Revisit, "revisit"),
    (RecordType::Conversion, "conversion"),
    (RecordType::Metadata, "metadata"),
    (RecordType::Continuation, "continuation"),
];

/// An earlier record that another one refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EarlierRecord {
    /// Its id, `urn:uuid:...`; empty if only its address and date are known.
    pub id: String,
    /// Its address.
    pub url: String,
    /// Its date, RFC 3339.
    pub date: String,
    /// The digest of its payload, as it states it.
    pub digest: String,
}

/// A record that is to be written.
///
/// ```
/// use forest_sources::warc::{WarcReader, Record};
///
/// let at = "2026-01-02T03:04:05Z".parse()?;
/// let head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
/// let record = Record::response("http://example.org/", at, head, b"<p>A harbour</p>");
/// let bytes = record.member();
/// let pages: Vec<_> = WarcReader::new(bytes.as_slice())?.collect();
/// assert_eq!(pages[0].as_ref().unwrap().payload, b"<p>A harbour</p>");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    kind: RecordType,
    id: String,
    date: String,
    fields: Vec<(&'static str, String)>,
    block: Vec<u8>,
}

impl Record {
    fn new(kind: RecordType, url: &str, at: DateTime<Utc>, block: Vec<u8>) -> Record {
        let date = record_date(at);
        let mut fields = Vec::new();
        if !url.is_empty() {
            fields.push((TARGET, url.to_owned()));
        }
        fields.push(("WARC-Block-Digest", sha1_digest(&block)));
        Record {
            kind,
            id: content_id(kind.name(), &date, url, &block),
            date,
            fields,
            block,
        }
    }

    fn with(mut self, name: &'static str, value: impl Into<String>) -> Record {
        self.fields.push((name, value.into()));
        self
    }

    /// The first record of a file. `fields` say by what program and how it was
    /// written; `file` is its name.
    pub fn warcinfo(file: &str, at: DateTime<Utc>, fields: &[(&str, &str)]) -> Record {
        let lines = fields
            .iter()
            .map(|(name, value)| format!("{name}: {}\r\n", one_line(value)));
        let block: String = lines.collect();
        let mut record = Record::new(RecordType::Warcinfo, "", at, block.into_bytes())
            .with("WARC-Filename", file)
            .with("Content-Type", "application/warc-fields");
        // Two files may say the same.
        let name = Sha256::new().chain_update(&record.id).chain_update(file);
        record.id = urn(&name.finalize());
        record
    }

    /// The request that `response` answers; `head` ends with an empty line.
    pub fn request(url: &str, at: DateTime<Utc>, head: &[u8], response: &Record) -> Record {
        Record::new(RecordType::Request, url, at, head.to_vec())
            .with("WARC-Concurrent-To", bracketed(&response.id))
            .with("Content-Type", "application/http; msgtype=request")
    }

    /// An answer; `head` ends with an empty line and describes `payload` as it is here.
    pub fn response(url: &str, at: DateTime<Utc>, head: &[u8], payload: &[u8]) -> Record {
        let block = [head, payload].concat();
        Record::new(RecordType::Response, url, at, block)
            .with("WARC-Payload-Digest", sha1_digest(payload))
            .with("Content-Type", "application/http; msgtype=response")
    }

    /// A page that came from a file; `content_type` of HTML where nothing is known.
    pub fn resource(
        url: &str,
        at: DateTime<Utc>,
        content_type: Option<&str>,
        payload: &[u8],
    ) -> Record {
        Record::new(RecordType::Resource, url, at, payload.to_vec())
            .with("WARC-Payload-Digest", sha1_digest(payload))
            .with(
                "Content-Type",
                one_line(content_type.unwrap_or("text/html")),
            )
    }

    /// A page as a browser showed it, which handed it over. The record says so in a field of its own:
    /// it is no answer of the server.
    pub fn shown(url: &str, at: DateTime<Utc>, content_type: &str, payload: &[u8]) -> Record {
        Record::resource(url, at, Some(content_type), payload).with("Forest-Origin", "browser")
    }

    /// An answer whose payload the record `earlier` holds. `not_modified`: the server did not
    /// send it again; then the record has no block, since players give a head of status 304 in
    /// place of the page.
    pub fn revisit(
        url: &str,
        at: DateTime<Utc>,
        head: &[u8],
        earlier: &EarlierRecord,
        not_modified: bool,
    ) -> Record {
        let (profile, block) = if not_modified {
            (NOT_MODIFIED, Vec::new())
        } else {
            (IDENTICAL, head.to_vec())
        };
        let has_head = !block.is_empty();
        let mut record = Record::new(RecordType::Revisit, url, at, block)
            .with("WARC-Payload-Digest", earlier.digest.clone())
            .with("WARC-Profile", profile)
            .with("WARC-Refers-To-Target-URI", earlier.url.clone())
            .with("WARC-Refers-To-Date", earlier.date.clone());
        if !earlier.id.is_empty() {
            record = record.with("WARC-Refers-To", bracketed(&earlier.id));
        }
        if has_head {
            record = record.with("Content-Type", "application/http; msgtype=response");
        }
        record
    }

    /// The text that was made of a page, which is the record with the id and the address
    /// `page`.
    pub fn conversion(at: DateTime<Utc>, text: &str, page: Option<(&str, &str)>) -> Record {
        Record::about(RecordType::Conversion, at, text.as_bytes().to_vec(), page)
            .with("Content-Type", "text/plain; charset=utf-8")
    }

    /// An event, as JSON; `page`: id and address of the record that it is about.
    pub fn metadata(at: DateTime<Utc>, json: &[u8], page: Option<(&str, &str)>) -> Record {
        Record::about(RecordType::Metadata, at, json.to_vec(), page)
            .with("Content-Type", "application/json")
    }

    /// A record that is no page. Whoever looks for a page by its address must not find
    /// this in its place, so its own address is its id.
    fn about(
        kind: RecordType,
        at: DateTime<Utc>,
        block: Vec<u8>,
        page: Option<(&str, &str)>,
    ) -> Record {
        let (id, url) = page.unwrap_or_default();
        let mut record = Record::new(kind, url, at, block);
        record.fields.retain(|(name, _)| *name != TARGET);
        let own = record.id.clone();
        record.fields.insert(0, (TARGET, own));
        if !id.is_empty() {
            record = record.with("WARC-Refers-To", bracketed(id));
        }
        if !url.is_empty() {
            record = record.with("WARC-Refers-To-Target-URI", url);
        }
        record
    }

    /// The same with the address of the server that answered.
    #[must_use]
    pub fn with_address(self, address: std::net::IpAddr) -> Record {
        self.with("WARC-IP-Address", address.to_string())
    }

    /// The same with the reason why its payload is not whole: `length`, `time`,
    /// `disconnect`, `unspecified` (WARC 1.1, 5.13).
    #[must_use]
    pub fn with_truncation(self, reason: &str) -> Record {
        self.with("WARC-Truncated", reason)
    }

    /// The same under the id of the record whose place it takes, so that those about it still are.
    #[must_use]
    pub fn with_id(self, id: &str) -> Record {
        let id = id.to_owned();
        Record { id, ..self }
    }

    /// Its id, `urn:uuid:...`.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The record as it is written, with what must be known of it then.
    pub fn encode(&self) -> EncodedRecord {
        let mut fields = self.fields.iter();
        let url = fields.find(|(name, _)| *name == TARGET);
        EncodedRecord {
            kind: Some(self.kind),
            id: self.id.clone(),
            digest: self.field("WARC-Payload-Digest"),
            url: url.map(|(_, url)| url.clone()).unwrap_or_default(),
            member: self.member(),
        }
    }

    fn field(&self, name: &str) -> Option<String> {
        let found = self.fields.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| value.clone())
    }

    /// The record as one gzip member.
    pub fn member(&self) -> Vec<u8> {
        let id = bracketed(&self.id);
        let own = [
            ("WARC-Type", self.kind.name()),
            ("WARC-Record-ID", &id),
            ("WARC-Date", &self.date),
        ];
        let fields = self.fields.iter().map(|(name, value)| (*name, &**value));
        member("WARC/1.1", own.into_iter().chain(fields), &self.block)
    }
}

/// A record as one gzip member. `fields`: all but the length.
pub(super) fn member<'f>(
    version: &str,
    fields: impl Iterator<Item = (&'f str, &'f str)>,
    block: &[u8],
) -> Vec<u8> {
    let mut head = format!("{version}\r\n");
    for (name, value) in fields {
        head.push_str(name);
        head.push_str(": ");
        head.push_str(&one_line(value));
        head.push_str("\r\n");
    }
    head.push_str(&format!("Content-Length: {}\r\n\r\n", block.len()));
    let room = Vec::with_capacity(block.len() / 4 + 512);
    let mut gzip = GzBuilder::new().write(room, Compression::new(LEVEL));
    let written = gzip
        .write_all(head.as_bytes())
        .and_then(|()| gzip.write_all(block))
        .and_then(|()| gzip.write_all(b"\r\n\r\n"));
    written
        .and_then(|()| gzip.finish())
        .expect("writing to memory does not fail")
}

/// A record that is ready to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EncodedRecord {
    /// Its type; `None` for one that the standard does not name.
    pub kind: Option<RecordType>,
    /// Its id, `urn:uuid:...`.
    pub id: String,
    /// Its address, empty where it has none.
    pub url: String,
    /// The digest of its payload, as it states it.
    pub digest: Option<String>,
    /// Its bytes, one gzip member.
    pub member: Vec<u8>,
}

/// A date as records have it.
pub fn record_date(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Millis, true)
}

/// The id of a record, made of its content: a record with other content has another one.
pub(super) fn content_id(kind: &str, date: &str, url: &str, block: &[u8]) -> String {
    let mut id = Sha256::new();
    for part in [kind, date, url] {
        id.update(part.as_bytes());
        id.update(b"\n");
    }
    id.update(Sha256::digest(block));
    urn(&id.finalize())
}

/// A UUID of version 8 (RFC 9562, 5.8) of the first bytes of a digest.
fn urn(digest: &[u8]) -> String {
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest[..16]);
    bytes[6] = bytes[6] & 0x0F | 0x80;
    bytes[8] = bytes[8] & 0x3F | 0x80;
    let hex = hex(&bytes);
    format!(
        "urn:uuid:{}-{}-{}-{}-{}",
        &hex[..8],
        &hex[8..12],
        &hex[12..16],
        &hex[16..20],
        &hex[20..]
    )
}

pub(super) fn bracketed(id: &str) -> String {
    format!("<{id}>")
}

/// A value that cannot begin another field.
fn one_line(value: &str) -> String {
    value.replace(|c: char| c.is_control(), " ")
}
