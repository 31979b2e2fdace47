//! Signs and their weights.
//!
//! Each kind has a sum of weights; its probability is
//!
//! ```text
//! p = 1 / (1 + e^-(prior + w1 + w2 + ...))
//! ```
//!
//! A weight is a change of log-odds: 2.3 multiplies the odds of the kind by ten. The weights
//! were set by hand on two thirds of the pages in `tests/data/no_article` and on the
//! development gold. They are multiples of half a unit, except for the logarithm of a count.
//! Fitted weights find more lists of real sites: 246 of 271, these weights 195. But they
//! refuse 20 of 2,082 articles, these weights one: `docs/experiments.md`, "Pages without an
//! article".

use super::claims::PathKind;
use super::kind::{NoArticle, RefusalSign};
use super::marks::Marks;
use super::phrase_counts::PhraseCounts;
use super::shape::Shape;
use super::target::LinkTarget;

/// The log-odds of each kind without any sign: about one page of a hundred.
const PRIOR: f64 = -4.5;

/// A kind with the signs for it and against it.
#[derive(Debug)]
pub(super) struct RefusalCase {
    pub kind: NoArticle,
    pub signs: Vec<RefusalSign>,
}

impl RefusalCase {
    fn new(kind: NoArticle) -> RefusalCase {
        RefusalCase {
            kind,
            signs: Vec::new(),
        }
    }

    fn add(&mut self, is_there: bool, weight: f64, what: &'static str) {
        if is_there {
            self.signs.push(RefusalSign { what, weight });
        }
    }

    /// The sum of all weights.
    pub fn log_odds(&self) -> f64 {
        PRIOR + self.signs.iter().map(|sign| sign.weight).sum::<f64>()
    }

    /// Between 0 and 1.
    pub fn probability(&self) -> f64 {
        1.0 / (1.0 + (-self.log_odds()).exp())
    }
}

/// The kinds that a page with little prose can be.
pub(super) fn walls(shape: &Shape<'_>, counts: &PhraseCounts, marks: &Marks) -> Vec<RefusalCase> {
    let kinds = [
        NoArticle::Challenge,
        NoArticle::Consent,
        NoArticle::Login,
        NoArticle::Paywall,
        NoArticle::Error,
        NoArticle::Shell,
    ];
    let mut cases: Vec<RefusalCase> = Vec::new();
    for kind in kinds {
        let mut case = RefusalCase::new(kind);
        match kind {
            NoArticle::Challenge => {
                case.add(marks.challenge, 4.0, "the markup of a known challenge");
                let alone = marks.challenge && shape.body.words < 40;
                case.add(alone, 1.5, "and hardly anything else");
                case.add(marks.captcha, 1.5, "a task for people");
                phrases(&mut case, counts, 3.5, 2.5);
            }
            NoArticle::Consent => {
                case.add(marks.consent, 1.5, "the markup of a consent tool");
                case.add(counts.agrees, 1.5, "a button to agree");
                let groups = counts.consent_groups;
                case.add(groups >= 3, 2.5, "the vocabulary of consent");
                phrases(&mut case, counts, 2.0, 2.5);
            }
            NoArticle::Login => {
                case.add(shape.has_password, 1.5, "a field for a password");
                phrases(&mut case, counts, 2.5, 1.5);
            }
            NoArticle::Paywall => {
                case.add(marks.paywall, 1.0, "the markup of a paywall");
                case.add(shape.claims.is_sold, 1.0, "says that it is not free");
                phrases(&mut case, counts, 0.0, 3.0);
            }
            NoArticle::Error => {
                case.add(shape.claims.error, 3.0, "the class of an error page");
                phrases(&mut case, counts, 3.0, 2.0);
            }
            _ => shell(&mut case, shape, counts, marks),
        }
        size(&mut case, shape);
        if kind != NoArticle::Paywall {
            like_an_article(&mut case, shape, counts);
        }
        cases.push(case);
    }
    cases
}

/// The phrases of the page about itself: `head` is the weight of a title or heading,
/// `text` that of a sentence.
fn phrases(case: &mut RefusalCase, counts: &PhraseCounts, head: f64, text: f64) {
    let kind = case.kind;
    let (kept, other) = (counts.in_kept(kind), counts.in_other(kind));
    case.add(
        counts.in_title(kind) && head > 0.0,
        head,
        "the title says so",
    );
    case.add(
        counts.in_heads(kind) && head > 0.0,
        head,
        "a heading says so",
    );
    case.add(kept > 0, text, "the kept text says so");
    case.add(kept == 0 && other > 0, text - 0.5, "its text says so");
    case.add(kept + other > 1, 1.0, "and says so again");
    case.add(kept + other > 2, 1.0, "and once more");
}

