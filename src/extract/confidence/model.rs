//! The weights of the signs of texts and fields, read from `model.txt`: a linear model a
//! [`Finder`] and a field.

use super::fields::{FIELD_SIGNS, FieldSigns};
use super::{Finder, Signs};
use crate::model::{Model, log_odds};
use std::sync::LazyLock;

/// The names of the signs of a text, in their order.
pub const SIGNS: [&str; 4] = ["right", "whole", "doubt", "article"];

/// The names of the fields, in their order.
pub const FIELDS: [&str; 3] = ["title", "authors", "date_published"];

/// The weights of the signs, in log-odds.
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
        for finder in Finder::ALL {
            model.linear(finder.name(), &SIGNS)?;
        }
        for field in FIELDS {
            model.linear(field, &FIELD_SIGNS)?;
        }
        Ok(ConfidenceModel(model))
    }

    /// The probability that a text has an F1 of 0.9 or more, 0 to 1 in thousandths.
    pub fn of_text(&self, finder: Finder, signs: &Signs) -> f64 {
        let weights = self.0.linear(finder.name(), &SIGNS);
        thousandths(weights.expect("read with the file"), &signs.numbers())
    }

    /// The probability that the field `at` of title, authors and day is right, 0 to 1 in
    /// thousandths.
    pub fn of_field(&self, at: usize, signs: &FieldSigns) -> f64 {
        let weights = self.0.linear(FIELDS[at], &FIELD_SIGNS);
        thousandths(weights.expect("read with the file"), &signs.numbers())
    }
}

/// The logistic function of the log-odds, in thousandths, so that it is the same on
/// every machine.
fn thousandths(weights: &[f64], signs: &[f64]) -> f64 {
    let score = log_odds(weights, signs);
    (1000.0 / (1.0 + (-score).exp())).round() / 1000.0
}
