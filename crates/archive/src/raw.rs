//! The unchanged pages, and the texts made from them, from the WARC files.

use super::files::{Folder, RecordPlace};
use super::known::{KnownRaw, LatestVersion};
use crate::error::Result;
use chrono::{DateTime, Utc};
use forest_core::extract::Extractor;
use forest_core::feed::{self, Feed};
use forest_html::page::{Page, Source};
use forest_sources::warc::{ReadRecord, RecordType};
use std::borrow::Cow;
use url::Url;

/// A page's bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawPage {
    /// The address that answered.
    pub url: String,
    /// The time of the response.
    pub at: DateTime<Utc>,
    /// Its `Content-Type`.
    pub content_type: Option<String>,
    /// The page.
    pub body: Vec<u8>,
}

impl RawPage {
    /// The page, parsed for a wrapper; the whole page, since it was bounded before it was stored.
    pub fn parse(&self, by: Option<&Extractor>) -> Page {
        let content_type = self.content_type.as_deref();
        match by {
            Some(extractor) => {
                let url = Some(self.url.as_str());
                let source = Source { url, content_type };
                extractor.parse_within(&self.body, source, self.body.len())
            }
            None => parse_whole((&self.body, &self.url, content_type)),
        }
    }
}

/// A whole page: its bytes, its address and its `Content-Type`.
pub(super) fn parse_whole((body, url, content_type): (&[u8], &str, Option<&str>)) -> Page {
    let url = Some(url);
    Page::parse_within(body, Source { url, content_type }, body.len(), |text| text)
}

/// Reads raw pages, from any thread.
#[derive(Debug, Clone)]
pub struct RawPages(pub(super) Folder);

impl RawPages {
    /// The page that the archive knows.
    ///
    /// # Errors
    ///
    /// If the WARC file cannot be read there.
    pub fn read(&self, known: &KnownRaw) -> Result<RawPage> {
        let RecordPlace { file, offset, .. } = known.place;
        let page = raw_page(&self.0, known)?;
        page.ok_or_else(|| self.0.broken(file, offset, "it is no page"))
    }

    /// The text of the latest version of an article.
    pub(super) fn text(&self, latest: &LatestVersion) -> Result<String> {
        text_at(&self.0, latest.text)
    }
}

/// The page that the archive knows; `None` if its record is not a page.
pub(super) fn raw_page(folder: &Folder, known: &KnownRaw) -> Result<Option<RawPage>> {
    let record = folder.record(known.place)?;
    let body = record.page_bytes().map(Cow::into_owned);
    Ok(body.map(|body| RawPage {
        url: known.earlier.url.clone(),
        at: known.raw_page_at(),
        content_type: known.content_type.clone(),
        body,
    }))
}

/// The feed that a record has as its HTTP answer.
pub(super) fn feed_in(record: &ReadRecord) -> Option<Feed> {
    let (_, content_type, payload) = record.answer()?;
    let base = Url::parse(&record.url).ok();
    feed::parse(payload, base.as_ref(), content_type.as_deref()).ok()
}

/// The text at a place; empty if a version has no text.
pub(super) fn text_at(folder: &Folder, place: Option<RecordPlace>) -> Result<String> {
    let Some(place) = place else {
        return Ok(String::new());
    };
    let record = folder.record(place)?;
    match (record.kind, String::from_utf8(record.block)) {
        (Some(RecordType::Conversion), Ok(text)) => Ok(text),
        _ => Err(folder.broken(place.file, place.offset, "it is no text")),
    }
}
