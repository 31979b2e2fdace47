//! The fields of a template, each with its expressions.

use super::{DateField, Template};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The use of an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WrapperField {
    /// The article's body.
    Body,
    /// The parts of the body that are left out.
    Strip,
    /// The parts that belong to the article in any case.
    Keep,
    /// The title.
    Title,
    /// The authors.
    Author,
    /// The publication date.
    Date,
    /// The tags.
    Tags,
    /// The images.
    Images,
}

impl WrapperField {
    /// All fields, in the order of a wrapper file.
    pub const ALL: [WrapperField; 8] = [
        WrapperField::Body,
        WrapperField::Strip,
        WrapperField::Keep,
        WrapperField::Title,
        WrapperField::Author,
        WrapperField::Date,
        WrapperField::Tags,
        WrapperField::Images,
    ];

    /// The key in a wrapper file.
    pub fn name(self) -> &'static str {
        match self {
            WrapperField::Body => "body",
            WrapperField::Strip => "strip",
            WrapperField::Keep => "keep",
            WrapperField::Title => "title",
            WrapperField::Author => "author",
            WrapperField::Date => "date",
            WrapperField::Tags => "tags",
            WrapperField::Images => "images",
        }
    }
}

impl fmt::Display for WrapperField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Template {
    /// The expressions of a field, in their order.
    pub fn expressions(&self, field: WrapperField) -> Vec<&str> {
        let list = match field {
            WrapperField::Body => &self.body,
            WrapperField::Strip => return self.strip.iter().map(|rule| &*rule.xpath).collect(),
            WrapperField::Keep => &self.keep,
            WrapperField::Title => &self.title,
            WrapperField::Author => &self.author,
            WrapperField::Date => return self.date.iter().map(|date| &*date.xpath).collect(),
            WrapperField::Tags => &self.tags,
            WrapperField::Images => &self.images,
        };
        list.iter().map(String::as_str).collect()
    }

    /// Adds an expression behind those of its field; a date's without a format.
    pub fn add(&mut self, field: WrapperField, xpath: String) {
        let list = match field {
            WrapperField::Body => &mut self.body,
            WrapperField::Strip => return self.strip.push(xpath.into()),
            WrapperField::Keep => &mut self.keep,
            WrapperField::Title => &mut self.title,
            WrapperField::Author => &mut self.author,
            WrapperField::Date => {
                let format = None;
                return self.date.push(DateField { xpath, format });
            }
            WrapperField::Tags => &mut self.tags,
            WrapperField::Images => &mut self.images,
        };
        list.push(xpath);
    }
}
