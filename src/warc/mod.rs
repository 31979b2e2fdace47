//! WARC records in and out, no sockets and no files (WARC 1.0 and 1.1, ISO 28500).
//!
//! **Out**: a [`Record`] gives the bytes of one gzip member. **In again**, with their
//! places: [`Members`]. **In**, from whoever wrote them: the pages of a web archive.
//!
//! [`WarcReader`] takes any `BufRead` over a `.warc` or `.warc.gz` (whatever the cut into gzip
//! members: one a record, several records in one, one for the whole file); gives
//! the [`Response`]s that hold HTML, one after the other, with transfer and
//! content coding undone. Everything else (requests, metadata, images, feeds) is
//! passed over without being kept.
//!
//! What is wrong with one record is a [`WarcWarning`] in its place, and the next
//! record follows; what is wrong with the file itself ends the iteration after a
//! warning. Memory is bounded by [`MAX_PAGE_BYTES`], not by the file.
//!
//! The reader is written here, over flate2, and not taken from the `warc` crate
//! (0.4): that reads header lines into memory without a limit, buffers every
//! record whole whatever its `Content-Length` says, adds to that length without a
//! check (a panic in debug builds for 2^64 - 1), and takes a file that ends
//! inside a header for a complete one.

mod cdx;
mod http;
mod read;
#[cfg(test)]
mod tests;
mod wacz;
mod whole;
mod write;

use std::fmt;
use std::io::BufRead;

use chrono::{DateTime, FixedOffset};

use crate::error::Result;
use crate::page::{MAX_PAGE_BYTES, MOST_PAGE_BYTES};
use read::RecordStream;

pub use cdx::{cdx_time, surt};
pub use wacz::{WaczArchive, WaczPage, WaczWriter, archives};
pub use whole::{BreakCause, BrokenRecord, Members, ReadRecord};
pub use write::{EarlierRecord, EncodedRecord, Record, RecordType, hex, record_date};

/// An HTML page in an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response {
    /// Its address.
    pub url: String,
    /// When it was fetched, if the record says so readably.
    pub date: Option<DateTime<FixedOffset>>,
    /// The HTTP status; `None` for a `resource` record, which has none.
    pub status: Option<u16>,
    /// The head of the answer, written anew so that it describes the payload as it is
    /// here; that of a `resource` says what the record does.
    pub head: Vec<u8>,
    /// The `Content-Type` with its charset.
    pub content_type: Option<String>,
    /// The `Content-Language`.
    pub content_language: Option<String>,
    /// The `Last-Modified` as it was sent.
    pub last_modified: Option<String>,
    /// The page's bytes, coding undone.
    pub payload: Vec<u8>,
    /// The crawler cut the page off (`WARC-Truncated`).
    pub truncated: bool,
}

/// Why a record, or the rest of a file, was left out.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum WarcWarning {
    /// A page over the limit, [`MAX_PAGE_BYTES`] unless another one is set.
    TooLarge {
        /// The page.
        url: String,
        /// The limit in bytes.
        limit: usize,
    },
    /// A content coding that is not undone (`br`, `zstd`), or whose data is
    /// damaged.
    Coding {
        /// The page.
        url: String,
        /// The `Content-Encoding`.
        coding: String,
    },
    /// A page whose first part alone is in the record.
    Segmented {
        /// The page.
        url: String,
    },
    /// A record without an address, or a response that is no HTTP.
    NotHttp {
        /// Number of the record in the file, from 1.
        record: u64,
    },
    /// A record's header that is none; the file cannot be read further.
    BadHeader {
        /// Number of the record in the file, from 1.
        record: u64,
    },
    /// The file ends inside a record, or its compression is damaged there.
    Cut {
        /// Number of the record in the file, from 1.
        record: u64,
        /// What the reader said.
        reason: String,
    },
}

impl fmt::Display for WarcWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WarcWarning::TooLarge { url, limit } => {
                write!(f, "{url}: larger than {limit} bytes, left out")
            }
            WarcWarning::Coding { url, coding } => write!(
                f,
                "{url}: content coding `{coding}` cannot be undone, left out; archive it uncompressed or with gzip"
            ),
            WarcWarning::Segmented { url } => write!(
                f,
                "{url}: split over several records, left out; join the segments first"
            ),
            WarcWarning::NotHttp { record } => write!(
                f,
                "record {record} has no address or no HTTP header, left out"
            ),
            WarcWarning::BadHeader { record } => write!(
                f,
                "record {record} has no WARC header; the file is read up to there, check how it was written"
            ),
            WarcWarning::Cut { record, reason } => write!(
                f,
                "record {record} is cut off or damaged ({reason}); the file is read up to there, copy it again"
            ),
        }
    }
}

/// The pages of an archive, in the file's order.
#[derive(Debug)]
pub struct WarcReader<R: BufRead> {
    source: RecordStream<R>,
    record: u64,
    done: bool,
    page_limit: usize,
}

