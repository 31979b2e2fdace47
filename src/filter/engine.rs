//! The walk over a page, and portals.

use super::ads::AdList;
use super::contents::Contents;
use super::counts::FilterCount;
use super::edit::PageEdit;
use super::filtered::{FilterWarning, Filtered};
use super::filters;
use super::filters::blocks::BlockRemover;
use super::settings::{BlockMethod, FilterSettings};
use super::{Descent, PageFilter};
use crate::page::stream::PageStream;
use crate::page::view::{View, is_text};
use crate::page::walk;
use crate::page::{Kind, MAX_PAGE_BYTES, Mask, NodeId, Page, Scripting, Source};
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
        }
    }

    /// With one more filter, behind the others.
    pub fn with_filter(self, filter: impl PageFilter + 'static) -> FilterEngine {
        let mut filters = self.filters.to_vec();
        filters.push(Arc::new(filter));
        FilterEngine {
            filters: filters.into(),
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

    /// Filters a page.
    pub fn filter<'p>(&self, page: &'p Page) -> Filtered<'p> {
        let whole = PageEdit::new(&View::whole(page), &self.settings);
        let all = self.run(whole.clone(), |_| true);
        let share = self.settings.portal_share;
        if share > 0.0 && self.loses_nearly_all(&all, share) {
            let least = self.run(whole, |filter| filter.filters_portals());
            if self.is_portal(&all, &least, share) {
                return least.finish(self, Some(FilterWarning::Portal));
            }
        }
        all.finish(self, None)
    }

    /// True if a page may be a portal: a first look, by all that it had.
    fn loses_nearly_all(&self, all: &Run<'_>, share: f64) -> bool {
        let page = all.edit.page();
        let before = Contents::of_text(page.text(page.root()), false);
        let left = all.edit.contents_of(page.root());
        left.words(&self.settings) < share * before.words(&self.settings)
    }

    /// True if of the words that `least` leaves less than the share is left by `all` filters,
    /// and also by all filters of what `least` leaves: then filtering it again gives it again.
    fn is_portal(&self, all: &Run<'_>, least: &Run<'_>, share: f64) -> bool {
        let root = least.edit.page().root();
        let words = |run: &Run<'_>| run.edit.contents_of(root).words(&self.settings);
        let again = self.run(least.edit.clone(), |_| true);
        let least = share * words(least);
        words(all) < least && words(&again) < least
    }

    /// The texts that are left of what is there of a page's body.
    pub(super) fn texts_within(&self, view: &View<'_>) -> Mask {
        let page = view.page();
        let edit = PageEdit::new(view, &self.settings);
        let kept = self.run(edit, |_| true).edit.kept;
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
    fn run<'p>(&self, edit: PageEdit<'p>, takes: impl Fn(&dyn PageFilter) -> bool) -> Run<'p> {
        let mut run = Run {
            edit,
            counts: vec![0; self.filters.len() + 1],
            walks: 0,
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
            if !changed && is_whole && self.settings.blocks != BlockMethod::None {
                let remover = BlockRemover::of(self.settings.blocks, &run.edit);
                changed = run.walk(&[(self.filters.len(), &remover)], &self.settings);
            }
            if !changed {
                break;
            }
        }
        run
    }
}

/// A page that is being filtered.
#[derive(Debug)]
struct Run<'p> {
    edit: PageEdit<'p>,
    /// What each filter changed, by its place.
    counts: Vec<usize>,
    walks: usize,
}

impl<'p> Run<'p> {
    /// One walk over what is left; true if it changed something.
    fn walk(&mut self, filters: &[(usize, &dyn PageFilter)], settings: &FilterSettings) -> bool {
        self.walks += 1;
        self.edit.begin_walk();
        let before: usize = self.counts.iter().sum();
        let page = self.edit.page();
        let mut open: Vec<(NodeId, Contents)> = Vec::new();
        let mut at = page.root();
        let end = page.end(at);
        loop {
            while let Some((n, inside)) = open.pop_if(|(n, _)| page.end(*n) <= at || at >= end) {
                let counted = self.leave(n, inside, filters, settings);
                if let Some((_, above)) = open.last_mut() {
                    *above += counted;
                }
            }
            if at >= end {
                break;
            }
            let n = at;
            at = match self.enter(n, filters, settings) {
                Step::Into => {
                    open.push((n, Contents::default()));
                    NodeId(n.0 + 1)
                }
                Step::Over(counted) => {
                    if let Some((_, above)) = open.last_mut() {
                        *above += counted;
                    }
                    page.end(n)
                }
            };
        }
        self.counts.iter().sum::<usize>() > before
    }

