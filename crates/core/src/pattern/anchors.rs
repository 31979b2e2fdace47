//! Lists of nothing but anchors: the first heuristic of FOREST, section 4.

use forest_html::page::{Kind, Mask, NodeId, Page};

/// Items from which on a list of links is one.
const MIN_ITEMS: usize = 2;

/// The lists (`ul`, `ol`, `dl`, `menu`, `dir`) of at least two links whose text all
/// stands in links.
pub fn anchor_lists(page: &Page) -> Mask {
    let mut mask = Mask::none(page);
    let mut links: Vec<NodeId> = Vec::new();
    // For each open list: where it ends, links so far, whether there is other text.
    let mut open: Vec<(NodeId, usize, bool)> = Vec::new();
    for n in page.nodes() {
        close(page, &mut open, n, &mut mask);
        while links.last().is_some_and(|&a| page.end(a) <= n) {
            links.pop();
        }
        match page.tag(n).map(|tag| &**tag) {
            Some("ul" | "ol" | "dl" | "menu" | "dir") => open.push((n, 0, false)),
            Some("a") if page.attr(n, "href").is_some() => {
                links.push(n);
                if let Some((_, items, _)) = open.last_mut() {
                    *items += 1;
                }
            }
            _ => {}
        }
        let is_text = page.kind(n) == Kind::Text && page.is_content(n);
        if is_text
            && links.is_empty()
            && let Some((.., text)) = open.last_mut()
        {
            *text |= page.text(n).contains(char::is_alphanumeric);
        }
    }
    close(page, &mut open, NodeId(page.len() as u32), &mut mask);
    mask
}

/// Closes the lists that end before `at`.
fn close(page: &Page, open: &mut Vec<(NodeId, usize, bool)>, at: NodeId, mask: &mut Mask) {
    while let Some(&(list, items, text)) = open.last()
        && page.end(list) <= at
    {
        open.pop();
        if items >= MIN_ITEMS && !text {
            mask.keep_subtree(page, list);
        }
        if let Some((_, above, other)) = open.last_mut() {
            *above += items;
            *other |= text;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(html: &str, expected: &str) {
        let page = Page::from_html(html);
        let found: String = anchor_lists(&page)
            .texts(&page)
            .map(|n| page.text(n))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn lists_of_links_only() {
        check(
            "<ul><li><a href=1>a</a> | <li><a href=2>b</a></ul>c",
            "a | b",
        );
        check("<ul><li><a href=1>a</a> word<li><a href=2>b</a></ul>", "");
        check(
            "<ul><li><a href=1>a</a></ul><ol><li><a>b</a><li><a>c</a></ol>",
            "",
        );
    }

    #[test]
    fn a_list_in_a_list_counts_for_both() {
        check(
            "<ul><li>x<ul><li><a href=1>a</a><li><a href=2>b</a></ul></ul>",
            "ab",
        );
        check(
            "<div><ul><li><ul><li><a href=1>a</a><li><a href=2>b</a></ul></ul>c</div>",
            "ab",
        );
    }
}
