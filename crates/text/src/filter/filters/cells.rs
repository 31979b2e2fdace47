//! Cells of tables and the blocks beside them; widths of cells (figure 1).

use super::styles::drop_attrs;
use crate::filter::edit::PageEdit;
use crate::filter::{FilterPhase, PageFilter};
use forest_html::page::NodeId;
use forest_html::page::tags;
use html5ever::LocalName;

/// Removes the `width` of cells.
#[derive(Debug)]
pub(super) struct CellWidthRemover;

impl PageFilter for CellWidthRemover {
    fn name(&self) -> &'static str {
        "cell_widths"
    }

    fn wants(&self, phase: FilterPhase, name: Option<&LocalName>) -> bool {
        phase == FilterPhase::Edit && name.is_some_and(is_cell)
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

/// True for a block that is neither the page itself nor part of a table.
pub(super) fn is_plain_block(tag: &LocalName) -> bool {
    let is_page = matches!(
        &**tag,
        "html" | "head" | "body" | "title" | "frameset" | "frame"
    );
    let is_of_table = &**tag == "table" || tags::has(tag, tags::TABLE_PART);
    tags::has(tag, tags::BLOCK) && !is_page && !is_of_table && !matches!(&**tag, "br" | "hr")
}
