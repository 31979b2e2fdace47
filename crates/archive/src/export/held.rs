//! Payloads that another collection holds, by its index. An export writes revisits of these in
//! the place of their copies.

use super::records::each_record;
use crate::ArchiveReader;
use crate::error::Result;
use flate2::bufread::MultiGzDecoder;
use forest_html::page::binary::BinaryKind;
use forest_sources::warc::{
    CdxPayload, EarlierRecord, ReadRecord, Record, RecordType, cdx_payload, is_digest_of,
};
use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, Read};

/// Bytes of a line of an index at the most: an address and a few fields.
const MAX_LINE: u64 = 1 << 20;

/// The payloads of an archive's answers, those that another collection holds with their place
/// there. Some 200 bytes of memory each.
#[derive(Debug)]
pub struct HeldPayloads(HashMap<String, Option<CdxPayload>>);

impl HeldPayloads {
    /// The payloads of an archive, before any index is read.
    ///
    /// # Errors
    ///
    /// If the archive cannot be read.
    pub fn of(reader: &ArchiveReader) -> Result<HeldPayloads> {
        let mut payloads = HashMap::new();
        each_record(reader, &mut |_, record| {
            let (Some(RecordType::Response), Some(digest)) = (record.kind, &record.payload_digest)
            else {
                return Ok(());
            };
            // Another program may have stated a false digest.
            let holds = |body: &[u8]| !body.is_empty() && is_digest_of(digest, body) == Some(true);
            if record.answer().is_some_and(|(_, _, body)| holds(body)) {
                payloads.insert(digest.clone(), None);
            }
            Ok(())
        })?;
        Ok(HeldPayloads(payloads))
    }

    /// Reads an index in CDXJ, plain or in gzip, line by line. Of several records with a payload
    /// the first counts.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or has no line of CDXJ.
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
            if let Some(place @ None) = self.0.get_mut(&payload.digest) {
                *place = Some(payload);
            }
        }
        if lines == 0 {
            let none = io::Error::new(io::ErrorKind::InvalidData, "it names no payload in CDXJ");
            return Err(none);
        }
        Ok(())
    }

    /// The revisit in the place of a record whose payload the other collection holds: of an
    /// answer, and of a revisit of one.
    pub(super) fn revisit(&self, record: &ReadRecord) -> Option<Record> {
        let digest = record.payload_digest.as_ref()?;
        let held = self.0.get(digest)?.as_ref()?;
        let at = record.at()?;
        let body = match record.kind? {
            RecordType::Response => record.answer()?.2.len(),
            RecordType::Revisit => 0,
            _ => return None,
        };
        let head = &record.block[..record.block.len() - body];
        let earlier = EarlierRecord {
            id: String::new(),
            url: held.url.clone(),
            date: held.date.clone(),
            digest: digest.clone(),
        };
        let revisit = Record::revisit(&record.url, at, head, &earlier, record.is_not_modified);
        let revisit = match record.address {
            Some(address) => revisit.with_address(address),
            None => revisit,
        };
        // Its request names it.
        Some(revisit.with_id(&record.id))
    }
}
