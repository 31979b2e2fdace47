//! The parts of a report's page: cut texts, expressions, tables, and the page around them.

use crate::wrapper::xpath::XPath;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use forest_html::address::is_web;
use maud::{DOCTYPE, Markup, PreEscaped, Render, html};
use sha2::{Digest, Sha256};
use url::Url;

/// The only style of a report.
pub(super) const STYLE: &str = include_str!("style.css");

/// Characters of an expression that are shown: learned ones have some hundred.
const MAX_EXPRESSION_CHARS: usize = 1000;

/// Characters of an address that are shown.
const MAX_ADDRESS_CHARS: usize = 160;

/// Bytes of an address that is a link: browsers take about as many.
const MAX_LINK_BYTES: usize = 2000;

/// A text, with dots if it has more than `chars` characters.
pub(super) fn cut(text: &str, chars: usize) -> String {
    match text.char_indices().nth(chars) {
        Some((at, _)) => format!("{}…", text[..at].trim_end()),
        None => text.to_owned(),
    }
}

/// A whole page. Its policy allows its own style and nothing else: no script, no
/// picture, no address is loaded.
pub(super) fn document(title: &str, main: &Markup) -> String {
    let hash = STANDARD.encode(Sha256::digest(STYLE.as_bytes()));
    let policy = format!(
        "default-src 'none'; style-src 'sha256-{hash}'; base-uri 'none'; form-action 'none'"
    );
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="referrer" content="no-referrer";
                meta name="robots" content="noindex";
                title { (cut(title, MAX_ADDRESS_CHARS)) }
                style { (PreEscaped(STYLE)) }
            }
            body { main { (main) } }
        }
    };
    page.into_string()
}

/// An expression, as CSS if CSS can express it: that is shorter.
pub(super) fn expression(xpath: &str) -> Markup {
    let css = XPath::parse(xpath).ok().and_then(|x| x.to_css().ok());
    let shown = match css {
        Some(css) => match &css.attribute {
            Some(attribute) => format!("{} @{attribute}", css.selector()),
            None => css.selector(),
        },
        None => xpath.to_owned(),
    };
    html! { code { (cut(&shown, MAX_EXPRESSION_CHARS)) } }
}

/// A page's name, as a link if it is an address of the web.
pub(super) fn address(name: &str) -> Markup {
    let is_link = |url: &Url| is_web(url) && url.as_str().len() <= MAX_LINK_BYTES;
    let shown = cut(name, MAX_ADDRESS_CHARS);
    match Url::parse(name).ok().filter(is_link) {
        Some(url) => {
            html! { a href=(url.as_str()) rel="noreferrer noopener" { (shown) } }
        }
        None => html! { (shown) },
    }
}

/// A share of a whole, as a percentage.
pub(super) fn percent(part: usize, whole: usize) -> String {
    format!("{:.1} %", part as f64 / whole.max(1) as f64 * 100.0)
}

/// A number, or a dash.
pub(super) fn or_dash(number: Option<usize>) -> String {
    number.map_or_else(|| "–".to_owned(), |number| number.to_string())
}

/// A table that becomes a list of records where the screen is narrow.
#[derive(Debug)]
pub(super) struct HtmlTable {
    heads: Vec<(&'static str, &'static str)>,
    body: String,
    rows: usize,
    most: usize,
}

impl HtmlTable {
    /// A table with these heads, each with a class of its column, and `most` rows at
    /// the most.
    pub fn new(heads: &[(&'static str, &'static str)], most: usize) -> HtmlTable {
        HtmlTable {
            heads: heads.to_vec(),
            body: String::new(),
            rows: 0,
            most,
        }
    }

    /// Adds a row with a class, which may be empty.
    pub fn row(&mut self, row_class: &str, cells: &[&dyn Render]) {
        self.rows += 1;
        if self.rows > self.most {
            return;
        }
        let cells = self.heads.iter().zip(cells);
        let row = html! {
            tr class=[class(row_class)] {
                @for ((head, column), cell) in cells {
                    td class=[class(column)] data-k=(head) { div { (*cell) } }
                }
            }
        };
        self.body.push_str(&row.0);
    }
}

/// The table, and the number of rows that are left out.
impl Render for HtmlTable {
    fn render(&self) -> Markup {
        html! {
            table.stack {
                thead {
                    tr {
                        @for (head, column) in &self.heads { th class=[class(column)] { (head) } }
                    }
                }
                tbody { (PreEscaped(&self.body)) }
            }
            @if self.rows > self.most {
                p.soft.small { (self.rows - self.most) " more left out of this report." }
            }
        }
    }
}

fn class(name: &str) -> Option<&str> {
    Some(name).filter(|name| !name.is_empty())
}
