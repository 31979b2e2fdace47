//! The drafts of all sites: the newest ones of this run with their pages, and those that outlive it in
//! the archive's folder.

use super::draft::{DraftBase, WrapperDraft};
use crate::error::Result;
use forest_archive::StoredDrafts;
use forest_harvest::SiteWork;
use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// Pages of a sample: as many as a wrapper is learned from, and two more.
const PAGES: usize = 12;

/// Drafts that are kept; older ones are forgotten.
const MAX_DRAFTS: usize = 40;

/// Samples whose drafts are kept: each has the pages of a site.
const MAX_SAMPLES: usize = 4;

/// The newest drafts of this run, with their pages; the newest first.
#[derive(Debug, Default)]
pub struct WrapperDrafts(Mutex<VecDeque<Arc<WrapperDraft>>>);

impl WrapperDrafts {
    /// Keeps a draft, and stores it in an archive's folder, with the one that it was made of.
    ///
    /// # Errors
    ///
    /// If they cannot be stored.
    pub(super) fn store(
        &self,
        dir: &Path,
        parent: &WrapperDraft,
        draft: WrapperDraft,
    ) -> Result<Arc<WrapperDraft>> {
        let both = [parent.to_stored(), draft.to_stored()];
        StoredDrafts::keep(dir, both.into_iter().flatten())?;
        Ok(self.keep(draft))
    }

    /// Keeps a draft; older ones go if they are too many, or of too many samples.
    pub(super) fn keep(&self, draft: WrapperDraft) -> Arc<WrapperDraft> {
        let draft = Arc::new(draft);
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push_front(Arc::clone(&draft));
        kept.truncate(MAX_DRAFTS);
        let mut bases: Vec<Arc<DraftBase>> = Vec::new();
        kept.retain(|draft| {
            let is_known = bases.iter().any(|base| Arc::ptr_eq(base, &draft.base));
            if !is_known && bases.len() < MAX_SAMPLES {
                bases.push(Arc::clone(&draft.base));
            }
            is_known || bases.iter().any(|base| Arc::ptr_eq(base, &draft.base))
        });
        draft
    }

    /// A site's draft with this name, of this run or stored by one before; `None` if the wrapper's
    /// file is another by now.
    ///
    /// # Errors
    ///
    /// If the archive or the file of drafts cannot be read.
    pub(super) fn named(
        &self,
        dir: &Path,
        site: &str,
        id: &str,
    ) -> Result<Option<Arc<WrapperDraft>>> {
        if let Some(known) = self.find(|draft| draft.id == id && draft.base.site == site) {
            return Ok(Some(known));
        }
        let Some(first) = self.first_of(dir, site)? else {
            return Ok(None);
        };
        if first.id == id {
            return Ok(Some(first));
        }
        let drafts = StoredDrafts::of(dir)?;
        let stored = drafts.find(site, id);
        let Some(stored) = stored.filter(|it| it.made_from.as_deref() == first.base.sha256())
        else {
            return Ok(None);
        };
        let restored = WrapperDraft::restored(Arc::clone(&first.base), stored)?;
        Ok(Some(self.keep(restored)))
    }

    /// The draft without a change that shows a site as it is now; `None` if the site has no page.
    ///
    /// # Errors
    ///
    /// If the archive cannot be read.
    pub(super) fn first_of(&self, dir: &Path, site: &str) -> Result<Option<Arc<WrapperDraft>>> {
        let work = SiteWork::of(dir, site, PAGES)?;
        if work.pages.is_empty() {
            return Ok(None);
        }
        let is_it = |draft: &WrapperDraft| draft.parent.is_none() && draft.base.is_of(site, &work);
        if let Some(known) = self.find(is_it) {
            return Ok(Some(known));
        }
        let base = Arc::new(DraftBase::of(site, work)?);
        Ok(Some(self.keep(WrapperDraft::first(base))))
    }

    fn find(&self, is_it: impl Fn(&WrapperDraft) -> bool) -> Option<Arc<WrapperDraft>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().find(|draft| is_it(draft)).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first_of(site: &str) -> WrapperDraft {
        let work = SiteWork {
            file: None,
            pages: Vec::new(),
            articles: 0,
        };
        WrapperDraft::first(Arc::new(DraftBase::of(site, work).expect("a base")))
    }

    #[test]
    fn drafts_are_bounded() {
        let drafts = WrapperDrafts::default();
        let first = drafts.keep(first_of("a"));
        let is_kept = |site: &str| drafts.find(|draft| draft.base.site == site).is_some();
        assert!(is_kept("a") && !is_kept("b"));
        for site in 0..MAX_SAMPLES {
            drafts.keep(first_of(&site.to_string()));
        }
        assert!(!is_kept("a"), "it was forgotten");
        let base = Arc::clone(&first.base);
        for _ in 0..2 * MAX_DRAFTS {
            drafts.keep(WrapperDraft::first(Arc::clone(&base)));
        }
        let kept = drafts.0.lock().expect("not poisoned").len();
        assert!(kept <= MAX_DRAFTS, "{kept}");
    }
}