impl<R: BufRead> WarcReader<R> {
    /// Looks at the beginning of an archive, compressed or not.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is no WARC.
    ///
    /// # Examples
    ///
    /// ```
    /// let warc = b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://example.org/\r\n\
    ///     Content-Length: 60\r\n\r\n\
    ///     HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>A harbour</p>\r\n\r\n";
    /// let pages: Vec<_> = forest::warc::WarcReader::new(warc.as_slice())?.collect();
    /// assert_eq!(pages[0].as_ref().unwrap().payload, b"<p>A harbour</p>");
    /// # Ok::<(), forest::error::Error>(())
    /// ```
    pub fn new(input: R) -> Result<Self> {
        Ok(WarcReader {
            source: RecordStream::open(input)?,
            record: 0,
            done: false,
            page_limit: MAX_PAGE_BYTES,
        })
    }

    /// Sets the bytes of one page at the most, after decompression
    /// ([`MAX_PAGE_BYTES`]); never more than [`MOST_PAGE_BYTES`].
    #[must_use]
    pub fn with_page_limit(mut self, bytes: usize) -> Self {
        self.page_limit = bytes.min(MOST_PAGE_BYTES);
        self
    }

    /// The next record: a page, a warning, or nothing of interest.
    fn record(&mut self) -> Result<Option<Response>, ReadStop> {
        let Some(header) = self.source.header(self.record + 1)? else {
            return Err(ReadStop::End);
        };
        self.record += 1;
        let record = self.record;
        let cut = |error: std::io::Error| {
            ReadStop::Fatal(WarcWarning::Cut {
                record,
                reason: error.to_string(),
            })
        };
        let kind = header
            .get("warc-type")
            .unwrap_or_default()
            .to_ascii_lowercase();
        let is_response = kind == "response";
        if !is_response && kind != "resource" {
            self.source.skip(header.length).map_err(cut)?;
            return Ok(None);
        }
        // WARC 1.0 wrote addresses in angle brackets.
        let url = header.get("warc-target-uri").unwrap_or_default();
        let url = url.trim_start_matches('<').trim_end_matches('>').to_owned();
        // HTTP's own header comes with the page.
        let page_limit = self.page_limit;
        let too_large = |url| WarcWarning::TooLarge {
            url,
            limit: page_limit,
        };
        let limit = page_limit + http::MAX_HEADER_BYTES;
        let problem = if url.is_empty() {
            Some(WarcWarning::NotHttp { record })
        } else if header.get("warc-segment-number").is_some() {
            Some(WarcWarning::Segmented { url: url.clone() })
        } else if header.length > limit as u64 {
            Some(too_large(url.clone()))
        } else {
            None
        };
        if let Some(warning) = problem {
            // An image over the limit is no page that is missing.
            let other = header
                .get("content-type")
                .is_some_and(|kind| !is_response && !http::is_html(kind));
            self.source.skip(header.length).map_err(cut)?;
            return if other {
                Ok(None)
            } else {
                Err(ReadStop::Skip(warning))
            };
        }
        let block = self.source.block(header.length).map_err(cut)?;
        let date = header
            .get("warc-date")
            .and_then(|date| DateTime::parse_from_rfc3339(date).ok());
        let truncated = header.get("warc-truncated").is_some();
        let mut response = Response {
            url,
            date,
            status: None,
            head: Vec::new(),
            content_type: header.get("content-type").map(str::to_owned),
            content_language: None,
            last_modified: None,
            payload: Vec::new(),
            truncated,
        };
        if is_response {
            let Some((head, body)) = http::split(&block) else {
                return Err(ReadStop::Skip(WarcWarning::NotHttp { record }));
            };
            response.status = Some(head.status);
            response.content_type = head.get("content-type").map(str::to_owned);
            response.content_language = head.get("content-language").map(str::to_owned);
            response.last_modified = head.get("last-modified").map(str::to_owned);
            if response
                .content_type
                .as_deref()
                .is_some_and(|kind| !http::is_html(kind))
            {
                return Ok(None);
            }
            let decoded = http::decode(&head, body, truncated, page_limit);
            response.payload = decoded.map_err(|problem| {
                let url = response.url.clone();
                ReadStop::Skip(match problem {
                    http::DecodeError::TooLarge => too_large(url),
                    http::DecodeError::Coding(coding) => WarcWarning::Coding { url, coding },
                })
            })?;
            response.head = head.of_payload(response.payload.len());
        } else {
            let kind = response.content_type.as_deref().unwrap_or("text/html");
            response.head = http::head_of_file(kind, block.len());
            response.payload = block;
        }
        let html = match &response.content_type {
            Some(kind) => http::is_html(kind),
            None => http::looks_like_html(&response.payload),
        };
        if response.payload.len() > page_limit {
            return Err(ReadStop::Skip(too_large(response.url)));
        }
        Ok(html.then_some(response))
    }
}

/// Why there is no page to give.
enum ReadStop {
    /// The file ended where a record may end.
    End,
    /// One record is left out.
    Skip(WarcWarning),
    /// The file cannot be read further.
    Fatal(WarcWarning),
}

impl<R: BufRead> Iterator for WarcReader<R> {
    type Item = Result<Response, WarcWarning>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.done {
            match self.record() {
                Ok(Some(response)) => return Some(Ok(response)),
                Ok(None) => {}
                Err(ReadStop::Skip(warning)) => return Some(Err(warning)),
                Err(ReadStop::End) => self.done = true,
                Err(ReadStop::Fatal(warning)) => {
                    self.done = true;
                    return Some(Err(warning));
                }
            }
        }
        None
    }
}
