//! One page on the fast road, or on both.

use crate::extract::{Article, ArticleWarning, Extractor, Options, Status};
use crate::onepage::ScoredPage;
use crate::page::slice::{BylineUse, Uncut};
use crate::page::{Page, Source};
use std::fmt;

/// The road on which an article was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArticleRoad {
    /// From a part of its page.
    Slice,
    /// From its whole page.
    Whole(SliceRefusal),
}

/// The reason why a page is read whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SliceRefusal {
    /// The wrapper is not `fast`, or whole pages are asked for.
    NotFast,
    /// Nothing is cut from the source.
    Uncut(Uncut),
    /// No template fits, or not surely.
    NoTemplate,
    /// The article may go on at another page.
    Paged,
    /// The page may be a wall: a login, an error.
    Wall,
    /// The text is not surely an article's.
    Doubt,
}

impl fmt::Display for SliceRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SliceRefusal::NotFast => "the wrapper is not fast",
            SliceRefusal::Uncut(why) => return why.fmt(f),
            SliceRefusal::NoTemplate => "no template fits",
            SliceRefusal::Paged => "the article may have other pages",
            SliceRefusal::Wall => "it may be a wall",
            SliceRefusal::Doubt => "the text is not surely an article's",
        })
    }
}

impl Extractor {
    /// True while pages are read on the fast road: the wrapper is `fast`, and no page differed.
    pub fn is_fast(&self) -> bool {
        self.road().is_open()
    }

    /// True if a part of a page differed from its page: the wrapper says `fast` and is not.
    pub fn has_differed(&self) -> bool {
        self.wrapper().fast && self.road().has_failed()
    }

    /// True if pages can be cut for the wrapper: its expressions ask for names and attributes.
    pub fn can_be_fast(&self) -> bool {
        self.road().wanted().is_some()
    }

    /// The article of a page's bytes, of which at most `limit` are read: from a part of the
    /// page where [`read_fast`](Self::read_fast) gives it. Other pages of an article are not
    /// looked for ([`PagedArticle`](crate::extract::PagedArticle)).
    pub fn read(
        &self,
        bytes: &[u8],
        source: Source<'_>,
        limit: usize,
        options: &Options,
    ) -> (Article, ArticleRoad) {
        match self.read_fast(bytes, source, limit, options) {
            Ok(article) => (article, ArticleRoad::Slice),
            Err(why) => {
                let page = self.parse_within(bytes, source, limit);
                (self.extract(&page, options), ArticleRoad::Whole(why))
            }
        }
    }

    /// The article from a part of its page where the wrapper is `fast` and the page allows it.
    ///
    /// # Errors
    ///
    /// The reason why the page is to be read whole.
    pub fn read_fast(
        &self,
        bytes: &[u8],
        source: Source<'_>,
        limit: usize,
        options: &Options,
    ) -> Result<Article, SliceRefusal> {
        if !self.is_fast() || !options.allow_slices() {
            return Err(SliceRefusal::NotFast);
        }
        let article = self.sliced(bytes, source, limit, options)?;
        if self.road().is_due() {
            let whole = self.extract(&self.parse_within(bytes, source, limit), options);
            let different = differences(&article, &whole);
            if !different.is_empty() {
                let site = &self.wrapper().site;
                tracing::warn!(%site, ?different, url = source.url, "a slice is not as its page is: pages are read whole from now on");
                self.road().close();
                return Err(SliceRefusal::NotFast);
            }
        }
        Ok(article)
    }

    /// The article from a part of its page.
    ///
    /// # Errors
    ///
    /// The reason why the page is to be read whole.
    pub fn sliced(
        &self,
        bytes: &[u8],
        source: Source<'_>,
        limit: usize,
        options: &Options,
    ) -> Result<Article, SliceRefusal> {
        let (article, _) = self.read_slice(bytes, source, limit, options)?;
        Ok(article)
    }

