//! Hunks as text, HTML and JSON.

use super::{EditOp, Hunk, Piece};
use forest_html::page::plain::escape;
use forest_html::text::visible;
use serde_json::{Value, json as value};

/// Red and green, the usual colours of diffs.
const DELETED: &str = "\u{1b}[31m";
const INSERTED: &str = "\u{1b}[32m";
const PLAIN: &str = "\u{1b}[0m";

/// As wdiff writes it: `[-old-]{+new+}`, with `...` where text is left out. A hunk ends
/// in a line end. Escape characters in the texts are shown, not sent.
pub fn terminal(hunks: &[Hunk], colours: bool) -> String {
    let mut out = String::new();
    for hunk in hunks {
        if hunk.after_gap {
            out.push_str("... ");
        }
        let mut pieces = hunk.pieces.clone();
        if let Some(first) = pieces.first_mut().filter(|piece| piece.op == EditOp::Equal) {
            first.text = first.text.trim_start().to_owned();
        }
        if let Some(last) = pieces.last_mut().filter(|piece| piece.op == EditOp::Equal) {
            last.text = last.text.trim_end().to_owned();
        }
        for Piece { op, text } in &pieces {
            let [colour, before, after] = match op {
                EditOp::Equal => ["", "", ""],
                EditOp::Delete => [DELETED, "[-", "-]"],
                EditOp::Insert => [INSERTED, "{+", "+}"],
            };
            let coloured = colours && !colour.is_empty();
            out.push_str(if coloured { colour } else { "" });
            out.push_str(before);
            out.push_str(&visible(text));
            out.push_str(after);
            out.push_str(if coloured { PLAIN } else { "" });
        }
        out.push_str(if hunk.before_gap { " ...\n" } else { "\n" });
    }
    out
}

/// As HTML that is safe to show: `<del>` and `<ins>`, a paragraph a hunk, `<br>` at
/// line ends.
pub fn html(hunks: &[Hunk]) -> String {
    let mut out = String::new();
    for hunk in hunks {
        out.push_str("<p>");
        out.push_str(if hunk.after_gap { "… " } else { "" });
        for Piece { op, text } in &hunk.pieces {
            let tag = match op {
                EditOp::Equal => None,
                EditOp::Delete => Some("del"),
                EditOp::Insert => Some("ins"),
            };
            let mut escaped = String::with_capacity(text.len());
            escape(text, &mut escaped);
            let lines = escaped.replace('\n', "<br>");
            match tag {
                Some(tag) => out.push_str(&format!("<{tag}>{lines}</{tag}>")),
                None => out.push_str(&lines),
            }
        }
        out.push_str(if hunk.before_gap { " …" } else { "" });
        out.push_str("</p>\n");
    }
    out
}

/// As JSON: a list of hunks, each a list of `{"op": "equal"|"delete"|"insert",
/// "text": ...}`.
pub fn json(hunks: &[Hunk]) -> Value {
    hunks.iter().map(|hunk| value!(hunk.pieces)).collect()
}
