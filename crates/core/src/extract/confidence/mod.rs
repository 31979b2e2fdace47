//! The probability that an article is right: that its text has an F1 of 0.9 or
//! more, and that a field has the right value.
//!
//! **Text.** Takes a page, the mask of a text on it and the text's source
//! ([`TextSource`]); gives the [`TextFeatures`] and with them
//! [`TextFeatures::confidence`]. The features:
//!
//! | feature | is | says |
//! | --- | --- | --- |
//! | `right` | log-odds of the share of the text's words that is likely the article's | how much in the text is foreign |
//! | `whole` | log-odds of the share of the article's words that is likely in the text | how much is missing |
//! | `doubt` | standard deviation of the article's words, as a share of them | whether the two shares hang on a few large blocks |
//! | `article` | log-odds that the page holds an article ([`refusal`](crate::refusal)) | |
//!
//! The first three are taken from the overlap with the block scores of
//! [`onepage`](crate::onepage) (`Overlap`), whose model does not know the wrapper and
//! has learned from other sites. It has the page's title, summary and `articleBody` among
//! its own features, so that these are no features here. What else was tried, and did not
//! help: `docs/confidence.md`.
//!
//! The probability is that of a logistic regression for each source (`model`),
//!
//! ```text
//! p = 1 / (1 + e^-(b0 + b1 right + b2 whole + b3 doubt + b4 article))
//! ```
//!
//! fitted by `forest-lab train-confidence` to the development gold: with wrappers and
//! trees that have not seen the publisher of the page's site, and reported with five
//! folds over publishers.
//!
//! **By the sample.** Of most texts that wrappers of `forest` find, the wrapper's sample says
//! enough, without the block scores, which take a fifth of the time of a parse
//! ([`SampleFeatures`]):
//!
//! | feature | is |
//! | --- | --- |
//! | `shorter` | logarithm of the words of the sample's shortest text to the text's, 0 or more |
//! | `linked` | share of the text's words in links, beyond the sample's highest share |
//! | `expected` | log-odds of the F1 to expect of the template |
//! | `support` | logarithm of the number of sample pages that the template carries |
//! | `elsewhere` | log-odds of the share of the page's prose that is not in the text |
//!
//! A text with [`ENOUGH`] or more by these has that confidence; only another has that of the block
//! scores. `article` is none of them: a part of a page looks less like an article than the
//! whole, and with it the confidence was worse (Brier score 0.054, without 0.050).
//!
//! **Fields.** The probability that a field is right ([`FieldConfidence`]) follows from its
//! source (the template's expression, the page's metadata, or both alike) and from how
//! often that was right on the sample that the wrapper was learned from: `fields`.
//!
//! **Degraded.** A wrapper's text with a confidence below [`DOUBTFUL`] is more likely
//! wrong than right: the wrapper found something that is unlike the articles it was
//! learned from, and the article says so
//! ([`Status::Degraded`](super::Status::Degraded)).
//!
//! **Departures.** None: the papers know no confidence.

mod fields;
mod model;
mod sample;
#[cfg(test)]
mod tests;
mod text;

pub(super) use fields::FieldValues;
pub use fields::{FieldConfidence, FieldSources};
pub use sample::SampleFeatures;
pub use text::{TextFeatures, TextSource};

pub use fields::{FIELD_FEATURES, FieldFeatures, FieldSource};
pub use model::{ConfidenceModel, FIELDS, SAMPLE};
pub use sample::SAMPLE_FEATURES;
pub use text::TEXT_FEATURES;

use crate::onepage::ScoredPage;
use crate::refusal::Judgement;
use crate::wrapper::Match;
use forest_html::page::{Page, tags};
use html5ever::local_name;

/// Confidence below which a wrapper's text is called
/// [`Status::Degraded`](super::Status::Degraded): it is more likely wrong than right.
/// Of the development gold's pages one of a hundred is below it: `docs/confidence.md`.
pub const DOUBTFUL: f64 = 0.5;

/// Confidence by the sample from which the block scores are not asked.
pub const ENOUGH: f64 = 0.8;

/// The share of the words of a text in links from which it may be that of a list.
const MANY_LINKED: f64 = 0.04;

/// True if two headings in what was found lead to other pages, as those of posts in a list do.
fn leads_on(page: &Page, found: &Match) -> bool {
    let elements = found.nodes.iter().flat_map(|&top| page.subtree(top));
    let headings =
        elements.filter(|&n| page.tag(n).is_some_and(|tag| tags::has(tag, tags::HEADING)));
    let leads = headings.filter(|&heading| {
        let around = page.parent(heading).into_iter();
        let mut links = page.subtree(heading).chain(around);
        links.any(|n| {
            let href = page
                .attr(n, "href")
                .filter(|_| page.is(n, &local_name!("a")));
            href.is_some_and(|href| !href.starts_with('#'))
        })
    });
    leads.take(2).count() == 2
}

/// The evidence for an article that a wrapper found.
#[derive(Debug, Clone, PartialEq)]
pub struct ArticleEvidence {
    /// The nodes of the text.
    pub found: Match,
    /// The source of the text.
    pub source: TextSource,
    /// Features of the text by the sample; `None` if the wrapper is none that `forest` learned.
    pub sample: Option<SampleFeatures>,
    /// The sources of the fields.
    pub fields: FieldSources,
    /// The probability that there is an article, and the refusal if it is low.
    pub judgement: Judgement,
}

impl ArticleEvidence {
    /// The confidence by the sample, if that is enough.
    pub fn by_sample(&self) -> Option<f64> {
        let sure = self.sample.as_ref()?.confidence();
        (sure >= ENOUGH).then_some(sure)
    }

    /// True if the page may be of another kind than those of the sample: more of the text is
    /// linked than in most articles, it is in several places, headlines in it lead to other
    /// pages, or the sample does not speak for it.
    pub fn may_be_of_another_kind(&self, page: &Page) -> bool {
        self.judgement.linked_words > MANY_LINKED
            || self.found.nodes.len() > 1
            || leads_on(page, &self.found)
            || self.by_sample().is_none()
    }

    /// The features by the block scores of the page.
    pub fn features(&self, page: &ScoredPage<'_>) -> TextFeatures {
        TextFeatures {
            overlap: page.overlap(&self.found.kept),
            article: self.judgement.article,
        }
    }
}
