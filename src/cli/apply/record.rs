//! Makes the record of a page.

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
use forest_sources::sources::{FoundPart, LoadedPage, PageError};
use forest_text::pipeline::{AnyMethod, Preset};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// The way in which articles are extracted.
pub enum ExtractionMode {
    Wrappers(SiteExtractors),
    PageByPage(AnyMethod),
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
        let mut article = article;
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
        let method = match &self.mode {
            ExtractionMode::PageByPage(method) => method,
            ExtractionMode::Wrappers(wrappers) => {
                let host = site_of(loaded.content.url.as_deref());
                let found = wrappers.of_page(host.as_deref(), loaded.folder.as_deref(), feed);
                return match found {
                    Ok(extractor) => {
                        let page = loaded.parse_for(&extractor);
                        let paged = PagedArticle::of(extractor, &page, self.options.clone());
                        PageBody::First(Box::new(paged))
                    }
                    Err(NoWrapper::Unknown(why)) => {
                        PageBody::of(fallback(&loaded.parse(), &self.options, &why))
                    }
                    Err(NoWrapper::Broken(reason)) => PageBody::of(failed(&reason)),
                };
            }
        };
        let page = loaded.parse();
        if *method == AnyMethod::OnePage(Preset::Onepage) {
            return PageBody::of(one_page(&page, &self.options));
        }
        PageBody::of(match method.of_one_page(&page) {
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
