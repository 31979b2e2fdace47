//! Records out of a stream, compressed or not. A record that is at fault does not end it: the
//! next one is found by the members of the file, or by the lines with which records begin.

use super::header::{ArchiveFormat, RecordHeader, START_BYTES};
use super::unpack::{MemberDamage, UnpackStep, Unpacker};
use super::warning::{ReadStop, WarcWarning};
use crate::error::{ErrorKind, Result};
use std::collections::VecDeque;
use std::fmt;
use std::io::{self, BufRead};

/// Bytes of one record's header at most. Crawlers write some 500.
pub(super) const MAX_HEADER_BYTES: usize = 64 * 1024;

/// Blank bytes between two records that are looked through; the format has four.
const MAX_BLANK_BYTES: usize = 4096;

/// Unpacked bytes of a record that are kept, to go back to if its length was too long.
const KEPT_BYTES: usize = 8 * 1024 * 1024;

/// A longer block ends where a record begins, whatever length it states: a false number must
/// not take the rest of a file.
const MAX_TRUSTED_BYTES: u64 = 1 << 30;

/// The end of a WARC record.
const END_OF_RECORD: &[u8] = b"\r\n\r\n";

/// False lengths after which no length is believed: each may cost reading [`KEPT_BYTES`] again.
const MAX_FALSE: u32 = 16;

/// A stream of records.
pub(super) struct RecordStream<R: BufRead> {
    source: Unpacker<R>,
    format: ArchiveFormat,
    /// Unpacked bytes.
    seen: Vec<u8>,
    /// The place of `seen` among all unpacked bytes.
    base: u64,
    /// The next byte in `seen`.
    at: usize,
    /// The place of the record's beginning among all unpacked bytes.
    begin: u64,
    /// Ends of members, by their places among all unpacked bytes.
    seams: VecDeque<(u64, Option<MemberDamage>)>,
    is_at_end: bool,
    /// The error of the input.
    failed: Option<String>,
    /// Lengths that were false.
    false_lengths: u32,
    /// The number of the record, from 1.
    pub record: u64,
    /// Faults of records that were read.
    pub mended: VecDeque<WarcWarning>,
    /// No more records are read.
    pub has_ended: bool,
}

/// A record's block.
#[derive(Debug, Default)]
pub(super) struct RecordBlock {
    /// Its first bytes, as many as were asked for.
    pub bytes: Vec<u8>,
    /// All its bytes.
    pub length: u64,
}

impl RecordBlock {
    /// Returns true if none of its bytes is missing.
    pub(super) fn is_whole(&self) -> bool {
        self.bytes.len() as u64 == self.length
    }

    fn add(&mut self, bytes: &[u8], limit: usize) {
        let room = limit.saturating_sub(self.bytes.len());
        self.bytes
            .extend_from_slice(&bytes[..bytes.len().min(room)]);
        self.length += bytes.len() as u64;
    }

    fn cut(&mut self, length: u64) {
        self.length = length;
        self.bytes
            .truncate(usize::try_from(length).unwrap_or(usize::MAX));
    }
}

/// The end of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BlockEnd {
    /// All bytes are there that were stated.
    AsStated,
    /// Another record begins before.
    NextRecord,
    /// The file ends before.
    FileEnd,
}

impl<R: BufRead> RecordStream<R> {
    /// The warning about a record that could not be read, if there is one. The stream may have ended
    /// there.
    pub fn stopped(&mut self, stop: ReadStop) -> Option<WarcWarning> {
        self.has_ended |= !matches!(stop, ReadStop::Skip(_));
        match stop {
            ReadStop::End => None,
            ReadStop::Skip(warning) | ReadStop::Fatal(warning) => Some(warning),
        }
    }

    /// Finds out whether the stream is compressed, and that it is a WARC or an ARC.
    pub(super) fn open(input: R) -> Result<Self> {
        let source = Unpacker::new(input).map_err(|source| ErrorKind::ReadWarc { source })?;
        let mut stream = RecordStream {
            source,
            format: ArchiveFormat::Warc,
            seen: Vec::new(),
            base: 0,
            at: 0,
            begin: 0,
            seams: VecDeque::new(),
            is_at_end: false,
            has_ended: false,
            failed: None,
            false_lengths: 0,
            record: 0,
            mended: VecDeque::new(),
        };
        let start = stream.start(0).trim_ascii_start();
        if let Some(format) = ArchiveFormat::of(start) {
            return Ok(RecordStream { format, ..stream });
        }
        let failed = stream.failed.map(|error| ErrorKind::ReadWarc {
            source: io::Error::other(error),
        });
        Err(failed.unwrap_or(ErrorKind::NotAWarc).into())
    }

