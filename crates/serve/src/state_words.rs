//! States in the words of readers: of feeds (when they were read, what failed, what helps), of items
//! without an article, of sites (what their readers have of them, why, and what helps), and of the
//! harvest. "The layout of the site is understood", not "a wrapper was learned".

use chrono::{DateTime, TimeDelta, Utc};
use forest_archive::{FeedRow, RecentPages, SAVED_PAGES, SiteStatus, is_in_use};
use forest_core::learn::MIN_PAGES;
use forest_harvest::SiteState;
use forest_html::error::{counted, span};
use maud::{Markup, html};
use std::path::Path;

/// After so long without a poll no harvest runs, not even once a day: a feed that is asked once a day
/// may be due just after it.
const SILENCE: TimeDelta = TimeDelta::hours(50);

/// The state of a feed in a few words. `pages` are those that were visited last.
pub(crate) fn feed_state(
    feed: &FeedRow,
    pages: Option<&RecentPages>,
    now: DateTime<Utc>,
) -> Markup {
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
        } @else if feed.url == SAVED_PAGES {
            "pages that you saved"
        } @else {
            "not read yet"
        }
        @if let Some(fault) = page_fault(feed, pages) { "; " span .bad { (fault) } }
    }
}

/// The fault of a feed that is read well, and whose pages are not.
fn page_fault(feed: &FeedRow, pages: Option<&RecentPages>) -> Option<String> {
    let failing = |pages: &&RecentPages| pages.all_fail();
    let is_read = feed.is_polled() && feed.poll.failures == 0;
    let pages = pages.filter(failing).filter(|_| is_read)?;
    let why = pages.why.as_deref().unwrap_or("no article");
    let (unread, visited) = (pages.unread, pages.visited);
    Some(format!(
        "its pages cannot be read: {why} on {unread} of {visited}"
    ))
}

/// The help for a feed that is not read, or whose pages are not; empty for one that is well.
pub(crate) fn feed_remedy(feed: &FeedRow, pages: Option<&RecentPages>) -> &'static str {
    let error = feed.poll.error.as_deref().unwrap_or_default();
    if feed.state == "paused" {
        return "It rests until you resume it.";
    }
    if feed.state == "ended" {
        return "It is not asked any more. If its site has another feed, add that one; Resume tries \
                this address again.";
    }
    if feed.poll.failures > 0 {
        return match status_in(error) {
            Some(404 | 410) => {
                "The feed may have another address now: open its site, and add what you find there."
            }
            Some(401..=403 | 429 | 451) => {
                "The server refuses the harvest, which tries again by itself. If it goes on for \
                 days, look for another feed of the site, or pause this one."
            }
            _ => {
                "The harvest tries again by itself, less and less often. If it goes on, open the \
                 address in a browser, and add the feed anew where it is now."
            }
        };
    }
    let is_failing = |pages: &&RecentPages| pages.all_fail() && feed.is_polled();
    let Some(pages) = pages.filter(is_failing) else {
        return "";
    };
    match pages.why.as_deref().and_then(status_in) {
        Some(404 | 410) => {
            "The feed leads to pages that are not there. This is a fault of the site: wait, or \
             pause the feed."
        }
        Some(500..) => "The server of the pages has a fault. The harvest tries again by itself.",
        Some(_) => {
            "The site refuses the harvest, as behind a login or a wall for programs. Open a page in \
             a browser: if you see the article there, keep a header or the cookies of its site on the \
             site's page, under \"Secrets\"; else pause the feed. Readers get the feed's own text."
        }
        None => {
            "Open a page in a browser. If you see the article there, look at the page of its site \
             below, and learn again."
        }
    }
}

/// Why an item has no article, for its readers.
pub(crate) fn reason_words(why: &str) -> String {
    let (why, _) = why.split_once(" (os error").unwrap_or((why, ""));
    match status_in(why) {
        Some(status @ (401..=403 | 407 | 451)) => {
            format!("its site wants a login, or refuses the harvest (status {status})")
        }
        Some(status @ (404 | 410)) => format!("its page is not there (status {status})"),
        Some(429) => "its site has had enough requests for now (status 429)".to_owned(),
        Some(status @ 500..) => format!("its site has a fault (status {status})"),
        _ if why.contains("failed to lookup address") => "there is no such site".to_owned(),
        _ => why.to_owned(),
    }
}

/// The status in a reason: 403 in `status 403`.
fn status_in(why: &str) -> Option<u16> {
    let (_, behind) = why.split_once("status ")?;
    behind.get(..3)?.parse().ok()
}

