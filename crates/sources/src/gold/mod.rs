//! Reading gold data: pages together with the text that an extractor should
//! give for them.
//!
//! Takes a folder, a *collection*, and gives its sites and pages:
//!
//! ```text
//! <collection>/<site>/<page>.html or .html.gz   the page's bytes
//! <collection>/<site>/<page>.json               its gold
//! <collection>/<site>/feed.xml                  the site's feed, if there is one
//! <collection>/<site>/site.json                 its list of pages, if there is one
//! ```
//!
//! A page without gold teaches but is not scored. A `.json` counts as gold if it
//! has `text` or `refs`; another one beside a page (with its `url` only) is no
//! gold. Pages are read when they are asked for, gold at once. Sites and pages
//! are in the order of their ids, `<site>/<page>`, byte by byte. `lists` reads collections of
//! pages that list articles.

mod collection;
pub mod lists;
mod read;
#[cfg(test)]
mod tests;

pub use collection::{Collection, Gold, GoldPage, GoldSite};

pub use read::MAX_FILE_BYTES;
pub use read::read;
