//! The nodes that an expression selects on a page, and the place of a fault in one.

use super::page_diff::{plain, short};
use crate::render::text;
use crate::wrapper::xpath::{XPath, XPathFault};
use forest_html::error::counted;
use forest_html::page::{Mask, Page};
use forest_html::text::{visible, word_count};
use serde::Serialize;
use std::fmt::Write;

/// Characters of an expression that are shown around a fault, to either side.
const AROUND: usize = 40;

/// The selection on a page.
#[derive(Debug, Serialize)]
pub struct PageSelection {
    pub id: String,
    /// Nodes, or values.
    pub count: usize,
    /// Words (metric tokens) of an article made of them.
    pub words: usize,
    /// The beginnings of the first texts.
    pub texts: Vec<String>,
}

/// A fault with its place: the column, from 1, and the text there.
pub fn shown_fault(option: &str, source: &str, fault: &XPathFault, remedy: &str) -> String {
    let mut out = option.to_owned();
    if let Some(byte) = fault.byte {
        let at = source.floor_char_boundary(byte);
        let (before, behind) = source.split_at(at);
        let column = before.chars().count() + 1;
        let skipped = before.chars().count().saturating_sub(AROUND);
        let before: String = before.chars().skip(skipped).collect();
        let behind: String = behind.chars().take(AROUND).collect();
        let _ = match (&*before, &*behind) {
            ("", behind) => write!(out, ", column 1, at `{behind}`"),
            (before, "") => write!(out, ", at its end, behind `{before}`"),
            (before, behind) => {
                write!(out, ", column {column}, at `{behind}`, behind `{before}`")
            }
        };
    }
    let _ = write!(out, ": {}; {remedy}", fault.reason);
    out
}

impl PageSelection {
    /// The selection of `xpath` on a page, with the beginnings of its first `most` texts.
    pub fn of(xpath: &XPath, page: &Page, id: &str, most: usize) -> PageSelection {
        let own = xpath.own_nodes(page);
        let (count, words, texts) = if own.is_empty() {
            // Attributes, or a value that is no node.
            let values = xpath.strings(page);
            let words = values.iter().map(|value| word_count(value)).sum();
            let count = xpath.nodes(page).len().max(values.len());
            (count, words, values.into_iter().take(most).collect())
        } else {
            let words = word_count(&text(page, &Mask::subtrees(page, &own)));
            let each = own.iter().take(most);
            let texts: Vec<String> = each
                .map(|&n| text(page, &Mask::subtrees(page, &[n])))
                .collect();
            (own.len(), words, texts)
        };
        let texts = texts.iter().map(|text| short(&visible(text)));
        PageSelection {
            id: id.to_owned(),
            count,
            words,
            texts: texts.collect(),
        }
    }

    /// The selection as text.
    pub fn for_a_person(&self) -> String {
        let mut out = format!(
            "{}: {}, {}\n",
            plain(&visible(&self.id)),
            counted(self.count, "node", "nodes"),
            counted(self.words, "word", "words")
        );
        for text in &self.texts {
            let text = if text.trim().is_empty() {
                "(no text)"
            } else {
                text
            };
            let _ = writeln!(out, "    {text}");
        }
        match self.count.saturating_sub(self.texts.len()) {
            0 => {}
            more => {
                let _ = writeln!(out, "    and {more} more");
            }
        }
        out
    }
}
