//! Moves of feeds: a feed gets a new address after five polls in a row with the same
//! permanent redirect, and ends with 410.
//!
//! One permanent redirect is often a mistake that is taken back: a captive
//! portal, a site under repair, an expired domain's parking page. Five polls are
//! at least an hour and a quarter, and five days for a feed that is silent.

use forest_fetch::Hop;
use forest_html::address::{has_credentials, without_fragment};
use serde::{Deserialize, Serialize};
use url::Url;

/// Polls in a row with the same permanent redirect after which the feed moves.
pub const SIGHTINGS: u32 = 5;

/// A feed that seems to have moved, as the archive keeps it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PendingMove {
    #[serde(with = "as_text")]
    to: Url,
    seen: u32,
}

/// The verdict of a poll on a feed's address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RedirectVerdict {
    /// It stays; earlier sightings no longer count.
    Stays,
    /// It may be moving; the sighting is kept until the next poll.
    Moving(PendingMove),
    /// It has moved: this is its address from now on.
    Adopt(Url),
    /// There is no such feed any more (410): it is not polled again.
    Ended,
}

/// Judges a poll of `feed` that went through `hops` and ended with `status`, where
/// earlier polls had left `before`.
///
/// A sighting is a feed (200 to 299, once read as one) or the word that it is the
/// same (304) behind permanent redirects (301, 308) only. Anything else, a poll
/// that failed among it, begins the count again. Not followed for good, however
/// often they are seen: a way from https to http, which anybody on the way could
/// have written; and what stands behind an address with a user name in it, since
/// that name belongs to the address.
///
/// One 410 is enough: a server says it on purpose. Behind a redirect that is not
/// permanent it is about another address, and does not count.
///
/// # Examples
///
/// ```
/// use forest_fetch::Hop;
/// use forest_harvest::moved::{RedirectVerdict, judge};
///
/// let feed = "https://example.org/rss".parse()?;
/// let hops = [Hop::new(301, "https://www.example.org/rss".parse()?)];
/// let mut before = None;
/// for _ in 0..4 {
///     let RedirectVerdict::Moving(moved) = judge(&feed, before.as_ref(), &hops, 200) else { panic!() };
///     before = Some(moved);
/// }
/// assert_eq!(judge(&feed, before.as_ref(), &hops, 304),
/// RedirectVerdict::Adopt(hops[0].to.clone()));
/// # Ok::<(), url::ParseError>(())
/// ```
pub fn judge(
    feed: &Url,
    before: Option<&PendingMove>,
    hops: &[Hop],
    status: u16,
) -> RedirectVerdict {
    if hops.iter().any(|hop| !hop.is_permanent()) {
        return RedirectVerdict::Stays;
    }
    if status == 410 {
        return RedirectVerdict::Ended;
    }
    let Some(last) = hops.last() else {
        return RedirectVerdict::Stays;
    };
    let to = without_fragment(last.to.clone());
    let downgraded = feed.scheme() == "https" && hops.iter().any(|hop| hop.to.scheme() != "https");
    let named = [feed, &to].iter().any(|url| has_credentials(url));
    let found = matches!(status, 200..=299 | 304);
    if !found || downgraded || named || to == without_fragment(feed.clone()) {
        return RedirectVerdict::Stays;
    }
    let seen = before.filter(|moved| moved.to == to);
    let seen = seen.map_or(0, |moved| moved.seen).saturating_add(1);
    match seen {
        SIGHTINGS.. => RedirectVerdict::Adopt(to),
        _ => RedirectVerdict::Moving(PendingMove { to, seen }),
    }
}

/// An address as a string, which `url` has behind a feature.
mod as_text {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use url::Url;

