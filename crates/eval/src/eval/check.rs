//! Wrappers on pages: of their sites, with the words of their feed, or with gold beside them.

use super::metrics::GoldTexts;
use crate::error::{Error, Result};
use forest_core::drift::{PageObservation, WrapperReport, observe, report, unread};
use forest_core::extract::Extractor;
use forest_core::wrapper::names::names_of;
use forest_html::address::site_of;
use forest_html::error::CRASHED;
use forest_sources::sources::{FoundPage, PageLocation, PageRef, PageRefs, Sources, gold_of, load};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A wrapper with the observations on its pages.
pub struct CheckedWrapper {
    extractor: Extractor,
    /// Pages of its site.
    own: Vec<PageObservation>,
    /// Other pages, which count if there are no own ones.
    others: Vec<PageObservation>,
}

impl CheckedWrapper {
    /// A wrapper without pages.
    pub fn new(extractor: Extractor) -> CheckedWrapper {
        CheckedWrapper {
            extractor,
            own: Vec::new(),
            others: Vec::new(),
        }
    }

    /// The name of its site.
    pub fn site(&self) -> &str {
        &self.extractor.wrapper().site
    }

    /// The report on its pages; `None` without a page.
    pub fn report(mut self) -> Option<WrapperReport> {
        if self.own.is_empty() {
            self.own.append(&mut self.others);
        }
        let (wrapper, matcher) = (self.extractor.wrapper(), self.extractor.matcher());
        (!self.own.is_empty()).then(|| report(wrapper, matcher, &self.own))
    }
}

/// Checks pages with the wrappers of their sites; returns the number of pages of other
/// sites.
///
/// # Errors
///
/// If the network cannot be used.
pub fn check_pages(
    cases: &mut [CheckedWrapper],
    pages: PageRefs,
    sources: &Sources,
    on_page: &dyn Fn(),
) -> Result<usize> {
    let (mut checked, mut strays) = (Vec::new(), 0);
    let (shared, limit) = (&*cases, sources.page_limit());
    let check = |_, page| one(shared, page, limit);
    sources.for_each_page(pages, check, |page| {
        on_page();
        checked.push(page);
        Ok::<_, Error>(())
    })?;
    for page in checked {
        match page.case {
            Some(at) if page.own => cases[at].own.push(page.seen),
            Some(at) => cases[at].others.push(page.seen),
            None => strays += 1,
        }
    }
    Ok(strays)
}

/// A page that was checked.
struct CheckedPage {
    /// Its wrapper.
    case: Option<usize>,
    /// True if it is of that wrapper's site.
    own: bool,
    seen: PageObservation,
}

fn one(cases: &[CheckedWrapper], page: FoundPage, limit: usize) -> CheckedPage {
    let alone = (cases.len() == 1).then_some(0);
    let looked = |of_site: Option<usize>, seen| CheckedPage {
        case: of_site.or(alone),
        own: of_site.is_some(),
        seen,
    };
    let folder = page.as_ref().ok().and_then(|page| page.folder.clone());
    let gold = match &page {
        Ok(PageRef {
            location: PageLocation::File(path),
            ..
        }) => gold_of(path),
        _ => None,
    };
    let loaded = match load(page, limit) {
        Ok(loaded) => loaded,
        Err(error) => {
            let at = of_site(cases, error.url.as_deref(), folder.as_deref());
            return looked(at, unread(&error.id, &error.reason));
        }
    };
    let at = of_site(cases, loaded.content.url.as_deref(), folder.as_deref());
    let Some(case) = at.or(alone) else {
        return looked(None, unread(&loaded.id, "of no wrapper's site"));
    };
    let extractor = &cases[case].extractor;
    let item = loaded.item.as_ref();
    let item = item.and_then(|item| item.text());
    let seen = catch_unwind(AssertUnwindSafe(|| {
        let page = loaded.parse_for(extractor);
        observe(
            extractor,
            &loaded.id,
            &(&page).into(),
            item.as_deref(),
            |text| {
                let mut gold = GoldTexts::new(gold.as_ref()?.iter().map(String::as_str));
                Some(gold.score(&loaded.id, text).two_gram.f1)
            },
        )
    }));
    let crashed = |_| unread(&loaded.id, CRASHED);
    looked(at, seen.unwrap_or_else(crashed))
}

/// The wrapper of a page's host, else of its folder.
fn of_site(cases: &[CheckedWrapper], url: Option<&str>, folder: Option<&str>) -> Option<usize> {
    let host = site_of(url);
    let names = host.iter().flat_map(|host| names_of(host));
    let mut names = names.chain(folder.map(str::to_owned));
    names.find_map(|name| {
        let site = |case: &CheckedWrapper| case.extractor.wrapper().site == name;
        cases.iter().position(site)
    })
}
