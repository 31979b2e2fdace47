//! Texts by which others can see whether a wrapper still works.

use super::Article;
use crate::wrapper::PageTest;

/// Pages that are named at the most.
const PAGES: usize = 3;

/// Characters of a text at the most, and at least.
const CHARS: std::ops::RangeInclusive<usize> = 12..=70;

/// For up to three articles of a site, of those whose address is known, a text that
/// stands in the article and in none of the others: the beginning of the longest
/// such line, to the end of a word.
///
/// ```
/// use forest_core::extract::{Article, tests_of};
///
/// let article = Article {
///     fetched_url: Some("https://a.example/1".into()),
///     text: "Rain\nIt rained all day.".into(),
///     ..Article::default()
/// };
/// assert_eq!(tests_of(&[article])[0].contains, "It rained all day.");
/// ```
pub fn tests_of(articles: &[Article]) -> Vec<PageTest> {
    let mut tests = Vec::new();
    for (i, article) in articles.iter().enumerate() {
        let url = article.fetched_url.as_deref();
        let Some(url) = url.filter(|url| is_address(url)) else {
            continue;
        };
        let others: Vec<&str> = (0..articles.len())
            .filter(|&other| other != i && articles[other].fetched_url.as_deref() != Some(url))
            .map(|other| &*articles[other].text)
            .collect();
        if let Some(contains) = phrase(&article.text, &others) {
            let url = url.to_owned();
            tests.push(PageTest { url, contains });
        }
        if tests.len() == PAGES {
            break;
        }
    }
    tests
}

fn is_address(url: &str) -> bool {
    url.starts_with("http://") || url.starts_with("https://")
}

fn phrase(text: &str, others: &[&str]) -> Option<String> {
    let mut lines: Vec<&str> = text.lines().map(str::trim).collect();
    // The first of the longest; the sort is stable.
    lines.sort_by_key(|line| std::cmp::Reverse(line.chars().count()));
    let phrases = lines.into_iter().take(others.len() + 1).map(beginning);
    let mut own = phrases.filter(|phrase| {
        phrase.chars().count() >= *CHARS.start() && !others.iter().any(|o| o.contains(phrase))
    });
    own.next().map(str::to_owned)
}

/// The beginning of a line to the end of a word, or of a character where there are
/// no spaces.
fn beginning(line: &str) -> &str {
    let Some((end, _)) = line.char_indices().nth(*CHARS.end()) else {
        return line;
    };
    let cut = &line[..end];
    match cut.rsplit_once(' ') {
        Some((words, _)) if words.len() * 2 > cut.len() => words.trim_end(),
        _ => cut.trim_end(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, others: &[&str], expected: Option<&str>) {
        assert_eq!(phrase(text, others).as_deref(), expected);
    }

    #[test]
    fn the_longest_line_that_is_the_articles_own() {
        let long = "The ferry to the islands leaves an hour later from Monday on, says the harbour master.";
        let cut = "The ferry to the islands leaves an hour later from Monday on, says";
        check(&format!("A title of it\n{long}"), &[], Some(cut));
        check(
            &format!("A title of it\n{long}"),
            &[long],
            Some("A title of it"),
        );
        check("short", &[], None);
        check("", &[], None);
        let chinese = "雨".repeat(100);
        check(&chinese, &[], Some(&"雨".repeat(70)));
    }
}
