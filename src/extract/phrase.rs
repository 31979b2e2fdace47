//! Texts by which others can see whether a wrapper still works.

use super::{Extractor, Options};
use crate::page::Page;
use crate::wrapper::PageTest;

/// Pages that are named at the most.
const PAGES: usize = 3;

/// Characters of a text at the most, and at least.
const CHARS: std::ops::RangeInclusive<usize> = 12..=70;

/// For up to three of a site's pages, of those whose address is known, a text that
/// stands in its article and in none of the others: the beginning of the longest
/// such line, to the end of a word.
///
/// ```
/// use forest::extract::{Extractor, tests_of};
/// use forest::page::{Page, Source};
/// use forest::wrapper::Wrapper;
///
/// let yaml = "format: 1\nsite: a.example\ntemplates:\n- body: [//article]\n";
/// let extractor = Extractor::new(Wrapper::from_yaml(yaml)?.wrapper)?;
/// let source = Source { url: Some("https://a.example/1"), content_type: None };
/// let page = Page::parse(b"<article><p>Rain<p>It rained all day.</article>", source);
/// assert_eq!(tests_of(&extractor, &[&page])[0].contains, "It rained all day.");
/// # Ok::<(), forest::Error>(())
/// ```
pub fn tests_of(extractor: &Extractor, pages: &[&Page]) -> Vec<PageTest> {
    let options = Options::default();
    let texts: Vec<String> = pages
        .iter()
        .map(|page| extractor.extract(page, &options).text)
        .collect();
    let mut tests = Vec::new();
    for (i, page) in pages.iter().enumerate() {
        let Some(url) = page.url().filter(|url| is_address(url)) else {
            continue;
        };
        let others: Vec<&str> = (0..texts.len())
            .filter(|&other| other != i && pages[other].url() != Some(url))
            .map(|other| &*texts[other])
            .collect();
        if let Some(contains) = phrase(&texts[i], &others) {
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
