//! Tables that hold data, row by row.

use forest_html::page::tags;
use forest_html::page::{Kind, Mask, NodeId, Page};
use html5ever::local_name;

/// Columns of a pipe table at the most; wider ones are no reading matter.
const MAX_COLUMNS: usize = 32;

/// Bytes of text of a cell at the most: longer cells are those of a layout.
const MAX_CELL_BYTES: usize = 1000;

/// The cells of a row; `None` where there is none, or where one over several columns goes on.
pub(super) type RowSlots = Vec<Option<NodeId>>;

/// The cells of a table row by row, if it can be a pipe table: at least two rows
/// and two columns, no long cells, no tables, programs, headings, figures or forms in it, most
/// rows as long as the longest, and something kept. Spans are expanded: a cell over several rows
/// stands in each, one over several columns in the first of them.
pub(super) fn rows(page: &Page, table: NodeId, body: &Mask) -> Option<Vec<RowSlots>> {
    let mut rows = TableRows::default();
    let mut kept = false;
    for n in page.subtree(table).skip(1) {
        kept = kept
            || page.kind(n) == Kind::Text && body.contains(n) && !page.text(n).trim().is_empty();
        let Some(tag) = page.tag(n) else { continue };
        match *tag {
            local_name!("tr") => rows.begin(),
            local_name!("td") | local_name!("th") => {
                let span = |name| {
                    let number = page
                        .attr(n, name)
                        .and_then(|value| value.trim().parse().ok());
                    number.unwrap_or(1).clamp(1, MAX_COLUMNS + 1)
                };
                if page.text(n).len() > MAX_CELL_BYTES {
                    return None;
                }
                rows.add(n, span("colspan"), span("rowspan"))?;
            }
            local_name!("table")
            | local_name!("pre")
            | local_name!("blockquote")
            | local_name!("figure")
            | local_name!("hr")
            | local_name!("form") => return None,
            _ if tags::has(tag, tags::HEADING) => return None,
            _ => {}
        }
    }
    let mut rows = rows.finish();
    let columns = rows.iter().map(Vec::len).max()?;
    let full = rows.iter().filter(|row| row.len() == columns).count();
    let is_table = kept && columns > 1 && rows.len() > 1 && 2 * full > rows.len();
    for row in &mut rows {
        row.resize(columns, None);
    }
    is_table.then_some(rows)
}

/// True for a table that holds data, by its rows.
pub fn is_data_table(page: &Page, table: NodeId) -> bool {
    rows(page, table, &Mask::all(page)).is_some()
}

/// The rows so far.
#[derive(Default)]
struct TableRows {
    rows: Vec<RowSlots>,
    /// For each column, the cell that reaches down into the next rows, and how many.
    below: Vec<Option<(Option<NodeId>, usize)>>,
}

impl TableRows {
    fn begin(&mut self) {
        self.fill();
        self.rows.push(Vec::new());
    }

    /// Puts cells of rows above into the next places of the row.
    fn fill(&mut self) {
        let Some(row) = self.rows.last_mut() else {
            return;
        };
        while let Some(Some((cell, rows))) = self.below.get_mut(row.len()) {
            row.push(*cell);
            *rows -= 1;
            if *rows == 0 {
                self.below[row.len() - 1] = None;
            }
        }
    }

    /// Adds a cell; `None` if it has no row or no place.
    fn add(&mut self, cell: NodeId, columns: usize, rows: usize) -> Option<()> {
        self.fill();
        let row = self.rows.last_mut()?;
        for column in 0..columns {
            let own = (column == 0).then_some(cell);
            if self.below.len() <= row.len() {
                self.below.push(None);
            }
            if rows > 1 {
                self.below[row.len()] = Some((own, rows - 1));
            }
            row.push(own);
        }
        (row.len() <= MAX_COLUMNS).then_some(())
    }

    fn finish(mut self) -> Vec<RowSlots> {
        self.fill();
        self.rows.retain(|row| row.iter().any(Option::is_some));
        self.rows
    }
}
