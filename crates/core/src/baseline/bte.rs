//! BTE, body text extraction: Finn, Kushmerick & Smyth 2001.
//!
//! The page is a sequence of words and tags; its body text is the stretch from i
//! to j with as many words inside and as many tags outside as possible:
//!
//! ```text
//! T(i, j) = tags before i + words from i to j + tags behind j
//! ```
//!
//! As the number of tags of a page is fixed, that is the same as the largest
//! words − tags inside, a maximum-sum stretch of a sequence of 1 (a word) and −1
//! (a tag). One pass finds it, where the original tries all i and j.
//!
//! **What the paper leaves open**, and what was chosen:
//!
//! - Ties: the stretch that ends first, and of those the shortest.
//! - A tag is the start and end tag of each element below `body`, whether the
//!   source has the end tag or not; void elements have one. Scripts, styles and
//!   comments are left out with their tags.
//! - A word is a run of letters and digits, in scripts without spaces each
//!   pair of characters.
//!
//! There is no parameter. A stretch never ends inside a text, as each word increases the sum:
//! the result is a run of whole text nodes.

use forest_html::page::view::View;
use forest_html::page::walk::{self, Step, WordCounter};
use forest_html::page::{Mask, NodeId};
use std::ops::Range;

/// The texts of the stretch with most words inside and most tags outside; none on
/// a page without words.
///
/// ```
/// use forest_core::baseline::bte;
/// use forest_html::page::{Page, View};
///
/// let page = Page::from_html(
///     "<ul><li>Home<li>News</ul><p>These are eight <b>words</b> in a single stretch</p><hr>© me",
/// );
/// let mask = bte::article(&View::whole(&page));
/// let text: String = mask.texts(&page).map(|n| page.text(n)).collect();
/// assert_eq!(text, "These are eight words in a single stretch"); // 8 - 2 is more than any other
/// ```
pub fn article(view: &View<'_>) -> Mask {
    let page = view.page();
    let mut words = WordCounter::default();
    let mut texts: Vec<NodeId> = Vec::new();
    let mut best = Best::default();
    walk::walk(view, |step| match step {
        Step::Start(_) | Step::End(_) => best.tag(),
        Step::Text(n) => {
            best.words(texts.len(), words.count(page.text(n)) as i64);
            texts.push(n);
        }
    });
    walk::mask_of(page, &texts[best.texts])
}

/// The best stretch so far, and the best one that ends here.
#[derive(Debug, Default)]
struct Best {
    /// The texts of the best stretch.
    texts: Range<usize>,
    /// Its words − tags.
    sum: i64,
    /// The beginning of the best stretch that ends here.
    start: usize,
    /// Its words − tags, never below 0: an empty stretch has 0.
    here: i64,
}

impl Best {
    fn tag(&mut self) {
        self.here = (self.here - 1).max(0);
    }

    fn words(&mut self, text: usize, words: i64) {
        if words == 0 {
            return;
        }
        if self.here == 0 {
            self.start = text;
        }
        self.here += words;
        if self.here > self.sum {
            self.sum = self.here;
            self.texts = self.start..text + 1;
        }
    }
}
