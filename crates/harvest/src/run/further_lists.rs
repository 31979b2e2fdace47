//! The items of a list's pages beyond its first: those that follow by its "next" link, at a poll
//! or on a walk back in time.

use super::feeds::new_items;
use chrono::{DateTime, Utc};
use forest_archive::{Archive, ArchiveChange, Event, FeedRow, StoredItem};
use forest_core::extract::list::ListExtractor;
use forest_core::feed::{Feed, FeedItem};
use forest_html::address::site_of;
use forest_html::page::Page;
use url::Url;

/// The wrapper of the list of a page's site, if the archive has one.
pub(super) fn known_list(archive: &Archive, page: &Page) -> crate::Result<Option<ListExtractor>> {
    let site = site_of(page.url()).unwrap_or_default();
    let file = archive.list_file(&site)?;
    Ok(file
        .map(|file| ListExtractor::new(file.wrapper))
        .transpose()?)
}

/// The items of a list whose pages the archive has not.
pub(super) fn unknown_items(
    archive: &Archive,
    row: &FeedRow,
    mut feed: Feed,
) -> crate::Result<Vec<StoredItem>> {
    let mut unknown = Vec::new();
    for item in feed.items.drain(..) {
        if !has_page_of(archive, &item)? {
            unknown.push(item);
        }
    }
    feed.items = unknown;
    Ok(new_items(archive, row, &feed)?.items)
}

/// True if the archive has the page of an item: a feed may have it under another name, and
/// without what the links of the list add to all addresses.
fn has_page_of(archive: &Archive, item: &FeedItem) -> crate::Result<bool> {
    let link = item.link.as_ref().map(Url::as_str).unwrap_or_default();
    let bare = format!("https://{}", item.id);
    Ok(archive.page_of(link)?.is_some() || archive.page_of(&bare)?.is_some())
}

/// Writes items as the feed's.
pub(super) fn write_items(
    archive: &mut Archive,
    row: &FeedRow,
    items: Vec<StoredItem>,
    now: DateTime<Utc>,
) -> crate::Result<()> {
    if items.is_empty() {
        return Ok(());
    }
    let event = Event::FeedRead {
        feed: row.url.clone(),
        title: row.title.clone(),
        items,
    };
    archive.write(vec![ArchiveChange::Event { at: now, event }])?;
    Ok(())
}