/// A line on what to do where nothing keeps the feeds of an archive up to date; none while a
/// harvest runs, or has run a short while ago.
pub(crate) fn harvest_notice(archive: &Path, feeds: &[FeedRow], now: DateTime<Utc>) -> Markup {
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
pub(crate) fn harvest_command(archive: &Path) -> Markup {
    html! { code { "forest harvest run --archive " (archive.display()) } }
}

/// The last verdict on a site.
pub(crate) fn verdict(site: &SiteStatus) -> &str {
    let verdict = site.verdict.as_ref();
    verdict.map_or("none yet", |(_, verdict)| verdict)
}

/// The words on a site.
pub(crate) fn site_words(status: &SiteStatus) -> Markup {
    let watch = status.watch.as_deref().and_then(SiteState::from_json);
    let watch = watch.unwrap_or_default();
    let few = status.wrapper.is_none() && status.articles < MIN_PAGES as u64;
    html! {
        p { (site_meaning(status)) }
        @match site_remedy(status) { "" => {} remedy => p { (remedy) } }
        @if few { p { "A wrapper needs " (MIN_PAGES) " articles or more; it has " (counted(status.articles, "article", "articles")) "." } }
        @for (what, why) in [
            ("Its wrapper's file cannot be used", watch.unusable),
            ("The last attempt to learn gave no wrapper", watch.not_learned),
            ("The latest page failed", watch.failure),
        ] { @if let Some(why) = why { p .bad { (what) ": " (why) "." } } }
    }
}

/// The state in a few words.
pub(crate) fn site_state(status: &SiteStatus) -> &'static str {
    match (verdict(status), &status.wrapper) {
        ("drift", _) => "looks different",
        ("degraded", _) => "some pages look different",
        ("blocked", _) => "does not show its articles",
        ("unreachable", _) => "does not answer",
        (_, None) => "not learned yet",
        _ => "understood",
    }
}

/// The meaning of the state for those who read the articles.
fn site_meaning(status: &SiteStatus) -> String {
    let day = status.verdict.as_ref();
    let day = day.map(|(at, _)| at.format("%-d %B %Y").to_string());
    let since = day.map_or(String::new(), |day| format!(" since {day}"));
    match (verdict(status), &status.wrapper) {
        ("drift", _) => format!(
            "The site looks different{since}: its articles may be incomplete until it is learned again."
        ),
        ("degraded", _) => format!(
            "Some pages of the site look different{since}: a few articles may lack a part, an author \
             or a date."
        ),
        ("blocked", _) => format!("The site does not show its articles to the harvest{since}."),
        ("unreachable", _) => format!("The server of the site does not answer{since}."),
        (_, None) => {
            "The site is not learned yet: each article is found by the shape of its page alone, which \
             may keep too much or too little."
                .to_owned()
        }
        _ => "The articles of the site are found as they were when it was learned.".to_owned(),
    }
}

