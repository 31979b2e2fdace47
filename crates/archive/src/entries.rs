//! The entries of a reader: articles, and items of feeds without one, in the order in which they
//! were published.
//!
//! An item stands for itself if it links to no page, or if its page was visited and gave no
//! article. Items without a page outlive their feed, since their text is nowhere else. An item
//! whose page is still to be visited is no entry yet, nor is one whose article has fewer words than
//! its feed's rule asks for.

use super::answers::KnownPage;
use super::feeds::SAVED_PAGES;
use super::joined::without_title;
use super::raw::text_at;
use super::read::ArchiveReader;
use super::sql::{Sql, optional_place_of, status_of, time_in};
use crate::error::Result;
use chrono::{DateTime, Utc};
use forest_core::extract::Status;
use forest_core::feed::FeedItem;
use rusqlite::types::Value;
use rusqlite::{CachedStatement, Row, Rows, params_from_iter};
use std::cmp::Reverse;
use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;

/// Numbers of items are at least this, those of articles below it.
pub(super) const FIRST_ITEM: i64 = 1 << 50;

/// Characters of the first words that stand for a title.
const NAME_CHARS: usize = 100;

/// Characters of a summary.
const SUMMARY_CHARS: usize = 280;

/// An item's time of publication in milliseconds, but not after it was first seen. Midnight stands
/// for a day, to its end, as among articles.
pub(super) const ITEM_DATED: &str = "min(coalesce(iif(i.published GLOB '????-??-??T*', \
     unixepoch(i.published), NULL) * 1000 + \
     iif(substr(i.published, 12, 8) = '00:00:00', 86399999, 0), i.first_seen), i.first_seen)";

/// Items that stand for themselves, with their feeds `f` and pages `g`.
pub(super) const ITEMS: &str = "items i JOIN feeds f ON f.id = i.feed LEFT JOIN pages g ON g.id = i.page \
     WHERE (i.page IS NULL OR i.page IN (SELECT id FROM pages WHERE article IS NULL AND visits > 0 \
     AND status != 'ok')) AND (f.state != 'removed' OR i.page IS NULL)";

/// An entry of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedEntry {
    /// The number of its article in the archive; without one, the lasting number of the item's
    /// entry. No article has such a number: they are above 2^50.
    pub id: i64,
    /// Its name among marks: the key of its page, or of an item without a page the name of its entry.
    pub key: String,
    /// Its address; empty if it links to no page.
    pub url: String,
    /// Its site; empty if it links to no page.
    pub site: String,
    /// The title of its latest version, or of the item.
    pub title: Option<String>,
    /// The first words of the item, or of the article; may be empty.
    pub summary: String,
    /// When it was published; when it was first seen, if that is not known or would be later. The
    /// last millisecond of a day stands for the day.
    pub dated: DateTime<Utc>,
    /// A feed that has it; `None` if none does any more.
    pub feed: Option<EntryFeed>,
    pub source: EntryOrigin,
}

/// A feed of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryFeed {
    /// Its title; its address without one.
    pub title: String,
    pub url: String,
}

/// An item without an article, as it is looked for.
#[derive(Debug, Clone)]
pub struct LoneItem {
    /// Its name among marks.
    pub key: String,
    /// The site of its page; empty if it links to none.
    pub site: String,
    /// May be empty.
    pub title: String,
    /// As text; may be empty.
    pub summary: String,
    /// The time of its [entry](ListedEntry::dated).
    pub dated: DateTime<Utc>,
}

/// The origin of an entry's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EntryOrigin {
    /// Its article.
    Article {
        /// The number of its versions.
        versions: u32,
        /// The status of the latest one.
        status: Option<Status>,
        /// Words (metric tokens) of the latest one.
        words: usize,
    },
    /// Its feed.
    Feed {
        /// Why there is no article; `None` if it links to no page.
        why: Option<String>,
    },
}

impl ListedEntry {
    /// True if it has an article.
    pub fn has_article(&self) -> bool {
        matches!(self.source, EntryOrigin::Article { .. })
    }

    /// The title for people; the first words if it has none, or else the address.
    pub fn name(&self) -> &str {
        let title = self.title.as_deref().unwrap_or_default();
        let names = [title.trim(), first_words(&self.summary), &self.url];
        let mut named = names.into_iter().filter(|name| !name.is_empty());
        named.next().unwrap_or("Untitled")
    }
}

