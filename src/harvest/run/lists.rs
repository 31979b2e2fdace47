//! Pages that list articles, polled as feeds: HTML at the address of a feed is read by the
//! wrapper of its site's list.

use crate::address::page_key;
use crate::extract::list::{ListExtractor, ListItem, ListedItems};
use crate::feed::{Feed, FeedDate, FeedItem, FeedVersion};
use crate::fetch::Visited;
use crate::page::{Page, Source};
use url::Url;

/// The page in an answer.
pub(super) fn page_in(visited: &Visited) -> Page {
    let source = Source {
        url: Some(visited.url.as_str()),
        content_type: visited.content_type.as_deref(),
    };
    // The fetcher has bounded the body already.
    let body = &visited.body;
    Page::parse_within(body, source, body.len(), |text| text)
}

/// A list of articles as a feed. The names of its items are the keys of their pages: an item
/// that moves down, leaves the list or comes back is the same.
pub(super) fn feed_of(page: &Page, listed: ListedItems) -> Feed {
    let metadata = page.metadata();
    Feed {
        format: FeedVersion::List,
        title: metadata.title.clone().unwrap_or_default(),
        description: None,
        language: metadata.language.clone(),
        site: page.url().and_then(|url| Url::parse(url).ok()),
        image: None,
        ttl: None,
        items: listed.items.into_iter().map(item_of).collect(),
        warnings: Vec::new(),
    }
}

fn item_of(item: ListItem) -> FeedItem {
    FeedItem {
        id: page_key(&item.url),
        title: item.title.unwrap_or_default(),
        summary: item.summary.unwrap_or_default(),
        link: Url::parse(&item.url).ok(),
        published: item.date.map(FeedDate::of),
        authors: item.author.into_iter().collect(),
        image: item.image.and_then(|url| Url::parse(&url).ok()),
        ..FeedItem::default()
    }
}

/// The feed that a page is by the wrapper of its list; the reason, if it has no items.
pub(super) fn read(page: &Page, extractor: &ListExtractor) -> Result<Feed, String> {
    let listed = extractor.apply(page);
    if listed.items.is_empty() {
        return Err("the wrapper of its list selects no item".to_owned());
    }
    Ok(feed_of(page, listed))
}
