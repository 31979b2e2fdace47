//! The formats that wrappers are written in, by name.

use super::crawl4ai_read::site_of_schema;
use super::ftr_read::site_of_file;
use super::lists::{ExportedList, list_to_html2rss, lists_to_freshrss};
use super::rss_bridge::lists_to_rss_bridge;
use super::{
    Exported, UnsupportedPolicy, fundus_module, to_crawl4ai, to_css, to_freshrss, to_ftr,
    to_fundus, to_miniflux,
};
use crate::error::Result;
use forest_core::wrapper::Wrapper;
use forest_core::wrapper::list::ListWrapper;
use forest_html::address::bare_host;

/// A format of other programs' rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleFormat {
    Ftr,
    Miniflux,
    Freshrss,
    Css,
    Fundus,
    Crawl4ai,
    Html2rss,
    RssBridge,
}

impl RuleFormat {
    /// All of them.
    pub const ALL: [RuleFormat; 8] = [
        RuleFormat::Ftr,
        RuleFormat::Miniflux,
        RuleFormat::Freshrss,
        RuleFormat::Css,
        RuleFormat::Fundus,
        RuleFormat::Crawl4ai,
        RuleFormat::Html2rss,
        RuleFormat::RssBridge,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            RuleFormat::Ftr => "ftr",
            RuleFormat::Miniflux => "miniflux",
            RuleFormat::Freshrss => "freshrss",
            RuleFormat::Css => "css",
            RuleFormat::Fundus => "fundus",
            RuleFormat::Crawl4ai => "crawl4ai",
            RuleFormat::Html2rss => "html2rss",
            RuleFormat::RssBridge => "rss-bridge",
        }
    }

    /// True if a file holds one wrapper.
    pub fn is_a_file_a_wrapper(self) -> bool {
        matches!(self, RuleFormat::Ftr | RuleFormat::Fundus)
    }

    /// True if the format is one of lists alone.
    pub fn is_of_lists(self) -> bool {
        matches!(self, RuleFormat::Html2rss | RuleFormat::RssBridge)
    }

    /// The name that other programs look for: the host without `www.`, with the dot of all hosts
    /// below; a name that Python can import. It may have characters that no file has.
    pub fn file_name(self, site: &str) -> String {
        let end = match self {
            RuleFormat::Fundus => return format!("{}.py", fundus_module(site)),
            RuleFormat::Ftr => "txt",
            RuleFormat::Freshrss => "opml",
            RuleFormat::Html2rss => "yml",
            RuleFormat::RssBridge => "url",
            _ => "json",
        };
        format!("{}.{end}", bare_host(site))
    }

    /// The wrappers in the format: one, or all for a format with one file for all.
    ///
    /// # Errors
    ///
    /// If the format has no place for an expression, and the policy does not leave it out.
    pub fn written(self, wrappers: &[Wrapper], policy: UnsupportedPolicy) -> Result<Exported> {
        match (self, wrappers) {
            (RuleFormat::Ftr, [wrapper]) => to_ftr(wrapper, policy),
            (RuleFormat::Miniflux, [wrapper]) => to_miniflux(wrapper, policy),
            (RuleFormat::Css, [wrapper]) => to_css(wrapper, policy),
            (RuleFormat::Fundus, [wrapper]) => to_fundus(wrapper, policy),
            (RuleFormat::Crawl4ai, [wrapper]) => to_crawl4ai(wrapper, policy),
            _ => to_freshrss(wrappers, policy),
        }
    }

    /// The wrappers of lists in the format, a file each or one for all; `None` if it has none.
    ///
    /// # Errors
    ///
    /// If a list cannot be said in it.
    pub fn written_lists(self, lists: &[ListWrapper]) -> Result<Option<Vec<ExportedList>>> {
        match self {
            RuleFormat::Freshrss => Ok(Some(vec![lists_to_freshrss(lists)])),
            RuleFormat::RssBridge => Ok(Some(vec![lists_to_rss_bridge(lists)])),
            RuleFormat::Html2rss => {
                let each: Result<Vec<_>> = lists.iter().map(list_to_html2rss).collect();
                each.map(Some)
            }
            _ => Ok(None),
        }
    }
}

/// The site of a file of rules by its name, ftr-site-config's or a schema of crawl4ai (`.json`), or
/// by the schema's own name: its file may have any.
pub fn site_of_rules(file: &str, bytes: &[u8]) -> Option<String> {
    let Some(stem) = file.strip_suffix(".json") else {
        return site_of_file(file);
    };
    let by_file = || site_of_file(stem).filter(|site| site.contains('.'));
    site_of_schema(bytes).or_else(by_file)
}
