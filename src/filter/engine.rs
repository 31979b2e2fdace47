//! The filters that are on, and portals.

use super::PageFilter;
use super::ads::AdList;
use super::counts::FilterCount;
use super::edit::PageEdit;
use super::filters;
use super::filters::blocks::BlockRemover;
use super::settings::{BlockMethod, FilterSettings};
use super::walk::FilterRun;
use super::warning::FilterWarning;
use crate::page::stream::PageStream;
use crate::page::view::{View, is_text};
use crate::page::{MAX_PAGE_BYTES, Mask, NodeId, Page, Scripting, Source, walk};
use std::sync::Arc;

/// Walks over a page at the most. The filters of the stage need two, statistical ones may
/// need more.
const MAX_WALKS: usize = 8;

/// Settings made ready: the filters that are on, in their order. Cheap to clone.
///
/// ```
/// use forest::filter::{FilterEngine, Profile};
/// use forest::page::Source;
///
/// let engine = FilterEngine::new(Profile::Speech.settings());
/// let page = engine.parse(b"<p>A cat: <img src=cat.png alt='black and white'>", Source::default());
/// assert_eq!(engine.filter(&page).text(), "A cat: black and white\n");
/// ```
#[derive(Debug, Clone)]
pub struct FilterEngine {
    settings: Arc<FilterSettings>,
    filters: Arc<[Arc<dyn PageFilter>]>,
    has_own_filter: bool,
}

impl FilterEngine {
    /// The filters that are on, with the list of advertisement servers that comes with the
    /// program.
    pub fn new(settings: FilterSettings) -> FilterEngine {
        FilterEngine::with_ads(settings, AdList::shipped())
    }

    /// The filters that are on, with a list of advertisements.
    pub fn with_ads(settings: FilterSettings, ads: Arc<AdList>) -> FilterEngine {
        FilterEngine {
            filters: filters::of(&settings, ads).into(),
            settings: Arc::new(settings),
            has_own_filter: false,
        }
    }

    /// With one more filter, behind the others.
    pub fn with_filter(self, filter: impl PageFilter + 'static) -> FilterEngine {
        let mut filters = self.filters.to_vec();
        filters.push(Arc::new(filter));
        FilterEngine {
            filters: filters.into(),
            has_own_filter: true,
            ..self
        }
    }

    /// The settings.
    pub fn settings(&self) -> &FilterSettings {
        &self.settings
    }

    /// The filters in the order in which they come at each node.
    pub fn filters(&self) -> &[Arc<dyn PageFilter>] {
        &self.filters
    }

    /// True if a filter was added to those of the stage.
    pub(super) fn has_own_filter(&self) -> bool {
        self.has_own_filter
    }

    /// Parses a page as these settings need it: without scripting where scripts are removed,
    /// so that the contents of `noscript` are elements.
    pub fn parse(&self, bytes: &[u8], source: Source<'_>) -> Page {
        self.parse_within(bytes, source, MAX_PAGE_BYTES)
    }

    /// [`parse`](Self::parse) with at most `limit` bytes read.
    pub fn parse_within(&self, bytes: &[u8], source: Source<'_>, limit: usize) -> Page {
        if self.settings.scripts {
            Page::parse_without_scripts(bytes, source, limit)
        } else {
            Page::parse_within(bytes, source, limit, |text| text)
        }
    }

    /// [`parse`](Self::parse) of a page whose bytes are still to come.
    pub(crate) fn stream(&self, url: String, content_type: Option<String>) -> PageStream {
        let scripting = if self.settings.scripts {
            Scripting::Off
        } else {
            Scripting::On
        };
        PageStream::new(Some(url), content_type, scripting)
    }

    /// The changes of a run, by filter.
    pub(super) fn counts(&self, run: &FilterRun<'_>) -> Vec<FilterCount> {
        let names = self.filters.iter().map(|filter| filter.name());
        let names = names.chain(std::iter::once("blocks"));
        let counts = names.zip(&run.counts).filter(|(_, changes)| **changes > 0);
        counts
            .map(|(filter, &changes)| FilterCount { filter, changes })
            .collect()
    }

    /// Filters what is there of a page: a portal by the filters of portals alone.
    pub(super) fn run_on<'p>(&self, view: &View<'p>) -> (FilterRun<'p>, Option<FilterWarning>) {
        let whole = PageEdit::new(view, &self.settings);
        let before = whole.contents_of(view.page().root()).characters;
        let all = self.run(whole, |_| true);
        let share = self.settings.portal_share;
        // A first look, by all characters that are shown.
        if all.characters_left() < share * f64::from(before) {
            let least = self.run_as_portal(view);
            if self.is_portal(&all, &least, share) {
                return (least, Some(FilterWarning::Portal));
            }
        }
        (all, None)
    }

    /// Filters what is there of a page by the filters of portals.
    pub(super) fn run_as_portal<'p>(&self, view: &View<'p>) -> FilterRun<'p> {
        let whole = PageEdit::new(view, &self.settings);
        self.run(whole, |filter| filter.filters_portals())
    }

    /// True if of the text that `least` leaves less than the share is left by `all` filters,
    /// and also by all filters of what `least` leaves: then filtering it again gives it again.
    fn is_portal(&self, all: &FilterRun<'_>, least: &FilterRun<'_>, share: f64) -> bool {
        let again = self.run(least.edit.clone(), |_| true);
        let bound = share * least.characters_left();
        all.characters_left() < bound && again.characters_left() < bound
    }

    /// The texts that are left of what is there of a page's body.
    pub(super) fn texts_within(&self, view: &View<'_>) -> Mask {
        let page = view.page();
        let kept = self.run_on(view).0.edit.kept;
        let Some(body) = page.body() else {
            return Mask::none(page);
        };
        let texts: Vec<NodeId> = page
            .subtree(body)
            .filter(|&n| kept.contains(n) && is_text(page, n))
            .collect();
        walk::mask_of(page, &texts)
    }

    /// Filters what is left of a page by the filters that `takes` takes.
    fn run<'p>(
        &self,
        edit: PageEdit<'p>,
        takes: impl Fn(&dyn PageFilter) -> bool,
    ) -> FilterRun<'p> {
        let mut run = FilterRun {
            edit,
            counts: vec![0; self.filters.len() + 1],
            walks: 0,
            is_settled: false,
        };
        if self.settings.removed_links {
            run.edit.take_listed_links();
        }
        let filters: Vec<(usize, &dyn PageFilter)> = { self.filters.iter() }
            .map(|filter| &**filter)
            .enumerate()
            .filter(|(_, filter)| takes(*filter))
            .collect();
        let is_whole = filters.len() == self.filters.len();
        let most = if self.settings.repeat { MAX_WALKS } else { 1 };
        while run.walks < most {
            let mut changed = run.walk(&filters, &self.settings);
            if (!changed || !self.settings.repeat)
                && is_whole
                && self.settings.blocks != BlockMethod::None
            {
                let remover = BlockRemover::of(self.settings.blocks, &run.edit);
                changed = run.walk(&[(self.filters.len(), &remover)], &self.settings);
            }
            run.is_settled = !changed;
            if run.is_settled {
                break;
            }
        }
        run
    }
}
