//! A notice of an event, as JSON and as text.

use crate::clock::rfc3339;
use crate::{HarvestProgress, Learning};
use chrono::{DateTime, Utc};
use forest_archive::{EventKind, Stored};
use forest_core::drift::Verdict;
use forest_html::address::site_of;
use forest_html::text::{fold, sha256_hex, visible};
use serde::{Serialize, Serializer};

/// The form of notices; a field may be added to it, and none changes its meaning.
const SCHEMA: u32 = 1;

/// Maximum number of characters of a title or a reason.
const TEXT_CHARS: usize = 500;

/// A notice of an event. Its JSON is one object without the fields that do not apply.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Notice {
    schema: u32,
    /// The same for the same event, so that a receiver knows what it has got already.
    id: String,
    #[serde(serialize_with = "as_name")]
    event: EventKind,
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
    /// The notice in a line for a person.
    message: String,
}

impl Notice {
    /// The notice of an article that is new, or was edited.
    fn of_article(
        stored: Stored,
        at: DateTime<Utc>,
        site: &str,
        url: &str,
        title: Option<&str>,
    ) -> Notice {
        let (kind, what) = match stored {
            Stored::New => (EventKind::New, "new article"),
            _ => (EventKind::Edited, "edited"),
        };
        let mut notice = Notice::new(kind, at, site);
        notice.url = Some(url.to_owned());
        notice.title = title.map(short);
        let name = notice.title.as_deref().unwrap_or(url);
        notice.message = format!("{site}: {what}: {name}");
        notice
    }

    /// The notice of a harvest's event at `at`; `None` if the event is of no [`EventKind`].
    pub fn of(progress: &HarvestProgress<'_>, at: DateTime<Utc>) -> Option<Notice> {
        let notice = match progress {
            HarvestProgress::Page {
                url,
                site,
                stored: stored @ (Stored::New | Stored::Version),
                title,
                feed,
                ..
            } => {
                let mut notice = Notice::of_article(*stored, at, site, url, *title);
                notice.feed = feed.map(str::to_owned);
                notice
            }
            HarvestProgress::Settled { site, edit, feed } => {
                let title = edit.title.as_deref();
                let mut notice = Notice::of_article(Stored::Version, at, site, &edit.url, title);
                notice.feed = feed.map(str::to_owned);
                notice
            }
            HarvestProgress::Verdict {
                site,
                from,
                to: to @ (Verdict::Drift | Verdict::Blocked),
                url,
            } => {
                let (kind, what) = match to {
                    Verdict::Drift => (
                        EventKind::Drift,
                        "drift: its wrapper does not find the articles any more",
                    ),
                    _ => (
                        EventKind::Blocked,
                        "blocked: it refuses its pages, or shows a wall in their place",
                    ),
                };
                let mut notice = Notice::new(kind, at, site);
                notice.url = Some((*url).to_owned());
                notice.was = Some(from.to_string());
                notice.message = format!("{site}: {what} (was {from})");
                notice
            }
            HarvestProgress::Learning {
                site,
                learning: Learning::Relearned,
            } => {
                let mut notice = Notice::new(EventKind::Relearned, at, site);
                notice.message = format!("{site}: its wrapper was learned again and does better");
                notice
            }
            HarvestProgress::FeedMoved { url, to } => {
                let mut notice = Notice::of_feed(EventKind::FeedMoved, at, url);
                notice.to = Some((*to).to_owned());
                notice.message = format!("the feed {url} has moved to {to}");
                notice
            }
            HarvestProgress::FeedEnded { url, why } => {
                let mut notice = Notice::of_feed(EventKind::FeedGone, at, url);
                notice.why = Some(short(why));
                notice.message = format!("the feed {url} is gone: {}", short(why));
                notice
            }
            _ => return None,
        };
        Some(notice.identified())
    }

    /// The kind of its event.
    pub fn kind(&self) -> EventKind {
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

    /// The site and the kind, in a few words.
    pub fn heading(&self) -> String {
        format!("{}: {}", self.site, self.event)
    }

    /// The address that a person looks at.
    pub fn address(&self) -> Option<&str> {
        self.url
            .as_deref()
            .or(self.to.as_deref())
            .or(self.feed.as_deref())
    }

    fn new(event: EventKind, at: DateTime<Utc>, site: &str) -> Notice {
        Notice {
            schema: SCHEMA,
            id: String::new(),
            event,
            at: rfc3339(at),
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

    fn of_feed(event: EventKind, at: DateTime<Utc>, feed: &str) -> Notice {
        let mut notice = Notice::new(event, at, &site_of(Some(feed)).unwrap_or_default());
        notice.feed = Some(feed.to_owned());
        notice
    }

    fn identified(mut self) -> Notice {
        self.message = visible(&self.message).into_owned();
        self.id = sha256_hex(self.json())[..32].to_owned();
        self
    }
}

fn as_name<S: Serializer>(event: &EventKind, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(event.name())
}

/// A text of the network's, on one line and not too long.
fn short(text: &str) -> String {
    fold(text).chars().take(TEXT_CHARS).collect()
}
