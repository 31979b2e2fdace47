//! The weights of the signs, read from `model.txt`.
//!
//! A line of weights for each finder of texts and for each field: the constant, then
//! the signs' in the order of the line of names above.
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

use super::fields::{FIELD_SIGNS, FieldSigns};
use super::{Finder, Signs};
use std::fmt::Write;
use std::sync::LazyLock;

/// First line of a file.
const HEADER: &str = "forest confidence 1";

/// The names of the signs of a text, in their order.
pub const SIGNS: [&str; 4] = ["right", "whole", "doubt", "article"];

/// The names of the fields, in their order.
const FIELDS: [&str; 3] = ["title", "authors", "date_published"];

/// The weights of the signs of a text, the constant first.
type TextWeights = [f64; SIGNS.len() + 1];

/// The weights of the signs of a field, the constant first.
type FieldWeights = [f64; FIELD_SIGNS.len() + 1];

/// Weights: a constant, then one for each sign, in log-odds.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// Of texts, by [`Finder`] in the order of [`Finder::ALL`].
    pub texts: [TextWeights; Finder::ALL.len()],
    /// Of title, authors and day of publication.
    pub fields: [FieldWeights; FIELDS.len()],
}

impl Model {
    /// The weights that come with the program.
    pub fn shipped() -> &'static Model {
        static SHIPPED: LazyLock<Model> =
            LazyLock::new(|| Model::read(include_str!("model.txt")).expect("the file is tested"));
        &SHIPPED
    }

    /// Reads a file.
    ///
    /// # Errors
    ///
    /// What is wrong with it, with the line.
    pub fn read(text: &str) -> Result<Model, String> {
        let mut lines = (1..).zip(text.lines());
        expect(lines.next(), HEADER)?;
        expect(lines.next(), &format!("text {}", SIGNS.join(" ")))?;
        let mut model = Model {
            texts: [[0.0; SIGNS.len() + 1]; Finder::ALL.len()],
            fields: [[0.0; FIELD_SIGNS.len() + 1]; FIELDS.len()],
        };
        for (finder, weights) in Finder::ALL.iter().zip(&mut model.texts) {
            read_weights(lines.next(), finder.name(), weights)?;
        }
        expect(lines.next(), &format!("field {}", FIELD_SIGNS.join(" ")))?;
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
        let mut out = format!("{HEADER}\ntext {}\n", SIGNS.join(" "));
        for (finder, weights) in Finder::ALL.iter().zip(&self.texts) {
            write_weights(&mut out, finder.name(), weights);
        }
        out += &format!("field {}\n", FIELD_SIGNS.join(" "));
        for (field, weights) in FIELDS.iter().zip(&self.fields) {
            write_weights(&mut out, field, weights);
        }
        out
    }

    /// How likely a text has an F1 of 0.9 or more, 0 to 1 in thousandths.
    pub fn of_text(&self, finder: Finder, signs: &Signs) -> f64 {
        probability(&self.texts[finder as usize], &signs.numbers())
    }

    /// How likely the field `at` of title, authors and day is right, 0 to 1 in
    /// thousandths.
    pub fn of_field(&self, at: usize, signs: &FieldSigns) -> f64 {
        probability(&self.fields[at], &signs.numbers())
    }
}

/// The logistic function of the weighted sum, in thousandths, so that it is the same
/// on every machine.
fn probability(weights: &[f64], signs: &[f64]) -> f64 {
    let weighted = weights[1..].iter().zip(signs).map(|(w, x)| w * x);
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
