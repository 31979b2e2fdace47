//! An article as it is read from pages that the archive holds: its first page, and those
//! that it goes on at.
use super::known::KnownAddress;
use super::raw::{RawPage, RawPages, parse_whole};
use crate::address::page_key;
use crate::extract::{Article, Extractor, Options, PagedArticle, fallback};
use crate::text::same_words;

/// An article, and of which pages it is put together.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct JoinedArticle {
    /// The article.
    pub article: Article,
    /// Addresses of the further pages that it has, as they were wanted, in their order.
    pub parts: Vec<String>,
    /// The address that it goes on at, where that page is not there yet.
    pub missing: Option<String>,
}

impl JoinedArticle {
    /// An article of one page.
    pub fn alone(article: Article) -> JoinedArticle {
        JoinedArticle {
            article,
            ..JoinedArticle::default()
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
    pub fn read(&self, by: Option<&Extractor>, options: &Options) -> JoinedArticle {
        let Some(extractor) = by else {
            let page = self.first.parse(None);
            let why = "the newer page was read without a wrapper";
            return JoinedArticle::alone(fallback(&page, options, why));
        };
        let parse = |raw: &RawPage| raw.parse(Some(extractor));
        let mut whole = PagedArticle::of(extractor, &parse(&self.first), options.clone());
        let mut joined = JoinedArticle::default();
        while let Some(url) = whole.wanted().map(str::to_owned) {
            let key = page_key(&url);
            match self.parts.iter().find(|(part, _)| page_key(part) == key) {
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

/// An article as it came before, read as the one that came now.
#[derive(Debug, Clone)]
pub enum EarlierReading {
    /// The wrapper of today reads those pages, too.
    ByWrapper(Box<JoinedArticle>),
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
pub fn earlier_reading(
    raw_pages: &RawPages,
    known: &KnownAddress,
    now: (&[u8], &str, Option<&str>),
    article: &Article,
    by: Option<(&Extractor, &str)>,
) -> Option<EarlierReading> {
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
            return Some(EarlierReading::ByWrapper(Box::new(before)));
        }
    }
    let today = fallback(&parse_whole(now), &options, "");
    let same = same_words(&before.read(None, &options).article.text, &today.text);
    Some(EarlierReading::Alone { same })
}
