//! Wrappers to and from the rule files of other programs.
//!
//! Pure: text in, text out. An inner crate of `forest-wrappers`: its interface may change
//! with any version.
//!
//! | format | read | written | what it holds |
//! | --- | --- | --- | --- |
//! | [ftr-site-config](https://github.com/fivefilters/ftr-site-config) | [`from_ftr`] | [`to_ftr`] | XPath 1.0 of body, fields and strips; links to other pages, replacements, headers, tests |
//! | [crawl4ai](https://docs.crawl4ai.com/extraction/no-llm-strategies/) | [`from_crawl4ai`] | [`to_crawl4ai`] | a schema: XPath, or when read CSS, of body and fields |
//! | [fundus](https://github.com/flairNLP/fundus) | | [`to_fundus`] | a parser in Python: XPath of body, strips and fields |
//! | CSS | | [`to_css`] | a selector for each expression |
//! | [Miniflux](https://miniflux.app/docs/rules.html) | | [`to_miniflux`] | selectors of the body and of the strips |
//! | [FreshRSS](https://freshrss.github.io/FreshRSS/en/developers/OPML.html) | | [`to_freshrss`] | the same, as OPML |
//!
//! - `lists`: wrappers of lists, to and from FreshRSS's feeds of XPath and html2rss;
//!   `rss_bridge`: to and from addresses of RSS-Bridge.
//! - `ftr_read`, `links`, `crawl4ai_read`: the readers. A part that they left out or could
//!   not use is a [`Note`], with its line if the format has lines.
//! - `ftr_write`, `readers`, `fundus`, `crawl4ai_write`: the writers. An expression that a
//!   format cannot express is refused with the reason, or left out and named
//!   ([`UnsupportedPolicy`]). Nothing is approximated. A part without a place in the format
//!   is an [`Omission`].
//! - `omission`: parts without a place in a format. `unsupported`: expressions that a format
//!   cannot express.
//! - `rule_format`: the formats by name.
//! - [`reader_api`]: the interfaces of feed readers, over a network of the caller's.
//! - `templates`: several templates for a format that has one.
//!
//! **Departures** from ftr-site-config's own engine. That engine strips before it looks for
//! the body. Here strips are taken out of the selected body. The results differ only if a
//! body expression refers to a stripped element. Pages are parsed as browsers do,
//! whatever `tidy` and `parser` say. Nothing is guessed if no expression matches, whatever
//! `autodetect_on_failure` says.

mod crawl4ai_read;
mod crawl4ai_write;
pub mod error;
mod ftr_read;
mod ftr_write;
mod fundus;
mod links;
mod lists;
mod note;
mod omission;
pub mod reader_api;
mod readers;
mod rss_bridge;
mod rule_format;
mod templates;
#[cfg(test)]
mod tests;
mod unsupported;

pub use crawl4ai_read::{from_crawl4ai, site_of_schema};
pub use crawl4ai_write::to_crawl4ai;
pub use error::{Error, Result};
pub use ftr_read::{ImportedWrapper, from_ftr, site_of_file};
pub use ftr_write::{TEST_URLS, to_ftr};
pub use fundus::{fundus_module, to_fundus};
pub use lists::{ImportedList, list_from_html2rss, lists_from_freshrss};
pub use note::{Note, NoteKind};
pub use omission::{Exported, Omission};
pub use readers::{
    FRESHRSS_OPML_START, OPML_END, ReaderSettings, freshrss_settings, miniflux_settings, outline,
};
pub use readers::{to_css, to_freshrss, to_miniflux};
pub use rss_bridge::{is_of_rss_bridge, list_from_rss_bridge};
pub use rule_format::{RuleFormat, site_of_rules};
pub use unsupported::UnsupportedPolicy;