    /// The next record's header, or `None` at the end of the file.
    pub(super) fn header(&mut self) -> Result<Option<RecordHeader>, ReadStop> {
        self.record += 1;
        loop {
            self.begin = self.place();
            self.pass_seams()?;
            let run = &self.seen[self.at..self.at + self.run()];
            let blank = run.iter().take_while(|byte| byte.is_ascii_whitespace());
            let blank = blank.count();
            let is_blank = blank == run.len();
            self.at += blank;
            if !is_blank {
                break;
            }
            if blank == 0 && !self.more() {
                return self
                    .failed
                    .take()
                    .map_or(Ok(None), |reason| Err(self.cut(reason)));
            }
        }
        self.begin = self.place();
        let (record, place) = (self.record, self.begin);
        let format = self.format;
        let mut header = None;
        if format.begins(self.start(0)) {
            header = self.read_header()?;
        }
        let Some(header) = header else {
            self.at += 1;
            let mut nothing = RecordBlock::default();
            self.pass_to_record(&mut nothing, 0)?;
            return Err(ReadStop::Skip(WarcWarning::BadHeader { record, place }));
        };
        if header.has_odd_lines {
            self.mended.push_back(WarcWarning::OddLine { record });
        }
        Ok(Some(header))
    }

    /// The header that begins here; `None` if it has no end where it should.
    fn read_header(&mut self) -> Result<Option<RecordHeader>, ReadStop> {
        let mut line = self.at;
        let mut looked = self.at;
        loop {
            let end = self.seen[looked..].iter().position(|&byte| byte == b'\n');
            let Some(end) = end.map(|end| looked + end + 1) else {
                looked = self.seen.len();
                if looked - self.at > MAX_HEADER_BYTES {
                    return Ok(None);
                }
                let (before, base) = (self.seen.len(), self.base);
                if !self.more() {
                    let reason = self.failed.take();
                    let reason = reason.unwrap_or_else(|| "the file ends in a header".to_owned());
                    return Err(self.cut(reason));
                }
                let moved = (self.base - base) as usize;
                (line, looked) = (line - moved, before - moved);
                self.pass_damage_before(self.seen.len())?;
                continue;
            };
            if end - self.at > MAX_HEADER_BYTES {
                return Ok(None);
            }
            let is_first = line == self.at;
            // The rest of this header is missing.
            if !is_first && self.format.begins_member(&self.seen[line..end]) {
                return Ok(None);
            }
            let is_last = self.seen[line..end].trim_ascii().is_empty();
            if is_last || is_first && self.format == ArchiveFormat::Arc {
                self.pass_damage_before(end)?;
                let lines = &self.seen[self.at..end];
                let header = match self.format {
                    ArchiveFormat::Warc => Some(RecordHeader::parse(lines)),
                    ArchiveFormat::Arc => RecordHeader::parse_arc(lines),
                };
                self.at = end;
                let place = self.place();
                self.seams.retain(|(seam, _)| *seam >= place);
                return Ok(header);
            }
            (line, looked) = (end, end);
        }
    }

    /// The block behind a header, of which at most `limit` bytes are kept. If its length is not
    /// the one that the header states, that is noted as mended.
    pub(super) fn block(
        &mut self,
        header: &RecordHeader,
        limit: usize,
    ) -> Result<RecordBlock, ReadStop> {
        let begin = self.place();
        let mut block = RecordBlock::default();
        let believes = self.false_lengths < MAX_FALSE;
        let trusted = header
            .length
            .filter(|length| believes && *length <= MAX_TRUSTED_BYTES);
        let end = match trusted {
            Some(length) => self.pass(length, &mut block, limit)?,
            None => self.pass_to_record(&mut block, limit)?,
        };
        if end == BlockEnd::AsStated && self.is_at_border()? {
            return Ok(block);
        }
        // Bytes in which no record can be found any more.
        let unsearched = self.base.saturating_sub(begin);
        if end == BlockEnd::AsStated {
            if !self.turn_back(begin, &mut block) {
                self.pass_to_record(&mut block, limit)?;
            }
        } else if trusted.is_some() && self.turn_back(begin, &mut block) {
            // The block ends where the next record begins.
        } else if end == BlockEnd::FileEnd && believes && !self.source.has_members() {
            if let Some(length) = header.length {
                let there = format!("{} of {length} bytes are there", block.length);
                return Err(self.cut(self.failed.clone().unwrap_or(there)));
            }
        } else if let Some(reason) = self.failed.take() {
            return Err(self.cut(reason));
        }
        self.trim(&mut block);
        if header.length != Some(block.length) {
            self.false_lengths += u32::from(trusted.is_some());
            self.mended.push_back(match trusted {
                Some(stated) if unsearched > 0 => WarcWarning::Swallowed {
                    record: self.record,
                    stated,
                    bytes: unsearched,
                },
                _ => WarcWarning::Length {
                    record: self.record,
                    stated: header.length,
                    found: block.length,
                },
            });
        }
        Ok(block)
    }

