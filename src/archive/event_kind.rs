//! The kinds of events that a person may want to be told of, and those that there were.

use super::ArchiveReader;
use super::event::{Event, VisitOutcome};
use super::store::time_of;
use crate::error::Result;
use crate::learn::site_of;
use chrono::{DateTime, Utc};
use rusqlite::params;
use std::cmp::Reverse;
use std::fmt;
use std::str::FromStr;

/// A kind of event in an archive that a person may want to be told of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// An article came that was not there.
    New,
    /// An article has another version.
    Edited,
    /// A site's wrapper no longer finds its articles.
    Drift,
    /// A site's wrapper was learned again.
    Relearned,
    /// A site shows a wall in place of its articles.
    Blocked,
    /// A feed has a new address.
    FeedMoved,
    /// A feed is no more.
    FeedGone,
}

impl EventKind {
    /// All kinds.
    pub const ALL: [EventKind; 7] = [
        EventKind::New,
        EventKind::Edited,
        EventKind::Drift,
        EventKind::Relearned,
        EventKind::Blocked,
        EventKind::FeedMoved,
        EventKind::FeedGone,
    ];

    /// The name by which it is selected.
    pub fn kind(self) -> &'static str {
        match self {
            EventKind::New => "new",
            EventKind::Edited => "edited",
            EventKind::Drift => "drift",
            EventKind::Relearned => "relearned",
            EventKind::Blocked => "blocked",
            EventKind::FeedMoved => "feed-moved",
            EventKind::FeedGone => "feed-gone",
        }
    }

    /// The kind of an event, where it is one. A version counts as an edit: whether it is
    /// the first one, [`Stored`](super::Stored) tells whoever writes it.
    pub fn of(event: &Event) -> Option<EventKind> {
        match event {
            Event::Page(visit) if matches!(visit.outcome, VisitOutcome::Version(_)) => {
                Some(EventKind::Edited)
            }
            Event::Judged { verdict, .. } => match verdict.as_str() {
                "drift" => Some(EventKind::Drift),
                "blocked" => Some(EventKind::Blocked),
                _ => None,
            },
            Event::Wrapper { why, .. } if why == "relearned" => Some(EventKind::Relearned),
            Event::FeedMoved { .. } => Some(EventKind::FeedMoved),
            Event::FeedEnded { .. } => Some(EventKind::FeedGone),
            _ => None,
        }
    }
}

impl fmt::Display for EventKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind())
    }
}

impl FromStr for EventKind {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<EventKind, String> {
        let found = EventKind::ALL.into_iter().find(|one| one.kind() == text);
        found.ok_or_else(|| {
            let kinds = EventKind::ALL.map(EventKind::kind).join(", ");
            format!("there are {kinds}")
        })
    }
}

/// An event of a kind that a person may want to be told of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PastEvent {
    /// When.
    pub at: DateTime<Utc>,
    /// Its kind.
    pub happening: EventKind,
    /// The site.
    pub site: String,
    /// The address of the article or of the feed.
    pub url: Option<String>,
    /// The article's title.
    pub title: Option<String>,
    /// The number of the article's version.
    pub version: Option<u32>,
    /// Why, or where to; empty where there is nothing more to say.
    pub why: String,
}

const ARTICLES: &str = "SELECT v.at, a.site, a.url, json_extract(v.record, '$.title'), v.number, '' \
    FROM versions v JOIN articles a ON a.id = v.article WHERE (?1 IS NULL OR a.site = ?1)";
const VERDICTS: &str =
    "SELECT at, site, NULL, NULL, NULL, why FROM verdicts WHERE (?1 IS NULL OR site = ?1)";
const WRAPPERS: &str =
    "SELECT since, site, NULL, NULL, NULL, '' FROM wrappers WHERE (?1 IS NULL OR site = ?1)";

