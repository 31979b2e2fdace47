//! The box by which a person narrows a list: takes the words of `q` in an address; gives whether an
//! entry has them, and the form.

use axum::http::Uri;
use forest_html::error::counted;
use forest_web::form_fields::FormFields;
use maud::{Markup, html};

/// Words that count.
const MAX_WORDS: usize = 20;

/// The words that an entry must have, in any of its texts and in any case.
#[derive(Debug, Default)]
pub(super) struct NarrowingWords {
    typed: String,
    words: Vec<String>,
}

impl NarrowingWords {
    /// The words in a query.
    pub(super) fn of(uri: &Uri) -> NarrowingWords {
        let asked = FormFields::read(uri.query().unwrap_or_default().as_bytes());
        let typed = asked.get("q").trim().to_owned();
        let words = typed.to_lowercase();
        NarrowingWords {
            words: words
                .split_whitespace()
                .take(MAX_WORDS)
                .map(str::to_owned)
                .collect(),
            typed,
        }
    }

    /// True if each word is in one of the texts.
    pub(super) fn fit<'a>(&self, texts: impl Iterator<Item = &'a str>) -> bool {
        if self.words.is_empty() {
            return true;
        }
        let texts: Vec<String> = texts.map(str::to_lowercase).collect();
        let is_there = |word: &String| texts.iter().any(|text| text.contains(word));
        self.words.iter().all(is_there)
    }

    /// The form, which leads to the page at `action`.
    pub(super) fn form(&self, action: &str, label: &str) -> Markup {
        html! {
            form method="get" action=(action) role="search" .narrowing {
                label for="q" { (label) }
                .row {
                    input #q name="q" type="search" value=(self.typed);
                    button { "Filter" }
                    @if !self.typed.is_empty() { a href=(action) { "All" } }
                }
            }
        }
    }
}

/// The text in place of a list of which no entry has the words. `action` is its page, `thing` the
/// name of an entry.
pub(super) fn none_found(action: &str, thing: &str, all: usize) -> Markup {
    let all = counted(all, thing, &format!("{thing}s"));
    html! { p role="status" { "No " (thing) " has these words. " a href=(action) { "Show " (all) } "." } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_has_all_words_in_any_of_its_texts() {
        let check = |query: &str, expected: bool| {
            let uri = format!("/archive?{query}").parse().expect("an address");
            let texts = ["The Gazette", "https://a.example/feed", "News/ÄRZTE"];
            let words = NarrowingWords::of(&uri);
            assert_eq!(words.fit(texts.into_iter()), expected, "{query}");
        };
        check("", true);
        check("q=+", true);
        check("q=gazette", true);
        check("q=a.example+GAZETTE", true);
        check("q=%C3%A4rzte", true);
        check("q=gazette+other", false);
    }
}
