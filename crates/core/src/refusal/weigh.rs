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
//! development gold. They are multiples of half a unit. How fitted weights do:
//! `docs/experiments.md`, "Pages without an article".

use super::kind::{NoArticle, RefusalSign};
use super::marks::Marks;
use super::phrase_counts::PhraseCounts;
use super::shape::Shape;

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
