//! The signifiers of a page: its top-k terms. FOREST 3.1.
//!
//! Takes the pages of a sample, gives their terms by text node
//! ([`SampleTerms`]) and, for each page, its [`Signifiers`].
//!
//! - [`SampleTerms`]: the terms of each page's `body`, content only: the
//!   analyzer's tokens after stop words and stemming, in the page's own language.
//! - [`TfIdf`]: term and document frequencies of the sample, from a tantivy index
//!   in RAM.
//! - [`Signifiers`]: the k terms of a page with the highest weight
//!
//! ```text
//! weight(t, d) = tf(t, d) * ln(n / df(t))
//!
//! tf(t, d)   how often t occurs on page d, 1..
//! df(t)      number of sample pages that hold t, 1..n
//! n          number of sample pages, 1..
//! ```
//!
//! ties by first position; or terms from elsewhere: the feed item, the page's
//! metadata, a list of words.
//!
//! **Edge cases.** A term of all pages weighs 0 and signifies nothing, so a page
//! can have fewer than k signifiers. On one page idf is 0 for all terms: the
//! weight is then tf alone, and [`TfIdf::by_tf_only`] says so.
//!
//! **Departures.** The paper does not say which terms it takes from a feed item:
//! here the k that weigh most on the page, so that figure 6 has one meaning for
//! both sources. The first k in order would be those of the title alone, and the
//! densest element is then the headline: `paper` has a mean 2-gram F1 of
//! 0.467 on big9 then, 0.748 with the weightiest.

mod terms;
#[cfg(test)]
mod tests;
mod tfidf;

pub use terms::{PageTerms, SampleTerms, TermId};
pub use tfidf::TfIdf;

use std::collections::HashSet;

/// Signifiers per page unless something else is asked for (FOREST 3.1).
pub const DEFAULT_KEYWORDS: usize = 10;

/// One signifier of a page.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Signifier {
    /// The term.
    pub term: TermId,
    /// Its weight on this page, at least 0.
    pub weight: f64,
}

/// The signifiers of one page, the weightiest first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Signifiers {
    list: Vec<Signifier>,
}

impl Signifiers {
    /// The top `k` terms of page `page` by tf-idf.
    pub fn by_tfidf(tfidf: &TfIdf, page: usize, k: usize) -> Signifiers {
        let mut list: Vec<Signifier> = tfidf.weights(page).to_vec();
        list.retain(|s| s.weight > 0.0);
        // `weights` is in order of first position, and the sort is stable.
        list.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        list.truncate(k);
        Signifiers { list }
    }

    /// Of the terms of `texts` that occur on page `page` the `k` with the highest
    /// weight. `texts` are a feed item's title and description, or a page's
    /// metadata, or words of the user.
    pub fn by_words<'a>(
        terms: &SampleTerms,
        tfidf: &TfIdf,
        page: usize,
        texts: impl IntoIterator<Item = &'a str>,
        k: usize,
    ) -> Signifiers {
        let mut wanted: HashSet<TermId> = HashSet::new();
        for text in texts {
            terms.known_terms(page, text, |term| {
                wanted.insert(term);
            });
        }
        let mut list: Vec<Signifier> = tfidf.weights(page).to_vec();
        list.retain(|s| wanted.contains(&s.term));
        list.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        list.truncate(k);
        Signifiers { list }
    }

    /// The signifiers, the weightiest first.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Signifier> {
        self.list.iter()
    }

    /// Their number.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// The place of `term` among the signifiers.
    pub fn position(&self, term: TermId) -> Option<usize> {
        self.list.iter().position(|s| s.term == term)
    }

    /// Sum of the weights.
    pub fn total_weight(&self) -> f64 {
        self.list.iter().map(|s| s.weight).sum()
    }
}
