//! A record to bytes.

use super::{tei, xhtml};
use forest_core::extract::{Article, Status};
use forest_core::render::{ShownHead, escape_markdown, paragraphs};
use forest_html::page::plain::escape;
use forest_html::page::{MAX_PAGE_BYTES, Page, Scripting, Source};
use serde::Deserialize;

/// The beginning of a document of XHTML.
const XHTML_START: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE html>\n\
    <html xmlns=\"http://www.w3.org/1999/xhtml\">\
    <head><meta charset=\"UTF-8\" /><title>Articles</title></head>\n<body>\n";

/// Its end.
const XHTML_END: &str = "</body></html>\n";

/// The beginning of an XML document.
const XML_START: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

/// The beginning of a document of TEI with several articles.
const TEI_START: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
    <teiCorpus xmlns=\"http://www.tei-c.org/ns/1.0\">\n<teiHeader><fileDesc>\
    <titleStmt><title>Articles</title></titleStmt><publicationStmt><p/></publicationStmt>\
    <sourceDesc><p/></sourceDesc></fileDesc></teiHeader>\n";

/// Its end.
const TEI_END: &str = "</teiCorpus>\n";

/// The format of records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RecordFormat {
    /// A line of JSON a page.
    #[default]
    Jsonl,
    /// One JSON array.
    Json,
    /// Title and text of the articles.
    Text,
    /// The articles as Markdown.
    Markdown,
    /// The articles as one clean HTML document.
    Html,
    /// The same as well-formed XHTML.
    Xhtml,
    /// The articles as XML of the Text Encoding Initiative, for corpora.
    Tei,
}

impl RecordFormat {
    /// The end of the names of files with one record.
    pub fn extension(self) -> &'static str {
        match self {
            RecordFormat::Jsonl => "jsonl",
            RecordFormat::Json => "json",
            RecordFormat::Text => "txt",
            RecordFormat::Markdown => "md",
            RecordFormat::Html => "html",
            RecordFormat::Xhtml => "xhtml",
            RecordFormat::Tei => "xml",
        }
    }

    /// The text before the first record, between two records and after the last.
    pub fn frame(self) -> [&'static str; 3] {
        match self {
            RecordFormat::Jsonl => ["", "", ""],
            RecordFormat::Json => ["[\n", ",\n", "\n]\n"],
            // No article's text has two empty lines.
            RecordFormat::Text => ["", "\n\n", ""],
            RecordFormat::Markdown => ["", "\n---\n\n", ""],
            RecordFormat::Html => [
                "<!DOCTYPE html>\n<meta charset=\"utf-8\">\n<title>Articles</title>\n",
                "",
                "",
            ],
            RecordFormat::Xhtml => [XHTML_START, "", XHTML_END],
            RecordFormat::Tei => [TEI_START, "", TEI_END],
        }
    }

    /// The text before and after a record in a file of its own.
    pub fn frame_of_one(self) -> [&'static str; 2] {
        match self {
            RecordFormat::Json => ["", "\n"],
            RecordFormat::Html => ["<!DOCTYPE html>\n<meta charset=\"utf-8\">\n", ""],
            RecordFormat::Xhtml => [XHTML_START, XHTML_END],
            RecordFormat::Tei => [XML_START, ""],
            _ => ["", ""],
        }
    }

    /// A record; `None` if there is no article and the format has no place for the reason.
    pub fn record(self, article: &Article) -> Option<Vec<u8>> {
        let found = matches!(
            article.status,
            Status::Ok | Status::Degraded | Status::Fallback
        );
        let text = match self {
            RecordFormat::Jsonl => json(article) + "\n",
            RecordFormat::Json => json(article),
            _ if !found => return None,
            RecordFormat::Text => text(article),
            RecordFormat::Markdown => markdown(article),
            RecordFormat::Html => html(article),
            RecordFormat::Xhtml => xhtml(article),
            RecordFormat::Tei => tei::element(article),
        };
        Some(text.into_bytes())
    }
}

fn json(article: &Article) -> String {
    serde_json::to_string(article).expect("a record has string keys only")
}

fn text(article: &Article) -> String {
    let text = &article.text;
    // Prose gives it a full stop, and is written as it is.
    let first = text.lines().next().unwrap_or_default();
    let sentence = first.strip_suffix(['.', '。']);
    match article.title.as_deref() {
        Some(title) if sentence != Some(title) => {
            let text = ShownHead::of_title(title).cut_text(text);
            format!("{title}\n\n{text}\n")
        }
        _ => format!("{text}\n"),
    }
}

fn markdown(article: &Article) -> String {
    let body = article.markdown.as_deref().unwrap_or(&article.text);
    let body = body.trim_end();
    let Some(title) = article.title.as_deref() else {
        return format!("{body}\n");
    };
    let mut out = "# ".to_owned();
    let line = out.len();
    escape_markdown(&mut out, title, line, false);
    out + "\n\n" + ShownHead::of_title(title).cut_text(body) + "\n"
}

