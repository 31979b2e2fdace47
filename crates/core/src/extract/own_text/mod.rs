//! The text that a page has in its own JSON, where its elements show none.
//!
//! Elements come first, then `noscript`, which [`Page::parse`](forest_html::page::Page::parse)
//! reads as elements where the page shows hardly a word, then JSON. Of a thread whose posts stand
//! in both, JSON is taken: there the posts are known one by one, and in `noscript` they stand
//! between names, days and counts. Of 12 forums of the development gold that has a word F1 of .90,
//! and `noscript` .79.

use super::confidence::{TextFeatures, TextSource};
use crate::kind::PageKind;
use crate::onepage::ScoredPage;
use crate::refusal::NoArticle;
use crate::render::text;
use forest_html::page::json::{JsonTie, JsonValue, PageJson, may_hold, may_outdo};
use forest_html::page::{JsonKind, Mask, Page, PageWarning};
use forest_html::text::metric_tokens;

#[cfg(test)]
mod tests;

/// The share of texts with an F1 of 0.9 or more, of 217 pages of the development gold whose elements
/// were taken away: those whose key is that of a text (`body`), 61 of 82; a JSON-LD `articleBody`
/// and the like, which is often cut, 34 of 59; another long value, 5 of 33; a short one, 1 of 43.
/// Of 12 threads 10.
const RIGHT: [(JsonEvidence, f64); 5] = [
    (JsonEvidence::Thread, 0.8),
    (JsonEvidence::TextKey, 0.75),
    (JsonEvidence::LinkedData, 0.6),
    (JsonEvidence::OtherKey, 0.2),
    (JsonEvidence::Short, 0.1),
];

/// The highest confidence of a text that neither headline nor address ties to the page: it is as
/// likely wrong as right.
const UNTIED: f64 = 0.5;

/// Words below which a text is short.
const MANY_WORDS: usize = 100;

/// The kinds of values that differ in how often they are right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum JsonEvidence {
    /// The posts of a thread.
    Thread,
    /// Its key is that of a text.
    TextKey,
    /// It stands in JSON-LD.
    LinkedData,
    /// Its key is another.
    OtherKey,
    /// It has few words.
    Short,
}

impl JsonEvidence {
    fn of(value: &JsonValue) -> JsonEvidence {
        if value.place.kind == JsonKind::Thread {
            JsonEvidence::Thread
        } else if value.words < MANY_WORDS {
            JsonEvidence::Short
        } else if !value.names_text {
            JsonEvidence::OtherKey
        } else if value.place.script.ends_with("ld+json") {
            JsonEvidence::LinkedData
        } else {
            JsonEvidence::TextKey
        }
    }
}

/// A page with the text of its own JSON as its body.
pub(super) struct OwnText {
    pub page: ScoredPage<'static>,
    tie: JsonTie,
    evidence: JsonEvidence,
}

impl OwnText {
    /// That of a page, if its elements show no article or a far shorter one that is a part of it.
    /// A page that stands in the way of its article has none elsewhere.
    pub fn of(page: &ScoredPage<'_>) -> Option<OwnText> {
        if page.json_place().is_some() || !may_hold(page, 0) {
            return None;
        }
        let found = page.article();
        let refusal = found.refusal.as_ref().map(|refusal| refusal.kind);
        if let Some(NoArticle::Challenge | NoArticle::Error | NoArticle::Login) = refusal {
            return None;
        }
        let shown = text(page, &found.kept);
        let is_of_noscript = is_of_noscript(page);
        if !is_of_noscript && !may_outdo(page, &shown) {
            return None;
        }
        let json = PageJson::of(page);
        let value = json.article()?;
        let is_better =
            is_of_noscript && is_own_thread(&value) || json.outdoes(&value, &metric_tokens(&shown));
        if !is_better {
            return None;
        }
        let made = ScoredPage::from(json.page(&value));
        let is_article = made.article().refusal.is_none();
        is_article.then_some(OwnText {
            page: made,
            tie: value.tie,
            evidence: JsonEvidence::of(&value),
        })
    }

    /// The kind of the page: posts are a thread, and a long text is an article.
    pub fn kind(&self) -> PageKind {
        if self.evidence == JsonEvidence::Thread {
            PageKind::Forum
        } else {
            PageKind::Article
        }
    }

    /// The probability that it is right. The block scores know nothing but the text itself, in
    /// which all is prose, so it is no higher than the share of such texts that were right.
    pub fn confidence(&self, kept: &Mask) -> f64 {
        let known = RIGHT
            .iter()
            .find(|(evidence, _)| *evidence == self.evidence);
        let mut most = known.map_or(0.0, |(_, share)| *share);
        if self.tie < JsonTie::Address {
            most = most.min(UNTIED);
        }
        let features = TextFeatures::of(&self.page, kept);
        features.confidence(TextSource::Page).min(most)
    }
}

/// [`OwnText`]'s page.
pub fn of_json(page: &ScoredPage<'_>) -> Option<ScoredPage<'static>> {
    OwnText::of(page).map(|own| own.page)
}

fn is_of_noscript(page: &Page) -> bool {
    page.warnings().contains(&PageWarning::WithoutScripts)
}

fn is_own_thread(value: &JsonValue) -> bool {
    value.place.kind == JsonKind::Thread && value.tie >= JsonTie::Address
}
