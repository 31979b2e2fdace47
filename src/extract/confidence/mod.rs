//! How likely an article is right: the probability that its text has an F1 of 0.9 or
//! more, and that a field says what is right.
//!
//! **Text.** Takes a [`Page`], the [`Mask`] of the text that somebody found on it and
//! who that was ([`Finder`]); gives the [`Signs`] and with them
//! [`of_text`]. The signs:
//!
//! | sign | is | says |
//! | --- | --- | --- |
//! | `right` | log-odds of the share of the text's words that is likely the article's | how much in the text is foreign |
//! | `whole` | log-odds of the share of the article's words that is likely in the text | how much is missing |
//! | `doubt` | standard deviation of the article's words, as a share of them | whether the two shares hang on a few large blocks |
//! | `article` | log-odds that the page holds an article ([`refusal`](crate::refusal)) | |
//!
//! The first three are the opinion of [`onepage`](crate::onepage) of the text
//! ([`Weighing`]): a witness that does not know the wrapper and has learned from other
//! sites. It sees the page's title, summary and `articleBody` itself, so that these are
//! no signs of their own. What else was tried, and did not help: `docs/confidence.md`.
//!
//! The probability is that of a logistic regression for each finder (`model`),
//!
//! ```text
//! p = 1 / (1 + e^-(b0 + b1 right + b2 whole + b3 doubt + b4 article))
//! ```
//!
//! fitted by `forest-lab train-confidence` to the development gold: with wrappers and
//! trees that have not seen the publisher of the page's site, and reported with five
//! folds over publishers.
//!
//! **Fields.** How likely a field is right ([`FieldConfidence`]) is told by who says it
//! (the template's expression, the page's metadata, or both alike) and by how often
//! that was right on the sample the wrapper was learned from: `fields`.
//!
//! **Degraded.** A wrapper's text with a confidence below [`DOUBTFUL`] is more likely
//! wrong than right: the wrapper found something that is unlike the articles it was
//! learned from, and the article says so
//! ([`Status::Degraded`](super::Status::Degraded)).
//!
//! **Departures.** None: the papers know no confidence.

mod fields;
mod model;
#[cfg(test)]
mod tests;

pub(super) use fields::Values;
pub use fields::{FIELD_SIGNS, FieldConfidence, FieldSigns, Teller, Tellers};
pub use model::{ConfidenceModel, FIELDS, SIGNS};

use crate::onepage::{OnePage, Trees, Weighing};
use crate::page::{Mask, Page};
use crate::refusal::{Judgement, Refusal, judge};
use crate::wrapper::{Match, Template};

/// Confidence below which a wrapper's text is called
/// [`Status::Degraded`](super::Status::Degraded): it is more likely wrong than right.
/// Of the development gold's pages one of a hundred is below it: `docs/confidence.md`.
pub const DOUBTFUL: f64 = 0.5;

/// Log-odds of the two shares are bounded by those of 0.002 and 0.998: what is beyond
/// is no news.
const SHARE_END: f64 = 0.002;

/// The same for the page's being an article.
const ARTICLE_END: f64 = 0.01;

/// Who found a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Finder {
    /// A wrapper that the method `forest` learned.
    Forest,
    /// Another wrapper: of another method, written by hand or imported. Fitted to what
    /// `paper-nodfs` learns.
    Wrapper,
    /// [`onepage`](crate::onepage), without a wrapper.
    Page,
}

impl Finder {
    /// All.
    pub const ALL: [Finder; 3] = [Finder::Forest, Finder::Wrapper, Finder::Page];

    /// Its name in the model's file.
    pub fn name(self) -> &'static str {
        match self {
            Finder::Forest => "forest",
            Finder::Wrapper => "wrapper",
            Finder::Page => "page",
        }
    }

    /// Whose a template is; without a body the page's own shape finds the text.
    pub fn of(template: &Template) -> Finder {
        match &template.evidence {
            _ if template.body.is_empty() => Finder::Page,
            Some(evidence) if evidence.expected_f1().is_some() => Finder::Forest,
            _ => Finder::Wrapper,
        }
    }
}

/// What speaks for a text and against it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Signs {
    /// What the witness makes of the text.
    pub weighing: Weighing,
    /// How likely the page holds an article, 0 to 1.
    pub article: f64,
}

impl Signs {
    /// The signs of a text; `trees` are the witness's. Linear in the page.
    pub fn of(page: &Page, kept: &Mask, trees: &Trees) -> Signs {
        Signs::judged(page, kept, trees).0
    }

    /// The same, and why the page holds no article, if it holds none.
    pub fn judged(page: &Page, kept: &Mask, trees: &Trees) -> (Signs, Option<Refusal>) {
        let Judgement { article, refusal } = judge(page, kept);
        let weighing = Weighing::of(page, kept, trees);
        (Signs { weighing, article }, refusal)
    }

    /// The signs of what `onepage` itself keeps.
    pub fn of_one_page(found: &OnePage) -> Signs {
        Signs {
            weighing: found.weighing,
            article: found.article,
        }
    }

    /// The numbers of [`SIGNS`].
    pub fn numbers(&self) -> [f64; SIGNS.len()] {
        let share = |share: f32| log_odds(f64::from(share), SHARE_END);
        [
            share(self.weighing.precision()),
            share(self.weighing.recall()),
            f64::from(self.weighing.doubt()),
            log_odds(self.article, ARTICLE_END),
        ]
    }
}

/// An article's text and fields as witnesses see them.
#[derive(Debug, Clone, PartialEq)]
pub struct Witnessed {
    /// Where the text is.
    pub found: Match,
    /// Who found the text.
    pub finder: Finder,
    /// What speaks for the text.
    pub signs: Signs,
    /// Who tells the fields.
    pub tellers: Tellers,
    /// Why the page holds no article, though the finder found a text.
    pub refusal: Option<Refusal>,
}

/// How likely a text has an F1 of 0.9 or more, 0 to 1 in thousandths.
///
/// ```
/// use forest::onepage::Trees;
/// use forest::extract::confidence::{Finder, Signs, of_text};
/// use forest::page::{Mask, Page};
///
/// let page = Page::from_html(
///     "<title>Ferry</title><ul><li><a href=/>Home</a><li><a href=/news>All the news of this week</a></ul>
///      <article><p>The ferry to the islands leaves an hour later from Monday on, said the harbour master.
///      <p>The old engine had failed three times in a week, and the passengers had to be towed home.</article>",
/// );
/// let told = |tag: &str| {
///     let n = page.elements().find(|n| page.tag(*n).is_some_and(|t| &**t == tag)).unwrap();
///     let signs = Signs::of(&page, &Mask::subtrees(&page, &[n]), Trees::shipped());
///     of_text(Finder::Wrapper, &signs)
/// };
/// assert!(told("ul") < 0.5 && told("article") > told("ul"));
/// ```
pub fn of_text(finder: Finder, signs: &Signs) -> f64 {
    ConfidenceModel::shipped().of_text(finder, signs)
}

/// `ln(p / (1 - p))` of a probability not nearer to 0 or 1 than `end`.
fn log_odds(p: f64, end: f64) -> f64 {
    let p = p.clamp(end, 1.0 - end);
    (p / (1.0 - p)).ln()
}
