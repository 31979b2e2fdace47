//! The advertisement remover (3.1).

use crate::filter::ads::AdList;
use crate::filter::edit::PageEdit;
use crate::filter::{Descent, FilterPhase, PageFilter};
use crate::page::NodeId;
use html5ever::LocalName;
use std::sync::Arc;

/// Removes each element whose `src`, `href` or `data` names a listed server.
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
        let is_link = |name| matches!(name, "src" | "href" | "data");
        let is_ad = |(_, name, link)| is_link(name) && self.ads.matches(link);
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
