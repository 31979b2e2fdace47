//! Lines that one text of an article has and another has not, counted: a new layout has lines that
//! the old one had not (a byline, a place for captions) on most pages of a site, an edit on one.

use super::joined::without_title;
use forest_html::text::metric_words;
use std::collections::HashMap;

/// Articles from which on the usual numbers are known.
const KNOWN: usize = 3;

/// Numbers of lines, compared by their words.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OtherLines {
    /// Of the later text.
    pub added: usize,
    /// Of the earlier text.
    pub removed: usize,
}

impl OtherLines {
    /// The lines that two texts of an article with this title do not share, without the title.
    pub fn between(earlier: &str, later: &str, title: Option<&str>) -> OtherLines {
        let mut counts: HashMap<String, i64> = HashMap::new();
        for (text, sign) in [(earlier, -1), (later, 1)] {
            let lines = without_title(text, title).lines().map(metric_words);
            for line in lines.filter(|line| !line.is_empty()) {
                *counts.entry(line).or_default() += sign;
            }
        }
        let number = |sign: i64| counts.values().map(|n| (n * sign).max(0)).sum::<i64>();
        OtherLines {
            added: number(1).unsigned_abs() as usize,
            removed: number(-1).unsigned_abs() as usize,
        }
    }

    /// The medians of some articles; no lines for fewer than [`KNOWN`].
    pub fn usual(articles: &[OtherLines]) -> OtherLines {
        let median = |of: fn(&OtherLines) -> usize| {
            let mut numbers: Vec<usize> = articles.iter().map(of).collect();
            numbers.sort_unstable();
            numbers[(numbers.len() - 1) / 2]
        };
        match articles.len() {
            ..KNOWN => OtherLines::default(),
            _ => OtherLines {
                added: median(|lines| lines.added),
                removed: median(|lines| lines.removed),
            },
        }
    }

    /// Returns true if there are no more than usual, and some are usual.
    pub fn is_of_layout(self, usual: OtherLines) -> bool {
        usual != OtherLines::default() && self.added <= usual.added && self.removed <= usual.removed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(added: usize, removed: usize) -> OtherLines {
        OtherLines { added, removed }
    }

    #[test]
    fn lines_are_counted_by_their_words_and_without_the_title() {
        let check = |earlier, later, expected| {
            let found = OtherLines::between(earlier, later, Some("Title"));
            assert_eq!(found, expected, "{earlier} and {later}");
        };
        check("Title\nOne.\nTwo.", "one\n\n two!", lines(0, 0));
        check("One\nTwo", "By Ann\nOne\nTwo", lines(1, 0));
        check("One\nTwo", "By Ann\nOne\nTwo, corrected", lines(2, 1));
        check("One\nOne", "One", lines(0, 1));
        check("", "", lines(0, 0));
    }

    #[test]
    fn the_usual_number_is_the_median_of_enough_articles() {
        let usual = |articles: &[OtherLines]| OtherLines::usual(articles);
        assert_eq!(usual(&[]), lines(0, 0));
        assert_eq!(usual(&[lines(1, 1); 2]), lines(0, 0));
        assert_eq!(usual(&[lines(1, 0), lines(1, 0), lines(2, 1)]), lines(1, 0));
        assert_eq!(usual(&[lines(0, 0), lines(0, 0), lines(2, 1)]), lines(0, 0));
        assert!(lines(1, 0).is_of_layout(lines(1, 0)));
        assert!(lines(0, 0).is_of_layout(lines(1, 0)));
        for edit in [lines(2, 0), lines(1, 1)] {
            assert!(!edit.is_of_layout(lines(1, 0)), "{edit:?}");
        }
        // Where nothing is usual the words alone decide.
        assert!(!lines(0, 0).is_of_layout(lines(0, 0)));
    }
}
