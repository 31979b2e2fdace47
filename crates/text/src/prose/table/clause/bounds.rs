//! Bounds of a table's lines: words of their parts, bytes of all.

/// Bytes of output for each byte of the table's text, at the most (ARCHITECTURE,
/// invariants).
pub const MAX_GROWTH: usize = 10;

/// Words of a thema or note that is repeated with every row, at the most. Captions of the
/// development tables have fewer; longer ones are sentences.
pub const MAX_CONTEXT_WORDS: usize = 12;

/// Words of a row's name, at the most; the beginning of a longer text is its
/// name (see [`CellTexts::named`](super::cells::CellTexts::named)).
pub const MAX_NAME_WORDS: usize = 12;

/// Words of a header in a clause, at the most.
pub const MAX_HEADER_WORDS: usize = 12;

/// Bytes of a header, at the most: bounds texts without spaces.
pub const MAX_HEADER_BYTES: usize = 160;

/// Words and bytes of a header if the table would be too long with whole headers.
const SHORT_HEADER: (usize, usize) = (3, 24);

/// Words of a sentence in the style `sentence` at the most: what question answering
/// takes as a passage.
pub const MAX_WORDS: usize = 40;

/// Words of a row's name in that style at the most, with its headers: half a sentence.
pub const MAX_HEAD_WORDS: usize = MAX_WORDS / 2;

/// The amount of a table's headers that is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// All of them.
    Full,
    /// A few words of each.
    Short,
    /// No headers, and each cell once.
    Bare,
}

impl Detail {
    /// Words and bytes of a header, at the most.
    pub fn header(self) -> (usize, usize) {
        match self {
            Detail::Full => (MAX_HEADER_WORDS, MAX_HEADER_BYTES),
            Detail::Short => SHORT_HEADER,
            Detail::Bare => (0, 0),
        }
    }
}

/// Lines whose bytes are limited.
#[derive(Debug, Default)]
pub struct BoundedLines {
    pub lines: Vec<String>,
    /// Bytes that may still be written, line ends included.
    pub left: usize,
}

/// The error of a line that exceeds the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLong;

impl BoundedLines {
    /// Adds a line, if the limit allows it.
    pub fn push(&mut self, line: String) -> Result<(), TooLong> {
        self.left = self.left.checked_sub(line.len() + 1).ok_or(TooLong)?;
        self.lines.push(line);
        Ok(())
    }
}
