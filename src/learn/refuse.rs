//! Pages that stand in the way of an article: challenges and consent walls.
//!
//! A page is one of them if it is short and says so in its title or its text, in a
//! phrase that only such pages have or, if it is very short, in the words that
//! consent walls put together. A long page is never refused: an article may speak
//! of captchas. None of the 2,076 pages of the development gold is refused.

use crate::page::Page;
use crate::text::metric_tokens;

/// Words (metric tokens) up to which a page can be a challenge or say a phrase of
/// consent walls. Consent pages of large portals carry some 150 to 300 words.
const MAX_WORDS: usize = 400;

/// Words up to which the vocabulary of consent alone tells: an article with a
/// cookie banner has more.
const VOCABULARY_WORDS: usize = 160;

/// Groups of [`VOCABULARY`] that a consent wall has words of.
const VOCABULARY_GROUPS: usize = 3;

/// What consent walls speak of, by stems in lower case: cookies, partners, consent,
/// advertising and tracking.
const VOCABULARY: [&[&str]; 4] = [
    &["cookie", "кук", "ciasteczk"],
    &[
        "partner",
        "partenaire",
        "socios",
        "партн",
        "合作伙伴",
        "συνεργάτ",
    ],
    &[
        "consent",
        "einwillig",
        "zustimm",
        "consentimiento",
        "consenso",
        "toestemming",
        "zgod",
        "соглас",
        "同意",
        "συγκατάθεσ",
        "samtyck",
        "samtykke",
    ],
    &[
        "advertis",
        "tracking",
        "werbung",
        "publicit",
        "publicidad",
        "pubblicit",
        "advertent",
        "reklam",
        "реклам",
        "广告",
        "διαφήμισ",
        "privacy",
        "datenschutz",
    ],
];

/// Phrases of challenge pages, in lower case.
const CHALLENGE: [&str; 20] = [
    "just a moment...",
    "attention required! | cloudflare",
    "checking your browser before accessing",
    "checking if the site connection is secure",
    "verify you are human",
    "verifying you are human",
    "are you a robot",
    "you are not a robot",
    "prove you're not a robot",
    "pardon our interruption",
    "access to this page has been denied",
    "please enable js and disable any ad blocker",
    "enable javascript and cookies to continue",
    "ddos protection by",
    "unusual traffic from your computer network",
    "request unsuccessful. incapsula",
    "sicherheitsüberprüfung",
    "vérification de sécurité",
    "verifica que eres humano",
    "请完成安全验证",
];

/// Phrases of consent walls, in lower case.
const CONSENT: [&str; 14] = [
    "before you continue to",
    "we value your privacy",
    "we and our partners store",
    "wir und unsere partner",
    "mit werbung weiterlesen",
    "bevor sie fortfahren",
    "nous et nos partenaires",
    "avant de continuer",
    "nosotros y nuestros socios",
    "antes de continuar",
    "noi e i nostri partner",
    "wij en onze partners",
    "my i nasi partnerzy",
    "мы и наши партнеры",
];

/// Words of a button that agrees, without which a consent wall is none.
const AGREE: [&str; 12] = [
    "accept",
    "agree",
    "akzeptieren",
    "zustimmen",
    "accepter",
    "aceptar",
    "accetta",
    "akkoord",
    "akceptuj",
    "przejdź",
    "принять",
    "consent",
];

/// What stands in the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wall {
    /// It asks whether the reader is human.
    Challenge,
    /// It asks for consent.
    Consent,
}

/// What wall a page is, if any. `words` are the words of its body.
pub(super) fn wall(page: &Page, text: &str, words: usize) -> Option<Wall> {
    if words > MAX_WORDS {
        return None;
    }
    let title = page
        .elements()
        .find(|&n| page.tag(n).is_some_and(|tag| &**tag == "title"))
        .map(|n| page.text(n).trim().to_lowercase())
        .unwrap_or_default();
    let text = text.to_lowercase();
    let says = |phrases: &[&str]| {
        phrases
            .iter()
            .any(|p| title.contains(p) || text.contains(p))
    };
    let asks_to_agree = says(&CONSENT) && AGREE.iter().any(|w| text.contains(w));
    let speaks_of_consent = || words <= VOCABULARY_WORDS && groups(&text) >= VOCABULARY_GROUPS;
    if says(&CHALLENGE) {
        Some(Wall::Challenge)
    } else if asks_to_agree || speaks_of_consent() {
        Some(Wall::Consent)
    } else {
        None
    }
}

fn groups(text: &str) -> usize {
    let spoken = VOCABULARY
        .iter()
        .filter(|g| g.iter().any(|w| text.contains(w)));
    spoken.count()
}

/// What wall a page is, if any.
pub fn wall_of(page: &Page) -> Option<Wall> {
    let text = super::sample::body_text(page);
    wall(page, &text, metric_tokens(&text).len())
}
