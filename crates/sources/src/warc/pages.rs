//! The HTML pages of a web archive, whoever wrote it.

use super::coding::{DecodeError, ZSTD, decode};
use super::date::read_date;
use super::header::{RecordHeader, scheme};
use super::http;
use super::read::{RecordBlock, RecordStream};
use super::unpack::DICTIONARY;
use super::warning::{ReadStop, WarcWarning};
use crate::error::Result;
use chrono::{DateTime, FixedOffset};
use forest_core::feed::sniff_page;
use forest_html::page::charset::is_html;
use forest_html::page::{MAX_PAGE_BYTES, MOST_PAGE_BYTES};
use std::io::BufRead;

/// Schemes of addresses at which pages are.
const SCHEMES_OF_PAGES: [&str; 4] = ["http", "https", "urn", "file"];

/// An HTML page in an archive.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
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

/// The pages of an archive, a WARC or an ARC, in the file's order. A fault that was mended
/// comes as a warning behind its page.
#[derive(Debug)]
pub struct WarcReader<R: BufRead> {
    source: RecordStream<R>,
    page_limit: usize,
}

impl<R: BufRead> WarcReader<R> {
    /// Looks at the beginning of an archive, compressed or not.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is neither a WARC nor an ARC.
    ///
    /// # Examples
    ///
    /// ```
    /// let warc = b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://example.org/\r\n\
    ///     Content-Length: 60\r\n\r\n\
    ///     HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>A harbour</p>\r\n\r\n";
    /// let pages: Vec<_> = forest_sources::warc::WarcReader::new(warc.as_slice())?.collect();
    /// assert_eq!(pages[0].as_ref().unwrap().payload, b"<p>A harbour</p>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(input: R) -> Result<Self> {
        Ok(WarcReader {
            source: RecordStream::open(input)?,
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
        let header = self.source.header()?.ok_or(ReadStop::End)?;
        let kind = header.get("warc-type").unwrap_or_default();
        let may_be_page = ["response", "resource"]
            .iter()
            .any(|page| kind.eq_ignore_ascii_case(page));
        let url = header.address("warc-target-uri");
        if !may_be_page || is_no_page(&header, url) {
            self.source.skip(&header)?;
            return Ok(None);
        }
        let reading = PageInRecord {
            limit: self.page_limit,
            record: self.source.record,
        };
        if url.is_empty() || header.get("warc-segment-number").is_some() {
            self.source.skip(&header)?;
            return reading
                .page(&header, &RecordBlock::default())
                .map_err(ReadStop::Skip);
        }
        // HTTP's own header comes with the page.
        let limit = self.page_limit + http::MAX_HEADER_BYTES;
        let block = self.source.block(&header, limit)?;
        reading.page(&header, &block).map_err(ReadStop::Skip)
    }
}

/// Reads the page in one record.
#[derive(Debug, Clone, Copy)]
pub(super) struct PageInRecord {
    /// Bytes of the page at the most.
    pub limit: usize,
    /// Number of the record in the file, from 1.
    pub record: u64,
}

impl PageInRecord {
    /// The page of a record; `None` if it is something else.
    ///
    /// # Errors
    ///
    /// The reason why a page cannot be given.
    pub(super) fn page(
        self,
        header: &RecordHeader,
        block: &RecordBlock,
    ) -> Result<Option<Response>, WarcWarning> {
        let kind = header.get("warc-type").unwrap_or_default();
        let is_response = kind.eq_ignore_ascii_case("response");
        let is_resource = kind.eq_ignore_ascii_case("resource");
        let url = header.address("warc-target-uri").to_owned();
        if !(is_response || is_resource) || is_no_page(header, &url) {
            return Ok(None);
        }
        if url.is_empty() {
            return Err(self.not_http());
        }
        if header.get("warc-segment-number").is_some() {
            return Err(WarcWarning::Segmented { url });
        }
        let response = Response {
            url,
            date: header.get("warc-date").and_then(read_date),
            content_type: header.get("content-type").map(str::to_owned),
            truncated: header.get("warc-truncated").is_some(),
            ..Response::default()
        };
        if is_response {
            self.response(response, block)
        } else {
            self.resource(response, block)
        }
    }

