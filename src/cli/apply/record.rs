//! Makes the record of a page.

// Only an archive stores the further pages of articles.
#![cfg_attr(not(feature = "archive"), allow(dead_code))]

use crate::cli::source::{LoadedPage, PageError};
use forest_core::extract::{
    Article, ArticleWarning, Extractor, NoWrapper, Options, PagedArticle, SiteExtractors, Status,
    article, fallback, one_page,
};
use forest_core::feed::FeedItem;
use forest_core::learn::{Method, SamplePage, description, sigfeed};
use forest_core::signifier::DEFAULT_KEYWORDS;
use forest_html::address::site_of;
use forest_html::error::CRASHED;
use forest_html::page::{Mask, Page};
use forest_text::pipeline::{AnyMethod, Preset};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// The way in which articles are extracted.
pub enum ExtractionMode {
    Wrappers(SiteExtractors),
    PageByPage(AnyMethod),
}

/// The record of a page, to which further pages of its article can be added.
pub struct RecordDraft {
    id: String,
    url: Option<String>,
    date: Option<String>,
    body: DraftBody,
    /// The authors and the tags of its item in a feed.
    item: (Vec<String>, Vec<String>),
    /// A page on which the program panicked.
    lost: Option<ArticleWarning>,
    /// Its further pages, if they are kept.
    parts: Option<Vec<FoundPart>>,
}

/// A further page of an article.
#[derive(Debug, Clone)]
pub struct FoundPart {
    /// The wanted address.
    pub wanted: String,
    /// Its own address.
    pub url: String,
    pub bytes: Vec<u8>,
    pub content_type: Option<String>,
}

/// A record, and its sources.
pub struct ArticleRecord {
    pub article: Article,
    /// The text of its body, if that of the record is normalised.
    pub plain: Option<String>,
    pub parts: Vec<FoundPart>,
}

enum DraftBody {
    Article(Box<Article>),
    Whole(Box<PagedArticle<Arc<Extractor>>>),
}

impl DraftBody {
    fn of(article: Article) -> DraftBody {
        DraftBody::Article(Box::new(article))
    }
}

fn failed(reason: &str) -> Article {
    Article {
        status: Status::Error,
        error: Some(reason.to_owned()),
        ..Article::default()
    }
}

impl RecordDraft {
    /// The address of the article's next page.
    pub fn wanted(&self) -> Option<&str> {
        match &self.body {
            DraftBody::Whole(whole) => whole.wanted(),
            DraftBody::Article(_) => None,
        }
    }

    /// Adds the wanted page, or the reason why it cannot be read.
    pub fn add(&mut self, part: Result<&LoadedPage, &str>) {
        let DraftBody::Whole(whole) = &mut self.body else {
            return;
        };
        let url = whole.wanted().unwrap_or_default().to_owned();
        let added = catch_unwind(AssertUnwindSafe(|| match part {
            Ok(loaded) => whole.add(&loaded.parse_for(whole.extractor())),
            Err(why) => {
                whole.miss(why);
                false
            }
        }));
        match added {
            Ok(true) => {
                if let (Some(parts), Ok(loaded)) = (&mut self.parts, part) {
                    parts.push(FoundPart {
                        url: loaded.content.url.clone().unwrap_or_else(|| url.clone()),
                        wanted: url,
                        bytes: loaded.content.bytes.clone(),
                        content_type: loaded.content.content_type.clone(),
                    });
                }
            }
            Ok(_) => {}
            Err(_) if whole.wanted() == Some(&url) => whole.miss(CRASHED),
            Err(_) => {
                let why = CRASHED.to_owned();
                self.lost = Some(ArticleWarning::EndsBefore { url, why });
            }
        }
    }

    /// The record.
    pub fn finish(self) -> ArticleRecord {
        let mut article = match self.body {
            DraftBody::Article(article) => *article,
            DraftBody::Whole(whole) => whole.finish(),
        };
        article.warnings.extend(self.lost);
        let prose = article.prose.take();
        let plain = prose.map(|prose| std::mem::replace(&mut article.text, prose));
        article = article.read_from(self.url.as_deref());
        if !article.text.is_empty() {
            let (authors, tags) = &self.item;
            article.complete(authors, tags);
        }
        article.id = self.id;
        article.date_fetched = self.date;
        ArticleRecord {
            article,
            plain,
            parts: self.parts.unwrap_or_default(),
        }
    }
}

