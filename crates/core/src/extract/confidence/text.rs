//! The features of a text.

use crate::onepage::{OnePage, Overlap, ScoredPage};
use crate::refusal::judge;
use crate::wrapper::Template;
use forest_html::page::Mask;

/// The names of the features of a text, in their order.
pub const TEXT_FEATURES: [&str; 4] = ["right", "whole", "doubt", "article"];

/// Log-odds of the two shares are bounded by those of 0.002 and 0.998: what is beyond
/// is no news.
const SHARE_END: f64 = 0.002;

/// The same for the page's being an article.
const ARTICLE_END: f64 = 0.01;

/// The source of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TextSource {
    /// A wrapper that the method `forest` learned.
    Forest,
    /// Another wrapper: of another method, written by hand or imported. Fitted to what
    /// `paper-nodfs` learns.
    Wrapper,
    /// [`onepage`](crate::onepage), without a wrapper.
    Page,
}

impl TextSource {
    /// All of them.
    pub const ALL: [TextSource; 3] = [TextSource::Forest, TextSource::Wrapper, TextSource::Page];

    /// Its name in the model's file.
    pub fn name(self) -> &'static str {
        match self {
            TextSource::Forest => "forest",
            TextSource::Wrapper => "wrapper",
            TextSource::Page => "page",
        }
    }

    /// The source of a template's text; without a body the page's own shape finds it.
    pub fn of(template: &Template) -> TextSource {
        match &template.evidence {
            _ if template.body.is_empty() && template.json.is_none() => TextSource::Page,
            Some(evidence) if evidence.expected_f1().is_some() => TextSource::Forest,
            _ => TextSource::Wrapper,
        }
    }
}

/// The features of a text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TextFeatures {
    /// The overlap of the text and the article that the block scores show.
    pub overlap: Overlap,
    /// The probability that the page holds an article, 0 to 1.
    pub article: f64,
}

impl TextFeatures {
    /// The features of the text `kept`. Linear in the page.
    pub fn of(page: &ScoredPage<'_>, kept: &Mask) -> TextFeatures {
        TextFeatures {
            overlap: page.overlap(kept),
            article: judge(page, kept).article,
        }
    }

    /// The features of the text that `onepage` itself keeps.
    pub fn of_one_page(found: &OnePage) -> TextFeatures {
        TextFeatures {
            overlap: found.overlap,
            article: found.article,
        }
    }

    /// The numbers of [`TEXT_FEATURES`].
    pub fn numbers(&self) -> [f64; TEXT_FEATURES.len()] {
        let share = |share: f32| log_odds(f64::from(share), SHARE_END);
        [
            share(self.overlap.precision()),
            share(self.overlap.recall()),
            f64::from(self.overlap.doubt()),
            log_odds(self.article, ARTICLE_END),
        ]
    }
}

/// `ln(p / (1 - p))` of a probability not nearer to 0 or 1 than `end`.
pub(super) fn log_odds(p: f64, end: f64) -> f64 {
    let p = p.clamp(end, 1.0 - end);
    (p / (1.0 - p)).ln()
}
