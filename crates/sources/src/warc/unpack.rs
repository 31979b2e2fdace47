//! An archive's bytes, unpacked, with the places where members begin. A damaged member does
//! not end the file: the next one is searched for.

use super::coding::{GZIP, ZSTD};
use super::header::{ArchiveFormat, START_BYTES};
use flate2::bufread::GzDecoder;
use forest_html::text::BOM;
use std::io::{self, BufRead, Read};
use std::mem;
use zstd::stream::raw::{Decoder, InBuffer, Operation, OutBuffer};
use zstd::zstd_safe::DParameter;

/// Bytes that are read or unpacked at once.
const PIECE_BYTES: usize = 32 * 1024;

/// Packed bytes of a member that are kept, to go back to if it is damaged. A decoder notices
/// damage within some ten thousand bytes.
const KEPT_BYTES: usize = 1024 * 1024;

/// Packed bytes by which a member is recognised.
const PROBE_BYTES: usize = 4096;

/// Bytes of a dictionary at the most, packed and unpacked; crawlers make some of 1 MB.
const MAX_DICTIONARY_BYTES: usize = 16 * 1024 * 1024;

/// The largest window of zstd as a power of two: 128 MB, which its own command accepts.
const ZSTD_WINDOW_LOG: u32 = 27;

/// The first bytes of a frame with the dictionary of an archive (`.warc.zst`, 1.0).
pub(super) const DICTIONARY: &[u8] = &[0x5D, 0x2A, 0x4D, 0x18];

/// A step forward in an archive's bytes.
#[derive(Debug)]
pub(super) enum UnpackStep {
    /// Bytes were added.
    Bytes,
    /// A member ended.
    MemberEnd,
    /// A member is damaged.
    Damage(MemberDamage),
    /// There is no more.
    End,
}

/// A member that cannot be unpacked, or bytes that are none.
#[derive(Debug)]
pub(super) struct MemberDamage {
    /// Where it begins in the file.
    pub offset: u64,
    /// The decoder's error.
    pub reason: String,
    /// The file ends in it.
    pub is_short: bool,
    /// A member follows, with a record at its beginning.
    pub goes_on: bool,
}

/// Unpacks an archive.
pub(super) struct Unpacker<R: BufRead> {
    state: UnpackState<R>,
    has_members: bool,
}

enum UnpackState<R: BufRead> {
    /// Nothing is packed.
    Plain(RawInput<R>),
    /// In front of a gzip member.
    GzipStart(RawInput<R>),
    /// In a gzip member.
    Gzip(Box<GzDecoder<RawInput<R>>>),
    /// In front of a frame, or in one.
    Zstd(RawInput<R>, Decoder<'static>, bool),
    /// Behind the last byte.
    End,
}

impl<R: BufRead> Unpacker<R> {
    /// Looks at the first bytes.
    pub(super) fn new(input: R) -> io::Result<Self> {
        let mut input = RawInput::new(input);
        if input.ahead(BOM.len())? == BOM {
            // Of an editor that took the file for a text.
            input.consume(BOM.len());
            input.forget();
        }
        let start = input.ahead(ZSTD.len())?;
        let state = if start.starts_with(GZIP) {
            UnpackState::GzipStart(input)
        } else if start.starts_with(ZSTD) || start.starts_with(DICTIONARY) {
            let decoder = zstd_decoder(&dictionary(&mut input)?)?;
            UnpackState::Zstd(input, decoder, false)
        } else {
            UnpackState::Plain(input)
        };
        Ok(Unpacker {
            has_members: !matches!(state, UnpackState::Plain(_)),
            state,
        })
    }

    /// Returns true if members show where records begin.
    pub(super) fn has_members(&self) -> bool {
        self.has_members
    }

