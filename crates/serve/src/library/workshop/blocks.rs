//! The elements of a page that can be chosen from a list, with their names for people.

use forest_html::error::counted;
use forest_html::page::tags;
use forest_html::page::{NodeId, Page};
use forest_html::text::word_count;

/// Elements that are listed at the most.
const MAX_BLOCKS: usize = 400;

/// Characters of a name or a text that are shown.
const MAX_CHARS: usize = 48;

/// An element in the list.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ListedBlock {
    pub node: NodeId,
    /// Blocks around it.
    pub depth: usize,
    /// Its name, words and first words.
    pub name: String,
}

/// The blocks of a page that have text, in its order, and the times that stand in them.
pub(super) fn blocks(page: &Page) -> Vec<ListedBlock> {
    let Some(body) = page.body() else {
        return Vec::new();
    };
    // Words before each node.
    let mut before = vec![0; page.len() + 1];
    for n in page.nodes() {
        let own = if page.is_content(n) && page.tag(n).is_none() {
            word_count(page.text(n))
        } else {
            0
        };
        before[n.index() + 1] = before[n.index()] + own;
    }
    let mut open: Vec<NodeId> = Vec::new();
    let mut found = Vec::new();
    for &n in page.content_elements() {
        let words = before[page.end(n).index()] - before[n.index()];
        let is_listed = |tag: &html5ever::LocalName| {
            tags::has(tag, tags::BLOCK) || matches!(&**tag, "time" | "a")
        };
        if !page.contains(body, n) || words == 0 || !page.tag(n).is_some_and(is_listed) {
            continue;
        }
        if found.len() == MAX_BLOCKS {
            break;
        }
        while open.pop_if(|&mut end| end <= n).is_some() {}
        found.push(ListedBlock {
            node: n,
            depth: open.len(),
            name: format!(
                "{}, {}: {}",
                element_name(page, n),
                counted(words, "word", "words"),
                beginning(page, n)
            ),
        });
        open.push(page.end(n));
    }
    found
}

/// The name of an element, and its first words.
pub(super) fn block_name(page: &Page, n: NodeId) -> String {
    format!("{}: {}", element_name(page, n), beginning(page, n))
}

/// The tag of an element with its id, else its first class.
fn element_name(page: &Page, n: NodeId) -> String {
    let tag = page.tag(n).map_or("element", |tag| tag);
    let class = || page.attr(n, "class")?.split_whitespace().next();
    let name = match (page.attr(n, "id").filter(|id| !id.is_empty()), class()) {
        (Some(id), _) => format!("{tag}#{id}"),
        (None, Some(class)) => format!("{tag}.{class}"),
        (None, None) => tag.to_owned(),
    };
    name.chars().take(MAX_CHARS).collect()
}

fn beginning(page: &Page, n: NodeId) -> String {
    let texts = page.content_texts(n).take(MAX_CHARS);
    let words = texts.flat_map(|n| page.text(n).split_whitespace());
    let mut out = String::new();
    for word in words {
        if out.chars().count() > MAX_CHARS {
            break;
        }
        if !out.is_empty() {
            out.push(' ');
        }
        out.extend(word.chars().take(MAX_CHARS));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_with_text_are_listed_in_their_order() {
        let page =
            Page::from_html("<div id=a><p class='x y'>One two</p><p></p><hr></div><div>Three");
        let listed = blocks(&page);
        let shown: Vec<_> = listed
            .iter()
            .map(|block| (block.depth, &*block.name))
            .collect();
        assert_eq!(
            shown,
            [
                (0, "body, 3 words: One two Three"),
                (1, "div#a, 2 words: One two"),
                (2, "p.x, 2 words: One two"),
                (1, "div, 1 word: Three"),
            ]
        );
        let many = Page::from_html(&"<p>a".repeat(2 * MAX_BLOCKS));
        assert_eq!(blocks(&many).len(), MAX_BLOCKS);
    }
}
