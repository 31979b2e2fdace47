//! All records of a web archive, whoever wrote it, as they are kept in another one.
//!
//! A record keeps its version, its fields and its block, except for the following:
//!
//! - a record without an id, as all of an ARC, gets one that is made of its content;
//! - the length is that of the block, and a false or missing `WARC-Block-Digest` is written
//!   anew (the stated one stays as `X-Archive-Orig-WARC-Block-Digest`);
//! - a page without a `WARC-Payload-Digest` gets it, and a record without a
//!   `WARC-Warcinfo-ID` that of the `warcinfo` record before it;
//! - a `response` of another protocol than HTTP becomes a `resource`, as WARC 1.1 has it (6.3;
//!   only `dns:` stays): readers take each response for HTTP;
//! - a record of an ARC becomes a record of a WARC.

use super::date::read_date;
use super::digest::{is_digest_of, sha1_digest};
use super::header::{RecordHeader, scheme};
use super::http;
use super::pages::{PageInRecord, Response};
use super::read::RecordStream;
use super::warning::{ReadStop, WarcWarning};
use super::whole::{MAX_BLOCK_BYTES, ReadRecord};
use super::write::{EncodedRecord, RecordType, bracketed, content_id, member};
use crate::error::Result;
use chrono::{DateTime, SecondsFormat, Utc};
use forest_html::page::MAX_PAGE_BYTES;
use std::io::BufRead;

/// The versions that are written; another one becomes the first.
const VERSIONS: [&str; 2] = ["WARC/1.0", "WARC/1.1"];

/// A record of an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArchivedRecord {
    version: String,
    fields: Vec<(String, String)>,
    block: Vec<u8>,
    /// Its type, in lower case.
    pub type_name: String,
    /// Its id, `urn:uuid:...`.
    pub id: String,
    /// Its address, empty where it has none.
    pub url: String,
    /// The address of the record that it is about.
    pub about: Option<String>,
    /// Its time, if its date can be read.
    pub at: Option<DateTime<Utc>>,
    /// The HTML page that it is, or the reason why that cannot be read.
    pub page: Result<Option<Response>, WarcWarning>,
}

impl ArchivedRecord {
    fn new(
        header: RecordHeader,
        block: Vec<u8>,
        page: Result<Option<Response>, WarcWarning>,
    ) -> ArchivedRecord {
        let date = header.get("warc-date").and_then(read_date);
        let version = header.version().unwrap_or_default().to_owned();
        let mut record = ArchivedRecord {
            type_name: header
                .get("warc-type")
                .unwrap_or_default()
                .to_ascii_lowercase(),
            id: header.address("warc-record-id").to_owned(),
            url: header.address("warc-target-uri").to_owned(),
            about: Some(header.address("warc-refers-to-target-uri").to_owned())
                .filter(|url| !url.is_empty()),
            at: date.map(|date| date.to_utc()),
            version: VERSIONS
                .iter()
                .find(|known| **known == version)
                .unwrap_or(&VERSIONS[0])
                .to_string(),
            fields: header.into_fields(),
            block,
            page,
        };
        record
            .fields
            .retain(|(name, _)| !name.eq_ignore_ascii_case("content-length"));
        if let Some(at) = record.at
            && let Some(date) = record.field("WARC-Date")
            && DateTime::parse_from_rfc3339(date).is_err()
        {
            record.set("WARC-Date", at.to_rfc3339_opts(SecondsFormat::AutoSi, true));
        }
        // Readers compare the standard's names.
        record.set("WARC-Type", record.type_name.clone());
        record.make_resource();
        if record.id.is_empty() {
            record.set_own_id();
        }
        record
    }

    fn field(&self, name: &str) -> Option<&str> {
        let is_named = |(known, _): &&(String, String)| known.eq_ignore_ascii_case(name);
        Some(&self.fields.iter().find(is_named)?.1)
    }

    /// Sets the first field with the name, or adds it.
    fn set(&mut self, name: &str, value: String) {
        let is_named = |(known, _): &&mut (String, String)| known.eq_ignore_ascii_case(name);
        match self.fields.iter_mut().find(is_named) {
            Some((_, old)) => *old = value,
            None => self.fields.push((name.to_owned(), value)),
        }
    }

    /// Makes a response of another protocol than HTTP a resource: its bytes alone.
    fn make_resource(&mut self) {
        let scheme = scheme(&self.url).unwrap_or_default();
        if self.type_name != "response" || matches!(&*scheme, "" | "http" | "https" | "dns") {
            return;
        }
        self.type_name = "resource".to_owned();
        self.set("WARC-Type", self.type_name.clone());
        let is_http = self
            .field("Content-Type")
            .is_some_and(|kind| kind.starts_with("application/http"));
        if let Some((head, body)) = http::split(&self.block).filter(|_| is_http) {
            let kind = head
                .get("content-type")
                .unwrap_or("application/octet-stream")
                .to_owned();
            self.block = body.to_vec();
            self.set("Content-Type", kind);
            for name in ["WARC-Block-Digest", "WARC-Payload-Digest"] {
                self.fields
                    .retain(|(known, _)| !known.eq_ignore_ascii_case(name));
            }
        }
    }

