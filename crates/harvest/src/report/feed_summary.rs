//! The feeds that a harvest polled, and the reasons why it did not poll the others.

use crate::HarvestProgress;
use crate::clock::rfc3339;
use chrono::{DateTime, Utc};
use forest_archive::FeedRow;
use forest_html::error::counted;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use url::Url;

/// Feeds that are named on a line.
const NAMED: usize = 5;

/// The feeds of a harvest, by their addresses. There are no more than the archive has.
#[derive(Debug, Default)]
pub struct FeedSummary {
    feeds: BTreeMap<String, PolledFeed>,
}

#[derive(Debug, Default)]
struct PolledFeed {
    new: usize,
    /// Of the last poll.
    error: Option<String>,
    /// The address at which the feed is known now.
    moved: Option<String>,
}

impl FeedSummary {
    /// Adds a poll.
    pub fn add(&mut self, event: &HarvestProgress<'_>) {
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
        let one = |(url, poll): (&String, &PolledFeed)| json!({"feed": url, "new": poll.new, "error": poll.error});
        self.feeds.iter().map(one).collect()
    }

    /// Names the feeds that had nothing new (each of the others has a line of its own), and
    /// those of `feeds`, all of the archive's, that were not polled. `rests` has the origins
    /// that are left alone, and until when.
    pub fn lines(
        &self,
        feeds: &[FeedRow],
        rests: &HashMap<String, DateTime<Utc>>,
        now: DateTime<Utc>,
    ) -> Vec<String> {
        let mut lines = Vec::new();
        let quiet = self.feeds.iter();
        let quiet = quiet.filter(|(_, poll)| poll.new == 0 && poll.error.is_none());
        let quiet: Vec<&str> = quiet.map(|(url, _)| url.as_str()).collect();
        if !quiet.is_empty() {
            lines.push(format!("polled, with nothing new: {}", named(&quiet)));
        }
        let moved = self.feeds.values();
        let moved: Vec<_> = moved.filter_map(|poll| poll.moved.as_deref()).collect();
        let is_left = |feed: &&FeedRow| {
            let url = feed.url.as_str();
            feed.state == "active" && !self.feeds.contains_key(url) && !moved.contains(&url)
        };
        let left = feeds.iter().filter(is_left);
        let (backed_off, waiting): (Vec<&FeedRow>, Vec<&FeedRow>) =
            left.partition(|feed| feed.poll.next.is_none_or(|next| next <= now));
        lines.extend(back_off_lines(&backed_off, rests, now));
        let due = waiting.iter();
        let due = due.filter_map(|feed| Some((feed.poll.next?, &feed.url)));
        if let Some((next, url)) = due.min() {
            let count = counted(waiting.len(), "feed", "feeds");
            lines.push(format!(
                "not due: {count}; the next, {url}, at {}: --now polls at once",
                rfc3339(next)
            ));
        }
        lines
    }
}

/// Feeds that are due and were not requested, because their hosts are backed off.
fn back_off_lines(
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
    let line = |(until, urls): (Option<DateTime<Utc>>, Vec<&str>)| {
        let why = match until {
            Some(until) => format!(
                "the host failed or asks for a pause, and is left alone until {}",
                rfc3339(until)
            ),
            None => "the host failed and is left alone for a while".to_owned(),
        };
        format!("not polled, since {why}: {}", named(&urls))
    };
    by_host.into_iter().map(line).collect()
}

/// A few addresses, and how many more there are.
fn named(urls: &[&str]) -> String {
    let first = urls[..urls.len().min(NAMED)].join(", ");
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
