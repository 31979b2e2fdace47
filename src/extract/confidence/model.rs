//! The weights of the features, read from `model.txt`.
//!
//! A line of weights for each source of texts and for each field: the constant, then
//! the features' in the order of the line of names above.
//!
//! ```text
//! forest confidence 1
//! text right whole doubt article
//! forest 1.2 0.5 0.3 4.1 0.1
//! wrapper ...
//! page ...
//! field agrees differs alone support unsupported
//! title 2.0 1.5 -1.0 0.2 0.5 0.1
//! authors ...
//! date_published ...
//! ```

use super::fields::{FIELD_FEATURES, FieldConfidence, FieldFeatures, FieldSources};
use super::text::{TEXT_FEATURES, TextFeatures, TextSource};
use crate::wrapper::Evidence;
use std::fmt::Write;
use std::sync::LazyLock;

/// First line of a file.
const HEADER: &str = "forest confidence 1";

/// The names of the fields, in their order.
const FIELDS: [&str; 3] = ["title", "authors", "date_published"];

/// The weights of the features of a text, the constant first.
type TextWeights = [f64; TEXT_FEATURES.len() + 1];

/// The weights of the features of a field, the constant first.
type FieldWeights = [f64; FIELD_FEATURES.len() + 1];

/// Weights: a constant, then one for each sign, in log-odds.
#[derive(Debug, Clone, PartialEq)]
pub struct ConfidenceModel {
    /// Of texts, by [`TextSource`] in the order of [`TextSource::ALL`].
    pub texts: [TextWeights; TextSource::ALL.len()],
    /// Of title, authors and day of publication.
    pub fields: [FieldWeights; FIELDS.len()],
}

impl ConfidenceModel {
    /// The weights that come with the program.
    pub fn shipped() -> &'static ConfidenceModel {
        static SHIPPED: LazyLock<ConfidenceModel> = LazyLock::new(|| {
            ConfidenceModel::read(include_str!("model.txt")).expect("the file is tested")
        });
        &SHIPPED
    }

    /// Reads a file.
    ///
    /// # Errors
    ///
    /// The fault, with the line.
    pub fn read(text: &str) -> Result<ConfidenceModel, String> {
        let mut lines = (1..).zip(text.lines());
        expect(lines.next(), HEADER)?;
        expect(lines.next(), &format!("text {}", TEXT_FEATURES.join(" ")))?;
        let mut model = ConfidenceModel {
            texts: [[0.0; TEXT_FEATURES.len() + 1]; TextSource::ALL.len()],
            fields: [[0.0; FIELD_FEATURES.len() + 1]; FIELDS.len()],
        };
        for (source, weights) in TextSource::ALL.iter().zip(&mut model.texts) {
            read_weights(lines.next(), source.name(), weights)?;
        }
        expect(lines.next(), &format!("field {}", FIELD_FEATURES.join(" ")))?;
        for (field, weights) in FIELDS.iter().zip(&mut model.fields) {
            read_weights(lines.next(), field, weights)?;
        }
        match lines.next() {
            Some((at, _)) => Err(format!("line {at}: more than there should be")),
            None => Ok(model),
        }
    }

    /// The file, weights to four decimals.
    pub fn file(&self) -> String {
        let mut out = format!("{HEADER}\ntext {}\n", TEXT_FEATURES.join(" "));
        for (source, weights) in TextSource::ALL.iter().zip(&self.texts) {
            write_weights(&mut out, source.name(), weights);
        }
        out += &format!("field {}\n", FIELD_FEATURES.join(" "));
        for (field, weights) in FIELDS.iter().zip(&self.fields) {
            write_weights(&mut out, field, weights);
        }
        out
    }

    /// The probability that a text has an F1 of 0.9 or more, 0 to 1 in thousandths.
    pub fn of_text(&self, source: TextSource, features: &TextFeatures) -> f64 {
        probability(&self.texts[source as usize], &features.numbers())
    }

    /// The probability that the field `at` of title, authors and day is right, 0 to 1 in
    /// thousandths.
    pub fn of_field(&self, at: usize, features: &FieldFeatures) -> f64 {
        probability(&self.fields[at], &features.numbers())
    }
}

impl TextFeatures {
    /// The probability that a text of this source has an F1 of 0.9 or more, 0 to 1 in
    /// thousandths.
    ///
    /// ```
    /// use forest::extract::confidence::{TextFeatures, TextSource};
    /// use forest::onepage::ScoredPage;
    /// use forest::page::{Mask, Page};
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

/// The logistic function of the weighted sum, in thousandths, so that it is the same
/// on every machine.
fn probability(weights: &[f64], features: &[f64]) -> f64 {
    let weighted = weights[1..].iter().zip(features).map(|(w, x)| w * x);
    let score = weights[0] + weighted.sum::<f64>();
    (1000.0 / (1.0 + (-score).exp())).round() / 1000.0
}

fn expect(line: Option<(usize, &str)>, expected: &str) -> Result<(), String> {
    match line {
        Some((_, line)) if line == expected => Ok(()),
        Some((at, _)) => Err(format!("line {at}: not `{expected}`")),
        None => Err(format!("the end, and not `{expected}`")),
    }
}

fn read_weights(
    line: Option<(usize, &str)>,
    name: &str,
    weights: &mut [f64],
) -> Result<(), String> {
    let (at, line) = line.ok_or_else(|| format!("the end, and no weights of `{name}`"))?;
    let mut words = line.split(' ');
    if words.next() != Some(name) {
        return Err(format!("line {at}: not the weights of `{name}`"));
    }
    for weight in &mut *weights {
        let word = words.next().unwrap_or_default();
        let number = word.parse().ok().filter(|n: &f64| n.is_finite());
        *weight = number.ok_or_else(|| format!("line {at}: `{word}` is no weight"))?;
    }
    match words.next() {
        Some(_) => Err(format!("line {at}: more than {} weights", weights.len())),
        None => Ok(()),
    }
}

fn write_weights(out: &mut String, name: &str, weights: &[f64]) {
    *out += name;
    for weight in weights {
        write!(out, " {}", (weight * 1e4).round() / 1e4).expect("a string");
    }
    out.push('\n');
}
