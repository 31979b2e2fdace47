//! When an article was published, for the order in which articles are listed.

use super::super::search::as_time;
use super::super::sql::Sql;
use crate::error::Result;
use chrono::{DateTime, FixedOffset, NaiveTime, TimeDelta};
use rusqlite::{Connection, params};

/// Gives an article the time of its publication: that of its latest version, else the earliest
/// of its items in feeds. It is not later than the time at which the article was first seen, in a
/// feed or as a page, and that time where none is known.
pub(super) fn date_article(db: &Connection, article: i64) -> Result<()> {
    let sql = "SELECT min(a.first_seen, coalesce((SELECT min(g.first_seen) FROM pages g \
               WHERE g.article = a.id), a.first_seen)), coalesce(v.record ->> 'date_published', \
               (SELECT i.published FROM pages g JOIN items i ON i.page = g.id \
               WHERE g.article = a.id AND i.published IS NOT NULL \
               ORDER BY i.first_seen, i.feed, i.item LIMIT 1)) \
               FROM articles a LEFT JOIN versions v ON v.id = a.latest WHERE a.id = ?1";
    let found: Option<(i64, Option<String>)> =
        db.first(sql, [article], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let Some((seen, published)) = found else {
        return Ok(());
    };
    let published = published.as_deref().and_then(latest_ms);
    let dated = published.map_or(seen, |published| published.min(seen));
    let sql = "UPDATE articles SET dated = ?2 WHERE id = ?1";
    db.run(sql, params![article, dated])
}

/// The latest time, in milliseconds since 1970, that a date may mean: midnight stands for a
/// day whose time nobody gave.
fn latest_ms(date: &str) -> Option<i64> {
    let time: Option<DateTime<FixedOffset>> = DateTime::parse_from_rfc3339(date).ok();
    let time = time.or_else(|| Some(as_time(date)?.fixed_offset()))?;
    let ms = time.timestamp_millis();
    let rest_of_day = TimeDelta::days(1).num_milliseconds() - 1;
    let is_day = time.time() == NaiveTime::MIN;
    Some(if is_day { ms + rest_of_day } else { ms })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_without_a_time_lasts_to_its_end() {
        let check = |date: &str, expected: Option<&str>| {
            let time = latest_ms(date).and_then(DateTime::from_timestamp_millis);
            let text = time.map(|time| time.format("%Y-%m-%dT%H:%M:%S").to_string());
            assert_eq!(text.as_deref(), expected, "{date}");
        };
        check("2026-01-02T03:04:05Z", Some("2026-01-02T03:04:05"));
        check("2026-01-02T03:04:05+02:00", Some("2026-01-02T01:04:05"));
        check("2026-01-02T00:00:00+02:00", Some("2026-01-02T21:59:59"));
        check("2026-01-02", Some("2026-01-02T23:59:59"));
        check("2026-01-02T03:04:05", Some("2026-01-02T03:04:05"));
        check("soon", None);
        check("", None);
    }
}
