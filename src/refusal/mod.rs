//! Whether a page holds an article at all.
//!
//! Takes a [`Page`] and the [`Mask`] that an extractor kept of it, gives a
//! [`Judgement`]: how likely the page is an article, and where it is not, which
//! kind of page it is instead, with the signs that say so. Something stands in the
//! way of the article (a challenge, a consent wall, a login, a paywall), or there is
//! none (an error, a list of other pages, an empty shell).
//!
//! - `shape`: prose, links, stories and headlines, in one pass.
//! - `claims`: what the page claims to be: OpenGraph, JSON-LD, body class, address.
//! - `target`: where a headline leads.
//! - `phrases`: what such pages say, in 22 languages; the table is `phrases.txt`.
//! - `said`: which of it this page says, and where.
//! - `marks`: names that known tools leave in the markup.
//! - `weigh`: the weights of all these signs.
//! - `invited`: signs of a wall behind a text that is shown; `judge` does not hear them.
//!
//! A page with much prose can only be an article or a list of whole articles: it is
//! judged by its shape alone, for a small share of what parsing it costs. What a
//! page *says* counts only where there is little prose, and against it counts all
//! that speaks for an article: one may be about captchas, have a cookie banner and
//! a field for a password, and be short.
//!
//! **Measured** with what `onepage` keeps. Of the 2,000 articles of the
//! development gold one is refused, which is a list of software; eight pages there
//! without gold are refused as shells, and are redirects. Of the 151 pages of
//! `tests/data/no_article`, in 21 languages, 64 were judged before anybody had seen
//! how (a third of the first 127, and the 24 written last): 43 of 48 pages without
//! an article and 15 of 16 articles were told right, and what was not was mended
//! afterwards. It takes 3 % of the time of a parse on the median page and on
//! articles of more than 4,000 characters, 7 % on one page of a hundred of these. On
//! small pages, where phrases are looked for, it is at most 0.4 ms.

mod claims;
mod invited;
mod marks;
mod phrases;
mod said;
mod shape;
mod target;
#[cfg(test)]
mod tests;
mod weigh;

pub use invited::{invitations, is_sold};

use crate::page::{Mask, Page};
use claims::PathKind;
use marks::Marks;
use said::Said;
use shape::Shape;
use std::fmt;
use target::Own;
use weigh::Case;

/// Signs that are reported.
const MAX_SIGNS: usize = 5;

/// What a page without an article is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(usize)]
pub enum NoArticle {
    /// It asks whether the reader is human.
    Challenge,
    /// It asks for consent.
    Consent,
    /// It asks for a name and a password.
    Login,
    /// It asks for a subscription, and shows next to nothing of the article.
    Paywall,
    /// It says that there is nothing: not found, gone, an error, maintenance, a
    /// domain for sale.
    Error,
    /// It lists other pages: a home page, a category, an archive, search results,
    /// a blog with its latest posts.
    Listing,
    /// It has no text of its own: scripts, frames, or a way to another page.
    Shell,
}

impl NoArticle {
    /// All kinds.
    pub const ALL: [NoArticle; Self::COUNT] = [
        NoArticle::Challenge,
        NoArticle::Consent,
        NoArticle::Login,
        NoArticle::Paywall,
        NoArticle::Error,
        NoArticle::Listing,
        NoArticle::Shell,
    ];

    const COUNT: usize = 7;

    /// Its name, a word in lower case.
    pub fn name(self) -> &'static str {
        match self {
            NoArticle::Challenge => "challenge",
            NoArticle::Consent => "consent",
            NoArticle::Login => "login",
            NoArticle::Paywall => "paywall",
            NoArticle::Error => "error",
            NoArticle::Listing => "listing",
            NoArticle::Shell => "shell",
        }
    }

    /// The kind with this name.
    pub fn named(name: &str) -> Option<NoArticle> {
        NoArticle::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Whether something stands in the way of an article: another reader, or the
    /// same one another way, may get to it. Else there is none.
    pub fn is_in_the_way(self) -> bool {
        use NoArticle::{Challenge, Consent, Login, Paywall};
        matches!(self, Challenge | Consent | Login | Paywall)
    }
}

