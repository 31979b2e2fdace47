//! `/makefulltextfeed?url=`: a feed with the whole articles of its items, as Full-Text RSS
//! gives it under this address. The parameters are its own: `url`, of a feed or of a page that
//! names one, `max`, the number of items, and `format`, `rss` or `atom`.
//!
//! A site without a wrapper is learned on first use, from the pages of its items. The wrapper
//! and the articles that were read stay in memory for a while, and nowhere else.
//!
//! Entries have the identifiers of the feed's items, each one of its own (`ListedItem`). Items
//! that link to one page have the feed's own texts.

use super::extract::address;
use super::fault::ApiFault;
use crate::state::LibraryApp;
use axum::body::Body;
use axum::http::header::{self, HeaderValue};
use axum::http::{Response, StatusCode, Uri};
use chrono::{DateTime, FixedOffset, TimeDelta, Utc};
use forest_archive::export::find_shared_links;
use forest_archive::search::as_time;
use forest_archive::{NamedItem, name_unknown_items};
use forest_core::extract::{Article, Status};
use forest_core::feed::write::{Channel, FeedEntry, SyndicationFormat, write};
use forest_core::feed::{self, Feed, FeedItem, SniffedType, discover, sniff};
use forest_core::render::item_html;
use forest_fetch::{Fetched, Resource};
use forest_html::address::page_key;
use forest_html::page::plain::escape;
use forest_html::page::{Page, Source};
use forest_web::form_fields::FormFields;
use forest_web::served_state::ServedState;
use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, SystemTime};
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
        let items = listed(&address, &mut feed, max.min(MAX_ITEMS));
        let articles = articles(&state, &items).await?;
        let at = DateTime::<Utc>::from(SystemTime::now()).fixed_offset();
        let entries = move || entries(&items, &articles, format, at);
        let written = move || Ok(write(&channel(address, feed, entries(), at), format));
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

/// An item of the feed, with its names.
struct ListedItem {
    item: FeedItem,
    named: NamedItem,
    /// Other items link to the same page: it is the article of none of them.
    is_shared: bool,
}

impl ListedItem {
    /// The page to be read for it.
    fn page(&self) -> Option<&Url> {
        self.item.link.as_ref().filter(|_| !self.is_shared)
    }

    /// The name of its entry: that of its item, where the format allows it. Atom's are absolute
    /// IRIs.
    fn id(&self, format: SyndicationFormat) -> &str {
        let NamedItem { name, entry, .. } = &self.named;
        let is_free = format == SyndicationFormat::Rss && name.contains(self.item.id.trim());
        let is_iri = !name.contains(char::is_whitespace) && Url::parse(name).is_ok();
        if is_free || is_iri { name } else { entry }
    }
}

/// The first items of a feed. All of them are named: some may share a name with a later one.
fn listed(address: &Url, feed: &mut Feed, most: usize) -> Vec<ListedItem> {
    let named = name_unknown_items(address.as_str(), feed);
    let shared = find_shared_links(&feed.items);
    let mut names = HashSet::new();
    let items = std::mem::take(&mut feed.items).into_iter().zip(named);
    let listed = items.filter_map(|(item, named)| {
        let link = item.link.as_ref();
        let is_shared = link.is_some_and(|link| shared.contains(&page_key(link.as_str())));
        let is_new = names.insert(named.name.clone());
        is_new.then_some(ListedItem {
            item,
            named,
            is_shared,
        })
    });
    listed.take(most).collect()
}

