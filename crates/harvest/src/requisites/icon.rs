//! Icons of sites: the picture at the address at which browsers look for one without a word from the
//! page. A process asks for each once, when an article of its site comes and the archive has none.

use crate::error::Result;
use forest_archive::Archive;
use forest_html::address::is_web;
use std::collections::{HashMap, HashSet};
use url::Url;

/// Bytes of an icon at the most: a list of articles has one of each of its sites.
pub(super) const MAX_BYTES: usize = 200_000;

/// Articles whose sites are looked at together.
const ARTICLES: usize = 1000;

/// Answers that are remembered: beyond that, all are forgotten.
const MAX_ANSWERED: usize = 20_000;

/// The address of the icon of the site of a page; `None` if that is no address of the web.
///
/// ```
/// let icon = forest_harvest::icon_address("https://example.org:8443/news/1?x=y");
/// assert_eq!(icon.as_deref(), Some("https://example.org:8443/favicon.ico"));
/// ```
pub fn icon_address(page: &str) -> Option<String> {
    let page = Url::parse(page).ok().filter(is_web)?;
    page.join("/favicon.ico").ok().map(String::from)
}

/// The icons that were answered in this process, with a picture or not.
#[derive(Debug)]
pub(super) struct AnsweredIcons {
    answered: HashSet<String>,
    /// The number of the last version whose site was looked at.
    looked: i64,
}

impl AnsweredIcons {
    /// None yet; the sites of versions with a number above `after` are looked at.
    pub fn new(after: i64) -> AnsweredIcons {
        AnsweredIcons {
            answered: HashSet::new(),
            looked: after,
        }
    }

    /// The icons of the sites of versions that came since the last look which the archive has not, and
    /// for which `may_be_asked` returns true; with the key of an article each.
    pub fn missing(
        &mut self,
        archive: &Archive,
        may_be_asked: &dyn Fn(&Url) -> bool,
    ) -> Result<HashMap<String, String>> {
        let mut missing = HashMap::new();
        for (version, key, page) in archive.versions_after(self.looked, ARTICLES)? {
            self.looked = version;
            let Some(icon) = icon_address(&page).filter(|icon| !self.answered.contains(icon))
            else {
                continue;
            };
            let may_be = Url::parse(&icon).is_ok_and(|url| may_be_asked(&url));
            if may_be && archive.requisite(&icon)?.is_none() && !archive.is_forgotten(&icon)? {
                missing.entry(icon).or_insert(key);
            }
        }
        Ok(missing)
    }

    /// Takes note of an answer.
    pub fn answered(&mut self, icon: &str) {
        if self.answered.len() >= MAX_ANSWERED {
            self.answered.clear();
        }
        self.answered.insert(icon.to_owned());
    }
}
