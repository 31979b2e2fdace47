//! Which part of a page the writers of text, Markdown and HTML go over.

use crate::page::plain::breaks_line;
use crate::page::{Kind, Mask, NodeId, Page};
use html5ever::{local_name, ns};

/// Bytes of text, Markdown or HTML for each byte of the page at the most: the
/// project's limit. Only addresses made absolute, markup around nothing and
/// escapes could exceed it.
pub(super) const MAX_GROWTH: usize = 4;

/// The nodes between the first and the last kept one: for a subtree its slice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Region {
    /// The first node.
    pub start: NodeId,
    /// One past the last node.
    pub end: NodeId,
}

impl Region {
    /// The region of a mask; `None` if nothing is kept. Where the first kept node
    /// is a text (a mask of text blocks), the region starts with the block around
    /// it, so that it is known for a heading or a list item.
    pub fn of(page: &Page, mask: &Mask) -> Option<Region> {
        let (first, last) = mask.ends()?;
        let block = match page.kind(first) {
            Kind::Text => page
                .ancestors(first)
                .find(|&n| page.tag(n).is_some_and(breaks_line)),
            _ => None,
        };
        Some(Region {
            start: block.unwrap_or(first),
            end: NodeId(last.0 + 1),
        })
    }
}

/// Whether the text of an element is the page's apparatus and no article's text:
/// the head, form controls (`button`: "Share"; `select`: a list of countries), pictures in
/// SVG with the names of their icons, the TeX source of a formula, and what is
/// shown only where a browser cannot play a `video`.
pub(super) fn is_unread(page: &Page, n: NodeId) -> bool {
    let Some(name) = page.name(n) else {
        return false;
    };
    if name.ns != ns!(html) {
        return matches!(
            name.local,
            local_name!("svg") | local_name!("annotation") | local_name!("annotation-xml")
        );
    }
    matches!(
        name.local,
        local_name!("head")
            | local_name!("button")
            | local_name!("select")
            | local_name!("textarea")
            | local_name!("datalist")
            | local_name!("video")
            | local_name!("audio")
            | local_name!("canvas")
    )
}