/// The articles of a feed's items, those that are kept and those whose pages come in time.
async fn articles(
    state: &ServedState<LibraryApp>,
    items: &[ListedItem],
) -> Result<PageArticles, ApiFault> {
    let (reader, kept, client) = (&state.reader, &state.kept_articles, state.client);
    let end = Instant::now() + PAGES_WITHIN;
    let mut found: PageArticles = vec![None; items.len()];
    let mut missing = Vec::new();
    for (place, item) in items.iter().enumerate() {
        let Some(url) = item.page().cloned() else {
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
    let sample = sample.map(|(place, _, page)| (page.clone(), items[*place].item.clone()));
    reader.learn(client, sample.collect()).await;
    for (place, url, page) in pages {
        let article = reader.article(client, page).await.map(Arc::new);
        if let Ok(article) = &article {
            kept.keep(&url, Arc::clone(article), size(article));
        }
        found[place] = Some(article);
    }
    Ok(found)
}

/// Bytes of an article's text and HTML.
fn size(article: &Article) -> usize {
    article.text.len() + article.html.as_ref().map_or(0, String::len)
}

fn channel(
    address: Url,
    feed: Feed,
    entries: Vec<FeedEntry>,
    at: DateTime<FixedOffset>,
) -> Channel {
    Channel {
        id: address.to_string(),
        entries,
        title: feed.title,
        description: feed.description,
        home: feed.site,
        language: feed.language,
        image: feed.image,
        address: None,
        at,
    }
}

/// The entries at a time.
fn entries(
    items: &[ListedItem],
    articles: &PageArticles,
    format: SyndicationFormat,
    at: DateTime<FixedOffset>,
) -> Vec<FeedEntry> {
    let entries = items.iter().zip(articles);
    let entries = entries.map(|(listed, article)| FeedEntry {
        id: listed.id(format).to_owned(),
        ..entry(listed, article.as_ref(), at)
    });
    entries.collect()
}

/// The reason of an entry whose feed has more of its text than the page.
const SHOWS_LESS: &str = "The page shows less than the feed.";

/// An item with its article; without one, or with less than the feed has, the feed's own text,
/// and why.
fn entry(
    listed: &ListedItem,
    article: Option<&Result<Arc<Article>, ApiFault>>,
    at: DateTime<FixedOffset>,
) -> FeedEntry {
    let item = &listed.item;
    let mut entry = FeedEntry::of_item(item);
    let whole = article.and_then(|article| article.as_ref().ok());
    let found = whole.filter(|article| is_found(article) && !item.says_more_than(&article.text));
    match found.and_then(|article| Some((article, article.html.as_ref()?))) {
        Some((article, html)) => {
            entry.html.clone_from(html);
            entry.language.clone_from(&article.language);
            entry.published = entry
                .published
                .or_else(|| date(&article.date_published, at));
            entry.updated = entry.updated.or_else(|| date(&article.date_modified, at));
            if entry.authors.is_empty() {
                entry.authors.clone_from(&article.authors);
            }
            if entry.title.is_empty() {
                entry.title = article.title.clone().unwrap_or_default();
            }
        }
        None => {
            let why = match article {
                _ if listed.page().is_none() => return own_text(entry, item),
                Some(Err(fault)) => fault.why(),
                Some(Ok(article)) if is_found(article) => SHOWS_LESS,
                Some(Ok(article)) => article.error.as_deref().unwrap_or("it has no article"),
                None => "it did not come in time",
            };
            entry = own_text(entry, item);
            entry.html.push_str("<p><em>");
            if why != SHOWS_LESS {
                entry.html.push_str("The page could not be read: ");
            }
            escape(why, &mut entry.html);
            entry.html.push_str("</em></p>\n");
        }
    }
    entry
}

fn is_found(article: &Article) -> bool {
    matches!(
        article.status,
        Status::Ok | Status::Degraded | Status::Fallback
    )
}

/// The date on a page that was read at a time. A date more than a day ahead is ignored.
fn date(on_page: &Option<String>, at: DateTime<FixedOffset>) -> Option<DateTime<FixedOffset>> {
    let date = as_time(on_page.as_deref()?)?.fixed_offset();
    (date <= at + TimeDelta::days(1)).then_some(date)
}

/// The entry with the feed's own text.
fn own_text(mut entry: FeedEntry, item: &FeedItem) -> FeedEntry {
    entry.html = item_html(item);
    entry
}