fn shell(case: &mut RefusalCase, shape: &Shape<'_>, counts: &PhraseCounts, marks: &Marks) {
    let words = shape.body.words;
    let has_phrase = counts.in_kept(case.kind) + counts.in_other(case.kind) > 0;
    case.add(words < 12, 3.0, "hardly a word");
    case.add((12..40).contains(&words), 1.5, "few words");
    case.add(marks.empty_root, 2.5, "an empty root for scripts to fill");
    case.add(has_phrase, 2.5, "asks for scripts or another page");
    let bare = shape.heads.is_empty() && shape.prose < 40;
    case.add(bare && words >= 12, 1.5, "no heading and no prose");
    case.add(words < 5 && !shape.scripts.is_empty(), 2.0, "only scripts");
    case.add(shape.has_frames, 5.0, "a set of frames");
    case.add(shape.claims.refresh, 2.0, "sends the reader elsewhere");
}

/// Adds the signs of an article: a wall has little prose besides its own.
fn size(case: &mut RefusalCase, shape: &Shape<'_>) {
    let what = "the amount of text";
    // Verse and dialogue are lines too short for prose.
    let unlinked = shape.body.words - shape.body.linked;
    match shape.prose.max(unlinked / 2) {
        0..40 => case.add(true, 1.0, what),
        40..120 => case.add(true, 0.5, what),
        120..250 => case.add(true, -1.0, what),
        250..400 => case.add(true, -2.5, what),
        _ => case.add(true, -4.0, what),
    }
}

fn like_an_article(case: &mut RefusalCase, shape: &Shape<'_>, counts: &PhraseCounts) {
    let kind = case.kind;
    let claims = f64::from(shape.claims.article.min(2));
    case.add(claims > 0.0, -1.5 * claims, "claims to be an article");
    case.add(shape.claims.published, -1.0, "says when it was published");
    let headline = shape.has_headline() && !counts.in_title(kind) && !counts.in_heads(kind);
    case.add(headline, -1.5, "a headline that the title names");
    let kept = shape.kept.words - shape.kept.linked;
    let elsewhere = kept >= 40 && counts.in_kept(kind) == 0;
    case.add(elsewhere, -2.0, "the kept text is about something else");
}

/// The page as a list of other pages.
pub(super) fn listing(
    shape: &Shape<'_>,
    path: PathKind,
    counts: Option<&PhraseCounts>,
) -> RefusalCase {
    let mut case = RefusalCase::new(NoArticle::Listing);
    let teasers = shape.teasers();
    let main = shape.main_story();
    case.add(
        teasers > 0,
        1.2 * (1.0 + teasers as f64).ln(),
        "headlines of other pages",
    );
    let share = f64::from(main.prose) / f64::from(shape.prose.max(1));
    let headline = shape.has_headline();
    // Headlines that are links, but not headings: headings are counted above.
    let loose = shape.loose_teasers >= 12
        && 10 * shape.loose_prose >= 7 * shape.prose
        && teasers < 3
        && !headline;
    case.add(loose, 5.0, "most of the prose is teasers of other pages");
    let has_prose = shape.prose >= 60 && !loose;
    case.add(
        has_prose && share < 0.4,
        1.5,
        "no story has most of the prose",
    );
    case.add(
        has_prose && share >= 0.6,
        -0.5,
        "one story has most of the prose",
    );
    case.add(
        has_prose && share >= 0.8,
        -1.0,
        "one story has nearly all prose",
    );
    let main_elsewhere = main.prose > 0 && main.target == LinkTarget::Elsewhere && !headline;
    case.add(
        main_elsewhere,
        1.5,
        "the main story is told on another page",
    );
    case.add(
        main.target == LinkTarget::Own,
        -1.0,
        "the main story is told here",
    );
    case.add(headline, -3.0, "a headline that the title names");
    match path {
        PathKind::Home => case.add(true, 2.5, "the address of a home page"),
        PathKind::List => case.add(true, 2.0, "the address of a list"),
        PathKind::Article => case.add(true, -1.5, "the address of an article"),
        PathKind::Unclear => {}
    }
    let claims = &shape.claims;
    let (article, list) = (claims.article.min(2), claims.listing.min(2));
    case.add(
        article > 0,
        -1.5 * f64::from(article),
        "claims to be an article",
    );
    case.add(list > 0, 1.5 * f64::from(list), "claims to be a list");
    case.add(claims.published, -1.5, "says when it was published");
    let linked = shape.kept.words > 0 && shape.kept.link_quota() > 0.5;
    case.add(linked, 1.5, "most of the kept text is links");
    let of_links = shape.headline_links >= 20 && shape.body.link_quota() > 0.5;
    case.add(
        of_links,
        1.5,
        "most of the page is headlines that are links",
    );
    let bare = shape.prose < 40 && shape.headline_links >= 8;
    case.add(bare, 2.0, "headlines and no prose");
    if let Some(counts) = counts {
        let head = counts.in_title(case.kind) || counts.in_heads(case.kind);
        case.add(head, 2.0, "the title or a heading says so");
    }
    let long_here = main.kept >= 300 && main.target != LinkTarget::Elsewhere && !loose;
    case.add(long_here, -3.0, "a long story is told here");
    case
}