fn html(article: &Article) -> String {
    let language = article.language.as_deref();
    let lang = language.map_or_else(String::new, |l| format!(" lang=\"{}\"", escaped(l)));
    let title = article.title.as_deref();
    let title = title.map_or_else(String::new, |t| format!("<h1>{}</h1>\n", escaped(t)));
    let body = match &article.html {
        Some(html) => html.trim_end().to_owned(),
        None => paragraphs(&article.text),
    };
    let head = ShownHead::of_title(article.title.as_deref().unwrap_or_default());
    let body = head.cut_html(&body);
    let id = escaped(&article.id);
    format!("<article data-id=\"{id}\"{lang}>\n{title}{body}\n</article>\n")
}

/// The record of [`html`], read again and written as XHTML.
fn xhtml(article: &Article) -> String {
    // As it is written: formulas are MathML there.
    let source = Source {
        url: None,
        content_type: Some("text/html; charset=utf-8"),
    };
    let html = html(article);
    let page = Page::parse_for(Scripting::On, html.as_bytes(), source, MAX_PAGE_BYTES);
    xhtml::fragment(&page).text
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    escape(text, &mut out);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn article() -> Article {
        Article {
            id: "a/1".to_owned(),
            title: Some("One & <two>".to_owned()),
            text: "A line.\nAnother.".to_owned(),
            status: Status::Ok,
            ..Article::default()
        }
    }

    fn check(format: RecordFormat, expected: &str) {
        let bytes = format.record(&article()).expect("a record");
        assert_eq!(String::from_utf8(bytes).expect("UTF-8"), expected);
    }

    #[test]
    fn records() {
        check(RecordFormat::Text, "One & <two>\n\nA line.\nAnother.\n");
        check(
            RecordFormat::Markdown,
            "# One & \\<two>\n\nA line.\nAnother.\n",
        );
        check(
            RecordFormat::Html,
            "<article data-id=\"a/1\">\n<h1>One &amp; &lt;two&gt;</h1>\n<p>A line.</p>\n<p>Another.</p>\n\n</article>\n",
        );
        let xhtml = "<article data-id=\"a/1\">\n<h1>One &amp; &lt;two&gt;</h1>\n<p>A line.</p>\n<p>Another.</p>\n\n</article>\n";
        check(RecordFormat::Xhtml, xhtml);
    }

    #[test]
    fn formulas_stay_mathml() {
        let math = "<semantics><mi>x</mi><annotation encoding=\"application/x-tex\">x^2</annotation></semantics></math>";
        let article = Article {
            html: Some(format!("<p>a <math>{math}</p>")),
            ..article()
        };
        let bytes = RecordFormat::Xhtml.record(&article).expect("a record");
        let xhtml = String::from_utf8(bytes).expect("UTF-8");
        assert!(xhtml.contains(math), "{xhtml}");
        assert!(!xhtml.contains('$'), "{xhtml}");
    }

    #[test]
    fn a_title_stands_there_once() {
        let check = |first: &str, expected: &str| {
            let mut article = article();
            article.text = format!("{first}\nAnother.");
            let bytes = RecordFormat::Text.record(&article).expect("a record");
            assert_eq!(bytes, expected.as_bytes());
        };
        check("One & <two>", "One & <two>\n\nAnother.\n");
        check("One & <two>.", "One & <two>.\nAnother.\n");
        check("# ONE & <TWO>", "One & <two>\n\nAnother.\n");
        check("One &\n<two>", "One & <two>\n\nAnother.\n");
        check(
            "One & <two> & three",
            "One & <two>\n\nOne & <two> & three\nAnother.\n",
        );
        let mut article = article();
        article.markdown = Some("## One & \\<two\\>\n\nA line.".to_owned());
        article.html = Some("<h2>One &amp; &lt;two&gt;</h2><p>A line.</p>".to_owned());
        let written = |format: RecordFormat, article: &Article| {
            let bytes = format.record(article).expect("a record");
            String::from_utf8(bytes).expect("UTF-8")
        };
        let markdown = written(RecordFormat::Markdown, &article);
        assert_eq!(markdown, "# One & \\<two>\n\nA line.\n");
        let html = written(RecordFormat::Html, &article);
        assert_eq!(html.matches("two").count(), 1, "{html}");
        // Paragraphs of the text, where there is no HTML.
        article.text = "One & <two>\nA line.".to_owned();
        article.html = None;
        let html = written(RecordFormat::Html, &article);
        assert_eq!(html.matches("two").count(), 1, "{html}");
    }

    #[test]
    fn failures_are_in_records_and_in_no_text() {
        let failed = Article {
            status: Status::Error,
            ..article()
        };
        for format in [
            RecordFormat::Text,
            RecordFormat::Markdown,
            RecordFormat::Html,
            RecordFormat::Xhtml,
            RecordFormat::Tei,
        ] {
            assert_eq!(format.record(&failed), None);
        }
        for format in [RecordFormat::Jsonl, RecordFormat::Json] {
            assert!(format.record(&failed).is_some());
        }
    }
}
