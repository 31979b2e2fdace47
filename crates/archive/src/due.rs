//! The feeds and pages that are due now, and when the next ones are.

use super::feeds::{FeedRow, feed_columns, feed_of_row, one_feed};
use super::handle::Archive;
use super::item_names::{NamedItem, name_items};
use super::known::is_forgotten;
use super::read::{ArchiveReader, ItemMetadata, item_metadata_of};
use super::sql::{Sql, time_in, time_of};
use crate::error::Result;
use chrono::{DateTime, Utc};
use forest_core::feed::{Feed, ItemRules};
use forest_html::address::page_key;
use rusqlite::{Connection, Row, params};

/// A page to visit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DuePage {
    /// Its number in the archive.
    pub id: i64,
    /// Its address.
    pub url: String,
}

const FEED: &str = "FROM polls p CROSS JOIN feeds f ON f.id = p.feed WHERE f.state = 'active'";

/// The feeds that are due, and those with a poll in the future. `CROSS JOIN` makes the
/// times the outer loop: so an index gives the few wanted rows, however many feeds there are.
const DUE: &str = " AND p.next <= ?1 ORDER BY p.next, f.id LIMIT ?2";
const AHEAD: &str = " AND p.last > ?1 ORDER BY p.last, f.id LIMIT ?2";

/// Pages that were never visited, and those that are due. Only pages in a harvested feed: the
/// pages of a paused feed are not visited.
const NEW_PAGES: &str = "SELECT id, url FROM pages WHERE visits = 0 AND next_visit IS NOT NULL AND named = 1 ORDER BY id LIMIT ?1";
const DUE_PAGES: &str = "SELECT id, url FROM pages WHERE next_visit IS NOT NULL AND named = 1 AND next_visit <= ?1 AND visits > 0 \
    ORDER BY next_visit, id LIMIT ?2";

/// The next poll of a feed, and the next visit of a page.
const NEXT_POLL: &str = "SELECT p.next FROM polls p CROSS JOIN feeds f ON f.id = p.feed \
    WHERE f.state = 'active' AND p.next IS NOT NULL ORDER BY p.next LIMIT 1";
const NEXT_VISIT: &str =
    "SELECT min(next_visit) FROM pages WHERE next_visit IS NOT NULL AND named = 1";

/// Polls and visits whose time is between two.
const POLLS_BETWEEN: &str = "SELECT 1 FROM polls p CROSS JOIN feeds f ON f.id = p.feed \
    WHERE f.state = 'active' AND p.next > ?1 AND p.next <= ?2";
const VISITS_BETWEEN: &str = "SELECT 1 FROM pages WHERE next_visit IS NOT NULL AND named = 1 AND next_visit > ?1 AND next_visit <= ?2";

impl Archive {
    /// Active feeds that are due, the longest waiting first.
    ///
    /// # Errors
    ///
    /// If the database cannot be read; so all of these.
    pub fn due_feeds(&self, now: DateTime<Utc>, most: usize) -> Result<Vec<FeedRow>> {
        self.feed_rows(DUE, now, most)
    }

    /// Active feeds that were polled in what is now the future.
    pub fn feeds_ahead(&self, now: DateTime<Utc>) -> Result<Vec<FeedRow>> {
        self.feed_rows(AHEAD, now, usize::MAX >> 1)
    }

    fn feed_rows(&self, which: &str, now: DateTime<Utc>, most: usize) -> Result<Vec<FeedRow>> {
        let sql = format!("SELECT {} {FEED}{which}", feed_columns());
        let params = params![now.timestamp_millis(), most];
        self.db.all(&sql, params, feed_of_row)
    }

    /// Pages that are due, new ones first, in the order in which they were seen. A page that
    /// was never visited is always due.
    pub fn due_pages(&self, now: DateTime<Utc>, most: usize) -> Result<Vec<DuePage>> {
        let mut found = self.db.all(NEW_PAGES, [most], due_page)?;
        let params = params![now.timestamp_millis(), most - found.len()];
        found.extend(self.db.all(DUE_PAGES, params, due_page)?);
        Ok(found)
    }

