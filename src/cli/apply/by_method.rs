//! Articles by a one-page method.

use forest_core::extract::{Article, Options, Status, article, one_page};
use forest_core::feed::FeedItem;
use forest_core::learn::{Method, SamplePage, description, sigfeed};
use forest_core::signifier::DEFAULT_KEYWORDS;
use forest_html::page::{Mask, Page};
use forest_sources::record::OnePageExtractor;
use forest_sources::sources::LoadedPage;
use forest_text::pipeline::{AnyMethod, Preset};

/// A method without wrappers.
pub struct ByMethod(pub AnyMethod);

impl OnePageExtractor for ByMethod {
    fn article(&self, loaded: &LoadedPage, options: &Options) -> Article {
        let ByMethod(method) = self;
        let page = loaded.parse();
        if *method == AnyMethod::OnePage(Preset::Onepage) {
            return one_page(&page, options);
        }
        match method.of_one_page(&page) {
            Some(mask) => page_by_page(&page, &mask, method, options),
            None => by_item(page, loaded.item.as_ref(), method, options),
        }
    }
}

/// The article of a method that searches the words of the feed's item.
fn by_item(page: Page, item: Option<&FeedItem>, method: &AnyMethod, options: &Options) -> Article {
    let mut sample = SamplePage::new(page, "");
    if let Some(item) = item {
        sample = sample.with_item(item);
    }
    if method.of_site() == Some(Method::Sigfeed) {
        let mask = sigfeed(&sample, DEFAULT_KEYWORDS);
        return page_by_page(&sample.page, &mask, method, options);
    }
    let mut out = article(&sample.page, &Mask::none(&sample.page), options);
    out.text = description(&sample);
    // The feed's text is plain already.
    out.prose = None;
    out.images.clear();
    judged(out, method)
}

fn page_by_page(page: &Page, mask: &Mask, method: &AnyMethod, options: &Options) -> Article {
    judged(article(page, mask, options), method)
}

fn judged(mut out: Article, method: &AnyMethod) -> Article {
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
