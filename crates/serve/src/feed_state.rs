//! The state of feeds for people: when they were read, what failed, and whether a harvest runs.

use chrono::{DateTime, TimeDelta, Utc};
use forest_archive::{FeedRow, is_in_use};
use forest_html::error::span;
use maud::{Markup, html};
use std::path::Path;

/// After so long without a poll no harvest runs, not even once a day: a feed that is asked once a day
/// may be due just after it.
const SILENCE: TimeDelta = TimeDelta::hours(50);

/// The state of a feed in a few words.
pub(super) fn feed_state(feed: &FeedRow, now: DateTime<Utc>) -> Markup {
    let poll = &feed.poll;
    let error = poll.error.as_deref().unwrap_or("it cannot be read");
    let read = poll.success.map(|at| match now - at {
        age if age < TimeDelta::minutes(1) => "read just now".to_owned(),
        age => format!("read {} ago", span(age)),
    });
    html! {
        @if feed.state != "active" {
            (feed.state) @if !feed.why.is_empty() { ": " (feed.why) }
        } @else if poll.failures > 0 {
            span .bad { "failed" @if poll.failures > 1 { " " (poll.failures) " times in a row" } ": " (error) }
            @if let Some(read) = read { "; " (read) }
            @if let Some(next) = poll.next.filter(|next| *next > now) { "; asked again in " (span(next - now)) }
        } @else if let Some(read) = read {
            (read) @if poll.error.is_some() { "; items may be missing: " (error) }
        } @else {
            "not read yet"
        }
    }
}

/// A line on what to do where nothing keeps the feeds of an archive up to date; none while a
/// harvest runs, or has run a short while ago.
pub(super) fn harvest_notice(archive: &Path, feeds: &[FeedRow], now: DateTime<Utc>) -> Markup {
    let active = feeds.iter().filter(|feed| feed.state == "active");
    let last = active.clone().filter_map(|feed| feed.poll.last).max();
    let is_silent = last.is_none_or(|last| now - last > SILENCE);
    let is_needed = active.count() > 0 && is_silent && !is_in_use(archive);
    html! { @if is_needed {
        p role="status" {
            "No harvest runs" @if let Some(last) = last { ", and none has for " (span(now - last)) }
            ". To fetch new articles, keep this command running: " (harvest_command(archive))
        }
    } }
}

/// The command that harvests an archive.
pub(super) fn harvest_command(archive: &Path) -> Markup {
    html! { code { "forest harvest run --archive " (archive.display()) } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forest_archive::FeedPoll;

    fn now() -> DateTime<Utc> {
        "2026-01-02T03:04:05Z".parse().expect("a date")
    }

    /// A feed that was read so many minutes ago, and failed so often since.
    fn feed(minutes: i64, failures: u32, error: Option<&str>) -> FeedRow {
        FeedRow {
            state: "active".to_owned(),
            poll: FeedPoll {
                success: Some(now() - TimeDelta::minutes(minutes)),
                last: Some(now() - TimeDelta::minutes(minutes)),
                next: Some(now() + TimeDelta::minutes(90)),
                failures,
                error: error.map(str::to_owned),
                ..FeedPoll::default()
            },
            ..FeedRow::default()
        }
    }

    #[test]
    fn a_state_is_said_in_words() {
        let check = |feed: &FeedRow, expected: &str| {
            let shown = feed_state(feed, now()).into_string();
            let text = shown
                .replace("<span class=\"bad\">", "")
                .replace("</span>", "");
            assert_eq!(text, expected);
        };
        check(&feed(0, 0, None), "read just now");
        check(&feed(1, 0, None), "read 1 minute ago");
        check(&feed(59, 0, None), "read 59 minutes ago");
        check(&feed(61, 0, None), "read 1 hour ago");
        check(
            &feed(3 * 24 * 60, 0, Some("it is cut off")),
            "read 3 days ago; items may be missing: it is cut off",
        );
        check(
            &feed(5, 1, Some("status 500")),
            "failed: status 500; read 5 minutes ago; asked again in 1 hour",
        );
        let never = FeedRow {
            poll: FeedPoll::default(),
            ..feed(0, 0, None)
        };
        check(&never, "not read yet");
        let mut failed = never.clone();
        (failed.poll.failures, failed.poll.error) = (3, Some("status <404>".to_owned()));
        check(&failed, "failed 3 times in a row: status &lt;404&gt;");
        let mut ended = failed;
        (ended.state, ended.why) = ("ended".to_owned(), "gone".to_owned());
        check(&ended, "ended: gone");
    }

    #[test]
    fn a_harvest_is_missed_after_two_days() {
        let dir = Path::new("store");
        let notice = |feeds: &[FeedRow]| harvest_notice(dir, feeds, now()).into_string();
        assert_eq!(notice(&[]), "");
        assert_eq!(notice(&[feed(49 * 60, 0, None), feed(9999, 0, None)]), "");
        let of_days = notice(&[feed(3 * 24 * 60, 0, None)]);
        assert!(of_days.contains("none has for 3 days"), "{of_days}");
        assert!(
            of_days.contains("harvest run --archive store<"),
            "{of_days}"
        );
        let never = FeedRow {
            poll: FeedPoll::default(),
            ..feed(0, 0, None)
        };
        assert!(notice(std::slice::from_ref(&never)).contains("No harvest runs. "));
        let paused = FeedRow {
            state: "paused".to_owned(),
            ..never
        };
        assert_eq!(notice(&[paused]), "");
    }
}