    /// Returns true if a feed or a page becomes due between two times, the second included.
    pub fn comes_due(&self, after: DateTime<Utc>, until: DateTime<Utc>) -> Result<bool> {
        let times = [after.timestamp_millis(), until.timestamp_millis()];
        Ok(self.db.value::<i64>(POLLS_BETWEEN, times)?.is_some()
            || self.db.value::<i64>(VISITS_BETWEEN, times)?.is_some())
    }

    /// The origins whose servers asked for a pause, and its end.
    pub fn rests(&self) -> Result<Vec<(String, DateTime<Utc>)>> {
        let sql = "SELECT origin, until FROM rests ORDER BY origin";
        self.db.all(sql, [], |row| {
            Ok((row.get("origin")?, time_in(row, "until")?))
        })
    }

    /// The time at which the next feed or page is due.
    pub fn next_due(&self) -> Result<Option<DateTime<Utc>>> {
        let poll: Option<i64> = self.db.value(NEXT_POLL, [])?;
        let visit: Option<i64> = self.db.value(NEXT_VISIT, [])?;
        Ok(poll.into_iter().chain(visit).min().map(time_of))
    }

    /// Returns true if a feed has an item of this name.
    pub fn knows_item(&self, feed: &str, item: &str) -> Result<bool> {
        let sql =
            "SELECT 1 FROM items i JOIN feeds f ON f.id = i.feed WHERE f.url = ?1 AND i.item = ?2";
        Ok(self.db.value::<i64>(sql, [feed, item])?.is_some())
    }

    /// The names of the items in an answer of a feed, in their order.
    pub fn name_items(&self, feed: &str, answer: &Feed) -> Result<Vec<NamedItem>> {
        name_items(&self.db, feed, answer)
    }

    /// Returns true if an address was forgotten.
    pub fn is_forgotten(&self, url: &str) -> Result<bool> {
        is_forgotten(&self.db, &page_key(url))
    }

    /// The metadata that feeds give for a page, of several the latest.
    pub fn item_metadata(&self, page: i64) -> Result<Option<ItemMetadata>> {
        item_metadata_of(&self.db, page)
    }

    /// The number of words that the article of a page must have: the smallest minimum of the
    /// feeds that list it.
    pub fn least_words(&self, page: i64) -> Result<Option<usize>> {
        let sql = "SELECT f.rules FROM items i JOIN feeds f ON f.id = i.feed \
                   WHERE i.page = ?1 AND f.state IN ('active', 'ended')";
        let rules: Vec<String> = self.db.values(sql, [page])?;
        let least = rules.iter().map(|rules| {
            let rules: ItemRules = serde_json::from_str(rules).unwrap_or_default();
            rules.least_words
        });
        // A feed without a least number takes any article.
        let all: Option<Vec<usize>> = least.collect();
        Ok(all.and_then(|all| all.into_iter().min()))
    }

    /// The feed that lists a page; of several the last one.
    pub fn feed_of(&self, page: i64) -> Result<Option<String>> {
        let sql = "SELECT f.url FROM items i JOIN feeds f ON f.id = i.feed WHERE i.page = ?1 \
                   ORDER BY i.first_seen DESC, i.feed, i.item LIMIT 1";
        self.db.value(sql, [page])
    }

    /// The page to visit for the present state of an address: that of its article, if there
    /// is one; `None` for an address that the archive does not know.
    pub fn page_of(&self, url: &str) -> Result<Option<DuePage>> {
        page_of(&self.db, url)
    }

    /// Pages of a site with an article, and those that are to be visited for the first
    /// time.
    pub fn page_counts(&self, site: &str) -> Result<(u64, u64)> {
        let sql = "SELECT count(*) FILTER (WHERE raw IS NOT NULL AND status NOT IN ('blocked', 'error', 'empty')), \
                   count(*) FILTER (WHERE visits = 0 AND next_visit IS NOT NULL AND named = 1) FROM pages WHERE site = ?1";
        let counts = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
        Ok(self.db.first(sql, [site], counts)?.unwrap_or_default())
    }

