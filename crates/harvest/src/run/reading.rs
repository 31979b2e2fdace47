//! Reads a page that was fetched. It keeps no state, so that pages are read on all cores.

use super::further::{ReadingStep, Unfinished};
use super::page_result::{FetchedPage, PageReading, finish, is_confirmed, not_a_page};
use forest_archive::KnownAddress;
use forest_core::drift::{PageSign, extract_and_observe};
use forest_core::extract::{Extractor, Options, PagedArticle, fallback};
use forest_html::error::CRASHED;
use forest_html::page::{Page, Source};
use forest_html::text::hex;
use sha2::{Digest, Sha256};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// The result of extracting an article from its first page.
enum FirstReading {
    Article(Box<PageReading>),
    GoesOn(Box<PagedArticle<Arc<Extractor>>>, Option<PageSign>),
    /// The page has not changed.
    Unchanged,
}

/// Reads a page.
pub(super) fn read(page: FetchedPage) -> ReadingStep {
    let reading = match error_of(&page) {
        Some(error) => Err(Some(error)),
        None => match catch_unwind(AssertUnwindSafe(|| extract(&page))) {
            Ok(FirstReading::GoesOn(whole, sign)) => {
                return ReadingStep::GoesOn(Box::new(Unfinished::new(page, whole, sign)));
            }
            Ok(FirstReading::Article(reading)) => Ok(*reading),
            Ok(FirstReading::Unchanged) => Err(None),
            Err(_) => Err(Some(CRASHED.to_owned())),
        },
    };
    ReadingStep::Read(Box::new(finish(page, reading)))
}

/// The reason why there is no page to read.
fn error_of(page: &FetchedPage) -> Option<String> {
    match page.visited.status {
        304 if is_confirmed(&page.visited, &page.known) => None,
        200..=299 => not_a_page(&page.visited.body),
        status => Some(format!("status {status}")),
    }
}

fn extract(fetched: &FetchedPage) -> FirstReading {
    let options = Options::default();
    if is_unchanged(fetched) {
        return go_on_again(fetched, options);
    }
    let url = fetched.visited.url.as_str();
    let source = Source {
        url: Some(url),
        content_type: fetched.visited.content_type.as_deref(),
    };
    // The fetcher has bounded the body already.
    let body = &fetched.visited.body;
    let Some(active) = &fetched.wrapper else {
        let page = Page::parse_within(body, source, body.len(), |text| text);
        let why = "no wrapper of this site was learned yet";
        let article = fallback(&page, &options, why);
        let sign = PageSign::bare(article.status);
        return FirstReading::Article(Box::new(PageReading::of_one_page(article, sign)));
    };
    let extractor = &active.extractor;
    let page = extractor.parse_within(body, source, body.len());
    let item_metadata = fetched.item_metadata.as_ref();
    let item_text = item_metadata.and_then(|metadata| metadata.item.text());
    let (article, seen) = extract_and_observe(
        extractor,
        url,
        &(&page).into(),
        item_text.as_deref(),
        &options,
    );
    let sign = PageSign::of(extractor.wrapper(), &seen);
    let whole = PagedArticle::with(Arc::clone(extractor), &page, options, article);
    match whole.wanted() {
        Some(_) => FirstReading::GoesOn(Box::new(whole), Some(sign)),
        None => FirstReading::Article(Box::new(PageReading::of_one_page(whole.finish(), sign))),
    }
}

fn is_unchanged(fetched: &FetchedPage) -> bool {
    let known: &KnownAddress = &fetched.known;
    let digest = || hex(&Sha256::digest(&fetched.visited.body));
    let raw = known.raw.as_ref();
    is_confirmed(&fetched.visited, known) || raw.is_some_and(|raw| raw.sha256 == digest())
}

/// Reads a first page that has not changed: its further pages may have changed, or may
/// exist now.
fn go_on_again(fetched: &FetchedPage, options: Options) -> FirstReading {
    let known = &fetched.known;
    let latest = known.latest.as_ref();
    let has_parts = !known.is_part() && latest.is_some_and(|latest| !latest.parts.is_empty());
    let (true, Some(active), Some(raw)) = (has_parts, &fetched.wrapper, &known.raw) else {
        return FirstReading::Unchanged;
    };
    let Ok(raw) = fetched.raw.read(raw) else {
        return FirstReading::Unchanged;
    };
    let page = raw.parse(Some(&active.extractor));
    let whole = PagedArticle::of(Arc::clone(&active.extractor), &page, options);
    match whole.wanted() {
        Some(_) => FirstReading::GoesOn(Box::new(whole), None),
        None => FirstReading::Unchanged,
    }
}