    fn too_large(self, url: String) -> WarcWarning {
        let limit = self.limit;
        WarcWarning::TooLarge { url, limit }
    }

    fn not_http(self) -> WarcWarning {
        let record = self.record;
        WarcWarning::NotHttp { record }
    }

    /// The page of an HTTP response; `None` if it is something else than HTML.
    fn response(
        self,
        mut page: Response,
        block: &RecordBlock,
    ) -> Result<Option<Response>, WarcWarning> {
        let Some((head, body)) = http::split(&block.bytes) else {
            return Err(self.not_http());
        };
        let field = |name: &str| head.get(name).map(str::to_owned);
        page.status = Some(head.status);
        page.content_type = field("content-type");
        page.content_language = field("content-language");
        page.last_modified = field("last-modified");
        let kind = page.content_type.as_deref();
        if kind.is_some_and(|kind| !is_html(kind)) {
            return Ok(None);
        }
        if !block.is_whole() {
            return Err(self.too_large(page.url));
        }
        let body = http::join_chunks(&head, body);
        let decoded = decode(&head, body, page.truncated, self.limit);
        page.payload = match decoded {
            Ok(payload) => payload,
            Err(DecodeError::TooLarge) => return Err(self.too_large(page.url)),
            Err(DecodeError::Coding(coding)) => {
                let url = page.url;
                return Err(WarcWarning::Coding { url, coding });
            }
        };
        page.head = head.of_payload(page.payload.len());
        self.only_html(page)
    }

    /// The page of a `resource` record; `None` if it is something else than HTML.
    fn resource(
        self,
        mut page: Response,
        block: &RecordBlock,
    ) -> Result<Option<Response>, WarcWarning> {
        let kind = page.content_type.as_deref();
        if kind.is_some_and(|kind| !is_html(kind)) {
            return Ok(None);
        }
        if !block.is_whole() {
            return Err(self.too_large(page.url));
        }
        let kind = kind.unwrap_or("text/html");
        page.head = http::head_of_file(kind, block.bytes.len());
        page.payload.clone_from(&block.bytes);
        self.only_html(page)
    }

    /// The page, if it is not too large; `None` if nothing says that it is HTML.
    fn only_html(self, page: Response) -> Result<Option<Response>, WarcWarning> {
        if page.content_type.is_none() && !sniff_page(&page.payload) {
            return Ok(None);
        }
        if page.payload.len() > self.limit {
            return Err(self.too_large(page.url));
        }
        Ok(Some(page))
    }
}

/// Returns true for a record that is known to be no page by its header: the address or the
/// owner of a host, and what came by protocols other than the web's.
fn is_no_page(header: &RecordHeader, url: &str) -> bool {
    let kind = header.get("content-type").unwrap_or_default();
    let kind = kind.trim_start().to_ascii_lowercase();
    if kind.starts_with("application/http") || kind.starts_with("message/http") {
        return false;
    }
    let is_of_pages = |scheme: String| SCHEMES_OF_PAGES.contains(&scheme.as_str());
    kind.starts_with("text/dns") || scheme(url).is_some_and(|scheme| !is_of_pages(scheme))
}

impl<R: BufRead> Iterator for WarcReader<R> {
    type Item = Result<Response, WarcWarning>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(warning) = self.source.mended.pop_front() {
                return Some(Err(warning));
            }
            if self.source.has_ended {
                return None;
            }
            match self.record() {
                Ok(Some(response)) => return Some(Ok(response)),
                Ok(None) => {}
                Err(stop) => match self.source.stopped(stop) {
                    None => {}
                    warning => return warning.map(Err),
                },
            }
        }
    }
}

/// Returns true if bytes are the beginning of an archive in frames of zstd: a dictionary of
/// one, or a frame with a record.
pub fn is_zstd_archive(start: &[u8]) -> bool {
    start.starts_with(DICTIONARY) || start.starts_with(ZSTD) && WarcReader::new(start).is_ok()
}
