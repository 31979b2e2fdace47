//! The refusal of pages that hold no article at all.
//!
//! Takes a [`Page`] and the [`Mask`] that an extractor kept of it. Gives a [`Judgement`]: the
//! probability that the page is an article and, if it is not, its kind with the signs of it.
//! Either the article is blocked (a challenge, a consent wall, a login, a paywall), or there
//! is none (an error, an empty shell). A list of other pages is a [kind](crate::kind) of its own.
//!
//! - `shape`: prose, links and headlines, in one pass.
//! - `claims`: what the page claims to be: OpenGraph, JSON-LD, body class.
//! - `target`: the target of a headline's link.
//! - `phrases`: the phrases of such pages in 22 languages; the table is `phrases.txt`.
//! - `phrase_counts`: the phrases of this page, by their places.
//! - `kind`: the kinds of such pages, and the judgement.
//! - `marks`: names that known tools leave in the markup.
//! - `weigh`: the weights of all these signs.
//! - `invited`: signs of a wall behind a text that is shown; `judge` leaves them out.
//!
//! A page with much prose is none of these: that is known after one pass, in a small share of
//! the time of parsing. The *phrases* of a page count only if there is little prose. All signs
//! of an article count against them: an article may be about captchas, have a cookie banner
//! and a password field, and be short.
//!
//! **Measured** with the text that `onepage` keeps. Of the 2,000 articles of the development
//! gold none is refused; eight pages there without gold are refused as shells, and are
//! redirects. Of the 151 pages of `tests/data/no_article`, in 21 languages, all walls, errors
//! and shells are found, and nothing else is taken for one: the weights were set on two thirds
//! of them, and mistakes on the others were corrected.

mod claims;
mod invited;
mod kind;
mod marks;
mod phrases;
mod phrase_counts;
mod shape;
mod target;
#[cfg(test)]
mod tests;
mod weigh;

pub use invited::{invitations, is_sold};
pub use kind::{Judgement, NoArticle, Refusal};

pub use kind::RefusalSign;

use forest_html::page::{Mask, Page};
use marks::Marks;
use phrase_counts::PhraseCounts;
use shape::Shape;
use weigh::RefusalCase;

/// Maximum number of reported signs.
const MAX_SIGNS: usize = 5;

/// Judges a page of which an extractor kept `kept`. Linear in the page.
///
/// ```
/// use forest_core::refusal::{NoArticle, judge};
/// use forest_core::baseline::boilerpipe;
/// use forest_html::page::{Page, View};
///
/// let page = Page::from_html(
///     "<title>Just a moment...</title><h1>Verify you are human</h1><div id=cf-chl-widget></div>",
/// );
/// let judgement = judge(&page, &boilerpipe::article(&View::whole(&page)));
/// assert_eq!(judgement.refusal.unwrap().kind, NoArticle::Challenge);
/// assert!(judgement.article < 0.1);
/// ```
pub fn judge(page: &Page, kept: &Mask) -> Judgement {
    let shape = Shape::of(page, kept);
    let cases = cases(page, kept, &shape).into_iter();
    let likeliest = cases.max_by(|a, b| a.log_odds().total_cmp(&b.log_odds()));
    let confidence = likeliest.as_ref().map_or(0.0, RefusalCase::probability);
    let refusal = likeliest.filter(|_| confidence >= 0.5).map(|likeliest| {
        let mut signs = likeliest.signs;
        signs.sort_by(|a, b| b.weight.abs().total_cmp(&a.weight.abs()));
        signs.truncate(MAX_SIGNS);
        Refusal {
            kind: likeliest.kind,
            confidence,
            signs,
        }
    });
    Judgement {
        article: 1.0 - confidence,
        refusal,
        may_be_a_wall: shape.may_be_a_wall(),
        linked_words: shape.kept.link_quota(),
    }
}

/// The weighed signs of each kind that the page may be, for the lab.
pub fn weighed_signs(page: &Page, kept: &Mask) -> Vec<(NoArticle, Vec<RefusalSign>)> {
    let cases = cases(page, kept, &Shape::of(page, kept)).into_iter();
    cases.map(|case| (case.kind, case.signs)).collect()
}

/// The kinds that a page may be, with their signs; none of a page with much prose.
fn cases(page: &Page, kept: &Mask, shape: &Shape<'_>) -> Vec<RefusalCase> {
    if !shape.may_be_a_wall() {
        return Vec::new();
    }
    let counts = PhraseCounts::of(page, kept, shape);
    weigh::walls(shape, &counts, &Marks::of(page, shape))
}