    /// The state of a site's watch, as JSON.
    pub fn watch(&self, site: &str) -> Result<Option<String>> {
        self.db
            .value("SELECT state FROM watches WHERE site = ?1", [site])
    }

    /// The active wrapper of a site: the digest of its file.
    pub fn active_wrapper(&self, site: &str) -> Result<Option<String>> {
        let sql = "SELECT sha256 FROM wrappers WHERE site = ?1 ORDER BY id DESC LIMIT 1";
        self.db.value(sql, [site])
    }

    /// The last verdict on a site.
    pub fn last_verdict(&self, site: &str) -> Result<Option<String>> {
        let sql = "SELECT verdict FROM verdicts WHERE site = ?1 ORDER BY id DESC LIMIT 1";
        self.db.value(sql, [site])
    }

    /// A feed by its address, whatever its state.
    pub fn feed(&self, url: &str) -> Result<Option<FeedRow>> {
        Ok(one_feed(&self.db, "f.url = ?1", url)?.map(|(_, feed)| feed))
    }
}

impl ArchiveReader {
    /// The page to visit for the present state of an address: see [`Archive::page_of`].
    ///
    /// # Errors
    ///
    /// If the database cannot be read.
    pub fn page_of(&self, url: &str) -> Result<Option<DuePage>> {
        page_of(&self.db, url)
    }
}

fn due_page(row: &Row<'_>) -> rusqlite::Result<DuePage> {
    Ok(DuePage {
        id: row.get(0)?,
        url: row.get(1)?,
    })
}

fn page_of(db: &Connection, url: &str) -> Result<Option<DuePage>> {
    // An article that is known by several addresses is visited at its own.
    let sql = "SELECT coalesce(own.id, p.id), coalesce(own.url, p.url) FROM pages p \
               LEFT JOIN articles a ON a.id = p.article LEFT JOIN pages own ON own.key = a.key \
               WHERE p.key = ?1";
    db.first(sql, [page_key(url)], due_page)
}

#[cfg(test)]
mod tests {
    use super::super::tables;
    use super::*;

    /// The database's plan for `sql`.
    fn plan(sql: &str) -> String {
        let db = tables::in_memory().expect("made");
        let mut rows = db
            .prepare(&format!("EXPLAIN QUERY PLAN {sql}"))
            .expect("SQL");
        let numbers = vec![1; rows.parameter_count()];
        let steps = rows.query_map(rusqlite::params_from_iter(numbers), |row| {
            row.get::<_, String>(3)
        });
        let steps: Result<Vec<String>, _> = steps.expect("explained").collect();
        steps.expect("text").join("; ")
    }

    #[test]
    fn what_is_due_is_found_by_an_index() {
        let check = |sql: &str, index: &str| {
            let plan = plan(sql);
            assert!(plan.contains(index), "{sql}: {plan}");
            // A scan in the order of an index ends at the limit, one of the table does not.
            let scans = plan.split("; ").filter(|step| step.starts_with("SCAN"));
            assert_eq!(
                scans.filter(|step| !step.contains("INDEX")).count(),
                0,
                "{sql}: {plan}"
            );
        };
        check(
            &format!("SELECT f.url {FEED}{DUE}"),
            "INDEX polls_next (next<?)",
        );
        check(
            &format!("SELECT f.url {FEED}{AHEAD}"),
            "INDEX polls_last (last>?)",
        );
        check(NEW_PAGES, "INDEX pages_new");
        check(DUE_PAGES, "INDEX pages_due (next_visit>? AND next_visit<?)");
        check(POLLS_BETWEEN, "INDEX polls_next (next>? AND next<?)");
        check(
            VISITS_BETWEEN,
            "INDEX pages_due (next_visit>? AND next_visit<?)",
        );
        check(NEXT_POLL, "INDEX polls_next");
        check(NEXT_VISIT, "INDEX pages_due");
    }
}
