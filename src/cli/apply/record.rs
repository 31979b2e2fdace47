//! A page to its record.

use super::wrappers::{NoWrapper, Wrappers};
use super::{Captions, Format, OutputArgs};
use crate::cli::source::{Loaded, Trouble};
use forest::extract::{
    self, Article, ArticleWarning, Extractor, Options, PagedArticle, Status, article, fallback,
    one_page,
};
use forest::feed::Item;
use forest::learn::{Method, SamplePage, description, sigfeed, site_of};
use forest::page::{Mask, Page};
use forest::pipeline::Preset;
use forest::prose::{self, TextOptions};
use forest::signifier::DEFAULT_KEYWORDS;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// How articles are found.
pub enum Way {
    Wrappers(Wrappers),
    PageByPage(Method),
}

/// What comes of an input, while further pages of its article come.
pub struct Draft {
    id: String,
    url: Option<String>,
    date: Option<String>,
    text: Text,
    /// The authors and the tags that a feed says it has.
    said: (Vec<String>, Vec<String>),
    /// A page that the program failed on.
    lost: Option<ArticleWarning>,
    /// The further pages that it has, if they are kept.
    #[cfg(feature = "archive")]
    parts: Option<Vec<FoundPart>>,
}

/// A further page of an article.
#[cfg(feature = "archive")]
#[derive(Debug, Clone)]
pub struct FoundPart {
    /// The address at which it was wanted.
    pub wanted: String,
    /// Its own.
    pub url: String,
    pub bytes: Vec<u8>,
    pub content_type: Option<String>,
}

/// A record, and what it was made of.
pub struct Done {
    pub article: Article,
    /// The text of its body, where the record has it normalised.
    #[cfg(feature = "archive")]
    pub plain: Option<String>,
    #[cfg(feature = "archive")]
    pub parts: Vec<FoundPart>,
}

enum Text {
    Done(Box<Article>),
    Whole(Box<PagedArticle<Arc<Extractor>>>),
}

impl Text {
    fn of(article: Article) -> Text {
        Text::Done(Box::new(article))
    }
}

fn failed(reason: &str) -> Article {
    Article {
        status: Status::Error,
        error: Some(reason.to_owned()),
        ..Article::default()
    }
}

impl Draft {
    /// The address of the page that the article goes on at.
    pub fn wanted(&self) -> Option<&str> {
        match &self.text {
            Text::Whole(whole) => whole.wanted(),
            Text::Done(_) => None,
        }
    }

    /// Adds the page that was wanted, or says why it cannot be had.
    pub fn add(&mut self, part: Result<&Loaded, &str>) {
        let Text::Whole(whole) = &mut self.text else {
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
            #[cfg(feature = "archive")]
            Ok(true) => {
                if let (Some(parts), Ok(loaded)) = (&mut self.parts, part) {
                    parts.push(FoundPart {
                        url: loaded.here.url.clone().unwrap_or_else(|| url.clone()),
                        wanted: url,
                        bytes: loaded.here.bytes.clone(),
                        content_type: loaded.here.content_type.clone(),
                    });
                }
            }
            Ok(_) => {}
            Err(_) => {
                let why = "forest crashed on that page: please report it";
                match whole.wanted() == Some(&url) {
                    true => whole.miss(why),
                    false => {
                        let why = why.to_owned();
                        self.lost = Some(ArticleWarning::EndsBefore { url, why });
                    }
                }
            }
        }
    }

    /// The record.
    pub fn finish(self) -> Done {
        let mut article = match self.text {
            Text::Done(article) => *article,
            Text::Whole(whole) => whole.finish(),
        };
        article.warnings.extend(self.lost);
        let prose = article.prose.take();
        let plain = prose.map(|prose| std::mem::replace(&mut article.text, prose));
        #[cfg(not(feature = "archive"))]
        drop(plain);
        if article.site.is_none() {
            article.site = site_of(self.url.as_deref());
        }
        if !article.text.is_empty() {
            let (authors, tags) = &self.said;
            article.complete(authors, tags);
        }
        article.id = self.id;
        article.fetched_url = self.url;
        article.date_fetched = self.date;
        Done {
            article,
            #[cfg(feature = "archive")]
            plain,
            #[cfg(feature = "archive")]
            parts: self.parts.unwrap_or_default(),
        }
    }
}

/// Makes records.
pub struct Maker {
    way: Way,
    options: Options,
    #[cfg(feature = "archive")]
    keeps_parts: bool,
}

