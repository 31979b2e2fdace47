//! The walk over a page (4.2).

use super::contents::Contents;
use super::edit::PageEdit;
use super::settings::FilterSettings;
use super::{Descent, PageFilter};
use crate::page::{Kind, NodeId};

/// A page that is being filtered.
#[derive(Debug)]
pub(super) struct FilterRun<'p> {
    pub edit: PageEdit<'p>,
    /// The number of changes of each filter, by its place.
    pub counts: Vec<usize>,
    pub walks: usize,
    /// The last walk changed nothing.
    pub is_settled: bool,
}

impl<'p> FilterRun<'p> {
    /// Characters without white space of the text that is left, linked or not.
    pub fn characters_left(&self) -> f64 {
        let left = self.edit.contents_of(self.edit.page().root());
        f64::from(left.characters)
    }

    /// One walk over what is left; true if it changed something.
    pub fn walk(
        &mut self,
        filters: &[(usize, &dyn PageFilter)],
        settings: &FilterSettings,
    ) -> bool {
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
                WalkStep::Into => {
                    open.push((n, Contents::default()));
                    NodeId(n.0 + 1)
                }
                WalkStep::Over(counted) => {
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
    ) -> WalkStep {
        if !self.edit.is_kept(n) {
            return WalkStep::Over(Contents::default());
        }
        match self.edit.page().kind(n) {
            Kind::Document | Kind::Fragment => WalkStep::Into,
            Kind::Element => self.element(n, filters, settings),
            Kind::Text => {
                self.each(filters, settings, |filter, edit| filter.text(n, edit));
                WalkStep::Over(self.left_of(n))
            }
            Kind::Comment => {
                self.each(filters, settings, |filter, edit| {
                    filter.delete(n, edit);
                });
                WalkStep::Over(Contents::default())
            }
            Kind::Doctype | Kind::Instruction => WalkStep::Over(Contents::default()),
        }
    }

    fn element(
        &mut self,
        n: NodeId,
        filters: &[(usize, &dyn PageFilter)],
        settings: &FilterSettings,
    ) -> WalkStep {
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
            return WalkStep::Over(Contents::default());
        }
        if self.edit.replacement(n).is_some() {
            return WalkStep::Over(self.edit.own(n, self.edit.is_in_link(n)));
        }
        if descent == Descent::Skip {
            return WalkStep::Over(self.edit.contents_of(n));
        }
        self.edit.enter_link(n);
        WalkStep::Into
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
}

/// The next step of a walk.
enum WalkStep {
    /// To the children.
    Into,
    /// Behind the node, which counts this.
    Over(Contents),
}
