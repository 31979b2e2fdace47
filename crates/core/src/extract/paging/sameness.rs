//! True if a page is of the same article as another.

use crate::extract::Extractor;
use crate::wrapper::Match;
use forest_html::address::Address;
use forest_html::page::Page;
use forest_html::text::metric_tokens;
use std::collections::BTreeSet;

/// The titles and the address by which a page's article is identified.
#[derive(Debug, Clone, Default)]
pub(super) struct ArticleIdentity {
    /// The words of its titles: the wrapper's and the metadata's.
    titles: Vec<BTreeSet<String>>,
    /// Its canonical address.
    canonical: Option<String>,
}

impl ArticleIdentity {
    /// That of a page on which the wrapper found text.
    pub fn of(extractor: &Extractor, page: &Page, found: &Match) -> ArticleIdentity {
        let said = page.metadata();
        let own = extractor.matcher().title(page, found);
        let titles = own.iter().chain(&said.title).map(String::as_str);
        // Some templates name the home page everywhere.
        let is_page = |url: &String| Address::of(url).is_some_and(|url| !url.is_home());
        ArticleIdentity::new(titles, said.canonical.clone().filter(is_page))
    }

    fn new<'a>(
        titles: impl IntoIterator<Item = &'a str>,
        canonical: Option<String>,
    ) -> ArticleIdentity {
        let titles = titles.into_iter().map(words);
        ArticleIdentity {
            titles: titles.filter(|words| !words.is_empty()).collect(),
            canonical,
        }
    }

    /// True if the pages may be of one article: the titles, or the canonical
    /// address, are not another's. `likeness` says how much of the titles must be
    /// the same.
    pub fn may_be(&self, other: &ArticleIdentity, likeness: TitleLikeness) -> bool {
        if self.canonical.is_some() && self.canonical == other.canonical {
            return true;
        }
        if self.titles.is_empty() || other.titles.is_empty() {
            return likeness == TitleLikeness::Half;
        }
        let mut pairs = self
            .titles
            .iter()
            .flat_map(|a| other.titles.iter().map(move |b| (a, b)));
        pairs.any(|(a, b)| {
            let (common, shorter) = (a.intersection(b).count(), a.len().min(b.len()));
            match likeness {
                TitleLikeness::Half => 2 * common >= shorter,
                TitleLikeness::Whole => common == shorter,
            }
        })
    }
}

/// The share of the shorter title's words that the longer one must have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TitleLikeness {
    /// Half of its words, or there is no title: something else says that the pages
    /// are of one article.
    Half,
    /// All of them: nothing else does. Titles of different articles may have the
    /// site's name in common.
    Whole,
}

/// The words of a title, without numbers: "Page 2 of 3".
fn words(title: &str) -> BTreeSet<String> {
    let tokens = metric_tokens(title);
    let words = tokens
        .iter()
        .filter(|word| !word.bytes().all(|b| b.is_ascii_digit()));
    words.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(a: &[&str], b: &[&str], half: bool, whole: bool) {
        let of = |titles: &[&str]| ArticleIdentity::new(titles.iter().copied(), None);
        let found = [TitleLikeness::Half, TitleLikeness::Whole]
            .map(|likeness| of(a).may_be(&of(b), likeness));
        assert_eq!(found, [half, whole], "{a:?} {b:?}");
    }

    #[test]
    fn titles_of_one_article_and_of_two() {
        check(&["The ferry"], &["The ferry – Page 2 of 3"], true, true);
        check(
            &["Camera review", "Introduction"],
            &["Camera review: lenses"],
            true,
            true,
        );
        check(
            &["Camera review: body"],
            &["Camera review: lenses"],
            true,
            false,
        );
        check(
            &["Rain | The Daily News"],
            &["Fire | The Daily News"],
            true,
            false,
        );
        check(&[], &["Anything"], true, false);
        check(
            &["The ferry leaves later"],
            &["Cat sleeps on organ"],
            false,
            false,
        );
        check(&["渡轮周一起晚开"], &["猫在管风琴上睡觉"], false, false);
    }

    #[test]
    fn one_canonical_address_is_one_article() {
        let of = |title| ArticleIdentity::new([title], Some("https://a.example/s".to_owned()));
        assert!(of("One").may_be(&of("Two"), TitleLikeness::Whole));
    }
}