    /// The article from a part of its page, and the number of nodes of the part.
    fn read_slice(
        &self,
        bytes: &[u8],
        source: Source<'_>,
        limit: usize,
        options: &Options,
    ) -> Result<(Article, usize), SliceRefusal> {
        let page = ScoredPage::from(self.slice(bytes, source, limit)?);
        let matcher = self.matcher();
        let mut links = matcher.next_page().into_iter().chain(matcher.single_page());
        if links.any(|xpath| !xpath.nodes(&page).is_empty()) {
            return Err(SliceRefusal::Paged);
        }
        let attempt = self.attempt(&page, options);
        let (article, evidence) = attempt.map_err(|_| SliceRefusal::NoTemplate)?;
        if evidence.judgement.may_be_a_wall {
            return Err(SliceRefusal::Wall);
        }
        // The blocks that are cut are not there to doubt the text.
        if options.confidence() && evidence.by_sample().is_none() {
            return Err(SliceRefusal::Doubt);
        }
        let article = self.judged(article, &evidence, &page, options);
        match article.status {
            Status::Ok => Ok((article, page.len())),
            _ => Err(SliceRefusal::Doubt),
        }
    }

    /// A page without what the wrapper and the metadata do not read.
    fn slice(&self, bytes: &[u8], source: Source<'_>, limit: usize) -> Result<Page, SliceRefusal> {
        let road = self.road();
        let wanted = road.wanted().ok_or(SliceRefusal::NotFast)?;
        let cut = |bylines| {
            let slice = Page::parse_slice(bytes, source, limit, (wanted, bylines), |text| {
                self.wrapper().replaced(text)
            });
            slice.map_err(SliceRefusal::Uncut)
        };
        let bylines = road.bylines();
        let slice = cut(bylines)?;
        if bylines == BylineUse::Kept || !slice.metadata().reads_bylines {
            return Ok(slice);
        }
        road.keep_bylines();
        cut(BylineUse::Kept)
    }

    /// True if both roads agree on these pages, those that are refused apart, and the fast one
    /// is the faster. Text, fields, pictures, HTML and Markdown are compared.
    ///
    /// To find a slice takes half of the time of a parse of the page, and a refused page is
    /// parsed as well. So at most half of the pages' nodes are parsed on the fast road.
    pub(crate) fn agrees_on(&self, pages: &[SampledSource<'_>]) -> bool {
        let options = Options::default().with_html(true).with_markdown(true);
        let all_nodes: usize = pages.iter().map(|sampled| sampled.page.len()).sum();
        let mut parsed_nodes = 0;
        pages.iter().all(|sampled| {
            let (bytes, source) = (sampled.bytes, sampled.source);
            let slice = self.read_slice(bytes, source, bytes.len(), &options).ok();
            parsed_nodes += slice
                .as_ref()
                .map_or(sampled.page.len(), |(_, nodes)| *nodes);
            2 * parsed_nodes <= all_nodes
                && slice.is_none_or(|(article, _)| {
                    let whole = self.extract_scored(sampled.page, &options);
                    differences(&article, &whole).is_empty()
                })
        })
    }
}

/// A page and the bytes that it was parsed from.
pub(crate) struct SampledSource<'p> {
    pub page: &'p ScoredPage<'p>,
    pub bytes: &'p [u8],
    pub source: Source<'p>,
}

/// The names of the fields in which two articles differ, confidence and what follows from it
/// left out.
pub fn differences(a: &Article, b: &Article) -> Vec<&'static str> {
    let mut names = Vec::new();
    let mut compare = |name, same: bool| {
        if !same {
            names.push(name);
        }
    };
    compare("url", a.url == b.url);
    compare("site", a.site == b.site);
    compare("title", a.title == b.title);
    compare("text", a.text == b.text);
    compare("html", a.html == b.html);
    compare("markdown", a.markdown == b.markdown);
    compare("prose", a.prose == b.prose);
    compare("authors", a.authors == b.authors);
    compare("date_published", a.date_published == b.date_published);
    compare(
        "date_published_raw",
        a.date_published_raw == b.date_published_raw,
    );
    compare("date_modified", a.date_modified == b.date_modified);
    compare(
        "date_modified_raw",
        a.date_modified_raw == b.date_modified_raw,
    );
    compare("language", a.language == b.language);
    compare("images", a.images == b.images);
    compare("tags", a.tags == b.tags);
    compare("wrapper", a.wrapper == b.wrapper);
    compare("error", a.error == b.error);
    let is_of_confidence = |status| matches!(status, Status::Ok | Status::Degraded);
    compare(
        "status",
        is_of_confidence(a.status) == is_of_confidence(b.status),
    );
    let warnings = |article: &Article| -> Vec<_> {
        let warnings = article.warnings.iter();
        let unlike = |w: &&ArticleWarning| matches!(w, ArticleWarning::Unlike { .. });
        warnings.filter(|w| !unlike(w)).cloned().collect()
    };
    compare("warnings", warnings(a) == warnings(b));
    names
}
