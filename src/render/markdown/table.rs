//! The tables that can be pipe tables.

use crate::page::{Kind, Mask, NodeId, Page};
use html5ever::local_name;

/// Columns of a pipe table at the most; wider ones are no reading matter.
const MAX_COLUMNS: usize = 32;

/// Bytes of text of a cell at the most: longer cells are those of a layout.
const MAX_CELL_BYTES: usize = 400;

/// The cells of a table row by row, if it can be a pipe table: at least two rows
/// and two columns, the same number of cells in every row, no spans, no blocks
/// in cells but one, no tables in it, and something kept.
pub(super) fn rows(page: &Page, table: NodeId, body: &Mask) -> Option<Vec<Vec<NodeId>>> {
    let mut rows: Vec<Vec<NodeId>> = Vec::new();
    let mut blocks = 0;
    let mut kept = false;
    for n in page.subtree(table).skip(1) {
        kept = kept
            || page.kind(n) == Kind::Text && body.contains(n) && !page.text(n).trim().is_empty();
        let Some(tag) = page.tag(n) else { continue };
        match *tag {
            local_name!("tr") => rows.push(Vec::new()),
            local_name!("td") | local_name!("th") => {
                let spans = ["colspan", "rowspan"]
                    .iter()
                    .filter_map(|name| page.attr(n, name));
                let row = rows.last_mut()?;
                row.push(n);
                blocks = 0;
                if spans.map(str::trim).any(|span| !matches!(span, "" | "1"))
                    || page.text(n).len() > MAX_CELL_BYTES
                    || row.len() > MAX_COLUMNS
                {
                    return None;
                }
            }
            local_name!("p") | local_name!("div") | local_name!("br") => {
                blocks += 1;
                if blocks > 1 {
                    return None;
                }
            }
            local_name!("table")
            | local_name!("ul")
            | local_name!("ol")
            | local_name!("dl")
            | local_name!("pre")
            | local_name!("blockquote")
            | local_name!("figure")
            | local_name!("hr")
            | local_name!("form")
            | local_name!("h1")
            | local_name!("h2")
            | local_name!("h3")
            | local_name!("h4")
            | local_name!("h5")
            | local_name!("h6") => {
                return None;
            }
            _ => {}
        }
    }
    rows.retain(|row| !row.is_empty());
    let columns = rows.first()?.len();
    let regular = rows.iter().all(|row| row.len() == columns);
    (kept && regular && columns > 1 && rows.len() > 1).then_some(rows)
}
