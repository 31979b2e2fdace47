//! The traits of a page: a row of symbols, and its kind.

use super::layout::{LayoutPatterns, SLOTS, layout_patterns, signature};
use crate::kind::PageKind;
use crate::onepage::ScoredPage;
use forest_html::address::{AddressShape, SHAPE_SEGMENTS};

/// The place of the symbol that says whether a page lists others.
pub(super) const LIST: usize = SLOTS + SHAPE_SEGMENTS + 2;

/// Symbols of a page: the slots of its signature, the parts of its address, then whether it lists
/// others.
pub(super) const SYMBOLS: usize = LIST + 1;

/// The traits of a page by which it is clustered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageTraits {
    pub(super) symbols: [u32; SYMBOLS],
    pub(super) kind: PageKind,
}

impl PageTraits {
    /// The traits of a page at an address.
    pub fn of(page: &ScoredPage<'_>, address: Option<&str>) -> PageTraits {
        PageTraits::new(&layout_patterns(page), address, page.page_kind().kind())
    }

    pub(super) fn new(
        patterns: &LayoutPatterns,
        address: Option<&str>,
        kind: PageKind,
    ) -> PageTraits {
        let mut symbols = [0; SYMBOLS];
        symbols[..SLOTS].copy_from_slice(&signature(patterns));
        if let Some(shape) = address.and_then(AddressShape::of) {
            symbols[SLOTS..LIST].copy_from_slice(&shape.parts());
        }
        symbols[LIST] = u32::from(kind.is_list());
        PageTraits { symbols, kind }
    }

    /// The kind of the page.
    pub fn kind(&self) -> PageKind {
        self.kind
    }

    /// A number by which pages that are alike to be expected draw: their first symbol.
    pub fn draw_group(&self) -> u32 {
        self.symbols[0]
    }
}
