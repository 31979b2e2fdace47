//! A page that shows only the beginning of its stored article: the article is behind a wall
//! since some days. Its text is not an article, and makes no version.
//!
//! [`close_teaser`] compares the read text with that of the latest version. It is a teaser
//! under three conditions:
//!
//! - There was a whole article: the latest version has [`WHOLE_WORDS`] words or more.
//! - The read text is the beginning of that article, at most half of it. Each line continues
//!   where the line before ended. A label above, a missing caption and a truncated last line
//!   do not matter. The other words are as few as an invitation to subscribe.
//! - The page states that there is a wall ([`invitations`], [`is_sold`]): in these other
//!   words; in its markup; or elsewhere, if the page of the latest version did not.
//!
//! Without the last condition an author shortened the text, which is a version. A page that
//! is marked as sold, and is whole, is an article.

use super::joined::without_title;
use super::known::{KnownAddress, LatestVersion};
use super::raw::{RawPages, parse_whole};
use forest_core::extract::{Article, Status};
use forest_core::refusal::{invitations, is_sold};
use forest_html::page::Page;
use forest_html::text::{metric_tokens, word_count};
use std::collections::BTreeSet;

/// Words (metric tokens) from which a version may be the whole of an article.
const WHOLE_WORDS: usize = 100;

/// Minimum number of words that a teaser has of its article: a sentence.
const COMMON_WORDS: usize = 20;

/// Maximum number of its other words: an invitation to subscribe.
const INVITATION_WORDS: usize = 60;

/// Words in a row by which a line is found in the older text.
const ANCHOR_WORDS: usize = 5;

/// Words of the older text that may be left out before a line.
const SKIPPED_WORDS: usize = 60;

/// The error of a teaser.
const WHY: &str = "the page shows only the beginning of what the archive has of this article, and asks for a \
                   subscription or a login";

/// Makes the article of a received page [blocked](Status::Blocked), without a text, if the
/// page shows only the beginning of the stored article, and invites to subscribe. `now` is the
/// page, its address and its `Content-Type`. Returns true if it did.
pub fn close_teaser(
    raw_pages: &RawPages,
    known: &KnownAddress,
    now: (&[u8], &str, Option<&str>),
    article: &mut Article,
) -> bool {
    let latest = known.latest.as_ref().filter(|_| !known.is_part());
    if !latest.is_some_and(|latest| is_teaser(raw_pages, latest, now, article)) {
        return false;
    }
    *article = Article {
        url: article.url.take(),
        status: Status::Blocked,
        error: Some(WHY.to_owned()),
        ..Article::default()
    };
    true
}

fn is_teaser(
    raw_pages: &RawPages,
    latest: &LatestVersion,
    now: (&[u8], &str, Option<&str>),
    article: &Article,
) -> bool {
    let text = without_title(&article.text, article.title.as_deref());
    let words = word_count(text);
    // Most pages are not shorter than before.
    if latest.words < WHOLE_WORDS || words > latest.words / 2 + INVITATION_WORDS {
        return false;
    }
    let Ok(had) = raw_pages.text(latest) else {
        return false;
    };
    let shown = TeaserOverlap::of(&had, text);
    let invitation = invitations(&shown.besides);
    // An invitation is not a part of the article.
    let own = if invitation.is_empty() {
        words
    } else {
        shown.common
    };
    let besides = words.saturating_sub(shown.common);
    let is_beginning = shown.common >= COMMON_WORDS && besides <= INVITATION_WORDS;
    if !is_beginning || 2 * own > latest.words {
        return false;
    }
    if !invitation.is_empty() {
        return true;
    }
    let page = parse_whole(now);
    is_sold(&page) || !invitations_on(&page).is_subset(&invitations_on_latest(raw_pages, latest))
}

/// The invitations to subscribe anywhere on a page.
fn invitations_on(page: &Page) -> BTreeSet<usize> {
    let mut text = String::new();
    for n in page.content_texts(page.body().unwrap_or(page.root())) {
        text.push_str(page.text(n));
        text.push(' ');
    }
    invitations(&text)
}

/// The invitations on the page of the latest version.
fn invitations_on_latest(raw_pages: &RawPages, latest: &LatestVersion) -> BTreeSet<usize> {
    let raw = latest.raw.as_ref().and_then(|raw| raw_pages.read(raw).ok());
    raw.map(|raw| invitations_on(&raw.parse(None)))
        .unwrap_or_default()
}

/// The part of a text that is the beginning of an older one.
#[derive(Debug, Default, PartialEq)]
struct TeaserOverlap {
    /// Words of the older text.
    common: usize,
    /// The words that are not in the older text, line by line.
    besides: String,
}

impl TeaserOverlap {
    fn of(had: &str, text: &str) -> TeaserOverlap {
        let had = metric_tokens(had);
        let had: Vec<&str> = had.iter().collect();
        let mut shown = TeaserOverlap::default();
        let mut at = 0;
        for line in text.lines() {
            let line = metric_tokens(line);
            let line: Vec<&str> = line.iter().collect();
            let anchor = &line[..line.len().min(ANCHOR_WORDS)];
            // A line of a word or two occurs in many places.
            let skipped = if line.len() < ANCHOR_WORDS {
                0
            } else {
                SKIPPED_WORDS
            };
            let starts = at..=(at + skipped).min(had.len());
            let start = starts.into_iter().find(|s| had[*s..].starts_with(anchor));
            let mut common = 0;
            if let Some(start) = start {
                let pairs = had[start..].iter().zip(&line);
                common = pairs.take_while(|(a, b)| a == b).count();
                at = start + common;
            }
            shown.common += common;
            if common < line.len() {
                shown.besides.push_str(&line[common..].join(" "));
                shown.besides.push('\n');
            }
        }
        shown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_held_against_the_beginning_of_an_older_one() {
        let had = "The title\nOne two three four five six seven.\nA caption\nOn and on it goes, said he.\nThe end.";
        let check = |text: &str, common, besides: &str| {
            let expected = TeaserOverlap {
                common,
                besides: besides.to_owned(),
            };
            assert_eq!(TeaserOverlap::of(had, text), expected, "{text}");
        };
        check(had, 20, "");
        check("", 0, "");
        check("One two three four five six seven.", 7, "");
        // Lines may be broken in another way, and the last one be cut short.
        check(
            "One two three four five\nsix seven. A caption on and o…",
            11,
            "o\n",
        );
        check(
            "Plus\nOne two three four five six seven.\nOn and on it goes ...\nSubscribe now!",
            12,
            "plus\nsubscribe now\n",
        );
        // No part of it is the beginning.
        check("the end", 0, "the end\n");
        check("two of five", 0, "two of five\n");
    }
}
