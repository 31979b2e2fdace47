//! Whole feeds: every item of a feed in the feed's order, with the stored article of its
//! page, or with the feed's own content if there is none.
//!
//! The items are those of the feed's last kept answer, in its order. Later items, without a
//! kept answer, are before them, older ones behind them, the newest first. Title, language,
//! home page and picture of the feed are its own. All of it is in the tables: no request parses
//! the last answer.

use super::super::answers::{AnsweredItems, ItemRow, KnownPage};
use super::super::item_names::{entry_number, name_of};
use super::super::latest::{FeedProfile, LatestItem};
use super::super::search::published;
use super::super::{ArchiveReader, ArticleVersion, FeedRow, Filter, MarkupRenderer, StoredArticle};
use super::feeds::{article_entry, one_language, titled_entry};
use super::shared_pages::find_shared_pages;
use crate::error::Result;
use chrono::{DateTime, Utc};
use forest_core::extract::{self, Status};
use forest_core::feed::write::{Channel, FeedEntry};
use forest_core::feed::{self, FeedItem, ItemRules};
use forest_core::render::item_html;
use forest_html::page::plain::escape;
use forest_html::text::{fold, word_count};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};
use std::rc::Rc;
use url::Url;

/// Default minimum number of a feed's entries, if there are as many: more than a reader misses
/// in a week.
pub const DEFAULT_ENTRIES: usize = 50;

/// Statuses of articles: pages with another status hold none.
const FOUND: [Status; 3] = [Status::Ok, Status::Degraded, Status::Fallback];

/// The selection of items.
#[derive(Debug, Clone, Default)]
pub struct WhichItems {
    /// Maximum number of entries; `None`: all items of the feed's last answer, and at least
    /// [`DEFAULT_ENTRIES`].
    pub limit: Option<usize>,
    /// Rules for unwanted items, in addition to the feed's own.
    pub rules: ItemRules,
}

/// A feed of the archive; `None` if no feed has this address.
///
/// # Errors
///
/// If the archive cannot be read.
pub fn feed_channel(
    archive: &ArchiveReader,
    address: &str,
    which: &WhichItems,
) -> Result<Option<Channel>> {
    let Some((number, row)) = archive.numbered_feed(address)? else {
        return Ok(None);
    };
    let mut found = FoundItems::default();
    let own = found.add_feed(archive, number, &row, &which.rules)?;
    let entries = found.entries(archive, which)?;
    let home = Url::parse(&row.url).ok().and_then(|url| url.join("/").ok());
    let name = if row.listed_title.is_empty() {
        row.url.clone()
    } else {
        row.listed_title.clone()
    };
    let channel = Channel {
        id: row.url.clone(),
        entries,
        ..Channel::default()
    };
    let listed = Some((&row, own.as_ref()));
    Ok(Some(described(channel, listed, name, home)))
}

/// The articles of a site: the items of its own feeds (more than half of their items are pages
/// of the site), items of other feeds with pages of the site, and articles of no feed. Title,
/// language, home page and picture are those of its largest feed. `None` if there is nothing.
///
/// # Errors
///
/// If the archive cannot be read.
pub fn site_channel(
    archive: &ArchiveReader,
    site: &str,
    which: &WhichItems,
) -> Result<Option<Channel>> {
    let mut found = FoundItems {
        is_of_site: true,
        ..FoundItems::default()
    };
    let mut main: Option<(FeedRow, Option<FeedProfile>)> = None;
    let feeds = archive.feeds_of_site(site)?;
    for feed in feeds.iter().filter(|feed| feed.is_own) {
        let Some(row) = archive.feed_of(feed.number)? else {
            continue;
        };
        let own = found.add_feed(archive, feed.number, &row, &which.rules)?;
        if main.is_none() {
            main = Some((row, own));
        } else {
            found.is_merged = true;
        }
    }
    found.add_items_on(archive, site, &which.rules)?;
    found.add_unnamed(archive, site, which)?;
    let entries = found.entries(archive, which)?;
    if entries.is_empty() {
        return Ok(None);
    }
    // The identifier does not change with the site's scheme.
    let name = Url::parse(&format!("https://{site}/")).ok();
    let scheme = match entries.first().and_then(|entry| entry.url.as_ref()) {
        Some(url) if url.scheme() == "http" => "http",
        _ => "https",
    };
    let channel = Channel {
        id: name.map_or_else(|| name_of(site), String::from),
        entries,
        ..Channel::default()
    };
    let home = Url::parse(&format!("{scheme}://{site}/")).ok();
    let main = main.as_ref().map(|(row, own)| (row, own.as_ref()));
    Ok(Some(described(channel, main, site.to_owned(), home)))
}