    /// Goes one step forward, and adds what it gives to `out`.
    pub(super) fn step(&mut self, out: &mut Vec<u8>) -> io::Result<UnpackStep> {
        loop {
            match mem::replace(&mut self.state, UnpackState::End) {
                UnpackState::End => return Ok(UnpackStep::End),
                UnpackState::Plain(mut input) => {
                    input.forget();
                    let bytes = input.fill_buf()?;
                    if bytes.is_empty() {
                        return Ok(UnpackStep::End);
                    }
                    let read = bytes.len();
                    out.extend_from_slice(bytes);
                    input.consume(read);
                    self.state = UnpackState::Plain(input);
                    return Ok(UnpackStep::Bytes);
                }
                UnpackState::GzipStart(mut input) => {
                    if input.is_at_end()? {
                        return Ok(UnpackStep::End);
                    }
                    if !input.ahead(GZIP.len())?.starts_with(GZIP) {
                        let reason = "bytes that are no gzip member".to_owned();
                        return self.search(input, None, reason, false);
                    }
                    self.state = UnpackState::Gzip(Box::new(GzDecoder::new(input)));
                }
                UnpackState::Gzip(mut decoder) => match read_piece(&mut decoder, out) {
                    Ok(0) => {
                        self.state = UnpackState::GzipStart(decoder.into_inner());
                        return Ok(UnpackStep::MemberEnd);
                    }
                    Ok(_) => {
                        self.state = UnpackState::Gzip(decoder);
                        return Ok(UnpackStep::Bytes);
                    }
                    Err(error) if decoder.get_ref().has_failed => return Err(error),
                    Err(error) => {
                        let is_short = error.kind() == io::ErrorKind::UnexpectedEof;
                        let input = decoder.into_inner();
                        return self.search(input, None, error.to_string(), is_short);
                    }
                },
                UnpackState::Zstd(mut input, mut decoder, is_within) => {
                    if !is_within && input.is_at_end()? {
                        return Ok(UnpackStep::End);
                    }
                    let step = zstd_piece(&mut decoder, &mut input, out);
                    match step {
                        Ok(is_within) => {
                            self.state = UnpackState::Zstd(input, decoder, is_within);
                            return Ok(if is_within {
                                UnpackStep::Bytes
                            } else {
                                UnpackStep::MemberEnd
                            });
                        }
                        Err(error) if input.has_failed => return Err(error),
                        Err(error) => {
                            let is_short = error.kind() == io::ErrorKind::UnexpectedEof;
                            return self.search(input, Some(decoder), error.to_string(), is_short);
                        }
                    }
                }
            }
        }
    }

    /// Looks for the next member, behind the beginning of a damaged one; `decoder`: that of
    /// zstd frames.
    fn search(
        &mut self,
        mut input: RawInput<R>,
        mut decoder: Option<Decoder<'static>>,
        reason: String,
        is_short: bool,
    ) -> io::Result<UnpackStep> {
        let offset = input.go_back();
        input.consume(1);
        let mut goes_on = false;
        loop {
            input.forget();
            let ahead = input.ahead(PROBE_BYTES)?;
            if ahead.is_empty() {
                break;
            }
            let first = if decoder.is_some() { ZSTD[0] } else { GZIP[0] };
            let to = ahead.iter().position(|&byte| byte == first);
            if to == Some(0) && is_record(ahead, decoder.as_mut()) {
                goes_on = true;
                break;
            }
            let passed = to.unwrap_or(ahead.len()).max(1);
            input.consume(passed);
        }
        if goes_on {
            self.state = match decoder {
                Some(decoder) => UnpackState::Zstd(input, decoder, false),
                None => UnpackState::GzipStart(input),
            };
        }
        Ok(UnpackStep::Damage(MemberDamage {
            offset,
            reason,
            is_short,
            goes_on,
        }))
    }
}

/// Returns true if these bytes are the beginning of a member with a record.
fn is_record(packed: &[u8], decoder: Option<&mut Decoder<'static>>) -> bool {
    let mut start = Vec::new();
    match decoder {
        Some(decoder) => {
            let mut input = packed;
            let is_frame = packed.starts_with(ZSTD) && decoder.reinit().is_ok();
            let unpacked = is_frame && zstd_piece(decoder, &mut input, &mut start).is_ok();
            if decoder.reinit().is_err() || !unpacked {
                return false;
            }
        }
        // The flags have three bits that are always zero.
        None if packed.starts_with(&[0x1F, 0x8B, 8])
            && packed.get(3).is_some_and(|f| f & 0xE0 == 0) =>
        {
            let decoder = GzDecoder::new(packed);
            // Of a member that goes on behind these bytes there is a part.
            let _ = decoder.take(START_BYTES as u64).read_to_end(&mut start);
        }
        None => return false,
    }
    ArchiveFormat::of(start.trim_ascii_start()).is_some()
}

/// Reads a piece; the number of its bytes.
fn read_piece(from: &mut impl Read, out: &mut Vec<u8>) -> io::Result<usize> {
    let before = out.len();
    out.resize(before + PIECE_BYTES, 0);
    let read = loop {
        match from.read(&mut out[before..]) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            read => break read,
        }
    };
    out.truncate(before + *read.as_ref().unwrap_or(&0));
    read
}

