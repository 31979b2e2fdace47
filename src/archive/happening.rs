//! The kinds of events that a person may want to be told of.

use super::event::{Event, Outcome};
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

    fn from_str(text: &str) -> Result<Happening, String> {
        let found = Happening::ALL.into_iter().find(|one| one.kind() == text);
        found.ok_or_else(|| {
            let kinds = Happening::ALL.map(Happening::kind).join(", ");
            format!("there are {kinds}")
        })
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
