//! The HTML pages of a web archive, whoever wrote it.

use super::coding::{DecodeError, decode};
use super::http;
use super::read::{RecordHeader, RecordStream};
use super::warning::{ReadStop, WarcWarning};
use crate::error::Result;
use chrono::{DateTime, FixedOffset};
use forest_core::feed::sniff_page;
use forest_html::page::charset::is_html;
use forest_html::page::{MAX_PAGE_BYTES, MOST_PAGE_BYTES};
use std::io::{self, BufRead};

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

/// The pages of an archive, in the file's order.
#[derive(Debug)]
pub struct WarcReader<R: BufRead> {
    source: RecordStream<R>,
    record: u64,
    is_at_end: bool,
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
    /// let pages: Vec<_> = forest_sources::warc::WarcReader::new(warc.as_slice())?.collect();
    /// assert_eq!(pages[0].as_ref().unwrap().payload, b"<p>A harbour</p>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(input: R) -> Result<Self> {
        Ok(WarcReader {
            source: RecordStream::open(input)?,
            record: 0,
            is_at_end: false,
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
        let kind = header.get("warc-type").unwrap_or_default();
        let is_response = kind.eq_ignore_ascii_case("response");
        if !is_response && !kind.eq_ignore_ascii_case("resource") {
            self.skip(&header)?;
            return Ok(None);
        }
        // WARC 1.0 wrote addresses in angle brackets.
        let url = header.get("warc-target-uri").unwrap_or_default();
        let url = url.trim_start_matches('<').trim_end_matches('>').to_owned();
        if let Some(warning) = self.refusal(&header, &url) {
            self.skip(&header)?;
            // An image over the limit is no page that is missing.
            let kind = header.get("content-type").filter(|_| !is_response);
            let is_other = kind.is_some_and(|kind| !is_html(kind));
            return if is_other {
                Ok(None)
            } else {
                Err(ReadStop::Skip(warning))
            };
        }
        let block = self.source.block(header.length);
        let block = block.map_err(|error| self.cut(error))?;
        let date = header.get("warc-date");
        let response = Response {
            url,
            date: date.and_then(|date| DateTime::parse_from_rfc3339(date).ok()),
            content_type: header.get("content-type").map(str::to_owned),
            truncated: header.get("warc-truncated").is_some(),
            ..Response::default()
        };
        let page = if is_response {
            self.response(response, &block)?
        } else {
            Some(resource(response, block))
        };
        let page = page.filter(|page| match &page.content_type {
            Some(kind) => is_html(kind),
            None => sniff_page(&page.payload),
        });
        match page {
            Some(page) if page.payload.len() > self.page_limit => {
                Err(ReadStop::Skip(self.too_large(page.url)))
            }
            page => Ok(page),
        }
    }

    /// Passes over a record.
    fn skip(&mut self, header: &RecordHeader) -> Result<(), ReadStop> {
        let skipped = self.source.skip(header.length);
        skipped.map_err(|error| self.cut(error))
    }

    fn cut(&self, error: io::Error) -> ReadStop {
        ReadStop::Fatal(WarcWarning::Cut {
            record: self.record,
            reason: error.to_string(),
        })
    }

    fn too_large(&self, url: String) -> WarcWarning {
        let limit = self.page_limit;
        WarcWarning::TooLarge { url, limit }
    }

    /// The reason to leave a record out that its header gives.
    fn refusal(&self, header: &RecordHeader, url: &str) -> Option<WarcWarning> {
        let url = url.to_owned();
        // HTTP's own header comes with the page.
        let limit = self.page_limit + http::MAX_HEADER_BYTES;
        if url.is_empty() {
            let record = self.record;
            return Some(WarcWarning::NotHttp { record });
        }
        if header.get("warc-segment-number").is_some() {
            return Some(WarcWarning::Segmented { url });
        }
        (header.length > limit as u64).then(|| self.too_large(url))
    }

    /// The page of an HTTP response; `None` if its `Content-Type` is another's than HTML's.
    fn response(&self, mut page: Response, block: &[u8]) -> Result<Option<Response>, ReadStop> {
        let record = self.record;
        let Some((head, body)) = http::split(block) else {
            return Err(ReadStop::Skip(WarcWarning::NotHttp { record }));
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
        let body = http::join_chunks(&head, body);
        let decoded = decode(&head, body, page.truncated, self.page_limit);
        page.payload = decoded.map_err(|problem| {
            let url = page.url.clone();
            ReadStop::Skip(match problem {
                DecodeError::TooLarge => self.too_large(url),
                DecodeError::Coding(coding) => WarcWarning::Coding { url, coding },
            })
        })?;
        page.head = head.of_payload(page.payload.len());
        Ok(Some(page))
    }
}

/// The page of a `resource` record.
fn resource(mut page: Response, block: Vec<u8>) -> Response {
    let kind = page.content_type.as_deref().unwrap_or("text/html");
    page.head = http::head_of_file(kind, block.len());
    page.payload = block;
    page
}

impl<R: BufRead> Iterator for WarcReader<R> {
    type Item = Result<Response, WarcWarning>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.is_at_end {
            match self.record() {
                Ok(Some(response)) => return Some(Ok(response)),
                Ok(None) => {}
                Err(ReadStop::Skip(warning)) => return Some(Err(warning)),
                Err(ReadStop::End) => self.is_at_end = true,
                Err(ReadStop::Fatal(warning)) => {
                    self.is_at_end = true;
                    return Some(Err(warning));
                }
            }
        }
        None
    }
}