    /// Passes over a block.
    pub(super) fn skip(&mut self, header: &RecordHeader) -> Result<(), ReadStop> {
        self.block(header, 0).map(drop)
    }

    /// Reads so many bytes, unless a record begins before.
    fn pass(
        &mut self,
        length: u64,
        block: &mut RecordBlock,
        limit: usize,
    ) -> Result<BlockEnd, ReadStop> {
        let mut left = length;
        while left > 0 {
            if self.is_at_record_seam()? {
                return Ok(BlockEnd::NextRecord);
            }
            let run = self.run().min(usize::try_from(left).unwrap_or(usize::MAX));
            if run == 0 && !self.more() {
                return Ok(BlockEnd::FileEnd);
            }
            block.add(&self.seen[self.at..self.at + run], limit);
            self.at += run;
            left -= run as u64;
        }
        Ok(BlockEnd::AsStated)
    }

    /// Reads up to the next record.
    fn pass_to_record(
        &mut self,
        block: &mut RecordBlock,
        limit: usize,
    ) -> Result<BlockEnd, ReadStop> {
        let format = self.format;
        loop {
            if self.is_at_record_seam()? {
                return Ok(BlockEnd::NextRecord);
            }
            let begins_line = self.at > 0 && self.seen[self.at - 1] == b'\n';
            let may_begin = format == ArchiveFormat::Arc || self.ahead(1) == b"W";
            if begins_line && may_begin && format.begins_surely(self.start(0)) {
                return Ok(BlockEnd::NextRecord);
            }
            let run = self.run();
            if run == 0 && !self.more() {
                return Ok(BlockEnd::FileEnd);
            }
            let run = &self.seen[self.at..self.at + run];
            let line = run.iter().position(|&byte| byte == b'\n');
            let run = &run[..line.map_or(run.len(), |line| line + 1)];
            block.add(run, limit);
            self.at += run.len();
        }
    }

    /// Returns true if a block may end here: with blank lines, and then a record or nothing.
    ///
    /// In a file that is not packed the two lines that end a WARC record are enough: the next
    /// record of a pipe may come only when this one was answered.
    fn is_at_border(&mut self) -> Result<bool, ReadStop> {
        let is_warc = self.format == ArchiveFormat::Warc && !self.source.has_members();
        if is_warc && self.ahead(END_OF_RECORD.len()) == END_OF_RECORD {
            return Ok(true);
        }
        for blank in 0..MAX_BLANK_BYTES {
            // Behind a member the next one may not be there yet.
            let is_seam = |stream: &Self| stream.seam() == Some(stream.place() + blank as u64);
            while self.seen.len() - self.at <= blank && !is_seam(self) && self.more() {}
            let byte = self.seen.get(self.at + blank).copied();
            if is_seam(self) {
                // What was stated is there, and the member's sum is right.
                return match &self.seams[0].1 {
                    Some(damage) if !damage.is_short => Err(self.damaged(0)),
                    _ => Ok(true),
                };
            }
            match byte {
                Some(byte) if byte.is_ascii_whitespace() => {}
                Some(_) => {
                    let format = self.format;
                    return Ok(format.begins(self.start(blank)));
                }
                None => return Ok(true),
            }
        }
        Ok(true)
    }

    /// Goes back to the first record that begins in the block, if there is one.
    fn turn_back(&mut self, begin: u64, block: &mut RecordBlock) -> bool {
        let from = begin.saturating_sub(self.base) as usize;
        let mut ends = (from.saturating_sub(1)..self.at).filter(|&at| self.seen[at] == b'\n');
        let Some(end) = ends.find(|end| self.format.begins_surely(&self.seen[end + 1..])) else {
            return false;
        };
        self.at = end + 1;
        block.cut(self.place() - begin);
        true
    }

    /// Takes off the blank lines that end a block.
    fn trim(&self, block: &mut RecordBlock) {
        let before = &self.seen[..self.at];
        let ends: &[&[u8]] = match self.format {
            ArchiveFormat::Warc => &[END_OF_RECORD, b"\n\n"],
            ArchiveFormat::Arc => &[b"\n"],
        };
        let end = ends.iter().find(|end| before.ends_with(end));
        let bytes = end.map_or(0, |end| end.len() as u64);
        if block.length >= bytes {
            block.cut(block.length - bytes);
        }
    }

    /// Returns true in front of a member that begins with a record, and behind the last one.
    fn is_at_record_seam(&mut self) -> Result<bool, ReadStop> {
        while self.seam() == Some(self.place()) {
            if self.seams[0].1.is_some() {
                return Err(self.damaged(0));
            }
            let format = self.format;
            let next = self.start(0).trim_ascii_start();
            if next.is_empty() || format.begins_member(next) {
                return Ok(self.failed.is_none());
            }
            self.seams.pop_front();
        }
        Ok(false)
    }