    pub(super) fn serialize<S: Serializer>(url: &Url, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(url.as_str())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Url, D::Error> {
        let text = String::deserialize(from)?;
        Url::parse(&text).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEED: &str = "https://example.org/rss";
    const A: &str = "https://a.example.org/rss";
    const B: &str = "https://b.example.org/rss";

    fn url(text: &str) -> Url {
        Url::parse(text).expect("a URL")
    }

    /// Polls one after another, `(hops, status)` each, and the verdicts as text.
    fn check(feed: &str, polls: &[(&[(u16, &str)], u16)], expected: &str) {
        let mut before: Option<PendingMove> = None;
        let mut verdicts = Vec::new();
        for (hops, status) in polls {
            let hops: Vec<Hop> = hops
                .iter()
                .map(|(status, to)| Hop::new(*status, url(to)))
                .collect();
            let verdict = judge(&url(feed), before.as_ref(), &hops, *status);
            verdicts.push(match &verdict {
                RedirectVerdict::Stays => "-".to_owned(),
                RedirectVerdict::Moving(moved) => moved.seen.to_string(),
                RedirectVerdict::Adopt(to) => to.to_string(),
                RedirectVerdict::Ended => "ended".to_owned(),
            });
            // As it is stored between two runs.
            before = match verdict {
                RedirectVerdict::Moving(moved) => {
                    let kept = serde_json::to_string(&moved).expect("plain values");
                    Some(serde_json::from_str(&kept).expect("as written"))
                }
                _ => None,
            };
        }
        assert_eq!(verdicts.join(" "), expected);
    }

    type PollCase<'a> = (&'a [(u16, &'a str)], u16);

    #[test]
    fn the_fifth_sighting_is_believed() {
        let to_a: PollCase = (&[(301, A)], 200);
        check(FEED, &[to_a; 5], &format!("1 2 3 4 {A}"));
        let the_same: PollCase = (&[(308, A)], 304);
        check(FEED, &[the_same; 5], &format!("1 2 3 4 {A}"));
        // Through another place; only the end counts.
        let loop_back: PollCase = (&[(301, B), (308, A)], 200);
        check(
            FEED,
            &[to_a, loop_back, to_a, loop_back, to_a],
            &format!("1 2 3 4 {A}"),
        );
        let safer: PollCase = (&[(301, FEED)], 200);
        let polls = [safer; 5];
        check("http://example.org/rss", &polls, &format!("1 2 3 4 {FEED}"));
        // A fragment is not sent to anybody.
        let marked = format!("{A}#top");
        check(FEED, &[(&[(301, &marked)], 200), to_a], "1 2");
    }

    #[test]
    fn anything_else_begins_the_count_again() {
        let to_a: PollCase = (&[(301, A)], 200);
        let others: [PollCase; 8] = [
            (&[], 200),
            (&[], 304),
            (&[(302, A)], 200),
            (&[(307, A)], 200),
            (&[(301, B), (302, A)], 200),
            (&[(301, A)], 404),
            (&[(301, A)], 503),
            (&[], 500),
        ];
        for other in others {
            check(FEED, &[to_a, to_a, to_a, to_a, other, to_a], "1 2 3 4 - 1");
        }
        check(FEED, &[to_a, to_a, (&[(301, B)], 200), to_a], "1 2 1 1");
        // A ticket in the address: never the same place twice.
        let tickets: Vec<String> = (0..6).map(|n| format!("{A}?ticket={n}")).collect();
        let hops: Vec<[(u16, &str); 1]> = tickets.iter().map(|to| [(301, to.as_str())]).collect();
        let polls: Vec<PollCase> = hops.iter().map(|hop| (hop.as_slice(), 200)).collect();
        check(FEED, &polls, "1 1 1 1 1 1");
    }

    #[test]
    fn what_is_never_followed_for_good() {
        let check = |feed, hops| check(feed, &[(hops, 200); 6], "- - - - - -");
        check(FEED, &[(301, "http://example.org/rss")]);
        check(FEED, &[(301, "http://example.org/rss"), (301, A)]);
        check(FEED, &[(301, B), (301, FEED)]);
        check("https://me:secret@example.org/rss", &[(301, A)]);
        check(FEED, &[(301, "https://me@example.org/rss")]);
    }

    #[test]
    fn one_410_ends_a_feed() {
        check(FEED, &[(&[], 410)], "ended");
        check(FEED, &[(&[(301, A)], 200), (&[(301, A)], 410)], "1 ended");
        check(FEED, &[(&[(302, A)], 410)], "-");
        check(FEED, &[(&[], 404)], "-");
    }

    #[test]
    fn a_damaged_state_is_an_error_or_believed_at_once() {
        assert!(serde_json::from_str::<PendingMove>(r#"{"to": "no address", "seen": 1}"#).is_err());
        let before: PendingMove =
            serde_json::from_str(&format!(r#"{{"to": "{A}", "seen": 4294967295}}"#))
                .expect("it can be read");
        let hops = [Hop::new(301, url(A))];
        let verdict = judge(&url(FEED), Some(&before), &hops, 200);
        assert_eq!(verdict, RedirectVerdict::Adopt(url(A)));
    }
}