impl ArchiveReader {
    /// What happened of these kinds, on one site or on all, the newest first; of each kind
    /// `limit` at the most.
    ///
    /// # Errors
    ///
    /// If the database cannot be read.
    pub fn happened(
        &self,
        kinds: &[EventKind],
        site: Option<&str>,
        limit: usize,
    ) -> Result<Vec<PastEvent>> {
        let mut found = Vec::new();
        let mut kinds = kinds.to_vec();
        kinds.sort_unstable();
        kinds.dedup();
        for kind in kinds {
            match kind {
                EventKind::FeedMoved | EventKind::FeedGone => {
                    found.extend(self.notices(kind, site, limit)?);
                }
                EventKind::New | EventKind::Edited => {
                    let which = match kind {
                        EventKind::New => "v.number = 1",
                        _ => "v.number > 1",
                    };
                    let sql =
                        format!("{ARTICLES} AND {which} ORDER BY v.at DESC, v.id DESC LIMIT ?2");
                    found.extend(self.of_kind(kind, &sql, site, limit)?);
                }
                EventKind::Drift | EventKind::Blocked => {
                    let sql = format!(
                        "{VERDICTS} AND verdict = '{kind}' ORDER BY at DESC, id DESC LIMIT ?2"
                    );
                    found.extend(self.of_kind(kind, &sql, site, limit)?);
                }
                EventKind::Relearned => {
                    let sql = format!(
                        "{WRAPPERS} AND why = '{kind}' ORDER BY since DESC, id DESC LIMIT ?2"
                    );
                    found.extend(self.of_kind(kind, &sql, site, limit)?);
                }
            }
        }
        // Of one time in the order of kinds, then as they were found.
        found.sort_by_key(|one| (Reverse(one.at), one.happening));
        Ok(found)
    }

    fn of_kind(
        &self,
        happening: EventKind,
        sql: &str,
        site: Option<&str>,
        limit: usize,
    ) -> Result<Vec<PastEvent>> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let mut rows = self.db.prepare_cached(sql)?;
        let rows = rows.query_map(params![site, limit], |row| {
            Ok(PastEvent {
                at: time_of(row.get(0)?),
                happening,
                site: row.get(1)?,
                url: row.get(2)?,
                title: row.get(3)?,
                version: row.get(4)?,
                why: row.get(5)?,
            })
        })?;
        Ok(rows.collect::<std::result::Result<_, _>>()?)
    }

    /// Feeds that moved or ended; few do.
    fn notices(
        &self,
        happening: EventKind,
        site: Option<&str>,
        limit: usize,
    ) -> Result<Vec<PastEvent>> {
        let sql = "SELECT at, feed, why FROM notices WHERE kind = ?1 ORDER BY at DESC, id DESC";
        let mut rows = self.db.prepare_cached(sql)?;
        let rows = rows.query_map([happening.kind()], |row| {
            let feed: String = row.get(1)?;
            Ok(PastEvent {
                at: time_of(row.get(0)?),
                happening,
                site: site_of(Some(&feed)).unwrap_or_default(),
                url: Some(feed),
                title: None,
                version: None,
                why: row.get(2)?,
            })
        })?;
        let mut found = rows.collect::<std::result::Result<Vec<_>, _>>()?;
        found.retain(|one| site.is_none_or(|site| one.site == site));
        found.truncate(limit);
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_is_read_by_its_name() {
        for one in EventKind::ALL {
            assert_eq!(one.kind().parse(), Ok(one));
        }
        let unknown = "drifted".parse::<EventKind>().expect_err("no kind");
        assert!(unknown.contains("drift, relearned"), "{unknown}");
    }

    #[test]
    fn events_have_kinds() {
        let judged = |verdict: &str| Event::Judged {
            site: "a.example".to_owned(),
            verdict: verdict.to_owned(),
            why: String::new(),
        };
        let wrapper = |why: &str| Event::Wrapper {
            site: "a.example".to_owned(),
            sha256: String::new(),
            yaml: String::new(),
            why: why.to_owned(),
        };
        assert_eq!(EventKind::of(&judged("drift")), Some(EventKind::Drift));
        assert_eq!(EventKind::of(&judged("blocked")), Some(EventKind::Blocked));
        assert_eq!(EventKind::of(&judged("ok")), None);
        assert_eq!(
            EventKind::of(&wrapper("relearned")),
            Some(EventKind::Relearned)
        );
        assert_eq!(EventKind::of(&wrapper("learned")), None);
    }
}