/// A channel with the title, language, home page and picture of its feed.
fn described(
    mut channel: Channel,
    feed: Option<(&FeedRow, Option<&FeedProfile>)>,
    name: String,
    home: Option<Url>,
) -> Channel {
    let own = feed.and_then(|(_, own)| own);
    let titles = [
        own.map(|own| own.title.clone()),
        feed.map(|(row, _)| row.title.clone()),
    ];
    let title = titles.into_iter().flatten().find(|title| !title.is_empty());
    channel.title = title.unwrap_or(name);
    channel.description = own.and_then(|own| own.description.clone());
    channel.home = own.and_then(|own| own.home.clone()).or(home);
    channel.image = own.and_then(|own| own.image.clone());
    channel.language = own
        .and_then(|own| own.language.clone())
        .or_else(|| one_language(&channel.entries));
    channel
}

/// An entry before it is written.
struct PendingEntry {
    /// Its feed's address; empty if no feed lists it.
    feed: Rc<str>,
    rules: Rc<ItemRules>,
    /// Its name, and another if an entry has that already.
    names: [String; 2],
    number: Option<i64>,
    date: DateTime<Utc>,
    /// Other items of its feed link to the same page.
    is_shared: bool,
    of: EntrySource,
}

enum EntrySource {
    /// An item of the feed's last answer.
    Item(Box<feed::FeedItem>, Option<KnownPage>),
    /// An item of the tables.
    Row(ItemRow),
    /// An article that no feed lists.
    Article(Box<(StoredArticle, ArticleVersion)>),
}

/// The found items, in the order of the output: those after the last answer, those of the
/// last answer, and older ones.
#[derive(Default)]
struct FoundItems {
    newer: Vec<PendingEntry>,
    current: Vec<PendingEntry>,
    older: Vec<PendingEntry>,
    /// Pages that are among these.
    pages: HashSet<i64>,
    /// True if they are of several feeds: then the items are ordered by date.
    is_merged: bool,
    /// True if they are those of a site, so that several feeds may have a name for an entry.
    is_of_site: bool,
}

impl FoundItems {
    /// Adds the new items of a feed; returns the feed's own channel.
    fn add_feed(
        &mut self,
        archive: &ArchiveReader,
        number: i64,
        row: &FeedRow,
        rules: &ItemRules,
    ) -> Result<Option<FeedProfile>> {
        let (address, rules) = (Rc::from(row.url.as_str()), Rc::new(row.rules.and(rules)));
        let other_name = |name: &str| name_of(&format!("{} {name}", row.named));
        let own = archive.profile_of(number)?;
        let answered = own.as_ref().map(|own| own.at);
        let rows = archive.items_of(number)?;
        let mut found = Vec::new();
        for latest in archive.latest_items(number)? {
            let mut page = None;
            if let Some(link) = &latest.item.link {
                if archive.is_forgotten(link.as_str())? {
                    continue;
                }
                page = archive.page_at(link.as_str())?;
            }
            found.push((latest, page));
        }
        let current = found.iter().filter_map(|(latest, page)| {
            let page = page.as_ref()?;
            Some((page, latest.item.title.as_str()))
        });
        let shared = find_shared_pages(current, &rows);
        let (mut pages, mut names) = (HashSet::new(), HashSet::new());
        let mut titles = HashSet::new();
        for (latest, page) in found {
            let LatestItem {
                name,
                entry,
                number,
                item,
            } = latest;
            let id = page.as_ref().map(|page| page.id);
            pages.extend(id);
            // It was found already: in this feed or in another.
            let is_known =
                !names.insert(name.clone()) || id.is_some_and(|id| self.pages.contains(&id));
            if is_known || rules.skip(&item) {
                continue;
            }
            let is_shared = id.is_some_and(|id| shared.contains(&id));
            if let Some(id) = id.filter(|_| is_shared) {
                titles.insert((id, fold(&item.title)));
            }
            let published = published_at(&item);
            let seen = page.as_ref().map(|page| page.first_seen);
            self.current.push(PendingEntry {
                feed: Rc::clone(&address),
                rules: Rc::clone(&rules),
                names: [entry, other_name(&name)],
                number,
                date: published.or(seen).or(answered).unwrap_or_default(),
                is_shared,
                of: EntrySource::Item(Box::new(item), page),
            });
        }
        for item in rows {
            let is_shared = item.page.is_some_and(|page| shared.contains(&page));
            let is_of_known_page = item.page.is_some_and(|page| {
                self.pages.contains(&page)
                    || if is_shared {
                        !titles.insert((page, fold(&item.title)))
                    } else {
                        !pages.insert(page)
                    }
            });
            if is_of_known_page || names.contains(&item.name) {
                continue;
            }
            pages.extend(item.page);
            let list = match answered {
                Some(at) if item.first_seen > at => &mut self.newer,
                _ => &mut self.older,
            };
            list.push(PendingEntry {
                feed: Rc::clone(&address),
                rules: Rc::clone(&rules),
                names: [item.entry.clone(), other_name(&item.name)],
                number: Some(item.number),
                date: item.date,
                is_shared,
                of: EntrySource::Row(item),
            });
        }
        self.pages.extend(pages);
        Ok(own)
    }