/// Makes records.
pub struct RecordMaker {
    mode: ExtractionMode,
    options: Options,
    keeps_parts: bool,
}

impl RecordMaker {
    pub fn new(mode: ExtractionMode, options: Options) -> RecordMaker {
        RecordMaker {
            mode,
            options,
            keeps_parts: false,
        }
    }

    /// The same; `keeps_parts`: the further pages of articles are kept.
    pub fn keep_parts(mut self, keeps_parts: bool) -> RecordMaker {
        self.keeps_parts = keeps_parts;
        self
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

    /// The record of a page, without its further pages. A page that cannot be read gives a
    /// record with the reason.
    pub fn draft(
        &self,
        loaded: Result<&LoadedPage, &PageError>,
        feed: Option<&str>,
    ) -> RecordDraft {
        let draft = |id: &str, url: &Option<String>, body| RecordDraft {
            id: id.to_owned(),
            url: url.clone(),
            date: None,
            body,
            item: Default::default(),
            lost: None,
            parts: self.keeps_parts.then(Vec::new),
        };
        let loaded = match loaded {
            Ok(loaded) => loaded,
            Err(error) => {
                let body = DraftBody::of(failed(&error.reason));
                return draft(&error.id, &error.url, body);
            }
        };
        let body = catch_unwind(AssertUnwindSafe(|| self.body(loaded, feed)));
        let body = body.unwrap_or_else(|_| DraftBody::of(failed(CRASHED)));
        let item = loaded.item.as_ref();
        let item = item.map(|item| (item.authors.clone(), item.categories.clone()));
        RecordDraft {
            date: loaded.content.date.clone(),
            item: item.unwrap_or_default(),
            ..draft(&loaded.id, &loaded.content.url, body)
        }
    }

    fn body(&self, loaded: &LoadedPage, feed: Option<&str>) -> DraftBody {
        let method = match &self.mode {
            ExtractionMode::PageByPage(method) => method,
            ExtractionMode::Wrappers(wrappers) => {
                let host = site_of(loaded.content.url.as_deref());
                let found = wrappers.of_page(host.as_deref(), loaded.folder.as_deref(), feed);
                return match found {
                    Ok(extractor) => {
                        let page = loaded.parse_for(&extractor);
                        let paged = PagedArticle::of(extractor, &page, self.options.clone());
                        DraftBody::Whole(Box::new(paged))
                    }
                    Err(NoWrapper::Unknown(why)) => {
                        DraftBody::of(fallback(&loaded.parse(), &self.options, &why))
                    }
                    Err(NoWrapper::Broken(reason)) => DraftBody::of(failed(&reason)),
                };
            }
        };
        let page = loaded.parse();
        if *method == AnyMethod::OnePage(Preset::Onepage) {
            return DraftBody::of(one_page(&page, &self.options));
        }
        DraftBody::of(match method.of_one_page(&page) {
            Some(mask) => self.page_by_page(&page, &mask, method),
            None => self.by_item(page, loaded.item.as_ref(), method),
        })
    }

    /// The article of a method that searches the words of the feed's item.
    fn by_item(&self, page: Page, item: Option<&FeedItem>, method: &AnyMethod) -> Article {
        let mut sample = SamplePage::new(page, "");
        if let Some(item) = item {
            sample = sample.with_item(item);
        }
        if method.of_site() == Some(Method::Sigfeed) {
            let mask = sigfeed(&sample, DEFAULT_KEYWORDS);
            return self.page_by_page(&sample.page, &mask, method);
        }
        let mut out = article(&sample.page, &Mask::none(&sample.page), &self.options);
        out.text = description(&sample);
        // The feed's text is plain already.
        out.prose = None;
        out.images.clear();
        self.judged(out, method)
    }

    fn page_by_page(&self, page: &Page, mask: &Mask, method: &AnyMethod) -> Article {
        self.judged(article(page, mask, &self.options), method)
    }

    fn judged(&self, mut out: Article, method: &AnyMethod) -> Article {
        out.status = Status::Ok;
        if out.text.is_empty() {
            out.status = Status::Empty;
            out.error = Some(match method {
                AnyMethod::OfSite(_) => format!(
                    "method {method} finds nothing: does a feed with a description lead to the page?"
                ),
                _ => format!("{method} finds no article on this page"),
            });
        }
        out
    }
}
