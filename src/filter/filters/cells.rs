//! Widths of the cells of tables (figure 1).

use super::styles::drop_attrs;
use crate::filter::PageFilter;
use crate::filter::edit::PageEdit;
use crate::page::NodeId;
use html5ever::LocalName;

/// Removes the `width` of cells.
#[derive(Debug)]
pub(super) struct CellWidthRemover;

impl PageFilter for CellWidthRemover {
    fn name(&self) -> &'static str {
        "cell_widths"
    }

    fn edit(&self, n: NodeId, page: &mut PageEdit<'_>) {
        if page.tag(n).is_some_and(is_cell) {
            drop_attrs(n, page, |name| name == "width");
        }
    }
}

/// True for the cell of a table.
pub(super) fn is_cell(tag: &LocalName) -> bool {
    matches!(&**tag, "td" | "th")
}
