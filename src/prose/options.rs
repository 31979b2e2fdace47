//! What can be set.

use serde::{Deserialize, Serialize};

/// How a data table is written (section 3.1.2).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TableStyle {
    /// The paper's pattern (figure 6): `thema ;; note ;; header ; header: data / header ; header: data.`
    #[default]
    Clause,
    /// A sentence a row, of a bounded number of words.
    Sentence,
    /// A Markdown table, for people.
    Markdown,
}

/// Every rule of `prose`. The defaults are the paper's values.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TextOptions {
    /// How a data table is written.
    pub table_style: TableStyle,
    /// Titles of `abbr` and `acronym` in brackets behind them (section 3.3).
    pub expand_abbreviations: bool,
}

impl Default for TextOptions {
    fn default() -> Self {
        TextOptions {
            table_style: TableStyle::default(),
            expand_abbreviations: true,
        }
    }
}