impl Maker {
    /// `prose`: the rules by which the text is normalised, if it is to be.
    pub fn new(way: Way, format: Format, output: &OutputArgs, prose: Option<TextOptions>) -> Maker {
        let captions = match output.captions {
            Captions::Text => extract::CaptionPlace::Text,
            Captions::Images => extract::CaptionPlace::Images,
        };
        let mut options = Options::default()
            .with_captions(captions)
            .with_html(output.with_html || matches!(format, Format::Html | Format::Xhtml))
            .with_markdown(format == Format::Markdown);
        if let Some(rules) = prose {
            options = options.with_prose(move |page, body| prose::prose(page, body, &rules).text);
        }
        Maker {
            way,
            options,
            #[cfg(feature = "archive")]
            keeps_parts: false,
        }
    }

    /// Whether the further pages of articles are kept.
    #[cfg(feature = "archive")]
    pub fn keep_parts(mut self, keeps_parts: bool) -> Maker {
        self.keeps_parts = keeps_parts;
        self
    }

    /// The wrapper of a page.
    #[cfg(feature = "archive")]
    pub fn extractor_of(&self, loaded: &Loaded, feed: Option<&str>) -> Option<Arc<Extractor>> {
        let Way::Wrappers(wrappers) = &self.way else {
            return None;
        };
        let host = site_of(loaded.here.url.as_deref());
        let found = wrappers.of_page(host.as_deref(), loaded.folder.as_deref(), feed);
        found.ok()
    }

    /// The headers that the wrapper of a host wants.
    pub fn headers_of(&self, host: &str) -> Option<BTreeMap<String, String>> {
        match &self.way {
            Way::Wrappers(wrappers) => wrappers.headers_of(host),
            Way::PageByPage(_) => None,
        }
    }

    /// The record of an input as far as one page tells; one that cannot be read gives
    /// one as well.
    pub fn draft(&self, loaded: Result<&Loaded, &Trouble>, feed: Option<&str>) -> Draft {
        match loaded {
            Ok(loaded) => {
                let made = catch_unwind(AssertUnwindSafe(|| self.text(loaded, feed)));
                let said = loaded.item.as_ref();
                Draft {
                    id: loaded.id.clone(),
                    url: loaded.here.url.clone(),
                    date: loaded.here.date.clone(),
                    text: made.unwrap_or_else(|_| {
                        Text::of(failed("forest crashed on this page: please report it"))
                    }),
                    said: said.map_or_else(Default::default, |item| {
                        (item.authors.clone(), item.categories.clone())
                    }),
                    lost: None,
                    #[cfg(feature = "archive")]
                    parts: self.keeps_parts.then(Vec::new),
                }
            }
            Err(trouble) => Draft {
                id: trouble.id.clone(),
                url: trouble.url.clone(),
                date: None,
                text: Text::of(failed(&trouble.reason)),
                said: Default::default(),
                lost: None,
                #[cfg(feature = "archive")]
                parts: None,
            },
        }
    }

    fn text(&self, loaded: &Loaded, feed: Option<&str>) -> Text {
        let method = match &self.way {
            Way::PageByPage(method) => method,
            Way::Wrappers(wrappers) => {
                let host = site_of(loaded.here.url.as_deref());
                let found = wrappers.of_page(host.as_deref(), loaded.folder.as_deref(), feed);
                return match found {
                    Ok(extractor) => {
                        let page = loaded.parse_for(&extractor);
                        Text::Whole(Box::new(PagedArticle::of(
                            extractor,
                            &page,
                            self.options.clone(),
                        )))
                    }
                    Err(NoWrapper::Unknown(why)) => {
                        Text::of(fallback(&loaded.parse(), &self.options, &why))
                    }
                    Err(NoWrapper::Broken(reason)) => Text::of(failed(&reason)),
                };
            }
        };
        let page = loaded.parse();
        if *method == Method::OnePage(Preset::Onepage) {
            return Text::of(one_page(&page, &self.options));
        }
        Text::of(match method.of_one_page(&page) {
            Some(mask) => self.page_by_page(&page, &mask, method),
            None => self.by_item(page, loaded.item.as_ref(), method),
        })
    }

    /// The methods that look for the words of the feed's item.
    fn by_item(&self, page: Page, item: Option<&Item>, method: &Method) -> Article {
        let mut sample = SamplePage::new(page, "");
        if let Some(item) = item {
            sample = sample.with_item(item);
        }
        if *method == Method::Sigfeed {
            let mask = sigfeed(&sample, DEFAULT_KEYWORDS);
            return self.page_by_page(&sample.page, &mask, method);
        }
        let mut out = article(&sample.page, &Mask::none(&sample.page), &self.options);
        out.text = description(&sample);
        // The feed's words are plain text already.
        out.prose = None;
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
