//! Makes the record of a page.

use crate::sources::{FoundPart, LoadedPage, PageError};
use forest_core::extract::{
    Article, ArticleWarning, Extractor, NoWrapper, Options, PageKind, PagedArticle, SiteExtractors,
    Status, fallback,
};
use forest_html::address::site_of;
use forest_html::error::CRASHED;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// The way in which articles are extracted.
pub enum ExtractionMode {
    Wrappers(SiteExtractors),
    /// A method that looks at one page at a time.
    PageByPage(Box<dyn OnePageExtractor>),
}

/// A method that finds the article on a page without others of its site.
pub trait OnePageExtractor: Send + Sync {
    /// The article, with its status and the reason where there is none.
    fn article(&self, page: &LoadedPage, options: &Options) -> Article;
}

/// A record, and its sources.
pub struct ArticleRecord {
    pub article: Article,
    /// The text of its body, if that of the record is normalised.
    pub plain: Option<String>,
    /// Its further pages, if they are kept.
    pub parts: Vec<FoundPart>,
}

/// The article on a page.
enum PageBody {
    Whole(Box<Article>),
    /// It may go on at other pages.
    First(Box<PagedArticle<Arc<Extractor>>>),
}

impl PageBody {
    fn of(article: Article) -> PageBody {
        PageBody::Whole(Box::new(article))
    }
}

fn failed(reason: &str) -> Article {
    Article {
        status: Status::Error,
        error: Some(reason.to_owned()),
        ..Article::default()
    }
}

/// Makes records.
pub struct RecordMaker {
    mode: ExtractionMode,
    options: Options,
    keeps_parts: bool,
    /// The kinds of pages that are kept; all if there is none.
    kinds: Vec<PageKind>,
}

impl RecordMaker {
    /// Makes records in this way.
    pub fn new(mode: ExtractionMode, options: Options) -> RecordMaker {
        RecordMaker {
            mode,
            options,
            keeps_parts: false,
            kinds: Vec::new(),
        }
    }

    /// The same; `keeps_parts`: the further pages of articles are kept.
    pub fn keep_parts(mut self, keeps_parts: bool) -> RecordMaker {
        self.keeps_parts = keeps_parts;
        self
    }

    /// The same; pages of other kinds than these are `empty`, and say what they are. Without a kind
    /// all are kept.
    pub fn keep_kinds(mut self, kinds: &[PageKind]) -> RecordMaker {
        self.kinds = kinds.to_vec();
        self
    }

    /// An article, without its text if its kind is not kept.
    fn of_kept_kind(&self, article: Article) -> Article {
        let dropped = article.kind.filter(|kind| !self.kinds.contains(kind));
        let Some(kind) = dropped.filter(|_| !self.kinds.is_empty()) else {
            return article;
        };
        Article {
            status: Status::Empty,
            error: Some(format!(
                "the page is of the kind `{kind}`, which is not asked for"
            )),
            confidence: None,
            text: String::new(),
            html: None,
            markdown: None,
            prose: None,
            images: Vec::new(),
            parts: Vec::new(),
            ..article
        }
    }

    /// The wrapper of a page.
    pub fn extractor_of(&self, loaded: &LoadedPage, feed: Option<&str>) -> Option<Arc<Extractor>> {
        let ExtractionMode::Wrappers(wrappers) = &self.mode else {
            return None;
        };
        let host = site_of(loaded.content.url.as_deref());
        let found = wrappers.of_page(host.as_deref(), loaded.folder.as_deref(), feed);
        found.ok()
    }

    /// The request headers in the wrapper of a host.
    pub fn headers_of(&self, host: &str) -> Option<BTreeMap<String, String>> {
        match &self.mode {
            ExtractionMode::Wrappers(wrappers) => wrappers.headers_of(host),
            ExtractionMode::PageByPage(_) => None,
        }
    }