/// An entry's place in the list of all, the newest first. Of those of one time, the one with the
/// lowest number stands first: a feed begins with its newest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListPlace {
    pub(super) dated_ms: i64,
    pub(super) id: i64,
}

impl ListPlace {
    /// Before all entries.
    const START: ListPlace = ListPlace {
        dated_ms: i64::MAX,
        id: 0,
    };

    /// The place of an entry.
    pub fn of(entry: &ListedEntry) -> ListPlace {
        ListPlace {
            dated_ms: entry.dated.timestamp_millis(),
            id: entry.id,
        }
    }

    /// Before all entries that were published before a time.
    pub fn before(time: DateTime<Utc>) -> ListPlace {
        ListPlace {
            dated_ms: time.timestamp_millis() - 1,
            id: 0,
        }
    }

    /// The place behind which this one is the first.
    pub(super) fn just_before(self) -> ListPlace {
        ListPlace {
            id: self.id - 1,
            ..self
        }
    }

    /// Grows from place to place down the list.
    fn rank(self) -> (Reverse<i64>, i64) {
        (Reverse(self.dated_ms), self.id)
    }
}

impl fmt::Display for ListPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}_{}", self.dated_ms, self.id)
    }
}

impl FromStr for ListPlace {
    type Err = ParseIntError;

    fn from_str(text: &str) -> std::result::Result<ListPlace, ParseIntError> {
        let (dated_ms, id) = text.split_once('_').unwrap_or_default();
        Ok(ListPlace {
            dated_ms: dated_ms.parse()?,
            id: id.parse()?,
        })
    }
}

/// A stretch of the list of all entries.
#[derive(Debug, Clone, Default)]
pub struct EntryRange {
    /// The addresses of feeds; `None`: entries of any feed, and of none.
    pub feeds: Option<Vec<String>>,
    /// Those that stand behind this place.
    pub after: Option<ListPlace>,
    /// Those before this place, and the one there.
    pub until: Option<ListPlace>,
    /// The one that stands last comes first.
    pub from_end: bool,
    /// Only those with an article.
    pub with_article: bool,
}

impl EntryRange {
    fn values(&self) -> Vec<Value> {
        let after = self.after.unwrap_or(ListPlace::START);
        let until = self.until.unwrap_or(ListPlace {
            dated_ms: i64::MIN,
            id: i64::MAX,
        });
        let mut values: Vec<Value> = [after.dated_ms, after.id, until.dated_ms, until.id]
            .into_iter()
            .map(Value::from)
            .collect();
        if let Some(feeds) = &self.feeds {
            let feeds = serde_json::to_string(feeds).expect("addresses are strings");
            values.push(feeds.into());
        }
        values
    }

    /// A condition on columns with the time and the number, and their order.
    fn bounds(&self, dated: &str, id: &str) -> (String, String) {
        let bounds = format!(
            "{dated} <= ?1 AND ({dated} < ?1 OR {id} > ?2) AND {dated} >= ?3 AND ({dated} > ?3 OR {id} <= ?4)"
        );
        let order = if self.from_end {
            format!("ORDER BY {dated}, {id} DESC")
        } else {
            format!("ORDER BY {dated} DESC, {id}")
        };
        (bounds, order)
    }

    fn articles(&self) -> String {
        let (bounds, order) = self.bounds("a.dated", "a.id");
        let of_feeds = articles_of_feeds(self.feeds.as_ref().map(|_| 5));
        format!(
            "SELECT a.dated, a.id, a.key FROM articles a \
             WHERE {bounds} AND a.latest IS NOT NULL {of_feeds} {order}"
        )
    }

    fn items(&self) -> String {
        let (bounds, order) = self.bounds("dated", "id");
        let of_feeds = match self.feeds {
            Some(_) => "AND f.url IN (SELECT value FROM json_each(?5))",
            None => "",
        };
        // None of these has an article.
        let of_all = if self.with_article { "AND 0" } else { "" };
        format!(
            "SELECT dated, id, key FROM (SELECT {ITEM_DATED} AS dated, min(i.number) AS id, \
             coalesce(g.key, i.entry) AS key FROM {ITEMS} {of_feeds} {of_all} \
             GROUP BY coalesce(g.key, i.entry)) WHERE {bounds} {order}"
        )
    }
}

