//! The page's title and its parts, to find the block that repeats it
//! (`DocumentTitleMatchClassifier`).

use super::words;
use forest_html::page::{NodeId, Page};
use forest_html::text::fold;
use html5ever::local_name;

/// The separators of a headline from the names of section and site, by boilerpipe:
/// the title is split at each of these sets in turn.
const SEPARATORS: [&[char]; 4] = [
    &['|', ':'],
    &['|', ':', '(', ')'],
    &['|', ':', '(', ')', '-'],
    &['|', ',', ':', '(', ')', '-'],
];

/// The candidates for the headline: the page's title and the longest part of it at each
/// set of separators.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct PotentialTitles {
    /// Number of words and text, in lower case with single spaces.
    titles: Vec<(u32, String)>,
}

impl PotentialTitles {
    /// From the page's first `title` that is not empty.
    pub fn of(page: &Page) -> PotentialTitles {
        let is_title = |&n: &NodeId| page.is(n, &local_name!("title"));
        let titles = page.elements().filter(is_title);
        let title = titles
            .map(|n| fold(page.text(n)))
            .find(|title| !title.is_empty());
        title.map_or_else(PotentialTitles::default, |title| Self::new(&title))
    }

    fn new(title: &str) -> PotentialTitles {
        let mut titles = Vec::new();
        let parts = SEPARATORS.map(|set| longest_part(title, set));
        for part in [Some(title)].into_iter().chain(parts).flatten() {
            let part = part.to_lowercase();
            if !titles.iter().any(|(_, known)| *known == part) {
                titles.push((words::count(&part), part));
            }
        }
        PotentialTitles { titles }
    }

    /// True if a block of so many words could be the title. Equal texts have
    /// equal numbers of words: most blocks need no look at their text.
    pub fn have_words(&self, words: u32) -> bool {
        self.titles.iter().any(|&(count, _)| count == words)
    }

    /// True if a text is the title, in lower case with single spaces.
    pub fn contain(&self, text: &str) -> bool {
        self.titles.iter().any(|(_, title)| title == text)
    }
}

/// The part with the most words, or with more characters than the longest before
/// it; `None` if no part is left or the title has no separator.
fn longest_part<'t>(title: &'t str, separators: &[char]) -> Option<&'t str> {
    if !title.contains(separators) {
        return None;
    }
    let (mut most_words, mut longest, mut longest_chars) = (0, "", 0);
    for part in title.split(separators).map(str::trim) {
        if part.contains(".com") {
            continue;
        }
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let words = part.split(|c| !is_word(c)).filter(|w| !w.is_empty());
        let (words, chars) = (words.count(), part.chars().count());
        if words > most_words || chars > longest_chars {
            (most_words, longest, longest_chars) = (words, part, chars);
        }
    }
    (!longest.is_empty()).then_some(longest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(html: &str, expected: &[&str]) {
        let titles = PotentialTitles::of(&Page::from_html(html)).titles;
        let texts: Vec<&str> = titles.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(texts, expected);
    }

    #[test]
    fn a_title_without_separators_is_one() {
        check("<title> Rain\n tomorrow </title>", &["rain tomorrow"]);
        check("<title> </title>", &[]);
        check("<p>Rain</p>", &[]);
    }

    #[test]
    fn parts_are_split_off() {
        let html = "<title>Rain, and snow - Weather (UK) | The Site</title>";
        check(
            html,
            &[
                "rain, and snow - weather (uk) | the site",
                "rain, and snow - weather (uk)",
                "rain, and snow - weather",
                "rain, and snow",
                "and snow",
            ],
        );
    }

    #[test]
    fn hosts_are_no_parts() {
        let html = "<title>Rain | the-long-name-of-it.com</title>";
        check(html, &["rain | the-long-name-of-it.com", "rain"]);
    }

    #[test]
    fn the_first_title_with_text_counts() {
        check("<title></title><title>a</title><title>b</title>", &["a"]);
    }
}
