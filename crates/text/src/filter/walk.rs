//! The walk over a page (4.2).

use super::contents::Contents;
use super::edit::PageEdit;
use super::table::{FilterTable, NAMELESS};
use super::{Descent, FilterPhase, PageFilter};
use forest_html::page::{Kind, NodeId};

/// A page that is being filtered.
#[derive(Debug, Clone)]
pub(super) struct FilterRun<'p> {
    pub edit: PageEdit<'p>,
    /// The number of changes of each filter, by its place.
    pub counts: Vec<usize>,
    pub walks: usize,
    /// The contents of the page before the first walk.
    pub before: Contents,
    /// The contents of the page after the last walk.
    pub left: Contents,
}

/// An element that the walk is in.
struct EnteredElement {
    node: NodeId,
    end: NodeId,
    /// Its row in the table of filters.
    row: usize,
    /// The count of what was left in it so far.
    inside: Contents,
}

impl<'p> FilterRun<'p> {
    /// A run of some filters, of which none was called.
    pub fn new(mut edit: PageEdit<'p>, filters: usize, lists_links: bool) -> FilterRun<'p> {
        let mut before = Contents::default();
        if lists_links {
            before = edit.take_listed_links();
        }
        FilterRun {
            edit,
            counts: vec![0; filters],
            walks: 0,
            before,
            left: Contents::default(),
        }
    }

    /// One walk over what is left; true if it changed something.
    pub fn walk(&mut self, filters: &mut FilterTable<'_>) -> bool {
        let counted = self.edit.begin_walk();
        if self.walks == 0 {
            self.before += counted;
        }
        self.walks += 1;
        self.left = Contents::default();
        let changes_before: usize = self.counts.iter().sum();
        let page = self.edit.page();
        let mut open: Vec<EnteredElement> = Vec::new();
        let mut at = page.root();
        let end = page.end(at);
        loop {
            while let Some(element) = open.pop_if(|element| element.end <= at) {
                let counted = self.leave(&element, filters);
                *self.sum_in(&mut open) += counted;
            }
            if at >= end {
                break;
            }
            let n = at;
            at = match self.enter(n, filters) {
                WalkStep::Into(row) => {
                    open.push(EnteredElement {
                        node: n,
                        end: page.end(n),
                        row,
                        inside: Contents::default(),
                    });
                    NodeId(n.0 + 1)
                }
                WalkStep::Over(counted) => {
                    *self.sum_in(&mut open) += counted;
                    page.end(n)
                }
            };
        }
        self.counts.iter().sum::<usize>() > changes_before
    }

    /// The sum of the innermost open element, or of the page.
    fn sum_in<'a>(&'a mut self, open: &'a mut [EnteredElement]) -> &'a mut Contents {
        match open.last_mut() {
            Some(element) => &mut element.inside,
            None => &mut self.left,
        }
    }

    fn enter(&mut self, n: NodeId, filters: &mut FilterTable<'_>) -> WalkStep {
        if !self.edit.is_kept(n) {
            return WalkStep::Over(Contents::default());
        }
        match self.edit.page().kind(n) {
            Kind::Document | Kind::Fragment => WalkStep::Into(NAMELESS),
            Kind::Element => self.element(n, filters),
            Kind::Text => {
                self.each(filters, NAMELESS, FilterPhase::Text, |filter, edit| {
                    filter.text(n, edit);
                });
                WalkStep::Over(self.left_of(n))
            }
            Kind::Comment => {
                self.each(filters, NAMELESS, FilterPhase::Delete, |filter, edit| {
                    filter.delete(n, edit);
                });
                WalkStep::Over(Contents::default())
            }
            Kind::Doctype | Kind::Instruction => WalkStep::Over(Contents::default()),
        }
    }

    fn element(&mut self, n: NodeId, filters: &mut FilterTable<'_>) -> WalkStep {
        let name = self.edit.page().name(n).expect("an element has a name");
        let row = filters.row_of(&name.local);
        self.edit.set_contents(self.edit.contents_before(n));
        self.each(filters, row, FilterPhase::Edit, |filter, edit| {
            filter.edit(n, edit);
        });
        let mut descent = Descent::Children;
        self.each(filters, row, FilterPhase::Delete, |filter, edit| {
            if edit.is_kept(n) && filter.delete(n, edit) == Descent::Skip {
                descent = Descent::Skip;
            }
        });
        if !self.edit.is_kept(n) {
            return WalkStep::Over(Contents::default());
        }
        if self.edit.replacement(n).is_some() {
            return WalkStep::Over(self.edit.own_left(n));
        }
        if descent == Descent::Skip {
            return WalkStep::Over(self.edit.contents_of(n));
        }
        self.edit.enter_link(n);
        WalkStep::Into(row)
    }

    /// Leaves a node with what is left in it; gives what it counts for its parent.
    fn leave(&mut self, element: &EnteredElement, filters: &FilterTable<'_>) -> Contents {
        let n = element.node;
        if self.edit.page().kind(n) != Kind::Element {
            return element.inside;
        }
        self.edit.set_contents(element.inside);
        self.each(filters, element.row, FilterPhase::Leave, |filter, edit| {
            if edit.is_kept(n) {
                filter.leave(n, edit);
            }
        });
        if !self.edit.is_kept(n) {
            return Contents::default();
        }
        self.edit.contents() + self.edit.own_left(n)
    }

    fn left_of(&self, n: NodeId) -> Contents {
        if self.edit.is_kept(n) {
            self.edit.own_left(n)
        } else {
            Contents::default()
        }
    }

    /// Calls each filter that wants it, and counts its changes.
    fn each(
        &mut self,
        filters: &FilterTable<'_>,
        row: usize,
        phase: FilterPhase,
        mut call: impl FnMut(&dyn PageFilter, &mut PageEdit<'p>),
    ) {
        for entry in filters.wanting(row, phase) {
            let before = self.edit.changes;
            self.edit.retains = entry.retains;
            call(entry.filter, &mut self.edit);
            self.counts[entry.place] += self.edit.changes - before;
        }
    }
}

/// The next step of a walk.
enum WalkStep {
    /// To the children of a node with this row in the table of filters.
    Into(usize),
    /// Behind the node, which counts this.
    Over(Contents),
}
