//! The observation of one page.

use super::ItemWords;
use crate::extract::{Article, ArticleWarning, Extractor, Options, Status};
use crate::kind::PageKind;
use crate::learn::{link_quota, words};
use crate::onepage::ScoredPage;
use crate::refusal::NoArticle;
use forest_html::address::page_key;
use forest_html::page::{Mask, Page};
use forest_html::text::metric_tokens;

/// The observation of a page and a wrapper.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PageObservation {
    /// The page's name.
    pub id: String,
    /// The status of the wrapper's article.
    pub status: Status,
    /// The wrapper gives nothing, and the extractor that knows no wrapper does.
    pub fallback: bool,
    /// Why it gives nothing, if it gives nothing.
    pub error: Option<String>,
    /// The kind of the page, if it holds no article.
    pub no_article: Option<NoArticle>,
    /// The kind of the page, if it is another than that of the wrapper's sample.
    pub other_kind: Option<PageKind>,
    /// The template that matched.
    pub template: Option<usize>,
    /// Words (metric tokens) of the article.
    pub words: usize,
    /// Share of its characters in links, 0..=1.
    pub link_quota: f64,
    /// Share of the article's words that are in [likely](crate::onepage::Overlap) blocks,
    /// 0..=1.
    pub precision: f64,
    /// Share of the words in likely blocks that the article has, 0..=1.
    pub recall: f64,
    /// Words in likely blocks; those in blocks of a few words are left out.
    pub likely_words: usize,
    /// Texts that the wrapper's tests ask for and the article has not.
    pub missing: Vec<String>,
    /// Matches of strip rules that are not what the rules expect.
    pub unexpected: usize,
    /// The expression of the wrapper that was too much for the page.
    pub too_much: Option<String>,
    /// For each of the wrapper's expressions: true if it gives something here.
    pub giving: Vec<bool>,
    /// The probability that the text is right: see [`confidence`](crate::extract::confidence).
    pub confidence: Option<f64>,
    /// F1 to expect of the text by the block scores, 0..=1; 0 without a text.
    pub expected_f1: f64,
    /// The feed item's words in the article, if there is an item.
    pub item: Option<ItemWords>,
    /// F1 against the right text, if that is known.
    pub f1: Option<f64>,
}

impl PageObservation {
    fn new(id: &str, status: Status) -> PageObservation {
        PageObservation {
            id: id.to_owned(),
            status,
            ..PageObservation::default()
        }
    }

    /// It is not the page that its feed item is about.
    pub fn is_other_page(&self) -> bool {
        self.item.is_some_and(|item| item.is_of_other_page())
    }

    /// The agreement with the block scores, 0..=1: the harmonic mean of both shares.
    pub fn agreement(&self) -> f64 {
        let (p, r) = (self.precision, self.recall);
        if p + r > 0.0 {
            2.0 * p * r / (p + r)
        } else {
            0.0
        }
    }
}

/// Observes what the extractor makes of a page that it [parsed](Extractor::parse). `item`
/// is the title and summary that a feed has for it. `score` gives the F1 of a text, if the
/// right one is known.
pub fn observe(
    extractor: &Extractor,
    id: &str,
    page: &ScoredPage<'_>,
    item: Option<&str>,
    score: impl FnOnce(&str) -> Option<f64>,
) -> PageObservation {
    observe_article(extractor, id, page, item, &Options::default(), score).1
}

/// The [article](Extractor::extract) of a page and the [observation](observe) of it, in one
/// pass.
pub fn extract_and_observe(
    extractor: &Extractor,
    id: &str,
    page: &ScoredPage<'_>,
    item: Option<&str>,
    options: &Options,
) -> (Article, PageObservation) {
    observe_article(extractor, id, page, item, options, |_| None)
}

