//! LQF, the link quota filter: Gottron 5.1, after Mantratzis, Orgun & Cassidy
//! 2005.
//!
//! For each block the quota of text in links is computed. A block above the threshold is a
//! list of links and is dropped; all others are kept.
//!
//! ```text
//! q(block) = characters in a[href] / characters        dropped if q > t
//! ```
//!
//! Characters are those that are not white space, of the block's own text: that
//! of a nested block belongs to the nested block. A block without text has no
//! quota.
//!
//! **What the paper leaves open**, and what was chosen:
//!
//! - The measure of text: characters without white space, so that indentation
//!   does not count.
//! - Text before and behind a nested block is one block.
//! - The nested blocks of a dropped block are not dropped with it ("the entire block is
//!   discarded"): each is judged by its own text. The other reading is
//!   [`Discarded::AllText`].
//! - The elements of block level: those that break a line in a browser, and cells
//!   of tables.
//!
//! The filter drops only link lists: its result is the rest of the page, with footers and
//! forms. One pass over the page.

use super::block::OwnTexts;
use forest_html::page::Mask;
use forest_html::page::view::View;

/// Gottron 5.4: the threshold that the evolutionary search gave the best macro
/// average for (table 3). A share of characters.
const THRESHOLD: f64 = 0.23;

/// Gottron 5.1: the best threshold before the search.
const EARLIER_THRESHOLD: f64 = 0.25;

/// The part of the page that goes with a block above the threshold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Discarded {
    /// The block's own text; nested blocks are judged by theirs.
    OwnText,
    /// All text below the block's element.
    AllText,
}

/// The parameters of [`article`]; default: [`Lqf::optimised`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lqf {
    threshold: f64,
    discarded: Discarded,
}

impl Lqf {
    /// The paper's new value, t = 0.23.
    pub fn optimised() -> Lqf {
        Lqf {
            threshold: THRESHOLD,
            discarded: Discarded::OwnText,
        }
    }

    /// The value from before the paper, t = 0.25.
    pub fn earlier() -> Lqf {
        Lqf::optimised().with_threshold(EARLIER_THRESHOLD)
    }

    /// The quota of linked text above which a block is dropped.
    pub fn threshold(&self) -> f64 {
        self.threshold
    }

    /// The part of the page that goes with a block.
    pub fn discarded(&self) -> Discarded {
        self.discarded
    }

    /// Sets the quota, 0 to 1.
    pub fn with_threshold(mut self, threshold: f64) -> Lqf {
        self.threshold = threshold;
        self
    }

    /// Sets the part that goes with a block.
    pub fn with_discarded(mut self, discarded: Discarded) -> Lqf {
        self.discarded = discarded;
        self
    }
}

impl Default for Lqf {
    fn default() -> Lqf {
        Lqf::optimised()
    }
}

/// The texts of the blocks that are not link lists.
///
/// ```
/// use forest_core::baseline::lqf::{self, Lqf};
/// use forest_html::page::{Page, View};
///
/// let page = Page::from_html("<ul><li><a href=/>Home</a></ul><p>See <a href=/x>it</a> for yourself.");
/// let mask = lqf::article(&View::whole(&page), &Lqf::default());
/// let text: String = mask.texts(&page).map(|n| page.text(n)).collect();
/// assert_eq!(text, "See it for yourself."); // 2 of 17 characters are linked
/// ```
pub fn article(view: &View<'_>, lqf: &Lqf) -> Mask {
    let page = view.page();
    #[derive(Clone, Copy, Default)]
    struct Chars {
        all: u32,
        linked: u32,
    }
    let blocks = OwnTexts::of(view);
    let mut chars = vec![Chars::default(); blocks.len()];
    for text in &blocks.texts {
        let of_text = page.text(text.node).chars();
        let count = of_text.filter(|c| !c.is_whitespace()).count() as u32;
        let of_block = &mut chars[text.block];
        of_block.all += count;
        of_block.linked += if text.linked { count } else { 0 };
    }
    let is_link_list = |block: usize| {
        let Chars { all, linked } = chars[block];
        f64::from(linked) > lqf.threshold * f64::from(all)
    };
    let mut dropped: Vec<bool> = (0..blocks.len()).map(is_link_list).collect();
    if lqf.discarded == Discarded::AllText {
        // A block comes behind the one around it.
        for block in 0..dropped.len() {
            dropped[block] |= dropped[blocks.parents[block]];
        }
    }
    blocks.mask(page, |block| !dropped[block])
}