/// A condition on articles `a`: they are of the feeds whose addresses are the parameter with this
/// number, as JSON; empty without one.
fn articles_of_feeds(parameter: Option<usize>) -> String {
    let condition = parameter.map(|number| {
        format!(
            "AND a.id IN (SELECT g.article FROM feeds f JOIN items i ON i.feed = f.id \
             JOIN pages g ON g.id = i.page WHERE f.url IN (SELECT value FROM json_each(?{number})))"
        )
    });
    condition.unwrap_or_default()
}

/// An entry that was not read yet: its place and its key.
type Placed = (ListPlace, String);

/// Rows of one statement, with the next one at hand.
struct PlacedRows<'a> {
    rows: Rows<'a>,
    next: Option<Placed>,
}

impl<'a> PlacedRows<'a> {
    fn of(statement: &'a mut CachedStatement<'_>, values: &[Value]) -> Result<PlacedRows<'a>> {
        let rows = statement.query(params_from_iter(values))?;
        let mut rows = PlacedRows { rows, next: None };
        rows.step()?;
        Ok(rows)
    }

    /// The row at hand; the next one takes its place.
    fn step(&mut self) -> Result<Option<Placed>> {
        let next = match self.rows.next()? {
            Some(row) => Some((
                ListPlace {
                    dated_ms: row.get("dated")?,
                    id: row.get("id")?,
                },
                row.get("key")?,
            )),
            None => None,
        };
        Ok(std::mem::replace(&mut self.next, next))
    }

    /// True if the row at hand stands before that of others in this order.
    fn is_before(&self, others: &PlacedRows<'_>, from_end: bool) -> bool {
        match (&self.next, &others.next) {
            (Some(own), Some(other)) => (own.0.rank() < other.0.rank()) != from_end,
            (own, _) => own.is_some(),
        }
    }
}

impl ArchiveReader {
    /// The keys of entries in a range whose key is `wanted`, `most` of them.
    ///
    /// # Errors
    ///
    /// If the database cannot be read; so all of these.
    pub fn entry_keys(
        &self,
        range: &EntryRange,
        most: usize,
        wanted: impl FnMut(&str) -> bool,
    ) -> Result<Vec<String>> {
        let found = self.placed(range, most, wanted)?;
        Ok(found.into_iter().map(|(_, key)| key).collect())
    }

    /// The entries in a range whose key is `wanted`, `most` of them.
    pub fn entries(
        &self,
        range: &EntryRange,
        most: usize,
        wanted: impl FnMut(&str) -> bool,
    ) -> Result<Vec<ListedEntry>> {
        let mut found = Vec::new();
        for (place, _) in self.placed(range, most, wanted)? {
            found.extend(self.entry(place.id)?);
        }
        Ok(found)
    }

