//! Panics and errors as exceptions.

use forest_html::error::with_causes;
use pyo3::PyErr;
use pyo3::create_exception;
use pyo3::exceptions::PyException;
use std::panic::{AssertUnwindSafe, catch_unwind};

create_exception!(
    forest_wrappers,
    ForestError,
    PyException,
    "Something cannot be read, written or used. The message is that of the command."
);
create_exception!(
    forest_wrappers,
    Abstained,
    ForestError,
    "Nothing was learned. The message is the reason."
);

/// The exception of an error, with its causes.
pub fn error(error: impl std::error::Error + 'static) -> PyErr {
    ForestError::new_err(with_causes(&error))
}

/// The value of a function; a panic is an exception.
pub fn guarded<T>(run: impl FnOnce() -> Result<T, PyErr>) -> Result<T, PyErr> {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| {
        let crash = "the program crashed on this input; please report it";
        Err(ForestError::new_err(crash))
    })
}