    /// Adds the items of other feeds with pages of a site.
    fn add_items_on(
        &mut self,
        archive: &ArchiveReader,
        site: &str,
        rules: &ItemRules,
    ) -> Result<()> {
        for item in archive.items_on(site)? {
            if item.page.is_none_or(|page| !self.pages.insert(page)) {
                continue;
            }
            let feed = archive.feed_of(item.feed)?;
            let of_feed = feed.as_ref().map(|feed| feed.rules.and(rules));
            let named = feed.as_ref().map_or("", |feed| &feed.named);
            let other = name_of(&format!("{named} {}", item.name));
            self.older.push(PendingEntry {
                feed: Rc::from(feed.map(|feed| feed.url).unwrap_or_default()),
                rules: Rc::new(of_feed.unwrap_or_else(|| rules.clone())),
                names: [item.entry.clone(), other],
                number: Some(item.number),
                date: item.date,
                is_shared: false,
                of: EntrySource::Row(item),
            });
            self.is_merged = true;
        }
        Ok(())
    }

    /// The newest articles of a site that no feed lists.
    fn add_unnamed(
        &mut self,
        archive: &ArchiveReader,
        site: &str,
        which: &WhichItems,
    ) -> Result<()> {
        let limit = which.limit.unwrap_or(DEFAULT_ENTRIES);
        // A heap of the best ones; the worst is dropped first.
        let mut newest = BTreeMap::new();
        let mut put = |article: StoredArticle, version: ArticleVersion| {
            let date = published(&article, &version);
            newest.insert((date, Reverse(article.id)), (article, version));
            if newest.len() > limit {
                newest.pop_first();
            }
        };
        if self.pages.is_empty() {
            let filter = Filter {
                site: Some(site.to_owned()),
                statuses: FOUND.to_vec(),
                ..Filter::default()
            };
            archive.each_latest(&filter, &mut |article, version| {
                put(article, version);
                Ok(())
            })?;
        } else {
            for article in archive.unnamed_articles(site)? {
                if let Some((article, version)) = archive.latest_of(article)?
                    && FOUND.contains(&version.record.status)
                {
                    put(article, version);
                }
            }
        }
        let rules = Rc::new(which.rules.clone());
        self.is_merged |= !newest.is_empty();
        for ((date, _), article) in newest.into_iter().rev() {
            self.older.push(PendingEntry {
                feed: Rc::from(""),
                rules: Rc::clone(&rules),
                names: <[String; 2]>::default(),
                number: None,
                date,
                is_shared: false,
                of: EntrySource::Article(Box::new(article)),
            });
        }
        Ok(())
    }

