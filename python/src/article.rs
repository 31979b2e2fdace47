//! The record of a page.

use crate::failure::{error, guarded};
use crate::page::Html;
use forest_core::extract::{self, Options, PageKind, Status};
use pyo3::prelude::*;
use std::sync::Arc;

/// The function that reads the page again, with other options.
type ReadAgain = dyn Fn(&Options) -> extract::Article + Send + Sync;

/// The article of a page, and what the page says of itself.
///
/// `text` is empty where there is none; `status` says why.
#[pyclass(frozen, module = "forest_wrappers")]
pub struct Article {
    record: extract::Article,
    again: Arc<ReadAgain>,
}

impl Article {
    /// The record; `again` reads the page once more.
    pub fn new(record: extract::Article, again: Arc<ReadAgain>) -> Article {
        Article { record, again }
    }

    /// The record of a page by a function of its HTML.
    pub fn read(
        html: Html,
        url: Option<String>,
        read: impl Fn(&Html, Option<&str>, &Options) -> extract::Article + Send + Sync + 'static,
    ) -> Article {
        let again = move |options: &Options| read(&html, url.as_deref(), options);
        Article::new(again(&Options::default()), Arc::new(again))
    }

    /// True if there is an article.
    pub fn is_found(&self) -> bool {
        matches!(
            self.record.status,
            Status::Ok | Status::Degraded | Status::Fallback
        )
    }

    fn again(&self, py: Python<'_>, options: Options) -> PyResult<extract::Article> {
        let again = Arc::clone(&self.again);
        py.detach(|| guarded(|| Ok(again(&options))))
    }
}

#[pymethods]
impl Article {
    /// The text, a line a block.
    #[getter]
    fn text(&self) -> &str {
        &self.record.text
    }

    /// The title, without the site's name.
    #[getter]
    fn title(&self) -> Option<&str> {
        self.record.title.as_deref()
    }

    /// Names of the authors.
    #[getter]
    fn authors(&self) -> Vec<String> {
        self.record.authors.clone()
    }

    /// When it was published, RFC 3339.
    #[getter]
    fn date(&self) -> Option<&str> {
        self.record.date_published.as_deref()
    }

    /// The pictures: dicts of `url` and `caption`.
    #[getter]
    fn images<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let images = serde_json::to_string(&self.record.images).map_err(error)?;
        loads(py, &images)
    }

    /// `article`, `documentation`, `service`, `forum`, `product`, `listing` or `collection`; None
    /// where nobody judged.
    #[getter]
    fn kind(&self) -> Option<&'static str> {
        self.record.kind.map(PageKind::name)
    }

    /// `ok`, `degraded`, `fallback`, `empty`, `blocked` or `error`.
    #[getter]
    fn status(&self) -> &'static str {
        self.record.status.name()
    }

    /// The probability that the text is right, 0 to 1; None where nobody judged.
    #[getter]
    fn confidence(&self) -> Option<f64> {
        self.record.confidence
    }

    /// Warnings about the way it was made.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        let warnings = self.record.warnings.iter();
        warnings.map(ToString::to_string).collect()
    }

    /// Why there is no article.
    #[getter]
    fn error(&self) -> Option<&str> {
        self.record.error.as_deref()
    }

    /// The page's own address.
    #[getter]
    fn url(&self) -> Option<&str> {
        self.record.url.as_deref()
    }

    /// The site whose page it is.
    #[getter]
    fn site(&self) -> Option<&str> {
        self.record.site.as_deref()
    }

    /// The language of the text, ISO 639-1.
    #[getter]
    fn language(&self) -> Option<&str> {
        self.record.language.as_deref()
    }

    /// The page's keywords.
    #[getter]
    fn tags(&self) -> Vec<String> {
        self.record.tags.clone()
    }

    /// The record as the command's line of JSON, without the line's end.
    fn to_json(&self) -> PyResult<String> {
        serde_json::to_string(&self.record).map_err(error)
    }

    /// The record as a dict, with the keys of the command's records (`forest`), of
    /// trafilatura's JSON or of newspaper's articles.
    #[pyo3(signature = (keys="forest"))]
    fn to_dict<'py>(slf: &Bound<'py, Self>, keys: &str) -> PyResult<Bound<'py, PyAny>> {
        let record = loads(slf.py(), &slf.get().to_json()?)?;
        let module = slf.py().import("forest_wrappers._keys")?;
        module.call_method1("renamed", (record, keys))
    }

    /// The body as Markdown. The page is read again for it.
    fn markdown(&self, py: Python<'_>) -> PyResult<String> {
        let article = self.again(py, Options::default().with_markdown(true))?;
        Ok(article.markdown.unwrap_or_default())
    }

    /// The body as clean HTML. The page is read again for it.
    fn html(&self, py: Python<'_>) -> PyResult<String> {
        let article = self.again(py, Options::default().with_html(true))?;
        Ok(article.html.unwrap_or_default())
    }

    fn __repr__(&self) -> String {
        let title = self.record.title.as_deref().unwrap_or_default();
        let words = self.record.text.split_whitespace().count();
        let status = self.record.status.name();
        format!("<Article {status} {title:?}, {words} words>")
    }

    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let title = self.record.title.as_deref().unwrap_or_default();
        let body = self.html(py)?;
        Ok(format!("<h3>{}</h3>\n{body}", escaped(title)))
    }
}

/// A text as HTML.
pub fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('"', "&quot;")
}

/// The Python value of a JSON text.
pub fn loads<'py>(py: Python<'py>, json: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (json,))
}
