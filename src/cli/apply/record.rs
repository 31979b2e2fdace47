//! A page to its record.

use super::wrappers::{NoWrapper, Wrappers};
use super::{Captions, Format, OutputArgs};
use crate::cli::source::{Lead, Loaded, Trouble, load};
use forest::density::Preset;
use forest::extract::{self, Article, Options, Status, article, fallback, one_page};
use forest::feed::Item;
use forest::learn::{Method, SamplePage, description, sigfeed, site_of};
use forest::page::{Mask, Page};
use forest::signifier::DEFAULT_KEYWORDS;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How articles are found.
pub enum Way<'a> {
    Wrappers(Wrappers<'a>),
    PageByPage(Method),
}

/// What came of an input.
pub struct Record {
    pub article: Article,
}

/// Makes records.
pub struct Maker<'a> {
    way: Way<'a>,
    options: Options,
}

impl<'a> Maker<'a> {
    pub fn new(way: Way<'a>, format: Format, output: &OutputArgs) -> Maker<'a> {
        let captions = match output.captions {
            Captions::Text => extract::Captions::Text,
            Captions::Images => extract::Captions::Images,
        };
        let options = Options::default()
            .with_captions(captions)
            .with_html(output.with_html || format == Format::Html)
            .with_markdown(format == Format::Markdown);
        Maker { way, options }
    }

    /// The record of an input; one that cannot be read gives one as well.
    pub fn record(&self, lead: Result<Lead, Trouble>, feed: Option<&str>) -> Record {
        let article = match lead.and_then(load) {
            Ok(mut loaded) => {
                let item = loaded.item.take();
                let made = catch_unwind(AssertUnwindSafe(|| self.article(&loaded, item, feed)));
                let mut article = made.unwrap_or_else(|_| Article {
                    status: Status::Error,
                    error: Some("forest crashed on this page: please report it".to_owned()),
                    ..Article::default()
                });
                if article.site.is_none() {
                    article.site = site_of(loaded.here.url.as_deref());
                }
                article.id = loaded.id;
                article.fetched_url = loaded.here.url;
                article.date_fetched = loaded.here.date;
                article
            }
            Err(trouble) => Article {
                id: trouble.id,
                site: site_of(trouble.url.as_deref()),
                fetched_url: trouble.url,
                status: Status::Error,
                error: Some(trouble.reason),
                ..Article::default()
            },
        };
        Record { article }
    }

    fn article(&self, loaded: &Loaded, item: Option<Item>, feed: Option<&str>) -> Article {
        let method = match &self.way {
            Way::PageByPage(method) => method,
            Way::Wrappers(wrappers) => {
                let host = site_of(loaded.here.url.as_deref());
                let found = wrappers.of_page(host.as_deref(), loaded.folder.as_deref(), feed);
                return match found {
                    Ok(extractor) => {
                        let page = loaded.parse_for(&extractor);
                        extractor.extract(&page, &self.options)
                    }
                    Err(NoWrapper::Unknown(why)) => fallback(&loaded.parse(), &self.options, &why),
                    Err(NoWrapper::Broken(reason)) => Article {
                        status: Status::Error,
                        error: Some(reason),
                        ..Article::default()
                    },
                };
            }
        };
        let page = loaded.parse();
        if *method == Method::OnePage(Preset::Onepage) {
            return one_page(&page, &self.options);
        }
        match method.of_one_page(&page) {
            Some(mask) => self.page_by_page(&page, &mask, method),
            None => self.by_item(page, item, method),
        }
    }

    /// The methods that look for the words of the feed's item.
    fn by_item(&self, page: Page, item: Option<Item>, method: &Method) -> Article {
        let mut sample = SamplePage::new(page, "");
        if let Some(item) = item {
            sample = sample.with_item(&item);
        }
        if *method == Method::Sigfeed {
            let mask = sigfeed(&sample, DEFAULT_KEYWORDS);
            return self.page_by_page(&sample.page, &mask, method);
        }
        let mut out = article(&sample.page, &Mask::none(&sample.page), &self.options);
        out.text = description(&sample);
        out.images.clear();
        self.judged(out, method)
    }

    fn page_by_page(&self, page: &Page, mask: &Mask, method: &Method) -> Article {
        self.judged(article(page, mask, &self.options), method)
    }

    fn judged(&self, mut out: Article, method: &Method) -> Article {
        out.status = Status::Ok;
        if out.text.is_empty() {
            out.status = Status::Empty;
            out.error = Some(match method {
                Method::Sigfeed | Method::Description => format!(
                    "method {method} finds nothing: does a feed with a description lead to the page?"
                ),
                _ => format!("{method} finds no article on this page"),
            });
        }
        out
    }
}
