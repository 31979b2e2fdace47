//! The features of a field.
//!
//! A field has two sources: the expression of the template, and the page's metadata.
//! The features are which of them has a value, whether both have the same, and how
//! often the one that is taken was right on the sample ([`Support`]).

use crate::wrapper::{Evidence, Support};
use chrono::DateTime;
use forest_html::page::metadata::same_day;
use forest_html::text::{metric_words, same_words};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The names of the features of a field, in their order.
pub const FIELD_FEATURES: [&str; 5] = ["agrees", "differs", "alone", "support", "unsupported"];

/// The probability that each field is right, 0 to 1; `None` where the article has none. Right is
/// a title with the same words, the same set of authors, the same day.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct FieldConfidence {
    /// Of the title.
    pub title: Option<f64>,
    /// Of the authors.
    pub authors: Option<f64>,
    /// Of the day of publication.
    pub date_published: Option<f64>,
}

/// The source of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FieldSource {
    /// The page's metadata; no expression gives a value.
    Metadata,
    /// The expression and the metadata, alike.
    Both,
    /// The expression, and the metadata something else.
    Expression,
    /// The expression alone.
    Alone,
}

/// The source of each field of an article; `None` of a field without a value.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FieldSources {
    /// The title's.
    pub title: Option<FieldSource>,
    /// The authors'.
    pub authors: Option<FieldSource>,
    /// The day of publication's.
    pub date_published: Option<FieldSource>,
}

/// The features of a field.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FieldFeatures {
    /// Its source.
    pub source: FieldSource,
    /// Pages of the sample whose right value is known, and on how many of these the
    /// source that is taken was right.
    pub support: Option<(usize, usize)>,
}

impl FieldFeatures {
    /// The numbers of [`FIELD_FEATURES`]: one for its source (none for the metadata),
    /// and the log-odds of the share of right pages, two pages added, one of them right.
    pub fn numbers(&self) -> [f64; FIELD_FEATURES.len()] {
        let is = |source: FieldSource| f64::from(u8::from(self.source == source));
        let odds = self.support.map(|(pages, right)| {
            let (right, wrong) = (right as f64 + 1.0, pages.saturating_sub(right) as f64 + 1.0);
            (right / wrong).ln()
        });
        [
            is(FieldSource::Both),
            is(FieldSource::Expression),
            is(FieldSource::Alone),
            odds.unwrap_or(0.0),
            f64::from(u8::from(odds.is_none())),
        ]
    }

    fn of(source: FieldSource, key: &str, evidence: Option<&Evidence>) -> FieldFeatures {
        let support = evidence.and_then(|evidence| evidence.fields.get(key));
        let right = |support: &Support| match source {
            FieldSource::Metadata => support.metadata,
            _ => support.right,
        };
        FieldFeatures {
            source,
            support: support.map(|support| (support.pages, right(support))),
        }
    }
}

impl FieldSources {
    /// The sources of fields that are all the page's metadata.
    pub fn of_metadata(values: &FieldValues<'_>) -> FieldSources {
        FieldSources::of(&FieldValues::default(), values)
    }

    /// The source of each field, by the values of the template's expressions and those
    /// of the metadata.
    pub(in crate::extract) fn of(
        selected: &FieldValues<'_>,
        said: &FieldValues<'_>,
    ) -> FieldSources {
        FieldSources {
            title: source_of(selected.title, said.title, same_words),
            authors: source_of(
                Some(selected.authors).filter(|names| !names.is_empty()),
                Some(said.authors).filter(|names| !names.is_empty()),
                |a, b| name_set(a) == name_set(b),
            ),
            date_published: source_of(selected.date_published, said.date_published, is_same_day),
        }
    }

    /// The features of title, authors and day, with the support of a template's evidence.
    pub fn features(&self, evidence: Option<&Evidence>) -> [Option<FieldFeatures>; 3] {
        let of = |source: Option<FieldSource>, key| Some(FieldFeatures::of(source?, key, evidence));
        [
            of(self.title, "title"),
            of(self.authors, "author"),
            of(self.date_published, "date"),
        ]
    }
}

/// The values of one source.
#[derive(Debug, Clone, Copy, Default)]
pub struct FieldValues<'a> {
    /// The title.
    pub title: Option<&'a str>,
    /// Names of the authors.
    pub authors: &'a [String],
    /// The day of publication, RFC 3339.
    pub date_published: Option<&'a str>,
}

fn source_of<T: Copy>(
    selected: Option<T>,
    said: Option<T>,
    same: impl Fn(T, T) -> bool,
) -> Option<FieldSource> {
    match (selected, said) {
        (Some(selected), Some(said)) if same(selected, said) => Some(FieldSource::Both),
        (Some(_), Some(_)) => Some(FieldSource::Expression),
        (Some(_), None) => Some(FieldSource::Alone),
        (None, Some(_)) => Some(FieldSource::Metadata),
        (None, None) => None,
    }
}

/// Names in any order, each as its words.
fn name_set(names: &[String]) -> BTreeSet<String> {
    names.iter().map(|name| metric_words(name)).collect()
}

fn is_same_day(a: &str, b: &str) -> bool {
    let moment = |raw| DateTime::parse_from_rfc3339(raw).ok();
    moment(a)
        .zip(moment(b))
        .is_some_and(|(a, b)| same_day(a, b))
}
