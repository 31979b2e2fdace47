//! The kinds of pages, and the probability of each.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A kind of page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[repr(usize)]
pub enum PageKind {
    /// News, a post, an essay, a recipe: one text by itself.
    Article,
    /// A manual, a reference, a help page.
    Documentation,
    /// A company or an institution: itself, and its offers.
    Service,
    /// A thread of a forum, a question with its answers.
    Forum,
    /// One thing for sale.
    Product,
    /// It lists other pages with teasers: a front page, a section, an archive.
    Listing,
    /// It lists things: products of a shop, entries of a directory, results of a search.
    Collection,
}

impl PageKind {
    /// Number of kinds.
    pub const COUNT: usize = 7;

    /// All kinds.
    pub const ALL: [PageKind; Self::COUNT] = [
        PageKind::Article,
        PageKind::Documentation,
        PageKind::Service,
        PageKind::Forum,
        PageKind::Product,
        PageKind::Listing,
        PageKind::Collection,
    ];

    /// Their names, words in lower case.
    pub const NAMES: [&str; Self::COUNT] = [
        "article",
        "documentation",
        "service",
        "forum",
        "product",
        "listing",
        "collection",
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// The kind with this name.
    pub fn named(name: &str) -> Option<PageKind> {
        PageKind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// True if the page lists other pages or things.
    pub fn is_list(self) -> bool {
        matches!(self, PageKind::Listing | PageKind::Collection)
    }
}

impl fmt::Display for PageKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The probability of each kind of a page; they add up to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KindScores([f32; PageKind::COUNT]);

/// The probability of an article from which a page is read as one. In folds over publishers
/// 18 of 2,000 articles are below: `docs/kinds.md`.
pub const MIN_ARTICLE: f32 = 0.4;

impl KindScores {
    /// The scores in proportion to these, one a kind.
    pub fn in_proportion(scores: [f32; PageKind::COUNT]) -> KindScores {
        let sum: f32 = scores.iter().sum();
        KindScores(scores.map(|score| score / sum.max(f32::MIN_POSITIVE)))
    }

    /// In the order of [`PageKind::ALL`].
    pub fn probabilities(&self) -> &[f32; PageKind::COUNT] {
        &self.0
    }

    /// The probability of a kind, 0 to 1.
    pub fn of(&self, kind: PageKind) -> f32 {
        self.0[kind as usize]
    }

    /// The likeliest kind but for articles, which are what a page is read as from
    /// [`MIN_ARTICLE`] on.
    pub fn kind(&self) -> PageKind {
        if self.is_article() {
            return PageKind::Article;
        }
        let others = PageKind::ALL.into_iter().skip(1);
        let likeliest = others.max_by(|&a, &b| self.of(a).total_cmp(&self.of(b)));
        likeliest.unwrap_or(PageKind::Article)
    }

    /// True if the page is read as an article.
    pub fn is_article(&self) -> bool {
        self.of(PageKind::Article) >= MIN_ARTICLE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_to_their_kinds() {
        for (at, kind) in PageKind::ALL.into_iter().enumerate() {
            assert_eq!(PageKind::named(kind.name()), Some(kind));
            assert_eq!(kind as usize, at);
        }
        assert_eq!(PageKind::named("wall"), None);
    }

    #[test]
    fn a_page_is_read_as_an_article_unless_that_is_unlikely() {
        let of = |scores| KindScores::in_proportion(scores);
        let likely = of([4.0, 0.0, 0.0, 0.0, 0.0, 6.0, 0.0]);
        assert_eq!(
            (likely.kind(), likely.is_article()),
            (PageKind::Article, true)
        );
        let unlikely = of([1.0, 0.0, 0.0, 5.0, 0.0, 4.0, 0.0]);
        assert_eq!(unlikely.kind(), PageKind::Forum);
        assert_eq!(unlikely.of(PageKind::Listing), 0.4);
        assert_eq!(
            of([0.0; PageKind::COUNT]).probabilities(),
            &[0.0; PageKind::COUNT]
        );
    }
}
