//! Icons of sites: the picture at the address at which browsers look for one without a word from the
//! page. Each is asked for once, when the site's first article comes.

use super::{GatherScope, GatherStep, Gathering, RequestedAddress, RequisiteRequest};
use crate::error::Result;
use forest_archive::{Archive, RequisiteKind};
use forest_fetch::Resource;
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
    let page = Url::parse(page).ok().filter(forest_html::address::is_web)?;
    page.join("/favicon.ico").ok().map(String::from)
}

/// The icons that were answered in this process, with a picture or not.
#[derive(Debug, Default)]
pub(super) struct AnsweredIcons {
    answered: HashSet<String>,
    /// The number of the last version whose site was looked at.
    after: i64,
}

impl AnsweredIcons {
    /// Takes note of an answer.
    pub fn answered(&mut self, url: &str) {
        if self.answered.len() >= MAX_ANSWERED {
            self.answered.clear();
        }
        self.answered.insert(url.to_owned());
    }
}

impl Gathering {
    /// Asks for the icons of sites whose first article came. `rests` returns true for a host in
    /// back-off.
    pub(super) fn ask_icons(
        &mut self,
        archive: &Archive,
        scope: GatherScope,
        rests: &dyn Fn(&Url) -> bool,
        next: &mut GatherStep,
    ) -> Result<()> {
        let after = self.icons.after.max(scope.after);
        for (version, page) in archive.pages_since(scope.since, after, ARTICLES)? {
            self.icons.after = version;
            let Some(url) = icon_address(&page) else {
                continue;
            };
            let is_resting = Url::parse(&url).is_ok_and(|url| rests(&url));
            let is_asked = self.requested.contains_key(&url) || self.icons.answered.contains(&url);
            if is_resting
                || is_asked
                || archive.requisite(&url)?.is_some()
                || archive.is_forgotten(&url)?
            {
                continue;
            }
            next.requests.push(RequisiteRequest {
                url: url.clone(),
                what: Resource::Picture,
                is_foreign: false,
            });
            let icon = RequestedAddress {
                kind: RequisiteKind::Picture,
                is_icon: true,
                feeds: Vec::new(),
                is_imported: false,
                by: Vec::new(),
            };
            self.requested.insert(url, icon);
        }
        Ok(())
    }
}
