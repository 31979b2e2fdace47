//! `/makefulltextfeed?url=`: a feed with the whole articles of its items, as Full-Text RSS
//! gives it under this address. The parameters are its own: `url`, of a feed or of a page that
//! names one, `max`, the number of items, and `format`, `rss` or `atom`.
//!
//! A site without a wrapper is learned on first use, from the pages of its items. The wrapper
//! and the articles that were read stay in memory for a while, and nowhere else.

use super::extract::address;
use super::fault::ApiFault;
use crate::state::LibraryApp;
use axum::body::Body;
use axum::http::header::{self, HeaderValue};
use axum::http::{Response, StatusCode, Uri};
use chrono::DateTime;
use forest_core::extract::{Article, Status};
use forest_core::feed::write::{Channel, FeedEntry, SyndicationFormat, write};
use forest_core::feed::{self, Feed, FeedItem, SniffedType, discover, sniff};
use forest_core::render::own_html;
use forest_fetch::{Fetched, Resource};
use forest_html::page::plain::escape;
use forest_html::page::{Page, Source};
use forest_web::form_fields::FormFields;
use forest_web::served_state::ServedState;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout_at};
use url::Url;

/// Items of a feed by default, as Full-Text RSS has it.
const ITEMS: usize = 10;

/// Items of a feed at the most.
const MAX_ITEMS: usize = 30;

/// Time for the feed itself.
const FEED_WITHIN: Duration = Duration::from_secs(60);

/// Time for the pages of its items; those that are not there by then have the feed's own text.
const PAGES_WITHIN: Duration = Duration::from_secs(45);

/// Time for all.
const WITHIN: Duration = Duration::from_secs(120);

/// The articles of pages, or why there are none, by the place of their items.
type PageArticles = Vec<Option<Result<Arc<Article>, ApiFault>>>;

pub(super) async fn make(
    state: ServedState<LibraryApp>,
    uri: Uri,
) -> Result<Response<Body>, ApiFault> {
    let url = address(&uri)?;
    let sent = FormFields::read(uri.query().unwrap_or_default().as_bytes());
    let format = match sent.get("format") {
        "" | "rss" => SyndicationFormat::Rss,
        "atom" => SyndicationFormat::Atom,
        _ => return Err(unusable("format is rss or atom")),
    };
    let max = match sent.get("max") {
        "" => ITEMS,
        max => max.parse().map_err(|_| unusable("max is a number"))?,
    };
    let reader = &state.reader;
    let work = async {
        state.rate.take(1)?;
        reader.allow(&url);
        let (address, mut feed) = opened(&state, &url).await?;
        feed.items.truncate(max.min(MAX_ITEMS));
        let articles = articles(&state, &feed).await?;
        let written = move || Ok(write(&channel(address, feed, &articles), format));
        reader.work(state.client, written).await
    };
    let text = reader.within(state.client, WITHIN, work).await?;
    let mut answer = Response::new(Body::from(text));
    let kind = HeaderValue::from_static(format.media_type());
    answer.headers_mut().insert(header::CONTENT_TYPE, kind);
    Ok(answer)
}

fn unusable(why: &str) -> ApiFault {
    ApiFault::new(StatusCode::BAD_REQUEST, why)
}

/// The feed at an address, or the one that the page there names first.
async fn opened(state: &ServedState<LibraryApp>, url: &Url) -> Result<(Url, Feed), ApiFault> {
    let (reader, client) = (&state.reader, state.client);
    let limit = FEED_WITHIN;
    let in_time = tokio::time::timeout(limit, async {
        let fetched = reader.fetch(url, Resource::Feed).await?;
        if sniff(&fetched.body) != SniffedType::Html {
            return reader.work(client, move || parsed(&fetched)).await;
        }
        let named = reader.work(client, move || named_by(&fetched)).await?;
        let fetched = reader.fetch(&named, Resource::Feed).await?;
        reader.work(client, move || parsed(&fetched)).await
    });
    let late = || ApiFault::new(StatusCode::GATEWAY_TIMEOUT, "the feed takes too long");
    in_time.await.unwrap_or_else(|_| Err(late()))
}

fn parsed(fetched: &Fetched) -> Result<(Url, Feed), ApiFault> {
    let feed = feed::parse(
        &fetched.body,
        Some(&fetched.url),
        fetched.content_type.as_deref(),
    );
    let feed = feed.map_err(|error| ApiFault::new(StatusCode::BAD_GATEWAY, error.to_string()))?;
    Ok((fetched.url.clone(), feed))
}

