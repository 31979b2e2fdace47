//! The filters that are on, and portals.

use super::PageFilter;
use super::ads::AdList;
use super::counts::FilterCount;
use super::edit::PageEdit;
use super::filters;
use super::filters::blocks::BlockRemover;
use super::settings::{BlockMethod, FilterSettings};
use super::table::{FilterTable, WalkFilter};
use super::walk::FilterRun;
use super::warning::FilterWarning;
use forest_html::page::stream::PageStream;
use forest_html::page::view::{View, is_text};
use forest_html::page::{MAX_PAGE_BYTES, Mask, NodeId, Page, Scripting, Source, walk};
use std::sync::Arc;

/// Walks over a page at the most, where statistical filters or those of others may need more
/// than one.
const MAX_WALKS: usize = 8;

/// Settings made ready: the filters that are on, in their order. Cheap to clone.
///
/// ```
/// use forest_text::filter::{FilterEngine, Profile};
/// use forest_html::page::Source;
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

    /// True if one walk does all that many would do.
    ///
    /// The filters of the stage look at three things. Tags and the attributes that the walk
    /// left stay as they are once the walk has passed. The link that an element stands in was
    /// entered before it. And what is left in an element when the walk leaves it is what a
    /// second walk would count in it, as no filter changes anything outside of the element it
    /// is called for; by this count cells, blocks and tables were judged on the way up. A
    /// statistical method looks at the page as a whole, and the filters of others at anything.
    fn is_settled_by_one_walk(&self) -> bool {
        self.promises_fixed_point() && !self.has_own_filter
    }

    /// True if filtering twice is filtering once.
    pub(super) fn promises_fixed_point(&self) -> bool {
        self.settings.repeat && self.settings.blocks == BlockMethod::None
    }

    /// Parses a page as these settings need it: without scripting where scripts are removed,
    /// so that the contents of `noscript` are elements.
    pub fn parse(&self, bytes: &[u8], source: Source<'_>) -> Page {
        self.parse_within(bytes, source, MAX_PAGE_BYTES)
    }

    /// [`parse`](Self::parse) with at most `limit` bytes read.
    pub fn parse_within(&self, bytes: &[u8], source: Source<'_>, limit: usize) -> Page {
        Page::parse_for(self.browser(), bytes, source, limit)
    }

    /// [`parse`](Self::parse) of a page whose bytes are still to come.
    pub fn stream(&self, url: String, content_type: Option<String>) -> PageStream {
        PageStream::new(Some(url), content_type, self.browser())
    }

    fn browser(&self) -> Scripting {
        if self.settings.scripts {
            Scripting::Off
        } else {
            Scripting::On
        }
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
        let all = self.run(PageEdit::new(view, &self.settings), |_| true);
        let share = self.settings.portal_share;
        // A first look, by all characters that are shown.
        if f64::from(all.left.characters) < share * f64::from(all.before.characters) {
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
        let bound = share * f64::from(least.left.characters);
        let is_below = |run: &FilterRun<'_>| f64::from(run.left.characters) < bound;
        is_below(all) && is_below(&again)
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
        let mut run = FilterRun::new(edit, self.filters.len() + 1, self.settings.removed_links);
        let filters: Vec<WalkFilter<'_>> = { self.filters.iter().enumerate() }
            .filter(|(_, filter)| takes(&***filter))
            .map(|(place, filter)| self.in_walk(place, &**filter))
            .collect();
        let is_whole = filters.len() == self.filters.len();
        let judges_blocks = is_whole && self.settings.blocks != BlockMethod::None;
        let mut filters = FilterTable::new(filters);
        let repeats = self.settings.repeat && !self.is_settled_by_one_walk();
        let most = if repeats { MAX_WALKS } else { 1 };
        while run.walks < most {
            let mut changed = run.walk(&mut filters);
            if judges_blocks && (!changed || !self.settings.repeat) {
                let remover = BlockRemover::of(self.settings.blocks, &run.edit);
                let remover = self.in_walk(self.filters.len(), &remover);
                changed = run.walk(&mut FilterTable::new(vec![remover]));
            }
            if !changed {
                break;
            }
        }
        debug_assert!(
            !self.is_settled_by_one_walk() || !run.clone().walk(&mut filters),
            "a second walk changes something"
        );
        run
    }

    /// A filter as a walk calls it.
    fn in_walk<'f>(&self, place: usize, filter: &'f dyn PageFilter) -> WalkFilter<'f> {
        WalkFilter {
            place,
            filter,
            retains: self.settings.removed_links && filter.retains_links(),
        }
    }
}
