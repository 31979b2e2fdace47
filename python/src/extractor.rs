//! Pages to records.

use crate::article::Article;
use crate::failure::{ForestError, error, guarded};
use crate::page::Html;
use crate::wrapper::Wrapper;
use forest_core::extract::{
    Article as Record, NoWrapper, Options, PagedArticle, SiteExtractors, Status, WrapperSource,
    fallback, one_page,
};
use forest_core::wrapper::names::path_of;
use forest_core::wrapper::{Wrapper as WrapperRules, WrapperFile};
use forest_html::address::site_of;
use forest_html::error::CRASHED;
use pyo3::prelude::*;
use pyo3::types::PyIterator;
use rayon::prelude::*;
use std::collections::VecDeque;
use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;

/// Pages that are read at once, for each thread.
const PAGES_A_THREAD: usize = 32;

/// Why a further page of an article is missing.
const NOT_TOGETHER: &str = "it is not among the pages that were read together";

/// The article of one page, without a wrapper; None if it has none.
///
/// >>> import forest_wrappers as fw
/// >>> fw.extract("") is None
/// True
#[pyfunction]
#[pyo3(signature = (html, url=None))]
pub fn extract(py: Python<'_>, html: Html, url: Option<String>) -> PyResult<Option<Article>> {
    let read = |html: &Html, url: Option<&str>, options: &Options| {
        finished(one_page(&html.parse(url), options), url)
    };
    let article = py.detach(|| guarded(|| Ok(Article::read(html, url, read))))?;
    Ok(article.is_found().then_some(article))
}

/// Articles of pages, by the wrappers of their sites.
///
/// `wrappers` is a folder of wrapper files, one file, or a Wrapper. The wrapper of a page is
/// that of the host of its address. Where there is none, or where it does not match, the
/// page's own shape shows the article, and `status` is `fallback`.
#[pyclass(frozen, module = "forest_wrappers")]
pub struct Extractor(Arc<SiteExtractors>);

/// A folder of wrappers.
#[derive(Debug)]
struct WrapperFolder(PathBuf);

impl WrapperSource for WrapperFolder {
    fn wrapper(&self, name: &str) -> forest_core::Result<Option<WrapperRules>> {
        let path = path_of(&self.0, name);
        let file = WrapperFile::read(&path, File::open(&path))?;
        Ok(file.map(|(file, _)| file.wrapper))
    }

    fn place(&self) -> String {
        self.0.display().to_string()
    }
}

#[derive(FromPyObject)]
pub enum Wrappers {
    Wrapper(Py<Wrapper>),
    Path(PathBuf),
}

#[pymethods]
impl Extractor {
    #[new]
    fn new(wrappers: Wrappers) -> PyResult<Extractor> {
        let wrapper = match wrappers {
            Wrappers::Wrapper(wrapper) => wrapper.get().wrapper().clone(),
            Wrappers::Path(path) if path.is_dir() => {
                let extractors = SiteExtractors::of(WrapperFolder(path));
                return Ok(Extractor(Arc::new(extractors)));
            }
            Wrappers::Path(path) => Wrapper::read(&path)?,
        };
        let extractors = SiteExtractors::one(wrapper).map_err(error)?;
        Ok(Extractor(Arc::new(extractors)))
    }

    /// The article of a page. There is one for every page: `status` says what it is worth.
    #[pyo3(signature = (html, url=None))]
    fn extract(&self, py: Python<'_>, html: Html, url: Option<String>) -> PyResult<Article> {
        let extractors = Arc::clone(&self.0);
        Ok(py.detach(|| article(&extractors, html, url)))
    }

    /// The articles of pages, `(url, html)` each, in their order, one a page. `pages` is read
    /// as articles are asked for, some pages ahead; `threads` work at once.
    #[pyo3(signature = (pages, threads=1))]
    fn extract_many(&self, pages: &Bound<'_, PyAny>, threads: usize) -> PyResult<ArticleIterator> {
        let threads = threads.clamp(1, 1024);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        Ok(ArticleIterator {
            extractors: Arc::clone(&self.0),
            pages: pages.try_iter()?.unbind(),
            pool: pool.build().map_err(error)?,
            ahead: PAGES_A_THREAD * threads,
            ready: VecDeque::new(),
            failure: None,
        })
    }

