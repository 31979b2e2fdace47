//! The extension module of the Python package `forest_wrappers`.
//!
//! - `page`: a page as Python gives it.
//! - `article`: the record of a page.
//! - `extractor`: pages to records, one at a time or several at once.
//! - `wrapper`: wrappers: learned, saved, checked.
//! - `tools`: prose, filtered pages, evaluation, the command.
//! - `failure`: panics and errors as exceptions.
//!
//! The lock of the interpreter is released while pages are read. Nothing uses a global pool
//! of threads, so that a process may fork: a pool lives as long as the call that asked for it.
#![deny(missing_docs)]

mod article;
mod extractor;
mod failure;
mod page;
mod tools;
mod wrapper;

use pyo3::prelude::*;

#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::article::Article;
    #[pymodule_export]
    use crate::extractor::{ArticleIterator, Extractor, extract};
    #[pymodule_export]
    use crate::failure::{Abstained, ForestError};
    #[pymodule_export]
    use crate::tools::{evaluate, filter, main, text};
    #[pymodule_export]
    use crate::wrapper::{Wrapper, check, learn, warc_pages};
}
