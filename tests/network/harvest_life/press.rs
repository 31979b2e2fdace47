//! A site whose stories appear over time, and what it answers when.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use chrono::{DateTime, TimeDelta, Utc};

/// Items that a feed lists: those before are gone from it.
pub const WINDOW: usize = 10;

/// Stories that are there when the life begins.
const FIRST: usize = 6;

/// What becomes of a site. Times are hours since the beginning.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Fate {
    Quiet,
    /// Its pages have another layout from then on.
    Redesigned {
        at: i64,
    },
    Down {
        from: i64,
        to: i64,
    },
    Hostile {
        from: i64,
    },
}

/// A story, in the order in which they appear.
#[derive(Debug, Clone)]
pub struct Story {
    pub path: String,
    pub title: String,
    pub summary: String,
    pub html: Vec<u8>,
    /// The page as it was before the redesign, where that is not the same.
    pub before: Option<Vec<u8>>,
    /// A page that only leads elsewhere is none.
    pub is_article: bool,
    /// Texts of which each is right; none: nobody knows.
    pub gold: Vec<String>,
}

/// A site.
#[derive(Debug, Clone)]
pub struct Press {
    pub name: String,
    pub stories: Vec<Story>,
    pub fate: Fate,
    paths: BTreeMap<String, usize>,
}

impl Press {
    /// A site of stories, the oldest first.
    pub fn new(name: &str, stories: Vec<Story>, fate: Fate) -> Press {
        let paths: BTreeMap<String, usize> = stories
            .iter()
            .enumerate()
            .map(|(n, story)| (story.path.clone(), n))
            .collect();
        assert_eq!(paths.len(), stories.len(), "{name}: a path for each story");
        Press {
            name: name.to_owned(),
            stories,
            fate,
            paths,
        }
    }

    /// When a story appears, after the beginning: the first ones before it, the others
    /// over sixty hours, so that the last can still be found.
    pub fn appears(&self, n: usize) -> TimeDelta {
        let gap = 60 * 60 / (self.stories.len() - FIRST).max(1) as i64;
        TimeDelta::minutes((n as i64 - FIRST as i64 + 1) * gap)
    }

    /// The stories that the feed lists at a time, the newest first.
    pub fn listed(&self, since: TimeDelta) -> Vec<usize> {
        let shown = |n: &usize| self.appears(*n) <= since;
        (0..self.stories.len())
            .rev()
            .filter(shown)
            .take(WINDOW)
            .collect()
    }

    /// Whether the site is as it should be.
    pub fn is_up(&self, since: TimeDelta) -> bool {
        match self.fate {
            Fate::Down { from, to } => !(from..to).contains(&since.num_hours()),
            Fate::Hostile { from } => since.num_hours() < from,
            Fate::Quiet | Fate::Redesigned { .. } => true,
        }
    }

    /// The feed at a time.
    pub fn feed(&self, host: &str, begin: DateTime<Utc>, since: TimeDelta) -> String {
        let mut out = format!(
            "<rss version=\"2.0\"><channel><title>{}</title><link>http://{host}/</link>",
            self.name
        );
        for n in self.listed(since) {
            let story = &self.stories[n];
            let _ = write!(
                out,
                "<item><title>{}</title><link>http://{host}{}</link><guid isPermaLink=\"false\">{n}</guid>\
                 <description>{}</description><pubDate>{}</pubDate></item>",
                escaped(&story.title),
                escaped(&story.path),
                escaped(&story.summary),
                (begin + self.appears(n)).to_rfc2822()
            );
        }
        out.push_str("</channel></rss>");
        out
    }

    /// The page at a path.
    pub fn page(&self, path: &str, since: TimeDelta) -> Option<Vec<u8>> {
        let story = &self.stories[*self.paths.get(path)?];
        let is_new = match self.fate {
            Fate::Redesigned { at } => since.num_hours() >= at,
            _ => true,
        };
        Some(match (&story.before, is_new) {
            (Some(before), false) => before.clone(),
            _ => story.html.clone(),
        })
    }
}

fn escaped(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '&' => "&amp;".to_owned(),
            '<' => "&lt;".to_owned(),
            '>' => "&gt;".to_owned(),
            '"' => "&quot;".to_owned(),
            c if c.is_control() => " ".to_owned(),
            c => c.to_string(),
        })
        .collect()
}