fn named_by(fetched: &Fetched) -> Result<Url, ApiFault> {
    let source = Source {
        url: Some(fetched.url.as_str()),
        content_type: fetched.content_type.as_deref(),
    };
    let candidates = discover(&Page::parse(&fetched.body, source));
    let first = candidates.into_iter().next().map(|found| found.url);
    first.ok_or_else(|| {
        let why = "this is a page, and it names no feed";
        ApiFault::new(StatusCode::BAD_GATEWAY, why)
    })
}

/// The articles of a feed's items, those that are kept and those whose pages come in time.
async fn articles(state: &ServedState<LibraryApp>, feed: &Feed) -> Result<PageArticles, ApiFault> {
    let (reader, kept, client) = (&state.reader, &state.kept_articles, state.client);
    let end = Instant::now() + PAGES_WITHIN;
    let mut found: PageArticles = vec![None; feed.items.len()];
    let mut missing = Vec::new();
    for (place, item) in feed.items.iter().enumerate() {
        let Some(url) = item.link.clone() else {
            continue;
        };
        match kept.get(&url) {
            Some(article) => found[place] = Some(Ok(article)),
            None => missing.push((place, url)),
        }
    }
    state
        .rate
        .take(u32::try_from(missing.len()).unwrap_or(u32::MAX))?;
    let mut reading = JoinSet::new();
    for (place, url) in missing {
        let reader = Arc::clone(reader);
        reading.spawn(async move {
            let page = reader.page(client, &url).await;
            (place, url, page)
        });
    }
    let mut pages = Vec::new();
    while let Ok(Some(done)) = timeout_at(end, reading.join_next()).await {
        match done {
            Ok((place, url, Ok(page))) => pages.push((place, url, page)),
            Ok((place, _, Err(fault))) => found[place] = Some(Err(fault)),
            Err(_) => {}
        }
    }
    pages.sort_by_key(|(place, ..)| *place);
    let sample = pages.iter();
    let sample = sample.map(|(place, _, page)| (page.clone(), feed.items[*place].clone()));
    reader.learn(client, sample.collect()).await;
    for (place, url, page) in pages {
        let article = reader.article(client, page).await;
        found[place] = Some(article.map(|article| kept.keep(&url, article)));
    }
    Ok(found)
}

fn channel(address: Url, feed: Feed, articles: &PageArticles) -> Channel {
    let entries = feed.items.iter().zip(articles).enumerate();
    let entries = entries.map(|(place, (item, article))| {
        let mut entry = entry(item, article.as_ref());
        entry.id = match &item.link {
            Some(link) => link.to_string(),
            None => format!("{address}#{}", place + 1),
        };
        entry
    });
    Channel {
        id: address.to_string(),
        entries: entries.collect(),
        title: feed.title,
        description: feed.description,
        home: feed.site,
        language: feed.language,
        image: feed.image,
        address: None,
    }
}

/// An item with its article; without one the feed's own text, and why.
fn entry(item: &FeedItem, article: Option<&Result<Arc<Article>, ApiFault>>) -> FeedEntry {
    // Atom wants a time of each entry.
    let mut entry = FeedEntry::of_item(item, DateTime::UNIX_EPOCH.fixed_offset());
    let whole = article.and_then(|article| article.as_ref().ok());
    let found = whole.filter(|article| {
        matches!(
            article.status,
            Status::Ok | Status::Degraded | Status::Fallback
        )
    });
    match found.and_then(|article| Some((article, article.html.as_ref()?))) {
        Some((article, html)) => {
            entry.html.clone_from(html);
            entry.language.clone_from(&article.language);
            if entry.authors.is_empty() {
                entry.authors.clone_from(&article.authors);
            }
            if entry.title.is_empty() {
                entry.title = article.title.clone().unwrap_or_default();
            }
        }
        None => {
            let why = match article {
                _ if item.link.is_none() => return own_text(entry, item),
                Some(Err(fault)) => fault.why(),
                Some(Ok(article)) => article.error.as_deref().unwrap_or("it has no article"),
                None => "it did not come in time",
            };
            entry = own_text(entry, item);
            entry.html.push_str("<p><em>The page could not be read: ");
            escape(why, &mut entry.html);
            entry.html.push_str("</em></p>\n");
        }
    }
    entry
}

/// The entry with the feed's own text.
fn own_text(mut entry: FeedEntry, item: &FeedItem) -> FeedEntry {
    entry.html = match &item.content {
        Some(content) => own_html(content, item.content_address()),
        None => {
            let mut html = String::from("<p>");
            escape(&item.summary, &mut html);
            html + "</p>\n"
        }
    };
    entry
}
