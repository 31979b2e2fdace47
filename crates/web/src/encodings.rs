//! Content codings (RFC 9110, 8.4.1), undone piece by piece within a limit.

use async_compression::tokio::write::{BrotliDecoder, GzipDecoder, ZlibDecoder, ZstdDecoder};
use axum::http::header::{self, HeaderMap};
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::io::{AsyncWrite, AsyncWriteExt};

/// A content coding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContentCoding {
    Identity,
    Gzip,
    /// `deflate`, which is the zlib format.
    Deflate,
    Brotli,
    Zstd,
}

impl ContentCoding {
    /// The coding of a name in a header; `None` for those that cannot be undone.
    pub fn by_name(name: &str) -> Option<ContentCoding> {
        Some(match name.to_ascii_lowercase().as_str() {
            "identity" => ContentCoding::Identity,
            "gzip" | "x-gzip" => ContentCoding::Gzip,
            "deflate" => ContentCoding::Deflate,
            "br" => ContentCoding::Brotli,
            "zstd" => ContentCoding::Zstd,
            _ => return None,
        })
    }

    /// The coding of a body; `None` for several, and those that cannot be undone.
    pub fn of(headers: &HeaderMap) -> Option<ContentCoding> {
        let mut named = headers.get_all(header::CONTENT_ENCODING).iter();
        let Some(name) = named.next() else {
            return Some(ContentCoding::Identity);
        };
        match named.next() {
            None => ContentCoding::by_name(name.to_str().ok()?.trim()),
            Some(_) => None,
        }
    }
}

/// Bytes up to a limit; one more is an error.
#[derive(Debug)]
pub struct LimitedBytes {
    bytes: Vec<u8>,
    limit: usize,
}

impl AsyncWrite for LimitedBytes {
    fn poll_write(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        more: &[u8],
    ) -> Poll<io::Result<usize>> {
        if self.bytes.len() + more.len() > self.limit {
            return Poll::Ready(Err(io::ErrorKind::FileTooLarge.into()));
        }
        self.bytes.extend_from_slice(more);
        Poll::Ready(Ok(more.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

/// A body whose coding is undone while it comes.
pub enum Decoder {
    Identity(LimitedBytes),
    Gzip(Box<GzipDecoder<LimitedBytes>>),
    Deflate(Box<ZlibDecoder<LimitedBytes>>),
    Brotli(Box<BrotliDecoder<LimitedBytes>>),
    Zstd(Box<ZstdDecoder<LimitedBytes>>),
}

/// An expression over the writer of each coding.
macro_rules! each {
    ($of:expr, $writer:ident => $do:expr) => {
        match $of {
            Decoder::Identity($writer) => $do,
            Decoder::Gzip($writer) => $do,
            Decoder::Deflate($writer) => $do,
            Decoder::Brotli($writer) => $do,
            Decoder::Zstd($writer) => $do,
        }
    };
}

impl Decoder {
    /// A decoder of at most `limit` bytes.
    pub fn new(coding: ContentCoding, limit: usize) -> Decoder {
        let bytes = LimitedBytes {
            bytes: Vec::new(),
            limit,
        };
        match coding {
            ContentCoding::Identity => Decoder::Identity(bytes),
            ContentCoding::Gzip => Decoder::Gzip(Box::new(GzipDecoder::new(bytes))),
            ContentCoding::Deflate => Decoder::Deflate(Box::new(ZlibDecoder::new(bytes))),
            ContentCoding::Brotli => Decoder::Brotli(Box::new(BrotliDecoder::new(bytes))),
            ContentCoding::Zstd => Decoder::Zstd(Box::new(ZstdDecoder::new(bytes))),
        }
    }

    /// Takes the next piece.
    pub async fn push(&mut self, piece: &[u8]) -> io::Result<()> {
        each!(self, writer => writer.write_all(piece).await)
    }

    /// The bytes so far.
    pub fn bytes(&self) -> &[u8] {
        match self {
            Decoder::Identity(bytes) => &bytes.bytes,
            Decoder::Gzip(writer) => &writer.get_ref().bytes,
            Decoder::Deflate(writer) => &writer.get_ref().bytes,
            Decoder::Brotli(writer) => &writer.get_ref().bytes,
            Decoder::Zstd(writer) => &writer.get_ref().bytes,
        }
    }

    /// All bytes; an error if the body is cut off.
    pub async fn finish(mut self) -> io::Result<Vec<u8>> {
        each!(&mut self, writer => writer.shutdown().await)?;
        Ok(match self {
            Decoder::Identity(bytes) => bytes.bytes,
            Decoder::Gzip(writer) => writer.into_inner().bytes,
            Decoder::Deflate(writer) => writer.into_inner().bytes,
            Decoder::Brotli(writer) => writer.into_inner().bytes,
            Decoder::Zstd(writer) => writer.into_inner().bytes,
        })
    }
}
