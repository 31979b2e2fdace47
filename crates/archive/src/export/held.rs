//! Payloads that another collection holds, by its index. An export writes revisits of these in
//! the place of their copies.

use super::records::each_record;
use crate::ArchiveReader;
use crate::error::Result;
use flate2::bufread::MultiGzDecoder;
use forest_html::page::binary::BinaryKind;
use forest_sources::warc::{
    CdxPayload, EarlierRecord, ReadRecord, Record, RecordType, cdx_payload, is_digest_of,
    sha1_digest, sha256_digest, uniform_digest,
};
use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, Read};

/// Bytes of a line of an index at the most: an address and a few fields.
const MAX_LINE: u64 = 1 << 20;

/// The payloads of an archive's answers, those that another collection holds with their place
/// there. Some 500 bytes of memory each.
#[derive(Debug, Default)]
pub struct HeldPayloads {
    /// Each payload by its digests of both kinds.
    places: HashMap<String, usize>,
    payloads: Vec<PayloadPlace>,
}

/// The place of a payload in the other collection.
#[derive(Debug, Default)]
struct PayloadPlace {
    /// The first record with it.
    first: Option<CdxPayload>,
    /// The dates of records with it at the addresses that it has in the archive.
    own: HashMap<String, Option<String>>,
}

impl HeldPayloads {
    /// The payloads of an archive, before any index is read.
    ///
    /// # Errors
    ///
    /// If the archive cannot be read.
    pub fn of(reader: &ArchiveReader) -> Result<HeldPayloads> {
        let mut held = HeldPayloads::default();
        each_record(reader, &mut |_, record| {
            held.add(&record);
            Ok(())
        })?;
        Ok(held)
    }

    /// Adds the payload of an answer. One whose digest is false, as another program may have
    /// stated it, is left out.
    fn add(&mut self, record: &ReadRecord) {
        let body = record.answer().map(|(_, _, body)| body);
        let (Some(RecordType::Response), Some(body), Some(stated)) =
            (record.kind, body, &record.payload_digest)
        else {
            return;
        };
        if body.is_empty() || is_digest_of(stated, body) != Some(true) {
            return;
        }
        let place = *self.places.entry(sha1_digest(body)).or_insert_with(|| {
            self.payloads.push(PayloadPlace::default());
            self.payloads.len() - 1
        });
        self.places.insert(sha256_digest(body), place);
        self.payloads[place].own.insert(record.url.clone(), None);
    }

    /// Reads an index in CDXJ, plain or in gzip, line by line. Of several records with a payload
    /// the one at its own address counts, else the first.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or names no payload by a digest that is known.
    pub fn read(&mut self, mut index: impl BufRead) -> io::Result<()> {
        if BinaryKind::of(index.fill_buf()?) == Some(BinaryKind::Gzip) {
            return self.read_lines(BufReader::new(MultiGzDecoder::new(index)));
        }
        self.read_lines(index)
    }

    fn read_lines(&mut self, mut index: impl BufRead) -> io::Result<()> {
        let (mut line, mut lines) = (Vec::new(), 0_u64);
        loop {
            line.clear();
            let mut next = (&mut index).take(MAX_LINE);
            let read = next.read_until(b'\n', &mut line)?;
            if read == 0 {
                break;
            }
            let text = String::from_utf8_lossy(&line);
            let Some(payload) = cdx_payload(text.trim_end()) else {
                continue;
            };
            lines += 1;
            let Some(place) = self.places.get(&payload.digest) else {
                continue;
            };
            let place = &mut self.payloads[*place];
            if let Some(own @ None) = place.own.get_mut(&payload.url) {
                *own = Some(payload.date.clone());
            }
            place.first.get_or_insert(payload);
        }
        if lines == 0 {
            let none = "it names no payload in CDXJ by SHA-1 or SHA-256";
            return Err(io::Error::new(io::ErrorKind::InvalidData, none));
        }
        Ok(())
    }

    /// The revisit in the place of a record whose payload the other collection holds: of an
    /// answer, and of a revisit of one.
    pub(super) fn revisit(&self, record: &ReadRecord) -> Option<Record> {
        let digest = record.payload_digest.as_ref()?;
        let place = self.places.get(&uniform_digest(digest)?)?;
        let place = &self.payloads[*place];
        let first = place.first.as_ref()?;
        let own = place.own.get(&record.url).and_then(Option::as_ref);
        let (url, date) = match own {
            Some(date) => (&record.url, date),
            None => (&first.url, &first.date),
        };
        let body = match record.kind? {
            RecordType::Response => record.answer()?.2.len(),
            RecordType::Revisit => 0,
            _ => return None,
        };
        let head = &record.block[..record.block.len() - body];
        let earlier = EarlierRecord {
            id: String::new(),
            url: url.clone(),
            date: date.clone(),
            digest: digest.clone(),
        };
        let (at, is_not_modified) = (record.at()?, record.is_not_modified);
        let revisit = Record::revisit(&record.url, at, head, &earlier, is_not_modified);
        let revisit = match record.address {
            Some(address) => revisit.with_address(address),
            None => revisit,
        };
        // Its request names it.
        Some(revisit.with_id(&record.id))
    }
}
