//! The filters by phase and element.

use super::{FilterPhase, PageFilter};
use foldhash::{HashMap, HashMapExt};
use html5ever::LocalName;

/// The filters of a walk. Each is asked once for each phase and name of elements whether it
/// is called there.
#[derive(Debug)]
pub(super) struct FilterTable<'f> {
    filters: Vec<WalkFilter<'f>>,
    rows: Vec<FiltersByPhase>,
    by_name: HashMap<LocalName, usize>,
}

/// A filter in the table.
#[derive(Debug, Clone, Copy)]
pub(super) struct WalkFilter<'f> {
    /// The place of its count.
    pub place: usize,
    pub filter: &'f dyn PageFilter,
    /// The links of what it deletes are listed.
    pub retains: bool,
}

/// The filters that are called for nodes of one name, by phase.
type FiltersByPhase = [Vec<usize>; FilterPhase::ALL.len()];

/// The row of nodes without a name: texts and comments.
pub(super) const NAMELESS: usize = 0;

impl<'f> FilterTable<'f> {
    pub fn new(filters: Vec<WalkFilter<'f>>) -> FilterTable<'f> {
        let mut table = FilterTable {
            filters,
            rows: Vec::new(),
            by_name: HashMap::new(),
        };
        table.add_row(None);
        table
    }

    /// The row of elements with a local name, in any namespace.
    pub fn row_of(&mut self, name: &LocalName) -> usize {
        if let Some(&row) = self.by_name.get(name) {
            return row;
        }
        let row = self.add_row(Some(name));
        self.by_name.insert(name.clone(), row);
        row
    }

    fn add_row(&mut self, name: Option<&LocalName>) -> usize {
        let filters = &self.filters;
        self.rows.push(FilterPhase::ALL.map(|phase| {
            let wants = |at: &usize| filters[*at].filter.wants(phase, name);
            (0..filters.len()).filter(wants).collect()
        }));
        self.rows.len() - 1
    }

    /// The filters that are called in a phase for nodes of a row, in their order.
    pub fn wanting(&self, row: usize, phase: FilterPhase) -> impl Iterator<Item = WalkFilter<'f>> {
        let places = &self.rows[row][phase as usize];
        places.iter().map(|&at| self.filters[at])
    }
}
