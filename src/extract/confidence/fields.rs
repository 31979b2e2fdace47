//! How likely a field says what is right.
//!
//! Two witnesses tell a field: the expression of the template, and the page's metadata.
//! The signs are who of them says something and whether both say the same, and how
//! often the one that is believed was right on the sample ([`Support`]).

use super::model::ConfidenceModel;
use crate::extract::Article;
use crate::page::metadata::same_day;
use crate::text::{metric_tokens, same_words};
use crate::wrapper::{Evidence, Support};
use chrono::DateTime;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The names of the signs of a field, in their order.
pub const FIELD_SIGNS: [&str; 5] = ["agrees", "differs", "alone", "support", "unsupported"];

/// How likely each field is right, 0 to 1; `None` where the article has none. Right is
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

/// Who tells a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Teller {
    /// The page's metadata; no expression gives a value.
    Metadata,
    /// The expression and the metadata, alike.
    Both,
    /// The expression, and the metadata something else.
    Expression,
    /// The expression alone.
    Alone,
}

/// Who tells each field of an article; `None` where it has none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tellers {
    /// The title's.
    pub title: Option<Teller>,
    /// The authors'.
    pub authors: Option<Teller>,
    /// The day of publication's.
    pub date_published: Option<Teller>,
}

/// What speaks for a field and against it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FieldSigns {
    /// Who tells it.
    pub teller: Teller,
    /// Pages of the sample of which it is known what is right, and how many of these
    /// the witness that is believed was right on.
    pub support: Option<(usize, usize)>,
}

impl FieldSigns {
    /// The numbers of [`FIELD_SIGNS`]: one for who tells it (none for the metadata),
    /// and the log-odds of the share of right pages, two pages added, one of them right.
    pub fn numbers(&self) -> [f64; FIELD_SIGNS.len()] {
        let is = |teller: Teller| f64::from(u8::from(self.teller == teller));
        let odds = self.support.map(|(pages, right)| {
            let (right, wrong) = (right as f64 + 1.0, pages.saturating_sub(right) as f64 + 1.0);
            (right / wrong).ln()
        });
        [
            is(Teller::Both),
            is(Teller::Expression),
            is(Teller::Alone),
            odds.unwrap_or(0.0),
            f64::from(u8::from(odds.is_none())),
        ]
    }

    fn of(teller: Teller, key: &str, evidence: Option<&Evidence>) -> FieldSigns {
        let support = evidence.and_then(|evidence| evidence.fields.get(key));
        let right = |support: &Support| match teller {
            Teller::Metadata => support.metadata,
            _ => support.right,
        };
        FieldSigns {
            teller,
            support: support.map(|support| (support.pages, right(support))),
        }
    }
}

impl Tellers {
    /// The tellers of an article whose fields are the page's metadata.
    pub fn of_metadata(article: &Article) -> Tellers {
        Tellers::of(&Values::default(), &article.values())
    }

    /// Who tells each field, by what the template's expressions give and what the
    /// metadata says.
    pub(in crate::extract) fn of(told: &Values<'_>, said: &Values<'_>) -> Tellers {
        Tellers {
            title: teller(told.title, said.title, same_words),
            authors: teller(
                Some(told.authors).filter(|names| !names.is_empty()),
                Some(said.authors).filter(|names| !names.is_empty()),
                |a, b| name_set(a) == name_set(b),
            ),
            date_published: teller(told.date_published, said.date_published, is_same_day),
        }
    }

    /// The signs of title, authors and day, with what a template's evidence says.
    pub fn signs(&self, evidence: Option<&Evidence>) -> [Option<FieldSigns>; 3] {
        let of = |teller: Option<Teller>, key| Some(FieldSigns::of(teller?, key, evidence));
        [
            of(self.title, "title"),
            of(self.authors, "author"),
            of(self.date_published, "date"),
        ]
    }

    /// How likely each field is right.
    pub fn confidence(&self, evidence: Option<&Evidence>) -> FieldConfidence {
        let [title, authors, date] = self.signs(evidence);
        let of =
            |at, signs: Option<FieldSigns>| Some(ConfidenceModel::shipped().of_field(at, &signs?));
        FieldConfidence {
            title: of(0, title),
            authors: of(1, authors),
            date_published: of(2, date),
        }
    }
}

/// What one witness says.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::extract) struct Values<'a> {
    pub title: Option<&'a str>,
    pub authors: &'a [String],
    /// RFC 3339.
    pub date_published: Option<&'a str>,
}

fn teller<T: Copy>(
    told: Option<T>,
    said: Option<T>,
    same: impl Fn(T, T) -> bool,
) -> Option<Teller> {
    match (told, said) {
        (Some(told), Some(said)) if same(told, said) => Some(Teller::Both),
        (Some(_), Some(_)) => Some(Teller::Expression),
        (Some(_), None) => Some(Teller::Alone),
        (None, Some(_)) => Some(Teller::Metadata),
        (None, None) => None,
    }
}

/// Names in any order, each as its words.
fn name_set(names: &[String]) -> BTreeSet<String> {
    let words = |name: &String| {
        let words = metric_tokens(name);
        words.iter().collect::<Vec<_>>().join(" ")
    };
    names.iter().map(words).collect()
}

fn is_same_day(a: &str, b: &str) -> bool {
    let moment = |raw| DateTime::parse_from_rfc3339(raw).ok();
    moment(a)
        .zip(moment(b))
        .is_some_and(|(a, b)| same_day(a, b))
}
