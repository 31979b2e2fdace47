//! Which feeds were polled, and why the others were not.

use super::feeds::time;
use crate::cli::Global;
use chrono::{DateTime, Utc};
use forest::archive::{Archive, FeedRow};
use forest::error::counted;
use forest::harvest::HarvestProgress;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use url::Url;

/// Feeds that are named on a line.
const NAMED: usize = 5;

/// The feeds of a harvest, by their addresses. There are no more than the archive has.
#[derive(Debug, Default)]
pub struct Polled {
    feeds: BTreeMap<String, Poll>,
}

#[derive(Debug, Default)]
struct Poll {
    new: usize,
    /// Of the last poll.
    error: Option<String>,
    /// The address at which the feed is known now.
    moved: Option<String>,
}

impl Polled {
    /// Takes note of a poll.
    pub fn see(&mut self, event: &HarvestProgress<'_>) {
        match *event {
            HarvestProgress::Feed {
                url, new, error, ..
            } => {
                let poll = self.feeds.entry(url.to_owned()).or_default();
                poll.new += new;
                poll.error = error.map(str::to_owned);
            }
            HarvestProgress::FeedMoved { url, to } => {
                let poll = self.feeds.entry(url.to_owned()).or_default();
                poll.moved = Some(to.to_owned());
            }
            _ => {}
        }
    }

    /// Feeds that were polled, as JSON.
    pub fn json(&self) -> Value {
        let one = |(url, poll): (&String, &Poll)| json!({"feed": url, "new": poll.new, "error": poll.error});
        self.feeds.iter().map(one).collect()
    }

    /// Names the feeds that had nothing new (each of the others has a line of its own),
    /// and those that were not polled.
    pub fn tell(
        &self,
        archive: &Archive,
        now: DateTime<Utc>,
        global: &Global,
    ) -> anyhow::Result<()> {
        let quiet = self
            .feeds
            .iter()
            .filter(|(_, poll)| poll.new == 0 && poll.error.is_none());
        let quiet: Vec<&str> = quiet.map(|(url, _)| url.as_str()).collect();
        if !quiet.is_empty() {
            global.say(format_args!("polled, with nothing new: {}", named(&quiet)));
        }
        let feeds = archive.reader()?.feeds()?;
        let moved: Vec<&str> = self
            .feeds
            .values()
            .filter_map(|poll| poll.moved.as_deref())
            .collect();
        let is_left = |feed: &&FeedRow| {
            let url = feed.url.as_str();
            feed.state == "active" && !self.feeds.contains_key(url) && !moved.contains(&url)
        };
        let left: Vec<&FeedRow> = feeds.iter().filter(is_left).collect();
        let (resting, waiting): (Vec<&FeedRow>, Vec<&FeedRow>) = left
            .into_iter()
            .partition(|feed| feed.poll.next.is_none_or(|next| next <= now));
        for line in resting_lines(&resting, &archive.rests()?.into_iter().collect(), now) {
            global.say(line);
        }
        let first = waiting
            .iter()
            .filter_map(|feed| Some((feed.poll.next?, &feed.url)));
        if let Some((next, url)) = first.min() {
            let count = counted(waiting.len(), "feed", "feeds");
            global.say(format_args!(
                "not due: {count}; the next, {url}, at {}: --now polls at once",
                time(next)
            ));
        }
        Ok(())
    }
}

/// Feeds that are due and were not asked for: their hosts are left alone.
fn resting_lines(
    feeds: &[&FeedRow],
    rests: &HashMap<String, DateTime<Utc>>,
    now: DateTime<Utc>,
) -> Vec<String> {
    let mut by_host: BTreeMap<Option<DateTime<Utc>>, Vec<&str>> = BTreeMap::new();
    for feed in feeds {
        let origin = Url::parse(&feed.url).map(|url| url.origin().ascii_serialization());
        let until = origin.ok().and_then(|origin| rests.get(&origin).copied());
        let until = until.filter(|until| *until > now);
        by_host.entry(until).or_default().push(&feed.url);
    }
    let line = |(until, urls): (Option<DateTime<Utc>>, Vec<&str>)| match until {
        Some(until) => format!(
            "not polled, since the server asks to be left alone until {}: {}",
            time(until),
            named(&urls)
        ),
        None => format!(
            "not polled, since the host failed and is left alone for a while: {}",
            named(&urls)
        ),
    };
    by_host.into_iter().map(line).collect()
}

/// A few addresses, and how many more there are.
fn named(urls: &[&str]) -> String {
    let first = urls
        .iter()
        .take(NAMED)
        .copied()
        .collect::<Vec<_>>()
        .join(", ");
    match urls.len().saturating_sub(NAMED) {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_feeds_are_named_on_one_line() {
        assert_eq!(named(&["a"]), "a");
        assert_eq!(named(&["a", "b", "c", "d", "e"]), "a, b, c, d, e");
        assert_eq!(
            named(&["a", "b", "c", "d", "e", "f", "g"]),
            "a, b, c, d, e and 2 more"
        );
    }
}
