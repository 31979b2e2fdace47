//! The advertisement remover (3.1).

#[cfg(feature = "adblock")]
use crate::filter::ad_rules::is_top;
use crate::filter::ads::AdList;
use crate::filter::edit::PageEdit;
use crate::filter::names::is_link_attribute;
use crate::filter::{Descent, FilterPhase, PageFilter};
use forest_html::page::NodeId;
use html5ever::LocalName;
use std::sync::Arc;

/// Removes each element whose `src`, `href` or `data` names a listed server. With rules, it
/// judges all elements of a page at its top: exceptions and hidden elements need the page.
#[derive(Debug)]
pub(super) struct AdRemover {
    ads: Arc<AdList>,
    retains: bool,
}

impl AdRemover {
    pub fn new(ads: Arc<AdList>, retains: bool) -> AdRemover {
        AdRemover { ads, retains }
    }
}

impl PageFilter for AdRemover {
    fn name(&self) -> &'static str {
        "ads"
    }

    fn wants(&self, phase: FilterPhase, name: Option<&LocalName>) -> bool {
        phase == FilterPhase::Delete && name.is_some()
    }

    fn delete(&self, n: NodeId, page: &mut PageEdit<'_>) -> Descent {
        #[cfg(feature = "adblock")]
        if let Some(rules) = self.ads.rules() {
            if is_top(n, page) {
                let blocked = rules.blocked(page, |link| self.ads.matches(link));
                blocked.into_iter().for_each(|n| page.delete(n));
            }
            return Descent::Children;
        }
        let is_ad = |(_, name, link)| is_link_attribute(name) && self.ads.matches(link);
        if page.attrs(n).any(is_ad) {
            page.delete(n);
        }
        Descent::Children
    }

    fn retains_links(&self) -> bool {
        self.retains
    }

    fn filters_portals(&self) -> bool {
        true
    }
}
