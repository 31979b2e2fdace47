//! The text that a page has in its own JSON, and no browser without scripts would show.
//!
//! Takes a [`Page`](super::Page); gives the values of its JSON that may be an article's
//! text ([`PageJson::values`]), each with its [`JsonPlace`](place::JsonPlace), and the page that has such a
//! value as its body ([`PageJson::page`]). From there on it is a page like any other: block
//! scores, strips, fields, confidence and drift need nothing else.
//!
//! - `scripts`: the values in scripts, and in attributes that hold JSON.
//! - `reader`: a value to its strings, JSON in strings included.
//! - `leaf`: a string with its path.
//! - `value`: the values that may be a text, and that which is the page's article.
//! - `body`: a value as a page.
//! - `records`: the records of an array as a page that lists them.
//! - [`place`]: the place of a value, as wrapper files have it.
//!
//! **Where JSON is.** Scripts of a JSON type (JSON-LD, the state of frameworks) and
//! literals of JavaScript that are assigned, handed to a function or returned
//! (`window.__STATE__ = {...}`, `JSON.parse("...")`); no framework is known by name. Keys
//! without quotes, single quotes, `void 0` and the like are read as well.
//!
//! **Which values.** A string of 25 words or more; or an array of which several strings are
//! sentences, unless most of its elements have a date or an address of their own: those are
//! comments or other articles.
//!
//! **Bounds.** 12 MB are read of a page's JSON, attempts that failed included, 48 levels
//! deep, and 20,000 strings.
//!
//! **Departures.** The papers look at elements only. Here the leaves of a JSON value have
//! paths as text nodes have them; `learn` ranks the paths by J·U as it does elements.

mod body;
mod leaf;
pub mod place;
mod reader;
mod records;
mod scripts;
#[cfg(test)]
mod tests;
mod value;

pub use records::{JsonRecordPlace, PageRecords};
pub use scripts::may_hold;
pub use value::{JsonValue, PageJson, may_outdo};
