//! The kinds of events that a person may want to be told of, and those that there were.

use super::Reader;
use super::event::{Event, Outcome};
use super::store::time_of;
use crate::address::site_of;
use crate::error::Result;
use chrono::{DateTime, Utc};
use rusqlite::params;
use std::cmp::Reverse;
use std::fmt;
use std::str::FromStr;

/// A kind of event in an archive that a person may want to be told of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Happening {
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

impl Happening {
    /// All kinds.
    pub const ALL: [Happening; 7] = [
        Happening::New,
        Happening::Edited,
        Happening::Drift,
        Happening::Relearned,
        Happening::Blocked,
        Happening::FeedMoved,
        Happening::FeedGone,
    ];

    /// The name by which it is selected.
    pub fn kind(self) -> &'static str {
        match self {
            Happening::New => "new",
            Happening::Edited => "edited",
            Happening::Drift => "drift",
            Happening::Relearned => "relearned",
            Happening::Blocked => "blocked",
            Happening::FeedMoved => "feed-moved",
            Happening::FeedGone => "feed-gone",
        }
    }

    /// The kind of an event, where it is one. A version counts as an edit: whether it is
    /// the first one, [`Stored`](super::Stored) tells whoever writes it.
    pub fn of(event: &Event) -> Option<Happening> {
        match event {
            Event::Page(visit) if matches!(visit.outcome, Outcome::Version(_)) => {
                Some(Happening::Edited)
            }
            Event::Judged { verdict, .. } => match verdict.as_str() {
                "drift" => Some(Happening::Drift),
                "blocked" => Some(Happening::Blocked),
                _ => None,
            },
            Event::Wrapper { why, .. } if why == "relearned" => Some(Happening::Relearned),
            Event::FeedMoved { .. } => Some(Happening::FeedMoved),
            Event::FeedEnded { .. } => Some(Happening::FeedGone),
            _ => None,
        }
    }
}

impl fmt::Display for Happening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind())
    }
}

impl FromStr for Happening {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Happening, String> {
        let found = Happening::ALL.into_iter().find(|one| one.kind() == text);
        found.ok_or_else(|| {
            let kinds = Happening::ALL.map(Happening::kind).join(", ");
            format!("there are {kinds}")
        })
    }
}

/// An event of a kind that a person may want to be told of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Happened {
    /// When.
    pub at: DateTime<Utc>,
    /// Its kind.
    pub happening: Happening,
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

impl Reader {
    /// What happened of these kinds, on one site or on all, the newest first; of each kind
    /// `limit` at the most.
    ///
    /// # Errors
    ///
    /// If the database cannot be read.
    pub fn happened(
        &self,
        kinds: &[Happening],
        site: Option<&str>,
        limit: usize,
    ) -> Result<Vec<Happened>> {
        let mut found = Vec::new();
        let mut kinds = kinds.to_vec();
        kinds.sort_unstable();
        kinds.dedup();
        for kind in kinds {
            match kind {
                Happening::FeedMoved | Happening::FeedGone => {
                    found.extend(self.notices(kind, site, limit)?);
                }
                Happening::New | Happening::Edited => {
                    let which = match kind {
                        Happening::New => "v.number = 1",
                        _ => "v.number > 1",
                    };
                    let sql =
                        format!("{ARTICLES} AND {which} ORDER BY v.at DESC, v.id DESC LIMIT ?2");
                    found.extend(self.of_kind(kind, &sql, site, limit)?);
                }
                Happening::Drift | Happening::Blocked => {
                    let sql = format!(
                        "{VERDICTS} AND verdict = '{kind}' ORDER BY at DESC, id DESC LIMIT ?2"
                    );
                    found.extend(self.of_kind(kind, &sql, site, limit)?);
                }
                Happening::Relearned => {
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
        happening: Happening,
        sql: &str,
        site: Option<&str>,
        limit: usize,
    ) -> Result<Vec<Happened>> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let mut rows = self.db.prepare_cached(sql)?;
        let rows = rows.query_map(params![site, limit], |row| {
            Ok(Happened {
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
        happening: Happening,
        site: Option<&str>,
        limit: usize,
    ) -> Result<Vec<Happened>> {
        let sql = "SELECT at, feed, why FROM notices WHERE kind = ?1 ORDER BY at DESC, id DESC";
        let mut rows = self.db.prepare_cached(sql)?;
        let rows = rows.query_map([happening.kind()], |row| {
            let feed: String = row.get(1)?;
            Ok(Happened {
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
        for one in Happening::ALL {
            assert_eq!(one.kind().parse(), Ok(one));
        }
        let unknown = "drifted".parse::<Happening>().expect_err("no kind");
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
        assert_eq!(Happening::of(&judged("drift")), Some(Happening::Drift));
        assert_eq!(Happening::of(&judged("blocked")), Some(Happening::Blocked));
        assert_eq!(Happening::of(&judged("ok")), None);
        assert_eq!(
            Happening::of(&wrapper("relearned")),
            Some(Happening::Relearned)
        );
        assert_eq!(Happening::of(&wrapper("learned")), None);
    }
}
