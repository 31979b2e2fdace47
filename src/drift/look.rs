//! One page.

use super::{Article, Extractor, ItemWords, Options, Status, Warning};
use crate::baseline::boilerpipe;
use crate::extract::confidence::of_text;
use crate::learn::{link_quota, words};
use crate::onepage::Trees;
use crate::page::{Mask, Page};
use crate::refusal::{NoArticle, refusal};
use crate::text::metric_words;
use std::borrow::Cow;

/// What was seen of a page.
#[derive(Debug, Clone, PartialEq)]
pub struct Seen {
    /// The page's name.
    pub id: String,
    /// What the wrapper makes of it.
    pub status: Status,
    /// The wrapper gives nothing, and the extractor that knows no wrapper does.
    pub fallback: bool,
    /// Why it gives nothing, if it gives nothing.
    pub error: Option<String>,
    /// What the page is, if it holds no article.
    pub no_article: Option<NoArticle>,
    /// Which template matched.
    pub template: Option<usize>,
    /// Words (metric tokens) of the article.
    pub words: usize,
    /// Share of its characters in links, 0..=1.
    pub link_quota: f64,
    /// Share of the article's words that the witness keeps too, 0..=1.
    pub precision: f64,
    /// Share of the words that the witness keeps and the article has, 0..=1.
    pub recall: f64,
    /// Words that the witness keeps, those in blocks of a few words left out.
    pub witness_words: usize,
    /// Texts that the wrapper's tests ask for and the article has not.
    pub missing: Vec<String>,
    /// For each of the wrapper's expressions whether it gives something here.
    pub giving: Vec<bool>,
    /// How likely the text is right: see [`confidence`](crate::extract::confidence).
    pub confidence: Option<f64>,
    /// F1 that the witness expects of the text, 0..=1; 0 where there is none.
    pub expected_f1: f64,
    /// What the article has of what the feed says, where a feed says something.
    pub item: Option<ItemWords>,
    /// F1 against the right text, where somebody knows it.
    pub f1: Option<f64>,
}

impl Seen {
    /// It is not the page that its feed item is about.
    pub fn is_other_page(&self) -> bool {
        self.item.is_some_and(|item| item.is_of_other_page())
    }

    /// How far the witness agrees, 0..=1: the harmonic mean of both shares.
    pub fn agreement(&self) -> f64 {
        let (p, r) = (self.precision, self.recall);
        match p + r > 0.0 {
            true => 2.0 * p * r / (p + r),
            false => 0.0,
        }
    }
}

/// Looks at a page that the extractor [parsed](Extractor::parse). `item` is what a feed
/// says of it, title and summary. `score` gives the F1 of a text, where the right one is
/// known.
pub fn look(
    extractor: &Extractor,
    id: &str,
    page: &Page,
    item: Option<&str>,
    score: impl FnOnce(&str) -> Option<f64>,
) -> Seen {
    look_with(extractor, id, page, item, Trees::shipped(), score)
}

/// [`look()`] with the trees of another witness: for measuring with trees that have not
/// seen the pages.
pub fn look_with(
    extractor: &Extractor,
    id: &str,
    page: &Page,
    item: Option<&str>,
    trees: &Trees,
    score: impl FnOnce(&str) -> Option<f64>,
) -> Seen {
    see(
        extractor,
        id,
        page,
        item,
        (&Options::default(), trees),
        score,
    )
    .1
}

/// The [article](Extractor::extract) of a page and what is [seen](look()) of it, in one
/// pass: the witness is heard once.
pub fn read_and_look(
    extractor: &Extractor,
    id: &str,
    page: &Page,
    item: Option<&str>,
    options: &Options,
) -> (Article, Seen) {
    let how = (options, Trees::shipped());
    see(extractor, id, page, item, how, |_| None)
}

