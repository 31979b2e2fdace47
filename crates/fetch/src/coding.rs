//! Content codings that the HTTP client does not undo: `deflate`, which has two forms
//! ([`Inflater`]), and `gzip` under names that the client does not know. Names of codings have no
//! case, and `x-gzip` means `gzip` (RFC 9110, 8.4.1).

use super::inflate::{BadCoding, Inflater};
use flate2::write::MultiGzDecoder;
use reqwest::header::{self, HeaderMap};
use std::io::Write;

/// Undoes the coding of a body piece by piece.
#[derive(Debug)]
pub(super) enum PieceDecoder {
    Deflate(Inflater),
    Gzip(MultiGzDecoder<Vec<u8>>),
}

impl PieceDecoder {
    /// For the one coding of a body; `None` if the client undoes it, or there is none.
    pub(super) fn of(headers: &HeaderMap) -> Option<PieceDecoder> {
        let mut codings = headers.get_all(header::CONTENT_ENCODING).iter();
        let coding = codings.next()?.as_bytes().trim_ascii();
        if codings.next().is_some() || coding == b"gzip" {
            return None;
        }
        if coding.eq_ignore_ascii_case(b"deflate") {
            return Some(PieceDecoder::Deflate(Inflater::default()));
        }
        let names: [&[u8]; 2] = [b"gzip", b"x-gzip"];
        let is_gzip = names.iter().any(|name| coding.eq_ignore_ascii_case(name));
        is_gzip.then(|| PieceDecoder::Gzip(MultiGzDecoder::new(Vec::new())))
    }

    /// Adds what a piece of the body holds to `out`. Past `most` bytes it may stop; what a piece of
    /// some ten kilobytes holds is at most a thousand times as much.
    pub(super) fn push(
        &mut self,
        piece: &[u8],
        out: &mut Vec<u8>,
        most: usize,
    ) -> Result<(), BadCoding> {
        match self {
            PieceDecoder::Deflate(inflater) => inflater.push(piece, out, most),
            PieceDecoder::Gzip(decoder) => {
                decoder.write_all(piece).map_err(|_| BadCoding)?;
                out.append(decoder.get_mut());
                Ok(())
            }
        }
    }

    /// Adds the rest, and checks that the data has ended. An empty body has none.
    pub(super) fn finish(self, out: &mut Vec<u8>) -> Result<(), BadCoding> {
        match self {
            PieceDecoder::Deflate(inflater) => inflater.finish(),
            PieceDecoder::Gzip(decoder) => {
                let rest = decoder.finish().map_err(|_| BadCoding)?;
                out.extend(rest);
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;

    fn headers(codings: &[&'static str]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for coding in codings {
            headers.append(header::CONTENT_ENCODING, coding.parse().expect("a value"));
        }
        headers
    }

    fn packed(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(bytes).expect("packed");
        encoder.finish().expect("packed")
    }

    fn unpacked(name: &'static str, packed: &[u8], size: usize) -> Option<Vec<u8>> {
        let (mut decoder, mut out) = (PieceDecoder::of(&headers(&[name]))?, Vec::new());
        for piece in packed.chunks(size) {
            decoder.push(piece, &mut out, usize::MAX).ok()?;
        }
        decoder.finish(&mut out).ok()?;
        Some(out)
    }

    #[test]
    fn gzip_is_undone_under_each_of_its_names() {
        let text: Vec<u8> = (0..5000_u32).flat_map(u32::to_be_bytes).collect();
        for name in ["x-gzip", "GZIP", "Gzip", "X-GZip"] {
            for size in [1, 100, 1 << 20] {
                assert!(
                    unpacked(name, &packed(&text), size).as_deref() == Some(&text[..]),
                    "{name}"
                );
            }
            let twice = [packed(b"a"), packed(b"b")].concat();
            assert_eq!(unpacked(name, &twice, 3).as_deref(), Some(&b"ab"[..]));
        }
    }

    #[test]
    fn other_codings_are_left_to_the_client() {
        for codings in [
            &[][..],
            &["gzip"],
            &["br"],
            &["zstd"],
            &["identity"],
            &["gzip", "x-gzip"],
        ] {
            assert!(PieceDecoder::of(&headers(codings)).is_none(), "{codings:?}");
        }
    }

    #[test]
    fn gzip_that_is_cut_or_none_is_refused() {
        let text: Vec<u8> = (0..5000_u32).flat_map(u32::to_be_bytes).collect();
        let whole = packed(&text);
        assert_eq!(unpacked("x-gzip", &whole[..whole.len() / 2], 100), None);
        assert_eq!(unpacked("x-gzip", b"<html><p>Not packed", 7), None);
    }
}
