//! The settings: every rule of the stage.

use crate::error::{ErrorKind, Result};
use forest_core::yaml::{read_yaml, yaml_place};
use serde::{Deserialize, Serialize};

/// Bytes of a settings file at the most. The YAML reader is quadratic in open
/// brackets; a file with every setting has some 500 bytes.
pub const MAX_SETTINGS_BYTES: usize = 16_000;

/// The style in which data tables are written (section 3.1.2).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TableStyle {
    /// The paper's pattern (figure 6): `thema ;; note ;; header ; header: data / header ; header: data.`
    #[default]
    Clause,
    /// Sentences of at most 40 words; see [`TextOptions::table_across`].
    Sentence,
    /// A Markdown table, for people.
    Markdown,
}

/// Every rule of `prose`. The defaults are the paper's values.
///
/// ```
/// use forest_html::page::{Mask, Page};
/// use forest_text::prose::{TextOptions, prose};
///
/// let page = Page::from_html("<p>Take:<ul><li>salt<li>oil</ul>");
/// let text = |options: &TextOptions| prose(&page, &Mask::all(&page), options).text;
/// assert_eq!(text(&TextOptions::default()), "Take: salt, oil.");
/// let options = TextOptions::from_yaml("flatten_lists: false")?;
/// assert_eq!(text(&options), "Take:\nsalt.\noil.");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TextOptions {
    /// Data tables as clauses (section 3.1); if false, row after row, as in figure 1.
    pub tables: bool,
    /// The style of data tables.
    pub table_style: TableStyle,
    /// In the style `sentence`, sentences across the rows as well: the data of a column,
    /// the rows that share a datum, neighbouring rows.
    pub table_across: bool,
    /// Items of hyperlink lists with fewer words are removed (section 3.2.1);
    /// 0 keeps all.
    pub link_item_words: usize,
    /// Hand-written bullets at the beginning of an item are removed
    /// (section 3.2.2).
    pub drop_bullets: bool,
    /// Lists of one level whose introduction ends in a colon become sentences
    /// (section 3.2.3).
    pub flatten_lists: bool,
    /// Median length of items, in characters, below which a list is one sentence
    /// (section 3.2.3).
    pub short_item_chars: usize,
    /// An introduction that ends in a trigger word is repeated with each item
    /// (section 3.2.3).
    pub repeat_introduction: bool,
    /// Items behind a repeated introduction begin in lower case, as figure 8 prints
    /// them. Off: a name would lose its capital.
    pub lower_initials: bool,
    /// Terms and their definitions as `term: definition.`
    pub join_definitions: bool,
    /// A full stop where a block ends without one (section 3.3).
    pub end_blocks: bool,
    /// Sentences that a `br` cuts are joined (section 3.3, figure 9).
    pub join_lines: bool,
    /// Lines of verse and of addresses are kept, whatever `join_lines` says.
    pub keep_verse: bool,
    /// Titles of `abbr` and `acronym` in brackets behind them (section 3.3,
    /// figure 10).
    pub expand_abbreviations: bool,
    /// Selected options of forms are left out (section 3.3).
    pub drop_selected: bool,
    /// Each `div` whose id holds `menu` is left out (section 3.3).
    pub drop_menus: bool,
    /// Soft hyphens and spaces of no width are left out.
    pub drop_invisible: bool,
    /// The text's language (BCP 47), for the trigger words; `None`: detected
    /// from the text.
    pub language: Option<String>,
}

impl Default for TextOptions {
    fn default() -> Self {
        TextOptions {
            tables: true,
            table_style: TableStyle::default(),
            table_across: true,
            link_item_words: 5,
            drop_bullets: true,
            flatten_lists: true,
            short_item_chars: 60,
            repeat_introduction: true,
            lower_initials: false,
            join_definitions: true,
            end_blocks: true,
            join_lines: true,
            keep_verse: true,
            expand_abbreviations: true,
            drop_selected: true,
            drop_menus: false,
            drop_invisible: true,
            language: None,
        }
    }
}

impl TextOptions {
    /// No rule at all: the blocks one after the other. The paper calls this a linear
    /// extraction. Single rules can be set on it.
    pub fn linear() -> TextOptions {
        TextOptions {
            tables: false,
            link_item_words: 0,
            drop_bullets: false,
            flatten_lists: false,
            repeat_introduction: false,
            join_definitions: false,
            end_blocks: false,
            join_lines: false,
            keep_verse: false,
            expand_abbreviations: false,
            ..TextOptions::default()
        }
    }

    /// Reads a settings file: YAML, a setting a line by the name of its field here.
    /// The other settings keep their defaults; an empty file is allowed.
    ///
    /// # Errors
    ///
    /// If the file is not YAML, or has an unknown setting or one of another type; the
    /// error names the line.
    pub fn from_yaml(text: &str) -> Result<TextOptions> {
        let refused = |line, reason| ErrorKind::TextSettings { line, reason }.into();
        if text.len() > MAX_SETTINGS_BYTES {
            let bytes = text.len();
            let reason = format!("it has {bytes} bytes, more than {MAX_SETTINGS_BYTES}");
            return Err(refused(None, reason));
        }
        // A file of comments is a document without a value.
        let read: Result<Option<TextOptions>, _> = read_yaml(text);
        read.map(Option::unwrap_or_default).map_err(|error| {
            let (line, reason) = yaml_place(&error);
            refused(line, reason)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_sets_some_rules() {
        let read = |text| TextOptions::from_yaml(text).expect(text);
        let options = read("table_style: sentence\nshort_item_chars: 40\ndrop_menus: true\n");
        assert_eq!(options.table_style, TableStyle::Sentence);
        assert_eq!((options.short_item_chars, options.drop_menus), (40, true));
        assert!(options.flatten_lists);
        for empty in ["", "# nothing\n"] {
            assert_eq!(read(empty), TextOptions::default());
        }
        let all = serde_yaml::to_string(&TextOptions::linear()).expect("writes");
        assert_eq!(read(&all), TextOptions::linear());
    }

    #[test]
    fn the_table_of_settings_is_complete() {
        let table = include_str!("../../../../docs/text.md");
        let defaults = serde_yaml::to_string(&TextOptions::default()).expect("writes");
        for line in defaults.lines() {
            let (name, value) = line.split_once(": ").expect("a setting a line");
            let row = match value {
                "null" => format!("| `{name}` | none |"),
                _ => format!("| `{name}` | `{value}` |"),
            };
            assert!(table.contains(&row), "{row}");
        }
        let rows = table.lines().filter(|line| line.starts_with("| `")).count();
        assert_eq!(rows, defaults.lines().count());
    }

    #[test]
    fn what_it_does_not_know_is_an_error_with_its_line() {
        let check = |text: &str, parts: &[&str]| {
            let error = TextOptions::from_yaml(text).expect_err(text).to_string();
            for part in parts {
                assert!(error.contains(part), "{error} says {part}");
            }
        };
        check(
            "tables: true\nflaten_lists: no\n",
            &["flaten_lists", "line 2"],
        );
        check(
            "\n\nlink_item_words: many\n",
            &["link_item_words", "line 3"],
        );
        check("table_style: poem\n", &["poem", "markdown"]);
        check("- a\n", &["settings"]);
        check(&"[".repeat(MAX_SETTINGS_BYTES + 1), &["more than"]);
    }
}
