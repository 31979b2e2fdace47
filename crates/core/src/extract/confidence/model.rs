//! The weights of the features of texts and fields, read from `model.txt`: a linear model
//! for each [`TextSource`] and each field.

use super::fields::{FIELD_FEATURES, FieldConfidence, FieldFeatures, FieldSources};
use super::sample::{SAMPLE_FEATURES, SampleFeatures};
use super::text::{TEXT_FEATURES, TextFeatures, TextSource};
use crate::model::{Model, log_odds};
use crate::wrapper::Evidence;
use std::sync::LazyLock;

/// The names of the fields, in their order.
pub const FIELDS: [&str; 3] = ["title", "authors", "date_published"];

/// The name of the weights of texts by their wrapper's sample.
pub const SAMPLE: &str = "sample";

/// The weights of the features, in log-odds.
#[derive(Debug, Clone, PartialEq)]
pub struct ConfidenceModel(Model);

impl ConfidenceModel {
    /// The weights that come with the program.
    pub fn shipped() -> &'static ConfidenceModel {
        static SHIPPED: LazyLock<ConfidenceModel> = LazyLock::new(|| {
            ConfidenceModel::read(include_str!("model.txt")).expect("the file is tested")
        });
        &SHIPPED
    }

    /// Reads a file of a learned model.
    ///
    /// # Errors
    ///
    /// The reason why it is no file of such weights, with the line.
    pub fn read(text: &str) -> Result<ConfidenceModel, String> {
        let model = Model::read(text)?;
        for source in TextSource::ALL {
            model.linear(source.name(), &TEXT_FEATURES)?;
        }
        model.linear(SAMPLE, &SAMPLE_FEATURES)?;
        for field in FIELDS {
            model.linear(field, &FIELD_FEATURES)?;
        }
        Ok(ConfidenceModel(model))
    }

    /// The probability that a text has an F1 of 0.9 or more, 0 to 1 in thousandths.
    pub fn of_text(&self, source: TextSource, features: &TextFeatures) -> f64 {
        let weights = self.0.linear(source.name(), &TEXT_FEATURES);
        thousandths(weights.expect("read with the file"), &features.numbers())
    }

    /// The probability by the sample that a text has an F1 of 0.9 or more, 0 to 1 in thousandths.
    pub fn of_sample(&self, features: &SampleFeatures) -> f64 {
        let weights = self.0.linear(SAMPLE, &SAMPLE_FEATURES);
        thousandths(weights.expect("read with the file"), &features.numbers())
    }

    /// The probability that the field `at` of title, authors and day is right, 0 to 1 in
    /// thousandths.
    pub fn of_field(&self, at: usize, features: &FieldFeatures) -> f64 {
        let weights = self.0.linear(FIELDS[at], &FIELD_FEATURES);
        thousandths(weights.expect("read with the file"), &features.numbers())
    }
}

impl TextFeatures {
    /// The probability that a text of this source has an F1 of 0.9 or more, 0 to 1 in
    /// thousandths.
    ///
    /// ```
    /// use forest_core::extract::confidence::{TextFeatures, TextSource};
    /// use forest_core::onepage::ScoredPage;
    /// use forest_html::page::{Mask, Page};
    ///
    /// let page = ScoredPage::from(Page::from_html(
    ///     "<title>Ferry</title><ul><li><a href=/>Home</a><li><a href=/news>All the news of this week</a></ul>
    ///      <article><p>The ferry to the islands leaves an hour later from Monday on, said the harbour master.
    ///      <p>The old engine had failed three times in a week, and the passengers had to be towed home.</article>",
    /// ));
    /// let confidence = |tag: &str| {
    ///     let n = page.elements().find(|n| page.tag(*n).is_some_and(|t| &**t == tag)).unwrap();
    ///     TextFeatures::of(&page, &Mask::subtrees(&page, &[n])).confidence(TextSource::Wrapper)
    /// };
    /// assert!(confidence("ul") < 0.5 && confidence("article") > confidence("ul"));
    /// ```
    pub fn confidence(&self, source: TextSource) -> f64 {
        ConfidenceModel::shipped().of_text(source, self)
    }
}

impl SampleFeatures {
    /// The probability that the text has an F1 of 0.9 or more, 0 to 1 in thousandths.
    pub fn confidence(&self) -> f64 {
        ConfidenceModel::shipped().of_sample(self)
    }
}

impl FieldSources {
    /// The probability that each field is right.
    pub fn confidence(&self, evidence: Option<&Evidence>) -> FieldConfidence {
        let [title, authors, date] = self.features(evidence);
        let model = ConfidenceModel::shipped();
        let of = |at, features: Option<FieldFeatures>| Some(model.of_field(at, &features?));
        FieldConfidence {
            title: of(0, title),
            authors: of(1, authors),
            date_published: of(2, date),
        }
    }
}

/// The logistic function of the log-odds, in thousandths, so that it is the same on
/// every machine.
fn thousandths(weights: &[f64], features: &[f64]) -> f64 {
    let score = log_odds(weights, features);
    (1000.0 / (1.0 + (-score).exp())).round() / 1000.0
}
