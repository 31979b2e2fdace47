//! An article as XML of the Text Encoding Initiative (TEI P5), for corpora.
//!
//! Takes an [`Article`] with its clean HTML; gives a `TEI` element: a `teiHeader` with
//! title, authors, dates, source, language and keywords, and a `text` whose `body` has the
//! article.
//!
//! | in HTML | in TEI |
//! | --- | --- |
//! | a heading and all up to the next of its level | `div` with a `head` |
//! | a heading in an item, a cell or a quotation | `p rend="h2"` |
//! | `p`; text without one | `p` |
//! | `ul`, `ol`, `dl` | `list` with `rend` `bulleted` or `numbered`, or `type="gloss"` |
//! | `li`, `dd`; `dt` | `item`; `label` |
//! | `table`, `tr`, `td`, `th`, `caption` | `table`, `row`, `cell`, `cell role="label"`, `head` |
//! | `figure`, `img`, `figcaption` | `figure`, `graphic` with `figDesc`, `head` |
//! | `blockquote`, `q` | `quote`, `q` |
//! | `pre`, `code` | `code`, in a `p` with its white space |
//! | `b`, `i`, `u`, `sub`, `sup`, `mark` | `hi rend="..."` |
//! | `del`, `s`; `ins` | `del`; `add` |
//! | `a` | `ref target="..."` |
//! | `br`, `hr` | `lb`, `milestone` |
//! | `id` | `xml:id` |
//!
//! **Departures.** None: the papers write no XML but XHTML.

mod body;
#[cfg(test)]
mod tests;

use super::xhtml::chars::{Within, push_escaped};
use forest_core::extract::Article;

/// The namespace of TEI.
pub const NAMESPACE: &str = "http://www.tei-c.org/ns/1.0";

/// An article as a `TEI` element. Its paragraphs are the lines of the text if it has no HTML.
///
/// ```
/// use forest_core::extract::Article;
///
/// let html = Some("<h2>Wool</h2><p>Dyed <b>red</b>.</p>".to_owned());
/// let article = Article { html, ..Article::default() };
/// let tei = forest_text::prose::tei::element(&article);
/// assert!(tei.contains("<div><head rend=\"h2\">Wool</head><p>Dyed <hi rend=\"bold\">red</hi>.</p></div>"));
/// ```
pub fn element(article: &Article) -> String {
    let mut out = String::from("<TEI");
    attribute("xmlns", NAMESPACE, &mut out);
    out.push_str(">\n");
    header(article, &mut out);
    out.push_str("<text");
    if let Some(language) = &article.language {
        attribute("xml:lang", language, &mut out);
    }
    out.push_str("><body><div type=\"entry\">");
    match &article.html {
        Some(html) => body::push(html, &mut out),
        None => article
            .text
            .lines()
            .for_each(|line| tag("p", line, &mut out)),
    }
    out.push_str("</div></body></text>\n</TEI>\n");
    out
}

fn header(article: &Article, out: &mut String) {
    let title = article.title.as_deref().unwrap_or_default();
    let published = article.date_published.as_deref();
    out.push_str("<teiHeader>\n<fileDesc><titleStmt>");
    tag("title", title, out);
    article
        .authors
        .iter()
        .for_each(|author| tag("author", author, out));
    out.push_str("</titleStmt>\n<publicationStmt>");
    match &article.site {
        Some(site) => {
            tag("publisher", site, out);
            date(published, out);
        }
        None => out.push_str("<p/>"),
    }
    out.push_str("</publicationStmt>\n<sourceDesc><bibl>");
    tag("title", title, out);
    article
        .authors
        .iter()
        .for_each(|author| tag("author", author, out));
    date(published, out);
    if let Some(url) = article.url.as_ref().or(article.fetched_url.as_ref()) {
        out.push_str("<ptr");
        attribute("target", url, out);
        out.push_str("/>");
    }
    out.push_str("</bibl></sourceDesc></fileDesc>\n<encodingDesc><appInfo>");
    out.push_str(concat!(
        "<application ident=\"forest\" version=\"",
        env!("CARGO_PKG_VERSION"),
        "\"><label>forest</label></application></appInfo></encodingDesc>\n"
    ));
    profile(article, out);
    out.push_str("</teiHeader>\n");
}

fn profile(article: &Article, out: &mut String) {
    out.push_str("<profileDesc>");
    if let Some(language) = &article.language {
        out.push_str("<langUsage><language");
        attribute("ident", language, out);
        out.push_str("/></langUsage>");
    }
    if !article.tags.is_empty() {
        out.push_str("<textClass><keywords>");
        article.tags.iter().for_each(|term| tag("term", term, out));
        out.push_str("</keywords></textClass>");
    }
    out.push_str("</profileDesc>\n");
}

fn date(when: Option<&str>, out: &mut String) {
    if let Some(when) = when {
        out.push_str("<date");
        attribute("when", when, out);
        out.push_str("/>");
    }
}

fn tag(name: &str, text: &str, out: &mut String) {
    out.push('<');
    out.push_str(name);
    out.push('>');
    push_escaped(text, Within::Text, out);
    out.push_str("</");
    out.push_str(name);
    out.push('>');
}

fn attribute(name: &str, value: &str, out: &mut String) {
    out.push(' ');
    out.push_str(name);
    out.push_str("=\"");
    push_escaped(value, Within::Attribute, out);
    out.push('"');
}
