//! The rules of a feed: which of its items are wanted, and how many bytes of their pictures.

use super::{FeedItem, Section};
use serde::{Deserialize, Serialize};

/// The items that a feed's user does not want, and the room of its pictures. The default leaves
/// everything in.
///
/// A pattern is found anywhere in a title or an address, whatever its case; `*` in it
/// stands for any characters.
///
/// ```
/// use forest_core::feed::ItemRules;
///
/// let rules = ItemRules {
///     titles: vec!["sponsored:*deal".to_owned()],
///     addresses: vec!["/video/".to_owned()],
///     ..ItemRules::default()
/// };
/// assert!(rules.skips("SPONSORED: a good deal", None));
/// assert!(rules.skips("News", Some("https://example.org/video/1")));
/// assert!(!rules.skips("A deal, sponsored: no", Some("https://example.org/1")));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ItemRules {
    /// Items with such a title are skipped.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub titles: Vec<String>,
    /// Items with such an address are skipped.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub addresses: Vec<String>,
    /// Items whose address is not below this path are skipped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    /// Articles with fewer words are skipped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub least_words: Option<usize>,
    /// Megabytes that the pictures of its articles of 30 days may take; 0: none are stored. `None`:
    /// as many as the harvest stores of any feed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image_budget_mb: Option<u64>,
}

impl ItemRules {
    /// A pattern as a person types it, without spaces around it; `None` if nothing but `*` is in
    /// it.
    pub fn pattern(typed: &str) -> Option<&str> {
        let is_any = !typed.trim().trim_matches('*').trim().is_empty();
        is_any.then(|| typed.trim())
    }

    /// Returns true if an item with this title and this address is skipped.
    pub fn skips(&self, title: &str, address: Option<&str>) -> bool {
        let any = |patterns: &[String], text: &str| {
            let text = text.to_lowercase();
            patterns.iter().any(|pattern| is_in(pattern, &text))
        };
        (!self.titles.is_empty() && any(&self.titles, title))
            || address
                .is_some_and(|address| !self.addresses.is_empty() && any(&self.addresses, address))
            || (self.section.as_deref().zip(address))
                .is_some_and(|(section, address)| !Section::below(section).has_address(address))
    }

    /// [`skips`](Self::skips) of an item.
    pub fn skip(&self, item: &FeedItem) -> bool {
        self.skips(&item.title, item.link.as_ref().map(|link| link.as_str()))
    }

    /// Returns true if an article of so many words is skipped.
    pub fn is_too_short(&self, words: usize) -> bool {
        self.least_words.is_some_and(|least| words < least)
    }

    /// These rules, and those of another.
    #[must_use]
    pub fn and(&self, other: &ItemRules) -> ItemRules {
        let mut both = self.clone();
        both.titles.extend_from_slice(&other.titles);
        both.addresses.extend_from_slice(&other.addresses);
        both.section = both.section.or_else(|| other.section.clone());
        both.least_words = both.least_words.max(other.least_words);
        both.image_budget_mb = both.image_budget_mb.or(other.image_budget_mb);
        both
    }

    /// Returns true if there is no rule.
    pub fn is_empty(&self) -> bool {
        *self == ItemRules::default()
    }
}

/// Returns true if the parts of a pattern stand in the text one behind the other. The text is in
/// lower case. A pattern without a letter is in no text: it would be in all.
fn is_in(pattern: &str, text: &str) -> bool {
    let pattern = pattern.trim().to_lowercase();
    let mut rest = text;
    let mut is_any = false;
    for part in pattern.split('*').filter(|part| !part.is_empty()) {
        let Some(at) = rest.find(part) else {
            return false;
        };
        rest = &rest[at + part.len()..];
        is_any = true;
    }
    is_any
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_found_in_the_order_of_its_parts() {
        let check = |pattern: &str, text: &str, expected: bool| {
            assert_eq!(
                is_in(pattern, &text.to_lowercase()),
                expected,
                "{pattern} in {text}"
            );
        };
        check("sponsored", "This is SPONSORED.", true);
        check("Anzeige:", "anzeige: Küchen", true);
        check("ÄRZTE", "Die Ärzte", true);
        check("/tag/*/feed", "https://a.example/tag/x/feed", true);
        check("/feed*/tag", "https://a.example/tag/x/feed", false);
        check("*sport*", "https://a.example/sport/1", true);
        check("aa*aa", "aaa", false);
        for nothing in ["", " ", "*", "**"] {
            check(nothing, "anything", false);
            assert_eq!(ItemRules::pattern(nothing), None);
        }
    }

    #[test]
    fn a_typed_pattern_is_trimmed() {
        assert_eq!(ItemRules::pattern(" a *b* "), Some("a *b*"));
    }

    #[test]
    fn two_sets_of_rules_skip_what_either_skips() {
        let titles = |title: &str, least_words| ItemRules {
            titles: vec![title.to_owned()],
            least_words,
            ..ItemRules::default()
        };
        let both = titles("one", Some(20)).and(&titles("two", None));
        assert!(both.skips("One", None) && both.skips("Two", None) && !both.skips("Three", None));
        assert!(both.is_too_short(19) && !both.is_too_short(20));
        assert!(!ItemRules::default().is_too_short(0) && ItemRules::default().is_empty());
    }

    #[test]
    fn rules_are_written_as_far_as_there_are_any() {
        let json = serde_json::to_string(&ItemRules::default()).expect("written");
        assert_eq!(json, "{}");
        assert_eq!(
            serde_json::from_str::<ItemRules>("{}").expect("read"),
            ItemRules::default()
        );
    }
}
