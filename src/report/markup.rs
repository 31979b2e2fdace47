//! HTML that is safe to write: escaped text, tables, and the page around them.

use crate::address::is_web;
use crate::page::plain::escape;
use crate::wrapper::xpath::XPath;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};
use std::fmt::{self, Write};
use url::Url;

/// The only style of a report.
pub(super) const STYLE: &str = include_str!("style.css");

/// Characters of an expression that are shown: learned ones have some hundred.
const MAX_EXPRESSION_CHARS: usize = 1000;

/// Characters of an address that are shown.
const MAX_ADDRESS_CHARS: usize = 160;

/// Bytes of an address that is a link: browsers take about as many.
const MAX_LINK_BYTES: usize = 2000;

/// A text as HTML, cut after so many characters.
pub(super) struct Escaped<'a> {
    text: &'a str,
    chars: usize,
}

/// A text as HTML.
pub(super) fn esc(text: &str) -> Escaped<'_> {
    cut(text, usize::MAX)
}

/// A text as HTML, with dots if it has more than `chars` characters.
pub(super) fn cut(text: &str, chars: usize) -> Escaped<'_> {
    Escaped { text, chars }
}

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = String::new();
        match self.text.char_indices().nth(self.chars) {
            Some((at, _)) => {
                escape(self.text[..at].trim_end(), &mut out);
                out.push('…');
            }
            None => escape(self.text, &mut out),
        }
        f.write_str(&out)
    }
}

/// A whole page. Its policy allows its own style and nothing else: no script, no
/// picture, no address is loaded.
pub(super) fn document(title: &str, main: &str) -> String {
    let hash = STANDARD.encode(Sha256::digest(STYLE.as_bytes()));
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src 'sha256-{hash}'; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n\
         <meta name=\"robots\" content=\"noindex\">\n\
         <title>{}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n{main}</main>\n</body>\n</html>\n",
        cut(title, MAX_ADDRESS_CHARS)
    )
}

/// An expression: as CSS where CSS can say it, which is shorter.
pub(super) fn expression(xpath: &str) -> String {
    let css = XPath::parse(xpath).ok().and_then(|x| x.to_css().ok());
    let shown = match css {
        Some(css) => match &css.attribute {
            Some(attribute) => format!("{} @{attribute}", css.selector()),
            None => css.selector(),
        },
        None => xpath.to_owned(),
    };
    format!("<code>{}</code>", cut(&shown, MAX_EXPRESSION_CHARS))
}

/// A page's name, as a link where it is an address of the web.
pub(super) fn address(name: &str) -> String {
    let is_link = |url: &Url| is_web(url) && url.as_str().len() <= MAX_LINK_BYTES;
    match Url::parse(name).ok().filter(is_link) {
        Some(url) => format!(
            "<a href=\"{}\" rel=\"noreferrer noopener\">{}</a>",
            esc(url.as_str()),
            cut(name, MAX_ADDRESS_CHARS)
        ),
        None => cut(name, MAX_ADDRESS_CHARS).to_string(),
    }
}

/// A share of a whole, as a percentage.
pub(super) fn percent(part: usize, whole: usize) -> String {
    format!("{:.1} %", part as f64 / whole.max(1) as f64 * 100.0)
}

/// A table that becomes a list of records where the screen is narrow.
#[derive(Debug)]
pub(super) struct Table {
    heads: Vec<(&'static str, &'static str)>,
    out: String,
    rows: usize,
    most: usize,
}

impl Table {
    /// A table with these heads, each with a class of its column, and `most` rows at
    /// the most.
    pub fn new(heads: &[(&'static str, &'static str)], most: usize) -> Table {
        let mut out = String::from("<table class=\"stack\"><thead><tr>");
        for (head, class) in heads {
            let _ = write!(out, "<th{}>{head}</th>", class_of(class));
        }
        out.push_str("</tr></thead><tbody>\n");
        Table {
            heads: heads.to_vec(),
            out,
            rows: 0,
            most,
        }
    }

    /// Adds a row of HTML.
    pub fn row(&mut self, class: &str, cells: &[&dyn fmt::Display]) {
        self.rows += 1;
        if self.rows > self.most {
            return;
        }
        let _ = write!(self.out, "<tr{}>", class_of(class));
        for ((head, class), cell) in self.heads.iter().zip(cells) {
            let _ = write!(
                self.out,
                "<td{} data-k=\"{head}\"><div>{cell}</div></td>",
                class_of(class)
            );
        }
        self.out.push_str("</tr>\n");
    }

    /// The table, and how many rows it has not.
    pub fn finish(mut self) -> String {
        self.out.push_str("</tbody></table>\n");
        if self.rows > self.most {
            let _ = writeln!(
                self.out,
                "<p class=\"soft small\">{} more left out of this report.</p>",
                self.rows - self.most
            );
        }
        self.out
    }
}

fn class_of(class: &str) -> String {
    match class {
        "" => String::new(),
        _ => format!(" class=\"{class}\""),
    }
}
