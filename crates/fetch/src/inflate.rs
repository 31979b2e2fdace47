//! The content coding `deflate`, in both of its forms: RFC 9110 (8.4.1.2) wants zlib's frame
//! around the data, but some servers send the data alone, and browsers read both.

use flate2::{Decompress, FlushDecompress, Status};

/// Bytes of output for which there is room at each step.
const STEP: usize = 1 << 15;

/// Undoes the coding of a body piece by piece.
#[derive(Debug, Default)]
pub(super) struct Inflater {
    /// The first byte, until the second one shows the form.
    first: Option<u8>,
    state: Option<Decompress>,
    is_done: bool,
}

/// A body that is not as its coding says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BadCoding;

impl Inflater {
    /// Adds what a piece of the body holds to `out`, which gets at most `most` bytes and one step
    /// more. What follows the end of the data is left out.
    pub(super) fn push(
        &mut self,
        mut piece: &[u8],
        out: &mut Vec<u8>,
        most: usize,
    ) -> Result<(), BadCoding> {
        if self.state.is_none() {
            let Some((first, rest)) = self.begin(piece) else {
                return Ok(());
            };
            self.step(&mut first.as_slice(), out)?;
            piece = rest;
        }
        while !self.is_done && out.len() <= most && self.step(&mut piece, out)? {}
        Ok(())
    }

    /// Decides on the form by the first two bytes; gives the first one, and what is left of the
    /// piece.
    fn begin<'a>(&mut self, piece: &'a [u8]) -> Option<([u8; 1], &'a [u8])> {
        let (first, rest) = match (self.first, piece) {
            (Some(first), rest) => (first, rest),
            (None, [first, rest @ ..]) => (*first, rest),
            (None, []) => return None,
        };
        self.first = Some(first);
        let second = *rest.first()?;
        // RFC 1950, 2.2: method 8, a window of at most 32 kB, and a multiple of 31. No encoder
        // begins data of its own like that: it would be a stored block with a bit set behind it.
        let is_framed = first & 0x0f == 8
            && first >> 4 <= 7
            && u16::from_be_bytes([first, second]).is_multiple_of(31);
        self.state = Some(Decompress::new(is_framed));
        Some(([first], rest))
    }

    /// Takes one step; returns true if there may be another.
    fn step(&mut self, piece: &mut &[u8], out: &mut Vec<u8>) -> Result<bool, BadCoding> {
        let state = self.state.as_mut().ok_or(BadCoding)?;
        let (taken, given) = (state.total_in(), out.len());
        out.reserve(STEP);
        let status = state.decompress_vec(piece, out, FlushDecompress::None);
        self.is_done = status.map_err(|_| BadCoding)? == Status::StreamEnd;
        let taken = usize::try_from(state.total_in() - taken).unwrap_or(usize::MAX);
        *piece = piece.get(taken..).unwrap_or_default();
        Ok(taken > 0 || out.len() > given)
    }

    /// Checks that the data has ended. An empty body has none.
    pub(super) fn finish(&self) -> Result<(), BadCoding> {
        if self.is_done || self.first.is_none() {
            Ok(())
        } else {
            Err(BadCoding)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::{DeflateEncoder, ZlibEncoder};
    use std::io::Write;

    fn raw(bytes: &[u8], level: u32) -> Vec<u8> {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::new(level));
        encoder.write_all(bytes).expect("packed");
        encoder.finish().expect("packed")
    }

    fn framed(bytes: &[u8], level: u32) -> Vec<u8> {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::new(level));
        encoder.write_all(bytes).expect("packed");
        encoder.finish().expect("packed")
    }

    /// The data in pieces of a size; `None`: they are broken.
    fn inflated(packed: &[u8], size: usize, most: usize) -> Option<Vec<u8>> {
        let (mut inflater, mut out) = (Inflater::default(), Vec::new());
        for piece in packed.chunks(size) {
            inflater.push(piece, &mut out, most).ok()?;
        }
        inflater.finish().ok()?;
        Some(out)
    }

    #[test]
    fn both_forms_are_read_in_pieces_of_any_size() {
        let texts: [&[u8]; 4] = [b"", b"a", b"<p>Ferry</p>", &[7; 100_000]];
        for text in texts {
            for level in [0, 1, 6, 9] {
                for packed in [raw(text, level), framed(text, level)] {
                    for size in [1, 2, 3, 1000, 1 << 20] {
                        let found = inflated(&packed, size, usize::MAX);
                        assert!(found.as_deref() == Some(text), "{level} {size} {packed:?}");
                    }
                    let behind = [packed.as_slice(), b"more"].concat();
                    assert!(inflated(&behind, 5, usize::MAX).as_deref() == Some(text));
                }
            }
        }
        assert_eq!(inflated(b"", 1, 9).as_deref(), Some(&b""[..]));
    }

    #[test]
    fn broken_data_is_refused() {
        let text: Vec<u8> = (0..5000_u32).flat_map(u32::to_be_bytes).collect();
        for packed in [raw(&text, 6), framed(&text, 6)] {
            assert_eq!(inflated(&packed[..packed.len() / 2], 100, usize::MAX), None);
            assert_eq!(inflated(&packed[..1], 100, usize::MAX), None);
        }
        for text in ["<html><p>This is not packed at all", "xx", "\u{1f}\u{8b}"] {
            assert_eq!(inflated(text.as_bytes(), 7, usize::MAX), None, "{text}");
        }
        // The checksum of the frame.
        let mut packed = framed(&text, 6);
        *packed.last_mut().expect("bytes") ^= 1;
        assert_eq!(inflated(&packed, 100, usize::MAX), None);
    }

    #[test]
    fn a_bomb_stops_at_the_limit() {
        let zeros = vec![0; 50_000_000];
        for packed in [raw(&zeros, 9), framed(&zeros, 9)] {
            let (mut inflater, mut out) = (Inflater::default(), Vec::new());
            inflater.push(&packed, &mut out, 1000).expect("zeros");
            assert!(
                (1001..=1000 + 3 * STEP).contains(&out.len()),
                "{}",
                out.len()
            );
        }
    }
}
