//! The structural patterns of a page, and their MinHash.

use crate::pattern::generated_part;
use forest_html::page::tolerant::tolerant_chars;
use forest_html::page::{Kind, Page};
use forest_html::text::{fnv1a, mixed};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Slots of a signature: the share of slots in which two pages agree is the share of patterns
/// that they have in common (Broder 1997), with a standard deviation of 1/16 at most.
pub(super) const SLOTS: usize = 64;

/// The structural patterns of a page, each once: an element type on a level, as `5 div.story`.
/// The type is the tag with the first token of the class that is no [generated](generated_part) name,
/// else with the id, both without digits.
pub type LayoutPatterns = BTreeSet<String>;

/// The structural patterns of a page's body.
///
/// ```
/// use forest_core::cluster::layout_patterns;
/// use forest_html::page::Page;
///
/// let html = "<div class='_1_tb_body story wide' id=x><p>a<p>b</div><b id=note-12345>c</b>";
/// let patterns = layout_patterns(&Page::from_html(html));
/// assert!(patterns.iter().eq(["1 body", "2 b#note-", "2 div.story", "3 p"]));
/// ```
pub fn layout_patterns(page: &Page) -> LayoutPatterns {
    let mut patterns = BTreeSet::new();
    let mut text = String::new();
    let elements = page.body().into_iter().flat_map(|body| page.subtree(body));
    for n in elements.filter(|&n| page.kind(n) == Kind::Element && page.is_content(n)) {
        text.clear();
        let tag = page.tag(n).map_or("", |tag| tag);
        let _ = write!(text, "{} {tag}", page.level(n));
        let named = [("class", '.'), ("id", '#')]
            .into_iter()
            .find_map(|(attribute, mark)| {
                let tokens = page.attr(n, attribute)?.split_ascii_whitespace();
                let mut names = tokens.map(stable_part);
                Some((mark, names.find(|name| !name.is_empty())?))
            });
        if let Some((mark, name)) = named {
            text.push(mark);
            text.extend(tolerant_chars(name));
        }
        if !patterns.contains(&text) {
            patterns.insert(text.clone());
        }
    }
    patterns
}

/// The beginning of a name, up to what is generated; empty without letters.
fn stable_part(name: &str) -> &str {
    let part = &name[..generated_part(name).unwrap_or(name.len())];
    if part.bytes().all(|b| b.is_ascii_digit()) {
        ""
    } else {
        part
    }
}

/// The MinHash of patterns: of each slot the least of their hashes by the slot's own function.
pub(super) fn signature(patterns: &LayoutPatterns) -> [u32; SLOTS] {
    let mut least = [u64::MAX; SLOTS];
    for pattern in patterns {
        let hash = fnv1a(pattern.bytes());
        for (slot, least) in least.iter_mut().enumerate() {
            *least = (*least).min(mixed(hash ^ mixed(slot as u64 + 1)));
        }
    }
    least.map(|hash| (hash >> 32) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_agreement_is_the_share_of_common_patterns() {
        let set = |names: std::ops::Range<usize>| names.map(|n| format!("{n} p")).collect();
        let check = |other: std::ops::Range<usize>, share: f64| {
            let (a, b) = (signature(&set(0..100)), signature(&set(other)));
            let same = a.iter().zip(&b).filter(|(a, b)| a == b).count();
            let found = same as f64 / SLOTS as f64;
            assert!((found - share).abs() < 0.16, "{found} for {share}");
        };
        check(0..100, 1.0);
        check(0..50, 0.5);
        check(50..150, 1.0 / 3.0);
        check(100..200, 0.0);
    }
}