    /// The items without an article that are `wanted`, `most` of them, the newest first.
    pub fn items_without_article(
        &self,
        most: usize,
        mut wanted: impl FnMut(&LoneItem) -> bool,
    ) -> Result<Vec<ListedEntry>> {
        let sql = format!(
            "SELECT min(i.number) AS id, coalesce(g.key, i.entry) AS key, coalesce(g.site, '') AS site, \
             i.title, i.summary, {ITEM_DATED} AS dated FROM {ITEMS} \
             GROUP BY coalesce(g.key, i.entry) ORDER BY dated DESC, id"
        );
        let mut statement = self.db.prepare_cached(&sql)?;
        let mut rows = statement.query([])?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            if found.len() >= most {
                break;
            }
            let item = LoneItem {
                key: row.get("key")?,
                site: row.get("site")?,
                title: row.get("title")?,
                summary: row.get("summary")?,
                dated: time_in(row, "dated")?,
            };
            if wanted(&item) {
                found.extend(self.entry(row.get("id")?)?);
            }
        }
        Ok(found)
    }

    fn placed(
        &self,
        range: &EntryRange,
        most: usize,
        mut wanted: impl FnMut(&str) -> bool,
    ) -> Result<Vec<Placed>> {
        let mut found = Vec::new();
        self.each_placed(range, |place, key| {
            if found.len() < most && wanted(&key) {
                found.push((place, key));
            }
            Ok(found.len() < most)
        })?;
        Ok(found)
    }

    /// Gives the places and keys of the entries in a range, until `each` returns false.
    pub(super) fn each_placed(
        &self,
        range: &EntryRange,
        mut each: impl FnMut(ListPlace, String) -> Result<bool>,
    ) -> Result<()> {
        let values = range.values();
        let mut of_articles = self.db.prepare_cached(&range.articles())?;
        let mut of_items = self.db.prepare_cached(&range.items())?;
        let mut articles = PlacedRows::of(&mut of_articles, &values)?;
        let mut items = PlacedRows::of(&mut of_items, &values)?;
        loop {
            let rows = if items.is_before(&articles, range.from_end) {
                &mut items
            } else {
                &mut articles
            };
            let Some((place, key)) = rows.step()? else {
                return Ok(());
            };
            if !each(place, key)? {
                return Ok(());
            }
        }
    }

    /// An entry by its number. That of an item whose page has given an article since is the
    /// article's, which has another number.
    pub fn entry(&self, id: i64) -> Result<Option<ListedEntry>> {
        if let Some(found) = self.article_entry(id)? {
            return Ok(Some(found));
        }
        let sql = "SELECT g.article FROM items i JOIN pages g ON g.id = i.page WHERE i.number = ?1";
        match self.db.value(sql, [id])? {
            Some(article) => self.article_entry(article),
            None => self.item_entry(id),
        }
    }

    fn article_entry(&self, id: i64) -> Result<Option<ListedEntry>> {
        let sql = &format!(
            "SELECT a.id, a.key, a.url, a.site, a.versions, a.dated, v.status, v.words, \
                   json_extract(v.record, '$.title') AS title, \
                   (SELECT i.summary FROM pages g JOIN items i ON i.page = g.id WHERE g.article = a.id \
                   ORDER BY i.first_seen DESC, i.feed, i.item LIMIT 1) AS summary, v.file, v.place, v.length, \
                   f.url AS feed_url, coalesce(nullif(f.listed_title, ''), nullif(f.title, ''), f.url) AS feed \
                   FROM articles a JOIN versions v ON v.id = a.latest LEFT JOIN feeds f ON f.id = \
                   (SELECT i.feed FROM pages g JOIN items i ON i.page = g.id JOIN feeds h ON h.id = i.feed \
                   WHERE g.article = a.id AND h.state != 'removed' ORDER BY h.url = '{SAVED_PAGES}', \
                   i.first_seen DESC, i.feed LIMIT 1) \
                   WHERE a.id = ?1"
        );
        let found = self.db.first(sql, [id], |row| {
            let source = EntryOrigin::Article {
                versions: row.get("versions")?,
                status: status_of(row)?,
                words: row.get("words")?,
            };
            Ok((entry_of(row, source)?, optional_place_of(row)?))
        })?;
        let Some((mut entry, place)) = found else {
            return Ok(None);
        };
        if entry.summary.is_empty() {
            let text = text_at(&self.folder, place)?;
            entry.summary = summary_of(without_title(&text, entry.title.as_deref()));
        }
        Ok(Some(entry))
    }

    fn item_entry(&self, number: i64) -> Result<Option<ListedEntry>> {
        let sql = format!(
            "SELECT i.number AS id, coalesce(g.key, i.entry) AS key, coalesce(g.url, '') AS url, \
             coalesce(g.site, '') AS site, i.title, i.summary, {ITEM_DATED} AS dated, g.id AS page, \
             f.url AS feed_url, coalesce(nullif(f.listed_title, ''), nullif(f.title, ''), f.url) AS feed \
             FROM {ITEMS} AND i.number = ?1"
        );
        let found = self.db.first(&sql, [number], |row| {
            let entry = entry_of(row, EntryOrigin::Feed { why: None })?;
            let page: Option<i64> = row.get("page")?;
            Ok((entry, page))
        })?;
        let Some((entry, page)) = found else {
            return Ok(None);
        };
        let page = page.map(|page| self.page(page)).transpose()?.flatten();
        let why = page.as_ref().map(reason_of);
        Ok(Some(ListedEntry {
            source: EntryOrigin::Feed { why },
            ..entry
        }))
    }

    /// The item of an entry by its lasting number, with all that its feed says of it.
    pub fn item_of_entry(&self, number: i64) -> Result<Option<FeedItem>> {
        let Some(row) = self.numbered_item(number)? else {
            return Ok(None);
        };
        let answer = row.answer.map(|answer| self.answered_items(answer));
        let answer = answer.transpose()?.flatten();
        Ok(Some(self.item_in(&row, answer.as_ref())?))
    }

    /// The numbers of the articles whose key is `wanted`.
    pub fn articles_of_keys(&self, wanted: impl Fn(&str) -> bool) -> Result<Vec<i64>> {
        let sql = "SELECT id, key FROM articles WHERE latest IS NOT NULL ORDER BY id";
        let mut statement = self.db.prepare_cached(sql)?;
        let mut rows = statement.query([])?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            if wanted(row.get_ref(1)?.as_str().unwrap_or_default()) {
                found.push(row.get(0)?);
            }
        }
        Ok(found)
    }

    /// Gives each entry with the address of a feed that has it: its number, its key, the address.
    /// An entry of several feeds comes once for each, one after the other; one of no feed once.
    pub fn each_entry(&self, mut give: impl FnMut(i64, &str, Option<&str>)) -> Result<()> {
        let sql = format!(
            "SELECT a.id, a.key, f.url FROM articles a LEFT JOIN (pages g JOIN items i ON i.page = g.id \
             JOIN feeds f ON f.id = i.feed AND f.state != 'removed') ON g.article = a.id \
             WHERE a.latest IS NOT NULL GROUP BY a.id, f.id \
             UNION ALL SELECT * FROM (SELECT DISTINCT min(i.number) OVER (PARTITION BY coalesce(g.key, i.entry)), \
             coalesce(g.key, i.entry), f.url FROM {ITEMS} ORDER BY 1)"
        );
        let mut statement = self.db.prepare_cached(&sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let key = row.get_ref(1)?.as_str().unwrap_or_default();
            give(row.get(0)?, key, row.get_ref(2)?.as_str().ok());
        }
        Ok(())
    }
}

