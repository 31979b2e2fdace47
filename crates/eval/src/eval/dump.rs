//! The texts of a setup, as lines that any other scorer can read.

use super::ScoredText;
use super::run::BlockLine;
use serde::Serialize;

/// A line of a dump.
#[derive(Serialize)]
struct DumpLine<'a> {
    id: &'a str,
    text: &'a str,
    title: Option<&'a str>,
    status: &'a str,
    confidence: Option<f64>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    blocks: &'a [BlockLine],
}

/// A line of JSON for each page, in the given order: `id`, `text`, `title`,
/// `status`, `confidence`, and, if they were asked for, `blocks`.
pub fn dump(pages: &[ScoredText]) -> String {
    let mut out = String::new();
    for page in pages {
        let line = DumpLine {
            id: &page.id,
            text: &page.text,
            title: page.title.as_deref(),
            status: page.status,
            confidence: page.confidence,
            blocks: &page.blocks,
        };
        out += &serde_json::to_string(&line).expect("strings are JSON");
        out.push('\n');
    }
    out
}
