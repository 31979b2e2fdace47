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
        if piece.is_empty() {
            return;
        }
        self.has_nul |= has_nul(piece);
        self.text.reserve(piece.len() as u32);
        if std::mem::take(&mut self.after_carriage_return) {
            piece = piece.strip_prefix('\n').unwrap_or(piece);
        }
        self.after_carriage_return = piece.ends_with('\r');
        each_line(piece, |part| self.text.push_slice(part));
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
    pub(super) fn has_nul(&self) -> bool {
        self.has_nul
    }

    /// A part, NUL as U+FFFD.
    pub(super) fn slice(&self, part: Range<usize>) -> StrTendril {
        let length = part.len();
        if self.has_nul && has_nul(&self.text[part.clone()]) {
            return StrTendril::from_slice(&self.text[part].replace('\0', "\u{fffd}"));
        }
        self.text.subtendril(part.start as u32, length as u32)
    }
}

/// True if there is a NUL in a source.
pub fn has_nul(source: &str) -> bool {
    memchr(0, source.as_bytes()).is_some()
}

/// Gives the parts of a source between CR LF and CR, and an LF for each of these.
fn each_line(mut source: &str, mut give: impl FnMut(&str)) {
    while let Some(line) = memchr(b'\r', source.as_bytes()) {
        give(&source[..line]);
        give("\n");
        source = &source[line + 1..];
        source = source.strip_prefix('\n').unwrap_or(source);
    }
    give(source);
}