    fn entries(mut self, archive: &ArchiveReader, which: &WhichItems) -> Result<Vec<FeedEntry>> {
        if self.is_merged {
            // At equal dates the first one found stays the first.
            let feeds: HashSet<&str> = self.current.iter().map(|one| &*one.feed).collect();
            if feeds.len() > 1 {
                self.current.sort_by_key(|one| Reverse(one.date));
            }
            self.newer.sort_by_key(|one| Reverse(one.date));
            self.older.sort_by_key(|one| Reverse(one.date));
        }
        let today = self.newer.len() + self.current.len();
        let limit = which.limit.unwrap_or(today.max(DEFAULT_ENTRIES));
        let mut making = EntryMaker {
            is_of_site: self.is_of_site,
            ..EntryMaker::of(archive)
        };
        let mut entries = Vec::new();
        for one in self.newer.into_iter().chain(self.current).chain(self.older) {
            if entries.len() >= limit {
                break;
            }
            entries.extend(making.entry(one)?);
        }
        Ok(entries)
    }
}

/// Makes entries.
pub(super) struct EntryMaker<'a> {
    archive: &'a ArchiveReader,
    markup: MarkupRenderer,
    /// The answer that was read last: items of one answer are adjacent.
    kept: Option<(i64, Option<AnsweredItems>)>,
    names: HashSet<String>,
    is_of_site: bool,
}

