//! The pages of a feed that were visited last: gives how many there are, and how many of them
//! cannot be read, with the reason. A feed may be read well while none of its pages is.

use super::read::ArchiveReader;
use super::sql::Sql;
use crate::error::Result;
use std::collections::HashMap;

/// Pages of a feed that are looked at: those that were visited last.
const LOOKED_AT: u32 = 10;

/// The statuses of a page that could not be read.
const UNREAD: &str = "('error', 'blocked', 'empty')";

/// The pages of a feed that were visited last.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RecentPages {
    /// Their number, 10 at the most.
    pub visited: u64,
    /// Those of them whose last visit gave no article.
    pub unread: u64,
    /// The most frequent reason; `None` if no visit named one.
    pub why: Option<String>,
}

impl RecentPages {
    /// True if there are pages, and none of them can be read.
    pub fn all_fail(&self) -> bool {
        self.visited > 0 && self.unread == self.visited
    }
}

impl ArchiveReader {
    /// The pages of each feed that were visited last, by the feed's address. A feed without a
    /// visited page is not among them.
    ///
    /// # Errors
    ///
    /// If the database cannot be read.
    pub fn recent_pages(&self) -> Result<HashMap<String, RecentPages>> {
        let sql = format!(
            "WITH seen AS (SELECT DISTINCT i.feed, g.id, g.status, g.last_visit \
             FROM items i JOIN pages g ON g.id = i.page WHERE g.last_visit IS NOT NULL), \
             newest AS (SELECT feed, status, row_number() OVER \
             (PARTITION BY feed ORDER BY last_visit DESC, id DESC) AS nth FROM seen) \
             SELECT f.id, f.url, count(*) AS visited, sum(n.status IN {UNREAD}) AS unread \
             FROM newest n JOIN feeds f ON f.id = n.feed WHERE n.nth <= {LOOKED_AT} GROUP BY f.id"
        );
        let counted = self.db.all(&sql, [], |row| {
            let pages = RecentPages {
                visited: row.get("visited")?,
                unread: row.get("unread")?,
                why: None,
            };
            Ok((row.get::<_, i64>("id")?, row.get("url")?, pages))
        })?;
        let mut found = HashMap::with_capacity(counted.len());
        for (feed, url, mut pages) in counted {
            if pages.all_fail() {
                pages.why = self.reason_of_pages(feed)?;
            }
            found.insert(url, pages);
        }
        Ok(found)
    }

    /// The most frequent reason why the pages of a feed that were visited last cannot be read.
    fn reason_of_pages(&self, feed: i64) -> Result<Option<String>> {
        let sql = format!(
            "SELECT (SELECT t.error FROM fetches t WHERE t.page = n.id ORDER BY t.id DESC LIMIT 1) AS why \
             FROM (SELECT DISTINCT g.id, g.last_visit FROM items i JOIN pages g ON g.id = i.page \
             WHERE i.feed = ?1 AND g.last_visit IS NOT NULL \
             ORDER BY g.last_visit DESC, g.id DESC LIMIT {LOOKED_AT}) n \
             WHERE why IS NOT NULL GROUP BY why ORDER BY count(*) DESC, why LIMIT 1"
        );
        self.db.value(&sql, [feed])
    }
}
