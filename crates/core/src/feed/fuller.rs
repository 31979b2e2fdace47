//! An item's own text beside the article that was read from its page: what is served of an item
//! is never less than its feed had.

use super::{FeedItem, plain_text};
use forest_html::text::{shingles, word_count};
use std::collections::HashSet;

/// Share of the feed's words that the article of a page has at the least.
const LEAST_SHARE: f64 = 0.9;

/// Words of a feed's text from which on it is no teaser.
const WHOLE_WORDS: usize = 150;

/// Share of a whole text's [shingles] that stand in the article of its page, too.
const SAME_TEXT: f64 = 0.3;

/// An article is longer than another text of its page by this factor.
const MUCH_LONGER: usize = 3;

impl FeedItem {
    /// Returns true if the item's own text says more than the article of its page, which is
    /// then shorter, or another text: a hint to pay, a notice of consent.
    ///
    /// ```
    /// use forest_core::feed::FeedItem;
    ///
    /// let item = FeedItem {
    ///     content: Some("<p>The ferry to the island runs again from Monday.</p>".to_owned()),
    ///     ..FeedItem::default()
    /// };
    /// assert!(item.says_more_than("Subscribe to read on."));
    /// assert!(!item.says_more_than("The ferry to the island runs again from Monday on, at ten."));
    /// ```
    pub fn says_more_than(&self, article: &str) -> bool {
        let own = match &self.content {
            Some(content) => plain_text(content),
            None => self.summary.clone(),
        };
        let (own_words, words) = (word_count(&own), word_count(article));
        if (words as f64) < own_words as f64 * LEAST_SHARE {
            return true;
        }
        let may_be_another =
            self.content.is_some() && own_words >= WHOLE_WORDS && words < own_words * MUCH_LONGER;
        may_be_another && shared_part(&own, article) < SAME_TEXT
    }
}

/// The share of a text's shingles that stand in another text.
fn shared_part(text: &str, other: &str) -> f64 {
    let [own, other] = [text, other].map(|text| shingles(text).into_iter().collect());
    let (own, other): (HashSet<u64>, HashSet<u64>) = (own, other);
    if own.is_empty() {
        return 1.0;
    }
    own.intersection(&other).count() as f64 / own.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text of so many different words.
    fn words(from: usize, count: usize) -> String {
        let words = (from..from + count).map(|n| format!("word{n} "));
        words.collect()
    }

    fn item(content: Option<String>, summary: &str) -> FeedItem {
        FeedItem {
            content,
            summary: summary.to_owned(),
            ..FeedItem::default()
        }
    }

    #[test]
    fn a_feed_is_never_made_worse() {
        for n in 0..60 {
            // Whole feeds: the page has the same, a line more or less.
            let whole = item(Some(format!("<p>{}</p>", words(0, 100 + 10 * n))), "");
            assert!(!whole.says_more_than(&words(0, 100 + 10 * n)), "{n}");
            assert!(!whole.says_more_than(&words(0, 104 + 10 * n)), "{n}");
            assert!(!whole.says_more_than(&words(4, 96 + 10 * n)), "{n}");
            // Cut feeds: the page has all of it.
            let cut = item(None, &words(0, 20 + n));
            assert!(!cut.says_more_than(&words(0, 300)), "{n}");
            let written_apart = item(Some(words(5000, 20 + n)), "");
            assert!(!written_apart.says_more_than(&words(0, 300)), "{n}");
        }
        for n in 0..30 {
            // Behind a wall: a hint to pay, short or long.
            let whole = item(Some(words(0, 200 + 20 * n)), "");
            assert!(whole.says_more_than(&words(9000, 10 + n)), "{n}");
            assert!(whole.says_more_than(&words(9000, 200 + 30 * n)), "{n}");
            let cut = item(None, &words(0, 30 + n));
            assert!(cut.says_more_than(&words(9000, 8)), "{n}");
        }
        assert!(!item(None, "").says_more_than(""));
    }
}
