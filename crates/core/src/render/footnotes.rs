//! Footnotes: the markers in the text, the notes that they lead to, and the links back.

use super::anchors::{self, fragment};
use super::shown::Region;
use forest_html::page::{Mask, NodeId, Page};
use html5ever::local_name;
use std::collections::HashMap;

/// The brackets around the label of a marker.
pub(super) const BRACKETS: [char; 4] = ['[', ']', '(', ')'];

/// Characters of a marker at the most, brackets left out.
const MAX_MARKER_CHARS: usize = 4;

/// The footnotes of a region, numbered in the order of their first markers.
#[derive(Debug, Default)]
pub(super) struct Footnotes {
    /// The number of the note to which each marker leads: a link, or the `sup` around it.
    markers: HashMap<NodeId, u32>,
    /// The number of each note, by its block.
    notes: HashMap<NodeId, u32>,
    /// Links from a note back to its marker.
    back: HashMap<NodeId, NodeId>,
}

impl Footnotes {
    /// The footnotes whose markers and notes have kept text. A marker is a link to a block
    /// behind it, of a few characters without spaces, in or around a `sup` or named a
    /// footnote's. Two passes over the region.
    pub fn of(page: &Page, body: &Mask, region: Region) -> Footnotes {
        let nodes = || (region.start.0..region.end.0).map(NodeId);
        let links: Vec<(NodeId, String)> = nodes()
            .filter_map(|n| Some((n, fragment(page, n)?)))
            .collect();
        let mut found = Footnotes::default();
        if links.is_empty() {
            return found;
        }
        let mut places: HashMap<&str, NodeId> = HashMap::new();
        for n in nodes() {
            if let Some(name) = anchors::name(page, n) {
                places.entry(name).or_insert(n);
            }
        }
        let is_kept = |n: NodeId| page.content_texts(n).any(|text| body.contains(text));
        // Each block is looked at once, however many links lead to it.
        let mut kept: HashMap<NodeId, bool> = HashMap::new();
        for (link, name) in &links {
            let Some(&place) = places.get(&**name) else {
                continue;
            };
            if place < *link {
                if let Some(note) = found.note_around(page, *link) {
                    found.back.insert(*link, note);
                }
            } else if is_marker(page, *link)
                && let Some(note) = block_of(page, place, region)
                && is_kept(*link)
                && *kept.entry(note).or_insert_with(|| is_kept(note))
            {
                let next = found.notes.len() as u32 + 1;
                let number = *found.notes.entry(note).or_insert(next);
                found.markers.insert(outermost(page, *link), number);
            }
        }
        found
    }

    /// The number of the note to which an element is the marker.
    pub fn marker(&self, n: NodeId) -> Option<u32> {
        self.markers.get(&n).copied()
    }

    /// The number of the note that a block is.
    pub fn note(&self, n: NodeId) -> Option<u32> {
        self.notes.get(&n).copied()
    }

    /// True for a link from a note back to its marker.
    pub fn is_back_link(&self, n: NodeId) -> bool {
        self.back.contains_key(&n)
    }

    /// The note around a link that is none of its words.
    fn note_around(&self, page: &Page, link: NodeId) -> Option<NodeId> {
        let is_sign = page
            .text(link)
            .chars()
            .filter(|c| c.is_alphabetic())
            .count()
            < 2;
        let mut around = page.ancestors(link).skip(1);
        around.find(|up| is_sign && self.notes.contains_key(up))
    }
}

/// True for a link that looks like the marker of a footnote.
fn is_marker(page: &Page, link: NodeId) -> bool {
    let text = page.text(link).trim().trim_matches(BRACKETS);
    if text.is_empty() || text.chars().count() > MAX_MARKER_CHARS || text.contains(' ') {
        return false;
    }
    let is_sup = |n: NodeId| page.is(n, &local_name!("sup"));
    let is_named = ["class", "role", "rel"].iter().any(|name| {
        let value = page.attr(link, name).unwrap_or_default();
        value.contains("footnote") || value.contains("noteref")
    });
    is_named || page.ancestors(link).take(3).any(is_sup) || page.children(link).any(is_sup)
}

/// The `sup` around a marker that holds nothing else, else the marker.
fn outermost(page: &Page, link: NodeId) -> NodeId {
    let text = page.text(link).trim();
    let mut around = page.ancestors(link).skip(1).take(2);
    let sup = around.find(|&up| page.is(up, &local_name!("sup")));
    sup.filter(|&sup| {
        let rest = page.text(sup).trim();
        rest.trim_matches(BRACKETS) == text.trim_matches(BRACKETS)
    })
    .unwrap_or(link)
}

/// The item or block that a place is or stands in.
fn block_of(page: &Page, place: NodeId, region: Region) -> Option<NodeId> {
    let blocks = page.ancestors(place).take_while(|&n| n >= region.start);
    let mut blocks = blocks.filter(|&n| page.breaks_line(n));
    blocks.find(|&n| {
        let tag = page.tag(n).expect("a block has a tag");
        matches!(
            *tag,
            local_name!("li") | local_name!("p") | local_name!("div") | local_name!("aside")
        )
    })
}