fn observe_article(
    extractor: &Extractor,
    id: &str,
    page: &ScoredPage<'_>,
    item: Option<&str>,
    options: &Options,
    score: impl FnOnce(&str) -> Option<f64>,
) -> (Article, PageObservation) {
    let of_json = extractor.matcher().page_of_json(page).map(ScoredPage::from);
    let page = of_json.as_ref().unwrap_or(page);
    match extractor.attempt(page, options) {
        Ok((article, evidence)) => {
            let found = &evidence.found;
            let features = evidence.features(page);
            let overlap = features.overlap;
            let share = |whole: f32| f64::from(overlap.shared_likely_words / whole.max(1.0));
            let observation = PageObservation {
                // The wrapper says no more than what is stripped, and that was done.
                status: match article.status {
                    Status::Fallback => Status::Ok,
                    status => status,
                },
                no_article: evidence.judgement.refusal.as_ref().map(|r| r.kind),
                other_kind: extractor.other_kind(&evidence, page),
                template: Some(found.template),
                unexpected: found.unexpected,
                precision: share(overlap.text_words),
                recall: share(overlap.likely_words),
                likely_words: overlap.likely_words as usize,
                confidence: Some(features.confidence(evidence.source)),
                expected_f1: f64::from(overlap.expected_f1()),
                ..of_text(extractor, id, page, item, &found.kept, &article, score)
            };
            let article = extractor.judged(article, &evidence, page, options);
            (article, observation)
        }
        Err(found) => {
            let read = extractor.no_match(page, options);
            let fallback = read.status == Status::Fallback;
            let article = by_wrapper_alone(read.clone());
            let template = found.as_ref().map(|found| found.template);
            let kept = found.map_or_else(|| Mask::none(page), |found| found.kept);
            let observation = PageObservation {
                fallback,
                no_article: page.article().refusal.as_ref().map(|r| r.kind),
                other_kind: list_among_articles(extractor, page),
                template,
                confidence: article.confidence,
                ..of_text(extractor, id, page, item, &kept, &article, score)
            };
            (read, observation)
        }
    }
}

/// The kind of a list on which a wrapper for something else selects nothing.
fn list_among_articles(extractor: &Extractor, page: &ScoredPage<'_>) -> Option<PageKind> {
    let (kind, wrapper) = (page.page_kind().kind(), extractor.wrapper());
    let is_own = (0..wrapper.templates.len()).any(|template| wrapper.kind_of(template) == kind);
    (kind.is_list() && !is_own).then_some(kind)
}

/// The part of an observation that follows from a page's text alone.
fn of_text(
    extractor: &Extractor,
    id: &str,
    page: &Page,
    item: Option<&str>,
    kept: &Mask,
    article: &Article,
    score: impl FnOnce(&str) -> Option<f64>,
) -> PageObservation {
    PageObservation {
        status: article.status,
        error: article.error.clone(),
        item: item.and_then(|item| ItemWords::of(page, kept, item)),
        words: words(page, kept),
        link_quota: link_quota(page, kept),
        missing: missing(extractor, page, article),
        giving: extractor.matcher().giving(page),
        too_much: page.expression_budget().exceeded_by().map(str::to_owned),
        f1: score(&article.text),
        ..PageObservation::new(id, article.status)
    }
}

/// A record as if there were no fall-back: where the wrapper gives nothing, nothing.
fn by_wrapper_alone(mut article: Article) -> Article {
    if article.status == Status::Fallback {
        article.status = Status::Empty;
        article.text.clear();
        article.confidence = None;
        let why = article.warnings.iter().find_map(|warning| match warning {
            ArticleWarning::Fallback { why } => Some(why.clone()),
            _ => None,
        });
        article.error = why;
    }
    article
}

/// The observation of a page that could not be read, and why.
pub fn unread(id: &str, error: &str) -> PageObservation {
    PageObservation {
        error: Some(error.to_owned()),
        ..PageObservation::new(id, Status::Error)
    }
}

fn missing(extractor: &Extractor, page: &Page, article: &Article) -> Vec<String> {
    let Some(url) = page.url() else {
        return Vec::new();
    };
    let tests = extractor.wrapper().tests.iter();
    let key = page_key(url);
    let of_page = tests.filter(|test| page_key(&test.url) == key);
    let text = folded(&article.text);
    of_page
        .filter(|test| text.is_empty() || !text.contains(&folded(&test.contains)))
        .map(|test| test.contains.clone())
        .collect()
}

/// The words of a text, so that white space and marks do not tell texts apart.
fn folded(text: &str) -> String {
    let words = metric_tokens(text);
    let words: Vec<&str> = words.iter().collect();
    words.join(" ")
}
