//! An article read from the archive's pages: its first page and its further pages.
use super::known::KnownAddress;
use super::raw::{RawPage, RawPages, parse_whole};
use forest_core::extract::{Article, Extractor, Options, PagedArticle, fallback};
use forest_html::address::page_key;
use forest_html::text::same_words;

/// An article and its further pages.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct JoinedArticle {
    /// The article.
    pub article: Article,
    /// The wanted addresses of its further pages, in their order.
    pub parts: Vec<String>,
    /// The address of its next page, if that page is missing.
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
    /// The further pages, each with the wanted address.
    pub parts: Vec<(String, RawPage)>,
}

impl RawArticle {
    /// Reads the article by a wrapper; without a wrapper its first page only.
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

/// The former pages of an article, read in the same way as the present ones.
#[derive(Debug, Clone)]
pub enum EarlierReading {
    /// Today's wrapper reads those pages, too.
    ByWrapper(Box<JoinedArticle>),
    /// Today's wrapper does not read the former pages, nor the former wrapper today's page.
    /// So both are read without a wrapper.
    Alone {
        /// True if their words are the same.
        same: bool,
    },
}

/// The pages of the latest version as they are read today, if they were read in another way
/// then or a page was missing; for [`Arrival::before`](super::Arrival). `now` is the received
/// page with its address and its `Content-Type`, `article` the article read on it, and `by`
/// today's wrapper with the digest of its file.
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
        let found_then = latest.found_by.as_deref();
        if before.article.wrapper.is_some() && may_replace(extractor, found_then, &before.article) {
            return Some(EarlierReading::ByWrapper(Box::new(before)));
        }
    }
    // What was read then and today, each in the way of its time.
    let had = raw_pages.text(latest).unwrap_or_default();
    let is_as_had = || same_article(&had, &article.text, article.title.as_deref());
    let alone = || fallback(&parse_whole(now), &options, "").text;
    let same = is_as_had() || same_words(&before.read(None, &options).article.text, &alone());
    Some(EarlierReading::Alone { same })
}

/// The wrapper's expression that found an article.
pub fn found_by(article: &Article) -> Option<&str> {
    article.wrapper.as_ref().map(|origin| origin.xpath.as_str())
}

/// Returns true if a wrapper's reading may take the place of what `before`, an expression of a
/// wrapper, found on the same page. On pages of an earlier layout the first expression of a learned
/// wrapper may find nothing, and the next be a wider box.
pub fn may_replace(extractor: &Extractor, before: Option<&str>, now: &Article) -> bool {
    let (Some(before), Some(origin)) = (before, &now.wrapper) else {
        return true;
    };
    let template = extractor.wrapper().templates.get(origin.template);
    let first = template.and_then(|template| template.body.first());
    origin.xpath == before || first.is_none_or(|first| *first == origin.xpath)
}

/// Returns true if two texts of an article with this title have the same words: the headline may
/// be in the text of one layout, and not of the other.
pub fn same_article(one: &str, other: &str, title: Option<&str>) -> bool {
    same_words(without_title(one, title), without_title(other, title))
}

/// The text without its first line if that is the title. In some layouts the body holds the
/// headline, in others not; that is not an edit.
pub fn without_title<'t>(text: &'t str, title: Option<&str>) -> &'t str {
    match text.split_once('\n') {
        Some((first, rest)) if title == Some(first.trim()) => rest,
        _ => text,
    }
}
