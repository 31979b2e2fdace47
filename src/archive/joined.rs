//! An article as it is read from pages that the archive holds: its first page, and those
//! that it goes on at.

use super::identity::key_of;
use super::read::{RawPage, Reader, Version};
use super::store::raw_known;
use super::{Known, RawPages};
use crate::error::Result;
use crate::extract::{Article, Extractor, Options, PagedArticle, fallback};
use crate::page::{Page, Source};
use crate::text::same_words;

/// An article, and of which pages it is put together.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Joined {
    /// The article.
    pub article: Article,
    /// Addresses of the further pages that it has, as they were wanted, in their order.
    pub parts: Vec<String>,
    /// The address that it goes on at, where that page is not there yet.
    pub missing: Option<String>,
}

impl Joined {
    /// An article of one page.
    pub fn alone(article: Article) -> Joined {
        Joined {
            article,
            ..Joined::default()
        }
    }
}

/// The pages that an article was read on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawArticle {
    /// The page at the article's address.
    pub first: RawPage,
    /// The further pages that there are, with the address at which each was wanted.
    pub parts: Vec<(String, RawPage)>,
}

impl RawArticle {
    /// Reads the article by a wrapper, or without one: then its first page only.
    pub fn read(&self, by: Option<&Extractor>, options: &Options) -> Joined {
        let Some(extractor) = by else {
            let page = self.first.parse(None);
            let why = "the newer page was read without a wrapper";
            return Joined::alone(fallback(&page, options, why));
        };
        let parse = |raw: &RawPage| raw.parse(Some(extractor));
        let mut whole = PagedArticle::of(extractor, &parse(&self.first), options.clone());
        let mut joined = Joined::default();
        while let Some(url) = whole.wanted().map(str::to_owned) {
            let key = key_of(&url);
            match self.parts.iter().find(|(part, _)| key_of(part) == key) {
                Some((_, raw)) => {
                    if whole.add(&parse(raw)) {
                        joined.parts.push(url);
                    }
                }
                None => {
                    whole.miss("the archive does not have that page yet");
                    if whole.wanted().is_none() {
                        joined.missing = Some(url);
                    }
                }
            }
        }
        joined.article = whole.finish();
        joined
    }
}

impl Reader {
    /// The pages that a version was read on; `None` where the first is not there.
    ///
    /// # Errors
    ///
    /// If the archive cannot be read.
    pub fn raw_of(&self, version: &Version) -> Result<Option<RawArticle>> {
        let first = match version.raw {
            Some(fetch) => self.raw(fetch)?,
            None => None,
        };
        let Some(first) = first else { return Ok(None) };
        let sql = "SELECT g.url, t.fetch FROM parts t JOIN pages g ON g.id = t.page \
                   WHERE t.version = ?1 AND t.fetch IS NOT NULL ORDER BY t.nth";
        let mut rows = self.db.prepare_cached(sql)?;
        let rows = rows.query_map([version.id], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let mut parts = Vec::new();
        for (url, fetch) in rows.collect::<Result<Vec<(String, i64)>, _>>()? {
            parts.extend(self.raw(fetch)?.map(|raw| (url, raw)));
        }
        Ok(Some(RawArticle { first, parts }))
    }
}

/// A further page of the latest version of an article.
#[derive(Debug, Clone, PartialEq)]
pub struct KnownPart {
    /// Its address.
    pub url: String,
    /// Its bytes as they came last; `None`: it could not be had yet.
    pub raw: Option<super::RawKnown>,
}

/// The further pages of a version.
pub(crate) fn known_parts(db: &rusqlite::Connection, version: i64) -> Result<Vec<KnownPart>> {
    let sql = "SELECT g.url, CASE WHEN t.fetch IS NOT NULL THEN g.raw END \
               FROM parts t JOIN pages g ON g.id = t.page WHERE t.version = ?1 ORDER BY t.nth";
    let mut rows = db.prepare_cached(sql)?;
    let rows = rows.query_map([version], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let mut parts = Vec::new();
    for (url, fetch) in rows.collect::<Result<Vec<(String, Option<i64>)>, _>>()? {
        let raw = match fetch {
            Some(fetch) => raw_known(db, fetch)?,
            None => None,
        };
        parts.push(KnownPart { url, raw });
    }
    Ok(parts)
}

/// An article as it came before, read as the one that came now.
#[derive(Debug, Clone)]
pub enum Before {
    /// The wrapper of today reads those pages, too.
    ByWrapper(Box<Joined>),
    /// It does not, nor did the wrapper of then read the page of today: both as they are
    /// read without one, and whether their words are the same.
    Alone {
        /// They are.
        same: bool,
    },
}

/// The pages of the latest version as they are read today, where they were read in
/// another way then, or one was not there; for [`Arrival::before`](super::Arrival).
/// `now` is the page that came, its address and its `Content-Type`, `article` what was
/// read on it, and `by` the wrapper of today with the digest of its file.
pub fn before_of(
    raw_pages: &RawPages,
    known: &Known,
    now: (&[u8], &str, Option<&str>),
    article: &Article,
    by: Option<(&Extractor, &str)>,
) -> Option<Before> {
    let latest = known.latest.as_ref()?;
    let today = article.wrapper.as_ref().and(by);
    let was_whole = latest.parts.iter().all(|part| part.raw.is_some());
    if was_whole && latest.wrapper.as_deref() == today.map(|(_, sha256)| sha256) {
        return None;
    }
    let first = raw_pages.read(latest.raw.as_ref()?).ok()?;
    let parts = latest.parts.iter().filter_map(|part| {
        let raw = raw_pages.read(part.raw.as_ref()?).ok()?;
        Some((part.url.clone(), raw))
    });
    let before = RawArticle {
        parts: parts.collect(),
        first,
    };
    let options = Options::default();
    if let Some((extractor, _)) = today {
        let before = before.read(Some(extractor), &options);
        if before.article.wrapper.is_some() {
            return Some(Before::ByWrapper(Box::new(before)));
        }
    }
    let (body, url, content_type) = now;
    let source = Source {
        url: Some(url),
        content_type,
    };
    let page = Page::parse_within(body, source, body.len(), |text| text);
    let today = fallback(&page, &options, "");
    let same = same_words(&before.read(None, &options).article.text, &today.text);
    Some(Before::Alone { same })
}
