//! Content codings of a body, undone.

use super::http::HttpHead;
use brotli_decompressor::Decompressor;
use flate2::bufread::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};
use forest_html::page::binary::BinaryKind;
use forest_html::text::BOM;
use std::io::{self, Read};
use zstd::stream::read::Decoder;

/// Content codings undone one after the other; two have been seen.
const MAX_CODINGS: usize = 4;

/// The largest window of zstd as a power of two: 8 MB, as for HTTP (RFC 9659).
const ZSTD_WINDOW_LOG: u32 = 23;

/// Bytes that brotli's decoder reads at once.
const BROTLI_BYTES: usize = 4096;

/// Bytes without control characters that are text for sure: one packed byte in ten is one.
const SURE_BYTES: usize = 100;

/// The first bytes of gzip.
pub(super) const GZIP: &[u8] = &[0x1F, 0x8B];

/// The first bytes of a zstd frame.
pub(super) const ZSTD: &[u8] = &[0x28, 0xB5, 0x2F, 0xFD];

/// Names of codings that change nothing, or that are none and say how a body was sent.
const NAMES_OF_NONE: [&str; 8] = [
    "",
    "identity",
    "none",
    "utf-8",
    "7bit",
    "8bit",
    "binary",
    "aws-chunked",
];

/// Why a body cannot be given.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum DecodeError {
    TooLarge,
    Coding(String),
}

/// How a body is to be taken.
struct BodyDecoder<'c> {
    coding: &'c str,
    truncated: bool,
    limit: usize,
}

/// The body with its content codings undone. Archives may have stored it decoded and kept the
/// header, so its bytes decide: gzip and zstd are known by their first ones, and what is text
/// and cannot be unpacked is not packed. Of a body that the crawler cut, what can be decoded
/// is. More than `limit` bytes are too many.
pub(super) fn decode(
    head: &HttpHead,
    body: Vec<u8>,
    truncated: bool,
    limit: usize,
) -> Result<Vec<u8>, DecodeError> {
    let mut body = body;
    let codings = head.get("content-encoding").unwrap_or_default();
    // The last that was applied is the first to be undone.
    for coding in codings.rsplit(',').take(MAX_CODINGS) {
        let coding = coding.trim().to_ascii_lowercase();
        let decoder = BodyDecoder {
            coding: &coding,
            truncated,
            limit,
        };
        body = decoder.decode(body)?;
    }
    Ok(body)
}

impl BodyDecoder<'_> {
    fn decode(&self, packed: Vec<u8>) -> Result<Vec<u8>, DecodeError> {
        if packed.is_empty() || NAMES_OF_NONE.contains(&self.coding) || is_markup(&packed) {
            return Ok(packed);
        }
        let bytes = packed.as_slice();
        let is_packing = matches!(self.coding, "gzip" | "x-gzip" | "deflate" | "br" | "zstd");
        if is_packing && bytes.starts_with(GZIP) {
            return self.unpack(MultiGzDecoder::new(bytes));
        }
        if is_packing && bytes.starts_with(ZSTD) {
            let decoder = Decoder::with_buffer(bytes).and_then(|mut decoder| {
                decoder.window_log_max(ZSTD_WINDOW_LOG)?;
                Ok(decoder)
            });
            return self.unpack(decoder.map_err(|_| self.refused())?);
        }
        let is_text = is_text(bytes);
        if is_text && bytes.len() >= SURE_BYTES {
            return Ok(packed);
        }
        let unpacked = match self.coding {
            "deflate" => match self.unpack(ZlibDecoder::new(bytes)) {
                Err(DecodeError::Coding(_)) => self.unpack(DeflateDecoder::new(bytes)),
                unpacked => unpacked,
            },
            "br" => self.unpack(Decompressor::new(bytes, BROTLI_BYTES)),
            _ => Err(self.refused()),
        };
        match unpacked {
            // Neither of them has a sum, and a few letters may be unpacked to something.
            Ok(out) if is_text && (out.is_empty() || !self::is_text(&out)) => Ok(packed),
            Err(DecodeError::Coding(_)) if is_text => Ok(packed),
            unpacked => unpacked,
        }
    }

    fn unpack(&self, decoder: impl Read) -> Result<Vec<u8>, DecodeError> {
        let mut out = Vec::new();
        let read = decoder.take(self.limit as u64 + 1).read_to_end(&mut out);
        if out.len() > self.limit {
            return Err(DecodeError::TooLarge);
        }
        match read {
            Ok(_) => Ok(out),
            // Bytes behind the last member are no reason to lose the page.
            Err(error)
                if !out.is_empty()
                    && (self.truncated || error.kind() == io::ErrorKind::InvalidInput) =>
            {
                Ok(out)
            }
            Err(_) => Err(self.refused()),
        }
    }

    fn refused(&self) -> DecodeError {
        DecodeError::Coding(self.coding.to_owned())
    }
}

/// Returns true if bytes are text that begins with a tag: no coding begins so.
fn is_markup(bytes: &[u8]) -> bool {
    let start = bytes.strip_prefix(BOM).unwrap_or(bytes);
    start.trim_ascii_start().starts_with(b"<") && is_text(bytes)
}

fn is_text(bytes: &[u8]) -> bool {
    BinaryKind::of(bytes).is_none()
}
