//! The state of a site in plain words: takes its verdict and its watch; gives what a reader of its
//! articles has of it, the reason, and what helps.

use forest_archive::SiteStatus;
use forest_core::learn::MIN_PAGES;
use forest_harvest::SiteState;
use forest_html::error::counted;
use maud::{Markup, html};

/// The last verdict on a site.
pub(super) fn verdict(site: &SiteStatus) -> &str {
    let verdict = site.verdict.as_ref();
    verdict.map_or("none yet", |(_, verdict)| verdict)
}

/// The words on a site.
pub(super) fn site_words(status: &SiteStatus) -> Markup {
    let watch = status.watch.as_deref().and_then(SiteState::from_json);
    let watch = watch.unwrap_or_default();
    let few = status.wrapper.is_none() && status.articles < MIN_PAGES as u64;
    html! {
        p { (meaning(status)) }
        @match remedy(status) { "" => {} remedy => p { (remedy) } }
        @if few { p { "A wrapper needs " (MIN_PAGES) " articles or more; it has " (counted(status.articles, "article", "articles")) "." } }
        @for (what, why) in [
            ("Its wrapper's file cannot be used", watch.unusable),
            ("The last attempt to learn gave no wrapper", watch.not_learned),
            ("The latest page failed", watch.failure),
        ] { @if let Some(why) = why { p .bad { (what) ": " (why) "." } } }
    }
}

/// The state in a few words.
pub(super) fn state_words(status: &SiteStatus) -> &'static str {
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
fn meaning(status: &SiteStatus) -> String {
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
fn remedy(status: &SiteStatus) -> &'static str {
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
    use chrono::{DateTime, Utc};

    fn status(verdict: Option<&str>, is_learned: bool) -> SiteStatus {
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
            let words = site_words(&status(verdict, is_learned)).into_string();
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
            assert_eq!(state_words(&status(verdict, is_learned)), expected);
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
