//! WARC records in and out, no sockets and no files (WARC 1.0 and 1.1, ISO 28500), and ARC
//! records in.
//!
//! **Out**: a [`Record`] gives the bytes of one gzip member. **In again**, with their
//! places: [`Members`]. **In**, from whoever wrote them: the pages of a web archive.
//!
//! [`WarcReader`] takes any `BufRead` over a WARC or an ARC, plain, in gzip or in zstd
//! (whatever the cut into members: one a record, several records in one, one for the whole
//! file); gives the [`Response`]s that hold HTML, one after the other, with transfer and
//! content coding undone. Everything else (requests, metadata, images, feeds, names of hosts)
//! is passed over without being kept.
//!
//! A fault of one record is a [`WarcWarning`], and the next record follows: it begins with
//! the next member, or where a line and the next one are the beginning of a record. A false
//! length is mended so, before and behind the place where the block should end. An archive
//! that ends too early ends the iteration after a warning. Memory is bounded by [`MAX_PAGE_BYTES`](forest_html::page::MAX_PAGE_BYTES), not by the file.
//!
//! The reader is written here, over flate2, and not taken from the `warc` crate
//! (0.4): that reads header lines into memory without a limit, buffers every
//! record whole whatever its `Content-Length` says, adds to that length without a
//! check (a panic in debug builds for 2^64 - 1), and takes a file that ends
//! inside a header for a complete one.

mod cdx;
mod coding;
mod date;
mod digest;
mod header;
mod http;
mod pages;
mod read;
mod record;
#[cfg(test)]
mod tests;
mod unpack;
mod wacz;
mod warning;
mod whole;
mod write;

pub use digest::{is_digest_of, sha1_digest, sha256_digest, uniform_digest};
pub use pages::{Response, WarcReader, is_zstd_archive};
pub use record::{ArchivedRecord, RecordReader};
pub use wacz::{WaczPage, WaczWriter, archives};
pub use warning::WarcWarning;
pub use whole::{BreakCause, BrokenRecord, Members, ReadRecord};
pub use write::{EarlierRecord, EncodedRecord, Record, RecordType, record_date};

pub use cdx::{CdxPayload, cdx_line, cdx_payload, surt};