    /// The record of a page. A page that cannot be read gives a record with the reason.
    /// `further` gives the page of an address that an article goes on at, or the reason why it
    /// cannot be read.
    pub fn record(
        &self,
        loaded: Result<&LoadedPage, &PageError>,
        feed: Option<&str>,
        further: impl Fn(&str) -> Result<LoadedPage, String>,
    ) -> ArticleRecord {
        let mut parts = Vec::new();
        let (id, url, article) = match loaded {
            Err(error) => (&error.id, &error.url, failed(&error.reason)),
            Ok(loaded) => {
                let body = catch_unwind(AssertUnwindSafe(|| self.body(loaded, feed)));
                let article = match body {
                    Ok(PageBody::Whole(article)) => *article,
                    Ok(PageBody::First(whole)) => self.whole(*whole, further, &mut parts),
                    Err(_) => failed(CRASHED),
                };
                (&loaded.id, &loaded.content.url, article)
            }
        };
        let mut article = self.of_kept_kind(article);
        let prose = article.prose.take();
        let plain = prose.map(|prose| std::mem::replace(&mut article.text, prose));
        article = article.read_from(url.as_deref());
        article.id.clone_from(id);
        if let Ok(loaded) = loaded {
            article.date_fetched.clone_from(&loaded.content.date);
            if let Some(item) = loaded.item.as_ref().filter(|_| !article.text.is_empty()) {
                article.complete(&item.authors, &item.categories);
            }
        }
        ArticleRecord {
            article,
            plain,
            parts,
        }
    }

    /// The article of a first page, with its further ones.
    fn whole(
        &self,
        mut whole: PagedArticle<Arc<Extractor>>,
        further: impl Fn(&str) -> Result<LoadedPage, String>,
        parts: &mut Vec<FoundPart>,
    ) -> Article {
        let mut lost = None;
        while let Some(wanted) = whole.wanted().map(str::to_owned) {
            let found = further(&wanted);
            let added = catch_unwind(AssertUnwindSafe(|| match &found {
                Ok(page) => whole.add(&page.parse_for(whole.extractor())),
                Err(why) => {
                    whole.miss(why);
                    false
                }
            }));
            match (added, found) {
                (Ok(true), Ok(page)) if self.keeps_parts => {
                    parts.push(FoundPart { wanted, page });
                }
                (Ok(_), _) => {}
                (Err(_), _) if whole.wanted() == Some(&wanted) => whole.miss(CRASHED),
                (Err(_), _) => {
                    let why = CRASHED.to_owned();
                    lost = Some(ArticleWarning::EndsBefore { url: wanted, why });
                }
            }
        }
        let mut article = whole.finish();
        article.warnings.extend(lost);
        article
    }

    fn body(&self, loaded: &LoadedPage, feed: Option<&str>) -> PageBody {
        let wrappers = match &self.mode {
            ExtractionMode::PageByPage(method) => {
                return PageBody::of(method.article(loaded, &self.options));
            }
            ExtractionMode::Wrappers(wrappers) => wrappers,
        };
        // Which address a page without one says is its own shows when it is parsed.
        let nameless = loaded.content.url.is_none().then(|| loaded.parse());
        let canonical = nameless
            .as_ref()
            .and_then(|page| page.metadata().canonical.as_deref());
        let host = site_of(loaded.content.url.as_deref().or(canonical));
        match wrappers.of_page(host.as_deref(), loaded.folder.as_deref(), feed) {
            Ok(extractor) => {
                let page = nameless.and_then(|page| extractor.adopt(page));
                let page = page.unwrap_or_else(|| loaded.parse_for(&extractor));
                let paged = PagedArticle::of(extractor, &page, self.options.clone());
                PageBody::First(Box::new(paged))
            }
            Err(NoWrapper::Unknown(why)) => {
                let page = nameless.unwrap_or_else(|| loaded.parse());
                PageBody::of(fallback(&page, &self.options, &why))
            }
            Err(NoWrapper::Broken(reason)) => PageBody::of(failed(&reason)),
        }
    }
}