impl<'a> EntryMaker<'a> {
    /// Of entries of feeds, each of whose feeds is known.
    pub(super) fn of(archive: &'a ArchiveReader) -> EntryMaker<'a> {
        EntryMaker {
            archive,
            markup: MarkupRenderer::default(),
            kept: None,
            names: HashSet::new(),
            is_of_site: false,
        }
    }

    /// The entry; `None` if it is not wanted, or is there already.
    fn entry(&mut self, one: PendingEntry) -> Result<Option<FeedEntry>> {
        let (item, page) = match one.of {
            EntrySource::Item(item, page) => (*item, page),
            EntrySource::Row(row) => (
                self.item_of_row(&row)?,
                match row.page {
                    Some(page) => self.archive.page(page)?,
                    None => None,
                },
            ),
            EntrySource::Article(article) => {
                let (article, version) = *article;
                let title = version.record.title.clone().unwrap_or_default();
                if one.rules.skips(&title, Some(&article.url)) {
                    return Ok(None);
                }
                let number = entry_number(article.first_seen.timestamp_millis(), "", &article.key);
                let entry = self.of_article(&article, version, None, &one.rules)?;
                let entry = entry.filter(|entry| self.names.insert(entry.id.clone()));
                return Ok(entry.map(|entry| FeedEntry {
                    number: Some(number),
                    ..entry
                }));
            }
        };
        if one.rules.skip(&item) {
            return Ok(None);
        }
        // The text of a shared page is not that of the item.
        let page = page.filter(|_| !one.is_shared);
        let first_name = match &page {
            Some(page) if self.is_of_site => self.first_name(page, &one.feed)?,
            _ => None,
        };
        let Some(entry) = self.of_item(&item, page.as_ref(), &one.rules, one.date)? else {
            return Ok(None);
        };
        // In earlier archives items that link to one page have one name.
        let mut names = first_name.into_iter().chain(one.names);
        let name = names.find(|name| self.names.insert(name.clone()));
        Ok(name.map(|id| FeedEntry {
            id,
            number: one.number,
            ..entry
        }))
    }

    /// The entry of an item, with the article of its page unless the item says more; `None` if it
    /// is too short.
    pub(super) fn of_item(
        &mut self,
        item: &FeedItem,
        page: Option<&KnownPage>,
        rules: &ItemRules,
        date: DateTime<Utc>,
    ) -> Result<Option<FeedEntry>> {
        let article = match page.and_then(|page| page.article) {
            Some(article) => self.archive.latest_of(article)?,
            None => None,
        };
        let article = article.filter(|(_, version)| {
            let record = &version.record;
            FOUND.contains(&record.status) && !item.says_more_than(&record.text)
        });
        match article {
            Some((article, version)) => self.of_article(&article, version, Some(item), rules),
            None if rules.least_words.is_some() && is_read(page) => Ok(None),
            None => Ok(Some(own_entry(item, page, date))),
        }
    }

    /// The name of a page's entry in the feed that listed it first, if it is another than this
    /// one: which feed of a site is the largest may change.
    fn first_name(&self, page: &KnownPage, feed: &str) -> Result<Option<String>> {
        let first = self.archive.first_listing(page.id)?;
        Ok(first.and_then(|(url, entry)| (url != feed).then_some(entry)))
    }

    pub(super) fn item_of_row(&mut self, row: &ItemRow) -> Result<feed::FeedItem> {
        let Some(answer) = row.answer else {
            return self.archive.item_in(row, None);
        };
        if self.kept.as_ref().is_none_or(|(known, _)| *known != answer) {
            self.kept = Some((answer, self.archive.answered_items(answer)?));
        }
        let kept = self.kept.as_ref().and_then(|(_, kept)| kept.as_ref());
        self.archive.item_in(row, kept)
    }

    /// An article with its feed's metadata; `None` if it is too short.
    fn of_article(
        &mut self,
        article: &StoredArticle,
        mut version: ArticleVersion,
        item: Option<&feed::FeedItem>,
        rules: &ItemRules,
    ) -> Result<Option<FeedEntry>> {
        if rules.least_words.is_some() && rules.is_too_short(word_count(&version.record.text)) {
            return Ok(None);
        }
        let with_html = extract::Options::default().with_html(true);
        if version.record.html.is_none()
            && let Some(record) = self.markup.read(self.archive, &version, &with_html)?
        {
            version.record = record;
        }
        let Some(item) = item else {
            return Ok(Some(article_entry(article, &version)));
        };
        let mut entry = match item.title.trim() {
            "" => article_entry(article, &version),
            _ => titled_entry(article, &version, item.title.clone()),
        };
        if entry.authors.is_empty() {
            entry.authors.clone_from(&item.authors);
        }
        if entry.categories.is_empty() {
            entry.categories.clone_from(&item.categories);
        }
        let published = item.published.as_ref().and_then(|date| date.time);
        entry.published = entry.published.or(published);
        entry.image = entry.image.or_else(|| item.image.clone());
        entry.enclosures.clone_from(&item.enclosures);
        Ok(Some(entry))
    }
}

/// Returns true if a page was read and has no stored article.
fn is_read(page: Option<&KnownPage>) -> bool {
    let status = page.and_then(|page| page.status);
    status.is_some_and(|status| FOUND.contains(&status))
}

/// An item of the feed, with the reason why there is no article.
fn own_entry(item: &feed::FeedItem, page: Option<&KnownPage>, at: DateTime<Utc>) -> FeedEntry {
    let mut html = item_html(item);
    if let (Some(_), Some(page)) = (&item.link, page) {
        html.push_str("<p><em>");
        escape(&why_not(page), &mut html);
        html.push_str("</em></p>\n");
    }
    let entry = FeedEntry::of_item(item);
    FeedEntry {
        html,
        updated: entry.updated.or(Some(at.fixed_offset())),
        ..entry
    }
}

/// The reason why an entry has only its feed's content.
fn why_not(page: &KnownPage) -> String {
    // The part after a semicolon is for the user of the harvest.
    let error = page.error.as_deref().unwrap_or_default();
    let error = error.split(';').next().unwrap_or_default().trim();
    let status = page.http_status.filter(|status| *status >= 400);
    let reason = match status {
        Some(status) if error.is_empty() => format!(" (status {status})"),
        _ if error.is_empty() => String::new(),
        _ => format!(" ({error})"),
    };
    let what = match page.status {
        _ if page.visits == 0 => "The page has not been read yet".to_owned(),
        Some(Status::Blocked) => format!("The page is closed to readers{reason}"),
        Some(Status::Empty) => format!("No article was found on the page{reason}"),
        Some(Status::Error) => format!("The page could not be had{reason}"),
        Some(status) if page.article.is_some() && FOUND.contains(&status) => {
            "The page shows less".to_owned()
        }
        _ => format!("There is no article of the page{reason}"),
    };
    format!("{what}: this is what its feed says of it.")
}

/// The time that an item names: of its publication, else of its last edit.
fn published_at(item: &FeedItem) -> Option<DateTime<Utc>> {
    let date = item.published.as_ref().or(item.updated.as_ref())?;
    Some(date.time?.to_utc())
}