/// For a reader: what the page does instead of holding an article.
impl fmt::Display for NoArticle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NoArticle::Challenge => "the page asks whether its reader is human",
            NoArticle::Consent => "the page asks for consent before it shows the article",
            NoArticle::Login => "the page asks its reader to log in",
            NoArticle::Paywall => "the page asks for a subscription before it shows the article",
            NoArticle::Error => {
                "the page says that there is nothing here: not found or out of order"
            }
            NoArticle::Listing => "the page lists other pages and holds no article of its own",
            NoArticle::Shell => "the page is empty: its text comes by scripts or from another page",
        })
    }
}

/// Something about a page that speaks for or against what it is taken for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sign {
    /// What was seen.
    pub what: &'static str,
    /// By how much it changes the log-odds; negative if it speaks against.
    pub weight: f64,
}

/// Why a page is taken for one without an article.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal {
    /// What it is instead.
    pub kind: NoArticle,
    /// How likely that is, 0.5 to 1.
    pub confidence: f64,
    /// What was seen, the weightiest first; at most five.
    pub signs: Vec<Sign>,
}

/// Kind, confidence and signs: `listing (0.98): the address of a home page (+2.5)`.
impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({:.2}):", self.kind.name(), self.confidence)?;
        for (i, sign) in self.signs.iter().enumerate() {
            let comma = if i > 0 { "," } else { "" };
            write!(f, "{comma} {} ({:+.1})", sign.what, sign.weight)?;
        }
        Ok(())
    }
}

/// What is made of a page.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// How likely the page holds an article, 0 to 1.
    pub article: f64,
    /// Why it is taken for a page without one: where `article` is below 0.5.
    pub refusal: Option<Refusal>,
}

/// Judges a page of which an extractor kept `kept`. Linear in the page.
///
/// ```
/// use forest::refusal::{NoArticle, judge};
/// use forest::baseline::boilerpipe;
/// use forest::page::Page;
///
/// let page = Page::from_html(
///     "<title>Just a moment...</title><h1>Verify you are human</h1><div id=cf-chl-widget></div>",
/// );
/// let judgement = judge(&page, &boilerpipe::article(&page));
/// assert_eq!(judgement.refusal.unwrap().kind, NoArticle::Challenge);
/// assert!(judgement.article < 0.1);
/// ```
pub fn judge(page: &Page, kept: &Mask) -> Judgement {
    let likeliest = cases(page, kept)
        .into_iter()
        .max_by(|a, b| a.log_odds().total_cmp(&b.log_odds()))
        .expect("one case is always there");
    let confidence = likeliest.probability();
    let refusal = (confidence >= 0.5).then(|| {
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
    }
}

/// The weighed signs of each kind that the page may be, for the lab.
#[cfg(feature = "_lab")]
pub fn weighed_signs(page: &Page, kept: &Mask) -> Vec<(NoArticle, Vec<Sign>)> {
    let cases = cases(page, kept).into_iter();
    cases.map(|case| (case.kind, case.signs)).collect()
}

/// The kinds that a page may be, with their signs; never empty.
fn cases(page: &Page, kept: &Mask) -> Vec<Case> {
    let shape = Shape::of(page, kept);
    let path = PathKind::of_page(&Own::of(page, &shape.claims));
    let mut cases = Vec::new();
    let said = shape.may_be_a_wall().then(|| Said::of(page, kept, &shape));
    if let Some(said) = &said {
        cases = weigh::walls(&shape, said, &Marks::of(page, &shape));
    }
    cases.push(weigh::listing(&shape, path, said.as_ref()));
    cases
}

/// Why a page of which an extractor kept `kept` holds no article, if it holds none:
/// the refusal of [`judge`].
pub fn refusal(page: &Page, kept: &Mask) -> Option<Refusal> {
    judge(page, kept).refusal
}