/// Unpacks a piece of a frame. Returns true if the frame goes on.
fn zstd_piece(
    decoder: &mut Decoder<'static>,
    input: &mut impl BufRead,
    out: &mut Vec<u8>,
) -> io::Result<bool> {
    let bytes = input.fill_buf()?;
    let is_at_end = bytes.is_empty();
    let mut piece = [0; PIECE_BYTES];
    let mut to = OutBuffer::around(&mut piece[..]);
    let mut from = InBuffer::around(bytes);
    let hint = decoder.run(&mut from, &mut to)?;
    let (read, given) = (from.pos(), to.pos());
    input.consume(read);
    out.extend_from_slice(&piece[..given]);
    if is_at_end && given == 0 && hint != 0 {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(hint != 0)
}

fn zstd_decoder(dictionary: &[u8]) -> io::Result<Decoder<'static>> {
    let mut decoder = Decoder::with_dictionary(dictionary)?;
    decoder.set_parameter(DParameter::WindowLogMax(ZSTD_WINDOW_LOG))?;
    Ok(decoder)
}

/// The dictionary at the beginning of an archive, which may be packed by zstd itself; empty if
/// there is none.
fn dictionary(input: &mut RawInput<impl BufRead>) -> io::Result<Vec<u8>> {
    if !input.ahead(8)?.starts_with(DICTIONARY) {
        return Ok(Vec::new());
    }
    let mut head = [0; 8];
    input.read_exact(&mut head)?;
    let length = u32::from_le_bytes([head[4], head[5], head[6], head[7]]);
    let mut frame = Vec::new();
    input
        .take(u64::from(length).min(MAX_DICTIONARY_BYTES as u64))
        .read_to_end(&mut frame)?;
    if frame.len() < length as usize {
        return Err(io::Error::new(
            io::ErrorKind::InvalidData,
            "a dictionary that is too long",
        ));
    }
    if !frame.starts_with(ZSTD) {
        return Ok(frame);
    }
    let mut unpacked = Vec::new();
    let decoder = zstd::stream::read::Decoder::with_buffer(frame.as_slice())?;
    decoder
        .take(MAX_DICTIONARY_BYTES as u64)
        .read_to_end(&mut unpacked)?;
    Ok(unpacked)
}

/// The bytes of a file, some of which can be read again.
struct RawInput<R> {
    input: R,
    /// The last bytes that were read of it.
    kept: Vec<u8>,
    /// The beginning of the member in `kept`.
    begin: usize,
    /// The next byte in `kept`.
    at: usize,
    /// Where `kept` begins in the file.
    offset: u64,
    /// The input itself has failed.
    has_failed: bool,
}

impl<R: BufRead> RawInput<R> {
    fn new(input: R) -> Self {
        RawInput {
            input,
            kept: Vec::new(),
            begin: 0,
            at: 0,
            offset: 0,
            has_failed: false,
        }
    }

    /// A member begins here.
    fn forget(&mut self) {
        self.begin = self.at;
    }

    /// Goes back to the member's beginning, as far as it is kept; its place in the file.
    fn go_back(&mut self) -> u64 {
        self.at = self.begin;
        self.offset + self.begin as u64
    }

    /// Passes over zeros between members, with which files are filled up.
    fn is_at_end(&mut self) -> io::Result<bool> {
        loop {
            self.forget();
            let bytes = self.fill_buf()?;
            if bytes.is_empty() {
                return Ok(true);
            }
            let zeros = bytes.iter().position(|&byte| byte != 0);
            let all = bytes.len();
            self.consume(zeros.unwrap_or(all));
            if zeros.is_some() {
                self.forget();
                return Ok(false);
            }
        }
    }

    /// The next bytes, `most` of them if they are there.
    fn ahead(&mut self, most: usize) -> io::Result<&[u8]> {
        while self.kept.len() - self.at < most && self.more()? {}
        let ahead = &self.kept[self.at..];
        Ok(&ahead[..ahead.len().min(most)])
    }

    /// Reads a piece; false at the end.
    fn more(&mut self) -> io::Result<bool> {
        if self.kept.len() - self.begin > KEPT_BYTES {
            self.begin = self.at.min(self.kept.len() - KEPT_BYTES / 2);
        }
        if self.begin > PIECE_BYTES.max(self.kept.len() / 2) {
            self.kept.drain(..self.begin);
            self.offset += self.begin as u64;
            self.at -= self.begin;
            self.begin = 0;
        }
        let bytes = loop {
            match self.input.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.has_failed = true;
                    return Err(error);
                }
                Ok(bytes) => break &bytes[..bytes.len().min(PIECE_BYTES)],
            }
        };
        self.kept.extend_from_slice(bytes);
        let read = bytes.len();
        self.input.consume(read);
        Ok(read > 0)
    }
}

impl<R: BufRead> Read for RawInput<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(into)?;
        self.consume(read);
        Ok(read)
    }
}

impl<R: BufRead> BufRead for RawInput<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.at == self.kept.len() {
            self.more()?;
        }
        Ok(&self.kept[self.at..])
    }

    fn consume(&mut self, amount: usize) {
        self.at += amount;
    }
}
