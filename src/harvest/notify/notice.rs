//! What is told, as JSON and as text.

use crate::address::site_of;
use crate::archive::Stored;
use crate::drift::Verdict;
use crate::harvest::{Learning, Progress};
use crate::text::hex;
use crate::text::visible;
use chrono::{DateTime, SecondsFormat, Utc};
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::fmt;
use std::str::FromStr;

/// The form of notices; a field may be added to it, and none changes its meaning.
const SCHEMA: u32 = 1;

/// Characters of a title or a reason at the most.
const TEXT_CHARS: usize = 500;

/// What a notice is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoticeKind {
    /// An article that was not in the archive.
    New,
    /// Another version of an article that was.
    Edited,
    /// A site's wrapper does not find its articles any more.
    Drift,
    /// A new wrapper took the place of one that had drifted.
    Relearned,
    /// A site refuses its pages, or shows a wall in their place.
    Blocked,
    /// A feed has another address, and is polled there from now on.
    FeedMoved,
    /// A feed's server says that it is gone for good.
    FeedGone,
}

impl NoticeKind {
    /// All of them.
    pub const ALL: [NoticeKind; 7] = [
        NoticeKind::New,
        NoticeKind::Edited,
        NoticeKind::Drift,
        NoticeKind::Relearned,
        NoticeKind::Blocked,
        NoticeKind::FeedMoved,
        NoticeKind::FeedGone,
    ];

    /// What is told unless the user says otherwise: what breaks, and what mended itself.
    /// Articles, new and edited, come by the hundred a day from a busy harvest, and
    /// nobody has to do anything about them.
    pub const DEFAULT: [NoticeKind; 5] = [
        NoticeKind::Drift,
        NoticeKind::Relearned,
        NoticeKind::Blocked,
        NoticeKind::FeedMoved,
        NoticeKind::FeedGone,
    ];

    /// Its name, as it is typed and as `event` has it.
    pub fn name(self) -> &'static str {
        match self {
            NoticeKind::New => "new",
            NoticeKind::Edited => "edited",
            NoticeKind::Drift => "drift",
            NoticeKind::Relearned => "relearned",
            NoticeKind::Blocked => "blocked",
            NoticeKind::FeedMoved => "feed-moved",
            NoticeKind::FeedGone => "feed-gone",
        }
    }
}

impl fmt::Display for NoticeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for NoticeKind {
    type Err = String;

    fn from_str(name: &str) -> Result<NoticeKind, String> {
        let found = Self::ALL.into_iter().find(|kind| kind.name() == name);
        found.ok_or_else(|| {
            let names = Self::ALL.map(NoticeKind::name);
            format!("there are {} and all", names.join(", "))
        })
    }
}

/// Something that happened, as it is told: its JSON is one object, in which what does not
/// apply is left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Notice {
    schema: u32,
    /// The same for the same event, so that a receiver knows what it has got already.
    id: String,
    event: NoticeKind,
    at: String,
    site: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    feed: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    /// A verdict's predecessor.
    #[serde(skip_serializing_if = "Option::is_none")]
    was: Option<String>,
    /// A feed's new address.
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    /// All of it in a line for a person.
    message: String,
}

impl Notice {
    /// What is told of something that a harvest did at `at`; `None` of what is no event
    /// of these kinds.
    pub fn of(progress: &Progress<'_>, at: DateTime<Utc>) -> Option<Notice> {
        let notice = match progress {
            Progress::Page {
                url,
                site,
                stored: stored @ (Stored::New | Stored::Version),
                title,
                feed,
                ..
            } => {
                let (kind, what) = match stored {
                    Stored::New => (NoticeKind::New, "new article"),
                    _ => (NoticeKind::Edited, "edited"),
                };
                let mut notice = Notice::new(kind, at, site);
                notice.url = Some((*url).to_owned());
                notice.title = title.map(short);
                notice.feed = feed.map(str::to_owned);
                let name = notice.title.as_deref().unwrap_or(url);
                notice.message = format!("{site}: {what}: {name}");
                notice
            }
            Progress::Verdict {
                site,
                from,
                to: to @ (Verdict::Drift | Verdict::Blocked),
                url,
            } => {
                let (kind, what) = match to {
                    Verdict::Drift => (
                        NoticeKind::Drift,
                        "drift: its wrapper does not find the articles any more",
                    ),
                    _ => (
                        NoticeKind::Blocked,
                        "blocked: it refuses its pages, or shows a wall in their place",
                    ),
                };
                let mut notice = Notice::new(kind, at, site);
                notice.url = Some((*url).to_owned());
                notice.was = Some(from.to_string());
                notice.message = format!("{site}: {what} (was {from})");
                notice
            }
            Progress::Learning {
                site,
                learning: Learning::Relearned,
            } => {
                let mut notice = Notice::new(NoticeKind::Relearned, at, site);
                notice.message = format!("{site}: its wrapper was learned again and does better");
                notice
            }
            Progress::FeedMoved { url, to } => {
                let mut notice = Notice::of_feed(NoticeKind::FeedMoved, at, url);
                notice.to = Some((*to).to_owned());
                notice.message = format!("the feed {url} has moved to {to}");
                notice
            }
            Progress::FeedEnded { url, why } => {
                let mut notice = Notice::of_feed(NoticeKind::FeedGone, at, url);
                notice.why = Some(short(why));
                notice.message = format!("the feed {url} is gone: {}", short(why));
                notice
            }
            _ => return None,
        };
        Some(notice.identified())
    }

    /// What it is about.
    pub fn kind(&self) -> NoticeKind {
        self.event
    }

    /// One object, on one line.
    pub fn json(&self) -> String {
        serde_json::to_string(self).expect("a notice has string keys only")
    }

    /// A line for a person.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// A few words: which site, and what kind.
    pub fn heading(&self) -> String {
        format!("{}: {}", self.site, self.event)
    }

    /// Where a person looks.
    pub fn address(&self) -> Option<&str> {
        self.url
            .as_deref()
            .or(self.to.as_deref())
            .or(self.feed.as_deref())
    }

    fn new(event: NoticeKind, at: DateTime<Utc>, site: &str) -> Notice {
        Notice {
            schema: SCHEMA,
            id: String::new(),
            event,
            at: at.to_rfc3339_opts(SecondsFormat::Secs, true),
            site: site.to_owned(),
            feed: None,
            url: None,
            title: None,
            was: None,
            to: None,
            why: None,
            message: String::new(),
        }
    }

    fn of_feed(event: NoticeKind, at: DateTime<Utc>, feed: &str) -> Notice {
        let mut notice = Notice::new(event, at, &site_of(Some(feed)).unwrap_or_default());
        notice.feed = Some(feed.to_owned());
        notice
    }

    fn identified(mut self) -> Notice {
        self.message = visible(&self.message).into_owned();
        self.id = hex(&Sha256::digest(self.json())[..16]);
        self
    }
}

/// A text of the network's, on one line and not too long.
fn short(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").chars().take(TEXT_CHARS).collect()
}