fn entry_of(row: &Row<'_>, source: EntryOrigin) -> rusqlite::Result<ListedEntry> {
    let summary: Option<String> = row.get("summary")?;
    Ok(ListedEntry {
        id: row.get("id")?,
        key: row.get("key")?,
        url: row.get("url")?,
        site: row.get("site")?,
        title: row.get("title")?,
        summary: summary_of(&summary.unwrap_or_default()),
        dated: time_in(row, "dated")?,
        feed: match row.get("feed_url")? {
            Some(url) => Some(EntryFeed {
                title: row.get("feed")?,
                url,
            }),
            None => None,
        },
        source,
    })
}

/// The beginning of a summary that stands for a title, cut between words where it has some.
fn first_words(summary: &str) -> &str {
    let Some((end, _)) = summary.char_indices().nth(NAME_CHARS) else {
        return summary;
    };
    let space = summary[..end].rfind(' ').filter(|space| 2 * space > end);
    summary[..space.unwrap_or(end)].trim_end()
}

/// The beginning of a text in one line, cut between words where it has some.
fn summary_of(text: &str) -> String {
    let words = text.split_whitespace();
    let line = words.flat_map(|word| [" ", word]).skip(1);
    let mut summary: String = line.flat_map(str::chars).take(SUMMARY_CHARS + 1).collect();
    if let Some((end, _)) = summary.char_indices().nth(SUMMARY_CHARS) {
        let space = summary.rfind(' ').filter(|space| 2 * space > end);
        summary.truncate(space.unwrap_or(end));
        summary.push('…');
    }
    summary
}

/// Why an item whose page was visited has no article.
fn reason_of(page: &KnownPage) -> String {
    if let Some(error) = &page.error {
        return error.clone();
    }
    let why = match (page.status, page.http_status) {
        (_, Some(status)) if status >= 400 => {
            return format!("its site answered with status {status}");
        }
        (Some(Status::Blocked), _) => "its page is behind a wall",
        (Some(Status::Error), _) => "its page could not be read",
        _ => "its page shows no article",
    };
    why.to_owned()
}
