//! Icons of sites: the picture at the address at which browsers look for one without a word from the
//! page. Each is asked for once, when the site's first article comes.

use crate::error::Result;
use chrono::{DateTime, Utc};
use forest_archive::Archive;
use forest_html::address::is_web;
use std::collections::HashSet;
use url::Url;

/// Bytes of an icon at the most: a list of articles has fifty of them.
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
#[derive(Debug, Default)]
pub(super) struct AnsweredIcons {
    answered: HashSet<String>,
    /// The number of the last version whose site was looked at.
    looked: i64,
}

impl AnsweredIcons {
    /// The icons of the sites of versions from `since` on with a number above `after`, as far as
    /// they were not looked at, which the archive has not, and for which `may_be_asked` returns true.
    pub fn missing(
        &mut self,
        archive: &Archive,
        since: DateTime<Utc>,
        after: i64,
        may_be_asked: &dyn Fn(&Url) -> bool,
    ) -> Result<HashSet<String>> {
        let mut missing = HashSet::new();
        let pages = archive.pages_since(since, after.max(self.looked), ARTICLES)?;
        for (version, page) in pages {
            self.looked = version;
            let Some(icon) = icon_address(&page).filter(|icon| !self.answered.contains(icon))
            else {
                continue;
            };
            let may_be = Url::parse(&icon).is_ok_and(|url| may_be_asked(&url));
            if may_be && archive.requisite(&icon)?.is_none() && !archive.is_forgotten(&icon)? {
                missing.insert(icon);
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