    /// Gives it an id that is made of its content: another record has its own one.
    pub fn set_own_id(&mut self) {
        let date = self.field("WARC-Date").unwrap_or_default();
        self.id = content_id(&self.type_name, date, &self.url, &self.block);
        let id = bracketed(&self.id);
        self.set("WARC-Record-ID", id);
    }

    /// Bytes of its block.
    pub fn bytes(&self) -> usize {
        self.block.len()
    }

    /// Returns true if a stored record is this one: type, address, date and bytes.
    pub fn is_stored_as(&self, held: &ReadRecord) -> bool {
        let kind = held.kind.map(RecordType::name);
        (kind.is_none() || kind == Some(&*self.type_name))
            && held.url == self.url
            && held.at() == self.at
            && held.block == self.block
    }

    /// The record as it is written.
    pub fn encode(mut self) -> EncodedRecord {
        self.complete();
        let fields = self.fields.iter().map(|(name, value)| (&**name, &**value));
        EncodedRecord {
            kind: RecordType::named(&self.type_name),
            digest: self.field("WARC-Payload-Digest").map(str::to_owned),
            member: member(&self.version, fields, &self.block),
            id: self.id,
            url: self.url,
        }
    }

    /// Writes the fields that are missing or false.
    fn complete(&mut self) {
        let stated = self.field("WARC-Block-Digest").map(str::to_owned);
        let holds = stated
            .as_deref()
            .and_then(|stated| is_digest_of(stated, &self.block));
        if holds != Some(true) {
            if let Some(stated) = stated {
                self.set("X-Archive-Orig-WARC-Block-Digest", stated);
            }
            self.set("WARC-Block-Digest", sha1_digest(&self.block));
        }
        if self.field("WARC-Payload-Digest").is_some()
            || self.field("WARC-Segment-Number").is_some()
        {
            return;
        }
        let payload = match &*self.type_name {
            "resource" => Some(&*self.block),
            "response" => http::split(&self.block).map(|(_, payload)| payload),
            _ => None,
        };
        if let Some(digest) = payload.map(sha1_digest) {
            self.set("WARC-Payload-Digest", digest);
        }
    }
}

/// The records of an archive, a WARC or an ARC, in the file's order. A fault that was mended
/// comes as a warning behind its record.
#[derive(Debug)]
pub struct RecordReader<R: BufRead> {
    source: RecordStream<R>,
    /// The id of the last `warcinfo` record.
    info: Option<String>,
}

impl<R: BufRead> RecordReader<R> {
    /// Looks at the beginning of an archive, compressed or not.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is neither a WARC nor an ARC.
    pub fn new(input: R) -> Result<Self> {
        Ok(RecordReader {
            source: RecordStream::open(input)?,
            info: None,
        })
    }

    fn record(&mut self) -> Result<ArchivedRecord, ReadStop> {
        let header = self.source.header()?.ok_or(ReadStop::End)?;
        let limit = MAX_BLOCK_BYTES as usize;
        let block = self.source.block(&header, limit)?;
        if !block.is_whole() {
            let url = header.address("warc-target-uri").to_owned();
            return Err(ReadStop::Skip(WarcWarning::TooLarge { url, limit }));
        }
        if header.get("warc-type").is_none_or(str::is_empty) {
            let (record, place) = (self.source.record, 0);
            return Err(ReadStop::Skip(WarcWarning::BadHeader { record, place }));
        }
        let reading = PageInRecord {
            limit: MAX_PAGE_BYTES,
            record: self.source.record,
        };
        let page = reading.page(&header, &block);
        let mut record = ArchivedRecord::new(header, block.bytes, page);
        if record.type_name == "warcinfo" {
            self.info = Some(record.id.clone());
        } else if let Some(info) = &self.info
            && record.field("WARC-Warcinfo-ID").is_none()
        {
            record.set("WARC-Warcinfo-ID", bracketed(info));
        }
        Ok(record)
    }
}

impl<R: BufRead> Iterator for RecordReader<R> {
    type Item = Result<ArchivedRecord, WarcWarning>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(warning) = self.source.mended.pop_front() {
            return Some(Err(warning));
        }
        if self.source.has_ended {
            return None;
        }
        match self.record() {
            Ok(record) => Some(Ok(record)),
            Err(stop) => self.source.stopped(stop).map(Err),
        }
    }
}