/// The remedy; empty where none is needed.
fn site_remedy(status: &SiteStatus) -> &'static str {
    match verdict(status) {
        "drift" => {
            "The harvest learns it again by itself when it has enough new pages; \"Learn again\" tries \
             it now, and the workshop shows what is found."
        }
        "degraded" => {
            "Look at a few articles. If something is missing, learn again, or correct the wrapper in the workshop."
        }
        "blocked" => {
            "The cause is a wall, a login, or a server that refuses programs. Secrets of the site may open it, \
             below; if it has some, they may have expired. Else pause its feeds."
        }
        "unreachable" => "The harvest tries again by itself.",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forest_archive::FeedPoll;

    #[test]
    fn readers_are_told_why_there_is_no_article() {
        let check = |why: &str, expected: &str| assert_eq!(reason_words(why), expected);
        let shut = "its site wants a login, or refuses the harvest (status 401)";
        check("status 401", shut);
        check("status 404", "its page is not there (status 404)");
        check(
            "its site answered with status 503",
            "its site has a fault (status 503)",
        );
        check(
            "status 429",
            "its site has had enough requests for now (status 429)",
        );
        check("Connection refused (os error 111)", "Connection refused");
        check(
            "dns error: failed to lookup address information: Name or service not known",
            "there is no such site",
        );
        check("its page is behind a wall", "its page is behind a wall");
    }

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
            let shown = feed_state(feed, None, now()).into_string();
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
        let saved = FeedRow {
            url: SAVED_PAGES.to_owned(),
            ..never.clone()
        };
        check(&saved, "pages that you saved");
        let mut failed = never.clone();
        (failed.poll.failures, failed.poll.error) = (3, Some("status <404>".to_owned()));
        check(&failed, "failed 3 times in a row: status &lt;404&gt;");
        let mut ended = failed;
        (ended.state, ended.why) = ("ended".to_owned(), "gone".to_owned());
        check(&ended, "ended: gone");
    }

    #[test]
    fn a_feed_whose_pages_all_fail_says_so_with_the_remedy() {
        let pages = |unread, why: Option<&str>| RecentPages {
            visited: 10,
            unread,
            why: why.map(str::to_owned),
        };
        let check = |pages: &RecentPages, words: &str, remedy: &str| {
            let feed = feed(1, 0, None);
            let shown = feed_state(&feed, Some(pages), now()).into_string();
            assert!(shown.contains(words), "{shown}");
            assert_eq!(shown.contains("bad"), !remedy.is_empty(), "{shown}");
            let given = feed_remedy(&feed, Some(pages));
            assert!(given.starts_with(remedy), "{given}");
            assert_eq!(given.is_empty(), remedy.is_empty(), "{given}");
        };
        let refused = "read 1 minute ago; <span class=\"bad\">its pages cannot be read: status 403 on 10 of 10<";
        check(&pages(10, Some("status 403")), refused, "The site refuses");
        check(
            &pages(10, Some("status 404")),
            "status 404 on",
            "The feed leads",
        );
        check(
            &pages(10, Some("status 503")),
            "status 503 on",
            "The server of",
        );
        check(&pages(10, None), "no article on 10 of 10", "Open a page");
        check(&pages(9, Some("status 403")), "read 1 minute ago", "");
    }

    #[test]
    fn a_feed_that_fails_has_its_remedy() {
        let check = |feed: &FeedRow, remedy: &str| {
            let given = feed_remedy(feed, None);
            assert!(given.starts_with(remedy), "{given}");
        };
        check(
            &feed(1, 2, Some("status 410")),
            "The feed may have another address",
        );
        check(&feed(1, 2, Some("status 403")), "The server refuses");
        check(
            &feed(1, 2, Some("no answer within 30 s")),
            "The harvest tries again",
        );
        assert_eq!(feed_remedy(&feed(1, 0, None), None), "");
        let state = |state: &str| FeedRow {
            state: state.to_owned(),
            ..feed(1, 2, None)
        };
        check(&state("paused"), "It rests");
        check(&state("ended"), "It is not asked");
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

    fn site(verdict: Option<&str>, is_learned: bool) -> SiteStatus {
        let at: DateTime<Utc> = "2026-03-03T04:05:06Z".parse().expect("a date");
        SiteStatus {
            site: "a.example".to_owned(),
            articles: 1,
            pages: 3,
            wrapper: is_learned.then(|| (at, "learned".to_owned())),
            confidence: None,
            verdict: verdict.map(|verdict| (at, verdict.to_owned())),
            drifts: 0,
            watch: None,
        }
    }

    #[test]
    fn a_verdict_is_said_in_words() {
        let check = |verdict: Option<&str>, is_learned: bool, parts: &[&str]| {
            let words = site_words(&site(verdict, is_learned)).into_string();
            for part in parts {
                assert!(words.contains(part), "{part}: {words}");
            }
        };
        let drift = "looks different since 3 March 2026: its articles may be incomplete";
        check(Some("drift"), true, &[drift, "Learn again"]);
        check(Some("degraded"), true, &["Some pages", "3 March 2026"]);
        check(
            Some("blocked"),
            false,
            &[
                "since 3 March 2026.",
                "they may have expired",
                "pause its feeds",
            ],
        );
        check(
            Some("unreachable"),
            false,
            &["does not answer since", "by itself"],
        );
        check(Some("ok"), true, &["are found as they were"]);
        check(None, false, &["not learned yet", "it has 1 article."]);
    }

    #[test]
    fn a_list_of_sites_says_their_state_in_a_few_words() {
        let check = |verdict, is_learned, expected| {
            assert_eq!(site_state(&site(verdict, is_learned)), expected);
        };
        check(Some("drift"), true, "looks different");
        check(Some("degraded"), true, "some pages look different");
        check(Some("blocked"), false, "does not show its articles");
        check(Some("unreachable"), true, "does not answer");
        check(Some("ok"), true, "understood");
        check(None, true, "understood");
        check(None, false, "not learned yet");
        check(Some("ok"), false, "not learned yet");
    }
}
