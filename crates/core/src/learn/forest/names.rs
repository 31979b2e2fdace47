//! The expressions that select an element by names that are likely to last.

use super::selectors::{SelectorId, SelectorTable};
use forest_html::page::{NodeId, Page};

/// Ancestors of an element whose names are looked at.
const ANCESTORS: usize = 12;

/// Expressions of an element at the most.
const MAX_EXPRESSIONS: usize = 150;

/// The names of the elements of a sample.
#[derive(Debug)]
pub struct SampleNames(SelectorTable);

impl SampleNames {
    /// The names on these pages.
    pub fn of<'p>(pages: impl Iterator<Item = &'p Page>) -> SampleNames {
        let mut table = SelectorTable::default();
        for page in pages {
            for n in page.elements() {
                table.of(page, n);
            }
        }
        table.mark_running();
        SampleNames(table)
    }

    /// Expressions that select an element: by its own name, then by its tag or name inside of
    /// an ancestor with a name. Names with a number that runs are left out.
    pub fn expressions(&mut self, page: &Page, n: NodeId) -> Vec<String> {
        let own = self.lasting(page, n);
        let ancestors = page.ancestors(n).skip(1).take(ANCESTORS);
        let around = ancestors.flat_map(|up| self.lasting(page, up));
        let around: Vec<SelectorId> = around.collect();
        let is_named = |selector: &&SelectorId| self.0[**selector].is_named();
        let alone = own.iter().filter(is_named);
        let alone = alone.map(|&selector| format!("//{}", self.0[selector]));
        let inside = own.iter().flat_map(|&last| {
            let within = around.iter().filter(is_named);
            within.map(move |&within| (within, last))
        });
        let inside = inside.map(|(within, last)| format!("//{}//{}", self.0[within], self.0[last]));
        alone.chain(inside).take(MAX_EXPRESSIONS).collect()
    }

    fn lasting(&mut self, page: &Page, n: NodeId) -> Vec<SelectorId> {
        let own = self.0.of(page, n).all;
        let own = own.iter().copied();
        own.filter(|&selector| !self.0.is_running(selector))
            .collect()
    }
}
