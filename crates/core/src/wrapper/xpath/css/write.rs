//! Names and texts as CSS writes them.

use std::fmt::Write;

/// A name as [CSSOM](https://drafts.csswg.org/cssom/#serialize-an-identifier) writes
/// it.
pub(super) fn ident(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for (i, c) in name.chars().enumerate() {
        let leads = i == 0 || (i == 1 && name.starts_with('-'));
        match c {
            c if c.is_control() || (leads && c.is_ascii_digit()) => {
                let _ = write!(out, "\\{:x} ", u32::from(c));
            }
            '-' if name == "-" => out.push_str("\\-"),
            c if c.is_ascii_alphanumeric() || matches!(c, '-' | '_') || !c.is_ascii() => {
                out.push(c);
            }
            c => {
                out.push('\\');
                out.push(c);
            }
        }
    }
    out
}

/// A text in quotes.
pub(super) fn string(text: &str) -> String {
    let mut out = String::from("'");
    for c in text.chars() {
        match c {
            c if c.is_control() => {
                let _ = write!(out, "\\{:x} ", u32::from(c));
            }
            '\'' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out.push('\'');
    out
}
