//! The kinds of events that a person may want to know of.

use super::event::{Event, VisitOutcome};
use std::fmt;
use std::str::FromStr;

/// A kind of event in an archive that a person may want to know of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// There is a new article.
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
    /// A feed is gone.
    FeedGone,
}

/// The names of the kinds, in the order of [`EventKind::ALL`].
const NAMES: [&str; 7] = [
    "new",
    "edited",
    "drift",
    "relearned",
    "blocked",
    "feed-moved",
    "feed-gone",
];

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
    pub fn name(self) -> &'static str {
        NAMES[self as usize]
    }

    /// The kind of an event, if it has one. A version counts as an edit: the writer knows the
    /// first one by [`Stored`](super::Stored).
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
        f.write_str(self.name())
    }
}

impl FromStr for EventKind {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<EventKind, String> {
        let found = EventKind::ALL.into_iter().find(|one| one.name() == text);
        found.ok_or_else(|| {
            let kinds = NAMES.join(", ");
            format!("there are {kinds}")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_is_read_by_its_name() {
        for one in EventKind::ALL {
            assert_eq!(one.name().parse(), Ok(one));
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