    /// Passes over the end of a member in front of a record.
    fn pass_seams(&mut self) -> Result<(), ReadStop> {
        while self.seam().is_some_and(|seam| seam <= self.place()) {
            if self.seams[0].1.is_some() {
                return Err(self.damaged(0));
            }
            self.seams.pop_front();
        }
        Ok(())
    }

    /// The damage of a member before a place in `seen`, as an error.
    fn pass_damage_before(&mut self, at: usize) -> Result<(), ReadStop> {
        let place = self.base + at as u64;
        let mut seams = self.seams.iter();
        let damaged = seams.position(|(seam, damage)| damage.is_some() && *seam < place);
        damaged.map_or(Ok(()), |seam| Err(self.damaged(seam)))
    }

    /// Goes on behind the damaged member, whose end is this seam.
    fn damaged(&mut self, seam: usize) -> ReadStop {
        let record = self.record;
        let last = self.seams.drain(..=seam).next_back();
        let Some((place, Some(damage))) = last else {
            return self.cut("a damaged member".to_owned());
        };
        self.at = (place - self.base) as usize;
        if damage.goes_on {
            let (place, reason) = (damage.offset, damage.reason);
            ReadStop::Skip(WarcWarning::Damaged {
                record,
                place,
                reason,
            })
        } else {
            self.cut(damage.reason)
        }
    }

    fn cut(&self, reason: String) -> ReadStop {
        let record = self.record;
        ReadStop::Fatal(WarcWarning::Cut { record, reason })
    }

    /// The place among all unpacked bytes.
    fn place(&self) -> u64 {
        self.base + self.at as u64
    }

    /// The place of the next end of a member.
    fn seam(&self) -> Option<u64> {
        self.seams.front().map(|(place, _)| *place)
    }

    /// Bytes that are there before the next end of a member.
    fn run(&self) -> usize {
        let all = self.seen.len() - self.at;
        let seam = self.seam().map(|seam| (seam - self.place()) as usize);
        seam.map_or(all, |seam| seam.min(all))
    }

    /// The next bytes, `most` of them if they are there.
    fn ahead(&mut self, most: usize) -> &[u8] {
        while self.seen.len() - self.at < most && self.more() {}
        let ahead = &self.seen[self.at..];
        &ahead[..ahead.len().min(most)]
    }

    /// The bytes behind the next `passed` ones: blank ones, and two lines or [`START_BYTES`] of
    /// others, as far as they are there. No more is waited for: the rest of a pipe may come only
    /// when an earlier record was answered.
    fn start(&mut self, passed: usize) -> &[u8] {
        let mut end;
        loop {
            let all = &self.seen[(self.at + passed).min(self.seen.len())..];
            let begin = all.len() - all.trim_ascii_start().len();
            let text = &all[begin..all.len().min(begin + START_BYTES)];
            end = begin + text.len();
            let mut lines = text.iter().filter(|&&byte| byte == b'\n');
            let is_enough = text.len() == START_BYTES || lines.nth(1).is_some();
            if is_enough || begin > MAX_HEADER_BYTES || !self.more() {
                break;
            }
        }
        let from = (self.at + passed).min(self.seen.len());
        &self.seen[from..from + end]
    }

    /// Unpacks more; false at the end.
    fn more(&mut self) -> bool {
        let begin = self.begin.saturating_sub(self.base) as usize;
        let kept = begin.max(self.at.saturating_sub(KEPT_BYTES));
        if kept > START_BYTES.max(self.seen.len() / 2) {
            // The byte before shows that a line begins.
            self.seen.drain(..kept - 1);
            self.base += (kept - 1) as u64;
            self.at -= kept - 1;
        }
        if self.is_at_end {
            return false;
        }
        match self.source.step(&mut self.seen) {
            Ok(UnpackStep::Bytes) => {}
            Ok(UnpackStep::MemberEnd) => self.add_seam(None),
            Ok(UnpackStep::Damage(damage)) => self.add_seam(Some(damage)),
            Ok(UnpackStep::End) => self.is_at_end = true,
            Err(error) => {
                self.failed = Some(error.to_string());
                self.is_at_end = true;
            }
        }
        !self.is_at_end
    }

    fn add_seam(&mut self, damage: Option<MemberDamage>) {
        let place = self.base + self.seen.len() as u64;
        let is_known = |(seam, damage): &(u64, Option<_>)| *seam == place && damage.is_none();
        // Empty members, of which there may be millions, are one.
        if damage.is_some() || !self.seams.back().is_some_and(is_known) {
            self.seams.push_back((place, damage));
        }
    }
}

impl<R: BufRead> fmt::Debug for RecordStream<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecordStream")
            .field("format", &self.format)
            .field("record", &self.record)
            .finish_non_exhaustive()
    }
}
