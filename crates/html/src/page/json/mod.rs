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
//! - `tie`: what ties a value to its page, and which are never its text.
//! - `value`: the values that may be a text, and that which is the page's article.
//! - `thread`: the places of posts.
//! - `posts`: the posts of a thread, one by one.
//! - `said`: strings that others say already.
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
//! comments or other articles; or the strings at one place of records of which most have an
//! author and no title of their own: the posts of a thread. Not code, and nothing whose keys
//! are those of navigation, notices, settings, comments or other pages.
//!
//! **Which of them is the page's.** That in an object with the page's headline, else with its
//! address or the name or number in it; else a JSON-LD `articleBody`; else the only one in an
//! object that says that it is an article ([`JsonTie`]).
//!
//! **Bounds.** 12 MB are read of a page's JSON, attempts that failed included, 48 levels
//! deep, and 20,000 strings.
//!
//! **Departures.** The papers look at elements only. Here the leaves of a JSON value have
//! paths as text nodes have them; `learn` ranks the paths by J·U as it does elements.

mod body;
mod leaf;
pub mod place;
mod posts;
mod reader;
mod records;
mod said;
mod scripts;
#[cfg(test)]
mod tests;
mod thread;
mod tie;
mod value;

pub use posts::JsonPost;
pub use records::{JsonRecordPlace, PageRecords};
pub use scripts::may_hold;
pub use tie::JsonTie;
pub use value::{JsonValue, PageJson, may_outdo};