    /// The articles of pages as a dict of lists, one value a page in each, for pyarrow, polars
    /// or pandas.
    #[pyo3(signature = (htmls, urls=None, threads=1))]
    fn to_columns<'py>(
        slf: &Bound<'py, Self>,
        htmls: &Bound<'py, PyAny>,
        urls: Option<&Bound<'py, PyAny>>,
        threads: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let module = slf.py().import("forest_wrappers._columns")?;
        module.call_method1("columns", (slf, htmls, urls, threads))
    }

    fn __repr__(&self) -> String {
        "<Extractor>".to_owned()
    }
}

/// Articles, as they are asked for.
#[pyclass(module = "forest_wrappers")]
pub struct ArticleIterator {
    extractors: Arc<SiteExtractors>,
    pages: Py<PyIterator>,
    pool: rayon::ThreadPool,
    /// Pages that are read at once.
    ahead: usize,
    ready: VecDeque<Article>,
    /// What the iterator of pages raised; it comes behind the articles of the pages before.
    failure: Option<PyErr>,
}

#[pymethods]
impl ArticleIterator {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<Article>> {
        if self.ready.is_empty() && self.failure.is_none() {
            self.read_ahead(py);
        }
        match (self.ready.pop_front(), self.failure.take()) {
            (None, Some(failure)) => Err(failure),
            (article, failure) => {
                self.failure = failure;
                Ok(article)
            }
        }
    }
}

impl ArticleIterator {
    fn read_ahead(&mut self, py: Python<'_>) {
        let mut pages: Vec<(Option<String>, Html)> = Vec::new();
        let mut input = self.pages.bind(py).clone();
        while pages.len() < self.ahead {
            match input
                .next()
                .map(|page| page.and_then(|page| page.extract()))
            {
                Some(Ok(page)) => pages.push(page),
                Some(Err(failure)) => {
                    self.failure = Some(failure);
                    break;
                }
                None => break,
            }
        }
        let (extractors, pool) = (&self.extractors, &self.pool);
        let read = |(url, html)| article(extractors, html, url);
        let articles: Vec<Article> =
            py.detach(|| pool.install(|| pages.into_par_iter().map(read).collect()));
        self.ready.extend(articles);
    }
}

/// The article of a page; of one on which the program panics the record of that.
fn article(extractors: &Arc<SiteExtractors>, html: Html, url: Option<String>) -> Article {
    let extractors = Arc::clone(extractors);
    Article::read(html, url, move |html, url, options| {
        let read = AssertUnwindSafe(|| record(&extractors, html, url, options));
        let record = catch_unwind(read).unwrap_or_else(|_| failed(CRASHED.to_owned()));
        finished(record, url)
    })
}

fn record(
    extractors: &SiteExtractors,
    html: &Html,
    url: Option<&str>,
    options: &Options,
) -> Record {
    let host = site_of(url);
    match extractors.of_page(host.as_deref(), None, None) {
        Ok(extractor) => {
            let page = extractor.parse(html.bytes(), html.source(url));
            let mut whole = PagedArticle::of(extractor, &page, options.clone());
            while whole.wanted().is_some() {
                whole.miss(NOT_TOGETHER);
            }
            whole.finish()
        }
        Err(NoWrapper::Unknown(why)) => fallback(&html.parse(url), options, &why),
        Err(NoWrapper::Broken(why)) => failed(why),
    }
}

fn failed(why: String) -> Record {
    Record {
        status: Status::Error,
        error: Some(why),
        ..Record::default()
    }
}

/// The record with the page's address.
fn finished(record: Record, url: Option<&str>) -> Record {
    let mut record = record.read_from(url);
    record.id = url.unwrap_or_default().to_owned();
    record
}

/// A pool of one thread: what asks for the global pool works in it.
pub fn with_pool<T: Send>(run: impl FnOnce() -> T + Send) -> PyResult<T> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    let pool = pool.map_err(|e| ForestError::new_err(e.to_string()))?;
    Ok(pool.install(run))
}
