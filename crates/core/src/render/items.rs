//! The marks of list items: numbers, and check boxes.

use forest_html::page::view::is_text;
use forest_html::page::{NodeId, Page};
use html5ever::local_name;

/// Nodes of an item that are looked at for a check box.
const MAX_LOOKED_AT: usize = 8;

/// The numbers of a list's items.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ItemNumbers {
    /// The next item's number; `None` for bullets.
    next: Option<u32>,
    falls: bool,
}

impl ItemNumbers {
    /// Those of a list: from `start` on, or down to it in a list that is `reversed`.
    pub fn of(page: &Page, list: NodeId) -> ItemNumbers {
        if !page.is(list, &local_name!("ol")) {
            return ItemNumbers::default();
        }
        let falls = page.attr(list, "reversed").is_some();
        let start = number(page, list, "start").unwrap_or_else(|| {
            let items = page.children(list);
            let items = items.filter(|&n| page.is(n, &local_name!("li"))).count();
            if falls { items as u32 } else { 1 }
        });
        ItemNumbers {
            next: Some(start),
            falls,
        }
    }

    /// The number of an item, its own `value` or the next one; `None` for a bullet.
    pub fn take(&mut self, page: &Page, item: NodeId) -> Option<u32> {
        let own = number(page, item, "value")
            .or(self.next)
            .filter(|_| self.next.is_some())?;
        self.next = Some(if self.falls {
            own.saturating_sub(1)
        } else {
            own.saturating_add(1)
        });
        Some(own)
    }
}

fn number(page: &Page, n: NodeId, name: &str) -> Option<u32> {
    page.attr(n, name)?.trim().parse().ok()
}

/// The check box before the text of an item: `[x] ` or `[ ] `, else nothing.
pub(super) fn check_box(page: &Page, item: NodeId) -> &'static str {
    let first = page
        .subtree(item)
        .skip(1)
        .take(MAX_LOOKED_AT)
        .find(|&n| page.is(n, &local_name!("input")) || is_text(page, n));
    match first {
        Some(n)
            if page
                .attr(n, "type")
                .is_some_and(|kind| kind.eq_ignore_ascii_case("checkbox")) =>
        {
            if page.attr(n, "checked").is_some() {
                "[x] "
            } else {
                "[ ] "
            }
        }
        _ => "",
    }
}
