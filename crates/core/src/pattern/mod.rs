//! Significant leaves to structural patterns. FOREST 3.2.
//!
//! Takes the pages of a sample with their terms and signifiers; gives the
//! [`Pattern`]s of the sample, each with the elements that have it.
//!
//! - *Significant node*: a text node of the body's content with at least one
//!   signifier among its terms.
//! - *Significant path*: the elements from the root to a significant node. Every
//!   element on one holds signifiers itself.
//! - *Element type* (definition 2, [`ElementType`]): the tag with all attributes in
//!   tolerant form, or the tag with the dfs index if it has no attribute.
//! - *Structural pattern* (definition 3, [`Pattern`]): an element type on a level.
//!
//! Every element on a significant path becomes one [`Occurrence`], with its counts
//! x and y and those of its page, X and Y. They come from two prefix sums a page.
//!
//! **Departures.** Attributes whose names no XPath can say (`@click`, `:class`,
//! `v-on:x`) and those in a namespace are no part of a type. An attribute whose
//! tolerant form is empty (`id="1234"`) is part of it by its name alone.

mod anchors;
mod counts;
mod element;
mod generated;
#[cfg(test)]
mod tests;

pub use anchors::anchor_lists;
pub use counts::TermCounts;
pub use element::is_plain_name;
pub use element::{ElementType, TypeIdentity};

pub use forest_html::page::tolerant::tolerant_form;
pub use generated::generated_part;

use crate::signifier::{SampleTerms, Signifiers};
use counts::PageCounts;
use foldhash::HashMap;
use forest_html::page::{Dfs, NodeId, Page};

/// The settings for the experiments of FOREST, section 4. The
/// default is the paper's method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PatternOptions {
    tolerant: bool,
    comment_paths: bool,
}

impl Default for PatternOptions {
    fn default() -> Self {
        PatternOptions {
            tolerant: true,
            comment_paths: true,
        }
    }
}

impl PatternOptions {
    /// True if attribute values are taken in tolerant form (default), not whole.
    pub fn with_tolerant(mut self, tolerant: bool) -> Self {
        self.tolerant = tolerant;
        self
    }

    /// True if significant paths count whose elements have "comments" in an
    /// attribute (default: they do).
    pub fn with_comment_paths(mut self, comment_paths: bool) -> Self {
        self.comment_paths = comment_paths;
        self
    }
}

/// An element on a significant path of one page.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Occurrence {
    /// Index of its page in the sample.
    pub page: usize,
    /// The element.
    pub node: NodeId,
    /// Its dfs index.
    pub dfs: Dfs,
    /// x and y: signifiers and other terms in its text.
    pub element: TermCounts,
    /// X and Y: the same of the whole page.
    pub page_counts: TermCounts,
    /// Sum of the normalised weights of the signifiers that it holds, over the
    /// number of the page's signifiers (equation 6), 0..=1.
    pub coverage: f64,
}

/// An element type on a level, with all elements of the sample that have it.
#[derive(Debug, Clone, PartialEq)]
pub struct Pattern {
    /// The element type.
    pub element_type: ElementType,
    /// The level: number of element ancestors.
    pub level: u16,
    /// The elements, by page and then in document order.
    pub occurrences: Vec<Occurrence>,
}

/// The structural patterns of a sample, in order of first occurrence.
/// `signifiers[i]` are those of `pages[i]`.
///
/// # Panics
///
/// If `pages`, `terms` and `signifiers` are not of the same length.
pub fn patterns(
    pages: &[&Page],
    terms: &SampleTerms,
    signifiers: &[Signifiers],
    options: PatternOptions,
) -> Vec<Pattern> {
    assert!(
        pages.len() == terms.len() && pages.len() == signifiers.len(),
        "terms and signifiers for each page"
    );
    let mut found: Vec<Pattern> = Vec::new();
    let mut by_key: HashMap<(ElementType, u16), usize> = HashMap::default();
    for (i, page) in pages.iter().enumerate() {
        let counts = PageCounts::of(page, terms.page(i), &signifiers[i]);
        for node in significant_elements(page, &counts, options) {
            let Some(dfs) = page.dfs(node) else { continue };
            let key = (
                ElementType::of(page, node, options.tolerant),
                page.level(node),
            );
            let at = *by_key
                .entry(key)
                .or_insert_with_key(|(element_type, level)| {
                    found.push(Pattern {
                        element_type: element_type.clone(),
                        level: *level,
                        occurrences: Vec::new(),
                    });
                    found.len() - 1
                });
            found[at].occurrences.push(Occurrence {
                page: i,
                node,
                dfs,
                element: counts.of_subtree(page, node),
                page_counts: counts.total(),
                coverage: counts.coverage(page, node),
            });
        }
    }
    found
}

/// The elements on the significant paths of a page, in document order.
fn significant_elements(page: &Page, counts: &PageCounts, options: PatternOptions) -> Vec<NodeId> {
    let mut on_path = vec![false; page.len()];
    for &leaf in counts.leaves() {
        let path = || page.ancestors(leaf);
        if !options.comment_paths && path().any(|n| names_comments(page, n)) {
            continue;
        }
        for n in path() {
            if std::mem::replace(&mut on_path[n.index()], true) {
                break;
            }
        }
    }
    page.nodes().filter(|n| on_path[n.index()]).collect()
}

fn names_comments(page: &Page, n: NodeId) -> bool {
    page.attrs(n)
        .any(|(_, value)| value.to_ascii_lowercase().contains("comments"))
}
