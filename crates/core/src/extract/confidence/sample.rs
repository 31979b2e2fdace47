//! The features of a text by its wrapper's sample.

use super::text::log_odds;
use crate::wrapper::{Template, Wrapper};
use forest_html::text::words_up_to;

/// The names of the features of a text by its wrapper's sample, in their order.
pub const SAMPLE_FEATURES: [&str; 5] = ["shorter", "linked", "expected", "support", "elsewhere"];

/// Log-odds of shares are bounded by those of 0.01 and 0.99.
const SHARE_END: f64 = 0.01;

/// Words more or less that mean nothing in a short text.
const FEW_WORDS: f64 = 20.0;

/// The features of a text by its wrapper's sample and the page's prose.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SampleFeatures {
    /// Words of the sample's shortest text to this one's, 20 added to both, 1 or more.
    pub shorter: f64,
    /// The share of the text's words in links above the highest share of characters in links of
    /// the sample's texts, 0 to 1: words are counted already, and the weights are fitted to this.
    pub linked: f64,
    /// The F1 to expect of the template's pages, 0 to 1.
    pub expected: f64,
    /// Pages of the sample that the template carries.
    pub pages: usize,
    /// The share of the page's prose that is not in the text, 0 to 1.
    pub elsewhere: f64,
}

impl SampleFeatures {
    /// The features of a text that a template of `wrapper` found: the
    /// text, the share of its words in links, and the share of the page's prose that it has.
    /// `None` of a template without an F1 to expect: only `forest` gives one.
    pub fn of(
        wrapper: &Wrapper,
        template: &Template,
        text: &str,
        linked_words: f64,
        share_of_prose: f64,
    ) -> Option<SampleFeatures> {
        let expected = template.evidence.as_ref()?.expected_f1()?;
        let expect = wrapper.expect.as_ref()?;
        let shortest = expect.words[0];
        // More than that makes no difference.
        let words = words_up_to(text, shortest);
        Some(SampleFeatures {
            shorter: ((shortest as f64 + FEW_WORDS) / (words as f64 + FEW_WORDS)).max(1.0),
            linked: (linked_words - expect.link_quota[1]).max(0.0),
            expected,
            pages: template.pages,
            elsewhere: 1.0 - share_of_prose,
        })
    }

    /// The numbers of [`SAMPLE_FEATURES`].
    pub fn numbers(&self) -> [f64; SAMPLE_FEATURES.len()] {
        [
            self.shorter.ln(),
            self.linked,
            log_odds(self.expected, SHARE_END),
            (self.pages.max(1) as f64).ln(),
            log_odds(self.elsewhere, SHARE_END),
        ]
    }
}