    fn enter(
        &mut self,
        n: NodeId,
        filters: &[(usize, &dyn PageFilter)],
        settings: &FilterSettings,
    ) -> Step {
        if !self.edit.is_kept(n) {
            return Step::Over(Contents::default());
        }
        match self.edit.page().kind(n) {
            Kind::Document | Kind::Fragment => Step::Into,
            Kind::Element => self.element(n, filters, settings),
            Kind::Text => {
                self.each(filters, settings, |filter, edit| filter.text(n, edit));
                Step::Over(self.left_of(n))
            }
            Kind::Comment => {
                self.each(filters, settings, |filter, edit| {
                    filter.delete(n, edit);
                });
                Step::Over(Contents::default())
            }
            Kind::Doctype | Kind::Instruction => Step::Over(Contents::default()),
        }
    }

    fn element(
        &mut self,
        n: NodeId,
        filters: &[(usize, &dyn PageFilter)],
        settings: &FilterSettings,
    ) -> Step {
        let inside = self.edit.contents_before(n);
        self.edit.set_contents(inside);
        self.each(filters, settings, |filter, edit| filter.edit(n, edit));
        let mut descent = Descent::Children;
        self.each(filters, settings, |filter, edit| {
            if edit.is_kept(n) && filter.delete(n, edit) == Descent::Skip {
                descent = Descent::Skip;
            }
        });
        if !self.edit.is_kept(n) {
            return Step::Over(Contents::default());
        }
        if self.edit.replacement(n).is_some() {
            return Step::Over(self.edit.own(n, self.edit.is_in_link(n)));
        }
        if descent == Descent::Skip {
            return Step::Over(self.edit.contents_of(n));
        }
        self.edit.enter_link(n);
        Step::Into
    }

    /// Leaves a node with what is left in it; gives what it counts for its parent.
    fn leave(
        &mut self,
        n: NodeId,
        inside: Contents,
        filters: &[(usize, &dyn PageFilter)],
        settings: &FilterSettings,
    ) -> Contents {
        if self.edit.page().kind(n) != Kind::Element {
            return inside;
        }
        self.edit.set_contents(inside);
        self.each(filters, settings, |filter, edit| {
            if edit.is_kept(n) {
                filter.leave(n, edit);
            }
        });
        if !self.edit.is_kept(n) {
            return Contents::default();
        }
        self.edit.contents() + self.edit.own(n, self.edit.is_in_link(n))
    }

    fn left_of(&self, n: NodeId) -> Contents {
        if self.edit.is_kept(n) {
            self.edit.own(n, self.edit.is_in_link(n))
        } else {
            Contents::default()
        }
    }

    /// Calls each filter, and counts its changes.
    fn each(
        &mut self,
        filters: &[(usize, &dyn PageFilter)],
        settings: &FilterSettings,
        mut call: impl FnMut(&dyn PageFilter, &mut PageEdit<'p>),
    ) {
        for (at, filter) in filters {
            let before = self.edit.changes;
            self.edit.retains = settings.removed_links && filter.retains_links();
            call(*filter, &mut self.edit);
            self.counts[*at] += self.edit.changes - before;
        }
    }

    fn finish(self, engine: &FilterEngine, warning: Option<FilterWarning>) -> Filtered<'p> {
        let names = engine.filters.iter().map(|filter| filter.name());
        let names = names.chain(std::iter::once("blocks"));
        let counts = names.zip(&self.counts).filter(|(_, changes)| **changes > 0);
        let counts = counts.map(|(filter, &changes)| FilterCount { filter, changes });
        Filtered::new(self.edit, counts.collect(), warning, engine.clone())
    }
}

/// The next step of a walk.
enum Step {
    /// To the children.
    Into,
    /// Behind the node, which counts this.
    Over(Contents),
}