fn see(
    extractor: &Extractor,
    id: &str,
    page: &Page,
    item: Option<&str>,
    (options, trees): (&Options, &Trees),
    score: impl FnOnce(&str) -> Option<f64>,
) -> (Article, Seen) {
    let matcher = extractor.matcher();
    let (read, witnessed) = match extractor.witnessed(page, options, trees) {
        Some((article, witnessed)) => (article, Some(witnessed)),
        None => (extractor.no_match(page, options), None),
    };
    let fallback = witnessed.is_none() && read.status == Status::Fallback;
    let article = match &witnessed {
        Some(_) => Cow::Borrowed(&read),
        None => Cow::Owned(by_wrapper_alone(read.clone())),
    };
    let found = match &witnessed {
        Some(seen) => Some(seen.found.clone()),
        None => matcher.find(page),
    };
    let template = found.as_ref().map(|found| found.template);
    let kept = found.map_or_else(|| Mask::none(page), |found| found.kept);
    let weighing = witnessed
        .as_ref()
        .map(|seen| seen.signs.weighing)
        .unwrap_or_default();
    // Judged by what the wrapper keeps, and where that is nothing by what an extractor
    // does that knows no wrapper.
    let refused = match &witnessed {
        Some(seen) => seen.refusal.clone(),
        None => refusal(page, &boilerpipe::article(page)),
    };
    let share = |whole: f32| f64::from(weighing.agreed / whole.max(1.0));
    let seen = Seen {
        id: id.to_owned(),
        status: match article.status {
            // The wrapper says no more, and what it says was done.
            Status::Fallback => Status::Ok,
            status => status,
        },
        fallback,
        no_article: refused.map(|refused| refused.kind),
        item: item.and_then(|item| ItemWords::of(page, &kept, item)),
        template,
        words: words(page, &kept),
        link_quota: link_quota(page, &kept),
        precision: share(weighing.words),
        recall: share(weighing.witness),
        witness_words: weighing.witness as usize,
        missing: missing(extractor, page, &article),
        giving: matcher.giving(page),
        confidence: match &witnessed {
            Some(seen) => Some(of_text(seen.finder, &seen.signs)),
            None => article.confidence,
        },
        expected_f1: f64::from(weighing.expected_f1()),
        f1: score(&article.text),
        error: article.error.clone(),
    };
    let read = match witnessed {
        Some(witnessed) => extractor.judged(read, &witnessed, page, options),
        None => read,
    };
    (read, seen)
}

/// A record as if there were no fall-back: where the wrapper gives nothing, nothing.
fn by_wrapper_alone(mut article: Article) -> Article {
    if article.status == Status::Fallback {
        article.status = Status::Empty;
        article.text.clear();
        article.confidence = None;
        let why = article.warnings.iter().find_map(|warning| match warning {
            Warning::Fallback { why } => Some(why.clone()),
            _ => None,
        });
        article.error = why;
    }
    article
}

/// A page that could not be read, and why.
pub fn unread(id: &str, error: &str) -> Seen {
    Seen {
        id: id.to_owned(),
        status: Status::Error,
        fallback: false,
        error: Some(error.to_owned()),
        no_article: None,
        template: None,
        words: 0,
        link_quota: 0.0,
        precision: 0.0,
        recall: 0.0,
        witness_words: 0,
        missing: Vec::new(),
        giving: Vec::new(),
        confidence: None,
        expected_f1: 0.0,
        item: None,
        f1: None,
    }
}

fn missing(extractor: &Extractor, page: &Page, article: &Article) -> Vec<String> {
    let Some(url) = page.url() else {
        return Vec::new();
    };
    let tests = extractor.wrapper().tests.iter();
    let of_page = tests.filter(|test| key(&test.url) == key(url));
    let text = metric_words(&article.text);
    of_page
        .filter(|test| text.is_empty() || !text.contains(&metric_words(&test.contains)))
        .map(|test| test.contains.clone())
        .collect()
}

/// An address without what does not tell pages apart.
fn key(url: &str) -> &str {
    let url = url.split('#').next().unwrap_or(url);
    let url = url.split_once("://").map_or(url, |(_, rest)| rest);
    let url = url.strip_prefix("www.").unwrap_or(url);
    url.trim_end_matches('/')
}
