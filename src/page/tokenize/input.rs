//! The part of a source that is there, preprocessed: section 13.2.3.5 of the HTML standard.

use html5ever::tendril::StrTendril;
use memchr::memchr;
use std::ops::Range;

/// The end of a source.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SourceEnd {
    /// More of it is to come.
    #[default]
    Later,
    /// It is all there.
    Here,
}

/// The part of a source that is there and not yet read, its line breaks normalized.
#[derive(Default)]
pub struct Input {
    text: StrTendril,
    end: SourceEnd,
    has_nul: bool,
    after_carriage_return: bool,
}

impl Input {
    /// Adds the next piece of the source: CR LF and CR become LF.
    pub fn push(&mut self, mut piece: &str, end: SourceEnd) {
        self.end = end;
        self.has_nul |= memchr(0, piece.as_bytes()).is_some();
        self.text.reserve(piece.len() as u32);
        while !piece.is_empty() {
            if std::mem::take(&mut self.after_carriage_return) {
                piece = piece.strip_prefix('\n').unwrap_or(piece);
            }
            let line = memchr(b'\r', piece.as_bytes());
            self.text.push_slice(&piece[..line.unwrap_or(piece.len())]);
            let Some(line) = line else { break };
            self.text.push_slice("\n");
            self.after_carriage_return = true;
            piece = &piece[line + 1..];
        }
    }

    /// Drops the first `bytes` bytes.
    pub fn drop_front(&mut self, bytes: usize) {
        // A new buffer: tokens hold the old one, so that a piece added to it would copy it all.
        self.text = StrTendril::from_slice(&self.text[bytes..]);
    }

    /// The length in bytes.
    pub fn byte_count(&self) -> usize {
        self.text.len()
    }

    /// The part as text.
    pub fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn bytes(&self) -> &[u8] {
        self.text.as_bytes()
    }

    /// True if the source ends with this part.
    pub(super) fn is_whole(&self) -> bool {
        self.end == SourceEnd::Here
    }

    /// True if there may be a NUL in it.
    pub fn has_nul(&self) -> bool {
        self.has_nul
    }

    /// A part, NUL as U+FFFD.
    pub(super) fn slice(&self, part: Range<usize>) -> StrTendril {
        let length = part.len();
        if self.has_nul && memchr(0, &self.bytes()[part.clone()]).is_some() {
            return StrTendril::from_slice(&self.text[part].replace('\0', "\u{fffd}"));
        }
        self.text.subtendril(part.start as u32, length as u32)
    }
}
